"""An entry says the same among others as alone: in every field, caveat, verdict and text."""

from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest
from matplotlib import pyplot as plt

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    agreement,
    check,
    classification_report,
    compare,
    compare_curves,
    metric_interval,
    plot_intervals,
    watch,
)
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.entries import entry_at, stacked_results, taken
from tests.shared import one_in, parameters_of

pytestmark = pytest.mark.filterwarnings("ignore")

# Groups of very unlike sizes, with rare classes in some of them.
RANDOM = np.random.default_rng(20)
SIZES = {"few": 9, "some": 40, "more": 90, "most": 240}
GROUP = np.repeat([*SIZES], [*SIZES.values()])
N = len(GROUP)
Y = RANDOM.choice(3, N, p=[0.6, 0.3, 0.1])
PRED = np.where(RANDOM.random(N) < 0.75, Y, RANDOM.integers(0, 3, N))
CLUSTERS = np.arange(N) // 3
WEIGHTS = RANDOM.lognormal(sigma=0.5, size=N)
# Equal in one group, constant within actual classes in another.
MIXED = np.select([GROUP == "some", GROUP == "more"], [2.0, np.where(Y == 0, 0.5, 3.0)], WEIGHTS)
ALONE_IN_MOST = np.where(GROUP == "most", np.arange(N), CLUSTERS + N)
KNOWN = np.where((RANDOM.random(N) < 0.6) | (GROUP == "few"), Y, np.nan)
CLASSES = {2: lambda y: (y > 0).astype(int), 3: lambda y: y}


def counted(n_classes, **options):
    of = CLASSES[n_classes]
    labels = [*range(n_classes)]
    return ConfusionMatrix.from_predictions(
        of(Y), of(PRED), by={"g": GROUP}, labels=labels, **options
    )


def partly_known(n_classes):
    known = np.where(np.isnan(KNOWN), np.nan, CLASSES[n_classes](np.nan_to_num(KNOWN)))
    pred = CLASSES[n_classes](PRED).astype(float)
    return ConfusionMatrix.from_partial_labels(known, pred, by={"g": GROUP})


def at_prevalence(cm):
    shares = np.array([0.5, 0.3, 0.2])[: len(cm.labels)]
    return cm.at_prevalence(dict(zip(plain(cm.labels), shares / shares.sum(), strict=True)))


DESIGNS = {
    "independent": counted,
    "weighted": lambda k: counted(k, sample_weight=WEIGHTS),
    "of several kinds": lambda k: counted(k, sample_weight=MIXED),
    "clustered": lambda k: counted(k, clusters=CLUSTERS),
    "clusters, one group alone": lambda k: counted(k, clusters=ALONE_IN_MOST),
    "weighted clusters": lambda k: counted(k, clusters=CLUSTERS, sample_weight=WEIGHTS),
    "at a prevalence": lambda k: at_prevalence(counted(k)),
    "clusters at a prevalence": lambda k: at_prevalence(counted(k, clusters=CLUSTERS)),
    "partly labeled": partly_known,
}
AVERAGES = ("of one class", None, "macro", "weighted", "micro", "worst")


def options_of(row, average, n_classes):
    options = parameters_of(row, n_classes, n_resamples=100)
    options["n_resamples"] = 100
    if average == "of one class":
        return options | ({"pos_label": 1} if n_classes == 2 else {"average": None})
    return options if average == "" else options | {"average": average}


def drawn_cells(n_drawn, seed):
    """Metrics, averages, designs and numbers of classes, each metric at least as often as drawn."""
    random = np.random.default_rng(seed)
    rows = sorted({row.name: row for row in BY_NAME.values()}.values(), key=lambda row: row.name)
    for place in random.permutation(np.arange(n_drawn) % len(rows)):
        row = rows[place]
        average = random.choice(np.array(AVERAGES, dtype=object)) if row.has_average else ""
        yield row, average, random.choice([*DESIGNS]), int(random.choice([2, 3]))


def outcome(call):
    """What a call gives, or why it refuses."""
    try:
        return call(), ""
    except (ValueError, TypeError) as error:
        return None, f"{type(error).__name__}: {error}"


