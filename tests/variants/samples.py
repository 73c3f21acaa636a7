"""The variants: what is passed in each, and the plain samples that it stands for, by entry."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from skmetrics_ext import ConfusionMatrix

LOSS = "a loss metric"
GROUPS = "two groups"
ONE_CLASS = "labels= of one class"
EMPTY = "an entry without samples"
OTHER_CLASS = "the other class positive"
PERMUTED = "a permuted index with an ordered categorical"
PERMUTED_GROUPS = "groups with a permuted index"
PERMUTED_WEIGHTS = "weights with a permuted index"
TWO_AXES = "two axes"
ONE_ROW = "one row"
NO_MIDDLE = "y without a middle class"
WEIGHTS = "weights"
RANGE = "a RangeIndex(5, 10)"
NINE = "nine positives in each group"


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
        """tp, fp, fn and tn."""
        pairs = list(zip(self.true.tolist(), self.pred.tolist(), strict=True))
        return tuple(pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0)))


class ReadsScores(ClassifierMixin, BaseEstimator):
    """A classifier that finds the scores of its classes in the first columns of X."""

    def fit(self, X, y, sample_weight=None):  # noqa: ARG002
        """Learn the classes, and keep the weights."""
        self.classes_, self.weights_ = np.unique(y), sample_weight
        return self

    def predict_proba(self, X):
        """The scores as they are."""
        return np.asarray(X)[:, : len(self.classes_)].astype(float)

    def predict(self, X):
        """The class with the largest score."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


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
        return ReadsScores().fit(None, SIZES if self.classes else [0, 1])

    @property
    def X(self) -> Any:
        """What it predicts the passed labels from."""
        if self.classes:
            scores = np.asarray(self.score)[:, np.argsort(SIZES)]
        else:
            of_one = np.asarray(1 - self.score if self.positive else self.score)
            scores = np.stack([1 - of_one, of_one], axis=1)
        frame = pd.DataFrame(scores, getattr(self.score, "index", None), columns=None)
        frame.columns = [f"score_{k}" for k in range(scores.shape[1])]
        return frame

    def before(self, name: str, groups: NDArray[Any]) -> "Variant":
        """The same with a further axis, before the others."""
        return replace(self, axes={name: groups, **self.axes})

    def behind(self, name: str, groups: NDArray[Any]) -> "Variant":
        """The same with a further axis, behind the others."""
        return replace(self, axes={**self.axes, name: groups})

    def by_site(self) -> "Variant":
        """The same by site, if there are no groups."""
        return self if self.axes else self.before("group", SITE)

    def matrix(self, **options: Any) -> ConfusionMatrix:
        """The matrix of the labels that are passed, by groups, with weights."""
        given = {**self.by, **self.weight, **self.positive, **options}
        return ConfusionMatrix.from_labels(self.true, self.pred, **given)


# Two classes. Scores have ties, none is 0.5, and 1 minus a score is exact, so that both classes
# have the same predictions.
N = 240
random = np.random.default_rng(71)
TRUE = (random.random(N) < 0.55).astype(int)
SITE = np.array(["north", "south"])[(random.random(N) < 0.45).astype(int)]
YEAR = 2023 + random.choice(3, N, p=[0.4, 0.35, 0.25])


def scores_of(noise: float) -> NDArray[np.float64]:
    """Scores of a model, odd multiples of 1/128, which are worse in the south."""
    spread = np.where(SITE == "south", 2 * noise, noise)
    hidden = 0.5 + 0.4 * (TRUE - 0.5) + random.normal(0, spread)
    return (np.clip(np.floor(hidden * 64), 0, 63) + 0.5) / 64


SCORE, OTHER_SCORE = scores_of(0.2), scores_of(0.25)
PRED, OTHER = (SCORE > 0.5).astype(int), (OTHER_SCORE > 0.5).astype(int)
ROW = np.arange(N)
TIMES = random.integers(1, 4, N)
ALL = Samples(TRUE, PRED, SCORE, OTHER, OTHER_SCORE, ROW)
OPPOSITE = ALL._replace(pred=1 - PRED, other=1 - OTHER)
OF_THE_OTHER = ALL._replace(score=1 - SCORE, other_score=1 - OTHER_SCORE)
EXCHANGED = OF_THE_OTHER._replace(true=1 - TRUE, pred=1 - PRED, other=1 - OTHER)
# It is positive, predicted so, and in the north.
FIRST = ALL.at(np.flatnonzero(TRUE & PRED & (SITE == "north"))[:1])
IS_OCCUPIED = ~((SITE == "south") & (YEAR == 2025))

# Three classes whose order is not their alphabet.
SIZES = ["low", "mid", "high"]
SIZE = random.integers(0, 3, N)
IS_LOW_OR_HIGH = SIZE != 1


def probabilities_of(certainty: float) -> NDArray[np.float64]:
    """Probabilities of the three classes, by a model."""
    raised = random.dirichlet([1, 1, 1], N) + certainty * np.eye(3)[SIZE]
    return raised / raised.sum(1, keepdims=True)


