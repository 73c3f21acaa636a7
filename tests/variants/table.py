"""What a row of the table is: an entry point, and what it does with each variant."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from tests.variants.samples import EMPTY, TEN, VARIANTS
from tests.variants.variant import Samples, Variant

Expects = Callable[[Variant], Any]


class Cell(NamedTuple):
    """What an entry point does with one variant, as far as its row does not say it."""

    # How it is called; what it gives; the words of its error; the words of its warning.
    call: Callable[[Variant], Any] | None = None
    expects: Expects | None = None
    refuses: str | None = None
    warns: str | None = None
    # ValueError of refusals, UserWarning of warnings.
    kind: Any = None


class Row(NamedTuple):
    """Entry points, how they are called with any variant, and what is expected there."""

    # As users write them: "recall_score", "ConfusionMatrix.score".
    names: tuple[str, ...]
    call: Callable[[Variant], Any]
    expects: Expects
    # Where it is otherwise, by variant: a cell, or why it would say nothing.
    cells: Mapping[str, Cell | str]

    def __repr__(self) -> str:
        return self.names[0]


def refused(words: str, kind: type[Exception] = ValueError, call: Any = None) -> Cell:
    """An error with these words."""
    return Cell(call, refuses=words, kind=kind)


def warned(words: str, expects: Any = None, kind: Any = UserWarning, call: Any = None) -> Cell:
    """What the row says, or this, with a warning in these words."""
    return Cell(call, expects, warns=words, kind=kind)


def undefined(words: str, expects: Any = None, call: Any = None) -> Cell:
    """The same with the warning of 0/0."""
    return warned(words, expects, UndefinedMetricWarning, call)


def gives(expects: Expects, call: Any = None) -> Cell:
    """Another value than the row says."""
    return Cell(call, expects)


def fewer_warn(words: str, call: Callable[[Variant], Any]) -> Cell:
    """A warning in these words, which a tenth sample in each group prevents."""

    def at_nine_and_at_ten(variant: Variant) -> list[bool]:
        return [heard(words, partial(call, of))[1] for of in (variant, TEN)]

    return Cell(at_nine_and_at_ten, lambda _: [True, False])


def each(source: Callable[[Samples], Any]) -> Expects:
    """What a source says of each entry alone."""

    def of_entries(variant: Variant) -> Any:
        found = np.array([source(samples) for samples in variant.alone])
        return found.reshape((*variant.shape, *found.shape[1:]))

    return of_entries


def heard(words: str, call: Callable[[], Any]) -> tuple[Any, bool]:
    """What a call gives, None for an error, and whether the error or a warning says these words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = call()
        except ValueError as error:
            return None, words in str(error)
    return found, any(words in str(warning.message) for warning in caught)


def without_positives(variant: Variant) -> Variant:
    """The samples of a variant of two classes, without groups, as if none were positive."""
    negative = tuple(samples._replace(true=0 * samples.true) for samples in variant.stands_for)
    return replace(variant, true=0 * variant.true, stands_for=negative, axes={})


def without_groups(function: Callable[[Variant], Any]) -> Callable[[Variant], Any]:
    """For what takes no groups: the entry without samples is then the positive class."""
    return lambda variant: function(
        without_positives(variant) if variant.name == EMPTY else variant
    )


def assert_same(found: Any, expected: Any, where: str = "") -> None:
    """Equal to rounding: numbers, and all that holds them; everything else is equal."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key in expected:
            assert_same(found[key], expected[key], f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), where
        for place, pair in enumerate(zip(found, expected, strict=True)):
            assert_same(*pair, f"{where}[{place}]")
    elif np.asarray(expected).dtype.kind in "fiub":
        assert np.shape(found) == np.shape(expected), where
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=where)
    else:
        np.testing.assert_array_equal(found, expected, err_msg=where)


def nothing_but(reason: str, **cells: Cell) -> dict[str, Cell | str]:
    """The cells of an entry point to which the others mean nothing, for this reason."""
    return {variant.name: reason for variant in VARIANTS} | cells


def check_cell(row: Row, variant: Variant) -> None:
    """Compare what an entry point does with a variant with what its cell says."""
    cell = row.cells.get(variant.name, Cell())
    call, expects = cell.call or row.call, cell.expects or row.expects
    if cell.refuses is not None:
        with pytest.raises(cell.kind, match=cell.refuses):
            call(variant)
        return
    with warnings.catch_warnings():
        # What other sources say on the way is theirs.
        warnings.simplefilter("ignore")
        expected = expects(variant)
    if cell.warns is None:
        found = call(variant)
    else:
        with pytest.warns(cell.kind, match=cell.warns):
            found = call(variant)
    assert_same(found, expected)
