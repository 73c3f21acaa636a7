"""Intervals and gaps by group from samples: each group alone, MOVER written out, warnings."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ConfusionMatrix, metric_interval
from tests.shared import one_in


def data(seed=0, n_clusters=40):
    random = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(n_clusters), random.integers(2, 10, n_clusters))
    y = (random.random(len(clusters)) < 0.5).astype(int)
    right = random.beta(4, 1, n_clusters)[clusters]
    return (
        y,
        np.where(random.random(len(y)) < right, y, 1 - y),
        clusters,
        np.array(["a", "b"])[clusters % 2],
    )


def gap_of(y, pred, metric, *, by, clusters=None, sample_weight=None, **options):
    """The gap of the matrix of these samples."""
    cm = ConfusionMatrix.from_predictions(
        y, pred, by=by, clusters=clusters, sample_weight=sample_weight
    )
    return cm.gap(metric, **options)


WEIGHTS = np.random.default_rng(9).choice([0.5, 1.0, 3.0], 1_000)


def test_a_column_of_groups_names_the_axis_and_one_of_clusters_is_read():
    y, pred, clusters, by = data()
    for named in ({"site": by}, pd.DataFrame({"site": by})):
        for metric_of in (metric_interval, gap_of):
            found = metric_of(y, pred, "recall", by=named, clusters={"patient": clusters})
            plain = metric_of(y, pred, "recall", by=by, clusters=clusters)
            np.testing.assert_array_equal(found.value, plain.value)
            np.testing.assert_array_equal(found.low, plain.low)
        interval = metric_interval(y, pred, "recall", by=named)
        assert interval.axes[0].name == "site"
        assert interval.to_frame().columns[0] == "site"
    both = {"site": by, "sex": by}
    for options in ({"clusters": both}, {"clusters": pd.DataFrame(both)}):
        with pytest.raises(ValueError, match="no case has two readers, so the two are not crossed"):
            metric_interval(y, pred, "recall", **options)
    with pytest.raises(ValueError, match=r"clusters has the columns \[\], but one group"):
        metric_interval(y, pred, "recall", clusters={})


# Replicates of all groups are drawn together, which Krippendorff's alpha of counts needs.
@pytest.mark.parametrize(
    ("asked", "average"),
    one_in(
        2,
        [
            *itertools.product(
                ["recall", "f1", "krippendorff_alpha"],
                [("clusters",), ("sample_weight",), ("clusters", "sample_weight")],
            ),
            ("recall", ()),
            ("f1", ()),
        ],
        ["binary", None],
    ),
)
def test_each_group_has_the_interval_that_it_has_alone(asked, average):
    """The slow ones are of the other average of each metric."""
    metric, options = asked
    y, pred, clusters, by = data()
    given = {
        name: {"clusters": clusters, "sample_weight": WEIGHTS[: len(y)]}[name] for name in options
    }
    average = {} if metric == "krippendorff_alpha" else {"average": average}
    found = metric_interval(
        y, pred, metric, by=by, random_state=0, n_resamples=200, **average, **given
    )
    assert found.axes[0].name == "group"
    assert found.axes[0].coordinates.tolist() == ["a", "b"]
    for k, group in enumerate("ab"):
        own = {name: values[by == group] for name, values in given.items()}
        alone = metric_interval(
            y[by == group],
            pred[by == group],
            metric,
            random_state=0,
            n_resamples=200,
            **average,
            **own,
        )
        for part in ("value", "low", "high", "n"):
            np.testing.assert_array_equal(getattr(found, part)[k], getattr(alone, part))
        assert len(found.axes) == 1 + len(alone.axes)


def test_multilabel_samples_have_groups_too():
    random = np.random.default_rng(0)
    true, pred = random.integers(0, 2, (2, 60, 3))
    by, clusters = np.arange(60) % 2, np.arange(60) // 2 % 20
    found = metric_interval(
        true, pred, "f1", average="samples", zero_division=1, by=by, clusters=clusters
    )
    alone = metric_interval(
        true[1::2], pred[1::2], "f1", average="samples", zero_division=1, clusters=clusters[1::2]
    )
    assert (found.low[1], found.high[1]) == (alone.low, alone.high)


def test_simultaneous_intervals_are_those_of_all_groups():
    y, pred, clusters, by = data()
    both = metric_interval(y, pred, "recall", by=by, clusters=clusters, simultaneous=True)
    wider = metric_interval(y, pred, "recall", by=by, clusters=clusters, confidence_level=0.975)
    np.testing.assert_allclose((both.low, both.high), (wider.low, wider.high))
    assert both.confidence_level == 0.95


@pytest.mark.parametrize(
    ("kind", "given"), [("difference", "clusters"), ("ratio", "sample_weight")]
)
def test_the_gap_of_two_groups_is_mover_and_its_p_value_inverts_it(kind, given):
    y, pred, clusters, by = data(1)
    pred = np.where((by == "a") & (clusters % 3 == 0), 0, pred)
    options = {"by": by, given: clusters if given == "clusters" else WEIGHTS[: len(y)]}
    gap = gap_of(y, pred, "recall", kind=kind, **options)
    groups = metric_interval(y, pred, "recall", **options)
    (p, q), (l1, l2), (u1, u2) = groups.value, groups.low, groups.high
    assert (gap.lowest_group, gap.highest_group) == ("a", "b")
    if kind == "difference":
        # Newcombe (1998), method 10.
        expected = q - p - np.hypot(q - l2, u1 - p), q - p + np.hypot(u2 - q, p - l1)
        assert gap.value == pytest.approx(q - p)
        np.testing.assert_allclose((gap.low, gap.high), (max(expected[0], 0), expected[1]))
    else:
        assert gap.value == pytest.approx(p / q)
    assert 0.0001 < gap.p_value < 0.9
    options |= {"kind": kind}
    ends = [
        gap_of(y, pred, "recall", confidence_level=1 - gap.p_value * f, **options)
        for f in (1.002, 0.99)
    ]
    excludes = [of.low > 0 if kind == "difference" else of.high < 1 for of in ends]
    assert excludes == [True, False]
    assert gap.method == "MOVER of groups, inverted"


def test_a_gap_of_each_class_has_a_p_value_for_each():
    y, pred, clusters, by = data(1)
    gap = gap_of(y, pred, "recall", average=None, by=by, clusters=clusters)
    alone = gap_of(y, pred, "recall", pos_label=0, by=by, clusters=clusters)
    assert (gap.p_value[0], gap.low[0], gap.high[0]) == (alone.p_value, alone.low, alone.high)


def test_few_samples_of_a_group_are_counted_without_their_weights():
    y, pred, clusters, by = data()
    by = np.where(clusters == 0, "c", by)
    weights = np.where(by == "c", 100.0, 1.0) * WEIGHTS[: len(y)]
    assert gap_of(
        y, pred, "recall", by=by, sample_weight=weights, min_samples=20
    ).excluded_groups == ("c",)


def test_warnings_and_errors_name_the_group():
    y, pred, clusters, by = data()
    with pytest.warns(UserWarning, match=r"^too few clusters in group \['few'\], 4, to"):
        metric_interval(
            y, pred, "recall", by=np.where(clusters < 4, "few", "rest"), clusters=clusters
        )
    with pytest.raises(ValueError, match=r"^there is a single cluster in group \['one'\], so"):
        metric_interval(
            y, pred, "recall", by=np.where(clusters < 1, "one", "rest"), clusters=clusters
        )
    with pytest.warns(UndefinedMetricWarning, match="recall is undefined"):
        found = metric_interval(y, pred, "recall", by=by, sample_weight=np.where(by == "a", 0, 1))
    np.testing.assert_array_equal(np.isnan(found.value), [True, False])


@pytest.mark.parametrize("kind", ["difference", "ratio"])
def test_groups_within_clusters_are_correlated(kind):
    y, pred, clusters, _ = data(3)
    by = np.arange(len(y)) % 2
    gap = gap_of(y, pred, "recall", by=by, clusters=clusters, kind=kind)
    groups = metric_interval(y, pred, "recall", by=by, clusters=clusters)
    values, low, high = groups.value, groups.low, groups.high
    residuals = []
    for group in (0, 1):
        is_counted = (by == group) & (y == 1)
        hits = np.bincount(clusters, is_counted & (pred == 1), minlength=40)
        residuals.append(hits - values[group] * np.bincount(clusters, is_counted, minlength=40))
    correlation = (
        residuals[0]
        @ residuals[1]
        / np.sqrt((residuals[0] @ residuals[0]) * (residuals[1] @ residuals[1]))
    )
    # One beta variable decides about all samples of a cluster.
    assert correlation > 0.05
    first, second = np.argsort(values)[::-1]
    if kind == "difference":
        # Zou (2007).
        a, b = values[first] - low[first], high[second] - values[second]
        below = np.sqrt(a**2 + b**2 - 2 * correlation * a * b)
        expected = max(values[first] - values[second] - below, 0)
        assert gap.low == pytest.approx(expected, abs=1e-12)
    else:
        # A positive correlation would narrow the limits of a ratio, which is not relied on.
        apart = clusters + 1_000 * by
        same = gap_of(y, pred, "recall", by=by, clusters=apart, kind=kind)
        assert (gap.low, gap.high) == pytest.approx((same.low, same.high), rel=1e-12)


def test_a_bootstrapped_gap_has_no_p_value_beyond_its_replicates():
    random = np.random.default_rng(0)
    by, y = np.repeat([0, 1], 1000), random.integers(0, 3, 2000)
    pred = np.where(random.random(2000) < np.where(by, 0.95, 0.4), y, random.integers(0, 3, 2000))
    gap = gap_of(
        y, pred, "cramers_v", by=by, clusters=np.arange(2000) // 8, n_resamples=199, random_state=0
    )
    assert gap.p_value == pytest.approx(2 / 200, rel=1e-2)


def test_p_values_of_limits_without_replicates_do_not_depend_on_their_number():
    """All of one group are right: its upper limit is 1 at every level, which is no sign of
    replicates.
    """
    by, y = np.repeat([0, 1], 200), np.ones(400, dtype=int)
    pred = np.where((by == 1) | (np.random.default_rng(0).random(400) < 0.3), 1, 0)
    options = {"by": by, "clusters": np.arange(400) // 2, "pos_label": 1}
    found = [gap_of(y, pred, "recall", n_resamples=n, **options).p_value for n in (100, 9_999)]
    assert found[0] == found[1] < 1e-8


@pytest.mark.parametrize("n_resamples", [100, 999])
def test_a_group_without_variation_has_no_p_value_beyond_its_replicates(n_resamples):
    """Its limits are those of replicates, whatever the method of the others."""
    random = np.random.default_rng(0)
    y, by = random.integers(0, 2, 120), np.repeat([0, 1], 60)
    pred = np.where((by == 1) | (random.random(120) < 0.7), y, 1 - y)
    options = {
        "by": by,
        "clusters": np.arange(120) // 3,
        "n_resamples": n_resamples,
        "random_state": 0,
    }
    gap = gap_of(y, pred, "matthews_corrcoef", **options)
    assert gap.p_value >= 2 / (n_resamples + 1) * 0.99
