"""agreement: the coefficients of published tables, and of their definitions in exact fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import (
    ConfusionMatrix,
    accuracy_score,
    agreement,
    bennett_s,
    cohen_kappa_score,
    gwet_ac1,
    krippendorff_alpha,
    scott_pi,
)
from tests.proportions import mid_p

METRICS = (
    "krippendorff_alpha",
    "fleiss_kappa",
    "gwet_ac1",
    "brennan_prediger",
    "percent_agreement",
)
NAN = float("nan")
# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C; cac.raw4raters of R's
# irrCAC.
FOUR_OBSERVERS = [
    [1, 1, NAN, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [NAN, 5, 5, 5],
    [NAN, NAN, 1, 1],
    [NAN, NAN, 3, NAN],
]
FEW = "ignore:.*too few items:UserWarning"


def drawn(seed, n_items=40, n_raters=4, n_classes=4, missing=0.3):
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_classes, (n_items, 1))
    noise = random.integers(0, n_classes, (n_items, n_raters))
    ratings = np.where(random.random(noise.shape) < 0.6, truth, noise).astype(float)
    ratings[random.random(noise.shape) < missing] = NAN
    return ratings


def distances(n_classes, weights, of_class):
    """The disagreement of each two classes as its definition says, in fractions."""

    def of(a, b):
        apart = abs(a - b)
        if weights == "krippendorff":
            between = sum(of_class[min(a, b) : max(a, b) + 1]) - Fraction(
                of_class[a] + of_class[b], 2
            )
            return between**2 if apart else Fraction(0)
        return Fraction(
            {
                None: min(apart, 1),
                "linear": apart,
                "quadratic": apart**2,
                "ordinal": apart * (apart + 1),
            }[weights]
        )

    table = {(a, b): of(a, b) for a in range(n_classes) for b in range(n_classes)}
    return {pair: distance / max(table.values()) for pair, distance in table.items()}


def by_definition(ratings, metric, weights):
    """The coefficient from all pairs of ratings."""
    items = [[int(rating) for rating in row if rating == rating] for row in ratings]
    items = [item for item in items if len(item) > (metric == "krippendorff_alpha")]
    everything = [rating for item in items for rating in item]
    n_classes = int(np.nanmax(ratings)) + 1
    weights = "krippendorff" if (metric, weights) == ("krippendorff_alpha", "ordinal") else weights
    distance = distances(n_classes, weights, [everything.count(k) for k in range(n_classes)])
    several = [item for item in items if len(item) > 1]
    within = [
        Fraction(
            sum(distance[pair] for pair in itertools.permutations(item, 2)),
            len(item) * (len(item) - 1),
        )
        for item in several
    ]
    shares = [
        sum(Fraction(item.count(k), len(item)) for item in items) / len(items)
        for k in range(n_classes)
    ]
    expected = Fraction(1)
    if metric == "krippendorff_alpha":
        n_pairs = len(everything) * (len(everything) - 1)
        observed = sum(len(item) * mean for item, mean in zip(several, within, strict=True)) / len(
            everything
        )
        expected = Fraction(
            sum(distance[pair] for pair in itertools.permutations(everything, 2)), n_pairs
        )
        return 1 - observed / expected
    if metric == "fleiss_kappa":
        expected = sum(shares[a] * shares[b] * of for (a, b), of in distance.items())
    if metric == "brennan_prediger":
        expected = Fraction(sum(distance.values()), n_classes**2)
    if metric == "gwet_ac1":
        alike = sum(1 - of for of in distance.values()) / (n_classes * (n_classes - 1))
        expected = 1 - alike * sum(share * (1 - share) for share in shares)
    return 1 - sum(within) / len(within) / expected


@pytest.mark.filterwarnings(FEW)
def test_values_of_irrcac():
    # The vignette of R's irrCAC: krippen.alpha.raw, fleiss.kappa.raw, gwet.ac1.raw, bp.coeff.raw,
    # pa.coeff.raw.
    published = (0.74342, 0.76117, 0.77544, 0.77273, 0.81818)
    found = [agreement(FOUR_OBSERVERS, metric=metric).value for metric in METRICS]
    np.testing.assert_allclose(found, published, atol=5e-6)


@pytest.mark.filterwarnings(FEW)
@pytest.mark.parametrize(
    ("weights", "published"), [(None, 0.743), ("ordinal", 0.815), ("quadratic", 0.849)]
)
def test_alphas_of_krippendorff_2011(weights, published):
    # Sections C (nominal) and E of the same: ordinal and interval data.
    assert agreement(FOUR_OBSERVERS, weights=weights).value == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic", "ordinal"])
@pytest.mark.parametrize("metric", METRICS)
def test_values_by_definition(metric, weights):
    for seed in (0, 1):
        ratings = drawn(seed, 20)
        expected = float(by_definition(ratings, metric, weights))
        assert agreement(ratings, metric=metric, weights=weights).value == pytest.approx(
            expected, rel=1e-12
        )


@pytest.mark.parametrize(
    ("metric", "weights"),
    [*((metric, "ordinal") for metric in METRICS), (METRICS[0], None), (METRICS[2], None)],
)
def test_limits_of_many_items_have_the_standard_error_of_the_jackknife(metric, weights):
    ratings = drawn(2, 200)
    # Rare classes, whose number matters for the agreement by chance.
    ratings[30:][ratings[30:] > 1] = 0
    found = agreement(ratings, metric=metric, weights=weights)
    # Items with the same ratings move the value as far.
    _, first, place = np.unique(
        np.nan_to_num(ratings, nan=-1), axis=0, return_index=True, return_inverse=True
    )
    each = [
        agreement(np.delete(ratings, k, 0), metric=metric, weights=weights).value for k in first
    ]
    one_less = np.array(each)[place.ravel()]
    moves = one_less - one_less.mean()
    n_counted = 2 * np.sum(moves**2) ** 2 / np.sum(moves**4)
    expected = 2 * stats.t.ppf(0.975, min(n_counted, 200) - 1) * np.sqrt(np.sum(moves**2))
    assert found.high - found.low == pytest.approx(expected, rel=0.05)


def test_limits_of_few_disagreements_are_those_of_as_many_items():
    """Three of twenty items disagree, two of them half: the interval of 18 of 20 by Student's t."""
    ratings = [[0, 2], [0, 1], [2, 1], *[[0, 0], [1, 1], [2, 2], [1, 1]] * 4, [0, 0]]
    found = agreement(ratings, metric="percent_agreement", weights="linear")
    # Distances from the mean of .9, .4, .4 and 17 times .1: so few items count for much.
    n_counted = 2 * 1.3**2 / (0.9**4 + 2 * 0.4**4 + 17 * 0.1**4)
    z = stats.t.ppf(0.975, n_counted - 1) * np.sqrt(20 / 19)
    low, _ = mid_p(18, 20, 2 * stats.norm.sf(z))
    assert (found.value, found.low) == pytest.approx((0.9, low), rel=1e-12)


