"""Metrics while a model trains: PyTorch, Keras, skorch, callbacks of scikit-learn, Optuna."""

import os
from itertools import pairwise

os.environ["KERAS_BACKEND"] = "torch"

import keras
import numpy as np
import optuna
import pytest
import torch
from river import datasets, linear_model, metrics, preprocessing
from sklearn import metrics as sk
from sklearn.callback import ScoringMonitor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from skorch import NeuralNetClassifier
from skorch.callbacks import EarlyStopping, EpochScoring
from torch.utils.data import DataLoader, TensorDataset

from skmetrics_ext import ConfusionMatrix, ConfusionScorer, get_scorer, specificity_score

pytestmark = [
    # Keras' variables have no copy keyword in __array__, which NumPy 2 asks for.
    pytest.mark.filterwarnings(
        "ignore:__array__ implementation doesn't accept a copy:DeprecationWarning"
    )
]

torch.set_num_threads(1)
RNG = np.random.default_rng(5)
# Noisy, so that no metric is 1, and 330 held-out samples, so that the last batch is smaller.
X = RNG.normal(size=(700, 5)).astype(np.float32)
SIGNAL = X[:, 0] + X[:, 1] + RNG.normal(size=700)
THREE = np.digitize(SIGNAL, [-2, 0.5])
TWO = (SIGNAL > 1).astype(int)
TRAIN, VALID = slice(370), slice(370, None)
BATCHES = [slice(start, stop) for start, stop in pairwise([*range(0, 330, 64), 330])]


def net(n_outputs):
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(5, 8), torch.nn.ReLU(), torch.nn.Linear(8, n_outputs)
    )


def means_of_batches(true, pred):
    """What a metric per batch gives, averaged over the batches."""
    return np.mean(
        [
            sk.f1_score(true[batch], pred[batch], average="macro", zero_division=0)
            for batch in BATCHES
        ]
    )


def test_a_loop_in_pytorch():
    train = DataLoader(TensorDataset(torch.tensor(X[TRAIN]), torch.tensor(THREE[TRAIN])), 64)
    held_out = DataLoader(TensorDataset(torch.tensor(X[VALID]), torch.tensor(THREE[VALID])), 64)
    model = net(3)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    values = []
    for _ in range(4):
        for features, target in train:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(features), target).backward()
            optimizer.step()
        cm = ConfusionMatrix.from_counts(np.zeros((3, 3), int), labels=[0, 1, 2])
        with torch.no_grad():
            for features, target in held_out:
                cm = cm.add(target, model(features).argmax(dim=1))
        values.append(cm.score("f1_macro"))
        predicted = model(torch.tensor(X[VALID])).argmax(dim=1).numpy()
        assert values[-1] == pytest.approx(sk.f1_score(THREE[VALID], predicted, average="macro"))
        assert values[-1] != pytest.approx(means_of_batches(THREE[VALID], predicted), abs=1e-3)
    assert len(set(values)) > 1
    interval = cm.interval("f1_macro", random_state=0)
    assert interval.low < values[-1] < interval.high


def test_a_callback_of_keras_counts_per_batch_and_stops_early():
    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [keras.layers.Input((5,)), keras.layers.Dense(1, activation="sigmoid")]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.1), loss="binary_crossentropy")
    batches = [(X[VALID][batch], TWO[VALID][batch]) for batch in BATCHES]
    by_hand = []

    def count(_, logs):
        cm = ConfusionMatrix.from_counts([[0, 0], [0, 0]], labels=[0, 1])
        for features, target in batches:
            cm = cm.add(target, (model.predict_on_batch(features)[:, 0] >= 0.5).astype(int))
        logs["val_f1"] = cm.score("f1")
        by_hand.append(sk.f1_score(TWO[VALID], model.predict(X[VALID], verbose=0)[:, 0] >= 0.5))

    stop = keras.callbacks.EarlyStopping(
        "val_f1", mode="max", patience=3, restore_best_weights=True
    )
    counted = keras.callbacks.LambdaCallback(on_epoch_end=count)
    history = model.fit(
        X[TRAIN], TWO[TRAIN], epochs=40, verbose=0, callbacks=[counted, stop]
    ).history
    assert history["val_f1"] == pytest.approx(by_hand)
    assert 4 < len(by_hand) < 40
    assert stop.best_epoch == np.argmax(by_hand) == len(by_hand) - 4
    restored = model.predict(X[VALID], verbose=0)[:, 0] >= 0.5
    assert sk.f1_score(TWO[VALID], restored) == pytest.approx(max(by_hand))


def test_epochs_of_skorch_are_scored_by_several_metrics():
    scorer = ConfusionScorer(["f1_macro", "neg_false_positive_rate_macro"])
    # EpochScoring takes lower as better unless told otherwise; each scorer is higher for the better
    # model.
    scored = [
        EpochScoring(one, lower_is_better=False, name=name)
        for name, one in scorer.scorers().items()
    ]
    stop = EarlyStopping("f1_macro", patience=2, lower_is_better=False, load_best=True)
    model = NeuralNetClassifier(
        net(3),
        criterion=torch.nn.CrossEntropyLoss,
        lr=0.5,
        max_epochs=30,
        callbacks=[*scored, stop],
        verbose=0,
    ).fit(X[TRAIN], THREE[TRAIN])
    values = np.array(model.history[:, "f1_macro"])
    is_best = np.array(model.history[:, "f1_macro_best"])
    assert is_best.tolist() == [value > max([-1, *values[:k]]) for k, value in enumerate(values)]
    assert len(values) == values.argmax() + 3 < 30
    # The best epoch's net is loaded again; skorch holds out a fifth, by its own split.
    _, held_out = model.get_split_datasets(X[TRAIN], THREE[TRAIN])
    features, target = (np.array(column) for column in zip(*held_out, strict=True))
    predicted = model.predict(features)
    assert sk.f1_score(target, predicted, average="macro") == pytest.approx(values.max())
    matrices = sk.multilabel_confusion_matrix(target, predicted)
    rates = matrices[:, 0, 1] / matrices[:, 0].sum(axis=1)
    best = model.history[int(values.argmax()), "neg_false_positive_rate_macro"]
    assert best == pytest.approx(-rates.mean())