def assert_same(entry, alone):
    """Field by field, as the class declares them."""
    assert type(entry) is type(alone)
    for of in fields(alone):
        one, other = getattr(entry, of.name), getattr(alone, of.name)
        if of.name == "axes":
            assert [axis.name for axis in one] == [axis.name for axis in other]
        elif of.name == "caveats":
            assert said(one) == said(other)
        elif isinstance(other, tuple):
            assert repr(one) == repr(other)
        elif np.asarray(other).dtype.kind in "fiub":
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=of.name)
        else:
            np.testing.assert_array_equal(one, other, err_msg=of.name)
    assert repr(entry) == repr(alone)
    assert repr(entry.to_table()) == repr(alone.to_table())


def said(caveats):
    return sorted((caveat.code, caveat.text) for caveat in caveats)


def texts_of(source):
    plot = plot_intervals(source, sort=False)
    plt.close(plot.figure_)
    return [text.get_text() for text in plot.texts_]


def in_turn(entries, step, first):
    """One in so many entries with its place, from the first on."""
    return [*enumerate(entries)][first % step :: step]


def entries_and_alone(cm, row, options, step, first):
    """The interval of one in so many groups among the others, and that of the group alone."""
    whole, refused = outcome(lambda: cm.interval(row.name, **options))
    if refused:
        return
    for k, group in in_turn(plain(whole.axes[0].coordinates), step, first):
        yield group, entry_at(whole, (k,)), cm.sel(g=group).interval(row.name, **options)


@cache
def made(design, n_classes):
    """The matrix of a design, which many tests ask."""
    return DESIGNS[design](n_classes)


def check_intervals(n_drawn, seed, step=1):
    n_compared = 0
    for place, (row, average, design, n_classes) in enumerate(drawn_cells(n_drawn, seed)):
        cm, options = made(design, n_classes), options_of(row, average, n_classes)
        for group, entry, alone in entries_and_alone(cm, row, options, step, place):
            try:
                assert_same(entry, alone)
            except BaseException as error:
                error.add_note(f"{row.name} {average} {design} {n_classes} {group}")
                raise
            n_compared += 1
    assert n_compared > n_drawn / step


def test_an_interval_among_others_is_that_of_the_entry_alone():
    """Each metric in a design and an average by chance, of one of the groups in turn."""
    check_intervals(len(METRICS), seed=1, step=4)


@pytest.mark.slow
def test_each_interval_among_others_is_that_of_the_entry_alone():
    """Each metric in many averages and designs."""
    check_intervals(1_200, seed=2)


# Two axes: groups of months.
MONTH = RANDOM.choice(["2026-01", "2026-02", "2026-03"], N, p=[0.2, 0.3, 0.5])


def by_month(**options):
    sex = np.array(["F", "M"])[np.arange(N) % 2]
    by = {"sex": sex, "month": MONTH}
    return ConfusionMatrix.from_predictions(Y > 0, PRED > 0, by=by, labels=[False, True], **options)


OF_MONTHS = {
    "independent": by_month,
    "weighted": lambda: by_month(sample_weight=WEIGHTS),
    "clustered": lambda: by_month(clusters=CLUSTERS),
    "weighted clusters": lambda: by_month(clusters=CLUSTERS, sample_weight=WEIGHTS),
}


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("design", "metric", "kind"),
    one_in(
        4,
        OF_MONTHS,
        ["recall", "f1", "mcc", "precision_macro", "balanced_accuracy"],
        ["difference", "ratio"],
    ),
)
def test_a_gap_among_others_is_that_of_the_month_alone(design, metric, kind, step):
    """The slow ones are of every metric in every design, and of every month."""
    cm, options = OF_MONTHS[design](), {"n_resamples": 100, "kind": kind}
    if metric == "mcc" and kind == "ratio":
        return
    whole = cm.gap(metric, axis="sex", **options)
    first = [*OF_MONTHS].index(design)
    for k, month in in_turn(plain(whole.axes[0].coordinates), step, first):
        assert_same(entry_at(whole, (k,)), cm.sel(month=month).gap(metric, **options))


LACKS = ((MONTH == "2026-01") & np.isin(GROUP, ["few", "some"])) | (
    (MONTH == "2026-02") & (GROUP == "few")
)


def of_groups_by_month(known=None, **options):
    """Two groups in the first month, three in the second, four in the third."""
    kept = ~LACKS
    by = {"month": MONTH[kept], "g": GROUP[kept]}
    if known is not None:
        pred = (PRED > 0).astype(float)[kept]
        return ConfusionMatrix.from_partial_labels(known[kept], pred, by=by)
    chosen = {name: of[kept] for name, of in options.items()}
    return ConfusionMatrix.from_predictions(
        (Y > 0)[kept], (PRED > 0)[kept], by=by, labels=[False, True], **chosen
    )


