"""Writes the output of the examples to docs/gallery.md, and their plots to docs/pictures/."""

import argparse
import contextlib
import io
import re
import runpy
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt
from PIL import Image

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# Pages outside of docs/ whose own code draws a picture.
PAGES = {"summary": ROOT / "README.md"}
GALLERY = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "pictures"
# Twice as many pixels as are shown, for sharp screens, and the background of the page, be it light
# or dark.
SHARP = {"savefig.dpi": 200, "savefig.transparent": True}
MOST_BYTES = 60_000
# They need other libraries, are run with the tests for these, and print different numbers on
# different machines.
OF_OTHERS = ("large_tables", "neural_network")
# Their last digits vary with NumPy's version, as its gamma variables do.
OF_VERSIONS = ("judge", "partly_labelled")
# The lines around the output of an example.
BEFORE = """```bash
python examples/{name}.py {name}.png
```

<details markdown="1"><summary>What it prints</summary>

```text
"""
AFTER = "```\n\n</details>\n"


def names_of_examples():
    return sorted(path.stem for path in EXAMPLES.glob("*.py"))


def run_example(name, folder):
    """The output of an example, run by the gallery's command in a folder, where it
    saves its plot.
    """
    output = io.StringIO()
    arguments, sys.argv = sys.argv, [f"examples/{name}.py", f"{name}.png"]
    try:
        with contextlib.redirect_stdout(output), contextlib.chdir(folder), mpl.rc_context(SHARP):
            runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    finally:
        sys.argv = arguments
        plt.close("all")
    return output.getvalue()


def draw_page(name, folder):
    """Save the plot of a page, drawn by its own code, in a folder; a plot may be named in a
    sentence after the code that makes what it shows.
    """
    text = PAGES[name].read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    drawn_in_a_sentence = re.findall(r"^`(plot_\w+)(\(.+?\))` draws", text, re.MULTILINE)
    if drawn_in_a_sentence:
        [(function, arguments)] = drawn_in_a_sentence
        blocks = [blocks[0], f"from skmetrics_ext import {function}", f"{function}{arguments}"]
    with contextlib.redirect_stdout(io.StringIO()):
        exec("\n".join(blocks), {})
    # Opaque, since README.md is also read where no style sheet follows the background.
    plt.savefig(Path(folder, f"{name}.png"), dpi=SHARP["savefig.dpi"])
    plt.close("all")


def place_of_output(text, name):
    """Where the output of an example is in the gallery."""
    before = BEFORE.format(name=name)
    if text.count(before) != 1:
        raise ValueError(f"docs/gallery.md must have this once:\n{before}")
    start = text.index(before) + len(before)
    return slice(start, text.index(AFTER, start))


def is_shown(name, output):
    """Whether the gallery has this output, except for numbers if the example's numbers differ
    between machines.
    """
    text = GALLERY.read_text(encoding="utf-8")
    texts = [text[place_of_output(text, name)], output]
    if name in OF_OTHERS + OF_VERSIONS:
        texts = [re.sub(r" *[+-]?\d[\d,.]*", " 0", text) for text in texts]
    return texts[0] == texts[1]


def write(name, output):
    """Write the output of an example."""
    text = GALLERY.read_text(encoding="utf-8")
    place = place_of_output(text, name)
    GALLERY.write_text(text[: place.start] + output + text[place.stop :], encoding="utf-8")


def save(picture):
    """Save a plot among the pictures, in 128 colors, which suffice and take a third
    of the bytes, or in fewer until it is small.
    """
    saved = PICTURES / picture.name
    for n_colors in (128, 64, 32):
        with Image.open(picture) as image:
            colors = image.convert("RGBA").quantize(n_colors, Image.Quantize.FASTOCTREE)
            colors.save(saved, optimize=True)
        if saved.stat().st_size <= MOST_BYTES:
            return


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.docs.gallery", description=__doc__)
    others = f"all but {' and '.join(OF_OTHERS)}"
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"examples, or pages with a plot of their own, {' and '.join(PAGES)}; {others}",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, and fail if a text is out of date"
    )
    options = parser.parse_args(arguments)
    old = []
    for name in options.names or [
        *PAGES,
        *(name for name in names_of_examples() if name not in OF_OTHERS),
    ]:
        with tempfile.TemporaryDirectory() as folder:
            if name in PAGES:
                draw_page(name, folder)
            else:
                output = run_example(name, folder)
                if not is_shown(name, output):
                    old.append(name)
                if not options.check:
                    write(name, output)
            if not options.check:
                save(Path(folder, f"{name}.png"))
    print(f"Texts that were out of date: {', '.join(old) or 'none'}")
    return int(options.check and bool(old))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
