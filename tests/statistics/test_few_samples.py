"""Small groups that determine a gap: the effective sample size of a metric, and the warnings."""

import warnings

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.results import Axis

# tp 1, fn 3, fp 1, tn 4; the other group is large.
TINY = [[4, 1], [3, 1]]
LARGE = [[100, 20], [20, 180]]


def matrix(counts, names=None, labels=("no", "yes")):
    names = [f"group {k}" for k in range(len(counts))] if names is None else names
    positive = labels[1] if len(labels) == 2 else None
    return ConfusionMatrix(
        np.array(counts), np.array(labels), (Axis("site", np.array(names)),), positive
    )


def always(cm):
    """A custom metric."""
    return float(cm.counts[0, 0] / cm.counts.sum())


@pytest.mark.filterwarnings("ignore:mcc is undefined in")
@pytest.mark.parametrize(
    ("metric", "options", "n"),
    [
        ("recall", {}, 4),
        ("fnr", {}, 4),
        ("precision", {}, 2),
        ("specificity", {}, 5),
        ("npv", {}, 7),
        ("prevalence", {}, 9),
        ("accuracy", {}, 9),
        ("net_benefit", {"threshold_probability": 0.5}, 9),
        # Two denominators, 4 and 5, or 2 and 7.
        ("balanced_accuracy", {}, 4),
        ("informedness", {}, 4),
        ("g_mean", {}, 4),
        ("plr", {}, 4),
        ("markedness", {}, 2),
        # All except the true negatives.
        ("f1", {}, 5),
        ("jaccard", {}, 5),
        ("fbeta", {"beta": 2}, 5),
        ("mcc", {}, 5),
        ("kappa", {}, 5),
        # The smaller of both classes: recall 4 and 5, precision 2 and 7, F1 5 and 8.
        ("recall", {"average": "macro"}, 4),
        ("precision", {"average": "macro"}, 2),
        ("f1", {"average": "macro"}, 5),
        ("recall", {"average": "weighted"}, 9),
        ("f1", {"average": "micro"}, 9),
        ("frequency_bias", {"average": "macro"}, 5),
        # The smallest actual or predicted class.
        ("mutual_information", {}, 2),
        (always, {}, 9),
    ],
)
def test_samples_that_a_metric_counts(metric, options, n):
    cm = matrix([LARGE, TINY], ["large", "tiny"])
    with pytest.warns(
        UserWarning,
        match=rf"is determined by groups with few of the samples .+ site 'tiny' \({n}\)\. Exclude",
    ):
        cm.gap(metric, n_resamples=119, **options)


def test_each_class_counts_its_own_samples():
    cm = matrix([LARGE, TINY], ["large", "tiny"])
    of_yes = pytest.warns(UserWarning, match=r"in class \['yes'\], .+ site 'tiny' \(4\)\.")
    of_no = pytest.warns(UserWarning, match=r"in class \['no'\], .+ site 'tiny' \(5\)\.")
    with of_yes, of_no:
        gap = cm.gap("recall", average=None)
    assert gap.axes[0].name == "class"


def test_a_group_that_lacks_a_class_is_left_out_of_means_over_the_classes():
    lacks = [[30, 2, 0], [3, 40, 0], [0, 0, 0]]
    full = [[30, 2, 1], [3, 40, 1], [2, 1, 20]]
    cm = matrix([full, lacks, full], labels=("a", "b", "c"))
    for metric, average in (("recall", "macro"), ("f1", "macro"), ("balanced_accuracy", "binary")):
        with pytest.warns(
            UserWarning, match=r"on classes without samples, \['c'\] in site \['group 1'\]: the gap"
        ):
            gap = cm.gap(metric, average=average, n_resamples=200)
        assert gap.excluded_groups == ("group 1",)
    # With a single actual class kappa is unknown, whatever is predicted, but not the accuracy.
    alone = matrix([[[20, 5], [0, 0]], [[20, 5], [6, 20]], [[30, 5], [6, 20]]])
    with pytest.warns(UserWarning, match=r"^kappa depends on classes without samples"):
        assert alone.gap("kappa", n_resamples=200).excluded_groups == ("group 0",)
    assert alone.gap("accuracy", n_resamples=200).excluded_groups == ()


def test_ten_are_enough_and_nine_are_left_out():
    of_ten, of_nine = [[100, 20], [1, 9]], [[100, 20], [1, 8]]
    matrix([LARGE, of_ten]).gap("recall")
    gap = matrix([LARGE, of_ten, of_nine]).gap("recall", min_samples=10, n_resamples=200)
    assert gap.excluded_groups == ("group 2",)
    with pytest.warns(UserWarning, match=r"site 'group 1' \(9\)"):
        matrix([LARGE, of_nine]).gap("recall")


def test_only_groups_that_decide_are_named():
    # Recall .9, .5, .7 of ten, 100 and seven: the seven are between the others.
    cm = matrix([[[10, 0], [10, 90]], [[10, 0], [50, 50]], [[10, 0], [2, 5]]], ["a", "b", "few"])
    for options in ({}, {"kind": "ratio"}, {"baseline": "a"}):
        cm.gap("recall", n_resamples=200, **options)
    with pytest.warns(UserWarning, match=r"site 'few' \(7\)"):
        cm.gap("recall", baseline="few", n_resamples=200)


