"""compare(by=): each group as if alone, in every group, the same in all, checks and pictures."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.oneway import anova_generic

from skmetrics_ext import check, compare, plot_intervals
from tests.shared import for_each

N = 600
RANDOM = np.random.default_rng(0)
TRUE = RANDOM.integers(0, 2, N)
MODELS = {
    name: np.where(RANDOM.random(N) < right, TRUE, 1 - TRUE)
    for name, right in {"new": 0.95, "old": 0.8, "base": 0.7}.items()
}
TWO = {name: MODELS[name] for name in ("new", "old")}
SITE, SEX = RANDOM.choice(["x", "y", "z"], N), RANDOM.choice(["F", "M"], N)
DESIGNS = {
    "independent": {},
    "weights": {"sample_weight": RANDOM.uniform(0.5, 2, N)},
    "numbers": {"sample_weight": RANDOM.integers(0, 3, N), "frequency_weights": True},
    "clusters": {"clusters": RANDOM.integers(0, 150, N)},
}


def quietly(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare(*arguments, n_resamples=499, **options)


def rows_of(comparison, group):
    return [row for row in comparison.rows if row.group == group]


def as_alone(row, group):
    """A row with the texts of its caveats, which name other entries among others."""
    return row._replace(group=group, caveats=tuple(caveat.text for caveat in row.caveats))


METRICS = ["recall", "precision", "f1", "positive_likelihood_ratio"]


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@for_each("design", DESIGNS)
@for_each("kind", ["difference", "ratio"])
def test_a_group_says_the_same_among_others_as_alone(design, kind, step):
    """The slow one is of all metrics and all pairs of three models in every design."""
    given = {"kind": kind, "correction": None, **({"margin": 0.1} if kind != "ratio" else {})}
    place = [*DESIGNS].index(design) + (kind == "ratio")
    metrics, of_all = METRICS[place % step :: step], TWO if step > 1 and place else MODELS
    found = quietly(TRUE, of_all, metrics, by=SITE, **given, **DESIGNS[design])
    for site in "xyz"[place % 3 :: 3] if step > 1 else "xyz":
        here = site == SITE
        own = {name: of[here] if np.ndim(of) else of for name, of in DESIGNS[design].items()}
        models = {name: of[here] for name, of in of_all.items()}
        alone = quietly(TRUE[here], models, metrics, **given, **own)
        assert [as_alone(row, site) for row in rows_of(found, site)] == [
            as_alone(row, site) for row in alone.rows
        ]


def test_partly_known_labels_by_group():
    labels = [None if k % 3 == 0 else label for k, label in enumerate(TRUE.tolist())]
    given = {"strata": [], "pos_label": 1, "correction": None}
    found = quietly(labels, TWO, "recall", by=SEX, **given)
    for sex in "FM":
        here = np.flatnonzero(sex == SEX)
        models = {name: of[here] for name, of in TWO.items()}
        alone = quietly([labels[k] for k in here], models, "recall", **given)
        assert [as_alone(row, sex) for row in rows_of(found, sex)] == [
            as_alone(row, sex) for row in alone.rows
        ]


def test_a_group_without_labels_is_named():
    labels = np.where(SITE == "y", None, TRUE).tolist()
    with pytest.raises(ValueError, match="predicted as 0 and 0, site 'y', has a label"):
        quietly(labels, TWO, "recall", by={"site": SITE}, strata=[], pos_label=1)


def test_rows_are_by_metric_pair_and_group_and_corrected_together():
    found = compare(TRUE, MODELS, ["recall", "accuracy"], baseline="old", by={"site": SITE})
    assert found.by == "site"
    assert [(row.metric, row.model, row.group) for row in found.rows[:4]] == [
        ("recall", "new", "x"),
        ("recall", "new", "y"),
        ("recall", "new", "z"),
        ("recall", "base", "x"),
    ]
    least = found.p_value.min()
    assert found.p_adjusted[found.p_value.argmin()] == pytest.approx(12 * least)
    assert found.level_of_row.tolist() == [pytest.approx(1 - 0.05 / 12)] * 12


def test_several_columns_are_crossed():
    found = quietly(TRUE, TWO, "recall", by=pd.DataFrame({"site": SITE, "sex": SEX}))
    assert found.by == "site, sex"
    assert found.group.tolist() == [(site, sex) for site in "xyz" for sex in "FM"]
    assert found.to_frame("pandas")["group"].tolist()[:2] == ["x, F", "x, M"]
    joined = quietly(TRUE, TWO, "recall", by=[f"{a}{b}" for a, b in zip(SITE, SEX, strict=True)])
    assert joined.low.tolist() == found.low.tolist()


def test_a_difference_in_every_group_is_as_sure_as_in_the_least_sure():
    # Berger (1982): the intersection-union test rejects where each of the tests does.
    found = compare(TRUE, TWO, "recall", by=SITE)
    across = found.across_groups
    assert across.p_in_every_group.tolist() == [found.p_value.max()]
    assert (across.direction[0], across.n_groups[0]) == ("higher", 3)
    turned = compare(TRUE, {"old": TWO["old"], "new": TWO["new"]}, "recall", by=SITE).across_groups
    assert (turned.direction[0], turned.p_in_every_group[0]) == ("lower", found.p_value.max())
    # In one group the better model is the worse one.
    exchanged = {
        name: np.where(SITE == "x", TWO[other], TWO[name])
        for name, other in (("new", "old"), ("old", "new"))
    }
    mixed = compare(TRUE, exchanged, "recall", by=SITE).across_groups
    assert (mixed.direction[0], mixed.p_in_every_group[0]) == (None, 1)
    assert mixed.p_same[0] < 0.001


def test_not_worse_in_every_group_is_as_sure_as_in_the_least_sure():
    given = {"margin": 0.05, "correction": None}
    for loss in ("recall", "false_negative_rate"):
        found = compare(TRUE, TWO, loss, by=SITE, **given)
        assert found.across_groups.p_not_worse.tolist() == [found.p_not_worse.max()]
    corrected = compare(TRUE, TWO, "recall", by=SITE, margin=0.05)
    assert corrected.across_groups.p_not_worse[0] < 0.01


def counted_by(metric, pred, true):
    """What a metric divides, of each sample, for the first class of two."""
    both = pred & true
    return {"recall": (both, true), "precision": (both, pred), "f1": (2 * both, pred + true)}[
        metric
    ]


def influence(metric, pred, true, kind):
    """What each sample adds to a metric, or to its logarithm."""
    part, whole = counted_by(metric, pred, true)
    value = part.sum() / whole.sum()
    of_difference = (part - value * whole) / whole.sum()
    return of_difference / value if kind == "ratio" else of_difference


@for_each("kind", ["difference", "ratio"])
@for_each("metric", ["recall", "precision", "f1"])
def test_the_same_difference_in_all_groups_is_tested_by_cochrans_q(metric, kind):
    found = compare(TRUE, TWO, metric, by=SITE, kind=kind, method="delta", correction=None)
    effects, low, high = (
        (found.difference, found.low, found.high)
        if kind == "difference"
        else np.log((found.ratio.astype(float), found.low, found.high))
    )
    effects = effects.astype(float)
    variances = ((high - low) / (2 * stats.norm.ppf(0.975))) ** 2
    degrees = []
    for site in "xyz":
        of_models = [
            influence(metric, of[site == SITE], TRUE[site == SITE], kind) for of in TWO.values()
        ]
        squares = (of_models[0] - of_models[1]) ** 2
        degrees.append(2 * squares.sum() ** 2 / (squares**2).sum())
    # Variances by so many degrees of freedom: Welch (1951).
    numbers = np.array(degrees) + 1
    expected = anova_generic(effects, variances * numbers, numbers, use_var="unequal")
    assert found.across_groups.p_same[0] == pytest.approx(expected.pvalue, rel=1e-9)
    q = combine_effects(effects, variances).q
    assert expected.statistic == pytest.approx(q / 2, rel=0.02)
    # Whatever the level of the limits.
    at_90 = compare(TRUE, TWO, metric, by=SITE, kind=kind, method="delta", confidence_level=0.9)
    assert at_90.across_groups.p_same[0] == pytest.approx(expected.pvalue, rel=1e-9)


def score(only_first, only_second, n, difference):
    """Tango's (1998) statistic."""
    b = (2 * n - only_first + only_second) * difference - only_first - only_second
    c = -only_second * difference * (1 - difference)
    second = (np.sqrt(b**2 - 8 * n * c) - b) / (4 * n)
    variance = n * (2 * second + difference * (1 - difference))
    return (only_first - only_second - n * difference) / np.sqrt(variance)


