"""The example of large tables runs, says the same by both engines, as the gallery does."""

import re
import runpy
import sys

from tests.docs.gallery import EXAMPLES
from tests.docs.test_gallery import check_output


def test_the_example_of_large_tables_prints_a_readable_table(tmp_path):
    check_output("large_tables", tmp_path)


def test_where_python_cannot_tell_the_memory_its_column_is_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    monkeypatch.setattr(sys, "argv", ["examples/large_tables.py", str(tmp_path / "picture.png")])
    main = runpy.run_path(str(EXAMPLES / "large_tables.py"))["main"]
    monkeypatch.setitem(
        main.__globals__, "ROWS", main.__globals__["ROWS"].replace("10000000", "10000")
    )
    main()
    first, _, *timed = capsys.readouterr().out.splitlines()[:5]
    assert first == "10,000,000 rows, 0 MB in a file"
    for line in timed:
        assert re.fullmatch(r"(matrices|curve) of [a-z0-9 ]+, (DuckDB|polars) +\d+\.\d\d s", line)
    assert (tmp_path / "picture.png").exists()
