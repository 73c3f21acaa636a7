"""Partly known labels: values by weights and closed forms, known distributions, every door."""

import json
import pickle
import warnings
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics

from skmetrics_ext import ConfusionMatrix, compare
from skmetrics_ext.matrices.state import array_to_json

from_partial_labels = ConfusionMatrix.from_partial_labels


def judged(n=600, n_classes=3, seed=0, share=0.4):
    """Labels of which some are missing, the predictions of two models, and a judge's label."""
    random = np.random.default_rng(seed)
    actual = random.integers(n_classes, size=n)
    first, second, judge = (
        np.where(random.random(n) < error, random.integers(n_classes, size=n), actual)
        for error in (0.3, 0.4, 0.3)
    )
    known = random.random(n) < np.where(first == judge, share, 2 * share)
    return np.where(known, actual, np.nan), first, second, judge


def weights_of(y_true, *cells):
    """The labeled samples, and how many of all in their cell each of them stands for."""
    cell = np.unique(np.stack(cells), axis=1, return_inverse=True)[1].ravel()
    known = ~np.isnan(y_true)
    weights = (
        np.bincount(cell) / np.maximum(np.bincount(cell[known], minlength=cell.max() + 1), 1)
    )[cell]
    return known, weights[known]


PEERS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "f1_macro": lambda true, pred, sample_weight: metrics.f1_score(
        true, pred, average="macro", sample_weight=sample_weight
    ),
}


@pytest.mark.parametrize("has_strata", [True, False])
def test_values_are_those_of_weighted_labels(has_strata):
    y_true, y_pred, _, judge = judged()
    cm = from_partial_labels(y_true, y_pred, judge if has_strata else None)
    known, weights = weights_of(y_true, y_pred, *([judge] * has_strata))
    for name, peer in PEERS.items():
        expected = peer(y_true[known].astype(int), y_pred[known], sample_weight=weights)
        assert cm.score(name) == pytest.approx(expected, rel=1e-12), name
    assert repr(cm).startswith(f"ConfusionMatrix of 600 samples, {known.sum()} with a label (rows")
    assert cm.counts.sum(0) == pytest.approx(np.bincount(y_pred))


def test_two_classes_have_the_estimates_of_begg_and_greenes():
    """Begg & Greenes (1983): P(T+ | D+) by Bayes' rule from the verified, P(D+ | T)
    as among these.
    """
    verified, n_of_test = (
        {("+", 1): 40, ("+", 0): 10, ("-", 1): 2, ("-", 0): 58},
        {"+": 100, "-": 900},
    )
    y_true, y_pred = [], []
    for (test, disease), n in verified.items():
        y_true += [disease] * n
        y_pred += [test] * n
    for test, n in n_of_test.items():
        n_left = n - sum(k for (of, _), k in verified.items() if of == test)
        y_true += [None] * n_left
        y_pred += [test] * n_left
    cm = from_partial_labels(y_true, [int(test == "+") for test in y_pred])
    ill = {
        test: Fraction(verified[test, 1], verified[test, 1] + verified[test, 0]) for test in "+-"
    }
    positive = Fraction(n_of_test["+"], 1000)
    recall = positive * ill["+"] / (positive * ill["+"] + (1 - positive) * ill["-"])
    specificity = (
        (1 - positive)
        * (1 - ill["-"])
        / ((1 - positive) * (1 - ill["-"]) + positive * (1 - ill["+"]))
    )
    assert cm.score("recall") == pytest.approx(float(recall), rel=1e-14)
    assert cm.score("specificity") == pytest.approx(float(specificity), rel=1e-14)


def test_expected_counts_are_unbiased_over_all_choices_of_labels():
    """A population of 9 in three cells, of which 2, 1 and 2 are labeled: all 6 x 3 x 3 choices."""
    actual = [0, 0, 1, 1, 1, 0, 1, 0, 0]
    y_pred, strata = [0, 0, 0, 0, 1, 1, 1, 0, 0], ["a"] * 4 + ["a"] * 3 + ["b"] * 2
    cells = [(range(4), 2), (range(4, 7), 1), (range(7, 9), 2)]
    tables = []
    for chosen in product(*(combinations(places, n) for places, n in cells)):
        known = {place for part in chosen for place in part}
        y_true = [label if place in known else None for place, label in enumerate(actual)]
        tables.append(from_partial_labels(y_true, y_pred, strata, labels=[0, 1]).counts)
    assert len(tables) == 18
    assert np.mean(tables, axis=0) == pytest.approx(metrics.confusion_matrix(actual, y_pred))


