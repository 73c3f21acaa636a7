"""Intervals, gaps between groups and comparisons of models.

The peers of gaps and comparisons are scipy.stats with statistics that count a batch of replicates
by one np.bincount: the fastest that users of SciPy have, though these tests are neither studentised
nor conditional.
"""

import itertools
from importlib.util import find_spec

import numpy as np
from labels import PARAMETERS
from scipy import stats
from sklearn.metrics import f1_score
from timing import OURS, Part, Row

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, compare, compare_curves
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.estimate import interval_of, intervals_of
from skmetrics_ext.statistics.request import Request

N_SAMPLES = 1_000_000
N_CLASSES = 10
REPLICATES = 9_999
IN_BATCHES = {"vectorized": True, "batch": 100}


def labels(n, n_classes=N_CLASSES, accuracies=(0.8, 0.81)):
    """Actual labels, and those of models that are right so often, or by chance."""
    random = np.random.default_rng(0)
    y = random.integers(0, n_classes, n)
    return y, *(
        np.where(random.random(n) < share, y, random.integers(0, n_classes, n))
        for share in accuracies
    )


def matrices(codes, *shape):
    """The counts of codes of cells over the last axis."""
    size = int(np.prod(shape))
    starts = size * np.arange(codes[..., 0].size).reshape(*codes.shape[:-1], 1)
    return np.bincount((codes + starts).ravel(), minlength=size * starts.size).reshape(
        *codes.shape[:-1], *shape
    )


def recall_macro(counts):
    return (counts.diagonal(axis1=-2, axis2=-1) / counts.sum(-1)).mean(-1)


def f1_macro(counts):
    return (2 * counts.diagonal(axis1=-2, axis2=-1) / (counts.sum(-1) + counts.sum(-2))).mean(-1)


def interval_of_f1(n_samples, n_classes=N_CLASSES, n_resamples=REPLICATES):
    cm = ConfusionMatrix.from_predictions(*labels(n_samples, n_classes)[:2])
    return {OURS: lambda: cm.interval("f1_macro", n_resamples=n_resamples, random_state=0)}


def intervals_of_groups(metric):
    y, predicted, _ = labels(100_000)
    cm = ConfusionMatrix.from_predictions(y, predicted, by=np.arange(len(y)) % 50)
    return {OURS: lambda: cm.interval(metric, random_state=0)}


def beside_bincounts(sides, n):
    """Beside so many counts of a million codes, as a ratio that is the same on any machine."""
    codes = np.random.default_rng(0).integers(0, 100, N_SAMPLES)

    def count():
        np.bincount(codes)

    return sides | {f"{n:,} np.bincount of a million": Part(count, n)}


def interval_of_two_classes():
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
    return {OURS: lambda: cm.interval("f1")}


def interval_and_peer():
    random = np.random.default_rng(0)
    shares = ConfusionMatrix.from_predictions(*labels(N_SAMPLES)[:2]).counts.ravel() / N_SAMPLES

    def replicates():
        drawn = random.multinomial(N_SAMPLES, shares, 1_000).reshape(-1, N_CLASSES, N_CLASSES)
        np.quantile(f1_macro(drawn), [0.025, 0.975])

    return interval_of_f1(N_SAMPLES, n_resamples=1_000) | {"numpy multinomial": replicates}


def all_metrics():
    """Every metric of the catalogue on the same replicates."""
    counted = CountedMatrix(
        ConfusionMatrix.from_predictions(*labels(N_SAMPLES)[:2]).counts, np.arange(N_CLASSES)
    )
    choices = [
        choose(
            row,
            average="macro" if row.has_average else "binary",
            **{name: PARAMETERS[name] for name in row.required},
        )
        for row in METRICS
    ]
    request = Request(random_state=0)
    return {
        OURS: lambda: list(intervals_of(counted, choices, (), request)),
        "ours, f1 macro alone": Part(
            lambda: interval_of(counted, choose("f1_macro"), (), request), 1
        ),
    }


def areas():
    """DeLong's limits, and his paired test, beside the area."""
    y, *_ = labels(N_SAMPLES, 2)
    scores = np.random.default_rng(1).normal(size=(2, N_SAMPLES)) + y
    curves = {
        name: ThresholdCurve.from_scores(y, of_model)
        for name, of_model in zip("ab", scores, strict=True)
    }
    return {
        OURS: lambda: ThresholdCurve.from_scores(y, scores[0]).interval("roc_auc"),
        "ours, the area alone": Part(lambda: ThresholdCurve.from_scores(y, scores[0]).roc_auc(), 1),
        "ours, compare_curves of two": Part(lambda: compare_curves(curves), 1),
    }


