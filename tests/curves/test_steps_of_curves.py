"""Curves and matrices in any order of steps: the same counts, design, limits, caveats, refusals."""

import functools
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    UnreliableIntervalWarning,
    check,
    compare_curves,
    cross_val_confusion_matrix,
    cross_val_threshold_curves,
    sample_size,
)
from tests.outcomes import check_same, outcome_of
from tests.shared import for_each, one_in

RANDOM = np.random.default_rng(3)
N = 120
Y = np.arange(N) % 3 % 2
SCORE = np.clip(0.35 + 0.3 * Y + RANDOM.normal(0, 0.2, N), 0, 1).round(2)
CLUSTERS = RANDOM.integers(0, 30, N)
WEIGHTS = RANDOM.lognormal(sigma=0.5, size=N)
TIMES = RANDOM.integers(1, 4, N)
GROUPS = np.array(["a", "b"])[CLUSTERS % 2]
TABLE = pd.DataFrame({"y": Y, "score": SCORE, "w": WEIGHTS})
# Three labels of each of 60 samples.
LABELS = RANDOM.integers(0, 2, (60, 3))
OF_LABELS = np.clip(0.35 + 0.3 * LABELS + RANDOM.normal(0, 0.2, (60, 3)), 0, 1).round(2)
OF_SAMPLES = {
    "plain": {},
    "weighted": {"sample_weight": WEIGHTS},
    "frequencies": {"sample_weight": TIMES, "frequency_weights": True},
    "clusters": {"clusters": CLUSTERS},
    "weighted clusters": {"sample_weight": WEIGHTS, "clusters": CLUSTERS},
    "frequencies in clusters": {
        "sample_weight": TIMES,
        "frequency_weights": True,
        "clusters": CLUSTERS,
    },
}


def of_samples(design, **options):
    return ThresholdCurve.from_scores(Y, SCORE, **OF_SAMPLES[design], **options)


@functools.cache
def of_folds(n_repeats):
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=n_repeats, random_state=0)
    return cross_val_threshold_curves(LogisticRegression(), SCORE[:, None], Y, cv=cv)


def of_labels(**options):
    return ThresholdCurves.from_scores(LABELS, OF_LABELS, **options).micro


def of_table(**options):
    return ThresholdCurve.from_frame(TABLE, actual="y", score="score", **options)


CURVES = {
    **{name: lambda name=name: of_samples(name) for name in OF_SAMPLES},
    "given thresholds": lambda: of_samples("plain", thresholds=[0.3, 0.5, 0.8]),
    "the first class": lambda: of_samples("clusters", pos_label=0, ties="negative"),
    "another prevalence": lambda: of_samples("clusters").at_prevalence(0.6),
    "one fold": lambda: of_folds(1)[1],
    "pooled folds": lambda: of_folds(1).sum("fold"),
    "repeated folds": lambda: of_folds(2).sum("fold"),
    "a fold of repeated ones": lambda: of_folds(2)[4],
    "labels": of_labels,
    "weighted labels": lambda: of_labels(sample_weight=WEIGHTS[:60]),
    "frequencies of labels": lambda: of_labels(sample_weight=TIMES[:60], frequency_weights=True),
    "table": of_table,
    "weighted table": lambda: of_table(sample_weight="w"),
    "bins": lambda: of_table(bins=4),
    "sum": lambda: of_samples("plain", thresholds=[0.5]) + of_samples("plain", thresholds=[0.5]),
    "sum of weights": lambda: (
        of_samples("weighted", thresholds=[0.5]) + of_samples("plain", thresholds=[0.5])
    ),
    "sum at prevalences": lambda: (
        of_samples("plain", thresholds=[0.5]).at_prevalence(0.2)
        + of_samples("plain", thresholds=[0.5])
    ),
}
METRICS = ("recall", "precision", "f1", "prevalence", "accuracy", "mcc")
# Of one class, of both, and of all cells.
FEW_METRICS = ("recall", "precision", "mcc")


