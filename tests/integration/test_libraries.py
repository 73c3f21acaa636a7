"""Regressors and networks of other libraries: scored as they are, as classifiers in searches."""

import os
import pickle

os.environ["KERAS_BACKEND"] = "torch"

import keras
import numpy as np
import pytest
import torch
from catboost import CatBoostClassifier, CatBoostRegressor
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skorch import NeuralNet, NeuralNetBinaryClassifier, NeuralNetClassifier, NeuralNetRegressor
from xgboost import XGBClassifier, XGBRegressor

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    balanced_accuracy_score,
    g_mean_score,
    get_scorer,
    negative_predictive_value,
    recall_score,
    specificity_score,
)

pytestmark = [
    # Keras' variables have no copy keyword in __array__, which NumPy 2 asks for.
    pytest.mark.filterwarnings(
        "ignore:__array__ implementation doesn't accept a copy:DeprecationWarning"
    ),
    # Keras copies an optimizer that has not run yet, and says that it had nothing to copy.
    pytest.mark.filterwarnings("ignore:Skipping variable loading for optimizer:UserWarning"),
]

# XGBoost, LightGBM and PyTorch each bring their own OpenMP: one thread each keeps them apart.
torch.set_num_threads(1)
ONE_THREAD = {"n_jobs": 1, "n_estimators": 5, "max_depth": 2, "learning_rate": 0.5}


QUIET_CATBOOST = {
    "iterations": 10,
    "depth": 2,
    "learning_rate": 0.5,
    "thread_count": 1,
    "verbose": 0,
    "allow_writing_files": False,
}


@pytest.fixture(scope="module")
def two():
    """Two classes named by strings, one a third of the samples."""
    X = np.random.default_rng(0).normal(size=(240, 3)).astype(np.float32)
    noise = np.random.default_rng(2).normal(size=240) / 4
    return X, np.where(X[:, 0] + X[:, 1] / 2 + noise > 0.5, "ill", "well")


@pytest.fixture(scope="module")
def three():
    X = np.random.default_rng(1).normal(size=(240, 3)).astype(np.float32)
    return X, np.array(["ash", "elm", "oak"])[X[:, :3].argmax(axis=1)]


class Module(torch.nn.Module):
    """A linear layer and an activation."""

    def __init__(self, n_outputs=1, activation=torch.nn.Sigmoid):
        super().__init__()
        self.linear = torch.nn.Linear(3, n_outputs)
        self.activation = activation()

    def forward(self, X):
        return self.activation(self.linear(X))


def perceptron():
    return MLPRegressor(
        hidden_layer_sizes=[8],
        learning_rate_init=0.05,
        tol=1e-3,
        n_iter_no_change=5,
        random_state=0,
    )


def net(kind, **options):
    return kind(Module, lr=0.5, max_epochs=20, train_split=None, verbose=0, **options)


def keras_model(n_outputs=1, loss="binary_crossentropy"):
    """A compiled Keras model that is not fitted, with a sigmoid or a softmax head."""
    keras.utils.set_random_seed(0)
    head = keras.layers.Dense(n_outputs, activation="sigmoid" if n_outputs == 1 else "softmax")
    model = keras.Sequential([keras.layers.Input((3,)), head])
    model.compile(loss=loss, optimizer=keras.optimizers.Adam(0.1))
    return model


def fitted_keras_model(X, targets, **options):
    model = keras_model(**options)
    model.fit(X, targets, epochs=10, verbose=0)
    return model


