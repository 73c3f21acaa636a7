"""Formula and counts -> values: the undefined-value policy, its one warning, and the averages."""

import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext as ext
from skmetrics_ext.catalogue.averages import check_average
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import check_zero_division, defined
from skmetrics_ext.counting.counted import Counted, CountedMatrix
from skmetrics_ext.reading.messages import PACKAGE_FOLDER as PACKAGE
from skmetrics_ext.results import ClassCounts
from tests.doubles import Answering
from tests.shared import quietly

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

NAN = float("nan")
CONSTANT = Answering(predict_proba=np.array([[0.9, 0.1]] * 2), classes=[0, 1])
VALUES = ["warn", 0, 1, NAN]
PAIRS = pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ext.precision_score, sk.precision_score),
        (ext.recall_score, sk.recall_score),
        (ext.f1_score, sk.f1_score),
        (ext.jaccard_score, sk.jaccard_score),
    ],
    ids=["precision", "recall", "f1", "jaccard"],
)


class OneVsRest(Counted):
    """The counts of classes that need not be those of one matrix."""

    def __init__(self, classes, labels, positive=None):
        super().__init__(labels, positive=positive)
        self._classes = classes

    @property
    def classes(self):
        return self._classes


def counts_of(*classes, labels=None, positive=None):
    """The counts of one (tp, fp, fn, tn) a class."""
    labels = np.arange(len(classes)) if labels is None else np.array(labels)
    return OneVsRest(ClassCounts(*np.array(classes).T), labels, positive)


def warnings_of(function, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **kwargs)
    return caught


@st.composite
def samples_with_undefined_classes(draw):
    """Few samples of five possible classes, with labels= that may not occur at all."""
    n = draw(st.integers(1, 8))
    column = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    labels = st.lists(st.integers(0, 4), min_size=1, max_size=5, unique=True)
    weight = st.lists(st.sampled_from([0, 0.5, 1, 3]), min_size=n, max_size=n).filter(any)
    return draw(column), draw(column), draw(st.none() | labels), draw(st.none() | weight)


@PAIRS
@settings(max_examples=15)
@given(
    samples=samples_with_undefined_classes(),
    average=st.sampled_from([None, "macro", "micro", "weighted"]),
    chosen=st.sampled_from(VALUES),
)
def test_averages_with_undefined_classes_equal_scikit_learn(ours, theirs, samples, average, chosen):
    assume(not (theirs is sk.jaccard_score and chosen is NAN))
    y_true, y_pred, labels, weight = samples
    options = {
        "labels": labels,
        "average": average,
        "sample_weight": weight,
        "zero_division": chosen,
    }
    expected = quietly(theirs, y_true, y_pred, **options)
    np.testing.assert_allclose(quietly(ours, y_true, y_pred, **options), expected, atol=1e-12)


@PAIRS
@settings(max_examples=5)
@given(data=st.data(), chosen=st.sampled_from(VALUES))
def test_binary_with_an_undefined_positive_class_equals_scikit_learn(ours, theirs, data, chosen):
    assume(not (theirs is sk.jaccard_score and chosen is NAN))
    n = data.draw(st.integers(1, 4))
    y_true, y_pred = (
        data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) for _ in range(2)
    )
    expected = quietly(theirs, y_true, y_pred, zero_division=chosen)
    assert quietly(ours, y_true, y_pred, zero_division=chosen) == pytest.approx(
        expected, nan_ok=True
    )


