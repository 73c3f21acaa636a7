"""How much longer every metric of class counts and margins takes with 100,000 classes than with 10."""

import statistics

from labels import two_sides
from timing import warm_milliseconds

from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.by_name import function_of

PARAMETERS = {"beta": 2, "threshold_probability": 0.5}


def ratios():
    """Of each metric that builds no matrix."""
    few, many = two_sides(10), two_sides(100_000)
    of_metrics = {}
    for row in METRICS:
        if row.takes == "matrix":
            continue
        options = {name: PARAMETERS[name] for name in row.required}
        if row.has_average:
            options["average"] = "macro"
        function = function_of(row)
        times = warm_milliseconds(
            {
                "few": lambda function=function, options=options: function(*few, **options),
                "many": lambda function=function, options=options: function(*many, **options),
            }
        )
        of_metrics[row.name] = times["many"] / times["few"]
    return of_metrics


def median_and_slowest():
    """Of all metrics, by what they are called in the table."""
    of_metrics = ratios()
    slowest = max(of_metrics, key=lambda name: of_metrics[name])
    return {
        "100,000 classes over 10, median metric": statistics.median(of_metrics.values()),
        f"100,000 classes over 10, {slowest}": of_metrics[slowest],
    }
