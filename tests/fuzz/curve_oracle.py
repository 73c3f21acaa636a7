"""Curves by brute force: counts at a threshold, areas over all pairs, and best thresholds."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from tests.vectors.exact import UNDEFINED, Value, divide
from tests.vectors.one_class import Counts


class Scored(NamedTuple):
    """Samples of one class and the rest: a score, whether it is of the class, and its weight."""

    scores: list[float]
    positive: list[bool]
    weights: list[Fraction]

    @property
    def thresholds(self) -> list[float]:
        """The distinct scores of samples that weigh anything, from the highest."""
        return sorted(
            {score for score, weight in zip(self.scores, self.weights, strict=True) if weight},
            reverse=True,
        )

    @property
    def choices(self) -> list[float]:
        """The thresholds to choose from, with none and all, which come last where all are equal."""
        return [*self.thresholds, math.inf, -math.inf]

    def quad(self, threshold: float, ties: str = "positive") -> Counts:
        """tp, fp, fn and tn at one threshold."""
        counts = {
            (actual, guess): Fraction(0) for actual in (True, False) for guess in (True, False)
        }
        for score, actual, weight in zip(*self, strict=True):
            counts[actual, score > threshold or (ties == "positive" and score == threshold)] += (
                weight
            )
        return Counts(
            counts[True, True], counts[False, True], counts[True, False], counts[False, False]
        )

    def side(self, positive: bool) -> list[tuple[float, Fraction]]:
        """Scores and weights of the positive or of the negative samples."""
        samples = zip(*self, strict=True)
        return [(score, weight) for score, actual, weight in samples if actual == positive]


def roc_auc(scored: Scored) -> Value:
    """How often a positive sample has a higher score than a negative one, ties half."""
    won = all_pairs = Fraction(0)
    for score, weight in scored.side(True):
        for other, other_weight in scored.side(False):
            both = weight * other_weight
            won += both * Fraction((score > other) + (score >= other), 2)
            all_pairs += both
    return divide(won, all_pairs)


def partial_roc_auc(scored: Scored, most: float) -> Value:
    """The area up to a false positive rate, scaled to 1/2 at chance and 1 at best (McClish)."""
    positives, negatives = (
        sum((weight for _, weight in scored.side(one)), Fraction(0)) for one in (True, False)
    )
    if not positives or not negatives:
        return UNDEFINED
    limit, area, points = Fraction(most), Fraction(0), [(Fraction(0), Fraction(0))]
    for threshold in scored.thresholds:
        tp, fp, _, _ = scored.quad(threshold)
        points.append((fp / negatives, tp / positives))
    for (left, low), (right, high) in pairwise(points):
        end = min(right, limit)
        if end > left:
            area += (end - left) * (low + low + (high - low) * (end - left) / (right - left)) / 2
    chance = limit**2 / 2
    return (1 + (area - chance) / (limit - chance)) / 2


def average_precision(scored: Scored) -> Value:
    """The precision of each threshold, by the recall that it adds."""
    positives = sum((weight for _, weight in scored.side(True)), Fraction(0))
    area = before = Fraction(0)
    for threshold in scored.thresholds:
        tp, fp, _, _ = scored.quad(threshold)
        area += (tp - before) * tp / (tp + fp)
        before = tp
    return divide(area, positives)


def one_vs_one_auc(
    columns: Sequence[Sequence[float]], codes: Sequence[int], weights: Sequence[Fraction]
) -> Value:
    """The mean over ordered pairs of classes of how well the scores of one tell it
    from the other.
    """
    areas = []
    for one, column in enumerate(columns):
        for other in range(len(columns)):
            kept = [i for i, code in enumerate(codes) if code in (one, other)]
            scored = Scored(
                [column[i] for i in kept],
                [codes[i] == one for i in kept],
                [weights[i] for i in kept],
            )
            areas.append(roc_auc(scored) if one != other else UNDEFINED)
    known = [area for area in areas if area is not UNDEFINED]
    return divide(sum(known, Fraction(0)), Fraction(len(known)))


def best(values: list[float], qualifies: list[bool], highest: bool) -> int | None:
    """Where the best of the values that qualify stands, the first of equal ones;
    None if none does.
    """
    places = [i for i, value in enumerate(values) if qualifies[i] and value == value]
    return (max if highest else min)(places, key=lambda i: values[i]) if places else None


def between(scores: Sequence[float], score: float, ties: str = "positive") -> Fraction:
    """Where a threshold stands that has the counts of a score: half way to the next one beyond it,
    exactly.
    """
    side = -1 if ties == "positive" else 1
    gaps = [side * (Fraction(other) - Fraction(score)) for other in scores]
    if beyond := [gap for gap in gaps if gap > 0]:
        return Fraction(score) + side * min(beyond) / 2
    least = Fraction(score) - side * max((gap for gap in gaps if gap < 0), default=Fraction(0)) / 2
    return (
        min(max(least, Fraction(0)), Fraction(1))
        if min(scores) >= 0 and max(scores) <= 1
        else least
    )


def satisfies(value: float, bound: Any, higher_is_better: bool) -> bool:
    """Whether a value keeps a bound: a pair, or a number on the side where worse values are."""
    if isinstance(bound, tuple):
        return bound[0] <= value <= bound[1]
    return value >= bound if higher_is_better else value <= bound
