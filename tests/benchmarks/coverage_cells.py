"""What coverage.py measures: cells of all families, written down before any of them runs."""

import collections
import itertools
from typing import Any, NamedTuple

import numpy as np
from scipy import integrate, optimize, special, stats

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS


class Cell(NamedTuple):
    """One situation, in which all metrics of its family are measured."""

    family: str
    place: int
    """Which of its family it is: part of its seeds."""
    about: dict[str, Any]

    def __str__(self) -> str:
        about = self.about
        if about.get("classes") == 2 and "shares" in about:
            about = {**about, "shares": f"{100 * SHARES[about['shares']]:g} % positive"}
        told = (WORDS[name](value) for name, value in about.items())
        return ", ".join(filter(None, told))


def _percent(words):
    return lambda share: words.format(f"{100 * share:.3g} %")


# What the parts of a situation are called in tables.
WORDS = {
    "n": "{:,} samples".format,
    "classes": "{} classes".format,
    "n_of_class": "{} samples of each".format,
    "shares": lambda shares: {
        "equal": "all as frequent",
        "Zipf": "the k-th 1/k as frequent as the first",
        "one of 95 %": "one of them 95 %",
        "one of 90 %": "one of them 90 %",
    }.get(shares, shares),
    "largest": _percent("one of them {} of the population"),
    "right": _percent("{} right"),
    "rates": lambda rates: {
        "alike": "",
        "apart": "more in some classes than in others",
        "equal": "equal rates",
    }[rates],
    "prevalence": _percent("{} positive"),
    "labeled": _percent("{} of those without an alert labeled"),
    "recall_specificity": lambda of_both: "recall {:g}, specificity {:g}".format(*of_both),
    "clusters": "{} clusters".format,
    "correlation": "correlation {:g}".format,
    "sizes": "of up to {} samples".format,
    "groups": "{} groups".format,
    "rarest": _percent("the rarest with {}"),
    "metric": "{}".format,
    "models": "models {}".format,
    "distribution": lambda number: f"{('first', 'second')[number]} distribution",
    "folds": "{} folds".format,
    "positives": "{:,} positives".format,
    "negatives": "{:,} negatives".format,
    "area": "area {:g}".format,
    "spread": "positives spread {:g} times as far".format,
    "spreads": lambda of_both: "positives spread {:g} and {:g} times as far".format(*of_both),
    "sampled": lambda sampled: {
        "log-normal": "log-normal weights",
        "strata": "three strata of weights 1, 5 and 50",
        "strata apart": "three strata of weights 1, 5 and 50 with recalls of their own",
    }[sampled],
    "below": _percent("{} of the positives below all negatives, the rest above"),
    "flagged": lambda of_both: "{:.0f} and {:.0f} % flagged".format(*(100 * of for of in of_both)),
    "overlap": _percent("{} of those of the first also by the second"),
    "crossed": lambda crossed: {
        "counts": "",
        "clusters": "clusters",
        "alerts": "weights of alerts",
        "log-normal": "log-normal weights",
        "clusters alerts": "clusters with weights of alerts",
        "clusters log-normal": "clusters with log-normal weights",
    }[crossed],
    "given": lambda is_given: "at a given prevalence" if is_given else "",
    "scores": lambda scores: f"{scores} scores" if scores != "tied at the bound" else scores,
}


def random_of(cell, *further):
    """A generator of the cell's own, whichever others run."""
    return np.random.default_rng([[*FAMILIES].index(cell.family), cell.place, *further])


def grid(**levels):
    """All combinations."""
    return [
        dict(zip(levels, chosen, strict=True)) for chosen in itertools.product(*levels.values())
    ]


def design(n_cells, **levels):
    """Some combinations in which any two levels meet, about as often as any other two; greedy, with
    a fixed seed.
    """
    random, n_met, chosen = np.random.default_rng(0), collections.Counter(), []

    def pairs(one):
        return [*itertools.combinations(one.items(), 2)]

    while len(chosen) < n_cells:
        some = [
            {name: of[random.integers(len(of))] for name, of in levels.items()} for _ in range(200)
        ]
        chosen.append(max(some, key=lambda one: sum(2.0 ** -n_met[pair] for pair in pairs(one))))
        n_met.update(pairs(chosen[-1]))
    return chosen


