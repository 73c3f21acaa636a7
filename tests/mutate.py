"""Puts mistakes into one file of the package, and prints those that the tests of its
folder miss.
"""

import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT, MOST, SECONDS = Path(__file__).parents[1], 40, 100
PAIRS = {
    ast.Add: ast.Sub,
    ast.Mult: ast.Div,
    ast.And: ast.Or,
    ast.Is: ast.IsNot,
    ast.Lt: ast.LtE,
    ast.Gt: ast.GtE,
}
PAIRS |= {ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.USub: ast.UAdd}
OTHER = (
    PAIRS
    | {b: a for a, b in PAIRS.items()}
    | {ast.FloorDiv: ast.Div, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr}
)


def mistake(node):
    """A field of the node, and what a mistake would put there; None where there is no place for
    one.
    """
    match node:
        case ast.BinOp() | ast.BoolOp() | ast.UnaryOp() | ast.AugAssign() if type(node.op) in OTHER:
            return "op", OTHER[type(node.op)]()
        case ast.Compare() if type(node.ops[0]) in OTHER:
            return "ops", [OTHER[type(node.ops[0])](), *node.ops[1:]]
        case ast.Constant(value=bool() | int() | float()):
            return "value", not node.value if isinstance(node.value, bool) else node.value + 1


def mistakes(source):
    """What each mistake is, and the source with it."""
    tree = ast.parse(source)
    for node in filter(mistake, ast.walk(tree)):
        field, right, before = mistake(node)[0], getattr(node, mistake(node)[0]), ast.unparse(node)
        setattr(node, *mistake(node))
        yield f"line {node.lineno}: {before}  ->  {ast.unparse(node)}", ast.unparse(tree)
        setattr(node, field, right)


def is_noticed(file, source, tests):
    """Whether a test fails, or does not end, in a copy of the project where the file has this
    source.
    """
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(
            ROOT, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "__pycache__")
        )
        (Path(copy) / file).write_text(source, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests]
        try:
            return (
                subprocess.run(
                    command, cwd=copy, capture_output=True, timeout=60, check=False
                ).returncode
                != 0
            )
        except subprocess.TimeoutExpired:
            return True


if __name__ == "__main__":
    file, contributing = sys.argv[1], (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tests = re.search(
        rf"^- `{Path(file).parent.name}`.* `pytest (.+)`$", contributing, re.MULTILINE
    )[1].split()
    source, end = (ROOT / file).read_text(encoding="utf-8"), time.monotonic() + SECONDS
    drawn = list(mistakes(source))
    drawn = random.Random(0).sample(drawn, min(MOST, len(drawn)))
    assert not is_noticed(file, source, tests), "a test fails before anything is broken"
    with ThreadPoolExecutor(2) as pool:
        tried = pool.map(
            lambda one: is_noticed(file, one[1], tests) if time.monotonic() < end else None, drawn
        )
        for (what, _), noticed in zip(drawn, tried, strict=True):
            if not noticed:
                print("no time for" if noticed is None else "not noticed:", what)
