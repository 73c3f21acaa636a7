"""The fuzzer finds nothing in the package, finds what is put there, and its oracle is right."""

import dataclasses
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from tests.fuzz import curve_oracle
from tests.fuzz.__main__ import main
from tests.fuzz.run import FAMILIES, MOST_PRINTED, run_cases
from tests.vectors import oracle
from tests.vectors.one_class import Counts

SEED = 7
# Finley's tornado forecasts of 1884: hits, false alarms, misses, and rightly none.
FINLEY = Counts(*map(Fraction, (28, 72, 23, 2680)))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_case_fails(family):
    failures = run_cases(SEED, range(6), family=family).failures
    assert not failures, "\n".join(failures)


def test_codes_that_wrap_around_are_found(monkeypatch):
    monkeypatch.setattr("skmetrics_ext.reading.labels.code_dtype", lambda _: np.uint8)
    assert run_cases(SEED, range(16), family="many_classes").failures


def test_a_threshold_on_a_score_is_found(monkeypatch):
    monkeypatch.setattr("skmetrics_ext.curves.best.between_scores", lambda _, score, __: score)
    failures = run_cases(SEED, range(10), family="thresholds").failures
    assert any(" moved: " in failure for failure in failures)


def test_the_order_of_the_alphabet_is_found(monkeypatch):
    for place in ("reading.order", "catalogue.score"):
        monkeypatch.setattr(
            f"skmetrics_ext.{place}.from_low_to_high", lambda labels, *_: np.sort(labels)
        )
    failures = run_cases(SEED, range(20), family="order").failures
    assert any("must raise ValueError" in failure for failure in failures)
    assert any("got " in failure for failure in failures)


def test_inputs_that_are_changed_are_found(monkeypatch):
    read_weights = sys.modules["skmetrics_ext.reading.pairs"].read_weights

    def careless(sample_weight, *others):
        if isinstance(sample_weight, list):
            sample_weight[0] = 1
        return read_weights(sample_weight, *others)

    monkeypatch.setattr("skmetrics_ext.reading.pairs.read_weights", careless)
    failures = run_cases(SEED, range(25), family="functions").failures
    assert any("sample_weight was changed" in failure for failure in failures)


def test_the_command_line_tells_that_a_denominator_is_wrong(monkeypatch, capsys):
    wrong = dataclasses.replace(
        BY_NAME["recall"], formula=lambda counts: (counts.tp, counts.tp + counts.fp)
    )
    monkeypatch.setitem(BY_NAME, "recall", wrong)
    monkeypatch.setattr(
        sys, "argv", ["fuzz", "--cases", "60", "--seed", "7", "--family", "functions"]
    )
    assert main() == 1
    lines = capsys.readouterr().out.splitlines()
    commands = [line for line in lines if line.startswith("python -m tests.fuzz --seed 7 --case ")]
    assert 0 < len(commands) <= MOST_PRINTED
    assert all("recall: got " in command for command in commands)
    assert lines[-1].startswith("60 cases in ")
    assert not lines[-1].endswith(" 0 failures")


@pytest.mark.slow
def test_a_case_is_the_same_each_time():
    """In two processes, whose hashes of strings differ."""
    command = [sys.executable, "-m", "tests.fuzz", "--seed", "7", "--case", "11"]
    root = Path(__file__).parents[2]
    shown = [
        subprocess.run(command, cwd=root, capture_output=True, check=False, text=True)
        for _ in range(2)
    ]
    assert shown[0].stdout == shown[1].stdout
    assert "y_true = " in shown[0].stdout or "counts = " in shown[0].stdout


def test_the_oracle_knows_all_metrics_and_what_they_are_where_undefined():
    rows = {row.name: row.undefined for row in METRICS}
    known = {name: metric.undefined for name, metric in oracle.EXACT_METRICS.items()}
    assert known.keys() == rows.keys()
    np.testing.assert_array_equal([known[name] for name in rows], list(rows.values()))


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("recall", 0.549),
        ("false_discovery_rate", 0.720),
        ("false_positive_rate", 0.0262),
        ("jaccard", 0.228),
        ("gilbert_skill", 0.216),
        ("informedness", 0.523),
        ("frequency_bias", 1.96),
        ("diagnostic_odds_ratio", 45.3),
        ("yule_q", 0.957),
        ("one_vs_rest_accuracy", 0.966),
    ],
)
def test_the_oracle_has_the_scores_of_tornado_forecasts(name, published):
    value = oracle.class_value(name, [FINLEY], "binary").value
    assert float(value) == pytest.approx(published, rel=3e-3)


@pytest.mark.parametrize(
    ("name", "published"),
    [("accuracy", 0.966), ("cohen_kappa", 0.355), ("peirce_skill", 0.523), ("gerrity", 0.523)],
)
def test_the_oracle_has_the_skill_of_tornado_forecasts(name, published):
    tp, fp, fn, tn = FINLEY
    samples = oracle.Samples({(1, 1): tp, (0, 1): fp, (1, 0): fn, (0, 0): tn}, [0, 1])
    assert float(oracle.overall_value(name, samples.matrix([0, 1])).value) == pytest.approx(
        published, rel=3e-3
    )


def test_the_oracle_takes_weights_for_no_numbers_of_samples():
    # Krippendorff (2011), A: two observers of ten units.
    sides = [0] * 8 + [1] * 2, [0] * 5 + [1] * 3 + [0, 1]
    for weight in (1.0, 0.1, 7.0):
        weights = [weight] * 10 + [0.0]
        samples = oracle.tally(*([*side, 1] for side in sides), weights)
        value = oracle.overall_value("krippendorff_alpha", samples.matrix([0, 1])).value
        assert round(float(value), 3) == 0.095


def test_the_oracle_has_the_numbers_of_three_classes():
    target = [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2]
    predicted = [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0]
    samples = oracle.tally(target, predicted)
    assert samples.matrix([0, 1, 2]).cells == [[4, 0, 2], [0, 1, 4], [2, 1, 2]]
    quads = [samples.quad(label) for label in samples.labels]
    for name, published in {
        "precision": [0.6667, 0.5, 0.25],
        "recall": [0.6667, 0.2, 0.4],
        "f1": [0.6667, 0.2857, 0.3077],
    }.items():
        values = oracle.class_value(name, quads, None).value
        assert [round(float(value), 4) for value in values] == published
    for name, published in {"accuracy": 0.4375, "balanced_accuracy": 0.4222}.items():
        assert float(oracle.overall_value(name, samples.matrix([0, 1, 2])).value) == pytest.approx(
            published, abs=5e-5
        )


def test_the_oracle_has_the_areas_of_four_samples():
    scored = curve_oracle.Scored(
        [0.1, 0.4, 0.35, 0.8], [False, False, True, True], [Fraction(1)] * 4
    )
    assert scored.thresholds == [0.8, 0.4, 0.35, 0.1]
    assert (
        curve_oracle.roc_auc(scored) == curve_oracle.partial_roc_auc(scored, 1.0) == Fraction(3, 4)
    )
    assert curve_oracle.average_precision(scored) == Fraction(5, 6)


def test_the_oracle_goes_beyond_the_floats():
    huge = Fraction(10) ** 400
    assert (
        float(
            oracle.class_value("phi_coefficient", [Counts(huge, huge, huge, huge)], "binary").value
        )
        == 0
    )
    value = oracle.class_value(
        "positive_likelihood_ratio", [Counts(huge, 1 / huge, Fraction(0), huge)], "binary"
    ).value
    assert value == huge**2 + 1
    assert math.isnan(oracle.class_value("lift", [Counts(*[Fraction(0)] * 4)], "binary").value)
