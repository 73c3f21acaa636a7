"""sample_size: how many samples an interval, a bound or a comparison needs, and their power."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.analyses.compare_curves import areas_on_same_samples, caveats_of_pooling
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.properties import ACTUAL_NEGATIVE, ACTUAL_POSITIVE, ALL
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.counting.design import refuse_fractions
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.designs import matrix_at
from skmetrics_ext.reading.arguments import check_confidence_level, check_in_range, check_whole
from skmetrics_ext.reading.calls import explained, explained_methods
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.constants import FEW_HITS
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.promises import power as powers
from skmetrics_ext.statistics.receipts import head_of, plain_caveats, plain_value, sources_of
from skmetrics_ext.statistics.values.proportions import n_for_mid_p
from skmetrics_ext.writing.text import numbered

Powers = dict[str, Callable[..., Any]]
# What is planned -> its power. A pilot is one way to say what to expect of two models.
OF_SHARES: Powers = {
    "half_width": powers.width,
    "bound": powers.bound,
    "disagreement": powers.mcnemar,
}
OF_AREAS: Powers = {
    "half_width": powers.width_of_area,
    "bound": powers.bound_of_area,
    "correlation": powers.areas,
}
METHODS_OF_SHARES = {"half_width": "mid-p", "bound": "clopper-pearson", "disagreement": "mcnemar"}
OF_ONE_MODEL = ("half_width", "bound")
RANGES = {"half_width": (0, 0.5), "correlation": (-1, 1)}
ROUNDING = 1e-12


@explained_methods
@dataclass(frozen=True, repr=False)
class SampleSize:
    """A number of samples and its power.

    Attributes
    ----------
    n : int
        The number of samples, for a proportion those in its denominator, such as those of the class
        for recall.
    power : float
        The probability that the interval is narrow enough, or that the bound or the difference is
        shown.
    n_positive, n_negative : int or None
        The samples of each class, for "roc_auc"; None for proportions.
    n_clusters : int or None
        Their clusters; None for independent samples.
    n_to_collect : int or None
        The number of samples to collect at a `prevalence`, of which n or so are of the class; None
        without a prevalence, and for areas, whose n it is.
    method : str
        The limits or the test that are planned.
    caveats : tuple of Caveat
        What the pilot does not tell.

    Examples
    --------
    >>> from skmetrics_ext import sample_size
    >>> sample_size("recall", value=0.95, bound=0.9, n=200)
    200 samples, power 0.700
    """

    n: int
    power: float
    n_positive: int | None = None
    n_negative: int | None = None
    n_clusters: int | None = None
    n_to_collect: int | None = None
    method: str = ""
    caveats: tuple[Caveat, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values for JSON, with "version" and "sources" of the method.

        Returns
        -------
        dict
        """
        values = {of.name: plain_value(getattr(self, of.name)) for of in fields(self)}
        values["caveats"] = plain_caveats(self.caveats)
        return {**head_of(self), **values, "sources": sources_of(self.method)}

    def sentence(self, *, digits: int = 2) -> str:
        """The result in words, for a report.

        Parameters
        ----------
        digits : int, default=2
            Number of decimal places in the text.

        Returns
        -------
        str
        """
        check_whole(digits, "digits")
        return f"{self._samples()} have a power of {self.power:.{digits}f} ({self.method})"

    def __repr__(self) -> str:
        return f"{self._samples()}, power {self.power:.3f}"

    def _samples(self) -> str:
        """How many samples, of which classes or in how many clusters."""
        parts = ""
        if self.n_positive is not None:
            parts = f" ({self.n_positive} positive, {self.n_negative} negative)"
        if self.n_clusters is not None:
            parts = f" in {numbered(self.n_clusters, 'cluster')}"
        if self.n_to_collect is not None:
            parts = f" of {self.n_to_collect} to collect"
        return f"{numbered(self.n, 'sample')}{parts}"


