"""Time of every metric of class counts and margins with 100,000 classes over that with 10; 1e6 samples."""

import warnings

import numpy as np
from bench_counts import ROWS, best_time

from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.by_name import function_of

PARAMETERS = {"beta": 2, "threshold_probability": 0.5}


def labels(n_classes):
    random = np.random.default_rng(0)
    y_true = random.integers(0, n_classes, ROWS)
    return y_true, np.where(random.random(ROWS) < 0.7, y_true, random.integers(0, n_classes, ROWS))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    few, many = labels(10), labels(100_000)
    print(f"{'metric':<40} {'10, ms':>8} {'100,000, ms':>12} {'ratio':>6}")
    for row in METRICS:
        if row.takes == "matrix":
            continue
        options = {name: PARAMETERS[name] for name in row.required}
        if row.has_average:
            options["average"] = "macro"
        times = [
            best_time(lambda data=data, row=row, options=options: function_of(row)(*data, **options), 3) * 1e3
            for data in (few, many)
        ]
        print(f"{row.name:<40} {times[0]:>8.1f} {times[1]:>12.1f} {times[1] / times[0]:>6.1f}")
