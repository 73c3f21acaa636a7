"""The test vectors of intervals are what was published and what other sources give, and this
package's are theirs.
"""

import copy
import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, product

import jsonschema
import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.regression.linear_model import WLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from tests.proportions import mid_p
from tests.shared import for_each
from tests.vectors.intervals import (
    areas,
    cases,
    compute,
    designs,
    libraries,
    ours,
    paired,
    proportions,
    score,
)
from tests.vectors.intervals.methods import METHODS
from tests.vectors.intervals.reals import level_of

VECTORS = compute.stored()
CASES = {method["name"]: method["cases"] for method in VECTORS["methods"]}
SCHEMA = jsonschema.Draft202012Validator(
    json.loads(compute.INTERVALS.with_name("intervals.schema.json").read_text("utf-8"))
)

# The file.


def test_the_file_is_small_and_has_all_methods():
    assert compute.INTERVALS.stat().st_size < 300_000
    assert [*CASES] == [method.name for method in METHODS]
    assert sum(map(len, CASES.values())) > 1000
    for method, of_file in zip(METHODS, VECTORS["methods"], strict=True):
        assert of_file["formula"] == method.formula
        assert of_file["source"] == method.source
        assert method.formula, method.name
        assert method.source.endswith((".", ";")), method.name


@for_each("method", METHODS)
def test_inputs_are_those_of_the_script_and_outputs_those_of_the_definitions(method):
    found = CASES[method.name]
    assert [case["inputs"] for case in found] == method.cases
    # All of them take many seconds, and the first of some methods a good part of one.
    step = (len(found) + 1) // 2
    for inputs, case in [*zip(method.cases, found, strict=True)][1::step]:
        assert compute.case(method, inputs) == case


@pytest.mark.slow
def test_the_whole_file_is_that_of_the_definitions():
    """Of which the test above computes some cases of each method."""
    assert compute.main(["--check"]) == 0


def test_the_command_writes_the_file_and_tells_where_it_differs(monkeypatch, tmp_path, capsys):
    few = [method._replace(cases=method.cases[:2]) for method in METHODS[::3]]
    monkeypatch.setattr(compute, "METHODS", few)
    monkeypatch.setattr(compute, "INTERVALS", tmp_path / "intervals.json")
    assert compute.main([]) == 0
    assert compute.stored()["methods"] == [
        {**method, "cases": method["cases"][:2]} for method in VECTORS["methods"][::3]
    ]
    assert compute.main(["--check"]) == 0
    text = compute.INTERVALS.read_text(encoding="utf-8")
    compute.INTERVALS.write_text(text.replace('"0.8"', '"0.7"', 1), encoding="utf-8")
    assert compute.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "intervals.json is not what the definitions give. "
        "To write it, run: python -m tests.vectors.intervals.compute\n"
    )


def test_the_schema_describes_the_file_and_refuses_others():
    SCHEMA.check_schema(SCHEMA.schema)
    few = {
        **VECTORS,
        "methods": [{**method, "cases": method["cases"][:2]} for method in VECTORS["methods"]],
    }
    SCHEMA.validate(few)
    for place, wrong in [
        (("license",), "MIT"),
        (("more",), "text"),
        (("methods", 0, "cases"), []),
        (("methods", 0, "cases", 0, "more"), "text"),
        (("methods", 0, "cases", 0, "inputs", "hits"), -1),
        (("methods", 0, "cases", 0, "inputs", "hit"), 1),
        (("methods", 0, "cases", 0, "inputs", "level"), 0.8),
        (("methods", 0, "cases", 0, "outputs", "low"), 0.5),
        (("methods", 0, "cases", 0, "outputs", "low"), "1/0"),
        (("methods", 0, "cases", 0, "outputs", "lower"), "1/2"),
        (("methods", 0, "source"), ""),
    ]:
        broken = copy.deepcopy(few)
        *path, last = place
        part = broken
        for step in path:
            part = part[step]
        part[last] = wrong
        assert not SCHEMA.is_valid(broken), place


@pytest.mark.slow
def test_the_schema_describes_the_whole_file():
    """Of which the test above has two cases of each method."""
    SCHEMA.validate(VECTORS)


def test_the_page_has_the_numbers_of_cases():
    page = (compute.INTERVALS.parents[3] / "docs" / "interval_vectors.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.* \| (\d+) \|$", page, re.MULTILINE)
    assert rows == [(name, str(len(found))) for name, found in CASES.items()]
    assert f"A file of {sum(map(len, CASES.values())):,} cases" in page


