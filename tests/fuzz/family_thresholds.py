"""A chosen threshold asked again: the same labels of scores in other parts and layouts."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from skmetrics_ext import (
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    get_scorer,
    labels_from_scores,
)
from tests.fuzz import curve_oracle
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import differences
from tests.fuzz.curve_oracle import Scored
from tests.fuzz.family_curves import HIGHER, LOWER
from tests.shared import are_on_scale
from tests.vectors import oracle
from tests.vectors.exact import to_float


class ScoreOfX(ClassifierMixin, BaseEstimator):
    """A fitted model of two classes, whose score of one of them is the only column of X."""

    def __init__(self, classes: list[Any], method: str, place: int) -> None:
        self.classes, self.method, self.place = classes, method, place
        self.classes_ = np.array(classes)
        setattr(self, method, self._answer)

    def _answer(self, X: Any) -> Any:
        of_class = X[:, 0]
        if self.method == "decision_function":
            return of_class if self.place else -of_class
        return np.stack([of_class if self.place == i else 1 - of_class for i in (0, 1)], axis=1)


def run(case: Case) -> None:
    """The best threshold of labels and scores, as a number, of a scorer and in a model."""
    random = case.random
    classes = case.given("classes", random.choice([[0, 1], ["no", "yes"], [-1, 1]]))
    positive = case.given("pos_label", random.choice(classes))
    method = case.given("method", random.choice(["predict_proba", "decision_function"]))
    y_true = case.given("y_true", [*classes, *random.choices(classes, k=random.randint(0, 14))])
    scores = case.given("scores", _draw_scores(case, method, len(y_true)))
    name = case.given("metric", random.choice(HIGHER + LOWER))
    bounded = random.sample(HIGHER + LOWER, random.choice([0, 1, 1, 2]))
    subject_to = case.given(
        "subject_to", {one: random.choice([0, 0.1, 0.5, 0.75, 0.9, 1]) for one in bounded}
    )
    ties = case.given("ties", random.choice(["positive", "negative"]))
    scored = Scored(
        scores.tolist(),
        [label == positive for label in y_true],
        oracle.exact_weights(None, len(y_true)),
    )

    curve, _ = quietly(ThresholdCurve.from_scores, y_true, scores, pos_label=positive, ties=ties)
    found = _best(scored, name, subject_to, ties)
    if found is None:
        case.refused("best", curve.best, name, subject_to=subject_to)
    else:
        threshold = case.given(
            "threshold", quietly(curve.best, name, subject_to=subject_to)[0].threshold
        )
        options = {"threshold": threshold, "ties": ties, "classes": classes, "pos_label": positive}
        reached = [
            score > found[1] or (score == found[1] and ties == "positive")
            for score in scored.scores
        ]
        _ask_again(
            case, "labels_from_scores", partial(labels_from_scores, **options), scores, reached
        )

    model, X = ScoreOfX(classes, method, classes.index(positive)), scores[:, np.newaxis]
    named = ("neg_" if name in LOWER else "") + name
    scorer = get_scorer(named, threshold="best", subject_to=subject_to, pos_label=positive)
    tuned = ConstrainedThresholdClassifier(
        model, name, subject_to=subject_to, pos_label=positive, cv="prefit"
    )
    found = _best(scored, name, subject_to, "positive")
    if found is None:
        case.refused("the scorer", scorer, model, X, y_true)
        case.refused("the classifier", tuned.fit, X, y_true)
        return
    value, sign = found[0], -1 if name in LOWER else 1
    case.equal("the scorer", differences(sign * quietly(scorer, model, X, y_true)[0], value))
    quietly(tuned.fit, X, y_true)
    reached = [score >= found[1] for score in scored.scores]
    _ask_again(
        case, "predict", lambda scores: tuned.predict(np.reshape(scores, (-1, 1))), scores, reached
    )
    if len(set(scored.scores)) > 1:
        again = get_scorer(
            named, threshold=tuned.best_threshold_, pos_label=positive, response_method=method
        )
        moved = _moved(case, scores)[:, np.newaxis]
        case.equal(
            "the scorer of the threshold",
            differences(sign * quietly(again, model, moved, y_true)[0], value),
        )


def _draw_scores(case: Case, method: str, size: int) -> Any:
    """Scores on a grid, whose neighbors may be as near as a middle that is no digit beside either
    lets them be.
    """
    random = case.random
    kind = random.choice([np.float64, np.float32])
    grids = [np.arange(9) / 8, np.arange(11) / 10, 0.5 + 4 * np.finfo(kind).eps * np.arange(5)]
    if method == "decision_function":
        grids += [
            np.arange(-3, 4) * scale for scale in (0.7, 1e-30, 1e30, float(np.finfo(kind).max) / 4)
        ]
    grid = random.choice(grids).astype(kind)
    return np.array(random.choices(grid[: random.randint(1, len(grid))], k=size), dtype=kind)


def _best(
    scored: Scored, name: str, subject_to: dict[str, Any], ties: str
) -> tuple[float, float] | None:
    """The best value of the thresholds that meet all bounds, and the highest score that has it, or
    infinity.
    """
    quads = [scored.quad(threshold, ties) for threshold in scored.choices]
    holds = [True] * len(quads)
    for one, bound in subject_to.items():
        for i, value in enumerate(oracle.class_value(one, quads, None, zero_division=np.nan).value):
            holds[i] &= curve_oracle.satisfies(to_float(value), bound, one in HIGHER)
    values = [
        to_float(value)
        for value in oracle.class_value(name, quads, None, zero_division=np.nan).value
    ]
    place = curve_oracle.best(values, holds, name in HIGHER)
    return None if place is None else (values[place], scored.choices[place])


def _ask_again(case: Case, name: str, predict: Any, scores: Any, reached: list[bool]) -> None:
    """The labels of the scores in all forms."""
    positive = case.inputs["pos_label"]
    forms = {
        "at once": [scores],
        "row by row": np.split(scores, len(scores)),
        "in halves": np.array_split(scores, 2),
    }
    if case.inputs["method"] == "predict_proba" and name == "labels_from_scores":
        columns = [scores if label == positive else 1 - scores for label in case.inputs["classes"]]
        forms["in Fortran order"] = [np.asfortranarray(np.stack(columns, axis=1))]
    for other in (np.float32, np.float64):
        with np.errstate(over="ignore"):
            cast = scores.astype(other)
        if (cast == scores).all():
            forms[other.__name__] = [cast]
    # One score alone is its own threshold.
    if len(set(scores.tolist())) > 1:
        forms["moved"] = [_moved(case, scores)]
    if name == "labels_from_scores":
        # A few decision values from 0 to 1 may be probabilities, which have no other thresholds.
        at = [case.inputs["threshold"]]
        forms = {
            form: parts
            for form, parts in forms.items()
            if all(are_on_scale(at, np.ravel(part)) or len(part) == 1 for part in parts)
        }
    for form, parts in forms.items():
        labels = np.concatenate([quietly(predict, part)[0] for part in parts])
        found = (labels == positive).tolist()
        case.check(
            found == reached,
            lambda form=form, found=found: f"{name} {form}: {found}, not {reached}",
        )


def _moved(case: Case, scores: Any) -> Any:
    """Each score or the number beside it, on either side; what may be a share stays one."""
    ends = np.array(case.random.choices([-np.inf, np.inf], k=len(scores)), dtype=scores.dtype)
    moved = np.nextafter(scores, ends)
    return np.clip(moved, 0, 1) if scores.min() >= 0 and scores.max() <= 1 else moved
