"""Faces of Knee Deep's cards, read back by an independent PDF reader and an XML parser."""

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from hexboard.board.letters import width, wrapped
from hexboard.games import knee_deep
from tests.cli import invoke

HOUSE = Path(knee_deep.__file__).parent / "cards" / "house.toml"
MM = 25.4 / 72
"""One point of a PDF, mm."""
A4_ACROSS = (10.5, 73.5, 136.5, 199.5)
"""(210 - 3 * 63) / 2, and every 63 mm."""
A4_DOWN = (16.5, 104.5, 192.5, 280.5)
"""(297 - 3 * 88) / 2, and every 88 mm."""
SVG = "{http://www.w3.org/2000/svg}"
Bounds = tuple[float, float, float, float]


def shown(*words: str, language: str = "en") -> str:
    result = invoke("--language", language, "cards", "show", *words)
    assert result.exit_code == 0, result.output
    return result.output


def objects(page: pypdfium2.PdfPage, kind: int) -> Iterator[tuple[pypdfium2.PdfObject, Bounds]]:
    """Those of a kind, and where they are: left, low, right, high in mm."""
    for it in page.get_objects([kind]):
        left, low, right, high = (at * MM for at in it.get_bounds())
        yield it, (left, low, right, high)


def marks(page: pypdfium2.PdfPage) -> tuple[list[float], list[float]]:
    """Where the lines stand along which to cut: of upright ones x, of lying ones y, mm."""
    lines = [it for _, it in objects(page, pdfium.FPDF_PAGEOBJ_PATH)]
    upright = {round((it[0] + it[2]) / 2, 1) for it in lines if it[2] - it[0] < 1 < it[3] - it[1]}
    lying = {round((it[1] + it[3]) / 2, 1) for it in lines if it[3] - it[1] < 1 < it[2] - it[0]}
    return sorted(upright), sorted(lying)


def text_of(document: pypdfium2.PdfDocument) -> str:
    said = (page.get_textpage().get_text_bounded() for page in document)
    return " ".join(" ".join(said).split())


def smallest(document: pypdfium2.PdfDocument) -> float:
    """The size of the smallest letters, mm."""
    found, sizes = ctypes.c_float(), []
    for page in document:
        for it, _ in objects(page, pdfium.FPDF_PAGEOBJ_TEXT):
            assert pdfium.FPDFTextObj_GetFontSize(it.raw, found)
            sizes.append(found.value)
    return min(sizes)  # the page itself is scaled to mm


def test_nine_cards_lie_on_a4_with_marks_where_they_are_cut(tmp_path: Path) -> None:
    """18 neutral cards for two decks, 8 companions, 8 cards of each: 90 on ten pages."""
    out = tmp_path / "house.pdf"
    said = shown("-o", str(out))
    assert "90 cards of 63 x 88 mm on 10 pages" in said
    document = pypdfium2.PdfDocument(out)
    assert len(document) == 10
    for page in document:
        assert page.get_size() == pytest.approx((210 / MM, 297 / MM), abs=0.01)
        across, down = marks(page)
        assert across == pytest.approx(A4_ACROSS, abs=0.11)
        assert down == pytest.approx(A4_DOWN, abs=0.11)
    document.close()


@pytest.mark.parametrize(
    ("paper", "size", "across", "down", "pages"),
    [
        # (215.9 - 189) / 2 and (279.4 - 264) / 2
        ("letter", (215.9, 279.4), 13.45, 7.7, 10),
        # lying it takes 6 x 3 = 18, upright 4 x 4: (420 - 378) / 2 and (297 - 264) / 2
        ("a3", (420.0, 297.0), 21.0, 16.5, 5),
    ],
)
def test_other_paper_takes_as_many_as_fit(
    paper: str, size: tuple[float, float], across: float, down: float, pages: int, tmp_path: Path
) -> None:
    out = tmp_path / "house.pdf"
    shown("-o", str(out), "--paper", paper)
    document = pypdfium2.PdfDocument(out)
    assert len(document) == pages
    assert document[0].get_size() == pytest.approx((size[0] / MM, size[1] / MM), abs=0.01)
    upright, lying = marks(document[0])
    assert (upright[0], lying[0]) == pytest.approx((across, down), abs=0.11)
    document.close()


