"""E-processes: evidence against a bound that may be looked at for ever, and limits that hold so.

The likelihood of shares beyond the bound, by the weights of a beta distribution that is cut off
there, over that of the bound: in expectation at most 1 at any time (Ville 1939, Robbins 1970).
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.catalogue.properties import OfShare
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.constants import OF_SHARES

# A start is kept for so many looks, every second for twice as many, every fourth for four times.
KEPT = 256
# Of clusters the weights are those of so many shares.
NODES, WEIGHTS_OF_NODES = np.polynomial.legendre.leggauss(48)
# Shares have so many digits, and are searched up to sinh(15) standard errors.
DIGITS, FARTHEST, HALVINGS = 12, 15.0, 30


class Stream(NamedTuple):
    """What each look adds to each of the classes of which a metric is the mean."""

    # How many independent units of each kind (n_looks, ..., n_classes, n_kinds).
    counts: NDArray[Any]
    # Hits and misses of a unit (n_kinds, 2), and the most samples that one may have.
    kinds: NDArray[Any]
    largest: int = 1
    # What a class's value is of its proportion of hits, if not this.
    of_share: OfShare | None = None

    @property
    def value(self) -> Array:
        """The metric at each look, without classes that are 0/0."""
        hits, misses = np.moveaxis(self.counts @ self.kinds, -1, 0)
        return averaged(self.values_at(ratio(hits, hits + misses)), "macro", better="neither")

    def values_at(self, shares: Array) -> Array:
        """The values of classes with these shares."""
        return shares if self.of_share is None else self.of_share.value_at(shares, 2)

    def evidence(self, added: NDArray[Any], shares: Array, is_least: bool) -> Array:
        """The log of the ratio for units (..., n_classes, n_kinds) and a share of each class: a
        part of the least of the classes', since some class is within its share if the mean is.
        """
        samples, kinds = added @ self.kinds, self.kinds
        if not is_least:
            samples, kinds, shares = samples[..., ::-1], kinds[:, ::-1], 1 - shares
        # Nothing is beyond a share of 1.
        is_free = shares > 1 - 10.0**-DIGITS / 2
        shares = np.where(is_free, 0.5, np.maximum(shares, 10.0**-DIGITS))
        if self.largest == 1:
            logs = _of_samples(samples[..., 0], samples[..., 1], shares)
        else:
            logs = _of_clusters(added, kinds, self.largest, shares)
        logs = np.where(is_free, np.inf, logs).min(-1) - np.log(added.shape[-2])
        return np.where(is_free.all(-1), 0, logs)

    def shares_of(self, added: NDArray[Any], bound: float) -> Array:
        """The shares of the classes whose values have the bound as their mean."""
        if added.shape[-2] == 1:
            return np.array([bound if self.of_share is None else self.of_share.share_at(bound, 2)])

        def is_below(errors: Array) -> Any:
            return self.values_at(self.shares_beyond(added, errors)).mean(-1) <= bound

        # Without samples none at all are 0/0.
        ends = (np.full(added.shape[:-2], end) for end in (-FARTHEST, FARTHEST + 1))
        return self.shares_beyond(added, boundary(is_below, *ends))

    def shares_beyond(self, added: NDArray[Any], errors: Array) -> Array:
        """The shares that are sinh(errors) standard errors above those observed (Wilson 1927)."""
        hits, misses = np.moveaxis(added @ self.kinds, -1, 0)
        n, half = hits + misses, np.sinh(errors)[..., None] / 2
        spread = ratio(hits * misses, np.maximum(n, 1)) + half**2
        found = (hits + 2 * half**2 + 2 * half * np.sqrt(spread)) / (n + 4 * half**2)
        return np.asarray(found.round(DIGITS))


def units_of_clusters(
    design: Any, shape: tuple[int, ...], hits_and_misses: Callable[[NDArray[Any]], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The counts and the kinds of a stream of clusters, by what a matrix adds to each class."""
    units = design.units.tocoo()
    n_entries, n_cells = math.prod(shape[:-2]), shape[-1] ** 2
    entry, cell = np.divmod(units.col, n_cells)
    look = entry * shape[0] // n_entries
    if len(np.unique(units.row * shape[0] + look)) > len(np.unique(units.row)):
        raise ValueError(
            "watch needs each cluster within one month: samples of a cluster are dependent, also "
            "in several."
        )
    of_units, place = np.unique(units.row * n_entries + entry, return_inverse=True)
    matrices = np.zeros((len(of_units), n_cells))
    matrices[place, cell] = units.data
    added = hits_and_misses(matrices.reshape(-1, *shape[-2:]))
    kinds, kind = np.unique(added.reshape(-1, 2), axis=0, return_inverse=True)
    counts = np.zeros((n_entries, added.shape[-2], len(kinds)))
    of_classes = np.arange(added.shape[-2])
    row, entry = np.divmod(of_units[:, None], n_entries)
    np.add.at(counts, (entry, of_classes, kind.reshape(-1, len(of_classes))), design.times[row])
    return counts.reshape(*shape[:-2], *counts.shape[1:]), kinds


