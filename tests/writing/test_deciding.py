"""What is printed is on the side of every line on which the number is, wherever it is printed."""

import html.parser
import re
import warnings

import numpy as np
import pytest

from skmetrics_ext import plot_intervals
from skmetrics_ext.results import Alarms, Axis, ComparisonRow, Gap, Verdicts
from skmetrics_ext.writing.printed import p_in_print
from skmetrics_ext.writing.text import p_as_text
from tests.shared import comparison_of_rows

RANDOM = np.random.default_rng(7)
LEVELS = (
    0.95,
    0.99999,
    *(pytest.param(level, marks=pytest.mark.slow) for level in (0.9, 0.99, 0.999)),
)


def near(line, n):
    """Numbers on both sides of a line, from far to the next float, and the line."""
    steps = 10.0 ** RANDOM.uniform(-9, -1.5, n)
    around = [line + sign * step for step in steps for sign in (-1, 1)]
    return [line, np.nextafter(line, -np.inf), np.nextafter(line, np.inf), *around]


def interval_of_text(text):
    """The numbers that a printed limit or p-value may stand for: one, or all beyond one."""
    text = text.replace("<= ", "<").replace("< ", "<").replace("> ", ">").strip()
    number = float(text.lstrip("<>"))
    if text.startswith("<"):
        return -np.inf, number
    return (number, np.inf) if text.startswith(">") else (number, number)


def side(number, line):
    """Below, on or above."""
    return int(np.sign(number - line)) if abs(number - line) > 1e-300 else 0


def assert_side(text, number, lines):
    """A printed number is below, on or above each line as the number is: the one it stands for, all
    that it may be, or the line that it is just beside.
    """
    least, most = interval_of_text(text)
    named = most if least == -np.inf else least
    if least == most:
        ways = [[(least, line) for line in lines]]
    else:
        assert (number < named) if least == -np.inf else (number > named)
        is_beside = bool(abs(number - named) < 1e-4 * max(1, abs(named)))
        others = [line for line in lines if abs(line - named) > 1e-12 * max(1, abs(named))]
        is_beyond_all = all(line >= named if least == -np.inf else line <= named for line in lines)
        assert is_beside or is_beyond_all, (text, number, lines)
        ways = [[(named, line) for line in others]] * is_beside
    for shown, line in (pair for way in ways for pair in way):
        # Levels, and the names of claims, have roundings.
        if abs(number - line) > 1e-12 or line == 0:
            assert side(shown, line) == int(number > line) - int(number < line), (text, number)


def limits_of_cell(cell):
    """The texts of the limits of "0.10 (>0 to 0.20)"."""
    return re.search(r"\((.+) to (.+)\)", cell).groups()


def limits_of_brackets(text):
    """The same of "0.1 (0.0, 0.2]": an open one is beyond its line."""
    opening, low, high, closing = re.search(r"([\[(])(\S+), (\S+)([\])])", text).groups()
    return f">{low}" if opening == "(" else low, f"<{high}" if closing == ")" else high


def p_of(text):
    """The text of p in "p = 0.05" or "p < 0.05"."""
    return re.search(r"p (?:= )?((?:[<>]=? )?[\d.]+(?:e-\d+)?)", text)[1]


class Cells(html.parser.HTMLParser):
    """The cells of a table of HTML."""

    def __init__(self, source):
        super().__init__()
        self.texts = []
        self.feed(source)

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize("level", LEVELS)
def test_gaps(level):
    """The slow ones are at other levels."""
    error = round(1 - level, 12)
    for kind, equality in {"difference": 0.0, "ratio": 1.0}.items():
        for low in near(equality, 4):
            for p_value in near(error, 2):
                low, p_value = float(low), float(np.clip(p_value, 0, 1))
                gap = Gap(
                    value=0.5,
                    low=low,
                    high=low + 1e-5,
                    p_value=p_value,
                    lowest_group="a",
                    highest_group="b",
                    metric="f1",
                    kind=kind,
                    confidence_level=level,
                )
                table = gap.to_table(dash=" to ")
                for text in (
                    limits_of_cell(table.rows[0][0]),
                    limits_of_brackets(repr(gap)),
                    gap._table().rows[0][1:3],
                ):
                    assert_side(text[0], gap.low, [equality])
                    assert_side(text[1], gap.high, [equality])
                for text in (table.rows[0][1], p_of(repr(gap)), gap._table().rows[0][3]):
                    assert_side(text, p_value, [error, 0.05])
                assert gap._table().rows[0][3] in Cells(gap._repr_html_()).texts


