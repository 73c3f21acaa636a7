"""What a gap does not promise: groups without a value, infinite values or zeros, few samples."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.estimand import FEW
from skmetrics_ext.statistics.groups_compared import FarthestPair, ValuesOfGroups, of_group
from skmetrics_ext.statistics.proportions import Array

MOST_NAMED = 10


def with_numbers(names: NDArray[Any], numbers: Array) -> str:
    """Names with their numbers of samples; only the first few of many."""
    few = [
        f"{name!r} ({number:g})"
        for name, number in zip(plain(names), numbers[:MOST_NAMED], strict=False)
    ]
    rest = len(names) - MOST_NAMED
    return ", ".join([*few, *([f"{rest} more"] if rest > 0 else [])])


def of_undefined(
    name: str, axis: Axis, kept: NDArray[np.bool_], asked: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Groups with samples but without a value."""
    if (undefined := asked & ~kept).any():
        groups = axis.coordinates[undefined.reshape(-1, undefined.shape[-1]).any(0)]
        text = f"{name} is undefined (0/0) for {axis.name} {show(groups)}, which the gap excludes."
        yield Caveat(UNDEFINED, text)


def of_unknown(
    name: str, axis: Axis, groups: ValuesOfGroups, is_unknown: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Groups of infinite values, whose difference is unknown, or all 0, whose ratio is."""
    are_infinite = np.isinf(groups.values) & is_unknown[..., None]
    if are_infinite.any():
        where = axis.coordinates[are_infinite.reshape(-1, are_infinite.shape[-1]).any(0)]
        text = (
            f"{name} is infinite for {axis.name} {show(where)}, so the gap between these is "
            "unknown: compare the rates that it is a ratio of."
        )
        yield Caveat("infinite", text)
    if (is_unknown & ~are_infinite.any(-1)).any():
        text = f"{name} is 0 in all groups, so the ratio is undefined (0/0): use kind='difference'."
        yield Caveat(UNDEFINED, text)


def of_few(
    name: str,
    axis: Axis,
    groups: ValuesOfGroups,
    pair: FarthestPair,
    n: Array,
    *,
    holds_for_few: bool,
) -> Iterator[Caveat]:
    """Whether the groups that differ most are effectively small, or any group of a test that needs
    more.

    A group does not determine the gap if a larger one has the same value.
    """
    decides, numbers = np.zeros(n.shape, dtype=bool), np.arange(n.shape[-1])
    for place in pair[:2]:
        alike = groups.kept & (groups.values == of_group(groups.values, place)[..., None])
        alike &= (numbers == groups.baseline) == (place == groups.baseline)[..., None]
        decides |= (numbers == place[..., None]) & (np.where(alike, n, 0).max(-1) < FEW)[..., None]
    fewest = np.where(decides & pair.is_known[..., None], n, np.inf).reshape(-1, n.shape[-1]).min(0)
    if (is_few := fewest < FEW).any():
        text = (
            f"the gap in {name} is determined by groups with few of the samples that the metric "
            "counts, and may be due "
            f"to chance: {axis.name} {with_numbers(axis.coordinates[is_few], fewest[is_few])}. "
            "Exclude groups with "
            f"fewer than {FEW} with min_samples={FEW}."
        )
        yield Caveat("few_samples", text)
    counted = np.where(groups.kept & pair.is_known[..., None], n, np.inf)
    fewest = counted.reshape(-1, n.shape[-1]).min(0)
    if not holds_for_few and not is_few.any() and (fewest < FEW).any():
        are_few = fewest < FEW
        text = (
            f"the test of equal {name} rests on groups with few of the samples that the metric "
            f"counts, {axis.name} {with_numbers(axis.coordinates[are_few], fewest[are_few])}: its "
            f"p-value may be too small. Exclude such groups with min_samples={FEW}."
        )
        yield Caveat("few_samples", text)