@PAIRS
@settings(max_examples=5)
@given(data=st.data(), chosen=st.sampled_from(VALUES))
def test_samples_average_with_undefined_samples_equals_scikit_learn(ours, theirs, data, chosen):
    assume(not (theirs is sk.jaccard_score and chosen is NAN))
    shape = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 3))
    cells = st.lists(st.integers(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    true, pred = (np.reshape(data.draw(cells), shape) for _ in range(2))
    weights = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=shape[0], max_size=shape[0])
    options = {
        "average": "samples",
        "sample_weight": data.draw(st.none() | weights),
        "zero_division": chosen,
    }
    expected = quietly(theirs, true, pred, **options)
    assert quietly(ours, true, pred, **options) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "metric",
    [ext.precision_score, ext.recall_score, ext.f1_score, ext.jaccard_score],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("chosen", [0, 1, NAN], ids=["0", "1", "nan"])
def test_samples_of_weight_zero_do_not_count_in_the_samples_average(metric, chosen):
    true, pred = [[0, 0], [0, 1]], [[0, 0], [1, 1]]
    value = metric(true, pred, average="samples", sample_weight=[1, 0], zero_division=chosen)
    assert value == pytest.approx(chosen, nan_ok=True)


@pytest.mark.parametrize("average", [None, "macro", "weighted"])
def test_jaccard_takes_nan_which_scikit_learn_does_not(average):
    values = ext.jaccard_score(
        [0, 0, 1], [0, 1, 1], labels=[0, 1, 2], average=average, zero_division=NAN
    )
    np.testing.assert_array_equal(values, [0.5, 0.5, NAN] if average is None else 0.5)


def test_macro_leaves_out_nan_and_micro_sums_first():
    counts = counts_of((1, 1, 0, 8), (0, 0, 2, 8), (3, 0, 1, 6))
    for average, expected in (
        ("macro", (1 / 2 + 1) / 2),
        ("micro", 4 / 5),
        ("weighted", (1 / 2 * 1 + 1 * 4) / 5),
    ):
        assert score(counts, choose("precision", average=average, zero_division=NAN)) == expected


@pytest.mark.parametrize(
    ("zero_division", "expected"), [(0, 1 / 2), (1, 1), (NAN, 1)], ids=["0", "1", "nan"]
)
def test_weights_that_are_all_zero_give_the_plain_mean(zero_division, expected):
    no_support = counts_of((0, 0, 0, 5), (0, 2, 0, 3))
    options = {"average": "weighted", "zero_division": zero_division}
    assert score(no_support, choose("specificity", **options)) == (1 + 3 / 5) / 2
    npv_of_one_and_none = counts_of((0, 0, 0, 5), (0, 5, 0, 0))
    assert score(npv_of_one_and_none, choose("npv", **options)) == expected


@pytest.mark.parametrize("metric", ["specificity", "precision", "f1", "one_vs_rest_accuracy"])
def test_weights_that_are_all_zero_warn_once(metric):
    no_support = counts_of((0, 1, 0, 5), (0, 2, 0, 4))
    with pytest.warns(UndefinedMetricWarning, match="no actual samples of the labels") as caught:
        value = score(no_support, choose(metric, average="weighted"))
    assert len(caught) == 1
    assert value == score(no_support, choose(metric, average="macro"))
    with pytest.warns(UndefinedMetricWarning, match="no actual positives") as caught:
        score(no_support, choose("recall", average="weighted"))
    assert len(caught) == 1


def test_one_table_of_several_without_support_warns():
    empty_and_full = CountedMatrix(np.array([[[5, 1], [0, 0]], [[5, 1], [0, 2]]]), np.arange(2))
    choice = choose("specificity", average="weighted", labels=[1])
    with pytest.warns(UndefinedMetricWarning, match=r"no actual samples of the labels \[1\]"):
        assert score(empty_and_full, choice).tolist() == [5 / 6, 5 / 6]


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", "worst"])
def test_the_average_of_undefined_values_alone_is_nan(average):
    counts = counts_of((0, 0, 3, 5), (0, 0, 2, 6))
    assert np.isnan(score(counts, choose("precision", average=average, zero_division=NAN)))


@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted", "worst"])
@pytest.mark.parametrize("zero_division", VALUES, ids=["warn", "0", "1", "nan"])
def test_leading_axes_equal_a_loop_where_some_classes_are_undefined(average, zero_division):
    matrices = np.random.default_rng(5).integers(0, 2, (4, 6, 3, 3))
    matrices[0, :3, :, 1] = matrices[1, 2:, 0] = 0
    for metric in ("precision", "recall", "jaccard", "g_mean", "false_negative_rate"):
        choice = choose(metric, average=average, zero_division=zero_division)
        values = quietly(score, CountedMatrix(matrices, np.arange(3)), choice)
        for at in np.ndindex(4, 6):
            one = quietly(score, CountedMatrix(matrices[at], np.arange(3)), choice)
            np.testing.assert_array_equal(values[at], one)


@pytest.mark.parametrize(
    ("zero_division", "expected"),
    [("warn", 0.25), (0, 0), (1, 1), (NAN, NAN)],
    ids=["warn", "0", "1", "nan"],
)
def test_a_value_is_filled_where_it_is_undefined(zero_division, expected):
    values = quietly(defined, np.array([NAN, 0.75, np.inf]), "it", zero_division, 0.25)
    np.testing.assert_array_equal(values, [expected, 0.75, np.inf])


def test_the_worst_is_the_least_where_higher_is_better_and_the_largest_where_lower_is():
    counts = counts_of((1, 1, 0, 8), (0, 0, 2, 8), (3, 0, 1, 6))
    assert score(counts, choose("recall", average="worst")) == 0
    assert score(counts, choose("recall_worst")) == 0
    assert score(counts, choose("fnr_worst")) == 1
    assert score(counts, choose("fpr_worst")) == 1 / 9
    # Undefined values are left out where the mean leaves them out, and count where it counts them.
    assert score(counts, choose("precision_worst", zero_division=NAN)) == 1 / 2
    assert score(counts, choose("precision_worst", zero_division=0)) == 0
    assert score(counts, choose("precision_worst", zero_division=1)) == 1 / 2
    assert score(counts, choose("recall_worst", labels=[0, 2])) == 3 / 4
    with pytest.raises(
        ValueError,
        match="neither higher nor lower values of prevalence are better, so none is worst",
    ):
        choose("prevalence", average="worst")


@pytest.mark.parametrize(
    ("metric", "y_true", "y_pred", "words"),
    [
        (
            ext.precision_score,
            [0, 1, 2, 3],
            [0, 1, 0, 1],
            ["precision", "[2, 3]", "no predicted positives", "set to 0"],
        ),
        (ext.recall_score, [0, 0, 1], [0, 2, 1], ["recall", "[2]", "no actual positives"]),
        (
            ext.specificity_score,
            ["a", "a"],
            ["a", "b"],
            ["specificity", "['a']", "no actual negatives"],
        ),
        (
            ext.negative_predictive_value,
            [5, 6],
            [5, 5],
            ["negative_predictive_value", "[5]", "no predicted negatives"],
        ),
        (
            ext.false_discovery_rate,
            [0, 1],
            [0, 0],
            ["false_discovery_rate", "[1]", "no predicted positives", "set to 1"],
        ),
    ],
    ids=["precision", "recall", "specificity", "npv", "fdr"],
)
@pytest.mark.parametrize("average", [None, "macro", "weighted"])
def test_the_one_warning_names_the_metric_the_classes_and_the_cause(
    metric, y_true, y_pred, words, average
):
    (warning,) = warnings_of(metric, y_true, y_pred, average=average)
    assert warning.category is UndefinedMetricWarning
    for word in [*words, "zero_division="]:
        assert word in str(warning.message)


def test_the_warning_of_jaccard_names_both_empty_margins():
    (warning,) = warnings_of(ext.jaccard_score, [0, 1], [0, 1], labels=[0, 1, 2], average="macro")
    assert "for [2]" in str(warning.message)
    assert "no actual positives and no predicted positives" in str(warning.message)


def test_the_warning_does_not_take_samples_for_classes():
    (warning,) = warnings_of(
        ext.precision_score, [[1, 0], [0, 1]], [[1, 0], [0, 0]], average="samples"
    )
    assert "[1]" not in str(warning.message)


def test_a_cause_that_differs_from_class_to_class_is_named_in_words():
    (warning,) = warnings_of(ext.informedness_score, [1, 1], [0, 1], average=None)
    assert "no actual positives" in str(warning.message)
    assert "no actual negatives" in str(warning.message)


@pytest.mark.parametrize(
    ("function", "y_true", "y_pred", "options"),
    [
        (ext.precision_score, [0, 1], [0, 0], {}),
        (ext.cohen_kappa_score, [1, 1], [1, 1], {}),
        (ext.balanced_accuracy_score, [1, 1], [1, 1], {"adjusted": True}),
    ],
    ids=["precision", "cohen_kappa", "balanced_accuracy"],
)
def test_the_warning_advises_only_parameters_that_the_function_has(
    function, y_true, y_pred, options
):
    (warning,) = warnings_of(function, y_true, y_pred, **options)
    assert warning.category is UndefinedMetricWarning
    if "zero_division" not in inspect.signature(function).parameters:
        assert "zero_division" not in str(warning.message)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ext.precision_score([0, 1], [0, 0]),
        lambda: ext.precision_score([0, 1], [0, 0], average=None),
        lambda: ext.jaccard_score([[1, 0]], [[1, 0]], average="macro"),
        lambda: ext.cohen_kappa_score([1, 1], [1, 1]),
        lambda: ext.ConfusionMatrix.from_counts([[1, 0], [2, 0]], [0, 1]).score("precision"),
        lambda: ext.ConfusionMatrix.from_counts([[[1, 0], [2, 0]]] * 3, [0, 1]).score("ppv_macro"),
        lambda: ext.get_scorer("precision", threshold=0.5)(CONSTANT, None, [0, 1]),
    ],
    ids=["binary", "per-class", "multilabel", "overall", "cm.score", "leading-axes", "scorer"],
)
def test_the_warning_points_at_the_line_of_the_caller(call):
    (warning,) = warnings_of(call)
    assert warning.category is UndefinedMetricWarning
    assert warning.filename == __file__
    assert warning.lineno == call.__code__.co_firstlineno


