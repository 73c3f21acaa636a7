"""The order of classes of ordered categoricals: where it counts, and what wins over it."""

import itertools
import json
import pickle

import imblearn.metrics
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    accuracy_score,
    classification_report,
    cohen_kappa_score,
    confusion_matrix,
    cross_val_confusion_matrix,
    expected_cost,
    gerrity_score,
    get_scorer,
    labels_from_scores,
    macro_averaged_mean_absolute_error,
    metric_interval,
    recall_score,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.doubles import Answering, AnsweringClassifier
from tests.shared import for_each, one_in, parameters_of, quietly

# From the lowest to the highest, which is not their alphabet; nobody is "none".
SIZES = ["tiny", "none", "medium", "large"]
CODES_TRUE = np.array([0, 0, 2, 2, 3, 3, 3, 2, 0])
CODES_PRED = np.array([0, 2, 2, 3, 3, 2, 3, 2, 0])
TRUE, PRED = (np.array(SIZES)[codes] for codes in (CODES_TRUE, CODES_PRED))
# The size that nobody has is a level of the scale.
PLACES = range(4)


def gerrity_by_rewards(true, pred, n_levels):
    """The sum of the matrix of rewards of Gerrity (1992), for codes of levels."""
    below = np.bincount(true, minlength=n_levels).cumsum()[:-1] / len(true)
    odds = (1 - below) / below
    total = sum(
        (1 / odds[: min(i, j)]).sum() - abs(i - j) + odds[max(i, j) :].sum()
        for i, j in zip(true, pred, strict=True)
    )
    return total / (n_levels - 1) / len(true)


GERRITY = gerrity_by_rewards(CODES_TRUE, CODES_PRED, 4)


def ordered(values, categories=SIZES):
    return pd.Categorical(values, categories=categories, ordered=True)


CONTAINERS = {
    "Categorical": ordered,
    "Series": lambda values: pd.Series(ordered(values)),
    "Index": lambda values: pd.CategoricalIndex(ordered(values)),
    "frame": lambda values: pd.DataFrame({"y": ordered(values)}),
    "polars Enum": lambda values: pl.Series(values.tolist(), dtype=pl.Enum(SIZES)),
    "polars frame": lambda values: pl.DataFrame(
        {"y": values.tolist()}, schema={"y": pl.Enum(SIZES)}
    ),
    "pyarrow": lambda values: pa.DictionaryArray.from_pandas(ordered(values)),
    "pyarrow table": lambda values: pa.Table.from_pandas(pd.DataFrame({"y": ordered(values)})),
    "pandas of pyarrow": lambda values: pd.Series(
        pa.DictionaryArray.from_pandas(ordered(values)),
        dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.large_string(), ordered=True)),
    ),
}
SIDES = {"true": (True, False), "pred": (False, True), "both": (True, True)}


@pytest.mark.parametrize("sides", SIDES.values(), ids=SIDES)
@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_ordered_metrics_take_the_order_of_the_categories(make, sides):
    true, pred = (
        make(side) if is_ordered else side
        for side, is_ordered in zip((TRUE, PRED), sides, strict=True)
    )
    # The place in the categories is the number of a class, also where one of them has no samples.
    assert gerrity_score(true, pred) == pytest.approx(GERRITY)
    expected = imblearn.metrics.macro_averaged_mean_absolute_error(CODES_TRUE, CODES_PRED)
    assert macro_averaged_mean_absolute_error(true, pred) == pytest.approx(expected, rel=1e-14)
    cm = ConfusionMatrix.from_predictions(true, pred)
    assert cm.labels.tolist() == ["tiny", "medium", "large"]
    assert cm.counts.tolist() == sklearn.metrics.confusion_matrix(CODES_TRUE, CODES_PRED).tolist()
    for weights in ("linear", "quadratic"):
        of_codes = pytest.approx(
            sklearn.metrics.cohen_kappa_score(
                CODES_TRUE, CODES_PRED, weights=weights, labels=PLACES
            )
        )
        assert cohen_kappa_score(true, pred, weights=weights) == of_codes
        assert cm.score("cohen_kappa", weights=weights) == of_codes
    assert cm.score("gerrity") == pytest.approx(GERRITY)
    assert cm.score("macro_averaged_mean_absolute_error") == pytest.approx(expected, rel=1e-14)


