"""The file of test vectors of intervals: `python -m tests.vectors.intervals.compute` writes it,
`--check` compares it.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.vectors.compute import written
from tests.vectors.intervals.methods import METHODS, Method

INTERVALS = Path(__file__).with_name("intervals.json")
COMMAND = "python -m tests.vectors.intervals.compute"

READING = [
    "Each method has cases: inputs, and outputs by their names. Compute the outputs from the "
    "inputs, and compare every output that you have; a relative difference of 1e-9 is rounding.",
    "An output is a text: a fraction where it is rational, else a decimal number of 30 digits "
    "without closing zeros, or inf; or a list of these. It is null where it is undefined, and "
    "undefined says why.",
    "level is the confidence level of both limits together, and z the quantile of the normal "
    "distribution at (1 + level) / 2; value is the estimate, low and high are its limits. Levels, "
    "margins and weights are decimal numbers, counts and scores integers.",
    "hits of n samples are a proportion, such as true positives of actual positives. Two "
    "proportions, hits_1 of n_1 and hits_2 of n_2, are of different samples. only_first and "
    "only_second are how many of n samples only one of two classifiers has right.",
    "positive and negative are the scores of the samples of each class, in any order; a higher "
    "score speaks for the positive class. Of two classifiers, the k-th score of each is of one "
    "sample.",
    "ratings have a row for each item and a column for each rater; null is missing, and classes "
    "are those that occur, in increasing order.",
    "The variance of an agreement is N / (N - 1) times the sum of squares of what each of the N "
    "items adds: the derivative of the value by the weight of the item, 1, in the sums over items, "
    "the total number of ratings n left as it is. Items with one rating do not count for alpha. "
    "Its limits: M is the largest disagreement of an item (the largest distance of two classes if "
    "none disagrees), a = 1 - D / M the agreement on this scale, n the number of items with two "
    "ratings or more; e = a (1 - a) / (variance (E / M)^2), or n if the variance is 0, at most n "
    "where fewer than five items disagree, or disagree less than M; k = the smaller of n and 2 "
    "(sum of squares)^2 / sum of fourth powers of what items add; t the quantile of Student's t "
    "with max(k - 1, 1) degrees of freedom. They are 1 - (1 - x) M / E of the limits x by "
    "mid_p of a e hits among e, with t sqrt(n / (n - 1)) in place of z, and the alpha "
    "that belongs to it.",
    "skmetrics_ext says what public function of the Python package skmetrics-ext gives of it, cm "
    "being a ConfusionMatrix. Nothing here was computed with that package.",
]


def main(arguments: list[str] | None = None) -> int:
    """Write the file, or compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Write the file of test vectors of intervals."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if the file differs"
    )
    text = file_text(METHODS)
    if not parser.parse_args(arguments).check:
        INTERVALS.write_text(text, encoding="utf-8")
        return 0
    if INTERVALS.read_text(encoding="utf-8") == text:
        return 0
    print(f"{INTERVALS.name} is not what the definitions give. To write it, run: {COMMAND}")
    return 1


def stored() -> dict[str, Any]:
    """What the file holds."""
    found: dict[str, Any] = json.loads(INTERVALS.read_text(encoding="utf-8"))
    return found


def file_text(methods: Iterable[Method]) -> str:
    """What the file is to hold, with a line for each case."""
    head = {
        "title": "Test vectors for intervals and tests of classification",
        "license": "BSD-3-Clause",
        "schema": "intervals.schema.json",
    }
    parts = [f" {spelled(name)}: {spelled(value)}" for name, value in head.items()]
    parts.append(f' "reading": {lines(map(spelled, READING), 1)}')
    parts.append(f' "methods": {lines(map(block, methods), 1)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def block(method: Method) -> str:
    """A method and its cases."""
    head = {
        "name": method.name,
        "formula": method.formula,
        "source": method.source,
        "skmetrics_ext": method.door,
    }
    parts = [f"   {spelled(name)}: {spelled(value)}" for name, value in head.items()]
    parts.append(f'   "cases": {lines((spelled(case(method, of)) for of in method.cases), 3)}')
    return "{\n" + ",\n".join(parts) + "\n  }"


def case(method: Method, inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs and the outputs of a case, as they are written."""
    found = method.of(**inputs)
    why = {name: found.pop(name) for name in ("undefined",) if name in found}
    return {"inputs": inputs, "outputs": {name: as_text(of) for name, of in found.items()}} | why


def as_text(value: Any) -> Any:
    """An output, or each of several, as it is written."""
    if isinstance(value, list):
        return [as_text(of) for of in value]
    return None if value is None else written(value)


def lines(texts: Iterable[str], indent: int) -> str:
    """A list with a line for each item."""
    start = "\n" + " " * (indent + 1)
    return "[" + start + f",{start}".join(texts) + "\n" + " " * indent + "]"


def spelled(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