UNLIKE_MONTHS = {
    "independent": of_groups_by_month,
    "weighted": lambda: of_groups_by_month(sample_weight=WEIGHTS),
    "clustered": lambda: of_groups_by_month(clusters=np.arange(N) // 6),
    "partly labeled": lambda: of_groups_by_month(
        np.where(np.isnan(KNOWN), np.nan, (np.nan_to_num(KNOWN) > 0).astype(float))
    ),
}
OF_UNLIKE_MONTHS = one_in(2, UNLIKE_MONTHS, ["recall", "mcc"])


@pytest.mark.parametrize(
    ("design", "metric", "n_resamples"),
    [
        *(pytest.param(*of.values, 100, marks=of.marks, id=of.id) for of in OF_UNLIKE_MONTHS),
        *(pytest.param(*of.values, 999, marks=pytest.mark.slow) for of in OF_UNLIKE_MONTHS),
    ],
)
def test_a_gap_between_some_groups_is_the_same_beside_months_with_others(
    design, metric, n_resamples
):
    """The slow ones are of both metrics in every design, and draw in several blocks."""
    cm, options = UNLIKE_MONTHS[design](), {"n_resamples": n_resamples, "confidence_level": 0.97}
    whole = cm.gap(metric, axis="g", **options)
    for k, month in enumerate(plain(whole.axes[0].coordinates)):
        assert_same(entry_at(whole, (k,)), cm.sel(month=month).gap(metric, **options))


def test_equal_groups_of_a_gap_have_replicates_of_their_own():
    """Else their limits, and so those of the difference, would be the same on both sides."""
    twice = np.repeat(["a", "b"], N)
    y, pred, known = (np.tile(of, 2) for of in (Y > 0, PRED > 0, KNOWN > 0))
    known = np.where(np.tile(np.isnan(KNOWN), 2), np.nan, known)
    for cm in (
        ConfusionMatrix.from_predictions(y, pred, by=twice),
        ConfusionMatrix.from_partial_labels(known, pred.astype(float), by=twice),
    ):
        [row] = cm.pairwise_gaps("f1_macro", n_resamples=100).rows
        assert row.difference == 0
        assert row.low != -row.high


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("design", "metric"), one_in(4, DESIGNS, ["f1", "recall", "precision_macro", "mcc"])
)
def test_a_pair_of_several_groups_has_the_row_that_both_have_alone(design, metric, step):
    """The slow ones are of every metric in every design, and of every pair of four groups."""
    place = [*DESIGNS].index(design)
    cm = made(design, 2)
    if step > 1:
        cm = cm.sel(g=[group for k, group in enumerate(SIZES) if k != place % 4])
    options = {"n_resamples": 100, "correction": None}
    whole, refused = outcome(lambda: cm.pairwise_gaps(metric, **options))
    if refused:
        assert "prevalence" in design
        return
    for k, row in in_turn(whole.rows, step, place):
        alone = cm.sel(g=[row.model, row.reference]).pairwise_gaps(metric, **options)
        assert_same(entry_at(whole, (k,)), entry_at(alone, (0,)))


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("design", "claims"),
    one_in(3, DESIGNS, [{"recall": 0.6, "accuracy": (0.5, 0.9)}, {"mcc": 0.3}, {"f1_macro": 0.6}]),
)
def test_the_verdict_on_a_group_among_others_is_that_on_it_alone(design, claims, step):
    """The slow ones are of all claims in every design, and of every group."""
    cm = made(design, 2)
    whole, refused = outcome(lambda: check(cm, claims))
    if refused:
        assert "prevalence" in design
        return
    for k, group in in_turn(plain(whole.axes[1].coordinates), step, [*DESIGNS].index(design)):
        alone = check(cm.sel(g=group), claims)
        of_group = taken_along_second(whole, k)
        # What all groups say together is apart.
        assert_same(replace(of_group, overall=alone.overall), alone)


def taken_along_second(result, place):
    """The entries at a place of the second axis."""
    first, *_ = result.axes
    each = [entry_at(result, (k, place)) for k in range(len(first.coordinates))]
    return stacked_results(each, first)


def predicted_by_folds(n_models, folds, y=Y, **options):
    """A matrix as of so many models of cross-validation, each sample in so many of its folds."""
    cm = ConfusionMatrix.from_predictions(y > 0, PRED > 0, labels=[False, True], **options)
    return replace(
        cm, _design=replace(cm._design, models=tuple(range(n_models)), folds=folds, train_share=0.8)
    )


