"""Probabilities of several classes and bounds -> the best weight of each class."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Rule, codes_from_scores
from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.names import MetricName
from skmetrics_ext.catalogue.score import check_of_two, score
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import Margins, Matrix, count_matrix
from skmetrics_ext.curves.best import (
    Bound,
    Constraint,
    beside_bounds,
    check_bounds,
    check_has_best,
    read_bound_of,
)
from skmetrics_ext.curves.promised_threshold import KeptConstraint
from skmetrics_ext.estimators.held_out import HeldOut
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import show
from skmetrics_ext.reading.pairs import Encoded

# The most weights of a class that are tried at once, and the most cells of their matrices.
MOST_WEIGHTS = 1 << 12
MOST_CELLS = 1 << 19

# Beyond this ratio, weights only follow rounding errors of probabilities.
EXTREME = 1e50

# Smaller gains are rounding errors.
DECIMALS = 12

# Further starts, since the first ones may be stuck at a bound.
N_RANDOM_STARTS = 8


class Objective(NamedTuple):
    """The metric to optimize over all classes, and the bounds as asked, with their limits."""

    classes: Column
    choice: Choice
    bounds: list[tuple[Choice, Bound, Constraint]]
    weight_of_one: float = 1.0

    @property
    def needs_matrix(self) -> bool:
        """Whether margins do not suffice for the metric and the bounds."""
        choices = [self.choice, *(choice for choice, *_ in self.bounds)]
        return any(not choice.row.has_average and choice.takes_matrix for choice in choices)

    def values(self, choice: Choice, counts: Any) -> NDArray[np.float64]:
        """The value of a metric for each matrix, or its margins, as a scorer gives it."""
        classes, weight = self.classes, self.weight_of_one
        counted = CountedMatrix(
            counts, classes.labels, ranking=classes.ranking, weight_of_one=weight
        )
        return np.asarray(score(counted, choice))

    def constraints(self, counts: Matrix | Margins) -> list[Constraint]:
        """The bounds with the values for each matrix."""
        return [
            limits._replace(values=self.values(choice, counts)) for choice, _, limits in self.bounds
        ]

    def losses(self, counts: Matrix | Margins) -> NDArray[np.float64]:
        """How much each matrix misses the bounds, and its value as a loss (..., 2)."""
        sign = -1 if self.choice.row.better == "higher" else 1
        loss = sign * self.values(self.choice, counts)
        missed = np.zeros_like(loss)
        for constraint in self.constraints(counts):
            with np.errstate(invalid="ignore"):
                # An infinite value minus an infinite bound is NaN; fmax then takes the other bound.
                below = constraint.low - constraint.values
                above = constraint.values - constraint.high
                missed += np.where(constraint.holds, 0, np.fmax(below, above))
        both = np.stack([missed, loss], axis=-1).round(DECIMALS)
        return np.where(np.isnan(both), np.inf, both)


def read_objective(
    metric: MetricName, subject_to: Mapping[Any, Bound] | None, classes: Column
) -> Objective:
    """The validated metric and bounds, named as scorers do: "f1_macro", "recall_ill"."""
    choice = _choice(metric, classes.labels)
    check_has_best(choice.row, choice.asked)
    bounds = []
    for bounded_metric, bound in check_bounds(subject_to).items():
        of_bound = choose(bounded_metric, classes=classes.labels).quiet()
        text, low, high = read_bound_of(of_bound.row, of_bound.key, bound)
        bounds.append((of_bound, bound, Constraint(text, of_bound.key, low, high, np.empty(0))))
    return Objective(classes, choice, bounds)


def _choice(metric: MetricName, labels: NDArray[Any]) -> Choice:
    """A metric over all classes, or of the class that its name ends with."""
    choice = choose(metric, classes=labels).quiet()
    advice = f"One class is named as in '{choice.asked}_{labels[-1]}'."
    check_of_two(choice, labels, is_named=choice.positive is not None, advice=advice)
    return choice


def choose_weights(
    objective: Objective, held_out: HeldOut
) -> tuple[NDArray[np.float64], float, list[KeptConstraint]]:
    """The best weights that coordinate ascent finds, the largest 1, their value and bounds."""
    labels = objective.classes.labels
    objective = objective._replace(weight_of_one=held_out.weight_of_one)
    support = np.bincount(held_out.codes, held_out.weights, minlength=len(labels))
    if (absent := support == 0).any():
        raise ValueError(
            "the samples held out to choose the weights hold none of the classes "
            f"{show(labels[absent])}: pass samples of each class, or another cv."
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
        reached = [
            f"{of.name} {beside_bounds(of.values.item(), (of.low, of.high), 6, 'g')}"
            for of in constraints
        ]
        nearest = ", ".join(reached)
        raise ValueError(
            f"no weights were found that satisfy {wanted}. The nearest give {nearest}. Relax a "
            "bound."
        )
    if np.isposinf(loss):
        raise ValueError(
            f"{objective.choice.asked} is undefined (0/0) for all weights: choose another metric."
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
    count_along = _matrices_along if objective.needs_matrix else _margins_along
    best = tuple(objective.losses(_matrix(labels, held_out, weights)))
    largest = _largest_two(held_out.scores * weights)
    is_better = True
    while is_better:
        is_better = False
        for k in range(len(labels)):
            changes = _changes(held_out, weights, largest, k)
            if not len(changes.tried):
                continue
            losses = objective.losses(count_along(labels, held_out, changes, k))
            place = np.lexsort(losses.T[::-1])[0]
            if tuple(losses[place]) < best:
                best = tuple(losses[place])
                is_better = True
                weights = np.where(np.arange(len(labels)) == k, changes.tried[place], weights)
                weights = weights / weights.max()
                largest = _largest_two(held_out.scores * weights)
    return weights


def _matrix(labels: NDArray[Any], held_out: HeldOut, weights: NDArray[np.float64]) -> Matrix:
    """The confusion matrix of the samples with these weights."""
    codes = codes_by_weights(held_out.scores, labels, weights)
    return count_matrix(
        Encoded(held_out.codes, codes, labels, len(labels), held_out.weights, labels)
    )


class _Two(NamedTuple):
    """The code of the largest product of probability and weight of each sample, and of the next."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]


