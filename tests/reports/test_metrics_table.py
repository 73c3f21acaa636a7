"""The table of all metrics, in each library of data frames."""

import inspect

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import skmetrics_ext
from skmetrics_ext import get_scorer, metrics_table
from skmetrics_ext.catalogue.rows import METRICS

COLUMNS = [
    "name",
    "function",
    "formula",
    "range",
    "better",
    "undefined",
    "aliases",
    "parameters",
    "source",
]
COLUMNS += ["use", "pitfall"]
NPV = {
    "name": "negative_predictive_value",
    "function": "negative_predictive_value",
    "formula": "tn / (tn + fn)",
    "range": "[0, 1]",
    "better": "higher",
    "undefined": 0.0,
    "aliases": "npv",
    "parameters": "",
    "source": "Altman & Bland 1994",
    "use": "Use it where no action follows a negative prediction, as of a test that rules out an "
    "illness.",
    "pitfall": "Pitfall: Never predicting a class of one sample in 100 scores 0.99.",
}


@pytest.mark.parametrize(
    ("backend", "kind"),
    [
        (None, pd.DataFrame),
        ("pandas", pd.DataFrame),
        ("polars", pl.DataFrame),
        ("pyarrow", pa.Table),
    ],
)
def test_one_row_per_metric_in_each_library(backend, kind):
    table = metrics_table(backend)
    assert isinstance(table, kind)
    rows = [*nw.from_native(table).iter_rows(named=True)]
    assert [list(row) for row in rows] == [COLUMNS] * len(METRICS)
    assert next(row for row in rows if row["name"] == "negative_predictive_value") == NPV


def test_columns_filter_in_pandas():
    table = metrics_table(backend="pandas")
    assert table[table["aliases"].str.contains("npv")]["name"].tolist() == [
        "negative_predictive_value"
    ]
    assert table[table["parameters"].str.contains("beta")]["name"].tolist() == ["fbeta", "tversky"]
    assert set(table["better"]) == {"higher", "lower", "neither"}
    assert table["undefined"].dtype == float
    assert table[table["undefined"].isna() & (table["better"] == "lower")]["name"].tolist() == [
        "negative_likelihood_ratio",
        "expected_cost",
        "macro_averaged_mean_absolute_error",
    ]


def test_columns_filter_in_polars():
    table = metrics_table(backend="polars")
    assert table.filter(pl.col("aliases").str.contains("npv"))["name"].to_list() == [
        "negative_predictive_value"
    ]
    assert table.filter(pl.col("parameters").str.contains("beta"))["name"].to_list() == [
        "fbeta",
        "tversky",
    ]
    assert table.null_count().sum_horizontal().item() == 0
    assert table["undefined"].dtype == pl.Float64


def test_names_and_aliases_are_those_of_scorers_and_functions_those_of_the_package():
    given = {"beta": 2, "threshold_probability": 0.2, "cost_matrix": [[0, 1], [1, 0]]}
    for row in metrics_table(backend="polars").rows(named=True):
        assert row["function"] in skmetrics_ext.__all__
        options = {name: given[name] for name in row["parameters"].split(", ") if name in given}
        for name in [row["name"], *row["aliases"].split(", ")]:
            if name:
                assert callable(get_scorer("neg_" * (row["better"] == "lower") + name, **options))


def test_parameters_are_those_of_the_functions_with_their_defaults():
    for row in metrics_table(backend="polars").rows(named=True):
        known = inspect.signature(getattr(skmetrics_ext, row["function"])).parameters
        for text in filter(None, row["parameters"].split(", ")):
            name, _, default = text.partition("=")
            assert name in known
            assert not default or known[name].default == eval(default)
            assert default or known[name].default is inspect.Parameter.empty


def test_an_unknown_library_is_refused():
    with pytest.raises(ValueError, match="excel"):
        metrics_table(backend="excel")


def test_every_metric_has_its_use_and_its_pitfall():
    table = metrics_table("pandas")
    assert table["use"].str.match(r"Use it .+\.$").all()
    assert table["pitfall"].str.match(r"Pitfall: .+\.$").all()
    assert (
        "negative_predictive_value" in table[table["use"].str.contains("illness")]["name"].tolist()
    )
