"""Counts of ratings -> the agreement of raters, corrected for chance, with confidence limits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.proportions import Array, Limits, alpha_of_errors, modified_wilson

# With fewer effective agreements or disagreements their variance is not known.
FEW_HITS = 5
# A smaller variance is due to rounding.
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
    """Krippendorff's ordinal distances: the squared differences of the mean ranks of the ratings in
    each class.
    """
    ranks = np.cumsum(shares) - shares / 2
    return np.asarray((ranks[:, None] - ranks) ** 2)


def agreement_of(
    counts: NDArray[np.int64], metric: str, table: Array | None, alpha: float
) -> Agreement:
    """1 - observed / expected disagreement of counts of ratings (n_items, n_classes), and its
    limits.

    `table` has the distances of the classes; None: those of their ranks. The limits are Wilson's of
    the observed agreement on a scale from the largest disagreement to none, for the number of items
    that gives it the variance of the value (Gwet 2008), or for all items where hardly any disagree,
    or agree.
    """
    is_alpha = metric == "krippendorff_alpha"
    items = counts[counts.sum(-1) > is_alpha].astype(np.float64)
    n_ratings = items.sum(-1)
    several, size = n_ratings > 1, n_ratings if is_alpha else np.ones(len(items))
    n, n_items = int(several.sum()), len(items)
    # The weight of each item in the mean over items, and in the shares of the classes.
    of_pairs, of_shares = ratio(size * several, size @ several), size / size.sum()
    n_pairs = np.where(several, n_ratings * (n_ratings - 1), 1)
    shares_of_items = items / n_ratings[:, None]
    shares = of_shares @ shares_of_items
    distance = distances_of_ranks(shares) if table is None else table
    expected, rises_of_expected = _expected(shares, distance, metric, n_ratings.sum())
    if expected == 0:
        return Agreement(np.nan, Limits(np.asarray(np.nan), np.asarray(np.nan)), n, 0)
    disagreements = ((items @ distance) * items).sum(-1) / n_pairs
    observed, most = float(of_pairs @ disagreements), float(disagreements.max())
    rises = observed * rises_of_expected / expected**2
    if table is None:
        per_pair = of_pairs / n_pairs
        pairs = (items * per_pair[:, None]).T @ items - np.diag(per_pair @ items)
        by_chance = np.outer(shares, shares) * n_ratings.sum() / (n_ratings.sum() - 1)
        rises += (
            observed * _rises_of_ranks(by_chance, shares) / expected**2
            - _rises_of_ranks(pairs, shares) / expected
        )
    moves = (
        of_shares * ((shares_of_items - shares) @ rises)
        - of_pairs * (disagreements - observed) / expected
    )
    n_disagreeing, n_agreeing = (
        (disagreements[several] > 0).sum(),
        (disagreements[several] < most).sum(),
    )
    # Without any disagreement the largest is that of classes which occur.
    scale = most or float(distance[np.ix_(shares > 0, shares > 0)].max()) or 1.0
    variance = (expected / scale) ** 2 * n_items / (n_items - 1) * (moves @ moves)
    agreed = max(1 - observed / scale, 0.0)
    n_effective = float(agreed * (1 - agreed) / variance) if variance > ROUNDING else n
    if min(n_disagreeing, n_agreeing) < FEW_HITS:
        n_effective = min(n_effective, n)
    # Few items that count for much know the variance less well.
    n_counted = (
        min(n, 2 * float(ratio((moves @ moves) ** 2, (moves**4).sum())))
        if variance > ROUNDING
        else n
    )
    errors = -special.stdtrit(max(n_counted - 1, 1), alpha / 2) * np.sqrt(n / (n - 1))
    ends = modified_wilson(agreed * n_effective, n_effective, alpha_of_errors(errors))
    low, high = (1 - (1 - end) * scale / expected for end in ends)
    return Agreement(
        1 - (1 - agreed) * scale / expected, Limits(low, high), n, n_items * (1 - shares.max())
    )


def _expected(shares: Array, distance: Array, metric: str, n_ratings: float) -> tuple[float, Array]:
    """The mean distance of two ratings by chance, and its derivatives by the shares of the classes.

    Where nothing is corrected it is the largest distance.
    """
    n_classes, most, none = len(shares), float(distance.max()), np.zeros(len(shares))
    if metric == "percent_agreement":
        return most or 1.0, none
    if metric == "brennan_prediger":
        return float(distance.mean()), none
    if metric == "gwet_ac1":
        alike = (most - distance).sum() / (n_classes * max(n_classes - 1, 1))
        return float(most - alike * (1 - shares @ shares)), 2 * alike * shares
    # Two ratings are drawn without replacement for alpha.
    times = n_ratings / (n_ratings - 1) if metric == "krippendorff_alpha" else 1.0
    return float(times * (shares @ distance @ shares)), 2 * times * (distance @ shares)


def _rises_of_ranks(weights: Array, shares: Array) -> Array:
    """The derivatives by the shares of a sum of weighted (symmetric) distances of ranks."""
    ranks = np.cumsum(shares) - shares / 2
    pulls = ranks * weights.sum(-1) - weights @ ranks
    # A share adds itself to all higher ranks, and half of itself to its own.
    return np.asarray(4 * (np.cumsum(pulls[::-1])[::-1] - pulls / 2))
