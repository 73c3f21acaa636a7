"""Labels and weights in every container: the same codes, and nothing that is changed."""

import array
import collections
import datetime

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    accuracy_score,
    confusion_matrix,
    f1_score,
    labels_from_scores,
)
from skmetrics_ext.reading.containers import FIRST
from skmetrics_ext.reading.labels import read_labels
from skmetrics_ext.reading.pairs import encode
from tests.doubles import DataArray, DuckDBPyRelation, Tensor

NUMBERS_TRUE = [3, -1, 3, 7, -1, 7, 3, 12]
NUMBERS_PRED = [-1, -1, 3, 7, 3, 12, 3, 7]
WORDS_TRUE = ["dog", "ant", "bee", "dog", "é", "ant", "", "elephant"]
WORDS_PRED = ["ant", "ant", "bee", "elephant", "é", "dog", "bee", ""]
OF_NUMBERS = sklearn.metrics.confusion_matrix(NUMBERS_TRUE, NUMBERS_PRED)
OF_WORDS = sklearn.metrics.confusion_matrix(WORDS_TRUE, WORDS_PRED)
WORDS = ["zebra", "elephant", "dog", "é", "", "bee", "ant", "aardvark"]
ROWS_TRUE = [[0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0]]
ROWS_PRED = [[0, 1, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]]


def series(dtype):
    return lambda values: pd.Series(values, dtype=dtype, index=range(100, 100 + len(values)))


def polars_series(dtype):
    return lambda values: pl.Series("y", values, dtype=dtype)


def arrow(dtype):
    return lambda values: pa.array(values, type=dtype)


def dictionary(values, index_type=None):
    distinct = list(dict.fromkeys(reversed(values)))
    indices = pa.array([distinct.index(value) for value in values], type=index_type)
    return pa.DictionaryArray.from_arrays(
        indices, pa.array([*distinct, distinct[0] * 2 or "unused"])
    )


def chunked(values):
    half = len(values) // 2
    return pa.chunked_array([pa.array(values[:half]), pa.array(values[half:])])


def chunked_dictionaries(values):
    half = len(values) // 2
    return pa.chunked_array(
        [pa.array(part).dictionary_encode() for part in (values[:half], values[half:])]
    )


def sliced(values):
    return pa.array([values[-1], *values, values[0]]).slice(1, len(values))


