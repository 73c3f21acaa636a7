"""DataArrays of xarray are matched by dimensions and coordinates, or refused with advice."""

import re

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    ThresholdCurves,
    accuracy_score,
    expected_cost,
    get_scorer,
    labels_from_scores,
    recall_score,
)

ICE = xr.DataArray(
    [[0, 1, 1], [1, 0, 0]], dims=("lat", "lon"), coords={"lat": [60, 70], "lon": [1, 2, 3]}
)
TRUE = ICE.stack(cell=("lat", "lon"))
NORTH_FIRST = ICE[::-1].stack(cell=("lat", "lon"))
SCORES = TRUE.astype(float) / 2 + 0.25
ROWS = xr.concat([1 - SCORES, SCORES], pd.Index([0, 1], name="class")).transpose("cell", "class")
WEIGHTS = xr.ones_like(TRUE)


def moved(array):
    """The same cells in another order."""
    return (
        array.unstack("cell")
        .isel(lat=slice(None, None, -1))
        .stack(cell=("lat", "lon"))
        .transpose("cell", ...)
    )


COMPARED = {
    "labels": lambda true, other: accuracy_score(true, moved(TRUE) if other else TRUE),
    "a matrix": lambda true, other: ConfusionMatrix.from_predictions(
        true, moved(TRUE) if other else TRUE
    ).score("accuracy"),
    "scores": lambda true, other: ConfusionMatrix.from_scores(
        true, moved(SCORES) if other else SCORES
    ).score("recall"),
    "columns of scores": lambda true, other: ThresholdCurves.from_scores(
        true, moved(ROWS) if other else ROWS
    )[1].roc_auc(),
    "a column of a curve": lambda true, other: ThresholdCurve.from_scores(
        true, moved(ROWS) if other else ROWS
    ).roc_auc(),
    "a curve": lambda true, other: ThresholdCurve.from_scores(
        true, moved(SCORES) if other else SCORES
    ).roc_auc(),
    "weights": lambda true, other: accuracy_score(
        true, TRUE, sample_weight=moved(WEIGHTS) if other else WEIGHTS
    ),
    "weights of arrays": lambda true, other: recall_score(
        true, TRUE.values, sample_weight=moved(WEIGHTS) if other else WEIGHTS
    ),
    "groups": lambda true, other: (
        ConfusionMatrix.from_predictions(true, TRUE, by=(moved(TRUE) if other else TRUE) + 2)
        .score("accuracy")
        .min()
    ),
    "an index of pandas": lambda true, other: accuracy_score(
        true, (moved(TRUE) if other else TRUE).to_series()
    ),
}


@pytest.mark.parametrize("compare", COMPARED.values(), ids=COMPARED)
def test_what_is_in_another_order_is_refused(compare):
    assert compare(TRUE, False) == 1
    with pytest.raises(
        ValueError, match=r"xr\.align\(.*join='inner'\)|with the same index in different orders"
    ):
        compare(TRUE, True)


def test_the_advice_brings_them_in_one_order():
    with pytest.raises(
        ValueError,
        match=re.escape("different coordinates 'cell', such as [(60, 1), (60, 2), (60, 3)]"),
    ):
        accuracy_score(TRUE, NORTH_FIRST)
    assert accuracy_score(*xr.align(TRUE, NORTH_FIRST, join="inner")) == 1
    days = xr.DataArray(
        [0, 1, 1], dims="day", coords={"day": pd.date_range("2026-01-01", periods=3)}
    )
    with pytest.raises(ValueError, match="different coordinates 'day'"):
        accuracy_score(days, days.assign_coords(day=days["day"] + np.timedelta64(1, "D")))
    with pytest.raises(ValueError, match="different coordinates 'day'"):
        accuracy_score(days, days[1:])
    assert accuracy_score(*xr.align(days, days[1:], join="inner")) == 1
    # An index need not have the name of the dimension.
    stations = xr.DataArray([0, 1], dims="i", coords={"station": ("i", ["x", "y"])}).set_xindex(
        "station"
    )
    with pytest.raises(ValueError, match="different coordinates 'station'"):
        accuracy_score(stations, stations[::-1])
    assert accuracy_score(stations, stations) == 1


def test_what_has_no_names_is_by_position():
    for plain in (
        TRUE.values,
        TRUE.values.tolist(),
        xr.DataArray(TRUE.values),
        TRUE.drop_vars(["cell", "lat", "lon"]),
    ):
        assert accuracy_score(TRUE, plain) == accuracy_score(plain, TRUE) == 1
    assert accuracy_score(TRUE, xr.DataArray(pd.Series(TRUE.values))) == 1
    of_series = pd.Series(TRUE.values).rename_axis("cell").to_xarray()
    with pytest.raises(ValueError, match="different coordinates 'cell'"):
        accuracy_score(of_series[::-1], of_series)


