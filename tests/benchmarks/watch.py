"""False alarms and delays of `watch` for ever, and how often its confidence sequence is ever wrong.

`single`: the ratio since the first sample, and the limits, exactly, by recursion over the hits of
100,000 single samples; in batches they are looked at less often. `delays`: samples to an alarm,
over those of the sequential test that knows the truth (Wald 1945), which no test beats. `streams`,
`means`, `clusters`: simulated false alarms of claims at the true value on either side, and limits
that are ever wrong; of clusters also if these are ignored. All take half an hour on one core:

    python -m tests.benchmarks.watch single clusters
"""

import itertools
import sys
import time

import numpy as np
from scipy import stats

from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.statistics.promises.e_process import Stream, confidence_sequence, e_process

ALARM, LEVEL = 20, 0.05
BOUNDS = (0.05, 0.1, 0.5, 0.8, 0.9, 0.95, 0.99)
SIZES = {
    "5 each": np.full(10, 5),
    "1 to 10": np.arange(1, 11),
    "1, rarely 30": np.array([1] * 9 + [30]),
}
# Shares of the classes, and the recall of each.
CLASSES = {
    "balanced 0.8": ((1 / 3,) * 3, (0.8,) * 3),
    "balanced 0.97": ((1 / 3,) * 3, (0.97,) * 3),
    "rare 0.8": ((0.8, 0.15, 0.05), (0.9, 0.8, 0.7)),
    "rare 0.97": ((0.8, 0.15, 0.05), (0.99, 0.97, 0.95)),
    "very rare": ((0.89, 0.1, 0.01), (0.95, 0.9, 0.8)),
}


def stream_of(hits, misses):
    """A proportion of independent samples."""
    return Stream(np.stack([hits, misses], -1)[..., None, :], np.eye(2))


def first_alarms(stream, bound, is_least=True):
    """The look of the first alarm of each stream, infinite without one."""
    is_shown = e_process(stream, bound, is_least, None)[0] >= ALARM
    return np.where(is_shown.any(0), is_shown.argmax(0) + 1, np.inf)


def false_alarms(stream, truth):
    """The shares of streams with one on either side, and of those whose limits are ever wrong."""
    sides = [np.isfinite(first_alarms(stream, truth, side)).mean() for side in (True, False)]
    low, high = confidence_sequence(stream, LEVEL)
    return [*sides, ((low > truth) | (high < truth)).any(0).mean()]


def chances(is_stop, p, n_looks, batch=1):
    """The probability of stopping at each look, by the numbers of hits and misses."""
    of_batch = stats.binom.pmf(np.arange(batch + 1), batch, 1 - p)
    left, start, found = np.ones(1), 0, np.zeros(n_looks)
    for look in range(n_looks):
        left = np.convolve(left, of_batch)
        misses = start + np.arange(len(left), dtype=float)
        is_new = is_stop((look + 1) * batch - misses, misses)
        found[look] = left[is_new].sum()
        left = np.where(is_new, 0, left)
        kept = np.flatnonzero(left > 1e-18)
        if not len(kept):
            break
        left, start = left[kept[0] : kept[-1] + 1], start + kept[0]
    return found


def ratios(bound, sides=(True,)):
    """The largest log of the ratio of hits and misses, on either side."""
    one = stream_of(np.zeros(1), np.zeros(1))
    return lambda hits, misses: np.max(
        [
            one.evidence(np.stack([hits, misses], -1)[:, None, :], np.array([bound]), side)
            for side in sides
        ],
        0,
    )


def single():
    for bound, batch in itertools.product(BOUNDS, (1, 100)):
        one, both = ratios(bound), ratios(bound, (True, False))
        n_looks = 100_000 // batch
        alarm = chances(lambda *of, one=one: one(*of) >= np.log(ALARM), bound, n_looks, batch)
        wrong = chances(
            lambda *of, both=both: both(*of) >= np.log(2 / LEVEL), bound, n_looks, batch
        )
        yield bound, batch, f"{alarm.sum():.4f} {wrong.sum():.4f}"


