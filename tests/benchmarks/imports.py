"""What importing the package takes in a fresh process."""

from timing import OURS, Row

IMPORT = (
    "import time, sklearn.metrics; start = time.process_time(); import skmetrics_ext; "
    "print((time.process_time() - start) * 1e3)"
)

ROWS = [
    Row(
        "beyond sklearn.metrics", lambda: {OURS: lambda: IMPORT}, at_most=55, unit="ms of a process"
    )
]