def test_levels_that_do_not_occur_keep_their_place_between_those_that_do():
    levels = ["low", "mid", "high", "top"]
    true, pred = (["low", "low", "high", "top", "top"], ["low", "high", "high", "top", "low"])
    codes = [np.array([levels.index(label) for label in side]) for side in (true, pred)]
    gerrity = gerrity_by_rewards(*codes, 4)
    kappa = sklearn.metrics.cohen_kappa_score(*codes, weights="linear", labels=range(4))
    # Without the level between them, low and high are neighbors, as scikit-learn has it.
    assert kappa != pytest.approx(sklearn.metrics.cohen_kappa_score(*codes, weights="linear"))
    assert gerrity != pytest.approx(gerrity_score(*codes))
    model = AnsweringClassifier(sorted({*true}), {"predict": np.array(pred)}).fit()
    frame = pl.DataFrame(
        {"truth": true, "guess": pred}, schema=dict.fromkeys(["truth", "guess"], pl.Enum(levels))
    )
    declared = ordered(true, levels)
    more = ConfusionMatrix.from_predictions(declared, pred, labels=levels)
    matrices = [
        ConfusionMatrix.from_predictions(declared, pred),
        ConfusionMatrix.from_predictions(true, ordered(pred, levels)),
        ConfusionMatrix.from_frame(frame, "truth", "guess"),
        ConfusionMatrix.from_estimator(model, None, declared),
        ConfusionMatrix.from_estimator(model, None, true, classes=levels),
        ConfusionMatrix.from_partial_labels(declared, pred),
        more,
        more + ConfusionMatrix.from_predictions(declared, pred),
        sum(
            ConfusionMatrix.from_predictions(declared[k : k + 1], pred[k : k + 1]) for k in range(5)
        ),
        ConfusionMatrix.from_predictions(declared, pred, by=[0, 1, 0, 1, 0]).sum("group"),
    ]
    for cm in matrices:
        assert cm.score("gerrity") == pytest.approx(gerrity)
        assert cm.score("cohen_kappa", weights="linear") == pytest.approx(kappa)
    assert gerrity_score(declared, pred) == pytest.approx(gerrity)
    assert cohen_kappa_score(true, ordered(pred, levels), weights="linear") == pytest.approx(kappa)
    for scorer in (get_scorer("gerrity"), ConfusionScorer("gerrity")):
        assert scorer(model, None, declared) == pytest.approx(gerrity)
    options = {"weights": "linear", "classes": levels}
    assert get_scorer("cohen_kappa", **options)(model, None, true) == pytest.approx(kappa)
    report = classification_report(declared, pred, metrics=["gerrity"], output_dict=True)
    assert report["overall"]["gerrity"] == pytest.approx(gerrity)
    interval = metric_interval(ordered(true * 40, levels), pred * 40, "gerrity", random_state=0)
    assert interval.value == pytest.approx(gerrity)


def test_a_scale_whose_ends_do_not_occur_has_no_skill_there():
    """Gerrity's rewards are infinite for a class that no sample has."""
    levels = ["none", "low", "mid", "high"]
    true, pred = ["low", "mid", "high", "low"], ["low", "high", "high", "mid"]
    for order in (levels, levels[1:] + levels[:1]):
        with pytest.warns(UndefinedMetricWarning, match="gerrity is undefined"):
            assert gerrity_score(ordered(true, order), pred) == 0
        with pytest.warns(UndefinedMetricWarning, match="gerrity is undefined"):
            assert gerrity_score(true, pred, labels=order) == 0
        # Neither end changes the distance of the others.
        places = [np.array([levels.index(label) for label in side]) for side in (true, pred)]
        assert cohen_kappa_score(ordered(true, order), pred, weights="quadratic") == pytest.approx(
            sklearn.metrics.cohen_kappa_score(*places, weights="quadratic")
        )


def test_plain_numbers_are_ranked_by_those_that_occur_and_declared_ones_by_all():
    true, pred = [1, 1, 4, 5], [1, 4, 4, 1]
    for weights in ("linear", "quadratic"):
        for labels, expected in ((None, [1, 4, 5]), ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])):
            value = sklearn.metrics.cohen_kappa_score(true, pred, weights=weights, labels=expected)
            given = true if labels is None else ordered(true, labels)
            assert cohen_kappa_score(given, pred, weights=weights) == pytest.approx(value)
            assert value == pytest.approx(
                ConfusionMatrix.from_predictions(given, pred).score("cohen_kappa", weights=weights)
            )
    # A number beyond the declared ones has its place among them.
    value = sklearn.metrics.cohen_kappa_score(
        true, [1, 4, 4, 9], weights="linear", labels=[1, 2, 3, 4, 5, 9]
    )
    declared = ordered(true, [1, 2, 3, 4, 5])
    assert cohen_kappa_score(declared, [1, 4, 4, 9], weights="linear") == pytest.approx(value)


def test_thousands_of_declared_levels_take_no_more_memory_than_those_that_occur():
    levels = np.arange(200_000)
    true, pred = [0, 100_000, 199_999, 0], [0, 199_999, 199_999, 100_000]
    declared = ordered(true, levels)
    scaled = np.array([0, 100_000, 199_999])
    matrix = sklearn.metrics.confusion_matrix(true, pred)
    apart = np.abs(scaled[:, None] - scaled)
    by_chance = np.outer(matrix.sum(1), matrix.sum(0)) / 4
    expected = 1 - (matrix * apart).sum() / (by_chance * apart).sum()
    assert cohen_kappa_score(declared, pred, weights="linear") == pytest.approx(expected)
    assert gerrity_score(declared, pred) == pytest.approx(
        gerrity_by_rewards(np.array(true), np.array(pred), 200_000)
    )


@for_each("row", METRICS)
def test_no_other_metric_takes_it(row):
    if row.name in ("gerrity", "macro_averaged_mean_absolute_error"):
        return
    options = parameters_of(row, ["tiny", "medium", "large"])
    declared, plain = (
        quietly(
            ConfusionMatrix.from_predictions(true, PRED).score,
            row.name,
            **options,
            **({"average": None} if row.has_average else {}),
        )
        for true in (ordered(TRUE), TRUE)
    )
    np.testing.assert_allclose(declared[::-1] if row.has_average else declared, plain, rtol=1e-14)


