"""Leading axes: entries by coordinate, matrices stacked, axes and labels aligned when added."""

import itertools
import pickle
from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext import ConfusionMatrix, accuracy_score, plot_confusion_matrix

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

RANDOM = np.random.default_rng(1)
N = 200
TRUE, PRED = RANDOM.integers(0, 2, (2, N))
SEX = np.array(["F", "M"])[RANDOM.integers(0, 2, N)]
YEAR = RANDOM.integers(2020, 2024, N)
BOTH = ConfusionMatrix.from_predictions(TRUE, PRED, labels=[0, 1], by={"sex": SEX, "year": YEAR})


def of(chosen, **options):
    return ConfusionMatrix.from_predictions(TRUE[chosen], PRED[chosen], labels=[0, 1], **options)


def names_of(cm):
    return [axis.name for axis in cm.axes]


def coordinates_of(cm):
    return [axis.coordinates.tolist() for axis in cm.axes]


def test_one_entry_drops_the_axis():
    assert BOTH.sel(sex="F", year=2021) == of((SEX == "F") & (YEAR == 2021))
    assert BOTH.sel(sex="F") == of(SEX == "F", by={"year": YEAR[SEX == "F"]})
    assert BOTH.sel(year=np.int64(2022)) == of(YEAR == 2022, by={"sex": SEX[YEAR == 2022]})
    assert BOTH.sel(sex=np.str_("M")) == BOTH.sel(sex="M")
    assert BOTH.sel() == BOTH


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, iter])
def test_a_list_keeps_the_axis_in_its_own_order(kind):
    cm = BOTH.sel(year=kind([2023, 2020]))
    assert coordinates_of(cm) == [["F", "M"], [2023, 2020]]
    assert cm.sel(year=2020) == BOTH.sel(year=2020)
    assert cm.sel(year=2023, sex="M") == BOTH.sel(sex="M", year=2023)
    one = BOTH.sel(sex=["M"])
    assert (names_of(one), one.counts.shape) == (["sex", "year"], (1, 4, 2, 2))


def test_the_positive_class_and_the_ranking_are_kept():
    cm = ConfusionMatrix.from_predictions(["n", "y"], ["y", "y"], labels=["n", "y"], by=["a", "b"])
    assert (cm.sel(group="a").pos_label, cm.sel(group="a").ranking.tolist()) == ("y", ["n", "y"])
    assert cm.sel(group="b").score("recall") == 1


def test_labels_of_multilabel_data_can_be_chosen():
    true, pred = RANDOM.integers(0, 2, (2, N, 3))
    columns = ["x", "y", "z"]
    cm = ConfusionMatrix.from_predictions(
        pd.DataFrame(true, columns=columns), pred, by={"sex": SEX}
    )
    assert cm.sel(label="y", sex="M") == ConfusionMatrix.from_predictions(
        true[SEX == "M", 1], pred[SEX == "M", 1]
    )
    assert cm.sel(label="y").score("f1").tolist() == cm.score("f1")[:, 1].tolist()
    pair = cm.sel(label=["z", "x"])
    np.testing.assert_allclose(pair.score("f1_macro"), cm.score("f1")[:, [0, 2]].mean(1))


def test_dates_are_chosen_as_dates_of_any_kind_or_as_text():
    days = np.array(["2026-01-31", "2026-02-01"], "M8[D]")
    cm = ConfusionMatrix.from_predictions([0, 1], [1, 1], by={"day": days})
    wanted = ConfusionMatrix.from_predictions([0], [1], labels=[0, 1])
    for day in (
        days[0],
        date(2026, 1, 31),
        "2026-01-31",
        pd.Timestamp("2026-01-31"),
        days[0].astype("M8[ns]"),
    ):
        assert cm.sel(day=day) == wanted
    assert cm.sel(day=["2026-02-01"]).n_samples.tolist() == [1]
    for day in ("2026-02-02", "never", 20484):
        with pytest.raises(ValueError, match="the axis 'day' has no entry"):
            cm.sel(day=day)


