"""The site, built once for the tests of its texts and of its pages in a browser."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built site. It is built from a copy, since Zensical keeps pages in a cache
    beside docs/.
    """
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "docs", copy / "docs")
    for name in (".zensical.toml", "tests/site/reference.py"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "zensical", "build", "-f", ".zensical.toml", "--strict"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    built = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=300
    )
    assert built.returncode == 0, built.stdout + built.stderr
    # What griffe finds wrong in a docstring is no warning to Zensical.
    assert "griffe" not in built.stdout + built.stderr
    return copy / "build" / "site"
