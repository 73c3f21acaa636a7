"""Columns of a csv or json lines file -> the fields of a confusion matrix."""

from collections.abc import Sequence
from typing import Any

from skmetrics_ext.adapter.positive import known_positive
from skmetrics_ext.engines.files import counted_file
from skmetrics_ext.matrices.from_frames import fields_of_rows
from skmetrics_ext.reading.groups import Groups
from skmetrics_ext.reading.order import show_names
from skmetrics_ext.reading.pairs import Encoded, encode


def fields_of_file(file: str, actual: str, predicted: str, by: Sequence[str]) -> dict[str, Any]:
    """Actual labels against predicted ones, for each group."""
    if len({*by}) < len(by):
        raise ValueError(f"by contains a name twice: {show_names(by)}. Name each axis once.")
    asked = [("actual", actual), ("predicted", predicted), *(("by", name) for name in by)]
    columns, numbers = counted_file(file, asked)
    encoded = encode(columns[0], columns[1], names=("actual", "predicted"))
    assert isinstance(encoded, Encoded), "a column holds one label per row"
    fields = fields_of_rows(encoded, Groups([*by], columns[2:]), numbers)
    return fields | {"pos_label": known_positive(encoded.labels, None)}
