"""Rows of ConfusionMatrix: what its methods give."""

import re
from collections import Counter
from functools import partial
from math import nan

import numpy as np
import pandas as pd
from scipy import special, stats

from skmetrics_ext import ConfusionMatrix
from tests.variants.samples import (
    EMPTY,
    HALF,
    LOSS,
    NINE,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    PERMUTED,
    ROW,
    SIZES,
    WEIGHTS,
    by_site,
)
from tests.variants.shared import (
    NO_CLASS_POSITIVE,
    NO_METRIC,
    OF_MATRIX,
    ONLY_COUNTS,
    UNDEFINED,
    expected_fields,
    fields_of,
    limits,
    of_positive,
)
from tests.variants.sources import (
    Z,
    counts,
    gap_of_two,
    gap_of_weights,
    hits_of_recall,
    limits_of_weighted_recall,
    mid_p,
    once_with_weights,
    ratio,
    recall,
    recall_or_0,
    to_three_decimals,
    typical_weights,
)
from tests.variants.table import Row, each, fewer_warn, gives, refused, undefined


def in_order_of_sizes(v):
    """Of ordered categoricals with one index, whatever its order."""
    sides = [np.array(SIZES)[of] for of in (ROW % 3, ROW % 2)]
    true, pred = (pd.Series(pd.Categorical(of, SIZES, ordered=True), v.true.index) for of in sides)
    return fields_of(ConfusionMatrix.from_predictions(true, pred))


def expected_shares(v):
    """The share of each prediction among the actual samples of a class; 0 without any."""

    def of_pairs(pairs):
        n = Counter(true for true, _ in pairs)
        return [[ratio(pairs.count((i, j)), n[i]) for j in v.order] for i in v.order]

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


def cells_in_print(v):
    """The same of the table of counts, as text."""
    table = v.matrix().to_table()
    predicted = table.headers[table.n_names :]
    return {
        (*row[: table.n_names], label): int(count)
        for row in table.rows
        for label, count in zip(predicted, row[table.n_names :], strict=True)
        if count != "0"
    }


def expected_cells_in_print(v):
    """In the order of the labels in each group."""
    found = expected_cells(v)

    def place(cell):
        *entry, true, pred = cell
        return *entry, v.order.index(true), v.order.index(pred)

    return {tuple(map(str, cell)): found[cell] for cell in sorted(found, key=place)}


def expected_cells(v):
    of_groups = zip(v.entries, v.pairs, strict=True)
    found = Counter((*entry, *pair) for entry, pairs in of_groups for pair in pairs)
    return dict(sorted(found.items()))


def score(v):
    """With the positive class and the classes as options, not those of the matrix."""
    cm = ConfusionMatrix.from_predictions(v.true, v.pred, **v.by, **v.weight)
    return cm.score(v.of("recall"), **v.positive, **v.chosen)


def of_one_of_two(v):
    """labels= of one class selects it, also where there are two; else there are three."""
    of_two = ConfusionMatrix.from_counts([[7, 3], [2, 8]], labels=[0, 1])
    return [score(v), of_two.score("recall_macro", labels=[0])]


def worst(v, **options):
    """The lowest recall of the classes, or the highest loss."""
    return v.matrix().score(v.of("recall"), average="worst", **options)


def expected_worst(v):
    """Of any class; 0 of one without samples."""

    def recall_of(pairs, label):
        predicted = [pred for true, pred in pairs if true == label]
        return predicted.count(label) / len(predicted) if predicted else 0.0

    lowest = [min(recall_of(pairs, label) for label in v.labels) for pairs in v.pairs]
    found = np.reshape(lowest, v.shape_of_groups)
    return 1 - found if v.is_loss else found


def accuracy(v, **options):
    """The share of all samples that are right, or wrong, with its limits."""
    return limits(v.matrix(**options).interval(v.of("accuracy")))


def expected_accuracy(v):
    found = [mid_p((sum(true == pred for true, pred in pairs), len(pairs))) for pairs in v.pairs]
    if v.is_loss:
        found = [(1 - value, 1 - high, 1 - low) for value, low, high in found]
    return np.reshape(found, (*v.shape_of_groups, 3))


def gap(v):
    """Between the sites, which are the last axis."""
    v = by_site(v)
    found = v.matrix().gap(v.of("recall"), axis=list(v.axes)[-1], **v.chosen)
    numbers = np.stack([found.value, found.low, found.high, found.p_value], axis=-1)
    return (
        to_three_decimals(numbers),
        np.asarray(found.lowest_group).tolist(),
        np.asarray(found.highest_group).tolist(),
    )


