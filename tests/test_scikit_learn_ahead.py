"""The tests can compare with a scikit-learn that calls the value of 0/0 by another name."""

import math

import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

from tests import scikit_learn_ahead
from tests.as_of_today import as_of_today

UNDEFINED = ([1, 1], [0, 0])


@pytest.fixture
def ahead():
    return scikit_learn_ahead.ahead(sklearn.metrics.precision_score)


def test_the_scikit_learn_ahead_is_as_its_pull_request_says(ahead):
    with pytest.warns(UndefinedMetricWarning):
        assert math.isnan(ahead(*UNDEFINED))
    assert ahead(*UNDEFINED, replaced_undefined_by=1) == 1
    with pytest.warns(FutureWarning, match="zero_division is deprecated"):
        assert ahead(*UNDEFINED, zero_division=1) == 1


def test_it_is_told_the_value_by_its_own_name(ahead):
    today = as_of_today(ahead)
    assert today is not ahead
    with pytest.warns(UndefinedMetricWarning):
        assert today(*UNDEFINED) == 0
    assert today(*UNDEFINED, zero_division=1) == 1
    assert math.isnan(today(*UNDEFINED, zero_division=math.nan))


def test_a_scikit_learn_of_the_old_name_is_asked_directly():
    function = sklearn.metrics.accuracy_score
    assert as_of_today(function) is function
