"""The two names that scikit-learn asks of a scorer without documenting them, and nothing else."""

from __future__ import annotations


class PrivateHooks:
    """What scikit-learn reads from scorers besides its public interface."""

    _instead = "get_scorer(name)"
    """What makes a scorer of scikit-learn's own kind."""

    def _accept_sample_weight(self) -> bool:
        """ClassesRequest of scorers in a dict while metadata routing is off."""
        return True

    @property
    def _score_func(self) -> object:
        """ClassesRequest by TunedThresholdClassifierCV, which needs another scorer."""
        raise AttributeError(
            "TunedThresholdClassifierCV tunes the threshold itself, which takes a scorer of scikit-learn's own kind: "
            f"give it {self._instead}."
        )
