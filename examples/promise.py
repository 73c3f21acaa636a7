"""Guarantee: which threshold finds 95 % of malignant tumors in new patients, and what it costs.

The data are the breast cancer data of scikit-learn. It needs `pip install 'skmetrics-ext[plot]'`
for the plot. Run it with `python examples/promise.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
from pathlib import Path

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import (
    ConstrainedThresholdClassifier,
    plot_confusion_matrix,
    plot_threshold_curve,
)

ASKED = 0.95


def choose(X, y, confidence_level):
    """The highest precision with the required recall; with None only these samples meet it.

    Half of the samples choose the threshold of a model that is fitted to the others, and kept: so
    the promise is about this very model.
    """
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return ConstrainedThresholdClassifier(
        model,
        "precision",
        subject_to={"recall": ASKED},
        pos_label="malignant",
        confidence_level=confidence_level,
        cv=0.5,
        refit=False,
        random_state=0,
    ).fit(X, y)


def compare_promises(chosen):
    """The higher the confidence, the lower the threshold, and the more false alarms."""
    print(f"The highest precision with a recall of {ASKED} for malignant tumors\n")
    print(
        f"  {'confidence':<18} {'threshold':>9} {'recall':>8} {'precision':>10} {'missed':>8} "
        f"{'alarms':>8}"
    )
    for level, classifier in chosen.items():
        cm = classifier.curve_.at(classifier.best_threshold_)
        [[_, alarms], [missed, _]] = cm.counts
        name = "none" if level is None else f"{level:.0%}"
        print(
            f"  {name:<18} {classifier.best_threshold_:>9.3f} {cm.score('recall'):>8.3f} "
            f"{cm.score('precision'):>10.3f} {missed:>8} {alarms:>8}"
        )


def draw(classifier):
    """Recall and precision at all thresholds, and the patients at the one that was chosen."""
    threshold = classifier.best_threshold_
    (kept,) = classifier.constraints_
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(8, 3.8), width_ratios=[1.75, 1], layout="constrained"
    )
    figure.get_layout_engine().set(h_pad=0.08)
    title = f"The threshold that finds {100 * ASKED:.0f} % of the tumors of new patients, too"
    figure.suptitle(title, fontweight="bold")
    # A threshold with less recall than the chosen one may miss the bound on new data. The lower
    # edge of a 90 % band is a one-sided 95 % limit.
    plot = plot_threshold_curve(
        classifier.curve_,
        ["precision", "recall"],
        subject_to={"recall": kept.value},
        confidence_level=0.9,
        ax=left,
    )
    blue, orange = (plot.lines_[name].get_color() for name in ("precision", "recall"))
    left.get_legend().remove()
    left.plot(
        threshold, kept.value, "o", color=orange, markeredgecolor="white", markersize=8, zorder=5
    )
    left.axhline(ASKED, color="0.3", linestyle="--", linewidth=1)
    left.axvline(threshold, color="black", linewidth=1.5)
    left.set(xlim=(0, 1), ylim=(0.7, 1.005), xlabel="threshold", ylabel="")
    left.text(0.985, ASKED - 0.004, "recall asked for", ha="right", va="top", color="0.3")
    left.text(0.61, 0.865, "recall", color="#b97700", ha="center", fontweight="bold")
    left.text(0.3, 0.845, "precision", color=blue, ha="left", fontweight="bold")
    left.text(
        0.55,
        0.75,
        f"no promise here:\nnew patients may have a recall below {ASKED}",
        color="0.3",
        ha="center",
    )
    left.annotate(f" chosen: {threshold:.3f}", (threshold, 0.72), fontweight="bold")
    cm = classifier.curve_.at(threshold)
    left.set_title(
        f"bands: 90 % intervals (95 % one-sided), {cm.n_samples} patients", fontsize="small"
    )
    missed, ill = cm.counts[1, 0], cm.counts[1].sum()
    plot_confusion_matrix(cm, title="", ax=right)
    right.set_title(f"{missed} of {ill} tumors missed", fontsize="medium")
    save(figure)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "promise.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    data = load_breast_cancer()
    diagnosis = data.target_names[data.target]
    by_level = {
        level: choose(data.data, diagnosis, level) for level in (None, 0.8, 0.9, 0.95, 0.99)
    }
    compare_promises(by_level)
    draw(by_level[0.95])
