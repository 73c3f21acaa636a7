"""Names of metrics -> rows, with the average at their end; and suggestions for unknown ones."""

import difflib
import inspect
import reprlib
from collections.abc import Callable, Iterable
from typing import Any, Literal

from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue.averages import AVERAGES
from skmetrics_ext.catalogue.own_metrics import PACKAGE, custom_metric
from skmetrics_ext.catalogue.rows import BY_FUNCTION, BY_NAME, Metric

SUFFIXES = tuple(average for average in AVERAGES if average != "binary")


def resolve(metric: str | Callable[..., Any]) -> tuple[Metric, str | None]:
    """The row of a name, an alias, either with an average ("recall_macro"), of one of our functions or a custom one.

    Names ignore case: "MCC", "IoU".
    """
    if not isinstance(metric, str):
        row = row_of(metric) or custom_metric(metric)
        if row is None:
            given = repr(metric) if callable(metric) else reprlib.repr(metric)
            raise ValueError(
                f"{given} is not a metric in this package: pass a name such as 'recall', one of its functions, or a "
                "function of one ConfusionMatrix that returns a number."
            )
        return row, None
    name = metric.lower()
    if (found := _find(name)) is not None:
        return found
    unsigned = _find(name.removeprefix("neg_"))
    if unsigned is not None and unsigned[0].scorer_prefix:
        hint = f" It is the name of a scorer; values are not negated here: pass {name.removeprefix('neg_')!r}."
    elif name in sklearn_metrics.get_scorer_names():
        hint = f" It is a scikit-learn scorer: use get_scorer({name!r}) alongside the scorers of this package."
    else:
        hint = function_hint(name, "metric") or did_you_mean(name, BY_NAME)
    raise ValueError(f"{metric!r} is not a metric in this package.{hint}")


def _find(name: str) -> tuple[Metric, str | None] | None:
    """The row of a name or an alias in lower case, and the average at its end."""
    if name in BY_NAME:
        return BY_NAME[name], None
    base, _, average = name.rpartition("_")
    known = average in SUFFIXES and base in BY_NAME and BY_NAME[base].has_average
    return (BY_NAME[base], average) if known else None


def suffixes_of(row: Metric) -> tuple[str, ...]:
    """The averages that the metric's name may end with."""
    if not row.has_average:
        return ()
    return tuple(average for average in SUFFIXES if average != "worst" or row.better != "neither")


def resolve_scorer(metric: str | Callable[..., Any]) -> tuple[Metric, str | None]:
    """`resolve` for scorers, whose names start with "neg_" where lower is better."""
    if not isinstance(metric, str):
        return resolve(metric)
    name = metric.lower()
    bare = name.removeprefix("neg_")
    row, average = _find(bare) or resolve(metric)
    if (prefix := row.scorer_prefix) != name.removesuffix(bare):
        direction = "lower is better, so its scorer is negated" if prefix else f"{row.better} is better"
        raise ValueError(f"{metric!r} is not a scorer: for {row.name}, {direction}. Did you mean {prefix + bare!r}?")
    return row, average


def scorer_name(row: Metric, average: str | None, *, negated: bool) -> str:
    """The name of a scorer, as `get_scorer` accepts it: "recall_macro", "neg_false_positive_rate"."""
    suffix = "" if average in (None, "auto", "binary") or not row.has_average else f"_{average}"
    return ("neg_" if negated else "") + row.name + suffix


def row_of(function: Any) -> Metric | None:
    """The row of one of this package's functions; None for anything else."""
    is_own = inspect.isfunction(function) and str(function.__module__).partition(".")[0] == PACKAGE
    return BY_FUNCTION.get(function.__name__) if is_own else None


def function_hint(name: str, what: Literal["metric", "scorer"]) -> str:
    """A hint for the name of a function, such as "f1_score"."""
    row = BY_FUNCTION.get(name)
    known = "" if row is None else row.name if what == "metric" else row.scorer_prefix + row.name
    return known and f" It is the name of a function; its {what} is {known!r}."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the names nearest to a misspelt one."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [other for other in known if name in (f"neg_{other}", other.removeprefix("neg_"))]
    return f" Did you mean {' or '.join(map(repr, dict.fromkeys(near)))}?" if near else ""
