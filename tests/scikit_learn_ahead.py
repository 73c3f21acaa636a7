"""A scikit-learn that is not there yet: `pytest -p tests.scikit_learn_ahead` runs tests with it.

As in its pull request 34225, the value of 0/0 is nan by default and set by `replaced_undefined_by`;
`zero_division` is deprecated. As in 31413 and issue 34901, `add_auto_request` of a method's request
asks for metadata by the policy "auto", which its estimators and scorers do for sample weights; the
default policy changes nothing. Results of this package do not change with any of it.
"""

import contextlib
import functools
import inspect
import warnings

import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import _scorer
from sklearn.utils import _metadata_requests

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


POLICY = {"metadata_request_policy": "class-level"}


@contextlib.contextmanager
def policy(name):
    """As sklearn.config_context(metadata_request_policy=name) will be."""
    before = POLICY["metadata_request_policy"]
    POLICY["metadata_request_policy"] = name
    try:
        yield
    finally:
        POLICY["metadata_request_policy"] = before


def add_auto_request(self, *params):
    """Request metadata by this policy, whatever was said before: whoever asks knows that."""
    if POLICY["metadata_request_policy"] == "auto":
        self._requests |= dict.fromkeys(params, True)
    return self


def requesting_weights(requests_of):
    """The requests of its own objects as they will be."""

    @functools.wraps(requests_of)
    def changed(self):
        requests = requests_of(self)
        if type(self).__module__.startswith("sklearn."):
            for method in ("fit", "score"):
                asked = getattr(requests, method)
                if asked.requests.get("sample_weight", False) is None:
                    asked.add_auto_request("sample_weight")
        return requests

    return changed


def with_policies(monkeypatch):
    """Its objects have the policies."""
    monkeypatch.setattr(
        _metadata_requests.MethodMetadataRequest,
        "add_auto_request",
        add_auto_request,
        raising=False,
    )
    for of in (_metadata_requests._MetadataRequester, _scorer._BaseScorer):
        if "_get_metadata_request" in vars(of):
            changed = requesting_weights(of._get_metadata_request)
            monkeypatch.setattr(of, "_get_metadata_request", changed)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests():
    """Put them in place, before the settings of all tests are read."""
    with_policies(pytest.MonkeyPatch())
    for name in CHANGED:
        setattr(sklearn.metrics, name, ahead(getattr(sklearn.metrics, name)))
