"""p-values of equality between groups: Newcombe's limits inverted, all relabelings, edges."""

import itertools
from functools import cache

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.results import Axis
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.gaps.permutation import Studentised
from skmetrics_ext.statistics.values.delta import slopes_by_parts
from tests.shared import for_each, parameters_of
from tests.variants.sources import gap_of_two

# The probabilities of few samples are known exactly.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the gap in .* is determined by groups with few of the samples"
)


def matrix(counts, labels=("no", "yes")):
    counts = np.asarray(counts)
    positive = labels[1] if len(labels) == 2 else None
    return ConfusionMatrix(
        counts, np.asarray(labels), (Axis("group", np.arange(len(counts))),), positive
    )


def table_of(groups, true, pred, n_groups, n_classes=2):
    counts = np.zeros((n_groups, n_classes, n_classes))
    np.add.at(counts, (groups, true, pred), 1)
    return counts


FIRST, SECOND = np.array([[9, 4], [2, 11]]), np.array([[5, 7], [8, 3]])
RATES = {
    "recall": lambda m: (m[1, 1], m[1].sum()),
    "false_negative_rate": lambda m: (m[1, 0], m[1].sum()),
    "specificity": lambda m: (m[0, 0], m[0].sum()),
    "false_positive_rate": lambda m: (m[0, 1], m[0].sum()),
    "precision": lambda m: (m[1, 1], m[:, 1].sum()),
    "false_discovery_rate": lambda m: (m[0, 1], m[:, 1].sum()),
    "npv": lambda m: (m[0, 0], m[:, 0].sum()),
    "false_omission_rate": lambda m: (m[1, 0], m[:, 0].sum()),
    "accuracy": lambda m: (m.trace(), m.sum()),
    "zero_one_loss": lambda m: (m[0, 1] + m[1, 0], m.sum()),
    "bennett_s": lambda m: (m.trace(), m.sum()),
    "prevalence": lambda m: (m[1].sum(), m.sum()),
    "predicted_positive_rate": lambda m: (m[:, 1].sum(), m.sum()),
    "detection_rate": lambda m: (m[1, 1], m.sum()),
    "f1_micro": lambda m: (m.trace(), m.sum()),
}


@pytest.mark.parametrize("metric", RATES)
def test_the_p_value_of_two_proportions_inverts_newcombes_limits(metric):
    *_, expected = gap_of_two(*map(RATES[metric], (FIRST, SECOND)))
    gap = matrix([FIRST, SECOND]).gap(metric)
    assert round(gap.p_value, 3) == expected


def test_the_p_value_of_two_proportions_is_the_same_in_any_order():
    found, turned = (matrix(groups).gap("recall") for groups in ([FIRST, SECOND], [SECOND, FIRST]))
    assert turned.p_value == pytest.approx(found.p_value, rel=1e-9)


def test_two_proportions_of_no_difference_and_of_all():
    equal = matrix([[[4, 0], [1, 3]], [[4, 0], [1, 3]]]).gap("recall")
    assert (equal.value, equal.p_value) == (0, 1)
    # No p-value by inversion goes beyond six standard errors.
    apart = matrix([[[4, 0], [0, 10_000]], [[4, 0], [10_000, 0]]]).gap("recall")
    assert apart.p_value == pytest.approx(2 * stats.norm.sf(6), rel=1e-4)


def pearson(groups, hits, sizes):
    rates = np.array([hits[groups == g].mean() for g in range(len(sizes))])
    return (sizes * (rates - hits.mean()) ** 2).sum()


NINE, OF_NINE = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2]), np.array([1, 1, 1, 0, 0, 0, 1, 0, 1])


@cache
def share_of_relabelings():
    """How many of all 9! / (3! 4! 2!) relabelings of the nine samples are as far apart."""
    sizes = np.bincount(NINE)
    found = [
        pearson(np.array(labels), OF_NINE, sizes) for labels in set(itertools.permutations(NINE))
    ]
    return np.mean(np.array(found) >= pearson(NINE, OF_NINE, sizes) - 1e-9)


def test_three_groups_are_permuted_within_the_actual_positives():
    counts = table_of(NINE, np.ones(9, int), OF_NINE, 3)
    # Whatever the actual negatives are, they do not count.
    counts[:, 0] = [[1, 50], [70, 2], [3, 3]]
    gap = matrix(counts.astype(int)).gap("recall", n_resamples=40_000, random_state=0)
    assert gap.p_value == pytest.approx(share_of_relabelings(), abs=0.01)


