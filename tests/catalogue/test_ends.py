"""The declared ends of each metric against its formula, at many random and extreme counts."""

import inspect

import numpy as np
import pytest

from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.catalogue.score import lowest_and_highest, score
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.formulas import ranges

ROUNDING = 1e-9
# Of the width of a range: so far may random counts stay away from an end.
NEAR = 0.06
OF_MANY = (ranges.of_proportion, ranges.of_correlation, ranges.of_odds, ranges.of_any)


def drawn(n_classes, n=6000):
    """Counts (n, n_classes, n_classes): even, nearly all in a few cells, of unlike sizes, right."""
    random = np.random.default_rng(n_classes)
    size, n_cells = n // 6, n_classes**2
    parts = [random.dirichlet(np.full(n_cells, a), size) for a in (0.02, 0.1, 0.5, 5)]
    spread = 10.0 ** random.uniform(-8, 0, (size, n_cells))
    parts.append(spread * (random.random((size, n_cells)) < 0.6))
    right = random.dirichlet(np.full(n_classes, 9), size)[..., None] * np.eye(n_classes)
    # Enough samples for what corrects for their number.
    return 1000 * np.concatenate([*parts, right.reshape(size, -1)]).reshape(-1, *right.shape[1:])


# Those of four classes only lie within the ends, they need not come near them.
DRAWN = {2: drawn(2, 3000), 3: drawn(3), 4: drawn(4, 1200)}
SHARES = {2: [0.8, 0.2], 3: [0.2, 0.7, 0.1], 4: [0.1, 0.2, 0.3, 0.4]}


def with_parameters(n_classes):
    """Each metric with parameters within and beyond the usual."""
    random = np.random.default_rng(9)
    unlike = random.uniform(0.5, 4, (n_classes, n_classes)) * (1 - np.eye(n_classes))
    of_rows = {
        "fbeta": [{"beta": beta} for beta in (0, 0.5, 3, np.inf)],
        "tversky": [{}, {"alpha": 5.0, "beta": 0.0}],
        "index_balanced_accuracy": [{}, {"alpha": 1}, {"alpha": 1.5}, {"alpha": 4}],
        "net_benefit": [{"threshold_probability": t} for t in (0.1, 0.5, 0.9)],
        "expected_cost": [{"cost_matrix": random.uniform(-3, 7, unlike.shape)}],
        "balanced_accuracy": [{}, {"adjusted": True}],
        "geometric_mean": [{}, {"correction": 0.01}, {"correction": 3.0}],
        "cohen_kappa": [{}, *({"weights": of} for of in ("linear", "quadratic", unlike))],
    }
    return [(row, options) for row in METRICS for options in of_rows.get(row.name, [{}])]


def of_tables(row, options, tables):
    """What is asked of which counts, of each class or of all."""
    of_classes = {"average": None} if row.has_average else {}
    counted = CountedMatrix(tables, np.arange(tables.shape[-1]), 1)
    return counted, choose(row, zero_division=np.nan, **of_classes, **options)


def values_and_ends(row, options, tables, *, are_shares_given):
    """The values of each class or of all, with their ends."""
    counted, choice = of_tables(row, options, tables)
    values = np.asarray(score(counted, choice))
    ends = lowest_and_highest(counted, choice, are_shares_given=are_shares_given)
    return values, *(np.broadcast_to(end, values.shape) for end in ends)


def are_within(values, low, high):
    """Whether no value is beyond its ends, but for rounding."""
    slack = ROUNDING * (1 + np.abs(values, where=np.isfinite(values), out=np.zeros(values.shape)))
    return not ((values < low - slack) | (values > high + slack)).any()


def gaps_to_ends(values, low, high):
    """How near values come to each end, of the width, where it is finite; else 0."""
    with np.errstate(invalid="ignore"):
        width, gaps = high - low, (values - low, high - values)
    width = np.where(np.isfinite(width) & (width > 0), width, 1)
    known = [(gap / width)[np.isfinite(gap)] for gap in gaps]
    return [float(gap.min()) if len(gap) else 0.0 for gap in known]


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_values_lie_within_the_ends_and_come_near_them(n_classes):
    for row, options in with_parameters(n_classes):
        found = values_and_ends(row, options, DRAWN[n_classes], are_shares_given=False)
        assert are_within(*found), (row.name, options)
        # Of several classes those of many metrics are a wider range that all keep to.
        if n_classes == 2 or (row.ends not in OF_MANY and n_classes == 3):
            assert max(gaps_to_ends(*found)) <= NEAR, (row.name, options)


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_given_shares_of_the_actual_classes_narrow_the_ends_to_what_can_be_reached(n_classes):
    tables = DRAWN[n_classes]
    tables = tables[(tables.sum(-1) > 0).all(-1)]
    shares = np.array(SHARES[n_classes])
    tables = tables / tables.sum(-1, keepdims=True) * 1000 * shares[:, None]
    narrower = set()
    for row, options in with_parameters(n_classes):
        found = values_and_ends(row, options, tables, are_shares_given=True)
        assert are_within(*found), (row.name, options)
        counted, choice = of_tables(row, options, tables)
        wider = lowest_and_highest(counted, choice, are_shares_given=False)
        assert (wider[0] <= found[1]).all(), row.name
        assert (wider[1] >= found[2]).all(), row.name
        if (wider[0] < found[1]).any() or (wider[1] > found[2]).any():
            narrower.add(row.name)
            assert n_classes == 4 or max(gaps_to_ends(*found)) <= NEAR, (row.name, options)
    assert {"net_benefit", "expected_cost", "lift", "detection_rate"} <= narrower


