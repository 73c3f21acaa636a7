"""The order of classes: the caller's, else a categorical's, else that of numbers, else none."""

from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, get_scorer, labels_from_scores
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.metrics.from_labels import function_of
from tests.doubles import AnsweringClassifier
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import differences
from tests.fuzz.containers import label_array
from tests.fuzz.response_oracle import Rule, labels_of_rows
from tests.vectors import oracle
from tests.vectors.all_classes import Matrix

CLASSES = [
    ["bad", "good", "ok"],
    ["a", "b"],
    ["A3", "A1", "A2", "A4"],
    [1, 2, 4],
    [-1, 1],
    [10, 9, 2, 30],
]
METRICS = ["cohen_kappa", "gerrity", "macro_averaged_mean_absolute_error", "expected_cost"]


def run(case: Case) -> None:
    """Classes in an order that is named, declared, natural or unknown, and all that goes by it."""
    random = case.random
    order = random.sample(classes := random.choice(CLASSES), len(classes))
    order_source = random.choice(
        ["named", "declared", "unknown" if isinstance(order[0], str) else "natural"]
    )
    # What the data declare counts for nothing where the caller names an order.
    declared = random.sample(order, len(order)) if order_source == "named" else order
    if order_source in ("natural", "unknown"):
        order = sorted(order)
    case.given("order", order)
    case.given("order_source", order_source)
    case.given("declared", declared)
    makers = [label_array, partial(pd.Categorical, categories=declared)]
    if order_source in ("named", "declared"):
        makers += [partial(pd.Categorical, categories=declared, ordered=True)] * 2
        makers += [lambda labels: pl.Series(labels, dtype=pl.Enum(declared))] * isinstance(
            order[0], str
        )
    make = random.choice(makers[2:] if order_source == "declared" else makers)
    _check_metric(case, order, make)
    _check_rule(case, order, make)
    if order_source != "named" and len(order) == 2:
        _check_curve(case, order, make)


def _check(case: Case, what: str, call: Any, expected: Any) -> None:
    """What comes of the order; without one nothing does."""
    if case.inputs["order_source"] == "unknown":
        case.refused(what, call)
    else:
        case.equal(what, differences(quietly(call)[0], expected))


def _check_metric(case: Case, order: list[Any], make: Any) -> None:
    """A metric over all classes: its function, the sum of chunks and a scorer."""
    random = case.random
    name = case.given("metric", random.choice(METRICS))
    size, is_named = random.randint(1, 12), case.inputs["order_source"] == "named"
    sides = [
        random.choices(random.sample(order, random.randint(1, len(order))), k=size)
        for _ in range(2)
    ]
    true, predicted = case.given("y_true", sides[0]), case.given("y_pred", sides[1])
    # Without names there are the classes that occur, but their distance is that among all that are
    # declared.
    labels = order if is_named else [label for label in order if label in {*true, *predicted}]
    goes_by_places = name in ("cohen_kappa", "gerrity")
    scale = order if goes_by_places and case.inputs["order_source"] == "declared" else labels
    options: dict[str, Any] = {
        "cohen_kappa": {"weights": random.choice(["linear", "quadratic"])},
        "expected_cost": {"cost_matrix": _draw_costs(case, len(labels))},
    }.get(name, {})
    case.given("options", options)
    places = [order.index(label) if isinstance(label, str) else label for label in scale]
    exact = Matrix(oracle.tally(true, predicted).matrix(scale).cells, places)
    expected = oracle.overall_value(name, exact, **options).value

    named, prefix = {"labels": order} if is_named else {}, BY_NAME[name].scorer_prefix
    parts = [part for part in np.split(np.arange(size), [random.randrange(size)]) if len(part)]
    chunks = [[make([side[i] for i in part]) for side in sides] for part in parts]
    counted = (quietly(ConfusionMatrix.from_predictions, *chunk, **named)[0] for chunk in chunks)
    whole = reduce(add, counted)
    case.check(
        whole.labels.tolist() == labels, lambda: f"the chunks stand as {whole.labels}, not {labels}"
    )
    model = AnsweringClassifier(
        label_array(sorted(labels)), {"predict": label_array(predicted)}
    ).fit()
    scorer = get_scorer(prefix + name, **named, **options)
    _check(
        case,
        "the function",
        partial(function_of(BY_NAME[name]), *map(make, sides), **named, **options),
        expected,
    )
    _check(case, "the chunks", partial(whole.score, name, **options), expected)
    _check(
        case,
        "the scorer",
        partial(scorer, model, None, make(true)),
        -expected if prefix else expected,
    )


def _check_rule(case: Case, order: list[Any], make: Any) -> None:
    """Plain thresholds and costs of scores: of a matrix, and of labels whose classes are named."""
    random = case.random
    y_true = case.given("y_true", random.sample(order * 2, 2 * len(order)))
    rows = case.given("rows", [[random.randint(0, 16) / 16 for _ in order] for _ in y_true])
    thresholds, costs = [2.0 ** -random.randint(0, 3) for _ in order], _draw_costs(case, len(order))
    option = random.choice(["threshold", "cost_matrix"])
    numbers = case.given(option, np.array(thresholds if option == "threshold" else costs))
    named = {"classes": order} if case.inputs["order_source"] == "named" else {}
    # The columns of scores stay sorted where nobody names them.
    columns = order if named else sorted(order)
    places = [order.index(label) for label in columns]
    rule = Rule(**{option: numbers[np.ix_(*[places] * numbers.ndim)].tolist()})
    expected = labels_of_rows(rows, columns, None, rule)
    cells = oracle.tally(y_true, expected).matrix(order).cells
    count = partial(
        ConfusionMatrix.from_scores, make(y_true), np.array(rows), **named, **{option: numbers}
    )
    _check(
        case, "from_scores", lambda: count().counts.ravel(), [cell for row in cells for cell in row]
    )
    if named:
        found = quietly(labels_from_scores, np.array(rows), **named, **{option: numbers})[
            0
        ].tolist()
        case.check(found == expected, lambda: f"labels_from_scores: {found}, not {expected}")


def _check_curve(case: Case, order: list[Any], make: Any) -> None:
    """The plain costs of a curve, whichever of two classes is positive."""
    y_true = case.inputs["y_true"]
    positive, costs = (
        case.given("pos_label", case.random.choice(order)),
        case.given("costs", _draw_costs(case, 2)),
    )
    scores = case.given("scores", [case.random.randint(0, 4) / 4 for _ in y_true])
    other, expected = order[order[0] == positive], []
    # Beyond all scores nobody is positive, which may be best.
    for threshold in [np.inf, *sorted({*scores}, reverse=True)]:
        matrix = oracle.tally(
            y_true, [positive if score >= threshold else other for score in scores]
        ).matrix(order)
        expected.append(oracle.overall_value("expected_cost", matrix, cost_matrix=costs).value)
    curve, _ = quietly(ThresholdCurve.from_scores, make(y_true), scores, pos_label=positive)
    _check(
        case,
        "the costs of a curve",
        partial(curve.score, "expected_cost", cost_matrix=costs),
        expected[1:],
    )
    _check(
        case,
        "the least",
        lambda: curve.best("expected_cost", cost_matrix=costs).value,
        min(expected),
    )


def _draw_costs(case: Case, size: int) -> list[list[int]]:
    """Whole costs, of which sums have ties that are no matter of rounding."""
    return [[case.random.choice([0, 1, 2, 5, -1]) for _ in range(size)] for _ in range(size)]