def test_classes_stay_sorted_everywhere_else():
    true, pred = ordered(TRUE), ordered(PRED)
    assert (
        confusion_matrix(true, pred).tolist()
        == sklearn.metrics.confusion_matrix(TRUE, PRED).tolist()
    )
    expected = sklearn.metrics.recall_score(TRUE, PRED, average=None)
    assert recall_score(true, pred, average=None).tolist() == expected.tolist()
    cm = ConfusionMatrix.from_predictions(true, pred)
    assert cm == ConfusionMatrix.from_predictions(TRUE, PRED, labels=cm.labels)
    assert cm.score("recall", average=None).tolist() == expected.tolist()[::-1]
    assert cm.pos_label is None


@pytest.mark.parametrize("metric", [gerrity_score, macro_averaged_mean_absolute_error])
def test_an_explicit_order_wins(metric):
    labels = ["large", "tiny", "medium"]
    codes = [np.array([labels.index(value) for value in side]) for side in (TRUE, PRED)]
    assert metric(ordered(TRUE), ordered(PRED), labels=labels) == metric(*codes)
    assert metric(ordered(TRUE), ordered(PRED)) != metric(*codes)
    cm = ConfusionMatrix.from_predictions(ordered(TRUE), PRED, labels=["tiny", "large", "medium"])
    assert cm.ranking.tolist() == ["tiny", "large", "medium"]
    assert cm.score("gerrity") == gerrity_score(TRUE, PRED, labels=["tiny", "large", "medium"])
    cm = ConfusionMatrix.from_predictions(ordered(TRUE), PRED)
    assert cm.score(metric, labels=labels) == metric(*codes)
    assert cm.with_labels(["tiny", "large", "medium"]).score(metric) == metric(
        TRUE, PRED, labels=["tiny", "large", "medium"]
    )


def matrices_with_named_order(labels):
    """A matrix by every way to name the classes in an order."""
    model, one_hot = (
        Answering(PRED, classes=sorted(labels)),
        (PRED[:, None] == np.array(labels)).astype(float),
    )
    for make in (ordered, np.array):
        yield ConfusionMatrix.from_predictions(make(TRUE), make(PRED), labels=labels)
        yield ConfusionMatrix.from_predictions(
            make(TRUE), PRED, labels=labels, by=np.arange(len(TRUE)) % 2
        ).sum("group")
        yield ConfusionMatrix.from_predictions(make(TRUE), make(PRED)).with_labels(labels)
        yield ConfusionMatrix.from_scores(make(TRUE), one_hot, classes=labels)
        yield ConfusionMatrix.from_estimator(model, None, make(TRUE), classes=labels)
    counts = sklearn.metrics.confusion_matrix(TRUE, PRED, labels=labels)
    yield ConfusionMatrix.from_counts(counts, labels=labels)
    yield ConfusionMatrix.from_counts(pd.crosstab(TRUE, PRED), labels=labels)
    yield ConfusionMatrix.from_dict(
        ConfusionMatrix.from_predictions(TRUE, PRED, labels=labels).to_dict()
    )


@pytest.mark.parametrize("metric", [gerrity_score, macro_averaged_mean_absolute_error])
@pytest.mark.parametrize(
    "labels", list(itertools.permutations(["large", "medium", "tiny"])), ids="-".join
)
def test_a_matrix_has_the_order_that_its_labels_were_named_in(metric, labels):
    expected = metric(*([labels.index(value) for value in side] for side in (TRUE, PRED)))
    for cm in matrices_with_named_order(list(labels)):
        assert cm.score(metric) == expected
        assert (cm + cm).score(metric) == pytest.approx(expected)


def test_labels_of_plain_counts_are_their_order_and_names_of_a_frame_are_none():
    counts = sklearn.metrics.confusion_matrix(TRUE, PRED)
    cm = ConfusionMatrix.from_counts(counts, labels=["large", "medium", "tiny"])
    assert cm.score("gerrity") == pytest.approx(
        gerrity_score(TRUE, PRED, labels=["large", "medium", "tiny"])
    )
    for unnamed in (
        ConfusionMatrix.from_counts(pd.crosstab(TRUE, PRED)),
        ConfusionMatrix.from_dict(
            {"counts": counts.tolist(), "labels": ["large", "medium", "tiny"]}
        ),
    ):
        with pytest.raises(
            ValueError, match=r"pass labels=\[\.\.\.\] from the lowest to the highest"
        ):
            unnamed.score("gerrity")
    order = ["tiny", "medium", "large"]
    assert cm.score("gerrity", labels=order) == pytest.approx(
        gerrity_score(TRUE, PRED, labels=order)
    )
    turned = ConfusionMatrix.from_counts(counts[::-1, ::-1], labels=order)
    assert turned.score("gerrity") == pytest.approx(gerrity_score(TRUE, PRED, labels=order))


def test_an_order_that_is_named_of_one_matrix_counts_for_a_sum():
    classes = ["large", "medium", "tiny"]
    named, plain = (
        ConfusionMatrix.from_predictions(TRUE, PRED, labels=classes),
        ConfusionMatrix.from_predictions(TRUE, PRED),
    )
    for added in (named + plain, plain + named):
        assert added.score("gerrity") == pytest.approx(gerrity_score(TRUE, PRED, labels=classes))
    more = ConfusionMatrix.from_predictions(["vast"] * 2, ["vast"] * 2, labels=[*classes, "vast"])
    total = named + more
    assert total.labels.tolist() == total.ranking.tolist() == [*classes, "vast"]
    chunks = (
        ConfusionMatrix.from_predictions(labels, labels, labels=labels)
        for labels in ([1, 2], [1, 2, 5])
    )
    assert sum(chunks).ranking.tolist() == [1, 2, 5]
    chunks = (
        ConfusionMatrix.from_counts(np.eye(3), labels=labels) for labels in ([1, 2, 3], [1, 4, 5])
    )
    assert sum(chunks).score("gerrity") == 1