def alerts(random, n=20_000):
    """Alerts were all looked at, and 3 % of the rest."""
    actual, y_pred = np.divmod(random.choice(4, size=n, p=[0.97, 0.01, 0.004, 0.016]), 2)
    known = (y_pred == 1) | (random.random(n) < 0.03)
    return np.where(known, actual, np.nan), y_pred


def test_recall_of_alerts_is_not_that_of_the_labeled():
    random = np.random.default_rng(1)
    ours, naive = [], []
    for _ in range(60):
        y_true, y_pred = alerts(random)
        ours.append(from_partial_labels(y_true, y_pred).score("recall"))
        naive.append(y_pred[y_true == 1].mean())
    assert np.mean(naive) > 0.98
    assert np.mean(ours) == pytest.approx(0.8, abs=0.02)


def test_rare_class_by_a_few_labels_and_a_judge():
    """Recall by the judge's labels is far off; 400 labels of people mend it."""
    random = np.random.default_rng(2)
    ours, by_judge = [], []
    for _ in range(40):
        actual = (random.random(4_400) < 0.08).astype(int)
        y_pred = np.where(
            random.random(4_400) < np.where(actual == 1, 0.25, 0.02), 1 - actual, actual
        )
        judge = np.where(
            random.random(4_400) < np.where(actual == 1, 0.2, 0.05), 1 - actual, actual
        )
        y_true = actual.astype(float)
        y_true[random.permutation(4_400)[400:]] = np.nan
        ours.append(from_partial_labels(y_true, y_pred, judge).score("recall"))
        by_judge.append(y_pred[judge == 1].mean())
    assert np.mean(by_judge) < 0.6
    assert np.mean(ours) == pytest.approx(0.75, abs=0.015)


