"""The advice of a caveat or an error, followed as it is written, ends it, and less does not."""

import re
import warnings

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    check,
    classification_report,
    cross_val_confusion_matrix,
    sample_size,
    watch,
)

TWO = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
GROUPS = ConfusionMatrix.from_counts(
    [[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[3, 1], [4, 0]]], labels=[0, 1]
)
OF_FEW = ConfusionMatrix.from_counts(
    [[[700, 300], [200, 800]], [[800, 200], [410, 590]], [[3, 2], [4, 4]]], labels=[0, 1]
)
KNOWN = np.where(np.arange(400) % 5 < 3, np.tile([0.0, 1.0], 200), np.nan)
PARTLY_KNOWN = ConfusionMatrix.from_partial_labels(
    KNOWN,
    np.where(np.arange(400) % 7, np.tile([0.0, 1.0], 200), 0.0),
    by={"group": np.arange(400) // 4 % 3},
)
NO_HITS = ConfusionMatrix.from_counts([[[70, 30], [50, 0]], [[80, 20], [60, 0]]], labels=[0, 1])


def heard(call, **options):
    """What a call says: its warnings, or its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call(**options)
        except ValueError as error:
            return [str(error)]
    return [str(warning.message) for warning in caught]


# Calls, and the beginning of what they say; the advice is in its options.
ADVISED = {
    "few replicates": (
        lambda **options: TWO.interval(
            "mcc", **{"method": "bootstrap", "confidence_level": 0.999, **options}
        ),
        r"100 replicates are too few",
        {"n_resamples": 100},
    ),
    "few replicates at a level that floats round": (
        lambda **options: TWO.interval(
            "mcc", **{"method": "bootstrap", "confidence_level": 0.9999, **options}
        ),
        r"100 replicates are too few",
        {"n_resamples": 100},
    ),
    "few replicates together": (
        lambda **options: GROUPS.sel(axis_0=[0, 1]).interval(
            "mcc", **{"method": "bootstrap", "simultaneous": True, **options}
        ),
        r"101 replicates are too few",
        {"n_resamples": 101, "confidence_level": 0.99},
    ),
    "few replicates of groups": (
        lambda **options: PARTLY_KNOWN.gap("recall", **{"confidence_level": 0.99, **options}),
        r"101 replicates are too few for such",
        {"n_resamples": 101},
    ),
    "a gap of few": (
        lambda **options: GROUPS.gap("recall", **options),
        r"the gap in recall is determined by groups with few",
        {},
    ),
    "a gap whose test has few": (
        lambda **options: OF_FEW.gap("mcc", **options),
        r"the (test|gap).*few",
        {"n_resamples": 199},
    ),
    "a ratio of zeros": (
        lambda **options: NO_HITS.gap("recall", **options),
        r"recall is 0 in all groups",
        {"kind": "ratio"},
    ),
}


def options_of(text):
    """The options that a sentence advises, as Python reads them."""
    found = re.findall(r"(\w+)=('\w+'|\d+)", text)
    return {name: value.strip("'") if value[0] == "'" else int(value) for name, value in found}


@pytest.mark.parametrize(("call", "words", "options"), ADVISED.values(), ids=ADVISED)
def test_options_that_are_advised_end_the_caveat(call, words, options):
    said = [text for text in heard(call, **options) if re.match(words, text)]
    assert len(said) == 1
    advised = options_of(said[0])
    assert advised
    assert not [text for text in heard(call, **options | advised) if re.match(words[4:], text)]
    assert not [text for text in heard(call, **options | advised) if text == said[0]]
    if "n_resamples" in advised:
        less = options | {"n_resamples": advised["n_resamples"] - 1}
        assert [text for text in heard(call, **less) if "replicates are too few" in text]
        assert not heard(call, **options | advised)


def test_groups_that_are_as_large_as_advised_are_not_excluded():
    """With one sample less they are few."""
    for n, n_said in ((9, 1), (10, 0)):
        cm = ConfusionMatrix.from_counts([[[9, 1], [2, n - 2]], [[90, 10], [30, 70]]], [0, 1])
        said = [text for text in heard(lambda cm=cm: cm.gap("recall")) if "few" in text]
        assert len(said) == n_said
        assert all(options_of(text) == {"min_samples": 10} for text in said)


def test_the_folds_of_one_repetition_have_no_caveat_of_several():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 2)), np.repeat([0, 1], 100)
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
    folds = cross_val_confusion_matrix(GaussianNB(), X, y, cv=cv)
    all_of_them, one = folds.sum("fold"), folds.sel(fold=[0, 1, 2, 3]).sum("fold")
    said = {
        name: heard(lambda of=of: watch([of, of], {"recall": 0.5}, horizon=4))
        for name, of in (("all", all_of_them), ("one", one))
    }
    assert "cm.sel(fold=[...])" in said["all"][0]
    assert not [text for text in said["one"] if "cm.sel(" in text]
    verdicts = [check(of, {"recall": 0.1}).overall for of in (all_of_them, one)]
    assert verdicts == ["cannot tell", "pass"]


def test_a_matrix_that_is_pooled_or_selected_as_advised_has_a_report():
    [said] = heard(lambda: classification_report(GROUPS))
    assert "sum('axis_0')" in said
    assert "sel(axis_0=...)" in said
    assert not heard(lambda: classification_report(GROUPS.sum("axis_0")))
    assert not heard(lambda: classification_report(GROUPS.sel(axis_0=1)))


def test_the_number_of_samples_that_is_needed_is_the_smallest_that_suffices():
    """As in n_needed of check and n of sample_size: one less has less power."""
    claim = {"value": 0.95, "bound": 0.9}
    n = sample_size("recall", **claim, power=0.8).n
    assert sample_size("recall", **claim, n=n).power >= 0.8
    assert sample_size("recall", **claim, n=n - 1).power < 0.8
