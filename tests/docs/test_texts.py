"""Docstrings of public functions agree with each other on parameters, with the catalogue too."""

import ast
import functools
import inspect
import math
import re
from typing import NamedTuple

from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.docs.parameter_texts import BY_CLUSTERS_GROUPS
from tests.public_names import PUBLIC
from tests.shared import for_each

FUNCTIONS = [name for name, found in PUBLIC.items() if inspect.isfunction(found)]

DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "neither": "neither direction is better",
}
LIBRARIES = ("scikit-learn", "imbalanced-learn", "caret", "WMO")


class Entry(NamedTuple):
    """What a docstring says of a parameter."""

    type: str
    default: str
    text: str


def sections(name):
    """The lines under each heading of a docstring; those above the first under ""."""
    found, heading = {"": []}, ""
    lines = inspect.cleandoc(PUBLIC[name].__doc__).splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line and set(following) == {"-"}:
            heading = line
            found[heading] = []
        elif not (line and set(line) == {"-"}):
            found[heading].append(line)
    return found


def section(name, heading):
    """A section in one line."""
    return " ".join(" ".join(sections(name)[heading]).split())


@functools.cache
def entries(name):
    """The parameters of a function as its docstring has them."""
    found = {}
    text = "\n".join(sections(name).get("Parameters", [])).strip()
    for block in re.split(r"\n(?=\S)", text) if text else []:
        head, _, text = block.partition("\n")
        names, _, kind = head.partition(" : ")
        kind, _, default = kind.partition(", default=")
        for parameter in names.split(", "):
            found[parameter] = Entry(kind, default, " ".join(text.split()))
    return found


def documented():
    """Each public function, class and method with its docstring."""
    for name, value in PUBLIC.items():
        keys = (
            [key for key in dir(value) if key == "__call__" or key[0] != "_"]
            if inspect.isclass(value)
            else []
        )
        # A request is of what is passed on, not of what it is.
        members = [
            (f"{name}.{key}", getattr(value, key)) for key in keys if not key.endswith("_request")
        ]
        yield from (
            (key, inspect.getdoc(member) or "") for key, member in [(name, value), *members]
        )


def test_by_clusters_and_groups_are_told_apart_wherever_one_of_them_stands():
    explained = set()
    for name, text in documented():
        parameters = re.split(r"\n\n[\w ]+\n--", text.partition("\nParameters\n")[2])[0]
        for block in re.split(r"\n(?=\S)", parameters):
            names, _, text = block.partition("\n")
            if {"by", "clusters", "groups"} & set(re.findall(r"\w+", names.partition(" : ")[0])):
                text = " ".join(text.split())
                assert BY_CLUSTERS_GROUPS in text or re.search(r"\b([Aa]s in|see) `", text), name
                explained |= {name} if BY_CLUSTERS_GROUPS in text else set()
    assert {
        "ConfusionMatrix.from_predictions",
        "metric_interval",
        "compare",
        "cross_val_confusion_matrix",
    } <= explained


def test_each_parameter_of_a_method_is_described():
    missing = []
    for name, value in PUBLIC.items():
        # What only this package asks of a design, a line each says.
        keys = vars(value) if inspect.isclass(value) and name not in ("Design", "Caveat") else ()
        for key in keys:
            method = getattr(value, key)
            if (key[0] == "_" and key != "__call__") or key.endswith("_request"):
                continue
            if inspect.isfunction(method) or inspect.ismethod(method):
                text = inspect.getdoc(method).partition("\nParameters\n")[2]
                section = re.split(r"\n\n[\w ]+\n--", text)[0]
                heads = re.findall(r"(?m)^\S.*?(?= :|$)", section)
                described = set(re.findall(r"\w+", " ".join(heads)))
                wanted = set(inspect.signature(method).parameters) - {"self"}
                missing += [f"{name}.{key}({each})" for each in sorted(wanted - described)]
    assert missing == []


@for_each("name", FUNCTIONS)
def test_parameters_and_defaults_are_those_of_the_signature(name):
    signature = {}
    for parameter in inspect.signature(PUBLIC[name]).parameters.values():
        stars = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "")
        signature[stars + parameter.name] = parameter.default
    said = {parameter: entry.default for parameter, entry in entries(name).items()}
    assert said.keys() == signature.keys()
    for parameter, default in said.items():
        if default == "nan":
            assert math.isnan(signature[parameter])
        elif default:
            assert ast.literal_eval(default) == signature[parameter]


every_row = for_each("row", METRICS)


@every_row
def test_the_first_line_has_the_formula(row):
    first = sections(row.function)[""][0]
    assert re.match(re.escape(row.text) + r"(\.$|: )", first)


@every_row
def test_the_range_and_the_direction_are_those_of_the_row(row):
    assert f"In {row.range}; {DIRECTIONS[row.better]}" in section(row.function, "Returns")


@every_row
def test_the_value_where_a_metric_is_undefined_is_that_of_the_row(row):
    value = f"{row.undefined:g}"
    if "zero_division" not in inspect.signature(function_of(row)).parameters:
        returns = section(row.function, "Returns")
        assert "Never undefined." in returns or re.search(rf"\b{value} where", returns)
        return
    text = entries(row.function)["zero_division"].text
    assert re.search(r'0/0 \(.+\)\. "warn": (\w+),', text)[1] == value


@every_row
def test_the_sources_of_the_row_are_among_the_references(row):
    references = section(row.function, "References")
    papers = re.findall(r"([\w-]+)(?: & \w+| et al\.)? (\d{4})", row.source)
    libraries = [library for library in LIBRARIES if library in row.source]
    assert papers or libraries
    for author, year in papers:
        assert re.search(rf"\b{author}\b[^;]* \({year}\)", references)
    for library in libraries:
        assert library in references
