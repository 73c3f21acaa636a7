"""How often limits of the ratio of two models' metrics hold.

`python tests/benchmarks/ratios.py [--draws 400] [--only independent,weights,clusters]` prints, for
each design and metric, how many samples have no caveat on average, the lowest coverage of limits
without a caveat among the settings in which at least so many samples have none, and the largest
share of all samples that are without a caveat and wrong. Limits are Tang's, or those of the delta
method with pseudo-units, before the test of equal values extends or cuts them; they are of all
draws at once. `--compare` says how far they are from compare's. What is worst is drawn again with
another seed: the worst of many is bad by chance, too.
"""

import argparse
import sys
import warnings
from itertools import product
from pathlib import Path

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library.
    sys.path[0] = str(Path(__file__).parents[2])

import numpy as np
from scipy import special

from skmetrics_ext import compare
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.constants import FEW, FEW_HITS
from skmetrics_ext.statistics.pairs.tang import tang
from tests.benchmarks.same_in_groups import metric_of, table_of, with_pseudo_units

ALPHA = 0.05
PROPORTIONS = ["recall", "false_negative_rate"]
METRICS = [
    *(*PROPORTIONS, "precision", "negative_predictive_value", "f1"),
    *("positive_likelihood_ratio", "negative_likelihood_ratio"),
]
# Shares of positives, and of negatives, that the first model and the second have right.
RIGHT = [
    *((0.8, 0.9, 0.8, 0.9), (0.95, 0.99, 0.9, 0.95), (0.98, 0.8, 0.9, 0.995)),
    *((0.5, 0.95, 0.2, 0.99), (0.9, 0.9, 0.99, 0.99), (0.1, 0.9, 0.3, 0.98)),
]
# Correlations of what both have right.
COMMON = (0.0, 0.9)
SETTINGS = {
    "independent": [*product((50, 200, 1000), (0.02, 0.1, 0.3, 0.8), RIGHT, COMMON, [None])],
    # Of each sample by its class, of which equally many are drawn, or by chance.
    "weights": [*product((200, 1000), (0.1, 0.8), RIGHT, COMMON, ["class", "chance"])],
    # Clusters of 1 to 8 samples; as many samples repeat another one of their cluster.
    "clusters": [*product((200, 1000), (0.1, 0.3), RIGHT, COMMON, [0.5])],
}
LEAST_SILENT = (0.5, 0.25, 0.1)


