"""`hexboard see`: what a picture of a board says."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexboard.appearance import piece
from hexboard.commands import READ, TypedPath, board_named, game_named, looks, spared
from hexboard.commands.spoken import wrong
from hexboard.words import message, say
from hexboard.words.errors import BadText, HexboardError, Mistyped
from hexboard.words.numbers import spelt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexboard.appearance import Kit, Look
    from hexboard.board import Board
    from hexboard.commands.corpus import Label
    from hexboard.facts import CellCosts
    from hexboard.game.position import Action, Position, Touched
    from hexboard.vision.cells.reading import Seen
    from hexboard.vision.frame import Picture
    from hexboard.vision.geometry import Camera, Pose

NOTHING = "-"
"""An empty cell."""
FEW = 3
"""So many possibilities are spelt out."""
OUT = (".jpg", ".jpeg", ".png")
"""How the name of an annotated picture may end."""


@click.command()
@click.argument("picture", type=READ)
@click.option("--board", "name", help="Which board it shows. Default: the game's, or as set.")
@click.option("--game", help="Which game is played on it. Default: the one the board is for.")
@click.option("--position", help="What was certain before: say which move the picture shows.")
@click.option(
    "--without-balls",
    "bare",
    type=TypedPath(exists=True, dir_okay=False),
    help="The same tiles in a picture without balls: balls are what has changed since.",
)
@click.option(
    "--corpus", is_flag=True, help="Judge a folder of photos by the labels beside them (a.toml)."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
@click.option(
    "-o",
    "out",
    type=TypedPath(),
    help="Write the picture, annotated; of a corpus a folder with all that are not read right.",
)
@click.pass_obj
def see(
    home: Path,
    picture: Path,
    name: str | None,
    game: str | None,
    position: str | None,
    bare: Path | None,
    corpus: bool,
    as_json: bool,
    out: Path | None,
) -> None:
    """Read a PICTURE of a board with its printed markers, or a folder of pictures."""
    from hexboard import settings
    from hexboard.files import finite
    from hexboard.game import registry
    from hexboard.vision.frame import files

    game = game_named(home, settings.load(home / "settings.toml"), name, game)
    module = registry.find(game)
    with registry.used(game):
        board = board_named(home, name or module.board({}))
        before = module.read(position, board, {}) if position else None
    kit = _kit(home, board)
    paths = files(finite(picture))
    pass_over(picture, paths)
    spared(out, picture, *paths, option="-o")
    if corpus:
        raise SystemExit(_corpus(paths, board, game, kit, as_json, out))
    if bare and registry.appearance(game).balls is None:
        raise wrong("--without-balls goes with a --game that is played with balls.")
    if out and len(paths) > 1:
        raise wrong("-o takes one picture.")
    if out and out.suffix.lower() not in OUT:
        raise Mistyped("vision.not_written", file=str(out))
    if out and not out.parent.is_dir():
        raise BadText("vision.not_written", file=str(out))
    failed = 0
    for path in paths:
        try:
            with registry.used(game):
                told = _seen(path, board, game, kit, before, bare, out)
        except HexboardError as error:
            failed += 1
            told = {"file": str(path), "error": str(error)}
        if as_json:
            click.echo(json.dumps(told))
        else:
            click.echo(_spelt(told), err="error" in told)
    raise SystemExit(1 if failed else 0)


def _corpus(
    paths: list[Path], board: "Board", game: str, kit: "Kit", as_json: bool, out: Path | None
) -> int:
    """Judge labelled photos; how many could not be read."""
    from hexboard.commands import corpus

    known = {path: corpus.labelled(path) for path in paths}
    bare = [path.name for path, label in known.items() if label is None]
    if len(bare) == len(paths):
        raise BadText(
            "vision.no_labels", photo=bare[0], label=str(Path(bare[0]).with_suffix(".toml"))
        )
    if bare:
        click.echo(say(message("vision.unlabelled", names=", ".join(bare))), err=True)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    told = []
    for path, label in known.items():
        if label is not None:
            told.append(_judged(path, label, board, game, kit, out))
            if not as_json:
                click.echo(corpus.line(told[-1]), err="error" in told[-1])
    rates = corpus.rates(told)
    if as_json:
        click.echo(json.dumps({"conditions": rates, "photos": told}))
    else:
        click.echo("\n".join(map(corpus.spelt, rates)))
    return int(any("error" in photo for photo in told))


def _judged(
    path: Path, label: "Label", board: "Board", game: str, kit: "Kit", out: Path | None
) -> dict[str, Any]:
    """What is read in a photo of which it is known what it shows."""
    import msgspec

    from hexboard.commands import corpus
    from hexboard.game import registry

    head = {"file": str(path), "condition": label.condition}
    names = [piece(look) for look in looks(game)]
    try:
        with registry.used(game):
            module = registry.find(game)
            position = module.read(label.position, board, {})
            truth = module.touchable(position).seen()
            told = _seen(path, board, game, kit, None, None, None)
            off = corpus.judged(told["cells"], truth, names)
            if out and off:
                drawn = out / f"{path.stem}.png"
                _seen(path, board, game, kit, None, None, drawn, corpus.captions(off))
    except HexboardError as error:
        return {**head, "error": str(error)}
    return {**head, "cells": len(truth), "off": msgspec.to_builtins(off)}


def _kit(home: Path, board: "Board") -> "Kit":
    """What the board's pieces look like. Raises `BadFile`, `BadText`."""
    from hexboard.calibration import colours

    return colours.kit(colours.place(home, board), board)


