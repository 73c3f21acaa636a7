"""Models that ONNX runs, and values that MLflow logs."""

import ast
import re
import tempfile
from pathlib import Path

import mlflow
import mlflow.sklearn
import numpy as np
import onnxruntime
import pytest
from mlflow.exceptions import MlflowException
from skl2onnx import to_onnx
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    AbstainingClassifier,
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    ThresholdCurve,
    get_scorer,
    labels_from_scores,
)

# MLflow warns of the type hints of its own classes when it first stores a model.
pytestmark = pytest.mark.filterwarnings("ignore:.*Any type hint is inferred as AnyType:UserWarning")

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "docs" / "recipes" / "log_metrics_in_mlflow.md").read_text(encoding="utf-8")
TOOLS = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")

# The leaves of the values 0, 1 and 2 have the shares 0.3, 0.7 and 0.9 of the second label, of which
# 0.7 is a threshold.
X = np.repeat(np.arange(3, dtype=np.float32), 10)[:, np.newaxis]
IS_SECOND = np.concatenate([np.arange(10) < n for n in (3, 7, 9)])


def outputs(model, **options):
    """The scores that ONNX computes."""
    session = onnxruntime.InferenceSession(
        to_onnx(model, X[:1], **options).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": X})[1]


@pytest.mark.parametrize("labels", [["ill", "well"], [0, 1], [1, 2], [7, 3]], ids=str)
@pytest.mark.parametrize("threshold", [None, 0.3, 0.7, 0.8])
def test_dicts_of_onnx_give_the_labels_that_its_arrays_give(labels, threshold):
    y = np.where(IS_SECOND, labels[1], labels[0])
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    dicts, array = outputs(model), outputs(model, options={"zipmap": False})
    assert isinstance(dicts, list)
    assert isinstance(array, np.ndarray)
    options = {"threshold": threshold, "pos_label": labels[1]}
    of_dicts = labels_from_scores(dicts, **options)
    assert (
        of_dicts.tolist() == labels_from_scores(array, classes=model.classes_, **options).tolist()
    )
    reached = np.repeat([threshold == 0.3, threshold != 0.8, True], 10)
    assert of_dicts.tolist() == np.where(reached, labels[1], labels[0]).tolist()
    counted = ConfusionMatrix.from_predictions(y, of_dicts, pos_label=labels[1])
    assert ConfusionMatrix.from_scores(y, dicts, **options) == counted
    curve = ThresholdCurve.from_scores(y, dicts, pos_label=labels[1])
    assert (
        curve.roc_auc()
        == ThresholdCurve.from_scores(y, model.predict_proba(X), pos_label=labels[1]).roc_auc()
    )


def test_three_labels_of_onnx_are_found_by_name():
    y = np.array(["c", "a", "b"])[X[:, 0].astype(int)]
    dicts = outputs(DecisionTreeClassifier(random_state=0).fit(X, y))
    # Their order in the dicts is the model's.
    turned = [dict(reversed(row.items())) for row in dicts]
    for rows in (dicts, turned, [dicts[0], *turned[1:]]):
        assert labels_from_scores(rows).tolist() == y.tolist()
        assert (
            ConfusionMatrix.from_scores(y, rows).counts.tolist()
            == (10 * np.eye(3, dtype=int)).tolist()
        )


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Files for the runs of MLflow, which asks for leave to write them."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    yield tmp_path
    mlflow.set_tracking_uri(None)


def logged(scores):
    with mlflow.start_run() as run:
        mlflow.log_metrics(scores)
    return mlflow.get_run(run.info.run_id).data.metrics


class Always:
    """A classifier of one label."""

    classes_ = np.array(["<=50K", ">50K"])

    def predict(self, X):
        return np.full(len(X), "<=50K")


INCOME = ["<=50K", ">50K"] * 40
GROUPS = np.repeat([0, 1], 40)[:, np.newaxis]


@pytest.mark.usefixtures("runs")
def test_keys_of_groups_are_logged_as_they_are():
    scorer = ConfusionScorer(["accuracy", "recall_macro"], by={0: [0, 1]})
    scores = scorer(Always(), GROUPS, INCOME)
    assert {"accuracy_0:0", "accuracy_0:1", "accuracy_0_worst", "accuracy_0_gap"} <= scores.keys()
    assert logged(scores) == scores
    with pytest.raises(MlflowException, match="Names may only contain"):
        logged({"accuracy_0=1": 0.5})


@pytest.mark.usefixtures("runs")
def test_keys_of_other_labels_are_replaced_unless_two_become_one():
    scores = ConfusionScorer(["recall", "specificity"], pos_label=">50K", per_class=True)(
        Always(), GROUPS, INCOME
    )
    with pytest.raises(MlflowException, match="Names may only contain"):
        logged(scores)
    found = logged(without_odd_characters(scores))
    assert found == {re.sub("[<=>]", "_", key): value for key, value in scores.items()}
    assert found["recall___50K"] == 1
    assert logged(without_odd_characters({"a:b/c d-e.f": 1, "é|": 0})) == {
        "a:b/c d-e.f": 1,
        "é_": 0,
    }
    with pytest.raises(AssertionError, match="two names have become one"):
        without_odd_characters({"recall_<=50K": 1, "recall_>=50K": 0})


def without_odd_characters(found):
    """The two lines of the recipe."""
    lines, namespace = (
        re.search(r"(?m)^named = .*\nassert .*$", RECIPE)[0],
        {"re": re, "found": found},
    )
    exec(lines, namespace)
    return namespace["named"]


def test_a_search_is_stored_with_its_scorer(runs):
    y = np.where(IS_SECOND, "well", "ill")
    scorer = get_scorer("specificity", pos_label="ill", threshold=0.3)
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring=scorer, cv=2).fit(X, y)
    of_search = ["sklearn.model_selection._split.StratifiedKFold", "skmetrics_ext.ConfusionScorer"]
    options = {"serialization_format": "skops", "pip_requirements": []}
    with pytest.raises(MlflowException, match=r"skmetrics_ext\.ConfusionScorer"):
        mlflow.sklearn.save_model(
            search, runs / "refused", skops_trusted_types=of_search[:1], **options
        )
    mlflow.sklearn.save_model(search, runs / "model", skops_trusted_types=of_search, **options)
    again = mlflow.sklearn.load_model(str(runs / "model"))
    assert again.score(X, y) == search.score(X, y) == scorer(search, X, y)


