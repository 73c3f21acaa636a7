"""ThresholdCurve: counts, metrics and areas at every threshold of one class's scores."""

import pickle
import tracemalloc
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve, ThresholdCurves, labels_from_scores
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.ranking import decreasing
from skmetrics_ext.metrics.from_labels import function_of
from tests.fuzz.curve_oracle import between
from tests.shared import are_on_scale, for_each, of_any_scale, one_in, parameters_of

TEXTBOOK = [1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8]
every_metric = for_each("row", METRICS)
both_ties = pytest.mark.parametrize("ties", ["positive", "negative"])


def a_sample(n_samples=60, seed=0, weighted=False):
    """Labels 0 and 1, scores with ties, and weights."""
    random = np.random.default_rng(seed)
    y_true = random.integers(0, 2, n_samples)
    y_score = np.round(random.normal(y_true), 1)
    return y_true, y_score, random.choice([0.5, 1.25, 3], n_samples) if weighted else None


def a_curve(n_samples=60, seed=0, weighted=False, **options):
    y_true, y_score, weights = a_sample(n_samples, seed, weighted)
    return ThresholdCurve.from_scores(y_true, y_score, sample_weight=weights, **options)


@st.composite
def samples(draw, both_classes=False):
    """Labels, scores with many ties, and no, whole or fractional weights with zeros."""
    n = draw(st.integers(2, 25))
    y_true = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    if both_classes:
        y_true[:2] = [False, True]
    scores = np.array(draw(st.lists(st.integers(-8, 8), min_size=n, max_size=n)))
    dtype = draw(st.sampled_from([np.float64, np.float32, np.int64]))
    scores = scores.astype(dtype) / dtype(draw(st.sampled_from([1, 8, 10])))
    kind = draw(st.sampled_from([None, int, float]))
    if kind is None:
        return np.array(y_true), scores, None
    values = st.integers(0, 3) if kind is int else st.sampled_from([0.0, 0.1, 0.7, 2.5])
    weights = np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=kind)
    weights[:2] = 1
    return np.array(y_true), scores, weights


def naive_counts(y_true, scores, weights, thresholds, ties):
    """tp, fp, fn and tn by a loop over thresholds and samples."""
    rows = []
    for threshold in thresholds:
        counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
        for k, score in enumerate(scores):
            positive = score >= threshold if ties == "positive" else score > threshold
            cell = ("t" if positive == y_true[k] else "f") + ("p" if positive else "n")
            counts[cell] += 1 if weights is None else weights[k]
        rows.append(list(counts.values()))
    return np.array(rows).T


# Counts.


def test_the_textbook_example():
    curve = ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2)
    assert curve.thresholds.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert np.array(curve.counts).tolist() == [
        [1, 1, 2, 2],
        [0, 1, 1, 2],
        [1, 1, 0, 0],
        [2, 1, 1, 0],
    ]
    fpr, tpr, thresholds = curve.roc()
    assert fpr.tolist() == [0, 0.5, 0.5, 1]
    assert tpr.tolist() == [0.5, 0.5, 1, 1]
    assert thresholds.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert curve.roc_auc() == 0.75


@both_ties
@given(data=samples())
def test_counts_at_every_score_equal_a_loop(ties, data):
    y_true, scores, weights = data
    curve = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=weights, ties=ties, pos_label=True
    )
    counting = slice(None) if weights is None else weights > 0
    expected = np.unique(scores[counting])[::-1]
    assert curve.thresholds.tolist() == expected.tolist()
    np.testing.assert_allclose(
        curve.counts, naive_counts(*data, expected, ties), rtol=1e-12, atol=1e-15
    )


@both_ties
@of_any_scale
@given(
    data=samples(),
    given_thresholds=st.lists(st.integers(-12, 12), min_size=1, max_size=8),
    inf=st.booleans(),
)
def test_counts_at_given_thresholds_equal_a_loop_in_their_order(ties, data, given_thresholds, inf):
    y_true, scores, weights = data
    thresholds = [t / 8 for t in given_thresholds] + [np.inf, -np.inf] * inf
    kept = scores if weights is None else scores[weights > 0]
    assume(are_on_scale(thresholds, kept))
    curve = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=weights, ties=ties, pos_label=True, thresholds=thresholds
    )
    assert curve.thresholds.tolist() == thresholds
    np.testing.assert_allclose(
        curve.counts, naive_counts(*data, thresholds, ties), rtol=1e-12, atol=1e-15
    )


@both_ties
@of_any_scale
@given(data=samples())
def test_the_matrix_at_a_threshold_equals_scikit_learn(ties, data):
    y_true, scores, weights = data
    curve = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=weights, ties=ties, pos_label=True
    )
    between = scores[0] - 0.01
    kept = scores if weights is None else scores[weights > 0]
    finite = [t for t in (scores[0], between, scores.max() + 1) if are_on_scale([t], kept)]
    for threshold in (*finite, np.inf, -np.inf):
        predicted = scores >= threshold if ties == "positive" else scores > threshold
        matrix = curve.at(threshold)
        expected = sk.confusion_matrix(
            y_true, predicted, labels=[False, True], sample_weight=weights
        )
        assert isinstance(matrix, ConfusionMatrix)
        np.testing.assert_allclose(matrix.counts, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        (None, np.int64),
        ([1, 2, 3, 4], np.int64),
        ([True] * 4, np.int64),
        ([1.0, 2, 3, 4], np.float64),
    ],
)
@pytest.mark.parametrize("thresholds", [None, [0.5], 2])
def test_counts_are_integers_unless_weights_are_floats(weights, dtype, thresholds):
    curve = ThresholdCurve.from_scores(
        *TEXTBOOK, pos_label=2, sample_weight=weights, thresholds=thresholds
    )
    assert {part.dtype for part in curve.counts} == {np.dtype(dtype)}
    assert curve.at(0.5).counts.dtype == dtype


@pytest.mark.parametrize("thresholds", [None, [0.7, 0.1, -np.inf]])
def test_subtracting_float_weights_leaves_no_rounding_errors(thresholds):
    y_true, scores = np.arange(30) % 3 == 0, np.arange(30) % 10 / 10
    curve = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=np.full(30, 0.1), thresholds=thresholds
    )
    assert curve.counts.fn[-1] == curve.counts.tn[-1] == 0
    above = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=np.full(30, 0.1), ties="negative"
    )
    assert above.counts.tp[0] == above.counts.fp[0] == 0


@cache
def tails(n):
    random = np.random.default_rng(n)
    return {
        "uniform": random.random(n),
        "normal-float32": random.normal(size=n).astype(np.float32),
        "normal-float16": random.normal(size=n).astype(np.float16),
        "heavy-tails": random.standard_cauchy(n),
        "crowded": np.where(random.random(n) < 0.6, random.random(n) * 1e-9, random.random(n)),
        "few-values": random.integers(0, 50, n) / 50,
        "one-value": np.full(n, 0.3),
        "subnormal-span": random.random(n) * 1e-310,
        "overflowing-span": random.choice([-1.7e308, 0.0, 1.0, 1.7e308], n),
        "signed-zeros": random.choice([-0.0, 0.0], n),
    }


