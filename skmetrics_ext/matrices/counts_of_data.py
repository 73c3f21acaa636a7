"""How counts with labels and axes are made of data: the constructors of a ConfusionMatrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from skmetrics_ext.adapter.rule import Ties, make_rule
from skmetrics_ext.engines.keys import Missing
from skmetrics_ext.matrices.from_data import (
    By,
    parts_of_counts,
    parts_of_estimator,
    parts_of_labels,
    parts_of_scores,
)
from skmetrics_ext.matrices.from_frames import FrameColumns, parts_of_frame
from skmetrics_ext.matrices.labelled_counts import LabelledCounts
from skmetrics_ext.reading.aliases import CostsLike, GroupsLike, Label, LabelsLike, TargetLike, ThresholdsLike
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.writing.progress import progress_of


@dataclass(frozen=True, eq=False, repr=False)
class CountsOfData(LabelledCounts):
    """The ways from labels, scores, an estimator or given counts to a ConfusionMatrix."""

    @classmethod
    def from_labels(
        cls,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
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
            metrics of ordered classes and plain costs take them from low to high. None: all labels,
            in the order of an ordered categorical, else sorted. Of multilabel data the columns to
            count, or, for arrays, a name for each.
        pos_label : int, float, bool or str, default=None
            The positive class of `score`. None: the second of two `labels`, if given, else 1 of {0, 1},
            {-1, 1} or {False, True}.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether the weights are numbers of equal samples that were counted, so that they must be whole,
            and larger ones make a value surer.
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
            `labels`, `pos_label` is none of them, or the groups of `by` give more than 1e8 cells.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by=["a", "a", "b", "b"])
        >>> cm.score("recall")
        array([1. , 0.5])
        >>> sex, age = ["F", "F", "M", "M"], ["<65", "65+", "<65", "<65"]
        >>> ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by={"sex": sex, "age": age}).n_samples
        array([[1, 1],
               [0, 2]])
        """
        weights = Weights(sample_weight, frequency_weights)
        return cls(*parts_of_labels(y_true, y_pred, labels, pos_label, weights, By(by, missing_group)))

    @classmethod
    def from_scores(
        cls,
        y_true: TargetLike,
        y_score: ArrayLike,
        *,
        classes: LabelsLike | None = None,
        threshold: ThresholdsLike | None = None,
        ties: Ties = "positive",
        pos_label: Label | None = None,
        cost_matrix: CostsLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
    ) -> Self:
        """Count actual labels against those that scores predict, by the rules of `labels_from_scores`.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, one-hot rows or multilabel indicators.
        y_score : array-like of shape (n_samples,), (n_samples, n_classes), or list of (n_samples, 2)
            Scores, as in `labels_from_scores`.
        classes : array-like of shape (n_classes,), default=None
            Label of each column of scores, [negative, positive] for two; metrics of ordered classes,
            costs and thresholds take them from low to high. None: the names of a data frame's
            columns, in any order, else the sorted labels of `y_true`, where there are as many as
            columns.
        threshold, ties, cost_matrix
            As in `labels_from_scores`; one number a class, and costs, are named or in the order of
            `classes`, else of an ordered categorical or of numbers; strings have none.
        pos_label : int, float, bool or str, default=None
            The class that one threshold and 1-D scores speak of, and the positive one of `score`.
            None: the second of `classes`, if given, else 1 of {0, 1}, {-1, 1} or {False, True}.
        multilabel : bool, default=None
            Whether 2-D targets are independent labels. None: they are one-hot classes when each
            row has exactly one 1 and each row of scores sums to 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether the weights are numbers of equal samples that were counted, so that they must be whole,
            and larger ones make a value surer.
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
        weights, grouped = Weights(sample_weight, frequency_weights), By(by, missing_group)
        return cls(*parts_of_scores(y_true, y_score, rule, classes, multilabel, weights, grouped))

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
        X: object,
        y: TargetLike,
        *,
        response_method: str = "auto",
        classes: LabelsLike | None = None,
        threshold: ThresholdsLike | None = None,
        ties: Ties = "positive",
        pos_label: Label | None = None,
        cost_matrix: CostsLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
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
        classes, threshold, ties, pos_label, cost_matrix, multilabel, sample_weight, frequency_weights
            As in `from_scores`, but 1-D scores of a model are those of its second class,
            whichever is positive; one without `classes_` needs `classes` for the first to be so.
            `classes` are by default the estimator's `classes_`, whose order makes no class positive,
            and none lower than another.
        by, missing_group
            As in `from_labels`.

        Returns
        -------
        ConfusionMatrix
            The labels of `y`, of the predictions and of the estimator: in the order of `classes` or
            of an ordered categorical that has them all, else sorted.

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
        weights, grouped = Weights(sample_weight, frequency_weights), By(by, missing_group)
        return cls(*parts_of_estimator(estimator, X, y, rule, response_method, classes, multilabel, weights, grouped))

    @classmethod
    def from_counts(cls, counts: ArrayLike, labels: LabelsLike | None = None) -> Self:
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

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        actual: Any,
        predicted: Any = None,
        *,
        scores: Any = None,
        classes: LabelsLike | None = None,
        threshold: ThresholdsLike | None = None,
        ties: Ties = "positive",
        cost_matrix: CostsLike | None = None,
        pos_label: Label | None = None,
        by: Any = None,
        labels: LabelsLike | None = None,
        sample_weight: Any = None,
        count: Any = None,
        missing: Missing | None = None,
        verbose: int = 0,
    ) -> Self:
        """Count the rows of a table where they are, of any size: one pass, and only the counts come back.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`. What is counted in tables of DuckDB, Ibis
        and PySpark comes back through pyarrow: `pip install pyarrow`. The engine groups the rows by their
        labels; a query of polars, DuckDB, Ibis, Dask or PySpark is run once. Past one machine Spark or
        Dask do the shuffle, and what comes back is groups x n_classes^2 numbers; Dask with many
        columns of scores is slow. Files that no engine reads are summed up by parts:
        `sum(ConfusionMatrix.from_labels(...) for part in parts)`; matrices of days add up the same way.

        Parameters
        ----------
        frame : table of pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark
            Also one that is not in memory, such as polars.scan_parquet or duckdb.read_parquet give.
            A column that is asked for needs a name of its own, whatever its case in DuckDB, Ibis and PySpark.
        actual, predicted : str or expression of narwhals
            The columns of actual and of predicted labels.
        scores : str or expression, list of them, or dict of label to one of them, default=None
            In place of `predicted`: the column of the positive class, or one column a class, in the
            order of `classes` or by their labels, which predict as in `from_scores`. Labels follow
            from sums that the engine rounds: scores over thresholds, or costs, that are equal but for
            the last digits may go to another class than in NumPy.
        classes : array-like of shape (n_classes,), default=None
            With `scores`, as in `from_scores`. One column and one threshold do without.
        threshold, ties, cost_matrix
            With `scores`, as in `labels_from_scores`.
        pos_label : int, float, bool or str, default=None
            The class that one threshold and one column of scores speak of, and the positive one of
            `score`. None: the second of `classes` or `labels`, if given, else 1 of {0, 1}, {-1, 1} or
            {False, True}.
        by : str or expression, or list of them, default=None
            Columns of groups: each gives a leading axis of its name, sorted, or in the order of an
            ordered categorical.
        labels : array-like of shape (n_classes,), default=None
            With `predicted`, as in `from_labels`.
        sample_weight : str or expression, default=None
            The column of weights. The engine sums them, so that of floats the last digits may be others
            than in NumPy.
        count : str or expression, default=None
            A row stands for so many samples, as in the result of SELECT actual, predicted, count(*)
            and in `to_frame`: whole numbers of at least 0. Rows of one cell add up.
        missing : {None, "drop", "label"}, default=None
            What becomes of rows without a label or a group, which is null or NaN. None: an error that
            counts them. "drop": they are left out, with a warning that counts them. "label": they have
            the label "missing", in columns of strings alone, none of which may have this label already.
        verbose : int, default=0
            Above 0: lines on stderr say which engine is at work, for how long, and how many rows and groups
            it found. What happens within its query its own progress bar shows, if it has one.

        Returns
        -------
        ConfusionMatrix
            That of `from_labels` or `from_scores` for the same data. Times with a zone are those of
            UTC.

        Raises
        ------
        ValueError
            As `from_labels` and `from_scores`; if scores are null, NaN or infinite, weights negative,
            too, or counts not whole: the message has the number of these rows.
        TypeError
            If the frame is no table, or a column is none of numbers where these belong.
        ImportError
            If narwhals is not installed, or pyarrow where it is needed.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext import ConfusionMatrix
        >>> loans = pl.LazyFrame(
        ...     {"paid": ["no", "yes", "yes", "yes"], "risk": [0.7, 0.1, 0.6, 0.2], "sex": ["F", "F", "M", "M"]}
        ... )
        >>> cm = ConfusionMatrix.from_frame(loans, "paid", scores="risk", pos_label="no", by="sex")
        >>> cm.axes[0].name, cm.score("accuracy")
        ('sex', array([1. , 0.5]))
        >>> ConfusionMatrix.from_frame(cm.to_frame(), "actual", "predicted", by="sex", count="count") == cm
        True
        """
        rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        columns = FrameColumns(actual, predicted, scores, by, sample_weight, count)
        progress = progress_of("from_frame", verbose)
        return cls(*parts_of_frame(frame, columns, rule, classes, labels, missing, progress))
