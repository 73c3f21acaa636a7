"""Files that Python reads line by line, csv and json lines -> labels and groups with counts."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.engines.likely_counts import name_of_counts, warn_of_counts
from skmetrics_ext.engines.numbers import check_sum_of_counts
from skmetrics_ext.engines.tables import refuse_twice
from skmetrics_ext.reading.labels import Column, read_column
from skmetrics_ext.reading.order import show_names

# As Python writes them: integers with a plus or leading zeros are codes.
INTEGER = re.compile("0|-?[1-9][0-9]*")
# A number of samples, short enough for Python to read.
WHOLE = re.compile(r"[0-9]{1,30}(\.0*)?")
BOOLEANS = [{"False": False, "True": True}, {"false": False, "true": True}]
BOOLEANS += [{"FALSE": False, "TRUE": True}]
# Fields may be as long as documents.
LONGEST_FIELD = (1 << 31) - 1


class Number(NamedTuple):
    """A number of json as written, which Python's floats may round."""

    text: str


class CountedRows(NamedTuple):
    """Distinct rows: a Column for each asked for, and how many rows are so."""

    columns: list[Column]
    numbers: NDArray[np.int64]


def counted_file(
    file: str, asked: Sequence[tuple[str, str]], count: str | None = None
) -> CountedRows:
    """The columns asked for, by argument and name, and the number of samples of each row."""
    refuse_twice(asked)
    is_csv = file.endswith(".csv")
    read = [*asked] if count is None else [*asked, ("count", count)]
    try:
        rows = Counter(_rows_of(file, read))
    except TypeError:
        raise TypeError(
            f"{file} has lists or objects in {show_names([name for _, name in asked])}, but a "
            "label is one value."
        ) from None
    if not rows:
        raise ValueError(f"{file} has no rows: a metric needs at least 1 sample.")
    numbers = np.array(list(rows.values()), dtype=np.int64)
    empty = "" if is_csv else None
    written = [list(values) for values in zip(*rows, strict=True)]
    if count is None:
        _warn_of_counts(file, [name for _, name in asked], int(numbers.sum()))
    else:
        numbers = _with_counts(numbers, written.pop())
    for (argument, name), values in zip(asked, written, strict=True):
        _check_written(values, numbers, f"{argument}={name!r}", file, empty)
    columns = [
        read_column(values, f"{argument}={name!r}")
        for (argument, name), values in zip(asked, _all_typed(written, is_csv), strict=True)
    ]
    return CountedRows(columns, numbers)


