"""Counts far apart, and totals at their limits: no sum loses a small weight beside a large one."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve, accuracy_score
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import for_each

# One sample a cell: tp, fn, fp, tn of class 1.
Y_TRUE, Y_PRED = [1, 1, 0, 0], [1, 0, 1, 0]
HUGE_FIRST = [1e16, 1, 1, 1]


@pytest.mark.parametrize(
    ("name", "y_true", "y_pred", "weights", "expected"),
    [
        ("false_positive_rate", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("specificity_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("negative_predictive_value", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("negative_predictive_value", [1, 0, 0], [0, 1, 0], [1, 1e16, 1], 1 / 2),
        ("diagnostic_odds_ratio", Y_TRUE, Y_PRED, [1e9, 1e-9, 1, 1], 1e18),
        # tp tn = 1e16 and fp fn = 1; actual = predicted = 1e16 + 1 positives, 2 negatives.
        ("phi_coefficient", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("matthews_corrcoef", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("cohen_kappa_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("scott_pi", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        # 1 - (1 - 1 / 8) (1 - pi), of four samples.
        ("krippendorff_alpha", Y_TRUE, Y_PRED, HUGE_FIRST, 9 / 16),
        ("peirce_skill_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("informedness_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("markedness_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("conditional_kappa_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("cramers_v", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 2),
        ("gilbert_skill_score", Y_TRUE, Y_PRED, HUGE_FIRST, 1 / 3),
        ("zero_one_loss", Y_TRUE, Y_PRED, HUGE_FIRST, 2e-16),
        ("hamming_loss", Y_TRUE, Y_PRED, HUGE_FIRST, 2e-16),
        ("allocation_disagreement", Y_TRUE, Y_PRED, HUGE_FIRST, 1e-16),
        ("quantity_disagreement", Y_TRUE, Y_PRED, [1e16, 3, 1, 1], 2e-16),
        # recall = precision = 1, specificity = npv = 1 / 2: sqrt(1 / 2 * 1).
        ("phi_coefficient", Y_TRUE, Y_PRED, [1e99, 1e-100, 1, 1], 0.5**0.5),
        ("matthews_corrcoef", Y_TRUE, Y_PRED, [1e99, 1e-100, 1, 1], 0.5**0.5),
        ("matthews_corrcoef", Y_TRUE, Y_PRED, [1e99, 0, 0, 1e-100], 1),
        ("phi_coefficient", Y_TRUE, Y_PRED, [1e99, 0, 0, 1e-100], 1),
        ("informedness_score", Y_TRUE, Y_PRED, [1e99, 0, 0, 1e-100], 1),
        ("cohen_kappa_score", Y_TRUE, Y_PRED, [1e99, 0, 0, 1e-100], 1),
        ("cramers_v", Y_TRUE, Y_PRED, [1e99, 0, 0, 1e-100], 1),
    ],
)
def test_a_small_weight_counts_beside_a_large_one(name, y_true, y_pred, weights, expected):
    value = getattr(skmetrics_ext, name)(y_true, y_pred, sample_weight=weights)
    assert value == pytest.approx(expected, rel=1e-12)


def test_a_heavy_class_of_many_leaves_the_rates_of_the_others():
    y_true, y_pred = np.arange(101), np.arange(101)
    y_pred[7] = 0
    weights = np.ones(101)
    weights[0] = 1e16
    rates = skmetrics_ext.false_positive_rate(y_true, y_pred, average=None, sample_weight=weights)
    assert rates.tolist() == [1 / 100] + [0] * 100


def test_float_weights_of_many_classes_equal_the_sums_over_all_cells():
    random = np.random.default_rng(0)
    y_true, y_pred = random.integers(0, 90, (2, 4000))
    weights = 10.0 ** random.uniform(-6, 6, 4000)
    cells = np.zeros((90, 90))
    np.add.at(cells, (y_true, y_pred), weights)
    counts = skmetrics_ext.multilabel_confusion_matrix(y_true, y_pred, sample_weight=weights)
    for k in range(90):
        others = np.delete(np.delete(cells, k, 0), k, 1).sum()
        errors = np.delete(cells[:, k], k).sum(), np.delete(cells[k], k).sum()
        np.testing.assert_allclose(counts[k].ravel(), [others, *errors, cells[k, k]], rtol=1e-12)


@pytest.mark.parametrize("n_classes", [3, 70])
def test_true_negatives_are_exactly_none_where_every_error_falls_on_one_class(n_classes):
    # 0.1 + 0.2 + 0.3 is another number in another order.
    y_true, y_pred = np.arange(n_classes), np.zeros(n_classes, dtype=int)
    weights = 0.1 * np.arange(1, n_classes + 1)
    with pytest.warns(match="no predicted negatives"):
        value = skmetrics_ext.negative_predictive_value(
            y_true, y_pred, labels=[0], average=None, sample_weight=weights, zero_division="warn"
        )
    assert value.tolist() == [0]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_multilabel_errors_count_beside_a_large_weight(form):
    true, pred = (
        np.array([[1, 0], [1, 0], [0, 1], [0, 1]]),
        np.array([[1, 0], [0, 0], [1, 1], [0, 1]]),
    )
    recall = skmetrics_ext.false_negative_rate(
        form(true), form(pred), average=None, sample_weight=[1, 1, 1e16, 1]
    )
    assert recall.tolist() == [1 / 2, 0]
    precision = skmetrics_ext.precision_score(
        form(true), form(pred), average=None, sample_weight=[1, 1e16, 1, 1]
    )
    assert precision.tolist() == [1 / 2, 1]


def test_dense_multilabel_true_negatives_count_beside_a_large_weight():
    true, pred = np.array([[1, 0], [0, 0], [0, 1]]), np.array([[1, 0], [1, 0], [0, 0]])
    rates = skmetrics_ext.specificity_score(true, pred, average=None, sample_weight=[1e16, 1, 1])
    assert rates.tolist() == [1 / 2, 1]


@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("thresholds", [None, [0.8, 0.4, 0.3, 0.1]], ids=["all", "given"])
def test_a_curve_loses_no_small_weight_beside_a_large_one(thresholds, ties):
    y_true, scores, weights = [1, 0, 1, 0], [0.8, 0.4, 0.3, 0.1], [1e16, 1, 1, 1e-16]
    curve = ThresholdCurve.from_scores(
        y_true, scores, pos_label=1, sample_weight=weights, thresholds=thresholds, ties=ties
    )
    for k, threshold in enumerate([0.8, 0.4, 0.3, 0.1]):
        reached = [
            score > threshold or (ties == "positive" and score == threshold) for score in scores
        ]
        exact = [
            sum(
                Fraction(w)
                for w, y, r in zip(weights, y_true, reached, strict=True)
                if (y, r) == cell
            )
            for cell in ((1, True), (0, True), (1, False), (0, False))
        ]
        assert [part[k] for part in curve.counts] == pytest.approx(
            [float(total) for total in exact], rel=1e-15, abs=0
        )


def test_costs_of_each_sample_lose_no_small_one_beside_a_large_one():
    curve = ThresholdCurve.from_scores([1, 0], [0.9, 0.1], pos_label=1, thresholds=[0.5])
    huge_if_negative = [[[0, 0], [1e16, 3]], [[0, 0], [0, 0]]]
    assert curve.score("expected_cost", cost_matrix=huge_if_negative).tolist() == [1.5]


def test_gerrity_is_undefined_with_float_weights_where_it_is_without():
    y_true, y_pred = [0, 1, 2, 0, 1, 2, 1], [0, 1, 2, 0, 1, 3, 1]
    for weights in (None, [0.1] * 7):
        assert np.isnan(
            skmetrics_ext.gerrity_score(y_true, y_pred, sample_weight=weights, zero_division=np.nan)
        )


@pytest.mark.parametrize("low", [0, 2**53, 2**63, -(2**63)])
def test_distances_of_large_labels_are_those_of_small_ones(low):
    """imbalanced-learn's example, [1, 1, 1, 2, 2, 2] and [1, 2, 1, 2, 1, 2], on any origin."""
    kind = np.uint64 if low >= 2**63 else np.int64
    y_true, y_pred = (
        np.array([low + k for k in codes], dtype=kind) for codes in ([0, 1, 3, 0], [0, 3, 3, 1])
    )
    # (1 / 2 + 2 / 1 + 0) / 3
    assert skmetrics_ext.macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(
        2.5 / 3
    )