@pytest.mark.parametrize("name", tails(1))
@pytest.mark.parametrize("n", [1, 2, 100, 1 << 15, 50_001])
def test_scores_are_put_in_decreasing_order(name, n):
    scores = tails(n)[name]
    order, in_order = decreasing(scores)
    assert np.array_equal(np.sort(order), np.arange(n))
    assert np.array_equal(scores[order], in_order)
    assert np.array_equal(in_order, np.sort(scores)[::-1])
    assert in_order.dtype == scores.dtype


def test_a_large_curve_equals_a_count_at_each_of_its_thresholds():
    random = np.random.default_rng(0)
    y_true = random.integers(0, 2, 40_000)
    scores = np.round(random.normal(y_true), 4)
    curve = ThresholdCurve.from_scores(y_true, scores)
    given_ones = ThresholdCurve.from_scores(y_true, scores, thresholds=curve.thresholds)
    assert len(curve.thresholds) == len(np.unique(scores)) > 10_000
    assert np.array_equal(curve.counts, given_ones.counts)


@given(data=samples(), order=st.randoms(use_true_random=False))
def test_the_order_of_samples_does_not_matter_and_whole_weights_are_repetitions(data, order):
    y_true, scores, _ = data
    weights = np.array([order.randint(0, 3) for _ in y_true])
    weights[0] = 1
    shuffled = np.repeat(np.arange(len(y_true)), weights)
    order.shuffle(shuffled)
    weighted = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights, pos_label=True)
    repeated = ThresholdCurve.from_scores(y_true[shuffled], scores[shuffled], pos_label=True)
    assert np.array_equal(weighted.thresholds, repeated.thresholds)
    assert np.array_equal(weighted.counts, repeated.counts)


# Thresholds.


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_quantiles", [1, 2, 5, np.int64(1000)])
def test_a_number_of_thresholds_are_decreasing_quantiles(n_quantiles, weighted):
    every = a_curve(weighted=weighted)
    curve = a_curve(weighted=weighted, thresholds=n_quantiles)
    assert (np.diff(curve.thresholds) < 0).all()
    assert curve.thresholds[0] == every.thresholds[0]
    assert len(curve.thresholds) <= n_quantiles
    assert np.isin(curve.thresholds, every.thresholds).all()
    if n_quantiles > 1:
        assert curve.thresholds[-1] == every.thresholds[-1]


def test_quantiles_part_the_samples_evenly():
    curve = ThresholdCurve.from_scores(np.arange(1001) % 2, np.arange(1001), thresholds=5)
    assert curve.thresholds.tolist() == [1000, 750, 500, 250, 0]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_quantiles", [10**9, 2**70])
def test_more_quantiles_than_samples_are_all_scores(n_quantiles, weighted):
    tracemalloc.start()
    curve = a_curve(weighted=weighted, thresholds=n_quantiles)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    every = a_curve(weighted=weighted)
    assert curve.thresholds.tolist() == every.thresholds.tolist()
    assert curve.counts.tp.tolist() == every.counts.tp.tolist()
    assert peak < 2**20


def test_samples_of_weight_zero_make_no_quantiles():
    for n_quantiles in (2, 3, 10**9):
        curve = ThresholdCurve.from_scores(
            [0, 1, 1, 0], [1, 2, 3, 4], sample_weight=[0, 1, 1, 0], thresholds=n_quantiles
        )
        assert curve.thresholds.tolist() == [3, 2]


@pytest.mark.parametrize(("dtype", "score"), [(np.float16, 0.9), (np.float32, 0.7)])
def test_thresholds_are_compared_in_the_precision_of_the_scores(dtype, score):
    scores = np.array([score, 0.2], dtype=dtype)
    assert np.float64(scores[0]) < score
    curve = ThresholdCurve.from_scores([1, 0], scores, thresholds=[score, 1e300, -1e300])
    assert curve.counts.tp.tolist() == [1, 0, 1]
    assert curve.at(score).counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("thresholds", "error", "message"),
    [
        ([], ValueError, "thresholds is empty: pass a list"),
        ([0.5, np.nan], ValueError, "thresholds holds NaN"),
        ([[0.5]], ValueError, r"must be 1-D, one number per threshold; it has shape \(1, 1\)"),
        (0.5, ValueError, r"must be 1-D.*shape \(\)"),
        ([[0.5], [0.1, 0.2]], ValueError, "rows have different lengths"),
        (["a"], TypeError, "thresholds must be numbers; got <U1"),
        ([None], TypeError, "thresholds must be numbers; got object"),
        (True, TypeError, "thresholds must be numbers; got bool"),
        ([True], TypeError, "thresholds must be numbers; got bool"),
        (0, ValueError, "thresholds=0 is a number of quantiles: pass at least 1"),
        (-3, ValueError, "thresholds=-3"),
    ],
)
def test_invalid_thresholds_are_refused(thresholds, error, message):
    with pytest.raises(error, match=message):
        ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2, thresholds=thresholds)


@pytest.mark.parametrize(
    ("threshold", "error", "message"),
    [
        (np.nan, ValueError, "threshold is NaN"),
        ([0.5], TypeError, "threshold must be one number"),
        ("a", TypeError, "threshold must be one number; got 'a'"),
        (True, TypeError, "threshold must be one number; got True"),
    ],
)
def test_a_threshold_that_is_not_a_number_is_refused(threshold, error, message):
    with pytest.raises(error, match=message):
        a_curve().at(threshold)


def test_other_ties_are_refused():
    with pytest.raises(ValueError, match="ties must be 'positive'"):
        ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2, ties="both")


# The positive class and its scores.


@pytest.mark.parametrize(
    ("y_true", "pos_label", "labels", "positive", "n_positive"),
    [
        (["no", "yes", "no"], "yes", ["no", "yes"], "yes", 1),
        (["no", "yes", "no"], "no", ["yes", "no"], "no", 2),
        ([-1, 1, 1], None, [-1, 1], 1, 2),
        ([True, False, True], None, [False, True], True, 2),
        ([1, 1, 1], None, [0, 1], 1, 3),
        ([0, 0, 0], None, [0, 1], 1, 0),
        ([0, 0, 0], 0, [1, 0], 0, 3),
        ([False] * 3, None, [False, True], True, 0),
        (["no"] * 3, "yes", ["no", "yes"], "yes", 0),
        (["yes"] * 3, "yes", ["not yes", "yes"], "yes", 3),
        ([0, 0, 0], 2, [0, 2], 2, 0),
        ([0, 1, 2], 1, ["not 1", "1"], "1", 1),
        (["a", "b", "c"], "c", ["not c", "c"], "c", 1),
    ],
)
def test_the_positive_class_and_the_labels_of_a_curve(
    y_true, pos_label, labels, positive, n_positive
):
    curve = ThresholdCurve.from_scores(y_true, [0.1, 0.2, 0.3], pos_label=pos_label)
    assert curve.labels.tolist() == curve.at(0.2).labels.tolist() == labels
    assert curve.pos_label == curve.at(0.2).pos_label == positive
    assert curve.counts.tp[-1] == n_positive
    assert curve.counts.fp[-1] == 3 - n_positive


