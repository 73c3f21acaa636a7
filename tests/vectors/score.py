"""How often a library agrees with the test vectors: a line a metric.

With `--write`, the counts are kept in results.json, from which docs/who_gives_what.md is made.
"""

import argparse
import json
import math
import sys
import warnings
from collections.abc import Iterable
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from tests.vectors.compute import stored_text
from tests.vectors.libraries import LIBRARIES, TooManySamples
from tests.vectors.tables import Table, all_tables

RESULTS_JSON = Path(__file__).with_name("results.json")
COMMAND = "python -m tests.vectors.score"
OURS = "skmetrics-ext"

# Relative and absolute tolerance; TorchMetrics computes in single precision.
TOLERANCES = {"torchmetrics": (1e-5, 1e-6)}
TOLERANCE = (1e-9, 1e-12)

# What may come out where a table does not agree, from the worst to the least.
WRONG, FILLED, UNDEFINED, RAISED = "wrong", "filled", "undefined", "raised"
OUTCOMES = {
    WRONG: "another value",
    FILLED: "a value for 0/0",
    UNDEFINED: "no value where there is one",
    RAISED: "an error",
}


def main(arguments: list[str] | None = None) -> int:
    """Print how libraries agree, and keep it if asked for."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Compare a library with the test vectors."
    )
    parser.add_argument("library", choices=[*LIBRARIES, "all"])
    parser.add_argument("--write", action="store_true", help="keep the results in results.json")
    options = parser.parse_args(arguments)
    results = stored()
    for library in LIBRARIES if options.library == "all" else [options.library]:
        scored = score(library)
        print(f"{library} {version_of(library)}", *report(scored), sep="\n")
        results[library] = {"version": version_of(library), "metrics": scored}
    if options.write:
        store(results)
    return 0


def keep_up(arguments: list[str]) -> int:
    """Score what is new of the installed libraries, and drop what no library is asked any more;
    with `--check` only name it. The exit status is 1 if there is any, or for another version.
    """
    only_check = "--check" in arguments
    results, status = stored(), 0
    for library, calls in LIBRARIES.items():
        try:
            asked = list(calls(all_tables()[0]))
        except ImportError:
            continue
        kept = results[library]["metrics"]
        new = [key for key in asked if key not in kept]
        if not new and len(asked) == len(kept):
            continue
        if not only_check and results[library]["version"] == version_of(library):
            scored = score(library, only=new)
            results[library]["metrics"] = {key: (kept | scored)[key] for key in asked}
            continue
        status = 1
        print(
            f"{RESULTS_JSON.name} has the results of {library} {results[library]['version']}, "
            f"without {', '.join(new) or 'what is asked no more'}. To write all anew: {COMMAND} "
            f"{library} --write"
        )
    if not only_check:
        store(results)
    return status


def stored() -> dict[str, Any]:
    """The results of all libraries."""
    found: dict[str, Any] = json.loads(RESULTS_JSON.read_text(encoding="utf-8"))
    return found


def store(results: dict[str, Any]) -> None:
    """Keep them, in the order of the libraries."""
    in_order = {library: results[library] for library in LIBRARIES if library in results}
    RESULTS_JSON.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")


def who_has() -> dict[str, set[str]]:
    """The metrics that each other library has, by their names here."""
    return {
        library: {key.partition("(")[0] for key in found["metrics"]}
        for library, found in stored().items()
        if library != OURS
    }


def version_of(library: str) -> str:
    """The installed version."""
    return "of this repository" if library == OURS else metadata.version(library)


def report(scored: dict[str, Any]) -> Iterable[str]:
    """A line for each metric."""
    for key, counts in scored.items():
        others = [
            f"{OUTCOMES[kind]} in {found['tables']}, first {found['first']}"
            for kind, found in counts.items()
            if kind in OUTCOMES
        ]
        yield "; ".join([f"  {key}: agrees in {counts['agrees']} of {counts['asked']}", *others])


def score(
    library: str, vectors: dict[str, Any] | None = None, only: Iterable[str] | None = None
) -> dict[str, Any]:
    """For each metric of a library, or for these only: in how many tables it agrees, and in how
    many what else comes out.
    """
    vectors = vectors or json.loads(stored_text())
    metrics = {metric["key"]: metric for metric in vectors["metrics"]}
    scored: dict[str, Any] = {}
    for number, fields in enumerate(vectors["tables"]):
        calls = LIBRARIES[library](Table(**fields))
        for key in calls if only is None else only:
            counts = scored.setdefault(key, {"asked": 0, "agrees": 0})
            expected = metrics[key]["values"][number]
            try:
                kind, first = compared(
                    outcome(calls[key]), expected, TOLERANCES.get(library, TOLERANCE)
                )
            except TooManySamples:
                continue
            counts["asked"] += 1
            counts["agrees"] += kind is None
            if kind:
                found = counts.setdefault(kind, {"tables": 0, "first": f"table {number}: {first}"})
                found["tables"] += 1
    return scored


def outcome(call: Any) -> Any:
    """What a call returns, or the error that it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except TooManySamples:
            raise
        except Exception as error:
            return error


def compared(given: Any, expected: Any, tolerance: tuple[float, float]) -> tuple[str | None, str]:
    """The worst kind of disagreement over the classes and its first example; None if
    there is none.
    """
    if isinstance(given, Exception):
        return RAISED, type(given).__name__
    found = list(given) if isinstance(expected, list) else [given]
    wanted = expected if isinstance(expected, list) else [expected]
    if len(found) != len(wanted):
        return WRONG, f"{len(found)} values instead of {len(wanted)}"
    examples: dict[str, str] = {}
    for one, other in zip(found, wanted, strict=True):
        if kind := disagreement(number(one), other, tolerance):
            examples.setdefault(kind, example(one, other))
    worst = next((kind for kind in OUTCOMES if kind in examples), None)
    return worst, examples.get(worst or "", "")


def number(value: Any) -> float:
    """A value as a float; what a library writes for an undefined one is nan."""
    return math.nan if value is None or value == "None" else float(value)


def disagreement(value: float, expected: str | None, tolerance: tuple[float, float]) -> str | None:
    """How a value differs from one of the file, if it does."""
    if expected is None:
        return None if math.isnan(value) else FILLED
    if math.isnan(value):
        return UNDEFINED
    exact = exact_value(expected)
    if math.isinf(value) or math.isinf(exact):
        return None if value == exact else WRONG
    relative, absolute = tolerance
    return None if abs(Fraction(value) - exact) <= relative * abs(exact) + absolute else WRONG


def exact_value(text: str) -> Fraction | float:
    """A value of the file as a number."""
    return float(text) if "inf" in text else Fraction(text)


def example(value: Any, expected: str | None) -> str:
    """What a library gives and what is expected, with as many digits as tell them apart."""
    exact = (
        "0/0"
        if expected is None
        else expected
        if len(expected) <= 9
        else f"{float(exact_value(expected)):.6g}"
    )
    given = str(value) if isinstance(value, str) or value is None else f"{float(value):.6g}"
    if given == exact:
        given, exact = (f"{float(side):.12g}" for side in (value, exact_value(expected or "")))
    return f"{given} instead of {exact}"


if __name__ == "__main__":
    sys.exit(main())
