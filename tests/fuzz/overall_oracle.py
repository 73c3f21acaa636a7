"""The textbook formula of every metric over all classes, of an exact confusion matrix."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from tests.fuzz.exact import UNDEFINED, Value, divide, log, mean, root


class Matrix:
    """Exact counts of pairs of classes, with the sums that the formulas name."""

    def __init__(self, cells: list[list[Fraction]], labels: list[Any]) -> None:
        self.cells, self.labels = cells, labels
        self.size = range(len(labels))
        self.rows = [sum(row, Fraction(0)) for row in cells]
        self.columns = [sum(column, Fraction(0)) for column in zip(*cells, strict=True)]
        self.right = [cells[i][i] for i in self.size]
        self.total = sum(self.rows, Fraction(0))

    @property
    def observed(self) -> Fraction:
        """The share of samples that are right, po."""
        return sum(self.right, Fraction(0)) / self.total

    @property
    def pooled(self) -> list[Fraction]:
        """The share of each class among actual and predicted labels together."""
        return [(row + column) / (2 * self.total) for row, column in zip(self.rows, self.columns, strict=True)]

    def independent(self) -> Fraction:
        """The agreement that the margins give by chance, pe of kappa."""
        return sum(row * column for row, column in zip(self.rows, self.columns, strict=True)) / self.total**2


class OverallMetric(NamedTuple):
    """A formula and what stands for 0/0 by default."""

    formula: Callable[..., Value]
    undefined: float


OVERALL_METRICS: dict[str, OverallMetric] = {}


def metric(undefined: float) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Enter a formula under its name."""

    def enter(formula: Callable[..., Value]) -> Callable[..., Value]:
        OVERALL_METRICS[formula.__name__] = OverallMetric(formula, undefined)
        return formula

    return enter


@metric(undefined=0)
def accuracy(m):
    return m.observed


@metric(undefined=1)
def zero_one_loss(m):
    return 1 - m.observed


@metric(undefined=1)
def hamming_loss(m):
    return 1 - m.observed


@metric(undefined=math.nan)
def balanced_accuracy(m, adjusted=False):
    recalls = [right / row for right, row in zip(m.right, m.rows, strict=True) if row]
    if not adjusted:
        return mean(recalls)
    chance = Fraction(1, len(recalls))
    return (mean(recalls) - chance) / (1 - chance) if chance < 1 else UNDEFINED


@metric(undefined=0)
def geometric_mean(m, correction=0.0):
    recalls = [divide(right, row) or Fraction(correction) for right, row in zip(m.right, m.rows, strict=True)]
    if not all(recalls):
        return Fraction(0)
    return math.exp(sum(map(log, recalls)) / len(recalls))


@metric(undefined=math.nan)
def no_information_rate(m):
    return max(m.rows) / m.total


@metric(undefined=0)
def class_balance_accuracy(m):
    larger = [max(margins) for margins in zip(m.rows, m.columns, strict=True)]
    return mean([right / margin for right, margin in zip(m.right, larger, strict=True) if margin])


@metric(undefined=0)
def matthews_corrcoef(m):
    together = m.observed - m.independent()
    of_actual = 1 - sum((row / m.total) ** 2 for row in m.rows)
    of_predicted = 1 - sum((column / m.total) ** 2 for column in m.columns)
    return divide(together, root(of_actual * of_predicted))


@metric(undefined=math.nan)
def cohen_kappa(m, weights=None):
    if not m.total:
        return UNDEFINED
    disagreement = {None: lambda i, j: int(i != j), "linear": lambda i, j: abs(i - j)}.get(
        weights, lambda i, j: (i - j) ** 2
    )
    pairs = [(i, j, disagreement(i, j)) for i in m.size for j in m.size]
    seen = sum(cost * m.cells[i][j] for i, j, cost in pairs)
    expected = sum(cost * m.rows[i] * m.columns[j] for i, j, cost in pairs) / m.total
    disagreeing = divide(Fraction(seen), Fraction(expected))
    return UNDEFINED if disagreeing is UNDEFINED else 1 - disagreeing


