"""Scorers on stubs of models that predict labels or probabilities of any shape, by brute force."""

import warnings
from typing import Any

import numpy as np

from skmetrics_ext import ConfusionMatrix, ConfusionScorer, get_scorer, labels_from_scores
from skmetrics_ext.catalogue.rows import METRICS, Metric
from tests.doubles import Answering, AnsweringClassifier
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import CANCELLED, differences
from tests.fuzz.containers import label_array, label_container, weight_container
from tests.fuzz.data import draw_labels, draw_weights
from tests.fuzz.parameters import EXTREME, draw_parameters
from tests.fuzz.response_oracle import Rule, labels_of_rows, labels_of_scores
from tests.vectors import oracle

KINDS = {"integers": 3, "strings": 3}
# Probabilities are multiples of this, so that ties and products are exact.
STEP = 1 / 16


def run(case: Case) -> None:
    """A model that gives labels, or one that gives probabilities."""
    case.random.choices([_run_labels, _run_rule, _run_probabilities], [2, 1, 3])[0](case)


def _run_labels(case: Case) -> None:
    """The scorers of names, on predicted labels."""
    random = case.random
    drawn = draw_labels(random, KINDS, most=5)
    kind, weights = draw_weights(random, len(drawn.true))
    y_true = case.given("y_true", label_container(random, drawn.kind, drawn.true))
    y_pred = case.given("y_pred", label_container(random, drawn.kind, drawn.predicted))
    model = AnsweringClassifier(label_array(drawn.known), {"predict": y_pred}).fit()
    sample_weight = case.given("sample_weight", weight_container(random, weights))
    samples = oracle.tally(drawn.true, drawn.predicted, weights)
    for row in random.sample(METRICS, 3):
        parameters = draw_parameters(random, row.name)
        needs_order = row.name == "macro_averaged_mean_absolute_error" or row.goes_by_order(
            parameters
        )
        if row.name in ("expected_cost", "geometric_mean") or (
            needs_order and drawn.kind == "strings"
        ):
            continue
        average = random.choice(["macro", "micro", "weighted"]) if row.has_average else None
        name = case.given("scorer", row.scorer_name + (f"_{average}" if average else ""))
        scorer = get_scorer(name, **case.given("parameters", parameters))
        found, _ = quietly(scorer, model, None, y_true, sample_weight=sample_weight)
        _compare(case, name, found, _expected(row, samples, average, parameters), kind)


def _expected(
    row: Metric, samples: oracle.Samples, average: str | None, parameters: Any, positive: Any = None
) -> Any:
    """The exact score, negated where lower is better."""
    if row.has_average:
        labels = [positive] if average == "binary" else samples.labels
        quads = [samples.quad(label) for label in labels]
        value = oracle.class_value(row.name, quads, average, **parameters).value
    else:
        value = oracle.overall_value(row.name, samples.matrix(samples.labels), **parameters).value
    return -value if row.better == "lower" else value


def _compare(case: Case, name: str, found: float, expected: Any, kind: str) -> None:
    """A score against the exact one; extreme weights are the matter of the functions."""
    if kind not in EXTREME:
        case.equal(name, differences(found, expected, absolute=CANCELLED))


def _draw_rule(case: Case, n_classes: int) -> Rule:
    """A rule that fits so many classes."""
    random = case.random
    kind = random.choice(["none", "number", "number a class", "costs"])
    if kind == "number" and n_classes == 2:
        return Rule(random.randint(0, 16) * STEP, random.choice(["positive", "negative"]))
    if kind == "number a class":
        return Rule([2.0 ** -random.randint(0, 3) for _ in range(n_classes)])
    if kind == "costs":
        costs = [
            [random.choice([0, 1, 2, 5, -1]) for _ in range(n_classes)] for _ in range(n_classes)
        ]
        return Rule(cost_matrix=costs)
    return Rule()


def _draw_rows(case: Case, size: int, n_classes: int) -> list[list[float]]:
    """Probabilities that sum to 1, with ties and certainty."""
    rows = []
    for _ in range(size):
        cuts = sorted(case.random.randint(0, 16) for _ in range(n_classes - 1))
        rows.append(
            [(high - low) * STEP for low, high in zip([0, *cuts], [*cuts, 16], strict=True)]
        )
    return rows


