"""ThresholdCurves: one curve a class or label, the pooled one, and averages of their areas."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.columns import columns_in_order, columns_matched, is_one_hot, read_scores
from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import (
    Samples,
    counts_at_every_score,
    one_vs_one_areas,
    precision_area,
    roc_area,
)
from skmetrics_ext.curves.curve import ThresholdCurve, locked
from skmetrics_ext.curves.from_scores import curve_of
from skmetrics_ext.curves.inputs import CurveLabels, against_the_rest, weights_of_samples
from skmetrics_ext.reading.labels import Column, read_labels, read_order
from skmetrics_ext.reading.order import check_same_kind, plain, positions_in, show

AVERAGES_OF_AREAS = ("macro", "weighted", "micro", "worst")


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurves(Mapping[Any, ThresholdCurve]):
    """The curve of each class against the rest, by its label; make them with `threshold_curves`.

    A mapping: `curves[label]`, `curves.items()`, `len(curves)`, in the order of the labels.

    Attributes
    ----------
    labels : ndarray of shape (n_classes,)
        The classes, or the labels of multilabel data.
    multilabel : bool
        Whether a sample may have several labels, or none.

    Examples
    --------
    >>> curves = threshold_curves(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]])
    >>> curves
    ThresholdCurves of 3 samples, 3 classes ['a', 'b', 'c']
    >>> curves["b"].roc_auc()
    0.5
    >>> [label for label, curve in curves.items() if curve.roc_auc() > 0.7]
    ['a', 'c']
    """

    labels: NDArray[Any]
    multilabel: bool
    _scores: NDArray[Any]
    _positive: NDArray[np.bool_]
    _weights: NDArray[Any] | None

    # A mapping would compare its curves, which are equal only to themselves.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        for name in ("labels", "_scores", "_positive"):
            object.__setattr__(self, name, locked(getattr(self, name)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @cached_property
    def _columns(self) -> dict[Any, int]:
        """The column of each label."""
        return {label: k for k, label in enumerate(plain(self.labels))}

    @cached_property
    def _made(self) -> dict[Any, ThresholdCurve]:
        """The curves that were asked for. Areas do not keep theirs: those of a hundred classes take gigabytes."""
        return {}

    def _curve(self, column: int) -> ThresholdCurve:
        """The curve of a column of scores."""
        return curve_of(self._samples(column), against_the_rest(plain(self.labels)[column]))

    def _samples(self, column: int) -> Samples:
        """What the curve of a column counts."""
        return Samples(self._scores[:, column], self._positive[:, column], self._weights)

    @cached_property
    def micro(self) -> ThresholdCurve:
        """The curve of all classes pooled: each sample counts once for each of them."""
        weights = None if self._weights is None else np.tile(self._weights, len(self.labels))
        samples = Samples(self._scores.T.ravel(), self._positive.T.ravel(), weights)
        return curve_of(samples, CurveLabels(np.array([False, True]), True))

    def __getitem__(self, label: Any) -> ThresholdCurve:
        if label not in self._columns:
            raise KeyError(f"there is no curve of {label!r}; the labels are {show(self.labels)}")
        if label not in self._made:
            self._made[label] = self._curve(self._columns[label])
        return self._made[label]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self.labels)

    def roc_auc(self, average: str | None = "macro") -> Any:
        """Areas under the ROC curves, summed up.

        Parameters
        ----------
        average : {"macro", "weighted", "micro", "worst", "ovo"} or None, default="macro"
            Mean over the classes, the same weighted by their samples, the area of the pooled
            curve, the least area, or the mean over all pairs of classes of how well the scores of
            either tell the two apart (one-vs-one). None: one area a class.

        Returns
        -------
        float, or ndarray of shape (n_classes,) for average=None
            In [0, 1]. A class without positive or negative samples has no area: it is nan and
            left out of averages, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If there is no such average, or "ovo" is asked for multilabel data.

        References
        ----------
        Hand & Till (2001), A simple generalisation of the area under the ROC curve for multiple
        class classification problems, Machine Learning 45; scikit-learn's roc_auc_score.

        Examples
        --------
        >>> curves = threshold_curves([0, 1, 2, 2], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]])
        >>> curves.roc_auc(average=None).round(3)
        array([1.   , 0.667, 0.875])
        >>> round(curves.roc_auc(average="ovo"), 3)
        0.875
        """
        _check_average_of_areas(average, (*AVERAGES_OF_AREAS, "ovo"))
        if average != "ovo":
            return self._average("roc_auc", roc_area, average)
        if self.multilabel:
            raise ValueError(
                "average='ovo' compares classes of which a sample has one, and these data are multilabel: choose "
                f"one of {list(AVERAGES_OF_AREAS)}."
            )
        codes = self._positive.argmax(axis=1)
        areas = one_vs_one_areas(self._scores, codes, self._weights, len(self.labels))
        pairs = areas[~np.eye(len(areas), dtype=bool)]
        self._warn("roc_auc", np.isnan(np.diagonal(areas)))
        return float(averaged(pairs, "macro", better="higher"))

    def average_precision(self, average: str | None = "macro") -> Any:
        """Average precision of the curves, summed up.

        Parameters
        ----------
        average : {"macro", "weighted", "micro", "worst"} or None, default="macro"
            As in `roc_auc`.

        Returns
        -------
        float, or ndarray of shape (n_classes,) for average=None
            In [0, 1]. A class without positive samples is nan and left out of averages, with an
            UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If there is no such average.

        Examples
        --------
        >>> threshold_curves([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.4, 0.6], [0.3, 0.8]]).average_precision()
        0.9166666666666666
        """
        _check_average_of_areas(average, AVERAGES_OF_AREAS)
        return self._average("average_precision", precision_area, average)

    def _average(self, name: str, area: Callable[[ClassCounts], float], average: str | None) -> Any:
        """The areas of all curves, their mean, or the area of the pooled curve."""
        if average == "micro":
            pooled = area(self.micro.counts)
            self._warn(name, np.full(len(self), pooled != pooled))
            return pooled
        samples = map(self._samples, range(len(self)))
        areas = np.array([area(counts_at_every_score(of_class, "positive")[1]) for of_class in samples])
        self._warn(name, np.isnan(areas))
        value = averaged(areas, average, better="higher", support=self._support if average == "weighted" else None)
        return value if average is None else float(value)

    @property
    def _support(self) -> NDArray[Any]:
        """The weight of the samples of each class."""
        weights = np.ones(len(self._scores)) if self._weights is None else self._weights
        return np.array([weights.compress(of_class).sum() for of_class in self._positive.T])

    def _warn(self, name: str, undefined: NDArray[np.bool_]) -> None:
        """One warning for all classes that lack positive or negative samples."""
        if undefined.any():
            warn_undefined(
                f"{name} is undefined for {show(self.labels[undefined])}, which lack positive or negative samples: "
                "nan, left out of averages."
            )

    def __repr__(self) -> str:
        kind = "labels" if self.multilabel else "classes"
        return f"ThresholdCurves of {len(self._scores)} samples, {len(self)} {kind} {show(self.labels)}"


def threshold_curves(
    y_true: Any,
    y_score: Any,
    *,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ThresholdCurves:
    """Count tp, fp, fn and tn of every class against the rest, at every threshold of its scores.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
        Labels, one-hot rows or multilabel indicators. 2-D targets are one-hot classes when each
        row has exactly one 1 and each row of scores sums to 1.
    y_score : array-like of shape (n_samples, n_classes), or list of n_labels arrays (n_samples, 2)
        One column of scores a class, the larger the likelier. A list is the `predict_proba` of a
        multilabel model.
    classes : array-like of shape (n_classes,), default=None
        The label of each column. None: the names of a data frame's columns, else the sorted labels
        of `y_true`, where there are as many as columns; for 2-D targets the column numbers 0, 1, ...
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    ThresholdCurves

    Raises
    ------
    ValueError
        If columns and classes do not match, lengths differ, `y_true` has labels that are not
        among the classes, or scores hold NaN or infinity.

    Examples
    --------
    >>> curves = threshold_curves([0, 1, 2, 2], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]])
    >>> round(curves.roc_auc(), 4)
    0.8472
    >>> curves[2].best("f1").threshold
    0.3
    """
    scores = read_scores(y_score)
    true = read_labels(y_true, "y_true")
    if isinstance(scores, list):
        if isinstance(true, Column):
            raise ValueError("y_true is 1-D, one label a sample; multilabel scores need a 2-D 0/1 y_true.")
        scores = np.stack([pair[:, 1] for pair in scores], axis=1)
    elif scores.ndim == 1:
        raise ValueError(
            "y_score has one column, the scores of one class: use threshold_curve, or pass one column a class."
        )
    weights = weights_of_samples(true, y_score, len(scores), sample_weight)
    named = None if classes is None else read_order(classes, "classes")
    if isinstance(true, Column):
        multilabel = False
        scores, order = columns_in_order(y_score, scores, true.labels, named)
        _check_columns(true, scores, order)
        positive = positions_in(order, true.labels)[true.codes] == np.arange(len(order))[:, None]
    else:
        target, scores, names = columns_matched(true, y_score, scores, named)
        multilabel = isinstance(y_score, list) or not is_one_hot(target, scores)
        order = _order_of_indicators(target.shape[1], scores.shape[1], names)
        positive = target.T
    # Copies, since curves are made when they are asked for; one class after the other, since each is sorted.
    by_class = np.array(scores.T, order="C"), np.array(positive, order="C")
    weights = None if weights is None else weights.copy()
    return ThresholdCurves(order, multilabel, by_class[0].T, by_class[1].T, weights)


def _check_columns(true: Column, scores: NDArray[Any], order: NDArray[Any]) -> None:
    """Refuse classes that are not those of the columns or of the labels."""
    check_same_kind(true.labels, order, "y_true", "classes")
    if len(order) != scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns, but classes names {len(order)}: {show(order)}. Name each column "
            "once, in order."
        )
    outside = true.labels[positions_in(order, true.labels) == len(order)]
    if len(outside):
        raise ValueError(f"y_true has labels {show(outside)} that are not among classes={show(order)}.")


def _order_of_indicators(n_labels: int, n_columns: int, classes: NDArray[Any] | None) -> NDArray[Any]:
    """The label of each column of 2-D targets and scores."""
    order = np.arange(n_labels) if classes is None else classes
    if not n_labels == n_columns == len(order):
        raise ValueError(
            f"y_true has {n_labels} label columns, y_score has {n_columns} and there are {len(order)} classes: column "
            "k must be the same label in all of them."
        )
    return order


def _check_average_of_areas(average: str | None, known: tuple[str, ...]) -> None:
    """Refuse a misspelt average."""
    if average is not None and average not in known:
        raise ValueError(f"average must be None or one of {list(known)}; got {average!r}.")
