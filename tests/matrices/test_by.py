"""Groups of samples: every form of by= gives an axis per column, counted as by a loop."""

import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import multilabel_confusion_matrix

from skmetrics_ext import ConfusionMatrix, metric_interval

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

RANDOM = np.random.default_rng(0)
N = 60
TRUE, PRED = RANDOM.integers(0, 3, (2, N))
SEX = np.array(["F", "M", "X"])[RANDOM.integers(0, 3, N)]
AGE = RANDOM.integers(1, 5, N)
WEIGHT = RANDOM.integers(1, 9, N) / 4


def names_of(cm):
    return [axis.name for axis in cm.axes]


def coordinates_of(cm):
    return [axis.coordinates.tolist() for axis in cm.axes]


def check_is_a_loop(cm, by, weights=None):
    """Each combination is the matrix of its samples, by additions one by one."""
    for place in itertools.product(*map(range, cm.counts.shape[:-2])):
        entry = [axis.coordinates[k] for axis, k in zip(cm.axes, place, strict=True)]
        chosen = np.all([column == value for column, value in zip(by, entry, strict=True)], axis=0)
        expected = np.zeros((3, 3))
        of_group = 1 if weights is None else weights[chosen]
        np.add.at(expected, (TRUE[chosen], PRED[chosen]), of_group)
        assert cm.counts[place].tolist() == expected.tolist()


FORMS = {
    "dict": {"sex": SEX, "age": AGE},
    "dict of lists": {"sex": SEX.tolist(), "age": AGE.tolist()},
    "pandas": pd.DataFrame({"sex": SEX, "age": AGE}),
    "polars": pl.DataFrame({"sex": SEX, "age": AGE}),
    "pyarrow": pa.table({"sex": SEX.tolist(), "age": AGE}),
    "record batch": pa.RecordBatch.from_pydict({"sex": SEX.tolist(), "age": AGE.tolist()}),
    "dict of everything": {"sex": pl.Series(SEX), "age": pd.Series(AGE)},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weights", [None, WEIGHT], ids=["unweighted", "weighted"])
def test_columns_with_names_are_axes_with_names(form, weights):
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by=FORMS[form], sample_weight=weights)
    assert names_of(cm) == ["sex", "age"]
    assert coordinates_of(cm) == [["F", "M", "X"], [1, 2, 3, 4]]
    check_is_a_loop(cm, (SEX, AGE), weights)
    assert cm.sum("sex").sum("age") == ConfusionMatrix.from_predictions(
        TRUE, PRED, sample_weight=weights
    )
    assert cm.sum("age") == ConfusionMatrix.from_predictions(
        TRUE, PRED, by={"sex": SEX}, sample_weight=weights
    )


@pytest.mark.parametrize(
    "by", [[SEX, AGE], (SEX, AGE), [pd.Series(SEX), AGE.tolist()], [SEX[:, None], pa.array(AGE)]]
)
def test_a_list_of_arrays_has_numbered_axes(by):
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by=by)
    assert names_of(cm) == ["group_0", "group_1"]
    check_is_a_loop(cm, (SEX, AGE))


def test_one_column_is_the_axis_group_unless_it_is_named_in_a_frame_or_a_dict():
    for by in (
        SEX,
        SEX.tolist(),
        tuple(SEX),
        pd.Series(SEX, name="sex"),
        SEX[:, None],
        pd.DataFrame(SEX[:, None]),
    ):
        assert names_of(ConfusionMatrix.from_predictions(TRUE, PRED, by=by)) == ["group"]
    for by in (
        {"sex": SEX},
        pd.DataFrame({"sex": SEX}),
        pl.DataFrame({"sex": SEX}),
        pa.table({"sex": SEX.tolist()}),
    ):
        assert names_of(ConfusionMatrix.from_predictions(TRUE, PRED, by=by)) == ["sex"]
    assert names_of(ConfusionMatrix.from_predictions(TRUE, PRED, by=[SEX])) == ["group_0"]
    assert names_of(
        ConfusionMatrix.from_predictions(TRUE, PRED, by=pd.DataFrame({9: SEX, 4: AGE}))
    ) == ["9", "4"]
    frame = pd.DataFrame(np.column_stack([AGE, AGE]))
    assert names_of(ConfusionMatrix.from_predictions(TRUE, PRED, by=frame)) == [
        "group_0",
        "group_1",
    ]


