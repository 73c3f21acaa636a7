"""Cells of partly labeled samples -> expected counts, and their replicates."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.replicates import chunk_sizes

Counts = NDArray[np.float64]
# A gamma variable needs a shape above 0.
LEAST = 1e-9
# The samples per class added to all cells together, at most one in a cell.
ADDED = 4


class PartialCells(NamedTuple):
    """Samples by stratum and prediction, within which labels are known at random."""

    # How many with each label (..., n_strata, n_predictions, n_classes).
    known: Counts
    # How many with and without a label (..., n_strata, n_predictions).
    totals: Counts
    # The weights (n_cells, n_kinds) by which a cell without label takes the shares of kinds.
    takers: Any
    # Those (n_kinds, n_cells) of cells in these: the product of both is far larger.
    givers: Any

    def at(self, place: tuple[int, ...]) -> "PartialCells":
        """The cells of one entry."""
        n_cells = self.totals[place].size
        entry = int(np.ravel_multi_index(place, self.totals.shape[:-2])) if place else 0
        own = slice(entry * n_cells, (entry + 1) * n_cells)
        return PartialCells(
            self.known[place], self.totals[place], self.takers[own], self.givers[:, own]
        )

    def ordered(self, order: NDArray[np.intp]) -> "PartialCells":
        """The same with the predictions in another order."""
        cells = np.arange(self.totals.size).reshape(self.totals.shape)[..., order].ravel()
        return PartialCells(
            self.known[..., order, :],
            self.totals[..., order],
            self.takers[cells],
            self.givers[:, cells],
        )

    @property
    def without_labels(self) -> NDArray[np.bool_]:
        """Which cells have samples, but none with a label (..., n_strata, n_predictions)."""
        return np.asarray((self.totals > 0) & ~self.known.any(-1))

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Which of these have no other cell to take the shares of."""
        taken = self.takers @ self.givers.sum(1)
        return np.asarray(self.without_labels & (taken == 0).reshape(self.totals.shape))


def cells_of(
    by_stratum: NDArray[Any], predictions: tuple[NDArray[np.intp], ...] = ()
) -> PartialCells:
    """The cells of counts (..., n_strata, n_classes + 1, n_predictions), the last row without
    label. One without any label takes the shares of the same prediction in all strata, or of
    what the first of the models predicted, then the second, and so on.
    """
    known = np.moveaxis(by_stratum[..., :-1, :], -2, -1).astype(np.float64)
    totals = by_stratum.sum(-2, dtype=np.float64)
    *_, n_strata, n_predictions = totals.shape
    entry, _, prediction = (
        place.ravel() for place in np.indices((totals[..., 0, 0].size, n_strata, n_predictions))
    )
    weights = np.where(known.any(-1), totals, 0).ravel()

    def alike(kind: NDArray[np.intp]) -> tuple[Any, Any]:
        """The kind of each cell, and the weights of its known cells, with the sum 1."""
        takers = sparse.csr_array((np.ones(len(kind)), (np.arange(len(kind)), kind)))
        sums = takers.T @ weights
        return takers, _diagonal(1 / np.where(sums > 0, sums, 1)) @ takers.T @ _diagonal(weights)

    takers, givers = alike(entry * n_predictions + prediction)
    if predictions:
        each = [alike(entry * n_predictions + of_model[prediction]) for of_model in predictions]
        have_all = np.all([of_model @ shares.sum(1) > 0 for of_model, shares in each], axis=0)
        means = _diagonal((have_all & (takers @ givers.sum(1) == 0)) / len(each))
        takers = sparse.hstack([takers, *(means @ of_model for of_model, _ in each)], format="csr")
        givers = sparse.vstack([givers, *(shares for _, shares in each)], format="csr")
    return PartialCells(known, totals, takers, givers)


def _diagonal(values: NDArray[Any]) -> Any:
    """A matrix whose rows scale those of another."""
    return sparse.diags_array(values.astype(np.float64), format="csr")


def expected_counts(cells: PartialCells) -> Counts:
    """The counts (..., n_classes, n_predictions) to expect of all samples."""
    n_labels = cells.known.sum(-1, keepdims=True)
    return _divided(cells, cells.known / np.where(n_labels > 0, n_labels, 1), cells.totals)


def _divided(cells: PartialCells, shares: Counts, totals: NDArray[Any]) -> Counts:
    """The total of each cell by its shares, or those that it takes from others."""
    if cells.without_labels.any():
        of_cells = shares.reshape(-1, cells.totals.size, shares.shape[-1]).swapaxes(0, 1)
        taken = (cells.takers @ (cells.givers @ of_cells.reshape(cells.totals.size, -1))).reshape(
            of_cells.shape
        )
        shares = np.where(
            cells.known.any(-1, keepdims=True), shares, taken.swapaxes(0, 1).reshape(shares.shape)
        )
    return np.asarray(np.einsum("...spc,...sp->...cp", shares, totals))


def replicates_of_cells(
    cells: PartialCells, n: int, random: np.random.Generator
) -> Iterator[Counts]:
    """Chunks (r, ..., n_classes, n_predictions) of the counts of as many other samples.

    Samples are multinomial over the cells, shares in a cell Dirichlet, with half a sample added per
    class, and less of more than two classes in small cells, which it would outweigh.
    """
    shape, n_classes = cells.totals.shape, cells.known.shape[-1]
    of_all = cells.totals.reshape(*shape[:-2], shape[-2] * shape[-1])
    sizes = of_all.sum(-1)
    of_cells = of_all + (sizes == 0)[..., None]
    of_cells /= of_cells.sum(-1, keepdims=True)
    added = (
        np.ones(shape)
        if n_classes == 2
        else np.minimum(1, ADDED * n_classes * of_cells.reshape(shape))
    )
    parameters = (
        cells.known
        + np.where(cells.known.any(-1), np.maximum(added, LEAST), 1)[..., None] / n_classes
    )
    for r in chunk_sizes(n, cells.known.size):
        totals = random.multinomial(
            sizes.astype(np.int64), of_cells, size=(r, *shape[:-2])
        ).reshape(r, *shape)
        weights = random.standard_gamma(parameters, size=(r, *parameters.shape))
        yield _divided(cells, weights / weights.sum(-1, keepdims=True), totals)
