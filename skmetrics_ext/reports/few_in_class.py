"""The worst class of a report, where it has few samples of what a metric counts."""

from collections.abc import Mapping, Sequence

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reports.limits import Column
from skmetrics_ext.uncertainty.few_samples import FEW, samples_counted
from skmetrics_ext.uncertainty.question import question_of


def warn_of_worst(
    counts: Counted, choices: Mapping[str, Choice], values: Sequence[Column], names: Sequence[str]
) -> None:
    """One warning of the metrics whose worst class has few samples, unless another class is as bad."""
    once, found = counts.unweighted if counts.are_weights else counts, []
    for (head, choice), column in zip(choices.items(), values, strict=True):
        if "worst" in column and once is not None:
            n = samples_counted(question_of(once, choice._replace(average=None)))
            shown = enumerate(zip(n.tolist(), names, strict=False))
            n_worst, name = max((rests_on for k, rests_on in shown if column[k] == column["worst"]), default=(FEW, ""))
            if n_worst < FEW:
                found.append(f"{head} of {name!r} ({n_worst:g})")
    if found:
        warn(
            "the worst class of a metric has few samples of what it counts, so that the value may be chance: "
            f"{', '.join(found)}."
        )
