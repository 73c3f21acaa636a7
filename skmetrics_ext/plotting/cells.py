"""The text in cells: counts and shares, or means and spread of folds."""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import mean_and_spread
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.writing.text import count_as_text

Normalize = Literal["true", "pred", "all"] | None
CellValues = Literal["counts+percent", "counts", "percent"] | None
CELL_VALUES = ("counts+percent", "counts", "percent")

# The denominator of a proportion, and the axes of its sum.
WHOLES: dict[str | None, tuple[str, tuple[int, ...]]] = {
    None: ("the actual class", (-1,)),
    "true": ("the actual class", (-1,)),
    "pred": ("the predicted class", (-2,)),
    "all": ("all samples", (-2, -1)),
}

# A proportion of zero samples.
NO_SHARE = "\N{EN DASH}"


class Cells(NamedTuple):
    """Counts and proportions, means of folds; NaN for a proportion of zero samples."""

    counts: NDArray[Any]
    shares: NDArray[np.float64]
    spread_of_counts: NDArray[np.float64]
    spread_of_shares: NDArray[np.float64]
    n_folds: int | None


def summarized(cm: ConfusionMatrix, normalize: Normalize) -> Cells:
    """The numbers in the plot."""
    shares = cm.normalize(normalize or "true")
    empty = ~shares.any(WHOLES[normalize][1], keepdims=True)
    shares = np.where(empty, np.nan, shares)
    if not cm.axes:
        no_spread = np.zeros(cm.counts.shape)
        return Cells(cm.counts, shares, no_spread, no_spread, None)
    (counts, spread_of_counts), (shares, spread_of_shares) = (
        mean_and_spread(cm.counts),
        mean_and_spread(shares),
    )
    return Cells(counts, shares, spread_of_counts, spread_of_shares, len(cm.counts))


def texts_of_cells(cells: Cells, values: str, values_format: str | None = None) -> list[str]:
    """The text of each cell, row by row."""
    counts, shares = cells.counts.ravel().tolist(), cells.shares.ravel().tolist()
    if values_format is not None:
        numbers = counts if values == "counts" else shares
        return [NO_SHARE if math.isnan(one) else format(one, values_format) for one in numbers]
    if cells.n_folds is None:
        lines = {"counts": map(_count, counts), "percent": map(_percent, shares)}
    else:
        lines = {
            "counts": map(_count_with_spread, counts, cells.spread_of_counts.ravel().tolist()),
            "percent": map(_percent_with_spread, shares, cells.spread_of_shares.ravel().tolist()),
        }
    texts = [
        "\n".join(texts)
        for texts in zip(*(lines[value] for value in values.split("+")), strict=True)
    ]
    if "percent" in values:
        pairs = zip(texts, shares, strict=True)
        texts = [NO_SHARE if math.isnan(share) else text for text, share in pairs]
    # One line without samples, so that errors stand out.
    both = zip(texts, counts, strict=True)
    return [text if count else text.partition("\n")[0] for text, count in both]


def _count(count: float) -> str:
    """A count with a comma after each thousand."""
    text = count_as_text(count)
    if count < 1000:
        return text
    whole, point, decimals = text.partition(".")
    return f"{int(whole):,}{point}{decimals}"


def _percent(share: float) -> str:
    """Whole percentages; only 0 is shown as 0, and only 100 as 100."""
    if math.isnan(share):
        return ""
    if 0 < share <= 0.005:
        return "<1 %"
    if 0.995 <= share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


def _count_with_spread(mean: float, spread: float) -> str:
    """A mean count, such as 12.4 ± 1.1."""
    return _with_spread(mean, spread, least_decimals=int(spread < 10))


def _percent_with_spread(mean: float, spread: float) -> str:
    """A mean percentage, such as 87 ± 3 %."""
    return (
        "" if math.isnan(mean) else f"{_with_spread(100 * mean, 100 * spread, least_decimals=0)} %"
    )


def _with_spread(mean: float, spread: float, least_decimals: int) -> str:
    """Mean and spread, at least to the first digit of the spread."""
    if not mean:
        return "0"
    if spread < 1e-9 * mean:
        return f"{_count(round(mean, 9))} ± 0"
    decimals = max(-math.floor(math.log10(spread)), least_decimals)
    return f"{mean:,.{decimals}f} ± {spread:,.{decimals}f}"


def title_with(title: str | None, contents: str) -> str:
    """A title above the description of the cells; "" for neither, None for this alone."""
    if title is None:
        return contents
    return f"{title}\n{contents}" if title else ""


def title_of_cells(
    cells: Cells, normalize: Normalize, values: str, values_format: str | None = None
) -> str:
    """A description of the cell contents."""
    unit = "%" if "%" in (values_format or "%") else "proportion"
    parts = {"counts": "samples", "percent": f"{unit} of {WHOLES[normalize][0]}"}
    title = " and ".join(parts[value] for value in values.split("+"))
    return (
        title
        if cells.n_folds is None
        else f"{title}\nmean ± standard deviation over {cells.n_folds} folds"
    )


def whole_of(normalize: Normalize) -> str:
    """A description of what the colors encode."""
    return "samples" if normalize is None else f"% of {WHOLES[normalize][0]}"
