"""Time of scikit-learn over ours, side by side in one run; `python tests/benchmarks/bench_counts.py`."""

import subprocess
import sys
import time
import tracemalloc

import numpy as np
import pandas as pd
import sklearn
import sklearn.metrics

import skmetrics_ext

ROWS = 1_000_000


def best_time(function, repeat):
    """The least time of several calls in seconds: the one that other work on the machine disturbed least."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def compare(name, ours, theirs, repeat=7, repeat_theirs=2):
    """Print both times; the two must give the same."""
    # scikit-learn takes sums of float weights from each other, which leaves a rest of their rounding.
    np.testing.assert_allclose(ours(), theirs(), rtol=1e-12, atol=1e-8)
    our_time, their_time = best_time(ours, repeat), best_time(theirs, repeat_theirs)
    print(f"{name:<46} {their_time * 1e3:>10.2f} {our_time * 1e3:>10.3f} {their_time / our_time:>8.1f}")


def both(name, *args, **options):
    """The same call of our function and of scikit-learn's."""
    return (
        lambda: getattr(skmetrics_ext, name)(*args, **options),
        lambda: getattr(sklearn.metrics, name)(*args, **options),
    )


def large_inputs():
    random = np.random.default_rng(0)
    actual = random.integers(0, 10, ROWS)
    predicted = np.where(random.random(ROWS) < 0.7, actual, random.integers(0, 10, ROWS))
    names = np.array([f"class_number_{k:03d}_abcdefg" for k in range(10)])
    assert names.dtype == "U24"
    compare("confusion_matrix, int64, 10 classes", *both("confusion_matrix", actual, predicted))
    strings = names[actual], names[predicted]
    compare("confusion_matrix, strings of 24 characters", *both("confusion_matrix", *strings))
    objects = tuple(side.astype(object) for side in strings)
    compare("confusion_matrix, object strings", *both("confusion_matrix", *objects))
    categories = tuple(pd.Series(side, dtype="category") for side in strings)
    compare("confusion_matrix, pandas categorical", *both("confusion_matrix", *categories))
    binary = random.integers(0, 2, (2, ROWS))
    compare("accuracy_score, int64, binary", *both("accuracy_score", *binary))


def small_inputs():
    random = np.random.default_rng(0)
    actual, predicted = random.integers(0, 3, (2, 100))
    ours, theirs = both("f1_score", actual, predicted, average="macro")

    def many(function):
        return lambda: max(function() for _ in range(200))

    compare("f1_score macro, n = 100 (200 calls)", many(ours), many(theirs))


def peak_memory():
    actual, predicted = np.random.default_rng(0).integers(0, 10, (2, 10_000_000))
    tracemalloc.start()
    skmetrics_ext.confusion_matrix(actual, predicted)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"peak extra memory, 1e7 int64 pairs: {peak / 2**20:.1f} MB")


def import_time():
    """What `import skmetrics_ext` adds to `import sklearn.metrics`, in milliseconds; median of processes."""
    code = (
        "import time, sklearn.metrics; start = time.perf_counter(); import skmetrics_ext; "
        "print(time.perf_counter() - start)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(7)
    ]
    print(f"import skmetrics_ext after sklearn.metrics: {np.median(times) * 1e3:.0f} ms")


if __name__ == "__main__":
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, {ROWS:,} rows; times in ms\n")
    print(f"{'':<46} {'sklearn':>10} {'ours':>10} {'ratio':>8}")
    large_inputs()
    small_inputs()
    peak_memory()
    import_time()
