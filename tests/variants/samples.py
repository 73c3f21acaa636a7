"""The samples, and the variants: each a way to pass some of them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.variants.variant import Samples, Variant

LOSS = "a loss metric"
GROUPS = "two groups"
ONE_CLASS = "labels= of one class"
EMPTY = "an entry without samples"
OTHER_CLASS = "the other class positive"
PERMUTED = "a permuted index with an ordered categorical"
PERMUTED_GROUPS = "groups with a permuted index"
PERMUTED_WEIGHTS = "weights with a permuted index"
TWO_AXES = "two axes"
ONE_ROW = "one row"
NO_MIDDLE = "y without a middle class"
WEIGHTS = "weights"
RANGE = "a RangeIndex(5, 10)"
NINE = "nine positives in each group"

# Two classes. Scores have ties, none is 0.5, and 1 minus a score is exact, so that both classes
# have the same predictions.
N = 240
random = np.random.default_rng(71)
TRUE = (random.random(N) < 0.55).astype(int)
SITE = np.array(["north", "south"])[(random.random(N) < 0.45).astype(int)]
YEAR = 2023 + random.choice(3, N, p=[0.4, 0.35, 0.25])


def scores_of(noise: float) -> NDArray[np.float64]:
    """Scores of a model, odd multiples of 1/128, which are worse in the south."""
    spread = np.where(SITE == "south", 2 * noise, noise)
    hidden = 0.5 + 0.4 * (TRUE - 0.5) + random.normal(0, spread)
    return (np.clip(np.floor(hidden * 64), 0, 63) + 0.5) / 64


SCORE, OTHER_SCORE = scores_of(0.2), scores_of(0.25)
PRED, OTHER = (SCORE > 0.5).astype(int), (OTHER_SCORE > 0.5).astype(int)
ROW = np.arange(N)
HALF = ROW % 2
TIMES = random.integers(1, 4, N)
ALL = Samples(TRUE, PRED, SCORE, OTHER, OTHER_SCORE, ROW)
OPPOSITE = ALL._replace(pred=1 - PRED, other=1 - OTHER)
OF_THE_OTHER = ALL._replace(score=1 - SCORE, other_score=1 - OTHER_SCORE)
EXCHANGED = OF_THE_OTHER._replace(true=1 - TRUE, pred=1 - PRED, other=1 - OTHER)
# It is positive, predicted so, and in the north.
FIRST = ALL.at(np.flatnonzero(TRUE & PRED & (SITE == "north"))[:1])
IS_OCCUPIED = ~((SITE == "south") & (YEAR == 2025))

# Three classes whose order is not their alphabet.
SIZES = ["low", "fair", "high"]
SIZE = random.integers(0, 3, N)
IS_LOW_OR_HIGH = SIZE != 1


def probabilities_of(certainty: float) -> NDArray[np.float64]:
    """Probabilities of the three classes, by a model."""
    raised = random.dirichlet([1, 1, 1], N) + certainty * np.eye(3)[SIZE]
    return raised / raised.sum(1, keepdims=True)


P_OF_SIZES, OTHER_P_OF_SIZES = probabilities_of(0.4), probabilities_of(0.3)


def against_the_rest(size: int) -> Samples:
    """One of the three classes and the rest."""
    models = P_OF_SIZES, OTHER_P_OF_SIZES
    pred, other = ((of.argmax(1) == size).astype(int) for of in models)
    score, other_score = (of[:, size] for of in models)
    return Samples((size == SIZE).astype(int), pred, score, other, other_score, ROW)


def three_classes(at: Any = ROW) -> dict[str, Any]:
    """The three classes as they are passed."""
    true, pred, other = (
        np.array(SIZES)[codes][at]
        for codes in (SIZE, P_OF_SIZES.argmax(1), OTHER_P_OF_SIZES.argmax(1))
    )
    scores = {"score": P_OF_SIZES[at], "other_score": OTHER_P_OF_SIZES[at]}
    return {"true": true, "pred": pred, "other": other, **scores, "classes": {"classes": SIZES}}


def two_classes(samples: Samples = ALL) -> dict[str, Any]:
    """Two classes as they are passed."""
    passed = samples._asdict()
    return {"rows": passed.pop("row"), **passed}


def with_index(of_true: Any, of_pred: Any, ordered: bool) -> dict[str, Any]:
    """Two classes as pandas Series with these indices."""

    def series(values: Any, index: Any) -> pd.Series:
        return pd.Series(pd.Categorical(values, [0, 1], ordered=True) if ordered else values, index)

    return {
        "true": series(TRUE, of_true),
        "pred": series(PRED, of_pred),
        "score": pd.Series(SCORE, of_pred),
        "other": series(OTHER, of_pred),
        "other_score": pd.Series(OTHER_SCORE, of_pred),
        "rows": ROW,
    }


NAMES = np.random.default_rng(0).permutation(N)


def with_positives(number: int) -> Variant:
    """All negative samples, and so many positive ones of each site."""
    is_positive = TRUE == 1
    kept = [np.flatnonzero(is_positive & (site == SITE))[:number] for site in ("north", "south")]
    samples = ALL.at(np.sort(np.concatenate([np.flatnonzero(~is_positive), *kept])))
    return Variant(NINE, **two_classes(samples), stands_for=(samples,), axes={"group": SITE})


def by_site(variant: Variant) -> Variant:
    """The same by site, if there are no groups."""
    return variant if variant.axes else variant.before("group", SITE)


BOTH = {"year": YEAR, "site": SITE}


def in_one_axis(variant: Variant) -> Variant:
    """The same by the combinations of year and site."""
    both = [f"{year}, {site}" for year, site in zip(YEAR, SITE, strict=True)]
    return replace(variant, axes={"year, site": np.array(both)})


VARIANTS = [
    Variant(LOSS, **two_classes(), stands_for=(OPPOSITE,), is_loss=True),
    Variant(GROUPS, **two_classes(), stands_for=(ALL,), axes={"group": SITE}),
    Variant(
        ONE_CLASS,
        **three_classes(),
        rows=ROW,
        stands_for=(against_the_rest(1),),
        chosen={"labels": ["fair"], "average": "macro"},
    ),
    Variant(
        EMPTY, **two_classes(ALL.at(IS_OCCUPIED)), stands_for=(ALL.at(IS_OCCUPIED),), axes=BOTH
    ),
    # Scores are those of the positive class.
    Variant(
        OTHER_CLASS, **two_classes(OF_THE_OTHER), stands_for=(EXCHANGED,), positive={"pos_label": 0}
    ),
    # The names of both are the same, in another order; also of each half.
    Variant(PERMUTED, **with_index(NAMES, np.roll(NAMES, 2), ordered=True), stands_for=(ALL,)),
    # Default names are names here: those of the samples before they were put in another order.
    Variant(
        PERMUTED_GROUPS,
        **with_index(NAMES, NAMES, ordered=False),
        stands_for=(ALL,),
        axes={"group": SITE},
        index_of_groups=pd.RangeIndex(N),
    ),
    Variant(
        PERMUTED_WEIGHTS,
        **with_index(NAMES, NAMES, ordered=False),
        stands_for=(ALL,),
        weight={"sample_weight": pd.Series(TIMES)},
    ),
    Variant(TWO_AXES, **two_classes(), stands_for=(ALL,), axes=BOTH),
    Variant(ONE_ROW, **two_classes(FIRST), stands_for=(FIRST,)),
    Variant(
        NO_MIDDLE,
        **three_classes(IS_LOW_OR_HIGH),
        rows=ROW[IS_LOW_OR_HIGH],
        # In the order of their alphabet: fair, high, low.
        stands_for=tuple(against_the_rest(size).at(IS_LOW_OR_HIGH) for size in (1, 2, 0)),
        chosen={"average": None},
    ),
    Variant(
        WEIGHTS,
        **two_classes(),
        stands_for=(ALL.at(np.repeat(ROW, TIMES)),),
        weight={"sample_weight": TIMES},
    ),
    # No default index: its names are those of other samples.
    Variant(
        RANGE,
        **with_index(pd.RangeIndex(N), pd.RangeIndex(5, N + 5), ordered=False),
        stands_for=(ALL,),
    ),
    with_positives(9),
]
TEN = with_positives(10)
