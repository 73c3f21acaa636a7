"""make_eval_metric: metrics of predicted classes for libraries that score models in training."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from skmetrics_ext.adapter.columns import is_one_hot, read_scores, sum_to_one
from skmetrics_ext.adapter.positive import positive_of, second_of
from skmetrics_ext.adapter.responses import Prediction
from skmetrics_ext.adapter.rule import (
    Rule,
    check_one_label,
    codes_from_scores,
    decode_indicator,
    make_rule,
)
from skmetrics_ext.adapter.scale import is_one_number
from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.score import check_of_two, score
from skmetrics_ext.reading.aliases import Label, LabelsLike, ThresholdsLike, Ties
from skmetrics_ext.reading.arguments import check_choice, check_in_range
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.containers import as_array
from skmetrics_ext.reading.labels import (
    Column,
    Indicator,
    column_from_codes,
    named_classes,
    read_labels,
)
from skmetrics_ext.reading.messages import warn, warn_once
from skmetrics_ext.reading.order import show
from skmetrics_ext.scoring.base import as_call, check_rule
from skmetrics_ext.scoring.options import own_options
from skmetrics_ext.scoring.parts import count_prediction

Scores = Literal["probabilities", "margins", "labels"]

HOW_MANY = "The first evaluation tells how many classes there are, unless classes=[...] does."
# XGBoost maximizes metrics of these names, and minimizes all others.
MAXIMIZED_BY_XGBOOST = ("auc", "pre", "map", "ndcg")
# What transformers puts in place of a label that does not count.
NO_LABEL = -100


class EvalMetric:
    """A metric that training libraries can call, from `make_eval_metric`; each attribute suits one
    library.

    Attributes
    ----------
    greater_is_better : bool
        Whether higher values are better.
    xgboost : callable
        For `XGBClassifier(eval_metric=)`, which minimizes it: a metric that is better when higher
        is negated and named `neg_<name>`.
    catboost : object
        For `CatBoostClassifier(eval_metric=)`, which always passes margins.

    Examples
    --------
    >>> from skmetrics_ext import make_eval_metric
    >>> metric = make_eval_metric("f1", threshold=0.3)
    >>> metric([0, 1, 1], [0.2, 0.4, 0.9])
    1.0
    >>> metric.xgboost([0, 1, 1], [0.2, 0.4, 0.9])
    -1.0
    """

    def __init__(
        self,
        name: str,
        choice: Choice,
        rule: Rule,
        scores: Scores,
        made_of: tuple[Any, dict[str, Any]],
    ) -> None:
        self.__name__ = name
        self.greater_is_better = choice.row.better == "higher"
        self._choice = choice
        self._rule = rule
        self._scores = scores
        self._classes = rule.ranking
        # How many classes the first evaluation had, or any later one.
        self._n_seen = 0
        self._made_of = made_of
        # Warnings already given, which the next round need not repeat.
        self._said: set[str] = set()

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        metric, options = self._made_of
        return partial(make_eval_metric, metric, **options), ()

    def __deepcopy__(self, memo: dict[int, Any]) -> EvalMetric:
        # CatBoost's estimators can be cloned only if a copy is the same object.
        return self

    def __repr__(self) -> str:
        return as_call("make_eval_metric", self._made_of[0], **self._made_of[1])

    def __call__(
        self, y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """The value of the metric for the scores of a model.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
            Class numbers 0, 1, ...: positions in `classes`; or 0 and 1 of several labels per
            sample.
        y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
            Scores of the kind given to `make_eval_metric`; 1-D ones are those of class number 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.

        Returns
        -------
        float
            Not negated.
        """
        return self._value(y_true, y_score, sample_weight, self._classes, self._scores)

    @property
    def xgboost(self) -> Callable[..., float]:
        """For `XGBClassifier(eval_metric=)`."""
        name = f"neg_{self.__name__}" if self.greater_is_better else self.__name__
        if name.startswith(MAXIMIZED_BY_XGBOOST):
            raise ValueError(
                f"XGBoost maximizes {name!r} and all names that begin so; lower is better: pass "
                "name=."
            )
        cost = partial(self._cost)
        vars(cost)["__name__"] = name
        return cost

    def xgboost_train(self, y_score: ArrayLike, data: Any) -> tuple[str, float]:
        """For `xgboost.train(custom_metric=)`, which minimizes it.

        Parameters
        ----------
        y_score : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Scores; margins if the objective is a custom one.
        data : xgboost.DMatrix
            The data that has the labels and the weights.

        Returns
        -------
        tuple of str and float
            The name and the value, negated if higher is better.
        """
        cost, weights = self.xgboost, data.get_weight()
        return cost.__name__, cost(data.get_label(), y_score, weights if len(weights) else None)

    def lightgbm(
        self, y_true: ArrayLike, y_score: ArrayLike, weight: ArrayLike | None
    ) -> tuple[str, float, bool]:
        """For `LGBMClassifier(metric="None").fit(eval_metric=)`, which numbers sorted classes.

        Parameters
        ----------
        y_true : ndarray of shape (n_samples,)
            Class numbers.
        y_score : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Scores; margins if the objective is a custom one.
        weight : ndarray of shape (n_samples,) or None
            Weight of each sample.

        Returns
        -------
        tuple of str, float and bool
            The name, the value and whether higher is better.
        """
        classes = None if self._classes is None else np.sort(self._classes)
        value = self._value(y_true, y_score, weight, classes, self._scores)
        return self.__name__, value, self.greater_is_better

    def lightgbm_train(self, y_score: ArrayLike, data: Any) -> tuple[str, float, bool]:
        """For `lightgbm.train(feval=)` with `"metric": "None"` among its parameters.

        Parameters
        ----------
        y_score : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Scores; margins if the objective is a custom one.
        data : lightgbm.Dataset
            The data that has the labels and the weights.

        Returns
        -------
        tuple of str, float and bool
            The name, the value and whether higher is better.
        """
        return (
            self.__name__,
            self(data.get_label(), y_score, data.get_weight()),
            self.greater_is_better,
        )

    @property
    def catboost(self) -> EvalMetric:
        """For `CatBoostClassifier(eval_metric=)`."""
        if self._scores == "labels" or not (
            self._rule.threshold is None or is_one_number(self._rule.threshold)
        ):
            raise ValueError(
                "CatBoost passes margins, not labels, and to these thresholds per class do not "
                "apply."
            )
        return self

    def is_max_optimal(self) -> bool:
        """Whether CatBoost is to maximize it.

        Returns
        -------
        bool
        """
        return self.greater_is_better

    def evaluate(
        self, approxes: Sequence[Any], target: ArrayLike, weight: ArrayLike | None
    ) -> tuple[float, float]:
        """The value, for CatBoost.

        Parameters
        ----------
        approxes : sequence of ndarray of shape (n_samples,)
            Margins: those of class number 1, or one array per class.
        target : ndarray of shape (n_samples,)
            Class numbers.
        weight : ndarray of shape (n_samples,) or None
            Weight of each sample.

        Returns
        -------
        tuple of float and float
            The value, and a weight of 1.
        """
        margins = approxes[0] if len(approxes) == 1 else np.stack(approxes, axis=1)
        classes = None if self._classes is None else _sorted_by_catboost(self._classes)
        return self._value(target, margins, weight, classes, "margins"), 1.0

    def get_final_error(self, error: float, weight: float) -> float:  # noqa: ARG002
        """The value that `evaluate` returned, for CatBoost.

        Parameters
        ----------
        error, weight : float
            What `evaluate` returned.

        Returns
        -------
        float
        """
        return error

    def compute_metrics(self, prediction: Any) -> dict[str, float]:
        """For `transformers.Trainer(compute_metrics=)`, with `greater_is_better` in its arguments;
        samples and tokens labeled -100 are left out.

        Parameters
        ----------
        prediction : transformers.EvalPrediction or tuple of predictions and label_ids
            `label_ids` of shape (...) and `predictions` of shape (..., n_classes), or, of several
            labels per sample, 0 and 1 and scores of the same shape (..., n_labels). A model returns
            logits: scores="margins".

        Returns
        -------
        dict of str to float
            The value by the name of the metric.
        """
        read = _read_evaluation(prediction)
        true, scores = _with_labels_known(*read, self._scores)
        value = self._value(true, scores, None, self._classes, self._scores, "label_ids")
        return {self.__name__: value}

    def _cost(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> float:
        """The value, lower being better."""
        value = self(y_true, y_score, sample_weight)
        return -value if self.greater_is_better else value

    def _value(
        self,
        y_true: Any,
        y_score: Any,
        sample_weight: Any,
        classes: Any,
        scores: Scores,
        name: str = "y_true",
    ) -> float:
        """The value for classes in the order in which the library numbers them."""
        with warn_once(self._said):
            true = read_labels(y_true, name)
            chosen = None
            if isinstance(true, Indicator):
                chosen = self._choice.labels
                prediction = _of_several_labels(true, y_score, classes, self._rule, scores, name)
            else:
                prediction = _of_one_label(true, y_score, classes, self._rule, scores, name)
                if classes is None:
                    self._n_seen = max(self._n_seen, len(np.asarray(prediction.classes)))
                    known = np.arange(self._n_seen)
                    check_of_two(self._choice, known, is_named=False, advice=HOW_MANY)
                    prediction = prediction._replace(classes=known)
            counts = count_prediction(
                prediction,
                labels=chosen,
                positive=self._rule.pos_label,
                sample_weight=sample_weight,
                needs_matrix=self._choice.takes_matrix,
                columns=classes,
                named=self._classes,
            )
            return float(score(counts, self._choice))


@explained
def make_eval_metric(
    metric: str | Callable[..., Any],
    *,
    threshold: ThresholdsLike | None = None,
    scores: Scores = "probabilities",
    classes: LabelsLike | None = None,
    pos_label: Label | None = None,
    average: str = "binary",
    name: str | None = None,
    **parameters: Any,
) -> EvalMetric:
    """Make a metric for early stopping and logging in XGBoost, LightGBM, CatBoost and transformers.

    Parameters
    ----------
    metric : str or callable
        As in `ConfusionMatrix.score`; higher or lower values must be better.
    threshold : float, array-like of shape (n_classes,), Series or dict, default=None
        As in `labels_from_scores`, on the scale of probabilities: two-class margins are compared
        with logit(threshold). None: the class with the largest score, the first of ties.
    scores : {"probabilities", "margins", "labels"}, default="probabilities"
        What the library passes: margins (log-odds, logits) with a custom objective, labels with
        XGBoost's multi:softmax. `catboost` always reads margins.
    classes : array-like of shape (n_classes,), default=None
        The labels by class number; for two classes [negative, positive]. `lightgbm` and `catboost`
        number them in sorted order, whatever their order here; do not set CatBoost's class_names.
    pos_label : int, float, bool or str, default=None
        The positive class, which needs `classes`. None: the second of `classes`, else class number
        1.
    average : {"binary", "macro", "micro", "weighted", "worst"}, default="binary"
        As in `ConfusionScorer`. The first evaluation tells how many classes there are, unless
        `classes` does.
    name : str, default=None
        The name shown by the library, without spaces and colons. None: that of the metric.
    **parameters
        Parameters of the metric, such as `beta`, and its options `labels` and `zero_division`.

    Returns
    -------
    EvalMetric
        With `xgboost`, `xgboost_train`, `lightgbm`, `lightgbm_train`, `catboost` and
        `compute_metrics`.

    Raises
    ------
    ValueError
        If neither higher nor lower is better, or an option is invalid; when called, if scores are
        not as given by `scores`, or labels neither class numbers nor 0 and 1 of several labels.

    Warns
    -----
    UserWarning
        Once, if a threshold is for probabilities of classes that do not sum to 1.

    Notes
    -----
    XGBoost minimizes callables, so it gets `neg_<name>` of a metric that is better when higher.
    LightGBM also stops by its own loss unless metric="None", a string, is set. transformers needs
    `metric_for_best_model=metric.__name__` and `greater_is_better=metric.greater_is_better`.
    `lightgbm_train` and `xgboost_train` need labels 0, 1, ....

    Examples
    --------
    >>> from skmetrics_ext import make_eval_metric
    >>> metric = make_eval_metric("recall", threshold=0.3, classes=["well", "ill"])
    >>> metric([0, 1, 1], [0.2, 0.4, 0.1])
    0.5
    >>> metric.lightgbm([1, 0, 0], [0.8, 0.6, 0.9], None)
    ('recall', 0.5, True)
    >>> metric.xgboost.__name__
    'neg_recall'
    """
    said = {
        "threshold": threshold,
        "scores": scores,
        "classes": classes,
        "pos_label": pos_label,
        "average": average,
        "name": name,
    }
    known = inspect.signature(make_eval_metric).parameters
    given = {option: value for option, value in said.items() if value is not known[option].default}
    options = own_options({**given, **parameters})
    check_choice(scores, "scores", get_args(Scores))
    named = named_classes(classes)
    if pos_label is not None and named is None:
        raise ValueError(
            f"pos_label={pos_label!r} needs classes=[...]: libraries pass the numbers of the "
            "classes."
        )
    # A tie goes to the first class, as in predict of these libraries.
    ties: Ties = "negative" if threshold is None else "positive"
    positive = second_of(named) if pos_label is None else pos_label
    rule = make_rule(threshold=options.get("threshold"), ties=ties, pos_label=positive)
    rule = rule._replace(ranking=named)
    check_rule(rule, (), named, divides=True)
    is_one = is_one_number(rule.threshold)
    if is_one:
        check_in_range(
            threshold,
            "threshold",
            lambda cut: 0 <= cut <= 1,
            "a probability from 0 to 1, for margins too",
        )
    if threshold is not None and (scores == "labels" or (scores == "margins" and not is_one)):
        raise ValueError(f"threshold={threshold!r} does not apply to scores={scores!r}: omit it.")
    own = {option: options[option] for option in parameters}
    one_class = None if is_one or named is None else pos_label
    choice = choose(metric, classes=named, average=average, pos_label=one_class, **own)
    row = choice.row
    if row.better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {row.name} are better, so no round would be the "
            "best."
        )
    if row.has_average and choice.average is None:
        raise ValueError(
            "average=None gives one value per class, but training needs one number: choose an "
            "average."
        )
    of_class = positive if choice.positive is None else choice.positive
    if named is not None:
        check_of_two(choice, named, is_named=of_class is not None)
    if scores == "labels" and named is None and row.counts_absent_labels:
        raise ValueError(
            f"{row.name} depends on the number of classes, which labels do not tell: pass "
            "classes=[...]."
        )
    if name is None:
        ending = "" if choice.positive in (None, pos_label) else f"_{choice.positive}"
        name = choice.name_with(choice.average) + ending
    if not isinstance(name, str) or not re.fullmatch(r"[^\s:]+", name):
        raise ValueError(
            "name must be a string without spaces and colons, which XGBoost can't show; got "
            f"{name!r}."
        )
    return EvalMetric(name, choice, rule, scores, (metric, options))


def _of_one_label(
    actual: Column, y_score: Any, classes: Any, rule: Rule, scores: Scores, name: str
) -> Prediction:
    """Class numbers, and those of scores, as labels."""
    true = _class_numbers(actual, name)
    order = classes
    if scores == "labels":
        pred = _class_numbers(read_labels(y_score, "y_score"), "y_score")
        if order is None:
            order = np.arange(1 + int(max(true.labels[-1], pred.labels[-1])))
    else:
        named_scores = read_scores(y_score)
        check_one_label(named_scores, None)
        of_model = named_scores.values
        if order is None:
            order = np.arange(2 if of_model.ndim == 1 else of_model.shape[1])
        if of_model.ndim == 1 and max(len(order), 1 + true.labels[-1]) > 2:
            how = "pass a column per class"
            if (of_model == np.floor(of_model)).all():
                how = "for class numbers, pass scores='labels'"
            raise ValueError(f"1-D scores, but more than two classes: {how}.")
        codes = _codes(of_model, order, rule, are_margins=scores == "margins")
        pred = column_from_codes(codes, np.arange(len(order)))
    return Prediction(_named(true, order, name), _named(pred, order, "y_score"), order)


def _of_several_labels(
    true: Indicator, y_score: Any, classes: Any, rule: Rule, scores: Scores, name: str
) -> Prediction:
    """0 and 1 of several labels per sample, and those of scores that reach the threshold."""
    if scores == "labels":
        return Prediction(true, read_labels(y_score, "y_score"), None)
    named_scores = read_scores(y_score)
    of_model = named_scores.values
    if (true.values.sum(axis=1) == 1).all() and (
        scores == "margins" or is_one_hot(true.values, of_model)
    ):
        raise ValueError(
            f"each row of {name} has a single 1, like one-hot classes: pass class numbers, "
            f"{name}.argmax(axis=-1). If they are several labels per sample all the same, pass "
            "probabilities: scores='probabilities', and the sigmoid of margins."
        )
    # As of several labels everywhere, a score at the threshold reaches it.
    rule = rule._replace(ties="positive")
    if scores == "margins":
        cut = 0.5 if rule.threshold is None else float(np.asarray(rule.threshold))
        rule = rule._replace(threshold=np.asarray(logit(cut)), scale="decisions")
    else:
        _check_probabilities(np.asarray(of_model))
    return Prediction(*decode_indicator(true, named_scores, rule, classes, True))


def _class_numbers(column: Column | Indicator, name: str) -> Column:
    """Class numbers as a library passes them, often as floats."""
    if (
        not isinstance(column, Column)
        or column.labels.dtype.kind not in "biuf"
        or column.labels[0] < 0
    ):
        raise ValueError(
            f"{name} must be 1-D and hold class numbers 0, 1, ...: encode other labels."
        )
    return column


def _named(numbers: Column, order: NDArray[Any], name: str) -> Column:
    """The labels of class numbers."""
    if numbers.labels[-1] >= len(order):
        raise ValueError(
            f"{name} holds class numbers {show(numbers.labels)} of {len(order)} classes: "
            f"{show(order)}."
        )
    return column_from_codes(numbers.codes, order[numbers.labels.astype(np.intp)])


def _sorted_by_catboost(classes: NDArray[Any]) -> NDArray[Any]:
    """Classes in the order of their numbers; "9" and "10" are sorted as numbers."""
    try:
        return classes[np.argsort(classes.astype(np.float64), kind="stable")]
    except ValueError:
        return np.sort(classes)


def _codes(
    scores: NDArray[Any], order: NDArray[Any], rule: Rule, *, are_margins: bool
) -> NDArray[Any]:
    """The class numbers of scores; two-class margins are cut at the threshold's logit."""
    if are_margins and rule.threshold is not None and scores.ndim == 2:
        scores = scores[:, 1] - scores[:, 0]
    if not are_margins and (scores.ndim == 1 or rule.threshold is not None):
        _check_probabilities(scores)
        if scores.ndim == 2 and not sum_to_one(scores):
            warn(
                "the threshold is for probabilities, but those of a sample do not sum to 1: if "
                "they are margins that happen to lie between 0 and 1, pass scores='margins'."
            )
    if scores.ndim == 2 or not (rule.threshold is None or is_one_number(rule.threshold)):
        return codes_from_scores(scores, order, rule, None if scores.ndim == 2 else 1)
    cut, position = 0.5, 1
    if is_one_number(rule.threshold):
        cut = float(rule.threshold)
        position = positive_of(order, rule.pos_label).place or 0
    # 1-D scores are of class number 1; the score of the positive class is cut.
    if are_margins:
        scores = (scores if position else -scores) - float(logit(cut))
        cut = 0.0
    elif not position:
        scores = 1 - scores
    return codes_from_scores(scores, order, rule._replace(threshold=np.asarray(cut)), position)


