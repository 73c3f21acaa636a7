"""Probabilities of several classes and bounds -> the best weight of each class."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Rule, codes_from_scores
from skmetrics_ext.catalogue.averages import AVERAGES
from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import Matrix, count_matrix
from skmetrics_ext.curves.best import Bound, Constraint, check_bounds, check_has_best, read_bound
from skmetrics_ext.estimators.chosen_threshold import KeptConstraint, MetricName
from skmetrics_ext.estimators.held_out import HeldOut
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.reading.pairs import Encoded

# The most weights of a class that are tried at once, and the most cells of their matrices.
MOST_WEIGHTS = 1 << 12
MOST_CELLS = 1 << 19

# A weight this many times another one would only follow the rounding errors of probabilities.
EXTREME = 1e50

# Smaller gains are rounding errors.
DECIMALS = 12

# Further starts, since the first ones may be stuck at a bound.
N_RANDOM_STARTS = 8


class Objective(NamedTuple):
    """The metric to optimise over all classes, and the bounds: what is bounded, as asked, and its
    limits.
    """

    classes: Column
    choice: Choice
    bounds: list[tuple[Choice, Bound, Constraint]]

    def values(self, choice: Choice, matrices: Matrix) -> NDArray[np.float64]:
        """The value of a metric for each matrix, as a scorer gives it."""
        counted = CountedMatrix(matrices, self.classes.labels, ranking=self.classes.ranking)
        return np.asarray(score(counted, choice))

    def constraints(self, matrices: Matrix) -> list[Constraint]:
        """The bounds with the values for each matrix."""
        return [
            limits._replace(values=self.values(choice, matrices))
            for choice, _, limits in self.bounds
        ]

    def losses(self, matrices: Matrix) -> NDArray[np.float64]:
        """How much each matrix misses the bounds, and its value as a loss (..., 2)."""
        missed = np.zeros(matrices.shape[:-2])
        for constraint in self.constraints(matrices):
            with np.errstate(invalid="ignore"):
                # An infinite value minus an infinite bound is NaN; fmax then takes the other bound.
                below = constraint.low - constraint.values
                above = constraint.values - constraint.high
                missed += np.where(constraint.holds, 0, np.fmax(below, above))
        sign = -1 if self.choice.row.better == "higher" else 1
        loss = sign * self.values(self.choice, matrices)
        both = np.stack([missed, loss], axis=-1).round(DECIMALS)
        return np.where(np.isnan(both), np.inf, both)


def read_objective(
    metric: MetricName, subject_to: Mapping[Any, Bound] | None, classes: Column
) -> Objective:
    """The metric and the bounds, validated; named as scorers name them: "f1_macro",
    "recall_ill".
    """
    choice = _choice(metric, classes.labels)
    check_has_best(choice.row)
    bounds = []
    for bounded_metric, bound in check_bounds(subject_to).items():
        of_bound = _choice(bounded_metric, classes.labels)
        name = bounded_metric if isinstance(bounded_metric, str) else of_bound.row.name
        text, low, high = read_bound(name, of_bound.row.better, bound)
        bounds.append((of_bound, bound, Constraint(text, name, low, high, np.empty(0))))
    return Objective(classes, choice, bounds)


def _choice(metric: MetricName, labels: NDArray[Any]) -> Choice:
    """A metric over all classes, or of the class at the end of its name."""
    choice = None
    asked = metric if isinstance(metric, str) else ""
    for place, name in enumerate(plain(labels)):
        row = BY_NAME.get(asked.removesuffix(f"_{name}").lower())
        if row is not None and row.has_average and asked.endswith(f"_{name}"):
            if name in AVERAGES:
                raise ValueError(
                    f"{asked!r} may be an average or the value of a class: rename the class "
                    f"{name!r}."
                )
            choice = choose(row, average="macro", labels=labels[[place]])
    return (choice or choose(metric)).quiet()


def choose_weights(
    objective: Objective, held_out: HeldOut
) -> tuple[NDArray[np.float64], float, list[KeptConstraint]]:
    """The best weights that coordinate ascent finds, of which the largest is 1, the value, and the
    bounds they meet.
    """
    labels = objective.classes.labels
    support = np.bincount(held_out.codes, held_out.weights, minlength=len(labels))
    if (absent := support == 0).any():
        raise ValueError(
            "the samples held out to choose the weights hold none of the classes "
            f"{show(labels[absent])}: pass "
            "samples of each class, or another cv."
        )
    starts = [np.ones(len(labels)), support.min() / support]
    if objective.bounds:
        random = np.random.default_rng(0)
        starts += [np.exp(random.normal(0, 1.5, len(labels))) for _ in range(N_RANDOM_STARTS)]
    candidates = [_climbed(objective, held_out, start) for start in starts]
    matrices = np.stack([_matrix(labels, held_out, weights) for weights in candidates])
    best = min(range(len(candidates)), key=lambda place: tuple(objective.losses(matrices[place])))
    constraints = objective.constraints(matrices[best])
    missed, loss = objective.losses(matrices[best])
    if missed > 0:
        wanted = " and ".join(constraint.text for constraint in constraints)
        reached = [f"{constraint.name} {constraint.values:.6g}" for constraint in constraints]
        nearest = ", ".join(reached)
        raise ValueError(
            f"no weights were found that satisfy {wanted}. The nearest give {nearest}. Relax a "
            "bound."
        )
    if np.isposinf(loss):
        raise ValueError(
            f"{objective.choice.row.name} is undefined (0/0) for all weights: choose another "
            "metric."
        )
    both = zip(objective.bounds, constraints, strict=True)
    kept = [
        KeptConstraint(metric=limits.name, required=asked, value=limits.values.item(), limit=None)
        for (_, asked, _), limits in both
    ]
    weights = candidates[best] / candidates[best].max()
    value = objective.values(objective.choice, matrices[best]).item()
    return weights, value, kept


def codes_by_weights(
    shares: NDArray[Any], labels: NDArray[Any], weights: NDArray[np.float64]
) -> NDArray[Any]:
    """The code of the class with the largest product of probability and weight."""
    return codes_from_scores(shares, labels, Rule(1 / weights, ranking=labels))


def _climbed(
    objective: Objective, held_out: HeldOut, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weights after changing one at a time to its best value, until none improves."""
    labels = objective.classes.labels
    best = tuple(objective.losses(_matrix(labels, held_out, weights)))
    is_better = True
    while is_better:
        is_better = False
        for k in range(len(labels)):
            tried, matrices = _matrices_along(labels, held_out, weights, k)
            if not len(tried):
                continue
            losses = objective.losses(matrices)
            place = np.lexsort(losses.T[::-1])[0]
            if tuple(losses[place]) < best:
                best = tuple(losses[place])
                is_better = True
                weights = np.where(np.arange(len(labels)) == k, tried[place], weights)
                weights = weights / weights.max()
    return weights


