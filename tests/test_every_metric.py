"""One test a property, over all rows of METRICS."""

import doctest
import inspect
import pickle
import re
import warnings

import imblearn.metrics
import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.names import row_of
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.doubles import AnsweringClassifier
from tests.shared import for_each, parameters_of

# The distance or the cost between classes is part of these.
ORDERED = {"gerrity", "macro_averaged_mean_absolute_error", "expected_cost"}
# The last word of names that say what kind of number there is, and of statistics with the letter of
# their author.
KINDS = {
    "benefit",
    "bias",
    "coefficient",
    "cost",
    "disagreement",
    "entropy",
    "error",
    "index",
    "information",
}
KINDS |= {"prevalence", "rate", "ratio", "risk", "threshold", "value"}
LETTERS = {"ac1", "alpha", "pi", "prime", "q", "s", "v"}
# Named in full by their authors.
IN_FULL = {"class_balance_accuracy", "index_balanced_accuracy"}

every_metric = for_each("row", METRICS)
every_class_metric = for_each("row", [m for m in METRICS if m.has_average])


@pytest.fixture
def sample():
    """Actual and predicted labels of five classes, each predicted right and wrong, and integer
    weights.
    """
    random = np.random.default_rng(7)
    y_true = random.integers(0, 5, 200)
    y_pred = np.where(random.random(200) < 0.6, y_true, random.integers(0, 5, 200))
    return y_true, y_pred, random.integers(1, 4, 200)


def call(row, y_true, y_pred, **options):
    """The metric function; per class where it has classes."""
    if row.has_average:
        options = {"average": None, **options}
    known = np.union1d(y_true, y_pred)
    classes = known.tolist() if known.dtype.kind in "UO" else len(known)
    return function_of(row)(y_true, y_pred, **parameters_of(row, classes), **options)


def apply(row, matrix):
    """The metric of matrices with any leading axes, NaN where it is undefined; per class where it
    has classes.
    """
    n_classes = np.shape(matrix)[-1]
    cm = ConfusionMatrix.from_counts(matrix, labels=list(range(n_classes)))
    options = {"average": None} if row.has_average else {}
    return cm.score(row.name, zero_division=np.nan, **options, **parameters_of(row, n_classes))


@every_metric
def test_weights_equal_repetition(row, sample):
    y_true, y_pred, weights = sample
    repeated = call(row, y_true.repeat(weights), y_pred.repeat(weights))
    weighted = call(row, y_true, y_pred, sample_weight=weights)
    if not row.needs_numbers:
        np.testing.assert_array_equal(weighted, repeated)
    np.testing.assert_allclose(
        call(row, y_true, y_pred, sample_weight=weights * 0.1), weighted, rtol=1e-12
    )


@every_metric
def test_weights_of_any_size_change_nothing(row, sample):
    y_true, y_pred, _ = sample
    for weight in (1e-100, 1e-90, 0.3, 1e90, 1e96):
        weighted = call(row, y_true, y_pred, sample_weight=np.full(len(y_true), weight))
        np.testing.assert_allclose(weighted, call(row, y_true, y_pred), rtol=1e-12)


@every_metric
def test_samples_may_come_in_any_order(row, sample):
    y_true, y_pred, _ = sample
    order = np.random.default_rng(0).permutation(len(y_true))
    np.testing.assert_array_equal(
        call(row, y_true[order], y_pred[order]), call(row, y_true, y_pred)
    )


@for_each("row", [m for m in METRICS if m.name not in ORDERED])
def test_other_names_of_the_labels_change_nothing(row, sample):
    y_true, y_pred, _ = sample
    renamed = np.array([3, 0, 4, 1, 2])
    value, of_renamed = call(row, y_true, y_pred), call(row, renamed[y_true], renamed[y_pred])
    np.testing.assert_allclose(
        of_renamed[renamed] if row.has_average else of_renamed, value, rtol=1e-13
    )


NAMES = np.array(["ash", "beech", "cedar", "date palm", "elm"])
AS_NUMBERS = {
    "categorical": lambda y: pd.Series(y).astype("category"),
    "small integers": lambda y: y.astype(np.int8),
    "floats": lambda y: y.astype(float),
    "lists": lambda y: y.tolist(),
}
AS_NAMES = {"strings": lambda y: NAMES[y], "objects": lambda y: NAMES.astype(object)[y]}


