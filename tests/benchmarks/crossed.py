"""Coverage and size over new readers and new cases, of values, of differences and of mean areas.

The grid, written down before it was run; readers 2, 3, 4, 5, 10, 20 and cases 20, 50, 200, 1,000:

    recall  standard deviation of cases .5 or 2, of readers .1 or 1, of both 0 or 1, on the logit;
            a tenth or half of these variances is the model's own; recall .6, .85 or .97: all of
            four readers, else .97 alone, of 20 to 200 cases without that of both
    pooled  accuracy, F1 and kappa of two classes, 30 % positive; recall and specificity alike;
            the same cells with .5 of both
    macro   macro recall, precision and F1 of three classes, 60, 30 and 10 %, of 20 to 200 cases
    areas   Roe & Metz's (1997) binormal scores: areas of about .70, .86 and .96, cases and readers
            that correlate much or little: all of four readers, else of 20 and 50 cases
    partial recall where a reader reads 30 or 70 % of the cases, each once or twice

Differences are of two equal models, and, in the next column, of models of .97 and .94 or the like.
1,000 draws a cell, 500 of more than 1,000 readings, 166 of more than 5,000. A row is written as
soon as it is known:

    python -m tests.benchmarks.crossed macro areas recall pooled partial
    python -m tests.benchmarks.crossed --report recall

The first takes half an hour on one core; the second says the worst cells.

Where the caveat of 5 to 19 readers ends was set by 96 cells of recall and accuracy of .97, .94, .9
and .85, of 5, 10 and 19 readers with a standard deviation of 1, and of 50 or 200 cases. Where at
least a tenth of the draws were silent, the worst covered
    .887  with a bound of .15, .942 of .10, .903 of .05
and with .05 silent limits of less than a tenth covered .776, of .10 .81.
"""

import csv
import itertools
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy import optimize, special

from skmetrics_ext.statistics.crossed import effective_readings, parts_of_sums
from skmetrics_ext.statistics.values.proportions import mid_p

FOLDER = Path("build/crossed")
READERS, CASES = (4, 2, 3, 5, 10, 20), (20, 50, 200, 1_000)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(81)
OTHER = {0.97: 0.94, 0.85: 0.8, 0.6: 0.65}
SPECIFICITY = {0.6: 0.7, 0.85: 0.9, 0.97: 0.97, 0.94: 0.95, 0.8: 0.85, 0.65: 0.7}
SHARES = np.array([0.6, 0.3, 0.1])
FOUND = (
    "covers",
    "too high",
    "too low",
    "silent",
    "n silent",
    "width",
    "size",
    "n size",
    "differs",
)
COLUMNS = ("metric", "readers", "cases", "cell", *FOUND)


def middle(share, sd):
    """The logit of the rate whose mean over all effects is this share."""

    def excess(mu):
        return WEIGHTS @ special.expit(mu + sd * NODES) / WEIGHTS.sum() - share

    return optimize.brentq(excess, -30, 30)


def right_answers(random, n, shape, shares, sds, own):
    """Right answers (n, models, readers, cases), each model's rate on average as given."""
    n_readers, n_cases = shape
    of_cases, of_readers, noise = sds

    def effect(sd, *shape):
        both = random.standard_normal((n, 1, *shape), np.float32) * np.sqrt(1 - own)
        single = random.standard_normal((n, len(shares), *shape), np.float32) * np.sqrt(own)
        return np.float32(sd) * (both + single).astype(np.float32)

    sd = np.sqrt(of_cases**2 + of_readers**2 + noise**2)
    level = np.float32([middle(share, sd) for share in shares])[:, None, None]
    logit = level + effect(of_cases, 1, n_cases) + effect(of_readers, n_readers, 1)
    if noise:
        whole = (n, len(shares), *shape)
        logit = logit + np.float32(noise) * random.standard_normal(whole, np.float32)
    return random.random(logit.shape, np.float32) < special.expit(logit)


