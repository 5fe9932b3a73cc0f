"""Sheets, read back by an independent PDF reader, and by OpenCV's detector."""

from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from hexboard.appearance import CHARUCO, DICTIONARY
from hexboard.board import EDGES, find, load, paper, plain
from hexboard.commands.cli import main
from hexboard.files import shipped
from hexboard.games.knee_deep.ground import FOLDER as MAPS
from hexboard.vision.marks.markers import markers
from hexboard.vision.marks.markers import paper as outline
from hexboard.vision.marks.sheet import charuco, charuco_board, charuco_box, mat
from tests.cli import invoke
from tests.strangers import keep, one_file

SVG = "{http://www.w3.org/2000/svg}"
MM = 25.4 / 72
"""One point of a PDF, mm."""
SHARP = 6.0
"""Pixels a millimetre."""


def pages(data: bytes) -> list[NDArray[np.uint8]]:
    document = pypdfium2.PdfDocument(data)
    try:
        pictures = [page.render(scale=SHARP * MM, grayscale=True).to_numpy() for page in document]
        return [np.ascontiguousarray(picture.squeeze()) for picture in pictures]
    finally:
        document.close()


def found(page: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(family).detectMarkers(page)
    numbers = [] if ids is None else ids.ravel().tolist()
    return {n: np.asarray(c, float).reshape(4, 2) for n, c in zip(numbers, corners, strict=True)}


@pytest.mark.parametrize(
    ("name", "format"),
    [
        *(("hexhex-5", "a4"), ("hexhex-5", "letter")),
        *(("hextraction-22", "a4"), ("hextraction-22", "letter"), ("rhombus-11", "a4")),
    ],
)
def test_every_marker_is_on_some_page_at_its_size_and_place(name: str, format: str) -> None:
    board = plain(name)
    box = outline(board)
    _, tiles = paper.tiled(box, format)
    sides = {"rhombus-11": 32}  # a fifteenth of 480 mm; 24 mm at least
    document = pages(paper.pdf(mat(board), box, format, name))
    assert len(document) == len(tiles)
    seen = set()
    for page, tile in zip(document, tiles, strict=True):
        for number, corners in found(page).items():
            marker = {m.id: m for m in markers(board)}[number]
            side = np.linalg.norm(corners[0] - corners[1]) / SHARP
            assert side == pytest.approx(sides.get(name, 24), abs=0.3)
            x, y = (corners.mean(0) + 0.5) / SHARP - paper.MARGIN_MM
            assert tile.part.left + x == pytest.approx(marker.x, abs=0.3)
            assert tile.part.high - y == pytest.approx(marker.y, abs=0.3)
            seen.add(number)
    assert seen == {m.id for m in markers(board)}


def test_a_cell_is_as_wide_on_paper_as_on_the_board() -> None:
    """The dark lines left and right of a1's middle lie one pitch apart."""
    board = plain("hexhex-5")
    svg = paper.svg(mat(board), outline(board), "x")
    first = svg.split('<polygon points="')[1].split('"')[0]
    xs = [float(point.split(",")[0]) for point in first.split()]
    assert max(xs) - min(xs) == pytest.approx(board.pitch, abs=0.01)
    assert f'width="{outline(board).width:.2f}mm"' in svg


def test_a_war_is_printed_with_the_borders_and_numbers_of_its_sectors(tmp_path: Path) -> None:
    """Field 3.0 is the middle of sector 3, 3.1 to 3.6 lie round it. A number stands beside a unit's
    base (0.36 pitches from the middle) and within the field (0.58)."""
    board, path = load(find("flowers-31")), tmp_path / "mat.svg"
    done = invoke("sheet", "flowers-31", "-o", path)
    assert done.exit_code == 0, done.output
    root = ElementTree.parse(path).getroot()
    wanted = set()
    for cell in board.cells:
        for edge in EDGES:
            other = board.neighbour(cell.id, edge)
            if other is None or other.split(".")[0] != cell.id.split(".")[0]:
                wanted.add(tuple(round(v, 1) + 0 for v in board.edge_point(cell.id, edge)))
    lines = [it.get("points", "") for it in root.iter(f"{SVG}polygon")]
    ends = [[tuple(map(float, it.split(","))) for it in line.split()] for line in lines]
    drawn = [
        (round((a[0] + b[0]) / 2, 1) + 0, round(-(a[1] + b[1]) / 2, 1) + 0)
        for a, b in (points for points in ends if len(points) == 2)
    ]
    assert set(drawn) == wanted
    assert len(drawn) == len(wanted) == 216 + 126  # each once
    numbers = [it for it in root.iter(f"{SVG}text") if it.get("font-weight") == "bold"]
    assert {it.text for it in numbers} == {str(n) for n in range(1, 32)}
    assert len(numbers) == 31
    for it in numbers:
        x, size = float(it.get("x", "")), float(it.get("font-size", ""))
        middle = board.cell[f"{it.text}.0"]
        up = -(float(it.get("y", "")) - 0.35 * size) - middle.y
        assert x == pytest.approx(middle.x, abs=0.01)
        assert 0.36 * board.pitch < up - 0.36 * size
        assert up + 0.36 * size < 0.58 * board.pitch


def test_a_mat_is_divided_as_the_game_on_it_is_set(tmp_path: Path) -> None:
    """Another map by its option, or as the settings have it; where those do not suit the board, the
    mat is printed plain, and it is said why. A board of no game has no areas."""
    path = tmp_path / "mat.svg"

    def printed(*words: str, code: int = 0) -> tuple[set[str], str]:
        line = ["--home", str(tmp_path), "sheet", *words, "-o", str(path)]
        done = invoke(*line)
        assert done.exit_code == code, done.output
        texts = ElementTree.parse(path).getroot().iter(f"{SVG}text")
        return {it.text or "" for it in texts if it.get("font-weight") == "bold"}, done.output

    own = tmp_path / "two.toml"
    text = (MAPS / "flowers-31.toml").read_text("utf-8")
    own.write_text(text.replace("\n31 = [", "\nX = ["), "utf-8")
    names = {str(n) for n in range(1, 31)}
    assert printed("flowers-31", "--option", f"map={own}")[0] == names | {"X"}
    assert printed("hexhex-5")[0] == printed("hexhex-4")[0] == set()
    (tmp_path / "settings.toml").write_text(
        f'board = "flowers-31"\n[options]\nmap = "{own}"\n', "utf-8"
    )
    assert printed("flowers-31")[0] == names | {"X"}
    own.write_text("name = 3\n", "utf-8")
    found, said = printed("flowers-31")
    assert found == set()
    assert "No areas are drawn on it" in said
    assert printed("flowers-31", "--option", "map=nowhere", code=1)[1].startswith("There is no")


def test_the_boards_have_markers_of_their_own() -> None:
    boards = [load(path) for path in sorted(shipped("boards").glob("*.toml"))]
    sets = [frozenset(m.id for m in markers(board)) for board in boards]
    assert len(boards) >= 4
    for k, one in enumerate(sets):
        assert len(one) == 8
        assert not any(one & other for other in sets[k + 1 :])


def test_the_lens_sheet_is_the_board_that_opencv_looks_for() -> None:
    (page,) = pages(paper.pdf(charuco(), charuco_box().grown(1), "a4", "charuco"))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(page)
    assert len(ids) == 70  # 10 x 7 inner corners
    points = dict(zip(ids.ravel().tolist(), corners.reshape(-1, 2), strict=True))
    assert np.linalg.norm(points[0] - points[9]) / SHARP == pytest.approx(
        9 * CHARUCO.square_mm, abs=0.2
    )


def test_tops_of_discs_are_printed_with_their_ring(tmp_path: Path) -> None:
    """Across the first one, a black one: 27.2 mm wide, a lighter ring at 10.9 to 12.5 mm."""
    path = tmp_path / "p.pdf"
    run = CliRunner()
    done = run.invoke(main, ["sheet", "hexhex-5", "--pieces", "-o", str(path)])
    assert done.exit_code == 0, done.output
    (page,) = pages(path.read_bytes())
    x = paper.MARGIN_MM + 33.2 / 2
    row = page[round((paper.MARGIN_MM + 39.2 / 2) * SHARP)].astype(float)

    def grey(mm: float) -> float:
        return float(row[round((x + mm) * SHARP)])

    assert [grey(mm) > 100 for mm in (0, 10, 11.2, 12.2, 13, 14.5)] == [
        *(False, False, True, True, False, True)
    ]
    cards = run.invoke(main, ["sheet", "table", "--pieces", "-o", str(path)])
    assert cards.exit_code == 1
    assert "hexel is not played with discs" in cards.output
    assert "hexboard sheet NAME" in cards.output


def test_tops_on_a_plain_board_are_those_of_the_game_that_is_named(tmp_path: Path) -> None:
    keep(tmp_path, "our_span", one_file("our-span"))
    path = tmp_path / "p.svg"
    line = ["--home", str(tmp_path), "sheet", "hexhex-4", "--pieces", "-o", str(path)]
    unnamed = invoke(*line)
    assert unnamed.exit_code == 1
    assert "The board “hexhex-4” does not say which game it is for" in unnamed.output
    done = invoke(*line, "--game", "our-span")
    assert done.exit_code == 0, done.output
    drawn = ElementTree.parse(path).getroot().iter(f"{SVG}polygon")
    assert len(list(drawn)) == 2 * 14 * 3  # two colours; each top is a disc, its ring, a middle


INKS = {"R": (0, 0, 1), "B": (1, 0, 0), "Y": (0, 1, 1)}
"""Which of blue, green and red each symbol's ink sends back."""


@pytest.mark.parametrize(("format", "count"), [("a4", 3), ("letter", 4)])
def test_every_card_of_a_deck_is_whole_on_one_page_with_its_symbols(
    format: str, count: int, tmp_path: Path
) -> None:
    """36 cards of six, each kind as often as the others; 56.4 mm across, symbols at 19.5 mm."""
    path = tmp_path / "c.pdf"
    done = invoke("sheet", "cards", "--paper", format, "-o", path)
    assert done.exit_code == 0, done.output
    document = pypdfium2.PdfDocument(path)
    sheets = [np.array(page.render(scale=SHARP * MM / 2).to_numpy()) for page in document]
    document.close()
    assert len(sheets) == count
    cards, symbols = 0, dict.fromkeys(INKS, 0)
    for sheet in sheets:
        grey = np.asarray((sheet.min(2) < 250), np.uint8)
        wide = 56.4 * SHARP / 2
        _, _, boxes, middles = cv2.connectedComponentsWithStats(grey)
        whole = [k for k, box in enumerate(boxes) if k and box[4] > 0.8 * wide**2]
        assert all(boxes[k][2] == pytest.approx(wide, abs=3) for k in whole)
        assert all(boxes[k][3] == pytest.approx(wide * 2 / 3**0.5, abs=3) for k in whole)
        cards += len(whole)
        for k in whole:
            for edge in range(6):
                turn = np.exp(1j * edge * np.pi / 3) * 19.5 * SHARP / 2
                x, y = middles[k] + (turn.real, -turn.imag)
                ink = sheet[round(y), round(x)] > 128
                (symbol,) = [name for name, own in INKS.items() if (ink == own).all()]
                symbols[symbol] += 1
    assert (cards, symbols) == (36, {"R": 72, "B": 72, "Y": 72})


def test_one_prints_it_from_the_shell(tmp_path: Path) -> None:
    run = CliRunner()
    for name, said in (("m.pdf", "6 pages"), ("m.svg", "mm.")):
        done = run.invoke(main, ["sheet", "hexhex-5", "-o", f"{tmp_path}/{name}"])
        assert done.exit_code == 0
        assert said in done.output
    wrong = run.invoke(main, ["sheet", "hexhex-5", "-o", f"{tmp_path}/m.doc"])
    assert wrong.exit_code == 2
    assert "must end in .pdf or .svg" in wrong.output
    missing = run.invoke(main, ["sheet", "hexhex5"])
    assert missing.exit_code == 1
    assert "There is no board" in missing.output


def test_letters_that_a_pdf_has_not_are_said_and_spaces_are_spaces(tmp_path: Path) -> None:
    """A narrow no-break space, as French has it, was printed as a question mark."""
    (tmp_path / "locale").mkdir()
    tables = {
        "fr": 'page = "feuille\\u202f: {page}"\nbar = "{board}\\u202f: 50 mm"\n',
        "pl": 'bar = "{board} - słup"\n',
    }
    for language, table in tables.items():
        (tmp_path / "locale" / f"{language}.toml").write_text(f"[sheet]\n{table}", "utf-8")
    said = {}
    for language in ("fr", "pl"):
        line = ["--home", tmp_path, "--language", language, "sheet", "hexhex-4"]
        path = tmp_path / f"{language}.pdf"
        ran = invoke(*line, "-o", path)
        assert ran.exit_code == 0
        document = pypdfium2.PdfDocument(path)
        printed = "".join(page.get_textpage().get_text_range() for page in document)
        document.close()
        said[language] = (printed.count("?"), "do not have these: ł." in ran.output)
    assert said["fr"] == (0, False)
    assert said["pl"][0] > 0
    assert said["pl"][1]
