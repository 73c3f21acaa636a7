"""Values against scikit-learn, imbalanced-learn, pycm and scipy, and against published examples."""

import warnings

import imblearn.metrics
import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from pycm import ConfusionMatrix as PycmMatrix
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, catalogue

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


@st.composite
def label_arrays(draw, min_labels=1):
    """Actual and predicted labels in some dtype, of which some labels may be missing on a side."""
    labels = draw(st.sampled_from(list(LABEL_SETS.values())))
    size = draw(st.integers(1, 30))
    pool = draw(st.lists(st.sampled_from(labels), min_size=min_labels, max_size=len(labels), unique=True))
    sides = [draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size)) for _ in range(2)]
    convert = draw(st.sampled_from([np.array, list]))
    return convert(sides[0]), convert(sides[1]), labels


@st.composite
def weights_for(draw, n_samples):
    """No weights, integer weights or float weights; some zero, not all."""
    kind = draw(st.sampled_from(["none", "integers", "floats"]))
    if kind == "none":
        return None
    numbers = st.integers(0, 5) if kind == "integers" else st.floats(0, 3).map(lambda x: round(x, 2))
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
    return value, {warning.category for warning in caught}


def assert_same(name, *args, **options):
    """Our function and scikit-learn's come to the same."""
    ours, our_warnings = outcome(getattr(skmetrics_ext, name), *args, **options)
    theirs, their_warnings = outcome(getattr(sklearn.metrics, name), *args, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert isinstance(ours, str), (ours, theirs)
        assert isinstance(theirs, str), (ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, **TOLERANCE)
        assert (UndefinedMetricWarning in our_warnings) == (UndefinedMetricWarning in their_warnings)
        assert our_warnings <= their_warnings
        assert np.shape(ours) == np.shape(theirs)


@given(data=st.data())
@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_class_metrics_equal_scikit_learn(name, average, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(len(y_true))),
        "labels": data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True)),
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1] + [np.nan] * (name != "jaccard_score"))),
    }
    if average == "binary":
        options["pos_label"] = data.draw(st.sampled_from(labels))
    if name == "fbeta_score":
        options["beta"] = data.draw(st.sampled_from([0, 0.5, 2, np.inf]))
        if options["beta"] in (0, np.inf) and options["zero_division"] == "warn":
            options["zero_division"] = 0  # there scikit-learn has the value of precision or recall, unwarned
    assert_same(name, y_true, y_pred, **options)


