"""The textbook formula of every metric over all classes, of a matrix, in exact arithmetic."""

import math
from fractions import Fraction
from itertools import accumulate
from typing import Any

from tests.vectors.entries import ExactMetric, entering
from tests.vectors.exact import UNDEFINED, Value, add, divide, log, mean, root, times
from tests.vectors.sources import (
    Example,
    Library,
    by_hand,
    caret,
    cramers_v_of_scipy,
    finley,
    imbalanced_learn,
    pycm_overall,
    scikit_learn,
)


class Matrix:
    """Exact counts of pairs of classes, with the sums that the formulas name."""

    def __init__(
        self, cells: list[list[Fraction]], labels: list[Any], weight_of_one: Fraction = Fraction(1)
    ) -> None:
        self.cells, self.labels, self.weight_of_one = cells, labels, weight_of_one
        self.size = range(len(labels))
        self.rows = [sum(row, Fraction(0)) for row in cells]
        self.columns = [sum(column, Fraction(0)) for column in zip(*cells, strict=True)]
        self.right = [cells[i][i] for i in self.size]
        self.total = sum(self.rows, Fraction(0))
        # The number of samples, where the counts are sums of weights.
        self.n = self.total / weight_of_one

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


PONTIUS = "Pontius & Millones (2011), Death to Kappa, International Journal of Remote Sensing 32"
PONTIUS_TABLE = [[30, 5, 2], [1, 20, 9], [8, 0, 25]]
GERRITY = (
    "Gerrity (1992), A note on Gandin and Murphy's equitable skill score, Monthly Weather Review "
    "120"
)
GWET = (
    "Gwet (2002), Kappa statistic is not satisfactory for assessing the extent of agreement: "
    "kappa's paradox"
)
PARADOX = [[118, 5], [2, 0]]
KRIPPENDORFF = (
    "Krippendorff (2011), Computing Krippendorff's alpha-reliability, A: two observers, binary data"
)

OVERALL_METRICS: dict[str, ExactMetric] = {}
metric = entering(OVERALL_METRICS)


@metric(
    undefined=0,
    oracles=[
        scikit_learn("accuracy_score"),
        pycm_overall("Overall ACC"),
        finley("0.966"),
        caret("0.9064"),
    ],
)
def accuracy(m):
    """trace / n"""
    return m.observed


@metric(undefined=1, better="lower", oracles=[scikit_learn("zero_one_loss")])
def zero_one_loss(m):
    """1 - trace / n"""
    return 1 - m.observed


@metric(
    undefined=1,
    better="lower",
    oracles=[scikit_learn("hamming_loss"), pycm_overall("Hamming Loss")],
)
def hamming_loss(m):
    """1 - trace / n"""
    return 1 - m.observed


@metric(
    undefined=math.nan,
    oracles=[scikit_learn("balanced_accuracy_score"), caret("0.788333")],
    cases=[{}, {"adjusted": "true"}],
)
def balanced_accuracy(m, adjusted=False):
    """mean of tp_i / row_i over the classes that occur in y_true"""
    recalls = [right / row for right, row in zip(m.right, m.rows, strict=True) if row]
    if not adjusted:
        return mean(recalls)
    chance = Fraction(1, len(recalls))
    return (mean(recalls) - chance) / (1 - chance) if chance < 1 else UNDEFINED


@metric(undefined=0, oracles=[imbalanced_learn("geometric_mean_score")])
def geometric_mean(m, correction=0.0):
    """(prod_i recall_i)^(1/K)"""
    recalls = [
        divide(right, row) or Fraction(correction)
        for right, row in zip(m.right, m.rows, strict=True)
    ]
    return root(math.prod(recalls, start=Fraction(1)), len(recalls))


@metric(undefined=math.nan, better="neither", oracles=[pycm_overall("NIR"), caret("0.9852")])
def no_information_rate(m):
    """max_i row_i / n"""
    return max(m.rows) / m.total


