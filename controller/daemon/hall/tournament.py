"""A tournament: rounds, results, places.

Who meets whom is FIDE's Dutch system (C.04.3), or its Berger tables; places go by points, then
Buchholz, then Sonneborn-Berger (C.07). All three are the library `gacrux`'s, by a member of FIDE's
technical commission: docs/decisions says why. Nothing here knows a file or a hall.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from hexboard.record.trf import (
    ABSENT,
    BYE,
    DRAW,
    FULL,
    HALF,
    LOSS,
    LOST,
    MOST_PLAYERS,
    MOST_ROUNDS,
    NAME_LETTERS,
    OPEN,
    WIN,
    WON,
    HallOf,
    PairingSet,
    Trf,
    TrfCell,
    TrfPlayer,
    head,
)
from hexboard.words.errors import BadText, HexboardError
from hexboard.words.names import one_line

RESULTS = {
    "1-0": (WIN, LOSS),
    "0-1": (LOSS, WIN),
    "1/2": (DRAW, DRAW),
    "+-": (WON, LOST),
    "-+": (LOST, WON),
    "--": (LOST, LOST),
    "none": (OPEN, OPEN),
}
"""What a person may enter, for the first seat and the second."""
SHOWN = {pair: said for said, pair in RESULTS.items()} | {(OPEN, OPEN): "", (DRAW, DRAW): "½-½"}
SWISS = (("092", "Individual: Swiss-System (Dutch)"), ("192", "FIDE_DUTCH_2026"))
ROBIN = (("092", "Individual: Round-Robin (Berger)"), ("192", "BERGER_ROUNDROBIN"))
QUIET: dict[str, Any] = {"experimental": [], "verbose": 0, "top_color": "w"}
"""What the library is to do beside; where a file does not say, number 1 has the first seat."""
FIRST = (("152", "W"), ("XXC", "white1"))
"""Number 1 has the first seat in round 1."""
BYES = {BYE: "byes", HALF: "half_byes", FULL: "full_byes", ABSENT: "absent"}
RESTS = "rests"
"""In a round robin, where everybody has nobody to meet once, without a point."""


class Pairing(Struct, frozen=True):
    """Two who meet in a round, or one who has nobody to meet (`black` is None)."""

    table: int
    """Counted from 1; 0 for who has nobody."""
    white: TrfPlayer
    black: TrfPlayer | None
    board: str
    results: tuple[str, str]
    kind: str = ""
    """Why one has nobody to meet: the name of a list in `BYES`."""

    @property
    def open(self) -> bool:
        return self.black is not None and OPEN in self.results

    @property
    def result(self) -> str:
        return SHOWN.get(self.results, "-".join(it.strip() for it in self.results).strip("-"))


class TournamentPlace(Struct, frozen=True):
    """Where somebody stands."""

    rank: int
    number: int
    name: str
    points: float
    buchholz: float
    sonneborn: float
    away: bool


class BoardMark(Struct, frozen=True):
    """How much a board had told when a pairing was set on it, and how long the stream was."""

    after: int
    stream: int


# ------------------------------------------------------------------------------------ setting up


def begun(
    name: str, names: Sequence[str], rounds: int | None, robin: bool, hall: HallOf, day: str
) -> Trf:
    """A tournament that begins on `day` (2026/11/28); who is named first is number 1. In a round
    robin everybody meets everybody; else `rounds` are enough for one winner. Raises `BadText`."""
    if len(names) < 2 or len(names) > MOST_PLAYERS:
        raise BadText("tournament.few", most=MOST_PLAYERS)
    for n, it in enumerate(names):
        _check_name(it, names[:n])
    if not name.strip() or not name.isprintable():
        raise BadText("tournament.no_name", name=name, most=NAME_LETTERS)
    most = _most_rounds(len(names))
    _check_robin(len(names), robin)
    count = most if robin else rounds or (len(names) - 1).bit_length()
    if count > most:
        raise BadText("tournament.many_rounds", count=len(names), most=most)
    about = (("012", name.strip()), ("042", day), ("062", str(len(names))))
    how = ROBIN if robin else SWISS
    lines = (*about, *how, ("142", str(count)), ("XXR", str(count)), *FIRST)
    players = (TrfPlayer(n, it, head(n, it)) for n, it in enumerate(names, 1))
    return Trf(tuple(f"{code} {said}" for code, said in lines), tuple(players), hall)


def _check_name(name: str, others: Iterable[str]) -> None:
    """Raises `BadText` for what is no name, or one of the others'."""
    if known(name) in map(known, others):
        raise BadText("tournament.namesakes", name=name)
    if not name or name != name.strip() or len(name) > NAME_LETTERS or not name.isprintable():
        raise BadText("tournament.no_name", name=name, most=NAME_LETTERS)


