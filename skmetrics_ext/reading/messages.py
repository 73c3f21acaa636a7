"""Where a message belongs: at the line of the caller."""

import os
import sys
from pathlib import Path

PACKAGE_FOLDER = str(Path(__file__).parents[1])


def levels_to_caller() -> int:
    """The stacklevel at which a warning of the calling function points at the first frame outside this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE_FOLDER + os.sep):
        frame, level = frame.f_back, level + 1
    return level
