"""A fresh interpreter, also with -O or -OO, which leave out assertions and docstrings: the import
changes nothing else, nothing warns, and whatever is public gives the same.
"""

import contextlib
import io
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import skmetrics_ext
from skmetrics_ext.__main__ import main
from skmetrics_ext.catalogue.rows import METRICS
from tests import between_pythons
from tests.between_pythons import what_is_seen_of
from tests.test_pickles import OBJECTS, Y_PRED, Y_TRUE
from tests.test_threads_and_processes import calls_of, drawn
from tests.test_variants import ROWS

DOCUMENTED = ("use", "pitfall")


def python(*arguments):
    """Run another Python, where warnings are errors."""
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def described(name):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        skmetrics_ext.describe(name)
    return text.getvalue()


def given():
    """What is public gives here: each cell of the table of variants, what objects show and models
    predict, reports, the catalogue, and a plot.
    """
    return {
        "cells": {f"{k} {row}": [call() for call in calls_of(row)] for k, row in enumerate(ROWS)},
        "objects": {name: what_is_seen_of(make()) for name, make in OBJECTS.items()},
        "report": str(skmetrics_ext.classification_report(Y_TRUE, Y_PRED)),
        "names": skmetrics_ext.get_scorer_names(),
        "table": skmetrics_ext.metrics_table("pandas").to_dict("list"),
        "descriptions": {row.name: described(row.name) for row in METRICS},
        "plot": drawn("plot_confusion_matrix", 1),
    }


def without_docstrings(found):
    """What is the same under -OO."""
    table = {name: of for name, of in found["table"].items() if name not in DOCUMENTED}
    return {**found, "table": table, "descriptions": None}


def write(path):
    """Store what is given, for the interpreter that asked for it."""
    Path(path).write_bytes(pickle.dumps(given()))


@pytest.fixture(scope="module")
def expected():
    return given()


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_whatever_is_public_gives_the_same(flag, expected, tmp_path):
    """Nothing else runs all without assertions and docstrings, where all packages are compiled
    anew.
    """
    path = tmp_path / "given"
    code = f"from tests.test_optimized import write; write({str(path)!r})"
    done = python(flag, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    found = pickle.loads(path.read_bytes())
    if flag == "-OO":
        assert {*found["table"]["use"]} == {*found["table"]["pitfall"]} == {""}
        assert all("strips" in text for text in found["descriptions"].values())
        found, expected = without_docstrings(found), without_docstrings(expected)
    np.testing.assert_equal(found, expected)


COMMAND = [
    "check",
    "predictions.csv",
    "--actual",
    "y",
    "--predicted",
    "p",
    "--claim",
    "recall>=0.5",
]


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_the_command_says_the_same(flag, tmp_path, monkeypatch, capsys):
    """As above, with a parser, whose texts may be docstrings."""
    monkeypatch.chdir(tmp_path)
    Path("predictions.csv").write_text("y,p\n" + "1,1\n" * 40 + "0,0\n" * 30 + "1,0\n" * 9)
    command = [*COMMAND, "--pos-label", "1"]
    assert main(command) == 0
    done = python(flag, "-m", "skmetrics_ext", *command)
    assert (done.returncode, done.stdout, done.stderr) == (0, capsys.readouterr().out, "")


# What an import may change in a process, after scikit-learn is there.
IMPORT = """
import importlib, logging, os, pkgutil, random, signal, sys, threading, warnings
import numpy as np, sklearn.metrics

def state():
    return {
        "filters": list(warnings.filters),
        "errors of NumPy": np.geterr(),
        "how arrays are shown": np.get_printoptions(),
        "configuration": sklearn.get_config(),
        "random numbers": [random.getstate(), str(np.random.get_state())],
        "threads": threading.active_count(),
        "switches": sys.getswitchinterval(),
        "hooks": [sys.excepthook, sys.displayhook, sys.stdout, sys.path_hooks, sys.meta_path],
        "environment": dict(os.environ),
        "paths": list(sys.path),
        "loggers": [logging.root.level, list(logging.root.handlers)],
        "signals": signal.getsignal(signal.SIGINT),
        "optional": sorted({"matplotlib", "narwhals", "pandas", "polars"} & {*sys.modules}),
    }

before = state()
import skmetrics_ext
for module in pkgutil.walk_packages(skmetrics_ext.__path__, "skmetrics_ext."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
after = state()
print([name for name in before if before[name] != after[name]])
"""


READ = """
from tests import between_pythons
between_pythons.read({folder!r})
"""


@pytest.fixture(scope="module")
def new_python(tmp_path_factory):
    """What a new interpreter says of the import, and then of objects in this folder, in one run."""
    folder = str(tmp_path_factory.mktemp("objects"))
    between_pythons.write(folder, in_turns=True)
    return folder, python("-c", IMPORT + READ.format(folder=folder))


def test_an_import_changes_nothing_else(new_python):
    _, done = new_python
    assert done.stdout.startswith("[]\n"), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["-O", "-OO"])
def test_an_import_without_assertions_changes_nothing_else(flag):
    """The same where nothing is documented or asserted."""
    done = python(flag, "-c", IMPORT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


def test_a_new_python_sees_the_same_and_what_it_sends_back_is_whole(new_python, capsys):
    """It imports all that it is sent, and no warning is given there."""
    folder, done = new_python
    assert (done.returncode, done.stderr) == (0, "")
    between_pythons.read(folder)
    assert capsys.readouterr().out == done.stdout.partition("\n")[2]
