"""Intervals of metrics of a matrix: published values, packages, exact cases, edges, errors."""

import itertools
import pickle
import warnings

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from sklearn.exceptions import UndefinedMetricWarning
from statsmodels.stats.proportion import proportion_confint

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    UnreliableIntervalWarning,
    metric_interval,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.properties import OverClasses
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting import resampling
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.results import Interval
from skmetrics_ext.statistics.classes import methods_of_metric
from skmetrics_ext.statistics.estimate import interval_of, intervals_of
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.values import bootstrap
from tests.proportions import mid_p, newcombe
from tests.shared import for_each, parameters_of, quietly

TWO = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
THREE = ConfusionMatrix.from_counts([[30, 4, 1], [3, 20, 7], [2, 5, 40]], labels=["a", "b", "c"])
COSTS = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]])
# Nobody is predicted to be "yes".
ACTUAL, NONE = ["no"] * 15 + ["yes"] * 5, ["no"] * 20
NO_POSITIVES = ConfusionMatrix.from_predictions(ACTUAL, NONE, labels=["no", "yes"])


def table(tp, fp, fn, tn):
    return ConfusionMatrix.from_counts([[tn, fp], [fn, tp]], labels=["no", "yes"])


def limits(interval):
    return np.array([interval.low, interval.high])


def options_of(row, n_classes=3):
    options = parameters_of(row, n_classes)
    is_ordered = row.ordered or row.takes_label_distances
    return {**options, "labels": ["a", "b", "c"][:n_classes]} if is_ordered else options


# Proportions, and functions of them.


@pytest.mark.parametrize(
    ("metric", "hits", "n"),
    [
        ("recall", 45, 50),
        ("precision", 45, 65),
        ("specificity", 80, 100),
        ("npv", 80, 85),
        ("false_positive_rate", 20, 100),
        ("false_negative_rate", 5, 50),
        ("false_discovery_rate", 20, 65),
        ("false_omission_rate", 5, 85),
        ("prevalence", 50, 150),
        ("predicted_positive_rate", 65, 150),
        ("detection_rate", 45, 150),
        ("one_vs_rest_accuracy", 125, 150),
        ("one_vs_rest_error", 25, 150),
        ("accuracy", 125, 150),
        ("zero_one_loss", 25, 150),
        ("hamming_loss", 25, 150),
    ],
)
@pytest.mark.parametrize(
    ("method", "of_scipy"), [("wilson", "wilson"), ("clopper-pearson", "exact"), ("mid-p", None)]
)
def test_shares_are_binomial(metric, hits, n, method, of_scipy):
    interval = TWO.interval(metric, method=method, confidence_level=0.9)
    expected = mid_p(hits, n, 0.1)
    if of_scipy is not None:
        expected = stats.binomtest(hits, n).proportion_ci(0.9, method=of_scipy)
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-10)
    assert interval.value == TWO.score(metric)
    assert interval.n_undefined == 0
    if method == "mid-p":
        assert (
            limits(TWO.interval(metric, confidence_level=0.9)).tolist() == limits(interval).tolist()
        )


@pytest.mark.parametrize(
    ("metric", "carry", "parameters"),
    [
        ("jaccard", lambda j: j, {}),
        ("f1", lambda j: 2 * j / (1 + j), {}),
        ("fbeta", lambda j: 2 * j / (1 + j), {"beta": 1}),
        ("tversky", lambda j: j / (j + 0.3 * (1 - j)), {"alpha": 0.3, "beta": 0.3}),
        ("tversky", lambda j: j / (j + 0.5 * (1 - j)), {}),
    ],
)
def test_overlaps_are_carried_over_from_jaccard(metric, carry, parameters):
    interval = TWO.interval(metric, **parameters)
    ends = np.array(mid_p(45, 70))
    assert interval.method == "mid-P"
    np.testing.assert_allclose(limits(interval), carry(ends), rtol=1e-12)
    assert interval.low < interval.value < interval.high


@pytest.mark.parametrize(
    ("metric", "parameters"), [("fbeta", {"beta": 2}), ("tversky", {"alpha": 0.3, "beta": 0.4})]
)
def test_overlaps_of_unequal_errors_have_an_effective_number_of_them(metric, parameters):
    """Kish's: errors of weights a and b are as many as have the variance, of their mean weight."""
    tp, fp, fn = 45, 20, 5
    a, b = (1 / 5, 4 / 5) if metric == "fbeta" else (0.3, 0.4)
    typical = (a**2 * (fp + 1) + b**2 * (fn + 1)) / (a * (fp + 1) + b * (fn + 1))
    errors = (a * fp + b * fn) / typical
    low, high = mid_p(tp, tp + errors)
    interval = TWO.interval(metric, **parameters)
    assert interval.method == "mid-P"
    expected = [of / (of + typical * (1 - of)) for of in (low, high)]
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("metric", "carry"),
    [
        ("precision", lambda a: a),
        ("recall", lambda a: a),
        ("f1", lambda a: a),
        ("jaccard", lambda a: a / (2 - a)),
        ("specificity", lambda a: 1 - (1 - a) / 2),
        ("npv", lambda a: 1 - (1 - a) / 2),
        ("one_vs_rest_accuracy", lambda a: 1 - 2 * (1 - a) / 3),
        ("false_positive_rate", lambda a: (1 - a) / 2),
        ("false_discovery_rate", lambda a: 1 - a),
        ("one_vs_rest_error", lambda a: 2 * (1 - a) / 3),
        ("detection_rate", lambda a: a / 3),
    ],
)
def test_micro_averages_follow_from_the_accuracy(metric, carry):
    ends = carry(np.array(mid_p(90, 112)))
    interval = THREE.interval(metric, average="micro")
    assert interval.value == pytest.approx(carry(90 / 112), rel=1e-12)
    np.testing.assert_allclose(limits(interval), np.sort(ends), rtol=1e-12)


def test_micro_averages_of_some_classes():
    for metric, labels, hits, n in (
        ("precision", ["a", "c"], 70, 35 + 48),
        ("recall", ["a", "b"], 50, 35 + 30),
    ):
        interval = THREE.interval(metric, average="micro", labels=labels)
        np.testing.assert_allclose(limits(interval), mid_p(hits, n))
    assert (
        THREE.interval("f1", average="micro", labels=["a", "b"], n_resamples=100).method
        == "smoothed bootstrap"
    )


def test_bennetts_s_follows_from_the_accuracy():
    ends = np.array(mid_p(90, 112))
    np.testing.assert_allclose(
        limits(THREE.interval("bennett_s")), (ends - 1 / 3) / (2 / 3), rtol=1e-12
    )


# Two proportions.


def test_informedness_has_the_published_limits_of_a_difference_of_proportions():
    # Newcombe (1998), Statistics in Medicine 17:873, table II, method 10: 56/70 - 48/80.
    interval = table(tp=56, fn=14, fp=48, tn=32).interval("informedness", method="mover")
    np.testing.assert_allclose(limits(interval), [0.0524, 0.3339], atol=5e-5)
    interval = table(tp=56, fn=14, fp=48, tn=32).interval("informedness")
    np.testing.assert_allclose(limits(interval), newcombe(56, 70, 48, 80), rtol=1e-9)
    half = table(tp=56, fn=14, fp=48, tn=32).interval("one_vs_rest_balanced_accuracy")
    np.testing.assert_allclose(limits(half), (limits(interval) + 1) / 2, rtol=1e-12)
    turned = table(tp=56, fp=14, fn=48, tn=32).interval("markedness")
    np.testing.assert_allclose(limits(turned), limits(interval), rtol=1e-12)


@pytest.mark.parametrize(
    ("metric", "range_of", "unknown"),
    [
        ("informedness", (-1, 1), [table(9, 0, 1, 0), table(0, 1, 0, 9), table(0, 3, 0, 0)]),
        ("one_vs_rest_balanced_accuracy", (0, 1), [table(9, 0, 1, 0), table(0, 1, 0, 9)]),
        ("markedness", (-1, 1), [table(9, 1, 0, 0), table(0, 0, 1, 9)]),
    ],
)
def test_two_proportions_of_which_one_has_no_samples(metric, range_of, unknown):
    for cm in unknown:
        interval = cm.interval(metric, zero_division=np.nan)
        assert (interval.low, interval.high) == range_of
        assert np.isnan(interval.value)


def test_overlap_has_the_larger_limits_of_precision_and_recall():
    for tp, fp, fn in ((30, 10, 3), (30, 3, 10), (30, 7, 7)):
        interval = table(tp=tp, fp=fp, fn=fn, tn=40).interval("overlap_coefficient")
        both = [mid_p(tp, tp + errors) for errors in (fp, fn)]
        np.testing.assert_allclose(limits(interval), np.max(both, axis=0), rtol=1e-12)


# Values between known ends.


def samples_worth(value_of, cells, least, most):
    """A value's place in its range, and the samples of a proportion there with the variance of the
    delta method: of multinomial cells, with numerical derivatives.
    """
    cells = np.asarray(cells, dtype=float)
    n, steps = cells.sum(), 1e-6 * np.eye(cells.size).reshape(-1, *cells.shape)
    slopes = np.array([(value_of(cells + h) - value_of(cells - h)) / 2e-6 for h in steps])
    flat = cells.ravel()
    variance = (flat @ slopes**2 - (flat @ slopes) ** 2 / n) * n
    place = (value_of(cells) - least) / (most - least)
    # Of one sample, on the scale of the range.
    return place, place * (1 - place) * (most - least) ** 2 / variance