@for_each(
    "groups",
    [
        [(70, 5, 100), (60, 9, 100), (180, 20, 300)],
        # Almost all samples differ, and a difference of 1 has no variance of its own.
        [(98, 2, 100), (100, 0, 100), (93, 3, 100)],
        [(0, 0, 100), (4, 0, 100), (1, 1, 120)],
    ],
)
def test_of_proportions_it_is_the_least_sum_of_squared_scores(groups):
    cells = [[(1, 1, 0), (1, 0, 1), (1, 1, 1)]] * len(groups)
    numbers = [(b, c, n - b - c) for b, c, n in groups]
    true, first, second = np.concatenate(
        [np.repeat(of, many, axis=0) for of, many in zip(cells, numbers, strict=True)]
    ).T
    by = np.repeat(np.arange(len(groups)), [n for *_, n in groups])
    models = {"first": first, "second": second}
    found = quietly(true, models, "recall", pos_label=1, by=by, correction=None).across_groups

    def total(difference):
        return sum(score(*group, difference) ** 2 for group in groups)

    places = np.linspace(-0.1, 0.9999, 20_000)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = stats.chi2.sf(np.nanmin(total(places)), len(groups) - 1)
    # Between limits the package takes lines.
    assert found.p_same[0] == pytest.approx(expected, abs=0.01)
    assert [caveat.code for caveat in found.caveats] == []


