"""Partly known labels: simulates and writes docs/theory/partly_known_labels.md.

It writes the table and the picture there, from payments like those of examples/partly_labelled.py,
of which the truth is known: all alerts were checked, and some of the other payments. It takes about
two minutes on one core.
"""

import warnings

import numpy as np
from matplotlib.figure import Figure

from skmetrics_ext import ConfusionMatrix
from tests.docs.generated_parts import with_parts
from tests.docs.theory_pages import FOLDER, PICTURE, save, table

PAGE, DRAWING = FOLDER / "partly_known_labels.md", PICTURE.with_name("partly_known_labels.png")
N_DRAWS, N_SAMPLES, FRAUDS = 400, 10_000, 0.02
# The share of large payments and of those found, and what it makes together.
LARGE, FOUND = {"fraud": 0.6, "fine": 0.1}, {"large": 0.9, "small": 0.65}
RECALL = LARGE["fraud"] * FOUND["large"] + (1 - LARGE["fraud"]) * FOUND["small"]
# The share of large and of small payments without an alert that are checked, and whether strata=
# says so.
SETTINGS = {
    "2 % of the rest": (0.02, 0.02, False),
    "5 % of the rest": (0.05, 0.05, False),
    "10 % of the rest": (0.1, 0.1, False),
    "30 % of the rest": (0.3, 0.3, False),
    "50 % of large, 4 % of small ones, not said": (0.5, 0.04, False),
    "50 % of large, 4 % of small ones, strata=size": (0.5, 0.04, True),
}


def payments(random):
    """Whether each payment is a fraud, has an alert, and is large."""
    fraud = random.random(N_SAMPLES) < FRAUDS
    large = random.random(N_SAMPLES) < np.where(fraud, LARGE["fraud"], LARGE["fine"])
    found = random.random(N_SAMPLES) < np.where(large, FOUND["large"], FOUND["small"])
    return fraud, np.where(fraud, found, random.random(N_SAMPLES) < 0.015), large


def estimates(of_large, of_small, has_strata):
    """Recall among the labeled, recall of all, and whether its interval covers the truth; a
    warning is an error.
    """
    random = np.random.default_rng(0)
    for _ in range(N_DRAWS):
        fraud, alert, large = payments(random)
        known = alert | (random.random(N_SAMPLES) < np.where(large, of_large, of_small))
        labels, strata = np.where(known, fraud, np.nan), large if has_strata else None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cm = ConfusionMatrix.from_partial_labels(labels, alert.astype(int), strata)
            found = cm.interval("recall", n_resamples=999, random_state=random)
        yield alert[fraud & known].mean(), found.value, found.low <= RECALL <= found.high


def draw(found):
    """Save the picture of the estimates in all draws: their mean and the middle 95 %."""
    figure = Figure(figsize=(7.5, 3.8), layout="constrained", dpi=90)
    ax, places = figure.subplots(), np.arange(len(found))
    looks = (("of the labeled alone", "o", "#b35806"), ("from_partial_labels", "s", "#2d708e"))
    for column, (label, marker, color) in enumerate(looks):
        values = np.array([of_setting[:, column] for of_setting in found.values()])
        low, high = np.quantile(values, [0.025, 0.975], axis=1)
        ax.hlines(places + 0.2 * column, low, high, color=color)
        ax.plot(values.mean(1), places + 0.2 * column, marker, color=color, label=label)
    ax.axvline(RECALL, color="black", linestyle=":", label=f"the truth, {RECALL:g}")
    ax.set_yticks(places + 0.1, found)
    ax.invert_yaxis()
    ax.set(xlabel=f"recall: mean and middle 95 % of {N_DRAWS} draws")
    figure.legend(loc="outside upper center", ncols=3)
    save(figure, DRAWING)


def main():
    found = {
        name: np.array(list(estimates(*setting)), dtype=float) for name, setting in SETTINGS.items()
    }
    head = [
        "checked besides all alerts",
        "labeled samples alone",
        "`from_partial_labels`",
        "95 % intervals that contain the truth",
    ]
    rows = [[name, *columns.mean(0)] for name, columns in found.items()]
    text = with_parts(PAGE.read_text(encoding="utf-8"), {"estimates": lambda: table(head, rows)})
    PAGE.write_text(text, encoding="utf-8")
    draw(found)


if __name__ == "__main__":
    main()
