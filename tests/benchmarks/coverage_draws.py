"""Draws of samples of the cells: what is asked of each, and what became of the answers."""

import numpy as np

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    compare,
    compare_curves,
    compare_folds,
    metric_interval,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.estimate import interval_of
from skmetrics_ext.statistics.request import Request
from tests.benchmarks import coverage_cells as cells
from tests.benchmarks import coverage_corners as corners
from tests.benchmarks.coverage_answers import (
    Answer,
    answer_of,
    first_row,
    heard,
    tally,
    tally_of_entries,
    test_of,
)

OF_WEIGHTS = (
    "recall",
    "precision",
    "npv",
    "specificity",
    "f1",
    "accuracy",
    "mcc",
    "informedness",
    "balanced_accuracy",
)
OF_CLUSTERS = (
    "recall",
    "accuracy",
    "f1",
    "mcc",
    "precision",
    "informedness",
    "balanced_accuracy",
    "g_mean",
)
OF_GROUPS = ("recall", "accuracy", "balanced_accuracy", "informedness", "positive_likelihood_ratio")
# Where so many are expected of each class, hardly a draw has fewer than 10.
ENOUGH = 20


def tallies_of_matrices(cell, random, n_draws, n_resamples, keys):
    """The tallies of what is asked of matrices, all drawn ones being entries of one."""
    distribution, n_classes = cells.distribution_of_matrix(cell), cell.about["classes"]
    drawn = random.multinomial(cell.about["n"], distribution.ravel(), n_draws)
    counted = CountedMatrix(
        drawn.reshape(n_draws, n_classes, n_classes),
        np.arange(n_classes),
        1 if n_classes == 2 else None,
    )
    axes = (Axis("draw", np.arange(n_draws)),)
    request = Request(n_resamples=n_resamples, random_state=int(random.integers(2**31)))
    found = {}
    for key, metric, options in cells.keys_of_matrix(n_classes):
        truth = cells.value_of(distribution, metric, options)
        if np.isnan(truth) or not (keys is None or key in keys):
            continue
        intervals = heard(interval_of, counted, choose(metric, **options), axes, request)
        found[key] = tally([None] * n_draws)
        if intervals is not None:
            found[key] = tally_of_entries(intervals[0], truth)
    return found


def keys_without_replicates(cell):
    """What of a cell of matrices is asked of no replicates, by the methods of one draw."""
    distribution, n_classes = cells.distribution_of_matrix(cell), cell.about["classes"]
    counts = cells.random_of(cell).multinomial(1000, distribution.ravel()).reshape(1, n_classes, -1)
    counted = CountedMatrix(counts, np.arange(n_classes), 1 if n_classes == 2 else None)
    axes, request = (Axis("draw", np.arange(1)),), Request(n_resamples=100)
    chosen = []
    for key, metric, options in cells.keys_of_matrix(n_classes):
        found = heard(interval_of, counted, choose(metric, **options), axes, request)
        if found is not None and not any(
            name in np.ravel(found[0].method)[0] for name in ("bootstrap", "replicates")
        ):
            chosen.append(key)
    return chosen


def labels_of(prevalence, recall, specificity, random):
    """Actual and predicted labels, of samples with a prevalence and rates of their own."""
    y = random.random(len(prevalence)) < prevalence
    return y.astype(int), (y == (random.random(len(y)) < np.where(y, recall, specificity))).astype(
        int
    )


def answers_of_samples(truths, y, predicted, **options):
    asked = {metric: heard(metric_interval, y, predicted, metric, **options) for metric in truths}
    return {metric: answer_of(asked[metric], truth) for metric, truth in truths.items()}


