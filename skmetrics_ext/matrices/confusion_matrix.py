"""ConfusionMatrix: counts with their labels and axes, the object a user holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.adapter.rule import Ties, decode, make_rule
from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, count_indicators, count_matrix, margins_of, two_by_two
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.given_counts import check_counts, read_counts
from skmetrics_ext.matrices.state import array_from_json, array_to_json
from skmetrics_ext.reading.labels import Column, read_labels, read_order
from skmetrics_ext.reading.names import (
    check_same_samples,
    index_of,
    index_of_samples,
)
from skmetrics_ext.reading.order import check_same_kind, plain, positions_in, show, sorted_union
from skmetrics_ext.reading.pairs import Indicators, encode
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.matrix_text import as_html, as_text, number


class Confusion(NamedTuple):
    """How often one class is taken for another; `share` is of the samples of the actual class."""

    actual: Any
    predicted: Any
    count: float  # type: ignore[assignment]
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix:
    """M[..., i, j]: the number of samples of actual class i that were predicted as class j.

    Make one with `from_labels`, `from_scores`, `from_estimator` or `from_counts`. It is
    frozen; two of them add up, and every metric of the catalogue is one `score` away, for
    all entries of the leading axes (groups, folds, ...) at once.

    Attributes
    ----------
    counts : ndarray of shape (..., n_classes, n_classes)
        Rows are actual, columns predicted classes; int64, or float64 with float weights.
    labels : ndarray of shape (n_classes,)
        The classes, in the order of rows and columns.
    axes : tuple of Axis
        Name and coordinates of each leading axis.
    pos_label : int, float, bool, str or None
        The positive class of `score`, if it is known: the one given, the second of
        `labels=[negative, positive]` or `classes=`, else 1 of {0, 1}, {-1, 1} or {False, True}.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_labels(["cat", "dog", "cat", "cat"], ["cat", "dog", "dog", "cat"])
    >>> cm
    ConfusionMatrix of 4 samples (rows: actual, columns: predicted)
         cat  dog
    cat    2    1
    dog    0    1
    >>> round(cm.score("recall", pos_label="cat"), 4)
    0.6667
    """

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Any = None

    def __post_init__(self) -> None:
        shape = tuple(len(axis.coordinates) for axis in self.axes) + np.shape(self.labels) * 2
        if np.ndim(self.labels) != 1 or np.shape(self.counts) != shape:
            raise ValueError(
                f"counts of shape {np.shape(self.counts)} do not fit {np.size(self.labels)} labels and "
                f"the axes {describe_axes(self.axes)}: make a ConfusionMatrix by from_counts or another constructor."
            )
        check_counts(np.asarray(self.counts))
        axes = tuple(Axis(axis.name, _read_only(axis.coordinates)) for axis in self.axes)
        for name, value in (("counts", _read_only(self.counts)), ("labels", _read_only(self.labels)), ("axes", axes)):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.counts, self.labels, self.axes, self.pos_label)

    @classmethod
    def from_labels(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        by: Any = None,
    ) -> Self:
        """Count actual against predicted labels, for each group of `by` if given.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
            Actual and predicted labels. Multilabel data give one 2 x 2 matrix a label, on an
            axis "label", and one value a label in `score`; for averages over the labels call
            the metric functions.
        labels : array-like of shape (n_classes,), default=None
            The classes in their order, which must cover all data; two are [negative, positive].
            None: all labels, sorted.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        by : array-like of shape (n_samples,), default=None
            A group of each sample: gives a leading axis "group".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If an input is no label array, lengths differ, or the data have labels that are
            not in `labels`.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by=["a", "a", "b", "b"])
        >>> cm.score("recall")
        array([1. , 0.5])
        """
        order = None if labels is None else read_order(labels)
        group = None if by is None else read_labels(by, "by")
        return cls._count(y_true, y_pred, order, sample_weight, ("y_true", "y_pred"), group, carried=second_of(order))

    @classmethod
    def _count(
        cls,
        y_true: Any,
        y_pred: Any,
        labels: NDArray[Any] | None,
        sample_weight: ArrayLike | None,
        names: tuple[str, str],
        group: Any = None,
        *,
        pos_label: Any = None,
        carried: Any = None,
    ) -> Self:
        """Count label arrays that the caller knows by these names."""
        true = read_labels(y_true, names[0])
        encoded = encode(true, y_pred, labels=labels, sample_weight=sample_weight, names=names)
        if isinstance(encoded, Indicators):
            if group is not None:
                raise ValueError("by= is for one label a sample; y_true and y_pred are multilabel.")
            axes = (Axis("label", encoded.labels),)
            return cls(two_by_two(count_indicators(encoded)), np.array([0, 1]), axes, 1)
        if encoded.n_codes > len(encoded.labels):
            present = encode(true, y_pred, names=names).labels
            outside = present[positions_in(encoded.labels, present) == len(encoded.labels)]
            raise ValueError(
                f"labels={show(encoded.labels)} must cover all data, which also have {show(outside)}. "
                "Choose among classes later, with score(labels=...)."
            )
        positive = known_positive(encoded.labels, pos_label, carried)
        if group is None:
            return cls(count_matrix(encoded), encoded.labels, (), positive)
        shape = group.codes.shape if isinstance(group, Column) else group.values.shape
        if shape != encoded.true.shape:
            raise ValueError(f"by must hold one group a sample, shape {encoded.true.shape}; it has shape {shape}.")
        index = index_of_samples(true.index, index_of(y_pred))
        check_same_samples(index, group.index, (names[0 if index is true.index else 1], "by"), default_is_name=True)
        counts = count_matrix(encoded, group.codes, len(group.labels))
        return cls(counts, encoded.labels, (Axis("group", group.labels),), positive)

    @classmethod
    def from_scores(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        classes: ArrayLike | None = None,
        threshold: float | ArrayLike | None = None,
        ties: Ties = "positive",
        pos_label: Any = None,
        cost_matrix: ArrayLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Count actual labels against those that scores predict, by the rules of `labels_from_scores`.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, one-hot rows or multilabel indicators.
        y_score : array-like of shape (n_samples,), (n_samples, n_classes), or list of (n_samples, 2)
            Scores, as in `labels_from_scores`.
        classes : array-like of shape (n_classes,), default=None
            Label of each column of scores, [negative, positive] for two. None: the names of a data
            frame's columns, in any order, else the sorted labels of `y_true`, where there are as
            many as columns.
        threshold, ties, cost_matrix
            As in `labels_from_scores`; one number a class, and costs, are named or in the order of
            `classes`, else of the sorted labels.
        pos_label : int, float, bool or str, default=None
            The class that one threshold and 1-D scores speak of, and the positive one of `score`.
            None: the second of `classes`, if given, else 1 of {0, 1}, {-1, 1} or {False, True}.
        multilabel : bool, default=None
            Whether 2-D targets are independent labels. None: they are one-hot classes when each
            row has exactly one 1 and each row of scores sums to 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.

        Returns
        -------
        ConfusionMatrix
            Labels in the order of `classes`, else sorted.

        Raises
        ------
        ValueError
            As `labels_from_scores`; also if the classes of the columns can't be inferred.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_scores([0, 1, 1], [0.4, 0.7, 0.3])
        >>> round(cm.score("accuracy"), 4)
        0.6667
        """
        rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        named = None if classes is None else read_order(classes, "classes")
        carried = second_of(named)
        true, pred, order = decode(y_true, y_score, rule._replace(carried=carried), named, multilabel)
        if isinstance(true, Column) and order is not None:
            outside = true.labels[positions_in(order, true.labels) == len(order)]
            if len(outside):
                raise ValueError(f"y_true has labels {show(outside)} that are not among classes={show(order)}.")
        names = ("y_true", "y_score")
        return cls._count(true, pred, order, sample_weight, names, pos_label=pos_label, carried=carried)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        classes: ArrayLike | None = None,
        threshold: float | ArrayLike | None = None,
        ties: Ties = "positive",
        pos_label: Any = None,
        cost_matrix: ArrayLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Count actual labels against those that a fitted estimator predicts for X.

        Parameters
        ----------
        estimator : object with predict, predict_proba or decision_function
            Its `predict` may give labels or probabilities.
        X : array-like
            What the estimator predicts for.
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Actual labels, one-hot rows or multilabel indicators.
        response_method : {"auto", "predict", "predict_proba", "decision_function"}, default="auto"
            "auto": predict, or with a threshold or costs the first method that gives scores.
        classes, threshold, ties, pos_label, cost_matrix, multilabel, sample_weight
            As in `from_scores`, but 1-D scores of a model are those of its second class,
            whichever is positive. `classes` are by default the estimator's `classes_`, whose order
            makes no class positive.

        Returns
        -------
        ConfusionMatrix
            Sorted labels: those of `y`, of the predictions and of the estimator.

        Raises
        ------
        ValueError
            As `from_scores`.
        TypeError
            If the estimator lacks the method.

        Examples
        --------
        >>> from sklearn.dummy import DummyClassifier
        >>> estimator = DummyClassifier().fit([[0], [0], [0]], ["no", "yes", "no"])
        >>> ConfusionMatrix.from_estimator(estimator, [[0], [0]], ["no", "yes"])
        ConfusionMatrix of 2 samples (rows: actual, columns: predicted)
             no  yes
        no    1    0
        yes   1    0
        """
        rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        methods = check_response_method(response_method)
        named = None if classes is None else read_order(classes, "classes")
        carried = second_of(named)
        true, pred, known = predict_labels(
            estimator,
            X,
            read_labels(y, "y"),
            rule._replace(carried=carried),
            response_method=methods,
            classes=named,
            multilabel=multilabel,
        )
        present = encode(true, pred, names=("y", "prediction"))
        order = None
        if not isinstance(present, Indicators) and known is not None:
            order = sorted_union(present.labels, np.sort(known))
        names = ("y", "prediction")
        return cls._count(true, pred, order, sample_weight, names, pos_label=pos_label, carried=carried)

    @classmethod
    def from_counts(cls, counts: Any, labels: ArrayLike | None = None) -> Self:
        """Take counts that exist already.

        Parameters
        ----------
        counts : array-like of shape (..., n_classes, n_classes), or data frame such as pd.crosstab(y_true, y_pred)
            Rows are actual, columns predicted classes. The index and the columns of a frame name
            them; a cell that it lacks is 0.
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of rows and columns, two of them [negative, positive]; of a
            frame that names its classes all of these, in the order that the matrix is to have.
            None: the sorted names of the frame.

        Returns
        -------
        ConfusionMatrix
            Leading axes are named "axis_0", "axis_1", ...

        Raises
        ------
        ValueError
            If the last two axes are not square, do not match `labels`, a count is negative, NaN or
            infinite, or all add up to 2**63 or more.

        Examples
        --------
        >>> ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"]).score("accuracy")
        0.75
        """
        array, order = read_counts(counts, labels)
        axes = tuple(Axis(f"axis_{k}", np.arange(n)) for k, n in enumerate(array.shape[:-2]))
        # The names of a frame are no order of the caller's.
        positive = known_positive(order, carried=None if labels is None else second_of(order))
        return cls(array, order, axes, positive)

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Self:
        """Undo `to_dict`, also after a way through JSON.

        Examples
        --------
        >>> import json
        >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=[False, True])
        >>> ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))) == cm
        True
        """
        axes = tuple(Axis(axis["name"], array_from_json(axis["coordinates"])) for axis in state["axes"])
        positive = state.get("pos_label")
        return cls(
            array_from_json(state["counts"]),
            array_from_json(state["labels"]),
            axes,
            None if positive is None else plain(array_from_json(positive))[0],
        )

    def to_dict(self) -> dict[str, Any]:
        """Counts, labels and axes as plain values for JSON; `from_dict` restores their types."""
        return {
            "counts": array_to_json(self.counts),
            "labels": array_to_json(self.labels),
            "axes": [{"name": axis.name, "coordinates": array_to_json(axis.coordinates)} for axis in self.axes],
            "pos_label": None if self.pos_label is None else array_to_json(read_order([self.pos_label], "pos_label")),
        }

    @property
    def n_samples(self) -> Any:
        """Number (or weight) of samples: a number, or an array over the leading axes."""
        return self.counts.sum((-2, -1))

    @property
    def class_counts(self) -> ClassCounts:
        """tp, fp, fn and tn of every class against the rest, each (..., n_classes)."""
        return ClassCounts(*margins_of(self.counts))

    def score(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str | None = "auto",
        labels: ArrayLike | None = None,
        pos_label: Any = None,
        zero_division: ZeroDivision = "warn",
        **parameters: Any,
    ) -> Any:
        """The value of a metric, for every entry of the leading axes at once.

        Parameters
        ----------
        metric : str or function
            A name ("specificity"), an alias ("tnr"), either with an average
            ("specificity_macro"), or a metric function of this package. Values are unsigned.
        average : {"auto", "binary", "macro", "micro", "weighted"} or None, default="auto"
            "auto": "binary" for two classes and "macro" for more.
        labels : array-like, default=None
            The classes to average or report. None: all.
        pos_label : int, float, bool or str, default=None
            The positive class for "binary". None: that of the matrix, if it is known.
        zero_division : {"warn", 0, 1, nan}, default="warn"
            The value where the metric is 0/0.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        float or ndarray of shape (...,), for average=None (..., n_classes)

        Raises
        ------
        ValueError, TypeError
            If there is no such metric, an option or parameter does not fit it, or the positive
            class is needed and not known.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[[8, 2], [1, 9]], [[7, 3], [5, 5]]], labels=["no", "yes"])
        >>> cm.score("specificity")
        array([0.8, 0.7])
        >>> cm.score("fbeta", beta=2, average=None).round(3)
        array([[0.816, 0.882],
               [0.673, 0.521]])
        """
        choice = choose(
            metric,
            average=average,
            labels=labels,
            pos_label=pos_label,
            zero_division=zero_division,
            **parameters,
        )
        return score(_counted(self.counts, self.labels, self.axes, self.pos_label, choice), choice)

    def normalize(self, over: Literal["true", "pred", "all"] = "true") -> NDArray[np.float64]:
        """Shares of each row ("true"), each column ("pred") or all samples; empty ones are 0.

        Examples
        --------
        >>> ConfusionMatrix.from_counts([[3, 1], [0, 0]], labels=[0, 1]).normalize("true")
        array([[0.75, 0.25],
               [0.  , 0.  ]])
        """
        if over not in ("true", "pred", "all"):
            raise ValueError(f"normalize over 'true', 'pred' or 'all'; got {over!r}.")
        return all_classes.shares(self.counts, over)

    def sum(self, axis: int | str = 0) -> Self:
        """Pool a leading axis, given by number or name.

        Examples
        --------
        >>> ConfusionMatrix.from_labels([0, 1], [0, 0], by=["a", "b"]).sum("group").counts
        array([[1, 0],
               [1, 0]])
        """
        names = [leading.name for leading in self.axes]
        if isinstance(axis, str):
            if axis not in names:
                raise ValueError(f"there is no axis {axis!r}; the leading axes are {names}.")
            axis = names.index(axis)
        if not names:
            raise ValueError("there is nothing to sum over: the leading axes are [].")
        if not -len(names) <= axis < len(names):
            raise ValueError(f"axis {axis} is out of range: the leading axes are {names}.")
        axis %= len(names)
        rest = self.axes[:axis] + self.axes[axis + 1 :]
        return type(self)(self.counts.sum(axis), self.labels, rest, self.pos_label)

    def with_labels(self, labels: ArrayLike) -> Self:
        """The same counts in another label order, which may have more labels, and lack those that have no counts.

        Parameters
        ----------
        labels : array-like of shape (n_classes,)
            The classes in the new order, two of them [negative, positive].

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If a label that has counts is not among `labels`.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_labels(["no", "yes"], ["no", "no"])
        >>> cm.with_labels(["yes", "no", "maybe"]).counts
        array([[0, 1, 0],
               [0, 1, 0],
               [0, 0, 0]])
        """
        order = read_order(labels)
        check_same_kind(order, self.labels, "labels", "the matrix")
        positions = positions_in(order, self.labels)
        pooled = self._pooled()
        lost = (positions == len(order)) & ((pooled.sum(0) + pooled.sum(1)) > 0)
        if lost.any():
            raise ValueError(
                f"labels={show(order)} must cover all data, which also have {show(self.labels[lost])}. "
                "Choose among classes later, with score(labels=...)."
            )
        kept = positions < len(order)
        counts = np.zeros((*self.counts.shape[:-2], len(order), len(order)), dtype=self.counts.dtype)
        to = positions[kept]
        counts[..., to[:, None], to] = self.counts[..., kept, :][..., kept]
        positive = second_of(order)
        return type(self)(counts, order, self.axes, self.pos_label if positive is None else positive)

    def __add__(self, other: Any) -> Self:
        """Pool the samples of two matrices, with their labels aligned.

        Equal orders are kept and sorted ones merge into the sorted union; two different
        orders of which one is not sorted raise a ValueError, and so do two different positive
        classes.
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if not same_axes(self.axes, other.axes):
            raise ValueError(
                f"the leading axes differ: {describe_axes(self.axes)} and {describe_axes(other.axes)}. "
                "Pool them first with sum()."
            )
        check_counts(self.counts, other.counts)
        if np.array_equal(self.labels, other.labels):
            positive = self._positive_with(other, self.labels)
            return type(self)(self.counts + other.counts, self.labels, self.axes, positive)
        check_same_kind(self.labels, other.labels, "the first matrix", "the second")
        if not (_is_sorted(self.labels) and _is_sorted(other.labels)):
            raise ValueError(
                f"the labels stand in conflicting orders, {show(self.labels)} and {show(other.labels)}: count "
                "both with the same labels=."
            )
        order = sorted_union(self.labels, other.labels)
        counts = self.with_labels(order).counts + other.with_labels(order).counts
        return type(self)(counts, order, self.axes, self._positive_with(other, order))

    def _positive_with(self, other: "ConfusionMatrix", labels: NDArray[Any]) -> Any:
        """The positive class of a sum: that of either, where the labels have it."""
        own, others = self.pos_label, other.pos_label
        if own is not None and others is not None and own != others:
            raise ValueError(f"the positive classes differ, {own!r} and {others!r}: count both with the same one.")
        # A class that is positive by convention alone, as 1 of a chunk that has no other label, is so no more beside 2.
        told = [cm.pos_label for cm in (self, other) if cm.pos_label != known_positive(cm.labels)]
        return next((label for label in told if label is not None), known_positive(labels))

    def __radd__(self, other: Any) -> Self:
        """`sum(matrices)` starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def most_confused(self, n: int = 5) -> list[Confusion]:
        """The n most frequent errors as (actual, predicted, count, share of the actual class).

        Leading axes are pooled. Fewer than n come back if there are fewer kinds of errors.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["no", "yes"])
        >>> cm.most_confused(1)
        [Confusion(actual='no', predicted='yes', count=2, share=0.2)]
        """
        if n < 0:
            raise ValueError(f"n must be at least 0; got {n!r}.")
        counts = self._pooled()
        errors = np.where(np.eye(len(counts), dtype=bool), 0, counts)
        share = all_classes.shares(counts, "true")
        largest = np.argsort(-errors, axis=None, kind="stable")[:n]
        cells = [np.unravel_index(cell, errors.shape) for cell in largest]
        names = plain(self.labels)
        return [
            Confusion(names[i], names[j], errors[i, j].item(), share[i, j].item()) for i, j in cells if errors[i, j] > 0
        ]

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row a cell: the coordinates of the leading axes, "actual", "predicted" and "count".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        coordinates = [axis.coordinates for axis in self.axes] + [self.labels, self.labels]
        names = [axis.name for axis in self.axes] + ["actual", "predicted"]
        grid = np.meshgrid(*(np.arange(len(values)) for values in coordinates), indexing="ij")
        columns = {
            name: values[index.ravel()] if values.dtype.kind in "mM" else values[index.ravel()].tolist()
            for name, values, index in zip(names, coordinates, grid, strict=True)
        }
        return frame({**columns, "count": self.counts.ravel().tolist()}, backend)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return (
            np.array_equal(self.counts, other.counts)
            and np.array_equal(self.labels, other.labels)
            and same_axes(self.axes, other.axes)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return as_text(self._headline(), self._pooled(), plain(self.labels))

    def _repr_html_(self) -> str:
        """The matrix as an HTML table, for notebooks; every label is escaped."""
        return as_html(self._headline(), self._pooled(), plain(self.labels))

    def _headline(self) -> str:
        """What the printed matrix shows."""
        axes = f", summed over {describe_axes(self.axes)}" if self.axes else ""
        total = number(self.counts.sum().item())
        return f"ConfusionMatrix of {total} samples (rows: actual, columns: predicted{axes})"

    def _pooled(self) -> NDArray[Any]:
        """The counts (n_classes, n_classes) of all leading axes together."""
        return np.asarray(self.counts.sum(tuple(range(len(self.axes)))))


def _counted(
    counts: NDArray[Any], labels: NDArray[Any], axes: tuple[Axis, ...], positive: Any, choice: Choice
) -> Counted:
    """The counts that a choice is about: an average of multilabel data is one over the labels."""
    names = [axis.name for axis in axes]
    if "label" in names and choice.row.has_average and choice.average not in ("auto", "binary"):
        place = names.index("label")
        of_each = (np.moveaxis(counts[..., i, j], place, -1) for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        return CountedLabels(ClassCounts(*of_each), axes[place].coordinates)
    return CountedMatrix(counts, labels, positive)


def _is_sorted(labels: NDArray[Any]) -> bool:
    """Whether a label order is the natural one."""
    return bool((labels[:-1] < labels[1:]).all())


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that can't be written to, unless nobody can write to the array anyway."""
    is_frozen = isinstance(array, np.ndarray) and array.flags.owndata and not array.flags.writeable
    frozen = array if is_frozen else np.array(array)
    frozen.setflags(write=False)
    return frozen