def test_numbers_keep_their_distances_but_take_the_order():
    """An ordered categorical tells the order of numbers, whose differences stay the distances."""
    true, pred = np.array([1, 1, 10, 5, 5]), np.array([1, 5, 10, 10, 5])
    categories = [5, 1, 10]
    places = [np.array([categories.index(value) for value in side]) for side in (true, pred)]
    assert (
        gerrity_score(ordered(true, categories), pred)
        == gerrity_score(*places)
        != gerrity_score(true, pred)
    )
    expected = imblearn.metrics.macro_averaged_mean_absolute_error(true, pred)
    assert macro_averaged_mean_absolute_error(ordered(true, categories), pred) == pytest.approx(
        expected
    )


def test_unordered_categoricals_have_no_order():
    for true in (
        pd.Categorical(TRUE, categories=SIZES),
        pl.Series(TRUE.tolist(), dtype=pl.Categorical),
    ):
        for metric in (gerrity_score, macro_averaged_mean_absolute_error):
            with pytest.raises(ValueError, match="make the labels an ordered"):
                metric(true, PRED)


def test_groups_stand_in_the_order_of_their_categories():
    by = np.array(["young", "old", "old", "infant"])
    ages = ["infant", "teen", "young", "old"]
    true, pred, weights = [0, 1, 1, 0], [0, 1, 0, 1], [1, 2, 4, 8]
    for groups in (ordered(by, ages), pl.Series(by.tolist(), dtype=pl.Enum(ages))):
        cm = ConfusionMatrix.from_predictions(true, pred, by=groups, sample_weight=weights)
        assert cm.axes[0].coordinates.tolist() == ["infant", "young", "old"]
        for k, group in enumerate(["infant", "young", "old"]):
            chosen = by == group
            of_group = sklearn.metrics.confusion_matrix(
                np.array(true)[chosen],
                np.array(pred)[chosen],
                sample_weight=np.array(weights)[chosen],
                labels=[0, 1],
            )
            assert cm.counts[k].tolist() == of_group.tolist()
    plain = ConfusionMatrix.from_predictions(true, pred, by=pd.Categorical(by, categories=ages))
    assert plain.axes[0].coordinates.tolist() == ["infant", "old", "young"]


def test_two_orders_that_contradict_each_other_are_refused_where_they_count():
    true, pred = ordered(TRUE), ordered(PRED, SIZES[::-1])
    message = r"y_true orders the classes as \['tiny', .*but y_pred as \['large', .*pass labels="
    for metric in (gerrity_score, macro_averaged_mean_absolute_error):
        with pytest.raises(ValueError, match=message):
            metric(true, pred)
    assert accuracy_score(true, pred) == accuracy_score(TRUE, PRED)
    assert confusion_matrix(true, pred).tolist() == confusion_matrix(TRUE, PRED).tolist()
    labels = ["tiny", "medium", "large"]
    assert gerrity_score(true, pred, labels=labels) == gerrity_score(CODES_TRUE, CODES_PRED)
    assert ConfusionMatrix.from_predictions(true, pred, labels=labels).labels.tolist() == labels


def test_one_side_may_have_fewer_categories():
    few = ["tiny", "medium", "large"]
    for true, pred in ((ordered(TRUE), ordered(PRED, few)), (ordered(TRUE, few), ordered(PRED))):
        expected = imblearn.metrics.macro_averaged_mean_absolute_error(CODES_TRUE, CODES_PRED)
        assert macro_averaged_mean_absolute_error(true, pred) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [gerrity_score, macro_averaged_mean_absolute_error])
def test_labels_beyond_the_categories_are_refused(metric):
    with pytest.raises(
        ValueError, match=r"the order of the classes, \['tiny', .*lacks the labels \['huge'\]"
    ):
        metric(ordered(TRUE), np.where(PRED == "large", "huge", PRED))


def test_unused_categories_of_another_kind_are_no_classes():
    true = ordered([2, 1, 3], [3, 2, 1, "unknown"])
    assert gerrity_score(true, [2, 1, 2]) == gerrity_score([1, 2, 0], [1, 2, 1])


def a_classifier():
    X = np.linspace(0, 1, 60)[:, None]
    y = np.array(SIZES)[[0, 2, 3]][(X[:, 0] * 2.99).astype(int)]
    y[::7] = "medium"
    return KNeighborsClassifier(3), X, y