@pytest.mark.parametrize(
    ("entries", "error", "message"),
    [
        ({"gender": "F"}, ValueError, r"there is no axis 'gender'; the axes are \['sex', 'year'\]"),
        ({"yaer": 2020}, ValueError, r"Did you mean 'year'\?"),
        ({"sex": "X"}, ValueError, r"the axis 'sex' has no entry 'X'; it has \['F', 'M'\]"),
        ({"sex": 0}, ValueError, "the axis 'sex' has no entry 0"),
        (
            {"year": ["2020"]},
            ValueError,
            r"the axis 'year' has no entry '2020'; it has \[2020, 2021, 2022, 2023\]",
        ),
        ({"year": []}, ValueError, "year= is empty"),
        ({"year": [2020, 2021, 2020.0]}, ValueError, "year= lists an entry twice"),
        ({"year": None}, TypeError, "year= must be an entry or several"),
        ({"year": slice(2020, 2022)}, TypeError, "year= must be an entry or several"),
        ({"year": [[2020]]}, ValueError, r"the axis 'year' has no entry \[2020\]"),
    ],
)
def test_what_is_not_there_says_what_there_is(entries, error, message):
    with pytest.raises(error, match=message):
        BOTH.sel(**entries)


def test_an_axis_may_be_called_self():
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by={"self": SEX})
    assert cm.sel(self="F") == of(SEX == "F")


def test_a_picture_of_one_matrix_says_how_to_choose_one():
    with pytest.raises(ValueError, match=r"cm\.sel\(sex='F', year=2020\)\.$"):
        plot_confusion_matrix(BOTH)


def test_an_array_of_a_matrix_is_its_counts():
    assert (np.asarray(BOTH) == BOTH.counts).all()
    assert not np.asarray(BOTH).flags.writeable
    assert np.asarray(BOTH, dtype=float).dtype == float
    assert np.array(BOTH, copy=True).flags.writeable
    assert np.shares_memory(np.array(BOTH, copy=False), BOTH.counts)
    with pytest.raises(ValueError, match="copy"):
        np.array(BOTH, dtype=float, copy=False)
    np.testing.assert_array_equal(BOTH, BOTH.counts)


def test_a_matrix_is_no_operand_of_arrays_and_no_labels():
    for wrong in (
        lambda: BOTH + BOTH.counts,
        lambda: BOTH.counts + BOTH,
        lambda: np.int64(0) + BOTH,
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError, match=r"accuracy_score takes labels.*cm\.score\('accuracy'\)"):
        accuracy_score(ConfusionMatrix.from_counts([[0, 1], [1, 0]], [0, 1]), [[0, 1], [1, 0]])


# Adding up

CHUNKS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from("abc"),
        st.sampled_from(["F", "M", "X"]),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=6,
)


def counted(samples):
    true, pred, sex, year = (list(column) for column in zip(*samples, strict=True))
    return ConfusionMatrix.from_predictions(true, pred, by={"sex": sex, "year": year})


@given(chunks=st.lists(CHUNKS, min_size=1, max_size=4))
def test_chunks_with_other_groups_and_labels_add_up_to_the_whole_in_any_order(chunks):
    whole = counted([sample for chunk in chunks for sample in chunk])
    for order in itertools.permutations(chunks):
        assert sum(map(counted, order)) == whole
    stacked = ConfusionMatrix.stack(dict(enumerate(map(counted, chunks))), axis="chunk")
    assert stacked.sum("chunk") == whole


@pytest.mark.parametrize(
    ("first", "second", "union"),
    [
        (["a", "b"], ["a", "c"], ["a", "b", "c"]),
        (["b"], ["a"], ["a", "b"]),
        (["b", "a"], ["c", "a"], ["b", "a", "c"]),
        (["b", "a"], ["a"], ["b", "a"]),
        (["a"], ["b", "a"], ["b", "a"]),
        (["a", "c"], ["c", "b", "a"], ["c", "b", "a"]),
        ([1, 2], [2.0, 3.0], [1, 2, 3]),
        ([0.25, 0.5], [0, 1], [0, 0.25, 0.5, 1]),
        ([2**60 + 1], [2**60], [2**60, 2**60 + 1]),
        ([True], [False], [False, True]),
        ([0.5, np.nan], [np.nan], [0.5, np.nan]),
    ],
)
def test_coordinates_are_united(first, second, union):
    one, other = (
        ConfusionMatrix(
            np.arange(1, 1 + len(c))[:, None, None], np.array([0]), (("axis", np.array(c)),)
        )
        for c in (first, second)
    )
    total = one + other
    np.testing.assert_array_equal(total.axes[0].coordinates, np.array(union))
    for place, entry in enumerate(union):
        expected = 0
        for coordinates in (first, second):
            found = [
                k
                for k, own in enumerate(coordinates)
                if own == entry or (own != own and entry != entry)
            ]
            expected += sum(k + 1 for k in found)
        assert total.counts[place].item() == expected


