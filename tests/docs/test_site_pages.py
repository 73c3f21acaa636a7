"""The API reference and the navigation of the site are as they are generated, and complete."""

import inspect
import re
import tomllib
from collections import Counter

import skmetrics_ext
from skmetrics_ext.catalogue.rows import METRICS
from tests.docs.site_pages import DOCS, ROOT, SETTINGS, api_pages, changelog, navigation, settings
from tests.public_names import PUBLIC, path_of

WRITE = "run python -m tests.docs.site_pages"


def pages_of(entries):
    """Every page of a navigation, in its order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for value in entry.values():
                yield from pages_of([value] if isinstance(value, str) else value)


def test_every_public_name_stands_on_one_page_of_the_reference_and_nothing_else_does():
    paths = [*(DOCS / "api").glob("*.md"), *(DOCS / "metrics").glob("*.md")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    shown = Counter(line for text in texts for line in text.splitlines() if line.startswith(":::"))
    assert shown == Counter(f"::: {path_of(name)}" for name in PUBLIC)


def test_a_class_has_a_page_of_its_own_and_no_page_beside_it():
    pages = api_pages()
    for name in skmetrics_ext.__all__:
        if inspect.isclass(PUBLIC[name]) and not issubclass(PUBLIC[name], Warning):
            assert re.findall("^::: (.+)$", pages[f"{name}.md"], re.MULTILINE) == [path_of(name)]


def test_the_pages_of_the_reference_are_as_generated():
    there = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md")}
    del there["index.md"]
    assert there == api_pages(), WRITE


def test_the_index_of_the_reference_says_of_every_name_what_it_does():
    index = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    lines = re.findall(r"^- \[`([\w.]+)`\]\((\w+\.md)#[\w.]+\): (.+\.)$", index, re.MULTILINE)
    said = {name: text for name, _, text in lines}
    assert len(said) == len(lines)
    metrics = {row.function for row in METRICS}
    assert {name for name in said if "." not in name} == {*PUBLIC} - metrics
    assert max(len(text.split()) for text in said.values()) <= 30
    assert {page for _, page, _ in lines} == {*api_pages()}


def test_the_navigation_is_as_generated_and_has_every_page_once():
    assert SETTINGS.read_text(encoding="utf-8") == settings(), WRITE
    entries = tomllib.loads(settings())["project"]["nav"]
    assert entries == navigation()
    assert len(entries) <= 8
    pages = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    assert sorted(pages_of(entries)) == pages, (
        "TOP in tests/docs/site_pages.py lists pages and folders"
    )


def test_the_site_has_the_changelog_and_says_the_version():
    text = (DOCS / "changelog.md").read_text(encoding="utf-8")
    assert text == changelog(), WRITE
    # What stands in a list there stands here.
    listed = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line[:2] == "- "]
    assert sum(line[:2] == "- " for line in text.splitlines()) == len(listed) > 5
    assert f"version {skmetrics_ext.__version__}" in text
    about = navigation()[-1]["About"]
    assert {f"Changelog, version {skmetrics_ext.__version__}": "changelog.md"} in about
