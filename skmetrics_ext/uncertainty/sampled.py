"""Units of samples beside a question: what each adds to the cells that are asked about, and replicates of them."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import asked_of_classes
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.counting.units import Units
from skmetrics_ext.uncertainty.methods import samples_of
from skmetrics_ext.uncertainty.question import Array, Question, question_of, question_of_labels

# So many rows of all tables together are drawn from; the limits would not change by more.
MOST_ROWS = 1 << 10
# Into at least so many pools units are put of which there are more.
FEWEST_POOLS = 1 << 8


class Sampled(NamedTuple):
    """Units of samples, and how sums over them are read."""

    units: Units
    counted_of: Callable[[Array], Counted]
    """Counts of one number a cell."""
    name: str
    """What a unit is: a sample or a cluster."""
    once: Counted
    """The counts of all samples without their weights, unless these are numbers of samples."""

    @property
    def counted(self) -> Counted:
        """The counts of all units."""
        return self.counted_of(self.units.totals()[0])

    def question(self, choice: Choice) -> Question:
        """What is asked of all units, of which a pseudo-unit has a typical weight, the more so the heavier they are."""
        counted, times = self.counted, self.units.times
        weights = self.units.cells[0].sum(axis=1) / (len(counted.order) if counted.multilabel else 1)
        return _question_of_units(counted, choice)._replace(unit=float(times @ weights**2 / (times @ weights)))

    def n_samples(self, choice: Choice) -> Any:
        """How many samples each value is about."""
        return samples_of(_question_of_units(self.once, choice))

    def powers(self, choice: Choice, power: int) -> Question:
        """The same of powers of what the units add: of 0 their number, of 2 the squares."""
        cells = self.units.cells[0]
        powers = self.units.times @ (cells.astype(bool).astype(np.float64) if power == 0 else cells.power(power))
        return _question_of_units(self.counted_of(powers), choice)


class Rows(NamedTuple):
    """What units add to the cells of one table, and how often."""

    cells: Any
    """A sparse (n_rows, n_cells)."""
    times: NDArray[Any]


def rows_of(sampled: Sampled, question: Question) -> list[Rows]:
    """The units of each table of a question."""
    cells, times = sampled.units.cells[0], sampled.units.times
    if question.positions is None:
        return [Rows(cells, times)]
    counted = sampled.counted
    n_classes = len(counted.order)
    tables = []
    for position in question.positions:
        if counted.multilabel:
            label, place = np.divmod(cells.indices, 4)
            weights = np.where(label == position, cells.data, 0)
        else:
            actual, predicted = np.divmod(cells.indices, n_classes)
            place, weights = 2 * (actual == position) + (predicted == position), cells.data
        table = sparse.csr_array((weights, place, cells.indptr), shape=(len(times), 4), copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        tables.append(Rows(table, times))
    return tables


def values_of_units(question: Question, tables: list[Rows], n: int, random: np.random.Generator) -> Array:
    """The values (n, ...) of replicates of which the units are drawn, each with all that it adds.

    Pseudo-units are among them. Of very many units pools are drawn, which vary as much.
    """
    most = max(MOST_ROWS // len(tables), FEWEST_POOLS)
    tables = [table if table.cells.shape[0] <= most else _in_pools(table, most, random) for table in tables]
    patterns, amounts = _pseudo_units(question)
    laws = [_law(table, patterns, share) for table, share in zip(tables, amounts, strict=True)]
    size = max(len(shares) for _, _, shares in laws) * len(laws)
    return _values_of_tables(
        question,
        (
            [random.multinomial(total, shares, size=r) @ cells for total, cells, shares in laws]
            for r in chunk_sizes(n, size)
        ),
    )


def values_of_weights(question: Question, tables: list[Rows], n: int, random: np.random.Generator) -> Array:
    """The values (n, ...) of replicates of samples with weights.

    Of few distinct weights in each cell samples are drawn; of many the sums of weights and of their
    squares tell a Poisson law of the same mean and spread.
    """
    distinct = [_distinct(table) for table in tables]
    if sum(len(table.times) for table in distinct) <= MOST_ROWS:
        return values_of_units(question, distinct, n, random)
    smoothing = question.smoothing
    sums = question.matrices + smoothing
    of_tables = [table.times @ table.cells.power(2) for table in tables]
    squares = np.reshape(of_tables, sums.shape) + smoothing * question.unit
    step = np.where(sums > 0, squares, 1) / np.where(sums > 0, sums, 1)
    return np.concatenate(
        [
            question.value_of(step * random.poisson(sums / step, size=(r, *sums.shape)))
            for r in chunk_sizes(n, sums.size)
        ]
    )


def _question_of_units(counted: Counted, choice: Choice) -> Question:
    """What is asked of each class or of a matrix, or of all labels together."""
    if not counted.multilabel:
        return question_of(counted, choice)
    is_of_each = choice.row.has_average and asked_of_classes(counted, choice).average is None
    return question_of(counted, choice) if is_of_each else question_of_labels(counted, choice)


def _values_of_tables(question: Question, drawn: Iterable[list[Array]]) -> Array:
    """The values of replicates of the cells (r, n_cells) of each table."""
    shape = question.matrices.shape
    return np.concatenate([question.value_of(np.stack(tables, 1).reshape(len(tables[0]), *shape)) for tables in drawn])


def _pseudo_units(question: Question) -> tuple[Any, Array]:
    """What pseudo-units add (n_pseudo, n_cells), and how many there are of each (n_tables, n_pseudo).

    Each adds to one cell; of several labels to the same cell of each label.
    """
    amounts = question.smoothing / question.unit
    if question.is_of_labels:
        cells = np.concatenate([np.diag(of_label > 0) for of_label in amounts], axis=1)
        return sparse.csr_array(question.unit * cells), np.full((1, 4), 0.25)
    amounts = amounts.reshape(-1, question.matrices.shape[-2] * question.matrices.shape[-1])
    return question.unit * sparse.eye_array(amounts.shape[1], format="csr"), amounts


def _law(table: Rows, patterns: Any, amounts: Array) -> tuple[int, Any, Array]:
    """How many units are drawn, what each kind adds, and its share."""
    shares = np.concatenate([table.times, amounts])
    return int(table.times.sum()), sparse.vstack([table.cells, patterns], format="csr"), shares / shares.sum()


def _distinct(table: Rows) -> Rows:
    """Rows of one cell each without repetition."""
    kept = table.cells.tocoo()
    weights, which = np.unique(kept.data, return_inverse=True)
    pairs, code = np.unique(kept.col.astype(np.int64) * len(weights) + which.reshape(-1), return_inverse=True)
    times = np.bincount(code.reshape(-1), table.times[kept.row], minlength=len(pairs)).astype(np.int64)
    cell, weight = np.divmod(pairs, len(weights))
    shape = len(pairs), table.cells.shape[1]
    return Rows(sparse.csr_array((weights[weight], (np.arange(len(pairs)), cell)), shape=shape), times)


def _in_pools(table: Rows, n_pools: int, random: np.random.Generator) -> Rows:
    """As many units in each pool, whichever; to draw pools has nearly the law of drawing units."""
    units = np.repeat(np.arange(len(table.times)), table.times)
    pools = random.permutation(len(units)) % n_pools
    parts = sparse.csr_array((np.ones(len(units)), (pools, units)), shape=(n_pools, len(table.times)))
    return Rows(parts @ table.cells, np.ones(n_pools, dtype=np.int64))
