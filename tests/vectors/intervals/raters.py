"""The agreement of several raters with missing ratings: values from all pairs of ratings, variances
from what each item adds.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.vectors.exact import REALS
from tests.vectors.intervals.proportions import Outputs, mid_p_limits
from tests.vectors.intervals.reals import (
    as_fraction,
    level_of,
    level_of_errors,
    real,
    student_errors,
)

Ratings = list[list[int | None]]
Distance = Callable[[int, int], Fraction]

# A step of weights: what is neglected is its square.
STEP = Fraction(1, 10**45)
# So few items that agree, or disagree, do not give the variance of their share.
FEW_ITEMS = 5


class Item(NamedTuple):
    """How many ratings an item has of each class, and of all."""

    counts: Counter[int]
    n: int

    def disagreement(self, distance: Distance) -> Fraction:
        """The mean distance of two of its ratings."""
        total = sum(
            m * n * distance(one, other)
            for one, m in self.counts.items()
            for other, n in self.counts.items()
        )
        return total / (self.n * (self.n - 1))


class Parts(NamedTuple):
    """What a coefficient is made of: 1 - observed / expected."""

    observed: Fraction
    expected: Fraction

    @property
    def value(self) -> Fraction:
        """The coefficient."""
        return 1 - self.observed / self.expected


def krippendorff_alpha(ratings: Ratings, scale: str, level: str) -> Outputs:
    """1 - D / E over the items with two ratings or more, n ratings in all. D: the mean distance of
    two ratings of an item, items weighted by their number of ratings; E: the mean distance of two
    of the n ratings, drawn without replacement. distance: 0 or 1 (nominal), (a - b)^2 (interval),
    or the square of the difference of the mean ranks of all ratings in a class (ordinal). Variance
    and limits: as the reading says.

    Source: Krippendorff 2011, Computing Krippendorff's alpha-reliability; the variance and the
    limits are of skmetrics-ext.
    """
    items = [item for item in _items(ratings) if item.n > 1]
    n = sum(item.n for item in items)

    def parts(weights: list[Fraction]) -> Parts:
        sizes = [weight * item.n for weight, item in zip(weights, items, strict=True)]
        shares = _shares(items, sizes)
        distance = _distance(scale, shares)
        of_items = zip(sizes, items, strict=True)
        observed = sum(size * item.disagreement(distance) for size, item in of_items) / sum(sizes)
        return Parts(observed, _by_chance(shares, distance) * Fraction(n, n - 1))

    return _outputs(
        items, parts, _distance(scale, _shares(items, [item.n for item in items])), level
    )


def gwet_ac1(ratings: Ratings, level: str) -> Outputs:
    """1 - D / E. D: the mean, over the items with two ratings or more, of how often two of their
    ratings differ; E: 1 - sum of p (1 - p) / (K - 1) over the K classes, p the mean over all items
    with a rating of the share of their ratings in the class. Variance and limits: as the reading
    says.

    Source: Gwet 2008, British Journal of Mathematical and Statistical Psychology 61:29; with
    missing ratings the variance is of skmetrics-ext, and so are the limits.
    """
    items = _items(ratings)
    n_classes = len({name for item in items for name in item.counts})
    if n_classes == 1:
        return _of_one_class()

    def parts(weights: list[Fraction]) -> Parts:
        several = [(w, item) for w, item in zip(weights, items, strict=True) if item.n > 1]
        differ = sum(weight * item.disagreement(_nominal) for weight, item in several)
        shares = _shares(items, weights)
        by_chance = sum(share * (1 - share) for share in shares.values()) / (n_classes - 1)
        return Parts(differ / sum(weight for weight, _ in several), 1 - by_chance)

    return _outputs(items, parts, _nominal, level)


def _outputs(
    items: list[Item], parts: Callable[[list[Fraction]], Parts], distance: Distance, level: str
) -> Outputs:
    """The value, its variance, and its limits."""
    found = parts([Fraction(1)] * len(items))
    if not found.expected:
        return _of_one_class()
    moves, n_items = _moves(items, parts), len(items)
    squares = sum(move**2 for move in moves)
    variance = Fraction(n_items, n_items - 1) * squares
    disagreements = [item.disagreement(distance) for item in items if item.n > 1]
    n, largest = len(disagreements), max(disagreements)
    if not largest:
        classes = {name for item in items for name in item.counts}
        largest = max(distance(one, other) for one in classes for other in classes) or Fraction(1)
    agreed = max(1 - found.observed / largest, Fraction(0))
    effective = counted = Fraction(n)
    if round(squares * 10**60):
        effective = agreed * (1 - agreed) / (variance * (found.expected / largest) ** 2)
        counted = min(counted, 2 * squares**2 / sum(move**4 for move in moves))
    n_disagreeing = sum(of > 0 for of in disagreements)
    n_agreeing = sum(of < max(disagreements) for of in disagreements)
    if min(n_disagreeing, n_agreeing) < FEW_ITEMS:
        effective = min(effective, Fraction(n))
    errors = student_errors(max(counted - 1, Fraction(1)), level_of(level).alpha)
    errors *= REALS.sqrt(real(Fraction(n, n - 1)))
    # Of derivatives by small steps, the last digits mean nothing.
    effective = as_fraction(real(effective))
    limits = mid_p_limits(agreed * effective, effective, level_of_errors(errors))
    times = found.expected / largest
    low, high = (1 - (1 - real(limit)) / real(times) for limit in limits)
    return {"value": found.value, "variance": real(variance), "low": low, "high": high}


def _of_one_class() -> Outputs:
    """No agreement beyond chance, and the reason."""
    names = ("value", "variance", "low", "high")
    return dict.fromkeys(names) | {"undefined": "0/0: all ratings are of one class"}


def _moves(items: list[Item], parts: Callable[[list[Fraction]], Parts]) -> list[Fraction]:
    """How far each item moves the value: the derivative by its weight, the same of equal items."""
    found: dict[frozenset[tuple[int, int]], Fraction] = {}
    keys = [frozenset(item.counts.items()) for item in items]
    for key in keys:
        if key not in found:
            ends = []
            for step in (STEP, -STEP):
                weights = [Fraction(1)] * len(items)
                weights[keys.index(key)] += step
                ends.append(parts(weights).value)
            found[key] = (ends[0] - ends[1]) / (2 * STEP)
    return [found[key] for key in keys]


def _items(ratings: Ratings) -> list[Item]:
    """The items with a rating."""
    of_items = [[rating for rating in row if rating is not None] for row in ratings]
    return [Item(Counter(row), len(row)) for row in of_items if row]


def _shares(items: list[Item], weights: list[Fraction] | list[int]) -> dict[int, Fraction]:
    """The share of each class: the mean of those of the items."""
    total, shares = sum(weights), Counter[int]()
    for weight, item in zip(weights, items, strict=True):
        for name, number in item.counts.items():
            shares[name] += Fraction(weight) * number / (item.n * total)
    return dict(sorted(shares.items()))


def _by_chance(shares: dict[int, Fraction], distance: Distance) -> Fraction:
    """The mean distance of two ratings drawn with replacement."""
    return sum(
        p * q * distance(one, other) for one, p in shares.items() for other, q in shares.items()
    )


def _distance(scale: str, shares: dict[int, Fraction]) -> Distance:
    """How far apart two ratings are."""
    if scale == "nominal":
        return _nominal
    if scale == "interval":
        return lambda one, other: Fraction((one - other) ** 2)
    below, ranks = Fraction(0), {}
    for name, share in shares.items():
        ranks[name] = below + share / 2
        below += share
    return lambda one, other: (ranks[one] - ranks[other]) ** 2


def _nominal(one: int, other: int) -> Fraction:
    """0 for the same class, else 1."""
    return Fraction(one != other)
