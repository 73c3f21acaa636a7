"""Ordered pairs of unlike designs, moved, stacked, summed and stored: as if counted at once."""

import dataclasses
import itertools
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from skmetrics_ext.counting.design import (
    INDEPENDENT,
    WEIGHTS_ALONE,
    Clusters,
    Lost,
    Rescaled,
    clustered_design,
    design_of_plain,
    names_of_samples,
    partly_labelled_design,
    plain_of,
    refuse_fractions,
    stacked_designs,
    weighted_design,
)
from tests.outcomes import check_same, outcome_of, parts_of, rows_alike
from tests.shared import for_each

N_GROUPS, N_CLASSES = 3, 3
SHAPE = (N_GROUPS, N_CLASSES, N_CLASSES)
# Names of clusters of samples that have none.
OWN = 1_000


class Samples(NamedTuple):
    """The group, both labels, weight and cluster of each sample."""

    group: np.ndarray
    true: np.ndarray
    pred: np.ndarray
    weights: np.ndarray
    clusters: np.ndarray

    def taken(self, rows):
        """Some of them."""
        return Samples(*(part[rows] for part in self))


class Kind(NamedTuple):
    """What is known of samples."""

    weights: str = "none"
    unit: str = ""


KINDS = {
    "plain": Kind(),
    "frequencies": Kind("numbers"),
    "weighted": Kind("weights"),
    "clusters": Kind(unit="cluster"),
    "frequencies in clusters": Kind("numbers", "cluster"),
    "weighted clusters": Kind("weights", "cluster"),
    "repeated samples": Kind(unit="sample"),
}
PAIRS = list(itertools.product(KINDS, KINDS))


def pairs_and_seeds():
    """Every two kinds, in plain tests in one of both orders."""
    for (i, first), (j, second) in itertools.product(enumerate(KINDS), repeat=2):
        is_plain = i == j or (i < j) == ((i + j) % 2 == 0)
        for seed in range(2):
            marks = () if is_plain and seed == 0 else pytest.mark.slow
            yield pytest.param((first, second), seed, marks=marks, id=f"{first}-{second}-{seed}")


def drawn(random, kind, first_cluster):
    """Few samples, so that cells, groups and classes are empty now and then."""
    n = int(random.integers(1, 25))
    group, true, pred = random.integers(0, N_GROUPS, (3, n))
    weights = np.ones(n)
    if kind.weights != "none":
        weights = random.integers(0, 4, n) / (4 if kind.weights == "weights" else 1)
        weights[0] = 1
    clusters = first_cluster + random.integers(0, 8, n)
    if not kind.unit:
        clusters = OWN * (1 + first_cluster) + np.arange(n)
    return Samples(group, true, pred, weights, clusters)


def counted(samples, kind, shape=SHAPE):
    """The counts and the design of samples."""
    cells = np.ravel_multi_index((samples.group, samples.true, samples.pred), shape)
    counts = np.bincount(cells, samples.weights, minlength=np.prod(shape)).reshape(shape)
    are_weights = kind.weights == "weights"
    counts = counts if are_weights else counts.astype(np.int64)
    given = samples.weights if are_weights else samples.weights.astype(np.int64)
    if kind.unit:
        names, codes = np.unique(samples.clusters, return_inverse=True)
        of_weights = None if kind.weights == "none" else given
        units = Clusters(codes, names, kind.unit)
        return counts, clustered_design(cells, shape, units, of_weights, are_weights=are_weights)
    if are_weights:
        return counts, weighted_design(given, cells, shape)
    return counts, INDEPENDENT


def as_rows(samples, kind):
    """A row for each time that a sample occurs."""
    if kind.weights != "numbers":
        return samples
    rows = samples.taken(np.repeat(np.arange(len(samples.group)), samples.weights.astype(int)))
    names = rows.clusters if kind.unit else rows.clusters[:1] + np.arange(len(rows.group))
    return rows._replace(weights=np.ones(len(rows.group)), clusters=names)


