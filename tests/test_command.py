"""The commands check and watch: their exit statuses, and columns in their own types."""

import json
import re
import runpy
import sys

import numpy as np
import polars as pl
import pytest

from skmetrics_ext import ConfusionMatrix, check, watch
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


FILES = [("polars", "parquet"), ("pandas", "parquet"), (None, "csv"), (None, "jsonl")]


@pytest.mark.parametrize(("library", "suffix"), FILES)
def test_each_file_is_read(library, suffix, tmp_path, monkeypatch, capsys):
    file = written(tmp_path / f"predictions.{suffix}")
    only(library, monkeypatch)
    assert (
        main(["check", file, *READ, "--pos-label", "1", "--by", "s", "--claim", "recall >= 0.9"])
        == 1
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[5:7] for line in lines[2:]] == [["F", "pass"], ["M", "fail"]]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("by", [[], ["s"]])
def test_clusters_are_a_column(suffix, by, tmp_path, capsys):
    random = np.random.default_rng(0)
    item = np.repeat(np.arange(60), 5)
    rows = pl.DataFrame(
        {
            "y": np.ones(300, dtype=int),
            "p": (random.random(300) < random.beta(4, 1, 60)[item]).astype(int),
            "item": item,
            "s": np.array(["a", "b"])[item % 2],
        }
    )
    file = tmp_path / f"trials.{suffix}"
    write = {"parquet": rows.write_parquet, "csv": rows.write_csv, "jsonl": rows.write_ndjson}
    write[suffix](file)
    arguments = [*READ, "--pos-label", "1", "--claim", "recall >= 0.7", "--clusters", "item"]
    groups = [part for name in by for part in ("--by", name)]
    assert main(["check", str(file), *arguments, *groups]) in (0, 2)
    cm = ConfusionMatrix.from_predictions(
        rows["y"],
        rows["p"],
        labels=[0, 1],
        clusters=rows["item"],
        by={name: rows[name] for name in by} or None,
    )
    expected = check(cm, {"recall": 0.7}, pos_label=1)
    assert capsys.readouterr().out == f"{expected}\n"
    assert "clusters" in np.ravel(expected.method)[0]


def test_a_cluster_that_is_missing_is_an_error(tmp_path, capsys):
    file = tmp_path / "a.csv"
    file.write_text("y,p,item\n1,1,a\n1,0,\n0,0,b\n")
    assert main(["check", str(file), *READ, "--clusters", "item", "--claim", "recall >= 0.5"]) == 3
    assert "clusters='item' is missing in 1 rows" in capsys.readouterr().err


WEEKS = {
    "week": [1, 1, 1, 1, 2, 2, 2, 2],
    "y": [0, 0, 1, 1] * 2,
    "p": [0, 1, 0, 1] * 2,
    "n": [90, 10, 5, 45, 80, 20, 8, 42],
}
WRITE = {"parquet": "write_parquet", "csv": "write_csv", "jsonl": "write_ndjson"}


@pytest.mark.parametrize("suffix", WRITE)
def test_rows_may_be_numbers_of_samples(suffix, tmp_path, capsys):
    file = tmp_path / f"weeks.{suffix}"
    getattr(pl.DataFrame(WEEKS), WRITE[suffix])(file)
    arguments = ["check", str(file), *READ, "--pos-label", "1", "--claim", "recall >= 0.8"]
    with pytest.warns(UserWarning, match="'n' looks like a number of samples.* pass --count='n'"):
        assert main(arguments) == 2
    assert " 0.5000 " in capsys.readouterr().out
    assert main([*arguments, "--count", "n"]) == 0
    expected = check(
        ConfusionMatrix.from_counts([[170, 30], [13, 87]], labels=[0, 1]),
        {"recall": 0.8},
        pos_label=1,
    )
    assert capsys.readouterr().out == f"{expected}\n"
    # With the clusters that from_frame has.
    assert main([*arguments, "--count", "n", "--clusters", "week"]) in (0, 2)
    cm = ConfusionMatrix.from_frame(pl.DataFrame(WEEKS), "y", "p", count="n", clusters="week")
    assert capsys.readouterr().out == f"{check(cm, {'recall': 0.8}, pos_label=1)}\n"


