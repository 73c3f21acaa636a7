"""make_eval_metric in XGBoost, LightGBM and CatBoost: the best round is that of the labels."""

import pickle

import lightgbm as lgb
import numpy as np
import pytest
import xgboost as xgb
from catboost import CatBoostClassifier, Pool
from lightgbm import LGBMClassifier
from sklearn import metrics as sk
from sklearn.model_selection import GridSearchCV
from xgboost import XGBClassifier

from skmetrics_ext import false_positive_rate, get_scorer, make_eval_metric

pytestmark = [
    pytest.mark.filterwarnings("ignore:Failed to import numba:UserWarning"),
    # LightGBM has eval_X and eval_y since 4.7; the oldest version tested may lack them.
    pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated"),
]

N, N_TRAIN, ROUNDS = 900, 500, 25
RNG = np.random.default_rng(3)
X = RNG.normal(size=(N, 4)).astype(np.float32)
SIGNAL = X[:, 0] + X[:, 1] * X[:, 2] + RNG.normal(size=N)
WEIGHTS = RNG.random(N).astype(np.float32) + 0.1
TRAIN, VALID = slice(N_TRAIN), slice(N_TRAIN, None)

LABELS = {
    "0 and 1": [0, 1],
    "1 and 2": [1, 2],
    "7 and 3": [7, 3],
    "two strings": ["well", "ill"],
    "five": [0, 1, 2, 3, 4],
    "five strings": list("ecdab"),
    "strings of numbers": ["9", "10", "100", "1", "2"],
}
# A metric where lower is better, one of the class that sorts first, and one without a positive
# class.
METRICS = {
    "f1": lambda y, pred, weights, options: sk.f1_score(y, pred, sample_weight=weights, **options),
    "false_positive_rate": lambda y, pred, weights, options: false_positive_rate(
        y, pred, sample_weight=weights, **options
    ),
    "balanced_accuracy": lambda y, pred, weights, _: sk.balanced_accuracy_score(
        y, pred, sample_weight=weights
    ),
}

every_case = [
    pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weighted"]),
    pytest.mark.parametrize("name", METRICS),
    pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS),
]


def for_every_case(test):
    for mark in every_case:
        test = mark(test)
    return test


class Case:
    """The data with some labels, the metric of them, and its values on what a model predicts."""

    def __init__(self, labels, name, weights, **options):
        k = len(labels)
        self.codes = np.digitize(SIGNAL, np.quantile(SIGNAL, np.linspace(0, 1, k + 1)[1:-1]))
        self.labels, self.weights = np.array(labels), weights
        self.y = self.labels[self.codes]
        self.sorted = np.unique(self.y)
        first = labels[0]
        positive = {"pos_label": first} if k == 2 and name != "balanced_accuracy" else {}
        if k > 2 and name != "balanced_accuracy":
            # Under the name that the libraries log.
            options |= {"average": "macro", "name": name}
        self.metric = make_eval_metric(name, classes=labels, **positive, **options)
        self.options = {"average": "binary", **positive} if k == 2 else {"average": "macro"}
        self.value, self.better = METRICS[name], min if name == "false_positive_rate" else max

    def weights_of(self, part):
        return None if self.weights is None else self.weights[part]

    def values(self, predictions):
        """Of the labels predicted after each round."""
        return [
            self.value(self.y[VALID], pred, self.weights_of(VALID), self.options)
            for pred in predictions
        ]

    def check(self, recorded, best_round, predictions):
        """The recorded values, whose sign is that of the metric, are those of predict, and so is
        the best round.
        """
        values = self.values(predictions)
        # XGBoost writes six digits.
        np.testing.assert_allclose(recorded, values, atol=1e-6)
        assert len(set(values)) > 1
        assert best_round == values.index(self.better(values))