def counted_at_once(rows, kinds, shape=SHAPE):
    """The same of rows of two kinds, of which one may say less; clusters of one have no name."""
    units = {kind.unit for kind in kinds if kind.unit}
    weights = "weights" if any(kind.weights == "weights" for kind in kinds) else "none"
    counts, design = counted(rows, Kind(weights, *units), shape)
    parts = parts_of(design)
    if units:
        alone = parts["clusters"] >= OWN
        of_alone = parts["of_clusters"][alone]
        parts["clusters"] = parts["clusters"][~alone]
        parts["of_clusters"] = parts["of_clusters"][~alone]
        parts["n_clusters"] -= len(of_alone)
        parts["others"] = rows_alike(of_alone, np.ones(len(of_alone)))
    return counts, parts


class Step(NamedTuple):
    """Cells moved in arrays (..., n_groups, n_classes, n_classes), and in the samples."""

    cells: object
    samples: object
    shape: tuple


def steps(random):
    """Steps that keep cells whole."""
    order, groups = random.permutation(N_CLASSES), random.permutation(N_GROUPS)[:2]
    place = int(random.integers(0, N_GROUPS + 1))
    return {
        "classes in another order": Step(
            lambda of: of[..., order, :][..., order],
            lambda of: of._replace(true=order.argsort()[of.true], pred=order.argsort()[of.pred]),
            SHAPE,
        ),
        "some groups": Step(
            lambda of: of[..., groups, :, :],
            lambda of: of.taken(np.isin(of.group, groups))._replace(
                group=(of.group[np.isin(of.group, groups), None] == groups).argmax(1)
            ),
            (2, *SHAPE[1:]),
        ),
        "a further group": Step(
            lambda of: np.insert(of, place, 0, axis=-3),
            lambda of: of._replace(group=of.group + (of.group >= place)),
            (N_GROUPS + 1, *SHAPE[1:]),
        ),
        "a further class": Step(
            lambda of: np.pad(of, [(0, 0)] * (of.ndim - 2) + [(1, 0), (1, 0)]),
            lambda of: of._replace(true=of.true + 1, pred=of.pred + 1),
            (N_GROUPS, N_CLASSES + 1, N_CLASSES + 1),
        ),
    }


def refusal_of(first, second):
    """Why two kinds are not put together, if so."""
    units = {first.unit, second.unit}
    if units == {"cluster", "sample"}:
        return "some rows are clusters"
    plain, other = sorted((first, second), key=lambda kind: bool(kind.unit))
    if not plain.unit and other.unit and plain.weights == "weights":
        return "some samples are in clusters, and others are weighted samples"
    return None


def check_parts(design, counts, expected):
    """All parts of a design of these counts, which it fits, and no others."""
    expected_counts, parts = expected
    np.testing.assert_allclose(counts, expected_counts, rtol=1e-12)
    assert design.fits(counts)
    if design.shape is not None:
        assert design.shape == counts.shape
        assert design.numbers_of(counts).dtype == np.int64
        assert not design.fits(counts * 1.5)
        assert not design.fits(counts + 1)
        assert not design.fits(counts[..., :1])
    check_same(parts_of(design), parts)
    for name in (field.name for field in dataclasses.fields(design)):
        value = getattr(design, name)
        assert not isinstance(value, np.ndarray) or not value.flags.writeable, name


