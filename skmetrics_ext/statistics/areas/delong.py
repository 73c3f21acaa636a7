"""Areas under ROC curves: DeLong's variance and limits, Newcombe's method 5; differences of two."""

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio, squared
from skmetrics_ext.statistics.arrays import Array, Limits, wider
from skmetrics_ext.statistics.compared import LimitsAndTest, unknown
from skmetrics_ext.statistics.constants import ENOUGH, FEW_HITS
from skmetrics_ext.statistics.methods import shown, shown_wider
from skmetrics_ext.statistics.values.delta import SCALES
from skmetrics_ext.statistics.values.proportions import effective_number, limits_of_test, mid_p

# The rounding of a perfect area with fractional weights.
ROUNDING = 1e-12


class AtScores(NamedTuple):
    """A class's samples at each distinct score, decreasing: weights, and their squares."""

    weights: Array
    squares: Array

    @property
    def n(self) -> float:
        """Kish's effective sample size, 0 without samples."""
        squares = float(self.squares.sum())
        return float(self.weights.sum()) ** 2 / squares if squares else 0.0

    def counted(self, times: float) -> Self:
        """The same samples, each counted so many times."""
        return self._replace(weights=self.weights * times, squares=self.squares * times**2)


class Area(NamedTuple):
    """An area under a ROC curve, or average precision, its variance, and both sample sizes."""

    value: float
    variance: float
    n_positive: float
    n_negative: float
    # Effective clusters of the class that occurs in fewer.
    n_clusters: float = np.inf
    # Whether the rarer class's samples are all placed alike among the other's.
    is_rarer_alike: bool = False
    # On how many samples of a class average precision rests at least; 0: unknown.
    n_deciding: float = 0.0

    @property
    def rarer(self) -> float:
        """The effective sample size of the rarer class, at most its clusters."""
        return min(self.n_positive, self.n_negative, self.n_clusters)

    @property
    def error(self) -> float:
        """The standard error, 0 of a perfect ranking; unknown if a class is a single sample."""
        if self.variance > ROUNDING**2 and self.value not in (0, 1):
            return float(np.sqrt(self.variance))
        # Rounding may leave a variance of a perfect ranking in fewer than two clusters.
        return 0.0 if self.rarer >= 2 else np.nan

    @property
    def n_misplaced(self) -> float:
        """How many samples of the rarer class are misranked, or well ranked if fewer."""
        return self.rarer * min(self.value, 1 - self.value)

    @property
    def has_few_misplaced(self) -> bool:
        """Whether DeLong's variance rests on a few samples, near 0 or 1."""
        return self.n_misplaced < FEW_HITS

    @property
    def is_of_few(self) -> bool:
        """Whether DeLong's limits alone are too narrow."""
        return self.rarer < ENOUGH or self.has_few_misplaced


def roc_area_of(area: float, positive: AtScores, negative: AtScores) -> Area:
    """The area with DeLong's (1988) variance, 0 with a single sample of a class, in linear time."""
    if min(positive.n, negative.n) < 2:
        return Area(exact(area), 0.0, positive.n, negative.n)
    variances, of_rarer = [], []
    for own, other in ((positive, negative), (negative, positive)):
        placed = (other.weights.cumsum() - other.weights / 2) / other.weights.sum()
        mean = (own.weights * placed).sum() / own.weights.sum()
        spread = (own.squares * (placed - mean) ** 2).sum() / own.weights.sum() ** 2
        variances.append(float(spread * own.n / (own.n - 1)))
        if own.n <= other.n:
            of_rarer.append(variances[-1])
    is_alike = min(of_rarer) <= ROUNDING**2
    return Area(exact(area), sum(variances), positive.n, negative.n, is_rarer_alike=is_alike)


