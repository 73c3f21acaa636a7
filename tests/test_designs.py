"""Every design of samples through every public consumer: an answer, or a refusal that is listed."""

import functools
import json
import pickle
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    UnreliableIntervalWarning,
    check,
    classification_report,
    cross_val_confusion_matrix,
    cross_val_threshold_curves,
    metric_interval,
    plot_intervals,
    watch,
)
from skmetrics_ext.counting.design import stacked_designs
from tests.proportions import mid_p
from tests.shared import for_each, one_in

# 480 samples of 40 clusters, in two groups of whole clusters.
RANDOM = np.random.default_rng(5)
N = 480
CLUSTERS = np.repeat(np.arange(40), 12)
GROUP = np.array(["a", "b"])[CLUSTERS % 2]
Y = (RANDOM.random(N) < 0.45).astype(int)
RIGHT = RANDOM.beta(8, 2, 40)[CLUSTERS]
SCORE = np.clip(0.5 + np.where(RANDOM.random(N) < RIGHT, 1, -1) * (Y - 0.5) * 0.6, 0, 1)
SCORE = np.clip(SCORE + RANDOM.normal(0, 0.05, N), 0, 1)
PRED = (SCORE >= 0.5).astype(int)
WEIGHTS = RANDOM.lognormal(sigma=0.5, size=N)
KNOWN = np.where(RANDOM.random(N) < 0.5, Y, np.nan)
# Three labels of each sample, which are alike.
LABELS = np.stack([np.where(RANDOM.random(N) < 0.9, Y, 1 - Y) for _ in range(3)], 1)
CALLED = np.stack([np.where(RANDOM.random(N) < 0.9, PRED, 1 - PRED) for _ in range(3)], 1)
READINGS = {"case": CLUSTERS, "reader": np.arange(N) % 12}
TABLE = pd.DataFrame({"y": Y, "p": PRED, "q": SCORE, "w": WEIGHTS, "c": CLUSTERS, "group": GROUP})
FOLDS = np.arange(N) % 5


def of_labels(**options):
    return ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP}, **options)


def of_tables(**options):
    return ConfusionMatrix.from_frame(TABLE, actual="y", predicted="p", by="group", **options)


def of_weights_by_score():
    """A table has the sum of the weights at each score alone."""
    curves = ThresholdCurves.from_frame(TABLE, actual="y", score="q", sample_weight="w", by="group")
    return ConfusionMatrix.stack(
        {name: curve.at(0.5) for name, curve in curves.items()}, axis="group"
    )


def of_sums_over_labels(**options):
    cm = ConfusionMatrix.from_predictions(LABELS, CALLED, by={"group": GROUP}, **options)
    return cm.sum("label")


def of_sums_over_thresholds(**options):
    curves = ThresholdCurves.from_scores(Y, SCORE, by={"group": GROUP}, **options)
    return curves.at_thresholds([0.4, 0.6]).sum("threshold")


def of_folds(times):
    """Two repetitions with equal predictions, or one."""
    y, pred, fold = np.tile(Y, times), np.tile(PRED, times), np.tile(FOLDS, times)
    fold = fold + 5 * np.repeat(np.arange(times), N)
    samples = {"clusters": np.tile(np.arange(N), times)} if times > 1 else {}
    cm = ConfusionMatrix.from_predictions(
        y, pred, by={"group": np.tile(GROUP, times), "fold": fold}, **samples
    )
    object.__setattr__(cm, "_design", cm._design.with_shared("fold", times))
    return cm.sum("fold")


