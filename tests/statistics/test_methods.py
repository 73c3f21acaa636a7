"""One table says which method: what results show, what errors list and pages print is from it."""

import itertools
import re

import numpy as np
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    agreement,
    compare,
    compare_curves,
    compare_folds,
    metric_interval,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.classes import classes_of_function
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.methods import METHODS, TABLE, methods_for, names_for
from tests.outcomes import answered
from tests.shared import parameters_of
from tests.test_package import rooms

SHOWN = {method.shown for method in METHODS.values()}
RANDOM = np.random.default_rng(0)
N = 60
TRUE = np.arange(N) % 2
SCORES = {name: TRUE + RANDOM.normal(0, 0.8, N) for name in "ab"}
CALLED = {name: (scores > 0.5).astype(int) for name, scores in SCORES.items()}
GROUPS = np.arange(N) // 2 % 3
# One metric of each class of function, and some of several.
OF_CLASSES = ("recall", "f1", "accuracy", "informedness", "lr_plus", "yule_q", "mcc", "ppv", "nir")
DESIGNS = {
    "independent": {},
    "weighted": {"sample_weight": RANDOM.uniform(0.5, 2, N)},
    "clustered": {"clusters": np.arange(N) % 20},
}


def parts(shown):
    """The methods that a name which results show is made of."""
    alone = re.sub(r"( for each class)?( of \d+ \w+s)?$|, \d+ x \d+ folds$", "", shown)
    if alone in SHOWN:
        return [alone]
    alone = alone.removeprefix("the wider of ").removeprefix("between ")
    joined = next((of for of in (", no nearer than ", ", ", " and ") if of in alone), None)
    if joined is None:
        return [alone]
    return [part for of in alone.split(joined, 1) for part in parts(of)]


def results():
    """Of each second metric by a door: odd numbers of doors, and of metrics with an average, let
    all of them take turns.
    """
    rows, is_turn = [BY_NAME[name] for name in OF_CLASSES], itertools.cycle((True, False))
    for options in DESIGNS.values():
        cm = ConfusionMatrix.from_predictions(TRUE, CALLED["a"], **options)
        grouped = ConfusionMatrix.from_predictions(TRUE, CALLED["a"], by={"g": GROUPS}, **options)
        doors = [cm.interval, cm.at_prevalence(0.2).interval, grouped.gap]
        for row in rows:
            given = {"n_resamples": 100, **parameters_of(row)}
            averages = ("binary", "macro", "worst") if row.has_average else (None,)
            for average in averages:
                named = {} if average is None else {"average": average}
                # Gaps between averages have the methods of those between values.
                some = doors if average in ("binary", None) else doors[:2]
                asked = [door for door in some if next(is_turn)]
                yield from (answered(door, row.name, **named, **given) for door in asked)
        yield compare(TRUE, CALLED, ["recall", "ppv", "f1", "mcc"], n_resamples=100, **options)
        curves = {
            name: ThresholdCurve.from_scores(TRUE, scores, **options)
            for name, scores in SCORES.items()
        }
        yield from (compare_curves(curves, area) for area in ("roc_auc", "average_precision"))
        for metric in ("roc_auc", "average_precision"):
            yield curves["a"].interval(metric)
    yield curves["a"].interval("roc_auc", method="delong")
    plain = ThresholdCurve.from_scores(TRUE, SCORES["a"])
    yield plain.interval("recall", subject_to={"specificity": 0.8}, n_resamples=100)
    labels = [[0, 1], [1, 1]] * 20
    yield metric_interval(labels, labels[::-1], "f1_samples")
    yield agreement(np.stack([*CALLED.values(), TRUE], -1))


@pytest.mark.filterwarnings("ignore")
def test_every_name_that_a_result_shows_is_in_the_table():
    found = [result for result in results() if result is not None]
    shown = {name for result in found for name in np.ravel(result.method).tolist()}
    assert len(shown) > 20
    assert {name: parts(name) for name in shown if not SHOWN.issuperset(parts(name))} == {}
    assert METHODS["corrected-t"].shown in repr(
        compare_folds({"a": [0.8, 0.9], "b": [0.7, 0.6]}, n_train=8, n_test=2)
    )


def test_no_code_writes_out_what_results_show():
    by_name = {name for name in SHOWN if name not in METHODS}
    written = []
    for path in rooms():
        text = "" if path.name == "methods.py" else path.read_text(encoding="utf-8")
        written += [(path.name, name) for name in by_name if f'"{name}"' in text]
    assert written == []


def test_all_methods_are_of_a_question_and_have_a_source():
    named = {
        name
        for of_designs in TABLE.values()
        for rows in of_designs.values()
        for names in rows.values()
        for name in names
    }
    assert named <= METHODS.keys()
    assert all(method.source and method.needs for method in METHODS.values())
    assert len(SHOWN) == len(METHODS)
    # Limits of few, or as wide as those of two methods, are of these.
    assert METHODS.keys() - named == {"newcombe-5", "delong-t", "zou-yue"}


def test_the_classes_of_function_of_values_are_those_of_the_table():
    found = set()
    for n_classes in (2, 3):
        matrix = np.full((n_classes, n_classes), 10.0) + 20 * np.eye(n_classes)
        counted = CountedMatrix(matrix, np.arange(n_classes), n_classes - 1)
        for row in METRICS:
            parameters = parameters_of(row, n_classes)
            for average in ("binary", "macro", "micro") if row.has_average else ("binary",):
                choice = choose(row, average=average, **parameters)
                found.update(classes_of_function(estimand_of(counted, choice)))
    designs = ("independent", "fixed margins", "weighted", "clustered", "crossed")
    named = {of_class for design in designs for of_class in TABLE["value"][design]}
    assert named - {"any"} == found


def test_errors_of_a_method_list_those_of_the_table():
    cm = ConfusionMatrix.from_counts([[50, 20], [10, 40]], labels=[0, 1])
    names = re.escape(str(names_for("value")))
    with pytest.raises(ValueError, match=f"one of {names}; got 'wald'. Wald's limits"):
        cm.interval("recall", method="wald")
    fitting = re.escape(str(sorted(methods_for("value", "independent", ["share"]))))
    with pytest.raises(ValueError, match=f"of one class: choose one of {fitting}"):
        cm.interval("recall", method="mover")
    curve = ThresholdCurve.from_scores(TRUE, SCORES["a"])
    of_areas = re.escape(str(["auto", *methods_for("area", "independent", ["roc_auc"])]))
    with pytest.raises(ValueError, match=of_areas):
        curve.interval("roc_auc", method="hanley-mcneil")