def assert_inside(document: pypdfium2.PdfDocument) -> None:
    """Text stands inside the frame of its card, 2.5 mm from where it is cut, and no line lies on
    another one."""
    for page in document:
        cards: dict[tuple[float, float], list[tuple[float, float]]] = {}
        for _, (left, low, right, high) in objects(page, pdfium.FPDF_PAGEOBJ_TEXT):
            if high < A4_DOWN[0]:
                continue  # which page it is
            column = next(x for x in reversed(A4_ACROSS) if x < left)
            row = next(y for y in reversed(A4_DOWN) if y < low)
            assert left > column + 2.5
            assert right < column + 63 - 2.5
            assert low > row + 2.5
            assert high < row + 88 - 2.5
            cards.setdefault((column, row), []).append((low, high))
        for lines in cards.values():
            assert all(high <= low for (_, high), (low, _) in pairwise(sorted(lines)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_text_stands_inside_its_card(language: str, tmp_path: Path) -> None:
    out = tmp_path / "house.pdf"
    shown("-o", str(out), language=language)
    document = pypdfium2.PdfDocument(out)
    assert_inside(document)
    text = text_of(document)
    expected = {
        "en": ("War card", "2 material, 0 energy", "in a row in the war zone", "Improvised Turret"),
        "de": ("Kriegskarte", "2 Material, 0 Energie", "Fahrzeuge von dir", "Aktionsphase"),
    }
    for words in expected[language]:
        assert words in text
    document.close()


def box(folder: Path, extra: str = "", **changes: str) -> Path:
    text = HOUSE.read_text("utf-8") + extra
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    path = folder / "box.toml"
    path.write_text(text, "utf-8")
    return path


def card(id: str, title: str, *texts: str) -> str:
    head = f'[[cards]]\nid = "{id}"\ntitle = "{title}"\nkind = "action"\n'
    does = ", ".join(f'{{ do = "manual", text = "{text}" }}' for text in texts)
    return f"\n{head}do = [{does}]\n"


def test_the_longest_text_is_whole_and_can_be_read(tmp_path: Path) -> None:
    """Twelve effects of 395 letters each: no card has room for it, so it goes on."""
    words = [f"word{k:04}" for k in range(12 * 44)]
    texts = (" ".join(words[k : k + 44]) for k in range(0, len(words), 44))
    path = box(tmp_path, card("epic", "Epic", *texts))
    out = tmp_path / "box.pdf"
    shown(str(path), "-o", str(out))
    document = pypdfium2.PdfDocument(out)
    text = text_of(document)
    assert [word for word in text.replace(".", " ").split() if word[:4] == "word"] == words
    assert smallest(document) == pytest.approx(2.1, abs=0.01)  # six points
    assert "Epic (1/" in text
    assert "Epic (2/" in text
    assert_inside(document)
    document.close()


def test_a_middling_text_stays_on_one_card_in_smaller_letters(tmp_path: Path) -> None:
    """At 3.6 mm a line takes three such words, and a card not twenty lines."""
    words = [f"words{k:03}" for k in range(60)]
    path = box(tmp_path, card("longish", "Longish", " ".join(words[:30]), " ".join(words[30:])))
    out = tmp_path / "box.svg"
    shown(str(path), "-o", str(out))
    texts = [*ElementTree.parse(out).getroot().iter(f"{SVG}text")]
    sizes = {it.get("font-size") for it in texts if "words0" in str(it.text)}
    assert len(sizes) == 1
    assert 2.1 <= float(str(sizes.pop())) < 3.6
    assert {it.text for it in texts if "Longish" in str(it.text)} == {"Longish"}


def test_a_picture_has_each_card_once(tmp_path: Path) -> None:
    """24 kinds of card and 8 companions in rows of three: 11 rows."""
    out = tmp_path / "house.svg"
    assert "32 cards" in shown("-o", str(out))
    root = ElementTree.parse(out).getroot()
    assert (root.get("width"), root.get("height")) == ("199.00mm", "978.00mm")  # and 5 mm round it
    assert root.get("viewBox") == "-5.00 -5.00 199.00 978.00"
    lines = [it.get("points", "").split() for it in root.iter(f"{SVG}polygon")]
    cuts = [tuple(map(float, at.split(","))) for line in lines if len(line) == 2 for at in line]
    top = sorted({x for x, y in cuts if y < 0})
    assert top == [0, 63, 126, 189]
    left = sorted({y for x, y in cuts if x < 0})
    assert left == [88 * k for k in range(12)]
    titles = [it.text for it in root.iter(f"{SVG}text") if it.get("font-weight")]
    assert titles.count("Sling") == 1


def test_a_formation_of_ones_own_is_drawn(tmp_path: Path) -> None:
    """A wedge of four fields, 7 mm from middle to corner: neighbours are 7 * sqrt(3) mm apart."""
    wedge = "[formations]\nwedge = [[0, 0], [1, 0], [0, 1], [1, 1]]\n\n[[companions]]"
    text = HOUSE.read_text("utf-8").replace("[[companions]]", wedge, 1)
    (tmp_path / "box.toml").write_text(text, "utf-8")
    assert "33 cards" in shown(str(tmp_path / "box.toml"), "-o", str(tmp_path / "box.svg"))
    polygons = [*ElementTree.parse(tmp_path / "box.svg").getroot().iter(f"{SVG}polygon")]
    spots = []
    for polygon in polygons:
        corners = [tuple(map(float, at.split(","))) for at in polygon.get("points", "").split()]
        if len(corners) == 6:
            spots.append((sum(x for x, _ in corners) / 6, sum(y for _, y in corners) / 6))
    step = 7 * 3**0.5
    left, top = spots[0]
    assert [(x - left, y - top) for x, y in spots] == [
        pytest.approx(at, abs=0.01)
        for at in ((0, 0), (step, 0), (step / 2, 10.5), (step * 1.5, 10.5))
    ]
    middle = sum(x for x, _ in spots) / 4
    assert middle % 63 == pytest.approx(31.5, abs=0.01)


def test_a_box_of_two_hundred_cards_is_printed(tmp_path: Path) -> None:
    more = "".join(card(f"more_{k}", f"More {k}", "Do it.") for k in range(176))
    out = tmp_path / "box.pdf"
    said = shown(str(box(tmp_path, more)), "-o", str(out))
    assert "266 cards of 63 x 88 mm on 30 pages" in said  # 90, and those in no deck once


def test_letters_that_the_pdf_has_not_are_named(tmp_path: Path) -> None:
    path = box(tmp_path, card("lodz", "Łódź", "Zrób to: 侍"))
    said = shown(str(path), "-o", str(tmp_path / "box.pdf"))
    assert "do not have these: Łź侍" in said
    shown(str(path), "-o", str(tmp_path / "box.svg"))
    assert "侍" in (tmp_path / "box.svg").read_text("utf-8")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    result = invoke("cards", "show", "-o", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "must end in .pdf or .svg" in result.output


def test_letters_are_as_wide_as_adobe_says() -> None:
    """H 722, e 556, l 222, o 556; bold 722, 556, 278, 611; ü as u."""
    assert width("Hello", 10) == pytest.approx(7.22 + 5.56 + 2 * 2.22 + 5.56)
    assert width("Hello", 10, bold=True) == pytest.approx(7.22 + 5.56 + 2 * 2.78 + 6.11)
    assert width("ü", 1) == pytest.approx(0.556)


def test_lines_break_between_words_and_within_one_that_is_too_long() -> None:
    assert [*wrapped("aaa bb", 1, 2.0)] == ["aaa", "bb"]  # 5 * 0.556 + 0.278 > 2
    assert [*wrapped("aaaaaaa", 1, 2.0)] == ["aaa", "aaa", "a"]
    assert [*wrapped("a", 1, 0.1)] == ["a"]
    assert [*wrapped("", 1, 2.0)] == []
