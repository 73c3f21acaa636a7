"""compare(kind="ratio"): published values, the test of differences, zeros, what is refused."""

import warnings

import numpy as np
import pytest

from skmetrics_ext import compare
from tests.shared import for_each

# Paired1 of R's DTComPair 1.2.6: disease, test 1, test 2.
PAIRED = np.repeat(
    [[d, first, second] for d in (0, 1) for first in (0, 1) for second in (0, 1)],
    [155, 22, 53, 31, 32, 22, 78, 319],
    axis=0,
).T
# Its functions sesp.rel (Alonzo, Pepe & Moskowitz 2002), pv.rpv (Moskowitz & Pepe 2006) and
# dlr.regtest (Gu & Pepe 2009), which divides the first test by the second.
PUBLISHED = {
    "recall": (0.8589421, 0.8143843, 0.9059378, 2.211197e-08),
    "specificity": (1.1751412429, 1.0756505055, 1.2838342322, 0.0003493056),
    "precision": (1.04860694, 1.00847050, 1.09034078, 0.01714612),
    "negative_predictive_value": (0.8536403, 0.7926258, 0.9193516, 2.885568e-05),
    "positive_likelihood_ratio": (1 / 0.7345692, 1 / 0.9525973, 1 / 0.5664428, 0.0200091),
    "negative_likelihood_ratio": (1 / 0.5768875, 1 / 0.7551371, 1 / 0.4407136, 6.217627e-05),
}
METRICS = (*PUBLISHED, "f1", "false_negative_rate", "accuracy", "hamming_loss", "jaccard")


def of(true, first, second, metric, **options):
    models = {"first": first, "second": second}
    return compare(true, models, metric, kind="ratio", n_resamples=499, **options).rows[0]


def drawn(n, seed=0, right=(0.8, 0.7)):
    random = np.random.default_rng(seed)
    true = random.integers(0, 2, n)
    return true, *(np.where(random.random(n) < share, true, 1 - true) for share in right)


@for_each("metric", PUBLISHED)
def test_published_ratios_of_two_tests_on_the_same_patients(metric):
    disease, first, second = PAIRED
    row = of(disease, second, first, metric, method="delta")
    np.testing.assert_allclose((row.ratio, row.low, row.high), PUBLISHED[metric][:3], rtol=1e-6)
    assert row.p_value == pytest.approx(PUBLISHED[metric][3], rel=1e-5)
    by_default = of(disease, second, first, metric)
    np.testing.assert_allclose((by_default.low, by_default.high), (row.low, row.high), rtol=0.006)


def test_published_limits_of_two_proportions():
    # R's contingencytables: complete response before and after therapy (Cavo et al. 2012).
    before, after = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [59, 6, 16, 80], axis=1)
    everyone = np.ones_like(before)
    found = [
        of(everyone, before, after, "recall", pos_label=1, method=name)
        for name in ("tang", "delta", "auto")
    ]
    limits = [[round(end, 4) for end in (row.ratio, row.low, row.high)] for row in found]
    expected = [0.8667, 0.7476, 0.9876]
    assert limits == [expected, [0.8667, 0.7597, 0.9886], expected]
    # That of Tang's test is McNemar's asymptotic one, and by default its mid-p-value.
    assert round(found[0].p_value, 5) == 0.03301
    assert round(found[2].p_value, 5) == 0.03469


