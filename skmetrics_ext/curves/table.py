"""A threshold curve as an HTML table, for notebooks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import one_class
from skmetrics_ext.writing.html_table import html_table
from skmetrics_ext.writing.words import count_as_text

# As many thresholds as are read at a glance.
MOST_THRESHOLDS = 10


def curve_as_html(headline: str, thresholds: NDArray[Any], counts: ClassCounts) -> str:
    """Counts, precision and recall at some thresholds, from the first to the last."""
    places = np.unique(np.linspace(0, len(thresholds) - 1, min(MOST_THRESHOLDS, len(thresholds))).round().astype(int))
    some = ClassCounts(*(part[places] for part in counts))
    rates = [ratio(*one_class.precision(some)), ratio(*one_class.recall(some))]
    columns = [[count_as_text(count) for count in part.tolist()] for part in some]
    columns += [["" if np.isnan(value) else f"{value:.3f}" for value in rate] for rate in rates]
    names = [f"{threshold:.4g}" for threshold in thresholds[places].tolist()]
    heads = ["threshold", *ClassCounts._fields, "precision", "recall"]
    return html_table(heads, [zip(names, zip(*columns, strict=True), strict=True)], headline)