@pytest.mark.parametrize(("pair", "seed"), list(pairs_and_seeds()))
def test_two_kinds_of_samples_are_those_counted_at_once(pair, seed):
    first, second = pair
    kinds = KINDS[first], KINDS[second]
    random = np.random.default_rng([seed, PAIRS.index((first, second))])
    # Clusters of both may have a name in common.
    each = [drawn(random, kind, 4 * place) for place, kind in enumerate(kinds)]
    tables, designs = zip(*map(counted, each, kinds), strict=True)
    if words := refusal_of(*kinds):
        with pytest.raises(ValueError, match=words):
            stacked_designs(designs, tables)
        return
    stack, stacked = np.stack(tables), stacked_designs(designs, tables)
    rows = [as_rows(of_kind, kind) for of_kind, kind in zip(each, kinds, strict=True)]
    samples = Samples(*map(np.concatenate, zip(*rows, strict=True)))
    expected = counted_at_once(samples, kinds)
    check_parts(stacked.summed(0), stack.sum(0), expected)
    without_groups = counted_at_once(
        samples._replace(group=0 * samples.group), kinds, (1, *SHAPE[1:])
    )
    summed = stacked.summed(0).summed(0)
    check_parts(summed.moved(lambda of: of[None]), stack.sum((0, 1))[None], without_groups)
    check_same(stacked.summed(1).summed(0), summed)
    for place, of_kind in enumerate(rows):
        alone = counted_at_once(of_kind, kinds)
        own_units = kinds[place].unit
        selected = stacked.moved(lambda of, place=place: of[place])
        if own_units or not any(kind.unit for kind in kinds):
            check_parts(selected, stack[place], counted_at_once_as(of_kind, kinds, place))
        else:
            check_same(selected.numbers, alone[0])
    # Half of the steps; those of the other seed take the rest.
    for name, step in [*steps(random).items()][(PAIRS.index(pair) + seed) % 2 :: 2]:
        moved = counted_at_once(step.samples(samples), kinds, step.shape)
        in_all = stacked.moved(step.cells)
        in_each = stacked_designs([of.moved(step.cells) for of in designs], [*step.cells(stack)])
        check_parts(in_all.summed(0), step.cells(stack).sum(0), moved)
        check_same(in_all, in_each, where=name)
        check_same(stacked.summed(0).moved(step.cells), in_all.summed(0), where=name)
    for copy in (design_of_plain(plain_of(stacked)), pickle.loads(pickle.dumps(stacked))):
        check_same(copy, stacked)
        check_same(copy.summed(0), stacked.summed(0))


def counted_at_once_as(samples, kinds, place):
    """One of two kinds alone, with weights of 1 if only the other has any."""
    own = kinds[place]
    are_weights = any(kind.weights == "weights" for kind in kinds)
    return counted_at_once(samples, [own, Kind("weights", own.unit) if are_weights else own])


def facts_drawn(random):
    """What a design may say of all cells."""
    shared = {
        name: float(random.integers(2, 5)) for name in ("fold", "label") if random.random() < 0.5
    }
    return {
        "repeats": float(random.integers(1, 4)),
        "folds": float(random.integers(0, 3)),
        "shared": tuple(sorted(shared.items())),
        "models": tuple(sorted({*random.integers(0, 9, random.integers(0, 6)).tolist()})),
        "chosen": float(random.integers(0, 2)),
        "train_share": float(random.random()),
    }


def facts_of(design):
    """What a design says of all cells, as plain numbers."""
    return {**design.about, "shared": dict(design.shared)}


