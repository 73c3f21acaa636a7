"""AbstainingClassifier: scikit-learn's checks, the threshold by loops, its promise, refusals."""

import contextlib
import pickle
import re

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
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import LinearSVC
from sklearn.utils import estimator_checks

from skmetrics_ext import AbstainingClassifier, ThresholdCurve
from tests.doubles import NearestMean
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
    assert "must be of the kind of y, which holds strings" in failed.pop(
        "check_classifiers_classes"
    )
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
    curve = ThresholdCurve.from_scores(X.argmax(axis=1) == y, X.max(axis=1))
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
    X, y = (part[:600] for part in load_digits(return_X_y=True))
    inner = make_pipeline(MinMaxScaler(), NearestMean())
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
        ({"abstain_label": [0]}, r"abstain_label must be one label; got \[0\]"),
        ({"abstain_label": "unsure"}, r"kind of y, which holds numbers .*; got 'unsure'\."),
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


# Of each class; the rare one, "very ill", can't promise so much.
OF_EACH = {"precision_ill": 0.7, "precision_healthy": 0.75, "precision_very ill": 0.97}


def test_each_class_is_answered_from_the_lowest_probability_that_keeps_its_promise():
    X, codes = draw(600, 4)
    y = NAMES[codes]
    promised = {"very ill": 0.6, "healthy": 0.9}
    model = prefit(
        NAMES,
        subject_to={f"precision_{name}": share for name, share in promised.items()},
        confidence_level=None,
        abstain_label="?",
    ).fit(X, y)
    answers, largest = NAMES[X.argmax(axis=1)], X.max(axis=1)
    expected = answers.copy()
    for name, share in promised.items():
        of_class = answers == name
        kept = [
            at
            for at in largest[of_class]
            if (y == name)[of_class & (largest >= at)].mean() >= share
        ]
        expected[of_class & (largest < min(kept))] = "?"
        assert model.thresholds_[name] == pytest.approx(
            float(between(largest[of_class].tolist(), min(kept)))
        )
        assert 0 < (of_class & (expected == "?")).sum() < of_class.sum()
    assert model.predict(X).tolist() == expected.tolist()
    # Nothing is promised of the class in the middle, so that it is always answered.
    assert list(model.thresholds_) == NAMES.tolist()
    assert model.thresholds_["ill"] == 0
    assert model.coverage_ == pytest.approx((expected != "?").mean())
    assert [(kept.metric, kept.required, kept.limit) for kept in model.constraints_] == [
        ("precision_very ill", 0.6, None),
        ("precision_healthy", 0.9, None),
    ]
    assert [kept.value for kept in model.constraints_] == pytest.approx(
        [(y == name)[expected == name].mean() for name in promised]
    )
    assert (model.best_threshold_, model.curve_, model.never_answered_) == (None, None, {})
    assert list(model.curves_) == list(promised)
    for name, curve in model.curves_.items():
        alone = ThresholdCurve.from_scores((y == name)[answers == name], largest[answers == name])
        np.testing.assert_array_equal(curve.counts, alone.counts)


def test_each_promise_has_its_part_of_the_error():
    X, codes = draw(3_000, 0)
    y = NAMES[codes]
    options = {"abstain_label": "?", "confidence_level": 0.9}
    model = prefit(NAMES, subject_to=OF_EACH, **options).fit(X, y)
    options["confidence_level"] = 1 - 0.1 / 3
    by_hand = NAMES[X.argmax(axis=1)]
    for metric in ("precision_ill", "precision_healthy"):
        alone = prefit(NAMES, metric=metric, at_least=OF_EACH[metric], **options).fit(X, y)
        by_hand[alone.predict(X) == "?"] = "?"
        assert model.thresholds_[metric.removeprefix("precision_")] == alone.best_threshold_
        assert alone.constraints_[0] in model.constraints_
    by_hand[by_hand == "very ill"] = "?"
    assert model.predict(X).tolist() == by_hand.tolist()
    assert model.coverage_ == pytest.approx((by_hand != "?").mean())


