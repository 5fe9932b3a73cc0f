"""Pictures of pages, kept small: thumbnails that new pictures are held against, and both side by
side in a page. `python -m tests.benchmarks.pictures [--keep]` shows, or keeps, those that
`make test-browser` took of evenings; cards are dealt anew each time, so it is eyes that compare.

A thumbnail is a sixth as wide. Two are *apart* by the share of their blocks of four by four points
whose mean colour differs by more than `TOLD`: letters that another computer draws a little
otherwise are no such block.
"""

import argparse
import base64
import html
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parents[1] / "pages"
"""The thumbnails, as WebP: under half a megabyte in all."""
EVENINGS = Path(__file__).parents[2] / "build" / "evenings"
"""Where tests put the pictures of evenings that they play."""
SMALLER, BLOCK, TOLD = 6, 4, 20.0
MOST_APART = 0.04
"""Cards and dice that were dealt otherwise are less."""
QUALITY = 60


def thumbnail(picture: Any) -> Any:
    """A picture as it is kept."""
    cv2 = importlib.import_module("cv2")
    high, wide = (max(BLOCK, side // SMALLER) for side in picture.shape[:2])
    return cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)


def keep(picture: Path, folder: Path = KEPT) -> Path:
    """Keep what a picture looks like now."""
    cv2 = importlib.import_module("cv2")
    folder.mkdir(exist_ok=True)
    file = folder / f"{picture.stem}.webp"
    small = thumbnail(cv2.imread(str(picture)))
    file.write_bytes(cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes())
    return file


def apart(picture: Path, kept: Path) -> float:
    """The share of blocks by which a picture differs from what was kept; 1 where none was, or one
    of another size."""
    cv2 = importlib.import_module("cv2")
    before = cv2.imread(str(kept)) if kept.exists() else None
    now = thumbnail(cv2.imread(str(picture)))
    if before is None or before.shape != now.shape:
        return 1.0
    size = (now.shape[1] // BLOCK, now.shape[0] // BLOCK)
    one, other = (
        cv2.resize(it, size, interpolation=cv2.INTER_AREA).astype("int16") for it in (before, now)
    )
    return float((abs(one - other).max(axis=2) > TOLD).mean())


def compared(
    pictures: Iterable[Path], report: Path, folder: Path = KEPT
) -> list[tuple[str, float]]:
    """Which pictures are not as they were kept, and by how much; `report` shows both."""
    every = [(it, folder / f"{it.stem}.webp") for it in sorted(pictures)]
    shares = [(picture, kept, apart(picture, kept)) for picture, kept in every]
    report.write_text(_page(sorted(shares, key=lambda it: -it[2])), "utf-8")
    return [(picture.stem, share) for picture, _, share in shares if share > MOST_APART]


def _page(shares: Iterable[tuple[Path, Path, float]]) -> str:
    rows = "".join(
        f"<h2>{html.escape(picture.stem)}: {share:.1%}</h2>{_shown(kept)} {_shown(picture)}"
        for picture, kept, share in shares
    )
    style = "body { font: 16px sans-serif; background: #888 } img { height: 420px; margin: 4px }"
    return f"<!doctype html><meta charset='utf-8'><title>Pages</title><style>{style}</style>{rows}"


def _shown(picture: Path) -> str:
    if not picture.exists():
        return "(none was kept)"
    data = base64.b64encode(picture.read_bytes()).decode()
    return f"<img alt='' src='data:image/{picture.suffix[1:]};base64,{data}'>"


def main() -> int:
    parser = argparse.ArgumentParser(description="Pictures of evenings, beside those kept.")
    parser.add_argument("--keep", action="store_true", help="keep these from now on")
    kept, pictures = KEPT / "evenings", sorted(EVENINGS.glob("*.png"))
    if parser.parse_args().keep:
        print(f"kept {sum(keep(it, kept).stat().st_size for it in pictures) / 1000:.0f} kB")
    report = EVENINGS / "report.html"
    if not pictures:
        print(f"there are none in {EVENINGS}: `make test-browser` takes them", file=sys.stderr)
        return 1
    for name, share in compared(pictures, report, kept):
        print(f"{name}: {share:.1%} of it look otherwise than was kept")
    print(f"side by side: {report}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