@pytest.mark.parametrize(
    ("y_true", "pos_label", "message"),
    [
        (
            [0, 1, 2],
            None,
            r"y_true has 3 labels \[0, 1, 2\].*pos_label=.*ThresholdCurves.from_scores",
        ),
        ([2, 2, 2], None, r"\[2\].*positive class.*pos_label="),
        (["a", "a", "a"], None, r"\['a'\].*positive class.*pos_label="),
        (["no", "yes", "no"], None, r"\['no', 'yes'\].*positive class.*pos_label="),
        ([1, 2, 1], None, r"\[1, 2\].*positive class.*pos_label="),
        ([0, 1, 1], 2, r"pos_label=2.*not among.*\[0, 1\]"),
        ([0, 1, 1], "1", r"pos_label='1' is not among the labels"),
        (["a", "a", "a"], 1, r"pos_label=1.*not among.*\['a'\]"),
        (
            [[0, 1], [1, 0], [1, 1]],
            None,
            r"2-D 0/1 indicator of shape \(3, 2\).*use ThresholdCurves.from_scores",
        ),
        ([0, 1], None, "y_true has 2 samples but y_score has 3"),
    ],
)
def test_an_ambiguous_positive_class_is_refused(y_true, pos_label, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurve.from_scores(y_true, [0.1, 0.2, 0.3], pos_label=pos_label)


@pytest.mark.parametrize(
    ("labels", "pos_label", "column"),
    [
        ([0, 1], None, 1),
        ([1, 2], 1, 0),
        ([1, 2], 2, 1),
        (["no", "yes"], "yes", 1),
        (["no", "yes"], "no", 0),
    ],
)
def test_of_two_columns_that_of_the_positive_class_is_taken(labels, pos_label, column):
    y_true = [labels[0], labels[1], labels[0], labels[1]]
    scores = np.array([[0.7, 0.3], [0.4, 0.6], [0.9, 0.1], [0.2, 0.8]])
    expected = ThresholdCurve.from_scores(y_true, scores[:, column], pos_label=pos_label)
    assert np.array_equal(
        ThresholdCurve.from_scores(y_true, scores, pos_label=pos_label).counts, expected.counts
    )
    frame = pd.DataFrame(scores[:, ::-1], columns=labels[::-1])
    assert np.array_equal(
        ThresholdCurve.from_scores(y_true, frame, pos_label=pos_label).thresholds,
        expected.thresholds,
    )


def test_a_column_of_scores_is_as_good_as_a_row():
    y_true, scores = TEXTBOOK
    curve = ThresholdCurve.from_scores(
        np.array(y_true)[:, None], np.array(scores)[:, None], pos_label=2
    )
    assert np.array_equal(
        curve.counts, ThresholdCurve.from_scores(y_true, scores, pos_label=2).counts
    )


@pytest.mark.parametrize(
    ("y_true", "y_score", "pos_label", "message"),
    [
        (
            [0, 1],
            [[0.2, 0.3, 0.5]] * 2,
            None,
            r"3 columns and y_true the labels \[0, 1\].*pass only that column",
        ),
        (
            [0, 1, 2],
            [[0.5, 0.5]] * 3,
            1,
            r"y_score has 2 columns and y_true the labels \[0, 1, 2\]",
        ),
        (
            [0, 1],
            [np.ones((2, 2)), np.ones((2, 2))],
            None,
            "y_score is a list of 2 arrays.*ThresholdCurves.from_scores",
        ),
        ([0, 1], [0.1, np.nan], None, "y_score holds NaN"),
        ([0, 1], [0.1], None, "y_true has 2 samples but y_score has 1"),
    ],
)
def test_scores_of_several_classes_are_refused(y_true, y_score, pos_label, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurve.from_scores(y_true, y_score, pos_label=pos_label)


def test_weights_are_read_as_everywhere():
    with pytest.raises(ValueError, match="negative weights"):
        ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2, sample_weight=[1, 1, 1, -1])


# Metrics.


@cache
def curve_and_matrices(labels, ties):
    """A curve of few samples, and the matrix at each of its thresholds."""
    y_true, y_score, _ = a_sample(n_samples=15)
    curve = ThresholdCurve.from_scores(
        np.array(labels)[y_true], y_score, pos_label=labels[1], ties=ties
    )
    return curve, [curve.at(threshold) for threshold in curve.thresholds]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(("labels", "ties"), [([1, 0], "positive"), ([2, 5], "negative")])
@every_metric
def test_every_metric_is_that_of_the_matrix_at_each_threshold(row, ties, labels):
    curve, there = curve_and_matrices(tuple(labels), ties)
    parameters = parameters_of(row)
    values = curve.score(row.name, **parameters)
    assert values.shape == curve.thresholds.shape
    options = {"pos_label": labels[1]} if row.has_average else {}
    expected = [cm.score(row.name, **options, **parameters) for cm in there]
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(curve.score(function_of(row), **parameters), values)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@every_metric
def test_labels_that_are_strings_do_for_all_but_distances_and_plain_costs(row):
    y_true, y_score, _ = a_sample()
    curve = ThresholdCurve.from_scores(y_true, y_score)
    named = ThresholdCurve.from_scores(np.array(["no", "yes"])[y_true], y_score, pos_label="yes")
    if row.name in ("macro_averaged_mean_absolute_error", "expected_cost"):
        with pytest.raises(ValueError, match="are not numbers"):
            named.score(row.name, **parameters_of(row))
    else:
        assert np.array_equal(
            named.score(row.name, **parameters_of(row)),
            curve.score(row.name, **parameters_of(row)),
            equal_nan=True,
        )


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("f1", sk.f1_score),
        ("mcc", sk.matthews_corrcoef),
        ("accuracy", sk.accuracy_score),
        ("iou", sk.jaccard_score),
    ],
)
def test_metrics_equal_scikit_learn(name, function):
    y_true, scores, weights = a_sample(weighted=True)
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights)
    expected = [function(y_true, scores >= t, sample_weight=weights) for t in curve.thresholds]
    np.testing.assert_allclose(curve.score(name, zero_division=0), expected, rtol=1e-12, atol=1e-12)


def test_undefined_values_warn_once_and_can_be_chosen():
    curve = ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2, ties="negative")
    with pytest.warns(UndefinedMetricWarning, match="precision is undefined") as record:
        assert curve.score("precision")[0] == 0
    assert len(record) == 1
    assert record[0].filename == __file__
    assert np.isnan(curve.score("precision", zero_division=np.nan)[0])


@pytest.mark.parametrize(
    ("metric", "parameters", "error", "message"),
    [
        ("recal", {}, ValueError, "not a metric in this package. Did you mean 'recall'"),
        (
            "recall_macro",
            {},
            ValueError,
            "'recall_macro' specifies an average, but a curve is for one class: pass 'recall'",
        ),
        ("recall", {"average": "macro"}, TypeError, "recall has no parameter 'average'"),
        ("accuracy", {"labels": [0]}, TypeError, "accuracy has no parameter 'labels'"),
        ("recall", {"pos_label": 1}, TypeError, "recall has no parameter 'pos_label'"),
        ("fbeta", {}, TypeError, "fbeta needs the parameter 'beta'"),
        ("recall", {"zero_division": 2}, ValueError, "zero_division must be"),
        (sk.recall_score, {}, ValueError, "not a metric"),
    ],
)
def test_what_does_not_fit_a_curve_is_refused(metric, parameters, error, message):
    with pytest.raises(error, match=message):
        a_curve().score(metric, **parameters)


