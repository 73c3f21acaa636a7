"""Rows of ThresholdCurves: a curve for each of the three classes, or for each site."""

import numpy as np

from skmetrics_ext import ThresholdCurves
from tests.variants.curve import (
    all_counts,
    area,
    best_of,
    counts_at,
    counts_of,
    precision_area,
    rightness,
)
from tests.variants.samples import EMPTY, LOSS, NO_MIDDLE, ONE_CLASS, ONE_ROW, SITE, SIZES, by_site
from tests.variants.shared import INDICES, NO_LOSS, NO_METRIC, of_positive
from tests.variants.table import Row, refused, undefined
from tests.variants.variant import Samples


def curves(v):
    if v.classes:
        return ThresholdCurves.from_scores(v.true, v.score, **v.classes)
    by = {"by": SITE[v.rows], **v.by}
    return ThresholdCurves.from_scores(v.true, v.score, **by, **v.weight, **v.positive)


def names_of(v):
    """The curves that are looked at: of the classes one, or all in the order of their columns."""
    if v.classes:
        return ["fair"] if v.name == ONE_CLASS else SIZES
    entries = by_site(v).entries
    return [names[0] if len(names) == 1 else names for names in entries]


def of_each(read):
    """What is read of each curve, by its name."""

    def of_curves(v):
        found = curves(v)
        return {name: read(found[name]) for name in names_of(v)}

    return of_curves


def by_name(source):
    """What a source says of each class, or of each site."""

    def of_entries(v):
        names = sorted(names_of(v))
        alone = dict(zip(names, v.stands_for if v.classes else by_site(v).alone, strict=True))
        return {name: source(alone[name]) for name in names_of(v)}

    return of_entries


def numbers(method):
    """One number for each curve, by its name."""

    def of_curves(v):
        found = curves(v)
        values = dict(zip(found, getattr(found, method)(average=None), strict=True))
        return {name: values[name] for name in names_of(v)}

    return of_curves


def best_of_each(v):
    found = curves(v).best(rightness(v), subject_to={"recall": 0.8})
    parts = zip(found.value, found.thresholds, np.stack(found.counts, axis=-1), strict=True)
    of_names = dict(zip(found.axis.coordinates.tolist(), parts, strict=True))
    return {name: of_names[name] for name in names_of(v)}


def expected_best_of_each(v):
    found = by_name(best_of)(v)
    return {
        name: (1 - value if v.is_loss else value, threshold, counts)
        for name, (value, threshold, counts) in found.items()
    }


def at_thresholds(v):
    cm = curves(v).at_thresholds([0.6, 0.3])
    return {name: of_positive(cm.sel(**{cm.axes[0].name: name})) for name in names_of(v)}


def in_frame(v):
    frame = curves(v).to_frame("pandas")
    *names, _ = frame.columns[: frame.columns.get_loc("threshold") + 1]
    of_curves = dict(list(frame.groupby(names if len(names) > 1 else names[0])))
    return {name: of_curves[name][["tp", "fp", "fn", "tn"]].to_numpy() for name in names_of(v)}


def pooled(v):
    """Of all sites, or of all classes, for each of which all samples count once."""
    found = curves(v)
    return counts_of(found.micro if v.classes else found.sum(found.axis.name))


def expected_pooled(v):
    return all_counts(Samples(*(np.concatenate(of) for of in zip(*v.stands_for, strict=True))))


def labels_of(v):
    found = curves(v)
    return list(found.labels), found.pos_label, found.multilabel


def expected_labels(v):
    if v.classes:
        return SIZES, None, False
    positive = v.positive.get("pos_label", 1)
    return [1 - positive, positive], positive, False


def with_empty_south(v):
    """The samples of one site weigh nothing."""
    in_north = (SITE[v.rows] == "north").astype(int)
    return ThresholdCurves.from_scores(v.true, v.score, by=SITE[v.rows], sample_weight=in_north)


SEVERAL_CURVES = {
    **INDICES,
    EMPTY: refused(r"\['south'\] of by= have only weights of 0", call=with_empty_south),
}

ROWS = [
    Row(
        (
            "ThresholdCurves.from_scores",
            *(f"ThresholdCurves.{name}" for name in ("get", "items", "keys", "values")),
        ),
        of_each(counts_of),
        by_name(all_counts),
        {**SEVERAL_CURVES, LOSS: NO_METRIC},
    ),
    Row(
        ("ThresholdCurves.to_frame",),
        in_frame,
        by_name(all_counts),
        {**SEVERAL_CURVES, LOSS: NO_METRIC},
    ),
    Row(
        ("ThresholdCurves.at_thresholds",),
        at_thresholds,
        by_name(lambda samples: [counts_at(samples, 0.6), counts_at(samples, 0.3)]),
        {**SEVERAL_CURVES, LOSS: NO_METRIC},
    ),
    Row(
        ("ThresholdCurves.best",),
        best_of_each,
        expected_best_of_each,
        {**SEVERAL_CURVES, NO_MIDDLE: refused("class 'fair': no threshold satisfies")},
    ),
    Row(
        ("ThresholdCurves.roc_auc",),
        numbers("roc_auc"),
        by_name(area),
        {
            **SEVERAL_CURVES,
            LOSS: NO_LOSS,
            ONE_ROW: undefined(r"\['north'\], which lack positive or negative"),
            NO_MIDDLE: undefined(r"\['fair'\], which lack positive or negative"),
        },
    ),
    Row(
        ("ThresholdCurves.average_precision",),
        numbers("average_precision"),
        by_name(precision_area),
        {
            **SEVERAL_CURVES,
            LOSS: NO_LOSS,
            NO_MIDDLE: undefined(r"\['fair'\], which lack positive or negative"),
        },
    ),
    Row(
        ("ThresholdCurves.micro", "ThresholdCurves.sum"),
        pooled,
        expected_pooled,
        {**SEVERAL_CURVES, LOSS: NO_METRIC, ONE_CLASS: "pools all classes"},
    ),
    Row(
        tuple(f"ThresholdCurves.{name}" for name in ("labels", "multilabel", "pos_label")),
        labels_of,
        expected_labels,
        {**SEVERAL_CURVES, LOSS: NO_METRIC},
    ),
]
