"""The table of values: rows against `interval`, published outputs of R, groups, labels, formats."""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import matthews_corrcoef, precision_recall_fscore_support

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, f1_score
from skmetrics_ext.counting.design import Lost
from skmetrics_ext.statistics.entries import entry_at

RANDOM = np.random.default_rng(2)
N = 300
TRUE = RANDOM.integers(0, 2, N)
PRED = np.where(RANDOM.random(N) < 0.75, TRUE, 1 - TRUE)
SEX = np.array(["F", "M"])[RANDOM.integers(0, 2, N)]
YEAR = RANDOM.integers(2020, 2022, N)
WEIGHTS = RANDOM.gamma(4, size=N)
CLUSTERS = np.arange(N) // 3
CM = ConfusionMatrix.from_predictions(TRUE, PRED)
BY_TWO = ConfusionMatrix.from_predictions(TRUE, PRED, by={"sex": SEX, "year": YEAR})
TRUE_3 = RANDOM.integers(0, 3, N)
PRED_3 = np.where(RANDOM.random(N) < 0.6, TRUE_3, RANDOM.integers(0, 3, N))
THREE = ConfusionMatrix.from_predictions(np.array([*"abc"])[TRUE_3], np.array([*"abc"])[PRED_3])
THREE_BY_SEX = ConfusionMatrix.from_predictions(TRUE_3, PRED_3, by={"sex": SEX})
FIELDS = ("value", "low", "high", "method", "numerator", "n", "n_undefined")
LABELS = RANDOM.integers(0, 2, (2, N, 3))


def by_sex(**options):
    return ConfusionMatrix.from_predictions(TRUE, PRED, by={"sex": SEX}, **options)


DESIGNS = {
    "one": lambda: CM,
    "two axes": lambda: BY_TWO,
    "weights": lambda: by_sex(sample_weight=WEIGHTS),
    "clusters": lambda: by_sex(clusters=CLUSTERS),
    "weighted clusters": lambda: by_sex(clusters=CLUSTERS, sample_weight=WEIGHTS),
    "prevalence": lambda: BY_TWO.sum("year").at_prevalence(0.2),
    "partly known": lambda: ConfusionMatrix.from_partial_labels(
        np.where(np.arange(N) % 3 == 0, TRUE, np.nan), PRED.astype(float), by={"sex": SEX}
    ),
    "folds": lambda: ConfusionMatrix.from_predictions(TRUE, PRED, by={"fold": np.arange(N) % 5}),
    "labels": lambda: ConfusionMatrix.from_predictions(*LABELS, by={"sex": SEX}),
}


def rows_of(found, metric):
    """The rows of a metric, in the order of `interval`'s entries, without an axis for a single."""
    first = found.metric[(0,) * (found.metric.ndim - 1)]
    places = np.flatnonzero(first == metric)
    return places[0] if len(places) == 1 else places


def assert_is_interval(found, metric, interval, class_axis=-1):
    """Field by field; the classes of the interval may be on another axis."""
    rows = rows_of(found, metric)
    of_classes = np.ndim(rows) == 1
    for field in FIELDS:
        expected = np.asarray(getattr(interval, field))
        if of_classes:
            expected = np.moveaxis(expected, class_axis, -1)
        np.testing.assert_array_equal(getattr(found, field)[..., rows], expected, err_msg=field)
    said = {
        caveat.sentence: np.moveaxis(caveat.entries, class_axis, -1)
        if of_classes
        else caveat.entries
        for caveat in interval.caveats
    }
    for caveat in found.caveats:
        expected = said.pop(caveat.sentence, False)
        np.testing.assert_array_equal(caveat.entries[..., rows], expected)
    assert not said


