"""Names of metrics -> rows, with the average at their end; and suggestions for unknown ones."""

import difflib
import inspect
import re
import reprlib
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue.averages import AVERAGES, KINDS
from skmetrics_ext.catalogue.custom_metrics import PACKAGE, custom_metric, is_defined_in
from skmetrics_ext.catalogue.rows import BY_FUNCTION, BY_NAME, Metric
from skmetrics_ext.reading.calls import did_you_mean, option_of_caller
from skmetrics_ext.reading.order import plain, show_names

SUFFIXES = tuple(average for average in AVERAGES if average != "binary")
# What people ask for that is no metric here, or one with a parameter: patterns, and what to do.
INSTEAD = {
    rf"f_?([2-9]|\d\.\d+)(?:_score)?((?:_(?:{'|'.join(SUFFIXES)}))?)": r"It is 'fbeta\2' "
    r"with beta=\1.",
    r"(?:\w+_)?weighted_kappa|(?:linear|quadratic)_kappa|qwk": "It is 'cohen_kappa' "
    "with weights='quadratic' or 'linear'.",
    r"fleiss\w*|brennan_prediger|percent_agreement|(?:gwet_)?ac2": "It is for raters: "
    "agreement(ratings, ...).",
    r"(?:roc_)?auc": "Use ThresholdCurve.from_scores(y_true, y_score).roc_auc() or "
    ".interval('roc_auc'), compare_curves(curves, 'roc_auc'), or get_scorer('roc_auc') for "
    "cross_validate or a search.",
    r"ap|pr_auc|average_precision": "Use ThresholdCurve.from_scores(...).average_precision() or "
    ".interval('average_precision'), compare_curves(curves, 'average_precision'), or "
    "get_scorer('average_precision') for cross_validate or a search.",
    r"log_?loss|cross_entropy": "It is of probabilities: use scikit-learn's "
    "get_scorer('neg_log_loss'), next to ConfusionScorer([...]).scorers().",
    r"brier(?:_score)?(?:_loss)?": "It is of probabilities: use scikit-learn's "
    "get_scorer('neg_brier_score'), next to ConfusionScorer([...]).scorers().",
    r"[em]ce|(?:\w+_)?calibration(?:_\w+)?": "Calibration is of probabilities, and metrics here "
    "are of labels: scikit-learn shows it with calibration_curve, and scores it with "
    "get_scorer('neg_brier_score') or get_scorer('neg_log_loss').",
}


# A name, a function, or either with the class that it is of: ("recall", "ash").
MetricName = str | Callable[..., Any] | tuple[str | Callable[..., Any], Any]


def resolve_any(metric: MetricName) -> tuple[Metric, str | None]:
    """`resolve` where a metric may come with a class."""
    if isinstance(metric, tuple):
        return _row_of_one_class(metric, resolve), None
    return resolve(metric)


def resolve(metric: MetricName) -> tuple[Metric, str | None]:
    """The row of a name or alias, maybe with an average ("recall_macro"), or of a function.

    Names ignore case: "MCC", "IoU".
    """
    if isinstance(metric, tuple):
        raise ValueError(
            f"{metric!r} names a class, which is not for a metric asked for here: pass "
            f"{metric[0] if metric else 'recall'!r}."
        )
    if not isinstance(metric, str):
        row = row_of(metric) or custom_metric(metric)
        if row is None:
            raise ValueError(
                f"{_shown(metric)} is not a metric in this package: pass a name such as 'recall', "
                "one of its functions, or a function of one ConfusionMatrix that returns a number. "
                f"For several, use summary.{uncalled(metric)}"
            )
        return row, None
    name = metric.lower()
    if (row_and_average := _find(name)) is not None:
        return row_and_average
    unsigned = _find(name.removeprefix("neg_"))
    if unsigned is not None and unsigned[0].scorer_prefix:
        hint = (
            " It is the name of a scorer; values are not negated here: pass "
            f"{name.removeprefix('neg_')!r}."
        )
    else:
        hint = hint_for(name, "metric", BY_NAME)
    raise ValueError(f"{metric!r} is not a metric in this package.{hint}")


def _row_of_one_class(metric: Any, resolve_name: Callable[[Any], Any]) -> Metric:
    """The row of a metric that is given with a class, of which it must have a value."""
    if len(metric) != 2:
        raise ValueError(
            "a metric of one class is a pair of metric and class, such as ('recall', 'ash'); got "
            f"{metric!r}."
        )
    row: Metric
    row, average = resolve_name(metric[0])
    if average is not None or not row.has_average:
        raise ValueError(f"{metric!r}: {metric[0]!r} is no metric of one class, as 'recall' is.")
    return row


def with_class(metric: MetricName, classes: Iterable[Any] | None) -> MetricName:
    """("recall", "ash") for "recall_ash", if ash is one of the classes; else the metric as given.

    A name with two readings is refused.
    """
    if classes is None or not isinstance(metric, str) or "_" not in metric:
        return metric
    labels = plain(classes) if isinstance(classes, np.ndarray) else [*classes]
    parts = metric.split("_")
    readings: dict[tuple[str, Any], None] = {}
    for place in range(1, len(parts)):
        base, ending = "_".join(parts[:place]), "_".join(parts[place:])
        row, average = _find(base.lower().removeprefix("neg_")) or (None, None)
        if row is not None and row.has_average and average is None:
            readings |= dict.fromkeys((base, label) for label in labels if str(label) == ending)
    if not readings:
        return metric
    first, *others = readings
    if others or is_metric_name(metric.lower()):
        of_class, of_average = f"pass {first!r}", "give the class another name"
        if option_of_caller("average") is not None:
            of_class, of_average = (
                f"{of_class} in a list, or pos_label={first[1]!r}",
                "pass average=",
            )
        raise ValueError(
            f"{metric!r} has two readings with the classes {show_names(labels)}: for one class, "
            f"{of_class}; for an average, {of_average}."
        )
    return first


