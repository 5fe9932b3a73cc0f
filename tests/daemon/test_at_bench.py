"""A wizard's person with a page: who answers what, in which language, and from where."""

import io
from collections.abc import Iterator
from typing import Any

import click
import msgspec
import numpy as np
import pytest

from hexboard.calibration.person import ENTER, Screen, Typist
from hexboard.commands.calibrate.lens import surveyed
from hexboard.commands.calibrate.person import SHARED
from hexboard.daemon.at_bench import AtBench, BenchPage
from hexboard.vision.frame import Frame
from hexboard.web.bench import BenchWord
from hexboard.web.keys import Keys
from hexboard.web.reach import HERE
from hexboard.words import message
from tests.calibration.boards import board
from tests.running import eventually

ONE = Screen(message("calibration.visit_fall", place="a1"), "visit", "fall:a1")
NEXT = Screen(message("calibration.visit_fall", place="b2"), "visit", "fall:b2")


class Shown(BenchPage):
    """A bench whose pages are a list."""

    def __init__(self) -> None:
        super().__init__(0, Keys("secret"), HERE, board())
        self.sheets: list[dict[str, Any]] = []

    def publish(self, kind: str, data: bytes, views: Any = None) -> None:
        told = {language: msgspec.json.decode(it) for (_, language), it in views.items()}
        self.sheets.append(told)


@pytest.fixture
def bench() -> Shown:
    return Shown()


def test_an_answer_to_what_is_not_asked_any_more_is_none_but_w_and_q(bench: Shown) -> None:
    person = AtBench(bench, dict)
    person.see(ONE)
    first = bench.sheets[-1]["en"]["question"]
    person.see(NEXT)
    for word in ("n", ENTER, "w", "q"):
        bench.words.put(BenchWord(word, to=first))
    assert [person.said() for _ in range(4)] == ["", "", "w", "q"]
    bench.words.put(BenchWord("n", to=bench.sheets[-1]["en"]["question"]))
    assert person.said() == "n"
    AtBench(bench, dict).see(ONE)  # another wizard counts on: no answer is for two of them
    assert bench.sheets[-1]["en"]["question"] == first + 2


def test_the_same_question_with_more_to_see_is_the_same_question(bench: Shown) -> None:
    person = AtBench(bench, dict)
    person.see(ONE)
    first = bench.sheets[-1]["en"]["question"]
    person.see(msgspec.structs.replace(ONE, fired="fall:b2", visits=1))
    assert bench.sheets[-1]["en"]["fired"] == "fall:b2"
    bench.words.put(BenchWord("n", to=first))
    assert person.said() == "n"


def test_every_page_is_told_in_its_own_language_what_came_of_it_too(bench: Shown) -> None:
    AtBench(bench, dict).see(ONE)
    sheet = bench.sheets[-1]
    assert sheet["en"]["ask"] == "Drop the ball through a slot, for example a1."
    assert sheet["de"]["ask"] == "Lass die Kugel durch ein Feld fallen, zum Beispiel a1."
    bench.end([message("calibration.all_said")])
    ended = bench.sheets[-1]["de"]
    assert (ended["type"], ended["last"]) == ("ended", sheet["de"])
    assert ended["told"] == ["Jeder Ort ist besucht."]


def test_who_sits_at_the_terminal_sees_and_says_the_same(bench: Shown) -> None:
    out = io.StringIO()
    bench.typist = Typist(out, io.StringIO("n\n"))
    person = AtBench(bench, dict)
    bench.words.put(BenchWord("y"))
    person.see(ONE)
    assert person.said() == "y"  # whoever was first
    assert eventually(person.said) == "n"
    assert out.getvalue() == "Drop the ball through a slot, for example a1.\n"


def test_the_lens_step_of_a_set_up_is_stopped_by_the_page(bench: Shown) -> None:
    """It had no button to stop, and heard none."""
    blank = np.full((48, 64, 3), 200, np.uint8)

    def frames() -> Iterator[Frame]:
        for k in range(100):
            if k == 3:
                bench.words.put(BenchWord("q"))
            yield Frame(k, blank)

    with click.Context(click.Command("setup")) as context:
        context.meta[SHARED] = bench
        with pytest.raises(KeyboardInterrupt):
            surveyed(frames(), wide=False, quiet=False, until_enough=True)
    first, *_, last = (sheet["en"] for sheet in bench.sheets)
    assert (first["ask"], first["wants"]) == ("Looking …", "sheet")  # the page has its Stop
    assert "Show the whole sheet" in last["ask"]
    assert last["question"] == first["question"] + 1  # for all frames that say the same
