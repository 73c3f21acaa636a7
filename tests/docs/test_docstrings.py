"""Every example of a docstring is run once: those of methods here, others by pytest itself.

A class is looked for in the module that it names, which is the package for public ones, and a
method in the file of its code: the methods of public classes are in neither together.
"""

import ast
import doctest
import importlib
import inspect
from collections import Counter
from pathlib import Path

import pytest

import skmetrics_ext
from tests.public_names import PUBLIC
from tests.shared import parsed, statements

PACKAGE = Path(skmetrics_ext.__file__).parent
FINDER = doctest.DocTestFinder(exclude_empty=True)
CLASSES = [name for name, found in PUBLIC.items() if inspect.isclass(found)]


def examples_of_methods(name):
    """The docstrings of a public class, without its own."""
    found = FINDER.find(PUBLIC[name], name, module=False, globs=dict(vars(skmetrics_ext)))
    return [test for test in found if test.examples and test.name != name]


OF_METHODS = [test for name in CLASSES for test in examples_of_methods(name)]


@pytest.mark.parametrize("test", OF_METHODS, ids=lambda test: test.name)
def test_examples_of_methods_print_what_they_say(test):
    messages = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    results = runner.run(test, out=messages.append, clear_globs=False)
    assert (results.attempted, results.failed) == (len(test.examples), 0), "".join(messages)


WITH_EXAMPLES = [
    path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")
]


def written():
    """The docstrings with examples in the files of the package."""
    parser = doctest.DocTestParser()
    for path in WITH_EXAMPLES:
        for node in (module := parsed(path), *statements(module)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                text = ast.get_docstring(node) or ""
                if parser.get_examples(text):
                    yield text


def collected_by_pytest():
    """The docstrings with examples that a search through each module finds."""
    paths = [path.relative_to(PACKAGE.parent).with_suffix("") for path in WITH_EXAMPLES]
    names = {".".join(part for part in path.parts if part != "__init__") for path in paths}
    # What is public is found where it says that it is.
    for name in names | {of_public.__module__ for of_public in PUBLIC.values()}:
        found = FINDER.find(importlib.import_module(name))
        yield from (inspect.cleandoc(test.docstring) for test in found if test.examples)


def test_every_example_that_is_written_is_run_once():
    of_methods = [inspect.cleandoc(test.docstring) for test in OF_METHODS]
    assert Counter(written()) == Counter(collected_by_pytest()) + Counter(of_methods)
