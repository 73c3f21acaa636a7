"""ThresholdCurves: a curve per class, label, fold or group, best thresholds, areas, their sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting import ranking
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts, two_by_two
from skmetrics_ext.counting.design import (
    FOLD,
    INDEPENDENT,
    OfClasses,
    SampleDesign,
    Weighted,
    WeightedOfClasses,
    names_of_samples,
    plain_of,
    stacked_designs,
)
from skmetrics_ext.counting.ranking import Samples, counts_at_every_score, with_weight
from skmetrics_ext.curves import inputs
from skmetrics_ext.curves.best import BestThresholds, Bound
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.data import read_design
from skmetrics_ext.curves.designs import check_edges, design_at
from skmetrics_ext.curves.from_frames import CurveColumns, samples_of_frame
from skmetrics_ext.curves.from_scores import samples_of_classes, samples_of_groups
from skmetrics_ext.curves.inputs import CurveLabels, Entries
from skmetrics_ext.curves.table import curves_as_html
from skmetrics_ext.engines.groups import Missing
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import (
    Backend,
    GroupsLike,
    Label,
    LabelsLike,
    ScoresLike,
    TargetLike,
)
from skmetrics_ext.reading.calls import explained_methods
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.writing.frames import columns_of_grid, frame
from skmetrics_ext.writing.progress import progress_of

AVERAGES_OF_AREAS = ("macro", "weighted", "micro", "worst")
# So many cells, over all curves, take 128 MB.
MOST_CELLS = 1 << 24
POOLED = CurveLabels(np.array([0, 1]), 1)


@explained_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class ThresholdCurves(Mapping[Any, ThresholdCurve]):
    """Several threshold curves: one per class against the rest, or one per fold or group for one
    class.

    Made with `from_scores`, `from_frame` or `cross_val_threshold_curves`. A mapping in the order of
    the axis.

    Attributes
    ----------
    axis : Axis
        Its name, "class", "label", "fold", "group" or that of the column of groups, and the
        coordinate of each curve.

    Examples
    --------
    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]]
    >>> curves = ThresholdCurves.from_scores(["a", "b", "c"], scores)
    >>> curves
    ThresholdCurves of 3 samples, 3 classes ['a', 'b', 'c']
    >>> curves["b"].roc_auc()
    0.5
    """

    axis: Axis
    _samples: tuple[Samples, ...]
    # The two labels of all curves; None if each is of a class against the rest.
    _common: CurveLabels | None
    _entries: Entries
    # How the samples were obtained, whatever their weights and clusters.
    _design: SampleDesign

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError(
            "ThresholdCurves are made with from_scores, from_frame or cross_val_threshold_curves."
        )

    # A mapping would compare curves, which equal only themselves.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @classmethod
    def _of(
        cls,
        axis: Axis,
        samples: Iterable[Samples],
        common: tuple[Any, ...] | None = None,
        entries: Entries = "samples",
        design: SampleDesign = INDEPENDENT,
    ) -> Self:
        """Curves from their fields."""
        own = {"axis": axis, "_samples": samples, "_common": common, "_entries": entries}
        curves = cls.__new__(cls)
        curves.__setstate__(own | {"_design": design})
        return curves

    @classmethod
    def from_scores(
        cls,
        y_true: TargetLike,
        y_score: ScoresLike,
        *,
        classes: LabelsLike | None = None,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        clusters: GroupsLike | None = None,
        by: GroupsLike | None = None,
    ) -> Self:
        """Count tp, fp, fn and tn of every class against the rest, or of one class in every group,
        at every threshold.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, one-hot rows or multilabel indicators: 2-D is one-hot if each row has exactly
            one 1 and its scores sum to 1.
        y_score : array-like of shape (n_samples, n_classes), or list of arrays (n_samples, 2)
            One column of scores per class, larger if more likely. A list is the `predict_proba` of
            a multilabel model. With `by`, as in `ThresholdCurve.from_scores`.
        classes : array-like of shape (n_classes,), default=None
            The label of each column. None: the names of a data frame's columns, else the sorted
            labels of `y_true`, where there are as many as columns; for 2-D targets the column
            numbers 0, 1, ... Only without `by`.
        pos_label : int, float, bool or str, default=None
            With `by`, the positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or
            {False, True}; required for other labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient. `by` is for results of each group,
            `clusters` for dependent samples, `groups` for splits.
        by : array-like of shape (n_samples,), or dict, list or data frame of several, default=None
            The group of each sample, for an axis "group", or of the column's name, sorted, or in
            the order of an ordered categorical. Several columns give one axis, such as "site, sex".
            `by` is for results of each group, `clusters` for dependent samples, `groups` for
            splits.

        Returns
        -------
        ThresholdCurves
            With the axis "class" or "label", or that of the groups: `sum("group")` pools them.

        Raises
        ------
        ValueError
            As `ThresholdCurve.from_scores`; if columns or labels and classes do not match, or a
            group has no sample of positive weight.

        Examples
        --------
        >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]]
        >>> curves = ThresholdCurves.from_scores([0, 1, 2, 2], scores)
        >>> round(curves.roc_auc(), 4)
        0.8472
        >>> ill, risk = [0, 1, 1, 0, 0, 1], [0.1, 0.8, 0.4, 0.6, 0.2, 0.5]
        >>> by_site = ThresholdCurves.from_scores(ill, risk, by=list("aabbbb"))
        >>> by_site.roc_auc()
        array([1. , 0.5])
        """
        weights = Weights(sample_weight, frequency_weights)
        if by is None:
            if pos_label is not None:
                raise ValueError(
                    "pos_label= is only for groups given by by=: use ThresholdCurve.from_scores "
                    "for the curve of one class."
                )
            return cls._of(*samples_of_classes(y_true, y_score, classes, weights, clusters))
        if classes is not None:
            raise ValueError(
                "classes= makes a curve per class, by= one per group: with by=, choose a class by "
                "pos_label=."
            )
        return cls._of(*samples_of_groups(y_true, y_score, pos_label, weights, by, clusters))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        actual: Any,
        score: Any,
        *,
        by: Any,
        pos_label: Label | None = None,
        bins: int | None = None,
        sample_weight: Any = None,
        count: Any = None,
        missing: Missing | None = None,
        verbose: int = 0,
    ) -> Self:
        """Count the rows of a table in its engine, one curve per group, at every score or in bins.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        frame : pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark table
            As in `ConfusionMatrix.from_frame`.
        actual, score : str or narwhals expression
            The columns of actual labels and of scores for the positive class.
        pos_label : int, float, bool or str, default=None
            The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False,
            True}; required for other labels.
        by : str or expression, or list of them
            Group columns; several give one axis. `by` is for results of each group, `clusters` for
            dependent samples, `groups` for splits.
        bins : int, default=None
            A power of two: counts at 0, 1/bins, ..., (bins - 1)/bins; scores outside of [0, 1] fall
            in the first or the last bin. None: counts at every distinct score, at most 1e7.
        sample_weight : str or expression, default=None
            The column of weights, which the engine sums.
        count : str or expression, default=None
            Column with the number of samples of each row, as in `ConfusionMatrix.from_frame`.
        missing : {None, "drop", "label"}, default=None
            Rows with a missing label or group are, None: an error that counts them; "drop":
            omitted, with a warning; "label": labeled "missing", in string columns only.
        verbose : int, default=0
            As in `ConfusionMatrix.from_frame`.

        Returns
        -------
        ThresholdCurves
            With the axis of the groups, by the name of the column.

        Raises
        ------
        ValueError, TypeError, ImportError
            As `ThresholdCurve.from_frame`; if `by` names no column.

        Examples
        --------
        >>> import polars as pl
        >>> late, risk = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        >>> loans = pl.LazyFrame({"late": late, "risk": risk, "site": list("aaabbb")})
        >>> curves = ThresholdCurves.from_frame(loans, "late", "risk", by="site")
        >>> curves.roc_auc()
        array([1., 1.])
        """
        columns = CurveColumns(actual, score, by, sample_weight, count)
        progress = progress_of("from_frame", verbose)
        found = samples_of_frame(frame, columns, pos_label, bins, missing, progress)
        if found.axis is None:
            raise ValueError(
                "by= has no column: name one, or use ThresholdCurve.from_frame for one curve."
            )
        return cls._of(found.axis, found.samples, found.labels, found.entries)

    def __getstate__(self) -> dict[str, Any]:
        # As in ThresholdCurve; the curves made so far are made again.
        return {
            "axis": self.axis,
            "_samples": tuple(map(tuple, self._samples)),
            "_common": None if self._common is None else tuple(self._common),
            "_entries": self._entries,
            "_design": plain_of(self._design),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        axis = state["axis"]
        axis = axis._replace(coordinates=inputs.locked(axis.coordinates))
        samples = tuple(inputs.locked_samples(*entry) for entry in state["_samples"])
        common = None if state["_common"] is None else CurveLabels(*state["_common"])
        design = read_design(state["_design"])
        vars(self).update(state, axis=axis, _samples=samples, _common=common, _design=design)

    @property
    def labels(self) -> NDArray[Any]:
        """The classes, or the labels of multilabel data; for folds and groups, the two labels
        shared by all curves.
        """
        return self.axis.coordinates if self._common is None else self._common.labels

    @property
    def multilabel(self) -> bool:
        """Whether a sample may have several labels, or none."""
        return self.axis.name == "label"

    @property
    def pos_label(self) -> Label | None:
        """The positive class for folds and groups; None where each curve has its own."""
        return None if self._common is None else self._common.positive

    @cached_property
    def _places(self) -> dict[Any, int]:
        """The index of each entry."""
        return {entry: k for k, entry in enumerate(plain(self.axis.coordinates))}

    @cached_property
    def _made(self) -> dict[Any, ThresholdCurve]:
        """The curves accessed so far; not those of areas, which would take gigabytes."""
        return {}

    def __getitem__(self, entry: Any) -> ThresholdCurve:
        if entry not in self._places:
            raise KeyError(
                f"there is no curve for {entry!r}; available curves: {show(self.axis.coordinates)}"
            )
        if entry not in self._made:
            labels = inputs.against_the_rest(entry) if self._common is None else self._common
            samples = self._samples[self._places[entry]]
            design = self._design.with_entries(self.axis.name, self._places[entry], len(self))
            self._made[entry] = self._curve_of(samples, labels, design, self._unit)
        return self._made[entry]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._samples)

    @cached_property
    def micro(self) -> ThresholdCurve:
        """The curve of all classes pooled: each sample counts once for each of them."""
        return self._pooled(POOLED)

    def sum(self, axis: str) -> ThresholdCurve:
        """The pooled curve over folds or groups; for classes, use the "micro" average instead.

        Parameters
        ----------
        axis : str
            The name of the axis, such as "fold" or "group".

        Returns
        -------
        ThresholdCurve

        Raises
        ------
        ValueError
            If there is no such axis, or it is of classes.

        Examples
        --------
        >>> actual, scores = [0, 1, 1, 0], [0.1, 0.8, 0.4, 0.6]
        >>> curves = ThresholdCurves.from_scores(actual, scores, by=["a", "a", "b", "b"])
        >>> curves.sum("group").roc_auc()
        0.75
        """
        if self._common is None:
            raise ValueError(
                f"there is one curve per {self.axis.name}: curves.micro is the pooled curve."
            )
        if axis != self.axis.name:
            raise ValueError(
                f"there is no axis {axis!r}: these curves have the axis {self.axis.name!r}."
            )
        return self._pooled(self._common)

    def at_thresholds(self, thresholds: ArrayLike) -> ConfusionMatrix:
        """The confusion matrices of all curves at the same thresholds.

        Parameters
        ----------
        thresholds : array-like of shape (n_thresholds,) or int
            As in `ThresholdCurve.from_scores`; an int means that many quantiles of all scores.

        Returns
        -------
        ConfusionMatrix
            With two leading axes, that of the curves and "threshold"; 1 is a class or label itself
            and 0 the rest.

        Raises
        ------
        ValueError
            As `ThresholdCurve.from_scores`; if there would be more than 2**24 cells.

        Examples
        --------
        >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]]
        >>> curves = ThresholdCurves.from_scores(["a", "b", "c"], scores)
        >>> curves.at_thresholds([0.6, 0.25]).score("recall")
        array([[1., 1.],
               [0., 1.],
               [0., 1.]])
        """
        together = _together(self._samples)
        grid = inputs.read_thresholds_on_scale(thresholds, together)
        edges = inputs.edges_of_bins(together, self._entries)
        if edges is not None:
            check_edges(grid, edges, self._entries)
        if 4 * len(grid) * len(self) > MOST_CELLS:
            raise ValueError(
                f"{len(self)} curves at {len(grid)} thresholds would have more than 2**24 cells: "
                "use fewer thresholds, such as thresholds=1000."
            )
        tables = np.stack(
            [
                two_by_two(ranking.counts_at(with_weight(entry), grid, "positive"))
                for entry in self._samples
            ]
        )
        axes = self.axis, Axis("threshold", grid)
        design = self._design_at(grid, tables)
        if self._common is None:
            return ConfusionMatrix(tables, np.array([0, 1]), axes, 1, _design=design)
        labels, positive, is_ranked = self._common
        if plain(labels)[1] != positive:
            tables, design = tables[..., ::-1, ::-1], design.moved(lambda of: of[..., ::-1, ::-1])
        ranked = labels if is_ranked else None
        return ConfusionMatrix(tables, labels, axes, positive, ranked, design)

    def _design_at(self, grid: NDArray[Any], tables: NDArray[Any]) -> SampleDesign:
        """The design of the tables (n_curves, n_thresholds, 2, 2), which share samples."""
        entries, unit = self._entries, self._unit
        each = [design_at(entry, entries, grid, "positive", unit) for entry in self._samples]
        stacked = stacked_designs(each, [*tables])
        if self._common is None:
            stacked = self._of_classes(stacked, grid)
        design = self._design.of_cells(stacked).with_shared("threshold", len(grid))
        return design.with_shared(self.axis.name, len(self)) if self._common is None else design

    def _of_classes(self, stacked: SampleDesign, grid: NDArray[Any]) -> SampleDesign:
        """The design of tables of classes that knows the samples, which are in all of them."""
        kinds: dict[type[SampleDesign], type[OfClasses]]
        kinds = {SampleDesign: OfClasses, Weighted: WeightedOfClasses}
        if type(stacked) not in kinds:
            return stacked
        shape = len(self), len(grid), 2, 2
        return kinds[type(stacked)](
            **{field.name: getattr(stacked, field.name) for field in fields(stacked)},
            scores=np.stack([entry.scores for entry in self._samples]),
            positive=np.stack([entry.positive for entry in self._samples]),
            thresholds=grid,
            sources=np.arange(1, np.prod(shape) + 1).reshape(shape),
            times=self._samples[0].weights,
        )

    def best(
        self,
        metric: str | Callable[..., Any],
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        confidence_level: float | None = None,
        **parameters: Any,
    ) -> BestThresholds:
        """The best value of a metric for each curve separately, subject to constraints on other
        metrics if given.

        Parameters
        ----------
        metric : str or function
            A name ("specificity"), an alias ("tnr"), a metric function, or a custom one of a
            ConfusionMatrix; minimized where lower is better.
        subject_to : dict of metric to bound, default=None
            A number is a lower bound where higher is better, else an upper one: `{"recall": 0.9,
            "false_positive_rate": 0.1}`. A pair (low, high) bounds any metric, None leaves a side
            open: `{"predicted_positive_rate": (None, 0.1)}`.
        confidence_level : float, default=None
            How often the bounds of each curve hold on new data. None: they hold on these samples.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        BestThresholds
            Named tuple of value, thresholds and counts, with an entry per curve, and axis.

        Raises
        ------
        ValueError
            As `ThresholdCurve.best`; the message names the curve.

        Examples
        --------
        >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]]
        >>> curves = ThresholdCurves.from_scores(["a", "b", "c"], scores)
        >>> best = curves.best("f1")
        >>> best.axis.coordinates.tolist(), best.thresholds.round(3)
        (['a', 'b', 'c'], array([0.5, 0.3, 0.2]))
        """
        bounds: dict[str, Any] = {"subject_to": subject_to, "confidence_level": confidence_level}
        each = []
        for entry, curve in self.items():
            try:
                each.append(curve.best(metric, **bounds, **parameters))
            except ValueError as error:
                raise ValueError(f"{self.axis.name} {entry!r}: {error}") from None
        values, thresholds, counts = zip(*each, strict=True)
        parts = (np.array(part) for part in zip(*counts, strict=True))
        return BestThresholds(
            np.array(values), np.array(thresholds), ClassCounts(*parts), self.axis
        )

    @overload
    def roc_auc(self, average: None) -> NDArray[np.float64]: ...
    @overload
    def roc_auc(self, average: str = "macro") -> Any: ...
    def roc_auc(self, average: str | None = "macro") -> Any:
        """Areas under the ROC curves, per curve or averaged.

        Parameters
        ----------
        average : {"macro", "weighted", "micro", "worst", "ovo"} or None, default="macro"
            For classes and labels: the mean, also weighted by class size, the area of the pooled
            curve, the smallest, or the mean over all pairs of classes (one-vs-one). None, and of
            folds and groups: one area each.

        Returns
        -------
        float, or ndarray of shape (n_classes,) for average=None, (n_curves,) for folds and groups
            In [0, 1]. A class without positive or negative samples is nan and excluded from
            averages, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If there is no such average, or "ovo" is requested for multilabel data.

        References
        ----------
        Hand & Till (2001), Machine Learning 45; scikit-learn's roc_auc_score.

        Examples
        --------
        >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]]
        >>> curves = ThresholdCurves.from_scores([0, 1, 2, 2], scores)
        >>> curves.roc_auc(average=None).round(3)
        array([1.   , 0.667, 0.875])
        """
        average = self._average_of_areas(average, (*AVERAGES_OF_AREAS, "ovo"))
        if average != "ovo":
            return self._areas("roc_auc", ranking.roc_area, average)
        if self.multilabel:
            raise ValueError(
                "average='ovo' is for classes, not labels: choose one of "
                f"{list(AVERAGES_OF_AREAS)}."
            )
        positive = np.stack([of_class.positive for of_class in self._samples])
        scores = np.stack([of_class.scores for of_class in self._samples], axis=1)
        areas = ranking.one_vs_one_areas(
            scores, positive.argmax(axis=0), self._samples[0].weights, len(self)
        )
        pairs = areas[~np.eye(len(areas), dtype=bool)]
        self._warn("roc_auc", np.isnan(np.diagonal(areas)))
        return float(averaged(pairs, "macro", better="higher"))

    @overload
    def average_precision(self, average: None) -> NDArray[np.float64]: ...
    @overload
    def average_precision(self, average: str = "macro") -> Any: ...
    def average_precision(self, average: str | None = "macro") -> Any:
        """Average precision, per curve or averaged.

        Parameters
        ----------
        average : {"macro", "weighted", "micro", "worst"} or None, default="macro"
            As in `roc_auc`.

        Returns
        -------
        float, or ndarray of shape (n_classes,) for average=None, (n_curves,) for folds and groups
            In [0, 1]. A class without positive samples is nan and excluded from averages, with an
            UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If there is no such average.

        Examples
        --------
        >>> scores = [[0.9, 0.2], [0.4, 0.6], [0.3, 0.8]]
        >>> ThresholdCurves.from_scores([[1, 0], [0, 1], [1, 1]], scores).average_precision()
        0.9166666666666666
        """
        average = self._average_of_areas(average, AVERAGES_OF_AREAS)
        return self._areas("average_precision", ranking.precision_area, average)

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per curve and threshold: the coordinate of the curve, "threshold", "tp", "fp",
        "fn" and "tn".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The frame's library. None: pandas if installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            The first column has the name of the axis.

        Examples
        --------
        >>> actual, scores = [0, 1, 1, 0], [0.1, 0.8, 0.4, 0.6]
        >>> curves = ThresholdCurves.from_scores(actual, scores, by=["a", "a", "b", "b"])
        >>> print(curves.to_frame().to_string(index=False))
        group  threshold  tp  fp  fn  tn
            a        0.8   1   0   0   1
            a        0.1   1   1   0   0
            b        0.6   0   1   1   0
            b        0.4   1   1   0   0
        """
        each = [self._thresholds_and_counts(samples) for samples in self._samples]
        entries = np.repeat(np.arange(len(self)), [len(thresholds) for thresholds, _ in each])
        thresholds, counts = (np.concatenate(part, axis=-1) for part in zip(*each, strict=True))
        of_curves = columns_of_grid([(self.axis.name, self.axis.coordinates[entries])])
        return frame(
            {**of_curves, "threshold": thresholds, **ClassCounts(*counts)._asdict()}, backend
        )

    def _thresholds_and_counts(self, samples: Samples) -> tuple[NDArray[Any], ClassCounts]:
        """Those of one curve, which is not made."""
        edges = inputs.edges_of_bins(samples, self._entries)
        if edges is None:
            return counts_at_every_score(with_weight(samples), "positive")
        return edges, ranking.counts_at(samples, edges, "positive")

    def _average_of_areas(self, average: str | None, known: tuple[str, ...]) -> str | None:
        """The average to take; rejects unknown ones, and any over folds or groups."""
        if average is not None and average not in known:
            raise ValueError(f"average must be None or one of {list(known)}; got {average!r}.")
        if self._common is None:
            return average
        if average not in ("macro", None):
            raise ValueError(
                f"average={average!r} is for classes, but here there is one curve per "
                f"{self.axis.name}."
            )
        return None

    def _areas(self, name: str, area: Callable[[ClassCounts], float], average: str | None) -> Any:
        """The areas of all curves, or an average."""
        if average == "micro":
            pooled = area(self.micro.counts)
            self._warn(name, np.full(len(self), pooled != pooled))
            return pooled
        areas = np.array(
            [
                area(counts_at_every_score(with_weight(entry), "positive")[1])
                for entry in self._samples
            ]
        )
        self._warn(name, np.isnan(areas))
        value = averaged(
            areas,
            average,
            better="higher",
            support=self._support if average == "weighted" else None,
        )
        return value if average is None else float(value)

    @property
    def _support(self) -> NDArray[Any]:
        """The weight of the samples of each class."""
        sums = [
            (positive if weights is None else weights[positive]).sum()
            for _, positive, weights, _ in self._samples
        ]
        return np.array(sums, dtype=float)

    @property
    def _unit(self) -> str:
        """What a cluster is: a sample that is in several folds, unless none is."""
        return "sample" if dict(self._design.shared).get(FOLD, 1) > 1 else "cluster"

    def _pooled(self, labels: CurveLabels) -> ThresholdCurve:
        """The curve of the samples of all curves."""
        samples, unit = _together(self._samples), self._unit
        if self._common is None and samples.clusters is None:
            # Each sample is there once for each class.
            every = np.arange(len(self._samples[0].scores))
            names = names_of_samples(every, samples.scores, samples.positive)
            samples, unit = samples._replace(clusters=np.tile(names, len(self))), "sample"
        design = self._design
        if self._common is not None:
            design = design.without_axis(0, self.axis.name)
        return self._curve_of(samples, labels, design, unit)

    def _curve_of(
        self, samples: Samples, labels: CurveLabels, design: SampleDesign, unit: str
    ) -> ThresholdCurve:
        """A curve at its own scores, or at the edges of the bins."""
        edges = inputs.edges_of_bins(samples, self._entries)
        return ThresholdCurve._of_samples(
            samples, labels, "positive", edges, self._entries, design, unit
        )

    def _warn(self, name: str, undefined: NDArray[np.bool_]) -> None:
        """One warning for all undefined classes."""
        if undefined.any():
            warn_undefined(
                f"{name} is undefined for {show(self.axis.coordinates[undefined])}, which lack "
                "positive or negative samples: it is set to nan there and excluded from averages."
            )

    def _repr_html_(self) -> str:
        return curves_as_html(repr(self), self.axis.name, [*self], self._samples)

    def __repr__(self) -> str:
        if self._common is None:
            kind = "labels" if self.multilabel else "classes"
            return (
                f"ThresholdCurves of {len(self._samples[0].scores)} samples, {len(self)} {kind} "
                f"{show(self.labels)}"
            )
        n_samples = sum(len(entry.scores) for entry in self._samples)
        is_named = self.axis.name not in ("fold", "group")
        kind = f"groups by {self.axis.name!r}" if is_named else f"{self.axis.name}s"
        return (
            f"ThresholdCurves of {n_samples} samples, {len(self)} {kind}, positive "
            f"{self.pos_label!r}"
        )


def _together(samples: tuple[Samples, ...]) -> Samples:
    """The samples of several curves, concatenated."""
    parts = zip(*samples, strict=True)
    return Samples._make(None if part[0] is None else np.concatenate(part) for part in parts)
