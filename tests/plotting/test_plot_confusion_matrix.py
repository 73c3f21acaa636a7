"""Plots of a confusion matrix: the text and its colors, and that nothing is cut or overlaps."""

import functools
import itertools
import math
import pickle
import sys

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from sklearn.metrics import ConfusionMatrixDisplay

from skmetrics_ext import ConfusionMatrix, plot_confusion_matrix
from skmetrics_ext.plotting.cells import summarized, texts_of_cells
from skmetrics_ext.plotting.one_matrix import ConfusionMatrixPlot, names_of
from skmetrics_ext.results import Axis

SHORT, MIDDLE, LONG = 3, 12, 40


def two_classes():
    return ConfusionMatrix.from_counts([[50, 10], [2, 18]], labels=["no", "yes"])


def random_matrix(n_classes, length=SHORT, seed=0):
    counts = np.random.default_rng(seed).poisson(np.eye(n_classes) * 400 + 1)
    return ConfusionMatrix.from_counts(counts, names(n_classes, length))


def names(n_classes, length):
    return [
        f"{k:02d} {'wide name ' * 4}"[:length].strip().ljust(length, "w") for k in range(n_classes)
    ]


def of_folds(counts, name="fold"):
    labels = np.arange(np.shape(counts)[-1])
    return ConfusionMatrix(np.asarray(counts), labels, (Axis(name, np.arange(len(counts))),))


@functools.cache
def of_two_classes():
    """Several tests read the same picture."""
    return plot_confusion_matrix(two_classes())


def written(plot):
    return [[text.get_text() for text in row] for row in plot.text_]


def texts_of(cm, normalize="true", values="counts+percent"):
    """The same as of a plot, without a figure."""
    texts = texts_of_cells(summarized(cm, normalize), values)
    return np.reshape(texts, cm.counts.shape[-2:]).tolist()


def tick_texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def contrast(first, second):
    def luminance(color):
        rgb = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in matplotlib.colors.to_rgb(color)
        ]
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def background(plot, i, j):
    return plot.im_.to_rgba(plot.im_.get_array()[i, j])


# What is written.


def test_a_cell_has_its_count_and_the_percentage_of_its_row():
    plot = of_two_classes()
    assert written(plot) == [["50\n83 %", "10\n17 %"], ["2\n10 %", "18\n90 %"]]
    assert plot.ax_.get_title() == "samples and % of the actual class"


