"""Bands of curves: the operating points that they are made of, and simulated coverage."""

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import ThresholdCurve
from skmetrics_ext.statistics.areas import curve_bands
from skmetrics_ext.statistics.areas.curve_bands import (
    N_REPLICATES,
    ClusteredScores,
    pointwise_band,
    simultaneous_roc_band,
)
from skmetrics_ext.statistics.areas.operating_point import OperatingPoint

PLACES = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8])


def samples(n_negative, n_positive, distance=1.0, digits=None, seed=0):
    rng = np.random.default_rng(seed)
    negative, positive = rng.normal(size=n_negative), distance + rng.normal(size=n_positive)
    if digits is None:
        return negative, positive
    return negative.round(digits), positive.round(digits)


def tpr_at(negative, positive, places):
    """The share of the positive above the threshold that so many negative ones may exceed."""
    ordered = np.sort(negative)[::-1]
    n_above = (places * len(negative) + 1e-9).astype(int)
    return np.array([(positive > ordered[k]).mean() for k in n_above])


def precision_at(negative, positive, recalls):
    ordered = np.sort(positive)[::-1]
    places = np.ceil(recalls * len(positive) - 1e-9).astype(int) - 1
    tp, fp = (
        np.array([(of >= ordered[place]).sum() for place in places]) for of in (positive, negative)
    )
    return tp / (tp + fp)


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize("place", [0.1, 0.5])
def test_a_place_of_a_band_is_an_operating_point(place, digits):
    negative, positive = samples(40, 60, digits=digits)
    curve = ThresholdCurve.from_scores(
        np.repeat([0, 1], [40, 60]), np.concatenate([negative, positive])
    )
    for metric, bounded in (("recall", "specificity"), ("precision", "recall")):
        interval = curve.interval(
            metric, subject_to={bounded: 1 - place}, n_resamples=N_REPLICATES, random_state=0
        )
        point = OperatingPoint(negative, positive, 0.5, is_precision=False)
        if metric == "precision":
            point = OperatingPoint(-positive, -negative, 0.5, is_precision=True)
        values = np.array([interval.value])
        random = np.random.default_rng(0)
        band = pointwise_band(point, np.array([place]), values, 0.05, random)
        found = band.low[0], band.high[0]
        np.testing.assert_allclose(found, (interval.low, interval.high), rtol=1e-12)


def test_clusters_of_one_sample_are_hardly_wider_and_alike_ones_are_as_few_samples():
    negative, positive = samples(100, 100)
    point = OperatingPoint(negative, positive, 0.5, is_precision=False)
    values = tpr_at(negative, positive, PLACES)
    alone = pointwise_band(point, PLACES, values, 0.05, np.random.default_rng(0))

    def width(repeats, clusters):
        of_many = point._replace(
            given=np.repeat(negative, repeats), others=np.repeat(positive, repeats)
        )
        band = pointwise_band(of_many, PLACES, values, 0.05, np.random.default_rng(0), clusters)
        return (band.high - band.low).mean() / (alone.high - alone.low).mean()

    each = ClusteredScores(np.arange(100), np.arange(100, 200))
    assert 1 <= width(1, each) < 1.1
    repeated = ClusteredScores(*(np.repeat(of, 5) for of in each))
    assert 0.95 < width(5, repeated) < 1.15
    assert width(5, None) < 0.6


def test_the_band_of_the_whole_curve_is_that_of_both_distribution_functions():
    negative, positive = samples(30, 50, digits=1)
    thresholds = np.unique(np.concatenate([negative, positive]))[::-1]
    fpr, tpr = (np.append(0, [(of >= t).mean() for t in thresholds]) for of in (negative, positive))
    band = simultaneous_roc_band(fpr, tpr, PLACES, 30, 50, 0.1)
    level = np.sqrt(0.9)
    of_negative, of_positive = (stats.kstwo.ppf(level, n) for n in (30, 50))
    for place, low, high in zip(PLACES, *band, strict=True):
        lower = max(
            (t for f, t in zip(fpr, tpr, strict=True) if f <= place - of_negative), default=0
        )
        upper = max(t for f, t in zip(fpr, tpr, strict=True) if f <= place + of_negative)
        assert low == pytest.approx(max(lower - of_positive, 0))
        assert high == pytest.approx(min(upper + of_positive, 1))


def truth(distance, places):
    return stats.norm.sf(stats.norm.isf(places) - distance)


