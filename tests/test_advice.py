"""The advice of a caveat or an error, followed as it is written, ends it, and less does not."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    classification_report,
    compare,
    compare_estimators,
    compare_folds,
    cross_val_confusion_matrix,
    cross_val_interval,
    metric_interval,
    sample_size,
    watch,
)

TWO = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
GROUPS = ConfusionMatrix.from_counts(
    [[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[3, 1], [4, 0]]], labels=[0, 1]
)
OF_FEW = ConfusionMatrix.from_counts(
    [[[700, 300], [200, 800]], [[800, 200], [410, 590]], [[3, 2], [4, 4]]], labels=[0, 1]
)
KNOWN = np.where(np.arange(400) % 5 < 3, np.tile([0.0, 1.0], 200), np.nan)
PARTLY_KNOWN = ConfusionMatrix.from_partial_labels(
    KNOWN,
    np.where(np.arange(400) % 7, np.tile([0.0, 1.0], 200), 0.0),
    by={"group": np.arange(400) // 4 % 3},
)
NO_HITS = ConfusionMatrix.from_counts([[[70, 30], [50, 0]], [[80, 20], [60, 0]]], labels=[0, 1])


def heard(call, **options):
    """What a call says: its warnings, or its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(**options)
        except ValueError as error:
            return [str(error)]
    return [str(warning.message) for warning in caught]


# Calls, and the beginning of what they say; the advice is in its options.
ADVISED = {
    "few replicates": (
        lambda **options: TWO.interval(
            "mcc", **{"method": "smoothed-bootstrap", "confidence_level": 0.999, **options}
        ),
        r"100 replicates are too few",
        {"n_resamples": 100},
    ),
    "few replicates at a level that floats round": (
        lambda **options: TWO.interval(
            "mcc", **{"method": "smoothed-bootstrap", "confidence_level": 0.9999, **options}
        ),
        r"100 replicates are too few",
        {"n_resamples": 100},
    ),
    "few replicates together": (
        lambda **options: GROUPS.sel(axis_0=[0, 1]).interval(
            "mcc", **{"method": "smoothed-bootstrap", "simultaneous": True, **options}
        ),
        r"101 replicates are too few",
        {"n_resamples": 101, "confidence_level": 0.99},
    ),
    "few replicates of groups": (
        lambda **options: PARTLY_KNOWN.gap("recall", **{"confidence_level": 0.99, **options}),
        r"101 replicates are too few for such",
        {"n_resamples": 101},
    ),
    "a gap of few": (
        lambda **options: GROUPS.gap("recall", **options),
        r"the gap in recall is determined by groups with few",
        {},
    ),
    "a gap whose test has few": (
        lambda **options: OF_FEW.gap("mcc", **options),
        r"the (test|gap).*few",
        {"n_resamples": 199},
    ),
    "a ratio of zeros": (
        lambda **options: NO_HITS.gap("recall", **options),
        r"recall is 0 in all groups",
        {"kind": "ratio"},
    ),
}


def options_of(text):
    """The options that a sentence advises, as Python reads them."""
    found = re.findall(r"(\w+)=('\w+'|\d+)", text)
    return {name: value.strip("'") if value[0] == "'" else int(value) for name, value in found}


@pytest.mark.parametrize(("call", "words", "options"), ADVISED.values(), ids=ADVISED)
def test_options_that_are_advised_end_the_caveat(call, words, options):
    said = [text for text in heard(call, **options) if re.match(words, text)]
    assert len(said) == 1
    advised = options_of(said[0])
    assert advised
    assert not [text for text in heard(call, **options | advised) if re.match(words[4:], text)]
    assert not [text for text in heard(call, **options | advised) if text == said[0]]
    if "n_resamples" in advised:
        less = options | {"n_resamples": advised["n_resamples"] - 1}
        assert [text for text in heard(call, **less) if "replicates are too few" in text]
        assert not heard(call, **options | advised)


