"""Range: every limit lies within the ends that a metric's row declares, in every design."""

import itertools
import warnings
from typing import NamedTuple

import numpy as np
import pytest
from scipy import special
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    compare,
    cross_val_interval,
    metric_interval,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.catalogue.score import lowest_and_highest
from skmetrics_ext.curves.bands import limits_along, limits_of_net_benefit
from skmetrics_ext.curves.designs import matrices_at
from skmetrics_ext.matrices.counted import counted_for
from skmetrics_ext.statistics.methods import names_for
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.values.intervals import intervals_at_levels
from tests.outcomes import answered
from tests.shared import one_in

RANDOM = np.random.default_rng(11)
DRAWN = {"n_resamples": 100}


class Samples(NamedTuple):
    """Actual classes, the predictions of two models, and how the samples were obtained."""

    n_classes: int
    y: np.ndarray
    pred: np.ndarray
    other: np.ndarray
    group: np.ndarray
    weights: np.ndarray
    clusters: np.ndarray
    is_known: np.ndarray
    # Of the positive class of two.
    score: np.ndarray


def samples_of(y, right, random):
    """Such actual classes, of which the first model has a share right, the second fewer."""
    n, n_classes = len(y), int(y.max()) + 1
    is_right = random.random((2, n)) < [[right], [0.7 * right]]
    pred, other = np.where(is_right, y, random.integers(0, n_classes, (2, n)))
    return Samples(
        n_classes=n_classes,
        y=y,
        pred=pred,
        other=other,
        group=np.arange(n) % 2,
        weights=random.lognormal(sigma=1, size=n),
        clusters=np.arange(n) // 3,
        is_known=random.random(n) < 0.7,
        score=(pred > 0) + random.random(n),
    )


def drawn_samples(n_classes, seed):
    """Few samples, a rare class, and hardly any error, none or many."""
    random = np.random.default_rng([n_classes, seed])
    n = int(random.integers(24, 60))
    shares = random.dirichlet(np.full(n_classes, 1.5))
    y = np.append(random.choice(n_classes, n, p=shares), [*range(n_classes)] * 2)
    return samples_of(y, random.choice([0.5, 0.9, 0.97, 1]), random)


# Few samples, few errors and none of one kind: what limits are farthest beyond.
SAMPLES = {
    "of two": samples_of(np.repeat([0, 1], [30, 18]), 0.85, RANDOM),
    "of three": samples_of(np.repeat([0, 1, 2], [30, 12, 6]), 0.85, RANDOM),
}
SHARES = {2: 0.1, 3: {0: 0.1, 1: 0.2, 2: 0.7}}

COSTS = np.array([[0, 1, 5], [7, -1, 2], [3, 0, 0]], dtype=float)
PARAMETERS = {
    "fbeta": [{"beta": 3}],
    "net_benefit": [{"threshold_probability": 0.4}],
    "balanced_accuracy": [{}, {"adjusted": True}],
    "index_balanced_accuracy": [{}, {"alpha": 4}],
    "geometric_mean": [{}, {"correction": 2.0}],
}


def asked(n_classes):
    """Each metric with parameters for two or three classes."""
    costs = COSTS[:n_classes, :n_classes]
    unlike = np.abs(COSTS)[:n_classes, :n_classes] * (1 - np.eye(n_classes))
    own = PARAMETERS | {
        "expected_cost": [{"cost_matrix": costs}],
        "cohen_kappa": [{}, {"weights": "linear"}, {"weights": unlike}],
    }
    return [(row, options) for row in METRICS for options in own.get(row.name, [{}])]


def from_predictions(of, **options):
    """A matrix of each group."""
    labels = range(of.n_classes)
    return ConfusionMatrix.from_predictions(
        of.y, of.pred, by={"group": of.group}, labels=labels, **options
    )


def of_folds(of):
    by = {"group": of.group, "fold": np.arange(len(of.y)) % 3}
    cm = ConfusionMatrix.from_predictions(of.y, of.pred, by=by, labels=range(of.n_classes))
    object.__setattr__(cm, "_design", cm._design.with_shared("fold", 1))
    return cm.sum("fold")


def partly_labeled(of):
    known = np.where(of.is_known, of.y, np.nan)
    return ConfusionMatrix.from_partial_labels(
        known, of.pred, by={"group": of.group}, labels=range(of.n_classes)
    )


# How samples are passed to what counts them.
OF_SAMPLES = {
    "plain": lambda _: {},
    "weighted": lambda of: {"sample_weight": of.weights},
    "clustered": lambda of: {"clusters": of.clusters},
    "weighted clusters": lambda of: {"clusters": of.clusters, "sample_weight": of.weights},
}
DESIGNS = {
    **{
        name: lambda of, own=own: from_predictions(of, **own(of))
        for name, own in OF_SAMPLES.items()
    },
    **{
        f"prevalence, {name}": lambda of, own=own: from_predictions(of, **own(of)).at_prevalence(
            SHARES[of.n_classes]
        )
        for name, own in OF_SAMPLES.items()
    },
    "partly labeled": partly_labeled,
    "folds": of_folds,
}