@given(data=st.data())
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples", None, "binary"])
@pytest.mark.parametrize("name", CLASS_METRICS)
def test_multilabel_metrics_equal_scikit_learn(name, average, data):
    n_samples, n_labels = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 5))
    bits = st.lists(
        st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels), min_size=n_samples, max_size=n_samples
    )
    y_true, y_pred = np.array(data.draw(bits)), np.array(data.draw(bits))
    options = {
        "average": average,
        "sample_weight": data.draw(weights_for(n_samples)) if average != "samples" else None,
        "labels": data.draw(st.none() | st.lists(st.integers(0, n_labels - 1), min_size=1, unique=True)),
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
        name, y_true, y_pred, average="samples", sample_weight=random.random(40) + 0.1, zero_division=0, **options
    )


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
        weights = np.ceil(weights).astype(int)  # with float weights scikit-learn divides rounding errors
    assert_same(name, y_true, y_pred, sample_weight=weights, **options)


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


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(data=st.data())
def test_kappa_equals_scikit_learn(weights, data):
    y1, y2, labels = data.draw(label_arrays())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y1)))
    options = {"labels": chosen, "weights": weights, "sample_weight": sample_weight}
    ours, _ = outcome(skmetrics_ext.cohen_kappa_score, y1, y2, **options)
    theirs, _ = outcome(sklearn.metrics.cohen_kappa_score, y1, y2, **options)
    if isinstance(theirs, str) or isinstance(ours, str):
        assert ours == theirs
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@given(data=st.data())
@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_confusion_matrix_equals_scikit_learn(normalize, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    sample_weight = data.draw(weights_for(len(y_true)))
    assert_same("confusion_matrix", y_true, y_pred, labels=chosen, sample_weight=sample_weight, normalize=normalize)


def test_kappa_that_is_undefined_warns_and_takes_the_given_value():
    with pytest.warns(UndefinedMetricWarning, match="cohen_kappa is undefined"):
        assert skmetrics_ext.cohen_kappa_score([1, 1], [1, 1], replace_undefined_by=0.5) == 0.5


# pycm's name of each one-vs-rest statistic. Where pycm cannot be the oracle: its IBA has
# alpha = 1 by default, its discriminant power is to base 10 and no metric here, and for
# fp * fn = 0 its Yule's Q is the text "None" (see the test below).
PYCM_NAMES = {
    "precision": "PPV",
    "recall": "TPR",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "prevalence": "PRE",
    "predicted_positive_rate": "TOPR",
    "one_vs_rest_accuracy": "ACC",
    "one_vs_rest_error": "ERR",
    "f1": "F1",
    "jaccard": "J",
    "overlap_coefficient": "OC",
    "fowlkes_mallows_index": "G",
    "lift": "LS",
    "informedness": "BM",
    "markedness": "MK",
    "g_mean": "GM",
    "one_vs_rest_balanced_accuracy": "AUC",
    "phi_coefficient": "MCC",
    "optimized_precision": "OP",
    "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "yule_q": "Q",
}
PYCM_OVERALL = {
    "accuracy": "Overall ACC",
    "zero_one_loss": "Zero-one Loss",
    "hamming_loss": "Hamming Loss",
    "class_balance_accuracy": "CBA",
    "no_information_rate": "NIR",
    "matthews_corrcoef": "Overall MCC",
    "cohen_kappa": "Kappa",
    "scott_pi": "Scott PI",
    "krippendorff_alpha": "Krippendorff Alpha",
    "gwet_ac1": "Gwet AC1",
    "bennett_s": "Bennett S",
    "cramers_v": "Cramer V",
    "uncertainty_coefficient": "RCI",
    "confusion_entropy": "Overall CEN",
}


def pycm_matrix(counts, names):
    rows = {name: dict(zip(names, row, strict=True)) for name, row in zip(names, counts.tolist(), strict=True)}
    return PycmMatrix(matrix=rows)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_one_vs_rest_and_overall_values_equal_pycm(n_classes):
    counts = np.random.default_rng(n_classes).integers(1, 50, (n_classes, n_classes))
    names = [f"class {k}" for k in range(n_classes)]
    theirs = pycm_matrix(counts, names)
    ours = ConfusionMatrix.from_counts(counts, labels=names)

    def assert_equal(name, expected, **parameters):
        options = {"average": None} if catalogue.BY_NAME[name].has_average else {}
        np.testing.assert_allclose(ours.score(name, **options, **parameters), expected, rtol=1e-11, err_msg=name)

    for name, pycm_name in PYCM_NAMES.items():
        assert_equal(name, [theirs.class_stat[pycm_name][label] for label in names])
    for name, pycm_name in PYCM_OVERALL.items():
        # pycm gives the error of the matrix where scikit-learn gives its share.
        expected = theirs.overall_stat[pycm_name]
        assert_equal(name, expected / counts.sum() if pycm_name == "Zero-one Loss" else expected)
    assert_equal("mutual_information", theirs.overall_stat["Mutual Information"] * np.log(2))
    for name, expected, parameters in (
        ("fbeta", theirs.F_beta(3), {"beta": 3}),
        ("tversky", theirs.TI(0.3, 0.6), {"alpha": 0.6, "beta": 0.3}),  # pycm's alpha is for false negatives
        ("index_balanced_accuracy", theirs.IBA_alpha(0.4), {"alpha": 0.4}),
        ("net_benefit", theirs.NB(0.25), {"threshold_probability": 0.2}),
    ):
        assert_equal(name, [expected[label] for label in names], **parameters)
    d_prime = theirs.sensitivity_index()
    np.testing.assert_allclose(ours.score("d_prime", average=None), [d_prime[label] for label in names], rtol=1e-7)


def test_where_pycm_is_no_oracle_for_yules_q():
    counts = np.array([[5, 0], [2, 9]])
    assert isinstance(pycm_matrix(counts, ["no", "yes"]).class_stat["Q"]["yes"], str)
    assert ConfusionMatrix.from_counts(counts, labels=["no", "yes"]).score("yule_q") == 1


def test_where_pycm_is_no_oracle_for_weights_of_the_wrong_length():
    assert PycmMatrix([0, 1, 1], [0, 1, 0], sample_weight=[1, 2]).matrix == {0: {0: 1, 1: 0}, 1: {0: 1, 1: 1}}
    with pytest.raises(ValueError, match="there are 3 samples"):
        ConfusionMatrix.from_labels([0, 1, 1], [0, 1, 0], sample_weight=[1, 2])


def test_where_pycm_is_no_oracle_for_labels_of_two_types():
    assert set(PycmMatrix([1, 2, 2], ["1", "2", "1"]).matrix) == {"1", "2"}
    with pytest.raises(ValueError, match="Mix of label types"):
        ConfusionMatrix.from_labels([1, 2, 2], ["1", "2", "1"])


@given(data=st.data())
def test_association_and_information_equal_scipy_and_scikit_learn(data):
    y_true, y_pred, _ = data.draw(label_arrays(min_labels=2))
    codes = [np.unique(side, return_inverse=True)[1] for side in (y_true, y_pred)]
    matrix = ConfusionMatrix.from_labels(*codes)
    table = scipy.stats.contingency.crosstab(*codes).count
    if min(table.shape) > 1:
        assert matrix.score("cramers_v") == pytest.approx(scipy.stats.contingency.association(table, "cramer"))
        chi2 = scipy.stats.chi2_contingency(table, correction=False).statistic
        assert matrix.score("cramers_v") ** 2 * table.sum() * (min(table.shape) - 1) == pytest.approx(chi2, abs=1e-12)
    mutual = sklearn.metrics.mutual_info_score(*codes)
    assert matrix.score("mutual_information") == pytest.approx(mutual, abs=1e-12)
    entropy = scipy.stats.entropy(np.bincount(codes[0]))
    if entropy > 0:
        assert matrix.score("uncertainty_coefficient") == pytest.approx(mutual / entropy, abs=1e-12)
    normalized = sklearn.metrics.normalized_mutual_info_score(*codes)
    assert matrix.score("nmi", zero_division=1) == pytest.approx(normalized, abs=1e-12)


@given(data=st.data())
@pytest.mark.parametrize("average", ["multiclass", "macro", "weighted", "micro", None])
def test_geometric_mean_equals_imbalanced_learn(average, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    correction = data.draw(st.sampled_from([0, 0.001, 0.5]))
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    options = {"average": average, "correction": correction, "labels": chosen}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = imblearn.metrics.geometric_mean_score(y_true, y_pred, **options)
        value = skmetrics_ext.geometric_mean_score(y_true, y_pred, **options)
    np.testing.assert_allclose(value, expected, **TOLERANCE)


@given(data=st.data())
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
@pytest.mark.parametrize("name", ["sensitivity_score", "specificity_score"])
def test_sensitivity_and_specificity_equal_imbalanced_learn(name, average, data):
    y_true, y_pred, labels = data.draw(label_arrays())
    chosen = data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True))
    ours, _ = outcome(getattr(skmetrics_ext, name), y_true, y_pred, average=average, labels=chosen)
    theirs, _ = outcome(getattr(imblearn.metrics, name), y_true, y_pred, average=average, labels=chosen)
    if average != "weighted" or set(y_true) & set(labels if chosen is None else chosen):
        np.testing.assert_allclose(ours, theirs, **TOLERANCE)