def test_ordered_categoricals_keep_their_order_in_every_axis():
    bands = ["young", "adult", "old", "oldest", "never"]
    words = np.array(bands)[AGE - 1]
    of_pandas = pd.Series(pd.Categorical(words, categories=bands, ordered=True))
    for ages in (of_pandas, pl.Series(words, dtype=pl.Enum(bands)), of_pandas.array):
        cm = ConfusionMatrix.from_predictions(TRUE, PRED, by={"sex": SEX, "age": ages})
        assert coordinates_of(cm) == [["F", "M", "X"], bands[:4]]
        check_is_a_loop(cm, (SEX, words))


def test_intervals_of_pandas_are_groups_by_their_names():
    years = np.array([5, 70, 12, 100])
    bands = pd.cut(pd.Series(years), [0, 10, 65, 120])
    expected = ["(0, 10]", "(10, 65]", "(65, 120]"]
    for band in (
        bands,
        bands.array,
        bands.astype(bands.cat.categories.dtype),
        pd.cut(years, [0, 10, 65, 120]),
    ):
        cm = ConfusionMatrix.from_predictions([0, 1, 1, 0], [0, 1, 0, 0], by={"age": band})
        assert coordinates_of(cm) == [expected]
        assert cm.n_samples.tolist() == [1, 1, 2]


@pytest.mark.parametrize("dtype", ["period[M]", "category"])
def test_periods_of_pandas_are_groups_as_text(dtype):
    months = pd.Series(pd.PeriodIndex(["2026-10", "2026-02"], freq="M")).astype(dtype)
    with pytest.raises(TypeError, match=r"by\['m'\] holds Period objects: .* Pass text"):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by={"m": months})
    frame = pd.DataFrame({"y": [0, 1], "g": [0, 1], "m": months})
    with pytest.raises(TypeError, match=r"by.*'m'.* holds Period objects: .* Pass text"):
        ConfusionMatrix.from_frame(frame, "y", "g", by="m")
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 1], by={"m": months.astype(str)})
    assert coordinates_of(cm) == [["2026-02", "2026-10"]]


