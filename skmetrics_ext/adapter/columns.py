"""Scores from any container, and the class of each of their columns."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.reading.calls import option_of_caller
from skmetrics_ext.reading.containers import Names, column_names, index_of
from skmetrics_ext.reading.labels import Indicator, read_order
from skmetrics_ext.reading.names import find, places_of, places_of_columns
from skmetrics_ext.reading.numbers import check_told_apart, read_numbers
from skmetrics_ext.reading.order import plain, position_of, show, show_names

# How far from 1 the sum of a row of probabilities may be: float32 softmax over many classes.
SUM_TOLERANCE = 1e-3


class NamedScores(NamedTuple):
    """Scores, and what else their container says."""

    # Finite: (n,), (n, K), or a list of L arrays (n, 2).
    values: Any
    names: Names | None = None
    index: Any = None

    @property
    def are_of_labels(self) -> bool:
        """Whether there is an array for each of several labels."""
        return isinstance(self.values, list)


def read_scores(y_score: Any) -> NamedScores:
    """The scores of any container, asked once."""
    if isinstance(y_score, list) and y_score and np.ndim(y_score[0]) == 2:
        pairs = [_read_told_apart(pair) for pair in y_score]
        if not len(pairs[0]):
            raise ValueError(
                "y_score is empty: its arrays have no samples, and at least 1 is needed."
            )
        if any(pair.ndim != 2 or pair.shape != (len(pairs[0]), 2) for pair in pairs):
            raise ValueError(
                "y_score is a list of arrays, as returned by a multilabel predict_proba: each must "
                f"be of shape (n_samples, 2); got {[pair.shape for pair in pairs]}."
            )
        return NamedScores(pairs)
    scores = _read_told_apart(y_score)
    if scores.ndim not in (1, 2):
        raise ValueError(f"y_score must be 1-D or 2-D; it has shape {scores.shape}.")
    if not scores.size:
        raise ValueError(f"y_score is empty (shape {scores.shape}): at least 1 sample is needed.")
    names = column_names(y_score) if scores.ndim == 2 else None
    values = scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores
    return NamedScores(values, names, index_of(y_score))


def _read_told_apart(y_score: Any) -> NDArray[Any]:
    """Finite scores, none of which is equal to another only as a float."""
    scores = read_numbers(y_score, "y_score")
    check_told_apart(scores, y_score, "y_score")
    return scores


def columns_in_order(
    scores: NamedScores, present: NDArray[Any], classes: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Scores and the class of each column: as given, by its name in a data frame, or inferred."""
    if classes is not None:
        return columns_named(scores, classes), classes
    values = scores.values
    if values.ndim == 1 or scores.names is None:
        return values, inferred_classes(present, 2 if values.ndim == 1 else values.shape[1])
    return in_sorted_order(values, labels_of_names(scores.names, present))