# Each by group.
DESIGNS = {
    "independent": of_labels,
    "equal weights": lambda: of_labels(sample_weight=np.full(N, 2.5)),
    "weighted": lambda: of_labels(sample_weight=WEIGHTS),
    "weights by class": lambda: of_labels(sample_weight=np.where(Y, 0.1, 3.0)),
    "clusters": lambda: of_labels(clusters=CLUSTERS),
    "clusters of one": lambda: of_labels(clusters=np.arange(N)),
    "weighted clusters": lambda: of_labels(clusters=CLUSTERS, sample_weight=WEIGHTS),
    "readings": lambda: of_labels(clusters=READINGS),
    "prevalence": lambda: of_labels().at_prevalence(0.2),
    "prevalence of weights": lambda: of_labels(sample_weight=WEIGHTS).at_prevalence(0.2),
    "prevalence of clusters": lambda: of_labels(clusters=CLUSTERS).at_prevalence(0.2),
    "prevalence of readings": lambda: of_labels(clusters=READINGS).at_prevalence(0.2),
    "partial labels": lambda: ConfusionMatrix.from_partial_labels(
        KNOWN, PRED.astype(float), by={"group": GROUP}
    ),
    "weighted table": lambda: of_tables(sample_weight="w"),
    "table of clusters": lambda: of_tables(clusters="c"),
    "sums of weights": of_weights_by_score,
    "labels": of_sums_over_labels,
    "labels of clusters": lambda: of_sums_over_labels(clusters=np.arange(N)),
    "thresholds": of_sums_over_thresholds,
    "thresholds of clusters": lambda: of_sums_over_thresholds(clusters=CLUSTERS),
    "folds": lambda: of_folds(1),
    "repeated folds": lambda: of_folds(2),
}


def one_of(cm):
    return cm.sel(group="a")


def months(cm):
    return ConfusionMatrix.stack({1: one_of(cm), 2: one_of(cm)}, axis="month")


def drawn(cm):
    plot = plot_intervals(cm, "recall", pos_label=1)
    plt.close(plot.figure_)
    return plot


# What people do with a matrix by group.
CONSUMERS = {
    "interval": lambda cm: one_of(cm).interval("recall", pos_label=1),
    "interval of groups": lambda cm: cm.interval("precision", pos_label=1),
    "interval of all classes": lambda cm: cm.interval("mcc", n_resamples=199),
    "interval of an average": lambda cm: one_of(cm).interval("f1_macro", n_resamples=199),
    "summary": lambda cm: cm.summary(["recall", "mcc", "ppv"], pos_label=1, n_resamples=199),
    "report": lambda cm: classification_report(one_of(cm), confidence_level=0.95, random_state=0),
    "gap": lambda cm: cm.gap("recall", pos_label=1, random_state=0, n_resamples=199),
    "pairwise_gaps": lambda cm: cm.pairwise_gaps(
        "recall", pos_label=1, random_state=0, n_resamples=199
    ),
    "check": lambda cm: check(cm, {"recall": 0.3}, pos_label=1),
    "check of all": lambda cm: check(cm, {"recall": 0.3}, by=[], pos_label=1),
    "watch": lambda cm: watch(months(cm), {"recall": 0.3}, horizon=12, pos_label=1),
    "plot_intervals": drawn,
    "pooled": lambda cm: cm.sum("group").interval("recall", pos_label=1),
    "added": lambda cm: (one_of(cm) + cm.sel(group="b")).interval("recall", pos_label=1),
    "stacked": lambda cm: ConfusionMatrix.stack(
        {"x": one_of(cm), "y": cm.sel(group="b")}, axis="site"
    ).interval("recall", pos_label=1),
}

