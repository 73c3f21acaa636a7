"""Descriptions of metrics: formula, range, names, uses and pitfalls."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from skmetrics_ext.catalogue.names import resolve, resolve_scorer, suffixes_of
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.metrics.from_labels import function_of
from skmetrics_ext.reading.aliases import Backend
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.statistics.classes import methods_of_metric
from skmetrics_ext.statistics.methods import METHODS
from skmetrics_ext.writing.frames import frame

# Columns of the names, and of the text: 80 with the "# " of a comment.
INDENT = 12
IN_LINES = partial(textwrap.fill, width=78, break_long_words=False, break_on_hyphens=False)

SYMBOLS_OF_A_CLASS = (
    "tp, fp, fn and tn count samples of one class against the rest: true and false positives, "
    "false and true negatives; n is their sum."
)
SYMBOLS_OF_ALL_CLASSES = (
    "M_ij samples of class i are predicted as j, row_i = sum_j M_ij, col_j = sum_i M_ij, trace = "
    "sum_i M_ii, n is the number of samples, K the number of classes; p_ij = M_ij / n, po = trace "
    "/ n."
)

WITHOUT_DOCSTRINGS = (
    "When to use it, and its pitfalls, are in its docstring, which Python strips under -OO."
)


@explained
def describe(metric: str | Callable[..., Any]) -> None:
    """Print a metric's definition, names, uses and pitfalls.

    Parameters
    ----------
    metric : str or callable
        A name or an alias ("npv"), also with an average ("recall_macro") or of a scorer
        ("neg_fpr"), or a function.

    Raises
    ------
    ValueError
        If there is no such metric.

    See Also
    --------
    metrics_table : All metrics as a data frame.

    Examples
    --------
    >>> from skmetrics_ext import describe
    >>> describe("npv")  # doctest: +ELLIPSIS
    negative_predictive_value
    <BLANKLINE>
    tn / (tn + fn): the proportion of predicted negatives that are correct.
    <BLANKLINE>
    aliases     npv
    ...
    value       In [0, 1]; higher is better.
    ...
    source      Altman & Bland 1994
    ...
    """
    is_signed = isinstance(metric, str) and metric.lower().startswith("neg_")
    row, average = resolve_scorer(metric) if is_signed else resolve(metric)
    if row.is_custom:
        raise ValueError(
            f"{row.name} is your own function, but describe is for this package's metrics: use "
            "help()."
        )
    name = metric.lower().removeprefix("neg_") if isinstance(metric, str) else row.name
    sections = docstring_of(row)
    fields = {
        "aliases": ", ".join(row.aliases),
        "symbols": SYMBOLS_OF_A_CLASS if row.has_average else SYMBOLS_OF_ALL_CLASSES,
        "value": _range_in_words(row, sections),
        "0/0": _undefined_in_words(row, sections),
        "averages": _averages_in_words(row),
        "parameters": ", ".join(parameters_as_text(row)),
        "interval": _methods_in_words(row),
        **_calls(row, name, average),
        "source": row.source,
    }
    beginning = _paragraphs(sections.get("", f"{row.text}."))
    table = "\n".join(_in_narrow_lines(text, head) for head, text in fields.items() if text)
    notes = _paragraphs(sections.get("Notes", WITHOUT_DOCSTRINGS))
    print("\n\n".join([row.name, *beginning, table, *notes]))


def docstring_of(row: Metric) -> dict[str, str]:
    """The docstring by its headings, "" at its beginning; empty without docstrings (-OO)."""
    text = inspect.getdoc(function_of(row))
    if text is None:
        return {}
    parts = re.split(r"^(\w[\w ]*)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))


def _paragraphs(text: str) -> Iterable[str]:
    """The paragraphs of a docstring, wrapped to the width here."""
    return (_in_narrow_lines(paragraph) for paragraph in text.strip().split("\n\n") if paragraph)


def _in_narrow_lines(text: str, head: str = "") -> str:
    """A wrapped paragraph, to the right of its head if it has one."""
    beginning = f"{head:<{INDENT}}" if head else ""
    return IN_LINES(
        " ".join(text.split()), initial_indent=beginning, subsequent_indent=" " * len(beginning)
    )


def _range_in_words(row: Metric, sections: dict[str, str]) -> str:
    """Range, better direction and other remarks, from the docstring."""
    _, _, text = sections.get("Returns", "").strip().partition("\n")
    better = row.better if row.better != "neither" else "neither direction"
    return text or f"In {row.range}; {better} is better."


def _undefined_in_words(row: Metric, sections: dict[str, str]) -> str:
    """The value for 0/0, and when it occurs; empty without zero_division."""
    if "zero_division" not in inspect.signature(function_of(row)).parameters:
        return ""
    where = re.search(r"0/0 \((.+?)\)\. ", " ".join(sections.get("Parameters", "").split()))
    if where and where[1].startswith("never"):
        return where[1]
    because = f" ({where[1]})" if where else ""
    return f"{row.undefined:g}, with a warning{because}; zero_division= sets a different value."


def _averages_in_words(row: Metric) -> str:
    """The available averages over classes."""
    if row.has_average:
        return (
            f"binary (the class pos_label), {', '.join(suffixes_of(row))}, or None for one value "
            "per class"
        )
    if row.own_averages:
        return f"see help({row.function})"
    return "none: it is a single value over all classes"


def _methods_in_words(row: Metric) -> str:
    """How limits are found by default, for each kind of samples; and what `method=` takes."""
    sizes = {"": 2} if row.has_average else {" of two classes": 2, " of more": 3}
    of_sizes = [methods_of_metric(row, "independent", size) for size in sizes.values()]
    if of_sizes[0] == of_sizes[-1]:
        sizes = {"": 2}
    defaults = [
        f"{METHODS[of_size[0]].shown}{text}" for text, of_size in zip(sizes, of_sizes, strict=False)
    ]
    of_designs = [
        f"{METHODS[methods_of_metric(row, kind)[0]].shown} of {kind} samples"
        for kind in ("weighted", "clustered")
    ]
    return f"{', '.join([*defaults, *of_designs])}; method= takes {', '.join(of_sizes[0])}"


def _calls(row: Metric, name: str, average: str | None) -> dict[str, str]:
    """How a metric is called: as a function, a scorer and maybe from a matrix."""
    first, second, *_ = inspect.signature(function_of(row)).parameters
    needed = [f"{parameter}=..." for parameter in row.required]
    of_average = [] if average is None else [f'average="{average}"']
    of_function = ", ".join([first, second, *needed, *of_average])
    of_scorer = ", ".join([f'"{row.scorer_prefix}{name}"', *needed])
    of_matrix = ", ".join([f'"{name}"', *needed])
    return {
        "function": f"{row.function}({of_function})",
        "scorer": f"get_scorer({of_scorer})",
        # A matrix does not know the labels of a sample.
        "matrix cm": "" if average == "samples" else f"cm.score({of_matrix})",
    }


@explained
def metrics_table(backend: Backend | None = None) -> Any:
    """All metrics as a data frame to search and filter, one row per metric.

    Parameters
    ----------
    backend : {"pandas", "polars", "pyarrow"}, default=None
        The frame's library. None: pandas if installed, else polars.

    Returns
    -------
    data frame
        The columns "name", "function", "formula", "range", "better" ("higher", "lower" or
        "neither"), "undefined" (the default for 0/0), "aliases", "parameters", "source", "use" and
        "pitfall".

    Raises
    ------
    ImportError
        If narwhals or the library is not installed.

    See Also
    --------
    describe : One metric as text.

    Examples
    --------
    >>> from skmetrics_ext import metrics_table
    >>> table = metrics_table(backend="pandas")
    >>> table[table["aliases"].str.contains("npv")]["function"].tolist()
    ['negative_predictive_value']
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
    """The paragraph of the notes with this beginning; "" without docstrings (-OO)."""
    paragraphs = docstring_of(row).get("Notes", "").split("\n\n")
    notes = [
        " ".join(paragraph.split())
        for paragraph in paragraphs
        if paragraph.strip().startswith(beginning)
    ]
    return notes[0] if notes else ""


def parameters_as_text(row: Metric) -> list[str]:
    """The parameters of a metric, such as "alpha=0.5"."""
    return [
        name if name in row.required else f"{name}={own.default!r}"
        for name, own in row.parameters.items()
    ]