# The best threshold.


@pytest.mark.parametrize(
    ("metric", "constraint"),
    one_in(
        3,
        ["f1", "false_discovery_rate", "matthews_corrcoef", "zero_one_loss", "informedness"],
        [None, ("recall", 0.8), ("false_positive_rate", 0.3)],
    ),
)
@given(data=samples(both_classes=True))
@settings(max_examples=6)
def test_the_best_threshold_equals_a_loop(metric, constraint, data):
    y_true, scores, weights = data
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights)
    every = [curve.at(threshold) for threshold in (*curve.thresholds.tolist(), np.inf)]
    values = [cm.score(metric, zero_division=np.nan) for cm in every]
    if constraint is not None:
        bound = [cm.score(constraint[0], zero_division=np.nan) for cm in every]
    lower = metric in ("false_discovery_rate", "zero_one_loss")
    best = None
    for k, value in enumerate(values):
        if constraint is not None:
            # With float weights 0.8 may be 0.7999999999999999.
            room = (
                bound[k] - constraint[1] if constraint[0] == "recall" else constraint[1] - bound[k]
            )
            fits = room >= -1e-12
            if not fits:
                continue
        if np.isnan(value):
            continue
        # Of values that are equal, but for rounding, the highest threshold's.
        gain = np.inf if best is None else (values[best] - value) * (1 if lower else -1)
        if gain > 1e-12:
            best = k
    options = {} if constraint is None else {"subject_to": dict([constraint])}
    if best is None:
        with pytest.raises(ValueError, match=r"no threshold satisfies|at every threshold"):
            curve.best(metric, **options)
    else:
        value, threshold, counts = curve.best(metric, **options)
        assert value == pytest.approx(values[best], rel=1e-12)
        if best < len(curve.thresholds):
            expected = between(curve.thresholds.tolist(), curve.thresholds[best].item())
            assert threshold == pytest.approx(float(expected), rel=1e-6, abs=1e-6)
        else:
            assert threshold == np.inf
        assert counts == tuple(pytest.approx(part[1]) for part in every[best].class_counts)


def test_the_best_of_equals_is_the_highest_threshold_in_any_order():
    curve = ThresholdCurve.from_scores([0, 1], [0.2, 0.8], thresholds=[0.3, 0.7, 0.5])
    assert curve.best("f1") == (1, 0.7, (1, 0, 0, 1))
    assert curve.best("zero_one_loss").threshold == 0.7


LARGEST = np.finfo(np.float64).max


@pytest.mark.parametrize(
    ("scores", "ties", "metric", "threshold"),
    [
        # Half-way between the score and the one that is excluded: 4 | 2 1, and 4 2 | 1 above a
        # score.
        ([1, 2, 4], "positive", "precision", 3),
        ([1, 2, 4], "negative", "precision", 3),
        # All positive, or none: half of the last gap beyond the last score, but in [0, 1] for
        # proportions.
        ([1, 2, 4], "positive", "recall", 0.5),
        ([1, 2, 4], "negative", "specificity", 5),
        ([0.25, 0.5, 0.75], "positive", "recall", 0.125),
        ([0.1, 0.5, 0.75], "positive", "recall", 0),
        ([0, 0.5, 0.75], "positive", "recall", 0),
        ([0.1, 0.25, 0.75], "negative", "specificity", 1),
        ([0.1, 0.25, 1.25], "negative", "specificity", 1.75),
        ([-0.25, 0.5, 0.75], "positive", "recall", -0.625),
        # There is no gap, or no number in it: the score.
        ([3, 3, 3], "positive", "recall", 3),
        ([3, 3, 3], "negative", "specificity", 3),
        ([1, 1, np.nextafter(1, 2)], "positive", "precision", np.nextafter(1, 2)),
        ([1, 1, np.nextafter(1, 2)], "negative", "precision", 1),
        ([0, 0, 5e-324], "positive", "precision", 5e-324),
        # Sums that overflow.
        ([0, LARGEST / 2, LARGEST], "positive", "precision", LARGEST * 0.75),
        ([-LARGEST, LARGEST, LARGEST], "positive", "recall", -LARGEST),
        ([-LARGEST, -LARGEST, LARGEST], "positive", "precision", 0),
        ([-LARGEST, -LARGEST, LARGEST], "negative", "specificity", LARGEST),
    ],
)
def test_the_best_threshold_lies_between_scores(scores, ties, metric, threshold):
    curve = ThresholdCurve.from_scores([0, 0, 1], scores, ties=ties)
    # A recall of 1 only at the lowest score, where all are predicted positive.
    bounds = {"predicted_positive_rate": (1, 1)} if metric == "recall" else None
    best = curve.best(metric, subject_to=bounds)
    assert best.threshold == threshold
    assert tuple(curve.at(threshold).counts.ravel()) == (
        best.counts.tn,
        best.counts.fp,
        best.counts.fn,
        best.counts.tp,
    )


def test_a_threshold_is_chosen_in_the_precision_of_the_scores():
    low, high = np.float32([0.3, 0.7])
    best = ThresholdCurve.from_scores([0, 1], np.array([low, high])).best("f1")
    assert best.threshold == np.float32((float(low) + float(high)) / 2)
    neighbors = np.array([1, np.nextafter(np.float32(1), np.float32(2))], dtype=np.float32)
    assert ThresholdCurve.from_scores([0, 1], neighbors).best("f1").threshold == neighbors[1]


def test_quantiles_are_scores_too_and_given_thresholds_and_bins_are_kept():
    scores = np.array([0.125, 0.25, 0.5, 0.75])
    quantiles = ThresholdCurve.from_scores([0, 0, 1, 1], scores, thresholds=2)
    assert quantiles.thresholds.tolist() == [0.75, 0.125]
    for curve in (quantiles, quantiles + quantiles, pickle.loads(pickle.dumps(quantiles))):
        assert curve.best("precision").threshold == 0.625
    assert (
        ThresholdCurve.from_scores([0, 0, 1, 1], scores, thresholds=[0.75, 0.125])
        .best("precision")
        .threshold
        == 0.75
    )
    frame = pl.DataFrame({"y": [0, 0, 1, 1], "s": scores})
    assert ThresholdCurve.from_frame(frame, "y", "s", bins=4).best("f1").threshold == 0.5
    assert ThresholdCurve.from_frame(frame, "y", "s").best("f1").threshold == 0.375


def test_a_sample_of_weight_0_ends_no_gap():
    curve = ThresholdCurve.from_scores([0, 0, 1], [1, 3, 4], sample_weight=[1, 0, 1])
    assert curve.best("f1").threshold == 2.5


