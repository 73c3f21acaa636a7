"""The methods of the test vectors: the function that computes one, its cases, and by which public
function of this package it is had.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.vectors.intervals import areas, cases, designs, paired, proportions, raters


class Method(NamedTuple):
    """A method of intervals or tests."""

    of: Callable[..., dict[str, Any]]
    cases: list[cases.Inputs]
    # What of it skmetrics-ext gives, and how.
    door: str

    @property
    def name(self) -> str:
        """Its name in the file."""
        return self.of.__name__

    @property
    def formula(self) -> str:
        """What is computed, in words."""
        return _paragraphs(self.of)[0]

    @property
    def source(self) -> str:
        """Who published it."""
        return _paragraphs(self.of)[1]


def _paragraphs(of: Callable[..., Any]) -> list[str]:
    """The formula and the source in the docstring of a function."""
    text = " ".join((of.__doc__ or "").split())
    return [part.strip() for part in text.split("Source: ")]


NEAREST_TO_ZERO = (
    "compare(y_true, {a: ..., b: ...}, 'accuracy', correction=None), whose limits reach to 0 where "
    "the p_value of mcnemar_mid_p is at least 1 - level, and stop at the float next to 0 where it "
    "is not"
)
METHODS = [
    Method(proportions.wilson, cases.PROPORTIONS, "cm.interval('recall', method='wilson')"),
    Method(proportions.mid_p, cases.EXACT_PROPORTIONS, "cm.interval('recall')"),
    Method(
        proportions.clopper_pearson,
        cases.EXACT_PROPORTIONS,
        "cm.interval('recall', method='clopper-pearson')",
    ),
    Method(
        proportions.one_sided_clopper_pearson,
        cases.EXACT_PROPORTIONS,
        "check(cm, {'recall': bound}, confidence_level=level)",
    ),
    Method(
        proportions.newcombe_difference,
        cases.TWO_PROPORTIONS,
        "cm.pairwise_gaps('recall', correction=None) by mid_p; the other two: none",
    ),
    Method(
        proportions.mover_sum,
        cases.TWO_PROPORTIONS,
        "cm.interval('informedness'), which is the sum of recall and specificity minus 1, by "
        "mid_p, with method='mover' by wilson, 'exact-mover' by clopper_pearson; 'markedness' and "
        "'one_vs_rest_balanced_accuracy' likewise",
    ),
    Method(
        proportions.mover_ratio,
        cases.TWO_PROPORTIONS,
        "cm.interval('positive_likelihood_ratio'), which is recall over the false positive rate, "
        "by mid_p, with method='mover' by wilson, 'exact-mover' by clopper_pearson; "
        "'negative_likelihood_ratio' and 'relative_risk' likewise",
    ),
    Method(
        proportions.bonferroni,
        cases.AT_ONCE,
        "cm.interval('recall', average=None, simultaneous=True), by clopper_pearson, with "
        "method='wilson' and 'mid-p' by these; by Holm's or Sidak's levels: none",
    ),
    Method(paired.tango, cases.PAIRED, NEAREST_TO_ZERO),
    Method(
        paired.tango_non_inferiority,
        cases.WITH_MARGIN,
        "p_not_worse of compare(..., correction=None, margin=margin), at most half of the p_value "
        "of mcnemar_mid_p where the first is better",
    ),
    Method(paired.mcnemar_exact, cases.COUNTS_OF_DISCORDANT, "none"),
    Method(
        paired.mcnemar_mid_p,
        cases.COUNTS_OF_DISCORDANT,
        "p_value of compare(y_true, {a: ..., b: ...}, 'accuracy'); of both tails: none",
    ),
    Method(paired.mcnemar_asymptotic, cases.COUNTS_OF_DISCORDANT, "none"),
    Method(
        paired.corrected_mid_p,
        cases.CORRECTED,
        "p_adjusted of compare(..., correction='holm') and 'bonferroni'",
    ),
    Method(
        areas.delong, cases.AREAS, "curve.interval('roc_auc', method='delong') and 'delong-logit'"
    ),
    Method(areas.newcombe_method_5, cases.AREAS, "none by itself: part of area_limits"),
    Method(areas.area_limits, cases.AREAS, "curve.interval('roc_auc')"),
    Method(areas.delong_difference, cases.TWO_AREAS, "compare_curves(..., method='delong')"),
    Method(
        designs.mid_p_of_clusters,
        cases.IN_CLUSTERS,
        "interval('recall') of ConfusionMatrix.from_predictions(..., clusters=...)",
    ),
    Method(
        designs.korn_graubard_of_clusters, cases.IN_CLUSTERS, "the same with method='korn-graubard'"
    ),
    Method(
        designs.mid_p_of_weights,
        cases.WITH_WEIGHTS,
        "interval('recall') of ConfusionMatrix.from_predictions(..., sample_weight=...), with no "
        "samples of the other actual class",
    ),
    Method(
        designs.begg_greenes,
        cases.PARTLY_VERIFIED,
        "score('recall') and score('specificity') of ConfusionMatrix.from_partial_labels; the "
        "variances: none, its limits come from replicates",
    ),
    Method(
        raters.krippendorff_alpha,
        cases.OF_SCALES,
        "agreement(ratings), with weights='ordinal' or 'quadratic'; the variance: only by its "
        "limits",
    ),
    Method(
        raters.gwet_ac1,
        cases.OF_RATERS,
        "agreement(ratings, metric='gwet_ac1'); the variance: only by its limits",
    ),
]
