"""The fields of a threshold curve: made of samples, locked and pickled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import Samples, counts_at, counts_at_every_score, with_weight
from skmetrics_ext.curves import inputs
from skmetrics_ext.curves.inputs import CurveLabels, Entries, Origin
from skmetrics_ext.reading.aliases import Label, Ties
from skmetrics_ext.reading.order import position_of


@dataclass(frozen=True, init=False, eq=False, repr=False)
class CurveData:
    """What a ThresholdCurve holds."""

    thresholds: NDArray[Any]
    counts: ClassCounts
    labels: NDArray[Any]
    pos_label: Label
    ties: Ties
    at_every_score: bool
    _samples: Samples
    _entries: Entries
    _are_quantiles: bool
    _ranked: bool
    # What else is known of the samples.
    _origin: Origin

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError(
            "a ThresholdCurve is made with threshold_curve, ThresholdCurve.from_estimator or "
            "from_frame."
        )

    @classmethod
    def _of(cls, own: dict[str, Any]) -> Self:
        """A curve from its fields by name; pickles of 0.1.0 call it."""
        curve = cls.__new__(cls)
        curve.__setstate__(own)
        return curve

    def __getstate__(self) -> dict[str, Any]:
        # Plain tuples, so that a file names this class alone, without a constructor such as _of:
        # cloudpickle and dill store a bound method as bytecode, which another Python can't run.
        plain = {name: tuple(getattr(self, name)) for name in ("counts", "_samples", "_origin")}
        return vars(self) | plain

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays = {name: inputs.locked(state[name]) for name in ("thresholds", "labels")}
        counts = ClassCounts(*map(inputs.locked, state["counts"]))
        samples = inputs.locked_samples(*state["_samples"])
        # Curves of 0.1.0 have none.
        origin = Origin(*state.get("_origin", ()))
        vars(self).update(state | arrays, counts=counts, _samples=samples, _origin=origin)

    @classmethod
    def _of_samples(
        cls,
        samples: Samples,
        labels: CurveLabels,
        ties: Ties = "positive",
        thresholds: ArrayLike | None = None,
        entries: Entries = "samples",
        origin: Origin | None = None,
    ) -> Self:
        """The curve of validated samples at any thresholds."""
        if thresholds is None:
            chosen, counts = counts_at_every_score(with_weight(samples), ties)
        else:
            chosen = inputs.read_thresholds_on_scale(thresholds, samples)
            counts = counts_at(samples, chosen, ties)
        order, positive, ranked = labels
        own = {
            "thresholds": chosen,
            "counts": counts,
            "labels": order,
            "pos_label": positive,
            "ties": ties,
        }
        own |= {
            "at_every_score": thresholds is None,
            "_are_quantiles": isinstance(thresholds, (int, np.integer)),
        }
        own |= {"_samples": samples, "_entries": entries, "_ranked": ranked}
        return cls._of(own | {"_origin": origin or Origin()})

    @property
    def _position(self) -> int:
        """The index of the positive label."""
        return position_of(self.labels, self.pos_label) or 0
