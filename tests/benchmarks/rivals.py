"""Asks other libraries what docs/instead_of.md says of them: the limits of a recall of 8 of 8.

`python -m tests.benchmarks.rivals`, in an environment with those that are to be asked:
caretmetrics, confidenceinterval, evalsuite-python, fairlearn, mapie, model-auditor, pycm, stambo,
statsmodels.
"""

import contextlib
import importlib.metadata
import io
import warnings

import numpy as np

ACTUAL = np.repeat([1, 0], [8, 92])
PREDICTED = np.repeat([1, 0], [13, 87])


def confidenceinterval():
    from confidenceinterval import tpr_score

    # Its 9999 samples take minutes.
    fewer = {"method": "bootstrap_bca", "n_resamples": 500}
    return [tpr_score([*ACTUAL], [*PREDICTED], **options)[1] for options in ({}, fewer)]


def caretmetrics():
    from caretmetrics import confusion_matrix

    return confusion_matrix(ACTUAL, PREDICTED, positive=1).as_dict()


def evalsuite_python():
    from evalsuite.classification.metrics import recall
    from evalsuite.stats import intervals

    return {
        "proportion": intervals.proportion_ci(8, 8),
        "recall": intervals.bootstrap_ci(recall, ACTUAL, PREDICTED),
    }


def fairlearn():
    from fairlearn.metrics import MetricFrame
    from sklearn.metrics import recall_score

    frame = MetricFrame(
        metrics=recall_score,
        y_true=ACTUAL,
        y_pred=PREDICTED,
        sensitive_features=np.arange(100) % 2,
        n_boot=200,
        ci_quantiles=[0.025, 0.975],
        random_state=0,
    )
    return frame.overall_ci


def mapie():
    """The threshold for a recall of 0.9 at a confidence of 0.9, of 200 samples."""
    from mapie.risk_control import BinaryClassificationController

    random = np.random.default_rng(1)
    actual = (np.arange(200) < 60).astype(int)
    risk = 1 / (1 + np.exp(-random.normal(size=200) - 1.5 * actual))
    found = {}
    for method in ("bonferroni", "fixed_sequence"):
        controller = BinaryClassificationController(
            lambda rows: np.column_stack([1 - rows[:, 0], rows[:, 0]]),
            "recall",
            target_level=0.9,
            confidence_level=0.9,
            fwer_method=method,
        )
        controller.calibrate(risk[:, None], actual)
        found[method] = controller.best_predict_param
    return found


def model_auditor():
    import pandas as pd
    from model_auditor import Auditor, metrics

    auditor = Auditor()
    auditor.add_data(pd.DataFrame({"y": ACTUAL, "s": PREDICTED, "g": np.arange(100) % 2}))
    auditor.add_feature("g")
    auditor.add_score("s", threshold=0.5)
    auditor.add_outcome("y")
    auditor.set_metrics([metrics.Sensitivity()])
    return auditor.evaluate_metrics("s").to_dataframe()


def pycm():
    from pycm import ConfusionMatrix

    return ConfusionMatrix([*ACTUAL], [*PREDICTED]).CI("TPR")


def stambo():
    from stambo import compare_models

    return compare_models(ACTUAL, PREDICTED, ACTUAL, ("F1Score", "MCC"), n_bootstrap=500)


def statsmodels():
    from statsmodels.stats.proportion import proportion_confint

    return {name: proportion_confint(8, 8, method=name) for name in ("normal", "wilson", "beta")}


ASKED = (
    *(caretmetrics, confidenceinterval, evalsuite_python, fairlearn, mapie, model_auditor),
    *(pycm, stambo, statsmodels),
)


def main():
    warnings.simplefilter("ignore")
    for ask in ASKED:
        name = ask.__name__.replace("_", "-")
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            print(f"{name} is not installed")
            continue
        with contextlib.redirect_stderr(io.StringIO()):
            found = ask()
        print(f"{name} {version}\n{found}\n")


if __name__ == "__main__":
    main()
