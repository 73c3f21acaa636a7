"""HandedOn: what a scorer hands on from a fold through scikit-learn, which takes numbers alone."""

from numbers import Number
from typing import Any


class HandedOn(Number):
    """Anything as a number that NumPy does not know.

    As a float, or with `item` or `__array__`, scikit-learn or NumPy would take a plain number from it and
    drop the rest.
    """

    __slots__ = ("text", "value")
    __hash__ = object.__hash__

    def __init__(self, value: Any, text: str) -> None:
        self.value, self.text = value, text

    def __format__(self, spec: str) -> str:
        """What `verbose` shows as the score of the fold."""
        return self.text
