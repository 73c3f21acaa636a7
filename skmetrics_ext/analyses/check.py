"""check: whether claims about metrics hold: pass, fail or cannot tell, for each claim and group."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.analyses.claims import Claim, Claims, check_claims, claims_of, read_claims
from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.names import MetricName, _name_of_metric, resolve, resolve_any
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counted_for, counted_for_limits, intervals_for
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.calls import explained, instead
from skmetrics_ext.reading.messages import collecting_warnings
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.caveats import NOTES
from skmetrics_ext.statistics.entries import stacked_results
from skmetrics_ext.statistics.estimand import estimand_of, range_of
from skmetrics_ext.statistics.estimate import design_effect
from skmetrics_ext.statistics.multiplicity import alpha_of_each
from skmetrics_ext.statistics.promises.power import n_to_tell
from skmetrics_ext.statistics.promises.verdicts import Verdicts
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Result

Source = ConfusionMatrix | Result | Mapping[str, Result]


# What else intervals are of: the agreement of raters, areas.
OF_RATERS = ("percent_agreement", "fleiss_kappa", "brennan_prediger")
OF_CURVES = ("roc_auc", "average_precision")
ROUNDING = 1e-9


class Measured(NamedTuple):
    """What claims are held against: entries with one-sided limits."""

    name: str
    # A result with values, whatever else it has.
    entries: Any
    sides: Limits
    # Why the limits of each entry can't decide; empty where they can.
    reason: NDArray[Any]
    # Of a proportion: how many samples (...) say as much as one independent sample.
    design_effect: Any = np.nan

    def verdict(self, claim: Claim) -> NDArray[np.str_]:
        """What the limits of each entry say of a claim; nan ones say nothing."""
        low, high = self.sides
        if claim.is_least:
            holds, fails = low >= claim.bound, high < claim.bound
        else:
            holds, fails = high <= claim.bound, low > claim.bound
        can_tell = self.reason == ""
        return np.select([can_tell & holds, can_tell & fails], ["pass", "fail"], "cannot tell")


@explained
@instead(
    "Labels are counted first: check(ConfusionMatrix.from_predictions(y_true, y_pred), claims)."
)
def check(
    source: Source,
    claims: Claims,
    *,
    confidence_level: float | None = None,
    by: str | Collection[str] | None = None,
    pos_label: Label | None = None,
) -> Verdicts:
    """Whether claims about metrics hold: pass, fail or cannot tell, for each claim and group.

    A claim passes if a one-sided confidence limit shows that it holds, and fails if one shows that
    it does not.

    Parameters
    ----------
    source : ConfusionMatrix, Comparison, Gap, Interval, or dict of name to Interval
        Counts, whose leading axes are groups with verdicts of their own; or a result with limits,
        also of `cross_val_interval`.
    claims : dict of metric to bound
        A number is a lower bound where higher is better and an upper bound where lower is better; a
        pair (low, high) bounds both sides, and None leaves one open: `{"recall": 0.9,
        "predicted_positive_rate": (None, 0.1), "recall_worst": 0.8}`. Those of a Comparison bound
        its differences, model - reference: `{"recall": -0.02}`; that of a Gap the gap: a
        difference at most, a ratio at least.
    confidence_level : float, default=None
        The level of each one-sided limit, above 0.5 and below 1. None: 0.95 for a matrix. Results
        with limits have their own, and another is refused: of 95 % limits 0.975 or more for a Gap,
        a Comparison or a cross-validated interval, else 0.95.
    by : str or list of str, default=None
        As in `ConfusionMatrix.from_predictions`, by name: entries of these axes have verdicts of
        their own, other axes are pooled. None: all axes.
    pos_label : int, float, bool or str, default=None
        The class that claims without an average are about, also one of more than two; a claim may
        name its own, ("recall", "ash"). None: that of the matrix, if known.

    Returns
    -------
    Verdicts
        True only if all claims pass in all groups. `python -m skmetrics_ext check` gives those of a
        file, also as JSON.

    Raises
    ------
    ValueError, TypeError
        As `ConfusionMatrix.interval`; if the source, a claim, a bound or an option does not fit.

    Notes
    -----
    Limits are Clopper & Pearson's for proportions and values that have an effective number of
    samples, else those of `ConfusionMatrix.interval`; a result's are its own, of a Gap as `high`,
    of a ratio as `low`, its `limit_of_each_pair`. Where they may not hold, as with few samples,
    the verdict is "cannot tell". That all claims pass needs no correction; an overall "fail" is
    corrected by Bonferroni.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26:404; Berger (1982), Technometrics 24:295.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, check
    >>> counts = {"F": [[190, 10], [2, 98]], "M": [[80, 20], [4, 26]]}
    >>> groups = {sex: ConfusionMatrix.from_counts(of, labels=[0, 1]) for sex, of in counts.items()}
    >>> check(ConfusionMatrix.stack(groups, axis="sex"), {"recall": 0.9, "fpr": 0.1})
    Check: fail (one-sided at 95 % each)
    claim               sex  verdict       value     low    high    n  n_needed  method
    recall of 1 >= 0.9  F    pass         0.9800  0.9384  0.9964  100        61  Clopper-Pearson
    recall of 1 >= 0.9  M    cannot tell  0.8667  0.7204  0.9531   30       573  Clopper-Pearson
    fpr of 1 <= 0.1     F    pass         0.0500  0.0274  0.0833  200       179  Clopper-Pearson
    fpr of 1 <= 0.1     M    fail         0.2000  0.1367  0.2772  100        78  Clopper-Pearson
    """
    if not isinstance(source, ConfusionMatrix):
        if not (by is None and pos_label is None):
            raise ValueError(
                "a result with limits has its own groups and positive class: pass by= and "
                "pos_label= where it is made, or check the matrix."
            )
        return _at_its_level(_verdicts_of_results(claims, _results(source)), confidence_level)
    read = read_claims(claims, source.labels)
    level = 0.95 if confidence_level is None else confidence_level
    check_in_range(
        level, "confidence_level", lambda x: 0.5 < x < 1, "a number above 0.5 and below 1"
    )
    cm = source if by is None else _pooled(source, [by] if isinstance(by, str) else by)
    choices = [_choice(claim.metric, pos_label) for claim in read]
    for claim, choice in zip(read, choices, strict=True):
        _check_bound(claim, range_of(counted_for(cm, choice), choice))
    found = _verdicts(read, [_measured_in(cm, choice, level) for choice in choices], level)
    at_once = 1 - float(alpha_of_each(1 - level, found.verdict.size))
    for claim, choice, verdict in zip(read, choices, found.verdict, strict=True):
        if np.any(verdict == "fail"):
            of_all = _measured_in(cm, choice, at_once).verdict(claim)
            if np.any(of_all == "fail"):
                return replace(found, overall="fail")
    return found


def check_by(
    cm: ConfusionMatrix,
    groupings: Sequence[Sequence[str]],
    claims: Claims,
    *,
    confidence_level: float,
    pos_label: Any,
) -> tuple[str, list[Verdicts]]:
    """The verdicts in the groups of some axes, of others and so on, and that on all: "pass" if all
    are, "fail" if one is by limits that all hold at once.
    """
    check_by_level = partial(check, cm, claims, pos_label=pos_label)
    found = [check_by_level(by=by, confidence_level=confidence_level) for by in groupings]
    if all(found):
        return "pass", found
    n_verdicts = sum(of.verdict.size for of in found)
    at_once = 1 - float(alpha_of_each(1 - confidence_level, n_verdicts))
    # Limits of all at once have said before what warnings there are.
    with collecting_warnings():
        of_all = (
            check_by_level(by=by, confidence_level=at_once)
            for by, of in zip(groupings, found, strict=True)
            if np.any(of.verdict == "fail")
        )
        is_fail = any(np.any(of.verdict == "fail") for of in of_all)
    return "fail" if is_fail else "cannot tell", found


def _at_its_level(found: Verdicts, asked: float | None) -> Verdicts:
    """The verdicts, unless another level is asked for than their limits'."""
    level = found.confidence_level
    if asked is not None and abs(asked - level) > ROUNDING:
        raise ValueError(
            f"confidence_level={asked!r}, but a result has its own level, {level:g} on each side "
            "of these limits: make it with another confidence_level=, or check the matrix."
        )
    return found


