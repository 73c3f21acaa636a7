"""The native kind of scorers: scikit-learn's own, whose function is a FixedMetric."""

import copy
import inspect
import pickle
import pickletools
import re

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)

from skmetrics_ext import (
    ConfusionScorer,
    FixedMetric,
    expected_cost,
    get_scorer,
    get_scorer_names,
    make_scorer,
    recall_score,
)
from tests.shared import one_in

TRUE = np.array(["ill", "well", "ill", "well", "ill"])
SAID = np.array(["ill", "ill", "well", "well", "ill"])


def shown(scorer):
    return list(inspect.signature(scorer._score_func).parameters)


@pytest.mark.parametrize(
    ("scorer", "parameters"),
    [
        (get_scorer("recall"), ["y_true", "y_pred", "pos_label", "sample_weight"]),
        (get_scorer("recall_macro"), ["y_true", "y_pred", "sample_weight"]),
        (get_scorer("recall_macro", labels=[1]), ["y_true", "y_pred", "sample_weight"]),
        (get_scorer("mcc"), ["y_true", "y_pred", "sample_weight"]),
        (get_scorer("cohen_kappa"), ["y1", "y2", "sample_weight"]),
        (get_scorer("geometric_mean"), ["y_true", "y_pred", "sample_weight"]),
        (get_scorer("neg_expected_cost"), ["y_true", "y_pred", "sample_weight", "cost_matrix"]),
    ],
    ids=repr,
)
def test_the_signature_shows_what_has_an_effect_and_no_labels(scorer, parameters):
    assert shown(scorer) == parameters


def test_the_default_of_pos_label_is_the_one_that_is_fixed():
    for options, expected in (({}, 1), ({"pos_label": "ill"}, "ill"), ({"pos_label": None}, None)):
        signature = inspect.signature(FixedMetric("recall", **options))
        assert signature.parameters["pos_label"].default == expected


# How a metric of the positive class becomes a scorer without saying which class that is.
WITHOUT_POSITIVE = {
    "name": get_scorer,
    "threshold": lambda name: get_scorer(name, threshold=0.4),
    "several": lambda name: ConfusionScorer([name]),
    "dict": lambda name: {"score": get_scorer(name)},
}
ASKED = r"[Pp]ass .*pos_label="


@pytest.mark.parametrize(("make", "name"), one_in(4, WITHOUT_POSITIVE, get_scorer_names("binary")))
def test_where_names_are_scored_the_warning_asks_for_the_positive_class(name, make):
    """The slow ones are every metric in each way."""
    X, y = np.arange(8.0)[:, None], np.array(["ill", "well"] * 4)
    with pytest.warns(UserWarning, match=ASKED) as warned:
        scores = cross_validate(DummyClassifier(), X, y, cv=2, scoring=WITHOUT_POSITIVE[make](name))
    [values] = [scores[key] for key in scores if key.startswith("test_")]
    assert np.isnan(values).all()
    for one in warned:
        assert re.search(ASKED, str(one.message).splitlines()[-1]), one.message


def test_searches_and_tuned_thresholds_ask_for_the_positive_class():
    X, y = np.arange(8.0)[:, None], np.array(["ill", "well"] * 4)
    scoring = get_scorer("npv")
    search = GridSearchCV(DummyClassifier(), {}, cv=2, scoring=scoring)
    failed = r"(?s)Scoring failed.*" + ASKED
    with pytest.warns(UserWarning, match="non-finite"), pytest.warns(UserWarning, match=failed):
        search.fit(X, y)
    with pytest.raises(ValueError, match=ASKED):
        TunedThresholdClassifierCV(DummyClassifier(), cv=2, scoring=scoring).fit(X, y)
    # What was passed is not called a default.
    with pytest.raises(ValueError, match=r"pos_label=1 is not a valid label"):
        get_scorer("npv", pos_label=1)(DummyClassifier().fit(X, y), X, y)