def parts_of(moves, there=None, times=1):
    """The parts of the variance of what readings (..., readers, cases) add."""
    there = np.ones(moves.shape, bool) if there is None else there
    of_readers = moves.sum(-1)
    sizes = there * times
    n = np.maximum(sizes.sum(-1), 1)
    within = moves - sizes * (of_readers / n)[..., None]
    return parts_of_sums(
        (of_readers**2).sum(-1),
        (within.sum(-2) ** 2).sum(-1),
        (within**2).sum((-2, -1)),
        there.any(-1).sum(-1),
        there.any(-2).sum(-1),
    )


def limits(value, parts, ends=(0, 1), alpha=0.05):
    """Those of the package."""
    width = ends[1] - ends[0]
    place = np.clip((value - ends[0]) / width, 0, 1)
    variance = np.where(parts.variance > 1e-14, parts.variance / width**2, 0)
    found = effective_readings(place, variance, parts, alpha)
    return [ends[0] + width * end for end in mid_p(found.hits, found.n, found.alpha)]


def of_value(value, parts, truth, ends=(0, 1)):
    """Whether limits hold, on each side and as a caveat of shares near the ends says."""
    low, high = limits(value, parts, ends)
    place = (value - ends[0]) / (ends[1] - ends[0])
    holds = (low <= truth) & (truth <= high)
    is_extreme = np.abs(place - 0.5) > 0.4
    return {
        "covers": holds,
        "too high": low > truth,
        "too low": high < truth,
        "silent": np.where(is_extreme, np.nan, holds),
        "width": high - low,
    }


def of_difference(difference, parts, truth):
    """Whether limits of a difference hold, and whether it is significant; nan without variance."""
    is_seen = parts.variance > 1e-14
    reach = parts.quantile(0.05) * np.sqrt(parts.variance)
    misses = np.abs(difference - truth) > reach
    return np.where(is_seen, misses, np.nan)


def recall_of(random, n, r, c, cell, read=None):
    """One class of two models, and a third that differs."""
    *sds, own, share = cell
    shares = (share, share, OTHER[share])
    right = right_answers(random, n, (r, c), shares, sds, own).astype(np.float64)
    there, times = np.ones((n, 1, r, c), bool), 1
    if read is not None:
        there = random.random((n, 1, r, c)) < read
        times = random.integers(1, 3, (n, 1, r, c))
        again = right_of_same(random, right)
        right = np.where(times == 2, right + again, right)
    sizes = there * times
    total = np.maximum(sizes.sum((-2, -1), keepdims=True), 1)
    values = (right * there).sum((-2, -1), keepdims=True) / total
    moves = (right * there - values * sizes) / total
    yield (
        "recall",
        values[..., 0, 0],
        moves,
        shares,
        (0, 1),
        there[:, 0],
        times if read is None else times[:, 0],
    )


def right_of_same(random, right):
    """A second reading, which mostly says the same."""
    return np.where(
        random.random(right.shape) < 0.8, right, random.random(right.shape) < right.mean()
    )


def pooled_of(random, n, r, c, cell):
    """Accuracy, F1 and kappa."""
    *sds, own, share = cell
    recalls = (share, share, OTHER[share])
    positive = random.random((n, 1, 1, c)) < 0.3
    right = right_answers(random, n, (r, c), recalls, sds, own)
    specificities = [SPECIFICITY[of] for of in recalls]
    right = np.where(positive, right, right_answers(random, n, (r, c), specificities, sds, own))
    cells = np.where(positive, np.where(right, 3, 2), np.where(right, 0, 1))
    truths = [
        [0.7 * s, 0.7 * (1 - s), 0.3 * (1 - t), 0.3 * t]
        for s, t in zip(specificities, recalls, strict=True)
    ]
    for name, value_of, slope_of, ends in (
        ("accuracy", accuracy, slope_of_accuracy, (0, 1)),
        ("f1", f1, slope_of_f1, (0, 1)),
        ("kappa", kappa, slope_of_kappa, (-1, 1)),
    ):
        yield of_cells(name, cells, 4, value_of, slope_of, truths, ends)