def _rows_of(file: str, asked: Sequence[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
    """What each row has in the columns."""
    return (_rows_of_csv if file.endswith(".csv") else _rows_of_json)(file, asked)


def _with_counts(numbers: NDArray[np.int64], written: Sequence[Any]) -> NDArray[np.int64]:
    """The numbers of rows times the numbers of samples that these have."""
    counts = [_count_of(value) for value in written]
    wrong = np.array([count is None for count in counts])
    if wrong.any():
        raise ValueError(
            f"count holds {numbers[wrong].sum()} rows that are not integers >= 0: fill them, or "
            "leave these rows out."
        )
    samples = [int(number) * (count or 0) for number, count in zip(numbers, counts, strict=True)]
    check_sum_of_counts(sum(samples))
    return np.array(samples, dtype=np.int64)


def _count_of(value: Any) -> int | None:
    """A number of samples as it is written; None for anything else."""
    text = value.text if isinstance(value, Number) else value
    if not isinstance(text, str) or WHOLE.fullmatch(text) is None:
        return None
    return int(text.partition(".")[0])


def _warn_of_counts(file: str, asked: Sequence[str], n_rows: int) -> None:
    """Warn if a column that is not asked for may be the number of samples of each row."""
    names = _names_in(file)
    alone = [name for name in names if names.count(name) == 1]
    name = name_of_counts(alone, asked, n_rows)
    if name is None:
        return
    others = [("by", other) for other in alone if other != name]
    rows = [*_rows_of(file, [("count", name), *others])]
    counts = {_count_of(row[0]) for row in rows}
    # As text, which lists and objects of json are, too.
    different = {repr(row[1:]) for row in rows}
    if None not in counts and counts - {0, 1} and len(different) == len(rows):
        warn_of_counts(name)


def _names_in(file: str) -> list[str]:
    """The names in the header, or in the first object of json."""
    with open(file, newline="", encoding="utf-8-sig") as lines:
        if file.endswith(".csv"):
            return next(csv.reader(lines))
        return list(json.loads(next(filter(str.strip, lines)), parse_int=Number))


def _rows_of_csv(file: str, asked: Sequence[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
    """The texts of each row, comma separated; blank lines are none."""
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        with open(file, newline="", encoding="utf-8-sig") as lines:
            rows = csv.reader(lines, strict=True)
            names = next(rows, [])
            pick = itemgetter(*(_place_of(column, names, file) for column in asked))
            for row in rows:
                if len(row) == len(names):
                    yield pick(row)
                elif row:
                    raise ValueError(
                        f"line {rows.line_num} of {file} has {len(row)} fields, but its header has "
                        f"{len(names)}."
                    )
    except csv.Error as error:
        raise ValueError(f"line {rows.line_num} of {file} is no csv: {error}.") from None
    finally:
        csv.field_size_limit(limit)


def _place_of(column: tuple[str, str], names: list[str], file: str) -> int:
    """The place of a column, the only one of its name."""
    argument, name = column
    if names.count(name) > 1:
        raise ValueError(
            f"{argument}={name!r} is the name of several columns of {file}, which has "
            f"{show_names(names)}: give each column a unique name."
        )
    if name not in names:
        raise ValueError(
            f"{argument}={name!r} is not a column of {file}, which has {show_names(names)}."
        )
    return names.index(name)


def _rows_of_json(file: str, asked: Sequence[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
    """The values of each row, None for missing ones; blank lines are none."""
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_int=Number, parse_float=Number, parse_constant=Number
    )
    names = [name for _, name in asked]
    names_of_first: list[str] | None = None
    lacking = {*names}
    with open(file, encoding="utf-8-sig") as lines:
        for place, line in enumerate(lines, 1):
            if line.isspace():
                continue
            try:
                row = decoder.decode(line)
            except ValueError as error:
                raise ValueError(f"line {place} of {file} is no json: {error}.") from None
            if not isinstance(row, dict):
                raise ValueError(f"line {place} of {file} is no json object, {{name: value, ...}}.")
            if names_of_first is None:
                names_of_first = list(row)
            if lacking:
                lacking -= row.keys()
            yield tuple(map(row.get, names))
    for argument, name in asked:
        if name in lacking and names_of_first is not None:
            raise ValueError(
                f"{argument}={name!r} is in no row of {file}, whose first has "
                f"{show_names(names_of_first)}."
            )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of json, whose names are unique."""
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError(f"a name stands twice among {show_names([name for name, _ in pairs])}")
    return row


def _check_written(
    values: list[Any], numbers: NDArray[np.int64], argument: str, file: str, empty: str | None
) -> None:
    """Refuse missing values, and values of several kinds."""
    missing = np.array([value in (empty, Number("NaN")) for value in values])
    if missing.any():
        raise ValueError(
            f"{argument} is missing in {numbers[missing].sum()} rows of {file}, and a missing "
            "label is neither correct nor incorrect: leave these rows out, or give them a label "
            "of their own."
        )
    examples = {type(value): value for value in values}
    if len(examples) > 1:
        raise ValueError(
            f"{argument} has values of several kinds in {file}, such as "
            f"{show_names(_texts(list(examples.values())))}: write one kind, such as text."
        )


def _all_typed(written: list[list[Any]], is_csv: bool) -> list[list[Any]]:
    """Each column in its own type; both columns of labels, the first two, are text if one is."""
    typed = [_typed(values, is_csv) for values in written]
    is_any_text = any(isinstance(values[0], str) for values in typed[:2])
    if is_any_text and type(written[0][0]) is type(written[1][0]):
        # If one alone were numbers, one text would be two labels.
        typed[:2] = map(_texts, written[:2])
    return typed


def _typed(values: list[Any], is_csv: bool) -> list[Any]:
    """A column as numbers or booleans, if all of it is; else as text."""
    if isinstance(values[0], Number):
        return _numbers_of_json(_texts(values))
    return _typed_text(values) if is_csv else values


def _texts(values: list[Any]) -> list[Any]:
    """Numbers as they are written, all else unchanged."""
    return [value.text if isinstance(value, Number) else value for value in values]


def _typed_text(texts: list[str]) -> list[Any]:
    """Text as numbers or booleans, if all is what these would be written as."""
    if all(map(INTEGER.fullmatch, texts)):
        return _integers(texts)
    for spelling in BOOLEANS:
        if spelling.keys() >= {*texts}:
            return [spelling[text] for text in texts]
    try:
        floats = [*map(float, texts)]
    except ValueError:
        return texts
    is_written_so = all(repr(number) == text for number, text in zip(floats, texts, strict=True))
    # -0.0 and 0.0 would be one float.
    return floats if is_written_so and "-0.0" not in texts else texts


def _integers(texts: list[str]) -> list[Any]:
    """Integers of at most 64 bits; else, unchanged, their texts."""
    # Python refuses to read very long ones.
    if max(map(len, texts)) > len(str(-(1 << 63))):
        return texts
    numbers = [*map(int, texts)]
    least, most = min(numbers), max(numbers)
    fits = least >= -(1 << 63) and most < (1 << 63 if least < 0 else 1 << 64)
    return numbers if fits else texts


def _numbers_of_json(texts: list[str]) -> list[Any]:
    """Integers of at most 64 bits, or floats; wider integers are text."""
    if all(map(INTEGER.fullmatch, texts)):
        return _integers(texts)
    floats = [*map(float, texts)]
    for text, number in zip(texts, floats, strict=True):
        if number.is_integer() and Decimal(text) != Decimal(number):
            raise ValueError(f"{text} is too long for a float: write it as text.")
    return floats