def gap(metric, n_groups, with_peer=False, n_samples=3_000):
    y, pred, _ = labels(n_samples)
    groups = np.random.default_rng(1).integers(0, n_groups, len(y))
    cm = ConfusionMatrix.from_predictions(y, pred, by=groups)

    def of(groups, cells, axis):  # noqa: ARG001
        counts = matrices(groups * N_CLASSES**2 + cells, n_groups, N_CLASSES, N_CLASSES)
        return np.ptp(recall_macro(counts), axis=-1)

    def by_scipy():
        """The gap in macro recall; fairlearn has an interval, which is slower, and no test."""
        data, options = (
            (groups, y * N_CLASSES + pred),
            IN_BATCHES | {"n_resamples": REPLICATES // 10},
        )
        stats.bootstrap(data, of, paired=True, method="percentile", **options)
        stats.permutation_test(
            data, of, permutation_type="pairings", alternative="greater", **options
        )

    sides = {OURS: lambda: cm.gap(metric, random_state=0)}
    return (
        sides | {"scipy.stats, 1/10 of the replicates": Part(by_scipy, 10)} if with_peer else sides
    )


def gap_of_groups():
    """The gap in recall between five groups; fairlearn has percentiles, no test."""
    random = np.random.default_rng(0)
    y, groups = random.integers(0, 2, 10_000), random.integers(0, 5, 10_000)
    predicted = np.where(random.random(len(y)) < 0.8, y, 1 - y)

    def ours():
        return ConfusionMatrix.from_predictions(y, predicted, by=groups).gap("f1", random_state=0)

    sides = {OURS: ours}
    if find_spec("fairlearn"):
        from fairlearn.metrics import MetricFrame

        def by_fairlearn():
            """20 of 1,000 replicates."""
            frame = MetricFrame(
                metrics=f1_score,
                y_true=y,
                y_pred=predicted,
                sensitive_features=groups,
                n_boot=20,
                ci_quantiles=[0.025, 0.975],
                random_state=0,
            )
            frame.difference_ci()

        sides["fairlearn, 1/50 of 1,000 replicates"] = Part(by_fairlearn, 50)
    return sides


def ten_models(n, with_peer=False):
    """All pairs of ten models."""
    y, *predictions = labels(n, accuracies=np.linspace(0.6, 0.78, 10))
    models = {str(k): predicted for k, predicted in enumerate(predictions)}
    cells = [y * N_CLASSES + predicted for predicted in predictions]
    first, second = map(list, zip(*itertools.combinations(range(10), 2), strict=True))

    def differences(*of_models, axis):  # noqa: ARG001
        values = np.stack(
            [f1_macro(matrices(of_model, N_CLASSES, N_CLASSES)) for of_model in of_models]
        )
        return values[first] - values[second] if len(of_models) > 2 else values[0] - values[1]

    def by_scipy():
        """One of 45 pairs is tested at a tenth of its permutations; all share a bootstrap, of which
        as small a part.
        """
        options = IN_BATCHES | {"n_resamples": REPLICATES // 450}
        stats.bootstrap(cells, differences, paired=True, method="percentile", **options)
        options["n_resamples"] = REPLICATES // 10
        stats.permutation_test(cells[:2], differences, permutation_type="samples", **options)

    sides = {OURS: lambda: compare(y, models, "f1_macro", random_state=0)}
    return sides | {"scipy.stats, 1/450 of the work": Part(by_scipy, 450)} if with_peer else sides


def two_models(metric):
    y, a, b = labels(N_SAMPLES)
    return {OURS: lambda: compare(y, {"a": a, "b": b}, metric, random_state=0)}


def interval_of_readings(n_readers, n_cases):
    """A rate over new readers and new cases."""
    y, calls, _ = labels(n_readers * n_cases, 2)
    reader, case = np.indices((n_readers, n_cases)).reshape(2, -1)
    clusters = {"case": case, "reader": reader}
    cm = ConfusionMatrix.from_predictions(y, calls, clusters=clusters)
    return {OURS: lambda: cm.interval("accuracy")}


ROWS = [
    Row("interval of f1 macro, 1e6 samples, 1,000 replicates", interval_and_peer),
    Row("interval of f1 macro, 1e3 samples", lambda: interval_of_f1(1_000)),
    Row("interval of f1 macro, 100 classes", lambda: interval_of_f1(N_SAMPLES, 100)),
    *(
        Row(
            f"interval of f1 macro, {k} classes, 100 a class",
            lambda k=k: interval_of_f1(100 * k, k),
        )
        for k in (100, 300)
    ),
    Row(
        "intervals of f1 macro of 50 groups, 1e5 samples",
        lambda: intervals_of_groups("f1_macro"),
        at_most=2_000,
    ),
    Row(
        "intervals of mcc of 50 groups, 1e5 samples",
        lambda: beside_bincounts(intervals_of_groups("mcc"), 60),
        times=1,
    ),
    Row("interval of f1 of two classes", interval_of_two_classes, at_most=1),
    Row(
        "interval of accuracy, 10 readers, 1,000 cases",
        lambda: interval_of_readings(10, 1_000),
        at_most=2,
    ),
    Row(
        "peak memory, interval of f1 macro, 100 classes",
        lambda: interval_of_f1(N_SAMPLES, 100),
        unit="MB",
    ),
    Row(f"intervals of {len(METRICS)} metrics", all_metrics),
    Row("interval of roc_auc", areas),
    Row("gap in f1 of 5 groups, 1e4 samples", gap_of_groups, times=100),
    Row(
        "gap in recall macro, 10 groups",
        lambda: gap("recall_macro", 10, with_peer=True),
        at_most=300,
    ),
    Row("gap in recall macro, 50 groups", lambda: gap("recall_macro", 50), at_most=1_500),
    Row(
        "gap in recall macro, 50 groups, 1e5 samples",
        lambda: beside_bincounts(gap("recall_macro", 50, n_samples=100_000), 1_400),
        times=1,
    ),
    Row("gap in f1 macro, 50 groups", lambda: gap("f1_macro", 50), at_most=5_000),
    Row(
        "compare 10 models, f1 macro, 1e3 samples",
        lambda: ten_models(1_000, with_peer=True),
        at_most=1_500,
    ),
    Row("compare 10 models, f1 macro, 1e6 samples", lambda: ten_models(N_SAMPLES), at_most=4_000),
    *(
        Row(f"compare 2 models, {metric}, 1e6 samples", lambda metric=metric: two_models(metric))
        for metric in ("accuracy", "f1_macro", "matthews_corrcoef")
    ),
]
