"""How estimators are stored, so that every library gives back what it was given."""

from typing import Any


class PairsInFiles:
    """An estimator whose dicts are stored as lists of pairs.

    skops writes JSON, whose keys are strings: pairs and functions cannot be, and False is read as
    True.
    """

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        dicts = {name for name, value in state.items() if type(value) is dict}
        kept = {name: value for name, value in state.items() if name not in dicts}
        return kept | {"_pairs": {name: list(state[name].items()) for name in sorted(dicts)}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = {name: value for name, value in state.items() if name != "_pairs"}
        pairs = state["_pairs"]
        vars(self).update(kept | {name: dict(of_name) for name, of_name in pairs.items()})