def phi(cells):
    (tn, fp), (fn, tp) = cells
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def kappa(cells):
    chance = cells.sum(0) @ cells.sum(1) / cells.sum() ** 2
    return (np.trace(cells) / cells.sum() - chance) / (1 - chance)


def root_of_rates(cells):
    return np.sqrt(np.prod(np.diagonal(cells) / cells.sum(1)))


@pytest.mark.parametrize("method", ["auto", "effective-clopper-pearson"])
@pytest.mark.parametrize(
    ("metric", "value_of", "least", "counts"),
    [
        ("matthews_corrcoef", phi, -1, [[80, 20], [5, 45]]),
        ("phi_coefficient", phi, -1, [[200, 1], [0, 30]]),
        ("cohen_kappa", kappa, -1, [[80, 20], [5, 45]]),
        ("cohen_kappa", kappa, -1, [[30, 2, 5], [3, 40, 9], [0, 8, 21]]),
        ("g_mean", root_of_rates, 0, [[80, 20], [5, 45]]),
    ],
)
def test_bounded_values_are_proportions_of_an_effective_number(
    metric, value_of, least, counts, method
):
    counts = np.array(counts)
    n, n_cells = counts.sum(), counts.size
    added = 0.5 if n_cells == 4 else 1 / n_cells
    (place, of_counts), (_, of_smoothed) = (
        samples_worth(value_of, cells, least, 1) for cells in (counts, counts + added)
    )
    effective = n * min(of_counts, of_smoothed)
    expected = mid_p(place * effective, effective)
    if method != "auto":
        expected = proportion_confint(place * effective, effective, method="beta")
    found = ConfusionMatrix.from_counts(counts, labels=list(range(len(counts)))).interval(
        metric, method=method
    )
    assert found.method.endswith("of an effective n")
    np.testing.assert_allclose(limits(found), least + (1 - least) * np.array(expected), rtol=1e-5)


def test_at_an_end_the_smoothed_counts_say_how_uncertain_a_value_is():
    perfect = ConfusionMatrix.from_counts([[40, 0], [0, 20]], labels=[0, 1]).interval("mcc")
    _, of_one = samples_worth(phi, [[40.5, 0.5], [0.5, 20.5]], -1, 1)
    assert perfect.high == 1
    assert perfect.low == pytest.approx(2 * 0.05 ** (1 / (60 * of_one)) - 1, rel=1e-6)


# An expected cost of false negatives, each as many others: three samples of which one is such.
COSTLY = {"cost_matrix": [[0, 1], [50, 0]]}


@pytest.mark.parametrize(
    ("metric", "counts", "n", "options"),
    [
        ("cohen_kappa", [[40, 9], [2, 8]], None, {}),
        ("cohen_kappa", [[40, 9], [2, 7]], 9, {}),
        # Of three classes all but the most frequent one.
        ("cohen_kappa", [[40, 9, 1], [1, 3, 2], [1, 0, 3]], None, {}),
        ("cohen_kappa", [[40, 9, 1], [1, 3, 2], [1, 0, 2]], 9, {}),
        # With half a sample in each cell: (7.5 x 50^2 + ...)^3 / (7.5 x 50^3 + ...)^2 of 7 errors.
        ("expected_cost", [[40, 9], [7, 9]], None, COSTLY),
        ("expected_cost", [[40, 9], [1, 9]], 1.6, COSTLY),
        ("expected_cost", [[40, 9], [0, 0]], 0, COSTLY),
    ],
)
def test_samples_that_decide_about_an_effective_number_are_told_where_few(
    metric, counts, n, options
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        found = ConfusionMatrix.from_counts(counts, labels=range(len(counts))).interval(
            metric, **options
        )
    told = [of.text for of in found.caveats if of.code == "few_samples"]
    assert [f"too few samples, {n} (" in text for text in told] == ([] if n is None else [True])


def test_values_with_an_effective_number_hold_where_they_carry_no_caveat():
    """By the probability of each table of 20 samples, wherever a tenth of them is silent; those of
    fewer than 8 samples of a class are left out, being told.
    """
    n = 20
    cells = np.indices((n + 1,) * 3).reshape(3, -1).T
    cells = np.column_stack([cells, n - cells.sum(1)])
    actual = cells[:, :2].sum(1)
    tables = cells[(cells >= 0).all(1) & (actual >= 8) & (actual <= n - 8)].reshape(-1, 2, 2)
    scenarios = itertools.product((0.2, 0.35, 0.5), (0.3, 0.55, 0.8, 0.95), (0.3, 0.8))
    shares = np.array(
        [
            [[(1 - of_1) * specificity, (1 - of_1) * (1 - specificity)], [of_1 * (1 - r), of_1 * r]]
            for of_1, r, specificity in scenarios
        ]
    )
    likely = np.exp(
        special.gammaln(n + 1)
        - special.gammaln(tables + 1).sum((1, 2))
        + (tables * np.log(shares)[:, None]).sum((2, 3))
    )
    cm = ConfusionMatrix.from_counts(tables, labels=[0, 1])
    truths = ConfusionMatrix.from_counts(np.rint(shares * 1e15).astype(int), labels=[0, 1])
    worst = {}
    for row in METRICS:
        is_linear = row.kind == "linear over linear"
        if is_linear or methods_of_metric(row, "independent")[0] != "effective-mid-p":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = cm.interval(row.name)
        is_silent = ~np.any([of.entries for of in found.caveats], axis=0)
        truth = truths.score(row.name)[:, None]
        is_missed = is_silent & ((found.low > truth) | (found.high < truth))
        n_silent = (likely * is_silent).sum(1)
        missed = (likely * is_missed).sum(1) / n_silent
        worst[row.name] = missed[n_silent > 0.1].max()
    assert len(worst) > 8
    assert max(worst.values()) < 0.1, worst


# Ratios.


def test_odds_ratio_and_relative_risk_are_those_of_scipy():
    tp, fp, fn, tn = 45, 20, 5, 80
    interval = TWO.interval("diagnostic_odds_ratio", confidence_level=0.9)
    expected = stats.contingency.odds_ratio(
        [[tp, fp], [fn, tn]], kind="sample"
    ).confidence_interval(0.9)
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-7)
    interval = TWO.interval("relative_risk", confidence_level=0.9, method="delta")
    expected = stats.contingency.relative_risk(tp, tp + fp, fn, fn + tn).confidence_interval(0.9)
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-7)


def test_likelihood_ratios_have_the_limits_of_simel():
    # Simel et al. (1991): variance of the logarithm 1/tp - 1/(tp + fn) + 1/fp - 1/(fp + tn), and
    # with fn and tn.
    z = stats.norm.ppf(0.975)
    for metric, a, b in (
        ("positive_likelihood_ratio", 45, 20),
        ("negative_likelihood_ratio", 5, 80),
    ):
        half = z * np.sqrt(1 / a - 1 / 50 + 1 / b - 1 / 100)
        value = (a / 50) / (b / 100)
        np.testing.assert_allclose(
            limits(TWO.interval(metric, method="delta")), value * np.exp([-half, half]), rtol=1e-7
        )


def test_frequency_bias_by_the_delta_method_by_hand():
    # g = 1/65 - 1/50 at tp, 1/65 at fp and -1/50 at fn.
    half = stats.norm.ppf(0.975) * np.sqrt(45 * (1 / 65 - 1 / 50) ** 2 + 20 / 65**2 + 5 / 50**2)
    np.testing.assert_allclose(
        limits(TWO.interval("frequency_bias")), 65 / 50 * np.exp([-half, half]), rtol=1e-7
    )


def test_yule_q_and_the_prevalence_threshold_are_carried_over():
    odds = limits(TWO.interval("diagnostic_odds_ratio"))
    np.testing.assert_allclose(limits(TWO.interval("yule_q")), (odds - 1) / (odds + 1), rtol=1e-7)
    ratios = limits(TWO.interval("positive_likelihood_ratio"))
    np.testing.assert_allclose(
        limits(TWO.interval("prevalence_threshold")), 1 / (1 + np.sqrt(ratios[::-1])), rtol=1e-7
    )


def test_ratios_of_proportions_are_those_of_fieller_on_the_limits_of_both():
    # Donner & Zou (2012): the limits t of a ratio are where that of first - t second has 0 as a
    # limit.
    for metric, first, second in (
        ("positive_likelihood_ratio", (45, 50), (20, 100)),
        ("negative_likelihood_ratio", (5, 50), (80, 100)),
        ("relative_risk", (45, 65), (5, 85)),
    ):
        (a, *of_first), (b, *of_second) = ((k / n, *mid_p(k, n)) for k, n in (first, second))
        for limit, (near, far) in zip(
            limits(TWO.interval(metric)),
            [(of_first[0], of_second[1]), (of_first[1], of_second[0])],
            strict=True,
        ):
            assert abs(a - limit * b) == pytest.approx(
                np.hypot(a - near, limit * (b - far)), rel=1e-9
            )


