"""Where expected values come from: textbook formulas in plain Python, and other libraries."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, hypot, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint

from tests import proportions
from tests.variants.variant import Samples

Z = stats.norm.isf(0.025)
# A value with its lower and its upper limit.
Limits = tuple[float, float, float]
# Hits and their number.
Share = tuple[int, int]


def ratio(hits: float, n: float) -> float:
    """A share, undefined without samples."""
    return hits / n if n else nan


def counts(samples: Samples) -> tuple[int, int, int, int]:
    """tp, fp, fn and tn."""
    return samples.counts


def hits_of_recall(samples: Samples) -> Share:
    """The actual positives that are found, and all of them."""
    tp, _, fn, _ = samples.counts
    return tp, tp + fn


def recall(samples: Samples) -> float:
    """tp / (tp + fn)"""
    return ratio(*hits_of_recall(samples))


def recall_or_0(samples: Samples) -> float:
    """The same, 0 without actual positives, as scikit-learn has it."""
    return recall(samples) if samples.true.any() else 0.0


def mid_p(share: Share, error: float = 0.05) -> Limits:
    """A share with mid-P limits (Lancaster 1961)."""
    hits, n = share
    if not n:
        return nan, 0.0, 1.0
    return hits / n, *proportions.mid_p(hits, n, error)


def once_with_weights(samples: Samples) -> tuple[Samples, Any]:
    """Each of the samples, and how many times it is there."""
    _, first, times = np.unique(samples.row, return_index=True, return_counts=True)
    return samples.at(first), times


class Found(NamedTuple):
    """Whether each of some weighted samples is found, of so many in all, and the mean weight that a
    sample has that is found, or is not; None: that of these.
    """

    found: Any
    weights: Any
    n_samples: int
    typical: tuple[float, float] | None = None


def mid_p_of_weights(share: Found, error: float = 0.05) -> Limits:
    """A share of weighted samples, with mid-P limits by Student's t and an effective number of
    samples.
    """
    value, n = effective_share(share)
    t = stats.t.isf(error / 2, len(share.found) - 1)
    return value, *proportions.mid_p(value * n, n, 2 * stats.norm.sf(t))


def effective_share(share: Found) -> tuple[float, float]:
    """A share of weighted samples, and of how many samples it is: as many as give the variance of
    the ratio estimator, where each weighs as much as samples like it.
    """
    found, weights, n_samples, typical = share
    value = float(np.average(found, weights=weights))
    of_found, of_missed = typical or (own_weight(weights, found == k) for k in (1, 0))
    n = weights.sum() / (value * of_missed + (1 - value) * of_found)
    return value, n * (1 - 1 / n_samples)


def own_weight(weights: Any, chosen: Any) -> float:
    """The mean weight of some samples, itself weighted."""
    return float((weights[chosen] ** 2).sum() / weights[chosen].sum())


def typical_weights(once: Samples, weights: Any) -> dict[tuple[int, int], float]:
    """The mean weight of each cell, by actual and predicted class; of fewer than 100 samples no
    less than of those like them.
    """
    of_cells = {
        (true, pred): (once.true == true) & (once.pred == pred)
        for true in (0, 1)
        for pred in (0, 1)
    }
    own = {cell: own_weight(weights, chosen) for cell, chosen in of_cells.items()}

    def of_cell(true: int, pred: int) -> float:
        number = np.count_nonzero(of_cells[true, pred])
        assert number >= 10
        if number >= 100:
            return own[true, pred]
        alike = own_weight(weights, once.true == true), own_weight(weights, once.pred == pred)
        return max(own[true, pred], *alike)

    return {cell: of_cell(*cell) for cell in of_cells}


def found_positives(samples: Samples) -> Found:
    """Whether each actual positive is found, its weight, and the number of all samples."""
    once, weights = once_with_weights(samples)
    typical, is_positive = typical_weights(once, weights), once.true == 1
    of_found_and_missed = typical[1, 1], typical[1, 0]
    of_positives = once.pred[is_positive], weights[is_positive]
    return Found(*of_positives, len(once.true), of_found_and_missed)


def limits_of_weighted_recall(samples: Samples) -> Limits:
    """The recall of samples that are there as often as they weigh."""
    return mid_p_of_weights(found_positives(samples))


def to_three_decimals(numbers: Any) -> Any:
    """Levels are bisected as often as p-values are shown."""
    return np.round(numbers, 3)


def gap_of_weights(first: Samples, second: Samples) -> Any:
    """The difference of two recalls of weighted samples, MOVER's limits, and at which level these
    exclude equality.
    """
    shares = [found_positives(samples) for samples in (first, second)]
    return gap_of_limits(lambda error: [mid_p_of_weights(share, error) for share in shares])


def gap_of_limits(limits_of: Callable[[float], Sequence[Limits]]) -> Any:
    """The difference of two values with their limits at each level, MOVER's limits, and at which
    level these exclude equality.
    """

    def limits_at(error: float) -> tuple[float, ...]:
        few, most = sorted(limits_of(error))
        value = most[0] - few[0]
        low = value - hypot(most[0] - most[1], few[2] - few[0])
        return value, low, value + hypot(most[2] - most[0], few[0] - few[1])

    p_value = optimize.brentq(lambda error: limits_at(error)[1], 1e-9, 1 - 1e-9, xtol=1e-14)
    value, low, high = limits_at(0.05)
    return to_three_decimals((value, max(low, 0.0), high, p_value))


def gap_of_two(first: Share, second: Share) -> tuple[float, ...]:
    """The difference of two shares, MOVER's limits (Newcombe 1998), and at which level these
    exclude equality; nan without any.
    """
    if not first[1] or not second[1]:
        return (nan,) * 4
    return gap_of_limits(lambda error: [mid_p(share, error) for share in (first, second)])


def clopper_pearson(share: Share, error: float = 0.05) -> Limits:
    """A share with exact limits, each of which fails with this probability."""
    hits, n = share
    if not n:
        return nan, 0.0, 1.0
    low, high = proportion_confint(hits, n, alpha=2 * error, method="beta")
    return hits / n, low, high


def score_of_pair(first_alone: int, second_alone: int, n: int, difference: float) -> float:
    """Tango's (1998) statistic of a difference of paired shares."""
    excess = first_alone - second_alone
    middle = (2 * n - excess) * difference - first_alone - second_alone
    product = -second_alone * difference * (1 - difference)
    share = (sqrt(middle**2 - 8 * n * product) - middle) / (4 * n)
    variance = n * (2 * share + difference * (1 - difference))
    return (excess - n * difference) / sqrt(variance)


