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
from tests.variants.table import Row, each, refused

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
]
