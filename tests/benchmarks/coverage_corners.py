"""Draws of families in which knowledge of the samples decides: prevalence, weights, ties."""

import numpy as np
from scipy import special, stats

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    compare,
    compare_curves,
    metric_interval,
)
from tests.benchmarks import coverage_cells as cells
from tests.benchmarks.coverage_answers import (
    TOLERANCE,
    Answer,
    answer_of,
    first_row,
    heard,
    test_of,
)

AT_PREVALENCE = {
    "precision of last": ("precision", {"labels": [-1], "average": None}),
    "f1 of last": ("f1", {"labels": [-1], "average": None}),
    "mcc of last": ("phi_coefficient", {"labels": [-1], "average": None}),
    "positive_likelihood_ratio of last": (
        "positive_likelihood_ratio",
        {"labels": [-1], "average": None},
    ),
    "precision, macro": ("precision", {"average": "macro"}),
    "precision, weighted": ("precision", {"average": "weighted"}),
    "f1, macro": ("f1", {"average": "macro"}),
    "f1, micro": ("f1", {"average": "micro"}),
    "accuracy": ("accuracy", {}),
    "matthews_corrcoef": ("matthews_corrcoef", {}),
    "cohen_kappa": ("cohen_kappa", {}),
}
OF_SAMPLING = (
    "accuracy",
    "recall",
    "precision",
    "f1",
    "cohen_kappa",
    "matthews_corrcoef",
    "informedness",
    "balanced_accuracy",
)
OF_CROSSED = {
    "accuracy": ("accuracy", {}),
    "recall of last": ("recall", {"labels": [-1], "average": None}),
    "precision of last": ("precision", {"labels": [-1], "average": None}),
    "f1 of last": ("f1", {"labels": [-1], "average": None}),
    "f1, macro": ("f1", {"average": "macro"}),
    "recall, macro": ("recall", {"average": "macro"}),
    "matthews_corrcoef": ("matthews_corrcoef", {}),
}
OF_COSTS = {
    "expected_cost": ("expected_cost", {}),
    "macro_averaged_mean_absolute_error": ("macro_averaged_mean_absolute_error", {}),
    "net_benefit of last": (
        "net_benefit",
        {"labels": [-1], "average": None, "threshold_probability": 0.2},
    ),
}
OF_CLAIMS = (
    "recall",
    "precision",
    "f1",
    "informedness",
    "markedness",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "relative_risk",
    "balanced_accuracy",
    "matthews_corrcoef",
)
OF_LABELS = ("recall", "precision", "f1")


def of_classes(asked, n_classes):
    """The metrics of a family, of the last class where they are of one."""
    for key, (metric, options) in asked.items():
        is_of_last = "labels" in options
        yield key, metric, {**options, "labels": [n_classes - 1]} if is_of_last else options


def prevalence(cell, n_resamples):
    """Each actual class has as many samples; in the population the first has most of them."""
    n_classes, n, right, largest = cell.about.values()
    shares = np.append(largest, np.full(n_classes - 1, (1 - largest) / (n_classes - 1)))
    errors = np.ones((n_classes, n_classes)) - np.eye(n_classes)
    rates = cells.predictions_of(np.full(n_classes, right), errors / (n_classes - 1))
    named = dict(enumerate(shares))
    asked, truths = {}, {}
    for key, metric, own in of_classes(AT_PREVALENCE, n_classes):
        asked[key] = metric, own
        truths[key] = cells.value_of(shares[:, None] * rates, metric, own)

    def draw(random, keys):
        counts = np.array([random.multinomial(n, of_class) for of_class in rates])
        matrix = ConfusionMatrix.from_counts(counts, labels=range(n_classes)).at_prevalence(named)
        found = {}
        for key, (metric, options) in asked.items():
            if keys is None or key in keys:
                seed = int(random.integers(2**31))
                drawn = {"n_resamples": n_resamples, "random_state": seed}
                interval = heard(matrix.interval, metric, **options, **drawn)
                found[key] = answer_of(interval, truths[key])
        return found

    return draw, n * min(1, rates.sum(0).min())


