"""How often intervals of averages of classes are right, by the samples of the mean class.

`python -m tests.benchmarks.averages [--draws 400] [--metrics f1,fbeta,...]` prints for each metric
and average how often limits cover the truth in the worst cell of a grid, and how many draws carry a
caveat: without caveats, and from so many samples of the mean class on. It sets
`FEW_OF_MEAN_CLASS` and `BIAS_OF_OVERLAPS_REACHED`. Four hours on one core; of one number of classes
and samples minutes.
"""

import argparse
import itertools
import warnings

import numpy as np

from skmetrics_ext import ConfusionMatrix

METRICS = (
    *("recall", "precision", "specificity", "f1", "fbeta", "jaccard"),
    *("g_mean", "phi_coefficient", "p4", "informedness", "markedness"),
)
PARAMETERS = {"fbeta": {"beta": 2}}
N, N_CLASSES, RIGHT = (20, 50, 100, 300, 1000, 2000), (2, 3, 5, 10, 30), (0.55, 0.75, 0.9, 0.97, 1)
# How frequent a class is: the first, the last, of the others.
SHARES = {"alike": (1, 1), "one rare": (1, 0.1), "many rare": (4, 1)}
# Of the samples of the mean class; and draws without which a figure says nothing.
NUMBERS, LEAST = (0, 1.5, 2, 2.5, 3, 4, 5), 60


def distribution_of(n_classes, shares, right, errors, random):
    """The distribution (C, C) of a cell: errors are of any class, or all of the first one."""
    of_first, of_last = SHARES[shares]
    prevalence = np.ones(n_classes)
    prevalence[-1] = of_last
    if of_first > 1:
        prevalence[0] = of_first * (n_classes - 1)
    wrong = random.dirichlet(np.ones(n_classes - 1), n_classes)
    if errors == "first":
        wrong = np.eye(n_classes - 1)[np.zeros(n_classes, dtype=int)]
    rows = np.diag(np.full(n_classes, float(right)))
    rows[~np.eye(n_classes, dtype=bool)] = ((1 - right) * wrong).ravel()
    return (prevalence / prevalence.sum())[:, None] * rows


def samples_of_mean_class(counts, metric):
    """The harmonic mean of the classes that occur; errors count as in the metric's denominator."""
    actual, predicted = counts.sum(-1), counts.sum(-2)
    of_actual = 0.8 if metric == "fbeta" else 0.5
    n = of_actual * actual + (1 - of_actual) * predicted
    return (n > 0).sum(-1) / np.where(n > 0, 1 / np.maximum(n, 0.1), 0).sum(-1)


def drawn(cell, n_draws, seed):
    """The counts (draws, C, C), and the distribution that they are from."""
    n, n_classes, shares, right, errors = cell
    random = np.random.default_rng([seed, n, n_classes, [*SHARES].index(shares), int(100 * right)])
    distribution = distribution_of(n_classes, shares, right, errors, random)
    cells = random.multinomial(n, distribution.ravel(), n_draws)
    return cells.reshape(n_draws, n_classes, n_classes), distribution


def measured(counts, distribution, metric, average):
    """Whether each draw is right about the classes that have a value, and has a caveat."""
    options = {"average": average, **PARAMETERS.get(metric, {})}
    labels = range(len(distribution))
    found = ConfusionMatrix.from_counts(counts, labels=labels).interval(
        metric, zero_division=np.nan, n_resamples=199, **options
    )
    each = ConfusionMatrix.from_counts(np.round(distribution * 1e15).astype(int), labels=labels)
    options["average"] = None
    truths = each.score(metric, zero_division=np.nan, **options)
    in_sample = ConfusionMatrix.from_counts(counts, labels=labels).score(
        metric, zero_division=np.nan, **options
    )
    is_known = ~np.isnan(in_sample)
    weights = is_known * (distribution.sum(1) if average == "weighted" else 1)
    truth = (weights * np.nan_to_num(truths)).sum(-1) / weights.sum(-1)
    is_right = (found.low - 1e-9 <= truth) & (truth <= found.high + 1e-9)
    has_caveat = np.isnan(found.low + found.high)
    for caveat in found.caveats:
        has_caveat |= caveat.entries
    return is_right, has_caveat


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--metrics", type=lambda text: text.split(","), default=METRICS)
    parser.add_argument("--errors", choices=["any", "first"], default="any")
    for name, levels in {"n": N, "classes": N_CLASSES, "right": RIGHT}.items():
        parser.add_argument(f"--{name}", type=float, nargs="*", default=levels)
    options = parser.parse_args()
    grid = itertools.product(map(int, options.n), map(int, options.classes), SHARES, options.right)
    cells = [drawn((*cell, options.errors), options.draws, options.seed) for cell in grid]
    warnings.simplefilter("ignore")
    print("share of draws without a caveat, or of so many samples of the mean class; worst cell")
    for metric, average in itertools.product(options.metrics, ["macro", "weighted"]):
        answers = []
        for counts, distribution in cells:
            is_right, has_caveat = measured(counts, distribution, metric, average)
            answers.append((is_right, has_caveat, samples_of_mean_class(counts, metric)))
        kept = {"silent": [~caveat for _, caveat, _ in answers]}
        kept |= {f">= {number}": [n >= number for *_, n in answers] for number in NUMBERS}
        told = []
        for name, chosen in kept.items():
            of_cells = zip(answers, chosen, strict=True)
            shares = [right[of].mean() for (right, *_), of in of_cells if of.sum() >= LEAST]
            told.append(f"{name} {np.mean(chosen):.2f}, {min(shares, default=np.nan):.3f}")
        print(f"{metric}, {average}: {'; '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
