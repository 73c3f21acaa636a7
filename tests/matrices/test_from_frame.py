"""ConfusionMatrix.from_frame with tables in memory and polars queries; others: tests/engines."""

import sys
from collections import Counter
from pathlib import Path

import narwhals
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

from skmetrics_ext import ConfusionMatrix, ThresholdCurve
from skmetrics_ext.engines import likely_counts
from tests.frame_cases import OF_FEW_ROWS, OF_MANY_ROWS, drawn


def with_nullable_types(table):
    # pandas tries integers first, for which NumPy 2.0 warns.
    with np.errstate(invalid="ignore"):
        return table.to_pandas().convert_dtypes(dtype_backend="numpy_nullable")


ENGINES = {
    "pandas": lambda table: table.to_pandas(),
    "pandas with types of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas with nullable types": with_nullable_types,
    "polars": pl.from_arrow,
    "a query of polars": lambda table: pl.from_arrow(table).lazy(),
    "pyarrow": lambda table: table,
}
PLAIN = [
    "a query of polars",
    "pandas with nullable types",
    "pyarrow",
    "a query of polars",
    "pyarrow",
]


def in_every_engine(cases):
    """Each case in each engine; plain pytest takes it in one of those with the most peculiarities,
    in turns: pandas with nullable types, which takes three times as long, once in five.
    """
    params = []
    for place, case in enumerate(cases):
        for name, make in ENGINES.items():
            marks = () if name == PLAIN[place % len(PLAIN)] else pytest.mark.slow
            params.append(pytest.param(make, case, marks=marks, id=f"{name}-{case.__name__}"))
    return pytest.mark.parametrize(("make", "case"), params)


@in_every_engine(OF_MANY_ROWS)
def test_a_table_in_memory(make, case):
    case(make, drawn(3_000))


@in_every_engine(OF_FEW_ROWS)
def test_a_few_rows_in_memory(make, case):
    case(make)


SMALL = {
    "y": ["a", "b", "b"],
    "p": ["a", "a", "b"],
    "s": [0.1, 0.6, 0.7],
    "t": [0.9, 0.4, 0.3],
    "g": ["u", "v", "u"],
}


def refused(message, *args, error=ValueError, **options):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_frame(pl.DataFrame(SMALL), *args, **options)


def test_options_that_contradict_each_other_are_errors():
    refused("pass either predicted", "y")
    refused("pass either predicted", "y", "p", scores="s")
    refused("count is a number of samples", "y", "p", count="s", sample_weight="s")
    refused("labels= gives the order of predicted labels", "y", scores="s", labels=["a", "b"])
    refused(
        "classes, threshold convert scores to labels", "y", "p", classes=["a", "b"], threshold=0.5
    )
    refused("ties convert scores to labels", "y", "p", ties="negative")
    refused("missing must be one of", "y", "p", missing="keep")
    refused(
        "threshold and cost_matrix both determine",
        "y",
        scores="s",
        threshold=0.5,
        cost_matrix=[[0, 1], [1, 0]],
    )


def test_columns_are_named():
    refused(
        "actual='z' is not a column of the frame, which has \\['y', 'p', 's', 't', 'g'\\]", "z", "p"
    )
    refused("by='z' is not a column", "y", "p", by=["g", "z"])
    refused("by contains a name twice", "y", "p", by=["g", "g"])
    refused(
        "sample_weight must be the name of a column",
        "y",
        "p",
        sample_weight=[1, 2, 3],
        error=TypeError,
    )
    refused("by selects 2 columns", "y", "p", by=nw.col("g", "y"))
    refused("actual selects 2 columns", nw.col("g", "y"), "p")


