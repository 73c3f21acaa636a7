"""Which methods for limits apply to a value, by the metric and the design of the samples."""

import numpy as np

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.statistics.delta import SCALES
from skmetrics_ext.statistics.estimand import Estimand

METHODS = {
    "mid-p": "mid-P",
    "wilson": "Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "korn-graubard": "Korn-Graubard",
    "mid-p-mover": "MOVER of mid-P",
    "mover": "MOVER",
    "exact-mover": "MOVER of exact limits",
    "effective-mid-p": "mid-P of an effective number",
    "effective-clopper-pearson": "Clopper-Pearson of an effective number",
    "delta": "delta",
    "bootstrap": "smoothed bootstrap",
    "dirichlet": "Dirichlet",
}
# Of proportions: of numbers of samples, and of effective numbers.
EXACT = ("clopper-pearson", "korn-graubard")
# Of one or of two proportions.
HOLDING_ON_EACH_SIDE = (*EXACT, "exact-mover", "effective-clopper-pearson")
RESAMPLED = ("bootstrap", "dirichlet")
OF_FEW = ("mid-p", *EXACT, "mid-p-mover", "exact-mover")
# By name alone: their limits are too narrow for few hits or misses.
HOLDING_FOR_MANY = ("wilson", "mover")
# What equals a share at these is one: all are ratios of linear functions of it.
SHARES = np.array([0.25, 0.5, 0.75])
# Values whose replicates' bias exceeds their uncertainty, unless their method allows for it.
BIASED = ("quantity", "allocation", "biased", "largest share")


def chosen_method(
    estimand: Estimand, asked: str, fitting: list[str], of: str = "", *, prefers_exact: bool = False
) -> str:
    """The method named, or the first applicable one, or an exact one if preferred."""
    exact = [method for method in EXACT if method in fitting]
    if asked == "auto":
        holding = [method for method in HOLDING_ON_EACH_SIDE if method in fitting]
        return [*holding, *fitting][0] if prefers_exact else fitting[0]
    # Of equal weights both are the same.
    if asked == "korn-graubard" and exact:
        return exact[0]
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
    if design.sees_samples:
        return _fitting_designs(estimand, design)
    row = estimand.choice.row
    # Others are distributed otherwise if numbers of actual classes are fixed.
    keeps_distribution = not by_row or (
        estimand.is_of_actual() and (estimand.is_of_one_class or estimand.rates is not None)
    )
    fitting = []
    if keeps_distribution and (estimand.proportion or estimand.overlap) is not None:
        fitting += ["mid-p", "wilson", "clopper-pearson"]
    if keeps_distribution and estimand.is_of_two_shares:
        fitting += ["mid-p-mover", "mover", "exact-mover"]
    if estimand.is_of_one_class and row.interval in SCALES:
        return [*fitting, "delta", "bootstrap", "dirichlet"]
    by_delta = ["delta"] if has_slope(row, estimand.average) else []
    if by_delta and not by_row and has_effective_number(estimand):
        fitting += ["effective-mid-p", "effective-clopper-pearson"]
    return [*fitting, "bootstrap", "dirichlet", *by_delta]


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


def _fitting_designs(estimand: Estimand, design: SampleDesign) -> list[str]:
    """The methods for samples with weights or in clusters, the best first: F1 and accuracy may lack
    one kind of error, which pseudo-samples of the delta method represent.
    """
    row = estimand.choice.row
    shares = ["mid-p", "wilson", "korn-graubard"] if estimand.proportion is not None else []
    if estimand.is_of_two_shares:
        shares += ["mid-p-mover", "mover", "exact-mover"]
    by_delta = ["delta"] if has_slope(row, estimand.average) else []
    is_of_both = estimand.is_of_one_class and row.interval == "overlap"
    # Of clusters the accuracy is a proportion as any other.
    is_of_all = not (estimand.is_of_one_class or estimand.is_of_two_shares) and not (
        design.keeps_units_together and is_share(estimand)
    )
    if is_of_both or is_of_all:
        return [*by_delta, *shares, "bootstrap"]
    return [*shares, *by_delta, "bootstrap"]


def is_share(estimand: Estimand) -> bool:
    """Whether a value is itself a proportion of samples."""
    share = estimand.proportion
    return share is not None and np.allclose(share.value_at(SHARES), SHARES)


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
    return f"the wider of {METHODS[method]} and MOVER"