def test_integers_beyond_floats_are_told_apart():
    large, nan = 2**60, float("nan")
    for gone in (nan, None, pd.NA):
        ratings = [[large, large + 1, gone]] * 10 + [[large] * 3] * 20
        of_objects = pd.DataFrame(np.array(ratings, dtype=object))
        for form in (ratings, list(map(tuple, ratings)), np.array(ratings, dtype=object)):
            assert agreement(form, metric="percent_agreement").value == pytest.approx(20 / 30)
        assert agreement(of_objects, metric="percent_agreement").value == pytest.approx(20 / 30)
    rows = [np.array([large, large + 1])] * 10 + [np.array([large, nan])] * 5
    rows += [np.array([large, large])] * 20
    assert agreement(rows, metric="percent_agreement").value == pytest.approx(20 / 30)


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "fleiss_kappa"])
def test_classes_that_nobody_uses_change_no_distance_of_the_others(metric):
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 30)
    ratings = np.stack([truth, np.where(np.arange(30) % 10 == 0, 1 - truth, truth)], 1)
    expected = agreement(ratings, metric=metric, weights="quadratic")
    found = agreement(ratings, metric=metric, weights="quadratic", labels=range(11))
    assert [found.value, found.low, found.high] == pytest.approx(
        [expected.value, expected.low, expected.high]
    )


@pytest.mark.filterwarnings(FEW)
def test_named_tables_name_classes_that_nobody_uses():
    ratings = [["a", "b"], ["a", "a"], ["b", "b"], ["a", "a"], ["b", "b"]]
    table = pd.DataFrame([[0, 1, 2], [1, 0, 1], [2, 1, 0]], list("abc"), list("abc"))
    for metric in METRICS:
        expected = agreement(ratings, metric=metric, weights="linear", labels=list("abc"))
        assert agreement(ratings, metric=metric, weights=table, labels=list("abc")) == expected
    assert (
        agreement(
            [["a", "a"], ["a", "a"]], metric="gwet_ac1", weights=table, labels=list("abc")
        ).value
        == 1
    )