@both_ties
@of_any_scale
@given(data=samples(both_classes=True), seed=st.integers(0, 99))
def test_scores_that_move_in_their_last_digit_keep_their_labels(data, seed, ties):
    y_true, scores, weights = data
    scores = scores.astype(np.result_type(scores, np.float32))
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights, ties=ties)
    best = curve.best("informedness")
    moved = np.nextafter(
        scores,
        np.random.default_rng(seed).choice([-np.inf, np.inf], len(scores)).astype(scores.dtype),
    )
    kept = np.ones(len(scores), dtype=bool) if weights is None else weights > 0
    if len(np.unique(scores[kept])) > 1 and not (
        best.threshold in (0, 1) and best.threshold in scores
    ):
        again = [
            labels_from_scores(s, classes=[0, 1], threshold=best.threshold, ties=ties)
            for s in (scores, moved)
        ]
        assert (again[0] == again[1])[kept].all()


def test_infinite_values_may_be_the_best():
    assert (
        ThresholdCurve.from_scores([0, 1, 1], [0.2, 0.8, 0.1])
        .best("positive_likelihood_ratio")
        .value
        == np.inf
    )


def test_values_of_the_best_are_plain_numbers():
    value, threshold, counts = a_curve().best("f1")
    assert {type(value), type(threshold)} == {float}
    assert {type(part) for part in counts} == {int}


def test_parameters_are_those_of_the_objective():
    curve = a_curve()
    costs = [[0, 1], [20, 0]]
    best = curve.best("expected_cost", cost_matrix=costs, subject_to={"recall": 0.1})
    assert best.value == curve.score("expected_cost", cost_matrix=costs).min()


def test_constraints_bound_by_what_is_better_or_by_pairs():
    curve = a_curve()
    recall, fpr = curve.score("recall"), curve.score("fpr")
    share = curve.score("predicted_positive_rate")
    precision = curve.score("precision")
    wanted = {
        "recall": 0.3,
        skmetrics_ext.false_positive_rate: 0.5,
        "predicted_positive_rate": (0.3, 0.6),
    }
    fits = (recall >= 0.3) & (fpr <= 0.5) & (share >= 0.3) & (share <= 0.6)
    assert fits.any()
    assert curve.best("precision", subject_to=wanted).value == precision[fits].max()
    assert (
        curve.best("precision", subject_to={"recall": (0.3, 0.5)}).value
        == precision[(recall >= 0.3) & (recall <= 0.5)].max()
    )


def test_an_undefined_value_satisfies_no_bound():
    curve = ThresholdCurve.from_scores([0, 0, 1], [0.1, 0.2, 0.3], ties="negative")
    # At 0.3 nothing is predicted positive, so that the precision is undefined.
    assert curve.best("specificity").threshold == 0.35
    assert curve.best("specificity", subject_to={"precision": 0}).threshold == 0.25
    for unbounded in ((-np.inf, np.inf), (None, None)):
        assert (
            curve.best("specificity", subject_to={"false_discovery_rate": unbounded}).threshold
            == 0.25
        )


def test_constraints_that_nothing_satisfies_name_the_best_that_each_reaches():
    curve = ThresholdCurve.from_scores([0, 1, 0, 1], [0.9, 0.6, 0.4, 0.2])
    message = (
        r"no threshold satisfies recall >= 0\.9 and false_positive_rate <= 0\.2\. At best recall "
        r"reaches 1 on its own and 0 when the other bounds hold; false_positive_rate reaches 0 on "
        r"its own and 1 when the other bounds hold\. Relax a bound\."
    )
    with pytest.raises(ValueError, match=message):
        curve.best("f1", subject_to={"recall": 0.9, "false_positive_rate": 0.2})
    with pytest.raises(
        ValueError,
        match=r"no threshold satisfies precision >= 0\.8\. At best precision reaches 0\.5\.",
    ):
        curve.best("f1", subject_to={"precision": 0.8})
    with pytest.raises(ValueError, match=r"0\.6 <= recall <= 0\.9\. At best recall reaches 0\.5\."):
        curve.best("f1", subject_to={"recall": (0.6, 0.9)})


def test_each_constraint_is_named_with_what_it_reaches_where_the_others_hold():
    curve = ThresholdCurve.from_scores([0, 1, 0, 1], [0.9, 0.6, 0.4, 0.2])
    wanted = {"recall": 0.9, "predicted_positive_rate": (0, 0.5), "precision": 0.1}
    message = (
        r"recall reaches 1 on its own and 0\.5 when the other bounds hold; "
        "predicted_positive_rate reaches its bounds on its"
    )
    with pytest.raises(ValueError, match=message):
        curve.best("f1", subject_to=wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"recall is undefined \(0/0\) at every threshold: there is no best threshold"),
        ({"subject_to": {"specificity": 0}}, r"at every threshold with specificity >= 0"),
        ({"subject_to": {"f1": 0, "recall": 0}}, r"recall reaches no value \(0/0\)"),
    ],
)
def test_an_objective_that_is_undefined_has_no_best(options, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurve.from_scores([0, 0], [0.1, 0.2]).best("recall", **options)


@pytest.mark.parametrize(
    ("metric", "subject_to", "error", "message"),
    [
        (
            "prevalence",
            None,
            ValueError,
            "neither higher nor lower values of prevalence are better, so there is no best value",
        ),
        ("f1_macro", None, ValueError, "'f1_macro' specifies an average"),
        ("f1", [("recall", 0.9)], TypeError, "subject_to must be a dict of bounds.*got list"),
        ("f1", {"recal": 0.9}, ValueError, "Did you mean 'recall'"),
        ("f1", {"recall_macro": 0.9}, ValueError, "'recall_macro' specifies an average"),
        (
            "f1",
            {"predicted_positive_rate": 0.1},
            ValueError,
            r"the bound 0\.1 could be a minimum or a maximum.*\(low, high\)",
        ),
        (
            "f1",
            {"recall": (0.9, 0.1)},
            ValueError,
            r"the bounds on recall are \(0\.9, 0\.1\): pass the lower one",
        ),
        ("f1", {"recall": "high"}, ValueError, "must be a number or a pair.*got 'high'"),
        ("f1", {"recall": (0.1, np.nan)}, ValueError, "must be a number or a pair"),
        ("f1", {"recall": (0.1, 0.2, 0.3)}, ValueError, "must be a number or a pair"),
        ("f1", {"recall": [[0.1], [0.2, 0.3]]}, ValueError, "must be a number or a pair"),
        (
            "f1",
            {"fbeta": 0.5},
            ValueError,
            r"fbeta needs parameters \['beta'\], which a bound can't give",
        ),
        ("fbeta", None, TypeError, "fbeta needs the parameter 'beta'"),
    ],
)
def test_what_cannot_be_an_objective_or_constraint_is_refused(metric, subject_to, error, message):
    with pytest.raises(error, match=message):
        a_curve().best(metric, subject_to=subject_to)


# Costs.


@both_ties
@pytest.mark.parametrize("chosen", [False, True])
@given(data=samples(), seed=st.integers(0, 100))
@settings(max_examples=5)
def test_the_costs_of_each_sample_equal_a_loop(chosen, ties, data, seed):
    y_true, scores, weights = data
    costs = np.random.default_rng(seed).normal(size=(len(scores), 2, 2))
    thresholds = [0.25, -0.5, np.inf] if chosen else None
    kept = scores if weights is None else scores[weights > 0]
    assume(not chosen or are_on_scale(thresholds, kept))
    curve = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=weights, ties=ties, pos_label=True, thresholds=thresholds
    )
    weight = np.ones(len(scores)) if weights is None else weights
    expected = []
    for threshold in curve.thresholds:
        predicted = (scores >= threshold if ties == "positive" else scores > threshold).astype(int)
        each = [costs[k, int(y_true[k]), predicted[k]] for k in range(len(scores))]
        expected.append(np.average(each, weights=weight))
    np.testing.assert_allclose(
        curve.score("expected_cost", cost_matrix=costs), expected, rtol=1e-10, atol=1e-12
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_one_cost_for_all_equals_the_same_cost_for_each_and_the_mean_over_samples(weighted):
    y_true, scores, weights = a_sample(weighted=weighted)
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights)
    costs = [[0.5, 2], [7, -1]]
    for_all = curve.score("expected_cost", cost_matrix=costs)
    np.testing.assert_allclose(
        curve.score("expected_cost", cost_matrix=[costs] * 60), for_all, rtol=1e-12
    )
    cost_of = np.array(costs)
    expected = [
        np.average(cost_of[y_true, (scores >= t).astype(int)], weights=weights)
        for t in curve.thresholds
    ]
    np.testing.assert_allclose(for_all, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("costs", "error", "message"),
    [
        (np.zeros((3, 3)), ValueError, r"has shape \(3, 3\), but there are 2 classes"),
        (np.zeros((59, 2, 2)), ValueError, r"has shape \(59, 2, 2\).*there are 60"),
        ([[0, np.nan], [1, 0]], ValueError, r"cost_matrix.*infinity"),
        ([[0, 1], [1]], TypeError, "cost_matrix must hold numbers, in rows of equal length"),
    ],
)
def test_costs_that_do_not_fit_are_refused(costs, error, message):
    with pytest.raises(error, match=message):
        a_curve().score("expected_cost", cost_matrix=costs)


