"""Writes everything that is made from the package or from the exact formulas: one command for all.

`python -m tests.generate` writes, `--check` compares and exits with 1 if something differs. What
runs for minutes or hours has commands of its own: the gallery of examples, how other libraries
agree with the test vectors, and simulations, of which the results are read here.
"""

import argparse
import sys
from collections.abc import Callable

from tests.docs import (
    api_links,
    cheat_sheet_defaults,
    docstring_parameters,
    edge_cases,
    gallery_scripts,
    metric_pages,
    names_page,
    project_lines,
    site_pages,
    theory_pages,
)
from tests.vectors import compute, score, who_gives_what

COMMAND = "python -m tests.generate"
# In this order: pages show docstrings, pages of metrics show results of libraries, and the
# navigation all pages.
STEPS: dict[str, Callable[[list[str]], int]] = {
    "docstrings": docstring_parameters.main,
    "tests/vectors/vectors.json.xz": compute.main,
    "tests/vectors/results.json": score.keep_up,
    "docs/who_gives_what.md": who_gives_what.main,
    "docs/undefined_values.md": edge_cases.main,
    "numbers and addresses in other files": project_lines.main,
    "docs/metrics/": metric_pages.main,
    "docs/theory/": theory_pages.main,
    "docs/scripts/": gallery_scripts.main,
    "docs/cheat_sheet.md": cheat_sheet_defaults.main,
    "docs/names.md": names_page.main,
    "docs/api/ and .zensical.toml": site_pages.main,
    "links to the reference": api_links.main,
}


def main(arguments: list[str] | None = None) -> int:
    """Write or check all; the exit status is 1 if something differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write all that is generated.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a part differs"
    )
    options = parser.parse_args(arguments)
    found = {name: step(["--check"] if options.check else []) for name, step in STEPS.items()}
    if different := [name for name, status in found.items() if status]:
        print(f"Out of date: {', '.join(different)}. To write all that is generated: {COMMAND}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
