"""narwhals, which knows every library of data frames: the one place that imports it, where it is installed."""

from typing import Any


def narwhals() -> Any:
    """Its stable interface, or an error that says how to install it."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError("data frames need narwhals: pip install 'skmetrics-ext[frames]'.") from None
    return nw
