"""Columns of a table of any engine, or of a file, -> the fields of a confusion matrix."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import check_name_of_column, inferred_classes
from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.adapter.rule import Decision, Rule, bound_rule, decide
from skmetrics_ext.counting.axes import axis_of_column
from skmetrics_ext.counting.counted import at_labels
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    Clusters,
    CrossedUnits,
    SampleDesign,
    crossed_design,
    design_of_clustered_rows,
    design_of_weighted_rows,
)
from skmetrics_ext.engines.decisions import check_range, columns_in_range, with_decision
from skmetrics_ext.engines.files import counted_file
from skmetrics_ext.engines.groups import GroupedRows, Key, Missing, Moments, counted_groups
from skmetrics_ext.engines.likely_counts import warn_of_counts_in_table
from skmetrics_ext.engines.numbers import WEIGHT, weights_asked, with_scores, with_weights
from skmetrics_ext.engines.tables import (
    Source,
    Table,
    as_list,
    choose_columns,
    columns_of_groups,
    open_table,
)
from skmetrics_ext.matrices.from_data import WITHOUT_WEIGHTS, ranked, ranked_by, units_of_columns
from skmetrics_ext.matrices.partial_labels import check_actual, fields_of_cells
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.arguments import check_choice
from skmetrics_ext.reading.groups import (
    Groups,
    check_cells,
    in_order_of_ranking,
    refuse_readers_first,
)
from skmetrics_ext.reading.labels import column_from_codes, named_classes, read_order
from skmetrics_ext.reading.names import NamedNumbers, places_of
from skmetrics_ext.reading.order import (
    check_among,
    check_covered,
    check_same_kind,
    show,
    show_names,
)
from skmetrics_ext.reading.pairs import Encoded, Indicators, encode
from skmetrics_ext.reading.spelling import why_disjoint
from skmetrics_ext.writing.progress import Progress


class FrameColumns(NamedTuple):
    """The columns of a table, as named by the caller."""

    actual: Any
    predicted: Any
    scores: Any
    by: Any
    sample_weight: Any
    count: Any
    strata: Any
    clusters: Any


class ScoreColumns(NamedTuple):
    """The columns of scores, their classes if known, and the caller's order of these."""

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
    """Actual labels against predicted ones, or those of a rule from scores, for each group."""
    _check_contradictions(columns, rule, classes, labels, missing)
    order = None if labels is None else read_order(labels)
    scored = None if columns.scores is None else _read_score_columns(columns.scores, classes)
    named = None if scored is None else scored.named
    rule = rule._replace(
        default_positive=second_of(order if scored is None else named), ranking=named
    )
    decision = None if scored is None else _decision(rule, scored)

    source = open_table(frame)
    asked = _asked_columns(source, columns, scored)
    groups = counted_groups(
        _table_to_count(source, asked, decision, rule),
        asked.keys(),
        missing,
        weighted_by=asked.weighted_by,
        has_scores=None if decision is None else "scores",
        in_range=() if decision is None else columns_in_range(decision, [*asked.scores]),
        progress=progress,
    )
    if asked.weighted_by is None:
        warn_of_counts_in_table(source, asked.names(), int(groups.weights.sum()))

    if scored is None or decision is None:
        encoded = _encoded_labels(groups, order, is_partial=asked.is_partial)
    else:
        check_range(decision, len(scored.columns), groups.least, groups.most)
        encoded = _encoded_decisions(groups, scored, decision, rule)
    assert isinstance(encoded, Encoded)
    positive = known_positive(encoded.labels, rule.pos_label, rule.default_positive)
    strata, by, clusters = _strata_groups_and_clusters(groups, asked)
    if isinstance(clusters, CrossedUnits) and asked.weighted_by is not None:
        raise ValueError(WITHOUT_WEIGHTS)
    if asked.is_partial:
        return fields_of_cells(encoded, ~groups.lacks_label, strata, by, positive, groups.weights)
    fields = fields_of_rows(encoded, by, groups.weights) | {"pos_label": positive}
    return _with_design(fields, encoded, by, groups.weights, groups.moments, clusters)


# By their names in the table that is counted: the argument and the column.
Asked = dict[str, tuple[str, Any]]


def fields_of_file(
    file: str,
    actual: str,
    predicted: str,
    by: Sequence[str],
    clusters: str | None,
    count: str | None,
) -> dict[str, Any]:
    """Actual labels against predicted ones of a file, for each group."""
    if len({*by}) < len(by):
        raise ValueError(f"by contains a name twice: {show_names(by)}. Name each axis once.")
    asked = [("actual", actual), ("predicted", predicted), *(("by", name) for name in by)]
    if clusters is not None:
        asked.append(("clusters", clusters))
    columns, numbers = counted_file(file, asked, count)
    names = "actual", "predicted"
    if sentence := why_disjoint(columns[0].labels, columns[1].labels, names):
        # A command gives a verdict, which a warning does not stop.
        raise ValueError(f"{sentence}.")
    encoded = encode(columns[0], columns[1], names=names)
    assert isinstance(encoded, Encoded), "a column holds one label per row"
    groups = Groups([*by], columns[2 : 2 + len(by)])
    fields = fields_of_rows(encoded, groups, numbers)
    fields |= {"pos_label": known_positive(encoded.labels, None)}
    of_clusters = None if clusters is None else units_of_columns(columns[-1:])
    return _with_design(fields, encoded, groups, numbers, None, of_clusters)


