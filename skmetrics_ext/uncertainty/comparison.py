"""Comparison: differences of metrics of models on the same samples, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.text import ShownTable, on_one_line, p_as_text

# The columns of text.
NAMES = ("metric", "a", "b", "method", "not_worse")
MOST_SHOWN = 40


class ComparisonRow(NamedTuple):
    """A metric of two models."""

    metric: str
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    method: str
    not_worse: bool | None = None
    """Whether a is shown to be no worse than b by more than the margin, one-sided and uncorrected; None without one."""
    n_permutations: int = 0
    """Of which p_value was found, so that it is not below 1 / (1 + n_permutations); 0 of tests without."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Whether models differ on the same samples: a row for each metric and pair of models.

    Attributes
    ----------
    rows : tuple of named tuples
        metric, a, b, value_a, value_b, difference (of a - b), low, high, p_value, p_adjusted, method,
        not_worse, which is None without a margin and never corrected, and n_permutations, which is 0 of tests without:
        no p value is below 1 / (1 + n_permutations).
    confidence_level : float
        Of each interval by itself.
    correction : str or None
        How p_adjusted makes up for the number of rows.
    margin : float or None
        What a may be worse by and still be as good.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    >>> models = {"a": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]}
    >>> row = compare(y, models, "accuracy").rows[0]
    >>> round(row.difference, 2), round(row.p_value, 4)
    (0.5, 0.0313)
    """

    rows: tuple[ComparisonRow, ...]
    confidence_level: float
    correction: str | None = None
    margin: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(ComparisonRow(*row) for row in self.rows))

    def __reduce__(self) -> tuple[Any, ...]:
        # Rows as plain tuples: a pickle names public classes alone, since others may move.
        return type(self), (tuple(map(tuple, self.rows)), self.confidence_level, self.correction, self.margin)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """The rows as a data frame; `not_worse` only with a margin.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        return frame({name: [getattr(row, name) for row in self.rows] for name in self._columns()}, backend)

    def _repr_html_(self) -> str:
        """The rows as an HTML table, for notebooks."""
        return self._table().as_html()

    def __repr__(self) -> str:
        return self._table().as_text()

    def _table(self) -> ShownTable:
        """The rows for people, with a title that says what they are."""
        about = [f"Comparison of {len(self.rows)} {'row' if len(self.rows) == 1 else 'rows'}: difference = a - b"]
        about += [f"{100 * self.confidence_level:g} % intervals"]
        about += [] if self.correction is None else [f"p_adjusted by {self.correction}"]
        if self.margin is not None:
            level = 50 * (1 - self.confidence_level)
            about += [f"not_worse: by more than {self.margin:g}, one-sided at {level:.4g} %, uncorrected"]
        hidden = ("n_permutations", *(() if self.correction is not None else ("p_adjusted",)))
        names = [name for name in self._columns() if name not in hidden]
        texts = [[_text(name, row) for name in names] for row in self.rows]
        return ShownTable(", ".join(about), names, texts, [name in NAMES for name in names], MOST_SHOWN)

    def _columns(self) -> list[str]:
        """The columns that say something."""
        return [name for name in ComparisonRow._fields if name != "not_worse" or self.margin is not None]


def _text(name: str, row: ComparisonRow) -> str:
    """A cell for people."""
    value = getattr(row, name)
    if isinstance(value, str):
        return on_one_line(value)
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "unknown"}[value]
    if name.startswith("p_"):
        is_least = row.n_permutations > 0 and row.p_value <= 1 / (1 + row.n_permutations)
        return p_as_text(value, value if is_least else 0.0)
    return f"{value:+.4f}" if name in ("difference", "low", "high") else f"{value:.4f}"
