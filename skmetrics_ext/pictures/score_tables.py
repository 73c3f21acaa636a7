"""A data frame as ConfusionMatrix.scores makes it -> what its columns are: coordinates, values and limits."""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.reading.containers import frame_columns
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

# Axes whose numbers count, but do not order what they number.
NUMBERED = ("fold", "class", "label")
# Fewer places are groups, and no course of anything.
LEAST_PLACES = 3
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")


class Limited(NamedTuple):
    """The values of a metric and their limits, which are nan where there are none."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class ScoreTable(NamedTuple):
    """The columns before "n_samples" are coordinates; behind it are values, each with its limits if it has some."""

    coordinates: dict[str, NDArray[Any]]
    n_samples: NDArray[np.float64]
    metrics: dict[str, Limited]

    def course(self) -> str | None:
        """The one column along which values have a course: dates, or else numbers; None where there is no such one."""
        for are_places in (_are_dates, _are_numbers):
            found = [
                name
                for name, column in self.coordinates.items()
                if name not in NUMBERED and are_places(column) and len(np.unique(column)) >= LEAST_PLACES
            ]
            if len(found) == 1:
                return found[0]
        return None

    def names(self, metric: str, left_out: str | None = None) -> list[str]:
        """What each row is: its coordinates, behind the metric where there are several."""
        first = [metric] if len(self.metrics) > 1 else []
        columns = [plain(column) for name, column in self.coordinates.items() if name != left_out]
        rows = zip(*columns, strict=True) if columns else [()] * len(self.n_samples)
        return [", ".join([*first, *map(on_one_line, row)]) for row in rows]


def read_score_table(source: Any, metric: Any) -> ScoreTable | None:
    """The metrics of a frame, or the one that is asked for; None of what is no frame."""
    columns = frame_columns(source)
    if columns is None:
        return None
    arrays = {str(name): np.asarray(column) for name, column in columns}
    names = [*arrays]
    if "n_samples" not in names:
        raise ValueError(
            f"source is a data frame without the column 'n_samples': pass one as ConfusionMatrix.scores makes it; "
            f"the columns are {names}."
        )
    place = names.index("n_samples")
    ends = [name + end for name in names[place + 1 :] for end in ("_low", "_high")]
    metrics = [name for name in names[place + 1 :] if name not in ends]
    if metric is not None and metric not in metrics:
        raise ValueError(f"source has no metric {metric!r}, but {metrics}.{did_you_mean(str(metric), metrics)}")
    chosen = metrics if metric is None else [metric]
    if not chosen:
        raise ValueError("source has no column of values behind 'n_samples': pass a frame with at least one metric.")
    coordinates = {name: _with_dates(arrays[name]) for name in names[:place]}
    return ScoreTable(coordinates, _numbers(arrays, "n_samples"), {name: _limited(arrays, name) for name in chosen})


def _limited(arrays: dict[str, NDArray[Any]], name: str) -> Limited:
    """A metric between its limits, or without."""
    value = _numbers(arrays, name)
    unknown = np.full(len(value), np.nan)
    return Limited(
        value, *(_numbers(arrays, end) if end in arrays else unknown for end in (f"{name}_low", f"{name}_high"))
    )


def _numbers(arrays: dict[str, NDArray[Any]], name: str) -> NDArray[np.float64]:
    """A column of numbers."""
    try:
        return arrays[name].astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"the column {name!r} of source holds no numbers: behind 'n_samples' are the values of metrics, as "
            "ConfusionMatrix.scores makes them."
        ) from None


def _with_dates(column: NDArray[Any]) -> NDArray[Any]:
    """Text that is dates or months throughout as dates."""
    texts = column.tolist()
    if (
        column.dtype.kind in "OUT"
        and len(texts)
        and all(isinstance(text, str) and DATE.fullmatch(text) for text in texts)
    ):
        try:
            return np.array(texts, dtype="M8[D]")
        except ValueError:
            return column
    return column


def _are_dates(column: NDArray[Any]) -> bool:
    """Whether coordinates are points in time."""
    return column.dtype.kind == "M" and not np.isnat(column).any()


def _are_numbers(column: NDArray[Any]) -> bool:
    """Whether coordinates are numbers, of which truth values are none."""
    return column.dtype.kind in "iuf" and bool(np.isfinite(column).all())
