"""Which class is positive: the one rule, everywhere; never guessed from the alphabet."""

# 1. The class given as `pos_label`.
# 2. Otherwise the default of an object, `default_positive`, which may be the second in an order
#    given by the caller: `classes=[negative, positive]` of scores, `labels=[negative, positive]` of
#    a matrix.
# 3. Otherwise 1 (or True) where all known labels are 0 and 1, -1 and 1, or False and True.
# 4. Otherwise it is unknown, and an error where it is needed.

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.names import find
from skmetrics_ext.reading.order import (
    KIND_OF_DTYPE,
    check_label,
    kind_of,
    plain,
    plain_label,
    position_of,
    show,
)


class Positive(NamedTuple):
    """The positive class, and its position in the order of the labels; None if it never occurs."""

    label: Any
    place: int | None


def positive_of(
    order: NDArray[Any],
    pos_label: Any = None,
    default_positive: Any = None,
    known: NDArray[Any] | None = None,
) -> Positive:
    """The positive one of the known labels, by default those in order, if a value depends on it."""
    known = order if known is None else known
    label = known_positive(known, pos_label, default_positive)
    if label is None:
        raise ValueError(
            f"it is not known which of the labels {show(known)} is the positive class, and this "
            "value depends on it: pass one of them as pos_label=."
        )
    return Positive(label, position_of(order, label))


def known_positive(known: NDArray[Any], pos_label: Any = None, default_positive: Any = None) -> Any:
    """The positive class, or None if it is unknown."""
    chosen = default_positive if pos_label is None else pos_label
    if chosen is None:
        return _conventional(known)
    chosen = plain_label(chosen)
    check_positive(chosen, known)
    return chosen


def second_of(order: NDArray[Any] | None) -> Any:
    """The positive class of an order [negative, positive]; None for any other."""
    return plain(order)[1] if order is not None and len(order) == 2 else None


def is_first_of_two(order: NDArray[Any], label: Any) -> bool:
    """Whether an order of two is [positive, negative]."""
    return label is not None and len(order) == 2 and position_of(order, label) == 0


def check_positive(pos_label: Any, labels: NDArray[Any]) -> None:
    """Reject a positive class that is no label; beside a single label, only another kind."""
    if position_of(labels, pos_label) is not None:
        return
    check_label(pos_label, "pos_label")
    if len(labels) > 1 or kind_of(pos_label) != KIND_OF_DTYPE[labels.dtype.kind]:
        advice = ""
        is_of_other_kind = kind_of(pos_label) != KIND_OF_DTYPE[labels.dtype.kind]
        if is_of_other_kind and (alike := _printed_alike(pos_label, labels)):
            advice = (
                f" Strings and numbers are different labels: did you mean pos_label={alike[0]!r}?"
            )
        elif is_of_other_kind and plain(labels) == [0, 1]:
            advice = (
                " If an ensemble encoded these, pass pos_label=1 for the second of the sorted "
                "labels, 0 for the first. Of its members most ensembles read predict_proba, "
                "where no threshold acts: wrap the ensemble instead."
            )
        raise ValueError(
            f"pos_label={pos_label!r} is not among the labels in the data, {show(labels)}: pass "
            f"one of these as pos_label=.{advice}"
        )


def _printed_alike(pos_label: Any, labels: NDArray[Any]) -> list[Any]:
    """The labels that are written as another one is."""
    places = find(labels, [pos_label])
    return [label for label, place in zip(plain(labels), places, strict=True) if place is not None]


def _conventional(known: NDArray[Any]) -> Any:
    """1 next to 0 or -1, the usual coding of two classes."""
    if len(known) > 2 or KIND_OF_DTYPE[known.dtype.kind] != "numbers":
        return None
    values = {*plain(known)}
    if not (values <= {0, 1} or values <= {-1, 1}):
        return None
    return True if known.dtype == np.bool_ else 1
