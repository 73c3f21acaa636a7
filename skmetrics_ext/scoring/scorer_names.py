"""The names of scorers: those of this package, each in one group, and those of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue import names
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.reading.arguments import check_choice
from skmetrics_ext.scoring.parts import PRESETS

ScorerGroup = Literal[
    "binary", "macro", "micro", "weighted", "samples", "worst", "overall", "dict", "scikit-learn"
]


def get_scorer_names(group: ScorerGroup | None = None) -> list[str]:
    """Names that `get_scorer` accepts without parameters: this package's, and those only
    scikit-learn has.

    Each metric has one name, with "neg_" where lower is better, and one-vs-rest metrics also one
    with each average, such as "_macro". Aliases ("npv", "neg_fpr") are understood but not listed.

    Parameters
    ----------
    group : str or None, default=None
        "binary": metrics of the positive class; "macro", "micro", "weighted", "samples" or "worst":
        these with that average; "overall": metrics over all classes; "dict": scorers of several
        values, for `cross_validate`; "scikit-learn": those only scikit-learn has. None: all.

    Returns
    -------
    list of str
        Sorted.

    Raises
    ------
    ValueError
        If there is no such group; the message lists them.

    See Also
    --------
    metrics_table : The metrics behind the names, as a data frame.
    describe : Describe one metric in words.

    Examples
    --------
    >>> from skmetrics_ext import get_scorer_names
    >>> [name for name in get_scorer_names() if name.startswith("f1")]
    ['f1', 'f1_macro', 'f1_micro', 'f1_samples', 'f1_weighted', 'f1_worst']
    >>> get_scorer_names("overall")[:3]
    ['accuracy', 'balanced_accuracy', 'bennett_s']
    >>> get_scorer_names("dict")
    ['evaluation_index']
    """
    groups = _names_by_group()
    if group is None:
        return sorted(name for of_group in groups.values() for name in of_group)
    check_choice(group, "group", tuple(groups))
    return sorted(groups[group])


def _names_by_group() -> dict[str, set[str]]:
    """The names of scorers, each in one group."""
    groups: dict[str, set[str]] = {group: set() for group in get_args(ScorerGroup)}
    groups["dict"].update(PRESETS)
    for row in METRICS:
        if row.required:
            continue
        for average in ("binary", *names.suffixes_of(row)) if row.has_average else ("overall",):
            groups[average].add(names.scorer_name(row, average, negated=bool(row.scorer_prefix)))
    groups["scikit-learn"] = set(sklearn_metrics.get_scorer_names()).difference(*groups.values())
    return groups


def is_scorer_name(scoring: str) -> bool:
    """Whether a name is this package's, apart from a "neg_" that may be missing or wrong."""
    return names.is_metric_name(scoring.lower().removeprefix("neg_"))


def scikit_learn_scorer(scoring: str, options: Mapping[str, Any]) -> Any:
    """A scorer that only scikit-learn has; its names ignore case, too, and take no options."""
    known = scoring.lower()
    if known not in sklearn_metrics.get_scorer_names():
        aliases = [row.scorer_prefix + alias for alias, row in BY_NAME.items()]
        hint = names.hint_for(known, "scorer", [*get_scorer_names(), *aliases])
        raise ValueError(f"{scoring!r} is not a scorer.{hint} get_scorer_names() lists all.")
    if options:
        raise ValueError(
            f"{scoring!r} is a scikit-learn scorer, which takes no keyword options; got "
            f"{sorted(options)}."
        )
    scorer = sklearn_metrics.get_scorer(known)
    scorer.__name__ = known
    return scorer
