"""What from_frame does with a table of any engine: each engine runs it on tables of its own."""

import re
from datetime import date
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pytest

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, ThresholdCurves

CLASSES = ["ash", "beech", "cedar"]


def drawn(n):
    """Columns of n rows: labels of all kinds, groups, weights, and scores with ties and edges."""
    random = np.random.default_rng(n)
    codes, guesses = random.integers(0, 3, n), random.integers(0, 3, n)
    guesses = np.where(random.random(n) < 0.6, codes, guesses)
    scores = random.integers(0, 11, (n, 3)) / 10
    names = np.array(CLASSES)
    days = np.array(["2026-01-05", "2026-02-01", "2025-12-31"], dtype="datetime64[D]")
    return {
        "actual": names[codes],
        "predicted": names[guesses],
        "sex": np.array(["F", "M"])[random.integers(0, 2, n)],
        "age": random.integers(3, 8, n),
        "actual_code": codes * 10,
        "predicted_code": guesses * 10,
        "ill": codes == 1,
        "found": guesses == 1,
        "actual_day": days[codes],
        "predicted_day": days[guesses],
        "whole": random.integers(0, 5, n),
        "weight": random.random(n),
        "exact": random.integers(0, 9, n) / 4,
        "ash": scores[:, 0],
        "beech": scores[:, 1],
        "cedar": scores[:, 2],
        "narrow": scores[:, 0].astype(np.float32),
        "times": random.integers(0, 9, n),
    }


def matrix_of(make, columns, *args, **options):
    """The matrix of a table of these columns."""
    return ConfusionMatrix.from_frame(make(pa.table(columns)), *args, **options)


def with_missing(values, *places, value=None):
    """An Arrow array in which some entries are missing."""
    listed = list(values.tolist() if hasattr(values, "tolist") else values)
    for place in places:
        listed[place] = value
    return pa.array(listed)


def labels_of_every_type(make, data):
    for pair in (("actual", "predicted"), ("actual_code", "predicted_code"), ("ill", "found")):
        cm = matrix_of(make, {name: data[name] for name in pair}, *pair)
        assert cm == ConfusionMatrix.from_predictions(data[pair[0]], data[pair[1]])
        assert cm.counts.dtype == np.int64
        assert cm.axes == ()


def days_are_labels(make, data):
    pair = "actual_day", "predicted_day"
    want = ConfusionMatrix.from_predictions(*(data[name] for name in pair))
    assert matrix_of(make, {name: data[name] for name in pair}, *pair) == want


def times_of_a_zone_are_refused(make):
    hours = pa.array([10**9, 2 * 10**9, 10**9], pa.timestamp("us"))
    berlin = hours.cast(pa.timestamp("us", tz="Europe/Berlin"))
    columns = {"none": hours, "berlin": berlin, "k": [0, 1, 1]}
    said = "{} holds times with a time zone: "
    if nw.from_native(make(pa.table(columns))).implementation.is_spark_like():
        # Spark reads times as those of its own zone.
        return
    with pytest.raises(TypeError, match=said.format("predicted")):
        matrix_of(make, columns, "none", "berlin")
    with pytest.raises(TypeError, match=said.format("by.*")):
        matrix_of(make, columns, "k", nw.col("k"), by="berlin")


def a_label_is_one_value(make):
    columns = {"y": pa.array([[1], [2]]), "p": [1, 2]}
    if nw.from_native(make(pa.table(columns))).collect_schema()["y"].is_nested():
        with pytest.raises(TypeError, match=r"actual holds List\(.*, but a label is one value"):
            matrix_of(make, columns, "y", "p")
        with pytest.raises(TypeError, match=r"by='y' holds List\(.*, but a label is one value"):
            matrix_of(make, columns, "p", nw.col("p"), by="y")


def groups_have_an_axis_each(make, data):
    cm = matrix_of(make, data, "actual", "predicted", by=["sex", "age"])
    assert [axis.name for axis in cm.axes] == ["sex", "age"]
    assert cm.axes[0].coordinates.tolist() == ["F", "M"]
    assert cm.axes[1].coordinates.tolist() == [3, 4, 5, 6, 7]
    for i, sex in enumerate("FM"):
        for j, age in enumerate(range(3, 8)):
            of = (data["sex"] == sex) & (data["age"] == age)
            part = ConfusionMatrix.from_predictions(
                data["actual"][of], data["predicted"][of], labels=CLASSES
            )
            np.testing.assert_array_equal(cm.counts[i, j], part.counts)


def a_combination_without_rows_has_no_counts(make):
    columns = {"y": ["a", "b", "a"], "p": ["a", "a", "a"], "g": ["u", "u", "v"], "h": [1, 2, 1]}
    cm = matrix_of(make, columns, "y", "p", by=["g", "h"])
    np.testing.assert_array_equal(
        cm.counts, [[[[1, 0], [0, 0]], [[0, 0], [1, 0]]], [[[1, 0], [0, 0]], np.zeros((2, 2))]]
    )


