"""What one Python stores, another loads, both ways: `python -m tests.between_pythons OTHER_PYTHON`.

The other one has an environment of its own, with the same version of scikit-learn. Objects with
code by value, such as a scorer of a function of `__main__`, are not among them: cloudpickle and
dill store its bytecode, which only the same version of Python runs.
"""

import importlib
import inspect
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator

# Those of skops, which only some environments have, are read where both have it.
LIBRARIES = ("pickle", "cloudpickle", "dill", "skops")
X = np.linspace(0, 1, 7)[:, None]
OF_PYTHON = {*dir(tuple), *dir(str), *dir(Warning)}


class Halves:
    """A model with probabilities, of which half are above 0.5."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, X):
        return np.hstack([1 - X, X])

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0.5).astype(int)]


Y = np.array(["no", "yes", "no", "no", "yes", "yes", "yes"])


def write(folder, in_turns=False):
    """Store all that is public by each library, or each object by one of them, and what it shows
    and predicts.
    """
    from tests.test_pickles import OBJECTS

    for place, (name, make) in enumerate(OBJECTS.items()):
        value = make()
        path = Path(folder) / f"{place}.json"
        path.write_text(json.dumps([name, what_is_seen_of(value)]), encoding="utf-8")
        libraries = [*filter(find_spec, LIBRARIES)]
        # skops stores each string as plain text, and a warning without its text.
        if "skops" in libraries and isinstance(value, str | Warning):
            libraries.remove("skops")
        turn = place % len(libraries)
        for library in libraries[turn : turn + 1] if in_turns else libraries:
            path.with_suffix(f".{library}").write_bytes(dumps(value, library))


def read(folder):
    """Load each file as its library does, see the same, and store it again to be read back."""
    n_loaded = dict.fromkeys(filter(find_spec, LIBRARIES), 0)
    for path in sorted(Path(folder).glob("*.json")):
        name, expected = json.loads(path.read_text(encoding="utf-8"))
        for library in n_loaded:
            stored = path.with_suffix(f".{library}")
            if stored.exists():
                value = loads(stored.read_bytes(), library)
                assert what_is_seen_of(value) == expected, (name, library)
                stored.write_bytes(dumps(value, library))
                n_loaded[library] += 1
    print(f"Python {sys.version.split()[0]} loads this many objects: {n_loaded}")


def dumps(value, library):
    """The bytes of a value."""
    return importlib.import_module("skops.io" if library == "skops" else library).dumps(value)


def loads(data, library):
    """The value again; skops is told to trust all that the file names, which is ours."""
    if library != "skops":
        return importlib.import_module(library).loads(data)
    from skops import io

    return io.loads(data, trusted=io.get_untrusted_types(data=data))


def what_is_seen_of(value):
    """What it shows, all its attributes and methods without arguments, and what it gives: a model
    its predictions, and a scorer or a metric its value.
    """
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return [what_is_seen_of(part) for part in value]
    seen = {"shown": repr(value)}
    if not type(value).__module__.startswith("skmetrics_ext"):
        return seen
    # scikit-learn's page of a model has a number of its own each time.
    if hasattr(value, "_repr_html_") and not isinstance(value, BaseEstimator):
        seen["page"] = value._repr_html_()
    for name in sorted({*dir(value)} - OF_PYTHON):
        if not name.startswith(("_", "set_")):
            seen[name] = repr(_attribute_of(value, name))
    return seen | {"gives": repr(_given_by(value))}


def seen_and_sent_back(value):
    """What another process sees of a value, and the value."""
    return what_is_seen_of(value), value


def _attribute_of(value, name):
    """One attribute, or what it returns if it is a method without arguments."""
    found = getattr(value, name)
    if not callable(found):
        return found
    parameters = inspect.signature(found).parameters.values()
    if any(of.default is of.empty and of.kind is not of.VAR_KEYWORD for of in parameters):
        return "needs arguments"
    try:
        return found()
    except (ValueError, Warning) as error:
        return str(error)


def _given_by(value):
    """What a model, a scorer or a metric gives."""
    name = type(value).__name__
    if hasattr(value, "estimator_"):
        return value.predict(X).tolist()
    if name == "ConfusionScorer":
        return value(Halves(), X, Y)
    if name == "FixedMetric":
        return value(Y, Halves().predict(X))
    if name == "EvalMetric":
        return value((Y == "yes").astype(int), X[:, 0])
    return None


def there_and_back(here, other, folder):
    """Each of two Pythons writes, the other reads, and then the first one what comes back."""
    for writer, reader in ((here, other), (other, here)):
        for python, step in ((writer, "write"), (reader, "read"), (writer, "read")):
            code = f"from tests import between_pythons as b; b.{step}({str(folder)!r})"
            subprocess.run([python, "-W", "error", "-c", code], check=True)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        there_and_back(sys.executable, sys.argv[1], folder)
