"""ThresholdCurve: the counts of one class at every threshold of its scores, and all metrics and areas of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.rule import Ties, in_precision_of
from skmetrics_ext.catalogue.choice import Choice, read_parameters
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts, two_by_two
from skmetrics_ext.counting.ranking import Samples, counts_at
from skmetrics_ext.curves.areas import checked_precision_area, checked_roc_area
from skmetrics_ext.curves.best import BestThreshold, best_threshold
from skmetrics_ext.curves.constraints import Bound, choose_of_curve, read_constraints, row_of_one_class
from skmetrics_ext.curves.costs import mean_of_own_costs, read_own_costs
from skmetrics_ext.curves.points import PrecisionRecallCurve, RocCurve, roc_points
from skmetrics_ext.curves.sureness import average_precision_interval, roc_area_interval
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.arguments import check_number
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.words import count_as_text


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurve:
    """tp, fp, fn and tn of one class at every threshold of its scores; make one with `threshold_curve`.

    It is frozen, and every metric of the catalogue is one `score` away, for all thresholds at
    once, whatever becomes of the arrays that it was made of.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        The distinct scores from the highest to the lowest, or the given thresholds in their order.
    counts : ClassCounts
        tp, fp, fn and tn, each an ndarray of shape (n_thresholds,); int64, or float64 with
        float weights.
    labels : ndarray of shape (2,)
        Both labels, in the order of the data; "not ash" and "ash" where the negatives of the class
        "ash" are several classes or of an unknown one.
    pos_label : int, float, bool or str
        The positive one of them.
    ties : {"positive", "negative"}
        Whether a score equal to the threshold is predicted positive.

    Examples
    --------
    >>> curve = threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
    >>> curve
    ThresholdCurve of 4 samples, 2 positive (2), 4 thresholds from 0.8 to 0.1
    >>> curve.score("recall")
    array([0.5, 0.5, 1. , 1. ])
    >>> curve.best("f1").threshold
    0.35
    """

    thresholds: NDArray[Any]
    counts: ClassCounts
    labels: NDArray[Any]
    pos_label: Any
    ties: Ties
    _samples: Samples
    at_every_score: bool

    def __post_init__(self) -> None:
        scores, positive, weights = self._samples
        frozen = {
            "thresholds": locked(self.thresholds),
            "counts": ClassCounts(*map(locked, self.counts)),
            "labels": locked(self.labels),
            "_samples": Samples(locked(scores), locked(positive), None if weights is None else locked(weights)),
        }
        for name, value in frozen.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Counts and samples as plain tuples: a pickle names public classes alone, since others may move.
        values = (getattr(self, field.name) for field in fields(self))
        return type(self), tuple(tuple(value) if isinstance(value, tuple) else value for value in values)

    def score(
        self, metric: str | Callable[..., Any], *, zero_division: ZeroDivision = "warn", **parameters: Any
    ) -> NDArray[np.float64]:
        """The value of a metric at every threshold.

        Parameters
        ----------
        metric : str or function
            A name ("specificity"), an alias ("tnr") or a metric function of this package.
            Metrics of class counts are those of the positive class; those over all classes
            (accuracy, matthews_corrcoef) are of the two classes of the curve.
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
            If there is no such metric, its name has an average, or a parameter does not fit it.

        Examples
        --------
        >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.score("fbeta", beta=2).round(3)
        array([0.556, 0.5  , 0.909, 0.833])
        """
        return self._values(choose_of_curve(metric, self.labels, zero_division=zero_division, **parameters))

    def best(
        self,
        metric: str | Callable[..., Any] | Metric,
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        **parameters: Any,
    ) -> BestThreshold:
        """The best value of a metric, by constraints on others if given, its threshold and the counts there.

        Parameters
        ----------
        metric : str or function
            As in `score`; the largest value is sought where higher is better, else the least.
        subject_to : dict of metric to bound, default=None
            A number is a lower bound where higher is better and an upper bound where lower is
            better: `{"recall": 0.9, "false_positive_rate": 0.1}`. A pair (low, high) bounds
            any metric from both sides: `{"predicted_positive_rate": (0, 0.1)}`.
        **parameters
            Parameters of the metric to be best.

        Returns
        -------
        BestThreshold
            Named tuple of value, threshold and counts (tp, fp, fn, tn). Of equally good
            thresholds the highest. Undefined values (0/0) neither win nor satisfy a bound.

        Raises
        ------
        ValueError
            If no threshold satisfies the constraints: the message has the best that each can
            reach. Also if neither higher nor lower values of the metric are better.

        Examples
        --------
        >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.best("precision", subject_to={"recall": 0.9})
        BestThreshold(value=0.6666666666666666, threshold=0.35, counts=ClassCounts(tp=2, fp=1, fn=0, tn=1))
        """
        row = row_of_one_class(metric)
        if row.better == "neither":
            raise ValueError(
                f"neither high nor low values of {row.name} are better, so none is best: choose another metric, such "
                f"as 'precision', and bound this one by subject_to={{{row.name!r}: (low, high)}}."
            )
        if bounds := [name for name in parameters if name in BY_NAME and name not in row.parameters]:
            raise TypeError(f"{bounds[0]!r} is a metric: bound it by subject_to={{{bounds[0]!r}: ...}}.")
        values = self._values(choose_of_curve(row, self.labels, **read_parameters(row, parameters)))
        constraints = read_constraints(subject_to, lambda bounded: self._values(choose_of_curve(bounded, self.labels)))
        return best_threshold(row, values, constraints, self.thresholds, self.counts)

    def expected_cost(self, cost_matrix: ArrayLike) -> NDArray[np.float64]:
        """The mean cost of a sample at every threshold.

        Parameters
        ----------
        cost_matrix : array-like of shape (2, 2) or (n_samples, 2, 2), data frame or dict
            Cost of each actual class (row) predicted as each class (column), in the order of
            `labels` or named, for all samples; or for each its own, in the order of `labels`.

        Returns
        -------
        ndarray of shape (n_thresholds,)
            Weighted by `sample_weight`.

        Raises
        ------
        ValueError
            If the shape is another, or a cost is NaN or infinite.

        References
        ----------
        Elkan (2001), The foundations of cost-sensitive learning, IJCAI, also for costs that
        differ from sample to sample.

        Examples
        --------
        >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.expected_cost([[0, 1], [10, 0]])
        array([2.5 , 2.75, 0.25, 0.5 ])
        >>> own = [[[0, 1], [10, 0]]] * 3 + [[[0, 1], [2, 0]]]
        >>> curve.expected_cost(own)
        array([2.5 , 2.75, 0.25, 0.5 ])
        """
        costs = read_own_costs(cost_matrix, len(self._samples.scores))
        if costs is None:
            return self.score("expected_cost", cost_matrix=cost_matrix)
        return mean_of_own_costs(self._samples, self._in_order(costs), self.thresholds, self.ties)

    def at(self, threshold: float) -> ConfusionMatrix:
        """The confusion matrix at any threshold, also between the scores or outside of them.

        Parameters
        ----------
        threshold : float
            Compared in the precision of the scores: 0.7 equals float32's 0.7.

        Returns
        -------
        ConfusionMatrix
            Of the labels and the positive class of the curve.

        Raises
        ------
        ValueError, TypeError
            If the threshold is NaN or no number.

        Examples
        --------
        >>> threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes").at(0.5)
        ConfusionMatrix of 4 samples (rows: actual, columns: predicted)
             no  yes
        no    2    0
        yes   1    1
        """
        check_number(threshold, "threshold")
        if threshold != threshold:
            raise ValueError("threshold is NaN, which no score reaches: pass a number.")
        one = in_precision_of(self._samples.scores, np.array([threshold]))
        counts = counts_at(self._samples, one, self.ties)
        return ConfusionMatrix(self._in_order(two_by_two(counts)[0]), self.labels, (), self.pos_label)

    def roc(self, *, include_origin: bool = False) -> RocCurve:
        """fp / (fp + tn) and tp / (tp + fn) at every threshold.

        Parameters
        ----------
        include_origin : bool, default=False
            Whether the point (0, 0) at threshold inf, nothing predicted positive, comes first.

        Returns
        -------
        RocCurve
            Named tuple of fpr, tpr and thresholds, all aligned with `thresholds`:
            scikit-learn's roc_curve(drop_intermediate=False), without its first point unless
            asked for. Without negatives fpr is nan, without positives tpr, with an
            UndefinedMetricWarning.

        Examples
        --------
        >>> curve = threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
        >>> fpr, tpr, thresholds = curve.roc()
        >>> fpr, tpr
        (array([0. , 0.5, 0.5, 1. ]), array([0.5, 0.5, 1. , 1. ]))
        """
        return roc_points(self.counts, self.thresholds, include_origin)

    def precision_recall(self) -> PrecisionRecallCurve:
        """tp / (tp + fp) and tp / (tp + fn) at every threshold.

        Returns
        -------
        PrecisionRecallCurve
            Named tuple of precision, recall and thresholds, all aligned with `thresholds`:
            scikit-learn's precision_recall_curve from its last threshold to its first, without
            the end point (1, 0) that has none. Undefined values are 0, with an
            UndefinedMetricWarning.

        Examples
        --------
        >>> curve = threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
        >>> precision, recall, thresholds = curve.precision_recall()
        >>> precision.round(3), recall
        (array([1.   , 0.5  , 0.667, 0.5  ]), array([0.5, 0.5, 1. , 1. ]))
        """
        return PrecisionRecallCurve(self.score("precision"), self.score("recall"), self.thresholds)

    def roc_auc(self, max_fpr: float | None = None) -> float:
        """Area under the ROC curve, all of it or standardised up to a false positive rate.

        Parameters
        ----------
        max_fpr : float in (0, 1], default=None
            The area up to this rate, scaled to 0.5 at chance and 1 at best. None: all of it.

        Returns
        -------
        float
            In [0, 1]: how often a positive sample has a higher score than a negative one, ties
            half. nan without positives or negatives, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If the curve is one of given or quantile thresholds, or `max_fpr` is outside (0, 1].

        References
        ----------
        McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9.

        Examples
        --------
        >>> threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2).roc_auc()
        0.75
        """
        return checked_roc_area(self.counts, max_fpr, at_every_score=self.at_every_score)

    def average_precision(self) -> float:
        """sum_t (recall_t - recall_{t-1}) precision_t over the decreasing thresholds.

        Returns
        -------
        float
            In [0, 1]; nan without positives, with an UndefinedMetricWarning.

        Raises
        ------
        ValueError
            If the curve is one of given or quantile thresholds.

        Examples
        --------
        >>> round(threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).average_precision(), 4)
        0.8333
        """
        return checked_precision_area(self.counts, at_every_score=self.at_every_score)

    def roc_auc_interval(
        self, method: Literal["delong-logit", "delong"] = "delong-logit", *, confidence_level: float = 0.95
    ) -> Interval:
        """The area under the ROC curve between the limits of its confidence interval, by DeLong's variance.

        It covers the area of these scores' model on new samples of the same kind, not that of models
        fitted to new training data.

        Parameters
        ----------
        method : {"delong-logit", "delong"}, default="delong-logit"
            Normal limits of the logit of the area, which stay within (0, 1), or of the area itself.
        confidence_level : float, default=0.95
            Above 0 and below 1.

        Returns
        -------
        Interval
            An area of 0 or 1 has Wilson's limits of a share of as many samples as the rarer class has;
            [1, 1] would promise what no sample tells. Weights are those of a sampling design: samples
            of unequal weight tell less than as many of equal weight.

        Raises
        ------
        ValueError
            As `roc_auc`; without positive or negative samples; if an option is out of range.

        References
        ----------
        DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837; Sun & Xu (2014), IEEE Signal
        Processing Letters 21:1389.

        Examples
        --------
        >>> curve = threshold_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        >>> curve.roc_auc_interval()
        0.8889 [0.2614, 0.9945] 95 %, DeLong on the logit
        """
        return roc_area_interval(self.roc_auc(), self._samples, method, confidence_level)

    def average_precision_interval(self, *, confidence_level: float = 0.95) -> Interval:
        """Average precision between the limits of its confidence interval, logit(AP) +- z / sqrt(n AP (1 - AP)).

        It covers the average precision of these scores' model on new samples of the same kind, as
        `roc_auc_interval` does.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Above 0 and below 1.

        Returns
        -------
        Interval
            n is the number of positive samples. A value of 0 or 1 has Wilson's limits of a share of n.

        Raises
        ------
        ValueError
            As `average_precision`; without positive samples; if the option is out of range.

        Warns
        -----
        UserWarning
            If there are fewer than 20 positive samples.

        References
        ----------
        Boyd, Eng & Page (2013), ECML PKDD, LNCS 8190:451.

        Examples
        --------
        >>> curve = threshold_curve([0, 1] * 50, [k % 7 + k % 2 for k in range(100)])
        >>> curve.average_precision_interval()
        0.6394 [0.4989, 0.7595] 95 %, logit
        """
        return average_precision_interval(self.average_precision(), self._samples, confidence_level)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row a threshold: "threshold", "tp", "fp", "fn" and "tn".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        return frame({"threshold": self.thresholds, **self.counts._asdict()}, backend)

    def _values(self, choice: Choice) -> NDArray[np.float64]:
        """What is asked of the counts at every threshold."""
        return np.asarray(score(CountedCurve(self.counts, self.labels, self.pos_label, self._position), choice))

    @property
    def _position(self) -> int:
        """Where the positive label stands."""
        return position_of(self.labels, self.pos_label) or 0

    def _in_order(self, tables: NDArray[Any]) -> NDArray[Any]:
        """Tables (..., 2, 2) of the negative and the positive class in the order of the labels, or back."""
        return tables if self._position else tables[..., ::-1, ::-1]

    def __repr__(self) -> str:
        tp, fp, fn, tn = (part[0].item() for part in self.counts)
        n_thresholds = len(self.thresholds)
        return (
            f"ThresholdCurve of {count_as_text(tp + fp + fn + tn)} samples, {count_as_text(tp + fn)} positive "
            f"({self.pos_label!r}), {n_thresholds} threshold{'s' * (n_thresholds > 1)} "
            f"from {self.thresholds.max():.3g} to {self.thresholds.min():.3g}"
        )


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """The array as a view that can't be written to."""
    view = array.view()
    view.setflags(write=False)
    return view