def simultaneous(cell, _):
    """All classes at once; errors are those of the next class."""
    n_classes, n, right = cell.about.values()
    truths = dict.fromkeys(("recall", "precision", "f1"), right)

    def draw(random, _):
        hits = random.binomial(n, right, n_classes)
        counts = np.diag(hits) + np.roll(np.diag(n - hits), 1, axis=1)
        matrix = ConfusionMatrix.from_counts(counts, labels=range(n_classes))
        found = {}
        for metric, truth in truths.items():
            one = heard(matrix.interval, metric, average=None, simultaneous=True)
            found[f"{metric} of all classes"] = _all_right(one, truth)
        return found

    return draw, n


def _all_right(found, truth):
    """Whether all entries of an interval cover a truth."""
    interval, warned = found
    is_right = (interval.low - TOLERANCE <= truth) & (truth <= interval.high + TOLERANCE)
    return Answer(bool(is_right.all()), warned, None, interval.method)


def sampling(cell, n_resamples):
    """Weights that have nothing to do with predictions, or of strata with rates of their own."""
    n, prevalence, sampled = cell.about.values()
    kept = np.array([1.0, 0.2, 0.02])
    recalls = np.array([0.9, 0.8, 0.6] if sampled == "strata apart" else [0.8, 0.8, 0.8])
    # Of the samples that were kept each stratum has a third.
    shares = (1 / kept) / (1 / kept).sum()
    recall = shares @ recalls
    distribution = cells.distribution_of_two(prevalence, recall, 0.9)
    truths = {metric: cells.value_of(distribution, metric, {}) for metric in OF_SAMPLING}

    def draw(random, _):
        if sampled == "log-normal":
            stratum, weight = np.zeros(n, dtype=int), random.lognormal(0, 1.5, n)
        else:
            stratum = random.integers(3, size=n)
            weight = 1 / kept[stratum]
        y = (random.random(n) < prevalence).astype(int)
        is_right = random.random(n) < np.where(y, recalls[stratum], 0.9)
        predicted = np.where(is_right, y, 1 - y)
        options = {"sample_weight": weight, "n_resamples": n_resamples, "random_state": random}
        return {
            metric: answer_of(heard(metric_interval, y, predicted, metric, **options), truth)
            for metric, truth in truths.items()
        }

    # Kish's effective number of so many samples; of log-normal weights exp(variance) fewer.
    effective = n * (kept**-1).mean() ** 2 / (kept**-2).mean()
    if sampled == "log-normal":
        effective = n / np.exp(1.5**2)
    return draw, effective * min(distribution.sum(0).min(), distribution.sum(1).min())


def placements(cell, _):
    """Some positive samples are below all negative ones, the rest above."""
    n_positive, n_negative, below = cell.about.values()
    y = np.repeat([1, 0], [n_positive, n_negative])

    def draw(random, _):
        scores = random.random(n_positive + n_negative)
        scores[:n_positive] += np.where(random.random(n_positive) < below, -2, 2)
        found = heard(ThresholdCurve.from_scores(y, scores).interval, "roc_auc")
        return {"ROC area": answer_of(found, 1 - below)}

    return draw, min(n_positive, n_negative)


def areas_of_two(cell, _):
    """Two models with the same area, whose normal scores are correlated and may spread apart."""
    n_positive, n_negative, spreads, correlation = cell.about.values()
    y = np.repeat([1, 0], [n_positive, n_negative])
    distances = [cells.areas_of(0.8, spread, 0.5)[0] for spread in spreads]

    def draw(random, _):
        common, *own = random.normal(size=(3, len(y)))
        curves = {}
        for model, spread, distance, noise in zip("ab", spreads, distances, own, strict=True):
            z = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * noise
            curves[model] = ThresholdCurve.from_scores(y, np.where(y, distance + spread * z, z))
        found = first_row(heard(compare_curves, curves))
        return {"ROC areas": answer_of(found, 0), "ROC areas, test": test_of(found)}

    return draw, min(n_positive, n_negative)


