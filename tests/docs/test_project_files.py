"""What the texts of the project name is there."""

import importlib
import re
import tomllib
from operator import attrgetter
from pathlib import Path

import pytest

import skmetrics_ext
from tests.public_names import PUBLIC
from tests.test_package import FOLDERS

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMPATIBILITY = (ROOT / "docs" / "backward_compatibility.md").read_text(encoding="utf-8")
FILES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/backward_compatibility.md"]
every_file = pytest.mark.parametrize("file", FILES)


def section(text, heading):
    """What stands below a heading, to the next of the same level."""
    level = heading.split(" ")[0]
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^{level} |\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert found, f"there is no {heading!r}"
    return found[1]


def section_of_list(text, key):
    """The entries below a key of YAML."""
    return re.search(rf"^{key}:\n((?:  .+\n)+)", text, re.MULTILINE)[1]


def commands(text):
    """The commands of the blocks of bash, and the tests to run for a folder."""
    blocks = [
        command
        for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
        for command in line.split(" && ")
    ]
    return blocks + re.findall(r"^- `\w+`: .+ `(pytest .+)`$", text, re.MULTILINE)


def anchors(path):
    """The headings of a file, as links name them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def file_of_module(name):
    """What `python -m` runs."""
    path = ROOT / name.replace(".", "/")
    return path / "__main__.py" if path.is_dir() else path.with_suffix(".py")


@every_file
def test_links_lead_to_files_and_headings(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    local = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("https://")]
    for link in local:
        name, _, anchor = link.partition("#")
        path = (ROOT / file).parent / name if name else ROOT / file
        assert path.is_file(), link
        assert not anchor or anchor in anchors(path), link


@every_file
def test_files_and_folders_that_are_named_exist(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+(?:/|\.(?:py|md|toml|cfg)))`", text)
    places = [ROOT, ROOT / "tests" / "benchmarks"]
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_names_in_the_changelog_are_public():
    names = re.findall(r"`([A-Za-z]\w*(?:\.\w+)*)`", CHANGELOG)
    assert len(names) > 30
    for name in set(names):
        of, _, attribute = name.partition(".")
        assert of in PUBLIC, name
        if attribute:
            attrgetter(attribute)(PUBLIC[of])


def test_headings_of_the_changelog_are_those_of_keep_a_changelog():
    kinds = re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)
    assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    releases = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    released = re.search(r"^date-released: (.+)$", citation, re.MULTILINE)[1]
    newest, *_ = [name for name in releases if name != "[Unreleased]"]
    assert newest == f"[{skmetrics_ext.__version__}] - {released}"


def test_the_layout_lists_the_folders_of_the_package_in_their_order():
    folders = re.findall(
        r"^- `(\w+)`: (.+) `pytest .+`$", section(CONTRIBUTING, "## Package layout"), re.MULTILINE
    )
    assert [folder for folder, _ in folders] == FOLDERS
    for folder, purpose in folders:
        assert importlib.import_module(f"skmetrics_ext.{folder}").__doc__.split() == purpose.split()


def test_steps_are_numbered():
    steps = re.findall(r"^(\d+)\. ", section(CONTRIBUTING, "## Add a metric"), re.MULTILINE)
    assert steps == [str(k + 1) for k in range(len(steps))]


def test_commands_lead_to_what_exists():
    lines = commands(CONTRIBUTING)
    assert len(lines) > 8 + len(FOLDERS)
    for line in lines:
        program, *arguments = line.split()
        assert program in {"pip", "pre-commit", "pytest", "python", "zensical"}, line
        for argument in arguments:
            if "/" in argument:
                assert (ROOT / argument).exists(), line
        if arguments[0] == "-m":
            assert file_of_module(arguments[1]).is_file(), line
        if program == "pip":
            assert set(re.findall(r"\w+", arguments[-1])) <= set(
                PROJECT["optional-dependencies"]
            ), line


def test_every_place_that_pytest_is_given_has_tests():
    lines = [line.split() for line in commands(CONTRIBUTING) if line.startswith("pytest")]
    places = {argument for line in lines for argument in line if argument.startswith("tests/")}
    assert len(places) > len(FOLDERS)
    for place in places:
        path = ROOT / place
        files = [path] if path.is_file() else list(path.rglob("test_*.py"))
        assert any("\ndef test_" in file.read_text(encoding="utf-8") for file in files), place


def test_options_of_commands_are_those_of_their_files():
    for line in commands(CONTRIBUTING):
        program, *arguments = line.split()
        if program != "python":
            continue
        path = file_of_module(arguments[1]) if arguments[0] == "-m" else ROOT / arguments[0]
        for option in re.findall(r"--[\w-]+", line):
            assert f'"{option}"' in path.read_text(encoding="utf-8"), line


def test_supported_versions_are_those_of_the_project():
    rows = re.findall(
        r"^\| ([\w-]+) \| ([\d.]+) \|$",
        section(COMPATIBILITY, "## Supported versions"),
        re.MULTILINE,
    )
    needed = [f"Python>={PROJECT['requires-python'].removeprefix('>=')}", *PROJECT["dependencies"]]
    assert sorted(f"{package}>={oldest}" for package, oldest in rows) == sorted(needed)
    oldest = int(PROJECT["requires-python"].removeprefix(">=3."))
    classified = [
        int(text) for text in re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))
    ]
    assert classified == list(range(oldest, oldest + len(classified)))
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or newer" in CONTRIBUTING


def test_the_page_on_compatibility_is_one_screen():
    assert len(COMPATIBILITY.splitlines()) <= 60


def test_the_citation_is_of_this_version_and_of_its_holder():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([\w-]+): (.+)$", text, re.MULTILINE))
    assert {"message", "abstract"} <= fields.keys()
    assert (fields["cff-version"], fields["title"]) == ("1.2.0", PROJECT["name"])
    assert (fields["version"], fields["license"]) == (skmetrics_ext.__version__, PROJECT["license"])
    (author,) = re.findall(r"^  - name: (.+)$", section_of_list(text, "authors"), re.MULTILINE)
    assert PROJECT["authors"] == [{"name": author}]
    assert f"{fields['date-released'][:4]}, {author}\n" in (ROOT / "LICENSE").read_text(
        encoding="utf-8"
    )
    assert (
        re.findall(r"^  - (.+)$", section_of_list(text, "keywords"), re.MULTILINE)
        == PROJECT["keywords"]
    )


def test_links_of_the_readme_are_relative_until_an_address_is_known():
    """So that they hold wherever the project is: what would be a link to itself is
    none to a host.
    """
    if PROJECT["urls"]:
        return
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"(?:\]\(|src=\"|href=\")[^)\"]*//[^)\"]*skmetrics[^)\"]*", readme) == []
    assert re.findall(r"!\[[^]]*\]\(\w+:", readme) == []


def test_hooks_run_tools_of_the_extra_dev():
    hooks = re.findall(
        r"^ +entry: (\w+)",
        (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert hooks
    assert set(hooks) <= set(PROJECT["optional-dependencies"]["dev"])
    assert "pre-commit" in PROJECT["optional-dependencies"]["dev"]


def stages_of_ci(scope):
    """What each stage of a scope runs, by its name."""
    bodies = dict(re.findall(r"^([\w.]+)\(\) \{\n(.*?)^\}", CI, re.MULTILINE | re.DOTALL))
    names = re.search(rf"^{scope}=\(\n(.*?)^\)", CI, re.MULTILINE | re.DOTALL)[1].split()
    return {name: bodies[name] for name in names}


def test_ci_leaves_nothing_out():
    run = "".join(stages_of_ci("all").values())
    # Folders of tests that pytest runs only by their names.
    patterns = SETTINGS["tool"]["pytest"]["ini_options"]["norecursedirs"]
    folders = {path.name for path in (ROOT / "tests").iterdir() if list(path.glob("test_*.py"))}
    others = {pattern.removeprefix("tests/") for pattern in patterns} & folders
    assert others == {"engines", "hugging_face", "integration", "site", "spark"}
    assert {folder for folder in others if f"run_pytest tests/{folder}\n" not in run} == set()
    assert 'run_pytest -m "slow or not slow" --cov' in run
    # Each line of the README and of CONTRIBUTING that installs something and tests it.
    lines = [
        line
        for name in ("README.md", "CONTRIBUTING.md")
        for line in re.findall(
            r"^pip install .+ && .+$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    named = dict(re.findall(r"^(\w+)=\$\(line_of [A-Z]+\.md '(.+)'\)$", CI, re.MULTILINE))
    assert len(lines) == len(named) > 5
    for line in lines:
        (name,) = (name for name, start in named.items() if line.startswith(start))
        assert f'"${name}"' in run, line


def test_ci_runs_at_a_landing_what_is_quick():
    run = "".join(stages_of_ci("landing").values())
    parts = ('"$example"', '"$tests" pytest-cov', '"$engines"', '"$site"', "numpy==2.0.0", "/wheel")
    assert [part for part in parts if part not in run] == []
    oldest = [part.replace(">=", "==") for part in PROJECT["dependencies"]]
    assert f"{' '.join(f'{part}.0' for part in oldest)}\n" in run