def ends(cm, row, options, *, is_given):
    """The ends of a value with one entry for each group."""
    choice = choose(row, **options)
    found = lowest_and_highest(counted_for(cm, choice), choice, are_shares_given=is_given)
    return tuple(np.asarray(end) for end in found)


def assert_within(limits, low, high, what, *, slack=1e-9):
    for limit in limits:
        of_each = np.asarray(limit, dtype=float)
        size = slack * (1 + np.abs(np.where(np.isfinite(of_each), of_each, 0)))
        assert not (of_each < low - size).any(), what
        assert not (of_each > high + size).any(), what


class Case(NamedTuple):
    """A metric with its parameters, of samples by a design."""

    of: Samples
    design: str
    row: Metric
    options: dict
    # Methods for intervals.
    methods: list

    @property
    def averages(self):
        """What is asked of one class, of each, or of several."""
        if self.row.has_average and self.of.n_classes > 2:
            return [{"average": None}, {"average": "macro"}]
        return [{}]

    @property
    def is_given(self):
        """Whether the prevalence is."""
        return self.design.startswith("prevalence")

    def widest(self, average):
        """The largest difference of two values, and the lowest ratio."""
        cm = from_predictions(self.of)
        low, high = ends(cm, self.row, self.options | average, is_given=False)
        least, most = low.min(), high.max()
        is_above_0 = least > 0 and np.isfinite(most)
        return float((high - low).max()), least / most if is_above_0 else 0.0


def of_intervals(cm, case):
    """The intervals by every method."""
    ways = [{"method": method} for method in case.methods]
    if case.design == "plain":
        ways.append({"fixed": "actual"})
    for average in case.averages:
        for way in ways:
            found = answered(cm.interval, case.row.name, **case.options, **average, **way, **DRAWN)
            if found is not None:
                is_known = case.is_given or "fixed" in way
                own = ends(cm, case.row, case.options | average, is_given=is_known)
                yield (found.low, found.value, found.high), *own


def of_gaps(cm, case):
    """Differences and ratios of groups."""
    for average in case.averages:
        widest, least_ratio = case.widest(average)
        about = {**case.options, **average, **DRAWN}
        for kind, own in (("difference", (0, widest)), ("ratio", (least_ratio, 1))):
            gap = answered(cm.gap, case.row.name, kind=kind, **about)
            if gap is not None:
                yield (gap.low, gap.value, gap.high, gap.limit_of_each_pair), *own


def of_pairs(cm, case):
    """Differences of two groups."""
    for average in case.averages:
        pairs = answered(cm.pairwise_gaps, case.row.name, **case.options, **average, **DRAWN)
        if pairs is not None:
            widest, _ = case.widest(average)
            yield (pairs.low, pairs.difference, pairs.high), -widest, widest


def of_claims(cm, case):
    """Claims about a matrix, and about intervals."""
    for average in case.averages:
        own = ends(cm, case.row, case.options | average, is_given=case.is_given)
        least, most = (float(np.nan_to_num(end, nan=1, posinf=9, neginf=-9).mean()) for end in own)
        claim = {case.row.name: ((least + most) / 2, None)}
        interval = answered(cm.interval, case.row.name, **case.options, **average, **DRAWN)
        found = [interval and answered(check, interval, claim)]
        if not case.options and average.get("average", "macro") is not None:
            name = "_".join([case.row.name, *average.values()])
            found.append(answered(check, cm, {name: claim[case.row.name]}))
        for verdicts in found:
            if verdicts is not None:
                yield (verdicts.low, verdicts.value, verdicts.high), *own


def of_models(_, case):
    """Differences of two models on the same samples."""
    if case.design not in (*OF_SAMPLES, "partly labeled"):
        return
    y, options = case.of.y, {"strata": ()}
    if case.design == "partly labeled":
        y = np.where(case.of.is_known, y, np.nan)
    else:
        options = OF_SAMPLES[case.design](case.of)
    models = {"a": case.of.pred, "b": case.of.other}
    for average in case.averages:
        about = {**case.options, **average, **options, **DRAWN}
        found = answered(compare, y, models, [case.row.name], **about)
        if found is not None:
            widest, _ = case.widest(average)
            yield (found.low, found.difference, found.high), -widest, widest


def of_bands(_, case):
    """The limits along a curve of two classes."""
    name = case.design.removeprefix("prevalence, ")
    if case.of.n_classes > 2 or name not in OF_SAMPLES:
        return
    curve = ThresholdCurve.from_scores(case.of.y, case.of.score, **OF_SAMPLES[name](case.of))
    curve = curve.at_prevalence(SHARES[2]) if case.is_given else curve
    places = np.linspace(0, len(curve.thresholds) - 1, 4).astype(int)
    choice = choose(case.row, **case.options)
    band = answered(limits_along, curve, choice, places, Request(n_resamples=100))
    if band is not None:
        at = matrices_at(curve, curve.thresholds[places])
        yield (band.low, band.high), *ends(at, case.row, case.options, is_given=case.is_given)


CONSUMERS = (of_claims, of_gaps, of_models, of_bands, of_pairs)


