"""Matrices of every design in any order of steps: the same counts, design, limits and refusals."""

import json
import pickle
from functools import cache, reduce
from operator import add

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedStratifiedKFold

from skmetrics_ext import ConfusionMatrix, cross_val_confusion_matrix
from skmetrics_ext.reading.order import plain
from tests.outcomes import check_same, outcome_of
from tests.shared import for_each, one_in

RANDOM = np.random.default_rng(11)
N = 240
Y = RANDOM.integers(0, 2, N)
PRED = np.where(RANDOM.random(N) < 0.8, Y, 1 - Y)
BY = {
    "group": np.array(["a", "b", "c"])[RANDOM.integers(0, 3, N)],
    "part": RANDOM.integers(0, 2, N),
}
WEIGHTS = RANDOM.lognormal(sigma=0.5, size=N)
CLUSTERS = RANDOM.integers(0, 60, N)
TIMES = RANDOM.integers(1, 4, N)
LABELS = RANDOM.integers(0, 2, (N, 3))
CALLED = np.where(RANDOM.random((N, 3)) < 0.8, LABELS, 1 - LABELS)
KNOWN = np.where(RANDOM.random(N) < 0.7, Y, np.nan)
OF_SAMPLES = {
    "plain": {},
    "weighted": {"sample_weight": WEIGHTS},
    "frequencies": {"sample_weight": TIMES, "frequency_weights": True},
    "clusters": {"clusters": CLUSTERS},
    "weighted clusters": {"sample_weight": WEIGHTS, "clusters": CLUSTERS},
}


@cache
def of_folds(n_repeats):
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=n_repeats, random_state=0)
    model = DummyClassifier(strategy="uniform", random_state=0)
    return cross_val_confusion_matrix(model, np.zeros((N, 1)), Y, cv=cv, by=BY, labels=[0, 1])


# Each by group and part, and maybe more.
DESIGNS = {
    **{
        name: lambda options=options: ConfusionMatrix.from_predictions(Y, PRED, by=BY, **options)
        for name, options in OF_SAMPLES.items()
    },
    "labels": lambda: ConfusionMatrix.from_predictions(LABELS, CALLED, by=BY),
    "labels of clusters": lambda: ConfusionMatrix.from_predictions(
        LABELS, CALLED, by=BY, clusters=CLUSTERS
    ),
    "folds": lambda: of_folds(1),
    "repeated folds": lambda: of_folds(2),
    "pooled folds": lambda: of_folds(1).sum("fold"),
    "pooled repeated folds": lambda: of_folds(2).sum("fold"),
    "rescaled": lambda: DESIGNS["plain"]().at_prevalence(0.2),
    "rescaled weights": lambda: DESIGNS["weighted"]().at_prevalence(0.2),
    "rescaled folds": lambda: of_folds(1).at_prevalence(0.2),
    "partly labelled": lambda: ConfusionMatrix.from_partial_labels(
        KNOWN, PRED.astype(float), by=BY
    ),
    "several prevalences": lambda: DESIGNS["clusters"]().at_prevalence([0.1, 0.4]),
}
METRICS = ("recall", "precision", "accuracy", "informedness")


def limits_of(cm, metric):
    return outcome_of(cm.interval, metric, pos_label=1, n_resamples=199)


def check_same_matrices(found, expected):
    """The same fields, limits, caveats and refusals."""
    check_same(found, expected)
    # Of the counts of every cell; others are asked of entries.
    check_same(limits_of(found, "precision"), limits_of(expected, "precision"), 1e-7)


@pytest.mark.parametrize("name", one_in(2, DESIGNS))
def test_sums_and_selections_of_other_axes_commute(name):
    cm = DESIGNS[name]()
    for summed, chosen in (("part", {"group": "b"}), ("group", {"part": 1})):
        check_same_matrices(cm.sum(summed).sel(**chosen), cm.sel(**chosen).sum(summed))
    several = {"group": ["c", "a"]}
    check_same_matrices(cm.sum("part").sel(**several), cm.sel(**several).sum("part"))
    check_same_matrices(cm.sum("part").sum("group"), cm.sum("group").sum("part"))
    in_order = cm.with_labels([1, 0])
    check_same_matrices(in_order.sum("part"), cm.sum("part").with_labels([1, 0]))
    check_same_matrices(in_order.sel(group="a"), cm.sel(group="a").with_labels([1, 0]))


@pytest.mark.parametrize("name", one_in(2, DESIGNS, start=1))
def test_a_stack_of_entries_is_the_matrix(name):
    cm = DESIGNS[name]()
    own = {key: cm.sel(group=key) for key in ("a", "b", "c")}
    stacked = ConfusionMatrix.stack(own, axis="group")
    if cm.axes[0].name == "group":
        check_same(stacked.counts, cm.counts)
        check_same(stacked._design, cm._design)
    for key, alone in own.items():
        check_same_matrices(stacked.sel(group=key), alone)
    summed = stacked.sum("group")
    check_same_matrices(reduce(add, own.values()), summed)
    check_same_matrices(summed, cm.sum("group"))
    check_same_matrices(reduce(add, [*own.values()][::-1]), summed)


