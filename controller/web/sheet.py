"""What the page shows: the table's public state as plain values (docs/contracts.md, "Page")."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, Protocol, TypeVar, runtime_checkable

from hexboard.board import Board
from hexboard.facts import MS
from hexboard.files import Source, chosen_file
from hexboard.game.fields import PagePart
from hexboard.game.game import AnyGame
from hexboard.game.options import Carried, Option, Options, choose
from hexboard.game.position import CHANCE, Action, Position, Touched
from hexboard.lights.frame import Colour, LightSettings, Power, still
from hexboard.lights.legend import RHYTHMS, legend
from hexboard.table import TableView
from hexboard.table.view import HOST_SEAT, Asking, PiecesView
from hexboard.web.rulebook import Chapter, chapters
from hexboard.web.spoken import page_words
from hexboard.words import ENGLISH, Message, Value, language, message, say, sentences, translated
from hexboard.words.errors import BadText
from hexboard.words.names import naming

Sheet = dict[str, object]
"""A JSON object."""

A = TypeVar("A")
P = TypeVar("P", contravariant=True)

ASIDE = ("table.source_up", "table.sealed_before", "table.seal_holds", "table.seal_kept")
"""What stands in the log, but is not the news: a device is there, the shuffle checks."""


@runtime_checkable
class Shown(Protocol[P]):
    """What a game adds to what pages are told, for its own widgets. `P` is the class of its
    positions."""

    def board(self, board: Board, position: P) -> Sheet:
        """Its own part of what a page asks for once."""

    def state(self, view: TableView[Action], position: P, side: int) -> Sheet:
        """Its own part of what changes, as who sits at `side` may know it by their `position`."""

    def phase(self, position: P) -> str:
        """What the game is about, where nothing is asked or wrong."""

    def active(self, position: P) -> int:
        """The seat that the rules wait for; -1 for nobody."""

    def named(self, told: Message, position: P) -> Message:
        """A message with names where it has ids."""

    def in_short(self, option: str, value: Value) -> Value:
        """An option's value, of one that holds whole files what these are called."""

    def resumed(self, begun: bool) -> Message:
        """What people are to look at where a match goes on that was left; `begun`: somebody had
        made a move."""


class CommonPart(Generic[P]):
    """A game that adds nothing; one that adds something may go on from here."""

    def board(self, board: Board, position: P) -> Sheet:
        return {}

    def state(self, view: TableView[Action], position: P, side: int) -> Sheet:
        return {}

    def phase(self, position: P) -> str:
        return "idle"

    def active(self: "CommonPart[Position[A]]", position: Position[A]) -> int:
        actor = next((position.actor(move) for move in position.legal), CHANCE)
        asked = position.question(CHANCE) if actor == CHANCE else None
        return asked.seat if asked else actor

    def named(self, told: Message, position: P) -> Message:
        return told

    def in_short(self, option: str, value: Value) -> Value:
        return value

    def resumed(self, begun: bool) -> Message:
        return message("table.resume") if begun else message("table.resume_first")


def shown(game: AnyGame[A]) -> Shown[Position[Action]]:
    """What a game shows. Raises `BadText` for one that is not what it was declared to be."""
    if game.page is None or game.page.shows is None:
        return CommonPart()
    found = game.page.shows()
    if not isinstance(found, Shown):
        raise game.other(found, Shown)
    return found


def board_sheet(game: AnyGame[Action], board: Board, position: Position[Action]) -> Sheet:
    """The board's geometry (mm, y up), the game's files, what it adds: asked for once."""
    return {
        "name": board.name,
        "title": translated(board.title, game.prefix),
        "game": game.title(),
        "aim": game.aim(),
        "rules": _rules(game),
        "flat_top": board.flat_top,
        "pitch": board.pitch,
        "cells": [
            {"id": c.id, "x": c.x, "y": c.y, "corners": board.corners(c.id)} for c in board.cells
        ],
        "ramps": [
            {"id": r.id, "cell": r.cell, "edge": r.edge} | _point(board.lane_point(r))
            for r in board.ramps
        ],
        "zones": [
            {"id": z.id, "cell": z.cell, "edges": z.edges} | _point(board.zone_point(z))
            for z in board.zones
        ],
        "sensors": [{"id": s.id, "kind": s.kind, "x": s.x, "y": s.y} for s in board.sensors],
        "legend": _legend(game, board),
        "pixels": [{"x": p.x, "y": p.y} for p in board.pixels],
        "page": page_files(game) | {"words": page_words(language(), game.prefix)},
        "palette": game.palette(position),
        "own": _areas(game, position) | shown(game).board(board, position),
    }


