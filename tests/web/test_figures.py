"""What everybody may know of how a board runs: as Prometheus' client reads it, and as a page."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hexboard.board import find, load
from hexboard.facts import Edge, Lost, Presence, Report
from hexboard.web import figures as module
from hexboard.web.figures import Figures, page, prometheus
from hexboard.web.keys import screen
from hexboard.words import message
from tests.evening import Evening, begin
from tests.running import eventually

Read = dict[tuple[str, str], float]


def read(text: str) -> Read:
    """Each sample by its name and its one label, as another program takes the text."""
    return {
        (sample.name, ",".join(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def heard(figures: Figures, source: str, *bodies: Edge | Lost | Presence) -> None:
    for body in bodies:
        figures.heard(Report(source, 0, body))


def test_facts_are_counted_by_what_they_come_from() -> None:
    figures = Figures()
    up, kept, down = Presence(True), Presence(True, kept=True), Presence(False, "unplugged")
    heard(figures, "pico", up, Edge("a", True), Lost(3), down, kept, down, up, Lost(4))
    heard(figures, "page 7", Edge("a", True))
    heard(figures, "page 12 (Ann)", Edge("a", True))
    heard(figures, "demo", Edge("a", True))
    told = read(prometheus(figures).decode())
    assert told["hexboard_facts_total", "pico"] == 8
    assert told["hexboard_facts_total", "page"] == 2
    assert told["hexboard_facts_total", "other"] == 1
    assert told["hexboard_lost_total", ""] == 7
    assert told["hexboard_pico_resets_total", ""] == 1  # the other time it had kept its power


def test_how_late_the_light_is_is_a_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: 4, 5, 6, 300 and 2,000 ms, and one from the future, which is none."""
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    figures = Figures()
    for late_ms in (4, 5, 6, 300, 2_000, -8):
        figures.lit(100_000_000_000 - late_ms * 1_000_000)
    told = read(prometheus(figures).decode())
    counts = [told["hexboard_light_seconds_bucket", str(it)] for it in module.WITHIN_S]
    assert counts == [3, 4, 4, 4, 4, 4, 5, 5]
    assert told["hexboard_light_seconds_bucket", "+Inf"] == 6
    assert told["hexboard_light_seconds_count", ""] == 6
    assert told["hexboard_light_seconds_sum", ""] == pytest.approx(2.315)
    assert figures.latest() == "≤ 5 ms · > 1000 ms"


def test_the_last_hour_forgets_what_was_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact a second for three hours: 3,600, give or take the minute that they are counted by."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    figures = Figures()
    for second in range(3 * 3_600):
        now[0] = float(second)
        heard(figures, "pico", Edge("a", True))
        if second == 600:
            assert figures.hourly() == 601
    assert abs(figures.hourly() - 3_600) <= 60
    now[0] += 4_000
    assert figures.hourly() == 0


def test_any_name_survives_the_text() -> None:
    figures = Figures()
    figures.board = 'a "board"\\n of\n{two} lines, häßlich'
    told = read(prometheus(figures).decode())
    assert any(name == "hexboard_info" and figures.board in labels for name, labels in told)


def test_the_page_says_it_in_words_and_shows_no_tags() -> None:
    figures = Figures()
    figures.board = "<b>"
    assert "All is well." in page(figures, "en")
    figures.notices = [message("doctor.why", why="<script>")]
    text = page(figures, "de")
    assert "Alles" not in text
    assert "&lt;script&gt;" in text
    assert "Wie &lt;b&gt; läuft" in text


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    with ExitStack() as stack:
        yield lambda: begin(stack, tmp_path, load(find("hexhex-5")), "hexalma")


def test_a_board_page_may_read_what_happened_and_nobody_without_a_key(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening()
    origin = f"http://127.0.0.1:{at.daemon.pages.server.port}"
    key = screen((tmp_path / "token").read_text().strip())

    def got(path: str) -> str:
        with urlopen(Request(f"{origin}{path}", headers={"Accept-Language": "en"})) as answer:
            assert answer.headers["Content-Type"].startswith("text/")
            return str(answer.read().decode())

    at.act("b3-c3")
    eventually(lambda: read(got(f"/metrics?token={key}"))["hexboard_entries", ""] == 1)
    told = read(got(f"/metrics?token={key}"))
    assert told["hexboard_matches_total", ""] == 1
    assert told["hexboard_pages", ""] == 1
    assert told["hexboard_facts_total", "page"] >= 1
    assert told["hexboard_light_seconds_count", ""] >= 1
    assert told["hexboard_disk_free_bytes", ""] > 0
    at.daemon.notices.tell("mistake", message("daemon.mistake", file="a file"))
    health = got(f"/health?token={key}")
    assert "hexboard made a mistake" in health
    assert "Entries of this match that the journal has</td><td>1<" in health
    for path in ("/metrics", "/health", "/metrics?token=nix"):
        with pytest.raises(HTTPError) as refused, urlopen(f"{origin}{path}"):
            pass
        assert refused.value.code == 403
        refused.value.close()
    at.end()


def test_hosts_have_the_doctor_look_and_nobody_else(
    evening: Callable[..., Evening], tmp_path: Path
) -> None:
    at = evening()
    server = at.daemon.pages.server
    seen = '{"checks":[{"check":"a","state":"good","said":"fine"},'
    seen += '{"check":"<b>","state":"mend","said":"torn\\nin two","todo":"glue"}]}'
    reports = [seen.encode(), b"", b'{"checks":[]}']
    server.figures.examine = lambda: reports.pop(0)
    token = (tmp_path / "token").read_text().strip()

    def got(path: str, key: str = token) -> str:
        with urlopen(f"http://127.0.0.1:{server.port}/{path}?token={key}") as answer:
            return str(answer.read().decode())

    for path in ("doctor", "examined"):
        with pytest.raises(HTTPError) as refused:
            got(path, screen(token))
        assert refused.value.code == 403
        refused.value.close()
    got("doctor")
    eventually(lambda: "1 thing to mend" in got("examined"))
    text = got("examined")
    assert text.index("&lt;b&gt;") < text.index("fine")
    assert "torn<br>in two<br>" in text
    assert len(reports) == 2  # asking again what it saw has it look no more
    with pytest.raises(HTTPError) as failed:
        eventually(lambda: "looks" not in got("doctor"))
    assert failed.value.code == 503
    failed.value.close()
    got("doctor")
    eventually(lambda: "All is good." in got("examined"))
    at.end()