LOST = "the sums of their squares are not known"
REPEATED = "each sample is counted . times, since the entries that were summed have samples"
SUMMED_LATER = "the counts were summed after at_prevalence"
STRATA = "counts of partly known labels were summed"
NO_GAP = "a gap at another prevalence has no confidence limits"
NO_NUMBERS = "watch needs numbers of independent samples, and these are "
NOT_KNOWN = "over new readers and new cases is not known to hold: take the cases alone as clusters"
NOT_RESCALED = "the prevalence was changed of readings of cases by readers"
NO_SIZE = "watch needs the most samples that a cluster can have"
REFUSED = {
    **{(consumer, "sums of weights"): LOST for consumer in CONSUMERS},
    **{
        (consumer, design): REPEATED
        for consumer in CONSUMERS
        for design in ("labels", "thresholds")
    },
    **{
        (consumer, design): words
        for design, words in (
            ("prevalence", SUMMED_LATER),
            ("prevalence of weights", SUMMED_LATER),
            ("prevalence of clusters", SUMMED_LATER),
            ("partial labels", STRATA),
        )
        for consumer in ("pooled", "added", "check of all")
    },
    **{
        (consumer, design): NO_GAP
        for consumer in ("gap", "pairwise_gaps")
        for design in ("prevalence", "prevalence of weights", "prevalence of clusters")
    },
    **{
        ("watch", design): NO_NUMBERS + words
        for design, words in {
            "equal weights": "weighted samples",
            "weighted": "weighted samples",
            "weights by class": "weighted samples",
            "weighted clusters": "weighted samples",
            "weighted table": "weighted samples",
            "prevalence": "samples at another prevalence",
            "prevalence of weights": "samples at another prevalence",
            "prevalence of clusters": "samples at another prevalence",
            "partial labels": "samples with partly known labels",
        }.items()
    },
    **{
        (consumer, "readings"): NOT_KNOWN
        for consumer in ("gap", "pairwise_gaps", "check", "check of all", "watch")
    },
    **{(consumer, "prevalence of readings"): NOT_RESCALED for consumer in CONSUMERS},
    **{
        ("watch", design): NO_SIZE
        for design in (
            "clusters",
            "clusters of one",
            "table of clusters",
            "labels of clusters",
            "thresholds of clusters",
        )
    },
    ("watch", "repeated folds"): "each sample is counted 2 times, as in repeated",
}
# What carries a caveat, whatever the consumer.
CODES = {"folds": "pooled_folds", "repeated folds": "repeated_folds"}
SILENT = ("check", "check of all", "watch")


def is_plain(consumer, design):
    """Every refusal, and of what is answered every third."""
    place = [*CONSUMERS].index(consumer) + [*DESIGNS].index(design)
    return (consumer, design) in REFUSED or place % 3 == 0


@functools.cache
def by_group(design):
    return DESIGNS[design]()


@pytest.mark.parametrize("are_plain", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("design", DESIGNS)
@for_each("consumer", CONSUMERS)
def test_every_consumer_knows_every_design(consumer, design, are_plain):
    """The slow ones are of the other two thirds of what is answered."""
    if is_plain(consumer, design) != are_plain:
        return
    cm, call = by_group(design), CONSUMERS[consumer]
    if words := REFUSED.get((consumer, design)):
        if consumer == "summary":
            # A table of values without limits says why.
            with pytest.warns(UnreliableIntervalWarning, match=words):
                call(cm)
            return
        with pytest.raises(ValueError, match=words):
            call(cm)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(cm)
    assert found is not None
    categories = {warning.category for warning in caught}
    expected = {UnreliableIntervalWarning} if design in CODES and consumer not in SILENT else set()
    assert categories == expected
    codes = {caveat.code for caveat in getattr(found, "caveats", ())}
    if hasattr(found, "caveats") and consumer != "check" and consumer != "check of all":
        assert codes == ({CODES[design]} if expected else set())
    if design == "repeated folds" and consumer.startswith("check"):
        assert set(found.verdict.ravel()) == {"cannot tell"}


# Matrices whose sums and selections must keep the design, each with the same of arrays.
OF_SAMPLES = {
    "independent": {},
    "weighted": {"sample_weight": WEIGHTS},
    "clusters": {"clusters": CLUSTERS},
    "weighted clusters": {"sample_weight": WEIGHTS, "clusters": CLUSTERS},
    "clusters in both groups": {"clusters": CLUSTERS // 2},
    "readings": {"clusters": np.stack([CLUSTERS, np.arange(N) % 12], 1)},
}


def same(first, second):
    """Whether two intervals are the same but for rounding."""
    for name in ("value", "low", "high", "n"):
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), rtol=1e-9)
    np.testing.assert_array_equal(first.method, second.method)


def at(rows, options):
    return {name: values[rows] for name, values in options.items()}


