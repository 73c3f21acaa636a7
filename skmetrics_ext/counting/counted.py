"""Counted: counts from any source; each form is made on request."""

from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting import counts
from skmetrics_ext.counting.counts import ClassCounts, Margins, Matrix
from skmetrics_ext.counting.division import mean_weight
from skmetrics_ext.reading.order import check_covered, common_ranking, positions_in, show
from skmetrics_ext.reading.pairs import Encoded, Indicators, counted_once, mean_of_present


class Roles(NamedTuple):
    """Which classes serve what; None: those of the order."""

    # Averaged by default.
    present: NDArray[Any] | None = None
    # Among which the positive class is sought.
    known: NDArray[Any] | None = None
    # How many decide whether one of two is positive; None: as many as are known.
    n_classes: int | None = None
    # Whether one of more than two can't be asked for, as in scikit-learn.
    are_of_two: bool = False


NO_ROLES = Roles()


class Counted:
    """Counts of the classes of an order, of which the owner may call one positive.

    It knows no metric.
    """

    multilabel = False
    # Whether only requested labels were counted.
    are_chosen = False
    # The mean weight of a sample, of each entry (...).
    weight_of_one: Any = 1.0
    weights_of_samples: NDArray[Any] | None = None

    def __init__(self, order: NDArray[Any], positive: Any = None, roles: Roles = NO_ROLES) -> None:
        self.order, self.positive, self.roles = order, positive, roles
        self.present = order if roles.present is None else roles.present
        self.known = order if roles.known is None else roles.known
        self.n_classes = len(self.known) if roles.n_classes is None else roles.n_classes

    @cached_property
    def are_weights(self) -> bool:
        """Whether samples were weighted."""
        return False

    @property
    def unweighted(self) -> "Counted":
        """The same with each sample of a weight above 0 counted once."""
        return self

    @cached_property
    def ranking(self) -> NDArray[Any] | None:
        """The classes from low to high, if declared."""
        return None

    @cached_property
    def matrix(self) -> Matrix:
        """The confusion matrix (..., n_classes, n_classes)."""
        raise NotImplementedError

    @cached_property
    def margins(self) -> Margins:
        """The diagonal, row and column sums over all classes."""
        return counts.margins_of(self.matrix)

    @cached_property
    def classes(self) -> ClassCounts:
        """Every class against the rest, each (..., n_classes)."""
        return self.margins

    def of_class(self, position: int) -> ClassCounts:
        """One class against the rest, each (..., 1)."""
        return ClassCounts(*(part[..., position : position + 1] for part in self.classes))

    @property
    def samples(self) -> ClassCounts:
        """The labels of each sample, each (n_samples,)."""
        raise ValueError(
            "average='samples' needs the labels of each sample: pass 2-D 0/1 indicators to the "
            "metric."
        )

    @property
    def exact(self) -> Margins:
        """The entirely correct samples, and all others."""
        return self.margins


class CountedPairs(Counted):
    """Counts with one actual and one predicted label per sample.

    `others` have labels outside of the order: errors in one-vs-rest counts; over all classes
    errors, too, or refused.
    """

    def __init__(
        self,
        encoded: Encoded,
        positive: Any = None,
        roles: Roles = NO_ROLES,
        *,
        others: Literal["errors", "refused"] = "refused",
        needs_matrix: bool = False,
    ) -> None:
        if others == "refused":
            roles = roles._replace(present=encoded.present)
        super().__init__(encoded.labels, positive, roles)
        self._encoded, self._others, self._needs_matrix = encoded, others, needs_matrix

    @cached_property
    def are_weights(self) -> bool:
        """Whether samples were weighted."""
        return self._encoded.is_weighted

    @cached_property
    def weight_of_one(self) -> Any:
        """The mean weight of the samples that have one."""
        if not self.are_weights:
            return 1.0
        return mean_of_present(self._encoded.weights)

    @property
    def unweighted(self) -> "CountedPairs":
        """The same with each sample of a weight above 0 counted once."""
        once = self._encoded._replace(weights=counted_once(self._encoded.weights))
        return CountedPairs(
            once, self.positive, self.roles, others=self._others, needs_matrix=self._needs_matrix
        )

    @cached_property
    def ranking(self) -> NDArray[Any] | None:
        """The declared order."""
        return common_ranking(self._encoded.rankings)

    @cached_property
    def matrix(self) -> Matrix:
        """The confusion matrix."""
        self.check_no_others()
        return counts.dense_matrix(self._encoded)

    @property
    def margins(self) -> Margins:
        """The margins of the matrix, or counted without one."""
        if self._others == "refused":
            self.check_no_others()
        return self.classes

    @cached_property
    def classes(self) -> Margins:
        """Samples with labels outside of the order are errors."""
        if self._needs_matrix and self.covers_all:
            return counts.margins_of(self.matrix)
        return counts.count_classes(self._encoded)

    @property
    def covers_all(self) -> bool:
        """Whether no sample has a label outside of the order."""
        return self._encoded.n_codes == len(self.order)

    def by_group(self, codes: NDArray[Any], n_groups: int) -> "CountedMatrix":
        """The same with a leading axis of groups."""
        self.check_no_others()
        matrix = counts.dense_matrix(self._encoded, codes, n_groups)
        weight: Any = 1.0
        if self.are_weights:
            numbers = np.bincount(codes, counted_once(self._encoded.weights), n_groups)
            weight = mean_weight(matrix, numbers[:, None, None])
        return CountedMatrix(matrix, self.order, self.positive, self.ranking, self.roles, weight)

    def check_no_others(self) -> None:
        """Refuse samples that are neither correct nor incorrect."""
        if not self.covers_all:
            advice = "Samples with these would be neither correct nor incorrect."
            check_covered(self.order, self.present, advice)