SCORED = {"param_grid": {"C": [0.1, 1]}, "cv": 2}
SEARCHES = {
    "its `ConfusionScorer`, or `get_scorer` with a threshold, costs or groups": [
        {"scoring": ConfusionScorer(["f1", "mcc"]), "refit": "mcc"},
        {"scoring": get_scorer("f1", threshold=0.3)},
        {"scoring": get_scorer("neg_expected_cost", cost_matrix={(0, 1): 1, (1, 0): 5})},
        {"scoring": get_scorer("recall", by=0)},
    ],
    'its `get_scorer("f1_macro")`, or another one of the labels of `predict`': [
        {"scoring": get_scorer("f1_macro")}
    ],
}
CLASSIFIERS = {
    "`ProbabilityClassifier`": ProbabilityClassifier(
        LogisticRegression(), cost_matrix={(0, 1): 1, (1, 0): 5}
    ),
    "`ConstrainedThresholdClassifier`": ConstrainedThresholdClassifier(
        LogisticRegression(), "precision", subject_to={"recall": 0.5}, cv=2
    ),
    "`AbstainingClassifier`": AbstainingClassifier(
        LogisticRegression(), at_least=0.1, abstain_label=-1, cv=0.5, refit=False
    ),
}


def test_the_recipe_lists_all_types(runs):
    table = dict(re.findall(r"(?m)^\| (.*) \| (`sk.*`) \|$", RECIPE))
    types = {what: re.findall(r"`([^`]+)`", names) for what, names in table.items()}
    of_folds = types.pop("a search with stratified folds, as by default")
    stored = {"a fitted tree or forest": [RandomForestClassifier(2)]}
    stored |= {what: [model] for what, model in CLASSIFIERS.items()}
    assert types.keys() == stored.keys() | SEARCHES.keys()
    for what, models in stored.items():
        for model in models:
            check_needs(types[what], model, runs)
    for what, options in SEARCHES.items():
        for scored in options:
            search = GridSearchCV(LogisticRegression(), **SCORED, **scored)
            check_needs([*of_folds, *types[what]], search, runs)
    # The one on the page.
    [on_page] = re.findall(r"skops_trusted_types=(\[[^]]+\])", TOOLS)
    search = GridSearchCV(LogisticRegression(), **SCORED, scoring=ConfusionScorer("mcc"))
    check_needs(ast.literal_eval(on_page), search, runs)


def check_needs(types, model, folder):
    """A fitted model is stored and loaded with these types, and not with one less."""
    X = np.stack([np.arange(80) % 2, np.arange(80) % 4 // 2], axis=1).astype(float)
    y = np.where(np.arange(80) % 5 == 0, 1 - X[:, 1], X[:, 1]).astype(int)
    model.fit(X, y)
    options = {"serialization_format": "skops", "pip_requirements": []}
    path = Path(tempfile.mkdtemp(dir=folder))
    for place, missing in enumerate(types):
        rest = [name for name in types if name != missing]
        with pytest.raises(MlflowException, match=re.escape(missing)):
            mlflow.sklearn.save_model(model, path / f"{place}", skops_trusted_types=rest, **options)
    mlflow.sklearn.save_model(model, path / "model", skops_trusted_types=types, **options)
    again = mlflow.sklearn.load_model(str(path / "model"))
    assert again.predict(X).tolist() == model.predict(X).tolist()