@pytest.mark.parametrize(
    ("design", "metric"), one_in(4, OF_SAMPLES, ["recall", "f1", "mcc", "informedness"])
)
def test_whatever_moves_cells_moves_the_design(design, metric):
    options = OF_SAMPLES[design]
    cm = ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP}, **options)
    ask = {"random_state": 0, "n_resamples": 199}
    # Replicates of all groups would be drawn together.
    is_drawn = metric == "mcc" and design != "readings"
    ask |= {"method": "delta"} if is_drawn else {"pos_label": 1}
    first = GROUP == "a"
    alone = ConfusionMatrix.from_predictions(Y[first], PRED[first], **at(first, options))
    rest = ConfusionMatrix.from_predictions(Y[~first], PRED[~first], **at(~first, options))
    whole = ConfusionMatrix.from_predictions(Y, PRED, **options)
    expected = alone.interval(metric, **ask)
    # A group's entry and the group alone; metric_interval and the matrix.
    same(cm.sel(group="a").interval(metric, **ask), expected)
    same(metric_interval(Y[first], PRED[first], metric, **ask, **at(first, options)), expected)
    same(alone.with_labels([1, 0]).interval(metric, **ask), expected)
    for copy in (
        pickle.loads(pickle.dumps(alone)),
        ConfusionMatrix.from_dict(json.loads(json.dumps(alone.to_dict()))),
        ConfusionMatrix.from_dict(json.loads(json.dumps(alone.to_dict(cluster_names=True)))),
    ):
        assert copy == alone
        same(copy.interval(metric, **ask), expected)
    # Groups, halves and chunks make the whole, whichever clusters they share.
    expected = whole.interval(metric, **ask)
    same(cm.sum("group").interval(metric, **ask), expected)
    same((alone + rest).interval(metric, **ask), expected)
    same((rest + alone).interval(metric, **ask), expected)
    stacked = ConfusionMatrix.stack({"a": alone, "b": rest}, axis="group")
    same(stacked.interval(metric, **ask), cm.interval(metric, **ask))
    same(stacked.sum("group").interval(metric, **ask), expected)
    # Another order of the groups changes nothing, nor does a class that never occurs.
    same(cm.sel(group=["b", "a"]).sum("group").interval(metric, **ask), expected)
    further = ConfusionMatrix.from_predictions(Y, PRED, labels=[0, 1, 2], **options)
    assert further._design.moved(lambda cells: cells[:2, :2]).fits(whole.counts)
    with pytest.warns(UndefinedMetricWarning):
        alike = further.interval("recall", average=None)
    plain = whole.interval("recall", average=None)
    np.testing.assert_allclose(alike.low[:2], plain.low, rtol=1e-9)
    np.testing.assert_allclose(alike.high[:2], plain.high, rtol=1e-9)


def test_reprs_say_how_the_samples_were_obtained():
    for design, words in {
        "independent": "240 samples (",
        "weighted": f"weight {WEIGHTS[GROUP == 'a'].sum():.4g} (",
        "clusters": "240 samples in 20 clusters (",
        "readings": "240 readings of 20 cases by 12 readers (",
        "prevalence": "240 samples at another prevalence (",
        "prevalence of clusters": "240 samples in 20 clusters at another prevalence (",
        "partial labels": f"240 samples, {np.isfinite(KNOWN[GROUP == 'a']).sum()} with a label (",
    }.items():
        assert words in repr(one_of(DESIGNS[design]())), design
    assert repr(of_labels(clusters=CLUSTERS).design) == "Design: 40 clusters of samples"


def test_matrices_are_equal_whatever_their_design():
    plain, clustered = of_labels(), of_labels(clusters=CLUSTERS)
    assert plain == clustered
    assert plain != of_labels(sample_weight=WEIGHTS)


def test_names_of_clusters_are_kept_by_pickles_and_written_only_if_asked():
    names = np.array([f"patient {k}" for k in CLUSTERS])
    cm = ConfusionMatrix.from_predictions(Y, PRED, clusters=names)
    assert "patient 7" not in json.dumps(cm.to_dict())
    assert "patient 7" in json.dumps(cm.to_dict(cluster_names=True))
    halves = [
        ConfusionMatrix.from_predictions(Y[rows], PRED[rows], clusters=names[rows])
        for rows in (np.arange(N) % 2 == 0, np.arange(N) % 2 == 1)
    ]
    expected = cm.interval("recall")
    for written in (
        [pickle.loads(pickle.dumps(half)) for half in halves],
        [ConfusionMatrix.from_dict(half.to_dict(cluster_names=True)) for half in halves],
    ):
        same((written[0] + written[1]).interval("recall"), expected)
    nameless = [ConfusionMatrix.from_dict(half.to_dict()) for half in halves]
    with pytest.raises(ValueError, match="clusters without names can't be put together"):
        nameless[0] + nameless[1]


