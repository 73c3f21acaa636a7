"""Caveats: as data on results, told once, whatever other threads do, and listed on a page."""

import ast
import pickle
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    UnreliableIntervalWarning,
    agreement,
    check,
    compare,
    compare_folds,
    metric_interval,
    watch,
)
from skmetrics_ext.results import Axis
from skmetrics_ext.statistics.entries import entry_at, stacked_results, taken
from tests.shared import parsed

PACKAGE = Path(skmetrics_ext.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"

# Of the groups, the first has 3 actual positives, the second 30.
GROUPS = ConfusionMatrix.from_counts([[[6, 1], [1, 2]], [[60, 15], [10, 20]]], labels=["no", "yes"])


def quietly(call):
    """What a call gives, and the warnings beside it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return call(), caught


def test_a_caveat_is_data_and_is_told_in_the_same_words():
    interval, [warning] = quietly(lambda: GROUPS.interval("mcc"))
    [caveat] = interval.caveats
    assert caveat.code == "few_samples"
    np.testing.assert_array_equal(caveat.entries, [True, False])
    assert str(warning.message) == caveat.text
    assert warning.category is UnreliableIntervalWarning
    # MCC does not count the correct predictions of the class with the most of them: 10 - 6.
    assert "too few samples, 3 in axis_0 [0] (" in caveat.text
    assert "too few samples, 3 (" in caveat.at((0,))
    assert caveat.at((1,)) == ""


def test_a_caveat_of_several_entries_tells_the_smallest_number():
    cm = ConfusionMatrix.from_counts(
        [[[9, 1], [1, 3]], [[6, 1], [1, 2]], [[60, 15], [10, 20]]], labels=["no", "yes"]
    )
    interval, _ = quietly(lambda: cm.interval("mcc"))
    [caveat] = interval.caveats
    assert "too few samples, 3 in axis_0 [0, 1] (" in caveat.text
    crossed, _ = quietly(
        lambda: ConfusionMatrix.from_counts(
            np.stack([cm.counts, cm.counts[[2, 2, 0]]]), labels=["no", "yes"]
        ).interval("mcc")
    )
    assert "samples, 3 in axis_0 [0, 1], axis_1 [0, 1, 2] (" in crossed.caveats[0].text
    assert ["too few samples, 5 (" in caveat.at((0,)), "too few samples, 3 (" in caveat.at((1,))]


def test_what_is_undefined_has_the_warning_of_scikit_learn():
    cm = ConfusionMatrix.from_counts([[[6, 1], [0, 0]], [[60, 10], [10, 20]]], labels=["no", "yes"])
    interval, caught = quietly(lambda: cm.interval("recall"))
    [caveat] = interval.caveats
    assert caveat.code == "undefined"
    np.testing.assert_array_equal(caveat.entries, [True, False])
    assert [warning.category for warning in caught] == [UndefinedMetricWarning]


def test_a_result_without_doubt_has_no_caveats_and_no_mark():
    interval, caught = quietly(lambda: GROUPS.sel(axis_0=1).interval("recall"))
    assert (interval.caveats, caught) == ((), [])
    assert "*" not in repr(interval)


def test_entries_with_a_caveat_are_marked_and_the_reason_stands_below():
    interval, _ = quietly(lambda: GROUPS.interval("mcc"))
    _, first, second, note = repr(interval).splitlines()
    assert first.endswith(" *")
    assert not second.endswith("*")
    assert note == f"* {interval.caveats[0].text}"
    html = interval._repr_html_()
    assert "<tfoot><tr><td" in html
    assert html.count("<td>*</td>") == 1
    one, _ = quietly(lambda: GROUPS.sel(axis_0=0).interval("mcc"))
    assert repr(one).splitlines()[0].endswith("n = 10 *")


def test_caveats_are_in_one_order_whichever_entries_come_first():
    each = [quietly(lambda name=name: GROUPS.interval(name))[0] for name in ("mcc", "cohen_kappa")]
    assert [of.caveats[0].code for of in each] == ["few_samples"] * 2
    axis = Axis("metric", np.array(["first", "second"]))
    said = [
        [(of.code, of.sentence) for of in stacked_results(in_turn, axis).caveats]
        for in_turn in (each, each[::-1])
    ]
    assert len(said[0]) == 2
    assert said[0] == said[1]


def test_a_caveat_of_some_entries_is_kept_with_them():
    """Of entries that are joined, taken or alone."""
    whole, _ = quietly(lambda: GROUPS.interval("mcc"))
    axis = Axis("copy", np.arange(2))
    stacked = stacked_results([whole, taken(whole, np.array([1, 1]))], axis)
    several = taken(stacked, np.array([1, 0]))
    [caveat] = several.caveats
    np.testing.assert_array_equal(caveat.entries, [[False, False], [True, False]])
    alone = entry_at(several, (1,))
    np.testing.assert_array_equal(alone.caveats[0].entries, [True, False])
    assert alone.axes == whole.axes
    for place, caveats in {(1, 0): 1, (1, 1): 0, (0, 0): 0}.items():
        entry = entry_at(several, place)
        assert (entry.axes, len(entry.caveats), type(entry.value)) == ((), caveats, float)


Y = np.tile([0, 0, 1, 1], 5)
CLUSTERED = {"clusters": np.arange(20) // 4}
MODELS = {"a": np.tile([0, 0, 1, 0], 5), "b": np.tile([0, 1, 1, 1], 5)}
FOLDS = np.random.default_rng(0).normal(size=(2, 15))
# What can't be relied on, of each public function that says so by itself.
DOUBTFUL = {
    "interval": lambda: GROUPS.interval("mcc"),
    "gap": lambda: GROUPS.gap("precision"),
    "pairwise_gaps": lambda: GROUPS.pairwise_gaps("precision"),
    "compare": lambda: compare(Y, MODELS, "accuracy", **CLUSTERED),
    "compare_folds": lambda: compare_folds(
        dict(zip("ab", FOLDS, strict=True)), n_train=80, n_test=20
    ),
    "metric_interval": lambda: metric_interval(Y, MODELS["a"], "accuracy", **CLUSTERED),
    "agreement": lambda: agreement(np.stack([Y, MODELS["a"]], 1)[:10]),
    "agreement of groups": lambda: agreement(
        np.stack([Y, MODELS["a"], MODELS["b"]], 1), by=np.repeat(["x", "y"], 10)
    ),
    "area": lambda: ThresholdCurve.from_scores(Y, MODELS["a"] / 2, **CLUSTERED).interval("roc_auc"),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_each_warning_has_its_caveat_and_each_caveat_its_warning(name):
    result, caught = quietly(DOUBTFUL[name])
    said = [str(warning.message) for warning in caught]
    assert said
    assert sorted(said) == sorted(caveat.text for caveat in result.caveats)
    assert {warning.category for warning in caught} == {UnreliableIntervalWarning}
    for caveat in result.caveats:
        assert caveat.entries.shape == np.shape(result.value)
    assert all(f"* {text}" in repr(result) for text in said)


@pytest.mark.parametrize("name", ["agreement", "agreement of groups"])
def test_what_a_result_doubts_decides_no_claim(name):
    result, _ = quietly(DOUBTFUL[name])
    found = check(result, {"krippendorff_alpha": -1})
    doubted = result.caveats[0].entries
    assert (np.ravel(found.verdict) == "cannot tell").tolist() == np.ravel(doubted).tolist()


def test_gaps_comparisons_and_alarms_have_caveats():
    gap, [warning] = quietly(lambda: GROUPS.gap("precision"))
    assert [caveat.code for caveat in gap.caveats] == ["few_samples"]
    assert str(warning.message) == gap.caveats[0].text
    assert repr(gap).splitlines()[0].endswith(" *")
    y = [0, 0, 1, 1] * 5
    models = {"a": [0, 0, 1, 0] * 5, "b": [0, 1, 1, 1] * 5}
    clusters = np.arange(20) // 4
    comparison, [warning] = quietly(lambda: compare(y, models, "accuracy", clusters=clusters))
    [row] = comparison.rows
    assert [caveat.code for caveat in row.caveats] == ["few_clusters"]
    assert [caveat.text for caveat in comparison.caveats] == [row.caveats[0].text]
    assert str(warning.message) == row.caveats[0].text
    assert repr(comparison).splitlines()[-1] == f"* {row.caveats[0].text}"
    alarms, [warning] = quietly(lambda: watch(GROUPS, {"recall": 0.1}, horizon=1))
    assert [caveat.code for caveat in alarms.caveats] == ["past_horizon"]
    assert str(warning.message) == alarms.caveats[0].text


def test_intervals_of_areas_have_caveats():
    curve = ThresholdCurve.from_scores([0, 1] * 10, np.arange(20), clusters=np.arange(20) // 4)
    interval, caught = quietly(lambda: curve.interval("roc_auc"))
    assert [caveat.code for caveat in interval.caveats] == ["few_clusters"] * 2
    assert [str(warning.message) for warning in caught] == [of.text for of in interval.caveats]


def test_caveats_survive_copies():
    interval, _ = quietly(lambda: GROUPS.interval("mcc"))
    copy = pickle.loads(pickle.dumps(interval))
    assert copy == interval
    assert copy.caveats[0].text == interval.caveats[0].text


def test_check_in_many_threads_is_as_in_one():
    # Nine of nine would pass by the limits alone; too few samples, though.
    cm = ConfusionMatrix.from_counts([[9, 0], [0, 9]], labels=["no", "yes"])
    claims = {"informedness": 0.05, "mcc": 0.05}
    alone = check(cm, claims)
    assert alone.overall == "cannot tell"

    def checked(_):
        warnings.warn("of something else", DeprecationWarning, stacklevel=2)
        return check(cm, claims)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ThreadPoolExecutor(8) as threads:
            results = list(threads.map(checked, range(32)))
    assert all(found == alone for found in results)


@pytest.mark.parametrize("action", ["error", "ignore", "always"])
def test_filters_of_warnings_change_no_verdict(action):
    cm = ConfusionMatrix.from_counts([[[6, 1], [1, 2]], [[60, 10], [10, 20]]], labels=["no", "yes"])
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        verdicts = check(cm, {"mcc": 0.1})
    assert verdicts.verdict.tolist() == [["cannot tell", "pass"]]
    assert "too few samples, 3 (" in verdicts.reason[0, 0]


MAKE_CAVEATS = ("Caveat", "caveats_by_sentence", "_about_groups")


def codes_in_source():
    """The codes that some line of the package gives."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        # To read the syntax of all files takes long.
        if not any(f"{name}(" in path.read_text(encoding="utf-8") for name in MAKE_CAVEATS):
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKE_CAVEATS:
                code = node.args[0]
                found.add(code.value if isinstance(code, ast.Constant) else "undefined")
    return found


def test_the_page_lists_all_codes_and_no_others():
    _, _, page = (DOCS / "messages.md").read_text().partition("\n## Caveats\n")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == codes_in_source()