@pytest.mark.parametrize("suffix", WRITE)
@pytest.mark.parametrize(
    "changed",
    [
        {"week": [1] * 8},
        {"n": [1, 0, 1, 1, 1, 0, 1, 1]},
        {"n": list("abcdefgh")},
        {"n": [0.5, 2.5] * 4},
        {"visits": WEEKS["n"], "n": None},
    ],
)
def test_rows_that_are_samples_are_not_suspected(suffix, changed, tmp_path):
    columns = {name: values for name, values in (WEEKS | changed).items() if values is not None}
    file = tmp_path / f"samples.{suffix}"
    getattr(pl.DataFrame(columns), WRITE[suffix])(file)
    arguments = ["check", str(file), *READ, "--claim", "accuracy >= 0.01"]
    assert main(arguments) == 0


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("written", ["-1", "0.5", "", "x", "NaN", "1e400", "1" * 5000, "true"])
def test_wrong_numbers_of_samples_are_counted(suffix, written, tmp_path, capsys):
    file = tmp_path / f"a.{suffix}"
    if suffix == "csv":
        file.write_text("y,p,n\n1,1,4\n" + f"1,1,{written}\n1,0,{written}\n")
    else:
        of_json = written if re.fullmatch("[-0-9.]+|NaN|1e400|true", written) else f'"{written}"'
        rows = [f'{{"y": 1, "p": {p}, "n": {of_json}}}\n' for p in (0, 1)]
        file.write_text('{"y": 1, "p": 1, "n": 4}\n' + "".join(rows))
    assert main(["check", str(file), *READ, "--claim", "accuracy >= 0.1", "--count", "n"]) == 3
    assert "count holds 2 rows that are not integers >= 0" in capsys.readouterr().err


def test_numbers_of_samples_are_exact_and_may_be_written_as_floats(tmp_path, capsys):
    file = tmp_path / "a.csv"
    arguments = ["check", str(file), *READ, "--claim", "accuracy >= 0.1", "--count", "n"]
    file.write_text(f"y,p,n\n1,1,{10**6 + 1}\n1,0,3.0\n1,0,3.0\n0,0,2\n")
    assert main(arguments) == 0
    assert f" {10**6 + 9} " in capsys.readouterr().out
    file.write_text(f"y,p,n\n1,1,{2**62}\n1,0,{2**62}\n")
    assert main(arguments) == 3
    assert "too large to be counted exactly" in capsys.readouterr().err
    assert main([*arguments[:-1], "m"]) == 3
    assert "count='m' is not a column of" in capsys.readouterr().err


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
        ["check", "none.jsonl", *READ, "--claim", "recall >= 0.9"],
        ["check", "none.parquet", *READ, "--claim", "recall >= 0.9"],
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
@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_the_positive_class_is_read_in_the_type_of_the_column(
    suffix, labels, given, shown, tmp_path, capsys
):
    rows = [(labels[true], labels[predicted], group) for true, predicted, group in ROWS]
    file = written(tmp_path / f"a.{suffix}", rows)
    assert main(["check", file, *READ, "--pos-label", given, "--claim", "recall >= 0.5"]) in (0, 2)
    assert f"recall of {shown} >= 0.5" in capsys.readouterr().out
    assert main(["check", file, *READ, "--pos-label", "other", "--claim", "recall >= 0.5"]) == 3
    assert "'other' is n" in capsys.readouterr().err


def test_it_runs_as_a_module(tmp_path, monkeypatch, capsys):
    file = written(tmp_path / "a.csv")
    monkeypatch.setattr(sys, "argv", ["", "check", file, *READ, "--claim", "recall >= 0.9"])
    # As python -m finds it: not imported before.
    monkeypatch.delitem(sys.modules, "skmetrics_ext.__main__")
    with pytest.raises(SystemExit, match=r"^1$"):
        runpy.run_module("skmetrics_ext", run_name="__main__")
    assert capsys.readouterr().out.startswith("Check: fail")