@pytest.mark.parametrize("name", ["gerrity", "neg_macro_averaged_mean_absolute_error"])
@pytest.mark.parametrize("scorer", [get_scorer, ConfusionScorer])
@pytest.mark.parametrize(
    "make", [lambda y: pd.Series(ordered(y)), ordered], ids=["Series", "Categorical"]
)
def test_scorers_take_the_order_of_y(name, scorer, make):
    model, X, y = a_classifier()
    scores = cross_val_score(model, X, make(y), scoring=scorer(name), cv=3, error_score="raise")
    codes = np.array([SIZES.index(label) for label in y])
    metric = gerrity_score if name == "gerrity" else macro_averaged_mean_absolute_error
    of_codes = sklearn.metrics.make_scorer(
        metric, greater_is_better=name == "gerrity", labels=PLACES
    )
    expected = cross_val_score(model, X, codes, scoring=of_codes, cv=3, error_score="raise")
    np.testing.assert_allclose(scores, expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("name", "named"),
    one_in(
        2,
        ["gerrity", "neg_macro_averaged_mean_absolute_error"],
        list(itertools.permutations(["large", "medium", "tiny"])),
    ),
)
def test_an_order_of_classes_that_a_scorer_names_wins(name, named):
    """The slow ones guard the orders that plain pytest leaves to the other metric."""
    model, X, y = a_classifier()
    codes = np.array([named.index(label) for label in y])
    expected = cross_val_score(
        model, X, codes, scoring=ConfusionScorer(name), cv=2, error_score="raise"
    )
    for make in (ordered, np.array, pl.Series):
        for scorer in (ConfusionScorer(name, classes=named), get_scorer(name, classes=named)):
            scores = cross_val_score(model, X, make(y), scoring=scorer, cv=2, error_score="raise")
            np.testing.assert_allclose(scores, expected, rtol=1e-14)


def test_classes_of_a_model_are_no_order_and_those_that_the_caller_names_are_one_also_sorted():
    model, X, y = a_classifier()
    classes = sorted(set(y))
    model.fit(X, y)
    expected = gerrity_score(*(np.searchsorted(classes, side) for side in (y, model.predict(X))))
    for make in (
        lambda y, **named: ConfusionScorer("gerrity", **named)(model, X, y),
        lambda y, **named: ConfusionMatrix.from_estimator(model, X, y, **named).score("gerrity"),
        lambda y, **named: ConfusionMatrix.from_scores(y, model.predict_proba(X), **named).score(
            "gerrity"
        ),
    ):
        assert (
            make(y, classes=classes) == make(ordered(y), classes=classes) == pytest.approx(expected)
        )
        assert make(ordered(y)) == gerrity_score(ordered(y), model.predict(X))
        with pytest.raises(ValueError, match="from the lowest to the highest"):
            make(y)


def test_an_order_of_numbers_says_where_others_stand_and_any_other_does_not():
    model, true = Answering([1, 2, 3, 2], classes=[1, 2, 3]), [1, 2, 3, 5]
    with pytest.warns(UserWarning, match="never saw"):
        assert ConfusionScorer("gerrity", classes=[1, 2, 3])(model, None, true) == gerrity_score(
            true, [1, 2, 3, 2]
        )
    with (
        pytest.warns(UserWarning, match="never saw"),
        pytest.raises(
            ValueError, match=r"the order of the classes, \[3, 1, 2\], lacks the labels \[5\]"
        ),
    ):
        ConfusionScorer("gerrity", classes=[3, 1, 2])(model, None, true)


def test_matrices_of_estimators_and_scores_take_it():
    classes = np.array(["large", "medium", "tiny"])
    cm = ConfusionMatrix.from_estimator(Answering(PRED, classes=classes), None, ordered(TRUE))
    assert cm.score("gerrity") == pytest.approx(GERRITY)
    scores = (PRED[:, None] == classes).astype(float)
    cm = ConfusionMatrix.from_scores(ordered(TRUE), scores)
    assert cm.score("gerrity") == pytest.approx(GERRITY)


def test_matrices_of_folds_take_it():
    model, X, y = a_classifier()
    codes = np.array([SIZES.index(label) for label in y])
    folds = cross_val_confusion_matrix(model, X, ordered(y), cv=3)
    expected = cross_val_confusion_matrix(model, X, codes, cv=3, labels=PLACES)
    np.testing.assert_allclose(folds.score("gerrity"), expected.score("gerrity"), rtol=1e-14)
    others = ["medium", "tiny", "large"]
    named = cross_val_confusion_matrix(model, X, ordered(y), cv=3, labels=others)
    plain = cross_val_confusion_matrix(model, X, y, cv=3, labels=others)
    np.testing.assert_array_equal(named.score("gerrity"), plain.score("gerrity"))
    assert (named.score("gerrity") != folds.score("gerrity")).any()
    for others in itertools.permutations(["large", "medium", "tiny"]):
        codes = np.array([others.index(label) for label in y])
        expected = cross_val_confusion_matrix(model, X, codes, cv=3).score("gerrity")
        for make, name in itertools.product((ordered, np.array), ("labels", "classes")):
            named = cross_val_confusion_matrix(model, X, make(y), cv=3, **{name: list(others)})
            np.testing.assert_allclose(named.score("gerrity"), expected, rtol=1e-14)


def test_a_report_of_a_matrix_takes_it():
    cm = ConfusionMatrix.from_predictions(ordered(TRUE), PRED)
    for arguments in ((ordered(TRUE), PRED), (cm,)):
        report = classification_report(*arguments, metrics=["gerrity", "recall"], output_dict=True)
        assert report["overall"]["gerrity"] == pytest.approx(GERRITY)


def test_the_order_is_kept_by_what_keeps_the_classes():
    by = np.arange(len(TRUE)) % 2
    cm = ConfusionMatrix.from_predictions(ordered(TRUE), PRED, by=by)
    plain = ConfusionMatrix.from_predictions(TRUE, PRED, by=by)
    for kept in (
        cm.sum("group"),
        pickle.loads(pickle.dumps(cm)).sum("group"),
        ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))).sum("group"),
    ):
        assert kept.score("gerrity") == pytest.approx(GERRITY)
    for added in (cm + cm, cm + plain, plain + cm):
        assert added.ranking.tolist() == SIZES
        assert added.sum("group").score("gerrity") == pytest.approx(GERRITY)
    assert cm == plain.with_labels(cm.labels)
    with pytest.raises(ValueError, match="read-only"):
        cm.ranking[0] = "x"


