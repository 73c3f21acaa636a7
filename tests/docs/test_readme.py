"""The README says what happens."""

import contextlib
import io
import re
import warnings
from pathlib import Path

import pytest

from skmetrics_ext import ConfusionMatrix, gerrity_score, get_scorer
from skmetrics_ext.catalogue.rows import METRICS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Each block of Python, with the comments at its end that say what it prints.
BLOCKS = re.findall(r"```python\n(.*?)((?:^# [^\n]+\n)+)```", README, re.DOTALL | re.MULTILINE)


def printed(code):
    """What a block prints, alone and without a warning."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(code, {})
    return output.getvalue()


def rows_of(text):
    """The cells of the table in a text, without its head."""
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert rows, text
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_it_is_one_page():
    assert len(README.split()) <= 600


def test_every_block_says_what_it_prints():
    assert len(BLOCKS) == README.count("```python") == 2


@pytest.mark.parametrize(
    ("code", "said"), BLOCKS, ids=[code.splitlines()[-1][:40] for code, _ in BLOCKS]
)
def test_every_block_works_alone_and_prints_what_it_says(code, said):
    assert printed(code) == re.sub(r"^# ", "", said, flags=re.MULTILINE)


def test_lines_of_code_fit_a_page():
    assert (
        max(
            len(line)
            for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL)
            for line in block.splitlines()
        )
        <= 120
    )


def test_the_first_lines_lead_from_arrays_to_a_summary_in_twelve():
    code, _ = BLOCKS[0]
    assert len(code.split("\n\n")) == 2
    assert len(code.strip().splitlines()) - 1 <= 12


def test_the_commands_are_there():
    assert "\npip install . && python examples/grid_search.py\n" in README
    assert '\npip install -e ".[test]" && pytest\n' in README
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = "\n".join(
        f'pip install -e ".[test,{one}]" && pytest tests/{one}'
        for one in ("integration", "engines", "spark", "site")
    )
    assert f"\n{block}\n```\n" in contributing


def test_the_number_of_metrics_is_right():
    assert f"{len(METRICS)} of them" in README


def test_what_the_warnings_say_is_so():
    always_no = ConfusionMatrix.from_counts([[990, 0], [10, 0]], labels=[0, 1])
    assert always_no.score("accuracy") == pytest.approx(1 - always_no.score("prevalence"))
    # A useless test: it is positive for half of the ill and half of the well.
    coin = ConfusionMatrix.from_counts([[495, 495], [5, 5]], labels=[0, 1])
    assert coin.score("npv") == pytest.approx(0.99)
    # Raters who agree on 98 of 100, nearly all of one class.
    raters = ConfusionMatrix.from_counts([[98, 1], [1, 0]], labels=["no", "yes"])
    assert raters.score("accuracy") == pytest.approx(0.98)
    assert -0.05 < raters.score("cohen_kappa") < 0
    # It need not be that low.
    alike = ConfusionMatrix.from_counts([[980, 1], [1, 18]], labels=["no", "yes"])
    assert alike.score("cohen_kappa") > 0.9
    stars = [1, 2, 2, 3]
    assert gerrity_score(stars, stars) == 1
    with pytest.raises(ValueError, match=r"pass labels="):
        gerrity_score(["low", "mid", "mid", "top"], ["low", "mid", "mid", "top"])
    many = ConfusionMatrix.from_counts([[96, 0, 0], [2, 0, 0], [2, 0, 0]], labels=[0, 1, 2])
    assert many.score("f1_micro") == many.score("accuracy") == pytest.approx(0.96)
    assert many.score("recall_worst") == 0


def test_figures_of_speed_are_those_of_one_benchmark_each():
    files = (Path(__file__).parents[1] / "benchmarks").glob("*.py")
    names = [
        name
        for file in files
        for name in re.findall(r'\bRow\(\s*"([^"]+)"', file.read_text(encoding="utf-8"))
    ]
    assert len(names) > 50
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    heads = ("`--only`", "---")
    rows = [row for row in rows_of(page) if row[-1] not in heads]
    assert len(rows) > 10
    theirs, ours = rows[0][2:4]
    assert f"takes {ours}, where scikit-learn takes {theirs}." in README
    for _, _, theirs, ours, ratio, words in rows:
        assert len([name for name in names if words.strip("`") in name]) == 1, words
        (of_theirs, unit), (of_ours, same_unit) = theirs.split(), ours.split()
        assert unit == same_unit, words
        quotient = float(of_theirs.replace(",", "")) / float(of_ours.replace(",", ""))
        # Each of the two is rounded.
        assert float(ratio.replace(",", "")) == pytest.approx(quotient, rel=0.03), words


def test_names_that_a_search_is_said_to_take_exist():
    names = re.findall(r'get_scorer\("(\w+)"', README)
    assert names
    for name in names:
        get_scorer(name)