# Entries that were obtained in unlike ways, which a stack holds beside each other.
OBTAINED = {
    "held out": lambda **of: predicted_by_folds(0, 0.0, **of),
    "one model": lambda **of: predicted_by_folds(1, 1.0, **of),
    "5 folds": lambda **of: predicted_by_folds(5, 1.0, **of),
    "10 folds": lambda **of: predicted_by_folds(10, 1.0, **of),
    "3 x 5 folds": lambda **of: predicted_by_folds(15, 3.0, **of),
}


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("metric", "options"),
    one_in(
        3,
        ["mcc", "recall", "precision_macro"],
        [{"sample_weight": WEIGHTS}, {}, {"clusters": CLUSTERS}],
    ),
)
def test_entries_obtained_in_unlike_ways_have_their_own_caveats(options, metric, step):
    """The slow ones are of every metric in every design, and of all ways."""
    each = {name: make(by={"g": GROUP}, **options) for name, make in OBTAINED.items()}
    stack = ConfusionMatrix.stack(each, axis="way")
    asked = {"n_resamples": 100}
    whole, gaps = stack.interval(metric, **asked), stack.gap(metric, axis="g", **asked)
    per_class = stack.interval("recall", average=None, **asked)
    verdicts = check(stack, {metric: 0.5})
    for place, (name, alone) in in_turn(each.items(), step, len(options)):
        assert stack.sel(way=name)._design.about == alone._design.about
        assert_same(entry_at(whole, (place,)), alone.interval(metric, **asked))
        assert_same(entry_at(gaps, (place,)), alone.gap(metric, axis="g", **asked))
        own = alone.interval("recall", average=None, **asked)
        assert_same(entry_at(per_class, (place,)), own)
        verdicts_alone = check(alone, {metric: 0.5})
        own = taken_along_second(verdicts, place)
        assert_same(replace(own, overall=verdicts_alone.overall), verdicts_alone)
    added = each["held out"] + each["5 folds"]
    summed = ConfusionMatrix.stack(
        {name: each[name] for name in ("held out", "5 folds")}, axis="way"
    ).sum("way")
    assert_same(added.interval(metric, **asked), summed.interval(metric, **asked))


@pytest.mark.parametrize(
    ("clusters", "options"),
    [
        (None, {"horizon": 2}),
        (None, {}),
        ([f"{k // 4} {of}" for k, of in enumerate(MONTH)], {"largest_cluster": 4}),
    ],
    ids=["horizon", "for ever", "clusters"],
)
def test_the_alarms_of_a_group_among_others_are_those_of_it_alone(clusters, options):
    cm = by_month(clusters=clusters)
    claims, options = {"recall": 0.9, "accuracy": (0.5, 0.9)}, {**options, "axis": "month"}
    whole = watch(cm, claims, **options)
    for k, sex in enumerate("FM"):
        assert_same(taken_along_second(whole, k), watch(cm.sel(sex=sex), claims, **options))


@pytest.mark.parametrize(
    ("options", "metric"),
    one_in(
        2,
        [{}, {"sample_weight": WEIGHTS}, {"clusters": CLUSTERS}],
        ["recall_macro", "f1_macro", "accuracy", "recall_samples"],
    ),
)
def test_a_group_of_samples_is_what_its_samples_are_alone(metric, options):
    """The slow ones are of every metric in every design."""
    y, pred = np.eye(3)[Y], np.eye(3)[PRED]
    y[::4, 0], pred[::5, 2] = 1, 1
    asked = {"n_resamples": 100, "zero_division": np.nan}
    whole = metric_interval(y, pred, metric, by=GROUP, **options, **asked)
    for k, group in enumerate(plain(whole.axes[0].coordinates)):
        rows = group == GROUP
        own = {name: values[rows] for name, values in options.items()}
        alone = metric_interval(y[rows], pred[rows], metric, **own, **asked)
        assert_same(entry_at(whole, (k,)), alone)


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "gwet_ac1"])
def test_the_agreement_on_a_group_of_items_is_that_on_them_alone(metric):
    ratings = np.stack([Y, PRED, np.roll(PRED, 1)], 1)
    whole = agreement(ratings, metric=metric, by=GROUP)
    for k, group in enumerate(plain(whole.axes[0].coordinates)):
        alone = agreement(ratings[group == GROUP], metric=metric)
        assert_same(entry_at(whole, (k,)), alone)


