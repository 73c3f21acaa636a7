"""Rows of the metric functions, by family: exact fractions, and values of other libraries."""

from fractions import Fraction
from functools import partial
from math import nan

import imblearn.metrics
import numpy as np
import pandas as pd
import sklearn.metrics

import skmetrics_ext as ext
from skmetrics_ext.catalogue.rows import BY_NAME
from tests.shared import parameters_of
from tests.variants.samples import (
    ALL,
    EMPTY,
    LOSS,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    P_OF_SIZES,
    PERMUTED,
    PERMUTED_WEIGHTS,
    PRED,
    RANGE,
    ROW,
    SIZE,
    TRUE,
)
from tests.variants.shared import (
    INDICES,
    NO_CLASS_POSITIVE,
    NO_METRIC,
    OTHER_ORDER,
    PARTLY_SHARED,
    UNDEFINED,
    WITHOUT_GROUPS,
)
from tests.variants.table import Row, gives, heard, refused, undefined, warned, without_groups
from tests.vectors.all_classes import OVERALL_METRICS
from tests.vectors.exact import UNDEFINED as ZERO_BY_ZERO
from tests.vectors.exact import to_float
from tests.vectors.one_class import CLASS_METRICS, Counts
from tests.vectors.oracle import tally

SAYS_UNDEFINED = "is undefined (0/0)"

# The functions of tp, fp, fn and tn, and those of all classes, by the names of their formulas in
# fractions. Those that go by the order of the classes have a row of their own.
OF_ONE_CLASS = {BY_NAME[name].function: name for name in CLASS_METRICS}
LOSSES = [name for name, of in OF_ONE_CLASS.items() if CLASS_METRICS[of].better == "lower"]
BY_COSTS = {
    "expected_cost": {"cost_matrix": np.subtract.outer(range(4), range(4)) ** 2 / 2},
    "gerrity_score": {},
    "macro_averaged_mean_absolute_error": {},
}
BY_ORDER = BY_COSTS | {"cohen_kappa_score": {"weights": "linear"}}
FORMULAS = {BY_NAME[name].function: name for name in OVERALL_METRICS}
OF_ALL_CLASSES = [name for name in FORMULAS if name not in BY_COSTS]
# As in scikit-learn, 0/0 of this one is 0 without a word.
SILENT = "matthews_corrcoef"


def all_say(names):
    """Each function is refused, in the words that are looked for."""
    return lambda _: dict.fromkeys(names, (None, True))


def also_say(expected):
    """The same values, each with a warning in the words that are looked for."""
    return lambda v: {name: (value, True) for name, (value, _) in expected(v).items()}


def indices_of(names, call, expected):
    """The columns of indices where all functions are called at once."""
    are_refused = gives(all_say(names), partial(call, words=OTHER_ORDER))
    return {
        PERMUTED: are_refused,
        PERMUTED_WEIGHTS: are_refused,
        RANGE: gives(also_say(expected), partial(call, words=PARTLY_SHARED)),
    }


# Functions of tp, fp, fn and tn.


def of_one_class(v, words=SAYS_UNDEFINED, names=OF_ONE_CLASS):
    """What each function gives, and whether it says these words."""
    given = {**v.weight, **v.positive, **v.chosen}

    def call(name):
        parameters = parameters_of(BY_NAME[OF_ONE_CLASS[name]])
        return getattr(ext, name)(v.true, v.pred, **given, **parameters)

    return {name: heard(words, partial(call, name)) for name in names}


def exactly(v, alone=None, names=OF_ONE_CLASS):
    """The formula of each class, or what stands for 0/0, which is said."""

    def value(name):
        metric = CLASS_METRICS[OF_ONE_CLASS[name]]
        parameters = parameters_of(BY_NAME[OF_ONE_CLASS[name]])
        exact = {key: Fraction(str(number)) for key, number in parameters.items()}
        counts = [Counts(*map(Fraction, samples.counts)) for samples in alone or v.alone]
        of_each = [metric.formula(of, **exact) for of in counts]
        values = [to_float(metric.undefined if of is ZERO_BY_ZERO else of) for of in of_each]
        return np.reshape(values, v.shape if alone is None else ()), ZERO_BY_ZERO in of_each

    return {name: value(name) for name in names}


# Functions of all classes.


def of_all_classes(v, words=SAYS_UNDEFINED):
    """What each function gives, and whether it says these words."""

    def call(name):
        return getattr(ext, name)(v.true, v.pred, **v.weight)

    return {name: heard(words, partial(call, name)) for name in OF_ALL_CLASSES}