TWO_CLASSES = {
    "LinearRegression": LinearRegression,
    "MLPRegressor": perceptron,
    "XGBRegressor": lambda: XGBRegressor(objective="binary:logistic", **ONE_THREAD),
    "XGBClassifier": lambda: XGBClassifier(**ONE_THREAD),
    "LGBMRegressor": lambda: LGBMRegressor(objective="binary", verbose=-1, **ONE_THREAD),
    "LGBMClassifier": lambda: LGBMClassifier(verbose=-1, **ONE_THREAD),
    "CatBoostRegressor": lambda: CatBoostRegressor(**QUIET_CATBOOST),
    "CatBoostClassifier": lambda: CatBoostClassifier(**QUIET_CATBOOST),
    "skorch-regressor": lambda: net(NeuralNetRegressor),
    "skorch-regressor-bce": lambda: net(NeuralNetRegressor, criterion=torch.nn.BCELoss),
    "skorch-net": lambda: net(NeuralNet, criterion=torch.nn.BCELoss),
    "skorch-binary": lambda: net(NeuralNetBinaryClassifier, module__activation=torch.nn.Identity),
    "skorch-classifier": lambda: net(
        NeuralNetClassifier,
        criterion=torch.nn.CrossEntropyLoss,
        module__n_outputs=2,
        module__activation=torch.nn.Identity,
    ),
    "keras-sigmoid": keras_model,
    "keras-softmax": lambda: keras_model(2, "categorical_crossentropy"),
    "keras-sparse": lambda: keras_model(2, keras.losses.SparseCategoricalCrossentropy()),
    "skorch-pipeline": lambda: make_pipeline(StandardScaler(), net(NeuralNetRegressor)),
}
THREE_CLASSES = {
    "LinearRegression": LinearRegression,
    "MLPRegressor": perceptron,
    "XGBRegressor": lambda: XGBRegressor(objective="binary:logistic", **ONE_THREAD),
    "XGBClassifier": lambda: XGBClassifier(**ONE_THREAD),
    "LGBMRegressor": lambda: MultiOutputRegressor(
        LGBMRegressor(objective="binary", verbose=-1, **ONE_THREAD)
    ),
    "LGBMClassifier": lambda: LGBMClassifier(verbose=-1, **ONE_THREAD),
    "CatBoostRegressor": lambda: MultiOutputRegressor(CatBoostRegressor(**QUIET_CATBOOST)),
    "CatBoostClassifier": lambda: CatBoostClassifier(**QUIET_CATBOOST),
    "skorch-regressor": lambda: net(
        NeuralNetRegressor, module__n_outputs=3, module__activation=torch.nn.Identity
    ),
    "skorch-classifier": lambda: net(
        NeuralNetClassifier,
        criterion=torch.nn.CrossEntropyLoss,
        module__n_outputs=3,
        module__activation=torch.nn.Identity,
    ),
    "keras-softmax": lambda: keras_model(3, "categorical_crossentropy"),
    "keras-sparse": lambda: keras_model(3, "sparse_categorical_crossentropy"),
}
two_classes = pytest.mark.parametrize("make", TWO_CLASSES.values(), ids=TWO_CLASSES)
three_classes = pytest.mark.parametrize("make", THREE_CLASSES.values(), ids=THREE_CLASSES)


def fit_options(model):
    """Keras trains for one epoch unless told, and shows its progress."""
    return {"epochs": 10, "verbose": 0} if isinstance(model, keras.Model) else {}


def seeded(make):
    keras.utils.set_random_seed(0)
    model = make()
    return model, fit_options(model)


def columns_of(model, X):
    """What a fitted model of any of the libraries answers, as one array (n, 1) or (n, K)."""
    response = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    return np.asarray(response).reshape(len(X), -1).clip(0, 1)


# Around each model a classifier.


