"""Predictive values at another prevalence: published intervals, the delta method, coverage, edges and errors."""

import pickle

import numpy as np
import pytest
from scipy import optimize, special, stats
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ConfusionMatrix, PredictiveValues


def table(tp, fp, fn, tn):
    return ConfusionMatrix.from_counts([[tn, fp], [fn, tp]], labels=["no", "yes"])


def limits(interval):
    return interval.low, interval.high


# The data of van de Vijver et al. (2002), New England Journal of Medicine 347:1999, at a prevalence of 7 %: the
# logit interval of Mercaldo, Lau & Zhou as R's CIfinder 2.0 prints it.


def test_published_intervals_on_the_logit():
    ppv, npv = table(31, 12, 3, 32).predictive_values(0.07)
    assert (ppv.value, *limits(ppv)) == pytest.approx((0.2010444, 0.1331384, 0.2919216), abs=5e-8)
    assert (npv.value, *limits(npv)) == pytest.approx((0.9909508, 0.9734141, 0.9969560), abs=5e-8)
    assert (ppv.method, ppv.confidence_level, ppv.axes) == ("logit at prevalence 0.07", 0.95, ())
    assert [(of.metric, of.label, of.n) for of in (ppv, npv)] == [("ppv", "yes", 78), ("npv", "yes", 78)]


def test_only_the_rate_with_an_empty_count_is_adjusted():
    # None of 44 negative samples is predicted positive: z^2 / 2 added to both counts; the recall is 31 of 34.
    ppv, npv = table(31, 0, 3, 44).predictive_values(0.07)
    more = stats.norm.ppf(0.975) ** 2 / 2
    (low, _, _), (low_of_npv, _, high_of_npv) = by_delta((31, more, 3, 44 + more), 0.07, 0.95)
    assert ppv.value == 1
    assert limits(ppv) == pytest.approx((low, 1), rel=1e-5)
    assert npv.value == pytest.approx(0.9934025, abs=5e-8)
    assert limits(npv) == pytest.approx((low_of_npv, high_of_npv), rel=1e-5)


def by_delta(cells, prevalence, level):
    """The logit plus and minus standard errors, with derivatives by numeric differentiation."""
    tp, fp, fn, tn = cells

    def logits(rates):
        recall, specificity = rates
        ppv = recall * prevalence / (recall * prevalence + (1 - specificity) * (1 - prevalence))
        npv = specificity * (1 - prevalence) / (specificity * (1 - prevalence) + (1 - recall) * prevalence)
        return special.logit([ppv, npv])

    rates = np.array([tp / (tp + fn), tn / (tn + fp)])
    slopes = optimize.approx_fprime(rates, logits, 1e-7)
    variances = slopes**2 @ (rates * (1 - rates) / np.array([tp + fn, tn + fp]))
    half = stats.norm.ppf((1 + level) / 2) * np.sqrt(variances)
    return special.expit(np.stack([logits(rates) - half, logits(rates), logits(rates) + half], axis=1))


# The first are the data of Mercaldo et al. (2007), table VIII, at their prevalences.
@pytest.mark.parametrize("cells", [(240, 87, 178, 288), (5, 40, 2, 3), (1, 1, 1, 1), (999, 10, 1, 9_990)])
@pytest.mark.parametrize("prevalence", [0.03, 0.5, 0.001])
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_limits_are_those_of_the_delta_method(cells, prevalence, level):
    found = table(*cells).predictive_values(prevalence, confidence_level=level)
    for interval, expected in zip(found, by_delta(cells, prevalence, level), strict=True):
        np.testing.assert_allclose((interval.low, interval.value, interval.high), expected, rtol=1e-4)


def test_at_the_prevalence_of_the_data_they_are_precision_and_npv():
    cm = table(20, 7, 5, 60)
    found = cm.predictive_values(25 / 92)
    assert found.ppv.value == pytest.approx(cm.score("precision"))
    assert found.npv.value == pytest.approx(cm.score("npv"))


def test_the_classes_change_places_with_the_positive_one():
    cm = table(20, 7, 5, 60)
    found, turned = cm.predictive_values(0.1), cm.predictive_values(0.9, pos_label="no")
    assert (found.ppv.value, *limits(found.ppv)) == pytest.approx((turned.npv.value, *limits(turned.npv)))
    assert (found.npv.value, *limits(found.npv)) == pytest.approx((turned.ppv.value, *limits(turned.ppv)))


def test_entries_of_axes_and_one_class_of_several():
    counts = np.array([[[30, 4, 1], [3, 20, 7], [2, 5, 40]], [[9, 4, 0], [0, 8, 1], [3, 0, 4]]])
    cm = ConfusionMatrix.from_counts(counts, labels=["a", "b", "c"])
    found = cm.predictive_values(0.2, pos_label="b")
    assert found.ppv.axes == cm.axes
    for k, one in enumerate(counts):
        tp, fp, fn = one[1, 1], one[:, 1].sum() - one[1, 1], one[1].sum() - one[1, 1]
        alone = table(tp, fp, fn, one.sum() - tp - fp - fn).predictive_values(0.2)
        for ours, expected in zip(found, alone, strict=True):
            assert (ours.value[k], ours.low[k], ours.high[k]) == (expected.value, *limits(expected))


