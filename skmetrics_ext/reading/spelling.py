"""Labels of two sides that differ only in spelling."""

from decimal import Decimal, InvalidOperation
from typing import Any
from unicodedata import normalize

from numpy.typing import NDArray

from skmetrics_ext.reading.calls import order_of_caller
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show

# What files leave around labels: blanks, and dots, quotes or brackets.
AROUND = " \t\n\r\xa0.\"'`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb()[]{}"


def warn_of_spelling(
    first: NDArray[Any],
    second: NDArray[Any],
    names: tuple[str, str],
    declared: NDArray[Any] | None = None,
) -> None:
    """Say that a label of each side are one but for case, marks or as numbers, unless known."""
    if first.dtype.kind not in "US":
        return
    of_first, of_second = {*first.tolist()}, {*second.tolist()}
    known = set() if declared is None else {*declared.tolist()}
    as_written = {_read_loosely(label): label for label in sorted(of_first - of_second)}
    for label in sorted(of_second - of_first):
        other = as_written.get(_read_loosely(label))
        if other is not None and not (other in known and label in known):
            warn(
                f"{names[0]} has the label {other!r} where {names[1]} has {label!r}: they differ "
                "only in spelling, but count as two classes. Write both alike, e.g. with "
                f"{{{label!r}: {other!r}}}.get(label, label); if they are two classes, "
                f"{_listed('both')}ignore this warning."
            )
            return


def warn_of_disjoint(
    first: NDArray[Any],
    second: NDArray[Any],
    names: tuple[str, str],
    declared: NDArray[Any] | None = None,
) -> None:
    """Say that two labels or more on each side have none in common, unless all are declared."""
    known = set() if declared is None else {*declared.tolist()}
    sentence = why_disjoint(first, second, names)
    if sentence and not {*first.tolist(), *second.tolist()} <= known:
        warn(f"{sentence}; if all are classes, {_listed('them')}ignore this warning.")


def _listed(which: str) -> str:
    """How to name classes, where the function that was called has an option for it."""
    option = order_of_caller()
    return "" if option is None else f"list {which} in {option}=[...], or "


def why_disjoint(first: NDArray[Any], second: NDArray[Any], names: tuple[str, str]) -> str:
    """What is wrong with two labels or more on each side without one in common; else nothing."""
    of_first, of_second = {*first.tolist()}, {*second.tolist()}
    if min(len(of_first), len(of_second)) < 2 or of_first & of_second:
        return ""
    return (
        f"{names[0]} has the labels {show(first)} and {names[1]} {show(second)}, none of which are "
        "in both, so nothing is right. Give the same class the same name in both"
    )


def _read_loosely(label: str | bytes) -> str | Decimal:
    """A label without case, blanks and marks around it, or as a number."""
    text = label.decode("latin-1") if isinstance(label, bytes) else normalize("NFC", label)
    text = text.strip().casefold()
    # ".5" is a number.
    number = _number_in(text)
    if number is None:
        # One of marks alone is not empty.
        text = text.strip(AROUND) or text
        number = _number_in(text)
    return text if number is None else number


def _number_in(text: str) -> Decimal | None:
    """The number, exact, since long codes may differ in their last digit; "nan" is a name."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