def test_limits_of_a_checked_prediction_are_those_of_jeffreys():
    """All 50 alerts have a label: precision has a Beta distribution, extended by what its mean
    differs.
    """
    y_true, y_pred = [1] * 40 + [0] * 10 + [0, 1] * 20 + [None] * 100, [1] * 50 + [0] * 140
    found = from_partial_labels(y_true, y_pred).interval(
        "precision", n_resamples=29_999, random_state=0
    )
    posterior = stats.beta(40.5, 10.5)
    low, high = posterior.ppf([0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(
        (low, high - (posterior.mean() - 0.8)), abs=0.002
    )
    assert (found.value, found.n, found.method) == (0.8, 90, "Dirichlet by stratum and prediction")


def test_limits_of_what_needs_no_label_are_binomial():
    y_true, y_pred = [1, 0] * 20 + [None] * 160, [1, 0] * 20 + [1] * 20 + [0] * 140
    found = from_partial_labels(y_true, y_pred).interval(
        "predicted_positive_rate", n_resamples=29_999, random_state=0
    )
    assert (found.low, found.high) == pytest.approx(
        tuple(stats.binom(200, 0.2).ppf([0.025, 0.975]) / 200), abs=0.006
    )


def test_proportions_of_all_samples_are_shifted_by_the_bias_of_the_replicates():
    """Five classes add errors that never occurred; the accuracy has no bias itself."""
    y_true = np.repeat([0, 1, 2, 3, 4, 0, 1], [40, 40, 40, 40, 38, 1, 1]).astype(float)
    y_pred = np.append(np.repeat(np.arange(5), [40, 40, 40, 40, 38]), [4, 4])
    missing = np.full(1_000, np.nan)
    cm = from_partial_labels(
        np.append(y_true, missing), np.append(y_pred, np.repeat(np.arange(5), 200))
    )
    found = cm.interval("accuracy", random_state=0, n_resamples=9_999)
    # 40 samples of each prediction and Dirichlet(1/5) added: errors of 4 classes are Beta(4/5 +
    # errors).
    drawn = np.random.default_rng(1).beta(
        [[0.8], [0.8], [0.8], [0.8], [2.8]], [[40.2]] * 4 + [[38.2]], (5, 99_999)
    )
    low, high = np.quantile(1 - drawn.mean(0), [0.025, 0.975]) - (1 - drawn.mean() - 0.99)
    assert (found.low, found.high) == pytest.approx((low, min(high, 1)), abs=0.001)


def test_cells_without_labels_take_the_shares_of_their_prediction_and_say_so():
    """Of stratum b and prediction 1 nothing is known: 3 of 4 labels of prediction 1 in a, 1 of 2 in
    c.
    """
    y_true = [1, 1, 1, 0] + [None] * 10 + [1, 0] + [0, 0] + [None] * 10
    y_pred = [1] * 14 + [1] * 2 + [0] * 12
    strata = ["a"] * 4 + ["b"] * 10 + ["c"] * 2 + ["a"] * 12
    with pytest.warns(
        UserWarning,
        match=r"35.7 % of the samples are in strata where no sample with their prediction",
    ):
        cm = from_partial_labels(y_true, y_pred, strata)
    # 4 samples at 3/4 and 2 at 1/2 of actual class 1.
    assert cm.counts[:, 1] == pytest.approx([1 + 1 + 10 * 2 / 6, 3 + 1 + 10 * 4 / 6])
    with (
        pytest.warns(UserWarning, match="too few labels, 6"),
        pytest.warns(UserWarning, match="85.7 % of the samples"),
    ):
        found = cm.interval("precision", random_state=0, n_resamples=999)
    assert found.low < found.value < found.high


def test_predictions_without_any_label_are_refused():
    y_true, y_pred = ["ill", "well", None, None, None], ["well", "well", "well", "ill", "ill"]
    message = (
        "no sample that is predicted as 'ill' has a label, so nothing is known of the 2 samples: "
        "label some of"
    )
    with pytest.raises(ValueError, match=message):
        from_partial_labels(y_true, y_pred)
    with pytest.raises(ValueError, match="predicted as 'well', group 'b', has a label"):
        from_partial_labels(["ill", "well", None], ["ill", "well", "well"], by=["a", "a", "b"])
    with pytest.raises(ValueError, match="y_true holds no label: all are missing"):
        from_partial_labels([None, None], ["ill", "well"])


@pytest.mark.parametrize(
    "missing",
    [
        lambda labels: [None if label == "?" else label for label in labels],
        lambda labels: np.array(
            [None if label == "?" else label for label in labels], dtype=object
        ),
        lambda labels: pd.Series(labels).replace("?", np.nan),
        lambda labels: pd.Series(labels, dtype="string").replace("?", pd.NA),
        lambda labels: pd.Series(labels).replace("?", np.nan).astype("category"),
        lambda labels: pl.Series(labels).replace("?", None),
        lambda labels: pl.Series(labels).replace("?", None).to_arrow(),
    ],
)
def test_missing_labels_of_any_container(missing):
    labels = ["no", "yes", "?", "no", "?", "yes"]
    cm = from_partial_labels(
        missing(labels), ["no", "yes", "yes", "no", "no", "no"], labels=["yes", "no"]
    )
    assert cm.counts == pytest.approx(np.array([[2, 4 / 3], [0, 8 / 3]]))
    assert cm._design.by_stratum.tolist() == [[[1, 1], [0, 2], [1, 1]]]


def test_columns_are_one_label_per_sample_and_several_are_refused():
    """A column (n, 1) has n samples, not n x n."""
    y_true, y_pred = [1.0, 0.0, np.nan, 1.0], np.array([[1], [0], [1], [0]])
    expected = from_partial_labels(y_true, y_pred)
    columns = (
        np.array([y_true]).T,
        np.array([[1], [0], [None], [1]]),
        pd.DataFrame(y_true),
        pl.DataFrame(y_true),
    )
    for column in columns:
        assert from_partial_labels(column, y_pred) == expected
        models = {"a": y_pred, "b": np.array([1, 0, 1, 1])}
        with pytest.warns(UserWarning, match="have a label"):
            assert (
                compare(column, models, "accuracy", strata=(), n_resamples=100).rows[0].value
                == 0.75
            )
    for two in (np.array([[1, 0], [np.nan, 1]]), pd.DataFrame([[1, 0], [np.nan, 1]])):
        with pytest.raises(
            ValueError, match=r"y_true must hold one label per entry; it has shape \(2, 2\)"
        ):
            from_partial_labels(two, [1, 0])


def test_all_labels_known_give_the_counts_of_labels():
    y_true, y_pred = [2, 0, 1, 1], [2, 0, 0, 1]
    assert from_partial_labels(y_true, y_pred) == ConfusionMatrix.from_predictions(y_true, y_pred)


def test_frames_count_what_arrays_do():
    y_true, y_pred, second, judge = judged()
    frame = pd.DataFrame({"actual": y_true, "predicted": y_pred, "judge": judge, "sex": second % 2})
    expected = from_partial_labels(y_true, y_pred, judge, by={"sex": frame.sex})
    found = ConfusionMatrix.from_frame(frame, "actual", "predicted", by="sex", strata="judge")
    assert found == expected
    assert np.array_equal(found._design.by_stratum, expected._design.by_stratum)
    lazy = pl.LazyFrame(frame.assign(actual=frame.actual.astype(object))).with_columns(
        pl.col("actual").cast(pl.Int64)
    )
    assert ConfusionMatrix.from_frame(
        lazy, "actual", "predicted", strata=()
    ) == from_partial_labels(y_true, y_pred)
    rows = frame.groupby(["actual", "predicted"], dropna=False).size().rename("n").reset_index()
    of_rows = ConfusionMatrix.from_frame(rows, "actual", "predicted", count="n", strata=())
    options = {"n_resamples": 199, "random_state": 0}
    expected = from_partial_labels(y_true, y_pred).interval("mcc", **options)
    assert of_rows.interval("mcc", **options) == expected
    with pytest.raises(ValueError, match="there are missing labels"):
        ConfusionMatrix.from_frame(frame, "actual", "predicted")
    for options in ({"sample_weight": "judge"}, {"missing": "drop"}):
        with pytest.raises(ValueError, match="strata= counts samples, those without a label too"):
            ConfusionMatrix.from_frame(frame, "actual", "predicted", strata=(), **options)
    gone = frame.assign(predicted=frame.predicted.where(frame.index > 0))
    with pytest.raises(
        ValueError, match="1 in predicted: with strata=, only the actual labels may be"
    ):
        ConfusionMatrix.from_frame(gone, "actual", "predicted", strata=())
    with pytest.raises(ValueError, match=r"actual is empty"):
        ConfusionMatrix.from_frame(frame.assign(actual=np.nan), "actual", "predicted", strata=())


def test_limits_go_along_with_tables_selections_orders_and_states():
    y_true, y_pred, second, judge = judged()
    cm = from_partial_labels(y_true, y_pred, judge, by=second % 2)
    options = {"average": None, "random_state": 0, "n_resamples": 999}
    found = cm.interval("recall", **options)
    rows = cm.summary("recall", random_state=0, n_resamples=999)
    assert rows.low == pytest.approx(found.low)
    assert pickle.loads(pickle.dumps(cm)).interval("recall", **options) == found
    assert (
        ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))).interval(
            "recall", **options
        )
        == found
    )
    alone = from_partial_labels(*(of[second % 2 == 1] for of in (y_true, y_pred, judge)))
    assert cm.sel(group=1) == alone
    assert cm.sel(group=1).interval("recall", **options).high == pytest.approx(
        alone.interval("recall", **options).high
    )
    turned, straight = (
        of.interval("precision", labels=[2], average=None, n_resamples=999, random_state=0)
        for of in (alone.with_labels([2, 9, 0, 1]), alone)
    )
    # A further class adds a little to its predictions.
    assert turned.value == pytest.approx(straight.value)
    assert (turned.low[0], turned.high[0]) == pytest.approx(
        (straight.low[0], straight.high[0]), abs=0.03
    )
    for weighted, why in (
        (cm.sum("group"), "counts of partly known labels were summed"),
        (cm + cm, "counts of partly known labels were summed"),
        (alone.add([0], [0]), "independent samples and samples with partly known labels"),
        (alone.at_prevalence({0: 0.2}), "the prevalence was changed of samples with partly known"),
    ):
        with pytest.raises(ValueError, match=why):
            weighted.interval("recall", average=None)
    state = cm.to_dict()
    labeled = cm._design.labeled
    for wrong in (10 * labeled, labeled[:, :1], labeled - 1, labeled.astype(float)):
        design = state["design"] | {"labeled": array_to_json(wrong)}
        with pytest.raises(ValueError, match="'design' of state"):
            ConfusionMatrix.from_dict(state | {"design": design})