RANDOM = np.random.default_rng(5)
N = 90
Y, Y2 = np.arange(N) % 3, np.arange(N) % 2
PRED, PRED2 = (np.where(RANDOM.random(N) < 0.8, y, (y + 1) % (y.max() + 1)) for y in (Y, Y2))
WEIGHTS = RANDOM.lognormal(sigma=0.5, size=N)
CLUSTERS, GROUP = np.arange(N) // 3, np.arange(N) % 5 % 2
LABELS = np.stack([k == Y for k in range(3)], 1).astype(int)
CALLED = np.where(RANDOM.random((N, 3)) < 0.8, LABELS, 1 - LABELS)
SCORES = RANDOM.normal(PRED2, 0.5)
# Of many, so that nothing else is wrong with these.
MANY = np.tile(np.arange(2), 300)
RIGHT = np.where(np.arange(600) % 10 < 9, MANY, 1 - MANY)
PARTLY = np.where(RANDOM.random(600) < 0.9, MANY, np.nan)
OF_LABELS = ConfusionMatrix.from_predictions(LABELS, CALLED)
OF_WEIGHTS = ConfusionMatrix.from_predictions(Y, PRED, sample_weight=WEIGHTS)
OF_GROUPS = ConfusionMatrix.from_predictions(Y2, PRED2, by={"group": GROUP})
OF_CLASSES = ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP})
DRAWN = {"n_resamples": 100}


def cross_validated(**options):
    X = np.column_stack([RIGHT, np.arange(600) % 7])
    return cross_val_interval(GaussianNB(), X, MANY, scoring="accuracy", **options)


def of_table(**names):
    table = pd.DataFrame({"score": [0.1, 0.1, 0.7, 0.7], "y": [0, 1, 0, 1], "w": [9, 3, 2, 8]})
    return ThresholdCurve.from_frame(table, "y", "score", **names)


def written(cm, **options):
    return ConfusionMatrix.from_dict(cm.to_dict(**options))


OF_CLUSTERS = ConfusionMatrix.from_predictions(Y2, PRED2, clusters=CLUSTERS)
FEW_HITS = ThresholdCurve.from_scores(MANY, MANY + (np.arange(600) == 8) * 2)

