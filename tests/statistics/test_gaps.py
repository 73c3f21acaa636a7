"""Gaps between groups: fairlearn, Newcombe's and other published intervals, edges, errors."""

import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from fairlearn import metrics as fair
from scipy import special, stats
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ConfusionMatrix, check
from skmetrics_ext.results import Axis, Gap
from skmetrics_ext.statistics.gaps.limits import STEPS, last_beyond
from tests.proportions import newcombe
from tests.shared import for_each

RANDOM = np.random.default_rng(3)
SEXES = np.array(["F", "M", "X"])


def matrix(counts, names=None, name="sex", labels=("no", "yes")):
    counts = np.asarray(counts)
    names = SEXES[: len(counts)] if names is None else np.asarray(names)
    return ConfusionMatrix(
        counts, np.asarray(labels), (Axis(name, names),), labels[1] if len(labels) == 2 else None
    )


TWO = matrix([[[70, 30], [20, 80]], [[80, 20], [40, 60]]])
THREE = matrix([[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[75, 25], [30, 70]]])


def of_recalls(hits, n, **options):
    """Groups that differ only in the actual positives."""
    counts = [[[5, 5], [of - hit, hit]] for hit, of in zip(hits, n, strict=True)]
    return matrix(counts, names=np.arange(len(hits)), **options)


def limits(gap):
    return np.array([gap.low, gap.high])


# The value.


OF_FAIRLEARN = {
    "recall": metrics.recall_score,
    "fnr": fair.false_negative_rate,
    "fpr": fair.false_positive_rate,
    "specificity": fair.true_negative_rate,
    "selection_rate": fair.selection_rate,
    "accuracy": metrics.accuracy_score,
    "precision": metrics.precision_score,
    "f1": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
}


@pytest.fixture(scope="module")
def of_four_groups():
    """A matrix, and what fairlearn says of the same samples."""
    groups = RANDOM.choice(["F", "M", "X", "Y"], 600, p=[0.4, 0.3, 0.2, 0.1])
    y_true = RANDOM.integers(0, 2, 600)
    y_pred = np.where(RANDOM.random(600) < 0.7, y_true, 1 - y_true)
    frame = fair.MetricFrame(
        metrics=OF_FAIRLEARN, y_true=y_true, y_pred=y_pred, sensitive_features=groups
    )
    return ConfusionMatrix.from_predictions(y_true, y_pred, by=groups), frame


@pytest.mark.parametrize("metric", OF_FAIRLEARN)
def test_values_are_those_of_fairlearn(metric, of_four_groups):
    """Every second one with a baseline."""
    cm, frame = of_four_groups
    baseline = "Y" if list(OF_FAIRLEARN).index(metric) % 2 else None
    of_groups = frame.by_group[metric]
    gap, ratio = (
        cm.gap(metric, baseline=baseline, kind=kind, n_resamples=100)
        for kind in ("difference", "ratio")
    )
    if baseline is None:
        assert gap.value == pytest.approx(frame.difference()[metric], rel=1e-12)
        assert ratio.value == pytest.approx(frame.ratio()[metric], rel=1e-12)
        assert (gap.lowest_group, gap.highest_group) == (of_groups.idxmin(), of_groups.idxmax())
        return
    distances = (of_groups - of_groups["Y"]).abs()
    assert gap.value == pytest.approx(distances.max(), rel=1e-12)
    assert {gap.lowest_group, gap.highest_group} == {distances.idxmax(), "Y"}
    assert of_groups[gap.highest_group] - of_groups[gap.lowest_group] == pytest.approx(
        gap.value, rel=1e-12
    )
    ratios = of_groups / of_groups["Y"]
    ratios = np.minimum(ratios, 1 / ratios)
    assert ratio.value == pytest.approx(ratios.min(), rel=1e-12)
    assert {ratio.lowest_group, ratio.highest_group} == {ratios.idxmin(), "Y"}
    assert of_groups[ratio.lowest_group] / of_groups[ratio.highest_group] == pytest.approx(
        ratio.value, rel=1e-12
    )


def test_values_within_other_features_are_those_of_fairlearn():
    sex, age = RANDOM.integers(0, 3, 900), RANDOM.integers(0, 2, 900)
    y_true = RANDOM.integers(0, 2, 900)
    y_pred = np.where(RANDOM.random(900) < 0.7, y_true, 1 - y_true)
    counts = np.zeros((3, 2, 2, 2), dtype=np.int64)
    np.add.at(counts, (sex, age, y_true, y_pred), 1)
    cm = ConfusionMatrix(
        counts, np.array([0, 1]), (Axis("sex", SEXES), Axis("age", np.array(["old", "young"]))), 1
    )
    expected = fair.MetricFrame(
        metrics=metrics.recall_score,
        y_true=y_true,
        y_pred=y_pred,
        sensitive_features=sex,
        control_features=age,
    )
    gap = cm.gap("recall", axis="sex", n_resamples=200, random_state=0)
    np.testing.assert_allclose(gap.value, expected.difference(), rtol=1e-12)
    assert [axis.name for axis in gap.axes] == ["age"]
    # Each entry is as if it were the only one, and the axes may be in any order.
    turned = ConfusionMatrix(counts.swapaxes(0, 1), cm.labels, cm.axes[::-1], 1).gap(
        "recall", axis="sex"
    )
    np.testing.assert_array_equal(turned.value, gap.value)
    for entry in range(2):
        alone = matrix(counts[:, entry], labels=(0, 1)).gap("recall")
        assert (alone.value, alone.lowest_group, alone.highest_group) == (
            gap.value[entry],
            gap.lowest_group[entry],
            gap.highest_group[entry],
        )
        np.testing.assert_allclose(limits(alone), [gap.low[entry], gap.high[entry]], rtol=1e-12)
        assert alone.p_value == pytest.approx(gap.p_value[entry], abs=0.2)


