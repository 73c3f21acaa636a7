"""Measures what docs/sixty_lines.md says of code that is often written in place of this package.

`python -m tests.benchmarks.sixty_lines [NAME ...]` draws data sets of which the truth is known, and
saves to sixty_lines.json how often the lines, and the package, are right. It takes minutes.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy import stats

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, check, compare, compare_folds

RESULTS = Path(__file__).with_suffix(".json")
DRAWS = 400


def macro_f1(counts):
    """The mean F1 of all classes; 0 for one that neither occurs nor is predicted."""
    right = np.einsum("...ii->...i", counts)
    sums = counts.sum(-1) + counts.sum(-2)
    return np.divide(2 * right, sums, out=np.zeros(right.shape), where=sums > 0).mean(-1)


def wilson(k, n):
    interval = stats.binomtest(int(k), int(n)).proportion_ci(method="wilson")
    return interval.low, interval.high


def covers_macro_f1(n, shares, recall):
    """Percentiles of 500 bootstrap samples, and the interval of the package."""

    n_classes = len(shares)
    errors = (1 - recall) * np.ones((n_classes, n_classes)) / (n_classes - 1)
    np.fill_diagonal(errors, recall)
    cells = np.array(shares)[:, None] * errors
    truth = macro_f1(cells)

    def case(randoms):
        counts = [random.multinomial(n, cells.ravel()) for random in randoms]
        lines = []
        for random, of_draw in zip(randoms, counts, strict=True):
            again = random.multinomial(n, of_draw / n, size=500)
            low, high = np.quantile(macro_f1(again.reshape(500, *cells.shape)), [0.025, 0.975])
            lines.append(low <= truth <= high)
        stack = np.reshape(counts, (len(randoms), *cells.shape))
        ours = ConfusionMatrix.from_counts(stack, labels=range(n_classes)).interval("f1_macro")
        return np.transpose([lines, (ours.low <= truth) & (truth <= ours.high)])

    return case


def each(of_one):
    """The case of every draw by itself."""
    return lambda randoms: [of_one(random) for random in randoms]


def covers_recall_of_patients(random):
    """Wilson's limits of 30 patients with 10 images each, and the package's with clusters=."""
    rates = random.beta(0.8 * 7 / 3, 0.2 * 7 / 3, size=30)
    patient = np.repeat(np.arange(30), 10)
    right = random.random(300) < rates[patient]
    low, high = wilson(right.sum(), 300)
    cm = ConfusionMatrix.from_predictions(np.ones(300, int), right.astype(int), clusters=patient)
    ours = cm.interval("recall")
    return low <= 0.8 <= high, ours.low <= 0.8 <= ours.high


def keeps_a_recall(random):
    """Whether new samples have the recall of 0.9 that the threshold has on those that chose it."""
    actual = (np.arange(200) < 60).astype(int)
    scores = random.normal(size=200) + 1.5 * actual
    chosen = np.sort(scores[:60])[6]
    best = ThresholdCurve.from_scores(actual, scores).best(
        "specificity", subject_to={"recall": 0.9}, confidence_level=0.9
    )
    return tuple(bool(stats.norm.sf(t - 1.5) >= 0.9) for t in (chosen, best.threshold))


def passes_the_gate(random):
    """Whether a model with a recall of 0.87 passes a gate of 0.9 with 60 positive samples."""
    found = int(random.binomial(60, 0.87))
    cm = ConfusionMatrix.from_counts([[60, 0], [60 - found, found]], labels=[0, 1])
    return found / 60 >= 0.9, check(cm, {"recall": 0.9}).overall == "pass"


def finds_a_difference_of_folds(random):
    """Whether two equal models differ at 5 %, by a paired t test of 10 x 10 folds, and with its
    correction.
    """
    actual = np.arange(100) % 2
    data = random.normal(size=(100, 2)) + 0.5 * actual[:, None]
    scores = np.empty((2, 100))
    for fold in range(100):
        if fold % 10 == 0:
            order = random.permutation(100)
        test = np.zeros(100, bool)
        test[order[fold % 10 :: 10]] = True
        for model in (0, 1):
            x, y = data[~test, model], actual[~test]
            cut = (x[y == 0].mean() + x[y == 1].mean()) / 2
            scores[model, fold] = ((data[test, model] > cut) == actual[test]).mean()
    plain = stats.ttest_rel(*scores).pvalue
    of_models = dict(zip("ab", scores, strict=True))
    [corrected] = compare_folds(of_models, n_train=90, n_test=10).p_value
    return plain < 0.05, corrected < 0.05


def finds_a_better_model(random):
    """Whether a model that is right on 7 % more of 300 samples is found better: by two intervals
    that do not overlap, and by pairs.
    """
    kinds = random.choice(4, size=300, p=[0.74, 0.11, 0.04, 0.11])
    a, b = np.isin(kinds, [0, 1]).astype(int), np.isin(kinds, [0, 2]).astype(int)
    apart = wilson(a.sum(), 300)[0] > wilson(b.sum(), 300)[1]
    comparison = compare(np.ones(300, int), {"a": a, "b": b}, "accuracy")
    return apart, comparison.rows[0].p_value < 0.05


CASES = {
    "macro F1, 3 classes, 50 samples": covers_macro_f1(50, [0.6, 0.3, 0.1], 0.8),
    "macro F1, 5 classes, 100 samples": covers_macro_f1(100, [0.4, 0.3, 0.15, 0.1, 0.05], 0.8),
    "macro F1, 6 classes, 60 samples": covers_macro_f1(60, [0.5, 0.2, 0.1, 0.1, 0.05, 0.05], 0.9),
    "macro F1, 10 classes, 200 samples": covers_macro_f1(200, [0.28, *[0.08] * 9], 0.8),
    "recall of 30 patients": each(covers_recall_of_patients),
    "a recall that is kept": each(keeps_a_recall),
    "a gate that is passed": each(passes_the_gate),
    "equal models of 10 x 10 folds": each(finds_a_difference_of_folds),
    "a better model of 300 samples": each(finds_a_better_model),
}


def measured(case, draws=DRAWS):
    """How often the lines and the package say yes."""
    with warnings.catch_warnings():
        # Caveats are of no use to who looks at limits alone.
        warnings.simplefilter("ignore")
        found = case([np.random.default_rng(draw) for draw in range(draws)])
    return [round(float(share), 4) for share in np.mean(found, axis=0)]


def main(names):
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in names or CASES:
        results[name] = measured(CASES[name])
        print(name, results[name], flush=True)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
