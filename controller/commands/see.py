"""`hexboard see`: what a picture of a board says."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.commands import board_named
from controller.errors import BadText, HexboardError

if TYPE_CHECKING:
    from controller.vision.reading import Seen


@click.command()
@click.argument("picture", type=click.Path(path_type=Path))
@click.option("--board", "name", help="Which board it shows. Default: the game's own.")
@click.option("--game", default="hexalma", show_default=True, help="Which game is played on it.")
@click.option("--position", help="What was certain before: say which move the picture shows.")
@click.option(
    "--without-balls",
    "bare",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The same tiles in a picture without balls: balls are what has changed since.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
@click.option(
    "-o",
    "out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the picture, annotated.",
)
@click.pass_obj
def see(
    home: Path,
    picture: Path,
    name: str | None,
    game: str,
    position: str | None,
    bare: Path | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Read a PICTURE of a board with its printed markers, or a folder of pictures."""
    from controller import games

    module = games.find(game)
    board = board_named(home, name or module.board({}))
    before = module.parse(position, board, {}) if position else None
    kit = _kit(home, board)
    from controller.vision.capture import files

    paths = files(picture)
    if bare and game != "hextraction":
        raise click.UsageError("--without-balls goes with --game hextraction.")
    if out and len(paths) > 1:
        raise click.UsageError("-o takes one picture.")
    failed = 0
    for path in paths:
        try:
            told = _seen(path, board, game, kit, before, bare, out)
        except HexboardError as error:
            failed += 1
            told = {"file": str(path), "error": str(error)}
        if as_json:
            click.echo(json.dumps(told))
        else:
            click.echo(_spelt(told), err="error" in told)
    raise SystemExit(1 if failed else 0)


def _kit(home: Path, board: Any) -> Any:
    """What the board's pieces look like. Raises `BadFile`, `BadText`."""
    try:
        from calibration import colours
    except ImportError:
        raise HexboardError("vision.not_installed") from None
    return colours.kit(colours.place(home, board), board)


def _seen(
    path: Path, board: Any, game: str, kit: Any, before: Any, bare: Path | None, out: Path | None
) -> dict[str, Any]:
    """What a picture says, for people and machines."""
    from controller.vision import snapshot
    from controller.vision.appearance import looks
    from controller.vision.reading import Reader

    kinds, image = looks(game), snapshot.load(path)
    camera, pose = snapshot.placed(image, board)
    seen = Reader(board, kinds, camera, pose, kit).read(image)
    cells = {cell.id: codes for cell, codes in zip(board.cells, seen.cells, strict=True)}
    told: dict[str, Any] = {
        "file": str(path),
        "hand": seen.hand,
        "unknown": [board.cells[k].id for k in seen.strange],
        "pieces": {cell: _kind(kinds, codes) for cell, codes in cells.items() if codes},
        "cells": cells,
    }
    told["pieces"] = {cell: kind for cell, kind in told["pieces"].items() if kind}
    if bare is not None:
        told["balls"] = _balls(image, camera, pose, bare, board, kit, before)
    elif before is not None:
        told["move"] = _move(board, before, seen)
    if out:
        _annotate(image, board, camera, pose, told, out)
    return told


def _balls(
    image: Any, camera: Any, pose: Any, bare: Path, board: Any, kit: Any, before: Any
) -> list[dict[str, Any]] | None:
    """The balls that lie in a picture and not in the one without, of which the position knows how
    many there are; None where that is not certain."""
    from controller.table import sight
    from controller.vision import snapshot
    from controller.vision.balls import Balls

    ground = snapshot.load(bare)
    balls = Balls(board, camera, pose, kit)
    looks = Balls(board, *snapshot.placed(ground, board), kit).look(ground), balls.look(image)
    if before is None:
        found = balls.found(*looks)
    else:
        found = balls.find(*looks, len(sight.known(board, before)))
    return (
        None
        if found is None
        else [{"place": ball.place, "x": ball.x, "y": ball.y} for ball in found]
    )


