"""The API reference and the navigation of the site are as they are generated, and complete."""

import tomllib
from collections import Counter

from tests.docs.site_pages import DOCS, FURTHER_PAGES, SETTINGS, api_pages, navigation, settings
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
    methods = [
        f"{name}.{method}"
        for name, pages in FURTHER_PAGES.items()
        for _, of_page in pages.values()
        for method in of_page
    ]
    assert shown == Counter(f"::: {path_of(name)}" for name in [*PUBLIC, *methods])


def test_the_pages_of_the_reference_are_as_generated():
    there = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md")}
    index = there.pop("index.md")
    assert there == api_pages(), WRITE
    assert [name for name in there if f"]({name})" not in index] == []


def test_the_navigation_is_as_generated_and_has_every_page_once():
    assert SETTINGS.read_text(encoding="utf-8") == settings(), WRITE
    entries = tomllib.loads(settings())["project"]["nav"]
    assert entries == navigation()
    pages = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    assert sorted(pages_of(entries)) == pages, (
        "TOP in tests/docs/site_pages.py lists pages and folders"
    )