def ask(cm, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cm.summary(*arguments, **options)


def interval_of(cm, metric, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cm.interval(metric, **options)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_row_is_the_interval_of_its_metric(design):
    cm = DESIGNS[design]()
    metrics, options = ["recall", "ppv", "mcc", "balanced_accuracy", "f1"], {"n_resamples": 199}
    found = ask(cm, metrics, **options)
    class_axis = [axis.name for axis in cm.axes].index("label") if design == "labels" else -1
    for metric in metrics:
        assert_is_interval(found, metric, interval_of(cm, metric, **options), class_axis)


@pytest.mark.parametrize(
    ("metrics", "options"),
    [
        (["recall", "ppv", "accuracy"], {"method": "clopper-pearson", "confidence_level": 0.8}),
        (
            ["recall", "mcc"],
            {"method": "smoothed-bootstrap", "n_resamples": 150, "random_state": 5},
        ),
        (["f1", "kappa"], {"method": "dirichlet", "prior": 2.0, "n_resamples": 150}),
        (["recall", "ppv"], {"fixed": "actual"}),
        (["recall", "accuracy", "recall_macro"], {"pos_label": 0}),
        (["fbeta"], {"beta": 3.0}),
        (["recall", "recall_macro"], {"zero_division": 1}),
    ],
    ids=lambda of: "-".join(of),
)
def test_options_are_those_of_interval(metrics, options):
    # One group has no actual positives.
    cm = ConfusionMatrix.from_counts([[[30, 9], [4, 20]], [[12, 0], [0, 0]]], labels=[0, 1])
    cm = CM if "method" in options or "fixed" in options else cm
    found = ask(cm, metrics, **options)
    for metric in metrics:
        own = {
            name: of for name, of in options.items() if name != "pos_label" or metric == "recall"
        }
        assert_is_interval(found, metric, interval_of(cm, metric, **own))
    assert found.confidence_level == options.get("confidence_level", 0.95)


@pytest.mark.parametrize("cm", [THREE, THREE_BY_SEX], ids=["one", "groups"])
def test_classes_have_a_row_each_behind_averages_and_what_is_over_all(cm):
    metrics = ["recall", "recall_macro", "mcc", "precision", "precision_weighted"]
    found = ask(cm, metrics, n_resamples=199)
    entry = (0,) * len(cm.axes)
    names = found.metric[entry].tolist()
    assert names == [*("recall_macro", "mcc", "precision_weighted"), *["recall", "precision"] * 3]
    labels = [label for label in cm.labels.tolist() for _ in range(2)]
    assert found.label[entry].tolist() == [None, None, None, *labels]
    held = [True, True, True, *[True, False] * 3]
    assert np.isnan(found.at_prevalence[entry]).tolist() == held
    for metric in metrics:
        average = {"average": None} if metric in ("recall", "precision") else {}
        assert_is_interval(found, metric, interval_of(cm, metric, n_resamples=199, **average))


def test_epir_and_the_study_of_its_documentation():
    """epi.tests of R's epiR: its examples with Scott et al. (2008), table 1, and its output."""
    cm = ConfusionMatrix.from_counts([[640, 202], [74, 670]], labels=["well", "ill"])
    found = cm.summary()
    values = dict(zip(found.metric.tolist(), found.value.tolist(), strict=True))
    published = {
        "prevalence": 0.47,
        "sensitivity": 0.90,
        "specificity": 0.76,
        "ppv": 0.77,
        "npv": 0.90,
        "lr_plus": 3.75,
        "lr_minus": 0.13,
        "diagnostic_odds_ratio": 28.69,
        "accuracy": 0.83,
    }
    assert {name: round(values[name], 2) for name in published} == published
    counts = {"n": 1586, "tp": 670, "fp": 202, "fn": 74, "tn": 640}
    assert {name: values[name] for name in counts} == counts
    exact = {
        "sensitivity": Fraction(670, 744),
        "specificity": Fraction(640, 842),
        "ppv": Fraction(670, 872),
        "npv": Fraction(640, 714),
        "prevalence": Fraction(744, 1586),
        "accuracy": Fraction(1310, 1586),
    }
    samples = zip(found.metric, found.numerator, found.n, strict=True)
    for name, numerator, n in samples:
        if name in exact:
            assert Fraction(int(numerator), int(n)) == exact[name]
            assert values[name] == pytest.approx(float(exact[name]), rel=1e-15)
    held = dict(zip(found.metric.tolist(), found.at_prevalence.tolist(), strict=True))
    assert [name for name, at in held.items() if at == at] == ["ppv", "npv"]
    assert held["ppv"] == held["npv"] == 744 / 1586


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        # rstudio-pubs-static.s3.amazonaws.com/235576_0bc7363922544bec8257adfa353b237b.html, the
        # table of Wikipedia's "Sensitivity and specificity".
        (
            [[1820, 180], [10, 20]],
            {
                "accuracy": 0.9064,
                "kappa": 0.1521,
                "sensitivity": 0.6667,
                "specificity": 0.91,
                "ppv": 0.1,
                "npv": 0.9945,
                "prevalence": 0.0148,
                "balanced_accuracy": 0.7883,
            },
        ),
        # thoughtfulexaminations.com/confusion-matrix-continued
        (
            [[383, 24], [64, 55]],
            {
                "accuracy": 0.8327,
                "kappa": 0.4576,
                "sensitivity": 0.4622,
                "specificity": 0.941,
                "ppv": 0.6962,
                "npv": 0.8568,
                "prevalence": 0.2262,
                "balanced_accuracy": 0.7016,
            },
        ),
    ],
    ids=["wikipedia", "526 people"],
)
def test_caret_prints_these_values(counts, published):
    found = ConfusionMatrix.from_counts(counts, labels=[0, 1]).summary(n_resamples=199)
    values = dict(zip(found.metric.tolist(), found.value.tolist(), strict=True))
    assert {name: round(values[name], 4) for name in published} == published


