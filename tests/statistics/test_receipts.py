"""Results as JSON and in sentences: their numbers are the fields', whatever is beside an entry."""

import datetime
import json
import math
import re
import warnings
from dataclasses import fields

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skmetrics_ext as ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve
from skmetrics_ext.statistics.entries import OF_ENTRIES, entry_at, shape_of
from skmetrics_ext.statistics.methods import METHODS, methods_in

RANDOM = np.random.default_rng(5)
N = 240
Y = RANDOM.integers(2, size=N)
A = np.where(RANDOM.random(N) < 0.85, Y, 1 - Y)
B = np.where(RANDOM.random(N) < 0.75, Y, 1 - Y)
THREE = np.where(RANDOM.random(N) < 0.8, np.arange(N) % 3, RANDOM.integers(3, size=N))
SEX = np.array(["F", "M"])[np.arange(N) % 2]
SITE = np.arange(N) // 2 % 2
CLUSTERS = np.arange(N) // 4
DAYS = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="M8[D]")[np.arange(N) % 3]
X, TARGET = make_classification(120, random_state=0)
SCORES = {"a": Y + RANDOM.normal(size=N), "b": Y + 2 * RANDOM.normal(size=N)}
CURVES = {name: ThresholdCurve.from_scores(Y, of) for name, of in SCORES.items()}


def counted(**options):
    return ConfusionMatrix.from_predictions(Y, A, pos_label=1, **options)


def months():
    return ConfusionMatrix.from_predictions(Y, A, pos_label=1, by={"day": DAYS, "sex": SEX})


def ratings():
    raters = [THREE, np.roll(THREE, 3), np.arange(N) % 3]
    return ext.agreement(np.transpose(raters), by=SITE)


