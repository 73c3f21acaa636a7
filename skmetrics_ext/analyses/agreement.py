"""agreement: of two raters or more, who need not rate every item."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import axis_of_column
from skmetrics_ext.reading.aliases import CostsLike, GroupsLike, LabelsLike, RatingsLike
from skmetrics_ext.reading.arguments import check_choice, check_confidence_level, check_flag
from skmetrics_ext.reading.calls import explained, instead
from skmetrics_ext.reading.groups import rows_of_groups
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import naming
from skmetrics_ext.reading.names import NamedTable, find
from skmetrics_ext.reading.numbers import Costs, distances_in_order, read_distances
from skmetrics_ext.reading.order import levels_of, plain, positions_in
from skmetrics_ext.reading.ratings import Ratings, read_ratings
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat, told
from skmetrics_ext.statistics.constants import FEW, FEW_UNITS
from skmetrics_ext.statistics.entries import origin_of, stacked_results
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.agreement import Agreement, agreement_of, distances

METRICS = (
    "krippendorff_alpha",
    "fleiss_kappa",
    "gwet_ac1",
    "brennan_prediger",
    "percent_agreement",
)
# These are undefined where all ratings are of one class, and hardly known where nearly all are.
OF_OTHERS = METRICS[:2]
WEIGHTS = ("linear", "quadratic", "ordinal")
ROUNDING = 1e-9


@explained
@instead("Raters are columns: agreement(np.column_stack([a, b])).")
def agreement(
    ratings: RatingsLike,
    *,
    metric: str = "krippendorff_alpha",
    weights: Literal["linear", "quadratic", "ordinal"] | CostsLike | None = None,
    labels: LabelsLike | None = None,
    counts: bool | None = None,
    by: GroupsLike | None = None,
    confidence_level: float = 0.95,
) -> Interval:
    """1 - observed / expected disagreement of two raters or more, with its confidence interval.

    Raters may differ between items, and ratings may be missing.

    Parameters
    ----------
    ratings : array-like of shape (n_items, n_raters), or data frame
        Labels, items in rows and raters in columns; None, NaN, NA or null where a rating is
        missing, while "" and -1 are classes. A frame with the columns item, rater and rating has
        one row per rating. Or counts, see `counts`.
    metric : str, default="krippendorff_alpha"
        "krippendorff_alpha", "fleiss_kappa", "gwet_ac1" (AC2 with weights), "brennan_prediger", or
        "percent_agreement", which is not corrected for chance.
    weights : str or array-like of shape (n_classes, n_classes), default=None
        How far apart two classes are. None: all alike; "linear" and "quadratic": by their positions
        in the order of the classes; "ordinal": Krippendorff's differences of ranks for his alpha,
        else Gwet's ordinal weights. Or a symmetric table of disagreements, 0 on the diagonal, which
        a frame or a dict may label; pairs that a dict lacks do not disagree.
    labels : array-like of shape (n_classes,), default=None
        All classes, from the lowest to the highest for `weights`; others than those that occur
        count in "gwet_ac1" and "brennan_prediger". None: those that occur, in any group; with
        weights all levels of an ordered categorical.
    counts : bool, default=None
        True: entries are the numbers of raters who put an item (row) into a class (column, in the
        order of `labels` or named). False: they are ratings. None: ratings, and an error for whole
        numbers of which all rows have one sum of two or more.
    by : array-like of shape (n_items,), default=None
        The group of each item, or, for one row per rating, of each row; otherwise as in
        `metric_interval`.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.

    Returns
    -------
    Interval
        `value` at most 1; 0 is the agreement by chance. `n` is the number of items with two ratings
        or more.

    Raises
    ------
    ValueError
        If ratings, labels or weights do not fit, or fewer than two items have several ratings.

    Warns
    -----
    UserWarning
        If fewer than 20 items have several ratings, or for "krippendorff_alpha" and "fleiss_kappa"
        few are in classes other than the most frequent one.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Fleiss (1971), Psychological
    Bulletin 76:378; Brennan & Prediger (1981), Educational and Psychological Measurement 41:687;
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed.

    Examples
    --------
    Four observers and twelve units (Krippendorff 2011), each here as two items:

    >>> from skmetrics_ext import agreement
    >>> nan = float("nan")
    >>> ratings = [
    ...     [1, 1, nan, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    ...     [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [nan, 5, 5, 5], [nan, nan, 1, 1],
    ...     [nan, nan, 3, nan],
    ... ] * 2
    >>> agreement(ratings)
    krippendorff_alpha 0.7401 [0.4680, 0.9115] 95 %, mid-P of items, n = 22
    """
    if not isinstance(metric, str) or metric not in METRICS:
        raise ValueError(
            f"metric must be one of {list(METRICS)}; got {metric!r}. Raters are the columns of "
            "ratings, as in np.column_stack([a, b]); Cohen's kappa of two is cohen_kappa_score(a, "
            "b)."
        )
    check_confidence_level(confidence_level)
    if counts is not None:
        check_flag(counts, "counts")
    read = read_ratings(ratings, None if labels is None else read_order(labels), by, counts)
    apart = _read_weights(weights)
    if isinstance(apart, str) or _names_all_levels(apart, read):
        read = _on_scale(read)
    by_ranks = metric == "krippendorff_alpha" and isinstance(apart, str) and apart == "ordinal"
    table = None if by_ranks else _table_of(read, apart)
    level = confidence_level
    interval_of_items = partial(_interval_of_items, metric=metric, table=table, level=level)
    if read.by is None:
        return told(interval_of_items(read.counts))
    axis, groups = read.by
    intervals = []
    for name, rows in zip(plain(groups.labels), rows_of_groups(groups), strict=True):
        with naming(f"group {name!r}"):
            intervals.append(interval_of_items(read.counts[rows]))
    return told(stacked_results(intervals, axis_of_column(axis, groups)))


def _interval_of_items(
    counts: NDArray[np.int64], metric: str, table: Array | None, level: float
) -> Interval:
    """The agreement of some items, with caveats where it is hardly known."""
    n = int((counts.sum(-1) > 1).sum())
    if n < 2:
        raise ValueError(f"two items or more must have several ratings, but {n} have.")
    found = agreement_of(counts, metric, table, 1 - level)
    low, high = found.limits
    return Interval(
        value=found.value,
        low=low,
        high=high,
        confidence_level=level,
        method=shown("mid-p-of-items"),
        metric=metric,
        n=found.n,
        caveats=tuple(_caveats_of(metric, found, n)),
        _origin=origin_of("independent items"),
    )


def _caveats_of(metric: str, found: Agreement, n: int) -> Iterator[Caveat]:
    """Where the agreement of n items is hardly known."""
    if np.isnan(found.value):
        text = f"{metric} is undefined (0/0){{where}}: all ratings are of one class."
        yield Caveat(UNDEFINED, text)
    elif n < FEW_UNITS:
        text = (
            f"{metric} is based on too few items, {{n}}{{where}}: its confidence interval may be "
            "too narrow. Rows must be items, and columns raters."
        )
        yield Caveat("few_samples", text, n=np.asarray(n))
    elif metric in OF_OTHERS and found.n_of_others < FEW:
        text = (
            f"{metric} is based on too few items in classes other than the most frequent one, "
            "{n}{where}: its confidence interval may be too narrow."
        )
        yield Caveat("few_samples", text, n=np.asarray(float(f"{found.n_of_others:.3g}")))


def _read_weights(weights: CostsLike | str | None) -> Costs | str | None:
    """How far apart classes are: by a rule, or by a table."""
    if isinstance(weights, str):
        check_choice(weights, "weights", WEIGHTS)
        return weights
    return None if weights is None else read_distances(weights)


def _names_all_levels(weights: Costs | None, read: Ratings) -> bool:
    """Whether a table has the distances of all levels that the ratings declare."""
    if weights is None or read.ranking is None or not len(read.ranking):
        return False
    if not isinstance(weights, NamedTable):
        return len(weights) == len(read.ranking)
    sides = (weights.rows or weights.columns or [], weights.columns or weights.rows or [])
    return all(None not in find(read.ranking, names) for names in sides)


def _on_scale(read: Ratings) -> Ratings:
    """The same with all levels of the scale as classes, from the lowest to the highest."""
    levels = levels_of(read.labels, read.ranking)
    counts = np.zeros((len(read.counts), len(levels)), dtype=np.int64)
    counts[:, positions_in(levels, read.labels)] = read.counts
    return read._replace(labels=levels, counts=counts)


def _table_of(read: Ratings, weights: Costs | str | None) -> Array:
    """The distances of the classes, in the order of the counts."""
    if weights is None or isinstance(weights, str):
        return distances(len(read.labels), weights)
    table = distances_in_order(weights, read.labels, read.ranking)
    if not np.allclose(table, table.T, rtol=ROUNDING, atol=0):
        raise ValueError("weights must be symmetric: raters are not told apart.")
    return table