def exactly_of_all(v):
    """The formula of the matrix of all classes, or what stands for 0/0, which is said."""
    [pairs] = v.pairs
    weights = v.weight.get("sample_weight", np.ones(len(pairs)))
    weight_of_one = Fraction(len(pairs), np.count_nonzero(weights))
    counted = tally(*zip(*pairs, strict=True))._replace(weight_of_one=weight_of_one)
    matrix = counted.matrix(counted.labels)

    def value(name):
        metric = OVERALL_METRICS[FORMULAS[name]]
        found = metric.formula(matrix)
        is_undefined = found is ZERO_BY_ZERO
        return to_float(
            metric.undefined if is_undefined else found
        ), is_undefined and name != SILENT

    return {name: value(name) for name in OF_ALL_CLASSES}


# Functions that go by the order of the classes: four grades, whose order is not their alphabet.
GRADES = ["none", "mild", "severe", "fatal"]
ACTUAL_GRADE, PREDICTED_GRADE = SIZE + TRUE, P_OF_SIZES.argmax(axis=1) + PRED
IS_ANY = ROW >= 0
IS_NOT_MILD = (ACTUAL_GRADE != 1) & (PREDICTED_GRADE != 1)


def graded(v, kept=IS_ANY):
    """Both grades of the samples, by name."""
    rows = v.rows[kept[v.rows]]
    return [np.array(GRADES)[of[rows]] for of in (ACTUAL_GRADE, PREDICTED_GRADE)]


def by_order(v, kept=IS_ANY, words=SAYS_UNDEFINED):
    """What each function gives of ordered categoricals, and whether it says these words."""
    sides = [pd.Series(pd.Categorical(of, GRADES, ordered=True)) for of in graded(v, kept)]
    if hasattr(v.true, "index"):
        sides = [of.set_axis(like.index) for of, like in zip(sides, (v.true, v.pred), strict=True)]

    def call(name):
        return getattr(ext, name)(*sides, **v.weight, **BY_ORDER[name])

    return {name: heard(words, partial(call, name)) for name in BY_ORDER}


def exactly_by_order(v, kept=IS_ANY):
    """The formulas of all four grades as numbers, of which some may not occur."""
    rows = v.stands_for[0].row
    rows = rows[kept[rows]]
    counted = tally(ACTUAL_GRADE[rows].tolist(), PREDICTED_GRADE[rows].tolist())
    matrix = counted.matrix(range(4))

    def value(name):
        metric = OVERALL_METRICS[FORMULAS[name]]
        found = metric.formula(matrix, **BY_ORDER[name])
        is_undefined = found is ZERO_BY_ZERO
        return to_float(metric.undefined if is_undefined else found), is_undefined

    return {name: value(name) for name in BY_ORDER}


def in_named_order(v):
    """The same of plain strings in the order of labels=; kappa only of two of the grades."""
    true, pred = graded(v)
    two = ["none", "severe"]
    kept = np.isin(true, two) & np.isin(pred, two)
    return (
        (
            ext.gerrity_score(true, pred, labels=GRADES),
            ext.cohen_kappa_score(true, pred, labels=two),
        ),
        sklearn.metrics.cohen_kappa_score(true[kept], pred[kept]),
    )


# Several values at once, and arrays.


def several(v, function):
    """All values but the support, of each class."""
    options = v.chosen if v.classes else {"average": "binary", **v.positive}
    return np.stack(function(v.true, v.pred, **options, **v.weight)[:-1], axis=-1)


def by_library(function):
    """Of the plain samples, by another library."""

    def of_each(v):
        found = [function(samples.true, samples.pred, average="binary")[:-1] for samples in v.alone]
        return np.reshape(np.array(found), (*v.shape, -1))

    return of_each


def likelihood_ratios(v):
    labels = {"labels": [1, 0]} if v.positive else {}
    return ext.class_likelihood_ratios(v.true, v.pred, **labels, **v.weight)


def expected_ratios(v):
    [samples] = v.stands_for
    return sklearn.metrics.class_likelihood_ratios(samples.true, samples.pred)


def matrix(v, **options):
    return ext.confusion_matrix(v.true, v.pred, **v.weight, **options)


def expected_matrix(v):
    [pairs] = v.pairs
    labels = v.labels
    return np.array([[pairs.count((i, j)) for j in labels] for i in labels])