@metric(undefined=0, oracles=[pycm_overall("CBA")])
def class_balance_accuracy(m):
    """mean_i tp_i / max(row_i, col_i)"""
    larger = [max(margins) for margins in zip(m.rows, m.columns, strict=True)]
    return mean([right / margin for right, margin in zip(m.right, larger, strict=True) if margin])


@metric(undefined=0, oracles=[scikit_learn("matthews_corrcoef"), pycm_overall("Overall MCC")])
def matthews_corrcoef(m):
    """(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2))"""
    together = m.observed - m.independent()
    of_actual = 1 - sum((row / m.total) ** 2 for row in m.rows)
    of_predicted = 1 - sum((column / m.total) ** 2 for column in m.columns)
    return divide(together, root(of_actual * of_predicted))


@metric(
    undefined=math.nan,
    oracles=[
        scikit_learn("cohen_kappa_score"),
        scikit_learn("cohen_kappa_score", weights="linear"),
        scikit_learn("cohen_kappa_score", weights="quadratic"),
        pycm_overall("Kappa"),
        finley("0.355"),
        caret("0.1521"),
        Example(GWET, PARADOX, "-0.023"),
    ],
    cases=[{}, {"weights": "linear"}, {"weights": "quadratic"}],
)
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


@metric(undefined=0, oracles=[pycm_overall("Scott PI")])
def scott_pi(m):
    """(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2"""
    chance = sum(share**2 for share in m.pooled)
    return divide(m.observed - chance, 1 - chance)


@metric(
    undefined=0,
    oracles=[pycm_overall("Krippendorff Alpha"), Example(KRIPPENDORFF, [[5, 3], [1, 1]], "0.095")],
)
def krippendorff_alpha(m):
    """((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), pe = sum ((row_i + col_i) / 2n)^2"""
    if m.n < 1:
        return UNDEFINED
    chance, epsilon = sum(share**2 for share in m.pooled), 1 / (2 * m.n)
    return divide((1 - epsilon) * m.observed + epsilon - chance, 1 - chance)


@metric(undefined=0, oracles=[pycm_overall("Gwet AC1"), Example(GWET, PARADOX, "0.94")])
def gwet_ac1(m):
    """(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), q_i = (row_i + col_i) / 2n"""
    chance = divide(sum(share * (1 - share) for share in m.pooled), Fraction(len(m.size) - 1))
    return UNDEFINED if chance is UNDEFINED else divide(m.observed - chance, 1 - chance)


@metric(undefined=0, oracles=[pycm_overall("Bennett S")])
def bennett_s(m):
    """(po - 1/K) / (1 - 1/K)"""
    chance = Fraction(1, len(m.size))
    return divide(m.observed - chance, 1 - chance)


@metric(
    undefined=0,
    oracles=[
        finley("0.523"),
        # Row sums 5 3 2, column sums 4 3 3: products add up to 35, squares of the former to 38.
        by_hand(
            "(po - sum p_i q_i) / (1 - sum p_i^2), p_i as observed: Wilks (2011), 8.2.6",
            [[3, 1, 1], [1, 1, 1], [0, 1, 1]],
            (Fraction(5, 10) - Fraction(35, 100)) / (1 - Fraction(38, 100)),
        ),
    ],
)
def peirce_skill(m):
    """(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2)"""
    return divide(m.observed - m.independent(), 1 - sum((row / m.total) ** 2 for row in m.rows))


@metric(
    undefined=1,
    better="lower",
    oracles=[
        # Row sums 37 30 33, column sums 39 25 36.
        by_hand(
            f"half the sum of |row - column| / n: {PONTIUS}",
            PONTIUS_TABLE,
            Fraction(2 + 5 + 3, 200),
        )
    ],
)
def quantity_disagreement(m):
    """sum |row_i - col_i| / 2n"""
    return sum(abs(row - column) for row, column in zip(m.rows, m.columns, strict=True)) / (
        2 * m.total
    )


