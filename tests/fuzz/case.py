"""One random case: its source of randomness, its inputs and what is expected of them."""

import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning


class Wrong(AssertionError):
    """The package gave a value, or changed an input, as it must not."""


class Case:
    """A pure function of seed, number and family; `inputs` are what a reader of a failure needs to
    see.
    """

    def __init__(self, seed: int, number: int, family: str) -> None:
        self.random = Random(f"{seed} {number} {family}")
        self.inputs: dict[str, Any] = {}
        self._prints: dict[str, Any] = {}

    def given(self, name: str, value: Any) -> Any:
        """Record an input, which the package must leave as it is."""
        self.inputs[name] = value
        self._prints[name] = fingerprint(value)
        return value

    def check(self, right: bool, message: str | Callable[[], str]) -> None:
        """Fail the case if something is not right."""
        if not right:
            raise Wrong(message if isinstance(message, str) else message())

    def equal(self, name: str, difference: str) -> None:
        """Fail the case if there is a difference to tell of."""
        self.check(not difference, f"{name}: {difference}")

    def check_inputs(self) -> None:
        """Fail the case if any input is not what it was."""
        for name, before in self._prints.items():
            self.check(fingerprint(self.inputs[name]) == before, f"the input {name} was changed")

    def forget(self, *names: str) -> None:
        """Drop inputs of a call that is over and done with, once it is clear that they are what
        they were.
        """
        self.check_inputs()
        for name in names:
            self.inputs.pop(name, None)
            self._prints.pop(name, None)

    def refused(self, name: str, function: Callable[..., Any], *args: Any, **options: Any) -> None:
        """Fail the case unless the call raises ValueError."""
        try:
            value, _ = quietly(function, *args, **options)
        except ValueError:
            return
        self.check(False, f"{name} must raise ValueError, but gave {value!r}")


def fingerprint(value: Any) -> Any:
    """All that a container holds and how, in a form that equals another only if nothing was
    changed.
    """
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, repr(value.tolist())
    if isinstance(value, dict):
        return {key: fingerprint(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [fingerprint(part) for part in value]
    if hasattr(value, "toarray"):
        return fingerprint(value.toarray())
    for method in ("to_pylist", "to_list", "to_dict"):
        if hasattr(value, method):
            return str(getattr(value, "dtype", "")), repr(getattr(value, method)())
    return repr(value)


def shown(value: Any) -> str:
    """An input as a reader needs it: all values, which Series leave out."""
    for method in ("to_pylist", "to_list"):
        if hasattr(value, method):
            kind = getattr(value, "dtype", getattr(value, "type", ""))
            return f"{type(value).__module__.partition('.')[0]} {kind} {getattr(value, method)()!r}"
    return repr(value)


def quietly(function: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, bool]:
    """The value of a call, and whether it warned that something is undefined; NumPy must have
    nothing to warn of.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*args, **options)
    for warning in caught:
        if issubclass(warning.category, RuntimeWarning) and not issubclass(
            warning.category, UndefinedMetricWarning
        ):
            raise Wrong(
                f"{getattr(function, '__name__', function)} leaks RuntimeWarning: {warning.message}"
            )
    return value, any(issubclass(warning.category, UndefinedMetricWarning) for warning in caught)