class _AskedColumns(NamedTuple):
    """The columns that are read, by what they are."""

    labels: Asked
    strata: Asked
    by: Asked
    clusters: Asked
    scores: Asked
    weights: Asked
    # The caller's names of the columns of groups.
    names_of_by: list[str]
    # Whether actual labels may be missing, in one stratum or several.
    is_partial: bool

    @property
    def weighted_by(self) -> str | None:
        """The argument that asks for weights."""
        return next((argument for argument, _ in self.weights.values()), None)

    def together(self) -> Asked:
        """All of them."""
        keys = self.labels | self.strata | self.by | self.clusters
        return keys | self.scores | self.weights

    def names(self) -> list[Any]:
        """The names of those that have one."""
        named = [column for _, column in self.together().values() if isinstance(column, (str, int))]
        return named + self.names_of_by

    def keys(self) -> list[Key]:
        """The columns by which rows are grouped, in this order."""
        of_labels = [
            Key(own, own, may_be_missing=self.is_partial and own == "actual") for own in self.labels
        ]
        of_strata = [Key(own, "strata", is_group=True) for own in self.strata]
        of_groups = [
            Key(own, f"by={name!r}", is_group=True)
            for own, name in zip(self.by, self.names_of_by, strict=True)
        ]
        of_clusters = [Key(own, "clusters", is_group=True) for own in self.clusters]
        return [*of_labels, *of_strata, *of_groups, *of_clusters]


def _asked_columns(
    source: Source, columns: FrameColumns, scored: ScoreColumns | None
) -> _AskedColumns:
    """The columns under names of their own."""
    groups_of = columns_of_groups(source, columns.by)
    labels: Asked = {"actual": ("actual", columns.actual)}
    scores: Asked = {}
    if scored is None:
        labels["predicted"] = ("predicted", columns.predicted)
    else:
        scores = {f"score_{k}": ("scores", column) for k, column in enumerate(scored.columns)}
    strata, clusters = (enumerate(as_list(of)) for of in (columns.strata, columns.clusters))
    return _AskedColumns(
        labels=labels,
        strata={f"stratum_{k}": ("strata", column) for k, column in strata},
        by={own: ("by", column) for own, (_, column) in groups_of.items()},
        clusters={f"cluster_{k}": ("clusters", column) for k, column in clusters},
        scores=scores,
        weights=weights_asked(columns.sample_weight, columns.count),
        names_of_by=[name for name, _ in groups_of.values()],
        is_partial=columns.strata is not None,
    )


def _table_to_count(
    source: Source, asked: _AskedColumns, decision: Decision | None, rule: Rule
) -> Table:
    """The columns, with the weight and the decision of each row."""
    table = choose_columns(source, asked.together())
    if asked.weighted_by is not None:
        table = with_weights(table, WEIGHT, asked.weighted_by)
    if decision is not None:
        scores = [*asked.scores]
        table = with_decision(with_scores(table, scores), scores, decision, rule.ties)
    return table


def _strata_groups_and_clusters(
    groups: GroupedRows, asked: _AskedColumns
) -> tuple[Groups, Groups, Clusters | CrossedUnits | None]:
    """The columns of strata, groups and clusters, which are behind those of labels."""
    ends = np.cumsum([len(asked.labels), len(asked.strata), len(asked.by)])
    of_strata = groups.keys[ends[0] : ends[1]]
    of_groups = map(in_order_of_ranking, groups.keys[ends[1] : ends[2]])
    clusters = units_of_columns(groups.keys[ends[2] :]) if asked.clusters else None
    return Groups([*asked.strata], of_strata), Groups(asked.names_of_by, [*of_groups]), clusters


def _check_contradictions(
    columns: FrameColumns,
    rule: Rule,
    classes: LabelsLike | None,
    labels: LabelsLike | None,
    missing: Missing | None,
) -> None:
    """Refuse options that contradict each other, before counting."""
    check_choice(missing, "missing", (None, "drop", "label"))
    if (columns.predicted is None) == (columns.scores is None):
        raise ValueError(
            "pass either predicted, the column of labels, or scores=; for arrays, use "
            "from_predictions."
        )
    if columns.strata is not None and (columns.sample_weight is not None or missing is not None):
        raise ValueError(
            "strata= counts samples, those without a label too: pass no sample_weight and no "
            "missing=."
        )
    if len(as_list(columns.clusters)) > 2:
        raise ValueError(
            "clusters takes one column, or two, of cases and of their readers; got "
            f"{len(as_list(columns.clusters))}."
        )
    refuse_readers_first(as_list(columns.clusters))
    if columns.strata is not None and columns.clusters is not None:
        raise ValueError(
            "strata= takes samples of a stratum as independent: pass no clusters= beside it."
        )
    if columns.scores is not None and labels is not None:
        raise ValueError(
            "labels= gives the order of predicted labels: with scores=, list the classes with "
            "classes=."
        )
    needs_scores = {
        "classes": classes is not None,
        "threshold": rule.threshold is not None,
        "ties": rule.ties != "positive",
        "cost_matrix": rule.cost_matrix is not None,
    }
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
        names, columns = list(scores), list(scores.values())
        places = places_of(order, names, "the columns of scores", "name one column per class.")
        if len(places) < len(scores):
            raise ValueError(
                f"scores has columns for {show_names(names)}, but classes lists {show(order)}."
            )
        return ScoreColumns([columns[place] for place in places], order, named)
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
    """The decision by the rule; one threshold for one column needs no classes."""
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


