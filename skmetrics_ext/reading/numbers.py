"""Numbers of any container: weights, scores, thresholds and costs."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading import names
from skmetrics_ext.reading.calls import order_of_caller
from skmetrics_ext.reading.containers import (
    are_named_rows,
    as_array,
    column_names,
    error_of_dtype,
    frame_columns,
    index_of,
    only_column,
    refuse_unread,
    row_names,
)
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.order import (
    as_ranked,
    is_natural,
    places_in_array,
    plain,
    show,
    show_names,
)

Thresholds = NDArray[Any] | NamedNumbers
Costs = NDArray[Any] | NamedTable

NOT_DISTANCES = (
    "weights must be disagreements: 0 on the diagonal, not negative elsewhere, and not all 0. For "
    "weights of agreement, 1 on the diagonal, pass 1 - weights."
)
# Sums in float64 are exact up to here.
LARGEST_EXACT_SUM = 1 << 53
# From here on two integers may be one float.
LEAST_ROUNDED = 1 << 53

# Between these totals products of two counts neither overflow nor vanish.
LEAST_TOTAL, LARGEST_TOTAL = 1e-100, 1e100


def read_numbers(values: Any, name: str) -> NDArray[Any]:
    """Finite numbers as float64, narrower floats kept."""
    numbers = _floats(values, name)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds NaN or infinity: every entry must be finite.")
    return numbers


def _floats(values: Any, name: str) -> NDArray[Any]:
    """Numbers as float64, narrower floats kept."""
    if are_named_rows(values):
        return _numbers_of_rows(values, name)
    numbers = plain_numbers(values, name, "numbers")
    return (
        numbers
        if numbers.dtype in (np.float16, np.float32)
        else numbers.astype(np.float64, copy=False)
    )


def _numbers_of_rows(rows: list[Any], name: str) -> NDArray[Any]:
    """A column per key, in the order of the first dict."""
    first = rows[0]
    if differing := next(
        (k for k, row in enumerate(rows) if getattr(row, "keys", list)() != first.keys()), 0
    ):
        raise ValueError(
            f"{name} is a list of dicts, one per sample, which must all have the same keys: the "
            f"first has {show_names(list(first))}, but {name}[{differing}] is {rows[differing]!r}. "
            "Give each sample a number for every class, such as 0."
        )
    numbers = _floats(np.array([[row[key] for key in first] for row in rows]), name)
    # ONNX's floats are of float32, in which 0.7 reaches a threshold of 0.7.
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.float32)
    return narrow if (narrow == numbers).all() else numbers


def in_float32_at_least(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers to count with: float16 soon overflows, or is off by a thousandth."""
    return numbers.astype(np.promote_types(numbers.dtype, np.float32), copy=False)


def check_told_apart(numbers: NDArray[Any], given: Any, name: str) -> None:
    """Reject integers that are one float, if compared."""
    if isinstance(given, np.ndarray) and given.dtype.kind == "f":
        return
    if not numbers.size or max(-float(numbers.min()), float(numbers.max())) < LEAST_ROUNDED:
        return
    columns = frame_columns(given)
    parts = [given] if columns is None else [column for _, column in columns]
    if are_named_rows(given):
        parts = [[*row.values()] for row in given]
    for part in parts:
        if (large := _large_integer(part, name)) is not None:
            raise ValueError(
                f"{name} holds integers of 2**53 or more, such as {large}, which float64 may "
                "not tell apart: subtract a constant, or pass ranks, as of scipy.stats.rankdata."
            )


def _large_integer(values: Any, name: str) -> int | None:
    """The first integer whose size is 2**53 or more, if any."""
    array = as_array(values, name)
    if array.dtype.kind not in "iu" and not (array.dtype.kind == "f" and hasattr(values, "dtype")):
        # As given, before NumPy made floats of them.
        array = np.array(values, dtype=object)
    listed: list[Any] = array.ravel().tolist()
    integers = (int(value) for value in listed if isinstance(value, (int, np.integer)))
    return next((value for value in integers if abs(value) >= LEAST_ROUNDED), None)