WELL_OR_ILL = np.where(TWO == 1, "ill", "well")


@pytest.mark.parametrize(
    "scoring",
    [
        {"specificity": get_scorer("specificity", pos_label="ill", threshold=0.3)},
        ConfusionScorer(["specificity", "mcc"], pos_label="ill", threshold=0.3),
    ],
    ids=["dict of one scorer", "several metrics"],
)
def test_the_monitor_of_scikit_learn_scores_every_iteration(scoring):
    monitor = ScoringMonitor(scoring=scoring)
    LogisticRegression().set_callbacks(monitor).fit(X[TRAIN], WELL_OR_ILL[TRAIN])
    whole, *iterations = monitor.get_logs().data
    assert whole["specificity"] == iterations[-1]["specificity"]
    assert len(iterations) > 3
    for steps, row in enumerate(iterations[:3], start=1):
        stopped = LogisticRegression(max_iter=steps)
        with pytest.warns(ConvergenceWarning):
            stopped.fit(X[TRAIN], WELL_OR_ILL[TRAIN])
        is_ill = stopped.predict_proba(X[TRAIN])[:, list(stopped.classes_).index("ill")] >= 0.3
        assert row["specificity"] == pytest.approx(
            specificity_score(TWO[TRAIN], is_ill.astype(int))
        )
        if "mcc" in row:
            assert row["mcc"] == pytest.approx(sk.matthews_corrcoef(TWO[TRAIN], is_ill))


class HeldOut:
    """Scores the model after each iteration on samples that it does not learn from."""

    def __init__(self, scorer, X, y):
        self.scorer, self.X, self.y, self.values = scorer, X, y, []

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):  # noqa: ARG002
        if fitted_estimator is not None:
            self.values.append(self.scorer(fitted_estimator, self.X, self.y))


@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
def test_a_callback_of_scikit_learn_scores_held_out_samples():
    scorer = get_scorer("f1", pos_label="ill")
    callback = HeldOut(scorer, X[VALID], WELL_OR_ILL[VALID])
    model = LogisticRegression().set_callbacks(callback).fit(X[TRAIN], WELL_OR_ILL[TRAIN])
    predicted = [model, LogisticRegression(max_iter=1).fit(X[TRAIN], WELL_OR_ILL[TRAIN])]
    expected = [
        sk.f1_score(WELL_OR_ILL[VALID], one.predict(X[VALID]), pos_label="ill") for one in predicted
    ]
    assert callback.values[-1] == pytest.approx(expected[0])
    assert callback.values[0] == pytest.approx(expected[1])


def test_optuna_prunes_by_the_scores_of_epochs():
    scorer = get_scorer("f1_macro")
    by_hand = {}

    def objective(trial):
        # The second trial hardly learns.
        model = SGDClassifier(
            alpha=trial.suggest_float("alpha", 1e-4, 1e4, log=True), random_state=0
        )
        for epoch in range(6):
            model.partial_fit(X[TRAIN], THREE[TRAIN], classes=[0, 1, 2])
            value = scorer(model, X[VALID], THREE[VALID])
            trial.report(value, epoch)
            predicted = model.predict(X[VALID])
            by_hand[trial.number, epoch] = sk.f1_score(
                THREE[VALID], predicted, average="macro", zero_division=0
            )
            if trial.should_prune():
                raise optuna.TrialPruned
        return value

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize", pruner=optuna.pruners.MedianPruner(1, n_warmup_steps=1)
    )
    for alpha in (1e-4, 1e4):
        study.enqueue_trial({"alpha": alpha})
    study.optimize(objective, n_trials=2)
    good, bad = study.trials
    assert (good.state.name, bad.state.name) == ("COMPLETE", "PRUNED")
    assert len(bad.intermediate_values) == 2
    found = {
        (one.number, epoch): value
        for one in study.trials
        for epoch, value in one.intermediate_values.items()
    }
    assert found == pytest.approx(by_hand)
    assert study.best_value == good.value == good.intermediate_values[5]


def test_a_stream_is_counted_one_at_a_time_and_by_batch():
    model = preprocessing.StandardScaler() | linear_model.LogisticRegression()
    one_at_a_time = by_batch = ConfusionMatrix.from_counts([[0, 0], [0, 0]], labels=[False, True])
    of_river = {
        "mcc": metrics.MCC(),
        "f1": metrics.F1(),
        "balanced_accuracy": metrics.BalancedAccuracy(),
    }
    actual, predicted = [], []
    for number, (features, label) in enumerate(datasets.Phishing(), start=1):
        actual.append(label)
        predicted.append(bool(model.predict_one(features)))
        one_at_a_time = one_at_a_time.add(actual[-1:], predicted[-1:])
        for metric in of_river.values():
            metric.update(label, predicted[-1])
        if number % 500 == 0:
            by_batch = by_batch.add(actual[-500:], predicted[-500:])
        model.learn_one(features, label)
    rest = number % 500
    by_batch = by_batch.add(actual[-rest:], predicted[-rest:])
    assert by_batch == one_at_a_time
    assert by_batch.n_samples == number > 1000
    for name, metric in of_river.items():
        assert by_batch.score(name) == pytest.approx(metric.get())
