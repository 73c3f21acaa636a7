"""Scoring a library finds every kind of disagreement; the page says what is stored."""

import json
import math
import re

import pytest

from tests.vectors import libraries, score, who_gives_what
from tests.vectors.compute import METRIC_CASES
from tests.vectors.score import FILLED, RAISED, UNDEFINED, WRONG, compared, report
from tests.vectors.tables import Table

RESULTS = json.loads(score.RESULTS_JSON.read_text(encoding="utf-8"))
TOLERANCE = score.TOLERANCE


@pytest.mark.parametrize(
    ("given", "expected", "kind"),
    [
        ([0.5, 0.25], ["1/2", "1/4"], None),
        ([0.5, 0.5], ["1/2", "1/4"], WRONG),
        ([0.5], ["1/2", "1/4"], WRONG),
        (1 / 3 + 1e-12, "1/3", None),
        (1 / 3 + 1e-9, "1/3", WRONG),
        (1e-15, "1E-13", None),
        (math.inf, "inf", None),
        (-math.inf, "inf", WRONG),
        (1e300, "inf", WRONG),
        (math.nan, None, None),
        ("None", None, None),
        (None, None, None),
        (0.0, None, FILLED),
        (math.nan, "0", UNDEFINED),
        ("None", "inf", UNDEFINED),
        (ValueError("of one class"), "0", RAISED),
        (ValueError("of one class"), None, RAISED),
        # The worst kind counts.
        ([0.0, 0.5, math.nan], [None, "1", "1"], WRONG),
        ([0.0, math.nan], [None, "1"], FILLED),
    ],
)
def test_each_kind_of_disagreement_is_told_apart(given, expected, kind):
    assert compared(given, expected, TOLERANCE)[0] == kind


def test_examples_show_where_the_values_differ():
    assert (
        compared(0.66815310478, "0.668153103629868733", TOLERANCE)[1]
        == "0.66815310478 instead of 0.66815310363"
    )
    assert compared(0.25, "1/2", TOLERANCE)[1] == "0.25 instead of 1/2"
    assert compared("None", "inf", TOLERANCE)[1] == "None instead of inf"


def test_a_library_is_scored_over_all_tables(monkeypatch):
    vectors = {
        "tables": [{"about": "", "labels": [0, 1], "matrix": [[n, 0], [0, 1]]} for n in range(6)],
        "metrics": [{"key": "accuracy", "values": ["1", "1", "1", None, "1", "1"]}],
    }

    def library(table: Table):
        def call():
            size = table.matrix[0][0]
            if size == 4:
                raise ValueError("four")
            if size == 5:
                raise libraries.TooManySamples
            return 0.5 if size == 2 else 1.0

        return {"accuracy": call}

    monkeypatch.setitem(score.LIBRARIES, "mine", library)
    scored = score.score("mine", vectors)
    assert scored == {
        "accuracy": {
            "asked": 5,
            "agrees": 2,
            WRONG: {"tables": 1, "first": "table 2: 0.5 instead of 1"},
            FILLED: {"tables": 1, "first": "table 3: 1 instead of 0/0"},
            RAISED: {"tables": 1, "first": "table 4: ValueError"},
        }
    }
    (line,) = report(scored)
    assert line.startswith(
        "  accuracy: agrees in 2 of 5; another value in 1, first table 2: 0.5 instead of 1; "
    )


def test_large_tables_are_weighted_samples_or_none():
    table = Table("", ("a", "b"), [[10**6, 0], [3, 4]])
    actual, predicted, weights = libraries.as_labels(table, table.labels)
    assert [actual.tolist(), predicted.tolist(), weights.tolist()] == [
        list("abb"),
        list("aab"),
        [10**6, 3, 4],
    ]
    with pytest.raises(libraries.TooManySamples):
        libraries.unweighted(table, table.labels)
    actual, predicted = libraries.unweighted(Table("", (5, 7), [[2, 0], [1, 0]]), (5, 7))
    assert [actual.tolist(), predicted.tolist()] == [[5, 5, 7], [5, 5, 5]]


def test_stored_results_are_of_all_libraries_and_all_metrics_of_ours():
    assert list(RESULTS) == list(libraries.LIBRARIES)
    assert list(RESULTS["skmetrics-ext"]["metrics"]) == [case.key for case in METRIC_CASES]


