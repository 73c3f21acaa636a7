"""Threshold curves against brute force: counts, metrics, best thresholds in bounds, areas."""

import math
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from skmetrics_ext import ThresholdCurve, ThresholdCurves
from skmetrics_ext.catalogue.rows import METRICS
from tests.fuzz import curve_oracle
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import ABSOLUTE, differences
from tests.fuzz.containers import label_array, label_container, score_container, weight_container
from tests.fuzz.curve_oracle import Scored
from tests.fuzz.data import Labels, draw_labels, draw_scores, draw_weights
from tests.fuzz.parameters import EXTREME, draw_costs, draw_parameters, tolerance
from tests.shared import are_on_scale
from tests.vectors import oracle
from tests.vectors.exact import UNDEFINED, to_float
from tests.vectors.one_class import Counts

KINDS = {"integers": 4, "strings": 3, "booleans": 1}
# Metrics that are one division, so that equal values are equal floats.
HIGHER = ["precision", "recall", "specificity", "negative_predictive_value", "f1", "jaccard"]
LOWER = [
    "false_positive_rate",
    "false_negative_rate",
    "false_discovery_rate",
    "false_omission_rate",
]
# No higher value of this one is better than a lower, so that its bound is a pair.
NEITHER = "predicted_positive_rate"


def run(case: Case) -> None:
    """The curve of one class, or the curves of all."""
    drawn = draw_labels(case.random, KINDS, most=5)
    kind, weights = draw_weights(case.random, len(drawn.true))
    if case.random.random() < 0.7:
        _run_one(case, drawn, kind, weights)
    else:
        _run_all(case, drawn, kind, weights)


def _run_one(case: Case, drawn: Labels, kind: str, weights: Any) -> None:
    """One curve, at all scores or at given thresholds."""
    random = case.random
    positive = case.given("pos_label", random.choice(drawn.true))
    scores, y_score = _scores(case, len(drawn.true))
    exact = oracle.exact_weights(weights, len(scores))
    scored = Scored(scores, [label == positive for label in drawn.true], exact)
    ties = case.given("ties", random.choice(["positive", "negative"]))
    given = None
    if random.random() < 0.3:
        others = [0.5, math.inf, -math.inf, *_beyond(scored)]
        given = [random.choice([*scores, *others]) for _ in range(random.randint(1, 6))]
    own = [
        label_container(random, drawn.kind, drawn.true),
        y_score,
        weight_container(random, weights),
        None if given is None else np.array(given),
    ]
    for name, value in zip(("y_true", "y_score", "sample_weight", "thresholds"), own, strict=True):
        case.given(name, value)
    y_true, y_score, sample_weight, thresholds = (_copy(value) for value in own)
    options = {
        "sample_weight": sample_weight,
        "thresholds": thresholds,
        "ties": ties,
        "pos_label": positive,
    }
    curve, _ = quietly(ThresholdCurve.from_scores, y_true, y_score, **options)
    for array in (y_true, y_score, sample_weight, thresholds):
        _overwrite(array)
    at = scored.thresholds if given is None else given
    case.equal("thresholds", differences(curve.thresholds, at))
    quads = [scored.quad(threshold, ties) for threshold in at]
    _check_counts(case, curve, quads, kind)
    _check_score(case, curve, quads, kind)
    _check_at(case, curve, scored, ties, kind)
    _check_cost(case, curve, quads)
    if kind in ("none", "integers", "bytes"):
        _check_best(case, curve, scored, given, ties)
    if given is None and ties == "positive":
        _check_areas(case, curve, scored, kind)


def _scores(case: Case, size: int) -> tuple[list[float], Any]:
    """Scores as numbers and in a container: probabilities or decision values, in double or single
    precision.
    """
    random = case.random
    scores = draw_scores(random, size)
    if random.random() < 0.3:
        scores = [random.choice([-1e300, -3.5, -0.0, 0.0, 1e-300, 2.0, 1e300]) for _ in range(size)]
    elif random.random() < 0.3:
        single = np.array(scores, dtype=np.float32)
        return single.tolist(), random.choice([single, single[:, None]])
    return scores, score_container(random, scores)


def _copy(value: Any) -> Any:
    """A copy of an array, which may then be overwritten."""
    return np.array(value) if isinstance(value, np.ndarray) else value


def _overwrite(value: Any) -> None:
    """What a user may do with an array once the call is over."""
    if isinstance(value, np.ndarray):
        value[...] = value.flat[0]


