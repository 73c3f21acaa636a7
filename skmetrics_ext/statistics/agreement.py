"""Counts of ratings -> the agreement of any number of raters, corrected for chance, with its confidence limits."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.proportions import Array, Limits, modified_wilson

# With fewer effective agreements or disagreements their variance is not known.
FEW_HITS = 5
# A smaller variance is due to rounding.
ROUNDING = 1e-15
# By how much the share of a class is changed in either direction for a derivative.
STEP = 1e-6


class Agreement(NamedTuple):
    """An agreement with its limits."""

    value: float
    limits: Limits
    n: int
    """The number of items with several ratings."""
    n_of_others: float
    """The number of items in classes other than the most frequent one."""


def distances(n_classes: int, weights: str | None) -> Array:
    """How far apart classes are by their positions, at most 1; all alike for None."""
    places = np.arange(n_classes)
    apart = np.abs(places[:, None] - places).astype(np.float64)
    table = {None: apart > 0, "linear": apart, "quadratic": apart**2, "ordinal": apart * (apart + 1)}[weights]
    return np.asarray(table / max(table.max(), 1), dtype=np.float64)


def distances_of_ranks(shares: Array) -> Array:
    """Krippendorff's ordinal distances: the squared differences of the mean ranks of the ratings in each class."""
    ranks = np.cumsum(shares) - shares / 2
    return np.asarray((ranks[:, None] - ranks) ** 2)


def agreement_of(
    counts: NDArray[np.int64], metric: str, table: Array | Callable[[Array], Array], alpha: float
) -> Agreement:
    """1 - observed / expected disagreement of counts of ratings (n_items, n_classes), and its limits.

    `table` has the distances of the classes, or gives them for shares of the classes. The limits are Wilson's of the
    observed agreement 1 - (1 - value) e, e the expected disagreement, for the number of items that gives it the
    variance of the value (Gwet 2008); where no two items differ, for all of them.
    """
    is_alpha = metric == "krippendorff_alpha"
    items = counts[counts.sum(-1) > is_alpha].astype(np.float64)
    n_ratings = items.sum(-1)
    several, size = n_ratings > 1, n_ratings if is_alpha else np.ones(len(items))
    n, n_items = int(several.sum()), len(items)
    # The weight of each item in the means over pairs of its ratings, and over the shares of the classes.
    of_pairs, of_shares = ratio(size * several, size @ several), size / size.sum()
    per_pair = ratio(of_pairs, np.where(several, n_ratings * (n_ratings - 1), 1))
    pairs = (items * per_pair[:, None]).T @ items - np.diag(per_pair @ items)
    shares_of_items = items / n_ratings[:, None]
    shares = of_shares @ shares_of_items

    def distances_at(shares: Array) -> Array:
        """The distances, at most 1."""
        distance = table(shares) if callable(table) else table
        return np.asarray(distance / (distance.max() or 1))

    def value_at(shares: Array) -> float:
        """The value if the classes had these shares by chance."""
        distance = distances_at(shares)
        return float(1 - ratio((pairs * distance).sum(), _expected(shares, distance, metric, n_ratings.sum())))

    distance = distances_at(shares)
    expected, observed = _expected(shares, distance, metric, n_ratings.sum()), (pairs * distance).sum()
    if expected == 0:
        return Agreement(np.nan, Limits(np.asarray(np.nan), np.asarray(np.nan)), n, 0)
    steps = STEP * np.eye(len(shares))
    rises = np.array([(value_at(shares + step) - value_at(shares - step)) / (2 * STEP) for step in steps])
    of_items = ((items @ distance) * items).sum(-1) * per_pair
    moves = of_shares * ((shares_of_items - shares) @ rises) - (of_items - of_pairs * observed) / expected
    variance = expected**2 * n_items / (n_items - 1) * (moves @ moves)
    agreed = 1 - observed
    n_effective = float(agreed * observed / variance) if variance > ROUNDING else n
    if min(agreed, observed) * n_effective < FEW_HITS:
        n_effective = min(n_effective, n)
    errors = -special.stdtrit(n - 1, alpha / 2) * np.sqrt(n / (n - 1))
    ends = modified_wilson(agreed * n_effective, n_effective, 2 * special.ndtr(-errors))
    limits = Limits(*(1 - (1 - end) / expected for end in ends))
    return Agreement(1 - observed / expected, limits, n, n_items * (1 - shares.max()))


def _expected(shares: Array, distance: Array, metric: str, n_ratings: float) -> float:
    """The mean distance of two ratings by chance; 1 where nothing is corrected."""
    n_classes = len(shares)
    if metric == "percent_agreement":
        return 1.0
    if metric == "brennan_prediger":
        return float(distance.mean())
    if metric == "gwet_ac1":
        alike = (1 - distance).sum() / (n_classes * max(n_classes - 1, 1))
        return float(1 - alike * (1 - shares @ shares)) if n_classes > 1 else 0.0
    expected = float(shares @ distance @ shares)
    return expected * n_ratings / (n_ratings - 1) if metric == "krippendorff_alpha" else expected
