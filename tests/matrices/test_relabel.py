"""relabel: classes get other names, and all else stays."""

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import ConfusionMatrix
from tests.outcomes import check_same

Y = np.array([0, 1, 2, 1, 0, 2, 2, 1, 0, 1])
PRED = np.array([0, 1, 1, 1, 2, 2, 0, 1, 0, 0])
NAMES = {0: "none", 1: "mild", 2: "severe"}
CLUSTERS = np.arange(10) // 2


def renamed(labels):
    return [NAMES[label] for label in labels.tolist()]


@pytest.mark.parametrize("options", [{}, {"sample_weight": Y + 0.5}, {"clusters": CLUSTERS}])
@pytest.mark.filterwarnings("ignore")
def test_counts_are_those_of_renamed_labels(options):
    by = {"g": np.arange(10) % 2}
    found = ConfusionMatrix.from_predictions(Y, PRED, by=by, **options).relabel(NAMES)
    expected = ConfusionMatrix.from_predictions(
        renamed(Y), renamed(PRED), by=by, labels=[*NAMES.values()], **options
    )
    assert found == expected
    assert found.labels.tolist() == ["none", "mild", "severe"]
    check_same(found._design, expected._design)
    for metric in ("recall_macro", "mcc"):
        one, other = (of.interval(metric, n_resamples=100) for of in (found, expected))
        assert one == other


def test_the_positive_class_and_the_ranking_are_renamed():
    two = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0])
    ill = two.relabel({0: "well", 1: "ill"})
    assert (ill.pos_label, ill.labels.tolist()) == ("ill", ["well", "ill"])
    assert ill.score("recall") == two.score("recall") == 0.5
    assert two.relabel({}) == two
    assert two.relabel({1: 7}).labels.tolist() == [0, 7]
    swapped = two.relabel({0: 1, 1: 0})
    assert (swapped.labels.tolist(), swapped.pos_label) == ([1, 0], 0)
    assert swapped.score("recall") == 0.5
    size = pd.Categorical(["low", "high", "high"], ["low", "high"], ordered=True)
    ranked = ConfusionMatrix.from_predictions(size, size)
    assert ranked.relabel({"low": "l"}).ranking.tolist() == ["l", "high"]


def test_names_are_of_classes_each_its_own():
    cm = ConfusionMatrix.from_predictions(["cat", "dog"], ["cat", "dog"])
    words = r"the classes of names are named \['Cat'\], but the labels are .*did you mean 'cat'"
    with pytest.raises(ValueError, match=words):
        cm.relabel({"Cat": "lion"})
    with pytest.raises(ValueError, match="two classes would be called 'dog'"):
        cm.relabel({"cat": "dog"})
    with pytest.raises(TypeError, match="names must be a dict, such as"):
        cm.relabel(["a", "b"])
    both = np.eye(2, dtype=int)
    with pytest.raises(ValueError, match="a multilabel matrix has 0 and 1 of each label"):
        ConfusionMatrix.from_predictions(both, both).relabel({0: "no"})