def of_cells(name, cells, n_cells, value_of, slope_of, truths, ends):
    """Values and what readings add, by the cell of each reading."""
    n = cells.shape[-1] * cells.shape[-2]
    shares = np.stack([(cells == k).sum((-2, -1)) for k in range(n_cells)], -1) / n
    slopes = slope_of(shares) / n
    moves = np.zeros(cells.shape)
    for k in range(n_cells):
        moves = np.where(cells == k, slopes[..., k, None, None], moves)
    truths = [float(value_of(np.array(of))) for of in truths]
    # What does not move the value is not there, as true negatives of F1.
    there = cells[:, 0] != 0 if name == "f1" else None
    return name, value_of(shares), moves, truths, ends, there, 1


def accuracy(shares):
    return shares[..., 0] + shares[..., 3]


def slope_of_accuracy(shares):
    right = np.array([1, 0, 0, 1])
    return right - accuracy(shares)[..., None]


def f1(shares):
    total = 2 * shares[..., 3] + shares[..., 1] + shares[..., 2]
    return 2 * shares[..., 3] / np.where(total > 0, total, 1)


def slope_of_f1(shares):
    total = 2 * shares[..., 3] + shares[..., 1] + shares[..., 2]
    by_cell = np.array([0, 0, 0, 2]) - f1(shares)[..., None] * np.array([0, 1, 1, 2])
    return by_cell / np.where(total > 0, total, 1)[..., None]


def kappa(shares):
    return 1 - wrong(shares) / by_chance(shares)


def wrong(shares):
    return shares[..., 1] + shares[..., 2]


def by_chance(shares):
    actual, predicted = shares[..., 2] + shares[..., 3], shares[..., 1] + shares[..., 3]
    found = actual * (1 - predicted) + predicted * (1 - actual)
    return np.where(found > 0, found, 1)


def slope_of_kappa(shares):
    actual, predicted = shares[..., 2] + shares[..., 3], shares[..., 1] + shares[..., 3]
    is_actual, is_predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    of_chance = (is_actual - actual[..., None]) * (1 - 2 * predicted)[..., None]
    of_chance = of_chance + (is_predicted - predicted[..., None]) * (1 - 2 * actual)[..., None]
    chance = by_chance(shares)[..., None]
    of_wrong = np.array([0, 1, 1, 0]) - wrong(shares)[..., None]
    return -of_wrong / chance + wrong(shares)[..., None] / chance**2 * of_chance


def macro_of(random, n, r, c, cell):
    """Averages over three classes, errors going to either other class."""
    *sds, own, share = cell
    recalls = (share, share, OTHER[share])
    actual = random.choice(3, (n, 1, 1, c), p=SHARES)
    # All classes occur.
    actual[..., :3] = np.arange(3)
    right = right_answers(random, n, (r, c), recalls, sds, own)
    other = (actual + random.integers(1, 3, right.shape)) % 3
    cells = 3 * actual + np.where(right, actual, other)
    truths = []
    for recall in recalls:
        table = SHARES[:, None] * np.where(np.eye(3), recall, (1 - recall) / 2)
        truths.append(table.ravel())
    for name, ways in (("recall", (-1,)), ("precision", (-2,)), ("f1", (-2, -1))):
        value_of, slope_of = partial(mean_of_classes, ways), partial(slope_of_mean, ways)
        yield of_cells(f"macro {name}", cells, 9, value_of, slope_of, truths, (0, 1))


def mean_of_classes(ways, shares):
    return macro(shares, ways)[0]


def slope_of_mean(ways, shares):
    return macro(shares, ways)[1]


def macro(shares, ways):
    """The mean of what is right over the mean of these margins, and its slopes."""
    table = shares.reshape(*shares.shape[:-1], 3, 3)
    right = np.diagonal(table, axis1=-2, axis2=-1)
    total = sum(table.sum(way) for way in ways) / len(ways)
    each = np.where(total > 0, right / np.where(total > 0, total, 1), 0)
    of_class = 1 / np.where(total > 0, total, np.inf) / 3
    slopes = np.eye(3) * of_class[..., None, :]
    for way in ways:
        by_total = each * of_class / len(ways)
        slopes = slopes - (by_total[..., :, None] if way == -1 else by_total[..., None, :])
    return each.mean(-1), slopes.reshape(shares.shape)


