"""How often promises are broken: simulates and writes the tables of docs/theory/promises.md.

The truth is known: samples are drawn at scores of which the share of positive samples is given, or
from two normal distributions, of which many further samples are drawn. It takes about nine minutes
on one core.
"""

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import AbstainingClassifier, ConfusionMatrix, ConstrainedThresholdClassifier
from tests.docs.generated_parts import with_parts
from tests.docs.theory_pages import FOLDER, PICTURE, save, table

PAGE, DRAWING = FOLDER / "promises.md", PICTURE.with_name("promises.png")
LEVEL, N_DRAWS, N_SAMPLES = 0.9, 500, 600
# The scores, and the share of positive samples at each.
SCORES = (np.arange(10_000) + 0.5) / 10_000
LIKELY = {
    "rising": SCORES,
    "waves": np.clip(0.1 + 0.8 * SCORES + 0.35 * np.sin(6 * np.pi * SCORES), 0, 1),
    "cliffs": np.where(SCORES > 0.8, 0.9, np.where(SCORES > 0.5, 0.3, 0.8)),
}
# What is bounded, and what is best within the bound.
OBJECTIVES = {
    "recall": "specificity",
    "precision": "recall",
    "negative_predictive_value": "specificity",
    "accuracy": "recall",
    "f1": "recall",
}
# The share of right ones among answers, by their probability from 0.5 to 1 on a scale to 1.
RIGHT = {
    "rising": 0.5 + SCORES / 2,
    "waves": np.clip(0.6 + 0.3 * SCORES + 0.25 * np.sin(6 * np.pi * SCORES), 0, 1),
    "cliffs": np.where(SCORES > 0.8, 0.9, np.where(SCORES > 0.5, 0.5, 0.85)),
    "four values": 0.5 + np.ceil(4 * SCORES) / 8,
}


