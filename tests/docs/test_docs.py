"""What the README and the examples say is what happens."""

import contextlib
import io
import re
import runpy
import warnings
from pathlib import Path

import imblearn.metrics
import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from tests.oracles import ORACLES, Library
from tests.shared import parameters_of

# Actual and predicted labels, 1 being "yes".
SITUATIONS = {
    "never predicted": ([0, 0, 1, 1], [0, 0, 0, 0], [0, 1]),
    "never true": ([0, 0, 0, 0], [0, 0, 1, 1], [0, 1]),
    "no other class": ([1, 1], [1, 1], [1]),
    "only in labels": ([0, 0], [0, 0], [0, 1]),
    "perfect": ([0, 0, 1, 1], [0, 0, 1, 1], [0, 1]),
    "all wrong": ([0, 0, 1, 1], [1, 1, 0, 0], [0, 1]),
}

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# A block of Python, and the block of text right after it that it must print.
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", README, re.DOTALL)
# The neural network and the large tables need other libraries, and are run beside their tests.
OF_OTHERS = {"neural_network", "large_tables"}
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.stem not in OF_OTHERS)


def printed(run):
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
    return output.getvalue()


def rows_of_table(first_cell):
    """The cells of the README's table that starts so, without its head."""
    lines = README.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(f"| {first_cell} |"))
    table = [line for line in lines[start + 2 : lines.index("", start)] if line.startswith("|")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table]


def cell_of(row, situation):
    """A metric in a situation, starred where it is undefined."""
    y_true, y_pred, labels = SITUATIONS[situation]
    parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=1 - np.eye(len(labels)))
    if row.has_average:
        parameters["average"] = None
    matrix = ConfusionMatrix.from_labels(y_true, y_pred, labels=labels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        values = [matrix.score(row.name, zero_division=choice, **parameters) for choice in ("warn", np.nan)]
    value, known = (value[-1] if row.has_average else value for value in values)
    return f"{value:.3g}" + "*" * bool(np.isnan(known))


def test_table_of_edges_is_what_the_metrics_give():
    table = rows_of_table("metrics")
    assert sorted(name for names, *_ in table for name in names.split()) == sorted(row.name for row in METRICS)
    for names, *cells in table:
        for name in names.split():
            found = [cell_of(BY_NAME[name], situation) for situation in SITUATIONS]
            assert found == cells, name


def test_table_of_metrics_is_the_catalogue():
    table = rows_of_table("name")
    assert [row[:5] for row in table] == [
        [row.name, row.text, row.better, f"{row.undefined:g}", " ".join(row.aliases)] for row in METRICS
    ]


def test_ticks_of_the_table_are_right():
    by_scikit_learn = {
        "positive_likelihood_ratio": "class_likelihood_ratios",
        "negative_likelihood_ratio": "class_likelihood_ratios",
        "mutual_information": "mutual_info_score",
        "normalized_mutual_information": "normalized_mutual_info_score",
    }
    by_imbalanced_learn = {
        "recall": "sensitivity_score",
        "g_mean": "geometric_mean_score",
        "index_balanced_accuracy": "make_index_balanced_accuracy",
    }
    for name, _, _, _, _, in_scikit_learn, in_imbalanced_learn, in_pycm, _ in rows_of_table("name"):
        function = BY_NAME[name].function
        has_it = hasattr(sklearn.metrics, by_scikit_learn.get(name, function))
        assert (in_scikit_learn == "✓") == has_it, name
        assert (in_imbalanced_learn == "✓") == hasattr(imblearn.metrics, by_imbalanced_learn.get(name, function)), name
        assert in_pycm == "✓" or not [o for o in ORACLES[name] if isinstance(o, Library) and o.name == "pycm"], name


def test_blocks_of_the_readme_print_what_it_says():
    namespace = {}
    for code, expected in BLOCKS:
        assert printed(lambda code=code: exec(code, namespace)) == expected


def test_the_first_block_of_the_readme_works_alone():
    assert "specificity 0." in printed(lambda: exec(BLOCKS[0][0], {}))


def test_the_readme_has_the_two_commands_for_a_fresh_machine():
    assert "\npip install . && python examples/grid_search.py\n" in README
    assert '\npip install -e ".[test]" && pytest\n' in README
    for others in ("integration", "engines", "spark"):
        assert f'\npip install -e ".[test,{others}]" && pytest tests/{others}\n' in README


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_run_and_print_a_readable_table(path):
    output = printed(lambda: runpy.run_path(str(path), run_name="__main__"))
    lines = output.splitlines()
    assert len(lines) > 10
    assert max(map(len, lines)) <= 100
    assert not re.search(r"\bnan\b", output)
