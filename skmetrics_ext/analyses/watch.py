"""watch: bounds on metrics tested month after month, with few false alarms over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.analyses.claims import Claim, Claims, read_claims
from skmetrics_ext.catalogue.names import resolve_any
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.counting.axes import Axis, place_of_axis
from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.counting.design import FOLD
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.matrices.alignment import over_time
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counts_of_positive
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.arguments import check_confidence_level, check_whole
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.estimate import refuse_unless_independent
from skmetrics_ext.statistics.results import Alarms

# Proportions, and functions of one of each class.
WATCHED = [
    row
    for row in METRICS
    if row.share is not None or (row.of_share is not None and row.has_average)
]

# The beta distribution of shares after a fall is worth so many samples; its mean is the bound.
WEIGHT = 20

# Axes whose entries share samples.
NO_TIME = (FOLD, "label", "class", "threshold", "prevalence")


@explained
def watch(
    source: ConfusionMatrix | Sequence[ConfusionMatrix],
    claims: Claims,
    *,
    horizon: int,
    axis: str | int | None = None,
    confidence_level: float = 0.95,
    pos_label: Label | None = None,
) -> Alarms:
    """Raise an alarm when the months so far show that a metric did not stay within its bounds.

    The probability of any false alarm, in all months together, is at most 1 - confidence_level for
    each claim and entry, however often one looks.

    Parameters
    ----------
    source : ConfusionMatrix, or list of ConfusionMatrix
        One of its axes is the time, of months or other periods; entries of other axes are watched
        separately. A list has one matrix per month, numbered from 1. Call again with all months
        when a new one is there.
    claims : dict of metric to bound
        As in `check`, for every month; each bound is above 0 and below 1. Metrics are proportions
        of samples, such as "recall", "precision" or "accuracy", or F1 and Jaccard of one class.
    horizon : int
        The planned number of months, chosen in advance and kept as months are added.
    axis : str or int, default=None
        The name or position of the axis of time, needed where there are several. Dates, text such
        as "2026-05", "2026-05-01" or "2026-W18", and numbers are put in order; a list, a stack, an
        ordered categorical and an Enum are in order.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    pos_label : int, float, bool or str, default=None
        The positive class, also one of more than two. None: that of the matrix, if known.

    Returns
    -------
    Alarms
        With `alarm`, `alarm_time` and `change_time` for each claim and entry.

    Raises
    ------
    ValueError, TypeError
        If `source`, a claim or `axis` does not fit, or the positive class is needed but unknown.

    Warns
    -----
    UserWarning
        If there are more months than `horizon`: changes after it are seen late.

    Notes
    -----
    Samples must be independent. For at most 5 % over k claims and entries, pass `confidence_level=1
    - 0.05 / k`. The page on tests has the method.

    References
    ----------
    Ville (1939), Étude critique de la notion de collectif; Howard, Ramdas, McAuliffe & Sekhon
    (2021), Annals of Statistics 49:1055; Shin, Ramdas & Rinaldo (2024), New England Journal of
    Statistics in Data Science 2:229.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, watch
    >>> hits = [57, 56, 58, 51, 48, 46, 49]
    >>> counts = [[[90, 10], [60 - tp, tp]] for tp in hits]
    >>> months = [ConfusionMatrix.from_counts(each, labels=["no", "yes"]) for each in counts]
    >>> watch(months, {"recall": 0.9, "specificity": 0.8}, horizon=24)
    Alarms of 'yes' over month 1 to 7, horizon 24 (at most 5 % false alarms per row)
    claim               alarm  alarm_time  change_time  largest_e_value
    recall >= 0.9         yes         6                4              185
    specificity >= 0.8     no         -                -            0.964
    """
    check_whole(horizon, "horizon", 1)
    check_confidence_level(confidence_level)
    cm = _by_month(source, axis)
    asked = _read_watched(claims, cm.labels)
    months, *entries = cm.axes
    caveats: tuple[Caveat, ...] = ()
    if len(months.coordinates) > horizon:
        text = (
            f"{months.name!r} has {len(months.coordinates)} entries, more than horizon={horizon}: "
            "false alarms stay as rare, but changes that begin after the horizon are seen late. "
            "Plan a new watch for later months."
        )
        caveats = (Caveat("past_horizon", text),)
    counted = [_counts_of(cm, row, claim, pos_label) for row, claim in asked]
    watched = [
        _watched(counts, row, claim, horizon)
        for (counts, _), (row, claim) in zip(counted, asked, strict=True)
    ]
    value, e_value, starts = (
        np.moveaxis(np.stack(of_claims), 1, -1) for of_claims in zip(*watched, strict=True)
    )
    is_shown = e_value >= 1 / (1 - confidence_level)
    alarm, first = np.asarray(is_shown.any(-1)), is_shown.argmax(-1)
    start_at_first = np.take_along_axis(starts, first[..., None], -1)[..., 0]
    # Claims about several classes name their own.
    labels = [label for _, label in counted if label is not None]
    label = labels[0] if len({*labels}) == 1 else None
    names_of_claims = [
        claim.of(claim.name if own in (None, label) else f"{claim.name} of {own!r}")
        for (_, claim), (_, own) in zip(asked, counted, strict=True)
    ]
    alarms = Alarms(
        alarm=alarm,
        alarm_time=_months_of_alarms(months, alarm, first),
        change_time=_months_of_alarms(months, alarm, start_at_first),
        largest_e_value=e_value.max(-1),
        value=value,
        e_value=e_value,
        axes=(Axis("claim", np.array(names_of_claims)), *entries),
        time=months,
        metrics=tuple(claim.name for _, claim in asked),
        bounds=tuple(claim.bound for _, claim in asked),
        horizon=horizon,
        confidence_level=confidence_level,
        label=label,
        caveats=caveats,
    )
    return told(alarms)


class _Watched(NamedTuple):
    """A claim's metric and e-process (n_months, ...), and since when data speak most against it."""

    value: Array
    e_value: Array
    starts: NDArray[np.intp]


