"""Rows of ConfusionMatrix: how one is made."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd

from skmetrics_ext import ConfusionMatrix
from tests.doubles import Answering
from tests.variants.samples import (
    EMPTY,
    GROUPS,
    HALF,
    LOSS,
    NINE,
    ONE_CLASS,
    ONE_ROW,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    SITE,
    TWO_AXES,
    WEIGHTS,
)
from tests.variants.shared import (
    INDICES,
    NO_METRIC,
    OF_MATRIX,
    ONLY_COUNTS,
    PARTS,
    expected_fields,
    fields_of,
    of_positive,
)
from tests.variants.sources import counts, ratio
from tests.variants.table import Row, each, gives, refused, warned

NEEDS_ALL = "must include all labels"


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
    texts = {label: f"class {label}" for label in v.labels}
    named = ConfusionMatrix.from_counts(np.reshape(arrays, shape), v.labels).relabel(texts)
    cm = named.relabel({text: label for label, text in texts.items()})
    return cm.with_labels([1, 0]) if v.positive else cm


def has_label(rows):
    """Each third sample has none, nor have those of the second half in the south."""
    return (rows % 3 > 0) & ((HALF[rows] == 0) | (SITE[rows] == "north"))


def of_partial_labels(v):
    """Both halves are strata, in which labels are known at random."""
    known = np.where(has_label(v.rows), np.asarray(v.true, dtype=object), None)
    true = pd.Series(known, getattr(v.true, "index", None))
    return ConfusionMatrix.from_partial_labels(true, v.pred, HALF[v.rows], **v.by, **v.positive)


def expected_of_partial_labels(v):
    """A sample with a label stands for all of its group, its half and its prediction, and for its
    part of those in a half without labels.
    """
    predicted = dict(zip(v.rows.tolist(), np.asarray(v.pred).tolist(), strict=True))

    def of_entry(samples):
        labels = np.array([predicted[row] for row in samples.row.tolist()])
        halves, is_known = HALF[samples.row], has_label(samples.row)

        def stands_for(half, label):
            of_label, in_half = labels == label, halves == half
            with_labels = [of for of in (0, 1) if (is_known & of_label & (halves == of)).any()]
            n_with_labels = (of_label & np.isin(halves, with_labels)).sum()
            share_of_half = ratio((of_label & in_half).sum(), n_with_labels)
            return ratio(share_of_half * of_label.sum(), (is_known & of_label & in_half).sum())

        times = np.array([*map(stands_for, halves, labels)])
        cells = [
            is_known & (samples.true == true) & (samples.pred == pred)
            for true, pred in ((1, 1), (0, 1), (1, 0), (0, 0))
        ]
        return [sum(times[of_cell].tolist()) for of_cell in cells]

    return each(of_entry)(v)


def read_again(v):
    """From text, as it was stored."""
    return ConfusionMatrix.from_dict(json.loads(json.dumps(v.matrix().to_dict())))


def stack_of_halves(v):
    parts = {half: v.part(half == HALF).matrix() for half in (0, 1)}
    return ConfusionMatrix.stack(parts, axis="half")


def sum_of_halves(v):
    return v.part(HALF == 0).matrix() + v.part(HALF == 1).matrix()


def half_without_weights(v):
    """A matrix of the first half, whose index does not matter."""
    half = v.part(HALF == 0)
    return replace(half, true=np.asarray(half.true), pred=np.asarray(half.pred), weight={}).matrix()


def added(v):
    """All samples after half of them; whether counts are then sums of weights."""
    cm = half_without_weights(v).add(v.true, v.pred, **v.weight)
    return of_positive(cm), cm._design.are_weights


def expected_of_added(v):
    """Weights are those of the second time."""
    first = replace(
        v, stands_for=tuple(of.at(np.unique(of.row, return_index=True)[1]) for of in v.stands_for)
    )
    return each(counts)(v) + each(counts)(first.part(HALF == 0)), bool(v.weight)


def added_as_matrix(v):
    cm = half_without_weights(v) + v.matrix()
    return of_positive(cm), cm._design.are_weights


ROWS = [
    Row(
        ("ConfusionMatrix.from_predictions", "ConfusionMatrix.class_counts"),
        lambda v: of_positive(v.matrix()),
        each(counts),
        {
            **INDICES,
            LOSS: NO_METRIC,
            ONE_CLASS: refused(NEEDS_ALL, call=lambda v: v.matrix(labels=["fair"])),
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
            ONE_CLASS: refused(NEEDS_ALL, call=lambda v: of_frame(v, labels=["fair"])),
            PERMUTED_WEIGHTS: "weights are a column of the frame",
        },
    ),
    Row(
        ("ConfusionMatrix.from_counts", "ConfusionMatrix.with_labels", "ConfusionMatrix.relabel"),
        lambda v: of_positive(of_counts(v)),
        each(counts),
        {**OF_MATRIX, **ONLY_COUNTS},
    ),
    Row(
        ("ConfusionMatrix.from_partial_labels",),
        lambda v: of_positive(of_partial_labels(v)),
        expected_of_partial_labels,
        {
            **INDICES,
            **ONLY_COUNTS,
            **dict.fromkeys(
                [GROUPS, EMPTY, TWO_AXES, NINE], warned("no sample with their prediction")
            ),
            WEIGHTS: "takes no weights: each sample counts once",
            PERMUTED_WEIGHTS: "takes no weights: each sample counts once",
        },
    ),
    Row(
        ("ConfusionMatrix.from_dict", "ConfusionMatrix.to_dict"),
        lambda v: [of_positive(read_again(v)), fields_of(read_again(v))],
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
        {
            **OF_MATRIX,
            **ONLY_COUNTS,
            ONE_ROW: PARTS,
            WEIGHTS: gives(expected_of_added, added_as_matrix),
        },
    ),
    Row(
        ("ConfusionMatrix.add",),
        added,
        expected_of_added,
        {
            **INDICES,
            **ONLY_COUNTS,
            **dict.fromkeys([GROUPS, EMPTY, TWO_AXES, NINE], refused("leading axes")),
            PERMUTED_GROUPS: "takes no groups",
            ONE_ROW: PARTS,
        },
    ),
]
