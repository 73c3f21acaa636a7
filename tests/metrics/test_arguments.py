"""What the metric functions refuse, and what they warn of."""

import inspect
import re
from fractions import Fraction

import imblearn.metrics
import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext as ext
from tests.doubles import Answering

Y_TRUE, Y_PRED = [0, 1, 2, 1], [0, 2, 2, 1]
IN_BOTH = [
    name
    for name in ext.__all__
    if hasattr(sklearn.metrics, name)
    and {"y_pred", "y2"} & {*inspect.signature(getattr(ext, name)).parameters}
]


@pytest.mark.parametrize("name", IN_BOTH)
def test_sequences_of_labels_and_complex_weights_raise_as_in_scikit_learn(name):
    """Its own common tests ask for these classes."""
    lists = [[[1, 2, 3], [1], []], [(), (1, 2), ()], [[], (0, 1), ()], [(1, 2), (2,), (1, 2, 2)]]
    weights = np.array([1 + 2j, 2, 1])
    options = {"beta": 2} if name == "fbeta_score" else {}
    for library in (ext, sklearn.metrics):
        function = getattr(library, name)
        for y in lists:
            with pytest.raises(
                ValueError, match=r"ragged|legacy|inhomogeneous|one label per sample"
            ):
                function(y, y, **options)
    # Older versions of scikit-learn take complex weights.
    with pytest.raises(ValueError, match="Complex data not supported: sample_weight must hold"):
        getattr(ext, name)([0, 1, 1], [0, 1, 1], sample_weight=weights, **options)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (ext.fbeta_score, {"beta": -1, "average": "macro"}, "beta must be a number >= 0"),
        (
            ext.tversky_score,
            {"alpha": -1, "average": "macro"},
            "alpha must be a finite number >= 0",
        ),
        (
            ext.tversky_score,
            {"beta": np.inf, "average": "macro"},
            "beta must be a finite number >= 0",
        ),
        (
            ext.index_balanced_accuracy,
            {"alpha": -0.1, "average": "macro"},
            "alpha must be a finite number >= 0",
        ),
        (
            ext.net_benefit,
            {"threshold_probability": 1, "average": "macro"},
            "must be a number between 0 and 1",
        ),
        (ext.geometric_mean_score, {"correction": -1}, "correction must be a finite number >= 0"),
        (ext.geometric_mean_score, {"average": "mean"}, "average"),
        (
            ext.cohen_kappa_score,
            {"weights": "cubic"},
            "weights must be None, 'linear', 'quadratic' or",
        ),
        (
            ext.cohen_kappa_score,
            {"replace_undefined_by": 2},
            r"replace_undefined_by must be nan or in \[-1, 1\]",
        ),
        (ext.cohen_kappa_score, {"labels": [7]}, r"no sample in y1 has any of labels=\[7\]"),
        (
            ext.confusion_matrix,
            {"normalize": "rows"},
            "normalize must be None, 'true', 'pred' or 'all'",
        ),
        (ext.confusion_matrix, {"labels": [7]}, r"no sample in y_true has any of labels=\[7\]"),
        (
            ext.expected_cost,
            {"cost_matrix": [[0, 1], [1, 0]]},
            r"shape \(2, 2\), but there are 3 classes",
        ),
        (ext.expected_cost, {"cost_matrix": np.full((3, 3), np.nan)}, r"cost_matrix.*infinity"),
        (ext.gwet_ac1, {"labels": [0, 1]}, "must include all labels in the data"),
        (
            ext.recall_score,
            {"average": "samples"},
            "average='samples' needs the labels of each sample",
        ),
        (ext.recall_score, {}, "recall is of the positive class of two, but there are 3"),
        (ext.scott_pi, {"zero_division": "no"}, "zero_division must be"),
    ],
)
def test_what_does_not_fit_is_refused(function, options, message):
    with pytest.raises(ValueError, match=message):
        function(Y_TRUE, Y_PRED, **options)


