"""The textbook formula of every metric over all classes, of a matrix, in exact arithmetic."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from tests.vectors.exact import UNDEFINED, Value, add, divide, log, mean, root, times


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
        return [
            (row + column) / (2 * self.total)
            for row, column in zip(self.rows, self.columns, strict=True)
        ]

    def independent(self) -> Fraction:
        """The agreement that the margins give by chance, pe of kappa."""
        return (
            sum(row * column for row, column in zip(self.rows, self.columns, strict=True))
            / self.total**2
        )


class OverallMetric(NamedTuple):
    """A formula, what stands for 0/0 by default, and which values are better."""

    formula: Callable[..., Value]
    undefined: float
    better: str


OVERALL_METRICS: dict[str, OverallMetric] = {}


def metric(
    undefined: float, better: str = "higher"
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Enter a formula, which its docstring says in words, under its name."""

    def enter(formula: Callable[..., Value]) -> Callable[..., Value]:
        OVERALL_METRICS[formula.__name__] = OverallMetric(formula, undefined, better)
        return formula

    return enter


@metric(undefined=0)
def accuracy(m):
    """trace / n"""
    return m.observed


@metric(undefined=1, better="lower")
def zero_one_loss(m):
    """1 - trace / n"""
    return 1 - m.observed


@metric(undefined=1, better="lower")
def hamming_loss(m):
    """1 - trace / n"""
    return 1 - m.observed


@metric(undefined=math.nan)
def balanced_accuracy(m, adjusted=False):
    """mean of tp_i / row_i over the classes that occur in y_true"""
    recalls = [right / row for right, row in zip(m.right, m.rows, strict=True) if row]
    if not adjusted:
        return mean(recalls)
    chance = Fraction(1, len(recalls))
    return (mean(recalls) - chance) / (1 - chance) if chance < 1 else UNDEFINED


@metric(undefined=0)
def geometric_mean(m, correction=0.0):
    """(prod_i recall_i)^(1/K)"""
    recalls = [
        divide(right, row) or Fraction(correction)
        for right, row in zip(m.right, m.rows, strict=True)
    ]
    return root(math.prod(recalls, start=Fraction(1)), len(recalls))


@metric(undefined=math.nan, better="neither")
def no_information_rate(m):
    """max_i row_i / n"""
    return max(m.rows) / m.total


@metric(undefined=0)
def class_balance_accuracy(m):
    """mean_i tp_i / max(row_i, col_i)"""
    larger = [max(margins) for margins in zip(m.rows, m.columns, strict=True)]
    return mean([right / margin for right, margin in zip(m.right, larger, strict=True) if margin])


@metric(undefined=0)
def matthews_corrcoef(m):
    """(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2))"""
    together = m.observed - m.independent()
    of_actual = 1 - sum((row / m.total) ** 2 for row in m.rows)
    of_predicted = 1 - sum((column / m.total) ** 2 for column in m.columns)
    return divide(together, root(of_actual * of_predicted))


@metric(undefined=math.nan)
def cohen_kappa(m, weights=None):
    """(po - pe) / (1 - pe), pe = sum row_i col_i / n^2"""
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
    """(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2"""
    chance = sum(share**2 for share in m.pooled)
    return divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def krippendorff_alpha(m):
    """((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), pe = sum ((row_i + col_i) / 2n)^2"""
    if m.total < 1:
        return UNDEFINED
    chance, epsilon = sum(share**2 for share in m.pooled), 1 / (2 * m.total)
    return divide((1 - epsilon) * m.observed + epsilon - chance, 1 - chance)


@metric(undefined=0)
def gwet_ac1(m):
    """(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), q_i = (row_i + col_i) / 2n"""
    chance = divide(sum(share * (1 - share) for share in m.pooled), Fraction(len(m.size) - 1))
    return UNDEFINED if chance is UNDEFINED else divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def bennett_s(m):
    """(po - 1/K) / (1 - 1/K)"""
    chance = Fraction(1, len(m.size))
    return divide(m.observed - chance, 1 - chance)


