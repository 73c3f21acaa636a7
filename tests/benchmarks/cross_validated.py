"""How often intervals of cross-validated metrics cover the value of the model that is refitted.

`python tests/benchmarks/cross_validated.py [--only "NAME;..."] [--draws 400] [--processes 2]`, or
with `--report` or `--publish` alone. Each draw is a data set: the model fitted to all of it is
scored on a large sample of the same population, and the interval holds if it has that value. A
setting of which less than 93.5 % hold is drawn again, 400 times with other seeds (`--stage 2`), and
then only the new figures count. `--publish` writes cross_validated.json, of which the tables and
the picture of docs/theory/cross_validation.md are made. All settings take two hours on one core.
"""

import argparse
import collections
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library, and each process takes one
    # core.
    sys.path[0] = str(Path(__file__).parents[2])
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import numpy as np
import sklearn
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    cross_val_confusion_matrix,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.scoring.metrics_of_folds import counted_repetitions
from skmetrics_ext.scoring.splits import read_labels_of_folds, read_repeated_folds
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.values.cross_validated import cross_validated_intervals

PUBLISHED = Path(__file__).with_name("cross_validated.json")
KEPT = Path(__file__).with_name("cross_validated.jsonl")
LEVELS = (0.8, 0.9, 0.95, 0.99)
N_RESAMPLES, BLOCK = 499, 50
# Of so many samples, half of the draws have to do.
MANY_SAMPLES = 4_000
# The true value is that of so many new samples, or of so many for each sample: fewer would add
# their own variance.
LEAST_NEW, NEW_PER_SAMPLE = 10_000, 25
BINARY = (
    *("accuracy", "recall", "precision", "f1", "f1_macro", "balanced_accuracy", "mcc"),
    *("g_mean", "cohen_kappa", "positive_likelihood_ratio"),
)
SEVERAL = ("accuracy", "recall_macro", "f1_macro", "f1_weighted", "mcc", "cohen_kappa")
FIELDS = (
    *("draws", "intervals", "0.8", "0.9", "0.95", "0.99", "flagged intervals", "flagged 0.95"),
    *("unknown", "width", "width_of_today", "width_of_corrected_t"),
    *("today_holds", "two_deviations_hold", "corrected_t_holds"),
)
# Fewer intervals tell nothing.
FEWEST = 50
# A caveat that the limits are wide is no excuse for missing.
NO_EXCUSE = {"learning_curve", "unstratified_folds"}


