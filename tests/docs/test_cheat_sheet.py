"""The names in the tables of the cheat sheet exist."""

import inspect
import re
from pathlib import Path

import pytest

import skmetrics_ext
from skmetrics_ext import get_scorer
from skmetrics_ext.catalogue.names import resolve
from tests.docs import cheat_sheet_defaults
from tests.public_names import PUBLIC
from tests.shared import for_each

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs"
# "`name=value` is the default", "(`name=value`, the default".
NAMED_DEFAULT = r"`(\w+)=([^`=,()]+)`,? (?:is )?(?:the|by) default"
PAGE = (PAGES / "cheat_sheet.md").read_text(encoding="utf-8")


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
        # Without an average it is a class.
        for scorer in name if average else ():
            suffix = scorer.partition("_")[2] or "binary"
            assert average == [f'"{suffix}"']
            get_scorer(scorer)


def test_parameters_are_those_of_public_functions():
    named = [*PUBLIC.values()]
    functions = [one for one in named if not (isinstance(one, type) and issubclass(one, Warning))]
    known = {name for function in functions for name in inspect.signature(function).parameters}
    known |= set(inspect.signature(skmetrics_ext.ThresholdCurve.best).parameters)
    for parameter, *_ in rows_below("Common parameters"):
        assert {name.rstrip("=") for name in parameter} <= known


def test_defaults_are_those_of_the_signatures(monkeypatch, tmp_path, capsys):
    assert cheat_sheet_defaults.main(["--check"]) == 0
    row = next(line for line in PAGE.splitlines() if line.startswith("| `confidence_level=`"))
    assert "| `0.95`; `None` in" in row
    assert "`ConstrainedThresholdClassifier`" in row
    wrong = tmp_path / "page.md"
    wrong.write_text(PAGE.replace("| `0.95`; `None` in", "| `0.9`; `None` in"), encoding="utf-8")
    monkeypatch.setattr(cheat_sheet_defaults, "PAGE", wrong)
    assert cheat_sheet_defaults.main(["--check"]) == 1
    assert "other defaults than the signatures" in capsys.readouterr().out
    assert cheat_sheet_defaults.main([]) == 0
    assert wrong.read_text(encoding="utf-8") == PAGE


@for_each("path", [*PAGES.glob("*.md"), *PAGES.glob("*/*.md"), ROOT / "README.md"])
def test_defaults_that_prose_names_are_those_of_a_signature(path):
    """Of "`name=value` is the default" and the like."""
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    sentences = re.split(r"(?<=[.;:])\s|\n", prose)
    for sentence in sentences:
        for name, value in re.findall(
            r"`(\w+)=([^`=,()]+)`,? (?:is )?(?:the|by) default", sentence
        ):
            assert value.strip() in cheat_sheet_defaults.defaults_of(name), sentence


def test_no_example_repeats_its_data():
    """Which would silence what a few samples say."""
    for path in [*PAGES.glob("*.md"), *PAGES.glob("*/*.md"), ROOT / "README.md"]:
        for block in re.findall(
            r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL
        ):
            assert not re.search(r"^\s*\]+ \* \d", block, re.MULTILINE), path


@pytest.mark.parametrize("row", rows_below("What results have"), ids=str)
def test_results_have_these_attributes(row):
    [name], _, attributes = row
    result = PUBLIC[name]
    fields = (
        set(dir(result))
        | set(getattr(result, "__annotations__", ()))
        | set(inspect.signature(result).parameters)
    )
    documented = re.findall(r"^ *(\w[\w, ]*) : ", inspect.getdoc(result), re.MULTILINE)
    fields |= {field for names in documented for field in names.split(", ")}
    assert set(attributes) <= fields