# Curves and areas.


@given(data=samples(both_classes=True))
def test_roc_curves_equal_scikit_learn(data):
    y_true, scores, weights = data
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights)
    expected = sk.roc_curve(y_true, scores, sample_weight=weights, drop_intermediate=False)
    for ours, theirs in zip(curve.roc(include_origin=True), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)
    for ours, theirs in zip(curve.roc(), expected, strict=True):
        np.testing.assert_allclose(ours, theirs[1:], rtol=1e-12, atol=1e-15)


@given(data=samples(both_classes=True))
def test_precision_recall_curves_equal_scikit_learn_in_the_order_of_thresholds(data):
    y_true, scores, weights = data
    precision, recall, thresholds = ThresholdCurve.from_scores(
        y_true, scores, sample_weight=weights
    ).precision_recall()
    expected = sk.precision_recall_curve(y_true, scores, sample_weight=weights)
    np.testing.assert_allclose(precision, expected[0][-2::-1], rtol=1e-12)
    np.testing.assert_allclose(recall, expected[1][-2::-1], rtol=1e-12, atol=1e-15)
    assert thresholds.tolist() == expected[2][::-1].tolist()


@both_ties
@given(max_fpr=st.sampled_from([None, 1, 0.999, 0.5, 0.3, 0.01]), data=samples(both_classes=True))
@settings(max_examples=10)
def test_areas_equal_scikit_learn_for_both_ties(ties, max_fpr, data):
    y_true, scores, weights = data
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights, ties=ties)
    area = sk.roc_auc_score(y_true, scores, sample_weight=weights, max_fpr=max_fpr)
    assert curve.roc_auc(max_fpr=max_fpr) == pytest.approx(area, abs=1e-12)
    precision = sk.average_precision_score(y_true, scores, sample_weight=weights)
    assert curve.average_precision() == pytest.approx(precision, abs=1e-12)


def test_an_area_is_the_proportion_of_pairs_in_the_right_order():
    y_true, scores, weights = a_sample(weighted=True)
    curve = ThresholdCurve.from_scores(y_true, scores, sample_weight=weights)
    right = weight = 0
    for i in np.flatnonzero(y_true == 1):
        for j in np.flatnonzero(y_true == 0):
            right += (
                weights[i] * weights[j] * ((scores[i] > scores[j]) + (scores[i] == scores[j]) / 2)
            )
            weight += weights[i] * weights[j]
    assert curve.roc_auc() == pytest.approx(right / weight, abs=1e-12)


def test_areas_of_large_whole_weights_do_not_overflow():
    weights = np.array([3, 1, 2, 5]) * 10**14
    area = sk.roc_auc_score(*TEXTBOOK, sample_weight=[3.0, 1, 2, 5])
    assert ThresholdCurve.from_scores(
        *TEXTBOOK, pos_label=2, sample_weight=weights
    ).roc_auc() == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("thresholds", [[0.3, 0.5], 3, 100])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
def test_a_curve_of_given_thresholds_has_no_area(name, thresholds):
    curve = ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2, thresholds=thresholds)
    message = (
        f"{name} is an area over all scores, but this curve has only {len(curve.thresholds)} "
        "selected thresholds"
    )
    with pytest.raises(ValueError, match=message):
        getattr(curve, name)()


def test_a_curve_of_given_thresholds_has_rates():
    fpr, tpr, thresholds = ThresholdCurve.from_scores(
        *TEXTBOOK, pos_label=2, thresholds=[0.3, 0.5]
    ).roc(include_origin=True)
    assert (fpr.tolist(), tpr.tolist(), thresholds.tolist()) == (
        [0, 0.5, 0],
        [0, 1, 0.5],
        [np.inf, 0.3, 0.5],
    )


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, np.nan])
def test_a_false_positive_rate_outside_of_its_range_is_refused(max_fpr):
    with pytest.raises(ValueError, match=r"max_fpr must be above 0 and at most 1; got "):
        a_curve().roc_auc(max_fpr=max_fpr)


@pytest.mark.parametrize(("y_true", "lacking"), [([0, 0], "positives"), ([1, 1], "negatives")])
def test_rates_of_zero_samples_are_nan_with_one_warning(y_true, lacking):
    curve = ThresholdCurve.from_scores(y_true, [0.1, 0.2])
    with pytest.warns(
        UndefinedMetricWarning, match=f"there are no {lacking}: their rate is undefined"
    ) as record:
        fpr, tpr, _ = curve.roc(include_origin=True)
    assert len(record) == 1
    assert record[0].filename == __file__
    assert np.isnan(tpr if lacking == "positives" else fpr).all()
    assert not np.isnan(fpr if lacking == "positives" else tpr).any()
    with pytest.warns(
        UndefinedMetricWarning, match="roc_auc is undefined, because it needs positives"
    ) as record:
        assert np.isnan(curve.roc_auc())
    assert len(record) == 1
    assert record[0].filename == __file__


def test_average_precision_needs_positives_only():
    with pytest.warns(UndefinedMetricWarning, match="because there"):
        assert np.isnan(ThresholdCurve.from_scores([0, 0], [0.1, 0.2]).average_precision())
    assert ThresholdCurve.from_scores([1, 1], [0.1, 0.2]).average_precision() == 1


