"""The test vectors are what was published and what the formulas give, and our values are theirs."""

import copy
import json
import lzma
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each
from tests.vectors import compute, exact
from tests.vectors.compute import METRIC_CASES, averages, numbers, stored_text, values
from tests.vectors.oracle import EXACT_METRICS
from tests.vectors.score import exact_value
from tests.vectors.tables import Table, all_tables

TEXT = stored_text()
VECTORS = json.loads(TEXT)
TABLES = [Table(**fields) for fields in VECTORS["tables"]]
SCHEMA = jsonschema.Draft202012Validator(
    json.loads(compute.VECTORS.with_name("vectors.schema.json").read_text("utf-8"))
)
VALUES = {metric["key"]: metric["values"] for metric in VECTORS["metrics"]}
every_case = for_each("case", METRIC_CASES)

# The file.


def test_the_file_is_small():
    assert compute.VECTORS.stat().st_size < 300_000
    assert len(TABLES) >= 500
    assert len(VECTORS["averages"]) >= 50


def test_tables_are_those_of_the_script():
    assert [compute.described(table) for table in all_tables()] == [
        {name: value for name, value in table.items() if value}
        for table in map(as_lists, VECTORS["tables"])
    ]


def as_lists(fields):
    """A table of the file, with the tuples that the script has."""
    return {**fields, "labels": tuple(fields["labels"])}


@pytest.mark.parametrize("number", range(0, len(TABLES), 31))
def test_some_values_are_those_of_the_formulas(number):
    for case in METRIC_CASES:
        assert VALUES[case.key][number] == values(case, TABLES[number]), case.key


def test_some_averages_are_those_of_the_formulas():
    for item in VECTORS["averages"][::20]:
        assert item["values"] == averages(TABLES[item["table"]])


def test_the_command_writes_the_file_and_tells_where_it_differs(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(compute, "all_tables", lambda: all_tables()[:12])
    monkeypatch.setattr(compute, "VECTORS", tmp_path / "vectors.json.xz")
    assert compute.main([]) == 0
    text = stored_text()
    few = json.loads(text)
    assert few["tables"] == VECTORS["tables"][:12]
    assert few["metrics"] == shortened(VECTORS, 12)["metrics"]
    assert few["averages"] == VECTORS["averages"][:1]
    assert compute.main(["--check"]) == 0
    compute.VECTORS.write_bytes(lzma.compress(text.replace('"1/2"', '"1/3"', 1).encode()))
    assert compute.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "vectors.json.xz is not what the formulas give. "
        "To write it, run: python -m tests.vectors.compute\n"
    )


def shortened(vectors, n=5):
    """The file with a few tables."""
    metrics = [{**metric, "values": metric["values"][:n]} for metric in vectors["metrics"]]
    return {
        **vectors,
        "tables": vectors["tables"][:n],
        "metrics": metrics,
        "averages": vectors["averages"][:2],
    }


def test_the_schema_describes_the_file_and_refuses_others():
    SCHEMA.check_schema(SCHEMA.schema)
    few = shortened(VECTORS)
    SCHEMA.validate(few)
    for place, wrong in [
        (("tables", 0, "matrix", 0, 0), -1),
        (("tables", 0, "labels", 0), 1),
        (("metrics", 0, "values", 0), "1/2"),
        (("metrics", 0, "values", 0, 0), "0/0"),
        (("metrics", -1, "values", 0), ["1/2"]),
        (("metrics", -1, "better"), "larger"),
        (("averages", 0, "values", "recall", "macro"), 0.5),
        (("averages", 0, "values", "recall", "best"), "1/2"),
    ]:
        broken = copy.deepcopy(few)
        *path, last = place
        part = broken
        for step in path:
            part = part[step]
        part[last] = wrong
        assert not SCHEMA.is_valid(broken), place


@pytest.mark.slow
def test_the_schema_describes_the_whole_file():
    """Of which the test above has five tables."""
    SCHEMA.validate(VECTORS)


def test_the_script_does_without_this_package():
    code = (
        "import sys, tests.vectors.compute; print(sorted({name.split('.')[0] for name in "
        "sys.modules}))"
    )
    root = Path(__file__).parents[2]
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    assert "'mpmath'" in loaded
    assert not {f"'{name}'" for name in ("skmetrics_ext", "numpy", "sklearn", "scipy")} & set(
        loaded[1:-2].split(", ")
    )


@for_each("row", METRICS)
def test_formulas_and_directions_are_those_of_the_catalogue(row):
    metric = EXACT_METRICS[row.name]
    assert (metric.formula.__doc__, metric.better) == (row.text, row.better)