def weights(cell, n_resamples):
    """All alerts are labeled, and a share of the rest, which stands for all of it."""
    n, prevalence, labeled, (recall, specificity) = cell.about.values()
    distribution = cells.distribution_of_two(prevalence, recall, specificity)
    truths = {metric: cells.value_of(distribution, metric, {}) for metric in OF_WEIGHTS}

    def draw(random, _):
        y, predicted = labels_of(np.full(n, prevalence), recall, specificity, random)
        rest = np.flatnonzero(predicted == 0)
        kept = random.choice(rest, round(labeled * len(rest)), replace=False)
        samples = np.concatenate([np.flatnonzero(predicted), kept])
        weight = np.where(predicted[samples], 1, 1 / labeled)
        options = {"sample_weight": weight, "n_resamples": n_resamples, "random_state": random}
        return answers_of_samples(truths, y[samples], predicted[samples], **options)

    sampled = n * distribution * [labeled, 1]
    return draw, min(sampled.sum(0).min(), sampled.sum(1).min())


def clusters(cell, n_resamples):
    """The prevalence and both rates of a cluster have beta distributions of their own."""
    n_clusters, correlation, right, largest = cell.about.values()
    means = np.array([0.4, right, 0.8])
    truths = {
        metric: cells.value_of(cells.distribution_of_two(*means), metric, {})
        for metric in OF_CLUSTERS
    }

    def draw(random, _):
        rates = np.tile(means, (n_clusters, 1))
        if correlation:
            rates = random.beta(*(share * (1 / correlation - 1) for share in (rates, 1 - rates)))
        sizes = random.integers(5, 31, n_clusters)
        if largest > 30:
            sizes = np.round(largest ** random.uniform(0.5, 1, n_clusters)).astype(int)
        of = np.repeat(np.arange(n_clusters), sizes)
        y, predicted = labels_of(*rates[of].T, random)
        return answers_of_samples(
            truths, y, predicted, clusters=of, n_resamples=n_resamples, random_state=random
        )

    return draw, n_clusters


def groups(cell, n_resamples):
    """Groups of different prevalence, in which metrics are the same because recall and specificity
    are, or are not.
    """
    n_groups, n, rates, n_classes, *rarest = cell.about.values()
    right = (
        np.full(n_groups, 0.8)
        if rates == "equal"
        else cells.rates_of(0.8, n_groups, cells.random_of(cell))
    )
    if n_classes == 2:
        prevalence = np.linspace(*rarest or [0.25], 0.6, n_groups)
        distributions = np.array(
            [
                cells.distribution_of_two(*rates)
                for rates in zip(prevalence, right, right, strict=True)
            ]
        )
        metrics = OF_GROUPS
    else:
        distributions = np.array(
            [np.where(np.eye(3), r, (1 - r) / 2) * [[0.5], [0.3], [0.2]] for r in right]
        )
        metrics = ("f1_macro",)
    truths = {
        metric: np.ptp([cells.value_of(distribution, metric, {}) for distribution in distributions])
        for metric in metrics
    }
    # Limits that hold for all pairs of groups at once are far out among the replicates.
    n_resamples = max(n_resamples, 13 * n_groups**2)

    def draw(random, keys):
        counts = np.array(
            [random.multinomial(n, distribution.ravel()) for distribution in distributions]
        ).reshape(distributions.shape)
        matrix = ConfusionMatrix.from_counts(counts, labels=range(n_classes))
        found = {}
        for metric, truth in truths.items():
            if keys is None or {metric, f"{metric}, test"} & {*keys}:
                gap = heard(matrix.gap, metric, n_resamples=n_resamples, random_state=random)
                found[metric] = answer_of(gap, truth)
                if rates == "equal":
                    found[f"{metric}, test"] = test_of(gap)
        return found

    return draw, n * min(distributions.sum(1).min(), distributions.sum(2).min())


