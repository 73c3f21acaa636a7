"""Values against scikit-learn, imbalanced-learn, pycm and scipy."""

import warnings

import imblearn.metrics
import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from pycm import ConfusionMatrix as PycmMatrix
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import one_in
from tests.vectors.oracle import EXACT_METRICS
from tests.vectors.sources import Library

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")
# Of a test with several names, each of which draws samples of its own.
few_of_each = settings(max_examples=5)

TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}
CLASS_METRICS = ["precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score"]
LABEL_SETS = {
    "binary": [0, 1],
    "integers": [-3, 0, 2, 7],
    "far apart": [-(2**40), 5, 2**40],
    "booleans": [False, True],
    "floats": [0.0, 1.0, 2.0],
    "strings": ["ash", "beech", "cedar", "é"],
}


LIBRARIES = {
    f"{name}-{oracle.name}": (name, oracle)
    for name, metric in EXACT_METRICS.items()
    for oracle in metric.oracles
    if isinstance(oracle, Library)
}


def test_every_metric_has_a_library_or_a_worked_example():
    assert set(EXACT_METRICS) == {row.name for row in METRICS}
    assert [name for name, metric in EXACT_METRICS.items() if not metric.oracles] == []


@pytest.mark.parametrize(("of_metric", "n_classes"), one_in(3, LIBRARIES, [2, 3, 7]))
def test_values_equal_those_of_another_library(of_metric, n_classes):
    name, library = LIBRARIES[of_metric]
    row = BY_NAME[name]
    counts = np.random.default_rng(n_classes).integers(1, 50, (n_classes, n_classes))
    y_true, y_pred = (codes.ravel().repeat(counts.ravel()) for codes in np.indices(counts.shape))
    options = {"average": None} if row.has_average else {}
    value = function_of(row)(y_true, y_pred, **options, **library.parameters)
    expected = library.values(y_true, y_pred)
    assert np.shape(value) == np.shape(expected) == ((n_classes,) if row.has_average else ())
    np.testing.assert_allclose(value, expected, rtol=library.precision)


@st.composite
def label_arrays(draw, min_labels=1):
    """Actual and predicted labels in some dtype, of which some labels may be missing on a side."""
    labels = draw(st.sampled_from(list(LABEL_SETS.values())))
    size = draw(st.integers(1, 30))
    pool = draw(
        st.lists(st.sampled_from(labels), min_size=min_labels, max_size=len(labels), unique=True)
    )
    sides = [draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size)) for _ in range(2)]
    convert = draw(st.sampled_from([np.array, list]))
    return convert(sides[0]), convert(sides[1]), labels


@st.composite
def weights_for(draw, n_samples):
    """No weights, integer weights or float weights; some zero, not all."""
    kind = draw(st.sampled_from(["none", "integers", "floats"]))
    if kind == "none":
        return None
    numbers = (
        st.integers(0, 5) if kind == "integers" else st.floats(0, 3).map(lambda x: round(x, 2))
    )
    weights = np.array(draw(st.lists(numbers, min_size=n_samples, max_size=n_samples)))
    weights[draw(st.integers(0, n_samples - 1))] = 1
    return weights


def outcome(function, *args, **options):
    """What a call comes to: its value and the categories of its warnings, or the error's class."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **options)
        except ValueError:
            return "ValueError", set()
    # Labels of both sides without one in common are said by us alone.
    theirs_too = [of for of in caught if "none of which are in both" not in str(of.message)]
    return value, {warning.category for warning in theirs_too}


def assert_same(name, *args, **options):
    """Our function and scikit-learn's come to the same."""
    ours, our_warnings = outcome(getattr(skmetrics_ext, name), *args, **options)
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert isinstance(ours, str), (ours, theirs)
        assert isinstance(theirs, str), (ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, **TOLERANCE)
        assert (UndefinedMetricWarning in our_warnings) == (
            UndefinedMetricWarning in their_warnings
        )
        assert our_warnings <= their_warnings
        assert np.shape(ours) == np.shape(theirs)


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_class_metrics_equal_scikit_learn(name, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    average = data.draw(st.sampled_from(["binary", "macro", "micro", "weighted", None]))
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(len(y_true))),
        "labels": data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True)),
        "zero_division": data.draw(
            st.sampled_from(["warn", 0, 1] + [np.nan] * (name != "jaccard_score"))
        ),
    }
    if average == "binary":
        options["pos_label"] = data.draw(st.sampled_from(labels))
    if average == "weighted" and not np.isin(y_true, options["labels"] or labels).any():
        # Nothing has a weight, which scikit-learn does not say.
        options["average"] = "macro"
    if name == "fbeta_score":
        options["beta"] = data.draw(st.sampled_from([0, 0.5, 2, np.inf]))
        if options["beta"] in (0, np.inf) and options["zero_division"] == "warn":
            options["zero_division"] = (
                0  # there scikit-learn has the value of precision or recall, unwarned
            )
    assert_same(name, y_true, y_pred, **options)


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_multilabel_metrics_equal_scikit_learn(name, data):
    average = data.draw(st.sampled_from(["macro", "micro", "weighted", "samples", None, "binary"]))
    n_samples, n_labels = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    bits = st.lists(
        st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels),
        min_size=n_samples,
        max_size=n_samples,
    )
    y_true, y_pred = np.array(data.draw(bits)), np.array(data.draw(bits))
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(n_samples)) if average != "samples" else None,
        "labels": data.draw(
            st.none() | st.lists(st.integers(0, n_labels - 1), min_size=1, unique=True)
        ),
        "zero_division": data.draw(st.sampled_from([0, 1])),
    }
    if name == "fbeta_score":
        options["beta"] = 2
    assert_same(name, y_true, y_pred, **options)


