"""Equal functions of the counts, and linear ones, have equal limits, whatever their names are."""

import warnings
from functools import cache

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, compare, metric_interval
from skmetrics_ext.catalogue.properties import (
    ACTUAL_NEGATIVE,
    ACTUAL_POSITIVE,
    PREDICTED_NEGATIVE,
    PREDICTED_POSITIVE,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import parameters_of

# Rates of which averages are functions of a proportion, or of two.
OF_CLASSES = (ACTUAL_POSITIVE, ACTUAL_NEGATIVE, PREDICTED_POSITIVE, PREDICTED_NEGATIVE)
# Values that differ by less are equal, and limits by less than this share of them.
ALIKE, SAME = 1e-11, 1e-7
# Functions with other parameters than the default ones.
WITH_PARAMETERS = [
    ("fbeta", {"beta": 1}),
    ("fbeta", {"beta": 0}),
    ("fbeta", {"beta": np.inf}),
    ("tversky", {"alpha": 1, "beta": 1}),
    ("tversky", {"alpha": 2, "beta": 2}),
    ("cohen_kappa", {"weights": "linear"}),
    ("cohen_kappa", {"weights": "quadratic"}),
]


def tables(n_classes):
    """Counts of two groups and of as many tables as tell functions apart."""
    random = np.random.default_rng(n_classes)
    counts = random.integers(3, 30, (10, n_classes, n_classes))
    return counts + 40 * np.eye(n_classes, dtype=int)


def averages_of(row, n_classes):
    """The averages whose limits follow from the counts; others are resampled, and have the noise
    of the replicates of their own formula: those of three or more classes, and of two unlike ones.
    """
    if not row.has_average:
        # Cramer's V of two classes is an absolute value.
        return [] if row.kind == "biased" else [None]
    binary = ["binary"] if n_classes == 2 else []
    if row.share is not None and row.share.among in OF_CLASSES:
        return [*binary, "micro", "macro", "weighted"]
    both = ConfusionMatrix.from_counts(tables(2), labels=[0, 1]).score(
        row.name, average=None, **parameters_of(row, 2)
    )
    is_alike = n_classes == 2 and np.allclose(both[:, 0], both[:, 1], rtol=1e-12)
    return [*binary, "micro", *(["macro", "weighted"] if is_alike else [])]


@cache
def functions_of(n_classes):
    """The names of all functions with their options, and their values on the tables."""
    costs = (1 - np.eye(n_classes)).tolist()
    named = [
        *((row.name, parameters_of(row, n_classes)) for row in METRICS),
        *WITH_PARAMETERS,
        *([("balanced_accuracy", {"adjusted": True})] if n_classes == 2 else []),
        ("expected_cost", {"cost_matrix": costs}),
        ("expected_cost", {"cost_matrix": (np.array(costs) * 3).tolist()}),
    ]
    by_name = {}
    cm = ConfusionMatrix.from_counts(tables(n_classes), labels=list(range(n_classes)))
    rows = {row.name: row for row in METRICS}
    for name, parameters in named:
        for average in averages_of(rows[name], n_classes):
            options = parameters | ({"average": average} if average else {})
            values = cm.score(name, **options)
            by_name[name, str(options)] = (name, options, values)
    return [of for of in by_name.values() if np.isfinite(of[2]).all()]


def linear_groups(functions, step=1, place=0):
    """Those that are linear functions of each other, with slope and shift of each by the first;
    of the others one in so many, from a place on.
    """
    groups = {}
    for name, options, values in functions:
        if np.ptp(values) > ALIKE:
            # The same of all of a group, on tables that tell functions apart.
            places = (values - values[0]) / (values[1] - values[0])
            groups.setdefault(tuple(places.round(7)), []).append((name, options, values))
    for start, (head, *others) in enumerate(groups.values()):
        group = [head, *others[(start + place) % step :: step]]
        first = head[2]
        slopes = [(of[2][1] - of[2][0]) / (first[1] - first[0]) for of in group]
        shifts = [of[2][0] - slope * first[0] for of, slope in zip(group, slopes, strict=True)]
        if len(group) > 1:
            yield [
                (name, options, slope, shift)
                for (name, options, _), slope, shift in zip(group, slopes, shifts, strict=True)
            ]


def unlike_those_of_first(cm, n_classes, step=1, place=0):
    """How many functions have an equal one, and those whose limits are other than that one's."""
    n_functions, unlike = 0, []
    for group in linear_groups(functions_of(n_classes), step, place):
        limits = []
        for name, options, *_ in group:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnreliableIntervalWarning)
                found = cm.interval(name, **options, n_resamples=100)
            limits.append(np.array([found.low, found.high]))
        for (name, options, slope, shift), of in zip(group, limits, strict=True):
            expected = np.sort(slope * limits[0] + shift)
            if not np.allclose(of, expected, rtol=SAME, atol=1e-9):
                unlike.append((name, options, group[0]))
        n_functions += len(group)
    return n_functions, unlike


