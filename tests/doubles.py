"""Estimators that stand in for models: what they answer is known, or is what a test is about."""

from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB


class Answering:
    """No scikit-learn estimator: it has only the methods whose answers, values or functions of X,
    it was given.
    """

    def __init__(self, predict=None, *, classes=None, **answers):
        self.asked = []
        if classes is not None:
            self.classes_ = np.asarray(classes)
        if predict is not None:
            answers["predict"] = predict
        for method, answer in answers.items():
            setattr(self, method, partial(self._answer, method, answer))

    def _answer(self, method, answer, X):
        self.asked.append(method)
        return answer(X) if callable(answer) else answer


class CountsLooks(Answering):
    """The same, and it counts how often its classes are looked at, or looked for
    where it has none.
    """

    def __init__(self, classes, **answers):
        super().__init__(**answers)
        self.looked, self._classes = 0, classes

    @property
    def classes_(self):
        self.looked += 1
        if self._classes is None:
            raise AttributeError("classes_")
        return self._classes


def _given(answer, _):
    return answer


class AnsweringClassifier(ClassifierMixin, BaseEstimator):
    """The same as a classifier of scikit-learn: it can be cloned, and fitted to anything."""

    def __init__(self, classes, answers):
        self.classes, self.answers = classes, answers
        for method, answer in answers.items():
            respond = partial(_given, answer)
            respond.__name__ = method  # scikit-learn's scorers ask a method for its name
            setattr(self, method, respond)

    def fit(self, *_):
        self.classes_ = np.array(self.classes)
        return self


class ReadsScores(ClassifierMixin, BaseEstimator):
    """A classifier that finds the scores of its classes in the last columns of X, and keeps its
    weights.
    """

    def fit(self, X, y, sample_weight=None):  # noqa: ARG002
        self.classes_, self.weights_ = np.unique(y), sample_weight
        return self

    def predict_proba(self, X):
        return np.asarray(X)[:, -len(self.classes_) :].astype(float)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class NearestMean(ClassifierMixin, BaseEstimator):
    """A classifier by the nearest mean of a class, many times as quick as those of scikit-learn; of
    all features, or of the first ones.
    """

    def __init__(self, n_features=None):
        self.n_features = n_features

    def fit(self, X, y, sample_weight=None):
        self.classes_, codes = np.unique(y, return_inverse=True)
        is_of = codes == np.arange(len(self.classes_))[:, None]
        weights = is_of if sample_weight is None else is_of * np.asarray(sample_weight)
        self.means_ = weights @ self._read(X) / weights.sum(axis=1, keepdims=True)
        return self

    def _read(self, X):
        return np.asarray(X, dtype=float)[:, : self.n_features]

    def _nearness(self, X):
        """Less half of the square of X, which all classes have in common."""
        return self._read(X) @ self.means_.T - (self.means_**2).sum(axis=1) / 2

    def predict_proba(self, X):
        nearness = self._nearness(X)
        shares = np.exp(nearness - nearness.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self._nearness(X).argmax(axis=1)]


class ClippedRegression(LinearRegression):
    """A regressor whose predictions are probabilities."""

    def predict(self, X):
        return np.clip(super().predict(X), 0, 1)


class SoftmaxOfOneHot(GaussianNB):
    """A model that takes one-hot targets and predicts probabilities, as neural networks do."""

    def fit(self, X, y):
        return super().fit(X, y.argmax(axis=1))

    def predict(self, X):
        return super().predict_proba(X)


class UntaggedClassifier:
    """A classifier that is none of scikit-learn's: it has fit, predict, predict_proba and, once
    fitted, classes_.
    """

    def fit(self, X, y):
        self.seen = y
        self.model = GaussianNB().fit(X, y)
        self.classes_ = self.model.classes_
        return self

    def predict(self, X):
        return self.model.predict(X)

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class LikeTabNet(BaseEstimator, UntaggedClassifier):
    """The same with scikit-learn's parameters, but without its tag, as TabNet has them."""


class LikeNGBoost(BaseEstimator):
    """A classifier that takes the numbers of the classes, with which it indexes, and has only the
    tag of older versions of scikit-learn, as NGBoost.
    """

    _estimator_type = "classifier"

    def fit(self, X, y):
        self.seen = y
        self.counts = np.zeros(1 + y.max())
        self.counts[y] += 1
        self.model = GaussianNB().fit(X, y)
        return self

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class BreaksOnThreeRows(DummyClassifier):
    """A model whose predict fails in one fold."""

    def predict(self, X):
        if len(X) == 3:
            raise RuntimeError("the server is down")
        return super().predict(X)


class SeesAllButTheFirst(DummyClassifier):
    """A classifier that may come to know fewer classes than it is fitted to."""

    def fit(self, X, y):
        return super().fit(X[1:], y[1:])


class Network:
    """A model as Keras has them: no get_params, probabilities (n, 1) from predict, fits go on from
    its weights.
    """

    def __init__(self, n_features):
        self.weights = np.zeros(n_features)

    def fit(self, X, y, sample_weight=None, epochs=1):
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
        for _ in range(epochs):
            error = (y - self.predict(X)[:, 0]) * weight
            self.weights = self.weights + error @ X / len(X)

    def predict(self, X):
        return 1 / (1 + np.exp(-np.asarray(X) @ self.weights[:, np.newaxis]))


class Recorder:
    """A model that keeps what it is fitted to and predicts what it is told."""

    def __init__(self, response=None, **attributes):
        self.response = response
        self.__dict__.update(attributes)

    def fit(self, X, y, **fit_params):
        self.X, self.y, self.fit_params = X, y, fit_params

    def predict(self, _):
        return self.response


class RecordingClassifier(ClassifierMixin, BaseEstimator):
    """A classifier of skorch that keeps its targets."""

    module = "torch"

    def __init__(self, criterion="gini"):
        self.criterion = criterion

    def fit(self, X, y):
        self.n_features_in_ = np.shape(X)[1]
        self.y_ = y
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


class WrappedNetwork(ClassifierMixin, BaseEstimator):
    """A classifier as Keras wraps its models: labels from predict, the outputs of a softmax from
    decision_function.
    """

    def __init__(self, slope=1.0):
        self.slope = slope

    def fit(self, X, y):
        self.model_ = LogisticRegression().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def decision_function(self, X):
        outputs = np.exp(self.slope * self.model_.predict_log_proba(X))
        return (outputs / outputs.sum(axis=1, keepdims=True)).astype(np.float32)

    def predict(self, X):
        return self.classes_[self.decision_function(X).argmax(axis=1)]


class Tensor:
    """A tensor of PyTorch that NumPy cannot have as it is."""

    def __init__(self, values, dtype, error):
        self.values, self.dtype, self.error = values, dtype, error

    def __array__(self, dtype=None, copy=None):
        raise self.error

    def __len__(self):
        return len(self.values)

    def __getitem__(self, k):
        return self.values[k]

    def float(self):
        return np.array(self.values, dtype=np.float32)


class DataArray:
    """An array with names of dimensions and coordinates, which NumPy does not know."""

    __module__ = "xarray.core.dataarray"

    def __init__(self, values):
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype, copy=copy)

    def __len__(self):
        return len(self.values)


class DuckDBPyRelation:
    """A relation of DuckDB, by its name."""

    __module__ = "_duckdb"
    columns = ("y",)
    shape = (2, 1)

    def __len__(self):
        return 2
