"""ThresholdCurve.from_frame of tables in memory: as ThresholdCurve.from_scores, in bins too, and
sums."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves, compare_curves
from skmetrics_ext.curves import from_frames
from tests.frame_cases import CURVES_OF_FEW_ROWS, CURVES_OF_MANY_ROWS, assert_same_counts, drawn
from tests.shared import one_in

ENGINES = {
    "pandas": lambda table: table.to_pandas(),
    "pandas with types of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "a query of polars": lambda table: pl.from_arrow(table).lazy(),
    "pyarrow": lambda table: table,
}


OF_MANY, OF_FEW = (
    {case.__name__: case for case in cases} for cases in (CURVES_OF_MANY_ROWS, CURVES_OF_FEW_ROWS)
)


@pytest.mark.parametrize(("engine", "case"), one_in(3, ENGINES, OF_MANY))
def test_a_table_in_memory(engine, case):
    OF_MANY[case](ENGINES[engine], drawn(3_000))


@pytest.mark.parametrize(("engine", "case"), one_in(3, ENGINES, OF_FEW))
def test_a_few_rows_in_memory(engine, case):
    OF_FEW[case](ENGINES[engine])


def fine(n=2_000, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    return pl.DataFrame({"y": y, "s": np.clip(random.normal(0.4 + 0.2 * y, 0.2), 0, 1)})


@pytest.mark.parametrize("bins", [2, 16, 128, 4096])
def test_the_area_lies_between_the_bounds(bins):
    frame = fine()
    area = roc_auc_score(frame["y"], frame["s"])
    low, high = ThresholdCurve.from_frame(frame, "y", "s", bins=bins).roc_auc_bounds()
    assert low <= area <= high
    assert high - low < 1.5 / bins


def test_bounds_are_reached_by_the_worst_and_the_best_order():
    y = np.array([0, 1, 0, 1])
    for scores, worst in (([0.1, 0.2, 0.6, 0.7], False), ([0.2, 0.1, 0.7, 0.6], True)):
        bounds = ThresholdCurve.from_frame(
            pl.DataFrame({"y": y, "s": scores}), "y", "s", bins=2
        ).roc_auc_bounds()
        assert bounds == (0.25, 0.75)
        assert roc_auc_score(y, scores) == bounds[not worst]


def test_bounds_of_a_curve_at_every_score_and_at_given_thresholds():
    y, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    assert ThresholdCurve.from_scores(y, scores).roc_auc_bounds() == (0.75, 0.75)
    for thresholds in ([0.3, 0.5], [0.5, 0.3]):
        assert ThresholdCurve.from_scores(y, scores, thresholds=thresholds).roc_auc_bounds() == (
            0.75,
            1.0,
        )
    with pytest.warns(UserWarning, match="roc_auc is undefined"):
        assert np.isnan(
            ThresholdCurve.from_scores([1, 1], [0.2, 0.3], thresholds=[0.3]).roc_auc_bounds()
        ).all()


def test_bins_have_no_counts_between_their_edges():
    curve = ThresholdCurve.from_frame(fine(), "y", "s", bins=4)
    exact = ThresholdCurve.from_scores(fine()["y"], fine()["s"])
    assert curve.at(0.5) == exact.at(0.5)
    np.testing.assert_allclose(curve.net_benefit(), exact.net_benefit(curve.thresholds))
    np.testing.assert_allclose(curve.net_benefit([0.25]), exact.net_benefit([0.25]))
    costs = [[0, 1], [3, 0]]
    np.testing.assert_allclose(
        curve.score("expected_cost", cost_matrix=costs)[1],
        exact.at(0.5).score("expected_cost", cost_matrix=costs),
    )
    for asked in (
        lambda: curve.at(0.3),
        lambda: curve.net_benefit([0.25, 0.3]),
        lambda: curve.net_benefit(5),
    ):
        with pytest.raises(
            ValueError, match="this curve has 4 bins, with counts only at their edges"
        ):
            asked()
    for asked in (curve.roc_auc, lambda: curve.interval("roc_auc")):
        with pytest.raises(ValueError, match=r"roc_auc_bounds\(\) returns lower and upper bounds"):
            asked()
    with pytest.raises(ValueError, match=r"average_precision is an area over all scores"):
        curve.average_precision()


def test_counts_of_scores_are_samples():
    frame = fine(300).with_columns(s=pl.col("s").round(2))
    curve, exact = (
        ThresholdCurve.from_frame(frame, "y", "s"),
        ThresholdCurve.from_scores(frame["y"], frame["s"]),
    )
    for method in ("auto", "delong", "delong-logit"):
        one, other = (of.interval("roc_auc", method=method) for of in (curve, exact))
        np.testing.assert_allclose(
            [one.value, one.low, one.high], [other.value, other.low, other.high], rtol=1e-12
        )
    one, other = curve.interval("average_precision"), exact.interval("average_precision")
    np.testing.assert_allclose(
        [one.value, one.low, one.high], [other.value, other.low, other.high], rtol=1e-12
    )
    np.testing.assert_allclose(curve.at(0.333).counts, exact.at(0.333).counts)
    weighted = ThresholdCurve.from_frame(frame, "y", "s", sample_weight="s")
    with pytest.raises(ValueError, match="an interval needs the weight of each sample"):
        weighted.interval("roc_auc")
    with pytest.raises(ValueError, match="has counts per score, not each sample's"):
        compare_curves({"a": curve, "b": exact})
    with pytest.raises(ValueError, match="not samples with own costs"):
        curve.score("expected_cost", cost_matrix=np.zeros((len(curve._samples.scores), 2, 2)))


def test_curves_of_days_add_up():
    days = [fine(500, seed) for seed in range(3)]
    whole = ThresholdCurve.from_frame(pl.concat(days), "y", "s", bins=32)
    merged = sum(ThresholdCurve.from_frame(day, "y", "s", bins=32) for day in days)
    assert_same_counts(merged, whole)
    assert merged.roc_auc_bounds() == whole.roc_auc_bounds()
    assert merged.at(0.25) == whole.at(0.25)
    given = [ThresholdCurve.from_scores(day["y"], day["s"], thresholds=[0.5, 0.2]) for day in days]
    both = given[0] + given[1]
    y, s = (np.concatenate([day[name] for day in days[:2]]) for name in "ys")
    assert_same_counts(both, ThresholdCurve.from_scores(y, s, thresholds=[0.5, 0.2]))
    assert both.at(0.3) == ThresholdCurve.from_scores(y, s).at(0.3)
    twice = ThresholdCurve.from_scores([0, 1], [0.1, 0.2]) + ThresholdCurve.from_scores(
        [0, 1], [0.1, 0.2], sample_weight=[2, 3]
    )
    assert_same_counts(twice, ThresholdCurve.from_scores([0, 1], [0.1, 0.2], sample_weight=[3, 4]))
    assert twice.roc_auc() == 1


def test_curves_that_do_not_fit_are_not_added():
    first = ThresholdCurve.from_frame(fine(), "y", "s", bins=4)
    with pytest.raises(ValueError, match="curves can be added only at equal thresholds"):
        first + ThresholdCurve.from_frame(fine(), "y", "s", bins=8)
    at = [
        ThresholdCurve.from_scores([0, 1], [0.3, 0.55], thresholds=given)
        for given in ([0.5, 0.2], [0.6, 0.2], [0.2, 0.5])
    ]
    for other in at[1:]:
        with pytest.raises(ValueError, match="curves can be added only at equal thresholds"):
            at[0] + other
    with pytest.raises(ValueError, match="the positive class is 1 in one curve and 0 in the other"):
        first + ThresholdCurve.from_frame(fine(), "y", "s", bins=4, pos_label=0)
    edges = [0.75, 0.5, 0.25, 0.0]
    with pytest.raises(ValueError, match="these curves have different ties, bins or weights"):
        first + ThresholdCurve.from_scores(fine()["y"], fine()["s"], thresholds=edges)
    with pytest.raises(TypeError):
        first + 1


def test_a_day_with_other_negatives_adds_up():
    one = pl.DataFrame({"y": ["a", "b"], "s": [0.1, 0.9]})
    other = pl.DataFrame({"y": ["c", "b"], "s": [0.6, 0.9]})
    curve = sum(
        ThresholdCurve.from_frame(day, "y", "s", pos_label="b", bins=2) for day in (one, other)
    )
    assert curve.labels.tolist() == ["not b", "b"]
    assert curve.counts.tp.tolist() == [2, 2]
    assert curve.counts.fp.tolist() == [1, 2]


def test_bins_are_a_power_of_two():
    for bins in (100, 1, 0, 2.0, True, 1 << 21):
        with pytest.raises(ValueError, match="bins must be a"):
            ThresholdCurve.from_frame(fine(), "y", "s", bins=bins)


def test_too_many_scores_are_refused(monkeypatch):
    monkeypatch.setattr(from_frames, "MOST_SCORES", 1_000)
    with pytest.raises(
        ValueError,
        match=r"more than 1e[+]03 distinct scores, which would all be loaded into memory: pass "
        r"bins=",
    ):
        ThresholdCurve.from_frame(fine(), "y", "s")
    assert len(ThresholdCurve.from_frame(fine(900), "y", "s").thresholds) <= 900


def test_a_column_named_as_the_other_class_is_refused():
    frame = pl.DataFrame({"y": ["no", "yes"], "no": [0.9, 0.2]})
    with pytest.raises(
        ValueError,
        match="score has the single column 'no', which would be interpreted as scores for 'yes'",
    ):
        ThresholdCurve.from_frame(frame, "y", "no", pos_label="yes")


def test_several_classes_need_the_positive_one():
    frame = pl.DataFrame({"y": ["a", "b", "c"], "s": [0.9, 0.2, 0.1]})
    with pytest.raises(ValueError, match="actual has 3 labels"):
        ThresholdCurve.from_frame(frame, "y", "s")
    assert ThresholdCurve.from_frame(frame, "y", "s", pos_label="a").roc_auc() == 1


def test_a_curve_of_bins_is_pickled():
    curve = ThresholdCurve.from_frame(fine(), "y", "s", bins=4)
    again = pickle.loads(pickle.dumps(curve))
    assert_same_counts(again, curve)
    with pytest.raises(ValueError, match="only at their edges"):
        again.at(0.3)


def days_of_bins():
    frames = [fine(500, seed).with_columns(day=pl.lit(seed)) for seed in range(3)]
    curves = ThresholdCurves.from_frame(pl.concat(frames), "y", "s", by="day", bins=16)
    return curves, frames


def test_curves_of_groups_have_the_same_bins():
    curves, frames = days_of_bins()
    edges = np.arange(16)[::-1] / 16
    for day, frame in enumerate(frames):
        alone = ThresholdCurve.from_frame(frame, "y", "s", bins=16)
        assert_same_counts(curves[day], alone)
        assert curves[day].thresholds.tolist() == edges.tolist()
        assert curves.best("f1").value[day] == alone.best("f1").value
        assert curves.at_thresholds([0.25, 0.5]).sel(day=day, threshold=0.25) == alone.at(0.25)
    pooled = ThresholdCurve.from_frame(pl.concat(frames), "y", "s", bins=16)
    assert_same_counts(curves.sum("day"), pooled)
    assert_same_counts(pickle.loads(pickle.dumps(curves)).sum("day"), pooled)
    shown = curves.to_frame("polars")
    assert shown["threshold"].to_list() == [*edges] * 3
    assert shown["tp"].to_list() == [tp for day in curves for tp in curves[day].counts.tp]
    for ask in (lambda: curves.at_thresholds([0.3]), lambda: curves.sum("day").at(0.3)):
        with pytest.raises(ValueError, match="this curve has 16 bins, with counts only at their"):
            ask()


def test_bins_without_samples_are_thresholds_too():
    frame = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.1, 0.1], "g": list("aabb")})
    curves = ThresholdCurves.from_frame(frame, "y", "s", by="g", bins=4)
    assert curves["b"].thresholds.tolist() == [0.75, 0.5, 0.25, 0]
    assert curves["b"].counts.tp.tolist() == [0, 0, 0, 1]
    assert curves.to_frame("polars")["fp"].to_list() == [0, 0, 0, 1, 0, 0, 0, 1]


def test_groups_need_a_column():
    for by in (None, []):
        with pytest.raises(ValueError, match=r"by= has no column: name one, or use Thr.*\.from_fr"):
            ThresholdCurves.from_frame(fine(), "y", "s", by=by)
