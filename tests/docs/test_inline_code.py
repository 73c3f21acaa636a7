"""Inline code of README and docs/ calls what is there, as it may be called."""

from pathlib import Path

import pytest

from tests.docs.inline_code import faults_of, inline_code
from tests.shared import for_each

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


@for_each("page", PAGES)
def test_inline_code_calls_what_is_there(page):
    text = page.read_text(encoding="utf-8")
    assert [fault for code in inline_code(text) for fault in faults_of(code)] == []


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("cm.class_counts()", "is not called"),
        ('cm.summary(["f1"]).to_frames()', "Summary has no to_frames"),
        ('cm.sum("sex").scores("f1")', "ConfusionMatrix has no scores"),
        ('cm.gap("recall").lo', "Gap has no lo"),
        ("curve.auc", "ThresholdCurve has no auc"),
        ('cm.score("f1", lables=[1])', "has no lables="),
        ('cm.score("fbeta", beta=2)', None),
        ('cm.interval("f1", 0.9)', "too many positional"),
        ('cm.interval("f2score")', "nobody knows 'f2score'"),
        ("cross_val_interval(model, X, y, scorer=)", "unexpected keyword argument 'scorer'"),
        ("ConfusionMatrix.from_scores(..., tie=)", "unexpected keyword argument 'tie'"),
        ("compare(metrics=[...], ...)", None),
        ("to_frame(format=1)", "unexpected keyword argument 'format'"),
        ("f1score(y, p)", "nobody knows f1score"),
        ("f1_score(y, p", None),
        ("f1_score(y p)", "is no Python"),
        ("cross_validate(model, X, y)", None),
    ],
)
def test_what_a_reader_can_not_copy_is_found(code, fault):
    found = faults_of(code)
    assert len(found) >= 1 if fault else found == []
    assert not fault or any(fault in one for one in found)


def test_the_column_of_other_libraries_is_left_out():
    table = "| instead of | write |\n|---|---|\n| `a()` | `b()` |\n"
    text = f"{table}\n`c()`\n| one | two |\n| `d()` | |\n"
    assert [*inline_code(text)] == ["b()", "c()", "d()"]
