"""The one path from counts and their design to intervals, each part of the entries by its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedMatrix, with_cells
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    Clustered,
    Crossed,
    Fact,
    PartlyLabeled,
    Rescaled,
    SampleDesign,
    refuse_fractions,
)
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.partial_labels import cells_of
from skmetrics_ext.counting.replicates import seed_of
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat, NoLimitsError
from skmetrics_ext.statistics.entries import concatenated, origin_of, over_axes, taken
from skmetrics_ext.statistics.estimand import Estimand
from skmetrics_ext.statistics.request import Request, check_request
from skmetrics_ext.statistics.results import AT_PREVALENCES, Interval
from skmetrics_ext.statistics.simpler_designs import AlikeEntries, alike_entries
from skmetrics_ext.statistics.values.intervals import (
    AtAnyLevel,
    plans_at_any_level,
    plans_of_design,
    variation_of,
)
from skmetrics_ext.statistics.values.partial_labels import intervals_of_partial_labels
from skmetrics_ext.statistics.values.prevalence import intervals_at_prevalence
from skmetrics_ext.writing.text import class_text


def refuse_unknown(design: SampleDesign, wanted: str) -> None:
    """Refuse counts that do not tell their uncertainty."""
    if sentence := design.refusal(wanted):
        raise NoLimitsError(sentence)


def refuse_unless_independent(design: SampleDesign, counts: NDArray[Any], wanted: str) -> None:
    """Refuse all but numbers of independent samples, each counted once."""
    refuse_unknown(design, wanted)
    times = np.max(design.folds)
    if times > 1:
        raise ValueError(
            f"each sample is counted {times:.3g} times, as in repeated cross-validation, "
            f"but {wanted} needs each sample once: pool the folds of one repetition, "
            "cm.sel(fold=[...])."
        )
    if design.sees_samples or design.are_weights:
        raise ValueError(
            f"{wanted} needs numbers of independent samples, and these are {design.name}."
        )
    refuse_fractions(counts, wanted)


def design_effect(estimand: Estimand, design: SampleDesign, *, multilabel: bool) -> Array:
    """How many samples say as much as one independent one (...), at least 1; NaN of weights."""
    shape = estimand.matrices.shape[:-2]
    if design.are_weights:
        return np.full(shape, np.nan)
    if not design.sees_samples:
        return np.ones(shape)
    variation = variation_of(design, estimand, np.ones(()), by_row=False, multilabel=multilabel)
    shares = estimand.counted_shares()
    # They do not depend on the level, but the allowance for few clusters does.
    [effective] = variation.effective(estimand, shares, 0.05)
    return np.asarray(np.maximum(ratio(shares[0].n, effective.n), 1))


def caveats_of_design(
    design: SampleDesign, n_axes: int, compared: int | None = None
) -> Iterator[Caveat]:
    """What is wrong with values of such counts, of the entries of so many axes; or of gaps between
    those of one of them.
    """
    keeps_units_together = design.keeps_units_together
    instead = ": use cross_val_interval"
    kept = [place for place in range(n_axes) if place != compared]
    folds, n_models = np.broadcast_arrays(
        _of_entries(design.folds, kept), _of_entries(design.n_models, kept)
    )
    for times, number in sorted({*zip(folds.flat, n_models.flat, strict=True)}):
        entries = (folds == times) & (n_models == number)
        for caveat in caveats_of_folds(
            times, number, keeps_units_together=keeps_units_together, instead=instead
        ):
            yield caveat._replace(entries=entries)
    if (chosen := _of_entries(design.chosen, kept) > 0).any():
        text = (
            "the threshold was chosen on these samples, so the value is optimistic{where}: measure "
            "it on samples that did not choose, or choose in each fold, as "
            "ConstrainedThresholdClassifier or TunedThresholdClassifierCV in cross_val_interval "
            "does."
        )
        yield Caveat("in_sample_choice", text, chosen)


def _of_entries(fact: Fact, kept: Sequence[int]) -> NDArray[Any]:
    """What is said of any cell of each entry of these axes; of all in one number."""
    of_cells = np.asarray(fact)
    others = tuple(place for place in range(of_cells.ndim) if place not in kept)
    return np.asarray(of_cells.max(others))


def caveats_of_folds(
    folds: float, n_models: int, *, keeps_units_together: bool, instead: str = ""
) -> Iterator[Caveat]:
    """Folds that were summed."""
    if folds == n_models == 1:
        # The samples of one model are as any others.
        return
    if folds > 1 and not keeps_units_together:
        text = (
            f"each sample is counted {folds:.3g} times, as in repeated cross-validation, so "
            "confidence intervals are too narrow and p-values too small: pool the folds of one "
            "repetition, cm.sel(fold=[...])."
        )
        yield Caveat("repeated_folds", text)
    elif folds > 1:
        text = (
            f"counts pooled over {n_models or 'the'} models of repeated cross-validation: the "
            "interval is for their average, and does not allow for how much a model that is fitted "
            f"again varies{instead}."
        )
        yield Caveat("repeated_folds", text)
    elif folds:
        text = (
            f"counts pooled over {n_models or 'the'} models of cross-validation: the interval is "
            f"for their average, and too narrow for the model refitted to all samples{instead}."
        )
        yield Caveat("pooled_folds", text)


def interval_of(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign = INDEPENDENT,
) -> Interval:
    """The interval of one metric."""
    return next(intervals_of(counted, [choice], axes, request, design))


def intervals_of(
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign = INDEPENDENT,
) -> Iterator[Interval]:
    """The intervals of several metrics, by their design."""
    yield from intervals_at_any_level(counted, choices, axes, request, design).intervals(request)


def intervals_at_any_level(
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign = INDEPENDENT,
) -> AtAnyLevel:
    """The same of requests that differ in the level alone."""
    check_request(request)
    refuse_unknown(design, "an interval")
    caveats = tuple(caveats_of_design(design, len(axes)))
    # Parts of the entries draw from the same streams.
    seed = seed_of(request.random_state)
    request = request._replace(random_state=seed)
    parts = [AlikeEntries(np.ones(1, dtype=bool), counted, design)]
    if design.sees_samples:
        parts = alike_entries(counted, design, axes)
    if len(parts) == 1:
        of_all = _intervals_of_part(parts[0], choices, axes, request)
    else:
        of_all = _intervals_of_parts(parts, choices, axes, request)

    def at_level(own: Request) -> Iterator[Interval]:
        """The intervals of one of these requests."""
        origin = origin_of(_named(counted, design), own.n_resamples, seed.entropy)
        for interval in of_all.intervals(own._replace(random_state=seed)):
            yield replace(interval, caveats=(*caveats, *interval.caveats), _origin=origin)

    return AtAnyLevel(at_level, lambda own: of_all.limits(own._replace(random_state=seed)))


def _named(counted: Counted, design: SampleDesign) -> str:
    """The name of a design, with the prevalences that all entries are given: of two classes that of
    the second.
    """
    if not isinstance(design, Rescaled) or not isinstance(counted, CountedMatrix):
        return design.name
    rows = as_floats(counted.matrix).sum(-1)
    shares = np.reshape(ratio(rows, rows.sum(-1, keepdims=True)), (-1, len(counted.order)))
    if not np.allclose(shares, shares[:1], atol=0):
        return design.name
    each = list(zip(shares[0].tolist(), plain(counted.order), strict=True))
    each = each[1:] if len(each) == 2 else each
    of_classes = ", ".join(f"{share:.6g}{class_text(label)}" for share, label in each)
    return f"samples {AT_PREVALENCES}{of_classes}"


def as_numbers(
    counted: Counted, design: SampleDesign, axes: tuple[Axis, ...]
) -> tuple[Counted, SampleDesign]:
    """The numbers of samples, where the design of all entries says no more."""
    if not design.sees_samples or isinstance(design, Rescaled):
        return counted, design
    first, *others = alike_entries(counted, design, axes)
    if others or first.design.are_weights or first.design.sees_samples:
        return counted, design
    if isinstance(design, Clustered) and np.diff(design.units.indptr).max(initial=0) > 1:
        # A sample in several entries: these vary together.
        return counted, design
    return first.counted, first.design


def _intervals_of_part(
    part: AlikeEntries, choices: Sequence[Choice], axes: tuple[Axis, ...], request: Request
) -> AtAnyLevel:
    """The intervals of entries of one kind of design."""
    _, counted, design = part
    if isinstance(design, PartlyLabeled):
        cells = cells_of(design.by_stratum)
        return _at_any_level(
            lambda own: intervals_of_partial_labels(counted, cells, choices, axes, own)
        )
    if isinstance(design, Rescaled):
        of, observed = design.of, with_cells(counted, design.observed)
        return _at_any_level(
            lambda own: intervals_at_prevalence(counted, observed, choices, axes, own, of)
        )
    if isinstance(design, Crossed):
        _check_of_readings(design, request)
    if request.fixed is not None and request.method == "auto":
        # The counted prevalence is given.
        return _at_any_level(
            lambda own: intervals_at_prevalence(counted, counted, choices, axes, own, design)
        )
    plans = plans_of_design(counted, choices, request, design)
    return plans_at_any_level(plans, axes, request)


def _at_any_level(intervals: Callable[[Request], Iterator[Interval]]) -> AtAnyLevel:
    """Intervals that are found anew at each level, with their limits."""

    def limits(own: Request) -> Limits:
        """Those of the first metric."""
        first = next(intervals(own))
        return Limits(np.asarray(first.low), np.asarray(first.high))

    return AtAnyLevel(intervals, limits)


def _check_of_readings(design: Crossed, request: Request) -> None:
    """Refuse limits that are not known to hold over new readers and new cases."""
    if request.fixed is not None:
        raise ValueError(f"fixed={request.fixed!r} does not apply to {design.name}: omit it.")
    if request.is_one_sided:
        refuse_unknown(design, "a verdict")


def _intervals_of_parts(
    parts: list[AlikeEntries], choices: Sequence[Choice], axes: tuple[Axis, ...], request: Request
) -> AtAnyLevel:
    """The intervals of all parts in one."""
    places = [np.flatnonzero(part.entries) for part in parts]
    entries = np.concatenate(places)
    each = [
        _intervals_of_part(
            part, choices, (Axis("entry", of_part),), _request_of(request, parts, of_part)
        )
        for part, of_part in zip(parts, places, strict=True)
    ]

    def intervals(own: Request) -> Iterator[Interval]:
        """Those of each metric."""
        of_parts = (
            at.intervals(_request_of(own, parts, of_part))
            for at, of_part in zip(each, places, strict=True)
        )
        for of_metric in zip(*of_parts, strict=True):
            together = concatenated(of_metric, Axis("entry", entries))
            yield over_axes(taken(together, np.argsort(entries)), axes)

    def limits(own: Request) -> Limits:
        """Those of the first metric."""
        of_parts = [
            np.stack(at.limits(_request_of(own, parts, of_part)))
            for at, of_part in zip(each, places, strict=True)
        ]
        together = np.concatenate(of_parts, 1)[:, np.argsort(entries)]
        shape = tuple(len(axis.coordinates) for axis in axes)
        return Limits(*together.reshape(2, *shape, *together.shape[2:]))

    return AtAnyLevel(intervals, limits)


def _request_of(request: Request, parts: list[AlikeEntries], places: NDArray[np.intp]) -> Request:
    """What is requested of some entries, which hold together with all others."""
    streams = request.streams
    return request._replace(
        share_of_entries=len(places) / len(parts[0].entries),
        streams=None if streams is None else streams.ravel()[places],
    )
