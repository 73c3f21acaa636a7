"""Two models on the same samples -> the difference in a metric, its limits and p-value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.classes import has_slope
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.constants import FEW, FEW_HITS, FEWEST
from skmetrics_ext.statistics.estimand import clipped
from skmetrics_ext.statistics.inversion import LimitsAt, on_logarithm, p_value_of
from skmetrics_ext.statistics.methods import METHODS, chosen, methods_for, shown
from skmetrics_ext.statistics.pairs.bootstrap import PairedDraws, drawn_differences
from skmetrics_ext.statistics.pairs.delta import limits_by_slopes
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import discordant, mid_p_value
from skmetrics_ext.statistics.pairs.metric import PairedMetric
from skmetrics_ext.statistics.pairs.pair import Pair, n_deciding
from skmetrics_ext.statistics.pairs.pseudo_units import (
    PseudoUnits,
    units_half_right,
    with_further_units,
)
from skmetrics_ext.statistics.pairs.score_test import p_value_by_rates
from skmetrics_ext.statistics.values.bootstrap import leaves_any_out, percentiles, percentiles_apart

# A smaller proportion of the values is rounding of derivatives and sums of weights.
FLAT = 1e-10
FEW_OF_RATIO = (
    "a single sample changes one of the values by more than a tenth of it: limits of the ratio may "
    "be too narrow{where}."
)
FEW_DECIDING = (
    f"fewer than {FEW_HITS} {{what}} decide the ratio, by how much they add to it: its limits may "
    "be too narrow{{where}}."
)
FEW_OF_EITHER = (
    f"fewer than {FEW} samples make either of the values more than 0: limits of the ratio may be "
    "too narrow{where}."
)


class DifferenceRequest(NamedTuple):
    """Confidence level, number of replicates and method."""

    confidence_level: float
    n_resamples: int
    # Called with the number of replicates so far.
    tell: Callable[[str], None]
    method: str = "auto"
    kind: str = "difference"

    @property
    def question(self) -> str:
        """The question of the table of methods."""
        return "ratio of models" if self.kind == "ratio" else "difference"


def difference_of(
    pair: Pair,
    metric: PairedMetric,
    names: tuple[str, str, str],
    request: DifferenceRequest,
    seed: np.random.SeedSequence,
) -> Compared:
    """The first model minus the second, or divided by it; `names` are those of the metric and of
    both.
    """
    name, *models = names
    asked = metric.choice.name_with(metric.choice.average)
    fitting = _fitting(request.question, pair, metric)
    method = chosen(request.method, fitting, f"a {request.kind} of {asked} of {pair.kind} samples")
    value_a, value_b = (float(metric.value.values(total)) for total in pair.observed())
    of_pair = Compared(
        metric=name,
        models=(models[0], models[1]),
        values=(value_a, value_b),
        known=unknown("undefined"),
        is_lower_better=metric.choice.row.better == "lower",
        kind=request.kind,
    )
    if not np.isfinite(of_pair.difference):
        return of_pair
    draws = PairedDraws(request.n_resamples, seed, request.tell)
    if request.method != "auto":
        known = _by_name(method, pair, metric, draws, request.kind)
        known = known._replace(n_deciding=_n_deciding(method, pair, metric, None, request.kind))
        return of_pair._replace(
            known=known, caveats=(*_of_named(request, pair, metric.value.n_classes, known),)
        )
    of_difference = _fitting("difference", pair, metric)[0]
    known = _by_default(of_difference, pair, metric, of_pair.difference, draws)
    further = _further(of_difference, pair, metric)
    number = _n_deciding(of_difference, pair, metric, further, "difference")
    known = known._replace(n_deciding=number)
    low, high = map(
        float,
        of_pair._replace(known=known, kind="difference").limits_at(alpha_of_replicates(request)),
    )
    least_width = 0 if of_difference == "tango" else FLAT * max(abs(value_a), abs(value_b))
    of_pair = of_pair._replace(known=known)
    if high - low <= least_width:
        return without_limits(of_pair, asked)
    if request.kind == "difference":
        return of_pair
    # Whether two values are equal is one question, whatever is said of them: by one test.
    further = _further(method, pair, metric)
    limits_at = _limits_by(method, pair, metric, further, draws, "ratio")
    how = known.method.replace(METHODS[of_difference].shown, METHODS[method].shown)
    number = _n_deciding(method, pair, metric, further, "ratio")
    known = known._replace(limits_at=limits_at, method=how, n_deciding=number)
    return of_pair._replace(known=known, caveats=(*_of_few(method, pair, metric, number),))


def _of_few(method: str, pair: Pair, metric: PairedMetric, number: float) -> Iterator[Caveat]:
    """What limits of a ratio of few hits do not promise; how many samples either model has right
    says nothing of the ratio of two proportions, so where these are enough limits hold as ever.
    """
    if method == "tang":
        if discordant(pair, metric).n_of_either < FEW:
            yield Caveat("few_samples", FEW_OF_EITHER)
    elif not _rests_on_many(pair, metric):
        yield Caveat("few_samples", FEW_OF_RATIO)
    elif pair.kind != "independent" and number < FEW_HITS:
        what = "clusters" if pair.clustered else "samples"
        yield Caveat("few_samples", FEW_DECIDING.format(what=what))


def _rests_on_many(pair: Pair, metric: PairedMetric) -> bool:
    """Whether no sample changes one of the values by more than a tenth of it, which pseudo-units
    also tell where a kind of error did not occur.
    """
    value = metric.value
    filled = with_further_units(pair, units_half_right(pair, value.n_classes, pair.n_samples))
    counts = value.counts_of(filled.observed())
    gradients, values = value.gradient_of(counts), value.of(counts)
    weight = float(filled.observed()[0].sum()) / max(pair.n_samples, 1)
    changes = np.abs(ratio(gradients, values[:, None])) * weight
    return bool((changes <= (1 + FLAT) / FEW).all())


def _fitting(question: str, pair: Pair, metric: PairedMetric) -> tuple[str, ...]:
    """The methods that apply, the best first."""
    fitting = methods_for(question, pair.kind, metric.classes)
    if metric.share is None and not has_slope(metric.choice.row, metric.choice.average):
        return tuple(of for of in fitting if METHODS[of].needs != "derivatives")
    return fitting


def alpha_of_replicates(request: DifferenceRequest) -> float:
    """The requested alpha, or the least that replicates can tell."""
    return max(1 - request.confidence_level, 2 / (request.n_resamples + 1))


def without_limits(of_pair: Compared, name: str) -> Compared:
    """A difference whose replicates don't vary."""
    text = (
        f"all replicates of the difference in {name} are identical, so its confidence limits and "
        "p-value are nan."
    )
    caveats = (*of_pair.caveats, Caveat("constant", text))
    return of_pair._replace(known=unknown(of_pair.known.method), caveats=caveats)