NUMBER_CONTAINERS = {
    "pandas int64": series("int64"),
    "pandas int8": series("int8"),
    "pandas float": series("float64"),
    "pandas object": series("object"),
    "pandas Int64": series("Int64"),
    "pandas Int8": series("Int8"),
    "pandas Float64": series("Float64"),
    "pandas int64[pyarrow]": series("int64[pyarrow]"),
    "pandas double[pyarrow]": series("double[pyarrow]"),
    "pandas category": series("category"),
    "pandas category of Int64": lambda values: series("Int64")(values).astype("category"),
    "pandas sparse": lambda values: pd.Series(pd.arrays.SparseArray(values)),
    "pandas Index": pd.Index,
    "pandas CategoricalIndex": pd.CategoricalIndex,
    "pandas array": lambda values: pd.array(values, dtype="Int64"),
    "pandas Categorical": pd.Categorical,
    "pandas DataFrame": lambda values: pd.DataFrame({"y": values}),
    "pandas DataFrame of Int64": lambda values: pd.DataFrame(
        {"y": pd.array(values, dtype="Int64")}
    ),
    "pandas DataFrame of categories": lambda values: pd.DataFrame({"y": pd.Categorical(values)}),
    "deque": collections.deque,
    "UserList": collections.UserList,
    "array": lambda values: array.array("q", values),
    "array of floats": lambda values: array.array("f", values),
    "polars Int64": polars_series(pl.Int64),
    "polars Int8": polars_series(pl.Int8),
    "polars Float32": lambda values: pl.Series(values).cast(pl.Float32),
    "polars DataFrame": lambda values: pl.DataFrame({"y": values}),
    "pyarrow int64": arrow(pa.int64()),
    "pyarrow Table": lambda values: pa.table({"y": values}),
    "pyarrow RecordBatch": lambda values: pa.record_batch({"y": values}),
    "pyarrow int8": arrow(pa.int8()),
    "pyarrow double": lambda values: pa.array([float(value) for value in values]),
    "pyarrow ChunkedArray": chunked,
    "pyarrow dictionary": dictionary,
    "pyarrow slice": sliced,
    "pyarrow chunked dictionaries": chunked_dictionaries,
}
WORD_CONTAINERS = {
    "pandas str": series("str"),
    "pandas object": series("object"),
    "pandas string": series("string"),
    "pandas string[python]": series("string[python]"),
    "pandas string[pyarrow]": series("string[pyarrow]"),
    "pandas ArrowDtype": series(pd.ArrowDtype(pa.large_string())),
    "pandas ArrowDtype dictionary": series(pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
    "pandas category": series("category"),
    "pandas category with unused": series(pd.CategoricalDtype(WORDS)),
    "pandas ordered category": series(pd.CategoricalDtype(WORDS, ordered=True)),
    "pandas category of pyarrow strings": lambda values: series("string[pyarrow]")(values).astype(
        "category"
    ),
    "pandas Index": pd.Index,
    "pandas CategoricalIndex": lambda values: pd.CategoricalIndex(values, categories=WORDS),
    "pandas Categorical": lambda values: pd.Categorical(values, categories=WORDS),
    "pandas array": pd.array,
    "pandas DataFrame": lambda values: pd.DataFrame({"y": values}),
    "pandas DataFrame of strings[pyarrow]": lambda values: pd.DataFrame(
        {"y": values}, dtype="string[pyarrow]"
    ),
    "pandas DataFrame of categories": lambda values: pd.DataFrame(
        {"y": pd.Categorical(values, categories=WORDS)}
    ),
    "polars String": polars_series(pl.String),
    "polars Categorical": polars_series(pl.Categorical),
    "polars sliced Categorical": lambda values: pl.Series(WORDS + values, dtype=pl.Categorical)[
        len(WORDS) :
    ],
    "polars Enum": polars_series(pl.Enum(WORDS)),
    "polars DataFrame": lambda values: pl.DataFrame({"y": values}),
    "polars DataFrame of Categorical": lambda values: pl.DataFrame(
        {"y": values}, schema={"y": pl.Categorical}
    ),
    "deque": collections.deque,
    "UserList": collections.UserList,
    "pyarrow Table": lambda values: pa.table({"y": values}),
    "pyarrow Table of dictionaries": lambda values: pa.table({"y": dictionary(values)}),
    "pyarrow string": arrow(pa.string()),
    "pyarrow large_string": arrow(pa.large_string()),
    "pyarrow string_view": arrow(pa.string_view()),
    "pyarrow ChunkedArray": chunked,
    "pyarrow dictionary": dictionary,
    "pyarrow dictionary of uint8": lambda values: dictionary(values, pa.uint8()),
    "pyarrow dictionary of uint64": lambda values: dictionary(values, pa.uint64()),
    "pyarrow slice": sliced,
    "pyarrow sliced dictionary": lambda values: sliced(values).dictionary_encode(),
    "pyarrow chunked dictionaries": chunked_dictionaries,
}
BOOLEAN_CONTAINERS = {
    "pandas bool": series("bool"),
    "pandas boolean": series("boolean"),
    "pandas bool[pyarrow]": series("bool[pyarrow]"),
    "pandas category": series("category"),
    "polars Boolean": polars_series(pl.Boolean),
    "pyarrow bool": arrow(pa.bool_()),
    "pyarrow ChunkedArray": chunked,
}
DAY_CONTAINERS = {
    "pandas datetime64": lambda values: pd.Series(pd.to_datetime(values)),
    "pandas DatetimeIndex": pd.to_datetime,
    "pandas category": lambda values: pd.Series(pd.to_datetime(values)).astype("category"),
    "pandas timestamp[pyarrow]": lambda values: pd.Series(values, dtype="timestamp[us][pyarrow]"),
    "polars Date": polars_series(pl.Date),
    "polars Datetime": polars_series(pl.Datetime),
    "pyarrow date32": arrow(pa.date32()),
    "pyarrow timestamp": lambda values: pa.array(values, type=pa.date32()).cast(pa.timestamp("us")),
}


def containers(table, argument="container"):
    return pytest.mark.parametrize(
        argument, [pytest.param(make, id=name) for name, make in table.items()]
    )


def decoded(column):
    return column.labels[column.codes].tolist()


@containers(NUMBER_CONTAINERS)
def test_numbers_in_every_container(container):
    column = read_labels(container(NUMBERS_TRUE), "y_true")
    assert column.labels.tolist() == [-1, 3, 7, 12]
    assert decoded(column) == NUMBERS_TRUE
    np.testing.assert_array_equal(
        confusion_matrix(container(NUMBERS_TRUE), container(NUMBERS_PRED)), OF_NUMBERS
    )


@pytest.mark.parametrize("repeats", [1, 400], ids=["short", "long"])
@containers(WORD_CONTAINERS)
def test_words_in_every_container(container, repeats):
    true, pred = WORDS_TRUE * repeats, WORDS_PRED * repeats
    column = read_labels(container(true), "y_true")
    assert column.labels.tolist() == ["", "ant", "bee", "dog", "elephant", "é"]
    assert decoded(column) == true
    np.testing.assert_array_equal(
        confusion_matrix(container(true), container(pred)), OF_WORDS * repeats
    )


@containers(BOOLEAN_CONTAINERS)
def test_booleans_in_every_container(container):
    true, pred = [True, False, False, True, True], [False, False, True, True, True]
    column = read_labels(container(true), "y_true")
    assert column.labels.tolist() == [False, True]
    assert decoded(column) == true
    np.testing.assert_array_equal(
        confusion_matrix(container(true), container(pred)), [[1, 1], [1, 2]]
    )


@containers(DAY_CONTAINERS)
def test_dates_in_every_container(container):
    days = [datetime.date(2024, 3, 1), datetime.date(1969, 12, 31), datetime.date(2024, 3, 1)]
    column = read_labels(container(days), "y_true")
    assert column.labels.astype("M8[D]").tolist() == sorted(set(days))
    assert column.labels[column.codes].astype("M8[D]").tolist() == days


SOME_WORD_CONTAINERS = {"list": list, "array": np.array} | {
    name: WORD_CONTAINERS[name]
    for name in [
        "pandas str",
        "pandas string[python]",
        "pandas category with unused",
        "polars String",
        "polars Enum",
        "polars Categorical",
        "pyarrow ChunkedArray",
        "pyarrow dictionary",
    ]
}
SOME_NUMBER_CONTAINERS = {"list": list, "array": np.array} | {
    name: NUMBER_CONTAINERS[name]
    for name in [
        "pandas int8",
        "pandas Int64",
        "pandas category",
        "pandas int64[pyarrow]",
        "polars Int64",
        "pyarrow double",
        "pyarrow dictionary",
    ]
}


@containers(SOME_WORD_CONTAINERS, "true_container")
@containers(SOME_WORD_CONTAINERS, "pred_container")
def test_words_in_different_containers_on_the_two_sides(true_container, pred_container):
    matrix = confusion_matrix(true_container(WORDS_TRUE), pred_container(WORDS_PRED))
    np.testing.assert_array_equal(matrix, OF_WORDS)


@containers(SOME_NUMBER_CONTAINERS, "true_container")
@containers(SOME_NUMBER_CONTAINERS, "pred_container")
def test_numbers_in_different_containers_on_the_two_sides(true_container, pred_container):
    matrix = confusion_matrix(true_container(NUMBERS_TRUE), pred_container(NUMBERS_PRED))
    np.testing.assert_array_equal(matrix, OF_NUMBERS)


@containers(SOME_WORD_CONTAINERS)
def test_labels_in_every_container(container):
    matrix = confusion_matrix(
        WORDS_TRUE, WORDS_PRED, labels=container(["é", "ant", "zebra", "dog"])
    )
    expected = sklearn.metrics.confusion_matrix(
        WORDS_TRUE, WORDS_PRED, labels=["é", "ant", "zebra", "dog"]
    )
    np.testing.assert_array_equal(matrix, expected)


@pytest.mark.parametrize(
    "container", [pd.Series, series("Int64"), series("int64[pyarrow]"), pl.Series, pa.array]
)
def test_weights_in_every_container(container):
    matrix = confusion_matrix([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=container([1, 2, 3, 4]))
    np.testing.assert_array_equal(matrix, [[5, 0], [3, 2]])


@pytest.mark.parametrize(
    "container",
    [series("Int64"), series("Float64"), series("int64[pyarrow]"), pl.Series, pa.array],
    ids=["pandas Int64", "pandas Float64", "pandas pyarrow", "polars", "pyarrow"],
)
def test_missing_weights_are_refused(container):
    with pytest.raises((TypeError, ValueError), match=r"sample_weight .*(NaN|missing)"):
        confusion_matrix([0, 1], [0, 1], sample_weight=container([1, None]))


def assert_read_as(y, words):
    """Codes into the sorted words that occur."""
    column = read_labels(y, "y_true")
    order = sorted(set(words))
    place = {word: k for k, word in enumerate(order)}
    assert column.labels.tolist() == order
    assert column.codes.tolist() == [place[word] for word in words]


@pytest.mark.parametrize("n_samples", [FIRST - 1, FIRST, FIRST + 1, 2 * FIRST])
def test_many_strings_of_polars_are_read_as_few_are(n_samples):
    words = [WORDS_TRUE[k % len(WORDS_TRUE)] for k in range(n_samples)]
    assert_read_as(pl.Series(words), words)


@pytest.mark.parametrize("n_chunks", [2, 3])
def test_strings_of_polars_in_chunks_and_slices(n_chunks):
    words = [f"word {k % 7} of many characters" for k in range(FIRST)]
    chunks = pl.concat(
        [pl.Series([*words[: 1 + k], *words]) for k in range(n_chunks)], rechunk=False
    )
    assert chunks.n_chunks() == n_chunks
    everything = chunks.to_list()
    assert_read_as(chunks, everything)
    assert_read_as(chunks[3:-2], everything[3:-2])
    assert_read_as(chunks[::-1], everything[::-1])


@pytest.mark.parametrize("place", [FIRST - 1, FIRST, -1])
@pytest.mark.parametrize("rare", ["", "a", "é" * 20, "z"])
def test_a_string_of_polars_that_one_sample_has(rare, place):
    words = ["bee", "dog"] * FIRST
    words[place] = rare
    assert_read_as(pl.Series(words), words)


@pytest.mark.parametrize(
    "n_labels", [255, 256, 257, pytest.param(65_535, marks=pytest.mark.slow), 65_536, 65_537]
)
def test_as_many_strings_of_polars_as_a_code_type_holds(n_labels):
    """The slow one is of one label fewer than codes of two bytes hold."""
    words = [f"{k * 7919 % n_labels:05d}" for k in range(n_labels + FIRST)]
    assert_read_as(pl.Series(words), words)


@pytest.mark.parametrize("place", [0, FIRST, -1])
def test_a_missing_string_of_polars_among_many_is_refused(place):
    words = ["bee", "dog"] * FIRST
    words[place] = None
    with pytest.raises(
        ValueError, match=r"y_true holds None: a missing label is neither correct nor incorrect"
    ):
        read_labels(pl.Series(words), "y_true")


def test_integers_of_128_bits_are_labels_and_no_numbers():
    wide = pl.Series([2**62, -1, 2], dtype=pl.Int128)
    assert decoded(read_labels(wide, "y_true")) == [2**62, -1, 2]
    of_table = ConfusionMatrix.from_frame(wide.to_frame("y"), "y", nw.col("y"))
    assert of_table.labels.tolist() == [-1, 2, 2**62]
    with pytest.raises(ValueError, match=f"y_true has integers from {2**70} to {2**70}, which no"):
        read_labels(pl.Series([2**70], dtype=pl.Int128), "y_true")
    with pytest.raises(
        TypeError, match=r"y_score: cannot convert i128.*Cast it, y_score.cast\(pl.Float64\)"
    ):
        ThresholdCurve.from_scores([0, 1, 1], wide)
    with pytest.raises(TypeError, match="sample_weight: cannot convert i128"):
        f1_score([0, 1, 1], [0, 1, 1], sample_weight=wide)


def test_a_struct_of_polars_is_refused():
    struct = pl.Series([{"a": 1, "b": 0}, {"a": 0, "b": 1}])
    for y in (struct, struct.to_frame("y")):
        with pytest.raises(
            TypeError,
            match=r"y_true is a column of structs, .* the frame, y_true.struct.unnest\(\)",
        ):
            ConfusionMatrix.from_predictions(y, y)
    with pytest.raises(TypeError, match="y_score is a column of structs"):
        labels_from_scores(struct)


def test_strings_of_polars_that_numpy_would_merge_are_refused():
    with pytest.raises(ValueError, match="NUL characters"):
        read_labels(pl.Series(["a", "a\0"] * FIRST), "y_true")


def test_codes_of_categories_follow_the_sorted_labels_and_not_the_order_of_categories():
    encoded = encode(pd.Categorical(["b", "a", "c"], categories=["c", "b", "a"]), ["a", "b", "c"])
    assert encoded.labels.tolist() == ["a", "b", "c"]
    assert encoded.true.tolist() == [1, 0, 2]


def test_a_category_that_only_the_last_sample_has():
    values = ["b", "c"] * 50_000 + ["a"]
    column = read_labels(pd.Categorical(values, categories=["c", "unused", "b", "a"]), "y_true")
    assert column.labels.tolist() == ["a", "b", "c"]
    assert decoded(column) == values


@pytest.mark.parametrize("n_categories", [127, 128, 129, 256, 257, 70_000])
def test_as_many_categories_as_a_code_type_holds(n_categories):
    values = np.arange(n_categories)[::-1]
    column = read_labels(pd.Categorical(values, categories=np.roll(values, 1)), "y_true")
    np.testing.assert_array_equal(column.labels, values[::-1])
    np.testing.assert_array_equal(column.labels[column.codes], values)


def test_unused_categories_of_another_kind_are_no_labels():
    column = read_labels(pd.Categorical([2, 1], categories=[1, 2, "unknown"]), "y_true")
    assert column.labels.tolist() == [1, 2]
    assert decoded(column) == [2, 1]


def test_a_dictionary_that_names_a_label_twice():
    true = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), pa.array(["a", "b", "a"]))
    column = read_labels(true, "y_true")
    assert column.labels.tolist() == ["a", "b"]
    assert decoded(column) == ["a", "b", "a", "b"]