def test_three_classes_are_those_of_scikit_learn():
    found = ask(THREE, n_resamples=199)
    true, pred = np.array([*"abc"])[TRUE_3], np.array([*"abc"])[PRED_3]
    precision, recall, f1, support = precision_recall_fscore_support(true, pred)
    for name, expected in (("ppv", precision), ("sensitivity", recall), ("f1", f1)):
        np.testing.assert_allclose(found.value[found.metric == name], expected, rtol=1e-14)
    np.testing.assert_array_equal(found.numerator[found.metric == "prevalence"], support)
    of_predictions = np.isin(found.metric, ["ppv", "npv"])
    np.testing.assert_array_equal(~np.isnan(found.at_prevalence), of_predictions)
    np.testing.assert_allclose(found.at_prevalence[found.metric == "ppv"], support / N)
    assert found.value[found.metric == "mcc"] == pytest.approx(matthews_corrcoef(true, pred))
    names = found.metric.tolist()
    assert names[:6] == ["n", "accuracy", "balanced_accuracy", "mcc", "kappa", "tp"]
    assert len(names) == 5 + 3 * 13
    assert found.value[found.metric == "tp"].tolist() == np.diag(THREE.counts).tolist()


def test_a_block_per_group_with_its_own_counts_and_prevalence():
    found = ask(BY_TWO, n_resamples=199)
    assert found.value.shape == (2, 2, 18)
    for (k, sex), (i, year) in itertools.product(enumerate("FM"), enumerate((2020, 2021))):
        is_of_entry = (sex == SEX) & (year == YEAR)
        true, pred = TRUE[is_of_entry], PRED[is_of_entry]
        tp, fp = (true & pred).sum(), ((1 - true) & pred).sum()
        assert found.value[k, i, :3].tolist() == [is_of_entry.sum(), tp, fp]
        at = found.at_prevalence[k, i][found.metric[k, i] == "ppv"]
        assert at == pytest.approx(true.mean(), rel=1e-14)
    frame = found.to_frame()
    assert frame.columns.tolist()[:5] == ["sex", "year", "label", "metric", "value"]
    assert frame["sex"].tolist() == ["F"] * 36 + ["M"] * 36
    assert frame["year"].tolist() == ([2020] * 18 + [2021] * 18) * 2


def test_labels_have_a_block_each_and_samples_are_counted_once():
    cm = ConfusionMatrix.from_predictions(
        *(pd.DataFrame(of, columns=["x", "y", "z"]) for of in LABELS), by={"sex": SEX}
    )
    found = ask(cm, n_resamples=199)
    assert found.value[:, 0].tolist() == [(sex == SEX).sum() for sex in "FM"]
    assert [axis.name for axis in found.axes] == ["sex", "label"]
    assert found.label[0].tolist() == [None, *["x"] * 17, *["y"] * 17, *["z"] * 17]
    turned = ConfusionMatrix(np.moveaxis(cm.counts, 1, 0), cm.labels, cm.axes[::-1])
    assert ask(turned, n_resamples=199) == found


