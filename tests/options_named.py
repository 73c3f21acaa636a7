"""The options that a sentence names, and those of the call that raised it.

`conftest` asks this of all errors that the tests await: each names only options of the function
that was called, or of a call that it spells out.
"""

import inspect
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import skmetrics_ext
from skmetrics_ext.catalogue.rows import METRICS
from tests.public_names import PUBLIC

PUBLIC_OBJECTS = frozenset(PUBLIC.values())
PACKAGE = str(Path(skmetrics_ext.__file__).parent)

# What users make objects with, if it is no constructor.
MADE_BY = {
    skmetrics_ext.EvalMetric: skmetrics_ext.make_eval_metric,
    skmetrics_ext.FixedMetric: skmetrics_ext.get_scorer,
}
# Those of functions, which stand before them.
WRAPPERS = ("called", "checked")
# A name and what makes it an option or a call; quoted text is what the caller gave, unless it is a
# call itself.
WORDS = re.compile(
    r"(?P<open>(?P<call>[\w.]*)\()|(?P<close>\))|(?<![\w.'\"-])(?P<option>\w+)=(?!=)"
)


def options_named(text):
    """Each option in a sentence, with the call in whose brackets it stands, or None."""
    calls = []
    for word in WORDS.finditer(text):
        if word["open"]:
            calls.append(word["call"] or (calls[-1] if calls else None))
        elif word["close"]:
            calls = calls[:-1]
        else:
            yield word["option"], calls[-1] if calls else None


def parameters_of(function):
    """The names that a function takes, with those of metrics where it passes them on."""
    try:
        taken = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return frozenset()
    passes_on = any(of.kind is of.VAR_KEYWORD for of in taken.values())
    return frozenset(taken) | (parameters_of_metrics() if passes_on else frozenset())


@cache
def parameters_of_metrics():
    return frozenset(name for row in METRICS for name in (*row.parameters, *row.required))


def functions_of(of_class):
    """The functions of a class by name, without what is wrapped around them."""
    for name in dir(of_class):
        member = inspect.getattr_static(of_class, name)
        function = getattr(member, "__func__", member)
        if inspect.isfunction(function):
            yield name, inspect.unwrap(function)


@cache
def options_by_code():
    """The options of which each public function may speak, by its code.

    A model or a scorer may speak of how it was made, and so may counts, which have constructors.
    """
    found = {}
    for of_public in PUBLIC.values():
        if not inspect.isclass(of_public):
            found[inspect.unwrap(of_public).__code__] = parameters_of(of_public)
            continue
        functions = dict(functions_of(of_public))
        makers = {name: function for name, function in functions.items() if name[:5] == "from_"}
        made_with = parameters_of(MADE_BY.get(of_public, of_public))
        made_with = made_with.union(*map(parameters_of, makers.values()))
        for name, function in functions.items():
            own = parameters_of(function) | (frozenset() if name in makers else made_with)
            found[function.__code__] = found.get(function.__code__, frozenset()) | own
    return found


@cache
def options_by_name():
    """The options of all public functions and methods of a name."""
    found = defaultdict(frozenset)
    for name, of_public in PUBLIC.items():
        found[name] |= parameters_of(of_public)
        for method, function in functions_of(of_public) if inspect.isclass(of_public) else ():
            found[method] |= parameters_of(function)
    return found


def options_of_call(error):
    """The options of the public function that was called, those that it was given, and those of the
    models and scorers among them; None if none was called.
    """
    place = error.__traceback__
    while place is not None:
        code = place.tb_frame.f_code
        if code in options_by_code():
            given = place.tb_frame.f_locals.values()
            types = [type(value) for value in given if type(value) in PUBLIC_OBJECTS]
            own = options_by_code()[code].union(*map(parameters_of, types))
            # Keywords, and what a dict holds.
            return own.union(*(value for value in given if isinstance(value, dict)))
        if code.co_filename.startswith(PACKAGE) and code.co_name not in WRAPPERS:
            return None
        place = place.tb_next
    return None


def options_spelled_out(text):
    """The options of the public functions, methods and metrics that a sentence names."""
    words = {word.rpartition(".")[2] for word in re.findall(r"[\w.]+", text)}
    bare = words | {word.rpartition("_")[0] for word in words}
    of_metrics = [{*row.parameters, *row.required} for row in METRICS if row.name in bare]
    by_name = options_by_name()
    return frozenset().union(*of_metrics, *(by_name[word] for word in words if word in by_name))


def is_of_another(call):
    """Whether a call is of no function here, or of one that takes any name."""
    name = (call or "").rpartition(".")[2]
    return call is not None and (name == "sel" or name not in options_by_name())


def foreign_options(error):
    """The options in an error that neither the function that was called has, nor what it spells
    out.
    """
    named = list(options_named(str(error)))
    own = options_of_call(error) if named else None
    if own is None:
        return []
    allowed = own | options_spelled_out(str(error))
    # A parameter of an own metric is named by itself, too.
    return [
        word
        for word, call in named
        if word not in allowed and not is_of_another(call) and repr(word) not in str(error)
    ]


def check_error(error):
    """Fail for an error of this package that does not speak for the function that was called."""
    foreign = foreign_options(error)
    assert not foreign, f"the function that was called has no {foreign}: {error}"
