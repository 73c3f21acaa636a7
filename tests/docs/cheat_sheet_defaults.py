"""Writes the defaults of the common parameters into docs/cheat_sheet.md, from the signatures."""

import argparse
import inspect
import re
import sys
from collections import defaultdict
from pathlib import Path

from tests.public_names import PUBLIC

PAGE = Path(__file__).parents[2] / "docs" / "cheat_sheet.md"
COMMAND = "python -m tests.docs.cheat_sheet_defaults"
HEADING = "\n## Common parameters\n"
# Classes that people make; all others are results, whose fields are no parameters.
MADE = (
    *("AbstainingClassifier", "ConfusionScorer", "ConstrainedThresholdClassifier"),
    "ProbabilityClassifier",
)
# Of more functions with a default only how many there are is said.
MOST_NAMED = 5


def callables():
    """The public functions, methods and classes that take parameters, by name."""
    for name, found in PUBLIC.items():
        if inspect.isfunction(found) or name in MADE:
            yield name, found
        if inspect.isclass(found) and not issubclass(found, (Warning, str, tuple)):
            for method, of_class in inspect.getmembers(found, callable):
                # Those of metadata routing are scikit-learn's.
                if not method.startswith("_") and not method.endswith("_request"):
                    yield f"{name}.{method}", of_class


def defaults_of(parameter):
    """The names of the functions by the default that they have, as it is written."""
    found = defaultdict(list)
    for name, function in callables():
        given = inspect.signature(function).parameters.get(parameter)
        if given is not None and given.default is not given.empty:
            found[written(given.default)].append(name)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def written(default):
    """A default as in code, with double quotes."""
    return f'"{default}"' if isinstance(default, str) else repr(default)


def text_of(parameters):
    """The cell of a row: the most frequent default, and where there is another."""
    texts = []
    for parameter in parameters:
        defaults = defaults_of(parameter)
        assert defaults, parameter
        parts = []
        for default, names in defaults.items():
            where = ", ".join(f"`{name}`" for name in names)
            if not parts:
                parts.append(f"`{default}`")
            elif len(names) <= 2 * MOST_NAMED:
                parts.append(f"`{default}` in {where}")
            else:
                parts.append(f"`{default}` in {len(names)} others")
        texts.append("; ".join(parts))
    return ", ".join(dict.fromkeys(texts))


def page(text):
    """The page with the last column of the table made anew."""
    before, heading, after = text.partition(HEADING)
    section, following, rest = after.partition("\n## ")
    lines = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        names = re.findall(r"`(\w+)=`", cells[0])
        lines.append(f"| {cells[0]} | {cells[1]} | {text_of(names)} |" if names else line)
    return before + heading + "\n".join(lines) + "\n" + following + rest


def main(arguments=None):
    """Write the page, or compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if it differs"
    )
    old = PAGE.read_text(encoding="utf-8")
    new = page(old)
    if not parser.parse_args(arguments).check:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    if new == old:
        return 0
    print(f"{PAGE.name} has other defaults than the signatures. To write it, run: {COMMAND}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
