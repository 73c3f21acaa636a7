"""What the API reference says where its reader, griffe, would be wrong: an extension of griffe."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import griffe

import skmetrics_ext
from skmetrics_ext import results
from skmetrics_ext.catalogue.rows import METRICS

# The first line of a parameter or an attribute in a docstring: its names, its type, its default.
FIRST_LINE = re.compile(r"^([*\w, ]+) : (.+?)(?:, default=(.+))?$", re.MULTILINE)

OF_METRICS = {row.function for row in METRICS}
# What the page of a metric says above the entry of its function, or of all metrics elsewhere.
KINDS = griffe.DocstringSectionKind
SAID_ABOVE = {KINDS.text, KINDS.admonition, KINDS.returns, KINDS.raises}
# How descriptions begin that docs/metrics/options.md has for all of them.
SHARED = {
    "y_true, y_pred": "Actual",
    "labels": "Classes to average",
    "pos_label": "The positive class",
    "average": '"binary"',
    "sample_weight": "Weight",
    "zero_division": "The value",
}
# Where a name is imported from, which is what a reader sees of its place.
PLACES = dict.fromkeys(skmetrics_ext.__all__, "skmetrics_ext")
PLACES |= dict.fromkeys(results.__all__, "skmetrics_ext.results")
# A description that is shorter is read sooner than a link to it is followed.
FEW_WORDS = 8


class AsDocumented(griffe.Extension):
    """Shows the signature that `help` shows, and the types in the words of the docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if isinstance(obj, griffe.Function):
            _use_signature(obj)
        if obj.docstring:
            _use_words(obj.docstring)
            _use_public_places(obj.docstring)
            if obj.name in OF_METRICS and obj.path.startswith("skmetrics_ext.metrics."):
                _leave_out_what_the_page_says(obj.docstring)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        for each in _classes_of(pkg):
            if "\nParameters\n" not in (each.docstring.value if each.docstring else ""):
                _leave_out_signature(each)
        for path in sorted(Path("docs/api").glob("*.md")):
            names = re.findall(
                r"^::: skmetrics_ext\.([\w.]+)$", path.read_text(encoding="utf-8"), re.M
            )
            _say_once([pkg[name] for name in names])
            _say_what_is_inherited_once([pkg[name] for name in names])


def _use_signature(function: griffe.Function) -> None:
    """Name each option that stands in a TypedDict, give named defaults their values, and leave out
    annotations, whose names are private.
    """
    for parameter in list(function.parameters):
        if str(parameter.annotation).startswith("Unpack["):
            del function.parameters[parameter.name]
            module = importlib.import_module(function.module.path)
            for name, option in inspect.signature(
                getattr(module, function.name)
            ).parameters.items():
                if name not in function.parameters:
                    kind = griffe.ParameterKind.keyword_only
                    function.parameters.add(
                        griffe.Parameter(name, kind=kind, default=repr(option.default))
                    )
        elif re.fullmatch(r"[A-Z][A-Z_]+", str(parameter.default)):
            module = importlib.import_module(function.module.path)
            parameter.default = repr(getattr(module, str(parameter.default)))
        parameter.annotation = None


def _classes_of(module: griffe.Module) -> list[griffe.Class]:
    """All classes of a package."""
    found = []
    for member in module.members.values():
        if not member.is_alias and member.is_module:
            found += _classes_of(member)
        elif not member.is_alias and member.is_class:
            found.append(member)
    return found


def _leave_out_signature(each: griffe.Class) -> None:
    """Of a class that users do not call: they get its objects from functions and methods."""
    each.decorators = [one for one in each.decorators if "dataclass" not in str(one.value)]
    each.labels.discard("dataclass")
    each.members.pop("__init__", None)


def _leave_out_what_the_page_says(docstring: griffe.Docstring) -> None:
    """Keep the parameters of this metric alone, and the examples."""
    kept = []
    for section in docstring.parsed:
        if section.kind == KINDS.parameters:
            section.value = [
                each
                for each in section.value
                if each.name not in SHARED or not each.description.startswith(SHARED[each.name])
            ]
        if section.kind not in SAID_ABOVE and section.value:
            kept.append(section)
    docstring.parsed[:] = kept


