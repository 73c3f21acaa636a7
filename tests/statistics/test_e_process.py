"""The e-process of a share: exact fractions, its expectation over all outcomes, false alarms."""

import itertools
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.statistics.promises.e_process import KEPT, Stream, confidence_sequence, e_process
from tests.shared import one_in

N = (1, 3, 2, 3)
OUTCOMES = np.array(list(itertools.product(*(range(n + 1) for n in N)))).T
BOUNDS = [Fraction(9, 10), Fraction(3, 4), Fraction(1, 2), Fraction(1, 5)]


def stream_of(hits, misses, **about):
    """The proportion of one class."""
    return Stream(np.stack([hits, misses], -1)[..., None, :], np.eye(2), **about)


def evidence(hits, misses, bound, horizon=None):
    return e_process(stream_of(np.asarray(hits), np.asarray(misses)), bound, True, horizon)


def of_bound(stream, added, bound, is_least):
    """The log of the ratio for a bound on the mean of the classes."""
    return stream.evidence(added, stream.shares_of(added, bound), is_least)


def integral(a, b, end):
    """Of q^(a - 1) (1 - q)^(b - 1) from 0 to the end, for whole a and b."""
    return sum(Fraction((-1) ** k * comb(b - 1, k), a + k) * end ** (a + k) for k in range(b))


@cache
def exact_ratio(hits, misses, bound):
    """The likelihood of shares below the bound, with weights of a beta distribution worth 20
    samples, to its own.
    """
    a, b = int(20 * bound), int(20 * (1 - bound))
    mixed = integral(a + hits, b + misses, bound) / integral(a, b, bound)
    return mixed / (bound**hits * (1 - bound) ** misses)


def exact_e_values(hits, bound, horizon):
    """The mean of the ratios that start in each month, at the end of each; for ever with the
    weights 1/2, 1/6, 1/12, ...
    """
    for end in range(1, len(N) + 1):
        n_started = end if horizon is None else min(end, horizon)
        weights = [
            Fraction(1, (j + 1) * (j + 2)) if horizon is None else Fraction(1, horizon)
            for j in range(n_started)
        ]
        parts = [(sum(hits[start:end]), sum(N[start:end])) for start in range(n_started)]
        started = [exact_ratio(right, n - right, bound) for right, n in parts]
        yield sum(w * of for w, of in zip(weights, started, strict=True)) + 1 - sum(weights)


@cache
def probability(hits, shares):
    return prod(
        comb(n, x) * p**x * (1 - p) ** (n - x) for n, x, p in zip(N, hits, shares, strict=True)
    )


@pytest.mark.parametrize(("bound", "horizon"), one_in(4, BOUNDS, [1, 2, 6, None]))
def test_over_all_outcomes_the_expectation_is_1_at_the_bound_and_less_above_it(bound, horizon):
    """Plain pytest takes a quarter of the pairs of a bound and a horizon."""
    outcomes = [tuple(map(int, hits)) for hits in OUTCOMES.T]
    exact = [list(exact_e_values(hits, bound, horizon)) for hits in outcomes]
    values, _ = evidence(OUTCOMES, np.array(N)[:, None] - OUTCOMES, float(bound), horizon)
    np.testing.assert_allclose(values.T, np.array(exact, dtype=float), rtol=1e-10)

    above = (1 + bound) / 2
    for shares in ((bound,) * 4, (above,) * 4, (bound, above, bound, 1)):
        chances = [probability(hits, shares) for hits in outcomes]
        assert sum(chances) == 1
        expected = [
            sum(c * e[month] for c, e in zip(chances, exact, strict=True))
            for month in range(len(N))
        ]
        assert (
            expected == [1] * 4
            if shares == (bound,) * 4
            else max(expected) <= 1 and expected[-1] < 1
        )
        # Ville: at any time, at any level.
        for level in map(float, {max(e) for e in exact}):
            is_above = (values.max(0) >= level * (1 - 1e-12)).tolist()
            assert sum(itertools.compress(chances, is_above)) <= 1 / level + 1e-12
    below = [probability(hits, (bound / 2,) * 4) for hits in outcomes]
    assert sum(c * e[-1] for c, e in zip(below, exact, strict=True)) > 1


def chance_of_ever(is_reached, p, n_samples):
    """The probability that counts of hits and misses are ever reached, sample by sample."""
    left, reached = np.ones(1), 0.0
    for n in range(1, n_samples + 1):
        left = np.append(left * p, 0) + np.append(0, left * (1 - p))
        # The number of misses is the place.
        is_new = is_reached(n - np.arange(n + 1.0), np.arange(n + 1.0))
        reached += left[is_new].sum()
        left[is_new] = 0
    return reached