def newcombe(area: Area, alpha: float) -> Limits:
    """Limits by method 5 of Newcombe (2006): the areas that a score test accepts."""
    value, z_squared = area.value, float(special.ndtri(alpha / 2)) ** 2
    others, n_pairs = (area.n_positive + area.n_negative) / 2 - 1, area.n_positive * area.n_negative

    def excess(true: float) -> float:
        """How far the squared difference exceeds what the test accepts."""
        spread = 1 + others * ((1 - true) / (2 - true) + true / (1 + true))
        return float((value - true) ** 2 - z_squared * true * (1 - true) * spread / n_pairs)

    # At an area of 0 or 1 the excess is 0 too.
    return limits_of_test(excess, value, (0.0, 1.0), ROUNDING)


def placement_values(scores: Array, positive: NDArray[np.bool_], weights: Array) -> Array:
    """The share of the other class (n_samples,) below each sample; ties count half."""
    _, codes = np.unique(scores, return_inverse=True)
    codes = codes.reshape(-1)
    of_class = [np.bincount(codes, np.where(of, weights, 0)) for of in (positive, ~positive)]
    below_positive, below_negative = ((at.cumsum() - at / 2) / at.sum() for at in of_class)
    return np.asarray(np.where(positive, below_negative[codes], below_positive[codes]))


def exact(area: float) -> float:
    """0 and 1 without the rounding of weights."""
    return float(round(area)) if abs(area - round(area)) < ROUNDING else area


def without_rounding(values: Array, size: float) -> Array:
    """Values that come of others of such a size, 0 where they are their rounding."""
    return np.where(np.abs(values) <= ROUNDING * size, 0.0, values)


class RankedSamples(NamedTuple):
    """Samples whose placement values give a variance, and their clusters if dependent."""

    positive: NDArray[np.bool_]
    weights: Array
    clusters: NDArray[np.int64] | None = None

    def sizes(self) -> list[float]:
        """The effective numbers of positive and of negative samples."""
        return [effective_number(self.weights[of]) for of in (self.positive, ~self.positive)]

    def influence_of(self, placed: Array) -> Array:
        """What samples with such placement values add to an area, or a difference of two."""
        influence = np.empty_like(placed)
        # The more positive samples are below a negative one, the smaller is the area.
        for of, sign in ((self.positive, 1), (~self.positive, -1)):
            shares = self.weights[of] / self.weights[of].sum()
            influence[of] = sign * shares * (placed[of] - (shares * placed[of]).sum())
        return influence

    def units(self) -> NDArray[np.int64]:
        """The number of the cluster of each sample, or of the sample."""
        return np.arange(len(self.positive)) if self.clusters is None else self.clusters

    def numbers_of_units(self) -> list[float]:
        """How many clusters have positive, and negative samples, or how many samples there are."""
        if self.clusters is None:
            return self.sizes()
        return [float(len(np.unique(self.clusters[of]))) for of in (self.positive, ~self.positive)]

    def sums_of_units(self, influence: Array) -> Array:
        """What the positive and the negative samples of each cluster add (2, n_clusters)."""
        of_classes = self.positive, ~self.positive
        return np.stack(
            [np.bincount(self.units(), np.where(of, influence, 0)) for of in of_classes]
        )

    def n_deciding(self, influence: Array) -> float:
        """On how many units of a class a sum rests at least, by Satterthwaite."""
        sums = self.sums_of_units(influence)
        squares = squared(without_rounding(sums, np.abs(influence).max()))
        return float(np.nan_to_num(ratio(squared(squares.sum(1)), squared(squares).sum(1))).min())

    def variance_of(self, influence: Array) -> float:
        """A sum's variance over samples, or clusters (Obuchowski 1997); 0 if a class is one."""
        n_positive, n_negative = self.numbers_of_units()
        if min(n_positive, n_negative) < 2:
            return 0.0
        sums = self.sums_of_units(influence)
        n_units = np.count_nonzero(np.bincount(self.units()))
        (of_positive, of_both), (_, of_negative) = sums @ sums.T
        return float(
            of_positive * n_positive / (n_positive - 1)
            + of_negative * n_negative / (n_negative - 1)
            + 2 * of_both * n_units / (n_units - 1)
        )

    def area_of(self, area: float, influence: Array) -> Area:
        """An area with its variance; clusters count as so many independent samples, or as one each
        if few are misranked.
        """
        of_classes = self.positive, ~self.positive
        n = np.array(self.sizes())
        variance = self.variance_of(influence)
        spreads = np.array([np.abs(influence[of]).max(initial=0) for of in of_classes])
        is_alike = bool(spreads[n == n.min()].min() <= ROUNDING)
        if self.clusters is None:
            return Area(exact(area), variance, n[0], n[1], is_rarer_alike=is_alike)
        sizes = [np.bincount(self.clusters[of], self.weights[of]) for of in of_classes]
        n_clusters = np.array([effective_number(of_class.astype(np.float64)) for of_class in sizes])
        independent = self._replace(clusters=None).variance_of(influence)
        if independent > ROUNDING**2:
            n = n / max(variance / independent, 1)
        if n.min() * min(area, 1 - area) < FEW_HITS:
            n = np.minimum(n, n_clusters)
        return Area(exact(area), variance, n[0], n[1], n_clusters.min(), is_alike)