# Published values of the tables from the literature, as they were rounded; of classes, that of the
# last.
@pytest.mark.parametrize(
    ("about", "key", "published"),
    [
        ("tornado forecasts", "gilbert_skill", "0.216"),
        ("tornado forecasts", "cohen_kappa", "0.355"),
        ("a screening test", "precision", "0.1"),
        ("a paradox of kappa", "cohen_kappa", "-0.023"),
        ("a paradox of kappa", "gwet_ac1", "0.94"),
        ("two observers of binary data", "krippendorff_alpha", "0.095"),
        ("balanced raters", "cohen_kappa", "0.70"),
        ("unbalanced raters", "cohen_kappa", "0.32"),
        ("all are predicted positive", "f1", "0.9744"),
        ("nearly all are predicted positive", "f1", "0.9524"),
        ("nearly all are predicted positive", "matthews_corrcoef", "0.14"),
        ("two diagnosticians", "cohen_kappa", "0.676"),
        ("two film critics", "cohen_kappa", "0.389"),
        ("two pathologists", "cohen_kappa", "0.493"),
        ("land cover from satellites", "accuracy", "0.74"),
    ],
)
def test_values_are_those_that_were_published(about, key, published):
    (number,) = (k for k, table in enumerate(TABLES) if table.source and table.about == about)
    found = VALUES[key][number]
    value = float(exact_value(found[-1] if isinstance(found, list) else found))
    assert f"{value:.{len(published.partition('.')[2])}f}" == published


# Worked out by hand; of classes, those of the last.
@pytest.mark.parametrize(
    ("matrix", "values"),
    [
        # tp 7, fp 2, fn 3, tn 23. Of two classes, the score of Gerrity is that of Peirce and the
        # informedness.
        (
            [[23, 2], [3, 7]],
            "precision 7/9 recall 7/10 specificity 23/25 f1 14/19 jaccard 7/12 informedness 31/50 "
            "peirce_skill 31/50 gerrity 31/50 diagnostic_odds_ratio 161/6 yule_q 155/167 "
            "positive_likelihood_ratio 35/4 negative_likelihood_ratio 15/46 accuracy 6/7 "
            "balanced_accuracy 81/100 cohen_kappa 62/97 quantity_disagreement 1/35 "
            "allocation_disagreement 4/35 net_benefit(threshold_probability=3/10) 43/245",
        ),
        # Every prediction is correct.
        (
            [[1, 0], [0, 1]],
            "recall 1 false_positive_rate 0 positive_likelihood_ratio inf "
            "negative_likelihood_ratio 0 d_prime inf diagnostic_odds_ratio inf yule_q 1 "
            "prevalence_threshold 0 matthews_corrcoef 1 cohen_kappa 1 gerrity 1 mutual_information "
            "0.693147180559945309417232121458 normalized_mutual_information 1 confusion_entropy 0 "
            "extremal_dependence_index 1 symmetric_extremal_dependence_index 1 expected_cost 0",
        ),
        # Neither the class nor its prediction occurs.
        (
            [[1, 0], [0, 0]],
            "precision null recall null specificity 1 f1 null positive_likelihood_ratio null "
            "prevalence 0 g_mean null accuracy 1 balanced_accuracy 1 "
            "balanced_accuracy(adjusted=true) null matthews_corrcoef null cohen_kappa null "
            "cramers_v null mutual_information 0 normalized_mutual_information null gerrity null "
            "class_balance_accuracy 1 geometric_mean 0 bennett_s 1 gwet_ac1 1",
        ),
        # The class is predicted, but never occurs.
        (
            [[1, 1], [0, 0]],
            "precision 0 recall null specificity 1/2 f1 0 lift null frequency_bias inf "
            "balanced_accuracy 1/2 matthews_corrcoef null cohen_kappa 0 class_balance_accuracy 1/4 "
            "quantity_disagreement 1/2",
        ),
        # A single class is known.
        (
            [[5]],
            "precision 1 recall 1 specificity null f1 1 accuracy 1 matthews_corrcoef null "
            "cohen_kappa null scott_pi null gwet_ac1 null bennett_s null confusion_entropy null "
            "geometric_mean 1 no_information_rate 1",
        ),
    ],
)
def test_values_are_those_worked_out_by_hand(matrix, values):
    number = next(k for k, table in enumerate(TABLES) if table.matrix == matrix)
    found = {
        key: column[number][-1] if isinstance(column[number], list) else column[number]
        for key, column in VALUES.items()
    }
    words = values.split()
    expected = {
        key: None if value == "null" else value
        for key, value in zip(words[::2], words[1::2], strict=True)
    }
    last = {key: found[key][-1] if isinstance(found[key], list) else found[key] for key in expected}
    assert last == expected


