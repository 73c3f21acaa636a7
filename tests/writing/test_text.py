"""Tables of text for a terminal and for a notebook."""

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.reading.order import show
from skmetrics_ext.results import SampleSize
from skmetrics_ext.writing.text import ShownTable, on_one_line

HEADS = ["name", "value"]


def test_characters_of_two_columns_are_aligned():
    table = ShownTable("Scores", HEADS, [["猫猫猫", "0.5"], ["dog", "-0.25"]], [True, False])
    # Three characters are as wide as six letters.
    assert table.as_text().splitlines() == [
        "Scores",
        "name    value",
        "猫猫猫    0.5",
        "dog     -0.25",
    ]


def test_rows_that_are_too_many_are_counted():
    table = ShownTable("Scores", HEADS, [["a", "1"], ["b", "2"], ["c", "3"]], [True, False], most=1)
    assert table.as_text().splitlines() == [
        "Scores",
        "name  value",
        "a         1",
        "... and 2 more",
    ]
    html = table.as_html()
    assert "<tr><th>a</th><td>1</td></tr>" in html
    assert "<tr><th>\N{HORIZONTAL ELLIPSIS} 2 more</th><td></td></tr>" in html
    assert "<th>b</th>" not in html
    assert "more" not in table._replace(most=3).as_text() + table._replace(most=3).as_html()


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("2026-05-01T00:00:00.000000000", "2026-05-01"),
        ("2026-05-01T10:00:00.000", "2026-05-01T10:00:00"),
        ("2026-05-01T00:00:00.001", "2026-05-01T00:00:00.001"),
        ("2026-05", "2026-05"),
        (np.datetime64("NaT", "s"), "NaT"),
    ],
)
def test_times_have_no_zeros_that_say_nothing(time, text):
    times = np.array([time], dtype=np.datetime64(time).dtype)
    assert on_one_line(times[0]) == text
    assert show(times) == f"[{text}]"


def test_months_of_a_data_frame_are_printed_as_days():
    frame = pd.DataFrame({"y": [1, 0] * 2, "p": [1, 0, 0, 1]})
    frame["month"] = pd.to_datetime(["2026-05-01", "2026-05-01", "2026-06-01", "2026-06-01"])
    cm = ConfusionMatrix.from_frame(frame, "y", "p", by="month")
    assert "summed over month [2026-05-01, 2026-06-01]" in repr(cm)
    assert [line.split()[0] for line in str(cm.to_table()).splitlines()[2::2]] == [
        "2026-05-01",
        "2026-06-01",
    ]


def test_one_is_singular():
    assert repr(SampleSize(1, 0.5, n_clusters=1)) == "1 sample in 1 cluster, power 0.500"
    assert repr(SampleSize(6, 0.5, n_clusters=2)) == "6 samples in 2 clusters, power 0.500"
