"""The result of check: a verdict for each claim and group, with values, names, frames and text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.statistics.caveats import Caveat, notes_of
from skmetrics_ext.statistics.results import Result, behind_coordinates, names_of_entries
from skmetrics_ext.writing.printed import UNKNOWN, Style, cells_with_limits
from skmetrics_ext.writing.text import ShownTable, level_as_text, limit_in_column, on_one_line
from skmetrics_ext.writing.text_table import TextTable

NUMBERS = ("value", "low", "high", "n", "n_needed")
WHOLE = ("n", "n_needed")


@dataclass(frozen=True, eq=False, repr=False)
class Verdicts(Result):
    """Whether claims about metrics hold, one verdict per claim and group; true only where all pass.

    In pytest, `assert verdicts, verdicts` prints the whole table.

    Attributes
    ----------
    overall : {"pass", "fail", "cannot tell"}
        "pass" if all claims pass in all groups; "fail" if one fails after a Bonferroni correction.
    verdict : ndarray of str, shape (n_claims, ...)
        "pass", "fail" or "cannot tell" for each claim, and each entry of the further axes.
    value : ndarray of shape (n_claims, ...)
        The value of the metric, or the difference between the models.
    low, high : ndarray of shape (n_claims, ...)
        One-sided confidence limits, each at `confidence_level`: "pass" if the one that faces the
        bound satisfies it, "fail" if the other does not. A Comparison's may stop short of 0 by its
        test, shown as ">0" or "<0".
    n : ndarray of shape (n_claims, ...)
        Number of samples, as in `Interval`; nan for comparisons.
    n_needed : ndarray of shape (n_claims, ...)
        The smallest n that gives a "pass", or a "fail" where the value violates the bound, with
        power 0.8 if the value is the true one; nan where it equals the bound, and for metrics that
        are no proportion of n samples. Above 100,000 it may be too small by a quarter of a percent.
        For clusters like these it has the design effect of these data.
    reason : ndarray of str, shape (n_claims, ...)
        Why a claim can't be tested; empty where it can.
    methods : tuple of str
        How the confidence limits of each claim were computed.
    confidence_level : float
        The level of each one-sided limit.
    axes : tuple of Axis
        "claim" and the axes of the groups, or "models" for comparisons.
    caveats : tuple of Caveat
        What the verdicts are about, where that is not the model at hand: folds that were summed.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, check
    >>> cm = ConfusionMatrix.from_counts([[180, 20], [2, 98]], labels=["no", "yes"])
    >>> verdicts = check(cm, {"recall": 0.9})
    >>> bool(verdicts), verdicts.low.round(3)
    (True, array([0.938]))
    """

    overall: Literal["pass", "fail", "cannot tell"]
    verdict: NDArray[Any]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: NDArray[np.float64]
    n_needed: NDArray[np.float64]
    reason: NDArray[Any]
    methods: tuple[str, ...]
    confidence_level: float
    axes: tuple[Axis, ...]
    caveats: tuple[Caveat, ...] = ()

    def __bool__(self) -> bool:
        return self.overall == "pass"

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        columns = {
            name: getattr(self, name).ravel().tolist() for name in ("verdict", *NUMBERS, "reason")
        }
        columns["method"] = np.repeat(self.methods, self.value.size // len(self.methods)).tolist()
        return behind_coordinates(
            self.axes, {**columns, "confidence_level": [self.confidence_level] * self.value.size}
        )

    def _printed(self, style: Style) -> TextTable:
        """All entries for a paper."""
        numbers = (self.value, self.low, self.high)
        columns = [
            *zip(*names_of_entries(self.axes), strict=True),
            cells_with_limits(numbers, None, style),
            map(_whole, self.n.ravel().tolist()),
            self.verdict.ravel().tolist(),
        ]
        level = f"one-sided {level_as_text(self.confidence_level)} limits"
        headers = [*(axis.name for axis in self.axes), f"value ({level})", "n", "verdict"]
        if self.reason.any():
            columns.append(self.reason.ravel().tolist())
            headers.append("reason")
        rows = tuple(zip(*columns, strict=True))
        title, notes = f"Check: {self.overall}", tuple(self._notes())
        return TextTable(title, tuple(headers), rows, len(self.axes), notes)

    def _notes(self) -> Iterator[str]:
        """Why rows may say otherwise than all, and the caveats."""
        n_failed = int((self.verdict == "fail").sum())
        if n_failed and self.overall != "fail":
            level = level_as_text(self.confidence_level)
            yield (
                f"* {n_failed} of {self.verdict.size} rows: fail at {level} each, but not at that "
                "level for all rows together, so the check does not fail."
            )
        yield from notes_of(self.caveats)

    def _table(self) -> ShownTable:
        """All entries as shown, with a title."""
        columns = self._columns()
        for name in ["confidence_level"] + ["reason"] * (not self.reason.any()):
            del columns[name]
        rows = [[*map(_text, columns, row)] for row in zip(*columns.values(), strict=True)]
        title = f"Check: {self.overall} (one-sided at {level_as_text(self.confidence_level)} each)"
        are_names = [name not in NUMBERS for name in columns]
        notes = [*self._notes()]
        return ShownTable(title, [*columns], rows, are_names, len(rows), notes)


def _whole(entry: float) -> str:
    """A number of samples as printed."""
    return UNKNOWN if math.isnan(entry) else f"{entry:.0f}"


def _text(name: str, entry: Any) -> str:
    """A cell as shown."""
    if not isinstance(entry, float):
        return on_one_line(entry)
    if math.isnan(entry):
        return "-"
    if name in ("low", "high"):
        return limit_in_column(entry, ".4f")
    return f"{entry:.{0 if name in WHOLE else 4}f}"