CASES_ALIKE = {"H": (0.3, 0.3, 0.2, 0.2), "L": (0.1, 0.1, 0.2, 0.6)}
READERS_ALIKE = {
    "L": dict.fromkeys((0.75, 1.5, 2.5), 0.0055),
    "H": {0.75: 0.011, 1.5: 0.03, 2.5: 0.056},
}


def scores_of(random, n, r, c, separation, structure):
    """Ratings (n, 2 models, readers, cases) of one class by Roe & Metz."""
    case, own_case, both, error = CASES_ALIKE[structure[0]]
    reader = READERS_ALIKE[structure[1]][separation]

    def of(variance, *shape):
        return np.float32(variance**0.5) * random.standard_normal((n, *shape), np.float32)

    of_readers = of(reader, 1, r, 1) + of(reader, 2, r, 1)
    return (
        of_readers
        + of(case, 1, 1, c)
        + of(own_case, 2, 1, c)
        + of(both, 1, r, c)
        + of(error, 2, r, c)
    )


def placements(positives, negatives):
    """Areas, and the share of the other class that each score beats; without ties."""
    n_pos, n_neg = positives.shape[-1], negatives.shape[-1]
    order = np.concatenate([positives, negatives], -1).argsort(-1)
    is_pos = order < n_pos
    found = np.where(is_pos, (~is_pos).cumsum(-1) / n_neg, 1 - is_pos.cumsum(-1) / n_pos)
    placed = np.empty(found.shape)
    np.put_along_axis(placed, order, found, -1)
    return placed[..., :n_pos].mean(-1), placed[..., :n_pos], placed[..., n_pos:]


def parts_of_areas(areas, of_classes):
    """The parts of the variance of a mean of areas (..., readers)."""
    r = areas.shape[-1]
    of_readers = (((areas - areas.mean(-1, keepdims=True)) / r) ** 2).sum(-1)
    found = [parts_of_sums(of_readers, 0, 0, r, min(of.shape[-1] for of in of_classes))]
    for placed in of_classes:
        n = placed.shape[-1]
        within = (placed - areas[..., None]) / (r * n)
        squares = (within.sum(-2) ** 2).sum(-1), (within**2).sum((-2, -1))
        found.append(parts_of_sums(0, *squares, r, n))
    return found[0]._replace(
        cases=sum(of.cases for of in found), fixed=sum(of.fixed for of in found)
    )


