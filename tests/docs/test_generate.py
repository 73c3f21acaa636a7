"""One command writes all that is generated, and tells what is out of date."""

import ast
import re
from pathlib import Path

import pytest

from skmetrics_ext.catalogue.rows import METRICS
from tests import generate
from tests.docs import metric_pages, project_lines, site_pages

TESTS = Path(__file__).parents[1]
# It runs the examples.
OF_THEIR_OWN = {"gallery", "pictures"}
# Exact arithmetic takes seconds: tests/vectors has a part of it, and `.ci/run` all.
IN_SECONDS = "tests/vectors/vectors.json.xz"


def test_everything_is_as_generated(monkeypatch):
    monkeypatch.delitem(generate.STEPS, IN_SECONDS)
    assert generate.main(["--check"]) == 0


def test_every_module_that_writes_is_a_step():
    """A module with a command line writes something."""
    found = set()
    for path in [*TESTS.glob("docs/*.py"), *TESTS.glob("vectors/*.py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if "main" in names:
            found.add(path.stem)
    steps = {step.__module__.rpartition(".")[2] for step in generate.STEPS.values()}
    assert found == steps | OF_THEIR_OWN


def test_a_page_that_differs_is_named_with_the_command(monkeypatch, capsys):
    page = "confidence_intervals.md"
    pages = site_pages.api_pages()
    monkeypatch.setattr(site_pages, "api_pages", lambda: pages | {page: "another text"})
    # One step that differs and one that does not; the test above takes them all.
    steps = {
        name: generate.STEPS[name] for name in ("docs/names.md", "docs/api/ and .zensical.toml")
    }
    monkeypatch.setattr(generate, "STEPS", steps)
    assert generate.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert f"{page} is not what the package gives" in said
    assert said.splitlines()[-1] == (
        "Out of date: docs/api/ and .zensical.toml. To write all that is generated: "
        "python -m tests.generate"
    )


def test_a_page_that_is_missing_is_named(monkeypatch, capsys):
    pages = site_pages.api_pages()
    monkeypatch.setattr(site_pages, "api_pages", lambda: pages | {"new.md": "text"})
    assert site_pages.main(["--check"]) == 1
    assert "new.md is not what the package gives" in capsys.readouterr().out


@pytest.fixture
def copied(monkeypatch, tmp_path):
    """A folder with copies of the files of project_lines, which it takes for the project's."""
    for file in [*project_lines.FILES, "pyproject.toml"]:
        copy = tmp_path / file
        copy.parent.mkdir(exist_ok=True)
        copy.write_text((TESTS.parent / file).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(project_lines, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("README.md", lambda text: text.replace(f"{len(METRICS)} of them", "7 of them")),
        ("tests/typed_usage.py", lambda text: text.replace("ext.jaccard_score(", "ext.f1_score(")),
    ],
)
def test_lines_about_all_metrics_are_named_and_written(name, wrong, copied, capsys):
    text = (copied / name).read_text(encoding="utf-8")
    assert wrong(text) != text
    (copied / name).write_text(wrong(text), encoding="utf-8")
    assert project_lines.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        f"{name} is not what the package gives. To write it, run: {project_lines.COMMAND}\n"
    )
    assert project_lines.main([]) == 0
    assert (copied / name).read_text(encoding="utf-8") == text


def test_an_address_in_one_place_is_written_to_all_and_taken_back(copied):
    settings = copied / "pyproject.toml"
    before = {file: (copied / file).read_text(encoding="utf-8") for file in project_lines.FILES}
    without = settings.read_text(encoding="utf-8")
    where = "https://example.org/metrics"
    added = without.replace("[project.urls]\n", f'[project.urls]\nRepository = "{where}"\n')
    settings.write_text(added, encoding="utf-8")
    assert project_lines.main([]) == project_lines.main(["--check"]) == 0
    found = {file: (copied / file).read_text(encoding="utf-8") for file in project_lines.FILES}
    assert f'\nrepo_url = "{where}"\n' in found[".zensical.toml"]
    assert f'\nrepository-code: "{where}"\n' in found["CITATION.cff"]
    assert f"[open an issue]({where}/issues). Say what" in found["docs/index.md"]
    links = re.findall(r"\]\(([^)]+)\)", found["README.md"])
    assert f"{where}/raw/HEAD/docs/pictures/summary.png" in links
    assert f"{where}/blob/HEAD/docs/cheat_sheet.md#which-class-is-positive" in links
    assert all(link.startswith(f"{where}/") for link in links)
    settings.write_text(without, encoding="utf-8")
    project_lines.main([])
    assert before == {
        file: (copied / file).read_text(encoding="utf-8") for file in project_lines.FILES
    }


def test_a_file_without_its_place_for_generated_lines_is_refused():
    with pytest.raises(ValueError, match="0 times instead of once"):
        project_lines.with_calls("no marks")


def test_a_metric_that_was_not_simulated_says_so_on_its_page(monkeypatch):
    known = metric_pages.worst_coverage()
    without = {name: text for name, text in known.items() if name != "mutual_information"}
    monkeypatch.setattr(metric_pages, "worst_coverage", lambda: without)
    pages = metric_pages.pages()
    assert len(pages) == len(METRICS) + 1
    assert "has not been simulated yet" in pages["mutual_information.md"]
    assert "has not been simulated yet" not in pages["normalized_mutual_information.md"]


@pytest.mark.parametrize("arguments", [["--chek"], ["docs"]])
def test_what_is_no_option_is_refused(arguments):
    with pytest.raises(SystemExit):
        generate.main(arguments)