@metric(undefined=0)
def scott_pi(m):
    chance = sum(share**2 for share in m.pooled)
    return divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def krippendorff_alpha(m):
    if m.total < 1:
        return UNDEFINED
    chance, epsilon = sum(share**2 for share in m.pooled), 1 / (2 * m.total)
    return divide((1 - epsilon) * m.observed + epsilon - chance, 1 - chance)


@metric(undefined=0)
def gwet_ac1(m):
    chance = divide(sum(share * (1 - share) for share in m.pooled), Fraction(len(m.size) - 1))
    return UNDEFINED if chance is UNDEFINED else divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def bennett_s(m):
    chance = Fraction(1, len(m.size))
    return divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def peirce_skill(m):
    return divide(m.observed - m.independent(), 1 - sum((row / m.total) ** 2 for row in m.rows))


@metric(undefined=1)
def quantity_disagreement(m):
    return sum(abs(row - column) for row, column in zip(m.rows, m.columns, strict=True)) / (2 * m.total)


@metric(undefined=1)
def allocation_disagreement(m):
    return 1 - m.observed - quantity_disagreement(m)


@metric(undefined=math.nan)
def expected_cost(m, cost_matrix):
    return sum(m.cells[i][j] * Fraction(cost_matrix[i][j]) for i in m.size for j in m.size) / m.total


@metric(undefined=math.nan)
def macro_averaged_mean_absolute_error(m):
    numbers = [Fraction(label) for label in m.labels]
    errors = [
        sum(m.cells[i][j] * abs(numbers[i] - numbers[j]) for j in m.size) / m.rows[i] for i in m.size if m.rows[i]
    ]
    return mean(errors)


@metric(undefined=0)
def gerrity(m):
    below = [Fraction(count) / m.total for count in accumulate(m.rows[:-1])]
    if not below or below[0] == 0 or below[-1] == 1:
        return UNDEFINED
    odds = [(1 - share) / share for share in below]

    def reward(i, j):
        low, high = min(i, j), max(i, j)
        return (sum(1 / odd for odd in odds[:low]) - (high - low) + sum(odds[high:])) / len(odds)

    return sum(m.cells[i][j] * reward(i, j) for i in m.size for j in m.size) / m.total


@metric(undefined=0)
def cramers_v(m):
    smaller = min(sum(map(bool, m.rows)), sum(map(bool, m.columns)))
    seen = [(i, j) for i in m.size for j in m.size if m.cells[i][j]]
    squared = sum(m.cells[i][j] ** 2 / (m.rows[i] * m.columns[j]) for i, j in seen) - 1
    return root(squared / (smaller - 1)) if smaller > 1 else UNDEFINED


def entropy(counts: list[Fraction], total: Fraction) -> float:
    """The information in nats of one margin."""
    return -math.fsum(float(count / total) * log(count / total) for count in counts if count)


@metric(undefined=math.nan)
def mutual_information(m):
    seen = [(i, j) for i in m.size for j in m.size if m.cells[i][j]]
    return math.fsum(
        float(m.cells[i][j] / m.total) * log(m.cells[i][j] * m.total / (m.rows[i] * m.columns[j])) for i, j in seen
    )


@metric(undefined=1)
def normalized_mutual_information(m):
    if max(m.rows) == max(m.columns) == m.total:
        return UNDEFINED
    return divide(2 * mutual_information(m), entropy(m.rows, m.total) + entropy(m.columns, m.total))


@metric(undefined=0)
def uncertainty_coefficient(m):
    return UNDEFINED if max(m.rows) == m.total else divide(mutual_information(m), entropy(m.rows, m.total))


@metric(undefined=1)
def confusion_entropy(m):
    if len(m.size) == 1:
        return UNDEFINED
    total = 0.0
    for j in m.size:
        both = m.rows[j] + m.columns[j]
        wrong = [count for k in m.size if k != j for count in (m.cells[j][k], m.cells[k][j])]
        total += float(both / (2 * m.total)) * entropy(wrong, both)
    return total / math.log(2 * (len(m.size) - 1))