@pytest.mark.parametrize(
    ("value", "digits"),
    [
        (exact.log(Fraction(2)), "0.693147180559945309417232121458"),
        (exact.root(Fraction(1, 2)), "0.707106781186547524400844362105"),
        (exact.probit(Fraction(3, 4)), "0.674489750196081743202227014541"),
        (exact.probit(Fraction(1, 4)), "-0.674489750196081743202227014541"),
        (exact.root(Fraction(4, 9)), "2/3"),
        (exact.root(Fraction(8, 27), 3), "2/3"),
        (exact.log(Fraction(0)), "-inf"),
        # Nearly 1, but no ratio.
        (exact.root(1 - Fraction(1, 10**35)), "1.0"),
        # Ratios may be rational where their parts are not.
        (exact.log(Fraction(4)) / exact.log(Fraction(1, 8)), "-2/3"),
        (exact.root(Fraction(2)) / exact.root(Fraction(2 * 257**2)), "1/257"),
        (exact.root(Fraction(2)) - exact.root(Fraction(2)), "0"),
    ],
)
def test_what_is_no_ratio_has_thirty_right_digits(value, digits):
    assert compute.written(value) == digits


def test_a_formula_that_is_not_exact_is_refused():
    with pytest.raises(TypeError, match="is a float: the formula that gave it is not exact"):
        compute.written(0.5)


# Our values.

# Nothing cancels in the other formulas, so that each is right to the last digits.
CANCELLING = {
    *(row.name for row in METRICS if " - " in row.text),
    *(
        "cramers_v",
        "gerrity",
        "mutual_information",
        "normalized_mutual_information",
        "uncertainty_coefficient",
    ),
}
RELATIVE, ABSOLUTE = 1e-14, 1e-15


@cache
def as_number(text):
    """A value of the file, most of which occur many times, as a float."""
    return np.nan if text is None else float(exact_value(text))


def as_numbers(texts):
    """Values of the file as floats."""
    return np.array([as_number(text) for text in np.ravel(texts)])


def check(case, ours, expected):
    """Ours are the values of the file, but for rounding."""
    wanted = as_numbers(expected)
    absolute = ABSOLUTE if case.name in CANCELLING or "adjusted" in case.parameters else 0
    np.testing.assert_allclose(
        np.ravel(ours), wanted, rtol=RELATIVE, atol=absolute, err_msg=case.key
    )


@cache
def stacked(numeric):
    """The tables of the same labels as one matrix with a leading axis; with numbers as labels,
    where needed.
    """
    groups = defaultdict(list)
    for place, table in enumerate(TABLES):
        labels = table.labels
        if numeric and isinstance(labels[0], str):
            labels = range(len(labels))
        # Together, huge counts would be beyond 64 bits.
        huge = place if sum(map(sum, table.matrix)) > 2**50 else None
        groups[tuple(labels), huge].append(place)
    return [
        (
            ConfusionMatrix.from_counts(
                [TABLES[place].matrix for place in places], labels=list(labels)
            ),
            places,
        )
        for (labels, _), places in groups.items()
    ]


def given(case, table):
    """The parameters of our metric."""
    parameters = numbers(case, table)
    return {
        name: float(value) if isinstance(value, Fraction) else value
        for name, value in parameters.items()
    }


@every_case
def test_our_values_are_those_of_the_file(case):
    options = {"average": None} if case.of_classes else {}
    ours, expected = [], []
    for matrix, places in stacked(BY_NAME[case.name].takes_label_distances):
        parameters = given(case, TABLES[places[0]])
        found = matrix.score(case.name, zero_division=np.nan, **options, **parameters)
        ours.extend(np.ravel(found))
        expected.extend(np.ravel([VALUES[case.key][place] for place in places]))
    check(case, ours, expected)


AVERAGES = VECTORS["averages"]


@pytest.mark.parametrize("items", [AVERAGES[::13], pytest.param(AVERAGES, marks=pytest.mark.slow)])
def test_our_averages_are_those_of_the_file(items):
    """All of them take seconds."""
    fills = {"0": 0, "1": 1, "nan": np.nan}
    cases = {case.key: case for case in METRIC_CASES}
    for item in items:
        table = TABLES[item["table"]]
        matrix = ConfusionMatrix.from_counts(table.matrix, labels=list(table.labels))
        for key, by_average in item["values"].items():
            parameters = given(cases[key], table)
            for average, found in by_average.items():
                policies = found if isinstance(found, dict) else {"nan": found}
                for policy, expected in policies.items():
                    options = {"average": average, "zero_division": fills[policy], **parameters}
                    check(cases[key], matrix.score(cases[key].name, **options), expected)


@for_each("table", [table for table in TABLES if table.actual][::6])
def test_our_functions_of_samples_are_those_of_the_file(table):
    number = TABLES.index(table)
    for case in METRIC_CASES:
        if case.of_classes:
            options = {
                "labels": list(table.labels),
                "average": None,
                "zero_division": np.nan,
                **given(case, table),
            }
            check(
                case,
                function_of(BY_NAME[case.name])(table.actual, table.predicted, **options),
                VALUES[case.key][number],
            )