def check_same_matrices(found, expected, metrics=FEW_METRICS):
    """The same fields, limits, caveats and refusals."""
    check_same(found, expected)
    for metric in metrics:
        limits = [
            outcome_of(cm.interval, metric, random_state=0, n_resamples=99)
            for cm in (found, expected)
        ]
        check_same(*limits, rtol=1e-7, where=metric)


@pytest.mark.parametrize("name", one_in(2, CURVES))
def test_a_prevalence_before_a_threshold_or_after(name):
    curve = CURVES[name]()
    there = curve.at_prevalence(0.05)
    expected = curve.at(0.5).at_prevalence(0.05)
    check_same_matrices(there.at(0.5), expected)
    check_same_matrices(curve.at_prevalence(0.3).at_prevalence(0.05).at(0.5), expected, ["recall"])
    check_same_matrices(pickle.loads(pickle.dumps(there)).at(0.5), expected, ["recall"])
    for place, threshold in enumerate(there.thresholds[:3].tolist()):
        [tp] = there.at(threshold).counts[there._position, [there._position]]
        assert there.counts.tp[place] == pytest.approx(tp, rel=1e-12)
    for claims in ({"recall": 0.3}, {"precision": 0.05}):
        verdicts = [outcome_of(check, cm, claims, pos_label=1) for cm in (there.at(0.5), expected)]
        check_same(*verdicts, rtol=1e-7)


@for_each("prevalence", [0, 1, 1.5, float("nan"), "a", True])
def test_a_prevalence_is_refused_before_a_threshold_as_after(prevalence):
    curve = CURVES["plain"]()
    before = outcome_of(curve.at_prevalence, prevalence)
    assert before[0] in ("ValueError", "TypeError")
    if not isinstance(prevalence, (str, bool)):
        assert before == outcome_of(curve.at(0.5).at_prevalence, prevalence)


@pytest.mark.parametrize("pos_label", [0, 1])
@for_each("labels", [[0, 0, 0], [1, 1, 1]])
def test_a_class_without_samples_is_refused_before_a_threshold_as_after(labels, pos_label):
    weights = [1, 1, 1, 0]
    curve = ThresholdCurve.from_scores(
        [*labels, 1 - labels[0]], [0.1, 0.5, 0.9, 0.7], pos_label=pos_label, sample_weight=weights
    )
    before, after = (outcome_of(of.at_prevalence, 0.1) for of in (curve, curve.at(0.5)))
    assert before == after
    assert before[0] == "ValueError"


ADDED = {
    **{name: lambda name=name: of_samples(name, thresholds=[0.7, 0.5]) for name in OF_SAMPLES},
    "another prevalence": lambda: of_samples("plain", thresholds=[0.7, 0.5]).at_prevalence(0.3),
    "weights at a prevalence": lambda: of_samples("weighted", thresholds=[0.7, 0.5]).at_prevalence(
        0.3
    ),
    "bins": lambda: of_table(bins=2),
    "weighted bins": lambda: of_table(bins=2, sample_weight="w"),
    "bins at a prevalence": lambda: of_table(bins=2).at_prevalence(0.3),
    "further clusters": lambda: ThresholdCurve.from_scores(
        Y, SCORE, thresholds=[0.7, 0.5], clusters=CLUSTERS + 15
    ),
    "clusters of other names": lambda: ThresholdCurve.from_scores(
        Y, SCORE, thresholds=[0.7, 0.5], clusters=CLUSTERS.astype(str)
    ),
    "clusters at a prevalence": lambda: of_samples("clusters", thresholds=[0.7, 0.5]).at_prevalence(
        0.3
    ),
    "clusters and others": lambda: ADDED["clusters"]() + ADDED["plain"](),
    "clusters and others at a prevalence": lambda: ADDED["clusters and others"]().at_prevalence(
        0.3
    ),
    "repeated folds": lambda: with_thresholds(of_folds(2).sum("fold")),
}
OWN_REFUSALS = ("curves can be added only at equal", "these curves have different")