def _draw_classes(case: Case, least: int = 2) -> tuple[str, list[Any], list[Any]]:
    """A kind of labels, the classes of a model, and the true labels, of which the model may lack
    some.
    """
    random = case.random
    drawn = draw_labels(random, KINDS, most=5)
    while len(drawn.known) < least:
        drawn = draw_labels(random, KINDS, most=5)
    classes = list(drawn.known)
    if len(classes) > 3 and random.random() < 0.3:
        classes.remove(random.choice(classes))
    return drawn.kind, classes, drawn.true


def _run_rule(case: Case) -> None:
    """`labels_from_scores` of one or two columns, or of more, with classes in any order."""
    random = case.random
    _, classes, true = _draw_classes(case)
    random.shuffle(classes)
    case.given("classes", classes)
    rule = _draw_rule(case, len(classes))
    positive = case.given("pos_label", random.choice(classes)) if len(classes) == 2 else None
    rows = _draw_rows(case, len(true), len(classes))
    options = {**rule.options, "classes": classes}
    if len(classes) == 2:
        options["pos_label"] = positive
    if len(classes) == 2 and random.random() < 0.6:
        scores = [row[1] for row in rows]
        given = np.array(scores)[:, None] if random.random() < 0.5 else scores
        expected = labels_of_scores(scores, classes, positive, positive, rule)
    else:
        given, expected = np.array(rows), labels_of_rows(rows, classes, positive, rule)
    case.given("y_score", given), case.given("options", options)
    found, _ = quietly(labels_from_scores, given, **options)
    case.check(
        found.tolist() == expected,
        lambda: f"labels_from_scores: got {found.tolist()}, expected {expected}",
    )


def _run_probabilities(case: Case) -> None:
    """ConfusionScorer and get_scorer of models that give probabilities, by a rule or without."""
    random = case.random
    kind, classes, true = _draw_classes(case)
    case.given("classes", classes)
    rule = _draw_rule(case, len(classes))
    rows = _draw_rows(case, len(true), len(classes))
    positive = case.given("pos_label", random.choice(classes)) if len(classes) == 2 else None
    model, options, predicted = _model(case, classes, rows, positive, rule)
    weights_kind, weights = draw_weights(random, len(true))
    y_true = case.given("y_true", label_container(random, kind, true))
    sample_weight = case.given("sample_weight", weight_container(random, weights))
    samples = oracle.tally(true, predicted, weights)
    rows_of_names = [row for row in METRICS if row.has_average and not row.required]
    average = "binary" if len(classes) == 2 and set(samples.labels) <= set(classes) else "macro"
    chosen = {}
    for row in random.sample(rows_of_names, 4):
        own = (
            random.choice(["macro", "micro", "weighted"])
            if average == "macro" or random.random() < 0.5
            else average
        )
        chosen[row.scorer_name + ("" if own == "binary" else f"_{own}")] = row, own
    if average == "binary":
        options["pos_label"] = positive
    case.given("metrics", list(chosen)), case.given("options", options)
    own_options = _arrays(options)
    scorer = ConfusionScorer(list(chosen), **own_options)
    for option in own_options.values():
        if isinstance(option, np.ndarray):
            option[...] = option.flat[-1]
    found = _scores(scorer, model, y_true, sample_weight)
    for name, (row, own) in chosen.items():
        _compare(case, name, found[name], _expected(row, samples, own, {}, positive), weights_kind)
    if hasattr(model, "predict_proba") and rule.options and average == "binary":
        _check_single(case, chosen, options, model, (y_true, sample_weight), found)
    _check_each_class(case, options, model, samples, (y_true, sample_weight), weights_kind)
    _check_matrix(
        case, classes, rows, positive, rule, (true, y_true, sample_weight, weights), weights_kind
    )