def test_averages_over_labels_and_labels_are_in_one_table():
    """With the samples as clusters the labels of a sample may vary together."""
    cm = ConfusionMatrix.from_predictions(*LABELS, clusters=np.arange(N))
    found = ask(cm, ["f1", "f1_macro"], n_resamples=199)
    assert found.metric.tolist() == ["f1_macro", "f1", "f1", "f1"]
    for metric in ("f1", "f1_macro"):
        assert_is_interval(found, metric, interval_of(cm, metric, n_resamples=199), 0)


def test_a_given_prevalence_is_that_of_the_predictive_values_and_has_no_limits():
    found = ask(CM.at_prevalence(0.1), n_resamples=199)
    assert found.at_prevalence[found.metric == "ppv"] == pytest.approx(0.1)
    np.testing.assert_allclose(found.value[1:5].sum(), N)
    prevalence = found.metric == "prevalence"
    assert found.value[prevalence] == pytest.approx(0.1)
    assert np.isnan(found.low[prevalence])
    assert found.method[prevalence] == "fixed by the design"
    assert found.caveats == ()
    by_design = ask(CM, ["prevalence", "recall"], fixed="actual")
    assert_is_interval(by_design, "recall", CM.interval("recall", fixed="actual"))
    assert by_design.method[0] == "fixed by the design"
    weighted = ask(ConfusionMatrix.from_predictions(TRUE, PRED, sample_weight=WEIGHTS), ["ppv"])
    assert weighted.at_prevalence == pytest.approx((WEIGHTS * TRUE).sum() / WEIGHTS.sum())
    assert np.isnan(weighted.numerator).all()


def test_a_value_without_limits_is_shown_with_the_reason():
    lost = ConfusionMatrix(CM.counts, CM.labels, (), 1, None, Lost(why="they were summed"))
    with pytest.warns(UnreliableIntervalWarning, match="they were summed") as told:
        found = lost.summary(["recall", "mcc"])
    assert found.value.tolist() == [CM.score("recall"), CM.score("mcc")]
    assert np.isnan([found.low, found.high]).all()
    assert found.label.tolist() == [1, None]
    assert len(told) == len(found.caveats) == 1
    assert repr(found).splitlines()[-1] == ("* an interval is not known, because they were summed.")
    nothing = ConfusionMatrix(np.array([[5, 0], [3, 0]]), CM.labels, (), 1, None, lost._design)
    assert np.isnan(ask(nothing, "precision").value)
    assert ask(nothing, "precision", zero_division=1).value == 1
    # Averages over labels, which no matrix knows, beside the labels.
    cm = ConfusionMatrix.from_predictions(*LABELS, by={"sex": SEX})
    found = ask(cm, ["f1", "f1_macro"])
    np.testing.assert_array_equal(found.value[:, 0], cm.score("f1_macro"))
    [caveat] = found.caveats
    assert "the labels of a sample are not independent" in caveat.text
    assert caveat.entries.tolist() == [[True, False, False, False]] * 2
    assert np.isnan(found.low).tolist() == caveat.entries.tolist()


def test_a_group_that_has_no_limits_leaves_others_theirs():
    groups = np.select([np.arange(N) < 3, np.arange(N) < 250], ["one", "many"], "none")
    weights = np.where(groups == "none", 0, WEIGHTS)
    options = {"clusters": CLUSTERS, "sample_weight": weights}
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by={"group": groups}, **options)
    found = ask(cm, ["recall", "accuracy"])
    for metric in ("recall", "accuracy"):
        of_many = interval_of(cm.sel(group="many"), metric)
        assert_is_interval(entry_at(found, (0,)), metric, of_many)
    assert np.isnan(found.low[1:]).all()
    assert found.axes[0].coordinates.tolist() == ["many", "none", "one"]
    assert np.isnan(found.value[1]).all()
    [text] = [caveat.text for caveat in found.caveats if caveat.code == "no_limits"]
    assert text == (
        "there is a single cluster, so the variation between clusters can't be estimated in group "
        "['one']."
    )


