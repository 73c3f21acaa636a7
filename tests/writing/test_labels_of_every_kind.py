"""Names of every kind in every frame and table of every kind of result: shown as they are."""

import functools
import html.parser
import re
import warnings

import numpy as np
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurves,
    check,
    classification_report,
    compare,
    watch,
)
from skmetrics_ext.results import TextTable
from tests.shared import one_in

# What Markdown, LaTeX, HTML, or a table of text would take for a command, if anywhere.
MARKUP = [
    *("[0, 10)", "[a](b)", "![a](b)", "* a", "*a*", "**", "_a_", "__", "`a`", "~~a~~", "~a~"),
    *(
        "&copy;",
        "&#35;",
        "a & b",
        "AT&T;",
        "<b>a</b>",
        "<!-- a",
        "<a@b.c>",
        "a|b",
        "||",
        "\\",
        "\\|",
    ),
    *("# a", "1. a", "1) a", "- a", "+ a", "---", "===", "$x$", "$$", "50 %", "{a}", "}{", "a^2"),
    *(
        "a--b",
        "---a",
        "''a''",
        "``a",
        "?`",
        "!`",
        "<<a>>",
        ",,a",
        '"a"',
        "> a",
        "\\begin{a}",
        "\\\\",
    ),
    *("a\nb", "a\tb", "猫", "é", "a  b", "{{ a }}", "%a", "&lt;", "a\u200bb"),
]
KINDS = {
    "days": np.array(["2026-01-01", "2026-02-01", "2026-03-01"], "M8[D]"),
    "months": np.array(["2026-01", "2026-02", "2026-03"], "M8[M]"),
    "seconds": np.array(["2026-01-01T10", "2026-01-02T11", "2026-01-03"], "M8[s]"),
    "nanoseconds": np.array([1_000, 10**9, 10**18 + 1_000]).view("M8[ns]"),
    "integers": np.array([-3, 0, 7]),
    "large integers": np.array([0, 2**63, 2**64 - 1], np.uint64),
    "whole floats": np.array([-1.0, 0.0, 2.0]),
    "bools": np.array([False, True]),
    "strings": np.array(["ash", "beech", "cedar"]),
}
RANDOM = np.random.default_rng(12)
N = 90
CODES = np.arange(N) % 3
Y, PRED = (np.where(RANDOM.random(N) < 0.3, RANDOM.integers(0, 3, N), CODES) for _ in range(2))
BINARY, CALLED = (RANDOM.integers(0, 2, N) for _ in range(2))
SCORE = RANDOM.random(N)


def of_classes(names):
    codes = [np.where(of < len(names), of, 0) for of in (Y, PRED)]
    return ConfusionMatrix.from_predictions(*(names[of] for of in codes))


