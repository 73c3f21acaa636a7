"""Sample sizes and power: intervals and tests by enumeration, drawn samples, published plans."""

import numpy as np
import pytest
from scipy import integrate, special, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve, check, compare, recall_score, sample_size
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.statistics.promises import power as power_of
from tests.proportions import mid_p, mid_p_of_all
from tests.shared import one_in

SHARES = [row.name for row in METRICS if row.is_of_samples]
# Cases and controls of pROC's aSAH data.
OF_ASAH = {"n": 113, "prevalence": 41 / 113}


def half_width_of(value, n, level):
    limits = mid_p(value * n, n, 1 - level)
    return (limits.high - limits.low) / 2


@pytest.mark.parametrize(
    ("value", "half_width", "level"),
    one_in(2, [0, 0.01, 0.3, 0.5, 0.9, 1], [0.002, 0.03, 0.2, 0.49], [0.5, 0.95, 0.999]),
)
def test_it_is_the_least_number_that_is_enough(value, half_width, level):
    """The slow ones are of all widths at every level."""
    n = sample_size("recall", value=value, half_width=half_width, confidence_level=level).n
    assert n >= 1
    assert half_width_of(value, n, level) <= half_width * (1 + 1e-9)
    assert n == 1 or half_width_of(value, n - 1, level) > half_width


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_a_width_that_a_whole_number_has_asks_for_no_sample_more(level):
    # Without a hit the upper limit p has (1 - p)^n / 2 = (1 - level) / 2.
    for n in [*range(2, 200, 21), *(2**power for power in range(8, 22, 3))]:
        width = -np.expm1(np.log1p(-level) / n)
        assert sample_size("recall", value=0, half_width=width / 2, confidence_level=level).n == n


def test_at_one_half_it_is_nearly_that_of_the_textbooks():
    # Wald's is 385 for 5 points of a share of one half.
    assert sample_size("accuracy", value=0.5, half_width=0.05).n == 383


def test_a_function_and_an_alias_name_the_metric():
    for metric in (recall_score, "tpr"):
        assert sample_size(metric, value=0.9, half_width=0.03) == sample_size(
            "recall", value=0.9, half_width=0.03
        )


def test_all_proportions_and_no_others():
    for row in METRICS:
        if row.name in SHARES:
            assert sample_size(row.name, value=0.5, half_width=0.05).n == 383
        else:
            with pytest.raises(
                ValueError, match=f"{row.name} is not a proportion of samples: plan for one of"
            ):
                sample_size(row.name, value=0.5, half_width=0.05)
    with pytest.raises(ValueError, match="recall_macro is not a proportion of samples"):
        sample_size("recall_macro", value=0.5, half_width=0.05)
    assert skmetrics_ext.sample_size is sample_size


def chance_of_width(value, half_width, n):
    """The probability of all hits with which the interval is narrow enough."""
    hits = np.arange(n + 1)
    limits = mid_p_of_all(n)
    is_narrow = limits.high - limits.low <= 2 * half_width + 1e-12
    return stats.binom.pmf(hits, n, value)[is_narrow].sum()


def chance_of_bound(value, bound, n):
    """The probability of all hits with which Clopper & Pearson's interval excludes the bound on the
    right side.
    """
    hits = np.arange(n + 1)
    low, high = proportion_confint(hits, n, 0.05, method="beta")
    shows = low > bound if value > bound else high < bound
    return stats.binom.pmf(hits, n, value)[shows].sum()


def chance_of_mcnemar(value, disagreement, n):
    """The probability of all tables in which the exact test without half of the outcome shows the
    better model.
    """
    only_first = max((disagreement + value[0] - value[1]) / 2, 0)
    cells = (only_first, disagreement - only_first, 1 - disagreement)
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if (b > c) != (value[0] > value[1]) or b == c:
                continue
            p = mcnemar([[0, b], [c, 0]], exact=True).pvalue - stats.binom.pmf(
                min(b, c), b + c, 0.5
            )
            total += stats.multinomial.pmf((b, c, n - b - c), n, cells) * (p <= 0.05)
    return total