INDICATOR_CONTAINERS = {
    "pandas int": pd.DataFrame,
    "pandas bool": lambda rows: pd.DataFrame(rows, dtype=bool),
    "pandas Int64": lambda rows: pd.DataFrame(rows, dtype="Int64"),
    "pandas boolean": lambda rows: pd.DataFrame(rows).astype("boolean"),
    "pandas int64[pyarrow]": lambda rows: pd.DataFrame(rows, dtype="int64[pyarrow]"),
    "pandas int and bool": lambda rows: pd.DataFrame(rows).astype({0: bool}),
    "polars int": lambda rows: pl.DataFrame(rows, schema=["a", "b", "c"], orient="row"),
    "polars bool": lambda rows: pl.DataFrame(rows, schema=["a", "b", "c"], orient="row").cast(
        pl.Boolean
    ),
}


@containers(INDICATOR_CONTAINERS)
def test_indicators_in_every_container(container):
    assert (
        read_labels(container(ROWS_TRUE), "y_true").values.tolist()
        == np.array(ROWS_TRUE, dtype=bool).tolist()
    )
    score = f1_score(container(ROWS_TRUE), container(ROWS_PRED), average=None)
    np.testing.assert_allclose(
        score, sklearn.metrics.f1_score(ROWS_TRUE, ROWS_PRED, average=None), rtol=1e-14
    )


