"""What to ask of a ConfusionMatrix in place of an attribute or a key that it lacks."""

import numpy as np

from skmetrics_ext.catalogue.names import _name_of_metric
from skmetrics_ext.counting.counts import ClassCounts


def instead_of_attribute(name: str) -> str:
    """The end of a message, for attributes of metrics, arrays and other libraries' objects."""
    if (metric := _name_of_metric(name)) is not None:
        return f": pass the metric by name, cm.score({metric!r})."
    if name in ClassCounts._fields:
        return f": cm.class_counts.{name} has one for each class, in the order of cm.labels."
    if name in ("ravel", "flatten"):
        return (
            f": its counts are an array, cm.counts.{name}(), which is tn, fp, fn, tp only if "
            "cm.labels are [negative, positive]; cm.class_counts names them for each class."
        )
    if hasattr(np.ndarray, name):
        return f": its counts are an array, cm.counts.{name}."
    return ": pass it to plot_confusion_matrix(cm)." if name.startswith("plot") else "."


def instead_of_key(key: object) -> str:
    """The end of a message, for a metric by its name, a cell or an entry."""
    metric = _name_of_metric(key) if isinstance(key, str) else None
    if metric is not None:
        return f"pass the metric by name, cm.score({metric!r})."
    return (
        "its cells are cm.counts[..., i, j], in the order of cm.labels; an entry of a leading axis "
        "is cm.sel(axis=coordinate)."
    )