def test_what_is_undefined_has_a_reason():
    for name, found in CASES.items():
        for case in found:
            has_null = any(of is None for of in case["outputs"].values())
            assert has_null == ("undefined" in case), (name, case)


def test_the_script_does_without_this_package():
    code = (
        "import sys, tests.vectors.intervals.compute; "
        "print({name.split('.')[0] for name in sys.modules} & {'skmetrics_ext', 'numpy', 'scipy'})"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


# Our values. What is not listed is right to 1e-11.
TOLERANCES = {
    # Of a proportion of 1e-6 the inverse of the beta function has 12 digits.
    "clopper_pearson": 1e-11,
    "one_sided_clopper_pearson": 1e-11,
    # SciPy 1.13 finds roots and quantiles of Student's distribution to fewer digits.
    "area_limits": 1e-8,
    "mid_p_of_clusters": 1e-8,
    "korn_graubard_of_clusters": 1e-8,
    "krippendorff_alpha": 1e-9,
    "gwet_ac1": 1e-9,
    # Limits are found to 1e-15, of which one is -1e-5; p-values from these, in 55 halvings.
    "tango": 1e-10,
    "tango_non_inferiority": 1e-9,
}
# Smaller numbers are rounding, such as the sum of two proportions minus 1 and plus 1 again.
ABSOLUTE = 1e-15
# These differ by definition, as the tests of them say.
OTHERWISE = ("tango", "tango_non_inferiority")


def cases_of(name, step=1):
    """The cases that this package answers, or every so many of them, and its outputs."""
    for case in CASES[name][::step]:
        try:
            given = score.answered(ours.OURS[name], case["inputs"])
        except libraries.NotOffered:
            continue
        yield case, given


def check(name, case, given, expected):
    """What is given is what is expected, but for rounding."""
    tolerance = TOLERANCES.get(name, 1e-11), ABSOLUTE
    for far, example in score.compared(given, expected, tolerance):
        assert not far, f"{name} of {case['inputs']}: {example}"


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@for_each("name", [name for name in ours.OURS if name not in OTHERWISE])
def test_ours_are_those_of_the_file(name, step):
    """The fast one asks for every fifth case of a method with many, in which all settings occur:
    within the file, these take turns by two to four.
    """
    step = step if len(CASES[name]) > 20 else 1
    asked = 0
    for case, given in cases_of(name, step):
        check(name, case, given, case["outputs"])
        asked += 1
    assert asked >= min(len(CASES[name][::step]), 5) - 1


@for_each("metric", ["markedness", "one_vs_rest_balanced_accuracy"])
def test_our_other_sums_are_those_of_the_file(metric):
    check_other("mover_sum", metric)


@for_each("metric", ["negative_likelihood_ratio", "relative_risk"])
def test_our_other_ratios_are_those_of_the_file(metric):
    check_other("mover_ratio", metric)


def check_other(name, metric):
    """A metric that is the same function of two other proportions."""
    for case in CASES[name][::5]:
        given = score.answered(ours.of_two_shares(metric), case["inputs"])
        check(name, case, given, case["outputs"])


def number(text):
    """An output as a float."""
    return math.nan if text is None else float(score.number(text))


def test_our_limits_of_paired_differences_agree_with_the_test():
    """They reach to 0 where the mid-p-value does not reject equality."""
    n_moved = 0
    for case, given in cases_of("tango", 5):
        inputs, outputs = case["inputs"], dict(case["outputs"])
        counts = inputs["only_first"], inputs["only_second"]
        if paired.mcnemar_mid_p(*counts)["p_value"] >= 1 - Fraction(inputs["level"]):
            low, high = min(number(outputs["low"]), 0), max(number(outputs["high"]), 0)
            n_moved += (low == 0) + (high == 0)
            outputs |= {"low": str(Fraction(low)), "high": str(Fraction(high))}
        check("tango", case, given, outputs)
    assert n_moved >= 1


def test_our_p_value_of_non_inferiority_is_no_more_than_that_of_equality():
    """Where the first is better, half of the mid-p-value; where it is worse, the rest of that."""
    # One of the three margins of each table, in turn.
    for case, given in cases_of("tango_non_inferiority", 11):
        counts = case["inputs"]["only_first"], case["inputs"]["only_second"]
        half = paired.mcnemar_mid_p(*counts)["p_value"] / 2
        most = half if counts[0] > counts[1] else 1 - half
        expected = min(score.number(case["outputs"]["p_value"]), most)
        # No smaller level is looked for.
        if expected > Fraction(1, 10**99):
            check("tango_non_inferiority", case, given, {"p_value": str(expected)})
        else:
            assert given["p_value"] < 1e-99


# What was published, and other sources.


def rounded(found, digits, names=("low", "high")):
    """Outputs as they are printed."""
    return [round(float(found[name]), digits) for name in names]


@pytest.mark.parametrize(
    ("hits", "n", "wilson", "exact"),
    [
        (81, 263, [0.2553, 0.3662], [0.2527, 0.3676]),
        (15, 148, [0.0624, 0.1605], [0.0578, 0.1617]),
        (0, 20, [0, 0.1611], [0, 0.1684]),
        (1, 29, [0.0061, 0.1718], [0.0009, 0.1776]),
    ],
)
def test_limits_of_a_proportion_are_those_of_newcombe(hits, n, wilson, exact):
    """Newcombe (1998), Statistics in Medicine 17:857, Table I, methods 3 and 5."""
    assert rounded(proportions.wilson(hits, n, "0.95"), 4) == wilson
    assert rounded(proportions.clopper_pearson(hits, n, "0.95"), 4) == exact


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ((56, 70, 48, 80), [0.0524, 0.3339]),
        ((9, 10, 3, 10), [0.1705, 0.8090]),
        ((6, 7, 2, 7), [0.0582, 0.8062]),
        ((5, 56, 0, 29), [-0.0381, 0.1926]),
        ((0, 10, 0, 20), [-0.1611, 0.2775]),
        ((0, 10, 0, 10), [-0.2775, 0.2775]),
        ((10, 10, 0, 20), [0.6791, 1]),
        ((10, 10, 0, 10), [0.6075, 1]),
    ],
)
def test_limits_of_a_difference_are_those_of_newcombe(pair, expected):
    """Newcombe (1998), Statistics in Medicine 17:873, Table II, method 10."""
    assert rounded(proportions.newcombe_difference(*pair, "0.95", "wilson"), 4) == expected


