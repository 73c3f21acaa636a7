"""Random labels, weights and scores as plain Python values."""

from random import Random
from typing import Any, NamedTuple

import numpy as np

DAYS = [
    np.datetime64(day)
    for day in ("1900-02-28", "1969-12-31", "1970-01-01", "2000-02-29", "2100-03-01")
]

# Sets of labels by what is odd about them; each in sorted order.
LABEL_SETS: dict[str, list[list[Any]]] = {
    "integers": [
        [0, 1],
        [-1, 1],
        [1, 2],
        [0, 1, 2],
        [3, 5, 7, 11],
        list(range(12)),
        list(range(70)),
        [-128, 127],
        [-128, -1, 0, 127],
        [0, 255],
        [0, 128, 255],
        [-32768, 0, 32767],
        [0, 65535],
        [-(2**31), 2**31 - 1],
        [0, 2**32],
        [-(2**40), 5, 2**40],
        [2**53 - 1, 2**53, 2**53 + 1],
        [-(2**53) - 1, -(2**53), 2**53 + 2],
        [-(2**63), 0, 2**63 - 1],
        [2**63, 2**63 + 1],
        [0, 2**64 - 2, 2**64 - 1],
    ],
    "booleans": [[False, True]],
    "strings": [
        ["no", "yes"],
        ["a", "b", "c"],
        ["ash", "beech", "cedar", "é"],
        ["", "a"],
        ["x", "x" * 40, "y" * 9],
        ["1", "10", "2"],
        ["\U0001f331", "\U0001f332"],
    ],
    "bytes": [[b"no", b"yes"], [b"a", b"ab", b"b"]],
    "dates": [DAYS[1:3], [DAYS[0], *DAYS[2:]]],
}
KINDS = {"integers": 10, "strings": 5, "booleans": 1, "bytes": 1, "dates": 1}


class Labels(NamedTuple):
    """Both sides of single-label data and the set that they were drawn from."""

    kind: str
    known: list[Any]
    true: list[Any]
    predicted: list[Any]

    @property
    def present(self) -> list[Any]:
        """The labels that occur, sorted."""
        return sorted({*self.true, *self.predicted})


def draw_size(random: Random) -> int:
    """A number of samples, mostly small, since that is where the corners are."""
    return random.choice([1, 2, 3, 4, random.randint(1, 12), random.randint(1, 60)])


def draw_labels(random: Random, kinds: dict[str, int] = KINDS, most: int = 100) -> Labels:
    """Labels that agree more or less, with classes that lack on a side or on both."""
    kind = random.choices(list(kinds), list(kinds.values()))[0]
    known = random.choice([labels for labels in LABEL_SETS[kind] if len(labels) <= most])
    size = draw_size(random)
    sides = [random.sample(known, random.randint(1, len(known))) for _ in range(2)]
    if random.random() < 0.6:
        sides = [known, known]
    true = random.choices(sides[0], k=size)
    agreement = random.choice([0, 0, 0.5, 0.9, 1])
    predicted = [
        label if random.random() < agreement else random.choice(sides[1]) for label in true
    ]
    return Labels(kind, known, true, predicted)


def draw_two_labels(random: Random, kinds: dict[str, int] = KINDS) -> tuple[Labels, Any]:
    """Labels of at most two classes, and the one of them that is positive."""
    drawn = draw_labels(random, kinds, most=2)
    return drawn, random.choice(drawn.known)


def draw_bits(random: Random) -> tuple[list[list[int]], list[list[int]]]:
    """Multilabel data, also with samples and labels that are all 0 or all 1."""
    size, width = draw_size(random), random.randint(2, 5)
    sides = []
    for share in random.choices([0, 0.2, 0.5, 0.9, 1], k=2):
        rows = [[int(random.random() < share) for _ in range(width)] for _ in range(size)]
        sides.append(rows)
    if random.random() < 0.3:
        sides[1] = [list(row) for row in sides[0]]
    return sides[0], sides[1]


def draw_weights(random: Random, size: int) -> tuple[str, list[Any] | None]:
    """A kind of weights and the weights; never all zero."""
    kind = random.choices(
        ["none", "integers", "bytes", "floats", "huge", "tiny", "extreme"], [6, 2, 1, 3, 1, 1, 2]
    )[0]
    if kind == "none":
        return kind, None
    draw = {
        "integers": lambda: random.choice([0, 1, 2, 3, 1000]),
        "bytes": lambda: random.choice([0, 1, 128, 200, 255]),
        "floats": lambda: random.choice(
            [0.0, 0.1, 0.2, 0.3, 1.0, 2.25, random.random(), 1e3 * random.random()]
        ),
        "huge": lambda: random.choice([0, 2**53 - 1, 2**53 + 1, 2**62, 2**63 - 1]),
        "tiny": lambda: random.choice([1e-100, 3e-100, 1e-90]),
        "extreme": lambda: random.choice(
            [0.0, 1e-100, 1e-30, 1e-16, 1.0, 3.0, 1e16, 1e17, 1e50, 1e98]
        ),
    }[kind]
    weights = [draw() for _ in range(size)]
    if not any(weights):
        weights[random.randrange(size)] = 1
    return kind, weights


def draw_scores(random: Random, size: int) -> list[float]:
    """Scores in [0, 1], often equal ones."""
    grid = random.choice([1, 2, 4, 10, 1 << 20])
    return [random.randint(0, grid) / grid for _ in range(size)]