LARGEST = 2**63 - 1


@pytest.mark.parametrize(
    "counts",
    [
        [[2**62, 2**62], [2**62, 2**62]],
        [[LARGEST, 1], [0, 0]],
        np.array([[2**63, 0], [0, 0]], dtype=np.uint64),
        [[2**63, 0], [0, 2**63 - 1]],
        [[[LARGEST, 0], [0, 0]], [[0, 0], [0, 1]]],
    ],
    ids=["four", "one past", "uint64", "beyond all types", "over axes"],
)
def test_counts_that_would_pass_int64_are_refused(counts):
    with pytest.raises(
        ValueError,
        match=r"counts add up to about .* more than 2\*\*63 - 1: scale them down, or pass floats",
    ):
        ConfusionMatrix.from_counts(counts, labels=[0, 1])


@pytest.mark.parametrize(
    "counts", [[[1e308, 1e308], [0, 0]], [[1e-200, 0], [0, 0]]], ids=["infinite", "tiny"]
)
def test_counts_with_which_arithmetic_would_leave_the_floats_are_refused(counts):
    with pytest.raises(ValueError, match="multiply all"):
        ConfusionMatrix.from_counts(counts, labels=[0, 1])


def test_sums_of_matrices_that_would_pass_int64_are_refused():
    half = ConfusionMatrix.from_counts([[2**61, 2**61], [0, 0]], labels=[0, 1])
    one = ConfusionMatrix.from_counts([[1, 0], [0, 0]], labels=[0, 1])
    with pytest.raises(ValueError, match="more than 2"):
        half + half
    with pytest.raises(ValueError, match="more than 2"):
        half + half.with_labels([0, 1, 2])
    rest = ConfusionMatrix.from_counts([[2**62 - 1, 0], [0, 0]], labels=[0, 1])
    assert (half + rest).n_samples == LARGEST
    with pytest.raises(ValueError, match="more than 2"):
        half + rest + one