def pass_over(path: Path, paths: list[Path]) -> None:
    """Say what lies in a folder beside the pictures that are read."""
    files = sorted(path.iterdir()) if path.is_dir() else []
    others = [p.name for p in files if not p.is_dir() and p not in paths and p.name[0] != "."]
    if others:
        click.echo(say(message("vision.passed_over", names=", ".join(others))), err=True)


def _seen(
    path: Path,
    board: "Board",
    game: str,
    kit: "Kit",
    before: "Position[Action] | None",
    bare: Path | None,
    out: Path | None,
    captions: "Mapping[str, str] | None" = None,
) -> dict[str, Any]:
    """What a picture says, for people and machines. With `captions` those are what is drawn."""
    from hexboard.game import registry
    from hexboard.vision.cells.reading import Reader, suited
    from hexboard.vision.pose import snapshot

    kinds, image = looks(game), snapshot.load(path)
    camera, pose = snapshot.placed(image, board)
    kit = suited(board, kinds, camera, pose, kit, image)
    seen = Reader(board, kinds, camera, pose, kit).read(image)
    cells = {cell.id: codes for cell, codes in zip(board.cells, seen.cells, strict=True)}
    likely = {cell: _likely(kinds, codes) for cell, codes in cells.items() if codes}
    told: dict[str, Any] = {
        "file": str(path),
        "hand": seen.hand,
        "unknown": [board.cells[k].id for k in seen.unexplained],
        "pieces": {cell: best for cell, (best, *_) in likely.items() if best},
        "doubtful": {cell: either for cell, either in likely.items() if len(either) > 1},
        "cells": cells,
    }
    if bare is not None:
        count = registry.appearance(game).balls
        plays = registry.find(game)
        known = count(plays.visibly(before)) if count and before else None
        told["balls"] = _balls(image, camera, pose, bare, board, kit, known)
    elif before is not None:
        told["move"] = _move(board, registry.find(game).touchable(before), seen)
    if out:
        _annotate(
            image, board, camera, pose, told if captions is None else _captioned(captions), out
        )
    return told


def _captioned(captions: "Mapping[str, str]") -> dict[str, Any]:
    """What is drawn where only these cells matter."""
    return {"unknown": [*captions], "doubtful": {}, "pieces": captions}


def _balls(
    image: "Picture",
    camera: "Camera",
    pose: "Pose",
    bare: Path,
    board: "Board",
    kit: "Kit",
    known: int | None,
) -> list[dict[str, Any]] | None:
    """The balls that lie in a picture and not in the one without, `known` of them where that
    is known; None where that is not certain."""
    from hexboard.vision.cells.balls import Balls
    from hexboard.vision.pose import snapshot

    ground = snapshot.load(bare)
    balls = Balls(board, camera, pose, kit)
    before = Balls(board, *snapshot.placed(ground, board), kit).look(ground)
    now = balls.look(image)
    found = balls.found(before, now) if known is None else balls.find(before, now, known)
    return (
        None
        if found is None
        else [{"place": ball.place, "x": ball.x, "y": ball.y} for ball in found]
    )


