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

PACKAGE = str(Path(skmetrics_ext.__file__).parent)

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
    passed_on = (
        parameters_of_metrics() if any(p.kind is p.VAR_KEYWORD for p in taken.values()) else ()
    )
    return frozenset(taken).union(passed_on)


@cache
def parameters_of_metrics():
    return frozenset(name for row in METRICS for name in (*row.parameters, *row.required))


def members_of(of_class):
    """The functions of a class that this package wrote."""
    for name in dir(of_class):
        member = inspect.getattr_static(of_class, name)
        function = getattr(member, "__func__", member)
        if inspect.isfunction(function):
            yield name, inspect.unwrap(function)


@cache
def options_by_code():
    """The options of what each public function's code belongs to."""
    found = {}
    for of_public in PUBLIC.values():
        if not inspect.isclass(of_public):
            found[inspect.unwrap(of_public).__code__] = parameters_of(of_public)
            continue
        made_with = parameters_of(of_public)
        # A model or scorer speaks of how it was made; others are made in many ways.
        for _, function in members_of(of_public):
            found.setdefault(function.__code__, frozenset())
            found[function.__code__] |= parameters_of(function) | made_with
    return found


@cache
def options_by_name():
    """The options of all public functions and methods of a name."""
    found = defaultdict(frozenset)
    for name, of_public in PUBLIC.items():
        found[name] |= parameters_of(of_public)
        if inspect.isclass(of_public):
            for method, function in members_of(of_public):
                found[method] |= parameters_of(function)
    return found


def frames_of(error):
    """The frames from where the error was caught to where it was raised."""
    place = error.__traceback__
    while place is not None:
        yield place.tb_frame
        place = place.tb_next


def options_of_call(error):
    """The options of the public function that was called first, and of the models and scorers that
    it was given; None if none was.
    """
    by_code = options_by_code()
    for frame in frames_of(error):
        if frame.f_code in by_code:
            given = frame.f_locals.values()
            of_given = [parameters_of(type(v)) for v in given if type(v) in PUBLIC.values()]
            return by_code[frame.f_code].union(*of_given)
        if frame.f_code.co_filename.startswith(PACKAGE) and frame.f_code.co_name != "called":
            return None
    return None


def calls_in(text):
    """What a sentence spells out: public functions and methods, and metrics, by name."""
    words = {word.rpartition(".")[2] for word in re.findall(r"[\w.]+", text)}
    of_metrics = (row for row in METRICS if row.name in words)
    return [options_by_name()[word] for word in words if word in options_by_name()] + [
        frozenset((*row.parameters, *row.required)) for row in of_metrics
    ]


def foreign_options(error):
    """The options in an error that neither the function that was called has nor what it spells
    out.
    """
    own = options_of_call(error)
    if own is None:
        return []
    allowed = own.union(*calls_in(str(error)))
    return [
        option
        for option, call in options_named(str(error))
        if option not in allowed and not takes_any(call)
    ]


def takes_any(call):
    """Whether what stands in brackets is of no function here, or of one that takes any name."""
    if call is None:
        return False
    name = call.rpartition(".")[2]
    return name == "sel" or name not in options_by_name()
