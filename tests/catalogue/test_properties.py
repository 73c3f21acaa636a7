"""What rows declare for methods: each property against the formula that it speaks of."""

import ast
import re
from fractions import Fraction

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.properties import OverClasses
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.formulas.ranges import Given
from tests.test_package import rooms, text_of

CELLS = ("tp", "fp", "fn", "tn")
NEEDED = {
    "fbeta": {"beta": 2},
    "tversky": {"alpha": 0.3, "beta": 0.4},
    "net_benefit": {"threshold_probability": 0.2},
    "expected_cost": {"cost_matrix": [[0, 1], [1, 0]]},
}
OF_A_CLASS = [row for row in METRICS if row.has_average]
TABLES = np.random.default_rng(0).integers(1, 50, (40, 2, 2))


def ids(rows):
    return {"argvalues": rows, "ids": [row.name for row in rows]}


def value_of(row, tables, **parameters):
    """The value of tables [[tn, fp], [fn, tp]], of the class and of all."""
    counted = CountedMatrix(np.asarray(tables), np.array([0, 1]), 1)
    average = {"average": "binary"} if row.has_average else {}
    given = NEEDED.get(row.name, {}) | parameters
    with np.errstate(all="ignore"):
        return np.asarray(score(counted, choose(row, zero_division=np.nan, **average, **given)))


def cells_of(tables):
    return dict(zip(CELLS, tables[..., [1, 0, 1, 0], [1, 1, 0, 0]].T, strict=True))


@pytest.mark.parametrize("row", **ids(METRICS))
def test_ends_are_those_of_the_text(row):
    texts = re.fullmatch(r"[\[(](.+?), (.+?)[\])]( for .*|; .*)?", row.range).groups()[:2]
    given = {"label_distances": np.abs(np.subtract.outer(np.arange(3), np.arange(3)))}
    given = given if row.takes_label_distances else NEEDED.get(row.name, {})
    ends = row.ends(Given(n_classes=3), **{name: np.asarray(of) for name, of in given.items()})
    # Of three classes, with costs and a threshold of two.
    in_words = {"prevalence": 1, "min cost": 0, "max cost": 1, "range": 2, "1/K": 1 / 3}
    in_words |= {"ln K": np.log(3), "-1/(K-1)": -1 / 2, "inf": np.inf, "-inf": -np.inf}
    if row.name == "net_benefit":
        # The odds of a threshold of 0.2, of which any may be asked for.
        in_words["-inf"] = -0.25
    for text, end in zip(texts, ends, strict=True):
        assert end == pytest.approx(in_words[text] if text in in_words else float(Fraction(text)))


@pytest.mark.parametrize("row", **ids([row for row in METRICS if row.share is not None]))
def test_a_share_counts_the_cells_that_it_names(row):
    cells = cells_of(TABLES)
    counts = ClassCounts(**cells) if row.has_average else margins_of(TABLES)
    hits, n = row.formula(counts)
    named = [sum(cells[cell] for cell in sorted(part)) for part in row.share]
    np.testing.assert_array_equal(hits, named[0])
    np.testing.assert_array_equal(n, named[1])
    assert row.share.hits < row.share.among


def test_what_is_a_function_of_a_share_is_not_itself_one():
    functions = {row.name for row in METRICS if row.kind == "share" and row.share is None}
    assert functions == {"f1", "bennett_s"}


@pytest.mark.parametrize("row", **ids([row for row in METRICS if row.of_share is not None]))
def test_a_function_of_a_share_is_one(row):
    counts = ClassCounts(**cells_of(TABLES)) if row.has_average else margins_of(TABLES)
    hits, n = row.of_share.formula(counts)
    np.testing.assert_allclose(row.of_share.value_at(hits / n, 2), value_of(row, TABLES))
    for n_classes in (2, 3, 10):
        share = np.linspace(0, 1, 11)
        values = row.of_share.value_at(share, n_classes)
        assert (np.diff(values) > 0).all()
        np.testing.assert_allclose(row.of_share.share_at(values, n_classes), share, atol=1e-15)


@pytest.mark.parametrize("row", **ids([row for row in METRICS if row.of_two_shares is not None]))
def test_a_function_of_two_shares_is_one(row):
    of_both, counts = row.of_two_shares, ClassCounts(**cells_of(TABLES))
    first, second = (np.divide(*formula(counts)) for formula in (of_both.first, of_both.second))
    joined = {
        "ratio": first / second,
        "odds": first / (1 - first) / (second / (1 - second)),
        "larger": np.maximum(first, second),
    }[of_both.joined]
    np.testing.assert_allclose(of_both.value_at(joined), value_of(row, TABLES), rtol=1e-12)


@pytest.mark.parametrize("row", **ids(OF_A_CLASS))
def test_the_numbers_of_actual_classes_matter_or_not_as_is_said(row):
    scaled = [value_of(row, TABLES * np.array([[times], [1.0]])) for times in (1, 3, 1000)]
    changes = np.ptp(scaled, axis=0) > 1e-9 * np.abs(scaled).max(0)
    assert changes.any() != row.is_of_actual


