"""Request: the confidence level and the options of limits, as callers give them."""

from typing import Any, NamedTuple

from skmetrics_ext.counting.replicates import seed_of
from skmetrics_ext.reading.arguments import (
    check_confidence_level,
    check_flag,
    check_in_range,
    check_whole,
)
from skmetrics_ext.statistics.methods import check_method
from skmetrics_ext.statistics.multiplicity import alpha_of_each
from skmetrics_ext.statistics.values.bootstrap import Draws

# With a larger prior the counts have no influence.
LARGEST_PRIOR = 1e15


class Request(NamedTuple):
    """The level of the interval or of each of its limits, and the method."""

    # A number, or an array with one for each value.
    confidence_level: Any = 0.95
    method: str = "auto"
    fixed: str | None = None
    simultaneous: bool = False
    n_resamples: int = 9_999
    random_state: Any = 0
    prior: float | None = None
    is_one_sided: bool = False
    # Whether each limit holds by itself, as for claims: "auto" is then exact if it can be.
    prefers_exact: bool = False
    # The share of all entries that these are.
    share_of_entries: float = 1.0
    # The stream of each entry, of groups that are compared; None if all have the same.
    streams: Any = None

    @property
    def alpha(self) -> Any:
        """The probability that either limit is wrong."""
        return (1 - self.confidence_level) * (2 if self.is_one_sided else 1)

    def wants_exact(self, n_values: float, *, are_numbers: bool) -> bool:
        """Whether "auto" is exact if it can be: limits of several numbers that hold together are
        far out, where others do not hold; with weights and clusters they have Student's t.
        """
        return self.prefers_exact or (self.simultaneous and are_numbers and n_values > 1)

    def alpha_of_values(self, n_values: int) -> Any:
        """The same of each of so many values, which hold together if requested."""
        if not self.simultaneous:
            return self.alpha
        return alpha_of_each(self.alpha, n_values / self.share_of_entries)


def requested(confidence_level: Any, *options: Any, **named: Any) -> Request:
    """A request of a caller; p-values look for limits at any level."""
    check_confidence_level(confidence_level)
    return Request(confidence_level, *options, **named)


def check_request(request: Request) -> None:
    """Refuse options that no method accepts."""
    check_whole(request.n_resamples, "n_resamples", 100)
    check_flag(request.simultaneous, "simultaneous")
    check_method(request.method, "value")
    if request.fixed not in (None, "actual"):
        raise ValueError(f"fixed must be None or 'actual'; got {request.fixed!r}.")
    if request.prior is not None:
        check_in_range(
            request.prior,
            "prior",
            lambda x: 0 < x <= LARGEST_PRIOR,
            "a number above 0 and at most 1e15",
        )
        if request.method != "dirichlet":
            raise ValueError(
                f"prior= applies only to method='dirichlet', but method is {request.method!r}."
            )


def draws_of(request: Request) -> Draws:
    """How replicates are drawn; a seed starts again."""
    seed = seed_of(request.random_state)
    return Draws(request.n_resamples, seed, request.fixed is not None, request.streams)
