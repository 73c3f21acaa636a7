"""Rows of what makes labels of scores: the adapter, and the three classifiers."""

from functools import partial

import numpy as np

from skmetrics_ext import (
    AbstainingClassifier,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    labels_from_scores,
)
from tests.doubles import ReadsScores
from tests.variants.curve import best_of
from tests.variants.samples import (
    EMPTY,
    LOSS,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    PERMUTED_WEIGHTS,
    SIZES,
    WEIGHTS,
)
from tests.variants.shared import OTHER_ORDER, WITHOUT_GROUPS
from tests.variants.sources import clopper_pearson
from tests.variants.table import Row, gives, refused, without_groups

# The thresholds of the three classes.
CUTS = {"low": 0.4, "fair": 0.6, "high": 0.3}


def cut_options(v):
    return {"threshold": CUTS} if v.classes else {"threshold": 0.3, **v.positive}


def cut(v):
    """Labels at a threshold, or at one for each class."""
    classes = SIZES if v.classes else [0, 1]
    return labels_from_scores(v.score, classes=classes, **cut_options(v))


def expected_cut(v):
    scores = np.asarray(v.score)
    if v.classes:
        scaled = scores / np.array([CUTS[size] for size in SIZES])
        return np.array(SIZES)[scaled.argmax(axis=1)]
    return labels_at(v, 0.3)


def labels_at(v, threshold):
    """The positive class where its score reaches the threshold."""
    positive = v.positive.get("pos_label", 1)
    return np.where(np.asarray(v.score) >= threshold, positive, 1 - positive)


def cheapest(v):
    """Where a miss costs as much as five false alarms; from the scores of either class."""
    options = {"classes": [0, 1], "cost_matrix": {(0, 1): 1, (1, 0): 5}}
    return [
        labels_from_scores(scores, pos_label=label, **options)
        for label, scores in ((1, v.score), (0, 1 - v.score))
    ]


def expected_cheapest(v):
    return [[int(5 * score > 1 - score) for score in v.score]] * 2


def of_probabilities(v):
    model = ProbabilityClassifier(ReadsScores(), **cut_options(v))
    return model.fit(v.X, v.true, **v.weight).predict(v.X)


def weights_of_model(v):
    """Those that the model is fitted with."""
    model = ProbabilityClassifier(ReadsScores()).fit(v.X, v.true, **v.weight)
    return model.estimator_.weights_


# The threshold with the most right answers, where four fifths are found.


def constrained(v, confidence_level=None, **options):
    """Threshold, value, what of the bound is reached, its confidence limit, and labels."""
    model = ConstrainedThresholdClassifier(
        v.model(),
        "one_vs_rest_error" if v.is_loss else "one_vs_rest_accuracy",
        subject_to={v.of("recall"): 0.2 if v.is_loss else 0.8},
        confidence_level=confidence_level,
        cv="prefit",
        **v.positive,
    ).fit(v.X, v.true, **v.weight, **options)
    [kept] = model.constraints_
    return model.best_threshold_, model.best_value_, kept.value, kept.limit, model.predict(v.X)


def expected_constrained(v, error=None):
    """By the counts, or by the limits that fail with this probability."""

    def limit(tp, fn):
        return clopper_pearson((tp, tp + fn), error)[1] if error else tp / (tp + fn)

    def keeps(tp, _, fn, __):
        return limit(tp, fn) >= 0.8

    value, threshold, (tp, _, fn, __) = best_of(v.stands_for[0], keeps)
    numbers = np.array([value, tp / (tp + fn), limit(tp, fn)])
    value, reached, bound = (1 - numbers if v.is_loss else numbers).tolist()
    return threshold, value, reached, bound if error else None, labels_at(v, threshold)


def of_three(v):
    """The most of one class, where its precision is bounded."""
    bound = {"precision_fair": 0.5}
    model = ConstrainedThresholdClassifier(v.model(), "recall_fair", subject_to=bound, cv="prefit")
    return model.fit(v.X, v.true)


def said_of_three(v):
    model = of_three(v)
    return model.best_value_, model.constraints_[0].value, model.predict(v.X)


def counted_of_three(v):
    """By the weights alone."""
    model = of_three(v)
    weights = np.array([model.best_weights_[size] for size in SIZES])
    predicted = np.array(SIZES)[(v.score * weights).argmax(axis=1)]
    right = ((predicted == "fair") & (v.true == "fair")).sum()
    precision = right / (predicted == "fair").sum()
    assert precision >= 0.5
    return right / (v.true == "fair").sum(), precision, predicted


# Answers of which three quarters are right.


def nothing(v):
    return "nothing" if v.classes else -1


def abstaining(v, metric="accuracy"):
    """Threshold, coverage, the share that is right, and the answers."""
    model = AbstainingClassifier(
        v.model(),
        metric,
        at_least=0.85,
        abstain_label=nothing(v),
        confidence_level=None,
        cv="prefit",
    ).fit(v.X, v.true, **v.weight)
    [kept] = model.constraints_
    return model.best_threshold_, model.coverage_, kept.value, model.predict(v.X)