RESULTS = {
    "a share": lambda: counted().interval("recall"),
    "a macro average": lambda: counted().interval("f1_macro", n_resamples=200),
    "groups": lambda: counted(by={"sex": SEX, "site": SITE}).interval("recall"),
    "dates": lambda: counted(by={"day": DAYS}).interval("mcc"),
    "simultaneous": lambda: counted(by=SEX).interval("recall", average=None, simultaneous=True),
    "clusters": lambda: counted(clusters=CLUSTERS).interval("f1"),
    "weights": lambda: counted(sample_weight=1 + CLUSTERS % 3).interval("recall"),
    "a prevalence": lambda: counted().at_prevalence(0.1).interval("precision"),
    "partial labels": lambda: ConfusionMatrix.from_partial_labels(
        [None if k % 3 == 0 else int(y) for k, y in enumerate(Y)], A, pos_label=1
    ).interval("recall", n_resamples=200),
    "a class without samples": lambda: ConfusionMatrix.from_counts(
        [[[3, 1], [0, 0]], [[5, 1], [2, 9]]], labels=[False, True]
    ).interval("recall"),
    "an infinite value": lambda: ConfusionMatrix.from_counts(
        [[9, 0], [2, 7]], labels=["no", "yes"]
    ).interval("positive_likelihood_ratio"),
    "folds": lambda: ext.cross_val_interval(
        GaussianNB(), X, TARGET, scoring="accuracy", n_repeats=2, random_state=0
    ),
    "an area": lambda: CURVES["a"].interval("roc_auc"),
    "an operating point": lambda: CURVES["a"].interval(
        "recall", subject_to={"specificity": 0.8}, n_resamples=200
    ),
    "raters": ratings,
    "a gap": lambda: counted(by=SEX).gap("recall"),
    "gaps within": lambda: counted(by={"sex": SEX, "day": DAYS}).gap("f1", axis="sex"),
    "a gap of crossed groups": lambda: counted(by={"sex": SEX, "site": SITE}).gap(
        "accuracy", axis=["sex", "site"], n_resamples=200
    ),
    "a ratio": lambda: counted(by=SEX).gap("recall", kind="ratio", baseline="F"),
    "pairs of groups": lambda: counted(by=DAYS).pairwise_gaps("recall"),
    "models": lambda: ext.compare(Y, {"a": A, "b": B, "c": 1 - A}, ["recall", "mcc"]),
    "models and a margin": lambda: ext.compare(Y, {"a": A, "b": B}, "accuracy", margin=0.1),
    "ratios of models": lambda: ext.compare(Y, {"a": A, "b": B}, "recall", kind="ratio"),
    "models in groups": lambda: ext.compare(Y, {"a": A, "b": B}, "accuracy", by=SEX),
    "areas": lambda: ext.compare_curves(CURVES),
    "learners": lambda: ext.compare_estimators(
        {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
        X,
        TARGET,
        scoring="accuracy",
        n_repeats=1,
        random_state=0,
    ),
    "average precision": lambda: ext.compare_curves(CURVES, "average_precision"),
    "scores of folds": lambda: ext.compare_folds(
        {"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.7], "c": [0.1, 0.2, 0.3]},
        n_train=8,
        n_test=2,
        rope=0.01,
        simplest=ord,
    ),
    "verdicts": lambda: ext.check(counted(by=SEX), {"recall": 0.8, "fpr": (None, 0.3)}),
    "verdicts on a gap": lambda: ext.check(counted(by=SEX).gap("recall"), {"recall": 0.2}),
    "alarms": lambda: ext.watch(months(), {"recall": 0.9, "accuracy": 0.5}, axis="day"),
    "a summary": lambda: counted(by=SEX).summary(),
}
# Results that are no entries over axes.
OTHERS = {
    "a row of models": lambda: RESULTS["models"]().rows[0],
    "a row of a margin": lambda: RESULTS["models and a margin"]().rows[0],
    "a row of ratios": lambda: RESULTS["ratios of models"]().rows[0],
    "a row of a group": lambda: RESULTS["models in groups"]().rows[1],
    "across groups": lambda: RESULTS["models in groups"]().across_groups,
    "a row of areas": lambda: RESULTS["areas"]().rows[0],
    "a row that is undefined": lambda: ext.compare(Y, {"a": 0 * A, "b": 0 * A}, "mcc").rows[0],
    "a threshold": lambda: CURVES["a"].best("f1"),
    "an infinite threshold": lambda: ThresholdCurve.from_scores([1, 0], [0.1, 0.9]).best(
        "recall", subject_to={"specificity": 1}
    ),
    "a threshold of weights": lambda: ThresholdCurve.from_scores(
        Y, SCORES["a"], sample_weight=1 + CLUSTERS % 3 / 7
    ).best("f1"),
    "thresholds": lambda: ext.ThresholdCurves.from_scores(THREE, np.eye(3)[THREE]).best("f1"),
    "a size of samples": lambda: ext.sample_size("recall", value=0.95, bound=0.9, n=200),
}
# Why other public types have no receipt.
WITHOUT_RECEIPT = {
    **dict.fromkeys(["Axis", "Caveat", "ClassCounts", "Design"], "parts of results"),
    "ConfusedPair": "a row of a table of errors",
    "KeptConstraint": "a part of a fitted estimator",
    **dict.fromkeys(["MetricsText", "TextTable"], "texts themselves"),
    **dict.fromkeys(["PrecisionRecallCurve", "RocCurve"], "points for a plot"),
    **{name: "a picture" for name in ext.results.__all__ if name.endswith("Plot")},
}
# What has no limits names no method of the table.
WITHOUT = ("", "no limits", "fixed by the design")


@pytest.fixture(scope="module")
def results():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: make() for name, make in RESULTS.items()}


@pytest.fixture(scope="module")
def others():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: make() for name, make in OTHERS.items()}


@pytest.fixture(params=RESULTS)
def result(request, results):
    return results[request.param]


def places(result):
    return list(np.ndindex(shape_of(result)))


def entries_of(state):
    """What is said of each entry."""
    return state.get("entries", [state])


def test_states_are_json_and_survive_it(result):
    state = result.to_dict()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert state["result"] == type(result).__name__
    assert state["version"] == ext.__version__
    assert state["design"]
    assert state["sides"].startswith(("one-sided", "two-sided"))


