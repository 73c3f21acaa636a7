"""Labels of which some are missing, predictions, strata -> a matrix's fields of expected counts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.design import partly_labelled_design
from skmetrics_ext.counting.partial_labels import PartialCells, cells_of, expected_counts
from skmetrics_ext.matrices.from_data import GivenGroups, ranked_by
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.groups import Groups, check_cells, groups_of_samples
from skmetrics_ext.reading.labels import Column, read_column, read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import (
    as_ranked,
    check_covered,
    plain,
    positions_in,
    ranking_of_all,
)
from skmetrics_ext.reading.pairs import (
    Encoded,
    encode_single_label,
    read_partly_known,
    refuse_codes_of_unknown,
)


def fields_of_partial_labels(
    y_true: Any,
    y_pred: Any,
    strata: Any,
    labels: LabelsLike | None,
    pos_label: Any,
    by: GivenGroups,
) -> dict[str, Any]:
    """Known labels against predicted ones, in each stratum."""
    order = None if labels is None else read_order(labels)
    true, is_known = read_partly_known(y_true, "y_true")
    pred = read_column(y_pred, "y_pred")
    encoded = ranked_by(encode_single_label(true, pred, labels=order), order, "labels")
    check_actual(true, pred, order, "y_true")
    groups = by.read(true, pred.index, ("y_true", "y_pred"))
    assert isinstance(encoded, Encoded)
    positive = known_positive(encoded.labels, pos_label, second_of(order))
    stratum = read_strata(strata, true, pred.index)
    return fields_of_cells(encoded, is_known, stratum, groups or Groups([], []), positive)


def check_actual(true: Column, pred: Column, order: NDArray[Any] | None, name: str) -> None:
    """Refuse labels that look like codes of unknown ones, unless the caller named them."""
    classes = pred.labels if order is None else order
    refuse_codes_of_unknown(true.labels, classes, name, "list it in labels=[...]")


def read_strata(strata: Any, true: Column, of_predicted: Any, other: str = "y_pred") -> Groups:
    """The stratum of each sample; no column where the prediction alone decided."""
    if strata is None or (isinstance(strata, (tuple, list)) and not len(strata)):
        return Groups([], [])
    return Groups(["strata"], [groups_of_samples(strata, "strata", true, of_predicted, other)])


def fields_of_cells(
    encoded: Encoded,
    is_known: NDArray[np.bool_],
    strata: Groups,
    groups: Groups,
    positive: Any,
    frequencies: Any = 1,
) -> dict[str, Any]:
    """Samples, or rows of several, in cells of stratum and prediction; `strata` may be empty."""
    check_covered(encoded.labels, encoded.present)
    ranking = ranking_of_all(encoded.rankings)
    order = as_ranked(encoded.labels, ranking)
    true, pred = (
        positions_in(order, encoded.labels)[codes] for codes in (encoded.true, encoded.pred)
    )
    n_classes, n_strata = len(order), int(np.prod(strata.lengths))
    check_cells(groups.names, groups.lengths, n_strata * (n_classes + 1) * n_classes)
    by_stratum = np.zeros((*groups.lengths, n_strata, n_classes + 1, n_classes), dtype=np.int64)
    stratum = strata.codes() if strata.columns else 0
    place = (
        *(column.codes for column in groups.columns),
        stratum,
        np.where(is_known, true, n_classes),
        pred,
    )
    np.add.at(by_stratum, place, frequencies)
    axes = tuple(map(axis_of_column, groups.names, groups.columns))
    cells = cells_of(by_stratum)
    check_known(cells, order[:, None], axes)
    of_classes = {"labels": order, "pos_label": positive, "ranking": ranking}
    return {
        "counts": expected_counts(cells),
        "axes": axes,
        "_design": partly_labelled_design(by_stratum),
    } | of_classes


def check_known(cells: PartialCells, predictions: NDArray[Any], axes: tuple[Axis, ...]) -> None:
    """Refuse predictions without any label, and warn of those without one in some stratum.

    `predictions` are those of each model (n_predictions, n_models).
    """
    if (unknown := cells.unknown).any():
        *entry, _, prediction = (int(places[0]) for places in np.nonzero(unknown))
        of = "".join(
            f", {axis.name} {plain(axis.coordinates)[k]!r},"
            for axis, k in zip(axes, entry, strict=True)
        )
        found = " and ".join(map(repr, predictions[prediction].tolist()))
        n = cells.totals.sum(-2)[(*entry, prediction)]
        raise ValueError(
            f"no sample that is predicted as {found}{of} has a label, so nothing is known of the "
            f"{n:g} samples: "
            "label some of them, drawn at random."
        )
    if (without := cells.without_labels).any():
        share = 100 * cells.totals[without].sum() / cells.totals.sum()
        warn(
            f"{share:.3g} % of the samples are in strata where no sample with their prediction "
            "has a label: they are counted by the shares of the actual classes with the same "
            "prediction elsewhere."
        )