MISSING = {
    "pandas float": lambda: pd.Series([1.0, None]),
    "pandas object numbers": lambda: pd.Series([1, None], dtype=object),
    "pandas object with pd.NA": lambda: pd.Series([1, pd.NA], dtype=object),
    "pandas object strings with pd.NA": lambda: pd.Series(["a", pd.NA], dtype=object),
    "pandas object with NaT": lambda: pd.Series(["a", pd.NaT], dtype=object),
    "pandas Int64": lambda: pd.Series([1, None], dtype="Int64"),
    "pandas Float64": lambda: pd.Series([1, None], dtype="Float64"),
    "pandas boolean": lambda: pd.Series([True, None], dtype="boolean"),
    "pandas str": lambda: pd.Series(["a", None], dtype="str"),
    "pandas string": lambda: pd.Series(["a", None], dtype="string"),
    "pandas string[python]": lambda: pd.Series(["a", None], dtype="string[python]"),
    "pandas string[pyarrow]": lambda: pd.Series(["a", None], dtype="string[pyarrow]"),
    "pandas int64[pyarrow]": lambda: pd.Series([1, None], dtype="int64[pyarrow]"),
    "pandas category": lambda: pd.Series(["a", None], dtype="category"),
    "pandas category of numbers": lambda: pd.Series([1, None], dtype="category"),
    "pandas datetime64": lambda: pd.Series(pd.to_datetime(["2024-01-01", None])),
    "pandas Index": lambda: pd.Index([1.0, None]),
    "pandas Categorical": lambda: pd.Categorical(["a", None]),
    "pandas DataFrame": lambda: pd.DataFrame({"y": [1.0, None]}),
    "pandas DataFrame of Int64": lambda: pd.DataFrame({"y": [1, None]}, dtype="Int64"),
    "pandas DataFrame of strings": lambda: pd.DataFrame({"y": ["a", None]}),
    "pandas indicator": lambda: pd.DataFrame({"a": [1.0, None], "b": [0, 1]}),
    "list with pd.NA": lambda: [1, pd.NA],
    "list of strings with pd.NA": lambda: ["a", pd.NA],
    "list with NaT": lambda: [pd.NaT, "a"],
    "polars Int64": lambda: pl.Series([1, None]),
    "polars Float64": lambda: pl.Series([1.0, None]),
    "polars NaN": lambda: pl.Series([1.0, float("nan")]),
    "polars Boolean": lambda: pl.Series([True, None]),
    "polars String": lambda: pl.Series(["a", None]),
    "polars Categorical": lambda: pl.Series(["a", None], dtype=pl.Categorical),
    "polars Enum": lambda: pl.Series(["a", None], dtype=pl.Enum(["a", "b"])),
    "polars Date": lambda: pl.Series([datetime.date(2024, 1, 1), None]),
    "polars DataFrame": lambda: pl.DataFrame({"y": [1, None]}),
    "polars DataFrame of strings": lambda: pl.DataFrame({"y": ["a", None]}),
    "pyarrow int64": lambda: pa.array([1, None]),
    "pyarrow bool": lambda: pa.array([True, None]),
    "pyarrow NaN": lambda: pa.array([1.0, float("nan")]),
    "pyarrow string": lambda: pa.array(["a", None]),
    "pyarrow null": lambda: pa.array([None, None]),
    "pyarrow Table": lambda: pa.table({"y": ["a", None]}),
    "pyarrow ChunkedArray": lambda: pa.chunked_array([["a"], [None]]),
    "pyarrow dictionary": lambda: pa.array(["a", None]).dictionary_encode(),
    "pyarrow dictionary with null": lambda: pa.DictionaryArray.from_arrays(
        [0, 1], pa.array(["a", None])
    ),
    "pyarrow dictionary with NaN": lambda: pa.DictionaryArray.from_arrays(
        [0, 1], pa.array([1.0, float("nan")])
    ),
}


