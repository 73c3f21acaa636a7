"""The chooser: every question is reached, and leads to metrics that exist, at most three."""

import re
from pathlib import Path

from skmetrics_ext import get_scorer
from skmetrics_ext.catalogue.rows import BY_NAME

PAGE = (Path(__file__).parents[2] / "docs" / "which_metric.md").read_text(encoding="utf-8")
QUESTIONS = dict(re.findall(r"^## (.+)\n\n((?:- .+\n)+)", PAGE, re.MULTILINE))


def anchor(heading):
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def test_every_question_has_answers():
    assert len(QUESTIONS) == PAGE.count("\n## ")
    assert all(text.count("\n- ") or text.count("- ") for text in QUESTIONS.values())


def test_every_question_but_the_first_and_the_last_is_asked_by_an_answer():
    asked = {link for text in QUESTIONS.values() for link in re.findall(r"\]\(#([\w-]+)\)", text)}
    anchors = [anchor(heading) for heading in QUESTIONS]
    assert asked <= {*anchors}
    assert {*anchors[1:-1]} == asked


def test_an_answer_names_at_most_three_metrics_that_exist():
    for text in QUESTIONS.values():
        for answer in text.strip().split("\n"):
            metrics = re.findall(r"\[(\w+)\]\(metrics/(\w+)\.md\)", answer)
            assert len({file for _, file in metrics}) <= 3, answer
            for name, file in metrics:
                assert name == file
                assert file in BY_NAME
            for scorer in re.findall(r"`(\w+_(?:macro|worst))`", answer):
                get_scorer(scorer)


def test_what_the_answers_say_of_values_is_so():
    from skmetrics_ext import ConfusionMatrix

    never = ConfusionMatrix.from_counts([[990, 0], [10, 0]], labels=[0, 1])
    assert never.score("accuracy") == 0.99
    # A model that knows only how frequent the classes are.
    guess = ConfusionMatrix.from_counts([[810, 90], [90, 10]], labels=[0, 1])
    assert abs(guess.score("matthews_corrcoef")) < 1e-12
    assert guess.score("accuracy") > 0.8
    # Recall and specificity carry over to another prevalence, and so do likelihood ratios.
    test = ConfusionMatrix.from_counts([[80, 20], [10, 90]], labels=[0, 1])
    for metric in ("recall", "specificity", "informedness", "lr_plus", "lr_minus"):
        assert abs(test.at_prevalence(0.01).score(metric) - test.score(metric)) < 1e-9
