"""Limits are nested in the confidence level, and hold at high levels and all at once."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, compare, compare_curves, metric_interval
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.replicates import random_of, seed_of, stream_of
from skmetrics_ext.statistics.values.proportions import clopper_pearson, mid_p
from tests.shared import for_each

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.985, 0.9875, 0.99, 0.991, 0.995, 0.999, 0.9999)
RANDOM = np.random.default_rng(0)
TRUE = RANDOM.integers(0, 3, 150)
PRED = np.where(RANDOM.random(150) < 0.8, TRUE, RANDOM.integers(0, 3, 150))
SCORES = RANDOM.normal(size=150) + (TRUE > 0)
MATRICES = {
    "three classes": ConfusionMatrix.from_predictions(TRUE, PRED),
    "two classes": ConfusionMatrix.from_predictions(TRUE > 0, PRED > 0),
    "few errors": ConfusionMatrix.from_counts([[50, 0], [1, 7]], labels=[0, 1]),
    "another prevalence": ConfusionMatrix.from_predictions(TRUE, PRED).at_prevalence({0: 0.8}),
    "two at another prevalence": ConfusionMatrix.from_counts(
        [[50, 0], [1, 7]], labels=[0, 1]
    ).at_prevalence(0.1),
    "weights": ConfusionMatrix.from_predictions(
        TRUE > 0, PRED > 0, sample_weight=RANDOM.lognormal(0, 0.5, 150)
    ),
    "clusters": ConfusionMatrix.from_predictions(TRUE > 0, PRED > 0, clusters=np.arange(150) // 3),
}
OPTIONS = {
    "fbeta": {"beta": 2},
    "net_benefit": {"threshold_probability": 0.2},
    "expected_cost": {"cost_matrix": np.arange(9).reshape(3, 3) % 4},
}


def assert_nested(limits):
    """Limits (n_levels, 2, ...) of rising levels."""
    low, high = np.moveaxis(np.array(limits, dtype=float), 1, 0)
    with np.errstate(invalid="ignore"):
        size = 1e-9 * np.maximum(1, np.nan_to_num(np.abs(low), posinf=0, neginf=0))
        assert not (low[1:] > low[:-1] + size[1:]).any(), low
        assert not (high[1:] < high[:-1] - size[1:]).any(), high


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MATRICES)
def test_limits_of_all_metrics_are_nested(name):
    """A quarter of the metrics of each matrix, each in one average at two levels."""
    first = list(MATRICES).index(name) % 4
    assert n_nested(name, METRICS[first::4], step=3, n_levels=2, n_resamples=100) > 9


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MATRICES)
def test_limits_of_all_averages_are_nested(name):
    """The same of each metric with each average at each level, and of more replicates."""
    assert n_nested(name, METRICS, step=1, n_levels=len(LEVELS), n_resamples=200) > 60


def n_nested(name, rows, step, n_levels, n_resamples):
    """How many of these metrics with one in so many averages have limits of a matrix, all of them
    nested at so many levels, other ones for each metric.
    """
    cm, n_nested = MATRICES[name], 0
    for place, row in enumerate(rows):
        options = dict(OPTIONS.get(row.name, {}))
        if row.name == "expected_cost":
            options["cost_matrix"] = options["cost_matrix"][: len(cm.labels), : len(cm.labels)]
        averages = [None, "macro", "weighted"][place % step :: step] if row.has_average else [...]
        for average in averages:
            of = dict(options) if average is ... else {**options, "average": average}
            limits = []
            try:
                apart = len(LEVELS) // n_levels
                for level in LEVELS[place % apart :: apart]:
                    found = cm.interval(
                        row.name, confidence_level=level, n_resamples=n_resamples, **of
                    )
                    limits.append((found.low, found.high))
            except ValueError:
                continue
            assert_nested(limits)
            n_nested += 1
    return n_nested


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "mover", "exact-mover", "delta"])
@for_each("hits", [0, 1, 3, 20, 49, 50])
def test_limits_of_a_method_by_name_are_nested(method, hits):
    cm = ConfusionMatrix.from_counts(
        [[50 - hits // 2, hits // 2], [50 - hits, hits]], labels=[0, 1]
    )
    metric = {"wilson": "recall", "clopper-pearson": "recall"}.get(method, "informedness")
    found = [
        cm.interval(metric, method=method, confidence_level=level)
        for level in LEVELS[::2]
        if method != "delta" or 0 < hits < 50
    ]
    assert_nested([(of.low, of.high) for of in found] or [(0, 1)])


def test_limits_of_areas_and_differences_are_nested():
    of_a, of_b = (
        ThresholdCurve.from_scores(TRUE > 0, of)
        for of in (SCORES, SCORES + RANDOM.normal(size=150))
    )
    few = ThresholdCurve.from_scores(TRUE[:20] > 1, SCORES[:20])
    for find in (
        lambda level: of_a.interval("roc_auc", confidence_level=level),
        lambda level: few.interval("roc_auc", confidence_level=level),
        lambda level: few.interval("average_precision", confidence_level=level),
        lambda level: of_a.interval(
            "recall", subject_to={"specificity": 0.8}, confidence_level=level
        ),
        lambda level: compare_curves({"a": of_a, "b": of_b}, confidence_level=level).rows[0],
        lambda level: compare(
            TRUE > 0,
            {"a": PRED > 0, "b": SCORES > 0.5},
            "precision",
            pos_label=True,
            confidence_level=level,
        ).rows[0],
        lambda level: MATRICES["two classes"].interval("recall", confidence_level=level),
    ):
        found = [find(level) for level in LEVELS]
        assert_nested([(of.low, of.high) for of in found])


def missed(limits_of, n, alpha):
    """The largest probability, over the proportion, that limits of n samples miss it."""
    hits = np.arange(n + 1)
    limits = limits_of(hits, n, alpha)
    ends = np.unique(np.concatenate(limits))
    ends = ends[(ends > 0) & (ends < 1)]
    share = np.clip(np.concatenate([ends - 1e-9, ends + 1e-9]), 1e-12, 1 - 1e-12)
    is_missed = (share < limits.low[:, None]) | (share > limits.high[:, None])
    return (stats.binom.pmf(hits[:, None], n, share) * is_missed).sum(0).max()


def test_limits_of_a_claim_and_simultaneous_ones_miss_seldom_at_each_level_by_all_outcomes():
    """Those of one proportion are in test_proportions: on one side they miss up to 10 %."""
    numbers = [*range(1, 40, 2), 50, 119]
    for alpha in (0.05, 0.009, 0.001, 0.0001):
        assert max(missed(clopper_pearson, n, alpha) for n in numbers) <= alpha
    assert max(missed(mid_p, n, 0.05) for n in numbers) < 0.088
    assert max(missed(mid_p, n, 0.001) for n in numbers) > 0.0015


def test_simultaneous_limits_of_one_entry_are_those_of_one_interval():
    """Of several they are Clopper & Pearson's, which hold far out."""
    cm = ConfusionMatrix.from_counts([[30, 2], [1, 19]], labels=[0, 1])
    alone, of_one = (
        cm.interval("recall", simultaneous=simultaneous) for simultaneous in (False, True)
    )
    assert (of_one.low, of_one.high) == (alone.low, alone.high)
    assert of_one.method == "mid-P"
    both = cm.interval("recall", average=None, simultaneous=True)
    exact = stats.binomtest(19, 20).proportion_ci(0.975, method="exact")
    assert (both.low[1], both.high[1]) == pytest.approx(tuple(exact))


