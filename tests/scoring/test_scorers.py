"""Scorers: by name, by function, and in every search of scikit-learn."""

import copy
import functools
import inspect
import pickle

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning, UnsetMetadataPassedError
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    PredefinedSplit,
    RandomizedSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skmetrics_ext
from skmetrics_ext import (
    ConfusionScorer,
    get_scorer,
    get_scorer_names,
    labels_from_scores,
    make_scorer,
)
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each, parameters_of, quietly


@pytest.fixture(scope="module")
def digits():
    data = load_digits(n_class=4)
    return data.data[:300], data.target[:300]


LABEL_SCORER = ("specificity", {"pos_label": "malignant"})
SCORE_SCORER = ("specificity", {"pos_label": "malignant", "threshold": 0.3})
both_kinds = pytest.mark.parametrize(
    ("name", "options"), [LABEL_SCORER, SCORE_SCORER], ids=["labels", "scores"]
)


def expected_specificity(model, X, y, threshold=None):
    """Specificity counted by hand, malignant being positive."""
    predicted = model.predict(X)
    if threshold is not None:
        malignant = model.predict_proba(X)[:, list(model.classes_).index("malignant")]
        predicted = np.where(malignant >= threshold, "malignant", "benign")
    benign = y == "benign"
    return (predicted[benign] == "benign").mean()


@both_kinds
def test_scorer_gives_the_value_counted_by_hand(tumors, name, options):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    assert get_scorer(name, **options)(model, X, y) == expected_specificity(
        model, X, y, options.get("threshold")
    )


@both_kinds
def test_scorer_pickles_copies_and_shows_itself(tumors, name, options):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    scorer = get_scorer(name, **options)
    expected = scorer(model, X, y)
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == expected
    assert copy.deepcopy(scorer)(model, X, y) == expected
    assert "specificity" in repr(scorer)
    assert "malignant" in repr(scorer)


@both_kinds
def test_cross_val_score_equals_a_loop_over_folds(tumors, name, options):
    X, y = tumors
    folds = np.arange(len(y)) % 3
    scores = cross_val_score(
        GaussianNB(), X, y, cv=PredefinedSplit(folds), scoring=get_scorer(name, **options)
    )
    expected = []
    for fold in range(3):
        model = GaussianNB().fit(X[folds != fold], y[folds != fold])
        held_out = folds == fold
        expected.append(
            expected_specificity(model, X[held_out], y[held_out], options.get("threshold"))
        )
    np.testing.assert_array_equal(scores, expected)


@both_kinds
def test_searches_choose_by_the_scorer(tumors, name, options):
    X, y = tumors
    scorer = get_scorer(name, **options)
    X, grid = X[:, :2], {"max_depth": [1, 2, 3]}
    tree = DecisionTreeClassifier(random_state=0)
    searches = [
        GridSearchCV(tree, grid, scoring=scorer, cv=2),
        RandomizedSearchCV(tree, grid, n_iter=3, scoring=scorer, cv=2),
        HalvingGridSearchCV(tree, grid, scoring=scorer, cv=2, random_state=0),
    ]
    for search in searches:
        search.fit(X, y)
        means = search.cv_results_["mean_test_score"]
        assert np.isfinite(means).all()
        assert search.score(X, y) == scorer(search.best_estimator_, X, y)
    assert searches[0].best_score_ == max(searches[0].cv_results_["mean_test_score"])
    assert searches[0].best_score_ == pytest.approx(max(searches[1].cv_results_["mean_test_score"]))


@both_kinds
def test_curves_importances_and_elimination_take_the_scorer(tumors, name, options):
    X, y = tumors
    scorer = get_scorer(name, **options)
    model = GaussianNB()
    _, _, test_scores = learning_curve(model, X, y, scoring=scorer, cv=3, train_sizes=[0.5, 1.0])
    assert np.isfinite(test_scores).all()
    fitted = model.fit(X, y)
    importance = permutation_importance(fitted, X, y, scoring=scorer, n_repeats=2, random_state=0)
    assert np.isfinite(importance.importances).all()
    tree = DecisionTreeClassifier(max_depth=1)
    elimination = RFECV(tree, scoring=scorer, cv=3, step=3).fit(X, y)
    assert np.isfinite(elimination.cv_results_["mean_test_score"]).all()


