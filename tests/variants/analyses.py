"""Rows of the analyses of samples, matrices and curves."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import nan, sqrt

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from skmetrics_ext import (
    agreement,
    check,
    compare,
    compare_curves,
    compare_folds,
    metric_gap,
    metric_interval,
    sample_size,
    threshold_curve,
    watch,
)
from tests.variants.samples import (
    EMPTY,
    LOSS,
    NINE,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    PERMUTED_WEIGHTS,
    ROW,
    SITE,
    SIZES,
    TEN,
    TWO_AXES,
    WEIGHTS,
    YEAR,
    by_site,
)
from tests.variants.shared import (
    INDICES,
    NO_CLASS_POSITIVE,
    NO_LOSS,
    NO_WEIGHT,
    OF_MATRIX,
    ONE_COLUMN,
    UNDEFINED,
    WITHOUT_GROUPS,
    limits,
)
from tests.variants.sources import (
    clopper_pearson,
    e_values,
    gap_of_two,
    hits_of_recall,
    p_of_margin,
    paired_areas,
    paired_recalls,
    wilson,
)
from tests.variants.table import (
    Cell,
    Row,
    each,
    fewer_warn,
    gives,
    heard,
    nothing_but,
    refused,
    undefined,
    warned,
    without_groups,
)

TWO_CLASSES = "positive and negative samples"


def with_empty_south(v):
    """Groups of which one weighs nothing."""
    in_north = (SITE[v.rows] == "north").astype(int)
    return replace(v, axes={"group": SITE}, weight={"sample_weight": in_north})


# Intervals and gaps.


def interval(v, metric="recall", **options):
    given = {**v.by, **v.weight, **v.positive, **v.chosen, **options}
    return limits(metric_interval(v.true, v.pred, v.of(metric), **given))


def wilson_of_recall(samples):
    return wilson(hits_of_recall(samples))


def alike_weights(v):
    """Whole numbers of samples, and weights that are all alike and change nothing."""
    of_alike = replace(v, weight={"sample_weight": np.full(len(v.rows), 2.5)})
    return [interval(v, frequency_weights=True), interval(of_alike)]


def expected_of_alike(v):
    once = v.stands_for[0].at(np.unique(v.stands_for[0].row, return_index=True)[1])
    return [wilson_of_recall(v.stands_for[0]), wilson_of_recall(once)]


def gap(v, **options):
    given = {"by": SITE[v.rows], **v.by, **v.weight, **v.positive, **v.chosen, **options}
    found = metric_gap(v.true, v.pred, v.of("recall"), **given)
    return np.stack([found.value, found.low, found.high, found.p_value], axis=-1)


def expected_gap(v):
    """Between the two sites, of each class."""
    alone = by_site(v).alone
    north, south = alone[: len(v.stands_for)], alone[len(v.stands_for) :]
    pairs = [map(hits_of_recall, pair) for pair in zip(north, south, strict=True)]
    return np.reshape([gap_of_two(*pair) for pair in pairs], (*v.shape[len(v.axes) :], 4))


# Comparisons.


def compared(v, **options):
    """Two models, of which the first is not worse than the second by 0.1."""
    given = {**v.weight, **v.positive, **v.chosen, **options}
    models = {"a": v.pred, "b": v.other}
    [row] = compare(v.true, models, v.of("recall"), margin=0.1, correction=None, **given).rows
    numbers = row.value_a, row.value_b, row.difference, row.low, row.high, row.p_value
    return [*numbers, row.p_not_worse, row.not_worse]


def expected_comparison(v):
    """By McNemar and Tango; where lower is better, it is worse to be above."""
    [samples] = v.stands_for
    exchanged = samples._replace(pred=samples.other, other=samples.pred)
    p_not_worse = p_of_margin(exchanged if v.is_loss else samples, 0.1)
    return [*paired_recalls(samples), p_not_worse, p_not_worse <= 0.025]


def areas(v):
    """Of both models, their difference, and its p-value."""
    positive = {"pos_label": "fair"} if v.classes else v.positive
    curves = {}
    for name, of in (("a", v.score), ("b", v.other_score)):
        scores = pd.DataFrame(of, columns=SIZES) if v.classes else of
        curves[name] = threshold_curve(v.true, scores, **v.weight, **positive)
    [row] = compare_curves(curves).rows
    return row.value_a, row.value_b, row.difference, row.p_value


def expected_areas(v):
    return paired_areas(v.stands_for[0])


FOLDS_A, FOLDS_B = np.array([[91, 94, 89, 93, 92], [88, 92, 90, 89, 91]]) / 100


def folds(v):
    """Scores of two models in five folds; those of a loss are negated."""
    sign = -1 if v.is_loss else 1
    found = compare_folds(sign * FOLDS_A, sign * FOLDS_B, n_train=800, n_test=200, rope=0.01)
    return found.difference, found.low, found.high, found.p_value, *found.probabilities


def expected_of_folds(v):
    """The corrected t test of Nadeau & Bengio (2003)."""
    differences = FOLDS_B - FOLDS_A if v.is_loss else FOLDS_A - FOLDS_B
    error = sqrt((1 / 5 + 200 / 800) * differences.var(ddof=1))
    found = stats.t(4, differences.mean(), error)
    p_value = 2 * stats.t.sf(abs(differences.mean()) / error, 4)
    below, within = found.cdf(-0.01), found.cdf(0.01)
    numbers = differences.mean(), *found.interval(0.95), p_value
    return *numbers, below, within - below, 1 - within


# Claims, which some entries keep, some break, some may, and one breaks if it is the only one.

BOUNDS = (0.65, 0.75, 0.9)


def verdict_of(v, share_with_limits, bound):
    """Of a claim that a share is at least a bound, or a loss at most the rest."""
    _, low, high = share_with_limits
    if v.is_loss:
        return "pass" if high <= 1 - bound else "fail" if low > 1 - bound else "cannot tell"
    return "pass" if low >= bound else "fail" if high < bound else "cannot tell"


def overall(verdicts, at_once):
    """All pass, or one fails also where all could."""
    return "fail" if "fail" in at_once else "pass" if {*verdicts} == {"pass"} else "cannot tell"


def verdicts(v, suffix="", **options):
    """Whether claims of recall, or of the opposite loss, hold, with the value and its limits."""
    found = []
    # The positive class is an option here, not that of the matrix.
    cm = replace(v, positive={}).matrix()
    for bound in BOUNDS:
        claims = {v.of("recall") + suffix: 1 - bound if v.is_loss else bound}
        of = check(cm, claims, **options)
        found.append([of.overall, of.verdict[0], of.value[0], of.low[0], of.high[0], of.n[0]])
    return found


def verdicts_of_positive(v):
    """The class may be one of three, too."""
    return verdicts(v, **({"pos_label": "fair"} if v.classes else v.positive))


def worst_verdicts(v):
    """Of the worst class, with the sites pooled where there are two axes."""
    by = {"by": "year"} if v.name == TWO_AXES else {}
    return [of[:5] for of in verdicts(v, "_worst", **by)]


def worst_limits(v, shares, error):
    """All lower limits hold at once if that of the worst does; the upper ones share the error."""
    found = [clopper_pearson(share, error) for share in shares]
    together = [clopper_pearson(share, error / len(shares)) for share in shares]
    value, low = (min(of[place] for of in found) for place in (0, 1))
    high = min(of[2] for of in together)
    return (1 - value, 1 - high, 1 - low) if v.is_loss else (value, low, high)


def expected_worst_verdicts(v):
    """By the limits of each class."""
    v = replace(v, axes={"year": YEAR}) if v.name == TWO_AXES else v
    shares, found = [hits_of_labels(pairs, v.labels) for pairs in v.pairs], []
    each_limits, at_once = (
        [worst_limits(v, of_labels, error) for of_labels in shares]
        for error in (0.05, 0.05 / len(shares))
    )
    numbers = [np.reshape(column, v.shape_of_groups) for column in zip(*each_limits, strict=True)]
    for bound in BOUNDS:
        of_each, of_all = (
            [verdict_of(v, of, bound) for of in both] for both in (each_limits, at_once)
        )
        found.append([overall(of_each, of_all), np.reshape(of_each, v.shape_of_groups), *numbers])
    return found


def worst_of_an_empty_entry(v):
    """Verdicts and limits as of the others, and that its value is undefined."""
    reason = check(v.matrix(), {"recall_worst": 0.75}).reason[0]
    found = [[overall, verdict, *both] for overall, verdict, _, *both in worst_verdicts(v)]
    return found, ["is undefined (0/0)" in of for of in reason.ravel().tolist()]


def expected_of_an_empty_entry(v):
    expected = expected_worst_verdicts(v)
    found = [[overall, verdict, *both] for overall, verdict, _, *both in expected]
    return found, [not pairs for pairs in v.pairs]


def unknown_worst(v):
    """Where a class has no samples it counts as 0, but nobody can tell."""
    [pairs] = v.pairs
    _, low, high = worst_limits(v, hits_of_labels(pairs, v.labels), 0.05)
    return [["cannot tell", "cannot tell", 0, low, high]] * 3


def hits_of_labels(pairs, labels):
    """The hits of each class, and its actual samples."""
    return [
        (pairs.count((label, label)), sum(true == label for true, _ in pairs)) for label in labels
    ]


def expected_verdicts(v):
    """By one-sided exact limits."""
    shares, found = [hits_of_recall(samples) for samples in v.alone], []
    numbers = np.array([(*clopper_pearson(share), share[1]) for share in shares]).T
    for bound in BOUNDS:
        of_each, at_once = (
            [verdict_of(v, clopper_pearson(share, error), bound) for share in shares]
            for error in (0.05, 0.05 / len(shares))
        )
        of_entries = [np.reshape(column, v.shape) for column in (of_each, *numbers)]
        found.append([overall(of_each, at_once), *of_entries])
    return found


def few_cannot_tell(v):
    """Whether a verdict says of both groups that their samples are too few; ten are enough."""
    found = [check(of.matrix(), {"g_mean": 0.1}).reason[0].tolist() for of in (v, TEN)]
    return [["too few samples" in reason for reason in reasons] for reasons in found]


# Months, here quarters.

QUARTER = ROW % 4


def watched(v, **options):
    """The evidence of each quarter, and when it is enough: that of several axes is named."""
    options |= {"axis": "quarter"} if v.axes else {}
    claims = {v.of("recall"): 0.1 if v.is_loss else 0.9}
    found = watch(v.behind("quarter", QUARTER).matrix(), claims, horizon=6, **options)
    return found.e_value[0], np.asarray(found.alarm_at[0]).tolist()


def expected_alarms(v):
    """Of each group, quarter by quarter."""
    alone = v.behind("quarter", QUARTER).alone
    shares = np.reshape([hits_of_recall(samples) for samples in alone], (*v.shape, 4, 2))
    # A bound of 0.1 on misses is one of 0.9 on what is found.
    if v.is_loss:
        shares[..., 0] = shares[..., 1] - shares[..., 0]
    found = [e_values(*of.T.tolist(), Fraction(9, 10), 6) for of in shares.reshape(-1, 4, 2)]
    alarms = [next((at for at, e in enumerate(of) if e >= 20), None) for of in found]
    return np.reshape(np.transpose(found), (4, *v.shape)), np.reshape(alarms, v.shape).tolist()


def beyond_the_horizon(v):
    """Whether four quarters are said to be too many for a horizon of four, and of three."""
    cm = v.before("quarter", QUARTER).matrix().sum("group")
    calls = [partial(watch, cm, {"recall": 0.9}, horizon=horizon) for horizon in (4, 3)]
    found = [heard("more than horizon=", call) for call in calls]
    return [(alarms.e_value[0], is_said) for alarms, is_said in found]


def expected_beyond(v):
    """No ratio starts in the fourth quarter of a horizon of three."""
    alone = replace(v, axes={"quarter": QUARTER}).alone
    hits, n = zip(*map(hits_of_recall, alone), strict=True)
    return [(e_values(hits, n, Fraction(9, 10), horizon), horizon < 4) for horizon in (4, 3)]


# Raters.


def kappa(v, is_rated=None, **options):
    """Fleiss' kappa of what is actual and both predictions, as of three raters."""
    ratings = np.stack([v.true, v.pred, v.other], axis=1).astype(object)
    if is_rated is not None:
        ratings[~is_rated] = None
    by = v.by.get("by")
    if hasattr(v.true, "index"):
        ratings = pd.DataFrame(ratings, index=v.true.index)
        by = pd.Series(SITE, v.pred.index) if by is None else by
    return limits(agreement(ratings, "fleiss_kappa", by=by, **options))