def boundary(is_inside: Callable[[Array], Any], inside: Array, outside: Array) -> Array:
    """Where what holds at one end of ranges, and not at the other, no longer holds."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        is_in = is_inside(middle)
        inside, outside = np.where(is_in, middle, inside), np.where(is_in, outside, middle)
    return outside


def _of_samples(hits: NDArray[Any], misses: NDArray[Any], bound: Array) -> Any:
    """The log of the ratio of independent samples."""
    logs = _below(bound, hits, misses) - _below(bound, 0, 0)
    return logs - hits * np.log(bound) - misses * np.log1p(-bound)


def _below(bound: Array, hits: Any, misses: Any) -> Any:
    """The log likelihood of shares below the bound, integrated with the beta weights."""
    a, b = OF_SHARES * bound + hits, OF_SHARES * (1 - bound) + misses
    with np.errstate(divide="ignore"):
        return special.betaln(a, b) + np.log(special.betainc(a, b, bound))


def _of_clusters(added: NDArray[Any], kinds: NDArray[Any], largest: int, bound: Array) -> Array:
    """The log of the ratio of clusters: of bets, best for each share, that a cluster has fewer hits
    than the bound lets expect, in parts of the largest one (Waudby-Smith & Ramdas 2024).
    """
    bound = bound[..., None]
    shares = bound * (NODES + 1) / 2
    weights = special.xlogy(OF_SHARES * bound - 1, shares) + np.log(WEIGHTS_OF_NODES)
    weights = weights + special.xlog1py(OF_SHARES * (1 - bound) - 1, -shares)
    weights = weights - special.logsumexp(weights, axis=-1, keepdims=True)
    above = (kinds[:, 0] - bound * kinds.sum(-1)) / largest
    bets = (bound - shares) / (bound * (1 - bound))
    of_kinds = np.log1p(-above[..., None] * bets[..., None, :])
    logs = (added[..., None, :] @ of_kinds)[..., 0, :] + weights
    return np.asarray(special.logsumexp(logs, axis=-1))


def e_process(
    stream: Stream, bound: float, is_least: bool, horizon: int | None
) -> tuple[Array, NDArray[np.intp]]:
    """The e-process of a bound, and the look since which samples speak most against it, as known at
    the end of each look (n_looks, ...): the mean of `horizon` ratios, one started at each look; for
    ever with the weights 1 / (j (j + 1)). Those that wait are 1.
    """
    before = np.concatenate([0 * stream.counts[:1], stream.counts.cumsum(0)])
    look = np.arange(len(stream.counts))
    weights = 1 / ((look + 1.0) * (look + 2)) if horizon is None else (look < horizon) / horizon
    values, starts = [], []
    for end in look + 1:
        is_kept = (look == 0) | (end - look <= KEPT * (look & -look))
        kept = look[:end][(is_kept & (weights > 0))[:end]]
        added = before[end] - before[kept]
        logs = stream.evidence(added, stream.shares_of(added, bound), is_least)
        with np.errstate(over="ignore"):
            started = (weights[kept] * np.exp(logs).T).T
        # Sums are in one order, whichever entries are beside.
        values.append(started.cumsum(0)[-1] + 1 - weights[:end].sum())
        # The last of equal ones: empty looks before it say nothing.
        starts.append(kept[::-1][logs[::-1].argmax(0)])
    return np.array(values), np.array(starts)


def confidence_sequence(stream: Stream, alpha: float) -> Limits:
    """Limits of a value that stays the same, at each look (n_looks, ...), of which with probability
    1 - alpha none is ever wrong: where the ratio since the first sample reaches 2 / alpha.
    """
    total = stream.counts.cumsum(0)

    def end(is_least: bool) -> Array:
        """The limit on one side."""

        def shares(errors: Array) -> Array:
            return stream.shares_beyond(total, errors if is_least else -errors)

        def is_inside(errors: Array) -> Any:
            return stream.evidence(total, shares(errors), is_least) < np.log(2 / alpha)

        near, far = (np.full(total.shape[:-2], end) for end in (0.0, FARTHEST + 1))
        return np.asarray(stream.values_at(shares(boundary(is_inside, near, far))).mean(-1))

    return Limits(end(is_least=False), end(is_least=True))
