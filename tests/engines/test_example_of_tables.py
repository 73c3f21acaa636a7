"""The example of large tables runs, says the same by both engines, and prints what the gallery says."""

from tests.docs.test_gallery import check_output


def test_the_example_of_large_tables_prints_a_readable_table(tmp_path):
    check_output("large_tables", tmp_path)
