"""Settings of all tests, and the fixtures that several files ask for."""

import gc
import os

# Before NumPy is imported: the data are small, and threads that wait for work take as much time as
# those that work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
import sklearn
import sklearn.metrics
from hypothesis import HealthCheck, settings
from sklearn.datasets import load_breast_cancer

from tests import as_of_today, options_named

# Garbage is looked for after the collection: in between, what rewriting the assertions makes and
# drops at once would start a search, through all that is imported, so often that it took half of
# the time.
gc.disable()

# No deadline: machines are noisy, and a slow example is no failure.
settings.register_profile(
    "default", max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

# Where scikit-learn sets the value of 0/0 by another name, tests that compare with it set it by the
# one that it has today: before they import its functions.
for theirs in as_of_today.CHANGED:
    setattr(sklearn.metrics, theirs, as_of_today.as_of_today(getattr(sklearn.metrics, theirs)))


# The oldest scikit-learn passes weights on unasked, so a policy to come is not imitated beside it.
IS_OLDEST = sklearn.__version__.startswith("1.6.")
collect_ignore = ["test_metadata_policies_ahead.py"] if IS_OLDEST else []


_filled = pytest.ExceptionInfo.fill_unfilled


def _fill_unfilled(self, exc_info):
    """Each error that a test awaits speaks for the function that was called."""
    options_named.check_error(exc_info[1])
    _filled(self, exc_info)


pytest.ExceptionInfo.fill_unfilled = _fill_unfilled

# What hypothesis draws may have no label in common on both sides, and scores that are the labels.
DRAWN = ("none of which are in both", "y_score holds only the labels")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """The docstrings of tests have no examples: to look for some would take as long as a folder."""
    found = yield
    return [each for each in found if type(each).__name__ != "DoctestModule"]


def pytest_collection_modifyitems(items):
    """Drawn data need not be sensible."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            for words in DRAWN:
                item.add_marker(pytest.mark.filterwarnings(f"ignore:.*{words}"))


def pytest_collection_finish():
    """What is imported and collected by now stays: looking for garbage in it takes a tenth of the
    time. There is little in it.
    """
    gc.freeze()
    gc.enable()
    # A figure or the syntax of a file are thousands of objects that drop out by themselves.
    gc.set_threshold(50_000)


def pytest_terminal_summary(terminalreporter):
    """Say what was left out, and how to run it."""
    slow = [
        item
        for item in terminalreporter.stats.get("deselected", [])
        if item.get_closest_marker("slow")
    ]
    if slow:
        terminalreporter.write_line(
            f"{len(slow)} slow tests were left out: `pytest -m slow` runs them."
        )


@pytest.fixture(scope="session")
def tumors():
    """Breast cancer data: 569 samples with the labels "benign" and "malignant"."""
    data = load_breast_cancer()
    return data.data[:, :6], data.target_names[data.target]


@pytest.fixture
def routing():
    """scikit-learn sends weights where they are requested."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield
