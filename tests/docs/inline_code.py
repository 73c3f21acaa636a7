"""What inline code calls, and whether that is there and takes these arguments."""

import ast
import builtins
import inspect
import re
import types
import typing
from functools import cache
from pathlib import Path

from sklearn.utils.discovery import all_displays, all_estimators, all_functions

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    EvalMetric,
    ThresholdCurve,
    get_scorer_names,
)
from skmetrics_ext.catalogue.names import is_metric_name
from skmetrics_ext.catalogue.rows import METRICS
from tests.public_names import PUBLIC

TESTS = Path(__file__).parents[1]
BLOCK = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
# What an import from elsewhere makes known, on its line or in brackets.
IMPORT = re.compile(r"^ *(?:from (?!skmetrics_ext)\S+ )?import (\([^)]*\)|[^(\n]*)$", re.MULTILINE)
# A column of a table with this head has code of other libraries.
OF_OTHERS = "instead of"
# What these names stand for on every page.
VARIABLES = {
    "cm": ConfusionMatrix,
    "curve": ThresholdCurve,
    "metric": EvalMetric,
    "scorer": ConfusionScorer,
}
OF_METRICS = {"average"} | {name for row in METRICS for name in row.parameters}
# Parameters that take names of metrics.
NAMES_METRICS = ("metric", "metrics", "scoring")
UNKNOWN = object()


def inline_code(text):
    """Each piece of inline code that is for this package, in the order of a page."""
    is_of_others = []
    for line in BLOCK.sub("", text).splitlines():
        cells = re.split(r"(?<!\\)\|", line) if line.startswith("|") else [line]
        heads = [cell.strip() == OF_OTHERS for cell in cells]
        if len(cells) == 1 or any(heads):
            is_of_others = heads
        shown = [
            cell
            for place, cell in enumerate(cells)
            if len(cells) == 1 or not (is_of_others[place:] or [False])[0]
        ]
        for cell in shown:
            yield from re.findall(r"(?<!`)`([^`]+)`(?!`)", cell)


def parsed(code):
    """The tree of code in which `...` and `name=` stand for anything; None for no Python."""
    code = re.sub(r"=(?=\s*[,)])", "=...", code.strip().removeprefix("."))
    try:
        return ast.parse(re.sub(r", \.\.\.(?=[)\]}])", "", code))
    except SyntaxError:
        return None


def faults_of(code):
    """What a reader who copies inline code would be told by Python."""
    tree = parsed(code)
    if tree is None:
        return [f"{code} is no Python"] if re.search(r"^[\w.]+\(.*\)$", code) else []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    found = [fault for node in calls for fault in _faults_of_call(node)]
    return found + [fault for node in attributes for fault in _faults_of_attribute(node)]


def _faults_of_attribute(node):
    owner = _value_of(node.value)
    is_missing = inspect.isclass(owner) and node.attr not in _members_of(owner)
    return [f"{owner.__name__} has no {node.attr}"] if is_missing else []


def _faults_of_call(node):
    called = _called_by(node)
    if called is UNKNOWN:
        return []
    if not called:
        return [f"nobody knows {ast.unparse(node.func)}()"]
    faults = [_fault_of(function, node) for function in called]
    return [] if None in faults else faults[:1]


def _called_by(node):
    """What a call may be of: a bare name is a public one, or a method of some class."""
    if isinstance(node.func, ast.Attribute):
        owner = _value_of(node.func.value)
        if not inspect.isclass(owner):
            return UNKNOWN
        return [_members_of(owner).get(node.func.attr)]
    if not isinstance(node.func, ast.Name):
        return UNKNOWN
    name = node.func.id
    if name in VARIABLES:
        return [VARIABLES[name].__call__]
    if name in PUBLIC:
        return [PUBLIC[name]]
    # A single letter is a function of mathematics.
    if len(name) == 1 or is_metric_name(name) or is_of_others(name):
        return UNKNOWN
    return [_members_of(one)[name] for one in PUBLIC.values() if name in _members_of(one)]


def _fault_of(called, node):
    """Why one thing can't be called so; None if it can."""
    name = ast.unparse(node.func)
    if not callable(called):
        return f"{name} is not called"
    signature = inspect.signature(called)
    keywords = {one.arg: one.value for one in node.keywords if one.arg}
    is_method = isinstance(called, types.FunctionType) and "." in called.__qualname__
    arguments = [UNKNOWN, *node.args] if is_method else node.args
    try:
        bound = signature.bind_partial(*arguments, **keywords).arguments
    except TypeError as error:
        return f"{name}: {error}"
    if unknown := bound.get("parameters", {}).keys() - OF_METRICS:
        return f"{name} has no {min(unknown)}="
    asked = [text for option in NAMES_METRICS for text in _texts(bound.get(option))]
    documented = inspect.getdoc(called) or ""
    unknown = [text for text in asked if not (_is_metric(text) or f'"{text}"' in documented)]
    return f"{name}: nobody knows {unknown[0]!r}" if unknown else None


def _texts(node):
    """The strings that an argument is, or lists."""
    parts = node.elts if isinstance(node, ast.List) else [node]
    return [one.value for one in parts if isinstance(getattr(one, "value", None), str)]


def _is_metric(text):
    """Whether a metric, or a scorer, has this name."""
    return is_metric_name(text.removeprefix("neg_")) or text in get_scorer_names()


def _value_of(node):
    """A public object, or the class of a value; UNKNOWN for what the code does not tell."""
    if isinstance(node, ast.Name):
        return VARIABLES.get(node.id, PUBLIC.get(node.id, UNKNOWN))
    if isinstance(node, ast.Attribute):
        owner = _value_of(node.value)
        member = _members_of(owner).get(node.attr, UNKNOWN)
        return _class_of(getattr(member, "fget", member))
    if isinstance(node, ast.Call):
        called = _called_by(node)
        one = called[0] if called is not UNKNOWN and len(called) == 1 else UNKNOWN
        return one if inspect.isclass(one) else _class_of(one)
    return UNKNOWN


def _class_of(function):
    """The class of what a function returns, if it is a public one."""
    if not callable(function):
        return UNKNOWN
    found = typing.get_type_hints(function).get("return")
    if found is typing.Self:
        found = PUBLIC.get(function.__qualname__.partition(".")[0])
    return found if found in PUBLIC.values() else UNKNOWN


@cache
def _members_of(owner):
    """Attributes of a class by name, fields and documented ones included."""
    if not inspect.isclass(owner):
        return {}
    documented = re.findall(r"^ *(\w[\w, ]*) : ", inspect.getdoc(owner), re.MULTILINE)
    names = [name for line in documented for name in line.split(", ")]
    own = {name: getattr(owner, name) for name in dir(owner)}
    return dict.fromkeys([*names, "__name__"]) | own


@cache
def is_of_others(name):
    """Whether Python has this name, a test imports it, or scikit-learn has it."""
    is_python = hasattr(builtins, name) or name in imported_by_tests()
    return is_python or name in names_of_scikit_learn()


@cache
def names_of_scikit_learn():
    """To look for them imports all of it."""
    return {name for of in (all_displays, all_estimators, all_functions) for name, _ in of()}


@cache
def imported_by_tests():
    """The names that tests import from elsewhere than this package."""
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")]
    imports = [names for text in texts for names in IMPORT.findall(text)]
    parts = [part.split() for names in imports for part in names.strip("()").split(",")]
    return {words[-1] for words in parts if words}