NO_NUMBERS = ["a", None, [0.5], np.array([0.5, 0.5]), np.array(0.5), Fraction(1, 2), 1j, 10**400]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize(
    ("function", "name", "options"),
    [
        (ext.fbeta_score, "beta", {"average": "macro"}),
        (ext.tversky_score, "alpha", {"average": "macro"}),
        (ext.tversky_score, "beta", {"average": "macro"}),
        (ext.index_balanced_accuracy, "alpha", {"average": "macro"}),
        (ext.net_benefit, "threshold_probability", {"average": "macro"}),
        (ext.geometric_mean_score, "correction", {}),
        (ext.cohen_kappa_score, "replace_undefined_by", {}),
        (ext.classification_report_imbalanced, "alpha", {}),
    ],
)
def test_what_is_no_number_is_refused_by_its_name(function, name, options, value):
    with pytest.raises(ValueError, match=f"^{name} must be .*; got {re.escape(repr(value))}"):
        function(Y_TRUE, Y_PRED, **options, **{name: value})


def test_numbers_of_any_type_are_numbers():
    for beta in (np.float32(2), np.int8(2), np.longdouble(2), 2):
        assert ext.fbeta_score(Y_TRUE, Y_PRED, beta=beta, average="macro") == ext.fbeta_score(
            Y_TRUE, Y_PRED, beta=2.0, average="macro"
        )


@pytest.mark.parametrize("value", ["a", "False", 0, 1.0, [True]], ids=repr)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (ext.accuracy_score, "normalize"),
        (ext.zero_one_loss, "normalize"),
        (ext.balanced_accuracy_score, "adjusted"),
        (ext.classification_report, "output_dict"),
        (ext.classification_report_imbalanced, "output_dict"),
        (lambda *_, **options: ext.make_scorer(ext.recall_score, **options), "greater_is_better"),
        (lambda *_, **options: ext.make_scorer(len, **options), "greater_is_better"),
        (lambda *_, **options: ext.get_scorer("recall", **options), "greater_is_better"),
        (lambda *_, **options: ext.ConfusionScorer("recall", **options), "greater_is_better"),
        (lambda *_, **options: ext.ConfusionScorer(["recall"], **options), "per_class"),
        (lambda *_, **options: ext.ConfusionScorer(["recall"], **options), "counts"),
    ],
)
def test_what_is_neither_true_nor_false_is_refused_by_its_name(function, name, value):
    with pytest.raises(
        ValueError, match=f"^{name} must be True or False; got {re.escape(repr(value))}"
    ):
        function(Y_TRUE, Y_PRED, **{name: value})


def test_flags_of_numpy_are_flags():
    assert ext.accuracy_score(Y_TRUE, Y_PRED, normalize=np.bool_(False)) == 3


@pytest.mark.parametrize(
    "function", [ext.precision_recall_fscore_support, ext.sensitivity_specificity_support]
)
def test_warn_for_names_what_it_returns(function):
    for value in (5, "precision", None):
        with pytest.raises(
            TypeError, match=f"warn_for must be a list of names from .*; got {value!r}"
        ):
            function(Y_TRUE, Y_PRED, warn_for=value)
    with pytest.raises(
        ValueError, match=r"warn_for must be a list of names from .*; it contains 'f1'"
    ):
        function(Y_TRUE, Y_PRED, warn_for=["f1"])


def test_warn_for_may_be_read_only_once():
    with pytest.warns(UndefinedMetricWarning) as caught:
        ext.precision_recall_fscore_support(
            [0, 0], [1, 1], warn_for=(name for name in ("precision", "recall"))
        )
    assert [str(warning.message).split()[0] for warning in caught] == ["precision", "recall"]


def test_samples_that_are_undefined_are_counted():
    y_true = np.array([[1, 0], [0, 0], [0, 0], [0, 1]])
    with pytest.warns(
        UndefinedMetricWarning, match=r"^recall is undefined \(0/0\) in 2 of 4 samples, because"
    ):
        ext.recall_score(y_true, np.ones((4, 2)), average="samples")


def test_nobody_hears_of_samples_of_weight_0():
    y_true = np.array([[1, 0], [0, 0], [0, 0], [0, 1]])
    with pytest.warns(UndefinedMetricWarning, match=r"in 1 of 3 samples"):
        ext.recall_score(y_true, np.ones((4, 2)), average="samples", sample_weight=[1, 1, 0, 1])
    kept = [0, 3]
    value = ext.recall_score(y_true, np.ones((4, 2)), average="samples", sample_weight=[1, 0, 0, 2])
    assert value == ext.recall_score(
        y_true[kept], np.ones((2, 2)), average="samples", sample_weight=[1, 2]
    )