def test_sums_of_chunks_that_lack_classes_take_it():
    chunks = [
        ConfusionMatrix.from_predictions(ordered(TRUE[k : k + 3]), ordered(PRED[k : k + 3]))
        for k in (0, 3, 6)
    ]
    assert {len(chunk.labels) for chunk in chunks} != {3}
    for order in itertools.permutations(chunks):
        assert sum(order) == ConfusionMatrix.from_predictions(ordered(TRUE), ordered(PRED))
        assert sum(order).score("gerrity") == pytest.approx(GERRITY)
    by_chunk = ConfusionMatrix.stack(dict(enumerate(chunks)), axis="chunk")
    assert by_chunk.labels.tolist() == ["tiny", "medium", "large"]


@pytest.mark.parametrize(
    "make", [lambda values: values, lambda values: np.unique(values, return_inverse=True)[1]]
)
def test_contradicting_orders_in_one_matrix_are_refused_where_they_count_alone(make):
    true, pred = make(TRUE), make(PRED)
    sizes = np.unique(true).tolist()
    one, other = (
        ConfusionMatrix.from_predictions(ordered(true, order), pred)
        for order in (sizes, sizes[::-1])
    )
    both = ConfusionMatrix.from_predictions(ordered(true, sizes), ordered(pred, sizes[::-1]))
    with pytest.raises(ValueError, match=r"label orders differ.*same labels="):
        one + other
    for cm in (both, both + one, one + both, ConfusionMatrix.from_dict(both.to_dict())):
        assert cm.score("accuracy") == accuracy_score(true, pred)
        with pytest.raises(ValueError, match=r"contradictory ways.*pass labels=\["):
            cm.score("gerrity")
        assert cm.score("gerrity", labels=sizes) == pytest.approx(
            gerrity_score(true, pred, labels=sizes)
        )
        assert cm.with_labels(sizes).score("gerrity") == pytest.approx(
            gerrity_score(true, pred, labels=sizes)
        )


# Costs and thresholds in an array, which depend on the order as much.

COSTS = [[0, 1, 2], [3, 0, 4], [50, 6, 0]]
LEVELS = ["low", "mid", "high"]
LOW_TRUE, LOW_PRED = np.array(["low", "low", "mid", "high"]), np.array(["mid", "low", "mid", "low"])


def test_weighted_kappa_goes_by_the_declared_order():
    true, pred = (
        pd.Series(ordered(side * 10, ["bad", "ok", "good"]))
        for side in (["bad", "ok", "good", "ok"], ["ok", "ok", "good", "bad"])
    )
    # Squared distances of four pairs: 2 as observed, 16 / 4 by chance of the margins (1, 2, 1) on
    # both sides.
    assert cohen_kappa_score(true, pred, weights="quadratic") == pytest.approx(0.5)
    for unordered in (true.astype(str), true.astype(str).replace("good", "ok")):
        with pytest.raises(ValueError, match=r"are not numbers.*pass labels="):
            cohen_kappa_score(
                unordered, pred.astype(str).replace("good", "ok"), weights="quadratic"
            )
    assert cohen_kappa_score(true.astype(str), pred.astype(str)) == pytest.approx(0.2)


def test_a_plain_cost_matrix_goes_by_the_order_of_classes():
    expected = (1 + 0 + 0 + 50) / 4
    declared = [ordered(side, LEVELS) for side in (LOW_TRUE, LOW_PRED)]
    cm = ConfusionMatrix.from_predictions(*declared)
    assert cm.score("expected_cost", cost_matrix=COSTS) == (cm.counts * COSTS).sum() / 4 == expected
    assert expected_cost(*declared, cost_matrix=COSTS) == expected
    assert expected_cost(LOW_TRUE, LOW_PRED, labels=LEVELS, cost_matrix=COSTS) == expected
    # Sorted, but named.
    alphabet = sorted(LEVELS)
    in_alphabet = np.array(COSTS)[np.ix_([2, 0, 1], [2, 0, 1])]
    for labels in (LOW_TRUE, declared[0]):
        assert expected_cost(labels, LOW_PRED, labels=alphabet, cost_matrix=in_alphabet) == expected
    with pytest.raises(
        ValueError, match=r"are not numbers.*cost_matrix=\{\('high', 'low'\): 1.0,.*pass labels="
    ):
        expected_cost(LOW_TRUE, LOW_PRED, cost_matrix=COSTS)
    # An array of the classes that occur, or of all that are declared.
    true, pred = (ordered(side, ["low", "mid", "other", "high"]) for side in (LOW_TRUE, LOW_PRED))
    four = np.insert(np.insert(COSTS, 2, 7, axis=0), 2, 7, axis=1)
    assert (
        expected_cost(true, pred, cost_matrix=COSTS)
        == expected_cost(true, pred, cost_matrix=four)
        == expected
    )
    with pytest.raises(ValueError, match=r"shape \(2, 2\), but there are 3 classes"):
        expected_cost(true, pred, cost_matrix=[[0, 1], [1, 0]])