@pytest.mark.parametrize(
    ("normalize", "percentages", "whole"),
    [
        ("true", [["83 %", "17 %"], ["10 %", "90 %"]], "the actual class"),
        ("pred", [["96 %", "36 %"], ["4 %", "64 %"]], "the predicted class"),
        ("all", [["62 %", "12 %"], ["2 %", "22 %"]], "all samples"),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_percentages_are_of_what_is_normalized_over_and_the_title_says_so(
    normalize, percentages, whole
):
    plot = plot_confusion_matrix(two_classes(), normalize=normalize, values="percent")
    assert written(plot) == percentages
    assert plot.ax_.get_title() == f"% of {whole}"


@pytest.mark.usefixtures("unfitted")
def test_cells_may_have_only_counts_or_nothing():
    assert texts_of(two_classes(), values="counts") == [["50", "10"], ["2", "18"]]
    assert plot_confusion_matrix(two_classes(), values=None).text_ is None


@pytest.mark.usefixtures("unfitted")
def test_numbers_may_have_a_format():
    cm = two_classes()
    plot = plot_confusion_matrix(cm, values="percent", values_format=".3f")
    display = ConfusionMatrixDisplay(cm.normalize("true")).plot(values_format=".3f")
    assert written(plot) == written(display)
    assert plot.ax_.get_title() == "proportion of the actual class"
    of_counts = plot_confusion_matrix(cm, values="counts", values_format="+d")
    assert written(of_counts) == [["+50", "+10"], ["+2", "+18"]]
    shares = plot_confusion_matrix(cm, values="percent", values_format=".1%")
    assert written(shares)[0] == ["83.3%", "16.7%"]
    assert shares.ax_.get_title() == "% of the actual class"


@pytest.mark.usefixtures("unfitted")
def test_the_percentage_of_an_empty_class_is_a_dash():
    cm = ConfusionMatrix.from_counts([[0, 0], [1, 3]], labels=["no", "yes"])
    dash = "\N{EN DASH}"
    plot = plot_confusion_matrix(cm)
    assert written(plot) == [[dash, dash], ["1\n25 %", "3\n75 %"]]
    assert not np.isnan(plot.im_.get_array()).any()
    assert texts_of(cm, values="counts")[0] == ["0", "0"]
    assert texts_of(cm, "pred", "percent") == [["0 %", "0 %"], ["100 %", "100 %"]]
    assert texts_of(cm, "pred")[0] == ["0", "0"]


def test_a_matrix_without_samples_has_a_plot():
    empty = ConfusionMatrix.from_counts(np.zeros((2, 2)), labels=[0, 1])
    plot = plot_confusion_matrix(empty, normalize="all")
    assert written(plot) == [["\N{EN DASH}"] * 2] * 2
    plot_confusion_matrix(empty, values="counts", ax=plt.subplots()[1])
    assert plot.im_.get_array().tolist() == [[0, 0], [0, 0]]


def test_few_are_not_rounded_to_none_nor_nearly_all_to_all():
    cm = ConfusionMatrix.from_counts([[999, 1], [0, 5]], labels=[0, 1])
    assert texts_of(cm, values="percent") == [[">99 %", "<1 %"], ["0 %", "100 %"]]
    # 1 of 200 is half a percent, which rounds to 0.
    for few, text in ((1, "<1 %"), (2, "1 %"), (199, ">99 %"), (198, "99 %")):
        cm = ConfusionMatrix.from_counts([[200 - few, few], [0, 5]], labels=[0, 1])
        assert texts_of(cm, values="percent")[0][1] == text


def test_weighted_counts_are_short():
    cm = ConfusionMatrix.from_counts([[1.23456, 0.5], [1234.56, 2]], labels=[0, 1])
    assert texts_of(cm, values="counts") == [["1.235", "0.5"], ["1,234.6", "2"]]


def test_thousands_are_separated():
    cm = ConfusionMatrix.from_counts([[1234567, 999], [1000, 0]], labels=[0, 1])
    assert texts_of(cm, values="counts") == [["1,234,567", "999"], ["1,000", "0"]]
    folds = of_folds([[[1_000_000]], [[1_200_000]]])
    assert texts_of(folds, values="counts") == [["1,100,000 ± 100,000"]]


def test_axes_are_named_and_classes_too():
    ax = of_two_classes().ax_
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "actual")
    assert tick_texts(ax.xaxis) == tick_texts(ax.yaxis) == ["no", "yes"]


@pytest.mark.usefixtures("unfitted")
def test_names_are_not_formulas_and_stay_on_one_line():
    cm = ConfusionMatrix.from_counts([[1, 0], [0, 1]], labels=["$5-$10", "a\nb"])
    plot = plot_confusion_matrix(cm)
    assert tick_texts(plot.ax_.xaxis) == ["$5-$10", "a\\nb"]
    assert not any(
        label.get_parse_math() for label in plot.ax_.get_xticklabels() + plot.ax_.get_yticklabels()
    )


@pytest.mark.usefixtures("unfitted")
def test_labels_of_every_kind_have_names():
    for labels in (
        [0, 1],
        [True, False],
        [b"x", b"y"],
        np.array(["2024-01-01", "2024-01-02"], dtype="M8[D]"),
    ):
        cm = ConfusionMatrix.from_counts([[1, 0], [0, 1]], labels=labels)
        assert names_of(cm) == [str(label) for label in labels]
    assert tick_texts(plot_confusion_matrix(cm).ax_.xaxis) == names_of(cm)
    assert plot_confusion_matrix(
        ConfusionMatrix.from_counts([[3]], labels=["all"])
    ).text_.shape == (1, 1)


# Folds.


@pytest.mark.usefixtures("unfitted")
def test_folds_give_mean_and_standard_deviation():
    counts = np.array([[[12, 3], [4, 96]], [[14, 1], [20, 80]], [[10, 5], [8, 92]]])
    shares = counts / counts.sum(-1, keepdims=True)
    plot = plot_confusion_matrix(of_folds(counts))
    percent = 100 * shares
    expected = [
        [
            f"{counts[:, 0, 0].mean():.1f} ± {counts[:, 0, 0].std():.1f}\n"
            f"{percent[:, 0, 0].mean():.0f} ± {percent[:, 0, 0].std():.0f} %",
            f"{counts[:, 0, 1].mean():.1f} ± {counts[:, 0, 1].std():.1f}\n"
            f"{percent[:, 0, 1].mean():.0f} ± {percent[:, 0, 1].std():.0f} %",
        ],
        [
            f"{counts[:, 1, 0].mean():.1f} ± {counts[:, 1, 0].std():.1f}\n"
            f"{percent[:, 1, 0].mean():.0f} ± {percent[:, 1, 0].std():.0f} %",
            f"{counts[:, 1, 1].mean():.1f} ± {counts[:, 1, 1].std():.1f}\n"
            f"{percent[:, 1, 1].mean():.0f} ± {percent[:, 1, 1].std():.0f} %",
        ],
    ]
    assert written(plot) == expected
    np.testing.assert_allclose(plot.im_.get_array(), shares.mean(0))
    assert (
        plot.ax_.get_title()
        == "samples and % of the actual class\nmean ± standard deviation over 3 folds"
    )


@settings(max_examples=6)
@given(
    counts=st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.lists(st.integers(0, 99), min_size=n, max_size=n), min_size=n, max_size=n),
            min_size=2,
            max_size=4,
        )
    ),
    normalize=st.sampled_from(["true", "pred", "all"]),
)
def test_proportions_of_folds_are_averaged_where_they_exist(counts, normalize):
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    by_fold = []
    for fold in np.array(counts):
        total = fold.sum(axis, keepdims=True)
        by_fold.append(np.where(total > 0, fold / np.maximum(total, 1), np.nan))
    cells = summarized(of_folds(counts), normalize)
    texts = np.reshape(texts_of_cells(cells, "percent"), cells.counts.shape)
    for i, j in np.ndindex(texts.shape):
        defined = [shares[i, j] for shares in by_fold if not np.isnan(shares[i, j])]
        mean = np.mean(defined) if defined else np.nan
        assert cells.shares[i, j] == pytest.approx(mean, nan_ok=True)
        text = texts[i, j]
        assert (text == "\N{EN DASH}") == (not defined)
        assert (text == "") == (bool(defined) and mean == 0)
        if text and defined:
            shown_mean, _, shown_spread = text.removesuffix(" %").partition(" ± ")
            last_digit = 10.0 ** -len(shown_spread.partition(".")[2])
            assert float(shown_mean) == pytest.approx(100 * mean, abs=0.51 * last_digit)
            assert float(shown_spread or 0) == pytest.approx(
                100 * np.std(defined), abs=0.51 * last_digit
            )


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([5, 5], "5 ± 0"),
        ([0, 0], "0"),
        ([0, 1], "0.5 ± 0.5"),
        ([100, 140], "120 ± 20"),
        ([0.001, 0.003], "0.002 ± 0.001"),
        ([0.1, 0.1, 0.1], "0.1 ± 0"),
        ([7], "7 ± 0"),
    ],
)
def test_spread_has_the_digits_that_it_needs(counts, text):
    assert texts_of(of_folds([[[count]] for count in counts]), values="counts") == [[text]]