def expected_gap(v):
    """Of each pair, and which of them is less; without a second group there is no gap."""
    v = by_site(v)
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


def expected_gap_of_weights(v):
    """Of both sites, the one where less is found first."""
    alone = dict(zip(("north", "south"), by_site(v).alone, strict=True))
    in_order = sorted(alone, key=lambda site: recall(alone[site]))
    return gap_of_weights(*alone.values()), *in_order


def pairs(v):
    """The difference of both sites within each entry of the other axes, without a correction."""
    v = by_site(v)
    axis = list(v.axes)[-1]
    found = v.matrix().pairwise_gaps(v.of("recall"), axis=axis, correction=None, **v.chosen)
    numbers = [[abs(row.difference), row.p_value] for row in found.rows]
    lower = [row.model if row.value < row.reference_value else row.reference for row in found.rows]
    return to_three_decimals(np.array(numbers)), [name.partition(",")[0] for name in lower]


def expected_pairs(v):
    """The gap of each two, and the site with less."""
    numbers, lowest, _ = expected_gap(v)
    return np.reshape(numbers, (-1, 4))[:, [0, 3]], np.ravel(lowest).tolist()


def expected_pairs_with_samples(v):
    """Where one site has no samples, there is no pair."""
    numbers, lowest = expected_pairs(v)
    known = ~np.isnan(numbers).any(1)
    return numbers[known], [site for site, is_known in zip(lowest, known, strict=True) if is_known]


def expected_pairs_of_weights(v):
    numbers, lowest, _ = expected_gap_of_weights(v)
    return np.reshape(numbers, (-1, 4))[:, [0, 3]], [lowest]


# Of all samples these are to be positive, or of these classes.
SHARES = {"fair": 0.2, "high": 0.5}


def at_prevalence(v):
    return v.matrix().at_prevalence(SHARES if v.classes else 0.2)


def expected_at_prevalence(samples):
    tp, fp, fn, tn = samples.counts
    n = tp + fp + fn + tn
    of_positive, of_rest = 0.2 * n / max(tp + fn, 1), 0.8 * n / max(fp + tn, 1)
    return of_positive * tp, of_rest * fp, of_positive * fn, of_rest * tn


def expected_of_three(v):
    """Each pair of labels counts as often as its actual class is to occur."""
    [pairs] = v.pairs
    n = Counter(true for true, _ in pairs)
    times = {of: share * len(pairs) / n[of] for of, share in (SHARES | {"low": 0.3}).items()}
    return [[times[i] * pairs.count((i, j)) for j in v.labels] for i in v.labels]


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


def weighted_at_prevalence(v):
    """The limits, of which the lower one is a little farther, by up to one sample per prediction
    that might have occurred.
    """
    value, low, high = limits(at_prevalence(v).interval("precision"))
    [(_, expected, _)] = [weighted_precision_at_prevalence(samples) for samples in v.alone]
    assert 0 <= expected - low < 0.01
    return value, expected, high


def weighted_precision_at_prevalence(samples):
    """The delta method on the logit, with the ratio estimators of both rates and Student's t of
    the effective number of samples (Kish).
    """
    once, weights = once_with_weights(samples)
    typical, rates = typical_weights(once, weights), []
    for label in (1, 0):
        found, own = ((of[once.true == label]) for of in (once.pred == label, weights))
        share = np.average(found, weights=own)
        squares = own * np.where(found, typical[label, label], typical[label, 1 - label])
        rates.append((share, (squares * (found - share) ** 2).sum() / own.sum() ** 2))
    (found, of_found), (spared, of_spared) = rates
    precision = 0.2 * found / (0.2 * found + 0.8 * (1 - spared))
    error = np.sqrt(of_found / found**2 + of_spared / (1 - spared) ** 2)
    n = weights.sum() ** 2 / (weights**2).sum()
    half = stats.t.isf(0.025, n - 1) * error
    middle = special.logit(precision)
    return precision, *special.expit([middle - half, middle + half])


def table(v):
    """Coordinates, recall and its limits of each row; classes are by site."""
    v = by_site(v) if v.classes else v
    frame = v.matrix().summary(v.of("recall")).to_frame("pandas")
    columns = [*v.axes, *["label"] * bool(v.classes), "value", "low", "high"]
    return frame[columns].to_numpy(dtype=object).tolist()


def expected_table(v):
    v = by_site(v) if v.classes else v
    of_classes = [(label,) for label in v.labels] if v.classes else [()]
    entries = [(*entry, *label) for entry in v.entries for label in of_classes]

    def row(entry, samples):
        limits = limits_of_weighted_recall(samples) if v.weight else mid_p(hits_of_recall(samples))
        return [*entry, *limits]

    return [row(*of) for of in zip(entries, v.alone, strict=True)]