@functools.cache
def curve_to_add(name):
    return ADDED[name]()


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", ADDED)
def test_curves_added_are_their_matrices_added(first, step):
    """Each with a quarter of the others, and itself; the slow test takes all."""
    names = [*ADDED]
    for second in names[names.index(first) % step :: step]:
        pair = curve_to_add(first), curve_to_add(second)
        added = outcome_of(lambda one, other: one + other, *pair)
        if added[0] == "ValueError":
            if not added[1].startswith(OWN_REFUSALS):
                assert added == outcome_of(lambda one, other: one.at(0.5) + other.at(0.5), *pair)
            continue
        together, _ = added
        expected = pair[0].at(0.5) + pair[1].at(0.5)
        check_same_matrices(together.at(0.5), expected)
        check_same_matrices(pickle.loads(pickle.dumps(together)).at(0.5), expected, ["recall"])
        tp = together.counts.tp[together.thresholds == 0.5].item()
        assert tp == pytest.approx(together.at(0.5).counts[1, 1], rel=1e-12)
        at_prevalence = [outcome_of(of.at_prevalence, 0.1) for of in (together, expected)]
        if isinstance(at_prevalence[0][0], str):
            assert at_prevalence[0] == at_prevalence[1]
        else:
            check_same_matrices(at_prevalence[0][0].at(0.5), at_prevalence[1][0], ["recall"])


CHUNKS = np.array_split(np.random.default_rng(5).permutation(N), 4)


@pytest.mark.parametrize(("name", "pos_label"), one_in(2, OF_SAMPLES, [0, 1]))
def test_chunks_of_a_curve_are_the_curve(name, pos_label):
    """At the same scores, so that areas are known."""
    options = OF_SAMPLES[name]
    score = np.clip(np.round(SCORE * 4), 1, 3)
    levels = np.unique(score)[::-1]

    def of_rows(rows):
        own = {key: of if isinstance(of, bool) else of[rows] for key, of in options.items()}
        return ThresholdCurve.from_scores(Y[rows], score[rows], pos_label=pos_label, **own)

    chunks = [of_rows(rows) for rows in CHUNKS]
    assert all(np.array_equal(chunk.thresholds, levels) for chunk in chunks)
    whole = of_rows(np.concatenate(CHUNKS))
    for added in (sum(chunks), chunks[3] + (chunks[1] + (chunks[0] + chunks[2]))):
        check_same_matrices(added.at(2), whole.at(2))
        check_same(added.counts, whole.counts)
        for of_area in ("roc_auc", "average_precision"):
            check_same(*[outcome_of(of.interval, of_area) for of in (added, whole)], rtol=1e-9)
        check_same(*[outcome_of(of.best, "f1") for of in (added, whole)])


def test_samples_without_clusters_are_clusters_of_their_own_in_a_sum():
    """Of numbers of samples, as many as there are."""
    score = np.clip(np.round(SCORE * 4), 1, 3)
    expected, with_both = (
        ThresholdCurve.from_scores(
            *(np.concatenate([of, *[np.repeat(of, TIMES)] * n]) for of in (Y, score)),
            clusters=np.concatenate([CLUSTERS, 1000 + np.arange(n * TIMES.sum())]),
        )
        for n in (1, 2)
    )
    once = {"sample_weight": np.ones(N, dtype=int), "frequency_weights": True}
    clustered = ThresholdCurve.from_scores(Y, score, clusters=CLUSTERS, **once)
    table = pd.DataFrame({"y": np.repeat(Y, TIMES), "score": np.repeat(score, TIMES)})
    alone = (
        ThresholdCurve.from_scores(Y, score, sample_weight=TIMES, frequency_weights=True),
        ThresholdCurve.from_frame(table, actual="y", score="score"),
    )
    sums = [(clustered + other, expected) for other in alone]
    sums += [(other + clustered, expected) for other in alone]
    sums.append((alone[0] + clustered + alone[1], with_both))
    for added, expected in sums:
        for of_area in ("roc_auc", "average_precision"):
            check_same(*[outcome_of(of.interval, of_area) for of in (added, expected)], 1e-9)
        for metric in FEW_METRICS:
            limits = [outcome_of(of.at(2).interval, metric) for of in (added, expected)]
            check_same(*limits, rtol=1e-7, where=metric)


