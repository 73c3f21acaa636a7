"""All pairs of groups: each is the gap of two, with a sign, and corrected for their number."""

import datetime
import functools
import itertools

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, check, plot_intervals
from tests.proportions import newcombe
from tests.shared import for_each

HITS = {"a": (90, 100), "b": (84, 100), "c": (62, 80)}


def of_sites(hits=HITS):
    """Recall of each site."""
    return ConfusionMatrix.stack(
        {
            site: ConfusionMatrix.from_counts([[5, 0], [n - hit, hit]], labels=["no", "yes"])
            for site, (hit, n) in hits.items()
        },
        axis="site",
    )


SITES = of_sites()


def drawn(n=900, **options):
    random = np.random.default_rng(0)
    by = {"sex": random.choice(["F", "M"], n), "site": random.choice(["x", "y", "z"], n)}
    y = random.integers(0, 2, n)
    pred = np.where(random.random(n) < 0.85, y, 1 - y)
    return ConfusionMatrix.from_predictions(y, pred, by=by, **options)


@functools.cache
def p_of(first, second):
    """The least level at which Newcombe's limits exclude 0."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        limits = newcombe(*first, *second, middle)
        excludes = limits[0] > 0 or limits[1] < 0
        low, high = (low, middle) if excludes else (middle, high)
    return high


@pytest.mark.parametrize("correction", ["bonferroni", "holm", None])
def test_limits_and_p_values_are_newcombes_at_the_level_of_each_row(correction):
    found = SITES.pairwise_gaps("recall", correction=correction)
    pairs = list(itertools.combinations(HITS, 2))
    assert [(row.model, row.reference) for row in found.rows] == pairs
    alpha = 0.05 if correction is None else 0.05 / 3
    for row in found.rows:
        first, second = HITS[row.model], HITS[row.reference]
        assert (row.value, row.reference_value) == (first[0] / first[1], second[0] / second[1])
        assert row.difference == pytest.approx(row.value - row.reference_value)
        assert (row.low, row.high) == pytest.approx(newcombe(*first, *second, alpha), rel=1e-9)
        assert row.p_value == pytest.approx(p_of(first, second), rel=1e-4)
        assert row.confidence_level == pytest.approx(1 - alpha)
        # Equality is within the limits exactly where the corrected test does not reject.
        assert (row.low <= 0 <= row.high) == (row.p_adjusted >= 0.05)
    p_values = np.array([row.p_value for row in found.rows])
    in_order = np.argsort(p_values)
    holm = np.maximum.accumulate(p_values[in_order] * [3, 2, 1])[np.argsort(in_order)]
    expected = {"bonferroni": 3 * p_values, "holm": holm, None: p_values}[correction]
    adjusted = [row.p_adjusted for row in found.rows]
    assert adjusted == pytest.approx(np.minimum(expected, 1))


def test_the_rest_is_all_other_groups_together():
    found = SITES.pairwise_gaps("recall", against="rest", correction=None)
    assert [(row.model, row.reference) for row in found.rows] == [(site, "rest") for site in HITS]
    for row in found.rows:
        rest = np.sum([of for site, of in HITS.items() if site != row.model], axis=0)
        assert (row.low, row.high) == pytest.approx(
            newcombe(*HITS[row.model], *rest, 0.05), rel=1e-9
        )


def test_one_group_is_compared_with_all_others():
    found = SITES.pairwise_gaps("recall", against="b")
    assert [(row.model, row.reference) for row in found.rows] == [("a", "b"), ("c", "b")]
    assert [row.difference < 0 for row in found.rows] == [False, True]


CLUSTERED, WEIGHTED = {"clusters": np.arange(900) // 3}, {"sample_weight": np.arange(900) % 3 + 1}


@for_each(
    "metric_and_options",
    [("recall", CLUSTERED), ("fpr", {}), ("informedness", {}), ("dor", WEIGHTED), ("f1", {})],
)
def test_each_pair_is_the_gap_of_its_two_groups(metric_and_options):
    metric, options = metric_and_options
    cm = drawn(**options).sum("sex")
    few = {"n_resamples": 100, "pos_label": 1}
    found = cm.pairwise_gaps(metric, correction=None, **few)
    for row in found.rows:
        gap = cm.sel(site=[row.model, row.reference]).gap(metric, **few)
        assert abs(row.difference) == pytest.approx(gap.value)
        assert row.p_value == gap.p_value
        sign = 1 if row.difference > 0 else -1
        ends = sorted([sign * row.low, sign * row.high])
        # The limits of a gap do not go below 0.
        assert np.maximum(ends, 0) == pytest.approx([gap.low, gap.high], abs=1e-12)
        assert gap.method == row.method


def test_groups_of_two_attributes_are_crossed_or_compared_within_levels():
    cm = drawn()
    crossed = cm.pairwise_gaps("recall", axis=["sex", "site"], pos_label=1)
    assert len(crossed.rows) == 15
    assert (crossed.rows[0].model, crossed.rows[-1].reference) == ("F, x", "M, z")
    assert crossed.rows[3].reference_value == cm.sel(sex="M", site="y").score("recall")
    within = cm.pairwise_gaps("recall", axis="sex", correction="bonferroni", pos_label=1)
    assert [(row.model, row.reference) for row in within.rows] == [
        (f"F, {site}", f"M, {site}") for site in "xyz"
    ]
    # One family of rows, whatever the level.
    assert {round(row.confidence_level, 9) for row in within.rows} == {round(1 - 0.05 / 3, 9)}
    of_rest = cm.pairwise_gaps("recall", axis="site", against="rest", pos_label=1)
    assert [(row.model, row.reference) for row in of_rest.rows[:2]] == [
        ("x, F", "rest, F"),
        ("y, F", "rest, F"),
    ]
    of_one = cm.pairwise_gaps("recall", axis="site", against="x", pos_label=1)
    assert [(row.model, row.reference) for row in of_one.rows] == [
        (f"{site}, {sex}", f"x, {sex}") for sex in "FM" for site in "yz"
    ]


@pytest.mark.parametrize(
    ("groups", "ways"),
    [
        ([1, 2, 3], [1, 1.0, np.int8(1)]),
        (
            np.array(["2024-01-01", "2024-01-02", "2024-01-03"], dtype="M8[ns]"),
            [datetime.date(2024, 1, 1), np.datetime64("2024-01-01")],
        ),
    ],
    ids=["numbers", "dates"],
)
def test_the_group_of_against_may_be_written_in_another_way(groups, ways):
    random = np.random.default_rng(0)
    y, pred = random.integers(0, 2, (2, 300))
    place = np.arange(300) % 3
    cm = ConfusionMatrix.from_predictions(y, pred, by={"group": np.asarray(groups)[place]})
    one = cm.sel(group=groups[0]).score("recall")
    for way in ways:
        rows = cm.pairwise_gaps("recall", against=way).rows
        assert [row.reference_value for row in rows] == [one, one]


def test_crossed_groups_of_one_name_are_refused():
    y, place = np.arange(300) % 2, np.arange(300) % 3
    by = {"a": np.array(["x, y", "x", "q"])[place], "b": np.array(["z", "y, z", "w"])[place]}
    cm = ConfusionMatrix.from_predictions(y, y, by=by)
    for against in ("each", "rest"):
        with pytest.raises(ValueError, match="would be called 'x, y, z': rename one"):
            cm.pairwise_gaps("recall", axis=["a", "b"], against=against, pos_label=1)


def test_clusters_in_both_groups_count_as_what_both_have_in_common():
    random = np.random.default_rng(0)
    patient = np.arange(600) // 6
    is_easy = random.random(100) < 0.7
    right = random.random(600) < np.where(is_easy[patient], 0.95, 0.4)
    y, eye = np.ones(600, dtype=int), np.arange(600) % 2
    pred = np.where(right, 1, 0)
    counted = {"labels": [0, 1], "by": eye}
    [together] = (
        ConfusionMatrix.from_predictions(y, pred, clusters=patient, **counted)
        .pairwise_gaps("recall")
        .rows
    )
    [apart] = (
        ConfusionMatrix.from_predictions(y, pred, clusters=patient * 2 + eye, **counted)
        .pairwise_gaps("recall")
        .rows
    )
    assert together.difference == apart.difference
    # What both eyes have in common does not make their difference less certain.
    assert together.high - together.low < 0.95 * (apart.high - apart.low)


def test_groups_without_samples_have_no_rows_and_others_say_what_they_lack():
    counts = np.array([[[5, 5], [10, 90]], [[0, 0], [0, 0]], [[9, 1], [0, 0]], [[5, 5], [30, 70]]])
    sites = {f"s{k}": ConfusionMatrix.from_counts(of, labels=[0, 1]) for k, of in enumerate(counts)}
    cm = ConfusionMatrix.stack(sites, axis="site")
    with pytest.warns(Warning, match="undefined"):
        found = cm.pairwise_gaps("recall")
    assert [(row.model, row.reference) for row in found.rows] == [
        ("s0", "s2"),
        ("s0", "s3"),
        ("s2", "s3"),
    ]
    assert [np.isnan(row.low) for row in found.rows] == [True, False, True]
    assert [row.p_adjusted == row.p_value for row in found.rows] == [False, True, False]
    assert [bool(row.caveats) for row in found.rows] == [True, False, True]


def test_few_samples_are_a_caveat_of_their_rows():
    cm = of_sites({"a": (90, 100), "b": (80, 100), "few": (3, 4)})
    with pytest.warns(UnreliableIntervalWarning, match="few"):
        found = cm.pairwise_gaps("recall")
    assert [bool(row.caveats) for row in found.rows] == [False, True, True]


def test_the_result_is_a_comparison():
    found = SITES.pairwise_gaps("recall")
    assert check(found, {"recall": -0.2}).overall == "pass"
    assert len(found.to_frame("polars")) == 3
    plot_intervals(found)
    assert "MOVER" in repr(found)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SITES.sum("site").pairwise_gaps("recall"), "make it with by="),
        (lambda: drawn().pairwise_gaps("recall"), "several of them, whose groups are crossed"),
        (lambda: SITES.pairwise_gaps("recall", axis="sex"), r"'sex' is not an axis.*\['site'\]"),
        (lambda: SITES.pairwise_gaps("recall", axis=["site", "site"]), "each axis once"),
        (lambda: SITES.pairwise_gaps("recall", axis=[]), "each axis once"),
        (lambda: SITES.pairwise_gaps("recall", against="d"), r"groups \['a', 'b', 'c'\]"),
        (lambda: drawn().pairwise_gaps("recall", axis=["sex", "site"], against="F"), "'each' or"),
        (lambda: of_sites({"a": (1, 2), "rest": (1, 2)}).pairwise_gaps("recall", against="rest"),
         "rename"),
        (lambda: of_sites({"a": (1, 2)}).pairwise_gaps("recall"), "no pair"),
        (lambda: of_sites({"a": (1, 2)}).pairwise_gaps("recall", against="rest"), "no pair"),
        (lambda: SITES.pairwise_gaps("recall", average=None), "one value for each class"),
        (lambda: SITES.pairwise_gaps("recall_worst"), "worst"),
        (lambda: SITES.pairwise_gaps("recall", correction="tukey"), "correction"),
        (lambda: SITES.pairwise_gaps("recall", confidence_level=95), "confidence_level"),
    ],
)  # fmt: skip
def test_what_has_no_pairs_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
    with pytest.raises(TypeError, match="zero_division"):
        SITES.pairwise_gaps("recall", zero_division=0)


def test_a_class_of_several_is_one_value():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 300)
    pred = np.where(random.random(300) < 0.8, y, 0)
    cm = ConfusionMatrix.from_predictions(y, pred, by=random.choice(["a", "b"], 300))
    [row] = cm.pairwise_gaps("recall", labels=[2], average="macro").rows
    assert row.value == cm.sel(group="a").score("recall", labels=[2], average=None)[0]
