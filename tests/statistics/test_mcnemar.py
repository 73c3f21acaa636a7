"""McNemar's mid-p and Tango's limits: published values, other packages, the likelihood, edges."""

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar

from skmetrics_ext import compare
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import mid_p_value, tango


def test_published_example():
    # Airway hyper-responsiveness of [[1, 1], [7, 12]]: Fagerland, Lydersen & Laake (2013), BMC
    # Medical Research Methodology 13:91, mid-p; (2014), Statistics in Medicine 33:2850, Tango's
    # limits.
    assert round(mcnemar([[1, 1], [7, 12]], exact=True).pvalue, 4) == 0.0703
    assert round(mid_p_value(1, 7), 4) == 0.0391
    np.testing.assert_allclose(tango(1, 7, 21, 0.05), (-0.517, -0.026), atol=5e-4)


@pytest.mark.parametrize(("b", "c"), [(1, 7), (0, 3), (0, 1), (5, 5), (40, 61), (1000, 1100)])
def test_mid_p_is_the_exact_p_without_half_of_the_outcome(b, c):
    exact = mcnemar([[9, b], [c, 3]], exact=True).pvalue
    outcome = stats.binom.pmf(min(b, c), b + c, 0.5)
    assert mid_p_value(b, c) == pytest.approx(1 if b == c else exact - outcome, rel=1e-10)
    assert mid_p_value(b, c) == mid_p_value(c, b)


def test_no_discordant_sample_says_nothing_against_equality():
    assert mid_p_value(0, 0) == 1


def likeliest(b, c, n, difference):
    """The maximum likelihood proportion c where b exceeds it by the difference, by a search."""

    def minus_log(share):
        parts = np.array([share + difference, share, 1 - 2 * share - difference])
        counts = np.array([b, c, n - b - c])
        return -(counts * np.log(np.maximum(parts, 1e-300))).sum()

    low, high = max(0.0, -difference), (1 - difference) / 2
    return optimize.minimize_scalar(
        minus_log, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    ).x


@pytest.mark.parametrize(
    ("b", "c", "n"), [(1, 7, 21), (12, 2, 50), (0, 4, 30), (3, 3, 10), (30, 20, 400), (5, 1, 6)]
)
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_tango_is_where_the_score_test_is_at_its_level(b, c, n, alpha):
    for limit in tango(b, c, n, alpha):
        if abs(limit) == 1:
            continue
        share = likeliest(b, c, n, float(limit))
        statistic = abs(b - c - n * limit) / np.sqrt(n * (2 * share + limit - limit**2))
        assert statistic == pytest.approx(stats.norm.isf(alpha / 2), rel=1e-4)


@pytest.mark.parametrize(
    ("b", "c", "n"), [(0, 0, 1), (0, 0, 44), (1, 0, 1), (5, 0, 5), (0, 5, 5), (0, 0, 10**12)]
)
def test_limits_at_the_edges(b, c, n):
    low, high = tango(b, c, n, 0.05)
    assert -1 <= low <= (b - c) / n <= high <= 1
    assert low < high
    np.testing.assert_allclose(np.array(tango(c, b, n, 0.05)), [-high, -low], rtol=1e-9)
    if b == c == 0:
        # n^2 d^2 = z^2 n d (1 - d)
        z_squared = stats.chi2.isf(0.05, 1)
        np.testing.assert_allclose(high, z_squared / (n + z_squared), rtol=1e-9, atol=2e-9)


def test_limits_are_as_wide_as_those_of_many_samples():
    low, high = tango(3000, 2000, 10**6, 0.05)
    half = stats.norm.isf(0.025) * np.sqrt(5000 - 1000**2 / 10**6) / 10**6
    np.testing.assert_allclose([low, high], [0.001 - half, 0.001 + half], rtol=2e-3)


def test_the_samples_of_a_rate_are_those_of_its_own_class():
    random = np.random.default_rng(3)
    y = np.repeat([0, 1], [150, 40])
    predictions = {
        name: np.where(random.random(190) < share, y, 1 - y)
        for name, share in (("a", 0.9), ("b", 0.8))
    }
    (specificity,) = compare(y, predictions, "specificity", pos_label=1).rows
    right = {name: said[y == 0] == 0 for name, said in predictions.items()}
    only_a = int((right["a"] & ~right["b"]).sum())
    only_b = int((right["b"] & ~right["a"]).sum())
    assert (specificity.low, specificity.high) == pytest.approx(tango(only_a, only_b, 150, 0.05))
    (recall,) = compare(y, predictions, "recall", pos_label=0).rows
    assert (recall.low, recall.high) == (specificity.low, specificity.high)


@pytest.mark.parametrize(
    ("metric", "span"), [("accuracy", 1), ("matthews_corrcoef", 2), ("informedness", 2)]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_limits_of_a_perfect_and_an_opposite_model_are_within_the_range_of_differences(
    metric, span
):
    y = np.arange(60) % 2
    options = {"pos_label": 1} if metric == "informedness" else {}
    rows = compare(y, {"a": y, "b": 1 - y}, metric, random_state=0, **options).rows
    assert rows[0].difference == span
    assert 0 < rows[0].low < rows[0].high == span
    rows = compare(y, {"a": 1 - y, "b": y}, metric, random_state=0, **options).rows
    assert -span == rows[0].low < rows[0].high < 0