@for_every_case
def test_xgb_classifier(labels, name, weights):
    case = Case(labels, name, weights)
    cost = case.metric.xgboost
    assert cost.__name__ == (name if name == "false_positive_rate" else f"neg_{name}")
    model = XGBClassifier(
        n_estimators=ROUNDS,
        learning_rate=0.5,
        max_depth=2,
        n_jobs=1,
        eval_metric=cost,
        early_stopping_rounds=10,
    )
    # XGBoost takes class numbers alone.
    model.fit(
        X[TRAIN],
        case.codes[TRAIN],
        eval_set=[(X[VALID], case.codes[VALID])],
        sample_weight=case.weights_of(TRAIN),
        sample_weight_eval_set=None if weights is None else [case.weights_of(VALID)],
        verbose=False,
    )
    recorded = model.evals_result()["validation_0"][cost.__name__]
    rounds = range(1, len(recorded) + 1)
    predictions = [case.labels[model.predict(X[VALID], iteration_range=(0, end))] for end in rounds]
    sign = -1 if case.metric.greater_is_better else 1
    case.check(np.multiply(recorded, sign), model.best_iteration, predictions)


@for_every_case
def test_lgbm_classifier(labels, name, weights):
    case = Case(labels, name, weights)
    stopped, whole = (
        LGBMClassifier(
            n_estimators=ROUNDS,
            learning_rate=0.5,
            num_leaves=4,
            n_jobs=1,
            verbose=-1,
            metric="None",
            random_state=0,
        ).fit(
            X[TRAIN],
            case.y[TRAIN],
            eval_set=[(X[VALID], case.y[VALID])],
            sample_weight=case.weights_of(TRAIN),
            eval_sample_weight=None if weights is None else [case.weights_of(VALID)],
            eval_metric=case.metric.lightgbm,
            callbacks=callbacks,
        )
        for callbacks in ([lgb.early_stopping(10, verbose=False)], [])
    )
    recorded = stopped.evals_result_["valid_0"][name]
    predictions = [
        whole.predict(X[VALID], num_iteration=end) for end in range(1, len(recorded) + 1)
    ]
    case.check(recorded, stopped.best_iteration_ - 1, predictions)


@for_every_case
def test_cat_boost_classifier(labels, name, weights):
    case = Case(labels, name, weights)
    train, valid = (
        Pool(X[part], case.y[part], weight=case.weights_of(part)) for part in (TRAIN, VALID)
    )
    model = CatBoostClassifier(
        iterations=ROUNDS,
        learning_rate=0.5,
        depth=2,
        thread_count=1,
        verbose=0,
        allow_writing_files=False,
        eval_metric=case.metric.catboost,
        early_stopping_rounds=10,
        use_best_model=False,
    ).fit(train, eval_set=valid)
    recorded = model.evals_result_["validation"]["EvalMetric"]
    predictions = [
        model.predict(X[VALID], ntree_end=end).ravel() for end in range(1, len(recorded) + 1)
    ]
    assert model.classes_.tolist() == case.sorted.tolist() or labels == LABELS["strings of numbers"]
    case.check(recorded, model.best_iteration_, [pred.astype(case.y.dtype) for pred in predictions])


# The interfaces below scikit-learn's take class numbers, and custom objectives pass margins.


def logistic(margins, data):
    p = 1 / (1 + np.exp(-margins))
    return p - data.get_label(), p * (1 - p)


