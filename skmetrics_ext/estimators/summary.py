"""What was chosen on held-out samples -> a summary of what bounds cost, and what they rest on."""

from html import escape

import numpy as np

from skmetrics_ext.curves.best import beside_bounds
from skmetrics_ext.estimators.chosen_threshold import KeptConstraint
from skmetrics_ext.writing.report_text import ReportText
from skmetrics_ext.writing.text import ShownTable

NO_CONFIDENCE = (
    "Bounds are met on these samples: on new ones each that is just met is violated about half of "
    "the time."
)
PASS_CONFIDENCE = " Pass confidence_level= for bounds that hold there, too."
OF_THIS_MODEL = (
    "bounds hold on new data: exact for this model where rates are monotone, else simulated (see "
    "Notes)."
)
# The table of refits on the page about promises.
BROKEN_BY_REFITS = "in simulations 6 to 34 % were violated where 10 % are allowed"
REFITTED = (
    "bounds hold on new data: about, since the final model was fitted again and produced none of "
    f"these scores ({BROKEN_BY_REFITS}; refit=False keeps the model)."
)
WARNING_OF_REFIT = (
    "with refit=True bounds hold on new data only about as often as confidence_level says, since "
    f"the final model is fitted to all samples and has scores of its own: {BROKEN_BY_REFITS}. "
    "cv=0.4, refit=False holds out 40 % of the samples, and keeps the model whose scores chose the "
    "threshold."
)
NOT_COVERED = "Not covered: repeated or dependent samples, and data that change with time."


# Rule, metric, value, value without bounds, and bounds: a tuple, so that pickles name no private
# class.
Chosen = tuple[str, str, float, float | None, list[str]]


def summary_of(
    chosen: Chosen,
    constraints: list[KeptConstraint],
    level: float | None,
    *,
    refitted: bool,
    by_threshold: bool,
) -> ReportText:
    """The summary of a threshold, or of weights if there are more than two classes."""
    text, name, value, unbounded, bounds = chosen
    rows = [[name, f"{value:.4f}", ""]]
    if unbounded is not None:
        # Both may be infinite.
        given_up = 0.0 if unbounded == value else abs(unbounded - value)
        rows += [
            [f"{name} without bounds", f"{unbounded:.4f}", ""],
            ["given up", beside_bounds(given_up, [0.0], 4, "f"), ""],
        ]
    for bound, kept in zip(bounds, constraints, strict=True):
        bounds_of_value = np.ravel(np.array(kept.required)).tolist()
        limits = np.array([] if kept.limit is None else kept.limit, dtype=float).ravel().tolist()
        shown = [beside_bounds(of, bounds_of_value, 4, "f") for of in (kept.value, *limits)]
        rows.append([bound, shown[0], " to ".join(shown[1:])])
    table = ShownTable(text, ["", "value", "limit"], rows, [True, False, False])
    rests_on = []
    if constraints and level is None:
        rests_on = [NO_CONFIDENCE + (PASS_CONFIDENCE if by_threshold else "")]
    elif constraints:
        rests_on = [
            f"With {level:.10g} confidence {REFITTED if refitted else OF_THIS_MODEL}",
            NOT_COVERED,
        ]
    text_of_all = ReportText("\n".join([table.as_text(), *rests_on]))
    text_of_all.table = table.as_html() + "".join(f"<p>{escape(line)}</p>" for line in rests_on)
    return text_of_all
