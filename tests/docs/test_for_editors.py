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


def test_the_workflow_of_a_tag_publishes_what_the_judge_has_built_and_checked():
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    build, publish = re.split(r"^  publish:\n", workflow, flags=re.MULTILINE)
    assert 'tags: ["v*"]' in build
    assert 'run: bash .ci/release "$GITHUB_REF_NAME"' in build
    # Only the job that uploads may ask for a token, and it builds nothing.
    assert "id-token" not in build
    assert "id-token: write" in publish
    assert "uses: pypa/gh-action-pypi-publish@release/v1" in publish
    assert "run:" not in publish
    judge = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert ".ci/release" in judge.partition("a_release_but_for_its_upload() {")[2].partition("}")[0]
    assert "a_release_but_for_its_upload" in judge.rpartition("all=(")[2].partition(")")[0]
