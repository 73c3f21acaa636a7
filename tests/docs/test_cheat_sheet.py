"""The names in the tables of the cheat sheet exist."""

import inspect
import re
from pathlib import Path

import pytest

import skmetrics_ext
from skmetrics_ext import get_scorer
from skmetrics_ext.catalogue.names import resolve

PAGE = (Path(__file__).parents[2] / "docs" / "cheat_sheet.md").read_text(encoding="utf-8")


def rows_below(heading):
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 5
    return [[re.findall(r"`([^`]+)`", cell) for cell in row.strip("|").split("|")] for row in rows]


def test_metrics_exist_with_the_aliases_in_brackets():
    table = PAGE.partition("\n## Names\n")[2].partition("\nThe function")[0]
    named = re.findall(r"`(\w+)`(?: \(((?:`\w+`(?:, )?)+)\))?", table)
    assert len(named) > 20
    for name, aliases in named:
        for alias in re.findall(r"\w+", aliases):
            assert resolve(alias) == resolve(name), alias


def test_averages_are_those_of_scorers():
    for average, name, _ in rows_below("Averages"):
        for scorer in name:
            suffix = scorer.partition("_")[2] or "binary"
            assert average == [f'"{suffix}"']
            get_scorer(scorer)


def test_parameters_are_those_of_public_functions():
    named = [getattr(skmetrics_ext, name) for name in skmetrics_ext.__all__]
    functions = [one for one in named if not (isinstance(one, type) and issubclass(one, Warning))]
    known = {name for function in functions for name in inspect.signature(function).parameters}
    known |= set(inspect.signature(skmetrics_ext.ThresholdCurve.best).parameters)
    for parameter, _ in rows_below("Common parameters"):
        assert {name.rstrip("=") for name in parameter} <= known


@pytest.mark.parametrize("row", rows_below("What results have"), ids=str)
def test_results_have_these_attributes(row):
    [name], _, attributes = row
    result = getattr(skmetrics_ext, name)
    fields = (
        set(dir(result))
        | set(getattr(result, "__annotations__", ()))
        | set(inspect.signature(result).parameters)
    )
    documented = re.findall(r"^ *(\w[\w, ]*) : ", inspect.getdoc(result), re.MULTILINE)
    fields |= {field for names in documented for field in names.split(", ")}
    assert set(attributes) <= fields
