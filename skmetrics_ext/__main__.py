"""The commands `check` and `watch`: claims about a file, an exit status and JSON for gates."""

import argparse
import importlib
import importlib.util
import json
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.analyses.check import check_by
from skmetrics_ext.analyses.claims import Claims
from skmetrics_ext.analyses.watch import watch
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.engines.files import BOOLEANS
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.from_frames import fields_of_file
from skmetrics_ext.reading.messages import collecting_warnings, warn
from skmetrics_ext.reading.order import show, show_names
from skmetrics_ext.statistics.promises.verdicts import OVERALL
from skmetrics_ext.statistics.receipts import version
from skmetrics_ext.statistics.results import Result

# The status of bad calls and of exceptions; Python's own would mean "fail", and argparse's "cannot
# tell".
ERROR = 3
# Libraries that read parquet, by preference, and how.
READERS = {"polars": "scan_parquet", "duckdb": "read_parquet", "pandas": "read_parquet"}


def main(argv: Sequence[str]) -> int:
    """Run a command; exit status: 0 pass or no alarm, 1 fail or alarm, 2 cannot tell, 3 bad call or
    exception. With `--json` the results, or the error, are in a file, or on stdout in place of the
    tables.
    """
    try:
        asked = _parser().parse_args(argv)
    except SystemExit as stop:
        return ERROR if stop.code else 0
    try:
        with collecting_warnings() as said:
            cm = _matrix(asked)
        for message in said:
            warn(_in_words_of_the_command(message))
        found: _Found = asked.run(cm, asked)
        _write(asked, found)
    except BaseException as error:  # also a panic of polars, which is not an Exception
        text = f"{type(error).__name__}: {_in_words_of_the_command(str(error))}"
        print(text, file=sys.stderr)
        with suppress(OSError):
            _write_json(asked, {"overall": "error", "exit_status": ERROR, "error": text})
        return ERROR
    return found.exit_status


class _Found(NamedTuple):
    """What a command found: of all, and in each grouping."""

    overall: str
    exit_status: int
    results: list[tuple[list[str], Result]]


def _write(asked: argparse.Namespace, found: _Found) -> None:
    """Print the results as tables, unless stdout is for JSON, and write this."""
    if asked.json != "-":
        for _, result in found.results:
            print(result, flush=True)
        if len(found.results) > 1:
            print(f"Overall: {found.overall}", flush=True)
    results = [{"by": by, **result.to_dict()} for by, result in found.results]
    of_all = {"overall": found.overall, "exit_status": found.exit_status}
    _write_json(asked, {**of_all, "results": results})


def _write_json(asked: argparse.Namespace, content: dict[str, Any]) -> None:
    """Write what was asked and found, if asked to."""
    if asked.json is None:
        return
    head = {"version": version(), "file": asked.file, "claims": asked.claim}
    text = json.dumps({**head, **content}, indent=1, allow_nan=False, ensure_ascii=False)
    if asked.json == "-":
        print(text, flush=True)
    else:
        Path(asked.json).write_text(f"{text}\n", encoding="utf-8")


def _options(asked: argparse.Namespace, cm: ConfusionMatrix) -> dict[str, Any]:
    """What both commands are asked for."""
    pos_label = None if asked.pos_label is None else _label(asked.pos_label, cm.labels)
    claims = _claims(asked.claim)
    return {"claims": claims, "confidence_level": asked.confidence_level, "pos_label": pos_label}


def _check(cm: ConfusionMatrix, asked: argparse.Namespace) -> _Found:
    """Whether the claims hold, in the groups of all columns, of each, and in all samples."""
    groupings = [[column] for column in asked.each]
    if asked.by or not (asked.each or asked.all):
        groupings.insert(0, asked.by)
    if asked.all:
        groupings.append([])
    options = _options(asked, cm)
    overall, found = check_by(cm, groupings, **options)
    return _Found(overall, OVERALL.index(overall), [*zip(groupings, found, strict=True)])


def _watch(cm: ConfusionMatrix, asked: argparse.Namespace) -> _Found:
    """Whether they were ever shown not to hold."""
    about = {"axis": asked.time, "largest_cluster": asked.largest_cluster}
    found = watch(cm, horizon=asked.horizon, **about, **_options(asked, cm))
    overall = ("no alarm", "alarm")[found.exit_status]
    return _Found(overall, found.exit_status, [(asked.by, found)])


def _parser() -> argparse.ArgumentParser:
    """What the commands take."""
    parser = argparse.ArgumentParser(prog="python -m skmetrics_ext")
    commands = parser.add_subparsers(required=True, metavar="check|watch")
    exits = "Exit status: 0 pass, 1 fail, 2 cannot tell, 3 error."
    command = commands.add_parser("check", epilog=exits)
    command.set_defaults(run=_check, time=None)
    _add_options(command)
    command.add_argument(
        "--each",
        action="append",
        default=[],
        help="column of groups that are checked by themselves, beside those of --by; may be "
        "repeated",
    )
    command.add_argument("--all", action="store_true", help="check all samples together, too")
    command = commands.add_parser("watch", epilog="Exit status: 0 no alarm, 1 alarm, 3 error.")
    command.set_defaults(run=_watch, each=[])
    _add_options(command)
    command.add_argument("--time", required=True, help="column of months or other periods")
    command.add_argument("--horizon", type=int, help="number of periods; default: for ever")
    command.add_argument("--largest-cluster", type=int, help="most samples of one, with --clusters")
    return parser