# What is refused or has a caveat, its advice, and what follows this.
FOLLOWED = {
    "a ratio of what may be negative": (
        lambda: OF_GROUPS.gap("mcc", kind="ratio"),
        r"use kind='difference'",
        lambda: OF_GROUPS.gap("mcc", kind="difference"),
    ),
    "a gap of worst classes": (
        lambda: OF_CLASSES.gap("recall_worst"),
        r"the gap for each class, average=None",
        lambda: OF_CLASSES.gap("recall", average=None),
    ),
    "a worst class of weights": (
        lambda: OF_WEIGHTS.interval("recall_worst"),
        r"interval for each class, average=None",
        lambda: OF_WEIGHTS.interval("recall", average=None),
    ),
    "an average that may be infinite": (
        lambda: OF_CLASSES.interval("diagnostic_odds_ratio", average="macro", **DRAWN),
        r"use the interval for each class, average=None",
        lambda: OF_CLASSES.interval("diagnostic_odds_ratio", average=None, **DRAWN),
    ),
    "an average of labels": (
        lambda: OF_LABELS.interval("f1_macro"),
        r"use each label, average=None.*metric_interval.*from_predictions\(clusters=\)",
        lambda: OF_LABELS.interval("f1", average=None),
        lambda: metric_interval(LABELS, CALLED, "f1_macro", **DRAWN),
        lambda: ConfusionMatrix.from_predictions(LABELS, CALLED, clusters=np.arange(N)).interval(
            "f1_macro", **DRAWN
        ),
    ),
    "a comparison of each class": (
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall", average=None, **DRAWN),
        r"choose an average, or one class with pos_label=",
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall", average="macro", **DRAWN),
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall", pos_label=1, **DRAWN),
    ),
    "a comparison of worst classes": (
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall_worst", **DRAWN),
        r"compare one class with pos_label=, or an average such as 'macro'",
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall", pos_label=1, **DRAWN),
        lambda: compare(Y, {"a": PRED, "b": Y}, "recall_macro", **DRAWN),
    ),
    "a method at another prevalence": (
        lambda: TWO.at_prevalence(0.2).interval("f1", method="delta"),
        r"omit it",
        lambda: TWO.at_prevalence(0.2).interval("f1"),
    ),
    "fixed numbers of weights": (
        lambda: OF_WEIGHTS.interval("accuracy", fixed="actual", method="wilson"),
        r"omit it",
        lambda: OF_WEIGHTS.interval("accuracy", method="wilson"),
    ),
    "a method that does not apply": (
        lambda: TWO.interval("mcc", method="wilson"),
        r"choose one of \['bootstrap', 'delta', 'dirichlet', 'effective-clopper-pearson', ",
        *(
            lambda method=method: TWO.interval("mcc", method=method)
            for method in ("bootstrap", "delta", "dirichlet", "smoothed-bootstrap")
        ),
    ),
    "sums of weights": (
        lambda: of_table(sample_weight="w").at(0.5).interval("f1"),
        r"from_predictions\(sample_weight=\), or pass frequency_weights=True",
        lambda: ConfusionMatrix.from_predictions(Y, PRED, sample_weight=WEIGHTS).interval(
            "f1_macro"
        ),
        lambda: ConfusionMatrix.from_predictions(
            Y, PRED, sample_weight=Y + 1, frequency_weights=True
        ).interval("f1_macro", **DRAWN),
    ),
    "numbers of samples": (
        lambda: of_table(sample_weight="w").score("krippendorff_alpha"),
        r"from_predictions\(sample_weight=\), or pass frequency_weights=True",
        lambda: OF_WEIGHTS.score("krippendorff_alpha"),
        lambda: ConfusionMatrix.from_predictions(
            Y, PRED, sample_weight=Y + 1, frequency_weights=True
        ).score("krippendorff_alpha"),
    ),
    "labels that were summed": (
        lambda: OF_LABELS.sum("label").interval("f1"),
        r"with sel\(\), or count with ConfusionMatrix.from_predictions\(..., clusters=...\)",
        lambda: OF_LABELS.sel(label=1).interval("f1"),
        lambda: (
            ConfusionMatrix.from_predictions(LABELS, CALLED, clusters=np.arange(N))
            .sum("label")
            .interval("f1")
        ),
    ),
    "prevalences that were summed": (
        lambda: OF_GROUPS.at_prevalence(0.2).sum("group").interval("f1"),
        r"sum them first, then change the prevalence",
        lambda: OF_GROUPS.sum("group").at_prevalence(0.2).interval("f1"),
    ),
    "partly known labels that were summed": (
        lambda: ConfusionMatrix.from_partial_labels(PARTLY, RIGHT, by=MANY).sum(0).interval("f1"),
        r"count all samples at once with from_partial_labels, and let strata= name the parts",
        lambda: ConfusionMatrix.from_partial_labels(PARTLY, RIGHT, strata=MANY).interval("f1"),
    ),
    "clusters without names": (
        lambda: written(OF_CLUSTERS) + written(OF_CLUSTERS),
        r"count all samples at once, pickle the matrices, or write them with "
        r"to_dict\(cluster_names=True\)",
        lambda: written(OF_CLUSTERS, cluster_names=True) + written(OF_CLUSTERS, cluster_names=True),
        lambda: OF_CLUSTERS + pickle.loads(pickle.dumps(OF_CLUSTERS)),
    ),
    "clusters beside weights": (
        lambda: OF_CLUSTERS + ConfusionMatrix.from_predictions(Y2, PRED2, sample_weight=WEIGHTS),
        r"count all of them with clusters=",
        lambda: (
            OF_CLUSTERS
            + ConfusionMatrix.from_predictions(Y2, PRED2, sample_weight=WEIGHTS, clusters=CLUSTERS)
        ),
    ),
    "a watch beyond its horizon": (
        lambda: watch([TWO, TWO, TWO], {"recall": 0.5}, horizon=2),
        r"more than horizon=2.*Plan a new watch for later months",
        lambda: watch([TWO], {"recall": 0.5}, horizon=2),
    ),
    "few misranked": (
        lambda: FEW_HITS.interval("roc_auc", method="delong"),
        r"method='auto' gives wider limits",
        lambda: FEW_HITS.interval("roc_auc", method="auto"),
    ),
    "two folds": (
        lambda: cross_validated(cv=2),
        r"pass three or more",
        lambda: cross_validated(cv=3),
    ),
    "folds that are not stratified": (
        lambda: cross_validated(cv=KFold(3, shuffle=True)),
        r"Use StratifiedKFold, or with groups StratifiedGroupKFold",
        lambda: cross_validated(cv=StratifiedKFold(3, shuffle=True)),
        lambda: cross_validated(
            cv=StratifiedGroupKFold(3, shuffle=True), groups=np.arange(600) // 4
        ),
    ),
    "pooled folds": (
        lambda: (
            cross_val_confusion_matrix(GaussianNB(), RIGHT[:, None], MANY, cv=3)
            .sum("fold")
            .interval("accuracy")
        ),
        r"use cross_val_interval",
        lambda: cross_validated(cv=3),
    ),
    "many strata of few labels": (
        lambda: ConfusionMatrix.from_partial_labels(
            PARTLY, RIGHT, strata=np.arange(600) // 6
        ).interval("f1"),
        r"use fewer strata",
        lambda: ConfusionMatrix.from_partial_labels(
            PARTLY, RIGHT, strata=np.arange(600) // 300
        ).interval("f1"),
    ),
    "a class of which a value is undefined": (
        lambda: NEVER_CALLED.interval("precision_macro", **DRAWN),
        r"zero_division=nan excludes them from both",
        lambda: NEVER_CALLED.interval("precision_macro", zero_division=np.nan, **DRAWN),
    ),
    "repeated folds of few samples": (
        lambda: compare_folds(
            dict(zip("ab", RANDOM.normal(0.8, 0.1, (2, 50)), strict=True)), n_train=80, n_test=20
        ),
        r"compare_estimators holds its level",
        lambda: compare_estimators(
            {"a": GaussianNB(), "b": DummyClassifier()},
            RIGHT[:, None],
            MANY,
            scoring="accuracy",
            cv=StratifiedKFold(5, shuffle=True),
            n_repeats=2,
        ),
    ),
}
# Class 2 occurs and is never predicted.
NEVER_CALLED = ConfusionMatrix.from_counts([[80, 20, 0], [10, 90, 0], [30, 30, 0]], [0, 1, 2])