def close(found, expected, tolerance=1e-10):
    """Outputs are floats of another source."""
    np.testing.assert_allclose([float(of) for of in found], expected, rtol=tolerance, atol=1e-14)


@for_each("case", [case for case in CASES["mid_p"] if 0 < case["inputs"]["n"] < 2000])
def test_beyond_mid_p_limits_half_of_the_outcome_and_all_further_ones_have_half_of_alpha(case):
    hits, n, level = case["inputs"].values()
    low, high = (float(score.number(case["outputs"][name])) for name in ("low", "high"))
    of_more = stats.binom.sf(hits, n, low) + stats.binom.pmf(hits, n, low) / 2
    of_fewer = stats.binom.cdf(hits - 1, n, high) + stats.binom.pmf(hits, n, high) / 2
    half = (1 - float(level)) / 2
    close([of_more if hits else half, of_fewer if hits < n else half], [half, half], 1e-9)
    assert (low == 0, high == 1) == (hits == 0, hits == n)


def test_a_sum_is_the_difference_from_the_complement():
    for hits_1, n_1, hits_2, n_2 in cases.PAIRS[:12]:
        total = proportions.mover_sum(hits_1, n_1, hits_2, n_2, "0.9", "mid_p")
        other = proportions.newcombe_difference(hits_1, n_1, n_2 - hits_2, n_2, "0.9", "mid_p")
        close([total[k] for k in ("low", "high")], [float(other[k]) + 1 for k in ("low", "high")])


