"""Plain Python values -> the containers and types that users have."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

INTEGER_TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def label_container(random: Random, kind: str, values: Sequence[Any]) -> Any:
    """Labels in some container that can hold them."""
    makers = {
        "integers": _of_integers,
        "booleans": _of_booleans,
        "strings": _of_strings,
        "bytes": _of_bytes,
        "dates": _of_dates,
    }[kind](values)
    made = random.choice(makers)(list(values))
    return _odd_view(random, made) if type(made) is np.ndarray else made


def label_array(values: Sequence[Any]) -> Any:
    """Labels as an array that holds them exactly, which NumPy does not make of large integers by
    itself.
    """
    array = np.array(values)
    return np.array(values, dtype=object) if array.dtype.kind == "f" else array


def weight_container(random: Random, weights: Sequence[float] | None) -> Any:
    """Weights as a list, an array of some type that holds them exactly, or a column."""
    if weights is None:
        return None
    exact = [list, np.array, pd.Series, lambda values: np.array(values, dtype=object)]
    if all(isinstance(weight, int) for weight in weights):
        exact += [_typed(name) for name in fitting(weights)] * 2
    elif all(float(np.float32(weight)) == weight for weight in weights if weight < 1e38):
        exact += [_typed("float32")] if max(weights) < 1e38 else []
    made = random.choice(exact)(list(weights))
    return _odd_view(random, made, column=False) if type(made) is np.ndarray else made


def bit_container(random: Random, rows: list[list[int]]) -> Any:
    """A 0/1 indicator in some type and memory order, or sparse, or a frame whose columns have no
    names.
    """
    array = np.array(rows, dtype=random.choice(["int64", "uint8", "bool", "float64", "int8"]))
    makers = [
        np.ascontiguousarray,
        np.asfortranarray,
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        np.ndarray.tolist,
    ]
    return random.choice([*makers, sparse.csr_array, sparse.csc_array, pd.DataFrame])(array)


def score_container(random: Random, scores: Sequence[float]) -> Any:
    """Scores in double precision; also as a list or a column."""
    made = random.choice([list, np.array, np.array, pd.Series, pl.Series, pa.array])(list(scores))
    return _odd_view(random, made, column=False) if type(made) is np.ndarray else made


def _typed(dtype: str) -> Callable[[list[Any]], Any]:
    """A maker of arrays of one type."""
    return lambda values: np.array(values, dtype=dtype)


def fitting(values: Sequence[int]) -> list[str]:
    """The integer types that hold all values."""
    low, high = min(values), max(values)
    return [
        name for name in INTEGER_TYPES if np.iinfo(name).min <= low and high <= np.iinfo(name).max
    ]


def _of_integers(values: Sequence[int]) -> list[Callable[[list[Any]], Any]]:
    """Makers of containers for these integers."""
    makers: list[Callable[[list[Any]], Any]] = [list, tuple, lambda v: np.array(v, dtype=object)]
    types = fitting(values)
    makers += [_typed(name) for name in types]
    if types:
        widest = types[-1]
        makers += [
            lambda v: pd.Series(v, dtype=widest),
            lambda v: pd.Series(np.array(v, dtype=widest)).astype("category"),
            lambda v: pd.Series(np.array(v, dtype=widest)).astype(
                widest.replace("i", "I").replace("u", "U")
            ),
            lambda v: pl.Series(np.array(v, dtype=widest)),
            lambda v: pa.array(np.array(v, dtype=widest)),
            lambda v: pa.chunked_array(
                [np.array(v[:1], dtype=widest), np.array(v[1:], dtype=widest)]
            ),
            lambda v: np.array(v, dtype=widest).astype(np.dtype(widest).newbyteorder(">")),
        ]
    if all(abs(value) < 2**24 for value in values):
        makers.append(_typed("float32"))
    if all(abs(value) < 2**53 for value in values):
        makers.append(_typed("float64"))
    return makers


def _of_booleans(values: Sequence[bool]) -> list[Callable[[list[Any]], Any]]:
    """Makers of containers for booleans, which equal 0 and 1."""
    del values
    makers = [list, _typed("bool"), _typed("int8"), _typed("float64"), _typed("object")]
    return [*makers, pd.Series, lambda v: pd.Series(v, dtype="boolean"), pl.Series, pa.array]


def _of_strings(values: Sequence[str]) -> list[Callable[[list[Any]], Any]]:
    """Makers of containers for strings."""
    shuffled = sorted(set(values), key=lambda value: value[::-1])
    return [
        list,
        tuple,
        np.array,
        _typed("object"),
        lambda v: np.array(v, dtype=np.dtypes.StringDType()),
        lambda v: np.array(v).astype("U60"),
        pd.Series,
        lambda v: pd.Series(v, dtype="object"),
        lambda v: pd.Series(v, dtype="category"),
        lambda v: pd.Series(pd.Categorical(v, categories=[*shuffled, "unused"])),
        lambda v: pd.Series(v, dtype="string[python]"),
        lambda v: pd.Series(v, dtype="string[pyarrow]"),
        pl.Series,
        lambda v: pl.Series(v, dtype=pl.Categorical),
        lambda v: pl.Series(v, dtype=pl.Enum([*shuffled, "unused"])),
        pa.array,
        lambda v: pa.array(v).dictionary_encode(),
        lambda v: pa.array(v, type=pa.large_string()),
    ]


def _of_bytes(values: Sequence[bytes]) -> list[Callable[[list[Any]], Any]]:
    """Makers of containers for bytes."""
    del values
    return [list, np.array, _typed("object"), lambda v: np.array(v).astype("S20")]


def _of_dates(values: Sequence[Any]) -> list[Callable[[list[Any]], Any]]:
    """Makers of containers for dates, of one precision, so that both sides are comparable."""
    del values
    return [
        list,
        _typed("datetime64[D]"),
        lambda v: [day.item() for day in v],
        lambda v: np.array([day.item() for day in v], dtype=object),
    ]


def _odd_view(random: Random, array: Any, column: bool = True) -> Any:
    """The same values in another place in memory: every other one, backwards, read-only, or as a
    column.
    """
    views = [
        lambda x: x,
        lambda x: x,
        lambda x: np.repeat(x, 2)[::2],
        lambda x: x[::-1].copy()[::-1],
        _read_only,
    ]
    if column and array.dtype.kind != "O":
        views.append(lambda x: x[:, None])
    return random.choice(views)(array)


def _read_only(array: Any) -> Any:
    """A view that NumPy guards."""
    view = array.view()
    view.flags.writeable = False
    return view
