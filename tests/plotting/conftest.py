"""Every plot is made without a screen, closed after its test, with matplotlib's settings kept."""

import matplotlib
import pytest
from matplotlib import pyplot as plt

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    with matplotlib.rc_context():
        yield
    plt.close("all")
