"""Rows of ThresholdCurve, of which each threshold is counted in a loop."""

from functools import partial
from math import nan

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score, roc_auc_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves
from tests.doubles import Answering
from tests.variants.samples import (
    EMPTY,
    GROUPS,
    LOSS,
    NINE,
    NO_MIDDLE,
    ONE_ROW,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    SIZES,
    TWO_AXES,
    WEIGHTS,
)
from tests.variants.shared import INDICES, NO_LOSS, NO_METRIC, UNDEFINED, limits, of_positive
from tests.variants.sources import Z, placements, ratio
from tests.variants.table import Row, gives, refused, undefined, without_groups

NOT_OF_WEIGHTS = "without weights or clusters"
NO_THRESHOLD = "no threshold satisfies"


# The curve is that of "fair" where there are three classes.


def about(v):
    """The positive class, the weights."""
    return {**v.weight, **({"pos_label": "fair"} if v.classes else v.positive)}


def curve(v):
    scores = pd.DataFrame(v.score, columns=SIZES) if v.classes else v.score
    return ThresholdCurve.from_scores(v.true, scores, **about(v))


def from_estimator(v):
    """Of a model whose columns are in the order of its classes."""
    model = Answering(classes=v.model().classes_, predict_proba=v.X)
    return ThresholdCurve.from_estimator(model, None, v.true, **about(v))


def from_frame(v):
    """The counts of the curve, or of that of each group by name."""
    scores = v.score[:, 1] if v.classes else v.score
    columns = {"true": v.true, "score": scores, **v.weight, **v.axes_passed}
    frame = pd.DataFrame({name: np.asarray(of) for name, of in columns.items()})
    names = {"by": list(v.axes)} if v.axes else {}
    names |= about(v) | {name: name for name in v.weight}
    if not v.axes:
        return counts_of(ThresholdCurve.from_frame(frame, "true", "score", **names))
    found = ThresholdCurves.from_frame(frame, "true", "score", **names)
    return {key: counts_of(of) for key, of in found.items()}


def counts_of(found):
    """tp, fp, fn and tn at each threshold."""
    return np.stack(found.counts, axis=-1)


def thresholds_of(samples):
    return sorted(set(samples.score.tolist()), reverse=True)


def counts_at(samples, threshold):
    """tp, fp, fn and tn."""
    return samples._replace(pred=(samples.score >= threshold).astype(int)).counts


def at_each(formula):
    """A formula of tp, fp, fn and tn at each score."""
    return lambda samples: np.array(
        [formula(*counts_at(samples, of)) for of in thresholds_of(samples)]
    )


def one(source):
    """What a source says of the samples of the one curve."""
    return lambda v: source(v.stands_for[0])


def relabeled(call):
    """The same of the plain samples that a variant stands for, as 0 and 1."""
    return one(lambda samples: call(ThresholdCurve.from_scores(samples.true, samples.score)))


all_counts = at_each(lambda *counts: counts)
recalls = at_each(lambda tp, _, fn, __: ratio(tp, tp + fn))
zeros = at_each(lambda *_: 0.0)
mean_costs = at_each(lambda tp, fp, fn, tn: (fp + 5 * fn) / (tp + fp + fn + tn))


def counts_of_groups(v):
    """Of each group that has samples, by its name or names."""
    if not v.axes:
        return all_counts(v.stands_for[0])
    names = v.entries if len(v.axes) > 1 else [entry for (entry,) in v.entries]
    of_groups = zip(names, v.alone, strict=True)
    return {name: all_counts(samples) for name, samples in of_groups if len(samples.true)}


def finds_four_fifths(tp, _, fn, __):
    return tp >= 0.8 * (tp + fn)


def best_of(samples, keeps=finds_four_fifths):
    """The largest share that is right, the middle below its score, and the counts there."""
    thresholds, found = thresholds_of(samples), []
    for threshold, below in zip(thresholds, [*thresholds[1:], nan], strict=True):
        counts = counts_at(samples, threshold)
        if keeps(*counts):
            value = (counts[0] + counts[3]) / sum(counts)
            found.append((value, np.nanmean([threshold, below]), [*counts]))
    return max(found, key=lambda of: of[:2])