@pytest.mark.parametrize(("least", "large"), [(-1, 2**53 + 1), (0, 2**63 + 1)])
def test_signed_and_unsigned_integers_are_united_without_rounding(least, large):
    of_signed = of(slice(2), by=np.array([least, 2**53 + 1]))
    of_unsigned = of(slice(2), by=np.array([5, large], dtype=np.uint64))
    for total in (of_signed + of_unsigned, of_unsigned + of_signed):
        assert total.axes[0].coordinates.tolist() == sorted({least, 5, 2**53 + 1, large})
        assert total.axes[0].coordinates.dtype.kind != "f"
        for entry in total.axes[0].coordinates.tolist():
            expected = sum(
                cm.sel(group=entry).counts
                for cm in (of_signed, of_unsigned)
                if entry in cm.axes[0].coordinates
            )
            np.testing.assert_array_equal(total.sel(group=entry).counts, expected)


def test_dates_of_two_units_are_the_same_days():
    one = ConfusionMatrix(
        np.ones((2, 1, 1), int),
        np.array([0]),
        (("day", np.array(["2026-01-01", "2026-01-03"], "M8[D]")),),
    )
    other = ConfusionMatrix(
        np.ones((2, 1, 1), int),
        np.array([0]),
        (("day", np.array(["2026-01-02", "2026-01-03"], "M8[s]")),),
    )
    total = one + other
    assert total.n_samples.tolist() == [1, 1, 2]
    assert (
        total.axes[0].coordinates == np.array(["2026-01-01", "2026-01-02", "2026-01-03"], "M8[D]")
    ).all()


def test_axes_are_matched_by_name():
    turned = ConfusionMatrix.from_predictions(
        TRUE, PRED, labels=[0, 1], by={"year": YEAR, "sex": SEX}
    )
    assert turned != BOTH
    total = BOTH + turned
    assert names_of(total) == ["sex", "year"]
    assert total.counts.tolist() == (2 * BOTH.counts).tolist()


def test_an_axis_that_one_of_them_lacks_is_an_error():
    message = (
        r"leading axes differ: sex .*, year .* of the first matrix and sex .* of the "
        r"second.*sum\(\).*sel\(\)"
    )
    with pytest.raises(ValueError, match=message):
        BOTH + BOTH.sum("year")
    with pytest.raises(ValueError, match="none of the second"):
        BOTH + BOTH.sum("year").sum("sex")
    with pytest.raises(
        ValueError, match=r"axis 'sex' has strings \['F', 'M'\] in one matrix and numbers \[0, 1\]"
    ):
        BOTH + ConfusionMatrix.from_predictions(
            TRUE, PRED, by={"sex": (SEX == "M") * 1, "year": YEAR}
        )


def test_multilabel_matrices_with_columns_in_another_order_add_up_by_name():
    true, pred = (
        pd.DataFrame(RANDOM.integers(0, 2, (9, 3)), columns=["x", "y", "z"]) for _ in range(2)
    )
    one = ConfusionMatrix.from_predictions(true, pred)
    other = ConfusionMatrix.from_predictions(true[["z", "x", "y"]], pred[["z", "x", "y"]])
    assert other.axes[0].coordinates.tolist() == ["z", "x", "y"]
    assert one + other == one + one
    assert (other + one).axes[0].coordinates.tolist() == ["z", "x", "y"]
    assert (other + one).sel(label="x") == (one + one).sel(label="x")
    with pytest.raises(
        ValueError, match=r"the axis label \['x', 'y', 'z'\], but the second label \['z', 'x'\]"
    ):
        one + ConfusionMatrix.from_predictions(true[["z", "x"]], pred[["z", "x"]])


# Stacking


def test_matrices_are_stacked_by_name_with_labels_and_axes_aligned():
    january = ConfusionMatrix.from_predictions(["a", "b"], ["a", "c"], by={"sex": ["F", "M"]})
    february = ConfusionMatrix.from_predictions(
        ["b", "d"], ["b", "b"], by={"sex": ["X", "M"]}, sample_weight=[0.5, 1]
    )
    cm = ConfusionMatrix.stack({"2026-02": february, "2026-01": january}, axis="month")
    assert names_of(cm) == ["month", "sex"]
    assert coordinates_of(cm) == [["2026-02", "2026-01"], ["F", "M", "X"]]
    assert (cm.labels.tolist(), cm.counts.dtype) == (["a", "b", "c", "d"], float)
    assert cm.sum("month") == january + february
    back = cm.sel(month="2026-01", sex=["F", "M"])
    assert back == january.with_labels(["a", "b", "c", "d"])
    assert pickle.loads(pickle.dumps(cm)) == ConfusionMatrix.from_dict(cm.to_dict()) == cm


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([2, 1], [2, 1]),
        ([0.3, 1], [0.3, 1.0]),
        ([date(2026, 1, 2), date(2026, 1, 1)], [date(2026, 1, 2), date(2026, 1, 1)]),
        ([False, True], [False, True]),
        (
            [np.datetime64("2026-01"), np.datetime64("2026-02")],
            [date(2026, 1, 1), date(2026, 2, 1)],
        ),
    ],
)
def test_keys_of_any_kind_are_coordinates(keys, expected):
    cm = ConfusionMatrix.stack(
        {key: BOTH.sel(sex=s) for key, s in zip(keys, "FM", strict=True)}, axis="k"
    )
    assert cm.axes[0].coordinates.tolist() == expected
    assert cm.sel(k=keys[1]) == BOTH.sel(sex="M")