def test_an_entry_without_samples_has_no_values():
    cm = ConfusionMatrix.from_counts([[[5, 1], [2, 3]], [[0, 0], [0, 0]]], labels=[0, 1])
    found = ask(cm, n_resamples=199)
    assert found.value[1, :5].tolist() == [0] * 5
    assert np.isnan(found.value[1, 5:]).all()
    assert np.isnan(found.at_prevalence[1]).all()
    with pytest.raises(ValueError, match="no samples"):
        cm.sel(axis_0=1).summary()


def test_names_are_as_they_were_asked_for():
    for metrics, names in (
        ("PPV", ["PPV"]),
        (f1_score, ["f1"]),
        ({"Se": "recall", "Sp": "specificity"}, ["Se", "Sp"]),
        (("mcc",), ["mcc"]),
    ):
        assert ask(CM, metrics, n_resamples=199).metric.tolist() == names


def test_metrics_share_their_replicates():
    found = ask(CM, ["mcc", "matthews_corrcoef"], n_resamples=199, random_state=None)
    assert found.low[0] == found.low[1]


@pytest.mark.parametrize(
    ("cm", "metric", "options"),
    [
        (BY_TWO, "recall", {}),
        (BY_TWO, "mcc", {}),
        (THREE_BY_SEX, "recall", {"average": None}),
        (ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=["no", "yes"]), "mcc", {}),
    ],
    ids=["recall", "mcc", "classes", "few"],
)
def test_the_interval_of_each_metric_is_within(cm, metric, options):
    interval = interval_of(cm, metric, **options)
    found = ask(cm)._by_metric() | ask(cm, ["accuracy", "recall"])._by_metric()
    assert "tp" not in found
    assert found[metric] == interval


def test_the_text_has_a_line_per_row_and_each_reason_once():
    few = ConfusionMatrix.stack(
        {"many": CM, "few": ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=[0, 1])},
        axis="study",
    )
    with pytest.warns(UserWarning, match="too few samples") as told:
        found = few.summary(["recall", "mcc", "ppv"], n_resamples=500)
    lines = repr(found).splitlines()
    assert lines[0] == "Summary of 1, 95 % confidence intervals"
    assert lines[1].split() == [
        "study",
        "metric",
        "value",
        "low",
        "high",
        "numerator",
        "n",
        "method",
    ]
    assert [line.split()[0] for line in lines[2:8]] == ["many"] * 3 + ["few"] * 3
    assert [line.endswith(" *") for line in lines[2:8]] == [False] * 4 + [True, False]
    assert "ppv at prevalence 0.3000" in lines[7]
    assert len(lines) == 9
    [note] = found.to_table().notes
    assert lines[8] == note
    assert note.startswith("* mcc is based on too few samples, 3 in study ['few']")
    assert [str(warning.message) for warning in told] == [note.removeprefix("* ")]
    assert found._repr_html_().count("<tr>") == 8
    lines = repr(ask(few, n_resamples=199)).splitlines()
    assert [line.split() for line in lines[2:4]] == [
        ["many", "n", str(N)],
        ["many", "tp", str(CM.counts[1, 1])],
    ]


def test_caveats_name_classes():
    cm = ConfusionMatrix.from_counts([[40, 2, 1], [2, 50, 0], [1, 0, 1]], labels=["a", "b", "c"])
    found = ask(cm, ["recall", "diagnostic_odds_ratio"])
    [caveat] = found.caveats
    assert "in class ['c']" in caveat.text
    assert found.label[caveat.entries].tolist() == ["c"]
    assert found.metric[caveat.entries].tolist() == ["diagnostic_odds_ratio"]


