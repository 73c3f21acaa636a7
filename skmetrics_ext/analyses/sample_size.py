"""sample_size: the number of samples for a confidence interval of a proportion of a given width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.statistics.proportions import n_for_wilson


def sample_size(
    metric: str | Callable[..., Any], *, value: float, half_width: float, confidence_level: float = 0.95
) -> int:
    """The smallest sample size for which the confidence interval of a proportion is at most 2 half_width wide.

    It inverts Wilson's interval, which `ConfusionMatrix.interval` uses for these metrics.

    Parameters
    ----------
    metric : str or function
        A metric that is a proportion, such as "recall", "specificity", "precision" or "accuracy".
    value : float
        The anticipated value, in [0, 1]; 0.5 needs the most samples.
    half_width : float
        Maximum half-width of the interval, above 0 and below 0.5.
    confidence_level : float, default=0.95
        Above 0 and below 1.

    Returns
    -------
    int
        The number of samples in the metric's denominator: for recall those of the class itself, for
        specificity all others, for precision those predicted to have it, for accuracy all. Divided by
        their expected proportion among all samples, it gives the total number to collect.

    Raises
    ------
    ValueError
        If the metric is not a proportion, or an option is out of range.

    References
    ----------
    Wilson (1927), JASA 22:209.

    Examples
    --------
    >>> from skmetrics_ext import sample_size
    >>> sample_size("recall", value=0.9, half_width=0.03)
    388
    """
    row, average = resolve(metric)
    shares = [other.name for other in METRICS if other.interval == "share" and other.name != "bennett_s"]
    if row.name not in shares or average is not None:
        name = row.name if average is None else f"{row.name}_{average}"
        raise ValueError(f"{name} is not a proportion of samples: a sample size can be computed only for {shares}.")
    check_in_range(value, "value", lambda x: 0 <= x <= 1, "a number from 0 to 1")
    check_in_range(half_width, "half_width", lambda x: 0 < x < 0.5, "a number above 0 and below 0.5")
    check_in_range(confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    return n_for_wilson(value, half_width, 1 - confidence_level)
