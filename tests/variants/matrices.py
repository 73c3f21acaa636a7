"""Rows of ConfusionMatrix: what counts, and what the counts give."""

import json
from collections import Counter
from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
from scipy import special

from skmetrics_ext import ConfusionMatrix
from tests.doubles import Answering
from tests.variants.samples import (
    EMPTY,
    GROUPS,
    LOSS,
    NINE,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    PERMUTED,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    ROW,
    SIZES,
    TWO_AXES,
    WEIGHTS,
)
from tests.variants.shared import (
    INDICES,
    NO_CLASS_POSITIVE,
    NO_METRIC,
    NO_WEIGHT,
    OF_MATRIX,
    PARTS,
    SELECTS,
    UNDEFINED,
    limits,
    of_positive,
)
from tests.variants.sources import Z, gap_of_two, hits_of_recall, ratio, recall, recall_or_0, wilson
from tests.variants.table import Row, each, fewer_warn, gives, refused, undefined

HALF = ROW % 2
ONLY_COUNTS = {LOSS: NO_METRIC, ONE_CLASS: SELECTS}
NEEDS_ALL = "must include all labels"


def counts(samples):
    """tp, fp, fn and tn."""
    return samples.counts


# How matrices are made.


def of_scores(v):
    given = {**v.by, **v.weight, **v.positive, **v.classes}
    return ConfusionMatrix.from_scores(v.true, v.score, **given)


def of_estimator(v):
    """Of a model that predicts what is passed."""
    model = Answering(v.pred, classes=v.model().classes_, predict_proba=v.X.to_numpy())
    given = {**v.by, **v.weight, **v.positive}
    return ConfusionMatrix.from_estimator(model, None, v.true, **given)


def of_frame(v, **options):
    """Of columns of one frame, whose index does not matter."""
    columns = {"actual": v.true, "predicted": v.pred, **v.axes_passed, **v.weight}
    index = getattr(v.true, "index", None)
    frame = pd.DataFrame({name: np.asarray(of) for name, of in columns.items()}, index)
    names = {"by": list(v.axes)} if v.axes else {}
    names |= {name: name for name in v.weight}
    return ConfusionMatrix.from_frame(
        frame, "actual", "predicted", **names, **v.positive, **options
    )


def of_counts(v):
    """Of the arrays of all groups, whose axes have no names."""
    arrays = [[[pairs.count((i, j)) for j in v.labels] for i in v.labels] for pairs in v.pairs]
    shape = (*v.shape_of_groups, len(v.labels), len(v.labels))
    cm = ConfusionMatrix.from_counts(np.reshape(arrays, shape), v.labels)
    return cm.with_labels([1, 0]) if v.positive else cm


def of_partial_labels(v):
    """Where the label of each third sample is not known."""
    known = [label if row % 3 else None for label, row in zip(v.true, v.rows, strict=True)]
    true = pd.Series(known, getattr(v.true, "index", None), dtype=object)
    return ConfusionMatrix.from_partial_labels(true, v.pred, **v.by, **v.positive)


def expected_of_partial_labels(v):
    """Each sample with a label stands for all of its group with its prediction."""
    predicted = dict(zip(v.rows.tolist(), np.asarray(v.pred).tolist(), strict=True))

    def of_entry(samples):
        labels = np.array([predicted[row] for row in samples.row.tolist()])
        is_known = samples.row % 3 > 0
        times = [ratio((labels == of).sum(), (is_known & (labels == of)).sum()) for of in labels]
        cells = [(1, 1), (0, 1), (1, 0), (0, 0)]
        of_cells = [
            is_known & (samples.true == true) & (samples.pred == pred) for true, pred in cells
        ]
        return [sum(np.array(times)[of_cell].tolist()) for of_cell in of_cells]

    return each(of_entry)(v)


def read_again(v):
    """From text, as it was stored."""
    return ConfusionMatrix.from_dict(json.loads(json.dumps(v.matrix().to_dict())))


