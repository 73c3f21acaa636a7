"""How often limits of a difference of average precision hold, and its test rejects equal models.

`python tests/benchmarks/precision_areas.py [--draws 2000] [--only hard,clusters] [--processes N]`
adds cells to precision_areas.jsonl.xz, and leaves out those that have as many draws there; `--above
0.065 --draws 10000` draws those again in which more were wrong, and `--report` prints the worst of
each family. All cells take 25 minutes on two cores.
Scores are normal; those of the positives are shifted to the average precision that a cell asks for,
at its prevalence, and those of the second model spread so many times as far.
"""

import argparse
import json
import lzma
import multiprocessing
import os
import sys
import warnings
from itertools import product
from pathlib import Path

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library, and each process takes one
    # core.
    sys.path[0] = str(Path(__file__).parents[2])
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import numpy as np
from scipy import special

from skmetrics_ext import ThresholdCurve
from skmetrics_ext.analyses.compare_curves import precision_on_same_samples
from skmetrics_ext.statistics.areas.average_precision import (
    limits_of_average_precision,
    limits_of_precisions,
)
from skmetrics_ext.statistics.areas.delong import Area, exact
from skmetrics_ext.statistics.areas.zou_yue import (
    NO_SPREAD,
    correlation_of,
    limits_by_zou,
    of_areas_without_spread,
)
from skmetrics_ext.statistics.constants import FEW_HITS, FEW_UNITS
from skmetrics_ext.statistics.inversion import nested

PUBLISHED = Path(__file__).with_name("precision_areas.jsonl.xz")
ALPHA = 0.05
ENOUGH_DRAWS = 200
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(200)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
USUAL = {
    "step": None,
    "spread": 1.0,
    "numbers": "drawn",
    "cluster": 1,
    "of_class": False,
    "at": None,
    "weights": None,
}


def grid(sizes, values, correlations, **others):
    """All cells of equal models; where a value is a function, it is of the prevalence."""
    names = [*others]
    for (n_positive, n), value, correlation, *rest in product(
        sizes, values, correlations, *others.values()
    ):
        own = dict(zip(names, rest, strict=True))
        prevalence = own.get("at") or n_positive / n
        wanted = value * prevalence if value > 1 else value
        if 1.2 * prevalence <= wanted < 1:
            of_models = [round(wanted, 3)] * 2
            yield {
                "size": [n_positive, n],
                "values": of_models,
                "correlation": correlation,
                **USUAL,
                **own,
            }


SIZES = [
    *((10, 100), (30, 100), (10, 500), (30, 500), (100, 500), (200, 500)),
    *((10, 5000), (30, 5000), (100, 5000), (200, 5000)),
]
HARD = [
    *((10, 100), (20, 200), (30, 500), (50, 500), (50, 1000), (75, 750)),
    *((100, 500), (100, 1000), (200, 2000)),
]
SHAPES = {"step": [None, 0.5], "spread": [1.0, 2.0]}


def shifted(cells, fall):
    """The same cells with models apart."""
    for cell in cells:
        first = cell["values"][0]
        yield {**cell, "values": [first, round(first - fall if first > 0.5 else first + fall, 3)]}


def power_of(size):
    """A difference that so many positive samples may show."""
    return 0.3 if size[0] < 30 else 0.2 if size[0] < 100 else 0.1


FAMILIES = {
    # Hardly better than chance or nearly perfect, highly correlated, of another shape.
    "hard": [
        *grid(HARD, (1.3, 2, 0.9), (0.5, 0.95), spread=[1.0, 2.0, 3.0]),
        *grid([(3, 30), (5, 50), (5, 500), (20, 100)], (2, 0.6, 0.95), (0.5, 0.95)),
    ],
    # More positive samples than negative ones.
    "rare negatives": [
        *grid([(90, 100), (45, 50), (470, 500), (270, 300), (50, 100)], (0.96, 0.98), (0, 0.9)),
        *grid([(70, 100), (50, 100), (480, 600)], (0.9,), (0, 0.9), **SHAPES),
    ],
    "perfect": [*grid([(10, 100), (30, 500), (100, 1000), (50, 100)], (0.99, 0.999), (0, 0.9))],
    "apart": [
        cell
        for size in SIZES[:6]
        for cell in shifted(grid([size], (0.3, 0.6, 0.95), (0.0, 0.9)), power_of(size))
    ],
    "clusters": [
        *grid(
            [(40, 200), (100, 500), (60, 120), (200, 2000)],
            (2, 0.6, 0.95),
            (0.5, 0.9),
            cluster=[4, 10],
            of_class=[False, True],
        )
    ],
    "another prevalence": [
        *grid([(30, 100), (100, 300), (100, 200)], (0.3, 0.6, 0.9), (0.5, 0.9), at=[0.1, 0.25])
    ],
    "weights": [*grid([(40, 200), (100, 1000)], (0.3, 0.6, 0.9), (0.5, 0.9), weights=["by score"])],
    "power": [
        cell
        for size in ((10, 500), (30, 500), (100, 500), (200, 500))
        for cell in shifted(grid([size], (0.3, 0.6), (0.0, 0.9)), power_of(size))
    ],
    "usual": [
        cell
        for cell in grid(
            SIZES, (0.1, 0.3, 0.6, 0.95), (0.0, 0.5, 0.9), **SHAPES, numbers=["drawn", "fixed"]
        )
        if cell["step"] is None or cell["spread"] == 1
    ],
}


