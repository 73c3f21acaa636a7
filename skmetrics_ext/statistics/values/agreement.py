"""Counts of ratings -> the agreement of raters, corrected for chance, with confidence limits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.constants import FEW_HITS
from skmetrics_ext.statistics.values.proportions import alpha_of_errors, mid_p

ROUNDING = 1e-15


class Agreement(NamedTuple):
    """An agreement with its limits."""

    value: float
    limits: Limits
    # The number of items with several ratings.
    n: int
    # The number of items in classes other than the most frequent one.
    n_of_others: float


def distances(n_classes: int, weights: str | None) -> Array:
    """How far apart classes are by their positions, at most 1; all alike for None."""
    places = np.arange(n_classes)
    apart = np.abs(places[:, None] - places).astype(np.float64)
    table = {
        None: apart > 0,
        "linear": apart,
        "quadratic": apart**2,
        "ordinal": apart * (apart + 1),
    }[weights]
    return np.asarray(table / max(table.max(), 1), dtype=np.float64)


def distances_of_ranks(shares: Array) -> Array:
    """Krippendorff's ordinal distances: squared differences of the mean ranks of each class."""
    ranks = np.cumsum(shares) - shares / 2
    return np.asarray((ranks[:, None] - ranks) ** 2)


def agreement_of(
    counts: NDArray[np.int64], metric: str, table: Array | None, alpha: float
) -> Agreement:
    """1 - observed / expected disagreement of counts (n_items, n_classes) by the distances of a
    table, else of ranks; and mid-P limits for the items that give its variance (Gwet 2008).
    """
    items = _items_of(counts, is_alpha=metric == "krippendorff_alpha")
    n = int(items.are_several.sum())
    shares = items.weights_in_shares @ items.shares
    distance = distances_of_ranks(shares) if table is None else table
    expected, rises_of_expected = _expected(shares, distance, metric, items.n_ratings.sum())
    if expected == 0:
        return Agreement(np.nan, Limits(np.asarray(np.nan), np.asarray(np.nan)), n, 0)
    disagreements = ((items.counts @ distance) * items.counts).sum(-1) / items.n_pairs
    observed = float(items.weights_in_mean @ disagreements)
    # Derivatives by the shares, and how far each item moves the value.
    rises = observed * rises_of_expected / expected**2
    if table is None:
        rises += _rises_by_distances(items, shares, observed, expected)
    moves = items.weights_in_shares * ((items.shares - shares) @ rises)
    moves -= items.weights_in_mean * (disagreements - observed) / expected
    scale = _largest_distance(disagreements, distance, shares)
    agreed = max(1 - observed / scale, 0.0)
    of_several = disagreements[items.are_several]
    low, high = _limits_of_agreed(agreed, of_several, moves, expected / scale, alpha)
    return Agreement(
        value=1 - (1 - agreed) * scale / expected,
        limits=Limits(1 - (1 - low) * scale / expected, 1 - (1 - high) * scale / expected),
        n=n,
        n_of_others=len(items.counts) * (1 - shares.max()),
    )


class _Items(NamedTuple):
    """Items: each one's ratings of each class (n_items, n_classes), and of all (n_items,)."""

    counts: Array
    n_ratings: Array
    # Whether an item has two or more.
    are_several: NDArray[np.bool_]
    # How much each counts in the mean disagreement, and in the classes' shares; both sum to 1.
    weights_in_mean: Array
    weights_in_shares: Array
    # Its ordered pairs of ratings, at least 1, and the classes' shares.
    n_pairs: Array
    shares: Array


def _items_of(counts: NDArray[np.int64], *, is_alpha: bool) -> _Items:
    """The items that count: Krippendorff omits those rated once, weighting others by ratings."""
    items = counts[counts.sum(-1) > is_alpha].astype(np.float64)
    n_ratings = items.sum(-1)
    are_several = n_ratings > 1
    sizes = n_ratings if is_alpha else np.ones(len(items))
    return _Items(
        counts=items,
        n_ratings=n_ratings,
        are_several=are_several,
        weights_in_mean=ratio(sizes * are_several, sizes @ are_several),
        weights_in_shares=sizes / sizes.sum(),
        n_pairs=np.where(are_several, n_ratings * (n_ratings - 1), 1),
        shares=items / n_ratings[:, None],
    )


def _rises_by_distances(items: _Items, shares: Array, observed: float, expected: float) -> Array:
    """Derivatives by the shares on which distances of ranks depend."""
    n_ratings = items.n_ratings.sum()
    per_pair = items.weights_in_mean / items.n_pairs
    pairs = (items.counts * per_pair[:, None]).T @ items.counts - np.diag(per_pair @ items.counts)
    pairs_by_chance = np.outer(shares, shares) * n_ratings / (n_ratings - 1)
    of_observed = _rises_of_ranks(pairs, shares) / expected
    of_expected = observed * _rises_of_ranks(pairs_by_chance, shares) / expected**2
    return np.asarray(of_expected - of_observed)


def _largest_distance(disagreements: Array, distance: Array, shares: Array) -> float:
    """An item's largest disagreement; without any, that of the classes."""
    occurs = shares > 0
    return float(disagreements.max()) or float(distance[np.ix_(occurs, occurs)].max()) or 1.0


def _limits_of_agreed(
    agreed: float, disagreements: Array, moves: Array, scale: float, alpha: float
) -> Limits:
    """Limits of the items' agreement, of which the variance is that of `moves` (n_items,) x
    `scale`.
    """
    n, n_items = len(disagreements), len(moves)
    variance = scale**2 * n_items / (n_items - 1) * (moves @ moves)
    n_effective = n_counted = float(n)
    if variance > ROUNDING:
        n_effective = float(agreed * (1 - agreed) / variance)
        # Few items that count for much give a poor variance.
        n_counted = min(n, 2 * float(ratio((moves @ moves) ** 2, (moves**4).sum())))
    n_disagreeing = (disagreements > 0).sum()
    n_agreeing = (disagreements < disagreements.max()).sum()
    if min(n_disagreeing, n_agreeing) < FEW_HITS:
        n_effective = min(n_effective, n)
    errors = -special.stdtrit(max(n_counted - 1, 1), alpha / 2) * np.sqrt(n / (n - 1))
    return mid_p(agreed * n_effective, n_effective, alpha_of_errors(errors))


def _expected(shares: Array, distance: Array, metric: str, n_ratings: float) -> tuple[float, Array]:
    """The mean distance of two ratings by chance, or the largest; its derivatives by shares."""
    n_classes, most, none = len(shares), float(distance.max()), np.zeros(len(shares))
    if metric == "percent_agreement":
        return most or 1.0, none
    if metric == "brennan_prediger":
        return float(distance.mean()), none
    if metric == "gwet_ac1":
        alike = (most - distance).sum() / (n_classes * max(n_classes - 1, 1))
        return float(most - alike * (1 - shares @ shares)), 2 * alike * shares
    # Alpha draws without replacement.
    times = n_ratings / (n_ratings - 1) if metric == "krippendorff_alpha" else 1.0
    return float(times * (shares @ distance @ shares)), 2 * times * (distance @ shares)


def _rises_of_ranks(weights: Array, shares: Array) -> Array:
    """Derivatives by the shares of a weighted (symmetric) sum of distances of ranks."""
    ranks = np.cumsum(shares) - shares / 2
    pulls = ranks * weights.sum(-1) - weights @ ranks
    # A share adds itself to all higher ranks, and half of itself to its own.
    return np.asarray(4 * (np.cumsum(pulls[::-1])[::-1] - pulls / 2))
