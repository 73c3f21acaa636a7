"""What is installed, imported and promised."""

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import defaultdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

import skmetrics_ext
from tests.public_names import PUBLIC
from tests.shared import for_each

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "skmetrics_ext"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# One folder a stage of the way; a room may import only from its own folder and from those above it
# here.
FOLDERS = [
    "reading",
    "writing",
    "counting",
    "adapter",
    "engines",
    "formulas",
    "catalogue",
    "statistics",
    "metrics",
    "matrices",
    "curves",
    "analyses",
    "reports",
    "scoring",
    "estimators",
    "plotting",
]


def listed_files():
    """The files of a checkout, or of an unpacked sdist, which has its metadata besides."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        return listed.splitlines()
    files = [
        path.relative_to(ROOT)
        for path in ROOT.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    ]
    return sorted(file.as_posix() for file in files if file.name != "PKG-INFO")


def rooms():
    return sorted(PACKAGE.glob("*/**/*.py"))


def stage_of(path):
    return path.relative_to(PACKAGE).parts[0]


# A line, or as many as its brackets have: the rest of a file is not parsed.
IMPORT = re.compile(r"^ *((?:import|from [\w.]+ import) (?:\([^)]*\)|.+))$", re.MULTILINE)


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


def import_statements(path):
    """Those of a file, for type hints and inside functions too."""
    return [ast.parse(statement).body[0] for statement in IMPORT.findall(text_of(path))]


def imports_of(path):
    for node in import_statements(path):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("skmetrics_ext"):
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "skmetrics_ext"
                else [node.module]
            )
            yield from names


def test_imports_point_down():
    for path in rooms():
        for module in imports_of(path):
            own, other = stage_of(path), module.split(".")[1]
            assert FOLDERS.index(other) <= FOLDERS.index(own), (path, module)


# The questions of statistics: each room imports only from itself, those before it, and the floor.
QUESTIONS = ["values", "gaps", "pairs", "areas", "promises"]


def test_rooms_of_statistics_import_from_those_before_them():
    for path in sorted((PACKAGE / "statistics").glob("*/*.py")):
        for module in imports_of(path):
            parts = module.split(".")
            if parts[1] == "statistics" and len(parts) == 4:
                own, other = path.parent.name, parts[2]
                assert QUESTIONS.index(other) <= QUESTIONS.index(own), (path, module)


def modules_of(path):
    """The modules of the package that a file imports."""
    for node in import_statements(path):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("skmetrics_ext"):
            folder = ROOT.joinpath(*node.module.split("."))
            files = [folder / f"{alias.name}.py" for alias in node.names]
            yield from [file for file in files if file.exists()] or [folder.with_suffix(".py")]


def test_no_imports_go_in_a_circle():
    graph = {path: set(modules_of(path)) - {path} for path in rooms()}
    assert graph[PACKAGE / "curves" / "curve.py"] >= {PACKAGE / "curves" / "areas.py"}
    # Raises CycleError with the files of a circle.
    assert len([*graphlib.TopologicalSorter(graph).static_order()]) >= len(graph)


def test_every_folder_has_a_place_on_the_way():
    assert {stage_of(path) for path in rooms()} == set(FOLDERS)


def test_every_room_says_its_purpose_in_its_first_sentence():
    first = re.compile(r'"""(?:.|\n(?!\n))*?\.\s*("""|\n\n)')
    assert [path for path in rooms() if not first.match(text_of(path))] == []


# Of several overloads, the last definition stands without the decorator.
DEFINITION = re.compile(r"(?<!^@overload\n)^(?:class|def|async def) ([^\W_]\w*)", re.MULTILINE)


def test_no_public_name_stands_in_two_rooms():
    places = defaultdict(list)
    for path in rooms():
        for name in DEFINITION.findall(text_of(path)):
            places[name].append(path.parent.name)
    twice = {name: sorted(folders) for name, folders in places.items() if len(folders) > 1}
    # A metric's function may be called as its formula is.
    assert {
        name: folders for name, folders in twice.items() if folders != ["formulas", "metrics"]
    } == {}


def test_what_scikit_learn_asks_without_documenting_it_stands_in_one_room():
    hooks = re.compile(r"\b(_accept_sample_weight|_score_func|_response_method)\b|def _score\(")
    assert {path.name for path in rooms() if hooks.search(text_of(path))} == {"private_hooks.py"}


def test_types_are_ignored_for_a_reason():
    lines = [
        line for path in rooms() for line in text_of(path).splitlines() if "type: ignore" in line
    ]
    assert [line for line in lines if not re.search(r"type: ignore\[[a-z-]+\]  # .", line)] == []


def test_public_names_are_there_sorted_and_documented():
    for module in (skmetrics_ext, skmetrics_ext.results):
        assert module.__all__ == sorted(module.__all__)
    for name, value in PUBLIC.items():
        assert value.__doc__, name


def test_version_is_that_of_the_distribution():
    assert skmetrics_ext.__version__ == version("skmetrics-ext")


def test_version_stands_once():
    assert "version" not in PROJECT
    text = re.compile(rf'["\']{re.escape(skmetrics_ext.__version__)}["\']')
    places = [name for name in listed_files() if name.endswith((".py", ".toml", ".cfg", ".md"))]
    assert [name for name in places if text.search((ROOT / name).read_text(encoding="utf-8"))] == [
        "skmetrics_ext/__init__.py"
    ]


def test_three_packages_are_needed_at_run_time():
    assert PROJECT["dependencies"] == ["numpy>=2.0", "scipy>=1.13", "scikit-learn>=1.6"]


def test_only_what_is_always_installed_is_imported_at_the_top():
    allowed = {"numpy", "scipy", "sklearn", "skmetrics_ext"} | sys.stdlib_module_names
    found = {
        path: {*re.findall(r"^(?:from|import) (\w+)", text_of(path), re.MULTILINE)}
        for path in rooms()
    }
    assert {path: names for path, names in found.items() if names - allowed} == {}
    assert set.union(*found.values()) >= {"numpy", "scipy", "sklearn", "skmetrics_ext"}


@pytest.mark.slow
def test_optional_packages_are_not_imported_and_not_needed_for_arrays():
    """The test above reads the lines with imports; this one runs them, in a new process."""
    code = """
import sys
import sklearn.metrics
before = set(sys.modules)
import skmetrics_ext
optional = {'pandas', 'polars', 'pyarrow', 'narwhals', 'matplotlib'}
print(sorted(optional & (set(sys.modules) - before)))
sys.modules.update(dict.fromkeys(optional))
print(skmetrics_ext.confusion_matrix(['a', 'b'], ['a', 'a']).tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[[1, 0], [1, 0]]"]


@pytest.mark.slow
def test_wheel_has_py_typed_and_no_tests_and_is_small(tmp_path):
    """pip builds it, in an environment of its own."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--quiet",
        "--wheel-dir",
        tmp_path,
        ROOT,
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "skmetrics_ext/py.typed" in names
    assert "skmetrics_ext/metrics/overlap.py" in names
    assert wheel.stat().st_size < 775_000
    assert not [name for name in names if name.startswith(("tests", "examples", "build"))]


def statements_with(path, words):
    """The statements of a formatted file in which words stand; the others are not parsed."""
    text = path.read_text(encoding="utf-8")
    for block in text.split("\n\n\n") if words in text else ():
        yield from ast.parse(block).body if words in block else ()


def test_slow_tests_say_what_they_guard():
    said = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in statements_with(path, "mark.slow"):
            if isinstance(node, ast.FunctionDef):
                marks = " ".join(map(ast.unparse, node.decorator_list))
                if "mark.slow" in marks:
                    said[f"{path.name}::{node.name}"] = ast.get_docstring(node)
    assert len(said) > 20
    assert [name for name, text in said.items() if not text] == []


def test_top_level_is_as_it_should_be():
    top = {name.split("/")[0] for name in listed_files()}
    named = {"pyproject.toml", "setup.cfg", "LICENSE", "skmetrics_ext", "tests", "examples", "docs"}
    named |= {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"}
    assert {name for name in top if not name.startswith(".")} == named


def test_the_typed_file_uses_every_public_name():
    used = {
        node.attr
        for node in ast.walk(ast.parse((ROOT / "tests" / "typed_usage.py").read_text()))
        if isinstance(node, ast.Attribute)
    }
    assert {*PUBLIC} <= used


RESULTS = {
    *("Alarms", "Comparison", "CrossValidatedInterval", "Entries", "FoldComparison", "Gap"),
    *("Interval", "Result", "Verdicts"),
}


def nodes_with(path, *words):
    """The syntax of a file, if all words stand in it."""
    has_all = all(re.search(rf"\b(?:{word})\b", text_of(path)) for word in words)
    return ast.walk(ast.parse(text_of(path))) if has_all else ()


def names_in(node):
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


@for_each("path", sorted(PACKAGE.rglob("*.py")))
def test_no_consumer_asks_which_result_it_has(path):
    """Results are entries, which say themselves what consumers need of them."""
    for node in nodes_with(path, "isinstance", "|".join(RESULTS)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            assert not names_in(node.args[1]) & RESULTS, f"line {node.lineno}"


@for_each("path", sorted(PACKAGE.rglob("*.py")))
def test_warnings_of_limits_are_made_from_caveats_alone(path):
    """`tell` gives them, of the caveats of a result, which keeps these."""
    named = [
        node.lineno
        for node in nodes_with(path, "UnreliableIntervalWarning")
        if isinstance(node, ast.Name) and node.id == "UnreliableIntervalWarning"
    ]
    assert len(named) == (path.name == "caveats.py" and path.parent.name == "statistics")