@pytest.mark.parametrize("name", one_in(2, DESIGNS, start=1))
def test_limits_of_an_entry_are_those_of_the_entry_selected(name):
    cm = DESIGNS[name]()
    place = [axis.name for axis in cm.axes].index("group")
    for metric in METRICS:
        found, alone = limits_of(cm, metric), limits_of(cm.sel(group="b"), metric)
        if isinstance(found[0], str) or isinstance(alone[0], str):
            assert found == alone
            continue
        for field in ("value", "low", "high", "n"):
            of_entry = np.take(getattr(found[0], field), 1, axis=place)
            np.testing.assert_allclose(of_entry, getattr(alone[0], field), rtol=1e-9)


@pytest.mark.parametrize("name", one_in(2, DESIGNS, start=1))
def test_what_is_stored_is_whole(name):
    cm = DESIGNS[name]()
    for of in (cm, cm.sum("part"), cm.sel(group=["b", "c"])):
        states = (of.to_dict(cluster_names=True), json.loads(json.dumps(of.to_dict())))
        # Of the same fields are the same limits.
        check_same(pickle.loads(pickle.dumps(of)), of)
        check_same(ConfusionMatrix.from_dict(states[0]), of)
        nameless = ConfusionMatrix.from_dict(states[1])
        check_same(limits_of(nameless, "recall"), limits_of(of, "recall"), 1e-12)
        assert nameless._design.fits(of.counts)


@pytest.mark.parametrize("name", one_in(2, [name for name in DESIGNS if "prevalences" not in name]))
def test_prevalences_and_selections_commute(name):
    cm = DESIGNS[name]()
    expected = cm.sel(group="b").at_prevalence(0.3)
    check_same_matrices(cm.at_prevalence(0.3).sel(group="b"), expected)
    check_same_matrices(cm.at_prevalence([0.3, 0.1]).sel(group="b", prevalence=0.3), expected)
    check_same_matrices(cm.at_prevalence(0.5).sel(group="b").at_prevalence(0.3), expected)
    if "fold" in [axis.name for axis in cm.axes]:
        of_fold = cm.sel(fold=1).at_prevalence(0.3)
        assert of_fold._design.n_models == 1
        check_same_matrices(cm.at_prevalence(0.5).sel(fold=1).at_prevalence(0.3), of_fold)


def parts_at_once(options, rows):
    """The options of some samples."""
    return {
        name: value if isinstance(value, bool) else value[rows] for name, value in options.items()
    }


@for_each("name", OF_SAMPLES)
def test_chunks_of_samples_are_all_samples(name):
    options = OF_SAMPLES[name]
    chunks = np.array_split(RANDOM.permutation(N), 4)
    each = [
        ConfusionMatrix.from_predictions(
            Y[rows],
            PRED[rows],
            by={key: of[rows] for key, of in BY.items()},
            **parts_at_once(options, rows),
        )
        for rows in chunks
    ]
    expected = DESIGNS[name]()
    check_same_matrices(sum(each), expected)
    check_same_matrices(each[3] + (each[1] + (each[0] + each[2])), expected)
    stacked = ConfusionMatrix.stack(dict(enumerate(each)), axis="day")
    check_same(stacked.sum("day")._design, expected._design)
    check_same_matrices(stacked.sel(day=[2, 0, 3, 1]).sum("part").sum("day"), expected.sum("part"))
    written = [ConfusionMatrix.from_dict(cm.to_dict(cluster_names=True)) for cm in each]
    check_same_matrices(sum(written), expected)


@pytest.mark.filterwarnings("ignore")
@for_each("times", [1, 2])
def test_folds_that_are_added_are_those_that_are_summed(times):
    """By +, by a stack, and by the axis: of one model, of several, and of groups of one."""
    cm = of_folds(times)
    some = plain(cm.axes[0].coordinates)[:3]
    whole = cm.sel(fold=some).sum("fold")
    each = [cm.sel(fold=fold) for fold in some]
    stacked = ConfusionMatrix.stack(dict(zip(some, each, strict=True)), axis="fold").sum("fold")
    for found in (each[0] + each[1] + each[2], each[2] + each[0] + each[1], stacked):
        assert repr(found.design) == repr(whole.design)
        assert found._design.models == tuple(sorted(whole._design.models))
        codes = [{caveat.code for caveat in of.interval("recall").caveats} for of in (found, whole)]
        assert codes[0] == codes[1]
        assert codes[0] & {"pooled_folds", "repeated_folds"}
    twice = each[0] + cm.sel(fold=some[0])
    assert twice._design.n_models == 1
    assert not {caveat.code for caveat in twice.interval("recall").caveats} & {"pooled_folds"}
