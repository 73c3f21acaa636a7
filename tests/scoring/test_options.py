"""The options of scorers: the table is what the signatures have, and who takes which."""

import inspect

import pytest
from sklearn.metrics import roc_auc_score

from skmetrics_ext import ConfusionScorer, f1_score, get_scorer, make_scorer
from skmetrics_ext.scoring.options import DEFAULTS, KINDS, NOT_SAID, OPTIONS

# A value of each that is not its default, and right for two classes, 0 and 1.
VALUES = {
    "average": "macro",
    "pos_label": 1,
    "labels": [0, 1],
    "zero_division": 0,
    "response_method": "predict",
    "threshold": 0.3,
    "subject_to": {"recall": 0.5},
    "ties": "negative",
    "classes": [0, 1],
    "cost_matrix": [[0, 1], [2, 0]],
    "greater_is_better": True,
    "by": "sex",
    "over_groups": "gap",
    "min_samples": 5,
    "per_class": True,
    "counts": True,
    "name": "mine",
}
# What the value of an option needs beside it, for reasons of its own.
BESIDE = {
    "labels": {"average": "macro"},
    "ties": {"threshold": 0.3},
    "over_groups": {"by": "sex"},
    "min_samples": {"by": "sex"},
}
MAKERS = {
    "one": lambda **options: ConfusionScorer("f1", **options),
    "several": lambda **options: ConfusionScorer(["f1", "recall"], **options),
    "index": lambda **options: ConfusionScorer("evaluation_index", **options),
    "best": lambda **options: ConfusionScorer("f1", **{"threshold": "best"} | options),
    "foreign": lambda **options: make_scorer(roc_auc_score, **options),
}


def keywords(function):
    """The keyword-only parameters of a signature and their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {of.name: of.default for of in parameters if of.kind is of.KEYWORD_ONLY}


def test_the_table_has_the_options_of_the_signatures():
    assert keywords(ConfusionScorer) == DEFAULTS
    assert OPTIONS.keys() == DEFAULTS.keys() == VALUES.keys()
    of_both = {name for name, option in OPTIONS.items() if option.needs != "only"}
    for function in (get_scorer, make_scorer):
        assert keywords(function) == {name: NOT_SAID[name] for name in of_both}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_taken_or_refused_as_the_table_says(name, kind):
    make = MAKERS[kind]
    if kind in OPTIONS[name].taken_by.split():
        beside = BESIDE.get(name, {}) if kind in ("one", "several") else {}
        if kind == "index" and name == "ties":
            beside = {"threshold": [0.5, 0.5]}
        value = "best" if (kind, name) == ("best", "threshold") else VALUES[name]
        assert callable(make(**{name: value}, **beside))
    else:
        with pytest.raises(ValueError, match=f"^{name}= does not apply to {KINDS[kind]}: "):
            make(**{name: VALUES[name]})


@pytest.mark.parametrize(
    "name", [name for name, option in OPTIONS.items() if option.needs != "only"]
)
def test_an_option_that_needs_a_confusion_scorer_gets_one(name):
    beside = {"subject_to": {"threshold": "best"}, "ties": {"threshold": 0.3}}.get(name, {})
    for make in (get_scorer, lambda _, **of: make_scorer(f1_score, **of)):
        scorer = make("f1", **{name: VALUES[name]}, **beside)
        is_ours = isinstance(scorer, ConfusionScorer)
        assert is_ours is (OPTIONS[name].needs == "more" or bool(beside))
