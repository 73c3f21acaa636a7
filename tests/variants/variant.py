"""What a variant is: what is passed, and the plain samples that it stands for, by entry."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skmetrics_ext import ConfusionMatrix
from tests.doubles import ReadsScores


class Samples(NamedTuple):
    """Samples by themselves: 1 is positive, and each counts once."""

    true: NDArray[Any]
    pred: NDArray[Any]
    score: NDArray[Any]
    # Of a second model.
    other: NDArray[Any]
    other_score: NDArray[Any]
    # Which of the N samples below it is.
    row: NDArray[Any]

    def at(self, chosen: Any) -> "Samples":
        """Some of the samples, or some of them several times."""
        return Samples(*(part[chosen] for part in self))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """tp, fp, fn and tn, as integers of Python, which do not overflow."""
        return tuple(
            int(np.count_nonzero((self.true == true) & (self.pred == pred)))
            for true, pred in ((1, 1), (0, 1), (1, 0), (0, 0))
        )


@dataclass(frozen=True)
class Variant:
    """What is passed, and the samples that it stands for."""

    name: str
    # Labels, predictions and scores of two models, as they are passed.
    true: Any
    pred: Any
    score: Any
    other: Any
    other_score: Any
    # Which of the N samples they are.
    rows: NDArray[Any]
    # The plain samples that this stands for: of the positive class, or of each class in turn.
    stands_for: tuple[Samples, ...]
    # Groups of the N samples, by the names of their axes.
    axes: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    # The index of the groups, which are then ordered categoricals.
    index_of_groups: Any = None
    # Further arguments: sample_weight=, pos_label=, labels= with average=, classes= of the scores.
    weight: Mapping[str, Any] = field(default_factory=dict)
    positive: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, Any] = field(default_factory=dict)
    classes: Mapping[str, Any] = field(default_factory=dict)
    # Whether a loss is asked for; its samples are those of predictions that are the opposite.
    is_loss: bool = False

    def __repr__(self) -> str:
        return self.name

    def of(self, metric: str) -> str:
        """The metric to ask for, which is its complement where a loss is asked for."""
        complements = {"recall": "false_negative_rate", "accuracy": "zero_one_loss"}
        return complements[metric] if self.is_loss else metric

    @property
    def by(self) -> dict[str, Any]:
        """The argument of the groups: an array, or a dict of names other than its "group"."""
        groups: dict[str, Any] = self.axes_passed
        if self.index_of_groups is not None:
            groups = {
                name: pd.Series(pd.Categorical(of, ordered=True), self.index_of_groups)
                for name, of in groups.items()
            }
        if groups.keys() == {"group"}:
            return {"by": groups["group"]}
        return {"by": groups} if groups else {}

    @property
    def axes_passed(self) -> dict[str, NDArray[Any]]:
        """The groups of the samples that are passed, by axis."""
        return {name: of[self.rows] for name, of in self.axes.items()}

    @property
    def shape_of_groups(self) -> tuple[int, ...]:
        """The number of groups along each axis."""
        return tuple(len(np.unique(of)) for of in self.axes_passed.values())

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of entries along each axis, of which classes are the last."""
        classes = (len(self.stands_for),) if len(self.stands_for) > 1 else ()
        return self.shape_of_groups + classes

    @property
    def entries(self) -> list[tuple[Any, ...]]:
        """The coordinates of all combinations of groups."""
        return list(
            itertools.product(*(np.unique(groups).tolist() for groups in self.axes_passed.values()))
        )

    @property
    def alone(self) -> list[Samples]:
        """The samples of each entry by themselves: none for some combinations of groups."""
        return [
            samples.at(self._is_of(entry, samples.row))
            for entry in self.entries
            for samples in self.stands_for
        ]

    @property
    def pairs(self) -> list[list[tuple[Any, Any]]]:
        """Both labels of each sample, as they are passed, by combination of groups."""
        named = dict(zip(self.rows.tolist(), self._both_labels(), strict=True))
        rows = self.stands_for[0].row
        return [
            [named[row] for row in rows[self._is_of(entry, rows)].tolist()]
            for entry in self.entries
        ]

    @property
    def labels(self) -> list[Any]:
        """The labels that occur, sorted."""
        return sorted({label for pairs in self.pairs for pair in pairs for label in pair})

    @property
    def order(self) -> list[Any]:
        """The labels as results show them: sorted, a positive one of two last."""
        return sorted(self.labels, key=lambda label: label == self.positive.get("pos_label"))

    def _both_labels(self) -> Iterable[tuple[Any, Any]]:
        return zip(np.asarray(self.true).tolist(), np.asarray(self.pred).tolist(), strict=True)

    def _is_of(self, entry: tuple[Any, ...], rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each of the samples is in all groups of a combination."""
        is_of_groups = [
            groups[rows] == group for groups, group in zip(self.axes.values(), entry, strict=True)
        ]
        return np.all([np.ones(len(rows), dtype=bool), *is_of_groups], axis=0)

    def part(self, kept: NDArray[np.bool_]) -> "Variant":
        """The same of some of the N samples."""
        at, of = kept[self.rows], ("true", "pred", "score", "other", "other_score", "rows")
        return replace(
            self,
            **{name: getattr(self, name)[at] for name in of},
            stands_for=tuple(samples.at(kept[samples.row]) for samples in self.stands_for),
            weight={name: values[at] for name, values in self.weight.items()},
        )

    def model(self) -> ReadsScores:
        """A model that knows all classes, and finds its scores in X."""
        return ReadsScores().fit(None, self.classes.get("classes", [0, 1]))

    @property
    def X(self) -> Any:
        """What it predicts the passed labels from."""
        if self.classes:
            scores = self.score[:, np.argsort(self.classes["classes"])]
        else:
            of_one = np.asarray(1 - self.score if self.positive else self.score)
            scores = np.stack([1 - of_one, of_one], axis=1)
        columns = [f"score {k}" for k in range(scores.shape[1])]
        return pd.DataFrame(scores, getattr(self.score, "index", None), columns)

    def before(self, name: str, groups: NDArray[Any]) -> "Variant":
        """The same with a further axis, before the others."""
        return replace(self, axes={name: groups, **self.axes})

    def behind(self, name: str, groups: NDArray[Any]) -> "Variant":
        """The same with a further axis, behind the others."""
        return replace(self, axes={**self.axes, name: groups})

    def matrix(self, **options: Any) -> ConfusionMatrix:
        """The matrix of the labels that are passed, by groups, with weights."""
        given = {**self.by, **self.weight, **self.positive, **options}
        return ConfusionMatrix.from_predictions(self.true, self.pred, **given)