def test_recall_of_zero_samples_is_zero_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match="recall is undefined"):
        precision, recall, _ = ThresholdCurve.from_scores([0, 0], [0.1, 0.2]).precision_recall()
    assert precision.tolist() == recall.tolist() == [0, 0]


# What one holds.


@pytest.mark.parametrize(
    ("curve", "text"),
    [
        (
            ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2),
            "ThresholdCurve of 4 samples, 2 positive (2), 4 thresholds from 0.8 to 0.1",
        ),
        (
            ThresholdCurve.from_scores(
                ["no", "yes"], [1.2e-5, 1], pos_label="yes", sample_weight=[0.5, 2]
            ),
            "ThresholdCurve of 2.5 samples, 2 positive ('yes'), 2 thresholds from 1 to 1.2e-05",
        ),
        (
            ThresholdCurve.from_scores([0, 1, 2], [0.1, 0.2, 0.3], pos_label=1, thresholds=[0.5]),
            "ThresholdCurve of 3 samples, 1 positive ('1'), 1 threshold from 0.5 to 0.5",
        ),
    ],
)
def test_a_curve_shows_what_it_is_of(curve, text):
    assert repr(curve) == text


@pytest.mark.parametrize("thresholds", [None, [0.5, 0.9]])
def test_arrays_of_a_curve_are_read_only_also_after_pickling(thresholds):
    original = a_curve(weighted=True, thresholds=thresholds)
    for curve in (original, pickle.loads(pickle.dumps(original))):
        for array in (curve.thresholds, *curve.counts, curve.labels):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        assert np.array_equal(curve.counts, original.counts)
        assert curve.at(1.33) == original.at(1.33)
        assert repr(curve) == repr(original)
    with pytest.raises(AttributeError, match="cannot assign"):
        original.ties = "negative"


@pytest.mark.parametrize("thresholds", [None, [0.15, 0.3]], ids=["all", "given"])
def test_a_curve_stays_what_it_was_when_the_arrays_change_that_it_was_made_of(thresholds):
    y_true, scores, weights = (
        np.array([0, 1, 1]),
        np.array([0.1, 0.2, 0.3]),
        np.array([1.0, 2.0, 4.0]),
    )
    given = None if thresholds is None else np.array(thresholds)
    curve = ThresholdCurve.from_scores(
        y_true, scores, pos_label=1, sample_weight=weights, thresholds=given
    )
    costs = np.array([[[0, 1], [3, 0]]] * 3)

    def everything():
        at = (
            curve.at(0.15).counts.tolist(),
            curve.score("expected_cost", cost_matrix=costs).tolist(),
            curve.thresholds.tolist(),
        )
        return *at, [part.tolist() for part in curve.counts]

    before = everything()
    for array in (y_true, scores, weights, *([] if given is None else [given])):
        array[:] = array[::-1].copy()
    assert everything() == before


@pytest.mark.parametrize(
    ("backend", "kind"),
    [
        (None, pd.DataFrame),
        ("pandas", pd.DataFrame),
        ("polars", pl.DataFrame),
        ("pyarrow", pa.Table),
    ],
)
def test_a_frame_has_one_row_per_threshold(backend, kind):
    curve = ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2)
    frame = curve.to_frame(backend)
    assert isinstance(frame, kind)
    columns = (
        frame.to_pydict()
        if kind is pa.Table
        else {name: list(frame[name]) for name in frame.columns}
    )
    assert list(columns) == ["threshold", "tp", "fp", "fn", "tn"]
    assert columns["threshold"] == [0.8, 0.4, 0.35, 0.1]
    assert columns["fp"] == [0, 1, 1, 2]


def test_a_frame_can_be_changed_without_the_curve():
    curve = ThresholdCurve.from_scores(*TEXTBOOK, pos_label=2)
    frame = curve.to_frame("pandas")
    frame.loc[0, "tp"] = 7
    assert frame["tp"].tolist() == [7, 1, 2, 2]
    assert curve.counts.tp.tolist() == [1, 1, 2, 2]


def test_a_bound_holds_where_float_weights_round():
    plain = ThresholdCurve.from_scores([1, 1, 1, 0, 1, 1], [6, 5, 4, 3, 2, 1.0])
    weighted = ThresholdCurve.from_scores(
        [1, 1, 1, 0, 1, 1], [6, 5, 4, 3, 2, 1.0], sample_weight=[0.7] * 6
    )
    for curve in (plain, weighted):
        best = curve.best("precision", subject_to={"recall": 0.6})
        assert (best.threshold, best.value) == (3.5, 1)


def test_options_of_score_are_not_parameters_of_best():
    with pytest.raises(TypeError, match="f1 has no parameter 'zero_division'"):
        ThresholdCurve.from_scores([0, 1], [0.1, 0.2]).best("f1", zero_division=0)


@pytest.mark.parametrize("value", ["a", [0.1, [2]], np.array([0.1, 0.2]), True, np.bool_(True)])
def test_what_is_not_a_number_is_refused(value):
    curve = ThresholdCurve.from_scores([0, 1], [0.1, 0.2])
    with pytest.raises(TypeError, match="threshold must be one number"):
        curve.at(value)
    with pytest.raises(TypeError, match="max_fpr must be one number"):
        curve.roc_auc(value)


def test_a_positive_label_that_is_not_a_label_is_refused_with_a_single_one():
    with pytest.raises(ValueError, match="pos_label"):
        ThresholdCurve.from_scores([5, 5], [0.1, 0.2], pos_label=np.nan)
    with pytest.raises(ValueError, match="pos_label"):
        ThresholdCurve.from_scores([5, 5], [0.1, 0.2], pos_label=0.5)


@pytest.mark.parametrize("weight", [0.1, 0.3, 0.7, 1 / 3])
def test_areas_never_pass_one(weight):
    for n in range(2, 40):
        curve = ThresholdCurve.from_scores(
            np.arange(n) >= n // 2, np.arange(n) / n, sample_weight=np.full(n, weight)
        )
        assert curve.roc_auc() == pytest.approx(1, abs=1e-12)
        assert max(curve.roc_auc(), curve.roc_auc(0.3), curve.average_precision()) <= 1


def test_a_bound_passed_as_a_parameter_is_named():
    with pytest.raises(
        TypeError, match=r"'recall' is a metric: bound it with subject_to=\{'recall': \.\.\.\}"
    ):
        ThresholdCurve.from_scores([0, 1], [0.1, 0.2]).best("precision", recall=0.95)


def test_metrics_of_scores_are_distinguished_from_those_of_counts():
    with pytest.raises(ValueError, match=r"ThresholdCurve.from_scores.*roc_auc'\)"):
        ThresholdCurve.from_scores([0, 1], [0.1, 0.2]).score("roc_auc")


# Of an estimator.


class Scored:
    """A fitted model of two classes whose scores are given."""

    def __init__(self, classes, **responses):
        self.classes_ = np.array(classes)
        for name, response in responses.items():
            setattr(self, name, lambda _, response=response: response)


SHARES = np.array([0.9, 0.6, 0.45, 0.2, 0.35])
DIAGNOSES = np.array(["ill", "well", "ill", "well", "ill"])


