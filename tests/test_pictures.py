"""Pictures of pages are held against those that were kept: what moved is told, what was drawn a
little otherwise is not."""

from pathlib import Path

import pytest

from tests.benchmarks.pictures import KEPT, MOST_APART, apart, compared, keep

cv2 = pytest.importorskip("cv2")
np = pytest.importorskip("numpy")


def picture(folder: Path, left: int = 60, text: str = "Red", name: str = "page") -> Path:
    """A page with a card on it, which begins so far from the left, and a word."""
    drawn = np.full((740, 360, 3), 30, np.uint8)
    cv2.rectangle(drawn, (left, 200), (left + 200, 400), (200, 180, 160), cv2.FILLED)
    cv2.putText(drawn, text, (80, 620), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 1)
    file = folder / f"{name}.png"
    cv2.imwrite(str(file), drawn)
    return file


def test_the_same_page_is_as_it_was_kept_and_a_moved_card_is_not(tmp_path: Path) -> None:
    kept = keep(picture(tmp_path), tmp_path / "kept")
    assert apart(picture(tmp_path), kept) == 0
    assert apart(picture(tmp_path, text="Rod"), kept) < MOST_APART / 4
    assert apart(picture(tmp_path, left=110), kept) > MOST_APART
    assert apart(picture(tmp_path), tmp_path / "none.webp") == 1


def test_a_report_shows_both_and_names_what_is_another(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    same, moved = picture(tmp_path, name="a"), picture(tmp_path, name="b")
    for each in (same, moved):
        keep(each, folder)
    picture(tmp_path, left=110, name="b")
    new, report = picture(tmp_path, name="c"), tmp_path / "report.html"
    told = compared((same, moved, new), report, folder)
    assert [name for name, _ in told] == ["b", "c"]
    text = report.read_text("utf-8")
    assert text.count("<img") == 5
    assert text.index(">c:") < text.index(">b:") < text.index(">a:")  # the worst first


def test_what_is_kept_is_small() -> None:
    files = list(KEPT.glob("*.webp"))
    assert sum(file.stat().st_size for file in files) < 500_000