def test_an_entry_among_others_says_the_same_as_alone(result):
    state = result.to_dict()
    shared = {name: of for name, of in state.items() if name != "entries"}
    lines = result.sentence().splitlines()[-len(places(result)) :]
    for place, entry, line in zip(places(result), entries_of(state), lines, strict=True):
        alone = entry_at(result, place)
        own = {name: of for name, of in entry.items() if name != "at"}
        assert {**shared, **own} == alone.to_dict()
        # Behind the coordinates, which only several have.
        assert line.endswith(alone.sentence().partition(" was ")[2])


def same(number, plain):
    """Whether a plain number is that of a field."""
    if isinstance(number, np.ndarray):
        return all(same(*pair) for pair in zip(number.tolist(), plain, strict=True))
    if isinstance(number, float) and not math.isfinite(number):
        return plain == {"nan": None, "inf": "Infinity", "-inf": "-Infinity"}[str(number)]
    return number == plain


def test_numbers_are_those_of_the_fields(result):
    for place, entry in zip(places(result), entries_of(result.to_dict()), strict=True):
        for of in fields(result):
            value = getattr(result, of.name)
            if OF_ENTRIES in of.metadata:
                value = value[place] if isinstance(value, np.ndarray) else value
                value = value.item() if isinstance(value, np.generic) else value
                if isinstance(value, (float, int, bool)) or (
                    isinstance(value, np.ndarray) and value.dtype.kind == "f"
                ):
                    assert same(value, entry[of.name]), of.name


def test_what_is_unknown_has_a_reason(result):
    for place, entry in zip(places(result), entries_of(result.to_dict()), strict=True):
        alone = entry_at(result, place)
        for of in fields(alone):
            value = getattr(alone, of.name)
            is_number = (
                isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype.kind == "f"
            )
            is_unknown = is_number and bool(np.isnan(value).any())
            assert (entry["reasons"].get(of.name, "") != "") == is_unknown, of.name
        assert "it is not known" not in entry["reasons"].values()


def test_methods_have_sources_and_draws_a_seed(result):
    for entry in entries_of(result.to_dict()):
        needs = {METHODS[name].needs for name in methods_in(entry.get("method", ""))}
        assert entry["sources"] or entry.get("method") in WITHOUT
        of_folds = "limits of each repetition" in needs
        is_drawn = of_folds or bool(needs & {"replicates", "permuted groups"})
        assert (entry["seed"] is not None) == is_drawn
        assert of_folds or (entry["n_resamples"] is not None) == is_drawn


NUMBERS = re.compile(
    r"(?:was|pass,|fail,|tell,) (\S+) \([^;]*?(?:CI|limits) ([>]?\S+) to ([<]?[^\s;)]+)"
)


def test_sentences_have_the_numbers_of_the_fields(result):
    for place in places(result):
        alone = entry_at(result, place)
        sentence = alone.sentence(digits=3).splitlines()[-1]
        if isinstance(result, ext.results.Alarms):
            # They have a course over time, and no value.
            assert f"(largest e-value {alone.largest_e_value:.3g})" in sentence
            continue
        numbers = alone._estimate, alone.low, alone.high
        found = NUMBERS.search(sentence)
        assert (found is not None) == (not np.isnan(np.array(numbers, float)).any()), sentence
        if found is not None:
            for number, text in zip(numbers, found.groups(), strict=True):
                written = float(text.strip("<>"))
                digits = len(text.partition(".")[2])
                # Limits beside a bound have more digits, or are as "> 0".
                is_beside = text[0] in "<>"
                assert digits >= 3 or math.isinf(number) or is_beside
                assert written == number or written == pytest.approx(round(number, digits))
        if not math.isnan(float(np.ravel(getattr(alone, "numerator", np.nan))[0])):
            assert f"{alone.numerator:.0f} of {alone.n:.0f}" in sentence


