"""Predictions of several models -> codes in one class order; pairs of models, and their checks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import CountedMatrix, CountedPairs
from skmetrics_ext.counting.counts import count_matrix
from skmetrics_ext.counting.design import INDEPENDENT, Crossed, PartlyLabeled, Weighted
from skmetrics_ext.counting.partial_labels import PartialCells, cells_of
from skmetrics_ext.counting.units import Units, units_of
from skmetrics_ext.matrices.from_data import refuse_with_readers
from skmetrics_ext.matrices.partial_labels import check_known, read_strata
from skmetrics_ext.reading.groups import Groups, axis_of_groups, columns_of_clusters, rows_of_groups
from skmetrics_ext.reading.labels import Column, read_column
from skmetrics_ext.reading.names import check_same_samples, index_of_samples
from skmetrics_ext.reading.order import check_same_kind, plain, ranking_of_all, sorted_union
from skmetrics_ext.reading.pairs import (
    Encoded,
    Weights,
    encode_single_label,
    read_partly_known,
    refuse_codes_of_unknown,
)
from skmetrics_ext.reading.spelling import warn_of_disjoint, warn_of_spelling
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat, NoLimitsError
from skmetrics_ext.statistics.compared import Compared
from skmetrics_ext.statistics.crossed import Readings, why_not_crossed

ONE_BY_ONE = " Compare multilabel data label by label."


class Models(NamedTuple):
    """The predictions of several models for the same samples."""

    encoded: dict[str, Encoded]
    clusters: NDArray[Any] | None
    are_frequencies: bool
    # Which samples have a label, if these are partly known.
    is_known: NDArray[np.bool_] | None = None
    strata: Groups = Groups([], [])
    # Of each cluster its case and its reader, if clusters are readings.
    readings: Readings | None = None
    # The name of the groups, and the group of each sample, if these are asked for.
    by: tuple[str, Column] | None = None
    # The group, if these are the samples of one.
    group: tuple[Axis, ...] = ()

    @property
    def order(self) -> NDArray[Any]:
        """All classes that occur."""
        return next(iter(self.encoded.values())).labels

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weights of the samples."""
        return next(iter(self.encoded.values())).weights

    @property
    def n_samples(self) -> int:
        """The number of samples with a weight above 0."""
        weights = self.weights
        if weights is None:
            return len(next(iter(self.encoded.values())).true)
        return int(weights.sum() if self.are_frequencies else np.count_nonzero(weights))

    @property
    def design(self) -> str:
        """How the samples were obtained."""
        if self.is_known is not None:
            return PartlyLabeled.name
        if self.readings is not None:
            return Crossed.name
        are_weights = self.weights is not None and not self.are_frequencies
        if self.clusters is not None:
            return f"clusters of {'weighted ' * are_weights}samples"
        return Weighted.name if are_weights else INDEPENDENT.name

    @property
    def n_units(self) -> int:
        """The number of samples, or of clusters, with a weight above 0."""
        if self.clusters is None:
            return self.n_samples
        weights = self.weights
        return len(np.unique(self.clusters if weights is None else self.clusters[weights > 0]))

    def counted(self) -> CountedMatrix:
        """The first model's counts, with the classes of all models in one order."""
        rankings = dict(
            ranking for encoded in self.encoded.values() for ranking in encoded.rankings
        )
        encoded = next(iter(self.encoded.values()))
        return CountedMatrix(
            count_matrix(encoded),
            self.order,
            ranking=ranking_of_all(tuple(rankings.items())),
            weight_of_one=CountedPairs(encoded).weight_of_one,
        )

    def of_groups(self) -> Iterator[tuple[Any, Models]]:
        """Each group with its samples, as if these were alone; the classes are those of all."""
        if self.by is None:
            yield None, self
            return
        by, column = self.by
        names = plain(column.labels)
        for k, (name, rows) in enumerate(zip(names, rows_of_groups(column), strict=True)):
            group = Axis(by, column.labels[k : k + 1])
            yield name, self._of_rows(rows)._replace(group=(group,))

    def _of_rows(self, rows: NDArray[np.intp]) -> Models:
        """Some of the samples."""
        weights = None if self.weights is None else self.weights[rows]
        encoded = {
            name: of._replace(true=of.true[rows], pred=of.pred[rows], weights=weights)
            for name, of in self.encoded.items()
        }
        clusters = None if self.clusters is None else _numbered(self.clusters[rows])
        if clusters is not None and _are_single(clusters, self.are_frequencies):
            clusters = None
        strata = [of._replace(codes=_numbered(of.codes[rows])) for of in self.strata.columns]
        return self._replace(
            encoded=encoded,
            clusters=clusters,
            is_known=None if self.is_known is None else self.is_known[rows],
            strata=self.strata._replace(columns=strata),
            by=None,
        )

    def have_clusters_across_groups(self) -> bool:
        """Whether a cluster has samples in several groups."""
        if self.by is None or self.clusters is None:
            return False
        codes = self.by[1].codes.astype(np.int64)
        n_clusters = int(self.clusters.max()) + 1
        first = np.zeros(n_clusters, dtype=np.int64)
        first[self.clusters] = codes
        return bool((first[self.clusters] != codes).any())

    def cells(self, first: str, second: str) -> tuple[PartialCells, tuple[NDArray[Any], ...]]:
        """Cells of stratum and both predictions with partly known labels, and each prediction."""
        assert self.is_known is not None, "labels are partly known"
        encoded, n_classes = self.encoded[first], len(self.order)
        codes = encoded.pred.astype(np.int64) * n_classes + self.encoded[second].pred
        distinct, prediction = np.unique(codes, return_inverse=True)
        by_stratum = np.zeros(
            (math.prod(self.strata.lengths), n_classes + 1, len(distinct)), dtype=np.int64
        )
        stratum: Any = self.strata.codes() if self.strata.columns else 0
        np.add.at(
            by_stratum, (stratum, np.where(self.is_known, encoded.true, n_classes), prediction), 1
        )
        predictions = np.divmod(distinct, n_classes)
        of_group = (0,) * len(self.group)
        cells = cells_of(np.expand_dims(by_stratum, of_group), predictions)
        check_known(cells, self.order[np.stack(predictions, -1)], self.group)
        return cells.at(of_group), predictions

    def units(self, first: str, second: str) -> Units:
        """The units, samples or clusters, that are swapped between two models."""
        n_classes = len(self.order)
        of_both = (self.encoded[name] for name in (first, second))
        cells = [encoded.true.astype(np.int64) * n_classes + encoded.pred for encoded in of_both]
        units = units_of(cells, n_classes**2, self.weights, self.clusters)
        if not self.are_frequencies or self.weights is None or self.clusters is not None:
            return units
        # All samples of a row have one weight.
        of_first, of_second = (of_model.astype(bool).astype(np.float64) for of_model in units.cells)
        samples_per_row = np.rint(units.cells[0].sum(axis=1)).astype(np.int64)
        return Units((of_first, of_second), units.frequencies * samples_per_row)