def plain_numbers(values: Any, name: str, wanted: str) -> NDArray[Any]:
    """Numbers of any type, also NaN; text is never a number."""
    ragged = TypeError(
        f"{name} must hold {wanted}, in rows of equal length; got {type(values).__name__}."
    )
    numbers = as_array(values, name, ragged)
    if numbers.dtype.kind == "O":
        numbers = _floats_of_objects(numbers, name, wanted)
    if numbers.dtype.kind not in "biuf":
        raise error_of_dtype(numbers, f"{name} must hold {wanted}; it holds {numbers.dtype}.")
    return numbers


def _floats_of_objects(objects: NDArray[Any], name: str, wanted: str) -> NDArray[np.float64]:
    """Python objects as floats; the error names those that are not numbers."""
    if (
        text := next((value for value in objects.flat if isinstance(value, (str, bytes))), None)
    ) is not None:
        raise TypeError(
            f"{name} must hold {wanted}; it holds text such as {text!r}: convert it, e.g. with "
            f"np.asarray({name}).astype(float)."
        )
    try:
        return objects.astype(np.float64)
    except (TypeError, ValueError):
        types = ", ".join(sorted({type(value).__name__ for value in objects.flat}))
        raise TypeError(
            f"{name} must hold {wanted}, and no missing values; it holds {types}."
        ) from None


def read_threshold(threshold: Any) -> Thresholds:
    """One number, or one per label, which may key them; a copy."""
    if isinstance(threshold, str):
        raise TypeError(
            f"threshold must hold numbers, or be 'best' in a scorer; got {threshold!r}."
        )
    named = threshold if isinstance(threshold, NamedNumbers) else names.named_numbers(threshold)
    given = threshold if named is None else named.values
    numbers = in_float32_at_least(_floats(given, "threshold")).copy()
    check_told_apart(numbers, given, "threshold")
    if np.isnan(numbers).any():
        raise ValueError(
            "threshold holds NaN, which no score reaches: every entry must be a number."
        )
    if numbers.ndim > 1:
        raise ValueError(
            f"threshold must be a number, or one number per class; it has shape {numbers.shape}."
        )
    return numbers if named is None else named._replace(values=numbers)


def thresholds_of_classes(
    threshold: Thresholds,
    classes: NDArray[Any],
    ranking: NDArray[Any] | None,
    known: NDArray[Any] | None = None,
) -> NDArray[Any] | None:
    """The thresholds of classes, one number, or None if too few; `known` classes may have more."""
    if not isinstance(threshold, NamedNumbers):
        if not threshold.ndim:
            return threshold
        by_class = dict(zip(plain(np.sort(classes)), threshold.tolist(), strict=False))
        places = places_in_array(
            classes, ranking, len(threshold), _order_advice("threshold", by_class)
        )
        return None if places is None else np.asarray(threshold[places])
    names.check_are_known(threshold.names, (classes, ranking, known), "the thresholds", name_all)
    return threshold.values[names.places_of(classes, threshold.names, "the thresholds", name_all)]


def thresholds_of_labels(
    threshold: Thresholds, labels: NDArray[Any], ranking: NDArray[Any] | None
) -> NDArray[Any]:
    """The thresholds of labels, or one for all; plain ones need an order of the columns."""
    if not isinstance(threshold, NamedNumbers):
        if not threshold.ndim:
            return threshold
        if len(threshold) != len(labels):
            raise ValueError(
                f"threshold has {len(threshold)} numbers for {len(labels)} labels: pass one per "
                "label."
            )
        if ranking is None and not is_natural(labels):
            by_label = dict(zip(plain(labels), threshold.tolist(), strict=True))
            raise ValueError(
                f"threshold is an array, but the columns {show(labels)} are no order: name the "
                f"thresholds, such as threshold={by_label}, or pass the order of the labels as "
                "classes=[...]."
            )
        return threshold
    advice = (
        "name each label once, in any order; the columns of an array are 0, 1, ... unless classes= "
        "names them."
    )
    names.check_are_known(threshold.names, [labels], "the thresholds", advice)
    return threshold.values[names.places_of(labels, threshold.names, "the thresholds", advice)]