# The limits of an area at level 1 - alpha, and what the method is called.
LimitsOfArea = Callable[[Area, float], tuple[Limits, str]]


def limits_of_roc_area(area: Area, alpha: float) -> tuple[Limits, str]:
    """DeLong's limits on the logit, of few samples no nearer than Newcombe's; of a rarer class that
    is placed alike no nearer than those of a proportion.
    """
    if area.error > 0:
        limits, how = _limits_of_spread(area, alpha)
        if not area.is_rarer_alike:
            return limits, how
        return wider(
            limits, _limits_of_share(area, alpha)
        ), f"{how}, no nearer than {shown('mid-p')}"
    if area.rarer < 2 or area.value not in (0, 1):
        return _limits_of_share(area, alpha), shown("mid-p")
    limits = wider(newcombe(area, alpha), _limits_of_share(area, alpha))
    return limits, shown_wider("newcombe-5", "mid-p")


def _limits_of_share(area: Area, alpha: float) -> Limits:
    """Those of a proportion of the rarer class."""
    return mid_p(area.value * area.rarer, area.rarer, alpha)


def _limits_of_spread(area: Area, alpha: float) -> tuple[Limits, str]:
    """The limits of samples with a variance."""
    if not area.is_of_few:
        return limits_on_logit(area, alpha)
    quantile = -special.stdtrit(area.rarer - 1, alpha / 2)
    by_student = SCALES["logit"].around(area.value, quantile * area.error)
    return wider(by_student, newcombe(area, alpha)), shown_wider("newcombe-5", "delong-t")


def limits_by_delong(area: Area, alpha: float) -> tuple[Limits, str]:
    """The area plus and minus standard errors by DeLong et al. (1988), within 0 and 1."""
    limits = _around(area.value, area.error, alpha)
    return Limits(np.maximum(limits.low, 0), np.minimum(limits.high, 1)), shown("delong")


def limits_on_logit(area: Area, alpha: float) -> tuple[Limits, str]:
    """The same of the logit of the area (Pepe 2003)."""
    how = shown("delong-logit")
    if not area.error > 0:
        return _around(area.value, area.error, alpha), how
    return SCALES["logit"].around(area.value, -special.ndtri(alpha / 2) * area.error), how


def difference_by_delong(a: Area, b: Area, variance: float) -> LimitsAndTest:
    """DeLong's test of two areas of the same samples, and limits within the possible range."""
    difference, error = a.value - b.value, float(np.sqrt(variance))
    if np.isnan(a.error + b.error):
        return unknown(shown("delong"))

    def limits_at(alpha: float) -> Limits:
        """Limits within the range of differences of areas."""
        return Limits(*np.clip(_around(difference, error, alpha), -1, 1))

    with np.errstate(divide="ignore"):
        p_value = 2 * special.ndtr(-np.abs(np.divide(difference, error))) if difference else 1.0
    return LimitsAndTest(limits_at, float(p_value), shown("delong"))


def _around(value: float, error: float, alpha: float) -> Limits:
    """A value plus and minus standard errors."""
    half = -special.ndtri(alpha / 2) * error
    return Limits(np.asarray(value - half), np.asarray(value + half))
