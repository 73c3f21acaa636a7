"""Columns of a table of any engine -> the fields of a confusion matrix."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import check_name_of_column, inferred_classes
from skmetrics_ext.adapter.positive import known_positive, positive_of, second_of
from skmetrics_ext.adapter.rule import Decision, Rule, bound_rule, decide
from skmetrics_ext.counting.axes import axis_of_column
from skmetrics_ext.engines.decisions import check_range, columns_in_range, with_decision
from skmetrics_ext.engines.groups import WEIGHT, GroupedRows, Key, Missing, counted_groups
from skmetrics_ext.engines.numbers import with_scores, with_weights
from skmetrics_ext.engines.tables import as_list, choose_columns, columns_of_groups, open_table
from skmetrics_ext.matrices.from_data import check_among, check_covered, ranked, ranked_by
from skmetrics_ext.matrices.partial_labels import check_actual, fields_of_cells
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.arguments import check_choice
from skmetrics_ext.reading.groups import Groups, check_cells, in_order_of_ranking
from skmetrics_ext.reading.labels import column_from_codes, named_classes, read_order
from skmetrics_ext.reading.names import NamedNumbers, places_of
from skmetrics_ext.reading.order import check_same_kind, position_of, show, show_names
from skmetrics_ext.reading.pairs import Encoded, Indicators, encode
from skmetrics_ext.writing.progress import Progress


class FrameColumns(NamedTuple):
    """The columns of a table for a confusion matrix, as named by the caller."""

    actual: Any
    predicted: Any
    scores: Any
    by: Any
    sample_weight: Any
    count: Any
    strata: Any


class ScoreColumns(NamedTuple):
    """The columns of scores, their classes if known, and these in the caller's order if given."""

    columns: list[Any]
    classes: NDArray[Any] | None
    named: NDArray[Any] | None


def fields_of_frame(
    frame: Any,
    columns: FrameColumns,
    rule: Rule,
    classes: LabelsLike | None,
    labels: LabelsLike | None,
    missing: Missing | None,
    progress: Progress,
) -> dict[str, Any]:
    """Actual labels against predicted ones, or against those that a rule derives from scores, for
    each group.
    """
    _check_contradictions(columns, rule, classes, labels, missing)
    order = None if labels is None else read_order(labels)
    read = None if columns.scores is None else _read_score_columns(columns.scores, classes)
    named = None if read is None else read.named
    default_positive = second_of(order if read is None else named)
    rule = rule._replace(default_positive=default_positive, ranking=named)
    decision = None if read is None else _decision(rule, read)

    source = open_table(frame)
    groups_of = columns_of_groups(source, columns.by)
    asked = {"actual": ("actual", columns.actual)}
    if read is None:
        asked["predicted"] = ("predicted", columns.predicted)
    strata_of = {
        f"stratum_{k}": ("strata", column) for k, column in enumerate(as_list(columns.strata))
    }
    is_partial = columns.strata is not None
    keys = [Key(own, own, may_be_missing=is_partial and own == "actual") for own in asked]
    keys += [Key(own, "strata", is_group=True) for own in strata_of]
    keys += [Key(own, f"by={name!r}", is_group=True) for own, (name, _) in groups_of.items()]
    asked |= strata_of | {own: ("by", column) for own, (_, column) in groups_of.items()}
    scores = (
        {}
        if read is None
        else {f"score_{k}": ("scores", column) for k, column in enumerate(read.columns)}
    )
    weighted_by = "count" if columns.count is not None else "sample_weight"
    weight = columns.count if columns.count is not None else columns.sample_weight
    weights = {} if weight is None else {WEIGHT: (weighted_by, weight)}

    table = choose_columns(source, asked | scores | weights)
    if weight is not None:
        table = with_weights(table, WEIGHT, weighted_by)
    if decision is not None:
        table = with_decision(with_scores(table, [*scores]), [*scores], decision, rule.ties)
    argument, scored = (
        None if weight is None else weighted_by,
        None if decision is None else "scores",
    )
    in_range = () if decision is None else columns_in_range(decision, [*scores])
    groups = counted_groups(
        table,
        keys,
        missing,
        weighted_by=argument,
        has_scores=scored,
        in_range=in_range,
        progress=progress,
    )
    n_labels = 1 if read is not None else 2
    of_groups = map(in_order_of_ranking, groups.keys[n_labels + len(strata_of) :])
    by = Groups([name for name, _ in groups_of.values()], [*of_groups])
    if read is None or decision is None:
        encoded = encode(
            groups.keys[0], groups.keys[1], labels=order, names=("actual", "predicted")
        )
        encoded = ranked_by(encoded, order, "labels")
        if is_partial:
            check_actual(groups.keys[0], groups.keys[1], order, "actual")
    else:
        check_range(decision, len(read.columns), groups.least, groups.most)
        encoded = _encoded_decisions(groups, read, decision, rule)
    assert isinstance(encoded, Encoded)
    positive = known_positive(encoded.labels, rule.pos_label, rule.default_positive)
    if is_partial:
        strata = Groups([*strata_of], groups.keys[n_labels : n_labels + len(strata_of)])
        return fields_of_cells(encoded, ~groups.lacks_label, strata, by, positive, groups.weights)
    fields = fields_of_rows(encoded, by, groups.weights)
    return fields | {"pos_label": positive, "weighted": columns.sample_weight is not None}