def test_gaps_of_groups_whose_labels_are_partly_known():
    """Two groups have the difference of independent values, whose limits MOVER combines."""
    y_true, y_pred, _, judge = judged(n=2_000, n_classes=2)
    by = np.arange(2_000) % 2
    cm = from_partial_labels(y_true, y_pred, judge, by=by)
    gap = cm.gap("f1", random_state=0)
    each = [
        cm.sel(group=group).interval("f1", n_resamples=9_999, random_state=0) for group in (0, 1)
    ]
    low, high = sorted(each, key=lambda interval: interval.value)
    assert gap.value == pytest.approx(high.value - low.value)
    expected = gap.value + np.hypot(high.high - high.value, low.value - low.low)
    assert gap.high == pytest.approx(expected, abs=0.004)
    assert gap.p_value > 0.05
    worse = np.where(by == 1, np.where(judge == 1, 0, y_pred), y_pred)
    far = from_partial_labels(y_true, worse, judge, by=by).gap("recall", random_state=0)
    assert far.low > 0
    assert far.p_value == pytest.approx(2 / 10_000, rel=0.1)


def test_comparisons_weigh_labels_by_stratum_and_both_predictions():
    y_true, first, second, judge = judged(n=2_000)
    found = compare(
        y_true,
        {"a": first, "b": second},
        ["accuracy", "mcc"],
        strata=judge,
        random_state=0,
        margin=0.2,
        n_resamples=999,
    )
    known, weights = weights_of(y_true, first, second, judge)
    actual = y_true[known].astype(int)
    for row, name in zip(found.rows, ("accuracy", "mcc"), strict=True):
        values = [PEERS[name](actual, of[known], sample_weight=weights) for of in (first, second)]
        assert (row.value, row.reference_value) == pytest.approx(tuple(values), rel=1e-10)
        assert row.low < row.difference < row.high
        assert (row.p_value <= 0.05) == (row.low > 0)
        assert row.not_worse
    whole = compare(
        np.where(known, y_true, first), {"a": first, "b": second}, "accuracy", random_state=0
    )
    assert whole.rows[0].method == "McNemar mid-p, Tango"