def test_the_warning_points_at_a_caller_whose_path_begins_like_the_package():
    filename = PACKAGE + "_of_mine.py"
    names = {"precision_score": ext.precision_score}
    (warning,) = warnings_of(
        exec, compile("precision_score([0, 1], [0, 0])", filename, "exec"), names
    )
    assert Path(warning.filename) == Path(filename)


@pytest.mark.parametrize("zero_division", [0, 1, NAN], ids=["0", "1", "nan"])
def test_a_chosen_value_needs_no_warning(zero_division):
    values = ext.precision_score([0, 1], [0, 0], average=None, zero_division=zero_division)
    np.testing.assert_array_equal(values, [0.5, zero_division])


@pytest.mark.parametrize("average", ["makro", "Macro", "", 1, ["macro"], True], ids=repr)
def test_check_average_lists_the_averages(average):
    with pytest.raises(
        ValueError, match=r"average must be None or one of .*'macro'.*got "
    ) as error:
        check_average(average)
    assert repr(average) in str(error.value)


@pytest.mark.parametrize(
    "average", [None, "binary", "macro", "micro", "weighted", "samples", "worst"]
)
def test_check_average_accepts_the_averages(average):
    check_average(average)


@pytest.mark.parametrize(
    "zero_division", ["raise", "", "0", 2, -1, 0.5, float("inf"), None, [0], (1,)], ids=repr
)
def test_check_zero_division_lists_the_choices(zero_division):
    with pytest.raises(ValueError, match=r"zero_division must be 'warn', 0, 1 or nan; got "):
        check_zero_division(zero_division)


