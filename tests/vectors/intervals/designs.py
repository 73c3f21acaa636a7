"""Samples in clusters, with weights, and of which only some are verified: each from its definition,
in fractions up to the quantiles.
"""

from fractions import Fraction

from tests.vectors.exact import REALS
from tests.vectors.intervals.proportions import Outputs, clopper_pearson_limits, mid_p_limits
from tests.vectors.intervals.reals import (
    Real,
    as_fraction,
    level_of,
    level_of_errors,
    real,
    student_errors,
)

# So few hits or misses do not give the variation between clusters.
FEW_HITS = 5
# So many samples give their mean weight.
ENOUGH_WEIGHTS = 100


def mid_p_of_clusters(clusters: list[list[int]], level: str) -> Outputs:
    """Each cluster is [hits, n]. p: sum of hits / sum of n; v: sum of (hits - p n)^2 / (sum of
    n)^2, the variance of the ratio estimator; k: (sum of n)^2 / sum of n^2, Kish's effective number
    of clusters, at least 2 in what follows; effective_n: p (1 - p) / v, at most k if that gives
    fewer than five effective hits or misses; limits: mid_p of p effective_n hits among
    effective_n, with t sqrt(k / (k - 1)) in place of z, t the quantile of Student's t with k - 1
    degrees of freedom, and the alpha that belongs to it. Where v is 0, effective_n is the number of
    clusters with n above 0, and the limits are those of independent samples. So they are where
    every cluster has one sample, and effective_n is their number.

    Source: the ratio estimator of Cochran 1977, Sampling Techniques, 3rd edition, section 6.3; the
    effective number of samples of Korn & Graubard 1998, Survey Methodology 24:193; the rest is of
    skmetrics-ext.
    """
    share, effective, errors = _effective(clusters, level)
    if share is None:
        return _no_samples()
    of_level = level_of(level) if errors is None else level_of_errors(errors)
    limits = mid_p_limits(share * effective, effective, of_level)
    return {"value": share, "effective_n": effective, "low": limits.low, "high": limits.high}


def korn_graubard_of_clusters(clusters: list[list[int]], level: str) -> Outputs:
    """clopper_pearson of p e hits among e, where e is effective_n of mid_p_of_clusters times
    (z / (t sqrt(k / (k - 1))))^2, with its p, t and k; e is its effective_n where v is 0 and
    where every cluster has one sample.

    Source: Korn & Graubard 1998, Survey Methodology 24:193; the degrees of freedom are of
    skmetrics-ext.
    """
    share, effective, errors = _effective(clusters, level)
    if share is None:
        return _no_samples()
    of_level = level_of(level)
    if errors is not None:
        effective *= as_fraction((of_level.errors / errors) ** 2)
    limits = clopper_pearson_limits(share * effective, effective, of_level)
    effective_n = effective if errors is None else real(effective)
    return {"value": share, "effective_n": effective_n, "low": limits.low, "high": limits.high}


def _effective(
    clusters: list[list[int]], level: str
) -> tuple[Fraction | None, Fraction, Real | None]:
    """A proportion, how many independent samples say as much of it, and how many standard errors
    the limits are away; None where the clusters do not vary.
    """
    filled = [(hits, n) for hits, n in clusters if n]
    total = sum(n for _, n in filled)
    if not total:
        return None, Fraction(0), None
    share = Fraction(sum(hits for hits, _ in filled), total)
    kish = Fraction(total**2, sum(n * n for _, n in filled))
    variance = sum((hits - share * n) ** 2 for hits, n in filled) / total**2
    if not variance or total == len(filled):
        return share, Fraction(len(filled)), None
    effective = share * (1 - share) / variance
    if min(share, 1 - share) * effective < FEW_HITS:
        effective = min(effective, kish)
    kish = max(kish, Fraction(2))
    errors = student_errors(kish - 1, level_of(level).alpha) * REALS.sqrt(real(kish / (kish - 1)))
    return share, effective, errors


