"""How often intervals cover the truth, how wide they are and how long they take, beside resampled percentiles.

`python tests/benchmarks/coverage.py [--configurations 60] [--samples 1000] [--resamples 999] [--rare] [--verbose]`
"""

import argparse
import time
import warnings
from collections import defaultdict

import numpy as np

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.writing.progress import progress_of

# Metrics over all classes, and of class 0.
GROUPS = {
    "composites": ["f1_macro", "balanced_accuracy", "matthews_corrcoef", "cohen_kappa"],
    "one class": ["recall", "precision", "f1", "fbeta", "g_mean", "p4", "informedness", "positive_likelihood_ratio"],
    "shifted": ["mutual_information", "cramers_v", "uncertainty_coefficient", "class_balance_accuracy"],
}
PARAMETERS = {"fbeta": {"beta": 2}}


def truths(n_configurations, random, *, rare):
    """Laws (C, C) of actual and predicted classes, each with a number of samples."""
    while n_configurations:
        n_classes = random.integers(2, 9)
        n = int(np.exp(random.uniform(np.log(40), np.log(1000))))
        prevalence = random.dirichlet(np.full(n_classes, 0.5 if rare else 3.0))
        if not rare and (n * prevalence < 5).any():
            continue
        recall = random.uniform(0.5, 0.98, n_classes)
        law = np.zeros((n_classes, n_classes))
        for k in range(n_classes):
            law[k, np.arange(n_classes) != k] = (1 - recall[k]) * random.dirichlet(np.ones(n_classes - 1))
            law[k, k] = recall[k]
        yield law * prevalence[:, None], n
        n_configurations -= 1


def matrix_of(counts):
    return ConfusionMatrix.from_counts(counts, labels=range(counts.shape[-1]))


def asked(metric):
    """The options of a metric of class 0, or over all classes."""
    one = {"labels": [0], "average": None} if metric in GROUPS["one class"] else {}
    return {**one, **PARAMETERS.get(metric, {}), "zero_division": np.nan}


def by_percentiles(counts, metric, n_resamples, random):
    """The common practice: percentiles of the metric of resampled samples."""
    totals = counts.sum((1, 2))
    shares = counts.reshape(len(counts), -1) / totals[:, None]
    chunks = [
        matrix_of(random.multinomial(totals, shares, size=(size, len(counts))).reshape(size, *counts.shape))
        for size in [50] * (n_resamples // 50)
    ]
    options = {**asked(metric), "zero_division": 0}
    values = np.concatenate([np.reshape(chunk.score(metric, **options), (50, -1)) for chunk in chunks])
    return np.quantile(values, [0.025, 0.975], axis=0)


def measure(law, n, metric, random, n_samples, n_resamples):
    """Coverage, mean width and seconds an interval of our default and of resampled percentiles."""
    counts = random.multinomial(n, law.ravel(), size=n_samples).reshape(n_samples, *law.shape)
    truth = np.ravel(matrix_of(np.round(law * 10**15).astype(np.int64)).score(metric, **asked(metric)))[0]
    measured = {}
    start = time.perf_counter()
    interval = matrix_of(counts).interval(metric, n_resamples=n_resamples, random_state=random, **asked(metric))
    limits = {interval.method: (np.ravel(interval.low), np.ravel(interval.high), time.perf_counter() - start)}
    start = time.perf_counter()
    low, high = by_percentiles(counts, metric, n_resamples, random)
    limits["percentiles"] = low, high, time.perf_counter() - start
    for method, (low, high, seconds) in limits.items():
        covered = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
        measured[method] = covered.mean(), np.mean((high - low)[np.isfinite(high - low)]), seconds / n_samples
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configurations", type=int, default=60)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument("--rare", action="store_true", help="classes with few samples, some with none")
    parser.add_argument("--verbose", action="store_true", help="a line a second says how far it is")
    options = parser.parse_args()
    progress = progress_of("coverage", options.verbose)
    warnings.simplefilter("ignore")
    random = np.random.default_rng(0)
    laws = list(truths(options.configurations, random, rare=options.rare))
    print(f"{'metric':<28}{'method':<22}{'mean':>7}{'5 %':>7}{'worst':>7}{'width':>8}{'ms':>8}")
    for group, metrics in GROUPS.items():
        pooled = defaultdict(list)
        for metric in metrics:
            rows = defaultdict(list)
            for k, (law, n) in enumerate(laws):
                progress.step(f"{metric}, {k} of {len(laws)} laws")
                for method, row in measure(law, n, metric, random, options.samples, options.resamples).items():
                    rows[method].append(row)
                    pooled["ours" if method != "percentiles" else method].append(row)
            for method, row in rows.items():
                print_row(metric, method, row)
        for method, row in pooled.items():
            print_row(f"{group}, together", method, row)


def print_row(name, method, rows):
    coverage, width, seconds = np.array(rows).T
    shares = [100 * coverage.mean(), 100 * np.quantile(coverage, 0.05), 100 * coverage.min()]
    cells = "".join(f"{share:>7.1f}" for share in shares)
    print(f"{name:<28}{method:<22}{cells}{width.mean():>8.3f}{seconds.mean() * 1e3:>8.3f}", flush=True)


if __name__ == "__main__":
    main()
