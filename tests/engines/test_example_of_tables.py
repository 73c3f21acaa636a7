"""The example of large tables runs, and says the same by both engines."""

import contextlib
import io
import runpy
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "large_tables.py"


def test_the_example_of_large_tables_prints_a_readable_table():
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = output.getvalue().splitlines()
    assert len(lines) > 10
    assert max(map(len, lines)) <= 100
    assert "nan" not in output.getvalue()
