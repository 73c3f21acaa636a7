"""from_frame: columns of any name, type and parts; those that were named are counted."""

import math
from collections import defaultdict
from decimal import Decimal
from functools import reduce
from importlib.util import find_spec
from itertools import product
from operator import add
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from skmetrics_ext import ConfusionMatrix
from tests.fuzz.case import Case, quietly

NAMES = [
    "y",
    "Y",
    "p",
    "P",
    "*",
    "^y$",
    "^.*$",
    "y.p",
    'y"p',
    "y`p",
    "y p",
    "'y'",
    "score_0",
    "weight",
    "by_0",
]
ENGINES = ["pandas", "pandas of Arrow", "polars", "a query of polars", "pyarrow"] + [
    "duckdb"
] * bool(find_spec("duckdb"))


def run(case: Case) -> None:
    """A matrix of labels or of scores, of groups and weights or not, from a table of one engine."""
    random, size = case.random, case.random.randint(1, 12)
    labels = random.choice([["a", "b"], [1, 0], [2**60, -(2**60)]])
    scale = random.randint(3, 9)
    decimals = pa.decimal128(random.randint(scale + 1, 38), scale)
    columns = {
        "actual": random.choices(labels, k=size),
        "predicted": random.choices(labels, k=size),
        "by": random.choices(["u", "v"], k=size),
        "scores": [Decimal(random.randint(0, 1000)).scaleb(-3) for _ in range(size)],
        "count": [random.randrange(2 ** random.choice([3, 58])) for _ in range(size)],
        "sample_weight": [
            Decimal(random.randint(1, 10**scale)).scaleb(-scale) for _ in range(size)
        ],
        "nobody": random.choices(labels, k=size),
    }
    engine = case.given("engine", random.choice(ENGINES))
    # The tables of polars alone have no name twice.
    twice = "polars" not in engine and random.random() < 0.3
    names = random.choices(NAMES, k=7) if twice else random.sample(NAMES, k=7)
    for (column, values), name in zip(columns.items(), names, strict=True):
        case.given(column, (name, values))
    asked = {
        "actual",
        random.choice(["predicted", "scores"]),
        *random.sample(["by", "count"], k=random.randint(0, 2)),
    }
    if "count" in asked and random.random() < 0.5:
        asked = asked - {"count"} | {"sample_weight"}
    options: dict[str, Any] = {
        column: name for column, name in zip(columns, names, strict=True) if column in asked
    }
    if "scores" in asked:
        options |= {"classes": labels, "threshold": float(random.choice(columns["scores"]))}
    case.given("options", options)

    arrays = [
        pa.array(values, decimals if type(values[0]) is Decimal else None)
        for values in columns.values()
    ]
    table = pa.table(arrays, names=[str(place) for place in range(len(names))])
    cut = random.randrange(size)
    parts = [table[:cut], table[cut:]] if cut else [table]
    if any(_is_lost(engine, names, options[column]) for column in asked):
        case.refused(
            "a name of several columns",
            ConfusionMatrix.from_frame,
            _frame(engine, table, names),
            **options,
        )
        return
    expected = _expected(columns, labels, asked, options.get("threshold"))
    _check(case, "whole", [_matrix(engine, pa.concat_tables(parts), names, options)], expected)
    _check(
        case,
        "the sum of parts",
        [_matrix(engine, part, names, options) for part in parts],
        expected,
    )


def _is_lost(engine: str, names: list[str], name: str) -> bool:
    """Whether a name does not identify a single column."""
    if engine != "duckdb":
        return names.count(name) > 1
    return name == "*" or sum(other.lower() == name.lower() for other in names) > 1


def _matrix(engine: str, table: Any, names: list[str], options: dict[str, Any]) -> Any:
    """The matrix of a table of an engine."""
    return quietly(ConfusionMatrix.from_frame, _frame(engine, table, names), **options)[0]


def _check(case: Case, name: str, matrices: list[Any], expected: Any) -> None:
    """The cells of the sum of matrices."""
    cm = reduce(add, matrices)
    groups, labels = cm.axes[0].coordinates.tolist() if cm.axes else [""], cm.labels.tolist()
    cells = dict(zip(product(groups, labels, labels), cm.counts.ravel().tolist(), strict=True))
    case.check(
        cells.keys() >= expected.keys(),
        lambda: f"{name} has the cells {cells}, not {dict(expected)}",
    )
    wrong = {
        cell: (value, expected[cell])
        for cell, value in cells.items()
        if not _is_same(value, expected[cell])
    }
    case.check(not wrong, lambda: f"{name}: {wrong}")


def _expected(
    columns: dict[str, list[Any]], labels: list[Any], asked: set[str], threshold: float | None
) -> Any:
    """The sum of each group, actual and predicted label."""
    cells: dict[Any, Any] = defaultdict(int)
    for row in zip(*columns.values(), strict=True):
        values = dict(zip(columns, row, strict=True))
        group = values["by"] if "by" in asked else ""
        predicted = (
            values["predicted"]
            if threshold is None
            else labels[float(values["scores"]) >= threshold]
        )
        weight = next(
            (values[column] for column in ("count", "sample_weight") if column in asked), 1
        )
        cells[group, values["actual"], predicted] += weight
    return cells


def _is_same(found: float, expected: Any) -> bool:
    """Whole numbers exactly, sums of floats as they round."""
    return (
        math.isclose(found, expected, rel_tol=1e-12)
        if isinstance(expected, Decimal)
        else found == expected
    )


def _frame(engine: str, table: Any, names: list[str]) -> Any:
    """The table of an engine, with these names."""
    if engine == "duckdb":
        import duckdb

        quoted = [name.replace('"', '""') for name in names]
        return duckdb.from_arrow(table).project(
            ", ".join(f'"{place}" AS "{name}"' for place, name in enumerate(quoted))
        )
    if engine == "pyarrow":
        return table.rename_columns(names)
    if "polars" in engine:
        frame = pl.from_arrow(table.rename_columns(names))
        return frame.lazy() if "query" in engine else frame
    # Decimals of pandas itself are Python objects, which from_frame refuses.
    frame = table.to_pandas(
        types_mapper=lambda kind: (
            pd.ArrowDtype(kind) if "Arrow" in engine or pa.types.is_decimal(kind) else None
        )
    )
    frame.columns = names
    return frame