def stack_of_halves(v):
    parts = {half: v.part(half == HALF).matrix() for half in (0, 1)}
    return ConfusionMatrix.stack(parts, axis="half")


def sum_of_halves(v):
    return v.part(HALF == 0).matrix() + v.part(HALF == 1).matrix()


def added(v):
    """All samples after half of them, whose index does not matter."""
    half = v.part(HALF == 0)
    first = replace(half, true=np.asarray(half.true), pred=np.asarray(half.pred), weight={})
    return first.matrix().add(v.true, v.pred, **v.weight)


def expected_of_added(v):
    """Weights are those of the second time."""
    first = replace(
        v, stands_for=tuple(of.at(np.unique(of.row, return_index=True)[1]) for of in v.stands_for)
    )
    return each(counts)(v) + each(counts)(first.part(HALF == 0))


# What the counts give.


def fields(cm):
    """Axes, labels, the positive class, the ranking, and whether counts are sums of weights."""
    axes = {axis.name: axis.coordinates.tolist() for axis in cm.axes}
    ranking = None if cm.ranking is None else cm.ranking.tolist()
    return [axes, cm.labels.tolist(), cm.pos_label, ranking, cm.weighted]


def expected_fields(v):
    coordinates = [sorted(set(of)) for of in zip(*v.entries, strict=True)] if v.axes else []
    axes = dict(zip(v.axes, coordinates, strict=True))
    positive = None if v.classes else v.positive.get("pos_label", 1)
    return [axes, v.labels, positive, None, bool(v.weight)]


def in_order_of_sizes(v):
    """Of ordered categoricals with one index, whatever its order."""
    sides = [np.array(SIZES)[of] for of in (ROW % 3, ROW % 2)]
    true, pred = (pd.Series(pd.Categorical(of, SIZES, ordered=True), v.true.index) for of in sides)
    return fields(ConfusionMatrix.from_labels(true, pred))


def expected_shares(v):
    """The share of each prediction among the actual samples of a class; 0 without any."""

    def of_pairs(pairs):
        n = Counter(true for true, _ in pairs)
        return [[ratio(pairs.count((i, j)), n[i]) for j in v.labels] for i in v.labels]

    found = np.array([of_pairs(pairs) for pairs in v.pairs])
    return np.nan_to_num(found.reshape((*v.shape_of_groups, *found.shape[1:])))


def errors(v):
    """All errors in all groups, the most frequent first, with their share of the actual class."""
    pairs = [pair for of_group in v.pairs for pair in of_group]
    n = Counter(true for true, _ in pairs)
    wrong = Counter(pair for pair in pairs if pair[0] != pair[1])
    return [(*pair, count, count / n[pair[0]]) for pair, count in wrong.most_common()]


def cells(v):
    """The number of samples of each group and pair of labels that occur."""
    frame = v.matrix().to_frame("pandas")
    columns = [frame[name] for name in (*v.axes, "actual", "predicted", "count")]
    return dict(sorted((tuple(cell), n) for *cell, n in zip(*columns, strict=True) if n))


def expected_cells(v):
    of_groups = zip(v.entries, v.pairs, strict=True)
    found = Counter((*entry, *pair) for entry, pairs in of_groups for pair in pairs)
    return dict(sorted(found.items()))


def score(v):
    """With the positive class and the classes as options, not those of the matrix."""
    cm = ConfusionMatrix.from_labels(v.true, v.pred, **v.by, **v.weight)
    return cm.score(v.of("recall"), **v.positive, **v.chosen)


def of_one_of_two(v):
    """labels= of one class selects it, also where there are two; else there are three."""
    of_two = ConfusionMatrix.from_counts([[7, 3], [2, 8]], labels=[0, 1])
    return [score(v), of_two.score("recall", labels=[0])]


def worst(v):
    """The lowest recall of the classes, or the highest loss."""
    return v.matrix().score(v.of("recall"), average="worst")