def test_names_that_match_other_files_are_refused(tmp_path, capsys):
    file = written(tmp_path / "a1.parquet").replace("a1", "a[1]")
    assert main(["check", file, *READ, "--claim", "accuracy >= 0.1"]) == 3
    assert "could match other files" in capsys.readouterr().err


def status_of(path, text, *options, claim="accuracy >= 0.9", read=READ):
    """The status of a file of this text, or of these rows."""
    path.write_text(text) if isinstance(text, str) else written(path, text)
    return main(["check", str(path), *read, "--claim", claim, *options])


def test_a_parquet_file_without_a_library_says_what_to_install(tmp_path, monkeypatch, capsys):
    file = written(tmp_path / "a.parquet")
    only(None, monkeypatch)
    assert main(["check", file, *READ, "--claim", "accuracy >= 0.1"]) == 3
    assert "a parquet file needs polars, duckdb, or pandas with pyarrow" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_column_is_not_compared_with_itself(suffix, tmp_path, capsys):
    same = ["--actual", "y", "--predicted", "y"]
    assert status_of(tmp_path / f"a.{suffix}", ROWS, read=same) == 3
    assert "actual and predicted are the same column, 'y'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "asked",
    [
        ("label", "label"),
        ("label", "p"),
        ("p", "label"),
        # As polars, DuckDB and pandas rename the second.
        *(("p", name) for name in ("label_duplicated_0", "label_1", "label.1")),
    ],
)
def test_a_name_that_stands_twice_in_a_header_is_refused(asked, tmp_path, capsys):
    text = "label,label,p\n" + "1,0,1\n" * 100
    read = ["--actual", asked[0], "--predicted", asked[1]]
    assert status_of(tmp_path / "a.csv", text, read=read) == 3
    said = capsys.readouterr().err
    assert any(word in said for word in ("same column", "several columns", "is not a column"))
    assert "'label'" in said


def test_a_name_that_stands_twice_and_is_not_asked_for_is_no_matter(tmp_path):
    assert status_of(tmp_path / "a.csv", "note,note,y,p\n" + "a,b,1,1\n" * 100) == 0


def test_a_name_that_stands_twice_in_an_object_is_refused(tmp_path, capsys):
    assert status_of(tmp_path / "a.jsonl", '{"y": 1, "p": 0, "p": 1}\n' * 100) == 3
    assert "line 1 of" in (said := capsys.readouterr().err)
    assert "a name stands twice among ['y', 'p', 'p']" in said


LOOK_ALIKE = [
    ("12E3", "1.2E4"),
    ("1e3", "1000"),
    ("+1", "1"),
    ("01", "1"),
    ("0x10", "16"),
    ("1_0", "10"),
    (" 1", "1"),
    ("1.0", "1.00"),
    ("-0", "0"),
    ("-0.0", "0.0"),
    ("\u0661", "1"),
    ("1e400", "inf"),
    ("True", "TRUE"),
    ("9007199254740993.0", "9007199254740992.0"),
    ("18446744073709551616", "18446744073709551617"),
    ("9223372036854775808", "-1"),
    ("1" * 5000, "1" * 4999 + "2"),
]


@pytest.mark.parametrize(("one", "other"), LOOK_ALIKE)
def test_text_that_looks_like_one_number_is_two_labels(one, other, tmp_path, capsys):
    rows = [(one, other, "g"), (other, one, "g")] * 50
    assert status_of(tmp_path / "a.csv", rows) == 1
    assert status_of(tmp_path / "b.csv", [(one, one, other), (other, other, one)] * 50) == 0
    capsys.readouterr()
    groups = [(1, 1, one), (1, 0, other), (0, 0, one)] * 50
    status_of(tmp_path / "c.csv", groups, "--by", "s")
    lines = capsys.readouterr().out.splitlines()[2:]
    assert sorted(" 50 " in line for line in lines) == [False, True]


