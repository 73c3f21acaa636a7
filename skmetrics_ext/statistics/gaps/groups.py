"""The values of groups -> which two differ most, and by how much."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array

KINDS = ("difference", "ratio", "inverse_ratio")
EQUALITY = {"difference": 0.0, "ratio": 1.0, "inverse_ratio": 1.0}


class ValuesOfGroups(NamedTuple):
    """The values (..., n_groups) of the groups, NaN for omitted ones."""

    values: Array
    kept: NDArray[np.bool_]
    # The position of the baseline group, if any.
    baseline: int | None

    @property
    def n_kept(self) -> NDArray[np.intp]:
        """How many groups of each entry (...) are compared."""
        return np.asarray(self.kept.sum(-1))

    def pairs(self) -> NDArray[np.bool_]:
        """Which pairs (..., n_groups, n_groups) are compared, in both directions."""
        n_groups = self.kept.shape[-1]
        compared = ~np.eye(n_groups, dtype=bool)
        if self.baseline is not None:
            is_baseline = np.arange(n_groups) == self.baseline
            compared &= is_baseline[:, None] | is_baseline
        return self.kept[..., :, None] & self.kept[..., None, :] & compared


class FarthestPair(NamedTuple):
    """The positions of the groups that differ most, the lower first; and where there are two."""

    least: NDArray[np.intp]
    most: NDArray[np.intp]
    is_known: NDArray[np.bool_]


def farthest_pair(groups: ValuesOfGroups, kind: str) -> FarthestPair:
    """The groups with the lowest and the highest value, or the baseline and the farthest one."""
    values, kept, baseline = groups
    if baseline is None:
        # Omitted groups are NaN, which is sorted last.
        least, most = (
            np.argsort(ordered, -1, kind="stable")[..., 0] for ordered in (values, -values)
        )
        return FarthestPair(least, most, groups.n_kept >= 2)
    of_baseline = values[..., [baseline]]
    low, high = np.minimum(values, of_baseline), np.maximum(values, of_baseline)
    with np.errstate(invalid="ignore"):
        near = low - high if kind == "difference" else ratio(low, high)
    is_other = kept & kept[..., [baseline]] & (np.arange(kept.shape[-1]) != baseline)
    near = np.where(is_other, np.where(np.isnan(near), np.inf, near), np.nan)
    other = np.argsort(near, -1, kind="stable")[..., 0]
    is_lower = of_group(values, other) <= of_baseline[..., 0]
    return FarthestPair(
        np.where(is_lower, other, baseline), np.where(is_lower, baseline, other), is_other.any(-1)
    )


def gap_of_values(groups: ValuesOfGroups, kind: str, pair: FarthestPair) -> Array:
    """How much groups differ; NaN with fewer than two known, or an unknown baseline."""
    least, most = (of_group(groups.values, place) for place in pair[:2])
    with np.errstate(invalid="ignore"):
        gap = most - least if kind == "difference" else ratio(least, most)
    return np.where(pair.is_known, gap, np.nan)


def of_group(parts: Array, place: NDArray[np.intp]) -> Array:
    """The part of one group per entry of (..., n_groups)."""
    return np.take_along_axis(parts, place[..., None], -1)[..., 0]