def test_the_positive_class_of_stacked_matrices_is_that_of_all():
    one, other = (
        ConfusionMatrix.from_predictions(["n", "y"], ["n", "y"], labels=order)
        for order in (["n", "y"], None)
    )
    assert ConfusionMatrix.stack({1: one, 2: other}, axis="k").pos_label == "y"
    assert ConfusionMatrix.stack({1: other, 2: one}, axis="k").pos_label == "y"
    wrong = ConfusionMatrix(one.counts, one.labels, pos_label="n")
    with pytest.raises(ValueError, match="the positive classes differ, 'y' and 'n'"):
        ConfusionMatrix.stack({1: other, 2: one, 3: wrong}, axis="k")


ONE = ConfusionMatrix.from_counts([[3, 1], [0, 2]], [0, 1])


@pytest.mark.parametrize(
    ("matrices", "axis", "error", "message"),
    [
        ({}, "k", ValueError, "matrices is empty"),
        (
            [ONE],
            "k",
            TypeError,
            "matrices must be a dict of coordinate to ConfusionMatrix; got list",
        ),
        ({"a": ONE, "b": [[1]]}, "k", TypeError, r"matrices\['b'\] is no ConfusionMatrix but list"),
        ({"a": ONE}, 0, TypeError, "axis must be the name of the new axis; got 0"),
        ({"a": ONE}, "label", ValueError, "axis='label' is already a column name"),
        ({"a": BOTH}, "sex", ValueError, "the matrices already have an axis 'sex'"),
        ({"a": ONE, 1: ONE}, "k", ValueError, "matrices holds a mix of numbers and strings"),
        (
            {0.5: ONE, "a": ONE},
            "k",
            ValueError,
            "matrices has keys of mixed types, such as 'a' alongside numbers",
        ),
        (
            {0.5: ONE, 2**53: ONE, 2**53 + 1: ONE},
            "k",
            ValueError,
            "matrices has the key 9007199254740993 alongside fractions, which no float is equal to",
        ),
        ({("a", 1): ONE}, "k", ValueError, "matrices holds tuples"),
        (
            {"a": ONE, "b": BOTH},
            "k",
            ValueError,
            r"leading axes differ: none of matrices\['a'\] and sex",
        ),
        (
            {"a": ONE, "b": ConfusionMatrix.from_counts([[1]], ["x"])},
            "k",
            ValueError,
            r"Mix of.*matrices",
        ),
        (
            {"a": ONE, "b": ConfusionMatrix.from_counts([[1, 2], [3, 4]], [1, 0])},
            "k",
            ValueError,
            "label orders differ",
        ),
    ],
)
def test_what_can_not_be_stacked_says_why(matrices, axis, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.stack(matrices, axis=axis)


def test_axes_that_would_have_too_many_cells_together_are_refused(monkeypatch):
    one, other = (
        ConfusionMatrix.from_predictions(ids % 2, ids % 2, by={"a": ids, "b": ids % 2})
        for ids in (np.arange(10), np.arange(10, 20))
    )
    monkeypatch.setattr("skmetrics_ext.reading.groups.MOST_CELLS", 159)
    with pytest.raises(
        ValueError,
        match=r"axes \['a', 'b'\] have 20 x 2 entries of 4 cells.*pool 'a' \(20 entries\)",
    ):
        one + other


def test_two_axes_with_one_name_are_refused():
    with pytest.raises(ValueError, match=r"two axes have the same name: a \[0\], a \[0\]"):
        ConfusionMatrix(
            np.ones((1, 1, 1, 1)), np.array([0]), (("a", np.array([0])), ("a", np.array([0])))
        )