@pytest.mark.parametrize("sizes", [
    (255,), (256,), (257,), (16, 16), (256, 1), (1, 256), (15, 17), (128, 2), (257, 255),
    (256, 256), (65536, 1), (1, 65536, 1), (65535,), (65537,), (3, 2, 2),
])  # fmt: skip
def test_codes_of_combinations_do_not_wrap(sizes):
    """At the limits of code types: as many combinations as one and two bytes have values."""
    places = np.array(list(itertools.islice(itertools.product(*map(range, sizes)), 70_000)))
    total = int(np.prod(sizes))
    rows = np.unique(np.concatenate([np.arange(0, total, max(total // 400, 1)), [total - 1]]))
    # Each column has all its groups, whatever combinations are selected.
    every = np.stack([np.arange(max(sizes)) % size for size in sizes], axis=1)
    columns = np.concatenate([places[rows], every])
    cm = ConfusionMatrix.from_predictions(
        np.zeros(len(columns)), np.zeros(len(columns)), by=[*columns.T]
    )
    assert cm.counts.shape == (*sizes, 1, 1)
    expected = np.zeros(sizes, dtype=int)
    np.add.at(expected, tuple(columns.T), 1)
    assert (cm.n_samples == expected).all()


@pytest.mark.parametrize("n_groups", [127, 128, 255, 256, 257])
@pytest.mark.parametrize("make", [np.asarray, pd.Series, pd.Categorical, pl.Series, pa.array])
def test_a_missing_group_is_one_more_at_the_limits_of_code_types(make, n_groups):
    names = np.array([f"{number:03}" for number in range(n_groups)], dtype=object)
    group = np.append(np.tile(names, 2), [None] * 3)
    y_true = np.arange(len(group)) % 2
    weights = np.arange(len(group)) / 4
    cm = ConfusionMatrix.from_predictions(
        y_true, y_true, by=make(group), missing_group="none", sample_weight=weights
    )
    assert coordinates_of(cm) == [[*names.tolist(), "none"]]
    expected = [*(weights[:n_groups] + weights[n_groups : 2 * n_groups]), weights[-3:].sum()]
    np.testing.assert_array_equal(cm.counts.sum((1, 2)), expected)
    assert cm._design.numbers.sum((1, 2)).tolist() == [1, *[2] * (n_groups - 1), 3]


@given(data=st.data())
def test_any_columns_are_a_loop_over_the_combinations(data):
    n = data.draw(st.integers(1, 12))
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    columns = [
        np.array(data.draw(st.lists(st.integers(0, size), min_size=n, max_size=n)))
        for size in sizes
    ]
    kinds = [data.draw(st.sampled_from([np.uint8, np.int64, "U3", "M8[D]"])) for _ in sizes]
    true, pred = (
        np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n))) for _ in range(2)
    )
    cm = ConfusionMatrix.from_predictions(
        true, pred, by=[col.astype(k) for col, k in zip(columns, kinds, strict=True)]
    )
    groups = [sorted({*column.tolist()}) for column in columns]
    for place in itertools.product(*(range(len(entries)) for entries in groups)):
        of_each = zip(columns, groups, place, strict=True)
        here = np.all([column == entries[k] for column, entries, k in of_each], axis=0)
        wanted = [
            (true == actual) & (pred == predicted) & here
            for actual in cm.labels
            for predicted in cm.labels
        ]
        assert cm.counts[place].ravel().tolist() == [int(cell.sum()) for cell in wanted]


MISSING = {
    "list": [None, "b", "a", None],
    "objects": np.array([np.nan, "b", "a", None], dtype=object),
    "pandas": pd.Series([None, "b", "a", None]),
    "string": pd.Series([None, "b", "a", None], dtype="string"),
    "pandas of arrow": pd.Series([None, "b", "a", None], dtype="string[pyarrow]"),
    "categorical": pd.Categorical([None, "b", "a", None]),
    "series of categories": pd.Series(pd.Categorical([None, "b", "a", None])),
    "polars": pl.Series([None, "b", "a", None]),
    "polars categorical": pl.Series([None, "b", "a", None], dtype=pl.Categorical),
    "arrow": pa.array([None, "b", "a", None]),
    "chunks": pa.chunked_array([[None, "b"], ["a", None]]),
    "dictionary": pa.array([None, "b", "a", None]).dictionary_encode(),
}


@pytest.mark.parametrize("form", MISSING)
def test_missing_groups_are_counted_or_a_group_of_their_own(form):
    by = MISSING[form]
    with pytest.raises(
        ValueError, match=r"^by holds 2 missing groups among 4 samples: .*missing_group='unknown'"
    ):
        ConfusionMatrix.from_predictions([0, 1, 1, 0], [0, 1, 0, 1], by=by)
    with pytest.raises(ValueError, match=r"^by\['g'\] holds 2 missing groups among 4 samples"):
        ConfusionMatrix.from_predictions(
            [0, 1, 1, 0], [0, 1, 0, 1], by={"x": [1, 1, 2, 2], "g": by}
        )
    cm = ConfusionMatrix.from_predictions(
        [0, 1, 1, 0], [0, 1, 0, 1], by={"g": by}, missing_group="unknown"
    )
    assert coordinates_of(cm) == [["a", "b", "unknown"]]
    assert cm.counts.tolist() == [[[0, 0], [1, 0]], [[0, 0], [0, 1]], [[1, 1], [0, 0]]]


@pytest.mark.parametrize(
    ("by", "group", "expected"),
    [
        ([2020.0, np.nan, 2019.0], -1, [2019, 2020, -1]),
        (np.array([2020.0, np.nan, 2019.0]), 0, [2019, 2020, 0]),
        (pl.Series([2020.0, float("nan"), None]), -1, [2020, -1]),
        (pd.Series([2020, None, 2019], dtype="Int64"), -1, [2019, 2020, -1]),
        (pa.array([2020.0, float("nan"), None]), -1, [2020, -1]),
        ([None, None, np.nan], "unknown", ["unknown"]),
        (["a", "c", "b"], "unknown", ["a", "b", "c"]),
        (pl.Series(["z", None, "a"], dtype=pl.Enum(["z", "a"])), "m", ["z", "a", "m"]),
    ],
)
def test_the_missing_group_stands_last_and_is_there_only_where_something_is_missing(
    by, group, expected
):
    cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], by=by, missing_group=group)
    assert coordinates_of(cm) == [expected]
    assert cm.sum("group") == ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0])


