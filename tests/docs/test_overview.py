"""What `help(skmetrics_ext)` and tab completion show of the package."""

import re
import rlcompleter
from operator import attrgetter

import skmetrics_ext
from skmetrics_ext import results
from skmetrics_ext.catalogue.rows import METRICS
from tests.test_package import FOLDERS

OVERVIEW = skmetrics_ext.__doc__
NAMED = re.findall(r"`([\w.]+)`", OVERVIEW)
FUNCTIONS = {row.function for row in METRICS}


def test_every_public_name_that_is_no_metric_is_in_the_overview():
    assert set(skmetrics_ext.__all__) - FUNCTIONS - set(NAMED) == set()


def test_every_name_of_the_overview_is_public():
    # The parameter of scikit-learn is written with its equals sign.
    for name in NAMED:
        assert name.partition(".")[0] in skmetrics_ext.__all__, name
        attrgetter(name)(skmetrics_ext)


def test_the_types_that_are_returned_have_an_overview_of_their_own():
    named = re.findall(r"`(\w+)`", results.__doc__)
    assert sorted(named) == results.__all__
    for name, value in vars(results).items():
        assert name in results.__all__ or not isinstance(value, type), name


def test_the_overview_has_a_line_a_name_under_tasks():
    assert sorted(set(NAMED)) == sorted(NAMED), "a name stands there twice"
    first, _, tasks = OVERVIEW.strip().partition("\n\nWhat there is, by task:\n\n")
    assert first.endswith(".")
    for task in tasks.split("\n\n"):
        head, *lines = task.splitlines()
        assert not head.startswith("-")
        assert lines
        for line in lines:
            assert re.fullmatch(r"- .*`\w.*\.", line)
            assert len(line) <= 90


def test_tab_completion_shows_public_names_alone():
    # Of callables with a bracket.
    shown = [
        name.rstrip("()") for name in rlcompleter.Completer({"s": skmetrics_ext}).attr_matches("s.")
    ]
    names = [*skmetrics_ext.__all__, "results"]
    assert sorted(shown) == sorted(f"s.{name}" for name in names)
    assert not {f"s.{folder}" for folder in FOLDERS} & set(shown)


def test_dir_has_what_every_module_has():
    names = dir(skmetrics_ext)
    assert {
        "__all__",
        "__doc__",
        "__file__",
        "__name__",
        "__path__",
        "__spec__",
        "__version__",
    } <= set(names)
    assert len(names) == len(set(names))
    for name in names:
        getattr(skmetrics_ext, name)