@pytest.mark.parametrize("bound", [0.05, 0.5, 0.9])
def test_a_confidence_sequence_of_single_samples_is_seldom_ever_wrong(bound):
    """Exactly, for 200 samples: by the numbers of hits with which either limit excludes it."""
    one = stream_of(np.zeros(1), np.zeros(1))

    def is_excluded(hits, misses):
        added = np.stack([hits, misses], -1)[:, None, :]
        sides = [of_bound(one, added, bound, is_least) for is_least in (True, False)]
        return np.maximum(*sides) >= np.log(2 / 0.05)

    assert 0.015 < chance_of_ever(is_excluded, bound, 200) < 0.05


def test_a_confidence_sequence_excludes_what_has_evidence_of_two_in_alpha():
    hits, n = np.array([[57, 0, 20, 3]] * 3), np.array([[60, 20, 20, 4]] * 3)
    stream = stream_of(hits, n - hits)
    low, high = confidence_sequence(stream, 0.05)
    total = stream.counts.cumsum(0)
    for limit, is_least in ((low, False), (high, True)):
        is_inner = (limit > 0) & (limit < 1)
        found = stream.evidence(total, np.where(is_inner, limit, 0.5)[..., None], is_least)
        np.testing.assert_allclose(found[is_inner], np.log(40), rtol=1e-6)
    assert (low[:, 1] == 0).all()
    assert (high[:, 2] == 1).all()
    assert ((low < hits / n) | (hits == 0)).all()
    # Half of the weights start at the first look, so that what is excluded has an alarm.
    for bound, is_least in ((high + 1e-9, True), (low - 1e-9, False)):
        for look, place in np.argwhere((bound > 0) & (bound < 1)):
            of = stream._replace(counts=stream.counts[:, place])
            values, _ = e_process(of, bound[look, place], is_least, None)
            assert values.max() >= 20


def test_f1_is_limited_as_its_jaccard():
    hits, misses = np.array([50, 40]), np.array([5, 20])
    of_f1 = confidence_sequence(stream_of(hits, misses, of_share=BY_NAME["f1"].of_share), 0.1)
    for limit, of_jaccard in zip(
        of_f1, confidence_sequence(stream_of(hits, misses), 0.1), strict=True
    ):
        np.testing.assert_allclose(limit, 2 * of_jaccard / (1 + of_jaccard), rtol=1e-7)


def test_the_evidence_on_a_mean_is_at_most_the_mean_of_that_of_its_true_classes():
    """Whatever classes have the mean: those of an alarm are one-sided limits whose mean is beyond
    the bound.
    """
    hits, n = np.array([45, 18, 3]), np.array([60, 20, 4])
    stream = stream_of(hits, n - hits)._replace(counts=np.stack([hits, n - hits], -1)[None])
    for bound, is_least in ((0.95, True), (0.9, True), (0.6, False), (0.75, False)):
        found = of_bound(stream, stream.counts, bound, is_least).item()
        for first, second in itertools.product(np.linspace(0.02, 0.98, 25), repeat=2):
            shares = np.array([first, second, 3 * bound - first - second])
            if (shares[2] > 1e-9) & (shares[2] < 1 - 1e-9):
                one = [
                    of_bound(stream_of(np.zeros(1), np.zeros(1)), counts[None], share, is_least)
                    for counts, share in zip(stream.counts[0], shares, strict=True)
                ]
                assert found <= np.max(one) - np.log(3) + 1e-6
    # Each of equal classes has an equal part of the evidence that a single one needs.
    alike = stream._replace(counts=np.array([[[40, 20]] * 3]))
    alone = stream_of(np.array([40]), np.array([20]))
    of_three = of_bound(alike, alike.counts, 0.8, True)
    assert of_three == pytest.approx(of_bound(alone, alone.counts, 0.8, True) - np.log(3), rel=1e-6)


def test_clusters_bet_on_their_hits_beyond_the_bound_in_parts_of_the_largest():
    """Against the integral over shares below the bound, by many small steps."""
    kinds, counts = np.array([[3, 1], [0, 2], [5, 0]]), np.array([[[4, 3, 6]]])
    found = of_bound(Stream(counts, kinds, 5), counts, 0.8, True)
    below = (np.arange(200_000) + 0.5) / 200_000 * 0.8
    weights = stats.beta(16, 4).pdf(below)
    bets = (0.8 - below) / (0.8 * 0.2)
    above = (kinds[:, 0] - 0.8 * kinds.sum(1)) / 5
    wealth = np.prod([(1 - bets * x) ** k for x, k in zip(above, counts[0, 0], strict=True)], 0)
    expected = (weights * wealth).sum() / weights.sum()
    assert np.exp(found).item() == pytest.approx(expected, rel=1e-5)
    # Of single samples the bets are likelihood ratios.
    hits, misses = np.array([[30]]), np.array([[12]])
    single = stream_of(hits, misses)
    as_clusters = single._replace(largest=1 + 1e-12)
    for bound, is_least in ((0.8, True), (0.6, False)):
        expected = of_bound(single, single.counts, bound, is_least)
        found = of_bound(as_clusters, single.counts, bound, is_least)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_the_start_is_the_month_since_which_the_share_is_low():
    hits = np.array([60, 58, 59, 40, 41, 39, 60, 60])
    for horizon in (12, None):
        values, starts = evidence(hits, 60 - hits, 0.9, horizon)
        assert starts[4:].tolist() == [3] * 4
        assert values[2] < 1 < 20 < values[4]


