"""Beside: what the recordings beside a journal say of the match in it.

A recording has every fact of a match, so the match can be made again from it where the journal was
damaged. And it says after each commit what the journal had: a journal that has less lost something.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hexboard.board import Board
from hexboard.facts import Resume, Seal, Start, decode_fact, started
from hexboard.game.match import Match, encode_entry
from hexboard.game.position import Action
from hexboard.record.chain import chain, whole
from hexboard.record.journal import Saved
from hexboard.record.recording import Recording, read, recordings_in
from hexboard.record.schemas import ChainRecord, EventRecord
from hexboard.record.transcript import Transcript
from hexboard.table.effects import Commit
from hexboard.words import Message, message, say
from hexboard.words.errors import NO_JSON, BadRecording, HexboardError


class Claim(Struct, frozen=True):
    """What a recording says that the journal had: so many `entries` after fact `n`; 0 and 0 where
    it says nothing."""

    path: Path
    match: str
    game: str
    n: int
    entries: int
    link: str
    """Of the chain of these entries as everybody heard them; "" in recordings from before links."""
    board: str
    """The hash of the board that the match is tied to; "" in a demonstration, and in older ones."""
    damage: Message | None


def claims(folder: Path, name: str = "", game: str = "") -> Iterator[Claim]:
    """What the recordings in `folder` say, of the match of this name or of all, or of those of a
    `game`, the newest first. Of one that cannot be read only the damage is known."""
    for path in sorted(_files(folder, name), key=_begun if name else _age, reverse=True):
        try:
            said = _said(read(path), game)
        except HexboardError as error:
            said = replace(_nothing(path), damage=error.message)
        except (OSError, *NO_JSON):
            said = _nothing(path)
        if name in ("", said.match or name) and game in ("", said.game or game):
            yield said


def next_session(folder: Path, name: str) -> int:
    """The number of the recording that goes on with a match: clocks may be wrong, it counts on."""
    return 1 + max(map(_session, _files(folder, name)), default=0)


CUT = ("recording.unclosed", "recording.empty")
"""What a kill does to a recording, which is no damage."""


def against(folder: Path, name: str, heard: list[str], journal: Path) -> Message | None:
    """What the newest recordings of a match hold against its `journal`, whose entries were `heard`;
    None for nothing. `journal.behind`: one begins with the same entries and has more of them.
    Everything else is wrong with the recording, not with the journal."""
    said = claims(folder, name)
    newest = told = next(said, None)
    if told is not None and not told.n:
        told = next((one for one in said if one.n), None)
    if told is not None and told.entries > len(heard):
        if committed(read(told.path))[: len(heard)] == heard:
            return message("journal.behind", file=str(journal), lost=told.entries - len(heard))
        return message("recording.other_chain", file=str(told.path))
    if told is not None and told.link not in ("", whole(tuple(heard[: told.entries]))):
        return message("recording.other_chain", file=str(told.path))
    if newest is not None and newest.damage is not None and newest.damage.key not in CUT:
        return message("journal.stands", why=say(newest.damage))
    return None


def played(saved: Saved, board: Board) -> list[str] | None:
    """The entries of a saved match as everybody heard them, played again on this `board`; None
    where they come to another position than the journal has. Raises what the game does."""
    match = again(saved, board)
    if saved.position not in ("", str(match.position)):
        return None
    return [encode_entry(entry).decode() for entry in match.heard]


def again(saved: Saved, board: Board) -> Match[Action]:
    """A saved match, played again on this `board`. Raises what the game does."""
    start = msgspec.json.decode(saved.start, type=Start)
    seal = msgspec.json.decode(saved.seal, type=Seal) if saved.seal else None
    resume = Resume(replace(start, board_hash=board.hash), saved.entries, seal)
    return Transcript(board, resume).match


def rebuilt(said: Claim) -> Saved:
    """The match as that recording has it. Raises `HexboardError` where it cannot be played again,
    or does not come to what the recording says."""
    from hexboard.record.replay import Replay  # seldom needed: not at each start

    replay = Replay(said.path, until=said.n)
    begin: Start | Resume | None = None
    for step in replay:
        begin = begin or (step.fact.body if isinstance(step.fact.body, Start | Resume) else None)
    match = replay.match
    match.forget(said.entries)
    heard = chain(encode_entry(entry).decode() for entry in match.heard)
    if begin is None or len(match.heard) != said.entries or said.link not in ("", heard):
        raise BadRecording("recording.other_chain", file=str(said.path))
    start = started(begin)
    file = replay.recording.metadata.get("board", start.board_hash)
    seal = replay.view.seal
    return Saved(
        start.match,
        msgspec.json.encode(replace(start, board_hash=file)),
        tuple(encode_entry(entry).decode() for entry in match.entries),
        str(match.position),
        msgspec.json.encode(seal) if seal else b"",
        paused=replay.view.paused,
    )


def committed(recording: Recording) -> list[str]:
    """All entries of the match up to its last commit, as everybody heard them."""
    entries: list[str] = []
    for record in recording:
        if record.topic == "fact" and b'"resume"' in record.payload:
            body = decode_fact(record.payload).body
            entries = list(body.entries) if isinstance(body, Resume) else entries
        elif record.topic == "event" and b'"commit"' in record.payload:
            for effect in msgspec.json.decode(record.payload, type=EventRecord).effects:
                if isinstance(effect, Commit):
                    entries[effect.first :] = effect.entries
    return entries


def _nothing(path: Path) -> Claim:
    return Claim(path, "", "", 0, 0, "", "", None)


def _said(recording: Recording, game: str) -> Claim:
    """What a recording says last; of one without links what stood at its last commit. Where it is
    not of the `game` that is asked for, only its beginning is read."""
    begin: Start | Resume | None = None
    vouched, linked = ChainRecord(0, 0, ""), False
    committed = None
    for record in recording:
        if begin is None and record.topic == "fact":
            body = decode_fact(record.payload).body
            if not isinstance(body, Start | Resume):
                break
            begin = body
            if game not in ("", started(begin).game):
                break
            vouched = ChainRecord(1, len(body.entries) if isinstance(body, Resume) else 0, "")
        elif record.topic == "chain":
            vouched, linked = msgspec.json.decode(record.payload, type=ChainRecord), True
        elif record.topic == "event" and b'"commit"' in record.payload:
            committed = record.payload
    if begin is None:
        return replace(_nothing(recording.path), damage=recording.damage)
    start = started(begin)
    if committed is not None and not linked:  # what is committed is not yet on the disk
        vouched = _committed(committed) or vouched
    return Claim(
        recording.path,
        start.match,
        start.game,
        vouched.n,
        vouched.entries,
        vouched.chain,
        recording.metadata.get("board", ""),
        recording.damage if game in ("", start.game) else None,
    )


def _committed(payload: bytes) -> ChainRecord | None:
    event = msgspec.json.decode(payload, type=EventRecord)
    for effect in reversed(event.effects):
        if isinstance(effect, Commit):
            return ChainRecord(event.n, effect.first + len(effect.entries), "")
    return None


def _files(folder: Path, name: str) -> list[Path]:
    """The recordings of a match; none where the folder cannot be listed: people play without."""
    with contextlib.suppress(OSError):
        return recordings_in(folder, name=name)
    return []


def _session(path: Path) -> int:
    """0 also where it cannot be read."""
    with contextlib.suppress(HexboardError, OSError):
        return read(path).session
    return 0


def _begun(path: Path) -> tuple[int, int, str]:
    """When a recording of a match began, whatever the clock said then."""
    return _session(path), *_age(path)


def _age(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name
