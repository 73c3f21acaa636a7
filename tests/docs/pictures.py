"""Writes the pictures of pages to docs/pictures/: what the block of code above each draws, in twice
as many pixels as the page shows, with the width that it shows.

`python -m tests.docs.pictures PAGE ...`, such as index.md
"""

import argparse
import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path
from textwrap import dedent

import matplotlib as mpl
from matplotlib import pyplot as plt
from PIL import Image

from tests.docs.gallery import PICTURES, SHARP, save

DOCS = PICTURES.parent
BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"(!\[[^]]*\]\((?:\.\./)*pictures/(\w+\.png)\))(\{[^}\n]*\})?")
PICTURE_BELOW = re.compile(r"\s*!\[[^]]*\]\((?:\.\./)*pictures/(\w+\.png)\)")


def steps_of(page):
    """The Python of a page, block by block, each with the name of the picture below it, if any."""
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        _, info, code = block.groups()
        if info.split(" ")[0] == "python":
            below = PICTURE_BELOW.match(text, block.end())
            yield dedent(code), below and below[1]


def write(page):
    """Write the pictures of a page, whose code may write files here."""
    namespace = {"__name__": "page"}
    for code, picture in steps_of(page):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, namespace)
        if picture is not None:
            with mpl.rc_context(SHARP):
                plt.savefig(picture)
            save(Path(picture))
    plt.close("all")
    page.write_text(with_widths(page.read_text(encoding="utf-8")), encoding="utf-8")


def with_widths(text):
    """The text of a page, whose pictures are shown at half of their width."""

    def shown(match):
        link, name, _ = match.groups()
        with Image.open(PICTURES / name) as image:
            return f'{link}{{ width="{image.width // 2}" }}'

    return PICTURE.sub(shown, text)


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.docs.pictures", description=__doc__)
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    for page in parser.parse_args(arguments).pages:
        # A page may set options of all plots.
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), mpl.rc_context():
            write(DOCS / page)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