def _largest_two(products: NDArray[np.float64]) -> _Two:
    """The largest two products of each sample."""
    first = products.argmax(axis=1)
    products[np.arange(len(first)), first] = -1
    return _Two(first, products.argmax(axis=1))


class Changes(NamedTuple):
    """Weights (m,) of one class between those at which labels change; of each sample the class
    below its change, and how many weights are below.
    """

    tried: NDArray[np.float64]
    rival: NDArray[np.intp]
    n_below: NDArray[np.intp]


def _changes(held_out: HeldOut, weights: NDArray[np.float64], largest: _Two, k: int) -> Changes:
    """Weights of one class between which it takes samples from the largest of the others."""
    shares = held_out.scores
    rival = np.where(largest.first == k, largest.second, largest.first)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        change = shares[np.arange(len(rival)), rival] * weights[rival] / shares[:, k]
    change[np.isnan(change)] = np.inf
    ends = np.sort(change[(change > 1 / EXTREME) & (change < EXTREME)])
    # So that half the least and twice the largest are tried, too.
    ends = np.concatenate((ends[:1] / 4, ends, 4 * ends[-1:]))
    # Last digits of probabilities vary with the batch, so a weight needs a gap.
    (places,) = np.nonzero(ends[1:] > ends[:-1] * (1 + 16 * np.finfo(shares.dtype).eps))
    most = min(MOST_WEIGHTS, max(MOST_CELLS // len(weights) ** 2, 16))
    if len(places) > most:
        places = places[np.linspace(0, len(places) - 1, most).astype(int)]
    tried = np.sqrt(ends[places]) * np.sqrt(ends[places + 1])
    return Changes(tried, rival, np.searchsorted(tried, change))


def _matrices_along(labels: NDArray[Any], held_out: HeldOut, changes: Changes, k: int) -> Matrix:
    """The matrix at each weight of a class: cumulative counts of what it takes from each rival."""
    encoded = Encoded(held_out.codes, changes.rival, labels, len(labels), held_out.weights, labels)
    # With each weight, and beyond the last one.
    taken = count_matrix(encoded, changes.n_below, len(changes.tried) + 1).cumsum(axis=0)
    # Exactly 0 where nothing is left to take.
    matrices = taken[-1] - taken[:-1]
    matrices[:, :, k] += np.einsum("mij->mi", taken[:-1])
    return np.asarray(matrices)


def _margins_along(labels: NDArray[Any], held_out: HeldOut, changes: Changes, k: int) -> Margins:
    """The margins of these matrices, counted without them."""
    weights, n_classes = held_out.weights, len(labels)
    numbers = np.ones(len(held_out.codes)) if weights is None else weights > 0
    of_samples = _margins_by_difference(n_classes, held_out.codes, numbers, changes, k)
    if weights is None:
        return of_samples
    of_weights = _margins_by_difference(n_classes, held_out.codes, weights, changes, k)
    # What no sample is in is 0, whatever differences of weights are by rounding.
    parts = zip(of_samples, of_weights, strict=True)
    return Margins(*(np.where(number == 0, 0, weight) for number, weight in parts))


def _margins_by_difference(
    n_classes: int, actual: NDArray[Any], weights: NDArray[Any], changes: Changes, k: int
) -> Margins:
    """The margins at each weight of a class, exact for integers."""
    n_weights, is_of_class = len(changes.tried), actual == k
    is_right = changes.rival == actual

    def counted(cells: NDArray[np.intp], which: NDArray[np.bool_], n_cells: int) -> NDArray[Any]:
        """These samples in the cells below each weight, and below none (n_weights + 1, n_cells)."""
        places = changes.n_below[which] * n_cells + cells[which]
        counts = np.bincount(places, weights[which], (n_weights + 1) * n_cells)
        return counts.reshape(n_weights + 1, n_cells).cumsum(axis=0)

    def predicted(of_rivals: NDArray[np.bool_], of_class: NDArray[np.bool_]) -> NDArray[Any]:
        """These samples by their label with each weight (n_weights, n_classes)."""
        taken = counted(changes.rival, of_rivals, n_classes)
        labels = np.maximum(taken[-1] - taken[:-1], 0)
        labels[:, k] += counted(np.zeros_like(changes.rival), of_class, 1)[:-1, 0]
        return np.asarray(labels)

    right, wrong = predicted(is_right, is_of_class), predicted(~is_right, ~is_of_class)
    support = np.bincount(actual, weights, n_classes)
    missed = np.maximum(support - right, 0)
    return Margins(right, wrong, missed, np.maximum(support.sum() - right - wrong - missed, 0))