@for_each(
    "case",
    [
        case
        for case in CASES["mover_ratio"][::2]
        if "undefined" not in case and case["inputs"]["n_1"] < 10**6
    ],
)
def test_at_the_limits_of_a_ratio_a_difference_reaches_zero(case):
    """Donner & Zou (2012): p1 - r p2 has a limit of 0 by MOVER."""
    hits_1, n_1, hits_2, n_2, level, method = case["inputs"].values()
    limits = [
        proportions.LIMITS[method](*of, level_of(level)) for of in ((hits_1, n_1), (hits_2, n_2))
    ]
    (low_1, high_1), (low_2, high_2) = (map(float, of) for of in limits)
    p_1, p_2 = hits_1 / n_1, hits_2 / n_2
    low, high = (number(case["outputs"][name]) for name in ("low", "high"))
    reach = math.hypot(p_1 - low_1, low * (high_2 - p_2))
    assert p_1 - low * p_2 == pytest.approx(reach, rel=1e-9, abs=1e-12)
    if math.isfinite(high):
        reach = math.hypot(high_1 - p_1, high * (p_2 - low_2))
        assert high * p_2 - p_1 == pytest.approx(reach, rel=1e-9, abs=1e-12)
    else:
        assert low_2 == 0


@for_each("case", CASES["bonferroni"][::2])
def test_simultaneous_limits_are_those_of_another_level(case):
    hits, n, level, method = case["inputs"].values()
    alpha = (1 - float(level)) / len(n)
    name = {"wilson": "wilson", "clopper_pearson": "beta"}.get(method)
    if name:
        low, high = proportion_confint(np.array(hits), np.array(n), alpha, name)
        close(map(score.number, case["outputs"]["low"]), low)
        close(map(score.number, case["outputs"]["high"]), high)


def test_paired_limits_are_those_published():
    """Fagerland, Lydersen & Laake (2014), Statistics in Medicine 33:2850: airway
    hyper-responsiveness before and after stem cell transplantation.
    """
    assert rounded(paired.tango(1, 7, 21, "0.95"), 3) == [-0.517, -0.026]


@for_each("case", [case for case in CASES["tango"] if case["inputs"]["n"] < 10**4])
def test_at_tangos_limits_the_statistic_is_its_quantile(case):
    """The most likely probabilities at a difference are found by search, not by a formula."""
    first, second, n, level = case["inputs"].values()
    z = stats.norm.isf((1 - float(level)) / 2)
    for name in ("low", "high"):
        shift = number(case["outputs"][name])
        if abs(shift) == 1:
            continue

        def unlikely(share, shift=shift):
            both = share + shift, share
            return -stats.multinomial.logpmf(
                [first, second, n - first - second], n, [*both, 1 - sum(both)]
            )

        ends = max(0, -shift), (1 - shift) / 2
        share = optimize.minimize_scalar(
            unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}
        ).x
        statistic = (first - second - n * shift) / math.sqrt(n * (2 * share + shift - shift**2))
        assert abs(statistic) == pytest.approx(z, rel=1e-4), (case, name)


def test_limits_without_discordant_pairs_have_a_closed_form():
    z_squared = stats.chi2.isf(0.05, 1)
    close([paired.tango(0, 0, 44, "0.95")["high"]], [z_squared / (44 + z_squared)])


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((1, 7), [0.0339, 0.0771, 0.0703, 0.0391]), ((6, 16), [0.0330, 0.0550, 0.0525, 0.0347])],
)
def test_p_values_are_those_published(counts, expected):
    """Fagerland, Lydersen & Laake (2013): asymptotic, corrected, exact and mid-p."""
    found = paired.mcnemar_asymptotic(*counts)
    found = rounded(found, 4, ("p_value", "p_value_corrected"))
    found += rounded(paired.mcnemar_exact(*counts), 4, ["p_value"])
    assert found + rounded(paired.mcnemar_mid_p(*counts), 4, ["p_value"]) == expected


def test_mid_p_values_are_those_of_all_outcomes():
    for first, second in product(range(8), range(8)):
        n = first + second
        heads = [sum(of) for of in product((0, 1), repeat=n)] if n < 11 else []
        if not heads:
            continue
        far = np.abs(2 * np.array(heads) - n)
        own = abs(first - second)
        found = paired.mcnemar_mid_p(first, second)
        of_both = np.mean(far > own) + np.mean(far == own) / 2
        assert float(found["p_value_of_both_tails"]) == of_both
        assert float(found["p_value"]) == (of_both if first != second else 1)


def test_corrected_p_values_are_those_of_statsmodels():
    for case in CASES["corrected_mid_p"]:
        p_values = [float(Fraction(of)) for of in case["outputs"]["p_value"]]
        for name in ("holm", "bonferroni"):
            expected = multipletests(p_values, method=name)[1]
            close(map(Fraction, case["outputs"][name]), expected)