@pytest.mark.parametrize("level", LEVELS)
def test_comparisons_and_their_pictures(level):
    """The slow ones are at other levels."""
    import matplotlib.pyplot as plt

    error, margin = round(1 - level, 12), 0.01
    lows = [*near(0.0, 2), *near(-margin, 2), *near(margin, 2)]
    ps = [*near(error, 4), *near(error / 2, 4)]
    rows = tuple(
        ComparisonRow(
            *("f1", "a", "b", 0.6, 0.5, 0.1, float(low), float(low) + 1e-5),
            *(*[float(np.clip(p, 0, 1))] * 2, "score", *[float(np.clip(p, 0, 1))] * 2, True, True),
        )
        for low, p in zip(lows, ps, strict=False)
    )
    for of_margin in (None, margin):
        lines = [0.0] if of_margin is None else [0.0, -margin, margin]
        errors = [error, 0.05] if of_margin is None else [error, error / 2]
        found = comparison_of_rows(rows, level, "holm", of_margin)
        table, shown = found.to_table(dash=" to "), found._table()
        for place, row in enumerate(rows):
            cells = dict(zip(shown.headers, shown.rows[place], strict=True))
            limits = limits_of_cell(table.rows[place][5])
            for low, high in (limits, (cells["low"], cells["high"])):
                assert_side(low, row.low, lines)
                assert_side(high, row.high, lines)
            for text in (table.rows[place][6], cells["p_value"], cells["p_adjusted"]):
                assert_side(text, row.p_value, errors)
            for name in ["p_not_worse", "p_equivalent"] * bool(of_margin):
                assert_side(cells[name], getattr(row, name), errors)
    plot = plot_intervals(found, sort=False)
    for text, row in zip(plot.texts_, rows, strict=True):
        low, high = limits_of_brackets(text.get_text())
        assert_side(low, row.low, [0.0])
        assert_side(high, row.high, [0.0])
    plt.close(plot.figure_)


@pytest.mark.parametrize("bound", [0.0, 0.9, 0.123456, -0.02, 1.0])
def test_verdicts(bound):
    lows = np.array([near(bound, 6)], dtype=float)
    numbers = {"value": lows + 0.1, "low": lows, "high": lows + 1e-5}
    shape = lows.shape
    found = Verdicts(
        overall="cannot tell",
        verdict=np.full(shape, "cannot tell"),
        **numbers,
        n=np.full(shape, 9.0),
        n_needed=np.full(shape, np.nan),
        reason=np.full(shape, ""),
        method="Wilson",
        confidence_level=0.95,
        axes=(Axis("claim", np.array(["f1 >= 0"])), Axis("site", np.arange(lows.size))),
        metric="f1",
        side=">=",
        bound=bound,
    )
    for low, high, row, printed in zip(
        lows[0], found.high[0], found._table().rows, found.to_table(dash=" to ").rows, strict=True
    ):
        for texts in (row[4:6], limits_of_cell(printed[2])):
            assert_side(texts[0], low, [bound, 0.0])
            assert_side(texts[1], high, [bound, 0.0])


@pytest.mark.parametrize("level", LEVELS)
def test_alarms(level):
    """The slow ones are at other levels."""
    enough = 1 / round(1 - level, 12)
    for e_value in near(enough, 9):
        found = Alarms(
            alarm=np.array([e_value >= enough]),
            alarm_time=np.array([None]),
            alarm_sample=np.array([np.nan]),
            low=np.array([[0.4]]),
            high=np.array([[0.6]]),
            change_time=np.array([None]),
            value=np.array([[0.5]]),
            largest_e_value=np.array([e_value], dtype=float),
            e_value=np.array([[e_value]], dtype=float),
            axes=(Axis("claim", np.array(["f1 >= 0"])),),
            time=Axis("month", np.array([1])),
            metrics=("f1",),
            bounds=(0.5,),
            horizon=9,
            confidence_level=level,
        )
        if abs(e_value / enough - 1) > 1e-12:
            assert_side(found._table().rows[0][-1], e_value, [enough])
            assert_side(found.to_table().rows[0][-1], e_value, [enough])


def test_a_p_value_next_to_the_line_has_its_digits():
    """The issue's own: 0.0497 and 0.0502 are not both .050."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for p_value, text in ((0.0497, ".0497"), (0.0502, ".0502"), (0.04, ".04")):
            limits = {"value": 0.1, "low": 0.1, "high": 0.2, "p_value": p_value}
            gap = Gap(**limits, lowest_group="a", highest_group="b")
            assert gap.to_table().rows[0][1] == text


def test_the_least_p_value_of_replicates_is_a_bound_on_its_side_of_the_line():
    assert p_in_print(1 / 21, [0.05], 1 / 21) == "<= .048"
    assert p_as_text(0.0496, [0.05], 0.0496) == "<= 0.0496"
