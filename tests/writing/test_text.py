"""Tables of text for a terminal and for a notebook."""

from skmetrics_ext.writing.text import ShownTable

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
