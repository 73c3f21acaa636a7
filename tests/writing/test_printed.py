"""Cells of printed tables: rounding, limits, p-values, and what marks them."""

import math

import pytest

from skmetrics_ext.writing.printed import (
    Style,
    cells_with_limits,
    fraction,
    number,
    p_in_print,
    read_style,
    with_limits,
)

STYLE = Style(2, "-", fractions=True)


# Iverson et al. (2020), AMA Manual of Style, 19.5: two digits, three if P < .01 or if rounding to
# two would move it across .05, "< .001" and "> .99" beyond.
@pytest.mark.parametrize(
    ("p_value", "text"),
    [
        (0.0, "< .001"),
        (0.00099, "< .001"),
        (0.001, ".001"),
        (0.0049, ".005"),
        (0.00951, ".010"),
        (0.01, ".01"),
        (0.0149, ".01"),
        (0.0312, ".03"),
        (0.0449, ".04"),
        (0.0451, ".045"),
        (0.0496, ".0496"),
        (0.0504, ".0504"),
        (0.05, ".05"),
        (1 - 0.95, ".05"),
        (0.0549, ".055"),
        (0.0551, ".06"),
        (0.5, ".50"),
        (0.99, ".99"),
        (0.9901, "> .99"),
        (1.0, "> .99"),
        (math.nan, "-"),
    ],
)
def test_p_values_have_the_digits_of_journals(p_value, text):
    assert p_in_print(p_value, [0.05]) == text


@pytest.mark.parametrize(
    ("n_permutations", "text"),
    [(9_999, "< .001"), (999, "<= .001"), (199, "<= .005"), (99, "<= .01")],
)
def test_the_least_p_value_of_replicates_is_a_bound(n_permutations, text):
    least = 1 / (1 + n_permutations)
    assert p_in_print(least, [0.05], least) == text
    # One more replicate as far is a value.
    assert not p_in_print(2 * least, [0.05], least).startswith("<") or 2 * least < 0.001


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 2, "0.12"),
        (0.8649, 2, "0.86"),
        (-0.001, 2, "0.00"),
        (-0.0, 0, "0"),
        (-0.126, 2, "-0.13"),
        (12.0, 1, "12.0"),
        (math.inf, 2, "inf"),
        (math.nan, 2, "-"),
    ],
)
def test_numbers_are_rounded_and_zeros_have_no_sign(value, digits, text):
    assert number(value, STYLE._replace(digits=digits)) == text


def test_a_value_without_limits_stands_alone():
    assert with_limits(0.861, 0.8, 0.912, STYLE) == "0.86 (0.80-0.91)"
    assert with_limits(0.861, math.nan, 0.9, STYLE) == "0.86"
    assert with_limits(math.nan, math.nan, math.nan, STYLE) == "-"
    # 0 of 0 samples may be anything.
    assert with_limits(math.nan, 0.0, 1.0, STYLE) == "-"
    assert with_limits(math.inf, 2.0, math.inf, STYLE) == "inf (2.00-inf)"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (1e-9, 0.2, "0.10 (>0 to 0.20)"),
        (0.0, 0.2, "0.10 (0.00 to 0.20)"),
        (-0.2, -1e-9, "0.10 (-0.20 to <0)"),
        (-0.004, 0.2, "0.10 (-0.004 to 0.20)"),
    ],
)
def test_limits_that_exclude_equality_say_so(low, high, text):
    assert with_limits(0.1, low, high, STYLE._replace(dash=" to "), [0]) == text


@pytest.mark.parametrize(
    ("dash", "low", "found"),
    [
        ("-", 0.1, "-"),
        ("-", 0.0, "-"),
        ("-", -0.2, " to "),
        ("\N{EN DASH}", -0.2, " to "),
        (", ", -0.2, ", "),
    ],
)
def test_no_dash_stands_beside_a_sign(dash, low, found):
    text = with_limits(0.25, low, 0.5, STYLE._replace(dash=dash))
    assert text == f"0.25 ({low:.2f}{found}0.50)"


def test_fractions_follow_values_unless_they_are_not_wanted():
    numbers = ([0.5, 0.25], [0.1, 0.2], [0.9, 0.3])
    assert fraction(87, 109.0) == "87/109"
    with_fractions = cells_with_limits(numbers, ([1, 2], [2, 8]), STYLE)
    assert with_fractions == ["0.50 (0.10-0.90), 1/2", "0.25 (0.20-0.30), 2/8"]
    without = ["0.50 (0.10-0.90)", "0.25 (0.20-0.30)"]
    assert cells_with_limits(numbers, None, STYLE) == without
    assert cells_with_limits(numbers, ([1, 2], [2, 8]), STYLE._replace(fractions=False)) == without


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ((-1, "-", True), ValueError, "digits must be an integer >= 0; got -1"),
        ((2, 3, True), TypeError, "dash must be a string, such as '-' or ' to '; got 3"),
        ((2, "-", "no"), ValueError, "fractions must be True or False; got 'no'"),
    ],
)
def test_a_style_that_is_none_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        read_style(*options)
