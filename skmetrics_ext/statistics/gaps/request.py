"""What is asked of a gap, and what no gap accepts."""

from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.counting.replicates import seed_of
from skmetrics_ext.reading.arguments import check_choice, check_confidence_level, check_whole
from skmetrics_ext.reading.order import position_of, show
from skmetrics_ext.statistics.classes import has_slope, is_linear_in_share, named
from skmetrics_ext.statistics.estimand import estimand_of, range_of
from skmetrics_ext.statistics.gaps.groups import KINDS
from skmetrics_ext.statistics.methods import METHODS, check_method, chosen, methods_for

DEFAULT = "mover-of-groups"


class GapRequest(NamedTuple):
    """Which groups are compared, how, and at which level."""

    axis: str | None = None
    asked: str = "difference"
    baseline: Any = None
    min_samples: int = 0
    confidence_level: float = 0.95
    n_resamples: int = 9_999
    random_state: Any = 0
    method: str = "auto"

    @property
    def kind(self) -> str:
        """What is computed: an inverse ratio is 1 divided by the ratio, limits included."""
        return self.asked.removeprefix("inverse_")

    @property
    def is_named(self) -> bool:
        """Whether another method than the default is asked for: its p-value inverts its limits."""
        return self.chosen != DEFAULT

    @property
    def chosen(self) -> str:
        """The method of the limits."""
        return DEFAULT if self.method == "auto" else self.method

    @property
    def question(self) -> str:
        """The question of the table of methods."""
        return f"{self.kind} of groups"

    @property
    def seed(self) -> np.random.SeedSequence:
        """The seed of all streams of one gap."""
        return seed_of(self.random_state)

    def with_seed(self) -> "GapRequest":
        """The same, for all gaps of a call: a generator draws their seed once."""
        return self._replace(random_state=self.seed)


def check_gap(counted: Counted, choice: Choice, axis: Axis, request: GapRequest) -> None:
    """Refuse options that no gap accepts, and metrics whose gap has no limits."""
    check_choice(request.asked, "kind", KINDS)
    check_confidence_level(request.confidence_level)
    check_whole(request.n_resamples, "n_resamples", 100)
    check_whole(request.min_samples, "min_samples")
    check_method(request.method, request.question)
    if request.kind == "ratio" and range_of(counted, choice).low.min() < 0:
        raise ValueError(
            f"{choice.asked} can be negative, so a ratio is not meaningful: use kind='difference'."
        )
    place_of_baseline(axis, request.baseline)
    _refuse_averages_of_labels(counted, choice)
    if estimand_of(counted, choice).kind.is_worst:
        raise ValueError(
            "there is no valid confidence interval for a gap between worst values of "
            f"{choice.asked}: use the gap "
            "for each class, average=None."
        )


def check_fits(counted: Counted, choice: Choice, request: GapRequest, design: SampleDesign) -> None:
    """Refuse a method that does not apply to a metric or a design."""
    estimand = estimand_of(counted, choice)
    classes = ["proportion"] if is_linear_in_share(estimand) else []
    fitting = methods_for(request.question, design.kind, classes)
    if not has_slope(choice.row, estimand.average):
        fitting = tuple(name for name in fitting if METHODS[name].needs != "derivatives")
    of = f"a {request.kind} of {named(estimand)}{design.of_samples} between groups"
    chosen(request.method, fitting, of)


def refuse_zero_division(parameters: dict[str, Any]) -> None:
    """Refuse a value for undefined groups."""
    if "zero_division" in parameters:
        raise TypeError(
            "a gap excludes groups for which the metric is 0/0, so it does not accept "
            "zero_division=."
        )


def place_of_groups(axes: tuple[Axis, ...], axis: str | None) -> int:
    """The position of the group axis."""
    names = [one.name for one in axes]
    if not names:
        raise ValueError("a gap is between groups, but the matrix has none: make it with by=.")
    if "label" in names and (axis == "label" or len(names) == 1):
        raise ValueError(
            "a gap is between groups of different samples, but the labels all refer to the same "
            "samples: make the groups with by=, and specify their axis with axis=."
        )
    if axis is None and len(names) == 1:
        return 0
    if axis not in names:
        given = f"; got {axis!r}"
        if axis is None:
            given = (
                ", for a gap at each value of the others, or several of them, whose groups are "
                "crossed; or sum these first"
            )
        raise ValueError(f"axis must be the name of the groups' axis, one of {names}{given}.")
    return names.index(axis)


def place_of_baseline(axis: Axis, baseline: Any) -> int | None:
    """The position of the baseline group, if any."""
    if baseline is None:
        return None
    place = position_of(axis.coordinates, baseline)
    if place is None:
        raise ValueError(
            f"baseline={baseline!r} is not one of the groups {show(axis.coordinates)} of "
            f"{axis.name}."
        )
    return place


def _refuse_averages_of_labels(counted: Counted, choice: Choice) -> None:
    """Refuse averages whose uncertainty multilabel matrices do not give."""
    if counted.multilabel and choice.average is not None:
        raise ValueError(
            "the labels of a sample are not independent, so a matrix does not give the uncertainty "
            "of a gap in their "
            f"average {choice.average!r}: use the gap for each label, average=None."
        )