def population(prevalence, shift, step=None, spread=1.0):
    """Average precision of N(shift, spread^2) against N(0, 1), or of these rounded to multiples of
    step: precision at the score of a random positive sample.
    """
    if step is None:
        share, score = WEIGHTS, shift + spread * NODES
        above = special.ndtr((shift - score) / spread), special.ndtr(-score)
    else:
        score = np.arange(np.floor(-9 * spread / step), np.ceil((shift + 9 * spread) / step) + 1)
        score = score * step
        at_most, below = (special.ndtr((score + of * step - shift) / spread) for of in (0.5, -0.5))
        share, above = at_most - below, (1 - below, special.ndtr(step / 2 - score))
    reached = prevalence * above[0] + (1 - prevalence) * above[1]
    with np.errstate(invalid="ignore", under="ignore"):
        return float(np.nansum(share * prevalence * above[0] / reached))


def shift_of(prevalence, wanted, step, spread):
    """The shift with this average precision."""
    low, high = -3.0, 14.0
    for _ in range(60):
        middle = (low + high) / 2
        is_less = population(prevalence, middle, step, spread) < wanted
        low, high = (middle, high) if is_less else (low, middle)
    return low


def drawn_scores(cell, shifts, random, n_draws):
    """Labels (n_draws, n) and scores (n_draws, 2, n) of both models, of independent samples."""
    n_positive, n = cell["size"]
    numbers = np.full(n_draws, n_positive)
    if cell["numbers"] == "drawn":
        numbers = np.clip(random.binomial(n, n_positive / n, n_draws), 2, n - 2)
    positive, r = np.arange(n) < numbers[:, None], cell["correlation"]
    noise = random.standard_normal((n_draws, 2, n))
    noise[:, 1] = r * noise[:, 0] + np.sqrt(1 - r**2) * noise[:, 1]
    spreads = np.array([[1.0], [cell["spread"]]])
    scores = np.where(positive[:, None], np.array(shifts)[:, None] + spreads * noise, noise)
    if cell["step"] is not None:
        scores = np.round(scores / cell["step"]) * cell["step"]
    return positive, scores


def precision_and_influence(positive, scores):
    """Average precision (...) and what each sample adds (..., n), classes drawn at random too."""
    order = np.argsort(-scores, axis=-1)
    score = np.take_along_axis(scores, order, -1)
    is_positive = np.take_along_axis(np.broadcast_to(positive, scores.shape), order, -1) * 1.0
    # The place of the last and of the first of the samples with the same score.
    places = np.broadcast_to(np.arange(scores.shape[-1]), scores.shape)
    is_new = np.diff(score, axis=-1, prepend=np.inf) != 0
    first = np.maximum.accumulate(np.where(is_new, places, 0), -1)
    is_end = np.concatenate([is_new[..., 1:], np.ones_like(is_new[..., :1])], -1)
    last = np.where(is_end, places, scores.shape[-1])
    last = np.minimum.accumulate(last[..., ::-1], -1)[..., ::-1]
    tp = np.take_along_axis(is_positive.cumsum(-1), last, -1)
    reached = last + 1.0
    total = is_positive.sum(-1, keepdims=True)
    value = (is_positive * tp / reached).sum(-1, keepdims=True) / total

    def from_here(of):
        """The sum over the positive samples with this score or a lower one."""
        sums = (is_positive * of)[..., ::-1].cumsum(-1)[..., ::-1]
        return np.take_along_axis(sums, first, -1)

    of_positive = (tp / reached - value + from_here((reached - tp) / reached**2)) / total
    of_negative = -from_here(tp / reached**2) / total
    influence = np.empty_like(score)
    np.put_along_axis(influence, order, np.where(is_positive > 0, of_positive, of_negative), -1)
    return value[..., 0], influence