def _areas(game: AnyGame[Action], position: Position[Action]) -> Sheet:
    """The areas into which a game divides its board, where it does."""
    areas = game.divided(position)
    return {"areas": areas} if areas else {}


def _rules(game: AnyGame[Action]) -> tuple[Chapter, ...]:
    """The rules in our own words, where somebody wrote them."""
    try:
        return chapters(game.help())
    except BadText:
        return ()


def _legend(game: AnyGame[Action], board: Board) -> list[Sheet]:
    """What the lights mean, strongest first, also in calm mode (of a ring, its odd and its even
    lights)."""
    ring = any(pixel.edge for pixel in board.pixels)
    return [
        {
            "name": f"{light.meaning}_{light.count}",
            "text": light.text,
            "look": light.look(),
            "rhythm": RHYTHMS[light.style.pattern],
            "flashes": light.style.flashes,
            "a": _hex(light.style.a),
            "b": _hex(light.style.b),
            "calm": {
                "look": light.calm(ring),
                "a": _hex(still(light.style, 1 if ring else 0).a),
                "b": _hex(still(light.style, 2 if ring else 0).a),
            },
        }
        for light in reversed(legend(game.prefix))
        if board.pixels
    ]


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def page_files(game: AnyGame[Action]) -> dict[str, str]:
    """The game, and where its script and style sheet are; "" for none."""
    part = game.page or PagePart()
    files = {"script": part.script, "style": part.style}
    return {
        "game": game.name,
        **{what: name and f"/games/{game.name}/{name}" for what, name in files.items()},
    }


def agreed_sheet(
    game: AnyGame[Action], board: Board, options: Options, takeback: str, clock: str
) -> Sheet:
    """What is agreed on before a game: its options, who agrees to take-backs, whether it is played
    as a first game, and the numbers of a game that has such."""
    chosen = choose(game.name, game.options, options)
    first = game.beginners
    return {
        "first": bool(first) and first.items() <= chosen.items(),
        "options": [
            {
                "name": option.name,
                "value": _in_short(game, option, chosen[option.name]),
                "called": called(game, option, chosen[option.name]),
                "given": chosen[option.name] != option.default,
                "text": game.about(option),
                "rule": option.rule,
                "group": option.group,
            }
            for option in game.options
            if chosen[option.name] != "" or not option.carried
        ]
        + ([_common("takeback", takeback, takeback != "free")] if takeback else [])
        + ([_common("clock", clock, True)] if clock else []),
        "figures": game.figures(board, options) if game.figures else (),
    }


def _common(name: str, chosen: str, given: bool) -> Sheet:
    """What is agreed on in any game."""
    texts = {"takeback": message("table.takeback"), "clock": message("table.clock")}
    about = {"text": say(texts[name]), "rule": "", "group": ""}
    return {"name": name, "value": chosen, "given": given, **about}


