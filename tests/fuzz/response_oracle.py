"""Scores -> labels by the rules of the documentation, one sample at a time and exactly."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """How scores become labels; the options of `labels_from_scores`."""

    threshold: Any = None
    ties: str = "positive"
    cost_matrix: Any = None

    @property
    def options(self) -> dict[str, Any]:
        """As keyword arguments, without those that are left at their default."""
        return {
            name: value for name, value in self._asdict().items() if value not in (None, "positive")
        }


def labels_of_rows(
    rows: Sequence[Sequence[float]], classes: Sequence[Any], positive: Any, rule: Rule
) -> list[Any]:
    """The label of each row of one probability a class."""
    return [_label(row, classes, positive, rule) for row in rows]


def labels_of_scores(
    scores: Sequence[float], classes: Sequence[Any], scored: Any, positive: Any, rule: Rule
) -> Any:
    """The label of each probability of one of two classes; without a rule, half is enough for the
    positive one.
    """
    rows = [(score, 1 - score) if scored == classes[0] else (1 - score, score) for score in scores]
    return labels_of_rows(rows, classes, positive, Rule(threshold=0.5) if rule == Rule() else rule)


def _label(row: Sequence[float], classes: Sequence[Any], positive: Any, rule: Rule) -> Any:
    """The label of one row."""
    shares = [Fraction(share) for share in row]
    if rule.cost_matrix is not None:
        columns = zip(*rule.cost_matrix, strict=True)
        costs = [
            sum(share * Fraction(cost) for share, cost in zip(shares, column, strict=True))
            for column in columns
        ]
        return classes[costs.index(min(costs))]
    if isinstance(rule.threshold, (int, float)):
        place = classes.index(positive)
        threshold = Fraction(rule.threshold)
        reached = shares[place] > threshold or (
            shares[place] == threshold and rule.ties == "positive"
        )
        return classes[place if reached else 1 - place]
    if rule.threshold is not None:
        shares = [
            share / Fraction(threshold)
            for share, threshold in zip(shares, rule.threshold, strict=True)
        ]
    return classes[shares.index(max(shares))]
