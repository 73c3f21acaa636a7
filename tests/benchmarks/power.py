"""How often tests reject equal and unequal values: writes the tables of docs/theory/tests.md.

Tables of two proportions are enumerated, with the largest size over all proportions; other samples
are simulated. Each competitor decides about the same samples. It takes about twelve minutes on one
core.
"""

import warnings
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from scipy import stats

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, compare, compare_curves
from tests.docs.generated_parts import with_parts
from tests.docs.theory_pages import FOLDER, table

PAGE = FOLDER / "tests.md"
LEVEL, N_DRAWS, N_RESAMPLES = 0.05, 1_000, 999
SHARES = np.linspace(0.01, 0.99, 99)
HEAD = ["samples", "test", "rejects equal values", "rejects unequal values"]


# Two groups compared by a proportion: all tables.

# The sizes of both groups, and the proportions in which they differ.
GROUPS = {
    "20 and 20, 0.5 and 0.85": ((20, 20), (0.5, 0.85)),
    "50 and 50, 0.05 and 0.2": ((50, 50), (0.05, 0.2)),
    "10 and 100, 0.3 and 0.7": ((10, 100), (0.3, 0.7)),
    "15 and 1,000, 0.9 and 0.6": ((15, 1_000), (0.9, 0.6)),
}


def proportions() -> Iterator[tuple[str, str, float, float]]:
    """The size and the power of each test, of two independent proportions."""
    for name, (sizes, unequal) in GROUPS.items():
        tests = {
            "`gap`": inverted(*sizes),
            "Fisher": fisher(*sizes),
            "Fisher, mid-p": fisher(*sizes, of_observed=0.5),
        }
        tests["Boschloo"] = boschloo(*sizes, tests["Fisher"])
        for test, p_values in tests.items():
            rejects = p_values < LEVEL
            size = max(probability(rejects, sizes, (share, share)) for share in SHARES)
            yield name, test, size, probability(rejects, sizes, unequal)


def probability(rejects, sizes, shares):
    """Of the tables (n + 1, m + 1) of hits that are rejected."""
    first, second = (
        stats.binom.pmf(np.arange(n + 1), n, share) for n, share in zip(sizes, shares, strict=True)
    )
    return float(first @ rejects @ second)


def inverted(n, m):
    """The p-values (n + 1, m + 1) of all tables by `ConfusionMatrix.gap`."""
    hits = np.stack(np.broadcast_arrays(np.arange(n + 1)[:, None], np.arange(m + 1)), -1)
    counts = np.zeros((*hits.shape, 2, 2), dtype=int)
    counts[..., 1, 1], counts[..., 1, 0] = hits, np.array([n, m]) - hits
    counts[..., 0, 0] = 1
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    return cm.gap("recall", axis="axis_2").p_value


def fisher(n, m, *, of_observed=1.0):
    """Two-sided: of all tables with these hits that are at most as likely, the observed counts as
    much as this.
    """
    p_values = np.ones((n + 1, m + 1))
    for total in range(n + m + 1):
        first = np.arange(max(0, total - m), min(n, total) + 1)
        likely = stats.hypergeom.pmf(first, n + m, n, total)
        is_as_rare = likely[None] <= likely[:, None] * (1 + 1e-9)
        p_values[first, total - first] = is_as_rare @ likely - (1 - of_observed) * likely
    return p_values


def boschloo(n, m, of_fisher):
    """The largest probability, over all proportions, of p-values of Fisher's that are as small."""
    order = np.argsort(of_fisher, axis=None, kind="stable")
    ordered = of_fisher.ravel()[order]
    last = np.searchsorted(ordered, ordered * (1 + 1e-9), side="right") - 1
    largest = np.zeros(order.size)
    for share in SHARES:
        likely = np.outer(
            stats.binom.pmf(np.arange(n + 1), n, share), stats.binom.pmf(np.arange(m + 1), m, share)
        )
        largest = np.maximum(largest, likely.ravel()[order].cumsum()[last])
    found = np.empty(order.size)
    found[order] = largest
    return found.reshape(n + 1, m + 1)


# Two models compared by a proportion: all numbers of samples that one of them alone has right.

MODELS = {
    "30 samples, 0.05 and 0.3 only one right": (30, (0.05, 0.3)),
    "100 samples, 0.05 and 0.15": (100, (0.05, 0.15)),
    "400 samples, 0.01 and 0.04": (400, (0.01, 0.04)),
}