@containers(MISSING, "missing")
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_missing_labels_are_refused(missing, name):
    message = (
        rf"{name} holds (NaN|NaT|None|<NA>|\d missing values|missing values).*[Dd]rop the(m|se "
        r"samples), or give"
    )
    with pytest.raises(ValueError, match=message):
        read_labels(missing(), name)


EMPTY = {
    "pandas int64": lambda: pd.Series([], dtype="int64"),
    "pandas Int64": lambda: pd.Series([], dtype="Int64"),
    "pandas str": lambda: pd.Series([], dtype="str"),
    "pandas string[pyarrow]": lambda: pd.Series([], dtype="string[pyarrow]"),
    "pandas category": lambda: pd.Series([], dtype="category"),
    "pandas category with categories": lambda: pd.Categorical([], categories=["a", "b"]),
    "pandas DataFrame": lambda: pd.DataFrame({"y": []}),
    "polars Int64": lambda: pl.Series([], dtype=pl.Int64),
    "polars String": lambda: pl.Series([], dtype=pl.String),
    "polars Categorical": lambda: pl.Series([], dtype=pl.Categorical),
    "polars Enum": lambda: pl.Series([], dtype=pl.Enum(["a"])),
    "pyarrow null": lambda: pa.array([]),
    "pyarrow int64": lambda: pa.array([], type=pa.int64()),
    "pyarrow string": lambda: pa.array([], type=pa.string()),
    "pyarrow ChunkedArray without chunks": lambda: pa.chunked_array([], type=pa.string()),
}


