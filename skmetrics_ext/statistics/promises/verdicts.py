"""The result of check: a verdict for each claim and group, with values, names, frames and text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from skmetrics_ext.reading.calls import explained_methods
from skmetrics_ext.statistics.receipts import (
    WHY,
    caveats_in_words,
    estimate_in_words,
    in_words,
    where,
)
from skmetrics_ext.statistics.results import (
    LIMITS,
    NAMES,
    OF_ALL,
    OF_ENTRIES_ALONE,
    SAMPLES,
    VALUES,
    Result,
    printed_columns,
    whole_numbers,
)
from skmetrics_ext.writing.printed import Style, cells_with_limits
from skmetrics_ext.writing.text import level_as_text
from skmetrics_ext.writing.text_table import TextTable

# By exit status.
OVERALL = ("pass", "fail", "cannot tell")


@explained_methods
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Verdicts(Result):
    """Whether claims about metrics hold, one verdict per claim and group; true only where all pass.

    In pytest, `assert verdicts, verdicts` prints the whole table.

    Attributes
    ----------
    overall : {"pass", "fail", "cannot tell"}
        "pass" if all claims pass in all groups; "fail" if one fails after a Bonferroni correction.
    verdict : ndarray of str, shape (n_claims, ...)
        "pass", "fail" or "cannot tell" for each claim, and each entry of the further axes.
    value, bound : ndarray of shape (n_claims, ...)
        The value of the metric, or the difference between the models, and the bound of the claim.
    metric, side : ndarray of str, shape (n_claims, ...)
        What the claim is about, "recall of 1", and ">=" or "<=".
    low, high : ndarray of shape (n_claims, ...)
        One-sided confidence limits, each at `confidence_level`: "pass" if the one that faces the
        bound satisfies it, "fail" if the other does not. An Interval's are its two-sided ones, and
        of a Gap one is `limit_of_each_pair`. A Comparison's may stop short of 0.
    n : ndarray of shape (n_claims, ...)
        Number of samples, as in `Interval`; nan for comparisons.
    n_needed : ndarray of shape (n_claims, ...)
        The smallest n that gives a "pass", or a "fail" where the value violates the bound, with
        power 0.8 if the value is the true one; nan where it equals the bound, and for metrics that
        are no proportion of n samples. Power rises in saw teeth: some larger n have a little less.
    reason, method : ndarray of str, shape (n_claims, ...)
        Why a claim can't be tested, empty where it can, and how the limits were computed.
    confidence_level : float
        The level of each one-sided limit.
    axes : tuple of Axis
        "claim" and the axes of the groups, or "models" for comparisons.
    caveats : tuple of Caveat
        What the verdicts are about, where that is not the model at hand.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, check
    >>> cm = ConfusionMatrix.from_counts([[180, 20], [2, 98]], labels=["no", "yes"])
    >>> verdicts = check(cm, {"recall": 0.9})
    >>> bool(verdicts), verdicts.low.round(3)
    (True, array([0.938]))
    """

    verdict: Any = field(metadata=NAMES)
    value: Any = field(metadata=VALUES)
    low: Any = field(metadata=LIMITS)
    high: Any = field(metadata=LIMITS)
    n: Any = field(metadata=SAMPLES)
    n_needed: Any = field(metadata={**SAMPLES, WHY: "no number of samples is known to be enough"})
    reason: Any = field(metadata=NAMES)
    method: Any = field(metadata=NAMES)
    confidence_level: float
    metric: Any = field(metadata=OF_ENTRIES_ALONE)
    side: Any = field(metadata=OF_ENTRIES_ALONE)
    bound: Any = field(metadata=OF_ENTRIES_ALONE)
    overall: Literal["pass", "fail", "cannot tell"] = field(metadata=OF_ALL)

    _sides: ClassVar[str] = "one-sided"
    # The limits that decide, if they are not those of a matrix.
    _limits: str = field(default="", metadata=OF_ALL)

    def sentence(self, *, digits: int = 2) -> str:
        """The overall verdict, and a sentence for each claim and group, on a line of its own.

        Parameters
        ----------
        digits : int, default=2
            Number of decimal places in the text.

        Returns
        -------
        str
        """
        return f"Check: {self.overall}\n{super().sentence(digits=digits)}"

    def _by_metric(self) -> dict[str, Result]:
        """None: no claims are about verdicts."""
        return {}

    def _in_words(self, at: Mapping[str, Any], style: Style) -> str:
        """The verdict on one claim."""
        groups = {name: of for name, of in at.items() if name != "claim"}
        claim = f"{in_words(self.metric)} {self.side} {self.bound:.12g}{where(groups)}"
        n = "" if math.isnan(self.n) else f"n = {self.n:.0f}"
        # A verdict that is there needs no more samples.
        is_open = self.verdict == "cannot tell" and not math.isnan(self.n_needed)
        needed = (
            f"{self.n_needed:.0f} samples have power 0.8 if {self.value:.{style.digits}f} is true"
        )
        needed = needed if is_open else ""
        numbers = (self.value, self.low, self.high)
        limits = self._limits or f"one-sided {level_as_text(self.confidence_level)} limits"
        details = [n, needed, self.method, self.reason.removesuffix(".")]
        text = estimate_in_words(numbers, self._lines()[0], limits, details, style)
        return f"{claim}: {self.verdict}, {text}{caveats_in_words(self)}"

    @property
    def _most(self) -> int:  # type: ignore[override]  # all rows are shown
        """How many rows there are."""
        return int(np.size(self.verdict))

    def __bool__(self) -> bool:
        return self.overall == "pass"

    @property
    def exit_status(self) -> int:
        """The exit status of the command: 0 pass, 1 fail, 2 cannot tell."""
        return OVERALL.index(self.overall)

    def _lines(self) -> list[Sequence[float]]:
        """The bound of each claim, and no difference."""
        return [(bound, 0.0) for bound in self._column("bound")]

    def _title(self) -> str:
        """The overall verdict."""
        limits = self._limits or f"one-sided at {level_as_text(self.confidence_level)} each"
        return f"Check: {self.overall} ({limits})"

    def _printed(self, style: Style) -> TextTable:
        """All entries for a paper."""
        numbers = (self.value, self.low, self.high)
        level = self._limits or f"one-sided {level_as_text(self.confidence_level)} limits"
        columns = {
            f"value ({level})": cells_with_limits(numbers, None, style, self._lines()),
            "n": whole_numbers(self, self._column("n")),
            "verdict": self._column("verdict"),
        }
        if self.reason.any():
            columns["reason"] = self._column("reason")
        return printed_columns(f"Check: {self.overall}", self.axes, columns, self._notes())

    def _marks(self) -> list[str]:
        """None: verdicts are about what their notes say."""
        return [""] * self._most

    def _notes(self) -> list[str]:
        """Why rows may say otherwise than all, and the caveats."""
        n_failed = int((self.verdict == "fail").sum())
        if not n_failed or self.overall == "fail":
            return super()._notes()
        level = level_as_text(self.confidence_level)
        text = (
            f"* {n_failed} of {self.verdict.size} rows: fail at {level} each, but not at that "
            "level for all rows together, so the check does not fail."
        )
        return [text, *super()._notes()]