def test_two_predictions_without_a_label_take_the_mean_of_the_shares_of_either():
    """No sample with predictions 1 and 2 has a label; those with 1 of the first and 2 of the second
    have.
    """
    y_true = [1, 1, 1, 0, 2, 2, None, None, 0]
    first, second = [1, 1, 1, 1, 2, 0, 1, 1, 0], [1, 1, 1, 1, 2, 2, 2, 2, 0]
    with (
        pytest.warns(UserWarning, match="22.2 % of the"),
        pytest.warns(UserWarning, match="have a label, and 1"),
    ):
        (row,) = compare(
            y_true, {"a": first, "b": second}, "accuracy", strata=(), n_resamples=199
        ).rows
    # Where the first predicts 1, 3 of 4 are 1; where the second predicts 2, all are 2.
    assert row.value * 9 == pytest.approx(3 + 1 + 1 + 2 * (3 / 4) / 2)
    assert row.reference_value * 9 == pytest.approx(3 + 2 + 1 + 2 * (1 / 1) / 2)


def test_errors_of_a_rare_prediction_are_not_made_up_by_the_number_of_classes():
    """4 samples per class are added to all cells of five classes together: .2 to one with 1 % of
    the samples.
    """
    y_pred = np.repeat([0, 1, 2, 3, 4], [300, 300, 200, 190, 10])
    y_true = y_pred.astype(float)
    y_true[:900:2] = np.nan
    found = from_partial_labels(y_true, y_pred).interval(
        "precision", average=None, labels=[4], n_resamples=19_999, random_state=0
    )
    assert found.low[0] == pytest.approx(stats.beta(10.04, 0.16).ppf(0.025), abs=0.002)