def missed(draws, draw, places, expected, is_precision=False):
    """In what share of the draws the limits miss the truth at each place."""
    misses = np.zeros(len(places))
    rng = np.random.default_rng(0)
    for _ in range(draws):
        negative, positive, clusters = draw(rng)
        if is_precision:
            values, beyond = precision_at(negative, positive, places), 1 - places
            point = OperatingPoint(-positive, -negative, 0.5, is_precision=True)
            clusters = None if clusters is None else ClusteredScores(*clusters[::-1])
        else:
            values, beyond = tpr_at(negative, positive, places), places
            point = OperatingPoint(negative, positive, 0.5, is_precision=False)
        band = pointwise_band(point, beyond, values, 0.05, rng, clusters)
        misses += (expected < band.low - 1e-9) | (expected > band.high + 1e-9)
    return misses / draws


def independent(n_negative, n_positive, distance):
    def draw(rng):
        return rng.normal(size=n_negative), distance + rng.normal(size=n_positive), None

    return draw


def clustered(n_clusters, size, prevalence, correlation, distance, *, of_one_class):
    def draw(rng):
        while True:
            cluster = np.repeat(np.arange(n_clusters), size)
            if of_one_class:
                y = (rng.random(n_clusters) < prevalence)[cluster]
            else:
                y = rng.random(len(cluster)) < prevalence
            if 3 < y.sum() < len(y) - 3:
                break
        shared = np.sqrt(correlation) * rng.normal(size=n_clusters)[cluster]
        scores = distance * y + shared + np.sqrt(1 - correlation) * rng.normal(size=len(y))
        return scores[~y], scores[y], ClusteredScores(cluster[~y], cluster[y])

    return draw


# Negative and positive samples, and the distance of their normal scores.
INDEPENDENT = [(20, 20, 1), (200, 20, 1), (20, 200, 1.5), (300, 300, 1), (1_000, 30, 2)]
# Clusters, their size, the share of positive samples, the correlation within, the distance.
CLUSTERED = [
    (20, 5, 0.3, 0.3, 1),
    (50, 5, 0.1, 0.6, 1.5),
    (200, 4, 0.1, 0.5, 1),
    (30, 20, 0.2, 0.2, 1),
]


@pytest.mark.slow
@pytest.mark.parametrize("sizes", INDEPENDENT)
def test_bands_of_independent_samples_miss_seldom_enough(sizes):
    """That the operating points of all places hold, as those of single ones do."""
    assert missed(400, independent(*sizes), PLACES, truth(sizes[2], PLACES)).max() <= 0.075


@pytest.mark.slow
@pytest.mark.parametrize("of_one_class", [False, True])
@pytest.mark.parametrize("sizes", CLUSTERED)
def test_bands_of_clusters_miss_seldom_enough(sizes, of_one_class):
    """That effective numbers of samples, by the largest design effect, are few enough."""
    draw = clustered(*sizes, of_one_class=of_one_class)
    assert missed(400, draw, PLACES, truth(sizes[4], PLACES)).max() <= 0.075
    recalls = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    false = stats.norm.sf(stats.norm.isf(recalls) + sizes[4])
    precision = sizes[2] * recalls / (sizes[2] * recalls + (1 - sizes[2]) * false)
    assert missed(400, draw, recalls, precision, is_precision=True).max() <= 0.075


# Student's quantiles of 4 degrees of freedom and the normal ones, as in printed tables.
@pytest.mark.parametrize(
    ("alpha", "student", "normal"), [(0.05, 2.776, 1.960), (0.01, 4.604, 2.576)]
)
def test_few_clusters_count_by_students_quantile_of_the_level(monkeypatch, alpha, student, normal):
    sizes = []

    def replicates(point, n_replicates, random, size=None):
        sizes.append(size)
        return of_operating_points(point, n_replicates, random, size)

    of_operating_points = curve_bands.replicates
    monkeypatch.setattr(curve_bands, "replicates", replicates)
    # As many samples above the threshold in each of five clusters, which then count as independent.
    scores = np.tile(np.arange(10.0), 5)
    clusters = ClusteredScores(np.repeat(np.arange(5), 10), np.repeat(np.arange(5, 10), 10))
    point = OperatingPoint(scores, scores + 0.5, 0.5, is_precision=False)
    random = np.random.default_rng(0)
    pointwise_band(point, np.array([0.5]), np.array([0.6]), alpha, random, clusters)
    independent = 50 * (normal / student) ** 2
    assert sizes[0][:2] == pytest.approx((independent, independent), rel=1e-3)