def right_of_one(v):
    """The samples of the class that are right, which are all that are of nothing else."""
    return [[v.stands_for[0].counts[0]]]


def matrices(v, **options):
    """tp, fp, fn and tn of each class."""
    found = ext.multilabel_confusion_matrix(v.true, v.pred, **v.weight, **options)
    return found[:, [1, 0, 1, 0], [1, 1, 0, 0]]


def expected_matrices(v):
    if v.classes:
        return [samples.counts for samples in v.stands_for]
    [pairs] = v.pairs
    of_labels = [[(true == of, pred == of) for true, pred in pairs] for of in v.labels]
    cells = [(True, True), (False, True), (True, False), (False, False)]
    return [[of_label.count(cell) for cell in cells] for of_label in of_labels]


ARRAYS = {**INDICES, **WITHOUT_GROUPS, LOSS: NO_METRIC}

ROWS = [
    Row(
        (*OF_ONE_CLASS, "sensitivity_score"),
        without_groups(of_one_class),
        without_groups(exactly),
        {
            **WITHOUT_GROUPS,
            **indices_of(OF_ONE_CLASS, of_one_class, exactly),
            # Only scorers negate.
            LOSS: gives(
                partial(exactly, alone=[ALL], names=LOSSES), partial(of_one_class, names=LOSSES)
            ),
        },
    ),
    Row(
        tuple(OF_ALL_CLASSES),
        without_groups(of_all_classes),
        without_groups(exactly_of_all),
        {
            **WITHOUT_GROUPS,
            **indices_of(OF_ALL_CLASSES, of_all_classes, exactly_of_all),
            ONE_CLASS: "those that take labels= are in the next row",
            OTHER_CLASS: NO_CLASS_POSITIVE,
        },
    ),
    Row(
        tuple(BY_ORDER),
        by_order,
        exactly_by_order,
        {
            **WITHOUT_GROUPS,
            **indices_of(BY_ORDER, by_order, exactly_by_order),
            ONE_CLASS: gives(
                lambda v: (exactly_by_order(v)["gerrity_score"][0], in_named_order(v)[1]),
                lambda v: in_named_order(v)[0],
            ),
            EMPTY: "an entry is a grade here, as in " + NO_MIDDLE,
            OTHER_CLASS: NO_CLASS_POSITIVE,
            # A grade that does not occur keeps its place.
            NO_MIDDLE: gives(
                partial(exactly_by_order, kept=IS_NOT_MILD), partial(by_order, kept=IS_NOT_MILD)
            ),
        },
    ),
    Row(
        ("precision_recall_fscore_support",),
        without_groups(partial(several, function=ext.precision_recall_fscore_support)),
        without_groups(by_library(sklearn.metrics.precision_recall_fscore_support)),
        {**ARRAYS, EMPTY: undefined(UNDEFINED), NO_MIDDLE: undefined(UNDEFINED)},
    ),
    Row(
        ("sensitivity_specificity_support",),
        without_groups(partial(several, function=ext.sensitivity_specificity_support)),
        without_groups(by_library(imblearn.metrics.sensitivity_specificity_support)),
        {
            **ARRAYS,
            EMPTY: undefined(UNDEFINED),
            ONE_ROW: undefined(UNDEFINED),
            NO_MIDDLE: undefined(UNDEFINED),
        },
    ),
    Row(
        ("class_likelihood_ratios",),
        without_groups(likelihood_ratios),
        expected_ratios,
        {
            **ARRAYS,
            ONE_CLASS: refused("is for two classes, but there are 3"),
            EMPTY: undefined("no actual positives", lambda _: [nan, nan]),
            ONE_ROW: refused(r"specify both with labels=\[negative, positive\]"),
            NO_MIDDLE: refused("is for two classes, but there are 3"),
        },
    ),
    Row(
        ("confusion_matrix",),
        without_groups(matrix),
        without_groups(expected_matrix),
        {
            **ARRAYS,
            ONE_CLASS: warned(
                "have a single label", right_of_one, call=partial(matrix, labels=["fair"])
            ),
            OTHER_CLASS: NO_CLASS_POSITIVE,
            ONE_ROW: warned("have a single label"),
        },
    ),
    Row(
        ("multilabel_confusion_matrix",),
        without_groups(matrices),
        without_groups(expected_matrices),
        {
            **ARRAYS,
            ONE_CLASS: gives(expected_matrices, partial(matrices, labels=["fair"])),
            OTHER_CLASS: NO_CLASS_POSITIVE,
        },
    ),
]