MODELS = {
    name: np.where(RANDOM.random(N) < right, Y, RANDOM.integers(0, 3, N))
    for name, right in (("good", 0.85), ("fair", 0.75), ("poor", 0.4))
}


@pytest.mark.parametrize(
    "options",
    [{}, {"sample_weight": WEIGHTS}, {"clusters": CLUSTERS}],
    ids=["", "weights", "clusters"],
)
def test_two_of_three_models_have_the_row_that_both_have_alone(options):
    asked = {"n_resamples": 100, "correction": None, **options}
    metrics = ["accuracy", "f1_macro", "mcc"]
    whole = compare(Y, MODELS, metrics, **asked)
    for k, row in enumerate(whole.rows):
        two = {name: MODELS[name] for name in (row.model, row.reference)}
        alone = compare(Y, two, row.metric, **asked)
        assert_same(entry_at(whole, (k,)), entry_at(alone, (0,)))


@pytest.mark.parametrize(
    "point",
    [{}, {"metric": "average_precision"}, {"metric": "recall", "subject_to": {"specificity": 0.7}}],
)
def test_two_of_three_curves_have_the_row_that_both_have_alone(point):
    curves = {
        name: ThresholdCurve.from_scores(Y > 0, (Y > 0) * strength + RANDOM.normal(size=N))
        for name, strength in (("good", 2.0), ("fair", 1.5), ("poor", 0.5))
    }
    asked = {"n_resamples": 100, "correction": None, **point}
    whole = compare_curves(curves, **asked)
    for k, row in enumerate(whole.rows):
        two = {name: curves[name] for name in (row.model, row.reference)}
        assert_same(entry_at(whole, (k,)), entry_at(compare_curves(two, **asked), (0,)))


def assert_blocks_are_alone(design, n_classes, asked, metrics=None, step=1):
    cm = made(design, n_classes)
    whole = cm.summary(metrics, **asked)
    for k, group in in_turn(plain(cm.axes[0].coordinates), step, [*DESIGNS].index(design)):
        assert_same(entry_at(whole, (k,)), cm.sel(g=group).summary(metrics, **asked))


IN_SUMMARIES = [
    *("recall", "ppv", "lr_plus", "balanced_accuracy", "f1"),
    *("mcc", "cohen_kappa", "accuracy", "npv", "diagnostic_odds_ratio"),
]


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("design", DESIGNS)
def test_a_block_of_a_summary_is_what_the_group_says_alone(design, step):
    """The slow ones are of every group and the metrics of any summary, which plain pytest asks of
    every third design.
    """
    place = [*DESIGNS].index(design) % 3
    metrics = None if step == 1 or place == 0 else IN_SUMMARIES[place - 1 :: 2]
    assert_blocks_are_alone(design, 2, {"n_resamples": 100, "pos_label": 1}, metrics, step)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_a_block_of_several_classes_is_what_the_group_says_alone(design):
    """Classes are counted against mixes of others, where limits may be refused."""
    assert_blocks_are_alone(design, 3, {"n_resamples": 100})


def test_a_metric_has_the_limits_that_it_has_without_others():
    metrics = ["balanced_accuracy", "mcc", "gerrity", "confusion_entropy"]
    report = classification_report(
        Y, PRED, metrics=metrics, averages=[], confidence_level=0.95, output_dict=True
    )
    cm = counted(3).sum("g")
    for metric in metrics:
        interval = cm.interval(metric)
        found = [report["overall"][f"{metric}_{side}"] for side in ("low", "high")]
        assert found == [interval.low, interval.high], metric


def test_the_texts_of_a_picture_are_those_of_each_entry_alone():
    for place, metric in enumerate(("recall", "mcc", "lift", "diagnostic_odds_ratio")):
        whole = made("independent", 2).interval(metric, n_resamples=100)
        assert [texts_of(whole)[place]] == texts_of(entry_at(whole, (place,)))


def test_some_entries_are_taken_in_any_order():
    whole = DESIGNS["clustered"](3).interval("f1_macro", n_resamples=100)
    some = taken(whole, np.array([2, 0]))
    assert some.axes[0].coordinates.tolist() == ["most", "few"]
    for k, place in enumerate((2, 0)):
        assert_same(entry_at(some, (k,)), entry_at(whole, (place,)))