def test_samples_without_clusters_are_units_of_their_own():
    first = CLUSTERS < 20
    of_clusters = ConfusionMatrix.from_predictions(Y[first], PRED[first], clusters=CLUSTERS[first])
    plain = ConfusionMatrix.from_predictions(Y[~first], PRED[~first])
    alone = np.where(first, CLUSTERS, 1_000 + np.arange(N))
    expected = ConfusionMatrix.from_predictions(Y, PRED, clusters=alone)
    for metric in ("recall", "mcc"):
        found = (of_clusters + plain).interval(metric)
        assert (found.low, found.high) == pytest.approx(
            (lambda of: (of.low, of.high))(expected.interval(metric)), rel=1e-9
        )
    weighted = ConfusionMatrix.from_predictions(
        Y[~first], PRED[~first], sample_weight=WEIGHTS[~first]
    )
    with pytest.raises(ValueError, match="some samples are in clusters, and others are weighted"):
        of_clusters + weighted


def test_weights_and_numbers_of_samples_add_up():
    first = CLUSTERS < 20
    weighted = ConfusionMatrix.from_predictions(Y[first], PRED[first], sample_weight=WEIGHTS[first])
    plain = ConfusionMatrix.from_predictions(Y[~first], PRED[~first])
    expected = ConfusionMatrix.from_predictions(
        Y, PRED, sample_weight=np.where(first, WEIGHTS, 1.0)
    )
    for metric in ("recall", "f1"):
        same((weighted + plain).interval(metric), expected.interval(metric))


@pytest.mark.parametrize(
    ("design", "ties", "threshold"),
    one_in(
        2,
        ["independent", "weighted", "clusters", "weighted clusters"],
        ["positive", "negative"],
        [0.3, 0.5],
    ),
)
def test_a_curve_at_a_threshold_is_the_matrix_there(design, ties, threshold):
    """The slow ones are of every threshold with both ties and all designs."""
    options = OF_SAMPLES[design]
    scores = SCORE.round(1)
    curve = ThresholdCurve.from_scores(Y, scores, ties=ties, **options)
    expected = ConfusionMatrix.from_scores(Y, scores, threshold=threshold, ties=ties, **options)
    found = curve.at(threshold)
    np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12)
    for metric in ("recall", "precision", "mcc"):
        same(
            found.interval(metric, random_state=0, n_resamples=199),
            expected.interval(metric, random_state=0, n_resamples=199),
        )
    if ties == "positive":
        by = {"group": GROUP}
        at_both = ThresholdCurves.from_scores(Y, scores, by=by, **options).at_thresholds(
            [0.7, threshold]
        )
        of_group = ConfusionMatrix.from_scores(
            Y, scores, threshold=threshold, by=by, **options
        ).interval("recall")
        same(at_both.sel(threshold=threshold).interval("recall"), of_group)


