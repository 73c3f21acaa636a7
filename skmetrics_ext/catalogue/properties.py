"""What methods must know of a metric: the cells that it counts, and what determines its value."""

from collections.abc import Callable
from itertools import compress
from typing import Any, Literal, NamedTuple

import numpy as np

from skmetrics_ext.counting.counts import ClassCounts, margins_of, two_by_two
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import all_classes, one_class

# tp, fp, fn and tn of one class; for all classes tp are the right predictions, fp the wrong ones.
Cells = frozenset[str]
ALL: Cells = frozenset({"tp", "fp", "fn", "tn"})
ACTUAL_POSITIVE: Cells = frozenset({"tp", "fn"})
ACTUAL_NEGATIVE: Cells = frozenset({"fp", "tn"})
PREDICTED_POSITIVE: Cells = frozenset({"tp", "fp"})
PREDICTED_NEGATIVE: Cells = frozenset({"fn", "tn"})
RIGHT: Cells = frozenset({"tp", "tn"})
WRONG: Cells = frozenset({"fp", "fn"})


class Share(NamedTuple):
    """A proportion of samples: those in the cells of the hits among those in all these cells."""

    hits: Cells
    among: Cells

    @property
    def is_predictive(self) -> bool:
        """Whether the predictions alone select the samples of which it is the proportion."""
        return self.among in (PREDICTED_POSITIVE, PREDICTED_NEGATIVE)

    @property
    def is_overlap(self) -> bool:
        """Whether it counts errors of both kinds, but not all samples."""
        return self.among > WRONG and self.among != ALL

    @property
    def is_monotone(self) -> bool:
        """Whether it only falls, or only rises, as the threshold of scores rises."""
        is_one_sided = self.hits <= PREDICTED_POSITIVE or self.hits <= PREDICTED_NEGATIVE
        return is_one_sided and self.among in (ACTUAL_POSITIVE, ACTUAL_NEGATIVE, ALL)


PRECISION = Share(frozenset({"tp"}), PREDICTED_POSITIVE)
RECALL = Share(frozenset({"tp"}), ACTUAL_POSITIVE)
SPECIFICITY = Share(frozenset({"tn"}), ACTUAL_NEGATIVE)
ACCURACY = Share(RIGHT, ALL)


def share_of(formula: Callable[..., Any], *, of_class: bool) -> Share:
    """The proportion that a formula is, by the samples that are hits, and among which."""
    of_single_samples = ClassCounts(*np.eye(4))
    counts = of_single_samples if of_class else margins_of(two_by_two(of_single_samples))
    hits, among = (
        frozenset(compress(ClassCounts._fields, np.broadcast_to(part, 4) > 0))
        for part in formula(counts)
    )
    return Share(hits, among)


class OfShare(NamedTuple):
    """A metric that is an increasing function of a proportion and of the number of classes."""

    formula: Callable[..., Any]
    # Both take the number of classes, too.
    value_at: Callable[[Any, int], Any]
    share_at: Callable[[Any, int], Any]


class OfTwoShares(NamedTuple):
    """A metric of one class that rises with the ratio, or that of the odds, of two proportions, or
    with the larger one.
    """

    first: Callable[..., Any]
    second: Callable[..., Any]
    joined: Literal["ratio", "odds", "larger"]
    value_at: Callable[[Any], Any]


class OverClasses(NamedTuple):
    """A metric that is the mean, or the largest, of this one of each class."""

    name: str
    how: Literal["mean", "largest"]


class OfDifferences(NamedTuple):
    """A sum of absolute differences of shares, or of these and the accuracy."""

    adds_accuracy: bool = False


MadeOf = OfShare | OfTwoShares | OverClasses | OfDifferences | None


def _as_it_is(value: Any) -> Any:
    """A value that is the ratio or the larger itself."""
    return value


def _threshold_at(ratio_of_rates: Any) -> Any:
    """The prevalence threshold at a ratio of the false positive rate to the recall."""
    # Zero of zero and of infinity are what the formula says.
    return ratio(1, 1 + ratio(1, ratio_of_rates**0.5))


def _q_at(odds: Any) -> Any:
    """Yule's Q at a ratio of odds."""
    return ratio(odds - 1, odds + 1)


def _beyond_chance(share: Any, n_classes: int) -> Any:
    """Agreement beyond that of n_classes equally frequent classes."""
    return ratio(share * n_classes - 1, n_classes - 1)


def _with_chance(value: Any, n_classes: int) -> Any:
    """Inverse of `_beyond_chance`."""
    return (value * (n_classes - 1) + 1) / n_classes


def _dice(jaccard: Any, _: int) -> Any:
    """Dice's coefficient of Jaccard's."""
    return 2 * jaccard / (1 + jaccard)


def _jaccard(dice: Any, _: int) -> Any:
    """Inverse of `_dice`."""
    return dice / (2 - dice)


F1 = OfShare(one_class.jaccard, _dice, _jaccard)
BENNETT = OfShare(all_classes.accuracy, _beyond_chance, _with_chance)

LARGER_OF_BOTH = OfTwoShares(one_class.precision, one_class.recall, "larger", _as_it_is)
POSITIVE_RATIO = OfTwoShares(one_class.recall, one_class.false_positive_rate, "ratio", _as_it_is)
NEGATIVE_RATIO = OfTwoShares(
    one_class.false_negative_rate, one_class.specificity, "ratio", _as_it_is
)
RELATIVE_RISK = OfTwoShares(one_class.precision, one_class.false_omission_rate, "ratio", _as_it_is)
ODDS_RATIO = OfTwoShares(one_class.recall, one_class.false_positive_rate, "odds", _as_it_is)
YULE_Q = ODDS_RATIO._replace(value_at=_q_at)
PREVALENCE_THRESHOLD = OfTwoShares(
    one_class.false_positive_rate, one_class.recall, "ratio", _threshold_at
)
