"""How often models that are equal in law are told apart at 5 %, by the p value and by the interval of `compare`.

`python tests/benchmarks/paired.py [--configurations 20] [--samples 4000] [--resamples 499]`
"""

import argparse
import itertools
import warnings

import numpy as np
from scipy import optimize, special

from skmetrics_ext import ConfusionMatrix, compare

OF_CLASS_0 = {"labels": [0], "average": None}
# Each with its options.
METRICS = [
    ("accuracy", {}),
    ("f1_macro", {}),
    ("matthews_corrcoef", {}),
    ("balanced_accuracy", {}),
    ("precision", OF_CLASS_0),
    ("f1", OF_CLASS_0),
]
LEVEL = 0.05
# So many samples on which the models differ should be enough for the test to reject at all.
ENOUGH_DIFFER = 25
# What is asked of the rates: the most of each and of their mean, and the least where enough samples differ.
MOST, MOST_OF_MEAN, LEAST = 0.062, 0.053, 0.03


def predictions_of(logits, errors):
    """The law (C, C) of what is predicted for each actual class."""
    recall = special.expit(logits)
    law = (1 - recall)[:, None] * errors
    law[np.diag_indices_from(law)] = recall
    return law


def errors_of(n_classes, random):
    """Which class an error is taken for, (C, C)."""
    errors = np.zeros((n_classes, n_classes))
    for k in range(n_classes):
        errors[k, np.arange(n_classes) != k] = random.dirichlet(np.ones(n_classes - 1))
    return errors


def value_of(law, metric, options):
    """The metric of a law (C, C) of actual and predicted classes."""
    counts = np.round(law * 10**15).astype(np.int64)
    matrix = ConfusionMatrix.from_counts(counts, labels=range(len(law)))
    return float(np.ravel(matrix.score(metric, zero_division=np.nan, **options))[0])


def joint_laws(n_configurations, random):
    """Laws (C, C, C) of the actual class and two predictions whose metric is the same, with all that is asked of them.

    A share of the samples is common to both models; of the others each predicts by itself. Every
    second pair of models is exchangeable; in the others the second model is worse at class 0, and
    as much better, or worse, at all classes together as makes the metric equal.
    """
    metrics = itertools.cycle(METRICS)
    is_exchangeable = True
    (metric, options) = next(metrics)
    while n_configurations:
        n_classes = int(random.integers(2, 7))
        n = int(np.exp(random.uniform(np.log(60), np.log(1000))))
        prevalence = random.dirichlet(np.full(n_classes, 3.0))
        if (n * prevalence < 5).any():
            continue
        logits = special.logit(random.uniform(0.5, 0.95, n_classes))
        common, first = (predictions_of(logits, errors_of(n_classes, random)) for _ in range(2))
        shared = random.uniform(0.3, 0.8)
        second = first
        if not is_exchangeable:
            second = _equal_in_metric(prevalence, common, first, shared, logits, metric, options, random)
            if second is None:
                continue
        apart = np.einsum("t,ta,tb->tab", prevalence, first, second)
        together = np.einsum("t,ta,ab->tab", prevalence, common, np.eye(n_classes))
        yield shared * together + (1 - shared) * apart, n, metric, options, is_exchangeable
        n_configurations -= 1
        is_exchangeable = not is_exchangeable
        if is_exchangeable:
            (metric, options) = next(metrics)


def _equal_in_metric(prevalence, common, first, shared, logits, metric, options, random):
    """What the second model predicts by itself, such that its metric is that of the first; None where none is."""
    worse = np.where(np.arange(len(logits)) == 0, random.uniform(1, 2), 0)
    errors = errors_of(len(logits), random)

    def second(shift):
        return predictions_of(logits - worse + shift, errors)

    def excess(shift):
        laws = (prevalence[:, None] * (shared * common + (1 - shared) * own) for own in (second(shift), first))
        return np.subtract(*(value_of(law, metric, options) for law in laws))

    if not excess(-3) < 0 < excess(3):
        return None
    return second(optimize.brentq(excess, -3, 3))


def measure(law, n, metric, options, random, n_samples, n_resamples):
    """The shares of samples in which the p value, and the interval, tells the models apart."""
    n_classes = len(law)
    rejected = missed = 0
    for counts in random.multinomial(n, law.ravel(), size=n_samples):
        true, a, b = np.unravel_index(np.repeat(np.arange(n_classes**3), counts), law.shape)
        found = compare(true, {"a": a, "b": b}, metric, n_resamples=n_resamples, random_state=random, **options).rows[0]
        rejected += found.p_value <= LEVEL
        missed += not found.low <= 0 <= found.high
    return rejected / n_samples, missed / n_samples


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configurations", type=int, default=20)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--resamples", type=int, default=499)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    laws = [*joint_laws(options.configurations, np.random.default_rng(0))]
    print(f"{'C':>2}{'n':>6}{'differ':>8}  {'metric':<19}{'exchangeable':<14}{'rejected':>8}{'interval':>10}")
    rows, kept = [], []
    for k, (law, n, metric, of_metric, is_exchangeable) in enumerate(laws):
        # Each configuration has samples of its own, whichever others there are.
        random = np.random.default_rng([0, k])
        rejected, missed = measure(law, n, metric, of_metric, random, options.samples, options.resamples)
        differ = n * (1 - np.einsum("taa->", law))
        rows.append((rejected, missed))
        said = {True: "yes", False: "no"}[is_exchangeable]
        print(f"{len(law):>2}{n:>6}{differ:>8.0f}  {metric:<19}{said:<14}{rejected:>8.4f}{missed:>10.4f}", flush=True)
        kept.append(rejected <= MOST and (differ < ENOUGH_DIFFER or rejected >= LEAST))
    mean = np.mean(rows, axis=0)
    kept.append(mean[0] <= MOST_OF_MEAN)
    print(f"{'mean':<49}{mean[0]:>8.4f}{mean[1]:>10.4f}")
    print(
        f"rates of {sum(kept[:-1])} of {len(rows)} configurations, and {'' if kept[-1] else 'not '}their mean, are kept"
    )


if __name__ == "__main__":
    main()
