"""compare_folds: scores of models, or of the candidates of a search, on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.analyses.models import check_models
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.reading.order import show_names
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import Compared, check_comparison, comparison_of
from skmetrics_ext.statistics.constants import FEW_OF_FOLDS
from skmetrics_ext.statistics.entries import of_origin
from skmetrics_ext.statistics.pairs.folds import (
    FoldComparison,
    difference_of_folds,
    mean_and_error,
    p_values_of,
    probabilities_of_rope,
)
from skmetrics_ext.writing.text import numbered

EXAMPLE = '{"a": cross_val_score(a, X, y, cv=cv), "b": cross_val_score(b, X, y, cv=cv)}'


@explained
def compare_folds(
    scores: Any,
    *,
    n_train: float,
    n_test: float,
    baseline: str | None = None,
    metric: str | None = None,
    simplest: Callable[[Any], float] | None = None,
    rope: float | None = None,
    confidence_level: float = 0.95,
    correction: Literal["holm", "bonferroni"] | None = "holm",
) -> FoldComparison:
    """Compare models' scores over the same folds, or a search's candidates, by a t test corrected
    for overlapping training sets.

    It is about learning algorithms, trained on other data of this size. For fitted models, use
    `compare`; for learners' models fitted to all samples, `compare_estimators`.

    Parameters
    ----------
    scores : dict of str to array-like of shape (n_scores,), or fitted search
        Scores of each model in the same fold order, higher is better, from `cross_val_score` with
        the same splitter and random_state, including repeated folds or random splits. Or a fitted
        GridSearchCV, RandomizedSearchCV or halving search, of which the last iteration counts;
        candidates without a score in some fold are left out, with a warning.
    n_train, n_test : float
        Number of training and of test samples per fold; the means if fold sizes differ.
    baseline : str, default=None
        Reference model. None: all pairs.
    metric : str, default=None
        Which score of a search with several. None: that of its `refit`.
    simplest : function, default=None
        The complexity, a number, of a candidate's parameters (a dict), or of a model's name. The
        least of those that cannot be told from the reference is `simplest`; ties go to the better.
    rope : float, default=None
        Region of practical equivalence (ROPE): a difference too small to matter, above 0, for the
        probabilities that a model is worse than the reference by more, equivalent, or better.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    correction : {"holm", "bonferroni"} or None, default="holm"
        Multiple-testing correction over all rows, of p-values and confidence limits.

    Returns
    -------
    FoldComparison
        One row per other model, the best first: model - reference. `indistinguishable` names those
        that cannot be told from the reference.

    Raises
    ------
    ValueError
        If the scores do not fit, or an option is out of range.
    TypeError
        If `scores` is neither a dict nor a fitted search.

    Warns
    -----
    UserWarning
        If small folds are repeated, or have more samples for the test than for training, or a
        difference is the same in all folds, so that nothing tells its limits.

    Notes
    -----
    The statistic is mean(a - b) / sqrt((1 / k + n_test / n_train) s^2), with k scores, their
    variance s^2 and k - 1 degrees of freedom; the probabilities are those of the correlated
    Bayesian t test with a flat prior. Where all candidates are equal, Holm's correction over the
    others alone would tell the best from one of them in up to 29 % of searches with 30 candidates.
    That models cannot be told apart does not show that they are equal: pass `rope=`.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52:239; Bouckaert & Frank (2004), PAKDD; Benavoli et
    al. (2017), JMLR 18:1.

    Examples
    --------
    >>> from skmetrics_ext import compare_folds
    >>> scores = {"a": [0.91, 0.94, 0.89, 0.93, 0.92], "b": [0.88, 0.92, 0.90, 0.89, 0.91]}
    >>> (row,) = compare_folds(scores, n_train=400, n_test=100, baseline="b").rows
    >>> [round(float(number), 4) for number in (row.difference, row.low, row.high, row.p_value)]
    [0.018, -0.0178, 0.0538, 0.2355]
    """
    check_comparison(confidence_level, correction, None)
    for name, value in (("n_train", n_train), ("n_test", n_test)):
        check_in_range(value, name, lambda x: 0 < x < np.inf, "a finite number above 0")
    if rope is not None:
        check_in_range(rope, "rope", lambda x: 0 < x < np.inf, "a finite number above 0")
    if simplest is not None and not callable(simplest):
        raise TypeError(
            "simplest= must be a function that returns a number for each model, the least of the "
            f"simplest: of a name, or of the parameters of a candidate; got {simplest!r}."
        )
    if n_test > n_train:
        warn(
            f"n_test={n_test:g} is more than n_train={n_train:g}: folds have more samples for "
            "training, so these may be in each other's place, with far too wide limits."
        )
    found = _read(scores, metric)
    reference = _reference_of(found, baseline, correction)
    others = [k for k in np.argsort(-found.means, kind="stable").tolist() if k != reference]
    differences = np.stack([found.differences_to(reference)[k] for k in others])
    share = n_test / n_train
    caveats = _caveats_of_repeated(n_train, n_test, found.scores.shape[1])
    compared = [
        Compared(
            metric=found.metric,
            models=(found.names[k], found.names[reference]),
            values=(float(found.means[k]), float(found.means[reference])),
            known=(known := difference_of_folds(of_pair, share, caveats)),
            caveats=known.caveats,
        )
        for k, of_pair in zip(others, differences, strict=True)
    ]
    of_others = [] if baseline is not None else _p_values_beside(found, reference, share)
    comparison = comparison_of(
        compared, confidence_level, correction, None, p_values_of_others=of_others
    )
    result = FoldComparison(
        **{of.name: getattr(comparison, of.name) for of in fields(comparison)},
        degrees_of_freedom=found.scores.shape[1] - 1,
        **({} if rope is None else probabilities_of_rope(differences, share, rope)),
    )
    result = of_origin(result, "scores of folds")
    return result if simplest is None else _with_simplest(result, found, simplest)


class _Folds(NamedTuple):
    """Scores (n_models, n_folds) of models, their names, and what tells how simple each is."""

    scores: Array
    names: list[str]
    metric: str
    # The parameters of a candidate or the name of a model, and its place.
    described: list[Any]
    places: list[int]

    @property
    def means(self) -> Array:
        """The mean score of each."""
        return np.asarray(self.scores.mean(axis=1))

    def differences_to(self, reference: int) -> Array:
        """The scores of each minus those of the reference, 0 where they differ by rounding."""
        own, other = self.scores, self.scores[reference]
        with np.errstate(over="ignore"):
            differences = own - other
        if not np.isfinite(differences).all():
            raise ValueError(
                "the differences between the scores overflow the floating-point range: rescale "
                "the scores."
            )
        # 0.1 + 0.2 is 0.3.
        most = 8 * np.finfo(float).eps * np.maximum(np.abs(own), np.abs(other))
        return np.where(np.abs(differences) <= most, 0, differences)


def _read(scores: Any, metric: str | None) -> _Folds:
    """The scores of a dict or of a search."""
    if hasattr(scores, "cv_results_"):
        return _of_search(scores, metric)
    if hasattr(scores, "fit"):
        raise TypeError(
            f"scores must be a dict, such as {EXAMPLE}, or a fitted search; got a "
            f"{type(scores).__name__} that has no cv_results_: call its fit first."
        )
    check_models(scores, "scores", EXAMPLE)
    if metric is not None:
        raise ValueError(f"metric={metric!r} names a score of a search; scores is a dict.")
    read = {name: _read_scores(of, name) for name, of in scores.items()}
    (first, n_first), *others = ((name, len(of)) for name, of in read.items())
    for name, n_scores in others:
        if n_scores != n_first:
            raise ValueError(
                f"scores[{first!r}] has {n_first} scores and scores[{name!r}] {n_scores}: pass "
                "scores from the same folds."
            )
    names = [*read]
    return _Folds(np.stack([*read.values()]), names, "score", names, [*range(len(names))])


def _read_scores(scores: Any, name: str) -> Array:
    """One finite score per fold."""
    read = read_numbers(scores, f"scores[{name!r}]").astype(np.float64, copy=False)
    if read.ndim != 1 or len(read) < 2:
        raise ValueError(
            f"scores[{name!r}] must contain the scores of at least two folds; it has shape "
            f"{read.shape}."
        )
    return read


def _of_search(search: Any, metric: str | None) -> _Folds:
    """The candidates of a fitted search, of a halving one those of the last iteration."""
    found: Mapping[str, Any] = search.cv_results_
    key = _score_of_search(search, metric)
    of_folds = [found[f"split{k}_test_{key}"] for k in range(search.n_splits_)]
    scores = np.column_stack([np.asarray(of, dtype=np.float64) for of in of_folds])
    iterations = np.asarray(found.get("iter", np.zeros(len(scores))))
    is_last: NDArray[np.bool_] = np.asarray(iterations == iterations.max())
    is_known: NDArray[np.bool_] = np.asarray(np.isfinite(scores).all(axis=1))
    kept = np.flatnonzero(is_last & is_known)
    names = _names_of(found["params"], np.flatnonzero(is_last))
    lost = [name for name, is_ok in zip(names, is_known[is_last], strict=True) if not is_ok]
    if len(kept) < 2:
        raise ValueError(
            f"the search has {numbered(len(kept), 'candidate')} with a score in every fold"
            f"{' of its last iteration' if 'iter' in found else ''}: two are the least."
        )
    if scores.shape[1] < 2:
        raise ValueError("the search has one fold: two are the least.")
    if lost:
        warn(
            f"{len(lost)} of {len(names)} candidates have no finite score in some fold, and are "
            f"left out: {show_names(lost)}."
        )
    return _Folds(
        scores[kept],
        [name for name in names if name not in lost],
        key,
        [found["params"][k] for k in kept],
        kept.tolist(),
    )


def _score_of_search(search: Any, metric: str | None) -> str:
    """The score that was asked for, or the one that the search chose by."""
    prefix, keys = "mean_test_", map(str, search.cv_results_)
    known = [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]
    if metric is None and len(known) == 1:
        return known[0]
    asked: Any = search.refit if metric is None else metric
    if asked in known:
        return str(asked)
    raise ValueError(f"metric must be one of the search's scores, {known}; got {metric!r}.")


def _names_of(parameters: Any, places: NDArray[np.intp]) -> list[str]:
    """The parameters in which candidates differ; of equal ones also their places."""
    own = [parameters[k] for k in places.tolist()]
    keys = dict.fromkeys(key for of in own for key in of)
    varied = [key for key in keys if len({repr(of.get(key, ...)) for of in own}) > 1]
    names = [", ".join(f"{key}={of[key]}" for key in varied if key in of) for of in own]
    return [
        name if name and names.count(name) == 1 else f"{name} [{place}]".lstrip()
        for name, place in zip(names, places.tolist(), strict=True)
    ]


def _reference_of(found: _Folds, baseline: str | None, correction: str | None) -> int:
    """The place of the baseline, or of the best."""
    if baseline is not None:
        if baseline not in found.names:
            raise ValueError(f"baseline={baseline!r} is not one of the models {found.names}.")
        return found.names.index(baseline)
    if correction is None and len(found.names) > 2:
        raise ValueError(
            "correction=None needs a baseline=: the best model is chosen by these scores, so it "
            "differs from others by chance."
        )
    return int(np.argmax(found.means))


def _p_values_beside(found: _Folds, reference: int, share: float) -> list[float]:
    """The p-values of all pairs without the reference."""
    others = [k for k in range(len(found.names)) if k != reference]
    beside: list[float] = []
    for place, k in enumerate(others[:-1]):
        differences = found.differences_to(k)[others[place + 1 :]]
        known = mean_and_error(differences, share)
        beside.extend(p_values_of(known, differences.shape[1] - 1).tolist())
    return beside


def _caveats_of_repeated(n_train: float, n_test: float, n_folds: int) -> tuple[Caveat, ...]:
    """The caveat of repeated folds of few samples."""
    if n_train + n_test >= FEW_OF_FOLDS or n_folds * n_test <= (n_train + n_test) * 1.5:
        return ()
    text = (
        f"repeated folds of {n_train + n_test:g} samples: with fewer than {FEW_OF_FOLDS}, the "
        "test falsely rejects equality of equally good models at the 5 % level in up to 14 % "
        "of data sets of 100 samples, and 8 % of 300. compare_estimators holds its level."
    )
    return (Caveat("repeated_folds", text),)


def _with_simplest(
    result: FoldComparison, found: _Folds, simplest: Callable[[Any], float]
) -> FoldComparison:
    """The comparison with the simplest of the models that cannot be told from the reference."""
    alike = [found.names.index(name) for name in result.indistinguishable]
    ranks = {}
    for k in alike:
        number = simplest(found.described[k])
        check_in_range(number, "simplest=", lambda x: not np.isnan(x), "a number for each model")
        ranks[k] = (number, -float(found.means[k]))
    chosen = min(ranks, key=lambda k: ranks[k])
    return replace(result, simplest=found.names[chosen], simplest_index=found.places[chosen])