@for_each("weights", [None, TIMES[:60]])
def test_micro_curves_of_other_samples_are_of_other_samples(weights):
    """Also where the samples have the same numbers."""
    coarse = np.clip(np.round(OF_LABELS * 4), 1, 3)

    def micro(rows):
        own = None if weights is None else weights[rows]
        of_rows = ThresholdCurves.from_scores(LABELS[rows], coarse[rows], sample_weight=own)
        return of_rows.micro

    added, whole = micro(slice(30)) + micro(slice(30, 60)), micro(slice(60))
    check_same(added.at(2).counts, whole.at(2).counts)
    assert repr(added.at(2).design) == repr(whole.at(2).design)
    for metric in METRICS:
        limits = [outcome_of(of.at(2).interval, metric, random_state=0) for of in (added, whole)]
        check_same(*limits, rtol=1e-7, where=metric)
    alone = ThresholdCurve.from_scores(LABELS[:, 0], coarse[:, 0])
    for of_area in ("roc_auc", "average_precision"):
        check_same(*[outcome_of(of.interval, of_area) for of in (added, whole)], rtol=1e-9)
        if weights is None:
            either = (alone + whole, whole + alone)
            check_same(*[outcome_of(of.interval, of_area) for of in either], rtol=1e-9)
            assert either[0].interval(of_area).method.endswith("of 120 samples")


def test_operating_points_need_samples_of_both_classes_whose_weights_are_known():
    at_point = {"metric": "recall", "subject_to": {"specificity": 0.5}, "n_resamples": 100}
    one = of_samples("frequencies")
    with pytest.raises(ValueError, match="needs a curve at every score, of independent samples"):
        (one.at_prevalence(0.3) + one).interval(**at_point)
    for label in (0, 1):
        times = np.where(label == Y, 0, TIMES)
        curve = ThresholdCurve.from_scores(Y, SCORE, sample_weight=times, frequency_weights=True)
        with pytest.raises(ValueError, match="an operating point needs positive and negative"):
            curve.interval(**at_point)


def with_thresholds(curve):
    """The same samples at two thresholds, as curves are that can be added."""
    return curve._of_samples(
        curve._samples,
        (curve.labels, curve.pos_label, False),
        thresholds=[0.7, 0.5],
        design=curve._design,
        unit=curve._unit,
    )


def test_a_sum_keeps_what_either_curve_says_of_folds():
    pooled = with_thresholds(CURVES["pooled folds"]())
    plain = of_samples("plain", thresholds=[0.7, 0.5])
    for one, other in ((pooled, plain), (plain, pooled), (pooled, pooled)):
        added = (one + other).at(0.5)
        assert added._design.n_models == 3
        with pytest.warns(UnreliableIntervalWarning, match="pooled over 3 models"):
            added.interval("recall")
        check_same_matrices(added, one.at(0.5) + other.at(0.5))


SEVERAL = {
    **{
        f"groups, {name}": lambda options=options: ThresholdCurves.from_scores(
            Y, SCORE, by=GROUPS, **options
        )
        for name, options in OF_SAMPLES.items()
    },
    "the first class": lambda: ThresholdCurves.from_scores(
        Y, SCORE, by=GROUPS, pos_label=0, clusters=CLUSTERS
    ),
    "folds": lambda: of_folds(1),
    "repeated folds": lambda: of_folds(2),
    "classes": lambda: ThresholdCurves.from_scores(
        Y, np.stack([1 - SCORE, SCORE], 1), sample_weight=WEIGHTS
    ),
    **{
        f"labels, {name}": lambda options=options: ThresholdCurves.from_scores(
            LABELS,
            OF_LABELS,
            **{key: of if isinstance(of, bool) else of[:60] for key, of in options.items()},
        )
        for name, options in OF_SAMPLES.items()
    },
    "labels, some of weight 0": lambda: ThresholdCurves.from_scores(
        LABELS, OF_LABELS, sample_weight=np.arange(60) % 3 > 0
    ),
    "labels of float32": lambda: ThresholdCurves.from_scores(LABELS, OF_LABELS.astype(np.float32)),
}