def test_missing_dates_have_no_group_among_words():
    days = np.array(["2026-01-01", "NaT"], "M8[D]")
    with pytest.raises(
        ValueError,
        match=r"missing_group='unknown' and the groups of by differ in kind, strings and dates",
    ):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by=days, missing_group="unknown")
    with pytest.raises(ValueError, match=r"by holds 1 missing groups"):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by=days)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": {}}, ValueError, "by is empty"),
        ({"by": []}, ValueError, "by is empty"),
        ({"by": pd.DataFrame(index=[0, 1])}, ValueError, "by is empty"),
        ({"by": {"a": [1, 2], "b": [1]}}, ValueError, r"by\['b'\].*one group.*shape \(2,\)"),
        ({"by": [np.arange(2), np.arange(3)]}, ValueError, r"by\[1\].*one group.*\(3,\)"),
        ({"by": {"a": [1, 2], 1: [1, 2], "1": [1, 2]}}, ValueError, "by has the name '1' twice"),
        (
            {"by": pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])},
            ValueError,
            "by has the name 'a' twice",
        ),
        (
            {"by": {"actual": [1, 2]}},
            ValueError,
            "by has the name 'actual', which .* 'actual_group'",
        ),
        ({"by": {"label": [1, 2]}}, ValueError, "by has the name 'label'"),
        ({"by": [[1, 2], [3, 4]]}, ValueError, r"by.*one group.*it holds lists, .*rows or columns"),
        ({"by": {"a": [[1], [3]]}}, ValueError, r"by\['a'\].*one group"),
        ({"by": {"a": [0.5, 1]}}, ValueError, r"by\['a'\] holds continuous values"),
        ({"by": {"a": "xy"}}, TypeError, r"by\['a'\] must be an array or a list"),
        ({"missing_group": "unknown"}, ValueError, "missing_group='unknown' applies only with by="),
        ({"by": ["a", None], "missing_group": "a"}, ValueError, "by already has a group 'a'"),
        (
            {"by": ["a", None], "missing_group": 1},
            ValueError,
            "missing_group=1 and the groups of by differ in kind, numbers",
        ),
        (
            {"by": ["a", "b"], "missing_group": ["u"]},
            TypeError,
            r"missing_group must be a single group label.*\['u'\]",
        ),
        (
            {"by": ConfusionMatrix.from_counts([[1, 2], [3, 4]], [0, 1])},
            TypeError,
            "by must be an array or a list",
        ),
    ],
)
def test_what_is_no_group_says_what_is_wrong(options, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], **options)


def test_more_cells_than_fit_say_which_axes_to_pool():
    ids = np.arange(12_000)
    by = {"user": ids, "day": ids % 5_000, "sex": ids % 2}
    with pytest.raises(
        ValueError, match=r"axes \['user', 'day', 'sex'\].*12000 x 5000 x 2.*4\.8e\+08.*1e8"
    ) as caught:
        ConfusionMatrix.from_predictions(ids % 2, ids % 2, by=by)
    assert "pool 'user' (12000 entries), that is" in str(caught.value)
    with pytest.raises(ValueError, match=r"pool 'b' \(12000 entries\) and 'a' \(12000 entries\)"):
        ConfusionMatrix.from_predictions(ids % 100, ids % 7, by={"a": ids, "b": ids})
    assert (
        ConfusionMatrix.from_predictions(
            ids % 2, ids % 2, by={"user": ids[:5000].repeat(3)[:12000]}
        ).counts.size
        == 16_000
    )


def test_series_whose_samples_stand_in_another_order_are_refused():
    true = pd.Series([0, 1, 1], index=[1, 2, 3])
    for by in (
        pd.DataFrame({"sex": ["F", "M", "M"]}, index=[3, 2, 1]),
        {"sex": pd.Series([1, 2, 3], index=[3, 1, 2])},
    ):
        with pytest.raises(ValueError, match=r"'sex'.*pandas objects"):
            ConfusionMatrix.from_predictions(true, [0, 1, 0], by=by)