def f2_and_variance(m):
    (_, fp), (fn, tp) = m
    n, d = m.sum(), 5 * tp + 4 * fn + fp
    slopes = np.array([[0, -5 * tp / d**2], [-20 * tp / d**2, 5 * (4 * fn + fp) / d**2]])
    return 5 * tp / d, (slopes**2 * m).sum() - (slopes * m).sum() ** 2 / n


def informedness_and_variance(m):
    rates = m / m.sum(1, keepdims=True)
    return rates[0, 0] + rates[1, 1] - 1, (rates[:, 0] * rates[:, 1] / m.sum(1)).sum()


def studentised(counts, value_and_variance):
    """By hand, with half a sample added to each cell for the variance."""
    values, variances = [], []
    for m in counts:
        smoothed, variance = value_and_variance(m + 0.5)
        with np.errstate(invalid="ignore"):
            value, _ = value_and_variance(m) if m.sum() > m[0, 0] else (smoothed, 0)
        values.append(value)
        variances.append(variance)
    values, weights = np.array(values), 1 / np.array(variances)
    return (weights * (values - (weights * values).sum() / weights.sum()) ** 2).sum()


@pytest.mark.parametrize(
    ("metric", "options", "value_and_variance"),
    [("fbeta", {"beta": 2}, f2_and_variance), ("informedness", {}, informedness_and_variance)],
)
def test_the_statistic_is_that_of_its_definition(metric, options, value_and_variance):
    counts = np.random.default_rng(5).integers(1, 30, (4, 3, 2, 2)).astype(float)
    estimand = estimand_of(CountedMatrix(counts, np.arange(2), 1), choose(metric, **options))
    expected = [studentised(groups, value_and_variance) for groups in counts]
    np.testing.assert_allclose(Studentised(estimand).of(counts, None), expected, rtol=1e-6)


def test_f1_is_a_share_of_the_samples_that_are_or_are_predicted_positive():
    # Misses of both kinds, and any true negatives.
    true, pred = np.array([1, 1, 1, 0, 1, 0, 1, 1, 1]), np.array([1, 1, 1, 1, 0, 1, 1, 0, 1])
    counts = table_of(NINE, true, pred, 3)
    counts[:, 0, 0] = [50, 7, 0]
    for metric in ("f1", "jaccard"):
        gap = matrix(counts.astype(int)).gap(metric, n_resamples=40_000, random_state=0)
        assert gap.p_value == pytest.approx(share_of_relabelings(), abs=0.01)


def test_f2_is_studentised_and_all_samples_are_permuted():
    groups = np.array([0, 0, 0, 0, 1, 1, 1, 2])
    true, pred = np.array([1, 1, 1, 0, 0, 1, 1, 1]), np.array([1, 1, 1, 0, 1, 0, 0, 1])
    observed = studentised(table_of(groups, true, pred, 3), f2_and_variance)
    found = [
        studentised(table_of(np.array(labels), true, pred, 3), f2_and_variance)
        for labels in set(itertools.permutations(groups))
    ]
    expected = np.mean(np.array(found) >= observed * (1 - 1e-6))
    gap = matrix(table_of(groups, true, pred, 3).astype(int)).gap(
        "fbeta", beta=2, n_resamples=40_000, random_state=0
    )
    assert 0.02 < expected < 0.98
    assert gap.p_value == pytest.approx(expected, abs=0.01)


def test_informedness_is_permuted_within_each_actual_class():
    groups = np.array([0, 0, 1, 1, 2, 0, 0, 1, 1, 2])
    true, pred = np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]), np.array([1, 1, 1, 0, 0, 0, 0, 1, 0, 1])
    observed = studentised(table_of(groups, true, pred, 3), informedness_and_variance)
    found = [
        studentised(table_of(np.array([*first, *second]), true, pred, 3), informedness_and_variance)
        for first in set(itertools.permutations(groups[:5]))
        for second in set(itertools.permutations(groups[5:]))
    ]
    assert len(found) == 900
    expected = np.mean(np.array(found) >= observed * (1 - 1e-6))
    assert 0.02 < expected < 0.98
    cm = matrix(table_of(groups, true, pred, 3).astype(int))
    for metric in ("informedness", "one_vs_rest_balanced_accuracy"):
        gap = cm.gap(metric, n_resamples=40_000, random_state=0)
        assert gap.p_value == pytest.approx(expected, abs=0.01)


