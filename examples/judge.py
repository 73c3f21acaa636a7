"""Judge: may a language model stand in for people who label, and what do its labels add.

The data are made here: 4,400 questions of customers in four classes, two classifiers, a judge that
labels all of them, and three people who label 600. It needs `pip install 'skmetrics-ext[plot]'`.
Run it with `python examples/judge.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

from skmetrics_ext import ConfusionMatrix, agreement, cohen_kappa_score, compare, plot_intervals

CLASSES = ["bill", "delivery", "legal", "return"]
N, N_LABELLED = 4_400, 600


def with_errors(actual, share, random):
    """Labels of which so many are drawn anew; those of the rare class are missed more often."""
    share = np.where(actual == "legal", 2 * share, share)
    return np.where(random.random(len(actual)) < share, random.choice(CLASSES, len(actual)), actual)


def questions(random):
    """What each question is about, two classifiers, the judge, and the labels of three people for a
    few.
    """
    actual = random.choice(CLASSES, N, p=[0.4, 0.3, 0.05, 0.25])
    models = {
        "small": with_errors(actual, 0.25, random),
        "large": with_errors(actual, 0.16, random),
    }
    judge = with_errors(actual, 0.15, random)
    people = np.full((N, 3), None)
    some = random.choice(N, N_LABELLED, replace=False)
    for rater in range(3):
        labels = with_errors(actual[some], 0.04, random)
        # Each of them had no time for a few.
        people[some, rater] = np.where(random.random(N_LABELLED) < 0.1, None, labels)
    return actual, models, judge, people


def majority(people):
    """The label that most people gave, the first of several; None where nobody looked."""
    counts = np.stack([(people == name).sum(1) for name in CLASSES], -1)
    return np.where(counts.any(1), np.array(CLASSES)[counts.argmax(1)], None)


def report(models, judge, people):
    """How far people agree, how far the judge agrees with them, and which classifier is better."""
    labeled = (people != None).any(1)  # noqa: E711
    gold = majority(people)
    alpha = agreement(people[labeled])
    print(
        f"Do people agree?  Krippendorff's alpha {alpha.value:.3f} [{alpha.low:.3f}, "
        f"{alpha.high:.3f}]"
    )
    print(
        "Does the judge agree with them?  kappa "
        f"{cohen_kappa_score(gold[labeled], judge[labeled]):.3f}"
    )
    print("\nIs the large classifier better?  By the labels of people")
    found = compare(
        gold, models, ["accuracy", "f1_macro"], strata=(), baseline="small", random_state=0
    )
    for row in found.rows:
        print(
            f"  {row.metric:<9} {row.difference:+.3f} [{row.low:+.3f}, {row.high:+.3f}], p = "
            f"{row.p_adjusted:.2g}"
        )
    return gold


def ways(pred, gold, judge):
    """Three ways to count the same predictions."""
    labeled = gold != None  # noqa: E711
    return {
        "people alone": ConfusionMatrix.from_predictions(
            gold[labeled], pred[labeled], labels=CLASSES
        ),
        "judge alone": ConfusionMatrix.from_predictions(judge, pred, labels=CLASSES),
        "people and judge": ConfusionMatrix.from_partial_labels(gold, pred, judge, labels=CLASSES),
    }


def picture(counted, truth):
    options = {"average": None, "labels": ["legal"], "random_state": 0}
    plot = plot_intervals(
        {name: cm.interval("recall", **options) for name, cm in counted.items()}, sort=False
    )
    plot.ax_.axvline(truth, color="black", linestyle=":")
    plot.ax_.set_title("Recall of legal questions, and the truth (dotted)")
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "judge.png")
    plot.figure_.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    topics, classifiers, judged, rated = questions(np.random.default_rng(1))
    by_people = report(classifiers, judged, rated)
    of_large = ways(classifiers["large"], by_people, judged)
    print("\nThe accuracy of the large classifier, with 95 % intervals")
    for way, cm in of_large.items():
        found = cm.interval("accuracy", random_state=0)
        print(f"  {way:<17} {found.value:.3f} [{found.low:.3f}, {found.high:.3f}]")
    right = ConfusionMatrix.from_predictions(topics, classifiers["large"])
    print(f"  {'the truth':<17} {right.score('accuracy'):.3f}")
    picture(of_large, right.score("recall", average=None)[CLASSES.index("legal")])