@pytest.mark.parametrize("n_classes", [2, 3])
def test_equal_and_linear_functions_have_equal_limits(n_classes):
    cm = ConfusionMatrix.from_counts(tables(n_classes)[0], labels=list(range(n_classes)))
    n_functions, unlike = unlike_those_of_first(cm, n_classes)
    assert n_functions > 50
    assert unlike == []


def limits_on(counts, name, **options):
    found = ConfusionMatrix.from_counts(counts, labels=list(range(len(counts)))).interval(
        name, **options
    )
    return [found.low, found.high]


@pytest.mark.parametrize("counts", [[[80, 20], [5, 45]], [[300, 0], [2, 9]], [[50, 9], [12, 0]]])
def test_limits_of_f_beta_are_continuous_in_beta(counts):
    for beta, near in ((1, 1 + 1e-9), (0, 1e-6), (np.inf, 1e6)):
        np.testing.assert_allclose(
            limits_on(counts, "fbeta", beta=beta),
            limits_on(counts, "fbeta", beta=near),
            rtol=0,
            atol=1e-6,
        )


def test_limits_of_an_expected_cost_are_continuous_in_the_costs():
    for counts in ([[80, 20], [5, 45]], tables(3)[0]):
        costs = 1 - np.eye(len(counts))
        changed = costs + 1e-6 * np.triu(costs)
        error_rate = limits_on(counts, "zero_one_loss")
        np.testing.assert_allclose(
            limits_on(counts, "expected_cost", cost_matrix=costs), error_rate, rtol=1e-7
        )
        np.testing.assert_allclose(
            limits_on(counts, "expected_cost", cost_matrix=changed), error_rate, atol=1e-4
        )


def test_limits_of_f1_are_those_of_jaccard_by_their_relation():
    counts = [[80, 20], [5, 45]]
    f1, jaccard = (np.array(limits_on(counts, name)) for name in ("f1", "jaccard"))
    np.testing.assert_allclose(jaccard, f1 / (2 - f1), rtol=1e-12)


def test_every_door_gives_the_same_limits():
    counts = np.array([[80, 20], [5, 45]])
    y_true, y_pred = (of.ravel() for of in np.indices((2, 2)))
    y_true, y_pred = (np.repeat(of, counts.ravel()) for of in (y_true, y_pred))
    for name in ("recall", "f1", "matthews_corrcoef", "balanced_accuracy", "peirce_skill"):
        found = metric_interval(y_true, y_pred, name)
        np.testing.assert_allclose([found.low, found.high], limits_on(counts, name), rtol=1e-12)


OF_SAMPLES = ["weights", "clusters", "weighted clusters", "prevalence"]


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("design", OF_SAMPLES)
def test_equal_functions_have_equal_limits_with_every_design(design, step):
    """The slow ones are of every function in each design."""
    random = np.random.default_rng(0)
    y_true = random.integers(0, 2, 400)
    y_pred = np.where(random.random(400) < 0.8, y_true, 1 - y_true)
    options = {}
    if design.startswith("weight"):
        options["sample_weight"] = random.lognormal(0, 0.5, 400)
    if design.endswith("clusters"):
        options["clusters"] = np.arange(400) // 8
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, **options)
    if design == "prevalence":
        cm = cm.at_prevalence(0.1)
    n_functions, unlike = unlike_those_of_first(cm, 2, step, OF_SAMPLES.index(design))
    assert n_functions > 40 / step
    assert unlike == []


