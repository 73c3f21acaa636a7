"""Results -> plain values for JSON and sentences, by rules over their fields."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields
from datetime import date
from enum import Enum
from typing import Any

import numpy as np

from skmetrics_ext.reading.order import date_as_text, plain
from skmetrics_ext.statistics.caveats import NOTES, UNDEFINED, Caveat
from skmetrics_ext.statistics.entries import Entries, entry_at, names_of_entries_in, shape_of
from skmetrics_ext.statistics.methods import METHODS, methods_in
from skmetrics_ext.writing.printed import Style, limit_in_print, number

# What a field says of itself in its metadata: why it is not known where no caveat says it, that
# caveats do, as of estimates, limits and p-values, and that it holds numbers of samples.
WHY, EXPLAINED, WHOLE = "why", "explained", "whole"
# Those of a double.
MOST_DIGITS = 15
# Methods that draw replicates; others that need a seed draw folds.
DRAWN = ("replicates", "permuted groups", "limits of each repetition")


def plain_value(value: Any) -> Any:
    """A value as JSON has it: NaN is null, infinities are text, labels of other types too."""
    if isinstance(value, np.ndarray):
        are_names = value.dtype.names or value.dtype.kind in "mM"
        return plain_value(plain(value) if are_names else value.tolist())
    if isinstance(value, (np.datetime64, np.timedelta64)):
        if np.isnat(value):
            return None
        return date_as_text(value) if isinstance(value, np.datetime64) else str(value)
    if isinstance(value, np.generic):
        return plain_value(value.item())
    if isinstance(value, Enum):
        return plain_value(value.value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, date):
        return value.isoformat()
    return _plain_parts(value)


def _plain_parts(value: Any) -> Any:
    """Several values, or one of another type as text."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(name): plain_value(of) for name, of in value.items()}
    if isinstance(value, (Sequence, Set)) and not isinstance(value, bytes):
        return [*map(plain_value, value)]
    return str(value)


def sources_of(method: str) -> list[str]:
    """Who published the methods that a text shows."""
    return [METHODS[name].source for name in methods_in(method)]


def version() -> str:
    """The version of this package, which its first file has."""
    package = sys.modules[__name__.partition(".")[0]]
    return str(vars(package)["__version__"])


def head_of(result: Any) -> dict[str, str]:
    """What every receipt begins with, so that a reader of JSON knows what it has."""
    return {"result": type(result).__name__, "version": version()}


def plain_caveats(caveats: Iterable[Caveat]) -> list[dict[str, str]]:
    """Caveats as JSON has them: a code for machines, and the text."""
    return [{"code": caveat.code, "text": caveat.text} for caveat in caveats]


def dict_of(result: Entries, sides: str) -> dict[str, Any]:
    """A result for JSON: what all entries share, and what each has, or the only one."""
    of_each = names_of_entries_in(result)
    shared = {
        of.name: _of_all(getattr(result, of.name))
        for of in fields(result)
        if of.name not in (*of_each, "axes", "caveats") and not of.name.startswith("_")
    }
    head = {**head_of(result), "design": result._origin[0] or None, "sides": sides, **shared}
    if not result.axes:
        return {**head, **_of_entry(result)}
    places = zip(np.ndindex(shape_of(result)), coordinates_of(result), strict=True)
    return {
        **head,
        "entries": [{"at": at, **_of_entry(entry_at(result, place))} for place, at in places],
    }


def _of_all(value: Any) -> Any:
    """What is said of all entries, which may be a result of its own."""
    return value.to_dict() if hasattr(value, "to_dict") else plain_value(value)


def coordinates_of(result: Entries) -> Iterator[dict[str, Any]]:
    """The coordinates of each entry, by the names of the axes."""
    named = {str(axis.name): plain_value(plain(axis.coordinates)) for axis in result.axes}
    for place in np.ndindex(shape_of(result)):
        yield {name: of[k] for (name, of), k in zip(named.items(), place, strict=True)}


def _of_entry(entry: Entries) -> dict[str, Any]:
    """What a single entry has: values, why some are null, how they were found, and caveats."""
    values = {
        of.name: _whole(getattr(entry, of.name))
        if WHOLE in of.metadata
        else getattr(entry, of.name)
        for of in fields(entry)
        if of.name in names_of_entries_in(entry)
    }
    methods = methods_in(str(values.get("method", entry._methods)))
    is_drawn = any(METHODS[name].needs in DRAWN for name in methods)
    _, n_resamples, seed = entry._origin if is_drawn else ("", None, None)
    return {
        **{name: plain_value(value) for name, value in values.items()},
        "sources": [METHODS[name].source for name in methods],
        "n_resamples": plain_value(n_resamples),
        "seed": plain_value(seed),
        "caveats": plain_caveats(entry.caveats),
        "reasons": why_null(entry),
    }


def _whole(value: Any) -> Any:
    """A number of samples as an integer, if it is one."""
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def why_null(entry: Entries) -> dict[str, str]:
    """Why fields of a single entry are NaN: as caveats say, or as the field itself does."""
    said = " ".join(of.text for of in entry.caveats if of.code not in NOTES)
    found = {}
    for of in fields(entry):
        value = getattr(entry, of.name)
        if isinstance(value, (float, np.ndarray)) and _has_nan(value):
            is_said = said and of.metadata.get(EXPLAINED, False)
            found[of.name] = said if is_said else of.metadata.get(WHY, "it is not known")
    return found


def _has_nan(value: Any) -> bool:
    """Whether some number is none."""
    array = np.asarray(value)
    return bool(array.dtype.kind == "f" and np.isnan(array).any())


def in_words(name: str) -> str:
    """A word as the beginning of a sentence; names that are no words stay."""
    first = name.partition(" ")[0]
    is_word = first.isalpha() and (len(first) > 3 or first == "the")
    return name[:1].upper() + name[1:] if is_word else name


def where(at: Mapping[str, Any]) -> str:
    """The coordinates of an entry, behind what it is about."""
    named = [f"{name} {_name(of)}" for name, of in at.items() if of is not None]
    return f" for {', '.join(named)}" if named else ""


def _name(coordinate: Any) -> str:
    """A coordinate as text."""
    return ", ".join(map(str, coordinate)) if isinstance(coordinate, list) else str(coordinate)


def estimate_in_words(
    numbers: tuple[float, float, float],
    lines: Sequence[float],
    limits: str,
    details: Sequence[str],
    style: Style,
) -> str:
    """A value, its limits and what else is known of it: "0.90 (95 % CI 0.83 to 0.95; mid-P)"."""
    value, low, high = numbers
    if math.isnan(value):
        return (
            f"not defined ({'; '.join(filter(None, details))})" if any(details) else "not defined"
        )
    # Two limits that differ look different.
    while low < high and number(low, style) == number(high, style) and style.digits < MOST_DIGITS:
        style = style._replace(digits=style.digits + 1)
    ends = [limit_in_print(limit, style, lines) for limit in (low, high)]
    interval = f"{limits} {' to '.join(ends)}"
    if math.isnan(low + high):
        interval = f"no {limits}"
    return f"{number(value, style)} ({'; '.join(filter(None, [interval, *details]))})"


def caveats_in_words(entry: Entries) -> str:
    """The caveats of an entry, behind its sentence."""
    texts = dict.fromkeys(of.text for of in entry.caveats if of.code != UNDEFINED)
    return "".join(f". Caveat: {text.removesuffix('.')}" for text in texts)