def test_ends_of_published_and_hand_made_cases():
    def ends(metric, counts, *, are_shares_given=False, **options):
        counted = CountedMatrix(np.array(counts), np.arange(len(counts)), 1)
        found = lowest_and_highest(
            counted, choose(metric, **options), are_shares_given=are_shares_given
        )
        return tuple(float(end) for end in found)

    two, three = [[8, 2], [1, 9]], [[4, 1, 0], [0, 5, 0], [1, 1, 3]]
    costs = {"cost_matrix": [[0, 1], [7, 0]]}
    assert ends("expected_cost", two, **costs) == (0, 7)
    given = {"are_shares_given": True}
    assert ends("expected_cost", [[32, 0], [2, 6]], **costs, **given) == pytest.approx((0, 2.2))
    w = 0.2 / 0.8
    threshold = {"threshold_probability": 0.2, "average": "binary"}
    assert ends("net_benefit", two, **threshold) == pytest.approx((-w, 1))
    assert ends("net_benefit", [[32, 0], [2, 6]], **threshold, **given) == pytest.approx(
        (-0.8 * w, 0.2)
    )
    name = "macro_averaged_mean_absolute_error"
    assert ends(name, three) == pytest.approx((0, 5 / 3))
    # The mean over classes with samples.
    assert ends(name, [[4, 1, 0], [0, 0, 0], [1, 1, 3]]) == (0, 2)
    assert ends("balanced_accuracy", three, adjusted=True) == (-1 / 2, 1)
    assert ends("balanced_accuracy", [[4, 1, 0], [0, 0, 0], [1, 1, 3]], adjusted=True) == (-1, 1)
    # Half of the samples exchanged, and all predicted as the rarest class.
    assert ends("allocation_disagreement", three, **given)[1] == pytest.approx(1)
    assert ends("quantity_disagreement", [[32, 0], [2, 6]], **given)[1] == pytest.approx(0.8)


def test_classes_that_do_not_occur_could():
    counts = np.array([[4, 1, 0], [2, 3, 0], [0, 0, 0]])
    counted = CountedMatrix(counts, np.arange(3))
    for metric, expected in (("mutual_information", (0, np.log(3))), ("nir", (1 / 3, 1))):
        assert lowest_and_highest(counted, choose(metric)) == pytest.approx(expected)


def test_an_average_lies_between_the_lowest_and_the_highest_end_of_a_class():
    counts = np.array([[[70, 5, 5], [3, 7, 0], [4, 1, 5]]])
    counted = CountedMatrix(counts, np.arange(3))
    each = lowest_and_highest(counted, choose("lift", average=None), are_shares_given=True)
    np.testing.assert_allclose(each[1], [[1.25, 10, 10]])
    for average in ("macro", "weighted", "worst"):
        choice = choose("lift", average=average)
        low, high = lowest_and_highest(counted, choice, are_shares_given=True)
        assert (low, high.tolist()) == (0, [10])
    benefit = choose("net_benefit", average="macro", threshold_probability=0.5)
    low, high = lowest_and_highest(counted, benefit, are_shares_given=True)
    np.testing.assert_allclose([low, high], [[-0.9], [0.8]])
    # Of pooled counts a third is of the class.
    _, high = lowest_and_highest(counted, choose("lift", average="micro"), are_shares_given=True)
    np.testing.assert_allclose(high, [3])


@pytest.mark.parametrize("row", METRICS, ids=[row.name for row in METRICS])
def test_ends_take_the_parameters_of_the_formula(row):
    own = inspect.signature(row.ends).parameters.values()
    named = {one.name: one.default for one in own if one.kind is one.KEYWORD_ONLY}
    of_formula = {
        one.name: one.default
        for one in inspect.signature(row.formula).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    }
    assert named.items() <= of_formula.items()
    takes_others = any(one.kind is one.VAR_KEYWORD for one in own)
    assert takes_others or named.keys() == of_formula.keys()


def test_ends_for_any_parameters_are_those_of_all():
    assert BY_NAME["fbeta"].widest_ends == (0, 1)
    assert BY_NAME["recall"].widest_ends == (0, 1)
    for name in ("net_benefit", "expected_cost", "cohen_kappa", "index_balanced_accuracy"):
        assert BY_NAME[name].widest_ends == (-np.inf, np.inf)