def test_the_same_text_is_one_label_where_only_one_column_is_numbers(tmp_path, capsys):
    assert status_of(tmp_path / "a.csv", [("1", "1", "g"), ("01", "1", "g")] * 50) == 1
    assert status_of(tmp_path / "a.csv", [("True", "True", "g")] * 200 + [("no", "True", "g")]) == 0
    rows = [(2**70, 1, "g"), (1, 1, "g")] * 50
    assert status_of(tmp_path / "a.jsonl", rows, "--pos-label", "1", claim="recall >= 0.9") == 0
    assert "recall of '1' >= 0.9" in capsys.readouterr().out
    assert status_of(tmp_path / "a.jsonl", rows) == 1


@pytest.mark.parametrize(
    ("labels", "given", "shown"),
    [
        (("0", "1"), "1", "1"),
        (("-1", "1"), "-1", "-1"),
        (("0.0", "1.0"), "1.0", "1.0"),
        (("00", "01"), "01", "'01'"),
        (("False", "True"), "True", "True"),
        (("false", "true"), "true", "True"),
        (("FALSE", "TRUE"), "FALSE", "False"),
        (("no", "yes"), "yes", "'yes'"),
        (("0", "18446744073709551615"), "18446744073709551615", "18446744073709551615"),
        (("0", "18446744073709551616"), "18446744073709551616", "'18446744073709551616'"),
    ],
)
def test_whole_columns_of_numbers_and_booleans_are_these(labels, given, shown, tmp_path, capsys):
    rows = [(labels[true], labels[predicted], group) for true, predicted, group in ROWS]
    for suffix in ("csv", "jsonl") if labels[1].startswith("1844") else ("csv",):
        typed = [(int(y), int(p), s) for y, p, s in rows] if suffix == "jsonl" else rows
        options = ["--pos-label", given]
        file = tmp_path / f"a.{suffix}"
        assert status_of(file, typed, *options, claim="recall >= 0.1") == 0
        assert f"recall of {shown} >= 0.1" in capsys.readouterr().out


def test_a_number_and_a_float_of_it_are_equal(tmp_path):
    assert status_of(tmp_path / "a.csv", [(1, 1.0, "g"), (0, 0.0, "g")] * 50) == 0
    assert status_of(tmp_path / "a.jsonl", [(1, 1.0, "g"), (0, 0.0, "g")] * 50) == 0


@pytest.mark.parametrize("given", ["01", "+1", "1.0", " 1"])
def test_the_positive_class_is_written_as_its_label(given, tmp_path, capsys):
    for suffix in ("csv", "parquet"):
        file = tmp_path / f"a.{suffix}"
        assert status_of(file, ROWS, "--pos-label", given, claim="recall >= 0.1") == 3
        assert "is none of the labels [0, 1]" in capsys.readouterr().err


BROKEN = [
    ("csv", "y,p\n1,1\n1\n", "line 3 of .* has 1 fields, but its header has 2"),
    ("csv", 'y,p\n1,"1" 1\n', "line 2 of .* is no csv"),
    ("csv", "y,p\n", "has no rows"),
    ("csv", "", r"is not a column of .*, which has \[\]"),
    ("csv", "y;p\n1;1\n", r"is not a column of .*, which has \['y;p'\]"),
    ("csv", "y,p\n1,\n1,\n,1\n", "actual='y' is missing in 1 rows"),
    ("csv", "y,p\n1,1\n1,\n1,\n", "predicted='p' is missing in 2 rows"),
    ("csv", "y,p\n1.0,1.0\nnan,1.0\n", "actual='y' holds NaN"),
    ("csv", "y,p\n1,0.7\n0,0.2\n", "predicted='p' holds continuous values such as 0.7"),
    ("jsonl", "", "has no rows"),
    ("jsonl", '{"y": 1, "p": 1}\n{"y": 1\n', "line 2 of .* is no json"),
    ("jsonl", "[1, 1]\n", "line 1 of .* is no json object"),
    ("jsonl", '{"y": 1, "q": 1}\n', r"predicted='p' is in no row of .*first has \['y', 'q'\]"),
    ("jsonl", '{"y": 1, "p": 1}\n{"y": 1}\n', "predicted='p' is missing in 1 rows"),
    ("jsonl", '{"y": 1, "p": 1}\n{"y": null, "p": 1}\n', "actual='y' is missing in 1 rows"),
    ("jsonl", '{"y": 1, "p": 1}\n{"y": NaN, "p": 1}\n', "actual='y' is missing in 1 rows"),
    ("jsonl", '{"y": 1, "p": [1]}\n', r"has lists or objects in \['y', 'p'\]"),
    ("jsonl", '{"y": 1, "p": {"a": 1}}\n', "has lists or objects"),
    ("jsonl", '{"y": 1, "p": 1}\n{"y": true, "p": 1}\n', "actual='y' has values of several kinds"),
    ("jsonl", '{"y": "1", "p": "1"}\n{"y": 1, "p": "1"}\n', "several kinds"),
    ("jsonl", '{"y": "1", "p": 1}\n', r"Mix of.*actual holds strings"),
    ("jsonl", '{"y": 9007199254740993.0, "p": 1}\n', "9007199254740993.0 is too long"),
    ("jsonl", '{"y": 1e400, "p": 1}\n', "actual='y' holds infinity"),
]