@metric(undefined=0)
def peirce_skill(m):
    """(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2)"""
    return divide(m.observed - m.independent(), 1 - sum((row / m.total) ** 2 for row in m.rows))


@metric(undefined=1, better="lower")
def quantity_disagreement(m):
    """sum |row_i - col_i| / 2n"""
    return sum(abs(row - column) for row, column in zip(m.rows, m.columns, strict=True)) / (
        2 * m.total
    )


@metric(undefined=1, better="lower")
def allocation_disagreement(m):
    """(1 - po) - quantity_disagreement"""
    return 1 - m.observed - quantity_disagreement(m)


@metric(undefined=math.nan, better="lower")
def expected_cost(m, cost_matrix):
    """sum_ij M_ij cost_ij / n"""
    return (
        sum(m.cells[i][j] * Fraction(cost_matrix[i][j]) for i in m.size for j in m.size) / m.total
    )


@metric(undefined=math.nan, better="lower")
def macro_averaged_mean_absolute_error(m):
    """mean_i sum_j M_ij |y_i - y_j| / row_i"""
    numbers = [Fraction(label) for label in m.labels]
    errors = [
        sum(m.cells[i][j] * abs(numbers[i] - numbers[j]) for j in m.size) / m.rows[i]
        for i in m.size
        if m.rows[i]
    ]
    return mean(errors)


@metric(undefined=0)
def gerrity(m):
    """sum_ij p_ij s_ij"""
    below = [Fraction(count) / m.total for count in accumulate(m.rows[:-1])]
    if not below or below[0] == 0 or below[-1] == 1:
        return UNDEFINED
    odds = [(1 - share) / share for share in below]

    def reward(i, j):
        low, high = min(i, j), max(i, j)
        return (sum(1 / odd for odd in odds[:low]) - (high - low) + sum(odds[high:])) / Fraction(
            len(odds)
        )

    return sum(m.cells[i][j] * reward(i, j) for i in m.size for j in m.size) / m.total


@metric(undefined=0)
def cramers_v(m):
    """sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1))"""
    smaller = min(sum(map(bool, m.rows)), sum(map(bool, m.columns)))
    seen = [(i, j) for i in m.size for j in m.size if m.cells[i][j]]
    squared = sum(m.cells[i][j] ** 2 / (m.rows[i] * m.columns[j]) for i, j in seen) - 1
    return root(squared / (smaller - 1)) if smaller > 1 else UNDEFINED


def entropy(counts: list[Fraction], total: Fraction) -> Value:
    """The information in nats of one margin."""
    return -add(*(times(count / total, log(count / total)) for count in counts if count))


@metric(undefined=math.nan)
def mutual_information(m):
    """sum p_ij ln(p_ij / (p_i q_j))"""
    seen = [(i, j) for i in m.size for j in m.size if m.cells[i][j]]
    return add(
        *(
            times(
                m.cells[i][j] / m.total, log(m.cells[i][j] * m.total / (m.rows[i] * m.columns[j]))
            )
            for i, j in seen
        )
    )


@metric(undefined=1)
def normalized_mutual_information(m):
    """mutual_information / mean(H(true), H(pred))"""
    if max(m.rows) == max(m.columns) == m.total:
        return UNDEFINED
    return divide(
        2 * mutual_information(m), add(entropy(m.rows, m.total), entropy(m.columns, m.total))
    )


@metric(undefined=0)
def uncertainty_coefficient(m):
    """mutual_information / H(true)"""
    return (
        UNDEFINED
        if max(m.rows) == m.total
        else divide(mutual_information(m), entropy(m.rows, m.total))
    )


@metric(undefined=1, better="lower")
def confusion_entropy(m):
    """sum_j P_j H_j, H_j = -sum_{k != j} (p_jk log p_jk + p_kj log p_kj)"""
    if len(m.size) == 1:
        return UNDEFINED
    parts = []
    for j in m.size:
        both = m.rows[j] + m.columns[j]
        wrong = [count for k in m.size if k != j for count in (m.cells[j][k], m.cells[k][j])]
        parts.append(times(both / (2 * m.total), entropy(wrong, both)))
    return divide(add(*parts), log(Fraction(2 * (len(m.size) - 1))))
