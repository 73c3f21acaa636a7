"""Rows of scorers, and of metrics for training libraries."""

from dataclasses import replace
from functools import partial
from math import nan

import numpy as np
import pandas as pd

import skmetrics_ext as ext
from skmetrics_ext import (
    ConfusionScorer,
    FixedMetric,
    get_scorer,
    get_scorer_names,
    make_eval_metric,
    make_scorer,
)
from tests.variants.curve import best_of
from tests.variants.samples import (
    EMPTY,
    LOSS,
    NINE,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    P_OF_SIZES,
    PERMUTED,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    RANGE,
    SITE,
    SIZE,
    SIZES,
    by_site,
)
from tests.variants.shared import (
    INDICES,
    OTHER_ORDER,
    PARTLY_SHARED,
    UNDEFINED,
    WITHOUT_GROUPS,
    row_of_model,
)
from tests.variants.sources import recall, recall_or_0
from tests.variants.table import (
    Cell,
    Row,
    fewer_warn,
    gives,
    heard,
    nothing_but,
    refused,
    undefined,
    warned,
    without_groups,
)

# Scorers of one number: recall, or a loss, which is negated.


def name_of(v):
    return f"neg_{v.of('recall')}" if v.is_loss else "recall"


def options_of(v):
    """Of several classes a scorer gives the mean."""
    return {**v.positive, **({"average": "macro"} if v.name == NO_MIDDLE else v.chosen)}


def scored(v, scorer):
    return scorer(v.model(), v.X, v.true, **v.weight)


def signed(v, value):
    return -value if v.is_loss else value


def mean_recall(v):
    return np.mean([recall_or_0(samples) for samples in v.stands_for])


def by_name(v):
    return scored(v, get_scorer(name_of(v), **options_of(v)))


def by_function(v):
    function = ext.false_negative_rate if v.is_loss else ext.recall_score
    return scored(v, make_scorer(function, **options_of(v)))


def expected_score(v):
    return signed(v, mean_recall(v))


def with_prevalence(v):
    return ConfusionScorer([name_of(v), "prevalence"], **options_of(v))


def expected_keys(v):
    prevalence = np.mean([samples.true.mean() for samples in v.stands_for])
    return {name_of(v): expected_score(v), "prevalence": prevalence}


def of_one_key(v):
    return scored(v, with_prevalence(v).scorers()[name_of(v)])


def fixed(v):
    """A metric with its options, which negates no loss."""
    return FixedMetric(v.of("recall"), **options_of(v))(v.true, v.pred, **v.weight)


# Scorers with groups.


def worst_and_gap(v, **by):
    """Scorers of the worst group, and of the gap between the groups, which is negated."""
    options = {**by, **options_of(v)}
    return [
        ConfusionScorer(name_of(v), over_groups=over_groups, **options)
        for over_groups in ("worst", "gap")
    ]


def by_group(v):
    """The groups are passed with each call."""
    by = v.by.get("by", SITE[v.rows])
    if v.name in (PERMUTED, RANGE):
        by = pd.Series(by, v.pred.index)
    return [scored(v, partial(scorer, by=by)) for scorer in worst_and_gap(v)]


def by_column(v):
    """The groups are columns of X."""
    X = v.X
    columns = v.axes_passed or {"group": SITE[v.rows]}
    for name, groups in columns.items():
        X.insert(0, name, groups)
    return [scorer(v.model(), X, v.true, **v.weight) for scorer in worst_and_gap(v, by=[*columns])]


def twice(v):
    return replace(v, weight={"sample_weight": np.full(len(v.rows), 2)})


def without_fair_in_the_south(v):
    """Groups of which one lacks a class, which is then none of its classes."""
    has_fair = (SIZE == 1) | (P_OF_SIZES.argmax(axis=1) == 1)
    return v.part(~(has_fair & (SITE == "south")))