def predictive(cell, n_resamples):
    """Two models that flag different samples, of which as many are positive."""
    n, (of_a, of_b), overlap, right = cell.about.values()
    both = overlap * of_a
    shares = [both, of_a - both, of_b - both, 1 - of_a - of_b + both]
    flags = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])

    def draw(random, _):
        kind = random.choice(4, n, p=shares)
        a, b = flags[kind].T
        y = (random.random(n) < np.where(a | b, right, 0.1)).astype(int)
        options = {"n_resamples": n_resamples, "random_state": random}
        row = first_row(heard(compare, y, {"a": a, "b": b}, "precision", **options))
        return {"precision": answer_of(row, 0), "precision, test": test_of(row)}

    return draw, n * min(of_a, of_b) * min(right, 1 - right) / 2


def claims(cell, _):
    """Claims that are true, but just so: neither verdict may come often."""
    n, prevalence, (recall, specificity) = cell.about.values()
    distribution = cells.distribution_of_two(prevalence, recall, specificity)
    truths = {metric: cells.value_of(distribution, metric, {}) for metric in OF_CLAIMS}

    def draw(random, _):
        counts = random.multinomial(n, distribution.ravel()).reshape(2, 2)
        matrix = ConfusionMatrix.from_counts(counts, labels=[0, 1])
        found = {}
        for metric, truth in truths.items():
            verdicts, _ = heard(check, matrix, {metric: truth})
            verdict, is_untold = verdicts.verdict[0], bool(verdicts.reason[0])
            for wrong in ("pass", "fail"):
                found[f"{metric}, false {wrong}"] = Answer(verdict != wrong, is_untold)
        return found

    return draw, n * min(distribution.sum(0).min(), distribution.sum(1).min())


def operating_points(cell, n_resamples):
    """Recall at a specificity of 90 %, with scores of which many may be alike."""
    n_positive, n_negative, scores = cell.about.values()
    y = np.repeat([1, 0], [n_positive, n_negative])
    at_bound = stats.norm.ppf(0.9)
    # A score at which just enough negatives are below, or one between such scores.
    first = at_bound + {"tied at the bound": 1e-4, "tied": 0.2}.get(scores, 0)
    recall = stats.norm.sf(first, 1.5)

    def draw(random, _):
        score = random.normal(size=len(y)) + 1.5 * y
        if scores != "continuous":
            score = first + 0.5 * np.floor((score - first) / 0.5)
        curve, seed = ThresholdCurve.from_scores(y, score), int(random.integers(2**31))
        options = {"subject_to": {"specificity": 0.9}, "n_resamples": n_resamples}
        found = heard(curve.interval, "recall", **options, random_state=seed)
        return {"recall at specificity": answer_of(found, recall)}

    return draw, min(n_positive, n_negative)


def labels(cell, n_resamples):
    """Three labels of each sample, some samples being harder for all."""
    n, rarest, right = cell.about.values()
    prevalence, specificity = np.array([rarest, 0.3, 0.5]), 0.95
    true, false = prevalence * right, (1 - prevalence) * (1 - specificity)
    precision = true / (true + false)
    of_labels = {
        "recall": np.full(3, right),
        "precision": precision,
        "f1": 2 * precision * right / (precision + right),
    }

    def draw(random, _):
        y = (random.random((n, 3)) < prevalence).astype(int)
        hard = 0.6 * random.normal(size=(n, 1)) + 0.8 * random.normal(size=(n, 3))
        is_right = special.ndtr(hard) < np.where(y, right, specificity)
        predicted = np.where(is_right, y, 1 - y)
        options = {"n_resamples": n_resamples, "random_state": random}
        found = {}
        for metric in OF_LABELS:
            one = heard(metric_interval, y, predicted, f"{metric}_macro", **options)
            found[f"{metric}, macro"] = answer_of(one, of_labels[metric].mean())
        return found

    return draw, n * rarest


