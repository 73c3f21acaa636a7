"""A call that does not fit is answered for the function that was called, with what it takes."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    EvalMetric,
    FixedMetric,
    ThresholdCurve,
    agreement,
    check,
    cross_val_confusion_matrix,
    cross_val_interval,
    recall_score,
    sample_size,
)
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.scoring.base import BaseScorer
from tests.options_named import PACKAGE
from tests.public_names import PUBLIC

Y = np.arange(40) % 2
PREDICTED = np.where(np.arange(40) % 5 == 0, 1 - Y, Y)
CM = ConfusionMatrix.from_predictions(Y, PREDICTED)
GROUPS = ConfusionMatrix.from_predictions(Y, PREDICTED, by={"sex": np.repeat(["F", "M"], 20)})
CURVE = ThresholdCurve.from_scores(Y, Y + np.arange(40) % 7)
FRAME = pd.DataFrame({"y": Y, "score": Y / 2, "patient": np.arange(40) // 2})


def doors():
    """Each public function and method that users call: how it is called, and its object."""
    for name, of_public in PUBLIC.items():
        if inspect.isfunction(of_public):
            yield pytest.param(of_public, name, (), id=name)
            continue
        for method in dir(of_public) if inspect.isclass(of_public) else ():
            member = inspect.getattr_static(of_public, method)
            function = getattr(member, "__func__", member)
            if inspect.isfunction(function) and is_asked(of_public, method, function):
                path = f"{name}.{method}".removesuffix(".__init__")
                yield pytest.param(function, path, object_of(of_public, member), id=path)


def object_of(of_class, member):
    """The first argument of a method, which users do not pass."""
    if isinstance(member, staticmethod):
        return ()
    return (of_class if isinstance(member, classmethod) else type(of_class.__name__, (), {})(),)


def is_asked(of_class, method, function):
    """All methods of results; what makes models and scorers, whose others libraries call."""
    if not inspect.unwrap(function).__code__.co_filename.startswith(PACKAGE):
        return False
    if issubclass(of_class, (tuple, EvalMetric)):
        return False
    is_made = issubclass(of_class, (BaseEstimator, BaseScorer, FixedMetric))
    return method == "__init__" if is_made else not method.startswith("_")


def required(function, first):
    """The arguments that a call needs, and the most that it takes by their place."""
    own = list(inspect.signature(function).parameters.values())[len(first) :]
    needed = [of.name for of in own if of.default is of.empty and of.kind in (1, 3)]
    most = sum(of.kind in (of.POSITIONAL_ONLY, of.POSITIONAL_OR_KEYWORD) for of in own)
    takes_any = any(of.kind is of.VAR_KEYWORD for of in own)
    return needed, most, takes_any


def sentence(function, *arguments, **options):
    with pytest.raises(TypeError) as refused:
        function(*arguments, **options)
    return str(refused.value)


@pytest.mark.parametrize(("function", "name", "first"), list(doors()))
def test_calls_that_do_not_fit_are_answered_in_a_sentence_for_this_function(function, name, first):
    needed, most, takes_any = required(function, first)
    given = dict.fromkeys(needed, 0)
    said = []
    if not takes_any:
        said.append(sentence(function, *first, **given, colour=1))
        assert said[-1].startswith(f"{name} has no colour=. ")
    if needed:
        said.append(sentence(function, *first))
        assert said[-1].startswith(f"{name} needs {needed[0]}=")
    said.append(sentence(function, *first, *[0] * (most + 1)))
    assert re.match(rf"{name} takes [\w, ]+ without a name, and {most + 1} such", said[-1])
    assert all(text.endswith((".", "?")) and "positional" not in text for text in said)


# What people write, and the words that say what to write instead.
MISTAKEN = {
    "classes in counts of labels": (
        lambda: ConfusionMatrix.from_predictions(Y, PREDICTED, classes=[0, 1]),
        "ConfusionMatrix.from_predictions has no classes=. Did you mean 'labels' or 'pos_label'?",
    ),
    "groups": (
        lambda: ConfusionMatrix.from_predictions(Y, PREDICTED, groups=Y),
        "has no groups=. Did you mean 'by' or 'clusters'?",
    ),
    "labels of scores": (
        lambda: ConfusionMatrix.from_scores(Y, Y / 2, labels=[0, 1]),
        "has no labels=. Did you mean 'classes' or 'pos_label'?",
    ),
    "labels of claims": (
        lambda: check(CM, {"recall": 0.5}, labels=[1]),
        "check has no labels=. Did you mean 'pos_label'?",
    ),
    "a metric of folds": (
        lambda: cross_val_confusion_matrix(GaussianNB(), Y[:, None], Y, scoring="recall"),
        "has no scoring=. Instead, ask the result for a metric by its name, as in cm.score(",
    ),
    "clusters of a table": (
        lambda: ThresholdCurve.from_frame(FRAME, "y", "score", clusters="patient"),
        "ThresholdCurve.from_frame has no clusters=. It is an option of "
        "ThresholdCurve.from_estimator and ThresholdCurve.from_scores.",
    ),
    "a misspelled option": (
        lambda: recall_score(Y, PREDICTED, sample_weigth=Y),
        "recall_score has no sample_weigth=. Did you mean 'sample_weight'?",
    ),
    "an axis by its place": (lambda: GROUPS.gap("recall", "sex"), "Name the others: axis=, "),
    "an axis of pairs": (lambda: GROUPS.pairwise_gaps("recall", "sex"), "Name the others: axis=, "),
    "an axis by another word": (
        lambda: GROUPS.gap("recall", by="sex"),
        "no parameter 'by', nor is it another option here: it takes none. Did you mean 'axis'?",
    ),
    "a threshold of a curve": (
        lambda: CURVE.score("f1", 0.5),
        "ThresholdCurve.score takes metric without a name, and 2 such values were given. "
        "At one threshold: curve.at(threshold).score(metric).",
    ),
    "a threshold by its name": (
        lambda: CURVE.score("f1", threshold=0.5),
        "At one threshold: curve.at(threshold).score(metric).",
    ),
    "an assumed value": (lambda: sample_size("recall", 0.9), "Name the others: value=, "),
    "a metric of models": (
        lambda: cross_val_interval(GaussianNB(), Y[:, None], Y, "recall"),
        "cross_val_interval takes estimator, X and y without a name, and 4 such values were "
        "given. Name the others: scoring=, ",
    ),
    "two raters": (lambda: agreement(Y, PREDICTED), "agreement(np.column_stack([a, b]))."),
    "claims on labels": (
        lambda: check(Y, PREDICTED, {"recall": 0.5}),
        "check(ConfusionMatrix.from_predictions(y_true, y_pred), claims).",
    ),
    "a form of text": (lambda: CM.to_table("markdown"), "cm.to_table().to_markdown()"),
    "a form of text of a result": (
        lambda: CM.interval("recall").to_table("markdown"),
        "Interval.to_table takes nothing without a name, and 1 such value was given. Its text",
    ),
    "a stack": (lambda: ConfusionMatrix.stack({"a": CM, "b": CM}), "needs axis=."),
    "a sum": (lambda: GROUPS.sum(), "ConfusionMatrix.sum needs axis=. Name the axis, one of"),
    "an entry": (lambda: GROUPS.sel(("F",)), "Name the axis and its entries: cm.sel(sex='F')."),
    "a value twice": (
        lambda: CM.score("recall", metric="f1"),
        "ConfusionMatrix.score was given metric= twice, once without its name.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKEN)
def test_what_people_write_is_answered_with_the_right_call(mistake):
    call, words = MISTAKEN[mistake]
    assert words in sentence(call)


def test_an_error_inside_a_function_stays_as_it_is():
    def fails(value, *, how=1):
        return len(value) + how

    with pytest.raises(TypeError, match=r"^object of type 'int' has no len\(\)$"):
        explained(fails)(3)
    assert explained(fails)("abc", how=2) == 5
    assert inspect.signature(explained(fails)) == inspect.signature(fails)