@pytest.mark.parametrize("seed", [None, 7, np.random.default_rng(1)], ids=str)
def test_a_seed_that_was_drawn_gives_the_same_again(seed):
    cm = counted(by=SEX)
    first = cm.interval("f1_macro", n_resamples=100, random_state=seed)
    seeds = {entry["seed"] for entry in first.to_dict()["entries"]}
    assert len(seeds) == 1
    assert cm.interval("f1_macro", n_resamples=100, random_state=seeds.pop()) == first


# Some seeds draw folds with a caveat.
@pytest.mark.filterwarnings("ignore::skmetrics_ext.UnreliableIntervalWarning")
# Some of the folds that may be drawn have a caveat.
@pytest.mark.filterwarnings("ignore::skmetrics_ext.UnreliableIntervalWarning")
def test_a_seed_of_folds_gives_the_same_again():
    options = {"scoring": "accuracy", "n_repeats": 2, "cv": 3}
    first = ext.cross_val_interval(GaussianNB(), X, TARGET, random_state=None, **options)
    seed = first.to_dict()["seed"]
    assert ext.cross_val_interval(GaussianNB(), X, TARGET, random_state=seed, **options) == first


def test_a_group_alone_has_the_state_that_it_has_among_others():
    cm = counted(by=SEX)
    for metric in ("recall", "mcc", "f1_macro"):
        entries = cm.interval(metric, n_resamples=100).to_dict()["entries"]
        for entry in entries:
            alone = cm.sel(group=entry["at"]["group"]).interval(metric, n_resamples=100).to_dict()
            for name, value in entry.items():
                if isinstance(value, float):
                    # But for rounding, as sums are of several entries.
                    assert value == pytest.approx(alone[name], rel=1e-12), name
                elif name != "at":
                    assert value == alone[name], name


def test_labels_of_other_types_are_plain():
    cm = counted(by={"day": DAYS, "sex": SEX})
    crossed = cm.gap("accuracy", axis=["day", "sex"], n_resamples=100).to_dict()
    assert crossed["lowest_group"][0].startswith("2026-01-0")
    assert cm.interval("recall").to_dict()["entries"][0]["at"] == {"day": "2026-01-01", "sex": "F"}
    days = [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)]
    by_date = ConfusionMatrix.from_predictions([True, False], [True, True], by=days[::-1])
    state = by_date.interval("recall", average=None, zero_division=0).to_dict()
    assert state["entries"][1]["at"] == {"group": "2026-01-01", "class": True}
    found = ConfusionMatrix.from_counts([[9, 1], [2, 8]], labels=[False, True]).interval("recall")
    assert found.to_dict()["label"] is True


def test_sentences_as_printed():
    cm = ConfusionMatrix.from_counts([[80, 20], [10, 90]], labels=["no", "yes"])
    assert cm.interval("recall").sentence() == (
        "Recall of 'yes' was 0.90 (95 % CI 0.83 to 0.95; 90 of 100; mid-P)"
    )
    assert ext.check(cm, {"recall": 0.8}).sentence().splitlines()[0] == "Check: pass"
    few = ConfusionMatrix.from_counts([[2, 0], [0, 0]], labels=["no", "yes"])
    with pytest.warns(ext.UnreliableIntervalWarning), pytest.warns(UndefinedMetricWarning):
        unknown = few.interval("mcc")
    assert unknown.sentence().startswith("mcc was not defined (n = 2")
    reason = unknown.to_dict()["reasons"]["low"]
    assert reason in {caveat.text for caveat in unknown.caveats} | {
        " ".join(caveat.text for caveat in unknown.caveats)
    }


def test_methods_are_found_in_texts_whatever_shorter_names_they_contain():
    text = "the wider of smoothed bootstrap and MOVER, inverted"
    assert methods_in(text) == ["smoothed-bootstrap", "mover", "inverted"]
    assert methods_in("Dirichlet by stratum and prediction") == ["dirichlet-by-stratum"]
    assert methods_in("logit DeLong") == ["delong-t"]
    assert methods_in("no limits") == []


