"""The public objects by name: those at the top, and the types that calls return."""

import skmetrics_ext
from skmetrics_ext import results

PUBLIC = {name: getattr(skmetrics_ext, name) for name in skmetrics_ext.__all__} | {
    name: getattr(results, name) for name in results.__all__
}


def path_of(name):
    """Where users import a public object, or a method of one, from."""
    owner = name.partition(".")[0]
    module = results if owner in results.__all__ else skmetrics_ext
    return f"{module.__name__}.{name}"