def read_costs(cost_matrix: Any, name: str = "cost_matrix") -> Costs:
    """Finite costs (actual, predicted), maybe of each sample, which a frame may label; a copy."""
    if isinstance(cost_matrix, NamedTable):
        return cost_matrix
    named = names.named_table(cost_matrix, name)
    parts = cost_matrix[:1] if isinstance(cost_matrix, (list, tuple)) else ()
    for part in parts:
        refuse_unread(part, name)
    if any(column_names(part) or row_names(part) for part in parts):
        raise ValueError(
            f"{name} is a list of frames or Series, whose names would be lost: pass one frame or "
            "dict {(actual, predicted): cost} for all samples, or an array in the order of the "
            "classes."
        )
    costs = read_numbers(cost_matrix if named is None else named.values, name).astype(np.float64)
    if named is not None:
        return named._replace(values=costs)
    if costs.ndim not in (2, 3) or costs.shape[-1] != costs.shape[-2]:
        raise ValueError(
            f"{name} must be square, actual classes in rows, predicted in columns; got "
            f"{costs.shape}."
        )
    return costs


def are_of_samples(costs: Costs | None) -> TypeGuard[NDArray[Any]]:
    """Whether costs are per sample."""
    return isinstance(costs, np.ndarray) and costs.ndim == 3


def costs_of_all(costs: Costs | None) -> Costs | None:
    """Reject per-sample costs of unknown samples."""
    if are_of_samples(costs):
        raise ValueError(
            f"cost_matrix has shape {costs.shape}, per-sample costs, which are accepted by "
            "expected_cost, labels_from_scores, ThresholdCurve.score and best, and, by metadata "
            "routing, for get_scorer('neg_expected_cost').set_score_request(cost_matrix=True): "
            "here, pass one row per actual class and one column per predicted class."
        )
    return costs


def check_costs_of(costs: NDArray[Any], n_samples: int) -> None:
    """Reject costs for more or fewer samples than there are."""
    if costs.ndim == 3 and len(costs) != n_samples:
        raise ValueError(
            f"cost_matrix has shape {costs.shape}, per-sample costs for {len(costs)} samples, but "
            f"there are {n_samples}: pass one (n_classes, n_classes) matrix per sample."
        )


def costs_in_order(
    costs: Costs,
    labels: NDArray[Any],
    ranking: NDArray[Any] | None,
    occurs: NDArray[np.bool_] | None = None,
    name: str = "cost_matrix",
    known: Sequence[NDArray[Any] | None] = (),
) -> NDArray[Any]:
    """Costs in the order of the labels; a frame names those that occur, and maybe `known` ones."""
    if not isinstance(costs, NamedTable):
        by_pair = _by_pair(costs, labels) if costs.ndim == 2 else None
        places = places_in_array(labels, ranking, costs.shape[-1], _order_advice(name, by_pair))
        if places is None:
            raise ValueError(
                f"{name} has shape {costs.shape}, but there are {len(labels)} classes "
                f"{show(labels)}: pass one row per actual class and one column per predicted "
                f"class, in this order{_listed(' ({}=[...] lists all classes)')}; or a data frame "
                "or a dict {(actual, predicted): cost}, which name them."
            )
        return np.asarray(costs[..., places[:, None], places])
    # A side without names is in the order of the classes, if any.
    in_order = as_ranked(labels, ranking)
    is_needed = np.ones(len(labels), dtype=bool) if occurs is None else occurs.copy()
    is_ranked = ranking is not None and len(in_order) < len(ranking)
    rows_named, columns_named = names.with_both_sides(costs, in_order, name, is_ranked=is_ranked)
    sides = [(rows_named, f"the rows of {name}"), (columns_named, f"the columns of {name}")]
    if costs.of_pairs:
        sides = [(rows_named, f"the classes of {name}")]
        is_needed &= [place is not None for place in names.find(labels, rows_named)]
    for given, side in sides:
        names.check_are_known(given, (labels, ranking, *known), side, name_all)
    in_sides = [names.places_of(labels[is_needed], given, side, name_all) for given, side in sides]
    rows, columns = in_sides[0], in_sides[-1]
    ordered_costs = np.zeros((len(labels), len(labels)))
    ordered_costs[np.ix_(is_needed, is_needed)] = costs.values[np.ix_(rows, columns)]
    return ordered_costs