def mid_p_of_weights(hits: list[list[str]], misses: list[list[str]], level: str) -> Outputs:
    """hits and misses are [weight, number of samples], all of one actual class. W: the sum of all
    weights, p: that of hits / W; a mean weight is sum of w^2 / sum of w; h: the mean weight of
    hits, at least that of all samples if there are fewer than 100 hits, the largest weight of all
    without hits; m: the same of misses; effective_n: W / (p m + (1 - p) h), times 1 - 1 / n if p is
    neither 0 nor 1, n the number of samples; limits: mid_p of p effective_n hits among
    effective_n, with the quantile of Student's t with n - 1 degrees of freedom in place of z, and
    the alpha that belongs to it. Samples whose weights are all equal are independent samples: the
    limits are mid_p of them, and effective_n is n.

    Source: Korn & Graubard 1998, Survey Methodology 24:193, for the effective number of samples;
    the weights of few samples are of skmetrics-ext.
    """
    of_hits, of_misses = (
        [(Fraction(weight), int(number)) for weight, number in part] for part in (hits, misses)
    )
    of_all = of_hits + of_misses
    total, number = sum(w * n for w, n in of_all), sum(n for _, n in of_all)
    share = sum(w * n for w, n in of_hits) / total
    if len({weight for weight, _ in of_all}) == 1:
        limits = mid_p_limits(share * number, Fraction(number), level_of(level))
        return {"value": share, "effective_n": number, "low": limits.low, "high": limits.high}
    typical = share * _weight_of(of_misses, of_all) + (1 - share) * _weight_of(of_hits, of_all)
    effective = total / typical * (1 - Fraction(1, number) if 0 < share < 1 else 1)
    errors = student_errors(number - 1, level_of(level).alpha)
    limits = mid_p_limits(share * effective, effective, level_of_errors(errors))
    return {"value": share, "effective_n": effective, "low": limits.low, "high": limits.high}


def _weight_of(part: list[tuple[Fraction, int]], of_all: list[tuple[Fraction, int]]) -> Fraction:
    """The weight that a sample like these may have."""
    number = sum(n for _, n in part)
    if not number:
        return max(weight for weight, _ in of_all)
    own = _mean_weight(part)
    return own if number >= ENOUGH_WEIGHTS else max(own, _mean_weight(of_all))


def _mean_weight(part: list[tuple[Fraction, int]]) -> Fraction:
    """The mean weight, itself weighted by the weights."""
    return Fraction(sum(w * w * n for w, n in part), sum(w * n for w, n in part))


def begg_greenes(positive: list[int], negative: list[int]) -> Outputs:
    """positive and negative are [n, s, r]: of n samples with this prediction, s are verified as
    actual positives and r as actual negatives. With P = n s / (s + r) and Q = n r / (s + r) of
    each: sensitivity a = P1 / (P1 + P2), specificity b = Q2 / (Q1 + Q2), of the positive (1) and
    the negative (2) predictions; variances: (a (1 - a))^2 ((n1 + n2) / (n1 n2) + r1 / (s1 (s1 +
    r1)) + r2 / (s2 (s2 + r2))), and (b (1 - b))^2 ((n1 + n2) / (n1 n2) + s1 / (r1 (s1 + r1)) + s2 /
    (r2 (s2 + r2))). No variance where a divisor is 0.

    Source: Begg & Greenes 1983, Biometrics 39:207.
    """
    names = ("sensitivity", "specificity", "variance_of_sensitivity", "variance_of_specificity")
    found: Outputs = dict.fromkeys(names)
    of_each = [positive, negative]
    if any(n and not s + r for n, s, r in of_each):
        return found | {"undefined": "0/0: none of the samples with a prediction is verified"}
    why = []
    for place, (rate, own) in enumerate([("sensitivity", 1), ("specificity", 2)]):
        expected = [Fraction(of[0] * of[own], max(of[1] + of[2], 1)) for of in of_each]
        if not sum(expected):
            why.append(f"{rate} is 0/0")
            continue
        value = found[rate] = expected[place] / sum(expected)
        divisors = [of[0] * of[own] for of in of_each]
        if not all(divisors):
            why.append(f"variance_of_{rate} is 0/0")
            continue
        spread = Fraction(positive[0] + negative[0], positive[0] * negative[0])
        spread += sum(Fraction(of[3 - own], of[own] * (of[1] + of[2])) for of in of_each)
        found[f"variance_of_{rate}"] = (value * (1 - value)) ** 2 * spread
    return found | ({"undefined": "; ".join(why)} if why else {})


def _no_samples() -> Outputs:
    """No samples, which exclude nothing."""
    return {
        "value": None,
        "effective_n": Fraction(0),
        "low": Fraction(0),
        "high": Fraction(1),
        "undefined": "0/0: there are no samples, and the limits exclude nothing",
    }
