"""The gallery has every example, with its output and its plot, and the start page its plot."""

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from skmetrics_ext import ConfusionMatrix
from tests.docs.gallery import (
    BEFORE,
    EXAMPLES,
    GALLERY,
    MOST_BYTES,
    OF_OTHERS,
    PAGES,
    PICTURES,
    draw_page,
    is_shown,
    main,
    names_of_examples,
    place_of_output,
    run_example,
)
from tests.docs.gallery_scripts import SCRIPTS
from tests.docs.gallery_scripts import main as copy_scripts

TEXT = GALLERY.read_text(encoding="utf-8")

NAMES = names_of_examples()


def check_output(name, folder):
    """An example prints what the gallery shows, in lines that fit a page, and saves a plot."""
    output = run_example(name, folder)
    lines = output.splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= 100
    assert not re.search(r"\bnan\b", output)
    assert lines[-1] == f"The plot is in {name}.png"
    with Image.open(folder / f"{name}.png") as image:
        assert image.format == "PNG"
    assert is_shown(name, output), f"run python -m tests.docs.gallery {name}"
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_OTHERS])
def test_examples_print_what_the_gallery_says(name, tmp_path):
    """Nothing else runs these scripts whole."""
    check_output(name, tmp_path)


def test_every_example_stands_once_in_the_gallery_with_its_script_its_picture_and_words_for_it():
    pictures = re.findall(r"^!\[(.+)\]\(pictures/(\w+)\.png\)", TEXT, re.MULTILINE)
    assert sorted(re.findall(r"^python examples/(\w+)\.py", TEXT, re.MULTILINE)) == NAMES
    assert sorted(name for _, name in pictures) == NAMES
    assert min(len(words) for words, _ in pictures) > 40
    for name in NAMES:
        is_shown(name, "")


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_every_terminal_can_show(name):
    assert TEXT[place_of_output(TEXT, name)].isascii()


def test_pictures_are_small_and_each_stands_on_a_page():
    pages = [*PICTURES.parent.rglob("*.md"), *PAGES.values()]
    texts = "".join(path.read_text(encoding="utf-8") for path in pages)
    assert {path.name for path in PICTURES.iterdir()} == set(
        re.findall(r"\]\((?:\.\./|docs/)*pictures/(.+?)\)", texts)
    )
    for path in PICTURES.iterdir():
        assert path.stat().st_size <= MOST_BYTES, path.name
        with Image.open(path) as image:
            assert image.format == "PNG"
            image.verify()
            assert 350 <= image.width <= 2000, path.name


def test_the_gallery_begins_with_its_questions_in_their_order():
    listed = re.findall(r"^- \[(.+)\]\(#(.+)\)$", TEXT, re.MULTILINE)
    assert [question for question, _ in listed] == re.findall(r"^## (.+\?)$", TEXT, re.MULTILINE)
    for question, anchor in listed:
        assert re.sub(r"[^\w -]", "", question).lower().replace(" ", "-") == anchor


def test_thumbnails_lead_to_the_example_of_their_picture():
    thumbnails = re.findall(r"^\[!\[.+\]\(pictures/(\w+)\.png\).*\]\(#(.+)\)$", TEXT, re.MULTILINE)
    assert sorted(name for name, _ in thumbnails) == NAMES
    sections = re.split(r"^## (.+)\n", TEXT, flags=re.MULTILINE)
    for question, text in zip(sections[1::2], sections[2::2], strict=True):
        [name] = re.findall(r"^!\[.+\]\(pictures/(\w+)\.png\)", text, re.MULTILINE)
        anchor = re.sub(r"[^\w -]", "", question).lower().replace(" ", "-")
        assert (name, anchor) in thumbnails


@pytest.mark.parametrize("name", NAMES)
def test_the_script_is_shown_and_can_be_downloaded_before_what_it_prints(name):
    before = TEXT[: place_of_output(TEXT, name).start]
    assert before.rpartition("## ")[2].count(f'--8<-- "docs/scripts/{name}.py"') == 1
    assert before.rpartition("## ")[2].count(f"(scripts/{name}.py)") == 1
    assert SCRIPTS.joinpath(f"{name}.py").read_bytes() == (EXAMPLES / f"{name}.py").read_bytes()