@every_metric
def test_every_container_of_labels_gives_the_same(row, sample):
    y_true, y_pred, _ = sample
    for container, convert in (AS_NUMBERS | AS_NAMES).items():
        if container in AS_NAMES and row.name in ("gerrity", "macro_averaged_mean_absolute_error"):
            with pytest.raises(ValueError, match="are not numbers"):
                call(row, convert(y_true), convert(y_pred))
        else:
            np.testing.assert_array_equal(
                call(row, convert(y_true), convert(y_pred)), call(row, y_true, y_pred)
            )


# Bounds of three classes, of the costs in parameters_of, where a range is not in numbers.
BOUNDS = {
    "[0, 1] for alpha <= 1": (0, 1),
    "[0, 1] for K > 2; can exceed 1 for K = 2": (0, 1),
    "[0, 1]; adjusted [-1/(K-1), 1]": (0, 1),
    "[-1/(K-1), 1]": (-1 / 2, 1),
    "[1/K, 1]": (1 / 3, 1),
    "[-1/3, 1]": (-1 / 3, 1),
    "(-inf, prevalence]": (-np.inf, 1),
    "[min cost, max cost]": (0, 7),
    "[0, range]": (0, 2),
    "[0, ln K]": (0, np.log(3)),
}


@every_metric
def test_values_keep_to_the_range(row):
    low, high = (
        BOUNDS[row.range]
        if row.range in BOUNDS
        else map(float, row.range.strip("[]()").split(", "))
    )
    values = apply(row, np.random.default_rng(1).integers(0, 6, (3000, 3, 3)))
    assert np.nanmin(values) >= low
    assert np.nanmax(values) <= high + 1e-15 * (row.range == "[0, ln K]")


@every_metric
def test_counts_of_any_size_keep_the_values_in_the_range(row):
    random = np.random.default_rng(3)
    counts = 10.0 ** random.uniform(-100, 96, (3000, 3, 3)) * (random.random((3000, 3, 3)) < 0.7)
    low, high = (
        BOUNDS[row.range]
        if row.range in BOUNDS
        else map(float, row.range.strip("[]()").split(", "))
    )
    values = apply(row, counts)
    defined = values[~np.isnan(values)]
    assert len(defined) > 500
    assert defined.min() >= low - 1e-12
    assert defined.max() <= high + 1e-12


@for_each("row", [m for m in METRICS if m.better != "neither"])
def test_nothing_is_better_than_perfect(row):
    random = np.random.default_rng(4)
    matrices = np.stack([random.multinomial(n, [1 / 3] * 3, 500) for n in (3, 4, 5)], axis=1)
    perfect, others = apply(row, np.diag([3, 4, 5])), apply(row, matrices)
    defined = np.where(np.isnan(others), perfect, others)
    assert np.all(defined <= perfect + 1e-15 if row.better == "higher" else defined >= perfect)
    assert (defined != perfect).any()


@every_metric
def test_leading_axes_equal_a_loop(row):
    matrices = np.random.default_rng(2).integers(0, 9, (2, 3, 3, 3))
    for counts, compare in (
        (matrices, np.testing.assert_array_equal),
        (matrices * 0.1, assert_to_last_digits),
    ):
        expected = [[apply(row, counts) for counts in of_axis] for of_axis in counts]
        compare(apply(row, counts), expected)


def assert_to_last_digits(values, expected):
    np.testing.assert_allclose(values, expected, rtol=1e-14, atol=1e-14)


@every_metric
def test_huge_counts_give_the_value_of_small_ones_unless_numbers_count(row):
    small = np.array([[5, 2, 1], [0, 7, 3], [2, 2, 9]])
    are_equal = np.allclose(apply(row, small * 10**12), apply(row, small), rtol=1e-12, atol=0)
    assert are_equal != row.needs_numbers


@every_metric
def test_matrix_and_function_give_the_same(row, sample):
    y_true, y_pred, weights = sample
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights)
    options = {"average": None} if row.has_average else {}
    for metric in (row.name, function_of(row), *row.aliases):
        score = cm.score(metric, **options, **parameters_of(row, 5))
        np.testing.assert_array_equal(score, call(row, y_true, y_pred, sample_weight=weights))


@every_class_metric
def test_averages_are_means_of_the_classes(row, sample):
    y_true, y_pred, _ = sample
    per_class = call(row, y_true, y_pred)
    assert call(row, y_true, y_pred, average="macro") == pytest.approx(per_class.mean(), rel=1e-14)
    weighted = np.average(per_class, weights=np.bincount(y_true))
    assert call(row, y_true, y_pred, average="weighted") == pytest.approx(weighted, rel=1e-14)
    chosen = call(row, y_true, y_pred, labels=[3, 1])
    np.testing.assert_array_equal(chosen, per_class[[3, 1]])
    of_one = call(row, y_true == 2, y_pred == 2, average="binary", pos_label=True)
    assert of_one == pytest.approx(per_class[2], rel=1e-14)