@for_each("n", [99, 100])
def test_groups_of_fewer_than_100_samples_have_a_caveat(n):
    by = np.repeat(["x", "y"], [n, N - n])
    found = quietly(TRUE, TWO, "accuracy", by=by).across_groups
    assert [caveat.code for caveat in found.caveats] == ["few_samples"] * (n < 100)


def test_groups_without_a_value_or_variation_are_said():
    site = SITE.astype("<U5")
    true = TRUE.copy()
    # One group has no positives, and one a single sample.
    true[site == "x"] = 0
    site[np.flatnonzero(site == "y")[0]] = "alone"
    found = quietly(true, TWO, "recall", by=site)
    codes = {caveat.code for caveat in found.caveats}
    assert codes == {"undefined", "few_samples"}
    assert np.isnan(found.low).tolist() == [True, True, False, False]
    assert found.group.tolist() == ["alone", "x", "y", "z"]
    across = found.across_groups
    assert np.isnan(across.p_in_every_group[0])
    two = quietly(
        true[site > "x"],
        {m: of[site > "x"] for m, of in TWO.items()},
        "recall",
        by=site[site > "x"],
    )
    assert across.p_same[0] == two.across_groups.p_same[0]
    assert [caveat.code for caveat in across.caveats] == ["few_samples", "group_left_out"]
    assert "fewer than 100 samples" in across.caveats[0].text
    assert "alone, x" in across.caveats[1].text


def test_clusters_across_groups_leave_out_the_test_that_the_difference_is_the_same():
    clusters = np.arange(N) // 6
    within = quietly(TRUE, TWO, "recall", by=clusters % 2, clusters=clusters).across_groups
    assert 0 <= within.p_same[0] <= 1
    with pytest.warns(UserWarning, match="clusters have samples in several groups"):
        across = compare(TRUE, TWO, "recall", by=SITE, clusters=clusters).across_groups
    assert np.isnan(across.p_same[0])
    assert 0 <= across.p_in_every_group[0] <= 1


def test_nothing_is_said_of_the_size_of_a_p_value_that_there_is_not():
    """Of few samples, in one group, or in groups that share clusters."""
    few = slice(60)
    true, models = TRUE[few], {model: of[few] for model, of in TWO.items()}
    one = quietly(true, models, "accuracy", by=np.zeros(60, dtype=int)).across_groups
    shared = quietly(
        true, models, "accuracy", by=np.arange(60) % 2, clusters=np.arange(60) // 2
    ).across_groups
    assert np.isnan([one.p_same[0], shared.p_same[0]]).all()
    assert [caveat.code for caveat in one.caveats] == []
    assert [caveat.code for caveat in shared.caveats] == ["clusters_across_groups"]