def test_comparisons_of_many_cells_with_few_labels_warn():
    y_true, first, second, judge = judged(n=300, n_classes=4, share=0.3)
    message = (
        r"differ, [3-9]\d have a label, and [3-9]\d(\.\d)? % are where fewer than 4 are alike and "
        r"labeled"
    )
    with (
        pytest.warns(UserWarning, match="are in strata where"),
        pytest.warns(UserWarning, match=message),
    ):
        compare(y_true, {"a": first, "b": second}, "accuracy", strata=judge, n_resamples=100)


def test_comparisons_refuse_and_warn():
    y_true, first, second, judge = judged()
    models = {"a": first, "b": second}
    for options in ({"sample_weight": np.ones(600)}, {"clusters": judge}):
        with pytest.raises(ValueError, match="with strata= each sample counts once"):
            compare(y_true, models, "accuracy", strata=(), **options)
    with pytest.raises(ValueError, match="no sample that is predicted as 5 and 0 has a label"):
        compare(
            [0, 1, None, 0, 1], {"a": [0, 1, 5, 0, 1], "b": [0, 1, 0, 0, 1]}, "accuracy", strata=()
        )
    with (
        pytest.warns(UserWarning, match="all replicates of the difference"),
        pytest.warns(UserWarning, match="0 have a"),
    ):
        (row,) = compare(y_true, {"a": first, "b": first.copy()}, "accuracy", strata=()).rows
    assert np.isnan([row.low, row.high, row.p_value]).all()
    with pytest.raises(ValueError, match="missing"):
        compare(y_true, models, "accuracy")


def test_what_has_no_valid_limits_is_refused_or_warns():
    y_true, y_pred, _, judge = judged()
    cm = from_partial_labels(y_true, y_pred, judge)
    for name in ("recall_worst", "quantity_disagreement", "no_information_rate"):
        with pytest.raises(ValueError, match="no interval is valid"):
            cm.interval(name)
    for options in ({"method": "wilson"}, {"fixed": "actual"}):
        with pytest.raises(
            ValueError,
            match=f"{next(iter(options))}=.* does not apply where labels are partly known",
        ):
            cm.interval("recall_macro", **options)
    few = from_partial_labels([1] * 5 + [0] * 20 + [None] * 50, [1] * 4 + [0] * 71)
    with pytest.warns(UserWarning, match=r"recall is based on too few labels, 5 \("):
        few.interval("recall", n_resamples=199)


def test_limits_from_one_label_per_stratum_and_prediction_warn():
    """Thirty strata with one label of each of two predictions: 60 are not few, but the limits cover
    85 %.
    """
    strata, y_pred = np.repeat(np.arange(30), 20), np.tile([0, 1], 300)
    y_true = np.where(np.arange(600) % 20 < 2, y_pred, np.nan)
    message = (
        "100 % of the samples are in strata where fewer than 4 with their prediction have a label"
    )
    cm = from_partial_labels(y_true, y_pred, strata)
    with pytest.warns(UserWarning, match=message):
        cm.interval("accuracy", n_resamples=100)
    with pytest.warns(UserWarning, match=message):
        from_partial_labels(y_true, y_pred, strata, by=strata % 2).gap("accuracy", n_resamples=100)


def test_strata_of_single_samples_take_shares_in_little_memory():
    """Half of 20,000 strata take shares of the other half: 10^8 pairs, of 2 kinds."""
    y_pred = np.arange(20_000) // 2 % 2
    y_true = np.where(np.arange(20_000) % 2, y_pred * (np.arange(20_000) % 5 > 0), np.nan)
    with pytest.warns(UserWarning, match="50 % of the samples"):
        cm = from_partial_labels(y_true, y_pred, np.arange(20_000))
    assert cm.counts == pytest.approx(np.array([[10_000, 2_000], [0, 8_000]]))


