"""The page of messages has each warning of the package, and the errors of frequent mistakes."""

import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve, get_scorer, recall_score

PACKAGE = Path(skmetrics_ext.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "messages.md"
# They hand on the words of others: of caveats, which have a part of the page, and of a pass over a
# table.
HAND_ON = {"statistics/caveats.py", "__main__.py"}
CLASSES = {*("UserWarning", "UnreliableIntervalWarning", "UndefinedMetricWarning", "FutureWarning")}


def rows_of(heading):
    """The messages that a part of the page lists."""
    part = PAGE.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(.+?)`(?: \(scikit-learn\))? \|", part, re.MULTILINE)


def is_said(row, text):
    """Whether a message has the words of a row, whose dots stand for anything."""
    return (
        re.search(
            ".*?".join(re.escape(words.strip()) for words in row.split("...")), text, re.DOTALL
        )
        is not None
    )


class Words(ast.NodeVisitor):
    """The words of the strings in a piece of code; what is filled in is left out."""

    def __init__(self, module, function):
        self.named = {
            target.id: node.value
            for node in [*ast.walk(module), *ast.walk(function)]
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.named |= {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
        self.found, self.seen = [], set()

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.found.append(node.value)

    def visit_Call(self, node):
        for child in [*node.args, *node.keywords, node.func]:
            self.visit(child)

    def visit_FunctionDef(self, node):
        for child in node.body[ast.get_docstring(node) is not None :]:
            self.visit(child)

    def visit_Name(self, node):
        if node.id in self.named and node.id not in self.seen:
            self.seen.add(node.id)
            self.visit(self.named[node.id])


@cache
def functions_that_warn():
    """The place, the module, the function and the call of each warning."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name, text = path.relative_to(PACKAGE).as_posix(), path.read_text()
        if name in HAND_ON or not re.search(r"\bwarn(_undefined)?\(", text):
            continue
        module = ast.parse(text)
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef) and function.name != "warn_undefined":
                found += [
                    (f"{name}:{node.lineno}", module, function, node)
                    for node in ast.walk(function)
                    if is_call_of(node, {"warn", "warn_undefined"})
                ]
    return found


def warnings_of_package():
    """The words of each warning, by the place that gives it."""
    found = {}
    for place, module, function, call in functions_that_warn():
        words = Words(module, function)
        words.visit(call.args[0])
        found[place] = "".join(words.found)
    return found


def is_call_of(node, names):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in names


def test_the_page_has_each_warning_and_no_other():
    rows, said = rows_of("Warnings"), warnings_of_package()
    assert len(said) > 20
    not_listed = {
        place: text for place, text in said.items() if not any(is_said(row, text) for row in rows)
    }
    assert not_listed == {}
    assert [row for row in rows if not any(is_said(row, text) for text in said.values())] == []


def test_the_page_has_each_class_of_warnings():
    names = {
        node.id
        for _, _, _, call in functions_that_warn()
        for argument in call.args[1:]
        for node in ast.walk(argument)
        if isinstance(node, ast.Name) and node.id.endswith("Warning")
    }
    assert names <= CLASSES
    before = PAGE.read_text().partition("\n## ")[0]
    assert set(re.findall(r"\b\w+Warning\b", re.sub(r"\(.*?\)", "", before))) == CLASSES


RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
CODES = (X[:, 0] > 0).astype(int)
NAMES = np.where(CODES == 1, "yes", "no")
THREE = np.arange(60) % 3
INDICATOR = np.eye(3, dtype=int)
SERIES = pd.Series(CODES, index=np.arange(60) + 100)
MATRIX = ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=["no", "yes"])
BOTH = {"recall": 0.95, "specificity": 0.95}
NOISE = RNG.random(60)
LEVELS = ["high", "low", "mid"]


def constrained(scores=X, **options):
    model = LogisticRegression()
    return skmetrics_ext.ConstrainedThresholdClassifier(model, **options).fit(scores, CODES)


# What is often done, for each row of the page, in its order.
MISTAKES = [
    lambda: recall_score(NAMES, NAMES),
    lambda: ThresholdCurve.from_scores(NAMES, X[:, 0]),
    lambda: get_scorer("recall")(LogisticRegression().fit(X, NAMES), X, NAMES),
    lambda: skmetrics_ext.specificity_score(THREE, THREE),
    lambda: MATRIX.score("mcc", average="macro"),
    lambda: recall_score(CODES, NOISE),
    lambda: cross_validate(LogisticRegression(), X, CODES, scoring="specificity"),
    lambda: get_scorer("false_positive_rate"),
    lambda: MATRIX.score("recal"),
    lambda: get_scorer("recall", threshold=0.3, response_method="predict_proba")(
        LinearSVC().fit(X, CODES), X, CODES
    ),
    lambda: ConfusionMatrix.from_scores(CODES, NOISE, threshold=50),
    lambda: ConfusionMatrix.from_scores(THREE, RNG.dirichlet([1, 1, 1], 60), threshold=0.5),
    lambda: ThresholdCurve.from_scores(CODES, NOISE).best("precision", subject_to=BOTH),
    lambda: constrained(
        metric="precision", subject_to={"recall": 1.0}, confidence_level=0.95, refit=False, cv=0.4
    ),
    lambda: recall_score(CODES, CODES[:-1]),
    lambda: recall_score(SERIES, SERIES.iloc[::-1]),
    lambda: recall_score([1, 0, np.nan], [1, 0, 1]),
    lambda: recall_score(["1", "0"], [1, 0]),
    lambda: skmetrics_ext.cohen_kappa_score(LEVELS, LEVELS, weights="linear"),
    lambda: ConfusionMatrix.from_predictions(["a", "b"], ["a", "c"], labels=["a", "b"]),
    lambda: ThresholdCurve.from_scores(THREE, NOISE),
    lambda: skmetrics_ext.cohen_kappa_score(INDICATOR, INDICATOR),
    lambda: MATRIX.gap("recall"),
    lambda: skmetrics_ext.compare(CODES, {"a": CODES}, metrics=["recall"]),
    lambda: skmetrics_ext.sample_size("mcc", value=0.9, half_width=0.1),
    lambda: float(MATRIX.interval("recall")),
]


@pytest.mark.parametrize("place", range(len(MISTAKES)))
def test_a_frequent_mistake_is_an_error_that_the_page_has(place):
    row = rows_of("Errors")[place]
    with pytest.raises((ValueError, TypeError)) as raised:
        MISTAKES[place]()
    assert is_said(row, str(raised.value))


def test_each_error_of_the_page_is_made():
    # matplotlib is there where tests are.
    assert rows_of("Errors")[len(MISTAKES) :] == ["needs matplotlib"]