# Shares of the classes, and what they are of two classes: the prevalence of the second.
SHARES = {"equal": 0.5, "Zipf": 0.2, "one of 95 %": 0.05, "one of 90 %": 0.01}
METRICS_OF_PAIRS = (
    "accuracy",
    "f1_macro",
    "matthews_corrcoef",
    "balanced_accuracy",
    "precision",
    "f1",
)
RATES = [(0.5, 0.9), (0.8, 0.95), (0.95, 0.99)]
OF_MATRICES = design(
    60,
    n=[20, 50, 200, 1000],
    classes=[2, 3, 5, 10, 30],
    shares=[*SHARES],
    right=[0.5, 0.8, 0.95, 0.99, 0.999],
    rates=["alike", "apart"],
)
FAMILIES = {
    "matrices": [
        *OF_MATRICES,
        # Chance, and a long tail of classes.
        {"n": 500, "classes": 23, "shares": "equal", "right": 1 / 23, "rates": "alike"},
        {"n": 1500, "classes": 50, "shares": "Zipf", "right": 0.9, "rates": "apart"},
    ],
    "weights": grid(
        n=[2000, 10_000], prevalence=[0.05, 0.3], labeled=[0.01, 0.1, 0.5], recall_specificity=RATES
    ),
    "clusters": [
        *grid(clusters=[5, 10, 20, 40], correlation=[0, 0.1, 0.5], right=[0.7, 0.95], sizes=[30]),
        # Some have ten times as many samples as others.
        *grid(clusters=[15, 40], correlation=[0.1, 0.5], right=[0.8, 0.98], sizes=[100]),
    ],
    "groups": [
        *grid(groups=[2, 5, 20], n=[20, 50, 200], rates=["equal", "apart"], classes=[2, 3]),
        *grid(groups=[6], n=[80, 300], rates=["equal"], classes=[2], rarest=[0.05]),
    ],
    "paired": [
        *grid(
            metric=METRICS_OF_PAIRS,
            models=["exchangeable", "equal in the metric", "apart by the margin"],
            distribution=[0, 1],
        )
    ],
    "folds": grid(n=[100, 500], folds=[5, 10, 100]),
    "areas": grid(
        positives=[5, 10, 30, 100],
        negatives=[20, 100, 1000],
        area=[0.6, 0.8, 0.95, 0.99],
        spread=[1, 2.5],
    ),
    "prevalence": grid(
        classes=[2, 3, 10], n_of_class=[10, 40, 150], right=[0.7, 0.95], largest=[0.8]
    ),
    "simultaneous": grid(classes=[5, 30, 100], n_of_class=[20, 50], right=[0.9, 0.99]),
    "sampling": grid(
        n=[150, 1000], prevalence=[0.08, 0.4], sampled=["log-normal", "strata", "strata apart"]
    ),
    "placements": grid(positives=[7, 10, 12, 30], negatives=[100, 1000], below=[0.05, 0.15, 0.4]),
    "areas of two": grid(
        positives=[10, 30], negatives=[100], spreads=[(1, 1), (1, 3)], correlation=[0.5, 0.99]
    ),
    "predictive": grid(
        n=[100, 400],
        flagged=[(0.3, 0.4), (0.3, 0.3), (0.1, 0.3)],
        overlap=[0.6, 0.9],
        right=[0.7, 0.95],
    ),
    "claims": grid(n=[100, 400], prevalence=[0.1, 0.3, 0.5], recall_specificity=RATES),
    "operating points": grid(
        positives=[50], negatives=[50, 400], scores=["continuous", "tied", "tied at the bound"]
    ),
    "labels": grid(n=[50, 200], rarest=[0.05, 0.2], right=[0.8, 0.95]),
    # Two designs at once, with hardly any error or many, and a rare class; a cluster has ten
    # samples.
    "crossed designs": [
        *grid(
            crossed=["clusters alerts", "clusters log-normal"],
            given=[False],
            classes=[2, 4],
            n=[200],
            right=[0.8, 0.95, 0.998],
        ),
        *grid(
            crossed=["clusters", "alerts", "log-normal", "clusters alerts", "clusters log-normal"],
            given=[True],
            classes=[2, 4],
            n=[200],
            right=[0.8, 0.95, 0.998],
        ),
    ],
    # Limits are on the logit of a range that is not from 0 to 1; of counts on none.
    "costs": [
        *grid(
            crossed=["counts", "alerts", "log-normal", "clusters", "clusters log-normal"],
            given=[False],
            classes=[2, 4],
            n=[200, 1000],
            right=[0.8, 0.95, 0.998],
        ),
        *grid(
            crossed=["alerts", "log-normal", "clusters", "clusters log-normal"],
            given=[True],
            classes=[2, 4],
            n=[200, 1000],
            right=[0.8, 0.95, 0.998],
        ),
    ],
}


def cells_of(family):
    return [Cell(family, place, about) for place, about in enumerate(FAMILIES[family])]


def value_of(distribution, metric, options):
    """The metric of a distribution (C, C) of actual and predicted classes."""
    counts = np.round(np.asarray(distribution) * 10**15).astype(np.int64)
    matrix = ConfusionMatrix.from_counts(counts, labels=range(len(distribution)))
    return float(np.ravel(matrix.score(metric, zero_division=np.nan, **options))[0])


def distribution_of_two(prevalence, recall, specificity):
    """The distribution (2, 2) of a negative and a positive class."""
    rates = [[specificity, 1 - specificity], [1 - recall, recall]]
    return np.array([[1 - prevalence], [prevalence]]) * rates


def predictions_of(right, errors):
    """The distribution (C, C) of what is predicted for each actual class, of which a share is
    right.
    """
    distribution = (1 - right)[:, None] * errors
    distribution[np.diag_indices_from(distribution)] = right
    return distribution


