"""Rates at an operating point: melded distributions summed exactly, resamples enumerated, ties."""

import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    UnreliableIntervalWarning,
    check,
    compare_curves,
)
from skmetrics_ext.statistics.areas import operating_point
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import tango
from tests.shared import one_in

POINTS = [
    ("recall", {"specificity": 0.8}),
    ("specificity", {"recall": 0.85}),
    ("precision", {"recall": 0.6}),
]


def data(n=60, seed=0, step=0.1):
    random = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    common = random.normal(size=n)
    a, b = (np.round((y + common + random.normal(size=n)) / step) * step for _ in range(2))
    return y, a, b


def distribution(y, scores, name, bound, at):
    """P(share <= at): the melded distribution summed over the number of samples beyond the
    population's threshold.
    """
    given, others = (
        (scores[y == 0], scores[y == 1]) if name == "recall" else (-scores[y == 1], -scores[y == 0])
    )
    ordered, n, total = sorted(given, reverse=True), len(others), 0.0
    for k in range(len(given) + 1):
        highest = np.inf if k == 0 else ordered[k - 1]
        lowest = -np.inf if k == len(given) else ordered[k]
        fewest, most = (
            sum(score > highest for score in others),
            sum(score > lowest for score in others),
        )
        low = 1.0 if fewest == 0 else stats.beta.cdf(at, fewest, n - fewest + 1)
        high = float(at >= 1) if most == n else stats.beta.cdf(at, most + 1, n - most)
        total += stats.binom.pmf(k, len(given), 1 - bound) * (low + high) / 2
    return total


@pytest.mark.parametrize("step", [0.01, 1])
@pytest.mark.parametrize(("name", "subject_to"), POINTS[:2])
def test_the_limits_are_quantiles_of_the_melded_distribution(name, subject_to, step):
    y, scores, _ = data(step=step)
    (bound,) = subject_to.values()
    found = ThresholdCurve.from_scores(y, scores).interval(
        name, subject_to=subject_to, confidence_level=0.8, n_resamples=100_000, random_state=0
    )
    # Each side of many ties at the bound has a quarter of alpha.
    tail = 0.1 if step == 0.01 else 0.1 / 4
    for limit, level in ((found.low, tail), (found.high, 1 - tail)):
        below, above = (
            distribution(y, scores, name, bound, np.clip(limit + of, 0, 1))
            for of in (-0.006, 0.006)
        )
        assert below < level or limit == 0
        assert level < above
    assert found.low <= found.value <= found.high
    assert (found.metric, found.method) == (f"{name} at {next(iter(subject_to))} {bound}", "melded")


def test_precision_is_that_of_the_recall_the_specificity_and_the_prevalence():
    random = np.random.default_rng(0)
    n, bound = 30_000, 0.7
    y = (random.random(n) < 0.2).astype(int)
    scores = random.normal(size=n) + 1.5 * y
    found = ThresholdCurve.from_scores(y, scores).interval(
        "precision", subject_to={"recall": bound}, random_state=0
    )
    false = stats.norm.sf(1.5 + stats.norm.isf(bound))
    expected = 0.2 * bound / (0.2 * bound + 0.8 * false)
    assert found.low < expected < found.high
    # The delta method: of the prevalence, of the false positive rate there, and of the threshold by
    # the density.
    density = stats.norm.pdf(1.5 + stats.norm.isf(bound)) / stats.norm.pdf(stats.norm.isf(bound))
    variance = false * (1 - false) / (0.8 * n) + density**2 * bound * (1 - bound) / (0.2 * n)
    odds = variance / false**2 + 1 / (n * 0.2 * 0.8)
    half = stats.norm.isf(0.025) * expected * (1 - expected) * np.sqrt(odds)
    assert found.high - found.low == pytest.approx(2 * half, rel=0.06)


@pytest.mark.filterwarnings("ignore:precision is undefined")
@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("step", [0.01, 1])
@pytest.mark.parametrize(("name", "subject_to"), POINTS)
def test_the_value_is_at_the_threshold_that_just_meets_the_bound(name, subject_to, step, ties):
    y, scores, _ = data(step=step)
    curve = ThresholdCurve.from_scores(y, scores, ties=ties)
    value = curve.interval(name, subject_to=subject_to, n_resamples=100, random_state=0).value
    ((bounded, bound),) = subject_to.items()
    if name != "precision":
        assert value == curve.best(name, subject_to=subject_to).value
    meets = np.flatnonzero(curve.score(bounded) >= bound)
    assert value == curve.score(name)[meets[-1 if bounded == "specificity" else 0]]


