"""What the notes of the metrics say in numbers is what happens."""

import inspect
import re
import warnings
from collections import defaultdict

import numpy as np
import pytest

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each

ONE_OF_TEN = [[10] + [0] * 9] * 10
PARADOX = [[90, 5], [5, 0]]


def notes(row):
    """When to use a metric, and its pitfall."""
    _, _, rest = inspect.getdoc(function_of(row)).partition("\nNotes\n-----\n")
    text, found, _ = rest.partition("\n\nReferences\n")
    assert found
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def of_counts(counts):
    return ConfusionMatrix.from_counts(np.array(counts), labels=list(range(len(counts))))


def of_class(tp, fp, fn, tn):
    return of_counts([[tn, fp], [fn, tp]])


def at_rates(recall, specificity, prevalence):
    """A million samples, with these rates."""
    positives, negatives = 1e6 * prevalence, 1e6 * (1 - prevalence)
    return of_class(
        recall * positives,
        (1 - specificity) * negatives,
        (1 - recall) * positives,
        specificity * negatives,
    )


# A metric, a situation, and the number that the notes of the metric have for it.
NUMBERS = [
    ("specificity", "precision", at_rates(1, 0.99, 0.001), "0.09", {}),
    ("negative_predictive_value", "npv", of_class(0, 0, 1, 99), "0.99", {}),
    ("one_vs_rest_accuracy", "one_vs_rest_accuracy_macro", of_counts(ONE_OF_TEN), "0.82", {}),
    ("one_vs_rest_error", "one_vs_rest_error", of_class(0, 0, 1, 99), "0.01", {}),
    ("fbeta", "fbeta", of_class(50, 50, 0, 0), "0.83", {"beta": 2}),
    ("p4", "p4", at_rates(0.9, 0.9, 0.5), "0.9", {}),
    ("p4", "p4", at_rates(0.9, 0.9, 0.001), "0.03", {}),
    ("one_vs_rest_balanced_accuracy", "one_vs_rest_balanced_accuracy_macro",
     of_counts(ONE_OF_TEN), "0.5", {}),
    ("one_vs_rest_balanced_accuracy", "balanced_accuracy", of_counts(ONE_OF_TEN), "0.1", {}),
    ("phi_coefficient", "phi_coefficient", of_class(10, 0, 40, 50), "0.33", {}),
    ("index_balanced_accuracy", "iba", of_class(80, 20, 20, 80), "0.64", {}),
    ("optimized_precision", "optimized_precision", of_class(95, 35, 5, 65), "0.61", {}),
    ("optimized_precision", "optimized_precision", of_class(62, 38, 38, 62), "0.62", {}),
    ("diagnostic_odds_ratio", "dor", at_rates(0.9, 0.5, 0.5), "9", {}),
    ("diagnostic_odds_ratio", "dor", at_rates(0.5, 0.9, 0.5), "9", {}),
    ("relative_risk", "relative_risk", of_class(10, 0, 5, 5), "2", {}),
    ("macro_averaged_mean_absolute_error", "macro_averaged_mean_absolute_error",
     of_counts([[0, 0, n, 0, 0] for n in (3, 5, 1, 2, 90)]), "1.2", {}),
    ("accuracy", "accuracy", of_class(0, 0, 5, 95), "0.95", {}),
    ("balanced_accuracy", "balanced_accuracy", at_rates(1, 0.95, 0.001), "0.975", {}),
    ("matthews_corrcoef", "mcc", at_rates(0.9, 0.9, 0.5), "0.8", {}),
    ("matthews_corrcoef", "mcc", at_rates(0.9, 0.9, 0.01), "0.26", {}),
    ("cohen_kappa", "kappa", of_counts(PARADOX), "-0.05", {}),
    ("gwet_ac1", "ac1", of_counts(PARADOX), "0.89", {}),
    ("gwet_ac1", "ac1", of_class(0, 0, 5, 95), "0.95", {}),
    ("bennett_s", "bennett_s", of_class(45, 5, 5, 45), "0.8", {}),
    ("normalized_mutual_information", "nmi",
     of_counts([[1, 1, 0, 0], [0, 0, 1, 1], [0] * 4, [0] * 4]), "0.67", {}),
    ("confusion_entropy", "cen", of_class(10, 40, 40, 10), "1.06", {}),
    ("confusion_entropy", "cen", of_class(0, 50, 50, 0), "1", {}),
]  # fmt: skip


@for_each("row", METRICS)
def test_notes_say_when_to_use_a_metric_and_its_pitfall(row):
    use, pitfall = notes(row)
    assert re.fullmatch(r"Use it [^\n]{35,110}\.", use)
    assert re.fullmatch(r"Pitfall: [^\n]{50,145}\.", pitfall)


