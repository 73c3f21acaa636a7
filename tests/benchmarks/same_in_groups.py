"""How often `p_same` of compare(by=) rejects at 5 % where two models differ equally in all groups.

`python tests/benchmarks/same_in_groups.py [--draws 300] [--only proportions,others]` prints the
settings that reject most: of proportions by Tango's limits, of other metrics by those of the delta
method with pseudo-units, of all draws at once. `--compare` says how far these are from compare's.
The worst settings are drawn again with other seeds, and only then count: the worst of many is bad
by chance, too.
"""

import argparse
import sys
import warnings
from itertools import product
from pathlib import Path

if __name__ == "__main__":
    # A script of this name must not be imported in place of the library.
    sys.path[0] = str(Path(__file__).parents[2])

from functools import cache

import numpy as np
from scipy import special

from skmetrics_ext import compare
from skmetrics_ext.analyses.compare import _paired_metrics
from skmetrics_ext.analyses.models import read_models
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest
from skmetrics_ext.statistics.constants import DISCORDANT
from skmetrics_ext.statistics.pairs.across_groups import p_of_same
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import Discordant

LEVEL, N_WORST = 0.05, 4
# Shares of samples that one model alone has right, and the difference.
DIFFER = [
    *((0.02, 0.0), (0.02, 0.02), (0.05, 0.04), (0.2, 0.0), (0.2, 0.19), (0.5, 0.3)),
    *((0.92, 0.0), (0.92, 0.5), (0.92, 0.88), (0.92, 0.92), (1.0, 0.96)),
]
# The groups, the samples of each, of every other one so many times as many, and who differs.
PROPORTIONS = [*product((2, 10), (20, 100, 500), (1, 10), DIFFER)]
METRICS = {"precision": 2, "f1": 2, "mcc": 2, "recall_macro": 3}
# Shares of positives (of the rare class), and of others, that each model has right.
RIGHT = [
    *((0.8, 0.9, 0.8, 0.9), (0.9, 0.98, 0.7, 0.98)),
    *((0.6, 0.9, 0.9, 0.95), (0.98, 0.99, 0.3, 0.8)),
]
# The metric, the groups, the samples of each, the share of the rarer class, who is right, and
# what both models have in common.
OTHERS = [*product(METRICS, (2, 5, 10, 30), (100, 200, 500), (0.05, 0.2, 0.5), RIGHT, (0.0, 0.9))]


@cache
def of_discordant(only_first, only_second, n):
    """What is known of a difference of proportions."""
    found = Discordant(only_first, only_second, n)
    share = only_first / n, only_second / n
    return Compared("", ("a", "b"), share, LimitsAndTest(cache(found.limits_at), np.nan, ""))


def of_proportions(setting, n_draws, seed):
    """The share of draws that are told from equal differences."""
    n_groups, n, times, (differ, difference) = setting
    random = np.random.default_rng(seed)
    sizes = np.where(np.arange(n_groups) % 2, n * times, n)
    shares = np.array([differ + difference, differ - difference]) / 2
    numbers = np.stack(
        [random.multinomial(size, [*shares, 1 - differ], n_draws) for size in sizes], 1
    )
    n_rejected = 0
    for of_groups in numbers.tolist():
        compared = [
            of_discordant(*of[:2], size) for of, size in zip(of_groups, sizes.tolist(), strict=True)
        ]
        n_rejected += p_of_same(compared)[0] < LEVEL
    return {"proportion": n_rejected / n_draws}


def table_of(n_classes, rare, right, common):
    """The probability of each actual class, the last one rare, and of both predictions."""
    shares = [(1 - rare) / (n_classes - 1)] * (n_classes - 1) + [rare]
    table = np.zeros((n_classes,) * 3)
    for actual, share in enumerate(shares):
        first, second = right[::2] if actual == n_classes - 1 else right[1::2]
        both = first * second + common * np.sqrt(first * (1 - first) * second * (1 - second))
        both = min(both, first, second)
        wrong = np.arange(n_classes) != actual
        table[actual, actual, actual] = share * both
        table[actual, actual, wrong] = share * (first - both) / (n_classes - 1)
        table[actual, wrong, actual] = share * (second - both) / (n_classes - 1)
        neither = share * (1 - first - second + both) / (n_classes - 1) ** 2
        table[actual][np.ix_(wrong, wrong)] = neither
    return table


def metric_of(name, n_classes):
    """A metric of these classes."""
    each = np.arange(n_classes)
    models = read_models(each, {"a": each, "b": each}, Weights(None, False), None, None)
    options = {"average": "binary", "labels": None, "pos_label": 1 if n_classes == 2 else None}
    asked = "recall" if name == "recall_macro" else name
    if name == "recall_macro":
        options["average"] = "macro"
    [metric] = _paired_metrics(asked, models.counted(), options, None, "difference").values()
    return metric