def paired(cell, n_resamples):
    distribution, n = cells.distribution_of_pair(cell)
    metric, options = cell.about["metric"], cells.options_of_pair(cell.about["metric"])
    truth = cells.value_of(distribution.sum(2), metric, options) - cells.value_of(
        distribution.sum(1), metric, options
    )
    is_apart = cell.about["models"] == "apart by the margin"
    options.update(margin=-truth if is_apart else None, n_resamples=n_resamples)

    def draw(random, _):
        of_samples = np.repeat(
            np.arange(distribution.size), random.multinomial(n, distribution.ravel())
        )
        true, a, b = np.unravel_index(of_samples, distribution.shape)
        found = first_row(
            heard(compare, true, {"a": a, "b": b}, metric, random_state=random, **options)
        )
        if is_apart:
            last = {
                f"{metric}, not worse": found
                and Answer(not found[0].not_worse, found[1], method=found[0].method)
            }
        else:
            last = {f"{metric}, test": test_of(found)}
        return {metric: answer_of(found, truth), **last}

    return draw, n * min(distribution.sum(axes).min() for axes in ((0, 1), (0, 2), (1, 2)))


def folds(cell, _):
    """Nearest means of features of their own, so that both learners are equal; 100 folds are ten
    times ten.
    """
    n, n_folds = cell.about.values()
    n_times, n_folds = (10, 10) if n_folds == 100 else (1, n_folds)

    def draw(random, _):
        y = random.permutation(np.arange(n) % 2)
        X = random.normal(size=(2, n, 5)) + 0.4 * y[:, None]
        scores = []
        for _ in range(n_times):
            fold = random.permutation(np.arange(n) % n_folds)
            for k in range(n_folds):
                test = fold == k
                low, high = (X[:, ~test & (y == label)].mean(1, keepdims=True) for label in (0, 1))
                predicted = ((X[:, test] - (low + high) / 2) * (high - low)).sum(-1) > 0
                scores.append((predicted == y[test]).mean(-1))
        of_a, of_b = np.transpose(scores)
        sizes = {"n_train": n - n / n_folds, "n_test": n / n_folds}
        compared = heard(compare_folds, {"a": of_a, "b": of_b}, **sizes)
        return {"accuracy, test": test_of(first_row(compared))}

    # Fewer than 200 samples are said to be too few for repeated folds.
    return draw, n * ENOUGH / 200


def areas(cell, _):
    """Normal scores, and of a second model others as good that are correlated with them."""
    n_positive, n_negative, area, spread = cell.about.values()
    distance, precision = cells.areas_of(area, spread, n_positive / (n_positive + n_negative))
    y = np.repeat([1, 0], [n_positive, n_negative])

    def draw(random, _):
        common, *own = random.normal(size=(3, len(y))) * np.sqrt(0.5)
        noises = (common + of_model for of_model in own)
        a, b = (
            ThresholdCurve.from_scores(y, np.where(y, distance + spread * noise, noise))
            for noise in noises
        )
        return {
            "ROC area": answer_of(heard(a.interval, "roc_auc"), area),
            "average precision": answer_of(heard(a.interval, "average_precision"), precision),
            "ROC areas of two, test": test_of(first_row(heard(compare_curves, {"a": a, "b": b}))),
        }

    return draw, min(n_positive, n_negative)


DRAWS = {of.__name__: of for of in (weights, clusters, groups, paired, folds, areas)}
DRAWS.update(corners.DRAWS)


def measure(cell, seed, n_draws, n_resamples, keys=None):
    """The tallies of a block of draws by what was asked, and whether its classes should have enough
    samples.
    """
    random = cells.random_of(cell, *seed)
    if cell.family == "matrices":
        distribution = cells.distribution_of_matrix(cell)
        fewest = cell.about["n"] * min(distribution.sum(0).min(), distribution.sum(1).min())
        found = tallies_of_matrices(cell, random, n_draws, n_resamples, keys)
        return found, bool(fewest >= ENOUGH)
    draw, fewest = DRAWS[cell.family](cell, n_resamples)
    drawn = [draw(random, keys) for _ in range(n_draws)]
    asked = [key for key in drawn[0] if keys is None or key in keys]
    return {key: tally(answers[key] for answers in drawn) for key in asked}, bool(fewest >= ENOUGH)