def test_a_gate_passes_if_all_groups_do():
    found = compare(TRUE, TWO, ["recall", "accuracy"], by={"site": SITE})
    verdicts = check(found, {"recall": 0, "accuracy": 0})
    assert [axis.name for axis in verdicts.axes] == ["claim", "models", "site"]
    assert verdicts.verdict.shape == (2, 1, 3)
    assert np.array_equal(verdicts.low[0, 0], found.low[:3])
    assert verdicts.overall == "pass"
    assert check(found, {"recall": 0.2, "accuracy": 0}).overall != "pass"
    ratios = quietly(TRUE, TWO, "recall", by={"site": SITE, "sex": SEX}, kind="ratio")
    assert check(ratios, {"recall": 0.9}).verdict.shape == (1, 1, 6)
    assert "ratio of recall of 1 >= 0.9" in repr(check(ratios, {"recall": 0.9}))


@for_each("metrics", ["recall", ["accuracy", "recall"]])
def test_a_comparison_names_its_class_wherever_it_names_its_metric(metrics):
    names = {name: np.array(["ill", "well"])[of] for name, of in TWO.items()}
    found = quietly(np.array(["ill", "well"])[TRUE], names, metrics, pos_label="ill", by=SITE)
    of_rows = ["ill" if metric == "recall" else None for metric in found.metric]
    assert [row.label for row in found.rows] == of_rows
    assert found.to_frame("polars")["label"].to_list() == of_rows
    assert [entry["label"] for entry in found.to_dict()["entries"]] == of_rows
    texts = (repr(found), found._repr_html_(), str(found.to_table()), repr(found.across_groups))
    assert all("class &#x27;ill&#x27;" in text or "class 'ill'" in text for text in texts)
    said = [line for line in found.sentence().split("\n") if "recall" in line]
    assert len(said) == 3
    first = "The difference in recall of 'ill' (new minus old) in x was "
    assert said[0].startswith(first)
    assert "Recall of 'ill' of new was higher" in found.across_groups.sentence()


def test_classes_are_a_column_where_there_are_several():
    found = quietly(TRUE, TWO, [("recall", 0), ("recall", 1), "accuracy"])
    lines = repr(found).split("\n")
    assert "class" not in lines[0]
    assert lines[1].split()[:2] == ["metric", "label"]
    assert [line.split()[1] for line in lines[2:5]] == ["0", "1", "new"]
    assert [line.split()[1] for line in str(found.to_table()).split("\n")[2:5]] == ["0", "1", "-"]


def test_groups_as_text_frame_and_picture():
    found = compare(TRUE, TWO, "recall", by={"site": SITE})
    lines = repr(found).split("\n")
    assert lines[0].startswith(
        "Comparison of 3 rows by site, class 1: difference = model - reference"
    )
    assert lines[1].split()[:4] == ["metric", "model", "reference", "group"]
    assert lines[5].startswith("Across groups")
    assert lines[6].split() == [
        *("metric", "model", "reference", "n_groups", "direction", "p_in_every_group", "p_same")
    ]
    assert lines[7].split()[:5] == ["recall", "new", "old", "3", "higher"]
    assert "Across groups" in found._repr_html_()
    assert found.to_frame("pandas")["group"].tolist() == ["x", "y", "z"]
    assert found.across_groups.to_frame("pandas")["n_groups"].tolist() == [3]
    assert "group" in str(found.to_table()).split("\n")[1]
    names = [label.get_text() for label in plot_intervals(found, sort=False).ax_.get_yticklabels()]
    assert names == ["new - old, x", "new - old, y", "new - old, z"]


def test_a_comparison_without_groups_says_nothing_across_them():
    found = compare(TRUE, TWO, "recall")
    assert (found.across_groups, found.by, found.rows[0].group) == (None, None, None)
    assert "group" not in found.to_frame("pandas").columns