def clock_sheet(view: TableView[Action], now: int) -> Sheet | None:
    """What the seats have left `now` (board ns), in ms, and whose time runs; None without clock."""
    if (clock := view.clock) is None:
        return None
    left = list(clock.left_ns)
    if clock.running >= 0:
        left[clock.running] -= max(0, now - clock.since)
    return {"left": [max(0, it) // MS for it in left], "running": clock.running}


def called(game: AnyGame[Action], option: Option, value: Value) -> str:
    """A choice of an option in words, as the game's table has it; "" where that has none."""
    if value not in option.choices:
        return ""
    known = sentences(game.prefix, language())
    return known.get(f"{game.prefix}.choice.{option.name}.{value}", "")


def _in_short(game: AnyGame[Action], option: Option, value: Value) -> Value:
    """An option's value; of one that holds whole files, what these are called."""
    if option.file and (file := chosen_file(str(value))):
        about = Source(*file).data
        return str(about.get("title", about.get("name", file[0])))
    return shown(game).in_short(option.name, value)


def _point(point: tuple[float, float]) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def table_sheet(
    view: TableView[Action],
    side: int,
    journalled: int,
    power: Power,
    lights: LightSettings,
) -> Sheet:
    """Everything about the table that changes, as who sits at `side` may know it; -1 is everybody.
    `journalled` entries are final, later ones not."""
    position, game = view.seen_by(side), shown(view.game)
    active = game.active(position)
    tell = teller(game, position, view.names)
    return {
        "type": "state",
        "private": view.private,
        "side": side,
        "game": view.game.name,
        "phase": _phase(view, game),
        "seats": [_seat(seat, view.names) for seat in position.seats],
        "people": _people(view),
        "active": active,
        "prompt": _prompt(position, active, view.names, tell),
        "prompt_rule": question.message.rule if (question := position.question(active)) else "",
        "active_sensors": sorted(view.high),
        "bad_sensors": _bad_sensors(view),
        "todo": [{"cell": todo.cell, "text": tell(todo.message)} for todo in view.todo],
        "question": view.asking and _question(view.asking, view, tell),
        "lights": {
            "limited": power.percent < 100,
            "percent": power.percent,
            "milliamps": power.milliamps,
            "limit": power.limit,
            "brightness": lights.brightness,
            "calm": lights.calm,
        },
        "duo": view.pieces is not None and len(position.seats) == 2,
        "begun": view.begun,
        "scores": position.scores,
        "outcome": _outcome(position, view.names),
        "next": [tell(it) for it in left.said] if (left := _left(view, position)) else [],
        "links": [
            {"source": source, "up": presence.up, "why": presence.why}
            for source, presence in sorted(view.presence.items())
        ],
        "log": [
            {
                "n": line.n,
                "entry": line.entry,
                "text": tell(line.message),
                "rule": line.message.rule,
                "final": line.entry < journalled,
                "aside": line.message.key.startswith(ASIDE),
            }
            for line in reversed(view.log)
        ],
        "unsaved": view.entries > journalled,
        "resume": _resume(view, game) if view.confirm else None,
        "hand": [tell(card) for card in view.hand(side)],
        "watched": view.watched,
        "paused": view.paused,
        **(_pieces(view, view.game.touchable(position), side, tell) if view.pieces else {}),
        "own": game.state(view, position, side),
    }


def _left(view: TableView[Action], position: Position[Action]) -> Carried | None:
    """What the next game of the same players may begin with."""
    return view.game.carries(position) if view.game.carries is not None else None


def _resume(view: TableView[Action], game: Shown[Position[Action]]) -> Sheet:
    """What people are asked before a match goes on."""
    return {"text": say(game.resumed(view.begun)), "begun": view.begun}


def _question(asking: Asking, view: TableView[Action], tell: Callable[[Message], str]) -> Sheet:
    return {
        "id": asking.id,
        "text": tell(asking.message),
        "choices": [{"name": c.name, "text": tell(c.message)} for c in asking.choices],
        "of": asking.of,
        "ordered": asking.ordered,
        "waits": _waits(view, asking.of) if asking.of else "",
    }


def _waits(view: TableView[Action], of: tuple[int, ...]) -> str:
    if HOST_SEAT in of:
        return say(message("web.waits_host"))
    return say(message("web.waits", seats=seat_names(view, of)))


def seat_names(view: TableView[Action], seats: Iterable[int], language: str = "") -> str:
    """Seats as people call them: "Red, Blue"."""
    every = view.position.seats
    return ", ".join(_seat(every[seat], view.names, language) for seat in seats if seat >= 0)


def _seat(seat: Message, names: Mapping[str, str], language: str = "") -> str:
    """A seat as people call it: by the name of who plays there."""
    return names.get(say(seat, ENGLISH)) or say(seat, language)


def _people(view: TableView[Action]) -> list[tuple[str, int]]:
    """For each seat what it is called beside its player's name, and the player's colour; none where
    nobody gave a name."""
    if not view.names:
        return []
    seats = view.position.seats
    colours = (*view.colours, *([-1] * len(seats)))
    own = zip(seats, colours, strict=False)
    return [(say(it) if say(it, ENGLISH) in view.names else "", colour) for it, colour in own]


def _pieces(
    view: TableView[Action], position: Touched[Action], side: int, tell: Callable[[Message], str]
) -> Sheet:
    """What there is of counters and cards: where they lie, and every move with the places that a
    finger touches to make it. Where cards are hidden, only who is asked has moves; in a pause
    nobody."""
    own = side >= 0 and shown(view.game).active(position) == side
    told = not view.paused and (own or not view.private)
    return {
        "position": str(position),
        "pieces": position.pieces(),
        "standing": [tell(line) for line in view.game.standing(position)],
        "keeps": view.game.keeps(position),
        "touches": view.pieces.touches if view.pieces else (),
        "wrong": _wrong(view.pieces) if view.pieces and view.wrong else None,
        "moves": [(position.name(m), position.places(m)) for m in position.legal if told],
        "words": dict(_phrases(view.game, position, position.legal if told else (), tell)),
        "withheld": _withheld(view.game, position, tell) if told else [],
        "acts": _acts(view, position, tell),
    }


def _withheld(
    game: AnyGame[Action], position: Position[Action], tell: Callable[[Message], str]
) -> list[tuple[str, str, str]]:
    """What people look for and cannot do now: its words, the heading it stands under, and why."""
    return [
        (tell(phrase.said), tell(phrase.group) if phrase.group else "", tell(why))
        for phrase, why in game.withheld(position)
    ]


def _acts(
    view: TableView[Action], position: Position[Action], tell: Callable[[Message], str]
) -> list[tuple[str, int, str]]:
    """What seats may do beside their moves: its name, the seat, the words."""
    acts = {position.name(act): act for act in view.game.table_acts(position)}
    known = {it: act for it, act in acts.items() if it.partition(" ")[0] not in view.unknown_acts}
    said = dict(_phrases(view.game, position, known.values(), tell))
    return [(it, position.actor(act), said[it][0]) for it, act in known.items() if it in said]


def _phrases(
    game: AnyGame[Action],
    position: Position[Action],
    actions: Iterable[Action],
    tell: Callable[[Message], str],
) -> Iterator[tuple[str, tuple[str, str, int | None, bool]]]:
    """Actions that have words, by name: those words, the heading that they stand under, the number
    where one is chosen, whether people are asked once more."""
    for action in actions:
        if phrase := game.phrase(position, action):
            group = tell(phrase.group) if phrase.group else ""
            yield position.name(action), (tell(phrase.said), group, phrase.number, phrase.sure)


def _wrong(pieces: PiecesView) -> dict[str, str]:
    """Why a board is called wrong: the rule's sentence, where one is plain."""
    why = pieces.against or message("table.camera_wrong", cells=", ".join(pieces.wrong))
    return {"text": say(why), "rule": why.rule}


def _bad_sensors(view: TableView[Action]) -> list[dict[str, str]]:
    """Those that are left out, and those that count for less, each with its reason."""
    out = {s: message(f"sensor.{state}", sensor=s) for s, state in view.out.items()}
    return [
        {"id": sensor, "health": text.key.partition(".")[2], "text": say(text)}
        for sensor, text in sorted({**view.failing, **out}.items())
    ]


def _phase(view: TableView[Action], game: Shown[Position[Action]]) -> str:
    if view.asking:
        return "asking"
    if view.todo or view.confirm:
        return "wrong"
    if view.position.scores is not None:
        return "over"
    return game.phase(view.position)


def _prompt(
    position: Position[Action],
    active: int,
    names: Mapping[str, str],
    tell: Callable[[Message], str],
) -> str:
    question = position.question(active)
    if question is None:
        return _outcome(position, names) or ""
    return tell(question.message)


def teller(
    game: Shown[Position[Action]], position: Position[Action], names: Mapping[str, str]
) -> Callable[[Message], str]:
    """`say`, with names where messages have ids, or the seats of people who gave theirs."""
    return lambda told: say(naming(game.named(_plainly(told), position), names))


def _plainly(told: Message) -> Message:
    """A ruling without a reason, said without one."""
    why = told.key == "table.ruled" and dict(told.values)["why"]
    return message("table.ruled_plainly", who=dict(told.values)["who"]) if why == "-" else told


def _outcome(position: Position[Action], names: Mapping[str, str]) -> str | None:
    told = outcome(position, names)
    return None if told is None else say(told)


def outcome(
    position: Position[Action], names: Mapping[str, str], language: str = ""
) -> Message | None:
    """Who has won, by their name or the seat's in a language, where the game is over."""
    if position.scores is None:
        return None
    best = max(position.scores)
    winners = [seat for seat, score in enumerate(position.scores) if score == best]
    if len(winners) != 1 or best <= 0:
        return message("table.draw")
    return message("table.won", seat=_seat(position.seats[winners[0]], names, language))
