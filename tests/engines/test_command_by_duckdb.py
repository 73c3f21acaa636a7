"""The command `check` where only DuckDB reads parquet files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import test_command as command


def test_duckdb_reads_a_file(tmp_path, monkeypatch, capsys):
    command.test_each_file_is_read("duckdb", "parquet", tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("name", ["label", "Label"])
@pytest.mark.parametrize("library", ["polars", "duckdb", "pandas"])
def test_names_that_a_library_takes_for_one_are_refused(name, library, tmp_path, monkeypatch):
    labels = [pa.array(values) for values in ([0, 1], [0, 1], [1, 0])]
    pq.write_table(pa.Table.from_arrays(labels, ["label", name, "p"]), tmp_path / "a.parquet")
    command.only(library, monkeypatch)
    for asked in ("label", "label_1", f"{name}_1"):
        read = ["--actual", "p", "--predicted", asked, "--claim", "accuracy <= 0.9"]
        status = command.main(["check", str(tmp_path / "a.parquet"), *read])
        # Those that tell case apart have two names.
        assert status == (0 if name == "Label" and library != "duckdb" and asked == "label" else 3)
