"""The scores of one prediction, for scorers that clients call one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.reading.aliases import GroupsLike, TargetLike
from skmetrics_ext.reading.order import show
from skmetrics_ext.scoring.base import BaseScorer

if TYPE_CHECKING:
    from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer

# Values that do not change, or that are replaced and not changed.
PLAIN = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type,
    ModuleType,
    np.ndarray,
    np.generic,
    np.dtype,
    np.random.RandomState,
    np.random.Generator,
)

POINTER = tuple.__itemsize__

Scores = dict[str, float]
Failures = dict[str, Exception]


class Left(NamedTuple):
    """What a prediction was made of, its scores, and the keys of those that nobody has taken yet."""

    asked: list[Any]
    scores: Scores
    failures: Failures
    keys: frozenset[str]


class Round:
    """Scorers that are called one after another for the same objects: the first predicts, each other takes its score.

    Each takes it once, so that the second call of any scorer predicts again.
    """

    def __init__(self, scores_of: Callable[..., tuple[Scores, Failures]]) -> None:
        self._scores_of = scores_of
        self._left: Left | None = None

    def take(self, key: str, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None, by: Any) -> float:
        """The score of a key, of the prediction at hand if it is of the same objects, else of a new one."""
        data = [X, y_true, sample_weight, by]
        left = self._left
        if left is None or key not in left.keys or not _are_same(_state_of(estimator), data, left.asked):
            scores, failures = self._scores_of(estimator, X, y_true, sample_weight, by)
            # Its state now, since predict may have left something there.
            asked = [*(_state_of(estimator) or []), *data]
            left = Left(asked, scores, failures, frozenset([*scores, *failures]))
        others = left.keys - {key}
        # Nothing of the caller's is kept for longer than the round.
        self._left = left._replace(keys=others) if others else None
        if key in left.failures:
            raise left.failures[key]
        if key not in left.scores:
            found = show(np.array([*left.scores, *left.failures]))
            raise ValueError(
                f"there is no score {key!r} of these data, but {found}: name classes or labels as they occur."
            )
        return left.scores[key]


class KeyScorer(BaseScorer):
    """The score of one key of a ConfusionScorer, which its `scorers` gives.

    Parameters
    ----------
    scorer : ConfusionScorer
        The scorer of several metrics.
    key : str
        One of its keys.
    """

    takes_groups = True

    def __init__(self, scorer: ConfusionScorer, key: str) -> None:
        super().__init__(key, (scorer, key), {})
        self._shared, self._key = scorer._round, key

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
        by: GroupsLike | None = None,
    ) -> float:
        """The score of what the estimator predicts for X; higher is better."""
        return self._shared.take(self._key, estimator, X, y_true, sample_weight, by)

    def __repr__(self) -> str:
        return f"<scorer of {self._key!r}, one of several of one prediction>"


def _state_of(estimator: Any) -> list[Any] | None:
    """All objects that an estimator is made of, which another fit replaces; None where not all can be seen."""
    found: list[Any] = []
    parts = [estimator]
    seen: set[int] = set()
    while parts:
        part = parts.pop()
        found.append(part)
        if isinstance(part, PLAIN) or id(part) in seen:
            continue
        seen.add(id(part))
        inner = _inside(part)
        if inner is None:
            return None
        parts += inner
    return found


def _inside(part: Any) -> list[Any] | None:
    """What an object holds; None where it does not show."""
    if isinstance(part, (list, tuple, set, frozenset)):
        return [*part]
    if isinstance(part, dict):
        return [*part.values()]
    if isinstance(part, partial):
        return [part.func, *part.args, *part.keywords.values()]
    if isinstance(part, MethodType):
        return [part.__self__, part.__func__]
    if isinstance(part, BuiltinFunctionType):
        return [part.__self__]
    if isinstance(part, FunctionType):
        return [cell.cell_contents for cell in part.__closure__ or ()]
    of_classes = (member for kind in type(part).__mro__ for member in kind.__dict__.values())
    slots = [member for member in of_classes if isinstance(member, MemberDescriptorType)]
    # Compiled objects hold what Python does not show. Those of scikit-learn, such as trees, are made anew by a fit.
    of_python = object.__basicsize__ + POINTER * (len(slots) + len(("__dict__", "__weakref__")))
    if type(part).__basicsize__ > of_python and not type(part).__module__.startswith("sklearn."):
        return None
    own = part.__dict__.values() if "__dict__" in dir(type(part)) else ()
    return [*own, *(getattr(part, slot.__name__, None) for slot in slots)]


def _are_same(state: list[Any] | None, data: list[Any], others: list[Any]) -> bool:
    """Whether a state that can be seen, and the data, are the very same objects as others."""
    if state is None or len(state) + len(data) != len(others):
        return False
    return all(one is other for one, other in zip([*state, *data], others, strict=True))