@every_class_metric
def test_the_worst_class_is_found_in_functions_matrices_scorers_and_reports(row, sample):
    y_true, y_pred, weights = sample
    if row.better == "neither":
        with pytest.raises(
            ValueError, match=f"neither higher nor lower values of {row.name} are better"
        ):
            call(row, y_true, y_pred, average="worst")
        with pytest.raises(
            ValueError, match=f"neither higher nor lower values of {row.name} are better"
        ):
            skmetrics_ext.get_scorer(f"{row.name}_worst", **parameters_of(row, 5))
        return
    per_class = call(row, y_true, y_pred, sample_weight=weights)
    worst = per_class.min() if row.better == "higher" else per_class.max()
    parameters = parameters_of(row, 5)
    assert call(row, y_true, y_pred, sample_weight=weights, average="worst") == worst
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights)
    assert (
        cm.score(f"{row.name}_worst", **parameters)
        == cm.score(row.name, average="worst", **parameters)
        == worst
    )
    model = AnsweringClassifier(np.arange(5), {"predict": y_pred}).fit()
    sign = 1 if row.better == "higher" else -1
    name = f"neg_{row.name}_worst" if row.better == "lower" else f"{row.name}_worst"
    assert (
        skmetrics_ext.get_scorer(name, **parameters)(model, None, y_true, sample_weight=weights)
        == sign * worst
    )
    several = skmetrics_ext.ConfusionScorer([name], **parameters)
    assert several(model, None, y_true, sample_weight=weights) == {name: sign * worst}
    if not row.required:
        report = skmetrics_ext.classification_report(
            y_true,
            y_pred,
            sample_weight=weights,
            metrics=[row.name, "prevalence"],
            averages=["worst"],
            output_dict=True,
        )
        assert report["worst avg"][row.name] == worst


@every_class_metric
def test_micro_average_is_of_the_decisions_about_all_classes_pooled(row, sample):
    y_true, y_pred, weights = sample
    classes = np.arange(5)[:, None]
    pooled = (y_true == classes).ravel(), (y_pred == classes).ravel()
    for weight in (None, weights):
        tiled = None if weight is None else np.tile(weight, 5)
        expected = call(row, *pooled, average="binary", pos_label=True, sample_weight=tiled)
        assert call(row, y_true, y_pred, average="micro", sample_weight=weight) == pytest.approx(
            expected, rel=1e-14
        )


@every_class_metric
def test_multilabel_columns_are_binary_problems(row):
    random = np.random.default_rng(5)
    y_true, y_pred = random.integers(0, 2, (2, 60, 3))
    per_label = call(row, y_true, y_pred)
    expected = [call(row, y_true[:, k], y_pred[:, k], average="binary") for k in range(3)]
    np.testing.assert_allclose(per_label, expected, rtol=1e-15)
    rows = [call(row, y_true[i], y_pred[i], average="binary", zero_division=0) for i in range(60)]
    by_samples = call(row, y_true, y_pred, average="samples", zero_division=0)
    with np.errstate(invalid="ignore"):
        assert by_samples == pytest.approx(np.mean(rows), rel=1e-14, nan_ok=True)


def undefined_matrix(row):
    """A 2 x 2 matrix on which the metric is 0/0; None if there is none with a sample."""
    for cells in np.ndindex(2, 2, 2, 2):
        matrix = np.array(cells).reshape(2, 2)
        if matrix.any() and np.isnan(np.atleast_1d(apply(row, matrix))).any():
            return matrix
    return None


@every_metric
def test_undefined_values_are_what_zero_division_says(row):
    matrix = np.zeros((2, 2), dtype=int) if (found := undefined_matrix(row)) is None else found
    cm = ConfusionMatrix.from_counts(matrix, labels=[0, 1])
    options = {"average": None} if row.has_average else {}
    undefined = np.isnan(apply(row, matrix))
    assert undefined.any()
    for zero_division in (0, 1, np.nan):
        value = cm.score(row.name, zero_division=zero_division, **options, **parameters_of(row, 2))
        np.testing.assert_array_equal(np.asarray(value)[undefined], zero_division)


@every_metric
def test_undefined_values_warn_once_and_are_those_of_the_row(row):
    matrix = np.zeros((2, 2), dtype=int) if (found := undefined_matrix(row)) is None else found
    cm = ConfusionMatrix.from_counts(matrix, labels=[0, 1])
    options = {"average": None} if row.has_average else {}
    undefined = np.isnan(apply(row, matrix))
    with pytest.warns(UndefinedMetricWarning, match=f"{row.name} is undefined") as caught:
        value = cm.score(row.name, **options, **parameters_of(row, 2))
    assert len(caught) == 1
    np.testing.assert_array_equal(np.asarray(value)[undefined], row.undefined)