def independent(cell, shifts, random, n_draws):
    """Limits of each draw of independent samples, by the limits of the package, whether a draw has
    no caveat, and the difference.
    """
    positive, scores = drawn_scores(cell, shifts, random, n_draws)
    values, influence = precision_and_influence(positive[:, None], scores)
    of_both = np.concatenate([influence, influence[:, :1] - influence[:, 1:]], 1)
    squares = of_both**2
    sums, fourths, numbers = [], [], []
    for own in (positive, ~positive):
        sums.append((squares * own[:, None]).sum(-1))
        fourths.append((squares**2 * own[:, None]).sum(-1))
        numbers.append(own.sum(-1))
    n_positive, n_negative = numbers
    rarer = np.minimum(n_positive, n_negative)
    with np.errstate(invalid="ignore", divide="ignore"):
        deciding = np.nan_to_num(
            np.minimum(*(s**2 / f for s, f in zip(sums, fourths, strict=True)))
        )
    variances = (sums[0] + sums[1]) * (rarer / (rarer - 1))[:, None]
    by_class = sum(s * (n / (n - 1))[:, None] for s, n in zip(sums, numbers, strict=True))
    for place in range(n_draws):
        a, b = (
            Area(
                exact(values[place, k]),
                variances[place, k],
                n_positive[place],
                n_negative[place],
                n_deciding=deciding[place, k],
            )
            for k in (0, 1)
        )
        is_silent = rarer[place] >= FEW_UNITS and deciding[place, 2] >= FEW_HITS
        if by_class[place, 2] <= NO_SPREAD:
            yield of_areas_without_spread(a, b).limits_at(ALPHA), rarer[place] >= FEW_UNITS
            continue
        correlation = correlation_of(*by_class[place])
        limits_at = limits_by_zou(a, b, correlation, limits_of_average_precision)
        limits = limits_at(ALPHA)
        # Nested limits are wider, and slow.
        truth = cell["truth"]
        if not (limits.low <= min(truth, 0) and max(truth, 0) <= limits.high):
            limits = nested(limits_at)(ALPHA)
        yield limits, is_silent


def of_curves(cell, shifts, random, n_draws):
    """The same of samples in clusters, with weights, or at another prevalence."""
    for _ in range(n_draws):
        curves = drawn_curves(cell, shifts, random)
        a, b = precision_on_same_samples(curves).values()
        limits = limits_of_precisions(a, b)(ALPHA)
        n_deciding = a.samples.n_deciding(a.influence - b.influence)
        is_few = min(a.area.rarer, b.area.rarer) < FEW_UNITS or n_deciding < FEW_HITS
        yield limits, not (is_few or a.caveats or b.caveats)


def drawn_curves(cell, shifts, random):
    """The curves of both models for one sample."""
    n_positive, n = cell["size"]
    size, r = cell["cluster"], cell["correlation"]
    y = np.arange(n) < np.clip(random.binomial(n, n_positive / n), 2, n - 2)
    if not cell["of_class"]:
        y = random.permutation(y)
    noise = np.array([_in_clusters(random, n, size) for _ in range(2)])
    noise[1] = r * noise[0] + np.sqrt(1 - r**2) * noise[1]
    scores = np.where(y, np.array(shifts)[:, None] + noise, noise)
    weights, kept = None, np.ones(n, bool)
    if cell["weights"] == "by score":
        share = np.where(scores[0] + scores[1] > 1, 1.0, 0.4)
        kept = random.random(n) < share
        weights = 1 / share[kept]
    curves = {
        name: ThresholdCurve.from_scores(
            y[kept].astype(int),
            of[kept],
            sample_weight=weights,
            clusters=np.arange(n) // size if size > 1 else None,
        )
        for name, of in zip("ab", scores, strict=True)
    }
    if cell["at"] is None:
        return curves
    return {name: curve.at_prevalence(cell["at"]) for name, curve in curves.items()}