def expressions_are_columns(make, data):
    cm = matrix_of(make, data, nw.col("actual"), "predicted", by=(nw.col("age") > 5).alias("old"))
    assert cm.axes[0].name == "old"
    np.testing.assert_array_equal(cm.axes[0].coordinates, [False, True])
    of = data["age"] > 5
    want = ConfusionMatrix.from_predictions(data["actual"][of], data["predicted"][of])
    np.testing.assert_array_equal(cm.counts[1], want.counts)


def weights_are_summed_by_the_engine(make, data):
    labels = data["actual"], data["predicted"]
    cm = matrix_of(make, data, "actual", "predicted", sample_weight="whole")
    assert cm == ConfusionMatrix.from_predictions(*labels, sample_weight=data["whole"])
    assert cm.counts.dtype == np.int64
    cm = matrix_of(make, data, "actual", "predicted", sample_weight="exact")
    assert cm == ConfusionMatrix.from_predictions(*labels, sample_weight=data["exact"])
    assert cm.counts.dtype == np.float64
    cm = matrix_of(make, data, "actual", "predicted", sample_weight="weight")
    want = ConfusionMatrix.from_predictions(*labels, sample_weight=data["weight"])
    np.testing.assert_allclose(cm.counts, want.counts, rtol=1e-12)


def numbers_of_every_type_are_weights(make):
    labels = {"y": ["a", "b", "a", "b"], "p": ["a", "a", "a", "b"]}
    for kind in (
        pa.uint8(),
        pa.int16(),
        pa.uint32(),
        pa.uint64(),
        pa.float32(),
        pa.decimal128(9, 2),
    ):
        weights = pa.array(
            [Decimal(k) for k in (3, 4, 5, 0)] if pa.types.is_decimal(kind) else [3, 4, 5, 0], kind
        )
        if nw.from_native(make(pa.table({"w": weights}))).collect_schema()["w"] == nw.Object:
            with pytest.raises(
                TypeError,
                match="sample_weight must be a column of numbers; it holds Object: cast it",
            ):
                matrix_of(make, {**labels, "w": weights}, "y", "p", sample_weight="w")
            continue
        cm = matrix_of(make, {**labels, "w": weights}, "y", "p", sample_weight="w")
        np.testing.assert_array_equal(cm.counts, [[8, 0], [4, 0]])
    cm = matrix_of(make, {**labels, "w": [True, False, True, True]}, "y", "p", sample_weight="w")
    np.testing.assert_array_equal(cm.counts, [[2, 0], [0, 1]])


def narrow_integers_do_not_wrap(make):
    columns = {"y": ["a"] * 3, "p": ["a"] * 3, "w": pa.array([2**31 - 1] * 3, pa.int32())}
    cm = matrix_of(make, columns, "y", "p", sample_weight="w")
    assert cm.counts.item() == 3 * (2**31 - 1)
    large = {**columns, "w": pa.array([2**62] * 3)}
    assert matrix_of(make, large, "y", "p", sample_weight="w").counts.item() == 3 * 2.0**62
    with pytest.raises(ValueError, match=r"count adds up to about 1.384e\+19"):
        matrix_of(make, large, "y", "p", count="w")


def large_whole_numbers_are_exact(make):
    labels = {"y": ["a", "b", "b"], "p": ["a", "b", "b"]}
    for kind in (pa.int64(), pa.uint64()):
        numbers = pa.array([2**62, 2**53 + 1, 2**61 - 1], kind)
        cm = matrix_of(make, {**labels, "n": numbers}, "y", "p", count="n")
        assert cm.counts.tolist() == [[2**62, 0], [0, 2**61 + 2**53]]
        for argument in ("count", "sample_weight"):
            with pytest.raises(
                ValueError, match=f"{argument} holds 1 rows that are .*, or above 2\\*\\*62"
            ):
                matrix_of(
                    make,
                    {**labels, "n": pa.array([2**62 + 1, 1, 0], kind)},
                    "y",
                    "p",
                    **{argument: "n"},
                )


def decimals_are_the_nearest_floats(make):
    thousandths = pa.array([Decimal(k).scaleb(-3) for k in range(1, 1000)], pa.decimal128(18, 6))
    columns = {"y": np.arange(999) % 2, "k": np.arange(999), "s": thousandths}
    if nw.from_native(make(pa.table(columns))).collect_schema()["s"] == nw.Object:
        return
    floats = np.array([float(f"{k / 1000:.3f}") for k in range(1, 1000)])
    np.testing.assert_array_equal(curve_of(make, columns, "y", "s").thresholds[::-1][-999:], floats)
    cm = matrix_of(make, columns, "k", nw.col("k"), sample_weight="s")
    np.testing.assert_array_equal(np.diagonal(cm.counts), floats)