def does_not_depend_on_prevalence(row, n_classes, average):
    """Whether the value of matrices is unchanged if the rows are multiplied."""
    random = np.random.default_rng(0)
    counts = random.uniform(1, 9, (5, n_classes, n_classes))
    options = parameters_of(row, n_classes) | ({"average": average} if row.has_average else {})
    other = counts * random.uniform(0.2, 5, (5, n_classes, 1))
    axes = Axis("distribution", np.arange(5)), Axis("prevalence", np.arange(2))
    cm = ConfusionMatrix(np.stack([counts, other], 1), np.arange(n_classes), axes, 1)
    values = cm.score(row.name, **options)
    return bool(np.allclose(*values.T, rtol=1e-9))


@for_each("row", METRICS)
def test_what_depends_on_the_actual_classes_alone_is_known(row):
    if row.is_of_samples:
        return
    if row.has_average:
        asked = estimand_of(
            CountedMatrix(np.ones((2, 2)), np.arange(2), 1), choose(row, **parameters_of(row, 2))
        )
        assert asked.is_of_actual() == does_not_depend_on_prevalence(row, 2, "binary")
    for average in (
        ("macro", "worst") if row.has_average and row.better != "neither" else ("binary",)
    ):
        if row.has_average and average == "binary":
            continue
        options = parameters_of(row, 3) | ({"average": average} if row.has_average else {})
        asked = estimand_of(CountedMatrix(np.ones((3, 3)), np.arange(3)), choose(row, **options))
        assert asked.is_of_actual() == does_not_depend_on_prevalence(row, 3, average)


@pytest.mark.parametrize("average", ["macro", "worst", "weighted"])
@pytest.mark.parametrize("metric", ["recall", "false_negative_rate", "precision"])
def test_averages_of_proportions_that_depend_only_on_the_actual_classes(metric, average):
    row = choose(metric).row
    asked = estimand_of(
        CountedMatrix(np.ones((3, 3)), np.arange(3)), choose(metric, average=average)
    )
    assert asked.is_of_actual() == does_not_depend_on_prevalence(row, 3, average)


def tables_drawn_from(n_entries, *probabilities):
    """Matrices of samples of probabilities, one entry per repetition."""
    random = np.random.default_rng(1)
    counts = np.stack(
        [
            random.multinomial(n, np.ravel(distribution), n_entries).reshape(-1, 2, 2)
            for n, distribution in probabilities
        ],
        1,
    )
    axes = Axis("entry", np.arange(n_entries)), Axis("group", np.arange(len(probabilities)))
    return ConfusionMatrix(counts, np.array([0, 1]), axes, 1)


def distribution(prevalence, recall, specificity):
    negative, positive = 1 - prevalence, prevalence
    return [
        [negative * specificity, negative * (1 - specificity)],
        [positive * (1 - recall), positive * recall],
    ]


def test_very_many_samples_have_the_distribution_of_chi_squared():
    hits, n = np.array([700_000_000, 700_030_000, 700_050_000]), 10**9
    cm = matrix([[[5, 5], [n - hit, hit]] for hit in hits])
    expected = stats.chi2_contingency([hits, n - hits], correction=False).pvalue
    assert 0.01 < expected < 0.99
    assert cm.gap("recall").p_value == pytest.approx(expected, rel=1e-6)
    two = matrix([[[5, 5], [n - hit, hit]] for hit in hits[:2]])
    expected = stats.chi2_contingency([hits[:2], n - hits[:2]], correction=False).pvalue
    assert two.gap("recall").p_value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("metric", ["f1", "recall", "informedness"])
def test_groups_that_are_left_out_take_no_part(metric):
    alike = [[[70, 30], [20, 80]], [[69, 31], [21, 79]], [[72, 28], [19, 81]]]
    gap = matrix([*alike, [[0, 9], [9, 0]]]).gap(
        metric, min_samples=50, n_resamples=2000, random_state=0
    )
    assert gap.excluded_groups == (3,)
    alone = matrix(alike).gap(metric, n_resamples=2000, random_state=0)
    assert gap.p_value == pytest.approx(alone.p_value, abs=0.06)
    assert gap.p_value > 0.5
    assert (
        matrix([*alike, [[0, 9], [9, 0]]]).gap(metric, random_state=0, n_resamples=500).p_value
        < 0.05
    )


