"""Writes the pages of the API reference, docs/api/, the changelog's, and the navigation, in
.zensical.toml.
"""

import argparse
import inspect
import json
import operator
import re
import sys
from pathlib import Path
from typing import NamedTuple

import skmetrics_ext
from skmetrics_ext import results
from skmetrics_ext.catalogue.rows import METRICS
from tests.docs.generated_parts import part, with_parts
from tests.public_names import path_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SETTINGS = ROOT / ".zensical.toml"
COMMAND = "python -m tests.docs.site_pages"
# What the navigation lists, in this order: at most eight entries, each of titled pages and of
# folders. A folder without a title stands in its entry with all its pages.
TOP = {
    "Start": {
        "index.md": "Count once",
        "tutorial.md": "From a csv to a decision",
        "cheat_sheet.md": "Cheat sheet",
        "gallery.md": "Gallery",
        "tools.md": "Which tool takes which scorer?",
    },
    "By task": {"tasks": ""},
    "Recipes": {"recipes": ""},
    "Metrics": {"metrics": "", "which_metric.md": "Which metric?"},
    "How sure it is": {"theory": ""},
    "Look up": {
        "messages.md": "I got this message",
        "names.md": "A to Z",
        "glossary.md": "Glossary",
        "undefined_values.md": "Undefined values",
        "differences.md": "Where we differ",
    },
    "Reference": {"api": ""},
    "About": {
        "instead_of.md": "Instead of",
        "sixty_lines.md": "What sixty lines get wrong",
        "who_gives_what.md": "Who gives what",
        "speed.md": "Speed",
        "interval_vectors.md": "Test vectors",
        "backward_compatibility.md": "Backward compatibility",
        "changelog.md": f"Changelog, version {skmetrics_ext.__version__}",
        "for_editors.md": "For editors",
    },
}
# Where a reader of a page of the reference finds the names in use: a page of docs/tasks/.
TASKS = {
    "find_a_metric": "choose_a_metric",
    "a_metric": "choose_a_metric",
    "a_scorer": "search_and_cross_validate",
    "many_metrics": "search_and_cross_validate",
    "from_probabilities_to_labels": "thresholds_and_costs",
    "thresholds": "thresholds_and_costs",
    "matrices_and_groups": "groups_and_fairness",
    "confidence_intervals": "how_certain",
    "pass_fail_or_cannot_tell": "over_time_and_claims",
    "compare": "compare_models",
    "agreement_of_raters": "raters_and_partly_known_labels",
    "watch_a_model_in_use": "over_time_and_claims",
    "plots": "how_certain",
}
# Functions that have a page of their own, since a page would be too long: by the name of the page.
OWN_PAGES = {
    "cross_val_interval": ("cross_val_interval",),
    "compare_estimators": ("compare_estimators",),
    "compare_folds": ("compare_folds",),
    "plot_roc": ("plot_roc", "plot_precision_recall"),
}
RESULTS = "What calls return"
INDEX = "names"


class Task(NamedTuple):
    """A task of the package's docstring, with the names that are no metrics."""

    heading: str
    names: list[str]

    @property
    def file(self):
        """The name of its page, without its ending."""
        return re.sub(r"\W+", "_", self.heading.partition(":")[0].lower())


def tasks():
    """The tasks in their order; last the types that calls return."""
    metrics = {row.function for row in METRICS}
    found = []
    _, text = skmetrics_ext.__doc__.strip().split("What there is, by task:\n\n")
    for task in text.split("\n\n"):
        heading, lines = task.split("\n", 1)
        names = [name for name in re.findall(r"`([\w.]+)`", lines) if name not in metrics]
        found.append(Task(re.sub(r" \(.*\)|:.*", "", heading), names))
    return [*found, Task(RESULTS, re.findall(r"`(\w+)`", results.__doc__))]


def page_of(name, task):
    """The page of a name: a class has its own, and what is made alike shares one."""
    own = {each: page for page, names in OWN_PAGES.items() for each in names}
    owner = name.partition(".")[0]
    if task.heading == RESULTS:
        return "results"
    value = getattr(skmetrics_ext, owner)
    is_own = inspect.isclass(value) and not issubclass(value, Warning)
    return owner if is_own else own.get(owner, task.file)


def api_pages():
    """The text of each page, a task, a class or a few functions, without metrics, since each has
    its page in docs/metrics/.
    """
    of_page = {}
    for task in tasks():
        for name in task.names:
            if "." not in name:
                of_page.setdefault(page_of(name, task), (task, []))[1].append(name)
    return {f"{file}.md": page(file, *found) for file, found in of_page.items()}