def rows_may_be_counts(make, data):
    cm = matrix_of(make, data, "actual", "predicted", by="sex", count="times")
    want = ConfusionMatrix.from_predictions(
        data["actual"], data["predicted"], by=data["sex"], sample_weight=data["times"]
    )
    np.testing.assert_array_equal(cm.counts, want.counts)
    assert cm.counts.dtype == np.int64
    again = ConfusionMatrix.from_frame(
        make(cm.to_frame(backend="pyarrow")),
        "actual",
        "predicted",
        by="sex",
        count="count",
        labels=cm.labels,
    )
    assert again == cm
    floats = {"y": ["a", "b"], "p": ["a", "b"], "n": [2.0, 3.0]}
    assert matrix_of(make, floats, "y", "p", count="n").counts.dtype == np.int64


def counts_are_whole(make):
    labels = {"y": ["a", "b", "b"], "p": ["a", "a", "b"]}
    for numbers in (
        [1, -2, 3],
        [1.0, 0.5, 2.0],
        [1.0, float("inf"), 2.0],
        [1.0, float("nan"), 2.0],
        [1, None, 2],
    ):
        with pytest.raises(ValueError, match="count holds 1 rows that are not integers >= 0"):
            matrix_of(make, {**labels, "n": numbers}, "y", "p", count="n")


def no_samples_at_all_are_counts_too(make):
    none = {"y": ["a", "b"], "p": ["a", "b"], "n": [0, 0]}
    np.testing.assert_array_equal(
        matrix_of(make, none, "y", "p", count="n").counts, np.zeros((2, 2))
    )
    with pytest.raises(ValueError, match="sample_weight is all zero"):
        matrix_of(make, none, "y", "p", sample_weight="n")


def wrong_weights_are_counted(make):
    weights = pa.array([1.0, -1.0, float("nan"), float("inf"), None, 2.0])
    columns = {"y": list("ababab"), "p": list("aabbab"), "w": weights}
    with pytest.raises(
        ValueError, match="sample_weight holds 4 rows that are negative, null, NaN or infinite"
    ):
        matrix_of(make, columns, "y", "p", sample_weight="w")


def wrong_scores_are_counted(make):
    inf, nan = float("inf"), float("nan")
    columns = {
        "y": [0, 1, 0, 1, 0, 1],
        "s": pa.array([0.5, nan, inf, -inf, None, 0.2]),
        "t": pa.array([0.1, 0.2, 0.3, 0.4, nan, None]),
    }
    with pytest.raises(ValueError, match="scores holds 4 rows that are null, NaN or infinite"):
        matrix_of(make, columns, "y", scores="s")
    with pytest.raises(ValueError, match="scores holds 5 rows that are null, NaN or infinite"):
        matrix_of(make, columns, "y", scores=["s", "t"], classes=[0, 1])


def integer_scores_that_may_be_one_float_are_counted(make):
    large = 2**53
    columns = {"y": [0, 1, 0, 1, 1], "s": [large - 1, 1 - large, 0, 1, 2]}
    assert matrix_of(make, columns, "y", scores="s", threshold=1).score("recall") == 2 / 3
    assert curve_of(make, columns, "y", "s").thresholds[0] == large - 1
    for kind in (pa.int64(), pa.uint64(), pa.decimal128(38, 0)):
        numbers = [large, large + 1, 0, 1]
        scores = pa.array([*map(Decimal, numbers)] if pa.types.is_decimal(kind) else numbers, kind)
        wide = {"y": [0, 1, 0, 1], "s": scores}
        if nw.from_native(make(pa.table(wide))).collect_schema()["s"] == nw.Object:
            continue
        wrong = r"2 rows that are null, NaN or infinite, or integers of 2\*\*53"
        with pytest.raises(ValueError, match=f"scores holds {wrong}"):
            matrix_of(make, wide, "y", scores="s", threshold=1)
        for bins in (None, 4):
            with pytest.raises(ValueError, match=f"score holds {wrong}"):
                curve_of(make, wide, "y", "s", bins=bins)
    narrow = {"y": [0, 1], "s": [1, 2]}
    with pytest.raises(ValueError, match="threshold holds integers of"):
        matrix_of(make, narrow, "y", scores="s", threshold=large + 1)