DESIGNS = {
    "independent": {},
    "weights": {"sample_weight": np.linspace(0.5, 2, 120)},
    "clusters": {"clusters": np.arange(120) // 4},
}


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
@for_each("metric", METRICS)
@for_each("design", DESIGNS)
def test_the_ratio_is_1_exactly_where_the_difference_is_0(metric, design, step):
    """The slow one is of every metric in every design with two models that differ little, more and
    most, the other one of half of these.
    """
    given = DESIGNS[design]
    for seed in range((METRICS.index(metric) + 2 * [*DESIGNS].index(design)) % step, 3, step):
        true, first, second = drawn(120, seed, (0.9, 0.7 + 0.1 * seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row = of(true, first, second, metric, **given)
            turned = of(true, second, first, metric, **given)
            models = {"first": first, "second": second}
            difference = compare(true, models, metric, **given).rows[0]
        assert row.p_value == difference.p_value
        assert (row.low > 1 or row.high < 1) == (row.p_value < 0.05)
        assert row.ratio == pytest.approx(row.value / row.reference_value)
        assert row.low <= row.ratio <= row.high
        inverse = 1 / turned.ratio, 1 / turned.high, 1 / turned.low
        np.testing.assert_allclose((row.ratio, row.low, row.high), inverse, rtol=1e-9)


def test_metrics_without_slopes_have_ratios_of_replicates():
    true, first, second = drawn(80)

    def median_recall(cm):
        return cm.score("accuracy")

    with pytest.raises(ValueError, match="can be negative"):
        of(true, first, second, median_recall)
    row = of(true, first, second, "f1", method="bootstrap")
    assert 0.8 < row.low < row.ratio < row.high < 1.6


@for_each("metric", ["recall", "precision", "f1"])
def test_a_value_of_0_has_a_ratio_with_one_finite_limit_and_two_have_none(metric):
    true = np.repeat([0, 1], 20)
    none, some = true.copy(), true.copy()
    none[20:], none[:3] = 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        row, turned = of(true, none, some, metric), of(true, some, none, metric)
    assert (row.ratio, row.low) == (0, 0)
    assert 0 < row.high < 1
    assert (turned.ratio, turned.high) == (np.inf, np.inf)
    assert turned.low == pytest.approx(1 / row.high)
    # All 20 samples that the second model alone has right tell the ratio of recalls.
    texts = [caveat.text for caveat in row.caveats]
    assert texts == [] if metric == "recall" else "by more than a tenth" in texts[0]
    with pytest.warns(UserWarning, match="is 0 for both models 'first'|fewer than 10|a tenth"):
        both = of(true, none, none.copy(), metric)
    assert np.isnan([both.ratio, both.low, both.high]).all()
    assert both.difference == 0


@for_each("n_right", [9, 10])
def test_proportions_have_a_caveat_where_either_model_has_fewer_than_ten_samples_right(n_right):
    true = np.repeat([0, 1], 50)
    first, second = true.copy(), true.copy()
    # Of the first model's misses all but one are the second's, which has no others.
    first[50 : 50 + n_right], second[51 : 50 + n_right] = 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [of(true, first, second, name).caveats for name in ("fnr", "recall")]
    is_few = [[caveat.code for caveat in caveats] == ["few_samples"] for caveats in found]
    assert is_few == [n_right < 10, False]
    if n_right < 10:
        assert "fewer than 10 samples make either of the values more than 0" in found[0][0].text


@for_each("n_misses", [8, 9, 10, 11])
def test_other_metrics_have_a_caveat_where_a_sample_changes_a_value_by_more_than_a_tenth(n_misses):
    true = np.repeat([0, 1], 500)
    few, many = true.copy(), true.copy()
    few[500 : 500 + n_misses], many[500:700] = 0, 0
    few[:50], many[:50] = 1, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = of(true, few, many, "lr_minus").caveats
    # One pseudo-sample of four is half a miss of the first model, and what is half a miss less
    # one of 500 positives changes the rate by as much.
    assert [caveat.code for caveat in found] == ["few_samples"] * (n_misses < 10)


@for_each("design", ["weights", "clusters", "independent"])
@for_each("n_differ", [3, 5, 7])
def test_fewer_than_five_samples_that_decide_are_few_among_weights_or_clusters(design, n_differ):
    true = np.repeat([0, 1], 200)
    first, second = true.copy(), true.copy()
    # Pseudo-samples are worth one of the positives; those of few clusters are twice as heavy.
    second[200 : 200 + n_differ] = 0
    given = {
        "independent": {},
        "weights": {"sample_weight": np.where(true == 0, np.arange(400) % 2 + 0.5, 1)},
        # Two samples each, of which those that differ are in clusters of their own.
        "clusters": {"clusters": np.arange(400) % 200},
    }[design]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = of(true, first, second, "recall", **given).caveats
    is_few = n_differ < {"independent": 0, "weights": 5, "clusters": 7}[design]
    assert [caveat.code for caveat in found] == ["few_samples"] * is_few
    if is_few:
        what = {"weights": "samples", "clusters": "clusters"}[design]
        assert f"fewer than 5 {what} decide the ratio" in found[0].text


def test_a_model_is_as_good_as_itself():
    true, first, _ = drawn(50)
    for metric in ("recall", "f1"):
        row = of(true, first, first.copy(), metric)
        assert (row.ratio, row.p_value) == (1, 1)
        assert row.low < 1 < row.high


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("mcc", {}, "mcc can be negative, so a ratio is not meaningful"),
        ("informedness", {}, "can be negative"),
        ("recall", {"margin": 0.1}, "margin= is of differences: hold a ratio"),
        ("recall", {"method": "tango"}, "method must be 'auto' or one of"),
        ("f1", {"method": "tang"}, "does not apply to a ratio of f1"),
        ("recall", {"strata": []}, "kind='ratio' does not apply where labels are partly known"),
    ],
)
def test_what_ratios_refuse(metric, options, message):
    true, first, second = drawn(40)
    with pytest.raises(ValueError, match=message):
        of(true, first, second, metric, **options)


def test_kinds_are_named():
    true, first, second = drawn(40)
    with pytest.raises(ValueError, match=r"kind must be one of \['difference', 'ratio'\]"):
        compare(true, {"a": first, "b": second}, "recall", kind="odds")


def test_ratios_as_text_and_frame():
    disease, first, second = PAIRED
    found = compare(disease, {"new": second, "old": first}, "recall", kind="ratio", correction=None)
    title, header, row = repr(found).split("\n")
    assert title.startswith("Comparison of 1 row, class 1: ratio = model / reference, 95 %")
    assert header.split()[5:8] == ["difference", "ratio", "low"]
    assert row.split()[3:9] == ["0.7561", "0.8803", "-0.1242", "0.8589", "0.8119", "0.9043"]
    assert found.to_frame()["ratio"].tolist() == [row_ratio := 341 / 397] == [found.rows[0].ratio]
    assert f"{row_ratio:.2f} (0.81-0.90)" in str(found.to_table())
    difference = compare(disease, {"new": second, "old": first}, "recall")
    assert "ratio" not in difference.to_frame().columns
    assert difference.rows[0].ratio is None