def _in_clusters(random, n, size):
    """Normal numbers, of which half the variance is between clusters."""
    own = random.standard_normal(n)
    if size == 1:
        return own
    common = random.standard_normal(n // size + 1)[np.arange(n) // size]
    return np.sqrt(0.5) * (own + common)


def outcome_of(cell, n_draws):
    """Rejections and coverage of all draws, and of those without a caveat."""
    random = np.random.default_rng([7, *json.dumps(cell).encode()])
    prevalence = cell["at"] or cell["size"][0] / cell["size"][1]
    of_models = [*zip(cell["values"], (1.0, cell["spread"]), strict=True)]
    shifts = [shift_of(prevalence, wanted, cell["step"], s) for wanted, s in of_models]
    truths = [
        population(prevalence, shift, cell["step"], s)
        for shift, (_, s) in zip(shifts, of_models, strict=True)
    ]
    truth = 0.0 if cell["values"][0] == cell["values"][1] else truths[0] - truths[1]
    is_plain = cell["cluster"] == 1 and cell["at"] is cell["weights"] is None
    draw = independent if is_plain else of_curves
    block = max(1, 1_000_000 // cell["size"][1])
    kinds = [f"{of}{key}" for of in ("", "silent ") for key in ("draws", "rejects", "covers")]
    found = dict.fromkeys(kinds, 0)
    done = 0
    while done < n_draws:
        now = min(block, n_draws - done)
        done += now
        for (low, high), is_silent in draw({**cell, "truth": truth}, shifts, random, now):
            rejects, covers = bool(low > 0 or high < 0), bool(low <= truth <= high)
            for of in ("", "silent ")[: 1 + bool(is_silent)]:
                found[f"{of}draws"] += 1
                found[f"{of}rejects"] += rejects
                found[f"{of}covers"] += covers
    return {**found, "truth": round(truth, 4)}


def lines_of():
    """The line of each cell."""
    if not PUBLISHED.exists():
        return {}
    text = lzma.decompress(PUBLISHED.read_bytes()).decode()
    return {key_of(line): line for line in map(json.loads, text.splitlines())}


def key_of(line):
    """What a line is about."""
    return line["family"], json.dumps(line["cell"])


def publish(lines):
    """Keep these lines, in the order of the families."""
    cells = [(family, cell) for family, of_family in FAMILIES.items() for cell in of_family]
    keys = [(family, json.dumps(cell)) for family, cell in cells]
    ordered = [lines[key] for key in keys if key in lines]
    PUBLISHED.write_bytes(lzma.compress("\n".join(map(json.dumps, ordered)).encode()))


def report():
    """The worst cells of each family."""
    lines = lines_of().values()
    for family in dict.fromkeys(line["family"] for line in lines):
        own = [line for line in lines if line["family"] == family]
        print(f"{family}: {len(own)} cells")
        for key, kind in product(("rejects", "covers"), ("", "silent ")):
            # Of models apart, the share of rejections is the power. Few draws say little.
            enough = [of for of in own if of[f"{kind}draws"] >= ENOUGH_DRAWS]
            if key == "rejects":
                enough = [of for of in enough if of["truth"] == 0]
            shares = [of[kind + key] / of[f"{kind}draws"] for of in enough]
            if not shares:
                continue
            place = int(np.argmax(shares) if key == "rejects" else np.argmin(shares))
            about = {k: v for k, v in enough[place]["cell"].items() if USUAL.get(k, 0) != v}
            print(f"  {kind}{key} {shares[place]:.3f} of {enough[place][f'{kind}draws']}: {about}")


def line_of(job):
    """The line of a family's cell after so many draws."""
    family, cell, n_draws = job
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {"family": family, "cell": cell, **outcome_of(cell, n_draws)}


def main():
    """Draw the cells that are not in the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--only", default=",".join(FAMILIES))
    parser.add_argument("--above", type=float, default=0.0, help="again where so many were wrong")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    if options.report:
        report()
        return
    lines = lines_of()

    def is_left(family, cell):
        known = lines.get((family, json.dumps(cell)))
        if known is None:
            return not options.above
        return known["draws"] < options.draws and is_wrong(known, options.above)

    jobs = [
        (family, cell, options.draws)
        for family in options.only.split(",")
        for cell in FAMILIES[family]
        if is_left(family, cell)
    ]
    with multiprocessing.Pool(options.processes) as pool:
        for line in pool.imap_unordered(line_of, jobs):
            lines[key_of(line)] = line
            publish(lines)


def is_wrong(line, above):
    """Whether limits missed in more draws; all are drawn again above 0."""
    return not above or any(
        line[f"{kind}draws"] - line[f"{kind}covers"] > above * line[f"{kind}draws"]
        for kind in ("", "silent ")
    )


if __name__ == "__main__":
    main()