def _check_counts(case: Case, curve: Any, quads: list[Counts], kind: str) -> None:
    """tp, fp, fn and tn at every threshold; a small count beside large ones is lost where it is a
    difference.
    """
    total = to_float(sum(quads[0]))
    for name, found, exact in zip(
        ("tp", "fp", "fn", "tn"), curve.counts, zip(*quads, strict=True), strict=True
    ):
        absolute = total * 1e-12 if name in ("fn", "tn") or kind not in EXTREME else 0.0
        case.equal(name, differences(found, list(exact), absolute=absolute))


def _check_score(case: Case, curve: Any, quads: list[Counts], kind: str) -> None:
    """A metric of class counts at every threshold."""
    random = case.random
    row = random.choice([row for row in METRICS if row.has_average])
    case.given("metric", row.name)
    parameters = case.given("parameters", draw_parameters(random, row.name))
    zero_division = case.given("zero_division", random.choice(["warn", 0, 1, math.nan]))
    found, _ = quietly(curve.score, row.name, zero_division=zero_division, **parameters)
    absolute = tolerance(row.name, kind)
    if kind not in EXTREME and absolute is not None:
        expected = oracle.class_value(
            row.name, quads, None, zero_division=zero_division, **parameters
        )
        case.equal(row.name, differences(found, expected.value, absolute=absolute))


def _check_at(case: Case, curve: Any, scored: Scored, ties: str, kind: str) -> None:
    """The matrix at a threshold of its own."""
    others = [0.3125, *_beyond(scored)]
    threshold = case.given("at", case.random.choice([*scored.scores, *others]))
    tp, fp, fn, tn = scored.quad(threshold, ties)
    matrix = quietly(curve.at, threshold)[0].counts
    absolute = 0.0 if kind in ("none", "integers", "bytes") else to_float(tp + fp + fn + tn) * 1e-12
    expected = [tn, fp, fn, tp] if _positive_is_last(curve) else [tp, fn, fp, tn]
    case.equal("at", differences(matrix.ravel(), expected, absolute=absolute))


def _beyond(scored: Scored) -> list[float]:
    """Thresholds that no probability has, for scores that are none."""
    return [threshold for threshold in (-1.0, 2.0) if are_on_scale([threshold], scored.thresholds)]


def _positive_is_last(curve: Any) -> bool:
    """Matrices and costs are in the order of the labels, whichever is positive."""
    return bool(curve.labels[1] == curve.pos_label)


def _check_cost(case: Case, curve: Any, quads: list[Counts]) -> None:
    """The mean cost of a sample at every threshold, by names: plain costs are of ordered classes,
    which another family asks about.
    """
    costs = case.given("costs", draw_costs(case.random, 2))
    rows = costs if _positive_is_last(curve) else [row[::-1] for row in costs[::-1]]
    (spared, alarm), (miss, hit) = ((Fraction(cost) for cost in row) for row in rows)
    expected = [(q.tn * spared + q.fp * alarm + q.fn * miss + q.tp * hit) / sum(q) for q in quads]
    labels = curve.labels.tolist()
    named = {
        (actual, predicted): cost
        for actual, row in zip(labels, costs, strict=True)
        for predicted, cost in zip(labels, row, strict=True)
    }
    found, _ = quietly(curve.score, "expected_cost", cost_matrix=named)
    case.equal("expected_cost", differences(found, expected, absolute=1e-9))


