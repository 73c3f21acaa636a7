"""Every plot is made without a screen, closed after its test, and leaves matplotlib's settings as
they were.
"""

import matplotlib
import pytest
from matplotlib import pyplot as plt

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    with matplotlib.rc_context():
        yield
    plt.close("all")