def test_two_raters_without_gaps_agree_with_the_functions_of_two():
    first, second = drawn(3, missing=0).astype(int).T[:2]
    ratings = np.stack([first, second], 1)
    functions = krippendorff_alpha, scott_pi, gwet_ac1, bennett_s, accuracy_score
    for metric, function in zip(METRICS, functions, strict=True):
        assert agreement(ratings, metric=metric).value == pytest.approx(
            function(first, second), rel=1e-12
        )


@pytest.mark.filterwarnings(FEW)
def test_forms_of_ratings():
    wide = pd.DataFrame(
        FOUR_OBSERVERS, columns=list("abcd"), index=pd.Index(range(12), name="item")
    )
    long = (
        wide.reset_index()
        .melt("item", var_name="rater", value_name="rating")
        .sample(frac=1, random_state=0)
    )
    expected = agreement(FOUR_OBSERVERS)
    texts = [
        [None if rating != rating else "vwxyz"[rating - 1] for rating in row]
        for row in FOUR_OBSERVERS
    ]
    for ratings in (
        wide,
        long,
        long.dropna(),
        pl.from_pandas(long),
        wide.astype("Int64"),
        texts,
        pl.from_pandas(wide),
    ):
        assert agreement(ratings) == expected


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "fleiss_kappa"])
def test_strings_have_ranks_in_their_order(metric):
    ratings = drawn(7, missing=0).astype(int)
    texts = np.array(["low", "middle", "high", "highest"])[ratings]
    found = agreement(
        texts, metric=metric, weights="ordinal", labels=["low", "middle", "high", "highest"]
    )
    assert found.value == pytest.approx(
        agreement(ratings, metric=metric, weights="ordinal").value, rel=1e-12
    )
    with pytest.raises(
        ValueError, match="are not numbers, and this metric depends on the order of the classes"
    ):
        agreement(texts, metric=metric, weights="ordinal")
    ordered = pd.DataFrame(texts).astype(
        pd.CategoricalDtype(["low", "middle", "high", "highest"], ordered=True)
    )
    assert agreement(ordered, metric=metric, weights="ordinal").value == pytest.approx(
        found.value, rel=1e-12
    )


@pytest.mark.filterwarnings(FEW)
def test_the_order_of_the_classes():
    names = {1: "low", 2: "middle", 3: "high"}
    ratings = drawn(4, n_classes=3, missing=0).astype(int) + 1
    texts = pd.DataFrame(ratings).replace(names)
    order = ["low", "middle", "high"]
    expected = agreement(ratings, weights="linear")
    assert agreement(texts, weights="linear", labels=order) == expected
    ordered = texts.apply(lambda column: pd.Categorical(column, order, ordered=True))
    assert agreement(ordered, weights="linear").value == pytest.approx(expected.value, rel=1e-12)
    with pytest.raises(
        ValueError, match=r"are not numbers, and this metric depends on the order of the classes"
    ):
        agreement(texts, weights="linear")
    table = pd.DataFrame(np.abs(np.subtract.outer(range(3), range(3))), order, order).loc[
        ::-1, ::-1
    ]
    assert agreement(texts, weights=table).value == pytest.approx(expected.value, rel=1e-12)
    # A class that nobody uses counts among those that chance may choose.
    assert (
        agreement(texts, metric="brennan_prediger", labels=[*order, "never"]).value
        > agreement(texts, metric="brennan_prediger").value
    )


@pytest.mark.parametrize(
    ("metric", "weights"),
    [
        *((metric, "linear") for metric in METRICS),
        *((METRICS[0], weights) for weights in ("quadratic", "ordinal", "array", "frame")),
    ],
)
def test_levels_of_an_ordered_categorical_that_nobody_uses_are_on_the_scale(metric, weights):
    levels = ["low", "mid", "high", "top"]
    texts = pd.DataFrame(np.array(levels)[[0, 2, 2]][drawn(6, n_classes=3, missing=0).astype(int)])
    if weights in ("array", "frame"):
        table = np.abs(np.subtract.outer(range(4), range(4)))
        weights = table if weights == "array" else pd.DataFrame(table, levels, levels)
    expected = agreement(texts, metric=metric, weights=weights, labels=levels)
    ordered = texts.apply(lambda column: pd.Categorical(column, levels, ordered=True))
    assert agreement(ordered, metric=metric, weights=weights) == expected
    long = texts.reset_index(names="item").melt("item", var_name="rater", value_name="rating")
    long["rating"] = pd.Categorical(long["rating"], levels, ordered=True)
    assert agreement(long, metric=metric, weights=weights) == expected
    # Without weights the levels have no distance.
    assert agreement(ordered, metric=metric) == agreement(texts, metric=metric)