def test_groups_in_another_order_than_the_rows_of_X_are_refused():
    X = pd.DataFrame(RANDOM.normal(size=(N, 2)), index=RANDOM.permutation(N))
    model = LogisticRegression().fit(X, TRUE)
    in_order = pd.Series(SEX, index=X.index)
    with pytest.raises(ValueError, match="different orders"):
        ConfusionMatrix.from_estimator(model, X, TRUE, by=in_order.sort_index())
    assert ConfusionMatrix.from_estimator(
        model, X, TRUE, by=in_order
    ) == ConfusionMatrix.from_predictions(TRUE, model.predict(X), by=SEX)


def test_clusters_are_groups_without_a_group_of_missing_ones():
    with pytest.raises(
        ValueError, match=r"clusters holds 1 missing groups among 4 samples.*group of their own\.$"
    ):
        metric_interval([0, 1, 1, 0], [0, 1, 0, 0], "accuracy", clusters=["a", "b", None, "c"])


def test_scores_and_estimators_are_counted_by_group():
    scores = RANDOM.dirichlet(np.ones(3), N)
    predicted = scores.argmax(1)
    by = {"sex": SEX, "age": np.where(AGE > 2, AGE, None)}
    options = {"by": by, "missing_group": -1, "sample_weight": WEIGHT}
    expected = ConfusionMatrix.from_predictions(TRUE, predicted, **options)
    assert names_of(expected) == ["sex", "age"]
    assert ConfusionMatrix.from_scores(TRUE, scores, **options) == expected
    X = RANDOM.normal(size=(N, 2))
    model = LogisticRegression().fit(X, TRUE)
    expected = ConfusionMatrix.from_predictions(TRUE, model.predict(X), **options)
    assert ConfusionMatrix.from_estimator(model, X, TRUE, **options) == expected
    with pytest.raises(ValueError, match=r"by\['sex'\].*one group"):
        ConfusionMatrix.from_estimator(model, X, TRUE, by={"sex": SEX[:3]})
    with pytest.raises(ValueError, match=r"by.*one group"):
        ConfusionMatrix.from_scores(TRUE, scores, by=SEX[:3])


@pytest.mark.parametrize(
    "weights", [None, WEIGHT, np.arange(N)], ids=["unweighted", "floats", "integers"]
)
@pytest.mark.parametrize(
    "make", [np.asarray, sparse.csr_array, sparse.csr_matrix], ids=["dense", "csr", "matrix"]
)
def test_labels_of_multilabel_data_are_the_last_axis(make, weights):
    true, pred = RANDOM.integers(0, 2, (2, N, 4))
    by = {"sex": SEX, "age": AGE}
    cm = ConfusionMatrix.from_predictions(make(true), make(pred), by=by, sample_weight=weights)
    assert names_of(cm) == ["sex", "age", "label"]
    assert cm.counts.dtype == (float if weights is WEIGHT else int)
    for i, j in itertools.product(range(3), range(4)):
        chosen = (cm.axes[0].coordinates[i] == SEX) & (cm.axes[1].coordinates[j] == AGE)
        expected = np.zeros((4, 2, 2))
        if chosen.any():
            of_group = None if weights is None else weights[chosen]
            expected = multilabel_confusion_matrix(
                true[chosen], pred[chosen], sample_weight=of_group
            )
        np.testing.assert_allclose(cm.counts[i, j], expected, rtol=1e-12)
    macro = cm.score("f1_macro", zero_division=0)
    np.testing.assert_allclose(macro, cm.score("f1", zero_division=0).mean(-1))
    whole = ConfusionMatrix.from_predictions(make(true), make(pred), sample_weight=weights)
    np.testing.assert_allclose(cm.sum("sex").sum("age").counts, whole.counts)


