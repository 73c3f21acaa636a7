"""Values and intervals at another prevalence: published ones, weights of rows, coverage, edges."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats
from sklearn import metrics

from skmetrics_ext import ConfusionMatrix, ThresholdCurve
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.values.actual_classes import RescaledRows, reaching_classes
from tests.proportions import mid_p
from tests.shared import parameters_of

PREDICTIVE = ("precision", "negative_predictive_value")


def table(tp, fp, fn, tn):
    return ConfusionMatrix.from_counts([[tn, fp], [fn, tp]], labels=["no", "yes"])


def both(cm, prevalence, level=0.95):
    return [
        cm.at_prevalence(prevalence).interval(name, confidence_level=level) for name in PREDICTIVE
    ]


def limits(interval):
    return interval.low, interval.high


# The data of van de Vijver et al. (2002), New England Journal of Medicine 347:1999, at a prevalence
# of 7 %: the logit interval of Mercaldo, Lau & Zhou as R's CIfinder 2.0 prints it.


def test_published_intervals_on_the_logit():
    ppv, npv = both(table(31, 12, 3, 32), 0.07)
    assert (ppv.value, *limits(ppv)) == pytest.approx((0.2010444, 0.1331384, 0.2919216), abs=5e-8)
    assert (npv.value, *limits(npv)) == pytest.approx((0.9909508, 0.9734141, 0.9969560), abs=5e-8)
    assert repr(ppv) == (
        "precision of 'yes' 0.2010 [0.1331, 0.2919] 95 %, at prevalence 0.07 of 'yes', "
        "logit by actual class, n = 78"
    )
    errors = table(31, 12, 3, 32).at_prevalence(0.07).interval("false_discovery_rate")
    assert (errors.low, errors.high) == pytest.approx((1 - ppv.high, 1 - ppv.low), rel=1e-12)


def by_delta(cells, prevalence, level):
    """The logit plus and minus standard errors, with derivatives by numeric differentiation."""
    tp, fp, fn, tn = cells

    def logits(rates):
        recall, specificity = rates
        ppv = recall * prevalence / (recall * prevalence + (1 - specificity) * (1 - prevalence))
        npv = (
            specificity
            * (1 - prevalence)
            / (specificity * (1 - prevalence) + (1 - recall) * prevalence)
        )
        return special.logit([ppv, npv])

    rates = np.array([tp / (tp + fn), tn / (tn + fp)])
    slopes = optimize.approx_fprime(rates, logits, 1e-7)
    variances = slopes**2 @ (rates * (1 - rates) / np.array([tp + fn, tn + fp]))
    half = stats.norm.ppf((1 + level) / 2) * np.sqrt(variances)
    return special.expit(
        np.stack([logits(rates) - half, logits(rates), logits(rates) + half], axis=1)
    )


# The first are the data of Mercaldo et al. (2007), table VIII, at their prevalences.
@pytest.mark.parametrize(
    "cells", [(240, 87, 178, 288), (5, 40, 2, 3), (1, 1, 1, 1), (999, 10, 1, 9_990)]
)
@pytest.mark.parametrize("prevalence", [0.03, 0.5, 0.001])
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_limits_are_those_of_the_delta_method(cells, prevalence, level):
    for interval, expected in zip(
        both(table(*cells), prevalence, level), by_delta(cells, prevalence, level), strict=True
    ):
        np.testing.assert_allclose(
            (interval.low, interval.value, interval.high), expected, rtol=1e-4
        )


def test_only_the_rate_with_an_empty_count_is_adjusted():
    # None of 44 negative samples is predicted positive: z^2 / 2 added to both counts; the recall is
    # 31 of 34.
    ppv, npv = both(table(31, 0, 3, 44), 0.07)
    more = stats.norm.ppf(0.975) ** 2 / 2
    (low, _, _), (low_of_npv, _, high_of_npv) = by_delta((31, more, 3, 44 + more), 0.07, 0.95)
    assert (ppv.value, *limits(ppv)) == pytest.approx((1, low, 1), rel=1e-5)
    assert npv.value == pytest.approx(0.9934025, abs=5e-8)
    assert limits(npv) == pytest.approx((low_of_npv, high_of_npv), rel=1e-5)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_values_are_those_of_rows_as_weights(n_classes):
    """Of samples that are weighted by the wanted over the observed share of their class."""
    random = np.random.default_rng(0)
    y, pred = random.integers(0, n_classes, (2, 300))
    share = np.bincount(y) / 300
    wanted = np.append(0.02, 0.98 * share[1:] / share[1:].sum())
    weights = (wanted / share)[y]
    cm = ConfusionMatrix.from_predictions(y, pred).at_prevalence({0: 0.02})
    assert cm.n_samples == pytest.approx(300)
    theirs = {
        "f1_macro": metrics.f1_score(y, pred, average="macro", sample_weight=weights),
        "precision_weighted": metrics.precision_score(
            y, pred, average="weighted", sample_weight=weights
        ),
        "matthews_corrcoef": metrics.matthews_corrcoef(y, pred, sample_weight=weights),
        "cohen_kappa": metrics.cohen_kappa_score(y, pred, sample_weight=weights),
        "accuracy": metrics.accuracy_score(y, pred, sample_weight=weights),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, pred),
    }
    for name, expected in theirs.items():
        assert cm.score(name) == pytest.approx(expected, rel=1e-12), name
    np.testing.assert_allclose(
        cm.normalize("true"), metrics.confusion_matrix(y, pred, normalize="true"), rtol=1e-12
    )


def test_f1_of_a_rare_class():
    # Precision .8 p / (.8 p + .1 (1 - p)) at p = .01, recall .8.
    cm = ConfusionMatrix.from_counts([[90, 10], [20, 80]], labels=["healthy", "ill"])
    assert cm.at_prevalence({"ill": 0.01}).score("f1") == pytest.approx(
        2 * 0.8 / (1 + 0.8 + 0.1 * 0.99 / 0.01), rel=1e-12
    )
    assert cm.at_prevalence(0.5).score("f1") == pytest.approx(cm.score("f1"), rel=1e-12)


def test_several_prevalences_are_a_leading_axis():
    counts = np.array([[[30, 4, 1], [3, 20, 7], [2, 5, 40]], [[9, 4, 0], [0, 8, 1], [3, 0, 4]]])
    cm = ConfusionMatrix.from_counts(counts, labels=["a", "b", "c"])
    found = cm.at_prevalence({"b": [0.1, 0.3], "c": [0.6, 0.2]})
    assert [axis.name for axis in found.axes] == ["prevalence", "axis_0"]
    assert found.axes[0].coordinates.tolist() == [0.1, 0.3]
    np.testing.assert_allclose(found.counts.sum(-1)[1, 0] / 112, [0.5, 0.3, 0.2])
    for place, shares in ((0, {"b": 0.1, "c": 0.6}), (1, {"b": 0.3, "c": 0.2})):
        one = cm.at_prevalence(shares)
        np.testing.assert_allclose(found.counts[place], one.counts, rtol=1e-12)
        assert found.sel(prevalence=shares["b"]) == one
        interval = found.sel(prevalence=shares["b"], axis_0=1).interval("f1_macro", random_state=0)
        assert interval == one.sel(axis_0=1).interval("f1_macro", random_state=0)
    rows = found.summary("accuracy", n_resamples=999)
    np.testing.assert_array_equal(rows.low[..., 0], found.interval("accuracy", n_resamples=999).low)
    again = ConfusionMatrix.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    for copy in (again, pickle.loads(pickle.dumps(found))):
        np.testing.assert_array_equal(copy._design.observed, found._design.observed)
    # Adjusted counts are adjusted from those that were counted.
    np.testing.assert_allclose(
        one.at_prevalence({"a": 0.9}).counts, cm.at_prevalence({"a": 0.9}).counts, rtol=1e-12
    )


@pytest.mark.parametrize("metric", ["recall", "specificity", "informedness"])
def test_values_within_a_class_keep_their_limits(metric):
    cm = table(20, 7, 5, 60)
    expected, found = cm.interval(metric, fixed="actual"), cm.at_prevalence(0.1).interval(metric)
    assert (found.value, *limits(found)) == pytest.approx(
        (expected.value, *limits(expected)), rel=1e-12
    )


def test_recall_of_one_of_several_classes_keeps_its_limits_but_specificity_has_other_rows():
    cm = ConfusionMatrix.from_counts([[30, 4, 1], [3, 20, 7], [2, 5, 40]], labels=["a", "b", "c"])
    expected, found = (
        cm.interval("recall", average=None),
        cm.at_prevalence({"a": 0.01}).interval("recall", average=None),
    )
    np.testing.assert_allclose(found.low, expected.low, rtol=1e-12)
    of_rest = cm.at_prevalence({"a": 0.01}).interval(
        "specificity", labels=["b"], average="macro", random_state=0
    )
    # 5 of 47 samples of c and 4 of 35 of a are predicted as b.
    share_of_c = 0.99 * 47 / 77
    assert of_rest.value == pytest.approx(
        1 - (0.01 * 4 / 35 + share_of_c * 5 / 47) / (0.01 + share_of_c), rel=1e-12
    )


def test_multilabel_matrices_have_those_of_each_label():
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 50, 3))
    found = (
        ConfusionMatrix.from_predictions(y_true, y_pred).at_prevalence(0.3).interval("precision")
    )
    for k in range(3):
        alone = (
            ConfusionMatrix.from_predictions(y_true[:, k], y_pred[:, k])
            .at_prevalence(0.3)
            .interval("precision")
        )
        assert (found.value[k], found.low[k]) == (alone.value, alone.low)
    assert [axis.name for axis in found.axes] == ["label"]


@pytest.mark.parametrize(("cells", "ends"), [((0, 5, 5, 9), (0, None)), ((5, 0, 0, 9), (None, 1))])
def test_ends_of_the_range_are_limits(cells, ends):
    interval, _ = both(table(*cells), 0.3)
    for found, end in zip(limits(interval), ends, strict=True):
        assert found == end if end is not None else 0 < found < 1


def test_what_is_undefined_is_nan_between_0_and_1():
    found = table(0, 0, 5, 9).at_prevalence(0.3).interval("precision", zero_division=np.nan)
    assert np.isnan(found.value)
    assert limits(found) == (0, 1)


def test_limits_of_predictive_values_have_their_nominal_coverage():
    # By enumeration of all outcomes: 40 positive and 60 negative samples.
    recall, specificity, prevalence = 0.8, 0.9, 0.1
    tp, tn = np.meshgrid(np.arange(41), np.arange(61), indexing="ij")
    matrices = np.stack([np.stack([tn, 60 - tn], -1), np.stack([40 - tp, tp], -1)], -2)
    adjusted = ConfusionMatrix.from_counts(matrices, labels=["no", "yes"]).at_prevalence(prevalence)
    distribution = stats.binom.pmf(tp, 40, recall) * stats.binom.pmf(tn, 60, specificity)
    ppv = recall * prevalence / (recall * prevalence + (1 - specificity) * (1 - prevalence))
    npv = (
        specificity
        * (1 - prevalence)
        / (specificity * (1 - prevalence) + (1 - recall) * prevalence)
    )
    for name, truth in zip(PREDICTIVE, (ppv, npv), strict=True):
        found = adjusted.interval(name, zero_division=np.nan)
        assert 0.94 < distribution[(found.low <= truth) & (truth <= found.high)].sum() < 0.98


OF_FIRST = {"labels": [0], "average": "macro", "zero_division": 0}


@pytest.mark.parametrize(
    ("n_classes", "n", "rate", "metric", "options", "n_draws"),
    [
        # The bootstrap alone covers .78: a large class without an error may have some.
        (3, 100, 0.99, "precision", OF_FIRST, 150),
        # The posterior alone covers .58: it expects an error of each class.
        (6, 10, 0.99, "accuracy", {}, 60),
        (3, 20, 0.8, "matthews_corrcoef", {}, 80),
        (3, 20, 0.8, "f1_macro", {"zero_division": 0}, 80),
    ],
)
def test_limits_by_rows_cover(n_classes, n, rate, metric, options, n_draws):
    """Draws of few samples, most errors of which are predicted as a class of 20 % where the
    values are to hold.
    """
    wrong = np.where(np.eye(n_classes), 0, np.append(3, np.ones(n_classes - 1)))
    truth = np.where(np.eye(n_classes), rate, (1 - rate) * wrong / wrong.sum(1, keepdims=True))
    counts = np.random.default_rng(0).multinomial(n, truth, size=(n_draws, n_classes))
    labels = np.arange(n_classes)
    found = ConfusionMatrix.from_counts(counts, labels).at_prevalence({0: 0.2})
    found = found.interval(metric, n_resamples=199, random_state=0, **options)
    value = (
        ConfusionMatrix.from_counts(1e6 * truth, labels)
        .at_prevalence({0: 0.2})
        .score(metric, **options)
    )
    assert np.mean((found.low <= value) & (value <= found.high)) > 0.9


@pytest.mark.parametrize("n_classes", [2, 5])
def test_errors_of_a_row_have_half_a_sample_in_the_posterior(n_classes):
    """So has the right prediction: without an error the limit is the 97.5 % quantile of Jeffreys'
    posterior.
    """
    cm = ConfusionMatrix.from_counts(30 * np.eye(n_classes, dtype=int), labels=range(n_classes))
    found = cm.at_prevalence({0: 0.999}).interval("accuracy", n_resamples=9_999, random_state=0)
    assert found.low == pytest.approx(1 - 0.999 * stats.beta(0.5, 30.5).ppf(0.975), abs=4e-3)


def test_every_metric_has_a_value_and_an_interval_or_says_why_not():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 200)
    cm = ConfusionMatrix.from_predictions(
        y, np.where(random.random(200) < 0.8, y, 1 - y)
    ).at_prevalence(0.2)
    refused = []
    for row in METRICS:
        parameters = parameters_of(row)
        value = cm.score(row.name, **parameters)
        assert np.isfinite(value), row.name
        try:
            found = cm.interval(row.name, n_resamples=199, random_state=0, **parameters)
        except ValueError as error:
            refused.append((row.name, str(error)))
        else:
            assert found.low <= value <= found.high or np.isnan(found.low), row.name
    assert all(
        "a given prevalence" in message or "fixed by the design" in message
        for _, message in refused
    )
    assert len(refused) == 10, refused


WEIGHTED = {"sample_weight": [1.0, 2.0, 3.0, 1.0]}


def test_weighted_samples_have_values():
    cm = ConfusionMatrix.from_predictions([0, 0, 1, 1], [0, 1, 1, 0], **WEIGHTED).at_prevalence(0.1)
    # Weights 2 of 3 of the negative and 3 of 4 of the positive ones.
    assert cm.score("precision") == pytest.approx(0.075 / (0.075 + 0.6), rel=1e-12)


def test_precision_of_weighted_samples_is_delta_by_actual_class():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [3000, 1000])
    pred = np.where(random.random(4000) < 0.85, y, 1 - y)
    weights = random.lognormal(sigma=0.5, size=4000)
    cm = ConfusionMatrix.from_predictions(y, pred, sample_weight=weights).at_prevalence(0.1)
    found = cm.interval("precision")
    # logit precision = logit prevalence + ln recall - ln false positive rate, whose variances are
    # sum w^2 (hit - p)^2 / (p sum w)^2.
    variance, odds = 0.0, np.log(0.1 / 0.9)
    for actual, sign in ((1, 1), (0, -1)):
        own, hit = weights[y == actual], pred[y == actual]
        share = own @ hit / own.sum()
        odds += sign * np.log(share)
        variance += (own**2 * (hit - share) ** 2).sum() / (share * own.sum()) ** 2
    t = stats.t.isf(0.025, weights.sum() ** 2 / (weights**2).sum() - 1)
    expected = special.expit(odds + t * np.sqrt(variance) * np.array([-1, 1]))
    # A false positive that is added moves the nearer limit by little.
    assert found.high == pytest.approx(expected[1], rel=1e-6)
    assert expected[0] - 0.001 < found.low <= expected[0] * (1 + 1e-6)
    assert found.method == "delta by actual class"


def test_equal_weights_and_clusters_of_one_are_independent_samples_at_a_prevalence():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [300, 100])
    pred = np.where(random.random(400) < 0.85, y, 1 - y)
    plain = ConfusionMatrix.from_predictions(y, pred).at_prevalence(0.1)
    for options in ({"sample_weight": np.full(400, 2.5)}, {"clusters": np.arange(400)}):
        same = ConfusionMatrix.from_predictions(y, pred, **options).at_prevalence(0.1)
        for metric in ("precision", "recall", "f1"):
            expected = plain.interval(metric, random_state=0)
            found = same.interval(metric, random_state=0)
            assert found.method == expected.method
            np.testing.assert_allclose(
                (found.low, found.high), (expected.low, expected.high), rtol=1e-10
            )


def test_weights_constant_within_the_actual_classes_are_those_of_a_prevalence():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [300, 100])
    pred = np.where(random.random(400) < 0.85, y, 1 - y)
    # Of 1,000 in the population 20 are positive.
    weights = np.where(y == 1, 20 / 100, 980 / 300)
    weighted = ConfusionMatrix.from_predictions(y, pred, sample_weight=weights)
    expected = ConfusionMatrix.from_predictions(y, pred).at_prevalence(0.02)
    for metric in ("precision", "recall", "markedness", "accuracy", "mcc"):
        of_both = [cm.interval(metric, random_state=0) for cm in (weighted, expected)]
        assert of_both[0].method == of_both[1].method
        np.testing.assert_allclose(*((of.value, of.low, of.high) for of in of_both), rtol=1e-9)
    # Without an error they may as well depend on the prediction.
    perfect = ConfusionMatrix.from_predictions(y, y, sample_weight=weights).interval("recall")
    t, n = stats.t.isf(0.025, 99), 20 / (980 / 300)
    assert perfect.low == pytest.approx((2 * stats.norm.sf(t)) ** (1 / n), rel=1e-9)


@pytest.mark.parametrize("combined", [lambda cm: cm + cm, lambda cm: cm.sum("sex")])
def test_sums_of_adjusted_counts_have_no_intervals(combined):
    cm = ConfusionMatrix.from_predictions(
        [0, 0, 1, 1], [0, 1, 1, 0], by={"sex": list("mfmf")}
    ).at_prevalence(0.1)
    with pytest.raises(ValueError, match="the counts were summed after at_prevalence"):
        combined(cm).interval("precision", pos_label=1)


def test_names_and_order():
    cm = table(20, 7, 5, 60)
    expected = cm.at_prevalence({"yes": 0.3})
    assert cm.at_prevalence(pd.Series({"yes": 0.3, "no": 0.7})) == expected
    turned = expected.with_labels(["yes", "no"])
    found, same = (of.interval("precision", pos_label="yes") for of in (expected, turned))
    assert (found.low, found.high) == pytest.approx((same.low, same.high), rel=1e-12)
    # A metric that weights recall by 1e10 still sees the false positives of a class that is rare
    # enough.
    rare = cm.at_prevalence(1e-12)
    assert rare.interval("fbeta", beta=1e5, random_state=0).value == pytest.approx(
        rare.score("fbeta", beta=1e5)
    )


def test_small_values_depend_on_the_prevalence_as_large_ones_do():
    cm, options = (
        table(20, 7, 5, 60),
        {"alpha": 1e12, "beta": 1e12, "random_state": 0, "n_resamples": 199},
    )
    found = cm.at_prevalence(0.01).interval("tversky", **options)
    # recall .8 of 1 %, false positives 7 of 67 of 99 %, false negatives .2 of 1 %.
    assert found.value == pytest.approx(0.008 / (1e12 * (0.99 * 7 / 67 + 0.002)), rel=1e-9)


def balanced_accuracy(cm):
    return (cm.counts[0, 0] + cm.counts[1, 1]) / cm.counts.sum()


def test_custom_metrics_may_have_the_name_of_another():
    cm = table(20, 7, 5, 60)
    for of, value in ((cm, 80 / 92), (cm.at_prevalence(0.5), (20 / 25 + 60 / 67) / 2)):
        found = of.interval(balanced_accuracy, n_resamples=199, random_state=0)
        assert found.value == pytest.approx(value, rel=1e-12)
        assert found.low < value < found.high


FULL = ConfusionMatrix.from_counts(np.arange(1, 17).reshape(4, 4), labels=list("abcd"))
THREE = ConfusionMatrix.from_counts([[5, 1, 0], [2, 8, 1], [0, 0, 0]], labels=["a", "b", "c"])


@pytest.mark.parametrize(
    ("cm", "prevalence", "message"),
    [
        (
            table(1, 2, 3, 4),
            0,
            r"prevalence must be above 0, below 1, and at most 1 in all; got \[0\.0\]",
        ),
        (table(1, 2, 3, 4), 1.0, "prevalence must be above 0, below 1"),
        (
            table(1, 2, 3, 4),
            [[0.1]],
            r"a number per class, or lists of one length; it has the shapes \(1, 1\)",
        ),
        (table(1, 2, 3, 4), {"maybe": 0.1}, "prevalence are named .'maybe'., but the labels are"),
        (table(1, 2, 3, 4), {}, "prevalence is empty"),
        (table(1, 2, 3, 4), {"no": 0.5, "yes": 0.4}, r"of \['no', 'yes'\] must add up to 1"),
        (table(1, 2, 3, 4), {"no": 0.8, "yes": 0.4}, "at most 1 in all"),
        (table(1, 2, 3, 4), np.nan, "prevalence holds NaN"),
        (
            table(0, 2, 0, 4),
            0.1,
            r"the classes \['yes'\] have no samples, so what is predicted for them is not known",
        ),
        (
            THREE,
            0.1,
            r"that of the positive class of two, but the labels are \['a', 'b', 'c'\]: pass "
            r"\{class",
        ),
        (THREE, {"c": 0.1}, r"the classes \['c'\] have no samples"),
        (THREE, {"a": 0.1, "b": 0.2}, r"of \['a', 'b'\] must add up to 1 if no other has samples"),
        (
            FULL,
            {"a": 0.7, "b": 0.2, "c": 0.1},
            r"of \['a', 'b', 'c'\] must add up to 1 if no .*, else less",
        ),
        (
            FULL,
            {"c": 0.1, "b": 0.2, "a": 0.7},
            r"of \['c', 'b', 'a'\] must add up to 1 if no .*, else less",
        ),
        (FULL, {"a": 0.7, "b": 0.2, "c": 0.1 + 5e-10}, "must add up to 1 if no other has samples"),
        (
            table(1, 2, 3, 4),
            [],
            r"a number per class, or lists of one length; it has the shapes \(0,\)",
        ),
        (
            table(1, 2, 3, 4),
            {"no": [0.1, 0.2], "yes": [0.9, 0.8, 0.7]},
            r"it has the shapes \(2,\), \(3,\)",
        ),
        (
            table(1, 2, 3, 4).at_prevalence([0.1, 0.2]),
            0.5,
            "already has an axis 'prevalence': select one of its",
        ),
        (ConfusionMatrix.from_predictions(["a", "b"], ["a", "a"]), 0.1, "positive class"),
    ],
)
def test_mistakes_are_named(cm, prevalence, message):
    with pytest.raises(ValueError, match=message):
        cm.at_prevalence(prevalence)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        (
            "f1",
            {"method": "wilson"},
            "method='wilson' does not apply to counts at another prevalence: omit it",
        ),
        (
            "precision_worst",
            {},
            "there is no valid confidence interval for precision at a given prevalence",
        ),
        (
            "quantity_disagreement",
            {},
            "there is no valid confidence interval for quantity_disagreement",
        ),
        (
            "prevalence",
            {},
            "prevalence is fixed by the design, where the numbers or the shares of the actual "
            "classes are given: it has no interval",
        ),
        ("f1", {"confidence_level": 2}, "confidence_level must be at least 0.5 and below 1"),
    ],
)
def test_intervals_that_do_not_exist_are_refused(metric, options, message):
    with pytest.raises(ValueError, match=message):
        table(1, 2, 3, 4).at_prevalence(0.1).interval(metric, **options)


@pytest.mark.parametrize("metric", ["prevalence", "no_information_rate"])
@pytest.mark.parametrize("option", ["none", "sample_weight", "clusters"])
def test_what_the_given_prevalence_decides_has_no_interval(option, metric):
    y_true, y_pred = np.arange(60) % 3 % 2, np.arange(60) % 4 % 2
    options = {"none": {}, "sample_weight": {"sample_weight": np.arange(60) % 7 + 1}}
    given = options.get(option, {"clusters": np.arange(60) // 3})
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, **given).at_prevalence(0.05)
    with pytest.raises(ValueError, match=f"{metric} is fixed by the design"):
        cm.interval(metric)


@pytest.mark.parametrize("thresholds", [None, [0.2, 0.5]])
@pytest.mark.parametrize("weights", [None, np.arange(1, 41) / 7])
def test_curves_are_those_of_samples_with_these_weights(thresholds, weights):
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    scores = (y + random.random(40)).round(1) / 2
    own = np.ones(40) if weights is None else weights
    totals = np.bincount(y, own)
    expected = ThresholdCurve.from_scores(
        y,
        scores,
        sample_weight=own * (np.array([0.95, 0.05]) * totals.sum() / totals)[y],
        thresholds=thresholds,
    )
    curve = ThresholdCurve.from_scores(
        y, scores, sample_weight=weights, thresholds=thresholds
    ).at_prevalence(0.05)
    np.testing.assert_array_equal(curve.thresholds, expected.thresholds)
    for ours, theirs in zip(curve.counts, expected.counts, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert curve.at(0.5)._design.are_weights


def test_areas_at_a_prevalence_and_classes_without_samples():
    curve = ThresholdCurve.from_scores([0, 1] * 10, np.linspace(0, 1, 20))
    assert curve.at_prevalence(0.1).roc_auc() == pytest.approx(curve.roc_auc(), rel=1e-12)
    # Both classes are ranked as before.
    of_both = curve.at_prevalence(0.1).interval("roc_auc"), curve.interval("roc_auc")
    assert of_both[0].low == pytest.approx(of_both[1].low, rel=1e-12)
    with pytest.raises(ValueError, match="prevalence must be above 0, below 1"):
        curve.at_prevalence(1)
    with pytest.raises(ValueError, match=r"the classes \[1\] have no samples"):
        ThresholdCurve.from_scores([0, 0], [0.1, 0.2], pos_label=1).at_prevalence(0.1)


def profit(cm, weights=(1, 2)):
    return 50.0 + np.sum(weights) * cm.counts[..., 1, 1]


profit.vectorized = True


def test_weights_of_a_custom_metric_are_its_own():
    """They are no table of disagreements, and do not limit its range."""
    found = table(20, 7, 5, 60).interval(profit, weights=[1, 2, 3], n_resamples=199, random_state=0)
    assert found.value == 50 + 6 * 20
    assert found.low < found.value < found.high


def test_errors_among_the_negative_predictions_have_the_mirrored_limits():
    cm = table(31, 12, 3, 32).at_prevalence(0.07)
    npv, errors = cm.interval("npv"), cm.interval("false_omission_rate")
    # CIfinder 2.0, as above.
    assert (1 - errors.high, 1 - errors.low) == pytest.approx((0.9734141, 0.9969560), abs=5e-8)
    assert limits(errors) == pytest.approx((1 - npv.high, 1 - npv.low), rel=1e-12)
    assert errors.value == pytest.approx(1 - npv.value, rel=1e-12)


# More than two classes.

COUNTS = np.array([[70, 20, 10], [3, 35, 2], [1, 0, 19]])
SHARES = np.array([0.8, 0.15, 0.05])
OF_THREE = ConfusionMatrix.from_counts(COUNTS, labels=list("abc")).at_prevalence(
    dict(zip("abc", SHARES, strict=True))
)


def with_limits(hits, n):
    low, high = mid_p(hits, n)
    if 0 < hits < 3:
        low = min(low, stats.chi2.ppf(0.05, 2 * hits) / 2 / n)
    if 0 < n - hits < 3:
        high = max(high, 1 - stats.chi2.ppf(0.05, 2 * (n - hits)) / 2 / n)
    return hits / n, low, high


def of_class(k, value_of):
    """Newcombe's (1998) squares that add up: of the recall, and of the sum of what other classes
    are taken for this one, written out.
    """
    right, *ends_of_right = (
        SHARES[k] * part for part in with_limits(COUNTS[k, k], COUNTS[k].sum())
    )
    parts = [
        SHARES[j] * np.array(with_limits(COUNTS[j, k], COUNTS[j].sum())) for j in range(3) if j != k
    ]
    false = sum(part[0] for part in parts)
    below, above = (np.sqrt(sum((part[0] - part[i]) ** 2 for part in parts)) for i in (1, 2))
    value = value_of(right, false)
    moves = [[value_of(end, false) - value for end in ends_of_right]]
    moves += [[value_of(right, end) - value for end in (max(false - below, 0), false + above)]]
    low = value - np.sqrt(sum(min(min(of), 0) ** 2 for of in moves))
    high = value + np.sqrt(sum(max(max(of), 0) ** 2 for of in moves))
    return value, max(low, 0), min(high, 1)


@pytest.mark.parametrize("k", range(3))
def test_limits_of_one_class_of_several_by_hand(k):
    def bounded(value):
        return value / (1 + value)

    values_of = {
        "precision": lambda right, false: right / (right + false),
        "f1": lambda right, false: 2 * right / (SHARES[k] + right + false),
    }
    for metric, value_of in values_of.items():
        found = OF_THREE.interval(metric, average=None)
        on_scale = of_class(k, lambda right, false, of=value_of: bounded(of(right, false)))
        expected = [end / (1 - end) for end in on_scale]
        assert (found.value[k], found.low[k], found.high[k]) == pytest.approx(
            (expected[0], expected[1], min(expected[2], 1)), rel=1e-9
        )
        assert set(found.method) == {"MOVER by actual class"}
        alone = OF_THREE.interval(metric, labels=["abc"[k]], average=None)
        assert (alone.low, alone.high) == pytest.approx((found.low[k], found.high[k]))


def test_a_class_that_no_other_is_taken_for_is_not_certainly_told_apart():
    counts = np.diag([40, 40, 40])
    cm = ConfusionMatrix.from_counts(counts, labels=range(3)).at_prevalence({0: 0.9})
    found = cm.interval("precision", average=None)
    assert found.value.tolist() == [1, 1, 1]
    assert (found.high == 1).all()
    # Of class 0 up to 8.8 % may be taken for a class of 5 %.
    assert found.low[0] > 0.95
    assert (found.low[1:] < 0.5).all()
    infinite = cm.interval("positive_likelihood_ratio", average=None)
    assert np.isinf(infinite.value).all()
    assert np.isfinite(infinite.low).all()


def test_distances_of_classes_that_err_to_one_side_add_up():
    """Ten classes of ten samples, one of 80 %: what it is taken for is in few samples, so that
    precisions are too high. Resampled, the mean looks like .8 +- .1; in the population it is .39.
    """
    right, n_classes = 0.7, 10
    shares = np.append(0.8, np.full(9, 0.2 / 9))
    rates = np.full((10, 10), (1 - right) / 9)
    np.fill_diagonal(rates, right)
    joint = shares[:, None] * rates
    truth = (np.diag(joint) / joint.sum(0)).mean()
    counts = [np.random.default_rng(0).multinomial(10, of_class, 20) for of_class in rates]
    covered = []
    for of_draw in np.moveaxis(counts, 1, 0):
        cm = ConfusionMatrix.from_counts(of_draw, labels=range(n_classes))
        found = cm.at_prevalence(dict(enumerate(shares))).interval(
            "precision_macro", n_resamples=199
        )
        covered.append(found.low <= truth <= found.high)
    assert sum(covered) >= 18


def test_a_mean_is_at_least_as_wide_as_by_its_classes():
    found = OF_THREE.interval("precision_macro", n_resamples=499)
    each = OF_THREE.interval("precision", average=None)
    below, above = (np.sqrt(((each.value - end) ** 2).sum()) / 3 for end in (each.low, each.high))
    assert found.low <= found.value - below + 1e-12
    assert found.high >= found.value + above - 1e-12


@pytest.mark.parametrize("shift", [0, 0.2, -0.2])
def test_limits_of_a_mean_are_extended_by_the_bias_of_replicates(shift):
    """Of replicates around the value, or on one side of it, squares or distances add up; four times
    their bias is added on the other side.
    """
    cm = ConfusionMatrix.from_counts(COUNTS, labels=list("abc"))
    counted, observed = (CountedMatrix(of.counts, of.labels) for of in (OF_THREE, cm))
    mean, each = (
        estimand_of(counted, choose("precision", average=average)) for average in ("macro", None)
    )
    rows = RescaledRows(observed.matrix, counted.matrix, mean.value_of)
    smoothing = replace(mean, matrices=observed.matrix).smoothing
    filled = observed.matrix + smoothing
    kept = filled * (observed.matrix.sum(1) / filled.sum(1))[:, None]
    of_smoothed = mean.value_of(kept * rows.factors)
    value = mean.value_of(counted.matrix)
    noise = np.linspace(-0.1, 0.1, 201)
    replicates = [of_smoothed + shift + noise, value + noise]
    ends = Limits(each.value_of(each.matrices) - 0.1, each.value_of(each.matrices) + 0.05)
    inner = Limits(value - 0.001, value + 0.001)
    found = reaching_classes(rows, mean, each, inner, ends, replicates)
    joined = (lambda of: 3 * of) if shift else (lambda of: np.sqrt(3) * of)
    assert found.low == pytest.approx(value - joined(0.1) / 3 - 4 * max(shift, 0))
    assert found.high == pytest.approx(value + joined(0.05) / 3 - 4 * min(shift, 0))


def test_kinked_values_of_several_classes_are_refused():
    with pytest.raises(ValueError, match="optimized_precision at a given prevalence"):
        OF_THREE.interval("optimized_precision", average=None)


def test_values_at_their_end_move_by_both_rates():
    """Without an error of either kind Yule's Q stays 1 where only one rate is moved."""
    cm = ConfusionMatrix.from_counts([[97, 2, 1], [0, 15, 0], [0, 0, 15]], labels=list("abc"))
    there = cm.at_prevalence({"a": 0.34, "b": 0.33, "c": 0.33})
    for metric in ("yule_q", "diagnostic_odds_ratio"):
        found = there.interval(metric, average=None)
        assert np.isfinite(found.low).all()
        assert (found.low < found.value).all()
    with pytest.raises(ValueError, match="overlap_coefficient at a given prevalence"):
        there.interval("overlap_coefficient", average=None)


