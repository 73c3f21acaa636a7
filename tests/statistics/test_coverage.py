"""How often intervals cover the truth and tests reject wrongly: a small part of the benchmark."""

import itertools
import json
from argparse import Namespace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score

from skmetrics_ext import ConfusionMatrix
from tests.benchmarks import coverage
from tests.benchmarks.coverage import (
    FAST,
    FIELDS,
    FIRST,
    MOST_WRONG,
    PUBLISHED,
    SLOW,
    figures_of,
    kind_of,
    left_of,
    publish,
    read,
    report,
    second_jobs,
)
from tests.benchmarks.coverage_cells import (
    OF_MATRICES,
    areas_of,
    cells_of,
    distribution_of_pair,
    options_of_pair,
    value_of,
)
from tests.benchmarks.coverage_draws import Answer, measure, tally

# By chance no coverage is so many standard errors below the requirement.
STANDARD_ERRORS = 4
HARD = {
    "likely errors of rare samples": (
        "matrices",
        {"n": 200, "classes": 2, "shares": "Zipf", "right": 0.8},
    ),
    "three classes, one rare": (
        "matrices",
        {"n": 1000, "classes": 3, "shares": "one of 95 %", "right": 0.8},
    ),
    "few labeled without an alert": (
        "weights",
        {"n": 10_000, "prevalence": 0.3, "labeled": 0.1, "recall_specificity": (0.8, 0.95)},
    ),
    "ten clusters that differ": ("clusters", {"clusters": 10, "correlation": 0.5, "right": 0.7}),
    "five groups of other prevalence": (
        "groups",
        {"groups": 5, "n": 200, "rates": "equal", "classes": 2},
    ),
    "two groups apart": ("groups", {"groups": 2, "n": 200, "rates": "apart", "classes": 3}),
    "models equal in F1 alone": (
        "paired",
        {"metric": "f1_macro", "models": "equal in the metric", "distribution": 0},
    ),
    "models apart by the margin": (
        "paired",
        {"metric": "balanced_accuracy", "models": "apart by the margin", "distribution": 0},
    ),
    "five folds": ("folds", {"n": 500, "folds": 5}),
    "ten positives": ("areas", {"positives": 10, "negatives": 100, "area": 0.8, "spread": 2.5}),
    "rare classes at another prevalence": (
        "prevalence",
        {"classes": 10, "n_of_class": 40, "right": 0.7},
    ),
    "100 classes at once": ("simultaneous", {"classes": 100, "n_of_class": 50, "right": 0.99}),
    "log-normal weights": ("sampling", {"n": 150, "prevalence": 0.08, "sampled": "log-normal"}),
    "unequal clusters": ("clusters", {"clusters": 40, "correlation": 0.5, "right": 0.98}),
    "six groups, one with few positives": ("groups", {"groups": 6, "n": 80}),
    "a few positives below all": ("placements", {"positives": 7, "negatives": 1000, "below": 0.15}),
    "nearly the same models": (
        "areas of two",
        {"positives": 10, "spreads": (1, 3), "correlation": 0.99},
    ),
    "models that flag different samples": (
        "predictive",
        {"n": 100, "flagged": (0.3, 0.4), "overlap": 0.9, "right": 0.95},
    ),
    "claims near an end": (
        "claims",
        {"n": 400, "prevalence": 0.1, "recall_specificity": (0.95, 0.99)},
    ),
    "ties at the bound": ("operating points", {"negatives": 400, "scores": "tied at the bound"}),
    "labels of which one is rare": ("labels", {"n": 50, "rarest": 0.05, "right": 0.8}),
}


# The others take minutes, or most of a second.
QUICK = ("a few positives below all", "ties at the bound")
CASES = [
    pytest.param(*case, id=name, marks=() if name in QUICK else pytest.mark.slow)
    for name, case in HARD.items()
]


