"""Rows of text -> a table in aligned columns."""

from collections.abc import Sequence


def in_columns(heads: Sequence[str], rows: Sequence[Sequence[str]], are_names: Sequence[bool]) -> str:
    """Names to the left, and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if is_name else cell.rjust(width)
            for cell, width, is_name in zip(row, widths, are_names, strict=True)
        ).rstrip()
        for row in [heads, *rows]
    )
