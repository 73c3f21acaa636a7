"""ThresholdCurves: one curve per class or label, the pooled one, and averages of their areas."""

import itertools
import pickle
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ThresholdCurve, ThresholdCurves

NAMES = np.array(["ash", "beech", "cedar", "date"])


def classes_and_scores(n_samples=80, n_classes=3, seed=0, digits=1):
    """Labels 0, 1, ... and informative probabilities with many ties."""
    random = np.random.default_rng(seed)
    y_true = np.append(np.arange(n_classes), random.integers(0, n_classes, n_samples - n_classes))
    scores = random.random((n_samples, n_classes)).round(digits) + 0.1
    scores[np.arange(n_samples), y_true] += random.random(n_samples).round(digits)
    return y_true, scores / scores.sum(axis=1, keepdims=True)


def labels_and_scores(n_samples=80, n_labels=3, seed=0):
    """Multilabel indicators, each label both ways, and scores."""
    random = np.random.default_rng(seed)
    y_true = random.integers(0, 2, (n_samples, n_labels))
    y_true[:2] = [[0] * n_labels, [1] * n_labels]
    return y_true, random.normal(y_true).round(1)


def weights_of(kind, n_samples=80):
    random = np.random.default_rng(7)
    return {
        "none": None,
        "whole": random.integers(0, 4, n_samples),
        "fractions": random.random(n_samples),
    }[kind]


weighting = pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
averaging = pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])


# The mapping.


def test_curves_are_a_mapping_from_labels_in_their_order():
    y_true, scores = classes_and_scores()
    curves = ThresholdCurves.from_scores(NAMES[y_true], scores)
    assert isinstance(curves, Mapping)
    assert list(curves) == ["ash", "beech", "cedar"]
    assert len(curves) == 3
    assert "beech" in curves
    assert "date" not in curves
    assert [label for label, _ in curves.items()] == list(curves)
    with pytest.raises(
        KeyError, match=r"no curve for 'date'; available curves: \['ash', 'beech', 'cedar'\]"
    ):
        curves["date"]


@weighting
def test_each_curve_is_that_of_the_class_against_the_rest(weights):
    y_true, scores = classes_and_scores()
    weights = weights_of(weights)
    for label, curve in ThresholdCurves.from_scores(y_true, scores, sample_weight=weights).items():
        alone = ThresholdCurve.from_scores(
            y_true, scores[:, label], pos_label=label, sample_weight=weights
        )
        assert np.array_equal(curve.thresholds, alone.thresholds)
        assert np.array_equal(curve.counts, alone.counts)
        assert curve.labels.tolist() == [f"not {label}", f"{label}"]
        assert curve.at(0.3) == alone.at(0.3)


@weighting
def test_the_pooled_curve_counts_each_sample_for_each_class(weights):
    y_true, scores = classes_and_scores()
    weights = weights_of(weights)
    pooled = ThresholdCurves.from_scores(y_true, scores, sample_weight=weights).micro
    repeated = None if weights is None else np.repeat(weights, 3)
    alone = ThresholdCurve.from_scores(
        np.eye(3)[y_true].ravel(), scores.ravel(), sample_weight=repeated
    )
    assert np.array_equal(pooled.thresholds, alone.thresholds)
    np.testing.assert_allclose(pooled.counts, alone.counts, rtol=1e-12, atol=1e-12)


def test_curves_are_frozen_and_survive_pickling():
    curves = ThresholdCurves.from_scores(*classes_and_scores())
    with pytest.raises(AttributeError, match="cannot assign"):
        curves.multilabel = True
    with pytest.raises(ValueError, match="read-only"):
        curves.labels[0] = 7
    again = pickle.loads(pickle.dumps(curves))
    assert isinstance(again, ThresholdCurves)
    assert again.roc_auc() == curves.roc_auc()
    assert repr(again) == repr(curves)


def test_curves_show_what_they_are_of():
    y_true, scores = classes_and_scores()
    text = "ThresholdCurves of 80 samples, 3 classes ['ash', 'beech', 'cedar']"
    assert repr(ThresholdCurves.from_scores(NAMES[y_true], scores)) == text
    assert (
        repr(ThresholdCurves.from_scores(*labels_and_scores()))
        == "ThresholdCurves of 80 samples, 3 labels [0, 1, 2]"
    )


