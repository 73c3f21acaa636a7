"""What the API reference says where its reader, griffe, would be wrong: an extension of griffe."""

import importlib
import inspect
import re
from typing import Any

import griffe

from skmetrics_ext.catalogue.rows import METRICS

# The first line of a parameter or an attribute in a docstring: its names, its type, its default.
FIRST_LINE = re.compile(r"^([*\w, ]+) : (.+?)(?:, default=(.+))?$", re.MULTILINE)

OF_METRICS = {row.function for row in METRICS}
# What the page of a metric has from its docstring, above the entry of the function.
TEXT, REMARKS = griffe.DocstringSectionKind.text, griffe.DocstringSectionKind.admonition


class AsDocumented(griffe.Extension):
    """Shows the signature that `help` shows, and the types in the words of the docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if isinstance(obj, griffe.Function):
            _use_signature(obj)
        if obj.docstring:
            _use_words(obj.docstring)
            if obj.name in OF_METRICS and obj.path.startswith("skmetrics_ext.metrics."):
                _leave_out_what_the_page_says(obj.docstring)


def _use_signature(function: griffe.Function) -> None:
    """Name each option that stands in a TypedDict, and leave out annotations, whose names are
    private.
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
        parameter.annotation = None


def _leave_out_what_the_page_says(docstring: griffe.Docstring) -> None:
    """Keep the parameters, the returned values, the errors and the examples of a metric."""
    docstring.parsed[:] = [
        section for section in docstring.parsed if section.kind not in {TEXT, REMARKS}
    ]


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
                    parameters[item.name].default if item.name in parameters else None
                )
