"""The inputs of the test vectors: hard corners, what was published, and a few plain ones."""

from itertools import product
from typing import Any

Inputs = dict[str, Any]

LEVELS = ("0.8", "0.9", "0.95", "0.99")
LIMITS_BY = ("wilson", "mid_p", "clopper_pearson")

# Hits and numbers of samples. 81 of 263, 15 of 148, 0 of 20 and 1 of 29 are those of Newcombe 1998.
SHARES = [
    (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (1, 3), (0, 9), (1, 9), (4, 9), (8, 9),
    (0, 10), (1, 10), (2, 10), (3, 10), (5, 10), (7, 10), (8, 10), (10, 10), (0, 20), (1, 29),
    (15, 148), (81, 263), (3, 1000), (998, 1000), (1000, 1000),
]  # fmt: skip
MANY = [(1, 10**6), (314159, 10**6), (10**6 - 3, 10**6), (0, 10**9), (5 * 10**8, 10**9)]
EXACT_OF_MANY = [(1, 10**6), (314159, 10**6), (10**6 - 3, 10**6), (0, 10**9), (10**9 - 40, 10**9)]

# Two proportions. The first eight are those of Newcombe 1998, Table II.
PAIRS = [
    (56, 70, 48, 80), (9, 10, 3, 10), (6, 7, 2, 7), (5, 56, 0, 29), (0, 10, 0, 20), (0, 10, 0, 10),
    (10, 10, 0, 20), (10, 10, 0, 10), (0, 1, 1, 1), (1, 1, 0, 1), (1, 2, 1, 2), (0, 2, 2, 2),
    (2, 10, 8, 10), (45, 50, 20, 100), (3, 200, 190, 200), (900, 1000, 80, 1000),
    (123456, 10**6, 654321, 10**6), (0, 0, 3, 10), (12, 30, 0, 0),
]  # fmt: skip

# Samples that only the first has right, that only the second has right, and all. 1 and 7 of 21, 6
# and 16 of 161 are those of Fagerland, Lydersen & Laake 2013.
DISCORDANT = [
    (1, 7, 21), (6, 16, 161), (0, 1, 44), (40, 20, 160), (0, 0, 1), (0, 0, 2), (0, 0, 44),
    (1, 0, 1), (0, 1, 2), (2, 0, 2), (0, 5, 5), (5, 5, 10), (3, 3, 1000), (0, 6, 100), (5, 0, 100),
    (4, 0, 50), (6, 15, 100), (9, 1, 50), (25, 10, 1000), (300, 200, 10**4),
    (0, 0, 10**6), (1000, 1100, 10**6),
]  # fmt: skip
MARGINS = ("0.01", "0.05", "0.1")

NONE = None
# Three raters and 15 units, with alpha 0.691 and 0.811 by interval, of the encyclopedia's page on
# it; four observers and 12 units of Krippendorff 2011.
THREE_RATERS = [
    [NONE, 1, NONE], [NONE, NONE, NONE], [NONE, 2, 2], [NONE, 1, 1], [NONE, 3, 3], [3, 3, 4],
    [4, 4, 4], [1, 3, NONE], [2, NONE, 2], [1, NONE, 1], [1, NONE, 1], [3, NONE, 3], [3, NONE, 3],
    [NONE, NONE, NONE], [3, NONE, 4],
]  # fmt: skip
FOUR_OBSERVERS = [
    [1, 1, NONE, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NONE, 5, 5, 5], [NONE, NONE, 1, 1],
    [NONE, NONE, 3, NONE],
]  # fmt: skip
# Ratings of two raters, by how many items: those of Gwet's table of ectopic pregnancies.
ABSTRACTORS = {(1, 1): 13, (2, 2): 20, (2, 3): 7, (3, 2): 4, (3, 3): 56}
RATINGS = [
    THREE_RATERS,
    FOUR_OBSERVERS,
    FOUR_OBSERVERS * 2,
    [list(pair) for pair, number in ABSTRACTORS.items() for _ in range(number)],
    [[1, 2], [2, 1]],
    [[1, 1], [2, 2]],
    [[1, 1], [1, 1], [1, NONE]],
    [[1, 1, 1], [1, 2, NONE], [NONE, 2, 2], [2, 2, 1], [3, NONE, NONE]],
    [[1, 1]] * 40 + [[1, 2]] * 2,
    [[1, 1, 1, 2], [2, 2, 1, 1], [3, 3, 3, NONE], [1, 4, 4, 4], [2, 3, 2, 2]] * 6,
]


def scrambled(size: int, seed: int, above: int = 0) -> list[int]:
    """Scores with ties, from a linear congruential generator."""
    scores, state = [], seed
    for _ in range(size):
        state = (state * 1103515245 + 12345) % 2**31
        scores.append(state // 2**16 % 30 + above)
    return scores


# Scores of positive and of negative samples.
SCORES = [
    ([2], [1]), ([1], [1]), ([1], [2]), ([2, 3], [1]), ([2, 3], [0, 1]), ([0, 1], [2, 3]),
    ([1, 1], [1, 1]), ([1, 2], [1, 2]), ([3, 5, 7, 2], [1, 2, 4]), ([2, 2, 2], [1, 2, 3, 4]),
    ([4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 1, 2, 3]), (scrambled(12, 1, 9), scrambled(30, 2)),
    (scrambled(40, 3, 20), scrambled(15, 4)), (scrambled(100, 5, 8), scrambled(120, 6)),
    (scrambled(150, 7, 28), scrambled(100, 8)), (scrambled(99, 9, 5), scrambled(100, 10)),
]  # fmt: skip


def near(scores: list[int], seed: int, spread: int) -> list[int]:
    """The scores of another model, that are nearly these."""
    return [
        own + other % spread
        for own, other in zip(scores, scrambled(len(scores), seed), strict=True)
    ]


# Scores of the same samples by two models: positive and negative by the first, then by the second.
SCORES_OF_TWO = [
    ([2], [1], [1], [2]),
    ([2, 3], [0, 1], [2, 3], [0, 1]),
    ([2, 3], [0, 1], [0, 1], [2, 3]),
    ([3, 5, 7, 2], [1, 2, 4], [3, 1, 7, 2], [1, 2, 4]),
    ([3, 5, 7, 2, 6], [1, 2, 4, 3], [2, 2, 2, 2, 2], [2, 2, 2, 2]),
    (scrambled(30, 11, 9), scrambled(40, 12), scrambled(30, 13, 6), scrambled(40, 14)),
    (
        scrambled(20, 15, 9), scrambled(60, 16),
        near(scrambled(20, 15, 9), 17, 9), near(scrambled(60, 16), 18, 9),
    ),
    (scrambled(100, 19, 8), scrambled(120, 20), scrambled(100, 21, 5), scrambled(120, 22)),
    (
        scrambled(110, 23, 9), scrambled(100, 24),
        near(scrambled(110, 23, 9), 25, 12), near(scrambled(100, 24), 26, 15),
    ),
]  # fmt: skip

# Hits and samples of each cluster.
CLUSTERS = [
    [[0, 0]],
    [[3, 5]],
    [[1, 1], [0, 1]],
    [[5, 5], [4, 4], [7, 7]],
    [[0, 5], [0, 4], [0, 7]],
    [[2, 4], [1, 2], [3, 6]],
    [[3, 5], [2, 5], [5, 5], [0, 3], [4, 6], [7, 8]],
    [[1, 1]] * 30 + [[0, 1]] * 10,
    [[10, 10], [0, 10]] * 8,
    [[k % 7, 6] for k in range(40)],
    [[90, 100]] + [[k % 3, 2] for k in range(20)],
    [[19, 20], [20, 20], [18, 20], [20, 20]] * 6,
    [[0, 0], [4, 5], [3, 5], [0, 0], [5, 5], [4, 4], [1, 3]],
    [[400, 500], [450, 500], [380, 500], [420, 500]] * 5,
]  # fmt: skip

# Weights of hits and of misses, each with the number of samples.
WEIGHTED = [
    ([["1", 120], ["3", 30]], [["1", 100], ["0.5", 20]]),
    ([["2", 200]], [["2", 150]]),
    ([["1", 500]], [["10", 100]]),
    ([["10", 100]], [["1", 500]]),
    ([["1", 30], ["4", 10]], [["1", 12], ["2", 8]]),
    ([["1", 5]], [["1", 4]]),
    ([["1", 40], ["5", 2]], []),
    ([], [["0.25", 60], ["1", 15]]),
    ([["1", 99]], [["3", 1]]),
    ([["4", 300]], [["1", 100]]),
    ([["4", 300]], [["1", 99]]),
    ([["0.5", 1000], ["1.5", 1000]], [["0.5", 300], ["7", 100]]),
    ([["1", 1]], [["2", 1]]),
]

# Samples with each prediction, and those verified as actual positives and negatives. The first is
# that of hepatic scintigraphy in Begg & Greenes 1983.
VERIFIED = [
    ([429, 231, 32], [221, 27, 54]),
    ([50, 30, 20], [200, 1, 19]),
    ([10, 10, 0], [90, 3, 87]),
    ([50, 25, 5], [1000, 0, 40]),
    ([50, 0, 10], [1000, 0, 40]),
    ([50, 10, 0], [100, 5, 0]),
    ([1, 1, 0], [1, 0, 1]),
    ([100, 0, 0], [100, 5, 5]),
    ([10**6, 900, 100], [10**7, 3, 9997]),
]

# Proportions of several classes or groups.
SEVERAL = [
    ([45, 30], [50, 40]),
    ([0, 10, 5], [10, 10, 10]),
    ([9, 1, 7], [9, 3, 8]),
    ([90, 40, 70, 20], [100, 50, 90, 60]),
    ([5, 50, 500, 5000, 0, 8, 77], [6, 60, 600, 6000, 20, 8, 100]),
]
COMPARED = [
    ([1], [7]),
    ([1, 3, 0], [7, 3, 9]),
    ([0, 0, 0], [0, 0, 0]),
    ([2, 2, 5, 1], [9, 9, 6, 12]),
    ([10, 12, 4, 30, 7], [2, 1, 4, 9, 0]),
]


def named(names: str, rows: Any) -> list[Inputs]:
    """Inputs by their names."""
    return [dict(zip(names.split(), row, strict=True)) for row in rows]


def at_levels(rows: Any, more: Any = ()) -> list[Any]:
    """Rows at every level, and others at 0.95 alone."""
    return [(*row, level) for row, level in product(rows, LEVELS)] + [
        (*row, "0.95") for row in more
    ]


PROPORTIONS = named("hits n level", at_levels(SHARES, MANY))
EXACT_PROPORTIONS = named("hits n level", at_levels(SHARES, EXACT_OF_MANY))
TWO_PROPORTIONS = named(
    "hits_1 n_1 hits_2 n_2 level limits_by",
    [
        *((*pair, "0.95", limits_by) for pair, limits_by in product(PAIRS, LIMITS_BY)),
        *((*pair, level, "wilson") for pair in PAIRS[1:4] for level in ("0.8", "0.9", "0.99")),
        *((*pair, level, "mid_p") for pair in PAIRS[1:4] for level in ("0.8", "0.99")),
    ],
)
PAIRED = named("only_first only_second n level", [
    *((*counts, "0.95") for counts in DISCORDANT),
    *((*counts, level) for counts in DISCORDANT[:9] for level in ("0.8", "0.9", "0.99")),
    # Where McNemar's mid-p-value does not reject what Tango's limits exclude.
    (0, 2, 9, "0.8"), (3, 0, 40, "0.9"), (2, 7, 30, "0.9"),
])  # fmt: skip
WITH_MARGIN = named(
    "only_first only_second n margin",
    [(*counts, margin) for counts in DISCORDANT for margin in MARGINS],
)
COUNTS_OF_DISCORDANT = named(
    "only_first only_second",
    [*dict.fromkeys(row[:2] for row in DISCORDANT), (0, 3), (4, 2), (12, 12), (499, 501), (20, 70)],
)
CORRECTED = named("only_first only_second", COMPARED)
AT_ONCE = named(
    "hits n level limits_by",
    [(*of, level, by) for of, level, by in product(SEVERAL, ("0.9", "0.95"), LIMITS_BY)],
)
AREAS = named("positive negative level", [
    *((*scores, "0.95") for scores in SCORES),
    *((*scores, level) for scores in SCORES[4:11] for level in ("0.8", "0.9", "0.99")),
])  # fmt: skip
TWO_AREAS = named("positive_1 negative_1 positive_2 negative_2", SCORES_OF_TWO)
IN_CLUSTERS = named("clusters level", [
    *((of, "0.95") for of in CLUSTERS),
    *((of, level) for of in CLUSTERS[6:11] for level in ("0.8", "0.9", "0.99")),
])  # fmt: skip
WITH_WEIGHTS = named("hits misses level", [
    *((*of, "0.95") for of in WEIGHTED),
    *((*of, level) for of in WEIGHTED[:2] + WEIGHTED[4:5] for level in ("0.8", "0.9", "0.99")),
])  # fmt: skip
PARTLY_VERIFIED = named("positive negative", VERIFIED)
OF_SCALES = named("ratings scale level", [
    *((of, "nominal", "0.95") for of in RATINGS),
    *((of, "ordinal", "0.95") for of in (*RATINGS[:3], *RATINGS[7:])),
    *((of, "interval", "0.95") for of in (*RATINGS[:3], *RATINGS[7:])),
    *((FOUR_OBSERVERS, "nominal", level) for level in ("0.8", "0.9", "0.99")),
])  # fmt: skip
OF_RATERS = named("ratings level", [
    *((of, "0.95") for of in RATINGS),
    *((FOUR_OBSERVERS, level) for level in ("0.8", "0.9", "0.99")),
])  # fmt: skip
