"""What one Python stores, another loads, both ways: `python -m tests.between_pythons OTHER_PYTHON`.

The other one has an environment of its own, with the same version of scikit-learn.
"""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

LIBRARIES = ("pickle", "cloudpickle", "dill")
X = np.linspace(0, 1, 7)[:, None]


def write(folder):
    """Store all that is public by each library, and what it shows and predicts."""
    from tests.test_pickles import PUBLIC

    for place, make in enumerate(PUBLIC.values()):
        value = make()
        path = Path(folder) / f"{place}.json"
        path.write_text(json.dumps(what_is_seen_of(value)), encoding="utf-8")
        for library in LIBRARIES:
            data = importlib.import_module(library).dumps(value)
            path.with_suffix(f".{library}").write_bytes(data)


def read(folder):
    """Load each file as its library does, and see the same."""
    paths = sorted(Path(folder).glob("*.json"))
    for path in paths:
        expected = json.loads(path.read_text(encoding="utf-8"))
        for library in LIBRARIES:
            loads = importlib.import_module(library).loads
            value = loads(path.with_suffix(f".{library}").read_bytes())
            assert what_is_seen_of(value) == expected, (path, library)
    print(f"Python {sys.version.split()[0]} loads {len(paths)} objects of each of {LIBRARIES}")


def what_is_seen_of(value):
    """What it shows, and what it predicts if it is a fitted classifier."""
    is_fitted = hasattr(value, "estimator_")
    return [repr(value), value.predict(X).tolist() if is_fitted else None]


def there_and_back(here, other, folder):
    """Each of two Pythons writes, and the other reads."""
    for writer, reader in ((here, other), (other, here)):
        for python, step in ((writer, "write"), (reader, "read")):
            code = f"from tests import between_pythons as b; b.{step}({str(folder)!r})"
            subprocess.run([python, "-W", "error", "-c", code], check=True)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        there_and_back(sys.executable, sys.argv[1], folder)