@containers(EMPTY, "empty")
def test_empty_containers_are_refused(empty):
    with pytest.raises(ValueError, match=r"y_true is empty.*at least 1 sample"):
        encode(empty(), empty())


@pytest.mark.parametrize(
    "container",
    [
        pytest.param(series("float64"), id="pandas float64"),
        pytest.param(series("Float64"), id="pandas Float64"),
        pytest.param(series("double[pyarrow]"), id="pandas double[pyarrow]"),
        pytest.param(series("category"), id="pandas category"),
        pytest.param(lambda values: pd.DataFrame({"y": values}), id="pandas DataFrame"),
        pytest.param(pl.Series, id="polars"),
        pytest.param(pa.array, id="pyarrow"),
        pytest.param(lambda values: pa.array(values).dictionary_encode(), id="pyarrow dictionary"),
    ],
)
def test_scores_in_a_container_are_refused_with_the_way_out(container):
    message = (
        r"y_pred holds continuous values such as 0\.25: these look like "
        r"scores;.*labels_from_scores.*classes="
    )
    with pytest.raises(ValueError, match=message):
        confusion_matrix([0, 1], container([1.0, 0.25]))


@pytest.mark.parametrize(
    "mixed",
    [
        pytest.param(lambda: pd.Series([1, "a"], dtype=object), id="pandas object"),
        pytest.param(lambda: pd.Series([1, "a"], dtype="category"), id="pandas category"),
        pytest.param(lambda: pd.Index([1, "a"]), id="pandas Index"),
        pytest.param(lambda: pd.DataFrame({"y": [1, "a"]}), id="pandas DataFrame"),
    ],
)
def test_strings_and_numbers_in_one_container_are_refused(mixed):
    with pytest.raises(ValueError, match=r"holds a mix.*'a'"):
        read_labels(mixed(), "y_true")


