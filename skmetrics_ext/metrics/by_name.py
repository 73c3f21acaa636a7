"""The public function of each row of the catalogue, its options and its docstring."""

import inspect
import re
from collections.abc import Callable
from functools import cache, update_wrapper
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType
from typing import Any

from skmetrics_ext.catalogue.rows import BY_FUNCTION, Metric


def _checked(function: FunctionType, row: Metric) -> FunctionType:
    """The function, which says what to pass instead of an unknown option, or of a model, X and y as
    for a scorer.
    """
    known = inspect.signature(function).parameters.keys()
    scorer = ", ".join(
        [f'"{row.scorer_prefix}{row.name}"', *(f"{name}=..." for name in row.required)]
    )

    def called(*arguments: Any, **options: Any) -> Any:
        if arguments and hasattr(arguments[0], "score_table"):
            raise TypeError(
                f"{function.__name__} takes labels; of a ConfusionMatrix use "
                f"cm.score({row.name!r})."
            )
        if len(arguments) > 2:
            raise TypeError(
                f"{function.__name__} takes labels and predictions, and everything else as "
                "keyword arguments; "
                f"{len(arguments)} positional arguments were given. For a search or "
                "cross-validation, pass "
                f"scoring=get_scorer({scorer})."
            )
        if not options.keys() <= known:
            (unknown, *_) = (option for option in options if option not in known)
            raise TypeError(
                f"{function.__name__}() got an unexpected keyword argument {unknown!r}: it takes "
                f"{', '.join(known)}."
            )
        return function(*arguments, **options)

    # In the function's own module, where typing and doctest look for it.
    own = FunctionType(called.__code__, function.__globals__, closure=called.__closure__)
    update_wrapper(own, function)
    return own


# Once for all, before anyone imports one: a line of each function, or of each file, could be
# forgotten.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
for _found in iter_modules([str(Path(__file__).parent)]):
    _family = import_module(f"{__package__}.{_found.name}")
    for _name in BY_FUNCTION.keys() & vars(_family).keys():
        FUNCTIONS[_name] = _checked(vars(_family)[_name], BY_FUNCTION[_name])
        setattr(_family, _name, FUNCTIONS[_name])


def function_of(row: Metric) -> Callable[..., Any]:
    """The public function of a row."""
    return FUNCTIONS[row.function]


@cache
def options_of(row: Metric) -> tuple[str, ...]:
    """The keyword arguments of the function that a scorer can fix."""
    _, _, *options = inspect.signature(function_of(row)).parameters
    return tuple(option for option in options if option != "sample_weight")


def docstring_of(row: Metric) -> dict[str, str]:
    """The docstring of the function by its headings, "" at its beginning; empty where there are no
    docstrings (-OO).
    """
    text = inspect.getdoc(function_of(row))
    if text is None:
        return {}
    parts = re.split(r"^(\w[\w ]*)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))