def expected_worst(v):
    """Of any class; 0 of one without samples."""

    def recall_of(pairs, label):
        predicted = [pred for true, pred in pairs if true == label]
        return predicted.count(label) / len(predicted) if predicted else 0.0

    lowest = [min(recall_of(pairs, label) for label in v.labels) for pairs in v.pairs]
    found = np.reshape(lowest, v.shape_of_groups)
    return 1 - found if v.is_loss else found


def accuracy(v):
    """The share of all samples that are right, or wrong, with its limits."""
    return limits(v.matrix().interval(v.of("accuracy")))


def expected_accuracy(v):
    found = [wilson((sum(true == pred for true, pred in pairs), len(pairs))) for pairs in v.pairs]
    if v.is_loss:
        found = [(1 - value, 1 - high, 1 - low) for value, low, high in found]
    return np.reshape(found, (*v.shape_of_groups, 3))


def gap(v):
    """Between the sites, which are the last axis."""
    v = v.by_site()
    found = v.matrix().gap(v.of("recall"), axis=list(v.axes)[-1], **v.chosen)
    numbers = np.stack([found.value, found.low, found.high, found.p_value], axis=-1)
    return numbers, np.asarray(found.least).tolist(), np.asarray(found.most).tolist()


def expected_gap(v):
    """Of each pair, and which of them is less; without a second group there is no gap."""
    v = v.by_site()
    shape = (-1, 2, len(v.stands_for))
    shares = np.reshape([hits_of_recall(samples) for samples in v.alone], (*shape, 2))
    pairs = shares.swapaxes(1, 2).reshape(-1, 2, 2).tolist()
    others = (*v.shape_of_groups[:-1], *v.shape[len(v.axes) :])

    def names(of):
        """The site with the least, or the most."""
        sites = [dict(zip(("north", "south"), pair, strict=True)) for pair in pairs]
        values = [{site: ratio(*of) for site, of in pair.items() if of[1]} for pair in sites]
        found = [of(value, key=value.get, default=None) for value in values]
        return np.array(found).reshape(others).tolist()

    numbers = np.reshape([gap_of_two(*pair) for pair in pairs], (*others, 4))
    return numbers, names(min), names(max)


def at_prevalence(v):
    """Where a fifth of all samples are positive, or of the middle class."""
    return v.matrix().at_prevalence({"mid": 0.2} if v.classes else 0.2)


def expected_at_prevalence(samples):
    tp, fp, fn, tn = samples.counts
    n = tp + fp + fn + tn
    of_positive, of_rest = 0.2 * n / max(tp + fn, 1), 0.8 * n / max(fp + tn, 1)
    return of_positive * tp, of_rest * fp, of_positive * fn, of_rest * tn


def precision_at_prevalence(samples):
    """The limits of Mercaldo, Lau & Zhou (2007) on the logit."""
    tp, fp, fn, tn = samples.counts
    if not tp + fn:
        return nan, 0.0, 1.0

    def precision(found, spared):
        return 0.2 * found / (0.2 * found + 0.8 * (1 - spared))

    # Half of z^2 more of each where there is none of one.
    more = Z**2 / 2 if 0 in (tp, fn) else 0.0
    found, n_positive = (tp + more) / (tp + fn + 2 * more), tp + fn + 2 * more
    spared, n_negative = tn / (tn + fp), tn + fp
    variance = (1 - found) / (found * n_positive) + spared / ((1 - spared) * n_negative)
    half = Z * np.sqrt(variance)
    middle = special.logit(precision(found, spared))
    return precision(tp / (tp + fn), spared), *special.expit([middle - half, middle + half])


def table(v):
    """Coordinates, number of samples, recall and its limits of each row."""
    options = {"average": None} if v.classes else {}
    options |= {} if v.weight else {"confidence_level": 0.95}
    return v.matrix().score_table(v.of("recall"), **options).to_numpy(dtype=object).tolist()


