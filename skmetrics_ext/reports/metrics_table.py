"""The table of all metrics: what each is called, how it is computed and how it is read, as a data frame."""

from __future__ import annotations

from typing import Any, Literal

from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.metrics.by_name import docstring_of
from skmetrics_ext.writing.frames import frame


def metrics_table(backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
    """All metrics as a data frame to search and filter: a row a metric.

    Parameters
    ----------
    backend : {"pandas", "polars", "pyarrow"}, default=None
        The library of the frame. None: pandas, or polars where pandas is not installed.

    Returns
    -------
    data frame
        The columns "name", "function" (of this package), "formula", "range", "better" ("higher",
        "lower" or "neither"), "undefined" (a float, the value where the formula is 0/0, unless
        chosen otherwise), "aliases" and "parameters" (of the metric alone, with their defaults;
        either joined by ", ", "" where there are none), "source", and when to "use" it and its
        "pitfall" in words, as `describe` prints them.

    Raises
    ------
    ImportError
        If narwhals or the library is not installed.

    See Also
    --------
    describe : One metric in words.

    Examples
    --------
    >>> from skmetrics_ext import metrics_table
    >>> table = metrics_table(backend="pandas")
    >>> table[table["aliases"].str.contains("npv")]["function"].tolist()
    ['negative_predictive_value']
    >>> table[table["parameters"] != ""].set_index("name")["parameters"].head(3).to_dict()
    {'fbeta': 'beta', 'tversky': 'alpha=0.5, beta=0.5', 'index_balanced_accuracy': 'alpha=0.1'}
    """
    columns = {
        "name": [row.name for row in METRICS],
        "function": [row.function for row in METRICS],
        "formula": [row.text for row in METRICS],
        "range": [row.range for row in METRICS],
        "better": [row.better for row in METRICS],
        "undefined": [float(row.undefined) for row in METRICS],
        "aliases": [", ".join(row.aliases) for row in METRICS],
        "parameters": [", ".join(parameters_as_text(row)) for row in METRICS],
        "source": [row.source for row in METRICS],
        "use": [_note(row, "Use it") for row in METRICS],
        "pitfall": [_note(row, "Pitfall:") for row in METRICS],
    }
    return frame(columns, backend)


def _note(row: Metric, beginning: str) -> str:
    """The paragraph of the notes that begins so, in one line; "" where Python leaves docstrings out (-OO)."""
    paragraphs = docstring_of(row).get("Notes", "").split("\n\n")
    found = [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip().startswith(beginning)]
    return found[0] if found else ""


def parameters_as_text(row: Metric) -> list[str]:
    """The parameters of a metric, those with a default as "alpha=0.5"."""
    return [
        name if name in row.required else f"{name}={parameter.default!r}" for name, parameter in row.parameters.items()
    ]