def paired_proportions() -> Iterator[tuple[str, str, float, float]]:
    """The size and the power of each test, of two proportions of the same samples."""
    for name, (n, unequal) in MODELS.items():
        either = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
        b, c = np.array(either).T
        of_tail = 2 * stats.binom.cdf(np.minimum(b, c), b + c, 0.5)
        middle = of_tail - stats.binom.pmf(np.minimum(b, c), b + c, 0.5)
        is_rare = (b - c) ** 2 > stats.chi2.isf(LEVEL, 1) * (b + c)
        tests = {
            "`compare`, mid-p": middle < LEVEL,
            "McNemar, exact": of_tail < LEVEL,
            "McNemar, chi-squared": is_rare,
        }
        for test, rejects in tests.items():
            sizes = [likely(either, n, (share, share)) @ rejects for share in SHARES / 2]
            yield name, test, float(max(sizes)), float(likely(either, n, unequal) @ rejects)


def likely(either, n, shares):
    """The probabilities of numbers of samples that one model alone has right."""
    counts = np.column_stack([either, n - np.sum(either, 1)])
    return stats.multinomial.pmf(counts, n, [*shares, 1 - sum(shares)])


# Everything else is simulated.

# The numbers of samples of both actual classes in each group, and how many of each are right.
SEVERAL = {
    "recall, 5 groups of 40": ("recall", [(20, 40)] * 5, [0.8] * 5, [0.7, 0.8, 0.8, 0.8, 0.95]),
    "recall, 12 groups of 30": ("recall", [(20, 30)] * 12, [0.8] * 12, [0.6, 0.9] + [0.8] * 10),
    "recall, 50, 50, 50 and 3,000": (
        "recall",
        [(20, 50)] * 3 + [(20, 3_000)],
        [0.9] * 4,
        [0.78, 0.9, 0.9, 0.9],
    ),
    "F1, 2 groups of 60": ("f1", [(30, 30)] * 2, [0.8] * 2, [0.7, 0.9]),
    "MCC, 2 groups of 100, 15 positive": ("mcc", [(85, 15)] * 2, [0.9] * 2, [0.75, 0.95]),
    "balanced accuracy, 3 groups of 80, 12 positive": (
        "balanced_accuracy",
        [(68, 12)] * 3,
        [0.85] * 3,
        [0.7, 0.9, 0.9],
    ),
}


def groups() -> Iterator[tuple[str, str, float, float]]:
    """Groups by metrics of counts."""
    random = np.random.default_rng(0)
    for name, (metric, sizes, equal, unequal) in SEVERAL.items():
        found = [
            np.mean([by_groups(metric, sizes, right, random) for _ in range(N_DRAWS)], axis=0)
            for right in (equal, unequal)
        ]
        other = "chi-squared" if metric == "recall" else "bootstrap"
        for test, size, power in zip(("`gap`", other), *found, strict=True):
            yield name, test, float(size), float(power)


def by_groups(metric, sizes, right, random):
    """Whether each test rejects, for one draw."""
    hits = [random.binomial(n, share) for n, share in zip(sizes, right, strict=True)]
    counts = np.array(
        [[[a, n - a], [m - b, b]] for (n, m), (a, b) in zip(sizes, hits, strict=True)]
    )
    cm = ConfusionMatrix.from_counts(counts, labels=["no", "yes"])
    gap = cm.gap(metric, n_resamples=N_RESAMPLES, random_state=random)
    if metric == "recall":
        of_positive = counts[:, 1]
        is_known = of_positive.sum(0).all()
        other = is_known and stats.chi2_contingency(of_positive, correction=False).pvalue < LEVEL
    else:
        other = differ_in_bootstrap(cm, metric, random)
    return gap.p_value < LEVEL, other


def differ_in_bootstrap(cm, metric, random):
    """Whether 0 is outside of percentiles of the difference of any pair, by Bonferroni."""
    drawn = np.stack(
        [random.multinomial(of.sum(), (of / of.sum()).ravel(), N_RESAMPLES) for of in cm.counts], 1
    ).reshape(N_RESAMPLES, len(cm.counts), 2, 2)
    values = ConfusionMatrix.from_counts(drawn, labels=cm.labels).score(metric, zero_division=0)
    pairs = [*combinations(range(len(cm.counts)), 2)]
    tail = LEVEL / 2 / len(pairs)
    limits = [np.quantile(values[:, a] - values[:, b], [tail, 1 - tail]) for a, b in pairs]
    return any(low > 0 or high < 0 for low, high in limits)