def of_groups(names, **options):
    groups = {"group": names[CODES % len(names)], "half": np.arange(N) // 45}
    return ConfusionMatrix.from_predictions(BINARY, CALLED, by=groups, **options)


def without_a_group(names):
    """No sample of the class is in the first half, whose gap has no groups."""
    half = np.repeat([0, 1], [30, 60])
    groups = {"group": names[CODES % len(names)], "half": half}
    return ConfusionMatrix.from_predictions(BINARY * half, CALLED, by=groups)


def models_of(names):
    """Names of models are text."""
    return [str(name) for name in names]


# Results with names in them, of classes, groups or models, and the names that each shows.
RESULTS = {
    "interval of classes": lambda names: of_classes(names).interval("recall", average=None),
    "interval of one class": lambda names: of_classes(names).interval(
        "recall", average="macro", labels=[names[0]], n_resamples=100
    ),
    "interval of groups": lambda names: of_groups(names).interval("recall"),
    "gap of groups": lambda names: of_groups(names).sum("half").gap("recall"),
    "gap to a baseline": lambda names: (
        of_groups(names).sum("half").gap("recall", baseline=names[0])
    ),
    "gaps": lambda names: of_groups(names).gap("accuracy", axis="group"),
    "gaps by groups": lambda names: of_groups(names).gap("accuracy", axis="half"),
    "gaps without a group": lambda names: without_a_group(names).gap("recall", axis="group"),
    "comparison of groups": lambda names: of_groups(names).sum("half").pairwise_gaps("recall"),
    "comparison of models": lambda names: compare(
        BINARY, dict.fromkeys(models_of(names), CALLED), "accuracy"
    ),
    "verdicts": lambda names: check(of_groups(names), {"accuracy": 0.1}),
    "verdicts of classes": lambda names: check(
        of_classes(names).interval("recall", average=None), {"recall": 0.1}
    ),
    "alarms": lambda names: watch(
        of_groups(names).sum("half"), {"accuracy": 0.9}, horizon=3, axis="group"
    ),
    "alarms of groups": lambda names: watch(
        of_groups(names), {"accuracy": 0.9}, horizon=3, axis="half"
    ),
    "matrix": of_classes,
    "matrices": of_groups,
    "curves": lambda names: ThresholdCurves.from_scores(
        BINARY, SCORE, by={"group": names[CODES % len(names)]}
    ),
    "report": lambda names: classification_report(
        names[np.minimum(Y, len(names) - 1)], names[np.minimum(PRED, len(names) - 1)]
    ),
}


TEXTS = {f"text {place}": np.array(MARKUP[place : place + 3]) for place in range(0, len(MARKUP), 3)}
NAMES = KINDS | TEXTS
# Texts in tables of each result: all of them are in titles, headers and cells below.
CHOSEN = {result: RANDOM.choice([*TEXTS], 6, replace=False) for result in RESULTS}


@functools.cache
def made(result, kind):
    """A result of such names; None of text that is no order in time."""
    names = NAMES[kind]
    if result == "alarms" and names.dtype.kind == "U":
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return RESULTS[result](names)


def one_in_of(step, kinds, result):
    """One kind in so many, other ones for each result."""
    return [*kinds][[*RESULTS].index(result) % step :: step]


# Data frames.

PAIR = ["lowest_group", "highest_group"]
# The columns of names of each result that has a frame.
COLUMNS = {
    "interval of classes": ["class"],
    "interval of one class": ["label"],
    "interval of groups": ["group"],
    "gap of groups": PAIR,
    "gap to a baseline": [*PAIR, "baseline"],
    "gaps": PAIR,
    "gaps by groups": ["group"],
    "gaps without a group": PAIR,
    "verdicts": ["group"],
    "verdicts of classes": ["class"],
    "alarms": ["alarm_time", "change_time"],
    "alarms of groups": ["group"],
    "matrix": ["actual", "predicted"],
    "matrices": ["group"],
    "curves": ["group"],
}


def lists_of(frame):
    """The columns of any library's frame as lists, None where an entry is missing."""
    if hasattr(frame, "to_pydict"):
        return frame.to_pydict()
    if not hasattr(frame, "isna"):
        return frame.to_dict(as_series=False)
    columns = frame.astype(object).where(frame.notna(), None)
    return {name: columns[name].tolist() for name in columns}


def as_names(entries, names):
    """The entries of a column, maybe text of large integers, as they are in the names' array."""
    known = [entry for entry in entries if entry is not None]
    if names.dtype.kind == "O":
        known = [int(entry) for entry in known]
    if names.dtype == np.uint64:
        return [int(entry) for entry in known]
    found = np.array(known, dtype="M8[ns]" if names.dtype.kind == "M" else names.dtype)
    return found.astype(names.dtype).tolist()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("result", "backend"), one_in(3, COLUMNS, ["pandas", "polars", "pyarrow"]))
def test_frames_of_every_library_have_the_names_themselves(result, backend, step):
    """The slow ones have names of every kind in each result and library."""
    n_shown = 0
    for kind in one_in_of(step, KINDS, result):
        names = KINDS[kind]
        if (found := made(result, kind)) is None:
            continue
        columns = lists_of(found.to_frame(backend))
        for column in COLUMNS[result]:
            shown = as_names(columns[column], names)
            assert {*shown} <= {*names.tolist()}, (kind, column)
            n_shown += len(shown)
            if column in ("group", "class", "actual"):
                assert {*shown} == {*names.tolist()}, (kind, column)
    assert n_shown


# Tables of text: what readers of each format see.

ACTIVE_IN_MARKDOWN = set("`*_[]<>~$|")
PUNCTUATION = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
LATEX = {
    "backslash": "\\",
    "asciitilde": "~",
    "asciicircum": "^",
    "less": "<",
    "greater": ">",
    "bar": "|",
}
TOKEN_OF_LATEX = re.compile(
    r"\\text(?P<name>[a-z]+)\{\}|\\(?P<escaped>[&%$#_{}])|\{(?P<option>[\[*])\}|(?P<nothing>\{\})"
    r"|(?P<plain>(?!--|,,|''|``|[?!]`)[^\\{}&%$#_^~<>|])"
)