@pytest.mark.parametrize("name", CLASS_METRICS)
def test_weighted_samples_average_equals_scikit_learn(name):
    random = np.random.default_rng(3)
    y_true, y_pred = random.integers(0, 2, (2, 40, 4))
    options = {"beta": 2} if name == "fbeta_score" else {}
    assert_same(
        name,
        y_true,
        y_pred,
        average="samples",
        sample_weight=random.random(40) + 0.1,
        zero_division=0,
        **options,
    )


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_score", {}),
        ("accuracy_score", {"normalize": False}),
        ("hamming_loss", {}),
        ("zero_one_loss", {}),
        ("zero_one_loss", {"normalize": False}),
        ("matthews_corrcoef", {}),
        ("balanced_accuracy_score", {}),
    ],
)
def test_overall_metrics_equal_scikit_learn(name, options, data):
    y_true, y_pred, _ = data.draw(label_arrays())
    weights = data.draw(weights_for(len(y_true)))
    if name == "balanced_accuracy_score" and weights is not None:
        weights = weights + 1  # a class of weight 0 makes scikit-learn warn of 0/0
    if name == "matthews_corrcoef" and weights is not None:
        weights = np.ceil(weights).astype(
            int
        )  # with float weights scikit-learn divides rounding errors
    assert_same(name, y_true, y_pred, sample_weight=weights, **options)


@few_of_each
@given(data=st.data())
@pytest.mark.parametrize("name", ["accuracy_score", "zero_one_loss", "hamming_loss"])
def test_overall_multilabel_metrics_equal_scikit_learn(name, data):
    shape = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    bits = st.lists(st.integers(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    y_true, y_pred = (np.reshape(data.draw(bits), shape) for _ in range(2))
    assert_same(name, y_true, y_pred, sample_weight=data.draw(weights_for(shape[0])))
    if name != "hamming_loss":
        assert_same(name, y_true, y_pred, normalize=False)


@given(data=st.data())
def test_adjusted_balanced_accuracy_equals_scikit_learn_for_two_true_classes_and_more(data):
    y_true, y_pred, _ = data.draw(label_arrays(min_labels=2))
    if len(set(y_true)) > 1:
        assert_same("balanced_accuracy_score", y_true, y_pred, adjusted=True)


@given(data=st.data())
def test_kappa_equals_scikit_learn(data):
    y1, y2, labels = data.draw(label_arrays())
    weights = data.draw(st.sampled_from([None, "linear", "quadratic"]))
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y1)))
    options = {"labels": chosen, "weights": weights, "sample_weight": sample_weight}
    if weights is not None and chosen is None and isinstance(labels[0], str):
        # Theirs would go by the alphabet, which has to be named here.
        options["labels"] = sorted({*y1, *y2})
    ours, _ = outcome(skmetrics_ext.cohen_kappa_score, y1, y2, **options)
    theirs, _ = outcome(sklearn.metrics.cohen_kappa_score, y1, y2, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert ours == theirs
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@given(data=st.data())
def test_confusion_matrix_equals_scikit_learn(data):
    y_true, y_pred, labels = data.draw(label_arrays())
    normalize = data.draw(st.sampled_from([None, "true", "pred", "all"]))
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y_true)))
    assert_same(
        "confusion_matrix",
        y_true,
        y_pred,
        labels=chosen,
        sample_weight=sample_weight,
        normalize=normalize,
    )