def score_of_ratio(cells: tuple[int, int, int], n: int, ratio: float) -> float:
    """Tang, Tang & Chan's (2003) statistic of a ratio of paired shares: both have so many right, or
    one alone.
    """
    both, first_alone, second_alone = cells
    first, second, either = both + first_alone, both + second_alone, sum(cells)
    middle = second * ratio**2 - first - 2 * second_alone
    square, product = n * (1 + ratio), second_alone * (1 - ratio) * either / n
    share = (sqrt(middle**2 - 4 * square * product) - middle) / (2 * square)
    return (first - second * ratio) / sqrt(square * share + either * (ratio - 1))


def pairs_of_recall(samples: Samples) -> tuple[tuple[int, int, int], int]:
    """How many actual positives both find, the first alone, and the second, and how many are."""
    first, second = (of[samples.true == 1].tolist() for of in (samples.pred, samples.other))
    pairs = [*zip(first, second, strict=True)]
    return (pairs.count((1, 1)), pairs.count((1, 0)), pairs.count((0, 1))), len(pairs)


def fair_p(alone: tuple[int, int]) -> float:
    """McNemar's mid-p-value."""
    of_chance = stats.binom(sum(alone), 0.5)
    return float(2 * of_chance.cdf(min(alone)) - of_chance.pmf(min(alone)))


def paired_recalls(samples: Samples) -> tuple[float, ...]:
    """Both recalls, their difference, Tango's limits, McNemar's fair-p."""
    (both, *alone), n = pairs_of_recall(samples)
    first, second = alone
    low, high = (
        optimize.brentq(lambda x, z=z: score_of_pair(*alone, n, x) - z, -1 + 1e-9, 1 - 1e-9)
        for z in (Z, -Z)
    )
    values = (both + first) / n, (both + second) / n, (first - second) / n
    return *values, low, high, fair_p((first, second))


def relative_recalls(samples: Samples) -> tuple[float, ...]:
    """Both recalls, their ratio, Tang's limits, McNemar's fair-p."""
    cells, n = pairs_of_recall(samples)
    both, first, second = cells
    low, high = (
        optimize.brentq(lambda x, z=z: score_of_ratio(cells, n, x) - z, 1e-9, 1e3) for z in (Z, -Z)
    )
    values = (both + first) / n, (both + second) / n, (both + first) / (both + second)
    return *values, low, high, fair_p((first, second))


def p_of_margin(samples: Samples, margin: float) -> float:
    """That the first recall is lower than the second by no more than a margin, above 0."""
    (_, *alone), n = pairs_of_recall(samples)
    z = score_of_pair(*alone, n, -margin)
    return float(stats.norm.sf(z))


def placements(samples: Samples, score: Any) -> tuple[Any, Any]:
    """The share of negatives below each positive, and of positives above each negative."""
    positive, negative = (score[samples.true == label] for label in (1, 0))
    above = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    return above.mean(1), above.mean(0)


def paired_areas(samples: Samples) -> tuple[float, ...]:
    """Both areas, their difference, and DeLong's p-value."""
    first, second = (placements(samples, of) for of in (samples.score, samples.other_score))
    parts = [one - other for one, other in zip(first, second, strict=True)]
    variance = sum(part.var(ddof=1) / len(part) for part in parts)
    areas = first[0].mean(), second[0].mean()
    difference = areas[0] - areas[1]
    return *areas, difference, 2 * stats.norm.sf(abs(difference) / sqrt(variance))


def e_values(hits: Sequence[int], n: Sequence[int], bound: Fraction, horizon: int) -> list[float]:
    """The mean of the ratios that start in each month, at the end of each: beta weights of 20."""
    a, b = int(20 * bound), int(20 * (1 - bound))

    def integral(right: int, wrong: int) -> Fraction:
        terms = (
            Fraction((-1) ** k * comb(wrong - 1, k), right + k) * bound ** (right + k)
            for k in range(wrong)
        )
        return sum(terms, Fraction(0))

    def started(right: int, wrong: int) -> Fraction:
        likelihood = bound**right * (1 - bound) ** wrong
        return integral(a + right, b + wrong) / integral(a, b) / likelihood

    found = []
    for end in range(1, len(hits) + 1):
        parts = [(sum(hits[k:end]), sum(n[k:end])) for k in range(min(end, horizon))]
        ratios = [started(right, total - right) for right, total in parts]
        found.append(float((sum(ratios) + horizon - len(ratios)) / horizon))
    return found