def page(file, task, names):
    """A page of the reference: mkdocstrings puts what it says of a name in place of each line with
    colons. It ends with the task in which the names are used.
    """
    heading = {"results": RESULTS, task.file: task.heading}.get(file, " and ".join(names))
    in_use = f"{TASKS.get(task.file, 'how_certain')}.md"
    title = title_of(DOCS / "tasks" / in_use)
    way_on = f"Next: [{title}](../tasks/{in_use}), or [all names](index.md)."
    entries = [f"::: {path_of(name)}" for name in names]
    return "\n\n".join([f"# {heading}", *entries, "---", way_on]) + "\n"


def lines_of_index():
    """Each name with the first sentence of its docstring, by task."""
    lines = []
    for task in tasks():
        lines += ["", f"## {task.heading}", ""]
        for name in task.names:
            place = f"{page_of(name, task)}.md#{path_of(name)}"
            lines.append(f"- [`{name}`]({place}): {first_sentence(name)}")
    return "\n".join([*lines, "", ""])


def first_sentence(name):
    """What the docstring of a public name says first, without the colon of a list."""
    value = operator.attrgetter(name)(results if name in results.__all__ else skmetrics_ext)
    paragraph = " ".join(inspect.getdoc(value).split("\n\n")[0].split())
    return f"{re.split(r'(?<=[.])[ ]|;[ ]', paragraph)[0].rstrip('.;:')}."


def title_of(path):
    """The title of a page."""
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def navigation():
    """The entries of the navigation with the pages and sections that are there."""
    return [{heading: entries_of(listed)} for heading, listed in TOP.items()]


def entries_of(listed):
    """The pages of an entry and the sections of its folders."""
    entries = []
    for name, title in listed.items():
        path = DOCS / name
        if path.is_dir():
            entries += [{title: section(path)}] if title else section(path)
        elif path.exists():
            entries.append({title: name})
    return entries


def section(folder):
    """The pages of a folder in the order in which its index links them, under the index's headings;
    then the others.
    """
    others = sorted(f"{folder.name}/{path.name}" for path in folder.glob("*.md"))
    entries = []
    if (folder / "index.md").exists():
        entries.append(f"{folder.name}/index.md")
        parts = re.split(
            r"^## (.+)\n", (folder / "index.md").read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        for heading, text in zip(["", *parts[1::2]], parts[::2], strict=True):
            linked = dict.fromkeys(
                f"{folder.name}/{name}" for name in re.findall(r"\]\((\w+\.md)", text)
            )
            new = [name for name in linked if name in others and name not in entries]
            entries += [{heading: new}] if heading and new else new
            others = [name for name in others if name not in new]
    return entries + [name for name in others if name not in entries]


def changelog():
    """The page of what is new, whose links stay in docs/."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]+)\]\(https?://[^)]+\)", r"\1", text).replace("](docs/", "](")
    about = f"This is version {skmetrics_ext.__version__}: `skmetrics_ext.__version__` says yours."
    return text.replace("\n\n", f"\n\n{about}\n\n", 1)


def toml(entries, indent=""):
    """Entries of the navigation, a line each."""
    lines = []
    for entry in entries:
        [(title, value)] = entry.items() if isinstance(entry, dict) else [("", entry)]
        text = toml(value, indent + "  ") if isinstance(value, list) else json.dumps(value)
        lines.append(
            f"{indent}  {{ {json.dumps(title)} = {text} }},\n" if title else f"{indent}  {text},\n"
        )
    return f"[\n{''.join(lines)}{indent}]"


def settings():
    """The settings of the site with its navigation."""
    before, after = re.split(
        r"^nav = .*?^\n", SETTINGS.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return f"{before}nav = {toml(navigation())}\n\n{after}"


def main(arguments=None):
    """Write the pages and the navigation, or check them; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the reference.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a page differs"
    )
    options = parser.parse_args(arguments)
    folder = DOCS / "api"
    index = (folder / "index.md").read_text(encoding="utf-8")
    if not options.check:
        for name in {path.name for path in folder.glob("*.md")} - {*api_pages(), "index.md"}:
            (folder / name).unlink()
        for name, text in api_pages().items():
            (folder / name).write_text(text, encoding="utf-8")
        new = with_parts(index, {INDEX: lines_of_index})
        (folder / "index.md").write_text(new, encoding="utf-8")
        (DOCS / "changelog.md").write_text(changelog(), encoding="utf-8")
        SETTINGS.write_text(settings(), encoding="utf-8")
        return 0
    different = [name for name, text in api_pages().items() if text_of(DOCS / "api" / name) != text]
    if part(INDEX, index)[1] != lines_of_index():
        different.append("api/index.md")
    if text_of(DOCS / "changelog.md") != changelog():
        different.append("changelog.md")
    if text_of(SETTINGS) != settings():
        different.append(SETTINGS.name)
    for name in different:
        print(f"{name} is not what the package gives. To write it, run: {COMMAND}")
    return int(bool(different))


def text_of(path):
    """The text of a file, empty if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