def test_the_best_precision_within_the_bound_may_be_at_a_higher_recall():
    name, subject_to = POINTS[2]
    is_higher = []
    for seed in range(20):
        y, scores, _ = data(seed=seed)
        curve = ThresholdCurve.from_scores(y, scores)
        # By hand, from the highest threshold to the lowest.
        predicted = [scores >= threshold for threshold in np.unique(scores)[::-1]]
        meet = [y[each].mean() for each in predicted if y[each].sum() >= 0.6 * y.sum()]
        assert curve.interval(name, subject_to=subject_to, n_resamples=100).value == meet[0]
        assert curve.best(name, subject_to=subject_to).value == max(meet)
        is_higher.append(max(meet) > meet[0])
    assert any(is_higher)


@pytest.mark.parametrize(
    ("name", "subject_to"), [("recall", 0.6), ("specificity", 0.5), ("precision", 0.5)]
)
def test_resampled_values_are_those_of_all_resamples(monkeypatch, name, subject_to):
    # 27 resamples of three positive samples, and as many of three negative ones.
    y = np.array([1, 0, 1, 0, 1, 0])
    models = [[3, 1, 2, 2, 5, 4], [2, 3, 1, 2, 4, 1]]
    bounded = "specificity" if name == "recall" else "recall"
    values = []
    resamples = (itertools.product(of_class, repeat=3) for of_class in ([0, 2, 4], [1, 3, 5]))
    for positive, negative in itertools.product(*resamples):
        of = []
        for scores in models:
            best = None
            # Thresholds above, at and below the scores; the one that just meets the bound.
            for threshold in (
                np.arange(0.5, 7) if bounded == "specificity" else np.arange(6.5, 0, -1)
            ).tolist():
                recall = sum(scores[k] > threshold for k in positive) / 3
                specificity = sum(scores[k] < threshold for k in negative) / 3
                rates = {"recall": recall, "specificity": specificity}
                rates["precision"] = (
                    recall / (recall + 1 - specificity) if recall or specificity < 1 else 1
                )
                if best is None and rates[bounded] >= subject_to - 1e-12:
                    best = rates[name]
            of.append(best)
        values.append(of)
    monkeypatch.setattr(operating_point, "N_CORRELATED", 40_000)
    points = []
    for scores in map(np.array, models):
        oriented = np.where(bounded == "specificity", scores, -scores).astype(float)
        is_given = y == (bounded == "recall")
        points.append(
            operating_point.OperatingPoint(
                oriented[is_given], oriented[~is_given], 1 - subject_to, name == "precision"
            )
        )
    found = operating_point.correlated(tuple(points), np.random.default_rng(0))
    np.testing.assert_allclose(found.mean(1), np.mean(values, 0), atol=0.01)
    np.testing.assert_allclose(np.cov(found), np.cov(np.transpose(values), bias=True), atol=0.004)


@pytest.mark.parametrize(("name", "subject_to"), POINTS)
def test_the_limits_of_a_difference_are_zous_and_its_p_value_inverts_them(name, subject_to):
    y, a, b = data(200, seed=2)
    curves = {
        "a": ThresholdCurve.from_scores(y, a + 0.8 * y),
        "b": ThresholdCurve.from_scores(y, b),
    }
    options = {"subject_to": subject_to, "random_state": 0, "n_resamples": 999}
    row = compare_curves(curves, name, **options).rows[0]
    one, other = (curve.interval(name, **options) for curve in curves.values())
    assert row.difference == one.value - other.value
    # Limits of independent models, and of models that always differ in the same direction.
    independent = np.hypot(one.value - one.low, other.high - other.value)
    opposed = abs((one.value - one.low) - (other.high - other.value))
    assert opposed < row.difference - row.low < 1.1 * independent
    assert 0 < row.p_value < 1
    levels = (1 - row.p_value * factor for factor in (1.01, 0.98))
    sure, unsure = (
        compare_curves(curves, name, confidence_level=level, **options).rows[0] for level in levels
    )
    assert sure.low > 0 or sure.high < 0
    assert unsure.low <= 0 <= unsure.high
    mirrored = compare_curves(dict(reversed(curves.items())), name, **options).rows[0]
    np.testing.assert_allclose((mirrored.low, mirrored.high), (-row.high, -row.low), atol=0.05)
    margin = 0.001 - row.low if row.low < 0 else 0.001
    assert compare_curves(curves, name, margin=margin, **options).rows[0].not_worse