def test_a_ratio_of_empty_cells_has_all_that_it_may_be():
    sure = table(tp=9, fp=0, fn=3, tn=8).interval("positive_likelihood_ratio")
    assert (sure.value, sure.high) == (np.inf, np.inf)
    # For 0/8 the lower limit is 0, so that t^2 of the upper one squared is 2 a l - l^2.
    low = mid_p(9, 12).low
    highest = 1 - 0.05 ** (1 / 8)
    assert sure.low == pytest.approx(np.sqrt(1.5 * low - low**2) / highest, rel=1e-9)
    none = table(tp=0, fp=2, fn=3, tn=8).interval("positive_likelihood_ratio")
    assert (none.value, none.low) == (0, 0)
    assert 0 < none.high < np.inf
    unknown = table(tp=0, fp=2, fn=0, tn=8)
    for metric, widest in (
        ("positive_likelihood_ratio", [0, np.inf]),
        ("prevalence_threshold", [0, 1]),
    ):
        np.testing.assert_array_equal(
            limits(unknown.interval(metric, zero_division=np.nan)), widest
        )


def test_a_table_with_an_empty_cell_gets_half_a_sample_in_all_four():
    whole = table(tp=90, fp=0, fn=30, tn=80)
    interval = whole.interval("diagnostic_odds_ratio")
    assert (interval.value, interval.high) == (np.inf, np.inf)
    half = stats.norm.ppf(0.975) * np.sqrt(1 / 90.5 + 1 / 0.5 + 1 / 30.5 + 1 / 80.5)
    assert interval.low == pytest.approx(
        np.exp(np.log(90.5 * 80.5 / (0.5 * 30.5)) - half), rel=1e-7
    )
    assert limits(whole.interval("yule_q"))[1] == 1
    none = table(tp=0, fp=20, fn=30, tn=80)
    assert limits(none.interval("diagnostic_odds_ratio"))[0] == 0
    assert limits(none.interval("yule_q"))[0] == -1
    unknown = table(tp=0, fp=0, fn=30, tn=80).interval(
        "diagnostic_odds_ratio", zero_division=np.nan
    )
    np.testing.assert_array_equal(limits(unknown), [0, np.inf])


def test_an_empty_cell_of_one_table_changes_no_other():
    cm = ConfusionMatrix.from_counts(
        [[[80, 20], [5, 45]], [[80, 0], [30, 90]]], labels=["no", "yes"]
    )
    expected = stats.contingency.odds_ratio([[45, 20], [5, 80]], kind="sample").confidence_interval(
        0.95
    )
    np.testing.assert_allclose(
        limits(cm.interval("diagnostic_odds_ratio"))[:, 0], expected, rtol=1e-7
    )


# The delta method.


def test_kappa_has_the_published_standard_error():
    cm = ConfusionMatrix.from_counts([[0, 4, 1], [0, 8, 0], [0, 1, 5]], labels=[0, 1, 2])
    interval = cm.interval("cohen_kappa", method="delta")
    assert interval.value == pytest.approx(0.4842, abs=5e-5)
    assert (interval.high - interval.low) / 2 / stats.norm.ppf(0.975) == pytest.approx(
        0.1380, abs=5e-5
    )


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_delta_of_proportions_is_walds_interval():
    share, n = 45 / 50, 50
    half = stats.norm.ppf(0.975) * np.sqrt(share * (1 - share) / n)
    expected = [share - half, share + half]
    np.testing.assert_allclose(limits(TWO.interval("recall", method="delta")), expected, rtol=1e-8)
    # Given the actual classes the variance of the accuracy is that of both recalls.
    half = stats.norm.ppf(0.975) * np.sqrt(100 * 0.8 * 0.2 + 50 * 0.9 * 0.1) / 150
    given = TWO.interval("accuracy", method="delta", fixed="actual")
    np.testing.assert_allclose(limits(given), [125 / 150 - half, 125 / 150 + half], rtol=1e-8)


def test_delta_without_a_caveat_covers_a_rate_of_few_errors():
    """Wald's limits of all outcomes; those without a caveat by exact probabilities."""
    n, misses = 400, np.arange(1, 61)
    tables = np.zeros((len(misses), 2, 2), dtype=int)
    tables[:, 0, 0], tables[:, 1, 0], tables[:, 1, 1] = 50, misses, n - misses
    with pytest.warns(UserWarning, match="recall is based on too few samples"):
        found = ConfusionMatrix.from_counts(tables, labels=[0, 1]).interval(
            "recall", method="delta"
        )
    is_silent = ~np.any([caveat.entries for caveat in found.caveats], 0)
    # A proportion's square of the variance over the third moment, of half a sample more of both.
    p = (misses + 0.5) / (n + 1)
    skewed_as = (n + 1) * p * (1 - p) / (p**2 + (1 - p) ** 2) ** 2
    np.testing.assert_array_equal(is_silent, skewed_as >= 10)
    for share in np.linspace(0.02, 0.08, 61):
        probability = stats.binom.pmf(misses, n, share) * is_silent
        is_right = (found.low <= 1 - share) & (1 - share <= found.high)
        assert probability.sum() < 0.25 or probability @ is_right > 0.9 * probability.sum()


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_delta_of_costs_tells_that_costly_errors_did_not_occur():
    """Of cheap ones there are enough."""
    codes = []
    for costly in (0, 20):
        cm = ConfusionMatrix.from_counts([[470, 30], [costly, 500 - costly]], labels=[0, 1])
        interval = cm.interval("expected_cost", cost_matrix=[[0, 1], [9, 0]], method="delta")
        codes.append([caveat.code for caveat in interval.caveats])
    assert codes == [["few_samples"], []]


def test_delta_of_many_classes_takes_its_cells_in_chunks():
    counts = np.random.default_rng(0).integers(1, 9, (30, 30)) + 20 * np.eye(30, dtype=int)
    cm = ConfusionMatrix.from_counts(counts, labels=range(30))
    share, n = np.trace(counts) / counts.sum(), counts.sum()
    half = stats.norm.ppf(0.975) * np.sqrt(share * (1 - share) / n)
    np.testing.assert_allclose(
        limits(cm.interval("accuracy", method="delta")), [share - half, share + half], rtol=1e-7
    )


KINKED = [row for row in METRICS if row.kind == "kinked"]


# The largest of the classes has the methods of these.
@for_each("row", [row for row in KINKED if not isinstance(row.made_of, OverClasses)])
def test_metrics_without_a_slope_at_ties_refuse_delta(row):
    with pytest.raises(
        ValueError, match=r"method='delta' does not apply to .*: choose one of \['bootstrap'"
    ):
        THREE.interval(row.name, average="macro" if row.has_average else "binary", method="delta")


# Resampling.


@pytest.mark.parametrize("metric", ["scott_pi", "krippendorff_alpha", "expected_cost"])
def test_ten_samples_outside_of_one_class_are_needed_for_replicates(metric):
    options = {"n_resamples": 100, "random_state": 0, **parameters_of(BY_NAME[metric])}
    options["method"] = "smoothed-bootstrap"
    ConfusionMatrix.from_counts([[85, 5], [5, 5]], labels=[0, 1]).interval(metric, **options)
    for n, counts in ((9, [[86, 5], [4, 5]]), (9, [[86, 4], [5, 5]]), (0, [[90, 10], [0, 0]])):
        with pytest.warns(UserWarning, match=f"{metric} is based on too few samples, {n}"):
            ConfusionMatrix.from_counts(counts, labels=[0, 1]).interval(metric, **options)


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_percentiles_are_those_of_all_samples_with_replacement():
    # For 3 samples of two kinds the proportion of hits is binomial(3, p) / 3 with p = (2 + .5 + .5)
    # / (3 + 2).
    few = table(tp=2, fp=0, fn=0, tn=1)
    options = {
        "method": "smoothed-bootstrap",
        "confidence_level": 0.6,
        "n_resamples": 50_000,
        "random_state": 0,
    }
    interval = few.interval("prevalence", **options)
    distribution = stats.binom(3, 3 / 5)
    np.testing.assert_allclose(limits(interval), distribution.ppf([0.2, 0.8]) / 3)


class Known(np.random.Generator):
    """A generator whose replicates are known tables."""

    def __init__(self, tables):
        super().__init__(np.random.PCG64(0))
        self.tables = tables

    def multinomial(self, *_, **__):
        return self.tables


def draws(monkeypatch, tables):
    """Let all replicates be these tables."""
    monkeypatch.setattr(bootstrap, "random_of", lambda _: Known(tables))


@pytest.mark.parametrize(
    ("level", "rank"), [(0.95, 5), (0.9, 10), (0.94, 6), (0.951, 4), (0.949, 5)]
)
def test_limits_are_the_order_statistics_of_known_replicates(monkeypatch, level, rank):
    # Of 199 values the lowest 5 of 200 gaps hold 2.5 %; undefined replicates are ignored.
    hits = np.random.default_rng(0).permutation(np.arange(1, 200))
    tables = np.zeros((259, 4), dtype=int)
    tables[30:229] = np.stack([np.zeros(199), 199 - hits, np.zeros(199), hits], axis=1)
    draws(monkeypatch, tables)
    with pytest.warns(UserWarning, match="precision is undefined in 60 of 259 replicates"):
        interval = table(tp=99, fp=99, fn=1, tn=0).interval(
            "precision",
            method="smoothed-bootstrap",
            confidence_level=level,
            n_resamples=259,
            random_state=0,
        )
    assert interval.n_undefined == 60
    np.testing.assert_allclose(limits(interval) * 199, [rank, 200 - rank], rtol=1e-12)


