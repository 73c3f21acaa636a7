"""What several tests share: loops, parameters of metrics, data, machines without a library."""

import ast
import functools
import inspect
import itertools
import warnings

import narwhals.stable.v2 as nw
import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.results import Axis, Comparison
from skmetrics_ext.statistics.entries import stacked_results

NAMES = ["ash", "beech", "cedar", "a very long name of a tree"]


def one_in(step, *values, start=0):
    """All combinations, of which plain pytest takes one in so many, with every value; of a single
    list, which is thinned from a start, other tests take the rest.
    """
    combinations = []
    for of in itertools.product(*map(enumerate, values)):
        is_plain = sum(place for place, _ in of) % step == start
        marks = () if is_plain else pytest.mark.slow
        name = "-".join(str(value if isinstance(value, str) else place) for place, value in of)
        combinations.append(pytest.param(*(value for _, value in of), marks=marks, id=name))
    return combinations


def for_each(argument, values):
    """One test for all values, where an item for each would say no more; a failure
    names its value.
    """

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(**fixtures):
            for value in values:
                try:
                    test(**fixtures, **{argument: value})
                except BaseException as error:
                    error.add_note(f"{argument}: {getattr(value, 'name', value)}")
                    raise

        others = [parameter for name, parameter in signature.parameters.items() if name != argument]
        run.__signature__ = signature.replace(parameters=others)
        return run

    return decorate


def parameters_of(row, classes=2, **others):
    """What a metric that has no default for a parameter is tested with; each error of so many, or
    named, has a cost.
    """
    n_classes = classes if isinstance(classes, int) else len(classes)
    costs = np.arange(n_classes**2, dtype=float).reshape(n_classes, n_classes) * (
        1 - np.eye(n_classes)
    )
    if not isinstance(classes, int):
        costs = {
            (classes[i], classes[j]): costs[i, j]
            for i in range(n_classes)
            for j in range(n_classes)
        }
    chosen = {"beta": 2, "threshold_probability": 0.3, "cost_matrix": costs, **others}
    return {name: chosen[name] for name in row.required}


@functools.cache
def parsed(path):
    """The syntax of a file, which several tests of the files ask for."""
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node):
    """All statements below a node; `ast.walk` would also visit every expression."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from statements(inner)


# For tests of anything else, whose thresholds may lie between 0 and 1 by chance.
of_any_scale = pytest.mark.filterwarnings("ignore:threshold=.* looks like a probability")


def are_on_scale(thresholds, scores):
    """Whether thresholds are finite only from 0 to 1 where all scores are, but for rounding."""
    rounding = 0.001
    are_shares = min(scores) >= -rounding and max(scores) <= 1 + rounding
    limits = min(0, *scores), max(1, *scores)
    return not are_shares or all(
        limits[0] <= threshold <= limits[1] for threshold in thresholds if np.isfinite(threshold)
    )


@st.composite
def labeled(draw, n_labels=4):
    """Actual and predicted labels of some classes, as numbers or strings."""
    size = draw(st.integers(1, 25))
    codes = st.lists(
        st.integers(0, draw(st.integers(1, n_labels)) - 1), min_size=size, max_size=size
    )
    y_true, y_pred = np.array(draw(codes)), np.array(draw(codes))
    if draw(st.booleans()):
        return y_true, y_pred, list(range(n_labels))
    return np.array(NAMES)[y_true], np.array(NAMES)[y_pred], NAMES


@st.composite
def indicators(draw):
    shape = draw(st.integers(1, 10)), draw(st.integers(2, 4))
    bits = st.lists(st.integers(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    return np.reshape(draw(bits), shape), np.reshape(draw(bits), shape)


def weights(size):
    return st.none() | st.lists(st.sampled_from([0.5, 1.0, 2.25]), min_size=size, max_size=size)


def comparison_of_rows(rows, confidence_level=0.95, correction=None, margin=None):
    """A comparison of such rows, each of which has the names and numbers of a ComparisonRow."""
    asked = {"confidence_level": confidence_level, "correction": correction, "margin": margin}
    each = []
    for row in rows:
        fields = row._asdict()
        level = fields.pop("confidence_level")
        level_of_row = confidence_level if np.isnan(level) else level
        each.append(Comparison(**fields, level_of_row=level_of_row, **asked))
    names = np.array([f"{row.metric}: {row.model} - {row.reference}" for row in rows])
    return stacked_results(each, Axis("row", names))


def quietly(function, *args, **options):
    """The result, whatever is undefined on the way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return function(*args, **options)


def without(monkeypatch, *missing):
    """Make narwhals behave as where some libraries are not installed; it keeps those that it has
    once imported.
    """
    from_dict = nw.from_dict

    def refuse_missing(data, *, backend):
        if backend in missing:
            raise ModuleNotFoundError(backend)
        return from_dict(data, backend=backend)

    monkeypatch.setattr(nw, "from_dict", refuse_missing)