def test_simultaneous_limits_hold_together_by_all_outcomes():
    """A hundred independent recalls of 50 samples each: the probability that all are covered."""
    n, n_classes = 50, 100
    limits = []
    for hits in range(n + 1):
        counts = np.diag(np.full(n_classes, hits)) + np.roll(
            np.diag(np.full(n_classes, n - hits)), 1, axis=1
        )
        cm = ConfusionMatrix.from_counts(counts, labels=range(n_classes))
        found = cm.interval("recall", average=None, simultaneous=True)
        limits.append((found.low[0], found.high[0]))
    low, high = np.transpose(limits)
    for right in (0.5, 0.9, 0.99, 0.999):
        covers = (low <= right) & (right <= high)
        of_one = stats.binom.pmf(np.arange(n + 1), n, right)[covers].sum()
        assert of_one**n_classes >= 0.95


def test_a_difference_of_two_proportions_is_covered_by_all_outcomes():
    """Two groups of 20 and 30 samples: MOVER of mid-P limits (Newcombe 1998)."""
    n, m = 20, 30
    a, b = (of.ravel() for of in np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij"))
    counts = np.stack([np.stack([m - b, b], -1), np.stack([n - a, a], -1)], -2)
    found = ConfusionMatrix.from_counts(counts, labels=[0, 1]).interval("informedness")
    for p, q in itertools.product([0.05, 0.2, 0.5, 0.9], [0.05, 0.2, 0.6]):
        is_right = (found.low <= p - q + 1e-12) & (p - q - 1e-12 <= found.high)
        odds = stats.binom.pmf(a, n, p) * stats.binom.pmf(b, m, q)
        assert odds[is_right].sum() >= 0.92, (p, q)


def test_streams_of_a_seed_are_apart_and_the_default_repeats():
    y, pred = np.tile(TRUE, 2), np.tile(PRED, 2)
    weights = np.where(np.arange(300) < 150, 1.0, RANDOM.lognormal(0, 0.3, 300))
    kind = np.where(np.arange(300) < 150, "equal", "any")
    cm = ConfusionMatrix.from_predictions(y, pred, sample_weight=weights, by={"kind": kind})
    one, again = (cm.interval("mutual_information", n_resamples=300) for _ in range(2))
    np.testing.assert_array_equal((one.low, one.high), (again.low, again.high))
    for name in ("any", "equal"):
        alone = cm.sel(kind=name).interval("mutual_information", n_resamples=300, random_state=0)
        place = cm.axes[0].coordinates.tolist().index(name)
        assert (one.low[place], one.high[place]) == (alone.low, alone.high)
    first, second = (random_of(stream_of(seed_of(5), number)).random(4) for number in (0, 1))
    assert (first == np.random.default_rng(5).random(4)).all()
    assert not (first == second).any()
    assert (second == random_of(stream_of(seed_of(np.int64(5)), 1)).random(4)).all()
    generator = np.random.default_rng(5)
    # A generator draws the seed of a call, once.
    assert seed_of(generator).entropy == np.random.default_rng(5).integers(1 << 63)
    assert generator.integers(9) != np.random.default_rng(5).integers(9)
    with pytest.raises(ValueError, match="random_state must be"):
        seed_of(-1)
    fresh = [
        metric_interval(TRUE, PRED, "mutual_information", n_resamples=300, random_state=state).low
        for state in (0, 0, None, None, np.random.default_rng(0), np.random.default_rng(0))
    ]
    assert fresh[0] == fresh[1]
    assert fresh[4] == fresh[5]
    assert len({*fresh[1:5]}) == 4


def test_exact_limits_of_less_than_one_hit_contain_the_value():
    """Of effective numbers, as of weights: one that is nearly 0 is not one whole hit."""
    for hits in (1e-6, 0.03, 0.5, 0.999, 1, 1.5):
        found, mirrored = clopper_pearson(hits, 40, 0.05), clopper_pearson(40 - hits, 40, 0.05)
        assert found.low < hits / 40 < found.high
        assert found.low == pytest.approx(stats.beta.ppf(0.025, hits, 41 - hits), rel=1e-9)
        expected = np.array([found.low, found.high])
        np.testing.assert_allclose([1 - mirrored.high, 1 - mirrored.low], expected, atol=1e-12)
    # The loss mirrors the score also far out.
    assert clopper_pearson(30, 2000, 1e-16).high == pytest.approx(
        1 - clopper_pearson(1970, 2000, 1e-16).low
    )


@pytest.mark.parametrize("metric", ["recall", "informedness", "accuracy", "f1"])
@pytest.mark.parametrize("kind", ["sample_weight", "clusters", "samples"])
def test_simultaneous_limits_contain_those_of_each(metric, kind):
    true, pred = np.tile([1, 1, 1, 1, 0, 0, 0, 0], 6), np.tile([1, 1, 0, 1, 0, 0, 0, 1], 6)
    options = {
        "sample_weight": {"sample_weight": np.linspace(1, 3, 48)},
        "clusters": {"clusters": np.arange(48) // 3},
        "samples": {},
    }[kind]
    cm = ConfusionMatrix.from_predictions(
        true, pred, by={"half": np.arange(48) % 16 // 8}, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each, at_once = (cm.interval(metric, simultaneous=of) for of in (False, True))
    assert (at_once.low <= each.low).all()
    assert (at_once.high >= each.high).all()