def test_shares_after_the_counts_of_one_class_are_beta():
    for prior in (0.5, 1, 7):
        interval = TWO.interval(
            "recall", method="dirichlet", prior=prior, n_resamples=50_000, random_state=0
        )
        expected = stats.beta(45 + prior, 5 + prior).ppf([0.025, 0.975])
        np.testing.assert_allclose(limits(interval), expected, atol=0.004)
    same = [
        TWO.interval("recall", method="dirichlet", prior=p, random_state=0).low for p in (None, 0.5)
    ]
    assert same[0] == same[1]


def test_posterior_proportions_have_no_prior_for_a_class_that_never_occurs():
    cm = ConfusionMatrix.from_counts([[30, 5, 0], [4, 20, 0], [0, 0, 0]], labels=list("abc"))
    interval = cm.interval(
        "accuracy", method="dirichlet", prior=7, n_resamples=20_000, random_state=0
    )
    # 7 samples in each of four cells, two of which are correct; the prior shifts the limits away
    # from the value, which a method asked for by name may leave outside.
    low, high = stats.beta(50 + 14, 9 + 14).ppf([0.025, 0.975])
    assert high < 50 / 59
    np.testing.assert_allclose(limits(interval), [low, high], atol=0.005)


def test_undefined_replicates_are_left_out_and_counted():
    rare = table(tp=1, fp=0, fn=0, tn=9)
    with (
        pytest.warns(
            UserWarning, match=r"precision is based on too few samples, 1 \(of the rarest"
        ),
        pytest.warns(UserWarning, match=r"precision is undefined in \d+ of 999 replicates"),
    ):
        interval = rare.interval(
            "precision", method="smoothed-bootstrap", n_resamples=999, random_state=0
        )
    # No sample is predicted positive: (1 - (1 + 1) / (10 + 2)) ** 10.
    assert interval.n_undefined == pytest.approx(
        999 * (10 / 12) ** 10, abs=5 * np.sqrt(999 * 0.16 * 0.84)
    )
    assert 0 <= interval.low < interval.high == 1


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_infinite_replicates_count_as_what_they_are():
    interval = table(tp=9, fp=1, fn=3, tn=8).interval(
        "diagnostic_odds_ratio", method="smoothed-bootstrap", random_state=0
    )
    assert np.isfinite(interval.low)
    assert interval.high == np.inf


def test_a_class_that_is_undefined_in_a_replicate_is_left_out_of_its_average():
    # The third class has one sample, which is correct: as 0 where it is not drawn, the limit would
    # be 2/3.
    cm = ConfusionMatrix.from_counts(np.diag([50, 50, 1]), labels=["a", "b", "c"])
    with pytest.warns(
        UserWarning, match=r"recall_macro is based on too few samples, 1 \(of the rarest"
    ):
        interval = cm.interval(
            "recall_macro", confidence_level=0.5, random_state=0, method="smoothed-bootstrap"
        )
    assert interval.low > 0.9


@pytest.mark.parametrize(
    ("metric", "average"),
    [
        ("recall", "macro"),
        *itertools.product(["false_positive_rate", "f1", "yule_q"], ["macro", "weighted"]),
    ],
)
def test_limits_of_a_mean_are_at_least_as_wide_as_mover_of_its_classes(metric, average):
    # With few errors in few samples: the square root of the sum of the squared distances of each
    # class from its limits.
    cm = ConfusionMatrix.from_counts([[90, 0, 0], [0, 12, 0], [1, 0, 11]], labels=list("abc"))
    each, mean = (
        cm.interval(metric, average=None),
        cm.interval(metric, average=average, n_resamples=999),
    )
    assert mean.method == "the wider of smoothed bootstrap and MOVER"
    weights = np.array([90, 12, 12]) / 114 if average == "weighted" else np.full(3, 1 / 3)
    # Those of values at an end of Yule's scale, which err to the same side, add up.
    is_at_end = np.abs(each.value) == 1 if metric == "yule_q" else np.zeros(3, dtype=bool)
    below, above = (
        distances[is_at_end].sum() + np.sqrt((distances[~is_at_end] ** 2).sum())
        for distances in (weights * np.abs(each.value - end) for end in (each.low, each.high))
    )
    resampled = limits(
        cm.interval(metric, average=average, method="smoothed-bootstrap", n_resamples=999)
    )
    expected = [min(resampled[0], mean.value - below), max(resampled[1], mean.value + above)]
    np.testing.assert_allclose(limits(mean), expected, rtol=1e-12)
    assert (limits(mean) != resampled).any() or metric == "f1"


# Of four classes with 23 right of 50 samples each, and 9 for each other class, divided by n.
INFORMATION = 0.46 * np.log(4 * 0.46) + 0.54 * np.log(4 * 0.18)


@pytest.mark.parametrize(
    ("metric", "truth"),
    [
        ("mutual_information", INFORMATION),
        ("uncertainty_coefficient", INFORMATION / np.log(4)),
        ("cramers_v", 0.28),
        ("confusion_entropy", 0.54 * np.log(1 / 0.09) / np.log(6)),
    ],
)
def test_limits_of_biased_replicates_reach_the_true_value(metric, truth):
    # Percentiles of the replicates alone cover it in 80 to 88 % of these samples.
    cells = (np.full(16, 9) + 14 * np.eye(4).ravel()) / 200
    counts = np.random.default_rng(0).multinomial(200, cells, 40).reshape(-1, 4, 4)
    interval = ConfusionMatrix.from_counts(counts, labels=range(4)).interval(
        metric, random_state=0, n_resamples=200
    )
    assert ((interval.low <= truth) & (truth <= interval.high)).mean() >= 0.9


def test_limits_of_independent_sides_reach_to_0():
    # All replicates are above the true value.
    counts = np.random.default_rng(0).multinomial(200, np.full(16, 1 / 16)).reshape(4, 4)
    cm = ConfusionMatrix.from_counts(counts, labels=range(4))
    for metric in (
        "mutual_information",
        "cramers_v",
        "uncertainty_coefficient",
        "normalized_mutual_information",
    ):
        assert cm.interval(metric, random_state=0, n_resamples=500).low == 0


def test_disagreements_move_as_far_as_the_margins_do():
    counts = np.array([[40, 10], [2, 48]])
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    smoothed = counts.ravel() + 1 / 2
    tn, fp, fn, tp = np.random.default_rng(1).multinomial(100, smoothed / 102, 20_000).T / 100
    of_quantity = np.abs((fp - fn) - 0.08)
    of_allocation = of_quantity + np.abs(tn + tp - 0.88)
    for metric, moves in (
        ("quantity_disagreement", of_quantity),
        ("allocation_disagreement", of_allocation),
    ):
        interval, value = cm.interval(metric, random_state=0), cm.score(metric)
        farthest = np.quantile(moves, 0.95)
        np.testing.assert_allclose(
            limits(interval), [max(value - farthest, 0), value + farthest], atol=0.006
        )


def test_values_of_perfect_tables_lie_within_their_limits():
    perfect = ConfusionMatrix.from_counts(np.diag([20, 20, 20]), labels=range(3))
    averages = itertools.cycle(("macro", "weighted", "micro"))
    for row in METRICS:
        options = parameters_of(row, 3)
        if row.has_average:
            options["average"] = next(averages)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            interval = perfect.interval(row.name, random_state=0, n_resamples=100, **options)
        assert not interval.low >= interval.high, row.name
        assert not interval.low > interval.value, row.name
        assert not interval.high < interval.value, row.name


# The worst of the classes.


@pytest.mark.parametrize(
    ("metric", "least"), [("recall", True), ("precision", True), ("false_positive_rate", False)]
)
def test_the_worst_class_has_limits_from_those_of_all_classes(metric, least):
    counts = np.array([[90, 6, 4], [10, 40, 0], [5, 5, 15]])
    cm = ConfusionMatrix.from_counts(counts, labels=list("abc"))
    hits, n = {
        "recall": (counts.diagonal(), counts.sum(1)),
        "precision": (counts.diagonal(), counts.sum(0)),
        "false_positive_rate": (counts.sum(0) - counts.diagonal(), counts.sum() - counts.sum(1)),
    }[metric]
    cells = list(zip(hits, n, strict=True))
    each = np.array([mid_p(k, m) for k, m in cells])
    of_all = np.array(
        [
            stats.binomtest(int(k), int(m)).proportion_ci(1 - 0.05 / 3, method="exact")
            for k, m in cells
        ]
    )
    expected = (
        [each[:, 0].min(), of_all[:, 1].min()] if least else [of_all[:, 0].max(), each[:, 1].max()]
    )
    interval = cm.interval(f"{metric}_worst")
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-12)
    assert interval.method == "mid-P for each class"


