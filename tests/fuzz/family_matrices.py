"""ConfusionMatrix: chunks, groups, sums, other orders and saved states are all the same counts."""

import json
import math
import pickle
from typing import Any

import polars as pl

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import differences
from tests.fuzz.containers import label_container, weight_container
from tests.fuzz.data import Labels, draw_labels, draw_weights
from tests.fuzz.parameters import EXTREME, costs_of, draw_costs, draw_parameters, tolerance
from tests.vectors import oracle


def run(case: Case) -> None:
    """One matrix, made in all ways."""
    random = case.random
    drawn = draw_labels(random, most=6)
    kind, weights = draw_weights(random, len(drawn.true))
    y_true = case.given("y_true", _without_order(label_container(random, drawn.kind, drawn.true)))
    y_pred = case.given(
        "y_pred", _without_order(label_container(random, drawn.kind, drawn.predicted))
    )
    sample_weight = case.given("sample_weight", weight_container(random, weights))
    whole, _ = quietly(
        ConfusionMatrix.from_predictions, y_true, y_pred, sample_weight=sample_weight
    )
    samples = oracle.tally(drawn.true, drawn.predicted, weights)
    _check_counts(case, "from_predictions", whole, samples, samples.labels)
    _check_saved(case, whole)
    _check_owned(case, whole)
    _check_chunks(case, drawn, weights, samples)
    _check_groups(case, drawn, weights, (y_true, y_pred, sample_weight))
    _check_order(case, drawn, whole, samples)
    _check_score(case, drawn, whole, samples, kind)


def _without_order(labels: Any) -> Any:
    """Labels that declare no order, which another family is about: those of an Enum as strings."""
    return (
        labels.cast(pl.String)
        if isinstance(labels, pl.Series) and labels.dtype == pl.Enum
        else labels
    )


def _check_counts(
    case: Case, name: str, matrix: Any, samples: oracle.Samples, labels: list[Any]
) -> None:
    """Every cell; sums of floats may round."""
    case.check(list(matrix.labels) == labels, lambda: f"{name}: {matrix.labels!r}, not {labels!r}")
    expected = [count for row in samples.matrix(labels).cells for count in row]
    case.equal(name, differences(matrix.counts.ravel(), expected, absolute=0.0))


def _check_saved(case: Case, whole: Any) -> None:
    """States survive pickle, and JSON where Python has the labels."""
    case.check(pickle.loads(pickle.dumps(whole)) == whole, "the matrix is another one after pickle")
    if whole.labels.dtype.kind not in "SM":
        state = json.loads(json.dumps(whole.to_dict()))
        case.check(
            ConfusionMatrix.from_dict(state) == whole, "the matrix is another one after JSON"
        )


def _check_owned(case: Case, whole: Any) -> None:
    """What a user does with arrays that a matrix was made of does not reach it."""
    counts, labels = whole.counts.copy(), whole.labels.copy()
    made = ConfusionMatrix.from_counts(counts, labels=labels)
    counts[...] = 77
    labels[...] = labels[0]
    case.check(made == whole, "the matrix changed with the counts or labels that it was made of")


def _check_chunks(case: Case, drawn: Labels, weights: Any, samples: oracle.Samples) -> None:
    """Chunks in any order, each with the labels that it has, add up to the whole."""
    random = case.random
    size = len(drawn.true)
    places = [random.randrange(random.randint(1, 4)) for _ in range(size)]
    chunks = []
    for place in sorted(set(places)):
        kept = [i for i in range(size) if places[i] == place]
        own = None if weights is None else [weights[i] for i in kept]
        if own is None or any(own):
            sides = ([side[i] for i in kept] for side in (drawn.true, drawn.predicted))
            chunk, _ = quietly(ConfusionMatrix.from_predictions, *sides, sample_weight=own)
            chunks.append(chunk)
    random.shuffle(chunks)
    total = chunks[0]
    for chunk in chunks[1:]:
        total = total + chunk
    # A chunk of no weight cannot be counted, and with it goes a label that has no other samples.
    labels = [label for label in samples.labels if label in list(total.labels)]
    _check_counts(case, "the sum of chunks", total, samples, labels)


def _check_groups(case: Case, drawn: Labels, weights: Any, given: Any) -> None:
    """Each group has the counts that it has apart, and all together those of the whole."""
    random = case.random
    y_true, y_pred, sample_weight = given
    names = random.choice([["a", "b", "c"], [2024, 2025], [0], list(range(7))])
    groups = case.given("by", random.choices(names, k=len(drawn.true)))
    by_group, _ = quietly(
        ConfusionMatrix.from_predictions, y_true, y_pred, sample_weight=sample_weight, by=groups
    )
    order = sorted(set(groups))
    exact = oracle.exact_weights(weights, len(groups))
    labels = sorted({*drawn.true, *drawn.predicted})
    for place, group in enumerate(order):
        own = [weight if one == group else 0 for one, weight in zip(groups, exact, strict=True)]
        samples = oracle.tally(drawn.true, drawn.predicted, own)
        expected = [count for row in samples.matrix(labels).cells for count in row]
        case.equal(
            f"group {group!r}", differences(by_group.counts[place].ravel(), expected, absolute=0.0)
        )
    _check_counts(
        case,
        "the sum of groups",
        by_group.sum("group"),
        oracle.tally(drawn.true, drawn.predicted, weights),
        labels,
    )


def _check_order(case: Case, drawn: Labels, whole: Any, samples: oracle.Samples) -> None:
    """Another order of labels, with others besides."""
    labels = list(drawn.known)
    case.random.shuffle(labels)
    moved, _ = quietly(whole.with_labels, label_container(case.random, drawn.kind, labels))
    _check_counts(case, "with_labels", moved, samples, labels)


def _check_score(case: Case, drawn: Labels, whole: Any, samples: oracle.Samples, kind: str) -> None:
    """Any metric of the matrix is that of its samples."""
    random = case.random
    row = random.choice([row for row in METRICS if row.name != "geometric_mean"])
    parameters = draw_parameters(random, row.name)
    needs_numbers = (
        row.goes_by_order(parameters) or row.name == "macro_averaged_mean_absolute_error"
    )
    if needs_numbers and drawn.kind not in ("integers", "booleans"):
        return
    if row.name == "expected_cost":
        parameters = {"cost_matrix": draw_costs(random, len(samples.labels))}
    options: dict[str, Any] = {"zero_division": random.choice(["warn", 0, 1, math.nan])}
    zero_division = options["zero_division"]
    if row.has_average:
        options["average"] = random.choice(
            [None, "macro", "micro", "weighted", *["binary"] * (len(samples.labels) == 2)]
        )
        labels = samples.labels
        if options["average"] == "binary":
            labels = [random.choice(samples.labels)]
            options["pos_label"] = labels[0]
        quads = [samples.quad(label) for label in labels]
        expected = oracle.class_value(
            row.name, quads, options["average"], zero_division=zero_division, **parameters
        )
    else:
        matrix = samples.matrix(samples.labels)
        expected = oracle.overall_value(row.name, matrix, zero_division=zero_division, **parameters)
    case.given("metric", row.name), case.given("options", {**options, **parameters})
    if row.name == "expected_cost":
        parameters = {"cost_matrix": costs_of(samples.labels, parameters["cost_matrix"])}
    found, _ = quietly(whole.score, row.name, **options, **parameters)
    absolute = tolerance(row.name, kind)
    if absolute is not None and (kind not in EXTREME or row.has_average):
        case.equal(f"score({row.name!r})", differences(found, expected.value, absolute=absolute))