def test_sums_of_float_matrices_that_would_be_infinite_are_refused():
    large = ConfusionMatrix.from_counts([[6e99, 0], [0, 0]], labels=[0, 1])
    with pytest.raises(ValueError, match="between 1e-100 and"):
        large + large


@for_each("row", [m for m in METRICS if not m.required])
def test_the_largest_total_gives_what_a_small_one_gives(row):
    small = np.array([[5, 2, 1], [1, 6, 1], [0, 2, 7]])
    factor = LARGEST // small.sum()
    average = {"average": "micro"} if row.has_average else {}
    expected = ConfusionMatrix.from_counts(small, labels=[0, 1, 2]).score(row.name, **average)
    for counts in (small * factor, small * 2.0**327):
        value = ConfusionMatrix.from_counts(counts, labels=[0, 1, 2]).score(row.name, **average)
        tolerance = 0.1 if row.needs_numbers else 1e-12
        assert value == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("weights", [[1e308] * 4, [3e99] * 4, [1e101, 1, 1, 1], [2e-101] * 4])
def test_weights_with_which_arithmetic_would_leave_the_floats_are_refused(weights):
    with pytest.raises(ValueError, match=r"sample_weight adds up to .* between 1e-100 and 1e\+100"):
        accuracy_score([1, 0, 1, 0], [1, 0, 0, 0], sample_weight=weights)


def test_information_beside_a_large_weight_is_that_of_exact_shares():
    cells = [[10**16, 1], [1, 1]]
    total = 10**16 + 3
    rows, columns = (
        [sum(row) for row in cells],
        [sum(column) for column in zip(*cells, strict=True)],
    )
    with localcontext() as context:
        context.prec = 60

        def share_times_logarithm(count, of):
            return Decimal(count) / total * (Decimal(of.numerator) / Decimal(of.denominator)).ln()

        shared = sum(
            share_times_logarithm(cells[i][j], Fraction(cells[i][j] * total, rows[i] * columns[j]))
            for i in (0, 1)
            for j in (0, 1)
        )
        entropy = -sum(share_times_logarithm(row, Fraction(row, total)) for row in rows)
        expected = {"mutual_information": shared, "uncertainty_coefficient": shared / entropy}
    for name, value in expected.items():
        found = getattr(skmetrics_ext, name)(Y_TRUE, Y_PRED, sample_weight=HUGE_FIRST)
        assert found == pytest.approx(float(value), rel=1e-12)
