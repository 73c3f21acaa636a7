"""The sample size for the width of a confidence interval: against the interval itself."""

import pytest
from scipy import stats

import skmetrics_ext
from skmetrics_ext import recall_score, sample_size
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.statistics.proportions import wilson


def half_width_of(value, n, level):
    limits = wilson(value * n, n, 1 - level)
    return (limits.high - limits.low) / 2


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("value", [0, 0.01, 0.3, 0.5, 0.9, 1])
@pytest.mark.parametrize("half_width", [0.002, 0.03, 0.2, 0.49])
def test_it_is_the_least_number_that_is_enough(value, half_width, level):
    n = sample_size("recall", value=value, half_width=half_width, confidence_level=level)
    assert n >= 1
    assert half_width_of(value, n, level) <= half_width * (1 + 1e-9)
    assert n == 1 or half_width_of(value, n - 1, level) > half_width


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_a_width_that_a_whole_number_has_asks_for_no_sample_more(level):
    # Without a hit Wilson's interval is z^2 / (n + z^2) wide.
    z_squared = stats.norm.isf((1 - level) / 2) ** 2
    for n in [*range(1, 200), *(2**power for power in range(8, 32))]:
        width = z_squared / (n + z_squared)
        assert sample_size("recall", value=0, half_width=width / 2, confidence_level=level) == n


def test_at_one_half_it_is_that_of_the_textbooks_without_z_squared():
    # Wald's 385 for 5 points of a share of one half, minus z^2 = 3.84.
    assert sample_size("accuracy", value=0.5, half_width=0.05) == 381


def test_a_function_and_an_alias_name_the_metric():
    for metric in (recall_score, "tpr"):
        assert sample_size(metric, value=0.9, half_width=0.03) == sample_size("recall", value=0.9, half_width=0.03)


def test_all_proportions_and_no_others():
    for row in METRICS:
        if row.interval == "share" and row.name != "bennett_s":
            assert sample_size(row.name, value=0.5, half_width=0.05) == 381
        else:
            with pytest.raises(
                ValueError, match=f"{row.name} is not a proportion of samples: a sample size can be computed only for"
            ):
                sample_size(row.name, value=0.5, half_width=0.05)
    with pytest.raises(ValueError, match="recall_macro is not a proportion of samples"):
        sample_size("recall_macro", value=0.5, half_width=0.05)
    assert skmetrics_ext.sample_size is sample_size


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"value": 1.1}, "value must be a number from 0 to 1; got 1.1"),
        ({"value": "a"}, "value must be a number from 0 to 1; got 'a'"),
        ({"half_width": 0}, "half_width must be a number above 0 and below 0.5; got 0"),
        ({"half_width": 0.5}, "half_width must be a number above 0 and below 0.5; got 0.5"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1; got 95"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sample_size("recall", **{"value": 0.9, "half_width": 0.03, **options})
