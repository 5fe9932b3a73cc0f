"""What settings mean on this computer: whether what they name is there, and goes together."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hexboard.commands import board_named
from hexboard.files import Source, refuse, sound
from hexboard.settings import Settings, WebSettings, load
from hexboard.words import Message, chosen, languages, message
from hexboard.words.errors import BadFile, HexboardError

if TYPE_CHECKING:
    from hexboard.board import Board

Wrong = tuple[tuple[str, ...], Message]
"""Which setting is wrong, and why."""


def check_settings(path: Path, home: Path) -> None:
    """Raise `BadFile` with every mistake in a settings file: of form, of range, and what `run`
    would refuse as it starts, with boards, games and languages of `home`."""
    mistakes: list[Message] = []
    try:
        load(path)
    except BadFile as error:
        mistakes += error.mistakes
    source = Source(path)
    if (settings := sound(source, Settings)) is not None:
        wrong = [*_wrong(settings)]
        if source.complete(("board",)) and source.complete(("game",)):
            wrong += _unplayable(settings, home)
        mistakes += [source.mistake("settings.unfit", at, why=why) for at, why in wrong]
    refuse(source, mistakes)


def _wrong(settings: Settings) -> Iterator[Wrong]:
    from hexboard.game.timing import agreed

    if settings.language and not chosen([settings.language], ""):
        known = ", ".join(languages())
        yield ("language",), message("cli.language", name=settings.language, known=known)
    if settings.clock:
        try:
            agreed(settings.clock)
        except HexboardError as error:
            yield ("clock",), error.message
    yield from _uncertified(settings.web)
    if settings.hub.url:
        from hexboard.daemon.hall.wire import authority

        for hub in (replace(settings.hub, ca=""), replace(settings.hub, key="")):
            try:
                authority(hub)
            except HexboardError as error:
                yield ("hub", "key" if hub.key else "ca"), error.message


def _unplayable(settings: Settings, home: Path) -> Iterator[Wrong]:
    """What is wrong with board, game and options together."""
    from hexboard.game import registry

    board = None
    try:
        board = board_named(home, settings.board)
    except BadFile as error:
        yield from ((("board",), why) for why in error.mistakes)
    except HexboardError as error:
        yield ("board",), error.message
    name = settings.game or (str(board.game) if board else "")
    if not name:
        return
    try:
        registry.find(name)
    except HexboardError as error:
        yield ("game",) if settings.game else ("board",), error.message
        return
    options = list(_unknown(settings, name))
    yield from options
    if board is not None and not options:
        yield from _refused(settings, name, board, home)


def _unknown(settings: Settings, name: str) -> Iterator[Wrong]:
    """Each option that the game has not, or that cannot be so."""
    from hexboard.game import registry
    from hexboard.game.options import choose, in_full

    known = registry.find(name).options
    for option, value in settings.options.items():
        try:
            choose(name, known, {option: value})
            in_full(known, {option: value})
        except BadFile as error:
            yield from ((("options", option), why) for why in error.mistakes)
        except HexboardError as error:
            yield ("options", option), error.message


def _refused(settings: Settings, name: str, board: "Board", home: Path) -> Iterator[Wrong]:
    """What the game itself says of its board and of all options."""
    from hexboard.game import registry

    game = registry.find(name)
    try:
        with registry.used(name):
            brought = game.own_options(home) if game.own_options else {}
            game.start(board, {**brought, **settings.options})
    except HexboardError as error:
        why = error.mistakes[0] if isinstance(error, BadFile) else error.message
        yield ("options",) if settings.options else ("game",) if settings.game else ("board",), why


def _uncertified(web: WebSettings) -> Iterator[Wrong]:
    """What the page's server would say of its certificate."""
    if web.certificate:
        from hexboard.daemon.lapse import unfit

        for told in unfit(web.certificate, web.key):
            yield ("web", "certificate"), told