@given(data=st.data())
def test_mean_absolute_error_of_classes_equals_imbalanced_learn(data):
    size = data.draw(st.integers(1, 20))
    y_true = np.array(data.draw(st.lists(st.integers(-2, 5), min_size=size, max_size=size)))
    y_pred = np.array(data.draw(st.lists(st.sampled_from(sorted(set(y_true))), min_size=size, max_size=size)))
    expected = imblearn.metrics.macro_averaged_mean_absolute_error(y_true, y_pred)
    assert skmetrics_ext.macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(expected)


def test_index_balanced_accuracy_equals_imbalanced_learn():
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 50))
    decorated = imblearn.metrics.make_index_balanced_accuracy(alpha=0.3)(imblearn.metrics.geometric_mean_score)
    expected = decorated(y_true, y_pred, average="binary")
    assert skmetrics_ext.index_balanced_accuracy_score(y_true, y_pred, alpha=0.3) == pytest.approx(expected)


def test_finleys_tornado_forecasts():
    """Finley (1884); the scores as in Wilks (2011), Statistical Methods in the Atmospheric Sciences, 8.2.2."""
    matrix = ConfusionMatrix.from_counts([[2680, 72], [23, 28]], labels=["no tornado", "tornado"])
    published = {
        "accuracy": 0.966,
        "threat_score": 0.228,
        "pod": 0.549,
        "false_alarm_ratio": 0.720,
        "pofd": 0.0262,
        "frequency_bias": 1.96,
        "heidke_skill_score": 0.355,
        "peirce": 0.523,
        "gilbert_skill": 0.216,
        "orss": 0.957,
        "dor": 45.3,
    }
    for name, value in published.items():
        assert matrix.score(name) == pytest.approx(value, abs=6 * 10.0 ** -(len(str(value).split(".")[1]) + 1)), name


def test_krippendorffs_two_observers():
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability: two observers, binary data, alpha 0.095."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    assert skmetrics_ext.krippendorff_alpha(first, second) == pytest.approx(1 - 19 * 4 / (14 * 6))
    assert round(skmetrics_ext.krippendorff_alpha(first, second), 3) == 0.095


