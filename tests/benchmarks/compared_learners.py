"""How often comparisons of learners on the same folds reject equal and unequal ones.

`python tests/benchmarks/compared_learners.py [--draws 300] [--processes 2]` writes
compared_learners.json, of which docs/theory/cross_validation.md has a table. Both learners are of
one kind, each with its own half of the features: equal ones if both halves tell as much. The
corrected t test (`compare_folds`) has the scores of the same folds.
"""

import argparse
import json
import multiprocessing
import os
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library, and each process takes one
    # core.
    sys.path[0] = str(Path(__file__).parents[2])
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    compare_estimators,
    compare_folds,
    cross_val_confusion_matrix,
)

PUBLISHED = Path(__file__).with_name("compared_learners.json")
METRICS = ("accuracy", "recall", "f1_macro", "mcc")
N_NEW, BLOCK, LEVEL = 10_000, 25, 0.05


class Half(ClassifierMixin, BaseEstimator):
    """A learner that sees one half of the features."""

    def __init__(self, learner=None, second=False):
        self.learner, self.second = learner, second

    def fit(self, X, y):
        self.learner_ = clone(self.learner).fit(self._own(X), y)
        self.classes_ = self.learner_.classes_
        return self

    def predict(self, X):
        return self.learner_.predict(self._own(X))

    def _own(self, X):
        middle = X.shape[1] // 2
        return X[:, middle:] if self.second else X[:, :middle]


class Setting(NamedTuple):
    """A learner, the number of samples and of features of each half, and by what factor the second
    half tells less.
    """

    learner: Any
    n: int
    n_features: int
    less: float = 0.0
    n_groups: int | None = None


WEAK = LogisticRegression(C=1e3, solver="liblinear")
TREE = DecisionTreeClassifier(random_state=0)
SETTINGS = {
    "weak logistic, n 60": Setting(WEAK, 60, 10),
    "weak logistic, n 300": Setting(WEAK, 300, 10),
    "strong logistic, n 100": Setting(LogisticRegression(C=0.05, solver="liblinear"), 100, 10),
    "tree, n 100": Setting(TREE, 100, 5),
    "forest, n 100": Setting(RandomForestClassifier(10, random_state=0), 100, 5),
    "nearest neighbor, n 100": Setting(KNeighborsClassifier(1), 100, 5),
    "30 groups of 5, tree": Setting(TREE, 150, 5, n_groups=30),
    "30 groups of 5, weak logistic": Setting(WEAK, 150, 5, n_groups=30),
    "weak logistic, n 100, unequal": Setting(WEAK, 100, 5, 0.6),
    "tree, n 200, unequal": Setting(TREE, 200, 5, 0.6),
}


def draw(setting, random, n, n_groups):
    """Samples whose classes depend on three features of each half."""
    p = setting.n_features
    slopes = np.zeros(2 * p)
    slopes[:3] = 1.2, -1, 0.7
    slopes[p : p + 3] = slopes[:3] * (1 - setting.less)
    X, groups, of_group = random.standard_normal((n, 2 * p)), None, 0
    if n_groups is not None:
        groups = np.arange(n) * n_groups // n
        X = 0.6 * random.standard_normal((n_groups, 2 * p))[groups] + 0.8 * X
        of_group = random.standard_normal(n_groups)[groups]
    y = (random.random(n) < 1 / (1 + np.exp(0.7 - X @ slopes - of_group))).astype(int)
    return X, y, groups


def outcomes(name, seed):
    """What both tests say of one data set, by metric."""
    setting = SETTINGS[name]
    random = np.random.default_rng([seed, *name.encode()])
    X, y, groups = draw(setting, random, setting.n, setting.n_groups)
    of_new = None if setting.n_groups is None else N_NEW // 5
    X_new, y_new, _ = draw(setting, random, N_NEW, of_new)
    learners = {"a": Half(setting.learner), "b": Half(setting.learner, second=True)}
    truth = {
        key: ConfusionMatrix.from_predictions(y_new, learner.fit(X, y).predict(X_new))
        for key, learner in learners.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = compare_estimators(
            learners,
            X,
            y,
            scoring=list(METRICS),
            groups=groups,
            correction=None,
            random_state=random,
        ).rows
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=seed)
        splits = [*cv.split(X, y)]
        folds = {
            key: cross_val_confusion_matrix(learner, X, y, cv=splits)
            for key, learner in learners.items()
        }
    for row in rows:
        true = truth["a"].score(row.metric) - truth["b"].score(row.metric)
        yield (
            row.metric,
            {
                "draws": 1,
                "rejects": int(row.p_value < LEVEL),
                "covers": int(row.low <= true <= row.high),
                "width": row.high - row.low,
            }
            | corrected_t(folds, row.metric, setting),
        )


def corrected_t(folds, metric, setting):
    """The corrected t test of the same kind of folds; groups are beyond it."""
    if setting.n_groups is not None:
        return {"t": 0, "t rejects": 0}
    a, b = (folds[key].score(metric, zero_division=0) for key in "ab")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sizes = {"n_train": 0.8 * setting.n, "n_test": 0.2 * setting.n}
        [p_value] = compare_folds({"a": a, "b": b}, **sizes).p_value
    # Unknown where all differences are equal.
    return {"t": 1, "t rejects": int(p_value < LEVEL)}


def block(task):
    """A block of draws."""
    name, number = task
    found = {metric: Counter() for metric in METRICS}
    for place in range(BLOCK):
        for metric, counts in outcomes(name, number * BLOCK + place):
            found[metric].update(counts)
    return name, found


def main():
    """Draw all settings and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tasks = [(name, number) for name in SETTINGS for number in range(options.draws // BLOCK)]
    together = {name: {metric: Counter() for metric in METRICS} for name in SETTINGS}
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for done, (name, found) in enumerate(pool.imap_unordered(block, tasks), 1):
            for metric, counts in found.items():
                together[name][metric].update(counts)
            print(f"{done} of {len(tasks)} blocks", flush=True)
    shares = {
        name: {metric: shares_of(counts) for metric, counts in of_metrics.items()}
        for name, of_metrics in together.items()
    }
    PUBLISHED.write_text(json.dumps(shares, indent=1) + "\n", encoding="utf-8")


def shares_of(counts):
    """Proportions of the draws, and the mean width."""
    n = counts["draws"]
    found = {
        "draws": n,
        **{key: round(counts[key] / n, 4) for key in ("rejects", "covers", "width")},
    }
    return found | ({"t rejects": round(counts["t rejects"] / n, 4)} if counts["t"] else {})


if __name__ == "__main__":
    main()
