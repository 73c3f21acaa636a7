"""The page for editors says what tests of scikit-learn's checks do, and names files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "for_editors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["constrained_threshold_classifier", "abstaining_classifier"])
def test_the_deviations_are_those_of_the_tests(name):
    code = (ROOT / "tests" / "estimators" / f"test_{name}.py").read_text(encoding="utf-8")
    expected = re.search(r"^EXPECTED_FAILED_CHECKS = (.+?)\n\n\n", code, re.MULTILINE | re.DOTALL)[
        1
    ]
    title = "".join(map(str.capitalize, name.split("_")))
    rows = re.search(rf"^\| `{title}` \|.+\n(?:\| \|.+\n)*", TEXT, re.MULTILINE)[0]
    columns = [row.split(" | ")[1] for row in rows.splitlines()]
    said = [check for column in columns for check in re.findall(r"`(check_\w+)`", column)]
    assert sorted(said) == sorted(re.findall(r'"(check_\w+)"', expected))


def test_the_files_that_it_names_are_there():
    named = re.findall(
        r"`((?:\.github|\.ci|tests|skmetrics_ext)/[\w./]*|[A-Z]+\.(?:md|cff)|LICENSE)`", TEXT
    )
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_workflow_calls_the_judge():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "run: bash .ci/run" in workflow