def test_no_two_metrics_share_a_text():
    metrics_with = defaultdict(list)
    for row in METRICS:
        for text in notes(row):
            for sentence in re.split(r"(?<=\.) (?=[A-Z])", text):
                metrics_with[sentence].append(row.name)
    assert {text: names for text, names in metrics_with.items() if len(names) > 1} == {}


@pytest.mark.parametrize(("row", "metric", "matrix", "number", "parameters"), NUMBERS)
def test_numbers_of_the_notes_are_right(row, metric, matrix, number, parameters):
    assert re.search(rf"(?<![\w.-]){re.escape(number)}(?![\w]|\.\d)", " ".join(notes(BY_NAME[row])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = matrix.score(metric, **parameters)
    assert f"{value:.{len(number.partition('.')[2])}f}" == number


def test_jaccard_and_f1_order_models_alike():
    random = np.random.default_rng(0)
    models = ConfusionMatrix.from_counts(random.integers(1, 50, (30, 2, 2)), labels=[0, 1])
    f1, jaccard = models.score("f1"), models.score("jaccard")
    assert np.argsort(f1).tolist() == np.argsort(jaccard).tolist()
    assert (jaccard < f1).all()


def test_the_gilbert_skill_orders_models_as_kappa_does():
    random = np.random.default_rng(1)
    models = ConfusionMatrix.from_counts(random.integers(1, 50, (30, 2, 2)), labels=[0, 1])
    kappa = models.score("kappa")
    np.testing.assert_allclose(models.score("ets"), kappa / (2 - kappa), rtol=1e-12)
    assert np.argsort(kappa).tolist() == np.argsort(models.score("ets")).tolist()


def test_informedness_is_balanced_accuracy_and_falls_as_much_by_one_miss_as_by_99_false_alarms():
    perfect, missed, alarmed = (
        of_class(5, 0, 0, 495),
        of_class(4, 0, 1, 495),
        of_class(5, 99, 0, 396),
    )
    for one in (perfect, missed, alarmed):
        assert one.score("informedness") == pytest.approx(2 * one.score("balanced_accuracy") - 1)
    assert missed.score("informedness") == pytest.approx(alarmed.score("informedness"))


def test_swapped_labels_get_the_best_value_of_metrics_that_ignore_which_is_which():
    swapped = of_counts([[0, 5, 0], [0, 0, 7], [9, 0, 0]])
    for metric in ("cramers_v", "nmi", "uncertainty_coefficient"):
        assert swapped.score(metric) == pytest.approx(1)
    assert swapped.score("accuracy") == 0


def test_a_constant_model_is_undefined_for_mcc_and_of_quantity_alone():
    y_true, y_pred = [1] * 5 + [0] * 95, [0] * 100
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert skmetrics_ext.matthews_corrcoef(y_true, y_pred) == 0
    assert skmetrics_ext.allocation_disagreement(y_true, y_pred) == 0
    assert skmetrics_ext.quantity_disagreement(y_true, y_pred) == 0.05


def test_predicting_the_class_for_every_sample_pays_where_false_alarms_cost_little():
    all_of_30 = of_class(30, 70, 0, 0)
    assert all_of_30.score("f1") == pytest.approx(2 * 0.3 / 1.3)
    assert all_of_30.score("fowlkes_mallows_index") == pytest.approx(0.3**0.5)
    assert all_of_30.score("overlap_coefficient") == all_of_30.score("recall") == 1


def test_one_right_prediction_pays_where_misses_cost_nothing():
    once = of_class(1, 0, 9, 90)
    for metric in ("precision", "overlap_coefficient", "yule_q", "edi", "sedi"):
        assert once.score(metric) == pytest.approx(1)
    assert once.score("tversky", alpha=1, beta=0) == 1
    assert once.score("lift") == pytest.approx(10)
    assert once.score("markedness") == pytest.approx(90 / 99)


def test_at_given_rates_precision_and_gilbert_skill_vanish_with_the_class_informedness_stays():
    rarer = [at_rates(0.8, 0.9, prevalence) for prevalence in (0.1, 0.01, 0.001)]
    for metric in ("precision", "f1", "ets", "mcc"):
        values = [one.score(metric) for one in rarer]
        assert values[0] > 2 * values[1] > 4 * values[2] > 0
    assert [one.score("informedness") for one in rarer] == pytest.approx([0.7] * 3)


def test_few_labels_a_sample_make_a_small_hamming_loss():
    y_true = np.zeros((5, 100), dtype=int)
    y_true[:, :2] = 1
    assert skmetrics_ext.hamming_loss(y_true, np.zeros_like(y_true)) == 0.02
    assert "0.02" in notes(BY_NAME["hamming_loss"])[1]
    assert skmetrics_ext.accuracy_score(y_true, np.zeros_like(y_true)) == 0


def test_metrics_of_two_kinds_of_errors_are_perfect_without_one_unless_predictions_are_constant():
    for no_false_alarm_or_miss in (of_class(1, 0, 9, 90), of_class(10, 80, 0, 10)):
        assert no_false_alarm_or_miss.score("dor") == np.inf
        assert no_false_alarm_or_miss.score("yule_q") == no_false_alarm_or_miss.score("sedi") == 1
    for constant in (of_class(0, 0, 10, 90), of_class(10, 90, 0, 0)):
        for metric in ("dor", "yule_q", "sedi"):
            assert np.isnan(constant.score(metric, zero_division=np.nan))
            assert re.search(
                "all (predictions|forecasts) are the same|differ",
                notes(BY_NAME[resolve(metric)[0].name])[1],
            )


def test_class_balance_accuracy_is_never_above_macro_precision_or_recall_of_its_classes():
    for seed in range(200):
        random = np.random.default_rng(seed)
        counts = random.integers(0, 6, (4, 4)) * (random.random((4, 4)) < 0.5)
        of_all = of_counts(counts)
        kept = np.flatnonzero(counts.sum(0) + counts.sum(1))
        if not len(kept):
            continue
        precisions, recalls = (
            [counts[k, k] / total if (total := counts.sum(axis)[k]) else 0 for k in kept]
            for axis in (0, 1)
        )
        assert of_all.score("cba") <= min(np.mean(precisions), np.mean(recalls)) + 1e-12


def test_an_infinite_class_makes_a_macro_average_infinite_and_no_worst_one():
    three = of_counts([[4, 1, 0], [2, 3, 0], [0, 1, 5]])
    assert three.score("plr", average="macro") == np.inf
    assert three.score("plr", average="worst") < np.inf


def test_a_weight_of_0_widens_where_tversky_and_fbeta_are_undefined():
    never_occurs, never_predicted = of_class(0, 3, 0, 7), of_class(0, 0, 3, 7)
    for metric, undefined in (
        ("tversky", ({"alpha": 0}, {"beta": 0})),
        ("fbeta", ({"beta": np.inf}, {"beta": 0})),
    ):
        for matrix, parameters in zip((never_occurs, never_predicted), undefined, strict=True):
            assert np.isnan(matrix.score(metric, zero_division=np.nan, **parameters))
            (name, weight), *_ = parameters.items()
            assert (
                f"{name}={weight}"
                in inspect.getdoc(function_of(BY_NAME[metric])).partition("0/0")[2][:200]
            )


def test_the_gilbert_skill_without_false_alarms_does_not_vanish():
    of_rarer = [at_rates(0.8, 1, prevalence).score("ets") for prevalence in (0.1, 0.001)]
    assert of_rarer == pytest.approx([0.8 * 0.9 / (1 - 0.08), 0.8 * 0.999 / (1 - 0.0008)])


def test_krippendorffs_alpha_falls_with_more_samples_of_the_same_shares():
    y_true, y_pred = [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]
    once = skmetrics_ext.krippendorff_alpha(y_true, y_pred)
    assert skmetrics_ext.krippendorff_alpha(2 * y_true, 2 * y_pred) < once
    assert "falls as the number of samples" in " ".join(
        inspect.getdoc(skmetrics_ext.krippendorff_alpha).split()
    )


def test_labels_that_nobody_uses_raise_agreement_by_number_of_labels():
    y_true, y_pred = [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]
    for function in (skmetrics_ext.gwet_ac1, skmetrics_ext.bennett_s):
        assert function(y_true, y_pred, labels=[0, 1, 2, 3]) > function(y_true, y_pred)
    assert skmetrics_ext.cohen_kappa_score(y_true, y_pred) == skmetrics_ext.cohen_kappa_score(
        y_true, y_pred, labels=[0, 1, 2, 3]
    )


def test_a_likelihood_ratio_multiplies_odds():
    for before, after in ((0.5, "0.09"), (0.9, "0.47")):
        odds = at_rates(0.91, 0.9, before).score("nlr") * before / (1 - before)
        assert f"{odds / (1 + odds):.2f}" == after
        assert after in notes(BY_NAME["negative_likelihood_ratio"])[1]


def test_precision_at_the_prevalence_threshold_is_one_less_the_value():
    threshold = at_rates(0.8, 0.9, 0.5).score("prevalence_threshold")
    assert at_rates(0.8, 0.9, threshold).score("precision") == pytest.approx(1 - threshold)
