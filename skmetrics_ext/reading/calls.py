"""Calls that do not fit a public function: what it has instead, in a sentence."""

import difflib
import inspect
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

from skmetrics_ext.reading.messages import frames_of_package

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

# Other words for an option, in other libraries and elsewhere here, the likeliest first.
OTHER_WORDS = {
    **dict.fromkeys(("labels", "class_names", "target_names"), ("classes", "labels", "pos_label")),
    "classes": ("labels", "pos_label"),
    **dict.fromkeys(
        ("group", "group_by", "groupby", "groups", "sensitive_features"), ("by", "clusters", "axis")
    ),
    **dict.fromkeys(("cluster", "clusters"), ("clusters", "groups")),
    "by": ("axis",),
    "axis": ("by",),
    **dict.fromkeys(("metric", "metrics", "scorer", "scoring"), ("metric", "metrics", "scoring")),
    **dict.fromkeys(("positive", "positive_class", "positive_label"), ("pos_label",)),
    **dict.fromkeys(("sample_weights", "weight", "weights"), ("sample_weight",)),
    **dict.fromkeys(("probas_pred", "scores", "y_prob", "y_proba"), ("y_score", "scores")),
    **dict.fromkeys(("cutoff", "threshold", "thresholds"), ("threshold", "thresholds")),
    **dict.fromkeys(("alpha", "level"), ("confidence_level",)),
    **dict.fromkeys(("n_boot", "n_bootstraps"), ("n_resamples",)),
    **dict.fromkeys(("rng", "seed"), ("random_state",)),
}
OF_SAMPLES = (
    "pass samples that belong together, such as those of one patient, as clusters=, or groups that "
    "each have a value as by=, to functions that take these, such as metric_interval"
)
OF_RESULTS = "ask the result for a metric by its name, as in cm.score('recall')"
# Where options belong that are of other functions.
ELSEWHERE = {
    "alpha": "pass confidence_level= to an interval",
    "average": "name it with the metric: 'recall_macro'",
    **dict.fromkeys(("cluster", "clusters", "group", "group_by", "groupby", "groups"), OF_SAMPLES),
    **dict.fromkeys(("metric", "metrics", "scorer", "scoring"), OF_RESULTS),
    "beta": "pass the metric 'fbeta'",
    "prevalence": "for the value at another prevalence, count first: ConfusionMatrix.at_prevalence",
    "sample_weight": "weights are counted: pass them to ConfusionMatrix.from_predictions",
    "weights": "pass the weights of samples as sample_weight=",
    "threshold": "make labels of scores first, with ConfusionMatrix.from_scores or "
    "labels_from_scores",
}


