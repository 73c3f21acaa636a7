"""Which methods for limits apply to a value, by the metric and the design of the samples."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.properties import RIGHT, WRONG
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.statistics.estimand import SHARES, Estimand
from skmetrics_ext.statistics.values.delta import SCALES


class Method(NamedTuple):
    """How limits of a value are found: the name that results show, and who published it."""

    shown: str
    source: str
    # Whether limits are too narrow for few samples, or for few hits or misses.
    of_few: Literal["hold", "few samples", "few hits or misses"] = "few samples"
    # Whether each limit by itself holds as often as both.
    holds_on_each_side: bool = False
    is_resampled: bool = False


# What `method=` names.
METHODS = {
    "mid-p": Method("mid-P", "Lancaster 1961; Berry & Armitage 1995", "hold"),
    "wilson": Method("Wilson", "Wilson 1927", "few hits or misses"),
    "jeffreys": Method("Jeffreys", "Brown, Cai & DasGupta 2001", "few hits or misses"),
    "clopper-pearson": Method(
        "Clopper-Pearson", "Clopper & Pearson 1934", "hold", holds_on_each_side=True
    ),
    "korn-graubard": Method(
        "Korn-Graubard", "Korn & Graubard 1998", "hold", holds_on_each_side=True
    ),
    "mid-p-mover": Method("MOVER of mid-P", "Zou & Donner 2008; Donner & Zou 2012", "hold"),
    "mover": Method("MOVER", "Newcombe 1998; Donner & Zou 2012", "few hits or misses"),
    "exact-mover": Method(
        "MOVER of exact limits", "Zou & Donner 2008", "hold", holds_on_each_side=True
    ),
    "effective-mid-p": Method(
        "mid-P of an effective n", "Korn & Graubard 1998; Dean & Pagano 2015"
    ),
    "effective-clopper-pearson": Method(
        "Clopper-Pearson of an effective n", "Korn & Graubard 1998", holds_on_each_side=True
    ),
    "delta": Method("delta", "Agresti 2013; on the logarithm Woolf 1955, Katz et al. 1978"),
    "smoothed-bootstrap": Method("smoothed bootstrap", "Silverman & Young 1987", is_resampled=True),
    "bootstrap": Method("bootstrap", "Efron 1979", is_resampled=True),
    "dirichlet": Method("Dirichlet", "Goutte & Gaussier 2005", is_resampled=True),
}
OF_FEW = tuple(name for name, method in METHODS.items() if method.of_few == "hold")
RESAMPLED = tuple(name for name, method in METHODS.items() if method.is_resampled)

# The methods for limits of a value, by the design and by the class of function, the best first; of
# values that are not differentiable everywhere all but "delta".
PLAIN = ("smoothed-bootstrap", "bootstrap", "dirichlet")
TABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "independent": {
        "share": ("mid-p", "wilson", "jeffreys", "clopper-pearson", *PLAIN, "delta"),
        "two rates": ("mid-p-mover", "mover", "exact-mover", *PLAIN, "delta"),
        "ratio of two rates": ("mid-p-mover", "mover", "exact-mover", "delta", *PLAIN),
        "own scale": ("delta", *PLAIN),
        "bounded": ("effective-mid-p", "effective-clopper-pearson", *PLAIN, "delta"),
        "other": (*PLAIN, "delta"),
    },
    # Numbers of actual classes that were chosen, of values that depend on these.
    "fixed margins": {"own scale": ("delta", *PLAIN), "other": (*PLAIN, "delta")},
    # Weighted or clustered samples. Values that count errors of both kinds may lack one of them,
    # which pseudo-samples of the delta method represent.
    "of samples": {
        "share": ("mid-p", "wilson", "korn-graubard", "delta", "smoothed-bootstrap"),
        "share of both errors": ("delta", "mid-p", "wilson", "korn-graubard", "smoothed-bootstrap"),
        "two rates": ("mid-p-mover", "mover", "exact-mover", "delta", "smoothed-bootstrap"),
        "other": ("delta", "smoothed-bootstrap"),
    },
}
# What equals a share at these is one: all are ratios of linear functions of it.
SOME_SHARES = np.array([0.25, 0.5, 0.75])
# Values whose replicates' bias exceeds their uncertainty, unless their method allows for it.
BIASED = ("quantity", "allocation", "biased", "largest share")


def chosen_method(
    estimand: Estimand,
    asked: str,
    fitting: Sequence[str],
    of: str = "",
    *,
    prefers_exact: bool = False,
) -> str:
    """The method named, or the first applicable one, or one that holds on each side."""
    if asked == "auto":
        holding = [name for name in fitting if METHODS[name].holds_on_each_side]
        return [*holding, *fitting][0] if prefers_exact else fitting[0]
    # Of equal weights both are the same.
    if asked == "korn-graubard" and "clopper-pearson" in fitting:
        return "clopper-pearson"
    if asked not in fitting:
        raise ValueError(
            f"method={asked!r} does not apply to {_named(estimand)}{of}: choose one of "
            f"{sorted(fitting)}."
        )
    return asked


def _named(estimand: Estimand) -> str:
    """A metric and its average for a message."""
    name = estimand.choice.asked
    if not estimand.choice.row.has_average:
        return name
    if estimand.is_of_one_class:
        return f"{name} of one class"
    return f"{name} with average={estimand.average!r}"


def has_slope(row: Metric, average: str | None) -> bool:
    """Whether the value is differentiable everywhere."""
    return not row.has_kinks and row.interval != "biased" and not kind_of_average(average).is_worst


def fitting_methods(estimand: Estimand, design: SampleDesign, *, by_row: bool) -> list[str]:
    """The methods for a value and a design, the best first."""
    is_of_actual = estimand.is_of_actual() and (
        estimand.is_of_one_class or estimand.rates is not None
    )
    # Others are distributed otherwise if numbers of actual classes are fixed.
    kind = "independent" if not by_row or is_of_actual else "fixed margins"
    if design.sees_samples:
        kind = "of samples"
    rows = TABLE[kind]
    of_class = next(name for name in _classes_of(estimand, design) if name in rows)
    if has_slope(estimand.choice.row, estimand.average):
        return [*rows[of_class]]
    return [name for name in rows[of_class] if name != "delta"]


def _classes_of(estimand: Estimand, design: SampleDesign) -> Iterator[str]:
    """The classes of function of a value, the narrowest first."""
    row = estimand.choice.row
    is_of_one = estimand.is_of_one_class
    has_scale = is_of_one and row.interval in SCALES
    if estimand.proportion is not None:
        # Of clusters the accuracy, and a linear function of it, is a proportion as any other.
        is_as_any = design.keeps_units_together and (row.interval in SHARES or is_share(estimand))
        counts_both = not is_of_one or (row.share is not None and row.share.hits in (RIGHT, WRONG))
        if (is_of_one and row.interval == "overlap") or (counts_both and not is_as_any):
            yield "share of both errors"
        yield "share"
    elif estimand.overlap is not None and not design.sees_samples:
        yield "share"
    if estimand.is_of_two_shares:
        if has_scale:
            yield "ratio of two rates"
        yield "two rates"
    if has_scale:
        yield "own scale"
    if has_effective_number(estimand):
        yield "bounded"
    yield "other"


def has_effective_number(estimand: Estimand) -> bool:
    """Whether a value is in a known range, and no mean of classes, whose bias adds up, nor of cells
    of three or more classes, most of which are empty.
    """
    row = estimand.choice.row
    is_of_classes = row.has_average and not estimand.is_of_one_class
    if is_of_classes or row.interval not in ("smooth", "linear over linear"):
        return False
    is_linear = row.interval == "linear over linear"
    has_few_parts = estimand.margins_suffice or is_linear or estimand.matrices.shape[-1] == 2
    least, most = estimand.ends
    return has_few_parts and bool(np.isfinite(most - least).all() and (most > least).all())


def is_share(estimand: Estimand) -> bool:
    """Whether a value is itself a proportion of samples."""
    share = estimand.proportion
    return share is not None and np.allclose(share.value_at(SOME_SHARES), SOME_SHARES)


def choice_of_each(estimand: Estimand) -> Choice | None:
    """The values of the classes of which a value is the mean; None for others, and if unbounded."""
    choice = estimand.choice
    if choice.row.mean_of:
        return choice_of_classes(choice)
    is_mean = estimand.kind.is_mean_of_classes and not estimand.is_of_one_class
    # If an empty cell makes a class infinite, averages have no valid interval.
    return choice._replace(average=None) if is_mean and not choice.row.is_infinite_at_0 else None


def or_mover(method: str) -> str:
    """The displayed name of a method with limits at least as wide as MOVER of the classes'."""
    return f"the wider of {METHODS[method].shown} and MOVER"