P_OF_SIZES, OTHER_P_OF_SIZES = probabilities_of(0.4), probabilities_of(0.3)


def against_the_rest(size: int) -> Samples:
    """One of the three classes and the rest."""
    models = P_OF_SIZES, OTHER_P_OF_SIZES
    pred, other = ((of.argmax(1) == size).astype(int) for of in models)
    score, other_score = (of[:, size] for of in models)
    return Samples((size == SIZE).astype(int), pred, score, other, other_score, ROW)


def three_classes(at: Any = ROW) -> dict[str, Any]:
    """The three classes as they are passed."""
    true, pred, other = (
        np.array(SIZES)[codes][at]
        for codes in (SIZE, P_OF_SIZES.argmax(1), OTHER_P_OF_SIZES.argmax(1))
    )
    scores = {"score": P_OF_SIZES[at], "other_score": OTHER_P_OF_SIZES[at]}
    return {"true": true, "pred": pred, "other": other, **scores, "classes": {"classes": SIZES}}


def two_classes(samples: Samples = ALL) -> dict[str, Any]:
    """Two classes as they are passed."""
    passed = samples._asdict()
    return {"rows": passed.pop("row"), **passed}


def with_index(of_true: Any, of_pred: Any, ordered: bool) -> dict[str, Any]:
    """Two classes as pandas Series with these indices."""

    def series(values: Any, index: Any) -> pd.Series:
        return pd.Series(pd.Categorical(values, [0, 1], ordered=True) if ordered else values, index)

    return {
        "true": series(TRUE, of_true),
        "pred": series(PRED, of_pred),
        "score": pd.Series(SCORE, of_pred),
        "other": series(OTHER, of_pred),
        "other_score": pd.Series(OTHER_SCORE, of_pred),
        "rows": ROW,
    }


NAMES = np.random.default_rng(0).permutation(N)


def with_positives(number: int) -> "Variant":
    """All negative samples, and so many positive ones of each site."""
    is_positive = TRUE == 1
    kept = [np.flatnonzero(is_positive & (site == SITE))[:number] for site in ("north", "south")]
    samples = ALL.at(np.sort(np.concatenate([np.flatnonzero(~is_positive), *kept])))
    return Variant(NINE, **two_classes(samples), stands_for=(samples,), axes={"group": SITE})


BOTH = {"year": YEAR, "site": SITE}

VARIANTS = [
    Variant(LOSS, **two_classes(), stands_for=(OPPOSITE,), is_loss=True),
    Variant(GROUPS, **two_classes(), stands_for=(ALL,), axes={"group": SITE}),
    Variant(
        ONE_CLASS,
        **three_classes(),
        rows=ROW,
        stands_for=(against_the_rest(1),),
        chosen={"labels": ["mid"], "average": "macro"},
    ),
    Variant(
        EMPTY, **two_classes(ALL.at(IS_OCCUPIED)), stands_for=(ALL.at(IS_OCCUPIED),), axes=BOTH
    ),
    # Scores are those of the positive class.
    Variant(
        OTHER_CLASS, **two_classes(OF_THE_OTHER), stands_for=(EXCHANGED,), positive={"pos_label": 0}
    ),
    # The names of both are the same, in another order; also of each half.
    Variant(PERMUTED, **with_index(NAMES, np.roll(NAMES, 2), ordered=True), stands_for=(ALL,)),
    # Default names are names here: those of the samples before they were put in another order.
    Variant(
        PERMUTED_GROUPS,
        **with_index(NAMES, NAMES, ordered=False),
        stands_for=(ALL,),
        axes={"group": SITE},
        index_of_groups=pd.RangeIndex(N),
    ),
    Variant(
        PERMUTED_WEIGHTS,
        **with_index(NAMES, NAMES, ordered=False),
        stands_for=(ALL,),
        weight={"sample_weight": pd.Series(TIMES)},
    ),
    Variant(TWO_AXES, **two_classes(), stands_for=(ALL,), axes=BOTH),
    Variant(ONE_ROW, **two_classes(FIRST), stands_for=(FIRST,)),
    Variant(
        NO_MIDDLE,
        **three_classes(IS_LOW_OR_HIGH),
        rows=ROW[IS_LOW_OR_HIGH],
        # In the order of their alphabet: high, low, mid.
        stands_for=tuple(against_the_rest(size).at(IS_LOW_OR_HIGH) for size in (2, 0, 1)),
        chosen={"average": None},
    ),
    Variant(
        WEIGHTS,
        **two_classes(),
        stands_for=(ALL.at(np.repeat(ROW, TIMES)),),
        weight={"sample_weight": TIMES},
    ),
    # No default index: its names are those of other samples.
    Variant(
        RANGE,
        **with_index(pd.RangeIndex(N), pd.RangeIndex(5, N + 5), ordered=False),
        stands_for=(ALL,),
    ),
    with_positives(9),
]
TEN = with_positives(10)
