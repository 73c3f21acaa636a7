"""Rows of reports, of which scikit-learn and imbalanced-learn have their own."""

import contextlib
import io

import imblearn.metrics
import numpy as np
import sklearn.metrics

from skmetrics_ext import (
    classification_report,
    classification_report_imbalanced,
    describe,
    evaluation_index,
    metrics_table,
)
from tests.variants.samples import (
    EMPTY,
    GROUPS,
    LOSS,
    NO_MIDDLE,
    ONE_CLASS,
    ONE_ROW,
    OTHER_CLASS,
    TWO_AXES,
)
from tests.variants.shared import INDICES, NO_CLASS_POSITIVE, NO_METRIC, UNDEFINED, WITHOUT_GROUPS
from tests.variants.sources import ratio
from tests.variants.table import Cell, Row, nothing_but, refused, undefined, without_groups
from tests.vectors.one_class import CLASS_METRICS


def selected(v):
    return {"labels": ["fair"]} if v.name == ONE_CLASS else {}


def as_dict(report):
    """What it gives for the labels that are passed."""
    return lambda v: report(v.true, v.pred, **v.weight, **selected(v), output_dict=True)


def by_library(report):
    """What another library gives for the samples that they stand for."""

    def expected(v):
        [pairs] = v.pairs
        return report(*zip(*pairs, strict=True), **selected(v), output_dict=True)

    return expected


def of_groups(v):
    return classification_report(v.matrix(), output_dict=True)


def index(v, **options):
    return dict(sorted(evaluation_index(v.true, v.pred, **v.weight, **options).items()))


def rates_of(tp, fp, fn, tn):
    """The hits and their number of each rate, and what stands for 0/0."""
    n = tp + fp + fn + tn
    return {
        "accuracy": (tp + tn, n, 0),
        "classification_error": (fp + fn, n, 1),
        "precision": (tp, tp + fp, 0),
        "recall": (tp, tp + fn, 0),
        "specificity": (tn, tn + fp, 0),
        "false_positive_rate": (fp, tn + fp, 1),
        "false_negative_rate": (fn, tp + fn, 1),
        "f_measure": (2 * tp, 2 * tp + fp + fn, 0),
    }


def expected_index(v):
    """Counts and rates of each class, and the rates weighted by its number of actual samples."""
    [pairs] = v.pairs
    found, rates = {}, {}
    for label in v.labels:
        of_label = [(true == label, pred == label) for true, pred in pairs]
        cells = (True, True), (False, True), (True, False), (False, False)
        tp, fp, fn, tn = map(of_label.count, cells)
        found |= {f"true_positive_{label}": tp, f"false_positive_{label}": fp}
        found |= {f"false_negative_{label}": fn, f"true_negative_{label}": tn}
        found |= {f"cf_{label}_{pred}": pairs.count((label, pred)) for pred in v.labels}
        for name, (hits, n, worst) in rates_of(tp, fp, fn, tn).items():
            found[f"{name}_{label}"] = ratio(hits, n) if n else worst
            rates.setdefault(name, []).append(found[f"{name}_{label}"])
    actual = [sum(true == label for true, _ in pairs) for label in v.labels]
    found |= {f"{name}_weighted": np.average(of, weights=actual) for name, of in rates.items()}
    return dict(sorted(found.items()))


def losses(_):
    """The metrics of one class where lower is better."""
    table = metrics_table("pandas")
    return sorted(table.name[(table.better == "lower") & table.name.isin(CLASS_METRICS)])


def known_losses(_):
    return sorted(name for name, of in CLASS_METRICS.items() if of.better == "lower")


def says_how_to_score(_):
    """Whether a loss is described as one, with the name of its scorer."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        describe("fnr")
    return [words in text.getvalue() for words in ("lower is better", 'get_scorer("neg_fnr")')]


REPORT = {
    **INDICES,
    **WITHOUT_GROUPS,
    LOSS: NO_METRIC,
    EMPTY: undefined(UNDEFINED),
    OTHER_CLASS: NO_CLASS_POSITIVE,
    NO_MIDDLE: undefined(UNDEFINED),
}

ROWS = [
    Row(
        ("classification_report",),
        without_groups(as_dict(classification_report)),
        without_groups(by_library(sklearn.metrics.classification_report)),
        {
            **REPORT,
            GROUPS: refused("leading axes", call=of_groups),
            TWO_AXES: refused("leading axes", call=of_groups),
        },
    ),
    Row(
        ("classification_report_imbalanced",),
        without_groups(as_dict(classification_report_imbalanced)),
        without_groups(by_library(imblearn.metrics.classification_report_imbalanced)),
        {**REPORT, ONE_ROW: undefined(UNDEFINED)},
    ),
    Row(
        ("evaluation_index",),
        without_groups(index),
        without_groups(expected_index),
        {
            **REPORT,
            ONE_CLASS: refused("must include all labels", call=lambda v: index(v, labels=["fair"])),
            ONE_ROW: undefined(UNDEFINED),
        },
    ),
    Row(("metrics_table",), losses, known_losses, nothing_but("takes no samples") | {LOSS: Cell()}),
    Row(
        ("describe",),
        says_how_to_score,
        lambda _: [True, True],
        nothing_but("takes no samples") | {LOSS: Cell()},
    ),
]
