"""ConfusionMatrix, the object that users work with: counts with labels, axes and all metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.custom_metrics import register_matrix_class
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.counting.described import Design, described
from skmetrics_ext.counting.replicates import seed_of
from skmetrics_ext.engines.groups import Missing
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.alignment import (
    added,
    in_label_order,
    relabelled,
    selected,
    stacked,
    summed_over,
)
from skmetrics_ext.matrices.counted import counted_for, counted_for_limits, gap_for, intervals_for
from skmetrics_ext.matrices.data import MatrixData, pooled_cells
from skmetrics_ext.matrices.from_data import (
    GivenGroups,
    fields_of_estimator,
    fields_of_labels,
    fields_of_scores,
    fields_with,
)
from skmetrics_ext.matrices.from_frames import FrameColumns, fields_of_frame
from skmetrics_ext.matrices.given_counts import fields_of_counts
from skmetrics_ext.matrices.pairs_of_groups import crossed_groups, differences_of_groups
from skmetrics_ext.matrices.partial_labels import fields_of_partial_labels
from skmetrics_ext.matrices.prevalence import fields_at_prevalence
from skmetrics_ext.matrices.state import fields_of_state, state_of
from skmetrics_ext.matrices.summary import summary_of_metrics
from skmetrics_ext.matrices.tables import (
    ConfusedPair,
    columns_of_cells,
    counts_in_print,
    headline_of,
    instead_of_attribute,
    instead_of_key,
    most_frequent_errors,
)
from skmetrics_ext.reading.aliases import (
    Backend,
    CostsLike,
    GroupsLike,
    Label,
    LabelsLike,
    RandomState,
    ScoresLike,
    TargetLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.calls import explained_methods, instead
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.compared import check_comparison, comparison_of
from skmetrics_ext.statistics.entries import of_origin
from skmetrics_ext.statistics.gaps.request import GapRequest, refuse_zero_division
from skmetrics_ext.statistics.request import requested
from skmetrics_ext.statistics.results import Comparison, Gap, Interval
from skmetrics_ext.statistics.summary import Summary
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.progress import progress_of
from skmetrics_ext.writing.text import matrix_as_html, matrix_as_text
from skmetrics_ext.writing.text_table import TextTable


@explained_methods
@register_matrix_class
@dataclass(frozen=True, eq=False, repr=False, init=False)
class ConfusionMatrix(MatrixData):
    """M[..., i, j]: the number of samples of actual class i that were predicted as class j.

    Create one with `from_predictions`, `from_scores`, `from_estimator` or `from_counts`. Immutable;
    `score` gives any metric for all entries of the leading axes (groups, folds, ...) at once.

    Attributes
    ----------
    counts : ndarray of shape (..., n_classes, n_classes)
        Rows are actual, columns predicted classes; int64, or float64 with float weights.
    labels : ndarray of shape (n_classes,)
        The classes of rows and columns: as named or declared, else sorted; if the positive class of
        two is known, [negative, positive].
    axes : tuple of Axis
        Name and coordinates of each leading axis.
    pos_label : int, float, bool, str or None
        The positive class for `score`, if known.
    ranking : ndarray or None
        The classes from lowest to highest, if known, for ordinal metrics and unlabeled costs; empty
        where the data declare conflicting orders.
    design : Design
        How the samples were obtained, on which confidence limits depend.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> actual, predicted = ["cat", "dog", "cat", "cat"], ["cat", "dog", "dog", "cat"]
    >>> cm = ConfusionMatrix.from_predictions(actual, predicted)
    >>> cm
    ConfusionMatrix of 4 samples (rows: actual, columns: predicted)
         cat  dog
    cat    2    1
    dog    0    1
    >>> round(cm.score("recall", pos_label="cat"), 4)
    0.6667
    """

    @classmethod
    def from_predictions(
        cls,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        clusters: GroupsLike | None = None,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
    ) -> Self:
        """Count actual against predicted labels, for each group of `by` if given.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
            Actual and predicted labels. Multilabel data give one 2 x 2 matrix per label, on an axis
            "label" named by a data frame's columns.
        labels : array-like of shape (n_classes,), default=None
            All classes in order: two mean [negative, positive], and ordinal metrics and unlabeled
            costs read them from lowest to highest. None: all labels, in the order of an ordered
            categorical, else sorted. For multilabel data, the columns to count, or, for arrays, a
            name for each.
        pos_label : int, float, bool or str, default=None
            The positive class for `score`. None: the second of two `labels`, if given, else 1 of
            {0, 1}, {-1, 1} or {False, True}.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient; two columns, cases and readers, for limits
            over new ones of both. `by` is for results of each group, `clusters` for dependent
            samples, `groups` for splits.
        by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
            The group of each sample, for a leading axis "group", sorted or in the order of a
            categorical. A dict or data frame gives one axis per name, a list "group_0", "group_1",
            ... `by` is for results of each group, `clusters` for dependent samples, `groups` for
            splits.
        missing_group : str, int, bool or date, default=None
            Name of the group of samples without one, placed last. None: an error.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If an input is no array of labels, lengths differ, `labels` lacks one of the data or
            `pos_label`, or there are more than 1e8 cells.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_predictions([1, 0, 1, 1], [1, 0, 0, 1], by=list("aabb"))
        >>> cm.score("recall")
        array([1. , 0.5])
        """
        weights = Weights(sample_weight, frequency_weights)
        return cls(
            **fields_of_labels(
                y_true, y_pred, labels, pos_label, weights, GivenGroups(by, missing_group, clusters)
            )
        )

    @classmethod
    def from_scores(
        cls,
        y_true: TargetLike,
        y_score: ScoresLike,
        *,
        classes: LabelsLike | None = None,
        threshold: ThresholdsLike | None = None,
        ties: Ties = "positive",
        pos_label: Label | None = None,
        cost_matrix: CostsLike | None = None,
        multilabel: bool | None = None,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        clusters: GroupsLike | None = None,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
    ) -> Self:
        """Count actual labels against those predicted from scores, by the rules of
        `labels_from_scores`.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels, one-hot rows or multilabel indicators.
        y_score : array-like of shape (n_samples,), (n_samples, n_classes) or list of (n_samples, 2)
            Scores, as in `labels_from_scores`.
        classes : array-like of shape (n_classes,), default=None
            Label of each column of scores, [negative, positive] for two, and from lowest to highest
            for ordinal metrics, costs and thresholds. None: the names of a data frame's columns,
            else the sorted labels of `y_true`, if as many.
        threshold : float, array-like of shape (n_classes,), Series or dict, default=None
            A number: the positive class of two is predicted where its score reaches it. One
            positive number per class predicts argmax(score_k / threshold_k), labeled or in the
            order of `classes`; multilabel: one, or one per label. None: as `predict`, of scores as
            `labels_from_scores`.
        ties : {"positive", "negative"}, default="positive"
            Which class a score equal to the binary threshold predicts.
        cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, \
