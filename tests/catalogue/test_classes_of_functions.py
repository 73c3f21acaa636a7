"""What a row declares its formula to be is what its derivatives at random matrices say."""

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import parameters_of

# Matrices far from empty cells.
RANDOM = np.random.default_rng(0)
MATRICES = {n_classes: RANDOM.uniform(0.5, 2, (6, n_classes, n_classes)) for n_classes in (2, 3)}
STEP = 1e-6
# As many predicted as actual samples of each class, and as many errors of each kind.
TIED = {2: np.array([[5.0, 1], [1, 5]]), 3: 1 + 4 * np.eye(3)}
KINDS = [
    pytest.param(row, n_classes, id=f"{row.name}, {n_classes} classes")
    for row in METRICS
    for n_classes in (2, 3)
    # Tables of a class against the rest have two, whatever there are.
    if n_classes == 2 or not row.has_average
]
OVER_ALL = [row for row in METRICS if not row.has_average]


def declared(row, n_classes):
    return row.kind_of_two or row.kind if n_classes == 2 else row.kind


def parameters_for(row, n_classes):
    """Parameters of which no two are alike, as equal ones may be of a narrower class."""
    numbers = [name for name, of in row.parameters.items() if type(of.default) is float]
    unlike = {name: row.parameters[name].default + (k + 1) / 10 for k, name in enumerate(numbers)}
    return parameters_of(row, n_classes) | unlike


def value_of(row, n_classes):
    """The metric of matrices in shares of a million million samples; of one class the last's."""
    parameters, labels = parameters_for(row, n_classes), list(range(n_classes))

    def value(matrices):
        # Counts are whole; derivatives of shares of so many are exact to many digits.
        counts = np.rint(np.asarray(matrices) * 1e12).astype(np.int64)
        cm = ConfusionMatrix.from_counts(
            counts.reshape(-1, n_classes, n_classes), labels=labels, pos_label=labels[-1]
        )
        return np.asarray(cm.score(row.name, **parameters)).reshape(counts.shape[:-2])

    return value


def sides(value, matrix):
    """By how much a value rises, and has risen, with a little more in each cell."""
    steps = STEP * np.eye(matrix.size).reshape(-1, *matrix.shape)
    here, up, down = np.split(
        value(np.concatenate([[matrix], matrix + steps, matrix - steps])), [1, 1 + len(steps)]
    )
    return (of.reshape(matrix.shape) / STEP for of in (up - here, here - down))


def derivatives(value, matrix):
    return sum(sides(value, matrix)) / 2


def is_share(value, matrices):
    """One positive and one negative derivative, over the same cells everywhere."""
    patterns = []
    for matrix in matrices:
        found = derivatives(value, matrix)
        signs = np.sign(np.where(np.abs(found) < 1e-5, 0, found))
        alike = [np.ptp(found[signs == sign]) < 1e-4 for sign in (-1, 1) if (signs == sign).any()]
        patterns.append(signs)
        if len(alike) < 2 or not all(alike):
            return False
    return bool((np.array(patterns) == patterns[0]).all())


def is_linear_over_linear(value, matrices):
    """Constant along every tangent of where it has one value, however far."""
    for matrix in matrices:
        slopes = derivatives(value, matrix)
        for direction in RANDOM.uniform(-1, 1, (3, *matrix.shape)):
            along = direction - slopes * (slopes * direction).sum() / (slopes**2).sum()
            if abs(value(matrix + 0.3 * along) - value(matrix)) > 1e-5:
                return False
    return True


def of_rates(value, matrices, axis):
    """Whether it is a function of the rates of classes, and whether a linear one."""
    rates = matrices / matrices.sum(axis, keepdims=True)
    middle = (rates[:3] + rates[3:]) / 2
    is_function = np.allclose(value(matrices), value(rates), atol=1e-7)
    is_linear = np.allclose(value(middle), (value(rates[:3]) + value(rates[3:])) / 2, atol=1e-7)
    return is_function, is_function and is_linear


def has_slope(value, matrices):
    return all(np.allclose(*sides(value, matrix), atol=1e-4) for matrix in matrices)


def is_biased(value, n_classes):
    """Whether replicates of samples without a relation are off by more than half as they vary."""
    matrix = np.full((n_classes, n_classes), 1 / n_classes**2)
    drawn = RANDOM.multinomial(60, matrix.ravel(), 400).reshape(-1, n_classes, n_classes) / 60
    values = value(drawn)
    return abs(values.mean() - value(matrix)) > values.std() / 2


def narrowest(value, n_classes):
    matrices = MATRICES[n_classes]
    if not has_slope(value, [*matrices, TIED[n_classes]]):
        return "kinked"
    if is_share(value, matrices):
        return "share"
    if is_linear_over_linear(value, matrices):
        return "linear over linear"
    for axis, of in ((-1, "actual"), (-2, "predicted")):
        is_function, is_linear = of_rates(value, matrices, axis)
        if is_function:
            return f"linear in {of} rates" if is_linear else f"function of {of} rates"
    return "biased" if is_biased(value, n_classes) else "smooth"


@pytest.mark.parametrize(("row", "n_classes"), KINDS)
def test_the_declared_class_is_the_narrowest(row, n_classes):
    assert narrowest(value_of(row, n_classes), n_classes) == declared(row, n_classes)


@pytest.mark.parametrize("row", OVER_ALL, ids=lambda row: row.name)
def test_values_over_all_classes_whose_replicates_are_off_are_declared(row):
    assert is_biased(value_of(row, 3), 3) == row.is_biased


def test_functions_that_are_not_of_these_classes_are_told_apart():
    def product(matrices):
        return matrices[..., 0, 0] * matrices[..., 1, 1] / matrices.sum((-2, -1)) ** 2

    assert narrowest(product, 2) == narrowest(product, 3) == "smooth"
