"""What a call answers or why it is refused, and all that a design says, in a form to compare."""

import dataclasses
import traceback
import warnings

import numpy as np
from scipy import sparse

from skmetrics_ext.counting.design import SampleDesign
from tests.options_named import check_error

# Sums of floats in another order.
ROUNDING = 1e-12


def outcome_of(call, *arguments, **options):
    """The result and what it warns of, or the class and the text of the error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = call(*arguments, **options)
        except (ValueError, TypeError) as error:
            check_error(error)
            return type(error).__name__, str(error)
    return found, sorted(str(warning.message) for warning in caught)


def answered(function, *arguments, **options):
    """What a consumer says, or None where it refuses in words of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except ValueError as error:
            check_error(error)
            raised_by = traceback.extract_tb(error.__traceback__)[-1]
            if "skmetrics_ext" in raised_by.filename and raised_by.line.startswith("raise"):
                return None
            raise


def parts_of(value):
    """Values by name, of a dataclass by its fields."""
    if isinstance(value, SampleDesign):
        return {"kind": type(value).__name__, **parts_of_design(value)}
    if dataclasses.is_dataclass(value):
        return {of.name: parts_of(getattr(value, of.name)) for of in dataclasses.fields(value)}
    if hasattr(value, "_asdict"):
        return {name: parts_of(part) for name, part in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [parts_of(part) for part in value]
    return value


def parts_of_design(design):
    """The fields of a design: clusters in the order of their names, and other rows with how often
    each occurs.
    """
    own = {of.name: getattr(design, of.name) for of in dataclasses.fields(design)}
    if sparse.issparse(own.get("units")):
        rows, times, names = own.pop("units").toarray(), own.pop("times"), own.pop("clusters")
        names = np.array([]) if names is None else names
        order = np.argsort(names)
        own["clusters"], own["of_clusters"] = names[order], rows[order]
        own["others"] = rows_alike(rows[len(names) :], times[len(names) :])
    return {name: parts_of(value) for name, value in own.items()}


def rows_alike(rows, times):
    """Distinct rows, sorted, and how often each occurs."""
    distinct, place = np.unique(rows.round(9), axis=0, return_inverse=True)
    numbers = np.bincount(place.ravel(), times, minlength=len(distinct))
    return np.column_stack([distinct, numbers])


def check_same(found, expected, rtol=ROUNDING, where=""):
    """The same in all parts, numbers but for rounding."""
    one, other = parts_of(found), parts_of(expected)
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), where
        for name, part in one.items():
            check_same(part, other[name], rtol, f"{where}.{name}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), f"{where}: {one} for {other}"
        for place, part in enumerate(one):
            check_same(part, other[place], rtol, f"{where}[{place}]")
    elif is_of_floats(one) or is_of_floats(other):
        # Most are equal to the last digit, of which NumPy is sure much sooner.
        if not np.array_equal(one, other):
            np.testing.assert_allclose(one, other, rtol, 1e-300, err_msg=where)
    else:
        assert np.array_equal(one, other), f"{where}: {one!r} for {other!r}"


def is_of_floats(value):
    """Whether rounding may differ."""
    return isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype.kind in "fiu"
