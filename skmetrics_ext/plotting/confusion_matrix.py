"""plot_confusion_matrix: one matrix, the mean of folds, or a panel for each group or model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.plotting.axes import Axes, Colormap
from skmetrics_ext.plotting.cells import CellValues, Normalize
from skmetrics_ext.plotting.from_labels import matrix_of
from skmetrics_ext.plotting.one_matrix import ConfusionMatrixPlot, check_matrix, draw_one, read_look
from skmetrics_ext.plotting.several_matrices import draw_panels, panels_of
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike
from skmetrics_ext.reading.calls import explained


@explained
def plot_confusion_matrix(
    cm: ConfusionMatrix | Mapping[Any, ConfusionMatrix] | TargetLike,
    y_pred: TargetLike | None = None,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Normalize = "true",
    values: CellValues = "counts+percent",
    values_format: str | None = None,
    cmap: str | Colormap = "Blues",
    title: str | None = None,
    ax: Axes | None = None,
) -> ConfusionMatrixPlot:
    """Plot a confusion matrix with actual classes in rows and predicted classes in columns.

    A cell without samples is blank; with more than 30 classes there is no cell text.

    Parameters
    ----------
    cm : ConfusionMatrix, dict of name to ConfusionMatrix, or array-like of shape (n_samples,)
        A matrix; of an axis "fold" cells show mean ± standard deviation (ddof=0), of proportions
        without folds that lack the class. Another axis gives a panel per entry, a dict one per
        matrix; at most 12. With `y_pred`, the actual labels.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels, if `cm` is actual labels.
    labels : array-like of shape (n_classes,), default=None
        All classes in order; only with `y_pred`. None: all labels, in the order of an ordered
        categorical, else sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample; only with labels.
    normalize : {"true", "pred", "all"} or None, default="true"
        Colors and percentages are of the actual class, the predicted class or all samples. None:
        colors show counts, and percentages are of the actual class.
    values : {"counts+percent", "counts", "percent"} or None, default="counts+percent"
        Text in each cell; None for no text. A dash is a percentage of zero samples.
    values_format : str, default=None
        Format of counts or proportions alone, such as ".1%".
    cmap : str or matplotlib.colors.Colormap, default="Blues"
        The colors.
    title : str, default=None
        The title, above a description of the cells; "" for neither. None: the description alone,
        unless `ax` has a title.
    ax : matplotlib.axes.Axes, default=None
        Where to draw a single matrix; its figure keeps its size. None: a new figure, large enough
        for all text.

    Returns
    -------
    ConfusionMatrixPlot
        The artists. Save it with `figure_.savefig`.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is nothing to draw, more than 12 panels, or two axes besides "fold", or options are
        invalid or do not fit `cm`.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 6]], labels=["no", "yes"])
    >>> plot = plot_confusion_matrix(cm)
    >>> print(plot.text_[1, 0].get_text())
    2
    25 %
    """
    look = read_look(normalize, values, values_format, cmap)
    panels = None if y_pred is not None else panels_of(cm)
    if panels is None:
        matrix: ConfusionMatrix = matrix_of(cm, y_pred, labels=labels, sample_weight=sample_weight)
        check_matrix(matrix)
        return draw_one(matrix, look, title, ax)
    given = {"labels": labels, "sample_weight": sample_weight, "ax": ax}
    if refused := [name for name, value in given.items() if value is not None]:
        raise ValueError(f"{refused[0]}= is for one matrix, but there are {len(panels)} panels.")
    return draw_panels(panels, look, title)