@pytest.mark.parametrize(("suffix", "text", "message"), BROKEN)
def test_what_cannot_be_counted_is_an_error(suffix, text, message, tmp_path, capsys):
    assert status_of(tmp_path / f"a.{suffix}", text) == 3
    assert re.search(message, capsys.readouterr().err)


def test_messages_name_the_options_of_the_command(tmp_path, capsys):
    rows = "y,p\nill,ill\nwell,well\n"
    assert status_of(tmp_path / "a.csv", rows, claim="recall >= 0.9") == 3
    assert capsys.readouterr().err.endswith("pass one of them as --pos-label.\n")
    assert status_of(tmp_path / "a.csv", "y,p\n1,1\n0,0\n", claim="fbeta >= 0.9") == 3
    assert capsys.readouterr().err.endswith("The command has no beta=: use Python for that.\n")
    labels = pl.DataFrame({"y": ["a", "b"], "p": ["a", None]})
    labels.write_parquet(tmp_path / "a.parquet")
    arguments = ["check", str(tmp_path / "a.parquet"), *READ, "--claim", "accuracy >= 0.9"]
    assert main(arguments) == 3
    assert capsys.readouterr().err.endswith("The command has no missing=: use Python for that.\n")
    labels.with_columns(p=pl.Series([0.2, 0.7])).write_parquet(tmp_path / "a.parquet")
    assert main(arguments) == 3
    assert capsys.readouterr().err.endswith("The command has no scores=: use Python for that.\n")


def test_files_of_every_making_are_read(tmp_path, capsys):
    rows = "1,1\r\n\r\n" * 100
    assert status_of(tmp_path / "a.csv", "\ufeffy,p\r\n" + rows) == 0
    text = "document,y,p\n" + '"{}, ""quoted""\n",a b,a b\n'.format("long" * 50_000) * 100
    assert status_of(tmp_path / "a.csv", text) == 0
    rows = '{"y": "", "p": ""}\n\n' * 100
    assert status_of(tmp_path / "a.jsonl", "\ufeff" + rows) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-3] for line in lines if line.startswith("accuracy")] == ["100"] * 3


def test_groups_may_have_any_name_and_need_one_each(tmp_path, capsys):
    text = "count,y,p\n" + "9,1,1\n10,1,1\n" * 100
    assert status_of(tmp_path / "a.csv", text, "--by", "count", "--by", "y") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[3:6] for line in lines[2:]] == [["9", "1", "pass"], ["10", "1", "pass"]]
    assert status_of(tmp_path / "a.csv", text, "--by", "count", "--by", "count") == 3
    assert "by contains a name twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("actual", "predicted"), [("ill,well", "1,0"), ("0,1", "ill,well"), ("ill,well", ".7,.2")]
)
def test_columns_without_a_label_in_common_give_no_verdict(actual, predicted, tmp_path, capsys):
    file = tmp_path / "answers.csv"
    pairs = zip(actual.split(","), predicted.split(","), strict=True)
    lines = ["y,p", *(",".join(pair) for pair in pairs)]
    file.write_text("\n".join(lines), encoding="utf-8")
    status = main(["check", str(file), "--actual=y", "--predicted=p", "--claim", "accuracy >= .7"])
    assert status == 3
    assert "none of which are in both, so nothing is right" in capsys.readouterr().err