@pytest.mark.parametrize("words", [series("str"), series("category"), pl.Series, pa.array])
@pytest.mark.parametrize("numbers", [series("Int64"), series("category"), pl.Series, pa.array])
def test_containers_of_different_kinds_on_the_two_sides_are_refused(words, numbers):
    with pytest.raises(
        ValueError, match=r"Mix of.*y_true holds strings \['0'.*y_pred holds numbers \[0"
    ):
        encode(words(["0", "1"]), numbers([0, 1]))


@pytest.mark.parametrize(
    "y",
    [
        pytest.param(pa.table({"y": [0, 1], "z": ["a", "b"]}), id="pyarrow Table"),
        pytest.param(pa.array([["a"], ["b"]]), id="pyarrow lists"),
        pytest.param(pa.scalar(1), id="pyarrow Scalar"),
        pytest.param(pl.Series([["a"], ["b"]]), id="polars lists"),
        pytest.param(pd.Timestamp("2024-01-01"), id="pandas Timestamp"),
        pytest.param(pd.Series([{1}, {2}]), id="pandas sets"),
        pytest.param(pd.Series([pd.Interval(0, 1), pd.Interval(1, 2)]), id="pandas intervals"),
    ],
)
def test_containers_of_no_labels_are_refused_by_name(y):
    with pytest.raises((TypeError, ValueError), match=r"y_true (has shape .* and )?(holds|must)"):
        read_labels(y, "y_true")


def test_reading_leaves_the_container_as_it_was():
    y = pd.Series([2, 1, 2], dtype="category")
    read_labels(y, "y_true").labels[:] = 0
    assert y.tolist() == [2, 1, 2]


def test_a_frame_with_a_column_named_dtype_is_a_frame():
    assert read_labels(pd.DataFrame({"dtype": [0, 1]}), "y_true").codes.tolist() == [0, 1]


@pytest.mark.parametrize(
    "container", [collections.deque, collections.UserList, lambda v: pa.table({"y": v})]
)
def test_labels_and_classes_are_sequences_of_any_kind(container):
    order = container(["b", "a"])
    assert confusion_matrix(["a", "b"], ["a", "a"], labels=order).tolist() == [[0, 1], [0, 1]]
    assert labels_from_scores([[0.2, 0.8]], classes=order).tolist() == ["a"]
    assert ConfusionMatrix.from_counts([[1, 2], [3, 4]], labels=order).labels.tolist() == ["b", "a"]


UNREAD = {
    "polars": (lambda: pl.LazyFrame({"y": [0, 1]}), r"is a polars LazyFrame.*pass {}\.collect\(\)"),
    "duckdb": (
        lambda: DuckDBPyRelation(),
        r"is a DuckDB relation.*pass {}\.df\(\).*{}\.fetchnumpy\(\)",
    ),
    # NumPy would lose the names, and with them the order of samples and classes.
    "xarray": (lambda: DataArray([0, 1]), r"is a DataArray of xarray, .* pass {}\.values\.$"),
}
DOORS = {
    "y_true": lambda query: confusion_matrix(query, [0, 1]),
    "y_pred": lambda query: confusion_matrix([0, 1], query),
    "labels": lambda query: confusion_matrix([0, 1], [0, 1], labels=query),
    "sample_weight": lambda query: confusion_matrix([0, 1], [0, 1], sample_weight=query),
    "by": lambda query: ConfusionMatrix.from_predictions([0, 1], [0, 1], by=query),
    "clusters": lambda query: ConfusionMatrix.from_predictions([0, 1], [0, 1], clusters=query),
    "counts": ConfusionMatrix.from_counts,
    "prevalence": lambda query: ConfusionMatrix.from_predictions([0, 1], [0, 1]).at_prevalence(
        query
    ),
    "classes": lambda query: labels_from_scores([[0.1, 0.2]], classes=query),
    "y_score": lambda query: ThresholdCurve.from_scores([0, 1], query),
    "thresholds": lambda query: ThresholdCurve.from_scores([0, 1], [0, 1], thresholds=query),
    "threshold": lambda query: labels_from_scores([[0.1, 0.2]], threshold=query),
    "cost_matrix": lambda query: labels_from_scores([[0.1, 0.2]], cost_matrix=query),
    "cost_matrix of samples": lambda query: labels_from_scores([[0.1, 0.2]], cost_matrix=[query]),
}