def test_entries_of_several_kinds_have_the_limits_that_each_has_alone():
    # Of weights that are equal, by class, and neither; and of clusters of one and of several.
    kind = np.array(["equal", "by class", "any"])[np.arange(N) % 3]
    weights = np.select(
        [kind == "equal", kind == "by class"], [2.0, np.where(Y, 1.0, 4.0)], WEIGHTS
    )
    clusters = np.where(kind == "equal", 1_000 + np.arange(N), CLUSTERS)
    for options in ({"sample_weight": weights}, {"clusters": clusters}):
        cm = ConfusionMatrix.from_predictions(Y, PRED, by={"kind": kind}, **options)
        for metric in ("recall", "precision"):
            together = cm.interval(metric)
            for place, name in enumerate(cm.axes[0].coordinates):
                rows = kind == name
                alone = ConfusionMatrix.from_predictions(Y[rows], PRED[rows], **at(rows, options))
                expected = alone.interval(metric)
                assert (together.low[place], together.high[place]) == pytest.approx(
                    (expected.low, expected.high), rel=1e-9
                )
        both = cm.interval("recall", simultaneous=True)
        of_one = cm.sel(kind="equal").interval(
            "recall", confidence_level=1 - 0.05 / 3, method="clopper-pearson"
        )
        place = cm.axes[0].coordinates.tolist().index("equal")
        assert (both.low[place], both.high[place]) == pytest.approx((of_one.low, of_one.high))


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"sample_weight": "w"}, {"sample_weight": WEIGHTS}),
        ({"clusters": "c"}, {"clusters": CLUSTERS}),
        ({"clusters": "c", "sample_weight": "w"}, {"clusters": CLUSTERS, "sample_weight": WEIGHTS}),
    ],
)
def test_tables_have_the_design_of_arrays(columns, options):
    found = of_tables(**columns)
    expected = ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP}, **options)
    np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12)
    for metric in ("recall", "mcc"):
        same(found.interval(metric, method="auto"), expected.interval(metric, method="auto"))
    assert repr(found.design) == repr(expected.design)


def test_a_stack_of_one_is_that_design():
    for name, make in DESIGNS.items():
        design, counts = make()._design, make().counts
        assert stacked_designs([design], [counts]).moved(lambda of: of[0]).fits(counts), name


def test_gaps_of_clusters_with_one_sample_in_each_group_are_those_of_pairs():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 100)
    first = np.where(random.random(100) < 0.75, y, 1 - y)
    second = np.where(random.random(100) < 0.08, 1 - first, first)
    both, pred = np.tile(y, 2), np.r_[first, second]
    groups, clusters = np.repeat(["a", "b"], 100), np.tile(np.arange(100), 2)
    paired = ConfusionMatrix.from_predictions(both, pred, by=groups, clusters=clusters).gap(
        "accuracy"
    )
    apart = ConfusionMatrix.from_predictions(both, pred, by=groups).gap("accuracy")
    assert paired.high < 0.7 * apart.high


