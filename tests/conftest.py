"""Settings of all tests, and the fixtures that several files ask for."""

import os

# Before NumPy is imported: the data are small, and threads that wait for work take as much time as
# those that work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
import sklearn
from hypothesis import HealthCheck, settings
from sklearn.datasets import load_breast_cancer

# No deadline: machines are noisy, and a slow example is no failure.
settings.register_profile(
    "default", max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")


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
def tumours():
    """Breast cancer data: 569 samples with the labels "benign" and "malignant"."""
    data = load_breast_cancer()
    return data.data[:, :6], data.target_names[data.target]


@pytest.fixture
def routing():
    """scikit-learn sends weights where they are requested."""
    with sklearn.config_context(enable_metadata_routing=True):
        yield