def costs(cell, n_resamples):
    """Values between ends other than 0 and 1: to take a class for a lower one costs seven times as
    much.
    """
    n_classes, is_given = cell.about["classes"], cell.about["given"]
    steps = np.subtract.outer(*[np.arange(n_classes, dtype=float)] * 2)
    cost_matrix = np.where(steps > 0, 7 * steps, -steps)
    name, own = OF_COSTS["expected_cost"]
    asked = OF_COSTS | {"expected_cost": (name, {**own, "cost_matrix": cost_matrix})}
    # At a given prevalence no other method is served.
    asked_for = {} if is_given else {"method": "delta"}
    return _of_designs(cell, n_resamples, asked, **asked_for)


def crossed_designs(cell, n_resamples):
    """Proportions, their averages and correlations."""
    return _of_designs(cell, n_resamples, OF_CROSSED)


def _of_designs(cell, n_resamples, of_family, **asked_for):
    """Clusters that are right more or less often, of which all alerts are kept and a share of the
    rest, or with weights by chance; where a prevalence is given, the last class has 3 %.
    """
    crossed, is_given, n_classes, n, right = cell.about.values()
    shares = np.full(n_classes, 1 / n_classes)
    if not is_given and n_classes > 2:
        shares = (1 / np.arange(1, n_classes + 1)) / (1 / np.arange(1, n_classes + 1)).sum()
    errors = (np.ones((n_classes, n_classes)) - np.eye(n_classes)) / (n_classes - 1)
    rates = cells.predictions_of(np.full(n_classes, right), errors)
    population = shares
    if is_given:
        population = np.append(np.full(n_classes - 1, 0.97 / (n_classes - 1)), 0.03)
    asked = [*of_classes(of_family, n_classes)]
    truths = {
        key: cells.value_of(population[:, None] * rates, metric, options)
        for key, metric, options in asked
    }

    def draw(random, keys):
        cluster = np.arange(n) // 10
        y = random.choice(n_classes, n, p=shares)
        of_clusters = np.full(n // 10, right)
        if "clusters" in crossed:
            of_clusters = random.beta(right * 9, (1 - right) * 9, n // 10)
        is_right = random.random(n) < of_clusters[cluster]
        predicted = np.where(is_right, y, (y + random.integers(1, n_classes, n)) % n_classes)
        options = {"clusters": cluster} if "clusters" in crossed else {}
        kept = np.ones(n, dtype=bool)
        if "alerts" in crossed:
            kept = (predicted > 0) | (random.random(n) < 0.2)
            options["sample_weight"] = np.where(predicted > 0, 1.0, 5.0)
        elif "log-normal" in crossed:
            options["sample_weight"] = random.lognormal(0, 1, n)
        of_kept = {name: of[kept] for name, of in options.items()}
        matrix = ConfusionMatrix.from_predictions(
            y[kept], predicted[kept], labels=range(n_classes), **of_kept
        )
        if is_given:
            at = heard(matrix.at_prevalence, dict(enumerate(population)))
            matrix = at and at[0]
        found = {}
        for key, metric, own in asked:
            if matrix is not None and (keys is None or key in keys):
                drawn = {"n_resamples": n_resamples, "random_state": int(random.integers(2**31))}
                interval = heard(matrix.interval, metric, **own, **drawn, **asked_for)
                found[key] = answer_of(interval, truths[key])
        return found or dict.fromkeys(truths)

    n_kept = n * (0.2 if "alerts" in crossed else 1)
    return draw, n_kept * min(shares)


DRAWS = {
    of.__name__.replace("_", " "): of
    for of in (
        prevalence,
        simultaneous,
        sampling,
        placements,
        areas_of_two,
        predictive,
        claims,
        operating_points,
        labels,
        crossed_designs,
        costs,
    )
}