def _add_options(command: argparse.ArgumentParser) -> None:
    """Add what both commands take."""
    command.add_argument(
        "file",
        help="parquet, csv or jsonl, one row per sample, or with --count per number of them; a "
        "column of csv with any entry that is not a number as Python writes it, such as 01, is "
        "text",
    )
    command.add_argument("--actual", required=True, help="column of actual labels")
    command.add_argument("--predicted", required=True, help="column of predicted labels")
    command.add_argument("--pos-label", help="positive class, read in the type of the columns")
    command.add_argument("--count", help="column with the number of samples of each row")
    command.add_argument(
        "--by",
        action="append",
        default=[],
        help="column of groups; may be repeated, for their combinations",
    )
    command.add_argument(
        "--json",
        metavar="FILE",
        help="write verdicts or alarms with all numbers, or the error, to a file; - for stdout, "
        "without tables",
    )
    command.add_argument(
        "--clusters",
        help="column of clusters, such as patients or items of repeated trials: samples in one may "
        "be dependent",
    )
    command.add_argument(
        "--claim", action="append", required=True, help='such as "recall >= 0.9"; may be repeated'
    )
    command.add_argument(
        "--confidence-level",
        type=float,
        default=0.95,
        help="of each claim, one-sided; default 0.95",
    )


def _in_words_of_the_command(text: str) -> str:
    """A message, with its own options for Python's, and where those are that it lacks."""
    message = re.sub(r"pos_label=(?=[\w'])", "--pos-label ", text)
    message = message.replace("pos_label=", "--pos-label").replace("count=", "--count=")
    message = message.replace("largest_cluster=", "--largest-cluster")
    further = {"missing", "scores", "labels"}.union(*(row.parameters for row in METRICS))
    lacking = [name for name in re.findall(r"\b\w+=", message) if name[:-1] in further]
    if not lacking:
        return message
    names = " and ".join(dict.fromkeys(lacking))
    return f"{message} The command has no {names}: use Python for that."


def _matrix(asked: argparse.Namespace) -> ConfusionMatrix:
    """The rows of a file, counted: those of parquet by the first library that is installed."""
    file, by = asked.file, [asked.time] * (asked.time is not None) + asked.by
    by += [column for column in dict.fromkeys(asked.each) if column not in by]
    actual, predicted, clusters, count = asked.actual, asked.predicted, asked.clusters, asked.count
    if file.endswith((".csv", ".jsonl")):
        return ConfusionMatrix(**fields_of_file(file, actual, predicted, by, clusters, count))
    if not file.endswith(".parquet"):
        raise ValueError(f"{file} must end with .parquet, .csv or .jsonl.")
    if any(sign in file for sign in "*?["):
        raise ValueError(
            f"{file} has a sign of patterns, *, ? or [, which could match other files: rename it."
        )
    for library, reader in READERS.items():
        if importlib.util.find_spec(library):
            module = importlib.import_module(library)
            rows = getattr(module, reader)(file)
            if library == "duckdb":
                _check_names(module, rows, file)
            return ConfusionMatrix.from_frame(
                rows, actual, predicted, by=by, clusters=clusters, count=count
            )
    raise ImportError(
        "a parquet file needs polars, duckdb, or pandas with pyarrow: install one of them."
    )


def _check_names(duckdb: Any, rows: Any, file: str) -> None:
    """Refuse a file with names that DuckDB changed, since it takes them for one."""
    own = {*duckdb.execute("SELECT name FROM parquet_schema(?)", [file]).fetchnumpy()["name"]}
    if renamed := [name for name in rows.columns if name not in own]:
        raise ValueError(
            f"{file} has names that differ in nothing or only in case, which DuckDB changed to "
            f"{show_names(renamed)}: give each column a unique name."
        )


def _label(text: str, labels: NDArray[Any]) -> Any:
    """The label that is written so, in the type of the labels."""
    kind = labels.dtype.kind
    label: Any = None
    with suppress(OverflowError, ValueError):
        if kind == "b":
            label = next((values[text] for values in BOOLEANS if text in values), None)
        elif kind in "iu":
            label = int(text)
        else:
            label = labels.dtype.type(text).item()
    # The integer of 01 is 1, which is another label.
    if label is None or (kind in "iu" and str(label) != text):
        raise ValueError(f"--pos-label {text!r} is none of the labels {show(labels)}.")
    return label


def _claims(texts: list[str]) -> Claims:
    """The claims in the form that `check` takes."""
    bounds: dict[Any, Any] = {}
    for text in texts:
        parts = re.fullmatch(r"\s*(\S.*?)\s*(<=|>=)\s*(\S+)\s*", text)
        metric, sign, bound = ("", "", "") if parts is None else parts.groups()
        try:
            number = float(bound)
        except ValueError:
            raise ValueError(
                'a claim is a metric, >= or <=, and a number, such as "recall >= 0.9" for 90 %; '
                f"got {text!r}."
            ) from None
        low, high = bounds.get(metric, (None, None))
        if (low if sign == ">=" else high) is not None:
            raise ValueError(f"there are two claims {metric} {sign}: pass one.")
        bounds[metric] = (number, high) if sign == ">=" else (low, number)
    return bounds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
