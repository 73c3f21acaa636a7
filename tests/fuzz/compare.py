"""A value of the package against an exact one, within what floats can give."""

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from tests.vectors.exact import to_float

RELATIVE = 1e-9
ABSOLUTE = 1e-12
# What is left of a difference of sums that cancel.
CANCELLED = 1e-9

RANGE = re.compile(r"[\[(](-?[\d./]+|-inf), (-?[\d.]+|inf)[\])]")


def close(actual: float, exact: Fraction | float, *, absolute: float = ABSOLUTE) -> bool:
    """Whether a float is the exact value, but for rounding."""
    expected = to_float(exact)
    if math.isnan(expected) or math.isinf(expected):
        return bool(actual == expected or (math.isnan(expected) and math.isnan(actual)))
    return bool(abs(actual - expected) <= absolute + RELATIVE * abs(expected))


def differences(actual: Any, exact: Any, *, absolute: float = ABSOLUTE) -> str:
    """What is wrong with a value or with one value a class; nothing if all is right."""
    ours = np.asarray(actual).tolist()
    if isinstance(ours, list) != isinstance(exact, list):
        return f"got {ours!r}, expected {shown(exact)}"
    pairs = (
        zip(ours, exact, strict=True)
        if isinstance(exact, list) and len(exact) == len(ours)
        else [(ours, exact)]
    )
    if isinstance(exact, list) and len(exact) != len(ours):
        return f"got {len(ours)} values, expected {len(exact)}"
    if all(close(one, other, absolute=absolute) for one, other in pairs):
        return ""
    return f"got {ours!r}, expected {shown(exact)}"


def shown(exact: Any) -> str:
    """Exact values as the floats that a reader knows."""
    return str([to_float(value) for value in exact] if isinstance(exact, list) else to_float(exact))


def within(value: Any, text: str, slack: float = RELATIVE) -> bool:
    """Whether all finite values are in the range that the catalogue states, where it states numbers
    that bind.
    """
    found = RANGE.match(text)
    if not found or "can exceed" in text:
        return True
    low, high = (
        to_float(Fraction(bound)) if "inf" not in bound else float(bound)
        for bound in found.groups()
    )
    return all(low - slack <= one <= high + slack for one in _finite(value))


def same_outcome(ours: Any, theirs: Any) -> bool:
    """Whether two calls gave equal numbers, or arrays of them, of one shape."""
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(same_outcome, ours, theirs))
    if ours is None or theirs is None:
        return ours is theirs
    return np.shape(ours) == np.shape(theirs) and np.allclose(
        np.asarray(ours, dtype=float),
        np.asarray(theirs, dtype=float),
        rtol=RELATIVE,
        atol=ABSOLUTE,
        equal_nan=True,
    )


def _finite(value: Any) -> Iterable[float]:
    """The values that a range is about."""
    return (one for one in np.ravel(np.asarray(value, dtype=float)).tolist() if math.isfinite(one))