@for_each("seed", range(12))
def test_each_entry_keeps_what_is_said_of_it_and_a_sum_has_the_most(seed):
    random = np.random.default_rng(seed)
    kinds = [KINDS[name] for name in random.choice([*KINDS], 2)]
    if refusal_of(*kinds):
        return
    tables, designs = zip(*(counted(drawn(random, kind, 0), kind) for kind in kinds), strict=True)
    facts = [facts_drawn(random) for _ in kinds]
    designs = [
        dataclasses.replace(design, **own) for design, own in zip(designs, facts, strict=True)
    ]
    one, other = facts
    most = {name: max(one[name], other[name]) for name in one if name != "shared"}
    most["models"] = tuple(sorted({*one["models"], *other["models"]}))
    if len(most["models"]) > max(len(one["models"]), len(other["models"])):
        most["folds"] = max(most["folds"], 1)
    together = dict(one["shared"])
    for name, times in other["shared"]:
        together[name] = max(times, together.get(name, 0))
    stacked = stacked_designs(designs, tables)
    assert stacked.fits(np.stack(tables))
    for design in (
        stacked,
        design_of_plain(plain_of(stacked)),
        pickle.loads(pickle.dumps(stacked)),
    ):
        for place, own in enumerate(facts):
            entry = design.moved(lambda of, place=place: of[place])
            assert facts_of(entry) == {**own, "shared": dict(own["shared"])}
            # A further class and a further group have no samples.
            padded = design.moved(lambda of, place=place: np.pad(of[place], [(0, 1)] * 3))
            assert facts_of(padded) == facts_of(entry)
        assert facts_of(design.summed(0)) == {**most, "shared": together}
        check_same(design.summed(1).summed(0), design.summed(0).summed(0))
        again = stacked_designs([design, design], [np.stack(tables)] * 2)
        assert facts_of(again.summed(0).summed(0)) == {**most, "shared": together}
        assert design.of_cells_alone.about == INDEPENDENT.about
        assert repr(design).endswith("in entries that were obtained in unlike ways")
    # Clusters keep their samples together, however often these are counted.
    kept = stacked.without_axis(0, "label")
    is_of_units = any(kind.unit for kind in kinds)
    assert kept.repeats == most["repeats"] * (1 if is_of_units else together.get("label", 1))
    assert (kept.folds, kept.n_models) == (most["folds"], len(most["models"]))
    assert "label" not in dict(kept.shared)
    of_folds = stacked.without_axis(0, "fold")
    assert of_folds.folds == max(most["folds"], 1) * together.get("fold", 1)
    assert of_folds.repeats == most["repeats"]
    assert "fold" not in dict(of_folds.shared)
    assert dict(of_folds.shared).get("label") == together.get("label")


def test_an_entry_without_samples_was_predicted_by_no_model():
    """As where entries of unlike ways are put among those of other groups."""
    counts = np.ones((2, 2), dtype=int)
    by_two = dataclasses.replace(INDEPENDENT, models=(1, 2), folds=1.0)
    stacked = stacked_designs([by_two, INDEPENDENT], [counts, counts])
    padded = stacked.moved(lambda of: np.stack([of, np.zeros_like(of)], 1))
    empty = padded.moved(lambda of: of[:, 1]).moved(lambda of: of[0])
    assert (empty.models, empty.n_models) == ((), 0)
    assert repr(empty) == "independent samples"
    assert padded.moved(lambda of: of[0, 0]).models == (1, 2)
    assert padded.summed(1).moved(lambda of: of[0]).models == (1, 2)
    check_same(design_of_plain(plain_of(padded)).summed(1), padded.summed(1))


def test_entries_of_an_axis_share_as_many_samples_as_they_can():
    design = INDEPENDENT.of_folds(3, [0.8, 0.6] * 6)
    assert (design.n_models, design.train_share) == (12, pytest.approx(0.7))
    assert design.shared == (("fold", 3.0),)
    some = design.with_entries("fold", [*range(8)], 12)
    assert (some.n_models, some.shared) == (8, (("fold", 2.0),))
    assert design.with_entries("fold", [*range(4)], 12).shared == ()
    assert design.with_entries("fold", 3, 12).models == design.models[3:4]
    assert design.with_entries("fold", [5, 0], 12).models == (design.models[5], design.models[0])
    assert design.with_entries("group", 1, 12).about == design.about
    assert design.with_shared("threshold", 1).about == design.about
    for times, words in ((2, "2 times"), (2.5, "2.5 times")):
        assert words in INDEPENDENT.counted_times(times).refusal("a test")
        assert INDEPENDENT.counted_times(times).repeats == times
    assert INDEPENDENT.counted_times(1).refusal("a test") == ""


def rescaled(kind, random):
    """Counts of which each class is worth something else."""
    counts, design = counted(drawn(random, KINDS[kind], 0), KINDS[kind])
    return counts * np.array([0.5, 1, 3])[:, None], Rescaled(observed=counts, of=design)


def partly_labelled(random, n_strata):
    """Counts by stratum, the last row without label."""
    by_stratum = random.integers(1, 5, (N_GROUPS, n_strata, N_CLASSES + 1, N_CLASSES))
    design = partly_labelled_design(by_stratum)
    with_labels = by_stratum[..., :-1, :]
    shares = with_labels / with_labels.sum(-2, keepdims=True)
    return (shares * by_stratum.sum(-2, keepdims=True)).sum(1), design