def distribution_of_f1(f1, prevalence, recall):
    tp, fn = prevalence * recall, prevalence * (1 - recall)
    fp = 2 * tp / f1 - 2 * tp - fn
    return [[1 - prevalence - fp, fp], [fn, tp]]


@pytest.mark.parametrize(
    ("metric", "probabilities"),
    [
        (
            "recall",
            [
                (300, distribution(0.1, 0.7, 0.9)),
                (300, distribution(0.6, 0.7, 0.6)),
                (80, distribution(0.4, 0.7, 0.9)),
            ],
        ),
        (
            "informedness",
            [(300, distribution(0.2, 0.95, 0.6)), (200, distribution(0.5, 0.6, 0.95))],
        ),
        (
            "f1",
            [(300, distribution_of_f1(0.7, 0.15, 0.7)), (300, distribution_of_f1(0.7, 0.5, 0.8))],
        ),
    ],
)
def test_groups_that_are_equal_only_in_the_metric_are_rarely_rejected(metric, probabilities):
    gap = tables_drawn_from(200, *probabilities).gap(
        metric, axis="group", n_resamples=100, random_state=0
    )
    # For 200 at .05, 21 are more than 3.5 standard errors too many.
    assert (gap.p_value <= 0.05).sum() < 21
    assert (gap.p_value <= 0.5).sum() > 70
    assert (gap.low == 0).mean() > 0.9


def test_a_small_group_hides_no_gap():
    # max - min would be that of the small group, in most permutations.
    probabilities = [
        (600, distribution(0.5, 0.6, 0.9)),
        (600, distribution(0.5, 0.8, 0.9)),
        (20, distribution(0.5, 0.7, 0.9)),
    ]
    gap = tables_drawn_from(50, *probabilities).gap(
        "recall", axis="group", n_resamples=199, random_state=0
    )
    assert (gap.p_value <= 0.05).mean() > 0.9


@pytest.mark.filterwarnings("ignore:replicates of cramers_v are biased")
def test_many_classes_share_the_derivatives_of_all_groups():
    random = np.random.default_rng(0)
    alike = random.multinomial(3000, random.dirichlet(np.ones(576)), size=3).reshape(3, 24, 24)
    cm = matrix(alike, labels=tuple(range(24)))
    p_values = [
        cm.gap(metric, n_resamples=120, random_state=0).p_value
        for metric in ("f1_macro", "mcc", "cramers_v")
    ]
    assert min(p_values) > 0.01
    better = alike[2] + 20 * np.eye(24, dtype=int)
    cm = matrix([*alike[:2], better], labels=tuple(range(24)))
    assert cm.gap("mcc", n_resamples=120, random_state=0).p_value == pytest.approx(1 / 121)


