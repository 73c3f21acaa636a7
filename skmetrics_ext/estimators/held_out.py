"""What classifiers share whose labels follow a rule chosen on samples held out from their model."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedShuffleSplit, check_cv, cross_validate
from sklearn.utils import Tags, get_tags
from sklearn.utils import metadata_routing as routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from skmetrics_ext.adapter.estimator import OF_DETECTORS, classes_for, read_classes
from skmetrics_ext.adapter.responses import predict_probabilities
from skmetrics_ext.adapter.routing import with_auto_requests
from skmetrics_ext.curves.best import beside_bounds
from skmetrics_ext.curves.inputs import read_labels_of_curve
from skmetrics_ext.curves.promised_threshold import KeptConstraint
from skmetrics_ext.estimators.targets import PairsInFiles, beside, check_input, read_target
from skmetrics_ext.reading.aliases import RandomState
from skmetrics_ext.reading.arguments import check_confidence_level, check_flag
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import read_weights
from skmetrics_ext.reading.order import position_of, positions_in, show, sorted_union
from skmetrics_ext.reading.pairs import are_not_all_0_or_1, check_frequencies, mean_of_present
from skmetrics_ext.scoring.splits import FoldScorer
from skmetrics_ext.writing.report_text import ReportText
from skmetrics_ext.writing.text import ShownTable, count_as_text

# Estimator, X and labels -> scores (n_samples,) or (n_samples, n_classes).
ScoresOf = Callable[[Any, Any, Column], NDArray[Any]]

NO_CONFIDENCE = (
    "Bounds are met on these samples: on new ones each that is just met is violated about half of "
    "the time."
)
PASS_CONFIDENCE = " Pass confidence_level= for bounds that hold there, too."
OF_THIS_MODEL = (
    "bounds hold on new data: exact for this model where rates are monotone, else simulated."
)

# The table of refits on the page about promises.
BROKEN_BY_REFITS = "in simulations 6 to 34 % were violated where 10 % are allowed"
REFITTED = (
    "bounds hold on new data, but only about: the final model was fitted again and produced none "
    f"of these scores ({BROKEN_BY_REFITS}; refit=False keeps the model)."
)
WARNING_OF_REFIT = (
    "with refit=True bounds hold on new data only about as often as confidence_level says, since "
    f"the final model is fitted to all samples and has scores of its own: {BROKEN_BY_REFITS}. "
    "cv=0.4, refit=False holds out 40 % of the samples, and keeps the model whose scores chose the "
    "threshold."
)
NOT_COVERED = "Not covered: repeated or dependent samples, and data that change with time."

# Rule, metric, value, value without bounds, and bounds: a tuple, so that pickles name no private
# class.
Chosen = tuple[str, str, float, float | None, list[str]]


class HeldOut(NamedTuple):
    """Samples unseen by their models: codes, scores, weights, and models if they are kept."""

    codes: NDArray[Any]
    scores: NDArray[Any]
    weights: NDArray[Any] | None
    models: list[Any]
    are_frequencies: bool = False

    @property
    def weight_of_one(self) -> float:
        """The mean weight of a sample."""
        return 1.0 if self.are_frequencies else mean_of_present(self.weights)

    @property
    def size(self) -> str:
        """Their number or weight, for texts."""
        return count_as_text(len(self.codes) if self.weights is None else self.weights.sum().item())


def scores_of_fold(
    estimator: object, X: object, y: Any, _: None, scores_of: ScoresOf
) -> tuple[NDArray[Any], int]:
    """The scores of the samples of a fold."""
    scores = scores_of(estimator, X, read_labels_of_curve(y, "y"))
    return scores, len(scores)


def _estimator_has(name: str) -> Callable[[Any], bool]:
    """Whether the model has a method, fitted or not."""
    return lambda self: hasattr(getattr(self, "estimator_", self.estimator), name)


class HeldOutClassifier(PairsInFiles, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """A classifier around another one, with a rule chosen on held-out samples."""

    estimator: Any
    cv: Any
    confidence_level: float | None
    refit: bool
    random_state: RandomState
    n_jobs: int | None
    constraints_: list[KeptConstraint]
    best_threshold_: float | None
    _chosen: Chosen
    # Of the fit: a later set_params does not change them.
    _chosen_with: tuple[float | None, bool]

    # Named in fit, weights of 0 would have to give the folds of omitted samples.
    __metadata_request__fit = {"sample_weight": None, "frequency_weights": routing.UNUSED}  # noqa: RUF012

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, in the order of the columns of `predict_proba`."""
        return np.asarray(getattr(self.estimator_, "classes_", OF_DETECTORS))

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]  # no types there
    def predict_proba(self, X: object) -> NDArray[Any]:
        """Probabilities of the estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        return self._ask("predict_proba", X)

    @available_if(_estimator_has("predict_log_proba"))  # type: ignore[untyped-decorator]  # no types there
    def predict_log_proba(self, X: object) -> NDArray[Any]:
        """Logarithms of the probabilities of the estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        return self._ask("predict_log_proba", X)

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]  # no types there
    def decision_function(self, X: object) -> NDArray[Any]:
        """Decision values of the estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            1-D for two classes: larger where the second of `classes_` is more likely.
        """
        return self._ask("decision_function", X)

    def summary(self) -> str:
        """What was chosen on held-out samples, what bounds cost there, and what they rest on.

        `repr` shows it after `fit`, and notebooks as a table.

        Returns
        -------
        str
            The text.

        Raises
        ------
        NotFittedError
            Before `fit`.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from skmetrics_ext import ConstrainedThresholdClassifier
        >>> X, y = [[0], [1], [2], [3], [1], [2], [3], [4]], [0, 0, 0, 0, 1, 1, 1, 1]
        >>> model = ConstrainedThresholdClassifier(
        ...     LogisticRegression(), "precision", subject_to={"recall": 1}, cv=2
        ... )
        >>> for line in model.fit(X, y).summary().splitlines()[1:6]:
        ...     print(line)
                                   value  limit
        precision                 0.5714
        precision without bounds  1.0000
        given up                  0.4286
        recall >= 1               1.0000
        """
        return self._summary()

    def _summary(self) -> ReportText:
        """The summary with its HTML."""
        check_is_fitted(self, "estimator_")
        level, refitted = self._chosen_with
        by_threshold = getattr(self, "best_weights_", None) is None
        return summary_of(
            self._chosen, self.constraints_, level, refitted=refitted, by_threshold=by_threshold
        )

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        text: str = super().__repr__(N_CHAR_MAX)
        return f"{text}\n{self.summary()}" if hasattr(self, "estimator_") else text

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """What notebooks show: the diagram of scikit-learn, and after `fit` the summary."""
        shown: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in shown and hasattr(self, "estimator_"):
            shown["text/html"] += self._summary()._repr_html_()
        return shown

    def get_metadata_routing(self) -> routing.MetadataRouter:
        """Metadata that `fit` passes on: everything the estimator's `fit` and the splitter request.

        Returns
        -------
        routing.MetadataRouter
            The routing as a scikit-learn MetadataRouter.
        """
        own = with_auto_requests(super().get_metadata_routing(), "fit", "score")
        router = routing.MetadataRouter(owner=type(self).__name__).add_self_request(own)
        router.add(
            estimator=self.estimator,
            method_mapping=routing.MethodMapping().add(caller="fit", callee="fit"),
        )
        return router.add(
            splitter=self.cv,
            method_mapping=routing.MethodMapping().add(caller="fit", callee="split"),
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
        return tags

    def _ask(self, method: str, X: Any) -> NDArray[Any]:
        """The response of the fitted estimator."""
        check_input(self, X)
        answer: NDArray[Any] = getattr(self.estimator_, method)(X)
        return answer

    def _probabilities(self, X: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """The sorted classes of the final model, and their probabilities."""
        check_input(self, X)
        labels = read_classes(self.estimator_).known
        assert labels is not None, "a classifier has classes"
        return labels, predict_probabilities(
            self.estimator_, X, Column(np.zeros(0, dtype=np.uint8), labels), labels
        )

    def _of_each_class(self, chosen: dict[Any, float], labels: NDArray[Any]) -> list[float]:
        """The weight or threshold that was chosen for each class of the final model."""
        of_places = {position_of(labels, label): value for label, value in chosen.items()}
        if not of_places.keys() >= {*range(len(labels))}:
            raise ValueError(
                f"the model has the classes {show(labels)}, but fit chose for {list(chosen)}: it "
                "was fitted again since, so fit this classifier again, too."
            )
        return [of_places[place] for place in range(len(labels))]

    def _check_calibration(self) -> None:
        """Reject options that do not fit before any model is fitted."""
        check_flag(self.refit, "refit")
        if self.confidence_level is not None:
            check_confidence_level(self.confidence_level)

    @property
    def _is_fitted_before(self) -> bool:
        """Whether the estimator is used as it is."""
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _target(self, X: Any, y: Any) -> Column:
        """The target, with all classes of a prefit estimator, maybe more than in the data."""
        validate_data(self, X, y, skip_check_array=True)
        target = read_target(y)
        known = classes_for(self.estimator, target).known
        if known is None or not self._is_fitted_before:
            return target
        labels = sorted_union(target.labels, known)
        return target._replace(
            codes=positions_in(labels, target.labels)[target.codes], labels=labels
        )

    def _weights(
        self, sample_weight: ArrayLike | None, frequency_weights: bool, target: Column
    ) -> NDArray[Any] | None:
        """The weights of the counts: for a guarantee, numbers of samples."""
        if sample_weight is None or not self._counts_weights():
            return None
        weights = read_weights(sample_weight, target.n_samples, target.index, "y")
        check_frequencies(frequency_weights, weights)
        if (
            self.confidence_level is not None
            and are_not_all_0_or_1(weights)
            and not frequency_weights
        ):
            raise ValueError(
                "sample_weight does not give the number of samples, which confidence_level needs: "
                "pass frequency_weights=True if each weight is the number of times a sample "
                "occurs, omit confidence_level, or, with metadata routing, route the weights only "
                "to the inner estimator with set_fit_request(sample_weight=False)."
            )
        return weights

    def _counts_weights(self) -> bool:
        """Whether weights also weight the counts, and not only the fit of the estimator."""
        if not sklearn.get_config()["enable_metadata_routing"]:
            return True
        own = routing.MetadataRouter(owner=type(self).__name__).add_self_request(self)
        try:
            own.validate_metadata(method="fit", params={"sample_weight": None})
        except TypeError:
            return False
        return True

    def _held_out(
        self,
        X: Any,
        target: Column,
        scores_of: ScoresOf,
        frequency_weights: bool,
        fit_params: dict[str, Any],
    ) -> HeldOut:
        """The samples for choosing the rule, and the model behind their scores if it is kept."""
        if self.confidence_level is not None and fit_params.get("groups") is not None:
            raise ValueError(
                "groups= says that samples depend on each other, but confidence_level counts each "
                "as an independent one: pass one sample of each group, or omit confidence_level "
                "and look at the bounds on samples of other groups, "
                "check(ConfusionMatrix.from_predictions(..., clusters=groups), bounds)."
            )
        if self.confidence_level is not None and self.refit and not self._is_fitted_before:
            warn(WARNING_OF_REFIT)
        weights = self._weights(fit_params.get("sample_weight"), frequency_weights, target)
        if sklearn.get_config()["enable_metadata_routing"]:
            routing.process_routing(self, "fit", **fit_params)
        if self._is_fitted_before:
            if needless := sorted(fit_params.keys() - {"sample_weight"}):
                raise ValueError(
                    f"cv='prefit' fits and splits nothing, but fit got {needless}: omit these."
                )
            scores = scores_of(self.estimator, X, target)
            return HeldOut(target.codes, scores, weights, [self.estimator], frequency_weights)
        y = beside(X, target.labels[target.codes])
        splitter = _read_splitter(self.cv, y, self.random_state)
        if (
            not self.refit
            and (n_splits := splitter.get_n_splits(X, y, fit_params.get("groups"))) != 1
        ):
            raise ValueError(
                f"refit=False keeps the model whose scores chose the threshold, but cv={self.cv!r} "
                f"has {n_splits} splits, each with its own model: pass a float, the fraction to "
                "hold out, or a cv with a single split."
            )
        scorer = FoldScorer(scores_of_fold, scores_of)
        # Sample weights are applied later, to the pooled folds.
        scorer._request_metadata({"sample_weight": False})
        groups = None
        if sklearn.get_config()["enable_metadata_routing"]:
            taken = routing.get_routing_for_object(self.estimator).consumes("fit", fit_params)
            taken |= routing.get_routing_for_object(splitter).consumes("split", fit_params)
            fit_params = {name: value for name, value in fit_params.items() if name in taken}
        else:
            groups = fit_params.get("groups")
            fit_params = {name: value for name, value in fit_params.items() if name != "groups"}
        options = {"cv": splitter, "groups": groups, "params": fit_params, "n_jobs": self.n_jobs}
        options |= {"scoring": scorer, "return_estimator": not self.refit, "return_indices": True}
        results = cross_validate(self.estimator, X, y, error_score="raise", **options)
        places = np.concatenate(results["indices"]["test"])
        if self.confidence_level is not None and len(np.unique(places)) < len(places):
            raise ValueError(
                f"cv={self.cv!r} holds samples out more than once, but confidence_level treats "
                "each as an independent observation: pass a cv that holds each sample out once, or "
                "omit confidence_level."
            )
        scores = np.concatenate([fold.value for fold in results["test_score"]])
        of_places = None if weights is None else weights[places]
        models = results.get("estimator", [])
        return HeldOut(target.codes[places], scores, of_places, models, frequency_weights)

    def _final_model(
        self, held_out: HeldOut, X: Any, target: Column, fit_params: dict[str, Any]
    ) -> Any:
        """The model that is kept, or a clone fitted to all data; notes which for the summary."""
        self._chosen_with = (self.confidence_level, not held_out.models)
        if held_out.models:
            return held_out.models[0]
        if sklearn.get_config()["enable_metadata_routing"]:
            fit_params = routing.process_routing(self, "fit", **fit_params).estimator.fit
        else:
            fit_params = {name: value for name, value in fit_params.items() if name != "groups"}
        return clone(self.estimator).fit(X, beside(X, target.labels[target.codes]), **fit_params)


def _read_splitter(cv: Any, y: NDArray[Any], random_state: Any) -> Any:
    """The splitter of the samples: holds out a fraction once, or several folds in turn."""
    if not isinstance(cv, (float, np.floating)):
        return check_cv(cv, y, classifier=True)
    if not 0 < cv < 1:
        raise ValueError(
            f"cv={cv} is the fraction of samples to hold out: pass a number between 0 and 1."
        )
    return StratifiedShuffleSplit(n_splits=1, test_size=float(cv), random_state=random_state)


def summary_of(
    chosen: Chosen,
    constraints: list[KeptConstraint],
    level: float | None,
    *,
    refitted: bool,
    by_threshold: bool,
) -> ReportText:
    """The summary of a threshold, or of weights if there are more than two classes."""
    text, name, value, unbounded, bounds = chosen
    rows = [[name, f"{value:.4f}", ""]]
    if unbounded is not None:
        # Both may be infinite.
        given_up = 0.0 if unbounded == value else abs(unbounded - value)
        rows += [
            [f"{name} without bounds", f"{unbounded:.4f}", ""],
            ["given up", beside_bounds(given_up, [0.0], 4, "f"), ""],
        ]
    for bound, kept in zip(bounds, constraints, strict=True):
        bounds_of_value = np.ravel(np.array(kept.required)).tolist()
        limits = np.array([] if kept.limit is None else kept.limit, dtype=float).ravel().tolist()
        shown = [beside_bounds(of, bounds_of_value, 4, "f") for of in (kept.value, *limits)]
        rows.append([bound, shown[0], " to ".join(shown[1:])])
    table = ShownTable(text, ["", "value", "limit"], rows, [True, False, False])
    rests_on = []
    if constraints and level is None:
        rests_on = [NO_CONFIDENCE + (PASS_CONFIDENCE if by_threshold else "")]
    elif constraints:
        rests_on = [
            f"With {level:.10g} confidence {REFITTED if refitted else OF_THIS_MODEL}",
            NOT_COVERED,
        ]
    text_of_all = ReportText("\n".join([table.as_text(), *rests_on]))
    text_of_all.table = table.as_html() + "".join(f"<p>{escape(line)}</p>" for line in rests_on)
    return text_of_all
