"""Rows of claims of a matrix: whether they hold, and when they no longer do."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import nan

import numpy as np

from skmetrics_ext import check, watch
from tests.variants.samples import (
    EMPTY,
    NINE,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    ROW,
    TEN,
    TWO_AXES,
    WEIGHTS,
    YEAR,
)
from tests.variants.shared import NO_CLASS_POSITIVE, OF_MATRIX
from tests.variants.sources import (
    clopper_pearson,
    e_values,
    effective_share,
    found_positives,
    hits_of_recall,
)
from tests.variants.table import Row, gives, heard, refused

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


def expected_of_weights(v):
    """By one-sided limits of Korn & Graubard (1998)."""
    found = found_positives(v.stands_for[0])
    share, n = effective_share(found)
    limits = clopper_pearson((share * n, n))
    verdicts = [verdict_of(v, limits, bound) for bound in BOUNDS]
    return [[verdict, verdict, *limits, len(found.found)] for verdict in verdicts]


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
    return found.e_value[0], np.asarray(found.alarm_time[0]).tolist()


def expected_alarms(v):
    """Of each group, quarter by quarter."""
    alone = v.behind("quarter", QUARTER).alone
    shares = np.reshape([hits_of_recall(samples) for samples in alone], (*v.shape, 4, 2))
    # A bound of 0.1 on misses is one of 0.9 on what is found.
    if v.is_loss:
        shares[..., 0] = shares[..., 1] - shares[..., 0]
    found = [e_values(*of.T.tolist(), Fraction(9, 10), 6) for of in shares.reshape(-1, 4, 2)]
    alarms = [next((at for at, e in enumerate(of) if e >= 20), None) for of in found]
    return np.reshape(found, (*v.shape, 4)), np.reshape(alarms, v.shape).tolist()


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


ROWS = [
    Row(
        ("check",),
        verdicts_of_positive,
        expected_verdicts,
        {
            **OF_MATRIX,
            NO_MIDDLE: gives(lambda _: [["cannot tell", "cannot tell", nan, 0, 1, 0]] * 3),
            WEIGHTS: gives(expected_of_weights),
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
            WEIGHTS: refused("no valid confidence interval for the worst value of recall"),
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
            WEIGHTS: refused("needs numbers of independent samples, and these are weighted"),
            NINE: gives(expected_beyond, beyond_the_horizon),
        },
    ),
]