def _verdicts_of_results(claims: Any, results: dict[str, Result]) -> Verdicts:
    """The verdicts by limits that were found before."""
    check_claims(claims)
    read, measured = [], []
    for key, bound in claims.items():
        result = _result_of(results, key)
        of_metric = _claims_about(result, key, bound)
        read += of_metric
        measured += [_measured(result)] * len(of_metric)
    level = min(of._level_of_each_limit for of in results.values())
    limits = "; ".join(dict.fromkeys(of._text_of_deciding() for of in results.values()))
    found = replace(_verdicts(read, measured, level), _limits=limits)
    are_fails = found.verdict == "fail"
    fails = are_fails.any() if measured[0].entries._hold_together else are_fails.all()
    return replace(found, overall="fail") if fails else found


def _claims_about(result: Result, key: Any, bound: Any) -> list[Claim]:
    """The claims about the values of a result, or about its differences."""
    if result._better is not None:
        return claims_of(key, result._name_of_metric, result._better, bound)
    if result._is_of_difference:
        return read_claims({key: bound})
    return _claims_of_interval(key, result._name_of_metric, bound)


def _claims_of_interval(key: Any, metric: str, bound: Any) -> list[Claim]:
    """The claims about a metric, maybe of raters or of areas."""
    if metric in OF_RATERS or _name_of_metric(metric) is None:
        if isinstance(key, str) and metric not in (*OF_RATERS, *OF_CURVES):
            raise ValueError(
                f"{key!r} is of a function of your own: name the claim by the function itself, "
                "which says whether higher or lower is better."
            )
        better = "higher" if isinstance(key, str) else resolve(key)[0].better
        return claims_of(key, metric, better, bound)
    row, _ = resolve(metric)
    of_metric = claims_of(metric, metric, row.better, bound)
    for claim in of_metric:
        # With whatever parameters the interval was made.
        _check_bound(claim, row.widest_ends)
    return of_metric