def _say_once(objects: list[griffe.Object | griffe.Alias]) -> None:
    """On a page a description of a parameter stands where it is first, and is named below."""
    first: dict[tuple[str, str], griffe.Function] = {}
    for function in _functions_of(objects):
        sections = function.docstring.parsed if function.docstring else []
        for section in sections:
            if section.kind != KINDS.parameters:
                continue
            for parameter in section.value:
                key = (parameter.name, parameter.description)
                before = first.setdefault(key, function)
                if before is not function and len(parameter.description.split()) > FEW_WORDS:
                    parameter.description = f"As in `{before.name}`."
                    parameter.annotation = None


def _say_what_is_inherited_once(objects: list[griffe.Object | griffe.Alias]) -> None:
    """On a page a method that several classes inherit is described where it is first."""
    first: dict[str, str] = {}
    for each in objects:
        owner = each.final_target if each.is_alias else each
        for name, member in owner.inherited_members.items() if owner.is_class else ():
            if name.startswith("_") or not member.is_function:
                continue
            method = member.final_target
            before = first.setdefault(method.path, owner.name)
            if before != owner.name:
                text = griffe.Docstring(f"As `{before}.{name}`.", lineno=1)
                owner.set_member(
                    name,
                    griffe.Function(
                        name,
                        parameters=method.parameters,
                        docstring=text,
                        lineno=method.lineno,
                        endlineno=method.endlineno,
                    ),
                )


def _functions_of(objects: list[griffe.Object | griffe.Alias]) -> list[griffe.Function]:
    """Functions, and the methods of classes, in their order; a class stands for its making."""
    found = []
    for each in objects:
        target = each.final_target if each.is_alias else each
        if target.is_function or target.is_class:
            found.append(target)
        if target.is_class:
            found += [
                member
                for name, member in target.members.items()
                if member.is_function and not name.startswith("_")
            ]
    return found


def _use_words(docstring: griffe.Docstring) -> None:
    """Keep types and defaults as they are written: griffe reads them as Python, and a set's first
    item as default.
    """
    lines = FIRST_LINE.findall(docstring.value)
    written = {
        name: (kind, default) for names, kind, default in lines for name in names.split(", ")
    }
    docstring.parser, docstring.parser_options = griffe.Parser.numpy, {"warn_missing_types": False}
    parameters = getattr(docstring.parent, "parameters", ())
    for section in docstring.parsed:
        if isinstance(
            section, griffe.DocstringSectionParameters | griffe.DocstringSectionAttributes
        ):
            for item in section.value:
                kind, default = written.get(item.name, ("", ""))
                # A name alone stays, since it links to what it names.
                if not (kind and isinstance(item.annotation, griffe.ExprName)):
                    item.annotation = kind or None
                item.value = default or (
                    str(parameters[item.name].default)
                    if item.name in parameters and parameters[item.name].default is not None
                    else None
                )
            section.value = _described_together(section.value, lines)


def _described_together(items: list[Any], lines: list[tuple[str, str, str]]) -> list[Any]:
    """Parameters that one description is about are one entry, as in the docstring."""
    together = {name: names for names, *_ in lines for name in names.split(", ")}
    kept = {together.get(item.name, item.name): item for item in reversed(items)}
    for names, item in kept.items():
        item.name = names
    return [*reversed(kept.values())]


def _use_public_places(docstring: griffe.Docstring) -> None:
    """A name links to where it is imported from, not to the module that holds it."""
    for section in docstring.parsed:
        if not isinstance(section.value, list):
            continue
        for item in section.value:
            annotation = getattr(item, "annotation", None)
            if isinstance(annotation, griffe.Expr):
                for name in annotation.iterate(flat=True):
                    if isinstance(name, griffe.ExprName) and name.name in PLACES:
                        name.parent = PLACES[name.name]