def test_copies_of_scripts_follow_the_examples(tmp_path, monkeypatch, capsys):
    examples, scripts = tmp_path / "examples", tmp_path / "scripts"
    for folder, name, text in (
        (examples, "new", "1"),
        (examples, "both", "2"),
        (scripts, "both", "3"),
        (scripts, "old", "4"),
    ):
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr("tests.docs.gallery_scripts.EXAMPLES", examples)
    monkeypatch.setattr("tests.docs.gallery_scripts.SCRIPTS", scripts)
    assert copy_scripts(["--check"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert {path.name for path in scripts.iterdir()} == {"both.py", "old.py"}
    assert copy_scripts([]) == 0
    assert {path.name: path.read_text() for path in scripts.iterdir()} == {
        "new.py": "1",
        "both.py": "2",
    }
    assert copy_scripts(["--check"]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_examples_say_how_to_run_them(name):
    first = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").split('"""')[1]
    assert f"`python examples/{name}.py [PLOT]`" in " ".join(first.split())
    assert re.search(r"pip install '(skmetrics-ext|\.)\[.*plot.*\]'", first)


@pytest.mark.parametrize("name", PAGES)
def test_pages_show_the_plot_of_their_code(name, tmp_path):
    draw_page(name, tmp_path)
    drawn_at, shown_at = tmp_path / f"{name}.png", PICTURES / f"{name}.png"
    with Image.open(drawn_at) as drawn, Image.open(shown_at) as shown:
        assert drawn.size == shown.size
    assert f"pictures/{name}.png)" in PAGES[name].read_text(encoding="utf-8")


def test_without_a_path_the_picture_is_with_the_temporary_files(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["examples/grid_search.py"])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    of_example = runpy.run_path(str(EXAMPLES / "grid_search.py"))
    of_example["picture"](
        {"one": ConfusionMatrix.from_counts(np.eye(2, dtype=int), labels=["no", "yes"])}
    )
    assert capsys.readouterr().out == f"\nThe plot is in {tmp_path / 'grid_search.png'}\n"
    assert (tmp_path / "grid_search.png").read_bytes().startswith(b"\x89PNG")


def test_the_first_example_does_without_matplotlib(monkeypatch, capsys):
    of_example = runpy.run_path(str(EXAMPLES / "grid_search.py"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    of_example["picture"](
        {"one": ConfusionMatrix.from_counts(np.eye(2, dtype=int), labels=["no", "yes"])}
    )
    assert capsys.readouterr().out == (
        "\nThere is no plot: plot_confusion_matrix needs matplotlib: pip install "
        "'skmetrics-ext[plot]'.\n"
    )


def test_check_fails_where_the_gallery_is_out_of_date_and_writes_nothing(
    tmp_path, monkeypatch, capsys
):
    def as_shown(name, folder):
        Image.new("RGB", (4, 3)).save(Path(folder, f"{name}.png"))
        return TEXT[place_of_output(TEXT, name)]

    monkeypatch.setattr("tests.docs.gallery.run_example", as_shown)
    old = tmp_path / "gallery.md"
    old.write_text(TEXT.replace("C = 0.001 ", "C = 0.002 "), encoding="utf-8")
    monkeypatch.setattr("tests.docs.gallery.GALLERY", old)
    monkeypatch.setattr("tests.docs.gallery.PICTURES", tmp_path)
    before = old.read_text(encoding="utf-8")
    assert main(["--check", "grid_search"]) == 1
    assert old.read_text(encoding="utf-8") == before
    assert main(["grid_search"]) == 0
    assert old.read_text(encoding="utf-8") == TEXT
    assert (tmp_path / "grid_search.png").stat().st_size < 80_000
    assert capsys.readouterr().out == 2 * "Texts that were out of date: grid_search\n"


def test_numbers_of_examples_that_need_other_libraries_may_differ(tmp_path, monkeypatch):
    shown = BEFORE.replace("{name}", "{0}")
    gallery = tmp_path / "gallery.md"
    monkeypatch.setattr("tests.docs.gallery.GALLERY", gallery)
    ending = "rows, 21 MB   9.22 s (+3)\n```\n\n</details>\n"
    for name, may_differ in (("large_tables", True), ("audit", False)):
        gallery.write_text(shown.format(name) + ending, encoding="utf-8")
        assert is_shown(name, "rows, 21 MB   9.22 s (+3)\n")
        assert is_shown(name, "rows, 121 MB 1,110.2 s (+13)\n") == may_differ
        assert not is_shown(name, "rows, 21 kB   9.22 s (+3)\n")