def nan_alone_is_found(make):
    """With NaN, and neither null nor infinity, the statistics of a parquet file say that all is
    finite.
    """
    nan = float("nan")
    columns = {"y": [0, 1, 0, 1], "s": [0.5, nan, 0.25, 0.75], "w": [1.0, 2.0, nan, 3.0]}
    with pytest.raises(ValueError, match="scores holds 1 rows"):
        matrix_of(make, columns, "y", scores="s", threshold=0.5)
    with pytest.raises(ValueError, match="sample_weight holds 1 rows"):
        matrix_of(make, columns, "y", nw.col("y"), sample_weight="w")
    with pytest.raises(ValueError, match="score holds 1 rows"):
        curve_of(make, columns, "y", "s")
    with pytest.raises(ValueError, match="score holds 1 rows"):
        curve_of(make, columns, "y", "s", bins=2)
    with pytest.raises(ValueError, match="sample_weight holds 1 rows"):
        curve_of(make, {**columns, "s": [0.5, 0.1, 0.2, 0.3]}, "y", "s", bins=2, sample_weight="w")


def missing_labels_are_counted(make):
    columns = {
        "y": with_missing(["a", "b", "a", "b", "a"], 0, 2),
        "p": with_missing(["a", "b", "a", "a", "b"], 2, 3),
        "g": ["u", "v", "u", "v", "u"],
    }
    with pytest.raises(
        ValueError, match=re.escape("(null or NaN), 2 in actual and 2 in predicted")
    ):
        matrix_of(make, columns, "y", "p", by="g")
    with pytest.warns(UserWarning, match=re.escape("3 rows are omitted")):
        cm = matrix_of(make, columns, "y", "p", by="g", missing="drop")
    np.testing.assert_array_equal(cm.counts, [[[0, 1], [0, 0]], [[0, 0], [0, 1]]])
    cm = matrix_of(make, columns, "y", "p", missing="label")
    assert cm.labels.tolist() == ["a", "b", "missing"]
    np.testing.assert_array_equal(cm.counts, [[0, 1, 0], [0, 1, 1], [1, 0, 1]])


def missing_labels_never_meet_real_ones_of_their_name(make):
    real, gone = ["a", "missing", "a"], with_missing(["a", "b", "a"], 1)
    for columns, found in [
        ({"y": gone, "p": real}, "predicted"),
        ({"y": real, "p": gone}, "actual"),
    ]:
        with pytest.raises(ValueError, match=f"{found} already has a label 'missing'"):
            matrix_of(make, columns, "y", "p", missing="label")
    cm = matrix_of(
        make, {"y": gone, "p": ["a", "b", "b"], "g": real}, "y", "p", by="g", missing="label"
    )
    assert cm.labels.tolist() == ["a", "b", "missing"]
    cm = matrix_of(make, {"y": real, "p": real}, "y", "p", missing="label")
    assert cm.score("accuracy") == 1


def missing_groups_are_counted(make):
    columns = {"y": ["a", "b", "a"], "p": ["a", "b", "b"], "g": with_missing(["u", "v", "u"], 1)}
    with pytest.raises(ValueError, match=re.escape("1 in by='g'")):
        matrix_of(make, columns, "y", "p", by="g")
    cm = matrix_of(make, columns, "y", "p", by="g", missing="label")
    assert cm.axes[0].coordinates.tolist() == ["missing", "u"]
    np.testing.assert_array_equal(cm.counts, [[[0, 0], [0, 1]], [[1, 1], [0, 0]]])


def numbers_with_missing_ones_stay_exact(make):
    large = 2**53 + 1
    columns = {"y": pa.array([large, None, large - 1]), "p": pa.array([large, large, large])}
    with pytest.raises(ValueError, match="1 in actual"):
        matrix_of(make, columns, "y", "p")
    # Dask reads integers among which some are missing as floats, and says that they are integers.
    rounded = "actual holds integers of 2**53 or more, which the engine has turned into floats"
    for_strings = "missing='label' is for strings, but actual holds"
    with pytest.raises((TypeError, ValueError), match=f"{for_strings}|{re.escape(rounded)}"):
        matrix_of(make, columns, "y", "p", missing="label")
    table = nw.from_native(make(pa.table(columns)))
    omitted = pytest.warns(UserWarning, match="1 rows are omitted")
    if table.implementation.is_dask():
        with omitted, pytest.raises(TypeError, match=re.escape(rounded)):
            matrix_of(make, columns, "y", "p", missing="drop")
    elif {large, large - 1} <= {*table.lazy().collect().get_column("y").to_list()}:
        with omitted:
            cm = matrix_of(make, columns, "y", "p", missing="drop")
        assert cm.labels.tolist() == [large - 1, large]
        assert cm.counts.tolist() == [[0, 1], [0, 1]]
    groups = {"y": [0, 1, 1], "p": [0, 1, 0], "g": pa.array([large, large - 1, large])}
    cm = matrix_of(make, groups, "y", "p", by="g")
    assert cm.axes[0].coordinates.tolist() == [large - 1, large]
    small = {"y": pa.array([1, None, 2]), "p": pa.array([1, 1, 1])}
    with pytest.warns(UserWarning, match="1 rows are omitted"):
        cm = matrix_of(make, small, "y", "p", missing="drop")
    assert cm == ConfusionMatrix.from_predictions([1, 2], [1, 1])