def _by_default(
    method: str, pair: Pair, metric: PairedMetric, difference: float, draws: PairedDraws
) -> LimitsAndTest:
    """Limits with pseudo-units; the p-value of McNemar's test, or the larger one of the score test
    and of the limits.
    """
    tests = methods_for("equality of models", pair.kind, metric.classes)
    limits_at = _limits_by(method, pair, metric, _further(method, pair, metric), draws)
    if "mcnemar" in tests:
        return LimitsAndTest(limits_at, _mid_p_value(pair, metric), shown("mcnemar", method))
    p_value = p_value_of(limits_at, difference)
    by_rates = p_value_by_rates(pair, metric) if "score" in tests else 0.0
    if by_rates > p_value:
        return LimitsAndTest(limits_at, by_rates, shown("score", method))
    return LimitsAndTest(limits_at, p_value, shown(method, "inverted"))


def _n_deciding(
    method: str, pair: Pair, metric: PairedMetric, further: PseudoUnits | None, kind: str
) -> float:
    """How many units the variance is known by, that of the delta method; a score test's is that of
    the difference that it tests.
    """
    if method != "delta":
        return np.inf
    filled = pair if further is None else with_further_units(pair, further)
    return n_deciding(filled, metric.value, kind)


def _further(method: str, pair: Pair, metric: PairedMetric) -> PseudoUnits:
    """Pseudo-units of the default methods.

    Of few clusters that differ the others say no more than as many samples; among many, whole ones
    would be too influential.
    """
    are_whole = method != "delta" or pair.n_differ < FEW
    n = pair.n if are_whole else pair.n_samples
    return units_half_right(pair, metric.value.n_classes, n)