def test_cross_validate_takes_a_dict_with_both_kinds(tumors):
    X, y = tumors
    by_scores = get_scorer("mcc", threshold=0.3, pos_label="malignant")
    scoring = {"labels": get_scorer(*LABEL_SCORER[:1], **LABEL_SCORER[1]), "scores": by_scores}
    results = cross_validate(GaussianNB(), X, y, scoring=scoring, cv=3)
    for name, scorer in scoring.items():
        np.testing.assert_array_equal(
            results[f"test_{name}"], cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=3)
        )


def test_tuned_threshold_classifier_takes_a_label_scorer(tumors):
    X, y = tumors
    scorer = get_scorer("specificity", pos_label="malignant")
    tuned = TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3, thresholds=20).fit(X, y)
    assert scorer(tuned, X, y) > 0.99


def test_tuned_threshold_classifier_says_which_scorer_it_needs(tumors):
    X, y = tumors
    scorer = get_scorer("specificity", pos_label="malignant", threshold=0.5)
    with pytest.raises(
        AttributeError, match=r"pass get_scorer\('specificity', pos_label='malignant'\)\."
    ):
        TunedThresholdClassifierCV(GaussianNB(), scoring=scorer, cv=3).fit(X, y)


def test_lower_is_better_is_negated(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    specificity = expected_specificity(model, X, y)
    assert get_scorer("neg_fpr", pos_label="malignant")(model, X, y) == pytest.approx(
        specificity - 1
    )
    by_score = get_scorer(
        "neg_false_positive_rate", pos_label="malignant", response_method="predict_proba"
    )
    assert by_score(model, X, y) == pytest.approx(specificity - 1)
    unsigned = make_scorer(
        skmetrics_ext.false_positive_rate, greater_is_better=True, pos_label="malignant"
    )
    assert unsigned(model, X, y) == pytest.approx(1 - specificity)


def test_macro_scorer_with_a_threshold_a_class_equals_the_functions(digits):
    X, y = digits
    model = GaussianNB().fit(X, y)
    cuts = [0.1, 0.2, 0.3, 0.4]
    predicted = labels_from_scores(model.predict_proba(X), classes=model.classes_, threshold=cuts)
    for name in ("npv_macro", "f1_weighted", "recall_micro", "cohen_kappa", "accuracy"):
        row, average = skmetrics_ext.catalogue.names.resolve(name)
        options = {"average": average} if row.has_average else {}
        assert get_scorer(name, threshold=cuts)(model, X, y) == function_of(row)(
            y, predicted, **options
        )


def test_a_fold_that_lacks_a_class_maps_columns_right():
    y = np.array(["ash", "beech", "cedar"] * 10)
    X = np.array([[0.0], [1.0], [2.0]] * 10)
    model = KNeighborsClassifier(1).fit(X, y)
    without_beech = y != "beech"
    scorer = get_scorer("recall_macro", response_method="predict_proba")
    assert scorer(model, X[without_beech], y[without_beech]) == 1
    only_cedar = y == "cedar"
    assert (
        get_scorer("accuracy", response_method="predict_proba")(model, X[only_cedar], y[only_cedar])
        == 1
    )


def test_a_fold_without_positives_is_undefined_not_an_error(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    benign = y == "benign"
    for options in ({}, {"threshold": 0.5}):
        scorer = get_scorer("recall", pos_label="malignant", zero_division=1, **options)
        assert scorer(model, X[benign], y[benign]) == 1


def test_undefined_scores_warn():
    model = DummyClassifier(strategy="constant", constant=0).fit([[0], [0]], [0, 1])
    for scorer in (get_scorer("precision"), get_scorer("precision", threshold=0.5)):
        with pytest.warns(UndefinedMetricWarning, match="precision is undefined"):
            assert scorer(model, [[0], [0]], [0, 1]) == 0


@pytest.mark.parametrize(
    ("classes", "options", "positive"),
    [
        ([1, 2], {}, 1),
        ([1, 2], {"pos_label": 2}, 2),
        ([0, 1], {}, 1),
        (["no", "yes"], {"pos_label": "yes"}, "yes"),
        (["no", "yes"], {"pos_label": "no"}, "no"),
    ],
)
def test_the_positive_class_is_1_as_in_the_function_unless_another_is_given(
    classes, options, positive
):
    X = [[0.0], [1.0], [2.0], [3.0]]
    y = np.array(classes)[[0, 0, 1, 1]]
    model = KNeighborsClassifier(3).fit(X, y)
    predicted = model.predict_proba(X)[:, classes.index(positive)] >= 0.2
    expected = sklearn.metrics.precision_score(y == positive, predicted)
    assert get_scorer("precision", threshold=0.2, **options)(model, X, y) == expected
    assert get_scorer("precision", **options)(model, X, y) == sklearn.metrics.precision_score(
        y, model.predict(X), pos_label=positive
    )


@pytest.mark.parametrize("classes", [["no", "yes"], [2, 4]], ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"threshold": 0.2}, {"response_method": "predict_proba"}], ids=str
)
def test_labels_without_a_1_need_their_positive_class(classes, options):
    X = [[0.0], [1.0], [2.0], [3.0]]
    y = np.array(classes)[[0, 0, 1, 1]]
    model = KNeighborsClassifier(3).fit(X, y)
    with pytest.raises(
        ValueError,
        match=rf"pos_label=1 .*is not (a valid|among the) label.*{classes[0]!r},? {classes[1]!r}",
    ):
        get_scorer("precision", **options)(model, X, y)


