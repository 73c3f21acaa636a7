"""The two undocumented attributes that scikit-learn requires of a scorer, and nothing else."""

from typing import Any


class PrivateHooks:
    """What scikit-learn reads from scorers outside its public interface."""

    _instead = "get_scorer(name)"

    def _accept_sample_weight(self) -> bool:
        """Required of scorers in a dict while metadata routing is off."""
        return True

    @property
    def _score_func(self) -> object:
        """Required by TunedThresholdClassifierCV, which needs another scorer."""
        raise AttributeError(
            "TunedThresholdClassifierCV tunes the threshold itself, which requires a native "
            "scikit-learn scorer: "
            f"pass {self._instead}."
        )


def function_of_native(scorer: object) -> Any:
    """The function of one of scikit-learn's own scorers; None of anything else."""
    return getattr(scorer, "_score_func", None)