def test_the_thresholds_of_few_samples_are_taken_as_independent():
    # 20 positive samples, of which 3 are beyond: the resampled thresholds of such models are hardly
    # ever apart.
    y, a, b = data()
    curves = {
        "a": ThresholdCurve.from_scores(y, a),
        "b": ThresholdCurve.from_scores(y, a + 0.1 * b),
    }
    options = {"subject_to": {"recall": 0.85}, "n_resamples": 100_000, "random_state": 0}
    row = compare_curves(curves, "specificity", **options).rows[0]
    one, other = (curve.interval("specificity", **options) for curve in curves.values())
    expected = np.hypot(one.value - one.low, other.high - other.value)
    assert row.difference - row.low == pytest.approx(expected, rel=0.05)


def test_a_curve_and_itself_are_as_sure_as_the_rarer_class_is_large():
    y, a, _ = data()
    curve = ThresholdCurve.from_scores(y, a)
    row = compare_curves(
        {"a": curve, "b": curve}, "recall", subject_to={"specificity": 0.8}, random_state=0
    ).rows[0]
    np.testing.assert_allclose((row.low, row.high), tango(0, 0, 20, 0.05))
    assert row.method == "Tango"


def test_few_samples_of_the_bounded_class_leave_the_other_rate_unknown():
    # Of 4 positive samples the lowest is above the threshold of a recall of .9 with probability .9
    # ** 4.
    y, scores = np.repeat([0, 1], [36, 4]), np.concatenate([np.arange(36), [50, 51, 52, 53]])
    found = ThresholdCurve.from_scores(y, scores).interval(
        "specificity", subject_to={"recall": 0.9}, random_state=0
    )
    assert (found.value, found.low, found.high) == (1, 0, 1)


Y, A, B = data()
CURVE = ThresholdCurve.from_scores(Y, A)


