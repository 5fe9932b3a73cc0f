"""What a game brings to the page: its own files are served while it is played, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from hexboard.game import registry
from hexboard.web.files import files, missing
from hexboard.web.guard import POLICY
from tests.web.test_server import Site

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A server on which Hextraction is played."""
    site = Site()
    site.server.files = files(registry.find("hextraction"))
    yield site
    site.server.close()


@pytest.mark.parametrize(
    ("file", "kind"),
    [("widgets.js", "text/javascript; charset=utf-8"), ("style.css", "text/css; charset=utf-8")],
)
def test_a_games_own_files_come_with_their_kind_and_the_policy(
    site: Site, file: str, kind: str
) -> None:
    status, headers, body = site.get(f"/games/hextraction/{file}")
    assert (status, headers["Content-Type"]) == (200, kind)
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["Cache-Control"] == "no-store"  # after an update a page is never half old
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert b"Hextraction" in body


@pytest.mark.parametrize(
    "path",
    [
        "hextraction/sheet.py",  # beside them, but no script
        "hextraction/__init__.py",
        "hextraction/none.js",
        "hextraction/",
        "hextraction",
        "",
        "hexel/widgets.js",  # another game's
        "hextraction/../../locale/en.toml",
        "hextraction/../widgets.js",
        "../static/app.js",
        "hextraction/%2e%2e/%2e%2e/locale/en.toml",
        "hextraction/..%2fpage%2fwidgets.js",
        "hextraction//widgets.js",
        "/etc/passwd",
        "hextraction/widgets.js%00",
    ],
)
def test_nothing_else_that_lies_there_is_served(site: Site, path: str) -> None:
    status, headers, body = site.get(f"/games/{path}")
    assert status == 404
    assert headers["Content-Security-Policy"] == POLICY
    assert b"import" not in body


def test_who_has_no_key_gets_none_of_them(site: Site) -> None:
    assert site.get("/games/hextraction/widgets.js", Cookie="")[0] == 403


@pytest.mark.parametrize("path", ["/again/knee-deep", "/moves/12", "/games/hextraction/widgets.js"])
def test_who_has_no_key_is_led_to_where_one_is_from_any_depth(site: Site, path: str) -> None:
    _, _, body = site.get(path, Cookie="", Accept="text/html")
    links = re.findall(r'(?:href|src)="([^"]*)"', body.decode())
    found = [urljoin(path, link) for link in links]
    assert found == ["/static/style.css", "/static/theme.js", "/join"]


def test_with_another_game_its_files_come_in_place_of_these() -> None:
    site = Site()
    try:
        for game, other in (("hexel", "knee-deep"), ("knee-deep", "hexel")):
            site.server.files = files(registry.find(game))
            assert site.get(f"/games/{game}/widgets.js")[0] == 200
            assert site.get(f"/games/{other}/widgets.js")[0] == 404
    finally:
        site.server.close()


def test_a_game_without_a_part_of_its_own_has_no_files() -> None:
    assert files(registry.find("hexalma")) == {}


@pytest.mark.parametrize("name", registry.names())
def test_what_a_game_declares_is_there(name: str) -> None:
    assert missing(registry.find(name)) == []


def test_no_style_sheet_makes_each_insertion_restyle_all_that_follows() -> None:
    """With a rule for `* + *` a line put before others cost a phone two thirds of its frame."""
    sheets = [path for path in (ROOT / "controller").rglob("*.css") if "vendor" not in path.parts]
    assert len(sheets) > 2
    rules = [re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S) for path in sheets]
    assert [text for text in rules if re.search(r"\*\s*[+~]", text)] == []


def test_scripts_use_nothing_that_a_phone_of_2022_lacks() -> None:
    """Safari 15.4 (iOS 15.4, March 2022) has no lookbehind (16.4), nor an array's `with`,
    `toSpliced`, `toSorted` and `toReversed` (16.0), by MDN's tables."""
    ours = [*ROOT.glob("controller/web/static/*.js"), *ROOT.glob("controller/games/*/page/*.js")]
    assert len(ours) > 40
    later = re.compile(r"\(\?<[!=]|\.(?:with|toSpliced|toSorted|toReversed)\(")
    assert not {
        file.name: found for file in ours if (found := later.findall(file.read_text("utf-8")))
    }