def test_a_table_of_the_classes_that_occur_is_theirs():
    texts = pd.DataFrame(np.array(["low", "high"])[drawn(6, n_classes=2, missing=0).astype(int)])
    levels = ["low", "mid", "high"]
    ordered = texts.apply(lambda column: pd.Categorical(column, levels, ordered=True))
    for metric in METRICS:
        found = agreement(ordered, metric=metric, weights=[[0, 3], [3, 0]])
        expected = agreement(texts, metric=metric, weights=[[0, 3], [3, 0]], labels=["low", "high"])
        # Sums of products in another order differ in the last digit on some processors.
        values = (found.value, found.low, found.high)
        others = (expected.value, expected.low, expected.high)
        assert values == pytest.approx(others, rel=1e-12)


@pytest.mark.filterwarnings(FEW)
def test_groups_of_items():
    ratings, by = drawn(5), ["x", "y"] * 20
    found = agreement(ratings, by=by)
    assert found.axes[0].name == "group"
    assert found.axes[0].coordinates.tolist() == ["x", "y"]
    for entry, rows in enumerate((ratings[::2], ratings[1::2])):
        one = agreement(rows)
        assert (found.value[entry], found.low[entry], found.high[entry], found.n[entry]) == (
            one.value,
            one.low,
            one.high,
            one.n,
        )
    long = (
        pd.DataFrame(ratings)
        .assign(item=range(40))
        .melt("item", var_name="rater", value_name="rating")
    )
    assert agreement(long, by=np.array(by)[long["item"]]) == found


def test_perfect_agreement_has_a_lower_limit():
    found = agreement([[1, 1], [0, 0]] * 10)
    # The interval of 20 of 20, by Student's t, of an agreement beyond 1 - 20 / 39.
    assert found.value == found.high == 1
    assert 0.5 < found.low < 0.8


@pytest.mark.filterwarnings(FEW)
def test_ratings_of_one_class():
    with pytest.warns(
        UserWarning, match=r"fleiss_kappa is undefined \(0/0\): all ratings are of one class"
    ):
        found = agreement([[1, 1], [1, 1]], metric="fleiss_kappa", counts=False)
    assert np.isnan([found.value, found.low, found.high]).all()
    assert agreement([["a", "a"]] * 2, metric="percent_agreement").value == 1


def test_few_items_of_other_classes_warn():
    with pytest.warns(
        UserWarning,
        match=r"krippendorff_alpha is based on too few items in classes other than .*, 3: ",
    ):
        agreement([[1, 1]] * 3 + [[0, 0]] * 97)
    with pytest.warns(
        UserWarning,
        match="gwet_ac1 is based on too few items, 19: its confidence interval may be too",
    ):
        agreement([[1, 1]] * 9 + [[0, 0]] * 10, metric="gwet_ac1")


@pytest.mark.filterwarnings(FEW)
def test_high_confidence_levels_of_few_items_have_the_whole_range():
    found = agreement([[0, 1], [1, 1]], metric="percent_agreement", confidence_level=0.999)
    assert [found.low, found.high] == pytest.approx([0, 1], abs=1e-2)
    disagree = agreement([[0, 1]] * 50, metric="percent_agreement")
    assert (disagree.value, disagree.low) == (0, 0)


@pytest.mark.filterwarnings(FEW)
def test_tables_of_one_row_per_rating_may_have_more_columns():
    long = (
        pd.DataFrame(drawn(5))
        .assign(item=range(40))
        .melt("item", var_name="Rater", value_name="RATING")
    )
    assert agreement(long.assign(site=long["item"] % 3)) == agreement(drawn(5))


