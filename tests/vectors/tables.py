"""The tables of counts of the test vectors: corners by hand, published ones, and random ones."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

Label = int | str


class Table(NamedTuple):
    """Counts of each pair of an actual class, the rows, and a predicted one; perhaps with the
    samples and a source.
    """

    about: str
    labels: Sequence[Label]
    matrix: list[list[int]]
    actual: Sequence[Label] = ()
    predicted: Sequence[Label] = ()
    source: str = ""


def all_tables() -> list[Table]:
    """The tables in their fixed order, each once."""
    corners = (zeros, one_class, absent, perfect_or_wrong, constant, huge, rare)
    found: dict[str, Table] = {}
    for make in (*corners, literature, ordered, pairs, random_tables):
        for table in make():
            found.setdefault(str(table[1:4]), table)
    return list(found.values())


def square(*rows: Sequence[int]) -> list[list[int]]:
    """A matrix of its rows."""
    return [list(row) for row in rows]


def zeros() -> Iterator[Table]:
    """Two classes, with zeros in every subset of the four cells."""
    for sizes in ((1, 1, 1, 1), (23, 2, 3, 7), (41, 13, 11, 5)):
        for kept in product((1, 0), repeat=4):
            tn, fp, fn, tp = (size * keep for size, keep in zip(sizes, kept, strict=True))
            if tn + fp + fn + tp:
                yield Table(
                    f"two classes: tp {tp}, fp {fp}, fn {fn}, tn {tn}",
                    (0, 1),
                    square((tn, fp), (fn, tp)),
                )


def one_class() -> Iterator[Table]:
    """A single class that is known."""
    for label, samples in ((0, 1), (1, 5), ("only", 1000)):
        yield Table("one class is known", (label,), [[samples]])


def absent() -> Iterator[Table]:
    """Classes that never occur, are never predicted, or neither."""
    full = square((9, 2, 1, 3), (4, 8, 2, 0), (1, 5, 7, 2), (2, 0, 3, 6))
    for size in (2, 3, 4):
        for row, column in product(range(-1, size), repeat=2):
            cells = [
                [full[i][j] * (i != row) * (j != column) for j in range(size)] for i in range(size)
            ]
            about = [f"class {row} never occurs"] * (row >= 0) + [
                f"class {column} is never predicted"
            ] * (column >= 0)
            if about:
                yield Table(f"{size} classes: {', '.join(about)}", tuple(range(size)), cells)
    for size in (4, 6):
        cells = [
            [full[i][j] if max(i, j) < 2 else 0 for j in range(4)] + [0] * (size - 4)
            for i in range(4)
        ]
        cells += [[0] * size for _ in range(size - 4)]
        yield Table(
            f"{size} classes: only the first two occur or are predicted", tuple(range(size)), cells
        )


def perfect_or_wrong() -> Iterator[Table]:
    """Every prediction is correct, or every prediction is wrong."""
    for size in (2, 3, 4, 5, 7):
        for shift in (0, 1):
            cells = [
                [(2 * i + 1) * (j == (i + shift) % size) for j in range(size)] for i in range(size)
            ]
            about = "every prediction is wrong" if shift else "every prediction is correct"
            yield Table(f"{size} classes: {about}", tuple(range(size)), cells)
    yield Table("wrong by every other class", (0, 1, 2), square((0, 3, 4), (5, 0, 1), (2, 6, 0)))


def constant() -> Iterator[Table]:
    """Predictions, or samples, that are all of one class; and predictions that are independent of
    the class.
    """
    for size in (2, 3, 5):
        for only in range(size):
            cells = [[(i + 2) * (j == only) for j in range(size)] for i in range(size)]
            yield Table(
                f"{size} classes: all are predicted as class {only}", tuple(range(size)), cells
            )
            turned = [list(row) for row in zip(*cells, strict=True)]
            yield Table(f"{size} classes: all are of class {only}", tuple(range(size)), turned)
    for rows, columns in (((3, 7), (2, 5)), ((1, 2, 4), (6, 3, 1)), ((1, 1, 1), (1, 1, 1))):
        cells = [[row * column for column in columns] for row in rows]
        yield Table("predictions are independent of the class", tuple(range(len(rows))), cells)


def huge() -> Iterator[Table]:
    """Counts of 16 to 60 bits, of which products and sums are beyond the integers of floats and of
    machines.
    """
    for power, step in product((16, 31, 32, 53, 60), (-1, 0, 1)):
        size = 2**power + step
        yield Table(
            f"both classes 2**{power} {step:+d}, one error each",
            (0, 1),
            square((size, 1), (1, size)),
        )
        yield Table(
            f"2**{power} {step:+d} negatives, few positives", (0, 1), square((size, 3), (2, 5))
        )
    for power in (31, 53, 59):
        size = 2**power
        cells = square(
            (size, size + 1, size - 1), (size - 2, size, size + 2), (size + 3, size - 3, size)
        )
        yield Table(f"three classes, all cells near 2**{power}", (0, 1, 2), cells)
        yield Table(
            f"two classes, all cells near 2**{power}",
            (0, 1),
            square((size, size + 1), (size - 1, size)),
        )
        yield Table(
            f"cells from 0 to 2**{power}",
            (0, 1, 2),
            square((size, 0, 7), (1, size // 3, 0), (0, 10**6, 2)),
        )


def rare() -> Iterator[Table]:
    """One positive, or a few, among up to a thousand million samples."""
    for negatives in (10**3, 10**6, 10**9):
        for tp, fn in ((1, 0), (0, 1), (3, 3), (9, 1)):
            for fp in (0, 1, negatives // 100):
                cells = square((negatives - fp, fp), (fn, tp))
                yield Table(
                    f"{tp + fn} of {negatives + tp + fn} samples are positive", (0, 1), cells
                )
    yield Table(
        "two of three classes are rare", (0, 1, 2), square((99990, 7, 3), (2, 4, 0), (1, 0, 0))
    )


def literature() -> Iterator[Table]:
    """Tables that were published, turned so that rows are what is true, or the first rater."""
    two = (0, 1)
    yield Table(
        "tornado forecasts",
        two,
        square((2680, 72), (23, 28)),
        source="Finley (1884); Wilks (2011), section 8.2",
    )
    yield Table(
        "a screening test",
        two,
        square((1820, 180), (10, 20)),
        source="Wikipedia, Sensitivity and specificity",
    )
    yield Table("a paradox of kappa", two, square((118, 5), (2, 0)), source="Gwet (2002)")
    yield Table(
        "two observers of binary data", two, square((5, 3), (1, 1)), source="Krippendorff (2011)"
    )
    yield Table(
        "balanced raters", two, square((45, 6), (9, 40)), source="Feinstein & Cicchetti (1990)"
    )
    yield Table(
        "unbalanced raters", two, square((5, 5), (10, 80)), source="Feinstein & Cicchetti (1990)"
    )
    yield Table(
        "all are predicted positive", two, square((0, 5), (0, 95)), source="Chicco & Jurman (2020)"
    )
    yield Table(
        "nearly all are predicted positive",
        two,
        square((1, 4), (5, 90)),
        source="Chicco & Jurman (2020)",
    )
    yield Table(
        "two diagnosticians",
        ("psychotic", "neurotic", "organic"),
        square((75, 1, 4), (5, 4, 1), (0, 0, 10)),
        source="Fleiss (1981), chapter 13",
    )
    yield Table(
        "two film critics",
        ("con", "mixed", "pro"),
        square((24, 8, 13), (8, 13, 11), (10, 9, 64)),
        source="Agresti & Winner (1997)",
    )
    yield Table(
        "two pathologists",
        (1, 2, 3, 4),
        square((22, 2, 2, 0), (5, 7, 14, 0), (0, 2, 36, 0), (0, 1, 17, 10)),
        source="Landis & Koch (1977)",
    )
    yield Table(
        "land cover from satellites",
        ("deciduous", "conifer", "barren", "shrub"),
        square((65, 6, 0, 4), (4, 81, 11, 7), (22, 5, 85, 3), (24, 8, 19, 90)),
        source="Congalton (1991)",
    )
    yield Table(
        "forecasts of precipitation",
        ("freezing rain", "snow", "rain"),
        square((50, 47, 54), (91, 2364, 205), (71, 170, 3288)),
        source="Goldsmith (1990); Wilks (2011), section 8.2",
    )


def ordered() -> Iterator[Table]:
    """Classes with an order and distances, where errors are mostly of neighbors."""
    for labels in (
        (1, 2, 3),
        (1, 2, 5),
        (-2, -1, 0, 1, 2),
        (0, 10, 100, 1000),
        (1, 2, 3, 4, 5, 6, 7),
    ):
        size = len(labels)
        for most in (1, size - 1):
            cells = [
                [max(0, (most + 1 - abs(i - j)) * (i + 2 * j + 1)) for j in range(size)]
                for i in range(size)
            ]
            yield Table(f"ordered classes: errors by up to {most}", labels, cells)
            turned = [row[::-1] for row in cells]
            yield Table(f"ordered classes: errors by up to {most}, turned round", labels, turned)


LABELS: list[Sequence[Label]] = [
    (0, 1),
    (-1, 1),
    (1, 2),
    ("no", "yes"),
    ("", "a"),
    (0, 1, 2),
    (1, 2, 5),
    ("ash", "beech", "cedar"),
    ("1", "10", "2"),
    (-5, 0, 5, 100),
    ("a", "b", "c", "d", "é"),
]


def pairs() -> Iterator[Table]:
    """Samples one by one, some with classes that are only actual, only predicted, or in neither."""
    actual, predicted = (
        [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2],
        [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0],
    )
    yield of_samples("sixteen samples of three classes", (0, 1, 2), actual, predicted)
    random = Random(1884)
    for labels, size in product(LABELS, (1, 2, 5, 12, 40)):
        of_actual = labels[: 1 + below(random, len(labels))]
        of_predicted = labels[below(random, len(labels)) :]
        actual = [of_actual[below(random, len(of_actual))] for _ in range(size)]
        predicted = [
            label
            if label in of_predicted and below(random, 2)
            else of_predicted[below(random, len(of_predicted))]
            for label in actual
        ]
        yield of_samples("samples one by one", labels, actual, predicted)


def of_samples(
    about: str, labels: Sequence[Label], actual: list[Label], predicted: list[Label]
) -> Table:
    """The table of some samples."""
    samples = list(zip(actual, predicted, strict=True))
    return Table(
        about, labels, [[samples.count((i, j)) for j in labels] for i in labels], actual, predicted
    )


def random_tables() -> Iterator[Table]:
    """Tables of many shapes: small counts with zeros, and counts of very different sizes."""
    random = Random(1950)
    for size, tables in ((2, 105), (3, 72), (4, 22), (5, 14), (8, 4), (12, 2)):
        for number in range(tables):
            largest = (4, 10, 100, 10**4)[number % 4]
            right = number % 3
            cells = [[below(random, largest) for _ in range(size)] for _ in range(size)]
            for i in range(size):
                cells[i][i] *= 1 + 3 * right
                cells[i] = [cell * bool(below(random, 5)) for cell in cells[i]]
            if any(map(any, cells)):
                yield Table(
                    f"random: {size} classes, counts below {largest}", tuple(range(size)), cells
                )


def below(random: Random, end: int) -> int:
    """A number from 0 to end - 1, by the only method of Random that all versions of Python agree
    on.
    """
    return int(random.random() * end)
