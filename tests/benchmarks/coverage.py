"""How often intervals of 95 % cover the truth, and tests of 5 % reject what is equal.

`python tests/benchmarks/coverage.py [--only FAMILY,...] [--draws 400] [--again 4000] [--processes
N] [--publish]`, or with `--report` alone.

What looks bad is drawn again, with other seeds, and then only the new figures are reported: the
worst of many first ones is bad by chance, too. Results are kept, one line per block of draws, and a
run goes on where the last ended; `--publish` adds them to coverage.jsonl.xz, from which the file
docs/theory/coverage.csv is made, and of that the table in coverage.md beside it. After a change of
the methods begin again without that file.
"""

import argparse
import collections
import csv
import json
import lzma
import multiprocessing
import os
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library, and each process takes one
    # core.
    sys.path[0] = str(Path(__file__).parents[2])
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import numpy as np

from tests.benchmarks.coverage_answers import FIELDS
from tests.benchmarks.coverage_cells import FAMILIES, cells_of
from tests.benchmarks.coverage_draws import keys_without_replicates, measure

BLOCK = 50
# What was measured so far; a run goes on from it.
PUBLISHED = Path(__file__).with_name("coverage.jsonl.xz")
# The worst of it, a row a metric and part.
TABLE = Path(__file__).parents[2] / "docs" / "theory" / "coverage.csv"
# The first look at a cell, and the second at what looks bad there.
FIRST, FAST, SLOW = 1, 2, 3
# How often an answer may be wrong, and how often it looks bad: of intervals, tests, and tests of
# "not worse" (2.5 %).
MOST_WRONG = {
    "interval": 0.1,
    "test": 0.075,
    "not worse": 0.055,
    "false pass": 0.075,
    "false fail": 0.075,
}
LOOKS_BAD = {
    "interval": 0.08,
    "test": 0.065,
    "not worse": 0.04,
    "false pass": 0.065,
    "false fail": 0.065,
}
MOST_UNSURE = 0.05
LEAST = 100
COLUMNS = (
    *("part", "metric", "hardest scenario", "right there", "median"),
    "warned or nan where classes have 10 samples",
)
TITLES = {
    "matrices": "Intervals of a matrix: all averages, the first and the last class",
    "weights": "Weights that depend on the prediction",
    "clusters": "Clusters",
    "groups": "Gaps between groups, and their tests",
    "paired": "Differences of two models, their tests, and tests of not worse",
    "folds": "Tests of scores on the same folds",
    "areas": "Areas, and the test of two of them",
    "prevalence": "Another prevalence",
    "simultaneous": "All classes at once",
    "sampling": "Sampling weights, of strata or of any kind",
    "placements": "Areas of which a few samples decide",
    "areas of two": "Areas of two models that are nearly the same",
    "predictive": "Predictive values of two models",
    "claims": "Claims that are just true",
    "operating points": "Operating points",
    "labels": "Averages of labels",
    "crossed designs": "Weights, clusters and a given prevalence, two or three at once",
    "costs": "Costs, mean absolute errors and net benefit by the delta method",
}


def kind_of(key):
    last = key.split(", ")[-1]
    return last if last in MOST_WRONG else "interval"


def block_of(job):
    """A line of results; no seed ends in a 0, which is the same as no seed."""
    family, place, look, block, keys, n_resamples = job
    found, is_enough = measure(cells_of(family)[place], (look, block + 1), BLOCK, n_resamples, keys)
    return {
        "family": family,
        "place": place,
        "look": look,
        "blocks": [block],
        "enough": is_enough,
        "found": found,
    }


def read(path):
    """All lines, except for those that were cut off."""
    if not path.exists():
        return []
    text = lzma.decompress(path.read_bytes()).decode() if path.suffix == ".xz" else path.read_text()
    return [json.loads(line) for line in text.splitlines() if line.endswith("}}")]