@two_classes
def test_two_classes_are_scored_as_by_hand(two, make):
    X, y = two
    model, options = seeded(make)
    fitted = ProbabilityClassifier(model, threshold=0.5, pos_label="well").fit(X, y, **options)
    well = columns_of(fitted.estimator_, X)[:, -1]
    assert fitted.predict(X).tolist() == np.where(well >= 0.5, "well", "ill").tolist()
    assert fitted.score(X, y) > 0.8
    np.testing.assert_allclose(
        fitted.predict_proba(X), np.stack([1 - well, well], axis=1), atol=1e-6
    )
    by_hand = np.where(well <= 0.6, "ill", "well")
    for metric, name in [(specificity_score, "specificity"), (negative_predictive_value, "npv")]:
        scorer = get_scorer(name, pos_label="ill", threshold=0.4)
        assert scorer(fitted, X, y) == metric(y, by_hand, pos_label="ill")
        assert get_scorer(name, pos_label="ill")(fitted, X, y) == metric(
            y, fitted.predict(X), pos_label="ill"
        )


@two_classes
def test_two_classes_are_cross_validated_and_searched(two, make):
    X, y = two
    model, options = seeded(make)
    classifier = ProbabilityClassifier(model, pos_label="ill")
    for scoring in (
        get_scorer("g_mean", pos_label="ill"),
        get_scorer("g_mean", pos_label="ill", threshold=0.4),
    ):
        scores = cross_val_score(
            classifier, X, y, cv=3, scoring=scoring, params=options, error_score="raise"
        )
        assert (scores > 0.6).all()
    scoring = get_scorer("specificity", pos_label="ill")
    search = GridSearchCV(
        classifier, {"threshold": [0.05, 0.6]}, cv=3, scoring=scoring, error_score="raise"
    )
    search.fit(X, y, **options)
    assert search.best_params_ == {"threshold": 0.6}
    assert search.score(X, y) == specificity_score(y, search.predict(X), pos_label="ill")


@three_classes
def test_three_classes_are_scored_cross_validated_and_searched(three, make):
    X, y = three
    model, options = seeded(make)
    classifier = ProbabilityClassifier(model)
    fitted = clone(classifier).fit(X, y, **options)
    assert fitted.score(X, y) > 0.8
    columns = columns_of(fitted.estimator_, X)
    by_hand = fitted.classes_[columns.argmax(axis=1)]
    scorer = get_scorer("g_mean_macro")
    assert scorer(fitted, X, y) == g_mean_score(y, by_hand, average="macro")
    by_hand = fitted.classes_[(columns / [0.2, 0.3, 0.5]).argmax(axis=1)]
    by_class = dict(zip(fitted.classes_.tolist(), [0.2, 0.3, 0.5], strict=True))
    with_thresholds = get_scorer("recall_macro", threshold=by_class)
    assert with_thresholds(fitted, X, y) == recall_score(y, by_hand, average="macro")
    for scoring in (scorer, with_thresholds):
        scores = cross_val_score(
            classifier, X, y, cv=3, scoring=scoring, params=options, error_score="raise"
        )
        assert (scores > 0.6).all()
    search = GridSearchCV(
        classifier,
        {"threshold": [None, {"ash": 0.9, "elm": 0.01, "oak": 0.01}]},
        cv=3,
        scoring=scorer,
    )
    assert search.fit(X, y, **options).best_params_ == {"threshold": None}


def test_a_keras_model_is_searched_in_two_processes_and_pickled(two):
    X, y = two
    model, options = seeded(TWO_CLASSES["keras-sigmoid"])
    search = GridSearchCV(
        ProbabilityClassifier(model, pos_label="well"),
        {"threshold": [0.05, 0.5]},
        cv=2,
        scoring=get_scorer("matthews_corrcoef"),
        error_score="raise",
        n_jobs=2,
    ).fit(X, y, **options)
    assert search.best_params_ == {"threshold": 0.5}
    np.testing.assert_allclose(
        pickle.loads(pickle.dumps(search)).predict_proba(X), search.predict_proba(X), atol=1e-6
    )