def test_models_whose_predict_gives_probabilities():
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] >= 8).astype(int)
    model = LinearRegression().fit(X, y)
    predicted = (model.predict(X) >= 0.7).astype(int)
    expected = sklearn.metrics.recall_score(y, predicted)
    assert get_scorer("recall", threshold=0.7)(model, X, y) == expected
    scores = cross_val_score(
        LinearRegression(), X, y, scoring=get_scorer("accuracy", threshold=0.7), cv=3
    )
    assert np.isfinite(scores).all()


def test_sample_weight_in_the_call(tumors):
    X, y = tumors
    weights = np.random.default_rng(0).random(len(y))
    model = GaussianNB().fit(X, y)
    negative = y != "malignant"
    expected = np.average((model.predict(X) != "malignant")[negative], weights=weights[negative])
    for options in ({}, {"response_method": "predict_proba"}):
        scorer = get_scorer("specificity", pos_label="malignant", **options)
        assert scorer(model, X, y, sample_weight=weights) == pytest.approx(expected)


@pytest.mark.usefixtures("routing")
@both_kinds
def test_metadata_routing_brings_sample_weights(tumors, name, options):
    X, y = tumors
    weights = np.where(y == "benign", np.arange(len(y)) % 2, 1)
    model = GaussianNB().set_fit_request(sample_weight=False)
    scorer = get_scorer(name, **options).set_score_request(sample_weight=True)
    weighted = cross_validate(model, X, y, scoring=scorer, cv=3, params={"sample_weight": weights})[
        "test_score"
    ]
    search = GridSearchCV(
        model, {"var_smoothing": [1e-9]}, scoring={"weighted": scorer}, refit=False, cv=3
    )
    search.fit(X, y, sample_weight=weights)
    by_hand = []
    for train, test in StratifiedKFold(3).split(X, y):
        fitted = GaussianNB().fit(X[train], y[train])
        kept = test[weights[test] == 1]
        by_hand.append(expected_specificity(fitted, X[kept], y[kept], options.get("threshold")))
    np.testing.assert_allclose(weighted, by_hand)
    np.testing.assert_allclose(
        [search.cv_results_[f"split{k}_test_weighted"][0] for k in range(3)], by_hand
    )


@pytest.mark.usefixtures("routing")
@both_kinds
def test_weights_that_nobody_requested_raise_as_in_scikit_learn(tumors, name, options):
    X, y = tumors
    model = GaussianNB().set_fit_request(sample_weight=False)
    # scikit-learn 1.6 finds for its own scorers that nobody consumes the weights.
    with pytest.raises((UnsetMetadataPassedError, TypeError), match="sample_weight"):
        cross_validate(
            model,
            X,
            y,
            scoring=get_scorer(name, **options),
            cv=3,
            params={"sample_weight": np.ones(len(y))},
        )


