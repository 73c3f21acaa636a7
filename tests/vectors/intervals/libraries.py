"""What libraries give, by their public functions: the name of a method -> a function of the inputs
of a case, which returns those outputs that the library has.

To ask another library, add a function that returns such a dict to LIBRARIES; a function raises
NotOffered for a case that the library has no way to ask.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from tests.vectors.intervals.ours import OURS, NotOffered, Outputs

Library = dict[str, Callable[..., Outputs]]


def skmetrics_ext() -> Library:
    """This package."""
    return OURS


def scipy() -> Library:
    """scipy.stats."""

    def proportion(method: str, alternative: str | None = None) -> Callable[..., Outputs]:
        def interval(hits: int, n: int, level: str) -> Outputs:
            sides = [alternative] if alternative is None else ["greater", "less"]
            found = [
                stats.binomtest(hits, n, alternative=side or "two-sided").proportion_ci(
                    float(level), method
                )
                for side in sides
            ]
            return {"low": found[0].low, "high": found[-1].high}

        return interval

    return {
        "wilson": proportion("wilson"),
        "clopper_pearson": proportion("exact"),
        "one_sided_clopper_pearson": proportion("exact", "one-sided"),
        "mcnemar_exact": lambda only_first, only_second: {
            "p_value": stats.binomtest(only_first, only_first + only_second).pvalue
        },
    }


def statsmodels() -> Library:
    """statsmodels.stats."""
    from statsmodels.stats import contingency_tables, multitest
    from statsmodels.stats import proportion as of_shares

    def proportion(method: str) -> Callable[..., Outputs]:
        def interval(hits: int, n: int, level: str) -> Outputs:
            low, high = of_shares.proportion_confint(hits, n, 1 - float(level), method)
            return {"low": low, "high": high}

        return interval

    def two(hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str) -> Outputs:
        if limits_by != "wilson":
            raise NotOffered
        low, high = of_shares.confint_proportions_2indep(
            hits_1, n_1, hits_2, n_2, method="newcomb", compare="diff", alpha=1 - float(level)
        )
        return {"low": low, "high": high}

    def exact(only_first: int, only_second: int) -> Outputs:
        table = [[0, only_first], [only_second, 0]]
        return {"p_value": contingency_tables.mcnemar(table, exact=True).pvalue}

    def asymptotic(only_first: int, only_second: int) -> Outputs:
        table, found = [[0, only_first], [only_second, 0]], {}
        for correction, end in ((False, ""), (True, "_corrected")):
            test = contingency_tables.mcnemar(table, exact=False, correction=correction)
            found |= {f"statistic{end}": test.statistic, f"p_value{end}": test.pvalue}
        return found

    def corrected(only_first: list[int], only_second: list[int]) -> Outputs:
        of_each = [
            (min(counts), stats.binom(sum(counts), 0.5))
            for counts in zip(only_first, only_second, strict=True)
        ]
        p_values = [min(1, 2 * of.cdf(rarer) - of.pmf(rarer)) for rarer, of in of_each]
        return {
            name: multitest.multipletests(p_values, method=name)[1]
            for name in ("holm", "bonferroni")
        }

    return {
        "wilson": proportion("wilson"),
        "clopper_pearson": proportion("beta"),
        "newcombe_difference": two,
        "mcnemar_exact": exact,
        "mcnemar_asymptotic": asymptotic,
        "corrected_mid_p": corrected,
    }


def scikit_learn() -> Library:
    """sklearn.metrics, which has values without limits."""
    from sklearn import metrics

    def area(positive: list[int], negative: list[int], **_: Any) -> Outputs:
        actual = np.repeat([1, 0], [len(positive), len(negative)])
        return {"value": metrics.roc_auc_score(actual, positive + negative)}

    return {"delong": area, "area_limits": area}


def pycm() -> Library:
    """pycm, whose intervals are of every class; that of a likelihood ratio is by another method."""
    from pycm import ConfusionMatrix

    def matrix(tp: int, fn: int, tn: int, fp: int) -> Any:
        return ConfusionMatrix(matrix={0: {0: tn, 1: fp}, 1: {0: fn, 1: tp}})

    def wilson(hits: int, n: int, level: str) -> Outputs:
        # Its levels are keys of a table.
        alpha = round(1 - float(level), 9)
        found = matrix(hits, n - hits, 1, 1).CI("TPR", alpha=alpha, binom_method="wilson")
        low, high = (None if of == "None" else of for of in found[1][1])
        return {"low": low, "high": high}

    return {"wilson": wilson}


def mlxtend() -> Library:
    """mlxtend.evaluate."""
    from mlxtend.evaluate import mcnemar

    def asymptotic(only_first: int, only_second: int) -> Outputs:
        table, found = np.array([[0, only_first], [only_second, 0]]), {}
        for corrected, end in ((False, ""), (True, "_corrected")):
            statistic, p_value = mcnemar(table, corrected=corrected)
            found |= {f"statistic{end}": statistic, f"p_value{end}": p_value}
        return found

    def exact(only_first: int, only_second: int) -> Outputs:
        table = np.array([[0, only_first], [only_second, 0]])
        return {"p_value": mcnemar(table, exact=True)[1]}

    return {"mcnemar_exact": exact, "mcnemar_asymptotic": asymptotic}


def krippendorff() -> Library:
    """krippendorff."""
    from krippendorff import alpha

    def value(ratings: list[list[int | None]], scale: str, level: str) -> Outputs:  # noqa: ARG001
        rows = [[np.nan if of is None else of for of in row] for row in ratings]
        return {"value": alpha(np.transpose(rows), level_of_measurement=scale)}

    return {"krippendorff_alpha": value}


LIBRARIES: dict[str, Callable[[], Library]] = {
    "skmetrics-ext": skmetrics_ext,
    "statsmodels": statsmodels,
    "scipy": scipy,
    "scikit-learn": scikit_learn,
    "pycm": pycm,
    "mlxtend": mlxtend,
    "krippendorff": krippendorff,
}