@explained
def sample_size(
    metric: str | Callable[..., Any],
    *,
    value: float | tuple[float, float] | None = None,
    half_width: float | None = None,
    bound: float | None = None,
    disagreement: float | None = None,
    correlation: float | None = None,
    pilot: Sequence[Sequence[float]] | Mapping[str, ThresholdCurve] | None = None,
    assurance: float | None = None,
    power: float | None = None,
    n: int | None = None,
    prevalence: float | None = None,
    icc: float | None = None,
    cluster_size: int | None = None,
    confidence_level: float = 0.95,
) -> SampleSize:
    """The smallest sample size for an interval of a given width, to show a bound, or to show that
    two models differ.

    Pass exactly one of `half_width`, `bound`, `disagreement`, `correlation` and `pilot`. Add
    `power` (with `half_width`: `assurance`), or `n` for the power of that number of samples.

    Parameters
    ----------
    metric : str or function
        A proportion, such as "recall", "specificity", "precision" or "accuracy"; or "roc_auc".
    value : float or tuple of two floats, default=None
        The anticipated value, or those of two models on the same samples. A pilot has its own.
    half_width : float, default=None
        Maximum half-width of the interval, below 0.5.
    bound : float, default=None
        A value that the interval should exclude.
    disagreement : float, default=None
        For two models: proportion of the samples on which exactly one is correct.
    correlation : float, default=None
        For two models: correlation of their estimated areas; 0 if each has samples of its own.
    pilot : sequence of shape (2, 2) or dict of str to ThresholdCurve, default=None
        Data on two models: for a proportion, the numbers of samples that [[both, only the first],
        [only the second, neither]] have correct; for "roc_auc" their curves.
    assurance : float, default=None
        Probability that the interval is at most so wide. None: it is where the estimate is `value`.
    power : float, default=None
        Probability that the interval excludes the bound, or that the test shows the difference.
    n : int, default=None
        A given number of samples, counted as in `SampleSize`.
    prevalence : float, default=None
        Proportion of positive samples. For "roc_auc" None is that of the pilot, or 0.5; for metrics
        of one class, such as recall and specificity, it gives the number to collect.
    icc : float, default=None
        For samples in clusters, such as images of a patient: the intraclass correlation of being
        right, from 0 (as independent) to 1 (all alike). None: independent samples.
    cluster_size : int, default=None
        The samples of each cluster that count for the metric, with `icc`.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.

    Returns
    -------
    SampleSize
        No larger sample size has less than the power asked for: that of counts rises in saw teeth.

    Raises
    ------
    ValueError
        If the metric does not fit, or options are out of range or do not go together.

    References
    ----------
    Berry & Armitage (1995), The Statistician 44:417, for mid-P; Clopper & Pearson (1934),
    Biometrika 26:404; Miettinen (1968), Biometrics 24:339; Connor (1987), Biometrics 43:207; Hanley
    & McNeil (1982), Radiology 143:29; Obuchowski & McClish (1997), Statistics in Medicine 16:1529;
    Donner, Birkett & Buck (1981), American Journal of Epidemiology 114:906, for the design effect.

    Examples
    --------
    >>> from skmetrics_ext import sample_size
    >>> sample_size("recall", value=0.9, half_width=0.03, assurance=0.9)
    448 samples, power 0.912
    >>> sample_size("recall", value=0.95, bound=0.9, power=0.8, prevalence=0.02)
    255 samples of 12734 to collect, power 0.859
    """
    numbers = {
        "half_width": half_width,
        "bound": bound,
        "correlation": correlation,
        "assurance": assurance,
        "power": power,
        "prevalence": prevalence,
    }
    for name, number in numbers.items():
        if number is not None:
            _check_between(number, name, *RANGES.get(name, (0, 1)))
    check_confidence_level(confidence_level)
    is_area = isinstance(metric, str) and metric.lower() == "roc_auc"
    clusters = _read_clusters(icc, cluster_size, is_area)
    options = {**numbers, "disagreement": disagreement, "pilot": pilot, "value": value, "n": n}
    option = _option_of_plan(is_area, options)
    share = None
    if not is_area:
        _check_proportion(metric, is_of_pair=option not in OF_ONE_MODEL)
        share = _share_of_class(metric, prevalence, clusters)
    plan = _plan_of(is_area, option, options)
    _check_differ(plan)
    alpha = 1 - confidence_level
    power_at = partial(plan.power_at, alpha=alpha, **plan.expected)
    if n is not None:
        check_whole(n, "n", 1 + is_area)
    if clusters is not None:
        return _in_clusters(clusters, plan, power_at, n, power or assurance, alpha)
    aim = None if n is not None else power or assurance
    if n is None:
        n = _n_needed(plan, power_at, aim, alpha)
    n_to_collect = None if share is None else powers.n_to_collect(power_at, share, n, aim)
    n_positive = n_negative = None
    if is_area:
        n_positive, n_negative = map(int, powers.classes_of(n, plan.expected["prevalence"]))
    return told(
        SampleSize(
            n=int(n),
            power=float(power_at(n)),
            n_positive=n_positive,
            n_negative=n_negative,
            n_to_collect=n_to_collect,
            method=plan.method,
            caveats=plan.caveats,
        )
    )