@pytest.mark.filterwarnings("ignore:y_score holds only the labels")
@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("library", UNREAD)
def test_what_numpy_would_misread_says_what_to_pass(name, library):
    make, message = UNREAD[library]
    argument = name.split()[0]
    with pytest.raises(TypeError, match=f"^{argument} " + message.format(argument, argument)):
        DOORS[name](make())


def test_the_values_of_an_array_with_names_are_an_array():
    named = DataArray([0, 1, 1])
    assert accuracy_score(named.values, np.asarray(named)) == 1


@pytest.mark.filterwarnings("ignore:y_score holds only the labels")
@pytest.mark.parametrize(
    "name", ["y_true", "y_pred", "labels", "sample_weight", "by", "y_score", "thresholds"]
)
def test_tensors_of_bfloat16_say_what_to_do(name):
    with pytest.raises(TypeError, match=rf"^{name} has dtype bfloat16.*pass {name}\.float\(\)"):
        DOORS[name](
            Tensor([0, 1], "torch.bfloat16", TypeError("Got unsupported ScalarType BFloat16"))
        )
    DOORS[name](Tensor([0, 1], "torch.bfloat16", TypeError()).float())


def test_tensors_that_numpy_cannot_have_say_so_themselves():
    with pytest.raises(TypeError, match=r"^y_score can't become a NumPy array: .*tensor\.detach"):
        ThresholdCurve.from_scores(
            [0, 1],
            Tensor([0, 1], "torch.float32", RuntimeError("Use tensor.detach().numpy() instead.")),
        )


@pytest.mark.parametrize("name", ["y_true", "by", "labels"])
def test_a_multi_index_says_what_to_pass(name):
    index = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    with pytest.raises(
        TypeError,
        match=rf"^{name} is a pandas MultiIndex.*{name}\.get_level_values\(0\).*{name}\.map\(str\)",
    ):
        DOORS[name](index)
    assert read_labels(index.get_level_values(0), name).labels.tolist() == ["a", "b"]
    assert len(read_labels(index.map(str), name).labels) == 2


def test_samples_may_be_indexed_by_several_levels():
    index = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    true, pred = pd.Series([0, 1], index=index), pd.Series([0, 1], index=index[::-1])
    assert confusion_matrix(true, true.copy()).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(ValueError, match="different orders"):
        confusion_matrix(true, pred)


HOURS = np.array(["2026-01-05T10", "2026-01-06T10", "2026-01-05T10"], dtype="datetime64[us]")


def zoned(zone):
    """The same hours of UTC in a zone, or in none, in each container that has zones."""
    of_arrow = pa.array(HOURS, pa.timestamp("us", tz=zone))
    of_polars = pl.from_arrow(pa.table({"y": of_arrow}))["y"]
    return {
        "polars": of_polars,
        "a frame of polars": of_polars.to_frame(),
        "pyarrow": of_arrow,
        "chunks of pyarrow": pa.chunked_array([of_arrow[:1], of_arrow[1:]]),
        "a table of pyarrow": pa.table({"y": of_arrow}),
        "Arrow in pandas": pd.Series(pd.arrays.ArrowExtensionArray(of_arrow)),
    }


@pytest.mark.parametrize("name", zoned(None))
def test_times_of_a_zone_are_refused(name):
    """They would be hours off times of none, and those of two zones on two days."""
    of_zone, none = zoned("Europe/Berlin")[name], zoned(None)[name]
    codes = [0, 1, 1]
    for argument, call in [
        ("y_true", lambda times: accuracy_score(times, none)),
        ("y_pred", lambda times: accuracy_score(none, times)),
        ("by", lambda times: ConfusionMatrix.from_predictions(codes, codes, by=times)),
        ("labels", lambda times: ConfusionMatrix.from_predictions(none, none, labels=times[:2])),
        ("y_true", lambda times: ConfusionMatrix.from_scores(times, [0.9, 0.8, 0.7])),
    ]:
        with pytest.raises(TypeError, match=f"^{argument}.* holds times with a time zone: "):
            call(of_zone)
    assert accuracy_score(none, HOURS) == 1


def test_equal_values_of_a_dictionary_of_arrow_are_one_label():
    dictionary = pa.DictionaryArray.from_arrays(
        pa.array([3, 0, 2, 1, 2]), pa.array(["b", "a", "b", "c", "unused"])
    )
    column = read_labels(dictionary, "y_true")
    assert column.labels.tolist() == ["a", "b", "c"]
    assert column.labels[column.codes].tolist() == ["c", "b", "b", "a", "b"]