UNLIKE = {
    **{
        name: lambda random, name=name: counted(drawn(random, KINDS[name], 0), KINDS[name])
        for name in KINDS
    },
    "rescaled": lambda random: rescaled("plain", random),
    "rescaled weights": lambda random: rescaled("weighted", random),
    "rescaled clusters": lambda random: rescaled("clusters", random),
    "partly labelled": lambda random: partly_labelled(random, 2),
    "more strata": lambda random: partly_labelled(random, 3),
    "lost": lambda _: (np.full(SHAPE, 1.5), Lost(why="it rained")),
    "fractions": lambda _: (np.full(SHAPE, 1.5), INDEPENDENT),
}
LATER = ("rescaled", "rescaled weights", "rescaled clusters")
OF_STRATA = ("partly labelled", "more strata")


@pytest.mark.parametrize("first", UNLIKE)
def test_what_can_not_be_put_together_says_why(first):
    for second in UNLIKE:
        if first in KINDS and second in KINDS:
            continue
        random = np.random.default_rng(5)
        pair = UNLIKE[first](random), UNLIKE[second](random)
        tables, designs = zip(*pair, strict=True)
        if {first, second} == {"rescaled weights", "rescaled clusters"}:
            with pytest.raises(ValueError, match="others are weighted samples without any"):
                stacked_designs(designs, tables)
            continue
        stacked = stacked_designs(designs, tables)
        assert stacked.fits(np.stack(tables)), second
        names = {first, second}
        if "lost" in names:
            assert stacked.refusal("a test") == "a test is not known, because it rained."
        elif names <= {"fractions", "plain", "frequencies"}:
            assert parts_of(stacked) == parts_of(INDEPENDENT)
        elif names <= {*LATER}:
            check_rescaled(stacked, pair)
        elif names <= {*OF_STRATA}:
            check_strata(stacked, pair)
        elif names & {*LATER, *OF_STRATA}:
            of = " and ".join(sorted({design.name for design in designs}))
            assert stacked.why == f"the counts that were put together are of {of}", second
        else:
            assert stacked.why == WEIGHTS_ALONE, second
        # Whatever is lost stays so.
        if isinstance(stacked, Lost):
            assert stacked.summed(0).why == stacked.moved(lambda of: of[0]).why == stacked.why
            assert stacked.of_cells(INDEPENDENT) is stacked.facts is stacked


def check_rescaled(stacked, pair):
    """Each entry keeps what it is of, unless they can't be put together."""
    np.testing.assert_array_equal(stacked.observed, [design.observed for _, design in pair])
    for place, (counts, design) in enumerate(pair):
        own = stacked.moved(lambda of, place=place: of[place])
        assert own.fits(counts)
        assert not own.fits(counts * (counts < counts.max()))
        assert own.numbers_of(counts).sum() == design.numbers_of(counts).sum()
        assert own.sees_samples == any(of.sees_samples for _, of in pair)
    assert stacked.summed(0).why.startswith("the counts were summed after at_prevalence")
    check_same(design_of_plain(plain_of(stacked)), stacked)


def check_strata(stacked, pair):
    """Strata that an entry does not have are empty."""
    n_strata = max(len(design.labeled) for _, design in pair)
    for place, (counts, design) in enumerate(pair):
        own = stacked.moved(lambda of, place=place: of[place])
        assert own.fits(counts)
        assert not own.fits(counts + 1)
        own_strata = len(design.labeled)
        assert own.by_stratum.shape == (N_GROUPS, n_strata, N_CLASSES + 1, N_CLASSES)
        np.testing.assert_array_equal(own.by_stratum[:, :own_strata], design.by_stratum)
        assert not own.by_stratum[:, own_strata:].any()
    assert stacked.summed(0).why.startswith("counts of partly known labels were summed")
    check_same(pickle.loads(pickle.dumps(stacked)), stacked)