def test_an_overlap_of_one_kind_of_error_is_a_rate_of_each_entry():
    counts = tables(2)[:3]
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    precision, twice = cm.interval("precision"), cm.interval("tversky", alpha=2, beta=0)
    # tp / (tp + 2 fp) of a precision p is p / (2 - p).
    np.testing.assert_allclose(twice.low, precision.low / (2 - precision.low), rtol=1e-9)
    np.testing.assert_allclose(twice.high, precision.high / (2 - precision.high), rtol=1e-9)


def models_of(n_classes, n=150):
    random = np.random.default_rng(n_classes)
    true = random.integers(0, n_classes, n)
    models = {
        name: np.where(random.random(n) < right, true, random.integers(0, n_classes, n))
        for name, right in (("a", 0.8), ("b", 0.7))
    }
    return true, models


OF_MODELS = ["samples", "weights", "clusters"]


@pytest.mark.filterwarnings("ignore:all replicates of the difference")
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("design", OF_MODELS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_differences_of_equal_and_linear_functions_have_equal_limits_and_p_values(
    n_classes, design, step
):
    """The slow ones are of every function in each design."""
    true, models = models_of(n_classes)
    options = {
        "samples": {},
        "weights": {"sample_weight": np.random.default_rng(0).lognormal(0, 0.5, len(true))},
        "clusters": {"clusters": np.arange(len(true)) // 3},
    }[design]
    n_functions, unlike = 0, []
    for group in linear_groups(functions_of(n_classes), step, OF_MODELS.index(design)):
        rows = [
            compare(true, models, name, n_resamples=100, **of, **options).rows[0]
            for name, of, *_ in group
        ]
        first = rows[0]
        for (name, of, slope, _), row in zip(group, rows, strict=True):
            expected = [*np.sort([slope * first.low, slope * first.high]), first.p_value]
            found = [row.low, row.high, row.p_value]
            if not np.allclose(found, expected, rtol=SAME, atol=1e-9, equal_nan=True):
                unlike.append((name, of, group[0]))
        n_functions += len(group)
    assert n_functions > 40 / step
    assert unlike == []


def groups_of(n_groups, n_classes):
    """Groups of unequal size that do not differ much."""
    random = np.random.default_rng(n_classes)
    cells = 20 * np.eye(n_classes) + 7 + 3 * np.arange(n_classes**2).reshape(n_classes, -1)
    sizes = np.array([3, 1, 1])[:n_groups, None, None]
    counts = random.poisson(cells * sizes)
    return ConfusionMatrix.from_counts(counts, labels=list(range(n_classes)))


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_groups", [2, 3])
def test_equal_and_linear_functions_have_equal_gaps(n_groups, n_classes, step):
    """The slow ones are of every function for two and for three groups."""
    cm = groups_of(n_groups, n_classes)
    p_values, n_functions, unlike = set(), 0, []
    for group in linear_groups(functions_of(n_classes), step, n_groups):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreliableIntervalWarning)
            gaps = [cm.gap(name, n_resamples=100, **options) for name, options, *_ in group]
        first = gaps[0]
        for (name, options, slope, _), gap in zip(group, gaps, strict=True):
            expected = [abs(slope) * first.low, abs(slope) * first.high, first.p_value]
            if not np.allclose([gap.low, gap.high, gap.p_value], expected, rtol=1e-4, atol=1e-9):
                unlike.append((name, options, group[0]))
        p_values.add(round(first.p_value, 3))
        n_functions += len(group)
    assert n_functions > 40 / step
    assert len(p_values) >= 5
    assert unlike == []


@pytest.mark.parametrize("n_groups", [2, 3])
def test_equal_functions_have_equal_ratios_of_groups(n_groups):
    for names in (
        ["accuracy", "f1_micro", "recall_weighted"],
        ["balanced_accuracy", "recall_macro"],
    ):
        gaps = [groups_of(n_groups, 2).gap(name, kind="ratio", n_resamples=199) for name in names]
        found = [(gap.low, gap.high, gap.p_value) for gap in gaps]
        np.testing.assert_allclose(found, [found[0]] * len(found), rtol=1e-4)
