"""Writes the pages of the API reference, docs/api/, and the navigation, in .zensical.toml."""

import argparse
import json
import re
import sys
from pathlib import Path

import skmetrics_ext
from skmetrics_ext import results
from skmetrics_ext.catalogue.rows import METRICS
from tests.public_names import path_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SETTINGS = ROOT / ".zensical.toml"
COMMAND = "python -m tests.docs.site_pages"
# What the navigation lists, in this order: pages, and folders with their heading.
TOP = {
    "index.md": "Start",
    "tutorial.md": "From a csv to a decision",
    "which_metric.md": "Which metric?",
    "tools.md": "Which tool takes which scorer?",
    "tasks": "By task",
    "recipes": "Recipes",
    "metrics": "Metrics",
    "theory": "Theory",
    "undefined_values.md": "Undefined values",
    "messages.md": "I got this message",
    "gallery.md": "Gallery",
    "instead_of.md": "Instead of",
    "differences.md": "Where we differ",
    "cheat_sheet.md": "Cheat sheet",
    "names.md": "A to Z",
    "glossary.md": "Glossary",
    "who_gives_what.md": "Who gives what",
    "interval_vectors.md": "Test vectors",
    "speed.md": "Speed",
    "api": "API reference",
    "backward_compatibility.md": "Backward compatibility",
    "for_editors.md": "For editors",
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
# What has a page of its own, since a page would be too long: its names, by the name of the page.
OWN_PAGES = {
    "ConfusionScorer": ("ConfusionScorer",),
    "ThresholdCurve": ("ThresholdCurve",),
    "ConstrainedThresholdClassifier": ("ConstrainedThresholdClassifier",),
    "AbstainingClassifier": ("AbstainingClassifier",),
    "ConfusionMatrix": ("ConfusionMatrix",),
    "cross_val_interval": ("cross_val_interval",),
    "compare_estimators": ("compare_estimators",),
    "compare_folds": ("compare_folds",),
    "plot_roc": ("plot_roc", "plot_precision_recall"),
}
# Methods of large classes that stand on a further page, by its name: its heading and the methods.
FURTHER_PAGES = {
    "ConfusionMatrix": {
        "ConfusionMatrix_values": (
            "Values, intervals and gaps of a ConfusionMatrix",
            ("score", "interval", "summary", "gap", "pairwise_gaps"),
        ),
        "ConfusionMatrix_tables": (
            "Tables, groups and files of a ConfusionMatrix",
            (
                *("from_frame", "to_frame", "to_table", "from_dict", "to_dict"),
                *("sum", "sel", "stack", "with_labels", "relabel", "add"),
                *("at_prevalence", "normalize", "most_confused"),
            ),
        ),
    },
    "ThresholdCurve": {
        "ThresholdCurve_areas": (
            "Areas and intervals of a ThresholdCurve",
            (
                *("roc", "precision_recall", "roc_auc", "roc_auc_bounds", "average_precision"),
                "interval",
            ),
        )
    },
}


def api_pages():
    """The text of each page: a task of the package's docstring with what is no metric, since each
    metric has its page in docs/metrics/.
    """
    metrics = {row.function for row in METRICS}
    pages = {}
    _, tasks = skmetrics_ext.__doc__.strip().split("What there is, by task:\n\n")
    for task in tasks.split("\n\n"):
        heading, lines = task.split("\n", 1)
        if names := [name for name in re.findall(r"`(\w+)`", lines) if name not in metrics]:
            name = re.sub(r"\W+", "_", heading.partition(":")[0].lower())
            about = f"From [{heading.partition(':')[0].lower()}]({name}.md)."
            for own, of_page in OWN_PAGES.items():
                if own in names:
                    for each in of_page:
                        lines = lines.replace(
                            f"`{each}`", f"[`{each}`]({own}.md#{path_of(each)})", 1
                        )
                    names = [each for each in names if each not in of_page]
                    pages |= pages_of(own, about, of_page, TASKS[name])
            pages[f"{name}.md"] = page(heading, lines, names, TASKS[name])
    about, lines = results.__doc__.split("\n\n", 1)
    names = re.findall(r"`(\w+)`", lines)
    pages["results.md"] = page(
        "What calls return", f"{about}\n\n{lines}".strip(), names, "how_certain"
    )
    return pages


def pages_of(name, about, names, task):
    """The page of what has its own, and those of the methods that stand on further pages."""
    further = FURTHER_PAGES.get(name, {})
    links = "".join(
        f" [{heading}]({file}.md): {', '.join(f'`{each}`' for each in methods)}."
        for file, (heading, methods) in further.items()
    )
    pages = {f"{name}.md": page(name, about + links, names, task)}
    for file, (heading, methods) in further.items():
        said = f"From [{name}]({name}.md)."
        pages[f"{file}.md"] = page(heading, said, [f"{name}.{each}" for each in methods], task)
    return pages


def page(heading, text, names, task):
    """A page of the reference: mkdocstrings puts what it says of a name in place of each line with
    colons. It ends with the task in which the names are used.
    """
    way_on = f"Next: [{title_of(DOCS / 'tasks' / f'{task}.md')}](../tasks/{task}.md)."
    entries = [entry(name) for name in names]
    return "\n\n".join([f"# {heading}", text, *entries, "---", way_on]) + "\n"


def entry(name):
    """What mkdocstrings replaces: a class without the methods that stand on further pages."""
    further = FURTHER_PAGES.get(name, {}).values()
    moved = {method for _, methods in further for method in methods}
    if not moved:
        return f"::: {path_of(name)}"
    return (
        f'::: {path_of(name)}\n    options:\n      filters:\n        - "!^_"\n'
        f'        - "!^({"|".join(sorted(moved))})$"'
    )


def title_of(path):
    """The title of a page."""
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def navigation():
    """The pages and sections of the navigation that are there."""
    there = [(title, DOCS / name) for name, title in TOP.items() if (DOCS / name).exists()]
    return [{title: section(path) if path.is_dir() else path.name} for title, path in there]


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
    if not options.check:
        for name, text in api_pages().items():
            (DOCS / "api" / name).write_text(text, encoding="utf-8")
        SETTINGS.write_text(settings(), encoding="utf-8")
        return 0
    different = [name for name, text in api_pages().items() if text_of(DOCS / "api" / name) != text]
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