@for_each("name", ["weighted", "clusters", "weighted clusters"])
def test_whole_numbers_as_floats_are_numbers_of_samples(name):
    random = np.random.default_rng(2)
    counts, design = UNLIKE[name](random)
    whole = np.arange(27.0).reshape(SHAPE)
    stacked = stacked_designs([INDEPENDENT, design], [whole, counts])
    assert stacked.numbers_of(whole).dtype == np.int64
    assert stacked.fits(np.stack([whole, counts]))
    np.testing.assert_array_equal(stacked.numbers[0], whole)


def test_many_cells_of_clusters_are_sorted_and_few_are_counted():
    random = np.random.default_rng(0)
    for n_cells in (4, 40_000):
        cells, codes = random.integers(0, n_cells, 50), random.integers(0, 9, 50)
        weights = random.integers(0, 3, 50) / 2
        design = clustered_design(
            cells, (n_cells,), Clusters(codes, np.arange(9)), weights, are_weights=True
        )
        expected = np.zeros((9, n_cells))
        np.add.at(expected, (codes, cells), weights)
        np.testing.assert_array_equal(design.units.toarray(), expected[expected.any(1)])


def test_clusters_without_names_are_not_put_together():
    random = np.random.default_rng(0)
    for times, name in ((1, "clusters"), (2, "repeated samples")):
        counts, design = UNLIKE[name](random)
        nameless = design_of_plain(plain_of(design, cluster_names=False))
        for pair in itertools.product([design, nameless], repeat=2):
            found = outcome_of(stacked_designs, pair, [counts, counts])
            if nameless in pair:
                assert "clusters without names can't be put together" in found[1], times
        # With samples of no cluster there is nothing to confuse.
    refused = outcome_of(stacked_designs, [nameless, INDEPENDENT], [counts, counts])
    assert "without names" in refused[1]


@for_each("seed", range(3))
def test_samples_of_no_cluster_keep_their_number_in_further_stacks(seed):
    random = np.random.default_rng(seed)
    kinds = [KINDS[name] for name in ("plain", "frequencies", "clusters")]
    each = [as_rows(drawn(random, kind, place), kind) for place, kind in enumerate(kinds)]
    tables, designs = zip(*map(counted, each, [KINDS["plain"], *kinds[1:]]), strict=True)
    tables = [of.astype(np.int64) for of in tables]
    samples = Samples(*map(np.concatenate, zip(*each, strict=True)))
    expected = counted_at_once(samples, kinds)
    for order in itertools.permutations(range(3)):
        first, second, third = order
        both = stacked_designs(
            [designs[first], designs[second]], [tables[first], tables[second]]
        ).summed(0)
        counts = tables[first] + tables[second]
        for pair in ([both, designs[third]], [designs[third], both]):
            of_pair = [counts, tables[third]] if pair[0] is both else [tables[third], counts]
            stacked = stacked_designs(pair, of_pair)
            check_parts(stacked.summed(0), counts + tables[third], expected)


@for_each("name", ["weighted", "clusters"])
def test_what_was_observed_must_fit_its_own_design(name):
    counts, design = UNLIKE[name](np.random.default_rng(1))
    assert Rescaled(observed=counts, of=design).fits(2 * counts)
    assert not Rescaled(observed=3 * counts, of=design).fits(2 * counts)


def changed(array, place, value):
    """Another value in one place."""
    other = array.copy()
    other[place] = value
    return other


def test_moments_that_no_weights_have_do_not_fit():
    weights, cells = np.array([1, 3, 2, 2, 5]), np.array([0, 0, 1, 1, 2])
    design = weighted_design(weights, cells, (2, 2))
    counts = np.array([[4.0, 4], [5, 0]])
    assert design.fits(counts)
    # The mean of squares is at least the square of the mean, and no weight is above the largest.
    for name, place, value in (
        ("squares", (0, 1), 7.9),
        ("largest", (0, 1), 1.9),
        ("numbers", (1, 0), 0),
        ("numbers", (1, 1), 1),
    ):
        moments = {name: changed(getattr(design, name), place, value)}
        assert not dataclasses.replace(design, **moments).fits(counts), name