def expected_table(v):
    """An entry without samples has no value, and a class without any 0."""
    entries = [(label,) for label in v.labels] if v.classes else v.entries

    def row(entry, samples):
        value, *both = wilson(hits_of_recall(samples))
        if not len(samples.true):
            both = [nan, nan]
        elif not samples.true.any():
            value = 0.0
        return [*entry, len(samples.true), value, *([] if v.weight else both)]

    return [row(*of) for of in zip(entries, v.alone, strict=True)]


ROWS = [
    Row(
        ("ConfusionMatrix.from_labels", "ConfusionMatrix.class_counts"),
        lambda v: of_positive(v.matrix()),
        each(counts),
        {
            **INDICES,
            LOSS: NO_METRIC,
            ONE_CLASS: refused(NEEDS_ALL, call=lambda v: v.matrix(labels=["mid"])),
        },
    ),
    Row(
        ("ConfusionMatrix.from_scores",),
        lambda v: of_positive(of_scores(v)),
        each(counts),
        {**INDICES, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.from_estimator",),
        lambda v: of_positive(of_estimator(v)),
        each(counts),
        {**INDICES, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.from_frame",),
        lambda v: of_positive(of_frame(v)),
        each(counts),
        {
            LOSS: NO_METRIC,
            ONE_CLASS: refused(NEEDS_ALL, call=lambda v: of_frame(v, labels=["mid"])),
            PERMUTED_WEIGHTS: "weights are a column of the frame",
        },
    ),
    Row(
        ("ConfusionMatrix.from_counts", "ConfusionMatrix.with_labels"),
        lambda v: of_positive(of_counts(v)),
        each(counts),
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.from_partial_labels", "ConfusionMatrix.by_stratum"),
        lambda v: of_positive(of_partial_labels(v)),
        expected_of_partial_labels,
        {
            **INDICES,
            **ONLY_COUNTS,
            WEIGHTS: "takes no weights: each sample counts once",
            PERMUTED_WEIGHTS: "takes no weights: each sample counts once",
        },
    ),
    Row(
        ("ConfusionMatrix.from_dict", "ConfusionMatrix.to_dict"),
        lambda v: [of_positive(read_again(v)), fields(read_again(v))],
        lambda v: [each(counts)(v), expected_fields(v)],
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.stack",),
        lambda v: of_positive(stack_of_halves(v)),
        lambda v: each(counts)(v.before("half", HALF)),
        {**OF_MATRIX, **ONLY_COUNTS, ONE_ROW: PARTS},
    ),
    Row(
        ("ConfusionMatrix + ConfusionMatrix",),
        lambda v: of_positive(sum_of_halves(v)),
        each(counts),
        {**OF_MATRIX, **ONLY_COUNTS, ONE_ROW: PARTS},
    ),
    Row(
        ("ConfusionMatrix.add",),
        lambda v: of_positive(added(v)),
        expected_of_added,
        {
            **INDICES,
            **ONLY_COUNTS,
            **dict.fromkeys([GROUPS, EMPTY, TWO_AXES, NINE], refused("leading axes")),
            PERMUTED_GROUPS: "takes no groups",
            ONE_ROW: PARTS,
        },
    ),
    Row(
        ("ConfusionMatrix.sum",),
        lambda v: of_positive(v.behind("half", HALF).matrix().sum("half")),
        each(counts),
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.sel",),
        lambda v: of_positive(v.behind("half", HALF).matrix().sel(half=HALF[v.rows[0]])),
        lambda v: each(counts)(v.part(HALF[v.rows[0]] == HALF)),
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        tuple(
            f"ConfusionMatrix.{name}"
            for name in ("axes", "pos_label", "ranking", "weighted", "repeats")
        ),
        lambda v: fields(v.matrix()),
        expected_fields,
        {
            **OF_MATRIX,
            **ONLY_COUNTS,
            PERMUTED: gives(lambda _: [{}, SIZES, None, SIZES, False], in_order_of_sizes),
        },
    ),
    Row(
        ("ConfusionMatrix.n_samples",),
        lambda v: v.matrix().n_samples,
        lambda v: np.reshape([len(pairs) for pairs in v.pairs], v.shape_of_groups),
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.normalize",),
        lambda v: v.matrix().normalize(),
        expected_shares,
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.most_confused",),
        lambda v: v.matrix().most_confused(9),
        errors,
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(("ConfusionMatrix.to_frame",), cells, expected_cells, {**OF_MATRIX, **ONLY_COUNTS}),
    Row(
        ("ConfusionMatrix.score",),
        score,
        each(recall),
        {
            **OF_MATRIX,
            ONE_CLASS: gives(lambda v: [recall(v.stands_for[0]), 0.7], of_one_of_two),
            EMPTY: undefined(UNDEFINED, each(recall_or_0)),
            NO_MIDDLE: undefined(UNDEFINED, each(recall_or_0)),
        },
    ),
    Row(
        ("ConfusionMatrix.score of the worst class",),
        worst,
        expected_worst,
        {
            **OF_MATRIX,
            ONE_CLASS: gives(
                lambda v: recall(v.stands_for[0]),
                lambda v: v.matrix().score("recall_worst", labels=["mid"]),
            ),
            EMPTY: undefined(UNDEFINED),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            NO_MIDDLE: undefined(UNDEFINED),
        },
    ),
    Row(
        ("ConfusionMatrix.interval",),
        lambda v: limits(v.matrix().interval(v.of("recall"), **v.chosen)),
        each(lambda samples: wilson(hits_of_recall(samples))),
        {
            **OF_MATRIX,
            EMPTY: undefined(UNDEFINED),
            NO_MIDDLE: undefined(UNDEFINED),
            WEIGHTS: refused(NO_WEIGHT),
            NINE: fewer_warn(
                "is based on too few samples, 9",
                lambda v: v.matrix().interval("g_mean", n_resamples=100, random_state=0),
            ),
        },
    ),
    Row(
        ("ConfusionMatrix.interval over all classes",),
        accuracy,
        expected_accuracy,
        {
            **OF_MATRIX,
            ONE_CLASS: refused(
                "labels= does not apply to it",
                call=lambda v: v.matrix().interval("accuracy", labels=["mid"]),
            ),
            EMPTY: undefined(UNDEFINED),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            WEIGHTS: refused(NO_WEIGHT),
        },
    ),
    Row(
        ("ConfusionMatrix.gap",),
        gap,
        expected_gap,
        {
            **OF_MATRIX,
            ONE_ROW: refused("needs at least two groups"),
            NO_MIDDLE: undefined(UNDEFINED),
            WEIGHTS: refused(NO_WEIGHT),
            NINE: fewer_warn("determined by groups with few of the samples", gap),
        },
    ),
    Row(
        ("ConfusionMatrix.at_prevalence",),
        lambda v: of_positive(at_prevalence(v)),
        each(expected_at_prevalence),
        {
            **OF_MATRIX,
            **ONLY_COUNTS,
            ONE_ROW: refused("positive class of two"),
            NO_MIDDLE: refused(r"\['mid'\] have no samples"),
        },
    ),
    Row(
        ("ConfusionMatrix.observed",),
        lambda v: limits(at_prevalence(v).interval("precision")),
        each(precision_at_prevalence),
        {
            **OF_MATRIX,
            **ONLY_COUNTS,
            EMPTY: undefined(UNDEFINED),
            ONE_ROW: refused("positive class of two"),
            NO_MIDDLE: refused(r"\['mid'\] have no samples"),
            WEIGHTS: refused("sums of weights"),
        },
    ),
    Row(
        ("ConfusionMatrix.score_table",),
        table,
        expected_table,
        {**OF_MATRIX, ONE_CLASS: "takes no labels=", NO_MIDDLE: undefined(UNDEFINED)},
    ),
]
