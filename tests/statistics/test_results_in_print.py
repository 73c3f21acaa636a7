"""Results as they are printed in a paper: cells against their numbers, numerators, caveats."""

import re

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    classification_report,
    compare,
    compare_folds,
    cross_val_interval,
    metric_interval,
    results,
    watch,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import for_each

RNG = np.random.default_rng(0)
N = 400
Y = RNG.integers(0, 2, N)
PRED, OTHER = (np.where(RNG.random(N) < right, Y, 1 - Y) for right in (0.85, 0.7))
SITE = RNG.choice(["A", "B", "C"], N)
CM = ConfusionMatrix.from_predictions(Y, PRED)
BY_SITE = ConfusionMatrix.from_predictions(Y, PRED, by={"site": SITE})
THREE = ConfusionMatrix.from_counts([[40, 5, 3], [6, 30, 4], [2, 7, 20]], labels=["a", "b", "c"])

CELL = re.compile(r"(-?[\d.]+) \((-?[\d.]+)(?:-| to )(-?[\d.]+)\)(?:, (\d+)/(\d+))?")


WITHOUT_PARAMETERS = [row for row in METRICS if not row.required]


def numbers_of(cell):
    """The value, limits, numerator and denominator of a cell."""
    return [None if part is None else float(part) for part in CELL.match(cell).groups()]