# For both classes: the number of samples, and the shares that both models, only the first and only
# the second have right, equal and unequal.
PAIRS = {
    "balanced accuracy, a fifth differ": (
        "balanced_accuracy",
        [(100, 0.7, 0.2, 0.0), (100, 0.7, 0.0, 0.2)],
        [(100, 0.7, 0.2, 0.05), (100, 0.7, 0.15, 0.1)],
    ),
    "balanced accuracy, 15 of 515 positive": (
        "balanced_accuracy",
        [(500, 0.75, 0.1, 0.0), (15, 0.6, 0.0, 0.1)],
        [(500, 0.75, 0.1, 0.02), (15, 0.5, 0.4, 0.05)],
    ),
    "F1, 60 of 200 positive": (
        "f1",
        [(140, 0.85, 0.05, 0.05), (60, 0.7, 0.1, 0.1)],
        [(140, 0.85, 0.08, 0.03), (60, 0.7, 0.15, 0.05)],
    ),
    "MCC, 40 of 400 positive": (
        "mcc",
        [(360, 0.9, 0.03, 0.03), (40, 0.6, 0.15, 0.15)],
        [(360, 0.9, 0.04, 0.02), (40, 0.6, 0.25, 0.05)],
    ),
    "precision, 100 of 400 positive": (
        "precision",
        [(300, 0.8, 0.08, 0.08), (100, 0.8, 0.05, 0.05)],
        [(300, 0.8, 0.12, 0.04), (100, 0.8, 0.05, 0.05)],
    ),
    "precision, few false positives": (
        "precision",
        [(300, 0.98, 0.01, 0.01), (100, 0.8, 0.05, 0.05)],
        [(300, 0.94, 0.05, 0.01), (100, 0.8, 0.05, 0.05)],
    ),
}


def models() -> Iterator[tuple[str, str, float, float]]:
    """Two models by metrics that are no proportions of actual classes."""
    random = np.random.default_rng(1)
    for name, (metric, equal, unequal) in PAIRS.items():
        found = [
            np.mean([by_models(metric, classes, random) for _ in range(N_DRAWS)], axis=0)
            for classes in (equal, unequal)
        ]
        third = "Kosinski's score" if metric == "precision" else "swaps of the plain difference"
        for test, size, power in zip(("`compare`", "bootstrap", third), *found, strict=True):
            yield name, test, float(size), float(power)


def by_models(metric, classes, random):
    """Whether each test rejects, for one draw."""
    y, first, second = [], [], []
    for label, (n, *shares) in enumerate(classes):
        kinds = random.choice(4, n, p=[*shares, 1 - sum(shares)])
        y.append(np.full(n, label))
        first.append(np.where(kinds <= 1, label, 1 - label))
        second.append(np.where((kinds == 0) | (kinds == 2), label, 1 - label))
    y, first, second = map(np.concatenate, (y, first, second))
    of = {"n_resamples": N_RESAMPLES, "random_state": random}
    (row,) = compare(y, {"a": first, "b": second}, metric, **of).rows
    # How many samples have which class and predictions.
    cells = np.bincount(4 * y + 2 * first + second, minlength=8)
    drawn = random.multinomial(cells.sum(), cells / cells.sum(), N_RESAMPLES)
    low, high = np.quantile(difference(metric, drawn), [LEVEL / 2, 1 - LEVEL / 2])
    is_out = low > 0 or high < 0
    if metric == "precision":
        return row.p_value < LEVEL, is_out, kosinski(cells) < LEVEL
    swapped = np.tile(cells, (N_RESAMPLES, 1))
    for one, other in ((1, 2), (5, 6)):
        total = cells[one] + cells[other]
        swapped[:, one] = random.binomial(total, 0.5, N_RESAMPLES)
        swapped[:, other] = total - swapped[:, one]
    observed = abs(difference(metric, cells[None])[0])
    as_far = np.abs(difference(metric, swapped)) >= observed - 1e-12
    return row.p_value < LEVEL, is_out, (1 + as_far.sum()) / (1 + N_RESAMPLES) < LEVEL


def difference(metric, cells):
    """Of two models, whose cells (..., 8) are of the class and both predictions."""
    table_of = cells.reshape(-1, 2, 2, 2)
    values = [
        ConfusionMatrix.from_counts(table_of.sum(axis), labels=["no", "yes"]).score(
            metric, zero_division=0
        )
        for axis in (3, 2)
    ]
    return values[0] - values[1]