@pytest.mark.parametrize("name", one_in(2, SEVERAL))
def test_several_curves_at_a_threshold(name):
    curves = SEVERAL[name]()
    axis = curves.axis.name
    tables = curves.at_thresholds([0.7, 0.5])
    for entry in list(curves)[:2]:
        there = tables.sel(**{axis: entry, "threshold": 0.5})
        alone = curves[entry].at(0.5)
        check_same(there.counts, alone.counts)
        check_same(there._design, alone._design)
    summed = tables.sel(threshold=0.5).sum(axis)
    check_same(tables.sum(axis).sel(threshold=0.5), summed)
    stored = pickle.loads(pickle.dumps(tables))
    check_same(stored.sel(threshold=0.5).sum(axis), summed)
    # Steps that nobody needs commute, too.
    entry = next(iter(curves))
    check_same(tables.sum(axis).sum("threshold"), tables.sum("threshold").sum(axis))
    of_entry = tables.sel(**{axis: entry}).sum("threshold")
    check_same(of_entry, tables.sum("threshold").sel(**{axis: entry}))
    for own in (curves, pickle.loads(pickle.dumps(curves))):
        pooled = own.micro if curves.pos_label is None else own.sum(axis)
        assert repr(summed) == repr(pooled.at(0.5))
        check_same_matrices(summed, pooled.at(0.5))
        check_same_matrices(summed.at_prevalence(0.2), pooled.at_prevalence(0.2).at(0.5))


@for_each("n_repeats", [1, 2])
def test_curves_of_folds_say_what_the_matrix_of_folds_says(n_repeats):
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=n_repeats, random_state=0)
    cm = cross_val_confusion_matrix(LogisticRegression(), SCORE[:, None], Y, cv=cv)
    curves = of_folds(n_repeats)
    assert cm._design.train_share == pytest.approx(2 / 3)
    for found, expected in (
        (curves[1].at(0.5), cm.sel(fold=1)),
        (curves.sum("fold").at(0.5), cm.sum("fold")),
        (curves.at_thresholds([0.5]).sel(threshold=0.5), cm),
        (curves.sum("fold").at_prevalence(0.3).at(0.5), cm.sum("fold").at_prevalence(0.3)),
    ):
        check_same(found.counts, expected.counts)
        assert repr(found.design) == repr(expected.design)
        for name in ("repeats", "folds", "shared", "n_models", "train_share"):
            check_same(getattr(found._design, name), getattr(expected._design, name))
        limits = [outcome_of(of.interval, "recall") for of in (found, expected)]
        check_same(*limits, rtol=1e-9)


@for_each("n_repeats", [1, 2])
def test_all_that_is_said_of_a_curve_of_folds_has_their_caveat(n_repeats):
    curve = of_folds(n_repeats).sum("fold")
    code = "repeated_folds" if n_repeats > 1 else "pooled_folds"
    worse = curve._of_samples(
        curve._samples._replace(scores=np.roll(curve._samples.scores, 1)),
        (curve.labels, curve.pos_label, False),
        design=curve._design,
        unit=curve._unit,
    )
    pair = {"a": curve, "b": worse}
    plan = {"subject_to": {"specificity": 0.5}, "n_resamples": 100}
    there = curve.at_prevalence(0.3)
    calls = [
        lambda: curve.interval("roc_auc"),
        lambda: curve.interval("average_precision"),
        lambda: there.interval("roc_auc"),
        lambda: there.interval("average_precision"),
        lambda: there.at(0.5).interval("recall"),
        lambda: compare_curves(pair),
        lambda: compare_curves(pair, "average_precision"),
    ]
    if n_repeats == 1:
        calls.append(lambda: curve.interval("recall", **plan))
        calls.append(lambda: compare_curves(pair, "recall", **plan))
    for call in calls:
        with pytest.warns(UnreliableIntervalWarning):
            found = call()
        assert [caveat.code for caveat in found.caveats].count(code) == 1
        if n_repeats > 1:
            [text] = [caveat.text for caveat in found.caveats if caveat.code == code]
            assert text.startswith("counts pooled over 6 models of repeated cross-validation")
    if n_repeats == 1:
        with pytest.warns(UnreliableIntervalWarning, match="counts pooled over 3 models"):
            sample_size("roc_auc", pilot=pair, n=200)
    else:
        with pytest.raises(ValueError, match="pilot has curves of clusters"):
            sample_size("roc_auc", pilot=pair, n=200)
    verdicts = check(curve.at_prevalence(0.3).at(0.5), {"recall": 0.05})
    assert verdicts.verdict.tolist() == ["cannot tell" if n_repeats > 1 else "pass"]


