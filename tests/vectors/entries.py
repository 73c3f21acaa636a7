"""What is said of a metric beside its exact formula: an entry of the tables of formulas."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.vectors.exact import Value
from tests.vectors.sources import Oracles

Formula = Callable[..., Value]


class ExactMetric(NamedTuple):
    """A formula, what stands for 0/0 by default, which values are better, who else knows its
    values, and the parameters, as they are written, with which the test vectors have it.
    """

    formula: Formula
    undefined: float
    better: str
    oracles: Oracles
    cases: Sequence[dict[str, str]]


def entering(table: dict[str, ExactMetric]) -> Callable[..., Callable[[Formula], Formula]]:
    """A decorator that enters a formula, which its docstring says in words, under its name."""

    def metric(
        undefined: float,
        *,
        oracles: Oracles,
        better: str = "higher",
        cases: Sequence[dict[str, str]] = ({},),
    ) -> Callable[[Formula], Formula]:
        def enter(formula: Formula) -> Formula:
            table[formula.__name__] = ExactMetric(formula, undefined, better, oracles, cases)
            return formula

        return enter

    return metric