def test_a_group_decides_nothing_where_a_larger_one_has_its_value():
    few, same, other = [[10, 0], [2, 2]], [[10, 0], [20, 20]], [[10, 0], [10, 90]]
    cm = matrix([few, same, other], ["few", "same", "other"])
    assert cm.gap("recall", n_resamples=200).lowest_group == "few"
    cm.gap("recall", baseline="other", n_resamples=200)
    cm.gap("recall", baseline="same", n_resamples=200)
    # No other group can replace a baseline.
    with pytest.warns(UserWarning, match=r"site 'few' \(4\)"):
        cm.gap("recall", baseline="few", n_resamples=200)


def test_many_small_groups_are_not_all_listed():
    # Between two large groups, which differ most.
    counts = [[[90, 10], [50, 50]], [[90, 10], [10, 90]], *[[[5, 1], [1, 3]]] * 12]
    cm = ConfusionMatrix.from_counts(counts, labels=["no", "yes"])
    with pytest.warns(UserWarning, match=r", axis_0 2 \(5\), 3 \(5\), .+, 11 \(5\), 2 more: its p"):
        cm.gap("mcc", n_resamples=100)


@pytest.mark.parametrize("metric", ["balanced_accuracy", "recall_macro"])
def test_a_class_that_never_occurs_leaves_a_value_of_both_rates_without_limits(metric):
    cm = ConfusionMatrix.from_counts([[50, 0], [0, 0]], labels=[0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cm.interval(metric)
    assert np.isnan([found.low, found.high]).all()
    assert "absent_class" in [caveat.code for caveat in found.caveats]


def test_the_worst_class_has_the_caveat_of_the_class_that_never_occurs():
    """Silent limits of the net benefit of the worse of two classes missed in 34 %."""
    cm = ConfusionMatrix.from_counts([[50, 0], [0, 0]], labels=[0, 1])
    codes = []
    for average in ("binary", "worst"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = cm.interval("net_benefit", average=average, threshold_probability=0.5)
        codes.append({caveat.code for caveat in found.caveats})
    assert codes[0] == codes[1] == {"few_samples"}


@pytest.mark.parametrize(("n", "codes"), [(4, ["few_samples"]), (40, [])])
def test_the_worst_of_several_classes_needs_ten_samples_that_move_each(n, codes):
    """Silent limits of 1,500 samples of ten classes, eight of most of these, missed in 28 %."""
    cm = ConfusionMatrix.from_counts(np.diag([1000, n, n, n, n]), labels=range(5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cm.interval("net_benefit", average="worst", threshold_probability=0.2)
    assert [caveat.code for caveat in found.caveats] == codes


def few_of(result):
    """Which entries have a caveat of few samples."""
    found = [caveat.entries for caveat in result.caveats if caveat.code == "few_samples"]
    return np.logical_or.reduce([np.zeros(np.shape(result.value), dtype=bool), *found])


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("metric", "n_classes", "options", "kind"),
    [
        ("mcc", 2, {}, "difference"),
        ("kappa", 2, {}, "difference"),
        ("expected_cost", 2, {"cost_matrix": [[0, 1], [90, 0]]}, "difference"),
        ("expected_cost", 2, {"cost_matrix": [[0, 1], [90, 0]]}, "ratio"),
        ("mcc", 3, {}, "difference"),
        ("mutual_information", 3, {}, "difference"),
        ("mutual_information", 3, {}, "ratio"),
    ],
)
def test_a_gap_has_the_caveat_of_the_values_that_it_compares(metric, n_classes, options, kind):
    """At equal values of MCC gaps of such samples were rejected in 9 % at 5 %."""
    random = np.random.default_rng(0)
    cells = np.full((n_classes, n_classes), 0.2 / n_classes) + np.eye(n_classes)
    cells[1:] /= 20
    shares = cells.ravel() / cells.sum()
    counts = random.multinomial(90, shares, (9, 2)).reshape(9, 2, n_classes, n_classes)
    cm = ConfusionMatrix.from_counts(counts, labels=range(n_classes))
    of_values = few_of(cm.interval(metric, n_resamples=100, **options))
    gap = cm.gap(metric, axis="axis_1", kind=kind, n_resamples=100, **options)
    are_known = ~np.isnan(gap.low)
    assert (few_of(gap) >= of_values.any(-1))[are_known].all()
    assert of_values.any(-1)[are_known].any()
    if kind == "difference":
        pair = cm.sel(axis_0=0).pairwise_gaps(metric, n_resamples=100, **options)
        assert (few_of(pair) == few_of(gap)[:1]).all()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("design", ["clusters", "sample_weight"])
def test_a_gap_of_a_design_has_the_caveat_of_its_values(design):
    """Of g-mean in groups of 7, 12 and 13 positives, of which the first decides nothing."""
    n_positive, n_right = [7, 12, 13], [5, 6, 11]
    true = np.concatenate([np.arange(100) < n for n in n_positive])
    pred = np.concatenate([np.arange(100) < n for n in n_right])
    of = {"clusters": np.arange(300) // 2, "sample_weight": 1.0 + np.arange(300) % 2}[design]
    cm = ConfusionMatrix.from_predictions(true, pred, by=np.arange(300) // 100, **{design: of})
    assert few_of(cm.interval("g_mean")).tolist() == [True, False, False]
    assert few_of(cm.gap("g_mean"))
