"""The same values from many threads at once, and from other processes."""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ConfusionScorer, get_scorer, make_scorer
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.doubles import Answering
from tests.shared import parameters_of

N_THREADS = 8
NAMES = np.array(["ash", "beech", "cedar"])
OVERALL = [
    "accuracy",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "scott_pi",
    "gwet_ac1",
    "bennett_s",
    "cramers_v",
    "nmi",
]
OF_CLASSES = [
    "recall",
    "precision_macro",
    "f1_weighted",
    "specificity_micro",
    "npv",
    "informedness",
    "markedness",
]
SCORES = [*OVERALL, *OF_CLASSES, "jaccard", "g_mean", "neg_fpr", "neg_confusion_entropy"]


@pytest.fixture
def eager_threads():
    """Threads that take turns as often as the interpreter lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(tasks):
    """What each task gives in a thread of its own, all started together. A warning in one of them
    is an error.
    """
    barrier = Barrier(len(tasks))

    def together(task):
        barrier.wait(timeout=60)
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result() for future in [pool.submit(together, task) for task in tasks]]


def sample(seed, n_samples=1_000):
    """Codes of three classes, each predicted as each, and weights."""
    random = np.random.default_rng(seed)
    true = random.integers(0, 3, n_samples)
    pred = np.where(random.random(n_samples) < 0.6, true, random.integers(0, 3, n_samples))
    return true, pred, random.random(n_samples)


def every_metric(true, pred, weights):
    """The value of each metric function, in one list."""
    values = []
    for row in METRICS:
        options = parameters_of(row, 3) | ({"average": "macro"} if row.has_average else {})
        values += [
            function_of(row)(true, pred, **options),
            function_of(row)(true, pred, sample_weight=weights, **options),
        ]
    return values


def tables(true, pred, weights):
    """What is no single value: matrices and several values of each class."""
    y_true, y_pred = NAMES[true], NAMES[pred]
    values = [
        skmetrics_ext.confusion_matrix(y_true, y_pred, sample_weight=weights),
        skmetrics_ext.multilabel_confusion_matrix(y_true, y_pred),
        *skmetrics_ext.precision_recall_fscore_support(y_true, y_pred, average=None),
        *skmetrics_ext.sensitivity_specificity_support(y_true, y_pred),
        *skmetrics_ext.class_likelihood_ratios(true == 1, pred == 1),
        ConfusionMatrix.from_labels(y_true, y_pred, sample_weight=weights).counts,
    ]
    return [np.asarray(value).tolist() for value in values]


def report(true, pred, weights):
    return str(skmetrics_ext.classification_report(NAMES[true], NAMES[pred], sample_weight=weights))


def report_imbalanced(true, pred, weights):
    return str(
        skmetrics_ext.classification_report_imbalanced(
            NAMES[true], NAMES[pred], sample_weight=weights
        )
    )


def index(true, pred, _):
    return skmetrics_ext.evaluation_index(NAMES[true], NAMES[pred])


def curve(true, pred, weights):
    curve = skmetrics_ext.threshold_curve(
        true == 1, pred + weights, pos_label=True, sample_weight=weights
    )
    best = curve.best("f1")
    return (
        curve.roc_auc(),
        curve.average_precision(),
        best.value,
        best.threshold,
        curve.counts.tp.tolist(),
    )


def curves(true, pred, weights):
    scores = np.eye(3)[pred] + weights[:, None]
    curves = skmetrics_ext.threshold_curves(NAMES[true], scores, classes=NAMES)
    return curves.roc_auc(), curves.roc_auc("ovo"), curves.roc_auc("micro"), curves["ash"].roc_auc()


@pytest.mark.parametrize(
    "task", [every_metric, tables, report, report_imbalanced, index, curve, curves]
)
@pytest.mark.usefixtures("eager_threads")
def test_functions_give_the_same_in_every_thread(task):
    tasks = [partial(task, *sample(seed)) for seed in range(N_THREADS)]
    assert in_threads(tasks) == [task() for task in tasks]


@pytest.mark.usefixtures("eager_threads")
def test_one_scorer_serves_threads_with_data_of_their_own():
    scorer = ConfusionScorer(SCORES, per_class=True, counts=True)
    samples = [sample(seed) for seed in range(N_THREADS)]
    tasks = [
        partial(scorer, Answering(NAMES[pred], classes=NAMES), None, NAMES[true], weights)
        for true, pred, weights in samples
    ]
    assert len(SCORES) == 20
    assert in_threads(tasks * 2) == [task() for task in tasks] * 2


@pytest.mark.usefixtures("eager_threads")
def test_one_curve_and_one_matrix_serve_all_threads():
    true, pred, weights = sample(1)

    def values_of(matrix, curves):
        return (
            {name: matrix.score(name) for name in ("recall_macro", "mcc", "kappa", "nmi")},
            {
                label: (curve.roc_auc(), curve.best("f1").threshold)
                for label, curve in curves.items()
            },
            curves.roc_auc("micro"),
        )

    def made():
        scores = np.eye(3)[pred] + weights[:, None]
        matrix = ConfusionMatrix.from_labels(NAMES[true], NAMES[pred], sample_weight=weights)
        return matrix, skmetrics_ext.threshold_curves(NAMES[true], scores, classes=NAMES)

    shared = made()
    assert in_threads([lambda: values_of(*shared)] * N_THREADS) == [values_of(*made())] * N_THREADS


# Other processes.


def ill_or_well(n_samples=150):
    random = np.random.default_rng(5)
    y = np.where(np.arange(n_samples) % 3 == 0, "ill", "well")
    return random.normal(size=(n_samples, 2)) + (y == "ill")[:, None], y


SCORERS = {
    "specificity": get_scorer("specificity", pos_label="ill"),
    "npv": get_scorer("npv_macro"),
    "cost": get_scorer("neg_expected_cost", cost_matrix={("ill", "well"): 5, ("well", "ill"): 1}),
    "fbeta": make_scorer(skmetrics_ext.fbeta_score, beta=2, pos_label="ill"),
    "at 0.3": get_scorer("recall", threshold=0.3, pos_label="ill"),
    "best": get_scorer("f1", threshold="best", pos_label="ill"),
    "mcc": ConfusionScorer("mcc"),
}


def same_scores(results, expected):
    """Whether all keys but those of times are equal."""
    timed = (
        "fit_time",
        "score_time",
        "mean_fit_time",
        "std_fit_time",
        "mean_score_time",
        "std_score_time",
    )
    return set(results) == set(expected) and all(
        np.array_equal(results[key], expected[key]) for key in expected if key not in timed
    )


@pytest.mark.slow
def test_cross_validation_in_two_processes_gives_the_same():
    """What pickles in one process cannot show: that a new one has all that a scorer needs."""
    X, y = ill_or_well()
    for scoring in (
        SCORERS,
        ConfusionScorer(["recall", "mcc"], per_class=True, counts=True, pos_label="ill"),
    ):
        options = {"cv": StratifiedKFold(4), "scoring": scoring, "error_score": "raise"}
        expected = cross_validate(LogisticRegression(), X, y, **options)
        with joblib.parallel_config("loky"):
            results = cross_validate(LogisticRegression(), X, y, n_jobs=2, **options)
        assert same_scores(results, expected)


@pytest.mark.slow
def test_a_search_in_two_processes_finds_the_same():
    """As above, with a dict of scorers and a refit by one of them."""
    X, y = ill_or_well()
    options = {"cv": 3, "scoring": SCORERS, "refit": "best", "error_score": "raise"}
    expected = GridSearchCV(LogisticRegression(), {"C": [0.1, 1, 100]}, **options).fit(X, y)
    with joblib.parallel_config("loky"):
        search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1, 100]}, n_jobs=2, **options).fit(
            X, y
        )
    assert same_scores(search.cv_results_, expected.cv_results_)
    assert search.best_params_ == expected.best_params_
    assert search.score(X, y) == expected.score(X, y)
