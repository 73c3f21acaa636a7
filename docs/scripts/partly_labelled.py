"""Partly labeled: how many frauds does a model miss if hardly anything but alerts was checked.

The data are made here: 20,000 payments, of which 2 % are frauds, and a model that finds 80 % of
them. It needs `pip install 'skmetrics-ext[plot]'`. Run it with `python examples/partly_labelled.py
[PLOT]`; it takes a second.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from skmetrics_ext import ConfusionMatrix, plot_intervals


def payments(random):
    """What each payment was, what the model says, and how large it is: large frauds are easier to
    find.
    """
    actual = np.where(random.random(20_000) < 0.02, "fraud", "fine")
    large = random.random(20_000) < np.where(actual == "fraud", 0.6, 0.1)
    found = np.where(large, 0.9, 0.65)
    alarm = np.where(
        actual == "fraud", random.random(20_000) < found, random.random(20_000) < 0.015
    )
    return actual, np.where(alarm, "fraud", "fine"), np.where(large, "large", "small")


def looked_at(actual, known):
    """The labels that somebody has; None for all others."""
    return np.where(known, actual, None)


def ways(random):
    """The same payments, with the labels that two teams have, and four ways to count them."""
    actual, predicted, size = payments(random)
    # The first team checks each alert and 8 % of the rest; the second prefers large payments.
    by_chance = (predicted == "fraud") | (random.random(20_000) < 0.08)
    by_size = (predicted == "fraud") | (
        random.random(20_000) < np.where(size == "large", 0.5, 0.04)
    )
    options = {"labels": ["fine", "fraud"]}
    counted = {
        "only what was checked": ConfusionMatrix.from_predictions(
            actual[by_chance], predicted[by_chance], **options
        ),
        "all payments": ConfusionMatrix.from_partial_labels(
            looked_at(actual, by_chance), predicted, **options
        ),
        "large ones checked, not said": ConfusionMatrix.from_partial_labels(
            looked_at(actual, by_size), predicted, **options
        ),
        "large ones checked, strata=size": ConfusionMatrix.from_partial_labels(
            looked_at(actual, by_size), predicted, size, **options
        ),
    }
    return counted, ConfusionMatrix.from_predictions(actual, predicted, **options)


def report(counted, truth):
    """Recall and precision with 95 % intervals; only this script knows the truth."""
    print(f"{'':33}{'recall':<25}precision")
    for name, cm in counted.items():
        each = [cm.interval(metric, random_state=0) for metric in ("recall", "precision")]
        print(
            f"{name:<33}"
            + "   ".join(f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]" for one in each)
        )
    print(f"{'the truth':<33}{truth.score('recall'):.3f}{'':20}{truth.score('precision'):.3f}")
    print(f"\n{counted['all payments']}")


def picture(counted, truth):
    plot = plot_intervals(counted, "recall", sort=False, random_state=0)
    plot.ax_.axvline(truth.score("recall"), color="black", linestyle=":")
    plot.ax_.set_title("Recall of fraud, and the truth (dotted)")
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "partly_labelled.png")
    plot.figure_.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    found, known_here = ways(np.random.default_rng(1))
    report(found, known_here)
    picture(found, known_here)
