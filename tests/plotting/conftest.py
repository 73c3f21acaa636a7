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


@pytest.fixture
def few_replicates(monkeypatch):
    """Bands whose limits nobody reads are quickly drawn."""
    monkeypatch.setattr("skmetrics_ext.statistics.areas.curve_bands.N_REPLICATES", 199)


@pytest.fixture
def unfitted(monkeypatch):
    """Figures as large as their axes, where artists are read and no text need fit."""
    for name in ("intervals", "one_matrix"):
        monkeypatch.setattr(f"skmetrics_ext.plotting.{name}.fit_figure", lambda *_: None)
    monkeypatch.setattr("matplotlib.figure.Figure.draw_without_rendering", lambda *_: None)
