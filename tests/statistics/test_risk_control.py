"""Guarantees for thresholds: scipy on the samples, one by one, and tolerance limits."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import Samples, counts_at_every_score
from skmetrics_ext.statistics.promises.risk_control import (
    MONOTONE,
    RANKED,
    Side,
    decisions_by_score,
    rate_of,
    sides_of,
)


def counts_of(scores, positive, weights=None):
    return counts_at_every_score(
        Samples(np.asarray(scores), np.asarray(positive, dtype=bool), weights), "positive"
    )


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


def side_of(name, limit, is_least):
    """A side of the bound of a metric by its name."""
    return Side(rate_of(BY_NAME[name]), limit, is_least)


def limits_by_score(counts, sides, error):
    """The limits of each side, by which its tests must decide."""
    found = []
    for side, decisions in zip(sides, decisions_by_score(counts, sides, error), strict=True):
        limits = decisions.limits()
        is_within = limits >= side.limit - 1e-12 if side.is_least else limits <= side.limit + 1e-12
        np.testing.assert_array_equal(decisions.hold, is_within)
        for place in np.flatnonzero(~np.isnan(limits))[[0, -1]]:
            assert decisions.limit_at(place) == pytest.approx(limits[place])
        found.append(limits)
    return found


def data(seed, n=300):
    """Scores with ties, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 60, n) / 60
    return scores, rng.random(n) < 0.1 + 0.85 * scores


def test_the_two_tables_list_the_metrics_with_a_guarantee():
    assert [
        *("recall", "specificity", "false_positive_rate", "false_negative_rate"),
        *("predicted_positive_rate", "detection_rate"),
    ] == MONOTONE
    assert [
        *("precision", "negative_predictive_value", "one_vs_rest_accuracy", "f1", "accuracy")
    ] == RANKED
    # The accuracy of a class against the rest is that of two classes.
    assert {*SHARES} == {*MONOTONE, *RANKED} - {"one_vs_rest_accuracy"}


@pytest.mark.parametrize("is_least", [True, False])
@pytest.mark.parametrize("name", MONOTONE)
def test_monotone_rates_have_the_plain_limit_at_every_score(name, is_least):
    scores, actual = data(0)
    thresholds, counts = counts_of(scores, actual)
    # Two sides share the error.
    limits, _ = limits_by_score(
        counts, [side_of(name, 0.5, is_least), side_of("recall", 0.3, True)], 0.1
    )
    expected = [
        limit_of(name, actual, scores >= threshold, is_least, 0.05) for threshold in thresholds
    ]
    np.testing.assert_allclose(limits, expected, rtol=1e-9, atol=1e-12)


# Where chains start, in samples predicted positive (negative from below) per positive (negative)
# sample, and go.
CHAINS = {
    "precision": ((1 / 8, 1 / 4, 1 / 2), {True: [1], False: [-1]}),
    "negative_predictive_value": ((1 / 8, 1 / 4, 1 / 2), {True: [-1], False: [1]}),
    "accuracy": ((1,), {True: [1, -1], False: [1, -1]}),
    "f1": ((1, 1.5), {True: [1, -1], False: [1, -1]}),
}


