"""The command `python -m skmetrics_ext check`: its exit status, and columns in their own types."""

import json
import subprocess
import sys

import polars as pl
import pytest

from skmetrics_ext.__main__ import main

ROWS = (
    [(1, 1, "F")] * 60
    + [(0, 0, "F")] * 60
    + [(1, 1, "M")] * 50
    + [(1, 0, "M")] * 50
    + [(0, 0, "M")] * 100
)
LIBRARIES = ("polars", "pandas")
READ = ["--actual", "y", "--predicted", "p"]


def only(library, monkeypatch):
    """Hide the other libraries that read files."""
    for other in {*LIBRARIES, "duckdb"} - {library}:
        monkeypatch.setitem(sys.modules, other, None)


def written(path, rows=ROWS):
    """A file of rows."""
    if path.suffix == ".parquet":
        pl.DataFrame(rows, schema=list("yps"), orient="row").write_parquet(path)
    elif path.suffix == ".csv":
        path.write_text("y,p,s\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    else:
        path.write_text(
            "".join(json.dumps(dict(zip("yps", row, strict=True))) + "\n" for row in rows)
        )
    return str(path)


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_each_library_reads_each_file(library, suffix, tmp_path, monkeypatch, capsys):
    file = written(tmp_path / f"predictions.{suffix}")
    only(library, monkeypatch)
    assert (
        main(["check", file, *READ, "--pos-label", "1", "--by", "s", "--claim", "recall >= 0.9"])
        == 1
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[5:7] for line in lines[2:]] == [["F", "pass"], ["M", "fail"]]


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        (["specificity >= 0.9"], 0),
        (["specificity >= 0.9", "recall>=0.9"], 1),
        (["recall >= 0.7", "specificity >= 0.9"], 2),
        (["recall >= 0.6", "recall <= 0.8"], 0),
        (["recall >= 0.6", "recall >= 0.7"], 3),
        (["recall > 0.6"], 3),
        (["recall >= high"], 3),
        (["recal >= 0.6"], 3),
        (["recall >= 60"], 3),
    ],
)
def test_the_exit_status_is_the_verdict(claims, status, tmp_path, capsys):
    arguments = [part for claim in claims for part in ("--claim", claim)]
    assert main(["check", written(tmp_path / "a.csv"), *READ, *arguments]) == status
    captured = capsys.readouterr()
    assert bool(captured.out) == (status < 3) != bool(captured.err)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["watch"],
        ["check"],
        ["check", "none.csv"],
        ["check", "none.csv", *READ, "--claim", "recall >= 0.9"],
        ["check", "none.xlsx", *READ, "--claim", "recall >= 0.9"],
        ["check", "none.csv", *READ, "--claim", "recall >= 0.9", "--confidence-level", "high"],
    ],
)
def test_bad_calls_have_a_status_of_their_own(arguments, capsys):
    assert main(arguments) == 3
    assert capsys.readouterr().err


def test_help_is_no_error(capsys):
    assert main(["check", "--help"]) == 0
    assert "0 pass, 1 fail, 2 cannot tell, 3 error" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "given", "shown"),
    [
        ((1, 2), "2", "2"),
        (("1", "2"), "2", "'2'"),
        (("no", "yes"), "yes", "'yes'"),
        ((False, True), "true", "True"),
        ((False, True), "False", "False"),
        ((1.0, 2.0), "2", "2.0"),
    ],
)
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_positive_class_is_read_in_the_type_of_the_column(
    library, labels, given, shown, tmp_path, monkeypatch, capsys
):
    only(library, monkeypatch)
    rows = [(labels[true], labels[predicted], group) for true, predicted, group in ROWS]
    file = written(tmp_path / "a.jsonl", rows)
    assert main(["check", file, *READ, "--pos-label", given, "--claim", "recall >= 0.5"]) in (0, 2)
    assert f"recall of {shown} >= 0.5" in capsys.readouterr().out
    assert main(["check", file, *READ, "--pos-label", "other", "--claim", "recall >= 0.5"]) == 3
    assert "'other' is n" in capsys.readouterr().err


@pytest.mark.slow
def test_it_runs_as_a_module(tmp_path):
    file = written(tmp_path / "a.csv")
    command = [
        sys.executable,
        "-m",
        "skmetrics_ext",
        "check",
        file,
        *READ,
        "--claim",
        "recall >= 0.9",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("Check: fail")


def test_names_that_match_other_files_are_refused(tmp_path, capsys):
    file = written(tmp_path / "a1.csv").replace("a1", "a[1]")
    assert main(["check", file, *READ, "--claim", "accuracy >= 0.1"]) == 3
    assert "could match other files" in capsys.readouterr().err
