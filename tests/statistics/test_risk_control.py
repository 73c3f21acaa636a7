"""Guarantees for thresholds against scipy on the samples themselves, one by one, and against tolerance limits."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.ranking import Samples, counts_at_every_score
from skmetrics_ext.statistics.risk_control import MONOTONE, RANKED, Side, limits_by_score, sides_of


def counts_of(scores, positive, weights=None):
    return counts_at_every_score(Samples(np.asarray(scores), np.asarray(positive, dtype=bool), weights), "positive")


# The denominator of a rate, and its hits, from actual and predicted positive samples.
SHARES = {
    "recall": lambda actual, predicted: (actual, predicted),
    "false_negative_rate": lambda actual, predicted: (actual, ~predicted),
    "specificity": lambda actual, predicted: (~actual, ~predicted),
    "false_positive_rate": lambda actual, predicted: (~actual, predicted),
    "predicted_positive_rate": lambda actual, predicted: (actual | ~actual, predicted),
    "detection_rate": lambda actual, predicted: (actual | ~actual, actual & predicted),
    "precision": lambda actual, predicted: (predicted, actual),
    "negative_predictive_value": lambda actual, predicted: (~predicted, ~actual),
    "accuracy": lambda actual, predicted: (actual | ~actual, actual == predicted),
    "f1": lambda actual, predicted: (actual | predicted, actual & predicted),
}


def limit_of(name, actual, predicted, is_least, error):
    """The one-sided Clopper-Pearson limit by scipy's beta distribution."""
    among, hit = SHARES[name](actual, predicted)
    n, hits = int(among.sum()), int((among & hit).sum())
    if is_least:
        share = 0.0 if hits == 0 else stats.beta.ppf(error, hits, n - hits + 1)
    else:
        share = 1.0 if hits == n else stats.beta.isf(error, hits + 1, n - hits)
    return 2 * share / (1 + share) if name == "f1" else share


