"""The code of docs/ for libraries that only this folder installs runs."""

import contextlib
import os
import warnings

os.environ["KERAS_BACKEND"] = "torch"

import mlflow

from tests.docs.test_docs_pages import PAGES, blocks, each_page


@each_page([page for page in PAGES if blocks(page, "py")])
def test_code_for_other_libraries_runs(page, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    namespace = {"__name__": "page"}
    # Keras and MLflow warn of their own doings; those of ours are errors in the other tests.
    with contextlib.chdir(tmp_path), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for code in blocks(page):
            if not code.startswith("pip "):
                exec(compile(code, page.name, "exec"), namespace)
    mlflow.end_run()
    mlflow.set_tracking_uri(None)


def test_pages_with_code_for_other_libraries_are_found():
    found = {page.stem for page in PAGES if blocks(page, "py")}
    assert {
        "early_stopping_on_mcc_in_xgboost",
        "f1_of_an_epoch_in_keras",
        "log_metrics_in_mlflow",
    } <= found
