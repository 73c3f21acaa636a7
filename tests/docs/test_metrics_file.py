"""METRICS.md agrees with the catalogue, and its edge cases with other implementations."""

import functools
import inspect
import re
import warnings

import imblearn.metrics
import numpy as np
import pytest
import sklearn.metrics as sk

from skmetrics_ext import ConfusionMatrix, cohen_kappa_score, get_scorer, matthews_corrcoef
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from tests.docs import metrics_file
from tests.docs.metrics_file import HEADINGS, METRICS_MD, rows_of
from tests.docs.test_project_files import section
from tests.docs.test_readme import printed
from tests.shared import for_each, parameters_of, quietly
from tests.vectors.oracle import EXACT_METRICS, class_value, overall_value, tally
from tests.vectors.sources import imbalanced_learn, scikit_learn, scikit_learn_by_class

TEXT = METRICS_MD.read_text(encoding="utf-8")
every_metric = for_each("row", METRICS)


# The command.


# What a part is made of takes long, and stays the same.
ONCE = {name: functools.cache(make) for name, make in metrics_file.PARTS.items()}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    monkeypatch.setattr(metrics_file, "PARTS", ONCE)
    path = tmp_path / "METRICS.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_file_is_what_the_command_writes(monkeypatch):
    monkeypatch.setattr(metrics_file, "PARTS", ONCE)
    assert metrics_file.main(["--check"]) == 0


