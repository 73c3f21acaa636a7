"""Two designs at once are the single one where the other says nothing: in every field."""

import json
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from skmetrics_ext import ConfusionMatrix, metric_interval
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.reading.messages import collecting_warnings
from tests.proportions import mid_p
from tests.shared import one_in, parameters_of

N = 160
RANDOM = np.random.default_rng(8)
GROUP = np.array(["a", "b"])[np.arange(N) // 4 % 2]
CLUSTERS = np.arange(N) // 4
WEIGHTS = RANDOM.lognormal(sigma=0.6, size=N)
TWOS = np.full(N, 2.0)
OWN = np.arange(N)
# Metrics drawn for each pair of designs, number of classes and of groups.
N_DRAWN = 3
AVERAGES = (None, "macro", "weighted", "micro")


def samples_of(n_classes):
    """Actual and predicted classes, with each kind of error, in both groups."""
    y = np.minimum(RANDOM.geometric(0.5, N) - 1, n_classes - 1)
    wrong = (y + RANDOM.integers(1, n_classes, N)) % n_classes
    return y, np.where(RANDOM.random(N) < 0.8, y, wrong)


SAMPLES = {n_classes: samples_of(n_classes) for n_classes in (2, 3)}


def matrix(n_classes, *, stacked, **options):
    """The samples, or a matrix of each group."""
    by = {"group": GROUP} if stacked else None
    return ConfusionMatrix.from_predictions(
        *SAMPLES[n_classes], by=by, labels=range(n_classes), **options
    )


def rarely(cm):
    """At a prevalence of the last class of 3 %."""
    return cm.at_prevalence({cm.labels[-1]: 0.03})


def as_observed(cm):
    """At the prevalence that was counted; of a stack of each entry's own."""
    shares = cm.counts.sum(-1) / cm.counts.sum((-2, -1))[..., None]
    return cm.at_prevalence(dict(enumerate(shares)))


def of_population(n_classes, *, stacked, **options):
    """Weights of the classes that make the last as rare, in each group."""
    y, _ = SAMPLES[n_classes]
    group = GROUP == "a" if stacked else np.zeros(N, dtype=bool)
    weights = np.ones(N)
    for of_group in (group, ~group):
        last, others = (of_group & of for of in (y == n_classes - 1, y < n_classes - 1))
        weights[last] = 0.03 / 0.97 * others.sum() / max(last.sum(), 1)
    return matrix(n_classes, stacked=stacked, sample_weight=weights, **options)


def all_labelled(n_classes, *, stacked):
    """Partly known labels of which all are known."""
    by = {"group": GROUP} if stacked else None
    y, pred = SAMPLES[n_classes]
    return ConfusionMatrix.from_partial_labels(
        y, pred, CLUSTERS % 3, by=by, labels=range(n_classes)
    )


def in_one_fold(cm):
    """The sum of the only fold of a cross-validation."""
    folded = ConfusionMatrix.stack({0: cm}, axis="fold")
    object.__setattr__(folded, "_design", folded._design.of_folds(1, [0.8]))
    return folded.sum("fold")


# What is counted with two designs, and with the one that says all; each of classes and groups.
PAIRS = {
    "equal weights": (
        lambda n, by: matrix(n, stacked=by, sample_weight=TWOS),
        lambda n, by: matrix(n, stacked=by),
    ),
    "clusters of one": (
        lambda n, by: matrix(n, stacked=by, clusters=OWN),
        lambda n, by: matrix(n, stacked=by),
    ),
    "all labelled": (
        lambda n, by: all_labelled(n, stacked=by),
        lambda n, by: matrix(n, stacked=by),
    ),
    "clusters of equal weights": (
        lambda n, by: matrix(n, stacked=by, clusters=CLUSTERS, sample_weight=TWOS),
        lambda n, by: matrix(n, stacked=by, clusters=CLUSTERS),
    ),
    "clusters of one weight each": (
        lambda n, by: matrix(n, stacked=by, clusters=OWN, sample_weight=WEIGHTS),
        lambda n, by: matrix(n, stacked=by, sample_weight=WEIGHTS),
    ),
    "equal weights at a prevalence": (
        lambda n, by: rarely(matrix(n, stacked=by, sample_weight=TWOS)),
        lambda n, by: rarely(matrix(n, stacked=by)),
    ),
    "clusters of one at a prevalence": (
        lambda n, by: rarely(matrix(n, stacked=by, clusters=OWN)),
        lambda n, by: rarely(matrix(n, stacked=by)),
    ),
    "clusters of equal weights at a prevalence": (
        lambda n, by: rarely(matrix(n, stacked=by, clusters=CLUSTERS, sample_weight=TWOS)),
        lambda n, by: rarely(matrix(n, stacked=by, clusters=CLUSTERS)),
    ),
    "clusters of one weight each at a prevalence": (
        lambda n, by: rarely(matrix(n, stacked=by, clusters=OWN, sample_weight=WEIGHTS)),
        lambda n, by: rarely(matrix(n, stacked=by, sample_weight=WEIGHTS)),
    ),
    "all labelled at a prevalence": (
        lambda n, by: rarely(all_labelled(n, stacked=by)),
        lambda n, by: rarely(matrix(n, stacked=by)),
    ),
    "weights in one fold": (
        lambda n, by: in_one_fold(matrix(n, stacked=by, sample_weight=WEIGHTS)),
        lambda n, by: matrix(n, stacked=by, sample_weight=WEIGHTS),
    ),
    "clusters in one fold": (
        lambda n, by: in_one_fold(matrix(n, stacked=by, clusters=CLUSTERS)),
        lambda n, by: matrix(n, stacked=by, clusters=CLUSTERS),
    ),
    "a prevalence in one fold": (
        lambda n, by: rarely(in_one_fold(matrix(n, stacked=by))),
        lambda n, by: rarely(matrix(n, stacked=by)),
    ),
}
FIXED = {
    "counts": {},
    "weights": {"sample_weight": WEIGHTS},
    "clusters": {"clusters": CLUSTERS},
    "clusters of weights": {"clusters": CLUSTERS, "sample_weight": WEIGHTS},
}


def drawn_metrics(random, n_classes):
    """Some of the catalogue, each with one of its averages."""
    for row in random.choice(METRICS, N_DRAWN, replace=False):
        options = parameters_of(row, n_classes)
        if row.has_average:
            options["average"] = AVERAGES[random.integers(len(AVERAGES))]
        yield row.name, options


def outcome(cm, metric, options, n_resamples=199):
    """The interval, or the words of its refusal."""
    with collecting_warnings():
        try:
            return cm.interval(metric, n_resamples=n_resamples, random_state=0, **options)
        except ValueError as error:
            return str(error)


def values_of(part):
    """A field as plain values: caveats and axes have arrays of their own."""
    if isinstance(part, tuple):
        return [values_of(one) for one in part]
    return part.tolist() if isinstance(part, np.ndarray) else part


def assert_same(first, second, rounding=1e-12):
    """Whether two outcomes are the same in every field but for the name of the design, numbers but
    for rounding.
    """
    if isinstance(first, str) or isinstance(second, str):
        assert first == second
        return
    for field in fields(first):
        if field.name == "_origin":
            continue
        one, other = (getattr(of, field.name) for of in (first, second))
        if isinstance(one, float | np.ndarray) and np.asarray(one).dtype.kind == "f":
            np.testing.assert_allclose(one, other, rtol=rounding, atol=rounding, err_msg=field.name)
        else:
            assert values_of(one) == values_of(other), field.name


@pytest.mark.parametrize(("pair", "n_classes", "stacked"), one_in(3, PAIRS, [2, 3], [False, True]))
def test_two_designs_are_one_where_the_other_says_nothing(pair, n_classes, stacked):
    of_both, alone = (of(n_classes, stacked) for of in PAIRS[pair])
    random = np.random.default_rng([len(pair), n_classes, stacked])
    for metric, options in drawn_metrics(random, n_classes):
        first, second = (outcome(cm, metric, options) for cm in (of_both, alone))
        assert_same(first, second)


# Each sample twice: in clusters of their own, and with the samples that are the same.
TWICE = np.tile(np.arange(N), 2)
APART = np.append(CLUSTERS, CLUSTERS + N)
# Two designs at once that tell less than one, of the same values: copies of unequal weight, or
# together in a cluster.
UNEQUAL = np.repeat([1.0, 9.0], N)
LESS = {
    "unequal weights, clusters": (
        {"sample_weight": UNEQUAL, "clusters": APART},
        {"clusters": APART},
    ),
    "unequal weights, weights": (
        {"sample_weight": UNEQUAL * WEIGHTS[TWICE]},
        {"sample_weight": WEIGHTS[TWICE]},
    ),
    "unequal weights, clusters of weights": (
        {"sample_weight": UNEQUAL * WEIGHTS[TWICE], "clusters": APART},
        {"sample_weight": WEIGHTS[TWICE], "clusters": APART},
    ),
    "clusters of copies, weights": (
        {"clusters": TWICE, "sample_weight": WEIGHTS[TWICE]},
        {"sample_weight": WEIGHTS[TWICE]},
    ),
    "clusters of copies, clusters": ({"clusters": CLUSTERS[TWICE]}, {"clusters": APART}),
}


@pytest.mark.parametrize(
    ("pair", "n_classes", "at"), one_in(2, LESS, [2, 3], ["as counted", "at a prevalence"])
)
def test_two_designs_at_once_are_no_more_certain_than_one(pair, n_classes, at):
    """What is promised of two designs at once. It is not that limits with clusters are wider than
    without: samples of a cluster that err unlike each other tell more. It is that the same samples
    with the same value tell no more where they are perfectly correlated, each twice in one cluster,
    or of unequal weights that have nothing to do with them: no limit is nearer to the value, but
    for a twentieth of the width by replicates, unless a caveat says that it may be.
    """
    less, more = (
        ConfusionMatrix.from_predictions(
            *(of[TWICE] for of in SAMPLES[n_classes]), labels=range(n_classes), **options
        )
        for options in LESS[pair]
    )
    if at == "at a prevalence":
        less, more = rarely(less), rarely(more)
    random = np.random.default_rng([len(pair), n_classes, len(at)])
    times_as_wide = []
    for metric, options in drawn_metrics(random, n_classes):
        first, second = (outcome(cm, metric, options) for cm in (less, more))
        assert isinstance(first, str) == isinstance(second, str), metric
        if isinstance(first, str) or first.caveats:
            continue
        width = np.asarray(second.high - second.low)
        times_as_wide += np.ravel((first.high - first.low) / width).tolist()
        nearest = 0.05 * width
        assert (first.low <= second.low + nearest).all(), (metric, options)
        assert (first.high >= second.high - nearest).all(), (metric, options)
    # By effective numbers 1.3 or 1.4 times.
    assert np.median(times_as_wide) > 1.2


# What else is known of samples that are counted in two folds.
IN_FOLDS = {
    "weights": ({"sample_weight": WEIGHTS}, lambda cm: cm),
    "clusters": ({"clusters": CLUSTERS}, lambda cm: cm),
    "prevalence": ({}, rarely),
    "clusters of weights at a prevalence": (FIXED["clusters of weights"], rarely),
}


@pytest.mark.parametrize(("design", "n_classes"), one_in(2, IN_FOLDS, [2, 3]))
def test_folds_of_any_design_have_its_limits_and_their_own_caveat(design, n_classes):
    options, at = IN_FOLDS[design]
    samples, labels = SAMPLES[n_classes], range(n_classes)
    by = {"fold": np.arange(N) // 8 % 2}
    folded = ConfusionMatrix.from_predictions(*samples, by=by, labels=labels, **options)
    object.__setattr__(folded, "_design", folded._design.of_folds(1, [0.5, 0.5]))
    at_once = at(ConfusionMatrix.from_predictions(*samples, labels=labels, **options))
    summed = at(folded.sum("fold"))
    for metric, own in drawn_metrics(np.random.default_rng(n_classes), n_classes):
        first, second = (outcome(cm, metric, own) for cm in (summed, at_once))
        if isinstance(first, str) or isinstance(second, str):
            assert first == second
            continue
        [further] = {of.code for of in first.caveats} - {of.code for of in second.caveats}
        assert further == "pooled_folds"
        for end in ("low", "value", "high"):
            ends = (getattr(of, end) for of in (first, second))
            np.testing.assert_allclose(*ends, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("clusters", [None, CLUSTERS])
def test_weights_of_the_classes_are_another_prevalence(clusters, n_classes):
    """Derivatives of other counts have other roundings."""
    weighted = of_population(n_classes, stacked=True, clusters=clusters)
    rescaled = rarely(matrix(n_classes, stacked=True, clusters=clusters))
    for metric, options in drawn_metrics(np.random.default_rng(n_classes), n_classes):
        first, second = (outcome(cm, metric, options) for cm in (weighted, rescaled))
        assert_same(first, second, rounding=1e-9)


@pytest.mark.parametrize(("design", "n_classes"), one_in(2, FIXED, [2, 3]))
def test_the_prevalence_that_was_counted_is_that_of_fixed_classes(design, n_classes):
    cm = matrix(n_classes, stacked=False, **FIXED[design])
    for metric, options in drawn_metrics(np.random.default_rng(len(design)), n_classes):
        first = outcome(as_observed(cm), metric, options)
        assert_same(first, outcome(cm, metric, {**options, "fixed": "actual"}))


def test_clusters_and_weights_without_an_error_reach_as_far_as_either_alone():
    """Perfect tables drawn at random: what did not occur has the weights that it might have."""
    random = np.random.default_rng(3)
    for _ in range(12):
        n, n_classes = int(random.integers(40, 200)), int(random.integers(2, 4))
        y = np.append(np.arange(n_classes), random.integers(0, n_classes, n - n_classes))
        clusters = random.integers(0, n // 4, n)
        weights = np.where(y > 0, 1.0, random.choice([1, 10, 100])) * random.lognormal(0, 0.5, n)
        options = {"sample_weight": weights, "clusters": clusters}
        with collecting_warnings():
            limits = [
                metric_interval(y, y, "recall", labels=[1], average=None, **used).low[0]
                for used in (options, {"sample_weight": weights}, {"clusters": clusters})
            ]
        assert limits[0] <= min(limits[1:]) + 1e-12


# 40 clusters of five positive samples, all found, and of five others, of which a tenth was kept.
FOUND = np.tile(np.repeat([1, 0], 5), 40)
OF_FOUND = {"clusters": np.arange(400) // 10, "sample_weight": np.where(FOUND, 1.0, 10.0)}


def test_a_miss_that_did_not_occur_would_weigh_as_much_in_clusters():
    """Ten times as much: 40 clusters are as 4; a sample of one kind says no more than 200 / 10."""
    interval = metric_interval(FOUND, FOUND, "recall", **OF_FOUND)
    t = stats.t.isf(0.025, 199)
    assert interval.low == pytest.approx((2 * stats.norm.sf(t)) ** (1 / 4), rel=1e-9)
    # Weights alone: of a miss of weight 10.
    alone = metric_interval(FOUND, FOUND, "recall", sample_weight=OF_FOUND["sample_weight"])
    assert alone.low == pytest.approx((2 * stats.norm.sf(t)) ** (1 / 20), rel=1e-9)


@pytest.mark.parametrize("names", [["sample_weight"], ["clusters", "sample_weight"]])
def test_whatever_becomes_of_weights_keeps_those_of_what_did_not_occur(names):
    """Counted from a table, stored, stacked, selected and summed as counted at once."""
    options = {name: OF_FOUND[name] for name in names}
    table = pd.DataFrame({"y": FOUND, "p": FOUND, **options})
    of_table = ConfusionMatrix.from_frame(
        table, actual="y", predicted="p", **{name: name for name in names}
    )
    by = {"part": np.arange(400) // 100, "half": np.arange(400) // 10 % 2}
    by_part = ConfusionMatrix.from_predictions(FOUND, FOUND, by=by, **options).sum("half")
    parts = [by_part.sel(part=one) for one in range(4)]
    turned = of_table.with_labels([1, 0])
    stacked = ConfusionMatrix.stack(dict(enumerate(parts)), axis="part")
    expected = metric_interval(FOUND, FOUND, "recall", **options)
    stored = ConfusionMatrix.from_dict(json.loads(json.dumps(of_table.to_dict())))
    sums = by_part.sum("part"), stacked.sum("part"), sum(parts[1:], parts[0])
    for cm in (of_table, stored, turned, *sums):
        found = cm.interval("recall", pos_label=1)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


@pytest.mark.parametrize("n_misses", [99, 100])
def test_few_misses_in_clusters_weigh_no_less_than_those_like_them(n_misses):
    """Light misses among heavier hits: of fewer than 100 the weights may be so by chance."""
    random = np.random.default_rng(0)
    y = np.ones(1000)
    pred = np.repeat([1, 0], [1000 - n_misses, n_misses])
    weights = np.where(pred == 1, 1.0, 0.01) * random.lognormal(0, 0.7, 1000)
    clusters = random.permutation(1000) // 2
    found = metric_interval(y, pred, "recall", sample_weight=weights, clusters=clusters)
    share = weights[pred == 1].sum() / weights.sum()
    # The ratio estimator's effective number by definition, and what the squares of the misses lack
    # to be as of all samples of their weight.
    moves = np.bincount(clusters, weights * (pred - share))
    misses = weights[pred == 0]
    missing = misses.sum() * (weights**2).sum() / weights.sum() - (misses**2).sum()
    squares = (moves**2).sum() + share**2 * (missing if n_misses < 100 else 0)
    n = share * (1 - share) * weights.sum() ** 2 / squares
    sizes = np.bincount(clusters, weights)
    kish = sizes.sum() ** 2 / (sizes**2).sum()
    n = n if min(share, 1 - share) * n >= 5 else min(n, kish)
    t = stats.t.isf(0.025, kish - 1) * np.sqrt(kish / (kish - 1))
    assert found.low == pytest.approx(mid_p(share * n, n, 2 * stats.norm.sf(t)).low, rel=1e-9)


@pytest.mark.parametrize(("n_classes", "options"), one_in(2, [2, 3, 5], ["clusters", "weights"]))
def test_limits_at_a_prevalence_cover_whatever_the_number_of_classes(n_classes, options):
    """96 % of few samples of each class are right; the first has 80 % of the population."""
    random = np.random.default_rng(n_classes)
    y = np.repeat(np.arange(n_classes), 60 // n_classes)
    shares = dict(enumerate(np.append(0.8, np.full(n_classes - 1, 0.2 / (n_classes - 1)))))
    n_covered = 0
    for _ in range(20):
        wrong = (y + random.integers(1, n_classes, len(y))) % n_classes
        pred = np.where(random.random(len(y)) < 0.96, y, wrong)
        given = {"clusters": random.permutation(len(y)) // 2}
        if options == "weights":
            given = {"sample_weight": random.lognormal(0, 0.5, len(y))}
        cm = ConfusionMatrix.from_predictions(y, pred, labels=range(n_classes), **given)
        found = cm.at_prevalence(shares).interval("accuracy")
        n_covered += found.low <= 0.96 <= found.high
    assert n_covered >= 18


def test_partly_known_labels_at_a_prevalence_are_refused_unless_all_are_known():
    y, pred = SAMPLES[2]
    known = np.where(np.arange(N) % 3, y, np.nan)
    cm = ConfusionMatrix.from_partial_labels(known, pred.astype(float), labels=[0, 1])
    with pytest.raises(ValueError, match="partly known"):
        rarely(cm).interval("precision")


@pytest.mark.parametrize("design", ["weights", "clusters", "clusters of weights"])
@pytest.mark.parametrize("metric", ["precision", "f1"])
def test_one_class_of_three_at_a_prevalence_is_a_function_of_its_rates(metric, design):
    """Of many samples the limits are those of the logit, with variances of the rates of each row
    by definition: sums of squares over samples or clusters.
    """
    random, n = np.random.default_rng(4), 6000
    y = random.integers(0, 3, n)
    pred = np.where(random.random(n) < 0.7, y, random.integers(0, 3, n))
    weights = random.lognormal(0, 0.5, n) if "weights" in design else np.ones(n)
    clusters = np.arange(n) // 5 if "clusters" in design else np.arange(n)
    options = {"sample_weight": weights} if "weights" in design else {}
    options |= {"clusters": clusters} if "clusters" in design else {}
    shares = np.array([0.7, 0.2, 0.1])
    cm = ConfusionMatrix.from_predictions(y, pred, **options).at_prevalence(dict(enumerate(shares)))
    found = cm.interval(metric, average=None)
    of_rows = [weights * (y == k) / weights[y == k].sum() for k in range(3)]
    for k in range(3):
        rates = np.array([of[pred == k].sum() for of in of_rows])
        hits, named = shares[k] * rates[k], shares @ rates
        n_counted = named if metric == "precision" else (named + shares[k]) / 2
        value = hits / n_counted
        # By the rate of each row.
        slopes = (
            shares * (np.arange(3) == k) - value * shares * (1 if metric == "precision" else 0.5)
        ) / n_counted
        moves = sum(
            slope * of * ((pred == k) - rate)
            for slope, of, rate in zip(slopes, of_rows, rates, strict=True)
        )
        error = np.sqrt((np.bincount(clusters, moves) ** 2).sum()) / (value * (1 - value))
        expected = special.expit(special.logit(value) + stats.norm.ppf([0.025, 0.975]) * error)
        assert found.value[k] == pytest.approx(value, rel=1e-12)
        assert [found.low[k], found.high[k]] == pytest.approx(expected, abs=0.05 * np.ptp(expected))


@pytest.mark.parametrize("design", FIXED)
def test_a_given_prevalence_has_no_limits_whatever_the_design(design):
    cm = matrix(2, stacked=False, **FIXED[design]).at_prevalence(0.05)
    for metric in ("prevalence", "no_information_rate"):
        with pytest.raises(ValueError, match=f"{metric} is fixed by the design"):
            cm.interval(metric)


@pytest.mark.parametrize("metric", ["recall", "precision", "f1", "accuracy", "mcc", "f1_macro"])
def test_limits_hardly_move_with_weights_that_are_nearly_constant_within_classes(metric):
    """By less than a fifth of their width, and the less the nearer the weights."""
    y = np.repeat([0, 1], [1000, 100])
    pred = np.where(np.isin(np.arange(1100), [*range(60), *range(1095, 1100)]), 1 - y, y)
    weights, noise = np.where(y == 1, 0.01, 1.0), np.random.default_rng(0).random(1100)

    def ends(jitter):
        of_all = weights * (1 + jitter * noise)
        found = metric_interval(y, pred, metric, sample_weight=of_all, n_resamples=1999)
        return np.array([found.low, found.high])

    exact, nearly, near = (ends(jitter) for jitter in (0, 1e-7, 0.01))
    assert np.abs(nearly - exact).max() < 0.3 * np.ptp(exact)
    assert np.abs(near - nearly).max() < 0.05 * np.ptp(exact)


def test_limits_hardly_move_where_weights_stop_being_equal():
    """Methods of weights take the place of those of numbers: by the page on intervals, limits of
    two classes move by at most a fifth of their width.
    """
    y, pred = (np.tile(of, 2) for of in SAMPLES[2])
    equal, nearly = (
        ConfusionMatrix.from_predictions(y, pred, sample_weight=1 + jitter * np.arange(2 * N))
        for jitter in (0, 1e-9)
    )
    for row in METRICS[::2]:
        first, second = (outcome(cm, row.name, parameters_of(row), 999) for cm in (equal, nearly))
        if isinstance(first, str) or isinstance(second, str):
            continue
        moved = max(abs(first.low - second.low), abs(first.high - second.high))
        assert not moved > 0.2 * (first.high - first.low), row.name


def codes_of(**options):
    """The caveats of a recall of one in each pair."""
    with collecting_warnings():
        found = metric_interval(options.pop("y"), options.pop("pred"), "recall", **options)
    return [caveat.code for caveat in found.caveats]


@pytest.mark.parametrize(("n", "codes"), [(14, ["few_clusters"]), (15, [])])
@pytest.mark.parametrize("weight", [None, 3.0])
def test_fewer_than_15_clusters_are_few_with_and_without_weights(weight, n, codes):
    y, pred = np.ones(4 * n), np.tile([1, 1, 1, 0], n)
    weights = None if weight is None else np.tile([1, weight, 1, weight], n)
    clusters = np.repeat(np.arange(n), 4)
    assert codes_of(y=y, pred=pred, clusters=clusters, sample_weight=weights) == codes


@pytest.mark.parametrize(("heaviest", "codes"), [(7.0, ["unequal_clusters"]), (6.9, [])])
def test_effectively_fewer_than_ten_clusters_are_unequal(heaviest, codes):
    """By Kish's formula: one as heavy as seven, and 19 others, are (7 + 19)^2 / (49 + 19)."""
    sizes = np.append(heaviest, np.ones(19))
    weights = np.repeat(sizes, 4) * np.tile([1, 2, 1, 2], 20)
    kish = sizes.sum() ** 2 / (sizes**2).sum()
    assert (kish < 10) == bool(codes)
    y, pred = np.ones(80), np.tile([1, 1, 1, 0], 20)
    clusters = np.repeat(np.arange(20), 4)
    assert codes_of(y=y, pred=pred, clusters=clusters, sample_weight=weights) == codes


@pytest.mark.parametrize("n_of_class", [9, 10])
@pytest.mark.parametrize("clusters", [None, np.arange(200) // 2])
def test_ten_samples_of_a_class_tell_that_weights_depend_on_it(clusters, n_of_class):
    """Nine may have one weight by chance, though their predictions matter."""
    y = np.repeat([0, 1], [200 - n_of_class, n_of_class])
    pred = np.where(np.arange(200) % 8, y, 1 - y)
    weights = np.where(y == 1, 0.1, 1.0)
    options = {"sample_weight": weights, "clusters": clusters}
    found = ConfusionMatrix.from_predictions(y, pred, **options).interval("accuracy")
    assert ("by actual class" in found.method) == (n_of_class == 10)


@pytest.mark.parametrize(("weights", "by_column"), [((1, 11, 9), 0.84), ((1, 11, 5), 0.0)])
def test_weights_depend_on_the_prediction_as_far_as_they_differ_otherwise(weights, by_column):
    """Ten samples each of true negatives, false and true positives. Squares within the positive
    predictions are (11 - 9)^2 / (11 - 1)^2 of those within the negative class, of which four times
    are left out: a miss has 1 of its prediction to the power .84, and 9 of its class to .16.
    """
    y_true, y_pred = np.repeat([[0, 0, 1], [0, 1, 1]], 10, axis=1)
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=np.repeat(weights, 10))
    n = 10 * weights[2] / weights[2] ** (1 - by_column)
    alpha = 2 * stats.norm.sf(stats.t.isf(0.025, 9))
    assert cm.interval("recall").low == pytest.approx(alpha ** (1 / n))


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "mcc"])
def test_weights_of_clusters_have_no_unit_at_a_prevalence(metric):
    """What is added for errors that did not occur weighs as much as what did."""
    y, _ = SAMPLES[3]
    light, heavy = (
        rarely(
            ConfusionMatrix.from_predictions(y, y, clusters=CLUSTERS, sample_weight=scale * WEIGHTS)
        ).interval(metric)
        for scale in (1, 1e6)
    )
    assert (light.low, light.high) == pytest.approx((heavy.low, heavy.high), rel=1e-9)


@pytest.mark.parametrize(("n_misses", "n"), [(4, 50), (5, 0.02 * 0.98 / (4.5 / 250**2))])
def test_fewer_than_five_effective_misses_say_no_more_than_the_clusters(n_misses, n):
    """50 clusters of five samples, m misses in as many of them: the squares of what clusters add to
    the ratio are m (1 - m / 50), so that 5 misses are as 5.4, and 4 as 4.3.
    """
    pred = np.ones(250)
    pred[: 5 * n_misses : 5] = 0
    found = metric_interval(np.ones(250), pred, "recall", clusters=np.arange(250) // 5)
    share, t = 1 - n_misses / 250, stats.t.isf(0.025, 49) * np.sqrt(50 / 49)
    assert found.low == pytest.approx(mid_p(share * n, n, 2 * stats.norm.sf(t)).low, rel=1e-9)


def test_clusters_of_equal_samples_say_the_same_whatever_their_size():
    """None varies within and all are right, so that each is one sample of its size."""
    y = np.arange(60) % 2
    limits = []
    for size in (2, 4):
        repeated = np.repeat(y, size)
        cm = ConfusionMatrix.from_predictions(
            repeated, repeated, clusters=np.arange(len(repeated)) // size
        )
        found = cm.interval("cohen_kappa", n_resamples=199)
        limits.append([found.low, found.high])
    np.testing.assert_allclose(limits[0], limits[1], rtol=1e-12)
    assert limits[0][0] < limits[0][1]