def chain(name, limit, is_least, direction, scores, actual, d):
    """The limits at the thresholds that a chain in one direction tests, one after another."""
    multiples, directions = CHAINS[name]
    n_directions = len(directions[is_least])
    one = d / len(multiples) / n_directions
    share = limit / (2 - limit) if name == "f1" else limit
    needed = next(n for n in range(1, 10_000) if (share if is_least else 1 - share) ** n <= one)
    thresholds = np.unique(scores)[::-direction]
    starts = []
    for multiple in multiples:
        if n_directions == 2:
            reached = [
                (scores >= t).sum() >= multiple * actual.sum() for t in thresholds[::direction]
            ]
            place = reached.index(True)
            starts.append(place if direction == 1 else len(thresholds) - 1 - place)
        else:
            of_class = actual if direction == 1 else ~actual
            sizes = [(scores >= t if direction == 1 else scores < t).sum() for t in thresholds]
            starts.append(
                [size >= max(multiple * of_class.sum(), needed) for size in sizes].index(True)
            )
    error, limits = 0.0, {}
    for place, threshold in enumerate(thresholds):
        error += one * starts.count(place)
        if error:
            at_start = one * (n_directions - 1) if place in starts else 0
            found = limit_of(name, actual, scores >= threshold, is_least, error + at_start)
            limits[threshold] = found
            if (found < limit) if is_least else (found > limit):
                error = 0.0
    return limits


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("name", "limit", "is_least"),
    [
        ("precision", 0.7, True),
        ("precision", 0.6, True),
        ("precision", 0.7, False),
        ("negative_predictive_value", 0.7, True),
        ("negative_predictive_value", 0.8, False),
        ("accuracy", 0.65, True),
        ("accuracy", 0.8, False),
        ("f1", 0.6, True),
        ("f1", 0.8, False),
    ],
)
def test_other_rates_have_limits_where_chains_of_tests_come(name, limit, is_least, seed):
    scores, actual = data(seed)
    thresholds, counts = counts_of(scores, actual)
    # Two sides share the error.
    limits, _ = limits_by_score(
        counts, [side_of(name, limit, is_least), side_of("recall", 0.3, True)], 0.3
    )
    chains = [
        chain(name, limit, is_least, way, scores, actual, 0.15) for way in CHAINS[name][1][is_least]
    ]
    expected = [[found[t] for found in chains if t in found] for t in thresholds]
    assert sum(map(bool, expected)) >= 3
    for found, values in zip(limits, expected, strict=True):
        best = (max if is_least else min)(values, default=np.nan)
        np.testing.assert_allclose(found, best, rtol=1e-9)


@pytest.mark.parametrize("share", [Fraction(7, 10), Fraction(9, 10)])
def test_precision_that_falls_is_promised_with_the_exact_probability(share):
    # Two scores, of which the higher one has 40 % of the samples, and all samples a precision just
    # below the bound.
    n, bound, d = 10, 0.6, 0.4
    of_both = Fraction(599, 1000)
    higher = [Fraction(2, 5) * share, Fraction(2, 5) * (1 - share)]
    lower = [of_both - higher[0], 1 - of_both - higher[1]]
    broken = 0.0
    for k in range(n + 1):
        for tp in range(k + 1):
            for more in range(n - k + 1):
                parts = (tp, k - tp, more, n - k - more)
                scores, actual = (
                    np.repeat([2, 2, 1, 1], parts),
                    np.repeat([True, False, True, False], parts),
                )
                [limits] = limits_by_score(
                    counts_of(scores, actual)[1], [side_of("precision", bound, True)], d
                )
                if limits[-1] >= bound and n - k:
                    broken += stats.multinomial.pmf(
                        parts, n, [float(part) for part in higher + lower]
                    )
    assert d / 2 < broken <= d