def test_a_column_is_not_compared_with_itself():
    message = "actual and {} are the same column, 'y', which agrees with itself"
    frame = pl.DataFrame({"y": [0, 1, 1], "s": [0.1, 0.6, 0.7]})
    calls = [
        ("predicted", lambda: ConfusionMatrix.from_frame(frame, "y", "y")),
        ("scores", lambda: ConfusionMatrix.from_frame(frame, "y", scores="y")),
        ("scores", lambda: ConfusionMatrix.from_frame(frame, "y", scores={0: "s", 1: "y"})),
        ("score", lambda: ThresholdCurve.from_frame(frame, "y", "y")),
    ]
    for argument, call in calls:
        with pytest.raises(ValueError, match=message.format(argument)):
            call()
    with pytest.raises(ValueError, match="two of scores are the same column, 's'"):
        ConfusionMatrix.from_frame(frame, "y", scores=["s", "s"], classes=[0, 1])
    by_class = ConfusionMatrix.from_frame(frame, "y", nw.col("y"), by="y")
    assert by_class.score("accuracy").tolist() == [1, 1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(
            [["a", "b", "a", "x"], ["b", "b", "b", "x"]], columns=["y", "label", "p", "label"]
        ),
        pa.table(
            [["a", "b"], ["b", "b"], ["a", "b"], ["x", "x"]], names=["y", "label", "p", "label"]
        ),
    ],
    ids=["pandas", "pyarrow"],
)
def test_a_name_that_stands_twice_is_refused_where_it_is_asked_for(frame):
    assert ConfusionMatrix.from_frame(frame, "y", nw.col("p")).score("accuracy") == 1
    message = (
        r"='label' does not identify a single column of the frame, which has \['y', 'label', 'p', "
        r"'label'\]:"
    )
    for options in ({"predicted": "label"}, {"predicted": "p", "by": "label"}):
        with pytest.raises(ValueError, match=message):
            ConfusionMatrix.from_frame(frame, "y", **options)
    with pytest.raises(ValueError, match=r"evaluated.*'label'"):
        ConfusionMatrix.from_frame(frame, "y", nw.col("label"))


