"""The range that a row of the catalogue states, as numbers."""

import re

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.uncertainty.proportions import Limits


def clipped(limits: Limits, choice: Choice) -> Limits:
    """Limits within the range of a metric."""
    least, most = range_of(choice)
    return Limits(*(np.clip(limit, least, most) for limit in limits))


def range_of(choice: Choice) -> tuple[float, float]:
    """The range that a row states; ends that are no numbers, or hold on a condition, bound nothing."""
    text = choice.row.range
    if all(value is choice.row.parameters[name].default for name, value in choice.parameters.items()):
        # What follows is about other parameters.
        text = re.sub("(; adjusted| for alpha).*", "", text)
    found = re.fullmatch(r"[\[(](.+), (.+)[\])](.*)", text)
    least, most, condition = found.groups() if found else ("", "", "")
    return _number(least, -np.inf), np.inf if condition else _number(most, np.inf)


def _number(text: str, otherwise: float) -> float:
    """A number such as "-1/3"."""
    numerator, _, denominator = text.partition("/")
    try:
        return float(numerator) / float(denominator or 1)
    except ValueError:
        return otherwise