def _model(
    case: Case, classes: list[Any], rows: list[list[float]], positive: Any, rule: Rule
) -> Any:
    """A stub, the options that a scorer of it needs, and the labels that it stands for."""
    form = case.given(
        "model", case.random.choice(["classifier", "columns", "column", "scores", "decisions"])
    )
    options = dict(rule.options)
    if form == "decisions" and len(classes) == 2 and rule == Rule():
        decisions = np.array([row[1] - 0.5 for row in rows])
        options["response_method"] = "decision_function"
        predicted = [
            classes[int(value > 0 or (value == 0 and positive == classes[1]))]
            for value in decisions
        ]
        return _classifier(classes, predicted, decision_function=decisions), options, predicted
    if form == "classifier":
        if isinstance(classes[0], str) and (
            rule.cost_matrix is not None or isinstance(rule.threshold, list)
        ):
            options["classes"] = classes
        certain = [classes[np.argmax(row)] for row in rows]
        model = _classifier(classes, certain, predict_proba=np.array(rows))
        return model, options, labels_of_rows(rows, classes, positive, rule)
    options["classes"] = classes
    if form == "columns" or len(classes) > 2:
        return Answering(np.array(rows)), options, labels_of_rows(rows, classes, positive, rule)
    scores = [row[1] for row in rows]
    given = np.array(scores)[:, None] if form == "column" else np.array(scores)
    return Answering(given), options, labels_of_scores(scores, classes, classes[1], positive, rule)


def _classifier(classes: list[Any], predicted: list[Any], **answers: Any) -> AnsweringClassifier:
    """A classifier that predicts so, and has the other answers too."""
    return AnsweringClassifier(
        label_array(classes), {"predict": label_array(predicted), **answers}
    ).fit()


def _arrays(options: dict[str, Any]) -> dict[str, Any]:
    """The options as arrays of their own, which may then be overwritten."""
    return {
        name: label_array(value) if name == "classes" else _array(value)
        for name, value in options.items()
    }


def _array(value: Any) -> Any:
    """Lists as arrays, anything else as it is."""
    return np.array(value) if isinstance(value, list) else value


def _scores(scorer: Any, model: Any, y_true: Any, sample_weight: Any) -> Any:
    """What a scorer gives; that a model never saw a label is worth a warning, which is not the
    point here.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scorer(model, None, y_true, sample_weight=sample_weight)


def _check_single(
    case: Case, chosen: Any, options: Any, model: Any, data: Any, found: dict[str, float]
) -> None:
    """The scorer of one name gives what that of many gives under the name."""
    for name, (_, own) in chosen.items():
        single = (
            options
            if own == "binary"
            else {key: value for key, value in options.items() if key != "pos_label"}
        )
        if "threshold" in single and own != "binary" and np.ndim(single["threshold"]) == 0:
            continue
        value = _scores(get_scorer(name, **single), model, *data)
        case.equal(f"get_scorer({name!r})", differences(value, found[name]))


def _check_each_class(
    case: Case, options: Any, model: Any, samples: oracle.Samples, data: Any, kind: str
) -> None:
    """The recall and the counts of each class, under its name."""
    scorer = ConfusionScorer(["recall_macro"], per_class=True, counts=True, **options)
    found = _scores(scorer, model, *data)
    absolute = 0.0 if kind in EXTREME else CANCELLED
    for label in samples.labels:
        quad = samples.quad(label)
        names = [
            f"{name}_{label}"
            for name in ("true_positive", "false_positive", "true_negative", "false_negative")
        ]
        expected = [quad.tp, quad.fp, quad.tn, quad.fn]
        case.equal(
            f"counts of {label!r}",
            differences([found[name] for name in names], expected, absolute=absolute),
        )
        recall = oracle.class_value("recall", [quad], "binary").value
        case.equal(
            f"recall of {label!r}", differences(found[f"recall_{label}"], recall, absolute=absolute)
        )


def _check_matrix(
    case: Case, classes: Any, rows: Any, positive: Any, rule: Rule, data: Any, weights_kind: str
) -> None:
    """ConfusionMatrix.from_scores counts what the rule predicts."""
    true, y_true, sample_weight, weights = data
    if not set(true) <= set(classes):
        return
    options = {**rule.options, "classes": classes, "sample_weight": sample_weight}
    if positive is not None:
        options["pos_label"] = positive
    given, predicted = np.array(rows), labels_of_rows(rows, classes, positive, rule)
    if positive is not None and case.random.random() < 0.5:
        given = given[:, classes.index(positive)]
        predicted = labels_of_scores(given.tolist(), classes, positive, positive, rule)
    matrix, _ = quietly(ConfusionMatrix.from_scores, y_true, given, **options)
    exact = oracle.tally(true, predicted, weights).matrix(classes)
    absolute = 0.0 if weights_kind in EXTREME else 1e-9
    expected = [count for row in exact.cells for count in row]
    case.equal("from_scores", differences(matrix.counts.ravel(), expected, absolute=absolute))
