"""How often limits of a gap of two groups miss, which is where they reject equal values.

`python -m tests.benchmarks.two_groups [--draws 500] [--again 5000]` writes the table of
docs/theory/tests.md. The worst cells are drawn again, with other seeds, and then only the new
figures count: the worst of many first ones is bad by chance, too. It takes about seven minutes on
one core.
"""

import argparse
import sys
import warnings
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import optimize

from skmetrics_ext import ConfusionMatrix
from tests.docs.generated_parts import code, with_parts
from tests.docs.theory_pages import FOLDER, table

PAGE, NAME = FOLDER / "tests.md", "limits of two groups"
LEAST, N_WORST = 0.1, 10
# Equal values are equal but for this, as the skill that makes them so is found by steps.
ROUNDING = 1e-9
KINDS = {
    **dict.fromkeys(
        ["accuracy", "recall", "precision", "f1", "g_mean", "balanced_accuracy", "fpr"],
        ("difference", "ratio"),
    ),
    # A ratio of what may be negative is refused.
    **dict.fromkeys(["mcc", "cohen_kappa"], ("difference",)),
}
SIZES = [(20, 20), (20, 200), (50, 50), (50, 500), (100, 100), (100, 500), (500, 500)]
PREVALENCES = [(0.5, 0.5), (0.3, 0.05), (0.05, 0.3), (0.05, 0.05)]
SKILLS = [0.7, 0.95]


class Cell(NamedTuple):
    """A setting: two groups, in each of which the model has as high a recall as specificity."""

    metric: str
    kind: str
    sizes: tuple[int, int]
    prevalences: tuple[float, float]
    skills: tuple[float, float]


def shares(prevalence, skill):
    """The shares of the four cells."""
    positive = prevalence * np.array([1 - skill, skill])
    negative = (1 - prevalence) * np.array([skill, 1 - skill])
    return np.stack([negative, positive])


def value_of(metric, prevalence, skill):
    """The value in the population."""
    counts = np.round(shares(prevalence, skill) * 1e15).astype(int)
    return ConfusionMatrix.from_counts(counts, labels=[0, 1]).score(metric)


def equal_skill(metric, prevalences, skill):
    """The skill in the second group that gives the value of the first, or none."""
    value = value_of(metric, prevalences[0], skill)

    def beyond(of_second):
        return value_of(metric, prevalences[1], of_second) - value

    ends = 0.5, 1 - 1e-6
    if prevalences[0] == prevalences[1]:
        return skill
    return optimize.brentq(beyond, *ends) if beyond(ends[0]) * beyond(ends[1]) < 0 else None


def cells():
    """Those of equal values, and those of values that differ."""
    found = {"equal": [], "unequal": []}
    for metric, kinds in KINDS.items():
        for kind, sizes, prevalences, skill in product(kinds, SIZES, PREVALENCES, SKILLS):
            equal = equal_skill(metric, prevalences, skill)
            other = SKILLS[1 - SKILLS.index(skill)]
            pairs = {"equal": (skill, equal), "unequal": (skill, other)}
            for part, skills in pairs.items():
                if None not in skills:
                    found[part].append(Cell(metric, kind, sizes, prevalences, skills))
    return found


def measure(cell, n_draws, random):
    """The shares of draws that are silent, and of these that miss."""
    counts = np.stack(
        [
            random.multinomial(n, shares(of, skill).ravel(), n_draws).reshape(-1, 2, 2)
            for n, of, skill in zip(cell.sizes, cell.prevalences, cell.skills, strict=True)
        ],
        axis=1,
    )
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    with warnings.catch_warnings():
        # Few samples are the point.
        warnings.simplefilter("ignore")
        gap = cm.gap(cell.metric, axis="axis_1", kind=cell.kind)
    values = [
        value_of(cell.metric, of, skill)
        for of, skill in zip(cell.prevalences, cell.skills, strict=True)
    ]
    # A gap has no direction: it is that of the higher and the lower value.
    truth = np.ptp(values) if cell.kind == "difference" else min(values) / max(values)
    low, high = np.reshape(gap.low, -1), np.reshape(gap.high, -1)
    is_wrong = (truth < low - ROUNDING) | (high + ROUNDING < truth)
    is_silent = ~np.isnan(low + high)
    for caveat in gap.caveats:
        is_silent &= ~np.reshape(caveat.entries, -1)
    return is_silent.mean(), is_wrong[is_silent].mean() if is_silent.any() else 0.0


def told(cell):
    """A cell in words."""
    return (
        f"{cell.kind} of {code(cell.metric)}, {cell.sizes[0]} and {cell.sizes[1]} samples, "
        f"prevalences {cell.prevalences[0]:g} and {cell.prevalences[1]:g}, recall and specificity "
        f"{cell.skills[0]:g} and {cell.skills[1]:.3g}"
    )


def rows(options):
    """A row a part: how many settings, how much is silent, and how often that misses."""
    words = {"equal": "equal values are rejected", "unequal": "a difference is missed"}
    for number, (part, of_part) in enumerate(cells().items()):
        random = np.random.default_rng([1, number])
        found = [measure(cell, options.draws, random) for cell in of_part]
        random = np.random.default_rng([2, number])
        silent, missed = np.transpose(found)
        counts = silent >= LEAST
        worst = np.flatnonzero(counts)[np.argsort(missed[counts])[-N_WORST:]]
        for at in worst:
            again = measure(of_part[at], options.again, random)
            print(part, told(of_part[at]), *found[at], *again, file=sys.stderr, flush=True)
            silent[at], missed[at] = again
        first = worst[missed[worst].argmax()]
        yield (
            words[part],
            int(counts.sum()),
            float(silent[counts].mean()),
            float(missed[counts].mean()),
            float(missed[first]),
            told(of_part[first]),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--again", type=int, default=5_000)
    options = parser.parse_args()
    head = ["without a caveat", "settings", "share of samples", "mean", "worst setting", "which"]
    text = PAGE.read_text(encoding="utf-8")
    parts = {NAME: lambda: table(head, rows(options))}
    PAGE.write_text(with_parts(text, parts), encoding="utf-8")


if __name__ == "__main__":
    main()
