"""ConfusionMatrix, the object that a user holds: counts with labels and axes, and every metric of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.own_metrics import taken_by_own_metrics
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.axes import Axis, same_axes
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.engines.groups import Missing
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.alignment import added, in_label_order, selected, stacked, summed_over
from skmetrics_ext.matrices.counted import counted_for, counted_for_limits, counts_of_positive, pooled_counts
from skmetrics_ext.matrices.from_data import By, fields_of_estimator, fields_of_labels, fields_of_scores
from skmetrics_ext.matrices.from_frames import FrameColumns, fields_of_frame
from skmetrics_ext.matrices.given_counts import checked_and_frozen, fields_of_counts
from skmetrics_ext.matrices.state import fields_of_state, state_of
from skmetrics_ext.matrices.tables import Confusion, columns_of_cells, most_frequent_errors, shown, table_of_scores
from skmetrics_ext.reading.aliases import (
    CostsLike,
    GroupsLike,
    Label,
    LabelsLike,
    RandomState,
    TargetLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.gaps import GapRequest, gap_of, refuse_zero_division
from skmetrics_ext.statistics.intervals import Request, interval_of
from skmetrics_ext.statistics.predictive_values import PredictiveValues, predictive_values_of
from skmetrics_ext.statistics.results import Gap, Interval
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.progress import progress_of
from skmetrics_ext.writing.text import matrix_as_html, matrix_as_text


@taken_by_own_metrics
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
    ranking : ndarray or None
        The classes from the lowest to the highest, where `labels=` or `classes=` named them or an
        ordered categorical of pandas or an Enum of polars told: what `score` takes for metrics of
        ordered classes, such as gerrity, and for plain costs. Empty where the data contradict each other, which these
        metrics refuse.
    weighted : bool
        Whether samples had weights besides 0 and 1, of a table whether it had any `sample_weight`:
        confidence intervals are refused then. False of `frequency_weights=True` and of counts that were
        given, which are numbers of samples.
    repeats : float
        How often each sample is counted where folds are pooled: above 1, of repeated ones, intervals warn.

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
    pos_label: Label | None = None
    ranking: NDArray[Any] | None = None
    weighted: bool = False
    repeats: float = 1.0

    def __post_init__(self) -> None:
        for name, value in checked_and_frozen(self).items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew, so that the arrays of a copy can't be written to either.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

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
            A group of each sample: gives a leading axis "group", sorted, or in the order of an ordered
            categorical. A dict and a data frame give one axis a name, a list "group_0", "group_1", ...,
            with zero counts for combinations that have no samples. `by` gives counts and results of each
            group; `clusters` are samples that belong together, for how sure a value is; `groups` are
            scikit-learn's, for splitting.
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
        return cls(**fields_of_labels(y_true, y_pred, labels, pos_label, weights, By(by, missing_group)))

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
        return cls(**fields_of_scores(y_true, y_score, rule, classes, multilabel, weights, grouped))

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
        return cls(**fields_of_estimator(estimator, X, y, rule, response_method, classes, multilabel, weights, grouped))

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
        return cls(**fields_of_counts(counts, labels))

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
            Columns of groups: each gives a leading axis of its name, sorted, or in the order of an ordered
            categorical. `by` gives counts and results of each group; `clusters` are samples that belong
            together, for how sure a value is; `groups` are scikit-learn's, for splitting.
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
        return cls(**fields_of_frame(frame, columns, rule, classes, labels, missing, progress))

    def score(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str | None = "auto",
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        zero_division: ZeroDivision = "warn",
        **parameters: Any,
    ) -> Any:
        """The value of a metric, for every entry of the leading axes at once.

        Parameters
        ----------
        metric : str or function
            A name ("specificity"), an alias ("tnr"), either with an average ("specificity_macro"), a
            metric function of this package, or one of your own, see below. Values are unsigned.
        average : {"auto", "binary", "macro", "micro", "weighted", "worst"} or None, default="auto"
            "auto": "binary" for two classes and "macro" for more; "worst": the least value where
            higher is better, the largest where lower is. Averages of multilabel data are over the
            labels; "auto" is one value a label there.
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

        Notes
        -----
        A metric of your own is a function of a ConfusionMatrix that returns one number; it stands
        wherever a metric is named: in scorers, intervals, comparisons, curves and reports, under its
        `__name__`. Further arguments of it are its parameters. Matrices with axes are handed to it one
        by one: an interval takes about a second, `compare` up to half a minute. Written with
        `cm.counts[..., i, j]` and no branch, it may say `cost.vectorized = True` and gets all at once. Two
        classes stand as [negative, positive] where the positive one is known. Higher is better, unless
        the function says `cost.greater_is_better = False`: scorers negate its values then.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[[8, 2], [1, 9]], [[7, 3], [5, 5]]], labels=["no", "yes"])
        >>> cm.score("specificity")
        array([0.8, 0.7])
        >>> cm.score("fbeta", beta=2, average=None).round(3)
        array([[0.816, 0.882],
               [0.673, 0.521]])
        >>> def cost_per_case(cm, miss=10):
        ...     return (cm.counts[..., 0, 1] + miss * cm.counts[..., 1, 0]) / cm.n_samples
        >>> cost_per_case.vectorized = True
        >>> cm.score(cost_per_case), cm.score(cost_per_case, miss=2)
        (array([0.6 , 2.65]), array([0.2 , 0.65]))
        """
        choice = choose(
            metric, average=average, labels=labels, pos_label=pos_label, zero_division=zero_division, **parameters
        )
        return score(counted_for(self, choice), choice)

    def interval(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str | None = "auto",
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        zero_division: ZeroDivision = "warn",
        confidence_level: float = 0.95,
        method: str = "auto",
        fixed: Literal["actual"] | None = None,
        simultaneous: bool = False,
        n_resamples: int = 9_999,
        random_state: RandomState = None,
        prior: float | None = None,
        **parameters: Any,
    ) -> Interval:
        """The value of a metric between the limits of its confidence interval, for every entry of the axes at once.

        It covers the value that this fitted model has on new samples of the same kind, not that of
        models fitted to new training data. Of pooled folds it is about the mean of their models, and is
        too narrow by what they have in common, and far too narrow where repeated folds count each
        sample several times; of a threshold chosen on the same data it is too high.

        Parameters
        ----------
        metric, average, labels, pos_label, zero_division
            As in `score`. A class that is undefined is left out of the limits of an average.
        confidence_level : float, default=0.95
            Above 0 and below 1.
        method : str, default="auto"
            The first that fits of the table below, or one by name: "wilson", "clopper-pearson",
            "mover", "delta", "bootstrap" or "dirichlet".
        fixed : "actual" or None, default=None
            "actual": the numbers of samples of the actual classes were chosen, not found, so that
            each row of the matrix is drawn by itself.
        simultaneous : bool, default=False
            Whether the intervals of all classes and entries hold at once, by Bonferroni.
        n_resamples : int, default=9_999
            Number of replicates of "bootstrap" and "dirichlet"; at least 100.
        random_state : int, numpy Generator or RandomState, default=None
            What the replicates are drawn by. The same int gives the same interval.
        prior : float, default=None
            For "dirichlet": samples added to each cell. None: 1/2 a cell of one class against the
            rest, 1 in all of a matrix of all classes.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Interval
            `value`, `low` and `high`: floats, or arrays as `score` gives them.

        Raises
        ------
        ValueError
            As `score`; if the method does not fit the metric, the counts are sums of weights or all 0,
            an option is out of range, or the metric is fixed by the design.

        Warns
        -----
        UserWarning
            If the limits are worth less than they say: repeated folds count samples several times, by another
            method than Wilson's and MOVER the value rests on fewer than 10 samples, it is undefined in many
            replicates or for a class of an average, or averages can be infinite; if they are nan: it depends
            on a class without samples, or replicates are all the same.

        Notes
        -----
        What "auto" does:

        ==========================================  ================================================
        one class: a share of samples, such as      Wilson's score interval; of one or two hits, or misses,
        precision, recall, specificity, prevalence  wider on that side by Brown, Cai & DasGupta
        one class: F1, Jaccard; Tversky and F-beta  Wilson on tp / (tp + fp + fn), carried over
        where false positives and negatives count
        the same
        one class: informedness, markedness, mean   MOVER of the Wilson intervals of both shares
        of recall and specificity, likelihood
        ratios, relative risk, prevalence threshold
        one class: odds ratio, frequency bias,      delta method of the logarithm; half a sample more
        Yule's Q                                    in all four cells where one is empty
        one class: all others                       the same of a smoothed bootstrap of its table
        accuracy, losses, Bennett's S, micro        Wilson on the share of right predictions, carried
        averages of shares, F1 and Jaccard          over
        "worst"; the no-information rate, which is  at the end of the worst, that of whichever class
        the largest prevalence                      is farthest out; at the other, the nearest of
                                                    those that hold for all classes at once, which
                                                    for shares are Clopper-Pearson's
        disagreements                               the value, and the farthest that 95 % of replicates
                                                    of a smoothed bootstrap can have moved it
        all other averages and metrics over all     percentiles of a smoothed bootstrap of the matrix,
        classes                                     further to the side of the truth by four times the
                                                    bias; means of classes with Wilson or MOVER no
                                                    nearer than MOVER of their limits
        macro and weighted F1, F-beta, Jaccard      the same, shifted by the bootstrap's own bias on
                                                    the logit
        ==========================================  ================================================

        Cells are drawn instead of samples, which has the same distribution and does not depend on their number.
        The smoothing adds half a sample to each of four cells, and one in all to a matrix of more than
        two classes; without it a class that was always right would always be right.

        References
        ----------
        Wilson (1927), JASA 22:209; Newcombe (1998), Statistics in Medicine 17:857 and 17:873; Woolf
        (1955), Annals of Human Genetics 19:251; Brown, Cai & DasGupta (2001), Statistical Science
        16:101; Donner & Zou (2012), Stat Methods Med Res 21:347.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
        >>> cm.interval("recall")
        recall of 'yes' 0.9000 [0.7864, 0.9565] 95 %, Wilson, n = 50
        >>> cm.interval("recall", average=None)
        Interval of recall by class (95 %, Wilson)
        no   0.8000 [0.7112, 0.8666], n = 100
        yes  0.9000 [0.7864, 0.9565], n = 50
        """
        choice = choose(
            metric, average=average, labels=labels, pos_label=pos_label, zero_division=zero_division, **parameters
        )
        request = Request(confidence_level, method, fixed, simultaneous, n_resamples, random_state, prior)
        counted, axes = counted_for_limits(self, choice)
        return interval_of(counted, choice, axes, request)

    def gap(
        self,
        metric: str | Callable[..., Any],
        *,
        axis: str | None = None,
        kind: Literal["difference", "ratio", "std"] = "difference",
        baseline: Label | None = None,
        min_samples: int = 0,
        pos_label: Label | None = None,
        labels: LabelsLike | None = None,
        average: str | None = "auto",
        confidence_level: float = 0.95,
        n_resamples: int = 9_999,
        random_state: RandomState = None,
        **parameters: Any,
    ) -> Gap:
        """How far a metric is apart between groups, for every entry of the other axes at once.

        Parameters
        ----------
        metric, pos_label, labels, average
            As in `score`. A class that is undefined in a group is left out of its average.
        axis : str, default=None
            Name of the axis that has the groups. None: the only one.
        kind : {"difference", "ratio", "std"}, default="difference"
            "difference": the greatest value of a group less the least. "ratio": the least over the
            greatest, for metrics that are never below 0. "std": the standard deviation of the values
            of the groups, each of which counts the same; it has no interval.
        baseline : label, default=None
            A group that all others are compared with: the gap is the largest difference from its value
            in either direction, or the least ratio of the lower value to the higher. None: all pairs.
        min_samples : int, default=0
            Groups with fewer samples of what the metric counts, see `Gap`, are left out and named there.
        confidence_level : float, default=0.95
            Above 0 and below 1.
        n_resamples : int, default=9_999
            Number of permutations, and of replicates of the bootstrap; at least 100.
        random_state : int, numpy Generator or RandomState, default=None
            What permutations and replicates are drawn by. The same int gives the same result.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Gap
            `value`, `low`, `high`, `p_value`, `least` and `most`: single ones, or arrays over the other
            axes, and over the classes for average=None. All are nan where fewer than two groups are left.

        Raises
        ------
        ValueError
            As `score`; if fewer than two groups are left everywhere, there is no such axis or baseline,
            the axis is that of labels, which share their samples, the counts are sums of weights, an
            option is out of range, or a ratio is asked for of a metric that may be below 0.

        Warns
        -----
        UndefinedMetricWarning
            If the metric is 0/0 for a group that has enough samples. It is left out.
        UserWarning
            As `interval`; if a group that decides the gap has fewer than 10 samples of what the metric counts.

        Notes
        -----
        The gap of the values is larger than that of the truth where there are many small groups: even of
        equal groups the greatest value is above the least. `low` and `p_value` make up for that.

        p_value is about the metric being equal in all groups, not about the groups being alike in all
        else: they may have other shares of the classes, say. The groups of samples are permuted within
        what the metric is conditional on.

        ==============================================  ============================================
        recall, false negative rate                     actual positives
        specificity, false positive rate                actual negatives
        precision, false discovery rate                 predicted positives
        NPV, false omission rate                        predicted negatives
        accuracy, losses, prevalence, predicted         all samples
        positive rate and other shares of all
        informedness, balanced accuracy, G-mean,        samples of each actual class
        likelihood ratios and others that do not
        depend on the prevalence; macro recall
        all others, such as F1, MCC and kappa           all samples
        ==============================================  ============================================

        The statistic is sum (f_g - f)^2 / v_g over the groups g. For shares of one margin f is that of all
        groups, and v_g = f (1 - f) / n_g (Pearson); of two groups p_value is Fisher's two-sided one, and
        needs no permutations. Else v_g is the variance of f_g by the delta method, and f the mean weighted
        by 1 / v_g; the p value is exact if the groups are alike in all else, and nearly so in large samples
        if they are not. Of 10^9 samples and more it is that of the chi-squared distribution.

        The limits are those of the intervals of the groups, of the methods of `interval`, put together by
        MOVER. For two groups both have the confidence level, with a baseline more of it by Bonferroni.
        Of more groups those of all pairs hold at once, by Tukey's studentised range: `low` is the largest
        of their lower limits, or 0, and `high` the largest of their upper ones.

        References
        ----------
        Chung & Romano (2013), Annals of Statistics 41:484; Newcombe (1998), Statistics in Medicine 17:873;
        Zou & Donner (2008), Statistics in Medicine 27:1693; Donner & Zou (2012), Statistical Methods in
        Medical Research 21:347; Hayter (1984), Annals of Statistics 12:61.

        Examples
        --------
        >>> counts = [[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[75, 25], [30, 70]]]
        >>> cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
        >>> cm.gap("fnr", random_state=0)
        0.2000 [0.0480, 0.3402] 95 %, p = 0.0084: difference of fnr of 1, least 0, most 1 (MOVER, permutation, n = 300)
        """
        refuse_zero_division(parameters)
        choice = choose(metric, average=average, labels=labels, pos_label=pos_label, zero_division=np.nan, **parameters)
        request = GapRequest(axis, kind, baseline, min_samples, confidence_level, n_resamples, random_state)
        counted, axes = counted_for_limits(self, choice)
        return gap_of(counted, choice, axes, request)

    def score_table(
        self,
        metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]],
        *,
        pos_label: Label | None = None,
        average: str | None = "auto",
        zero_division: ZeroDivision = "warn",
        confidence_level: float | None = None,
        n_resamples: int = 9_999,
        random_state: RandomState = None,
        backend: Literal["pandas", "polars", "pyarrow"] | None = None,
        **parameters: Any,
    ) -> Any:
        """A data frame of several metrics, one row an entry of the leading axes: a group, a fold, a month.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        metrics : str, function, or list of them
            As `metric` of `score`, whose values are the columns.
        pos_label, average, zero_division
            As in `score`. With average=None there is a row for each class. An entry without samples
            is nan, whatever zero_division is.
        confidence_level : float, default=None
            Above 0 and below 1: adds the columns NAME_low and NAME_high of each metric, the limits of
            `interval`. Metrics that are drawn by a bootstrap share its replicates. None: no limits.
        n_resamples, random_state
            As in `interval`.
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.
        **parameters
            Parameters of the metrics, such as `beta`; each metric gets those that it has.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            The coordinates of the axes, "n_samples", and a column a metric. One row of a matrix
            without axes.

        Raises
        ------
        ValueError, TypeError
            As `score` and, with a level, `interval`; if some metrics have a value a class or label,
            and others one of all; if two columns would have one name.

        See Also
        --------
        plot_intervals : draws the rows of such a frame.

        Examples
        --------
        >>> counts = [[[80, 20], [5, 45]], [[30, 10], [8, 12]]]
        >>> months = {month: ConfusionMatrix.from_counts(of, [0, 1]) for month, of in zip(("May", "June"), counts)}
        >>> frame = ConfusionMatrix.stack(months, axis="month").score_table(["recall", "mcc"])
        >>> print(frame.round(3).to_string(index=False))
        month  n_samples  recall   mcc
          May        150     0.9 0.666
         June         60     0.6 0.342
        """
        request = None
        if confidence_level is not None:
            request = Request(confidence_level, n_resamples=n_resamples, random_state=random_state)
        options = {"average": average, "pos_label": pos_label, "zero_division": zero_division}
        return frame(table_of_scores(self, metrics, options, parameters, request), backend)

    def predictive_values(
        self, prevalence: float, *, pos_label: Label | None = None, confidence_level: float = 0.95
    ) -> PredictiveValues:
        """What positive and negative predictions are worth where the positive class is rarer or more frequent.

        Parameters
        ----------
        prevalence : float
            The share of the positive class where the model is to be used, above 0 and below 1.
        pos_label, confidence_level
            As in `interval`. Of more than two classes any one, against the rest as it is composed here.

        Returns
        -------
        PredictiveValues
            Named tuple of two Intervals, `ppv` and `npv`, about this fitted model on new samples; its
            help has the formulas.

        Examples
        --------
        >>> ConfusionMatrix.from_counts([[95, 5], [10, 90]], labels=["healthy", "ill"]).predictive_values(0.01)
        ppv of 'ill' 0.1538 [0.0717, 0.2999] 95 %, logit at prevalence 0.01, n = 200
        npv of 'ill' 0.9989 [0.9981, 0.9994] 95 %, logit at prevalence 0.01, n = 200
        """
        of_positive = counts_of_positive(self, pos_label)
        return predictive_values_of(*of_positive, self.axes, prevalence, confidence_level, are_weights=self.weighted)

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

    def most_confused(self, n: int = 5) -> list[Confusion]:
        """The n most frequent errors as (actual, predicted, count, share of the actual class).

        Leading axes are pooled. Fewer than n come back if there are fewer kinds of errors.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["no", "yes"])
        >>> cm.most_confused(1)
        [Confusion(actual='no', predicted='yes', count=2, share=0.2)]
        """
        return most_frequent_errors(pooled_counts(self), self.labels, n)

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Self:
        """Undo `to_dict`, also after a way through JSON.

        Parameters
        ----------
        state : dict
            What `to_dict` gives, of this version or an earlier one; or a plain dict of "counts",
            one row an actual class, and "labels".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If counts or labels are missing, do not fit each other, or are none. The message says
            which of them.

        Examples
        --------
        >>> import json
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=[False, True])
        >>> ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))) == cm
        True
        >>> ConfusionMatrix.from_dict({"counts": [[5, 1], [2, 4]], "labels": [False, True]}) == cm
        True
        """
        return cls(**fields_of_state(state))

    def to_dict(self) -> dict[str, Any]:
        """Counts, labels and axes as plain values for JSON; `from_dict` restores their types."""
        return state_of(self)

    @property
    def n_samples(self) -> Any:
        """Number (or weight) of samples: a number, or an array over the leading axes."""
        return self.counts.sum((-2, -1))

    @property
    def class_counts(self) -> ClassCounts:
        """tp, fp, fn and tn of every class against the rest, each (..., n_classes)."""
        return ClassCounts(*margins_of(self.counts))

    def sum(self, axis: int | str = 0) -> Self:
        """Pool a leading axis, given by number or name.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> ConfusionMatrix.from_labels([0, 1], [0, 0], by=["a", "b"]).sum("group").counts
        array([[1, 0],
               [1, 0]])
        """
        return summed_over(self, axis)

    def sel(self, /, **entries: Any) -> Self:
        """Some entries of the leading axes, by their coordinates.

        Parameters
        ----------
        **entries
            By the name of an axis one entry, which drops the axis, or a list of some, which keeps it,
            in the order of the list. Dates may be text, such as "2026-01-31".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If there is no such axis or entry. The message says which there are.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> groups = {"sex": ["F", "F", "M", "M"], "year": [2025, 2026, 2025, 2026]}
        >>> cm = ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by=groups)
        >>> cm.sel(sex="M", year=2025).counts
        array([[0, 0],
               [1, 0]])
        >>> cm.sel(sex=["M", "F"]).n_samples
        array([[1, 1],
               [1, 1]])
        """
        return selected(self, entries)

    @classmethod
    def stack(cls, matrices: Mapping[Any, Self], *, axis: str) -> Self:
        """Matrices as the entries of a new first axis.

        Parameters
        ----------
        matrices : dict of coordinate to ConfusionMatrix
            What to stack. Labels and leading axes are aligned as by `+`; what a matrix lacks has
            counts of 0.
        axis : str
            The name of the new axis.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If there are none, they do not fit each other, or have such an axis already.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> january = ConfusionMatrix.from_labels(["cat", "dog"], ["cat", "cat"])
        >>> february = ConfusionMatrix.from_labels(["dog", "owl"], ["dog", "dog"])
        >>> by_month = ConfusionMatrix.stack({"2026-01": january, "2026-02": february}, axis="month")
        >>> by_month.score("accuracy")
        array([0.5, 0.5])
        >>> by_month.sum("month") == january + february
        True
        """
        if not isinstance(matrices, Mapping):
            raise TypeError(f"matrices must be a dict of coordinate to ConfusionMatrix; got {type(matrices).__name__}.")
        if other := [key for key, cm in matrices.items() if not isinstance(cm, ConfusionMatrix)]:
            raise TypeError(
                f"matrices[{other[0]!r}] must be a ConfusionMatrix; got {type(matrices[other[0]]).__name__}."
            )
        return stacked(matrices, axis)

    def with_labels(self, labels: LabelsLike) -> Self:
        """The same counts in another label order, which may have more labels, and lack those that have no counts.

        Parameters
        ----------
        labels : array-like of shape (n_classes,)
            The classes in the new order, two of them [negative, positive]; metrics of ordered
            classes take them from low to high.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If a label that has counts is not among `labels`.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_labels(["no", "yes"], ["no", "no"])
        >>> cm.with_labels(["yes", "no", "maybe"]).counts
        array([[0, 1, 0],
               [0, 1, 0],
               [0, 0, 0]])
        """
        return in_label_order(self, read_order(labels))

    def __add__(self, other: Any) -> Self:
        """Pool the samples of two matrices, with their labels and leading axes aligned.

        Equal orders of labels are kept, those of one ranking merge by it, as chunks of an ordered
        categorical do, and sorted ones into the sorted union; others raise a ValueError, and so do two
        different positive classes. Axes are matched by name, in the order of the first matrix, and have the coordinates
        of both: sorted if both are, in the order of one that has them all, else the new ones last.
        An axis that only one of them has, and different labels of multilabel data, are a ValueError.
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return added(self, other)

    def __radd__(self, other: Any) -> Self:
        """`sum(matrices)` starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None, *, count: str = "count") -> Any:
        """One row a cell, also those of 0: the coordinates of the leading axes, "actual", "predicted" and "count".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`. `ConfusionMatrix.from_frame` reads it
        again, with `count=` the name of the counts, `by=` those of the axes, and
        `labels=cm.labels` for an order that is not sorted; float counts by `sample_weight=`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.
        count : str, default="count"
            The name of the column of counts.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table

        Raises
        ------
        ValueError
            If an axis bears the name of another column.
        """
        return frame(columns_of_cells(self, count), backend)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The counts, for `np.asarray`."""
        return np.array(self.counts, dtype=dtype, copy=copy)

    # Arithmetic with arrays is an error, instead of an array without labels.
    __array_ufunc__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        # The positive class and the ranking take no part in it.
        return (
            np.array_equal(self.counts, other.counts)
            and np.array_equal(self.labels, other.labels)
            and same_axes(self.axes, other.axes)
        )

    def __repr__(self) -> str:
        return matrix_as_text(*shown(self))

    def _repr_html_(self) -> str:
        """The matrix as an HTML table, for notebooks; every label is escaped."""
        return matrix_as_html(*shown(self))