def test_kappa_that_is_undefined_warns_and_takes_the_given_value():
    with pytest.warns(UndefinedMetricWarning, match="cohen_kappa is undefined"):
        assert skmetrics_ext.cohen_kappa_score([1, 1], [1, 1], replace_undefined_by=0.5) == 0.5


def test_where_pycm_is_no_oracle_for_yules_q():
    counts = [[5, 0], [2, 9]]
    assert isinstance(
        PycmMatrix(matrix=dict(enumerate(map(dict, map(enumerate, counts))))).class_stat["Q"][1],
        str,
    )
    assert ConfusionMatrix.from_counts(counts, labels=["no", "yes"]).score("yule_q") == 1


def test_where_pycm_is_no_oracle_for_weights_of_the_wrong_length():
    assert PycmMatrix([0, 1, 1], [0, 1, 0], sample_weight=[1, 2]).matrix == {
        0: {0: 1, 1: 0},
        1: {0: 1, 1: 1},
    }
    with pytest.raises(ValueError, match="there are 3 samples"):
        ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[1, 2])


def test_where_pycm_is_no_oracle_for_labels_of_two_types():
    assert set(PycmMatrix([1, 2, 2], ["1", "2", "1"]).matrix) == {"1", "2"}
    with pytest.raises(ValueError, match="label types"):
        ConfusionMatrix.from_predictions([1, 2, 2], ["1", "2", "1"])


@given(data=st.data())
def test_association_and_information_equal_scipy_and_scikit_learn(data):
    y_true, y_pred, _ = data.draw(label_arrays(min_labels=2))
    codes = [np.unique(side, return_inverse=True)[1] for side in (y_true, y_pred)]
    matrix = ConfusionMatrix.from_predictions(*codes)
    table = scipy.stats.contingency.crosstab(*codes).count
    if min(table.shape) > 1:
        assert matrix.score("cramers_v") == pytest.approx(
            scipy.stats.contingency.association(table, "cramer")
        )
        chi2 = scipy.stats.chi2_contingency(table, correction=False).statistic
        assert matrix.score("cramers_v") ** 2 * table.sum() * (
            min(table.shape) - 1
        ) == pytest.approx(chi2, abs=1e-12)
    mutual = sklearn.metrics.mutual_info_score(*codes)
    assert matrix.score("mutual_information") == pytest.approx(mutual, abs=1e-12)
    entropy = scipy.stats.entropy(np.bincount(codes[0]))
    if entropy > 0:
        assert matrix.score("uncertainty_coefficient") == pytest.approx(mutual / entropy, abs=1e-12)
    normalized = sklearn.metrics.normalized_mutual_info_score(*codes)
    assert matrix.score("nmi", zero_division=1) == pytest.approx(normalized, abs=1e-12)


@given(data=st.data())
def test_geometric_mean_equals_imbalanced_learn(data):
    y_true, y_pred, labels = data.draw(label_arrays())
    average = data.draw(st.sampled_from(["multiclass", "macro", "weighted", "micro", None]))
    correction = data.draw(st.sampled_from([0, 0.001, 0.5]))
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    options = {"average": average, "correction": correction, "labels": chosen}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = imblearn.metrics.geometric_mean_score(y_true, y_pred, **options)
        value = skmetrics_ext.geometric_mean_score(y_true, y_pred, **options)
    np.testing.assert_allclose(value, expected, **TOLERANCE)


@given(data=st.data())
@pytest.mark.parametrize("name", ["sensitivity_score", "specificity_score"])
def test_sensitivity_and_specificity_equal_imbalanced_learn(name, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    average = data.draw(st.sampled_from(["macro", "weighted", "micro", None]))
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    ours, _ = outcome(getattr(skmetrics_ext, name), y_true, y_pred, average=average, labels=chosen)
    theirs, _ = outcome(
        getattr(imblearn.metrics, name), y_true, y_pred, average=average, labels=chosen
    )
    if average != "weighted" or set(y_true) & set(labels if chosen is None else chosen):
        np.testing.assert_allclose(ours, theirs, **TOLERANCE)


@given(data=st.data())
def test_mean_absolute_error_of_classes_equals_imbalanced_learn(data):
    size = data.draw(st.integers(1, 20))
    y_true = np.array(data.draw(st.lists(st.integers(-2, 5), min_size=size, max_size=size)))
    y_pred = np.array(
        data.draw(st.lists(st.sampled_from(sorted(set(y_true))), min_size=size, max_size=size))
    )
    expected = imblearn.metrics.macro_averaged_mean_absolute_error(y_true, y_pred)
    assert skmetrics_ext.macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(
        expected
    )