def test_from_an_end_of_its_range_a_value_moves_as_far_as_both_of_its_counts():
    """The class a without errors: both fewer right ones and more false ones lower F1."""
    n, shares = np.array([40, 40, 60]), np.array([0.2, 0.3, 0.5])
    counts = [[40, 0, 0], [0, 33, 7], [0, 9, 51]]
    cm = ConfusionMatrix.from_counts(counts, labels=["a", "b", "c"])
    given = cm.at_prevalence(dict(zip("abc", shares, strict=True)))
    missed = [1 - table(of, 0, 0, 0).interval("recall").low for of in n.tolist()]
    fn, fp = shares[0] * missed[0], np.hypot(*(shares[1:] * missed[1:]))
    tp = shares[0] - fn
    f1, error = (given.interval(name, average=None) for name in ("f1", "one_vs_rest_error"))
    assert (f1.value[0], f1.high[0], error.value[0], error.low[0]) == (1, 1, 0, 0)
    assert f1.low[0] <= 2 * tp / (2 * tp + fp + fn) * (1 + 1e-9)
    assert error.high[0] >= (fn + fp) * (1 - 1e-9)


def test_weights_of_actual_classes_say_nothing_at_another_prevalence():
    """They are a prevalence themselves, which the given one replaces."""
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 400)
    predicted = np.where(random.random(400) < 0.8, y, 1 - y)
    plain = ConfusionMatrix.from_predictions(y, predicted).at_prevalence(0.1)
    weighted = ConfusionMatrix.from_predictions(y, predicted, sample_weight=1 + 2 * y)
    for metric in ("precision", "f1"):
        found, expected = weighted.at_prevalence(0.1).interval(metric), plain.interval(metric)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
        assert found.method == expected.method