class _Clusters(NamedTuple):
    """Samples that come in clusters of one size, and how alike these are."""

    size: int
    icc: float

    def effective(self, n: int, rarer: float, alpha: float) -> float:
        """How many independent samples say as much as n of these, of so rare an outcome."""
        if self.size == 1:
            return float(n)
        n_clusters = max(n / self.size, 1 + ROUNDING)
        worth = n / (1 + (self.size - 1) * self.icc)
        if rarer * worth < FEW_HITS:
            # So few do not tell how clusters differ: each counts as one sample.
            worth = n_clusters
        errors = special.ndtri(alpha / 2) / special.stdtrit(n_clusters - 1, alpha / 2)
        return float(worth * errors**2)


def _read_clusters(icc: Any, cluster_size: Any, is_area: bool) -> _Clusters | None:
    """How the samples depend on each other, if they do."""
    if icc is None and cluster_size is None:
        return None
    if icc is None or cluster_size is None:
        raise ValueError(
            f"icc={icc!r} and cluster_size={cluster_size!r} go together: pass both, or none for "
            "independent samples."
        )
    if is_area:
        raise ValueError("icc= and cluster_size= are for proportions, not for areas.")
    check_in_range(icc, "icc", lambda x: 0 <= x <= 1, "a number from 0 to 1")
    check_whole(cluster_size, "cluster_size", 1)
    return _Clusters(int(cluster_size), float(icc))