# Areas of classes.


@weighting
@averaging
def test_areas_of_classes_equal_scikit_learn(average, weights):
    y_true, scores = classes_and_scores()
    weights = weights_of(weights)
    curves = ThresholdCurves.from_scores(y_true, scores, sample_weight=weights)
    expected = sk.roc_auc_score(
        y_true, scores, multi_class="ovr", average=average, sample_weight=weights
    )
    np.testing.assert_allclose(curves.roc_auc(average), expected, rtol=0, atol=1e-12)
    expected = sk.average_precision_score(y_true, scores, average=average, sample_weight=weights)
    np.testing.assert_allclose(curves.average_precision(average), expected, rtol=0, atol=1e-12)


@averaging
def test_areas_of_more_classes_than_samples_per_class_equal_scikit_learn(average):
    y_true, scores = classes_and_scores(n_samples=150, n_classes=60, digits=2)
    curves = ThresholdCurves.from_scores(y_true, scores)
    expected = sk.roc_auc_score(y_true, scores, multi_class="ovr", average=average)
    np.testing.assert_allclose(curves.roc_auc(average), expected, rtol=0, atol=1e-12)


@averaging
def test_areas_of_samples_of_weight_0_are_those_without_them(average):
    y_true, scores = classes_and_scores()
    weights = np.append([1.0, 1, 1], np.arange(77) % 3 / 2)
    counted = weights > 0
    found = ThresholdCurves.from_scores(y_true, scores, sample_weight=weights)
    expected = ThresholdCurves.from_scores(
        y_true[counted], scores[counted], sample_weight=weights[counted]
    )
    for name in ("roc_auc", "average_precision"):
        np.testing.assert_array_equal(
            getattr(found, name)(average), getattr(expected, name)(average)
        )


@pytest.mark.parametrize("scale", [2.0**-320, 2.0**320])
@averaging
def test_areas_of_huge_and_of_tiny_weights_are_those_of_their_ratios(average, scale):
    y_true, scores = classes_and_scores()
    weights = weights_of("whole") + 0.5
    found, expected = (
        ThresholdCurves.from_scores(y_true, scores, sample_weight=weights * by) for by in (scale, 1)
    )
    np.testing.assert_array_equal(found.roc_auc(average), expected.roc_auc(average))


@given(n_classes=st.integers(3, 6), n_samples=st.integers(6, 60), seed=st.integers(0, 1000))
def test_one_vs_one_equals_scikit_learn(n_classes, n_samples, seed):
    y_true, scores = classes_and_scores(n_samples, n_classes, seed)
    expected = sk.roc_auc_score(y_true, scores, multi_class="ovo")
    assert ThresholdCurves.from_scores(y_true, scores).roc_auc("ovo") == pytest.approx(
        expected, abs=1e-12
    )


def test_one_vs_one_of_many_samples_equals_scikit_learn():
    y_true, scores = classes_and_scores(50_000, 4, digits=4)
    expected = sk.roc_auc_score(y_true, scores, multi_class="ovo")
    assert ThresholdCurves.from_scores(y_true, scores).roc_auc("ovo") == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize("kind", ["whole", "fractions"])
def test_weighted_one_vs_one_is_the_mean_over_ordered_pairs_of_classes(kind):
    y_true, scores = classes_and_scores()
    weights = weights_of(kind)
    areas = []
    for j, k in itertools.permutations(range(3), 2):
        of_two = np.isin(y_true, [j, k])
        areas.append(
            sk.roc_auc_score(y_true[of_two] == j, scores[of_two, j], sample_weight=weights[of_two])
        )
    ours = ThresholdCurves.from_scores(y_true, scores, sample_weight=weights).roc_auc("ovo")
    assert ours == pytest.approx(np.mean(areas), abs=1e-12)


