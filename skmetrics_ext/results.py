"""The types that calls return, for type hints and isinstance.

- `Interval`, `CrossValidatedInterval`: a value with its confidence limits.
- `Summary`: counts and metrics with their limits, a row each.
- `Gap`: how much a metric differs between groups.
- `Comparison`, `ComparisonRow`, `FoldComparison`: models or groups compared.
- `AcrossGroups`: what the differences of models in several groups say together.
- `Verdicts`: which claims are shown to hold.
- `Alarms`: when a bound was no longer met.
- `Caveat`: why limits may not hold their level.
- `SampleSize`: how many samples are needed, and their power.
- `BestThreshold`, `BestThresholds`: the value, the threshold and the counts there.
- `KeptConstraint`: a bound, the value reached, and the confidence limit.
- `RocCurve`, `PrecisionRecallCurve`: points at each threshold.
- `ClassCounts`: tp, fp, fn and tn of each class.
- `Axis`: the name and the coordinates of groups or folds.
- `Design`: how the samples were obtained: weights, clusters, folds.
- `ConfusedPair`: one kind of error.
- `MetricsText`: a report as text.
- `TextTable`: a table for a paper.
- `ConfusionMatrixPlot`, `ThresholdCurvePlot`, `DecisionCurvePlot`: what is drawn, with its axes.
- `RocPlot`, `PrecisionRecallPlot`, `RiskCoveragePlot`, `IntervalsPlot`: the same of other pictures.
"""

from skmetrics_ext.analyses.sample_size import SampleSize
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.described import Design
from skmetrics_ext.curves.areas import PrecisionRecallCurve, RocCurve
from skmetrics_ext.curves.best import BestThreshold, BestThresholds
from skmetrics_ext.curves.promised_threshold import KeptConstraint
from skmetrics_ext.matrices.tables import ConfusedPair
from skmetrics_ext.plotting.decision_curve import DecisionCurvePlot
from skmetrics_ext.plotting.intervals import IntervalsPlot
from skmetrics_ext.plotting.one_matrix import ConfusionMatrixPlot
from skmetrics_ext.plotting.rates import PrecisionRecallPlot, RocPlot
from skmetrics_ext.plotting.risk_coverage import RiskCoveragePlot
from skmetrics_ext.plotting.threshold_curve import ThresholdCurvePlot
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.pairs.folds import FoldComparison
from skmetrics_ext.statistics.promises.verdicts import Verdicts
from skmetrics_ext.statistics.results import (
    AcrossGroups,
    Alarms,
    Comparison,
    ComparisonRow,
    CrossValidatedInterval,
    Gap,
    Interval,
)
from skmetrics_ext.statistics.summary import Summary
from skmetrics_ext.writing.report_text import MetricsText
from skmetrics_ext.writing.text_table import TextTable

__all__ = [
    "AcrossGroups",
    "Alarms",
    "Axis",
    "BestThreshold",
    "BestThresholds",
    "Caveat",
    "ClassCounts",
    "Comparison",
    "ComparisonRow",
    "ConfusedPair",
    "ConfusionMatrixPlot",
    "CrossValidatedInterval",
    "DecisionCurvePlot",
    "Design",
    "FoldComparison",
    "Gap",
    "Interval",
    "IntervalsPlot",
    "KeptConstraint",
    "MetricsText",
    "PrecisionRecallCurve",
    "PrecisionRecallPlot",
    "RiskCoveragePlot",
    "RocCurve",
    "RocPlot",
    "SampleSize",
    "Summary",
    "TextTable",
    "ThresholdCurvePlot",
    "Verdicts",
]


def __dir__() -> list[str]:
    """The types, and what every module has."""
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


# Types name the place where users find them, so that pickles and help survive moved files.
for _name in __all__:
    globals()[_name].__module__ = __name__
