"""Descriptions of parameters that functions share are written once, and stand in each docstring."""

import textwrap
from collections import defaultdict

import pytest

from tests.docs import docstring_parameters
from tests.docs.docstring_parameters import (
    PACKAGE,
    entries_of,
    main,
    shared_text,
    with_shared_texts,
)
from tests.docs.parameter_texts import BY_CLUSTERS_GROUPS, OWN, OWN_TEXTS, TEXTS, Text

ENTRIES = [
    entry
    for path in sorted(PACKAGE.rglob("*.py"))
    for _, entry in entries_of(path.read_text(encoding="utf-8"))
]
# What the functions of metrics have by default, which depends on the metric.
OF_ANY_METRIC = "average, pos_label, labels, zero_division"
OF_SCORER = (
    "response_method, threshold, subject_to, ties, classes, cost_matrix, by, over_groups, "
    "min_samples"
)


def test_all_docstrings_have_the_shared_texts():
    assert main(["--check"]) == 0
    assert sum(shared_text(entry) is not None for entry in ENTRIES) > 500


def test_what_every_metric_has_is_said_in_few_words():
    """Whoever hovers over one of many functions reads it there, each time."""
    of_every_metric = ("labels", "pos_label", "average", "sample_weight", "zero_division")
    texts = [text.text for name in of_every_metric for text in TEXTS[name]]
    assert [text for text in texts if len(text.split()) > 25] == []


def test_functions_that_are_named_have_the_parameter():
    owners = {(entry.owner, entry.names) for entry in ENTRIES}
    named = {
        (owner, names) for names, texts in TEXTS.items() for text in texts for owner in text.of
    }
    named |= {(owner, names) for names, meanings in OWN_TEXTS.items() for owner in meanings}
    # Some metrics of all classes have no labels, or no value for 0/0.
    assert {
        (owner, names)
        for owner, names in named - owners
        if "." in owner or names != "zero_division"
    } <= {(owner, "y_true, y_pred") for owner, _ in owners}


def test_no_shared_text_is_of_one_docstring_and_no_other_text_of_several():
    used, others = defaultdict(list), defaultdict(list)
    for entry in ENTRIES:
        text = shared_text(entry)
        if text is not None:
            used[entry.names, text].append(entry.owner)
        else:
            others[entry.names, entry.type, entry.text].append(entry.owner)
    alone = {names: owners for (names, _), owners in used.items() if len(owners) < 2}
    twice = [(key, owners) for key, owners in others.items() if len(owners) > 1]
    assert alone == {}
    assert [key[0] for key, _ in twice] == [OF_ANY_METRIC]


def test_own_meanings_have_own_texts():
    """No function is excepted in vain."""
    shared = {(names, text.type, text.text) for names, texts in TEXTS.items() for text in texts}
    for entry in ENTRIES:
        if entry.owner in OWN_TEXTS.get(entry.names, {}):
            assert (entry.names, entry.type, entry.text) not in shared, entry


def test_several_parameters_never_stand_for_those_of_another_docstring():
    """A reader of `help` would have to look elsewhere for all of them. Only make_scorer, which is
    get_scorer of a function, says so.
    """
    several = {entry.names for entry in ENTRIES if "," in entry.names and not entry.type}
    assert several == {OF_ANY_METRIC, OF_SCORER}
    assert [of.owner for of in ENTRIES if of.names == OF_SCORER] == ["make_scorer"]


SOURCE = '''
def recall_score(y_true, y_pred, *, labels=None, average="binary", zero_division="warn"):
    """tp / (tp + fn).

    Parameters
    ----------
    y_true, y_pred : other words
        That are replaced.
    labels
    average
    zero_division : {"warn", 0, 1, nan}, default="warn"
        Other words around 0/0 (no such class). "warn": 7, and so on.
    more : int
        It stays, as does this line.

    Returns
    -------
    labels
        It stays, too.
    """
    return labels  # it stays


class ConfusionMatrix:
    """A matrix."""

    def score(self, metric, *, average="binary"):
        """A value.

        Parameters
        ----------
        metric : str or function
            Any.
        average
        """

    def gap(self, metric):
        """No parameters here."""


def helper(labels):
    """Parameters

    Parameters
    ----------
    labels : of a private function
    """
'''


def test_entries_are_written_and_nothing_else():
    written, changed = with_shared_texts(SOURCE)
    assert [(entry.owner, entry.names) for entry in changed] == [
        ("recall_score", "y_true, y_pred"),
        ("recall_score", "labels"),
        ("recall_score", "average"),
        ("recall_score", "zero_division"),
        ("ConfusionMatrix.score", "metric"),
        ("ConfusionMatrix.score", "average"),
    ]
    assert with_shared_texts(written) == (written, [])
    for kept in ("        It stays, as does this line.", "# it stays", "of a private function"):
        assert written.count(kept) == 1
    assert '    """tp / (tp + fn).\n' in written
    assert "    labels\n        It stays, too.\n" in written
    assert (
        "    labels : array-like of shape (n_classes,), default=None\n        Classes " in written
    )
    assert 'or None, default="binary"\n        "binary": ' in written
    assert 'or None, default="binary"\n            "binary": ' in written
    assert (
        "        The value where the formula is 0/0 (no such class). "
        '"warn": 7, with an\n        UndefinedMetricWarning. Averages ignore nan.\n'
    ) in written
    assert max(map(len, written.splitlines())) <= 100


def test_a_long_head_is_continued_by_a_backslash(monkeypatch):
    kind = f"data frame, or dict of {'a name and ' * 8}a number"
    monkeypatch.setitem(TEXTS, "cost_matrix", [Text(kind, "Costs.")])
    source = '''
        def compare(scoring, *, cost_matrix=None):
            """A scorer.

            Parameters
            ----------
            cost_matrix
            """
    '''
    written, _ = with_shared_texts(textwrap.dedent(source))
    head = written[written.index("    cost_matrix") : written.index("        Costs.")]
    assert head.count(" \\\n") == 1
    scope: dict = {}
    exec(written, scope)
    line = scope["compare"].__doc__.splitlines()[4]
    assert line.strip() == f"cost_matrix : {kind}, default=None"
    assert with_shared_texts(written) == (written, [])


def test_a_metric_must_say_where_it_is_undefined():
    wrong = SOURCE.replace('0/0 (no such class). "warn": 7', "0/0")
    with pytest.raises(ValueError, match="recall_score: zero_division should say where"):
        with_shared_texts(wrong)


def test_drift_is_named_and_mended(monkeypatch, tmp_path, capsys):
    file = tmp_path / "package" / "file.py"
    file.parent.mkdir()
    file.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(docstring_parameters, "PACKAGE", file.parent)
    assert main(["--check"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("package/file.py: tests/docs/parameter_texts.py has other words for ")
    assert "labels of recall_score, average of recall_score" in said
    assert file.read_text(encoding="utf-8") == SOURCE
    assert main([]) == 0
    assert file.read_text(encoding="utf-8") == with_shared_texts(SOURCE)[0]
    assert main(["--check"]) == 0


def test_words_that_stand_for_others_are_replaced():
    texts = [text.text for texts in TEXTS.values() for text in texts]
    assert sum(OWN in text for text in texts) == 2
    assert not [entry for entry in ENTRIES if OWN in entry.text]
    assert sum(BY_CLUSTERS_GROUPS in text for text in texts) > 3