def _check_contradictions(
    columns: FrameColumns,
    rule: Rule,
    classes: LabelsLike | None,
    labels: LabelsLike | None,
    missing: Missing | None,
) -> None:
    """Refuse options that contradict each other, before anything is counted."""
    check_choice(missing, "missing", (None, "drop", "label"))
    if (columns.predicted is None) == (columns.scores is None):
        raise ValueError(
            "pass either predicted, the column of labels, or scores=; for arrays, use from_labels."
        )
    if columns.sample_weight is not None and columns.count is not None:
        raise ValueError(
            "count is a number of samples, sample_weight the weight of one: pass only one of them."
        )
    if columns.strata is not None and (columns.sample_weight is not None or missing is not None):
        raise ValueError(
            "strata= counts samples, those without a label too: pass no sample_weight and no "
            "missing=."
        )
    if columns.scores is not None and labels is not None:
        raise ValueError(
            "labels= gives the order of predicted labels: with scores=, list the classes with "
            "classes=."
        )
    needs_scores = {"classes": classes is not None, "threshold": rule.threshold is not None}
    needs_scores |= {"ties": rule.ties != "positive", "cost_matrix": rule.cost_matrix is not None}
    if columns.scores is None and any(needs_scores.values()):
        found = ", ".join(name for name, is_given in needs_scores.items() if is_given)
        raise ValueError(
            f"{found} convert scores to labels, but predicted= already has labels: pass scores= "
            "instead."
        )


def _read_score_columns(scores: Any, classes: LabelsLike | None) -> ScoreColumns:
    """The columns of scores in the order of their classes."""
    named = named_classes(classes)
    if isinstance(scores, dict):
        if len(scores) < 2:
            raise ValueError(
                "scores as a dict names the column of each class: pass two or more, or the name of "
                "one."
            )
        order = np.sort(read_order(list(scores), "scores")) if named is None else named
        places = places_of(
            order, list(scores), "the columns of scores", "name one column per class."
        )
        if len(places) < len(scores):
            raise ValueError(
                f"scores has columns for {show_names(list(scores))}, but classes lists "
                f"{show(order)}."
            )
        in_order = list(scores.values())
        return ScoreColumns([in_order[place] for place in places], order, named)
    columns = as_list(scores)
    if not columns:
        raise ValueError(
            "scores is empty: pass the column of the positive class, or one column per class."
        )
    if len(columns) > 1 and named is None:
        raise ValueError(
            f"scores lists {len(columns)} columns: specify their classes=[...] in order, or pass "
            "a dict."
        )
    return ScoreColumns(columns, named, named)


def _decision(rule: Rule, read: ScoreColumns) -> Decision:
    """The decision by the rule; one threshold for one column does not depend on the classes."""
    n_columns = None if len(read.columns) == 1 else len(read.columns)
    if read.classes is not None:
        return decide(rule, read.classes, n_columns)
    if (
        rule.cost_matrix is not None
        or isinstance(rule.threshold, NamedNumbers)
        or np.ndim(rule.threshold or 0)
    ):
        raise ValueError(
            "with one column of scores, costs and per-class thresholds need classes=[negative, "
            "positive]."
        )
    return Decision("reached", None, rule.threshold)


def _encoded_decisions(
    groups: GroupedRows, read: ScoreColumns, decision: Decision, rule: Rule
) -> Encoded | Indicators:
    """Actual labels and decisions in codes of the classes."""
    true, decided = groups.keys[0], groups.decided
    order = (
        inferred_classes(true.labels, 2, ("actual", "scores"))
        if read.classes is None
        else read.classes
    )
    check_same_kind(true.labels, order, "actual", "classes")
    check_among(order, true.labels, "actual")
    if read.classes is None:
        bound_rule(rule, order)
    if len(read.columns) == 1:
        label = positive_of(order, rule.pos_label, rule.default_positive)
        decision = decision._replace(class_position=position_of(order, label))
        if isinstance(read.columns[0], str):
            check_name_of_column(read.columns[0], order, label, "scores")
    if decision.method == "reached":
        position = decision.class_position or 0
        decided = np.where(decided == 1, position, 1 - position)
    pred = column_from_codes(np.asarray(decided, dtype=np.int64), order)
    encoded = encode(true, pred, labels=order, names=("actual", "scores"))
    return ranked_by(encoded, read.named, "classes")


def fields_of_rows(encoded: Encoded, by: Groups, weights: NDArray[Any]) -> dict[str, Any]:
    """The weights of rows of a table in the cells of a matrix, for each combination of groups."""
    order = encoded.labels
    check_covered(order, encoded.present)
    check_cells(by.names, by.lengths, len(order) ** 2)
    counts = np.zeros((*by.lengths, len(order), len(order)), dtype=weights.dtype)
    # One after the other, and exactly: bincount sums in float64.
    np.add.at(
        counts, (*(column.codes for column in by.columns), encoded.true, encoded.pred), weights
    )
    axes = tuple(map(axis_of_column, by.names, by.columns))
    return ranked(counts, order, encoded.rankings) | {"axes": axes}