def expected_without_fair(v):
    """The mean of three classes in the north, and of two in the south."""
    fair, high, low, _, *of_south = by_site(without_fair_in_the_south(v)).alone
    means = [
        np.mean([recall_or_0(of) for of in each_of]) for each_of in ((fair, high, low), of_south)
    ]
    return [min(means), min(means) - max(means)]


def expected_by_group(v):
    """Of all combinations of groups that occur, each the mean of its classes."""
    alone, n_classes = by_site(v).alone, len(v.stands_for)
    of_groups = [alone[first : first + n_classes] for first in range(0, len(alone), n_classes)]
    means = [
        np.mean([recall_or_0(samples) for samples in of_group])
        for of_group in of_groups
        if len(of_group[0].true)
    ]
    values = sorted(signed(v, mean) for mean in means)
    return [values[0], values[0] - values[-1]]


def worst_of_the_north(v):
    """The others weigh nothing."""
    in_north = (SITE[v.rows] == "north").astype(int)
    scorer = ConfusionScorer("recall", over_groups="worst")
    return scorer(v.model(), v.X, v.true, by=SITE[v.rows], sample_weight=in_north)


def recall_of_the_north(v):
    return recall(v.part(SITE == "north").stands_for[0])


# Other scorers.


def by_order(v):
    """The mean distance between actual and predicted class, a loss, which is negated."""
    distances = np.abs(np.subtract.outer(range(3), range(3)))
    return scored(v, ConfusionScorer("neg_expected_cost", cost_matrix=distances, classes=SIZES))


def expected_by_order(v):
    true, pred = ([SIZES.index(label) for label in of.tolist()] for of in (v.true, v.pred))
    return -np.mean(np.abs(np.subtract(true, pred)))


def at_best_threshold(v):
    metric = "neg_one_vs_rest_error" if v.is_loss else "one_vs_rest_accuracy"
    positive = {"pos_label": "fair"} if v.classes else v.positive
    bound = {"recall": 0.8}
    return scored(v, get_scorer(metric, threshold="best", subject_to=bound, **positive))


def expected_at_best(v):
    value = best_of(v.stands_for[0])[0]
    return value - 1 if v.is_loss else value


def index(v):
    labels = {"labels": ["fair"]} if v.name == ONE_CLASS else {}
    return scored(v, get_scorer("evaluation_index", **labels))


def counts_in_index(v):
    """tp, fp, fn and tn of each class that the model knows."""
    found = index(v)
    counts = ("true_positive", "false_positive", "false_negative", "true_negative")
    labels = ["fair"] if v.name == ONE_CLASS else v.model().classes_.tolist()
    return [[found[f"{count}_{label}"] for count in counts] for label in labels]


def expected_counts(v):
    if v.classes:
        return [list(samples.counts) for samples in v.stands_for]
    tp, fp, fn, tn = v.stands_for[0].counts
    of_both = [[tn, fn, fp, tp], [tp, fp, fn, tn]]
    return of_both[::-1] if v.positive else of_both


def while_training(v):
    """The value, what XGBoost minimises, and what LightGBM is told, which sorts the classes."""
    classes = SIZES if v.classes else [0, 1]
    threshold = {} if v.classes else {"threshold": 0.5}
    metric = make_eval_metric(v.of("recall"), classes=classes, **threshold, **options_of(v))
    scores = 1 - v.score if v.positive else v.score
    sorted_scores = scores[:, np.argsort(classes)] if v.classes else scores
    true, weight = np.asarray(v.true).tolist(), v.weight.get("sample_weight")
    numbers, sorted_numbers = (
        np.array([order.index(label) for label in true]) for order in (classes, sorted(classes))
    )
    of_lightgbm = metric.lightgbm(sorted_numbers, sorted_scores, weight)
    call = numbers, scores, weight
    return [metric(*call), metric.xgboost(*call), *of_lightgbm[1:]]


def expected_while_training(v):
    value = mean_recall(v)
    return [value, value if v.is_loss else -value, value, not v.is_loss]


def names_of_losses(_):
    """Whether the name of a loss is listed with its sign, and without; without it is refused."""
    listed = [f"{sign}false_negative_rate" in get_scorer_names() for sign in ("neg_", "")]
    return *listed, heard("neg_", partial(get_scorer, "false_negative_rate"))