@pytest.mark.parametrize(
    ("metric", "n_classes"),
    [
        ("f1_macro", 22),
        ("f1_macro", 23),
        pytest.param("cramers_v", 8, marks=pytest.mark.slow),
        ("cramers_v", 9),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_group_far_from_nine_is_seen_with_slopes_of_its_own_and_with_those_of_all(
    metric, n_classes
):
    """The most classes with separate derivatives for each group, and one more; of Cramer's V, whose
    derivatives are of all cells, the most are left to the slow tests.
    """
    random = np.random.default_rng(0)
    wrong = np.full((n_classes, n_classes), 1 / (n_classes * (n_classes - 1)))
    distribution = [
        np.where(np.eye(n_classes, dtype=bool), right / n_classes, (1 - right) * wrong)
        for right in [0.5, *[0.8] * 9]
    ]
    counts = np.stack(
        [
            random.multinomial(500, of_group.ravel()).reshape(n_classes, -1)
            for of_group in distribution
        ]
    )
    cm = matrix(counts, labels=tuple(range(n_classes)))
    assert cm.gap(metric, n_resamples=100, random_state=0).p_value <= 0.03


# Limits of some metrics of so few samples are unknown, and those of averages of unbounded metrics.
@pytest.mark.filterwarnings("ignore::UserWarning")
@for_each("row", METRICS)
def test_every_metric_has_a_p_value(row):
    """Three groups by permutation, and two by their limits, in turn."""
    place = METRICS.index(row)
    numbers = [(3, 2), (2, 2), (2, 3)][place % 3]
    assert_p_value(row, *numbers, tries_equal_groups=place % 2 == 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@for_each("row", METRICS)
def test_every_metric_has_a_p_value_whatever_the_numbers_of_groups_and_classes(row):
    """The same of each metric, by permutation and by limits."""
    for n_groups, n_classes in ((3, 2), (2, 2), (2, 3), (3, 3)):
        assert_p_value(row, n_groups, n_classes)


def assert_p_value(row, n_groups, n_classes, *, tries_equal_groups=True):
    """A gap of some groups has one, and that of equal groups is 1."""
    counts = np.random.default_rng(2).integers(3, 40, (n_groups, n_classes, n_classes))
    options = parameters_of(row, n_classes)
    if row.ordered or row.takes_label_distances:
        options["labels"] = list(range(n_classes))
    cm = ConfusionMatrix(counts, np.arange(n_classes), (Axis("group", np.arange(n_groups)),), 1)
    gap = cm.gap(row.name, n_resamples=100, random_state=0, **options)
    assert 0 < gap.p_value <= 1
    assert not gap.low > gap.value
    assert not gap.high < gap.value
    if not tries_equal_groups:
        return
    same = ConfusionMatrix(counts[[0] * n_groups], cm.labels, cm.axes, 1)
    same = same.gap(row.name, n_resamples=100, random_state=0, **options)
    assert same.value == pytest.approx(0, abs=1e-12)
    assert same.p_value == 1


HITS = [("recall", "macro"), ("false_negative_rate", "macro"), ("balanced_accuracy", "binary")]


@pytest.mark.parametrize(("metric", "average"), HITS)
def test_hits_and_misses_say_all_that_the_cells_do(monkeypatch, metric, average):
    counts = np.random.default_rng(0).integers(0, 9, (3, 4, 5, 5)).astype(float)
    counts[0, 0, 2] = 0
    counts[1, 1, :, 3] = counts[1, 1, 3] = 0
    estimand = estimand_of(CountedMatrix(counts, np.arange(5)), choose(metric, average=average))
    of_hits = Studentised(estimand)
    assert of_hits.counts.shape == (3, 4, 5, 2)
    monkeypatch.setattr(
        "skmetrics_ext.statistics.estimand.Estimand.depends_only_on_hits", lambda _: False
    )
    of_cells = Studentised(estimand)
    assert of_cells.counts.shape == (3, 4, 5, 5)
    np.testing.assert_allclose(of_hits.observed(), of_cells.observed(), rtol=1e-6)


@pytest.mark.parametrize(("metric", "average"), HITS)
def test_replicates_of_hits_and_misses_have_the_distribution_of_those_of_cells(
    monkeypatch, metric, average
):
    counts = np.array([[40, 5, 5], [3, 18, 1], [2, 0, 10]])
    cm = ConfusionMatrix.from_counts(counts, labels=range(3))
    of_hits = cm.interval(
        metric, average=average, method="smoothed-bootstrap", n_resamples=20_000, random_state=0
    )
    monkeypatch.setattr(
        "skmetrics_ext.statistics.estimand.Estimand.depends_only_on_hits", lambda _: False
    )
    of_cells = cm.interval(
        metric, average=average, method="smoothed-bootstrap", n_resamples=20_000, random_state=1
    )
    assert (of_hits.low, of_hits.high) == pytest.approx((of_cells.low, of_cells.high), abs=0.006)


@pytest.mark.parametrize("metric", ["f1", "specificity", "jaccard"])
def test_slopes_of_a_mean_are_those_of_its_classes_at_once(metric):
    counts = np.random.default_rng(1).integers(0, 9, (4, 5, 5)).astype(float)
    counts[0, 2] = counts[0, :, 2] = 0
    estimand = estimand_of(CountedMatrix(counts, np.arange(5)), choose(metric, average="macro"))
    margins = margins_of(counts)
    at_once, one_by_one = (
        slopes_by_parts(estimand.value_of, margins, margins._fields, of)
        for of in (estimand.value_of_each, None)
    )
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-6, atol=1e-10)