def waves(score):
    return 0.1 + 0.8 * score + 0.35 * np.sin(6 * np.pi * score)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n_values"),
    [("precision", 20), ("negative_predictive_value", 10_000), ("accuracy", 20), ("f1", 10_000)],
)
def test_rates_that_rise_and_fall_break_their_promise_as_seldom_as_allowed(name, n_values):
    """Of tests by all outcomes, that above has two scores and one rate alone."""
    rng = np.random.default_rng(0)
    values = (np.arange(n_values) + 0.5) / n_values
    positive = np.clip(waves(values), 0, 1)
    parts = [part[::-1].cumsum()[::-1] / n_values for part in (positive, 1 - positive)]
    tp, fp = parts
    fn, tn = positive.mean() - tp, 1 - positive.mean() - fp
    hits, n = {
        "precision": (tp, tp + fp),
        "negative_predictive_value": (tn, fn + tn),
        "accuracy": (tp + tn, 1),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }[name]
    with np.errstate(invalid="ignore", divide="ignore"):
        true = hits / n
    bound = np.quantile(true[n_values // 20 : -n_values // 20], 0.6)
    broken = 0
    for _ in range(400):
        drawn = rng.integers(0, n_values, 600)
        thresholds, counts = counts_of(drawn, rng.random(600) < positive[drawn])
        [limits] = limits_by_score(counts, [side_of(name, bound, True)], 0.1)
        broken += (true[thresholds[limits >= bound]] < bound - 1e-9).any()
    assert broken <= stats.binom.ppf(0.999, 400, 0.1)


@pytest.mark.parametrize(
    ("n_positive", "k"), [(59, 1), (60, 1), (92, 1), (93, 2), (100, 2), (1000, 39)]
)
def test_recall_alone_is_the_exact_tolerance_limit(n_positive, k):
    tail = stats.binom.cdf(np.arange(n_positive), n_positive, 0.05)
    assert k == (tail <= 0.05).sum()
    scores = np.random.default_rng(1).permutation(n_positive + 30) * 1.0
    positive = np.arange(n_positive + 30) < n_positive
    thresholds, counts = counts_of(scores, positive)
    [limits] = limits_by_score(counts, [side_of("recall", 0.95, True)], 0.05)
    assert thresholds[limits >= 0.95].max() == np.sort(scores[positive])[k - 1]


@pytest.mark.parametrize("is_least", [True, False])
@pytest.mark.parametrize("name", [*MONOTONE, *RANKED])
def test_tests_decide_as_limits_do_beside_each_bound(name, is_least):
    counts = counts_of(*data(4, 60))[1]
    side = side_of(name, 0.5, is_least)
    for place in range(len(counts.tp)):
        there = ClassCounts(*(part[place] for part in counts))
        limit = float(side.limits(there, 0.05))
        for step, expected in ((1e-9, is_least), (-1e-9, not is_least), (0, True)):
            bound = limit - step
            if 1e-6 < bound < 1 - 1e-6:
                found = side._replace(limit=bound).holds(there, 0.05)
                assert found == expected, (place, step)


def test_integer_weights_are_repeated_samples():
    scores, actual = data(2)
    weights = np.random.default_rng(0).integers(0, 4, len(scores))
    sides = [side_of("precision", 0.6, True), side_of("recall", 0.3, True)]
    thresholds, counts = counts_of(scores[weights > 0], actual[weights > 0], weights[weights > 0])
    repeated, expected = counts_of(np.repeat(scores, weights), np.repeat(actual, weights))
    np.testing.assert_array_equal(thresholds, repeated)
    for one, other in zip(
        limits_by_score(counts, sides, 0.1), limits_by_score(expected, sides, 0.1), strict=True
    ):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "share", [Fraction(1, 2), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100)]
)
@pytest.mark.parametrize(
    "error", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 1024), Fraction(9, 10), None]
)
def test_the_number_of_samples_that_is_needed_is_the_least_that_can_show_it(share, error):
    # The logarithms of 0.95 ** 5 and 0.99 ** 5 are, rounded, more than 5 times those of 0.95 and
    # 0.99.
    error = share**5 if error is None else error
    needed = next(n for n in range(1, 10_000) if share**n <= error)
    side = side_of("recall", float(share), True)
    assert side.n_needed(float(error)) == needed
    assert side_of("recall", 1 - float(share), False).n_needed(float(error)) == needed
    assert side_of("precision", float(share), True).n_needed(float(error)) == needed
    assert side_of("f1", float(2 * share / (1 + share)), True).n_needed(float(error)) == needed
    for n, enough in ((needed, True), (needed - 1, False)):
        if n:
            [limits] = [side.limits(counts_of(np.zeros(n), np.ones(n))[1], float(error))]
            assert (limits[0] >= float(share) - 1e-12) == enough