def test_set_score_request_needs_metadata_routing():
    with pytest.raises(RuntimeError, match="enable_metadata_routing"):
        get_scorer("accuracy", threshold=0.5).set_score_request(sample_weight=True)


def test_weights_reach_a_dict_of_scorers_without_routing(tumors):
    X, y = tumors
    weights = np.where(y == "benign", np.arange(len(y)) % 2, 1)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    scorer = sklearn.metrics.check_scoring(
        model,
        {"a": get_scorer("accuracy"), "b": get_scorer("accuracy", response_method="predict_proba")},
    )
    values = scorer(model, X, y, sample_weight=weights)
    expected = sklearn.metrics.accuracy_score(y, model.predict(X), sample_weight=weights)
    assert values == {"a": expected, "b": expected}


def test_label_scorers_are_those_of_scikit_learn():
    template = sklearn.metrics.make_scorer(sklearn.metrics.accuracy_score)
    assert type(get_scorer("specificity_macro")) is type(template)
    assert type(get_scorer("specificity", threshold=0.5)) is ConfusionScorer


def test_functions_outside_the_catalogue_pass_through(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    scorer = make_scorer(sklearn.metrics.roc_auc_score, response_method="predict_proba")
    assert scorer(model, X, y) == sklearn.metrics.get_scorer("roc_auc")(model, X, y)
    loss = make_scorer(
        sklearn.metrics.log_loss, response_method="predict_proba", greater_is_better=False
    )
    assert loss(model, X, y) == pytest.approx(-sklearn.metrics.log_loss(y, model.predict_proba(X)))
    assert get_scorer("roc_auc")(model, X, y) == scorer(model, X, y)
    assert get_scorer(scorer) is scorer


def test_expected_cost_takes_its_costs_as_the_parameter(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    costs = {("benign", "malignant"): 1, ("malignant", "benign"): 20}
    predicted = model.predict(X)
    benign, malignant = y == "benign", y == "malignant"
    expected = -(
        1 * np.mean(benign & (predicted == "malignant"))
        + 20 * np.mean(malignant & (predicted == "benign"))
    )
    assert get_scorer("neg_expected_cost", cost_matrix=costs)(model, X, y) == pytest.approx(
        expected
    )
    assert ConfusionScorer("neg_expected_cost", cost_matrix=costs)(model, X, y) == pytest.approx(
        expected
    )
    careful = labels_from_scores(model.predict_proba(X), classes=model.classes_, threshold=0.05)
    by_score = get_scorer(
        "neg_expected_cost", cost_matrix=costs, threshold=0.05, pos_label="malignant"
    )
    assert by_score(model, X, y) == -skmetrics_ext.expected_cost(y, careful, cost_matrix=costs)


def test_labels_of_a_metric_that_counts_them_are_those_of_the_model():
    X = np.array([[0.0], [1.0], [2.0]] * 4)
    y = np.array(["ash", "beech", "cedar"] * 4)
    model = KNeighborsClassifier(1).fit(X, y)
    fold = y != "beech"
    scorer = ConfusionScorer("bennett_s", response_method="predict_proba")
    predicted = np.where(fold, y, "ash")[fold]
    assert scorer(model, X[fold], y[fold]) == skmetrics_ext.bennett_s(
        y[fold], predicted, labels=model.classes_
    )
    chosen = get_scorer(
        "bennett_s", labels=["ash", "beech", "cedar", "oak"], response_method="predict_proba"
    )
    assert chosen(model, X, y) == 1


@pytest.mark.filterwarnings("ignore:y_true has labels .* that the estimator never saw")
@pytest.mark.parametrize("names", [[0, 1], ["no", "yes"]], ids=["integers", "strings"])
@pytest.mark.parametrize(
    "metric", ["recall", "npv", "specificity", "precision", "prevalence", "one_vs_rest_accuracy"]
)
def test_a_model_that_saw_one_class_is_scored_as_one_that_saw_both(metric, names):
    y = np.array(names)[[0, 1, 0, 1, 0, 0]]
    X = np.zeros((6, 1))
    model = DummyClassifier().fit(X, [names[0]] * 6)
    function = function_of(skmetrics_ext.catalogue.rows.BY_NAME[metric])
    for positive in ({} if names == [0, 1] else {"classes": names}, {"pos_label": names[1]}):
        expected = function(y, [names[0]] * 6, pos_label=names[1], zero_division=0)
        for options in ({"threshold": 0.5}, {"response_method": "predict_proba"}):
            scorer = ConfusionScorer(
                metric, average="binary", zero_division=0, **options, **positive
            )
            assert scorer(model, X, y) == expected


@functools.cache
def every_kind_of_data():
    """Each with a model."""
    X, codes = load_digits(return_X_y=True)
    data = []
    for n_classes, names in ((2, np.array(["ash", "beech"])), (3, np.arange(3))):
        kept = codes < n_classes
        of_classes = X[kept][:100], names[codes[kept][:100]]
        data.append((*of_classes, GaussianNB().fit(*(part[50:] for part in of_classes))))
    return data


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", skmetrics_ext.catalogue.rows.METRICS)
def test_label_scorers_and_score_scorers_agree(row, step):
    """Of half of the kinds of data, other ones for the next metric; of all in the slow one."""
    place = skmetrics_ext.catalogue.rows.METRICS.index(row) % step
    for X, y, model in every_kind_of_data()[place::step]:
        classes = model.classes_
        options = parameters_of(row, classes.tolist())
        if (
            row.name in ("gerrity", "macro_averaged_mean_absolute_error")
            and classes.dtype.kind == "U"
        ):
            with pytest.raises(ValueError, match="are not numbers"):
                get_scorer(f"neg_{row.name}" if row.better == "lower" else row.name)(model, X, y)
            continue
        if row.has_average:
            binary = {"average": "binary", "pos_label": classes[1].item()}
            options |= binary if len(classes) == 2 else {"average": "macro"}
        by_labels = make_scorer(function_of(row), **options)
        by_scores = make_scorer(function_of(row), response_method="predict_proba", **options)
        assert by_scores(model, X, y) == pytest.approx(
            by_labels(model, X, y), rel=1e-14, nan_ok=True
        )


def test_gerrity_by_name_needs_an_order_of_words(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    for scorer in (
        get_scorer("gerrity", response_method="predict_proba"),
        ConfusionScorer("gerrity"),
    ):
        with pytest.raises(ValueError, match="from the lowest to the highest"):
            scorer(model, X, y)
    order = ["benign", "malignant"]
    scorer = get_scorer("gerrity", response_method="predict_proba", labels=order)
    assert scorer(model, X, y) == skmetrics_ext.gerrity_score(y, model.predict(X), labels=order)


def test_scikit_learn_registry_is_left_alone():
    ours_alone = "specificity"
    assert ours_alone not in sklearn.metrics.get_scorer_names()
    assert set(sklearn.metrics.get_scorer_names()) <= set(get_scorer_names())


def test_get_scorer_of_a_function_makes_its_scorer(digits):
    X, y = digits
    model = GaussianNB().fit(X, y)
    by_function = get_scorer(skmetrics_ext.specificity_score, average="macro")
    assert by_function(model, X, y) == get_scorer("specificity_macro")(model, X, y)


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("fpr", {}, ValueError, "Did you mean 'neg_fpr'"),
        ("neg_recall", {}, ValueError, "Did you mean 'recall'"),
        ("specifisity", {}, ValueError, "Did you mean 'specificity'"),
        ("neg_npvv", {}, ValueError, "is not a scorer"),
        ("fbeta", {}, TypeError, "needs the parameter 'beta'"),
        ("fbeta_macro", {"beta": -1}, ValueError, "beta must be a number >= 0"),
        ("recall", {"beta": 2}, TypeError, "recall_score has no parameter 'beta'"),
        ("recall", {"thresholds": 0.2}, TypeError, "Did you mean 'threshold'"),
        ("recall_macro", {"labels": "malignant"}, TypeError, r"such as \['malignant'\]"),
        ("recall", {"average": "mean"}, ValueError, "average must be"),
        ("recall", {"average": None}, ValueError, "a scorer returns one number"),
        ("recall_macro", {"average": "micro"}, ValueError, "already has an average"),
        ("recall", {"zero_division": "no"}, ValueError, "zero_division must be"),
        ("recall_macro", {"labels": [1, 1]}, ValueError, "labels holds duplicates"),
        ("recall", {"threshold": 0.5, "ties": "both"}, ValueError, "ties must be"),
        ("recall", {"threshold": [0.5, -1]}, ValueError, "must be positive"),
        ("recall", {"response_method": "predict_log_proba"}, ValueError, "response_method must be"),
        (
            "geometric_mean",
            {"threshold": 0.5, "average": "macro"},
            ValueError,
            "one value over all classes",
        ),
        ("geometric_mean", {"average": "bogus"}, ValueError, "average must be"),
        ("geometric_mean", {"average": None}, ValueError, "a scorer returns one number"),
        ("kappa", {"replace_undefined_by": 7}, ValueError, "replace_undefined_by must be"),
        (
            "neg_expected_cost",
            {"cost_matrix": 5},
            ValueError,
            r"cost_matrix must be square.*got \(\)",
        ),
        ("neg_expected_cost", {"cost_matrix": [[0, 1], [1]]}, TypeError, "rows of equal length"),
        ("neg_expected_cost", {"cost_matrix": [[0, 1, 1], [1, 0, 1]]}, ValueError, r"got \(2, 3\)"),
        ("specificity_macro", {"pos_label": "c"}, ValueError, "is only for average='binary'"),
        ("specificity", {"ties": "negative"}, ValueError, "needs scores"),
        ("accuracy", {"labels": [0], "threshold": 0.5}, TypeError, "has no parameter 'labels'"),
        (
            "recall",
            {"classes": ["a", "b"], "pos_label": "c"},
            ValueError,
            "pos_label='c' is not one of",
        ),
        ("roc_auc", {"threshold": 0.5}, ValueError, "takes no keyword options"),
    ],
)
def test_mistakes_are_found_at_construction(name, options, error, message):
    with pytest.raises(error, match=message):
        get_scorer(name, **options)


@pytest.mark.parametrize("make", [get_scorer, make_scorer])
def test_the_options_that_every_scorer_has_are_in_the_signature(make):
    named = [*inspect.signature(make).parameters][1:]
    of_one_metric = inspect.signature(ConfusionScorer).parameters.keys() - {
        "metrics",
        "per_class",
        "counts",
        "name",
    }
    assert {*named} == of_one_metric | {"subject_to"}
    assert named[-1] == "parameters"


def test_options_of_what_is_no_metric_are_refused():
    with pytest.raises(ValueError, match="options need a name"):
        get_scorer(len, threshold=0.5)
    for no_function in ("specificity", 5, None):
        with pytest.raises(TypeError, match="a scorer is of one name \\(get_scorer\\) or function"):
            make_scorer(no_function)
    with pytest.raises(TypeError, match="or function, a ConfusionScorer of several; got 5"):
        get_scorer(5)
    for function in (skmetrics_ext.confusion_matrix, skmetrics_ext.precision_recall_fscore_support):
        for make in (get_scorer, make_scorer):
            with pytest.raises(ValueError, match="does not return a single number"):
                make(function)
    with pytest.raises(ValueError, match="labels= does not apply to it"):
        ConfusionScorer("accuracy", labels=[0, 1])


def test_labels_that_do_not_cover_the_data_are_refused_where_their_number_counts(digits):
    X, y = digits
    model = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match=r"must include all labels .* for bennett_s"):
        ConfusionScorer("bennett_s", labels=[0, 1])(model, X, y)


