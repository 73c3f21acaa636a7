"""A p-value and its interval tell one story: in every result, at every level."""

import collections
import itertools

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    compare,
    compare_curves,
    compare_folds,
    plot_intervals,
)
from skmetrics_ext.results import ComparisonRow, Gap, Interval
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, comparison_of
from skmetrics_ext.statistics.inversion import agreeing, p_value_above, reaching_or_beyond
from skmetrics_ext.statistics.multiplicity import alpha_of_gap, alpha_of_group
from tests.shared import comparison_of_rows

LEVELS = (0.8, 0.9, 0.95, 0.99)
N_RESAMPLES = 199


class Data:
    """Samples of a binary problem, and predictions of three models that are about as good."""

    def __init__(self, random, n_classes=2):
        n = int(random.choice([12, 30, 80, 200]))
        share = random.choice([0.1, 0.5])
        self.random = random
        self.true = (random.random(n) < share) * random.integers(1, n_classes, n)
        self.true[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
        right = random.choice([0.6, 0.9, 1.0])
        others = random.integers(0, n_classes, (3, n))
        # The models err on much the same samples.
        shared = random.random(n) < right
        own = random.random((3, n)) < random.choice([0.7, 0.95], (3, 1))
        self.models = dict(zip("abc", np.where(shared & own, self.true, others), strict=True))
        self.clusters = np.arange(n) // 2
        n_groups = random.choice([2, 5]) if n > 20 else 2
        of_clusters = random.integers(0, n_groups, n // 2)
        of_clusters[: 3 * n_groups] = np.arange(3 * n_groups) % n_groups
        self.groups = of_clusters[self.clusters]
        self.weights = random.choice([0.5, 1, 3], n)
        self.scores = {
            name: self.true + random.normal(size=n) * random.choice([0.5, 2]) for name in "ab"
        }


def gaps(data, level):
    """Of groups: two or several, of shares and other metrics, of weights and of clusters."""
    options = {"confidence_level": level, "n_resamples": N_RESAMPLES}
    pred = data.models["a"]
    found = [
        ConfusionMatrix.from_predictions(data.true, pred, by=data.groups, **design).gap(
            metric, kind=kind, baseline=baseline, **options
        )
        for metric, kind, baseline, design in (
            ("recall", "difference", None, {}),
            ("accuracy", "ratio", None, {}),
            ("accuracy", "difference", 0, {}),
            ("f1", "difference", None, {}),
            ("informedness", "difference", None, {}),
            ("accuracy", "difference", None, {"sample_weight": data.weights}),
            ("specificity", "ratio", None, {"sample_weight": data.weights}),
            ("accuracy", "difference", None, {"clusters": data.clusters}),
        )
    ]
    return [
        (gap.value, gap.low, gap.high, gap.p_value, 1.0 if gap.kind == "ratio" else 0.0)
        for gap in found
    ]


def gaps_of_classes(data, level):
    """Of each class, so that each has a p-value of its own."""
    cm = ConfusionMatrix.from_predictions(data.true, data.models["a"], by=data.groups)
    gap = cm.gap("recall", average=None, labels=[0, 1], confidence_level=level)
    return zip(gap.value, gap.low, gap.high, gap.p_value, [0.0, 0.0], strict=True)


def differences(correction, options_of):
    """Of models: shares, predictive values, others, corrected and not."""

    def results(data, level):
        found = compare(
            data.true,
            data.models,
            ["recall", "precision", "mcc", "zero_one_loss", "overlap_coefficient"],
            baseline="a",
            correction=correction,
            confidence_level=level,
            n_resamples=N_RESAMPLES,
            **options_of(data),
        )
        return of_rows(found)

    return results


def of_rows(comparison):
    return [(row.difference, row.low, row.high, row.p_adjusted, 0.0) for row in comparison.rows]


def curves(data, level):
    """Of areas, which two models may share, and of rates at an operating point."""
    of_models = {
        name: ThresholdCurve.from_scores(data.true, of) for name, of in data.scores.items()
    }
    of_models["c"] = ThresholdCurve.from_scores(
        data.true, data.scores["a"] + 0.01 * data.scores["b"]
    )
    areas = compare_curves(of_models, confidence_level=level)
    points = compare_curves(
        {name: of_models[name] for name in "ab"},
        "recall",
        subject_to={"specificity": 0.5},
        n_resamples=N_RESAMPLES,
        confidence_level=level,
    )
    return of_rows(areas) + of_rows(points)


def folds(data, level):
    random = np.random.default_rng(len(data.true))
    a, b = random.normal(size=(2, 10))
    scores = {"a": a, "b": b + 0.6, "c": b}
    sizes = {"n_train": 900, "n_test": 100, "correction": None}
    return of_rows(compare_folds(scores, **sizes, baseline="a", confidence_level=level))


def partly_labelled(data, level):
    """Of samples with the same predictions every third label is missing."""
    pred_a, pred_b = data.models["a"], data.models["b"]
    true, n_seen = data.true.tolist(), collections.Counter()
    for k, cell in enumerate(zip(pred_a, pred_b, data.groups > 0, strict=True)):
        n_seen[cell] += 1
        if n_seen[cell] % 3 == 0:
            true[k] = None
    options = {"confidence_level": level, "n_resamples": N_RESAMPLES}
    models = {name: data.models[name] for name in "ab"}
    found = compare(true, models, ["accuracy", "recall"], strata=(), **options)
    cm = ConfusionMatrix.from_partial_labels(true, models["a"], strata=(), by=data.groups > 0)
    gap = cm.gap("accuracy", **options)
    return [*of_rows(found), (gap.value, gap.low, gap.high, gap.p_value, 0.0)]


KINDS = {
    "gaps": gaps,
    "gaps of classes": gaps_of_classes,
    "differences": differences(None, lambda _: {}),
    "differences by Holm": differences("holm", lambda _: {"margin": 0.1}),
    "differences by Bonferroni": differences("bonferroni", lambda _: {"margin": 0.02}),
    "differences of weights": differences("holm", lambda of: {"sample_weight": of.weights}),
    "differences of clusters": differences("holm", lambda of: {"clusters": of.clusters}),
    "curves": curves,
    "folds": folds,
    "partly labeled": partly_labelled,
}


def disagreements(kind, n_data, levels=LEVELS):
    """Out of how many results p-value and limits disagree, the value is outside of the limits, or
    these are not nested in the level.
    """
    random, n_results = np.random.default_rng(0), 0
    for _ in range(n_data):
        data = Data(random)
        of_levels = [[*KINDS[kind](data, level)] for level in levels]
        for results in zip(*of_levels, strict=True):
            for level, (value, low, high, p_value, equality) in zip(levels, results, strict=True):
                if np.isnan([low, high, p_value]).any():
                    continue
                n_results += 1
                assert (low <= equality <= high) == (p_value >= 1 - level), (kind, results)
                assert low <= value <= high, (kind, results)
            size = 1e-9
            for (_, low, high, *_), (_, lower, higher, *_) in itertools.pairwise(results):
                if not np.isnan([low, high, lower, higher]).any():
                    assert lower <= low + size, (kind, results)
                    assert higher >= high - size, (kind, results)
    return n_results


@pytest.mark.parametrize(
    ("limits", "p_value", "expected"),
    [
        ((-0.1, 0.3), 0.05, (-0.1, 0.3)),
        ((0.1, 0.3), 0.05, (0.0, 0.3)),
        ((0.1, 0.3), 0.049, (0.1, 0.3)),
        ((-0.1, 0.3), 0.049, (5e-324, 0.3)),
        ((0.0, 0.3), 0.049, (5e-324, 0.3)),
        ((np.nan, np.nan), 0.049, (np.nan, np.nan)),
        ((-0.1, 0.3), np.nan, (-0.1, 0.3)),
    ],
)
def test_the_test_decides_about_equality_and_the_limits_by_how_much(limits, p_value, expected):
    found = agreeing(Limits(*limits), 0.2, p_value, 0.05)
    np.testing.assert_array_equal(found, expected)
    low, high = limits
    mirrored = agreeing(Limits(-high, -low), -0.2, p_value, 0.05)
    np.testing.assert_array_equal(mirrored, (-expected[1], -expected[0]))


def test_the_ratio_of_equal_values_is_one():
    below = np.nextafter(1, 0)
    assert agreeing(Limits(0.5, 1.0), 0.8, 0.01, 0.05, 1.0) == (0.5, below)
    assert agreeing(Limits(0.5, 0.9), 0.8, 0.06, 0.05, 1.0) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("is_above", "is_below", "expected"),
    [
        (False, False, (-0.25, 0.25)),
        (True, False, (np.nextafter(-0.25, 0), 0.25)),
        (False, True, (-0.25, 0.2)),
    ],
)
def test_limits_reach_to_a_margin_or_stop_short_of_it(is_above, is_below, expected):
    assert reaching_or_beyond(Limits(-0.25, 0.2), 0.25, is_above, is_below) == expected


def of_z_test(difference, error, models=("a", "b"), **options):
    """A difference that is normal with this standard error."""

    def limits_at(alpha):
        half = stats.norm.isf(alpha / 2) * error
        return Limits(np.array(difference - half), np.array(difference + half))

    p_value = 2 * stats.norm.sf(abs(difference) / error)
    known = LimitsAndTest(limits_at, p_value, "z")
    return Compared("accuracy", models, (difference, 0.0), known, **options)


def test_what_holm_shows_of_equality_is_shown_of_the_margin():
    """Among differences from equality the second row is the first to be tested, among those of the
    margin the last: alone the correction there would take back what was shown.
    """
    compared = [of_z_test(0.21, 0.1), of_z_test(-0.5, 0.1, ("a", "c"))]
    one, other = comparison_of(compared, 0.95, "holm", 0.001).rows
    assert 0.025 < one.p_value == one.p_adjusted < 0.05
    assert one.low == np.nextafter(0, 1)
    assert one.p_not_worse == pytest.approx(one.p_adjusted / 2)
    assert one.not_worse
    assert not other.not_worse


def test_a_margin_that_holm_shows_is_where_the_limit_stops():
    compared = [of_z_test(0.0, 0.1), of_z_test(0.1, 0.03, ("a", "c"))]
    one, other = comparison_of(compared, 0.95, "holm", 0.21).rows
    assert other.not_worse
    assert other.low > -0.21
    assert one.p_not_worse == pytest.approx(stats.norm.sf(2.1), rel=1e-6)
    assert one.not_worse
    assert (one.low, one.high) == (np.nextafter(-0.21, 0), np.nextafter(0.21, 0))
    bonferroni, _ = comparison_of(compared, 0.95, "bonferroni", 0.21).rows
    assert not bonferroni.not_worse
    assert bonferroni.low == pytest.approx(-stats.norm.isf(0.0125) * 0.1)


@pytest.mark.parametrize("has_baseline", [True, False])
@pytest.mark.parametrize("n_groups", [2, 3, 7])
def test_the_alpha_of_a_gap_is_the_reverse_of_that_of_its_groups(n_groups, has_baseline):
    for alpha in (0.2, 0.05, 0.001):
        of_group = alpha_of_group(alpha, n_groups, has_baseline=has_baseline)
        found = alpha_of_gap(np.array([of_group]), np.array([n_groups]), has_baseline=has_baseline)
        assert found == pytest.approx(alpha, rel=1e-6)


def test_limits_that_stop_short_of_equality_are_shown_as_open():
    beside = np.nextafter(0, 1)
    of_pair = {"lowest_group": "a", "highest_group": "b", "metric": "recall"}
    gap = Gap(value=0.16, low=beside, high=0.31, p_value=0.04, **of_pair)
    assert repr(gap).startswith("0.1600 (0.0000, 0.3100] 95 %, p = 0.04")
    below = np.nextafter(1, 0)
    gap = Gap(value=0.8, low=0.6, high=below, p_value=0.04, kind="ratio", **of_pair)
    assert repr(gap).startswith("0.8000 [0.6000, 1.0000) 95 %, p = 0.04")
    reaches = Gap(value=0.16, low=0.0, high=0.31, p_value=0.06, **of_pair)
    assert repr(reaches).startswith("0.1600 [0.0000, 0.3100] 95 %")
    row = ComparisonRow("f1", "a", "b", 0.9, 0.8, 0.1, beside, 0.2, 0.04, 0.04, "delta")
    reverse = row._replace(difference=-0.1, low=-0.2, high=-beside)
    for of, low, high in ((row, ">0", "+0.2000"), (reverse, "-0.2000", "<0")):
        comparison = comparison_of_rows([of])
        *_, line = repr(comparison).splitlines()
        assert line.split()[6:8] == [low, high]
    verdicts = check(comparison_of_rows([row]), {"f1": (None, 0)})
    assert " >0 " in repr(verdicts)
    (text,) = plot_intervals(comparison_of_rows([row])).texts_
    assert text.get_text() == "+0.100 (+0.000, +0.200]"
    # A value of its own has no equality.
    interval = Interval(value=0.01, low=beside, high=0.02, confidence_level=0.95, method="Wilson")
    assert "[0.0000, 0.0200]" in repr(interval)
    (text,) = plot_intervals(interval).texts_
    assert text.get_text() == "0.01 [0.00, 0.02]"


@pytest.mark.parametrize("seed", range(12))
def test_limits_of_folds_agree_at_the_level_of_their_p_value(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 10))
    a += 2
    asked = {"scores": {"a": a, "b": b}, "n_train": 900, "n_test": 100}
    [p_value] = compare_folds(**asked).p_value
    assert p_value < 0.5
    for level in np.nextafter(1 - p_value, [0, 1, 1 - p_value]):
        [row] = compare_folds(**asked, confidence_level=float(level)).rows
        assert (row.low <= 0 <= row.high) == (p_value >= 1 - level)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_limits_include_equality_exactly_where_it_is_not_rejected(kind):
    n_data = 1 if kind.startswith("differences") else 2
    assert disagreements(kind, n_data, (0.9, 0.99)) >= 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_none_of_ten_thousand_results_disagrees(kind):
    """The same at more levels, of so many results that rare ties, empty cells and ends of levels
    occur.
    """
    n_of_six = disagreements(kind, 6)
    assert disagreements(kind, -(-6 * 1_000 // n_of_six) + 6) >= 1_000


@pytest.mark.parametrize("z", [-30, -9, -2, -1e-9, 0, 0.3, 2.5, 8, 20])
def test_the_least_level_that_excludes_a_bound_is_found_in_few_steps(z):
    """Of a normal difference: the tail of the normal distribution."""
    levels = []

    def limits_at(alpha):
        levels.append(alpha)
        half = stats.norm.isf(alpha / 2)
        return Limits(np.array(z - half), np.array(z + half))

    found = p_value_above(limits_at, 0.0, 0.025)
    assert found == pytest.approx(stats.norm.sf(z), rel=1e-12)
    assert len(levels) <= 20


@pytest.mark.parametrize(
    ("n_below", "rank"), [(0, 1), (1, 2), (7, 8), (400, 401), (998, 998), (999, 999)]
)
def test_the_least_level_that_excludes_a_bound_of_replicates_is_that_of_a_step(n_below, rank):
    """The k-th of 999 replicates is the limit at k / 1,000; farther ones are the possible range."""
    values = np.sort(np.where(np.arange(999) < n_below, -1.0, 2.0))

    def limits_at(alpha):
        rank = int(np.floor(1000 * (alpha / 2) * (1 + 1e-12)))
        ends = (-9.0, 9.0) if rank == 0 else (values[rank - 1], values[999 - rank])
        return Limits(*map(np.array, ends))

    found = p_value_above(limits_at, 0.0, 0.025)
    assert found == pytest.approx(rank / 1000, rel=1e-9)
    assert found > 0.5 or limits_at(2 * found).low > 0
