"""The pages of docs/: their Python runs and prints what they say, and their links lead there."""

import contextlib
import io
import re
import unicodedata
import warnings
from functools import cache
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote

import matplotlib as mpl
import pytest
import sklearn
from matplotlib import pyplot as plt
from PIL import Image

from tests.docs.blocks_of_code import GOES_ON, first_lines
from tests.docs.pictures import BLOCK, steps_of
from tests.docs.project_lines import address
from tests.shared import for_each

DOCS = Path(__file__).parents[2] / "docs"
INTEGRATION = Path(__file__).parents[1] / "integration"
PAGES = sorted(DOCS.rglob("*.md"))


def name_of(page):
    return page.relative_to(DOCS).as_posix()


def each_page(pages=PAGES):
    return for_each("page", pages)


@cache
def whole(page):
    return page.read_text(encoding="utf-8")


@cache
def blocks(page, language=None):
    """The code of a page: all of it, or that of one language."""
    found = BLOCK.findall(whole(page))
    return [dedent(code) for _, info, code in found if language in {None, info.split(" ")[0]}]


@cache
def text_of(page):
    """What a page says outside its code."""
    return re.sub(r"`[^`\n]*`", "`", BLOCK.sub("", whole(page)))


def printed(code, namespace):
    """What a block prints, without a warning."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(code, "<block>", "exec"), namespace)
    return output.getvalue()


def said(code):
    """What a block says that it prints: the comments at its end."""
    lines = re.search(r"(?:^#(?: [^\n]*)?\n)*\Z", code, re.MULTILINE)[0]
    return re.sub(r"^# ?", "", lines, flags=re.MULTILINE)


def without_trailing_spaces(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


@cache
def anchors(page):
    """What links to a page may name: its headings as Python-Markdown names them, ids, and objects
    of the API.
    """
    text = whole(page)
    ids = set(re.findall(r'\bid="([^"]+)"', text)) | set(re.findall(r"\{ *#([\w-]+) *\}", text))
    for heading in re.findall(r"^#+ +(.+?)(?: *\{[^}]*\})?$", BLOCK.sub("", text), re.MULTILINE):
        plain = (
            unicodedata.normalize("NFKD", re.sub(r"[`*]", "", heading))
            .encode("ascii", "ignore")
            .decode()
        )
        ids.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return ids, tuple(re.findall(r"^::: ([\w.]+)", text, re.MULTILINE))


def links(page):
    text = text_of(page)
    inline = re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", text)
    return (
        inline
        + re.findall(r"^\[[^\]]+\]: (\S+)", text, re.MULTILINE)
        + re.findall(r'\b(?:src|href)="([^"]+)"', text)
    )


ENTRIES = {name for page in PAGES for name in anchors(page)[1]}


WITH_CODE = [page for page in PAGES if blocks(page, "python")]


@pytest.fixture
def own_folder(tmp_path):
    """A place for files, and settings that other tests do not see."""
    with contextlib.chdir(tmp_path), sklearn.config_context(), mpl.rc_context():
        plt.switch_backend("Agg")
        yield
        plt.close("all")


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_code_runs_and_prints_what_the_page_says(page):
    namespace = {"__name__": "page"}
    for code, picture in steps_of(page):
        assert without_trailing_spaces(printed(code, namespace)) == without_trailing_spaces(
            said(code)
        )
        if picture is not None:
            width, height = plt.gcf().get_size_inches() * plt.gcf().dpi
            with Image.open(DOCS / "pictures" / picture) as shown:
                assert shown.size == (int(2 * width), int(2 * height))
            assert f'{picture}){{ width="{int(2 * width) // 2}" }}' in whole(page)


@each_page()
def test_links_stay_in_docs_and_lead_to_pages_headings_and_pictures(page):
    outside = [link for link in links(page) if address() and link.startswith(address())]
    assert len(re.findall(r"https?://", text_of(page))) == len(outside)
    for link in set(links(page)) - set(outside):
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(DOCS), link
        assert target.is_file(), link
        if anchor:
            ids, objects = anchors(target)
            # A method may have an entry of its own, on another page than its class.
            is_shown = anchor in objects if anchor in ENTRIES else anchor.startswith(objects)
            assert anchor in ids or is_shown, link


@each_page(WITH_CODE)
def test_a_block_says_which_blocks_come_before_it(page):
    found = blocks(page, "python")
    said = [code.partition("\n")[0] for code in found]
    assert [line if line.startswith(GOES_ON) else None for line in said] == first_lines(found)


def test_what_a_block_needs_is_what_it_does_not_have_without_the_blocks_above():
    counted, plain, alone = "a = 1\nb = [a for a in range(3)]", "print(a)", "import os\nos.sep"
    assert first_lines([counted, plain, alone]) == [None, f"{GOES_ON} block above.", None]
    assert first_lines([counted, alone, "a = a + 1"])[2] == f"{GOES_ON} first block."
    assert (
        first_lines([counted, plain, "for a in b:\n    print(a)"])[2] == f"{GOES_ON} first block."
    )
    both = ["a = 1", "b = 2", "c = a", "def f(x):\n    return x + b + c"]
    assert first_lines(both)[2:] == [f"{GOES_ON} first block.", f"{GOES_ON} blocks above."]
    # The second block is needed by what the third one made of it.
    assert first_lines(["a = 1", "b = 2", "d = 1", "c = b", "print(c)"])[4] == (
        f"{GOES_ON} second and fourth blocks."
    )


# What the code of a page needs beside this package, and how that is seen. The start page installs
# what it needs.
NEEDED = {
    "fairlearn": r"from fairlearn",
    "imbalanced-learn": r"(?:import|from) imblearn",
    "narwhals": r"\.from_frame\(",
    "matplotlib": r"\bplot_\w+\(",
    "openpyxl": r"\.xlsx",
    "pandas": r"import pandas|as_frame=True|metrics_table\(|\.to_frame\(",
    "polars": r"import polars",
    "pycm": r"import pycm",
    "statsmodels": r"from statsmodels",
}


@each_page([page for page in WITH_CODE if page != DOCS / "index.md"])
def test_a_page_says_first_what_its_code_needs(page):
    code = "\n".join(blocks(page, "python"))
    needed = [name for name, seen in NEEDED.items() if re.search(seen, code)]
    said = f"To run the code: `pip install {' '.join(needed)}`." if needed else None
    lines = whole(page).splitlines()
    found = [line for line in lines[:20] if line.startswith("To run the code")]
    assert found == ([said] if said else [])


@each_page()
def test_lines_of_tables_have_as_many_cells_as_their_heads(page):
    for table in re.findall(r"(?:^\|.+\n)+", text_of(page), re.MULTILINE):
        sizes = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(sizes) == 1, table


@each_page()
def test_a_page_ends_with_a_way_on(page):
    last = whole(page).rstrip().rpartition("\n\n")[2]
    assert re.search(r"\]\([\w./-]+\.md", last)


@each_page()
def test_a_page_has_one_title_and_closed_blocks(page):
    text = whole(page)
    assert len(re.findall(r"^# ", BLOCK.sub("", text), re.MULTILINE)) == 1
    assert "```" not in BLOCK.sub("", text)


# The column of the site has no more.
WIDTH = 80


@each_page()
def test_code_is_not_cut(page):
    code = blocks(page, "python") + blocks(page, "py") + blocks(page, "bash")
    assert [line for block in code for line in block.splitlines() if len(line) > WIDTH] == []


@each_page([page for page in PAGES if blocks(page, "py")])
def test_code_for_other_libraries_names_the_file_that_tests_it(page):
    files = re.findall(r"`tests/integration/(test_\w+\.py)`", whole(page))
    assert files
    assert all((INTEGRATION / file).is_file() for file in files), files
    for code in blocks(page, "py"):
        compile(code, name_of(page), "exec")


@each_page(
    [page for page in PAGES if page.parent.name in {"recipes", "tasks"} and page.name != "index.md"]
)
def test_the_index_of_a_folder_lists_its_pages(page):
    assert page.name in links(page.parent / "index.md")


def test_there_are_pages():
    assert len(PAGES) > 40
