"""The list of all names is whole, and leads to pages that are there."""

import re
from pathlib import Path

from skmetrics_ext.catalogue.rows import METRICS
from tests.docs import names_page
from tests.public_names import PUBLIC

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_package_gives(monkeypatch, tmp_path, capsys):
    assert names_page.main(["--check"]) == 0
    other = tmp_path / "names.md"
    other.write_text("# A to Z\n", encoding="utf-8")
    monkeypatch.setattr(names_page, "PAGE", other)
    assert names_page.main(["--check"]) == 1
    assert "is not what the package gives" in capsys.readouterr().out
    assert names_page.main([]) == names_page.main(["--check"]) == 0


def test_every_name_and_alias_is_listed_once():
    text = names_page.PAGE.read_text(encoding="utf-8")
    listed = re.findall(r"\[`(\w+)`\]\(([^)]+)\)", text)
    names = [name for name, _ in listed]
    assert len(names) == len({*names})
    metrics = {name for row in METRICS for name in (row.name, row.function, *row.aliases)}
    assert {*names} == metrics | {*PUBLIC}
    assert names == sorted(names, key=str.lower)
    for name, place in listed:
        path, _, anchor = place.partition("#")
        page = (DOCS / path).read_text(encoding="utf-8")
        assert not anchor or f"::: {anchor}\n" in page, name


def test_the_glossary_explains_words_that_the_pages_use():
    glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
    terms = {
        term.strip().lower()
        for bold in re.findall(r"^- \*\*(.+?)\*\*", glossary, re.MULTILINE)
        for term in bold.split(",")
    }
    assert len(terms) > 35
    folders = {"tasks", "theory", "recipes"}
    pages = [path for path in DOCS.glob("*/*.md") if path.parent.name in folders]
    prose = " ".join(path.read_text(encoding="utf-8") for path in pages).lower()
    for word in ("mover", "melded", "tango", "rope", "assurance", "operating point", "prevalence"):
        assert word in glossary.lower()
        assert word in prose