def test_whole_weights_are_repetitions_one_vs_one_too():
    y_true, scores = classes_and_scores()
    weights = weights_of("whole")
    repeated = np.repeat(np.arange(80), weights)
    weighted = ThresholdCurves.from_scores(y_true, scores, sample_weight=weights)
    unweighted = ThresholdCurves.from_scores(y_true[repeated], scores[repeated])
    assert weighted.roc_auc("ovo") == pytest.approx(unweighted.roc_auc("ovo"), abs=1e-12)


def test_scores_need_not_be_probabilities():
    y_true, scores = classes_and_scores()
    ranks = np.unique(scores, return_inverse=True)[1].reshape(scores.shape) - 10
    before, after = (
        ThresholdCurves.from_scores(y_true, scores),
        ThresholdCurves.from_scores(y_true, ranks),
    )
    for average in ("macro", "ovo"):
        assert before.roc_auc(average) == pytest.approx(after.roc_auc(average), abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_one_vs_one_areas_leave_out_a_last_class_without_samples(weighted):
    y_true, scores = classes_and_scores()
    kept = y_true != 2
    y_true, scores = y_true[kept], scores[kept]
    weights = np.random.default_rng(0).integers(1, 4, len(y_true)) if weighted else None
    curves = ThresholdCurves.from_scores(y_true, scores, classes=[0, 1, 2], sample_weight=weights)
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for \[2\]"):
        area = curves.roc_auc("ovo")
    pairs = [sk.roc_auc_score(y_true == k, scores[:, k], sample_weight=weights) for k in (0, 1)]
    assert area == pytest.approx(np.mean(pairs), abs=1e-12)


@pytest.mark.parametrize("average", ["macro", "weighted", "ovo"])
def test_a_class_without_samples_is_left_out_of_averages_with_one_warning(average):
    y_true, scores = classes_and_scores(n_classes=4)
    kept = y_true != 2
    curves = ThresholdCurves.from_scores(NAMES[y_true[kept]], scores[kept], classes=NAMES)
    with pytest.warns(
        UndefinedMetricWarning, match=r"roc_auc is undefined for \['cedar'\], which lack"
    ) as record:
        area = curves.roc_auc(average)
    assert len(record) == 1
    assert record[0].filename == __file__
    if average == "ovo":
        pairs = []
        for j, k in itertools.permutations([0, 1, 3], 2):
            of_two = np.isin(y_true, [j, k])
            pairs.append(sk.roc_auc_score(y_true[of_two] == j, scores[of_two, j]))
        assert area == pytest.approx(np.mean(pairs), abs=1e-12)
    else:
        areas = [sk.roc_auc_score(y_true[kept] == k, scores[kept, k]) for k in (0, 1, 3)]
        support = np.bincount(y_true[kept])[[0, 1, 3]] if average == "weighted" else None
        assert area == pytest.approx(np.average(areas, weights=support), abs=1e-12)


def test_a_class_without_samples_has_no_area():
    y_true, scores = classes_and_scores(n_classes=4)
    kept = y_true != 2
    curves = ThresholdCurves.from_scores(y_true[kept], scores[kept], classes=range(4))
    for values in (curves.roc_auc, curves.average_precision):
        with pytest.warns(UndefinedMetricWarning, match=r"is undefined for \[2\]"):
            assert np.isnan(values(average=None)).tolist() == [False, False, True, False]


def test_a_single_class_has_no_areas_at_all():
    curves = ThresholdCurves.from_scores([1, 1], [[0.1, 0.9], [0.2, 0.8]], classes=[0, 1])
    for average in ("macro", "weighted", "ovo"):
        with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for "):
            assert np.isnan(curves.roc_auc(average))
    with pytest.warns(UndefinedMetricWarning, match=r"average_precision is undefined for \[0\]"):
        assert curves.average_precision() == 1


# Multilabel data and one-hot classes.


@cache
def areas_of_labels(average, weights):
    """The areas of every form of the labels, by scikit-learn."""
    y_true, scores = labels_and_scores()
    options = {"average": average, "sample_weight": weights_of(weights)}
    return (
        sk.roc_auc_score(y_true, scores, **options),
        sk.average_precision_score(y_true, scores, **options),
    )


@weighting
@averaging
@pytest.mark.parametrize("form", ["dense", "sparse", "pairs"])
def test_areas_of_labels_equal_scikit_learn(form, average, weights):
    y_true, scores = labels_and_scores()
    area, precision = areas_of_labels(average, weights)
    true = sparse.csr_array(y_true) if form == "sparse" else y_true
    given_scores = (
        [np.stack([-column, column], axis=1) for column in scores.T] if form == "pairs" else scores
    )
    curves = ThresholdCurves.from_scores(true, given_scores, sample_weight=weights_of(weights))
    assert curves.multilabel
    assert list(curves) == [0, 1, 2]
    np.testing.assert_allclose(curves.roc_auc(average), area, rtol=0, atol=1e-12)
    np.testing.assert_allclose(curves.average_precision(average), precision, rtol=0, atol=1e-12)


def test_a_label_of_all_samples_or_of_none_has_no_area():
    y_true = np.array([[1, 0, 1], [1, 0, 0], [1, 0, 1]])
    curves = ThresholdCurves.from_scores(
        y_true, [[0.1, 0.5, 0.9], [0.4, 0.2, 0.3], [0.3, 0.3, 0.8]]
    )
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for \[0, 1\]"):
        assert curves.roc_auc() == 1
    with pytest.warns(UndefinedMetricWarning, match=r"average_precision is undefined for \[1\]"):
        np.testing.assert_array_equal(curves.average_precision(None), [1, np.nan, 1])


def test_a_pooled_curve_of_no_positives_has_no_area():
    curves = ThresholdCurves.from_scores([[0, 0], [0, 0]], [[0.1, 0.5], [0.7, 0.2]])
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for \[0, 1\]"):
        assert np.isnan(curves.roc_auc("micro"))


def test_one_hot_rows_whose_scores_sum_to_one_are_classes():
    y_true, scores = classes_and_scores()
    one_hot = ThresholdCurves.from_scores(np.eye(3, dtype=int)[y_true], scores)
    assert not one_hot.multilabel
    assert one_hot.roc_auc("ovo") == ThresholdCurves.from_scores(y_true, scores).roc_auc("ovo")
    assert ThresholdCurves.from_scores(np.eye(3, dtype=int)[y_true], scores + 1).multilabel


def test_nested_lists_are_read_as_arrays():
    """A list of rows is no list of arrays, one for each label."""
    true, scores = np.eye(3, dtype=int)[[0, 1, 2, 2]], np.eye(3)[[0, 1, 1, 2]] * 0.7 + 0.1
    of_lists = ThresholdCurves.from_scores(true.tolist(), scores.tolist())
    assert of_lists.axis.name == "class"
    assert of_lists.roc_auc("ovo") == ThresholdCurves.from_scores(true, scores).roc_auc("ovo")


def test_labels_of_columns_can_be_named():
    y_true, scores = labels_and_scores()
    assert list(ThresholdCurves.from_scores(y_true, scores, classes=["x", "y", "z"])) == [
        "x",
        "y",
        "z",
    ]


def test_one_vs_one_of_labels_is_refused():
    with pytest.raises(ValueError, match="average='ovo' is for classes, not labels"):
        ThresholdCurves.from_scores(*labels_and_scores()).roc_auc("ovo")


# The columns of scores.


def test_columns_are_in_the_order_of_classes_or_have_their_names():
    y_true, scores = classes_and_scores()
    turned = [2, 0, 1]
    expected = ThresholdCurves.from_scores(NAMES[y_true], scores)
    by_order = ThresholdCurves.from_scores(NAMES[y_true], scores[:, turned], classes=NAMES[turned])
    by_name = ThresholdCurves.from_scores(
        NAMES[y_true], pd.DataFrame(scores[:, turned], columns=NAMES[turned])
    )
    assert list(by_order) == ["cedar", "ash", "beech"]
    assert list(by_name) == ["ash", "beech", "cedar"]
    for label, curve in expected.items():
        assert np.array_equal(by_order[label].counts, curve.counts)
        assert np.array_equal(by_name[label].counts, curve.counts)


def test_two_classes_have_a_curve_each():
    curves = ThresholdCurves.from_scores(["no", "yes", "no"], [[0.7, 0.3], [0.4, 0.6], [0.2, 0.8]])
    assert list(curves) == ["no", "yes"]
    assert curves["yes"].roc_auc() == curves["no"].roc_auc() == curves.roc_auc("ovo") == 0.5


@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "message"),
    [
        (
            [0, 1],
            [0.1, 0.2],
            {},
            "y_score has the scores of one class: use ThresholdCurve.from_scores",
        ),
        (
            [0, 1],
            [[0.1, 0.2, 0.7]] * 2,
            {},
            r"scores for 3 classes, but y_true has 2 labels \[0, 1\]",
        ),
        (
            [0, 1],
            [[0.1, 0.9]] * 2,
            {"classes": [0, 1, 2]},
            r"y_score has 2 columns, classes 3: \[0, 1, 2\]",
        ),
        (
            [0, 5],
            [[0.1, 0.9]] * 2,
            {"classes": [0, 1]},
            r"y_true has labels \[5\] that are not among classes=\[0, 1\]",
        ),
        ([0, 1], [[0.1, 0.9]] * 2, {"classes": ["a", "b"]}, "Mix of"),
        ([0, 1], [[0.1, 0.9]] * 3, {}, "y_true has 2 samples but y_score has 3"),
        (
            [0, 1],
            [np.ones((2, 2))] * 2,
            {},
            "y_true is 1-D, one label per sample; multilabel scores need a 2-D",
        ),
        (
            [[0, 1], [1, 1]],
            [[0.1, 0.2, 0.3]] * 2,
            {},
            "y_true has 2 label columns, y_score has 3 and there are 2",
        ),
        (
            [[0, 1], [1, 1]],
            [[0.1, 0.2]] * 2,
            {"classes": [1]},
            "y_score has 2 and there are 1 classes",
        ),
        ([[0, 1], [1, 1]], [[0.1, np.inf]] * 2, {}, r"y_score.*infinity"),
        ([0, 1], [[0.1, 0.9]] * 2, {"sample_weight": [1, -1]}, "negative weights"),
    ],
)
def test_scores_that_do_not_fit_the_classes_are_refused(y_true, y_score, options, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurves.from_scores(y_true, y_score, **options)


def test_a_misspelt_average_is_refused():
    curves = ThresholdCurves.from_scores(*classes_and_scores())
    message = (
        r"average must be None or one of \['macro', 'weighted', 'micro', 'worst', 'ovo'\]; got "
        r"'ovr'"
    )
    with pytest.raises(ValueError, match=message):
        curves.roc_auc("ovr")
    with pytest.raises(
        ValueError, match=r"one of \['macro', 'weighted', 'micro', 'worst'\]; got 'ovo'"
    ):
        curves.average_precision("ovo")


@pytest.mark.parametrize("order", ["C", "F"])
def test_curves_do_not_change_with_the_array_that_they_were_made_of(order):
    scores = np.array(
        [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]], order=order
    )
    curves = ThresholdCurves.from_scores([0, 1, 2, 2], scores)
    expected = ThresholdCurves.from_scores([0, 1, 2, 2], scores.copy()).roc_auc()
    scores[:] = 0.5
    assert curves.roc_auc() == expected


def test_curves_are_equal_only_to_themselves_and_hashable():
    curves = ThresholdCurves.from_scores([0, 1, 1], [[0.7, 0.3], [0.4, 0.6], [0.1, 0.9]])
    assert curves == curves
    assert {curves: 1}[curves] == 1
    assert curves[1] is curves[1]


def test_the_worst_area_is_that_of_the_class_that_is_distinguished_least():
    curves = ThresholdCurves.from_scores(*classes_and_scores())
    for area in (curves.roc_auc, curves.average_precision):
        assert area("worst") == min(area(None))
    lacking = ThresholdCurves.from_scores(
        [0, 1, 1], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.3, 0.5]], classes=[0, 1, 2]
    )
    with pytest.warns(UndefinedMetricWarning, match=r"undefined for \[2\]"):
        assert lacking.roc_auc("worst") == lacking[0].roc_auc()
