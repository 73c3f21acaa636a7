"""Scorers that choose the threshold themselves: the best value of a metric over all thresholds of a model's scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.catalogue.choice import read_parameters
from skmetrics_ext.catalogue.names import resolve_scorer
from skmetrics_ext.curves.best import Bound, read_constraints
from skmetrics_ext.curves.from_scores import curve_of_class
from skmetrics_ext.reading.aliases import Label, TargetLike
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from skmetrics_ext.reading.messages import said_once
from skmetrics_ext.reading.numbers import costs_of_all
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.scoring.base import BaseScorer, as_call, own_options


def make_threshold_scorer(
    metric: str | Callable[..., Any],
    *,
    subject_to: Mapping[Any, Bound] | None = None,
    pos_label: Label | None = None,
    **parameters: Any,
) -> ThresholdScorer:
    """A scorer whose value is the best of a metric over all thresholds, such as precision where recall is 0.9.

    It compares models by what they could do at their best threshold. The threshold is chosen
    on the fold that is scored, so the value is optimistic: of scores that know nothing the best
    informedness is about 0.6 sqrt(1 / n_positive + 1 / n_negative) instead of 0, which is 0.11
    with 50 samples of each class and 0.04 with 500. To choose the threshold that a model will
    use, and for an honest value, put scikit-learn's TunedThresholdClassifierCV around the model.

    Parameters
    ----------
    metric : str or function
        A name, an alias or a metric function of this package, or one of your own as in
        `ConfusionMatrix.score`. Where lower is better, a name starts with "neg_" and the value is
        negated.
    subject_to : dict of metric to bound, default=None
        Bounds as in `ThresholdCurve.best`, of unsigned values: `{"recall": 0.9}`,
        `{"false_positive_rate": 0.1}`, `{"predicted_positive_rate": (0, 0.1)}`.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        other labels need it.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    ThresholdScorer
        `scorer(estimator, X, y)` -> float, higher is better. It reads predict_proba, else
        decision_function, else the scores that predict gives. Where no threshold satisfies the
        bounds it raises the ValueError of `ThresholdCurve.best`, which a search turns into its
        `error_score`.

    Raises
    ------
    ValueError, TypeError
        If the metric, a bound or a parameter does not fit.

    See Also
    --------
    sklearn.model_selection.TunedThresholdClassifierCV : chooses the threshold by
        cross-validation on the training data.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import make_threshold_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> scorer = make_threshold_scorer("precision", subject_to={"recall": 0.95})
    >>> cross_val_score(GaussianNB(), X, y, scoring=scorer).round(3)
    array([0.919, 0.958, 0.986, 0.958, 0.959])
    """
    return ThresholdScorer(metric, subject_to=subject_to, pos_label=pos_label, **parameters)


class ThresholdScorer(BaseScorer):
    """What `make_threshold_scorer` makes, of the same parameters."""

    def __init__(
        self,
        metric: str | Callable[..., Any],
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        pos_label: Label | None = None,
        **parameters: Any,
    ) -> None:
        row, average = resolve_scorer(metric)
        if average is not None:
            raise ValueError(
                f"{metric!r} has an average, but a curve is of one class: pass {row.scorer_prefix + row.name!r}."
            )
        if row.better == "neither":
            raise ValueError(
                f"neither high nor low values of {row.name} are better, so none is best: bound it instead."
            )
        costs_of_all(read_parameters(row, parameters).get("cost_matrix"))
        read_constraints(subject_to, lambda _: np.empty(0))
        asked = row.formula if row.is_own else row.scorer_prefix + row.name
        options = own_options({"subject_to": subject_to, "pos_label": pos_label, **parameters})
        super().__init__(f"best_{row.scorer_prefix}{row.name}", (asked,), options)
        self._instead = as_call("get_scorer", asked, pos_label=pos_label, **parameters)
        self._row, self._options = row, {**options}
        self._pos_label = self._options.pop("pos_label")

    def __call__(
        self, estimator: object, X: object, y_true: TargetLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """The best value at any threshold of the estimator's scores for X."""
        with said_once(self._said):
            return self._best_value(estimator, X, read_labels(y_true, "y_true"), sample_weight)

    def _best_value(self, estimator: Any, X: Any, true: Column | Indicator, sample_weight: ArrayLike | None) -> float:
        """The best value at any threshold of the scores."""
        if not isinstance(true, Column):
            raise ValueError(
                f"y_true has shape {true.values.shape}, but one class is scored here: pass one label a sample."
            )
        scores, positive, known = predict_scores(estimator, X, true, self._pos_label)
        curve = curve_of_class(true, scores, known, positive, weights=Weights(sample_weight))
        value = curve.best(self._row, **self._options).value
        return -value if self._row.better == "lower" else value

    def __repr__(self) -> str:
        arguments, options = self._made_of
        return as_call("make_threshold_scorer", *arguments, **options)