def test_a_small_spread_of_percentages_has_a_decimal():
    texts = texts_of(of_folds([[[99, 1], [0, 1]], [[98, 2], [0, 1]]]), values="percent")
    assert texts == [["98.5 ± 0.5 %", "1.5 ± 0.5 %"], ["0 %", "100 ± 0 %"]]


# Colors.


@pytest.mark.usefixtures("unfitted")
def test_colors_show_counts_or_proportions():
    cm = two_classes()
    image = plot_confusion_matrix(cm, normalize=None).im_
    np.testing.assert_array_equal(image.get_array(), cm.counts)
    assert image.get_clim() == (0, 50)
    for over, most in (("pred", 1), ("all", 50 / 80)):
        image = plot_confusion_matrix(cm, normalize=over).im_
        np.testing.assert_allclose(image.get_array(), cm.normalize(over))
        assert image.get_clim() == (0, pytest.approx(most))


@pytest.mark.parametrize(
    ("cmap", "normalize"),
    [
        ("viridis", None),
        pytest.param("inferno_r", "true", marks=pytest.mark.slow),
        pytest.param("Blues", None, marks=pytest.mark.slow),
        pytest.param("Greens", "pred", marks=pytest.mark.slow),
        pytest.param("RdBu", "all", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_every_text_stands_out_from_its_cell(cmap, normalize):
    """The slow ones are maps of one color, and of two, and those of shares."""
    # From 0 to all of a row, of a column and of the largest count.
    counts = np.vstack([np.arange(36).reshape(4, 9), np.zeros((5, 9), int)])
    cm = ConfusionMatrix.from_counts(counts, labels=range(9))
    plot = plot_confusion_matrix(cm, normalize=normalize, cmap=cmap)
    assert plot.im_.get_cmap().name == cmap
    for i, j in np.ndindex(9, 9):
        assert contrast(plot.text_[i, j].get_color(), background(plot, i, j)) >= 4.5


@pytest.mark.usefixtures("unfitted")
def test_a_cell_of_nearly_all_of_a_rare_class_is_dark():
    cm = ConfusionMatrix.from_counts([[96_000, 1_000], [30, 2_970]], labels=["healthy", "ill"])
    plot = plot_confusion_matrix(cm)
    for i in range(2):
        assert contrast("white", background(plot, i, i)) > 7
        assert contrast("white", background(plot, i, 1 - i)) < 1.3


@pytest.mark.parametrize(
    ("normalize", "values", "label"),
    [
        (None, "percent", "samples"),
        ("true", "counts", "% of the actual class"),
        ("pred", None, "% of the predicted class"),
        ("all", "counts+percent", None),
        pytest.param(None, "counts+percent", None, marks=pytest.mark.slow),
        pytest.param(None, "counts", None, marks=pytest.mark.slow),
        pytest.param(None, None, "samples", marks=pytest.mark.slow),
        pytest.param("true", "counts+percent", None, marks=pytest.mark.slow),
        pytest.param("all", "percent", None, marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_a_color_bar_says_what_the_cells_do_not(normalize, values, label):
    """The slow ones are other pairs of the same."""
    bar = plot_confusion_matrix(two_classes(), normalize=normalize, values=values).im_.colorbar
    assert (bar and bar.ax.get_ylabel()) == label


@pytest.mark.usefixtures("unfitted")
def test_the_color_bar_of_folds_shows_means():
    plot = plot_confusion_matrix(of_folds([[[3, 1], [2, 2]]] * 4), normalize=None, values=None)
    assert plot.im_.colorbar.ax.get_ylabel() == "samples, mean of 4 folds"


# Room for everything.


def inside(inner, outer):
    return (
        inner.x0 >= outer.x0
        and inner.x1 <= outer.x1
        and inner.y0 >= outer.y0
        and inner.y1 <= outer.y1
    )


def check_cells(plot):
    n_classes = len(plot.text_)
    cell = plot.ax_.get_window_extent().width / n_classes
    for (i, j), text in np.ndenumerate(plot.text_):
        if text.get_visible():
            centre = plot.ax_.transData.transform((j, i))
            box = matplotlib.transforms.Bbox.from_bounds(*(centre - cell / 2), cell, cell)
            assert inside(text.get_window_extent(), box)


def check_names(plot):
    """No name is cut, and none overlaps its neighbor: tilted lines are as far apart as they are
    high.
    """
    figure, ax = plot.ax_.figure.canvas.figure, plot.ax_
    for label in (
        *ax.get_xticklabels(),
        *ax.get_yticklabels(),
        ax.xaxis.label,
        ax.yaxis.label,
        ax.title,
    ):
        # Edges are rounded to pixels.
        assert not label.get_text() or inside(label.get_window_extent(), figure.bbox.padded(1))
    for one, other in itertools.pairwise(ax.get_yticklabels()):
        assert not one.get_window_extent().overlaps(other.get_window_extent())
    for one, other in itertools.pairwise(ax.get_xticklabels()):
        if one.get_rotation():
            apart = other.get_window_extent().x1 - one.get_window_extent().x1
            angle = math.radians(one.get_rotation())
            height = one.get_fontsize() * figure.dpi / 72
            assert apart * math.sin(angle) >= height
        else:
            assert not one.get_window_extent().overlaps(other.get_window_extent())


@pytest.mark.parametrize(
    ("n_classes", "length", "dpi"),
    [
        (3, LONG, 200),
        pytest.param(5, MIDDLE, 72, marks=pytest.mark.slow),
        pytest.param(12, LONG, 72, marks=pytest.mark.slow),
        pytest.param(30, SHORT, 72, marks=pytest.mark.slow),
        pytest.param(30, LONG, 200, marks=pytest.mark.slow),
    ],
)
def test_nothing_is_cut_and_nothing_overlaps(n_classes, length, dpi):
    """The slow ones have names that fit below their cells, and the smallest text that is drawn."""
    plot = plot_confusion_matrix(random_matrix(n_classes, length))
    plot.figure_.set_dpi(dpi)
    plot.figure_.canvas.draw()
    check_cells(plot)
    check_names(plot)
    for texts in (tick_texts(plot.ax_.xaxis), tick_texts(plot.ax_.yaxis)):
        assert [text.replace("\n", " ")[:8] for text in texts] == [
            name[:8] for name in names(n_classes, length)
        ]
        assert max(len(line) for text in texts for line in text.split("\n")) <= 36


@pytest.mark.parametrize(
    ("name", "across", "beside"),
    [
        ("a long name of words", "a long name of\nwords", "a long name of\nwords"),
        ("dead_of_something_rare", "dead_of_something_rare", "dead_of_something_rare"),
        (
            "x" * 40,
            "x" * 16 + "\N{HORIZONTAL ELLIPSIS}" + "x" * 7,
            "x" * 16 + "\N{HORIZONTAL ELLIPSIS}" + "x" * 7,
        ),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_long_names_are_wrapped_or_shortened(name, across, beside):
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts([[5, 1], [2, 9]], labels=["b", name]))
    assert tick_texts(plot.ax_.xaxis)[1] == across
    assert tick_texts(plot.ax_.yaxis)[1] == beside


@pytest.mark.usefixtures("unfitted")
def test_names_that_differ_at_their_end_do_so_when_shortened():
    labels = [f"adenocarcinoma of the colon, type {k}" for k in (1, 2)]
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts([[5, 1], [2, 9]], labels=labels))
    assert len(set(tick_texts(plot.ax_.xaxis))) == len(set(tick_texts(plot.ax_.yaxis))) == 2


@pytest.mark.filterwarnings("ignore:Glyph")
def test_east_asian_names_take_two_columns_a_letter():
    name = "\N{CJK UNIFIED IDEOGRAPH-732B}" * 20
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts([[5, 1], [2, 9]], labels=["b", name]))
    assert len(tick_texts(plot.ax_.yaxis)[1]) <= 36 / 2
    plot.figure_.draw_without_rendering()
    check_names(plot)


@pytest.mark.usefixtures("unfitted")
def test_titles_are_those_given():
    what = "samples and % of the actual class"
    assert plot_confusion_matrix(two_classes(), title="forest").ax_.get_title() == f"forest\n{what}"
    assert plot_confusion_matrix(two_classes(), title="").ax_.get_title() == ""
    # A color bar says what colors are where no text does.
    without_text = plot_confusion_matrix(two_classes(), title="forest", values=None)
    assert without_text.ax_.get_title() == "forest"


def test_large_counts_and_spreads_fit_into_their_cells():
    counts = np.random.default_rng(0).poisson(3e6, size=(3, 2, 2))
    plot = plot_confusion_matrix(of_folds(counts))
    plot.figure_.draw_without_rendering()
    check_cells(plot)
    check_names(plot)


@pytest.mark.slow
def test_text_is_readable_at_thirty_classes_and_absent_at_more():
    """Both sides of the limit, at sizes that no other test draws."""
    plot = plot_confusion_matrix(random_matrix(30))
    assert plot.text_.shape == (30, 30)
    assert all(text.get_visible() and text.get_fontsize() >= 6.5 for text in plot.text_.flat)
    assert plot.im_.colorbar is None
    larger = plot_confusion_matrix(random_matrix(31, LONG))
    assert larger.text_ is None
    assert len(larger.ax_.texts) == 0
    larger.figure_.draw_without_rendering()
    assert inside(larger.im_.colorbar.ax.get_tightbbox(), larger.figure_.bbox)
    check_names(larger)


def test_names_of_many_classes_are_thinned_evenly():
    labels = [f"class {k}" for k in range(60)]
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts(np.eye(60, dtype=int), labels))
    plot.ax_.get_tightbbox()  # the names of the axes are beside those of the classes from then on
    assert tick_texts(plot.ax_.xaxis) == tick_texts(plot.ax_.yaxis) == labels[::2]
    assert plot.ax_.get_xticks().tolist() == list(range(0, 60, 2))
    check_names(plot)


def test_large_type_makes_a_large_figure():
    matplotlib.rcParams["font.size"] = 24
    plot = plot_confusion_matrix(of_folds([[[3, 1], [2, 2]], [[4, 5], [2, 2]]]))
    plot.figure_.draw_without_rendering()
    check_cells(plot)
    check_names(plot)


# Given axes.


def test_given_axes_are_used_and_keep_their_figure_and_title_unless_there_is_another():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
    right.set_title("a model")
    plot = plot_confusion_matrix(two_classes(), ax=right)
    assert plot.ax_ is right
    assert plot.figure_ is figure
    assert list(right.images) == [plot.im_]
    assert not left.images
    assert figure.get_size_inches().tolist() == [9, 4]
    assert right.get_title() == "a model"
    assert plt.get_fignums() == [figure.number]
    left.set_title("a model")
    assert plot_confusion_matrix(two_classes(), title="another", ax=left).ax_ is left
    assert left.get_title() == "another\nsamples and % of the actual class"


def test_text_adapts_to_subplots():
    figure, axes = plt.subplots(1, 2, figsize=(6, 3), layout="constrained")
    few = plot_confusion_matrix(random_matrix(2), ax=axes[0])
    size = few.text_[0, 0].get_fontsize()
    many = plot_confusion_matrix(random_matrix(5, LONG), ax=axes[1])
    figure.draw_without_rendering()
    check_cells(many)
    for plot in (few, many):
        check_names(plot)
        assert plot.text_[0, 0].get_visible()
    assert 5 <= many.text_[0, 0].get_fontsize() < few.text_[0, 0].get_fontsize() == size


def test_illegible_text_is_hidden_and_colors_are_explained_instead():
    _, ax = plt.subplots(figsize=(1.2, 1.2))
    plot = plot_confusion_matrix(random_matrix(8), ax=ax)
    assert not any(text.get_visible() for text in plot.text_.flat)
    assert plot.ax_.get_title() == ""
    assert plot.im_.colorbar.ax.get_ylabel() == "% of the actual class"


def test_axes_of_a_subfigure_are_axes_too():
    left, _ = plt.figure(figsize=(8, 4), layout="constrained").subfigures(1, 2)
    plot = plot_confusion_matrix(two_classes(), ax=left.subplots())
    assert plot.figure_ is left.figure
    assert written(plot)[0][0] == "50\n83 %"


# Manners.


def test_a_plot_changes_no_setting_and_is_not_shown(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_: pytest.fail("shown"))
    before = dict(matplotlib.rcParams)
    plot = plot_confusion_matrix(two_classes())
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == [plot.figure_.number]


@pytest.mark.parametrize(
    "of_user",
    [
        {"figure.autolayout": True, "axes.grid": True, "axes.grid.which": "both"},
        pytest.param({"figure.constrained_layout.use": True}, marks=pytest.mark.slow),
    ],
    ids=["tight with a grid", "constrained"],
)
def test_settings_of_the_user_do_no_harm(of_user):
    """The slow one is a layout that figures get afterwards anyway."""
    matplotlib.rcParams.update(of_user)
    plot = plot_confusion_matrix(random_matrix(3, LONG))
    plot.figure_.draw_without_rendering()
    check_cells(plot)
    check_names(plot)
    assert not any(line.get_visible() for line in plot.ax_.xaxis.get_gridlines())


def test_a_plot_is_frozen_and_its_figure_pickles():
    plot = of_two_classes()
    assert isinstance(plot, ConfusionMatrixPlot)
    with pytest.raises(AttributeError):
        plot.ax_ = None
    copy = pickle.loads(pickle.dumps(plot.figure_))
    assert [text.get_text() for text in copy.axes[0].texts] == [
        text.get_text() for text in plot.text_.flat
    ]


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        ImportError,
        match=r"^plot_confusion_matrix needs matplotlib: pip install 'skmetrics-ext\[plot\]'\.$",
    ):
        plot_confusion_matrix(two_classes())


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (
            TypeError,
            r"cm must be a ConfusionMatrix; got ndarray\. Pass y_true and y_pred, or "
            r".*from_counts\(counts",
            {"cm": np.eye(2)},
        ),
        (
            ValueError,
            r"normalize must be None, 'true', 'pred' or 'all'; got 'rows'",
            {"normalize": "rows"},
        ),
        (ValueError, r"normalize must be None, .*; got \['true'\]", {"normalize": ["true"]}),
        (
            ValueError,
            r"values must be None or one of \['counts\+percent', 'counts', 'percent'\]; got 'all'",
            {"values": "all"},
        ),
        (ValueError, "values_format= is for cells with one number", {"values_format": ".1%"}),
        (TypeError, r"ax must be one matplotlib Axes; got list\. .* axes\[0\]", {"ax": []}),
        (
            ValueError,
            r"the matrix has \['axis_0', 'axis_1'\]: pool one, .*cm\.sel\(axis_0=0, axis_1=0\)",
            {"cm": ConfusionMatrix.from_counts(np.ones((2, 3, 2, 2)), labels=[0, 1])},
        ),
        (ValueError, "cm has no folds: pass at least one", {"cm": of_folds(np.ones((0, 2, 2)))}),
    ],
    ids=["cm", "normalize", "list", "values", "format", "ax", "axes", "no folds"],
)
def test_what_cannot_be_drawn_is_an_error_and_leaves_no_figure(error, message, arguments):
    arguments = {"cm": two_classes()} | arguments
    with pytest.raises(error, match=message):
        plot_confusion_matrix(**arguments)
    assert plt.get_fignums() == []