def test_a_foreign_function_takes_no_threshold():
    with pytest.raises(ValueError, match="threshold= does not apply to a function that is no"):
        make_scorer(sklearn.metrics.roc_auc_score, threshold=0.5)


def test_a_scorer_of_no_average_is_refused_by_the_class_too():
    with pytest.raises(ValueError, match="gives one number"):
        ConfusionScorer("recall", average=None)
    with pytest.raises(ValueError, match="average must be"):
        ConfusionScorer("recall", average="mean")


@pytest.mark.parametrize("options", [{}, {"threshold": 0.5}], ids=["labels", "scores"])
def test_a_positive_label_that_the_data_lack_is_an_error_that_lists_the_labels(tumors, options):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="malignant"):
        get_scorer("specificity", pos_label="sick", **options)(model, X, y)


def test_a_name_means_the_same_whatever_the_number_of_classes(tumors, digits):
    for (X, y), positive in ((tumors, "malignant"), (digits, 3)):
        model = GaussianNB().fit(X, y)
        predicted = model.predict(X)
        expected = sklearn.metrics.f1_score(y == positive, predicted == positive)
        for scorer in (
            ConfusionScorer("f1", pos_label=positive),
            ConfusionScorer("f1", pos_label=positive, classes=np.unique(y)),
            ConfusionScorer(f"f1_{positive}", classes=np.unique(y)),
            ConfusionScorer([("f1", positive)]).scorers()[f"f1_{positive}"],
        ):
            assert scorer(model, X, y) == pytest.approx(expected)
        macro = sklearn.metrics.f1_score(y, predicted, average="macro")
        for scorer in (ConfusionScorer("f1_macro"), ConfusionScorer("f1", average="macro")):
            assert scorer(model, X, y) == pytest.approx(macro)
    X, y = digits
    message = r"f1 is of the positive class of two, but there are \d+, .*'f1_macro'"
    for scorer in (ConfusionScorer("f1"), ConfusionScorer("f1", average="binary", pos_label=3)):
        with pytest.raises(ValueError, match=message):
            scorer(model, X, y)
    # scikit-learn's own scorer, and ours of scores, are of two as their functions.
    with pytest.raises(ValueError, match=r"f1 is of the positive class of two"):
        get_scorer("f1", pos_label=3)(model, X, y)
    with pytest.raises(ValueError, match=message):
        get_scorer("f1", pos_label=3, response_method="predict_proba")(model, X, y)


