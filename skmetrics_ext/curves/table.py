"""Threshold curves as HTML tables, for notebooks."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.ranking import (
    Samples,
    counts_at_every_score,
    precision_area,
    roc_area,
    with_weight,
)
from skmetrics_ext.formulas import one_class
from skmetrics_ext.writing.text import ShownTable, count_as_text, html_table, on_one_line

# The most thresholds or curves shown.
MOST_THRESHOLDS = 10
MOST_CURVES = 20


def curve_as_html(headline: str, thresholds: NDArray[Any], counts: ClassCounts) -> str:
    """Counts, precision and recall at some thresholds."""
    places = np.unique(
        np.linspace(0, len(thresholds) - 1, min(MOST_THRESHOLDS, len(thresholds)))
        .round()
        .astype(int)
    )
    some = ClassCounts(*(part[places] for part in counts))
    rates = [ratio(*one_class.precision(some)), ratio(*one_class.recall(some))]
    columns = [[count_as_text(count) for count in part.tolist()] for part in some]
    columns += [[_rate_as_text(value) for value in rate] for rate in rates]
    names = [f"{threshold:.4g}" for threshold in thresholds[places].tolist()]
    headers = ["threshold", *ClassCounts._fields, "precision", "recall"]
    return html_table(headers, [zip(names, zip(*columns, strict=True), strict=True)], headline)


def curves_as_html(headline: str, axis: str, names: list[Any], samples: Iterable[Samples]) -> str:
    """The number of samples of each curve, and its areas."""
    # Only those shown: the areas of a hundred classes take a while.
    entries = enumerate(zip(names, samples, strict=True))
    rows = [
        [on_one_line(name), *(_cells_of(entry) if k < MOST_CURVES else [])]
        for k, (name, entry) in entries
    ]
    headers = [axis, "n", "positives", "ROC AUC", "average precision"]
    return ShownTable(headline, headers, rows, most=MOST_CURVES).as_html()


def _cells_of(samples: Samples) -> list[str]:
    """The numbers of a curve."""
    _, counts = counts_at_every_score(with_weight(samples), "positive")
    n_samples = sum(part[0].item() for part in counts)
    n_positive = counts.tp[0].item() + counts.fn[0].item()
    areas = roc_area(counts), precision_area(counts)
    return [*map(count_as_text, (n_samples, n_positive)), *map(_rate_as_text, areas)]


def _rate_as_text(value: float) -> str:
    """Three digits; nothing where it is undefined."""
    return "" if np.isnan(value) else f"{value:.3f}"