@pytest.mark.parametrize(("family", "about"), CASES)
def test_answers_that_do_not_warn_are_right(family, about):
    """The promise itself, of methods and warnings together; other tests hold their formulas."""
    (cell,) = (cell for cell in cells_of(family) if about.items() <= cell.about.items())
    n_draws = 60 if family in ("matrices", "groups") else 200
    tallies, _ = measure(cell, (1, 1), n_draws, 399)
    for key, sums in tallies.items():
        of, most = dict(zip(FIELDS, sums, strict=True)), MOST_WRONG[kind_of(key)]
        allowed = of["silent"] * most + STANDARD_ERRORS * np.sqrt(of["silent"] * most * (1 - most))
        assert of["silent"] - of["right"] <= allowed, (key, of)
        assert not of["impossible"], (key, of)


def test_mid_p_on_f1_by_all_outcomes():
    coverage = []
    for n in (20, 30, 50, 100, 200, 500, 1000):
        hits = np.arange(n + 1)
        tables = np.stack(
            [np.stack([np.full(n + 1, 50), n - hits], -1), np.stack([np.zeros(n + 1), hits], -1)],
            -2,
        )
        interval = ConfusionMatrix.from_counts(tables.astype(int), labels=[0, 1]).interval("f1")
        assert set(interval.method) == {"mid-P"}
        for share in np.linspace(0.01, 0.99, 99):
            truth = 2 * share / (1 + share)
            within = (interval.low <= truth) & (truth <= interval.high)
            coverage.append(stats.binom.pmf(hits, n, share)[within].sum())
    assert np.mean(coverage) >= 0.95
    assert np.quantile(coverage, 0.05) >= 0.93
    assert min(coverage) >= 0.905


def test_answers_are_counted():
    right, nan = (0.1, 0.2, 0.3), (np.nan, 0.2, np.nan)
    answers = [
        Answer(True, False, right),
        Answer(False, False, right),
        Answer(True, True, right),
        Answer(False, False, nan),
        Answer(True, False, (0.2, 0.2, 0.2), "smoothed bootstrap"),
        Answer(True, False, (0.3, 0.2, np.inf)),
        Answer(False, False),
        None,
    ]
    found = dict(zip(FIELDS, tally(answers), strict=True))
    counts = {
        "draws": 8,
        "silent": 5,
        "right": 3,
        "warned": 1,
        "nan": 1,
        "refused": 1,
        "impossible": 2,
        "slow": 1,
    }
    assert found == {**counts, "width": 0.6, "widths": 4}


def test_any_two_levels_of_matrices_meet():
    levels = {name: {cell[name] for cell in OF_MATRICES} for name in OF_MATRICES[0]}
    for one, other in itertools.combinations(levels, 2):
        met = {(cell[one], cell[other]) for cell in OF_MATRICES}
        assert met == {*itertools.product(levels[one], levels[other])}


def test_models_are_equal_in_the_metric_or_apart():
    for cell in cells_of("paired"):
        distribution, _ = distribution_of_pair(cell)
        metric = cell.about["metric"]
        a, b = (
            value_of(distribution.sum(axis), metric, options_of_pair(metric)) for axis in (2, 1)
        )
        assert distribution.sum() == pytest.approx(1)
        assert b - a > 0.01 if cell.about["models"] == "apart by the margin" else abs(b - a) < 1e-9


def test_the_average_precision_of_a_distribution():
    # With equally distributed scores it is the prevalence; with many samples that of scikit-learn.
    assert areas_of(0.5, 1, 0.3)[1] == pytest.approx(0.3)
    distance, truth = areas_of(0.8, 2.5, 0.2)
    scores = np.concatenate([stats.norm.isf((np.arange(n) + 0.5) / n) for n in (40_000, 10_000)])
    y = np.repeat([0, 1], [40_000, 10_000])
    scores = np.where(y, distance + 2.5 * scores, scores)
    assert average_precision_score(y, scores) == pytest.approx(truth, abs=1e-3)