def read_all(path):
    """The published lines and those of a run, each block once."""

    def counted(line):
        """What each block of a line is about."""
        return {
            (line["family"], line["place"], line["look"], *line["found"], block)
            for block in line["blocks"]
        }

    published = read(PUBLISHED)
    known = set().union(*map(counted, published))
    return [*published, *(line for line in read(path) if not counted(line) & known)]


def publish(lines, path):
    """Write the sums of all lines, one line per cell, look and set of keys."""
    merged = {}
    for line in lines:
        of = merged.setdefault(
            (line["family"], line["place"], line["look"], *line["found"]), {**line, "blocks": []}
        )
        sums = of["found"]
        if of["blocks"]:
            of["found"] = {
                key: [a + b for a, b in zip(sums[key], line["found"][key], strict=True)]
                for key in sums
            }
        of["blocks"] += line["blocks"]
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, merged.values())).encode()))


def figures_of(lines, looks):
    """The sums of FIELDS, and of draws with "enough" samples, by family, place and key."""
    found = collections.defaultdict(collections.Counter)
    for line in lines:
        for key, sums in line["found"].items() if line["look"] in looks else ():
            of = found[line["family"], line["place"], key]
            of.update(
                dict(zip(FIELDS, sums, strict=True)),
                enough=int(line["enough"]) * len(line["blocks"]),
            )
    return found


def wrong(of):
    """The share of silent answers that are wrong."""
    return 1 - of["right"] / max(of["silent"], 1) if of["silent"] else 0


def unsure(of):
    """The share of answers that warned, or have no limits."""
    answered = of["draws"] - of["refused"]
    return 1 - of["silent"] / answered if answered else 0


def left_of(job, measured):
    """What is left of a block of which some keys are measured; None if nothing is."""
    *place, keys, n_resamples = job
    if keys is None:
        return None if measured else job
    left = [key for key in keys if key not in measured]
    return (*place, left, n_resamples) if left else None


def run(jobs, path, n_processes):
    """Measure what the file does not have yet, with a line a minute of how far it is."""
    lines = read_all(path)
    measured = collections.defaultdict(set)
    for line in lines:
        for block in line["blocks"]:
            measured[line["family"], line["place"], line["look"], block].update(line["found"])
    jobs = [left for job in jobs if (left := left_of(job, measured[job[:4]]))]
    # In any order the time that is left follows from the share that is done.
    np.random.default_rng(0).shuffle(jobs)
    start = last_report = time.monotonic()
    with multiprocessing.Pool(n_processes) as pool, path.open("a") as file:
        # The last line may have been cut off.
        print(file=file)
        for n_done, line in enumerate(pool.imap_unordered(block_of, jobs), 1):
            print(json.dumps(line), file=file, flush=True)
            if time.monotonic() - last_report > 60 or n_done == len(jobs):
                last_report = time.monotonic()
                left = (last_report - start) * (len(jobs) / n_done - 1) / 60
                print(
                    f"{n_done} of {len(jobs)} blocks, {left:.0f} minutes left",
                    file=sys.stderr,
                    flush=True,
                )


