"""Thresholds and scores on one scale: from 0 to 1 where the scores are probabilities, else any."""

# Infinity is on every scale: no score reaches it, and every score its negative. Any other threshold
# outside of [0, 1], such as percent, is a mistake where scores are probabilities. One inside may be
# a mistake where they are none, such as logits, but decision values have thresholds there, too, so
# it is only warned of. As a few decision values may lie within [0, 1], so are thresholds with the
# many digits that curves return.

from typing import Any, Literal, TypeGuard

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import SUM_TOLERANCE, sum_to_one
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.names import NamedNumbers
from skmetrics_ext.reading.numbers import Thresholds, check_told_apart

# What is known of scores: nothing, that the caller chose their method, or that they are decision
# values.
Scale = Literal["unknown", "chosen", "decisions"]

# How far a threshold may be from scores that rounding took out of [0, 1]; exact in float16.
ROOM = 2.0**-9

# A threshold of so few significant digits may have been typed.
FEW_DIGITS = 4


def is_one_number(threshold: Thresholds | None) -> TypeGuard[NDArray[Any]]:
    """Whether a threshold is a single number, for two classes or for every label."""
    return isinstance(threshold, np.ndarray) and not threshold.ndim


def in_precision_of(scores: NDArray[Any], thresholds: NDArray[Any]) -> NDArray[Any]:
    """Thresholds as numbers of the scores' type, in which 0.7 equals float32's 0.7."""
    if thresholds.dtype == scores.dtype:
        return thresholds.copy()
    check_told_apart(thresholds, thresholds, "threshold")
    with np.errstate(over="ignore"):
        # A threshold beyond the largest float32 is beyond all scores, like infinity.
        return thresholds.astype(scores.dtype)


def between_scores(scores: NDArray[Any], score: Any, ties: Ties) -> Any:
    """The midpoint to the next score, since last digits vary with the batch; or the lone score."""
    below = scores.max(where=scores < score, initial=-np.inf)
    above = scores.min(where=scores > score, initial=np.inf)
    beyond, before = (below, above) if ties == "positive" else (above, below)
    if np.isfinite(beyond):
        # Halved first, since the sum may overflow.
        middle = score / 2 + beyond / 2
        return score if middle == beyond else middle
    if np.isinf(before):
        return score
    ends = _range_of_probabilities(scores.min(), scores.max())
    if ends is None:
        ends = np.finfo(scores.dtype).min, np.finfo(scores.dtype).max
    with np.errstate(over="ignore"):
        middle = score + (score / 2 - before / 2)
        return np.clip(middle, *ends)


def is_range_needed(thresholds: NDArray[Any]) -> bool:
    """Whether the scale of the scores matters for thresholds."""
    return len(_beyond(thresholds)) > 0 or _is_one_within(thresholds)


def check_scale(
    thresholds: NDArray[Any], scores: NDArray[Any], *, warns: bool = True, name: str = "threshold"
) -> None:
    """Reject a threshold off the scale of the scores, or warn of one that may be."""
    if not is_range_needed(thresholds):
        return
    beyond = _beyond_range(thresholds, scores.min(), scores.max())
    if len(beyond):
        text = _impossible(beyond[0], "all scores are from 0 to 1", name)
        if _are_shares(scores) or (_are_fractions(scores) and any(map(_may_be_typed, beyond))):
            raise ValueError(text)
        if warns and thresholds.size == 1:
            warn(text)
    elif warns and looks_like_probability(thresholds, scores):
        _warn_of_scale(thresholds)


def check_scale_of_curve(threshold: NDArray[Any], scores: NDArray[Any]) -> None:
    """The same for a curve of the scores, to which its own thresholds are never new."""
    if is_range_needed(threshold) and not _is_of_curve(scores, threshold):
        check_scale(threshold, scores)


def check_scale_of_range(threshold: NDArray[Any], low: float, high: float) -> None:
    """The same where only the range of the scores is known, as in the pass over a table."""
    beyond = _beyond_range(threshold, low, high)
    if len(beyond):
        text = _impossible(beyond[0], "all scores are from 0 to 1")
        if any(map(_may_be_typed, beyond)):
            raise ValueError(text)
        warn(text)
    elif _is_off_scale(threshold, low, high):
        _warn_of_scale(threshold)


def check_threshold_of_probabilities(threshold: Thresholds | None, advice: str = "") -> None:
    """Reject a threshold that no or every probability reaches, except infinity."""
    beyond = _beyond(threshold)
    if len(beyond):
        raise ValueError(_impossible(beyond[0], "the scores are probabilities", advice=advice))