class CountedIndicators(Counted):
    """Counts with several labels per sample."""

    multilabel = True
    are_chosen = True

    def __init__(self, indicators: Indicators) -> None:
        super().__init__(indicators.labels)
        self._indicators = indicators
        self.weights_of_samples = indicators.weights

    @cached_property
    def are_weights(self) -> bool:
        """Whether samples were weighted."""
        return self._indicators.is_weighted

    @property
    def unweighted(self) -> "CountedIndicators":
        """The same with each sample of a weight above 0 counted once."""
        return CountedIndicators(
            self._indicators._replace(weights=counted_once(self._indicators.weights))
        )

    @cached_property
    def classes(self) -> ClassCounts:
        """Every label against the rest."""
        return counts.count_indicators(self._indicators)

    @cached_property
    def samples(self) -> ClassCounts:
        """The labels of each sample."""
        return counts.count_samples(self._indicators)

    @cached_property
    def exact(self) -> Margins:
        """The samples with every label correct, and all others."""
        return counts.count_exact_samples(self._indicators)


class CountedMatrix(Counted):
    """Counts of an existing matrix."""

    def __init__(
        self,
        matrix: Matrix,
        order: NDArray[Any],
        positive: Any = None,
        ranking: NDArray[Any] | None = None,
        roles: Roles = NO_ROLES,
        weight_of_one: Any = 1.0,
    ) -> None:
        super().__init__(order, positive, roles)
        self.matrix, self.ranking, self.weight_of_one = matrix, ranking, weight_of_one

    def of_entries(self, chosen: NDArray[np.bool_], present: NDArray[Any]) -> "CountedMatrix":
        """Some entries of the leading axis."""
        roles = self.roles._replace(present=present)
        weight = self.weight_of_one[chosen] if np.ndim(self.weight_of_one) else 1.0
        return CountedMatrix(
            self.matrix[chosen], self.order, self.positive, self.ranking, roles, weight
        )


class CountedLabels(Counted):
    """Counts with several labels per sample, without the samples."""

    multilabel = True

    def __init__(self, classes: ClassCounts, labels: NDArray[Any]) -> None:
        super().__init__(labels)
        self.classes = classes


class CountedCurve(Counted):
    """Counts of the positive class of two, at every threshold."""

    def __init__(
        self,
        of_positive: ClassCounts,
        labels: NDArray[Any],
        positive: Any,
        position: int,
        *,
        ranked: bool,
        weight_of_one: float = 1.0,
    ) -> None:
        super().__init__(labels, positive)
        self._of_positive, self._position = of_positive, position
        self.weight_of_one = weight_of_one
        self.ranking = labels if ranked else None

    @cached_property
    def matrix(self) -> Matrix:
        """The confusion matrix."""
        tables = counts.two_by_two(self._of_positive)
        return tables if self._position else tables[..., ::-1, ::-1]

    def of_class(self, position: int) -> ClassCounts:
        """One class against the rest."""
        if position != self._position:
            return super().of_class(position)
        return ClassCounts(*(part[..., None] for part in self._of_positive))


def cells_of_counted(counted: Counted) -> Any:
    """The cells (..., n_rows, n_columns) of counts; several labels have a table each."""
    return counts.two_by_two(counted.classes) if counted.multilabel else counted.matrix


def with_cells(counted: Counted, cells: Any, weight_of_one: Any = 1.0) -> Counted:
    """The same with other numbers, or weights, in the cells."""
    if counted.multilabel:
        parts = (cells[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        return CountedLabels(ClassCounts(*parts), counted.order)
    about = counted.order, counted.positive, counted.ranking, counted.roles
    return CountedMatrix(cells, *about, weight_of_one)


def counted(encoded: Encoded | Indicators) -> CountedPairs | CountedIndicators:
    """The labels read, counted by their kind, for functions as in scikit-learn."""
    if isinstance(encoded, Indicators):
        return CountedIndicators(encoded)
    return CountedPairs(encoded, roles=Roles(are_of_two=True))


def at_labels(of_order: Any, order: NDArray[Any], labels: NDArray[Any]) -> Any:
    """The counts of some labels; unchanged if these are all in order."""
    if labels is order:
        return of_order
    positions = positions_in(order, labels)
    if (absent := positions == len(order)).any():
        raise ValueError(f"labels={show(labels[absent])} are not among the labels {show(order)}.")
    if isinstance(of_order, ClassCounts):
        return type(of_order)(*(part[..., positions] for part in of_order))
    return of_order[..., positions[:, None], positions]