def in_sorted_order(scores: NDArray[Any], order: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Columns sorted like labels, so that ties go to the same class in a frame and an array."""
    if bool((order[:-1] < order[1:]).all()):
        return scores, order
    place = np.argsort(order, kind="stable")
    return scores[:, place], order[place]


def columns_named(scores: NamedScores, classes: NDArray[Any]) -> Any:
    """Scores in the order of the classes, if the columns of a data frame are named after them."""
    values = scores.values
    are_columns = not scores.are_of_labels and values.ndim == 2
    places = _places_of_classes(classes, scores.names, "y_score") if are_columns else None
    return values if places is None else values[:, places]


def _places_of_classes(classes: NDArray[Any], names: Names | None, whose: str) -> list[int] | None:
    """The positions of the classes among the column names; None if no name is a class."""
    if names is None or len(names) != len(classes) or find(classes, names) == [None] * len(classes):
        return None
    return places_of(
        classes, names, f"the columns of {whose}", "name them accordingly, or pass an array."
    )


def columns_matched(
    true: Indicator, scores: NamedScores, classes: NDArray[Any] | None
) -> tuple[NDArray[np.bool_], Any, NDArray[Any] | None]:
    """2-D targets and scores with the same columns, and their labels: classes or names."""
    target = true.values.toarray() if sparse.issparse(true.values) else true.values
    if classes is not None:
        places = _places_of_classes(classes, true.names, "y_true")
        target = target if places is None else target[:, places]
        return target, columns_named(scores, classes), classes
    places = places_of_columns(true.names, scores.names, ("y_true", "y_score"))
    names = scores.names if true.names is None else true.names
    order = None if names is None or len(names) != target.shape[1] else read_order(names, "columns")
    return target, scores.values if places is None else scores.values[:, places], order


def check_single_column(scores: NamedScores, known: NDArray[Any], label: Any) -> None:
    """Reject a single column of scores that is named after another class."""
    if scores.names is not None and len(scores.names) == 1:
        check_name_of_column(scores.names[0], known, label, "y_score")


def check_name_of_column(name: Any, known: NDArray[Any], label: Any, whose: str) -> None:
    """Reject the name of a column if it is that of another class."""
    if find(known, [name]) == [None] * len(known) or find(np.array([label]), [name]) == [0]:
        return
    raise ValueError(
        f"{whose} has the single column {name!r}, which would be interpreted as scores for "
        f"{label!r}: pass the column for that class, or just the array."
    )


def labels_of_names(names: Names, present: NDArray[Any]) -> NDArray[Any]:
    """Column names as labels of the data's kind: polars and pyarrow write numbers as strings."""
    places = places_of(
        present, names, "the columns of y_score", lambda: f"name them accordingly{_or_pass()}."
    )
    label_of = dict(zip(places, plain(present), strict=True))
    try:
        return read_order(
            [label_of.get(k, _as_label(name, present)) for k, name in enumerate(names)], "columns"
        )
    except (TypeError, ValueError):
        raise ValueError(
            f"y_score has the columns {show_names(names)}, not all of which can be labels "
            f"alongside {show(present)}: name only columns of labels{_or_pass()}."
        ) from None


def _or_pass() -> str:
    """How to name columns, where the function that was called has an option for it."""
    option = option_of_caller("classes")
    return "" if option is None else f", or pass {option}=[...] with the label of each, in order"


def _as_label(name: Any, present: NDArray[Any]) -> Any:
    """A name as a label of the data's kind; one that is none stays, and will not match."""
    if isinstance(name, str) and present.dtype.kind in "iuf":
        return next((kind(name) for kind in (int, float) if _is_written_as(name, kind)), name)
    return str(name) if present.dtype.kind == "U" else name


def _is_written_as(text: str, kind: type) -> bool:
    """Whether a text is exactly how a number of a kind is written."""
    try:
        return str(kind(text)) == text
    except ValueError:
        return False


def inferred_classes(
    present: NDArray[Any], n_columns: int, names: tuple[str, str] = ("y_true", "y_score")
) -> NDArray[Any]:
    """The classes of the columns if the actual labels determine them."""
    if len(present) == n_columns:
        return present
    if (
        n_columns == 2
        and len(present) == 1
        and position_of(np.array([0, 1]), present[0]) is not None
    ):
        return np.array([0, 1], dtype=present.dtype)
    raise ValueError(
        f"{names[1]} has scores for {n_columns} classes, but {names[0]} has {len(present)} labels "
        f"{show(present)}, so the columns can't be matched to labels: name them{_or_pass()}."
    )


def is_one_hot(true: Any, scores: NDArray[Any] | list[NDArray[Any]]) -> bool:
    """Whether 2-D targets and scores are one-hot classes rather than independent labels."""
    if isinstance(scores, list) or scores.ndim != 2:
        return False
    return bool((true.sum(axis=1) == 1).all()) and sum_to_one(scores)


def sum_to_one(scores: NDArray[Any]) -> bool:
    """Whether the scores of each sample sum to 1, as probabilities do."""
    return bool((np.abs(scores.sum(axis=1) - 1) < SUM_TOLERANCE).all())