@pytest.mark.parametrize(
    ("side", "n_positive", "n_negative", "message"),
    [
        (
            ("recall", 0.95, True),
            58,
            900,
            "recall >= 0.95 needs at least 59 positive samples .* of 0.05; there are 58",
        ),
        (
            ("false_negative_rate", 0.05, False),
            58,
            900,
            "false_negative_rate <= 0.05 needs at least 59 positive .* 58",
        ),
        (
            ("false_positive_rate", 0.05, False),
            900,
            58,
            "needs at least 59 negative samples .* there are 58",
        ),
        (
            ("specificity", 0.95, True),
            900,
            58,
            "needs at least 59 negative samples .* there are 58",
        ),
        (
            ("predicted_positive_rate", 0.05, False),
            10,
            48,
            "needs at least 59 samples .* there are 58",
        ),
        (("detection_rate", 0.95, True), 58, 0, "needs at least 59 samples .* there are 58"),
        (
            ("precision", 0.9, True),
            20,
            18,
            "precision >= 0.9 needs at least 39 samples .* of 0.0167; there are 38",
        ),
        (
            ("negative_predictive_value", 0.9, True),
            20,
            18,
            "needs at least 39 samples .* of 0.0167; there are 38",
        ),
        (("recall", 1, True), 900, 900, "recall >= 1 can't be guaranteed by any number of samples"),
        (("recall", 1.5, True), 900, 900, r"recall >= 1\.5 can't be guaranteed"),
        (("recall", 0, False), 900, 900, "recall <= 0 can't be guaranteed"),
    ],
)
def test_the_message_for_too_few_samples_says_how_many_are_needed(
    side, n_positive, n_negative, message
):
    _, counts = counts_of(
        np.arange(n_positive + n_negative), np.arange(n_positive + n_negative) < n_positive
    )
    with pytest.raises(ValueError, match=message):
        limits_by_score(counts, [side_of(*side)], 0.05)


def test_one_more_sample_is_enough():
    of_enough = [
        (("recall", 0.95, True), 59, 1),
        (("precision", 0.9, True), 39, 0),
        (("negative_predictive_value", 0.9, True), 0, 40),
    ]
    for side, n_positive, n_negative in of_enough:
        _, counts = counts_of(
            -np.arange(n_positive + n_negative), np.arange(n_positive + n_negative) < n_positive
        )
        [limits] = limits_by_score(counts, [side_of(*side)], 0.05)
        assert np.nanmax(limits) >= side[1]


def test_metrics_that_are_not_proportions_are_rejected_with_those_that_are():
    for row in METRICS:
        if row.name in (*MONOTONE, *RANKED):
            assert [side.rate.name for side in sides_of(row, 0.25, 0.75)] == [row.name] * 2
            continue
        with pytest.raises(ValueError, match=f"{row.name} can't be bounded.*'recall', .*'f1'"):
            sides_of(row, 0.25, 0.75)


def test_another_metric_of_the_same_name_is_not_taken_for_one_that_can_be_promised():
    def recall(cm):
        return cm.counts[..., 0, 0] / cm.n_samples

    with pytest.raises(ValueError, match="recall can't be bounded with confidence_level"):
        sides_of(choose(recall).row, 0.5, np.inf)


def test_the_accuracy_of_a_class_against_the_rest_has_the_limits_of_the_accuracy():
    _, counts = counts_of(*data(0))
    both = ("accuracy", "one_vs_rest_accuracy")
    first, second = (limits_by_score(counts, [side_of(name, 0.6, True)], 0.1) for name in both)
    np.testing.assert_array_equal(first, second)


def test_sides_that_cut_nothing_are_none():
    recall = BY_NAME["recall"]
    assert sides_of(recall, -np.inf, np.inf) == sides_of(recall, 0, 1) == []
    assert sides_of(recall, 0, 0.5) == [side_of("recall", 0.5, False)]
    assert sides_of(recall, 0.5, 1) == [side_of("recall", 0.5, True)]
