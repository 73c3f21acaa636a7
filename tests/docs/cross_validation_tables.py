"""The tables and the picture of docs/theory/cross_validation.md, from what the benchmarks wrote."""

import json
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from tests.benchmarks import compared_learners
from tests.benchmarks.cross_validated import (
    FEWEST,
    LEVELS,
    SETTINGS,
    coverage,
    mean_ratio,
    published,
    share_with_caveat,
    worst,
)

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "cross_validation.png"
OTHERS = {
    "today_holds": "pooled folds",
    "two_deviations_hold": "mean ± 2 SD",
    "corrected_t_holds": "corrected t",
}
HEAD = [
    *("setting", "worst metric", "holds", "with or without caveat", "width", "with a caveat"),
    *("pooled folds", "mean ± 2 SD", "corrected t", "its width"),
]


def shown(share):
    """A proportion to three digits, or a dash where it rests on too few."""
    return "-" if np.isnan(share) else f"{share:.3f}"


def rows_of(*, fresh):
    """A row for each setting."""
    for name, metrics in published().items():
        if SETTINGS[name].is_fresh != fresh:
            continue
        metric, holds = worst(metrics)
        draws = max(counts["draws"] for counts in metrics.values())
        is_known = not np.isnan(holds)
        yield [
            f"{name} ({draws})",
            f"`{metric}`" if is_known else "-",
            shown(holds),
            shown(with_any_caveat(metrics)),
            f"{mean_ratio(metrics):.2f}" if is_known else "-",
            f"{100 * share_with_caveat(metrics):.0f} %",
            *(shown(worst(metrics, key)[1]) for key in OTHERS),
            f"{mean_ratio(metrics, 'width_of_corrected_t'):.2f}" if is_known else "-",
        ]


def with_any_caveat(metrics):
    """The lowest coverage of a metric, whether its intervals have a caveat or not."""
    found = []
    for counts in metrics.values():
        n = counts["intervals"] + counts["flagged intervals"]
        if n >= FEWEST:
            found.append((counts["0.95"] + counts["flagged 0.95"]) / n)
    return min(found)


def table(head, rows):
    lines = [[*head], ["---"] * len(head), *rows]
    return "\n" + "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines) + "\n"


def settings():
    return table(HEAD, rows_of(fresh=False))


def fresh():
    return table(HEAD, rows_of(fresh=True))


def metrics():
    """The hardest setting of each metric, and the median of all."""
    of_metrics = {}
    for name, of in published().items():
        for metric, counts in of.items():
            if not np.isnan(share := coverage(counts)):
                of_metrics.setdefault(metric, {})[name] = share
    rows = []
    for metric, shares in of_metrics.items():
        hardest = min(shares, key=shares.get)
        median = float(np.median([*shares.values()]))
        rows.append([f"`{metric}`", hardest, shown(shares[hardest]), shown(median)])
    return table(["metric", "hardest setting", "holds", "median"], rows)


def levels():
    """At each level, the lowest coverage of all settings and metrics, and the median."""
    rows = []
    for level in LEVELS:
        found = {
            (name, metric): coverage(counts, str(level))
            for name, of in published().items()
            for metric, counts in of.items()
            if not np.isnan(coverage(counts))
        }
        hardest = min(found, key=found.get)
        below = np.mean([1 - share > 1.6 * (1 - level) for share in found.values()])
        rows.append(
            [
                f"{level:g}",
                f"{hardest[0]}, `{hardest[1]}`",
                shown(found[hardest]),
                shown(float(np.median([*found.values()]))),
                f"{100 * below:.1f} %",
            ]
        )
    head = ["level", "hardest", "holds", "median", "miss more than 1.6 (1 - level)"]
    return table(head, rows)


def learners():
    """Rejections of equal and of unequal learners."""
    found = json.loads(compared_learners.PUBLISHED.read_text(encoding="utf-8"))
    rows = []
    for name, of_metrics in found.items():
        is_equal = compared_learners.SETTINGS[name].less == 0
        for metric, of in of_metrics.items():
            of_t = of.get("t rejects")
            rows.append(
                [
                    f"{name} ({of['draws']})" if is_equal else f"**{name}** ({of['draws']})",
                    f"`{metric}`",
                    shown(of["rejects"]),
                    "-" if of_t is None else shown(of_t),
                    shown(of["covers"]),
                ]
            )
    head = ["learners", "metric", "rejects", "corrected t rejects", "contains the true difference"]
    return table(head, rows)


def draw():
    """The figure of the coverage of each setting, lowest first."""
    found = {name: of for name, of in published().items() if not np.isnan(worst(of)[1])}
    names = sorted(found, key=lambda name: worst(found[name])[1])
    figure = Figure(figsize=(7.5, 9.5), layout="constrained", dpi=80)
    ax, places = figure.subplots(), np.arange(len(names))
    styles = {
        "two_deviations_hold": ("x", "0.55", "mean ± 2 SD"),
        "today_holds": ("s", "#2d708e", "pooled folds"),
        "0.95": ("o", "#b35806", "cross_val_interval"),
    }
    for key, (marker, color, label) in styles.items():
        shares = [worst(found[name], key)[1] for name in names]
        ax.plot(shares, places, marker, color=color, markersize=4.5, label=label)
    for share, style, label in ((0.95, "-", "nominal, 95 %"), (0.92, ":", "required, 92 %")):
        ax.axvline(share, color="black", linestyle=style, linewidth=0.8, label=label)
    ax.set_yticks(places, names, fontsize=8)
    ax.set(ylim=(len(names) - 0.3, -0.7), xlabel="share of 95 % intervals that hold, worst metric")
    ax.legend(loc="lower left", fontsize=8)
    return figure