def _check_best(
    case: Case, curve: Any, scored: Scored, given: list[float] | None, ties: str
) -> None:
    """The best threshold, perhaps under constraints, which stands between scores unless thresholds
    are given.
    """
    random = case.random
    at = scored.choices if given is None else given
    quads = [scored.quad(threshold, ties) for threshold in at]
    name = random.choice(HIGHER + LOWER)
    subject_to: dict[str, Any] = {}
    for bounded in random.sample(HIGHER + LOWER, random.choice([0, 1, 1, 2])):
        subject_to[bounded] = random.choice([0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
    if random.random() < 0.3:
        subject_to[NEITHER] = tuple(sorted(random.choices([0, 0.1, 0.25, 0.5, 0.8, 1], k=2)))
    case.given("best", (name, subject_to))
    qualifies = [True] * len(at)
    for bounded, bound in subject_to.items():
        for i, value in enumerate(_values(bounded, quads)):
            qualifies[i] &= curve_oracle.satisfies(value, bound, bounded in HIGHER)
    values = _values(name, quads)
    # Of given thresholds, which are in no order, the highest finite one comes first.
    order = sorted(range(len(at)), key=lambda i: (math.isinf(at[i]), -at[i]))
    place = curve_oracle.best(
        [values[i] for i in order], [qualifies[i] for i in order], name in HIGHER
    )
    if place is None:
        case.refused("best", curve.best, name, subject_to=subject_to)
        return
    found, _ = quietly(curve.best, name, subject_to=subject_to)
    place = order[place]
    case.equal("best value", differences(found.value, values[place]))
    exact: Any = at[place]
    if given is None and math.isfinite(exact):
        exact = curve_oracle.between(scored.thresholds, exact, ties)
    rounding = float(np.finfo(curve.thresholds.dtype).eps) * max(map(abs, scored.thresholds))
    case.equal(
        "best threshold", differences(found.threshold, exact, absolute=0.0 if given else rounding)
    )
    case.equal(
        "its counts", differences(list(scored.quad(found.threshold, ties)), list(quads[place]))
    )
    case.equal("best counts", differences(found.counts, list(quads[place])))


def _values(name: str, quads: list[Counts]) -> list[float]:
    """A metric at every threshold as the nearest floats, nan where it is undefined."""
    return [
        to_float(value)
        for value in oracle.class_value(name, quads, None, zero_division=math.nan).value
    ]


def _check_areas(case: Case, curve: Any, scored: Scored, kind: str) -> None:
    """The areas under both curves."""
    absolute = ABSOLUTE if kind not in EXTREME else 1e-9
    most = case.given("max_fpr", case.random.choice([0.1, 0.5, 1.0]))
    for name, area, options in [
        ("roc_auc", curve_oracle.roc_auc(scored), {}),
        ("roc_auc", curve_oracle.partial_roc_auc(scored, most), {"max_fpr": most}),
        ("average_precision", curve_oracle.average_precision(scored), {}),
    ]:
        found, warned = quietly(getattr(curve, name), **options)
        case.equal(f"{name} {options}", differences(found, _or_nan(area), absolute=absolute))
        case.check(warned == (area is UNDEFINED), f"{name}: warned: {warned}, value {found!r}")


def _run_all(case: Case, drawn: Labels, kind: str, weights: Any) -> None:
    """The curve of each class and what averages make of them."""
    random = case.random
    classes = case.given("classes", sorted(drawn.known))
    if len(classes) < 2:
        return
    size = len(drawn.true)
    columns = [draw_scores(random, size) for _ in classes]
    y_score = np.array(columns, dtype=random.choice([np.float64, np.float32])).T
    columns = y_score.T.tolist()
    y_true = label_container(random, drawn.kind, drawn.true)
    case.given("y_true", y_true), case.given("y_score", y_score)
    sample_weight = case.given("sample_weight", weight_container(random, weights))
    arrays = [_copy(value) for value in (y_true, y_score, sample_weight)]
    curves, _ = quietly(
        ThresholdCurves.from_scores, *arrays[:2], classes=classes, sample_weight=arrays[2]
    )
    for array in arrays:
        _overwrite(array)
    exact = oracle.exact_weights(weights, size)
    all_scored = [
        Scored(column, [label == one for label in drawn.true], exact)
        for one, column in zip(classes, columns, strict=True)
    ]
    place = case.given("class", random.randrange(len(classes)))
    one = curves[label_array(classes).tolist()[place]]
    _check_counts(
        case,
        one,
        [all_scored[place].quad(threshold) for threshold in one.thresholds.tolist()],
        kind,
    )
    case.equal("thresholds of a class", differences(one.thresholds, all_scored[place].thresholds))
    pooled = Scored(*(list(chain(*parts)) for parts in zip(*all_scored, strict=True)))
    support = [sum(weight for _, weight in scored.side(True)) for scored in all_scored]
    absolute = ABSOLUTE if kind not in EXTREME else 1e-9
    for name in ("roc_auc", "average_precision"):
        area = getattr(curve_oracle, name)
        areas = [_or_nan(area(scored)) for scored in all_scored]
        expected = {
            None: areas,
            "macro": oracle.weighted_mean(areas, None),
            "weighted": oracle.weighted_mean(areas, support),
            "micro": _or_nan(area(pooled)),
        }
        if name == "roc_auc":
            codes = [classes.index(label) for label in drawn.true]
            expected["ovo"] = _or_nan(curve_oracle.one_vs_one_auc(columns, codes, exact))
        average = case.given("average", random.choice(list(expected)))
        found, _ = quietly(getattr(curves, name), average)
        case.equal(f"{name}({average!r})", differences(found, expected[average], absolute=absolute))


def _or_nan(area: Any) -> Any:
    """An area, nan where it is undefined."""
    return math.nan if area is UNDEFINED else area
