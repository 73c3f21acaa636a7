"""The public function of each row of the catalogue, what it takes and what is said of it."""

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.metrics import (
    accuracy,
    agreement,
    balance,
    cost,
    information,
    likelihood_ratios,
    odds,
    overlap,
    precision_and_recall,
    rare_events,
    rates_of_actual,
    rates_of_all,
    rates_of_predicted,
    skill,
    verification,
)

FAMILIES = (
    rates_of_actual,
    rates_of_predicted,
    rates_of_all,
    precision_and_recall,
    overlap,
    balance,
    skill,
    likelihood_ratios,
    odds,
    verification,
    rare_events,
    cost,
    accuracy,
    agreement,
    information,
)


@cache
def function_of(row: Metric) -> Callable[..., Any]:
    """The public function of a row."""
    found = [vars(family)[row.function] for family in FAMILIES if row.function in vars(family)]
    function: Callable[..., Any] = found[0]
    return function


@cache
def options_of(row: Metric) -> tuple[str, ...]:
    """The keyword arguments of the function that a scorer can fix."""
    _, _, *options = inspect.signature(function_of(row)).parameters
    return tuple(option for option in options if option != "sample_weight")


def docstring_of(row: Metric) -> dict[str, str]:
    """The docstring of the function by its headings, "" at its beginning; nothing where there are none (-OO)."""
    text = inspect.getdoc(function_of(row))
    if text is None:
        return {}
    parts = re.split(r"^(\w[\w ]*)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))