def softmax(margins, data):
    p = np.exp(margins - margins.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return p - np.eye(p.shape[1])[data.get_label().astype(int)], 2 * p * (1 - p)


@pytest.mark.parametrize("is_custom", [False, True], ids=["", "custom objective"])
@for_every_case
def test_xgboost_train(labels, name, weights, is_custom):
    k = len(labels)
    case = Case(labels, name, weights, scores="margins" if is_custom else "probabilities")
    train, valid = (
        xgb.DMatrix(X[part], case.codes[part], weight=case.weights_of(part))
        for part in (TRAIN, VALID)
    )
    params = (
        {"objective": "binary:logistic"}
        if k == 2
        else {"objective": "multi:softprob", "num_class": k}
    )
    recorded = {}
    booster = xgb.train(
        {
            **params,
            "learning_rate": 0.5,
            "max_depth": 2,
            "nthread": 1,
            "disable_default_eval_metric": True,
        },
        train,
        ROUNDS,
        evals=[(valid, "valid")],
        evals_result=recorded,
        early_stopping_rounds=10,
        verbose_eval=False,
        obj=(logistic if k == 2 else softmax) if is_custom else None,
        custom_metric=case.metric.xgboost_train,
    )
    (values,) = recorded["valid"].values()
    margins = [
        booster.predict(valid, output_margin=True, iteration_range=(0, end + 1))
        for end in range(len(values))
    ]
    codes = [each > 0 if k == 2 else each.argmax(axis=1) for each in margins]
    sign = -1 if case.metric.greater_is_better else 1
    case.check(
        np.multiply(values, sign),
        booster.best_iteration,
        [case.labels[each.astype(int)] for each in codes],
    )


@pytest.mark.parametrize("is_custom", [False, True], ids=["", "custom objective"])
@for_every_case
def test_lightgbm_train(labels, name, weights, is_custom):
    k = len(labels)
    case = Case(labels, name, weights, scores="margins" if is_custom else "probabilities")
    built_in = {"objective": "binary"} if k == 2 else {"objective": "multiclass"}
    params = {"objective": logistic if k == 2 else softmax} if is_custom else built_in
    params |= {} if k == 2 else {"num_class": k}
    recorded = {}
    boosters = []
    for callbacks in ([lgb.early_stopping(10, verbose=False), lgb.record_evaluation(recorded)], []):
        train = lgb.Dataset(X[TRAIN], case.codes[TRAIN], weight=case.weights_of(TRAIN))
        valid = train.create_valid(X[VALID], case.codes[VALID], weight=case.weights_of(VALID))
        boosters.append(
            lgb.train(
                {
                    **params,
                    "learning_rate": 0.5,
                    "num_leaves": 4,
                    "num_threads": 1,
                    "verbose": -1,
                    "metric": "None",
                },
                train,
                ROUNDS,
                valid_sets=[valid],
                feval=case.metric.lightgbm_train,
                callbacks=callbacks,
            )
        )
    stopped, whole = boosters
    values = recorded["valid_0"][name]
    margins = [
        whole.predict(X[VALID], raw_score=True, num_iteration=end + 1) for end in range(len(values))
    ]
    codes = [each > 0 if k == 2 else each.argmax(axis=1) for each in margins]
    case.check(
        values, stopped.best_iteration - 1, [case.labels[each.astype(int)] for each in codes]
    )


def as_classifier(objective):
    """The same for scikit-learn's interfaces."""

    class Data:
        def __init__(self, labels):
            self.get_label = lambda: labels

    return lambda y_true, margins: objective(margins, Data(y_true))


@pytest.mark.parametrize("labels", [LABELS["0 and 1"], LABELS["five"]], ids=["two", "five"])
def test_custom_objectives_of_classifiers_pass_margins(labels):
    objective = as_classifier(logistic if len(labels) == 2 else softmax)
    case = Case(labels, "f1", None, scores="margins")
    model = XGBClassifier(
        n_estimators=ROUNDS,
        learning_rate=0.5,
        max_depth=2,
        n_jobs=1,
        objective=objective,
        eval_metric=case.metric.xgboost,
        early_stopping_rounds=10,
    ).fit(X[TRAIN], case.y[TRAIN], eval_set=[(X[VALID], case.y[VALID])], verbose=False)
    recorded = model.evals_result()["validation_0"]["neg_f1"]
    predictions = [
        model.predict(X[VALID], iteration_range=(0, end + 1)) for end in range(len(recorded))
    ]
    case.check(np.negative(recorded), model.best_iteration, predictions)
    # LightGBM passes them in the same way, and its predict returns them.
    of_lightgbm = LGBMClassifier(
        n_estimators=ROUNDS,
        learning_rate=0.5,
        num_leaves=4,
        n_jobs=1,
        verbose=-1,
        metric="None",
        objective=objective,
    ).fit(
        X[TRAIN],
        case.y[TRAIN],
        eval_set=[(X[VALID], case.y[VALID])],
        eval_metric=case.metric.lightgbm,
    )
    recorded = of_lightgbm.evals_result_["valid_0"]["f1"]
    margins = [
        of_lightgbm.predict(X[VALID], raw_score=True, num_iteration=end + 1)
        for end in range(len(recorded))
    ]
    codes = [each > 0 if len(labels) == 2 else each.argmax(axis=1) for each in margins]
    assert recorded == pytest.approx(case.values([each.astype(int) for each in codes]))


# Traps.


def test_probabilities_are_expected_and_margins_refused():
    case = Case([0, 1], "f1", None)
    data = xgb.DMatrix(X[TRAIN], case.codes[TRAIN])
    with pytest.raises(ValueError, match="pass scores='margins'"):
        xgb.train(
            {},
            data,
            9,
            evals=[(data, "train")],
            obj=logistic,
            custom_metric=case.metric.xgboost_train,
            verbose_eval=0,
        )


def test_lightgbm_stops_on_its_own_loss_unless_told_not_to():
    case = Case([0, 1], "f1", None)
    options = {"n_jobs": 1, "num_leaves": 4, "learning_rate": 0.2, "verbose": -1}
    data = {"eval_set": [(X[VALID], case.codes[VALID])], "eval_metric": case.metric.lightgbm}
    whole = LGBMClassifier(n_estimators=120, **options).fit(X[TRAIN], case.codes[TRAIN], **data)
    recorded = whole.evals_result_["valid_0"]
    assert list(recorded) == ["binary_logloss", "f1"]
    best_loss, best_f1 = np.argmin(recorded["binary_logloss"]), np.argmax(recorded["f1"])
    assert best_loss != best_f1
    # What the documentation says is no remedy, and what is one.
    for metric, first_only, best in (
        (None, False, best_loss),
        (None, True, best_loss),
        ("None", False, best_f1),
    ):
        stop = lgb.early_stopping(60, first_metric_only=first_only, verbose=False)
        model = LGBMClassifier(n_estimators=120, metric=metric, **options)
        model.fit(X[TRAIN], case.codes[TRAIN], callbacks=[stop], **data)
        assert model.best_iteration_ == best + 1
        train = lgb.Dataset(X[TRAIN], case.codes[TRAIN])
        booster = lgb.train(
            {"objective": "binary", **options} | ({"metric": metric} if metric else {}),
            train,
            120,
            valid_sets=[train.create_valid(X[VALID], case.codes[VALID])],
            feval=case.metric.lightgbm_train,
            callbacks=[lgb.early_stopping(60, first_metric_only=first_only, verbose=False)],
        )
        assert booster.best_iteration == best + 1


@pytest.mark.parametrize("name", ["f1", "false_positive_rate"])
def test_xgboost_keeps_the_worst_round_if_it_is_to_maximize(name):
    case = Case([0, 1], name, None)
    train, valid = (xgb.DMatrix(X[part], case.codes[part]) for part in (TRAIN, VALID))
    params = {"objective": "binary:logistic", "max_depth": 2, "learning_rate": 0.5, "nthread": 1}
    rounds = {}
    for maximize in (None, True):
        recorded = {}
        booster = xgb.train(
            params,
            train,
            ROUNDS,
            evals=[(valid, "valid")],
            evals_result=recorded,
            verbose_eval=False,
            custom_metric=case.metric.xgboost_train,
            callbacks=[xgb.callback.EarlyStopping(rounds=ROUNDS, maximize=maximize)],
        )
        # Unlike LightGBM it goes by the last metric, which is ours.
        own, values = recorded["valid"].items()
        assert own[0] == "logloss"
        rounds[maximize] = booster.best_iteration, values[1]
    assert rounds[None][0] == np.argmin(rounds[None][1])
    assert rounds[True][0] == np.argmax(rounds[True][1]) != rounds[None][0]


def test_softmax_passes_class_numbers():
    case = Case(LABELS["five"], "balanced_accuracy", None, scores="labels")
    train, valid = (xgb.DMatrix(X[part], case.codes[part]) for part in (TRAIN, VALID))
    recorded = {}
    params = {
        "objective": "multi:softmax",
        "num_class": 5,
        "disable_default_eval_metric": True,
        "nthread": 1,
    }
    of_labels = {"evals": [(valid, "valid")], "evals_result": recorded, "verbose_eval": False}
    booster = xgb.train(params, train, 5, custom_metric=case.metric.xgboost_train, **of_labels)
    predicted = [
        booster.predict(valid, iteration_range=(0, end + 1)).astype(int) for end in range(5)
    ]
    assert np.negative(recorded["valid"]["neg_balanced_accuracy"]) == pytest.approx(
        case.values(predicted), abs=1e-6
    )
    with pytest.raises(ValueError, match="scores='labels'"):
        xgb.train(
            params,
            train,
            5,
            custom_metric=Case(LABELS["five"], "f1", None).metric.xgboost_train,
            **of_labels,
        )


def test_exact_ties_are_those_of_predict():
    # A leaf with as many samples of each class has the margin 0; those in the first are all of
    # class 1 when evaluated.
    x = np.repeat([[0.0], [1.0], [2.0]], 40, axis=0)
    y = np.concatenate([np.tile([0, 1], 20), np.zeros(40, int), np.ones(40, int)])
    others = np.concatenate([np.ones(40, int), np.zeros(40, int), np.ones(40, int)])
    metric = make_eval_metric("accuracy")
    tree = {"n_estimators": 1, "max_depth": 2, "n_jobs": 1, "base_score": 0.5}
    model = XGBClassifier(eval_metric=metric.xgboost, **tree).fit(
        x, y, eval_set=[(x, others)], verbose=False
    )
    assert (model.predict_proba(x[:40])[:, 1] == 0.5).all()
    (recorded,) = model.evals_result()["validation_0"]["neg_accuracy"]
    assert -recorded == pytest.approx(sk.accuracy_score(others, model.predict(x)), abs=1e-6)


@pytest.mark.parametrize("threshold", [0.2, 0.7])
def test_a_threshold_is_one_of_probabilities_in_every_library(threshold):
    case = Case(["well", "ill"], "f1", None)
    metric = make_eval_metric("f1", threshold=threshold, classes=["well", "ill"])
    scorer = get_scorer("f1", threshold=threshold, pos_label="ill")
    valid = [(X[VALID], case.y[VALID])]
    light = LGBMClassifier(n_estimators=9, n_jobs=1, verbose=-1, metric="None")
    light.fit(X[TRAIN], case.y[TRAIN], eval_set=valid, eval_metric=metric.lightgbm)
    assert light.evals_result_["valid_0"]["f1"][-1] == scorer(light, *valid[0])
    cat = CatBoostClassifier(
        iterations=9, thread_count=1, verbose=0, allow_writing_files=False, use_best_model=False
    )
    cat.set_params(eval_metric=metric.catboost).fit(X[TRAIN], case.y[TRAIN], eval_set=valid)
    assert cat.evals_result_["validation"]["EvalMetric"][-1] == scorer(cat, *valid[0])


def test_models_with_a_metric_are_cloned_searched_and_pickled():
    case = Case([0, 1], "f1", None)
    options = {"n_estimators": 9, "random_state": 0}
    quiet = {"verbose": 0, "allow_writing_files": False, "thread_count": 1}
    for model, of_fit in (
        (XGBClassifier(eval_metric=case.metric.xgboost, n_jobs=1, **options), {"verbose": False}),
        (CatBoostClassifier(eval_metric=case.metric.catboost, **options, **quiet), {}),
        (LGBMClassifier(n_jobs=1, verbose=-1, **options), {"eval_metric": case.metric.lightgbm}),
    ):
        search = GridSearchCV(
            model, {"max_depth": [1, 2]}, cv=2, scoring=get_scorer("f1"), error_score="raise"
        )
        search.fit(X[TRAIN], case.y[TRAIN], eval_set=[(X[VALID], case.y[VALID])], **of_fit)
        again = pickle.loads(pickle.dumps(search.best_estimator_))
        assert (again.predict(X) == search.predict(X)).all()