LONG = {"item": [1, 1, 2, 2], "rater": ["a", "a", "a", "b"], "rating": [1, 0, 1, 1]}


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        (
            [1, 0, 1],
            {},
            r"ratings must have items in rows and raters in columns, .*; it has shape \(3,\)",
        ),
        ([[1], [0]], {}, r"ratings must have two raters or more, one per column; it has 1"),
        ([[1, None], [None, 0]], {}, r"two items or more must have several ratings, but 0 have"),
        ([[None, None]] * 2, {}, r"ratings are all missing"),
        (
            [[1, 2], [1, 2]],
            {"labels": [1, 3]},
            r"labels=\[1, 3\] must include all labels in the data, which also have \[2\]",
        ),
        ([[1, 2], [1, 2]], {"labels": ["a", "b"]}, r"Mix of.*labels holds strings"),
        (
            [[1, 2], [1, 2]],
            {"weights": [[0, -1], [-1, 0]]},
            r"weights must be disagreements: .* not negative",
        ),
        (
            [[1, 2], [1, 2]],
            {"metric": "kappa"},
            r"metric must be one of \['krippendorff_alpha', .*; got 'kappa'",
        ),
        (
            [[1, 2], [1, 2]],
            {"weights": "cubic"},
            r"weights must be one of \['linear', 'quadratic', 'ordinal'\]; got",
        ),
        ([[1, 2], [1, 2]], {"weights": [[0, 1], [2, 0]]}, r"weights must be symmetric"),
        (
            [[1, 2], [1, 2]],
            {"weights": np.eye(2)},
            r"weights must be disagreements: 0 on the diagonal, .* 1 - weights",
        ),
        (
            [[1, 2], [1, 2]],
            {"confidence_level": 1},
            r"confidence_level must be at least 0.5 and below 1; got 1",
        ),
        (pd.DataFrame(LONG), {}, r"rater 'a' has several ratings of item 1: keep one"),
        (
            pd.DataFrame(LONG)[1:],
            {"by": [0, 0, 1]},
            r"item 2 is in several groups of by: an item has one",
        ),
        ([[1, 2], [1, 2]], {"by": [0, 0, 1]}, r"by.*one group.*shape \(2,\), not \(3,\)"),
        ([["a", 1], ["a", 1]], {}, r"Mix of"),
        (
            pd.DataFrame(LONG).set_index("item"),
            {},
            r"ratings has the columns \['rater', 'rating'\], but a table with",
        ),
        (np.ma.masked_equal([[0, 9], [1, 1]], 9), {}, r"ratings holds 1 masked entries"),
        ([[1, 2], [1]], {}, r"ratings must be rows of equal length, one per item"),
        ([[1, 2], [1, 2]], {"metric": np.array([1, 2])}, r"metric must be one of"),
        (
            [[1, 2], [1, 2]],
            {"weights": np.ones((2, 2, 2))},
            r"weights must be one table for all samples; it has",
        ),
    ],
)
def test_errors(ratings, options, message):
    with pytest.raises(ValueError, match=message):
        agreement(ratings, counts=False, **options)


def test_matrices_are_no_ratings():
    with pytest.raises(
        TypeError, match="ratings must be labels by item and rater; got a ConfusionMatrix"
    ):
        agreement(ConfusionMatrix.from_counts([[1, 2], [3, 4]], labels=[0, 1]))


def test_named_tables_of_kappa_need_no_order_and_have_intervals():
    names = np.array(["low", "middle", "high"])
    first, second = drawn(8, n_classes=3, missing=0).astype(int).T[:2]
    apart = np.abs(np.subtract.outer(range(3), range(3)))
    table = pd.DataFrame(apart, names, names).loc[
        ["high", "low", "middle"], ["middle", "high", "low"]
    ]
    of_pairs = {(a, b): apart[k, m] for k, a in enumerate(names) for m, b in enumerate(names)}
    expected = cohen_kappa_score(first, second, weights="linear")
    cm = ConfusionMatrix.from_predictions(names[first], names[second])
    of_numbers = ConfusionMatrix.from_predictions(first, second)
    for weights in (table, of_pairs):
        assert cohen_kappa_score(names[first], names[second], weights=weights) == pytest.approx(
            expected, rel=1e-12
        )
        for method in ("delta", "smoothed-bootstrap"):
            found = cm.interval("cohen_kappa", weights=weights, method=method, random_state=0)
            theirs = of_numbers.interval(
                "cohen_kappa", weights="linear", method=method, random_state=0
            )
            assert found.value == pytest.approx(theirs.value, rel=1e-12)
            assert found.low == pytest.approx(theirs.low, abs=0.02)
    with pytest.warns(UndefinedMetricWarning, match="cohen_kappa is undefined"):
        assert np.isnan(cohen_kappa_score(["low"] * 3, ["low"] * 3, weights=table, labels=names))


