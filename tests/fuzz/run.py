"""Run cases, tell what failed by the line that reproduces it, and sum up by family."""

import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fuzz import (
    family_curves,
    family_engines,
    family_functions,
    family_limits,
    family_many_classes,
    family_matrices,
    family_order,
    family_scorers,
    family_sklearn,
    family_thresholds,
)
from tests.fuzz.case import Case, Wrong, shown

# Each family with how often it is drawn.
FAMILIES: dict[str, tuple[Callable[[Case], None], float]] = {
    "functions": (family_functions.run, 40),
    "many_classes": (family_many_classes.run, 2),
    "sklearn": (family_sklearn.run, 15),
    "curves": (family_curves.run, 20),
    "scorers": (family_scorers.run, 15),
    "matrices": (family_matrices.run, 10),
    "engines": (family_engines.run, 2),
    "thresholds": (family_thresholds.run, 4),
    "order": (family_order.run, 4),
    "limits": (family_limits.run, 2),
}

MOST_PRINTED = 20
MOST_CHARACTERS = 300
SECONDS_OF_SILENCE = 5


@dataclass
class Result:
    """What a run came to."""

    cases: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def summary(self) -> str:
        """One line a family, and one for all."""
        lines = [f"{'family':<14}{'cases':>9}{'seconds':>10}{'ms a case':>11}"]
        for family, count in sorted(self.cases.items()):
            seconds = self.seconds[family]
            lines.append(f"{family:<14}{count:>9}{seconds:>10.1f}{1000 * seconds / count:>11.2f}")
        lines.append(
            f"{self.cases.total()} cases in {self.seconds.total():.1f} s, {len(self.failures)} "
            "failures"
        )
        return "\n".join(lines)


def family_of(seed: int, number: int) -> str:
    """The family that a case is drawn from."""
    shares = [share for _, share in FAMILIES.values()]
    return Random(f"{seed} {number}").choices(list(FAMILIES), shares)[0]


def check_case(case: Case, family: str) -> None:
    """Run one case, and make sure that it left its inputs alone."""
    check, _ = FAMILIES[family]
    check(case)
    case.check_inputs()


def run_cases(
    seed: int,
    numbers: Iterable[int],
    *,
    family: str | None = None,
    tell: Callable[[str], Any] = str,
    progress: Callable[[str], Any] = str,
) -> Result:
    """Run cases by their numbers; `tell` hears of the first failures, `progress` every few seconds
    how far it is.
    """
    result, started = Result(), time.perf_counter()
    last_report = started
    for number in numbers:
        chosen = family or family_of(seed, number)
        before = time.perf_counter()
        if failure := failure_of(seed, number, chosen):
            result.failures.append(failure)
            if len(result.failures) <= MOST_PRINTED:
                tell(failure)
        now = time.perf_counter()
        result.cases[chosen] += 1
        result.seconds[chosen] += now - before
        if now - last_report > SECONDS_OF_SILENCE:
            last_report = now
            rate = result.cases.total() / (now - started)
            progress(
                f"... {result.cases.total()} cases, {rate:.0f} a second, {len(result.failures)} "
                "failures"
            )
    return result


def failure_of(seed: int, number: int, family: str) -> str:
    """What is wrong with a case, after the line that reproduces it; nothing if all is right."""
    try:
        check_case(Case(seed, number, family), family)
    except (
        Exception
    ) as error:  # whatever escapes the package is a failure of the case, not of the run
        text = str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
        text = " ".join(text.split())
        return (
            f"python -m tests.fuzz --seed {seed} --case {number} --family {family}  # "
            f"{text[:MOST_CHARACTERS]}"
        )
    return ""


def show_case(seed: int, number: int, family: str | None = None) -> bool:
    """Run one case and print its inputs and what is wrong; whether nothing is."""
    chosen = family or family_of(seed, number)
    case = Case(seed, number, chosen)
    try:
        check_case(case, chosen)
    except Exception:  # shown with its place, for who looks for the cause
        traceback.print_exc(file=sys.stdout)
        right = False
    else:
        right = True
    print(f"seed {seed}, case {number}, family {chosen}")
    for name, value in case.inputs.items():
        print(f"  {name} = {shown(value)}")
    print("right" if right else "WRONG")
    return right
