"""How often limits of the difference of two areas under ROC curves miss, and equality is rejected.

`python -m tests.benchmarks.two_areas [--draws 100] [--again 400]` adds a line a cell to
two_areas.jsonl, and leaves out those that are there; `--write` puts what they say into
docs/theory/tests.md. The worst cells of each part are drawn again, with other seeds, and then only
the new figures count: the worst of many first ones is bad by chance, too.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from scipy import optimize, special

from skmetrics_ext import ThresholdCurve, compare_curves
from tests.benchmarks.coverage_cells import design
from tests.docs.generated_parts import with_parts
from tests.docs.theory_pages import FOLDER, table

PAGE, FILE = FOLDER / "tests.md", Path(__file__).with_name("two_areas.jsonl")
NAME, LEAST, N_WORST = "two areas", 30, 3
# The rarer class, the other one (at least as large), scores, and what both models have in common.
LEVELS = {
    "m": [5, 10, 20, 30, 60, 200],
    "other": [20, 100, 500, 2000],
    "levels": [0, 5],
    "correlation": [0.0, 0.5, 0.9],
    "spreads": [(1, 1), (1, 3)],
}
CELLS = {
    "size": design(48, areas=[(a, a) for a in (0.55, 0.8, 0.95, 0.99)], **LEVELS),
    "coverage": design(32, areas=[(0.55, 0.8), (0.8, 0.95), (0.95, 0.99), (0.55, 0.99)], **LEVELS),
}
# Scores of 5 levels change at these distances from the middle of both classes.
CUTS = np.array([-1.2, -0.4, 0.4, 1.2])


def cuts_of(distance, levels):
    """The scores at which levels change; none of continuous ones."""
    return distance / 2 + CUTS if levels else None


def area_of(distance, spread, levels):
    """The area of normal scores, positive ones so far above the others; ties count half."""
    if not levels:
        return special.ndtr(distance / np.hypot(1, spread))
    cuts = np.concatenate([[-np.inf], cuts_of(distance, levels), [np.inf]])
    negative, positive = (
        np.diff(special.ndtr((cuts - at) / of)) for at, of in ((0, 1), (distance, spread))
    )
    below = negative.cumsum() - negative / 2
    return float(positive @ below)


def distance_for(area, spread, levels):
    """The distance that gives an area."""
    return optimize.brentq(lambda of: area_of(of, spread, levels) - area, -5, 60)


def drawn_curves(cell, random):
    """The curves of two models on the same samples."""
    sizes = cell["m"], max(cell["m"], cell["other"])
    y = np.repeat([1, 0], sizes)
    share, common = cell["correlation"], random.normal(size=len(y))
    curves = {}
    for name, area, spread in zip("ab", cell["areas"], cell["spreads"], strict=True):
        distance = distance_for(area, spread, cell["levels"])
        normal = np.sqrt(share) * common + np.sqrt(1 - share) * random.normal(size=len(y))
        scores = np.where(y == 1, distance + spread * normal, normal)
        if cell["levels"]:
            scores = np.digitize(scores, cuts_of(distance, cell["levels"]))
        curves[name] = ThresholdCurve.from_scores(y, scores)
    return curves


def measure(part, place, n_draws, look):
    """How many draws are silent, and wrong among these and all."""
    cell = CELLS[part][place]
    random = np.random.default_rng([look, [*CELLS].index(part), place])
    truth = cell["areas"][0] - cell["areas"][1]
    found = {"part": part, "place": place, "look": look, "draws": n_draws}
    found |= dict.fromkeys(("wrong", "silent", "silent_wrong"), 0)
    for _ in range(n_draws):
        with warnings.catch_warnings():
            # Few samples are the point.
            warnings.simplefilter("ignore")
            (row,) = compare_curves(drawn_curves(cell, random), correction=None).rows
        is_wrong = row.p_value < 0.05 if part == "size" else not row.low <= truth <= row.high
        found["wrong"] += is_wrong
        found["silent"] += not row.caveats
        found["silent_wrong"] += is_wrong and not row.caveats
    return found


def read():
    """The lines of the file."""
    return [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []


def share_of(line):
    """The share of silent draws that are wrong."""
    return line["silent_wrong"] / line["silent"]


def said(lines, part):
    """Of each cell of a part with enough silent draws, what its latest look found."""
    latest = {line["place"]: line for line in lines if line["part"] == part}
    return sorted((of for of in latest.values() if of["silent"] >= LEAST), key=share_of)


def run(options):
    """Measure what the file does not have, then the worst again."""
    lines = read()
    with FILE.open("a") as file:

        def add(part, place, n_draws, look):
            """A line of the file."""
            lines.append(measure(part, place, n_draws, look))
            print(json.dumps(lines[-1]), file=file, flush=True)

        known = {(line["part"], line["place"]) for line in lines}
        for part in CELLS:
            # The fewest samples first, which take least time.
            for place in sorted(range(len(CELLS[part])), key=lambda at: size_of(CELLS[part][at])):
                if (part, place) not in known:
                    add(part, place, options.draws, 1)
        for part in CELLS:
            first = [line for line in lines if line["look"] == 1]
            for line in said(first, part)[-N_WORST:]:
                add(part, line["place"], options.again, 2)


def size_of(cell):
    """How many samples it has."""
    return cell["m"] + max(cell["m"], cell["other"])


def told(cell):
    """A cell in words."""
    scores = "scores of 5 levels" if cell["levels"] else "continuous scores"
    areas = " and ".join(f"{area:g}" for area in dict.fromkeys(cell["areas"]))
    spreads = " and ".join(map(str, cell["spreads"]))
    other = max(cell["m"], cell["other"])
    return (
        f"{cell['m']} and {other:,} samples, areas of {areas}, {scores}, correlation "
        f"{cell['correlation']:g}, spreads {spreads}"
    )


def rows():
    """A row a part: the settings, the mean share of wrong answers, and the worst."""
    words = {"size": "rejects equal areas, at 5 %", "coverage": "95 % limits miss the difference"}
    for part, what in words.items():
        found = said(read(), part)
        if not found:
            continue
        n_draws = sum(line["draws"] for line in found)
        silent = float(sum(line["silent"] for line in found)) / n_draws
        mean = float(np.mean([share_of(line) for line in found]))
        worst = found[-1]
        yield what, len(found), silent, mean, share_of(worst), told(CELLS[part][worst["place"]])


def write():
    """Put the table into the page."""
    head = ["without a caveat", "settings", "share of draws", "mean", "worst setting", "which"]
    text = with_parts(PAGE.read_text(encoding="utf-8"), {NAME: lambda: table(head, rows())})
    PAGE.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--again", type=int, default=400)
    parser.add_argument("--write", action="store_true", help="only write the table")
    options = parser.parse_args()
    if not options.write:
        run(options)
    write()


if __name__ == "__main__":
    main()