@pytest.mark.parametrize(
    "zero_division",
    ["warn", 0, 1, 0.0, 1.0, NAN, np.float64(1), True],
    ids=lambda value: f"{type(value).__name__}-{value}",
)
def test_check_zero_division_accepts_what_scikit_learn_accepts(zero_division):
    check_zero_division(zero_division)


COUNTS = (3, 1, 2, 4), (4, 2, 1, 3)


def recall_of(counts, pos_label=None):
    return score(counts, choose("recall", average="binary", pos_label=pos_label))


@pytest.mark.parametrize(("pos_label", "expected"), [("a", 3 / 5), ("b", 4 / 5)])
def test_one_class_picks_the_positive_one(pos_label, expected):
    assert recall_of(counts_of(*COUNTS, labels=["a", "b"]), pos_label) == expected


def test_one_class_keeps_leading_axes():
    matrices = np.arange(24).reshape(3, 2, 2, 2)
    values = recall_of(CountedMatrix(matrices, np.array([0, 1])), 1)
    np.testing.assert_array_equal(values, matrices[..., 1, 1] / matrices[..., 1, :].sum(-1))


def test_one_class_that_never_occurs_beside_one_label_has_true_negatives_alone():
    counts = counts_of((7, 0, 0, 0), labels=["benign"])
    options = {"average": "binary", "pos_label": "malignant", "zero_division": NAN}
    expected = {"specificity": 1, "npv": 1, "fpr": 0, "fdr": NAN, "recall": NAN, "precision": NAN}
    assert {name: score(counts, choose(name, **options)) for name in expected} == pytest.approx(
        expected, nan_ok=True
    )


@pytest.mark.parametrize("pos_label", [1, True, b"malignant", np.nan], ids=repr)
def test_one_class_of_another_kind_is_an_error_beside_one_label_too(pos_label):
    with pytest.raises(ValueError, match=r"pos_label=.*.*not among.*\['benign'\]"):
        recall_of(counts_of((7, 0, 0, 0), labels=["benign"]), pos_label)


@pytest.mark.parametrize("pos_label", ["c", 1, True], ids=repr)
def test_one_class_that_is_not_among_two_labels_is_an_error_that_lists_them(pos_label):
    with pytest.raises(ValueError, match=r"pos_label=.*.*not among.*\['a', 'b'\]"):
        recall_of(counts_of(*COUNTS, labels=["a", "b"]), pos_label)


@pytest.mark.parametrize("labels", [["a", "b"], [1, 2]], ids=str)
def test_one_class_that_nothing_names_is_an_error_that_lists_the_labels(labels):
    with pytest.raises(ValueError, match=rf"{re.escape(str(labels))}.*positive class"):
        recall_of(counts_of(*COUNTS, labels=labels))