@for_each("area", ["roc_auc", "average_precision"])
def test_frequencies_of_samples_with_several_labels_are_repeated_rows(area):
    times = TIMES[:60]
    y_true, scores = np.repeat(LABELS, times, axis=0), np.repeat(OF_LABELS, times, axis=0)
    rows = ThresholdCurves.from_scores(y_true, scores).micro
    frequencies = of_labels(sample_weight=times, frequency_weights=True)
    for name in METRICS:
        limits = [
            outcome_of(of.at(0.5).interval, name, random_state=0) for of in (frequencies, rows)
        ]
        check_same(*limits, rtol=1e-9)
    assert repr(frequencies.at(0.5).design) == repr(rows.at(0.5).design)
    check_same(*[outcome_of(of.interval, area) for of in (frequencies, rows)], rtol=1e-9)


@for_each("clusters", [None, CLUSTERS])
def test_frequencies_are_repeated_rows_in_all_that_curves_say(clusters):
    """So often 0 is no row; another model has other scores."""
    times = np.where(np.arange(N) % 10 == 0, 0, TIMES)
    other = np.roll(SCORE, 3) / 2 + SCORE / 2
    rows = {"clusters": None if clusters is None else np.repeat(clusters, times)}
    pairs = (
        {
            name: ThresholdCurve.from_scores(
                Y, scores, sample_weight=times, frequency_weights=True, clusters=clusters
            )
            for name, scores in (("a", SCORE), ("b", other))
        },
        {
            name: ThresholdCurve.from_scores(np.repeat(Y, times), np.repeat(scores, times), **rows)
            for name, scores in (("a", SCORE), ("b", other))
        },
    )
    at_recall = {"subject_to": {"specificity": 0.7}, "n_resamples": 100}
    costs = np.arange(4.0 * N).reshape(N, 2, 2)
    of_rows = (costs, np.repeat(costs, times, axis=0))
    calls = [
        lambda pair: compare_curves(pair),
        lambda pair: compare_curves(pair, "average_precision"),
        lambda pair: compare_curves({"a": pair["a"], "a again": pair["a"]}),
        lambda pair: compare_curves(pair, "recall", **at_recall),
        lambda pair: sample_size("roc_auc", pilot=pair, n=200),
        lambda pair: pair["b"].interval("recall", **at_recall),
        lambda pair: pair["b"].interval("roc_auc"),
        lambda pair: pair["b"].interval("average_precision"),
        lambda pair: pair["b"].at_prevalence(0.4).interval("average_precision"),
        lambda pair: pair["b"].best("f1", subject_to={"recall": 0.5}),
        lambda pair: pair["b"].score("expected_cost", cost_matrix=of_rows[pair is pairs[1]]),
        lambda pair: pair["b"].at(0.4),
    ]
    for call in calls:
        check_same(*[outcome_of(call, pair) for pair in pairs], rtol=1e-9)