def labels_of_decimals_are_exact(make):
    """Scales without and with places, of labels that are the same float."""
    for places, large in ((0, 2**62), (2, 2**62), (6, 2**53)):
        kind = pa.decimal128(38, places)
        numbers = [Decimal(large), Decimal(large + 1), None, Decimal(large)]
        columns = {"y": pa.array(numbers, kind), "p": pa.array([Decimal(large)] * 4, kind)}
        columns["g"] = pa.array(numbers[:2] * 2, kind)
        with pytest.warns(UserWarning, match="1 rows are omitted"):
            cm = matrix_of(make, columns, "y", "p", by="g", missing="drop")
        assert cm.labels.tolist() == [large, large + 1]
        assert cm.axes[0].coordinates.tolist() == [large, large + 1]
        assert cm.counts.tolist() == [[[1, 0], [0, 0]], [[1, 0], [1, 0]]]
    thirds = [Decimal("1.00000000000000000001"), Decimal(1)]
    columns = {"y": pa.array(thirds, pa.decimal128(38, 20)), "p": [1, 1]}
    with pytest.raises(ValueError, match="holds continuous"):
        matrix_of(make, columns, "y", "p")


def labels_that_are_not_a_number_are_missing(make):
    nan = float("nan")
    columns = {"y": [1.0, nan, 2.0, nan], "p": pa.array([1.0, 1.0, None, 2.0])}
    with pytest.raises(ValueError, match="2 in actual and 1 in predicted"):
        matrix_of(make, columns, "y", "p")
    with pytest.warns(UserWarning, match="3 rows are omitted"):
        cm = matrix_of(make, columns, "y", "p", missing="drop")
    np.testing.assert_array_equal(cm.counts, [[1]])
    with pytest.raises(ValueError, match="actual holds infinity"):
        matrix_of(make, {"y": [1.0, float("inf")], "p": [1.0, 1.0]}, "y", "p")


def booleans_with_missing_ones(make):
    columns = {"y": pa.array([True, None, False]), "p": [True, False, True]}
    with pytest.warns(UserWarning, match="1 rows are omitted"):
        cm = matrix_of(make, columns, "y", "p", missing="drop")
    assert cm == ConfusionMatrix.from_predictions([True, False], [True, True])
    assert cm.pos_label is True


def one_threshold(make, data):
    for options in (
        {},
        {"threshold": 0.3},
        {"threshold": 0.3, "ties": "negative"},
        {"threshold": -np.inf},
    ):
        cm = matrix_of(make, data, "ill", scores="beech", **options)
        assert cm == ConfusionMatrix.from_scores(data["ill"], data["beech"], **options)
        cm = matrix_of(make, data, "ill", scores=["ash", "cedar"], classes=[False, True], **options)
        both = np.stack([data["ash"], data["cedar"]], axis=1)
        assert cm == ConfusionMatrix.from_scores(
            data["ill"], both, classes=[False, True], **options
        )


def thresholds_that_no_probability_reaches(make):
    columns = {
        "y": [0, 1, 1],
        "no": [0.8, 0.3, 0.0],
        "yes": [0.2, 0.7, 1.0],
        "percent": [20.0, 70.0, 100.0],
    }
    with pytest.raises(ValueError, match="none reaches"):
        matrix_of(make, columns, "y", scores={0: "no", 1: "yes"}, threshold=95)
    with pytest.raises(ValueError, match="threshold=95, but all scores are from 0 to 1"):
        matrix_of(make, columns, "y", scores="yes", threshold=95)
    for below in ("yes", {0: "no", 1: "yes"}):
        with pytest.raises(ValueError, match="all reach"):
            matrix_of(make, columns, "y", scores=below, threshold=-0.1)
    for other in ("percent", {0: "no", 1: "percent"}):
        with pytest.warns(UserWarning, match=r"threshold=0\.5 looks like a probabil") as caught:
            matrix_of(make, columns, "y", scores=other, threshold=0.5)
        # Some engines warn of what they will be.
        assert sum("looks like" in str(warning.message) for warning in caught) == 1
    possible = [
        ("yes", 1),
        ("yes", np.inf),
        ("percent", 95),
        (["no", "yes"], 1),
        (["no", "percent"], 95),
    ]
    for scores, threshold in possible:
        cm = matrix_of(make, columns, "y", scores=scores, threshold=threshold, classes=[0, 1])
        assert cm.score("recall", zero_division=0) == (0 if threshold == np.inf else 1 / 2)


def thresholds_of_float32(make, data):
    for ties in ("positive", "negative"):
        cm = matrix_of(make, data, "ill", scores="narrow", threshold=0.7, ties=ties)
        assert cm == ConfusionMatrix.from_scores(
            data["ill"], data["narrow"], threshold=0.7, ties=ties
        )


