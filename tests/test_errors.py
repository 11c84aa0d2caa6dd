import pickle
import re

import pytest

from minirag_mcp import errors
from minirag_mcp.errors import MiniragError


def kinds(root: type[MiniragError] = MiniragError) -> list[type[MiniragError]]:
    """The tree of errors, depth first, as its docstring draws it."""
    below = [kind for kind in root.__subclasses__() if kind.__module__ == errors.__name__]
    return [root, *(kind for child in below for kind in kinds(child))]


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = re.findall(r"^    (.*?)(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    depths = [len(lead.replace("── ", "")) for lead, _ in drawn]
    assert [name for _, name in drawn] == [kind.__name__ for kind in kinds()]
    assert [depth // 4 + bool(depth % 4) for depth in depths] == [len(kind.__mro__) - 4 for kind in kinds()]


@pytest.mark.parametrize("kind", kinds())
def test_every_error_says_what_to_do_next(kind: type[MiniragError]) -> None:
    error = kind("It went wrong.")
    assert error.remedy.endswith(".")
    assert error.explanation == f"It went wrong. {error.remedy}"
    assert kind("It went wrong.", remedy="Do this.").explanation == "It went wrong. Do this."


def test_codes_are_stable_names_of_one_error_each() -> None:
    codes = [kind.code for kind in kinds()]
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", code) for code in codes)
    assert len(set(codes)) == len(codes)


def test_an_error_keeps_its_remedy_when_it_is_copied_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(errors.NoTextError("A scan.", remedy="Read it.")))  # noqa: S301 - our own bytes
    assert (type(copy), copy.message, copy.remedy) == (errors.NoTextError, "A scan.", "Read it.")
