"""SampleDesign: how the samples behind counts were obtained, whatever is done with these."""

# What moves whole cells (selection, label order, further entries) moves those of a design in the
# same way; sums and stacks say what they put together.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.division import mean_weight
from skmetrics_ext.reading.order import check_same_kind, positions_in, sorted_union
from skmetrics_ext.writing.text import numbered

MoveCells = Callable[[NDArray[Any]], NDArray[Any]]
# What is said of all cells, or, where entries were obtained in unlike ways, of each cell.
Fact = float | NDArray[Any]
# The names of models; of cells without samples it may be 0.
Models = tuple[int, ...]

# The axis of a cross-validation, whose entries may share samples.
FOLD = "fold"
# Weights that differ by less are equal.
ROUNDING = 1e-9

# More cells of clusters per sample are sorted.
MOST_COUNTED = 8

# More samples at all thresholds take too much memory in clusters.
MOST_IN_CLUSTERS = 20_000_000
TOO_MANY = (
    "the clusters at so many thresholds would take too much memory: pass fewer thresholds, or one "
    "to at()"
)
# What remains of readings by readers who are no sample of more.
INSTEAD = "take the cases alone as clusters, and these readers as fixed"
WEIGHTS_ALONE = (
    "the counts are sums of sample_weight, and the sums of their squares are not known: count the "
    "samples with from_predictions(sample_weight=), or pass frequency_weights=True if each weight "
    "is the number of times a sample occurs"
)


class Clusters(NamedTuple):
    """The code of the cluster of each sample, and the name of each cluster."""

    codes: NDArray[Any]
    names: NDArray[Any]
    # What a cluster is: maybe a sample counted several times.
    unit: str = "cluster"


class CrossedUnits(NamedTuple):
    """The case and the reader of each sample, both drawn from more."""

    cases: Clusters
    readers: Clusters