def test_a_model_of_three_classes_is_seen_where_rows_have_two():
    X = np.arange(12.0)[:, None]
    y = np.array(["ash", "elm", "oak"] * 4)
    model = KNeighborsClassifier(1).fit(X, y)
    kept = y != "ash"
    with pytest.raises(ValueError, match=r"there are 3, \['ash', 'elm', 'oak'\]"):
        ConfusionScorer("recall")(model, X[kept], y[kept])
    with pytest.raises(ValueError, match="there are 3"):
        get_scorer("recall", pos_label="elm", response_method="predict_proba")(
            model, X[kept], y[kept]
        )
    # A scorer of labels does not see the model's classes, as its docstring says.
    assert get_scorer("recall", pos_label="elm")(model, X[kept], y[kept]) == 1
    assert "not refused for classes that the rows lack" in get_scorer.__doc__


def test_labels_beside_a_metric_of_one_class_are_refused_or_ignored(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    labels, positive = ["benign", "malignant"], "malignant"
    for metric in (["recall"], "recall", [("recall", positive)]):
        with pytest.raises(ValueError, match=r"labels= selects .* but recall is of one class"):
            ConfusionScorer(metric, labels=labels, pos_label=positive)
    expected = sklearn.metrics.recall_score(y, model.predict(X), pos_label=positive)
    for options in ({}, {"response_method": "predict_proba"}):
        scorer = get_scorer("recall", labels=labels, pos_label=positive, **options)
        assert scorer(model, X, y) == pytest.approx(expected)


def test_multilabel_models_are_scored_in_every_average():
    random = np.random.default_rng(0)
    X = random.random((60, 3))
    y = (X > 0.5).astype(int)
    model = KNeighborsClassifier(5).fit(X, y)
    predicted = np.stack([columns[:, 1] for columns in model.predict_proba(X)], axis=1) >= 0.6
    for average in ("macro", "micro", "weighted", "samples"):
        scorer = get_scorer(f"f1_{average}", threshold=0.6, zero_division=0)
        expected = sklearn.metrics.f1_score(y, predicted, average=average, zero_division=0)
        assert scorer(model, X, y) == pytest.approx(expected, rel=1e-14)
    assert get_scorer("accuracy", threshold=0.6)(model, X, y) == (y == predicted).all(axis=1).mean()
    macro = sklearn.metrics.f1_score(y, predicted, average="macro", zero_division=0)
    scorer = ConfusionScorer("f1_macro", threshold=0.6, zero_division=0)
    assert scorer(model, X, y) == pytest.approx(macro, rel=1e-14)
    for scorer in (ConfusionScorer("f1"), get_scorer("f1", threshold=0.6)):
        with pytest.raises(ValueError, match="f1 is of the positive class of two"):
            scorer(model, X, y)


def test_samples_average_of_single_labels_is_refused(digits):
    X, y = digits
    model = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match=r"average='samples'.*needs the labels"):
        get_scorer("f1_samples", response_method="predict_proba")(model, X, y)


