"""Who else knows a metric's value: another library's function, or a worked example.

Libraries are imported when they are asked, since the test vectors are computed without any.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple


class Library(NamedTuple):
    """A function of labels 0, 1, ... that gives the value, or an array of one value a class."""

    name: str
    values: Callable[..., Any]
    parameters: Mapping[str, Any] = MappingProxyType({})
    precision: float = 1e-11
    # What pycm calls it, for a library whose values are looked up by name.
    statistic: str = ""


class Example(NamedTuple):
    """The value of the last class, or of all, of a table with a row an actual class; a string is a
    rounded value.
    """

    source: str
    table: list[list[int]]
    value: float | Fraction | str
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def tolerance(self) -> float:
        """Half a unit of the last digit that was printed, or rounding."""
        if not isinstance(self.value, str):
            return 1e-14 * abs(float(self.value))
        return 0.5000001 * 10.0 ** -len(self.value.partition(".")[2])


Oracles = Sequence[Library | Example]

# Libraries.


def called(path: str, *arguments: Any, **options: Any) -> Any:
    """What a function of a module gives, both named by their path."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)(*arguments, **options)


def each_class(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """A function of two classes for each class against the rest."""

    def values(y_true: Any, y_pred: Any) -> list[Any]:
        return [function(y_true == label, y_pred == label) for label in sorted(set(y_true))]

    return values


def table_of_each_class(function: Callable[..., float]) -> Callable[..., list[float]]:
    """A function of tp, fp, fn and tn for each class against the rest."""

    def of_labels(y_true: Any, y_pred: Any) -> float:
        (tn, fp), (fn, tp) = called("sklearn.metrics.confusion_matrix", y_true, y_pred).tolist()
        return function(tp, fp, fn, tn)

    return each_class(of_labels)


def scikit_learn(name: str, **options: Any) -> Library:
    """A function of sklearn.metrics; its options are our parameters."""
    return Library("scikit-learn", partial(called, f"sklearn.metrics.{name}", **options), options)


def scikit_learn_by_class(name: str, **options: Any) -> Library:
    """One with a value for each class."""
    function = partial(called, f"sklearn.metrics.{name}", average=None, **options)
    return Library("scikit-learn", function, options)


def scikit_learn_of_each_class(name: str, **options: Any) -> Library:
    """One of two classes, for each class against the rest."""
    function = partial(called, f"sklearn.metrics.{name}", **options)
    return Library("scikit-learn", each_class(function))


def scikit_learn_likelihood_ratio(which: int) -> Library:
    """The positive or the negative likelihood ratio, which scikit-learn gives as a pair."""

    def ratio(y_true: Any, y_pred: Any) -> float:
        return called("sklearn.metrics.class_likelihood_ratios", y_true, y_pred)[which]

    return Library("scikit-learn", each_class(ratio))


def imbalanced_learn(name: str, **options: Any) -> Library:
    """A function of imblearn.metrics."""
    return Library("imbalanced-learn", partial(called, f"imblearn.metrics.{name}", **options))


def imbalanced_learn_index(alpha: float) -> Library:
    """The index of balanced accuracy, which imbalanced-learn makes of another metric."""

    def values(y_true: Any, y_pred: Any) -> Any:
        weighted = called("imblearn.metrics.make_index_balanced_accuracy", alpha=alpha)
        function = weighted(import_module("imblearn.metrics").geometric_mean_score)
        return function(y_true, y_pred, average=None)

    return Library("imbalanced-learn", values, {"alpha": alpha})


def scipy_of_tables(function: Callable[..., float]) -> Library:
    """A function of tp, fp, fn and tn that asks scipy."""
    return Library("scipy", table_of_each_class(function))


def pycm_matrix(y_true: Any, y_pred: Any) -> Any:
    """Their confusion matrix."""
    counts = called("sklearn.metrics.confusion_matrix", y_true, y_pred).tolist()
    table = {label: dict(enumerate(row)) for label, row in enumerate(counts)}
    return called("pycm.ConfusionMatrix", matrix=table)


def pycm(statistic: str) -> Library:
    """A statistic of each class."""

    def values(y_true: Any, y_pred: Any) -> list[Any]:
        return list(pycm_matrix(y_true, y_pred).class_stat[statistic].values())

    return Library("pycm", values, statistic=statistic)


def pycm_method(
    name: str, *arguments: float, precision: float = 1e-11, **parameters: Any
) -> Library:
    """A method that gives one value a class, whose own arguments may differ from our parameters."""

    def values(y_true: Any, y_pred: Any) -> list[Any]:
        return list(getattr(pycm_matrix(y_true, y_pred), name)(*arguments).values())

    return Library("pycm", values, parameters, precision)


def pycm_overall(statistic: str, unit: float = 1.0) -> Library:
    """A statistic of all classes, in our unit."""

    def values(y_true: Any, y_pred: Any) -> Any:
        return pycm_matrix(y_true, y_pred).overall_stat[statistic] * unit

    return Library("pycm", values, statistic=statistic)


def harmonic_mean_of_four_rates(tp: int, fp: int, fn: int, tn: int) -> float:
    """The textbook's P4."""
    rates = [tp / (tp + fp), tp / (tp + fn), tn / (tn + fp), tn / (tn + fn)]
    return called("scipy.stats.hmean", rates)


def difference_of_quantiles(tp: int, fp: int, fn: int, tn: int) -> float:
    """d', of normal quantiles."""
    quantile = import_module("scipy.stats").norm.ppf
    return quantile(tp / (tp + fn)) - quantile(fp / (fp + tn))


def odds_ratio_of_samples(tp: int, fp: int, fn: int, tn: int) -> float:
    """The odds ratio of the samples."""
    table = [[tp, fp], [fn, tn]]
    return called("scipy.stats.contingency.odds_ratio", table, kind="sample").statistic


def relative_risk_of_samples(tp: int, fp: int, fn: int, tn: int) -> float:
    """The risk of predicted positives, relative to that of predicted negatives."""
    exposed, control = (tp, tp + fp), (fn, fn + tn)
    return called("scipy.stats.contingency.relative_risk", *exposed, *control).relative_risk


def cramers_v_of_scipy(y_true: Any, y_pred: Any) -> float:
    """Cramer's V."""
    counts = called("sklearn.metrics.confusion_matrix", y_true, y_pred)
    return called("scipy.stats.contingency.association", counts, "cramer")


# Worked examples. The counts of two classes are [[tn, fp], [fn, tp]].


def finley(value: str) -> Example:
    """28 tornadoes forecast, 23 missed, 72 false alarms, 2680 times neither."""
    source = (
        "Finley (1884); the scores as in Wilks (2011), Statistical Methods in the Atmospheric "
        "Sciences, 8.2.2"
    )
    return Example(source, [[2680, 72], [23, 28]], value)


def caret(value: str) -> Example:
    """20 of 30 sick and 180 of 2000 healthy people with a positive test."""
    source = (
        "what confusionMatrix of R's caret prints for the table of Wikipedia's Sensitivity and "
        "specificity"
    )
    return Example(source, [[1820, 180], [10, 20]], value)


def by_hand(
    formula: str, table: list[list[int]], value: float | Fraction, **parameters: Any
) -> Example:
    """A published formula, worked out by hand."""
    return Example(f"by hand from {formula}", table, value, parameters)