@for_each("case", [case for case in CASES["delong"] if "undefined" not in case])
def test_variances_of_areas_are_those_of_ranks(case):
    """Sun & Xu (2014), IEEE Signal Processing Letters 21:1389."""
    positive, negative, level = case["inputs"].values()
    placed = by_ranks(positive, negative)
    error = math.sqrt(sum(of.var(ddof=1) / len(of) for of in placed))
    area, z = placed[0].mean(), stats.norm.isf((1 - float(level)) / 2)
    logit, reach = math.log(area / (1 - area)), z * error / (area * (1 - area))
    expected = [area, error**2, max(area - z * error, 0), min(area + z * error, 1)]
    expected += [1 / (1 + math.exp(-logit + side * reach)) for side in (1, -1)]
    close(map(score.number, case["outputs"].values()), expected)


def by_ranks(positive, negative):
    """The shares of the other class below each positive, and above each negative sample."""
    ranks = stats.rankdata([*positive, *negative])
    of_positive, of_negative = np.split(ranks, [len(positive)])
    return (
        (of_positive - stats.rankdata(positive)) / len(negative),
        1 - (of_negative - stats.rankdata(negative)) / len(positive),
    )


def test_variances_of_areas_are_unbiased():
    """Over all samples of a small population, with replacement, the mean of the variance and the
    square of the area is the square of its mean, up to what two samples in common add.
    """
    population = [2, 3, 5], [1, 2, 4]
    draws = [product(of, repeat=2) for of in population]
    found = [areas.delong([*of[0]], [*of[1]], "0.95") for of in product(*draws)]
    values = np.array([float(of["value"]) for of in found])
    mean_variance = np.mean([float(of["variance"]) for of in found])
    # DeLong's variance is too large by the variance of what a pair adds beyond both samples.
    wins = np.array([[np.sign(a - b) / 2 + 0.5 for b in population[1]] for a in population[0]])
    rest = wins - wins.mean(0) - wins.mean(1)[:, None] + wins.mean()
    assert mean_variance == pytest.approx(values.var() + (rest**2).mean() / 4)


@for_each("case", CASES["newcombe_method_5"][::2])
def test_method_5_has_the_variance_of_hanley_and_mcneil(case):
    positive, negative, level = case["inputs"].values()
    m, n = len(positive), len(negative)
    area = number(case["outputs"]["value"])
    for name in ("low", "high"):
        true = number(case["outputs"][name])
        if true in (0, 1):
            assert area == true
            continue
        q_1, q_2, size = true / (2 - true), 2 * true**2 / (1 + true), (m + n) / 2
        variance = true * (1 - true) + (size - 1) * (q_1 + q_2 - 2 * true**2)
        statistic = (area - true) / math.sqrt(variance / (m * n))
        assert abs(statistic) == pytest.approx(stats.norm.isf((1 - float(level)) / 2), rel=1e-9)


@for_each("case", [case for case in CASES["delong_difference"] if "undefined" not in case])
def test_variances_of_differences_are_those_of_ranks(case):
    inputs, outputs = [*case["inputs"].values()], case["outputs"]
    differences = [
        one - other for one, other in zip(by_ranks(*inputs[:2]), by_ranks(*inputs[2:]), strict=True)
    ]
    variance = sum(of.var(ddof=1) / len(of) for of in differences)
    value = differences[0].mean()
    z = abs(value) / math.sqrt(variance)
    expected = [value, variance, 2 * stats.norm.sf(z)]
    close((score.number(outputs[name]) for name in ("value", "variance", "p_value")), expected)


@for_each("clusters", cases.CLUSTERS[6:11])
def test_effective_numbers_of_clusters_are_those_of_robust_variances(clusters):
    found = designs.mid_p_of_clusters(clusters, "0.9")
    hits = np.concatenate([[1.0] * x + [0.0] * (n - x) for x, n in clusters])
    sizes = np.array([n for _, n in clusters])
    share = hits.mean()
    if (sizes > 1).any():
        groups = {"groups": np.repeat(np.arange(len(clusters)), sizes), "use_correction": False}
        model = WLS(hits, np.ones(len(hits))).fit(cov_type="cluster", cov_kwds=groups)
        effective = share * (1 - share) / model.bse[0] ** 2
        kish = sizes.sum() ** 2 / (sizes**2).sum()
        if min(share, 1 - share) * effective < 5:
            effective = min(effective, kish)
        counted = max(kish, 2)
        errors = stats.t.isf(0.05, counted - 1) * math.sqrt(counted / (counted - 1))
    else:
        effective, errors = len(hits), stats.norm.isf(0.05)
    alpha = 2 * stats.norm.sf(errors)
    close([found["effective_n"]], [effective])
    close([found["low"], found["high"]], mid_p(share * effective, effective, alpha))
    exact = designs.korn_graubard_of_clusters(clusters, "0.9")
    times = (stats.norm.isf(0.05) / errors) ** 2 * effective
    close([exact["low"], exact["high"]], proportion_confint(share * times, times, 0.1, "beta"))


