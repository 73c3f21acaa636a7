"""Rows of cross-validation."""

from functools import partial

import numpy as np
import pandas as pd
import sklearn

from skmetrics_ext import cross_val_confusion_matrix, cross_val_threshold_curves
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
from tests.variants.shared import (
    NO_METRIC,
    OTHER_ORDER,
    PARTLY_SHARED,
    PARTS,
    SELECTS,
    of_positive,
    row_of_model,
)
from tests.variants.table import Row, each, gives, refused, warned
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
]