def errors_of(n_classes, random):
    """Which class an error is taken for, (C, C)."""
    errors = np.zeros((n_classes, n_classes))
    for k in range(n_classes):
        errors[k, np.arange(n_classes) != k] = random.dirichlet(np.ones(n_classes - 1))
    return errors


def rates_of(right, n, random):
    """Different rates of n classes or groups around one, on the logit."""
    return special.expit(special.logit(right) + random.permutation(np.linspace(-1.5, 1.5, n)))


def distribution_of_matrix(cell):
    """The distribution (C, C) of a cell of "matrices", whose last class is the rarest."""
    random, n_classes = random_of(cell), cell.about["classes"]
    prevalence = (
        1 / np.arange(1, n_classes + 1) if cell.about["shares"] == "Zipf" else np.ones(n_classes)
    )
    if n_classes == 2:
        rare = SHARES[cell.about["shares"]]
        prevalence = np.array([1 - rare, rare])
    elif cell.about["shares"].startswith("one"):
        # All others share the rest.
        of_first = float(cell.about["shares"].split()[2]) / 100
        prevalence[0] = of_first / (1 - of_first) * (n_classes - 1)
    right = np.full(n_classes, cell.about["right"])
    if cell.about["rates"] == "apart":
        right = rates_of(cell.about["right"], n_classes, random)
    return (prevalence / prevalence.sum())[:, None] * predictions_of(
        right, errors_of(n_classes, random)
    )


def keys_of_matrix(n_classes):
    """Each metric of the catalogue, of the first and of the last class, with each average, or over
    all classes.

    What is undefined is left to the default, as by most callers.
    """
    parameters = {
        "fbeta": {"beta": 2},
        "net_benefit": {"threshold_probability": 0.2},
        "expected_cost": {
            "cost_matrix": np.abs(np.subtract.outer(*[np.arange(n_classes, dtype=float)] * 2))
        },
    }
    for row in METRICS:
        of_row = parameters.get(row.name, {})
        if not row.has_average:
            yield row.name, row.name, of_row
            continue
        for which, k in (("first", 0), ("last", n_classes - 1)):
            yield f"{row.name} of {which}", row.name, {"labels": [k], "average": None, **of_row}
        for average in (
            "macro",
            "weighted",
            "micro",
            *(["worst"] if row.better != "neither" else []),
        ):
            yield f"{row.name}, {average}", row.name, {"average": average, **of_row}


def distribution_of_pair(cell):
    """A distribution (C, C, C) of the actual class and two predictions, and a number of samples."""
    tries = (_law_of_pair(cell, random_of(cell, k)) for k in itertools.count())
    return next(found for found in tries if found is not None)


def _law_of_pair(cell, random):
    """One distribution, unless it has rare classes or models that can't be made equal.

    A share of the samples is common to both models; of the others each predicts by itself. Models
    that are equal in the metric alone err at different classes.
    """
    metric, models = cell.about["metric"], cell.about["models"]
    n_classes, n = int(random.integers(2, 7)), int(np.exp(random.uniform(np.log(60), np.log(1000))))
    prevalence = random.dirichlet(np.full(n_classes, 3.0))
    right = special.logit(random.uniform(0.5, 0.95, n_classes))
    common, first = (
        predictions_of(special.expit(right), errors_of(n_classes, random)) for _ in range(2)
    )
    errors, worse = errors_of(n_classes, random), np.eye(n_classes)[0] * random.uniform(1, 2)
    shared = random.uniform(0.3, 0.8)

    def joint(second):
        apart = np.einsum("t,ta,tb->tab", prevalence, first, second)
        return (
            shared * np.einsum("t,ta,ab->tab", prevalence, common, np.eye(n_classes))
            + (1 - shared) * apart
        )

    def shifted(shift):
        return joint(predictions_of(special.expit(right - worse + shift), errors))

    def excess(shift):
        of_a, of_b = (
            value_of(shifted(shift).sum(axis), metric, options_of_pair(metric)) for axis in (2, 1)
        )
        return of_b - of_a

    if (n * prevalence < 5).any() or not excess(-3) < 0 < excess(3):
        return None
    if models == "exchangeable":
        return joint(first), n
    return shifted(optimize.brentq(excess, -3, 3) + (models == "apart by the margin")), n


def options_of_pair(metric):
    """Those of class 1 of as many as there are."""
    return {"labels": [1], "average": None} if metric in ("precision", "f1") else {}


def areas_of(area, spread, prevalence):
    """The distance of positive from negative normal scores, and the average precision of all such
    scores.
    """
    distance = special.ndtri(area) * np.hypot(1, spread)

    def precision(t):
        right, wrong = (
            prevalence * stats.norm.sf(t, distance, spread),
            (1 - prevalence) * stats.norm.sf(t),
        )
        return right / (right + wrong) * stats.norm.pdf(t, distance, spread)

    ends = distance - 9 * spread, distance + 9 * spread
    return distance, integrate.quad(precision, *ends, limit=500, points=[distance, 0])[0]