@pytest.mark.parametrize(("suffix", "by"), [("parquet", []), ("csv", ["site"]), ("jsonl", [])])
def test_months_of_a_file_are_watched(suffix, by, tmp_path, capsys):
    found = {"2026-09": 38, "2026-10": 37, "2026-11": 22, "2026-12": 20}
    rows = {"month": [], "site": [], "y": [], "p": [], "patient": []}
    for month in list(found)[::-1]:
        for place in range(40):
            rows["month"] += [month] * 2
            rows["site"] += ["ab"[place % 2]] * 2
            rows["y"] += ["ill", "well"]
            rows["p"] += ["ill" if place < found[month] else "well", "well"]
            rows["patient"] += [f"{month} {place}"] * 2
    file = tmp_path / f"months.{suffix}"
    getattr(pl.DataFrame(rows), WRITE[suffix])(file)
    groups = [part for name in by for part in ("--by", name)]
    arguments = ["watch", str(file), *READ, "--pos-label", "ill", "--time", "month", *groups]
    in_groups = {name: rows[name] for name in ["month", *by]}

    def expected(claims, clusters=None, **options):
        cm = ConfusionMatrix.from_predictions(rows["y"], rows["p"], by=in_groups, clusters=clusters)
        return f"{watch(cm, claims, axis='month', pos_label='ill', **options)}\n"

    assert main([*arguments, "--claim", "recall >= 0.9", "--claim", "f1_macro >= 0.9"]) == 1
    printed = capsys.readouterr().out
    assert printed == expected({"recall": 0.9, "f1_macro": 0.9})
    assert "2026-11" in printed
    assert main([*arguments, "--claim", "specificity >= 0.9", "--horizon", "12"]) == 0
    assert capsys.readouterr().out == expected({"specificity": 0.9}, horizon=12)
    clusters = [*arguments, "--claim", "accuracy >= 0.9", "--clusters", "patient"]
    assert main(clusters) == 3
    assert "pass --largest-cluster. As" in capsys.readouterr().err
    assert main([*clusters, "--largest-cluster", "2"]) in (0, 1)
    of_patients = expected({"accuracy": 0.9}, clusters=rows["patient"], largest_cluster=2)
    assert capsys.readouterr().out == of_patients
    assert main(["watch", "--help"]) == 0
    assert "0 no alarm, 1 alarm, 3 error" in capsys.readouterr().out


def two_groupings(tmp_path):
    """Recall 95 of 100 in all: each sex has a site in which it is less."""
    cells = {("F", "x"): 45, ("F", "y"): 50, ("M", "x"): 50, ("M", "y"): 45}
    rows = [(1, int(k < hits), sex, site) for (sex, site), hits in cells.items() for k in range(50)]
    rows += [(0, 0, sex, site) for sex, site in cells for _ in range(50)]
    file = tmp_path / "groups.csv"
    lines = [",".join(map(str, row)) for row in rows]
    file.write_text("\n".join(["y,p,sex,site", *lines]))
    return file, rows


OF_GROUPS = [*READ, "--pos-label", "1", "--claim", "recall >= 0.85", "--claim", "fpr <= 0.1"]