@pytest.mark.parametrize("of", FOLLOWED)
def test_what_follows_the_advice_has_no_such_caveat(of):
    call, words, *followed = FOLLOWED[of]
    [said] = [text for text in heard(call) if re.search(words, text)]
    for after in followed:
        # An error would end the words, too.
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert after() is not None
        assert not [text for text in caught if re.search(words, str(text.message))], said


def test_groups_that_are_as_large_as_advised_are_not_excluded():
    """With one sample less they are few."""
    for n, n_said in ((9, 1), (10, 0)):
        cm = ConfusionMatrix.from_counts([[[9, 1], [2, n - 2]], [[90, 10], [30, 70]]], [0, 1])
        said = [text for text in heard(lambda cm=cm: cm.gap("recall")) if "few" in text]
        assert len(said) == n_said
        assert all(options_of(text) == {"min_samples": 10} for text in said)


def test_the_folds_of_one_repetition_have_no_caveat_of_several():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 2)), np.repeat([0, 1], 100)
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
    folds = cross_val_confusion_matrix(GaussianNB(), X, y, cv=cv)
    all_of_them, one = folds.sum("fold"), folds.sel(fold=[0, 1, 2, 3]).sum("fold")
    said = {
        name: heard(lambda of=of: watch([of, of], {"recall": 0.5}, horizon=4))
        for name, of in (("all", all_of_them), ("one", one))
    }
    assert "cm.sel(fold=[...])" in said["all"][0]
    assert not [text for text in said["one"] if "cm.sel(" in text]
    verdicts = [check(of, {"recall": 0.1}).overall for of in (all_of_them, one)]
    assert verdicts == ["cannot tell", "pass"]


def test_a_matrix_that_is_pooled_or_selected_as_advised_has_a_report():
    [said] = heard(lambda: classification_report(GROUPS))
    assert "sum('axis_0')" in said
    assert "sel(axis_0=...)" in said
    assert not heard(lambda: classification_report(GROUPS.sum("axis_0")))
    assert not heard(lambda: classification_report(GROUPS.sel(axis_0=1)))


def test_the_number_of_samples_that_is_needed_is_the_smallest_that_suffices():
    """As in n_needed of check and n of sample_size: one less has less power."""
    claim = {"value": 0.95, "bound": 0.9}
    n = sample_size("recall", **claim, power=0.8).n
    assert sample_size("recall", **claim, n=n).power >= 0.8
    assert sample_size("recall", **claim, n=n - 1).power < 0.8
