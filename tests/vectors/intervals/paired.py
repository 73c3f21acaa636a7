"""Two classifiers on the same samples: Tango's limits and McNemar's tests, by the samples that only
one has right.
"""

from fractions import Fraction
from math import comb

from tests.vectors.exact import REALS
from tests.vectors.intervals.proportions import Outputs
from tests.vectors.intervals.reals import Real, level_of, real, where_zero

# How near to the difference the search for a limit begins.
BESIDE = Fraction(1, 10**30)
NO_DISCORDANT = "0/0: no sample is discordant"


def tango(only_first: int, only_second: int, n: int, level: str) -> Outputs:
    """The differences d with b - c - n d = +-z sqrt(n (2 q + d - d^2)), where b and c are
    only_first and only_second and q is the most likely probability of c if the difference is d: the
    larger root of 2 n q^2 + ((2 n - b + c) d - b - c) q - c d (1 - d).

    Source: Tango 1998, Statistics in Medicine 17:891.
    """
    if not n:
        undefined = "0/0: there are no samples"
        return {"value": None, "low": None, "high": None, "undefined": undefined}
    errors = level_of(level).errors
    difference = Fraction(only_first - only_second, n)
    limits = []
    for end in (-1, 1):
        beside = difference + BESIDE * (end - difference)

        def excess(shift: Real, sign: int = -end) -> Real:
            """How far the statistic is beyond its quantile."""
            spread = _spread_at(only_first, only_second, n, shift)
            return sign * (only_first - only_second - n * shift) - errors * spread

        limits.append(Fraction(end) if difference == end else where_zero(excess, beside, end))
    return {"value": difference, "low": limits[0], "high": limits[1]}


def _spread_at(only_first: int, only_second: int, n: int, shift: Real) -> Real:
    """The standard error of b - c at a difference."""
    linear = (2 * n - only_first + only_second) * shift - only_first - only_second
    square = linear**2 + 8 * n * only_second * shift * (1 - shift)
    share = (REALS.sqrt(max(square, 0)) - linear) / (4 * n)
    return REALS.sqrt(max(n * (2 * share + shift * (1 - shift)), 0))


def tango_non_inferiority(only_first: int, only_second: int, n: int, margin: str) -> Outputs:
    """1 - Phi((b - c + n margin) / sqrt(n (2 q - margin - margin^2))): the one-sided p-value of a
    difference of -margin or less, with q of tango at d = -margin.

    Source: Tango 1998, Statistics in Medicine 17:891.
    """
    shift = -real(Fraction(margin))
    spread = _spread_at(only_first, only_second, n, shift)
    distance = (only_first - only_second - n * shift) / spread
    return {"p_value": REALS.erfc(distance / REALS.sqrt(2)) / 2}


def mcnemar_exact(only_first: int, only_second: int) -> Outputs:
    """min(1, 2 P(X <= min(b, c))), where b and c are only_first and only_second, and X is binomial
    of b + c with probability 1/2.

    Source: McNemar 1947, Psychometrika 12:153; Fagerland, Lydersen & Laake 2013, BMC Medical
    Research Methodology 13:91.
    """
    n, rarer = only_first + only_second, min(only_first, only_second)
    return {"p_value": min(Fraction(1), 2 * sum(_half(k, n) for k in range(rarer + 1)))}


def mcnemar_mid_p(only_first: int, only_second: int) -> Outputs:
    """p_value: 2 P(X < min(b, c)) + P(X = min(b, c)), where b and c are only_first and only_second,
    and X is binomial of b + c with probability 1/2; it is 1 for b = c. p_value_of_both_tails:
    P(|X - m| > |b - m|) + P(|X - m| = |b - m|) / 2 with m = (b + c) / 2, the same but for b = c,
    where it is 1 - P(X = b) / 2.

    Source: Lancaster 1961, Journal of the American Statistical Association 56:223, for p_value;
    Fagerland, Lydersen & Laake 2013, BMC Medical Research Methodology 13:91, for the other.
    """
    n, rarer = only_first + only_second, min(only_first, only_second)
    below = sum((_half(k, n) for k in range(rarer)), Fraction(0))
    distances = [(abs(2 * k - n), _half(k, n)) for k in range(n + 1)]
    own = abs(2 * only_first - n)
    both = sum(
        share * (1 if far > own else Fraction(1, 2)) for far, share in distances if far >= own
    )
    return {"p_value": 2 * below + _half(rarer, n), "p_value_of_both_tails": Fraction(both)}


def mcnemar_asymptotic(only_first: int, only_second: int) -> Outputs:
    """statistic: (b - c)^2 / (b + c), where b and c are only_first and only_second; p_value:
    P(chi-squared of 1 degree of freedom >= statistic). The same with the continuity correction of
    Edwards: max(|b - c| - 1, 0)^2 / (b + c).

    Source: McNemar 1947, Psychometrika 12:153; Edwards 1948, Psychometrika 13:185.
    """
    names = ("statistic", "p_value", "statistic_corrected", "p_value_corrected")
    n, apart = only_first + only_second, abs(only_first - only_second)
    if not n:
        return dict.fromkeys(names) | {"undefined": NO_DISCORDANT}
    found = []
    for distance in (apart, max(apart - 1, 0)):
        statistic = Fraction(distance**2, n)
        p_value = REALS.erfc(REALS.sqrt(real(statistic / 2))) if statistic else Fraction(1)
        found += [statistic, p_value]
    return dict(zip(names, found, strict=True))


def corrected_mid_p(only_first: list[int], only_second: list[int]) -> Outputs:
    """p_value: that of mcnemar_mid_p of each of k comparisons; bonferroni: times k, at most 1;
    holm: from the smallest times k, k - 1, ..., 1, no less than the one before and at most 1.

    Source: Holm 1979, Scandinavian Journal of Statistics 6:65.
    """
    p_values = [
        mcnemar_mid_p(*counts)["p_value"] for counts in zip(only_first, only_second, strict=True)
    ]
    number = len(p_values)
    holm, least = [Fraction(0)] * number, Fraction(0)
    for rank, place in enumerate(sorted(range(number), key=p_values.__getitem__)):
        least = max(least, min(Fraction(1), (number - rank) * p_values[place]))
        holm[place] = least
    bonferroni = [min(Fraction(1), number * p_value) for p_value in p_values]
    return {"p_value": p_values, "holm": holm, "bonferroni": bonferroni}


def _half(k: int, n: int) -> Fraction:
    """The binomial probability of k among n, each with probability 1/2."""
    return Fraction(comb(n, k), 2**n)