n_classes), data frame, or dict of (actual, predicted) to cost, default=None
            Cost of each actual class (row) predicted as each class (column), for all samples or for
            each, labeled or in the order of `classes`. Predicted is the class of the lowest
            expected cost, argmin(p @ cost).
        pos_label : int, float, bool or str, default=None
            The positive class, of 1-D scores too. None: the second of `classes`, if given, else 1
            of {0, 1}, {-1, 1} or {False, True}.
        multilabel : bool, default=None
            Whether 2-D targets are independent labels. None: unless each row has one 1, and scores
            that sum to 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient; two columns, cases and readers, for limits
            over new ones of both. `by` is for results of each group, `clusters` for dependent
            samples, `groups` for splits.
        by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
            The group of each sample, for a leading axis "group", sorted or in the order of a
            categorical. A dict or data frame gives one axis per name, a list "group_0", "group_1",
            ... `by` is for results of each group, `clusters` for dependent samples, `groups` for
            splits.
        missing_group : str, int, bool or date, default=None
            Name of the group of samples without one, placed last. None: an error.

        Returns
        -------
        ConfusionMatrix
            With labels in the order of `classes`, else sorted.

        Raises
        ------
        ValueError
            As `labels_from_scores`.

        Warns
        -----
        UserWarning
            As `labels_from_scores`.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_scores([0, 1, 1], [0.4, 0.7, 0.3])
        >>> round(cm.score("accuracy"), 4)
        0.6667
        """
        rule = make_rule(
            threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix
        )
        weights, grouped = (
            Weights(sample_weight, frequency_weights),
            GivenGroups(by, missing_group, clusters),
        )
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
        clusters: GroupsLike | None = None,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
    ) -> Self:
        """Count actual labels against those that a fitted estimator predicts.

        Parameters
        ----------
        estimator : object with predict, predict_proba or decision_function
            Its `predict` may return labels or probabilities.
        X : array-like
            Samples to predict.
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Actual labels, one-hot rows or multilabel indicators.
        response_method : {"auto", "predict", "predict_proba", "decision_function"}, default="auto"
            "auto": predict; with a threshold or costs, the first method that gives scores.
        classes : array-like of shape (n_classes,), default=None
            Label of each column of scores, [negative, positive] for two, and from lowest to highest
            for ordinal metrics, costs and thresholds. None: the estimator's `classes_`, whose order
            says neither. 1-D scores are of the second.
        threshold : float, array-like of shape (n_classes,), Series or dict, default=None
            A number: the positive class of two is predicted where its score reaches it. One
            positive number per class predicts argmax(score_k / threshold_k), labeled or in the
            order of `classes`; multilabel: one, or one per label. None: as `predict`, of scores as
            `labels_from_scores`.
        ties : {"positive", "negative"}, default="positive"
            Which class a score equal to the binary threshold predicts.
        pos_label : int, float, bool or str, default=None
            The positive class, of 1-D scores too. None: the second of `classes`, if given, else 1
            of {0, 1}, {-1, 1} or {False, True}.
        cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, \