@pytest.mark.parametrize(
    ("columns", "metric"),
    one_in(2, [["weights"], ["clusters"], ["weights", "clusters"]], ["recall", "mcc"]),
)
def test_combinations_of_groups_without_samples_have_no_limits_and_spoil_no_others(metric, columns):
    """The slow ones are of both metrics in every design."""
    part = np.array(["u", "v", "w"])[np.arange(N) % 3]
    kept = (GROUP != "a") | (part != "w")
    given = {"weights": ("sample_weight", WEIGHTS), "clusters": ("clusters", CLUSTERS)}
    options = {name: of[kept] for name, of in (given[column] for column in columns)}
    by = {"group": GROUP[kept], "part": part[kept]}
    cm = ConfusionMatrix.from_predictions(Y[kept], PRED[kept], by=by, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cm.interval(metric, n_resamples=199)
        alone = cm.sel(group="b", part="w").interval(metric, n_resamples=199)
    assert np.isnan(found.value[0, 2])
    assert np.allclose([found.low[1, 2], found.high[1, 2]], [alone.low, alone.high])


@pytest.mark.parametrize(("n_labels", "n_groups"), one_in(2, [2, 3], [2, 3]))
def test_groups_of_several_labels_without_errors_have_the_limits_that_each_has(n_labels, n_groups):
    random = np.random.default_rng(1)
    y, groups = random.integers(0, 2, (300, n_labels)), random.integers(0, n_groups, 300)
    pred = np.where((random.random(y.shape) < 0.85) | (groups == 1)[:, None], y, 1 - y)
    options = {"average": "macro", "n_resamples": 999}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metric_interval(y, pred, "f1", by=groups, **options)
        for group in range(n_groups):
            own = groups == group
            alone = metric_interval(y[own], pred[own], "f1", **options)
            assert found.low[group] == pytest.approx(alone.low, abs=0.01)


@pytest.mark.parametrize(
    ("first", "second", "n"),
    [
        (np.array([0, 2**53 + 1]), np.array([2**63 + 1, 2**63 + 2], dtype=np.uint64), 4),
        (np.array([2**53, 2**53 + 1]), np.array([2**53, 2**53 + 1], dtype=np.uint64), 2),
    ],
)
def test_names_of_clusters_are_compared_without_rounding(first, second, n):
    one, other = (
        ConfusionMatrix.from_predictions([0, 1], [0, 0], clusters=own) for own in (first, second)
    )
    assert (one + other)._design.n_clusters == n


def test_names_of_clusters_of_different_kinds_are_refused():
    one = ConfusionMatrix.from_predictions([0, 1], [0, 0], clusters=[1, 2])
    other = ConfusionMatrix.from_predictions([0, 1], [0, 0], clusters=["1", "2"])
    with pytest.raises(ValueError, match="label types"):
        one + other


def test_matrices_of_curves_keep_the_names_of_clusters():
    days = {day: [f"{day}{k}" for k in CLUSTERS] for day in ("monday", "tuesday")}
    curves = [ThresholdCurve.from_scores(Y, SCORE, clusters=names) for names in days.values()]
    pairs = [ConfusionMatrix.from_scores(Y, SCORE, clusters=names) for names in days.values()]
    together = curves[0].at(0.5) + curves[1].at(0.5)
    assert together._design.n_clusters == 80
    assert repr(together.interval("f1")) == repr((pairs[0] + pairs[1]).interval("f1"))
    of_groups = ThresholdCurves.from_scores(
        Y, SCORE, by=GROUP, clusters=days["monday"]
    ).at_thresholds([0.5])
    assert sorted(of_groups._design.clusters) == sorted(set(days["monday"]))


def test_groups_of_clusters_at_a_prevalence_have_the_cost_that_each_has_alone():
    """Two groups of three classes: a cost of any sample is that of no entry."""
    y, pred = Y + (np.arange(N) % 3 == 0), PRED + (np.arange(N) % 4 == 0)
    cm = ConfusionMatrix.from_predictions(y, pred, by={"group": GROUP}, clusters=CLUSTERS)
    cm = cm.at_prevalence({0: 0.5, 1: 0.3, 2: 0.2})
    asked = {"cost_matrix": [[0, 1, 2], [4, 0, 1], [9, 3, 0]]}
    found = cm.interval("expected_cost", **asked)
    for place, group in enumerate("ab"):
        alone = cm.sel(group=group).interval("expected_cost", **asked)
        assert (found.low[place], found.high[place]) == pytest.approx((alone.low, alone.high))


def test_gaps_by_a_second_axis_show_the_caveats_of_few_clusters():
    by = {"group": GROUP, "part": np.array(["u", "v"])[CLUSTERS // 2 % 2]}
    cm = ConfusionMatrix.from_predictions(Y, PRED, by=by, clusters=CLUSTERS)
    with pytest.warns(UnreliableIntervalWarning, match="too few clusters, 10,"):
        gap = cm.gap("accuracy", axis="group")
    assert repr(gap).count(" *") >= 2


def repeated_folds(seed):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(60, 2)), np.repeat([0, 1], 30)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=seed)
    return X, y, cv


def test_samples_of_other_data_are_others_whatever_their_place():
    """The rows of two hospitals have the same numbers."""
    model = GaussianNB()
    first, second = (
        cross_val_confusion_matrix(model, X, y, cv=cv).sum("fold")
        for X, y, cv in map(repeated_folds, (0, 1))
    )
    assert (first + second)._design.times.sum() == 120
    X, y, cv = repeated_folds(0)
    folds = cross_val_confusion_matrix(model, X, y, cv=cv)
    both = folds.sel(fold=[0, 1, 2]).sum("fold") + folds.sel(fold=[3, 4, 5]).sum("fold")
    assert both._design.times.sum() == first._design.times.sum() == 60
    with pytest.warns(UnreliableIntervalWarning):
        lows = [cm.interval("accuracy").low for cm in (both, first)]
    assert lows[0] == pytest.approx(lows[1], rel=1e-12)
    at_half = [
        cross_val_threshold_curves(model, X, y, cv=cv).sum("fold").at(0.5)
        for X, y, cv in map(repeated_folds, (0, 1))
    ]
    assert (at_half[0] + at_half[1])._design.times.sum() == 120
    labels = [np.random.default_rng(seed).random((40, 3)) for seed in (0, 1)]
    y_true = np.tile(np.eye(2, 3), (20, 1)).astype(int)
    of_labels = [ThresholdCurves.from_scores(y_true, scores).micro.at(0.5) for scores in labels]
    assert (of_labels[0] + of_labels[1])._design.times.sum() == 80
    assert (of_labels[0] + of_labels[0])._design.times.sum() == 40


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"clusters": CLUSTERS}, {"n_clusters": "x"}),
        ({"clusters": CLUSTERS}, {"n_clusters": 1000}),
        ({"clusters": CLUSTERS}, {"repeats": "a"}),
        ({"sample_weight": WEIGHTS}, {"largest": 0.0}),
    ],
)
def test_states_whose_design_does_not_fit_are_errors(options, wrong):
    state = of_labels(**options).to_dict()
    design = state["design"]
    for name, value in wrong.items():
        if name == "largest":
            zeros = [value] * len(design[name]["values"])
            design[name] = design[name] | {"values": zeros}
        else:
            design[name] = value
    with pytest.raises(ValueError, match="'design' of state"):
        ConfusionMatrix.from_dict(state)