@pytest.mark.parametrize(
    ("use", "name"),
    [
        (lambda: accuracy_score(ICE, ICE), "y_true"),
        (lambda: accuracy_score(TRUE, ICE), "y_pred"),
        (lambda: accuracy_score(TRUE, TRUE, sample_weight=ICE), "sample_weight"),
        (lambda: accuracy_score(TRUE.values, TRUE.values, sample_weight=ICE), "sample_weight"),
        (
            lambda: labels_from_scores(
                xr.DataArray(np.zeros((2, 3, 2)), dims=("lat", "lon", "class"))
            ),
            "y_score",
        ),
        (lambda: ConfusionMatrix.from_scores(TRUE, ICE / 2), "y_score"),
        (lambda: ThresholdCurve.from_scores(TRUE, ICE / 2), "y_score"),
        (lambda: ConfusionMatrix.from_predictions(TRUE.values, TRUE.values, by=ICE), "by"),
    ],
)
def test_fields_are_to_be_stacked(use, name):
    with pytest.raises(ValueError, match=rf"{name}\.stack\("):
        use()


def test_samples_must_come_first():
    with pytest.raises(
        ValueError,
        match=re.escape("y_score one along 'class'") + r".*\.transpose\('cell', \.\.\.\)",
    ):
        ConfusionMatrix.from_scores(TRUE, ROWS.transpose("class", "cell"))


@pytest.mark.parametrize("missing", [np.nan, None])
def test_land_is_to_be_dropped(missing):
    ice = xr.DataArray(
        np.array([0, 1, missing, 1], dtype=object if missing is None else float), dims="cell"
    )
    ice = ice.assign_coords(cell=[1, 2, 3, 4])
    everywhere = xr.DataArray([0, 1, 1, 1], dims="cell", coords={"cell": [1, 2, 3, 4]})
    advice = re.escape(".dropna('cell')") + r".*xr\.align\(\.\.\., join='inner'\)"
    with pytest.raises(ValueError, match=rf"y_true holds 1 missing values.*y_true{advice}"):
        accuracy_score(ice, everywhere)
    assert accuracy_score(*xr.align(ice.dropna("cell"), everywhere, join="inner")) == 1
    if missing is not None:
        with pytest.raises(ValueError, match=rf"y_score holds NaN.*y_score{advice}"):
            ThresholdCurve.from_scores(everywhere, ice)
        with pytest.raises(ValueError, match=rf"sample_weight holds NaN.*sample_weight{advice}"):
            accuracy_score(everywhere, everywhere, sample_weight=ice)
    by = xr.DataArray(["u", None, "v", "u"], dims="cell", coords=ice.coords)
    cm = ConfusionMatrix.from_predictions(everywhere, everywhere, by=by, missing_group="sea")
    assert cm.axes[0].coordinates.tolist() == ["u", "v", "sea"]


def test_names_of_classes_are_matched():
    rows = xr.DataArray(
        [[0.9, 0.1], [0.2, 0.8]], dims=("cell", "class"), coords={"class": ["water", "ice"]}
    )
    assert ConfusionMatrix.from_scores(["water", "ice"], rows).score("accuracy") == 1
    assert labels_from_scores(rows).tolist() == ["water", "ice"]
    costs = xr.DataArray([[0, 1], [5, 0]], dims=("actual", "predicted"))
    costs = costs.assign_coords(actual=["water", "ice"], predicted=["water", "ice"])
    # Ice that was taken for water: 5, of two cells.
    assert expected_cost(["water", "ice"], ["water", "water"], cost_matrix=costs) == 5 / 2
    cm = ConfusionMatrix.from_counts(costs)
    assert cm.labels.tolist() == ["ice", "water"]
    assert cm.counts.tolist() == [[0, 5], [1, 0]]
    cuts = xr.DataArray([0.5, 0.05], dims="class", coords={"class": ["water", "ice"]})
    assert labels_from_scores(rows, threshold=cuts, classes=["water", "ice"]).tolist() == [
        "ice",
        "ice",
    ]


def test_scorers_take_them():
    X = xr.DataArray(
        np.arange(20.0)[:, None] % 7, dims=("time", "feature"), coords={"time": np.arange(20) + 5}
    )
    y = xr.DataArray(np.arange(20) % 2, dims="time", coords={"time": X["time"]})
    model = LogisticRegression()
    for scorer in (get_scorer("recall"), ConfusionScorer("recall", threshold=0.5)):
        expected = cross_val_score(model, X.values, y.values, scoring=scorer, cv=2)
        assert cross_val_score(model, X, y, scoring=scorer, cv=2).tolist() == expected.tolist()


def test_costs_are_met_by_their_dimensions_and_coordinates_of_any_index():
    coordinates = {"actual": pd.RangeIndex(2), "predicted": pd.RangeIndex(2)}
    costs = xr.DataArray([[0, 1], [5, 0]], dims=("actual", "predicted"), coords=coordinates)
    rows = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]
    # Of the second row 0 costs .4 * 5 = 2 and 1 costs .6.
    for given in (costs, costs.transpose("predicted", "actual")):
        assert labels_from_scores(rows, cost_matrix=given).tolist() == [0, 1, 1]
    assert labels_from_scores(rows[:2], classes=[1, 0], cost_matrix=costs).tolist() == [1, 1]
