"""Long work reports its progress on stderr on request."""

import io
import re
import sys

import numpy as np
import polars as pl
import pytest

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, compare
from skmetrics_ext.writing import progress as room
from skmetrics_ext.writing.progress import progress_of

Y = np.arange(60) % 3
MODELS = {
    "a": np.roll(Y, 1),
    "b": np.where(np.arange(60) % 7, Y, 0),
    "c": np.where(np.arange(60) % 5, Y, 1),
}
LOANS = pl.DataFrame({"late": [0, 0, 1, 1], "risk": [0.1, 0.3, 0.3, 0.9], "said": [0, 1, 1, 1]})


@pytest.fixture
def clock(monkeypatch):
    """A clock that does not run until it is set."""
    now = [100.0]
    monkeypatch.setattr(room.time, "perf_counter", lambda: now[0])
    return now


def compared(**options):
    metrics = ["overlap_coefficient_macro", "overlap_coefficient_weighted"]
    return compare(Y, MODELS, metrics, n_resamples=200, random_state=0, **options)


def counted(**options):
    return ConfusionMatrix.from_frame(LOANS, "late", "said", **options)


def curve(**options):
    return ThresholdCurve.from_frame(LOANS, "late", "risk", **options)


def test_steps_are_shown_a_second_apart_and_stages_always(clock, capsys):
    progress = progress_of("work", 1)
    progress.step("at once")
    clock[0] += 0.99
    progress.step("too early")
    clock[0] += 0.01
    progress.step("a second later")
    clock[0] += 0.5
    progress.step("too early again")
    progress.stage("a stage")
    clock[0] += 1
    progress.step("a second after the stage")
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.splitlines() == [
        "[work] 1.0 s: a second later",
        "[work] 1.5 s: a stage",
        "[work] 2.5 s: a second after the stage",
    ]


def closed_stream():
    stream = io.StringIO()
    stream.close()
    return stream


class BrokenPipe(io.StringIO):
    def write(self, _):
        raise BrokenPipeError


@pytest.mark.parametrize(
    "stream", [None, closed_stream(), BrokenPipe()], ids=["no console", "closed", "broken"]
)
def test_work_goes_on_in_silence_where_there_is_no_stderr(stream, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", stream)
    assert counted(verbose=1) == counted()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("verbose", [0, False])
@pytest.mark.parametrize("work", [compared, counted, curve])
def test_nothing_is_printed_by_default(work, verbose, capsys):
    work(verbose=verbose)
    work()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("verbose", [-1, "yes", 1.0, None])
@pytest.mark.parametrize("work", [compared, counted, curve])
def test_verbose_must_be_a_number(work, verbose):
    with pytest.raises(ValueError, match="non-negative integer"):
        work(verbose=verbose)


def test_a_comparison_says_which_row_it_computes(monkeypatch, capsys):
    monkeypatch.setattr(room, "PAUSE", 0)
    found = compared(verbose=1)
    assert repr(found) == repr(compared())
    lines = [re.sub(r"\d+\.\d s", "_ s", line) for line in capsys.readouterr().err.splitlines()]
    first, last = (f"[compare] _ s: {n} of 6 rows; " for n in (0, 5))
    assert lines[0] == f"{first}overlap_coefficient_macro of 'a' and 'b', 200 of 200 replicates"
    assert any(
        line.startswith(f"{last}overlap_coefficient_weighted of 'b' and 'c'") for line in lines
    )
    assert lines[-1] == "[compare] _ s: 6 of 6 rows"


@pytest.mark.filterwarnings("ignore:too few samples")
def test_replicates_of_a_bootstrap_are_counted(monkeypatch, capsys):
    monkeypatch.setattr(room, "PAUSE", 0)
    models = {name: MODELS[name] for name in "ab"}
    compare(Y, models, "f1_macro", method="bootstrap", n_resamples=300, verbose=True)
    assert "f1_macro of 'a' and 'b', 300 of 300 replicates" in capsys.readouterr().err


@pytest.mark.parametrize(("work", "groups"), [(counted, 3), (curve, 4)])
def test_tables_say_which_engine_groups_them_and_what_it_found(work, groups, capsys):
    assert repr(work(verbose=1)) == repr(work())
    started, found = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"\[from_frame\] 0\.\d s: rows are grouped by polars", started)
    assert re.fullmatch(rf"\[from_frame\] \d+\.\d s: 4 rows in {groups} groups", found)