def test_averages_and_classes():
    counts = RANDOM.integers(1, 30, (3, 3, 3))
    cm = matrix(counts, labels=("a", "b", "c"))
    values = cm.score("recall", average=None)
    gap = cm.gap("recall", average=None, n_resamples=200)
    np.testing.assert_allclose(gap.value, np.ptp(values, axis=0), rtol=1e-12)
    assert [axis.name for axis in gap.axes] == ["class"]
    one = cm.gap("recall", average=None, labels=["b"], n_resamples=200)
    assert (one.value, one.low, one.high) == (gap.value[1], gap.low[1], gap.high[1])
    with pytest.raises(
        ValueError, match="no valid confidence interval for a gap between worst values of f1"
    ):
        cm.gap("f1_worst")
    for average in ("macro", "micro", "weighted"):
        gap = cm.gap("f1", average=average, n_resamples=200, random_state=0)
        assert gap.value == pytest.approx(np.ptp(cm.score("f1", average=average)), rel=1e-12)
        assert 0 <= gap.low <= gap.value <= gap.high <= 1
        assert 0 < gap.p_value <= 1


# The interval.


def test_two_groups_have_newcombes_interval_of_mid_p_limits():
    gap = of_recalls([56, 48], [70, 80]).gap("recall")
    np.testing.assert_allclose(limits(gap), newcombe(56, 70, 48, 80), rtol=1e-7)
    np.testing.assert_allclose(
        limits(of_recalls([48, 56], [80, 70]).gap("recall")), limits(gap), rtol=1e-12
    )
    for metric, baseline in (("recall", 0), ("recall", 1), ("fnr", None)):
        other = of_recalls([56, 48], [70, 80]).gap(metric, baseline=baseline)
        np.testing.assert_allclose(limits(other), limits(gap), rtol=1e-12)


@pytest.mark.parametrize(
    ("hits", "n"), [((7, 3), (10, 10)), ((10, 0), (10, 20)), ((30, 20), (40, 100))]
)
def test_shares_have_limits_by_mover_at_each_level(hits, n):
    low, high = newcombe(hits[0], n[0], hits[1], n[1], 0.1)
    gap = of_recalls(hits, n).gap("recall", confidence_level=0.9)
    np.testing.assert_allclose(limits(gap), [max(low, 0), min(high, 1)], rtol=1e-7)


def test_limits_of_a_gap_near_0_are_those_of_its_size():
    # The lower limit of the difference is farther from 0 than the upper one.
    low, high = newcombe(290, 300, 57, 60)
    assert low < 0 < high
    gap = of_recalls([290, 57], [300, 60]).gap("recall")
    assert gap.low == 0
    assert gap.high == pytest.approx(max(-low, high), rel=1e-7)


def test_a_baseline_is_compared_with_each_other_group():
    hits, n = [56, 48, 70], [70, 80, 75]
    pairs = [newcombe(hits[g], n[g], hits[0], n[0], 0.025) for g in (1, 2)]
    gap = of_recalls(hits, n).gap("recall", baseline=0)
    assert gap.value == pytest.approx(56 / 70 - 48 / 80)
    assert gap.low == pytest.approx(max(max(low, -high, 0) for low, high in pairs), rel=1e-7)
    assert gap.high == pytest.approx(max(max(-low, high) for low, high in pairs), rel=1e-7)


def test_all_pairs_hold_at_once_by_the_studentised_range():
    hits, n = [56, 48, 70], [70, 80, 75]
    # Tukey's q of 3 groups and infinitely many degrees of freedom is 3.314.
    assert stats.studentized_range.ppf(0.95, 3, np.inf) == pytest.approx(3.314, abs=5e-4)
    alpha = 2 * special.ndtr(-stats.studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2))
    pairs = [
        newcombe(hits[g], n[g], hits[h], n[h], alpha) for g in range(3) for h in range(3) if g != h
    ]
    gap = of_recalls(hits, n).gap("recall")
    assert gap.low == pytest.approx(max(low for low, _ in pairs), rel=1e-7)
    assert gap.high == pytest.approx(max(high for _, high in pairs), rel=1e-7)


@pytest.mark.parametrize(
    ("hits", "n"), [((9, 3), (10, 10)), ((0, 8), (10, 20)), ((30, 20), (40, 100))]
)
def test_limits_of_ratios_are_roots_of_their_definition(hits, n):
    # Donner & Zou (2012): the ratios r at which the MOVER limit of f1 - r f2 is 0.
    cm = of_recalls(hits, n)
    intervals = cm.interval("recall")
    gap = cm.gap("recall", kind="ratio")
    order = np.argsort(intervals.value)
    (f1, f2), (l1, l2), (u1, u2) = (
        np.asarray(part)[order] for part in (intervals.value, intervals.low, intervals.high)
    )
    np.testing.assert_allclose(
        f1 - gap.low * f2, np.hypot(f1 - l1, gap.low * (u2 - f2)), atol=1e-12
    )
    np.testing.assert_allclose(
        gap.high * f2 - f1, np.hypot(u1 - f1, gap.high * (f2 - l2)), atol=1e-12
    )
    # The same for the other rate, with the inverse ratio.
    flipped = matrix(cm.counts[::-1], names=[1, 0]).gap("recall", kind="ratio")
    np.testing.assert_allclose(limits(flipped), limits(gap), rtol=1e-12)