def _check_robin(count: int, robin: bool) -> None:
    """Raises `BadText` where not everybody can meet everybody in the rounds that a file has."""
    if robin and count > MOST_ROUNDS + 1:
        raise BadText("tournament.robin_many", most=MOST_ROUNDS + 1)


def known(name: str) -> str:
    """A name as it is compared: as a phone would have taken it, whoever typed it."""
    return normalize("NFC", one_line(name.replace("/", ""))).casefold()


def _most_rounds(count: int) -> int:
    """So many rounds so many people can play without meeting somebody twice."""
    return min(MOST_ROUNDS, count - 1 + count % 2)


def joining(trf: Trf, name: str) -> Trf:
    """One more plays, numbered last; rounds that are paired already give them no points (C.04.2).
    Raises `BadText` where that cannot be: a round robin has begun, say."""
    _check_name(name, (it.name for it in trf.players))
    if len(trf.players) == MOST_PLAYERS:
        raise BadText("tournament.few", most=MOST_PLAYERS)
    if trf.robin and trf.paired:
        raise BadText("tournament.robin_begun")
    if trf.rounds and trf.paired >= trf.rounds:
        raise BadText("tournament.too_late", count=trf.rounds)
    _check_robin(len(trf.players) + 1, trf.robin)
    number = 1 + max(it.number for it in trf.players)
    cells = (TrfCell(0, "-", ABSENT),) * trf.paired
    players = (*trf.players, TrfPlayer(number, name, head(number, name), cells))
    more = replace(trf, players=players).saying("062", str(len(players)))
    if not trf.robin:
        return more
    rounds = str(_most_rounds(len(players)))
    return more.saying("142", rounds).saying("XXR", rounds)


def found(trf: Trf, name: str) -> TrfPlayer:
    """Who has that number, or is the only one who is called that. Raises `BadText`."""
    called = [it for it in trf.players if known(it.name) == known(name)]
    numbered = [it for it in trf.players if str(it.number) == name]
    if len(called) > 1 and not numbered:
        raise BadText(
            "tournament.which", name=name, numbers=", ".join(str(it.number) for it in called)
        )
    if not (numbered or called):
        raise BadText("tournament.nobody", name=name)
    return (numbered or called)[0]


def leaving(trf: Trf, number: int, back: bool = False) -> Trf:
    """From the next round on they are not paired; or they are again."""
    away = trf.away - {number} if back else trf.away | {number}
    return trf.saying("XXZ", " ".join(map(str, sorted(away))))


# ------------------------------------------------------------------------------------ rounds


def pairings(trf: Trf, round: int) -> list[Pairing]:
    """Who meets in a round, by table; then who has nobody to meet."""
    tables = [it for it in trf.set if it.round == round]
    known = {it.white for it in tables}
    for it in trf.players:  # another program paired them
        cell = it.cell(round)
        if cell.colour == "w" and it.number not in known:
            tables.append(PairingSet(round, it.number, cell.opponent))
    met = [_pairing(trf, n, it) for n, it in enumerate(tables, 1)]
    alone = (it for it in trf.players if it.cell(round).colour == "-")
    return met + [_alone(trf, it, it.cell(round).result) for it in alone]


def _alone(trf: Trf, player: TrfPlayer, result: str) -> Pairing:
    kind = RESTS if trf.robin and result == ABSENT else BYES.get(result, BYES[ABSENT])
    return Pairing(0, player, None, "", (result, ""), kind)


def _pairing(trf: Trf, table: int, it: PairingSet) -> Pairing:
    white, black = trf.player(it.white), trf.player(it.black)
    results = white.cell(it.round).result, black.cell(it.round).result
    return Pairing(table, white, black, it.board, results)


def closed(trf: Trf) -> int:
    """So many rounds are over, and all before them."""
    return (_unfinished(trf) or trf.paired + 1) - 1


def _unfinished(trf: Trf) -> int:
    """The first round that is paired and has an open result; 0 where none has."""
    open_ = (
        round
        for it in trf.players
        for round, cell in enumerate(it.cells, 1)
        if cell.opponent and cell.result == OPEN
    )
    return min(open_, default=0)