def cases(random):
    """Actual classes, predictions, strata and whether the label is known, of settings that differ
    in what is hard.
    """
    n = 3_000
    actual = (random.random(n) < 0.03).astype(int)
    y_pred = np.where(random.random(n) < np.where(actual == 1, 0.2, 0.02), 1 - actual, actual)
    yield "alerts", actual, y_pred, None, (y_pred == 1) | (random.random(n) < 0.2)
    actual = (random.random(300) < 0.4).astype(int)
    y_pred = np.where(random.random(300) < 0.2, 1 - actual, actual)
    yield "few", actual, y_pred, None, random.random(300) < 0.25
    actual = random.choice(5, 3_000, p=[0.4, 0.25, 0.15, 0.12, 0.08])
    y_pred, judge = (
        np.where(random.random(3_000) < 0.25, random.integers(5, size=3_000), actual) for _ in "ab"
    )
    yield "five classes", actual, y_pred, judge, random.random(3_000) < 0.3


@pytest.mark.slow
def test_comparisons_of_equal_models_rarely_reject():
    """Comparisons are simulated only here; intervals for the page on partly known labels."""
    random, n = np.random.default_rng(1), 100
    rejected = {}
    for _ in range(n):
        for name, actual, y_pred, strata, known in cases(random):
            # The second model errs as often as the first, elsewhere.
            second = actual.copy()
            for label in np.unique(actual):
                of_class = np.flatnonzero(actual == label)
                second[of_class] = random.permutation(y_pred[of_class])
            if name == "alerts":
                known = known | (second == 1)
            models = {"a": y_pred, "b": second}
            options = {
                "strata": () if strata is None else strata % 2,
                "n_resamples": 199,
                "random_state": random,
            }
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = compare(np.where(known, actual, np.nan), models, "mcc", **options)
            if not caught:
                rejected.setdefault(name, []).append(found.rows[0].p_value <= 0.05)
    assert [len(of) > n / 5 for of in rejected.values()] == [True] * 3
    for name, of in rejected.items():
        assert np.mean(of) <= 0.075 + 3 * np.sqrt(0.075 * 0.925 / len(of)), name


UNKNOWN_AS_LABELS = {
    "empty text": (["ill", "", "ill", "well", ""], ["ill", "well", "ill", "well", "ill"], "''"),
    "a blank": (["ill", " ", "ill", " "], ["ill", "well", "ill", "ill"], "' '"),
    "bytes": ([b"ill", b"", b"ill"], [b"ill", b"well", b"ill"], "b''"),
    "-1 beside one class": ([1, -1, 1, -1], [1, 0, 1, 1], "-1"),
    "-1 beside one class, of a constant model": ([1, -1, 1, -1], [1, 1, 1, 1], "-1"),
    "-1 beside two": ([1, 0, -1, 0], [1, 0, 1, 1], "-1"),
    "-9": ([1.0, 0.0, -9.0, 0.0], [1.0, 0.0, 1.0, 1.0], r"-9\.0"),
    "none is known": ([-1, -1], [0, 1], "-1"),
}


@pytest.mark.parametrize(
    ("y_true", "y_pred", "shown"), UNKNOWN_AS_LABELS.values(), ids=UNKNOWN_AS_LABELS
)
def test_codes_of_unknown_labels_are_asked_about(y_true, y_pred, shown):
    question = f"the label {shown}, which no sample is predicted as: does it mean 'unknown'"
    with pytest.raises(ValueError, match=f"y_true has {question}"):
        ConfusionMatrix.from_partial_labels(y_true, y_pred)
    frame = pl.DataFrame({"truth": y_true, "guess": y_pred})
    with pytest.raises(ValueError, match=f"actual has {question}"):
        ConfusionMatrix.from_frame(frame, "truth", "guess", strata=())
    with pytest.raises(ValueError, match=f"y_true has {question}"):
        compare(y_true, {"a": y_pred, "b": y_pred}, "accuracy", strata=())
    # Where the caller names it, it is a class.
    classes = sorted({*y_true, *y_pred})
    named = ConfusionMatrix.from_partial_labels(y_true, y_pred, labels=classes)
    assert named == ConfusionMatrix.from_predictions(y_true, y_pred, labels=classes)
    # Without a promise for missing labels it is one, too.
    assert ConfusionMatrix.from_predictions(y_true, y_pred).n_samples == len(y_true)


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        ([1, -1, None, -1], [1, -1, 1, 1]),
        ([-2, -1, 1, 2, None], [1, 1, 1, 2, 1]),
        (["", "ill", None], ["", "ill", "ill"]),
        ([0, 1, None], [0, 1, 1]),
    ],
)
def test_negative_numbers_and_empty_text_that_are_predicted_are_classes(y_true, y_pred):
    cm = ConfusionMatrix.from_partial_labels(y_true, y_pred)
    assert cm.n_samples == len(y_true)
    frame = pd.DataFrame({"truth": y_true, "guess": y_pred})
    assert ConfusionMatrix.from_frame(frame, "truth", "guess", strata=()) == cm


