"""No result depends on NumPy's errstate, filters of warnings, threads, the locale, or on what was
called before.
"""

import contextlib
import dataclasses
import locale
import shutil
import subprocess
import warnings
from threading import Thread

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.artist import Artist
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    check,
    classification_report,
    compare,
    compare_curves,
    cross_val_threshold_curves,
    metric_interval,
    plot_intervals,
    plot_precision_recall,
    sample_size,
    watch,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import parameters_of
from tests.test_designs import CONSUMERS, DESIGNS
from tests.test_pickles import OBJECTS
from tests.test_threads_and_processes import IN_THREADS, calls_of, those_that_listen

RANDOM = np.random.default_rng(72)
N = 120
Y = RANDOM.integers(0, 2, N)
PRED, OTHER = (np.where(RANDOM.random(N) < right, Y, 1 - Y) for right in (0.9, 0.8))
SCORE, OTHER_SCORE = (RANDOM.normal(of, 0.7) for of in (PRED, OTHER))
GROUP = np.arange(N) % 3
CLUSTERS = np.arange(N) // 4
# Weights that others make no more than rounding.
WIDE = 10.0 ** np.random.default_rng(5).integers(-90, 90, N)
LIGHT = RANDOM.random(N) * 1e-90
FEW_RESAMPLES = {"n_resamples": 199}


def of_samples(**options):
    return ConfusionMatrix.from_predictions(Y, PRED, by={"group": GROUP}, **options)


# Sources at the ends of what floats hold, each by group.
EXTREMES = {
    "wide weights": lambda: of_samples(sample_weight=WIDE),
    "wide weights of clusters": lambda: of_samples(sample_weight=WIDE, clusters=CLUSTERS),
    "light weights": lambda: of_samples(sample_weight=LIGHT),
    "light weights of clusters": lambda: of_samples(sample_weight=LIGHT, clusters=CLUSTERS),
    "many samples": lambda: ConfusionMatrix.from_counts(
        10**9 * of_samples().counts, labels=[0, 1], axes=of_samples().axes
    ),
    "no errors": lambda: ConfusionMatrix.from_predictions(Y, Y, by={"group": GROUP}),
}
# What is asked of any metric.
ASKED = {
    "score": lambda cm, metric, options: cm.score(metric, zero_division=np.nan, **options),
    "interval": lambda cm, *of: interval_of(cm, *of),
    "delta": lambda cm, *of: interval_of(cm, *of, method="delta"),
    "together": lambda cm, *of: interval_of(cm, *of, simultaneous=True),
    "gap": lambda cm, *of: gap_of(cm, *of),
    "ratio": lambda cm, *of: gap_of(cm, *of, kind="ratio"),
    "gaps": lambda cm, metric, options: cm.pairwise_gaps(metric, **FEW_RESAMPLES, **options),
    "check": lambda cm, metric, _: check(cm, {metric: (0.3, 0.6)}),
    "watch": lambda cm, metric, _: watch(cm, {metric: 0.4}, horizon=6),
    "prevalence": lambda cm, *of: interval_of(cm.at_prevalence(0.2), *of),
    "comparison": lambda _, metric, options: compare(
        Y, {"a": PRED, "b": OTHER}, metric, margin=0.1, **FEW_RESAMPLES, **options
    ),
}


def interval_of(cm, metric, options, **how):
    return cm.interval(metric, **FEW_RESAMPLES, **how, **options)


def gap_of(cm, metric, options, **how):
    return cm.gap(metric, **FEW_RESAMPLES, **how, **options)


def curves_of_scores(**options):
    return ThresholdCurve.from_scores(Y, SCORE, **options), ThresholdCurve.from_scores(
        Y, OTHER_SCORE, **options
    )


def cross_validated():
    return cross_val_threshold_curves(GaussianNB(), SCORE[:, None], Y, cv=3)