@metric(
    undefined=1,
    better="lower",
    oracles=[
        # Twice the lesser of what is missing and what is too much in each class: min(7, 9), min(10,
        # 5), min(8, 11).
        by_hand(
            f"half the sum of 2 min(row - p_gg, column - p_gg) / n: {PONTIUS}",
            PONTIUS_TABLE,
            Fraction(20, 100),
        )
    ],
)
def allocation_disagreement(m):
    """(1 - po) - quantity_disagreement"""
    return 1 - m.observed - quantity_disagreement(m)


@metric(
    undefined=math.nan,
    better="lower",
    oracles=[
        by_hand(
            "the mean of the costs of all cases: Elkan (2001), The foundations of cost-sensitive "
            "learning, IJCAI",
            [[80, 10], [4, 6]],
            Fraction(10 * 1 + 4 * 5, 100),
            cost_matrix=[[0, 1], [5, 0]],
        )
    ],
    cases=[{"cost_matrix": "2 (i - j) for i > j, else j - i"}],
)
def expected_cost(m, cost_matrix):
    """sum_ij M_ij cost_ij / n"""
    return (
        sum(m.cells[i][j] * Fraction(cost_matrix[i][j]) for i in m.size for j in m.size) / m.total
    )


@metric(
    undefined=math.nan,
    better="lower",
    oracles=[imbalanced_learn("macro_averaged_mean_absolute_error")],
)
def macro_averaged_mean_absolute_error(m):
    """mean_i sum_j M_ij |y_i - y_j| / row_i"""
    numbers = [Fraction(label) for label in m.labels]
    errors = [
        sum(m.cells[i][j] * abs(numbers[i] - numbers[j]) for j in m.size) / m.rows[i]
        for i in m.size
        if m.rows[i]
    ]
    return mean(errors)


@metric(
    undefined=0,
    oracles=[
        # Of three equally likely classes the scores are 5/4 1/2 5/4 on the diagonal, -1/4 for one
        # and -1 for two steps.
        Example(GERRITY, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], Fraction(1)),
        Example(
            GERRITY,
            [[0, 1, 0], [0, 1, 0], [0, 0, 1]],
            Fraction(-1, 12) + Fraction(1, 6) + Fraction(5, 12),
        ),
        Example(
            GERRITY,
            [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
            Fraction(-1, 3) - Fraction(1, 12) - Fraction(1, 12),
        ),
    ],
)
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


@metric(undefined=0, oracles=[Library("scipy", cramers_v_of_scipy), pycm_overall("Cramer V")])
def cramers_v(m):
    """sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1))"""
    smaller = min(sum(map(bool, m.rows)), sum(map(bool, m.columns)))
    seen = [(i, j) for i in m.size for j in m.size if m.cells[i][j]]
    squared = sum(m.cells[i][j] ** 2 / (m.rows[i] * m.columns[j]) for i, j in seen) - 1
    return root(squared / (smaller - 1)) if smaller > 1 else UNDEFINED


def entropy(counts: list[Fraction], total: Fraction) -> Value:
    """The information in nats of one margin."""
    return -add(*(times(count / total, log(count / total)) for count in counts if count))


@metric(
    undefined=math.nan,
    oracles=[scikit_learn("mutual_info_score"), pycm_overall("Mutual Information", math.log(2))],
)
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


@metric(undefined=1, oracles=[scikit_learn("normalized_mutual_info_score")])
def normalized_mutual_information(m):
    """mutual_information / mean(H(true), H(pred))"""
    if max(m.rows) == max(m.columns) == m.total:
        return UNDEFINED
    return divide(
        2 * mutual_information(m), add(entropy(m.rows, m.total), entropy(m.columns, m.total))
    )


@metric(undefined=0, oracles=[scikit_learn("homogeneity_score"), pycm_overall("RCI")])
def uncertainty_coefficient(m):
    """mutual_information / H(true)"""
    return (
        UNDEFINED
        if max(m.rows) == m.total
        else divide(mutual_information(m), entropy(m.rows, m.total))
    )


@metric(undefined=1, better="lower", oracles=[pycm_overall("Overall CEN")])
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