@every_metric
def test_function_agrees_with_its_row_where_it_is_undefined(row):
    matrix = undefined_matrix(row)
    if matrix is None:
        with pytest.raises(ValueError, match="all zero"):
            call(row, [0, 1], [0, 1], sample_weight=[0, 0])
        return
    y_true, y_pred = (np.repeat(codes, matrix.ravel()) for codes in ([0, 0, 1, 1], [0, 1, 0, 1]))
    options = {"labels": [0, 1]} if row.has_average else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        value = np.atleast_1d(call(row, y_true, y_pred, **options))
    undefined = np.isnan(np.atleast_1d(apply(row, matrix)))
    np.testing.assert_array_equal(value[undefined], row.undefined)


@every_metric
def test_function_has_the_signature_of_its_family(row):
    first, second, *options = inspect.signature(function_of(row)).parameters.values()
    assert (first.name, second.name) in {("y_true", "y_pred"), ("y1", "y2")}
    assert all(option.kind is option.KEYWORD_ONLY for option in options)
    names = {option.name for option in options}
    assert "sample_weight" in names
    assert set(row.parameters) <= names
    if row.has_average:
        assert names - set(row.parameters) == {
            "labels",
            "pos_label",
            "average",
            "sample_weight",
            "zero_division",
        }


def signature(row):
    return list(inspect.signature(function_of(row)).parameters)


@every_metric
def test_options_that_are_not_in_the_signature_are_refused(row):
    options = {
        "labels": None,
        "pos_label": 1,
        "average": None,
        "zero_division": 0,
        "name": "f1",
        "sample_weigth": None,
    }
    for option in options.keys() - set(signature(row)):
        with pytest.raises(TypeError, match=rf"^{row.function} has no {option}=\. "):
            function_of(row)([0, 1], [0, 1], **parameters_of(row), **{option: options[option]})


@every_metric
def test_docstring_is_complete(row):
    text = inspect.getdoc(function_of(row))
    first_line = text.splitlines()[0]
    assert first_line.startswith(row.text.split(" over ")[0])
    for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
        assert f"\n{section}\n---" in text
    assert row.range.split(" ")[0].rstrip("]") in text
    described = re.findall(r"^(\w+(?:, \w+)*) : ", text, re.MULTILINE)
    assert ", ".join(described).split(", ")[: len(signature(row))] == signature(row)
    assert doctest.DocTestFinder().find(function_of(row), row.function)[0].examples


@every_metric
def test_function_is_named_by_one_rule(row):
    names = [row.name, f"{row.name}_score"]
    elsewhere = [
        name for name in names if hasattr(sklearn.metrics, name) or hasattr(imblearn.metrics, name)
    ]
    is_statistic = row.name in IN_FULL or row.name.split("_")[-1] in KINDS | LETTERS
    assert row.function == (elsewhere or names)[0 if elsewhere or is_statistic else 1]


@every_metric
def test_function_is_exported_pickles_and_has_one_row(row):
    name = row.function
    assert getattr(skmetrics_ext, name) is function_of(row)
    assert name in skmetrics_ext.__all__
    assert pickle.loads(pickle.dumps(function_of(row))) is function_of(row)
    assert row_of(function_of(row)) is row
    assert [m.name for m in METRICS if row.name in (m.name, *m.aliases)] == [row.name]
    for alias in row.aliases:
        assert BY_NAME[alias] is row


@every_metric
def test_scorer_names_have_the_sign_and_the_averages(row):
    prefix = "neg_" if row.better == "lower" else ""
    averages = ["", "_macro", "_micro", "_weighted", "_samples"] if row.has_average else [""]
    averages += ["_worst"] if row.has_average and row.better != "neither" else []
    listed = set(skmetrics_ext.get_scorer_names())
    for suffix in averages:
        name = prefix + row.name + suffix
        assert (name in listed) == (not row.required)
        scorer = skmetrics_ext.get_scorer(name, **parameters_of(row, 2))
        assert pickle.loads(pickle.dumps(scorer)).__class__ is scorer.__class__
    wrong = row.name if prefix else f"neg_{row.name}"
    with pytest.raises(ValueError, match=f"Did you mean '{prefix}{row.name}'"):
        skmetrics_ext.get_scorer(wrong, **parameters_of(row, 2))
