"""AbstainingClassifier: scikit-learn's checks, the threshold by loops, its promise, refusals."""

import contextlib
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils import estimator_checks

from skmetrics_ext import AbstainingClassifier, threshold_curve
from tests.estimators.test_constrained_threshold_classifier import said
from tests.estimators.test_weights_of_classes import NAMES, Given, draw
from tests.fuzz.curve_oracle import between

CHECKED = AbstainingClassifier(
    LogisticRegression(), at_least=0.02, confidence_level=None, abstain_label=-9
)
EXPECTED_FAILED_CHECKS = {
    "check_classifiers_classes": "abstain_label is a number, and these labels are strings",
    "check_classifiers_train": "predict is to be the argmax of predict_proba, and it abstains "
    "below the threshold",
}


def prefit(classes=(0, 1, 2), **options):
    return AbstainingClassifier(Given(classes), **{"cv": "prefit", "abstain_label": -1, **options})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_the_classifier_except_for_intended_deviations():
    """Some sixty small demands of scikit-learn's version, and that the exceptions are still those
    that are named.
    """
    results = estimator_checks.check_estimator(
        CHECKED, expected_failed_checks=EXPECTED_FAILED_CHECKS, on_skip=None, on_fail=None
    )
    assert len(results) > 50
    assert [result["check_name"] for result in results if result["status"] == "failed"] == []
    failed = {
        result["check_name"]: said(result["exception"])
        for result in results
        if result["status"] == "xfail"
    }
    assert "Mismatched elements: 3 / 200" in failed.pop("check_classifiers_train")
    assert r"Mix of.*y holds strings" in failed.pop("check_classifiers_classes")
    assert not failed


@pytest.mark.parametrize("metric", ["accuracy", "precision_ill"])
def test_the_threshold_has_the_most_answers_at_which_the_share_is_kept(metric):
    X, codes = draw(300, 4)
    y = NAMES[codes]
    model = prefit(
        NAMES, metric=metric, at_least=0.9, confidence_level=None, abstain_label="?"
    ).fit(X, y)
    answers, largest = NAMES[X.argmax(axis=1)], X.max(axis=1)
    promised = (answers == "ill") | (metric == "accuracy")
    kept = [
        at for at in largest[promised] if (answers == y)[promised & (largest >= at)].mean() >= 0.9
    ]
    chosen = min(kept)
    assert model.best_threshold_ == pytest.approx(
        float(between(largest[promised].tolist(), chosen))
    )
    predicted = model.predict(X)
    is_unsure = promised & (largest < chosen)
    assert predicted.tolist() == np.where(is_unsure, "?", answers).tolist()
    assert 0.05 < is_unsure.mean() < 0.9
    assert model.coverage_ == pytest.approx(1 - is_unsure.mean())
    [kept] = model.constraints_
    assert kept[:2] == (metric, 0.9)
    assert kept.value == pytest.approx((answers == y)[promised & ~is_unsure].mean())
    assert model.score(X, y) == pytest.approx((predicted == y).mean())


def test_the_limit_is_that_of_a_proportion_of_the_answers():
    X, y = draw(4000, 0)
    model = prefit(at_least=0.75, confidence_level=0.9).fit(X, y)
    [kept] = model.constraints_
    answered = model.predict(X) != -1
    n_right, n = (X.argmax(axis=1) == y)[answered].sum(), answered.sum()
    assert kept.value == pytest.approx(n_right / n)
    assert 0.75 <= kept.limit <= stats.beta.ppf(0.1, n_right, n - n_right + 1) < kept.value
    # At the same ranks as a precision of right answers.
    curve = threshold_curve(X.argmax(axis=1) == y, X.max(axis=1))
    np.testing.assert_array_equal(model.curve_.counts, curve.counts)
    assert model.coverage_ == pytest.approx(
        curve.at(model.best_threshold_).score("predicted_positive_rate")
    )


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "n_values"), [("accuracy", None), ("precision_0", 12)])
def test_few_of_300_calibration_sets_return_a_threshold_that_breaks_the_promise(metric, n_values):
    """What test_risk_control.py promises of a precision, of answers, of all or one of the
    classes.
    """
    new, actual = draw(100_000, 10_000, n_values)
    answers, largest = new.argmax(axis=1), new.max(axis=1)
    promised = (answers == 0) | (metric == "accuracy")
    broken = returned = 0
    for seed in range(300):
        X, y = draw(600, seed, n_values)
        model = prefit(metric=metric, at_least=0.8, confidence_level=0.9)
        with contextlib.suppress(ValueError):
            threshold = model.fit(X, y).best_threshold_
            returned += 1
            broken += (answers == actual)[promised & (largest >= threshold)].mean() < 0.8
    assert returned > 200
    assert broken <= 0.1 * 300