def line_of(look, found, *, enough=False):
    """A block of the first cell of "clusters", with the draws, silent and right answers, and slow
    ones, of each key.
    """
    sums = {
        key: [draws, silent, right, 0, 0, 0, 0, slow, 0, 0]
        for key, (draws, silent, right, slow) in found.items()
    }
    return {
        "family": "clusters",
        "place": 0,
        "look": look,
        "blocks": [0],
        "enough": enough,
        "found": sums,
    }


def test_what_looks_bad_is_drawn_again():
    found = {
        "good": (400, 400, 370, 0),
        "bad": (400, 400, 360, 0),
        "bad, slow": (400, 400, 360, 400),
        "bad, but seldom silent": (400, 4, 2, 0),
        "good, test": (400, 400, 375, 0),
        "bad, test": (400, 400, 370, 0),
        "bad, not worse": (400, 400, 380, 0),
    }
    options = Namespace(again=400, least=100, resamples=999)
    jobs = second_jobs(["clusters"], [line_of(FIRST, found)], options)
    fast = ["bad", "bad, test", "bad, not worse"]
    expected = [("clusters", 0, FAST, block, fast, 999) for block in range(8)]
    assert jobs == [
        *expected,
        *(("clusters", 0, SLOW, block, ["bad, slow"], 999) for block in range(2)),
    ]


def test_only_the_second_look_is_reported_where_there_is_one(capsys):
    first = {"a": (400, 400, 350, 0), "b": (400, 400, 350, 0), "c": (400, 360, 360, 0)}
    report([line_of(FIRST, first), line_of(FAST, {"b": (4000, 4000, 3700, 0)})], ["clusters"], 200)
    text = capsys.readouterr().out
    cell = "5 clusters, correlation 0, 70 % right, of up to 30 samples"
    assert f'\nClusters,b,"{cell}",0.925,0.925,\n' in text
    assert text.endswith(f"breaks the rule: 1 of 3\n\n- clusters: a: {cell}: 0.125 of 400 wrong\n")
    report([line_of(FIRST, first, enough=True)], ["clusters"], 200)
    assert (
        f"- clusters: c: {cell}: 0.100 of 400 warned or without limits\n" in capsys.readouterr().out
    )


def test_lines_that_were_cut_off_are_measured_again(tmp_path):
    whole = line_of(FIRST, {"a": (50, 50, 48, 0)})
    path = tmp_path / "results.jsonl"
    assert read(path) == []
    path.write_text(f"{json.dumps(whole)}\n{json.dumps(whole)[:-20]}\n\n{json.dumps(whole)}\n")
    assert read(path) == [whole, whole]


def test_published_sums_are_those_of_the_blocks(tmp_path):
    lines = [
        line_of(FIRST, {"a": (50, 50, 48, 0)}, enough=True),
        {**line_of(FIRST, {"a": (50, 40, 31, 0)}, enough=True), "blocks": [1]},
        line_of(FAST, {"a": (50, 50, 44, 0)}),
    ]
    path = tmp_path / "results.jsonl.xz"
    publish(lines, path)
    assert [line["blocks"] for line in read(path)] == [[0, 1], [0]]
    for looks in ([FIRST], [FAST], [FIRST, FAST]):
        assert figures_of(read(path), looks) == figures_of(lines, looks)


def test_the_file_of_the_site_has_the_published_coverage(monkeypatch, tmp_path):
    as_shown = coverage.TABLE.read_text(encoding="utf-8")
    monkeypatch.setattr(coverage, "TABLE", tmp_path / "coverage.csv")
    coverage.write_table(read(PUBLISHED))
    assert coverage.TABLE.read_text(encoding="utf-8") == as_shown


def test_keys_that_are_measured_are_not_measured_again():
    first, second = ("clusters", 0, FIRST, 0, None, 999), ("clusters", 0, FAST, 0, ["a", "b"], 999)
    assert left_of(first, set()) == first
    assert left_of(first, {"a"}) is None
    assert left_of(second, {"a", "c"}) == ("clusters", 0, FAST, 0, ["b"], 999)
    assert left_of(second, {"a", "b"}) is None
