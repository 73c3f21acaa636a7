"""The table of variants: what every public entry point gives where the plain path ends."""

import pytest

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve, ThresholdCurves
from tests.shared import for_each
from tests.variants import (
    analyses,
    claims,
    cross_validation,
    curve,
    curves,
    estimators,
    functions,
    matrices,
    matrix_methods,
    reports,
    scoring,
)
from tests.variants.samples import VARIANTS
from tests.variants.table import check_cell

ROWS = [
    *functions.ROWS,
    *matrices.ROWS,
    *matrix_methods.ROWS,
    *curve.ROWS,
    *curves.ROWS,
    *analyses.ROWS,
    *claims.ROWS,
    *reports.ROWS,
    *scoring.ROWS,
    *cross_validation.ROWS,
    *estimators.ROWS,
]

METHODS = (ConfusionMatrix, ThresholdCurve, ThresholdCurves)
# What has no row, and why.
WITHOUT_ROW = {
    "UnreliableIntervalWarning": "the rows of what gives it read it",
    **{of.__name__: "each of its methods has a row" for of in METHODS},
    **{
        name: "draws what other rows give: tests/plotting"
        for name in skmetrics_ext.__all__
        if name.startswith("plot_")
    },
}


@pytest.mark.parametrize("is_plain", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.names[0])
@for_each("variant", VARIANTS)
def test_a_cell_is_as_the_table_says(row, variant, is_plain):
    """The slow ones are of two in three cells that say what their row says."""
    cell = row.cells.get(variant.name)
    is_first = bool(cell) or (ROWS.index(row) + VARIANTS.index(variant)) % 3 == 0
    if is_first == is_plain and not isinstance(cell, str):
        check_cell(row, variant)


def entry_points():
    """Public names, and the public methods and properties of the objects that users work with."""
    yield from skmetrics_ext.__all__
    for of in METHODS:
        yield from (f"{of.__name__}.{name}" for name in dir(of) if not name.startswith("_"))


def test_every_entry_point_has_a_row():
    named = [name.split()[0] for row in ROWS for name in row.names]
    assert sorted({*named, *WITHOUT_ROW}) == sorted(entry_points())