def _check_probabilities(scores: NDArray[Any]) -> None:
    """Reject margins in place of probabilities."""
    low, high = scores.min(), scores.max()
    if low < 0 or high > 1:
        raise ValueError(
            f"scores from {low:.6g} to {high:.6g} are not probabilities: pass scores='margins'."
        )


def _read_evaluation(prediction: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """The predictions, logits first if there is more, and the labels of an evaluation."""
    if hasattr(prediction, "label_ids"):
        predictions, label_ids = prediction.predictions, prediction.label_ids
    elif isinstance(prediction, (tuple, list)) and len(prediction) == 2:
        predictions, label_ids = prediction
    else:
        raise TypeError(
            "compute_metrics takes an EvalPrediction of transformers, or a pair (predictions, "
            f"label_ids); got {type(prediction).__name__}."
        )
    if isinstance(label_ids, (tuple, dict)) or label_ids is None:
        raise TypeError(
            f"label_ids must be one array; got {type(label_ids).__name__}: pass a pair "
            "(predictions, label_ids) of one target."
        )
    logits = predictions[0] if isinstance(predictions, tuple) else predictions
    ragged = ValueError(
        "predictions or label_ids are ragged, as batches of several lengths are: join them, or "
        "pass TrainingArguments(eval_do_concat_batches=True)."
    )
    return as_array(logits, "predictions", ragged), as_array(label_ids, "label_ids", ragged)


def _with_labels_known(
    predictions: NDArray[Any], label_ids: NDArray[Any], scores: Scores
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels and predictions of the samples or tokens that are not labeled -100."""
    are_alike = predictions.shape == label_ids.shape
    has_classes = scores != "labels" and predictions.shape[:-1] == label_ids.shape
    if not (are_alike or has_classes):
        raise ValueError(
            f"label_ids of shape {label_ids.shape} do not fit predictions of shape "
            f"{predictions.shape}: they must be class numbers, one for each row of logits, or 0 "
            "and 1 in the shape of the scores of several labels per sample. If predictions are "
            "class numbers, they have the shape of label_ids, and need scores='labels'."
        )
    known = label_ids != NO_LABEL
    if not are_alike or label_ids.ndim == 1 or label_ids.shape[-1] == 1:
        return label_ids[known], predictions[known]
    if scores == "labels":
        if np.isin(label_ids, (0, 1)).all():
            raise ValueError(
                "label_ids have several columns of 0 and 1: if they are class numbers of tokens, "
                "pass both arrays as .ravel(); for several labels per sample, "
                "scores='probabilities' takes predictions of 0 and 1, too."
            )
        return label_ids[known], predictions[known]
    kept = known.any(axis=-1)
    if not np.isin(label_ids[kept], (0, 1)).all():
        raise ValueError(
            "label_ids in the shape of scores must be 0 and 1, several labels per sample: for "
            "tokens with one score each, pass predictions[..., np.newaxis]."
        )
    return label_ids[kept], predictions[kept]