def test_what_differs_is_named_and_written(copy, capsys):
    broken = TEXT
    for right, wrong in (
        ("| `recall` | `tp / (tp + fn)` | [0, 1] |", "| `recall` | `tp / (tp + fp)` | [0, 1] |"),
        ("source: Youden 1950", "source: Youden 1951"),
        ("\n### Every prediction is wrong\n", "\n### Every prediction is correct\n"),
    ):
        assert TEXT.count(right) == 1
        broken = broken.replace(right, wrong)
    copy.write_text(broken, encoding="utf-8")
    assert metrics_file.main(["--check", "--file", str(copy)]) == 1
    assert capsys.readouterr().out == "".join(
        f"METRICS.md: the part '{part}' is not what the package gives. "
        "To write it, run: python -m tests.docs.metrics_file\n"
        for part in ("catalogue", "edges")
    )
    assert copy.read_text(encoding="utf-8") == broken
    assert metrics_file.main(["--file", str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == TEXT


def test_what_is_written_by_hand_is_kept(copy):
    prose = "by hand, not generated"
    copy.write_text(TEXT.replace("All metrics by family", prose), encoding="utf-8")
    assert metrics_file.main(["--file", str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == TEXT.replace("All metrics by family", prose)


@pytest.mark.parametrize("marker", ["<!-- generated: edges -->", "<!-- end -->"])
def test_a_missing_marker_is_an_error(copy, marker):
    copy.write_text(TEXT.replace(marker, ""), encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"needs one line '<!-- generated: \w+ -->' and below it a line"
    ):
        metrics_file.main(["--check", "--file", str(copy)])


# The catalogue.


def subsections(heading):
    """The sections in a section, by their headings."""
    _, *parts = re.split(r"^### (.+)\n", section(TEXT, heading), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def cells(text):
    """The cells of a table in which names are code, one list per row."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [
        [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
    ]


ROWS = {
    row[0].strip("`"): row[1:]
    for text in subsections("## Catalogue").values()
    for row in cells(text)
}
# What is said about a metric below its table, and its parts by their first words.
SAID = dict(re.findall(r"^- `(\w+)`: (.+)$", section(TEXT, "## Catalogue"), re.MULTILINE))


def said(name, start):
    """The words after these, up to the next part."""
    found = re.search(rf"(?:^|; ){start} (.+?)(?=; (?:scorer|also|source)|$)", SAID[name])
    return found[1] if found else ""


def test_each_family_has_the_functions_of_its_file():
    names = [
        [row[0].strip("`") for row in cells(text)] for text in subsections("## Catalogue").values()
    ]
    assert names == [[row.name for row in rows_of(family)] for family in HEADINGS]
    assert sorted(name for family in names for name in family) == sorted(
        row.name for row in METRICS
    )
    assert SAID.keys() == ROWS.keys()


@every_metric
def test_the_table_is_the_catalogue(row):
    formula, limits, better, undefined, _ = ROWS[row.name]
    assert formula == f"`{row.text}`"
    assert (limits, better, undefined) == (row.range, row.better, f"{row.undefined:g}")


@every_metric
def test_the_list_has_the_names_and_the_source(row):
    assert (said(row.name, "function").strip("`") or row.name) == row.function
    assert re.findall(r"\w+", said(row.name, "also called")) == list(row.aliases)
    assert said(row.name, "source:") == row.source


@every_metric
def test_scorers_have_the_names_that_are_given(row):
    name = said(row.name, "scorer").strip("`") or row.name
    parameters = parameters_of(row)
    assert callable(get_scorer(name, **parameters))
    other = name.removeprefix("neg_") if name.startswith("neg_") else f"neg_{name}"
    with pytest.raises(ValueError, match=name):
        get_scorer(other, **parameters)


def test_the_libraries_that_are_named_have_it():
    by_scikit_learn = {
        "positive_likelihood_ratio": "class_likelihood_ratios",
        "negative_likelihood_ratio": "class_likelihood_ratios",
        "mutual_information": "mutual_info_score",
        "normalized_mutual_information": "normalized_mutual_info_score",
        "uncertainty_coefficient": "homogeneity_score",
    }
    by_imbalanced_learn = {
        "recall": "sensitivity_score",
        "g_mean": "geometric_mean_score",
        "index_balanced_accuracy": "make_index_balanced_accuracy",
    }
    for row in METRICS:
        libraries = said(row.name, "also in").split(", ")
        assert ("scikit-learn" in libraries) == hasattr(
            sk, by_scikit_learn.get(row.name, row.function)
        ), row.name
        function = by_imbalanced_learn.get(row.name, row.function)
        assert ("imbalanced-learn" in libraries) == hasattr(imblearn.metrics, function), row.name
        of_pycm = [o for o in EXACT_METRICS[row.name].oracles if getattr(o, "name", "") == "pycm"]
        # pycm's zero-one loss is a number, not a proportion.
        assert ("pycm" in libraries) == (bool(of_pycm) or row.name == "zero_one_loss"), row.name


@every_metric
def test_intervals_are_found_as_is_said(row):
    word = ROWS[row.name][-1]
    assert f"\n- {word}: " in section(TEXT, "## How to read the tables")
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
    found = cm.interval(row.name, n_resamples=100, random_state=0, **parameters_of(row, beta=1))
    methods = {
        "Wilson": "Wilson",
        "MOVER": "MOVER",
        "delta method": "delta",
        "bootstrap": "smoothed bootstrap",
    }
    shown = methods[word.split(",")[0].removesuffix(" of the marginals")]
    method = found.method.removeprefix("the wider of ").removesuffix(" and MOVER")
    assert method == (f"{shown} for each class" if word.endswith("of each class") else shown)


def test_only_directions_have_a_worst_class():
    assert "where higher or lower is better, `_worst`" in TEXT
    for row in METRICS:
        if row.has_average:
            assert ("worst" in suffixes_of(row)) == (row.better != "neither")


def test_functions_without_zero_division_are_said_to_have_none():
    assert "`matthews_corrcoef`, which returns 0 without a warning, and `cohen_kappa_score`" in TEXT
    assert "replace_undefined_by" in inspect.signature(cohen_kappa_score).parameters
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert matthews_corrcoef([0, 1], [0, 0]) == 0
    for function in (cohen_kappa_score, matthews_corrcoef):
        assert "zero_division" not in inspect.signature(function).parameters


def test_what_is_undefined_has_the_value_that_the_rule_gives():
    with_scikit_learn = {
        "normalized_mutual_information",
        "balanced_accuracy",
        "cohen_kappa",
        "optimized_precision",
    }
    for row in METRICS:
        worst = {"higher": 0, "lower": 1}.get(row.better)
        is_rate = row.range == "[0, 1]" or row.name in (
            "index_balanced_accuracy",
            "confusion_entropy",
        )
        by_chance = row.range in (
            "[-1, 1]",
            "(-inf, 1]",
            "[-1/3, 1]",
            "(-1, 1]",
            "[-1/(K-1), 1]",
            "(-inf, inf)",
        )
        by_rule = worst if is_rate else 0 if by_chance else None
        if row.name not in with_scikit_learn:
            assert np.isnan(row.undefined) if by_rule is None else row.undefined == by_rule, (
                row.name
            )
    assert "and for `optimized_precision`, and nan" in TEXT
    assert BY_NAME["optimized_precision"].undefined == 0


def test_each_sign_in_a_formula_is_explained():
    explained = re.findall(r"`([^`]+)`", section(TEXT, "## How to read the tables"))
    known = {word for sign in explained for word in re.findall(r"[A-Za-z]\w*", sign)} | set(BY_NAME)
    words = (
        "mean of over the classes that occur in y_true nonempty rows columns min max sum sqrt i j k"
    )
    for row in METRICS:
        # What stands before "=" is defined there; an index after a word, as in sum_ij or mean_i, is
        # not a name.
        defined = set(re.findall(r"(\w+) =", row.text)) | set(words.split())
        used = set(
            re.findall(
                r"[A-Za-z]\w*", re.sub(r"\b(sum|mean|prod|max)_(\w+|\{.+?\})", r"\1", row.text)
            )
        )
        assert used - defined - known - {"prod", "ln"} == set(), row.name


# Edge cases.


def edge(text):
    """The labels of an example, and the value of each metric as it is written."""
    actual, predicted = (
        re.search(rf"^{who} +(.+)$", text, re.MULTILINE)[1].split()
        for who in ("actual", "predicted")
    )
    values = {}
    for head, names in re.findall(r"^- \*\*(.+?)\*\*: (.+)$", text, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            assert name not in values, name
            values[name] = head
    return actual, predicted, values


EDGES = {heading: edge(text) for heading, text in subsections("## Undefined values").items()}
KNOWN = {
    heading: ["yes"] if heading == "Only this class occurs" else ["no", "yes"] for heading in EDGES
}
every_edge = pytest.mark.parametrize("heading", EDGES)


def as_written(value, undefined):
    text = f"{float(value) + 0.0:.3g}"
    return f"undefined, {text} by default" if undefined else text


def test_there_are_six_edges():
    assert list(EDGES) == [
        "The class is never predicted",
        "The class never occurs",
        "Only this class occurs",
        "The class neither occurs nor is predicted",
        "Every prediction is correct",
        "Every prediction is wrong",
    ]
    assert [(set(actual), set(predicted)) for actual, predicted, _ in EDGES.values()] == [
        ({"no", "yes"}, {"no"}),
        ({"no"}, {"no", "yes"}),
        ({"yes"}, {"yes"}),
        ({"no"}, {"no"}),
        ({"no", "yes"}, {"no", "yes"}),
        ({"no", "yes"}, {"no", "yes"}),
    ]
    assert EDGES["Every prediction is correct"][0] == EDGES["Every prediction is correct"][1]
    assert not set(zip(*EDGES["Every prediction is wrong"][:2], strict=True)) & {
        ("no", "no"),
        ("yes", "yes"),
    }


@every_edge
def test_edges_are_what_exact_fractions_give(heading):
    actual, predicted, written = EDGES[heading]
    labels = KNOWN[heading]
    samples = tally(*([int(label == "yes") for label in side] for side in (actual, predicted)))
    costs = (1 - np.eye(len(labels), dtype=int)).tolist()
    exact = {}
    for row in METRICS:
        parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=costs)
        if row.has_average:
            expected = class_value(row.name, [samples.quad(1)], "binary", **parameters)
        else:
            expected = overall_value(row.name, samples.matrix([0, 1][-len(labels) :]), **parameters)
        exact[row.name] = as_written(*expected)
    assert written == exact


# Functions that return nan where the metric is undefined, and others that return a value as ours do
# by default.
NAN_IF_UNDEFINED = {
    "precision": scikit_learn_by_class("precision_score", labels=[1], zero_division=np.nan),
    "recall": scikit_learn_by_class("recall_score", labels=[1], zero_division=np.nan),
    "f1": scikit_learn_by_class("f1_score", labels=[1], zero_division=np.nan),
    "fbeta": scikit_learn_by_class("fbeta_score", labels=[1], beta=2, zero_division=np.nan),
    "cohen_kappa": scikit_learn("cohen_kappa_score"),
}
DEFAULTS = {
    "jaccard": scikit_learn_by_class("jaccard_score", labels=[1]),
    "specificity": imbalanced_learn("specificity_score", labels=[1], average=None),
    "g_mean": imbalanced_learn("geometric_mean_score", labels=[1], average=None),
    "accuracy": scikit_learn("accuracy_score"),
    "zero_one_loss": scikit_learn("zero_one_loss"),
    "hamming_loss": scikit_learn("hamming_loss"),
    "balanced_accuracy": scikit_learn("balanced_accuracy_score"),
    "matthews_corrcoef": scikit_learn("matthews_corrcoef"),
    "mutual_information": scikit_learn("mutual_info_score"),
    "normalized_mutual_information": scikit_learn("normalized_mutual_info_score"),
}


@every_edge
@pytest.mark.filterwarnings("ignore::UserWarning:sklearn", "ignore::RuntimeWarning:sklearn")
def test_edges_are_what_scikit_learn_and_imbalanced_learn_give(heading):
    actual, predicted, written = EDGES[heading]
    labels = [np.array([int(label == "yes") for label in side]) for side in (actual, predicted)]
    for name, library in NAN_IF_UNDEFINED.items():
        value = np.squeeze(quietly(library.values, *labels))
        undefined = bool(np.isnan(value))
        assert written[name] == as_written(
            BY_NAME[name].undefined if undefined else value, undefined
        ), name
    of_known = imbalanced_learn("geometric_mean_score", labels=[0, 1][-len(KNOWN[heading]) :])
    for name, library in (DEFAULTS | {"geometric_mean": of_known}).items():
        value = np.squeeze(quietly(library.values, *labels))
        assert (
            written[name].removeprefix("undefined, ").removesuffix(" by default") == f"{value:.3g}"
        ), name


# pycm takes no matrix of one class.
OF_TWO = [
    heading
    for heading, (actual, predicted, _) in EDGES.items()
    if {*actual, *predicted} == {"no", "yes"}
]
# It computes these from ratios that are undefined themselves, and takes the odds of a threshold,
# not the threshold.
OTHERWISE_IN_PYCM = {
    ("Every prediction is correct", "yule_q"),
    ("Every prediction is wrong", "diagnostic_odds_ratio"),
}
OTHERWISE_IN_PYCM |= {(heading, "net_benefit") for heading in OF_TWO}


@pytest.mark.parametrize("heading", OF_TWO)
def test_edges_are_what_pycm_gives(heading):
    actual, predicted, written = EDGES[heading]
    labels = [np.array([int(label == "yes") for label in side]) for side in (actual, predicted)]
    of_pycm = [
        (name, o)
        for name, metric in EXACT_METRICS.items()
        for o in metric.oracles
        if getattr(o, "name", "") == "pycm"
    ]
    compared = [
        (name, library) for name, library in of_pycm if (heading, name) not in OTHERWISE_IN_PYCM
    ]
    assert len(compared) > 40
    for name, library in compared:
        try:
            value = np.ravel(np.array(library.values(*labels), dtype=object))[-1]
        except TypeError:  # "None" times a unit
            value = "None"
        if value == "None":
            assert written[name].startswith("undefined") or written[name].endswith("inf"), name
        else:
            assert written[name] == as_written(value, undefined=False), name


# The prose.


def test_the_block_prints_what_it_says():
    ((code, said),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)
    assert printed(code) == said


def test_lines_of_tables_have_as_many_cells_as_their_heads():
    for table in re.findall(r"(?:^\|.+\n)+", TEXT, re.MULTILINE):
        sizes = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(sizes) == 1, table
