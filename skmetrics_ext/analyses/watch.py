"""watch: bounds on metrics tested look after look, with few false alarms over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.analyses.claims import Claim, Claims, read_claims
from skmetrics_ext.catalogue.names import resolve_any
from skmetrics_ext.catalogue.properties import OverClasses
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS, Metric
from skmetrics_ext.counting.axes import Axis, place_of_axis
from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.counting.design import FOLD
from skmetrics_ext.matrices.alignment import over_time
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counts_of_positive
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.arguments import check_confidence_level, check_whole
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.entries import origin_of
from skmetrics_ext.statistics.estimate import refuse_unknown, refuse_unless_independent
from skmetrics_ext.statistics.promises.e_process import (
    Stream,
    confidence_sequence,
    e_process,
    units_of_clusters,
)
from skmetrics_ext.statistics.results import Alarms

# Proportions, and functions of one of each class.
WATCHED = [
    row
    for row in METRICS
    if row.share is not None or (row.of_share is not None and row.has_average)
]

# Axes whose entries share samples.
NO_TIME = (FOLD, "label", "class", "threshold", "prevalence")


@explained
def watch(
    source: ConfusionMatrix | Sequence[ConfusionMatrix],
    claims: Claims,
    *,
    horizon: int | None = None,
    axis: str | int | None = None,
    confidence_level: float = 0.95,
    pos_label: Label | None = None,
    largest_cluster: int | None = None,
) -> Alarms:
    """Raise an alarm when the months so far show that a metric did not stay within its bounds.

    The probability of any false alarm is at most 1 - confidence_level for each claim and entry,
    however often and however long one looks (anytime-valid).

    Parameters
    ----------
    source : ConfusionMatrix, or list of ConfusionMatrix
        One of its axes is the time, of months or other periods; entries of other axes are watched
        separately. A list has one matrix per month, numbered from 1. Call again with all months
        when a new one is there.
    claims : dict of metric to bound
        As in `check`, for every month; each bound is above 0 and below 1. Metrics are proportions
        of samples, such as "recall" or "accuracy", F1 and Jaccard of one class, or means of these
        over the classes, such as "f1_macro".
    horizon : int, default=None
        None: for ever. A number of months, chosen in advance and kept as months are added: later
        changes among these are seen sooner.
    axis : str or int, default=None
        The axis of time, needed where there are several. Dates, text such as "2026-05",
        "2026-05-01" or "2026-W18", and numbers are put in order; a list, a stack, an ordered
        categorical and an Enum are in order.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    pos_label : int, float, bool or str, default=None
        The positive class, also one of more than two. None: that of the matrix, if known.
    largest_cluster : int, default=None
        Of clusters, each within a month: the most samples of one that a metric may count, known in
        advance.

    Returns
    -------
    Alarms
        With `alarm`, `alarm_time` and `change_time` for each claim and entry.

    Raises
    ------
    ValueError, TypeError
        If `source`, a claim or an option does not fit, or the positive class is needed but unknown.

    Warns
    -----
    UserWarning
        If there are more months than `horizon`: changes after it are seen late.

    Notes
    -----
    Samples, or clusters, must be independent. A claim on a mean is that classes keep, or exceed,
    values with such a mean. For at most 5 % over k claims and entries, pass `confidence_level=1 -
    0.05 / k`. The page on tests has the method.

    References
    ----------
    Robbins (1970), Annals of Mathematical Statistics 41:1397; Shin, Ramdas & Rinaldo (2024), New
    England Journal of Statistics in Data Science 2:229; Waudby-Smith & Ramdas (2024), JRSS B 86:1.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, watch
    >>> hits = [57, 56, 58, 51, 48, 46, 45]
    >>> counts = [[[90, 10], [60 - tp, tp]] for tp in hits]
    >>> months = [ConfusionMatrix.from_counts(each, labels=["no", "yes"]) for each in counts]
    >>> watch(months, {"recall": 0.9, "specificity": 0.8})
    Alarms of 'yes' over month 1 to 7, anytime-valid (at most 5 % false alarms per row)
    claim               alarm  alarm_time  alarm_sample  change_time  largest_e_value
    recall >= 0.9       yes    6                    960  4                   4.28e+03
    specificity >= 0.8  no     -                      -  -                      0.566
    """
    if horizon is not None:
        check_whole(horizon, "horizon", 1)
    if largest_cluster is not None:
        check_whole(largest_cluster, "largest_cluster", 1)
    check_confidence_level(confidence_level)
    cm = _by_month(source, axis, largest_cluster)
    read = _read_watched(claims, cm)
    months, *entries = cm.axes
    caveats: tuple[Caveat, ...] = ()
    if horizon is not None and len(months.coordinates) > horizon:
        text = (
            f"{months.name!r} has {len(months.coordinates)} entries, more than horizon={horizon}: "
            "false alarms stay as rare, but changes that begin after the horizon are seen late. "
            "Plan a new watch for later months."
        )
        caveats = (Caveat("past_horizon", text),)
    classes = [_class_of(cm, claim, pos_label) for claim in read]
    found = []
    for claim, own in zip(read, classes, strict=True):
        stream = _stream(cm, _row_of(claim)[0], own, largest_cluster)
        test = e_process(stream, claim.bound, claim.is_least, horizon)
        found.append((stream.value, *test, *confidence_sequence(stream, 1 - confidence_level)))
    value, e_value, starts, low, high = (
        np.moveaxis(np.stack(of_claims), 1, -1) for of_claims in zip(*found, strict=True)
    )
    is_shown = e_value >= 1 / (1 - confidence_level)
    alarm, first = np.asarray(is_shown.any(-1)), is_shown.argmax(-1)
    samples = cm._design.numbers_of(cm.counts).sum((-2, -1)).cumsum(0)
    so_far = np.broadcast_to(np.moveaxis(samples, 0, -1), value.shape)
    # Claims about several classes name their own.
    labels = [own for own in classes if own is not None]
    label = labels[0] if len({*labels}) == 1 else None
    names_of_claims = [
        claim.of(claim.name if own in (None, label) else f"{claim.name} of {own!r}")
        for claim, own in zip(read, classes, strict=True)
    ]
    alarms = Alarms(
        alarm=alarm,
        alarm_time=_months_of_alarms(months, alarm, first),
        alarm_sample=np.where(alarm, _at(so_far, first), np.nan),
        change_time=_months_of_alarms(months, alarm, _at(starts, first)),
        largest_e_value=e_value.max(-1),
        value=value,
        low=low,
        high=high,
        e_value=e_value,
        axes=(Axis("claim", np.array(names_of_claims)), *entries),
        time=months,
        metrics=tuple(claim.name for claim in read),
        bounds=tuple(claim.bound for claim in read),
        horizon=horizon,
        confidence_level=confidence_level,
        label=label,
        caveats=caveats,
        _origin=origin_of(cm._design.name),
    )
    return told(alarms)


def _at(of_months: NDArray[Any], places: NDArray[np.intp]) -> NDArray[Any]:
    """What there is in these months."""
    return np.asarray(np.take_along_axis(of_months, places[..., None], -1)[..., 0])


def _months_of_alarms(
    months: Axis, alarm: NDArray[np.bool_], places: NDArray[np.intp]
) -> NDArray[Any]:
    """The coordinates of the months at these places, None without an alarm."""
    names = np.array([*plain(months.coordinates), None], dtype=object)
    return np.asarray(names[np.where(alarm, places, -1)])


def _row_of(claim: Claim) -> tuple[Metric, str | None]:
    """The metric of which a claim is about a proportion, or the mean of those of the classes."""
    row, average = resolve_any(claim.metric)
    if isinstance(row.made_of, OverClasses) and row.made_of.how == "mean":
        return BY_NAME[row.made_of.name], "macro"
    return row, average


def _class_of(cm: ConfusionMatrix, claim: Claim, pos_label: Any) -> Label | None:
    """The class that a claim is about; None over all classes."""
    row, average = _row_of(claim)
    if average or not row.has_average:
        return None
    of_claim = claim.metric[1] if isinstance(claim.metric, tuple) else pos_label
    label: Label = counts_of_positive(cm, of_claim, claim.name)[1]
    return label


def _stream(cm: ConfusionMatrix, row: Metric, label: Any, largest: int | None) -> Stream:
    """What each month adds to the proportion of a class, of all, or of each class."""
    formula = row.formula if row.of_share is None else row.of_share.formula

    def hits_and_misses(matrices: NDArray[Any]) -> NDArray[Any]:
        """Those of each class (..., n_classes, 2)."""
        hits, n = formula(margins_of(matrices))
        each = np.stack([hits, n - hits], -1)
        if not row.has_average:
            return each[..., None, :]
        return each if label is None else each[..., [plain(cm.labels).index(label)], :]

    if largest is None:
        return Stream(hits_and_misses(cm.counts), np.eye(2), of_share=row.of_share)
    counts, kinds = units_of_clusters(cm._design, cm.counts.shape, hits_and_misses)
    if (most := kinds.sum(-1).max()) > largest:
        raise ValueError(f"a cluster has {most:g} samples, more than largest_cluster={largest}.")
    return Stream(counts, kinds, largest, row.of_share)


def _read_watched(claims: Any, cm: ConfusionMatrix) -> list[Claim]:
    """The validated claims on proportions, functions of one, or means of these."""
    read = read_claims(claims, cm.labels)
    for claim in read:
        row, average = _row_of(claim)
        if row not in WATCHED or average not in (None, "macro"):
            names = [watched.name for watched in WATCHED]
            raise ValueError(
                f"{claim.metric!r} can't be watched: only proportions of samples can, {names}, and "
                "their plain means over the classes, such as 'f1_macro'. Of other metrics no test "
                "is known that keeps its promise however often one looks."
            )
        if average and "label" in [axis.name for axis in cm.axes]:
            raise ValueError(f"{claim.name!r} of several labels can't be watched: watch each.")
    found = [claim for claim in read if 0 < claim.bound < 1]
    # If a bound of a pair is 0 or 1, the other says something.
    restricted = [claim.metric for claim in found]
    for claim in read:
        if claim.metric not in restricted:
            raise ValueError(
                f"a bound on {claim.name} must be above 0 and below 1; got {claim.bound:g}."
            )
    return found


def _by_month(source: Any, axis: Any, largest_cluster: int | None) -> ConfusionMatrix:
    """The matrix with the time as its first axis, in order."""
    cm = source
    if isinstance(source, (list, tuple)):
        cm = ConfusionMatrix.stack(dict(enumerate(source, 1)), axis="month")
        axis = 0 if axis is None else axis
    if not (isinstance(cm, ConfusionMatrix) and cm.axes and cm.counts.size):
        raise TypeError(
            "source must be a ConfusionMatrix with an axis of time, as made by "
            "ConfusionMatrix.stack, or a list with one matrix per month; got "
            f"{type(source).__name__}."
        )
    names = [leading.name for leading in cm.axes]
    if axis is None and len(names) > 1:
        raise ValueError(
            f"axis must be the name of the axis of time, one of {names}: the others are watched "
            "separately."
        )
    place = place_of_axis(cm.axes, 0 if axis is None else axis)
    if names[place] in NO_TIME:
        raise ValueError(
            f"the axis {names[place]!r} is not time, in which each entry has samples of its own: "
            "count months with from_predictions(by=), or pass a list with one matrix per month."
        )
    _check_design(cm, largest_cluster)
    return over_time(cm, place)


def _check_design(cm: ConfusionMatrix, largest_cluster: int | None) -> None:
    """Refuse all but independent samples, or clusters whose largest size is known."""
    design = cm._design
    refuse_unknown(design, "watch")
    are_clusters = design.keeps_units_together
    samples = design.without_units() if are_clusters else design
    refuse_unless_independent(samples, design.numbers_of(cm.counts), "watch")
    if are_clusters and largest_cluster is None:
        raise ValueError(
            "watch needs the most samples that a cluster can have, known in advance: pass "
            "largest_cluster=. As if independent, clusters would raise far too many false alarms."
        )
    if largest_cluster is not None and not are_clusters:
        raise ValueError(
            "largest_cluster= is for samples counted in clusters, and these are independent."
        )