def first_jobs(families, options):
    return [
        (family, cell.place, FIRST, block, keys, options.resamples)
        for family in families
        for cell in cells_of(family)
        for keys in [keys_without_replicates(cell) if options.without_replicates else None]
        for block in range(options.draws // BLOCK)
    ]


def second_jobs(families, lines, options):
    """The keys that look bad in their cells, unless too few draws would be silent."""
    keys = collections.defaultdict(list)
    for (family, place, key), of in figures_of(lines, [FIRST]).items():
        look, n_draws = (SLOW, options.again // 4) if of["slow"] else (FAST, options.again)
        is_bad = wrong(of) > LOOKS_BAD[kind_of(key)]
        if family in families and is_bad and of["silent"] / of["draws"] * n_draws >= options.least:
            keys[family, place, look, n_draws].append(key)
    return [
        (family, place, look, block, of_cell, options.resamples)
        for (family, place, look, n_draws), of_cell in keys.items()
        for block in range(n_draws // BLOCK)
    ]


def worst(lines, families, least):
    """A row of COLUMNS for each metric of a family: its worst cell, whatever its average."""
    figures = figures_to_report(lines)
    for family in families:
        by_metric, cells = collections.defaultdict(list), cells_of(family)
        for (of_family, place, key), of in figures.items():
            if of_family == family:
                by_metric[metric_of(key)].append((key, cells[place], of))
        for metric, each in sorted(by_metric.items()):
            known = sorted(
                ((wrong(of), key, str(cell)) for key, cell, of in each if of["silent"] >= least),
                reverse=True,
            )
            unsure_there = [unsure(of) for _, _, of in each if of["enough"]]
            right = ["", "", ""]
            if known:
                share, key, cell = known[0]
                setting = f"{key.removeprefix(metric).strip(', ')}; {cell}".removeprefix("; ")
                median = known[len(known) // 2][0]
                right = [setting, f"{1 - share:.3f}", f"{1 - median:.3f}"]
            mean = f"{np.mean(unsure_there):.3f}" if unsure_there else ""
            yield [TITLES[family], metric, *right, mean]


def report(lines, families, least):
    """Print the rows, and all that breaks the rule."""
    csv.writer(sys.stdout, lineterminator="\n").writerows(worst(lines, families, least))
    figures = figures_to_report(lines)
    broken = [
        f"{family}: {key}: {cells_of(family)[place]}: {why}"
        for (family, place, key), of in figures.items()
        if family in families
        for why in broken_by(key, of, least)
    ]
    print(f"\nWhat breaks the rule: {len(broken)} of {len(figures)}\n")
    print("\n".join(f"- {line}" for line in broken))


def figures_to_report(lines):
    """What the first looks found; where there was a second, what that found."""
    return {**figures_of(lines, [FIRST]), **figures_of(lines, [FAST, SLOW])}


def write_table(lines):
    """Write the rows to the file of the site."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        rows = worst(lines, list(FAMILIES), LEAST)
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


def metric_of(key):
    """The metric of a key, without its class or average; tests stay apart from intervals."""
    if kind_of(key) != "interval":
        return key
    return key.split(", ")[0].removesuffix(" of first").removesuffix(" of last")


def broken_by(key, of, least):
    """What is wrong with the answers to one question."""
    if of["silent"] >= least and wrong(of) > MOST_WRONG[kind_of(key)]:
        yield f"{wrong(of):.3f} of {of['silent']} wrong"
    if of["enough"] and unsure(of) > MOST_UNSURE:
        yield f"{unsure(of):.3f} of {of['draws']} warned or without limits"
    if of["impossible"]:
        yield f"{of['impossible']} of {of['draws']} impossible"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", default=",".join(FAMILIES), help="families, with commas between them"
    )
    parser.add_argument(
        "--draws", type=int, default=400, help=f"of each cell, in blocks of {BLOCK}"
    )
    parser.add_argument(
        "--again", type=int, default=4000, help="draws of what looks bad; a quarter of slow ones"
    )
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument(
        "--without-replicates", action="store_true", help="of matrices only what takes none"
    )
    parser.add_argument("--least", type=int, default=LEAST, help="silent draws that a figure needs")
    parser.add_argument("--results", type=Path, default=Path("coverage.jsonl"))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--report", action="store_true", help="report only what the files have")
    parser.add_argument(
        "--publish", action="store_true", help=f"move the results to {PUBLISHED.name}"
    )
    options = parser.parse_args()
    families = options.only.split(",")
    if not options.report:
        run(first_jobs(families, options), options.results, options.processes)
        lines = read_all(options.results)
        run(second_jobs(families, lines, options), options.results, options.processes)
    lines = read_all(options.results)
    if options.publish:
        publish(lines, PUBLISHED)
        write_table(lines)
        options.results.unlink(missing_ok=True)
    report(lines, families, options.least)


if __name__ == "__main__":
    main()