NO_POSITIVES = {EMPTY: undefined(UNDEFINED), NO_MIDDLE: undefined(UNDEFINED)}


ROWS = [
    row_of_model(("get_scorer",), by_name, expected_score, NO_POSITIVES),
    row_of_model(("make_scorer",), by_function, expected_score, NO_POSITIVES),
    Row(
        ("FixedMetric",),
        without_groups(fixed),
        without_groups(mean_recall),
        {**INDICES, **WITHOUT_GROUPS, **NO_POSITIVES},
    ),
    row_of_model(
        ("ConfusionScorer",),
        lambda v: scored(v, with_prevalence(v)),
        expected_keys,
        {
            **NO_POSITIVES,
            # Of several scores those that fail are NaN.
            PERMUTED_WEIGHTS: warned(
                "set to NaN.*" + OTHER_ORDER, lambda _: {"recall": nan, "prevalence": nan}
            ),
        },
    ),
    row_of_model(("ConfusionScorer of one key",), of_one_key, expected_score, NO_POSITIVES),
    Row(
        ("ConfusionScorer by groups",),
        by_group,
        expected_by_group,
        {
            EMPTY: gives(recall_of_the_north, worst_of_the_north),
            **dict.fromkeys([PERMUTED, PERMUTED_GROUPS, PERMUTED_WEIGHTS], refused(OTHER_ORDER)),
            ONE_ROW: warned("may be due to chance", lambda _: 1, call=worst_of_the_north),
            NO_MIDDLE: undefined(
                UNDEFINED,
                expected_without_fair,
                call=lambda v: by_group(without_fair_in_the_south(v)),
            ),
            RANGE: warned(PARTLY_SHARED),
            # Nine samples, whatever their weights.
            NINE: fewer_warn("may be due to chance", lambda v: by_group(twice(v))),
        },
    ),
    Row(
        ("ConfusionScorer by columns of X",),
        by_column,
        expected_by_group,
        {
            PERMUTED_WEIGHTS: refused(OTHER_ORDER),
            ONE_ROW: gives(
                lambda _: (None, True), lambda v: heard("needs two groups", partial(by_column, v))
            ),
            NO_MIDDLE: undefined(UNDEFINED),
            NINE: fewer_warn("may be due to chance", by_column),
        },
    ),
    Row(
        ("ConfusionScorer of classes in an order",),
        by_order,
        expected_by_order,
        nothing_but("the order of two classes does not matter")
        | {ONE_CLASS: Cell(), NO_MIDDLE: Cell()},
    ),
    row_of_model(
        ("get_scorer at the best threshold",),
        at_best_threshold,
        expected_at_best,
        {EMPTY: refused("no threshold satisfies"), NO_MIDDLE: refused("no threshold satisfies")},
    ),
    row_of_model(
        ("get_scorer of the evaluation index",),
        counts_in_index,
        expected_counts,
        {
            **NO_POSITIVES,
            # It has losses, too, and negates none.
            LOSS: gives(
                lambda v: recall(v.stands_for[0]), lambda v: index(v)["false_negative_rate_1"]
            ),
            ONE_CLASS: gives(
                lambda _: ([[nan] * 4], True),
                lambda v: heard("must include all labels in the data", partial(counts_in_index, v)),
            ),
            PERMUTED_WEIGHTS: warned("set to NaN.*" + OTHER_ORDER, lambda _: [[nan] * 4] * 2),
            ONE_ROW: undefined(UNDEFINED),
        },
    ),
    row_of_model(
        ("make_eval_metric", "EvalMetric"),
        while_training,
        expected_while_training,
        {**NO_POSITIVES, PERMUTED_WEIGHTS: "libraries pass arrays"},
    ),
    Row(
        ("get_scorer_names",),
        names_of_losses,
        lambda _: (True, False, (None, True)),
        nothing_but("takes no samples") | {LOSS: Cell()},
    ),
]