def _watched(counts: Any, row: Metric, claim: Claim, horizon: int) -> _Watched:
    """The test of a claim, as one of the proportion that determines its metric."""
    formula, bound = row.formula, claim.bound
    if row.of_share is not None:
        formula, bound = row.of_share.formula, row.of_share.share_at(claim.bound, 2)
    hits, n = formula(counts)
    if claim.is_least:
        e_value, starts = e_process(hits, n - hits, bound, horizon)
    else:
        e_value, starts = e_process(n - hits, hits, 1 - bound, horizon)
    return _Watched(ratio(*row.formula(counts)), e_value, starts)


def _months_of_alarms(
    months: Axis, alarm: NDArray[np.bool_], places: NDArray[np.intp]
) -> NDArray[Any]:
    """The coordinates of the months at these places, None without an alarm."""
    names = np.array([*plain(months.coordinates), None], dtype=object)
    return np.asarray(names[np.where(alarm, places, -1)])


def _counts_of(
    cm: ConfusionMatrix, row: Metric, claim: Claim, pos_label: Any
) -> tuple[Any, Label | None]:
    """The counts that a claim is about, and the class; None over all classes."""
    if not row.has_average:
        return margins_of(cm.counts), None
    of_claim = claim.metric[1] if isinstance(claim.metric, tuple) else pos_label
    return counts_of_positive(cm, of_claim, claim.name)


def _read_watched(claims: Any, classes: NDArray[Any]) -> list[tuple[Metric, Claim]]:
    """The validated claims, each with its metric, a proportion or a function of one."""
    found = []
    read = read_claims(claims, classes)
    for claim in read:
        row, average = resolve_any(claim.metric)
        if row not in WATCHED or average is not None:
            names = [watched.name for watched in WATCHED]
            raise ValueError(
                f"{claim.metric!r} can't be watched: only proportions of samples can, {names}."
            )
        if 0 < claim.bound < 1:
            found.append((row, claim))
    # If a bound of a pair is 0 or 1, the other says something.
    restricted = [claim.metric for _, claim in found]
    for claim in read:
        if claim.metric not in restricted:
            raise ValueError(
                f"a bound on {claim.name} must be above 0 and below 1; got {claim.bound:g}."
            )
    return found


def _by_month(source: Any, axis: Any) -> ConfusionMatrix:
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
    refuse_unless_independent(cm._design, cm.counts, "watch")
    return over_time(cm, place)


def e_process(
    hits: NDArray[Any], misses: NDArray[Any], bound: float, horizon: int
) -> tuple[Array, NDArray[np.intp]]:
    """The e-process of hits and misses of each month, and the month since which they speak most for
    a fall, as known at the end of each month (n_months, ...).

    It is the mean of `horizon` likelihood ratios of a mixture of shares below the bound, one
    started in each month: in expectation at most 1 before, so that it ever reaches 1 / alpha with a
    probability of at most alpha (Ville 1939).
    """
    before = [np.concatenate([0 * part[:1], part.cumsum(0)]) for part in (hits, misses)]
    values, starts = np.empty(hits.shape), np.empty(hits.shape, dtype=np.intp)
    for month in range(len(hits)):
        right, wrong = (total[month + 1] - total[: month + 1][:horizon] for total in before)
        logs = _log_integral(bound, right, wrong) - _log_integral(bound, 0, 0)
        logs -= right * np.log(bound) + wrong * np.log1p(-bound)
        with np.errstate(over="ignore"):
            values[month] = (np.exp(logs).sum(0) + horizon - len(logs)) / horizon
        # The last of equal ones: empty months before it say nothing.
        starts[month] = len(logs) - 1 - logs[::-1].argmax(0)
    return values, starts


def _log_integral(bound: float, hits: Any, misses: Any) -> Any:
    """The log likelihood of shares below the bound, integrated with the beta weights."""
    a, b = WEIGHT * bound + hits, WEIGHT * (1 - bound) + misses
    with np.errstate(divide="ignore"):
        return special.betaln(a, b) + np.log(special.betainc(a, b, bound))
