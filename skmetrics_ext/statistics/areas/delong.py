"""Areas under ROC curves: DeLong's variance, Newcombe's method 5; limits of average precision."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.methods import shown, shown_wider
from skmetrics_ext.statistics.values.delta import SCALES
from skmetrics_ext.statistics.values.proportions import effective_number, limits_of_test, mid_p

# The rounding of a perfect area with fractional weights.
ROUNDING = 1e-12
# DeLong's variance is unreliable with fewer samples of the rarer class, or misranked.
FEW_SAMPLES = 100
FEW_MISPLACED = 5
# Average precision's delta variance is often too small if it rests on fewer samples of a class.
FEW_DECIDING = 5


class AtScores(NamedTuple):
    """A class's samples at each distinct score, decreasing: weights, and their squares."""

    weights: Array
    squares: Array

    @property
    def n(self) -> float:
        """Kish's effective sample size, 0 without samples."""
        squares = float(self.squares.sum())
        return float(self.weights.sum()) ** 2 / squares if squares else 0.0


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
    def n_misplaced(self) -> float:
        """How many samples of the rarer class are misranked, or well ranked if fewer."""
        return self.rarer * min(self.value, 1 - self.value)

    @property
    def has_few_misplaced(self) -> bool:
        """Whether DeLong's variance rests on a few samples, near 0 or 1."""
        return self.n_misplaced < FEW_MISPLACED

    @property
    def is_of_few(self) -> bool:
        """Whether DeLong's limits alone are too narrow."""
        return self.rarer < FEW_SAMPLES or self.has_few_misplaced


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


def precision_area_of(
    area: float, positive: AtScores, negative: AtScores, *, prevalence_is_given: bool = False
) -> Area:
    """Average precision with its delta variance."""
    rarer = min(positive.n, negative.n)
    if rarer < 2:
        return Area(exact(area), 0.0, positive.n, negative.n)
    variance, n_deciding = 0.0, np.inf
    influences = influence_on_precision(
        area, positive, negative, prevalence_is_given=prevalence_is_given
    )
    for influence, own in zip(influences, (positive, negative), strict=True):
        of_scores = own.squares * influence**2
        square_of_one = np.nan_to_num(ratio(own.squares, own.weights)) ** 2
        of_one = influence**2 * square_of_one
        variance += of_scores.sum()
        number = float(np.nan_to_num(ratio(of_scores.sum() ** 2, of_scores @ of_one)))
        n_deciding = min(n_deciding, number)
    variance *= rarer / (rarer - 1)
    return Area(exact(area), float(variance), positive.n, negative.n, n_deciding=n_deciding)


def limits_of_average_precision(area: Area, alpha: float) -> Limits:
    """logit(AP) +- t SE / (AP (1 - AP)), SE by the delta method, of few samples at least Boyd, Eng
    & Page's (2013), sqrt(AP (1 - AP) / n); at 0 and 1 those of a proportion of n positive ones.
    """
    value, n = area.value, area.n_positive
    if value in (0, 1) or n < 2:
        return mid_p(value * n, n, alpha)
    of_share = -special.stdtrit(n - 1, alpha / 2) * np.sqrt(value * (1 - value) / n)
    if area.rarer < 2:
        return SCALES["logit"].around(value, of_share)
    # By Satterthwaite: a sum of so many squares has a relative variance of 1 / n_deciding.
    degrees = min(area.rarer - 1, 2 * area.n_deciding) if area.n_deciding else area.rarer - 1
    half = -special.stdtrit(degrees, alpha / 2) * np.sqrt(area.variance)
    is_of_many = area.rarer >= FEW_SAMPLES and area.n_deciding >= FEW_DECIDING
    return SCALES["logit"].around(value, half if is_of_many else np.maximum(half, of_share))


