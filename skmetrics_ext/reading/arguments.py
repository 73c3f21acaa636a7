"""Options that are a number, an integer, or a bool: rejected if they only look like one."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

# Not Fraction or Decimal, by which arrays can't be multiplied.
REAL = (int, float, np.integer, np.floating)


def check_number(value: Any, name: str) -> None:
    """Reject anything that only looks like a number, or is several."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, REAL):
        raise TypeError(f"{name} must be one number; got {value!r}.")


def check_in_range(value: Any, name: str, fits: Callable[[Any], bool], wanted: str) -> None:
    """Reject anything but a number in range."""
    is_no_float = isinstance(value, int) and abs(value) > sys.float_info.max
    if not isinstance(value, REAL) or is_no_float or not fits(value):
        raise ValueError(f"{name} must be {wanted}; got {value!r}.")


def check_confidence_level(value: Any) -> None:
    """Reject a level below 0.5: 0.05 was meant as the error."""
    check_in_range(value, "confidence_level", lambda x: 0.5 <= x < 1, "at least 0.5 and below 1")


def check_whole(value: Any, name: str, least: int = 0) -> None:
    """Reject anything but a count."""
    if (
        isinstance(value, (bool, np.bool_))
        or not isinstance(value, (int, np.integer))
        or value < least
    ):
        raise ValueError(f"{name} must be an integer >= {least}; got {value!r}.")


def check_verbose(value: Any) -> None:
    """Reject anything but a bool or a non-negative integer, as scikit-learn."""
    if not isinstance(value, (bool, np.bool_, int, np.integer)) or value < 0:
        raise ValueError(f"verbose must be True, False or a non-negative integer; got {value!r}.")


def check_flag(value: Any, name: str) -> None:
    """Reject anything but a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; got {value!r}.")


def check_choice(value: Any, name: str, choices: tuple[Any, ...]) -> None:
    """Reject anything but one of a few words."""
    if not isinstance(value, (str, type(None))) or value not in choices:
        raise ValueError(f"{name} must be one of {list(choices)}; got {value!r}.")


def check_power_of_two(value: Any, name: str, most: int) -> None:
    """Reject anything but a power of two >= 2."""
    check_whole(value, name, 2)
    if int(value) & (int(value) - 1) or value > most:
        raise ValueError(
            f"{name} must be a power of two up to {most}, so that no score changes its bin; got "
            f"{value}."
        )
