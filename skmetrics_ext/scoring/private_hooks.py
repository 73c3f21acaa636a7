"""What scikit-learn requires of a scorer without documenting it, and what scorers inherit from."""

from typing import TYPE_CHECKING, Any

from sklearn import metrics

from skmetrics_ext.adapter.responses import SCORES_FIRST

if TYPE_CHECKING:
    ScorerClass = object
else:
    # Public in versions of scikit-learn to come, which may ask whether a scorer is one.
    ScorerClass = getattr(metrics, "BaseScorer", object)


class PrivateHooks(ScorerClass):
    """What scikit-learn reads from scorers outside its public interface."""

    __call__: Any
    _instead = "get_scorer(name)"
    # Of those of its class in a dict, under the name of today and the public one.
    _response_method = response_method = SCORES_FIRST

    def _score(self, _: Any, estimator: Any, X: Any, y_true: Any, **routed: Any) -> Any:
        """Required of those of its class in a dict; the first argument predicts once for all."""
        return self(estimator, X, y_true, **routed)

    def _accept_sample_weight(self) -> bool:
        """Required of scorers in a dict while metadata routing is off."""
        return True

    @property
    def _score_func(self) -> object:
        """Required by TunedThresholdClassifierCV, which needs another scorer."""
        raise AttributeError(
            "TunedThresholdClassifierCV tunes the threshold itself, which requires a native "
            f"scikit-learn scorer: pass {self._instead}."
        )


def function_of_native(scorer: object) -> Any:
    """The function of one of scikit-learn's own scorers; None of anything else."""
    return None if isinstance(scorer, type) else getattr(scorer, "_score_func", None)