def test_a_large_weight_beside_a_small_one_is_not_lost_in_a_group():
    true, pred = (
        sparse.csr_array([[1, 0], [0, 0], [0, 0]]),
        sparse.csr_array([[1, 0], [0, 0], [0, 0]]),
    )
    cm = ConfusionMatrix.from_predictions(
        true, pred, by=["a", "a", "b"], sample_weight=[1e17, 0.0, 0.25]
    )
    assert cm.counts[0, 0].tolist() == [[0, 0], [0, 1e17]]
    assert cm.counts[1, :, 0, 0].tolist() == [0.25, 0.25]


def test_multilabel_scores_have_groups_too():
    true, scores = RANDOM.integers(0, 2, (N, 3)), RANDOM.random((N, 3))
    cm = ConfusionMatrix.from_scores(true, scores, multilabel=True, by=SEX)
    expected = ConfusionMatrix.from_predictions(true, (scores >= 0.5).astype(int), by=SEX)
    assert cm == expected


def test_what_is_done_with_one_axis_is_done_with_several():
    by = {"sex": SEX, "age": AGE}
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by=by)
    for same in (
        ConfusionMatrix.from_dict(cm.to_dict()),
        pickle.loads(pickle.dumps(cm)),
        cm.sum("sex") + cm.sum("sex"),
    ):
        assert (same == cm) is (names_of(same) == ["sex", "age"])
    assert repr(cm).splitlines()[0] == (
        f"ConfusionMatrix of {N} samples (rows: actual, columns: predicted, summed over sex ['F', "
        "'M', 'X'], age [1, 2, 3, 4])"
    )
    assert "<table" in cm._repr_html_()
    for backend in ("pandas", "polars", "pyarrow"):
        frame = cm.to_frame(backend)
        columns = [
            np.asarray(frame[name]).tolist()
            for name in ("sex", "age", "actual", "predicted", "count")
        ]
        assert columns[4] == cm.counts.ravel().tolist()
        assert list(zip(*columns[:4], strict=True)) == [
            *itertools.product("FMX", range(1, 5), range(3), range(3))
        ]
    assert cm.score("accuracy", zero_division=0).shape == cm.n_samples.shape == (3, 4)
    assert [axis[0] for axis in cm.interval("accuracy", zero_division=0).axes] == ["sex", "age"]
    assert cm.sum("age").sum("sex") == cm.sum("sex").sum("age")


def test_crossed_groups_without_samples_count_nothing_and_have_no_value():
    sex, age = ["F", "F", "M", "M", "M"], ["old", "young", "old", "old", "old"]
    true, said = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]
    cm = ConfusionMatrix.from_predictions(true, said, by={"sex": sex, "age": age})
    assert cm.counts.sum((-2, -1)).tolist() == [[1, 1], [3, 0]]
    values = cm.score("accuracy", zero_division=np.nan)
    np.testing.assert_allclose(values, [[1, 1], [2 / 3, np.nan]])
    with pytest.warns(UndefinedMetricWarning, match="accuracy is undefined"):
        intervals = cm.interval("accuracy")
    alone = ConfusionMatrix.from_predictions(true[2:], said[2:]).interval("accuracy")
    assert (intervals.low[1, 0], intervals.high[1, 0]) == (alone.low, alone.high)
    assert np.isnan(intervals.value[1, 1])
    assert intervals.n[1, 1] == 0
    assert cm.sum("age").sel(sex="M") == ConfusionMatrix.from_predictions(true[2:], said[2:])


@pytest.mark.parametrize(
    "metric", ["accuracy", "recall", "npv", "f1", "positive_likelihood_ratio", "yule_q"]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_limits_of_a_stack_are_those_of_each_entry(metric):
    counts = np.array([[[50, 3], [4, 20]], [[9, 2], [0, 7]], [[30, 30], [10, 5]]])
    sites = [ConfusionMatrix.from_counts(each, labels=[0, 1]) for each in counts]
    cm = ConfusionMatrix.stack(dict(zip("abc", sites, strict=True)), axis="site")
    of_all = cm.interval(metric, random_state=0)
    for place, site in enumerate("abc"):
        of_one = cm.sel(site=site).interval(metric, random_state=0)
        assert (of_all.value[place], of_all.low[place], of_all.high[place]) == pytest.approx(
            (of_one.value, of_one.low, of_one.high)
        )