def last_without(chance, power, n):
    """The last number of samples with less than a power, from the one before a number on."""
    numbers = range(max(n - 1, 1), n + n // 4 + 10)
    return max((fewer for fewer in numbers if chance(fewer) < power), default=0)


@pytest.mark.parametrize(
    ("value", "half_width", "assurance"),
    [(0.9, 0.1, 0.8), (0.3, 0.12, 0.95), (0.5, 0.1, 0.9), (1, 0.05, 0.9)],
)
def test_assurance_is_that_of_all_outcomes(value, half_width, assurance):
    plan = sample_size("recall", value=value, half_width=half_width, assurance=assurance)
    assert plan.n == 1 + last_without(
        lambda n: chance_of_width(value, half_width, n), assurance, plan.n
    )
    assert plan.power == pytest.approx(chance_of_width(value, half_width, plan.n))
    fewer = sample_size("recall", value=value, half_width=half_width, n=plan.n // 2)
    assert fewer.power == pytest.approx(chance_of_width(value, half_width, plan.n // 2))
    # With so many samples the interval is narrow enough whatever the value.
    assert sample_size("recall", value=value, half_width=half_width, n=400).power == 1


@pytest.mark.parametrize(
    ("value", "bound", "power"),
    [(0.95, 0.85, 0.8), (0.8, 0.9, 0.8), (0.7, 0.5, 0.9), (1, 0.9, 0.8), (0.05, 0.2, 0.5)],
)
def test_the_power_to_show_a_bound_is_that_of_all_outcomes(value, bound, power):
    plan = sample_size("recall", value=value, bound=bound, power=power)
    assert plan.n == 1 + last_without(lambda n: chance_of_bound(value, bound, n), power, plan.n)
    for n in (plan.n, plan.n - 1, plan.n // 2):
        assert sample_size("recall", value=value, bound=bound, n=n).power == pytest.approx(
            chance_of_bound(value, bound, n), abs=1e-12
        )


@pytest.mark.parametrize(
    ("value", "disagreement", "n"),
    [((0.8, 0.6), 0.3, 30), ((0.6, 0.9), 0.3, 25), ((0.55, 0.45), 1.0, 33), ((0.5, 0.6), 0.5, 6)],
)
def test_the_power_of_mcnemars_test_is_that_of_all_tables(value, disagreement, n):
    plan = sample_size("accuracy", value=value, disagreement=disagreement, n=n)
    assert plan.power == pytest.approx(chance_of_mcnemar(value, disagreement, n), abs=1e-9)


@pytest.mark.parametrize(
    ("value", "disagreement"), [((0.8, 0.6), 0.3), ((0.9, 0.8), 0.15), ((0.6, 0.4), 1.0)]
)
def test_the_power_of_mcnemars_test_stays(value, disagreement):
    for power in (0.5, 0.8, 0.95):
        n = sample_size("accuracy", value=value, disagreement=disagreement, power=power).n
        powers = power_of.mcnemar(np.arange(1, 3 * n), value, disagreement, 0.05)
        assert n == np.flatnonzero(powers < power)[-1] + 2


def test_miettinen_approximates_the_power_of_mcnemars_test():
    for first, second, disagreement in ((0.9, 0.85, 0.15), (0.8, 0.82, 0.1), (0.7, 0.6, 0.5)):
        difference, z = first - second, stats.norm.isf(0.025)
        spread = (
            disagreement - difference**2 * (3 + disagreement) / (4 * disagreement)
        ) * disagreement
        # Miettinen (1968), unconditional.
        expected = (z * disagreement + stats.norm.isf(0.2) * np.sqrt(spread)) ** 2 / (
            disagreement * difference**2
        )
        n = sample_size("accuracy", value=(first, second), disagreement=disagreement, power=0.8).n
        assert n == pytest.approx(expected, rel=0.03)


def test_a_table_of_a_pilot_says_the_same_as_its_proportions():
    plan = sample_size("recall", pilot=[[80, 8], [3, 9]], power=0.8)
    for same in ({"value": (0.88, 0.83), "disagreement": 0.11}, {"pilot": [[80, 3], [8, 9]]}):
        other = sample_size("recall", **same, power=0.8)
        assert (other.n, other.power) == (plan.n, pytest.approx(plan.power))
    assert sample_size("recall", pilot=[[1, 2], [0, 0]], n=20).power == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("metric", SHARES)
def test_two_models_are_planned_for_the_metrics_that_compare_tests_by_mcnemar(metric):
    y = np.repeat([0, 1], 20)
    models = {"a": np.roll(y, 3), "b": np.roll(y, 7)}
    # Models can't differ in the prevalence, of which compare warns.
    if (
        metric != "prevalence"
        and "McNemar" in compare(y, models, metric, n_resamples=100, random_state=0).rows[0].method
    ):
        assert sample_size(metric, value=(0.9, 0.8), disagreement=0.2, n=100).power > 0.5
    else:
        with pytest.raises(
            ValueError, match=f"{metric} is not a proportion of the same samples for both models"
        ):
            sample_size(metric, value=(0.9, 0.8), disagreement=0.2, n=100)


def test_areas_are_planned_as_by_proc():
    # pROC's tests of power.roc.test: 23.56 cases and 41.37 controls, and the power of all samples
    # of aSAH. Its variance is Obuchowski's approximation, ours that of the same model.
    plan = sample_size("roc_auc", value=0.7313686, bound=0.5, power=0.9, prevalence=41 / 113)
    assert (plan.n, plan.n_positive, plan.n_negative) == (65, 24, 41)
    assert sample_size("roc_auc", value=0.7313686, bound=0.5, **OF_ASAH).power == pytest.approx(
        0.9904833, abs=4e-3
    )
    assert sample_size("roc_auc", value=0.73, bound=0.5, **OF_ASAH).power == pytest.approx(
        0.9897453, abs=4e-3
    )


@pytest.mark.parametrize(
    ("area", "ratio", "n_negative", "n_positive"),
    [
        (0.6, 1, 135, 135),
        (0.6, 4, 340, 85),
        (0.7, 0.5, 25, 49),
        (0.7, 1, 33, 33),
        (0.7, 4, 84, 21),
        (0.8, 1, 14, 14),
    ],
)
def test_areas_are_planned_as_by_obuchowski(area, ratio, n_negative, n_positive):
    # Table 4 of Obuchowski (2004), one-sided at 5 %, in pROC's tests.
    plan = sample_size(
        "roc_auc",
        value=area,
        bound=0.5,
        power=0.9,
        prevalence=1 / (1 + ratio),
        confidence_level=0.9,
    )
    assert plan.n_positive == pytest.approx(n_positive, rel=0.05, abs=1)
    assert plan.n_negative == pytest.approx(n_negative, rel=0.05, abs=1)


@pytest.mark.parametrize("area", [0.2, 0.5, 0.7, 0.9, 0.99])
def test_the_variance_of_an_area_is_that_of_normal_scores(area):
    shift = np.sqrt(2) * stats.norm.ppf(area)
    both, _ = integrate.quad(
        lambda x: stats.norm.pdf(x) * stats.norm.cdf(shift - x) ** 2, -12, 12, epsabs=1e-13
    )
    # Of all pairs of pairs, of which some have a sample in common.
    expected = (area * (1 - area) + 6 * (both - area**2) + 19 * (both - area**2)) / (7 * 20)
    assert power_of.variance_of_area(area, 7, 20) == pytest.approx(expected, rel=1e-9)


def test_two_areas_are_planned_as_by_proc():
    # pROC for s100b and wfns of aSAH, power 0.9: 123 cases and 216 controls. Their DeLong limits,
    # and Z of their comparison, are those that its documentation prints, rounded.
    areas, z = np.array([0.7313686, 0.8236789]), stats.norm.isf(0.025)
    variances = np.array([(0.8326 - 0.6301) / (2 * z), (0.8985 - 0.7490) / (2 * z)]) ** 2
    of_difference = (np.diff(areas)[0] / 2.209) ** 2
    correlation = (variances.sum() - of_difference) / (2 * np.sqrt(variances.prod()))
    relative = variances / power_of.variance_of_area(areas, 41, 72)
    plan = {
        "value": areas,
        "correlation": correlation,
        "prevalence": 41 / 113,
        "relative": relative,
        "alpha": 0.05,
    }
    n = power_of.n_from_which(lambda n: power_of.areas(n, **plan), 0.9, is_binomial=False)
    np.testing.assert_allclose(power_of.classes_of(n, 41 / 113), (123, 216), atol=1)


def paired_scores(n_positive, n_negative, areas, correlation, random, size=1):
    """Scores (size, n_positive), and of the others, of two models: normal, with a correlation."""
    covariance = [[1, correlation], [correlation, 1]]
    drawn = random.multivariate_normal((0, 0), covariance, (size, n_positive + n_negative))
    positive = drawn[:, :n_positive] + np.sqrt(2) * stats.norm.ppf(areas)
    return positive, drawn[:, n_positive:]


def test_a_pilot_of_curves_has_the_variances_of_all_pairs():
    positive, negative = (
        of[0] for of in paired_scores(60, 90, (0.85, 0.75), 0.5, np.random.default_rng(0))
    )
    y = np.repeat([1, 0], (60, 90))
    names = {"a": 0, "b": 1}
    curves = {
        name: ThresholdCurve.from_scores(y, np.concatenate([positive, negative])[:, k])
        for name, k in names.items()
    }
    # DeLong's covariances, written out.
    above = positive[:, None] > negative[None]
    areas = above.mean((0, 1))
    covariance = np.cov(above.mean(1).T) / 60 + np.cov(above.mean(0).T) / 90
    variance = covariance.sum() - 2 * covariance.sum() + 2 * np.trace(covariance)
    if_equal = 2 * covariance.diagonal().max() - 2 * covariance[0, 1]
    quantile = abs(np.diff(areas)[0]) - stats.norm.isf(0.025) * np.sqrt(if_equal)
    plan = sample_size("roc_auc", pilot=curves, n=150)
    assert plan.power == pytest.approx(stats.norm.cdf(quantile / np.sqrt(variance)), rel=1e-9)
    assert (plan.n_positive, plan.n_negative) == (60, 90)
    n = sample_size("roc_auc", pilot=curves, power=plan.power - 1e-9).n
    assert n == 150
    assert sample_size("roc_auc", pilot=dict(reversed(curves.items())), n=150) == plan


@pytest.mark.parametrize(
    ("area", "n", "prevalence"),
    [(0.8, 300, 0.3), pytest.param(0.9, 300, 0.5, marks=pytest.mark.slow)],
)
def test_assurance_of_an_area_is_that_of_drawn_samples(area, n, prevalence):
    """The slow one is of classes of equal size, and of a larger area."""
    random = np.random.default_rng(0)
    plan = sample_size("roc_auc", value=area, half_width=0.03, n=n, prevalence=prevalence)
    y = np.repeat([1, 0], (plan.n_positive, plan.n_negative))
    shift = np.sqrt(2) * stats.norm.ppf(area)
    curves = [ThresholdCurve.from_scores(y, random.normal(shift * y)) for _ in range(200)]
    widths = np.array(
        [(of.high - of.low) / 2 for of in (curve.interval("roc_auc") for curve in curves)]
    )
    for assurance in (0.5, 0.9):
        half_width = float(np.quantile(widths, assurance))
        planned = sample_size(
            "roc_auc", value=area, half_width=half_width, assurance=assurance, prevalence=prevalence
        )
        assert planned.n == pytest.approx(n, rel=0.05)
        at_n = sample_size("roc_auc", value=area, half_width=half_width, n=n, prevalence=prevalence)
        assert at_n.power == pytest.approx(assurance, abs=0.15)


@pytest.mark.parametrize(
    ("value", "n"), [((0.8, 0.75), 300), pytest.param((0.9, 0.85), 400, marks=pytest.mark.slow)]
)
def test_the_power_for_two_areas_is_that_of_drawn_samples(value, n):
    """The slow one is of larger areas, whose limits are less alike on both sides."""
    random = np.random.default_rng(0)
    n_each = n // 2
    positive, negative = paired_scores(n_each, n_each, value, 0.6, random, size=700)
    # Of each score, the share of the other class that it is above.
    above, below = (
        (stats.rankdata(np.concatenate(both, 1), axis=1)[:, :n_each] - stats.rankdata(one, axis=1))
        / n_each
        for one, both in ((positive, (positive, negative)), (negative, (negative, positive)))
    )
    areas, parts = above.mean(1), (above, below)
    variances = sum(np.diff(part, axis=2)[..., 0].var(1, ddof=1) for part in parts) / n_each
    differences, covariance = areas[:, 0] - areas[:, 1], np.cov(areas.T)
    if_equal = 2 * covariance.diagonal().max() - 2 * covariance[0, 1]
    plan = sample_size("roc_auc", value=value, correlation=np.corrcoef(areas.T)[0, 1], n=n)
    assert plan.power == pytest.approx(
        (differences > stats.norm.isf(0.025) * np.sqrt(if_equal)).mean(), abs=0.03
    )
    # DeLong's test does not suppose equal areas.
    assert plan.power < (differences > stats.norm.isf(0.025) * np.sqrt(variances)).mean()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"value": 1.1}, "value must be a number from 0 to 1; got 1.1"),
        ({"value": "a"}, "value must be a number from 0 to 1; got 'a'"),
        ({"value": None}, "half_width= needs value=, the anticipated value"),
        ({"prevalence": 1}, "prevalence must be a number above 0 and below 1; got 1"),
        ({"metric": "accuracy", "prevalence": 0.1}, "accuracy counts all samples: omit prevalence"),
        (
            {"metric": "precision", "prevalence": 0.1},
            "does not tell how many samples precision counts: divide n by the expected share",
        ),
        (
            {"prevalence": 0.1, "icc": 0.1, "cluster_size": 2},
            "prevalence= is for independent samples",
        ),
        ({"half_width": 0}, "half_width must be a number above 0 and below 0.5; got 0"),
        ({"half_width": 0.5}, "half_width must be a number above 0 and below 0.5; got 0.5"),
        ({"confidence_level": 95}, "confidence_level must be at least 0.5 and below 1; got 95"),
        ({"assurance": 1}, "assurance must be a number above 0 and below 1; got 1"),
        ({"n": 0}, r"n.*integer >= 1; got 0"),
        ({"half_width": None}, r"a proportion needs exactly one of .*'pilot'\]; got \['value'\]"),
        ({"bound": 0.5}, "a proportion needs exactly one of"),
        (
            {"power": 0.8},
            r"half_width goes with value and prevalence and at most one of \['assurance', 'n'\]",
        ),
        ({"assurance": 0.8, "n": 9}, "half_width goes with"),
        (
            {"half_width": None, "bound": 0.8},
            r"bound goes with value and prevalence and one of \['power', 'n'\]",
        ),
        ({"half_width": None, "bound": 0.9, "n": 9}, "both values are 0.9"),
        ({"value": (0.9, 0.8)}, r"value must be one number with half_width=; got \(0.9, 0.8\)"),
        (
            {"half_width": None, "disagreement": 0.3, "n": 9},
            "value must be a tuple of two with disagreement=; got 0.9",
        ),
        ({"half_width": None, "correlation": 0.3, "n": 9}, "a proportion needs exactly one of"),
        (
            {"half_width": None, "pilot": [[1, 2], [3, 4]], "n": 9},
            "pilot goes with prevalence and one of",
        ),
        (
            {"half_width": None, "value": (0.9, 0.8), "disagreement": 0.05, "n": 9},
            "disagreement must be a number from 0.1 to 0.3, as the values imply; got 0.05",
        ),
        (
            {"half_width": None, "value": None, "pilot": [[1, 2], [3, -4]], "n": 9},
            "pilot must be .*both correct",
        ),
        (
            {"half_width": None, "value": None, "pilot": [[1, 2], [2, 4]], "n": 9},
            "both values are 0.3",
        ),
        (
            {"half_width": None, "bound": 0.9 + 1e-7, "power": 0.8},
            "power 0.8 takes more than .* samples",
        ),
        ({"metric": "roc_auc", "value": 1}, "value must be a number above 0 and below 1; got 1"),
        ({"metric": "roc_auc", "n": 1}, r"n.*integer >= 2; got 1"),
        (
            {"metric": "roc_auc", "half_width": None, "disagreement": 0.3, "n": 9},
            "an area needs exactly one of",
        ),
        (
            {
                "metric": "roc_auc",
                "half_width": None,
                "value": (0.8, 0.9),
                "correlation": 1,
                "n": 9,
            },
            "correlation must be a number above -1 and below 1; got 1",
        ),
        (
            {
                "metric": "roc_auc",
                "half_width": None,
                "value": None,
                "pilot": [[1, 2], [3, 4]],
                "n": 9,
            },
            "pilot must be a dict of two ThresholdCurves for 'roc_auc'; got list",
        ),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sample_size(**{"metric": "recall", "value": 0.9, "half_width": 0.03, **options})


def test_a_pilot_whose_variance_is_unknown_is_refused():
    curve, perfect = (
        ThresholdCurve.from_scores([0, 0, 1, 1], [1, 3, 2, 4]),
        ThresholdCurve.from_scores([0, 0, 1, 1], [1, 2, 3, 4]),
    )
    with pytest.raises(ValueError, match="pilot has an area without a variance"):
        sample_size("roc_auc", pilot={"a": curve, "b": perfect}, n=9)


@pytest.mark.parametrize("pilot", [[[0.8, 0.1], [0.05, 0.05]], [[160.5, 20], [10, 10]]])
def test_a_pilot_of_fractions_has_no_numbers_of_samples(pilot):
    with pytest.raises(ValueError, match=r"sums of weights.*: a pilot needs whole counts"):
        sample_size("accuracy", pilot=pilot, n=100)


def test_a_pilot_of_clusters_is_refused():
    curve = ThresholdCurve.from_scores(
        [0, 0, 1, 1] * 20, [1, 3, 2, 4] * 20, clusters=[k // 2 for k in range(80)]
    )
    with pytest.raises(ValueError, match="pilot has curves of clusters"):
        sample_size("roc_auc", pilot={"a": curve, "b": curve}, n=9)


# Samples in clusters.


@pytest.mark.parametrize(
    ("asked", "clusters"),
    one_in(
        4,
        [
            ({"value": 0.95, "bound": 0.9, "power": 0.8}, 0.05),
            ({"value": 0.3, "bound": 0.5, "power": 0.9}, 0.3),
            ({"value": 0.9, "half_width": 0.03, "assurance": 0.9}, 0.1),
            ({"value": (0.9, 0.85), "disagreement": 0.15, "power": 0.8}, 0.15),
            ({"pilot": [[160, 20], [10, 10]], "power": 0.8}, 0.15),
        ],
        [(0.3, 5), (0.8, 10), (1, 3), (0, 4)],
    ),
)
def test_clusters_are_the_fewest_that_are_worth_the_independent_samples(asked, clusters):
    """The slow ones are of all clusters for every plan."""
    (options, rarer), (icc, size) = asked, clusters
    alone = sample_size("accuracy", **options)
    found = sample_size("accuracy", **options, icc=icc, cluster_size=size)

    def worth(n_clusters):
        effective = n_clusters * size / (1 + (size - 1) * icc)
        if effective * rarer < 5:
            effective = n_clusters
        return effective * (special.ndtri(0.975) / special.stdtrit(n_clusters - 1, 0.975)) ** 2

    first = next(n for n in range(2, 10_000) if worth(n) >= alone.n)
    assert (found.n, found.n_clusters) == (first * size, first)
    assert found.power >= alone.power - 1e-12 or found.power >= 0.8
    planned = {name: of for name, of in options.items() if name not in ("power", "assurance")}
    again = sample_size("accuracy", **planned, n=found.n, icc=icc, cluster_size=size)
    assert again == found
    assert repr(found).startswith(f"{found.n} samples in {first} clusters, power 0.")


def test_clusters_of_one_sample_are_independent():
    options = {"value": 0.95, "bound": 0.9, "power": 0.8}
    found = sample_size("recall", **options, icc=0.6, cluster_size=1)
    alone = sample_size("recall", **options)
    assert (found.n, found.power, found.n_clusters) == (alone.n, alone.power, alone.n)
    assert alone.n_clusters is None


def test_a_part_of_a_cluster_is_a_cluster():
    found = sample_size("recall", value=0.95, bound=0.9, n=101, icc=0.5, cluster_size=10)
    assert (found.n, found.n_clusters) == (101, 11)
    none = sample_size("recall", value=0.95, bound=0.9, n=1, icc=0.5, cluster_size=10)
    assert none.power == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"icc": 0.5}, "go together"),
        ({"cluster_size": 5}, "go together"),
        ({"icc": -0.1, "cluster_size": 5}, "icc"),
        ({"icc": 1.1, "cluster_size": 5}, "icc"),
        ({"icc": 0.5, "cluster_size": 0}, "cluster_size"),
        ({"icc": 0.5, "cluster_size": 2.5}, "cluster_size"),
    ],
)
def test_clusters_that_are_none_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        sample_size("recall", value=0.95, bound=0.9, power=0.8, **options)
    with pytest.raises(ValueError, match="areas"):
        sample_size("roc_auc", value=0.8, bound=0.7, power=0.8, icc=0.5, cluster_size=3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "bound", "icc", "size"),
    [(0.95, 0.9, 0.6, 10), (0.97, 0.9, 0.5, 4), (0.6, 0.7, 0.3, 5)],
)
def test_the_power_of_clusters_is_that_of_check(value, bound, icc, size):
    """Hundreds of drawn tables: the plan holds for the limits that `check` has of clusters."""
    planned = sample_size("recall", value=value, bound=bound, power=0.8, icc=icc, cluster_size=size)
    random = np.random.default_rng(0)
    wanted = "pass" if value > bound else "fail"
    shown = 0
    for _ in range(300):
        spread = 1 / icc - 1
        shares = random.beta(value * spread, (1 - value) * spread, planned.n_clusters)
        hits = random.random((planned.n_clusters, size)) < shares[:, None]
        cm = ConfusionMatrix.from_predictions(
            np.ones(hits.size, dtype=int),
            hits.ravel().astype(int),
            labels=[0, 1],
            clusters=np.repeat(np.arange(planned.n_clusters), size),
        )
        shown += check(cm, {"recall": bound}, confidence_level=0.975).overall == wanted
    assert shown / 300 > planned.power - 0.08