def test_a_keras_model_ends_a_pipeline_as_a_classifier(two):
    X, y = two
    model, options = seeded(TWO_CLASSES["keras-sigmoid"])
    pipeline = make_pipeline(StandardScaler(), ProbabilityClassifier(model, pos_label="ill"))
    params = {f"probabilityclassifier__{name}": value for name, value in options.items()}
    grid = {"probabilityclassifier__threshold": [0.05, 0.6]}
    search = GridSearchCV(
        pipeline, grid, cv=3, scoring=get_scorer("g_mean", pos_label="ill"), error_score="raise"
    )
    assert search.fit(X, y, **params).best_params_ == {"probabilityclassifier__threshold": 0.6}


def test_a_copied_keras_model_goes_on_from_its_weights(two):
    X, y = two
    model = fitted_keras_model(X, y == "well")
    before = model.predict(X)
    on_from_there = ProbabilityClassifier(model).fit(X, y, epochs=1, verbose=0)
    from_the_start = ProbabilityClassifier(keras_model()).fit(X, y, epochs=1, verbose=0)
    assert on_from_there.score(X, y) > from_the_start.score(X, y)
    np.testing.assert_array_equal(model.predict(X), before)


# Each model as it is.

RAW = {
    name: TWO_CLASSES[name]
    for name in (
        "LinearRegression",
        "MLPRegressor",
        "XGBRegressor",
        "XGBClassifier",
        "LGBMRegressor",
        "LGBMClassifier",
        "CatBoostRegressor",
        "CatBoostClassifier",
    )
}


@pytest.mark.parametrize("make", RAW.values(), ids=RAW)
def test_models_are_scored_at_a_threshold_as_they_are(two, make):
    X, y = two
    target = (y == "ill").astype(int)
    check_raw_scores(make(), X, target, target)


@pytest.mark.parametrize("name", ["skorch-regressor", "skorch-binary"])
def test_nets_are_scored_at_a_threshold_as_they_are(two, name):
    X, y = two
    torch.manual_seed(0)
    target = (y == "ill").astype(np.float32)
    check_raw_scores(
        TWO_CLASSES[name](), X, target if name == "skorch-binary" else target[:, np.newaxis], target
    )


def check_raw_scores(model, X, target, is_ill):
    """Scores of a model that is fitted to 0 and 1, alone and in searches."""
    fitted = clone(model).fit(X, target)
    p = columns_of(fitted, X)[:, -1]
    expected = specificity_score(is_ill, (p >= 0.4).astype(int))
    scorer = get_scorer("specificity", threshold=0.4)
    assert 0.5 < expected < 1
    assert scorer(fitted, X, target) == expected
    assert ConfusionScorer("specificity", threshold=0.4)(fitted, X, target) == expected
    assert (
        cross_val_score(model, X, target, cv=3, scoring=scorer, error_score="raise") > 0.5
    ).all()
    grid = {"lr": [0.1, 0.5]} if hasattr(model, "lr") else {}
    search = GridSearchCV(model, grid, cv=3, scoring=scorer, error_score="raise").fit(X, target)
    assert search.score(X, target) == scorer(search.best_estimator_, X, target)


def test_a_net_s_labels_are_scored_without_a_threshold(three):
    X, y = three
    torch.manual_seed(0)
    codes = np.unique(y, return_inverse=True)[1]
    model = THREE_CLASSES["skorch-classifier"]().fit(X, codes)
    assert get_scorer("recall_macro")(model, X, codes) == recall_score(
        codes, model.predict(X), average="macro"
    )
    assert (cross_val_score(model, X, codes, cv=3, scoring=get_scorer("recall_macro")) > 0.6).all()


@pytest.mark.parametrize("shape", [(-1,), (-1, 1)], ids=["(n,)", "(n, 1)"])
def test_a_keras_sigmoid_is_scored_as_it_is(two, shape):
    X, y = two
    target = (y == "ill").astype(int).reshape(shape)
    model = fitted_keras_model(X, target)
    p = model.predict(X)[:, 0]
    for options, cut in [({}, 0.5), ({"threshold": 0.4}, 0.4)]:
        by_hand = (p >= cut).astype(int)
        expected = specificity_score(target.ravel(), by_hand)
        assert (
            ConfusionScorer("specificity", response_method="predict", **options)(model, X, target)
            == expected
        )
        cm = ConfusionMatrix.from_estimator(model, X, target, **options)
        assert cm == ConfusionMatrix.from_predictions(target.ravel(), by_hand)
    assert get_scorer("specificity", threshold=0.4)(model, X, target) == expected