def test_one_class_that_nothing_names_is_the_one_carried_else_1():
    for carried, expected in (("a", 3 / 5), ("b", 4 / 5)):
        assert recall_of(counts_of(*COUNTS, labels=["a", "b"], positive=carried)) == expected
    for labels, expected in (([0, 1], 4 / 5), ([1, -1], 3 / 5), ([False, True], 4 / 5)):
        assert recall_of(counts_of(*COUNTS, labels=labels)) == expected


def test_one_class_of_three_is_an_error_unless_it_is_named():
    counts = counts_of((1, 0, 0, 2), (2, 0, 1, 2), (1, 0, 3, 2))
    with pytest.raises(
        ValueError,
        match=r"recall is of the positive class of two, but there are 3, \[0, 1, 2\].*recall_macro",
    ):
        recall_of(counts, None)
    assert recall_of(counts, 1) == 2 / 3


def test_a_fold_without_positives_is_no_error():
    with pytest.warns(UndefinedMetricWarning, match="no actual positives"):
        assert ext.recall_score(["benign"] * 3, ["benign"] * 3, pos_label="malignant") == 0


@pytest.mark.parametrize("least", [1e-300, 1e-310])
@pytest.mark.parametrize("largest", [1e10, 1e99])
def test_a_value_that_is_infinite_counts_however_small_its_weight(least, largest):
    # The lift of a class that is always found is n / its weight, here beyond all floats.
    y, weights = [0, 1, 2], [1, largest, least]
    assert np.isinf(ext.lift_score(y, y, sample_weight=weights, average=None)[2])
    assert ext.lift_score(y, y, sample_weight=weights, average="weighted") == np.inf
    assert ext.lift_score(
        y, y, sample_weight=[1, largest, 1e-100], average="weighted"
    ) == pytest.approx(3)


@pytest.mark.parametrize(
    ("function", "parameters", "cause"),
    [
        (ext.p4_score, {}, "no true positives and no true negatives"),
        (ext.optimized_precision_score, {}, "no true positives and no true negatives"),
        (ext.tversky_score, {"alpha": 0, "beta": 0}, "no true positives"),
    ],
)
def test_what_is_never_right_is_the_cause_where_no_side_is_empty(function, parameters, cause):
    y_true, y_pred = [0, 1, 0], [1, 0, 1] if "negatives" in cause else [1, 0, 0]
    with pytest.warns(UndefinedMetricWarning, match=f"because there are {cause}; it is set to 0"):
        assert function(y_true, y_pred, **parameters) == 0


TRUE = np.tile([0, 1, 2, 2, 1, 0], 20)
PREDICTED = np.where(np.arange(120) % 5, TRUE, 0)


@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted", "worst"])
@pytest.mark.parametrize("metric", ["mcc", "accuracy", ext.cohen_kappa_score])
@pytest.mark.parametrize(
    "call",
    [
        lambda metric, **options: CM.score(metric, **options),
        lambda metric, **options: CM.interval(metric, **options),
        lambda metric, **options: ext.metric_interval(TRUE, PREDICTED, metric, **options),
        lambda metric, **options: BY_GROUP.gap(metric, **options),
        lambda metric, **options: ext.compare(TRUE, {"a": TRUE, "b": TRUE}, metric, **options),
        lambda metric, **options: ext.compare(TRUE, {"a": TRUE, "b": TRUE}, [metric], **options),
        lambda metric, **options: ext.make_eval_metric(metric, **options),
    ],
)
def test_a_metric_over_all_classes_has_no_average(call, metric, average):
    with pytest.raises(ValueError, match="one value over all classes: average= does not apply"):
        call(metric, average=average)


CM = ext.ConfusionMatrix.from_predictions(TRUE, PREDICTED)
BY_GROUP = ext.ConfusionMatrix.from_predictions(TRUE, PREDICTED, by=TRUE > 1)


def test_the_average_of_several_metrics_is_for_those_that_have_one():
    models = {"a": PREDICTED, "b": TRUE}
    found = ext.compare(TRUE, models, ["mcc", "f1"], average="weighted", random_state=0)
    assert [row.value for row in found.rows] == [CM.score("mcc"), CM.score("f1_weighted")]
    with pytest.raises(ValueError, match="matthews_corrcoef, accuracy is one value over all c"):
        ext.compare(TRUE, models, ["mcc", "accuracy"], average="macro")