def read_models(
    y_true: Any,
    predictions: Mapping[str, Any],
    weights: Weights,
    clusters: Any,
    strata: Any,
    by: Any = None,
) -> Models:
    """Actual and predicted labels, one per sample."""
    check_models(predictions, "predictions", '{"a": pred_a, "b": pred_b}')
    if strata is None:
        true, is_known = read_column(y_true, "y_true", ONE_BY_ONE), None
    else:
        if weights.of_samples is not None or clusters is not None:
            raise ValueError(
                "with strata= each sample counts once, with a label or not: omit weights and "
                "clusters."
            )
        true, is_known = read_partly_known(y_true, "y_true")
    columns = {
        name: read_column(pred, _as_said(name), ONE_BY_ONE) for name, pred in predictions.items()
    }
    order = true.labels
    for name, column in columns.items():
        check_same_kind(order, column.labels, "y_true", _as_said(name))
        warn_of_spelling(true.labels, column.labels, ("y_true", _as_said(name)))
        warn_of_disjoint(true.labels, column.labels, ("y_true", _as_said(name)))
        order = sorted_union(order, column.labels)
    if is_known is not None:
        predicted = reduce(sorted_union, (column.labels for column in columns.values()))
        refuse_codes_of_unknown(true.labels, predicted, "y_true", "give it another name")
    encoded = {
        name: encode_single_label(
            true, column, labels=order, weights=weights, names=("y_true", _as_said(name))
        )
        for name, column in columns.items()
    }
    first = _first_in_named_order(columns)
    codes, readings = None, None
    if clusters is not None:
        codes, readings = _read_clusters(clusters, true, columns[first].index, _as_said(first))
    if readings is not None:
        refuse_with_readers(encoded[first])
    if readings is None and codes is not None and _are_single(codes, weights.are_frequencies):
        # They say no more than the samples.
        codes = None
    of_strata = read_strata(strata, true, columns[first].index, _as_said(first))
    groups = None if by is None else axis_of_groups(by, true, columns[first].index, _as_said(first))
    if groups is not None and readings is not None:
        raise ValueError(
            "by= does not go with clusters of cases and readers: compare each group by itself."
        )
    return Models(encoded, codes, weights.are_frequencies, is_known, of_strata, readings, groups)