def areas_of(random, n, r, c, cell):
    """Coverage of one mean area, and the size of the difference of two equal ones."""
    structure, separation = cell
    truth = special.ndtr(
        separation / np.sqrt(2 * (1 + 2 * READERS_ALIKE[structure[1]][separation]))
    )
    positives = scores_of(random, n, r, c // 2, separation, structure) + np.float32(separation)
    negatives = scores_of(random, n, r, c // 2, separation, structure)
    areas, *placed = placements(positives, negatives)
    parts = parts_of_areas(areas[:, 0], [of[:, 0] for of in placed])
    gaps = areas[:, 0] - areas[:, 1]
    of_gap = parts_of_areas(gaps, [of[:, 0] - of[:, 1] for of in placed])
    found = of_value(areas[:, 0].mean(-1), parts, truth)
    return {"area": found | {"size": of_difference(gaps.mean(-1), of_gap, 0)}}


def of_readings(kind):
    """What is found of values and differences of readings that are right or wrong."""
    draws = {"recall": recall_of, "partial": recall_of, "pooled": pooled_of, "macro": macro_of}[
        kind
    ]

    def found(random, n, r, c, cell):
        of_metrics = {}
        options = {"read": cell[-1]} if kind == "partial" else {}
        cell = cell[:-1] if kind == "partial" else cell
        for name, values, moves, truths, ends, there, times in draws(
            random, n, r, c, cell, **options
        ):
            parts = parts_of(moves[:, 0], there, times)
            one = of_value(values[:, 0], parts, truths[0], ends)
            for key, other in (("size", 1), ("differs", 2)):
                gap = parts_of(
                    moves[:, 0] - moves[:, other], there if kind == "partial" else None, times
                )
                one[key] = of_difference(
                    values[:, 0] - values[:, other], gap, truths[0] - truths[other]
                )
            of_metrics[name] = one
        return of_metrics

    return found


OF_LOGIT = ([0.97, 0.85, 0.6], [0.1, 0.5], [1, 0.1], [0.5, 2])


def grid_of(kind):
    """Readers, cases, and what else a cell is of; the hard corners first."""
    if kind == "areas":
        cells = itertools.product(READERS, CASES, ["HH", "LH", "HL", "LL"], [2.5, 1.5, 0.75])
        return [cell for cell in cells if cell[0] == 4 or cell[1] <= 50]
    noises = [0, 1] if kind == "recall" else [0.5]
    further = [0.3, 0.7] if kind == "partial" else [None]
    found = []
    for r, c, share, own, *sds in itertools.product(READERS, CASES, *OF_LOGIT, noises):
        is_hard = share == 0.97 and c <= 200 and sds[-1] < 1
        if kind == "macro":
            is_kept = own == 0.1 and share > 0.6 and c <= 200
        elif kind == "partial":
            is_kept = own == 0.1 and share > 0.6 and r >= 5 and 50 <= c <= 200
        else:
            is_kept = is_hard or r == 4
        if is_kept:
            of_cases, of_readers, noise = sds[1], sds[0], sds[2]
            cell = (r, c, of_cases, of_readers, noise, own, share)
            found += [(*cell, *([read] if read else [])) for read in further]
    return found


def run(kind, draws=1_000):
    """Simulate what is not known of a grid, each cell from its own stream."""
    found_of = areas_of if kind == "areas" else of_readings(kind)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{kind}.csv"
    done = {(row["readers"], row["cases"], row["cell"]) for row in rows_of(path)}
    for r, c, *cell in grid_of(kind):
        name_of_cell = " ".join(map(str, cell))
        if (str(r), str(c), name_of_cell) in done:
            continue
        random = np.random.default_rng([r, c, crc32(name_of_cell.encode())])
        n = draws // (1 if r * c <= 1_000 else 2 if r * c <= 5_000 else 6)
        chunk = max(1, min(n, 400_000 // (r * c)))
        each = defaultdict(lambda: defaultdict(list))
        for at in range(0, n, chunk):
            for name, of in found_of(random, min(chunk, n - at), r, c, cell).items():
                for key, values in of.items():
                    each[name][key].append(values)
        write_rows(path, {"readers": r, "cases": c, "cell": name_of_cell}, each)


def write_rows(path, names, each):
    """A row for each metric of a cell."""
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        for name, of in each.items():
            row = {"metric": name} | names
            for key, values in of.items():
                together = np.concatenate(values)
                known = together[~np.isnan(together)]
                row[key] = f"{known.mean():.4f}" if len(known) else ""
                if key in ("silent", "size"):
                    row[f"n {key}"] = len(known)
            writer.writerow(row)


def rows_of(path):
    """What is known of a grid."""
    if not path.exists():
        return []
    with path.open() as file:
        return list(csv.DictReader(file))


def report(kind):
    """The worst and the mean of each column, by metric and readers, and where it is worst."""
    rows = rows_of(FOLDER / f"{kind}.csv")
    for key, sign in (
        ("covers", 1),
        ("silent", 1),
        ("too high", -1),
        ("too low", -1),
        ("size", -1),
        ("differs", -1),
    ):
        groups = defaultdict(list)
        for row in rows:
            is_known = row.get(key) and (key != "silent" or int(row["n silent"]) >= 100)
            if is_known:
                groups[row["metric"], int(row["readers"])].append(row)
        for (metric, readers), own in sorted(groups.items()):
            worst = min(own, key=lambda row: sign * float(row[key]))
            mean = np.mean([float(row[key]) for row in own])
            where = f"{worst['cases']} cases, {worst['cell']}"
            print(
                f"{key:9} {metric:15} {readers:3} readers: worst {worst[key]} ({where}), "
                f"mean {mean:.3f}"
            )


if __name__ == "__main__":
    words = sys.argv[1:]
    for kind in [word for word in words if word != "--report"]:
        if "--report" in words:
            report(kind)
        else:
            run(kind)