def test_a_cluster_without_errors_counts_less_where_it_might_have_more_of_them_than_hits():
    """All of its samples may be errors of F1, of which half are hits: 30 clusters are as 15."""
    y_true, clusters = np.tile([0, 1, 0, 1], 30), np.arange(120) // 4
    cm = ConfusionMatrix.from_predictions(y_true, y_true, clusters=clusters)
    for metric, n in (("recall", 30), ("precision", 30), ("jaccard", 15)):
        expected = mid_p(n, n).low
        assert cm.interval(metric).low == pytest.approx(expected, rel=1e-12), metric
    share = mid_p(15, 15).low
    assert cm.interval("f1").low == pytest.approx(2 * share / (1 + share), rel=1e-12)


def test_no_method_is_exact_in_name_alone():
    """Limits that `check` prefers are no method that anybody can ask of other metrics."""
    with pytest.raises(ValueError, match="method must be 'auto' or one of"):
        of_labels().interval("mcc", method="exact")


def test_two_shares_of_the_same_clusters_are_correlated():
    """The limits of a sum as in Zou (2007), with the correlation of what each cluster adds."""
    cm = of_labels(clusters=CLUSTERS).sum("group")
    is_actual = [label == Y for label in (1, 0)]
    actual = [np.bincount(CLUSTERS, of) for of in is_actual]
    right = [np.bincount(CLUSTERS, of & (PRED == Y)) for of in is_actual]
    moves = [hits - hits.sum() / n.sum() * n for hits, n in zip(right, actual, strict=True)]
    correlation = np.corrcoef(*moves)[0, 1]
    assert abs(correlation) > 0.2
    recall, specificity = cm.interval("recall"), cm.interval("specificity")
    both = [(of.value - of.low, of.high - of.value) for of in (recall, specificity)]
    below, above = (
        np.sqrt(first**2 + second**2 + 2 * correlation * first * second)
        for first, second in zip(*both, strict=True)
    )
    found = cm.interval("informedness")
    assert found.value == pytest.approx(recall.value + specificity.value - 1)
    assert (found.low, found.high) == pytest.approx(
        (found.value - below, found.value + above), rel=1e-9
    )


def test_a_miss_weighs_as_much_as_the_heavier_of_its_row_and_column():
    """Without an error its weight is known from others: 2 in its row, 1 in its column."""
    y_true, y_pred = np.repeat([[0, 0, 1], [0, 1, 1]], 10, axis=1)
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=np.repeat([1, 3, 2], 10))
    low = (2 * stats.norm.sf(stats.t.isf(0.025, 9))) ** (1 / 10)
    assert cm.interval("recall").low == pytest.approx(low, rel=1e-12)
