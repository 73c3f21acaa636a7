"""Counts where the classes are as frequent as the caller says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.design import Crossed, Lost, PartlyLabeled, Rescaled, SampleDesign
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.matrices.data import MatrixData
from skmetrics_ext.reading.containers import row_names
from skmetrics_ext.reading.names import check_are_known, find
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.reading.order import show

# Shares that add up to 1 except for rounding.
ROUNDING = 1e-9


def fields_at_prevalence(cm: MatrixData, prevalence: Any) -> dict[str, Any]:
    """The fields of a matrix with other shares of its actual classes."""
    if any(axis.name == "prevalence" for axis in cm.axes):
        raise ValueError(
            "the matrix already has an axis 'prevalence': select one of its entries with sel()."
        )
    named = _by_class(cm, prevalence)
    given = [read_numbers(share, "prevalence") for share in named.values()]
    if len({*(share.shape for share in given)}) > 1 or given[0].ndim > 1 or not given[0].size:
        shapes = ", ".join(str(share.shape) for share in given)
        raise ValueError(
            "prevalence must be a number per class, or lists of one length; it has the shapes "
            f"{shapes}."
        )
    check_are_known([*named], [cm.labels], "the classes of prevalence", "name only these.")
    found = find(cm.labels, [*named])
    places = [found.index(place) for place in range(len(named))]
    # Adjusted counts start from the original ones.
    observed, design = _counted(cm)
    rows = as_floats(observed).sum(-1)
    # Prevalences come before all other axes.
    of_classes = np.stack(given, -1).reshape(
        *given[0].shape, *(1 for _ in rows.shape[:-1]), len(places)
    )
    factors = factors_of_rows(cm.labels, rows, np.array(places), of_classes)
    counts = factors[..., None] * observed
    if not given[0].ndim:
        return {"counts": counts, "_design": _rescaled(observed, design)}
    n_prevalences = len(given[0])

    def repeated(cells: NDArray[Any]) -> NDArray[Any]:
        """The cells for each prevalence."""
        return np.broadcast_to(cells, (n_prevalences, *cells.shape))

    of_each = _rescaled(repeated(observed), design.moved(repeated))
    return {
        "counts": counts,
        "_design": of_each.with_shared("prevalence", n_prevalences),
        "axes": (Axis("prevalence", given[0]), *cm.axes),
    }


def factors_of_rows(
    labels: NDArray[Any], rows: Any, places: NDArray[np.intp], shares: Any
) -> NDArray[np.float64]:
    """How many times each row (..., n_classes) counts where some have such shares."""
    wanted = _shares_of_rows(labels, rows, places, shares)
    totals = rows.sum(-1, keepdims=True)
    return ratio(wanted * totals, np.where(rows > 0, rows, 1))


def _counted(cm: MatrixData) -> tuple[NDArray[Any], SampleDesign]:
    """The original counts and their design."""
    if isinstance(cm._design, Rescaled):
        return cm._design.observed, cm._design.facts.of_cells(cm._design.of)
    return cm.counts, cm._design


def _rescaled(observed: NDArray[Any], design: SampleDesign) -> SampleDesign:
    """The design of adjusted counts; with partly known labels there are none."""
    if isinstance(design, Lost):
        return design
    if isinstance(design, PartlyLabeled) and not design.unlabeled.any():
        design = design.without_units()
    if isinstance(design, PartlyLabeled | Crossed):
        why = f"the prevalence was changed of {design.name}, of which there are only values"
        return Lost(**design.about, why=why)
    return Rescaled(**design.about, observed=observed, of=design.of_cells_alone)


def _by_class(cm: MatrixData, prevalence: Any) -> Mapping[Any, Any]:
    """The shares by class; a number is that of the positive class of two."""
    names = None if isinstance(prevalence, Mapping) else row_names(prevalence)
    if names is not None:
        prevalence = dict(zip(names, np.asarray(prevalence), strict=True))
    if isinstance(prevalence, Mapping):
        if not prevalence:
            raise ValueError("prevalence is empty: name at least one class, {class: prevalence}.")
        return prevalence
    if len(cm.labels) != 2:
        raise ValueError(
            f"prevalence={prevalence!r} is that of the positive class of two, but the labels are "
            f"{show(cm.labels)}: "
            "pass {class: prevalence}; the proportions of classes that are not named stay those of "
            "the data."
        )
    return {positive_of(cm.labels, None, cm.pos_label).label: prevalence}


def _shares_of_rows(
    labels: NDArray[Any], rows: Any, places: NDArray[np.intp], shares: Any
) -> NDArray[np.float64]:
    """The shares (..., n_classes) of the rows; others keep their proportions."""
    left = 1 - shares.sum(-1)
    if not ((shares > 0) & (shares < 1)).all() or (left < -ROUNDING).any():
        raise ValueError(
            "prevalence must be above 0, below 1, and at most 1 in all; got "
            f"{shares.ravel().tolist()}."
        )
    has_samples = rows.any(-1)
    if (without := has_samples[..., None] & (rows[..., places] == 0)).any():
        names = labels[places][without.reshape(-1, len(places)).any(0)]
        raise ValueError(
            f"the classes {show(names)} have no samples, so what is predicted for them is not "
            "known."
        )
    others = np.delete(rows, places, -1).sum(-1)
    if (has_samples & ((others > 0) != (left > ROUNDING))).any():
        raise ValueError(
            f"prevalence of {show(labels[places])} must add up to 1 if no other has samples, else "
            "less."
        )
    wanted = ratio(left, np.where(others > 0, others, 1))[..., None] * rows
    wanted[..., places] = shares
    return np.asarray(wanted)