def _likely(kinds: "tuple[Look, ...]", codes: "CellCosts") -> list[str]:
    """What may lie in a cell, the likeliest first, "" for nothing; of a tile whose marker cannot be
    read, that one does."""
    from hexboard.perception.inference import GAP_CNAT

    near = [
        kinds[code] for code, cost in sorted(codes, key=lambda entry: entry[1]) if cost < GAP_CNAT
    ]
    best = min(cost for _, cost in codes)
    if near[0].tile and sum(cost == best for _, cost in codes) > 1:
        return ["tile"]
    return list(dict.fromkeys(map(piece, near)))


def _move(board: "Board", before: "Touched[Action]", seen: "Seen") -> dict[str, Any]:
    """Which move was made since `before`."""
    from hexboard.perception.inference import infer

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
    doubtful = {cell: _either(kinds) for cell, kinds in told["doubtful"].items()}
    pieces = " ".join(f"{cell}={kind}" for cell, kind in (told["pieces"] | doubtful).items())
    count = say(message("vision.pieces", count=len(told["pieces"])))
    lines = [f"{told['file']}: {count}", f"  {pieces}"]
    if doubtful:
        lines.append(f"  {say(message('vision.doubtful', count=len(doubtful)))}")
    if told["unknown"]:
        lines.append(f"  {say(message('vision.foreign', cells=', '.join(told['unknown'])))}")
    if "balls" in told:
        lines.append(f"  {_balls_spelt(told['balls'])}")
    if told["hand"]:
        lines.append(f"  {say(message('vision.hand'))}")
    if "move" in told:
        move = told["move"]
        gap, cells = spelt(move["gap"], 1), ", ".join(move["against"])
        key = f"vision.move_{move['verdict']}"
        lines.append(f"  {say(message(key, moves=_moves_spelt(move), gap=gap, cells=cells))}")
    return "\n".join(lines)


def _either(kinds: list[str]) -> str:
    return "|".join(kind or NOTHING for kind in kinds[:FEW])


def _moves_spelt(move: dict[str, Any]) -> str:
    """The move that was made; where that is not certain, those that it may be."""
    moves = ["; ".join(it) or say(message("vision.no_move")) for it in move["moves"]]
    return moves[0] if move["verdict"] == "accept" else " | ".join(moves[:FEW])


def _balls_spelt(balls: list[dict[str, Any]] | None) -> str:
    if balls is None:
        return say(message("vision.balls_unsure"))
    places = ", ".join(f"{ball['place']} ({ball['x']}, {ball['y']} mm)" for ball in balls)
    return say(message("vision.balls", places=places) if places else message("vision.no_balls"))


def _annotate(
    image: "Picture",
    board: "Board",
    camera: "Camera",
    pose: "Pose",
    told: dict[str, Any],
    out: Path,
) -> None:
    """Write the picture with every cell's outline and what was seen in it."""
    import cv2
    import numpy as np

    from hexboard.files import whole
    from hexboard.vision.geometry import project

    picture = image.copy()
    for cell in board.cells:
        odd = cell.id in told["unknown"]
        rim = project(camera, pose, board.corners(cell.id)).round().astype(np.int32)
        cv2.polylines(picture, [rim], True, (0, 0, 255) if odd else (255, 180, 0), 1, cv2.LINE_AA)
        either = _either(told["doubtful"].get(cell.id, []))
        text = either or told["pieces"].get(cell.id, "?!" if odd else "")
        (x, y), *_ = project(camera, pose, [(cell.x, cell.y)])
        at = (int(x) - 5 * len(text), int(y) + 5)
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1, cv2.LINE_AA)
    for ball in told.get("balls") or ():
        ((x, y),) = project(camera, pose, [(ball["x"], ball["y"])])
        cv2.circle(picture, (int(x), int(y)), 9, (0, 0, 255), 2, cv2.LINE_AA)
    whole(out, cv2.imencode(out.suffix, picture)[1].tobytes())
