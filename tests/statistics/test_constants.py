"""Constants of judgement stand in one file, each with the simulation that set it."""

import ast
import re
from pathlib import Path

from tests.benchmarks.coverage_cells import FAMILIES
from tests.shared import for_each, parsed

ROOT = Path(__file__).parents[2]
STATISTICS = ROOT / "skmetrics_ext" / "statistics"
CONSTANTS = (STATISTICS / "constants.py").read_text(encoding="utf-8")
# What promises uncertainty outside of that folder.
OTHERS = [
    *(ROOT / "skmetrics_ext" / "analyses").glob("*.py"),
    ROOT / "skmetrics_ext/curves/areas.py",
]
# What has no influence on a result beyond its digits: numbers of steps, replicates and bytes, the
# largest that floats count, and names for places.
WORDS_OF_COMPUTING = (
    *("ROUNDING", "ALIKE", "SAME", "AT_END", "NO_SPREAD", "FLAT", "NEGLIGIBLE", "TRACE", "BESIDE"),
    *("STEPS", "HALVINGS", "BISECTIONS", "FARTHEST", "QUANTILES", "SEARCHED"),
    *("ENUMERATED", "EVALUATED", "DRAWN", "ROWS", "LIMITS", "N_", "AS_FAR", "VARIANCES"),
    *("LARGEST", "MOST_SAMPLES", "MOST_EVENTS", "NAMED", "OF_TEST", "OF_CORRELATION"),
    # Where a search begins and ends, the usual power, and where chains of tests begin.
    *("LARGE_ALPHA", "LAST", "KEPT", "DIGITS", "POWER", "AT_FEW"),
)


def is_number(node):
    """Whether it is written with numbers alone."""
    text = ast.unparse(node)
    return re.fullmatch(r"[\d_.e+\-*/<(), ]+", text) is not None


def numbers_in(path):
    """The names of the numbers that a module defines."""
    for node in parsed(path).body:
        if isinstance(node, ast.Assign) and is_number(node.value):
            yield from [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]


def test_there_are_few_and_a_command_set_each():
    names = [*numbers_in(STATISTICS / "constants.py")]
    assert len(names) <= 25
    for name in names:
        comment = re.search(rf"((?:^# .*\n)+){name} = ", CONSTANTS, re.MULTILINE)[1]
        commands = re.findall(r'`(\w+\.py)(?: --only "?([\w ,]+))?', comment.replace("\n# ", " "))
        assert commands, name
        for program, families in commands:
            assert (ROOT / "tests" / "benchmarks" / program).exists(), name
            if program == "coverage.py":
                assert set(families.split(",")) <= set(FAMILIES), name


@for_each("path", [*STATISTICS.rglob("*.py"), *OTHERS])
def test_none_stands_elsewhere(path):
    if path.name == "constants.py":
        return
    names = numbers_in(path)
    others = [name for name in names if not any(word in name for word in WORDS_OF_COMPUTING)]
    assert others == []