def data(seed, n=300):
    """Scores with ties, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 60, n) / 60
    return scores, rng.random(n) < 0.1 + 0.85 * scores


def test_the_two_tables_list_the_metrics_with_a_guarantee():
    assert set(SHARES) == MONOTONE.keys() | RANKED.keys()
    assert all(BY_NAME[name].name == name for name in SHARES)


@pytest.mark.parametrize("is_least", [True, False])
@pytest.mark.parametrize("name", MONOTONE)
def test_monotone_rates_have_the_plain_limit_at_every_score(name, is_least):
    scores, actual = data(0)
    thresholds, counts = counts_of(scores, actual)
    # Two sides share the error.
    limits, _ = limits_by_score(counts, [Side(name, 0.5, is_least), Side("recall", 0.3, True)], 0.1)
    expected = [limit_of(name, actual, scores >= threshold, is_least, 0.05) for threshold in thresholds]
    np.testing.assert_allclose(limits, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "limit", "is_least"),
    [
        ("precision", 0.8, True),
        ("precision", 0.3, False),
        ("negative_predictive_value", 0.7, True),
        ("negative_predictive_value", 0.2, False),
        ("accuracy", 0.75, True),
        ("accuracy", 0.25, False),
        ("f1", 0.6, True),
        ("f1", 0.3, False),
    ],
)
def test_other_rates_are_looked_at_on_ranks_that_no_label_chose(name, limit, is_least, seed):
    scores, actual = data(seed)
    n, d, m = len(scores), 0.1, 2
    thresholds, counts = counts_of(scores, actual)
    limits, _ = limits_by_score(counts, [Side(name, limit, is_least), Side("recall", 0.3, True)], d)

    error = d / (12 * m)
    share = limit / (2 - limit) if name == "f1" else limit
    share = share if is_least else 1 - share
    # The highest of the samples below a ranked score ends the gap, and is not among the samples below it.
    first = next(n for n in range(1, 10_000) if share**n <= error) + (name == "negative_predictive_value")
    ranks = {round(first * ((n - 1) / first) ** (step / 11)) for step in range(12)}
    # So many samples are above the ranked score, or below it, without ties.
    ordered = np.sort(scores) if name == "negative_predictive_value" else np.sort(scores)[::-1]
    ranked = {ordered[rank] for rank in ranks}
    assert (~np.isnan(limits)).sum() == len(ranked) <= 12
    for threshold, found in zip(thresholds, limits, strict=True):
        if threshold not in ranked:
            assert np.isnan(found)
            continue
        # Wherever it lies in the gap below the score: given the score at either end, the others are random samples.
        ends = [threshold, scores[scores < threshold].max(initial=-1), None]
        draws = [(actual[scores != end], scores[scores != end] >= threshold) for end in ends]
        limits_of_draws = [limit_of(name, *draw, is_least, error) for draw in draws]
        assert found == pytest.approx(min(limits_of_draws) if is_least else max(limits_of_draws), rel=1e-9)


def test_the_ranks_do_not_move_with_the_labels():
    scores, actual = data(0)
    side = [Side("precision", 0.6, True)]
    looked_at = [~np.isnan(limits_by_score(counts_of(scores, labels)[1], side, 0.1)[0]) for labels in (actual, ~actual)]
    np.testing.assert_array_equal(*looked_at)


def test_bounds_of_both_kinds_of_predictions_share_their_ranks():
    scores = np.random.default_rng(0).random(1000)
    _, counts = counts_of(scores, scores > 0.5)
    sides = [Side("precision", 0.8, True), Side("negative_predictive_value", 0.9, True), Side("accuracy", 0.7, True)]
    limits = limits_by_score(counts, sides, 0.1)
    for one in limits[1:]:
        np.testing.assert_array_equal(np.isnan(one), np.isnan(limits[0]))
    (places,) = np.nonzero(~np.isnan(limits[0]))
    error = 0.1 / 36
    above, below = math.ceil(math.log(error) / math.log(0.8)), math.ceil(math.log(error) / math.log(0.9)) + 1
    assert len(places) == 12
    assert places[0] == above
    assert places[-1] == 999 - below
    ratios = places[1:] / places[:-1]
    np.testing.assert_allclose(ratios, (places[-1] / places[0]) ** (1 / 11), rtol=0.02)


@pytest.mark.parametrize(("n_positive", "k"), [(59, 1), (60, 1), (92, 1), (93, 2), (100, 2), (1000, 39)])
def test_recall_alone_is_the_exact_tolerance_limit(n_positive, k):
    tail = stats.binom.cdf(np.arange(n_positive), n_positive, 0.05)
    assert k == (tail <= 0.05).sum()
    scores = np.random.default_rng(1).permutation(n_positive + 30) * 1.0
    positive = np.arange(n_positive + 30) < n_positive
    thresholds, counts = counts_of(scores, positive)
    [limits] = limits_by_score(counts, [Side("recall", 0.95, True)], 0.05)
    assert thresholds[limits >= 0.95].max() == np.sort(scores[positive])[k - 1]


def test_integer_weights_are_repeated_samples():
    scores, actual = data(2)
    weights = np.random.default_rng(0).integers(0, 4, len(scores))
    sides = [Side("precision", 0.6, True), Side("recall", 0.3, True)]
    thresholds, counts = counts_of(scores[weights > 0], actual[weights > 0], weights[weights > 0])
    repeated, expected = counts_of(np.repeat(scores, weights), np.repeat(actual, weights))
    np.testing.assert_array_equal(thresholds, repeated)
    for one, other in zip(limits_by_score(counts, sides, 0.1), limits_by_score(expected, sides, 0.1), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100)])
@pytest.mark.parametrize("error", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 1024), Fraction(9, 10), None])
def test_the_number_of_samples_that_is_needed_is_the_least_that_can_show_it(share, error):
    # The logarithms of 0.95 ** 5 and 0.99 ** 5 are, rounded, more than 5 times those of 0.95 and 0.99.
    error = share**5 if error is None else error
    needed = next(n for n in range(1, 10_000) if share**n <= error)
    side = Side("recall", float(share), True)
    assert side.n_needed(float(error)) == needed
    assert Side("recall", 1 - float(share), False).n_needed(float(error)) == needed
    assert Side("precision", float(share), True).n_needed(float(error)) == needed
    assert Side("f1", float(2 * share / (1 + share)), True).n_needed(float(error)) == needed
    for n, enough in ((needed, True), (needed - 1, False)):
        if n:
            [limits] = [side.limits(counts_of(np.zeros(n), np.ones(n))[1], float(error))]
            assert (limits[0] >= float(share) - 1e-12) == enough


@pytest.mark.parametrize(
    ("side", "n_positive", "n_negative", "message"),
    [
        (("recall", 0.95, True), 58, 900, "recall >= 0.95 needs at least 59 positive samples .* of 0.05; there are 58"),
        (("false_negative_rate", 0.05, False), 58, 900, "false_negative_rate <= 0.05 needs at least 59 positive .* 58"),
        (("false_positive_rate", 0.05, False), 900, 58, "needs at least 59 negative samples .* there are 58"),
        (("specificity", 0.95, True), 900, 58, "needs at least 59 negative samples .* there are 58"),
        (("predicted_positive_rate", 0.05, False), 10, 48, "needs at least 59 samples .* there are 58"),
        (("detection_rate", 0.95, True), 58, 0, "needs at least 59 samples .* there are 58"),
        (("precision", 0.9, True), 20, 32, "precision >= 0.9 needs at least 54 samples .* of 0.00417; there are 52"),
        (("negative_predictive_value", 0.9, True), 20, 34, "needs at least 55 samples .* of 0.00417; there are 54"),
        (("recall", 1, True), 900, 900, "recall >= 1 can't be guaranteed .* regardless of the number of samples"),
        (("recall", 1.5, True), 900, 900, r"recall >= 1\.5 can't be guaranteed"),
        (("recall", 0, False), 900, 900, "recall <= 0 can't be guaranteed"),
    ],
)
def test_the_message_for_too_few_samples_says_how_many_are_needed(side, n_positive, n_negative, message):
    _, counts = counts_of(np.arange(n_positive + n_negative), np.arange(n_positive + n_negative) < n_positive)
    with pytest.raises(ValueError, match=message):
        limits_by_score(counts, [Side(*side)], 0.05)


def test_one_more_sample_is_enough():
    of_enough = [
        (("recall", 0.95, True), 59, 1),
        (("precision", 0.9, True), 54, 0),
        (("negative_predictive_value", 0.9, True), 0, 55),
    ]
    for side, n_positive, n_negative in of_enough:
        _, counts = counts_of(-np.arange(n_positive + n_negative), np.arange(n_positive + n_negative) < n_positive)
        [limits] = limits_by_score(counts, [Side(*side)], 0.05)
        assert np.nanmax(limits) >= side[1]


def test_predictions_of_both_kinds_need_samples_together():
    sides = [Side("precision", 0.9, True), Side("negative_predictive_value", 0.9, True)]
    _, counts = counts_of(np.arange(119), np.arange(119) > 58)
    message = "precision >= 0.9 and negative_predictive_value >= 0.9 together need at least 120 samples; there are 119"
    with pytest.raises(ValueError, match=message):
        limits_by_score(counts, sides, 0.05)
    _, counts = counts_of(np.arange(120), np.arange(120) > 58)
    assert all((~np.isnan(limits)).sum() == 1 for limits in limits_by_score(counts, sides, 0.05))


def test_metrics_that_are_not_proportions_are_rejected_with_those_that_are():
    for row in METRICS:
        if row.name in SHARES:
            assert [side.name for side in sides_of(row, 0.25, 0.75)] == [row.name] * 2
            continue
        with pytest.raises(ValueError, match=f"{row.name} can't be bounded.*'recall', .*'f1'"):
            sides_of(row, 0.25, 0.75)


def test_another_metric_of_the_same_name_is_not_taken_for_one_that_can_be_promised():
    with pytest.raises(ValueError, match="recall can't be bounded with confidence_level"):
        sides_of(replace(BY_NAME["recall"], formula=BY_NAME["precision"].formula), 0.5, np.inf)


def test_sides_that_cut_nothing_are_none():
    recall = BY_NAME["recall"]
    assert sides_of(recall, -np.inf, np.inf) == sides_of(recall, 0, 1) == []
    assert sides_of(recall, 0, 0.5) == [Side("recall", 0.5, False)]
    assert sides_of(recall, 0.5, 1) == [Side("recall", 0.5, True)]