@pytest.mark.parametrize(
    ("curve", "name", "subject_to", "message"),
    [
        (CURVE, "f1", {"recall": 0.8}, "an operating point is recall at one specificity"),
        (CURVE, "recall", {"precision": 0.8}, "an operating point is recall at one specificity"),
        (CURVE, "recall", {"specificity": 1}, "a number between 0 and 1; got 'recall'"),
        (CURVE, "recall", {"specificity": (0.8, 0.9)}, "a number between 0 and 1"),
        (CURVE, "recall", {}, "an operating point is"),
        (
            ThresholdCurve.from_scores(Y, A, sample_weight=Y + 1),
            *POINTS[0],
            "without weights or clusters",
        ),
        (
            ThresholdCurve.from_scores(Y, A, clusters=np.arange(60)),
            *POINTS[0],
            "without weights or clusters",
        ),
        (ThresholdCurve.from_scores(Y, A, thresholds=9), *POINTS[0], "a curve at every score"),
        (
            ThresholdCurve.from_scores([1, 1], [1, 2], pos_label=1),
            *POINTS[0],
            "needs positive and negative samples",
        ),
    ],
)
def test_errors(curve, name, subject_to, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        curve.interval(name, subject_to=subject_to)


@pytest.mark.parametrize("metric", ["recall", "f1", lambda cm: cm.counts[1, 1]])
def test_a_curve_has_intervals_of_its_areas_alone(metric):
    with pytest.raises(
        ValueError, match=r"curve\.at\(threshold\)\.interval\(.*thresholds=.*subject_to="
    ):
        CURVE.interval(metric)


@pytest.mark.parametrize("area", ["roc_auc", "average_precision", "ROC_AUC"])
def test_an_area_has_no_operating_point(area):
    assert CURVE.interval(area, method="auto").metric == area.lower()
    with pytest.raises(ValueError, match=re.escape("an operating point, which an area does not")):
        CURVE.interval(area, subject_to={"specificity": 0.9})


def test_an_operating_point_has_one_method():
    found = [
        CURVE.interval(*POINTS[0][:1], subject_to=POINTS[0][1], method=how)
        for how in ("auto", "melded")
    ]
    assert found[0] == found[1]
    with pytest.raises(ValueError, match=r"method must be one of \['auto', 'melded'\]"):
        CURVE.interval("recall", subject_to={"specificity": 0.9}, method="delong")


def test_errors_of_a_comparison():
    with pytest.raises(
        ValueError, match=re.escape("subject_to={'specificity': 0.9} is an operating point")
    ):
        compare_curves({"a": CURVE, "b": CURVE}, subject_to={"specificity": 0.9})
    with pytest.raises(ValueError, match=re.escape("got 'recall', subject_to={}")):
        compare_curves({"a": CURVE, "b": CURVE}, "recall")


# Patients of poor and of good outcome at each value of S100B after a subarachnoid haemorrhage,
# lowest first: Turck et al. (2010), Intensive Care Medicine 36:107, as distributed with pROC
# (aSAH).
POOR = "10003122112101000110111011101010200011011112111111"
GOOD = "05326667403443212001000101110101011210200000000000"


def test_recall_of_s100b_at_specificity_90():
    """PROC's ci.se gives .39 [.22, .61 to .64] by percentiles, which interpolate; ci.auc .7314
    [.6301, .8326].
    """
    scores, n_patients = np.tile(np.arange(50), 2), [int(n) for n in POOR + GOOD]
    curve = ThresholdCurve.from_scores(
        np.repeat([1, 0], 50).repeat(n_patients), scores.repeat(n_patients)
    )
    area = curve.interval("roc_auc", method="delong")
    assert [round(part, 4) for part in (area.value, area.low, area.high)] == [
        0.7314,
        0.6301,
        0.8326,
    ]
    found = curve.interval("recall", subject_to={"specificity": 0.9}, random_state=0)
    assert found.value == 16 / 41
    assert found.low == pytest.approx(0.22, abs=0.01)
    assert 0.57 < found.high < 0.64


@pytest.mark.parametrize("n_resamples", [100, 999])
def test_p_values_are_no_smaller_than_replicates_can_tell(n_resamples):
    """Beyond all replicates there is no evidence: limits that leave out none of them are the whole
    range.
    """
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    a, b = random.normal(size=(2, 200))
    curves = {"a": ThresholdCurve.from_scores(y, 3 * y + a), "b": ThresholdCurve.from_scores(y, b)}
    curves["c"] = ThresholdCurve.from_scores(y, 3 * y + a + 0.01 * b)
    options = {"subject_to": {"specificity": 0.8}, "n_resamples": n_resamples, "random_state": 0}
    apart, alike, _ = compare_curves(curves, "recall", margin=0.7, correction=None, **options).rows
    assert apart.p_value == pytest.approx(2 / (n_resamples + 1), rel=1e-6)
    for row in (apart, alike):
        assert row.p_not_worse == pytest.approx(1 / (n_resamples + 1), rel=1e-6)
    found = curves["a"].interval("recall", **options, confidence_level=1 - 1.9 / (n_resamples + 1))
    assert (found.low, found.high) == (0, 1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", one_in(6, range(6)))
def test_limits_of_differences_are_nested_in_the_level(seed):
    """Zou's of models that are much alike are nearer at a higher level where one distance grows
    more than the other.
    """
    random = np.random.default_rng(70 + seed)
    n = int(random.choice([100, 300, 1_000]))
    y = (random.random(n) < random.choice([0.1, 0.5])).astype(int)
    y[:2] = [0, 1]
    scores = random.normal(size=n) + 2 * y
    other = scores + random.normal(size=n) * random.choice([0.05, 0.2])
    curves = {name: ThresholdCurve.from_scores(y, of) for name, of in (("a", scores), ("b", other))}
    limits = [
        compare_curves(
            curves,
            "specificity",
            subject_to={"recall": 0.8},
            confidence_level=level,
            n_resamples=1_999,
        ).rows[0][6:8]
        for level in (0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
    ]
    low, high = np.array(limits).T
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()


def test_a_threshold_that_the_samples_chose_is_said_to_be_optimistic():
    """Whatever is made of the counts there; a number as a threshold tells nothing of it."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    curve = ThresholdCurve.from_scores(y, y + rng.normal(size=200))
    best = curve.best("f1")
    chosen, given = curve.at(best), curve.at(best.threshold)
    assert chosen == given
    with pytest.warns(UnreliableIntervalWarning, match="the threshold was chosen on these samples"):
        interval = chosen.interval("f1")
    assert [caveat.code for caveat in interval.caveats] == ["in_sample_choice"]
    assert given.interval("f1").caveats == ()
    assert (interval.low, interval.high) == (given.interval("f1").low, given.interval("f1").high)
    assert chosen.design.about["chosen"] == 1
    state = ConfusionMatrix.from_dict(chosen.to_dict())
    together = ConfusionMatrix.stack({"best": chosen, "given": given}, axis="which")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        loaded = pickle.loads(pickle.dumps(chosen))
        for made in (state, loaded, chosen + given, chosen.at_prevalence(0.1)):
            codes = [caveat.code for caveat in made.interval("f1").caveats]
            assert "in_sample_choice" in codes
        [caveat] = together.interval("recall").caveats
    assert caveat.entries.tolist() == [True, False]
    assert "in which ['best']" in caveat.text
    verdicts = check(chosen, {"recall": 0.01})
    assert verdicts.overall == "cannot tell"
    assert check(given, {"recall": 0.01})


def test_a_promised_threshold_of_scores_is_that_of_a_prefit_model():
    """Of the same scores the classifier chooses it, too; without a level bounds are just met."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 400)
    scores = y + rng.normal(size=400)
    curve = ThresholdCurve.from_scores(y, scores)
    bounds = {"recall": 0.8}
    promised = curve.best("specificity", subject_to=bounds, confidence_level=0.95)
    met = curve.best("specificity", subject_to=bounds)
    assert promised.threshold < met.threshold
    tp, n = promised.counts.tp, int(y.sum())
    # The highest threshold whose one-sided Clopper-Pearson limit is within the bound.
    assert stats.binomtest(tp, n, 0.8, alternative="greater").pvalue <= 0.05
    assert stats.binomtest(tp - 1, n, 0.8, alternative="greater").pvalue > 0.05


def test_a_threshold_that_other_samples_chose_is_as_any_other():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    scores = 1 / (1 + np.exp(-y - rng.normal(size=300)))
    first, rest = (
        ThresholdCurve.from_scores(y[of], scores[of]) for of in (slice(150), slice(150, None))
    )
    assert rest.at(first.best("f1")).interval("f1").caveats == ()
    assert rest.at(first.best("f1")).design.about["chosen"] == 0


@pytest.mark.parametrize(
    "options",
    [
        {"sample_weight": np.arange(1, 61) / 7},
        {"frequency_weights": True, "sample_weight": np.arange(1, 61)},
        {"clusters": np.arange(60) // 2},
        {"pos_label": 0},
        {"classes": [1, 0], "pos_label": 1},
    ],
)
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_of_any_curve_the_chosen_threshold_is_marked(options, prevalence):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    curve = ThresholdCurve.from_scores(y, y + rng.normal(size=60), **options)
    if prevalence is not None:
        curve = curve.at_prevalence(prevalence)
    assert curve.at(curve.best("f1")).design.about["chosen"] == 1


@pytest.mark.parametrize(
    ("options", "kept", "message"),
    [
        ({}, {}, r"confidence_level= is how often bounds hold on new data: pass these"),
        ({"sample_weight": [1, 2] * 50}, {"recall": 0.5}, "but they have weights: omit it"),
        ({"clusters": np.arange(100) // 2}, {"recall": 0.5}, "but they are in clusters: omit it"),
    ],
)
def test_a_promise_is_refused_where_samples_do_not_tell_it(options, kept, message):
    y = np.arange(100) % 2
    curve = ThresholdCurve.from_scores(y, np.arange(100) + 20 * y, **options)
    with pytest.raises(ValueError, match=message):
        curve.best("specificity", subject_to=kept, confidence_level=0.9)
    if kept:
        assert curve.best("specificity", subject_to=kept).value > 0


def test_a_promise_of_a_changed_prevalence_is_refused():
    curve = ThresholdCurve.from_scores([0, 1] * 50, np.arange(100)).at_prevalence(0.1)
    with pytest.raises(ValueError, match="but their prevalence was changed: omit it"):
        curve.best("specificity", subject_to={"recall": 0.5}, confidence_level=0.9)
