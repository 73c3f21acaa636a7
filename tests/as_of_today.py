"""Functions of scikit-learn with the name and the default that its 0/0 has today, for the tests.

scikit-learn's pull request 34225 calls it `replaced_undefined_by`, nan by default.
"""

import functools
import inspect

NEW, OLD = "replaced_undefined_by", "zero_division"
CHANGED = (
    *("precision_recall_fscore_support", "precision_score", "recall_score", "f1_score"),
    *("fbeta_score", "jaccard_score", "classification_report"),
)


def as_of_today(function):
    """The function itself, unless it has the new name."""
    if NEW not in inspect.signature(function).parameters:
        return function

    @functools.wraps(function)
    def called(*arguments, zero_division="warn", **options):
        if zero_division == "warn":
            # For its warning.
            function(*arguments, **options)
        value = 0 if zero_division == "warn" else zero_division
        return function(*arguments, **{NEW: value}, **options)

    parameters = inspect.signature(function).parameters.values()
    kept = [one.replace(default="warn") if one.name == OLD else one for one in parameters]
    # Where pickle looks for it.
    called.__module__ = "sklearn.metrics"
    called.__signature__ = inspect.Signature([one for one in kept if one.name != NEW])
    return called
