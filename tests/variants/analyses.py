"""Rows of the analyses of samples and of curves."""

import json
from dataclasses import replace
from functools import partial
from math import nan, sqrt

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from skmetrics_ext import (
    ThresholdCurve,
    agreement,
    compare,
    compare_curves,
    compare_folds,
    metric_interval,
    sample_size,
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
    SITE,
    SIZES,
    TWO_AXES,
    WEIGHTS,
    by_site,
    in_one_axis,
)
from tests.variants.shared import (
    INDICES,
    NO_CLASS_POSITIVE,
    NO_LOSS,
    UNDEFINED,
    WITHOUT_GROUPS,
    limits,
)
from tests.variants.sources import (
    hits_of_recall,
    limits_of_weighted_recall,
    mid_p,
    once_with_weights,
    p_of_margin,
    paired_areas,
    paired_recalls,
    relative_recalls,
)
from tests.variants.table import (
    Cell,
    Row,
    each,
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


def for_json(v, **options):
    """Value and limits of each entry as JSON has them, and whether there is a reason for null."""
    given = {**v.by, **v.weight, **v.positive, **v.chosen, **options}
    found = metric_interval(v.true, v.pred, v.of("recall"), **given)
    state = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    entries = state.get("entries", [state])
    return [[of["value"], of["low"], of["high"], "value" in of["reasons"]] for of in entries]


def expected_for_json(v):
    found = [limits_of_recall(samples) for samples in v.alone]
    return [
        [None if np.isnan(value) else value, low, high, bool(np.isnan(value))]
        for value, low, high in found
    ]


def limits_of_recall(samples):
    return mid_p(hits_of_recall(samples))


def expected_of_empty_south(v):
    """Nothing is known of a site where nothing weighs."""
    [samples] = v.stands_for
    return [limits_of_recall(samples.at(SITE[samples.row] == "north")), (nan, 0, 1)]


def three_kinds_of_weights(v):
    """Whole numbers of samples, weights that are all alike and change nothing, and others."""
    of_alike = replace(v, weight={"sample_weight": np.full(len(v.rows), 2.5)})
    return [interval(v, frequency_weights=True), interval(of_alike), interval(v)]


def expected_of_weights(v):
    once, _ = once_with_weights(v.stands_for[0])
    whole, alike = (limits_of_recall(samples) for samples in (v.stands_for[0], once))
    return [whole, alike, limits_of_weighted_recall(v.stands_for[0])]


# Comparisons.


def compared(v, **options):
    """Two models, of which the first is not worse than the second by 0.1."""
    given = {**v.weight, **v.positive, **v.chosen, **options}
    models = {"a": v.pred, "b": v.other}
    [row] = compare(v.true, models, v.of("recall"), margin=0.1, correction=None, **given).rows
    numbers = row.value, row.reference_value, row.difference, row.low, row.high, row.p_value
    return [*numbers, row.p_not_worse, row.not_worse]


def expected_comparison(v):
    """By McNemar and Tango; where lower is better, it is worse to be above."""
    [samples] = v.stands_for
    exchanged = samples._replace(pred=samples.other, other=samples.pred)
    p_not_worse = p_of_margin(exchanged if v.is_loss else samples, 0.1)
    return [*paired_recalls(samples), p_not_worse, p_not_worse <= 0.025]


def in_each_group(v, **options):
    """The same of each group, of which there are two in any case."""
    v = by_site(v)
    given = {**v.by, **v.weight, **v.positive, **v.chosen, **options}
    models = {"a": v.pred, "b": v.other}
    found = compare(v.true, models, v.of("recall"), margin=0.1, correction=None, **given)
    is_of = found.value, found.reference_value, found.difference, found.low, found.high
    return [np.stack([*is_of, found.p_value, found.p_not_worse], -1), found.group.tolist()]


def expected_in_each_group(v):
    """What is said of each group that has samples, as if it were alone."""
    v = by_site(v)
    with_samples = [
        (group, samples)
        for group, samples in zip(v.entries, v.alone, strict=True)
        if len(samples.true)
    ]
    groups = [group if len(group) > 1 else group[0] for group, _ in with_samples]
    found = [expected_comparison(replace(v, stands_for=(of,)))[:-1] for _, of in with_samples]
    return [np.array(found), groups]


def divided(v, **options):
    """The ratio of two models."""
    given = {**v.weight, **v.positive, **v.chosen, **options}
    models = {"a": v.pred, "b": v.other}
    [row] = compare(v.true, models, v.of("recall"), kind="ratio", **given).rows
    return [row.value, row.reference_value, row.ratio, row.low, row.high, row.p_value]


def expected_ratio(v):
    return relative_recalls(v.stands_for[0])


def areas(v):
    """Of both models, their difference, and its p-value."""
    positive = {"pos_label": "fair"} if v.classes else v.positive
    curves = {}
    for name, of in (("a", v.score), ("b", v.other_score)):
        scores = pd.DataFrame(of, columns=SIZES) if v.classes else of
        curves[name] = ThresholdCurve.from_scores(v.true, scores, **v.weight, **positive)
    [row] = compare_curves(curves).rows
    return row.value, row.reference_value, row.difference, row.p_value


def expected_areas(v):
    return paired_areas(v.stands_for[0])


FOLDS_A, FOLDS_B = np.array([[91, 94, 89, 93, 92], [88, 92, 90, 89, 91]]) / 100


def folds(v):
    """Scores of two models in five folds; those of a loss are negated."""
    sign = -1 if v.is_loss else 1
    scores = {"a": sign * FOLDS_A, "b": sign * FOLDS_B}
    found = compare_folds(scores, n_train=800, n_test=200, baseline="b", rope=0.01)
    numbers = (
        *(found.difference, found.low, found.high, found.p_value),
        *(found.probability_worse, found.probability_equivalent, found.probability_better),
    )
    return tuple(number for [number] in numbers)


def expected_of_folds(v):
    """The corrected t test of Nadeau & Bengio (2003)."""
    differences = FOLDS_B - FOLDS_A if v.is_loss else FOLDS_A - FOLDS_B
    error = sqrt((1 / 5 + 200 / 800) * differences.var(ddof=1))
    found = stats.t(4, differences.mean(), error)
    p_value = 2 * stats.t.sf(abs(differences.mean()) / error, 4)
    below, within = found.cdf(-0.01), found.cdf(0.01)
    numbers = differences.mean(), *found.interval(0.95), p_value
    return *numbers, below, within - below, 1 - within


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
    return limits(agreement(ratings, metric="fleiss_kappa", by=by, **options))


def expected_kappa(v):
    """By statsmodels; the limits are those of each group alone."""
    v = by_site(v) if hasattr(v.true, "index") else v
    labels = zip(v.true, v.pred, v.other, strict=True)
    of_row, found = dict(zip(v.rows.tolist(), labels, strict=True)), []
    for samples in v.alone[:: len(v.stands_for)]:
        ratings = [of_row[row] for row in samples.row.tolist()]
        alone = agreement(ratings, metric="fleiss_kappa")
        found.append((fleiss_kappa(aggregate_raters(ratings)[0]), alone.low, alone.high))
    return np.reshape(found, (*v.shape_of_groups, 3))


def unrated_south(v):
    return kappa(replace(v, axes={"group": SITE}), is_rated=SITE[v.rows] == "north")


def warns_of_items(_):
    """Whether 19 items are said to be too few, and 20."""
    ratings = [[0, 0, 1], [1, 1, 1], [1, 1, 0], [0, 0, 0]] * 5
    calls = [partial(agreement, ratings[:n], metric="fleiss_kappa") for n in (19, 20)]
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
        each(limits_of_recall),
        {
            **INDICES,
            EMPTY: undefined(
                UNDEFINED,
                lambda v: [each(limits_of_recall)(v), expected_of_empty_south(v)],
                call=lambda v: [interval(v), interval(with_empty_south(v))],
            ),
            # Of each site, and of each class.
            NO_MIDDLE: undefined(
                UNDEFINED,
                lambda v: each(limits_of_recall)(by_site(v)),
                call=lambda v: interval(v, by=SITE[v.rows]),
            ),
            WEIGHTS: gives(expected_of_weights, three_kinds_of_weights),
        },
    ),
    Row(
        ("metric_interval for JSON",),
        for_json,
        expected_for_json,
        {
            **INDICES,
            EMPTY: undefined(UNDEFINED),
            NO_MIDDLE: undefined(UNDEFINED),
            WEIGHTS: gives(expected_for_json, partial(for_json, frequency_weights=True)),
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
        ("compare in each group",),
        in_each_group,
        expected_in_each_group,
        {
            **INDICES,
            **dict.fromkeys([EMPTY, TWO_AXES, NINE], warned("p_same may be too small")),
            ONE_ROW: gives(
                lambda _: [[[[1, 1, 0, *[nan] * 4]], ["north"]], True],
                lambda v: heard("fewer than two samples", partial(in_each_group, v)),
            ),
            NO_MIDDLE: refused("one value per model"),
            WEIGHTS: gives(expected_in_each_group, partial(in_each_group, frequency_weights=True)),
        },
    ),
    Row(
        ("compare by ratios",),
        without_groups(divided),
        expected_ratio,
        {
            **INDICES,
            **WITHOUT_GROUPS,
            EMPTY: warned("is undefined, or infinite", lambda _: [nan] * 6),
            ONE_ROW: refused("at least two samples"),
            NO_MIDDLE: refused("one value per model"),
            WEIGHTS: gives(expected_ratio, partial(divided, frequency_weights=True)),
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
            # Of so few the p-value inverts limits that are wider than DeLong's.
            ONE_CLASS: gives(lambda v: expected_areas(v)[:3], lambda v: areas(v)[:3]),
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
                call=lambda _: compare_folds({"a": [0.9], "b": [0.8]}, n_train=8, n_test=2),
            ),
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
            TWO_AXES: gives(lambda v: expected_kappa(in_one_axis(v))),
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
