"""Differences in several groups: whether they are there, and the same, in all of them.

In every group by the intersection-union test (Berger 1982), which needs no correction: the largest
p-value of all. The same in all by Cochran's Q (1954), with distances
to the mean by 95 % limits (Zou & Donner 2008).
"""

import numpy as np
from scipy import special

from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import Compared, sides_of_margin
from skmetrics_ext.statistics.constants import ENOUGH
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import AcrossGroups

# Of limits at this alpha half the width is so many standard errors.
ALPHA_OF_LIMITS = 0.05
ERRORS_WIDE = -float(special.ndtri(ALPHA_OF_LIMITS / 2))

FEW_OF_SAME = f"a group has fewer than {ENOUGH} samples: p_same may be too small."


def across_groups(
    compared: list[Compared],
    confidence_level: float,
    margin: float | None,
    clusters_across: bool,
    least_samples: int,
) -> AcrossGroups:
    """What two models' differences in a metric say of all groups."""
    first = compared[0]
    of_same = Caveat(
        "clusters_across_groups",
        "clusters have samples in several groups, so the differences in these are not independent "
        "and p_same is nan.",
    )
    p_same, caveats = np.nan, [of_same]
    if not clusters_across:
        p_same, caveats = p_of_same(compared)
    if least_samples < ENOUGH:
        caveats = [*caveats, Caveat("few_samples", FEW_OF_SAME)]
    direction, p_value = in_every_group(compared)
    p_not_worse = None
    if margin is not None:
        p_values = np.array([of.known.p_value for of in compared])
        above, below = sides_of_margin(compared, p_values, margin, 1 - confidence_level, None)
        p_not_worse = float(np.max(below if first.is_lower_better else above))
    return AcrossGroups(
        metric=first.metric,
        label=first.label,
        model=first.models[0],
        reference=first.models[1],
        n_groups=len(compared),
        direction=direction,
        p_in_every_group=p_value,
        p_not_worse=p_not_worse,
        p_same=p_same,
        method=shown("intersection-union", "cochran-q"),
        confidence_level=confidence_level,
        margin=margin,
        caveats=tuple(caveats),
    )


def in_every_group(compared: list[Compared]) -> tuple[str | None, float]:
    """In which direction all groups differ, and the largest two-sided p-value; 1 where they do not
    all differ in one direction, nan where one is unknown.
    """
    p_values = np.array([of.known.p_value for of in compared])
    signs = {np.sign(of.difference) for of in compared}
    if np.isnan(p_values).any():
        return None, np.nan
    if len(signs) > 1 or signs == {0.0}:
        return None, 1.0
    return ("higher" if signs == {1.0} else "lower"), float(p_values.max())


def p_of_same(compared: list[Compared]) -> tuple[float, list[Caveat]]:
    """That of Cochran's Q of the differences, or of the logarithms of ratios; nan with a single one
    that has finite limits.
    """
    ends = np.array([of.known.limits_at(ALPHA_OF_LIMITS) for of in compared], dtype=float)
    estimates = np.array([of.estimate for of in compared])
    if compared[0].kind == "ratio":
        with np.errstate(divide="ignore"):
            ends, estimates = np.log(ends), np.log(estimates)
    errors = (ends[:, 1] - ends[:, 0]) / (2 * ERRORS_WIDE)
    known = np.isfinite(errors) & np.isfinite(estimates) & (errors > 0)
    caveats = []
    if not known.all():
        names = ", ".join(
            str(of.group) for of, is_known in zip(compared, known, strict=True) if not is_known
        )
        caveats = [Caveat("group_left_out", f"p_same leaves out groups without limits: {names}.")]
    if known.sum() < 2:
        return np.nan, caveats
    weights, values = errors[known] ** -2.0, estimates[known]
    mean = weights @ values / weights.sum()
    # As far as limits say on the side of the mean (Zou & Donner 2008).
    low, high = ends[known].T
    distances = np.where(values > mean, values - low, high - values) / ERRORS_WIDE
    distances = np.where(distances > 0, distances, errors[known])
    squares = ((values - mean) / distances) ** 2
    return float(special.chdtrc(known.sum() - 1, squares.sum())), caveats
