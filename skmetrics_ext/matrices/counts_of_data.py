"""How counts with labels and axes are made of data: the constructors of a ConfusionMatrix."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from skmetrics_ext.adapter.rule import Ties, make_rule
from skmetrics_ext.matrices.from_data import By, parts_of_counts, parts_of_estimator, parts_of_labels, parts_of_scores
from skmetrics_ext.matrices.labelled_counts import LabelledCounts


@dataclass(frozen=True, eq=False, repr=False)
class CountsOfData(LabelledCounts):
    """The ways from labels, scores, an estimator or given counts to a ConfusionMatrix."""

    @classmethod
    def from_labels(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        by: Any = None,
        missing_group: Any = None,
    ) -> Self:
        """Count actual against predicted labels, for each group of `by` if given.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
            Actual and predicted labels. Multilabel data give one 2 x 2 matrix a label, on an
            axis "label" with the names of a data frame's columns: `score("f1")` is one value a
            label, `score("f1_macro")` their mean.
        labels : array-like of shape (n_classes,), default=None
            The classes in their order, which must cover all data; two are [negative, positive], and
            metrics of ordered classes take them from low to high. None: all labels, sorted, also
            those of ordered categoricals. Of multilabel data the columns to count, or, for arrays,
            a name for each.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        by : array-like of shape (n_samples,), dict of name to array, list of arrays, or data frame, default=None
            A group of each sample: gives a leading axis "group", sorted, or in the order of an
            ordered categorical. A dict and a data frame give one axis a name, a list "group_0",
            "group_1", ..., with zero counts for combinations that have no samples.
        missing_group : str, int, bool or date, default=None
            The group of the samples whose group is missing, which stands last. None: these are an error.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If an input is no label array, lengths differ, the data have labels that are not in
            `labels`, or the groups of `by` give more than 1e8 cells.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by=["a", "a", "b", "b"])
        >>> cm.score("recall")
        array([1. , 0.5])
        >>> sex, age = ["F", "F", "M", "M"], ["<65", "65+", "<65", "<65"]
        >>> ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by={"sex": sex, "age": age}).n_samples
        array([[1, 1],
               [2, 0]])
        """
        return cls(*parts_of_labels(y_true, y_pred, labels, sample_weight, By(by, missing_group)))

    @classmethod
    def from_scores(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        classes: ArrayLike | None = None,
        threshold: float | ArrayLike | Mapping[Any, float] | None = None,
        ties: Ties = "positive",
        pos_label: Any = None,
        cost_matrix: ArrayLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
        by: Any = None,
        missing_group: Any = None,
    ) -> Self:
        """Count actual labels against those that scores predict, by the rules of `labels_from_scores`.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, one-hot rows or multilabel indicators.
        y_score : array-like of shape (n_samples,), (n_samples, n_classes), or list of (n_samples, 2)
            Scores, as in `labels_from_scores`.
        classes : array-like of shape (n_classes,), default=None
            Label of each column of scores, [negative, positive] for two; metrics of ordered classes
            take them from low to high, unless they are sorted. None: the names of a data frame's
            columns, in any order, else the sorted labels of `y_true`, where there are as many as
            columns.
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
        by, missing_group
            As in `from_labels`.

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
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_scores([0, 1, 1], [0.4, 0.7, 0.3])
        >>> round(cm.score("accuracy"), 4)
        0.6667
        """
        rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        return cls(*parts_of_scores(y_true, y_score, rule, classes, multilabel, sample_weight, By(by, missing_group)))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        classes: ArrayLike | None = None,
        threshold: float | ArrayLike | Mapping[Any, float] | None = None,
        ties: Ties = "positive",
        pos_label: Any = None,
        cost_matrix: ArrayLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
        by: Any = None,
        missing_group: Any = None,
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
            makes no class positive, and none lower than another.
        by, missing_group
            As in `from_labels`.

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
        >>> from skmetrics_ext import ConfusionMatrix
        >>> from sklearn.dummy import DummyClassifier
        >>> estimator = DummyClassifier().fit([[0], [0], [0]], ["no", "yes", "no"])
        >>> ConfusionMatrix.from_estimator(estimator, [[0], [0]], ["no", "yes"])
        ConfusionMatrix of 2 samples (rows: actual, columns: predicted)
             no  yes
        no    1    0
        yes   1    0
        """
        rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        grouped = By(by, missing_group)
        return cls(
            *parts_of_estimator(estimator, X, y, rule, response_method, classes, multilabel, sample_weight, grouped)
        )

    @classmethod
    def from_counts(cls, counts: Any, labels: ArrayLike | None = None) -> Self:
        """Take counts that exist already.

        Parameters
        ----------
        counts : array-like of shape (..., n_classes, n_classes), or data frame such as pd.crosstab(y_true, y_pred)
            Rows are actual, columns predicted classes. The index and the columns of a frame name
            them; a cell that it lacks is 0.
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of rows and columns, two of them [negative, positive]; they name
            rows, so that metrics of ordered classes take a sorted order only from `score`; of a
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
        >>> from skmetrics_ext import ConfusionMatrix
        >>> ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"]).score("accuracy")
        0.75
        """
        return cls(*parts_of_counts(counts, labels))
