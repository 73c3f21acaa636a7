"""The scores of one prediction, for scorers that clients call one by one."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from skmetrics_ext.scoring.base import BaseScorer

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

    def take(self, key: str, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None) -> float:
        """The score of a key, of the prediction at hand if it is of the same objects, else of a new one."""
        data = [X, y_true, sample_weight]
        left = self._left
        if left is None or key not in left.keys or not _are_same([*_state_of(estimator), *data], left.asked):
            scores, failures = self._scores_of(estimator, X, y_true, sample_weight)
            # Its state now, since predict may have left something there.
            left = Left([*_state_of(estimator), *data], scores, failures, frozenset([*scores, *failures]))
        others = left.keys - {key}
        # Nothing of the caller's is kept for longer than the round.
        self._left = left._replace(keys=others) if others else None
        if key in left.failures:
            raise left.failures[key]
        return left.scores[key]


class OneOfRound(BaseScorer):
    """The scorer of one key."""

    def __init__(self, shared: Round, key: str, recipe: Callable[[], Any]) -> None:
        super().__init__(recipe, key)
        self._shared, self._key = shared, key

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None = None) -> float:
        """The score of what the estimator predicts for X; higher is better."""
        return self._shared.take(self._key, estimator, X, y_true, sample_weight)

    def __repr__(self) -> str:
        return f"<scorer of {self._key!r}, one of several of one prediction>"


def _state_of(estimator: Any) -> list[Any]:
    """All that an estimator and those inside it are made of, which another fit replaces."""
    found: list[Any] = []
    parts = [estimator]
    seen: set[int] = set()
    while parts:
        part = parts.pop()
        found.append(part)
        if isinstance(part, (list, tuple)):
            inner = list(part)
        elif isinstance(part, dict):
            inner = list(part.values())
        else:
            inner = (
                list(getattr(part, "__dict__", {}).values()) if part is estimator or hasattr(part, "get_params") else []
            )
        if inner and id(part) not in seen:
            seen.add(id(part))
            parts += inner
    return found


def _are_same(objects: list[Any], others: list[Any]) -> bool:
    """Whether both hold the very same objects."""
    return len(objects) == len(others) and all(one is other for one, other in zip(objects, others, strict=True))