@for_each("clusters", [None, CLUSTERS])
@for_each("weights", [np.ones(N, dtype=int), WEIGHTS])
def test_samples_of_weight_0_are_none_in_all_that_curves_say(weights, clusters):
    kept = CLUSTERS % 6 > 0
    of_kept = weights[kept] if weights is WEIGHTS else None
    other = np.roll(SCORE, 3) / 2 + SCORE / 2
    pairs = (
        {
            name: ThresholdCurve.from_scores(
                Y, scores, sample_weight=weights * kept, clusters=clusters
            )
            for name, scores in (("a", SCORE), ("b", other))
        },
        {
            name: ThresholdCurve.from_scores(
                Y[kept],
                scores[kept],
                sample_weight=of_kept,
                clusters=None if clusters is None else clusters[kept],
            )
            for name, scores in (("a", SCORE), ("b", other))
        },
    )
    at_point = {"subject_to": {"specificity": 0.7}, "n_resamples": 100}
    calls = [
        lambda pair: compare_curves(pair),
        lambda pair: compare_curves(pair, "average_precision"),
        lambda pair: pair["b"].interval("recall", **at_point),
        lambda pair: pair["b"].interval("roc_auc"),
        lambda pair: pair["b"].interval("average_precision"),
        lambda pair: pair["b"].at_prevalence(0.4).interval("average_precision"),
        lambda pair: pair["b"].best("f1", subject_to={"recall": 0.5}),
        lambda pair: pair["b"].at(0.4).interval("precision"),
    ]
    for call in calls:
        check_same(*[outcome_of(call, pair) for pair in pairs], rtol=1e-9)


def test_numbers_of_a_table_are_of_no_sample_in_particular():
    for curve in (of_table(), of_table() + of_samples("frequencies")):
        with pytest.raises(ValueError, match="has counts per score, not each sample's"):
            compare_curves({"a": curve, "b": curve})
    added = of_table(bins=2) + of_table(bins=2)
    assert added.counts.tp[-1] == 2 * Y.sum()


@for_each("design", OF_SAMPLES)
def test_areas_at_a_prevalence(design):
    curve = of_samples(design)
    there = curve.at_prevalence(0.05)
    check_same(*[outcome_of(of.interval, "roc_auc") for of in (there, curve)], rtol=1e-12)
    weights = OF_SAMPLES[design].get("sample_weight", np.ones(N))
    share = weights[Y == 1].sum() / weights.sum()
    found, random = (of.interval("average_precision") for of in (curve.at_prevalence(share), curve))
    assert found.value == pytest.approx(random.value, rel=1e-12)
    assert random.low < found.low < found.value < found.high < random.high
    # Weights of their own give the same rows.
    if "frequency_weights" not in OF_SAMPLES[design]:
        of_rows = np.where(Y == 1, 0.05 / share, 0.95 / (1 - share)) * weights
        options = OF_SAMPLES[design] | {"sample_weight": of_rows}
        weighted = ThresholdCurve.from_scores(Y, SCORE, **options).at_prevalence(0.05)
        intervals = [outcome_of(of.interval, "average_precision") for of in (there, weighted)]
        check_same(*intervals, rtol=1e-9)


def test_a_curve_at_a_prevalence_has_no_operating_points():
    with pytest.raises(ValueError, match="an operating point needs a curve at every score"):
        of_samples("plain").at_prevalence(0.1).interval("precision", subject_to={"recall": 0.5})


@for_each("name", ["weighted", "weighted clusters", "another prevalence"])
def test_a_pilot_of_weights_gives_no_numbers_of_samples(name):
    pair = {"a": CURVES[name](), "b": CURVES[name]()}
    with pytest.raises(ValueError, match="which do not give numbers of samples"):
        sample_size("roc_auc", pilot=pair, n=200)


def test_areas_of_sums_at_prevalences_are_not_known():
    added = CURVES["sum at prevalences"]()
    expected = outcome_of(added.at(0.5).interval, "recall")
    with pytest.raises(ValueError, match="put together are of") as caught:
        compare_curves({"a": added, "b": added})
    assert expected[1].split("because")[1] == str(caught.value).split("because")[1]


