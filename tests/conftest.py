"""Settings of all tests, and the fixtures that several files ask for."""

import pytest
import sklearn
from hypothesis import HealthCheck, settings
from sklearn.datasets import load_breast_cancer

# No deadline: machines are noisy, and a slow example is no failure.
settings.register_profile("default", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


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