def three_columns_of_scores(make, data):
    scores = np.stack([data[name] for name in CLASSES], axis=1)
    for options in (
        {},
        {"threshold": [0.5, 0.25, 1]},
        {"threshold": {"cedar": 0.5, "ash": 0.25, "beech": 1}},
        {"cost_matrix": [[0, 1, 2], [4, 0, 1], [1, 2, 0]]},
        {"cost_matrix": {("beech", "ash"): 4, ("ash", "cedar"): 2}},
    ):
        want = ConfusionMatrix.from_scores(data["actual"], scores, classes=CLASSES, **options)
        assert matrix_of(make, data, "actual", scores=CLASSES, classes=CLASSES, **options) == want
        by_name = {label: label for label in CLASSES[::-1]}
        # Names of columns are no order of plain numbers.
        if all(isinstance(numbers, dict) for numbers in options.values()):
            assert matrix_of(make, data, "actual", scores=by_name, **options) == want


def one_column_with_costs(make, data):
    for options in ({"cost_matrix": [[0, 1], [4, 0]]}, {"threshold": [0.25, 0.5]}):
        for pos_label in (None, False):
            cm = matrix_of(
                make,
                data,
                "ill",
                scores="beech",
                classes=[False, True],
                pos_label=pos_label,
                **options,
            )
            assert cm == ConfusionMatrix.from_scores(
                data["ill"], data["beech"], classes=[False, True], pos_label=pos_label, **options
            )
            assert cm.pos_label is (pos_label is None)


def a_class_of_many(make):
    random = np.random.default_rng(0)
    n_classes, n_rows = 60, 200
    scores = random.integers(0, 20, (n_rows, n_classes)) / 20
    names = [f"s{k}" for k in range(n_classes)]
    columns = {
        "y": random.integers(0, n_classes, n_rows),
        **dict(zip(names, scores.T, strict=True)),
    }
    cm = matrix_of(make, columns, "y", scores=names, classes=range(n_classes))
    assert cm == ConfusionMatrix.from_scores(columns["y"], scores, classes=range(n_classes))


def names_of_ours_are_free(make, data):
    theirs = {
        "rows": "sex",
        "decided": "actual",
        "weight": "whole",
        "score_0": "predicted",
        "n": "age",
        "by_0": "age",
    }
    columns = {own: data[name] for own, name in theirs.items()}
    cm = matrix_of(make, columns, "decided", "score_0", by=["rows", "by_0"], sample_weight="weight")
    want = matrix_of(make, data, "actual", "predicted", by=["sex", "age"], sample_weight="whole")
    np.testing.assert_array_equal(cm.counts, want.counts)


def names_mean_nothing_else(make):
    """Patterns, parts of other columns and quotes, beside the columns that they
    would be taken for.
    """
    odd = ["*", "^p$", "s.p", 'a"b', "a`b", "a b", "'a'", "1"]
    for name in odd:
        columns = {
            "y": ["a", "b", "b"],
            "p": ["a", "a", "a"],
            "s": [{"p": "a"}] * 3,
            name: ["b", "a", "b"],
        }
        if name == "*" and nw.from_native(make(pa.table(columns))).implementation.is_duckdb():
            with pytest.raises(
                ValueError, match=r"predicted='\*' does not .*DuckDB ignores case, and takes '\*'"
            ):
                matrix_of(make, columns, "y", name)
            continue
        cm = matrix_of(make, columns, "y", name)
        np.testing.assert_array_equal(cm.counts, [[0, 1], [1, 1]])
        assert matrix_of(make, columns, "y", "p", by=name).axes[0].name == name


def an_empty_table_is_an_error(make):
    columns = {
        "y": pa.array([], pa.string()),
        "p": pa.array([], pa.string()),
        "s": pa.array([], pa.float64()),
    }
    with pytest.raises(ValueError, match="frame is empty"):
        matrix_of(make, columns, "y", "p")
    with pytest.raises(ValueError, match="frame is empty"):
        matrix_of(make, columns, "y", scores="s")
    lost = {"y": pa.array([None], pa.string()), "p": ["a"]}
    with (
        pytest.warns(UserWarning, match="1 rows"),
        pytest.raises(ValueError, match="no row is left"),
    ):
        matrix_of(make, lost, "y", "p", missing="drop")


def text_is_no_number(make):
    columns = {"y": ["a", "b"], "p": ["a", "b"], "w": ["1", "2"]}
    with pytest.raises(
        TypeError, match="sample_weight must be a column of numbers; it holds String"
    ):
        matrix_of(make, columns, "y", "p", sample_weight="w")
    with pytest.raises(TypeError, match="scores must be a column of numbers; it holds String"):
        matrix_of(make, columns, "y", scores="w")