def test_names_that_differ_in_case_are_two():
    columns = {"y": ["a", "b"], "Y": ["b", "a"]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        assert ConfusionMatrix.from_frame(frame, "y", "Y").score("accuracy") == 0


def test_classes_of_columns_are_known():
    refused("scores lists 2 columns: specify their classes", "y", scores=["s", "t"])
    refused("scores as a dict names the column of each class", "y", scores={"a": "s"})
    refused("scores is empty", "y", scores=[])
    refused(
        "with one column of scores, costs and per-class thresholds need",
        "y",
        scores="s",
        cost_matrix=[[0, 1], [1, 0]],
    )
    refused(
        "with one column of scores, costs and per-class thresholds need",
        "y",
        scores="s",
        threshold={"a": 0.5, "b": 0.5},
    )
    refused("but classes lists 3", "y", scores=["s", "t"], classes=["a", "b", "c"])
    refused("positive class", "y", scores="s")
    refused(
        "actual has labels \\['b'\\] that are not among classes",
        "y",
        scores=["s", "t"],
        classes=["a", "c"],
    )
    refused("Mix of", "y", scores=["s", "t"], classes=[0, 1])
    refused("Mix of", "y", (nw.col("s") > 0.5).alias("z"))
    refused("pos_label='c' is not", "y", scores="s", pos_label="c")
    refused("pos_label='c' is not", "y", "p", pos_label="c")
    refused("must include all labels in the data", "y", "p", labels=["a", "c"])
    refused(
        "scores has columns for", "y", scores={"a": "s", "b": "t", "c": "s"}, classes=["a", "b"]
    )


def test_scores_that_are_no_probabilities_need_a_threshold():
    frame = pl.DataFrame({"y": [0, 1], "s": [-2.0, 3.0]})
    with pytest.raises(ValueError, match="scores from -2 to 3 are not probabilities"):
        ConfusionMatrix.from_frame(frame, "y", scores="s")
    with pytest.raises(
        ValueError, match="cost_matrix needs probabilities, not scores from -2 to 3"
    ):
        ConfusionMatrix.from_frame(
            frame, "y", scores="s", classes=[0, 1], cost_matrix=[[0, 1], [1, 0]]
        )
    assert ConfusionMatrix.from_frame(frame, "y", scores="s", threshold=0).score("accuracy") == 1


def test_a_column_named_as_the_other_class_is_refused():
    frame = pl.DataFrame({"y": ["no", "yes"], "no": [0.9, 0.2]})
    with pytest.raises(ValueError, match=r"'no'.*interpreted.*'yes'"):
        ConfusionMatrix.from_frame(frame, "y", scores="no", pos_label="yes")
    assert (
        ConfusionMatrix.from_frame(frame, "y", scores="no", pos_label="no").score("accuracy") == 1
    )


def test_the_positive_class_is_that_of_from_labels():
    frame = pl.DataFrame(SMALL)
    assert ConfusionMatrix.from_frame(frame, "y", "p").pos_label is None
    assert ConfusionMatrix.from_frame(frame, "y", "p", labels=["b", "a"]).pos_label == "a"
    assert ConfusionMatrix.from_frame(frame, "y", "p", pos_label="a").pos_label == "a"
    cm = ConfusionMatrix.from_frame(frame, "y", "p", labels=["b", "a", "c"])
    assert cm == ConfusionMatrix.from_predictions(SMALL["y"], SMALL["p"], labels=["b", "a", "c"])
    assert cm.ranking.tolist() == ["b", "a", "c"]


LARGE = 2**53
# Integers that pandas would group as they are, and those that it would turn into floats.
OBJECTS = [
    [LARGE, LARGE + 1, LARGE, LARGE + 1],
    [None, LARGE + 1, LARGE, LARGE],
    [LARGE + 1, float("nan"), pd.NA, LARGE],
    [2**62, -1, 2**62 + 1, None],
]


@pytest.mark.filterwarnings("ignore:[12] rows are omitted")
@pytest.mark.parametrize("actual", OBJECTS)
def test_integers_of_objects_are_exact(actual):
    columns = {"y": pd.Series(actual, dtype=object), "p": pd.Series([LARGE] * 4, dtype=object)}
    frame = pd.DataFrame({**columns, "k": [0, 1, 1, 1]})
    # The rows keep their places, whatever they are called.
    frame.index = [3, 1, 0, 2]
    known = Counter(label for label in actual if isinstance(label, int))
    for column in ("y", nw.col("y")):
        cm = ConfusionMatrix.from_frame(frame, column, "p", missing="drop")
        assert cm.labels.tolist() == sorted({*known, LARGE})
        right = cm.labels.tolist().index(LARGE)
        assert cm.counts[:, right].tolist() == [known[label] for label in cm.labels.tolist()]
    cm = ConfusionMatrix.from_frame(frame, "k", nw.col("k"), by="y", missing="drop")
    assert cm.axes[0].coordinates.tolist() == sorted(known)
    assert cm.counts.sum((1, 2)).tolist() == [known[label] for label in sorted(known)]


def test_objects_of_two_kinds_are_refused_before_they_are_grouped():
    for values in ([1, "1"], [[1], [2]]):
        frame = pd.DataFrame({"y": pd.Series(values, dtype=object), "p": [1, 1]})
        with pytest.raises(ValueError, match="actual "):
            ConfusionMatrix.from_frame(frame, "y", "p")
    nothing = pd.DataFrame({"y": pd.Series([None, None], dtype=object), "p": [1, 1]})
    with pytest.raises(ValueError, match=r"missing labels .*, 2 in actual"):
        ConfusionMatrix.from_frame(nothing, "y", "p")


def ordered_tables():
    order = ["low", "middle", "high", "never"]
    values, groups = ["high", "low", "middle", "low"], ["middle", "high", "low", "high"]
    yield pd.DataFrame(
        {
            "y": pd.Categorical(values, order, ordered=True),
            "g": pd.Categorical(groups, order, ordered=True),
        }
    )
    yield pl.DataFrame({"y": values, "g": groups}, schema=dict.fromkeys("yg", pl.Enum(order)))
    yield pl.LazyFrame({"y": values, "g": groups}, schema=dict.fromkeys("yg", pl.Enum(order)))
    codes = [[order.index(value) for value in column] for column in (values, groups)]
    yield pa.table(
        {
            name: pa.DictionaryArray.from_arrays(column, order, ordered=True)
            for name, column in zip("yg", codes, strict=True)
        }
    )


@pytest.mark.parametrize("frame", list(ordered_tables()), ids=lambda frame: type(frame).__module__)
def test_ordered_categories_rank_labels_and_groups(frame):
    cm = ConfusionMatrix.from_frame(frame, "y", nw.col("y"), by="g")
    assert cm.ranking.tolist() == ["low", "middle", "high", "never"]
    assert cm.labels.tolist() == ["low", "middle", "high"]
    assert cm.axes[0].coordinates.tolist() == ["low", "middle", "high"]
    assert cm.counts.sum((1, 2)).tolist() == [1, 1, 2]


def test_categories_of_numbers_are_numbers():
    frame = pd.DataFrame({"y": pd.Categorical([3, 1, 3], [3, 1, 2], ordered=True), "p": [1, 1, 3]})
    cm = ConfusionMatrix.from_frame(frame, "y", "p")
    want = ConfusionMatrix.from_predictions(frame["y"], frame["p"])
    assert cm == want
    assert cm.ranking.tolist() == want.ranking.tolist() == [3, 1, 2]


def test_missing_categories_are_counted_and_named():
    y = pd.Categorical(["b", None, "a"], ["b", "a"], ordered=True)
    frame = pd.DataFrame({"y": y, "p": ["a", "a", "a"]})
    with pytest.raises(ValueError, match="1 in actual"):
        ConfusionMatrix.from_frame(frame, "y", "p")
    cm = ConfusionMatrix.from_frame(frame, "y", "p", missing="label")
    assert cm.labels.tolist() == ["a", "b", "missing"]
    assert cm.ranking.tolist() == ["b", "a"]


def test_a_label_with_the_name_of_missing_ones_is_an_error():
    frame = pl.DataFrame({"y": ["missing", None], "p": ["a", "b"]})
    with pytest.raises(ValueError, match="actual already has a label 'missing'"):
        ConfusionMatrix.from_frame(frame, "y", "p", missing="label")


def test_a_query_of_polars_is_run_once(monkeypatch):
    runs = []
    collect = pl.LazyFrame.collect
    monkeypatch.setattr(
        pl.LazyFrame,
        "collect",
        lambda *args, **options: runs.append(0) or collect(*args, **options),
    )
    frame = pl.LazyFrame(SMALL)
    ConfusionMatrix.from_frame(frame, "y", "p", by="g", sample_weight="s")
    assert len(runs) == 1
    ConfusionMatrix.from_frame(
        frame, "y", scores=["s", "t"], classes=["a", "b"], by=(nw.col("s") > 1).alias("h")
    )
    assert len(runs) == 2


def test_what_is_no_table_is_refused():
    dataset = pa.dataset.dataset(pa.table(SMALL))
    with pytest.raises(TypeError, match=r"polars.scan_parquet\(...\) or duckdb.read_parquet"):
        ConfusionMatrix.from_frame(dataset, "y", "p")
    for frame in (SMALL, [1, 2], pd.Series([1, 2])):
        with pytest.raises(
            TypeError, match="frame must be a pandas, polars, pyarrow, DuckDB, Ibis, Dask or"
        ):
            ConfusionMatrix.from_frame(frame, "y", "p")


@pytest.mark.parametrize("path", ["x.parquet", Path("x.parquet")])
def test_a_path_in_place_of_a_table_says_how_to_open_it(path):
    message = (
        rf"got {type(path).__name__}: open a file with pandas.read_csv\(...\) or "
        r"polars.scan_parquet\(...\)\.$"
    )
    with pytest.raises(TypeError, match=message):
        ConfusionMatrix.from_frame(path, "y", "p")
    with pytest.raises(TypeError, match=message):
        ThresholdCurve.from_frame(path, "y", "s")


def test_a_table_of_narwhals_is_one():
    cm = ConfusionMatrix.from_frame(
        narwhals.from_native(pl.DataFrame(SMALL)), narwhals.col("y"), "p"
    )
    assert cm == ConfusionMatrix.from_predictions(SMALL["y"], SMALL["p"])


def test_groups_that_make_too_many_cells_are_refused():
    rows = np.arange(6_000)
    frame = pl.DataFrame({"y": rows % 2, "p": rows % 2, "day": rows, "user": rows % 5_000})
    with pytest.raises(ValueError, match=r"6000 x 5000 entries of 4 cells each.*pool 'day'"):
        ConfusionMatrix.from_frame(frame, "y", "p", by=["day", "user"])


def test_a_table_without_narwhals_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    for frame in (pl.DataFrame(SMALL), pd.DataFrame(SMALL), pa.table(SMALL)):
        with pytest.raises(ImportError, match=r"need narwhals.*'skmetrics-ext\[frames\]'"):
            ConfusionMatrix.from_frame(frame, "y", "p")


@pytest.mark.parametrize("odd", [[{1}, {2}, {3}], [[1], [2], [3]], [{"a": 1}, {}, {"a": 2}]])
def test_columns_that_nobody_asks_for_are_no_error(odd):
    columns = SMALL | {"n": [4, 5, 6]}
    for frame in (
        pd.DataFrame(columns | {"odd": odd}),
        pl.DataFrame(columns).with_columns(pl.Series("odd", odd, dtype=pl.Object)),
        pl.DataFrame(columns | {"odd": [[1], [2], [3]]}),
        pa.table(columns | {"odd": [[1], [2], [3]]}),
    ):
        assert ConfusionMatrix.from_frame(frame, "y", "p").n_samples == 3


def test_long_tables_are_not_compared_with_themselves(monkeypatch):
    frame = pl.DataFrame(SMALL | {"n": [4, 5, 6]})
    with pytest.warns(UserWarning, match="looks like a number of samples"):
        ConfusionMatrix.from_frame(frame, "y", "p")
    monkeypatch.setattr(likely_counts, "MOST_ROWS", 2)
    ConfusionMatrix.from_frame(frame, "y", "p")


@pytest.mark.parametrize(
    ("frame", "advice"),
    [
        (SMALL, r"got dict: make one of it, such as pandas\.DataFrame\(frame\)\."),
        ([1, 2], "got list: use from_predictions or from_scores for arrays and lists."),
        (np.ones(2), "got ndarray: use from_predictions"),
        ("x.parquet", r"got str: open a file with pandas.read_csv\(...\) or polars.scan_parquet\("),
    ],
)
@pytest.mark.parametrize("has_narwhals", [False, True])
def test_one_sentence_says_all_that_a_table_lacks(frame, advice, has_narwhals, monkeypatch):
    if not has_narwhals:
        monkeypatch.setitem(sys.modules, "narwhals", None)
        advice = r"needs narwhals \(pip install 'skmetrics-ext\[frames\]'\); " + advice
    for class_ in (ConfusionMatrix, ThresholdCurve):
        with pytest.raises(TypeError, match=advice) as said:
            class_.from_frame(frame, "y", "p")
        assert ("narwhals" in str(said.value)) is not has_narwhals


def test_large_counts_are_exact():
    frame = pl.DataFrame({"y": [0, 0, 1], "p": [0, 0, 1], "n": [2**61 + 1, 2**60, 5]})
    assert ConfusionMatrix.from_frame(frame, "y", "p", count="n").counts[0, 0] == 2**61 + 1 + 2**60


@pytest.mark.parametrize("argument", ["count", "sample_weight"])
def test_numbers_wider_than_int64_are_exact_or_refused(argument):
    labels = {"y": ["a", "b"]}
    for make in (
        lambda n: pl.DataFrame({**labels, "n": pl.Series(n, dtype=pl.Int128)}),
        lambda n: pl.DataFrame({**labels, "n": pl.Series(n, dtype=pl.UInt64)}),
        lambda n: pa.table({**labels, "n": pa.array(n, pa.uint64())}),
        lambda n: pd.DataFrame({**labels, "n": np.array(n, dtype=np.uint64)}),
    ):
        cm = ConfusionMatrix.from_frame(make([2**52 + 1, 3]), "y", nw.col("y"), **{argument: "n"})
        assert cm.counts.tolist() == [[2**52 + 1, 0], [0, 3]]
        with pytest.raises(
            ValueError, match=rf"{argument} holds 1 rows that are .*, or above 2\*\*62"
        ):
            ConfusionMatrix.from_frame(make([2**63 + 1, 3]), "y", nw.col("y"), **{argument: "n"})


def test_three_hundred_classes_are_no_deeper_than_three():
    random = np.random.default_rng(0)
    scores = random.integers(0, 30, (100, 300)) / 30
    names = [f"s{k}" for k in range(300)]
    frame = pl.DataFrame(dict(zip(names, scores.T, strict=True))).with_columns(
        y=pl.Series(random.integers(0, 300, 100))
    )
    cm = ConfusionMatrix.from_frame(frame, "y", scores=names, classes=range(300))
    assert cm == ConfusionMatrix.from_scores(frame["y"], scores, classes=range(300))


ROUND_TRIPS = {
    "strings": ConfusionMatrix.from_predictions(["b", "a", "c", "a"], ["a", "a", "c", "c"]),
    "numbers in an order": ConfusionMatrix.from_predictions([3, 1, 1], [1, 1, 3], labels=[3, 2, 1]),
    "groups": ConfusionMatrix.from_predictions([0, 1, 1], [0, 0, 1], by=["u", "v", "u"]),
    "booleans": ConfusionMatrix.from_predictions([True, False], [True, True]),
    "days": ConfusionMatrix.from_predictions(
        *(np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]"),) * 2
    ),
    "nothing": ConfusionMatrix.from_counts([[0, 0], [0, 0]], labels=["no", "yes"]),
    "large": ConfusionMatrix.from_counts([[2**52, 1], [0, 3]], labels=["no", "yes"]),
    "several axes": ConfusionMatrix.from_counts(
        np.arange(24).reshape(2, 3, 2, 2), labels=["no", "yes"]
    ),
}


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("cm", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_a_frame_of_cells_comes_back(cm, backend):
    frame = cm.to_frame(backend, count="n")
    assert len(frame) == cm.counts.size
    by = [axis.name for axis in cm.axes] or None
    again = ConfusionMatrix.from_frame(
        frame, "actual", "predicted", by=by, count="n", labels=cm.labels
    )
    assert again == cm
    assert again.counts.dtype == np.int64


def test_float_counts_come_back_as_weights():
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 0], sample_weight=[0.5, 0.25])
    frame = cm.to_frame(count="weight")
    assert ConfusionMatrix.from_frame(frame, "actual", "predicted", sample_weight="weight") == cm
    with pytest.raises(ValueError, match="count holds 2 rows that are not integers"):
        ConfusionMatrix.from_frame(frame, "actual", "predicted", count="weight")