@pytest.mark.parametrize(
    "labels", [[False, True], [2, 10], np.array(["2026-01-09", "2026-01-10"], dtype="M8[D]")]
)
def test_numbers_booleans_and_dates_ascend(labels):
    true, pred = (np.array(labels)[codes] for codes in ([0, 0, 1, 1], [0, 1, 1, 0]))
    assert expected_cost(true, pred, cost_matrix=[[0, 1], [20, 0]]) == 21 / 4
    assert cohen_kappa_score(true, pred, weights="linear") == 0


P = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7]])


@pytest.mark.parametrize(
    "options", [{"cost_matrix": COSTS}, {"threshold": [3, 1, 2.2]}], ids=["costs", "thresholds"]
)
def test_columns_of_plain_scores_stay_sorted_but_what_is_told_of_classes_goes_by_their_order(
    options,
):
    in_order = P[:, [1, 2, 0]]
    values = (
        -in_order @ np.array(COSTS) if "cost_matrix" in options else in_order / options["threshold"]
    )
    expected = np.array(LEVELS)[values.argmax(axis=1)]
    scores = pd.DataFrame(P, columns=sorted(LEVELS))
    assert labels_from_scores(in_order, classes=LEVELS, **options).tolist() == expected.tolist()
    cm = ConfusionMatrix.from_scores(ordered(LOW_TRUE, LEVELS), P, **options)
    assert cm == ConfusionMatrix.from_predictions(ordered(LOW_TRUE, LEVELS), expected)
    assert cm == ConfusionMatrix.from_scores(LOW_TRUE, scores, classes=LEVELS, **options)
    model = Answering(classes=np.array(sorted(LEVELS)), predict_proba=P, predict=expected)
    assert cm == ConfusionMatrix.from_estimator(model, None, ordered(LOW_TRUE, LEVELS), **options)
    for named in (None, LEVELS):
        scorer = ConfusionScorer("accuracy", classes=named, **options)
        assert scorer(model, None, ordered(LOW_TRUE, LEVELS)) == (expected == LOW_TRUE).mean()
    with pytest.raises(ValueError, match=r"are not numbers.*classes=\[...\]"):
        ConfusionMatrix.from_scores(LOW_TRUE, P, **options)
    with pytest.raises(ValueError, match=r"are not numbers.*classes=\[...\]"):
        ConfusionMatrix.from_estimator(model, None, LOW_TRUE, **options)
    # Neither names of columns nor classes_ are an order; without labels scores have none but their
    # own.
    assert (
        labels_from_scores(P, **options).tolist()
        == labels_from_scores(P, classes=[0, 1, 2], **options).tolist()
    )


def test_labels_that_cross_validation_names_are_the_order_of_costs_and_tell_the_positive_class():
    model, X, y = a_classifier()
    order = ["medium", "tiny", "large"]
    by_name = {(order[i], order[j]): COSTS[i][j] for i in range(3) for j in range(3)}
    expected = cross_val_confusion_matrix(model, X, y, cv=3, labels=order, cost_matrix=by_name)
    assert (
        cross_val_confusion_matrix(model, X, y, cv=3, labels=order, cost_matrix=COSTS) == expected
    )
    groups = np.arange(len(y)) % 2
    by_group = cross_val_confusion_matrix(
        model, X, y, cv=3, labels=order, cost_matrix=COSTS, by=groups
    )
    assert by_group.sum("group") == expected
    declared = cross_val_confusion_matrix(model, X, ordered(y, order), cv=3, cost_matrix=COSTS)
    assert declared == expected
    with pytest.raises(ValueError, match="are not numbers"):
        cross_val_confusion_matrix(model, X, y, cv=3, cost_matrix=COSTS)
    index = get_scorer("evaluation_index", labels=order, cost_matrix=COSTS)
    assert index(model.fit(X, y), X, y) == get_scorer(
        "evaluation_index", labels=order, cost_matrix=by_name
    )(model, X, y)
    # Two labels that nobody named tell no positive class, and classes= do.
    two = np.where(y == "tiny", "tiny", "more")
    with pytest.raises(ValueError, match=r"positive class"):
        cross_val_confusion_matrix(model, X, two, cv=3, threshold=0.3)
    expected = cross_val_confusion_matrix(model, X, two, cv=3, threshold=0.3, pos_label="more")
    for named in ({"classes": ["tiny", "more"]}, {"labels": ["tiny", "more"]}):
        cm = cross_val_confusion_matrix(model, X, two, cv=3, threshold=0.3, **named)
        assert cm == expected.with_labels(["tiny", "more"]) if "labels" in named else True
        assert cm.pos_label == "more"


def test_a_classifier_takes_costs_in_the_order_of_its_target():
    _, X, y = a_classifier()
    model = ProbabilityClassifier(KNeighborsClassifier(3), cost_matrix=COSTS)
    order = ["tiny", "medium", "large"]
    with pytest.raises(ValueError, match=r"are not numbers.*cost_matrix=\{\('large', 'medium'\)"):
        model.fit(X, y)
    by_name = {(order[i], order[j]): COSTS[i][j] for i in range(3) for j in range(3)}
    expected = (
        ProbabilityClassifier(KNeighborsClassifier(3), cost_matrix=by_name).fit(X, y).predict(X)
    )
    assert clone(model).fit(X, ordered(y)).predict(X).tolist() == expected.tolist()
    codes = np.array([order.index(label) for label in y])
    assert np.array(order)[model.fit(X, codes).predict(X)].tolist() == expected.tolist()


