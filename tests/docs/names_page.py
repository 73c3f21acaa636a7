"""Writes docs/names.md: every name and alias from A to Z, with its page."""

import argparse
import inspect
import sys
from collections import defaultdict
from pathlib import Path

from skmetrics_ext.catalogue.rows import METRICS
from tests.docs.metric_pages import code
from tests.docs.site_pages import api_pages
from tests.public_names import PUBLIC, path_of

PAGE = Path(__file__).parents[2] / "docs" / "names.md"
COMMAND = "python -m tests.docs.names_page"
HEAD = """\
# A to Z

Every function, class, metric and other name of a metric, with its page. Names of metrics stand for
scorers, `cm.score` and everything else that takes a metric.
"""


def entries():
    """Each name with the address of its page."""
    found = {}
    for row in METRICS:
        for name in (row.name, *row.aliases):
            found[name] = f"metrics/{row.name}.md"
        found.setdefault(row.function, f"metrics/{row.name}.md")
    for file, text in api_pages().items():
        for line in text.splitlines():
            path = line.removeprefix("::: ")
            name = path.rpartition(".")[2]
            # A method is found with its class.
            if path != line and path == path_of(name):
                found[name] = f"api/{file}#{path}"
    return found


def page():
    """The page."""
    letters = defaultdict(list)
    for name, place in sorted(entries().items(), key=lambda entry: entry[0].lower()):
        kind = ""
        if inspect.isclass(PUBLIC.get(name)):
            kind = " (class)"
        letters[name[0].upper()].append(f"[{code(name)}]({place}){kind}")
    sections = [f"## {letter}\n\n{', '.join(links)}\n" for letter, links in letters.items()]
    head = HEAD.replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n").strip()
    return "\n".join([f"{head}\n", *sections])


def main(arguments=None):
    """Write the page, or compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if it differs"
    )
    text = page()
    if not parser.parse_args(arguments).check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what the package gives. To write it, run: {COMMAND}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