def test_multilabel_matrices_have_those_of_each_label():
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 50, 3))
    found = ConfusionMatrix.from_labels(y_true, y_pred).predictive_values(0.3)
    for k in range(3):
        alone = ConfusionMatrix.from_labels(y_true[:, k], y_pred[:, k]).predictive_values(0.3)
        assert (found.ppv.value[k], found.ppv.low[k]) == (alone.ppv.value, alone.ppv.low)
    assert [axis.name for axis in found.npv.axes] == ["label"]


@pytest.mark.parametrize(
    ("cells", "ppv", "npv"),
    [
        ((0, 5, 5, 9), (0, None), (None, None)),
        ((5, 5, 0, 9), (None, None), (None, 1)),
        ((5, 0, 0, 9), (None, 1), (None, 1)),
        ((5, 9, 3, 0), (None, None), (0, None)),
    ],
)
def test_ends_of_the_range_are_limits_and_values_lie_between_theirs(cells, ppv, npv):
    for interval, ends in zip(table(*cells).predictive_values(0.3), (ppv, npv), strict=True):
        assert interval.low <= interval.value <= interval.high
        for found, end, of_range in zip(limits(interval), ends, (0, 1), strict=True):
            assert found == of_range if end is not None else 0 < found < 1


@pytest.mark.parametrize(
    ("cells", "undefined"), [((0, 5, 0, 9), "both"), ((5, 0, 5, 0), "both"), ((0, 0, 5, 9), "ppv")]
)
def test_what_is_undefined_is_nan_between_0_and_1(cells, undefined):
    with pytest.warns(UndefinedMetricWarning, match="predictive values are undefined") as caught:
        ppv, npv = table(*cells).predictive_values(0.3)
    assert len(caught) == 1
    for interval in (ppv, npv) if undefined == "both" else (ppv,):
        assert np.isnan(interval.value)
        assert limits(interval) == (0, 1)
    assert undefined == "both" or 0 < npv.low < npv.value < npv.high < 1


def test_limits_have_their_nominal_coverage():
    # By enumeration of all outcomes: 40 positive and 60 negative samples.
    recall, specificity, prevalence = 0.8, 0.9, 0.1
    tp, tn = np.meshgrid(np.arange(41), np.arange(61), indexing="ij")
    matrices = np.stack([np.stack([tn, 60 - tn], -1), np.stack([40 - tp, tp], -1)], -2)
    found = ConfusionMatrix.from_counts(matrices, labels=["no", "yes"])
    with pytest.warns(UndefinedMetricWarning):
        ppv, npv = found.predictive_values(prevalence)
    distribution = stats.binom.pmf(tp, 40, recall) * stats.binom.pmf(tn, 60, specificity)
    true_ppv = recall * prevalence / (recall * prevalence + (1 - specificity) * (1 - prevalence))
    true_npv = specificity * (1 - prevalence) / (specificity * (1 - prevalence) + (1 - recall) * prevalence)
    for interval, truth in ((ppv, true_ppv), (npv, true_npv)):
        assert 0.94 < distribution[(interval.low <= truth) & (truth <= interval.high)].sum() < 0.98


def test_the_result_is_a_frozen_pair_that_shows_itself():
    found = table(31, 12, 3, 32).predictive_values(0.07)
    assert isinstance(found, PredictiveValues)
    about = "95 %, logit at prevalence 0.07, n = 78"
    expected = f"ppv of 'yes' 0.2010 [0.1331, 0.2919] {about}\nnpv of 'yes' 0.9910 [0.9734, 0.9970] {about}"
    assert repr(found) == expected
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
    with pytest.raises(AttributeError):
        found.ppv = found.npv


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (lambda: table(1, 2, 3, 4), {"prevalence": 0}, "prevalence must be one number between 0 and 1; got 0"),
        (lambda: table(1, 2, 3, 4), {"prevalence": 1.0}, "prevalence must be one number"),
        (lambda: table(1, 2, 3, 4), {"prevalence": [0.1, 0.2]}, "prevalence must be one number"),
        (lambda: table(1, 2, 3, 4), {"prevalence": np.array([0.1])}, "prevalence must be one number"),
        (lambda: table(1, 2, 3, 4), {"confidence_level": 95}, "confidence_level must be a number between 0 and 1"),
        (lambda: table(1, 2, 3, 4), {"pos_label": "maybe"}, "'maybe' is not among the labels in the data"),
        (lambda: table(1, 2, 3.5, 4), {}, "sums of weights, which do not give the number of samples"),
        (
            lambda: ConfusionMatrix.from_labels(["a", "b"], ["a", "a"]),
            {},
            "which of the labels .* is the positive class",
        ),
        (lambda: ConfusionMatrix.from_labels([0, 0], [0, 0]), {}, r"only the label \[0\], and no positive class"),
    ],
)
def test_mistakes_are_named(make, options, message):
    with pytest.raises(ValueError, match=message):
        make().predictive_values(**{"prevalence": 0.1, **options})