def test_several_groupings_and_all_samples_are_checked_in_one_run(tmp_path, capsys):
    file, rows = two_groupings(tmp_path)
    options = ["--each", "sex", "--each", "site", "--by", "sex", "--by", "site", "--all"]
    status = main(["check", str(file), *OF_GROUPS, *options, "--json", "-"])
    found = json.loads(capsys.readouterr().out)
    assert [part["by"] for part in found["results"]] == [["sex", "site"], ["sex"], ["site"], []]
    assert (found["overall"], found["exit_status"], status) == ("cannot tell", 2, 2)
    true, pred, sex, site = zip(*rows, strict=True)
    claims = {"recall": (0.85, None), "fpr": (None, 0.1)}
    groupings = ({"sex": sex, "site": site}, {"sex": sex}, {"site": site}, None)
    for part, by in zip(found["results"], groupings, strict=True):
        cm = ConfusionMatrix.from_predictions(true, pred, pos_label=1, by=by)
        assert {name: of for name, of in part.items() if name != "by"} == check(
            cm, claims
        ).to_dict()
    in_words = [
        entry for entry in found["results"][1]["entries"] if entry["metric"] == "recall of 1"
    ]
    assert [(entry["side"], entry["bound"], entry["at"]["sex"]) for entry in in_words] == [
        (">=", 0.85, "F"),
        (">=", 0.85, "M"),
    ]
    assert main(["check", str(file), *OF_GROUPS, "--each", "sex", "--all"]) == 0
    tables = capsys.readouterr().out
    assert tables.count("Check: pass") == 2
    assert tables.endswith("Overall: pass\n")


def test_a_failure_holds_for_all_groupings_at_once(tmp_path):
    # 60 of 80: one-sided p is 0.013 of at least 0.85, above 0.05 / 8 and below 0.05 / 3.
    rows = [(1, int(k < 60), "ab"[k % 2], "xy"[k // 2 % 2]) for k in range(80)]
    file = tmp_path / "few.csv"
    file.write_text("\n".join(["y,p,s,t", *(",".join(map(str, row)) for row in rows), "0,0,a,x"]))
    of_command = ["check", str(file), *READ, "--pos-label", "1", "--claim", "recall >= 0.85"]
    assert main(of_command) == 1
    assert main([*of_command, "--each", "s", "--all"]) == 1
    assert main([*of_command, "--each", "s", "--each", "t", "--all", "--by", "s", "--by", "t"]) == 2


def test_results_of_both_commands_are_written_as_json(tmp_path, capsys):
    file = tmp_path / "weeks.csv"
    pl.DataFrame(WEEKS).write_csv(file)
    json_file = tmp_path / "found.json"
    shared = [str(file), *READ, "--pos-label", "1", "--count", "n", "--json", str(json_file)]
    assert main(["watch", *shared, "--time", "week", "--claim", "recall >= 0.5"]) == 0
    found = json.loads(json_file.read_text())
    assert (found["overall"], found["exit_status"]) == ("no alarm", 0)
    [alarms] = found["results"]
    assert [entry["alarm"] for entry in alarms["entries"]] == [False]
    assert alarms["entries"][0]["value"] == [45 / 50, 42 / 50]
    assert "Alarms of 1" in capsys.readouterr().out
    assert main(["check", *shared, "--claim", "recall >= 0.95"]) == 1
    found = json.loads(json_file.read_text())
    assert (found["overall"], found["claims"]) == ("fail", ["recall >= 0.95"])
    assert found["file"] == str(file)


def test_errors_are_written_as_json_too(tmp_path, capsys):
    file = tmp_path / "weeks.csv"
    pl.DataFrame(WEEKS).write_csv(file)
    arguments = [str(file), "--actual", "none", "--predicted", "p", "--claim", "recall >= 0.5"]
    assert main(["check", *arguments, "--json", "-"]) == 3
    written = capsys.readouterr()
    found = json.loads(written.out)
    assert (found["overall"], found["exit_status"]) == ("error", 3)
    assert found["error"] in written.err
    nowhere = str(tmp_path / "no folder" / "found.json")
    assert main(["check", str(file), *READ, "--claim", "accuracy >= 0.1", "--json", nowhere]) == 3


@pytest.mark.parametrize("claim", ["recall >= 90%", "recall > 0.9", "recall"])
def test_a_claim_that_is_no_claim_is_answered_with_one(claim, tmp_path, capsys):
    file = written(tmp_path / "predictions.csv")
    assert main(["check", file, *READ, "--pos-label", "1", "--claim", claim]) == 3
    assert '"recall >= 0.9" for 90 %; got' in capsys.readouterr().err
