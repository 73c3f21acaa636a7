"""check: verdicts against exact tail sums of the binomial, for every n up to 30."""

import functools
import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    agreement,
    check,
    compare,
    compare_curves,
    cross_val_interval,
    f1_score,
    metric_interval,
    recall_score,
    sample_size,
)
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.design import WEIGHTS_ALONE, Lost, SampleDesign
from skmetrics_ext.results import ComparisonRow, Verdicts
from skmetrics_ext.statistics.promises.power import n_to_tell
from tests.proportions import newcombe
from tests.shared import comparison_of_rows, for_each, one_in

BOUNDS = [0.05, 0.3, 0.5, 0.8, 0.9, 0.95]
# All numbers of hits in up to 40 samples.
HITS, SIZES = np.array([(hits, n) for n in range(1, 31) for hits in range(n + 1)]).T
ALL_RECALLS = ConfusionMatrix.from_counts(
    [[[5, 0], [n - hits, hits]] for hits, n in zip(HITS.tolist(), SIZES.tolist(), strict=True)],
    labels=[0, 1],
)
TWO = ConfusionMatrix.from_counts([[190, 10], [2, 98]], labels=["no", "yes"])


@functools.cache
def tails(n, share):
    """The probabilities of 0 to n + 1 hits or more, exactly."""
    each = [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    return [*itertools.accumulate(reversed(each), initial=Fraction(0))][::-1]


def tail(hits, n, share):
    """The probability of so many hits or more, exactly."""
    return tails(n, Fraction(share))[hits]


@pytest.mark.parametrize(("bound", "is_least"), one_in(2, BOUNDS, [True, False]))
def test_verdicts_on_a_share_are_those_of_the_exact_test_and_wrong_in_5_percent_at_most(
    bound, is_least
):
    """The slow ones are of the other side of each bound."""
    found = check(ALL_RECALLS, {"recall": (bound, None) if is_least else (None, bound)}).verdict[0]
    share, level = Fraction(str(bound)), Fraction(1, 20)
    for n in range(1, 31):
        verdicts = found[n == SIZES].tolist()
        above = tails(n, share)
        for hits in range(n + 1):
            p_of_pass, p_of_fail = (above[hits], 1 - above[hits + 1])[:: 1 if is_least else -1]
            if level in (p_of_pass, p_of_fail):
                # One sample at .05 or .95: rounding decides, and either verdict is wrong in just 5
                # %.
                assert n == 1
                continue
            expected = (
                "pass" if p_of_pass < level else "fail" if p_of_fail < level else "cannot tell"
            )
            assert verdicts[hits] == expected
        for word in ("pass", "fail"):
            wrong = sum(
                above[hits] - above[hits + 1] for hits in range(n + 1) if verdicts[hits] == word
            )
            assert wrong <= level


def power_of(n, share, bound):
    """Of the exact test on the side of the share."""
    if share > bound:
        least = next(
            (hits for hits in range(n + 2) if tail(hits, n, bound) <= Fraction(1, 20)), n + 1
        )
        return tail(least, n, share)
    most = next(
        (hits for hits in range(n, -1, -1) if 1 - tail(hits + 1, n, bound) <= Fraction(1, 20)), -1
    )
    return 1 - tail(most + 1, n, share)


@pytest.mark.parametrize(
    ("share", "bound"),
    [
        ("9/10", "1/2"),
        ("1", "9/10"),
        ("3/4", "9/10"),
        ("1/10", "2/5"),
        ("1/4", "1/20"),
        ("0", "1/5"),
    ],
)
def test_n_needed_is_the_first_with_power_80_percent(share, bound):
    share, bound = Fraction(share), Fraction(bound)
    expected = next(n for n in range(1, 200) if power_of(n, share, bound) >= Fraction(4, 5))
    assert n_to_tell(float(share), float(bound), 0.05) == expected


def test_n_needed_is_the_first_among_thousands_whose_power_rises_and_falls():
    # By the distribution function of SciPy at each n.
    n = np.arange(1, 6000)
    most = stats.binom.ppf(0.05, n, 0.5) - 1
    most += stats.binom.cdf(most + 1, n, 0.5) <= 0.05
    is_enough = stats.binom.cdf(most, n, 0.478) >= 0.8
    first = n[is_enough][0]
    assert not is_enough[n > first].all()
    assert n_to_tell([0.478, 0.5, np.nan], 0.5, 0.05).tolist()[0] == first
    assert np.isnan(n_to_tell([0.5, np.nan], 0.5, 0.05)).all()


def test_values_equal_to_rounding_need_no_number_of_samples():
    # 1 - 0.8 is less than 0.2, and 0.1 + 0.7 less than 0.8, by a rounding error.
    cm = ConfusionMatrix.from_counts([[8, 2], [0, 10]], [0, 1])
    for claims in ({"fpr": 1 - 0.8}, {"specificity": 0.1 + 0.7}):
        found = check(cm, claims)
        assert np.isnan(found.n_needed).all()
        assert found.verdict.tolist() == ["cannot tell"]
    with pytest.raises(ValueError, match="no number of samples shows a difference"):
        sample_size("recall", value=0.8, bound=0.1 + 0.7, power=0.8)


@pytest.mark.parametrize("bound", [1e-3, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("side", [-1, 1])
def test_values_next_to_the_bound_need_as_many_samples_as_by_the_normal_approximation(bound, side):
    z = stats.norm.ppf([0.95, 0.8])
    for distance in 10.0 ** -np.arange(6, 15):
        share = bound + side * distance
        [needed] = n_to_tell([share], bound, 0.05)
        deviations = np.sqrt([bound * (1 - bound), share * (1 - share)])
        # The share has about two digits at the smallest distance.
        assert needed == pytest.approx((z @ deviations / distance) ** 2, rel=0.02)


def test_a_result_has_value_limits_and_number_of_samples():
    found = check(TWO, {"recall": 0.9, "false_positive_rate": 0.05, "recall_worst": 0.8})
    # So many hits or more, or less, have probability .05 at the limits.
    assert [
        float(tail(98, 100, found.low[0])),
        1 - float(tail(99, 100, found.high[0])),
    ] == pytest.approx([0.05, 0.05])
    assert found.value.tolist() == [0.98, 0.05, 0.95]
    # The false positive rate is at its bound, and the worst of classes is no share.
    assert found.n.tolist() == [100, 200, 300]
    assert np.isnan(found.n_needed).tolist() == [False, True, True]
    assert found.verdict.tolist() == ["pass", "cannot tell", "pass"]
    assert (found.overall, found.confidence_level) == ("cannot tell", 0.95)
    assert not found


def test_the_worst_of_two_classes_is_wrong_in_5_percent_at_most():
    n, bound = 14, 0.8
    counts = [[[a, n - a], [n - b, b]] for a in range(n + 1) for b in range(n + 1)]
    verdict = check(
        ConfusionMatrix.from_counts(counts, labels=[0, 1]), {"recall_worst": bound}
    ).verdict[0]
    at_bound = np.array([float(tail(k, n, bound) - tail(k + 1, n, bound)) for k in range(n + 1)])
    perfect = np.eye(n + 1)[n]
    for one, other in ((at_bound, at_bound), (at_bound, perfect), (perfect, at_bound)):
        weights = np.outer(one, other).ravel()
        for word in ("pass", "fail"):
            assert weights[verdict == word].sum() <= 0.05
    # 14 of 14, since .8 ** 14 < .05; 13 do not suffice.
    assert verdict[-1] == "pass"
    assert verdict[-2] == "cannot tell"
    assert verdict[0] == "fail"


def test_all_pass_without_a_correction_but_a_fail_of_all_is_corrected():
    counts = [[[90, 10], [100 - hits, hits]] for hits in (84, 90, 90)]
    by_group = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    assert 0.05 / 3 < 1 - tail(85, 100, Fraction(9, 10)) < 0.05
    assert check(by_group.sel(axis_0=0), {"recall": 0.9}).overall == "fail"
    together = check(by_group, {"recall": 0.9})
    assert together.verdict[0].tolist() == ["fail", "cannot tell", "cannot tell"]
    assert together.overall == "cannot tell"
    assert 1 - tail(80, 100, Fraction(9, 10)) < 0.05 / 3
    counts[0][1] = [21, 79]
    assert (
        check(ConfusionMatrix.from_counts(counts, labels=[0, 1]), {"recall": 0.9}).overall == "fail"
    )
    assert 0.05 / 20 < tail(96, 100, Fraction(9, 10)) < 0.05
    assert check(
        ConfusionMatrix.from_counts([[[90, 10], [4, 96]]] * 20, labels=[0, 1]), {"recall": 0.9}
    )


def test_a_pair_is_two_claims_and_each_has_to_pass():
    found = check(TWO, {"predicted_positive_rate": (0.2, 0.4), "mcc": (None, 0.5)})
    assert [text.split()[-2:] for text in found.axes[0].coordinates] == [
        [">=", "0.2"],
        ["<=", "0.4"],
        ["<=", "0.5"],
    ]
    # 108 of 300; mcc is about .91.
    assert found.verdict.tolist() == ["pass", "cannot tell", "fail"]
    assert found.overall == "fail"


def test_the_positive_class_is_one_of_many_and_not_of_averages():
    cm = ConfusionMatrix.from_counts([[30, 2, 1], [3, 40, 1], [2, 1, 20]], labels=["a", "b", "c"])
    found = check(
        cm,
        {"recall": 0.8, "recall_worst": 0.7, "recall_weighted": 0.8, "accuracy": 0.8},
        pos_label="b",
    )
    names = [
        "recall of 'b' >= 0.8",
        "recall_worst >= 0.7",
        "recall_weighted >= 0.8",
        "accuracy >= 0.8",
    ]
    assert found.axes[0].coordinates.tolist() == names
    assert found.value == pytest.approx([40 / 44, 20 / 23, 0.9, 0.9])
    # The worst is no share; the mean by the classes' numbers is the accuracy.
    assert np.isnan(found.n_needed).tolist() == [False, True, False, False]
    found = check(cm, {"recall_macro": 0.8, ("recall", "c"): 0.8})
    assert found.axes[0].coordinates.tolist() == ["recall_macro >= 0.8", "recall of 'c' >= 0.8"]


def test_custom_metrics_and_functions_are_claimed_too():
    def misses(cm):
        return cm.counts[..., 1, 0] / cm.n_samples

    misses.vectorized, misses.greater_is_better = True, False
    found = check(TWO, {misses: 0.05, recall_score: 0.9})
    assert [text.split()[0] for text in found.axes[0].coordinates] == ["misses", "recall"]
    assert found.verdict.tolist() == ["pass", "pass"]


def test_what_can_not_be_tested_never_passes():
    # No positives, few samples, none at all, and enough.
    counts = [[[90, 10], [0, 0]], [[4, 0], [0, 4]], [[0, 0], [0, 0]], [[95, 5], [5, 95]]]
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    found = check(
        cm, {"recall": 0, "recall_worst": 0, "f1": 0, "mcc": (-1, None), "recall_macro": 0}
    )
    # Claims that are always true: shares of some samples pass; others need ten.
    assert (found.verdict == "pass").tolist() == [
        [False, True, False, True],
        [False, True, False, True],
        [True, True, False, True],
        [False, False, False, True],
        [False, True, False, True],
    ]
    assert ((found.reason == "") == (found.verdict == "pass")).all()
    assert "too few samples, 4" in found.reason[3, 1]
    assert found.overall == "cannot tell"


def test_repeated_folds_are_not_told():
    cm = ConfusionMatrix(
        np.array([[90, 10], [0, 100]]), np.array([0, 1]), _design=SampleDesign(folds=2.0)
    )
    found = check(cm, {"recall": 0.5})
    assert found.verdict.tolist() == ["cannot tell"]
    assert "counted 2 times" in found.reason[0]


def test_folds_that_were_pooled_once_are_told_and_say_what_the_verdict_is_about():
    cm = ConfusionMatrix(
        np.array([[90, 10], [0, 100]]), np.array([0, 1]), _design=SampleDesign(folds=1.0)
    )
    found = check(cm, {"recall": 0.5, "specificity": 0.5})
    assert bool(found)
    [caveat] = found.caveats
    assert caveat.code == "pooled_folds"
    assert repr(found).splitlines()[-1] == f"* {caveat.text}"


def test_weights_and_clusters_have_the_limits_of_korn_and_graubard():
    random = np.random.default_rng(0)
    y, weights, clusters = np.repeat([0, 1], 100), random.lognormal(size=200), np.arange(200) // 5
    pred = np.where(random.random(200) < 0.8, y, 1 - y)
    for options in ({"sample_weight": weights}, {"clusters": clusters}):
        cm = ConfusionMatrix.from_predictions(y, pred, **options)
        found = check(cm, {"recall": 0.5})
        expected = metric_interval(
            y, pred, "recall", method="korn-graubard", confidence_level=0.9, **options
        )
        assert found.verdict.tolist() == ["pass"]
        limits = expected.low, expected.high
        assert (found.low[0], found.high[0]) == pytest.approx(limits, rel=1e-12)
        assert np.isnan(found.n_needed).all() == ("sample_weight" in options)


@pytest.mark.parametrize("metric", ["recall", "specificity"])
def test_n_needed_in_clusters_is_that_of_independent_samples_times_the_design_effect(metric):
    random = np.random.default_rng(1)
    clusters = np.repeat(np.arange(60), random.integers(1, 9, 60))
    is_right = random.random(len(clusters)) < random.beta(1.2, 0.3, 60)[clusters]
    y = np.full(len(clusters), int(metric == "recall"))
    pred = np.where(is_right, y, 1 - y)
    cm = ConfusionMatrix.from_predictions(y, pred, labels=[0, 1], clusters=clusters)
    found = check(cm, {metric: 0.6})
    # The variance of a ratio of sums over many clusters: Cochran (1977), Sampling Techniques, 6.3.
    sizes, hits = np.bincount(clusters), np.bincount(clusters, weights=is_right)
    share, n = is_right.mean(), len(clusters)
    variance = ((hits - share * sizes) ** 2).sum() / n**2
    effect = variance * n / (share * (1 - share))
    assert effect > 1.5
    assert found.n_needed[0] == np.ceil(n_to_tell(share, 0.6, 0.05) * effect)
    alone = ConfusionMatrix.from_predictions(y, pred, labels=[0, 1])
    assert found.n_needed[0] > check(alone, {metric: 0.6}).n_needed[0]


def test_clusters_whose_samples_differ_need_no_fewer_samples_than_independent_ones():
    y, clusters = [1] * 80, np.repeat(np.arange(20), 4)
    # Without any variation between clusters, and with little.
    for pred in ([1, 1, 1, 0] * 20, [*[1, 1, 1, 0] * 18, 1, 1, 1, 1, 1, 1, 0, 0]):
        in_clusters = ConfusionMatrix.from_predictions(y, pred, labels=[0, 1], clusters=clusters)
        alone = ConfusionMatrix.from_predictions(y, pred, labels=[0, 1])
        claims = {"recall": 0.5}
        assert (check(in_clusters, claims).n_needed >= check(alone, claims).n_needed).all()


def test_sums_of_weights_without_their_squares_can_not_be_told():
    counts, labels = np.array([[1.0, 0.0], [3.0, 2.0]]), np.array([0, 1])
    cm = ConfusionMatrix(counts, labels, _design=Lost(why=WEIGHTS_ALONE))
    with pytest.raises(ValueError, match="sums of sample_weight, and the sums of their squares"):
        check(cm, {"recall": 0.1})


@pytest.mark.parametrize(
    ("claims", "options", "error", "said"),
    [
        ({}, {}, TypeError, "must be a dict"),
        ("recall >= 0.9", {}, TypeError, "must be a dict"),
        ({"recall": 95}, {}, ValueError, "out of the metric's range, from 0 to 1"),
        ({"false_positive_rate": 5}, {}, ValueError, "out of the metric's range"),
        ({"recall": (None, None)}, {}, ValueError, "no finite bound"),
        ({"recall": math.nan}, {}, ValueError, "must be a number or a pair"),
        ({"recall": (0.9, 0.8)}, {}, ValueError, "pass the lower one first"),
        ({"prevalence": 0.1}, {}, ValueError, "pass a pair"),
        ({"roc_auc": 0.9}, {}, ValueError, "'roc_auc' is not a metric"),
        ({"recal": 0.9}, {}, ValueError, "Did you mean"),
        ({"recall": 0.9}, {"confidence_level": 0.5}, ValueError, "above 0.5 and below 1"),
        ({"recall": 0.9}, {"pos_label": "maybe"}, ValueError, "maybe"),
    ],
)
def test_bad_calls_are_refused(claims, options, error, said):
    with pytest.raises(error, match=said):
        check(TWO, claims, **options)


def test_other_sources_are_refused():
    with pytest.raises(TypeError, match=r"must be a ConfusionMatrix.*got list"):
        check([1, 0], {"recall": 0.9})


def test_averages_of_multilabel_data_are_refused_in_groups_too():
    y = np.array([[0, 1], [1, 1], [1, 0], [0, 0]] * 10)
    cm = ConfusionMatrix.from_predictions(y, y, by=["a"] * 20 + ["b"] * 20)
    assert check(cm, {"recall": 0.5}).verdict.shape == (1, 2, 2)
    for metric in ("recall_macro", "g_mean_worst"):
        with pytest.raises(ValueError, match="not independent"):
            check(cm, {metric: 0.5})


def test_differences_are_tested_at_the_level_of_the_comparison():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 400)
    models = {
        name: np.where(random.random(400) < right, y, 1 - y)
        for name, right in (("new", 0.9), ("old", 0.8))
    }
    compared = compare(y, models, ["recall", "false_positive_rate", f1_score], random_state=0)
    recall, fpr, _ = compared.rows
    found = check(
        compared, {"recall": recall.low, "false_positive_rate": fpr.high, f1_score: (None, -0.5)}
    )
    # Of three rows each has the level 1 - 0.05 / 3.
    assert found.confidence_level == pytest.approx(1 - 0.025 / 3)
    assert [found.low[0, 0], found.high[1, 0]] == [recall.low, fpr.high]
    # Limits at the bound; and F1 is not lower.
    assert found.verdict.ravel().tolist() == ["pass", "pass", "fail"]
    assert found.axes[1].coordinates.tolist() == ["new - old"]
    # Corrected limits hold together, uncorrected ones each by itself.
    assert found.overall == "fail"
    alone = compare(
        y, models, ["recall", f1_score], correction=None, n_resamples=200, random_state=0
    )
    claims = {"recall": alone.rows[0].low, f1_score: (None, -0.5)}
    uncorrected = check(alone, claims)
    assert (uncorrected.overall, uncorrected.confidence_level) == ("cannot tell", 0.975)
    assert uncorrected.verdict.ravel().tolist() == ["pass", "fail"]
    assert check(alone, {f1_score: (None, -0.5)}).overall == "fail"
    assert check(compared, {"recall": np.nextafter(recall.low, 1)}).overall == "cannot tell"
    assert check(compared, {"recall": 0.5}).overall == "fail"
    with pytest.raises(ValueError, match="its own level"):
        check(compared, {"recall": 0.5}, confidence_level=0.9)
    with pytest.raises(ValueError, match="not one of the metrics of the results"):
        check(compared, {"precision": 0})


def test_differences_of_areas_and_without_limits():
    rows = (
        ComparisonRow("roc_auc", "a", "b", 0.9, 0.8, 0.1, math.nan, math.nan, 0.1, 0.1, "DeLong"),
    )
    found = check(comparison_of_rows(rows), {"roc_auc": -0.9})
    assert (found.verdict.item(), found.reason.item()) == ("cannot tell", "no confidence limits")
    assert check(comparison_of_rows([rows[0]._replace(low=0.01, high=0.2)]), {"roc_auc": 0})


def test_verdicts_are_shown_in_full():
    many = ConfusionMatrix.from_counts([[[90, 10], [5, 95]]] * 60, labels=["<no>", "yes"])
    found = check(many, {"recall": 0.9})
    assert len(str(found).splitlines()) == 62
    assert "reason" not in str(found)
    assert found._repr_html_().count("<tr>") == 61
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found, Verdicts)
    frame = found.to_frame()
    assert [*frame.columns[:3], *frame.columns[-2:]] == [
        "claim",
        "axis_0",
        "verdict",
        "method",
        "confidence_level",
    ]
    assert frame["value"].tolist() == [0.95] * 60


def test_groups_are_those_of_by():
    groups = {"sex": ["f", "f", "m", "m"] * 50, "year": [1, 2] * 100}
    cm = ConfusionMatrix.from_predictions([1] * 200, [1] * 150 + [0] * 50, by=groups, labels=[0, 1])
    claims = {"recall": 0.7}
    for by, pooled in (
        ("sex", cm.sum("year")),
        (["year"], cm.sum("sex")),
        ([], cm.sum("sex").sum("year")),
    ):
        found, expected = check(cm, claims, by=by), check(pooled, claims)
        assert [axis.name for axis in found.axes] == [axis.name for axis in expected.axes]
        np.testing.assert_array_equal(found.low, expected.low)
    assert check(cm, claims).verdict.shape == (1, 2, 2)
    with pytest.raises(
        ValueError, match="by='age' is not an axis of the matrix, which has \\['sex', 'year'\\]"
    ):
        check(cm, claims, by="age")


def test_a_claim_on_a_difference_at_an_operating_point():
    y = np.arange(200) % 2
    scores = np.random.default_rng(0).normal(size=(2, 200)) + 2 * y
    curves = {
        name: ThresholdCurve.from_scores(y, of) for name, of in zip("ab", scores, strict=True)
    }
    compared = compare_curves(curves, "recall", subject_to={"specificity": 0.75}, random_state=0)
    found = check(compared, {"recall at specificity 0.75": (-0.9, 0.9)})
    assert found.verdict.tolist() == [["pass"], ["pass"]]
    assert found.low[0, 0] == compared.rows[0].low


def test_the_method_of_each_group_is_that_of_the_group_alone():
    counts = {"F": [[190, 10], [2, 98]], "M": [[24, 6], [4, 26]]}
    groups = {
        sex: ConfusionMatrix.from_counts(each, labels=["no", "yes"]) for sex, each in counts.items()
    }
    claims = {"recall": 0.9, "f1": 0.8, "mcc": 0.5}
    found = check(ConfusionMatrix.stack(groups, axis="sex"), claims, pos_label="yes").to_frame()
    for sex, cm in groups.items():
        alone = check(cm, claims, pos_label="yes").to_frame()
        of_group = found[found["sex"] == sex]
        assert of_group["method"].tolist() == alone["method"].tolist()
        assert of_group["verdict"].tolist() == alone["verdict"].tolist()
    assert found["method"].nunique() > 1


@pytest.mark.parametrize(
    ("metric", "value_of"),
    [
        ("informedness", lambda p, q: p + q - 1),
        ("positive_likelihood_ratio", lambda p, q: p / (1 - q)),
    ],
)
def test_claims_of_two_proportions_are_wrong_on_each_side_in_5_percent_by_all_outcomes(
    metric, value_of
):
    """40 positives and 60 negatives: MOVER of exact limits, since Wilson's fail up to 9 % at an
    end.
    """
    n, m = 40, 60
    a, b = (of.ravel() for of in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
    counts = np.stack([np.stack([b, m - b], -1), np.stack([n - a, a], -1)], -2)
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    for p, q in ((0.95, 0.98), (0.8, 0.95), (0.5, 0.5), (0.3, 0.9)):
        verdicts = check(cm, {metric: value_of(p, q)})
        assert set(verdicts.method.ravel()) == {"MOVER of exact limits"}
        odds = stats.binom.pmf(a, n, p) * stats.binom.pmf(b, m, q)
        for wrong in ("pass", "fail"):
            assert odds[verdicts.verdict[0] == wrong].sum() <= 0.055, (p, q, wrong)


# Results that have limits.


def of_groups(*hits, n=400):
    """Recall of one group a number of hits."""
    counts = np.array([[[n, 0], [n - hit, hit]] for hit in hits])
    groups = {f"g{k}": ConfusionMatrix.from_counts(of, [0, 1]) for k, of in enumerate(counts)}
    return ConfusionMatrix.stack(groups, axis="site")


def mover(first, second, n, alpha):
    """The upper limit of a difference of two shares."""
    return newcombe(first, n, second, n, alpha).high


def test_a_gap_is_small_if_each_pair_is_and_large_if_one_is():
    cm = of_groups(360, 352, 340)
    gap = cm.gap("recall", axis="site")
    # 360 - 340 is the pair of the highest limit.
    assert gap.limit_of_each_pair == pytest.approx(mover(360, 340, 400, 0.05), rel=1e-12)
    assert gap.limit_of_each_pair < gap.high
    between = (gap.limit_of_each_pair + gap.high) / 2
    found = check(gap, {"recall": (None, between)})
    assert found.verdict.tolist() == ["pass"]
    assert found.confidence_level == pytest.approx(0.975)
    assert found.axes[0].coordinates.tolist() == [f"difference of recall of 1 <= {between:.12g}"]
    # A number is at most, as a pair without the lower end.
    assert check(gap, {"recall": between}).verdict.tolist() == ["pass"]
    below = (gap.value + gap.limit_of_each_pair) / 2
    assert check(gap, {"recall": below}).overall == "cannot tell"
    assert check(gap, {"recall": gap.low / 2}).overall == ("fail" if gap.low else "cannot tell")
    # That it is large takes the simultaneous limit.
    far = of_groups(380, 352, 300).gap("recall", axis="site")
    assert check(far, {"recall": (far.low, None)}).overall == "pass"
    assert check(far, {"recall": (np.nextafter(far.low, 1), None)}).overall == "cannot tell"
    assert check(far, {"recall": far.low / 2}).overall == "fail"


def test_two_groups_have_one_pair():
    gap = of_groups(360, 340).gap("recall", axis="site")
    assert gap.limit_of_each_pair == gap.high


def test_a_ratio_is_high_enough_if_that_of_each_pair_is():
    gap = of_groups(360, 352, 340).gap("recall", axis="site", kind="ratio")
    assert gap.low < gap.limit_of_each_pair < gap.value
    assert check(gap, {"recall": gap.limit_of_each_pair}).overall == "pass"
    assert check(gap, {"recall": np.nextafter(gap.limit_of_each_pair, 1)}).overall != "pass"


def test_entries_and_aliases_of_a_gap_and_what_is_not_its_metric():
    random = np.random.default_rng(0)
    by = {"sex": random.choice(["F", "M"], 900), "site": random.choice(["x", "y", "z"], 900)}
    y = random.integers(0, 2, 900)
    cm = ConfusionMatrix.from_predictions(y, np.where(random.random(900) < 0.9, y, 1 - y), by=by)
    gap = cm.gap("recall", axis="site")
    found = check(gap, {"sensitivity": (None, 0.5)})
    assert [axis.name for axis in found.axes] == ["claim", "sex"]
    assert found.verdict.tolist() == [["pass", "pass"]]
    assert np.array_equal(found.high[0], gap.limit_of_each_pair)
    with pytest.raises(ValueError, match="not one of the metrics of the results, \\['recall'\\]"):
        check(gap, {"precision": 0.1})
    with pytest.raises(ValueError, match="by="):
        check(gap, {"recall": 0.1}, by="sex")


@pytest.mark.parametrize("options", [{"clusters": np.arange(900) // 3}, {"by": None}])
def test_groups_of_other_designs_have_a_limit_of_each_pair_too(options):
    random = np.random.default_rng(1)
    site = random.choice(["x", "y", "z"], 300)[np.arange(900) // 3]
    y = random.integers(0, 2, 900)
    pred = np.where(random.random(900) < 0.9, y, 1 - y)
    options = {name: of for name, of in options.items() if of is not None}
    gap = ConfusionMatrix.from_predictions(y, pred, by=site, **options).gap("recall")
    assert gap.value < gap.limit_of_each_pair < gap.high


def test_intervals_are_claims_too_at_the_level_of_both_limits():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300)
    pred = np.where(random.random(300) < 0.9, y, 1 - y)
    interval = metric_interval(y, pred, "f1")
    found = check(interval, {"f1": interval.low})
    assert (found.overall, found.confidence_level) == ("pass", 0.95)
    assert check(interval, {"f1": np.nextafter(interval.low, 1)}).overall == "cannot tell"
    assert check(interval, {"f1": np.nextafter(interval.high, 1)}).overall == "fail"
    by = metric_interval(y, pred, "recall", by=random.choice(["F", "M"], 300))
    of_each = check(by, {"recall": 0.8})
    assert of_each.verdict.shape == (1, 2)
    assert np.array_equal(of_each.low[0], by.low)
    both = check(
        {"f1": interval, "accuracy": metric_interval(y, pred, "accuracy")}, {"accuracy": 0.5}
    )
    assert both.overall == "pass"
    with pytest.raises(ValueError, match="different axes"):
        check({"recall": by, "f1": interval}, {"f1": 0.5})
    for level in (0.95, None):
        assert check(interval, {"f1": 0.5}, confidence_level=level).overall == "pass"
    with pytest.raises(ValueError, match=r"own level, 0\.95 on each side"):
        check(interval, {"f1": 0.5}, confidence_level=0.99)
    with pytest.raises(ValueError, match="out of the metric's range"):
        check(interval, {"f1": 1.5})


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "percent_agreement", "gwet_ac1"])
def test_agreement_of_raters_can_be_claimed(metric):
    random = np.random.default_rng(0)
    first = random.integers(0, 3, 200)
    ratings = np.stack([first, np.where(random.random(200) < 0.9, first, 0)], axis=1)
    interval = agreement(ratings, metric=metric)
    assert check(interval, {metric: interval.low}).overall == "pass"
    assert check(interval, {metric: (None, interval.high)}).overall == "pass"
    assert check(interval, {metric: 0.999}).overall == "fail"
    with pytest.raises(ValueError, match="not one of the metrics"):
        check(interval, {"recall": 0.5})


def test_areas_can_be_claimed():
    random = np.random.default_rng(0)
    scores = random.random(300)
    curve = ThresholdCurve.from_scores((random.random(300) < scores).astype(int), scores)
    area = curve.interval("roc_auc")
    assert check(area, {"roc_auc": area.low}).overall == "pass"
    assert check(area, {"roc_auc": 0.99}).overall == "fail"


def test_intervals_with_caveats_can_not_tell():
    few = ConfusionMatrix.from_counts([[3, 1], [1, 3]], [0, 1])
    with pytest.warns(UserWarning, match="few"):
        interval = few.interval("mcc")
    found = check(interval, {"mcc": -0.99})
    assert found.overall == "cannot tell"
    assert found.reason[0]


def test_a_row_that_fails_where_the_check_does_not_is_explained():
    counts = [[[90, 10], [100 - hits, hits]] for hits in [93] * 29 + [82]]
    found = check(ConfusionMatrix.from_counts(counts, labels=[0, 1]), {"recall": 0.9})
    assert (found.overall, (found.verdict == "fail").sum()) == ("cannot tell", 1)
    note = "* 1 of 30 rows: fail at 95 % each, but not at that level for all rows together"
    assert note in str(found)
    assert note in str(found.to_table())
    alone = check(ConfusionMatrix.from_counts(counts[-1], labels=[0, 1]), {"recall": 0.9})
    assert alone.overall == "fail"
    assert "rows: fail" not in str(alone)


CLAIMABLE = [row for row in METRICS if not row.required and row.better != "neither"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", CLAIMABLE)
def test_a_value_at_an_end_of_its_range_does_not_fail_to_be_there(row, step):
    """The best value is never shown, nor excluded by samples that have it; the worst always is. The
    slow one is of both ends of every metric.
    """
    asked = ["best", "worst"][CLAIMABLE.index(row) % step :: step]
    ends = [float(np.ravel(end)[0]) for end in row.widest_ends]
    worst, best = ends if row.better == "higher" else ends[::-1]
    right = ConfusionMatrix.from_counts([[80, 0], [0, 90]], labels=[0, 1])
    if "best" in asked and np.isfinite(best):
        assert check(right, {row.name: best}).overall == "cannot tell"
    if "worst" in asked and np.isfinite(worst) and not np.isnan(right.score(row.name)):
        assert check(right, {row.name: worst}).overall == "pass"


def share_of_errors(cm):
    return 1 - np.trace(cm.counts) / max(cm.counts.sum(), 1)


@pytest.mark.filterwarnings("ignore")
def test_a_verdict_that_can_not_be_told_has_a_reason_and_no_number_of_samples():
    """Unless the limits are on both sides of the bound; of a function with a value of nothing, of
    few clusters, of a class that does not occur.
    """
    y, pred = np.tile([0, 1, 1], 40), np.tile([0, 1, 0], 40)
    clustered = ConfusionMatrix.from_predictions(y, pred, clusters=np.arange(120) // 20)
    empty = ConfusionMatrix.from_counts([[[80, 20], [10, 90]], np.zeros((2, 2), int)], [0, 1])
    no_positives = ConfusionMatrix.from_counts([[80, 20], [0, 0]], labels=[0, 1])
    found = [
        check(clustered, {"recall": 0.2}),
        check(empty.interval(share_of_errors, n_resamples=199), {share_of_errors: 0.01}),
        check(empty, {"mcc": 0.01}),
        check(no_positives, {"recall": 0.5}),
        check(no_positives, {"recall_worst": 0.5}),
    ]
    for verdicts in found:
        cannot = verdicts.verdict == "cannot tell"
        assert cannot.any()
        assert (verdicts.reason[cannot] != "").all()
        assert np.isnan(verdicts.n_needed[cannot].astype(float)).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_function_with_a_value_of_nothing_can_not_be_told_of_a_matrix():
    """Plain pytest claims it of an interval: a check draws thousands of samples for the function of
    a user, which is slow.
    """
    empty = ConfusionMatrix.from_counts([[[80, 20], [10, 90]], np.zeros((2, 2), int)], [0, 1])
    verdicts = check(empty, {share_of_errors: 0.01})
    cannot = verdicts.verdict == "cannot tell"
    assert cannot.any()
    assert (verdicts.reason[cannot] != "").all()


def test_results_with_limits_of_unlike_levels_are_told_at_the_lowest():
    """Those of the refitted model are of both sides at once."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 2)), np.tile([0, 1], 100)
    X[:, 0] += 3 * y
    of_folds = cross_val_interval(GaussianNB(), X, y, scoring="accuracy", random_state=0)
    of_one = metric_interval(y, X[:, 0] > 1.5, "recall")
    for results in ({"accuracy": of_folds, "recall": of_one}, {"recall": of_one}):
        found = check(results, dict.fromkeys(results, 0.5))
        assert found.confidence_level == 0.95
    assert check(of_folds, {"accuracy": 0.5}).confidence_level == 0.975


@pytest.mark.parametrize(("bound", "status"), [(0.5, 0), (0.99, 1), (0.9, 2)])
def test_the_exit_status_is_that_of_the_command(bound, status):
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
    verdicts = check(cm, {"recall": bound})
    assert verdicts.exit_status == status
    assert (verdicts.exit_status == 0) == bool(verdicts)


def test_verdicts_say_which_limits_decided():
    cm = ConfusionMatrix.from_counts([[180, 20], [12, 88]], labels=[0, 1])
    found = check(cm.interval("recall"), {"recall": 0.835})
    assert str(found).startswith("Check: cannot tell (two-sided 95 % limits of the interval)")
    assert "0.88 (two-sided 95 % limits of the interval 0.80 to 0.93" in found.sentence()
    assert str(check(cm, {"recall": 0.835})).startswith("Check: cannot tell (one-sided at 95 %")
    three = [[[8, 2], [k, 20 - k]] for k in (1, 4, 9)]
    groups = ConfusionMatrix.from_counts(three, labels=[0, 1])
    for kind, ends in (
        ("difference", "low and limit_of_each_pair"),
        ("ratio", "limit_of_each_pair and high"),
        ("inverse_ratio", "low and limit_of_each_pair"),
    ):
        gap = groups.gap("recall", kind=kind)
        found = check(gap, {"recall": 0.5 if kind == "ratio" else 1.0 + (kind != "difference")})
        assert f"({ends} of the gap, one-sided 97.5 % limits)" in str(found)
        decided = [
            gap.limit_of_each_pair if "_" in end else getattr(gap, end)
            for end in ends.split(" and ")
        ]
        assert [*found.low, *found.high] == decided


def test_samples_needed_are_said_only_where_data_cannot_tell():
    cm = ConfusionMatrix.from_counts([[80, 20], [8, 42]], labels=[0, 1])
    found = check(cm, {"recall": 0.9, "fpr": 0.1})
    _, open_one, failed = found.sentence().splitlines()
    assert f"{found.n_needed[0]:.0f} samples have power 0.8 if 0.84 is true" in open_one
    assert "samples have" not in failed
    assert not np.isnan(found.n_needed[1])