def test_names_are_sorted_and_build_without_parameters():
    names = get_scorer_names()
    assert names == sorted(set(names))
    for name in names:
        assert callable(get_scorer(name))


GROUPS = [
    "binary",
    "macro",
    "micro",
    "weighted",
    "samples",
    "worst",
    "overall",
    "dict",
    "scikit-learn",
]


def test_each_name_is_in_one_group():
    groups = [get_scorer_names(group) for group in GROUPS]
    assert (
        sorted(name for names in groups for name in names)
        == get_scorer_names()
        == get_scorer_names(None)
    )
    assert all(names == sorted(names) for names in groups)


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("f1", "binary"),
        ("neg_false_positive_rate", "binary"),
        ("f1_macro", "macro"),
        ("neg_false_positive_rate_worst", "worst"),
        ("negative_predictive_value_samples", "samples"),
        ("specificity_micro", "micro"),
        ("precision_weighted", "weighted"),
        ("accuracy", "overall"),
        ("geometric_mean", "overall"),
        ("neg_hamming_loss", "overall"),
        ("evaluation_index", "dict"),
        ("roc_auc", "scikit-learn"),
        ("neg_log_loss", "scikit-learn"),
    ],
)
def test_groups_of_scorers_have_the_names_that_belong_there(name, group):
    assert [other for other in GROUPS if name in get_scorer_names(other)] == [group]


