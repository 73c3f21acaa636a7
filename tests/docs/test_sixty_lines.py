"""What docs/sixty_lines.md says was measured is what was measured, and can be measured again."""

import json
import re
from pathlib import Path

from tests.benchmarks.sixty_lines import CASES, RESULTS, measured

TEXT = (Path(__file__).parents[2] / "docs" / "sixty_lines.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+?) \| .+? \| (\d+) % \| (\d+) % \|$", TEXT, re.MULTILINE)


def test_the_table_has_what_was_measured():
    results = json.loads(RESULTS.read_text())
    assert [name for name, *_ in ROWS] == [*CASES]
    said = {name: [int(share) for share in shares] for name, *shares in ROWS}
    assert said == {name: [round(100 * share) for share in results[name]] for name in CASES}


def test_the_lines_and_the_package_are_measured_on_the_same_data():
    for name in ("a recall that is kept", "a gate that is passed"):
        lines, package = measured(CASES[name], draws=3)
        assert 0 <= lines <= 1
        assert 0 <= package <= 1