@pytest.mark.parametrize(("classes", "column"), [(["ill", "well"], 0), (["well", "ill"], 1)])
def test_the_column_of_the_class_is_found_whichever_sorts_first(classes, column):
    proba = np.column_stack([SHARES, 1 - SHARES] if column == 0 else [1 - SHARES, SHARES])
    expected = ThresholdCurve.from_scores(DIAGNOSES, SHARES, pos_label="ill")
    curve = ThresholdCurve.from_estimator(
        Scored(classes, predict_proba=proba), None, DIAGNOSES, pos_label="ill"
    )
    np.testing.assert_array_equal(curve.thresholds, expected.thresholds)
    np.testing.assert_array_equal(curve.counts, expected.counts)
    assert (curve.pos_label, curve.labels.tolist()) == ("ill", ["well", "ill"])
    decisions = (SHARES - 0.5) * (1 if column else -1)
    by_sign = ThresholdCurve.from_estimator(
        Scored(classes, predict_proba=1 - proba, decision_function=decisions),
        None,
        DIAGNOSES,
        pos_label="ill",
        response_method="decision_function",
    )
    np.testing.assert_array_equal(by_sign.counts, expected.counts)
    np.testing.assert_array_equal(by_sign.thresholds, np.sort(SHARES - 0.5)[::-1])


def test_one_class_of_many_of_an_estimator():
    proba = np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    model = Scored(["a", "b", "c"], predict_proba=proba)
    curve = ThresholdCurve.from_estimator(
        model, None, ["b", "a", "b"], pos_label="b", thresholds=[0.25]
    )
    assert [part.tolist() for part in curve.counts] == [[1], [1], [1], [0]]
    with pytest.raises(ValueError, match="pos_label="):
        ThresholdCurve.from_estimator(model, None, ["b", "a", "b"])


def test_weights_and_ties_of_an_estimator():
    model, weights = (
        Scored([0, 1], predict_proba=np.column_stack([1 - SHARES, SHARES])),
        [1, 2, 3, 4, 5],
    )
    y = (DIAGNOSES == "ill").astype(int)
    curve = ThresholdCurve.from_estimator(model, None, y, sample_weight=weights, ties="negative")
    expected = ThresholdCurve.from_scores(y, SHARES, sample_weight=weights, ties="negative")
    np.testing.assert_array_equal(curve.counts, expected.counts)


@pytest.mark.parametrize(
    ("y", "options", "error", "message"),
    [
        (DIAGNOSES, {}, ValueError, "pass one of them as pos_label="),
        (DIAGNOSES, {"pos_label": "dead"}, ValueError, "pos_label='dead'"),
        (
            DIAGNOSES,
            {"pos_label": "ill", "response_method": "score"},
            ValueError,
            "response_method must be",
        ),
        (
            DIAGNOSES,
            {"pos_label": "ill", "response_method": "decision_function"},
            TypeError,
            "none of the methods",
        ),
        (DIAGNOSES, {"pos_label": "ill", "ties": "both"}, ValueError, "ties"),
        (np.eye(5, dtype=int), {}, ValueError, r"y.*indicator"),
        (DIAGNOSES[:4], {"pos_label": "ill"}, ValueError, "4 samples"),
    ],
)
def test_mistakes_with_an_estimator(y, options, error, message):
    model = Scored(["ill", "well"], predict_proba=np.column_stack([SHARES, 1 - SHARES]))
    with pytest.raises(error, match=message):
        ThresholdCurve.from_estimator(model, None, y, **options)


def test_net_benefit_at_a_probability_of_one_is_what_is_found_unless_there_is_a_false_positive():
    # tp / n - fp / n * t / (1 - t): without false positives their weight, which is infinite at 1,
    # does not count.
    found = ThresholdCurve.from_scores([0, 1, 1], [0.2, 1.0, 0.5], sample_weight=[1, 2, 5])
    np.testing.assert_allclose(
        found.net_benefit([1.0, 0.5, 0.2]), [2 / 8, 7 / 8, (7 - 1 / 4) / 8], rtol=1e-12
    )
    nobody = ThresholdCurve.from_scores([0, 1, 1], [0.2, 1.0, 0.5], ties="negative")
    assert nobody.net_benefit([1.0]).tolist() == [0]
    for y_true in ([1, 0, 1], [1, 0, 0]):
        assert ThresholdCurve.from_scores(y_true, [1.0, 1.0, 0.5]).net_benefit([1.0]).tolist() == [
            -np.inf
        ]


@pytest.mark.parametrize(
    ("y_true", "pos_label"),
    [([0, 1, 1, 0], None), ([-1, 1, 1, -1], None), ([1, 2, 2, 1], 2), ([False, True] * 2, None)],
    ids=str,
)
def test_scores_that_are_the_labels_warn(y_true, pos_label):
    low, high = min(y_true), max(y_true)
    labels = np.array([low, high, low, low])
    doors = (
        lambda scores: ThresholdCurve.from_scores(y_true, scores, pos_label=pos_label),
        lambda scores: ThresholdCurves.from_scores(
            y_true, scores, pos_label=pos_label, by=[0, 0, 1, 1]
        ),
        lambda scores: ThresholdCurve.from_scores(
            y_true, np.column_stack([high - scores, scores]), pos_label=pos_label
        ),
    )
    for door in doors:
        with pytest.warns(UserWarning, match="y_score holds only the labels .*predict_proba"):
            door(labels * 1.0)
        # Any other number is a score, and one value is that of a constant model.
        door(np.array([low, high, low, 0.5]))
        door(np.full(4, high * 1.0))


@for_each("of_frame", [False, True])
def test_classes_name_the_columns_and_which_of_two_is_positive(of_frame):
    """As wherever scores are passed."""
    random = np.random.default_rng(2)
    y_true = np.array(["well", "ill"])[(random.random(60) < 0.4).astype(int)]
    score = (y_true == "ill") + random.normal(size=60)
    expected = ThresholdCurve.from_scores(y_true, score, pos_label="ill")
    columns = np.stack([-score, score], 1)
    scores = pd.DataFrame(columns[:, ::-1], columns=["ill", "well"]) if of_frame else columns
    for passed in (score, scores):
        curve = ThresholdCurve.from_scores(y_true, passed, classes=["well", "ill"])
        assert (curve.labels.tolist(), curve.pos_label) == (["well", "ill"], "ill")
        assert curve.roc_auc() == expected.roc_auc()
        assert curve.at(-0.25).score("recall") == expected.at(-0.25).score("recall")
    well = ThresholdCurve.from_scores(y_true, scores, classes=["well", "ill"], pos_label="well")
    assert well.roc_auc() == pytest.approx(expected.roc_auc())
    three = ThresholdCurve.from_scores(
        [2, 0, 1, 2], np.eye(3)[[0, 2, 1, 1]], classes=[2, 1, 0], pos_label=2
    )
    assert three.at(0.5).counts.tolist() == [[2, 0], [1, 1]]
    with pytest.raises(ValueError, match="y_score has 2 columns, classes 3"):
        ThresholdCurve.from_scores(y_true, columns, classes=["well", "ill", "dead"])
    with pytest.raises(ValueError, match="ill"):
        ThresholdCurve.from_scores(y_true, score, classes=["well", "dead"])
