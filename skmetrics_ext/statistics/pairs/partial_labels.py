"""Two models compared on samples of which only some have a label."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.partial_labels import PartialCells, expected_counts
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.constants import FEW, FEW_IN_CELL, MOST_IN_SMALL_CELLS
from skmetrics_ext.statistics.estimand import clipped
from skmetrics_ext.statistics.inversion import p_value_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.pairs.metric import PairedMetric
from skmetrics_ext.statistics.pairs.models import (
    DifferenceRequest,
    alpha_of_replicates,
    without_limits,
)
from skmetrics_ext.statistics.values.bootstrap import Draws, leaves_any_out, percentiles_apart
from skmetrics_ext.statistics.values.partial_labels import (
    BY_STRATUM,
    biased_percentiles,
    values_of_replicates,
)


def differences_of_partial_labels(
    cells: PartialCells,
    predictions: tuple[NDArray[np.intp], ...],
    metrics: dict[str, PairedMetric],
    models: tuple[str, str],
    request: DifferenceRequest,
    seed: np.random.SeedSequence,
) -> Iterator[Compared]:
    """The differences of two models, by each one's `predictions` (n_predictions,) in the cells."""
    if request.method != "auto":
        raise ValueError(
            f"method={request.method!r} does not apply where labels are partly known: omit it."
        )
    if request.kind == "ratio":
        raise ValueError(
            "kind='ratio' does not apply where labels are partly known: compare differences, or "
            "only samples with a label."
        )
    caveats = (*_of_labels_that_differ(cells, predictions[0] != predictions[1], models),)
    of_models = [np.eye(cells.known.shape[-1])[of_model] for of_model in predictions]
    # In half of the replicates as if the second were the first, so that neither is.
    draws = Draws(request.n_resamples // 2 + request.n_resamples % 2, seed, by_row=False)
    halves = [
        values_of_replicates(
            cells.ordered(order),
            [
                partial(_values_of_both, metric, [of[order] for of in of_models])
                for metric in metrics.values()
            ],
            draws,
        )
        for order in (np.lexsort(predictions[::-1]), np.lexsort(predictions))
    ]
    drawn = map(np.concatenate, zip(*halves, strict=True))
    for (name, metric), of_replicates in zip(metrics.items(), drawn, strict=True):
        first, second = _values_of_both(metric, of_models, expected_counts(cells)).tolist()
        of_pair = Compared(
            metric=name,
            models=models,
            values=(first, second),
            known=unknown("undefined"),
            is_lower_better=metric.choice.row.better == "lower",
            caveats=caveats,
        )
        if not np.isfinite(of_pair.difference):
            yield of_pair
            continue
        limits_at = partial(
            _limits_of_difference,
            metric.possible,
            np.asarray(of_pair.difference),
            np.sort(of_replicates[:, 0] - of_replicates[:, 1]),
        )
        p_value = p_value_of(limits_at, of_pair.difference)
        of_pair = of_pair._replace(known=LimitsAndTest(limits_at, p_value, shown(BY_STRATUM)))
        low, high = map(float, limits_at(alpha_of_replicates(request)))
        yield without_limits(of_pair, name) if low == high else of_pair


def _values_of_both(metric: PairedMetric, of_models: list[Array], counts: Array) -> Array:
    """A metric (..., 2) of counts (..., n_classes, n_predictions), by the classes (n_predictions,
    n_classes) that each model predicts.
    """
    cells = [(counts @ of_model).reshape(*counts.shape[:-2], -1) for of_model in of_models]
    return np.stack([*map(metric.value.values, cells)], -1)


def _of_labels_that_differ(
    cells: PartialCells, differ: NDArray[np.bool_], models: tuple[str, str]
) -> Iterator[Caveat]:
    """Whether few differently predicted samples have a label, or many are in cells with few."""
    n_labels, totals = (part[..., differ] for part in (cells.known.sum(-1), cells.totals))
    share = totals[n_labels < FEW_IN_CELL].sum() / max(totals.sum(), 1)
    if n_labels.sum() < FEW or share > MOST_IN_SMALL_CELLS:
        text = (
            f"of the samples for which the predictions of {models[0]!r} and {models[1]!r} differ, "
            f"{n_labels.sum():g} have a label, and {100 * share:.3g} % are where fewer than "
            f"{FEW_IN_CELL} are alike "
            "and labeled: confidence limits and p-values are unreliable. Fetch more labels, or "
            "use fewer strata."
        )
        yield Caveat("few_labels", text)


def _limits_of_difference(
    possible: Limits, difference: Array, differences: Array, alpha: float
) -> Limits:
    """Limits of a difference; the possible ones if replicates would leave out less than one."""
    if not leaves_any_out(int((~np.isnan(differences)).sum()), alpha):
        return possible
    apart = partial(percentiles_apart, least_width=0.0)
    return clipped(biased_percentiles(difference, differences, alpha, find=apart), possible)
