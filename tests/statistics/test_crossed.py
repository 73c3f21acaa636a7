"""Readings of cases by readers: published tables, sums over pairs, and what is refused."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    compare,
    compare_curves,
    cross_val_confusion_matrix,
    metric_interval,
)
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.crossed import PartsOfVariance, Readings
from skmetrics_ext.statistics.pairs.crossed import known_of_parts
from tests.proportions import mid_p

RANDOM = np.random.default_rng(3)
N_READERS, N_CASES = 12, 40
READER, CASE = np.indices((N_READERS, N_CASES)).reshape(2, -1)
Y = np.tile(RANDOM.integers(0, 2, N_CASES), N_READERS)
EASE = RANDOM.normal(1, 1, N_CASES)[CASE] + RANDOM.normal(0, 0.6, N_READERS)[READER]
WITH, WITHOUT = (
    np.where(RANDOM.random(len(Y)) < 1 / (1 + np.exp(-EASE - more)), Y, 1 - Y) for more in (0.5, 0)
)
BOTH = {"case": CASE, "reader": READER}
TABLE = pd.DataFrame({"y": Y, "p": WITH, "n": 1, **BOTH})


def readings_of(case, reader):
    """Those of one table."""
    return Readings(case, reader, np.zeros(len(case), dtype=int))


def by_analysis_of_variance(table):
    """The variance of the mean of a table (readers, cases), and those of its parts (Winer 1971)."""
    r, c = table.shape
    of_readers = c * table.mean(1).var(ddof=1)
    of_cases = r * table.mean(0).var(ddof=1)
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()
    of_both = (rest**2).sum() / ((r - 1) * (c - 1))
    fixed = table.mean(0).var(ddof=1) / c
    return (of_readers + of_cases - of_both) / (r * c), of_readers / (r * c), fixed


def by_t(difference, table):
    """Limits and p-value of a mean whose parts are those of a table."""
    r, c = table.shape
    variance, of_readers, fixed = by_analysis_of_variance(table)
    variance = max(variance, of_readers, fixed)
    df = variance**2 / (of_readers**2 / (r - 1) + (variance - of_readers) ** 2 / (c - 1))
    t = stats.t(min(max(df, 1), 4 * (r - 1)))
    reach = t.isf(0.025) * variance**0.5
    return difference - reach, difference + reach, 2 * t.sf(abs(difference) / variance**0.5)


def test_limits_of_a_small_table_are_those_by_hand():
    # Readers have 3/4, 1/2 and 1 right, of all four cases 3/4.
    right = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]])
    reader, case = np.indices(right.shape).reshape(2, -1)
    parts = readings_of(case, reader).parts((right.ravel() - 0.75) / 12, np.ones(12))
    assert (float(*parts.variance), float(*parts.df)) == pytest.approx((0.0347222, 4.285714))
    y = np.ones(12, dtype=int)
    with pytest.warns(UserWarning, match="too few") as caught:
        found = metric_interval(y, right.ravel(), "accuracy", clusters={"c": case, "r": reader})
    assert [warning.message.args[0][:13] for warning in caught] == [
        "too few cases",
        "too few reade",
    ]
    # With so few misses there are no more readings than cases.
    low, high = mid_p(3, 4, 2 * stats.norm.sf(stats.t.isf(0.025, 4.285714)))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-5)
    assert str(found.method) == "mid-P of readings of 4 cases by 3 readers"


@pytest.mark.parametrize(("metric", "pred"), [("accuracy", WITH), ("recall", WITH)])
def test_a_rate_has_the_variance_of_the_analysis_of_variance(metric, pred):
    found = metric_interval(Y, pred, metric, clusters=BOTH)
    kept = np.ones(len(Y), bool) if metric == "accuracy" else Y == 1
    right = (pred == Y)[kept].reshape(N_READERS, -1).astype(float)
    variance, of_readers, _ = by_analysis_of_variance(right)
    n = right.mean() * (1 - right.mean()) / variance
    df = variance**2 / (
        of_readers**2 / (N_READERS - 1) + (variance - of_readers) ** 2 / (right.shape[1] - 1)
    )
    alpha = 2 * stats.norm.sf(stats.t.isf(0.025, min(df, 4 * (N_READERS - 1))))
    assert (found.low, found.high) == pytest.approx(mid_p(right.mean() * n, n, alpha), rel=1e-6)


def test_a_difference_of_rates_has_its_t_limits():
    found = compare(Y, {"with": WITH, "without": WITHOUT}, ["accuracy", "recall"], clusters=BOTH)
    for place, kept in enumerate((Y >= 0, Y == 1)):
        table = (1.0 * (Y == WITH) - (Y == WITHOUT))[kept].reshape(N_READERS, -1)
        low, high, p = by_t(table.mean(), table)
        assert found.p_value[place] == pytest.approx(p, rel=1e-6)
    alone = compare(Y, {"with": WITH, "without": WITHOUT}, "recall", clusters=BOTH, correction=None)
    assert (alone.low[0], alone.high[0]) == pytest.approx((low, high), rel=1e-6)
    assert alone.difference[0] == pytest.approx(table.mean())


def test_missing_and_repeated_readings_are_summed_over_pairs():
    there = RANDOM.random((5, 9)) < 0.7
    reader, case = np.nonzero(there)
    times = RANDOM.integers(1, 3, len(reader))
    adds = RANDOM.normal(size=len(reader))
    parts = readings_of(case, reader).parts(adds, times)
    within = np.zeros(there.shape)
    for k in range(5):
        own = reader == k
        within[k, case[own]] = adds[own] - times[own] * adds[own].sum() / times[own].sum()
    pairs = sum(within[a] @ within[b] for a in range(5) for b in range(5) if a != b)
    n = len(np.unique(case))
    assert float(*parts.cases) == pytest.approx(pairs * n / (n - 1) * 5 / 4)
    assert float(*parts.fixed) == pytest.approx((within.sum(0) ** 2).sum() * n / (n - 1))
    assert float(*parts.readers) == pytest.approx((np.bincount(reader, adds) ** 2).sum() * 5 / 4)


@pytest.mark.parametrize(
    "clusters", [pd.DataFrame(BOTH), np.stack([CASE, READER], 1), {"x": CASE.tolist(), "y": READER}]
)
def test_two_columns_come_in_any_form(clusters):
    expected = metric_interval(Y, WITH, "f1", clusters=BOTH)
    for door in (
        lambda: metric_interval(Y, WITH, "f1", clusters=clusters),
        lambda: ConfusionMatrix.from_predictions(Y, WITH, clusters=clusters).interval("f1"),
        lambda: ConfusionMatrix.from_scores(Y, WITH * 0.8, clusters=clusters).interval("f1"),
        lambda: ConfusionMatrix.from_frame(TABLE, "y", "p", clusters=["case", "reader"]).interval(
            "f1"
        ),
    ):
        found = door()
        assert (found.low, found.high) == (expected.low, expected.high)
    assert expected.high - expected.low > np.ptp(
        [getattr(metric_interval(Y, WITH, "f1", clusters=CASE), end) for end in ("low", "high")]
    )


def test_equal_readings_in_a_frame_count_each():
    twice = pd.concat([TABLE, TABLE[TABLE["reader"] < 5]])
    found = ConfusionMatrix.from_frame(twice, "y", "p", clusters=("case", "reader"))
    clusters = {name: twice[name].to_numpy() for name in ("case", "reader")}
    arrays = twice["y"].to_numpy(), twice["p"].to_numpy()
    expected = metric_interval(*arrays, "mcc", clusters=clusters)
    interval = found.interval("mcc")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_without_an_error_each_case_is_one_reading():
    with pytest.warns(UserWarning, match="12 readers are few for a value so near the end"):
        found = metric_interval(Y, Y, "accuracy", clusters=BOTH)
    alpha = 2 * stats.norm.sf(stats.t.isf(0.025, N_CASES - 1))
    assert (found.low, found.high) == pytest.approx(mid_p(N_CASES, N_CASES, alpha), rel=1e-6)


def codes_of(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [caveat.code for caveat in call().caveats]


def test_few_readers_have_a_caveat():
    for n, expected in ((4, ["few_readers"]), (5, []), (12, [])):
        own = n > READER
        clusters = {"case": CASE[own], "reader": READER[own]}
        assert codes_of(lambda: metric_interval(Y[own], WITH[own], "mcc", clusters=clusters)) == (  # noqa: B023
            expected
        )
        models = {"a": WITH[own], "b": WITHOUT[own]}
        assert codes_of(lambda: compare(Y[own], models, "mcc", clusters=clusters)) == expected  # noqa: B023
    # Of values near the ends more readers are few.
    for n_wrong, expected in ((4, ["few_readers"]), (6, [])):
        nearly = np.where((n_wrong > CASE) & (READER < 9), 1 - Y, Y)
        assert codes_of(lambda: metric_interval(Y, nearly, "accuracy", clusters=BOTH)) == expected  # noqa: B023
    few = CASE < 14
    some = {"case": CASE[few], "reader": READER[few]}
    assert codes_of(lambda: metric_interval(Y[few], WITH[few], "mcc", clusters=some)) == [
        "few_clusters"
    ]
    assert codes_of(lambda: compare(Y, {"a": WITH, "b": WITH}, "f1", clusters=BOTH)) == ["constant"]


@pytest.mark.parametrize("metric", ["recall_macro", "informedness"])
def test_a_class_of_few_cases_has_a_caveat(metric):
    for n, expected in ((9, ["few_clusters"]), (10, [])):
        rare = 1 * (n > CASE)
        calls = {"a": np.where(WITH == Y, rare, 1 - rare), "b": np.where(WITHOUT == Y, rare, 1)}
        clusters = {"clusters": BOTH}
        assert codes_of(lambda: metric_interval(rare, calls["a"], metric, **clusters)) == expected  # noqa: B023
        assert codes_of(lambda: compare(rare, calls, metric, **clusters)) == expected  # noqa: B023
        assert codes_of(lambda: metric_interval(rare, calls["a"], "f1", **clusters)) == []  # noqa: B023


# Scores of both ways by the readers, who all read the same cases.
SCORES = {
    name: RANDOM.normal(0, 1, len(Y)) + more * Y + RANDOM.normal(0, 0.7, N_CASES)[CASE]
    for name, more in (("with", 1.5), ("without", 1.1))
}


def by_reader(scores, rows=slice(None), **options):
    given = {"by": {"reader": READER[rows]}, "clusters": CASE[rows]} | options
    return ThresholdCurves.from_scores(Y[rows], scores[rows], **given)


def covariances(scores):
    """Areas, and DeLong's covariance of the readers' placements of both classes."""
    positive, table = Y[:N_CASES] == 1, scores.reshape(N_READERS, -1)
    beats = np.sign(table[:, positive, None] - table[:, None, ~positive]) / 2 + 0.5
    return beats.mean((1, 2)), [beats.mean(2), beats.mean(1)]


def test_mean_areas_differ_by_the_covariances_of_obuchowski_and_rockette():
    areas, placed = zip(*map(covariances, SCORES.values()), strict=True)
    gaps = areas[0] - areas[1]
    of_classes = [first - second for first, second in zip(*placed, strict=True)]
    covariance = sum(np.cov(of) / of.shape[1] for of in of_classes)
    r = N_READERS
    of_pairs = (covariance.sum() - np.trace(covariance)) / (r * (r - 1))
    of_readers = gaps.var(ddof=1) / r
    variance = max(of_readers + max(of_pairs, 0), covariance.sum() / r**2)
    n = min(of.shape[1] for of in of_classes)
    df = variance**2 / (of_readers**2 / (r - 1) + (variance - of_readers) ** 2 / (n - 1))
    t = stats.t(min(df, 4 * (r - 1)))
    found = compare_curves({name: by_reader(scores) for name, scores in SCORES.items()})
    assert found.value[0] == pytest.approx(areas[0].mean())
    assert found.reference_value[0] == pytest.approx(areas[1].mean())
    reach = t.isf(0.025) * variance**0.5
    assert (found.low[0], found.high[0]) == pytest.approx(
        (gaps.mean() - reach, gaps.mean() + reach)
    )
    assert found.p_value[0] == pytest.approx(2 * t.sf(abs(gaps.mean()) / variance**0.5))


def test_the_study_of_van_dyke_is_as_published():
    """Five readers and 114 cases, 45 of them positive, of which the mean squares and covariances
    are published (Hillis, Obuchowski & Berbaum 2011): -.0880 to .0004 and p .0517 with df 15.26.
    """
    of_readers, between_readers = 2 * 0.00055103 / 5, 2 * (0.00034407 - 0.00023903)
    fixed = 2 / 5 * (0.00080229 - 0.00034661 + 4 * (0.00034407 - 0.00023903))
    parts = PartsOfVariance(of_readers, between_readers, fixed, 5, 45)
    assert float(parts.variance) ** 0.5 == pytest.approx(0.02075, abs=5e-6)
    assert 4 * float(parts.variance / of_readers) ** 2 == pytest.approx(15.26, abs=5e-3)
    known = known_of_parts(0.8970370 - 0.9408374, parts, Limits(np.array(-1), np.array(1)))
    assert known.p_value == pytest.approx(0.0517, abs=2e-3)
    assert known.limits_at(0.05) == pytest.approx((-0.0880, 0.0004), abs=1e-3)
    # The recipe has ours, by Satterthwaite's degrees of freedom of readers and of positive cases.
    rest = 0.02075**2 - of_readers
    t = stats.t(0.02075**4 / (of_readers**2 / 4 + rest**2 / 44))
    reach = 0.02075 * t.isf(0.025)
    assert known.limits_at(0.05) == pytest.approx((-0.0438 - reach, -0.0438 + reach), abs=2e-5)
    assert known.limits_at(0.05) == pytest.approx((-0.0883, 0.0007), abs=5e-5)
    assert known.p_value == pytest.approx(0.0531, abs=5e-5)


def test_other_readings_of_curves_are_refused():
    curves = {name: by_reader(scores) for name, scores in SCORES.items()}
    one = ThresholdCurve.from_scores(Y, SCORES["with"], clusters=CASE)
    other = by_reader(SCORES["without"], rows=READER > 0)
    with_same = {"a": curves["with"], "b": curves["without"]}
    twice = np.r_[: len(Y), :N_CASES]
    again = by_reader(SCORES["with"], rows=twice)
    for words, call in {
        "must be ThresholdCurves by reader": lambda: compare_curves(with_same | {"c": one}),
        "only roc_auc is compared": lambda: compare_curves(with_same, "average_precision"),
        "of different readings": lambda: compare_curves(with_same | {"c": other}),
        "several scores of one case": lambda: compare_curves({"a": again, "b": again}),
        "who read the same cases, without weights": lambda: compare_curves(
            with_same | {"c": by_reader(SCORES["with"], clusters=None)}
        ),
        "no case has two readers": lambda: compare_curves(
            {name: by_reader(of, clusters=CASE + N_CASES * READER) for name, of in SCORES.items()}
        ),
    }.items():
        with pytest.raises((ValueError, TypeError), match=words):
            call()
    few = {name: by_reader(of, rows=READER < 4) for name, of in SCORES.items()}
    assert codes_of(lambda: compare_curves(few)) == ["few_readers"]


REFUSED = {
    "there is a single reader": lambda: metric_interval(
        Y, WITH, "f1", clusters={"c": CASE, "r": CASE * 0}
    ),
    "there is a single case": lambda: compare(
        Y, {"a": Y, "b": WITH}, "f1", clusters={"c": CASE * 0, "r": READER}
    ),
    "no case has two readers": lambda: metric_interval(
        Y, WITH, "f1", clusters={"c": CASE + N_CASES * READER, "r": READER}
    ),
    "no reader has two cases": lambda: metric_interval(
        Y, WITH, "f1", clusters={"c": CASE, "r": CASE + N_CASES * READER}
    ),
    "single reader in g": lambda: ConfusionMatrix.from_predictions(
        Y, WITH, by={"g": READER % 2 * READER}, clusters=BOTH
    ).interval("f1"),
    "omit the weights": lambda: compare(
        Y, {"a": Y, "b": WITH}, "f1", clusters=BOTH, sample_weight=np.arange(len(Y)) + 1.0
    ),
    "count label by label": lambda: metric_interval(
        np.stack([Y, Y], 1), np.stack([Y, WITH], 1), "f1_macro", clusters=BOTH
    ),
    "mutual_information of readings .* no limits that are known": lambda: metric_interval(
        Y, WITH, "mutual_information", clusters=BOTH
    ),
    "diagnostic_odds_ratio.* of readings .* no limits": lambda: metric_interval(
        Y, WITH, "diagnostic_odds_ratio", clusters=BOTH
    ),
    "the difference in no_information_rate of readings": lambda: compare(
        Y, {"a": Y, "b": WITH}, "no_information_rate", clusters=BOTH
    ),
    "'tango' does not apply to differences of readings": lambda: compare(
        Y, {"a": Y, "b": WITH}, "f1", clusters=BOTH, method="tango"
    ),
    "fixed='actual' does not apply": lambda: metric_interval(
        Y, WITH, "f1", clusters=BOTH, fixed="actual"
    ),
    "curve takes one column of clusters": lambda: ThresholdCurve.from_scores(
        Y, SCORES["with"], clusters=BOTH
    ),
    "each reading once": lambda: ConfusionMatrix.from_frame(
        TABLE, "y", "p", clusters=["case", "reader"], count="n"
    ),
    "clusters takes one column, or two, .* got 3": lambda: ConfusionMatrix.from_frame(
        TABLE, "y", "p", clusters=["case", "reader", "n"]
    ),
    "not for predictions of cross-validation": lambda: cross_val_confusion_matrix(
        stats, np.ones((len(Y), 1)), Y, clusters=BOTH
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_not_known_is_refused(words):
    with pytest.raises(ValueError, match=words):
        REFUSED[words]()


def test_columns_may_be_a_list_and_cases_come_first():
    named = ConfusionMatrix.from_predictions(Y, WITH, clusters=BOTH).interval("recall")
    for listed in ([CASE, READER], (pd.Series(CASE), pd.Series(READER))):
        found = ConfusionMatrix.from_predictions(Y, WITH, clusters=listed)
        assert found.interval("recall") == named
    turned = {"reader": READER, "case": CASE}
    for clusters in (turned, pd.DataFrame(turned)):
        with pytest.raises(ValueError, match="column 'reader' first, but the cases come first"):
            metric_interval(Y, WITH, "recall", clusters=clusters)
    with pytest.raises(ValueError, match="column 'reader' first, but the cases come first"):
        ConfusionMatrix.from_frame(TABLE, "y", "p", clusters=["reader", "case"])
    with pytest.raises(ValueError, match="flattened to one row per reading"):
        metric_interval(Y[:N_CASES], WITH.reshape(N_READERS, N_CASES).T, "recall")