def next_round(trf: Trf, marks: Mapping[str, BoardMark]) -> Trf:
    """The next round is paired, the first table on the first board of the hall that `marks` has,
    and so on. Raises `BadText` where it cannot be: a game is missing, or all rounds are played."""
    round = trf.paired + 1
    if before := _unfinished(trf):
        where = ", ".join(str(it.table) for it in pairings(trf, before) if it.open)
        raise BadText("tournament.unfinished", round=before, tables=where)
    if trf.rounds and round > trf.rounds:
        raise BadText("tournament.finished", count=trf.rounds)
    byes = {} if trf.robin else trf.byes(round)
    pairs = _berger(trf, round) if trf.robin else _dutch(trf, round, set(byes))
    cells = {it.number: TrfCell(0, "-", byes.get(it.number, ABSENT)) for it in trf.players}
    tables: list[PairingSet] = []
    boards = iter([it for it in trf.hall.boards if it in marks])
    for white, black in pairs:
        if not black:
            cells[white] = TrfCell(0, "-", ABSENT if trf.robin else BYE)
            continue
        results = _at_once(trf, white, black)
        cells[white] = TrfCell(black, "w", results[0])
        cells[black] = TrfCell(white, "b", results[1])
        it = PairingSet(round, white, black)
        board = next(boards, "") if results[0] == OPEN else ""
        tables.append(_placed(it, board, marks[board]) if board else it)
    return replace(trf.with_cells(round, cells), set=(*trf.set, *tables))


def _at_once(trf: Trf, white: int, black: int) -> tuple[str, str]:
    """The result of who meets somebody who has left."""
    if not {white, black} & trf.away:
        return OPEN, OPEN
    return (LOST if white in trf.away else WON), (LOST if black in trf.away else WON)


def _placed(it: PairingSet, board: str, mark: BoardMark) -> PairingSet:
    return replace(it, board=board, after=mark.after, stream=mark.stream)


def placed(trf: Trf, table: int, board: str, mark: BoardMark) -> Trf:
    """A pairing of the newest round is played on this board from now on; a result that a person
    entered stays. Raises `BadText`."""
    it = at_table(trf, trf.paired, table)
    trf = _noted(trf, trf.paired)
    return with_note(trf, _placed(_set(trf, it, trf.paired), board, mark))


def shared(trf: Trf, table: int) -> list[int]:
    """The other pairings of the newest round that are open, and on the same board as this one."""
    board = at_table(trf, trf.paired, table).board
    others = (it for it in pairings(trf, trf.paired) if it.table != table)
    return [it.table for it in others if board and it.board == board and it.open]


def by_hand(trf: Trf, table: int) -> bool:
    """Whether a person entered the result of this pairing of the newest round."""
    return _set(trf, at_table(trf, trf.paired, table), trf.paired).by_hand


def resulted(trf: Trf, round: int, table: int, said: str) -> Trf:
    """A person enters a result, or takes it back, but not one by which the next round is paired.
    Raises `BadText`."""
    if said not in RESULTS:
        raise BadText("tournament.no_result", said=said, known=", ".join(RESULTS))
    it = at_table(trf, round, table)
    if said == "none" and round < trf.paired:
        raise BadText("tournament.paired_on", round=round, next=round + 1)
    trf = _noted(trf, round)
    note = replace(_set(trf, it, round), by_hand=said != "none", match="")
    return with_note(given(trf, note, RESULTS[said]), note)


def given(trf: Trf, it: PairingSet, results: tuple[str, str]) -> Trf:
    """The pairing has this result."""
    white = TrfCell(it.black, "w", results[0])
    black = TrfCell(it.white, "b", results[1])
    return trf.with_cells(it.round, {it.white: white, it.black: black})


def at_table(trf: Trf, round: int, table: int) -> Pairing:
    """The pairing of a round at this table. Raises `BadText` where there is none."""
    if not 0 < round <= trf.paired:
        raise BadText("tournament.no_round", round=round, paired=trf.paired)
    for it in pairings(trf, round):
        if it.table == table and table:
            return it
    raise BadText("tournament.no_table", round=round, table=table)


def _set(trf: Trf, it: Pairing, round: int) -> PairingSet:
    assert it.black is not None
    new = PairingSet(round, it.white.number, it.black.number)
    return next((n for n in trf.set if (n.round, n.white) == (round, new.white)), new)


def _noted(trf: Trf, round: int) -> Trf:
    """The same with a note of each pairing of a round, which another program may have paired: a
    note of one alone would come before all others, and their tables would be others."""
    known = {it.white for it in trf.set if it.round == round}
    met = (it for it in pairings(trf, round) if it.black is not None)
    new = (_set(trf, it, round) for it in met if it.white.number not in known)
    return replace(trf, set=(*trf.set, *new))