def test_gwets_paradox_of_kappa():
    """Gwet (2002), Kappa statistic is not satisfactory: 118 and 2 agreements of 125, kappa below 0, AC1 0.94."""
    matrix = ConfusionMatrix.from_counts([[118, 5], [2, 0]], labels=["+", "-"])
    q = (123 + 120) / 250
    by_chance = 2 * q * (1 - q)
    assert matrix.score("gwet_ac1") == pytest.approx((118 / 125 - by_chance) / (1 - by_chance))
    assert round(matrix.score("gwet_ac1"), 2) == 0.94
    assert round(matrix.score("kappa"), 3) == -0.023


def test_gerritys_scoring_matrix_of_three_equally_likely_classes():
    """Gerrity (1992), Monthly Weather Review 120: the scores for probabilities of one third."""
    scores = [[1.25, -0.25, -1], [-0.25, 0.5, -0.25], [-1, -0.25, 1.25]]
    for actual in range(3):
        for predicted in range(3):
            counts = np.full((3, 3), 0.0)
            counts[[0, 1, 2], [0, 1, 2]] = 1
            counts[actual] = 0
            counts[actual, predicted] = 1
            others = sum(scores[k][k] for k in range(3) if k != actual)
            expected = (others + scores[actual][predicted]) / 3
            assert ConfusionMatrix.from_counts(counts, labels=[0, 1, 2]).score("gerrity") == pytest.approx(expected)


def test_elkans_expected_cost_by_hand():
    matrix = ConfusionMatrix.from_counts([[80, 10], [4, 6]], labels=["good", "bad"])
    assert matrix.score("expected_cost", cost_matrix=[[0, 1], [5, 0]]) == (10 * 1 + 4 * 5) / 100


def test_net_benefit_is_the_weighted_difference_of_vickers_and_elkin():
    matrix = ConfusionMatrix.from_counts([[600, 200], [50, 150]], labels=[0, 1])
    assert matrix.score("net_benefit", threshold_probability=0.2) == pytest.approx(150 / 1000 - 200 / 1000 * 0.2 / 0.8)


def test_pontius_components_add_up_to_the_error():
    matrix = ConfusionMatrix.from_counts([[30, 5, 2], [1, 20, 9], [8, 0, 25]], labels=[0, 1, 2])
    quantity, allocation = matrix.score("quantity_disagreement"), matrix.score("allocation_disagreement")
    assert quantity == (abs(37 - 39) + abs(30 - 25) + abs(33 - 36)) / 200
    assert quantity + allocation == pytest.approx(matrix.score("zero_one_loss"))


def test_ferro_and_stephensons_indices_from_rates():
    """Ferro & Stephenson (2011), Weather and Forecasting 26, equations 3 and 8, for H = 0.6 and F = 0.1."""
    matrix = ConfusionMatrix.from_counts([[90, 10], [4, 6]], labels=[0, 1])
    h, f = np.log(0.6), np.log(0.1)
    h1, f1 = np.log(0.4), np.log(0.9)
    assert matrix.score("edi") == pytest.approx((f - h) / (f + h))
    assert matrix.score("sedi") == pytest.approx((f - h - f1 + h1) / (f + h + f1 + h1))


def test_numbers_of_the_three_class_example():
    """Sixteen samples, three classes; every value is a fraction of counts in the matrix."""
    target = [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2]
    predicted = [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0]
    assert skmetrics_ext.confusion_matrix(target, predicted).tolist() == [[4, 0, 2], [0, 1, 4], [2, 1, 2]]
    per_class = {
        "precision_score": [4 / 6, 1 / 2, 2 / 8],
        "recall_score": [4 / 6, 1 / 5, 2 / 5],
        "f1_score": [8 / 12, 2 / 7, 4 / 13],
    }
    for name, expected in per_class.items():
        np.testing.assert_allclose(getattr(skmetrics_ext, name)(target, predicted, average=None), expected, rtol=1e-15)
    assert skmetrics_ext.accuracy_score(target, predicted) == 7 / 16
    assert skmetrics_ext.balanced_accuracy_score(target, predicted) == pytest.approx((4 / 6 + 1 / 5 + 2 / 5) / 3)


def test_rates_of_the_roc_example_at_every_threshold():
    y_true, scores = np.array([1, 1, 2, 2]), np.array([0.1, 0.4, 0.35, 0.8])
    rates = []
    for threshold in (0.8, 0.4, 0.35, 0.1):
        predicted = np.where(scores >= threshold, 2, 1)
        fpr, tpr, fnr, tnr = (
            getattr(skmetrics_ext, name)(y_true, predicted, pos_label=2)
            for name in ("false_positive_rate", "recall_score", "false_negative_rate", "specificity_score")
        )
        assert fpr + tnr == 1
        assert tpr + fnr == 1
        rates.append((fpr, tpr))
    assert rates == [(0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]
