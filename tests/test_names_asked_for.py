"""A message names a metric as the caller asked for it, whichever of its names that was."""

import re
import warnings
from functools import cache

import numpy as np
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    classification_report,
    compare,
    metric_interval,
    watch,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import parameters_of

# Few samples, and one group without positives: nearly everything is undefined or of few.
Y, PRED = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 0, 1])
GROUP = np.array([0, 1, 1, 0, 0, 0])
CM = ConfusionMatrix.from_predictions(Y, PRED)
ONLY_0 = ConfusionMatrix.from_counts([[6, 0], [0, 0]], labels=[0, 1])
GROUPS = ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP})
CURVE = ThresholdCurve.from_scores(Y, [0.1, 0.2, 0.3, 0.6, 0.4, 0.9])
WEIGHTED = ConfusionMatrix.from_predictions(Y, PRED, sample_weight=[1, 2, 3, 4, 5, 6])
DRAWN = {"n_resamples": 100}

DOORS = {
    "score": lambda name, options: ONLY_0.score(name, **options),
    "interval": lambda name, options: CM.interval(name, **DRAWN, **options),
    "delta": lambda name, options: CM.interval(name, method="delta", **DRAWN, **options),
    "weighted": lambda name, options: WEIGHTED.interval(name, **DRAWN, **options),
    "prevalence": lambda name, options: CM.at_prevalence(0.3).interval(name, **DRAWN, **options),
    "gap": lambda name, options: GROUPS.gap(name, **DRAWN, **options),
    "ratio": lambda name, options: GROUPS.gap(name, kind="ratio", **DRAWN, **options),
    "pairs": lambda name, options: GROUPS.pairwise_gaps(name, **DRAWN, **options),
    "metric_interval": lambda name, options: metric_interval(Y, PRED, name, **DRAWN, **options),
    "compare": lambda name, options: compare(Y, {"a": PRED, "b": Y}, name, **DRAWN, **options),
    "check": lambda name, _: check(CM, {name: 0.5}),
    "watch": lambda name, _: watch([CM, CM], {name: 0.5}, horizon=3),
    "report": lambda name, _: classification_report(
        Y, PRED, metrics=[name], averages=["macro"], confidence_level=0.9, random_state=0
    ),
    "best": lambda name, options: CURVE.best(name, subject_to={"lift": (50, 60)}, **options),
    "bounded": lambda name, _: CURVE.best("recall", subject_to={name: (5, 6)}),
    "values": lambda name, options: CURVE.score(name, zero_division="warn", **options),
}


# Lists of metrics that would fit, and sentences that name some.
EXAMPLES = re.compile(r"at a given prevalence|\[[^]]*\]|such as '\w+'( or '\w+')?")


# An alias with which no other metric's name begins or ends.
ALIASES = {row.aliases[0]: row for row in METRICS if row.aliases}


@cache
def said(door, alias):
    """All sentences of a door about an alias: warnings, and its error or its text."""
    options = parameters_of(ALIASES[alias], 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = repr(DOORS[door](alias, options))
        except ValueError as error:
            found = str(error)
    return [*(str(warning.message) for warning in caught), found]


def pairs(step):
    """One in so many pairs of an alias and a door that takes its metric, with all of both."""
    for place, (alias, row) in enumerate(ALIASES.items()):
        for turn, door in enumerate(DOORS):
            takes_it = not row.required or door not in ("check", "watch", "report", "bounded")
            if takes_it and (place + turn) % step == 0:
                yield alias, row, door


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_every_door_says_the_alias_that_it_was_asked_for(step):
    """The slow one guards each metric at each door, where plain pytest takes turns."""
    wrong = []
    for alias, row, door in pairs(step):
        own_name = re.compile(rf"(?<![\w'])({row.name}|{row.function})(?![\w'])")
        # Others are examples.
        texts = [text for text in said(door, alias) if own_name.search(EXAMPLES.sub("", text))]
        wrong += [(alias, door, text) for text in texts]
    assert not wrong


def test_the_doors_have_something_to_say():
    with_name = {
        door
        for alias, row, door in pairs(3)
        if not row.required and any(alias in text for text in said(door, alias))
    }
    assert with_name >= DOORS.keys() - {"values"}