def _check_bound(claim: Claim, ends: tuple[Any, Any]) -> None:
    """Refuse a bound that no value can reach."""
    # Entries without samples have no ends.
    least, most = np.fmin.reduce(np.ravel(ends[0])), np.fmax.reduce(np.ravel(ends[1]))
    if claim.bound < least or claim.bound > most:
        raise ValueError(
            f"{claim.of(claim.name)} is out of the metric's range, from {least:g} to {most:g}."
        )


def _results(source: Any) -> dict[str, Result]:
    """Results by metric or name, of the same entries, at one level."""
    results = source if isinstance(source, Mapping) else getattr(source, "_by_metric", dict)()
    if not results or not all(getattr(of, "_by_metric", dict)() for of in results.values()):
        raise TypeError(
            "source must be a ConfusionMatrix, such as ConfusionMatrix.from_predictions(y_true, "
            "y_pred) or ConfusionMatrix.from_counts(counts, labels=...), a Comparison, a Gap, an "
            f"Interval, or a dict of Intervals; got {type(source).__name__}."
        )
    if len({result.confidence_level for result in results.values()}) > 1:
        raise ValueError("the intervals have different confidence levels: check them one by one.")
    if len({str(result.axes) for result in results.values()}) > 1:
        raise ValueError("the intervals have entries of different axes: check them one by one.")
    return dict(results)


def _result_of(results: Mapping[str, Result], metric: str | Callable[..., Any]) -> Result:
    """The result for a metric, by its key or, if it is the only one, by any of its names."""
    if isinstance(metric, str) and metric in results:
        return results[metric]
    asked = _known_name(metric)
    found = [of for of in results.values() if _known_name(of._name_of_metric) == asked]
    if len(found) == 1:
        return found[0]
    why = "is of several of the results" if found else "is not one of the metrics of the results"
    raise ValueError(f"{metric!r} {why}, {[*results]}: name it as there.")


def _known_name(metric: str | Callable[..., Any]) -> tuple[str, str | None]:
    """A metric's name with its average, whatever alias; an own function's as it is."""
    if isinstance(metric, str) and _name_of_metric(metric) is None:
        return metric, None
    row, average = resolve(metric)
    return row.name, average