def test_a_keras_sigmoid_is_scored_against_strings(two):
    X, y = two
    model = fitted_keras_model(X, y == "well")
    by_hand = np.where(model.predict(X)[:, 0] >= 0.4, "well", "ill")
    scorer = ConfusionScorer("specificity", threshold=0.4, classes=["ill", "well"])
    assert scorer(model, X, y) == specificity_score(y, by_hand, pos_label="well")


@pytest.mark.parametrize("one_hot", [False, True], ids=["integers", "one-hot"])
def test_a_keras_softmax_is_scored_as_it_is(three, one_hot):
    X, y = three
    codes = np.unique(y, return_inverse=True)[1]
    target = np.eye(3, dtype=int)[codes] if one_hot else codes
    loss = "categorical_crossentropy" if one_hot else "sparse_categorical_crossentropy"
    model = fitted_keras_model(X, target, n_outputs=3, loss=loss)
    p = model.predict(X)
    assert ConfusionScorer("balanced_accuracy")(model, X, target) == balanced_accuracy_score(
        codes, p.argmax(axis=1)
    )
    by_hand = (p / np.array([0.2, 0.3, 0.5], dtype=np.float32)).argmax(axis=1)
    scorer = ConfusionScorer("g_mean_macro", threshold=[0.2, 0.3, 0.5])
    assert scorer(model, X, target) == g_mean_score(codes, by_hand, average="macro")


def test_a_keras_softmax_of_two_classes_is_scored_at_a_threshold(two):
    X, y = two
    target = (y == "ill").astype(int)
    model = fitted_keras_model(X, target, n_outputs=2, loss="sparse_categorical_crossentropy")
    by_hand = (model.predict(X)[:, 1] >= 0.4).astype(int)
    for targets in (target, np.eye(2, dtype=int)[target]):
        assert ConfusionScorer("specificity", threshold=0.4)(
            model, X, targets
        ) == specificity_score(target, by_hand)


@pytest.mark.parametrize("data", ["two", "three"])
def test_the_wrapper_of_keras_gives_probabilities_by_decision_function(request, data):
    X, y = request.getfixturevalue(data)
    n_classes = len(np.unique(y))
    wrapper = keras.wrappers.SKLearnClassifier(keras_model(n_classes, "categorical_crossentropy"))
    options = {"epochs": 10, "verbose": 0}
    model = ProbabilityClassifier(wrapper, response_method="decision_function").fit(X, y, **options)
    p = model.estimator_.model_.predict(X, verbose=0)
    np.testing.assert_allclose(model.predict_proba(X), p, atol=1e-6)
    assert model.score(X, y) > 0.8
    scores = cross_val_score(
        model, X, y, cv=2, scoring=get_scorer("recall_macro"), params=options, error_score="raise"
    )
    assert (scores > 0.6).all()


def test_tensors_of_bfloat16_say_what_to_do():
    p = torch.tensor([0.25, 0.75], dtype=torch.bfloat16)
    with pytest.raises(TypeError, match=r"y_score has dtype bfloat16.*pass y_score\.float\(\)"):
        ThresholdCurve.from_scores([0, 1], p)
    assert ThresholdCurve.from_scores([0, 1], p.float()).thresholds.tolist() == [0.75, 0.25]


def test_tensors_with_a_gradient_say_what_to_do():
    with pytest.raises(
        TypeError, match=r"y_score is a tensor with a gradient: pass y_score\.detach\(\)"
    ):
        ThresholdCurve.from_scores([0, 1], torch.tensor([0.25, 0.75], requires_grad=True))
