"""The range that a row of the catalogue states, as numbers."""

import re

import numpy as np

from skmetrics_ext.catalogue.rows import Metric


def range_of(row: Metric) -> tuple[float, float]:
    """The least and the largest value; ends that are no numbers, or hold on a condition, bound nothing."""
    found = re.fullmatch(r"[\[(](.+), (.+)[\])](.*)", row.range)
    least, most, condition = found.groups() if found else ("", "", "")
    return _number(least, -np.inf), np.inf if condition else _number(most, np.inf)


def _number(text: str, otherwise: float) -> float:
    """A number such as "-1/3"."""
    numerator, _, denominator = text.partition("/")
    try:
        return float(numerator) / float(denominator or 1)
    except ValueError:
        return otherwise