def test_scorers_of_a_group_give_one_number_but_for_the_dict(digits):
    X, y = digits
    model = GaussianNB().fit(X, y)
    for group in ("macro", "worst", "overall"):
        for name in get_scorer_names(group):
            assert np.ndim(quietly(get_scorer(name), model, X, y)) == 0, name
    # Of four classes: four counts and eight rates each, an average of each rate, and the cells.
    assert len(get_scorer("evaluation_index")(model, X, y)) == 4 * (4 + 8) + 8 + 16


@pytest.mark.parametrize("group", ["mikro", "multilabel", 3, ["macro"]], ids=str)
def test_an_unknown_group_is_answered_with_those_that_there_are(group):
    with pytest.raises(
        ValueError, match=r"group must be one of \['binary', 'macro', .*, 'scikit-learn'\]; got"
    ):
        get_scorer_names(group)


@pytest.mark.parametrize(
    "classes", [None, [0, 1, 2], ["a", "b", "c"]], ids=["numbers", "named numbers", "strings"]
)
def test_an_array_of_costs_is_for_all_classes_of_the_model_in_a_fold_that_lacks_one(classes):
    a, b, _ = known = classes or [0, 1, 2]
    model = DummyClassifier(strategy="constant", constant=b).fit(np.zeros((3, 1)), known)
    scorer = get_scorer(
        "neg_expected_cost", cost_matrix=[[0, 3, 9], [9, 1, 9], [9, 9, 9]], classes=classes
    )
    # a taken for b costs 3, b itself 1.
    assert scorer(model, np.zeros((2, 1)), [a, b]) == -2
    with pytest.raises(ValueError, match="cost_matrix has shape"):
        get_scorer("neg_expected_cost", cost_matrix=[[0, 3], [9, 1]], classes=classes)(
            model, np.zeros((2, 1)), [a, b]
        )
    if a == "a":
        with pytest.raises(ValueError, match="are not numbers"):
            get_scorer("neg_expected_cost", cost_matrix=np.eye(3))(model, np.zeros((2, 1)), [a, b])


def test_binary_yields_to_an_average_in_a_name(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    expected = sklearn.metrics.recall_score(y, model.predict(X), average="macro")
    for scorer in (
        get_scorer("recall_macro", average="binary"),
        get_scorer("recall_macro", average="binary", response_method="predict_proba"),
        ConfusionScorer("recall_macro", average="binary"),
    ):
        assert scorer(model, X, y) == pytest.approx(expected)
