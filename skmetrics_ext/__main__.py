"""The command `python -m skmetrics_ext check`: claims about a file, an exit status for gates."""

import argparse
import importlib
import importlib.util
import re
import sys
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from skmetrics_ext.analyses.check import check
from skmetrics_ext.analyses.claims import Claims
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.order import show

STATUS = {"pass": 0, "fail": 1, "cannot tell": 2}
# The status of bad calls and of exceptions; Python's own would mean "fail", and argparse's "cannot
# tell".
ERROR = 3
# NumPy reads any text but "" as True.
BOOLEANS = {"True": True, "true": True, "False": False, "false": False}
# Libraries by preference, and how they read a file: with types from all rows, and texts in JSON as
# they are.
READERS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("polars", ".parquet", "scan_parquet", {}),
    ("polars", ".csv", "scan_csv", {"infer_schema_length": None}),
    ("polars", ".jsonl", "scan_ndjson", {"infer_schema_length": None}),
    ("duckdb", ".parquet", "read_parquet", {}),
    ("duckdb", ".csv", "read_csv", {"sample_size": -1}),
    ("duckdb", ".jsonl", "read_json", {"format": "newline_delimited", "sample_size": -1}),
    ("pandas", ".parquet", "read_parquet", {}),
    ("pandas", ".csv", "read_csv", {}),
    ("pandas", ".jsonl", "read_json", {"lines": True, "dtype": False}),
]


def main(argv: Sequence[str]) -> int:
    """Run the command, and return its exit status: 0 pass, 1 fail, 2 cannot tell, 3 for bad calls
    and exceptions.
    """
    try:
        asked = _parser().parse_args(argv)
        cm = ConfusionMatrix.from_frame(
            _table(asked.file), asked.actual, asked.predicted, by=asked.by
        )
        pos_label = None if asked.pos_label is None else _label(asked.pos_label, cm.labels)
        verdicts = check(
            cm, _claims(asked.claim), confidence_level=asked.confidence_level, pos_label=pos_label
        )
        print(verdicts, flush=True)
    except SystemExit as stop:
        return ERROR if stop.code else 0
    except BaseException as error:  # also a panic of polars, which is not an Exception
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return ERROR
    return STATUS[verdicts.overall]


def _parser() -> argparse.ArgumentParser:
    """What the command takes."""
    parser = argparse.ArgumentParser(prog="python -m skmetrics_ext")
    exits = "Exit status: 0 pass, 1 fail, 2 cannot tell, 3 error."
    command = parser.add_subparsers(required=True, metavar="check").add_parser(
        "check", epilog=exits
    )
    command.add_argument(
        "file", help="parquet, csv (01 is read as the number 1) or jsonl, one row per sample"
    )
    command.add_argument("--actual", required=True, help="column of actual labels")
    command.add_argument("--predicted", required=True, help="column of predicted labels")
    command.add_argument("--pos-label", help="positive class, read in the type of the columns")
    command.add_argument("--by", action="append", help="column of groups; may be repeated")
    command.add_argument(
        "--claim", action="append", required=True, help='such as "recall >= 0.9"; may be repeated'
    )
    command.add_argument(
        "--confidence-level",
        type=float,
        default=0.95,
        help="of each claim, one-sided; default 0.95",
    )
    return parser


def _table(file: str) -> Any:
    """The file as a table of the first library that is installed."""
    if any(sign in file for sign in "*?["):
        raise ValueError(
            f"{file} has a sign of patterns, *, ? or [, which could match other files: rename it."
        )
    for library, suffix, reader, options in READERS:
        if file.endswith(suffix) and importlib.util.find_spec(library):
            return getattr(importlib.import_module(library), reader)(file, **options)
    raise ValueError(
        f"{file} must end with .parquet, .csv or .jsonl, and polars, duckdb or pandas be installed."
    )


def _label(text: str, labels: NDArray[Any]) -> Any:
    """The label that is written so, in the type of the labels."""
    try:
        return BOOLEANS[text] if labels.dtype.kind == "b" else labels.dtype.type(text).item()
    except (KeyError, OverflowError, ValueError):
        raise ValueError(f"--pos-label {text!r} is none of the labels {show(labels)}.") from None


def _claims(texts: list[str]) -> Claims:
    """The claims in the form that `check` takes."""
    found: dict[Any, Any] = {}
    for text in texts:
        parts = re.fullmatch(r"\s*(\w+)\s*(<=|>=)\s*(\S+)\s*", text)
        if parts is None:
            raise ValueError(
                'a claim is a metric, >= or <=, and a number, such as "recall >= 0.9"; got '
                f"{text!r}."
            )
        metric, sign, bound = parts.groups()
        low, high = found.get(metric, (None, None))
        if (low if sign == ">=" else high) is not None:
            raise ValueError(f"there are two claims {metric} {sign}: pass one.")
        found[metric] = (float(bound), high) if sign == ">=" else (low, float(bound))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