def _matrix(labels: NDArray[Any], held_out: HeldOut, weights: NDArray[np.float64]) -> Matrix:
    """The confusion matrix of the samples with these weights."""
    codes = codes_by_weights(held_out.scores, labels, weights)
    return count_matrix(
        Encoded(held_out.codes, codes, labels, len(labels), held_out.weights, labels)
    )


def _matrices_along(
    labels: NDArray[Any], held_out: HeldOut, weights: NDArray[np.float64], k: int
) -> tuple[NDArray[np.float64], Matrix]:
    """The weights of one class between which labels change, and the confusion matrix with each of
    them.

    A sample is predicted as the class if its weight is above the largest product of another class,
    divided by the probability of the class: one sort of these quotients, and cumulative counts of
    the samples in this order.
    """
    shares = held_out.scores
    products = shares * weights
    products[:, k] = -1
    rivals = products.argmax(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        change = products[np.arange(len(rivals)), rivals] / shares[:, k]
    change[np.isnan(change)] = np.inf
    ends = np.sort(change[(change > 1 / EXTREME) & (change < EXTREME)])
    # So that half the least and twice the largest are tried, too.
    ends = np.concatenate((ends[:1] / 4, ends, 4 * ends[-1:]))
    # Probabilities vary in their last digits with the batch, so a weight stands only where there is
    # a gap.
    (places,) = np.nonzero(ends[1:] > ends[:-1] * (1 + 16 * np.finfo(shares.dtype).eps))
    most = min(MOST_WEIGHTS, max(MOST_CELLS // len(labels) ** 2, 16))
    if len(places) > most:
        places = places[np.linspace(0, len(places) - 1, most).astype(int)]
    tried = np.sqrt(ends[places]) * np.sqrt(ends[places + 1])
    # The samples that the class takes from each rival with each weight, and after the last one.
    encoded = Encoded(held_out.codes, rivals, labels, len(labels), held_out.weights, labels)
    taken = count_matrix(encoded, np.searchsorted(tried, change), len(tried) + 1).cumsum(axis=0)
    matrices = np.maximum(taken[-1] - taken[:-1], 0)
    matrices[:, :, k] += np.einsum("mij->mi", taken[:-1])
    return tried, matrices