class Score(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose probability of the class 1 is X."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


class Shares(Score):
    """A fitted classifier whose probabilities of three classes are X."""

    classes_ = np.array([0, 1, 2])

    def predict_proba(self, X):
        return X


def true_matrices(likely):
    """The population's counts at the threshold of each score."""
    tp, fp = (part[::-1].cumsum()[::-1] for part in (likely, 1 - likely))
    fn, tn = likely.sum() - tp, (1 - likely).sum() - fp
    counts = np.stack([tn, fp, fn, tp], -1).reshape(-1, 2, 2)
    return ConfusionMatrix.from_counts(np.maximum(counts, 0), labels=[0, 1])


def drawn(likely, n, random):
    """Scores and labels of some samples."""
    place = random.integers(0, len(SCORES), n)
    return SCORES[place], (random.random(n) < likely[place]).astype(int)


def true_at(values, threshold):
    """The value at a threshold, which lies between two scores."""
    return values[min(np.searchsorted(SCORES, threshold), len(SCORES) - 1)]


def promises():
    """Rows of rate, distribution, bound, and how often it is broken without and with a level, and
    not reached.
    """
    for name, objective in OBJECTIVES.items():
        for kind, likely in LIKELY.items():
            random, true = np.random.default_rng(0), true_matrices(likely).score(name)
            bound = 0.8 if name == "recall" else np.quantile(true[500:-500], 0.6).round(3)
            broken, refused = {None: 0, LEVEL: 0}, 0
            for _ in range(N_DRAWS):
                scores, labels = drawn(likely, N_SAMPLES, random)
                for level in broken:
                    model = ConstrainedThresholdClassifier(
                        Score(),
                        objective,
                        subject_to={name: bound},
                        cv="prefit",
                        confidence_level=level,
                    )
                    try:
                        threshold = model.fit(scores[:, None], labels).best_threshold_
                    except ValueError:
                        refused += level is not None
                        continue
                    broken[level] += true_at(true, threshold) < bound - 1e-9
            yield (
                name,
                kind,
                bound,
                *(count / N_DRAWS for count in broken.values()),
                refused / N_DRAWS,
            )


def refits():
    """Rows of model, training samples, and how often a bound on recall is broken with and without a
    refit.
    """
    random = np.random.default_rng(0)

    def of_two_classes(n):
        labels = (random.random(n) < 0.3).astype(int)
        return random.normal(size=(n, 5)) * (1 + labels[:, None]) + 0.7 * labels[:, None], labels

    X_new, y_new = of_two_classes(300_000)
    positive = X_new[y_new == 1]
    ways = {"refit": {"cv": 5}, "kept": {"cv": 0.4, "refit": False, "random_state": 0}}
    for model in (LogisticRegression(), LogisticRegression(C=0.001), GaussianNB()):
        for n in (300, 1000, 1500):
            broken = dict.fromkeys(ways, 0)
            for _ in range(N_DRAWS):
                X, y = of_two_classes(n)
                for way, options in ways.items():
                    fitted = ConstrainedThresholdClassifier(
                        model,
                        "precision",
                        subject_to={"recall": 0.8},
                        confidence_level=LEVEL,
                        **options,
                    ).fit(X, y)
                    broken[way] += fitted.predict(positive).mean() < 0.8
            yield f"`{model}`", n, *(count / N_DRAWS for count in broken.values())


def answered(kind, n, random):
    """Probabilities of three classes, of which the last is rarely predicted, and labels."""
    answers, place = random.choice(3, n, p=[0.6, 0.3, 0.1]), random.integers(0, len(SCORES), n)
    X = np.empty((n, 3))
    X[:] = (1 - largest_of(kind)[place])[:, None] / 2
    X[np.arange(n), answers] = largest_of(kind)[place]
    is_right = random.random(n) < RIGHT[kind][place]
    return X, np.where(is_right, answers, (answers + random.integers(1, 3, n)) % 3)


def largest_of(kind):
    """The probabilities of answers."""
    return 0.5 + 0.49 * (np.ceil(4 * SCORES) / 4 if kind == "four values" else SCORES)


def of_classes():
    """Rows of distribution, samples, the share that is asked of the answers of each of three
    classes, how often that of any is broken without and with a level, and with it the share of
    samples answered and the number of classes never answered.
    """
    for kind, right in RIGHT.items():
        true = right[::-1].cumsum()[::-1] / np.arange(len(SCORES), 0, -1)
        bound, largest = np.quantile(true[500:-500], 0.4).round(3).item(), largest_of(kind)
        for n in (300, 2000):
            random, broken = np.random.default_rng(0), {None: 0, LEVEL: 0}
            coverages, never = [], []
            for _ in range(N_DRAWS):
                X, y = answered(kind, n, random)
                for level in broken:
                    model = AbstainingClassifier(
                        Shares(),
                        subject_to={f"precision_{code}": bound for code in range(3)},
                        abstain_label=-1,
                        cv="prefit",
                        confidence_level=level,
                    )
                    try:
                        thresholds = list(model.fit(X, y).thresholds_.values())
                    except ValueError:
                        thresholds = [np.inf] * 3
                    places = np.searchsorted(largest, thresholds)
                    broken[level] += any(
                        true[place] < bound - 1e-9 for place in places if place < len(SCORES)
                    )
                coverages.append(np.dot([0.6, 0.3, 0.1], 1 - places / len(SCORES)))
                never.append(np.isinf(thresholds).sum())
            shares = [count / N_DRAWS for count in broken.values()]
            of_answers = np.mean(coverages).round(3).item(), np.mean(never).round(2).item()
            yield kind, n, bound, *shares, *of_answers


def draw(rows):
    """Save the picture of the shares of broken promises."""
    figure = Figure(figsize=(7.5, 4.8), layout="constrained", dpi=90)
    ax, places = figure.subplots(), np.arange(len(rows))
    ax.plot(
        [row[3] for row in rows], places, "o", color="#b35806", label="without confidence_level"
    )
    ax.plot(
        [row[4] for row in rows],
        places,
        "s",
        color="#2d708e",
        label=f"with confidence_level={LEVEL}",
    )
    ax.axvline(1 - LEVEL, color="black", linestyle=":", label=f"allowed: {1 - LEVEL:.1f}")
    ax.set_yticks(places, [f"{name}, {kind}" for name, kind, *_ in rows])
    ax.invert_yaxis()
    ax.set(xlim=(-0.02, 1), xlabel=f"share of {N_DRAWS} calibration sets that break the bound")
    figure.legend(loc="outside upper center", ncols=3)
    save(figure, DRAWING)


def main():
    found = list(promises())
    heads = {
        "promises": [
            "rate",
            "scores",
            "bound",
            "broken without `confidence_level`",
            "broken with it",
            "no threshold with it",
        ],
        "refits": ["model", "training samples", "broken with a refit", "broken by the kept model"],
        "classes": [
            "share of right answers",
            "samples",
            "asked of each class",
            "broken without `confidence_level`",
            "broken with it",
            "answered with it",
            "classes never answered with it",
        ],
    }
    tables = {"promises": found, "refits": refits(), "classes": of_classes()}
    parts = {name: table(heads[name], rows) for name, rows in tables.items()}
    text = with_parts(
        PAGE.read_text(encoding="utf-8"),
        {name: lambda part=part: part for name, part in parts.items()},
    )
    PAGE.write_text(text, encoding="utf-8")
    draw(found)


if __name__ == "__main__":
    main()