def _shown(metric: Any) -> str:
    """What is no metric, in a message."""
    is_named = inspect.isroutine(metric) or isinstance(metric, type)
    return metric.__qualname__ if is_named else reprlib.repr(metric)


def uncalled(given: Any) -> str:
    """What to do with a class, or with a function that makes what is needed."""
    is_ours = inspect.isfunction(given) and is_defined_in(given, PACKAGE)
    makes_it = is_ours or isinstance(given, type)
    return f" Pass what {given.__name__}(...) gives." if makes_it else ""


def _find(name: str) -> tuple[Metric, str | None] | None:
    """The row of a name or an alias in lower case, and the average at its end."""
    if name in BY_NAME:
        return BY_NAME[name], None
    base, _, average = name.rpartition("_")
    known = average in SUFFIXES and base in BY_NAME and BY_NAME[base].has_average
    return (BY_NAME[base], average) if known else None


def is_metric_name(name: str) -> bool:
    """Whether a name in lower case is that of a metric, or an alias, maybe with an average."""
    return _find(name) is not None


def suffixes_of(row: Metric) -> tuple[str, ...]:
    """The averages that the metric's name may end with."""
    if not row.has_average:
        return ()
    return tuple(
        average for average in SUFFIXES if row.better != "neither" or not KINDS[average].is_worst
    )


def resolve_scorer(metric: MetricName) -> tuple[Metric, str | None]:
    """`resolve` for scorers, whose names start with "neg_" where lower is better."""
    if isinstance(metric, tuple):
        return _row_of_one_class(metric, resolve_scorer), None
    if not isinstance(metric, str):
        return resolve(metric)
    name = metric.lower()
    bare = name.removeprefix("neg_")
    row, average = _find(bare) or resolve(metric)
    if (prefix := row.scorer_prefix) != name.removesuffix(bare):
        direction = (
            "lower is better, so its scorer is negated" if prefix else f"{row.better} is better"
        )
        raise ValueError(
            f"{metric!r} is not a scorer: for {row.name}, {direction}. Did you mean "
            f"{prefix + bare!r}?"
        )
    return row, average


def scorer_name(row: Metric, average: str | None, *, negated: bool) -> str:
    """The name for `get_scorer`: "recall_macro", "neg_false_positive_rate"."""
    suffix = "" if average in (None, "binary") or not row.has_average else f"_{average}"
    return ("neg_" if negated else "") + row.name + suffix


def row_of(function: Any) -> Metric | None:
    """The row of one of this package's functions; None for anything else."""
    is_of_package = inspect.isfunction(function) and is_defined_in(function, PACKAGE)
    return BY_FUNCTION.get(function.__name__) if is_of_package else None


def _name_of_metric(name: str) -> str | None:
    """The name of a metric, with or without an average, or of its function; else None."""
    if _find(name.lower()) is not None:
        return name
    row = BY_FUNCTION.get(name)
    return None if row is None else row.name


def hint_for(name: str, what: Literal["metric", "scorer"], known: Iterable[str]) -> str:
    """What to do instead of asking for an unknown name in lower case."""
    known, words = [*known], re.sub(r"[\s-]+", "_", name.strip())
    for pattern, instead in INSTEAD.items():
        if (match := re.fullmatch(pattern, words)) is not None:
            return f" {match.expand(instead)}"
    # The same but for underscores: "f1score".
    alike = {other.replace("_", ""): other for other in (*known, *BY_FUNCTION)}
    words = alike.get(words.replace("_", ""), words)
    average, _, rest = words.partition("_")
    turned = [other for other in (words, f"{rest}_{average}") if _find(other) is not None]
    if turned:
        return did_you_mean(words, turned)
    if words in sklearn_metrics.get_scorer_names():
        return (
            f" It is a scikit-learn scorer: for cross_validate or a search use "
            f"get_scorer({words!r}) next to ConfusionScorer([...]).scorers()."
        )
    if (row := BY_FUNCTION.get(words)) is not None:
        own = row.name if what == "metric" else row.scorer_name
        return f" It is the name of a function; its {what} is {own!r}."
    return _of_class(words) or did_you_mean(words, known)


def _of_class(name: str) -> str | None:
    """What to do instead of naming a class behind a metric, "recall_ash"."""
    parts = name.split("_")
    for place in range(len(parts) - 1, 0, -1):
        base, label = "_".join(parts[:place]), "_".join(parts[place:])
        found = _find(base.removeprefix("neg_"))
        if found is not None and found[0].has_average and found[1] is None:
            is_average = bool(difflib.get_close_matches(label, SUFFIXES, n=1))
            is_option = option_of_caller("pos_label") is not None and not is_average
            as_label = label if label.isdecimal() else repr(label)
            return (
                f" For one class, pass {base!r} with pos_label={as_label}." if is_option else None
            )
    return None
