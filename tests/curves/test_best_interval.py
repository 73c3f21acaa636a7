"""The interval at the best threshold: the optimism of all possible resamples."""

import itertools

import numpy as np
import pytest

from skmetrics_ext import threshold_curve

SCORES, ACTUAL = np.array([1, 2, 3, 3, 4]), np.array([0, 1, 0, 1, 1])


def value(name, actual, predicted):
    tp, fp = (actual & predicted).sum(), (~actual & predicted).sum()
    fn, tn = (actual & ~predicted).sum(), (~actual & ~predicted).sum()
    with np.errstate(invalid="ignore"):
        return {
            "accuracy": (tp + tn) / len(actual),
            "false_discovery_rate": fp / (tp + fp),
            "recall": tp / (tp + fn),
        }[name]


@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize(
    ("name", "bounds"),
    [("accuracy", None), ("accuracy", {"recall": 0.6}), ("false_discovery_rate", {"recall": 0.6})],
)
def test_the_optimism_is_the_mean_of_all_resamples(name, bounds, ties):
    sign = -1 if name == "false_discovery_rate" else 1
    actual, excess = ACTUAL.astype(bool), []
    for drawn in itertools.product(range(5), repeat=5):
        of = list(drawn)
        best = None
        for threshold in (4, 3, 2, 1):
            reaching = threshold <= SCORES if ties == "positive" else threshold < SCORES
            predicted = reaching[of]
            reached = value(name, actual[of], predicted)
            meets = bounds is None or value("recall", actual[of], predicted) >= 0.6
            if (
                meets
                and not np.isnan(reached)
                and (best is None or sign * reached > sign * best[0])
            ):
                best = reached, reached - value(name, actual, reaching)
        if best is not None:
            excess.append(best[1])
    curve = threshold_curve(ACTUAL, SCORES, ties=ties)
    found = curve.best_interval(name, subject_to=bounds, n_resamples=20_000, random_state=0)
    best = curve.best(name, subject_to=bounds)
    error = 5 * np.std(excess) / np.sqrt(20_000)
    assert sign * np.mean(excess) > 5 * error
    assert found.value == pytest.approx(best.value - np.mean(excess), abs=error)
    plain = curve.at(best.threshold).interval(name)
    assert found.method == f"{plain.method} less optimism"
    assert found.low == pytest.approx(max(plain.low - (best.value - found.value), 0))
    assert found.high == pytest.approx(min(plain.high - (best.value - found.value), 1))


def test_other_curves_are_refused():
    for options in (
        {"sample_weight": [1.5] * 5},
        {"clusters": [0, 0, 1, 1, 2]},
        {"thresholds": [2, 3]},
    ):
        with pytest.raises(
            ValueError, match="best_interval needs a curve at every score, of independent samples"
        ):
            threshold_curve(ACTUAL, SCORES, **options).best_interval("f1")
    with pytest.raises(ValueError, match="n_resamples"):
        threshold_curve(ACTUAL, SCORES).best_interval("f1", n_resamples=99)


@pytest.mark.parametrize("bounds", [None, {"recall": 0.8}])
def test_a_ratio_that_is_infinite_in_replicates_is_refused(bounds):
    curve = threshold_curve([0, 1, 1, 0, 1, 1, 0, 1, 0, 0], range(10, 0, -1))
    # It is 2 on these samples, and 1 / 0 in replicates without the two negative samples of high
    # scores.
    assert curve.best("positive_likelihood_ratio", subject_to=bounds).value == 2
    with pytest.raises(
        ValueError, match="positive_likelihood_ratio is infinite at the best threshold of bootstrap"
    ):
        curve.best_interval("positive_likelihood_ratio", subject_to=bounds, random_state=0)


def test_bounds_that_no_replicate_meets_are_refused():
    curve = threshold_curve([1, 0] * 1000, range(2000))
    exactly = {
        name: (share - 1e-9, share + 1e-9)
        for name, share in {"recall": 0.37, "specificity": 0.63}.items()
    }
    exactly["prevalence"] = (0.5 - 1e-9, 0.5 + 1e-9)
    with pytest.raises(
        ValueError, match="f1 has no threshold within the bounds in bootstrap replicates"
    ):
        curve.best_interval("f1", subject_to=exactly, n_resamples=100, random_state=0)
