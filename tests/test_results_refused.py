"""Results that are about no metric are refused, by a sentence, wherever metrics are asked for."""

import pytest

from skmetrics_ext import ConfusionMatrix, check, plot_intervals, watch

CM = ConfusionMatrix.from_counts([[90, 10], [5, 55]], labels=[0, 1])
CLAIMS = {"recall": 0.5}
RESULTS = {
    "verdicts": check(CM, CLAIMS, pos_label=1),
    "alarms": watch([CM], CLAIMS, pos_label=1, horizon=12),
}


@pytest.mark.parametrize("name", RESULTS)
def test_claims_are_not_about_them(name):
    for source in (RESULTS[name], {"recall": RESULTS[name]}):
        with pytest.raises(TypeError, match="source must be a ConfusionMatrix"):
            check(source, CLAIMS)


@pytest.mark.parametrize("name", ["verdicts"])
def test_nor_are_intervals_drawn_of_them(name):
    for source in (RESULTS[name], {"a": RESULTS[name]}):
        with pytest.raises(TypeError, match="source must be an Interval"):
            plot_intervals(source)
