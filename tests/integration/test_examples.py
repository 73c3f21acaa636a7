"""The example that needs other libraries runs."""

import contextlib
import io
import runpy
import warnings
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "neural_network.py"


def test_the_network_is_scored_in_a_readable_table():
    output = io.StringIO()
    # Keras warns of its own doings; those of ours are errors in the other tests.
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = output.getvalue().splitlines()
    assert len(lines) > 10
    assert max(map(len, lines)) <= 100
    assert "nan" not in output.getvalue()
    accuracy = next(line for line in lines if line.strip().startswith("accuracy")).split()[1:]
    assert len(accuracy) == 3
    assert min(map(float, accuracy)) > 0.9
