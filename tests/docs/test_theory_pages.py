"""The pages on theory say what their simulations find."""

import re
import shutil

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.estimators.held_out import BROKEN_BY_REFITS
from tests.benchmarks import partial_labels, power, promises
from tests.docs import theory_pages
from tests.docs.generated_parts import part


def rows_of(page, name):
    """The cells of a generated table, without its head."""
    lines = part(name, page.read_text(encoding="utf-8"))[1].strip().splitlines()
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def test_pages_say_what_the_page_on_coverage_says(tmp_path, monkeypatch, capsys):
    assert theory_pages.main(["--check"]) == 0
    for name in theory_pages.PARTS:
        text = (theory_pages.FOLDER / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("net_benefit", "net_gain"), encoding="utf-8")
    shutil.copy(theory_pages.FOLDER / "coverage.csv", tmp_path)
    monkeypatch.setattr(theory_pages, "FOLDER", tmp_path)
    assert theory_pages.main(["--check"]) == 1
    different = re.findall("'(.+)' is not what", capsys.readouterr().out)
    assert different == ["coverage.md: parts", "intervals.md: kinds", "intervals.md: coverage"]


@pytest.mark.parametrize(
    "picture", [theory_pages.PICTURE, promises.DRAWING, partial_labels.DRAWING]
)
def test_pictures_are_small(picture):
    assert 5_000 < picture.stat().st_size < 40_000


def test_the_true_rates_of_the_simulations_are_those_of_their_distributions():
    random = np.random.default_rng(0)
    found = np.concatenate(
        [alert[fraud] for fraud, alert, _ in (partial_labels.payments(random) for _ in range(100))]
    )
    assert found.mean() == pytest.approx(partial_labels.RECALL, abs=0.01)
    matrices = promises.true_matrices(promises.LIKELY["rising"])
    # The share of positive samples is the score: at a threshold t precision is (1 + t) / 2, recall
    # 1 - t^2.
    assert promises.true_at(matrices.score("precision"), 0.4) == pytest.approx(0.7, abs=1e-4)
    assert promises.true_at(matrices.score("recall"), 0.4) == pytest.approx(0.84, abs=1e-4)


def test_the_page_on_tests_says_what_all_tables_of_two_proportions_give(monkeypatch):
    said = {(row[0], row[1]): row[2:] for row in rows_of(power.PAGE, "proportions")}
    name = "20 and 20, 0.5 and 0.85"
    monkeypatch.setattr(power, "GROUPS", {name: power.GROUPS[name]})
    found = {(row[0], row[1]): row[2:] for row in power.proportions()}
    assert len(found) == 4
    for of, numbers in found.items():
        assert [f"{number:.3g}" for number in numbers] == said[of]
    # Ours reject at most 7.5 % of equal ones.
    for table in power.TABLES:
        ours = [row for row in rows_of(power.PAGE, table) if "`" in row[1]]
        assert ours
        assert max(float(row[2]) for row in ours) <= 0.075


def test_fishers_p_values_of_all_tables_are_those_of_scipy():
    p_values = power.fisher(7, 12)
    for first, second in ((2, 9), (0, 0), (7, 3), (4, 12)):
        table = [[first, 7 - first], [second, 12 - second]]
        assert p_values[first, second] == pytest.approx(stats.fisher_exact(table).pvalue)
    # Over all proportions no smaller p-value of Fisher's is as likely as Boschloo's says.
    assert (power.boschloo(7, 12, p_values) <= p_values * (1 + 1e-9)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting", ["5 % of the rest", "50 % of large, 4 % of small ones, not said"]
)
def test_simulations_of_partly_known_labels_find_what_their_page_says(setting):
    """Nothing else sees that a change of a method changes the page."""
    said = {
        row[0]: [float(number) for number in row[1:]]
        for row in rows_of(partial_labels.PAGE, "estimates")
    }
    found = list(partial_labels.estimates(*partial_labels.SETTINGS[setting]))
    # The last digits vary with NumPy's version, as its gamma variables do.
    assert [sum(values) / len(found) for values in zip(*found, strict=True)] == pytest.approx(
        said[setting], abs=0.02
    )


@pytest.mark.slow
def test_simulations_of_promises_find_what_their_page_says(monkeypatch):
    """One of many rows, which take minutes."""
    said = {(row[0], row[1]): row for row in rows_of(promises.PAGE, "promises")}
    monkeypatch.setattr(promises, "LIKELY", {"waves": promises.LIKELY["waves"]})
    monkeypatch.setattr(promises, "OBJECTIVES", {"precision": "recall"})
    ((name, kind, *numbers),) = promises.promises()
    assert [float(number) for number in said[name, kind][2:]] == pytest.approx(numbers, rel=0.01)
    assert all(float(row[4]) <= 1.25 * (1 - promises.LEVEL) for row in said.values())


@pytest.mark.slow
def test_simulations_of_promises_of_classes_find_what_their_page_says():
    """In waves, cliffs and ties, with few samples of a rare class, none is broken too often."""
    said, found = rows_of(promises.PAGE, "classes"), list(promises.of_classes())
    assert [(row[0], int(row[1])) for row in said] == [row[:2] for row in found]
    assert [[float(cell) for cell in row[2:]] for row in said] == [
        pytest.approx(row[2:], rel=0.01) for row in found
    ]
    assert all(row[4] <= 1 - promises.LEVEL for row in found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with refit=True")
def test_the_first_row_of_the_simulation_of_refits_is_what_its_page_says():
    """As above."""
    said, found = rows_of(promises.PAGE, "refits")[0], next(promises.refits())
    assert said[:2] == [str(cell) for cell in found[:2]]
    # The last digits vary with NumPy's version, as its gamma variables do, and with scikit-learn's.
    assert [float(number) for number in said[2:]] == pytest.approx(found[2:], abs=0.02)


def test_the_warning_of_a_refit_has_the_range_of_the_page():
    broken = [float(row[2]) for row in rows_of(theory_pages.FOLDER / "promises.md", "refits")]
    assert len(broken) == 9
    least, most = 100 * min(broken), 100 * max(broken)
    assert f"in simulations {least:.0f} to {most:.0f} % were violated" in BROKEN_BY_REFITS
