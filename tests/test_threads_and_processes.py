"""The same values from many threads at once, and from other processes."""

import multiprocessing
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextvars import ContextVar
from functools import cache, partial
from threading import Barrier

import joblib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ConfusionScorer, get_scorer, make_scorer
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from skmetrics_ext.reading import messages
from tests.between_pythons import seen_and_sent_back, what_is_seen_of
from tests.doubles import Answering
from tests.shared import parameters_of
from tests.test_pickles import OBJECTS
from tests.test_variants import ROWS
from tests.variants.samples import VARIANTS
from tests.variants.table import Cell

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
    "recall_macro",
    "precision_macro",
    "f1_weighted",
    "specificity_micro",
    "npv_macro",
    "informedness_macro",
    "markedness_macro",
]
OTHERS = ["jaccard_macro", "g_mean_macro", "neg_fpr_macro", "neg_confusion_entropy"]
SCORES = [*OVERALL, *OF_CLASSES, *OTHERS]


@pytest.fixture
def eager_threads():
    """Threads that take turns as often as the interpreter lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
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
        ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights).counts,
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
    curve = skmetrics_ext.ThresholdCurve.from_scores(
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
    curves = skmetrics_ext.ThresholdCurves.from_scores(NAMES[true], scores, classes=NAMES)
    return curves.roc_auc(), curves.roc_auc("ovo"), curves.roc_auc("micro"), curves["ash"].roc_auc()


# Two threads are enough to meet; the slow tests have more, which meet more often.
SOME_THREADS = pytest.mark.parametrize(
    "n_threads", [2, pytest.param(N_THREADS, marks=pytest.mark.slow)]
)


@pytest.mark.parametrize(
    "task", [every_metric, tables, report, report_imbalanced, index, curve, curves]
)
@SOME_THREADS
@pytest.mark.usefixtures("eager_threads")
def test_functions_give_the_same_in_every_thread(task, n_threads):
    tasks = [partial(task, *sample(seed)) for seed in range(n_threads)]
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
        matrix = ConfusionMatrix.from_predictions(NAMES[true], NAMES[pred], sample_weight=weights)
        return matrix, skmetrics_ext.ThresholdCurves.from_scores(NAMES[true], scores, classes=NAMES)

    shared = made()
    assert in_threads([lambda: values_of(*shared)] * N_THREADS) == [values_of(*made())] * N_THREADS


# All that is public: results are compared, and the words of errors.


@pytest.fixture
def no_warnings():
    """The filters of warnings are those of all threads, of which scikit-learn's Parallel empties
    them for a moment: what is given then goes nowhere.
    """
    with warnings.catch_warnings(record=True):
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        yield


class Slow:
    """A variable of a context that takes its time: by chance threads hardly ever meet there."""

    def __init__(self, variable):
        self.variable = variable

    def __getattr__(self, name):
        time.sleep(1e-4)
        return getattr(self.variable, name)


@pytest.fixture
def slow_messages(monkeypatch):
    """Threads that come along where the package keeps what it has to say."""
    variables = {name: of for name, of in vars(messages).items() if isinstance(of, ContextVar)}
    assert len(variables) > 1
    for name, variable in variables.items():
        monkeypatch.setattr(messages, name, Slow(variable))


def calls_of(row):
    """A row of the table of variants: all calls that say something."""
    cells = [(row.cells.get(variant.name, Cell()), variant) for variant in VARIANTS]
    return [
        partial(outcome, cell.call or row.call, variant)
        for cell, variant in cells
        if not isinstance(cell, str)
    ]


def outcome(call, *args):
    """What a call gives, or the words of its error."""
    try:
        return call(*args)
    except (ValueError, Warning) as error:
        return type(error).__name__, str(error)


# Its row captures what all threads print.
IN_THREADS = [row for row in ROWS if row.names != ("describe",)]


@cache
def those_that_listen():
    """The parts of the table of variants whose rows look for words among warnings."""
    modules = [module for name, module in sys.modules.items() if name.startswith("tests.variants.")]
    return [module for module in modules if hasattr(module, "heard")]


def hear_nothing(_, call):
    """In place of `heard`, which sets the filters."""
    return (outcome(call),) * 2


@pytest.mark.parametrize("row", IN_THREADS, ids=[f"{k} {row}" for k, row in enumerate(IN_THREADS)])
@SOME_THREADS
@pytest.mark.usefixtures("no_warnings", "eager_threads", "slow_messages")
def test_whatever_is_public_gives_the_same_in_every_thread(row, n_threads, monkeypatch):
    """Each with data of its own, as far as the row has some; the slow ones with all that it has."""
    for module in those_that_listen():
        monkeypatch.setattr(module, "heard", hear_nothing)
    calls = calls_of(row) if n_threads == N_THREADS else calls_of(row)[:n_threads]
    expected = [call() for call in calls]
    for first in range(0, len(calls), n_threads):
        places = [(first + k) % len(calls) for k in range(n_threads)]
        found = in_threads([calls[place] for place in places])
        np.testing.assert_equal(found, [expected[place] for place in places])


@pytest.mark.usefixtures("eager_threads")
def test_descriptions_are_whole_in_every_thread(capsys):
    """Only the ends of their last lines may be elsewhere."""
    names = [row.name for row in METRICS][:N_THREADS]
    alone = []
    for name in names:
        skmetrics_ext.describe(name)
        alone.append(capsys.readouterr().out)
    in_threads([partial(skmetrics_ext.describe, name) for name in names])
    together = capsys.readouterr().out
    assert all(text.removesuffix("\n") in together for text in alone)
    assert len(together) == sum(map(len, alone))


@pytest.mark.parametrize("name", OBJECTS)
@SOME_THREADS
@pytest.mark.usefixtures("no_warnings", "eager_threads")
def test_one_object_shows_the_same_in_every_thread(name, n_threads):
    """Nobody has asked it before, so that all threads find its caches empty; the slow ones have as
    many threads as the other tests.
    """
    expected, shared = what_is_seen_of(OBJECTS[name]()), OBJECTS[name]()
    assert in_threads([partial(what_is_seen_of, shared)] * n_threads) == [expected] * n_threads


def in_new_threads():
    """Whether the first calls in a process, all in threads, give what they give later alone."""
    warnings.simplefilter("ignore")
    # All threads have the same filters: what one sets for a while, another would keep for good.
    warnings.simplefilter = warnings.filterwarnings = lambda *_, **__: None
    for module in those_that_listen():
        module.heard = hear_nothing
    sys.setswitchinterval(1e-5)
    calls = [calls_of(row)[0] for row in IN_THREADS]

    def all_of_them():
        return [call() for call in calls]

    found = in_threads([all_of_them] * N_THREADS)
    np.testing.assert_equal(found, [all_of_them()] * N_THREADS)


@pytest.mark.slow
def test_the_first_calls_in_a_process_may_be_in_threads():
    """In a process of its own: here all that is imported or computed once is there by now."""
    code = "from tests.test_threads_and_processes import in_new_threads as f; f()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# Plots, on figures of their own: pyplot, which makes one if none is given, is for one thread.


def plots_of(seed):
    true, pred, weights = sample(seed, 200)
    scores = np.eye(3)[pred] / 2 + weights[:, None] / 2
    cm = ConfusionMatrix.from_predictions(NAMES[true], NAMES[pred])
    curves = skmetrics_ext.ThresholdCurves.from_scores(NAMES[true], scores, classes=NAMES)
    of_risk = skmetrics_ext.ThresholdCurve.from_scores
    return {
        "plot_confusion_matrix": lambda: cm,
        "plot_decision_curve": lambda: curves["ash"],
        "plot_intervals": lambda: {name: cm.interval(name) for name in ("accuracy", "mcc")},
        "plot_precision_recall": lambda: curves,
        "plot_risk_coverage": lambda: of_risk(true == pred, weights),
        "plot_roc": lambda: curves,
        "plot_threshold_curve": lambda: curves["ash"],
    }


def drawn(name, seed):
    """The pixels of a plot."""
    figure = Figure(figsize=(4, 3), dpi=50)
    canvas = FigureCanvasAgg(figure)
    getattr(skmetrics_ext, name)(plots_of(seed)[name](), ax=figure.subplots())
    canvas.draw()
    return np.array(canvas.buffer_rgba())


@pytest.mark.usefixtures("eager_threads")
def test_plots_are_the_same_in_every_thread():
    names = [name for name in skmetrics_ext.__all__ if name.startswith("plot_")]
    # One of them twice, with other data.
    tasks = [*(partial(drawn, name, 1) for name in names), partial(drawn, names[0], 2)]
    assert len(tasks) == N_THREADS
    expected = [task() for task in tasks]
    assert not np.array_equal(expected[0], expected[-1])
    np.testing.assert_equal(in_threads(tasks), expected)


# Other processes.


@pytest.mark.slow
def test_a_spawned_process_sees_the_same(monkeypatch):
    """It imports all that it is sent, and no warning is given there. Plain pytest asks the same of
    files that a new interpreter reads: this guards how multiprocessing sends them.
    """
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    values = [make() for make in OBJECTS.values()]
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawned) as pool:
        for value, (there, again) in zip(values, pool.map(seen_and_sent_back, values), strict=True):
            assert type(again) is type(value)
            assert there == what_is_seen_of(value) == what_is_seen_of(again)


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