METHODS = ["auto", *names_for("value")]


def n_within(of, design, rows, step=1):
    """How many answers of each consumer there are to what is asked about these metrics with each,
    all of which lie within the range; of the methods one in so many is asked for, in turn.
    """
    cm = DESIGNS[design](of)
    n_answers = dict.fromkeys((of_intervals, *CONSUMERS), 0)
    for place, ((row, options), consumers) in enumerate(rows):
        case = Case(of, design, row, options, ["auto", *METHODS[1 + place % step :: step]])
        for consumer in consumers:
            for limits, low, high in consumer(cm, case):
                n_answers[consumer] += 1
                assert_within(limits, low, high, (consumer.__name__, row.name, options))
    return n_answers


@pytest.mark.parametrize(("of", "design"), one_in(2, SAMPLES, DESIGNS))
def test_whatever_limits_lie_within_the_range(design, of):
    """Of a part of the catalogue, so that each metric has a design, and a few of the methods; with
    the slow ones a second design.
    """
    rows = asked(SAMPLES[of].n_classes)[[*DESIGNS].index(design) :: len(DESIGNS)]
    consumers = [(of_intervals, CONSUMERS[place % 5]) for place in range(len(rows))]
    n_answers = n_within(SAMPLES[of], design, zip(rows, consumers, strict=True), step=7)
    assert n_answers[of_intervals] >= 5


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("design", DESIGNS)
def test_whatever_limits_of_samples_at_random_lie_within_the_range(design, n_classes):
    """Of the whole catalogue, where each metric is asked about in each way."""
    of = drawn_samples(n_classes, seed=len(design))
    consumers = (of_intervals, *CONSUMERS)
    n_answers = n_within(of, design, [(row, consumers) for row in asked(n_classes)])
    assert n_answers[of_intervals] > 50
    assert n_answers[of_claims] > 20
    assert (n_answers[of_gaps] > 50) != design.startswith("prevalence")
    assert (n_answers[of_pairs] > 20) != design.startswith("prevalence")
    assert (n_answers[of_models] > 20) == (design in (*OF_SAMPLES, "partly labeled"))
    has_curve = n_classes == 2 and design not in ("partly labeled", "folds")
    assert (n_answers[of_bands] > 20) == has_curve


def test_limits_that_gaps_search_for_a_p_value_lie_within_the_range():
    counted = counted_for(from_predictions(SAMPLES["of three"]), choose("accuracy"))
    for name in ("quantity_disagreement", "allocation_disagreement", "gilbert_skill", "accuracy"):
        choice = choose(name, **({"average": "macro"} if name == "gilbert_skill" else {}))
        at_levels = intervals_at_levels(counted, choice, Request(n_resamples=100))
        limits = at_levels.limits(np.full(2, 0.05))
        assert_within(limits, *lowest_and_highest(counted, choice), name)


def test_limits_of_a_perfect_and_a_nearly_opposite_model_end_where_differences_do():
    y = np.repeat([0, 1], 15)
    opposite = np.where(np.isin(np.arange(30), [3, 20]), y, 1 - y)
    found = answered(compare, y, {"a": y, "b": opposite}, "matthews_corrcoef")
    assert "delta" in found.rows[0].method
    assert found.rows[0].high == 2


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_averages_over_labels_and_samples_lie_within_the_range(step):
    """The slow one is of each metric with every average, of samples and of clusters."""
    of = SAMPLES["of three"]
    ways = list(itertools.product((None, of.clusters), ("samples", "macro", "micro")))
    y, pred = (np.stack([labels > 0, labels > 1], 1).astype(int) for labels in (of.y, of.pred))
    n_answered = 0
    cm = from_predictions(SAMPLES["of two"])
    for k, (row, options) in enumerate(asked(2)):
        for clusters, average in ways[k % step :: step]:
            about = {"clusters": clusters, **options, **DRAWN}
            about |= {"average": average} if row.has_average else {}
            found = answered(metric_interval, y, pred, row.name, **about)
            if found is not None:
                n_answered += 1
                low, high = ends(cm, row, options, is_given=False)
                assert_within((found.low, found.value, found.high), low, high, row.name)
    assert n_answered > 50


def test_limits_of_cross_validation_lie_within_the_range():
    y = SAMPLES["of three"].y
    X = RANDOM.normal(size=(len(y), 2))
    names = ["macro_averaged_mean_absolute_error", "accuracy", "mcc"]
    found = answered(cross_val_interval, GaussianNB(), X, y, scoring=names, cv=3)
    for name, ends_of_metric in zip(names, ((0, 5 / 3), (0, 1), (-1, 1)), strict=True):
        assert_within((found[name].low, found[name].high), *ends_of_metric, name)


def test_the_band_of_a_decision_curve_lies_within_the_range():
    y = SAMPLES["of two"].y
    curve = ThresholdCurve.from_scores(y, special.expit(y + RANDOM.normal(0, 1.5, len(y))))
    x = np.array([0.05, 0.5, 0.9])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        band = limits_of_net_benefit(curve, x, Request())
    assert_within((band.low, band.high), -x / (1 - x), 1, x)
