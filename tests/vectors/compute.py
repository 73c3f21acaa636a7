"""The file of test vectors: `python -m tests.vectors.compute` writes it, `--check` compares it."""

import argparse
import json
import lzma
import sys
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from tests.vectors.all_classes import Matrix
from tests.vectors.exact import REALS, infinite
from tests.vectors.one_class import CLASS_METRICS, Counts
from tests.vectors.oracle import EXACT_METRICS, class_value, overall_value
from tests.vectors.tables import Table, all_tables

VECTORS = Path(__file__).with_name("vectors.json.xz")
COMMAND = "python -m tests.vectors.compute"
DIGITS = 30
# Reals within the relative distance of a fraction of at most this denominator are that fraction: a
# root or a ratio of logarithms can be rational where its parts are not.
LARGEST_DENOMINATOR, DISTANCE = 10**20, Fraction(1, 10**70)
# The averages of every tenth table are spelled out, of the kinds with one class and with no error
# among them.
AVERAGED = slice(6, None, 10)
AVERAGES = ("macro", "weighted", "micro", "worst")
POLICIES = {"0": Fraction(0), "1": Fraction(1), "nan": float("nan")}


READING = [
    "Tables have a row for each actual class and a column for each predicted one, in the order of "
    "their labels. Some also have the samples, as actual and predicted labels. The second of two "
    "classes is the positive one.",
    "The k-th value of a metric belongs to the k-th table. A metric of classes has one value for "
    "each class, against all others, in the order of the labels; a metric of tables has one value.",
    "A value is a text: a fraction where it is rational, else a decimal number of 30 digits "
    "without closing zeros, "
    '"inf" or "-inf" where only the denominator is 0. It is null where the formula is 0/0 or inf '
    "- inf, or holds a part that is.",
    "tp, fp, fn, tn: true positives, false positives, false negatives and true negatives of a "
    "class; n: all samples; M_ij: samples of class i predicted as class j; row_i and col_j: their "
    "sums; tp_i: M_ii; trace: the sum of all tp_i; p_ij, p_i and q_j: M_ij, row_i and col_j "
    "divided by n; po: trace / n; K: the number of labels, also of those that do not occur; b: "
    "beta; p: threshold_probability; ln: the natural logarithm; probit: the quantile of the "
    "standard normal distribution. Where a formula defines a symbol itself, it has that meaning. "
    "Positions count from 0.",
    "H(true) and H(pred): -sum p_i ln p_i and -sum q_j ln q_j. chi2: n (sum M_ij^2 / (row_i col_j) "
    "- 1) over rows and columns that are not empty. cost_ij: as in the parameter cost_matrix, by "
    "positions. y_i: the labels if they are numbers, else their positions. In confusion_entropy, "
    "P_j is (row_j + col_j) / 2n, p_jk is M_jk / (row_j + col_j), p_kj is M_kj / (row_j + col_j), "
    "and the base of log is 2 (K - 1); it is null for one class.",
    "cohen_kappa with weights is 1 - n sum w_ij M_ij / sum w_ij row_i col_j, where w_ij is |i - j| "
    "if they are linear and (i - j)^2 if they are quadratic. balanced_accuracy with adjusted=true "
    "is (a - 1/C) / (1 - 1/C), where a is the value without it and C the number of classes that "
    "occur; it is null if C is 1. In gerrity, s_ij = s_ji = (1/a_0 + ... + 1/a_{i-1} - (j - i) + "
    "a_j + ... + a_{K-2}) / (K - 1) for i <= j, where a_k is (1 - P_k) / P_k and P_k is p_0 + ... "
    "+ p_k; it is null where one of P_0 to P_{K-2} is 0 or 1.",
    "In geometric_mean a recall of 0/0 is 0; class_balance_accuracy leaves out classes that "
    "neither occur nor are predicted; macro_averaged_mean_absolute_error leaves out classes that "
    "do not occur; the extremal dependence indices have their limits, 1 or -1, where a logarithm "
    "is infinite, and are null where these contradict each other.",
    "Averages: macro is the mean of the classes; weighted is their mean with the weights row_i, or "
    "the plain mean where all of them are 0; micro is the value of the sums of tp, fp, fn and tn "
    "over the classes; worst is the least value where higher values are better, the largest where "
    "lower ones are; binary is the value of the second of two classes. First, the value of a class "
    "that is null (in micro, that of the sums) becomes 0, 1 or nan, as zero_division says; nan is "
    "then left out. Where none is null, there is one result, otherwise one for each of the three. "
    "A mean that holds inf, with a weight above 0, is inf; of inf and -inf it is null, as is every "
    "average of nothing.",
]


class MetricCase(NamedTuple):
    """A metric with its parameters."""

    name: str
    parameters: dict[str, str]

    @property
    def key(self) -> str:
        """How it is called in the file."""
        given = ", ".join(
            f"{name}={value}" for name, value in self.parameters.items() if name != "cost_matrix"
        )
        return f"{self.name}({given})" if given else self.name

    @property
    def of_classes(self) -> bool:
        """Whether there is one value a class."""
        return self.name in CLASS_METRICS


METRIC_CASES = [
    MetricCase(name, parameters)
    for name, metric in EXACT_METRICS.items()
    for parameters in metric.cases
]