def expected_kappa(v):
    """By statsmodels; the limits are those of each group alone."""
    v = by_site(v) if hasattr(v.true, "index") else v
    labels = zip(v.true, v.pred, v.other, strict=True)
    of_row, found = dict(zip(v.rows.tolist(), labels, strict=True)), []
    for samples in v.alone[:: len(v.stands_for)]:
        ratings = [of_row[row] for row in samples.row.tolist()]
        alone = agreement(ratings, "fleiss_kappa")
        found.append((fleiss_kappa(aggregate_raters(ratings)[0]), alone.low, alone.high))
    return np.reshape(found, (*v.shape_of_groups, 3))


def unrated_south(v):
    return kappa(replace(v, axes={"group": SITE}), is_rated=SITE[v.rows] == "north")


def warns_of_items(_):
    """Whether 19 items are said to be too few, and 20."""
    ratings = [[0, 0, 1], [1, 1, 1], [1, 1, 0], [0, 0, 0]] * 5
    calls = [partial(agreement, ratings[:n], "fleiss_kappa") for n in (19, 20)]
    return [heard("too few items", call)[1] for call in calls]


# Sample sizes.


def planned(v):
    return sample_size(v.of("recall"), value=0.05, bound=0.1, power=0.8).n


def planned_from_the_other_side(_):
    return sample_size("recall", value=0.95, bound=0.9, power=0.8).n