@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64])
@for_each("design", ["plain", "weighted", "clusters", "weighted clusters"])
def test_a_score_at_the_threshold_is_counted_with_its_design(design, dtype, ties):
    """Of float32 the scores are below 0.7 as Python has it, or above it."""
    scores = np.array([0.6, 0.7, 0.8], dtype=dtype)[np.arange(N) % 3]
    curve = ThresholdCurve.from_scores(Y, scores, ties=ties, **OF_SAMPLES[design])
    is_positive = np.arange(N) % 3 >= (1 if ties == "positive" else 2)
    expected = ConfusionMatrix.from_predictions(Y, is_positive.astype(int), **OF_SAMPLES[design])
    check_same(curve.at(0.7), expected)
    check_same(curve.at_prevalence(0.1).at(0.7), expected.at_prevalence(0.1))
    if ties == "positive":
        by = ThresholdCurves.from_scores(Y, scores, by=GROUPS, **OF_SAMPLES[design]).at_thresholds(
            [0.7]
        )
        check_same(by.sel(threshold=by.axes[1].coordinates[0].item()).sum("group"), expected)


def test_classes_and_clusters_that_are_equal_as_floats_are_two():
    """Labels of 2**60 and the next one."""
    large = 2**60
    labels, clusters = large + Y, large + np.arange(N) % 2 + 2 * (CLUSTERS % 7)
    curve = ThresholdCurve.from_scores(labels, SCORE, pos_label=large + 1, clusters=clusters)
    plain = ThresholdCurve.from_scores(Y, SCORE, clusters=clusters - large)
    assert curve.labels.tolist() == [large, large + 1]
    there, expected = (of.at_prevalence(0.2).at(0.5) for of in (curve, plain))
    check_same(there.counts, expected.counts)
    assert there._design.of.clusters.tolist() == (large + expected._design.of.clusters).tolist()
    check_same(there._design.of.units.toarray(), expected._design.of.units.toarray())


def test_clusters_at_too_many_thresholds_say_so(monkeypatch):
    monkeypatch.setattr("skmetrics_ext.curves.designs.MOST_IN_CLUSTERS", 2 * N)
    curves = ThresholdCurves.from_scores(Y, SCORE, by=np.zeros(N, dtype=int), clusters=CLUSTERS)
    assert curves.at_thresholds([0.3, 0.5]).sum("group")._design.sees_samples
    with pytest.raises(ValueError, match="the clusters at so many thresholds"):
        curves.at_thresholds([0.3, 0.5, 0.7]).interval("recall")


def test_areas_of_too_many_repeated_rows_are_refused(monkeypatch):
    curve = of_labels(sample_weight=TIMES[:60], frequency_weights=True)
    monkeypatch.setattr("skmetrics_ext.curves.data.MOST_ROWS", 3 * TIMES[:60].sum())
    assert curve.interval("roc_auc").n == 3 * TIMES[:60].sum()
    monkeypatch.setattr("skmetrics_ext.curves.data.MOST_ROWS", 3 * TIMES[:60].sum() - 1)
    with pytest.raises(ValueError, match="samples would take too much memory"):
        curve.interval("roc_auc")


def test_values_at_a_prevalence_are_those_of_the_weights():
    curve, share = of_samples("weighted"), WEIGHTS[Y == 1].sum() / WEIGHTS.sum()
    weights = np.where(Y == 1, 0.1 / share, 0.9 / (1 - share)) * WEIGHTS
    weighted = ThresholdCurve.from_scores(Y, SCORE, sample_weight=weights)
    there = curve.at_prevalence(0.1)
    np.testing.assert_allclose(there.net_benefit([0.2, 0.5]), weighted.net_benefit([0.2, 0.5]))
    costs = np.arange(4.0 * N).reshape(N, 2, 2)
    np.testing.assert_allclose(
        there.score("expected_cost", cost_matrix=costs),
        weighted.score("expected_cost", cost_matrix=costs),
    )
