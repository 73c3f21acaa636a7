"""Writes the pictures of pages to docs/pictures/: what the block of code above each draws.

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

from matplotlib import pyplot as plt

from tests.docs.gallery import PICTURES, save

DOCS = PICTURES.parent
BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
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
            plt.savefig(picture)
            save(Path(picture))
    plt.close("all")


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.docs.pictures", description=__doc__)
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    for page in parser.parse_args(arguments).pages:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            write(DOCS / page)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