def cells_of_markdown(line):
    """The cells of a row by GitHub's specification: backslashes make punctuation plain."""
    cells, place = [""], 0
    while place < len(line):
        character = line[place]
        if character == "\\" and line[place + 1 : place + 2] in PUNCTUATION:
            place += 1
            cells[-1] += line[place]
        elif character == "|":
            cells.append("")
        else:
            assert character not in ACTIVE_IN_MARKDOWN, line
            assert not re.match(r"&#?\w+;", line[place:]), line
            cells[-1] += character
        place += 1
    return [cell.strip() for cell in cells]


def text_of_latex(source):
    """What LaTeX shows; an assertion fails where it would obey."""
    text, place = "", 0
    while place < len(source):
        token = TOKEN_OF_LATEX.match(source, place)
        assert token, (source, place)
        of = token.groupdict()
        text += (
            LATEX[of["name"]] if of["name"] else of["escaped"] or of["option"] or of["plain"] or ""
        )
        place = token.end()
    return text


def rows_of_latex(source):
    """The cells of each row between the rules."""
    body = source.partition("\\toprule\n")[2].partition("\\bottomrule")[0]
    lines = body.replace("\\midrule\n", "").splitlines()
    # An option of the line above.
    assert not [line for line in lines if line.startswith(("[", "*"))]
    cells = [re.split(r" & ", line.removesuffix(" \\\\")) for line in lines]
    return [[text_of_latex(cell) for cell in row] for row in cells]


class Page(html.parser.HTMLParser):
    """The texts of a page, and its tags."""

    def __init__(self, source):
        super().__init__()
        self.texts, self.tags = [], set()
        self.feed(source)

    def handle_starttag(self, tag, _):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)


OF_TABLES = {"table", "caption", "div", "thead", "tbody", "tfoot", "tr", "th", "td"}


def on_one_line(text):
    """As Python writes characters that are not seen."""
    return "".join(of if of.isprintable() else repr(of)[1:-1] for of in text)


def assert_shown_as_it_is(table):
    """Every format shows the same cells, title and notes."""
    rows = [[on_one_line(cell) for cell in row] for row in (table.headers, *table.rows)]
    lines = table.to_markdown().splitlines()
    bars = [line for line in lines if line.startswith("|")]
    assert bars[1] == "|" + "---|" * len(table.headers)
    stripped = [[cell.strip() for cell in row] for row in rows]
    assert [cells_of_markdown(line)[1:-1] for line in (bars[0], *bars[2:])] == stripped
    around = [line for line in lines if line and not line.startswith("|")]
    shown = [text for line in around for text in cells_of_markdown(line)]
    assert shown == [on_one_line(text) for text in (table.title, *table.notes) if text]
    assert not [line for line in around if re.match(r"[-+=#]|\d+[.)]", line)]
    assert rows_of_latex(table.to_latex()) == rows
    page = Page(table.to_html())
    assert page.tags <= OF_TABLES
    texts = [
        table.title,
        *table.headers,
        *(cell for row in table.rows for cell in row),
        *table.notes,
    ]
    assert page.texts == [text for text in texts if text]
    # In a terminal a row is a line.
    assert len(repr(table).splitlines()) == len(rows) + bool(table.title) + len(table.notes)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("result", RESULTS)
def test_tables_of_every_format_show_names_as_they_are(result, step):
    """The slow ones have names of every kind in each result."""
    for kind in one_in_of(step, [*KINDS, *CHOSEN[result]], result):
        names, found = NAMES[kind], made(result, kind)
        if hasattr(found, "_repr_html_"):
            page = Page(found._repr_html_())
            assert page.tags <= OF_TABLES
            if names.dtype.kind == "U" and result != "curves":
                shown = " ".join(page.texts) + repr(found)
                assert [name for name in names if name in shown or on_one_line(name) in shown]
        if hasattr(found, "to_table"):
            table = found.to_table()
            assert_shown_as_it_is(table)
            assert_shown_as_it_is(table.transposed())


@pytest.mark.parametrize("text", MARKUP)
def test_titles_headers_and_notes_are_shown_as_they_are(text):
    table = TextTable(text, (text, "x"), ((text, text), ("a", text), ("", text)), 1, (text,))
    assert_shown_as_it_is(table)
