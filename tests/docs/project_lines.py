"""The lines about each metric, their number, and the address of the project, in files that are
otherwise written by hand.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from skmetrics_ext.catalogue.rows import METRICS, Metric
from tests.shared import parameters_of

ROOT = Path(__file__).parents[2]
COMMAND = "python -m tests.docs.project_lines"
WIDTH = 100


def main(arguments: list[str] | None = None) -> int:
    """Write the lines, or compare them; the exit status is 1 if a file differs."""
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Write what files say of all metrics and of the address of the project.",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a file differs"
    )
    only_check = parser.parse_args(arguments).check
    different = []
    for name, rewritten in FILES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        if rewritten(text) != text:
            different.append(name)
            if not only_check:
                path.write_text(rewritten(text), encoding="utf-8")
    if only_check:
        for name in different:
            print(f"{name} is not what the package gives. To write it, run: {COMMAND}")
    return int(only_check and bool(different))


def with_number(text: str) -> str:
    """README.md, which begins with the number of metrics, and whose links hold on the package
    index, too, once the address of the repository is known.
    """
    text = replaced(r"(Classification metrics for scikit-learn: )\d+()", str(len(METRICS)), text)
    # Back to what is written by hand, then anew.
    relative = re.sub(r"\]\(https?:[^)\s]*?/(?:blob|raw)/HEAD/", "](", text)
    if not (where := address()):
        return relative
    pages, pictures = f"]({where}/blob/HEAD/", f"]({where}/raw/HEAD/docs/pictures/"
    absolute = re.sub(r"\]\((?!#|\w+:)", lambda _: pages, relative)
    return absolute.replace(f"{pages}docs/pictures/", pictures)


def with_calls(text: str) -> str:
    """The typed file, which calls each metric."""
    calls = "".join(map(call, METRICS))
    return replaced(r"(# generated\n).*?( *# end\n)", calls, text)


def address() -> str:
    """Where the public repository is; empty if there is none."""
    return _address_in((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def _address_in(settings: str) -> str:
    return str(tomllib.loads(settings)["project"]["urls"].get("Repository", ""))


def with_report(text: str) -> str:
    """The start page, which says where to report a fault."""
    place = "tell those who gave you the package: it has no public address yet"
    if where := address():
        place = f"[open an issue]({where}/issues)"
    return replaced(r"(\n- If you find a fault, )[^\n]*?(\. Say what you called)", place, text)


def with_link(text: str) -> str:
    """The settings of the site, whose header links to the repository."""
    line = f'repo_url = "{where}"\n' if (where := address()) else ""
    return replaced(r"(\nsite_dir = [^\n]*\n)(?:repo_url = [^\n]*\n)?()", line, text)


def with_source(text: str) -> str:
    """The citation, which names the repository."""
    line = f'repository-code: "{where}"\n' if (where := address()) else ""
    return replaced(r"(\nlicense: [^\n]*\n)(?:repository-code: [^\n]*\n)?()", line, text)


def replaced(pattern: str, new: str, text: str) -> str:
    """The text with another passage between the two groups of the only place that matches."""
    found = list(re.finditer(pattern, text, re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"the text has {pattern!r} {len(found)} times instead of once.")
    return text[: found[0].end(1)] + new + text[found[0].start(2) :]


def call(row: Metric) -> str:
    """An item of a dict: a metric, and the call of its function, as ruff formats it."""
    given = {
        name: np.asarray(value).tolist() for name, value in parameters_of(row, classes=2).items()
    }
    options = [f"{name}={value!r}" for name, value in given.items()]
    options += ['average="macro"'] * row.has_average
    arguments = ", ".join(["y_true", "y_pred", *options])
    start = f'        "{row.name}": ext.{row.function}('
    line = f"{start}{arguments}),"
    return f"{line}\n" if len(line) <= WIDTH else f"{start}\n            {arguments}\n        ),\n"


FILES: dict[str, Callable[[str], str]] = {
    ".zensical.toml": with_link,
    "CITATION.cff": with_source,
    "README.md": with_number,
    "docs/index.md": with_report,
    "tests/typed_usage.py": with_calls,
}

if __name__ == "__main__":
    sys.exit(main())
