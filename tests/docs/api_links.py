"""Links the first mention of each public name on a page of prose: of a metric's function to the
metric's page, of all else to its entry in the reference.
"""

import argparse
import os
import re
import sys

import skmetrics_ext
from skmetrics_ext.catalogue.rows import METRICS
from tests.docs.site_pages import DOCS, api_pages

COMMAND = "python -m tests.docs.api_links"
FOLDERS = ("tasks", "recipes", "theory")
AT_TOP = (
    "messages.md",
    "sixty_lines.md",
    "gallery.md",
    "instead_of.md",
    "speed.md",
    "which_metric.md",
)
# What the pages call an object of a class, whose methods they show.
OBJECTS = {"cm": "ConfusionMatrix", "curve": "ThresholdCurve"}
# What is no prose: code, headings, generated tables, links, and what stands first in the line of a
# table (often the same name of another library); nor is what prose says is another library's.
KEPT = re.compile(
    r"^ *```.*?^ *```$|^#[^\n]*$|<!-- generated.*?<!-- end[^\n]*|^\|[^|\n]*\||"
    r"\[(?:`[^`\n]*`|[^`\]\n])*\]\([^)\n]*\)|learn's `[^`\n]*`",
    re.MULTILINE | re.DOTALL,
)
MENTION = re.compile(r"`(?:(cm|curve)\.)?([A-Za-z_]\w*)(?:\([^`\n]*\))?`")
LINKED = re.compile(rf"(?<=\[){MENTION.pattern}(?=\]\()")


def pages_of_prose():
    """The pages that people wrote."""
    return sorted(
        [path for folder in FOLDERS for path in (DOCS / folder).glob("*.md")]
        + [DOCS / name for name in AT_TOP]
    )


def targets():
    """Where each name leads, as a path in docs/ with an anchor."""
    found = {
        name.removeprefix("skmetrics_ext.").removeprefix("results."): f"api/{page}#{name}"
        for page, text in api_pages().items()
        for name in re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE)
    }
    return found | {row.function: f"metrics/{row.name}.md" for row in METRICS}


def linked(path, text):
    """The text of a page with a link at each first mention that has none."""
    there = targets()
    seen = {named(match, there)[0] for match in LINKED.finditer(text)}

    def link(match):
        name, target = named(match, there)
        if target is None or name in seen:
            return match[0]
        seen.add(name)
        return f"[{match[0]}]({os.path.relpath(DOCS / target, path.parent)})"

    parts, start = [], 0
    for kept in KEPT.finditer(text):
        parts += [MENTION.sub(link, text[start : kept.start()]), kept[0]]
        start = kept.end()
    return "".join([*parts, MENTION.sub(link, text[start:])])


def named(match, there):
    """What a mention names, and where it leads; None if it names nothing public."""
    of_object, name = match.groups()
    if of_object is None:
        return name, there.get(name)
    owner = OBJECTS[of_object]
    if not callable(getattr(getattr(skmetrics_ext, owner), name, None)):
        return name, None
    own = there.get(f"{owner}.{name}")
    return f"{of_object}.{name}", own or f"{there[owner]}.{name}"


def main(arguments=None):
    """Link what has no link, or check; the exit status is 1 if a page differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Link names to the reference.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a link is missing"
    )
    options = parser.parse_args(arguments)
    different = 0
    for path in pages_of_prose():
        text = path.read_text(encoding="utf-8")
        if (new := linked(path, text)) != text:
            different = 1
            if options.check:
                print(f"{path.name} mentions names without a link. To link them, run: {COMMAND}")
            else:
                path.write_text(new, encoding="utf-8")
    return different if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
