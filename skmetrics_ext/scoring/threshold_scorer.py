"""Scorers that choose the threshold themselves: the best value of a metric over all thresholds of a
model's scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.catalogue.choice import read_parameters, sign_of
from skmetrics_ext.catalogue.names import resolve_scorer
from skmetrics_ext.curves.best import Bound, read_constraints
from skmetrics_ext.curves.from_scores import curve_of_class
from skmetrics_ext.reading.aliases import Label, TargetLike
from skmetrics_ext.reading.labels import read_column
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.numbers import costs_of_all
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.scoring.base import BaseScorer, as_call, own_options


class ThresholdScorer(BaseScorer):
    """Scorer returned by `get_scorer(metric, threshold="best")`, with the remaining parameters."""

    def __init__(
        self,
        metric: str | Callable[..., Any],
        *,
        subject_to: Mapping[Any, Bound] | None = None,
        pos_label: Label | None = None,
        **parameters: Any,
    ) -> None:
        row, average = resolve_scorer(metric)
        name = row.scorer_name
        if average is not None:
            raise ValueError(
                f"{metric!r} specifies an average, but a curve is for one class: pass {name!r}."
            )
        if row.better == "neither":
            raise ValueError(
                f"neither higher nor lower values of {row.name} are better, so none is best: "
                "bound it."
            )
        costs_of_all(read_parameters(row, parameters).get("cost_matrix"))
        read_constraints(subject_to, lambda _: np.empty(0))
        asked = row.formula if row.is_own else name
        options = own_options({"subject_to": subject_to, "pos_label": pos_label, **parameters})
        super().__init__(f"best_{name}", (asked,), options)
        self._instead = as_call("get_scorer", asked, pos_label=pos_label, **parameters)
        self._row, self._options = row, {**options}
        self._pos_label = self._options.pop("pos_label")

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """The best value at any threshold of the estimator's scores for X."""
        with warn_once(self._said):
            true = read_column(y_true, "y_true", " One class is scored here.")
            scores, positive, known = predict_scores(estimator, X, true, self._pos_label)
            curve = curve_of_class(true, scores, known, positive, weights=Weights(sample_weight))
            return sign_of(self._row) * curve.best(self._row, **self._options).value

    def __repr__(self) -> str:
        arguments, options = self._made_of
        return as_call("get_scorer", *arguments, threshold="best", **options)