def test_a_class_whose_promise_no_threshold_keeps_is_never_answered_and_named():
    X, codes = draw(3_000, 0)
    model = prefit(NAMES, subject_to=OF_EACH, abstain_label="?").fit(X, NAMES[codes])
    assert list(model.never_answered_) == ["very ill"]
    assert "precision_very ill >= 0.97" in model.never_answered_["very ill"]
    assert model.thresholds_["very ill"] == np.inf
    assert (X.argmax(axis=1) == 2).any()
    assert set(model.predict(X)) == {"?", "healthy", "ill"}
    title, _, _, *bounds = model.summary().splitlines()
    assert (
        title == "thresholds_ by class, chosen on 3000 held-out samples; never answered: 'very ill'"
    )
    assert [line.rsplit(maxsplit=2)[0].rstrip() for line in bounds[:2]] == [
        "precision_ill >= 0.7",
        "precision_healthy >= 0.75",
    ]
    assert bounds[2].startswith("With 0.95 confidence bounds hold on new data: exact")
    # Nor is a class that no held-out sample is predicted as, in later samples.
    kept = X.argmax(axis=1) != 2
    few = prefit(NAMES, subject_to=OF_EACH, abstain_label="?").fit(X[kept], NAMES[codes[kept]])
    assert few.never_answered_ == {
        "very ill": "no held-out sample is predicted as the class of 'precision_very ill': there "
        "is no threshold."
    }
    assert "very ill" not in few.curves_
    assert set(few.predict(X)) == {"?", "healthy", "ill"}


def test_promises_of_classes_are_kept_as_they_were_fitted():
    X, y = draw(2_000, 1)
    model = prefit(subject_to={"precision_0": 0.7, "precision_2": 0.99}).fit(X, y)
    predicted, summary = model.predict(X).tolist(), model.summary()
    assert list(model.never_answered_) == [2]
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X).tolist() == predicted
    model.set_params(subject_to={"precision_1": 0.9}, confidence_level=None, cv=5)
    assert model.predict(X).tolist() == predicted
    assert model.summary() == summary
    without = prefit(subject_to={"precision_0": 0.7}, confidence_level=None).fit(X, y)
    assert "Pass confidence_level= for bounds that hold there" in without.summary()
    with pytest.raises(ValueError, match=r"none of the 2 promises can be kept\. The first: no thr"):
        prefit(subject_to={"precision_2": 0.99, "precision_1": 0.999}).fit(X, y)
    with pytest.raises(ValueError, match=r"^no threshold promises precision_2 >= 0\.99 of answers"):
        prefit(subject_to={"precision_2": 0.99}).fit(X, y)


def test_weights_of_samples_count_for_the_promise_of_each_class():
    X, y = draw(1_500, 2)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    options = {"subject_to": {"precision_0": 0.75, "precision_1": 0.6}}
    weighted = prefit(**options).fit(X, y, sample_weight=weight, frequency_weights=True)
    repeated = prefit(**options).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert weighted.thresholds_ == repeated.thresholds_
    assert 0 < weighted.thresholds_[0] < 1
    assert weighted.coverage_ == pytest.approx(repeated.coverage_)
    assert weighted.constraints_ == repeated.constraints_


def test_why_a_class_is_never_answered_says_whose_confidence_it_names():
    X, y = draw(60, 3)
    why = (
        r"precision_2 >= 0\.97 of answers, at 0\.975 so that 2 promises hold at 0\.95: .* needs at"
    )
    model = prefit(subject_to={"precision_0": 0.5, "precision_2": 0.97}).fit(X, y)
    assert re.search(why, model.never_answered_[2])
    with pytest.raises(
        ValueError, match=r"^no threshold promises precision_2 >= 0\.97 of answers: "
    ):
        prefit(subject_to={"precision_2": 0.97}).fit(X, y)


