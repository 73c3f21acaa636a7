"""Every metric function, over containers, types, weights and averages, against exact fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.metrics.from_labels import function_of, options_of
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import differences, within
from tests.fuzz.containers import bit_container, fitting, label_container, weight_container
from tests.fuzz.data import Labels, draw_bits, draw_labels, draw_two_labels, draw_weights
from tests.fuzz.parameters import (
    AVERAGES,
    EXTREME,
    LOSSY,
    ZERO_DIVISIONS,
    costs_of,
    draw_costs,
    draw_parameters,
    tolerance,
)
from tests.vectors import oracle
from tests.vectors.exact import root
from tests.vectors.oracle import Expected

# Of more classes only margins are counted, from which counts follow by subtraction.
MATRIX_IS_CHEAP = 64
# So many metrics share the drawing of one set of labels.
METRICS_A_CASE = 4


def run(case: Case) -> None:
    """Some metrics of one set of labels, single or multiple."""
    if case.random.random() < 0.2:
        _run_multilabel(case)
    else:
        _run_single_label(case)


def compare(
    case: Case, row: Metric, result: tuple[Any, bool], expected: Expected, weights: str
) -> None:
    """The value, its range, and the warning of 0/0."""
    value, warned = result
    absolute = tolerance(row.name, weights)
    if absolute is not None:
        case.equal(row.name, differences(value, expected.value, absolute=absolute))
    if "adjusted" not in case.inputs["parameters"]:
        case.check(
            within(value, row.range), lambda: f"{row.name}: {value!r} is outside of {row.range}"
        )
    if (
        absolute is not None
        and "zero_division" in options_of(row)
        and case.inputs["zero_division"] == "warn"
    ):
        case.check(
            warned == expected.undefined,
            lambda: f"{row.name}: warned of 0/0: {warned}, value {value!r}",
        )


def _run_single_label(case: Case) -> None:
    """Metrics of one label a sample; of two classes where a binary average is asked for."""
    random = case.random
    binary = random.random() < 0.3
    drawn, positive = draw_two_labels(random) if binary else (draw_labels(random), None)
    weights_kind, weights = draw_weights(random, len(drawn.true))
    y_true = case.given("y_true", label_container(random, drawn.kind, drawn.true))
    y_pred = case.given("y_pred", label_container(random, drawn.kind, drawn.predicted))
    options = {"sample_weight": case.given("sample_weight", weight_container(random, weights))}
    samples = oracle.tally(drawn.true, drawn.predicted, weights)
    if len(samples.labels) > MATRIX_IS_CHEAP and weights_kind in EXTREME:
        weights_kind = LOSSY
    for row in random.sample(METRICS, METRICS_A_CASE):
        case.forget("average", "labels", "pos_label", "zero_division")
        case.given("metric", row.name)
        case.given("parameters", {})
        if row.has_average or row.name == "geometric_mean":
            _check_average(
                case, row, drawn, positive, samples, (y_true, y_pred, options), weights_kind
            )
        else:
            _check_overall(case, row, drawn, samples, (y_true, y_pred, options), weights_kind)


def _check_average(
    case: Case,
    row: Metric,
    drawn: Labels,
    positive: Any,
    samples: oracle.Samples,
    call: Any,
    weights: str,
) -> None:
    """A metric that has one value a class."""
    random = case.random
    y_true, y_pred, options = call
    zero_division = case.given("zero_division", random.choice(ZERO_DIVISIONS))
    averages = ["binary"] if positive is not None else AVERAGES
    if row.name == "geometric_mean":
        averages, zero_division = [*averages, "multiclass"], "warn"
    average = case.given("average", random.choice(averages))
    parameters = draw_parameters(random, row.name)
    if row.name == "geometric_mean" and average != "multiclass":
        parameters = {}
    options = {**options, **case.given("parameters", parameters), "average": average}
    if row.name != "geometric_mean":
        options["zero_division"] = zero_division
    if average == "binary":
        labels = [positive]
        options["pos_label"] = case.given(
            "pos_label", _as_python(positive) if random.random() < 0.5 else positive
        )
        if positive not in samples.labels and len(samples.labels) == 2:
            return
    else:
        labels = _chosen(case, drawn, samples.labels)
        options["labels"] = _given_labels(case, drawn, labels)
    result = _called(case, row, drawn, (y_true, y_pred, options))
    labels = samples.labels if labels is None else labels
    compare(
        case,
        row,
        result,
        _expected_average(row, samples, labels, average, zero_division, parameters),
        weights,
    )


def _called(case: Case, row: Metric, drawn: Labels, call: Any) -> tuple[Any, bool]:
    """The value and whether it warned; short arrays, which are counted at once, give what columns
    do, but for the order of sums.
    """
    y_true, y_pred, options = call
    if drawn.kind == "integers" and (types := fitting([*drawn.true, *drawn.predicted])):
        dtype = case.random.choice(types)
        sides = [np.array(values, dtype=dtype) for values in (drawn.true, drawn.predicted)]
        at_once, apart = (
            quietly(function_of(row), *arrays, **options)
            for arrays in (sides, [side[:, None] for side in sides])
        )
        close = np.allclose(at_once[0], apart[0], rtol=1e-14, atol=0, equal_nan=True)
        same = close and at_once[1] == apart[1]
        case.check(same, lambda: f"{row.name} of {dtype}: {at_once} at once, {apart} as columns")
    return quietly(function_of(row), y_true, y_pred, **options)


def _expected_average(
    row: Metric,
    samples: oracle.Samples,
    labels: Sequence[Any],
    average: str | None,
    zero_division: Any,
    parameters: Any,
) -> Expected:
    """The exact value of a metric that has one value a class."""
    quads = [samples.quad(label) for label in labels]
    if row.name != "geometric_mean":
        return oracle.class_value(
            row.name, quads, average, zero_division=zero_division, **parameters
        )
    if average != "multiclass":
        return Expected(oracle.geometric_mean_of_rates(quads, average), False)
    recalls = [
        oracle.class_value("recall", [quad], "binary").value or parameters["correction"]
        for quad in quads
    ]
    product = math.prod(Fraction(recall) for recall in recalls)
    return Expected(root(product, len(recalls)), False)


def _as_python(label: Any) -> Any:
    """A label as Python has it: a date of NumPy as a date."""
    return label.item() if isinstance(label, np.datetime64) else label


def _chosen(case: Case, drawn: Labels, present: list[Any]) -> list[Any] | None:
    """The labels to average: all, some, or in part such as do not occur; in any order."""
    random = case.random
    if random.random() < 0.6:
        return None
    pool = random.choice([present, drawn.known])
    return random.sample(pool, random.randint(1, len(pool)))


def _covering(case: Case, drawn: Labels, present: list[Any]) -> list[Any]:
    """All labels that occur, perhaps with others, in any order."""
    extra = [label for label in drawn.known if label not in present]
    labels = present + case.random.sample(extra, case.random.randint(0, min(3, len(extra))))
    case.random.shuffle(labels)
    return labels


def _given_labels(case: Case, drawn: Labels, labels: list[Any] | None) -> Any:
    """Labels as an argument, in some container."""
    return case.given(
        "labels", None if labels is None else label_container(case.random, drawn.kind, labels)
    )


def _check_overall(
    case: Case, row: Metric, drawn: Labels, samples: oracle.Samples, call: Any, weights: str
) -> None:
    """A metric that is one value over all classes."""
    random = case.random
    y_true, y_pred, options = call
    options, labels = dict(options), samples.labels
    if row.name == "macro_averaged_mean_absolute_error" and drawn.kind not in (
        "integers",
        "booleans",
    ):
        return
    parameters = draw_parameters(random, row.name)
    needs_order = row.goes_by_order(parameters) and drawn.kind not in ("integers", "booleans")
    if "labels" in options_of(row) and (needs_order or random.random() < 0.5):
        labels = _covering(case, drawn, samples.labels)
        if row.name == "cohen_kappa" and random.random() < 0.5:
            labels = random.sample(labels, random.randint(1, len(labels)))
            if not set(labels) & set(drawn.true):
                return
        options["labels"] = _given_labels(case, drawn, labels)
    if row.name == "expected_cost":
        parameters = {"cost_matrix": draw_costs(random, len(labels))}
    if "zero_division" in options_of(row):
        options["zero_division"] = case.given("zero_division", random.choice(ZERO_DIVISIONS))
    zero_division = options.get("zero_division", "warn")
    given = dict(parameters)
    if row.name == "expected_cost" and "labels" not in options:
        given = {"cost_matrix": costs_of(labels, parameters["cost_matrix"])}
    options.update(case.given("parameters", given))
    result = _called(case, row, drawn, (y_true, y_pred, options))
    expected = oracle.overall_value(
        row.name, samples.matrix(labels), zero_division=zero_division, **parameters
    )
    compare(case, row, result, expected, weights)
    if row.name in ("accuracy", "zero_one_loss"):
        _check_sum(case, row, samples, call)


def _check_sum(case: Case, row: Metric, samples: oracle.Samples, call: Any) -> None:
    """accuracy_score and zero_one_loss without the division."""
    y_true, y_pred, options = call
    right = sum((count for (i, j), count in samples.pairs.items() if i == j), Fraction(0))
    value, _ = quietly(function_of(row), y_true, y_pred, normalize=False, **options)
    exact = right if row.name == "accuracy" else samples.total - right
    # Beside a large sum a small one is lost where it is found by subtraction.
    case.equal(
        f"{row.name}, normalize=False",
        differences(value, exact, absolute=1e-12 * float(samples.total)),
    )


def _run_multilabel(case: Case) -> None:
    """Metrics of 0/1 indicators."""
    random = case.random
    true, predicted = draw_bits(random)
    weights_kind, weights = draw_weights(random, len(true))
    y_true = case.given("y_true", bit_container(random, true))
    y_pred = case.given("y_pred", bit_container(random, predicted))
    options = {"sample_weight": case.given("sample_weight", weight_container(random, weights))}
    # What sparse columns do not touch is the difference to the total.
    if weights_kind in EXTREME and (sparse.issparse(y_true) or sparse.issparse(y_pred)):
        weights_kind = LOSSY
    for row in random.sample(
        [row for row in METRICS if row.has_average or row.multilabel], METRICS_A_CASE
    ):
        case.forget("average", "labels", "pos_label", "zero_division")
        case.given("metric", row.name)
        case.given("parameters", {})
        if row.has_average:
            _check_multilabel_average(
                case, row, (true, predicted, weights), (y_true, y_pred, options), weights_kind
            )
            continue
        share = oracle.exact_share(true, predicted, weights)
        if row.multilabel == "class counts":
            quads = oracle.quads_of_rows(true, predicted, weights)
            share = oracle.class_value("one_vs_rest_accuracy", quads, "macro").value
        result = quietly(function_of(row), y_true, y_pred, **options)
        compare(
            case,
            row,
            result,
            Expected(share if row.name == "accuracy" else 1 - share, False),
            weights_kind,
        )


def _check_multilabel_average(
    case: Case, row: Metric, plain: Any, call: Any, weights_kind: str
) -> None:
    """A metric that has one value a label, or a sample."""
    random = case.random
    true, predicted, weights = plain
    y_true, y_pred, options = call
    average = case.given("average", random.choice([*AVERAGES, "samples"]))
    zero_division = case.given("zero_division", random.choice(ZERO_DIVISIONS))
    parameters = case.given("parameters", draw_parameters(random, row.name))
    width = len(true[0])
    labels = (
        random.sample(range(width), random.randint(1, width))
        if random.random() < 0.3
        else list(range(width))
    )
    case.given("labels", labels)
    true, predicted = (
        [[line[label] for label in labels] for line in rows] for rows in (true, predicted)
    )
    options = {
        **options,
        **parameters,
        "labels": labels,
        "average": average,
        "zero_division": zero_division,
    }
    result = quietly(function_of(row), y_true, y_pred, **options)
    if average == "samples":
        shares = oracle.exact_weights(weights, len(true))
        pairs = zip(true, predicted, shares, strict=True)
        quads = [
            oracle.tally(*lines, [bool(share)] * width_of(lines)).quad(1) for *lines, share in pairs
        ]
    else:
        shares, quads = None, oracle.quads_of_rows(true, predicted, weights)
    expected = oracle.class_value(
        row.name, quads, average, zero_division=zero_division, weights=shares, **parameters
    )
    compare(case, row, result, expected, weights_kind)


def width_of(lines: Sequence[Sequence[int]]) -> int:
    """The number of labels of one sample."""
    return len(lines[0])
