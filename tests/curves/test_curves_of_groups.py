"""Curves of groups against each group by itself, and their sums at common thresholds."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score, roc_auc_score

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, ThresholdCurves

RANDOM = np.random.default_rng(1)
Y = np.array(["ill", "well"])[RANDOM.integers(0, 2, 120)]
SCORES = (RANDOM.random(120) + 0.5 * (Y == "ill")).round(1)
SITES = np.array(["north", "south", "west"])[RANDOM.integers(0, 3, 120)]
FRACTIONS = RANDOM.random(120)
WEIGHTS = {"none": None, "whole": RANDOM.integers(0, 4, 120), "fractions": FRACTIONS}


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("positive", ["ill", "well"])
def test_each_group_has_the_curve_of_its_samples(positive, weights):
    curves = ThresholdCurves.from_scores(
        Y, SCORES, pos_label=positive, by=SITES, sample_weight=weights
    )
    assert (curves.axis.name, [*curves]) == ("group", ["north", "south", "west"])
    order = ["well", "ill"] if positive == "ill" else ["ill", "well"]
    assert (curves.labels.tolist(), curves.pos_label) == (order, positive)
    areas, precisions, best = curves.roc_auc(), curves.average_precision(), curves.best("f1")
    for place, (site, curve) in enumerate(curves.items()):
        mine = np.equal(SITES, site)
        weight = None if weights is None else weights[mine]
        alone = ThresholdCurve.from_scores(
            Y[mine], SCORES[mine], pos_label=positive, sample_weight=weight
        )
        np.testing.assert_array_equal(curve.thresholds, alone.thresholds)
        np.testing.assert_array_equal(curve.counts, alone.counts)
        assert areas[place] == pytest.approx(
            roc_auc_score(Y[mine] == positive, SCORES[mine], sample_weight=weight)
        )
        expected = average_precision_score(Y[mine] == positive, SCORES[mine], sample_weight=weight)
        assert precisions[place] == pytest.approx(expected)
        assert best.thresholds[place] == alone.best("f1").threshold
        assert best.value[place] == alone.best("f1").value
    together = ThresholdCurve.from_scores(Y, SCORES, pos_label=positive, sample_weight=weights)
    np.testing.assert_array_equal(curves.sum("group").thresholds, together.thresholds)
    np.testing.assert_allclose(curves.sum("group").counts, together.counts, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda sites: {"site": sites}, id="dict"),
        pytest.param(lambda sites: {"site": pd.Series(sites)}, id="dict of a Series"),
        pytest.param(lambda sites: pd.DataFrame({"site": sites}), id="pandas"),
        pytest.param(lambda sites: pl.DataFrame({"site": sites}), id="polars"),
    ],
)
def test_a_column_of_groups_names_the_axis(make):
    curves = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=make(SITES))
    plain = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES)
    assert repr(curves) == "ThresholdCurves of 120 samples, 3 groups by 'site', positive 'ill'"
    assert (curves.axis.name, [*curves]) == ("site", [*plain])
    np.testing.assert_array_equal(curves.roc_auc(), plain.roc_auc())
    assert curves.sum("site").roc_auc() == plain.sum("group").roc_auc()
    assert curves.at_thresholds([1.25]).axes[0].name == "site"
    assert curves.to_frame().columns[0] == "site"
    clusters = {"patient": np.arange(120) // 2}
    curve = ThresholdCurve.from_scores(Y, SCORES, pos_label="ill", clusters=clusters)
    expected = ThresholdCurve.from_scores(Y, SCORES, pos_label="ill", clusters=np.arange(120) // 2)
    assert repr(curve.interval("roc_auc")) == repr(expected.interval("roc_auc"))


def test_several_columns_of_groups_are_one_axis_of_their_combinations():
    sexes = pd.Categorical(np.resize(["w", "m", "m"], 120), ["w", "m"], ordered=True)
    curves = ThresholdCurves.from_scores(
        Y, SCORES, pos_label="ill", by={"site": SITES, "sex": sexes}
    )
    assert curves.axis.name == "site, sex"
    pairs = sorted(set(zip(SITES, sexes, strict=True)), key=lambda pair: (pair[0], pair[1] == "m"))
    assert [*curves] == pairs
    for site, sex in pairs:
        alone = (site == SITES) & (sexes == sex)
        expected = ThresholdCurve.from_scores(Y[alone], SCORES[alone], pos_label="ill")
        found = curves[site, sex]
        np.testing.assert_array_equal(found.thresholds, expected.thresholds)
        np.testing.assert_array_equal(found.counts, expected.counts)
    frame = pd.DataFrame({"site": SITES, "sex": sexes})
    for by in (frame, [SITES, sexes]):
        again = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=by)
        np.testing.assert_array_equal(again.roc_auc(), curves.roc_auc())


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ({}, "by is empty"),
        ({"threshold": SITES}, "by has the name 'threshold', which is already used"),
        ({"fold": SITES}, "by has the name 'fold', which is already used"),
        ({"site": SITES[1:]}, r"by\['site'\].*one group"),
    ],
)
def test_groups_that_a_curve_cannot_have_are_refused(by, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=by)


def test_groups_at_common_thresholds():
    at = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES).at_thresholds(
        [0.3, 0.8, np.inf]
    )
    assert [axis.name for axis in at.axes] == ["group", "threshold"]
    for column, cut in enumerate([0.3, 0.8, np.inf]):
        expected = ConfusionMatrix.from_predictions(
            Y, np.where(np.greater_equal(SCORES, cut), "ill", "well"), by=SITES, pos_label="ill"
        )
        np.testing.assert_array_equal(at.counts[:, column], expected.counts)
    assert at.pos_label == "ill"


def test_scores_of_all_classes_are_those_of_the_positive_one():
    columns = pd.DataFrame({"well": 1 - SCORES, "ill": SCORES})
    expected = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES).roc_auc()
    for scores in (columns, columns[["ill", "well"]].to_numpy()):
        np.testing.assert_array_equal(
            ThresholdCurves.from_scores(Y, scores, pos_label="ill", by=SITES).roc_auc(), expected
        )


def test_one_class_of_several_in_groups():
    kinds = np.where(Y == "ill", "ill", np.where(SITES == "west", "well", "dead"))
    curves = ThresholdCurves.from_scores(kinds, SCORES, pos_label="ill", by=SITES)
    assert curves.labels.tolist() == ["not ill", "ill"]
    np.testing.assert_array_equal(
        curves.roc_auc(),
        ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES).roc_auc(),
    )
    with pytest.raises(ValueError, match="a curve is for one class: pass pos_label="):
        ThresholdCurves.from_scores(kinds, SCORES, by=SITES)


@pytest.mark.parametrize(("lacking", "precision"), [("ill", np.nan), ("well", 1.0)])
def test_a_group_of_a_single_class_has_no_area(lacking, precision):
    present = {"ill": "well", "well": "ill"}[lacking]
    y = np.where(SITES == "south", present, Y)
    curves = ThresholdCurves.from_scores(y, SCORES, pos_label="ill", by=SITES)
    with pytest.warns(
        UndefinedMetricWarning, match=r"roc_auc is undefined for \['south'\]"
    ) as record:
        assert np.isnan(curves.roc_auc()).tolist() == [False, True, False]
    assert len(record) == 1
    if np.isnan(precision):
        with pytest.warns(
            UndefinedMetricWarning, match=r"average_precision is undefined for \['south'\]"
        ):
            assert np.isnan(curves.average_precision()[1])
    else:
        assert curves.average_precision()[1] == precision
    expected = roc_auc_score(y == "ill", SCORES)
    assert curves.sum("group").roc_auc() == pytest.approx(expected)


def test_groups_are_in_the_order_of_an_ordered_categorical():
    order = ["west", "north", "east", "south"]
    curves = ThresholdCurves.from_scores(
        Y, SCORES, pos_label="ill", by=pd.Categorical(SITES, order, ordered=True)
    )
    assert [*curves] == ["west", "north", "south"]
    alone = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES)
    for site in curves:
        np.testing.assert_array_equal(curves[site].counts, alone[site].counts)


def test_groups_are_of_the_samples_that_an_index_names():
    y = pd.Series(Y, index=np.arange(120) + 7)
    by = pd.Series(SITES, index=y.index)
    assert [*ThresholdCurves.from_scores(y, SCORES, pos_label="ill", by=by)] == [
        "north",
        "south",
        "west",
    ]
    with pytest.raises(ValueError, match="different orders"):
        ThresholdCurves.from_scores(y, SCORES, pos_label="ill", by=by[::-1])
    with pytest.raises(ValueError, match="different orders"):
        ThresholdCurves.from_scores(
            Y, pd.Series(SCORES, index=y.index), pos_label="ill", by=by[::-1]
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": SITES}, "pos_label="),
        (
            {"by": SITES, "pos_label": "ill", "classes": ["ill", "well"]},
            "classes= makes a curve per class.* by pos_label=",
        ),
        ({"pos_label": "ill"}, "pos_label= is only for groups given by by="),
        ({"by": SITES[:5], "pos_label": "ill"}, r"by.*one group.*shape \(120,\)"),
        ({"by": np.stack([SITES, SITES], axis=1), "pos_label": "ill"}, "by must "),
        ({"by": [None, *SITES[1:]], "pos_label": "ill"}, "by holds "),
        (
            {"by": SITES, "pos_label": "ill", "sample_weight": (SITES != "south") * 1},
            r"groups \['south'\] of by= have only",
        ),
    ],
)
def test_groups_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ThresholdCurves.from_scores(Y, SCORES, **options)


def test_several_labels_have_no_groups():
    with pytest.raises(ValueError, match=r"y_true.*indicator"):
        ThresholdCurves.from_scores([[0, 1], [1, 1]], [[0.1, 0.2], [0.3, 0.4]], by=["a", "b"])


# Sums of curves at common thresholds.


def test_curves_at_equal_thresholds_add_up():
    grid, first = [0.2, 0.5, 0.9], np.arange(120) < 70
    whole = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES).at_thresholds(grid)
    one, other = (
        ThresholdCurves.from_scores(
            Y[part], SCORES[part], pos_label="ill", by=SITES[part]
        ).at_thresholds(grid)
        for part in (first, ~first)
    )
    assert one + other == other + one == whole
    np.testing.assert_array_equal((one + other).score("recall"), whole.score("recall"))


def test_curves_at_other_thresholds_do_not_add_up():
    curves = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES)
    with pytest.raises(ValueError, match=r"threshold \[0\.2, 0\.5\].*threshold \[0\.2, 0\.6\]"):
        curves.at_thresholds([0.2, 0.5]) + curves.at_thresholds([0.2, 0.6])
    for more, fewer in itertools.permutations([[0.2, 1.5], [1.5]]):
        with pytest.raises(ValueError, match="each entry covers all samples"):
            sum(
                [
                    curves.at_thresholds(more),
                    curves.at_thresholds(more),
                    curves.at_thresholds(fewer),
                ]
            )
    turned = curves.at_thresholds([0.2, 0.5]) + curves.at_thresholds([0.5, 0.2])
    np.testing.assert_array_equal(turned.counts, 2 * curves.at_thresholds([0.2, 0.5]).counts)


def test_curves_of_groups_with_too_many_cells_are_refused():
    curves = ThresholdCurves.from_scores(Y, SCORES, pos_label="ill", by=SITES)
    with pytest.raises(
        ValueError, match=r"more than 2\*\*24 cells: use fewer thresholds, such as thresholds=1000"
    ):
        curves.at_thresholds(np.linspace(0, 1, 2**22 // 3 + 1))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_a_row_for_each_group_and_threshold(backend):
    frame = ThresholdCurves.from_scores(
        Y, SCORES, pos_label="ill", by=SITES, sample_weight=FRACTIONS
    ).to_frame(backend)
    columns = (
        frame.to_pydict()
        if backend == "pyarrow"
        else {name: frame[name].to_list() for name in frame.columns}
    )
    assert [*columns] == ["group", "threshold", "tp", "fp", "fn", "tn"]
    rows = list(zip(*columns.values(), strict=True))
    assert [row[:2] for row in rows] == [
        (site, cut)
        for site in ["north", "south", "west"]
        for cut in np.unique(SCORES[site == SITES])[::-1]
    ]
    for site, cut, *counts in rows:
        mine, above, ill = np.equal(SITES, site), np.greater_equal(SCORES, cut), np.equal(Y, "ill")
        cells = (above & ill, above & ~ill, ~above & ill, ~above & ~ill)
        np.testing.assert_allclose(
            counts, [FRACTIONS[mine & cell].sum() for cell in cells], atol=1e-12
        )


def test_a_frame_of_classes_names_each_class():
    frame = ThresholdCurves.from_scores(
        [0, 1, 2], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]]
    ).to_frame()
    assert [*frame.columns[:2]] == ["class", "threshold"]
    assert frame["class"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert frame["threshold"].tolist() == [0.7, 0.3, 0.2, 0.5, 0.4, 0.2, 0.3, 0.1]


@pytest.mark.parametrize("made", [ThresholdCurve, ThresholdCurves])
def test_private_fields_of_curves_are_not_arguments(made):
    for arguments in ((), ([0.5],)):
        with pytest.raises(TypeError, match="made with"):
            made(*arguments)


def test_the_best_threshold_of_each_group_may_keep_a_promise():
    random = np.random.default_rng(3)
    y, group = random.integers(2, size=400), np.arange(400) % 2
    scores = y + random.normal(size=400)
    curves = ThresholdCurves.from_scores(y, scores, by=group)
    asked = {"subject_to": {"recall": 0.8}, "confidence_level": 0.9}
    found = curves.best("specificity", **asked)
    alone = [
        ThresholdCurve.from_scores(y[group == k], scores[group == k]).best("specificity", **asked)
        for k in (0, 1)
    ]
    assert found.thresholds.tolist() == [of.threshold for of in alone]
    without = curves.best("specificity", subject_to={"recall": 0.8})
    assert (found.thresholds < without.thresholds).all()
    with pytest.raises(ValueError, match="group 0: confidence_level= is how often bounds hold"):
        curves.best("specificity", confidence_level=0.9)