def rightness(v):
    """The metric of what is right, or wrong."""
    return "one_vs_rest_error" if v.is_loss else "one_vs_rest_accuracy"


def best(v):
    value, threshold, counts = curve(v).best(rightness(v), subject_to={"recall": 0.8})
    return value, threshold, list(counts)


def expected_best(v):
    value, threshold, counts = best_of(v.stands_for[0])
    return 1 - value if v.is_loss else value, threshold, counts


def rates(samples):
    """Those of the ROC curve, with the thresholds."""
    found = at_each(lambda tp, fp, fn, tn: (ratio(fp, fp + tn), ratio(tp, tp + fn)))(samples)
    return [*found.T, thresholds_of(samples)]


def precisions_and_recalls(samples):
    found = at_each(lambda tp, fp, fn, _: (tp / (tp + fp), ratio(tp, tp + fn)))(samples)
    return [*np.nan_to_num(found.T), thresholds_of(samples)]


def areas(v):
    """Under all of the ROC curve, and under its beginning."""
    of = curve(v)
    return of.roc_auc(), of.roc_auc(max_fpr=0.3)


def expected_areas(samples):
    pair = samples.true, samples.score
    return roc_auc_score(*pair), roc_auc_score(*pair, max_fpr=0.3)


def area(samples):
    """The area under the ROC curve, undefined without one of the classes."""
    has_both = len(set(samples.true.tolist())) == 2
    return roc_auc_score(samples.true, samples.score) if has_both else nan


def precision_area(samples):
    """Average precision, undefined without positives."""
    return average_precision_score(samples.true, samples.score) if samples.true.any() else nan


def delong(samples):
    """DeLong's variance of the area itself."""
    parts = placements(samples, samples.score)
    half = Z * np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts))
    return [area(samples), area(samples) - half, min(area(samples) + half, 1)]


def roc_limits(of):
    return limits(of.interval("roc_auc", method="delong"))


def precision_limits(of):
    return limits(of.interval("average_precision"))


def at_specificity(of):
    return limits(of.interval("recall", subject_to={"specificity": 0.8}, random_state=0))


def at_prevalence(v):
    """At each score, and at a threshold."""
    found = curve(v).at_prevalence(0.2)
    return counts_of(found), of_positive(found.at(0.3))


def expected_at_prevalence(samples):
    at_threshold = where_a_fifth_is_positive(*counts_at(samples, 0.3))
    return at_each(where_a_fifth_is_positive)(samples), at_threshold


def where_a_fifth_is_positive(tp, fp, fn, tn):
    n, positive, rest = tp + fp + fn + tn, tp + fn, fp + tn
    of_one, of_other = 0.2 * n / positive, 0.8 * n / rest
    return of_one * tp, of_other * fp, of_one * fn, of_other * tn


def costs(v):
    """A false alarm costs 1, and a miss 5."""
    of = curve(v)
    [negative] = [label for label in of.labels.tolist() if label != of.pos_label]
    return of.score(
        "expected_cost", cost_matrix={(negative, of.pos_label): 1, (of.pos_label, negative): 5}
    )


def net_benefits(samples):
    of_all = [(threshold, counts_at(samples, threshold)) for threshold in (0.2, 0.5)]
    return [(tp - fp * t / (1 - t)) / len(samples.true) for t, (tp, fp, *_) in of_all]


ONE_CURVE = {
    **INDICES,
    **dict.fromkeys(
        [GROUPS, PERMUTED_GROUPS, TWO_AXES, NINE], "ThresholdCurves.from_scores has groups"
    ),
}


def without_a_class(cell):
    """The same wherever the curve has no positive, or no negative samples."""
    return dict.fromkeys([EMPTY, ONE_ROW, NO_MIDDLE], cell)


def without_positive(cell):
    """The same wherever it has no positive samples."""
    return dict.fromkeys([EMPTY, NO_MIDDLE], cell)


def row_of_one(names, call, expects, cells):
    """A row of one curve, where an entry without samples is the positive class."""
    return Row(names, without_groups(call), without_groups(expects), ONE_CURVE | cells)


