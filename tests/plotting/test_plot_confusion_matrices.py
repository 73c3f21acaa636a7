"""Small multiples: which panels there are, that they share colors and names, nothing is cut."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from skmetrics_ext import ConfusionMatrix, plot_confusion_matrix
from skmetrics_ext.plotting.cells import summarized, texts_of_cells
from skmetrics_ext.results import Axis


def matrix(n_entries=3, n_classes=2, name="group", labels=None):
    random = np.random.default_rng(0)
    counts = random.poisson(50 * np.eye(n_classes) + 5, size=(n_entries, n_classes, n_classes))
    labels = np.array([f"class {k}" for k in range(n_classes)] if labels is None else labels)
    return ConfusionMatrix(
        counts, labels, (Axis(name, np.array([f"{name} {k}" for k in range(n_entries)])),)
    )


def written(plot):
    return [text.get_text() for text in plot.text_.flat]


def visible(labels):
    return [label.get_text() for label in labels if label.get_visible() and label.get_text()]


@pytest.mark.parametrize("name", ["group", "fold"])
@pytest.mark.usefixtures("unfitted")
def test_each_entry_has_the_panel_of_its_own_matrix_and_the_first_one_is_that_of_the_plot(name):
    cm = entries = matrix(2, name=name)
    if name == "fold":
        # Alone they are one matrix with mean and spread.
        assert plot_confusion_matrix(cm).panels_ == {}
        entries = {fold: cm.sel(fold=fold) for fold in cm.axes[0].coordinates.tolist()}
    plot = plot_confusion_matrix(entries)
    assert list(plot.panels_) == [f"{name} {k}" for k in range(2)]
    for k, (key, panel) in enumerate(plot.panels_.items()):
        alone = summarized(ConfusionMatrix.from_counts(cm.counts[k], labels=cm.labels), "true")
        assert written(panel) == texts_of_cells(alone, "counts+percent")
        np.testing.assert_array_equal(panel.im_.get_array(), alone.shares)
        assert panel.ax_.get_title() == key
        assert panel.im_.get_clim() == (0, 1)
        assert panel.im_.colorbar is None
        assert panel.panels_ == {}
    first = plot.panels_[f"{name} 0"]
    assert (plot.ax_, plot.figure_, plot.im_) == (first.ax_, first.figure_, first.im_)
    assert plot.text_ is first.text_
    assert plot.figure_._suptitle.get_text() == "samples and % of the actual class"


@pytest.mark.usefixtures("unfitted")
def test_folds_of_groups_are_mean_and_spread_in_the_panel_of_the_group():
    counts = np.random.default_rng(0).integers(1, 50, size=(4, 2, 3, 3))
    axes = (Axis("fold", np.arange(4)), Axis("group", np.array(["a", "b"])))
    plot = plot_confusion_matrix(ConfusionMatrix(counts, np.arange(3), axes))
    for k, (name, panel) in enumerate(plot.panels_.items()):
        folds = ConfusionMatrix(counts[:, k], np.arange(3), axes[:1])
        assert name == "ab"[k]
        assert written(panel) == texts_of_cells(summarized(folds, "true"), "counts+percent")


@pytest.mark.usefixtures("unfitted")
def test_models_by_name_need_not_have_the_same_classes():
    models = {"two": matrix(n_classes=2).sum("group"), "three": matrix(n_classes=3).sum("group")}
    plot = plot_confusion_matrix(models, title="models")
    text = plot.figure_._suptitle.get_text()
    assert text == "models\nsamples and % of the actual class"
    for name, panel in plot.panels_.items():
        assert visible(panel.ax_.get_yticklabels()) == list(models[name].labels)


@pytest.mark.parametrize(
    "n_panels", [5, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 3))]
)
def test_shared_names_and_titles_are_at_the_edges(n_panels):
    """The slow ones have a single row."""
    plot = plot_confusion_matrix(matrix(n_panels))
    panels = list(plot.panels_.values())
    boxes = [panel.ax_.get_window_extent() for panel in panels]
    left = min(box.x0 for box in boxes)
    for panel, box in zip(panels, boxes, strict=True):
        ax = panel.ax_
        below = [other for other in boxes if abs(other.x0 - box.x0) < 1 and other.y1 < box.y0]
        is_left = abs(box.x0 - left) < 1
        assert bool(visible(ax.get_yticklabels())) == is_left == ax.yaxis.label.get_visible()
        assert bool(visible(ax.get_xticklabels())) == (not below) == ax.xaxis.label.get_visible()
    assert len({round(box.width) for box in boxes}) == 1


@pytest.mark.parametrize(
    ("normalize", "values", "of_bar"),
    [
        ("all", "counts", ["% of all samples"]),
        (None, "percent", ["samples"]),
        pytest.param("true", "percent", [], marks=pytest.mark.slow),
        pytest.param("true", None, ["% of the actual class"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_all_panels_have_the_same_colors_and_one_bar_of_what_the_cells_do_not_say(
    normalize, values, of_bar
):
    """The slow ones have no bar, as those above, or no text."""
    cm = matrix(2)
    plot = plot_confusion_matrix(cm, normalize=normalize, values=values, cmap="Greens")
    most = {None: cm.counts.max(), "all": cm.normalize("all").max(), "true": 1}[normalize]
    for panel in plot.panels_.values():
        assert panel.im_.get_clim() == (0, pytest.approx(most))
        assert panel.im_.get_cmap().name == "Greens"
    bars = [panel.im_.colorbar for panel in plot.panels_.values() if panel.im_.colorbar]
    assert [bar.ax.get_ylabel() for bar in bars] == of_bar


@pytest.mark.usefixtures("unfitted")
def test_many_classes_have_only_colors(monkeypatch):
    monkeypatch.setattr("skmetrics_ext.plotting.one_matrix.MOST_CLASSES_WITH_TEXT", 3)
    plot = plot_confusion_matrix(matrix(1, 4))
    assert [panel.text_ for panel in plot.panels_.values()] == [None]
    assert plot.figure_._suptitle is None
    assert sum(panel.im_.colorbar is not None for panel in plot.panels_.values()) == 1


@pytest.mark.parametrize(
    ("n_panels", "n_classes"), [(2, 3), pytest.param(12, 5, marks=pytest.mark.slow)]
)
def test_text_fits_its_cells_and_nothing_is_cut(n_panels, n_classes):
    """The slow one has the most panels, and the smallest text."""
    labels = [f"{k} is a long name of many words" for k in range(n_classes)]
    plot = plot_confusion_matrix(matrix(n_panels, n_classes, labels=labels))
    for panel in plot.panels_.values():
        ax = panel.ax_
        cell = ax.get_window_extent().width / n_classes
        for text in panel.text_.flat:
            assert text.get_visible()
            assert max(text.get_window_extent().width, text.get_window_extent().height) <= cell
        box = ax.get_tightbbox()
        assert min(box.x0, box.y0) >= -1
        assert box.x1 <= plot.figure_.bbox.x1 + 1
        assert box.y1 <= plot.figure_.bbox.y1 + 1


@pytest.mark.parametrize(
    ("error", "message", "matrices"),
    [
        (TypeError, "cm must be a ConfusionMatrix; got int", {"a": 1}),
        (ValueError, r"from 1 to 12 matrices; there are 13: pass a dict", matrix(13)),
        (ValueError, "from 1 to 12 matrices; there are 0", {}),
        (ValueError, r"the leading axes of this one are \['group'\]", {"a": matrix()}),
        (
            ValueError,
            r"panels need a single axis",
            ConfusionMatrix.from_counts(np.ones((2, 3, 2, 2)), labels=[0, 1]),
        ),
    ],
)
def test_what_cannot_be_drawn_is_an_error_and_leaves_no_figure(error, message, matrices):
    with pytest.raises(error, match=message):
        plot_confusion_matrix(matrices)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("option", ["ax", "labels", "sample_weight"])
def test_options_of_one_matrix_are_refused_for_panels(option):
    _, ax = plt.subplots()
    given = {option: ax if option == "ax" else [0, 1]}
    with pytest.raises(ValueError, match=rf"{option}= is for one matrix, but there are 3 panels"):
        plot_confusion_matrix(matrix(), **given)


@pytest.mark.usefixtures("unfitted")
def test_panels_of_groups_whose_labels_are_partly_known():
    cm = ConfusionMatrix.from_partial_labels(
        [1, 0, None, 1, 0, None], [1, 0, 1] * 2, by=list("aaabbb")
    )
    plots = plot_confusion_matrix(cm).panels_
    assert [plots["a"].text_[1, 1].get_text()[0], plots["b"].text_[0, 0].get_text()[0]] == [
        "2",
        "1",
    ]
