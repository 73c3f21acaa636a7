"""Copies the examples to docs/scripts/, from where the gallery shows them and they are downloaded.

The site has no other files than those of docs/.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SCRIPTS = ROOT / "docs" / "scripts"
COMMAND = "python -m tests.docs.gallery_scripts"


def main(arguments=None):
    """Copy the scripts, or check them; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Copy the examples to the site.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a script differs"
    )
    options = parser.parse_args(arguments)
    texts, copies = texts_of(EXAMPLES), texts_of(SCRIPTS)
    different = sorted(name for name in texts | copies if texts.get(name) != copies.get(name))
    for name in different:
        if options.check:
            print(f"docs/scripts/{name} is not examples/{name}. To write it, run: {COMMAND}")
        elif name in texts:
            (SCRIPTS / name).write_text(texts[name], encoding="utf-8")
        else:
            (SCRIPTS / name).unlink()
    return int(options.check and bool(different))


def texts_of(folder):
    """The scripts of a folder by their names."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}


if __name__ == "__main__":
    sys.exit(main())