def power_of_collected(n, prevalence, value, bound, metric):
    """The probability that Clopper & Pearson's limits, by statsmodels, show a bound in n samples,
    over all numbers of positives, or negatives, and of hits.
    """
    share = prevalence if metric == "recall" else 1 - prevalence
    power = 0.0
    for n_class in range(1, n + 1):
        hits = np.arange(n_class + 1)
        low, _ = proportion_confint(hits, n_class, method="beta")
        shown = stats.binom.pmf(hits, n_class, value)[np.nan_to_num(low) > bound].sum()
        power += stats.binom.pmf(n_class, n, share) * shown
    return power


@pytest.mark.parametrize(
    ("metric", "prevalence"), one_in(2, ["recall", "specificity"], [0.1, 0.45])
)
def test_the_number_to_collect_is_enough_over_all_numbers_of_the_class(metric, prevalence):
    """The slow ones are of the other prevalence of each class."""
    options = {"value": 0.95, "bound": 0.7, "power": 0.8}
    plan = sample_size(metric, prevalence=prevalence, **options)
    share = prevalence if metric == "recall" else 1 - prevalence
    found = plan.n_to_collect
    assert plan.n == sample_size(metric, **options).n

    def is_enough(n):
        has_power = power_of_collected(n, prevalence, 0.95, 0.7, metric) >= 0.8
        return has_power and stats.binom.sf(plan.n - 1, n, share) >= 0.5

    assert is_enough(found)
    assert not is_enough(found - 1)


def test_of_a_given_number_half_of_all_collections_have_as_many():
    plan = sample_size("recall", value=0.95, bound=0.9, n=200, prevalence=0.02)
    # The median of the trials up to the 200th success, of a negative binomial distribution.
    assert plan.n_to_collect == 200 + stats.nbinom.median(200, 0.02)
    of_pilot = sample_size("recall", pilot=[[80, 10], [4, 6]], n=100, prevalence=0.2)
    assert of_pilot.n_to_collect == 100 + stats.nbinom.median(100, 0.2)
    assert repr(of_pilot).startswith("100 samples of 499 to collect")
    assert sample_size("recall", value=0.95, bound=0.9, n=200).n_to_collect is None