@for_each("weighted", [cases.WEIGHTED[0], cases.WEIGHTED[2], cases.WEIGHTED[9]])
def test_effective_numbers_of_many_weights_are_those_of_robust_variances(weighted):
    parts = [(x, *map(float, of)) for x, part in zip((1, 0), weighted, strict=True) for of in part]
    hit, weight, number_of = (np.array(of) for of in zip(*parts, strict=True))
    hit, weight = (np.repeat(of, number_of.astype(int)) for of in (hit, weight))
    model = WLS(hit, np.ones(len(hit)), weights=weight).fit(cov_type="HC0")
    share = model.params[0]
    effective = share * (1 - share) / model.bse[0] ** 2 * (1 - 1 / len(hit))
    found = designs.mid_p_of_weights(*weighted, "0.95")
    close([found["value"], found["effective_n"]], [share, effective])
    alpha = 2 * stats.norm.sf(stats.t.isf(0.025, len(hit) - 1))
    close([found["low"], found["high"]], mid_p(share * effective, effective, alpha))


def test_rates_of_partly_verified_samples_are_those_published():
    """Hepatic scintigraphy: 0.84 and 0.74 by Begg & Greenes (1983), where the verified alone give
    0.90 and 0.63.
    """
    found = designs.begg_greenes(*cases.VERIFIED[0])
    assert rounded(found, 2, ("sensitivity", "specificity")) == [0.84, 0.74]


@for_each("verified", [cases.VERIFIED[0], cases.VERIFIED[1], cases.VERIFIED[8]])
def test_variances_of_partly_verified_samples_are_those_of_three_proportions(verified):
    """The share of positive predictions, and that of actual positives with each prediction, are
    independent: the variance of a rate is the sum of what each of them moves.
    """
    (n_1, s_1, r_1), (n_2, s_2, r_2) = verified
    sizes = np.array([n_1 + n_2, s_1 + r_1, s_2 + r_2])
    shares = np.array([n_1 / (n_1 + n_2), s_1 / (s_1 + r_1), s_2 / (s_2 + r_2)])

    def rates(of):
        predicted, actual_1, actual_2 = of
        of_1, of_2 = predicted * actual_1, (1 - predicted) * actual_2
        rest_1, rest_2 = predicted * (1 - actual_1), (1 - predicted) * (1 - actual_2)
        return np.array([of_1 / (of_1 + of_2), rest_2 / (rest_1 + rest_2)])

    steps = np.diag(shares * 1e-6)
    slopes = np.array([(rates(shares + of) - rates(shares - of)) / (2 * of.sum()) for of in steps])
    expected = (slopes**2 * (shares * (1 - shares) / sizes)[:, None]).sum(0)
    found = designs.begg_greenes(*verified)
    names = "variance_of_sensitivity", "variance_of_specificity"
    close((found[name] for name in names), expected, 1e-7)


def of_file(name, **inputs):
    """The outputs of the case with these inputs at 0.95."""
    (found,) = (case for case in CASES[name] if case["inputs"] == inputs | {"level": "0.95"})
    return {of: score.number(text) for of, text in found["outputs"].items()}


ABSTRACTORS = cases.RATINGS[3]


def test_agreements_are_those_published():
    """Krippendorff (2011), example C: nominal, ordinal and interval; the encyclopedia's example of
    three coders; Gwet's AC1 of both examples that his software comes with.
    """

    def alpha(ratings, scale):
        found = of_file("krippendorff_alpha", ratings=ratings, scale=scale)
        return round(float(found["value"]), 3)

    scales = ("nominal", "ordinal", "interval")
    assert [alpha(cases.FOUR_OBSERVERS, scale) for scale in scales] == [0.743, 0.815, 0.849]
    assert [alpha(cases.THREE_RATERS, scale) for scale in scales[::2]] == [0.691, 0.811]
    assert alpha(ABSTRACTORS, "nominal") == 0.797
    found = [of_file("gwet_ac1", ratings=of) for of in (cases.FOUR_OBSERVERS, ABSTRACTORS)]
    assert [float(of["value"]) for of in found] == pytest.approx([0.77544, 0.8493305], abs=5e-6)