def test_the_no_information_rate_is_the_largest_prevalence():
    alone = ConfusionMatrix.from_counts([[200, 0], [0, 0]], labels=["a", "b"]).interval(
        "no_information_rate"
    )
    # A second class that never occurs might occur, so both share alpha.
    assert alone.high == 1
    assert pytest.approx(alone.low) == (0.05 / 2 / 2) ** (1 / 200)


@pytest.mark.parametrize(
    ("metric", "n_classes"), [("recall_worst", 10), ("precision_worst", 5), ("f1_worst", 5)]
)
def test_the_worst_of_equal_classes_is_covered(metric, n_classes):
    distribution = np.full((n_classes, n_classes), 0.2 / (n_classes - 1)) + (
        0.8 - 0.2 / (n_classes - 1)
    ) * np.eye(n_classes)
    counts = (
        np.random.default_rng(0)
        .multinomial(1000, distribution.ravel() / n_classes, 400)
        .reshape(-1, n_classes, n_classes)
    )
    interval = ConfusionMatrix.from_counts(counts, labels=range(n_classes)).interval(metric)
    assert ((interval.low <= 0.8) & (interval.high >= 0.8)).mean() >= 0.9


def test_the_bias_is_that_of_the_replicates_that_have_a_value(monkeypatch):
    # For [[k, 50 - k], [50 - k, k]] Cramer's V is |2 k - 50| / 50; of a single row it is unknown.
    k = np.repeat([42, 43, 44], 50)
    tables = np.tile([100, 0, 0, 0], (200, 1))
    tables[:150] = np.stack([k, 50 - k, 50 - k, k], axis=1)
    cm = ConfusionMatrix.from_counts([[40, 10], [10, 40]], labels=[0, 1])
    draws(monkeypatch, tables)
    with pytest.warns(UserWarning, match="cramers_v is undefined in 50 of 200 replicates"):
        interval = cm.interval("cramers_v", n_resamples=200, random_state=0)
    drawn_from = (2 * 40.5 - 51) / 51
    np.testing.assert_allclose(limits(interval), [0.68 - 4 * (0.72 - drawn_from), 0.76], rtol=1e-12)


def test_confusion_entropy_of_two_classes_may_pass_1():
    def entropy(tn, fp, fn, tp):
        weighed = 0
        for hits in (tn, tp):
            involved = 2 * hits + fp + fn
            weighed = weighed + involved * (
                special.entr(fp / involved) + special.entr(fn / involved)
            )
        return weighed / (2 * (tn + fp + fn + tp)) / np.log(2)

    counts = np.array([1000, 4100, 3900, 1000])
    interval = ConfusionMatrix.from_counts(counts.reshape(2, 2), labels=[0, 1]).interval(
        "confusion_entropy", random_state=0
    )
    smoothed = counts + 1 / 2
    values = entropy(*np.random.default_rng(1).multinomial(10_000, smoothed / 10_002, 20_000).T)
    low, high = np.quantile(values, [0.025, 0.975])
    excess = values.mean() - entropy(*smoothed)
    np.testing.assert_allclose(limits(interval), [low, high - 4 * min(excess, 0)], atol=0.004)
    assert interval.value == pytest.approx(entropy(*counts))
    assert 1 < interval.low < interval.value < interval.high


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_means_of_overlaps_reach_twice_the_bias_of_known_replicates(monkeypatch, average):
    # So that cells are NumPy's multinomial numbers.
    monkeypatch.setattr(resampling, "ROOT_OF_SAMPLES", 0)

    def f1(matrices):
        rows, columns = matrices.sum(-1), matrices.sum(-2)
        each = 2 * np.diagonal(matrices, axis1=-2, axis2=-1) / (rows + columns)
        return each.mean(-1) if average == "macro" else (rows * each).sum(-1) / rows.sum(-1)

    smoothed = THREE.counts + 1 / 9
    tables = np.random.default_rng(1).multinomial(112, smoothed.ravel() / 113, 199)
    values = np.sort(f1(tables.reshape(-1, 3, 3)))
    excess = values.mean() - f1(smoothed)
    assert excess < 0
    draws(monkeypatch, tables)
    interval = THREE.interval(
        "f1", average=average, n_resamples=199, random_state=0, method="smoothed-bootstrap"
    )
    np.testing.assert_allclose(limits(interval), [values[4], values[194] - 2 * excess], rtol=1e-12)


def few_of_mean_class(matrix, metric, average):
    """How many samples the caveats say, if any."""
    options = {"beta": 2} if metric == "fbeta" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = matrix.interval(metric, average=average, n_resamples=200, **options)
    return [caveat.n.item() for caveat in found.caveats if caveat.code == "few_samples"]


# The harmonic means of 2, 4 and 4, and of 2, 4 and 3 samples are 3 and 36 / 13; as many are
# predicted.
OF_THREE = ConfusionMatrix.from_counts([[1, 1, 0], [0, 3, 1], [1, 0, 3]], labels=list("abc"))
OF_FEWER = ConfusionMatrix.from_counts([[1, 1, 0], [0, 3, 1], [1, 0, 2]], labels=list("abc"))


@pytest.mark.parametrize("metric", ["f1", "fbeta", "p4", "g_mean", "phi_coefficient"])
def test_a_plain_mean_of_what_is_no_proportion_needs_three_samples_of_the_mean_class(metric):
    assert few_of_mean_class(OF_THREE, metric, "macro") == []
    assert few_of_mean_class(OF_FEWER, metric, "macro") == [2.8]


@pytest.mark.parametrize(
    ("metric", "average"),
    [
        *itertools.product(
            ["recall", "false_positive_rate", "jaccard", "markedness", "overlap_coefficient"],
            ["macro"],
        ),
        ("f1", "weighted"),
    ],
)
def test_means_of_one_or_two_proportions_and_weighted_ones_hold_for_any_number(metric, average):
    assert few_of_mean_class(OF_FEWER, metric, average) == []


def test_the_mean_class_is_of_the_classes_that_are_asked_for_by_what_counts_in_them():
    both = ConfusionMatrix.stack({"a": OF_THREE, "b": OF_FEWER}, axis="day")
    with pytest.warns(UserWarning, match="few samples"):
        [caveat] = both.interval("f1_macro", n_resamples=200).caveats
    assert caveat.entries.tolist() == [False, True]
    assert caveat.text.startswith("f1_macro is based on too few samples, 2.8 in day ['b'] (")
    # Of b and c 24 / 7.
    of_two = OF_FEWER.interval("f1", average="macro", labels=["b", "c"], n_resamples=200)
    assert of_two.caveats == ()
    # Of F1's denominators 3.5, 1.5 and 1, and of those of F2 3.8, 1.8 and .4.
    predicted = ConfusionMatrix.from_counts([[3, 0, 1], [0, 1, 1], [0, 0, 0]], labels=list("abc"))
    assert few_of_mean_class(predicted, "f1", "macro") == [1.5]
    assert few_of_mean_class(predicted, "fbeta", "macro") == [0.9]


def test_the_mean_label_and_the_mean_class_of_weights_are_of_numbers_of_samples():
    # Of labels, F1's denominators are (2 + 2) / 2 and (3 + 1) / 2; of classes 2 and 3.
    actual, predicted = np.zeros((2, 20, 2), dtype=int)
    actual[:2, 0] = predicted[1:3, 0] = actual[:3, 1] = predicted[0, 1] = 1
    with pytest.warns(UserWarning, match=r"f1_macro is based on too few samples, 2 \(harmonic"):
        metric_interval(actual, predicted, "f1_macro")
    weight = np.array([1, 2, 3, 4, 1])
    with pytest.warns(UserWarning, match=r"f1_macro is based on too few samples, 2\.4 \(harmonic"):
        metric_interval([0, 0, 1, 1, 1], [0, 1, 1, 1, 0], "f1_macro", sample_weight=weight)