def test_shares_are_borrowed_from_other_strata_by_their_samples():
    # p was never checked in A. Of p, 9 of 10 were right among the 10 samples of B, and 2 of 20
    # labels among the 90 of C, so that in both together 9 + 9 of 100 are right.
    true = ["p"] * 9 + ["q"] + ["p"] * 2 + ["q"] * 18 + [None] * 70 + [None] * 50
    strata = ["B"] * 10 + ["C"] * 90 + ["A"] * 50
    with pytest.warns(UserWarning, match="label"):
        cm = ConfusionMatrix.from_partial_labels(true, ["p"] * 150, strata=strata)
    np.testing.assert_allclose(cm.counts, [[18 + 50 * 0.18, 0], [82 + 50 * 0.82, 0]])


@pytest.mark.parametrize(("n_small", "warns"), [(11, True), (10, False)])
def test_few_labels_in_cells_of_more_than_a_tenth_of_the_samples_warn(n_small, warns):
    # Three labels in a cell of some of 100 samples; in the other one, each sample has its label.
    true = ["p"] * 3 + [None] * (n_small - 3) + ["p", "q"] * 50
    strata = ["small"] * n_small + ["large"] * (100 - n_small)
    cm = ConfusionMatrix.from_partial_labels(true[:100], ["p"] * 100, strata=strata)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cm.interval("accuracy", n_resamples=199)
    assert bool([one for one in caught if "labels" in str(one.message)]) == warns


def test_not_worse_in_a_loss_is_not_worse_in_its_complement():
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 300)
    a, b = (np.where(random.random(300) < share, y, 1 - y) for share in (0.85, 0.8))
    known = [int(label) if random.random() < 0.5 else None for label in y]
    strata = np.where(np.arange(300) % 3 == 0, "x", "z")
    rows = {}
    for metric in ("accuracy", "zero_one_loss"):
        for first, second in ((a, b), (b, a)):
            predictions = {"a": first, "b": second}
            (row,) = compare(
                known,
                predictions,
                metric,
                strata=strata,
                margin=0.05,
                n_resamples=199,
                random_state=0,
            ).rows
            rows[metric, first is a] = row
    for order in (True, False):
        share, loss = rows["accuracy", order], rows["zero_one_loss", order]
        assert (loss.difference, loss.low, loss.high) == pytest.approx(
            (-share.difference, -share.high, -share.low)
        )
        assert loss.p_not_worse == pytest.approx(share.p_not_worse, rel=1e-6)
        assert loss.not_worse == share.not_worse == order


def test_values_of_each_class_in_groups_with_small_strata_carry_their_caveat():
    """The number behind it is a group's, and that of each of its classes."""
    y, pred, other, _ = judged(n=90)
    by = {"day": np.arange(90) % 2, "group": np.arange(90) // 2 % 2}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cm = from_partial_labels(y, pred, other, by=by, labels=range(3))
        for options in ({"average": None}, {"average": "macro"}):
            interval = cm.interval("f1", n_resamples=100, **options)
            gap = cm.gap("f1", axis="group", n_resamples=100, **options)
            for found in (interval, gap):
                [caveat] = [of for of in found.caveats if of.code == "small_strata"]
                assert caveat.entries.shape == found.value.shape
                assert caveat.entries.all()
