"""Rows of cross-validation."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import sklearn

from skmetrics_ext import (
    UnreliableIntervalWarning,
    compare_estimators,
    cross_val_confusion_matrix,
    cross_val_interval,
    cross_val_threshold_curves,
    get_scorer,
)
from tests.doubles import ReadsScores
from tests.variants.curve import all_counts, counts_of
from tests.variants.samples import (
    EMPTY,
    HALF,
    LOSS,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    P_OF_SIZES,
    PERMUTED,
    PERMUTED_GROUPS,
    PERMUTED_WEIGHTS,
    RANGE,
    ROW,
    SITE,
    SIZE,
    TRUE,
    WEIGHTS,
    by_site,
)
from tests.variants.scoring import mean_recall, name_of, options_of
from tests.variants.shared import (
    NO_METRIC,
    OTHER_ORDER,
    PARTLY_SHARED,
    PARTS,
    SELECTS,
    UNDEFINED,
    of_positive,
    row_of_model,
)
from tests.variants.table import Row, each, gives, refused, undefined, warned
from tests.variants.variant import Samples

# Cross-validation: both halves, each of which a model is asked for that has seen all samples.


def halves(v):
    places = np.arange(len(v.rows))
    return [(places, places[HALF[v.rows] == half]) for half in (0, 1)]


def cross_validated(v, **params):
    by = {"by": pd.Series(SITE, v.pred.index)} if v.name in (PERMUTED, RANGE) else v.by
    model = ReadsScores().set_fit_request(sample_weight=True) if params else ReadsScores()
    options = {"cv": halves(v), **by, **v.positive, **params}
    return of_positive(cross_val_confusion_matrix(model, v.X, v.true, **options))


def with_routed_weights(v):
    with sklearn.config_context(enable_metadata_routing=True):
        return cross_validated(v, params=dict(v.weight))


def expected_of_folds(v):
    of_groups = by_site(v) if v.name == RANGE else v
    return each(lambda samples: samples.counts)(of_groups.before("fold", HALF))


def of_two_known(v):
    """By a model that learned two of the classes: tp, fp, fn and tn of both, in both folds."""
    is_high, says_high = SIZE == 2, P_OF_SIZES[:, 2] >= P_OF_SIZES[:, 0]
    unused = np.zeros(len(ROW))
    of_both = [
        Samples(true, pred, unused, unused, unused, ROW)
        for true, pred in ((is_high, says_high), (~is_high, ~says_high))
    ]
    rows = [v.rows[HALF[v.rows] == half] for half in (0, 1)]
    return [[samples.at(of).counts for samples in of_both] for of in rows]


def curves_of_folds(v, cv=halves):
    positive = {"pos_label": "fair"} if v.classes else v.positive
    found = cross_val_threshold_curves(ReadsScores(), v.X, v.true, cv=cv(v), **positive)
    return [counts_of(of) for of in found.values()]


def expected_curves_of_folds(v):
    samples = v.stands_for[0]
    return [all_counts(samples.at(HALF[samples.row] == half)) for half in (0, 1)]


def all_and_negative(v):
    """All samples, and those that are actually negative."""
    places = np.arange(len(v.rows))
    return [(places, places), (places, places[v.true == 0])]


def expected_of_all_and_negative(v):
    return [all_counts(of.stands_for[0]) for of in (v, v.part(TRUE == 0))]


# Repeated folds, whose counts together are those of the samples whatever the folds.


def repeated(v, function, models, **params):
    scorer = get_scorer(name_of(v), **options_of(v))
    options = {"scoring": scorer, "cv": 3, "n_repeats": 2, "random_state": 0, **params}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        return function(models, v.X, v.true, **options)


def value_of_repeated(v, **params):
    model = ReadsScores().set_fit_request(sample_weight=True) if params else ReadsScores()
    return repeated(v, cross_val_interval, model, **params).value


def weighted_value_of_repeated(v):
    with sklearn.config_context(enable_metadata_routing=True):
        return value_of_repeated(v, params=dict(v.weight))


def both_of_repeated(v):
    models = {"one": ReadsScores(), "two": ReadsScores()}
    row = repeated(v, compare_estimators, models).rows[0]
    return [row.value, row.reference_value, row.difference, row.p_value]


def expected_of_both(v):
    return [mean_recall(v), mean_recall(v), 0, 1]


def mean_recall_of_two(v):
    """Of the two classes that are known."""
    tp, _, fn, _ = np.sum(of_two_known(v), axis=0).T
    return np.mean(tp / (tp + fn))


def expected_of_both_of_two(v):
    return [mean_recall_of_two(v), mean_recall_of_two(v), 0, 1]


ROWS = [
    Row(
        ("cross_val_confusion_matrix",),
        cross_validated,
        expected_of_folds,
        {
            LOSS: NO_METRIC,
            ONE_CLASS: SELECTS,
            PERMUTED: refused(OTHER_ORDER),
            PERMUTED_GROUPS: refused(OTHER_ORDER),
            PERMUTED_WEIGHTS: refused(OTHER_ORDER, call=with_routed_weights),
            ONE_ROW: PARTS,
            NO_MIDDLE: gives(of_two_known),
            WEIGHTS: gives(expected_of_folds, with_routed_weights),
            RANGE: warned(PARTLY_SHARED),
        },
    ),
    row_of_model(
        ("cross_val_threshold_curves",),
        curves_of_folds,
        expected_curves_of_folds,
        {
            LOSS: NO_METRIC,
            EMPTY: gives(
                expected_of_all_and_negative, partial(curves_of_folds, cv=all_and_negative)
            ),
            PERMUTED_WEIGHTS: "weights are routed as in cross_val_confusion_matrix",
            ONE_ROW: PARTS,
            NO_MIDDLE: refused("'fair' is not among the labels"),
            WEIGHTS: "weights are routed as in cross_val_confusion_matrix",
        },
    ),
    row_of_model(
        ("cross_val_interval",),
        value_of_repeated,
        mean_recall,
        {
            ONE_ROW: refused("3 folds of 1 samples"),
            EMPTY: undefined(UNDEFINED, lambda _: np.nan),
            NO_MIDDLE: gives(mean_recall_of_two),
            WEIGHTS: gives(mean_recall, weighted_value_of_repeated),
            PERMUTED_WEIGHTS: "weights are routed as in cross_val_confusion_matrix",
        },
    ),
    row_of_model(
        ("compare_estimators",),
        both_of_repeated,
        expected_of_both,
        {
            ONE_ROW: refused("3 folds of 1 samples"),
            EMPTY: warned("is undefined, or infinite", lambda _: [np.nan] * 4),
            NO_MIDDLE: gives(expected_of_both_of_two),
            WEIGHTS: "weights are routed as in cross_val_interval",
            PERMUTED_WEIGHTS: "weights are routed as in cross_val_confusion_matrix",
        },
    ),
]