def test_neither_large_counts_nor_empty_months_are_a_problem():
    n = np.array([0, 10**9, 0, 10**9])
    low, _ = evidence(n // 2, n - n // 2, 0.9, 4)
    assert low.tolist() == [1, np.inf, np.inf, np.inf]
    # Those that have not started yet are 1, and so is one since the empty month until the next one
    # ends.
    high, _ = evidence(n, 0 * n, 0.9, 4)
    np.testing.assert_allclose(high, [1, 0.5, 0.5, 0], atol=1e-6)


def test_of_many_looks_fewer_starts_are_kept_the_longer_ago():
    """Every second for twice as many looks, every fourth for four times as many."""
    n_looks = 3 * KEPT
    hits = np.full(n_looks, 9)
    hits[2 * KEPT :] = 7
    found, starts = evidence(hits, 10 - hits, 0.85)
    stream = stream_of(hits, 10 - hits)
    before = np.concatenate([0 * stream.counts[:1], stream.counts.cumsum(0)])
    j = np.arange(n_looks)
    for look in (KEPT - 1, 2 * KEPT + 12, n_looks - 1):
        ratios = np.exp(of_bound(stream, before[look + 1] - before[: look + 1], 0.85, True))
        weights = 1 / ((j + 1) * (j + 2))[: look + 1]
        every = 2 ** np.ceil(np.log2(np.maximum(look + 1 - j[: look + 1], KEPT) / KEPT))
        is_kept = j[: look + 1] % every == 0
        assert is_kept.all() == (look < KEPT)
        expected = (weights * ratios)[is_kept].sum() + 1 / (look + 2)
        assert found[look] == pytest.approx(expected, rel=1e-12)
    assert starts[-1] == 2 * KEPT


def shares_of_false_alarms(stream, bounds):
    """Of streams, for claims on either side."""
    return [
        (e_process(stream, bound, is_least, None)[0] >= 20).any(0).mean()
        for bound, is_least in bounds
    ]


def test_false_alarms_are_rare_for_ever_and_a_fall_after_good_months_is_seen():
    rng = np.random.default_rng(0)
    hits = rng.binomial(20, 0.9, (16, 600))
    assert max(shares_of_false_alarms(stream_of(hits, 20 - hits), [(0.9, 1), (0.9, 0)])) <= 0.06
    # 60 samples a month, .95 for 60 months: since the first of them they are not below .9.
    shares = np.repeat([0.95, 0.85], [60, 40])
    hits = rng.binomial(60, shares[:, None], (100, 20))
    values, _ = evidence(hits, 60 - hits, 0.9)
    is_shown = values >= 20
    assert not is_shown[:60].any()
    assert 12 <= np.median(is_shown.argmax(0) - 59) <= 20
    assert (confidence_sequence(stream_of(hits, 60 - hits), 0.05).high[-1] > 0.9).mean() > 0.9


def test_clusters_and_means_of_classes_have_few_false_alarms():
    """Clusters have 8 hits or none of 8; two of three classes are rare."""
    rng = np.random.default_rng(0)
    full = rng.binomial(6, 0.8, (12, 120))
    counts = np.stack([full, 6 - full], -1)[..., None, :]
    clusters = Stream(counts, np.array([[8, 0], [0, 8]]), 8)
    assert max(shares_of_false_alarms(clusters, [(0.8, True), (0.8, False)])) <= 0.06
    ignored = stream_of(8 * full, 48 - 8 * full)
    assert shares_of_false_alarms(ignored, [(0.8, True)])[0] > 0.5

    recall, n = np.array([0.9, 0.8, 0.7]), np.array([80, 15, 5])
    hits = rng.binomial(3 * n, recall, (8, 120, 3))
    mean = Stream(np.stack([hits, 3 * n - hits], -1), np.eye(2))
    assert max(shares_of_false_alarms(mean, [(0.8, True), (0.8, False)])) <= 0.06
    assert shares_of_false_alarms(mean, [(0.9, True)])[0] > 0.9