def test_columns_of_a_frame_of_cells_have_names_of_their_own():
    frame = pl.DataFrame({"y": [0, 1], "count": ["a", "b"]})
    cm = ConfusionMatrix.from_frame(frame, "y", nw.col("y"), by="count")
    with pytest.raises(ValueError, match="two columns would have the name 'count'"):
        cm.to_frame()
    assert cm.to_frame("polars", count="n").columns == ["count", "actual", "predicted", "n"]
    with pytest.raises(ValueError, match="two columns would have the name 'actual'"):
        cm.to_frame(count="actual")
    with pytest.raises(TypeError, match="count must be the name of a column"):
        cm.to_frame(count=3)


RUNS = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), pa.array(["a", "b"]))


def test_what_an_engine_cannot_group_is_named():
    frame = pa.table({"y": RUNS, "p": ["a", "b"]})
    message = r"pyarrow can't group rows by actual \(Unknown\), predicted \(String\): .*Cast these"
    with pytest.raises(TypeError, match=message):
        ConfusionMatrix.from_frame(frame, "y", "p")
    halves = pd.DataFrame({"y": np.array([1, 2], dtype=np.float16), "p": [1, 2]})
    with pytest.raises(TypeError, match="group rows"):
        ConfusionMatrix.from_frame(halves, "y", "p")


def test_a_label_is_one_value():
    for values in ([{"a": 1}, {"a": 2}], [[1], [2]]):
        with pytest.raises(TypeError, match="but a label is one value"):
            ConfusionMatrix.from_frame(pl.DataFrame({"y": values}), "y", nw.col("y"))


def test_an_expression_by_place_counts_columns_that_stand_twice():
    frame = pd.DataFrame(
        [[9, 9, 0, 0, 1, 1], [9, 9, 1, 1, 0, 0]], columns=["x", "x", "y", "p", "q", "r"]
    )
    for table in (
        frame,
        pa.Table.from_arrays([pa.array(frame.iloc[:, k]) for k in range(6)], list(frame.columns)),
    ):
        assert ConfusionMatrix.from_frame(table, "y", nw.nth(3)).counts.tolist() == [[1, 0], [0, 1]]