def _by_name(
    method: str, pair: Pair, metric: PairedMetric, draws: PairedDraws, kind: str
) -> LimitsAndTest:
    """A published method, and the p-value that inverts its limits."""
    if method == "mcnemar":
        return unknown(shown(method))._replace(p_value=_mid_p_value(pair, metric))
    is_smoothed = method == "smoothed-bootstrap"
    further = units_half_right(pair, metric.value.n_classes, pair.n) if is_smoothed else None
    limits_at = _limits_by(method, pair, metric, further, draws, kind)
    from_0 = limits_at if kind == "difference" else on_logarithm(limits_at)
    p_value = min(p_value_of(from_0, sign) for sign in (1.0, -1.0))
    return LimitsAndTest(limits_at, p_value, shown(method, "inverted"), is_as_published=True)


def _mid_p_value(pair: Pair, metric: PairedMetric) -> float:
    """McNemar's."""
    found = discordant(pair, metric)
    return mid_p_value(found.only_first, found.only_second)


def _limits_by(
    method: str,
    pair: Pair,
    metric: PairedMetric,
    further: PseudoUnits | None,
    draws: PairedDraws,
    kind: str = "difference",
) -> LimitsAt:
    """The limits of an applicable method, maybe with pseudo-units, in the possible range."""
    if method == "tango":
        return discordant(pair, metric).limits_at
    if method == "tang":
        return discordant(pair, metric).limits_of_ratio_at
    is_ratio = kind == "ratio"
    possible = metric.possible_ratios if is_ratio else metric.possible
    if method == "delta":
        filled = pair if further is None else with_further_units(pair, further)
        by_slopes = limits_by_slopes(filled, metric.value, pair.n_effective, kind)
        return lambda alpha: clipped(by_slopes(alpha), possible)
    values = drawn_differences(pair, metric.value, further, draws, kind)
    n_known = int(np.count_nonzero(~np.isnan(values)))
    size = 1.0 if is_ratio else float(np.abs(metric.value.values(pair.observed())).max())

    def by_replicates(alpha: float) -> Limits:
        """Percentiles, apart if smoothed, or the whole range if these leave out less than one."""
        if not leaves_any_out(n_known, alpha):
            return possible
        if further is None:
            found = percentiles(values, alpha)
        else:
            found = percentiles_apart(values, alpha, FLAT * size)
        return Limits(*np.exp(found)) if is_ratio else found

    return by_replicates


def _of_named(
    request: DifferenceRequest, pair: Pair, n_classes: int, known: LimitsAndTest
) -> Iterator[Caveat]:
    """What a method asked for by name does not promise."""
    low, high = map(float, known.limits_at(1 - request.confidence_level))
    if low == high:
        text = (
            f"the limits of method={request.method!r} have no width, which says nothing of the "
            "uncertainty of a difference."
        )
        yield Caveat("constant", text)
    if not METHODS[request.method].caveat:
        return
    right = np.eye(n_classes).ravel()
    more_right = pair.moves @ right
    sides = [int(pair.frequencies[side].sum()) for side in (more_right > 0, more_right < 0)]
    fewest = min(*sides, int(pair.frequencies_of_same.sum()))
    if fewest < FEWEST:
        text = (
            f"too few {'clusters' if pair.clustered else 'samples'}, {fewest}, on which one model "
            f"is right more often, or both agree: limits by method={request.method!r} may be too "
            "narrow and p-values too small."
        )
        yield Caveat("few_differ", text)