def test_averages_and_metrics_over_all_classes_that_are_of_the_actual_classes():
    three = np.random.default_rng(1).integers(1, 30, (3, 3)).astype(float)
    scaled = three * np.array([[1], [7], [0.5]])
    for row in METRICS:
        # The shares of all classes have the same mean, and costs are those of two classes.
        if row.name in ("prevalence", "predicted_positive_rate", "expected_cost"):
            continue
        average = {"average": "macro"} if row.has_average else {}
        choice = choose(row, **average, **NEEDED.get(row.name, {}))
        both = [score(CountedMatrix(of, np.array([0, 1, 2])), choice) for of in (three, scaled)]
        depends = not np.isclose(*both, rtol=1e-9)
        declared = row.averages_are_of_actual if row.has_average else row.is_of_actual
        assert depends != declared, row.name


@pytest.mark.parametrize("row", **ids(OF_A_CLASS))
def test_an_empty_cell_makes_it_infinite_or_not_as_is_said(row):
    with_an_empty_cell = 1 - np.eye(4).reshape(4, 2, 2)
    assert np.isinf(value_of(row, with_an_empty_cell)).any() == row.is_infinite_at_0


def test_means_and_largest_values_of_the_classes():
    cm = ConfusionMatrix.from_counts([[5, 2, 1], [0, 7, 3], [4, 4, 9]], labels=["a", "b", "c"])
    found = {}
    for row in METRICS:
        if isinstance(row.made_of, OverClasses):
            each = cm.score(row.made_of.name, average=None)
            found[row.name] = {"mean": each.mean(), "largest": each.max()}[row.made_of.how]
            assert found[row.name] == pytest.approx(cm.score(row.name))
    assert sorted(found) == ["balanced_accuracy", "no_information_rate"]


def test_a_product_is_0_where_a_class_has_no_correct_prediction():
    cm = ConfusionMatrix.from_counts([[5, 2, 1], [4, 0, 3], [4, 4, 9]], labels=["a", "b", "c"])
    zero = [row for row in METRICS if not row.has_average and not NEEDED.get(row.name)]
    found = [row.name for row in zero if row.share is None and cm.score(row.name) == 0]
    assert found == [row.name for row in METRICS if row.is_product] == ["geometric_mean"]


def test_a_prevalence_is_fixed_by_the_design():
    swapped = [[20, 5], [5, 10]], [[5, 20], [10, 5]]
    for row in METRICS:
        same = np.isclose(*(value_of(row, table) for table in swapped), equal_nan=True)
        if row.is_fixed_by_design:
            # Whatever is predicted.
            assert same
    assert [row.name for row in METRICS if row.is_fixed_by_design] == [
        "prevalence",
        "no_information_rate",
    ]


NAMES_OF_METRICS = {name for row in METRICS for name in (row.name, *row.aliases)}
# They compute certain metrics; what these are is their subject.
COMPUTE_SOME = {"classification.py", "abstaining_classifier.py"}


def dispatches(path):
    """What compares with the name of a metric, or looks one up by a name that stands there."""
    for block in text_of(path).split("\n\n\n"):
        # Only those with such a name in quotes are parsed.
        if re.search(r"\.name\b|BY_NAME", block) and NAMES_OF_METRICS & {
            *re.findall(r'"(\w+)"', block)
        }:
            yield from filter(is_dispatch, ast.walk(ast.parse(block)))


def is_dispatch(node):
    """Whether a part of a statement is one."""
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        constants = [
            c.value for part in parts for c in ast.walk(part) if isinstance(c, ast.Constant)
        ]
        asks_a_row = any(isinstance(part, ast.Attribute) and part.attr == "name" for part in parts)
        if asks_a_row and NAMES_OF_METRICS & {c for c in constants if isinstance(c, str)}:
            return True
    is_lookup = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
    return is_lookup and node.value.id == "BY_NAME" and isinstance(node.slice, ast.Constant)


def test_nothing_outside_of_the_catalogue_dispatches_on_the_name_of_a_metric():
    found = {
        path.name
        for path in rooms()
        # A public function computes the metric that it is named after.
        if path.parent.name not in ("catalogue", "metrics")
        and path.name not in COMPUTE_SOME
        and any(dispatches(path))
    }
    # The row of a report, and the axis of prevalences.
    assert found == {"report_text.py", "prevalence.py"}


def test_a_custom_metric_has_no_properties():
    def recall(cm):
        return cm.counts[..., 1, 1] / cm.n_samples

    row = choose(recall).row
    for name in (
        *("share", "made_of", "is_product", "has_slope", "is_biased", "is_steep", "is_ratio"),
        *("is_of_actual", "averages_are_of_actual", "is_fixed_by_design", "is_infinite_at_0"),
    ):
        assert not getattr(row, name), name
    assert row.widest_ends == (-np.inf, np.inf)