# What is asked of arrays and scores.
OTHERS = [
    lambda: metric_interval(Y, PRED, "f1", sample_weight=WIDE, **FEW_RESAMPLES),
    *(
        lambda metric=metric: of_samples(sample_weight=WIDE).gap(metric, **FEW_RESAMPLES)
        for metric in ("balanced_accuracy", "diagnostic_odds_ratio", "mcc")
    ),
    lambda: of_samples(sample_weight=WIDE).interval(
        "macro_averaged_mean_absolute_error", method="delta"
    ),
    lambda: check(of_samples(sample_weight=WIDE), {"positive_likelihood_ratio": (0.3, 0.6)}),
    lambda: of_samples(sample_weight=WIDE).pairwise_gaps("diagnostic_odds_ratio"),
    lambda: plot_precision_recall(
        cross_val_threshold_curves(GaussianNB(), SCORE[:, None], Y, cv=3)
    ),
    lambda: compare_curves(dict(zip("ab", curves_of_scores(), strict=True)), "roc_auc"),
    lambda: curves_of_scores(sample_weight=LIGHT)[0].interval("roc_auc"),
    lambda: curves_of_scores(clusters=CLUSTERS)[0].interval("roc_auc"),
    *(
        lambda ask=ask, own=own: ask(*curves_of_scores(sample_weight=WIDE, **own))
        for ask in (
            lambda curve, _: curve.interval("roc_auc"),
            lambda curve, _: curve.interval("average_precision"),
            lambda curve, _: curve.at(0.4).interval("f1"),
            lambda *both: compare_curves(dict(zip("ab", both, strict=True)), "roc_auc"),
        )
        for own in ({}, {"clusters": CLUSTERS})
    ),
    *(
        lambda row=row: of_samples(sample_weight=WIDE, clusters=CLUSTERS).interval(
            row.name, **FEW_RESAMPLES, **parameters_of(row)
        )
        for row in METRICS[::12]
    ),
    lambda: curves_of_scores()[0].interval("average_precision"),
    lambda: curves_of_scores(sample_weight=WIDE)[0].best("mcc"),
    lambda: ThresholdCurves.from_scores(Y, SCORE, by=GROUP).best("f1"),
    lambda: sample_size("recall", value=0.999, bound=0.998, power=0.99),
    lambda: plot_intervals(of_samples().interval("recall")),
]


def drawn_calls():
    """A call of each row of the table of variants, each public object, and designs and extremes
    with consumers and metrics, all chosen by chance.
    """
    calls = {}
    for place, row in enumerate(IN_THREADS):
        of_row = calls_of(row)
        calls[f"row {place} {row}"] = of_row[RANDOM.integers(len(of_row))]
    # Rows fit classifiers already.
    calls |= {name: make for name, make in OBJECTS.items() if not name.startswith("a classifier")}
    for consumer, call in CONSUMERS.items():
        design = RANDOM.choice([*DESIGNS])
        calls[f"{consumer} of {design}"] = lambda call=call, make=DESIGNS[design]: call(make())
    for name, ask in ASKED.items():
        for source in RANDOM.choice([*EXTREMES], 2, replace=False):
            row = METRICS[RANDOM.integers(len(METRICS))]
            calls[f"{name} of {row.name} of {source}"] = (
                lambda ask=ask, make=EXTREMES[source], row=row: ask(
                    make(), row.name, parameters_of(row)
                )
            )
    return calls | {f"other {place}": call for place, call in enumerate(OTHERS)}


CALLS = drawn_calls()


def said(value):
    """All that a result says: its fields, found by themselves, its text and its table."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        of_fields = [(of.name, said(getattr(value, of.name))) for of in dataclasses.fields(value)]
        shows = ["__repr__", "_repr_html_", "to_table"]
        if any(isinstance(getattr(value, of.name), Artist) for of in dataclasses.fields(value)):
            shows = []
        return dict(of_fields) | {
            name: repr(getattr(value, name)()) for name in shows if hasattr(value, name)
        }
    if isinstance(value, dict):
        return {key: said(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [said(part) for part in value]
    if isinstance(value, Artist):
        has_data = hasattr(value, "get_xydata")
        data = value.get_xydata() if has_data else getattr(value, "get_text", type(value).__name__)
        return data() if callable(data) else data
    if isinstance(value, np.ndarray | float | int | str | np.generic | None):
        return value
    return repr(value)


def outcome(call):
    """What a call says, or the words of its error."""
    try:
        return said(call())
    except (ValueError, TypeError, ArithmeticError, Warning) as error:
        return type(error).__name__, str(error)
    finally:
        plt.close("all")


def heard(call, action="always"):
    """The outcome of a call, and the warnings of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        found = outcome(call)
    return found, [str(warning.message) for warning in caught]


@contextlib.contextmanager
def another_locale():
    """The first of some locales that this machine has: with a comma in numbers if it can be."""
    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "C.UTF-8", "C", ""):
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, name)
            break
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)


def heard_by_nobody(_, call):
    """In place of the `heard` of the table's rows, which sets the filters."""
    try:
        return call(), False
    except ValueError as error:
        return None, str(error)


def state():
    return np.geterr(), list(warnings.filters), locale.setlocale(locale.LC_ALL)


def each_heard(calls, action="always"):
    """The outcome of each call, and its warnings; no call leaves another state behind."""
    before = state()
    found = {name: heard(call, action) for name, call in calls.items()}
    assert state() == before
    return found


@pytest.fixture(scope="module", autouse=True)
def rows_that_hear_nothing():
    """Rows of the table look for words of warnings themselves: here these are compared."""
    with pytest.MonkeyPatch.context() as patch:
        for module in those_that_listen():
            patch.setattr(module, "heard", heard_by_nobody)
        yield