def drawn(family, setting, n_draws, random):
    """The cell of actual class and both predictions of each sample (n_draws, n), its weight, and
    its cluster.
    """
    n, prevalence, right, common, how = setting
    table = table_of(2, 0.5 if how == "class" else prevalence, right, common)
    cells = random.choice(8, (n_draws, n), p=table.ravel())
    weights, clusters = np.ones((n_draws, n)), np.broadcast_to(np.arange(n), (n_draws, n))
    if how == "class":
        weights = np.where(cells < 4, 1 - prevalence, prevalence)
    elif how == "chance":
        weights = np.exp(0.8 * random.standard_normal((n_draws, n)))
    elif family == "clusters":
        # Each sample begins a new cluster, or not, so that sizes are even from 1 to 8.
        ends = random.integers(1, 9, (n_draws, n)).cumsum(1)
        clusters = (np.arange(n)[None, :, None] >= ends[:, None, : n // 2]).sum(-1)
        is_first = np.diff(clusters, axis=1, prepend=-1) > 0
        first = np.maximum.accumulate(np.where(is_first, np.arange(n), 0), 1)
        repeats = random.random((n_draws, n)) < how
        cells = np.where(repeats, np.take_along_axis(cells, first, 1), cells)
    return cells, weights, clusters


def summed(codes, n_codes, values):
    """Sums (n_draws, n_codes) of the values of each draw by their codes."""
    places = np.arange(len(codes))[:, None] * n_codes + codes
    found = np.bincount(places.ravel(), values.ravel(), len(codes) * n_codes)
    return found.reshape(len(codes), n_codes)


def limits_of(name, family, cells, weights, clusters):
    """Limits (n_draws,) of a ratio, whether a draw has no caveat, and the ratio."""
    metric, (n_draws, n) = metric_of(name, 2), cells.shape
    totals, squares = (summed(cells, 8, weights**k).reshape(-1, 2, 2, 2) for k in (1, 2))

    def of_both(tables):
        flat = np.stack([tables.sum(-1), tables.sum(-2)], -3).reshape(n_draws, 2, 4)
        return metric.value.counts_of(flat)

    values = metric.value.of(of_both(totals))
    observed = values[:, 0] / values[:, 1]
    is_known = np.isfinite(values).all(1) & ~np.isnan(observed)
    if family == "independent" and name in PROPORTIONS:
        hit = int(name == "recall")
        numbers = totals[:, 1, [hit, hit, 1 - hit], [hit, 1 - hit, hit]].astype(int)
        low, high = np.array([tang(*of, ALPHA) for of in numbers.tolist()]).T
        return low, high, is_known & (numbers.sum(1) >= FEW), observed
    mean = weights.sum(1) / n
    n_units, n_effective = np.full(n_draws, n), np.full(n_draws, np.inf)
    if family == "clusters":
        n_units = clusters[:, -1] + 1
        of_clusters = summed(clusters * 8 + cells, 8 * n, weights).reshape(n_draws, n, 2, 2, 2)
        sizes = of_clusters.sum((-1, -2, -3))
        n_effective = sizes.sum(1) ** 2 / (sizes**2).sum(1)
        differ = (of_clusters.sum(-1) != of_clusters.sum(-2)).any((-1, -2)).sum(1)
        are_whole = differ < FEW
        mean_of_pseudo = np.where(are_whole, weights.sum(1) / n_units, mean)
    else:
        mean_of_pseudo = mean

    def filled_by(weight):
        frequency = with_pseudo_units(totals) - totals
        return totals + weight[:, None, None, None] * frequency, frequency

    filled, frequency = filled_by(mean_of_pseudo)
    counts = of_both(filled)
    slopes, of_filled = metric.value.gradient_of(counts), metric.value.of(counts)
    slopes = (slopes / of_filled[..., None]).reshape(n_draws, 2, 2, 2)
    moves = slopes[:, 0, :, :, None] - slopes[:, 1, :, None, :]
    of_pseudo = mean_of_pseudo[:, None, None, None] * moves
    sums = np.array([(frequency * of_pseudo**k).sum((1, 2, 3)) for k in (2, 4)])
    if family == "clusters":
        of_units = np.einsum("dgijk,dijk->dg", of_clusters, moves)
        sums += [(of_units**k).sum(1) for k in (2, 4)]
        quantile = np.array([quantile_of_units(of, ALPHA) for of in n_effective], dtype=float)
    else:
        fourths = summed(cells, 8, weights**4).reshape(-1, 2, 2, 2)
        sums += [(of * moves**k).sum((1, 2, 3)) for of, k in ((squares, 2), (fourths, 4))]
        quantile = -special.ndtri(ALPHA / 2)
    middle = np.log(of_filled[:, 0] / of_filled[:, 1])
    variance, fourth = sums
    half = quantile * np.sqrt(variance)
    low, high = np.exp(middle - half), np.exp(middle + half)
    # As compare fills in for this question: pseudo-samples of the mean weight.
    plain, _ = filled_by(mean)
    counts = of_both(plain)
    changes = np.abs(metric.value.gradient_of(counts) / metric.value.of(counts)[..., None])
    is_small = changes.max((1, 2)) * plain.sum((1, 2, 3)) / n <= 1 / FEW + 1e-10
    # Limits without width are nan.
    silent = is_known & is_small & (half > 1e-10)
    if family != "independent":
        silent &= variance**2 / fourth >= FEW_HITS
    return np.minimum(low, observed), np.maximum(high, observed), silent, observed


def shares_of(name, family, setting, n_draws, seed):
    """The shares of draws without a caveat, of these with limits that hold, and of all draws that
    are without a caveat and wrong.
    """
    _, prevalence, right, common, _ = setting
    table = table_of(2, prevalence, right, common) * 1e9
    flat = np.stack([table.sum(-1), table.sum(-2)]).reshape(2, 4)
    values = metric_of(name, 2).value.values(flat)
    truth = float(values[0] / values[1])
    found = drawn(family, setting, n_draws, np.random.default_rng(seed))
    with np.errstate(all="ignore"):
        low, high, silent, _ = limits_of(name, family, *found)
    holds = (low <= truth * (1 + 1e-9)) & (truth <= high * (1 + 1e-9))
    return {
        "silent": float(silent.mean()),
        "covers": float((silent & holds).sum() / max(silent.sum(), 1)),
        "wrong": float((silent & ~holds).mean()),
    }


def report(name, family, n_draws):
    """Print what is worst of a metric, by what was drawn again."""
    settings = SETTINGS[family]
    found = [shares_of(name, family, setting, n_draws, 0) for setting in settings]
    mean = np.mean([of["silent"] for of in found])
    print(f"{family}, {name}: {len(found)} settings, {mean:.2f} without a caveat")
    places = sorted(range(len(found)), key=lambda place: -found[place]["wrong"])[:3]
    again = [shares_of(name, family, settings[k], 4 * n_draws, 1 + k) for k in places]
    worst = int(np.argmax([of["wrong"] for of in again]))
    print(f"  without a caveat and wrong: {again[worst]['wrong']:.3f} {settings[places[worst]]}")
    for least in LEAST_SILENT:
        enough = [place for place, of in enumerate(found) if of["silent"] >= least]
        places = sorted(enough, key=lambda place: found[place]["covers"])[:3]
        again = [shares_of(name, family, settings[k], 4 * n_draws, 1 + k) for k in places]
        if not again:
            continue
        worst = int(np.argmin([of["covers"] for of in again]))
        covers, silent = again[worst]["covers"], again[worst]["silent"]
        below = sum(found[place]["covers"] < 0.9 for place in enough)
        print(
            f"  of {len(enough)} with {least:.0%} or more without a caveat {below} cover less than "
            f"90 %; the worst covers {covers:.3f}, {silent:.2f}: {settings[places[worst]]}",
            flush=True,
        )


def far_from_compare(name, family, setting):
    """How far the limits of a draw are from those of compare, and whether caveats agree."""
    cells, weights, clusters = drawn(family, setting, 1, np.random.default_rng(0))
    with np.errstate(all="ignore"):
        low, high, silent, observed = limits_of(name, family, cells, weights, clusters)
    options = {"clusters": clusters[0]} if family == "clusters" else {}
    if family == "weights":
        options["sample_weight"] = weights[0]
    models = {"a": cells[0] // 2 % 2, "b": cells[0] % 2}
    [row] = compare(
        cells[0] // 4, models, name, kind="ratio", pos_label=1, correction=None, **options
    ).rows
    # The test may extend limits to equality, or cut them there.
    is_cut = min(row.low, row.high, key=lambda end: abs(end - 1))
    pairs = [(float(low[0]), row.low), (float(high[0]), row.high)]
    far = [abs(ours / of - 1) for ours, of in pairs if of > 0 and abs(is_cut - 1) > 1e-9]
    return max(far, default=0.0), bool(silent[0]) == (not row.caveats), observed[0]


def main():
    """Print what is worst for each design and metric."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--only", default=",".join(SETTINGS))
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for family, name in product(options.only.split(","), METRICS):
        if options.compare:
            settings = SETTINGS[family][::11]
            found = [far_from_compare(name, family, setting) for setting in settings]
            agree = sum(agrees for _, agrees, _ in found)
            far = max(far for far, *_ in found)
            print(f"{family}, {name}: {far:.1e}, {agree} of {len(found)} caveats agree", flush=True)
            continue
        report(name, family, options.draws)


if __name__ == "__main__":
    main()