def test_it_gives_the_value_of_the_function_with_its_options():
    assert FixedMetric("recall", pos_label="ill")(TRUE, SAID) == 2 / 3
    assert FixedMetric("recall", pos_label="well")(TRUE, SAID) == 1 / 2
    weights = [1, 2, 3, 4, 5]
    assert FixedMetric("recall", pos_label="ill")(
        TRUE, SAID, sample_weight=weights
    ) == pytest.approx(6 / 9)
    assert FixedMetric("fbeta", average="macro", beta=2)(TRUE, SAID) == pytest.approx(
        sk.fbeta_score(TRUE, SAID, beta=2, average="macro")
    )


def test_a_call_may_name_another_positive_class_and_nothing_that_is_not_shown():
    recall = FixedMetric("recall", pos_label="ill")
    assert recall(TRUE, SAID, pos_label="well") == 1 / 2
    with pytest.raises(TypeError, match=r"FixedMetric\('recall', .* takes no 'average' in a call"):
        recall(TRUE, SAID, average="macro")
    with pytest.raises(TypeError, match="takes no 'pos_label' in a call"):
        FixedMetric("recall", average="macro")(TRUE, SAID, pos_label="ill")
    with pytest.raises(
        TypeError, match=r"'by' in a call\. To score groups, make it with over_groups="
    ):
        recall(TRUE, SAID, by=TRUE)


def test_it_owns_its_options():
    labels = ["ill"]
    recall = FixedMetric("recall", average="macro", labels=labels)
    labels[0] = "well"
    assert recall(TRUE, SAID) == 2 / 3


@pytest.mark.parametrize(
    "scorer",
    [
        get_scorer("recall", pos_label="ill"),
        get_scorer("neg_fnr", pos_label="ill", zero_division=np.nan),
        get_scorer("recall_macro", labels=pd.Series(["ill"])),
        get_scorer("neg_expected_cost", cost_matrix={("ill", "well"): 3}, labels=["ill", "well"]),
        make_scorer(recall_score, pos_label="ill", greater_is_better=False),
    ],
    ids=repr,
)
def test_copies_and_pickles_score_the_same_and_name_nothing_private_of_the_package(scorer):
    model = DummyClassifier(strategy="constant", constant="ill").fit(SAID[:, None], SAID)
    expected = scorer(model, SAID[:, None], TRUE)
    data = pickle.dumps(scorer)
    named = [argument for _, argument, _ in pickletools.genops(data) if isinstance(argument, str)]
    assert not [text for text in named if text.startswith("skmetrics_ext.")]
    assert len(data) < 600
    for other in (pickle.loads(data), copy.deepcopy(scorer), clone(scorer, safe=False)):
        assert other(model, SAID[:, None], TRUE) == expected
        assert repr(other) == repr(scorer)
        assert other.__name__ == scorer.__name__


def test_costs_of_a_call_are_routed():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    costs = np.zeros((12, 2, 2))
    costs[:, 0, 1], costs[:, 1, 0] = np.arange(12), 100
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = get_scorer("neg_expected_cost").set_score_request(cost_matrix=True)
        results = cross_validate(
            DummyClassifier(strategy="constant", constant=1),
            X,
            y,
            cv=2,
            scoring=scorer,
            params={"cost_matrix": costs},
        )
    halves = (np.arange(6), np.arange(6, 12))
    assert results["test_score"] == pytest.approx(
        [-costs[half, y[half], 1].mean() for half in halves]
    )
    assert -results["test_score"][0] == pytest.approx(
        expected_cost(y[:6], np.ones(6, dtype=int), cost_matrix=costs[:6])
    )


@pytest.mark.slow
def test_two_processes_score_as_one():
    """What pickles in one process cannot show, that a new one has all that a scorer needs; the
    lines that make the pickle are guarded above.
    """
    X, y = np.arange(40.0)[:, None] % 7, np.where(np.arange(40) % 3 == 0, "ill", "well")
    scorer = get_scorer("recall", pos_label="ill", zero_division=0)
    alone = cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scorer)
    together = cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scorer, n_jobs=2)
    np.testing.assert_array_equal(together, alone)
