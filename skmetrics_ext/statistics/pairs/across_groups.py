"""Differences in several groups: whether they are there, and the same, in all of them.

In every group by the intersection-union test (Berger 1982), which needs no correction: the largest
p-value of all. The same in all by Cochran's Q (1954), with the standard error that each group would
have if its difference were the common one, as its limits say: those of a score test, such as
Tango's, make it a score test. Variances by the delta method are uncertain: Welch (1951).
"""

from typing import Any

import numpy as np
from scipy import optimize, special

from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import Compared, sides_of_margin
from skmetrics_ext.statistics.constants import ENOUGH
from skmetrics_ext.statistics.inversion import LimitsAt, on_logarithm
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import AcrossGroups

# A group has limits if it has finite ones at this alpha.
ALPHA_OF_LIMITS = 0.05
# Limits are taken so many standard errors from the difference, and values between them by lines,
# which delta limits have.
ERRORS = np.array([0.05, *np.arange(1, 17) / 4, 5, 6, 8])
ALPHAS = 2 * special.ndtr(-ERRORS)
# The common value is searched among so many, and then to this share of their distance.
N_PLACES, ROUNDING = 101, 1e-6

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
    if least_samples < ENOUGH and not np.isnan(p_same):
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
    ends = np.array([_limits_on_scale(of)(ALPHA_OF_LIMITS) for of in compared], dtype=float)
    estimates = np.array([of.estimate for of in compared])
    if compared[0].kind == "ratio":
        with np.errstate(divide="ignore"):
            estimates = np.log(estimates)
    known = np.isfinite(ends).all(1) & np.isfinite(estimates) & (ends[:, 0] < ends[:, 1])
    caveats = []
    if not known.all():
        names = ", ".join(
            str(of.group) for of, is_known in zip(compared, known, strict=True) if not is_known
        )
        caveats = [Caveat("group_left_out", f"p_same leaves out groups without limits: {names}.")]
    if known.sum() < 2:
        return np.nan, caveats
    of_known = [of for of, is_known in zip(compared, known, strict=True) if is_known]
    squares = _least_sum_of_squares([_errors_by_limits(of) for of in of_known])
    weights = (ends[known, 1] - ends[known, 0]) ** -2
    numbers = np.array([of.known.n_deciding for of in of_known])
    return _p_value(squares, weights / weights.sum(), numbers), caveats


def _limits_on_scale(compared: Compared) -> LimitsAt:
    """The limits of a difference, or of the logarithm of a ratio."""
    limits_at = compared.known.limits_at
    return limits_at if compared.kind == "difference" else on_logarithm(limits_at)


def _p_value(squares: float, shares: Array, n_deciding: Array) -> float:
    """That of Cochran's Q, by Welch (1951) as far as the variances are known by few samples."""
    n = len(shares)
    # A variance known by so many is as that of twice as many degrees of freedom.
    uncertainty = float(((1 - shares) ** 2 / np.maximum(2 * n_deciding, 1)).sum())
    if not uncertainty:
        return float(special.chdtrc(n - 1, squares))
    statistic = squares / (n - 1) / (1 + 2 * (n - 2) / (n**2 - 1) * uncertainty)
    return float(special.fdtrc(n - 1, (n**2 - 1) / (3 * uncertainty), statistic))


def _errors_by_limits(compared: Compared) -> tuple[Array, Array]:
    """Ascending values, and how many standard errors off each is by the limits that end there."""
    limits_at = _limits_on_scale(compared)
    limits = np.array([limits_at(alpha) for alpha in ALPHAS], dtype=float)
    # Where limits have reached the end of what is possible, the nearest ones count.
    (below, first_below), (above, first_above) = (
        np.unique(np.maximum.accumulate(ends), return_index=True)
        for ends in (-limits[:, 0], limits[:, 1])
    )
    errors = np.concatenate([-ERRORS[first_below][::-1], ERRORS[first_above]])
    return np.concatenate([-below[::-1], above]), errors


def _least_sum_of_squares(curves: list[tuple[Array, Array]]) -> float:
    """Cochran's Q, each standard error at the common value that makes it least."""

    def total(common: Any) -> Any:
        return sum(np.interp(common, values, errors) ** 2 for values, errors in curves)

    nearest = [np.interp((-ERRORS[0], ERRORS[0]), errors, values) for values, errors in curves]
    low, high = np.min(nearest), np.max(nearest)
    places, step = np.linspace(low, high, N_PLACES, retstep=True)
    best = places[np.argmin(total(places))]
    found = optimize.minimize_scalar(
        total,
        bounds=(best - step, best + step),
        method="bounded",
        options={"xatol": ROUNDING * step},
    )
    return float(found.fun)
