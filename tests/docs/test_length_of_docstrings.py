"""Docstrings are read in an editor: what explains statistics and methods stands in the pages."""

import inspect

from tests.public_names import PUBLIC

MOST_WORDS = 500
# They have more than fifteen options or attributes, each of which is described.
MORE_WORDS = {
    "AbstainingClassifier": 700,
    "ConfusionMatrix.from_frame": 700,
    "ConfusionScorer": 700,
    "ConstrainedThresholdClassifier": 700,
    "compare": 600,
    "cross_val_confusion_matrix": 750,
    "get_scorer": 700,
    "make_scorer": 600,
    "metric_interval": 600,
}


def lengths():
    """How many words each public docstring has, also of the methods of classes."""
    for name, found in PUBLIC.items():
        yield name, len((found.__doc__ or "").split())
        for method in dir(found) if inspect.isclass(found) else ():
            documented = inspect.getdoc(getattr(found, method)) or ""
            yield f"{name}.{method}", len(documented.split())


def test_docstrings_are_short():
    found = dict(lengths())
    assert MORE_WORDS.keys() <= found.keys()
    too_long = {
        name: n_words
        for name, n_words in found.items()
        if n_words > MORE_WORDS.get(name, MOST_WORDS)
    }
    assert too_long == {}
