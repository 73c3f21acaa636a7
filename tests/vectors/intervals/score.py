"""How often a library agrees with the test vectors of intervals: a line a method.

`python -m tests.vectors.intervals.score LIBRARY` asks one of those in libraries.py, or all.
"""

import argparse
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from tests.vectors.intervals.compute import stored
from tests.vectors.intervals.libraries import LIBRARIES, NotOffered

COMMAND = "python -m tests.vectors.intervals.score"
OURS = "skmetrics-ext"
# Relative and absolute tolerance.
TOLERANCE = (1e-9, 1e-12)

Library = dict[str, Callable[..., dict[str, Any]]]


class Score(NamedTuple):
    """How a library agrees about one method."""

    asked: int
    agrees: int
    # The position of each case that differs, with its largest difference and where it is.
    differs: dict[int, tuple[float, str]]
    # The position of each case that raises, with the name of the error.
    raises: dict[int, str]

    def __str__(self) -> str:
        """What is printed of it."""
        parts = [f"agrees in {self.agrees} of {self.asked}"]
        if self.differs:
            place, (_, example) = max(self.differs.items(), key=lambda of: of[1][0])
            parts.append(f"differs in {len(self.differs)}, most in case {place}: {example}")
        if self.raises:
            place, error = next(iter(self.raises.items()))
            parts.append(f"raises in {len(self.raises)}, first in case {place}: {error}")
        return "; ".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Print how libraries agree."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Compare a library with the test vectors of intervals."
    )
    parser.add_argument("library", choices=[*LIBRARIES, "all"])
    asked = parser.parse_args(arguments).library
    for library in LIBRARIES if asked == "all" else [asked]:
        try:
            version = "of this repository" if library == OURS else metadata.version(library)
        except metadata.PackageNotFoundError:
            print(library, "is not installed")
            continue
        print(f"{library} {version}", *report(LIBRARIES[library]()), sep="\n")
    return 0


def report(library: Library) -> Iterator[str]:
    """A line for each method that a library has."""
    for name, of_method in score(library).items():
        yield f"  {name}: {of_method}"


def score(library: Library, vectors: dict[str, Any] | None = None) -> dict[str, Score]:
    """How a library agrees about each of its methods, in the order of the file."""
    methods = (vectors or stored())["methods"]
    return {
        method["name"]: score_of(library[method["name"]], method["cases"])
        for method in methods
        if method["name"] in library
    }


def score_of(call: Callable[..., dict[str, Any]], cases: Iterable[dict[str, Any]]) -> Score:
    """How a function of the inputs agrees with the outputs; only those that it gives count, and
    none of a case that it does not offer.
    """
    found = Score(0, 0, {}, {})
    for place, case in enumerate(cases):
        try:
            given = answered(call, case["inputs"])
            worst = max(compared(given, case["outputs"]), default=(0.0, ""))
        except NotOffered:
            continue
        except Exception as error:
            found.raises[place] = type(error).__name__
        else:
            found = found._replace(agrees=found.agrees + (not worst[0]))
            if worst[0]:
                found.differs[place] = worst
        found = found._replace(asked=found.asked + 1)
    return found


def answered(call: Callable[..., dict[str, Any]], inputs: dict[str, Any]) -> dict[str, Any]:
    """What a call returns, without its warnings."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return call(**inputs)


def compared(
    given: dict[str, Any], outputs: dict[str, Any], tolerance: tuple[float, float] = TOLERANCE
) -> Iterator[tuple[float, str]]:
    """The differences of what is given from the outputs, 0 if they are rounding, with an example of
    each.
    """
    for name, value in given.items():
        expected = outputs[name]
        several = isinstance(expected, list)
        pairs = zip(value, expected, strict=True) if several else [(value, expected)]
        for one, other in pairs:
            far = difference(one, other, tolerance)
            yield far, f"{name} {_shown(one)} instead of {_shown(other)}" if far else ""


def difference(value: Any, expected: str | None, tolerance: tuple[float, float]) -> float:
    """How far a value is from that of the file: 0 within the tolerance, inf where only one of them
    is defined, or finite.
    """
    value = math.nan if value is None else float(value)
    exact = number(expected)
    if math.isnan(value) or exact is None:
        return 0.0 if math.isnan(value) and exact is None else math.inf
    if math.isinf(value) or exact == math.inf:
        return 0.0 if value == exact else math.inf
    relative, absolute = tolerance
    far = abs(Fraction(value) - Fraction(exact))
    return 0.0 if far <= relative * abs(exact) + absolute else float(far)


def number(text: str | None) -> Fraction | float | None:
    """An output of the file as a number."""
    return None if text is None else math.inf if text == "inf" else Fraction(text)


def _shown(value: Any) -> str:
    """A value with as many digits as one reads."""
    if value is None:
        return "nothing"
    return f"{float(Fraction(value) if isinstance(value, str) and value != 'inf' else value):.6g}"


if __name__ == "__main__":
    sys.exit(main())