def _kind(kinds: Any, codes: tuple[tuple[int, int], ...]) -> str:
    """What most likely lies in a cell; of a tile whose marker cannot be read, that one does."""
    best = min(codes, key=lambda entry: entry[1])
    look = kinds[best[0]]
    alike = sum(cost == best[1] for _, cost in codes) > 1
    return "tile" if look.tile and alike else piece(look)


def piece(look: Any) -> str:
    """A piece in short: W for a white disc, BB? for what a stack of three shows, a card's face, a
    side's letter and a unit (+ beside a war zone marker), a tile and its rotation; "" for none."""
    zone = "+" * bool(look.marker)
    if look.unit:
        from controller.games.knee_deep.values import FACTIONS, KINDS, kind_of, seat_of

        side = FACTIONS[seat_of(look.unit)][0].upper()
        return f"{side}:{KINDS[kind_of(look.unit)]}{zone}"
    if look.tile:
        return f"{look.tile}/{look.rotation}"
    if look.face or not look.stacks:
        return str(look.face) + zone
    stack = look.stacks[0]
    return "?" * (len(stack) - 1) + "BWR"[stack[-1]]


def _move(board: Any, before: Any, seen: "Seen") -> dict[str, Any]:
    """Which move was made since `before`."""
    from controller.perception.inference import infer

    cells = [cell.id for cell in board.cells]
    verdict = infer(cells, [before], None, seen.cells)
    return {
        "verdict": verdict.kind,
        "moves": [list(line.actions) for line in verdict.lines],
        "gap": verdict.gap / 100,
        "against": [cells[k] for k in verdict.lines[0].against],
    }


def _spelt(told: dict[str, Any]) -> str:
    """What was seen, in lines."""
    if "error" in told:
        named = told["error"].startswith(told["file"])
        return str(told["error"]) if named else f"{told['file']}: {told['error']}"
    pieces = " ".join(f"{cell}={kind}" for cell, kind in told["pieces"].items())
    lines = [f"{told['file']}: {len(told['pieces'])} pieces", f"  {pieces}"]
    if told["unknown"]:
        lines.append(
            f"  not to be told (glare, or something foreign): {', '.join(told['unknown'])}"
        )
    if "balls" in told:
        lines.append(f"  {_balls_spelt(told['balls'])}")
    if told["hand"]:
        lines.append("  a hand is over the board")
    if "move" in told:
        move = told["move"]
        moves = " or ".join("; ".join(m) or "nothing" for m in move["moves"])
        lines.append(f"  {move['verdict']}: {moves} (by {move['gap']:.1f} nats)")
    return "\n".join(lines)


def _balls_spelt(balls: list[dict[str, Any]] | None) -> str:
    if balls is None:
        return "balls: not certain how many lie there"
    places = ", ".join(f"{ball['place']} ({ball['x']}, {ball['y']} mm)" for ball in balls)
    return f"balls: {places or 'none'}"


def _annotate(
    image: Any, board: Any, camera: Any, pose: Any, told: dict[str, Any], out: Path
) -> None:
    """Write the picture with every cell's outline and what was seen in it."""
    import cv2
    import numpy as np

    from controller.vision.camera import project

    picture = image.copy()
    for cell in board.cells:
        odd = cell.id in told["unknown"]
        rim = project(camera, pose, board.corners(cell.id)).round().astype(np.int32)
        cv2.polylines(picture, [rim], True, (0, 0, 255) if odd else (255, 180, 0), 1, cv2.LINE_AA)
        text = "?!" if odd else told["pieces"].get(cell.id, "")
        (x, y), *_ = project(camera, pose, [(cell.x, cell.y)])
        at = (int(x) - 5 * len(text), int(y) + 5)
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
    for ball in told.get("balls") or ():
        ((x, y),) = project(camera, pose, [(ball["x"], ball["y"])])
        cv2.circle(picture, (int(x), int(y)), 9, (0, 0, 255), 2, cv2.LINE_AA)
    if not cv2.imwrite(str(out), picture):
        raise BadText("vision.not_written", file=str(out))