def _in_clusters(
    clusters: _Clusters,
    plan: _Plan,
    power_at: Callable[..., Any],
    n: int | None,
    aim: float | None,
    alpha: float,
) -> SampleSize:
    """The plan of independent samples, for so many in clusters."""
    rarer = plan.rarer
    if n is None:
        wanted = _n_needed(plan, power_at, aim, alpha)
        n_clusters = _first_with(
            lambda count: clusters.effective(count * clusters.size, rarer, alpha) >= wanted
        )
        n = n_clusters * clusters.size
    effective = int(clusters.effective(n, rarer, alpha) + ROUNDING)
    power = float(power_at(effective)) if effective else 0.0
    n_clusters = -(-n // clusters.size)
    return SampleSize(n=n, power=power, n_clusters=n_clusters, method=plan.method)


def _first_with(is_enough: Callable[[int], Any]) -> int:
    """The first n from 2 on that is enough, as are all after it."""
    most = 2
    while not is_enough(most):
        most *= 2
    least = 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if is_enough(middle) else (middle, most)
    return most


def _check_between(number: Any, name: str, low: float, high: float) -> None:
    """Refuse numbers outside of an open interval."""
    check_in_range(number, name, lambda x: low < x < high, f"a number above {low} and below {high}")


def _option_of_plan(is_area: bool, options: dict[str, Any]) -> str:
    """The option that says what is planned; those that do not go with it are refused."""
    given = [name for name, option in options.items() if option is not None]
    plans = [*(OF_AREAS if is_area else OF_SHARES), "pilot"]
    found = [name for name in given if name in {*OF_AREAS, *OF_SHARES, "pilot"}]
    if len(found) != 1 or found[0] not in plans:
        raise ValueError(
            f"{'an area' if is_area else 'a proportion'} needs exactly one of {plans}; got {given}."
        )
    [plan] = found
    aims = ["assurance" if plan == "half_width" else "power", "n"]
    others = ["value", "prevalence"]
    if plan == "pilot":
        # Data tell what is expected, of proportions but for the prevalence.
        others = [] if is_area else ["prevalence"]
    # Without an aim, a width is that of an estimate equal to the value.
    least_aims = 0 if plan == "half_width" else 1
    n_aims = sum(name in given for name in aims)
    if {*given} - {plan, *aims, *others} or not least_aims <= n_aims <= 1:
        with_others = f"goes with {' and '.join(others)} and" if others else "goes with"
        needs = "at most one" if plan == "half_width" else "one"
        raise ValueError(f"{plan} {with_others} {needs} of {aims}; got {given}.")
    return plan


def _check_proportion(metric: Any, *, is_of_pair: bool) -> None:
    """Refuse metrics that are no proportions, or not of the same samples for two models."""
    row, average = resolve(metric)
    shares = [other for other in METRICS if other.is_of_samples]
    fitting = [other for other in shares if not is_of_pair or _is_of_same_samples(other)]
    # A custom metric may have the name of one of them.
    if row not in fitting or average is not None:
        name = row.name if average is None else f"{row.name}_{average}"
        name = f"the custom metric {name}" if row.is_custom else name
        is_left_out = row in shares and row not in fitting and average is None
        what = "the same samples for both models" if is_left_out else "samples"
        names = [*(other.name for other in fitting), "roc_auc"]
        raise ValueError(f"{name} is not a proportion of {what}: plan for one of {names}.")


def _share_of_class(
    metric: Any, prevalence: float | None, clusters: _Clusters | None
) -> float | None:
    """The share of all samples that count for a proportion, by the prevalence, if it is given."""
    if prevalence is None:
        return None
    row, _ = resolve(metric)
    shares = {ACTUAL_POSITIVE: prevalence, ACTUAL_NEGATIVE: 1 - prevalence}
    among = None if row.share is None else row.share.among
    if among == ALL:
        raise ValueError(f"{row.name} counts all samples: omit prevalence=, n is to be collected.")
    if among not in shares:
        raise ValueError(
            f"the prevalence does not tell how many samples {row.name} counts: divide n by the "
            "expected share of these to get the number to collect."
        )
    if clusters is not None:
        raise ValueError("prevalence= is for independent samples: pass it without icc=.")
    return shares[among]


def _is_of_same_samples(row: Metric) -> bool:
    """Whether a proportion has the same samples for two models, and may differ between them."""
    is_predictive = row.share is not None and row.share.is_predictive
    return not (is_predictive or row.is_fixed_by_design)


class _Plan(NamedTuple):
    """What is planned, and what is expected of the models."""

    # An option of sample_size: not "pilot", but the option that it stands for.
    option: str
    is_area: bool
    # The arguments of `power_at` besides n and alpha.
    expected: dict[str, Any]
    # What a pilot does not tell.
    caveats: tuple[Caveat, ...] = ()

    @property
    def power_at(self) -> Callable[..., Any]:
        """The power by n, alpha and what is expected."""
        return (OF_AREAS if self.is_area else OF_SHARES)[self.option]

    @property
    def method(self) -> str:
        """The limits or the test that are planned."""
        return shown("normal-scores" if self.is_area else METHODS_OF_SHARES[self.option])

    @property
    def rarer(self) -> float:
        """The expected proportion of hits or misses, or of disagreement."""
        share = self.expected.get("disagreement", self.expected["value"])
        return float(min(share, 1 - share))


def _plan_of(is_area: bool, option: str, options: dict[str, Any]) -> _Plan:
    """What the options, or a pilot, say of the models."""
    if option == "pilot":
        if is_area:
            areas = _areas_of_curves(options["pilot"])
            return _Plan("correlation", is_area, areas, caveats_of_pooling(options["pilot"]))
        return _Plan("disagreement", is_area, _shares_of_table(options["pilot"]))
    _check_values(options["value"], option, is_area)
    expected = {"value": options["value"], option: options[option]}
    if is_area:
        expected["prevalence"] = options["prevalence"] or 0.5
    return _Plan(option, is_area, expected)


def _check_values(value: Any, plan: str, is_area: bool) -> None:
    """Refuse impossible values, or not of as many models."""
    if value is None:
        whose = (
            "the anticipated value" if plan in OF_ONE_MODEL else "the anticipated values of both"
        )
        raise ValueError(f"{plan}= needs value=, {whose}.")
    is_pair = isinstance(value, tuple) and len(value) == 2
    if is_pair == (plan in OF_ONE_MODEL):
        raise ValueError(
            f"value must be {'one number' if is_pair else 'a tuple of two'} with {plan}=; got "
            f"{value!r}."
        )
    for number in value if is_pair else (value,):
        if is_area:
            _check_between(number, "value", 0, 1)
        else:
            check_in_range(number, "value", lambda x: 0 <= x <= 1, "a number from 0 to 1")


def _shares_of_table(pilot: Any) -> dict[str, Any]:
    """The proportions of two models, and that on which they differ."""
    counts = np.asarray(pilot, dtype=float)
    are_counts = np.isfinite(counts).all() and (counts >= 0).all() and counts.any()
    if counts.shape != (2, 2) or not are_counts:
        raise ValueError(
            "pilot must be [[both correct, only the first], [only the second, neither]]; got "
            f"{pilot!r}."
        )
    refuse_fractions(counts, "a pilot")
    shares = counts / counts.sum()
    return {
        "value": (shares[0].sum(), shares[:, 0].sum()),
        "disagreement": shares[0, 1] + shares[1, 0],
    }


def _areas_of_curves(pilot: Any) -> dict[str, Any]:
    """The areas of two curves, their correlation, and variances relative to normal scores'."""
    if not isinstance(pilot, Mapping) or len(pilot) != 2:
        raise ValueError(
            "pilot must be a dict of two ThresholdCurves for 'roc_auc'; got "
            f"{type(pilot).__name__}."
        )
    areas_by_name, variance_of_difference, _ = areas_on_same_samples(pilot)
    designs = [matrix_at(curve, curve.thresholds[0])._design for curve in pilot.values()]
    if no_numbers := [design.name for design in designs if design.are_weights]:
        raise ValueError(
            f"pilot has curves of {no_numbers[0]}, which do not give numbers of samples: make them "
            "with ThresholdCurve.from_scores(y_true, y_score)."
        )
    areas = list(areas_by_name.values())
    values = np.array([area.value for area in areas])
    variances = np.array([area.variance for area in areas])
    n_positive, n_negative = areas[0].n_positive, areas[0].n_negative
    if any(np.isfinite(area.n_clusters) for area in areas):
        raise ValueError(
            "pilot has curves of clusters, but a number of samples is planned for independent ones."
        )
    if not variances.all():
        raise ValueError(
            "pilot has an area without a variance: it needs more samples, or models that misrank "
            "some."
        )
    covariance = (variances.sum() - variance_of_difference(*pilot)) / 2
    return {
        "value": values,
        "correlation": covariance / np.sqrt(variances.prod()),
        "prevalence": n_positive / (n_positive + n_negative),
        "relative": variances / powers.variance_of_area(values, n_positive, n_negative),
    }


def _check_differ(plan: _Plan) -> None:
    """Refuse values that do not differ, from each other or the bound, or by an impossible share."""
    if plan.option == "half_width":
        return
    if plan.option == "bound":
        first, second = plan.expected["value"], plan.expected["bound"]
    else:
        first, second = plan.expected["value"]
    if abs(first - second) <= ROUNDING:
        raise ValueError(f"both values are {first:g}: no number of samples shows a difference.")
    if plan.option == "disagreement":
        least = abs(first - second) - ROUNDING
        most = min(first + second, 2 - first - second) + ROUNDING
        within = f"a number from {least:.4g} to {most:.4g}, as the values imply"
        disagreement = plan.expected["disagreement"]
        check_in_range(disagreement, "disagreement", lambda x: least <= x <= most, within)


def _n_needed(
    plan: _Plan, power_at: Callable[[Any], Any], power: float | None, alpha: float
) -> int:
    """The least n with this power; without one, for a width, of an estimate equal to the value."""
    if power is None and not plan.is_area:
        return n_for_mid_p(plan.expected["value"], plan.expected["half_width"], alpha)
    # Half of all intervals of an area are wider than the value's.
    is_binomial = plan.option == "bound" and not plan.is_area
    return powers.n_from_which(power_at, power or 0.5, is_binomial=is_binomial)
