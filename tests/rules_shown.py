"""Which test shows a rule of Hextraction: `python -m tests.rules_shown`.

A test that names a rule shows it if it fails once a function that names the rule is broken: that
does nothing, says no, or yes, or finds nothing. Each function is broken in turn and the tests that
name its rules are run until one fails that does not otherwise: tests/rules_shown.txt keeps each
rule's id and that test. Ends with 1, naming them, if rules of the referee's are shown by none.
Takes a minute or two.
"""

import importlib
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol

from tests.rules import ROOT, SHOWN, Named, due, functions, naming, sources, test_files

MOST = 8
"""Cases of a test that are tried at most, where none is about the rule by its parameters."""


LONGEST_S = 4


class Break(NamedTuple):
    """A function of the game, and what it is to do instead of its work."""

    name: str
    text: str
    function: Any  # a FunctionType
    instead: Callable[..., Any]


def first(*args: Any, **_: Any) -> Any:
    return args[0]


def nothing(*_: Any, **__: Any) -> None:
    return None


def no(*_: Any, **__: Any) -> bool:
    return False


def yes(*_: Any, **__: Any) -> bool:
    return True


def zero(*_: Any, **__: Any) -> int:
    return 0


def empty(*_: Any, **__: Any) -> tuple[()]:
    return ()


def ends(*_: Any, **__: Any) -> Iterator[Any]:
    yield from ()


def breaks() -> Iterator[Break]:
    """Each way to break each function that names a rule."""
    for named in functions():
        function = _object(named)
        if function is not None:
            for instead in _instead(named.returns):
                yield Break(named.name, named.text, function, instead)


def _instead(returns: str) -> tuple[Callable[..., Any], ...]:
    if returns == "bool":
        return no, yes
    if returns in ("State", "Hextraction", '"Hextraction"', "Zones", '"Zones"'):
        return (first,)
    if returns.startswith(("Iterator", "Iterable")):
        return (ends,)
    if returns.startswith(("tuple", "frozenset", "list", "set")):
        return (empty,)
    return (zero,) if returns == "int" else (nothing,)


def _object(named: Named) -> FunctionType | None:
    """The function itself; None for one inside another."""
    parts = named.path.relative_to(ROOT / "controller").with_suffix("").parts
    found: Any = importlib.import_module(".".join(("hexboard", *parts)).removesuffix(".__init__"))
    for part in named.within:
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
    found = getattr(found, "__wrapped__", found)
    return found if isinstance(found, FunctionType) and not found.__code__.co_freevars else None


@contextmanager
def broken(one: Break) -> Iterator[None]:
    """In place: whoever has imported the function has it broken, too."""
    code = one.function.__code__
    one.function.__code__ = one.instead.__code__
    try:
        yield
    finally:
        one.function.__code__ = code


class Prover:
    """A plugin of pytest that runs the collected tests against each broken function."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            items.setdefault(getattr(item, "originalname", item.name), []).append(item)
        tests, functions = sources()[1], list(breaks())
        for id in due():
            ways = [one for one in functions if naming(id, [(one.name, one.text)])]
            names = [name for name in naming(id, tests) if name in items]
            for name in sorted(names, key=lambda name: _effort(items[name])):
                if self._shows(id, items[name], ways):
                    self.shown[id] = name
                    break
            print(id, self.shown.get(id, "-"), flush=True)
        return True

    @staticmethod
    def _shows(id: str, items: list[pytest.Item], ways: list[Break]) -> bool:
        """Whether a test fails with one of the functions broken, and not with all of them whole."""
        cases = [item for item in items if naming(id, [("", _params(item))])] or items[:MOST]
        for one in ways:
            with broken(one):
                failed = [item for item in cases if _failed(item)]
            if failed and not _failed(failed[0]):
                return True
        return False


def _params(item: pytest.Item) -> str:
    values = getattr(getattr(item, "callspec", None), "params", {}).values()
    return " ".join(map(str, values)).lower()


def _effort(items: list[pytest.Item]) -> tuple[bool, int]:
    """Tests that draw their cases come last, those with few cases first."""
    return _draws(items), len(items)


def _draws(items: list[pytest.Item]) -> bool:
    """Whether a test draws its cases by chance, a hundred of them."""
    return hasattr(getattr(items[0], "obj", None), "hypothesis")


def _failed(item: pytest.Item) -> bool:
    """Whether a test fails, or does not end: a broken game may go round for ever."""
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    except TimeoutError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    signal.signal(signal.SIGALRM, _too_long)
    prover = Prover()
    paths = map(str, test_files())
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths], plugins=[prover])
    lines = (f"{id} {name}" for id, name in prover.shown.items())
    SHOWN.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    bare = [id for id in due() if id not in prover.shown]
    sys.exit(f"shown by no test: {', '.join(bare)}" if bare else 0)


if __name__ == "__main__":
    main()
