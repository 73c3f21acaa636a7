"""Design: what a user sees of how samples were obtained."""

from dataclasses import dataclass
from typing import Any

from skmetrics_ext.counting.design import SampleDesign


@dataclass(frozen=True, repr=False)
class Design:
    """How the samples behind counts were obtained: weights, clusters, folds, another prevalence.

    Attributes
    ----------
    name : str
        What the samples are, such as "clusters of samples".
    described : str
        The same with numbers: how many clusters, and which models predicted them.
    about : dict
        "n_models" and "train_share": by how many models of a cross-validation the samples were
        predicted, and what share of the samples these were fitted to; "repeats" and "folds": how
        often each sample is counted in sums and in summed folds; "chosen": 1 if the samples chose
        the threshold; "shared": the axes whose entries have samples in common.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], clusters=["a", "a", "b"]).design
    Design: 2 clusters of samples
    """

    name: str
    described: str
    about: dict[str, Any]

    def __repr__(self) -> str:
        return f"Design: {self.described}"


def described(design: SampleDesign) -> Design:
    """What a user sees of a design."""
    about = design.about | {"n_models": design.n_models}
    del about["models"]
    return Design(name=design.name, described=repr(design), about=about)