def looks_like_probability(threshold: NDArray[Any], scores: NDArray[Any]) -> bool:
    """Whether a threshold, not one of a curve, may be a probability where the scores are none."""
    if not _is_one_within(threshold) or not _is_off_scale(threshold, scores.min(), scores.max()):
        return False
    return _may_be_typed(threshold.item()) or not _is_of_curve(scores, threshold)


def _warn_of_scale(threshold: NDArray[Any]) -> None:
    """The warning of a threshold that may be a probability, for scores that are none."""
    warn(
        f"threshold={_shown(threshold.item())} looks like a probability, but there are scores "
        "below 0 or above 1: pass probabilities, such as those of predict_proba, or a threshold on "
        "the scale of these scores. One that is on it needs no change."
    )


def _impossible(number: Any, scores_text: str, name: str = "threshold", advice: str = "") -> str:
    """The message for a threshold that no probability reaches, or every one."""
    reaches, infinity, which = "none reaches", "infinity", "none"
    if number < 0:
        reaches, infinity, which = "all reach", "-infinity", "all"
    given = f"{name}={_shown(number)}" if name == "threshold" else f"{name} holds {_shown(number)}"
    return (
        f"{given}, but {scores_text}, so {reaches} it: pass a number from 0 to 1, or {infinity} if "
        f"{which} should{advice}."
    )


def _shown(number: Any) -> str:
    """A number for a message, with all digits where few would show another number."""
    value = float(number)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _may_be_typed(number: Any) -> bool:
    """Whether a number has few digits, unlike most midpoints of scores."""
    return bool(float(f"{number:.{FEW_DIGITS}g}") == number)


def _finite(threshold: Thresholds | None) -> NDArray[Any]:
    """The finite numbers of a threshold."""
    if threshold is None:
        return np.empty(0)
    values = threshold.values if isinstance(threshold, NamedNumbers) else threshold
    given: NDArray[Any] = np.ravel(values)
    finite: NDArray[Any] = given[np.isfinite(given)]
    return finite


def _beyond(threshold: Thresholds | None) -> NDArray[Any]:
    """The finite numbers of a threshold that are no probabilities, such as percent."""
    finite = _finite(threshold)
    beyond: NDArray[Any] = finite[(finite < 0) | (finite > 1)]
    return beyond


def _beyond_range(threshold: NDArray[Any], low: float, high: float) -> NDArray[Any]:
    """The same for scores in a range; none if these are no probabilities."""
    if (ends := _range_of_probabilities(low, high)) is None:
        return np.empty(0)
    beyond = _beyond(threshold)
    outside: NDArray[Any] = beyond[(beyond < ends[0]) | (beyond > ends[1])]
    return outside


def _is_one_within(thresholds: NDArray[Any]) -> bool:
    """Whether a single threshold may be a probability: 0 and 1 are on every scale."""
    return thresholds.size == 1 and 0 < thresholds.item() < 1


def _is_off_scale(thresholds: NDArray[Any], low: float, high: float) -> bool:
    """Whether a single threshold may be a probability, and the scores in this range are none."""
    return _is_one_within(thresholds) and _range_of_probabilities(low, high) is None


def _range_of_probabilities(low: float, high: float) -> tuple[float, float] | None:
    """Where thresholds may be, with room for rounded scores; None if these are no probabilities."""
    if low < -SUM_TOLERANCE or high > 1 + SUM_TOLERANCE:
        return None
    return -ROOM if low < 0 else 0.0, 1 + ROOM if high > 1 else 1.0


def _are_shares(scores: NDArray[Any]) -> bool:
    """Whether each row has the probabilities of all classes."""
    return scores.ndim == 2 and scores.shape[1] > 1 and sum_to_one(scores)


def _are_fractions(scores: NDArray[Any]) -> bool:
    """Whether scores in [0, 1] are probabilities: one may be any number, whole ones are labels."""
    return len(scores) > 1 and bool((scores != np.rint(scores)).any())


def _is_of_curve(scores: NDArray[Any], threshold: NDArray[Any]) -> bool:
    """Whether a single threshold is a score, or one that `between_scores` returns."""
    cut = in_precision_of(scores, np.ravel(threshold))[0]
    below = scores.max(where=scores < cut, initial=-np.inf)
    above = scores.min(where=scores >= cut, initial=np.inf)
    neighbors = [score for score in (below, above) if np.isfinite(score)]
    both: tuple[Ties, Ties] = ("positive", "negative")
    returned = [between_scores(scores, score, ties) for score in neighbors for ties in both]
    return bool(np.isin(cut, [*neighbors, *returned]))