def test_classes_as_objects_and_a_model_that_was_fitted_again():
    X, codes = draw(600, 4)
    inner = Given(NAMES)
    # As those of models that were fitted to a column of pandas.
    inner.classes_ = NAMES.astype(object)
    options = {"subject_to": {"precision_ill": 0.7}, "confidence_level": None}
    model = AbstainingClassifier(inner, abstain_label="?", cv="prefit", **options).fit(
        X, NAMES[codes]
    )
    expected = prefit(NAMES, abstain_label="?", **options).fit(X, NAMES[codes]).predict(X).tolist()
    assert model.predict(X).tolist() == expected
    assert {"?", "ill"} < set(expected)
    inner.classes_ = np.array(["dead", "healthy", "ill"])
    with pytest.raises(ValueError, match=r"classes \['dead', .* fitted again since"):
        model.predict(X)


@pytest.mark.parametrize(
    ("classes", "label"),
    [([2**53, 2**53 + 1, 2**53 + 2], -1.0), ([2**53, 2**53 + 1, 2**53 + 2], 2**63)],
)
def test_labels_that_no_type_holds_beside_that_of_abstentions_are_refused(classes, label):
    X, codes = draw(300, 0)
    with pytest.raises(ValueError, match="have no type in common that holds them all exactly"):
        prefit(classes, at_least=0.6, abstain_label=label).fit(X, np.array(classes)[codes])
    model = prefit(classes, at_least=0.9, confidence_level=None).fit(X, np.array(classes)[codes])
    predicted = model.predict(X)
    is_answered = predicted != -1
    assert 0 < is_answered.sum() < 300
    expected = np.array(classes)[X.argmax(axis=1)]
    assert predicted[is_answered].tolist() == expected[is_answered].tolist()


def test_thresholds_of_classes_may_be_closer_than_single_precision():
    answers, y = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])
    largest = np.array([0.6, 0.55, 0.6 + 1e-9, 0.55])
    X = np.where(answers[:, None] == [0, 1], largest[:, None], 1 - largest[:, None])
    model = prefit(
        (0, 1), subject_to={"precision_0": 0.9, "precision_1": 0.9}, confidence_level=None
    ).fit(X, y)
    first, second = model.thresholds_.values()
    assert first < second
    assert np.float32(first) == np.float32(second)
    assert model.predict(X).tolist() == [0, -1, 1, -1]
    assert model.predict(X.astype(np.float32)).tolist() == [0, -1, 1, -1]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "nothing is promised: pass at_least=, .* or subject_to=, that of each"),
        ({"subject_to": {}}, ValueError, "subject_to is empty: pass a promise such as"),
        ({"subject_to": 0.9}, TypeError, r"must be a dict of promises like \{'precision_ill'"),
        (
            {"subject_to": {"precision_0": 0.5}, "at_least": 0.9},
            ValueError,
            "metric and at_least are a single one: pass one of these",
        ),
        (
            {"subject_to": {"precision_0": 0.5}, "metric": "precision_1"},
            ValueError,
            "metric and at_least are a single one: pass one of these",
        ),
        (
            {"subject_to": {"recall_0": 0.5}},
            ValueError,
            r"a promise of subject_to must be one of \['precision_0', .*; got 'recall_0'",
        ),
        ({"subject_to": {"accuracy": 0.5}}, ValueError, "must be one of .*; got 'accuracy'"),
        ({"subject_to": {0: 0.5}}, ValueError, "must be one of .*; got 0"),
        (
            {"subject_to": {"precision_0": 90}},
            ValueError,
            r"subject_to\['precision_0'\] must be a number between 0 and 1; got 90",
        ),
        (
            {"subject_to": {"precision_0": (0.5, 0.9)}},
            ValueError,
            r"subject_to\['precision_0'\] must be a number between 0 and 1; got \(0.5, 0.9\)",
        ),
    ],
    ids=str,
)
def test_promises_of_classes_that_do_not_fit_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        prefit(**options).fit(*draw(300, 0))