def read_distances(weights: Any) -> Costs:
    """How much two labels disagree, as a table with or without names."""
    table = read_costs(weights, "weights")
    values = table.values if isinstance(table, NamedTable) else table
    if values.ndim > 2:
        raise ValueError(f"weights must be one table for all samples; it has shape {values.shape}.")
    if (values < 0).any() or not (values.any() or values.size == 1):
        raise ValueError(NOT_DISTANCES)
    return table


def distances_in_order(
    weights: Costs,
    labels: NDArray[Any],
    ranking: NDArray[Any] | None,
    occurs: NDArray[np.bool_] | None = None,
    known: Sequence[NDArray[Any] | None] = (),
) -> NDArray[Any]:
    """How much two labels disagree, in the order of the labels."""
    table = costs_in_order(weights, labels, ranking, occurs, "weights", known)
    if table.diagonal().any():
        raise ValueError(NOT_DISTANCES)
    return table


def _order_advice(name: str, by_class: dict[Any, Any] | None) -> str:
    """What to do about an array of classes without an order."""
    named = "" if by_class is None else f"name them, such as {name}={by_class}, or "
    return f"{name} is an array in the order of the classes: {named}"


def name_all() -> str:
    """What to do about names that are not those of the classes."""
    listed = _listed(" (list one that does not occur here in {}=[...])")
    return f"name each label once, in any order, and nothing but classes{listed}."


def _listed(words: str) -> str:
    """Words about the option that names the classes, if the function that was called has one."""
    option = order_of_caller()
    return "" if option is None else words.format(option)


def _by_pair(costs: NDArray[Any], labels: NDArray[Any]) -> dict[tuple[Any, Any], float]:
    """The first few costs by pairs of names, to be shown."""
    named = plain(np.sort(labels))[: len(costs)]
    pairs = ((i, j) for i in range(len(named)) for j in range(len(named)) if i != j)
    return {(named[i], named[j]): costs[i, j].item() for i, j in islice(pairs, 6)}


def read_weights(
    sample_weight: Any, n_samples: int, index: Any = None, name: str = "y_true"
) -> NDArray[Any] | None:
    """Weights as int64 (exact counts) or float64, of samples called `name`."""
    if sample_weight is None:
        return None
    names.check_same_samples(
        index, index_of(sample_weight), (name, "sample_weight"), default_is_name=True
    )
    weights = plain_numbers(only_column(sample_weight), "sample_weight", "one number per sample")
    if weights.ndim == 0:
        weights = np.full(n_samples, weights)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}, but there are {n_samples} samples: pass one "
            f"weight per sample, shape ({n_samples},)."
        )
    least = weights.min()
    if not np.isfinite(least) or not np.isfinite(weights.max()):
        raise ValueError(
            "sample_weight holds NaN or infinity: every weight must be a finite number."
        )
    if least < 0:
        raise ValueError(
            f"sample_weight holds negative weights (minimum {least}): use weight 0 to drop samples."
        )
    with np.errstate(over="ignore"):
        total = float(weights.sum(dtype=np.float64))
    if not total:
        raise ValueError("sample_weight is all zero: at least one weight must be above 0.")
    check_total(total, "sample_weight")
    exact = weights.dtype.kind != "f" and total < LARGEST_EXACT_SUM
    return weights.astype(np.int64 if exact else np.float64, copy=False)


def check_total(totals: Any, name: str) -> None:
    """Reject totals of floats with which metrics would overflow or vanish."""
    totals = np.ravel(totals)
    if (wrong := (totals != 0) & ~((totals >= LEAST_TOTAL) & (totals <= LARGEST_TOTAL))).any():
        raise ValueError(
            f"{name} adds up to {totals[wrong][0]:.4g}, but the total of a table or group must be "
            f"0 or lie between {LEAST_TOTAL:g} and {LARGEST_TOTAL:g}: multiply all by one number, "
            "which changes no ratio-based metric."
        )
