"""ThresholdCurve: the counts of one class at every threshold, with their metrics and areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.columns import NamedScores
from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.adapter.scale import check_scale_of_curve
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import counts_at, with_weight
from skmetrics_ext.counting.replicates import random_of, seed_of
from skmetrics_ext.curves import areas, inputs
from skmetrics_ext.curves.areas import PrecisionRecallCurve, RocCurve
from skmetrics_ext.curves.best import BestThreshold, Bound
from skmetrics_ext.curves.data import CurveData, factors_at
from skmetrics_ext.curves.designs import added_fields, check_edges, matrices_at, matrix_at
from skmetrics_ext.curves.from_frames import CurveColumns, samples_of_frame
from skmetrics_ext.curves.from_scores import samples_of_scores
from skmetrics_ext.curves.operating_points import point_of_curve
from skmetrics_ext.curves.promised_threshold import (
    check_promise,
    choose_threshold,
    read_metric_constraints,
)
from skmetrics_ext.curves.table import curve_as_html
from skmetrics_ext.curves.values import net_benefit_of_samples, row_of_one_class, values_of_curve
from skmetrics_ext.engines.groups import Missing
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import (
    Backend,
    GroupsLike,
    Label,
    LabelsLike,
    RandomState,
    ScoresLike,
    TargetLike,
    Ties,
)
from skmetrics_ext.reading.arguments import check_choice, check_number
from skmetrics_ext.reading.calls import did_you_mean, explained_methods, instead
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.areas.operating_point import limits_of
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.entries import origin_of
from skmetrics_ext.statistics.methods import methods_for, shown
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.progress import progress_of
from skmetrics_ext.writing.text import count_as_text


@explained_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class ThresholdCurve(CurveData):
    """tp, fp, fn and tn of one class at every threshold of its scores; created by `from_scores`,
    `from_estimator` or `from_frame`.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        The distinct scores in decreasing order, or the given thresholds in their order.
    counts : ClassCounts
        tp, fp, fn and tn, each an ndarray of shape (n_thresholds,); int64, or float64 with
        float weights.
    labels : ndarray of shape (2,)
        Both labels as named or declared, else [negative, positive]; "not ash" and "ash" where other
        classes are the negatives.
    pos_label : int, float, bool or str
        The positive label.
    ties : {"positive", "negative"}
        Whether a score equal to the threshold is predicted positive.

    Examples
    --------
    >>> curve = ThresholdCurve.from_scores([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
    >>> curve
    ThresholdCurve of 4 samples, 2 positive (2), 4 thresholds from 0.8 to 0.1
    """

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
        thresholds: ArrayLike | None = None,
        ties: Ties = "positive",
    ) -> Self:
        """Count tp, fp, fn and tn at every threshold of the scores of one class.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Actual labels.
        y_score : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
            Scores of the positive class, larger if more likely, or one column per class, such as
            `model.predict_proba(X)`, of which that of the positive class is used.
        classes : array-like of shape (n_classes,), default=None
            The label of each column; of two, [negative, positive]. None: the names of a data
            frame's columns, else the sorted labels of `y_true`.
        pos_label : int, float, bool or str, default=None
            The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False,
            True}; required for other labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample. Samples of weight 0 add no threshold.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient. `by` is for results of each group,
            `clusters` for dependent samples, `groups` for splits.
        thresholds : array-like of shape (n_thresholds,) or int, default=None
            The thresholds, in any order; or an int, for so many quantiles of the scores, decreasing
            and without duplicates. None: all distinct scores, decreasing.
        ties : {"positive", "negative"}, default="positive"
            Which class a score equal to the binary threshold predicts.

        Returns
        -------
        ThresholdCurve

        Raises
        ------
        ValueError
            If the positive class is unknown, lengths differ, scores hold NaN or infinity, or
            thresholds are empty, NaN, or finite and outside of [0, 1] where all scores are inside.
        TypeError
            If scores or thresholds are not numeric.

        Examples
        --------
        >>> actual, scores = ["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8]
        >>> curve = ThresholdCurve.from_scores(actual, scores, pos_label="yes")
        >>> curve.thresholds
        array([0.8 , 0.4 , 0.35, 0.1 ])
        >>> curve.counts.tp, curve.counts.fp
        (array([1, 1, 2, 2]), array([0, 1, 1, 2]))
        """
        make_rule(ties=ties)
        weights = Weights(sample_weight, frequency_weights)
        samples, labels, entries = samples_of_scores(
            y_true, y_score, classes, pos_label, weights, clusters
        )
        return cls._of_samples(samples, labels, ties, thresholds, entries)

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
        X: object,
        y: TargetLike,
        *,
        pos_label: Label | None = None,
        response_method: str | Sequence[str] = "auto",
        sample_weight: ArrayLike | None = None,
        frequency_weights: bool = False,
        clusters: GroupsLike | None = None,
        thresholds: ArrayLike | None = None,
        ties: Ties = "positive",
    ) -> Self:
        """Count tp, fp, fn and tn at every threshold of a fitted estimator's scores for the
        positive class.

        Parameters
        ----------
        estimator : object with predict_proba, decision_function or a predict of scores
            A classifier, or a model without `classes_` whose `predict` returns scores for the
            second label.
        X : array-like
            Samples to predict.
        y : array-like of shape (n_samples,)
            Actual labels.
        pos_label : int, float, bool or str, default=None
            The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False,
            True}; required for other labels.
        response_method : str or list of str, default="auto"
            "auto": predict_proba, else decision_function.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample. Samples of weight 0 add no threshold.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        clusters : array-like of shape (n_samples,), default=None
            Cluster of each sample, such as its patient. `by` is for results of each group,
            `clusters` for dependent samples, `groups` for splits.
        thresholds : array-like of shape (n_thresholds,) or int, default=None
            The thresholds, in any order; or an int, for so many quantiles of the scores, decreasing
            and without duplicates. None: all distinct scores, decreasing.
        ties : {"positive", "negative"}, default="positive"
            Which class a score equal to the binary threshold predicts.

        Returns
        -------
        ThresholdCurve

        Raises
        ------
        ValueError, TypeError
            As `ThresholdCurve.from_scores`; if the estimator lacks the method.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
        >>> ThresholdCurve.from_estimator(GaussianNB().fit(X, y), X, y).roc_auc()
        1.0
        """
        methods = check_response_method(response_method)
        make_rule(ties=ties)
        true = inputs.read_labels_of_curve(y, "y")
        scores, positive, known = predict_scores(estimator, X, true, pos_label, methods)
        weights = Weights(sample_weight, frequency_weights)
        return cls._of_class(true, scores, known, positive, weights, clusters, thresholds, ties)

    @classmethod
    def _of_class(
        cls,
        true: Column,
        scores: NDArray[Any],
        known: NDArray[Any],
        pos_label: Any,
        weights: Weights,
        clusters: Any = None,
        thresholds: ArrayLike | None = None,
        ties: Ties = "positive",
    ) -> Self:
        """The curve of one of the known classes, from validated labels and scores."""
        samples, labels, entries = inputs.samples_of_class(
            true, NamedScores(scores), known, pos_label, weights, clusters
        )
        return cls._of_samples(samples, labels, ties, thresholds, entries)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        actual: Any,
        score: Any,
        *,
        pos_label: Label | None = None,
        bins: int | None = None,
        sample_weight: Any = None,
        count: Any = None,
        missing: Missing | None = None,
        verbose: int = 0,
    ) -> Self:
        """Count the rows of a table in its engine, at every score or in bins; curves with the same
        bins can be added.

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
        ThresholdCurve
            With bins, `roc_auc_bounds` gives the two values between which the area lies.

        Raises
        ------
        ValueError, TypeError, ImportError
            As `ConfusionMatrix.from_frame`; if `bins` is not a power of two, or there are too many
            scores.

        Examples
        --------
        >>> import polars as pl
        >>> late, risk = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        >>> loans = pl.LazyFrame({"late": late, "risk": risk})
        >>> curve = ThresholdCurve.from_frame(loans, "late", "risk", bins=4)
        >>> curve.thresholds, curve.counts.tp
        (array([0.75, 0.5 , 0.25, 0.  ]), array([0, 2, 3, 3]))
        """
        columns = CurveColumns(actual, score, None, sample_weight, count)
        progress = progress_of("from_frame", verbose)
        found = samples_of_frame(frame, columns, pos_label, bins, missing, progress)
        [samples] = found.samples
        edges = inputs.edges_of_bins(samples, found.entries)
        return cls._of_samples(samples, found.labels, thresholds=edges, entries=found.entries)

    @instead("At one threshold: curve.at(threshold).score(metric).")
    def score(
        self,
        metric: str | Callable[..., Any] | Metric,
        *,
        zero_division: ZeroDivision = "warn",
        **parameters: Any,
    ) -> NDArray[np.float64]:
        """The value of a metric at every threshold.

        Parameters
        ----------
        metric : str or function
            As in `ConfusionMatrix.score`, without an average: of the positive class, or of both.
        zero_division : {"warn", 0, 1, nan}, default="warn"
            The value where the metric is 0/0.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        ndarray of shape (n_thresholds,)
            In the order of `thresholds`.

        Raises
        ------
        ValueError, TypeError
            If there is no such metric, or a parameter is invalid.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.score("fbeta", beta=2).round(3)
        array([0.556, 0.5  , 0.909, 0.833])
        >>> curve.score("expected_cost", cost_matrix=[[0, 1], [10, 0]])
        array([2.5 , 2.75, 0.25, 0.5 ])
        """
        return values_of_curve(self, metric, parameters, zero_division)

    def best(
        self,
        metric: str | Callable[..., Any] | Metric,
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        confidence_level: float | None = None,
        **parameters: Any,
    ) -> BestThreshold:
        """The best value of a metric, subject to constraints on other metrics if given, with its
        threshold and counts.

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
            How often the bounds hold on new data, as in `ConstrainedThresholdClassifier`. None:
            they hold on these samples, and on new ones about half of the time.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        BestThreshold
            Named tuple of value, threshold and counts (tp, fp, fn, tn); of equally good thresholds
            the highest finite one. Undefined values (0/0) are never chosen and satisfy no bound.
            The threshold is one of given ones, an edge of bins, or the midpoint between two
            adjacent scores; inf where no sample should be positive, -inf where all should.

        Raises
        ------
        ValueError
            If no threshold satisfies the constraints, or the metric has no better direction. With
            `confidence_level` also if there are too few samples, these have weights or clusters,
            or a bound has no guarantee.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> value, threshold, counts = curve.best("precision", subject_to={"recall": 0.9})
        >>> round(value, 3), round(threshold, 3), counts
        (0.667, 0.225, ClassCounts(tp=2, fp=1, fn=0, tn=1))
        """
        row = row_of_one_class(metric)
        if bounds := [
            name for name in parameters if name in BY_NAME and name not in row.parameters
        ]:
            raise TypeError(
                f"{bounds[0]!r} is a metric: bound it with subject_to={{{bounds[0]!r}: ...}}."
            )
        if confidence_level is not None:
            check_promise(self, subject_to, confidence_level)
        asked = read_metric_constraints(subject_to, confidence_level)
        found, _ = choose_threshold(self, metric, asked, confidence_level, parameters)
        return found

    def at_prevalence(self, prevalence: float) -> Self:
        """The counts to expect at every threshold where the positive class is as frequent as that.

        Parameters
        ----------
        prevalence : float
            The proportion of positive samples, above 0 and below 1.

        Returns
        -------
        ThresholdCurve
            A curve of the same samples, with their total weight.

        Raises
        ------
        ValueError
            If it is out of range, or a class has no samples.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7])
        >>> curve.at_prevalence(0.1).score("precision").round(3)
        array([1.   , 1.   , 0.182, 0.25 , 0.143, 0.1  ])
        """
        check_number(prevalence, "prevalence")
        share = float(read_numbers(prevalence, "prevalence"))
        of_negative, of_positive = factors_at(self, share)
        tp, fp, fn, tn = counts_at(self._samples, self.thresholds, self.ties)
        counts = ClassCounts(
            tp=of_positive * tp, fp=of_negative * fp, fn=of_positive * fn, tn=of_negative * tn
        )
        return type(self)._of(vars(self) | {"counts": counts, "_prevalence": share})

    def net_benefit(self, thresholds: ArrayLike | None = None) -> NDArray[np.float64]:
        """tp / n - fp / n * t / (1 - t) at threshold probabilities t: a decision curve.

        Parameters
        ----------
        thresholds : array-like of shape (n_thresholds,), default=None
            Risks from 0 to 1 above which one would act. None: the curve's thresholds.

        Returns
        -------
        ndarray of shape (n_thresholds,)
            At most the prevalence.

        Raises
        ------
        ValueError
            If scores or thresholds are not in [0, 1].

        References
        ----------
        Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.net_benefit([0, 0.2, 0.5])
        array([0.5   , 0.4375, 0.25  ])
        """
        chosen = self.thresholds if thresholds is None else thresholds
        check_edges(chosen, self.thresholds, self._entries)
        return net_benefit_of_samples(self._weighed, chosen, self.ties)

    def at(self, threshold: float | BestThreshold) -> ConfusionMatrix:
        """The confusion matrix at any threshold.

        Parameters
        ----------
        threshold : float or BestThreshold
            Compared at the precision of the scores: 0.7 equals float32's 0.7. Of what `best` of
            this curve returns, intervals say that the samples chose it: values are optimistic.

        Returns
        -------
        ConfusionMatrix
            With the labels and the positive class of the curve.

        Raises
        ------
        ValueError, TypeError
            If the threshold is NaN, or finite and outside of [0, 1] where all scores are inside.

        Warns
        -----
        UserWarning
            As `labels_from_scores`; never for thresholds of this curve.

        Examples
        --------
        >>> y_true, y_score = ["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8]
        >>> ThresholdCurve.from_scores(y_true, y_score, pos_label="yes").at(0.5)
        ConfusionMatrix of 4 samples (rows: actual, columns: predicted)
             no  yes
        no    2    0
        yes   1    1
        """
        if isinstance(threshold, BestThreshold):
            there = self.at(threshold.threshold)
            # Other samples have other counts there.
            tp, fp, fn, tn = threshold.counts
            found = there.counts if self._position else there.counts[::-1, ::-1]
            if not np.allclose(found, [[tn, fp], [fn, tp]]):
                return there
            return replace(there, _design=replace(there._design, chosen=1.0))
        check_number(threshold, "threshold")
        if threshold != threshold:
            raise ValueError("threshold is NaN, which no score reaches: pass a number.")
        check_edges(threshold, self.thresholds, self._entries)
        if not np.isin(threshold, self.thresholds):
            check_scale_of_curve(np.asarray(threshold), with_weight(self._samples).scores)
        return matrix_at(self, threshold)

    def roc(self, *, include_origin: bool = False) -> RocCurve:
        """fp / (fp + tn) and tp / (tp + fn) at every threshold.

        Parameters
        ----------
        include_origin : bool, default=False
            Whether to start with the point (0, 0) at threshold inf, where nothing is predicted
            positive.

        Returns
        -------
        RocCurve
            Named tuple of fpr, tpr and thresholds. Without negatives fpr is nan, without positives
            tpr, with an UndefinedMetricWarning.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
        >>> fpr, tpr, thresholds = curve.roc()
        >>> fpr, tpr
        (array([0. , 0.5, 0.5, 1. ]), array([0.5, 0.5, 1. , 1. ]))
        """
        return areas.roc_points(self.counts, self.thresholds, include_origin)

    def precision_recall(self) -> PrecisionRecallCurve:
        """tp / (tp + fp) and tp / (tp + fn) at every threshold.

        Returns
        -------
        PrecisionRecallCurve
            Named tuple of precision, recall and thresholds, as scikit-learn's in reverse, without
            the end point (1, 0). Undefined values are 0, with an UndefinedMetricWarning.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
        >>> precision, recall, thresholds = curve.precision_recall()
        >>> precision.round(3), recall
        (array([1.   , 0.5  , 0.667, 0.5  ]), array([0.5, 0.5, 1. , 1. ]))
        """
        return PrecisionRecallCurve(self.score("precision"), self.score("recall"), self.thresholds)

    def roc_auc(self, max_fpr: float | None = None) -> float:
        """Area under the ROC curve, or the standardised partial area up to a false positive rate.

        Parameters
        ----------
        max_fpr : float in (0, 1], default=None
            Partial area up to this rate, standardised to 0.5 for chance and 1 for a perfect model.
            None: the full area.

        Returns
        -------
        float
            In [0, 1]; nan without positives or negatives, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If the curve has given or quantile thresholds, or `max_fpr` is outside (0, 1].

        References
        ----------
        McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9.

        Examples
        --------
        >>> ThresholdCurve.from_scores([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2).roc_auc()
        0.75
        """
        return areas.checked_roc_area(self.counts, max_fpr, at_every_score=self.at_every_score)

    def roc_auc_bounds(self) -> tuple[float, float]:
        """Lower and upper bounds of the area under the ROC curve for any scores with these counts.

        Returns
        -------
        tuple of float
            (low, high); both equal the area if every score is a threshold. nan without positives or
            negatives, with an UndefinedMetricWarning.

        Examples
        --------
        >>> scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 0, 1, 1], scores, thresholds=[0.5, 0.25])
        >>> low, high = curve.roc_auc_bounds()
        >>> round(low, 4), high
        (0.8889, 1.0)
        """
        return areas.bounds_of_roc_area(
            self.counts, self.thresholds, at_every_score=self.at_every_score
        )

    def average_precision(self) -> float:
        """sum_t (recall_t - recall_{t-1}) precision_t over the decreasing thresholds.

        Returns
        -------
        float
            In [0, 1]; nan without positives, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If the curve has given or quantile thresholds.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> round(curve.average_precision(), 4)
        0.8333
        """
        return areas.checked_precision_area(self.counts, at_every_score=self.at_every_score)

    def interval(
        self,
        metric: str | Callable[..., Any],
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        method: str = "auto",
        confidence_level: float = 0.95,
        n_resamples: int = 9_999,
        random_state: RandomState = 0,
        **parameters: Any,
    ) -> Interval:
        """The area under the curve, a rate where another has a given value, or a metric at each
        given threshold, with its confidence interval.

        Parameters
        ----------
        metric : str or function
            "roc_auc" or "average_precision"; with `subject_to` "recall" and a bound on specificity,
            or "specificity" or "precision" and one on recall. Of a curve with given thresholds also
            any metric, as in `score`.
        subject_to : dict of metric to bound, default=None
            The bound, such as `{"specificity": 0.9}`, above 0 and below 1.
        method : str, default="auto"
            "auto", or for "roc_auc" as published "delong", "delong-logit" (of the logit of the
            area) or "bootstrap" (of the samples of each class). "auto" takes "delong-logit", for
            few samples the wider limits of it and of Newcombe's method 5.
        confidence_level : float, default=0.95
            At least 0.5 and below 1.
        n_resamples : int, default=9_999
            Number of bootstrap replicates; at least 100.
        random_state : int, numpy Generator or RandomState, default=0
            The same int gives the same interval; None: another at each call.
        **parameters
            Parameters of the metric, such as `beta`.

        Returns
        -------
        Interval
            At given thresholds an entry each. With `subject_to`, the value is that at the lowest threshold with this specificity, or
            the highest with this recall; the interval includes the uncertainty of the threshold.

        Raises
        ------
        ValueError
            As `roc_auc` and `average_precision`; for other metrics, bounds or options; if the curve
            lacks a class that is needed. With `subject_to` also if it has given thresholds, weights
            or clusters.

        Warns
        -----
        UserWarning
            If `method` is not "auto" and n min(area, 1 - area) is below 5, or a class has too few
            or too unequal clusters.

        Notes
        -----
        docs/theory/intervals.md has the method of each case.

        References
        ----------
        DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837; Obuchowski (1997), Biometrics
        53:567; Sun & Xu (2014), IEEE Signal Processing Letters 21:1389; Newcombe (2006), Statistics
        in Medicine 25:559; Boyd, Eng & Page (2013), ECML PKDD, LNCS 8190:451; Fay, Proschan &
        Brittain (2015), Biometrics 71:146; Linnet (1987), Statistics in Medicine 6:147.

        Examples
        --------
        >>> curve = ThresholdCurve.from_scores([0, 1] * 50, [k % 7 + k % 2 for k in range(100)])
        >>> curve.interval("roc_auc")
        roc_auc of 1 0.6346 [0.5195, 0.7362] 95 %, the wider of Newcombe's method 5 and logit DeLong, n = 100
        >>> curve.interval("recall", subject_to={"specificity": 0.8})
        recall at specificity 0.8 of 1 0.2800 [0.0655, 0.5301] 95 %, melded, n = 100
        """  # noqa: E501
        if subject_to is None and areas.is_of_thresholds(self, metric):
            return matrices_at(self, self.thresholds).interval(
                metric,
                method=method,
                confidence_level=confidence_level,
                n_resamples=n_resamples,
                random_state=random_state,
                **parameters,
            )
        if parameters:
            raise TypeError(f"{next(iter(parameters))}= is no option of an interval of {metric}.")
        seed = seed_of(random_state)
        origin = origin_of(self._design.name, n_resamples, seed.entropy)
        if subject_to is None:
            asked = areas.Asked(method, confidence_level, n_resamples, seed)
            found = areas.area_interval(self, metric, asked)
            return told(replace(found, _origin=origin))
        areas.refuse_operating_point(metric, subject_to)
        fitting = methods_for("area", "independent", ["operating point"])
        check_choice(method, "method", ("auto", *fitting))
        alpha = areas.alpha_of(confidence_level)
        point = point_of_curve(self, metric, subject_to, n_resamples, random_of(seed))
        low, high = map(float, limits_of(point, alpha))
        interval = Interval(
            value=point.value,
            low=low,
            high=high,
            confidence_level=confidence_level,
            method=shown(fitting[0]),
            metric=point.name,
            label=self.pos_label,
            n=int(sum(part[0] for part in self.counts)),
            caveats=tuple(areas.caveats_of_pooled_folds(self)),
            _origin=origin,
        )
        return told(interval)

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per threshold: "threshold", "tp", "fp", "fn" and "tn".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The frame's library. None: pandas if installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        return frame({"threshold": self.thresholds, **self.counts._asdict()}, backend)

    def __add__(self, other: Any) -> Self:
        """The curve of the samples of both curves, which must have the same thresholds."""
        if not isinstance(other, ThresholdCurve):
            return NotImplemented
        return self._of(added_fields(self, other))

    def __radd__(self, other: Any) -> Self:
        """`sum(curves)` starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    # Hidden from type checkers, which should see no such attributes.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            # Python's protocols ask for names with underscores.
            hint = "" if name.startswith("_") else did_you_mean(name, dir(type(self)))
            message = f"{type(self).__name__!r} object has no attribute {name!r}.{hint}"
            raise AttributeError(message, name=name, obj=self)

    def _repr_html_(self) -> str:
        return curve_as_html(repr(self), self.thresholds, self.counts)

    def __repr__(self) -> str:
        tp, fp, fn, tn = (part[0].item() for part in self.counts)
        n_thresholds = len(self.thresholds)
        return (
            f"ThresholdCurve of {count_as_text(tp + fp + fn + tn)} samples, "
            f"{count_as_text(tp + fn)} positive ({self.pos_label!r}), {n_thresholds} "
            f"threshold{'s' * (n_thresholds > 1)} from {self.thresholds.max():.3g} to "
            f"{self.thresholds.min():.3g}"
        )