def delays(n_streams=200):
    random = np.random.default_rng(0)
    for bound, fall in itertools.product(BOUNDS[2:], (0.02, 0.05, 0.1, 0.2)):
        p = round(bound - fall, 6)
        hit, miss = np.log(p / bound), np.log((1 - p) / (1 - bound))
        best = chances(
            lambda hits, misses, hit=hit, miss=miss: (
                hits * hit + misses * miss >= np.log(ALARM) - 1e-9
            ),
            p,
            8_000,
        ).cumsum()
        least = [int((best >= level).argmax()) + 1 for level in (0.5, 0.9)]
        for batch in {1, max(least[0] // 20, 1)} if least[1] < 400 else {least[0] // 20}:
            shape = min(4 * least[1] // batch + 2, 600), n_streams
            hits = random.binomial(batch, p, shape)
            at = first_alarms(stream_of(hits, batch - hits), bound) * batch
            own = np.quantile(at, (0.5, 0.9), method="higher")
            yield bound, fall, batch, least, own, (own / least).round(2)


def streams(n_streams=2_000):
    random = np.random.default_rng(0)
    for bound, (batch, n_looks) in itertools.product(
        (0.05, 0.5, 0.9, 0.99), ((1, 100), (20, 60), (500, 40))
    ):
        hits = random.binomial(batch, bound, (n_looks, n_streams))
        yield bound, batch, n_looks, false_alarms(stream_of(hits, batch - hits), bound)


def means(n_streams=150):
    random = np.random.default_rng(0)
    looks = np.concatenate([np.arange(100, 2001, 100), np.geomspace(2_200, 20_000, 12)])
    steps = np.diff(looks.astype(int), prepend=0)
    for (name, (shares, recalls)), metric in itertools.product(CLASSES.items(), ("recall", "f1")):
        right = np.array(recalls)[:, None]
        table = np.where(np.eye(3) > 0, right, (1 - right) / 2) * np.array(shares)[:, None]
        drawn = random.multinomial(steps[:, None], table.ravel(), (len(steps), n_streams))
        cells = drawn.reshape(len(steps), n_streams, 3, 3)
        stream, truth = (_of_classes(of, metric) for of in (cells, table[None]))
        value = truth.value.item()
        delay = [
            looks[int(min(np.median(first_alarms(stream, value + off, off > 0)), len(looks))) - 1]
            for off in (min(0.05, (1 - value) / 2), -0.05)
        ]
        yield name, metric, false_alarms(stream, value), np.round(delay)


def _of_classes(cells, metric):
    """The recall or F1 of each class."""
    hits = np.diagonal(cells, axis1=-2, axis2=-1)
    n = cells.sum(-1) + (0 if metric == "recall" else cells.sum(-2) - hits)
    return Stream(np.stack([hits, n - hits], -1), np.eye(2), of_share=BY_NAME[metric].of_share)


def clusters(n_streams=150, n_looks=30, n_clusters=50):
    random = np.random.default_rng(0)
    grid = itertools.product((0.8, 0.95), SIZES.items(), (0.0, 0.3, 0.8))
    for bound, (name, sizes), correlation in grid:
        n = random.choice(sizes, (n_looks, n_streams, n_clusters))
        rate = np.full(n.shape, bound)
        if correlation:
            weight = 1 / correlation - 1
            rate = random.beta(bound * weight, (1 - bound) * weight, n.shape)
        hits = random.binomial(n, rate)
        kinds, kind = np.unique(
            np.stack([hits.ravel(), n.ravel() - hits.ravel()], -1), axis=0, return_inverse=True
        )
        counts = np.zeros((n_looks * n_streams, 1, len(kinds)))
        np.add.at(counts, (np.arange(n.size) // n_clusters, 0, kind.ravel()), 1)
        stream = Stream(counts.reshape(n_looks, n_streams, 1, -1), kinds, int(sizes.max()))
        ignored = first_alarms(stream_of(hits.sum(-1), (n - hits).sum(-1)), bound)
        yield bound, name, correlation, false_alarms(stream, bound), np.isfinite(ignored).mean()


def speed():
    random = np.random.default_rng(0)
    for n_looks, n_classes in ((24, 1), (100, 1), (1_000, 1), (3_000, 1), (100, 10)):
        hits = random.binomial(60, 0.9, (n_looks, n_classes))
        stream = Stream(np.stack([hits, 60 - hits], -1), np.eye(2))
        begin = time.process_time()
        first_alarms(stream, 0.9)
        confidence_sequence(stream, LEVEL)
        yield n_looks, n_classes, f"{1e3 * (time.process_time() - begin) / n_looks:.1f} ms a look"


TABLES = (single, delays, streams, means, clusters, speed)

if __name__ == "__main__":
    for table_of in TABLES:
        if table_of.__name__ in sys.argv[1:] or len(sys.argv) == 1:
            for line in table_of():
                print(table_of.__name__, *line, flush=True)