def test_clusters_that_add_up_to_other_counts_do_not_fit():
    counts, design = UNLIKE["clusters"](np.random.default_rng(3))
    assert design.fits(counts)
    for wrong in (
        {"n_clusters": design.n_clusters + 1},
        {"n_clusters": design.n_clusters + 1, "clusters": None},
        {"n_clusters": -1},
        {"clusters": design.clusters[1:]},
        {"times": 2 * design.times},
        {"numbers": -design.numbers},
    ):
        assert not dataclasses.replace(design, **wrong).fits(counts), wrong


def test_names_of_clusters_are_written_only_if_asked_at_another_prevalence_too():
    _, design = rescaled("clusters", np.random.default_rng(0))
    assert plain_of(design, cluster_names=False)["of"]["clusters"] is None
    assert plain_of(design)["of"]["clusters"] is not None


def test_a_sample_of_several_labels_and_a_number_has_no_name_and_none_of_number_0():
    cells = np.array([[0, 1], [1, 2], [3, 3]])
    for numbers, names in (([1, 1, 1], [7, 8, 9]), ([2, 1, 1], None), ([1, 0, 1], [7, 9])):
        units = Clusters(np.arange(3), np.array([7, 8, 9]), "sample")
        design = clustered_design(cells, (2, 2), units, np.array(numbers))
        occurs = np.array(numbers) > 0
        rows = np.repeat(cells[occurs], np.array(numbers)[occurs], axis=0)
        counts = np.bincount(rows.ravel(), minlength=4).reshape(2, 2)
        assert design.fits(counts)
        assert design.times.tolist() == [number for number in numbers if number]
        assert (None if design.clusters is None else design.clusters.tolist()) == names


def test_a_design_at_another_prevalence_refuses_what_its_samples_do():
    counts, weights = counted(
        drawn(np.random.default_rng(0), KINDS["weighted"], 0), KINDS["weighted"]
    )
    several = dataclasses.replace(weights, repeats=3.0)
    for design in (
        Rescaled(observed=counts, of=several),
        Rescaled(observed=counts, of=weights, repeats=3.0),
    ):
        assert "each sample is counted 3 times" in design.refusal("a test")
    assert Rescaled(observed=counts, of=weights).refusal("a test") == ""


def test_arrays_of_a_design_are_its_own():
    numbers = np.array([[1, 2], [3, 4]])
    design = Rescaled(observed=numbers)
    numbers[0, 0] = 9
    assert design.observed.tolist() == [[1, 2], [3, 4]]


@for_each("name", ["plain", "weighted", "clusters"])
def test_counts_at_another_prevalence_are_of_samples_as_before(name):
    _, own = UNLIKE[name](np.random.default_rng(0))
    _, design = rescaled(name, np.random.default_rng(0))
    assert design.sees_samples == own.sees_samples == (name != "plain")
    assert design.keeps_units_together == own.keeps_units_together == (name == "clusters")


def test_one_fraction_among_whole_numbers_is_no_number_of_samples():
    refuse_fractions(np.array([[1.0, 2], [3, 4]]), "a test")
    with pytest.raises(ValueError, match=r"sums of weights.*: a test needs whole counts"):
        refuse_fractions(np.array([[1.0, 2], [3, 4.5]]), "a test")


def test_samples_of_other_data_have_other_names():
    numbers, data = np.arange(1_000), [np.array([0.1, 0.2]), np.array([True, False])]
    names = names_of_samples(numbers, *data)
    assert np.array_equal(names, names_of_samples(numbers, *data))
    for other in ([data[0][::-1], data[1]], [data[0], ~data[1]]):
        assert not {*names.tolist()} & {*names_of_samples(numbers, *other).tolist()}


@for_each("dtype", [np.int32, np.int64, np.uint64])
def test_squares_of_whole_weights_do_not_overflow(dtype):
    largest = np.iinfo(np.int32).max if dtype == np.int32 else 2**40
    design = weighted_design(np.array([largest, 1], dtype=dtype), np.array([0, 1]), (2,))
    assert design.squares.tolist() == [float(int(largest) ** 2), 1]
    assert design.largest.tolist() == [largest, 1]