def with_note(trf: Trf, note: PairingSet) -> Trf:
    """The same with this note in place of the one of the same pairing."""
    at = (note.round, note.white)
    if all((it.round, it.white) != at for it in trf.set):
        return replace(trf, set=(*trf.set, note))
    return replace(trf, set=tuple(note if (n.round, n.white) == at else n for n in trf.set))


# ------------------------------------------------------------------------------------ the library


def _berger(trf: Trf, round: int) -> list[tuple[int, int]]:
    """Pairs of numbers by FIDE's tables, white first; 0 for nobody."""
    from gacrux.berger import bergertables

    numbers = sorted(it.number for it in trf.players)
    table = bergertables(len(numbers))["pairing"].get(round)
    if table is None:
        raise BadText("tournament.finished", count=trf.paired)
    seats = dict(enumerate(numbers, 1))
    pairs = [(seats.get(it["white"], 0), seats.get(it["black"], 0)) for it in table.values()]
    return [(white, black) if white else (black, 0) for white, black in pairs]


def _dutch(trf: Trf, round: int, byes: Set[int]) -> list[tuple[int, int]]:
    """Pairs of numbers by FIDE's Dutch system but for who has a bye already, in the order of
    tables; 0 for nobody. Raises `BadText` where nobody can be paired any more."""
    if len(trf.players) - len(trf.away | byes) < 2:
        raise BadText("tournament.all_left")
    tournament = _library(_until(trf, round - 1))
    for it in tournament["competitors"]:
        it["present"] = it["present"] and it["cid"] not in byes
    # without a count it takes this round for one beyond the last, and lets people meet again
    tournament["numRounds"] = trf.rounds or round + 1
    from gacrux.gacruxexeptions import GacruxNoLegalPairing
    from gacrux.pairingdutch import pairing_dutch

    with _counting():
        try:
            engine = pairing_dutch(tournament, round, QUIET)
            brackets = engine.compute_pairing(False)
        except GacruxNoLegalPairing:
            raise BadText("tournament.no_pairing", round=round) from None
    pairs = sorted((it["board"], it["w"], it["b"]) for had in brackets for it in had["pairs"])
    return [(int(white), int(black)) for _, white, black in pairs]


def standings(trf: Trf) -> list[TournamentPlace]:
    """Places after the rounds that are over, the first first."""
    after = closed(trf)
    ties = ["PTS", "BH", "SB"]
    tournament = _library(_until(trf, after))
    from gacrux.tiebreak import tiebreak

    asked = {"swiss": not trf.robin, "pre_determined": trf.robin, "tiebreak": ties, "check": False}
    with _counting():
        counted = tiebreak(tournament, after, asked | QUIET)
        told = counted.compute_tiebreaks(tournament, asked)["competitors"]
    places = []
    for it in told:
        who = trf.player(it["cid"])
        points, buchholz, sonneborn = map(float, it["tiebreakScore"])
        places.append(
            TournamentPlace(
                rank=it["rank"],
                number=who.number,
                name=who.name,
                points=points,
                buchholz=buchholz,
                sonneborn=sonneborn,
                away=who.number in trf.away,
            )
        )
    return sorted(places, key=lambda it: (it.rank, it.number))


def text(trf: Trf) -> str:
    """The file, with everybody's rank."""
    return trf.text({it.number: it.rank for it in standings(trf)})


def _until(trf: Trf, round: int) -> Trf:
    """The tournament as it stood after a round."""
    players = tuple(replace(it, cells=it.cells[:round]) for it in trf.players)
    return replace(trf, players=players, set=tuple(it for it in trf.set if it.round <= round))


@contextlib.contextmanager
def _counting() -> Iterator[None]:
    """What the library stumbles over, in a file that another program wrote, is a `BadText`."""
    try:
        yield
    except HexboardError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"[:200]
        raise BadText("tournament.unread", why=why) from error


def _library(trf: Trf) -> dict[str, Any]:
    """The tournament as the library has it. Raises `HexboardError` where that is not there."""
    try:
        from gacrux.trf2json import trf2json
    except ImportError:
        raise HexboardError("tournament.not_installed") from None
    file = trf2json()
    with _counting():
        file.parse_file(trf.text({}), 0)
    if file.get_status():
        raise BadText("tournament.unread", why=str(file.chessjson["status"]["error"])[:200])
    found: dict[str, Any] = file.get_tournament(1)
    return found