def kosinski(cells):
    """The p-value of the weighted generalised score test of two precisions (Kosinski 2013)."""
    table_of = cells.reshape(2, 2, 2)
    n_first, n_second = table_of[:, 1].sum(), table_of[:, :, 1].sum()
    tp_first, tp_second = table_of[1, 1].sum(), table_of[1, :, 1].sum()
    pooled = (tp_first + tp_second) / (n_first + n_second)
    false, true = table_of[:, 1, 1]
    shared = (true * (1 - pooled) ** 2 + false * pooled**2) / (n_first + n_second)
    variance = (pooled * (1 - pooled) - 2 * shared) * (1 / n_first + 1 / n_second)
    if variance <= 0:
        return 1.0
    return stats.chi2.sf((tp_first / n_first - tp_second / n_second) ** 2 / variance, 1)


# The numbers of positive and negative samples, the shift of the positive ones in both models, equal
# and unequal, the correlation of their scores, and how far those of the positive ones spread.
AREAS = {
    "20 and 20": ((20, 20), (1, 1), (1.6, 0.7), 0.5, (1, 1)),
    "10 and 100, correlation 0.99": ((10, 100), (1, 1), (1.3, 1), 0.99, (1, 1)),
    "20 and 500, correlation 0.99, spreads 1 and 3": (
        (20, 500),
        (1.987, 4.443),
        (1.987, 7.4),
        0.99,
        (1, 3),
    ),
    "100 and 100, correlation 0.8": ((100, 100), (1, 1), (1.3, 1), 0.8, (1, 1)),
    "200 and 1,000": ((200, 1_000), (1, 1), (1.25, 1), 0.5, (1, 1)),
}


def areas() -> Iterator[tuple[str, str, float, float]]:
    """Areas under the ROC curves of two models."""
    random = np.random.default_rng(2)
    for name, (sizes, equal, unequal, correlation, spreads) in AREAS.items():
        found = [
            np.mean(
                [by_areas(sizes, shifts, correlation, spreads, random) for _ in range(N_DRAWS)],
                axis=0,
            )
            for shifts in (equal, unequal)
        ]
        tests = ("`compare_curves`", "DeLong, normal", "bootstrap")
        for test, size, power in zip(tests, *found, strict=True):
            yield name, test, float(size), float(power)


def by_areas(sizes, shifts, correlation, spreads, random):
    """Whether each test rejects, for one draw."""
    y = np.repeat([1, 0], sizes)
    covariance = [[1, correlation], [correlation, 1]]
    scores = random.multivariate_normal([0, 0], covariance, len(y)).T
    scores = np.where(y == 1, scores * np.array(spreads)[:, None], scores)
    scores += y * np.array(shifts)[:, None]
    curves = {
        name: ThresholdCurve.from_scores(y, of) for name, of in zip("ab", scores, strict=True)
    }
    (row,) = compare_curves(curves).rows
    positive, negative = scores[:, : sizes[0]], scores[:, sizes[0] :]
    wins = (positive[:, :, None] > negative[:, None, :]).astype(float)
    difference_of = wins[0] - wins[1]
    of_positive, of_negative = difference_of.mean(1), difference_of.mean(0)
    error = np.sqrt(of_positive.var(ddof=1) / sizes[0] + of_negative.var(ddof=1) / sizes[1])
    is_far = abs(difference_of.mean()) > -stats.norm.ppf(LEVEL / 2) * error
    drawn_positive = random.multinomial(sizes[0], np.full(sizes[0], 1 / sizes[0]), N_RESAMPLES)
    drawn_negative = random.multinomial(sizes[1], np.full(sizes[1], 1 / sizes[1]), N_RESAMPLES)
    drawn = ((drawn_positive @ difference_of) * drawn_negative).sum(1) / np.prod(sizes)
    low, high = np.quantile(drawn, [LEVEL / 2, 1 - LEVEL / 2])
    return row.p_value < LEVEL, is_far, low > 0 or high < 0


TABLES = {
    "proportions": proportions,
    "paired proportions": paired_proportions,
    "groups": groups,
    "models": models,
    "areas": areas,
}


def main():
    with warnings.catch_warnings():
        # Few samples are the point.
        warnings.simplefilter("ignore")
        parts = {name: table(HEAD, rows_of()) for name, rows_of in TABLES.items()}
    text = with_parts(
        PAGE.read_text(encoding="utf-8"),
        {name: lambda part=part: part for name, part in parts.items()},
    )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