def _measured(result: Result) -> Measured:
    """Entries whose limits can decide where they are known and hold."""
    sides = result._deciding_limits()
    reason = np.where(np.isnan(sides.low + sides.high), "no confidence limits", "").astype(object)
    return Measured(result._title_of_value(), result, sides, _with_caveats(reason, result))


def _with_caveats(reason: NDArray[Any], result: Result) -> NDArray[Any]:
    """Why limits can't decide, by entry: in place of the reason given, if caveats say it."""
    for at in np.ndindex(reason.shape):
        texts = [of.at(at) for of in result.caveats if of.code not in NOTES]
        if said := " ".join(filter(None, texts)):
            reason[at] = said
    return reason


def _pooled(cm: ConfusionMatrix, kept: Collection[str]) -> ConfusionMatrix:
    """The matrix summed over all other axes."""
    names = [axis.name for axis in cm.axes]
    if unknown := [name for name in kept if name not in names]:
        raise ValueError(f"by={unknown[0]!r} is not an axis of the matrix, which has {names}.")
    return reduce(ConfusionMatrix.sum, [name for name in names if name not in kept], cm)


def _choice(metric: MetricName, pos_label: Any) -> Choice:
    """What a claim is about: the average or the class in its name, else the class given."""
    _, average = resolve_any(metric)
    names_its_own = average is not None or isinstance(metric, tuple)
    return choose(metric, pos_label=None if names_its_own else pos_label)


def _measured_in(cm: ConfusionMatrix, choice: Choice, level: float) -> Measured:
    """The value of a metric and its limits, in each group."""
    counted = counted_for(cm, choice)
    estimand = each = estimand_of(counted, choice)
    is_worst = estimand.kind.is_worst
    if is_worst:
        each = estimand_of(counted, choice._replace(average=None))
    has_exact_limits = cm._design.has_exact_limits
    request = Request(level, random_state=0, is_one_sided=True, prefers_exact=has_exact_limits)
    is_exact = each.proportion is not None and has_exact_limits
    of_limits, axes = counted_for_limits(cm, choice)
    found = next(intervals_for(cm, of_limits, [choice], axes, request))
    reason = _with_caveats(np.full(np.shape(found.value), "", dtype=object), found)
    reason = np.where(np.isnan(found.value), f"{found.metric} is undefined (0/0)", reason)
    times: Any = np.nan
    if is_exact and not is_worst and choice.row.is_of_samples:
        times = design_effect(estimand, cm._design, multilabel=counted.multilabel)
    sides = Limits(np.asarray(found.low), np.asarray(found.high))
    return Measured(found._title_of_value(), found, sides, reason, times)


def _verdicts(claims: list[Claim], measured: list[Measured], level: float) -> Verdicts:
    """The verdicts on all claims, of which the overall one is not "fail" yet."""
    each = [_verdicts_on(*pair, level) for pair in zip(claims, measured, strict=True)]
    names = [claim.of(of.name) for claim, of in zip(claims, measured, strict=True)]
    found = stacked_results(each, Axis("claim", np.array(names)))
    return replace(found, overall="pass") if (found.verdict == "pass").all() else found


def _verdicts_on(claim: Claim, of: Measured, level: float) -> Verdicts:
    """The verdicts on one claim, of each entry."""
    entries, needed = of.entries, np.full(np.shape(of.entries._estimate), np.nan)
    if not np.isnan(of.design_effect).all():
        independent = n_to_tell(np.asarray(entries._estimate), claim.bound, 1 - level)
        needed = np.where(of.reason == "", np.ceil(independent * of.design_effect), np.nan)
    return Verdicts(
        overall="cannot tell",
        metric=of.name,
        side=">=" if claim.is_least else "<=",
        verdict=of.verdict(claim),
        value=entries._estimate,
        low=of.sides.low,
        high=of.sides.high,
        n=entries.n,
        n_needed=needed,
        reason=of.reason,
        method=entries.method,
        confidence_level=level,
        axes=entries.axes,
        bound=claim.bound,
        caveats=tuple(caveat for caveat in entries.caveats if caveat.code in NOTES),
        _origin=entries._origin,
    )
