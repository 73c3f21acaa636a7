"""A scikit-learn that is not there yet: `pytest -p tests.scikit_learn_ahead` runs tests with it.

As in its pull request 34225, the value of 0/0 is nan by default and set by `replaced_undefined_by`;
`zero_division` is deprecated. Results of this package do not change with it.
"""

import functools
import inspect
import warnings

import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

from tests.as_of_today import CHANGED, NEW, OLD
from tests.shared import quietly

# What it does by default, with a warning.
DEFAULT = np.nan
UNSET, DEPRECATED = object(), "deprecated"


def ahead(function):
    """A function as it will be."""

    @functools.wraps(function)
    def changed(*arguments, replaced_undefined_by=UNSET, zero_division=DEPRECATED, **options):
        if zero_division is not DEPRECATED:
            warnings.warn("zero_division is deprecated.", FutureWarning, stacklevel=2)
            return function(*arguments, zero_division=zero_division, **options)
        if replaced_undefined_by is not UNSET:
            return function(*arguments, zero_division=replaced_undefined_by, **options)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            function(*arguments, **options)
        if any(one.category is UndefinedMetricWarning for one in heard):
            warnings.warn("It is undefined and set to nan.", UndefinedMetricWarning, stacklevel=2)
        # jaccard_score of today has no nan.
        value = "warn" if function.__name__ == "jaccard_score" else DEFAULT
        return quietly(function, *arguments, zero_division=value, **options)

    parameters = inspect.signature(function).parameters.values()
    old = [one.replace(default=DEPRECATED) if one.name == OLD else one for one in parameters]
    new = inspect.Parameter(NEW, inspect.Parameter.KEYWORD_ONLY, default=DEFAULT)
    changed.__signature__ = inspect.Signature([*old, new])
    # Where pickle looks for it.
    changed.__module__ = "sklearn.metrics"
    return changed


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """Put them in place, before the settings of all tests are read."""
    for name in CHANGED:
        setattr(sklearn.metrics, name, ahead(getattr(sklearn.metrics, name)))