def test_cells_are_for_papers():
    found = ask(BY_TWO.sum("year"), n_resamples=199)
    table = found.to_table(digits=3, dash=" to ")
    assert table.headers == ("sex", "metric", "value", "n", "method")
    assert table.n_names == 2
    cells = {row[:2]: row[2:] for row in table.rows}
    assert cells["F", "n"] == (str((SEX == "F").sum()), "", "")
    recall = BY_TWO.sum("year").sel(sex="F").interval("recall")
    expected = recall.to_table(digits=3, dash=" to ").rows[0][0]
    assert cells["F", "sensitivity"] == (expected, "", recall.method)
    assert cells["F", "mcc"][1] == str((SEX == "F").sum())
    prevalence = TRUE[SEX == "F"].mean()
    assert ("F", f"ppv at prevalence {prevalence:.3f}") in cells
    of_one_method = ask(CM, ["recall", "ppv"]).to_table()
    assert of_one_method.headers == ("metric", "value")
    assert of_one_method.title == "Summary of 1, 95 % confidence intervals, mid-P"
    assert "/" not in " ".join(row[2] for row in found.to_table(fractions=False).rows)
    assert table.to_markdown().splitlines()[2] == "| sex | metric | value | n | method |"
    assert r"\begin{tabular}" in table.to_latex()
    assert table.to_html().count("<tr>") == 37
    with pytest.raises(ValueError, match="digits must be"):
        found.to_table(digits=-1)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_the_numbers(backend):
    found = ask(THREE, ["recall", "accuracy"])
    frame = found.to_frame(backend)
    columns = {name: np.asarray(frame[name]) for name in found._columns()}
    assert columns["metric"].tolist() == ["accuracy", "recall", "recall", "recall"]
    assert columns["label"].tolist()[1:] == ["a", "b", "c"]
    for name in ("value", "low", "high", "method"):
        assert columns[name].tolist() == getattr(found, name).tolist()
    assert columns["n"].tolist() == [N, *THREE.counts.sum(1).tolist()]


def test_an_axis_with_the_name_of_a_column_is_refused_in_frames():
    found = ConfusionMatrix.from_predictions(TRUE, PRED, by={"metric": SEX}).summary("recall")
    assert "metric" in repr(found)
    with pytest.raises(ValueError, match="two columns 'metric': name this axis"):
        found.to_frame()


@pytest.mark.parametrize(
    ("cm", "arguments", "options", "error", "message"),
    [
        (CM, [[]], {}, ValueError, "metrics is empty"),
        (CM, [{"recall"}], {}, TypeError, "metrics must be a metric, a list of metrics"),
        (CM, [["recal"]], {}, ValueError, "Did you mean"),
        (CM, [["recall", "recall"]], {}, ValueError, "metrics has 'recall' twice"),
        (CM, [["recall"]], {"beta": 2}, TypeError, "none of the metrics has a parameter 'beta'"),
        (CM, [["recall"]], {"average": None}, TypeError, "name it with the metric: 'recall_macro'"),
        (CM, [["recall"]], {"confidence_level": 95}, ValueError, "confidence_level must be"),
        (CM, [["recall"]], {"n_resamples": 1}, ValueError, "n_resamples"),
        (CM, [["recall"]], {"method": "wald"}, ValueError, "method must be 'auto' or one of"),
        (CM, [["net_benefit"]], {}, TypeError, "needs the parameter 'threshold_probability'"),
        (THREE, [["recall"]], {"pos_label": "x"}, ValueError, "'x' is not among the labels"),
        (
            ConfusionMatrix.from_predictions(["x", "y"], ["x", "y"]),
            [],
            {},
            ValueError,
            "not known which of the labels",
        ),
    ],
)
def test_what_can_not_be_a_table_says_why(cm, arguments, options, error, message):
    with pytest.raises(error, match=message):
        cm.summary(*arguments, **options)


def test_counts_are_a_table_too():
    table = THREE_BY_SEX.to_table()
    assert table.headers == ("sex", "actual", "0", "1", "2")
    assert [row[:2] for row in table.rows] == [(s, a) for s in "FM" for a in "012"]
    found = np.array([row[2:] for row in table.rows], dtype=int)
    np.testing.assert_array_equal(found.reshape(2, 3, 3), THREE_BY_SEX.counts)
    assert table.title == repr(THREE_BY_SEX).splitlines()[0]
