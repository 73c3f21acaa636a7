"""Results as data frames, in whichever library the user has."""

from typing import Any


def frame(columns: dict[str, Any], backend: str | None) -> Any:
    """A data frame by narwhals, in the library that is there."""
    try:
        import narwhals as nw
    except ImportError:
        raise ImportError("data frames need narwhals: pip install 'skmetrics-ext[frames]'.") from None
    for library in ("pandas", "polars") if backend is None else (backend,):
        try:
            return nw.from_dict(columns, backend=library).to_native()
        except ModuleNotFoundError:
            continue
    raise ImportError(f"data frames need {backend or 'pandas or polars'}, which is not installed.")