def with_pseudo_units(tables):
    """Tables (..., actual, first, second) with what `units_half_right` adds."""
    n_classes = tables.shape[-1]
    first, second = tables.sum(-1), tables.sum(-2)
    is_actual = first.sum(-1) > 0
    occurs = is_actual | (first.sum(-2) > 0) | (second.sum(-2) > 0)
    is_wrong = is_actual[..., :, None] & occurs[..., None, :] & ~np.eye(n_classes, dtype=bool)
    n = 2 * is_wrong.sum((-1, -2))
    frequency = is_wrong * (DISCORDANT / np.maximum(n, 1))[..., None, None]
    filled = tables.copy()
    for actual in range(n_classes):
        filled[..., actual, actual, :] += frequency[..., actual, :]
        filled[..., actual, :, actual] += frequency[..., actual, :]
    return filled


def differences_of(metric, tables):
    """Differences of tables (..., actual, first, second): their middles and standard errors with
    pseudo-units, how many samples decide them, and those without pseudo-units.
    """
    filled, n_cells = with_pseudo_units(tables), tables.shape[-1] ** 2

    def of_both(of):
        flat = np.stack([of.sum(-1), of.sum(-2)], -3).reshape(*of.shape[:-3], 2, n_cells)
        return metric.value.counts_of(flat)

    counts = of_both(filled)
    slopes = metric.value.gradient_of(counts).reshape(*filled.shape[:-3], 2, *filled.shape[-2:])
    moves = slopes[..., 0, :, :, None] - slopes[..., 1, :, None, :]
    variance, fourth = ((filled * moves**k).sum((-1, -2, -3)) for k in (2, 4))
    middles, observed = (
        of[..., 0] - of[..., 1] for of in map(metric.value.of, (counts, of_both(tables)))
    )
    return middles, np.sqrt(variance), variance**2 / fourth, observed


def known_of(middle, error, n_deciding, observed):
    """What is known of a difference by the delta method."""

    def limits_at(alpha):
        half = -special.ndtri(alpha / 2) * error
        return Limits(middle - half, middle + half)

    known = LimitsAndTest(limits_at, np.nan, "", n_deciding=n_deciding)
    return Compared("", ("a", "b"), (observed, 0.0), known)


def of_others(setting, n_draws, seed):
    """The same of a metric, among draws in which it has a value in each group."""
    name, n_groups, n, rare, right, common = setting
    n_classes = METRICS[name]
    table = table_of(n_classes, rare, right, common)
    random = np.random.default_rng(seed)
    drawn = random.multinomial(n, table.ravel(), (n_draws, n_groups)).astype(float)
    tables = drawn.reshape(n_draws, n_groups, *table.shape)
    with np.errstate(all="ignore"):
        found = np.stack(differences_of(metric_of(name, n_classes), tables), -1)
    silent = found[np.isfinite(found).all((1, 2))]
    p_values = [p_of_same([known_of(*of) for of in of_groups])[0] for of_groups in silent.tolist()]
    return {name: float((np.array(p_values) < LEVEL).mean())} if len(silent) > n_draws / 10 else {}


def far_from_compare(setting, seed):
    """How far p_same of one draw is from that of compare."""
    name, n_groups, n, rare, right, common = setting
    n_classes = METRICS[name]
    table = table_of(n_classes, rare, right, common)
    numbers = np.random.default_rng(seed).multinomial(n, table.ravel(), n_groups)
    metric = metric_of(name, n_classes)
    found = differences_of(metric, numbers.reshape(n_groups, *table.shape).astype(float))
    ours, _ = p_of_same([known_of(*of) for of in np.stack(found, -1).tolist()])
    true, first, second = (
        np.concatenate([np.repeat(of.ravel(), group) for group in numbers])
        for of in np.indices(table.shape)
    )
    groups = np.repeat(np.arange(n_groups), n)
    models = {"a": first, "b": second}
    options = {} if n_classes > 2 else {"pos_label": 1}
    across = compare(true, models, name, by=groups, **options).across_groups
    return abs(across.p_same[0] - ours)


FAMILIES = {"proportions": (PROPORTIONS, of_proportions), "others": (OTHERS, of_others)}


def main():
    """Print what is worst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--only", default=",".join(FAMILIES))
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.compare:
        print(max(far_from_compare(setting, 0) for setting in OTHERS[::9]))
        return
    for family in options.only.split(","):
        settings, shares_of = FAMILIES[family]
        found = [shares_of(setting, options.draws, 0) for setting in settings]
        for metric in dict.fromkeys(metric for of in found for metric in of):
            places = [place for place, of in enumerate(found) if metric in of]
            places.sort(key=lambda place: found[place][metric], reverse=True)
            print(f"{metric}: {len(places)} settings")
            for place in places[:N_WORST]:
                first = found[place][metric]
                again = shares_of(settings[place], 8 * options.draws, 1 + place)[metric]
                print(f"  {first:.3f}, again {again:.3f}: {settings[place]}", flush=True)


if __name__ == "__main__":
    main()