def test_every_public_result_has_a_receipt(results, others):
    """A new type of result needs one here, or a reason."""
    with_receipt = {type(of).__name__ for of in (*results.values(), *others.values())}
    assert with_receipt.isdisjoint(WITHOUT_RECEIPT)
    assert sorted(with_receipt | {*WITHOUT_RECEIPT}) == sorted(ext.results.__all__)


@pytest.mark.parametrize("name", OTHERS)
def test_receipts_of_what_is_no_entries(name, others):
    result = others[name]
    state = result.to_dict()
    assert json.loads(json.dumps(state, allow_nan=False)) == state
    assert state["result"] == type(result).__name__
    assert state["version"] == ext.__version__
    lines = result.sentence(digits=3).splitlines()
    entries = entries_of(state)
    assert len(lines) == len(entries)
    assert all(re.match(r"[A-Z\d]", line) for line in lines)
    with pytest.raises((TypeError, ValueError), match="digits"):
        result.sentence(digits=-1)


def test_a_row_says_what_its_comparison_says_of_it():
    """But for the samples, and what it is corrected for, which it does not know."""
    for name in ("models", "models and a margin", "ratios of models", "models in groups"):
        comparison = RESULTS[name]()
        of_all = comparison.to_dict()["entries"]
        sentences = comparison.sentence().splitlines()
        for row, entry, sentence in zip(comparison.rows, of_all, sentences, strict=True):
            state = row.to_dict()
            for own in ("method", "sources", "caveats", "reasons", "low", "p_adjusted", "group"):
                assert state[own] == entry[own], own
            assert state["confidence_level"] == entry["level_of_row"]
            subject, _, _ = row.sentence().partition(" (")
            assert sentence.startswith(subject)
            if len(of_all) == 1:
                assert row.sentence() == sentence


def test_rows_say_which_level_they_have_alone():
    first, *_ = RESULTS["models"]().rows
    # Six rows of two sides.
    assert "(99.1667 % CI " in first.sentence()
    later = first._replace(p_value=0.01, p_adjusted=0.03, confidence_level=0.95)
    assert "; p = .03, corrected; " in later.sentence()
    assert "; p = .03; " in later._replace(p_value=0.03).sentence()


def test_thresholds_in_words(others):
    best = others["a threshold"]
    counts = best.counts
    assert best.sentence() == (
        f"The best value was {best.value:.2f}, at threshold {best.threshold:.6g} "
        f"(tp = {counts.tp}, fp = {counts.fp}, fn = {counts.fn}, tn = {counts.tn})"
    )
    n = int(np.count_nonzero(THREE == 1))
    assert others["thresholds"].sentence().splitlines()[1] == (
        "The best value for class 1 was 1.00, at threshold 0.5 "
        f"(tp = {n}, fp = 0, fn = 0, tn = {N - n})"
    )
    assert others["thresholds"].to_dict()["entries"][1]["at"] == {"class": 1}
    assert others["an infinite threshold"].to_dict()["threshold"] == "Infinity"


def test_sizes_of_samples(others):
    found = others["a size of samples"]
    state = found.to_dict()
    assert (state["n"], state["power"]) == (found.n, found.power)
    assert found.sentence() == "200 samples have a power of 0.70 (Clopper-Pearson)"


def test_an_interval_says_the_prevalence_that_it_was_given():
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    found = cm.at_prevalence(0.01).interval("npv")
    given = "at prevalence 0.01 of 'yes'"
    assert found.to_dict()["design"] == f"samples {given}"
    # Digits are added until the limits differ.
    assert f"0.999 (95 % CI 0.997 to 0.999; n = 150; {given}; " in found.sentence()
    assert all(given in text for text in (repr(found), str(found.to_table())))
    # An axis says it of each entry, and entries may have their own.
    of_each = cm.at_prevalence([0.01, 0.1]).interval("npv")
    assert of_each.to_dict()["design"] == "samples at another prevalence"
    assert [" for prevalence 0.01 " in of_each.sentence(), given in repr(of_each)] == [True, False]
