"""The pages of the metrics are what the package gives, short, and found by every name."""

import inspect
import re

import pytest
import sklearn.metrics

from skmetrics_ext import get_scorer
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.docs import metric_pages
from tests.docs.edge_cases import SITUATIONS, value_in
from tests.docs.metric_pages import FOLDER, value_of_rates
from tests.shared import for_each, parameters_of

PAGES = {
    path.name: path.read_text(encoding="utf-8")
    for path in FOLDER.glob("*.md")
    if path.name != metric_pages.SHARED
}
every_metric = for_each("row", METRICS)


def page_of(row):
    return PAGES[f"{row.name}.md"]


@pytest.fixture(scope="module")
def made():
    return metric_pages.pages()


@pytest.fixture
def copies(tmp_path, made, monkeypatch):
    monkeypatch.setattr(metric_pages, "pages", lambda: made)
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_pages_are_what_the_command_writes(copies):
    assert metric_pages.main(["--check", "--folder", str(copies)]) == 0


def test_pages_that_differ_are_missing_or_left_over_are_named_and_mended(copies, capsys):
    (copies / "recall.md").write_text(
        page_of(METRICS[1]).replace("tp + fn", "tp + fp"), encoding="utf-8"
    )
    (copies / "f1.md").unlink()
    (copies / "kendall_tau.md").write_text("# Of a metric that was removed\n", encoding="utf-8")
    options = ["--folder", str(copies)]
    assert metric_pages.main(["--check", *options]) == 1
    named = re.findall(rf"{copies.name}/(\w+\.md) is not what", capsys.readouterr().out)
    assert named == ["f1.md", "kendall_tau.md", "recall.md"]
    assert metric_pages.main(options) == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in copies.iterdir()} == PAGES


def test_values_to_compare_with_are_those_of_scikit_learn():
    for name, function in (
        ("matthews_corrcoef", sklearn.metrics.matthews_corrcoef),
        ("cohen_kappa", sklearn.metrics.cohen_kappa_score),
        ("f1", sklearn.metrics.f1_score),
        ("accuracy", sklearn.metrics.accuracy_score),
    ):
        for recall, specificity, prevalence in ((0.9, 0.9, 0.1), (0.7, 0.7, 0.01), (1, 0, 0.5)):
            found = value_of_rates(BY_NAME[name], recall, specificity, prevalence)
            weights = [
                prevalence * recall,
                prevalence * (1 - recall),
                (1 - prevalence) * (1 - specificity),
                (1 - prevalence) * specificity,
            ]
            expected = function([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=weights)
            if not (name == "matthews_corrcoef" and specificity == 0):
                assert found == pytest.approx(expected, abs=1e-12)
    page = (FOLDER / "f1.md").read_text(encoding="utf-8")
    assert "| all called positive | 0.667 | 0.182 | 0.0198 |" in page
    # 2 p / (1 + p).
    assert [round(2 * p / (1 + p), 4) for p in (0.5, 0.1, 0.01)] == [0.6667, 0.1818, 0.0198]
    assert "| right for 90 % of each class | 0.9 | 0.643 | 0.153 |" in page


@every_metric
def test_a_page_says_all_that_readers_ask(row):
    asked = {"Use it", "Pitfall", "Value", "Undefined", "Call", "Interval", "Source"}
    if "zero_division" not in inspect.signature(function_of(row)).parameters:
        asked.remove("Undefined")
    assert asked <= {*re.findall(r"^- \*\*(.+?)\*\*", page_of(row), re.MULTILINE)}


# What a page says of 0/0, and the situation that this is.
SITUATION_OF = {
    r"absent from y_true|(?<!neither )\bnever occurs": "The class never occurs",
    r"never (?:or always )?predicted": "The class is never predicted",
    r"every sample has|always predicted": "Only this class occurs",
    r"neither occurs nor is predicted": "The class neither occurs nor is predicted",
}


@every_metric
def test_a_metric_is_undefined_where_its_page_says_so_and_nowhere_else_without_the_class(row):
    found = re.search(r"^- \*\*Undefined\*\*: .*?0/0 \((.+)\); then", page_of(row), re.MULTILINE)
    said = re.sub(r",? (?:or )?with .*", "", found[1]) if found else ""
    is_undefined = {each.heading: value_in(row, each)[1] for each in SITUATIONS}
    for words, heading in SITUATION_OF.items():
        assert is_undefined[heading] or not re.search(words, said), heading
    if "zero_division" in inspect.signature(function_of(row)).parameters:
        without = r"absent|never occurs|no sample|never predicted|single|tp tn|H and F|rates 0"
        assert re.search(without, said) or not is_undefined["The class never occurs"]


@every_metric
def test_a_search_finds_a_metric_by_its_names_in_words(row):
    text = page_of(row).lower()
    said = set(re.findall(r"[a-z0-9]+", text.replace("'s", "")))
    for name in (row.name, *row.aliases):
        words = set(name.replace("corrcoef", "correlation_coefficient").split("_"))
        assert words - said <= {"fbeta", "cramers", "theils", "ovr", "producers", "users"}, name
        assert f"`{name}`" in text or f'"{row.scorer_prefix}{name}"' in text, name


@every_metric
def test_the_scorer_that_is_named_exists(row):
    line = re.search(r"^- \*\*Call\*\*: (.+)$", page_of(row), re.MULTILINE)[1]
    assert re.findall(r"get_scorer\(\"(\w+)\"", line) == [row.scorer_name]
    get_scorer(row.scorer_name, **parameters_of(row))


def test_the_index_has_each_metric_once():
    index = PAGES["index.md"]
    assert sorted(re.findall(r"^\| \[[^\]]+\]\((\w+)\.md\) \|", index, re.MULTILINE)) == sorted(
        row.name for row in METRICS
    )