def explained(function: Function) -> Function:
    """The same function, which answers a call that does not fit it with what it takes."""

    @wraps(function)
    def called(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except TypeError as error:
            said = _of_metrics(function, options, error) if has_begun(error) else None
            if said is None and has_begun(error):
                raise
            raise TypeError(said or why_not(function, arguments, options)) from None

    return cast(Function, called)


def has_begun(error: TypeError) -> bool:
    """Whether the function that was called from here has raised the error, and not the call."""
    return error.__traceback__ is not None and error.__traceback__.tb_next is not None


def _of_metrics(
    function: Callable[..., Any], options: Collection[str], error: TypeError
) -> str | None:
    """What a function has for an option that it passed on to a metric, which does not have it."""
    known = inspect.signature(function).parameters
    for option in options:
        if option not in known and repr(option) in str(error):
            instead_of_it = _in_other_words(option, known) or vars(function).get("_instead")
            return instead_of_it and f"{error}{instead_of_it}"
    return None


def explained_methods(of_class: Class) -> Class:
    """The same class, each of whose own public methods is explained."""
    for name, member in [*vars(of_class).items()]:
        if name.startswith("_"):
            continue
        if inspect.isfunction(member):
            setattr(of_class, name, explained(member))
        elif isinstance(member, (classmethod, staticmethod)):
            setattr(of_class, name, type(member)(explained(member.__func__)))
    return of_class


def instead(advice: str) -> Callable[[Function], Function]:
    """Mark a function with what else is said of a call that does not fit it."""

    def advised(function: Function) -> Function:
        vars(function)["_instead"] = f" {advice}"
        return function

    return advised


def option_of_caller(*names: str) -> str | None:
    """The first of these options that the function which the user called has."""
    frame = frames_of_package()[-1]
    known = frame.f_locals
    # That of a wrapper; what a model or a scorer was made with; else a function of this name.
    called = known.get("function") or (
        type(known["self"]) if "self" in known else frame.f_globals.get(frame.f_code.co_name)
    )
    options = inspect.signature(called).parameters if callable(called) else ()
    return next((name for name in names if name in options), None)


def order_of_caller() -> str | None:
    """The option that names the classes in order, maybe some that do not occur."""
    return option_of_caller("labels", "classes")


def why_not(
    function: Callable[..., Any], arguments: tuple[Any, ...], options: Collection[str]
) -> str:
    """Why a call does not fit a function, and what does."""
    parameters = [*inspect.signature(function).parameters.values()]
    # The object of a method, or its class, is no argument to its users.
    n_hidden = len([of for of in parameters[:1] if of.name in ("self", "cls")])
    name = _name_of(function, *arguments[:n_hidden])
    by_place = [of.name for of in parameters if of.kind in PLACED][n_hidden:]
    by_name = [of.name for of in parameters if of.kind is of.KEYWORD_ONLY]
    placed = arguments[n_hidden:]
    advice = vars(function).get("_instead", "")
    unknown = [option for option in options if option not in {*by_place, *by_name}]
    if unknown and not any(of.kind is of.VAR_KEYWORD for of in parameters):
        instead_of_it = _other_option(unknown[0], [*by_place, *by_name], arguments)
        return f"{name} has no {unknown[0]}=.{instead_of_it}"
    if len(placed) > len(by_place):
        others = f" Name the others: {_options(by_name)}." if by_name else ""
        return (
            f"{name} takes {_listed(by_place)} without a name, and {len(placed)} such "
            f"{'value was' if len(placed) == 1 else 'values were'} given.{advice or others}"
        )
    given = {*by_place[: len(placed)], *options}
    needed = [of.name for of in parameters[n_hidden:] if of.default is of.empty]
    if missing := [of for of in needed if of not in given and of in {*by_place, *by_name}]:
        return f"{name} needs {_options(missing)}.{advice}"
    twice = [of for of in by_place[: len(placed)] if of in options]
    return f"{name} was given {_options(twice)} twice, once without its name."


def _name_of(function: Callable[..., Any], of: Any = None) -> str:
    """A function as its users call it; of a method the class, also where it is inherited."""
    if of is None:
        return function.__qualname__
    of_class = of if isinstance(of, type) else type(of)
    is_made = function.__name__ == "__init__"
    return of_class.__name__ if is_made else f"{of_class.__name__}.{function.__name__}"


def _other_option(option: str, taken: Collection[str], arguments: tuple[Any, ...]) -> str:
    """What to pass in place of an option that a function lacks."""
    if alike := _in_other_words(option, taken):
        return alike
    if having := _makers_with(option, *arguments[:1]):
        return f" It is an option of {_listed(having)}."
    return option_hint(option, taken) or f" It takes {_options(taken)}."


def _makers_with(option: str, of_class: Any = None) -> list[str]:
    """The other constructors of a class that have an option."""
    if not isinstance(of_class, type):
        return []
    makers = {name: getattr(of_class, name) for name in dir(of_class) if name.startswith("from_")}
    return [
        f"{of_class.__name__}.{name}"
        for name, maker in makers.items()
        if option in inspect.signature(maker).parameters
    ]


def _in_other_words(option: str, known: Collection[str]) -> str:
    """The options that another word may mean."""
    alike = [other for other in OTHER_WORDS.get(option, ()) if other in known and other != option]
    return f" Did you mean {' or '.join(map(repr, alike))}?" if alike else ""


def option_hint(name: str, known: Iterable[str]) -> str:
    """What to do instead of passing an unknown option."""
    if alike := _in_other_words(name, known := [*known]):
        return alike
    return f" Instead, {ELSEWHERE[name]}." if name in ELSEWHERE else did_you_mean(name, known)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the shortest name that begins so, or the nearest to a misspelled one."""
    known = list(known)
    near = sorted((other for other in known if other.startswith(name)), key=len)[:1]
    near = near or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [other for other in known if name in (f"neg_{other}", other.removeprefix("neg_"))]
    return f" Did you mean {' or '.join(map(repr, dict.fromkeys(near)))}?" if near else ""


def _listed(names: list[str]) -> str:
    """Names in a sentence."""
    *others, last = names or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last


def _options(names: Iterable[str]) -> str:
    """Options in a sentence."""
    return ", ".join(f"{name}=" for name in names)