@dataclass(frozen=True, eq=False, repr=False)
class SampleDesign:
    """How the samples behind counts were obtained: independently, unless it says otherwise.

    Its facts are arrays in the shape of the counts where entries were obtained in unlike ways.
    """

    # How many times each sample is counted, after sums of entries that share samples, such as
    # labels or thresholds; the same in summed folds, 0 without these.
    repeats: Fact = 1.0
    folds: Fact = 0.0
    # Whether the same samples chose the threshold, as 1 or 0.
    chosen: Fact = 0.0
    # The axes whose entries share samples, and in how many of them each is.
    shared: tuple[tuple[str, Fact], ...] = ()
    # The names of the models of a cross-validation that made the predictions, fitted to this mean
    # share; in the order of the folds, where there is an axis of these.
    models: Models | NDArray[Any] = ()
    train_share: Fact = 0.0

    # Of what kind it is in the table of methods.
    kind: ClassVar[str] = "independent"
    # What messages call the samples.
    name: ClassVar[str] = "independent samples"
    # What they are called where a method does not apply to them.
    of_samples: ClassVar[str] = ""
    # Whether the counts are no numbers of samples.
    are_weights: ClassVar[bool] = False
    # Whether samples are resampled together.
    keeps_units_together: ClassVar[bool] = False
    # Whether proportions have exact limits.
    has_exact_limits: ClassVar[bool] = True

    def __repr__(self) -> str:
        return f"{self.name}{self._of_models}"

    @property
    def n_models(self) -> Fact:
        """How many models of a cross-validation made the predictions; 0 if none is known."""
        if isinstance(self.models, np.ndarray):
            return np.asarray(NUMBER_OF(self.models), dtype=np.int64)
        return len(self.models)

    @property
    def _of_models(self) -> str:
        """By which models, as the end of a description."""
        if self._unlike:
            return ", in entries that were obtained in unlike ways"
        if not self.n_models:
            return ""
        times = self.folds or dict(self.shared).get(FOLD, 1.0)
        repetitions = f" in {times:.3g} repetitions" if times > 1 else ""
        share = f"{100 * self.train_share:.3g} %"
        models = "1 model" if self.n_models == 1 else f"{self.n_models} models"
        return f", predicted by {models} of cross-validation{repetitions}, fitted to {share} each"

    @property
    def about(self) -> dict[str, Any]:
        """What another design of the same samples has in common."""
        return {field.name: getattr(self, field.name) for field in fields(SampleDesign)}

    @property
    def facts(self) -> SampleDesign:
        """What it says whatever the cells are."""
        return SampleDesign(**self.about)

    @property
    def of_cells_alone(self) -> Self:
        """What it says of the cells, and nothing else."""
        return replace(self, **INDEPENDENT.about)

    @property
    def of_entries(self) -> SampleDesign:
        """What it says of each entry, without the samples of several."""
        return self

    def of_cells(self, found: SampleDesign) -> SampleDesign:
        """The design of cells of these samples, of which their weights or clusters are found."""
        return replace(found, **self.about)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                own = read_only(value)
                object.__setattr__(self, name, own)

    @property
    def _unlike(self) -> list[NDArray[Any]]:
        """The facts that differ between cells."""
        facts = [*self.about.values(), *dict(self.shared).values()]
        return [fact for fact in facts if isinstance(fact, np.ndarray)]

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the counts that it is of; None for any."""
        return next((fact.shape for fact in self._unlike), None)

    @property
    def sees_samples(self) -> bool:
        """Whether it says more than the counts do."""
        return False

    def refusal(self, wanted: str) -> str:
        """Why it can't promise what is wanted; empty if it can."""
        most = np.max(self.repeats)
        if most <= 1:
            return ""
        return (
            f"each sample is counted {most:.3g} times, since the entries that were summed "
            f"have samples in common, so that {wanted} would be far too narrow: select one entry "
            "with sel(), or count with ConfusionMatrix.from_predictions(..., clusters=...)."
        )

    def fits(self, counts: NDArray[Any]) -> bool:
        """Whether it may be the design of these counts."""
        shapes = {self.shape, *(fact.shape for fact in self._unlike)}
        return shapes <= {None, counts.shape}

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        """The numbers of samples in the cells of such counts."""
        return counts

    def weight_of_one(self, counts: NDArray[Any]) -> Fact:
        """The mean weight of a sample in each matrix (...) of such counts."""
        return mean_weight(counts, self.numbers_of(counts)) if self.are_weights else 1.0

    def described(self, total: str) -> str:
        """What counts of such a sum are of."""
        return f"{total} samples"

    def without_units(self) -> SampleDesign:
        """The design of the same samples where each unit is one, or each has a label."""
        return self

    def without_weights(self, counts: NDArray[Any]) -> SampleDesign:
        """The design of the numbers of samples, where those of a cell have one weight."""
        return self

    def moved(self, move: MoveCells) -> Self:
        """The design of moved counts, whose cells stay whole."""

        def of_moved(fact: NDArray[Any]) -> Any:
            """The fact of moved cells; that of all whose samples are known, if it is one."""
            was_there = move(np.ones(fact.shape, dtype=bool))
            return _alike(move(fact), was_there)

        return self._with_facts(of_moved)

    def summed(self, place: int) -> SampleDesign:
        """The design of sums over an axis of separate samples."""
        return self._with_facts_of_any(place)

    def _with_facts_of_any(self, place: int) -> Self:
        """The design where all entries of an axis are what any of them is."""
        pooled = self._with_facts(lambda fact: _alike(_of_any(fact, place)))
        if not isinstance(self.models, np.ndarray):
            return pooled
        # Counts of several models are those of folds that were summed.
        are_pooled = pooled.n_models > np.max(self.n_models, place)
        return replace(pooled, folds=_alike(np.maximum(pooled.folds, are_pooled)))

    def _with_facts(self, change: Callable[[NDArray[Any]], Any]) -> Self:
        """The design where what differs between cells is changed."""
        if not self._unlike:
            return self

        def changed(fact: Any) -> Any:
            return change(fact) if isinstance(fact, np.ndarray) else fact

        facts = {name: changed(fact) for name, fact in self.about.items()}
        shared = {name: changed(times) for name, times in self.shared}
        return replace(self, **facts | {"shared": _several_times(shared)})

    def without_axis(self, place: int, name: str) -> SampleDesign:
        """The design of sums over any axis."""
        pooled = self.summed(place)
        times = dict(pooled.shared).get(name, 1.0)
        shared = tuple(pair for pair in pooled.shared if pair[0] != name)
        apart = replace(pooled, shared=shared)
        if name == FOLD:
            folds = np.maximum(pooled.folds, 1.0) * times
            return replace(apart, folds=_fact(folds, np.float64))
        return apart.counted_times(times)

    def counted_times(self, times: Fact) -> SampleDesign:
        """The design where each sample is counted so many times."""
        return replace(self, repeats=self.repeats * times)

    def with_entries(self, name: str, places: Any, n_entries: int) -> Self:
        """The design of the entries at one place of an axis or several."""
        times = dict(self.shared).get(name, 1.0) * np.size(places) / n_entries
        some = self.with_shared(name, times)
        if name != FOLD:
            return some

        def chosen(models: Models) -> Models:
            """The models of these folds, or as many of others."""
            if models and len(models) == n_entries:
                return tuple(models[place] for place in np.ravel(places))
            return models and models[: len(models) * np.size(places) // n_entries]

        if isinstance(self.models, np.ndarray):
            return replace(some, models=_alike(np.frompyfunc(chosen, 1, 1)(self.models)))
        return replace(some, models=chosen(self.models))

    def with_shared(self, name: str, times: Fact) -> Self:
        """The design where each sample is in so many entries of an axis."""
        shared = {**dict(self.shared), name: _fact(times, np.float64)}
        return replace(self, shared=_several_times(shared))

    def crossed(self, names: Sequence[str], name: str) -> Self:
        """The design of one axis in place of several."""
        times: Fact = 1.0
        for one in names:
            times = times * dict(self.shared).get(one, 1.0)
        shared = tuple(pair for pair in self.shared if pair[0] not in names)
        return replace(self, shared=shared).with_shared(name, times)

    def of_folds(self, times: float, train_shares: Sequence[float], *predictions: Any) -> Self:
        """The design of folds, one per model fitted to this share, with these predictions; each
        sample is in so many.
        """
        train_share = float(np.mean(train_shares))
        names = names_of_samples(np.arange(len(train_shares)), *predictions)
        design = replace(self, models=tuple(names.tolist()), train_share=train_share)
        return design.with_shared(FOLD, times)


def _several_times(shared: Mapping[str, Fact]) -> tuple[tuple[str, Fact], ...]:
    """The axes whose entries share samples; once says nothing."""
    return tuple((name, times) for name, times in sorted(shared.items()) if np.max(times) > 1)


def _united(first: Models, second: Models) -> Models:
    """The models of either."""
    return first if first == second else tuple(sorted({*(first or ()), *(second or ())}))


UNITED = np.frompyfunc(_united, 2, 1)
NUMBER_OF = np.frompyfunc(lambda models: len(models or ()), 1, 1)


def _of_any(fact: NDArray[Any], place: int) -> Any:
    """What is said of any entry of an axis: the most, or all models."""
    return UNITED.reduce(fact, place) if fact.dtype == object else fact.max(place)


def _in_cells(fact: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """A fact of all cells, in each."""
    if not isinstance(fact, tuple):
        return np.broadcast_to(fact, shape)
    of_cells = np.empty(shape, dtype=object)
    of_cells.fill(fact)
    return of_cells


def _fact(values: Any, dtype: type) -> Fact:
    """One number of all cells as Python's own, or an array of each."""
    array: NDArray[Any] = np.asarray(values, dtype)
    return array if array.ndim else array.item(0)


def _alike(of_cells: Any, are_there: NDArray[np.bool_] | None = None) -> Any:
    """What is said of all cells, if that is the same."""
    array = _in_cells(of_cells, ()) if isinstance(of_cells, tuple) else np.asarray(of_cells)
    found = array if are_there is None else array[are_there]
    # An array is not compared with a tuple as with one thing.
    if found.dtype == object:
        each = {models or () for models in found.ravel().tolist()}
        return each.pop() if len(each) == 1 else array
    if found.size and (found == found.flat[0]).all():
        return _fact(found.flat[0], found.dtype.type)
    return array


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only copy, or the array if it is read-only."""
    is_frozen = isinstance(array, np.ndarray) and array.flags.owndata and not array.flags.writeable
    own = array if is_frozen else np.array(array)
    own.setflags(write=False)
    return own


INDEPENDENT = SampleDesign()


@dataclass(frozen=True, eq=False, repr=False)
class Weighted(SampleDesign):
    """Independent samples with weights: per cell number, sum of squares and largest weight."""

    numbers: NDArray[Any] = None  # type: ignore[assignment]  # always given
    squares: NDArray[Any] = None  # type: ignore[assignment]  # always given
    largest: NDArray[Any] = None  # type: ignore[assignment]  # always given

    kind = "weighted"
    name = "weighted samples"
    of_samples = " of weighted samples"
    are_weights = True

    @property
    def sees_samples(self) -> bool:
        return True

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.numbers.shape)

    def fits(self, counts: NDArray[Any]) -> bool:
        if not super().fits(counts) or not _are_numbers(self.numbers):
            return False
        # The mean of squares is at least the square of the mean.
        least = counts.astype(np.float64) ** 2
        most = self.numbers * self.squares * (1 + ROUNDING)
        are_largest = counts <= self.numbers * self.largest * (1 + ROUNDING)
        are_there = (self.numbers > 0) == (counts > 0)
        return bool((are_there & are_largest & (least <= most)).all())

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        return self.numbers

    def described(self, total: str) -> str:
        return f"weight {total}"

    def moved(self, move: MoveCells) -> Self:
        return replace(
            super().moved(move),
            numbers=move(self.numbers),
            squares=move(self.squares),
            largest=move(self.largest),
        )

    def without_weights(self, counts: NDArray[Any]) -> SampleDesign:
        return SampleDesign(**self.about)

    def summed(self, place: int) -> Self:
        return replace(
            self._with_facts_of_any(place),
            numbers=self.numbers.sum(place),
            squares=self.squares.sum(place),
            largest=self.largest.max(place),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Clustered(SampleDesign):
    """Clusters of dependent samples: what each adds to every cell.

    Rows of `units` beyond the clusters are `times` independent samples each.
    """

    numbers: NDArray[Any] = None  # type: ignore[assignment]  # always given
    # A sparse (n_rows, n_cells), the cells in the order of `numbers`.
    units: Any = None
    times: NDArray[Any] = None  # type: ignore[assignment]  # always given
    # The name of each cluster; None where these are not kept.
    clusters: NDArray[Any] | None = None
    n_clusters: int = 0
    # What a row is: a cluster, or a sample counted several times.
    unit: str = "cluster"
    # The moments of the samples' weights, where they have any.
    weights: Weighted | None = None

    kind = "clustered"
    keeps_units_together = True

    def __repr__(self) -> str:
        return f"{int(self.times.sum())} {self.name}{self._of_models}"

    @property
    def sees_samples(self) -> bool:
        return True

    @property
    def name(self) -> str:  # type: ignore[override]  # read-only in both
        with_weights = "weighted " if self.are_weights else ""
        if self.unit == "cluster":
            return f"clusters of {with_weights}samples"
        return f"{with_weights}samples, each counted several times"

    @property
    def of_samples(self) -> str:  # type: ignore[override]  # read-only in both
        return " of clusters" if self.unit == "cluster" else " of samples counted several times"

    @property
    def are_weights(self) -> bool:  # type: ignore[override]  # read-only in both
        return self.weights is not None

    def refusal(self, wanted: str) -> str:
        # A cluster keeps its samples, however often they are counted.
        return ""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.numbers.shape)

    def fits(self, counts: NDArray[Any]) -> bool:
        if not super().fits(counts) or not _are_numbers(self.numbers):
            return False
        if not 0 <= self.n_clusters <= self.units.shape[0]:
            return False
        if self.clusters is not None and len(self.clusters) != self.n_clusters:
            return False
        return np.allclose(self.times @ self.units, counts.ravel())

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        return self.numbers

    def described(self, total: str) -> str:
        samples = f"weight {total}" if self.are_weights else f"{total} samples"
        if self.unit != "cluster":
            return samples
        n_clusters = int(self.times.sum())
        clusters = "1 cluster" if n_clusters == 1 else f"{n_clusters} clusters"
        return f"{samples} in {clusters}"

    def moved(self, move: MoveCells) -> Self:
        # The cell that each one is made of, from 1; 0 for one without samples.
        sources = move(np.arange(1, self.numbers.size + 1).reshape(self.numbers.shape)).ravel()
        to = np.flatnonzero(sources)
        weights = None if self.weights is None else self.weights.moved(move)
        moved = replace(super().moved(move), numbers=move(self.numbers), weights=weights)
        return moved._with_units(self.units, sources[to] - 1, to, len(sources))

    def summed(self, place: int) -> Self:
        numbers = self.numbers.sum(place)
        of_sum = np.expand_dims(np.arange(numbers.size).reshape(numbers.shape), place)
        to = np.broadcast_to(of_sum, self.numbers.shape).ravel()
        weights = None if self.weights is None else self.weights.summed(place)
        summed = replace(self._with_facts_of_any(place), numbers=numbers, weights=weights)
        return summed._with_units(self.units, np.arange(len(to)), to, numbers.size)

    def counted_times(self, times: Fact) -> Self:
        return self

    def without_units(self) -> SampleDesign:
        return (
            SampleDesign(**self.about)
            if self.weights is None
            else replace(self.weights, **self.about)
        )

    def without_weights(self, counts: NDArray[Any]) -> Self:
        each = np.where(counts > 0, self.numbers / np.where(counts > 0, counts, 1), 0)
        to_numbers = sparse.diags_array(each.ravel(), format="csr")
        return replace(self, units=sparse.csr_array(self.units @ to_numbers), weights=None)

    def _with_units(self, units: Any, source: NDArray[Any], to: NDArray[Any], n_cells: int) -> Self:
        """The units' cells `source` moved to `to`, without the units left empty."""
        shape = units.shape[1], n_cells
        if shape == (len(to), len(to)) and np.array_equal(source, to):
            # Every cell stays where it is.
            return replace(self, units=units)
        moves = sparse.csr_array((np.ones(len(to)), (source, to)), shape=shape)
        units = sparse.csr_array(units @ moves)
        has_samples = np.diff(units.indptr) > 0
        if has_samples.all():
            return replace(self, units=units)
        of_clusters = has_samples[: self.n_clusters]
        return replace(
            self,
            units=units[has_samples],
            times=self.times[has_samples],
            clusters=None if self.clusters is None else self.clusters[of_clusters],
            n_clusters=int(of_clusters.sum()),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Crossed(SampleDesign):
    """Readings of cases by readers, both drawn from more: what each reading adds to every cell."""

    # Each a cluster, whose name is its case's number times the readers, plus its reader's number.
    readings: Clustered = None  # type: ignore[assignment]  # always given
    n_readers: int = 0
    # The names by these numbers; None where they are not kept.
    cases: NDArray[Any] | None = None
    readers: NDArray[Any] | None = None

    kind = "crossed"
    name = "readings of cases by readers"
    of_samples = " of readings of cases by readers"
    keeps_units_together = True
    has_exact_limits = False

    def __repr__(self) -> str:
        cases, readers = (len(np.unique(of)) for of in self.codes())
        readings = numbered(len(self.readings.times), "reading")
        of_cases = f"{readings} of {numbered(cases, 'case')}"
        return f"{of_cases} by {numbered(readers, 'reader')}{self._of_models}"

    def codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the case and of the reader of each reading."""
        cases, readers = np.divmod(np.asarray(self.readings.clusters), self.n_readers)
        return cases, readers

    @property
    def sees_samples(self) -> bool:
        return True

    def refusal(self, wanted: str) -> str:
        if wanted == "an interval":
            return ""
        return f"{wanted} over new readers and new cases is not known to hold: {INSTEAD}."

    @property
    def shape(self) -> tuple[int, ...]:
        return self.readings.shape

    def fits(self, counts: NDArray[Any]) -> bool:
        names = self.readings.clusters
        are_named = names is not None and len(names) == len(self.readings.times)
        is_whole = are_named and self.n_readers > 0 and super().fits(counts)
        return is_whole and self.readings.fits(counts)

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        return self.readings.numbers

    def described(self, total: str) -> str:
        cases, readers = (len(np.unique(of)) for of in self.codes())
        samples = f"{total} readings of {numbered(cases, 'case')}"
        return f"{samples} by {numbered(readers, 'reader')}"

    def moved(self, move: MoveCells) -> Self:
        return replace(super().moved(move), readings=self.readings.moved(move))

    def summed(self, place: int) -> Self:
        return replace(self._with_facts_of_any(place), readings=self.readings.summed(place))

    def counted_times(self, times: Fact) -> Self:
        return self

    def without_units(self) -> SampleDesign:
        return SampleDesign(**self.about)


@dataclass(frozen=True, eq=False, repr=False)
class OfClasses(SampleDesign):
    """Independent samples that are in a table of each class: all their sums are of clusters."""

    # (n_classes, n_samples)
    scores: NDArray[Any] = None  # type: ignore[assignment]  # always given
    positive: NDArray[Any] = None  # type: ignore[assignment]  # always given
    thresholds: NDArray[Any] = None  # type: ignore[assignment]  # always given
    # The cell (n_classes, n_thresholds, 2, 2) that each one is made of, from 1; 0 for none.
    sources: NDArray[Any] = None  # type: ignore[assignment]  # always given
    # Weights, or how often each sample occurs.
    times: NDArray[Any] | None = None

    @property
    def of_entries(self) -> SampleDesign:
        kind = Weighted if isinstance(self, Weighted) else SampleDesign
        return kind(**{field.name: getattr(self, field.name) for field in fields(kind)})

    @property
    def of_cells_alone(self) -> Any:
        return self.of_entries.of_cells_alone

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.sources.shape)

    def moved(self, move: MoveCells) -> Self:
        return replace(super().moved(move), sources=move(self.sources))

    def with_shared(self, name: str, times: Fact) -> Any:
        chosen = super().with_shared(name, times)
        # A single table has each sample once.
        return chosen if chosen.shared else chosen.of_entries

    def summed(self, place: int) -> Any:
        return self._in_units().summed(place)

    def _in_units(self) -> SampleDesign:
        """Each sample with its cells in all tables."""
        occupied = self.sources > 0
        tables, place = np.unique((self.sources[occupied] - 1) // 4, return_inverse=True)
        n_samples = self.scores.shape[1]
        if n_samples * len(tables) > MOST_IN_CLUSTERS:
            return _lost(self, TOO_MANY)
        classes, of_threshold = np.divmod(tables, len(self.thresholds))
        reaches = self.scores[classes] >= self.thresholds[of_threshold, None]
        cells = 4 * np.arange(len(tables)) + (2 * self.positive[classes] + reaches).T
        names = names_of_samples(np.arange(n_samples), self.scores, self.positive)
        samples = Clusters(np.arange(n_samples), names, "sample")
        are_weights = isinstance(self, Weighted)
        shape = len(tables), 2, 2
        found = clustered_design(cells, shape, samples, self.times, are_weights=are_weights)
        cell_of = np.zeros(self.sources.shape, dtype=np.int64)
        cell_of[occupied] = 4 * place.reshape(-1) + (self.sources[occupied] - 1) % 4
        there = found.moved(lambda of: np.where(occupied, of.ravel()[cell_of], of.dtype.type(0)))
        return self.of_cells(there)


@dataclass(frozen=True, eq=False, repr=False)
class WeightedOfClasses(OfClasses, Weighted):
    """The same of samples with weights."""


@dataclass(frozen=True, eq=False, repr=False)
class Rescaled(SampleDesign):
    """Counts rescaled to another prevalence; those observed, with their design."""

    observed: NDArray[Any] = None  # type: ignore[assignment]  # always given
    of: SampleDesign = INDEPENDENT

    kind = "another prevalence"
    name = "samples at another prevalence"
    are_weights = True
    has_exact_limits = False

    @property
    def sees_samples(self) -> bool:
        return self.of.sees_samples

    @property
    def keeps_units_together(self) -> bool:  # type: ignore[override]  # read-only in both
        return self.of.keeps_units_together

    def refusal(self, wanted: str) -> str:
        return super().refusal(wanted) or self.of.refusal(wanted)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.observed.shape)

    def fits(self, counts: NDArray[Any]) -> bool:
        if not super().fits(counts) or not self.of.fits(self.observed):
            return False
        return bool(((self.observed > 0) == (counts > 0)).all())

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        return self.of.numbers_of(self.observed)

    def weight_of_one(self, counts: NDArray[Any]) -> Fact:
        return super().weight_of_one(counts) if self.of.are_weights else 1.0

    def described(self, total: str) -> str:
        return f"{self.of.described(total)} at another prevalence"

    def moved(self, move: MoveCells) -> Self:
        return replace(super().moved(move), observed=move(self.observed), of=self.of.moved(move))

    def summed(self, place: int) -> SampleDesign:
        why = (
            "the counts were summed after at_prevalence, where entries no longer have the weights "
            "of their samples: sum them first, then change the prevalence"
        )
        return _lost(self._with_facts_of_any(place), why)


@dataclass(frozen=True, eq=False, repr=False)
class PartlyLabeled(SampleDesign):
    """Expected counts: labeled cells by stratum, and, on the diagonal, how many have no label."""

    # (n_strata, ..., n_classes, n_classes)
    labeled: NDArray[Any] = None  # type: ignore[assignment]  # always given
    unlabeled: NDArray[Any] = None  # type: ignore[assignment]  # always given

    kind = "partly labelled"
    name = "samples with partly known labels"
    are_weights = True
    has_exact_limits = False

    @property
    def sees_samples(self) -> bool:
        return True

    @property
    def by_stratum(self) -> NDArray[Any]:
        """The numbers (..., n_strata, n_classes + 1, n_classes), the last row without label."""
        without = np.diagonal(self.unlabeled, axis1=-2, axis2=-1)[..., None, :]
        return np.moveaxis(np.concatenate([self.labeled, without], -2), 0, -3)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.labeled.shape[1:])

    def fits(self, counts: NDArray[Any]) -> bool:
        parts = self.labeled, self.unlabeled
        if not super().fits(counts) or not all(map(_are_numbers, parts)):
            return False
        predicted = sum(part.sum((0, -2)) for part in parts)
        return np.allclose(predicted, counts.sum(-2))

    def numbers_of(self, counts: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(self.labeled.sum(0))

    def weight_of_one(self, counts: NDArray[Any]) -> float:
        # Expected counts are of all samples, with a label or not.
        return 1.0

    def described(self, total: str) -> str:
        return f"{total} samples, {self.labeled.sum()} with a label"

    def without_units(self) -> SampleDesign:
        return SampleDesign(**self.about)

    def moved(self, move: MoveCells) -> Self:
        return replace(
            super().moved(move),
            labeled=np.stack([*map(move, self.labeled)]),
            unlabeled=np.stack([*map(move, self.unlabeled)]),
        )

    def summed(self, place: int) -> SampleDesign:
        why = (
            "counts of partly known labels were summed, whose strata may differ: count all samples "
            "at once with from_partial_labels, and let strata= name the parts"
        )
        return _lost(self._with_facts_of_any(place), why)


@dataclass(frozen=True, eq=False, repr=False)
class Lost(SampleDesign):
    """Counts without a known uncertainty, and why."""

    why: str = ""

    name = "counts whose samples are not known"
    are_weights = True
    has_exact_limits = False

    @property
    def facts(self) -> Lost:
        return self

    def of_cells(self, found: SampleDesign) -> Lost:
        # Cells do not tell what is lost.
        return self

    def refusal(self, wanted: str) -> str:
        return f"{wanted} is not known, because {self.why}."

    def weight_of_one(self, counts: NDArray[Any]) -> float:
        return np.nan

    def described(self, total: str) -> str:
        return f"weight {total}"


def refuse_fractions(counts: NDArray[Any], wanted: str) -> None:
    """Refuse sums of weights in the place of numbers of samples."""
    if (counts % 1).any():
        raise ValueError(
            f"the counts are sums of weights, which do not give the number of samples: {wanted} "
            "needs whole counts. Count the samples with from_predictions(sample_weight=)."
        )


def _are_numbers(array: NDArray[Any]) -> bool:
    """Whether these are numbers of samples."""
    return array.dtype.kind in "iu" and bool((array >= 0).all())


def _lost(design: SampleDesign, why: str) -> Lost:
    """Counts whose uncertainty is lost."""
    return Lost(**design.about, why=why)


def without_cells(units: Any, n_cells: int) -> Any:
    """What units add to blocks of so many cells, sparse (n_units, n_blocks)."""
    n = units.shape[1]
    places = np.arange(n)
    shape = n, n // max(n_cells, 1)
    return units @ sparse.csr_array((np.ones(n), (places, places // max(n_cells, 1))), shape=shape)


def partly_labelled_design(by_stratum: NDArray[Any]) -> PartlyLabeled:
    """The design of numbers by stratum, the last row without label."""
    first = np.moveaxis(by_stratum, -3, 0)
    without = first[..., -1, :]
    unlabeled = without[..., None] * np.eye(without.shape[-1], dtype=without.dtype)
    return PartlyLabeled(labeled=first[..., :-1, :], unlabeled=unlabeled)


def names_of_samples(numbers: NDArray[Any], *data: Any) -> NDArray[np.int64]:
    """Names of these samples, which those of other data do not have."""
    digest = blake2b(digest_size=8)
    for part in data:
        values = part.indices if sparse.issparse(part) else part
        digest.update(np.asarray(values).tobytes())
    # So low that all numbers fit above it.
    first = int.from_bytes(digest.digest()) >> 2
    return np.asarray(first + numbers.astype(np.int64))


def weighted_design(weights: NDArray[Any], cells: NDArray[Any], shape: tuple[int, ...]) -> Weighted:
    """The design of samples with known cells and weights."""
    # Squares of large integers would overflow.
    as_floats = weights.astype(np.float64)
    return design_of_weighted_rows(cells, shape, weights > 0, as_floats**2, as_floats)


def design_of_weighted_rows(
    cells: NDArray[Any],
    shape: tuple[int, ...],
    numbers: NDArray[Any],
    squares: NDArray[Any],
    largest: NDArray[Any],
) -> Weighted:
    """The same of rows: number of samples, sum of squared weights and largest weight."""
    n_cells = int(np.prod(shape))
    numbers_of_cells = np.rint(np.bincount(cells, numbers, minlength=n_cells)).astype(np.int64)
    squares_of_cells = np.bincount(cells, squares, minlength=n_cells)
    largest_of_cells = np.zeros(n_cells)
    np.maximum.at(largest_of_cells, cells, largest)
    return Weighted(
        numbers=numbers_of_cells.reshape(shape),
        squares=squares_of_cells.reshape(shape),
        largest=largest_of_cells.reshape(shape),
    )


def clustered_design(
    cells: NDArray[Any],
    shape: tuple[int, ...],
    clusters: Clusters,
    weights: NDArray[Any] | None = None,
    *,
    are_weights: bool = False,
) -> Clustered:
    """The design of samples with cells (n_samples,) or (n_samples, n_labels), in clusters."""
    if weights is not None and clusters.unit == "sample" and not are_weights:
        return _repeated_samples(cells, shape, clusters, weights)
    n_labels = cells.size // max(len(cells), 1)
    adds = None if weights is None else np.repeat(weights.astype(np.float64), n_labels)
    of_weights = None
    if are_weights and adds is not None:
        of_weights = weighted_design(adds, cells.ravel(), shape)
    clusters_of_cells = clusters._replace(codes=np.repeat(clusters.codes, n_labels))
    return design_of_clustered_rows(cells.ravel(), shape, clusters_of_cells, adds, of_weights)


def crossed_design(cells: NDArray[Any], shape: tuple[int, ...], units: CrossedUnits) -> Crossed:
    """The design of readings with cells, of cases by readers."""
    n_readers = len(units.readers.names)
    pairs = units.cases.codes.astype(np.int64) * n_readers + units.readers.codes
    present, codes = pairs, np.arange(len(pairs))
    if len(pairs) > 1 and not (np.diff(pairs) > 0).all():
        present, codes = np.unique(pairs, return_inverse=True)
    return Crossed(
        readings=clustered_design(cells, shape, Clusters(codes.reshape(-1), present, "reading")),
        n_readers=n_readers,
        cases=units.cases.names,
        readers=units.readers.names,
    )


def design_of_clustered_rows(
    cells: NDArray[Any],
    shape: tuple[int, ...],
    clusters: Clusters,
    adds: NDArray[Any] | None = None,
    weights: Weighted | None = None,
) -> Clustered:
    """The same of rows with a cell, and a number of samples, or with weights a sum, each; None
    for 1.
    """
    n_cells, n_clusters = int(np.prod(shape)), len(clusters.names)
    units = _summed_by_cluster(clusters.codes, cells, adds)
    units.resize(n_clusters, n_cells)
    if weights is None:
        numbers = np.rint(np.bincount(cells, adds, minlength=n_cells)).astype(np.int64)
    else:
        numbers = weights.numbers
    names = clusters.names
    has_samples = np.diff(units.indptr) > 0
    if not has_samples.all():
        units, names = units[has_samples], names[has_samples]
    return Clustered(
        numbers=numbers.reshape(shape),
        units=units,
        times=np.ones(len(names), dtype=np.int64),
        clusters=names,
        n_clusters=len(names),
        unit=clusters.unit,
        weights=weights,
    )


def _repeated_samples(
    cells: NDArray[Any], shape: tuple[int, ...], clusters: Clusters, weights: NDArray[Any]
) -> Clustered:
    """Samples of several labels or folds, each of one number wherever it is counted."""
    occurs = weights > 0
    present, codes = np.unique(clusters.codes[occurs], return_inverse=True)
    own = clusters._replace(codes=codes, names=clusters.names[present])
    once = clustered_design(cells[occurs], shape, own)
    times = np.zeros(len(present), dtype=np.int64)
    times[codes] = weights[occurs]
    numbers = np.rint(times @ once.units).astype(np.int64).reshape(shape)
    # Several samples of one name would be taken for one.
    names = once.clusters if (times == 1).all() else None
    return replace(once, numbers=numbers, times=times, clusters=names)


def _summed_by_cluster(
    clusters: NDArray[Any], cells: NDArray[Any], adds: NDArray[Any] | None
) -> Any:
    """What each cluster adds to each cell, sparse."""
    clusters = clusters.astype(np.int64, copy=False)
    n_clusters, n_cells = int(clusters.max(initial=-1)) + 1, int(cells.max(initial=-1)) + 1
    if n_clusters * n_cells > MOST_COUNTED * max(len(cells), 1):
        values = np.ones(len(cells)) if adds is None else adds
        found = sparse.csr_array(sparse.coo_array((values, (clusters, cells))))
        found.eliminate_zeros()
        return found
    # Counting is faster than sorting.
    place = clusters * n_cells + cells
    sums = np.bincount(place, adds, minlength=n_clusters * n_cells)
    return sparse.csr_array(sums.astype(np.float64).reshape(n_clusters, n_cells))


def stacked_designs(
    designs: Sequence[SampleDesign], counts: Sequence[NDArray[Any]]
) -> SampleDesign:
    """The design of stacked counts of one shape."""
    designs = [design.of_entries for design in designs]
    if all(design is INDEPENDENT for design in designs):
        return INDEPENDENT
    return _stacked_facts(designs, counts[0].shape).of_cells(_stacked_cells(designs, counts))


def _stacked_facts(designs: Sequence[SampleDesign], shape: tuple[int, ...]) -> SampleDesign:
    """What is said of all cells, or of each where the designs are unlike."""

    def stacked(facts: Sequence[Any]) -> Any:
        """One fact of all designs."""
        return _alike(np.stack([_in_cells(fact, shape) for fact in facts]))

    axes = {name for design in designs for name, _ in design.shared}
    shared = {name: stacked([dict(of.shared).get(name, 1.0) for of in designs]) for name in axes}
    facts: dict[str, Any] = {
        name: stacked([getattr(design, name) for design in designs])
        for name in INDEPENDENT.about
        if name != "shared"
    }
    return SampleDesign(**facts | {"shared": _several_times(shared)})


def _stacked_cells(designs: Sequence[SampleDesign], counts: Sequence[NDArray[Any]]) -> SampleDesign:
    """What is said of the cells, by kinds that go together."""
    kinds = {type(design) for design in designs}
    if lost := [design for design in designs if isinstance(design, Lost)]:
        return Lost(why=lost[0].why)
    if kinds == {Rescaled}:
        return _stacked_prevalences(designs)
    if kinds == {PartlyLabeled}:
        return _stacked_strata(designs)
    if kinds & {Rescaled, PartlyLabeled}:
        names = " and ".join(sorted({design.name for design in designs}))
        return Lost(why=f"the counts that were put together are of {names}")
    if kinds == {SampleDesign}:
        return INDEPENDENT
    if Crossed in kinds:
        return _stacked_readings(designs, counts)
    of_sums = [
        of for design, of in zip(designs, counts, strict=True) if type(design) is SampleDesign
    ]
    if any((of % 1).any() for of in of_sums):
        return Lost(why=WEIGHTS_ALONE)
    if Clustered in kinds:
        return _stacked_clusters(designs, counts)
    return _stacked_weights(designs, counts)


def _stacked_prevalences(designs: Sequence[Any]) -> Rescaled:
    """Entries at prevalences of their own."""
    observed = [design.observed for design in designs]
    return Rescaled(
        observed=np.stack(observed), of=stacked_designs([of.of for of in designs], observed)
    )


def _stacked_strata(designs: Sequence[Any]) -> SampleDesign:
    """Entries with their own strata, as many as the most have."""
    n_strata = max(len(design.labeled) for design in designs)

    def together(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Arrays with empty strata added, stacked after the strata."""
        filled = []
        for array in arrays:
            further = np.zeros((n_strata - len(array), *array.shape[1:]), dtype=array.dtype)
            filled.append(np.concatenate([array, further]))
        return np.stack(filled, 1)

    return PartlyLabeled(
        labeled=together([design.labeled for design in designs]),
        unlabeled=together([design.unlabeled for design in designs]),
    )


def _stacked_weights(designs: Sequence[SampleDesign], counts: Sequence[NDArray[Any]]) -> Weighted:
    """Samples without weights have weights of 1."""
    each = []
    for design, of_design in zip(designs, counts, strict=True):
        own = design
        if not isinstance(own, Weighted):
            numbers = of_design.astype(np.int64)
            own = Weighted(numbers=numbers, squares=1.0 * numbers, largest=(numbers > 0) * 1.0)
        each.append(own)
    return Weighted(
        numbers=np.stack([own.numbers for own in each]),
        squares=np.stack([own.squares for own in each]),
        largest=np.stack([own.largest for own in each]),
    )


def _stacked_clusters(designs: Sequence[SampleDesign], counts: Sequence[NDArray[Any]]) -> Clustered:
    """Clusters of one name are one; independent samples are rows."""
    if other := [
        design.name for design in designs if type(design) not in (SampleDesign, Clustered)
    ]:
        raise ValueError(
            f"some samples are in clusters, and others are {other[0]} without any, so the "
            "uncertainty of all together is not known: count all of them with clusters=."
        )
    clustered = [design for design in designs if isinstance(design, Clustered)]
    are_named = all(design.clusters is not None for design in clustered)
    if len({design.unit for design in clustered}) > 1:
        raise ValueError(
            "some rows are clusters, and others are samples that are counted several times, so "
            "the uncertainty of all together is not known: count all of them with clusters=."
        )
    if not are_named:
        raise ValueError(
            "clusters without names can't be put together, since one may be in both: count all "
            "samples at once, pickle the matrices, or write them with to_dict(cluster_names=True)."
        )
    names = _names_of_any([design.clusters for design in clustered])
    n_cells = counts[0].size
    named_units: list[Any] = []
    unnamed_units: list[list[Any]] = []
    times = [np.ones(len(names), dtype=np.int64)]
    for place, (design, of_design) in enumerate(zip(designs, counts, strict=True)):
        if isinstance(design, Clustered):
            n_own = design.n_clusters
            at = positions_in(names, np.asarray(design.clusters))
            shape = len(names), n_own
            to_names = sparse.csr_array((np.ones(n_own), (at, np.arange(n_own))), shape=shape)
            named_units.append(to_names @ design.units[:n_own])
            rest = design.units[n_own:]
            times.append(design.times[n_own:])
        else:
            named_units.append(sparse.csr_array((len(names), n_cells)))
            occupied = np.flatnonzero(of_design)
            rows = np.arange(len(occupied))
            shape = len(occupied), n_cells
            rest = sparse.csr_array((np.ones(len(occupied)), (rows, occupied)), shape=shape)
            times.append(of_design.ravel()[occupied].astype(np.int64))
        # Other entries have none of these samples.
        row: list[Any] = [None] * len(designs)
        row[place] = rest
        unnamed_units.append(row)
    blocks = [named_units, *unnamed_units]
    numbers = [
        design.numbers_of(of_design).astype(np.int64)
        for design, of_design in zip(designs, counts, strict=True)
    ]
    weights = None
    if any(design.are_weights for design in clustered):
        of_samples = [design.without_units() for design in designs]
        weights = _stacked_weights(of_samples, numbers)
    return Clustered(
        numbers=np.stack(numbers),
        units=sparse.csr_array(sparse.block_array(blocks, format="csr")),
        times=np.concatenate(times),
        clusters=names,
        n_clusters=len(names),
        unit=clustered[0].unit,
        weights=weights,
    )


def _stacked_readings(designs: Sequence[Any], counts: Sequence[NDArray[Any]]) -> Crossed:
    """Cases of one name are one, and so are readers."""
    if other := [design.name for design in designs if type(design) is not Crossed]:
        raise ValueError(
            f"some samples are readings of cases by readers, and others are {other[0]}, so the "
            "uncertainty of all together is not known: count all of them with clusters=."
        )
    if any(design.cases is None for design in designs):
        raise ValueError(
            "readings without names of cases and readers can't be put together, since one may be "
            "in both: count all samples at once, pickle the matrices, or write them with "
            "to_dict(cluster_names=True)."
        )
    cases = _names_of_any([design.cases for design in designs])
    readers = _names_of_any([design.readers for design in designs])
    renamed = []
    for design in designs:
        case, reader = design.codes()
        names = positions_in(cases, design.cases)[case] * len(readers)
        names = names + positions_in(readers, design.readers)[reader]
        renamed.append(replace(design.readings, clusters=names))
    readings = _stacked_clusters(renamed, counts)
    return Crossed(readings=readings, n_readers=len(readers), cases=cases, readers=readers)


def _names_of_any(names_of_designs: Sequence[Any]) -> NDArray[Any]:
    """The names of clusters of any design, once and sorted."""
    names = np.unique(names_of_designs[0])
    for further in names_of_designs[1:]:
        check_same_kind(names, further, "clusters", "another matrix")
        names = sorted_union(names, np.unique(further))
    return names


KINDS: dict[str, type[SampleDesign]] = {
    "independent": SampleDesign,
    "weighted": Weighted,
    "of classes": OfClasses,
    "weighted of classes": WeightedOfClasses,
    "clustered": Clustered,
    "crossed": Crossed,
    "rescaled": Rescaled,
    "partly labeled": PartlyLabeled,
    "lost": Lost,
}
NAMES = {kind: name for name, kind in KINDS.items()}
SPARSE = ("data", "indices", "indptr")


def plain_of(design: SampleDesign, *, cluster_names: bool = True) -> dict[str, Any]:
    """A design as plain values and arrays, on request without names of clusters."""
    design = design if cluster_names else design.of_entries
    values = {field.name: getattr(design, field.name) for field in fields(design)}
    plain = {"kind": NAMES[type(design)], **values}
    plain["shared"] = dict(design.shared)
    plain["models"] = _plain_of_models(design.models)
    if isinstance(design, Clustered):
        plain["units"] = {part: getattr(design.units, part) for part in SPARSE}
        plain["clusters"] = design.clusters if cluster_names else None
        plain["weights"] = None if design.weights is None else plain_of(design.weights)
    if isinstance(design, Crossed):
        plain["readings"] = plain_of(design.readings)
        plain |= {} if cluster_names else {"cases": None, "readers": None}
    if isinstance(design, Rescaled):
        plain["of"] = plain_of(design.of, cluster_names=cluster_names)
    return plain


def _plain_of_models(models: Models | NDArray[Any]) -> dict[str, Any]:
    """The sets of models that occur, and, where there are several, which one each cell has."""
    if not isinstance(models, np.ndarray):
        return {"sets": [list(models)]}
    sets = sorted({of or () for of in models.ravel().tolist()})
    codes = np.frompyfunc(lambda of: sets.index(of or ()), 1, 1)(models)
    return {"sets": [*map(list, sets)], "codes": np.asarray(codes, dtype=np.int64)}


def _models_of_plain(plain: Mapping[str, Any]) -> Models | NDArray[Any]:
    """Inverse of `_plain_of_models`."""
    sets = [tuple(map(int, of)) for of in plain["sets"]]
    if "codes" not in plain:
        return sets[0]
    return np.asarray(np.frompyfunc(sets.__getitem__, 1, 1)(plain["codes"]))


def design_of_plain(plain: Mapping[str, Any]) -> SampleDesign:
    """Inverse of `plain_of`."""
    values = dict(plain)
    kind = KINDS[values.pop("kind")]
    for name in ("repeats", "folds", "chosen", "train_share"):
        values[name] = _fact(values[name], np.float64)
    values["models"] = _models_of_plain(values["models"])
    shared = values["shared"].items()
    values["shared"] = tuple((str(name), _fact(times, np.float64)) for name, times in shared)
    if kind is Clustered:
        values["n_clusters"] = int(values["n_clusters"])
        parts = tuple(np.asarray(values["units"][part]) for part in SPARSE)
        shape = len(values["times"]), np.size(values["numbers"])
        values["units"] = sparse.csr_array(parts, shape=shape)
        weights = values["weights"]
        values["weights"] = None if weights is None else design_of_plain(weights)
    if kind is Crossed:
        values["n_readers"] = int(values["n_readers"])
        values["readings"] = design_of_plain(values["readings"])
    if kind is Rescaled:
        values["of"] = design_of_plain(values["of"])
    return kind(**values)
