"""What a gap does not promise, of groups that it names."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat, caveats_by_sentence
from skmetrics_ext.statistics.constants import FEW, FEW_HITS
from skmetrics_ext.statistics.gaps.groups import FarthestPair, ValuesOfGroups, of_group

# The code of what rests on few samples.
FEW_SAMPLES = "few_samples"
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
    text = f"{name} is undefined (0/0) for {axis.name} {{groups}}{{where}}, which the gap excludes."
    yield from _about_groups(UNDEFINED, text, axis, asked & ~kept)


def of_unknown(
    name: str, axis: Axis, groups: ValuesOfGroups, is_unknown: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Groups of infinite values, whose difference is unknown, or all 0, whose ratio is."""
    are_infinite = np.isinf(groups.values) & is_unknown[..., None]
    text = (
        f"{name} is infinite for {axis.name} {{groups}}{{where}}, so the gap between these is "
        "unknown: compare the rates that it is a ratio of."
    )
    yield from _about_groups("infinite", text, axis, are_infinite)
    are_zero = is_unknown & ~are_infinite.any(-1)
    if are_zero.any():
        text = (
            f"{name} is 0 in all groups{{where}}, so the ratio is undefined (0/0): use "
            "kind='difference'."
        )
        yield Caveat(UNDEFINED, text, are_zero)


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
    is_known = pair.is_known[..., None]
    decides_of_few = decides & is_known
    text = (
        f"the gap in {name} is determined by groups with few of the samples that the metric "
        f"counts{{where}}, and may be due to chance: {axis.name} {{groups}}. Exclude groups with "
        f"fewer than {FEW} with min_samples={FEW}."
    )
    yield from _about_groups(FEW_SAMPLES, text, axis, decides_of_few, n)
    are_few = groups.kept & is_known & (n < FEW) & ~decides_of_few.any(-1, keepdims=True)
    if not holds_for_few:
        text = (
            f"the test of equal {name} rests on groups with few of the samples that the metric "
            f"counts{{where}}, {axis.name} {{groups}}: its p-value may be too small. Exclude such "
            f"groups with min_samples={FEW}."
        )
        yield from _about_groups(FEW_SAMPLES, text, axis, are_few, n)


def without_told(caveats: Iterable[Caveat], told: Sequence[Caveat]) -> Iterator[Caveat]:
    """Those of the limits of groups; of few samples where the gap's own rule says nothing."""
    for caveat in caveats:
        left = caveat
        if caveat.code == FEW_SAMPLES:
            for of_gap in told:
                left = left._replace(entries=left.entries & ~of_gap.entries)
        if np.any(left.entries):
            yield left


def of_few_that_vary(
    name: str, axis: Axis, groups: ValuesOfGroups, fewest: Array
) -> Iterator[Caveat]:
    """Groups with few errors, or hits, on which limits by a method asked for rest."""
    text = (
        f"the limits of the gap in {name} by this method rest on groups with few of the rarer "
        f"outcome{{where}}, {axis.name} {{groups}}: they may be too narrow."
    )
    are_few = groups.kept & (fewest < FEW_HITS)
    yield from _about_groups(FEW_SAMPLES, text, axis, are_few, fewest)


def of_no_width(name: str, limits: Limits, is_known: NDArray[np.bool_]) -> Iterator[Caveat]:
    """Gaps whose limits are both their value."""
    text = (
        f"both limits of the gap in {name} are its value by this method{{where}}, which says "
        "nothing of its uncertainty."
    )
    is_flat = is_known & (limits.low == limits.high)
    if is_flat.any():
        yield Caveat("constant", text, is_flat)


def _about_groups(
    code: str, text: str, axis: Axis, are_meant: NDArray[np.bool_], numbers: Array | None = None
) -> Iterator[Caveat]:
    """A reason for the entries (...) that groups (..., n_groups) give it, which it names."""
    sentences = np.full(are_meant.shape[:-1], "", dtype=object)
    for place in np.ndindex(sentences.shape):
        of_entry = are_meant[place]
        if of_entry.any():
            groups = axis.coordinates[of_entry]
            named = (
                show(groups) if numbers is None else with_numbers(groups, numbers[place][of_entry])
            )
            sentences[place] = text.replace("{groups}", named)
    yield from caveats_by_sentence(code, sentences)


def of_gaps(caveat: Caveat, axis: Axis, place: int, kept: NDArray[np.bool_]) -> Iterator[Caveat]:
    """A caveat of groups as one of the gaps that compare them, which names the groups of each."""
    are_meant = np.moveaxis(np.asarray(caveat.entries), place, -1) & kept
    numbers = None
    if caveat.n is not None:
        numbers = np.broadcast_to(np.moveaxis(np.asarray(caveat.n), place, -1), kept.shape)
    sentences = np.full(are_meant.shape[:-1], "", dtype=object)
    for at in map(tuple, np.argwhere(are_meant.any(-1))):
        n = None if numbers is None else numbers[at]
        sentences[at] = Caveat(caveat.code, caveat.sentence, are_meant[at], n, (axis,)).text
    yield from caveats_by_sentence(caveat.code, sentences)