def test_variances_of_agreements_are_those_published():
    """Gwet's software gives the standard errors 0.04321747 of AC1 and 0.05905473 of Scott's pi,
    which is alpha but for the factor 1 - 1 / (2 n), both with 1 / n in place of 1 / (n - 1).
    """
    found = [
        of_file("gwet_ac1", ratings=ABSTRACTORS)["variance"],
        of_file("krippendorff_alpha", ratings=ABSTRACTORS, scale="nominal")["variance"],
    ]
    expected = [0.04321747, 0.05905473 * (1 - 1 / 200)]
    assert [math.sqrt(of * 99 / 100) for of in found] == pytest.approx(expected, abs=5e-9)


@for_each("ratings", cases.RATINGS)
def test_disagreements_are_those_of_all_pairs(ratings):
    """Krippendorff's alpha by the coincidences of all pairs of ratings."""
    rows = [[of for of in row if of is not None] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    pooled = [of for row in rows for of in row]
    within = sum(
        Fraction(2 * (a != b), len(row) - 1) for row in rows for a, b in combinations(row, 2)
    )
    between = sum(2 * (a != b) for a, b in combinations(pooled, 2))
    found = of_file("krippendorff_alpha", ratings=ratings, scale="nominal")["value"]
    expected = 1 - within * (len(pooled) - 1) / between if between else None
    assert found == expected


# Scoring.


def test_each_kind_of_disagreement_is_told_apart():
    answers = iter(
        [
            {"low": 0.5},
            {"low": 0.25},
            {"low": math.nan},
            {"low": 0.0},
            {"low": [0.5]},
            {"low": math.inf},
        ]
    )
    found = score.score_of(
        lambda k: call(k, answers),
        [
            {"inputs": {"k": k}, "outputs": {"low": of, "high": "1"}}
            for k, of in enumerate(["1/2", "1/2", "1/2", None, "1/2", "inf", "1/2", "1/2"])
        ],
    )
    assert (found.asked, found.agrees) == (7, 2)
    assert found.differs == {
        1: (0.25, "low 0.25 instead of 0.5"),
        2: (math.inf, "low nan instead of 0.5"),
        3: (math.inf, "low 0 instead of nothing"),
    }
    assert found.raises == {4: "TypeError", 6: "ValueError"}
    assert str(found) == (
        "agrees in 2 of 7; differs in 3, most in case 2: low nan instead of 0.5; "
        "raises in 2, first in case 4: TypeError"
    )


def call(k, answers):
    """The next answer, an error, or none."""
    if k == 6:
        raise ValueError
    if k == 7:
        raise libraries.NotOffered
    return next(answers)


def test_a_library_that_is_not_installed_has_no_lines(monkeypatch, capsys):
    monkeypatch.setitem(score.LIBRARIES, "no such library", lambda: 1 / 0)
    assert score.main(["no such library"]) == 0
    assert capsys.readouterr().out == "no such library is not installed\n"


def test_libraries_are_scored(capsys):
    assert score.main(["scikit-learn"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("scikit-learn ")
    assert lines[0] == "  delong: agrees in 37 of 37"
    # Of no samples: SciPy raises an error, and in newer versions gives nan.
    said = r"agrees in 5 of 9; (raises in 4, first|differs in 4, most) in case 0: "
    assert re.match(said, str(score.score_of(libraries.scipy()["wilson"], CASES["wilson"][:9])))
    names = ("newcombe_difference", "mcnemar_exact", "mcnemar_asymptotic")
    found = score.score({name: libraries.statsmodels()[name] for name in names})
    assert found["newcombe_difference"].agrees == 26
    assert found["mcnemar_exact"].agrees == found["mcnemar_exact"].asked
    # Without a discordant pair it divides 0 by 0; of equal numbers it corrects too much.
    assert len(found["mcnemar_asymptotic"].differs) == 4
    assert score.score_of(libraries.pycm()["wilson"], CASES["wilson"][-9:]).agrees == 2