@pytest.mark.filterwarnings("ignore:with refit=True")
def test_folds_are_pooled_and_the_final_model_has_seen_all_samples():
    X, y = (part[:900] for part in load_digits(return_X_y=True))
    inner = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
    model = AbstainingClassifier(inner, at_least=0.93, abstain_label=-1, cv=3).fit(X, y)
    shares = np.empty((len(y), 10))
    for train, test in StratifiedKFold(3).split(X, y):
        shares[test] = clone(inner).fit(X[train], y[train]).predict_proba(X[test])
    expected = prefit(range(10), at_least=0.93).fit(shares, y)
    assert model.best_threshold_ == pytest.approx(expected.best_threshold_)
    final = clone(inner).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), final)
    by_hand = np.where(final.max(axis=1) >= model.best_threshold_, final.argmax(axis=1), -1)
    assert model.predict(X).tolist() == by_hand.tolist()
    assert model.classes_.tolist() == list(range(10))
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == by_hand.tolist()
    search = GridSearchCV(model, {"at_least": [0.7, 0.93]}, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_ == {"at_least": 0.7}
    # One split, whose model is kept.
    [(train, test)] = StratifiedShuffleSplit(1, test_size=0.5, random_state=3).split(X, y)
    model = clone(model).set_params(cv=0.5, refit=False, random_state=3).fit(X, y)
    fold = clone(inner).fit(X[train], y[train])
    np.testing.assert_array_equal(model.predict_proba(X), fold.predict_proba(X))
    expected = prefit(range(10), at_least=0.93).fit(fold.predict_proba(X[test]), y[test])
    assert model.best_threshold_ == expected.best_threshold_


def test_two_classes_and_counts_of_samples():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    X, y = np.stack([1 - p, p], axis=1), rng.random(400) < p
    weight = rng.integers(0, 4, 400)
    weighted = prefit((False, True), at_least=0.8).fit(
        X, y, sample_weight=weight, frequency_weights=True
    )
    repeated = prefit((False, True), at_least=0.8).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert weighted.best_threshold_ == repeated.best_threshold_
    assert weighted.coverage_ == pytest.approx(repeated.coverage_)
    assert set(weighted.predict(X)) == {-1, 0, 1}
    with pytest.raises(ValueError, match="sample_weight does"):
        prefit((False, True), at_least=0.8).fit(X, y, sample_weight=weight * 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_least": 1}, "at_least must be a number between 0 and 1; got 1"),
        ({"at_least": 98}, "at_least must be a number between 0 and 1; got 98"),
        (
            {"metric": "recall_1"},
            r"metric must be one of \['accuracy', 'precision_0', .*; got 'recall_1'",
        ),
        ({"metric": "precision_7"}, "got 'precision_7'"),
        ({"abstain_label": 2}, r"abstain_label=2 is one of the labels \[0, 1, 2\]: pass another"),
        ({"abstain_label": "unsure"}, r"Mix of.*y holds numbers .* abstain_label holds strings"),
        ({"confidence_level": 95}, "confidence_level must be at least 0.5 and below 1"),
        (
            {"at_least": 0.99},
            r"no threshold promises accuracy >= 0.99 of answers: .*needs at least \d+ samples",
        ),
        (
            {"at_least": 0.9},
            "no threshold promises accuracy >= 0.9 of answers: .*no threshold satisfies precision",
        ),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options, message):
    X, y = draw(300, 0)
    with pytest.raises(ValueError, match=message):
        prefit(**{"at_least": 0.6, **options}).fit(
            X, np.roll(y, 100) if options == {"at_least": 0.9} else y
        )


@pytest.mark.filterwarnings("ignore:with refit=True")
def test_models_that_have_no_answers_are_refused():
    X, y = draw(100, 0)
    with pytest.raises(
        ValueError, match="no held-out sample is predicted as the class of 'precision_2'"
    ):
        prefit(metric="precision_2", at_least=0.5).fit(np.tile([0.5, 0.3, 0.2], (100, 1)), y)
    with pytest.raises(TypeError, match=r"LinearSVC.*none of.*\['predict_proba'\]"):
        AbstainingClassifier(LinearSVC(), at_least=0.5, abstain_label=-1).fit(X, y)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        AbstainingClassifier(GaussianNB(), at_least=0.5, abstain_label=-1).predict(X)
    fitted = AbstainingClassifier(
        GaussianNB(), at_least=0.5, abstain_label=-1, confidence_level=None
    ).fit(X, y)
    with pytest.raises(ValueError, match="abstain_label=0 is one of the labels"):
        fitted.set_params(abstain_label=0).predict(X)


def test_the_summary_says_how_many_samples_are_answered_and_what_that_rests_on():
    X, y = draw(2_000, 4)
    model = prefit(at_least=0.8, confidence_level=0.9).fit(X, y)
    first, _, coverage, bound, *rests_on = model.summary().splitlines()
    assert first == f"threshold {model.best_threshold_:.6g}, chosen on 2000 held-out samples"
    assert coverage.split() == ["coverage", f"{model.coverage_:.4f}"]
    [kept] = model.constraints_
    assert bound.split() == ["accuracy", ">=", "0.8", f"{kept.value:.4f}", f"{kept.limit:.4f}"]
    assert rests_on[0].startswith(
        "With 0.9 confidence bounds hold on new data: exact for this model"
    )
    assert repr(model).endswith(model.summary())


def test_what_was_promised_is_not_changed_after_fit():
    X, y = draw(400, 0)
    model = prefit(at_least=0.6, confidence_level=0.99999).fit(X, y)
    summary, predicted = model.summary(), model.predict(X).tolist()
    assert "With 0.99999 confidence bounds hold on new data: exact for this model" in summary
    model.set_params(confidence_level=None, cv=5, metric="precision_1")
    assert model.summary() == summary
    assert model.predict(X).tolist() == predicted
    assert (
        "Pass confidence_level= for bounds that hold there"
        in model.set_params(cv="prefit").fit(X, y).summary()
    )


def test_answers_without_weight_have_no_threshold():
    X, y = draw(200, 0)
    model = prefit(metric="precision_2", at_least=0.5, confidence_level=None)
    with pytest.raises(
        ValueError, match="no held-out sample is predicted as the class of 'precision_2'"
    ):
        model.fit(X, y, sample_weight=(X.argmax(axis=1) != 2).astype(float))


@pytest.mark.parametrize("lacking", [0, 1, 2])
def test_held_out_samples_without_a_class_choose_by_those_that_are_there(lacking):
    # The model knows three classes, and the samples that choose have two of them.
    names = np.array(["ash", "elm", "oak"])
    random = np.random.default_rng(2)
    codes = np.arange(300) % 3
    X = random.normal(size=(300, 2)) + codes[:, None]
    inner = GaussianNB().fit(X, names[codes])
    kept = codes != lacking
    model = AbstainingClassifier(
        inner, at_least=0.8, confidence_level=None, abstain_label="?", cv="prefit"
    ).fit(X[kept], names[codes[kept]])
    shares = inner.predict_proba(X[kept])
    is_right = inner.classes_[shares.argmax(1)] == names[codes[kept]]
    tops = shares.max(1)
    answered = [tops >= cut for cut in np.unique(tops) if is_right[tops >= cut].mean() >= 0.8]
    most = max(chosen.sum() for chosen in answered)
    assert (model.predict(X[kept]) != "?").sum() == most