ROWS = [
    Row(
        ("metric_interval",),
        interval,
        each(wilson_of_recall),
        {
            **INDICES,
            EMPTY: refused(
                "group 'south': no sample has a weight",
                call=lambda v: interval(with_empty_south(v)),
            ),
            TWO_AXES: refused(ONE_COLUMN, TypeError),
            # Of each site, and of each class.
            NO_MIDDLE: undefined(
                UNDEFINED,
                lambda v: each(wilson_of_recall)(by_site(v)),
                call=lambda v: interval(v, by=SITE[v.rows]),
            ),
            WEIGHTS: gives(expected_of_alike, alike_weights),
        },
    ),
    Row(
        ("metric_gap",),
        gap,
        expected_gap,
        {
            **INDICES,
            EMPTY: refused("at least two groups", call=lambda v: gap(with_empty_south(v))),
            TWO_AXES: refused(ONE_COLUMN, TypeError),
            ONE_ROW: refused("at least two groups"),
            NO_MIDDLE: undefined(UNDEFINED),
            WEIGHTS: gives(expected_gap, partial(gap, frequency_weights=True)),
            NINE: fewer_warn("determined by groups with few of the samples", gap),
        },
    ),
    Row(
        ("compare",),
        without_groups(compared),
        expected_comparison,
        {
            **INDICES,
            **WITHOUT_GROUPS,
            EMPTY: warned("is undefined, or infinite", lambda _: [*[nan] * 7, None]),
            ONE_ROW: refused("at least two samples"),
            NO_MIDDLE: refused("one value per model"),
            WEIGHTS: gives(expected_comparison, partial(compared, frequency_weights=True)),
        },
    ),
    Row(
        ("compare_curves",),
        without_groups(areas),
        expected_areas,
        {
            **INDICES,
            **WITHOUT_GROUPS,
            LOSS: NO_LOSS,
            EMPTY: refused(TWO_CLASSES),
            ONE_ROW: refused(TWO_CLASSES),
            NO_MIDDLE: refused(TWO_CLASSES),
            # As sampling weights they also make it less certain.
            WEIGHTS: gives(lambda v: expected_areas(v)[:3], lambda v: areas(v)[:3]),
        },
    ),
    Row(
        ("compare_folds",),
        folds,
        expected_of_folds,
        nothing_but("takes scores of folds")
        | {
            LOSS: Cell(),
            ONE_ROW: refused(
                "at least two folds",
                call=lambda _: compare_folds([0.9], [0.8], n_train=8, n_test=2),
            ),
        },
    ),
    Row(
        ("check",),
        verdicts_of_positive,
        expected_verdicts,
        {
            **OF_MATRIX,
            NO_MIDDLE: gives(lambda _: [["cannot tell", "cannot tell", nan, 0, 1, 0]] * 3),
            WEIGHTS: refused(NO_WEIGHT),
            NINE: gives(lambda _: [[True, True], [False, False]], few_cannot_tell),
        },
    ),
    Row(
        ("check of the worst class",),
        worst_verdicts,
        expected_worst_verdicts,
        {
            **OF_MATRIX,
            EMPTY: gives(expected_of_an_empty_entry, worst_of_an_empty_entry),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            NO_MIDDLE: gives(unknown_worst),
            WEIGHTS: refused(NO_WEIGHT),
        },
    ),
    Row(
        ("watch",),
        watched,
        expected_alarms,
        {
            **OF_MATRIX,
            ONE_CLASS: gives(expected_alarms, partial(watched, pos_label="fair")),
            ONE_ROW: gives(lambda _: (e_values([1], [1], Fraction(9, 10), 6), None)),
            NO_MIDDLE: gives(lambda _: ([1] * 4, None), partial(watched, pos_label="fair")),
            WEIGHTS: refused(NO_WEIGHT),
            NINE: gives(expected_beyond, beyond_the_horizon),
        },
    ),
    Row(
        ("agreement",),
        kappa,
        expected_kappa,
        {
            **INDICES,
            LOSS: "none of its metrics is a loss",
            ONE_CLASS: refused("must include all labels", call=partial(kappa, labels=["fair"])),
            EMPTY: refused("group 'south': two items", call=unrated_south),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            PERMUTED_WEIGHTS: "an item counts once",
            TWO_AXES: refused(ONE_COLUMN, TypeError),
            ONE_ROW: refused("two items or more"),
            WEIGHTS: "an item counts once",
            NINE: gives(lambda _: [True, False], warns_of_items),
        },
    ),
    Row(
        ("sample_size",),
        planned,
        planned_from_the_other_side,
        nothing_but("takes no samples") | {LOSS: Cell()},
    ),
]