# A week has a row a cell, and so many samples in it.
COUNTED = {
    "week": pa.array([date(2026, 1, 5)] * 4 + [date(2026, 1, 12)] * 4),
    "y": [0, 0, 1, 1] * 2,
    "p": [0, 1, 0, 1] * 2,
    "n": [90, 10, 5, 45, 80, 20, 8, 42],
    "rate": [0.9, 0.1, 0.1, 0.9, 0.8, 0.2, 0.16, 0.84],
}
# Rows that are samples for a reason each.
SAMPLES = {
    "two rows are alike": {"week": [1] * 8},
    "no row has more than one": {"n": [1, 0, 1, 1, 1, 0, 1, 1]},
    "no numbers of samples": {"n": [0.5, 2.5] * 4},
    "text": {"n": list("abcdefgh")},
    "another name": {"n": None, "visits": COUNTED["n"]},
}


def counts_that_nobody_asks_for_are_suspected(make):
    for name in ("n", "Count", "counts", "freq"):
        columns = {name if own == "n" else own: values for own, values in COUNTED.items()}
        with pytest.warns(UserWarning, match=f"'{name}' looks like a number.* pass count='{name}'"):
            cm = matrix_of(make, columns, "y", "p")
        assert cm.n_samples == 8
        assert matrix_of(make, columns, "y", "p", count=name).counts.tolist() == [
            [170, 30],
            [13, 87],
        ]
    for changed in SAMPLES.values():
        columns = {own: values for own, values in (COUNTED | changed).items() if values is not None}
        assert matrix_of(make, columns, "y", "p").n_samples == 8
    # The caller has decided.
    matrix_of(make, COUNTED, "y", "p", by=["week", nw.col("n")])
    matrix_of(make, COUNTED, "y", "p", clusters="n")
    matrix_of(make, COUNTED, "y", "p", sample_weight="rate")


OF_MANY_ROWS = [
    labels_of_every_type,
    days_are_labels,
    groups_have_an_axis_each,
    expressions_are_columns,
    weights_are_summed_by_the_engine,
    rows_may_be_counts,
    one_threshold,
    thresholds_of_float32,
    three_columns_of_scores,
    one_column_with_costs,
    names_of_ours_are_free,
]
OF_FEW_ROWS = [
    thresholds_that_no_probability_reaches,
    times_of_a_zone_are_refused,
    a_label_is_one_value,
    a_combination_without_rows_has_no_counts,
    numbers_of_every_type_are_weights,
    narrow_integers_do_not_wrap,
    large_whole_numbers_are_exact,
    decimals_are_the_nearest_floats,
    counts_are_whole,
    counts_that_nobody_asks_for_are_suspected,
    no_samples_at_all_are_counts_too,
    wrong_weights_are_counted,
    wrong_scores_are_counted,
    integer_scores_that_may_be_one_float_are_counted,
    nan_alone_is_found,
    missing_labels_are_counted,
    missing_labels_never_meet_real_ones_of_their_name,
    missing_groups_are_counted,
    numbers_with_missing_ones_stay_exact,
    labels_of_decimals_are_exact,
    labels_that_are_not_a_number_are_missing,
    booleans_with_missing_ones,
    a_class_of_many,
    names_mean_nothing_else,
    an_empty_table_is_an_error,
    text_is_no_number,
]


# Curves.


def curve_of(make, columns, *args, **options):
    """The curve of a table of these columns."""
    return ThresholdCurve.from_frame(make(pa.table(columns)), *args, **options)


def curves_of(make, columns, *args, **options):
    """The curves of groups of such a table."""
    return ThresholdCurves.from_frame(make(pa.table(columns)), *args, **options)


def assert_same_counts(one, other):
    np.testing.assert_array_equal(one.thresholds, other.thresholds)
    for mine, theirs in zip(one.counts, other.counts, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-9)


def a_curve_at_every_score(make, data):
    curve = curve_of(make, data, "ill", "beech")
    want = ThresholdCurve.from_scores(data["ill"], data["beech"])
    assert_same_counts(curve, want)
    assert curve.counts.tp.dtype == np.int64
    assert curve.roc_auc() == want.roc_auc()
    assert (curve.pos_label, curve.labels.tolist()) == (True, [False, True])
    for name in ("whole", "weight"):
        curve = curve_of(make, data, "ill", "beech", sample_weight=name)
        assert_same_counts(
            curve, ThresholdCurve.from_scores(data["ill"], data["beech"], sample_weight=data[name])
        )


def a_curve_of_one_class_of_three(make, data):
    curve = curve_of(make, data, "actual", "exact", pos_label="beech")
    assert_same_counts(
        curve, ThresholdCurve.from_scores(data["actual"], data["exact"], pos_label="beech")
    )
    assert curve.labels.tolist() == ["not beech", "beech"]