@pytest.fixture(scope="module")
def plain():
    """The outcome of each call, and its warnings, in a row."""
    return each_heard(CALLS)


def each_third(turn):
    """Plain pytest makes each call in one of three other states, and the slow tests in all."""
    of_turn = {name: call for k, (name, call) in enumerate(CALLS.items()) if k % 3 == turn}
    return pytest.mark.parametrize(
        "calls",
        [
            pytest.param(of_turn, id="a third of the calls"),
            pytest.param(CALLS, id="all calls", marks=pytest.mark.slow),
        ],
    )


@each_third(0)
def test_errors_of_floats_a_thread_and_the_order_of_calls_change_no_result(calls, plain):
    """Underflows are ignored unless somebody asks: products of tiny numbers are 0. The slow one
    guards calls that another of the three states changes.
    """
    found = {}

    def backwards():
        with np.errstate(all="raise"):
            found.update(each_heard(dict(reversed(calls.items()))))

    thread = Thread(target=backwards)
    thread.start()
    thread.join()
    assert found.keys() == calls.keys()
    for name, of in found.items():
        np.testing.assert_equal(of, plain[name], err_msg=name)


@each_third(1)
def test_warnings_that_are_ignored_change_no_result(calls, plain):
    """The slow one guards as above."""
    for name, (found, said) in each_heard(calls, "ignore").items():
        np.testing.assert_equal(found, plain[name][0], err_msg=name)
        assert not said, name


@each_third(2)
def test_warnings_that_are_errors_and_another_locale_change_no_result(calls, plain):
    """The slow one guards as above."""
    mixed = {name: calls[name] for name in RANDOM.permutation([*calls])}
    with another_locale():
        strict = each_heard(mixed, "error")
    for name, (found, _) in strict.items():
        expected, said = plain[name]
        if said:
            # A call ends at its first warning.
            assert found[1] == said[0], (name, found, said)
        else:
            np.testing.assert_equal(found, expected, err_msg=name)


# The decimal point alone: a table of few characters is compiled at once.
WITH_COMMA = 'LC_NUMERIC\ndecimal_point "<U002C>"\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n'


@pytest.fixture
def decimal_comma(tmp_path, monkeypatch):
    """A locale whose numbers have a comma, made where none is installed: the C library looks for
    it in this folder.
    """
    made, source = tmp_path / "with_comma", tmp_path / "source"
    source.write_text(WITH_COMMA, encoding="utf-8")
    compiler = shutil.which("localedef")
    if compiler is not None:
        # It fails for the categories that are missing, and makes the rest.
        command = [compiler, "--no-archive", "-c", "-i", source, "-f", "ISO-8859-1", made]
        subprocess.run(command, check=False, capture_output=True)
    before = locale.setlocale(locale.LC_NUMERIC)
    # An installed one is found where the C library looks by itself.
    for folder, name in ((tmp_path, "with_comma"), (None, "de_DE.UTF-8"), (None, "fr_FR.UTF-8")):
        with monkeypatch.context() as patch, contextlib.suppress(locale.Error):
            if folder is not None:
                patch.setenv("LOCPATH", str(folder))
            locale.setlocale(locale.LC_NUMERIC, name)
            break
    else:
        pytest.skip("this machine has no locale with a decimal comma, and can't make one")
    yield
    locale.setlocale(locale.LC_NUMERIC, before)


def shown():
    """Numbers as text, results and their tables."""
    counts = [[[70, 30], [20, 1080]], [[80, 20], [40, 60]]]
    cm = ConfusionMatrix.from_counts(counts, [0, 1])
    results = [cm.interval("f1"), cm.gap("recall"), check(cm, {"recall": 0.5}), cm]
    results += [sample_size("recall", value=0.9, bound=0.8, power=0.8)]
    results += [cm.summary(["recall", "mcc"]).to_table()]
    results += [classification_report(cm.sum("axis_0"), confidence_level=0.9)]
    return [str(result) for result in results]


@pytest.mark.usefixtures("decimal_comma")
def test_a_decimal_comma_changes_no_text():
    decimal, lines = locale.localeconv()["decimal_point"], shown()
    locale.setlocale(locale.LC_NUMERIC, "C")
    assert (decimal, locale.localeconv()["decimal_point"]) == (",", ".")
    assert lines == shown()
    assert any("0.9" in line for line in lines)


def test_the_calls_are_of_all_kinds(plain):
    """A law of errors alone would say nothing."""
    refused = [name for name, (found, _) in plain.items() if isinstance(found, tuple)]
    assert len(refused) < len(plain) / 4
    assert any(said for _, said in plain.values())
