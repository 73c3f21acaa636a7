"""Parts of pages that are generated, between two markers, and names as they are written."""

import re
from collections.abc import Callable, Iterable


def part(name: str, text: str) -> re.Match[str]:
    """The text between the markers of a part."""
    found = list(
        re.finditer(rf"(?<=<!-- generated: {name} -->\n)(.*?)(?=<!-- end -->\n)", text, re.DOTALL)
    )
    if len(found) != 1:
        raise ValueError(
            f"the text has the part {name!r} {len(found)} times: it needs one line '<!-- "
            f"generated: {name} -->' and "
            "below it a line '<!-- end -->'."
        )
    return found[0]


def with_parts(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """The text with all parts as they should be."""
    for name, make in parts.items():
        place = part(name, text)
        text = text[: place.start()] + make() + text[place.end() :]
    return text


def code(text: str) -> str:
    """As it is written in a program."""
    return f"`{text}`"


def codes(names: Iterable[str]) -> str:
    """Several such names."""
    return ", ".join(map(code, names))
