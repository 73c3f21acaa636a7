"""Answers: what became of an interval or a test that was asked for, and their tally."""

import warnings
from typing import NamedTuple

import numpy as np

from skmetrics_ext.statistics.results import Gap

LEVEL, TOLERANCE = 0.05, 1e-9
SLOW_METHODS = ("bootstrap", "permutation")
FIELDS = (
    "draws",
    "silent",
    "right",
    "warned",
    "nan",
    "refused",
    "impossible",
    "slow",
    "width",
    "widths",
)


class Answer(NamedTuple):
    """Whether an interval covers the truth, or a test does not reject it."""

    is_right: bool
    warned: bool
    limits: tuple[float, float, float] | None = None
    """Low, value and high of an interval."""
    method: str = ""


def tally(answers):
    """The answers to one question, None if refused, as numbers; of silent ones "right", "width" the
    sum of "widths".
    """
    found = dict.fromkeys(FIELDS, 0)
    for answer in answers:
        found["draws"] += 1
        if answer is None:
            found["refused"] += 1
            continue
        low, value, high = answer.limits or (0.0, 0.5, 1.0)
        is_nan = bool(np.isnan(low + high))
        is_silent = not (answer.warned or is_nan)
        found["silent"] += is_silent
        found["right"] += is_silent and answer.is_right
        found["warned"] += answer.warned
        found["nan"] += is_nan
        found["slow"] += any(name in answer.method for name in SLOW_METHODS)
        found["impossible"] += not is_nan and (
            not low < high or value < low - TOLERANCE or value > high + TOLERANCE
        )
        if answer.limits is not None and np.isfinite(high - low):
            found["width"] += high - low
            found["widths"] += 1
    return [round(number, 6) for number in found.values()]


def tally_of_entries(interval, truth):
    """The same of the entries of one interval."""
    n = len(interval.axes[0].coordinates)
    low, value, high = (
        np.asarray(of).reshape(n) for of in (interval.low, interval.value, interval.high)
    )
    is_told = np.zeros(n, dtype=bool)
    for caveat in interval.caveats:
        is_told |= caveat.entries.reshape(n)
    is_nan, is_finite = np.isnan(low + high), np.isfinite(high - low)
    is_silent = ~(is_told | is_nan)
    is_right = (low - TOLERANCE <= truth) & (truth <= high + TOLERANCE)
    is_beside = (value < low - TOLERANCE) | (value > high + TOLERANCE)
    is_slow = [any(name in method for name in SLOW_METHODS) for method in np.ravel(interval.method)]
    found = {
        "draws": n,
        "silent": is_silent.sum(),
        "right": (is_silent & is_right).sum(),
        "warned": is_told.sum(),
        "nan": is_nan.sum(),
        "refused": 0,
        "impossible": (~is_nan & (~(low < high) | is_beside)).sum(),
        "slow": sum(is_slow),
        "width": (high - low)[is_finite].sum(),
        "widths": is_finite.sum(),
    }
    return [round(float(found[field]), 6) for field in FIELDS]


def heard(call, *arguments, **options):
    """What is returned, and whether it warned; None where it is refused."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            return call(*arguments, **options), bool(said)
        except ValueError:
            return None


def answer_of(found, truth):
    """What an interval, or a row of a comparison, says of a truth."""
    if found is None:
        return None
    of, warned = found
    value = of.difference if hasattr(of, "difference") else of.value
    low, value, high = (float(np.ravel(part)[0]) for part in (of.low, value, of.high))
    is_right = bool(low - TOLERANCE <= truth <= high + TOLERANCE)
    is_told = warned or bool(getattr(of, "caveats", ()))
    return Answer(is_right, is_told, (low, value, high), method_of(of))


def test_of(found):
    """The answer of a test where nothing differs."""
    if found is None:
        return None
    of, warned = found
    is_told = warned or bool(getattr(of, "caveats", ()))
    return Answer(not float(of.p_value) <= LEVEL, is_told, method=method_of(of))


def method_of(found):
    """How it was found; gaps by permutations."""
    return "permutations" if isinstance(found, Gap) else getattr(found, "method", "")


def first_row(found):
    return found and (found[0].rows[0], found[1])