@pytest.mark.parametrize(("n", "least", "silent"), [(100, 0.86, 0.1), (300, 0.92, 1)])
def test_macro_f1_of_thirty_classes_is_covered_or_has_a_caveat(n, least, silent):
    # By the bias on the logit alone 77 and 89 % were right, in silence.
    cells = (0.55 * np.eye(30) + 0.45 / 29 * (1 - np.eye(30))) / 30
    counts = np.random.default_rng(0).multinomial(n, cells.ravel(), 40).reshape(-1, 30, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ConfusionMatrix.from_counts(counts, labels=range(30)).interval(
            "f1_macro", n_resamples=199
        )
    few = [of.entries for of in found.caveats if of.code == "few_samples"]
    assert ((found.low <= 0.55) & (found.high >= 0.55)).mean() >= least
    assert 1 - np.mean(np.any(few, 0) if few else 0) <= silent


def test_a_constant_has_no_limits():
    with pytest.warns(UserWarning, match="prevalence_macro is the same in all replicates"):
        interval = THREE.interval("prevalence_macro", random_state=0)
    assert np.isnan(limits(interval)).all()
    assert interval.value == pytest.approx(1 / 3)


def test_absent_classes_leave_no_limits():
    by_site = ConfusionMatrix.from_counts(
        [[[16, 4], [0, 0]], [[18, 2], [3, 17]]], labels=["a", "b"]
    )
    assert by_site.axes[0].name == "axis_0"
    for metric in ("balanced_accuracy", "kappa", "mcc", "recall_macro"):
        with pytest.warns(
            UserWarning, match=r"on classes without samples, \['b'\] in axis_0 \[0\]: its limits"
        ):
            interval = quietly(by_site.interval, metric, random_state=0, n_resamples=200)
        assert np.isnan(limits(interval)[:, 0]).all()
        assert (limits(interval)[0, 1] < interval.value[1]) & (
            interval.value[1] < limits(interval)[1, 1]
        )
    known = by_site.interval("accuracy")
    np.testing.assert_allclose(limits(known)[:, 0], mid_p(16, 20))


# Every metric.


def averages_of(row):
    """Those of one value."""
    if not row.has_average:
        return ["binary"]
    return ["macro", "micro", "weighted", *(["worst"] if row.better != "neither" else [])]


def one_average(row):
    """One of them, another for each metric."""
    averages = averages_of(row)
    return averages[METRICS.index(row) % len(averages)]


def assert_intervals_are_around(row, averages):
    """Limits of each average have the value, its shape and numbers."""
    options = options_of(row)
    for average in averages:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            interval = THREE.interval(
                row.name, average=average, n_resamples=100, random_state=0, **options
            )
        np.testing.assert_array_equal(
            interval.value, THREE.score(row.name, average=average, **options)
        )
        assert np.shape(interval.low) == np.shape(interval.high) == np.shape(interval.value)
        assert not np.any((interval.low > interval.value) | (interval.value > interval.high))
        # Some averages are constants, such as the mean prevalence.
        assert not np.isnan(limits(interval)).any() or average not in ("binary", None)


@for_each("row", METRICS)
def test_every_metric_has_an_interval_around_its_value(row):
    assert_intervals_are_around(row, [one_average(row), *([None] if row.has_average else [])])


@pytest.mark.slow
@for_each("row", METRICS)
def test_every_average_of_every_metric_has_an_interval_around_its_value(row):
    """The same of each average of each metric."""
    assert_intervals_are_around(row, averages_of(row))


@for_each("row", METRICS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_limits_stay_within_the_range_where_cells_are_empty(row):
    options = {**options_of(row, 2), **({"pos_label": "b"} if row.has_average else {})}
    tables = [
        [[0, 0], [0, 1]],
        [[1, 0], [0, 0]],
        [[0, 3], [0, 0]],
        [[4, 0], [0, 5]],
        [[0, 4], [5, 0]],
    ]
    interval = ConfusionMatrix.from_counts(tables, labels=["a", "b"]).interval(
        row.name, n_resamples=100, random_state=0, zero_division=0, **options
    )
    low, high = limits(interval)
    if row.range.startswith("[0, 1]"):
        most = 1 if row.range == "[0, 1]" else 2
        assert (~np.isfinite(low) | ((low >= 0) & (low <= high) & (high <= most))).all()
    assert not (low >= high).any()


# Shapes and options.


def test_arrays_have_an_interval_an_entry():
    counts = np.random.default_rng(0).integers(1, 30, (2, 5, 3, 3))
    cm = ConfusionMatrix.from_counts(counts, labels=["a", "b", "c"])
    for metric, average, shape in (
        ("recall", None, (2, 5, 3)),
        ("f1", "macro", (2, 5)),
        ("accuracy", "binary", (2, 5)),
    ):
        interval = cm.interval(metric, average=average, random_state=0, n_resamples=200)
        assert (
            interval.value.shape
            == interval.low.shape
            == interval.high.shape
            == interval.n_undefined.shape
            == shape
        )
        assert [len(axis.coordinates) for axis in interval.axes] == list(shape)
        one = ConfusionMatrix.from_counts(counts[1, 2], labels=["a", "b", "c"])
        alone = one.interval(metric, average=average, random_state=0, n_resamples=200)
        np.testing.assert_allclose(interval.low[1, 2], alone.low, atol=0.05)
    assert interval.low[1, 2] == pytest.approx(alone.low, rel=1e-12)


def test_simultaneous_intervals_are_those_of_bonferroni():
    together = THREE.interval("recall", average=None, simultaneous=True)
    exact = {"confidence_level": 1 - 0.05 / 3, "method": "clopper-pearson"}
    alone = THREE.interval("recall", average=None, **exact)
    assert set(together.method) == {"Clopper-Pearson"}
    assert "(95 %, 98.33 % each, Clopper-Pearson)" in repr(together)
    np.testing.assert_allclose(limits(together), limits(alone), rtol=1e-12)
    assert together.confidence_level == 0.95


@pytest.mark.parametrize("method", ["smoothed-bootstrap", "dirichlet"])
def test_the_same_state_gives_the_same_interval(method):
    first, second, other = (
        limits(THREE.interval("f1_macro", method=method, random_state=state, n_resamples=500))
        for state in (3, 3, 4)
    )
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_given_actual_classes_rows_are_drawn_by_themselves():
    # The number of samples of each class is fixed, and so is the accuracy of a model that is
    # correct by class; recall keeps its binomial distribution.
    cm = ConfusionMatrix.from_counts([[50, 0], [0, 0]], labels=["a", "b"])
    assert TWO.interval("recall", fixed="actual").method == "mid-P"
    assert TWO.interval("informedness", fixed="actual").method == "MOVER of mid-P"
    # Whatever depends on the prevalence is as if the counted one was given.
    for metric in ("accuracy", "precision", "markedness", "f1"):
        given = TWO.interval(metric, fixed="actual", random_state=0)
        expected = TWO.at_prevalence(1 / 3).interval(metric, random_state=0)
        np.testing.assert_allclose(limits(given), limits(expected), rtol=1e-12)
        assert "by actual class" in given.method
    weighted = ConfusionMatrix.from_counts([[900, 100], [50, 50]], labels=["a", "b"])
    free, given = (
        weighted.interval("mcc", fixed=fixed, random_state=0, n_resamples=20_000)
        for fixed in (None, "actual")
    )
    assert given.high - given.low < free.high - free.low
    for metric in ("prevalence", "no_information_rate"):
        with pytest.raises(ValueError, match=f"{metric} is fixed by the design"):
            cm.interval(metric, fixed="actual", pos_label="a" if metric == "prevalence" else None)


def test_given_actual_classes_a_micro_average_is_a_sum_of_binomial_numbers():
    cm = ConfusionMatrix.from_counts([[380, 20], [380, 20]], labels=[0, 1])
    interval = cm.interval("recall", average="micro", fixed="actual", random_state=0)
    # Half a sample is added to each cell; the limits of a proportion of 400 of 800 are more than
    # twice as far apart.
    hits = [stats.binom(400, (n + 0.5) / 401).pmf(np.arange(401)) for n in (380, 20)]
    distribution = np.convolve(*hits).cumsum()
    np.testing.assert_allclose(
        limits(interval), np.searchsorted(distribution, [0.025, 0.975]) / 800, atol=0.002
    )


def test_labels_of_multilabel_data_have_an_interval_each():
    random = np.random.default_rng(0)
    true, pred = random.integers(0, 2, (2, 40, 3))
    cm = ConfusionMatrix.from_predictions(true, pred, labels=["x", "y", "z"])
    for average in ("binary", None):
        interval = cm.interval("recall", average=average)
        assert [(axis.name, axis.coordinates.tolist()) for axis in interval.axes] == [
            ("label", ["x", "y", "z"])
        ]
        hits, n = (true & pred).sum(0), true.sum(0)
        expected = [mid_p(int(h), int(m)) for h, m in zip(hits, n, strict=True)]
        np.testing.assert_allclose(limits(interval).T, expected)
    with pytest.raises(ValueError, match=r"labels of a sample are not independent.*average=None"):
        cm.interval("recall_macro")


# Texts.


@pytest.mark.parametrize(
    ("metric", "method", "cells", "is_reliable"),
    [
        ("recall", "wilson", (47, 2, 3, 50), True),
        ("recall", "wilson", (48, 3, 2, 50), False),
        ("recall", "wilson", (2, 3, 48, 50), False),
        ("recall", "mid-p", (1, 3, 0, 50), True),
        ("f1", "wilson", (48, 1, 2, 50), True),
        ("f1", "wilson", (48, 1, 1, 50), False),
        ("informedness", "mover", (47, 3, 3, 47), True),
        ("informedness", "mover", (47, 2, 3, 48), False),
    ],
)
def test_named_limits_that_are_too_narrow_for_few_hits_or_misses_say_so(
    metric, method, cells, is_reliable
):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        caveats = table(*cells).interval(metric, method=method).caveats
    assert [caveat.code for caveat in caveats] == ([] if is_reliable else ["few_samples"])


def test_one_interval_is_read_on_one_line():
    assert (
        repr(TWO.interval("recall"))
        == "recall of 'yes' 0.9000 [0.7922, 0.9624] 95 %, mid-P, n = 50"
    )
    assert repr(TWO.interval("recall", confidence_level=0.999)).endswith("99.9 %, mid-P, n = 50")
    assert (
        repr(Interval(value=0.5, low=0.25, high=0.75, confidence_level=0.95, method="by hand"))
        == "0.5000 [0.2500, 0.7500] 95 %, by hand"
    )


def test_many_intervals_are_a_table_of_the_first():
    cm = ConfusionMatrix.from_counts(np.full((30, 2, 2), 5), labels=["a\nb", "c"])
    lines = repr(cm.interval("recall", average=None)).splitlines()
    assert lines[0] == "Interval of recall by axis_0, class (95 %, mid-P)"
    assert lines[1].split() == ["0,", r"a\nb", "0.5000", "[0.2120,", "0.7880],", "n", "=", "10"]
    assert lines[-1] == "... and 40 more"


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_have_one_row_per_entry(backend):
    frame = THREE.interval("recall", average=None).to_frame(backend)
    names = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert names == [
        "class",
        "metric",
        "label",
        "value",
        "low",
        "high",
        "confidence_level",
        "method",
        "numerator",
        "n",
    ]
    one = TWO.interval("recall").to_frame()
    low, high = mid_p(45, 50)
    expected = {
        "metric": ["recall"],
        "label": ["yes"],
        "value": [0.9],
        "low": [low],
        "high": [high],
    }
    expected |= {"confidence_level": [0.95], "method": ["mid-P"], "numerator": [45], "n": [50]}
    pd.testing.assert_frame_equal(one, pd.DataFrame(expected))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize(
    "groups",
    [np.array(["2020-01", "2020-02"], dtype="M8[M]"), np.array([2**63, 1], dtype=np.uint64)],
    ids=["M8", "u8"],
)
def test_frames_have_the_columns_that_those_of_the_matrix_have(groups, backend):
    cm = ConfusionMatrix.from_predictions([0, 1] * 4, [0, 1, 1, 1] * 2, by=np.repeat(groups, 4))
    of_interval, of_matrix = cm.interval("recall").to_frame(backend), cm.to_frame(backend)
    interval, matrix = (nw.from_native(frame) for frame in (of_interval, of_matrix))
    assert interval["group"].dtype == matrix["group"].dtype
    assert interval["group"].to_list() == matrix["group"].unique(maintain_order=True).to_list()


def test_intervals_are_frozen_and_pickled():
    interval = THREE.interval("recall", average=None)
    with pytest.raises(AttributeError, match="cannot assign"):
        interval.value = 1
    again = pickle.loads(pickle.dumps(interval))
    assert isinstance(again, Interval)
    assert repr(again) == repr(interval)
    assert (again.axes[0].name, again.axes[0].coordinates.tolist()) == ("class", ["a", "b", "c"])
    with pytest.raises(ValueError, match="read-only"):
        interval.low[0] = 0
    assert skmetrics_ext.results.Interval is Interval


# Errors and warnings.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 0}, "confidence_level must be at least 0.5 and below 1; got 0"),
        ({"confidence_level": 1.0}, "confidence_level must be at least 0.5 and below 1; got 1.0"),
        ({"confidence_level": 95}, "confidence_level must be at least 0.5 and below 1; got 95"),
        ({"confidence_level": "a"}, "confidence_level must be at least 0.5 and below 1; got 'a'"),
        ({"n_resamples": 99}, r"n_resamples.*integer >= 100; got 99"),
        ({"n_resamples": 1e3}, r"n_resamples.*integer >= 100; got 1000.0"),
        ({"simultaneous": "a"}, r"simultaneous.*True or False; got 'a'"),
        ({"fixed": "predicted"}, "fixed must be None or 'actual'; got 'predicted'"),
        ({"method": "wald"}, r"method must be 'auto' or one of \['mid-p', .*\]; got 'wald'"),
        (
            {"method": "mover"},
            r"method='mover' does not apply to f1 of one class: choose one of \['bootstrap', "
            r"'clopp",
        ),
        ({"prior": 1}, "prior= applies only to method='dirichlet', but method is 'auto'"),
        (
            {"method": "dirichlet", "prior": 0},
            "prior must be a number above 0 and at most 1e15; got 0",
        ),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        TWO.interval("f1", **options)
    with pytest.raises(
        ValueError, match=r"method='wilson' does not apply to f1 with average='macro'"
    ):
        TWO.interval("f1_macro", method="wilson")
    with pytest.raises(ValueError, match="method='wilson' does not apply to mcc: choose one of"):
        TWO.interval("mcc", method="wilson")


def test_matrices_that_do_not_tell_the_number_of_samples_are_refused():
    with pytest.raises(ValueError, match="the matrix has no samples"):
        ConfusionMatrix.from_counts(np.zeros((2, 2)), labels=[0, 1]).interval("accuracy")
    with pytest.raises(
        ValueError, match="sums of weights, which do not give the number of samples"
    ):
        ConfusionMatrix.from_counts([[0.5, 1], [2, 3]], labels=[0, 1]).interval("accuracy")
    whole = ConfusionMatrix.from_counts([[80.0, 20.0], [5.0, 45.0]], labels=["no", "yes"])
    assert limits(whole.interval("recall")).tolist() == limits(TWO.interval("recall")).tolist()


def test_an_entry_without_samples_is_unknown():
    cm = ConfusionMatrix.from_counts([[[8, 2], [1, 9]], [[0, 0], [0, 0]]], labels=["no", "yes"])
    interval = cm.interval("recall", zero_division=np.nan)
    np.testing.assert_array_equal(limits(interval)[:, 1], [0, 1])
    with pytest.warns(UserWarning, match="is undefined whatever .*: its .* limits are nan"):
        interval = cm.interval("mcc", n_resamples=200, zero_division=np.nan, random_state=0)
    assert np.isnan(limits(interval)[:, 1]).all()
    assert not np.isnan(limits(interval)[:, 0]).any()
    assert interval.n_undefined.tolist() == [0, 200]


# The undefined value is the last one.
UNDEFINED = {
    "interval": lambda **option: NO_POSITIVES.interval("precision", **option),
    "of a group": lambda **option: ConfusionMatrix.stack(
        {"a": TWO, "b": NO_POSITIVES}, axis="group"
    ).interval("precision", **option),
    "of a class": lambda **option: NO_POSITIVES.interval("precision", average=None, **option),
    "of one class": lambda **option: NO_POSITIVES.interval(
        "precision", average="macro", labels=["yes"], **option
    ),
    "of all classes": lambda **option: NO_POSITIVES.interval("mcc", **option),
    "an average": lambda **option: NO_POSITIVES.interval("d_prime_macro", **option),
    "metric_interval": lambda **option: metric_interval(
        ACTUAL, NONE, "precision", pos_label="yes", **option
    ),
    "with weights": lambda **option: metric_interval(
        ACTUAL, NONE, "precision", pos_label="yes", sample_weight=[1.5] * 20, **option
    ),
    "with clusters": lambda **option: metric_interval(
        ACTUAL, NONE, "precision", pos_label="yes", clusters=np.arange(20), **option
    ),
    "multilabel": lambda **option: metric_interval(
        np.eye(20, 2, dtype=int), np.zeros((20, 2), int), "precision_micro", **option
    ),
    "partial labels": lambda **option: ConfusionMatrix.from_partial_labels(
        [*ACTUAL[:19], None], NONE, pos_label="yes"
    ).interval("precision", **option),
    "at a prevalence": lambda **option: NO_POSITIVES.at_prevalence(0.1).interval(
        "precision", **option
    ),
    "at a threshold": lambda **option: (
        ThresholdCurve.from_scores(ACTUAL, np.linspace(0, 1, 20), pos_label="yes")
        .at(np.inf)
        .interval("precision", **option)
    ),
}


@pytest.mark.parametrize("call", UNDEFINED.values(), ids=UNDEFINED)
def test_a_value_of_0_over_0_is_nan_unless_the_caller_says_what_it_is(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    assert np.isnan(np.ravel(found.value)[-1])
    [text] = [str(one.message) for one in caught if one.category is UndefinedMetricWarning]
    assert "it is set to nan" in text
    for value in (0, 1):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = call(zero_division=value)
        assert np.ravel(found.value)[-1] == value
        assert not any(one.category is UndefinedMetricWarning for one in caught)


def test_an_average_with_an_undefined_class_says_that_the_limits_exclude_it():
    cm = ConfusionMatrix.from_counts([[9, 1, 0], [2, 8, 0], [0, 0, 0]], labels=["a", "b", "c"])
    with (
        pytest.warns(UndefinedMetricWarning, match=r"recall is undefined \(0/0\) for \['c'\]"),
        pytest.warns(UserWarning, match="recall of some classes is undefined in the sample"),
    ):
        interval = cm.interval("recall_macro", random_state=0)
    assert interval.value == pytest.approx(1.7 / 3)
    excluded_groups = cm.interval("recall_macro", zero_division=np.nan, random_state=0)
    assert excluded_groups.low < excluded_groups.value < excluded_groups.high


@pytest.mark.parametrize(
    "metric", ["positive_likelihood_ratio", "diagnostic_odds_ratio", "relative_risk", "d_prime"]
)
def test_averages_of_what_can_be_infinite_are_not_trusted(metric):
    with pytest.warns(
        UserWarning, match=f"{metric} is infinite or 0 for a class with an empty cell"
    ):
        THREE.interval(metric, average="macro", n_resamples=200, random_state=0)


@pytest.mark.parametrize(
    ("metric", "fixed"),
    [
        *itertools.product(
            ["f1_macro", "recall_macro", "f1_worst", "cramers_v", "class_balance_accuracy", "mcc"],
            [None],
        ),
        *itertools.product(["f1_macro", "recall_macro", "mcc"], ["actual"]),
    ],
)
def test_a_class_that_never_occurs_changes_nothing(metric, fixed):
    with_it = ConfusionMatrix.from_counts([[30, 5, 0], [4, 20, 0], [0, 0, 0]], labels=list("abc"))
    without = ConfusionMatrix.from_counts([[30, 5], [4, 20]], labels=list("ab"))
    options = {"fixed": fixed, "zero_division": np.nan, "n_resamples": 4_000, "random_state": 0}
    wide, narrow = with_it.interval(metric, **options), without.interval(metric, **options)
    assert wide.value == pytest.approx(narrow.value)
    np.testing.assert_allclose(limits(wide), limits(narrow), atol=0.03)
    assert wide.low < wide.value < wide.high


@pytest.mark.parametrize("metric", ["balanced_accuracy", "recall_macro", "g_mean_macro"])
def test_a_class_that_is_only_predicted_is_undefined_in_every_replicate_too(metric):
    # With many samples the limits are near the value, as those of both classes that have samples
    # are.
    cm = ConfusionMatrix.from_counts(
        [[5000, 100, 20], [30, 4000, 10], [0, 0, 0]], labels=list("abc")
    )
    interval = cm.interval(metric, zero_division=np.nan, n_resamples=999, random_state=0)
    assert interval.n_undefined == 0
    assert (
        interval.value - 0.006
        < interval.low
        < interval.value
        < interval.high
        < interval.value + 0.006
    )


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_a_class_that_is_only_predicted_has_a_precision():
    cm = ConfusionMatrix.from_counts([[50, 1, 2], [3, 40, 1], [0, 0, 0]], labels=list("abc"))
    interval = cm.interval("precision_macro", random_state=0)
    assert interval.low < interval.value < interval.high


def test_named_costs_need_no_name_for_a_class_that_never_occurs():
    cm = ConfusionMatrix.from_counts([[30, 5, 0], [4, 20, 0], [0, 0, 0]], labels=list("abc"))
    costs = {("a", "a"): 0, ("a", "b"): 1, ("b", "a"): 2, ("b", "b"): 0}
    interval = cm.interval("expected_cost", cost_matrix=costs, random_state=0)
    assert interval.value == cm.score("expected_cost", cost_matrix=costs)
    assert interval.low < interval.value < interval.high


@pytest.mark.parametrize("method", ["smoothed-bootstrap", "dirichlet"])
def test_an_empty_part_does_not_break_the_others(method):
    counts = [[[8, 2], [3, 5]], [[0, 0], [0, 0]]]
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        interval = cm.interval(
            "f1", method=method, random_state=0, n_resamples=500, zero_division=np.nan
        )
        rows = ConfusionMatrix.from_counts([[8, 2], [0, 0]], labels=[0, 1]).interval(
            "accuracy", method=method, fixed="actual", random_state=0, n_resamples=500
        )
    assert interval.low[0] < interval.value[0] < interval.high[0]
    assert 0 < rows.low < 0.8 < rows.high <= 1


def test_costs_of_any_unit_have_a_width():
    cm = ConfusionMatrix.from_counts([[50, 9], [5, 50]], labels=["a", "b"])
    small, unit = (
        cm.interval("expected_cost", cost_matrix=np.array([[0, 1], [2, 0]]) * scale, random_state=0)
        for scale in (1e-13, 1)
    )
    np.testing.assert_allclose(limits(small), limits(unit) * 1e-13)


def test_a_matrix_of_one_class():
    cm = ConfusionMatrix.from_counts([[10]], labels=["a"])
    expected = mid_p(10, 10)
    np.testing.assert_allclose(limits(cm.interval("accuracy")), expected)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for metric in ("jaccard", "one_vs_rest_accuracy"):
            interval = cm.interval(metric, average="micro", random_state=0, n_resamples=200)
            assert not interval.low > interval.value
            assert not interval.high < interval.value
        assert np.isnan(limits(cm.interval("bennett_s"))).all()


@pytest.mark.parametrize("metric", ["cramers_v", "mutual_information", "quantity_disagreement"])
def test_metrics_that_are_least_at_independence_refuse_delta(metric):
    cm = ConfusionMatrix.from_counts([[10, 20], [20, 40]], labels=["a", "b"])
    with pytest.raises(ValueError, match="method='delta' does not apply to"):
        cm.interval(metric, method="delta")


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
def test_delta_of_an_infinite_average_bounds_nothing():
    cm = ConfusionMatrix.from_counts([[9, 0, 0], [1, 8, 2], [0, 3, 7]], labels=["a", "b", "c"])
    with pytest.warns(UserWarning, match="is infinite or 0"):
        interval = cm.interval("diagnostic_odds_ratio", average="macro", method="delta")
    assert interval.value == np.inf
    assert limits(interval).tolist() == [0, np.inf]


def test_too_few_replicates_for_the_level_are_named():
    with pytest.warns(
        UserWarning,
        match=r"100 replicates are too few for such a high .* level.*n_resamples=199 or more",
    ):
        TWO.interval("lift", confidence_level=0.99, n_resamples=100, random_state=0)
    TWO.interval("lift", confidence_level=0.99, n_resamples=200, random_state=0)


def test_levels_near_1_are_finite():
    assert np.isfinite(limits(TWO.interval("recall", confidence_level=1 - 1e-16))).all()


@pytest.mark.parametrize("state", [1.5, "a", -1])
def test_states_that_are_none_are_refused(state):
    with pytest.raises(ValueError, match="random_state must be None, a non-negative integer"):
        TWO.interval("recall", random_state=state)


def test_counts_beyond_single_samples_are_refused():
    cm = ConfusionMatrix.from_counts([[2**52, 2**52], [3, 4]], labels=[0, 1])
    with pytest.raises(ValueError, match=r"fewer than 2\*\*53 samples"):
        cm.interval("accuracy")
    below = ConfusionMatrix.from_counts([[2**52, 2**51], [3, 9]], labels=[0, 1])
    assert below.interval("mcc", n_resamples=100, random_state=0).value == below.score("mcc")


# Several metrics together.


def test_several_metrics_have_the_limits_that_each_has_alone():
    counted = CountedMatrix(THREE.counts, THREE.labels)
    names = [
        "f1_macro",
        "recall",
        "matthews_corrcoef",
        "accuracy",
        "mutual_information",
        "g_mean_macro",
        "cohen_kappa",
    ]
    choices = [choose(name, average=None if name == "recall" else "binary") for name in names]
    request = Request(n_resamples=500, random_state=3)
    together = intervals_of(counted, choices, (), request)
    for choice, interval in zip(choices, together, strict=True):
        alone = interval_of(counted, choice, (), request)
        np.testing.assert_array_equal(
            [interval.value, *limits(interval)], [alone.value, *limits(alone)]
        )
        np.testing.assert_array_equal(interval.n_undefined, alone.n_undefined)
        np.testing.assert_array_equal(interval.method, alone.method)


def test_reports_have_the_limits_that_matrices_have():
    report = skmetrics_ext.classification_report(
        THREE, confidence_level=0.9, random_state=5, output_dict=True
    )
    for average in ("macro", "weighted"):
        interval = THREE.interval("f1", average=average, confidence_level=0.9, random_state=5)
        of_report = report[f"{average} avg"]
        assert (of_report["f1-score_low"], of_report["f1-score_high"]) == (
            interval.low,
            interval.high,
        )


def test_a_class_left_out_makes_no_limits_of_one_that_is_always_right():
    """All of 12 samples are correct: the mean over the classes that have samples is 1 in all
    replicates; without weights it is the rate of one class.
    """
    cm = ConfusionMatrix.from_counts([[0, 0], [0, 12]], labels=["no", "yes"])
    with pytest.warns(UserWarning, match="is the same in all replicates"):
        interval = quietly(cm.interval, "specificity", average="weighted")
    assert np.isnan(limits(interval)).all()
    mean = cm.interval("specificity", average="macro", zero_division=np.nan)
    np.testing.assert_allclose(limits(mean), mid_p(12, 12), rtol=1e-9)


def test_what_is_undefined_in_all_replicates_is_not_said_to_be_left_out():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ConfusionMatrix.from_counts([[20, 0], [0, 0]], labels=["a", "b"]).interval("theils_u")
    assert not any("of some classes" in str(warning.message) for warning in caught)


@pytest.mark.parametrize("average", ["macro", "weighted", "worst", None])
@pytest.mark.parametrize("metric", ["accuracy", "cohen_kappa"])
def test_an_average_of_one_value_over_all_classes_is_refused(metric, average):
    message = "one value over all classes: average= does not apply"
    with pytest.raises(ValueError, match=message):
        TWO.interval(metric, average=average)
    with pytest.raises(ValueError, match=message):
        skmetrics_ext.metric_interval([0, 0, 1, 1] * 20, [0, 1, 1, 1] * 20, metric, average=average)