def test_kappa_with_any_disagreements():
    first, second = drawn(6, missing=0).astype(int).T[:2]
    apart = np.abs(np.subtract.outer(range(4), range(4)))
    for weights, table in (("linear", apart), ("quadratic", apart**2), (None, apart > 0)):
        expected = cohen_kappa_score(first, second, weights=weights)
        assert cohen_kappa_score(first, second, weights=3 * table) == pytest.approx(
            expected, rel=1e-12
        )
    # Cohen (1968): 1 - sum v p_o / sum v p_e.
    table = np.random.default_rng(0).integers(1, 9, (4, 4)) * (1 - np.eye(4, dtype=int))
    p_observed = np.zeros((4, 4))
    np.add.at(p_observed, (first, second), 1 / len(first))
    by_chance = np.outer(p_observed.sum(1), p_observed.sum(0))
    expected = 1 - (table * p_observed).sum() / (table * by_chance).sum()
    assert cohen_kappa_score(first, second, weights=table) == pytest.approx(expected, rel=1e-12)


def test_kappa_of_classes_that_do_not_disagree_may_be_far_below_minus_one():
    # Only 0 and 1, and 2 and 3, disagree, and they always do: 1 - 1 / (4 / 16).
    cm = ConfusionMatrix.from_counts(
        np.kron(np.eye(2, dtype=int), [[0, 25], [25, 0]]), labels=[0, 1, 2, 3]
    )
    found = cm.interval("cohen_kappa", weights=np.kron(np.eye(2), [[0, 1], [1, 0]]), random_state=0)
    assert found.value == pytest.approx(-3, rel=1e-12)
    assert found.low < -3


# Fleiss (1971): 14 raters put ten items into five classes; kappa is .210 there.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@pytest.mark.filterwarnings(FEW)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", [None, "linear"])
def test_counts_of_classes_are_the_ratings_that_they_count(metric, weights):
    options = {"metric": metric, "weights": weights}
    rows = [[k for k, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    expected = agreement(rows, counts=False, **options)
    assert agreement(FLEISS, counts=True, **options) == expected
    names = list("abcde")
    turned = pd.DataFrame(FLEISS, columns=names).iloc[:, [3, 0, 4, 2, 1]]
    for frame in (turned, pl.DataFrame(turned.to_dict("list")), turned.astype(float)):
        assert agreement(frame, counts=True, labels=names, **options) == expected
    by = [0, 1] * 5
    groups = agreement(rows, counts=False, by=by, labels=range(5), **options)
    assert agreement(FLEISS, counts=True, by=by, **options) == groups


@pytest.mark.filterwarnings(FEW)
def test_what_may_be_counts_or_ratings_is_refused():
    assert agreement(FLEISS, metric="fleiss_kappa", counts=True).value == pytest.approx(
        0.210, abs=5e-4
    )
    either = [[1, 1, 1], [0, 2, 1], [2, 0, 1], [1, 2, 0]]
    for table, total in ((FLEISS, 14), (either, 3), (pd.DataFrame(either, dtype=float), 3)):
        with pytest.raises(ValueError, match=rf"adds up to {total}: pass counts=True if .*False"):
            agreement(table)
    # Two of three pairs of raters agree at most, here none or all of an item's.
    assert agreement(either, metric="percent_agreement", counts=False).value == Fraction(1, 4)
    # One rater for each item, other sums, and what is missing or no number can only be ratings.
    only = [[0, 1], [1, 0]], [[1, 1], [0, 0]], [[1, 1], [2, NAN], [2, 0]], [["1", "2"]] * 2
    for ratings in only:
        agreement(ratings, metric="percent_agreement")


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ([[1.5, 0.5], [1, 1]], {}, "counts=True needs whole numbers"),
        ([[-1, 3], [1, 1]], {}, "counts=True needs whole numbers"),
        ([["a", "b"], ["a", "a"]], {}, "ratings must hold numbers"),
        ([[1, NAN], [1, 1]], {}, "ratings.*NaN"),
        ([[1, 1], [2, 0]], {"labels": ["a"]}, "counts 2 classes, but labels lists 1"),
        (
            pd.DataFrame([[1, 1], [2, 0]], columns=["ill", "OK"]),
            {"labels": ["ill", "ok"]},
            r"\['OK'\] match no label \(did you mean 'ok'\?\)",
        ),
        (pd.DataFrame([[1, 1], [2, 0]], columns=["x", "y"]), {"weights": "linear"}, "order"),
    ],
)
def test_counts_that_are_none(table, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        agreement(table, counts=True, **options)
