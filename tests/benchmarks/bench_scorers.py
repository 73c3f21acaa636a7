"""Time of scikit-learn's multimetric scorer over ConfusionScorer's; `python tests/benchmarks/bench_scorers.py`."""

import time
import warnings

import numpy as np
import sklearn
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier

from skmetrics_ext import ConfusionScorer, get_scorer

ROWS = 100_000
N_CLASSES = 10
AVERAGES = ("macro", "micro", "weighted")

# Twenty metrics that scikit-learn has: names that both sides know, and its functions made scorers.
BY_NAME = [
    "accuracy",
    "balanced_accuracy",
    *(f"{name}_{average}" for name in ("precision", "recall", "f1", "jaccard") for average in AVERAGES),
]
BY_FUNCTION = {
    "matthews_corrcoef": sk.make_scorer(sk.matthews_corrcoef),
    "cohen_kappa": sk.make_scorer(sk.cohen_kappa_score),
    "neg_zero_one_loss": sk.make_scorer(sk.zero_one_loss, greater_is_better=False),
    "neg_hamming_loss": sk.make_scorer(sk.hamming_loss, greater_is_better=False),
    "fbeta_macro": sk.make_scorer(sk.fbeta_score, beta=2, average="macro"),
    "fbeta_weighted": sk.make_scorer(sk.fbeta_score, beta=2, average="weighted"),
}
NAMES = [*BY_NAME, *BY_FUNCTION]


def best_times(ours, theirs, repeat=7, repeat_theirs=3):
    """The least time of each in seconds, the calls in turn: other work on the machine disturbs both alike."""
    times = {ours: [], theirs: []}
    for turn in range(repeat):
        for function in (ours, theirs) if turn < repeat_theirs else (ours,):
            start = time.perf_counter()
            function()
            times[function].append(time.perf_counter() - start)
    return min(times[ours]), min(times[theirs])


def compare(name, model, y, metrics, options=None, sample_weight=None):
    """Print both times; the two must give the same."""
    X = np.zeros((len(y), 1))
    theirs = sk.check_scoring(model, {metric: BY_FUNCTION.get(metric, metric) for metric in metrics})
    ours = ConfusionScorer(metrics, **(options or {}))
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}

    def call(scorer):
        return lambda: scorer(model, X, y, **weights)

    expected, found = call(theirs)(), call(ours)()
    np.testing.assert_allclose(
        [found[metric] for metric in metrics], [expected[m] for m in metrics], rtol=1e-9, atol=1e-12
    )
    our_time, their_time = best_times(call(ours), call(theirs))
    print(f"{name:<46} {their_time * 1e3:>10.2f} {our_time * 1e3:>10.3f} {their_time / our_time:>8.1f}")


def many_metrics():
    random = np.random.default_rng(0)
    y = random.integers(0, N_CLASSES, ROWS)
    prior = DummyClassifier(strategy="prior").fit(np.zeros((ROWS, 1)), y)
    compare("20 metrics, prior, int64", prior, y, NAMES, {"beta": 2})
    weights = random.random(ROWS)
    compare("20 metrics, prior, int64, weights", prior, y, NAMES, {"beta": 2}, weights)
    few = [name for name in BY_NAME if name.endswith("_macro")] + ["accuracy"]
    compare(f"{len(few)} metrics, prior, int64", prior, y, few)
    compare("1 metric, prior, int64", prior, y, ["f1_macro"])
    uniform = DummyClassifier(strategy="uniform", random_state=0).fit(np.zeros((ROWS, 1)), y)
    compare("20 metrics, uniform, int64", uniform, y, NAMES, {"beta": 2})
    strings = np.array([f"class_number_{k:03d}" for k in range(N_CLASSES)])[y]
    named = DummyClassifier(strategy="prior").fit(np.zeros((ROWS, 1)), strings)
    compare("20 metrics, prior, strings", named, strings, NAMES, {"beta": 2})


def everything():
    """What the classwise output adds, which scikit-learn has no scorer for."""
    y = np.random.default_rng(0).integers(0, N_CLASSES, ROWS)
    X = np.zeros((ROWS, 1))
    model = DummyClassifier(strategy="prior").fit(X, y)
    scorers = {
        "20 metrics, per_class and counts": ConfusionScorer(NAMES, beta=2, per_class=True, counts=True),
        "evaluation_index": get_scorer("evaluation_index"),
    }
    for name, scorer in scorers.items():
        our_time, predict_time = best_times(
            lambda scorer=scorer: scorer(model, X, y), lambda: model.predict(X), repeat_theirs=7
        )
        print(f"{name + ' (beside: predict alone)':<57} {our_time * 1e3:>10.3f} ({predict_time * 1e3:.3f})")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, {ROWS:,} rows, {N_CLASSES} classes; ms\n")
    print(f"{'':<46} {'sklearn':>10} {'ours':>10} {'ratio':>8}")
    many_metrics()
    everything()
