"""A chosen threshold with its bounds -> a summary of what it reaches, what the bounds cost, and what they rest on."""

from collections.abc import Sequence
from html import escape

import numpy as np

from skmetrics_ext.curves.best import read_bound, row_of_one_class
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.estimators.chosen_threshold import KeptConstraint, MetricName
from skmetrics_ext.writing.report_text import ReportText
from skmetrics_ext.writing.text import ShownTable, count_as_text

NO_CONFIDENCE = (
    "Bounds are met on these samples: on new ones each that is just met is violated about half of the time. "
    "Pass confidence_level= for bounds that hold there, too."
)
OF_THIS_MODEL = "bounds hold on new data: exact for this model where rates are monotone, else simulated (see Notes)."
REFITTED = (
    "bounds hold on new data: about, since the final model was fitted again and produced none of these scores "
    "(in simulations 3 to 16 % were violated where 10 % are allowed; refit=False keeps the model)."
)
NOT_COVERED = "Not covered: repeated or dependent samples, and data that change with time."


def summary_of(
    curve: ThresholdCurve,
    metric: MetricName,
    chosen: tuple[float, float],
    constraints: Sequence[KeptConstraint],
    confidence_level: float | None,
    refitted: bool,
) -> ReportText:
    """The summary of a threshold and the value at it."""
    threshold, value = chosen
    name = row_of_one_class(metric).name
    rows = [[name, f"{value:.4f}", ""]]
    if constraints:
        unbounded = curve.best(metric).value
        rows += [[f"{name} without bounds", f"{unbounded:.4f}", ""], ["given up", f"{abs(unbounded - value):.4f}", ""]]
    for kept in constraints:
        text, *_ = read_bound(kept.metric, row_of_one_class(kept.metric).better, kept.asked)
        limits = np.array([] if kept.bound is None else kept.bound, dtype=float).ravel().tolist()
        rows.append([text, f"{kept.reached:.4f}", " to ".join(f"{limit:.4f}" for limit in limits)])
    n_samples = count_as_text(sum(part[0].item() for part in curve.counts))
    title = f"threshold {threshold:.6g} for {curve.pos_label!r}, chosen on {n_samples} held-out samples"
    table = ShownTable(title, ["", "value", "limit"], rows, [True, False, False])
    rests_on = []
    if constraints and confidence_level is None:
        rests_on = [NO_CONFIDENCE]
    elif constraints:
        rests_on = [f"With {confidence_level:.4g} confidence {REFITTED if refitted else OF_THIS_MODEL}", NOT_COVERED]
    text = ReportText("\n".join([table.as_text(), *rests_on]))
    text.table = table.as_html() + "".join(f"<p>{escape(line)}</p>" for line in rests_on)
    return text
