"""The command `check` where only DuckDB reads files."""

import pytest

from tests import test_command as command


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_duckdb_reads_each_file(suffix, tmp_path, monkeypatch, capsys):
    command.test_each_library_reads_each_file("duckdb", suffix, tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("labels", "given", "shown"), [((0, 1), "1", "1"), (("0", "1"), "1", "'1'")]
)
def test_the_positive_class_is_read_in_the_type_of_the_column(
    labels, given, shown, tmp_path, monkeypatch, capsys
):
    command.test_the_positive_class_is_read_in_the_type_of_the_column(
        "duckdb", labels, given, shown, tmp_path, monkeypatch, capsys
    )