@np.errstate(under="ignore")
def influence_on_precision(
    area: float, positive: AtScores, negative: AtScores, *, prevalence_is_given: bool = False
) -> tuple[Array, Array]:
    """What a sample of each class at each score adds to average precision, to first order; at a
    given prevalence, at the cost of others of its class.
    """
    total = positive.weights.sum()
    tp, fp = positive.weights.cumsum(), negative.weights.cumsum()
    reached = tp + fp
    by_fewer_fp, by_more_tp = (
        (positive.weights / reached * (of / reached))[::-1].cumsum()[::-1] / total
        for of in (tp, fp)
    )
    of_positive, of_negative = (tp / reached - area) / total + by_more_tp, -by_fewer_fp
    if not prevalence_is_given:
        return of_positive, of_negative
    mean_of_positive = (positive.weights * of_positive).sum() / total
    mean_of_negative = (negative.weights * of_negative).sum() / fp[-1]
    return of_positive - mean_of_positive, of_negative - mean_of_negative


def wider(one: Limits, other: Limits) -> Limits:
    """The outer limits of two intervals."""
    return Limits(np.minimum(one.low, other.low), np.maximum(one.high, other.high))


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

    def variance_of(self, influence: Array) -> float:
        """A sum's variance over samples, or clusters (Obuchowski 1997); 0 if a class is one."""
        of_classes = self.positive, ~self.positive
        if self.clusters is None:
            units = np.arange(len(influence))
            n_positive, n_negative = self.sizes()
        else:
            units = self.clusters
            n_positive, n_negative = (len(np.unique(units[of_class])) for of_class in of_classes)
        if min(n_positive, n_negative) < 2:
            return 0.0
        n_units = len(np.unique(units))
        sums = np.stack(
            [np.bincount(units, np.where(of_class, influence, 0)) for of_class in of_classes]
        )
        (of_positive, of_both), (_, of_negative) = sums @ sums.T
        return float(
            of_positive * n_positive / (n_positive - 1)
            + of_negative * n_negative / (n_negative - 1)
            + 2 * of_both * n_units / (n_units - 1)
        )

    @np.errstate(under="ignore")
    def n_deciding(self, influence: Array) -> float:
        """On how many samples, or clusters, of a class the sum's variance rests."""
        units = np.arange(len(influence)) if self.clusters is None else self.clusters
        numbers = []
        for of in (self.positive, ~self.positive):
            squares = np.bincount(units, np.where(of, influence, 0)) ** 2
            numbers.append(float(np.nan_to_num(ratio(squares.sum() ** 2, squares @ squares))))
        return min(numbers)

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
        if n.min() * min(area, 1 - area) < FEW_MISPLACED:
            n = np.minimum(n, n_clusters)
        return Area(exact(area), variance, n[0], n[1], n_clusters.min(), is_alike)


def limits_of_roc_area(area: Area, alpha: float, method: str) -> tuple[Limits, str]:
    """Limits of the area, and how they are computed; without a variance those of a proportion."""
    hits = area.value * area.rarer
    of_rarer = mid_p(hits, area.rarer, alpha)
    if area.rarer >= 2 and area.value in (0, 1):
        limits = wider(newcombe(area, alpha), of_rarer)
        return limits, shown_wider("newcombe-5", "mid-p")
    # Rounding may leave a variance of a perfect ranking in fewer than two clusters.
    if area.variance <= 0 or area.value in (0, 1):
        return of_rarer, shown("mid-p")
    limits, how = _limits_by_delong(area, alpha, method)
    if not area.is_rarer_alike:
        return limits, how
    return wider(limits, of_rarer), f"{how}, no nearer than {shown('mid-p')}"


def _limits_by_delong(area: Area, alpha: float, method: str) -> tuple[Limits, str]:
    """The limits of samples with a variance, and how they are computed."""
    error, z = np.sqrt(area.variance), -special.ndtri(alpha / 2)
    if method == "delong":
        return Limits(
            np.maximum(area.value - z * error, 0), np.minimum(area.value + z * error, 1)
        ), shown("delong")
    if method == "delong-logit" or not area.is_of_few:
        return SCALES["logit"].around(area.value, z * error), shown("delong-logit")
    by_t = SCALES["logit"].around(area.value, -special.stdtrit(area.rarer - 1, alpha / 2) * error)
    return wider(by_t, newcombe(area, alpha)), shown_wider("newcombe-5", "delong-t")