def main(arguments: list[str] | None = None) -> int:
    """Write the file, or compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the file of test vectors.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if the file differs"
    )
    text = file_text(all_tables())
    if not parser.parse_args(arguments).check:
        VECTORS.write_bytes(lzma.compress(text.encode(), preset=9))
        return 0
    # The texts: what they are compressed to depends on the version of xz.
    if stored_text() == text:
        return 0
    print(f"{VECTORS.name} is not what the formulas give. To write it, run: {COMMAND}")
    return 1


def stored_text() -> str:
    """What the file holds."""
    return lzma.decompress(VECTORS.read_bytes()).decode()


def file_text(tables: list[Table]) -> str:
    """What the file is to hold, with a line for each table of each metric."""
    head = {
        "title": "Test vectors for metrics of classification",
        "license": "BSD-3-Clause",
        "schema": "vectors.schema.json",
        "reading": READING,
    }
    parts = [f"{compact(name)}: {compact(value)}" for name, value in head.items()]
    parts.append(f'"tables": {lines(compact(described(table)) for table in tables)}')
    parts.append(f'"metrics": {lines(block(case, tables) for case in METRIC_CASES)}')
    averaged = list(enumerate(tables))[AVERAGED]
    parts.append(
        '"averages": '
        f"{lines(compact({'table': k, 'values': averages(table)}) for k, table in averaged)}"
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(texts: Iterable[str]) -> str:
    """A list with a line for each item."""
    return "[\n" + ",\n".join(texts) + "\n]"


def described(table: Table) -> dict[str, Any]:
    """A table without the parts that it does not have."""
    return {name: value for name, value in table._asdict().items() if value}


def block(case: MetricCase, tables: list[Table]) -> str:
    """A metric and its values."""
    metric = EXACT_METRICS[case.name]
    head = {
        "key": case.key,
        "metric": case.name,
        "parameters": case.parameters,
        "formula": metric.formula.__doc__,
    }
    head |= {"better": metric.better, "values_of": "classes" if case.of_classes else "tables"}
    return (
        f'{compact(head)[:-1]},"values": '
        f"{lines(compact(values(case, table)) for table in tables)}}}"
    )


def values(case: MetricCase, table: Table) -> Any:
    """The values of a metric in one table, as they are written."""
    if case.of_classes:
        found = class_value(
            case.name, quads(table), None, zero_division=float("nan"), **numbers(case, table)
        ).value
        return [written(value) for value in found]
    exact = [[Fraction(cell) for cell in row] for row in table.matrix]
    labels = (
        table.labels
        if all(isinstance(label, int) for label in table.labels)
        else range(len(table.labels))
    )
    matrix = Matrix(exact, list(labels))
    return written(
        overall_value(case.name, matrix, zero_division=float("nan"), **numbers(case, table)).value
    )


def averages(table: Table) -> dict[str, dict[str, Any]]:
    """The averages of all metrics of classes; by zero_division where a part is 0/0."""
    found: dict[str, dict[str, Any]] = {}
    for case in METRIC_CASES:
        if case.of_classes:
            better = CLASS_METRICS[case.name].better
            kept = [average for average in AVERAGES if average != "worst" or better != "neither"]
            found[case.key] = {average: by_policy(case, table, average) for average in kept}
            if len(table.labels) == 2:
                found[case.key]["binary"] = by_policy(case, table, "binary")
    return found


def by_policy(case: MetricCase, table: Table, average: str) -> Any:
    """One average, for each policy if they differ."""
    counted = quads(table)[-1:] if average == "binary" else quads(table)
    results = {
        policy: class_value(case.name, counted, average, zero_division=fill, **numbers(case, table))
        for policy, fill in POLICIES.items()
    }
    if not any(result.undefined for result in results.values()):
        return written(results["nan"].value)
    return {policy: written(result.value) for policy, result in results.items()}


def quads(table: Table) -> list[Counts]:
    """The counts of each class against the rest."""
    total, size = sum(map(sum, table.matrix)), range(len(table.labels))
    found = []
    for k in size:
        tp, row, column = (
            table.matrix[k][k],
            sum(table.matrix[k]),
            sum(line[k] for line in table.matrix),
        )
        found.append(Counts(*map(Fraction, (tp, column - tp, row - tp, total - row - column + tp))))
    return found


def numbers(case: MetricCase, table: Table) -> dict[str, Any]:
    """The parameters of a formula."""
    if case.name == "expected_cost":
        return {"cost_matrix": cost_matrix(len(table.labels))}
    return {name: parameter(text) for name, text in case.parameters.items()}


def parameter(text: str) -> Any:
    """A parameter as a number, where it is one."""
    return {"true": True, "linear": "linear", "quadratic": "quadratic"}.get(text) or Fraction(text)


def cost_matrix(size: int) -> list[list[int]]:
    """Costs that grow with the distance, twice as fast to one side."""
    return [[2 * (i - j) if i > j else j - i for j in range(size)] for i in range(size)]


def written(value: Any) -> str | None:
    """A value as the file has it."""
    if value != value:
        return None
    if infinite(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float: the formula that gave it is not exact")
    return rounded(value) if isinstance(value, REALS.mpf) else str(Fraction(value))


def rounded(value: REALS.mpf) -> str:
    """A fraction if it is one, else a decimal number; mpmath's own depends on its version in the
    last digit.
    """
    mantissa, exponent = map(int, abs(value).man_exp)
    exact = mantissa * Fraction(2) ** exponent
    fraction = exact.limit_denominator(LARGEST_DENOMINATOR)
    sign = -1 if value < 0 else 1
    if abs(fraction - exact) <= exact * DISTANCE:
        return str(sign * fraction)
    with localcontext(prec=DIGITS):
        text = str(sign * (Decimal(exact.numerator) / Decimal(exact.denominator)))
    if "." not in text or "E" in text:
        return text
    # What rounds to an integer keeps one zero: without a point, it would be that integer.
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.rstrip('0') or '0'}"


if __name__ == "__main__":
    sys.exit(main())