def _first_in_named_order(columns: dict[str, Column]) -> str:
    """The first model with an index, which gives the order of the samples if y_true has none."""
    first = next(
        (
            name
            for name, column in columns.items()
            if index_of_samples(None, column.index) is not None
        ),
        None,
    )
    if first is None:
        return next(iter(columns))
    for name, column in columns.items():
        names = _as_said(first), _as_said(name)
        check_same_samples(columns[first].index, column.index, names, default_is_name=False)
    return first


def _are_single(codes: NDArray[Any], are_frequencies: bool) -> bool:
    """Whether each cluster is one sample, whose weight is no number of samples."""
    return not are_frequencies and int(np.bincount(codes).max()) == 1


def _numbered(codes: NDArray[Any]) -> NDArray[np.int64]:
    """Codes from 0 without gaps, in the same order."""
    return np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _read_clusters(
    clusters: Any, true: Column, index: Any, name: str
) -> tuple[NDArray[Any], Readings | None]:
    """The code of each sample's cluster; of each reading, with its case and its reader."""
    column, *readers = columns_of_clusters(clusters, true, index, name)
    if readers:
        return _codes_of_readings(column, readers[0])
    if len(column.labels) < 2:
        raise ValueError(
            f"clusters has only {column.labels.tolist()[0]!r}: the variation between clusters is "
            "unknown."
        )
    return column.codes.astype(np.int64), None


def _codes_of_readings(cases: Column, readers: Column) -> tuple[NDArray[Any], Readings]:
    """The code of each reading, and the numbers of its case and reader."""
    n_readers = len(readers.labels)
    pairs = cases.codes.astype(np.int64) * n_readers + readers.codes
    present, codes = np.unique(pairs, return_inverse=True)
    case, reader = np.divmod(present, n_readers)
    if sentence := why_not_crossed(case, reader):
        raise NoLimitsError(sentence.replace("{where}", ""))
    return codes.reshape(-1), Readings(case, reader, np.zeros(len(present), dtype=np.intp))


def _as_said(name: str) -> str:
    """The predictions of a model for a message."""
    return f"predictions[{name!r}]"


def check_direction(row: Metric, name: str, margin: float | None) -> None:
    """Refuse a margin of a metric that is neither better when higher nor when lower."""
    if margin is not None and row.better == "neither":
        raise ValueError(
            f"margin= needs a metric for which either higher or lower is better, unlike {name!r}."
        )


def check_models(models: Any, name: str, example: str) -> None:
    """Refuse models without names, and fewer than two."""
    if not isinstance(models, Mapping):
        raise TypeError(f"{name} must be a dict, such as {example}; got {type(models).__name__}.")
    if len(models) < 2:
        raise ValueError(f"{name} must contain at least two models; got {[*models]}.")
    if not all(isinstance(model, str) for model in models):
        raise TypeError(f"the names in {name} must be strings; got {[*models]}.")


def pairs_of(names: Iterable[str], baseline: str | None) -> list[tuple[str, str]]:
    """Which models are compared: all, or the others with the baseline."""
    if baseline is None:
        return list(combinations(names, 2))
    if baseline not in (names := [*names]):
        raise ValueError(f"baseline={baseline!r} is not one of the models {names}.")
    return [(name, baseline) for name in names if name != baseline]


def with_undefined(of_pair: Compared) -> Compared:
    """A difference that says where a model has no value."""
    a, b = of_pair.models
    if not np.isfinite(of_pair.difference):
        text = f"{of_pair.metric} is undefined, or infinite, for one of the models {a!r} and {b!r}."
    elif np.isnan(of_pair.estimate):
        text = (
            f"{of_pair.metric} is 0 for both models {a!r} and {b!r}, so their ratio is undefined."
        )
    else:
        return of_pair
    return of_pair._replace(caveats=(*of_pair.caveats, Caveat(UNDEFINED, text)))
