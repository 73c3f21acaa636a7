"""Writes the shared descriptions of parameters into docstrings; `--check` compares them."""

import argparse
import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import skmetrics_ext
from tests.docs.parameter_texts import OWN, OWN_TEXTS, OWN_WORDS, TEXTS, Text
from tests.public_names import PUBLIC

PACKAGE = Path(skmetrics_ext.__file__).parent
COMMAND = "python -m tests.docs.docstring_parameters"
WIDTH = 100
Documented = ast.FunctionDef | ast.ClassDef


class Entry(NamedTuple):
    """A parameter in a docstring: whose it is, its lines in the file, and what they say."""

    owner: str
    first: int
    end: int
    names: str
    type: str
    default: str
    text: str


def main(arguments: list[str] | None = None) -> int:
    """Write the docstrings, or compare them; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Write the shared descriptions of parameters into docstrings."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a docstring differs"
    )
    only_check = parser.parse_args(arguments).check
    differs = False
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        rewritten, changed = with_shared_texts(source)
        differs |= bool(changed)
        if changed and only_check:
            said = ", ".join(f"{entry.names} of {entry.owner}" for entry in changed)
            print(
                f"{path.relative_to(PACKAGE.parent)}: tests/docs/parameter_texts.py has other "
                f"words for {said}. Change them there, or name a meaning of its own in OWN_TEXTS; "
                f"to write the docstrings: {COMMAND}"
            )
        elif changed:
            path.write_text(rewritten, encoding="utf-8")
    return int(only_check and differs)


def with_shared_texts(source: str) -> tuple[str, list[Entry]]:
    """A file whose entries have the shared texts, and the entries that had others."""
    lines = source.splitlines()
    changed = []
    # From the end: the numbers of the lines above stay.
    for node, entry in reversed(entries_of(source)):
        text = shared_text(entry)
        if text is None:
            continue
        indent = len(lines[entry.first]) - len(lines[entry.first].lstrip())
        block = as_written(entry, text, default_of(node, entry), " " * indent)
        if lines[entry.first : entry.end] != block:
            lines[entry.first : entry.end] = block
            changed.append(entry)
    return "\n".join(lines) + "\n" * source.endswith("\n"), changed[::-1]


@cache
def entries_of(source: str) -> tuple[tuple[Documented, Entry], ...]:
    """The entries below "Parameters" of all public docstrings of a file, from top to bottom."""
    return tuple(_entries_of(source)) if "Parameters" in source else ()


def _entries_of(source: str) -> Iterator[tuple[Documented, Entry]]:
    lines = source.splitlines()
    for owner, node in public_nodes(ast.parse(source)):
        first, last = lines_of_parameters(lines, node)
        indent = " " * (len(lines[first - 1]) - len(lines[first - 1].lstrip()))
        is_head = [
            re.match(rf"{indent}\S", line) is not None and not lines[k - 1].endswith("\\")
            for k, line in enumerate(lines[:last])
        ]
        heads = [k for k in range(first, last) if is_head[k]]
        ends = [*heads[1:], last]
        for start, end in zip(heads, ends, strict=False):
            yield node, entry_of(owner, lines[start:end], start)


def public_nodes(tree: ast.Module) -> Iterator[tuple[str, Documented]]:
    """Public functions, classes and their methods, by the names that users know."""
    for node in tree.body:
        if isinstance(node, Documented) and node.name in PUBLIC:
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        yield f"{node.name}.{method.name}", method


def lines_of_parameters(lines: list[str], node: Documented) -> tuple[int, int]:
    """The first line below the heading "Parameters", and the one after the last entry."""
    if not ast.get_docstring(node):
        return 1, 1
    docstring = node.body[0]
    start, end = docstring.lineno - 1, (docstring.end_lineno or 0) - 1
    found = [k for k in range(start, end) if lines[k].strip() == "Parameters"]
    if not found:
        return 1, 1
    first = found[0] + 2
    for k in range(first, end):
        if not lines[k].strip():
            return first, k
    return first, end


def entry_of(owner: str, lines: list[str], first: int) -> Entry:
    """An entry of its lines, of which those that end with a backslash are one with the next."""
    whole = "\n".join(lines).replace("\\\n", "")
    head, _, text = whole.partition("\n")
    names, _, kind = head.strip().partition(" : ")
    kind, has_default, default = kind.partition(", default=")
    given = default if has_default else ""
    return Entry(owner, first, first + len(lines), names, kind, given, " ".join(text.split()))


def shared_text(entry: Entry) -> Text | None:
    """The text that an entry should have; None where its own words are meant."""
    texts = TEXTS.get(entry.names, [])
    of_owner = [text for text in texts if entry.owner in text.of]
    if of_owner:
        return of_owner[0]
    has_own = entry.owner in OWN_TEXTS.get(entry.names, {})
    of_others = [] if has_own else [text for text in texts if not text.of]
    return of_others[0] if of_others else None


def default_of(node: Documented, entry: Entry) -> str:
    """The default that the docstring names or, of an entry that is only a name, the signature's."""
    if entry.type or entry.text:
        return entry.default
    if isinstance(node, ast.ClassDef):
        (node,) = (
            method
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "__init__"
        )
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(
        zip([argument.arg for argument in positional][::-1], arguments.defaults[::-1], strict=False)
    )
    keywords = [argument.arg for argument in arguments.kwonlyargs]
    defaults |= {
        name: value
        for name, value in zip(keywords, arguments.kw_defaults, strict=True)
        if value is not None
    }
    if entry.names not in defaults:
        return ""
    return ast.unparse(defaults[entry.names]).replace("'", '"')


def as_written(entry: Entry, text: Text, default: str, indent: str) -> list[str]:
    """The lines of an entry."""
    said = text.text
    if OWN in said:
        own = re.search(OWN_WORDS, entry.text)
        if own is None:
            raise ValueError(
                f'{entry.owner}: {entry.names} should say where the formula is 0/0 and what "warn" '
                "gives there, as in '0/0 (a class that is never predicted). \"warn\": 0'."
            )
        said = said.replace(OWN, own.group())
    kind = f"{text.type}, default={default}" if default else text.type
    head = f"{indent}{entry.names} : {kind}" if kind else f"{indent}{entry.names}"
    # numpydoc reads a head as one line, which a backslash continues in the source.
    heads = [head]
    if len(head) > WIDTH:
        heads = textwrap.wrap(head, WIDTH - 2, break_on_hyphens=False, break_long_words=False)
    head_lines = [f"{line} \\" for line in heads[:-1]] + heads[-1:]
    body = textwrap.wrap(
        said,
        WIDTH,
        initial_indent=f"{indent}    ",
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*head_lines, *body]


if __name__ == "__main__":
    sys.exit(main())