class Sample(NamedTuple):
    """A data set, with groups or weights where the setting has some."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None = None
    weights: np.ndarray | None = None


class Setting(NamedTuple):
    """A learner, a population and a number of samples."""

    learner: Callable[[], Any]
    draw: Callable[[np.random.Generator, int], Sample]
    n: int
    cv: Any = 5
    n_repeats: int = 4
    metrics: tuple[str, ...] = BINARY
    # Whether nobody chose a constant by it.
    is_fresh: bool = False


def logistic(p, intercept=-1.0, n_classes=2, *, n_groups=None, weighted=False, flipped=0.0):
    """A population whose classes follow a logistic model of four to six of p features."""
    slopes = np.zeros((p, n_classes - 1))
    slopes[:4, 0] = [1.2, -1, 0.8, 0.6]
    for k in range(1, n_classes - 1):
        slopes[k + 1 : k + 5, k] = [1, -1, 1, 0.5]

    def draw(random, n):
        groups, of_group = None, 0.0
        X = random.standard_normal((n, p))
        if n_groups is not None:
            groups = np.sort(np.arange(n) * n_groups // n if flipped == 0 else sizes(random, n))
            n_units = groups.max() + 1
            X = 0.6 * random.standard_normal((n_units, p))[groups] + 0.8 * X
            of_group = 1.5 * random.standard_normal(n_units)[groups]
        logits = np.column_stack([np.zeros(n), X @ slopes + intercept])
        logits[:, 1] += of_group
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        y = (random.random(n)[:, None] > shares.cumsum(1)).sum(1)
        weights = None
        if weighted:
            weights = np.exp(0.7 * random.standard_normal(n)) * np.where(y == 1, 2.0, 1.0)
        return Sample(X, y, groups, weights)

    return draw


def sizes(random, n):
    """Groups of unequal size: the group of each of n samples, a mean of eight in each."""
    found = np.repeat(np.arange(n), random.geometric(1 / 8, size=n))
    return found[:n]


def rings(p, share=0.4):
    """A population with a boundary that is not linear."""

    def draw(random, n):
        X = random.standard_normal((n, p))
        inside = (X[:, :3] ** 2).sum(1) < stats.chi2(3).ppf(share)
        y = np.where(random.random(n) < 0.15, ~inside, inside).astype(int)
        return Sample(X, y)

    return draw


def of_data(load):
    """Samples of a real data set; those that are not drawn are the population."""
    X, y = load(return_X_y=True)

    def draw(random, n):
        order = random.permutation(len(y))[:n]
        return Sample(X[order], y[order])

    draw.data = X, y
    return draw


def weak():
    return LogisticRegression(C=1e3, solver="liblinear")


def strong():
    return LogisticRegression(C=0.05, solver="liblinear")


def tree():
    return DecisionTreeClassifier(random_state=0)


def forest():
    return RandomForestClassifier(20, random_state=0)


def nearest():
    return KNeighborsClassifier(1)


SETTINGS = {
    # Those of the search for the rule.
    "weak logistic, n 60": Setting(weak, logistic(20), 60),
    "weak logistic, n 1,000": Setting(weak, logistic(20), 1_000),
    "strong logistic, n 60": Setting(strong, logistic(20), 60),
    "tree, n 100": Setting(tree, logistic(20), 100),
    "tree, n 1,000": Setting(tree, logistic(20), 1_000),
    "tree, n 100, 10 folds": Setting(tree, logistic(20), 100, 10),
    "tree, n 100, 3 folds": Setting(tree, logistic(20), 100, 3),
    "tree, n 100, one repetition": Setting(tree, logistic(20), 100, 5, 1),
    "weak logistic, n 60, two repetitions": Setting(weak, logistic(20), 60, 5, 2),
    "forest, n 100": Setting(forest, logistic(20), 100),
    "nearest neighbor, n 100": Setting(nearest, logistic(20), 100),
    "200 features, n 60": Setting(
        lambda: LogisticRegression(solver="liblinear"), logistic(200, 0.0), 60
    ),
    "selected features of 300, n 100": Setting(
        lambda: make_pipeline(SelectKBest(k=5), GaussianNB()), logistic(300, -0.5), 100
    ),
    "tuned threshold, n 200": Setting(
        lambda: ConstrainedThresholdClassifier(
            LogisticRegression(solver="liblinear"), "f1", subject_to=None, cv=3
        ),
        logistic(10, -2.0),
        200,
    ),
    "rare class, tree, n 150": Setting(tree, logistic(10, -3.9), 150),
    "rare class, weak logistic, n 300": Setting(weak, logistic(10, -4.2), 300),
    "three classes, tree, n 150": Setting(tree, logistic(20, 0.0, 3), 150, metrics=SEVERAL),
    "three classes, weak logistic, n 150": Setting(
        lambda: LogisticRegression(C=1e3), logistic(20, 0.0, 3), 150, metrics=SEVERAL
    ),
    "20 folds, weak logistic, n 60": Setting(weak, logistic(20), 60, KFold(20)),
    "not stratified, tree, n 100": Setting(tree, logistic(20), 100, KFold(5)),
    "30 groups, weak logistic": Setting(weak, logistic(20, -0.5, n_groups=30), 150, GroupKFold(5)),
    "30 groups, strong logistic": Setting(
        strong, logistic(20, -0.5, n_groups=30), 150, GroupKFold(5)
    ),
    "30 groups, tree": Setting(tree, logistic(20, -0.5, n_groups=30), 150),
    "majority class, not stratified": Setting(
        lambda: DummyClassifier(strategy="most_frequent"), logistic(20, 0.0), 100, KFold(10)
    ),
    "digits, linear discriminant, n 150": Setting(
        LinearDiscriminantAnalysis, of_data(load_digits), 150, metrics=SEVERAL
    ),
    "digits, naive Bayes, n 200": Setting(GaussianNB, of_data(load_digits), 200, metrics=SEVERAL),
    "tree, n 10,000": Setting(tree, logistic(20), 10_000),
    "nearest neighbor, n 4,000": Setting(nearest, logistic(20), 4_000),
    # Those that nobody chose a constant by.
    "logistic, n 10,000": Setting(LogisticRegression, logistic(20), 10_000, is_fresh=True),
    "tree of rings, n 10,000": Setting(tree, rings(10), 10_000, is_fresh=True),
    "5 neighbors of rings, n 12,000": Setting(
        KNeighborsClassifier, rings(5), 12_000, is_fresh=True
    ),
    "boosting, n 200": Setting(
        lambda: GradientBoostingClassifier(n_estimators=20, random_state=0),
        rings(6),
        200,
        is_fresh=True,
    ),
    "linear support vectors, n 200": Setting(LinearSVC, logistic(30), 200, is_fresh=True),
    "quadratic discriminant, n 150": Setting(
        QuadraticDiscriminantAnalysis, rings(8), 150, is_fresh=True
    ),
    "naive Bayes of rings, n 80": Setting(GaussianNB, rings(6), 80, is_fresh=True),
    "perceptron, n 100": Setting(
        lambda: Perceptron(random_state=0), logistic(10), 100, is_fresh=True
    ),
    "ridge of 500 features, n 100": Setting(
        RidgeClassifier, logistic(500, -0.5), 100, is_fresh=True
    ),
    "four classes, extra trees, n 400": Setting(
        lambda: ExtraTreesClassifier(10, random_state=0),
        logistic(12, -0.3, 4),
        400,
        metrics=SEVERAL,
        is_fresh=True,
    ),
    "five classes, naive Bayes, n 250": Setting(
        GaussianNB, logistic(10, -1.0, 5), 250, metrics=SEVERAL, is_fresh=True
    ),
    "balanced logistic, 3 % positive, n 1,000": Setting(
        lambda: LogisticRegression(class_weight="balanced", solver="liblinear"),
        logistic(10, -5.0),
        1_000,
        is_fresh=True,
    ),
    "search of C, n 120": Setting(
        lambda: GridSearchCV(LogisticRegression(solver="liblinear"), {"C": [0.01, 0.1, 1.0]}, cv=3),
        logistic(15),
        120,
        is_fresh=True,
    ),
    "groups of unequal size, tree, n 320": Setting(
        tree, logistic(10, -0.5, n_groups=40, flipped=1.0), 320, is_fresh=True
    ),
    "groups of unequal size, logistic, n 320": Setting(
        LogisticRegression, logistic(10, -0.5, n_groups=40, flipped=1.0), 320, is_fresh=True
    ),
    "weights, logistic, n 200": Setting(
        LogisticRegression, logistic(10, weighted=True), 200, is_fresh=True
    ),
    "weights, tree, n 200": Setting(tree, logistic(10, weighted=True), 200, is_fresh=True),
    "breast cancer, tree, n 120": Setting(tree, of_data(load_breast_cancer), 120, is_fresh=True),
    "7 folds, 3 neighbors, n 90": Setting(
        lambda: KNeighborsClassifier(3), logistic(8, -0.5), 90, 7, 3, is_fresh=True
    ),
    "two folds, logistic, n 100": Setting(LogisticRegression, logistic(5), 100, 2, is_fresh=True),
}


class Outcome(NamedTuple):
    """An interval of one draw, and what people have had so far."""

    metric: str
    truth: float
    # By level.
    holds: dict[str, bool]
    is_known: bool
    codes: list[str]
    width: float
    width_of_today: float
    today_holds: bool
    two_deviations_hold: bool
    corrected_t_holds: bool
    width_of_corrected_t: float


def outcomes_of(name: str, seed: int) -> list[dict[str, Any]]:
    """All metrics of one draw; none if a class has too few samples for the folds."""
    setting = SETTINGS[name]
    random = np.random.default_rng([seed, *name.encode()])
    sample = setting.draw(random, setting.n)
    n_folds = setting.cv if isinstance(setting.cv, int) else setting.cv.n_splits
    n_classes = 2 if setting.metrics == BINARY else sample.y.max() + 1
    if np.bincount(sample.y, minlength=n_classes).min() < max(n_folds, 2):
        return []
    truth = counts_of_truth(setting, sample, random)
    params, learner = fitting(setting, sample)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = read_repeated_folds(
            setting.cv,
            sample.X,
            read_labels_of_folds(sample.y),
            sample.groups,
            setting.n_repeats,
            random,
        )
        of_folds = {"clusters": sample.groups, "params": params}
        counted = counted_repetitions(learner, sample.X, sample.y, folds, of_folds)
        by_level = {
            level: list(
                cross_validated_intervals(
                    counted,
                    [*map(choose, setting.metrics)],
                    Request(level, n_resamples=N_RESAMPLES, random_state=seed),
                )
            )
            for level in LEVELS
        }
        today = folds_of_today(setting, sample, learner, params, seed)
        return [
            outcome(metric, truth, by_level, place, today)._asdict()
            for place, metric in enumerate(setting.metrics)
        ]


def fitting(setting, sample):
    """The metadata of a fit, and the learner that takes it."""
    learner = setting.learner()
    if sample.weights is None:
        return None, learner
    return {"sample_weight": sample.weights}, learner.set_fit_request(sample_weight=True)


def counts_of_truth(setting, sample, random):
    """The matrix of the model that is fitted to all samples, on new ones."""
    params, learner = fitting(setting, sample)
    learner.fit(sample.X, sample.y, **(params or {}))
    if data := getattr(setting.draw, "data", None):
        known = {row.tobytes() for row in sample.X}
        is_new = np.array([row.tobytes() not in known for row in data[0]])
        new = Sample(data[0][is_new], data[1][is_new])
    else:
        new = setting.draw(random, max(LEAST_NEW, NEW_PER_SAMPLE * setting.n))
    labels = np.unique(sample.y)
    kept = np.isin(new.y, labels)
    return ConfusionMatrix.from_predictions(
        new.y[kept],
        learner.predict(new.X[kept]),
        labels=labels,
        sample_weight=None if new.weights is None else new.weights[kept],
    )


def folds_of_today(setting, sample, learner, params, seed):
    """The matrices of the folds of one cross-validation."""
    cv = setting.cv
    if isinstance(cv, int):
        cv = StratifiedKFold(cv)
    kind = type(cv) if sample.groups is None else GroupKFold
    cv = kind(cv.n_splits, shuffle=True, random_state=seed)
    return cross_val_confusion_matrix(
        learner,
        sample.X,
        sample.y,
        cv=[*cv.split(sample.X, sample.y, sample.groups)],
        params=params,
    )


def outcome(metric, truth, by_level, place, folds) -> Outcome:
    """Whether each interval of a metric has the true value."""
    value = float(truth.score(metric, zero_division=np.nan))
    at_95 = by_level[0.95][place]
    today = folds.sum("fold").interval(metric, n_resamples=N_RESAMPLES)
    scores = folds.score(metric, zero_division=np.nan)
    scores = scores[np.isfinite(scores)]
    n_folds = max(len(scores), 2)
    mean, deviation = scores.mean(), scores.std(ddof=1)
    corrected = stats.t(n_folds - 1).ppf(0.975) * deviation
    corrected *= np.sqrt(1 / n_folds + 1 / (len(folds.counts) - 1))
    return Outcome(
        metric=metric,
        truth=value,
        holds={str(level): covers(of[place], value) for level, of in by_level.items()},
        is_known=bool(np.isfinite([at_95.low, at_95.high, value]).all()),
        codes=[caveat.code for caveat in at_95.caveats],
        width=float(at_95.high - at_95.low),
        width_of_today=float(today.high - today.low),
        today_holds=covers(today, value),
        two_deviations_hold=bool(abs(mean - value) <= 2 * scores.std()),
        corrected_t_holds=bool(abs(mean - value) <= corrected),
        width_of_corrected_t=float(2 * corrected),
    )


def covers(interval, value):
    """Whether limits have a value, up to the rounding of counts."""
    return bool(interval.low - 1e-9 <= value <= interval.high + 1e-9)


def block(task):
    """A block of draws, as the line that is kept."""
    name, stage, number = task
    sklearn.set_config(enable_metadata_routing="weights" in name)
    begun, found = time.perf_counter(), collections.defaultdict(collections.Counter)
    for draw in range(BLOCK):
        seed = (stage * 1_000 + number) * BLOCK + draw
        for of in outcomes_of(name, seed):
            add(found[of["metric"]], of)
    seconds = round(time.perf_counter() - begun)
    metrics = {metric: dict(counter) for metric, counter in found.items()}
    return {"name": name, "stage": stage, "number": number, "seconds": seconds, "metrics": metrics}


def add(counter, of):
    """One outcome, among those with or without a caveat."""
    counter["draws"] += 1
    counter.update(f"code {code}" for code in of["codes"])
    if not of["is_known"]:
        counter["unknown"] += 1
        return
    is_flagged = bool({*of["codes"]} - NO_EXCUSE)
    prefix = "flagged " if is_flagged else ""
    counter[f"{prefix}intervals"] += 1
    for level, holds in of["holds"].items():
        counter[f"{prefix}{level}"] += holds
    if is_flagged:
        return
    for key in ("today_holds", "two_deviations_hold", "corrected_t_holds"):
        counter[key] += of[key]
    for key in ("width", "width_of_today", "width_of_corrected_t"):
        if np.isfinite(of[key]):
            counter[key] += of[key]


def run(names, n_draws, stage, processes):
    """Blocks that are not kept yet."""
    kept = {(of["name"], of["stage"], of["number"]) for of in lines()}
    tasks = [
        (name, stage, number)
        for number in range(-(-n_draws // BLOCK))
        for name in names
        # They take minutes.
        if number < n_draws / BLOCK / (2 if SETTINGS[name].n >= MANY_SAMPLES else 1)
        and (name, stage, number) not in kept
    ]
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, maxtasksperchild=4) as pool, KEPT.open("a") as file:
        for done, line in enumerate(pool.imap_unordered(block, tasks), 1):
            file.write(json.dumps(line) + "\n")
            file.flush()
            print(f"{done}/{len(tasks)} {line['name']}: {line['seconds']} s", flush=True)


def lines():
    """The blocks kept so far."""
    return [*map(json.loads, KEPT.read_text().splitlines())] if KEPT.exists() else []


def summed():
    """The counts of each setting and metric: those of the last stage that it has."""
    by_stage = {}
    for line in lines():
        of_setting = by_stage.setdefault(line["name"], {}).setdefault(line["stage"], {})
        for metric, counts in line["metrics"].items():
            of_setting.setdefault(metric, collections.Counter()).update(counts)
    return {name: by_stage[name][max(by_stage[name])] for name in SETTINGS if name in by_stage}


def publish():
    """Write the counts, a list of FIELDS for each setting and metric."""
    found = {
        name: {metric: [round(counts[key], 3) for key in FIELDS] for metric, counts in of.items()}
        for name, of in summed().items()
    }
    text = json.dumps(found).replace("]}, ", "]},\n ").replace("], ", "],\n  ")
    PUBLISHED.write_text(text + "\n", encoding="utf-8")


def published():
    """The counts (Counter) of each setting and metric."""
    found = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return {
        name: {metric: dict(zip(FIELDS, counts, strict=True)) for metric, counts in of.items()}
        for name, of in found.items()
    }


def coverage(counts, key="0.95"):
    """The proportion of intervals without a caveat that hold; nan where there are few of them."""
    return counts[key] / counts["intervals"] if counts["intervals"] >= FEWEST else np.nan


def worst(metrics, key="0.95"):
    """The metric with the lowest coverage, and that."""
    found = {metric: coverage(counts, key) for metric, counts in metrics.items()}
    metric = min(found, key=lambda metric: np.nan_to_num(found[metric], nan=2))
    return metric, found[metric]


def mean_ratio(metrics, key="width"):
    """The mean width relative to that of the pooled folds, over the metrics."""
    ratios = [
        counts[key] / counts["width_of_today"]
        for counts in metrics.values()
        if counts["width_of_today"] and counts["intervals"] >= FEWEST
    ]
    return float(np.mean(ratios)) if ratios else np.nan


def share_with_caveat(metrics):
    """The proportion of intervals that carry a caveat which excuses them, or have no limits."""
    n = sum(counts["draws"] for counts in metrics.values())
    return 1 - sum(counts["intervals"] for counts in metrics.values()) / n


def report():
    """The worst metric of each setting."""
    for name, metrics in summed().items():
        levels = " ".join(f"{level} {worst(metrics, str(level))[1]:.3f}" for level in LEVELS)
        others = " ".join(
            f"{key} {worst(metrics, key)[1]:.3f}"
            for key in ("today_holds", "two_deviations_hold", "corrected_t_holds")
        )
        draws = max(counts["draws"] for counts in metrics.values())
        metric, _ = worst(metrics)
        caveats = share_with_caveat(metrics)
        print(
            f"{name} ({draws}): {levels} ({metric}), width {mean_ratio(metrics):.2f}, "
            f"caveats {caveats:.2f}, {others}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--stage", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--publish", action="store_true")
    chosen = parser.parse_args()
    names = [name for name in SETTINGS if not chosen.only or name in chosen.only.split(";")]
    if not (chosen.report or chosen.publish):
        run(names, chosen.draws, chosen.stage, chosen.processes)
    report()
    if chosen.publish:
        publish()