def a_curve_of_float32(make, data):
    assert_same_counts(
        curve_of(make, data, "ill", "narrow"),
        ThresholdCurve.from_scores(data["ill"], data["narrow"]),
    )


def bins_have_the_counts_at_their_edges(make, data):
    for name in ("weight", "exact", "narrow"):
        curve = curve_of(make, data, "ill", name, bins=64)
        inside = np.clip(data[name], 0, 1)
        want = ThresholdCurve.from_scores(data["ill"], inside, thresholds=np.arange(64)[::-1] / 64)
        assert_same_counts(curve, want)
        assert curve.counts.tp.dtype == np.int64
    curve = curve_of(make, data, "ill", "weight", bins=8, sample_weight="exact")
    thresholds = np.arange(8)[::-1] / 8
    weights = data["exact"]
    assert_same_counts(
        curve,
        ThresholdCurve.from_scores(
            data["ill"], data["weight"], thresholds=thresholds, sample_weight=weights
        ),
    )


def groups_have_a_curve_each(make, data):
    curves = curves_of(make, data, "ill", "weight", by=["sex", "age"], bins=8)
    assert list(curves) == [(sex, age) for sex in "FM" for age in range(3, 8)]
    of = (data["sex"] == "M") & (data["age"] == 4)
    thresholds = np.arange(8)[::-1] / 8
    assert_same_counts(
        curves["M", 4],
        ThresholdCurve.from_scores(data["ill"][of], data["weight"][of], thresholds=thresholds),
    )
    assert_same_counts(sum(curves.values()), curve_of(make, data, "ill", "weight", bins=8))
    exact = curves_of(make, data, "ill", "beech", by="sex")
    of = data["sex"] == "F"
    assert_same_counts(exact["F"], ThresholdCurve.from_scores(data["ill"][of], data["beech"][of]))


def scores_beyond_all_bins(make):
    columns = {"y": [0, 1, 0, 1, 0, 1], "s": [-1e300, 1e308, 0.5, 0.25, 1.0, -0.0]}
    curve = curve_of(make, columns, "y", "s", bins=4)
    assert curve.counts.tp.tolist() == [1, 1, 2, 3]
    assert curve.counts.fp.tolist() == [1, 2, 2, 3]


def wrong_scores_of_curves_are_counted(make):
    inf, nan = float("inf"), float("nan")
    columns = {"y": [0, 1, 0, 1, 1], "s": pa.array([0.5, nan, inf, None, 0.2])}
    for bins in (None, 4):
        with pytest.raises(ValueError, match="score holds 3 rows that are null, NaN or infinite"):
            curve_of(make, columns, "y", "s", bins=bins)
    lost = {"y": pa.array([0, None, 1]), "s": [0.5, nan, 0.7]}
    with pytest.warns(UserWarning, match="1 rows are omitted"):
        curve = curve_of(make, lost, "y", "s", bins=4, missing="drop")
    assert curve.counts.tp.tolist() == [0, 1, 1, 1]


def rows_of_curves_may_be_counts(make):
    columns = {
        "y": [0, 1, 0, 1, 1],
        "s": [0.25, 0.25, 0.75, 0.75, 0.5],
        "g": list("ababa"),
        "n": [40, 5, 10, 45, 3],
    }
    with pytest.warns(UserWarning, match="pass count='n'"):
        assert curve_of(make, columns, "y", "s").roc_auc() == 0.5
    samples = {own: np.repeat(values, columns["n"]) for own, values in columns.items()}
    curve = curve_of(make, columns, "y", "s", count="n")
    want = ThresholdCurve.from_scores(samples["y"], samples["s"])
    assert_same_counts(curve, want)
    assert str(curve.interval("roc_auc")) == str(want.interval("roc_auc"))
    binned = curve_of(make, columns, "y", "s", bins=4, count="n")
    assert binned.counts.tp.tolist() == [45, 48, 53, 53]
    assert binned.counts.tp.dtype == np.int64
    of_groups = curves_of(make, columns, "y", "s", by="g", count="n")
    of = samples["g"] == "a"
    assert_same_counts(
        of_groups["a"], ThresholdCurve.from_scores(samples["y"][of], samples["s"][of])
    )
    with pytest.raises(ValueError, match="pass only one of them"):
        curve_of(make, columns, "y", "s", count="n", sample_weight="n")
    with pytest.raises(ValueError, match="count holds 5 rows that are not integers"):
        curve_of(make, columns | {"n": [0.5] * 5}, "y", "s", count="n")


CURVES_OF_MANY_ROWS = [
    a_curve_at_every_score,
    a_curve_of_one_class_of_three,
    a_curve_of_float32,
    bins_have_the_counts_at_their_edges,
    groups_have_a_curve_each,
]
CURVES_OF_FEW_ROWS = [
    scores_beyond_all_bins,
    wrong_scores_of_curves_are_counted,
    rows_of_curves_may_be_counts,
]
