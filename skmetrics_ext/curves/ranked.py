"""What a curve tells of the order of its samples: points, areas under them, and how sure these are."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Ties
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.areas import bounds_of_roc_area, checked_precision_area, checked_roc_area
from skmetrics_ext.curves.from_data import Entries
from skmetrics_ext.curves.points import RocCurve, roc_points
from skmetrics_ext.curves.sureness import average_precision_interval, roc_area_interval
from skmetrics_ext.uncertainty.interval import Interval


class RankedCurve:
    """What a ThresholdCurve is apart from the metrics at its thresholds."""

    thresholds: NDArray[Any]
    pos_label: Any
    counts: ClassCounts
    ties: Ties
    _samples: Samples
    at_every_score: bool
    _entries: Entries
    _are_quantiles: bool

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
        >>> from skmetrics_ext import threshold_curve
        >>> curve = threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
        >>> fpr, tpr, thresholds = curve.roc()
        >>> fpr, tpr
        (array([0. , 0.5, 0.5, 1. ]), array([0.5, 0.5, 1. , 1. ]))
        """
        return roc_points(self.counts, self.thresholds, include_origin)

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
        >>> from skmetrics_ext import threshold_curve
        >>> threshold_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2).roc_auc()
        0.75
        """
        return checked_roc_area(self.counts, max_fpr, at_every_score=self.at_every_score)

    def roc_auc_bounds(self) -> tuple[float, float]:
        """The least and the largest area under the ROC curve of scores that have these counts.

        Returns
        -------
        tuple of float
            (low, high): the area of the scores lies between them, for certain, whatever their order
            between two thresholds. Of a curve at every score both are the area. nan without
            positives or negatives, with an UndefinedMetricWarning.

        Examples
        --------
        >>> from skmetrics_ext import threshold_curve
        >>> scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
        >>> low, high = threshold_curve([0, 0, 1, 0, 1, 1], scores, thresholds=[0.5, 0.25]).roc_auc_bounds()
        >>> round(low, 4), high
        (0.8889, 1.0)
        """
        return bounds_of_roc_area(self.counts, self.thresholds, at_every_score=self.at_every_score)

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
        >>> from skmetrics_ext import threshold_curve
        >>> round(threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).average_precision(), 4)
        0.8333
        """
        return checked_precision_area(self.counts, at_every_score=self.at_every_score)

    def roc_auc_interval(
        self, method: Literal["auto", "delong-logit", "delong"] = "auto", *, confidence_level: float = 0.95
    ) -> Interval:
        """The area under the ROC curve between the limits of its confidence interval.

        It covers the area of these scores' model on new samples of the same kind, not that of models
        fitted to new training data.

        Parameters
        ----------
        method : {"auto", "delong-logit", "delong"}, default="auto"
            "delong-logit" has normal limits of the logit of the area by DeLong's variance, "delong" those
            of the area itself. "auto" is "delong-logit" from 100 samples of the rarer class on. Of fewer,
            or where n min(area, 1 - area) of n samples of the rarer class is below 5, it has at each end the
            wider limit of two: that of Newcombe's method 5, which solves
            (area - t)^2 = z^2 t (1 - t) (1 + N (1 - t) / (2 - t) + N t / (1 + t)) / (n1 n0) for t, with
            N = (n1 + n0) / 2 - 1, and that of "delong-logit" with the quantile of Student's t of n - 1
            degrees of freedom.
        confidence_level : float, default=0.95
            Above 0 and below 1.

        Returns
        -------
        Interval
            An area of 0 or 1 has Newcombe's limits; [1, 1] would promise what no sample tells. Where a
            class has a single sample, or all scores are the same, they are Wilson's of a share of the
            rarer class. Weights are those of a sampling design: samples of unequal weight tell less than
            as many of equal weight.

        Raises
        ------
        ValueError
            As `roc_auc`; without positive or negative samples; if an option is out of range.

        Warns
        -----
        UserWarning
            If `method` is not "auto" and n min(area, 1 - area) is below 5.

        References
        ----------
        DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837; Sun & Xu (2014), IEEE Signal
        Processing Letters 21:1389; Newcombe (2006), Statistics in Medicine 25:559.

        Examples
        --------
        >>> from skmetrics_ext import threshold_curve
        >>> curve = threshold_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        >>> curve.roc_auc_interval()
        roc_auc of 1 0.8889 [0.0084, 0.9999] 95 %, Newcombe 5 or logit DeLong, the wider, n = 6
        """
        area = self.roc_auc()
        return roc_area_interval(area, self._samples, self.pos_label, method, confidence_level, self._entries)

    def average_precision_interval(self, *, confidence_level: float = 0.95) -> Interval:
        """Average precision between the limits of its confidence interval, logit(AP) +- t SE / (AP (1 - AP)).

        It covers the average precision of these scores' model on new samples of the same kind, as
        `roc_auc_interval` does.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Above 0 and below 1.

        Returns
        -------
        Interval
            t SE is the larger one of two: with sqrt(AP (1 - AP) / n) of n positive samples as the standard
            error and n - 1 degrees of freedom of t, and with that of the delta method and one less than
            the samples of the rarer class. A value of 0 or 1, or of a single positive sample, has Wilson's
            limits of a share of n.

        Raises
        ------
        ValueError
            As `average_precision`; without positive samples; if the option is out of range.

        References
        ----------
        Boyd, Eng & Page (2013), ECML PKDD, LNCS 8190:451.

        Examples
        --------
        >>> from skmetrics_ext import threshold_curve
        >>> curve = threshold_curve([0, 1] * 50, [k % 7 + k % 2 for k in range(100)])
        >>> curve.average_precision_interval()
        average_precision of 1 0.6394 [0.4952, 0.7622] 95 %, logit, n = 100
        """
        area = self.average_precision()
        return average_precision_interval(area, self._samples, self.pos_label, confidence_level, self._entries)