def printed(v):
    """The names of each row, and its numbers with so many digits that none is lost."""
    v = by_site(v) if v.classes else v
    table = v.matrix().summary(v.of("recall")).to_table(digits=15, fractions=False)
    rows = []
    for row in table.rows:
        *names, _ = row[: table.n_names]
        numbers = re.findall(r"[\d.]+", row[table.n_names]) or [nan] * 3
        rows.append([*names, *map(float, numbers)])
    return rows


def expected_in_print(v):
    """A value that is 0/0 has no limits."""
    rows = []
    for *entry, value, low, high in expected_table(v):
        numbers = [nan] * 3 if np.isnan(value) else [value, low, high]
        rows.append([*map(str, entry), *numbers])
    return rows


ROWS = [
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
        tuple(f"ConfusionMatrix.{name}" for name in ("axes", "pos_label", "ranking", "design")),
        lambda v: fields_of(v.matrix()),
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
        ("ConfusionMatrix.to_table",),
        cells_in_print,
        expected_cells_in_print,
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
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
                lambda v: v.matrix().score("recall_worst", labels=["fair"]),
            ),
            EMPTY: undefined(UNDEFINED),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            NO_MIDDLE: undefined(
                UNDEFINED,
                lambda v: [expected_worst(v), np.nanmin(each(recall)(v))],
                call=lambda v: [worst(v), worst(v, zero_division=nan)],
            ),
        },
    ),
    Row(
        ("ConfusionMatrix.interval",),
        lambda v: limits(v.matrix().interval(v.of("recall"), **v.chosen)),
        each(lambda samples: mid_p(hits_of_recall(samples))),
        {
            **OF_MATRIX,
            EMPTY: undefined(UNDEFINED),
            NO_MIDDLE: undefined(UNDEFINED),
            WEIGHTS: gives(each(limits_of_weighted_recall)),
            NINE: fewer_warn(
                "is based on too few samples",
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
                call=lambda v: v.matrix().interval("accuracy", labels=["fair"]),
            ),
            EMPTY: undefined(UNDEFINED),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            # Numbers of samples, not weights.
            WEIGHTS: gives(expected_accuracy, partial(accuracy, frequency_weights=True)),
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
            WEIGHTS: gives(expected_gap_of_weights),
            NINE: fewer_warn("determined by groups with few of the samples", gap),
        },
    ),
    Row(
        ("ConfusionMatrix.pairwise_gaps",),
        pairs,
        expected_pairs,
        {
            **OF_MATRIX,
            ONE_ROW: refused("there is no pair"),
            EMPTY: gives(expected_pairs_with_samples),
            NO_MIDDLE: refused("average=None"),
            WEIGHTS: gives(expected_pairs_of_weights),
            NINE: fewer_warn("determined by groups with few of the samples", pairs),
        },
    ),
    Row(
        ("ConfusionMatrix.at_prevalence",),
        lambda v: of_positive(at_prevalence(v)),
        each(expected_at_prevalence),
        {
            **OF_MATRIX,
            LOSS: NO_METRIC,
            ONE_CLASS: gives(expected_of_three, lambda v: at_prevalence(v).counts),
            ONE_ROW: refused("positive class of two"),
            NO_MIDDLE: refused(r"\['fair'\] have no samples"),
        },
    ),
    Row(
        ("ConfusionMatrix.interval at another prevalence",),
        lambda v: limits(at_prevalence(v).interval("precision")),
        each(precision_at_prevalence),
        {
            **OF_MATRIX,
            **ONLY_COUNTS,
            EMPTY: undefined(UNDEFINED),
            ONE_ROW: refused("positive class of two"),
            NO_MIDDLE: refused(r"\['fair'\] have no samples"),
            WEIGHTS: gives(each(weighted_precision_at_prevalence), weighted_at_prevalence),
        },
    ),
    Row(
        ("ConfusionMatrix.summary",),
        table,
        expected_table,
        {
            **OF_MATRIX,
            ONE_CLASS: "takes no labels=",
            **dict.fromkeys((EMPTY, NO_MIDDLE), undefined(UNDEFINED)),
        },
    ),
    Row(
        ("ConfusionMatrix.summary in print",),
        printed,
        expected_in_print,
        {
            **OF_MATRIX,
            ONE_CLASS: "takes no labels=",
            **dict.fromkeys((EMPTY, NO_MIDDLE), undefined(UNDEFINED)),
        },
    ),
]