n_classes), data frame, or dict of (actual, predicted) to cost, default=None
            Cost of each actual class (row) predicted as each class (column), for all samples or for
            each, labeled or in the order of `classes`. Predicted is the class of the lowest
            expected cost, argmin(p @ cost).
        multilabel : bool, default=None
            Whether 2-D targets are independent labels. None: unless each row has one 1, and scores
            that sum to 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient. `by` is for results of each group,
            `clusters` for dependent samples, `groups` for splits.
        by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
            The group of each sample, for a leading axis "group", sorted or in the order of a
            categorical. A dict or data frame gives one axis per name, a list "group_0", "group_1",
            ... `by` is for results of each group, `clusters` for dependent samples, `groups` for
            splits.
        missing_group : str, int, bool or date, default=None
            Name of the group of samples without one, placed last. None: an error.

        Returns
        -------
        ConfusionMatrix
            With the labels of `y`, predictions and estimator.

        Raises
        ------
        ValueError
            As `from_scores`.
        TypeError
            If it lacks the method.

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
        rule = make_rule(
            threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix
        )
        weights, grouped = (
            Weights(sample_weight, frequency_weights),
            GivenGroups(by, missing_group, clusters),
        )
        return cls(
            **fields_of_estimator(
                estimator, X, y, rule, response_method, classes, multilabel, weights, grouped
            )
        )

    @classmethod
    def from_partial_labels(
        cls,
        y_true: LabelsLike,
        y_pred: LabelsLike,
        strata: GroupsLike | None = None,
        *,
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        by: GroupsLike | None = None,
        missing_group: Label | None = None,
    ) -> Self:
        """Expected counts of all samples where the actual label of only some is known.

        Whether a label is known may depend only on the prediction and the stratum. Otherwise values
        and intervals are wrong, without a warning.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Actual labels; None, NaN, NaT or NA where unknown. Empty text, or a single negative
            number, must be predicted or in `labels` to be a class.
        y_pred : array-like of shape (n_samples,)
            Predicted labels of all samples.
        strata : array-like of shape (n_samples,), default=None
            What decided, with the prediction, whose labels are known, or the label that a cheap
            judge gave. None: the prediction alone.
        labels : array-like of shape (n_classes,), default=None
            As in `from_predictions`.
        pos_label : int, float, bool or str, default=None
            The positive class for `score`. None: the second of two `labels`, if given, else 1 of
            {0, 1}, {-1, 1} or {False, True}.
        by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
            The group of each sample, as in `from_predictions`; labels must be drawn in each group.
        missing_group : str, int, bool or date, default=None
            Name of the group of samples without one, placed last. None: an error.

        Returns
        -------
        ConfusionMatrix
            Its counts are not whole numbers. Sums of such matrices, and those at another
            prevalence, have no intervals.

        Raises
        ------
        ValueError
            As `from_predictions`; if no label is known of a prediction that occurs; if a label that
            is never predicted may stand for an unknown one.

        Warns
        -----
        UserWarning
            If a combination of prediction and stratum has no label.

        Notes
        -----
        In each combination of stratum and prediction, all samples get the shares of the actual
        classes of those with a label; see docs/theory/partly_known_labels.md.

        References
        ----------
        Begg & Greenes (1983), Biometrics 39:207.

        Examples
        --------
        All alerts were checked, and a tenth of the rest; there, one of 20 turned out to be fraud.

        >>> y_pred = ["fraud"] * 50 + ["fine"] * 200
        >>> y_true = ["fraud"] * 30 + ["fine"] * 20 + ["fraud"] + ["fine"] * 19 + [None] * 180
        >>> cm = ConfusionMatrix.from_partial_labels(y_true, y_pred, pos_label="fraud")
        >>> cm
        ConfusionMatrix of 250 samples, 70 with a label (rows: actual, columns: predicted)
               fine  fraud
        fine    190     20
        fraud    10     30
        >>> cm.score("recall")
        0.75
        """
        return cls(
            **fields_of_partial_labels(
                y_true, y_pred, strata, labels, pos_label, GivenGroups(by, missing_group)
            )
        )

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | Mapping[Any, Mapping[Any, float]] | ConfusionMatrix,
        labels: LabelsLike | None = None,
        *,
        pos_label: Label | None = None,
    ) -> Self:
        """Build a confusion matrix from existing counts.

        Parameters
        ----------
        counts : array-like of shape (..., n_classes, n_classes), data frame, dict of dicts, or \
ConfusionMatrix
            Rows are actual, columns predicted classes. A frame, such as pd.crosstab(y_true,
            y_pred), names the classes, maybe also which are the actual ones; missing cells are 0. A
            dict is {actual: {predicted: n}}, as pycm's. A matrix keeps its names and its design.
            Shares whose rows sum to 1 give only values that do not depend on the prevalence.
        labels : array-like of shape (n_classes,), default=None
            The classes in the order of rows and columns, two of them [negative, positive], ordinal
            ones from lowest to highest. For a frame that names its classes, all of them, in the
            desired order. None: the sorted names of the frame.
        pos_label : int, float, bool or str, default=None
            The positive class for `score`. None: the second of two `labels`, if given, else 1 of
            {0, 1}, {-1, 1} or {False, True}.

        Returns
        -------
        ConfusionMatrix
            Leading axes are named "axis_0", "axis_1", ...

        Raises
        ------
        ValueError
            If the last two axes are not square or do not match `labels`, a count is negative, NaN
            or infinite, or a frame's names have nothing in common, or totals that `labels` does not
            list.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"]).score("accuracy")
        0.75
        """
        return cls(**fields_of_counts(counts, labels, pos_label))

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
        strata: Any = None,
        clusters: Any = None,
        missing: Missing | None = None,
        verbose: int = 0,
    ) -> Self:
        """Count the rows of a table of any size in its own engine: one pass, and only the counts
        are returned.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`; DuckDB, Ibis and PySpark tables also
        need pyarrow.

        Parameters
        ----------
        frame : pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark table
            Also a lazy or out-of-core table, as from polars.scan_parquet or duckdb.read_parquet.
            Each column used needs a unique name (case-insensitively in DuckDB, Ibis and PySpark).
            Labels that differ in case are two, unless a further database of Ibis compares text
            otherwise.
        actual, predicted : str or narwhals expression
            The columns of actual and of predicted labels.
        scores : str or expression, list of them, or dict of label to one of them, default=None
            Instead of `predicted`: the column of scores for the positive class, or one column per
            class, in the order of `classes` or by label, as in `from_scores`, apart from the
            engine's rounding.
        classes : array-like of shape (n_classes,), default=None
            With `scores`, as in `from_scores`. Not needed for one column and one threshold.
        threshold : float, array-like of shape (n_classes,), Series or dict, default=None
            With `scores`, as in `from_scores`. None: 0.5 for one column, argmax (ties to the first
            class) for several.
        ties : {"positive", "negative"}, default="positive"
            Which class a score equal to the binary threshold predicts.
        cost_matrix : array-like of shape (n_classes, n_classes), data frame or dict, default=None
            With `scores`, as in `from_scores`: for all rows.
        pos_label : int, float, bool or str, default=None
            The class that a single threshold and one column of scores refer to, and the positive
            class for `score`. None: the second of `classes` or `labels`, if given, else 1 of {0,
            1}, {-1, 1} or {False, True}.
        by : str or expression, or list of them, default=None
            Group columns: each adds a leading axis with its name, sorted, or in the order of an
            ordered categorical. `by` is for results of each group, `clusters` for dependent
            samples, `groups` for splits.
        labels : array-like of shape (n_classes,), default=None
            With `predicted`, as in `from_predictions`.
        sample_weight : str or expression, default=None
            The column of weights, which the engine sums.
        count : str or expression, default=None
            Column with the number of samples of each row, as from SELECT count(*) or `to_frame`:
            non-negative whole numbers. None: a row is a sample.
        strata : str or expression, or list of them, default=None
            As in `from_partial_labels`. `()`: the prediction alone decided whose labels are known.
            None: all labels must be known.
        clusters : str, expression, or list of two, default=None
            The column of clusters, or those of cases and of readers, as in `from_predictions`.
        missing : {None, "drop", "label"}, default=None
            Rows with a missing label or group are, None: an error that counts them; "drop":
            omitted, with a warning; "label": labeled "missing", in string columns only.
        verbose : int, default=0
            Above 0: lines on stderr say which engine runs, for how long, and how many rows and
            groups it found.

        Returns
        -------
        ConfusionMatrix
            As of `from_predictions` or `from_scores`.

        Raises
        ------
        ValueError
            As `from_predictions` and `from_scores`; if scores, weights or counts are invalid.
        TypeError
            If the frame is not a table, or a column that must be numeric is not.
        ImportError
            If narwhals is not installed, or pyarrow where it is needed.

        Examples
        --------
        >>> import polars as pl
        >>> from skmetrics_ext import ConfusionMatrix
        >>> paid, sex = ["no", "yes", "yes", "yes"], ["F", "F", "M", "M"]
        >>> loans = pl.LazyFrame({"paid": paid, "risk": [0.7, 0.1, 0.6, 0.2], "sex": sex})
        >>> cm = ConfusionMatrix.from_frame(loans, "paid", scores="risk", pos_label="no", by="sex")
        >>> cm.axes[0].name, cm.score("accuracy")
        ('sex', array([1. , 0.5]))
        """
        rule = make_rule(
            threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix
        )
        columns = FrameColumns(
            actual, predicted, scores, by, sample_weight, count, strata, clusters
        )
        progress = progress_of("from_frame", verbose)
        return cls(**fields_of_frame(frame, columns, rule, classes, labels, missing, progress))

    def score(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str | None = "binary",
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        zero_division: ZeroDivision = "warn",
        **parameters: Any,
    ) -> Any:
        """The value of a metric, for all entries of the leading axes.

        Parameters
        ----------
        metric : str or function
            A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"),
            a metric function, or a custom one of a ConfusionMatrix. Values are not negated.
        average : {"binary", "macro", "micro", "weighted", "worst"} or None, default="binary"
            "binary": of one class, unless the metric's name says otherwise, and of each label of
            multilabel data; None: each class; "worst": the worst class.
        labels : array-like of shape (n_classes,), default=None
            Classes to average or report; for multilabel data, the columns. None: all.
        pos_label : int, float, bool or str, default=None
            The positive class for "binary". None: that of the matrix, if known.
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
            If an option or parameter does not apply, or the positive class is needed but unknown.

        Notes
        -----
        A custom metric is a function of a ConfusionMatrix and parameters that returns one number;
        all that takes a metric takes it. It gets the matrices of leading axes one by one; written
        with `cm.counts[..., i, j]` and without branching, it may set `cost.vectorized = True` to
        get them together, which is faster. Higher is better, unless it sets `cost.greater_is_better
        = False`; scorers then negate its values.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[[8, 2], [1, 9]], [[7, 3], [5, 5]]], labels=[0, 1])
        >>> cm.score("specificity")
        array([0.8, 0.7])
        >>> cm.score("fbeta", beta=2, average=None).round(3)
        array([[0.816, 0.882],
               [0.673, 0.521]])
        """
        choice = choose(
            metric,
            classes=self.labels,
            average=average,
            labels=labels,
            pos_label=pos_label,
            zero_division=zero_division,
            **parameters,
        )
        return score(counted_for(self, choice), choice)

    def interval(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str | None = "binary",
        labels: LabelsLike | None = None,
        pos_label: Label | None = None,
        zero_division: ZeroDivision = "warn",
        confidence_level: float = 0.95,
        method: str = "auto",
        fixed: Literal["actual"] | None = None,
        simultaneous: bool = False,
        n_resamples: int = 9_999,
        random_state: RandomState = 0,
        prior: float | None = None,
        **parameters: Any,
    ) -> Interval:
        """The value of a metric with its confidence interval, for all entries of the leading axes.

        It is for this fitted model on new samples from the same population, for summed folds for
        the mean over their models; optimistic for a threshold chosen on the same data.

        Parameters
        ----------
        metric : str or function
            A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"),
            a metric function, or a custom one of a ConfusionMatrix. Values are not negated.
        average : {"binary", "macro", "micro", "weighted", "worst"} or None, default="binary"
            "binary": of one class, unless the metric's name says otherwise, and of each label of
            multilabel data; None: each class; "worst": the worst class.
        labels : array-like of shape (n_classes,), default=None
            Classes to average or report; for multilabel data, the columns. None: all.
        pos_label : int, float, bool or str, default=None
            The positive class for "binary". None: that of the matrix, if known.
        zero_division : {"warn", 0, 1, nan}, default="warn"
            The value where the metric is 0/0: nan unless given. Averages omit undefined classes
            from their interval.
        confidence_level : float, default=0.95
            At least 0.5 and below 1.
        method : str, default="auto"
            "auto": the one that fits the metric, see Notes; or as published: "mid-p", "wilson",
            "jeffreys" or "clopper-pearson" of a proportion, "mover" of two, "delta", "bootstrap",
            "smoothed-bootstrap", "dirichlet"; "korn-graubard" with weights or clusters.
        fixed : "actual" or None, default=None
            "actual": the numbers of samples per actual class were fixed by design. Limits are those
            at the counted prevalence, as of `at_prevalence`.
        simultaneous : bool, default=False
            Whether the intervals for all classes and entries hold together (Bonferroni).
        n_resamples : int, default=9_999
            Number of replicates of bootstraps and "dirichlet"; at least 100.
        random_state : int, numpy Generator or RandomState, default=0
            The same int gives the same interval; None: another at each call.
        prior : float, default=None
            For "dirichlet": pseudo-count added to each cell. None: 1/2 per cell of a 2 x 2 table, 1
            in total for a larger matrix.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Interval
            `value`, `low` and `high`: floats, or arrays as returned by `score`.

        Raises
        ------
        ValueError
            As `score`; if the method does not apply to the metric or to the `design`, which may
            have no intervals, the counts are all 0, or an option is out of range.

        Warns
        -----
        UnreliableIntervalWarning
            If the interval may not have its nominal coverage, or the limits are nan: its `caveats`
            say why.

        Notes
        -----
        "auto" takes mid-P limits for proportions of samples and functions of one, MOVER of these
        for sums, differences and ratios of two, the delta method for odds ratios, and a smoothed
        bootstrap for all others; see docs/theory/intervals.md.

        References
        ----------
        Berry & Armitage (1995), The Statistician 44:417; Newcombe (1998), Statistics in Medicine
        17:873; Donner & Zou (2012), Stat Methods Med Res 21:347.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
        >>> cm.interval("recall")
        recall of 'yes' 0.9000 [0.7922, 0.9624] 95 %, mid-P, n = 50
        """
        choice = choose(
            metric,
            classes=self.labels,
            average=average,
            labels=labels,
            pos_label=pos_label,
            zero_division=zero_division,
            **parameters,
        )
        request = requested(
            confidence_level, method, fixed, simultaneous, n_resamples, random_state, prior
        )
        counted, axes = counted_for_limits(self, choice)
        return told(next(intervals_for(self, counted, [choice], axes, request)))

    def gap(
        self,
        metric: str | Callable[..., Any],
        *,
        axis: str | Sequence[str] | None = None,
        kind: Literal["difference", "ratio", "inverse_ratio"] = "difference",
        baseline: Label | tuple[Label, ...] | None = None,
        min_samples: int = 0,
        pos_label: Label | None = None,
        labels: LabelsLike | None = None,
        average: str | None = "binary",
        confidence_level: float = 0.95,
        method: str = "auto",
        n_resamples: int = 9_999,
        random_state: RandomState = 0,
        **parameters: Any,
    ) -> Gap:
        """How much a metric differs between groups, for all entries of the other axes.

        Parameters
        ----------
        metric : str or function
            A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"),
            a metric function, or a custom one of a ConfusionMatrix. Values are not negated.
        axis : str or list of str, default=None
            The axis of the groups; several are crossed, such as ("F", "old"). None: the only one.
        kind : {"difference", "ratio", "inverse_ratio"}, default="difference"
            Highest group value minus lowest; of metrics that are never negative lowest divided by
            highest, or its inverse.
        baseline : label, or tuple of them, default=None
            Reference group, to which the others are compared, up or down. None: all pairs.
        min_samples : int, default=0
            Groups with a smaller effective sample size (see `Gap`) are omitted.
        pos_label : int, float, bool or str, default=None
            The positive class for "binary". None: that of the matrix, if known.
        labels : array-like of shape (n_classes,), default=None
            Classes to average or report; for multilabel data, the columns. None: all.
        average : {"binary", "macro", "micro", "weighted", "worst"} or None, default="binary"
            "binary": of one class, unless the metric's name says otherwise. A group's average omits
            classes that are undefined in it.
        confidence_level : float, default=0.95
            At least 0.5 and below 1.
        method : str, default="auto"
            Of differences of proportions "newcombe" or "miettinen-nurminen", of ratios "mover"; of
            any smooth metric "delta", on the logarithm for ratios; of any "bootstrap" or
            "smoothed-bootstrap".
        n_resamples : int, default=9_999
            Number of permutations and of bootstrap replicates; at least 100.
        random_state : int, numpy Generator or RandomState, default=0
            The same int gives the same permutations and replicates; None: others at each call.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Gap
            Its fields are scalars, or arrays over the other axes, and over the classes for
            average=None; nan where fewer than two groups remain.

        Raises
        ------
        ValueError
            As `score` and `interval`; if nowhere two groups remain, there is no such axis or
            baseline, or a ratio is requested for a metric that can be negative.

        Warns
        -----
        UndefinedMetricWarning
            If the metric is 0/0 for a group, which is omitted.
        UserWarning
            As `interval`; if a group that determines the gap has few samples.

        Notes
        -----
        p_value tests whether the metric is equal in all groups: equality is within the limits
        exactly where it is at least 1 - confidence_level. Of two groups it inverts the limits, of
        more it is by permutation; see docs/theory/tests.md.

        References
        ----------
        Chung & Romano (2013), Annals of Statistics 41:484; Newcombe (1998), Statistics in Medicine
        17:873; Zou & Donner (2008), Statistics in Medicine 27:1693; Miettinen & Nurminen (1985),
        Statistics in Medicine 4:213; Hayter (1984), Annals of Statistics 12:61.

        Examples
        --------
        >>> counts = [[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[75, 25], [30, 70]]]
        >>> cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
        >>> cm.gap("fnr", random_state=0)
        0.2000 [0.0481, 0.3431] 95 %, p = 0.0091: difference of fnr of 1, 0 below 1 (MOVER of groups, permutation, n = 300)
        """  # noqa: E501
        refuse_zero_division(parameters)
        choice = choose(
            metric,
            classes=self.labels,
            average=average,
            labels=labels,
            pos_label=pos_label,
            zero_division=np.nan,
            **parameters,
        )
        cm, name_of_axis = crossed_groups(self, axis)
        seed = seed_of(random_state)
        request = GapRequest(
            name_of_axis, kind, baseline, min_samples, confidence_level, n_resamples, seed, method
        )
        counted, axes = counted_for_limits(cm, choice)
        found = told(gap_for(cm, counted, choice, axes, request))
        return of_origin(found, self._design.name, n_resamples, seed.entropy)

    def pairwise_gaps(
        self,
        metric: str | Callable[..., Any],
        *,
        axis: str | Sequence[str] | None = None,
        against: Label | tuple[Label, ...] = "each",
        pos_label: Label | None = None,
        labels: LabelsLike | None = None,
        average: str | None = "binary",
        confidence_level: float = 0.95,
        correction: Literal["holm", "bonferroni"] | None = "holm",
        method: str = "auto",
        n_resamples: int = 9_999,
        random_state: RandomState = 0,
        **parameters: Any,
    ) -> Comparison:
        """The difference of a metric between groups, pair by pair: each with each, with the rest,
        or with one group.

        Parameters
        ----------
        metric : str or function
            A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"),
            a metric function, or a custom one of a ConfusionMatrix. Values are not negated.
        axis : str or list of str, default=None
            The axis of the groups; several are crossed. Groups are compared within each entry of
            other axes. None: the only one.
        against : "each", "rest", label or tuple of them, default="each"
            "each": all pairs of groups; "rest": each group with all others together; or the group
            to compare all others with, a tuple of crossed ones.
        pos_label : int, float, bool or str, default=None
            The positive class for "binary". None: that of the matrix, if known.
        labels : array-like of shape (n_classes,), default=None
            Classes to average or report; for multilabel data, the columns. None: all.
        average : {"binary", "macro", "micro", "weighted", "worst"} or None, default="binary"
            "binary": of one class, unless the metric's name says otherwise. A group's average omits
            classes that are undefined in it.
        confidence_level : float, default=0.95
            At least 0.5 and below 1.
        correction : {"holm", "bonferroni"} or None, default="holm"
            Multiple-testing correction over all rows, of p-values and confidence limits.
        method : str, default="auto"
            As of `gap`, for differences.
        n_resamples : int, default=9999
            Number of bootstrap replicates; at least 100.
        random_state : int, numpy Generator or RandomState, default=0
            The same int gives the same permutations and replicates; None: others at each call.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Comparison
            A row for each pair, of the value of the model minus that of the reference.

        Raises
        ------
        ValueError
            As `gap`; if there is no pair.

        Warns
        -----
        UnreliableIntervalWarning
            As `gap`, of each pair.

        Notes
        -----
        Before the correction each row is `gap` of its two groups, with a sign.

        References
        ----------
        Zou & Donner (2008), Statistics in Medicine 27:1693; Holm (1979), Scandinavian Journal of
        Statistics 6:65.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> hits = {"a": 90, "b": 84, "c": 62}
        >>> sites = {
        ...     site: ConfusionMatrix.from_counts([[100, 0], [100 - tp, tp]], labels=["no", "yes"])
        ...     for site, tp in hits.items()
        ... }
        >>> found = ConfusionMatrix.stack(sites, axis="site").pairwise_gaps("recall")
        >>> for row in found.rows:
        ...     limits = f"[{row.low:.2f}, {row.high:.2f}]"
        ...     print(f"{row.model} - {row.reference} {row.difference:.2f} {limits}")
        a - b 0.06 [-0.06, 0.18]
        a - c 0.28 [0.14, 0.41]
        b - c 0.22 [0.07, 0.36]
        """
        refuse_zero_division(parameters)
        check_comparison(confidence_level, correction, None)
        choice = choose(
            metric,
            classes=self.labels,
            average=average,
            labels=labels,
            pos_label=pos_label,
            zero_division=np.nan,
            **parameters,
        )
        seed = seed_of(random_state)
        request = GapRequest(
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            random_state=seed,
            method=method,
        )
        compared = differences_of_groups(self, choice, axis, against, request)
        if not compared:
            raise ValueError("there is no pair of groups with samples: a gap needs two of them.")
        found = comparison_of(compared, confidence_level, correction, None)
        return of_origin(found, self._design.name, n_resamples, seed.entropy)

    def summary(
        self,
        metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] | None = None,
        *,
        confidence_level: float = 0.95,
        **options: Any,
    ) -> Summary:
        """Several metrics with their confidence intervals in one table, a block for each entry of
        the leading axes.

        Metrics of one class are of the positive one, or have a row for each of three or more
        classes; averages are named: "recall_macro".

        Parameters
        ----------
        metrics : str or function, list of them, or dict of name to metric, default=None
            As `metric` of `interval`. None: the counts, prevalence, sensitivity, specificity,
            predictive values, likelihood ratios, accuracy, balanced accuracy, F1, MCC, kappa and
            diagnostic odds ratio.
        confidence_level : float, default=0.95
            At least 0.5 and below 1.
        **options
            `pos_label`, `zero_division`, `method`, `fixed`, `n_resamples`, `random_state` and
            `prior` of `interval`, for all metrics; and parameters such as `beta`, for those that
            accept them.

        Returns
        -------
        Summary
            Its `to_frame` has the numbers, `to_table` cells for Markdown, HTML, LaTeX or Excel.

        Raises
        ------
        ValueError, TypeError
            As `interval`; but a value without known limits has a caveat.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[640, 202], [74, 670]], labels=["well", "ill"])
        >>> cm.summary({"Se": "sensitivity", "PPV": "ppv", "LR+": "lr_plus"})
        Summary of 'ill', 95 % confidence intervals
        metric                     value     low    high  numerator     n  method
        Se                        0.9005  0.8774  0.9205        670   744  mid-P
        PPV at prevalence 0.4691  0.7683  0.7395  0.7955        670   872  mid-P
        LR+                       3.7537  3.3300  4.2564          -  1586  MOVER of mid-P
        """
        return summary_of_metrics(self, metrics, confidence_level, options)

    @instead("Its text: cm.to_table().to_markdown(), to_html() or to_latex().")
    def to_table(self) -> TextTable:
        """The counts as they are printed in a paper: a row per entry and actual class.

        Returns
        -------
        TextTable
            Text, Markdown, HTML, LaTeX, or a data frame of text for Excel.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[90, 10], [4, 36]], labels=["well", "ill"])
        >>> print(cm.to_table().to_markdown())
        ConfusionMatrix of 140 samples (rows: actual, columns: predicted)
        <BLANKLINE>
        | actual | well | ill |
        |---|---|---|
        | well | 90 | 10 |
        | ill | 4 | 36 |
        """
        return counts_in_print(self)

    def at_prevalence(
        self, prevalence: float | Sequence[float] | Mapping[Any, float | Sequence[float]]
    ) -> Self:
        """The counts to expect where the classes are as frequent as that, and each is predicted as
        here.

        Parameters
        ----------
        prevalence : float, sequence of floats, or dict or Series of class to either
            The prevalence of the positive class of two, or of some classes by name: above 0 and
            below 1. Other classes keep their proportions of the rest. Several prevalences add a
            leading axis "prevalence".

        Returns
        -------
        ConfusionMatrix
            Counts with the total of the data, not whole numbers. Limits are those of the observed
            counts, with the numbers of the actual classes fixed. Sums of such matrices have none.

        Raises
        ------
        ValueError
            If a class that is named has no samples, is unknown, or a prevalence is out of range.

        References
        ----------
        Mercaldo, Lau & Zhou (2007), Statistics in Medicine 26:2170.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[90, 10], [20, 80]], labels=["healthy", "ill"])
        >>> round(cm.score("f1"), 3), round(cm.at_prevalence({"ill": 0.01}).score("f1"), 3)
        (0.842, 0.137)
        >>> f"{cm.at_prevalence(0.01).interval('precision'):.2f}"
        '0.07 [0.04, 0.13]'
        """
        return replace(self, **fields_at_prevalence(self, prevalence))

    def normalize(self, over: Literal["true", "pred", "all"] = "true") -> NDArray[np.float64]:
        """Counts as proportions of each row ("true"), each column ("pred") or all samples; empty
        ones give 0.

        Parameters
        ----------
        over : {"true", "pred", "all"}, default="true"
            Where proportions add up to 1, in each entry of the leading axes.

        Returns
        -------
        ndarray of shape (..., n_classes, n_classes)
            In [0, 1].

        Raises
        ------
        ValueError
            If `over` is none of these.

        Examples
        --------
        >>> ConfusionMatrix.from_counts([[3, 1], [0, 0]], labels=[0, 1]).normalize("true")
        array([[0.75, 0.25],
               [0.  , 0.  ]])
        """
        if over not in ("true", "pred", "all"):
            raise ValueError(f"normalize must be over 'true', 'pred' or 'all'; got {over!r}.")
        return all_classes.shares(self.counts, over)

    def most_confused(self, n: int = 5) -> list[ConfusedPair]:
        """The n most frequent errors as (actual, predicted, count, proportion of the actual class).

        Leading axes are pooled.

        Parameters
        ----------
        n : int, default=5
            How many errors, at least 0; fewer if there are no more.

        Returns
        -------
        list of ConfusedPair
            From the most frequent error on; equal ones in the order of the labels.

        Raises
        ------
        ValueError
            If n is no integer, or negative.

        Examples
        --------
        >>> cm = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["no", "yes"])
        >>> cm.most_confused(1)
        [ConfusedPair(actual='no', predicted='yes', count=2, share=0.2)]
        """
        return most_frequent_errors(pooled_cells(self), self.labels, n)

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Self:
        """Inverse of `to_dict`, also after a JSON round trip.

        Parameters
        ----------
        state : dict
            Output of `to_dict`, or a plain dict of "counts" and "labels".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If counts or labels are missing, inconsistent or invalid.

        Examples
        --------
        >>> import json
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=[False, True])
        >>> ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))) == cm
        True
        """
        return cls(**fields_of_state(state))

    def to_dict(self, *, cluster_names: bool = False) -> dict[str, Any]:
        """Counts, labels, axes and design as plain values for JSON; `from_dict` restores their
        types.

        Parameters
        ----------
        cluster_names : bool, default=False
            Whether to write the names of clusters, which may be those of people; matrices without
            them can't be put together.
        """
        return state_of(self, cluster_names=cluster_names)

    @property
    def n_samples(self) -> Any:
        """Number (or weight) of samples: a number, or an array over the leading axes."""
        return self.counts.sum((-2, -1))

    @property
    def class_counts(self) -> ClassCounts:
        """tp, fp, fn and tn of every class against the rest, each (..., n_classes)."""
        return ClassCounts(*margins_of(self.counts))

    @property
    def design(self) -> Design:
        """How the samples were obtained: independently, with weights, in clusters, in folds."""
        return described(self._design)

    @instead("Name the axis, one of cm.axes: cm.sum('fold').")
    def sum(self, axis: int | str) -> Self:
        """Sum over a leading axis, such as the folds or the groups, which is then gone.

        Parameters
        ----------
        axis : int or str
            The name of the axis, "fold", or its position, from the last if negative.

        Returns
        -------
        ConfusionMatrix
            Its `design` says how often a sample is counted, if entries share samples.

        Raises
        ------
        ValueError, TypeError
            If there is no such axis. The message lists the available ones.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> ConfusionMatrix.from_predictions([0, 1], [0, 0], by=["a", "b"]).sum("group").counts
        array([[1, 0],
               [1, 0]])
        """
        return summed_over(self, axis)

    @instead("Name the axis and its entries: cm.sel(sex='F').")
    def sel(self, /, **entries: Any) -> Self:
        """Select entries of the leading axes by coordinate.

        Parameters
        ----------
        **entries
            For each axis name a coordinate, which drops the axis, or a list of them, which keeps
            it, in this order. Dates may be text, such as "2026-01-31".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If there is no such axis or entry. The message lists the available ones.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> groups = {"sex": ["F", "F", "M", "M"], "year": [2025, 2026, 2025, 2026]}
        >>> cm = ConfusionMatrix.from_predictions([1, 0, 1, 1], [1, 0, 0, 1], by=groups)
        >>> cm.sel(sex="M", year=2025).counts
        array([[0, 0],
               [1, 0]])
        """
        return selected(self, entries)

    @classmethod
    def stack(cls, matrices: Mapping[Any, Self], *, axis: str) -> Self:
        """Stack matrices along a new first axis.

        Parameters
        ----------
        matrices : dict of coordinate to ConfusionMatrix
            Labels and leading axes are aligned as by `+`; missing cells count 0.
        axis : str
            The name of the new axis.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If `matrices` is empty, or they are incompatible.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> january = ConfusionMatrix.from_predictions(["cat", "dog"], ["cat", "cat"])
        >>> february = ConfusionMatrix.from_predictions(["dog", "owl"], ["dog", "dog"])
        >>> months = {"2026-01": january, "2026-02": february}
        >>> by_month = ConfusionMatrix.stack(months, axis="month")

        >>> by_month.sum("month") == january + february
        True
        """
        if not isinstance(matrices, Mapping):
            raise TypeError(
                "matrices must be a dict of coordinate to ConfusionMatrix; got "
                f"{type(matrices).__name__}."
            )
        if other := [key for key, cm in matrices.items() if not isinstance(cm, ConfusionMatrix)]:
            raise TypeError(
                f"matrices[{other[0]!r}] is no ConfusionMatrix but "
                f"{type(matrices[other[0]]).__name__}."
            )
        return stacked(matrices, axis)

    def with_labels(self, labels: LabelsLike) -> Self:
        """The same counts with reordered labels; labels may be added, and those without counts
        dropped.

        Parameters
        ----------
        labels : array-like of shape (n_classes,)
            The classes in the new order, two of them [negative, positive], ordinal ones from lowest
            to highest.

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
        >>> cm = ConfusionMatrix.from_predictions(["no", "yes"], ["no", "no"])
        >>> cm.with_labels(["yes", "no", "maybe"]).counts
        array([[0, 1, 0],
               [0, 1, 0],
               [0, 0, 0]])
        """
        return in_label_order(self, read_order(labels))

    def relabel(self, names: Mapping[Any, Label]) -> Self:
        """The same counts, of which some classes have other names.

        Parameters
        ----------
        names : dict of label to label
            The new name of each class that gets one, such as `{0: "well", 1: "ill"}`.

        Returns
        -------
        ConfusionMatrix
            With the order, the positive class and the design of this one.

        Raises
        ------
        ValueError
            If a name is of no class, two classes would have one name, or data are multilabel.
        TypeError
            If `names` is no dict.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0])
        >>> cm.relabel({0: "well", 1: "ill"}).interval("recall").label
        'ill'
        """
        return relabelled(self, names)

    def add(
        self,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
    ) -> Self:
        """A new matrix that counts further samples, too.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,)
            Actual and predicted labels, all among `labels`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            As `from_predictions`; if the matrix has leading axes.

        See Also
        --------
        ConfusionMatrix.from_predictions : A new matrix; + joins matrices of different labels.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], labels=[0, 1])
        >>> cm = cm.add([1, 0], [1, 1])
        >>> cm.counts
        array([[1, 1],
               [1, 2]])
        """
        return replace(
            self, **fields_with(self, y_true, y_pred, Weights(sample_weight, frequency_weights))
        )

    def __add__(self, other: Any) -> Self:
        """Pool the samples of two matrices, with labels and leading axes aligned.

        Labels and coordinates of axes are those of both, sorted if both are. Label orders that do
        not agree, two positive classes, an axis that only one has, and different labels of
        multilabel data raise a ValueError.
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return added(self, other)

    def __radd__(self, other: Any) -> Self:
        """`sum(matrices)` starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def to_frame(self, backend: Backend | None = None, *, count: str = "count") -> Any:
        """One row per cell, including zeros: the coordinates of the leading axes, "actual",
        "predicted" and "count".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`. `ConfusionMatrix.from_frame` reads it
        back, with `count=` (`sample_weight=` for floats) and `by=`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The frame's library. None: pandas if installed, else polars.
        count : str, default="count"
            The name of the count column.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table

        Raises
        ------
        ValueError
            If an axis has the same name as another column.
        """
        return frame(columns_of_cells(self, count), backend)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The counts, for `np.asarray`."""
        return np.array(self.counts, dtype=dtype, copy=copy)

    # Arithmetic with arrays is an error: no array without labels.
    __array_ufunc__ = None

    # Hidden from type checkers, which should see no such attributes and keys.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            # Python's protocols ask for names with underscores.
            instead = "" if name.startswith("_") else instead_of_attribute(name)
            message = f"{type(self).__name__!r} object has no attribute {name!r}{instead}"
            raise AttributeError(message, name=name, obj=self)

        def __getitem__(self, key: object) -> NoReturn:
            raise TypeError(f"a ConfusionMatrix has no keys: {instead_of_key(key)}")

    def __repr__(self) -> str:
        return matrix_as_text(headline_of(self), pooled_cells(self), plain(self.labels))

    def _repr_html_(self) -> str:
        """The matrix as an HTML table; every label is escaped."""
        return matrix_as_html(headline_of(self), pooled_cells(self), plain(self.labels))