def expected_abstaining(v, promised=None):
    """The lowest threshold at which so many of the answers, or of those of a class, are right."""
    shares, classes = v.X.to_numpy(), v.model().classes_
    answers, largest = classes[shares.argmax(axis=1)], shares.max(axis=1)
    is_right, times = (
        answers == np.asarray(v.true),
        v.weight.get("sample_weight", np.ones(len(answers))),
    )
    counts = np.ones(len(answers), dtype=bool) if promised is None else answers == promised
    thresholds, found = sorted({*largest[counts].tolist()}, reverse=True), []
    for threshold, below in zip(thresholds, [*thresholds[1:], thresholds[-1]], strict=True):
        is_at = counts & (largest >= threshold)
        share = times[is_at & is_right].sum() / times[is_at].sum()
        if share >= 0.85:
            found.append(((threshold + below) / 2, share))
    # None keeps it where no answer is right.
    threshold, share = found[-1] if found else (np.inf, None)
    is_answered = ~counts | (largest >= threshold)
    labels = np.where(is_answered, answers, np.array(nothing(v)))
    return threshold, times[is_answered].sum() / times.sum(), share, labels


def abstaining_for_each(v):
    """Thresholds of all classes, coverage, the shares that are right, and the answers."""
    classes = v.model().classes_
    model = AbstainingClassifier(
        v.model(),
        subject_to={f"precision_{label}": 0.85 for label in classes},
        abstain_label=nothing(v),
        confidence_level=None,
        cv="prefit",
    ).fit(v.X, v.true, **v.weight)
    shares = [kept.value for kept in model.constraints_]
    return [*model.thresholds_.values()], model.coverage_, shares, model.predict(v.X)


def expected_for_each(v):
    """The rule of each class alone, and an answer where none abstains."""
    alone = [expected_abstaining(v, label) for label in v.model().classes_]
    thresholds, coverages, shares, labels = zip(*alone, strict=True)
    abstentions = np.array([one == np.array(nothing(v)) for one in labels])
    answers = np.where(abstentions.any(axis=0), np.array(nothing(v)), labels[0])
    kept = [share for share in shares if share is not None]
    return [*thresholds], sum(coverages) - len(coverages) + 1, kept, answers


CLASSIFIER = {
    **WITHOUT_GROUPS,
    EMPTY: refused("one class"),
    ONE_ROW: refused("one class"),
    PERMUTED_WEIGHTS: refused(OTHER_ORDER),
}
OF_TWO = refused("is for two classes, but there are 3")

ROWS = [
    Row(
        ("labels_from_scores",),
        cut,
        expected_cut,
        {
            **WITHOUT_GROUPS,
            # Costs are losses: the class with the lowest is predicted.
            LOSS: gives(expected_cheapest, cheapest),
            EMPTY: "scores of no samples have no class",
            PERMUTED_WEIGHTS: "takes no weights",
            WEIGHTS: "takes no weights",
        },
    ),
    Row(
        ("ProbabilityClassifier",),
        without_groups(of_probabilities),
        expected_cut,
        {
            **CLASSIFIER,
            PERMUTED_WEIGHTS: "weights are those of the model, which gets them as they are",
            NO_MIDDLE: refused(r"\['fair'\] match no label"),
            WEIGHTS: gives(lambda v: v.weight["sample_weight"], weights_of_model),
        },
    ),
    Row(
        ("ConstrainedThresholdClassifier",),
        without_groups(constrained),
        expected_constrained,
        {
            **CLASSIFIER,
            ONE_CLASS: gives(counted_of_three, said_of_three),
            NO_MIDDLE: refused(r"hold none of the classes \['fair'\]", call=of_three),
        },
    ),
    Row(
        ("ConstrainedThresholdClassifier with a confidence level",),
        without_groups(partial(constrained, confidence_level=0.9)),
        partial(expected_constrained, error=0.1),
        {
            **CLASSIFIER,
            ONE_CLASS: OF_TWO,
            NO_MIDDLE: OF_TWO,
            WEIGHTS: gives(
                partial(expected_constrained, error=0.1),
                partial(constrained, confidence_level=0.9, frequency_weights=True),
            ),
        },
    ),
    Row(
        ("AbstainingClassifier",),
        without_groups(abstaining),
        expected_abstaining,
        {
            **CLASSIFIER,
            LOSS: "what it promises is no loss",
            ONE_CLASS: gives(
                partial(expected_abstaining, promised="fair"),
                partial(abstaining, metric="precision_fair"),
            ),
            OTHER_CLASS: gives(
                partial(expected_abstaining, promised=0), partial(abstaining, metric="precision_0")
            ),
        },
    ),
    Row(
        ("AbstainingClassifier with a promise for each class",),
        without_groups(abstaining_for_each),
        expected_for_each,
        {**CLASSIFIER, LOSS: "what it promises is no loss"},
    ),
]
