"""Scores of a table -> the index of the class that a rule chooses, in any engine's expressions."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from skmetrics_ext.adapter import rule
from skmetrics_ext.adapter.rule import Decision
from skmetrics_ext.adapter.scale import check_scale_of_range, in_precision_of, is_range_needed
from skmetrics_ext.engines.numbers import in_halves, type_of_scores
from skmetrics_ext.engines.tables import Table
from skmetrics_ext.reading.aliases import Ties


def with_decision(table: Table, columns: Sequence[str], decision: Decision, ties: Ties) -> Table:
    """The column "decided": the index of a class, or 1 where a single threshold is reached."""
    if decision.method == "reached":
        column = columns[0 if len(columns) == 1 else decision.class_position or 0]
        return _with_reached(table, column, decision, ties)
    if decision.method == "largest":
        return _with_best(table, columns, operator.ge)
    nw = table.nw
    scores = [nw.col(name).cast(nw.Float64) for name in columns]
    if len(scores) == 1:
        scores = (
            [1 - scores[0], scores[0]]
            if decision.class_position == 1
            else [scores[0], 1 - scores[0]]
        )
    numbers = np.asarray(decision.numbers, dtype=np.float64).tolist()
    values = [f"value_{k}" for k in range(len(scores))]
    if decision.method == "divided":
        parts = [score / number for score, number in zip(scores, numbers, strict=True)]
    else:
        parts = [_expected(nw, scores, column) for column in zip(*numbers, strict=True)]
    table = table.with_columns(**dict(zip(values, parts, strict=True)))
    return _with_best(table, values, operator.ge if decision.method == "divided" else operator.le)


def columns_in_range(decision: Decision, columns: Sequence[str]) -> Sequence[str]:
    """The columns of scores that a rule needs to be probabilities, or to tell."""
    if decision.method == "reached":
        needs_them = decision.numbers is None or is_range_needed(decision.numbers)
    else:
        needs_them = decision.method in ("cheapest", "divided")
    return columns if needs_them else ()


def check_range(decision: Decision, n_columns: int, least: float, most: float) -> None:
    """Reject scores that are no probabilities, or thresholds on another scale."""
    if decision.method == "reached" and decision.numbers is None:
        rule.check_range_of_probabilities(least, most)
    elif decision.method == "reached" and decision.numbers is not None:
        check_scale_of_range(decision.numbers, least, most)
    if decision.method in ("cheapest", "divided"):
        reason = "cost_matrix" if decision.method == "cheapest" else "one threshold per class"
        rule.check_range_of_columns(least, most, is_one=n_columns == 1, reason=reason)


def _with_reached(table: Table, column: str, decision: Decision, ties: Ties) -> Table:
    """Whether a column reaches a threshold, compared in the precision of narrow scores."""
    nw = table.nw
    limit = np.array(0.5) if decision.numbers is None else decision.numbers
    number = float(in_precision_of(np.empty(0, dtype=type_of_scores(table, column)), limit))
    score = nw.col(column)
    reached = score >= number if ties == "positive" else score > number
    return table.with_columns(decided=nw.when(reached).then(1).otherwise(0))


def _with_best(table: Table, columns: Sequence[str], wins: Callable[[Any, Any], Any]) -> Table:
    """The index of the best column, the first in ties, by rounds of two each: nested branches fail
    at some hundreds of classes, and Dask shuffles rows for horizontal operations.
    """
    nw, n_made = table.nw, 0
    contest = [(nw.col(name), nw.lit(place, nw.Int64)) for place, name in enumerate(columns)]
    while len(contest) > 1:
        made, winners = {}, []
        for (one, place), (other, other_place) in zip(contest[::2], contest[1::2], strict=False):
            value, where, n_made = f"best_{n_made}", f"place_{n_made}", n_made + 1
            made[value] = nw.when(wins(one, other)).then(one).otherwise(other)
            made[where] = nw.when(wins(one, other)).then(place).otherwise(other_place)
            winners.append((nw.col(value), nw.col(where)))
        table = table.with_columns(**made)
        # An odd last one has a bye.
        contest = winners + contest[2 * len(winners) :]
    return table.with_columns(decided=contest[0][1])


def _expected(nw: Any, scores: Sequence[Any], costs: Sequence[float]) -> Any:
    """The expected cost of one predicted class, without the zero terms."""
    terms = [score * cost for score, cost in zip(scores, costs, strict=True) if cost]
    return in_halves(terms, lambda one, other: one + other) if terms else scores[0] * nw.lit(0.0)
