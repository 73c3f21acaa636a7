"""Tables of text in each language, whatever the names are."""

import html.parser

import pytest

from skmetrics_ext.results import TextTable

NASTY = "a|b & 50 % of $x_1 {<i>~^#*`[\\"
TABLE = TextTable(
    "All of them",
    ("site", "recall", "recall"),
    (("A", "0.90 (0.80-0.95)", "1"), (NASTY, "0.80", "2")),
    1,
    ("* few samples",),
)


def test_text_has_aligned_columns_between_its_title_and_its_notes():
    title, *lines, note = repr(TABLE).splitlines()
    assert (title, note) == ("All of them", "* few samples")
    assert len(lines) == 3
    assert {len(line) for line in lines} == {len(lines[0])}
    assert lines[1].startswith("A ")
    assert lines[1].endswith(" 1")


def test_markdown_shows_names_as_they_are():
    title, blank, *lines = TABLE.to_markdown().splitlines()
    assert (title, blank) == (TABLE.title, "")
    assert lines[:3] == [
        "| site | recall | recall |",
        "|---|---|---|",
        "| A | 0.90 (0.80-0.95) | 1 |",
    ]
    escaped = r"a\|b & 50 % of \$x\_1 {\<i\>\~^\#\*\`\[\\"
    assert lines[3] == f"| {escaped} | 0.80 | 2 |"
    assert lines[4:] == ["", r"\* few samples"]


def test_latex_has_no_commands_but_its_own():
    lines = TABLE.to_latex().splitlines()
    assert lines.pop(1) == rf"\multicolumn{{3}}{{l}}{{{TABLE.title}}} \\"
    assert lines[:4] == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"site & recall & recall \\",
        r"\midrule",
    ]
    assert lines[5] == (
        r"a\textbar{}b \& 50 \% of \$x\_1 \{\textless{}i\textgreater{}\textasciitilde{}"
        r"\textasciicircum{}\#*`[\textbackslash{} & 0.80 & 2 \\"
    )
    assert lines[6:] == [r"\bottomrule", r"\multicolumn{3}{l}{* few samples} \\", r"\end{tabular}"]
    assert "0.8--0.9" in TextTable("", ("x",), (("0.8\N{EN DASH}0.9",),)).to_latex()


class Cells(html.parser.HTMLParser):
    """The texts of the cells of a table."""

    def __init__(self):
        super().__init__()
        self.texts = []

    def handle_data(self, data):
        self.texts.append(data)


def test_html_escapes_what_it_shows():
    cells = Cells()
    cells.feed(TABLE.to_html())
    assert cells.texts == [
        *("All of them", "site", "recall", "recall", "A", "0.90 (0.80-0.95)", "1"),
        *(NASTY, "0.80", "2", "* few samples"),
    ]
    assert TABLE._repr_html_() == TABLE.to_html()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_of_text_and_numbers_headers_that_are_alike(backend):
    frame = TABLE.to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else [*frame.columns]
    assert names == ["site", "recall", "recall (2)"]
    values = frame["recall (2)"]
    assert (values.to_pylist() if backend == "pyarrow" else values.to_list()) == ["1", "2"]
    empty = TextTable("", ("a", "a", "a (2)"), ()).to_frame(backend)
    names = empty.column_names if backend == "pyarrow" else [*empty.columns]
    assert names == ["a", "a (2)", "a (2) (2)"]


def test_columns_become_rows_and_back():
    turned = TABLE.transposed()
    assert turned.headers == ("site", "A", NASTY)
    assert turned.rows == (("recall", "0.90 (0.80-0.95)", "0.80"), ("recall", "1", "2"))
    assert (turned.n_names, turned.notes, turned.title) == (1, TABLE.notes, TABLE.title)
    assert turned.transposed() == TABLE
    alone = TextTable("", ("recall",), (("0.90",),)).transposed()
    assert (alone.headers, alone.rows) == (("", "value"), (("recall", "0.90"),))
    of_two_names = TextTable("", ("a", "b", "x"), (("1", "2", "3"),), 2).transposed()
    assert (of_two_names.headers, of_two_names.rows) == (("a, b", "1, 2"), (("x", "3"),))


def test_line_breaks_in_names_do_not_break_rows():
    table = TextTable("", ("x",), (("two\nlines",),))
    texts = (repr(table), table.to_markdown(), table.to_latex())
    assert [len(text.splitlines()) for text in texts] == [2, 3, 7]