def _encoded_labels(
    groups: GroupedRows, order: NDArray[Any] | None, *, is_partial: bool
) -> Encoded | Indicators:
    """Actual and predicted labels in codes of the classes."""
    actual, predicted = groups.keys[:2]
    encoded = encode(actual, predicted, labels=order, names=("actual", "predicted"))
    encoded = ranked_by(encoded, order, "labels")
    if is_partial:
        check_actual(actual, predicted, order, "actual")
    return encoded


def _encoded_decisions(
    groups: GroupedRows, scored: ScoreColumns, decision: Decision, rule: Rule
) -> Encoded | Indicators:
    """Actual labels and decisions in codes of the classes."""
    actual = groups.keys[0]
    order = scored.classes
    if order is None:
        order = inferred_classes(actual.labels, 2, ("actual", "scores"))
    check_same_kind(actual.labels, order, "actual", "classes")
    check_among(order, actual.labels, "actual")
    if scored.classes is None:
        bound_rule(rule, order)
    decided, class_position = groups.decided, decision.class_position
    if len(scored.columns) == 1:
        positive, class_position = rule.positive_among(order)
        if isinstance(scored.columns[0], str):
            check_name_of_column(scored.columns[0], order, positive, "scores")
    if decision.method == "reached":
        position = class_position or 0
        decided = np.where(decided == 1, position, 1 - position)
    predicted = column_from_codes(np.asarray(decided, dtype=np.int64), order)
    encoded = encode(actual, predicted, labels=order, names=("actual", "scores"))
    return ranked_by(encoded, scored.named, "classes")


def fields_of_rows(encoded: Encoded, by: Groups, weights: NDArray[Any]) -> dict[str, Any]:
    """The weights of rows in the cells, for each combination of groups."""
    order = encoded.labels
    check_covered(order, encoded.present)
    check_cells(by.names, by.lengths, len(order) ** 2)
    counts = np.zeros((*by.lengths, len(order), len(order)), dtype=weights.dtype)
    of_groups = [column.codes for column in by.columns]
    # Exactly: bincount sums in float64.
    np.add.at(counts, (*of_groups, encoded.true, encoded.pred), weights)
    axes = tuple(map(axis_of_column, by.names, by.columns))
    return ranked(counts, order, encoded.rankings) | {"axes": axes}


def _with_design(
    fields: dict[str, Any],
    encoded: Encoded,
    by: Groups,
    weights: NDArray[Any],
    moments: Moments | None,
    clusters: Clusters | CrossedUnits | None,
) -> dict[str, Any]:
    """The fields with the design of the rows."""
    order = encoded.labels
    cells = encoded.true.astype(np.int64) * len(order) + encoded.pred
    if by.columns:
        cells += by.codes().astype(np.int64) * len(order) ** 2
    design = _design_of_rows(cells, fields["counts"].shape, weights, moments, clusters)
    return fields | {"_design": design.moved(lambda of: at_labels(of, order, fields["labels"]))}


def _of_each_reading(
    cells: NDArray[np.int64], shape: tuple[int, ...], units: CrossedUnits, numbers: NDArray[Any]
) -> tuple[NDArray[np.int64], tuple[int, ...], CrossedUnits]:
    """What equal readings, which are one row, have in common, once for each."""
    each = [of._replace(codes=np.repeat(of.codes, numbers)) for of in units]
    return np.repeat(cells, numbers), shape, CrossedUnits(*each)


def _design_of_rows(
    cells: NDArray[np.int64],
    shape: tuple[int, ...],
    weights: NDArray[Any],
    moments: Moments | None,
    clusters: Clusters | CrossedUnits | None,
) -> SampleDesign:
    """The design of rows, each of one cell and cluster."""
    # Weights of 0 and 1 are numbers of samples.
    are_weights = moments is not None and bool(
        (moments.squares != moments.numbers).any() or (moments.largest > 1).any()
    )
    if clusters is None and not are_weights:
        return INDEPENDENT
    of_weights = None
    if are_weights and moments is not None:
        of_weights = design_of_weighted_rows(cells, shape, *moments)
    if isinstance(clusters, CrossedUnits):
        return crossed_design(*_of_each_reading(cells, shape, clusters, weights))
    if clusters is not None:
        return design_of_clustered_rows(cells, shape, clusters, weights, of_weights)
    assert of_weights is not None, "they are weighted"
    return of_weights
