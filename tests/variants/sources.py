"""Where expected values come from: textbook formulas in plain Python, and other libraries."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, hypot, nan, sqrt
from typing import Any

from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint

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


def hits_of_accuracy(samples: Samples) -> Share:
    """The samples that are right, and all of them."""
    tp, _, __, tn = samples.counts
    return tp + tn, len(samples.true)


def recall(samples: Samples) -> float:
    """tp / (tp + fn)"""
    return ratio(*hits_of_recall(samples))


def recall_or_0(samples: Samples) -> float:
    """The same, 0 without actual positives, as scikit-learn has it."""
    return recall(samples) if samples.true.any() else 0.0


def wilson(share: Share) -> Limits:
    """Wilson's limits; with one or two hits, or misses, those of Brown, Cai & DasGupta (2001)."""
    hits, n = share
    if not n:
        return nan, 0.0, 1.0
    low, high = proportion_confint(hits, n, method="wilson")
    if 0 < hits < 3:
        low = min(low, stats.chi2.ppf(0.05, 2 * hits) / 2 / n)
    if 0 < n - hits < 3:
        high = max(high, 1 - stats.chi2.ppf(0.05, 2 * (n - hits)) / 2 / n)
    return hits / n, low, high


def gap_of_two(first: Share, second: Share) -> tuple[float, ...]:
    """The difference of two shares, MOVER's limits (Newcombe 1998), Fisher's p; nan without any."""
    if not first[1] or not second[1]:
        return (nan,) * 4
    (few, few_low, few_high), (most, most_low, most_high) = sorted([wilson(first), wilson(second)])
    value = most - few
    low = value - hypot(most - most_low, few_high - few)
    high = value + hypot(most_high - most, few - few_low)
    table = [[hits, n - hits] for hits, n in (first, second)]
    return value, max(low, 0.0), high, stats.fisher_exact(table).pvalue


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


def paired_recalls(samples: Samples) -> tuple[float, ...]:
    """Both recalls, their difference, Tango's limits, McNemar's fair-p."""
    first, second = (of[samples.true == 1].tolist() for of in (samples.pred, samples.other))
    pairs, n = [*zip(first, second, strict=True)], len(first)
    alone = pairs.count((1, 0)), pairs.count((0, 1))
    value = (alone[0] - alone[1]) / n
    low, high = (
        optimize.brentq(lambda x, z=z: score_of_pair(*alone, n, x) - z, -1 + 1e-9, 1 - 1e-9)
        for z in (Z, -Z)
    )
    exact = stats.binomtest(min(alone), sum(alone)).pvalue
    p_value = min(exact - stats.binom.pmf(min(alone), sum(alone), 0.5), 1.0)
    return sum(first) / n, sum(second) / n, value, low, high, p_value


def p_of_margin(samples: Samples, margin: float) -> float:
    """That the first recall is lower than the second by no more than a margin, above 0."""
    first, second = (of[samples.true == 1].tolist() for of in (samples.pred, samples.other))
    pairs = [*zip(first, second, strict=True)]
    z = score_of_pair(pairs.count((1, 0)), pairs.count((0, 1)), len(pairs), -margin)
    return float(stats.norm.sf(z))


def placements(samples: Samples, score: Any) -> tuple[Any, Any]:
    """The share of negatives below each positive, and of positives above each negative."""
    positive, negative = (score[samples.true == label] for label in (1, 0))
    above = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    return above.mean(1), above.mean(0)


def paired_areas(samples: Samples) -> tuple[float, ...]:
    """Both areas, their difference, and DeLong's p-value by Student's t."""
    first, second = (placements(samples, of) for of in (samples.score, samples.other_score))
    parts = [one - other for one, other in zip(first, second, strict=True)]
    variance = sum(part.var(ddof=1) / len(part) for part in parts)
    areas = first[0].mean(), second[0].mean()
    difference = areas[0] - areas[1]
    df = min(map(len, parts)) - 1
    p_value = 2 * stats.t.sf(abs(difference) / sqrt(variance), df)
    return *areas, difference, p_value


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