ROWS = [
    row_of_one(
        ("ThresholdCurve.from_scores", "ThresholdCurve.to_frame"),
        lambda v: curve(v).to_frame("pandas").to_numpy()[:, 1:],
        one(all_counts),
        {LOSS: NO_METRIC},
    ),
    row_of_one(
        ("ThresholdCurve.from_estimator",),
        lambda v: counts_of(from_estimator(v)),
        one(all_counts),
        {LOSS: NO_METRIC},
    ),
    Row(
        ("ThresholdCurve.from_frame", "ThresholdCurves.from_frame"),
        from_frame,
        counts_of_groups,
        {
            LOSS: NO_METRIC,
            PERMUTED_WEIGHTS: "weights are a column of the frame",
            NO_MIDDLE: refused("'fair' is not among the labels"),
        },
    ),
    row_of_one(
        ("ThresholdCurve.score",),
        lambda v: curve(v).score(v.of("recall")),
        one(recalls),
        {
            LOSS: gives(one(lambda samples: 1 - recalls(samples))),
            **without_positive(undefined(UNDEFINED, one(zeros))),
        },
    ),
    row_of_one(
        ("ThresholdCurve.at",),
        lambda v: of_positive(curve(v).at(0.3)),
        one(partial(counts_at, threshold=0.3)),
        {LOSS: NO_METRIC},
    ),
    row_of_one(
        ("ThresholdCurve.best",), best, expected_best, without_positive(refused(NO_THRESHOLD))
    ),
    row_of_one(
        ("ThresholdCurve.roc",),
        lambda v: list(curve(v).roc()),
        one(rates),
        {LOSS: NO_METRIC, **without_a_class(undefined("is undefined"))},
    ),
    row_of_one(
        ("ThresholdCurve.precision_recall",),
        lambda v: list(curve(v).precision_recall()),
        one(precisions_and_recalls),
        {LOSS: NO_METRIC, **without_positive(undefined(UNDEFINED))},
    ),
    row_of_one(
        ("ThresholdCurve.roc_auc",),
        areas,
        one(expected_areas),
        {LOSS: NO_LOSS, **without_a_class(undefined("roc_auc is undefined", lambda _: [nan, nan]))},
    ),
    row_of_one(
        ("ThresholdCurve.average_precision",),
        lambda v: curve(v).average_precision(),
        one(precision_area),
        {LOSS: NO_LOSS, **without_positive(undefined("average_precision is undefined"))},
    ),
    row_of_one(
        ("ThresholdCurve.roc_auc_bounds",),
        lambda v: curve(v).roc_auc_bounds(),
        one(lambda samples: [area(samples)] * 2),
        {LOSS: NO_LOSS, **without_a_class(undefined("is undefined"))},
    ),
    row_of_one(
        ("ThresholdCurve.interval of roc_auc",),
        lambda v: roc_limits(curve(v)),
        one(delong),
        {
            LOSS: NO_LOSS,
            **without_a_class(refused("needs positives and negatives")),
            # As sampling weights they also make it less certain.
            WEIGHTS: gives(one(area), lambda v: roc_limits(curve(v))[0]),
        },
    ),
    row_of_one(
        ("ThresholdCurve.interval of average_precision",),
        lambda v: precision_limits(curve(v)),
        relabeled(precision_limits),
        {
            LOSS: NO_LOSS,
            **without_positive(refused("needs positive samples")),
            WEIGHTS: gives(one(precision_area), lambda v: precision_limits(curve(v))[0]),
        },
    ),
    row_of_one(
        ("ThresholdCurve.interval",),
        lambda v: at_specificity(curve(v)),
        relabeled(at_specificity),
        {
            LOSS: "is for recall, specificity and precision",
            **without_a_class(refused("needs positive and negative samples")),
            WEIGHTS: refused(NOT_OF_WEIGHTS),
        },
    ),
    row_of_one(
        ("ThresholdCurve.at_prevalence",),
        at_prevalence,
        one(expected_at_prevalence),
        {
            LOSS: NO_METRIC,
            **without_a_class(refused("no samples, so what|if no other has samples")),
        },
    ),
    row_of_one(
        ("ThresholdCurve.score of expected_cost",),
        costs,
        one(mean_costs),
        {LOSS: "costs are all it takes"},
    ),
    row_of_one(
        ("ThresholdCurve.net_benefit",),
        lambda v: curve(v).net_benefit([0.2, 0.5]),
        one(net_benefits),
        {LOSS: "a benefit is no loss"},
    ),
]