def test_ordered_metrics_need_an_order():
    with pytest.raises(ValueError, match=r"pass labels=\[...\] from the lowest to the highest"):
        ext.gerrity_score(["low", "high"], ["low", "low"])
    sorted_by_name = ext.gerrity_score([0, 1, 2, 2], [0, 1, 1, 2])
    words = np.array(["low", "mid", "top"])
    by_labels = ext.gerrity_score(
        words[[0, 1, 2, 2]], words[[0, 1, 1, 2]], labels=["low", "mid", "top"]
    )
    assert by_labels == sorted_by_name
    with pytest.raises(ValueError, match="are not numbers"):
        ext.macro_averaged_mean_absolute_error(["1", "2"], ["1", "1"])


def test_labels_that_the_data_lack_count_where_their_number_matters():
    assert ext.bennett_s([0, 1], [0, 0], labels=[0, 1, 2]) == pytest.approx(
        (1 / 2 - 1 / 3) / (1 - 1 / 3)
    )
    assert (
        ext.expected_cost(
            [0, 0], [0, 1], labels=[0, 1, 2], cost_matrix=[[0, 4, 0], [0, 0, 0], [9, 9, 9]]
        )
        == 2
    )


def test_multilabel_data_are_refused_where_they_have_no_meaning():
    y = [[0, 1], [1, 1]]
    for function in (
        ext.matthews_corrcoef,
        ext.confusion_matrix,
        ext.balanced_accuracy_score,
        ext.scott_pi,
    ):
        with pytest.raises(ValueError, match="metric does"):
            function(y, y)
    with pytest.raises(ValueError, match="two, but each sample may have several labels"):
        ext.recall_score(y, y)
    with pytest.raises(ValueError, match="needs one label per sample"):
        ext.ConfusionScorer("mcc")(Answering(y), None, y)


def test_pos_label_without_a_binary_average_warns():
    with pytest.warns(UserWarning, match=r"pos_label=2 is ignored.*labels=\[2\]") as caught:
        ext.recall_score(Y_TRUE, Y_PRED, pos_label=2, average="macro")
    assert caught[0].filename == __file__


def test_a_class_that_is_only_predicted_is_left_out_of_balanced_accuracy():
    with pytest.warns(UserWarning, match="y_pred contains classes that are not in y_true"):
        assert ext.balanced_accuracy_score([0, 0, 1, 1], [0, 2, 1, 1]) == 0.75


def test_adjusted_balanced_accuracy_of_one_true_class_is_undefined():
    with pytest.warns() as caught:
        assert np.isnan(ext.balanced_accuracy_score([0, 0], [0, 1], adjusted=True))
    assert [type(warning.message).__name__ for warning in caught] == [
        "UserWarning",
        "UndefinedMetricWarning",
    ]


def test_fbeta_of_a_large_beta_is_recall():
    assert ext.fbeta_score([1, 1, 0, 1], [1, 0, 1, 0], beta=1e160) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="beta must be a number"):
        ext.fbeta_score([1, 0], [1, 0], beta="2")


def test_krippendorffs_correction_needs_a_sample():
    cm = ext.ConfusionMatrix.from_counts([[0.01, 0.01], [0.01, 0.01]], labels=[0, 1])
    with pytest.warns(Warning, match="krippendorff_alpha is undefined"):
        assert cm.score("krippendorff_alpha") == 0


def test_a_constant_weight_may_be_one_number():
    assert ext.precision_score([0, 1, 1], [1, 1, 1], sample_weight=2) == pytest.approx(2 / 3)


def test_labels_that_y_true_lacks_have_a_weighted_specificity():
    with pytest.warns(UndefinedMetricWarning, match="actual samples"):
        value = ext.specificity_score([0, 0, 2], [0, 1, 2], labels=[1], average="weighted")
    assert value == 2 / 3
    assert (
        imblearn.metrics.specificity_score([0, 0, 2], [0, 1, 2], labels=[1], average="weighted")
        == 0
    )


def test_a_label_that_is_only_predicted_has_no_mean_error():
    assert ext.macro_averaged_mean_absolute_error([0, 0, 1], [2, 0, 1]) == 0.5
    with pytest.raises(ValueError, match="0 sample"):
        imblearn.metrics.macro_averaged_mean_absolute_error([0, 0, 1], [2, 0, 1])