@pytest.fixture
def results(monkeypatch, tmp_path):
    """A copy of the stored results, for a library of one call and one that is not installed."""

    def mine(table):
        return {"accuracy": lambda: 0.5, "recall": lambda: [0.5] * len(table.labels)}

    def missing(_):
        raise ImportError

    monkeypatch.setattr(score, "RESULTS_JSON", tmp_path / "results.json")
    monkeypatch.setattr(score, "LIBRARIES", {"pycm": mine, "missing": missing})
    counts = {"asked": 506, "agrees": 0}
    known = {"version": score.version_of("pycm"), "metrics": {"accuracy": counts, "gone": counts}}
    return {"pycm": known, "missing": {"version": "1", "metrics": {"f1": counts}}}


def test_new_calls_are_scored_and_those_of_the_past_dropped(results, capsys):
    score.store(results)
    assert score.keep_up(["--check"]) == 1
    assert "without recall. To write all anew: python -m tests.vectors.score pycm --write" in (
        capsys.readouterr().out
    )
    assert score.stored() == results
    assert score.keep_up([]) == 0
    found = score.stored()
    assert found["missing"] == results["missing"]
    assert list(found["pycm"]["metrics"]) == ["accuracy", "recall"]
    assert found["pycm"]["metrics"]["accuracy"] == {"asked": 506, "agrees": 0}
    assert found["pycm"]["metrics"]["recall"]["asked"] == 506
    assert 0 < found["pycm"]["metrics"]["recall"]["agrees"] < 506
    assert score.keep_up(["--check"]) == 0


def test_another_version_of_a_library_is_not_mixed_with_stored_results(results, capsys):
    results["pycm"]["version"] = "0.1"
    score.store(results)
    assert score.keep_up([]) == 1
    assert "results of pycm 0.1, without recall" in capsys.readouterr().out
    assert score.stored() == results


def test_only_0_0_has_other_values_here():
    """By functions at their defaults, as those of all other libraries."""
    of_ours = RESULTS["skmetrics-ext"]["metrics"]
    for key, counts in of_ours.items():
        filled = counts.get(FILLED, {"tables": 0})["tables"]
        assert counts["agrees"] + filled == counts["asked"], key
    assert of_ours["matthews_corrcoef"]["agrees"] == 386


def test_the_columns_of_the_page_count_what_they_say():
    text = who_gives_what.PAGE.read_text(encoding="utf-8")
    right, conventions = text.split("## Another convention for 0/0")
    assert "| `matthews_corrcoef` | 506 of 506 | 493 of 506 (s7) |" in right
    assert "| `matthews_corrcoef` | 120 of 506 (e1) | 120 of 506 (s3) |" in conventions
    # 129 values for 0/0 are no wrong ones.
    assert re.search(r"\| `precision` .* 399 of 402 \(t3\) \|", right)
    assert re.search(r"\| `precision` .* 129 of 402 \(t1\) \|", conventions)


def test_the_page_is_what_the_stored_results_give(monkeypatch, tmp_path, capsys):
    assert who_gives_what.main(["--check"]) == 0
    text = who_gives_what.PAGE.read_text(encoding="utf-8")
    copied = tmp_path / "page.md"
    copied.write_text(text.replace("506 of 506", "505 of 506", 1), encoding="utf-8")
    monkeypatch.setattr(who_gives_what, "PAGE", copied)
    assert who_gives_what.main(["--check"]) == 1
    assert capsys.readouterr().out.endswith(
        "To write it, run: python -m tests.vectors.who_gives_what\n"
    )
    assert who_gives_what.main([]) == 0
    assert copied.read_text(encoding="utf-8") == text


def test_every_disagreement_has_one_explanation(monkeypatch):
    explanations = who_gives_what.EXPLANATIONS
    monkeypatch.setattr(who_gives_what, "EXPLANATIONS", explanations[1:])
    with pytest.raises(
        ValueError, match="skmetrics-ext, precision, filled: 0 explanations instead of one"
    ):
        who_gives_what.page(RESULTS)
    more = who_gives_what.Explanation("pycm", WRONG, "It is not.", ("precision",))
    monkeypatch.setattr(who_gives_what, "EXPLANATIONS", [*explanations, more])
    with pytest.raises(ValueError, match="these disagreements of pycm are no more"):
        who_gives_what.page(RESULTS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "library", [name for name in libraries.LIBRARIES if name != "torchmetrics"]
)
def test_stored_results_are_those_of_the_installed_versions(library):
    """Nothing else asks the libraries. TorchMetrics is in tests/integration. Of another version
    only the metrics are the same.
    """
    scored, stored = score.score(library), RESULTS[library]["metrics"]
    assert scored.keys() == stored.keys()
    if score.version_of(library) == RESULTS[library]["version"]:
        assert scored == stored
