"""Columns of data frames that hold more than plain numbers and texts."""

import numpy as np
import pytest

from skmetrics_ext.writing.frames import frame

LARGE = 2**64 - 1


def entries_of(column, backend):
    frame_of = frame({"x": column}, backend)
    return frame_of.to_pydict()["x"] if backend == "pyarrow" else frame_of["x"].to_list()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_missing_entries_are_null_and_large_integers_exact(backend):
    assert entries_of([0, LARGE], backend) == [0, LARGE]
    # Beyond every type, as text.
    for column in ([LARGE, None], [2**64, None], [-1, LARGE]):
        found = entries_of(column, backend)
        assert found[1] is None or found[1] != found[1] or found[1] == str(column[1])
        assert found[0] == str(column[0])
    # No library has nanoseconds with these.
    late = np.array(["NaT", "1970-01-02T00:00:00.000000000001"], "M8[ps]")
    missing, shown = entries_of(late, backend)
    assert missing is None or missing != missing
    assert shown == "1970-01-02T00:00:00.000000000001"
    day = np.datetime64("2026-01-01")
    known, missing = entries_of([day, None], backend)
    assert np.datetime64(known, "D") == day
    assert missing is None or missing != missing