@for_each("row", WITHOUT_PARAMETERS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_proportions_have_their_numerators(row):
    of_three = "binary"
    if row.has_average:
        of_three = (None, "micro")[WITHOUT_PARAMETERS.index(row) % 2]
    for cm, average in ((BY_SITE, "binary"), (THREE, of_three)):
        interval = cm.interval(row.name, average=average, n_resamples=100)
        if np.isnan(interval.numerator).all():
            assert "numerator" in interval.to_frame()
            continue
        np.testing.assert_allclose(interval.numerator / interval.n, interval.value)
        assert interval.to_frame()["numerator"].tolist() == np.ravel(interval.numerator).tolist()


def test_the_metrics_of_samples_counted_are_proportions():
    """Named here, so that none is lost: those whose numerator and denominator are counts."""
    found = {
        row.name
        for row in WITHOUT_PARAMETERS
        if not np.isnan(CM.interval(row.name, n_resamples=100).numerator).any()
    }
    assert found >= {
        *("recall", "specificity", "precision", "negative_predictive_value", "accuracy"),
        *("false_positive_rate", "false_negative_rate", "false_discovery_rate", "prevalence"),
        *("false_omission_rate", "predicted_positive_rate", "detection_rate", "hamming_loss"),
    }
    assert not found & {"f1", "matthews_corrcoef", "informedness", "balanced_accuracy", "g_mean"}


def test_the_numerator_is_that_of_the_textbook():
    (tn, fp), (fn, tp) = CM.counts.tolist()
    expected = {
        "recall": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "precision": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "false_negative_rate": (fn, tp + fn),
        "accuracy": (tp + tn, N),
        "hamming_loss": (fp + fn, N),
        "prevalence": (tp + fn, N),
    }
    for metric, (numerator, n) in expected.items():
        interval = CM.interval(metric)
        assert (interval.numerator, interval.n) == (numerator, n), metric
        assert interval.to_table().rows[0][-1].endswith(f", {numerator}/{n}")


@pytest.mark.parametrize(
    ("interval", "has_it"),
    [
        (lambda: metric_interval(Y, PRED, "recall", sample_weight=RNG.random(N)), False),
        (lambda: metric_interval(Y, PRED, "recall", sample_weight=np.full(N, 2.0)), True),
        (
            lambda: ConfusionMatrix.from_predictions(
                Y, PRED, sample_weight=np.full(N, 2), frequency_weights=True
            ).interval("recall"),
            True,
        ),
        (lambda: metric_interval(Y, PRED, "recall", clusters=np.arange(N) // 4), True),
        (lambda: CM.at_prevalence(0.1).interval("precision"), False),
        (lambda: CM.interval("recall", simultaneous=True), True),
        (lambda: CM.interval("recall_macro", n_resamples=100), False),
        (lambda: ThresholdCurve.from_scores(Y, PRED * 0.5).interval("roc_auc"), False),
    ],
    ids=[
        "weights",
        "equal weights",
        "frequencies",
        "clusters",
        "prevalence",
        "together",
        "macro",
        "area",
    ],
)
def test_numerators_are_those_of_samples(interval, has_it):
    found = interval()
    assert bool(np.isnan(found.numerator)) != has_it
    if has_it:
        assert found.value == pytest.approx(found.numerator / found.n)
    cell = found.to_table().rows[0][-1]
    assert ("/" in cell) == has_it
    assert ("n" in found.to_table().headers) != has_it


@pytest.mark.parametrize(
    "metric", ["recall", "f1", "matthews_corrcoef", "positive_likelihood_ratio"]
)
@pytest.mark.parametrize("digits", [0, 2, 4])
def test_cells_are_the_rounded_numbers_of_the_interval(metric, digits):
    interval = BY_SITE.interval(metric)
    table = interval.to_table(digits=digits)
    assert table.n_names == 1
    assert [row[0] for row in table.rows] == ["A", "B", "C"]
    for row, *expected in zip(table.rows, interval.value, interval.low, interval.high, strict=True):
        found = numbers_of(row[-1])[:3]
        np.testing.assert_allclose(found, expected, atol=0.5 * 10**-digits + 1e-12)
    assert all(method in table.title for method in interval.method)


def test_caveats_mark_their_cells_and_stand_below():
    few = ConfusionMatrix.stack(
        {"many": CM, "few": ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=[0, 1])},
        axis="study",
    )
    with pytest.warns(UserWarning, match="too few samples"):
        table = few.interval("mcc").to_table()
    many, one = table.rows
    assert not many[-1].endswith("*")
    assert one[-1].endswith("*")
    [note] = table.notes
    assert note.startswith("* mcc is based on too few samples")
    assert note in table.to_latex().replace("\\_", "_") or "multicolumn" in table.to_latex()


def test_a_gap_names_its_groups_and_its_p_value():
    gap = BY_SITE.gap("recall")
    table = gap.to_table(digits=3)
    assert table.headers == ("difference of recall of 1", "p", "lowest group", "highest group")
    cell, p_value, lowest, highest = table.rows[0]
    np.testing.assert_allclose(numbers_of(cell)[0], gap.value, atol=6e-4)
    assert (lowest, highest) == (gap.lowest_group, gap.highest_group)
    assert float(p_value) == pytest.approx(gap.p_value, abs=0.006)
    ratio = BY_SITE.gap("recall", kind="ratio").to_table()
    assert ratio.headers[0].startswith("ratio of recall")
    by_two = ConfusionMatrix.from_predictions(Y, PRED, by={"site": SITE, "half": np.arange(N) % 2})
    table = by_two.gap("recall", axis="site").to_table()
    assert table.headers[0] == "half"
    assert [row[0] for row in table.rows] == ["0", "1"]


def test_a_comparison_has_the_corrected_p_values_of_its_rows():
    comparison = compare(
        Y, {"new": PRED, "old": OTHER}, ["accuracy", "f1", "mcc"], correction="holm"
    )
    table = comparison.to_table()
    names = ("metric", "model", "reference", "value", "reference value")
    assert table.headers == (*names, "difference", "p (holm)")
    for row, of in zip(table.rows, comparison.rows, strict=True):
        assert row[:3] == (of.metric, "new", "old")
        assert row[3:5] == (f"{of.value:.2f}", f"{of.reference_value:.2f}")
        np.testing.assert_allclose(
            numbers_of(row[5])[:3], [of.difference, of.low, of.high], atol=0.006
        )
        assert row[6] == "< .001"
        assert of.p_adjusted < 0.001
    reversed_ = compare(Y, {"old": OTHER, "new": PRED}, "accuracy").to_table().rows[0][5]
    assert " to -" in reversed_
    of_margin = compare(Y, {"new": PRED, "old": OTHER}, "accuracy", margin=0.1).to_table()
    assert of_margin.headers[-2:] == ("not worse", "equivalent")
    assert of_margin.rows[0][-2:] == ("yes", "no")


def test_verdicts_stand_beside_their_limits():
    verdicts = check(BY_SITE, {"recall": 0.7, "precision": (0.1, 0.95)})
    table = verdicts.to_table()
    assert table.title == f"Check: {verdicts.overall}"
    assert table.headers == ("claim", "site", "value (one-sided 95 % limits)", "n", "verdict")
    assert [row[-1] for row in table.rows] == verdicts.verdict.ravel().tolist()
    assert [float(row[3]) for row in table.rows] == verdicts.n.ravel().tolist()
    np.testing.assert_allclose(
        [numbers_of(row[2])[1] for row in table.rows], verdicts.low.ravel(), atol=0.006
    )
    cannot = check(
        ConfusionMatrix.from_counts([[5, 0], [0, 0]], labels=[0, 1]), {"recall": 0.5}
    ).to_table()
    assert cannot.headers[-1] == "reason"
    assert cannot.rows[0][1:3] == ("-", "0")


def test_a_report_has_the_limits_and_numbers_of_its_classes():
    report = classification_report(Y, PRED, metrics=["recall", "f1", "mcc"], confidence_level=0.95)
    table = report.to_table()
    assert table.headers == ("class", "recall", "f1", "mcc", "support")
    rows = {row[0]: row[1:] for row in table.rows}
    of_1 = CM.interval("recall", pos_label=1)
    found = numbers_of(rows["1"][0])
    np.testing.assert_allclose(found[:3], [of_1.value, of_1.low, of_1.high], atol=0.006)
    assert found[3:] == [of_1.numerator, of_1.n]
    assert rows["1"][2] == rows["overall"][0] == ""
    assert rows["1"][-1] == str(of_1.n)
    assert "/" not in " ".join(report.to_table(fractions=False).rows[0])
    without = classification_report(Y, PRED).to_table(digits=3)
    assert without.rows[0][1] == f"{CM.score('precision', pos_label=0):.3f}"
    # A row that is one number has it in its own column.
    assert without.rows[2][:3] == ("accuracy", "", "")


def test_other_results_have_a_table_too():
    scores = {"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.7]}
    folds = compare_folds(scores, n_train=8, n_test=2, baseline="b", rope=0.1)
    table, (row,) = folds.to_table(), folds.rows
    assert table.headers[-2:] == ("difference", "p (holm)")
    assert table.rows[0][-2] == f"{row.difference:.2f} ({row.low:.2f} to {row.high:.2f})"
    months = ConfusionMatrix.stack(dict.fromkeys(range(3), CM), axis="month")
    alarms = watch(months, {"recall": 0.5}, horizon=3).to_table()
    assert alarms.headers[:2] == ("claim", "alarm")
    assert alarms.rows[0][1] == "no"
    from sklearn.naive_bayes import GaussianNB

    X = Y[:, None] + RNG.normal(size=(N, 1))
    interval = cross_val_interval(GaussianNB(), X, Y, scoring="accuracy", random_state=0)
    assert np.isnan(interval.numerator)
    assert interval.to_table().headers == ("n", "accuracy")


def test_every_result_with_limits_has_a_table():
    kinds = [
        kind
        for kind in vars(results).values()
        if isinstance(kind, type) and "low" in getattr(kind, "__annotations__", {})
    ]
    # A row of a comparison is part of one.
    names = {kind.__name__ for kind in kinds} - {"ComparisonRow"}
    assert names == {"Alarms", "Comparison", "Gap", "Interval", "Summary", "Verdicts"}
    assert all(hasattr(getattr(results, name), "to_table") for name in names)
    assert hasattr(pd.DataFrame, "to_excel")


EQUAL_OR_UNLIKE = np.where(SITE == "A", 2.0, RNG.lognormal(sigma=0.5, size=N))


def test_a_table_of_unlike_entries_says_of_each_what_it_rests_on():
    """Weights are equal in one group, and clusters of one sample."""
    weighted = ConfusionMatrix.from_predictions(
        Y, PRED, by={"site": SITE}, sample_weight=EQUAL_OR_UNLIKE
    )
    clusters = np.where(SITE == "A", np.arange(N), N + np.arange(N) // 6)
    clustered = ConfusionMatrix.from_predictions(Y, PRED, by={"site": SITE}, clusters=clusters)
    recall, f1 = weighted.interval("recall"), weighted.interval("f1")
    table = recall.to_table()
    assert table.headers == ("site", "n", "recall of 1")
    n = [str(np.count_nonzero(Y[site == SITE])) for site in "ABC"]
    assert [row[1] for row in table.rows] == n
    assert [bool(numbers_of(row[2])[3]) for row in table.rows] == [True, False, False]
    of_clusters = clustered.interval("recall")
    for interval in (f1, of_clusters):
        methods = [*dict.fromkeys(interval.method.tolist())]
        assert len(methods) > 1
        assert f"({', '.join(['95 %', *methods])})" in repr(interval)
        assert interval.to_table().title == f"95 % confidence intervals, {', '.join(methods)}"


def test_a_single_result_has_a_format_and_says_how_many_there_are_else():
    interval = CM.interval("recall")
    low, high = interval.low, interval.high
    assert f"{interval:.2f}" == f"{interval.value:.2f} [{low:.2f}, {high:.2f}]"
    assert f"{interval}" == str(interval)
    gap = BY_SITE.sel(site=["A", "B"]).gap("recall")
    assert f"{gap:+.3f}".startswith(f"{gap.value:+.3f} ")
    with pytest.raises(TypeError, match=r"'\.2f' is for one entry, and there are 3: take to_table"):
        f"{BY_SITE.interval('recall'):.2f}"
    with pytest.raises(ValueError, match=r"such as '\.2f' or '\+\.2f'; got '\.1%'"):
        f"{interval:.1%}"
    with pytest.raises(TypeError, match=r"Interval can't be unpacked: .* interval\.value"):
        _, _ = interval