@for_each("baseline", [None, "M", "F"])
@for_each("counts", [TWO, THREE, matrix([[[9, 1], [10, 0]], [[8, 2], [2, 8]], [[0, 9], [1, 9]]])])
def test_the_inverse_ratio_has_the_inverse_limits(counts, baseline):
    named = {"M": ("recall", "plr"), "F": ("fpr", "f1")}
    for metric in named.get(baseline, ("recall", "fpr", "predicted_positive_rate", "f1", "plr")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            of = {
                kind: counts.gap(metric, kind=kind, baseline=baseline, n_resamples=100)
                for kind in ("ratio", "inverse_ratio")
            }
        ratio, inverse = of["ratio"], of["inverse_ratio"]
        with np.errstate(divide="ignore"):
            found = 1 / np.array([inverse.value, inverse.high, inverse.low])
            assert 1 / np.array(inverse.limit_of_each_pair) == pytest.approx(
                ratio.limit_of_each_pair, nan_ok=True
            )
        expected = ratio.value, ratio.low, ratio.high
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert (inverse.low > 1) == (ratio.high < 1) == (inverse.p_value < 0.05)
        same = ("p_value", "lowest_group", "highest_group", "method", "caveats", "n")
        assert [getattr(inverse, name) for name in same] == [getattr(ratio, name) for name in same]


def test_an_inverse_ratio_says_which_it_is_and_is_checked_from_above():
    gap = TWO.gap("recall", kind="inverse_ratio")
    assert f"{gap.value:.4f}" == "1.3333" == repr(gap)[:6]
    assert "inverse ratio of recall of 'yes', M below F" in repr(gap)
    assert [check(gap, {"recall": bound}).overall for bound in (2, 1.1)] == ["pass", "fail"]


def test_other_metrics_have_limits_of_their_own_intervals():
    for metric in ("informedness", "f1", "mcc", "diagnostic_odds_ratio"):
        intervals = TWO.interval(metric, random_state=0)
        (f1, f2), (low, _), (_, high) = intervals.value, intervals.low, intervals.high
        assert f1 > f2
        lower = f1 - f2 - np.hypot(f1 - low, high - f2)
        upper = f1 - f2 + np.hypot(intervals.high[0] - f1, f2 - intervals.low[1])
        gap = TWO.gap(metric, random_state=0)
        # Bootstrap replicates differ.
        np.testing.assert_allclose(limits(gap), [max(0, lower), max(upper, -lower)], atol=0.01)


def test_a_gap_of_values_without_limits_has_none():
    with pytest.warns(UserWarning, match="same in all"):
        gap = THREE.gap("prevalence_macro", n_resamples=200, random_state=0)
    assert np.isnan(limits(gap)).all()


def recall_if_positives_are_many(cm):
    of_positives = cm.counts[1]
    return of_positives[1] / of_positives.sum() if sum(of_positives) > 50 else 0.5


def test_a_gap_is_unknown_where_one_group_has_no_limits():
    """That of few positives is the same in all replicates."""
    counts = THREE.counts.copy()
    counts[1, 1] = [5, 5]
    with pytest.warns(UserWarning, match="same in all replicates"):
        gap = matrix(counts).gap(recall_if_positives_are_many, n_resamples=119)
    assert not np.isnan(gap.value)
    assert np.isnan(limits(gap)).all()


@pytest.mark.parametrize("design", ["sample_weight", "clusters"])
def test_replicates_of_groups_are_drawn_once_for_all_levels(design):
    """The p-value by inversion asks for limits at many."""
    random, asked = np.random.default_rng(0), []
    y, group = random.integers(0, 3, 600), np.arange(600) % 2
    pred = np.where(random.random(600) < np.where(group, 0.9, 0.7), y, random.integers(0, 3, 600))
    of_each = {"sample_weight": random.lognormal(0, 0.3, 600), "clusters": np.arange(600) // 4}
    given = {design: of_each[design] + (group * 1_000 if design == "clusters" else 0)}
    cm = ConfusionMatrix.from_predictions(y, pred, by=group, **given)

    def recall_of_some(cm):
        asked.append(cm)
        return cm.counts[1, 1] / cm.counts[1].sum()

    gap = cm.gap(recall_of_some, n_resamples=199, random_state=0)
    assert gap.method == "MOVER of groups, inverted"
    assert (gap.low > 0) == (gap.p_value < 0.05)
    # Of two groups, at twenty levels it would be eight thousand.
    assert 2 * 199 <= len(asked) < 2_000


def test_groups_that_share_clusters_differ_by_less_beside_one_that_shares_none():
    """Two of three groups have samples of the same patients, who differ."""
    random = np.random.default_rng(0)
    group = np.repeat(["a", "b", "c"], 200)
    patients = np.concatenate([np.arange(200) // 4, np.arange(200) // 4, 50 + np.arange(200) // 4])
    rate = np.tile(np.repeat(random.beta(2, 2, 50), 4), 3)
    rate += np.select([group == "a", group == "b"], [0.25, -0.1], 0.05)
    y = (np.arange(600) % 4 > 0).astype(int)
    pred = np.where(random.random(600) < rate, y, 1 - y)
    shared, apart = (
        ConfusionMatrix.from_predictions(y, pred, by=group, clusters=clusters).gap("recall")
        for clusters in (patients, patients + 100 * (group == "b"))
    )
    assert (shared.lowest_group, shared.highest_group) == ("b", "a")
    assert shared.value == apart.value
    assert shared.low > apart.low + 0.03
    assert shared.high < apart.high - 0.03


# Limits, omitted groups, and names.


def test_the_pair_of_a_baseline_is_named_with_it():
    # Recall .8, .5 and .95: from F it is .3 to M and .15 to X, and .45 between these, which is not
    # requested.
    cm = matrix([[[70, 30], [20, 80]], [[80, 20], [50, 50]], [[75, 25], [5, 95]]])
    gap = cm.gap("recall", baseline="F", n_resamples=200)
    assert (round(gap.value, 12), gap.lowest_group, gap.highest_group, gap.baseline) == (
        0.3,
        "M",
        "F",
        "F",
    )
    assert repr(gap).endswith(
        ": difference of recall of 'yes', baseline F, M below F "
        "(MOVER of groups, permutation, n = 300)"
    )
    frame = gap.to_frame("pandas")
    assert frame[["lowest_group", "highest_group", "baseline"]].to_numpy().tolist() == [
        ["M", "F", "F"]
    ]
    gap = cm.gap("fnr", kind="ratio", baseline="F", n_resamples=200)
    # 5 / 20 of X is less than 20 / 50 of M.
    assert (gap.value, gap.lowest_group, gap.highest_group, gap.baseline) == (
        pytest.approx(0.25),
        "X",
        "F",
        "F",
    )
    assert "ratio of fnr of 'yes', baseline F, X below F" in repr(gap)
    gaps = cm.gap("recall", average=None, baseline="M", n_resamples=200)
    # For "no" .8 of M is .1 above F; for "yes" .5 of M is .45 below X.
    assert [gaps.lowest_group.tolist(), gaps.highest_group.tolist()] == [["F", "M"], ["M", "X"]]
    assert repr(gaps).startswith(
        "Gap by class (difference of recall, baseline M, 95 %, MOVER of groups, permutation)\n"
    )
    assert "baseline M" in gaps._repr_html_()
    assert pickle.loads(pickle.dumps(gaps)).baseline == "M"
    assert cm.gap("recall", n_resamples=200).baseline is None


def test_no_group_is_named_that_is_left_out_or_not_compared():
    infinite, nothing = [[20, 0], [5, 15]], [[0, 0], [0, 0]]
    with pytest.warns(UserWarning, match="gap between these is unknown"):
        gap = matrix([nothing, infinite, infinite]).gap("plr", n_resamples=200)
    assert (gap.lowest_group, gap.highest_group) == (None, None)
    # The difference of two infinite values is unknown; that to the third is infinite.
    cm = matrix([infinite, infinite, [[18, 2], [5, 15]]])
    for kind, value in (("difference", np.inf), ("ratio", 0)):
        gap = cm.gap("plr", kind=kind, baseline="F", n_resamples=200)
        assert (gap.value, gap.lowest_group, gap.highest_group) == (value, "X", "F")
    with pytest.warns(UserWarning, match="gap between these is unknown"):
        gap = matrix([nothing, infinite, infinite]).gap("plr", baseline="M", n_resamples=200)
    assert np.isnan(gap.value)
    assert (gap.lowest_group, gap.highest_group) == (None, None)


def test_limits_of_0_have_no_sign():
    gap = matrix([[[25, 4], [3, 20]]] * 2).gap("recall", n_resamples=200)
    assert repr(gap).startswith("0.0000 [0.0000, 0.")


def test_equal_groups_have_no_gap():
    cm = matrix([TWO.counts[0]] * 3)
    for metric in ("recall", "f1", "mcc", "informedness", "accuracy"):
        gap = cm.gap(metric, n_resamples=200)
        assert (gap.value, gap.low, gap.p_value, gap.lowest_group, gap.highest_group) == (
            0,
            0,
            1,
            "F",
            "F",
        )
    assert (cm.gap("f1", kind="ratio").value, cm.gap("f1", kind="ratio").high) == (1, 1)


@pytest.mark.parametrize("n_groups", [2, 3])
def test_groups_that_are_always_right_and_never_right(n_groups):
    counts = np.array([[[20, 0], [0, 20]], [[0, 20], [20, 0]], [[10, 10], [10, 10]]])[:n_groups]
    metrics = {2: ("recall", "f1", "accuracy", "g_mean"), 3: ("informedness", "jaccard", "g_mean")}
    for metric in metrics[n_groups]:
        gap = matrix(counts).gap(metric, n_resamples=1_999, random_state=0)
        assert gap.value == (2 if metric == "informedness" else 1)
        assert 0.5 < gap.low < gap.value == gap.high
        assert gap.p_value < 0.001
        if metric != "informedness":
            gap = matrix(counts).gap(metric, kind="ratio", n_resamples=999, random_state=0)
            assert gap.value == gap.low == 0
            assert gap.high < 0.5


def test_all_values_0_or_1():
    for rate in (0, 1):
        cm = of_recalls([30 * rate] * 3, [30] * 3)
        gap = cm.gap("recall", n_resamples=200)
        assert (gap.value, gap.low, gap.p_value) == (0, 0, 1)
        assert 0 < gap.high < 0.4
        if rate == 1:
            ratio = cm.gap("recall", kind="ratio", n_resamples=200)
            assert (ratio.value, ratio.high, ratio.p_value) == (1, 1, 1)
            assert 0 < ratio.low < 1
            continue
        with pytest.warns(UndefinedMetricWarning, match="0 in all groups, so the ratio is undef"):
            ratio = cm.gap("recall", kind="ratio", n_resamples=200)
        assert np.isnan([ratio.value, ratio.low, ratio.high, ratio.p_value]).all()
        assert (ratio.lowest_group, ratio.highest_group) == (None, None)


def test_a_baseline_without_a_value_is_compared_with_nothing():
    rest = [[[9, 3], [45 - 10 * k, 5 + 10 * k]] for k in range(3)]
    counts = [[[[10, 5], [0, 0]], *rest], [[[10, 5], [20, 20]], *rest]]
    axes = (Axis("year", np.arange(2)), Axis("site", np.array(["a", "b", "c", "d"])))
    cm = ConfusionMatrix(np.array(counts), np.array(["no", "yes"]), axes, "yes")
    for metric in ("recall", "informedness"):
        with pytest.warns(UndefinedMetricWarning):
            gap = cm.gap(metric, axis="site", baseline="a", n_resamples=200)
        assert np.isnan([gap.value[0], gap.low[0], gap.high[0], gap.p_value[0]]).all()
        assert gap.n[0] == 0
        assert gap.low[1] <= gap.value[1] <= gap.high[1]
        assert gap.p_value[1] < 1


def test_groups_without_any_limits_have_a_gap_without_an_upper_limit():
    counts = [[[10, 3], [3, 7]], [[10, 3], [9, 4]], [[12, 3], [9, 4]]]
    gap = matrix(counts, ["F", "M", "X"]).gap("d_prime", n_resamples=999)
    assert (gap.low, gap.high) == (0, np.inf)
    assert gap.p_value > 0.05


def test_a_level_that_replicates_cannot_tell_has_the_possible_range():
    """Clusters that are all right do not vary, so that replicates are drawn."""
    random = np.random.default_rng(0)
    y, groups = random.integers(0, 2, 400), np.arange(400) % 2
    pred = np.where((random.random(400) < 0.8) | (groups == 1), y, 1 - y)
    cm = ConfusionMatrix.from_predictions(y, pred, by=groups, clusters=np.arange(400) // 4)
    with pytest.warns(UserWarning, match="possible range"):
        gap = cm.gap("mcc", confidence_level=0.9999, n_resamples=999)
    assert gap.low == 0
    # One group may be anywhere.
    assert gap.high > 1.5
    # Farther than all replicates on both sides.
    assert gap.p_value == pytest.approx(2 / 1_000, rel=1e-4)


def test_months_whose_clusters_vary_need_no_more_replicates_for_another():
    random = np.random.default_rng(0)
    y, groups, months = random.integers(0, 2, 800), np.arange(800) % 2, np.arange(800) // 400
    is_right = (random.random(800) < 0.8) | ((groups == 1) & (months == 0))
    pred = np.where(is_right, y, 1 - y)
    by = {"month": months, "group": groups}
    cm = ConfusionMatrix.from_predictions(y, pred, by=by, clusters=np.arange(800) // 4)
    with pytest.warns(UserWarning, match=r"possible range.* n_resamples=19999"):
        gap = cm.gap("mcc", axis="group", confidence_level=0.9999, n_resamples=999)
    [caveat] = gap.caveats
    assert (caveat.code, caveat.entries.tolist()) == ("few_replicates", [True, False])
    assert gap.high[0] > 1.5 > gap.high[1]


def test_infinite_values():
    cm = matrix([[[20, 0], [5, 15]], [[18, 2], [5, 15]]])
    gap = cm.gap("plr", n_resamples=200)
    assert (gap.value, gap.highest_group, gap.high) == (np.inf, "F", np.inf)
    assert cm.gap("plr", kind="ratio", n_resamples=200).value == 0
    with pytest.warns(UserWarning, match="gap between these is unknown"):
        both = matrix([[[20, 0], [5, 15]], [[18, 0], [5, 15]]]).gap("plr", n_resamples=200)
    assert np.isnan([both.value, both.low, both.high]).all()


def test_small_empty_and_undefined_groups_are_left_out_and_named():
    counts = np.array(
        [TWO.counts[0], TWO.counts[1], [[0, 0], [0, 0]], [[2, 1], [1, 2]], [[30, 2], [0, 0]]]
    )
    names = ["F", "M", "nobody", "few", "no positives"]
    with pytest.warns(
        UndefinedMetricWarning, match=r"recall is undefined \(0/0\) for sex \['no positives'\]"
    ):
        gap = matrix(counts, names).gap("recall", n_resamples=200)
    assert gap.excluded_groups == ("nobody", "no positives")
    gap = matrix(counts, names).gap("recall", min_samples=10)
    assert gap.excluded_groups == ("nobody", "few", "no positives")
    expected = TWO.gap("recall")
    assert (gap.value, gap.p_value) == (expected.value, expected.p_value)
    np.testing.assert_array_equal(limits(gap), limits(expected))
    assert repr(gap).endswith(
        "M below F, excluded: nobody, few, no positives (MOVER of groups, inverted, n = 200)"
    )
    with pytest.warns(
        UserWarning,
        match=r"sex 'few' \(3\)\. Exclude groups with fewer than 10 with min_samples=10",
    ):
        gap = matrix(counts, names).gap("specificity", min_samples=3, n_resamples=200)
    assert gap.excluded_groups == ("nobody",)
    assert matrix(counts, names).gap(
        "specificity", min_samples=4, n_resamples=200
    ).excluded_groups == ("nobody", "few")


def test_entries_may_lack_groups():
    counts = np.array([THREE.counts, THREE.counts, THREE.counts])
    counts[1, 2] = 0
    counts[2, 1:] = 0
    cm = ConfusionMatrix(
        counts, THREE.labels, (Axis("age", np.array([20, 40, 60])), *THREE.axes), "yes"
    )
    gap = cm.gap("f1", axis="sex", random_state=0, n_resamples=500)
    assert gap.excluded_groups.tolist() == [(), ("X",), ("M", "X")]
    assert np.isnan([gap.value[2], gap.low[2], gap.high[2], gap.p_value[2]]).all()
    assert (gap.lowest_group.tolist(), gap.highest_group.tolist()) == (
        ["M", "M", "F"],
        ["F", "F", "F"],
    )
    np.testing.assert_allclose(gap.low[:2], [THREE.gap("f1").low, TWO.gap("f1").low], rtol=1e-12)
    assert gap.p_value[1] == pytest.approx(TWO.gap("f1").p_value, abs=0.05)
    gap = cm.gap("recall", axis="sex", baseline="M")
    np.testing.assert_array_equal(np.isnan(gap.value), [False, False, True])
    assert np.isnan(gap.low[2])
    assert (gap.lowest_group.tolist(), gap.highest_group.tolist()) == (
        ["M", "M", None],
        ["F", "F", None],
    )
    # All groups are omitted in one entry.
    counts[2] = 0
    gap = ConfusionMatrix(counts, THREE.labels, cm.axes, "yes").gap("recall", axis="sex")
    assert (gap.lowest_group.tolist(), gap.highest_group.tolist()) == (
        ["M", "M", None],
        ["F", "F", None],
    )


def test_groups_may_have_any_names_and_come_in_any_order():
    counts = THREE.counts[[2, 0, 1]]
    for names in (
        [3, 1, 2],
        [0.5, 0.1, 0.2],
        np.array(["2026-03", "2026-01", "2026-02"], dtype="M8[M]"),
    ):
        gap = matrix(counts, names=names, name="month").gap("recall", axis="month", n_resamples=200)
        assert (gap.lowest_group, gap.highest_group) == (names[2], names[1])
        baseline = matrix(counts, names=names).gap("recall", baseline=names[0], n_resamples=200)
        assert baseline.value == pytest.approx(0.1)
        repr(gap)


def test_many_groups():
    counts = np.stack([[[30, 10], [10 + g % 3, 30]] for g in range(200)])
    gap = matrix(counts, names=np.arange(200)).gap("recall", n_resamples=200, random_state=0)
    assert gap.value == pytest.approx(30 / 40 - 30 / 42)
    assert gap.low == 0
    assert gap.p_value == 1


def test_multilabel_data_have_a_gap_per_label():
    cm = ConfusionMatrix(
        np.stack([THREE.counts, THREE.counts[::-1]], 1),
        np.array([0, 1]),
        (*THREE.axes, Axis("label", np.array(["cat", "dog"]))),
        1,
    )
    gap = cm.gap("recall", axis="sex", n_resamples=200, random_state=0)
    np.testing.assert_allclose(gap.value, [0.2, 0.2])
    assert [axis.name for axis in gap.axes] == ["label"]
    same = cm.gap("recall", axis="sex", average=None, n_resamples=200, random_state=0)
    np.testing.assert_array_equal([same.low, same.high], [gap.low, gap.high])
    np.testing.assert_array_equal([same.value, same.lowest_group], [gap.value, gap.lowest_group])
    with pytest.raises(ValueError, match=r"use the gap for each label, average=None"):
        cm.gap("recall", axis="sex", average="macro")


def test_labels_of_the_same_samples_are_no_groups():
    y = (np.arange(40) % 4 == 0).astype(int)
    both = np.stack([y, 1 - y], 1)
    of_labels = ConfusionMatrix.from_predictions(both, both)
    by_group = ConfusionMatrix.from_predictions(both, both, by=np.arange(40) % 3)
    for cm, options in (
        (of_labels, {}),
        (of_labels, {"axis": "label"}),
        (by_group, {"axis": "label"}),
    ):
        with pytest.raises(
            ValueError, match=r"the labels all refer to the same samples: make the groups with by="
        ):
            cm.gap("prevalence", **options)


# Errors.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"axis": "age"},
            r"axis must be the name of the groups' axis, one of \['sex'\]; got 'age'\.",
        ),
        ({"axis": ["sex", "age"]}, r"axis='age' is not an axis of the matrix, which has \['sex'\]"),
        (
            {"kind": "std"},
            r"kind must be one of \['difference', 'ratio', 'inverse_ratio'\]; got 'std'",
        ),
        ({"baseline": "Z"}, r"baseline='Z' is not one of the groups \['F', 'M', 'X'\] of sex"),
        ({"baseline": 1}, r"baseline=1 is not one of the groups"),
        ({"min_samples": 0.5}, r"min_samples must be an integer >= 0; got 0.5"),
        (
            {"min_samples": 1000},
            r"of the groups \['F', 'M', 'X'\], recall can be used only for \[\]",
        ),
        ({"confidence_level": 1}, r"confidence_level must be at least 0.5 and below 1; got 1"),
        ({"n_resamples": 10}, r"n_resamples must be an integer >= 100; got 10"),
        ({"random_state": "x"}, r"random_state must be"),
        ({"pos_label": "maybe"}, r"pos_label='maybe'"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(ValueError, match=message):
        THREE.gap("recall", **options)


def test_what_no_gap_is_of():
    with pytest.raises(ValueError, match=r"the matrix has none: make it with by="):
        TWO.sum("sex").gap("recall")
    with pytest.raises(
        ValueError, match=r"of the groups \['F'\], recall can be used only for \['F'\]"
    ):
        matrix(TWO.counts[:1]).gap("recall")
    with pytest.raises(
        ValueError, match=r"one of \['age', 'sex'\], for a gap at each.+or sum these first"
    ):
        ConfusionMatrix(
            TWO.counts[None], TWO.labels, (Axis("age", np.array([1])), *TWO.axes), "yes"
        ).gap("recall")
    with pytest.raises(ValueError, match=r"sums of weights.+a gap needs whole counts"):
        matrix(TWO.counts * 0.33).gap("recall")
    with pytest.raises(ValueError, match=r"the matrix has no samples"):
        matrix(TWO.counts * 0).gap("recall")
    for metric in ("mcc", "informedness", "net_benefit"):
        options = {"threshold_probability": 0.5} if metric == "net_benefit" else {}
        with pytest.raises(ValueError, match=r"can be negative.+use kind='difference'"):
            TWO.gap(metric, kind="ratio", **options)
    with pytest.raises(TypeError, match=r"it does not accept zero_division="):
        TWO.gap("recall", zero_division=0)
    with pytest.raises(
        ValueError, match=r"baseline='X' has too few samples, or recall is 0/0: choose"
    ):
        matrix([*TWO.counts, np.zeros((2, 2), dtype=int)]).gap("recall", baseline="X")


# The object.


def test_whole_floats_and_large_counts():
    assert matrix(TWO.counts.astype(float)).gap("recall").p_value == TWO.gap("recall").p_value
    large = matrix(THREE.counts * 10**8)
    for metric in ("recall", "f1"):
        gap = large.gap(metric, n_resamples=200)
        assert gap.p_value == 0
        assert gap.high - gap.low < 0.001


def test_a_seed_gives_the_same_gap():
    first, second = (THREE.gap("f1_macro", random_state=7, n_resamples=300) for _ in range(2))
    assert pickle.dumps(first) == pickle.dumps(second)
    generator, other = (np.random.default_rng(7) for _ in range(2))
    found = THREE.gap("f1_macro", random_state=generator, n_resamples=300)
    assert found == THREE.gap("f1_macro", random_state=other, n_resamples=300)
    assert THREE.gap("f1_macro", random_state=generator, n_resamples=300).high != first.high


def test_texts_and_frames():
    assert repr(TWO.gap("recall")) == (
        "0.2000 [0.0731, 0.3205] 95 %, p = 0.00205: difference of recall of 'yes', M below F "
        "(MOVER of groups, inverted, n = 200)"
    )
    gap = TWO.gap("recall", average=None)
    assert repr(gap) == (
        "Gap by class (difference of recall, 95 %, MOVER of groups, inverted)\n"
        "class   value     low    high  p_value  lowest_group  highest_group    n\n"
        "no     0.1000  0.0000  0.2179    0.104  F             M              200\n"
        "yes    0.2000  0.0731  0.3205  0.00205  M             F              200"
    )
    html = gap._repr_html_()
    assert html.count("<tr>") == 3
    assert "<td>0.3205</td>" in html
    assert "&lt;b&gt;" in matrix(TWO.counts, ["<b>", "M"]).gap("recall")._repr_html_()
    assert gap.to_frame("pandas").to_dict("list") == {
        "class": ["no", "yes"],
        "metric": ["recall", "recall"],
        "label": [None, None],
        "kind": ["difference", "difference"],
        "value": [pytest.approx(0.1), pytest.approx(0.2)],
        "low": gap.low.tolist(),
        "high": gap.high.tolist(),
        "p_value": gap.p_value.tolist(),
        "lowest_group": ["F", "M"],
        "highest_group": ["M", "F"],
        "baseline": [None, None],
        "confidence_level": [0.95, 0.95],
        "method": ["MOVER of groups, inverted"] * 2,
        "n": [200, 200],
    }
    assert len(TWO.gap("recall").to_frame("polars")) == 1
    many = np.broadcast_to(TWO.counts[:, None], (2, 25, 2, 2))
    cm = ConfusionMatrix(many, TWO.labels, (*TWO.axes, Axis("day", np.arange(25))), "yes")
    assert repr(cm.gap("recall", axis="sex")).endswith("... and 5 more")


def test_a_gap_is_frozen_and_pickles():
    gap = TWO.gap("recall", average=None)
    with pytest.raises(ValueError, match="read-only"):
        gap.value[0] = 1
    again = pickle.loads(pickle.dumps(gap))
    assert isinstance(again, Gap)
    assert repr(again) == repr(gap)
    assert again.axes[0].name == "class"


def test_the_gap_of_infinite_values_is_unknown():
    no_false = matrix([[[20, 0], [4, 16]], [[20, 0], [2, 18]]])
    with pytest.warns(UserWarning, match=r"is infinite for sex \['F', 'M'\], so the gap"):
        gap = no_false.gap("positive_likelihood_ratio")
    assert np.isnan([gap.value, gap.low, gap.high, gap.p_value]).all()
    assert (gap.lowest_group, gap.highest_group) == (None, None)
    assert gap.caveats[0].code == "infinite"
    one = matrix([[[20, 0], [4, 16]], [[18, 2], [2, 18]]]).gap("positive_likelihood_ratio")
    assert one.value == one.high == np.inf
    assert np.isfinite(one.low)
    assert (one.lowest_group, one.highest_group) == ("M", "F")


def test_a_test_that_is_not_exact_says_which_groups_are_few():
    """The group with four positives is in the middle, but in the test."""
    counts = [[[60, 16], [1, 3]], [[50, 10], [8, 32]], [[40, 20], [10, 30]]]
    with pytest.warns(UserWarning, match=r"test of equal informedness rests on .* sex 'F' \(4\)"):
        gap = matrix(counts).gap("informedness", n_resamples=199)
    assert "F" not in (gap.lowest_group, gap.highest_group)
    # Shares have an exact test, and a large enough group says nothing.
    assert not matrix(counts).gap("specificity", n_resamples=199).caveats
    assert not matrix(counts).gap("informedness", n_resamples=199, min_samples=10).caveats


@pytest.mark.filterwarnings("ignore")
def test_a_small_group_decides_unless_one_that_is_large_enough_has_its_value():
    for n, said in ((8, ["0 (4)"]), (10, [])):
        gap = of_recalls([2, n // 2, 45, 45], [4, n, 50, 50]).gap("recall", n_resamples=199)
        assert [re.search(r"\d \(\d+\)", of.text)[0] for of in gap.caveats] == said


@pytest.mark.filterwarnings("ignore")
def test_a_small_baseline_decides_whatever_other_groups_have_its_value():
    for n, said in ((4, ["0 (4)"]), (10, [])):
        cm = of_recalls([n // 2, 50, 90], [n, 100, 100])
        gap = cm.gap("recall", baseline=0, n_resamples=199)
        assert [re.search(r"\d \(\d+\)", of.text)[0] for of in gap.caveats] == said
    # Nor does a small baseline stand for a group of its value.
    gap = of_recalls([50, 2, 90], [100, 4, 100]).gap("recall", baseline=2, n_resamples=199)
    assert gap.caveats == ()


@pytest.mark.filterwarnings("ignore")
def test_caveats_of_groups_name_those_that_are_compared_and_all_that_they_lack():
    counts = np.array([[30, 5, 5], [4, 40, 3], [3, 2, 20]])
    lacks_first, lacks_second = counts.copy(), counts.copy()
    lacks_first[0], lacks_second[1] = 0, 0
    groups = [counts, counts + 3, lacks_first, lacks_second]
    gap = ConfusionMatrix.from_counts(groups, ["a", "b", "c"]).gap("balanced_accuracy")
    assert "without samples, ['a', 'b'] in axis_0 [2, 3]: the" in gap.caveats[0].text
    # Clusters are few in a group that may be left out.
    group = np.repeat(["a", "b", "c"], [200, 200, 20])
    y = np.arange(420) % 2
    pred = np.where(np.arange(420) % 5 == 0, 1 - y, y)
    cm = ConfusionMatrix.from_predictions(
        y, pred, by=group, clusters=np.append(np.arange(400) // 8, 1000 + np.arange(20) // 4)
    )
    assert "too few clusters in group ['c'], 5, to" in cm.gap("recall").caveats[0].text
    assert cm.gap("recall", min_samples=30).caveats == ()


@for_each(
    "beyond_and_most",
    [
        (lambda steps, at: at - steps, 8),
        (lambda steps, at: np.tanh(at / 2e5) - np.tanh(steps / 2e5), 12),
        # Replicates: values that repeat.
        (lambda steps, at: np.floor((at - steps) / 7e4), 24),
        (lambda steps, at: np.where(steps > 6e5, np.nan, at - steps), 24),
        (lambda steps, at: np.where(steps < at, 0.3, -0.2) + (at - steps) / 1e9, 24),
        (lambda steps, at: -0.1 + 0 * steps * at, 24),
    ],
)
def test_the_search_for_a_p_value_finds_the_last_step_beyond_equality(beyond_and_most):
    """In fewer calls than by halves, which are 20 for each, where values vary as limits do."""
    (beyond, most), every = beyond_and_most, np.arange(STEPS)
    at, n_calls = np.array([150_000.5, 300_000.25, 900_000.0]), itertools.count()

    def counted(steps):
        next(n_calls)
        return beyond(steps, at)

    expected = [np.flatnonzero(beyond(every, of) > 0)[-1:].sum() for of in at]
    assert last_beyond(counted, at.shape, STEPS).tolist() == expected
    assert next(n_calls) <= most