def test_costs_of_a_curve_need_the_order_of_both_labels():
    scores, costs = [0.1, 0.4, 0.35, 0.8], [[0, 1], [10, 0]]
    true = np.array(["bad", "bad", "average", "average"])
    declared = ordered(true, ["bad", "average"])
    expected = ThresholdCurve.from_scores([0, 0, 1, 1], scores).score(
        "expected_cost", cost_matrix=costs
    )
    by_name = {("bad", "average"): 1, ("average", "bad"): 10}
    curve = ThresholdCurve.from_scores(declared, scores, pos_label="average")
    plain = ThresholdCurve.from_scores(true, scores, pos_label="average")
    assert (
        curve.labels.tolist()
        == curve.at(0.5).labels.tolist()
        == curve.at(0.5).ranking.tolist()
        == ["bad", "average"]
    )
    for known in (curve, curve + curve, curve + plain, pickle.loads(pickle.dumps(curve))):
        assert (
            known.score("expected_cost", cost_matrix=costs)[:4].tolist()
            == known.score("expected_cost", cost_matrix=by_name)[:4].tolist()
        )
        assert known.best("expected_cost", cost_matrix=costs).value == expected.min()
    assert (
        curve.score("expected_cost", cost_matrix=costs).tolist()
        == expected.tolist()
        == curve.score("expected_cost", cost_matrix=[costs] * 4).tolist()
    )
    assert plain.score("expected_cost", cost_matrix=by_name).tolist() == expected.tolist()
    opposite = ThresholdCurve.from_scores(
        ordered(true, ["average", "bad"]), scores, pos_label="average"
    )
    for unknown in (plain, opposite + curve):
        for cost_matrix in (costs, [costs] * (4 if unknown is plain else 8)):
            with pytest.raises(ValueError, match=r"\['bad', 'average'\] are not numbers"):
                unknown.score("expected_cost", cost_matrix=cost_matrix)
        with pytest.raises(
            ValueError, match=r"cost_matrix=\{\('average', 'bad'\): 1.0, \('bad', 'average'\): 10.0"
        ):
            unknown.best("expected_cost", cost_matrix=costs)
    rest = ThresholdCurve.from_scores(["a", "b", "c", "c"], scores, pos_label="c")
    assert rest.score("expected_cost", cost_matrix=costs).tolist() == expected.tolist()
    frame = pl.DataFrame(
        {"y": true.tolist(), "p": scores}, schema_overrides={"y": pl.Enum(["bad", "average"])}
    )
    assert (
        ThresholdCurve.from_frame(frame, "y", "p", pos_label="average")
        .score("expected_cost", cost_matrix=costs)
        .tolist()
        == expected.tolist()
    )


def test_costs_of_declared_classes_are_not_those_of_others_of_the_same_number():
    y_true = pd.Series(pd.Categorical([1, 2, 1], categories=[1, 2, 3], ordered=True))
    with pytest.raises(ValueError, match="lacks the labels"):
        expected_cost(y_true, [1, 2, 5], cost_matrix=[[0, 1, 100], [3, 0, 4], [5, 6, 0]])


def test_orders_that_contradict_each_other_by_a_third_are_refused():
    def declared(labels, order):
        return pd.Series(pd.Categorical(list(labels), categories=list(order), ordered=True))

    chunks = [("ab", "ab"), ("bc", "bc"), ("acb", "acb")]
    matrices = [
        ConfusionMatrix.from_predictions(declared(*chunk), declared(*chunk)) for chunk in chunks
    ]
    with pytest.raises(ValueError, match="label orders differ"):
        ConfusionMatrix.stack(dict(enumerate(matrices)), axis="day")


def test_names_of_costs_that_would_be_lost_or_guessed_are_refused():
    frame = pd.DataFrame([[0, 1], [5, 0]], index=["b", "a"], columns=["b", "a"])
    assert expected_cost(["a", "b"], ["b", "b"], cost_matrix=frame) == 2.5
    with pytest.raises(ValueError, match="whose names"):
        expected_cost(["a", "b"], ["b", "b"], cost_matrix=[frame, frame], labels=["a", "b"])
    by_text = pl.DataFrame({"1": [0, 3, 5], "10": [1, 0, 6], "2": [2, 4, 0]})
    with pytest.raises(ValueError, match="the other has no names"):
        expected_cost([1, 10], [10, 1], cost_matrix=by_text)
    # Columns by the alphabet tell nothing of rows where another order is declared.
    declared = pd.Series(pd.Categorical(["a", "b"], categories=["c", "a", "b"], ordered=True))
    with pytest.raises(ValueError, match="the other has no names"):
        expected_cost(
            declared, ["b", "a"], cost_matrix=by_text.rename({"1": "a", "10": "b", "2": "c"})
        )


def test_costs_whose_sides_are_called_the_other_way_round_are_turned():
    costs = pd.DataFrame(
        [[0, 5], [1, 0]], pd.Index([0, 1], name="predicted"), pd.Index([0, 1], name="actual")
    )
    # Of the class 0 called 1 the cost is 1, of 1 called 0 it is 5.
    assert expected_cost([0, 1, 1], [1, 0, 0], cost_matrix=costs) == pytest.approx(11 / 3)
    assert expected_cost([0, 1, 1], [1, 0, 0], cost_matrix=costs.T) == pytest.approx(11 / 3)
