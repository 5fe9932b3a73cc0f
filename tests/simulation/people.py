"""People: what they do with their phones and fingers, again and again.

Two phones are hosts'. Others are handed an invitation, sit down, sleep, come again, give their seat
away, and are thrown off.
"""

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from tests.simulation.broken import hold
from tests.simulation.faults import MS
from tests.simulation.guests import names_of
from tests.simulation.network import Phone
from tests.simulation.wire import Felt

if TYPE_CHECKING:
    from tests.simulation.evening import Evening

FELT_NS = 105 * MS
"""By then a finger is felt, where nothing is wrong: a table without watermarks waits longer."""
MOST_GUESTS = 5
WHAT = (*["invite"] * 3, *["take"] * 5, *["give"] * 2, *["dismiss"] * 2, "new", "renew")
"""What becomes of seats, as often as it does."""


class People:
    """Those of one evening."""

    def __init__(self, evening: "Evening", dice: Random) -> None:
        self._evening, self._dice = evening, dice
        it = evening
        self.hosts = [Phone(name, it.network, it.seen) for name in ("one", "two")]
        self.guests: list[Phone] = []
        self.quiet = False
        """They do nothing: it ends, or all is to be well."""
        self.changes = 0
        """How often somebody began another game."""
        self.joined = 0
        """How many invitations were taken."""
        self._taken: set[str] = set()

    @property
    def phones(self) -> list[Phone]:
        return [*self.hosts, *self.guests]

    def begin(self) -> None:
        """A life begins."""
        self.quiet = False
        self._again()

    def _again(self) -> None:
        self._evening.scheduler.after(self._dice.randrange(20, 400) * MS, self._act)

    def _act(self) -> None:
        self._again()
        self._evening.told()
        dice, it = self._dice, self._evening
        phone = dice.choice(self.phones)
        if not phone.connected:
            self._dial(phone)
        elif self.quiet or not phone.state:
            return
        elif dice.random() < 0.04:
            phone.hang_up()
        elif it.balls is not None and dice.random() < 0.8:
            it.balls.act(phone)
        elif phone.state["resume"] and it.balls is None:
            phone.say("ruling", do="right")
        elif phone.state["question"] and not it.balls and dice.random() < 0.5:
            self._answer(phone, phone.state["question"])
        elif phone.state["todo"] and it.balls is None and dice.random() < 0.5:
            phone.say("ruling", do="done")
        elif dice.random() < 0.2:
            self._seats(phone)
        elif phone.state["private"] and phone.host and dice.random() < 0.5:
            self._curtain(phone)
        elif moves := phone.state.get("moves"):
            self._move(phone, *dice.choice(moves))
        elif phone.state["phase"] == "over":
            self._new(phone)

    def _dial(self, phone: Phone) -> None:
        token = self._evening.state / "token"
        if not phone.host:
            phone.dial()
        elif token.exists():
            phone.dial(token.read_text("ascii", "replace").strip())

    def _answer(self, phone: Phone, question: dict[str, Any]) -> None:
        choice = self._dice.choice(question["choices"])
        phone.say("decide", question=question["id"], choice=choice["name"])

    # ------------------------------------------------------------------------------ their seats

    def _seats(self, phone: Phone) -> None:
        """Somebody is invited, given a seat, or thrown off; or another game begins."""
        dice, seats = self._dice, range(len(phone.state["seats"]))
        what = dice.choice(WHAT)
        people = phone.people
        if not phone.host:
            if what == "give" and people and phone.state["side"] >= 0:
                self._give(phone, dice.choice(people), phone.state["side"])
        elif what == "invite":
            phone.say("invite", seat=dice.choice((-1, *seats)))
        elif what == "take" and phone.invitations:
            self._join(dice.choice(phone.invitations[-3:]))
        elif what == "give" and people:
            self._give(phone, dice.choice(people), dice.choice(seats))
        elif what == "dismiss" and people:
            out = dice.choice(people)
            self._evening.rights.dismissed([out["name"]])
            phone.say("dismiss", key=out["id"])
        elif what == "renew" and dice.random() < 0.2:
            self._evening.rights.renewed(self._evening.scheduler.now)
            phone.say("renew")
        elif what == "new" and dice.random() < 0.5:
            self._new(phone)

    def _give(self, phone: Phone, who: dict[str, Any], seat: int) -> None:
        self._evening.rights.wants(who["name"], seat, self._evening.scheduler.now)
        phone.say("give", key=who["id"], seat=seat)

    def _join(self, invitation: dict[str, Any]) -> None:
        """A phone takes an invitation: one that is here, or a new one."""
        dice, it = self._dice, self._evening
        if len(self.guests) < MOST_GUESTS and (not self.guests or dice.random() < 0.7):
            name = f"guest {len(self.guests) + 1}"
            self.guests.append(Phone(name, it.network, it.seen, host=False))
            phone = self.guests[-1]
        else:
            phone = dice.choice(self.guests)
        it.rights.wants(phone.name, invitation["seat"], it.scheduler.now)
        secret = invitation["link"].split("#")[1]
        code = invitation["figures"] if dice.random() < 0.5 else secret
        used = secret in self._taken

        def joined(well: bool) -> None:
            hold(not (well and used), f"{phone.name} took an invitation that was taken before")
            if well:
                self.joined += 1
                self._taken.add(secret)

        phone.join(code, joined)

    def _curtain(self, phone: Phone) -> None:
        """The host's page goes round: to whom is asked, as a rule."""
        active, side = phone.state["active"], phone.state["side"]
        if active in (side, -1):
            if side >= 0 and self._dice.random() < 0.2:
                phone.look(-1)
        elif not names_of(phone.people, active) or self._dice.random() < 0.1:
            phone.look(active)

    # ------------------------------------------------------------------------------ their moves

    def _new(self, phone: Phone) -> None:
        """The host begins a new game: the same, or another, or goes on with one that was left."""
        dice, it = self._dice, self._evening
        game = dice.choice(it.table.games)
        how = dice.choice(("book", "book", "on"))
        self.changes += 1
        it.faults.asks()
        phone.say("new", game=game, how=how, options=it.options[game] if how == "book" else {})

    def _move(self, phone: Phone, name: str, places: list[str]) -> None:
        dice, it = self._dice, self._evening
        if it.board.sensors and len(places) == 2 and dice.random() < 0.4:
            self._tap(places[0], 0)
            self._tap(places[1], dice.randrange(300, 500))
            return
        if dice.random() < 0.1:
            phone.say("ruling", do="undo")
            return
        it.judge.said[name] += 1
        phone.say("declare", seat=-1, action=name)

    def _tap(self, cell: str, wait_ms: int) -> None:
        it = self._evening
        it.judge.tapped.add(cell)
        (sensor,) = (it for it in it.board.sensors if it.place == cell)
        levels = [(True, wait_ms * MS), (False, (wait_ms + 150) * MS)]
        if self._dice.random() < 0.5:  # it bounces
            bounces = range(self._dice.randrange(1, 12))
            levels += [(at % 2 == 0, (wait_ms + 1) * MS + 400_000 * at) for at in bounces]
            levels.append((True, (wait_ms + 8) * MS))
        for level, at in levels:
            it.scheduler.after(at, partial(self._feel, sensor, level))
        wait = (wait_ms + 8) * MS + FELT_NS
        it.scheduler.after(wait, partial(self._felt, sensor, it.scheduler.now + wait))

    def _feel(self, sensor: Any, level: bool) -> None:
        it = self._evening
        if it.line.feel(sensor.input, level):
            it.judge.felt.append(Felt(sensor.id, level, it.scheduler.now, it.line.device.met))

    def _felt(self, sensor: Any, now: int) -> None:
        """Where nothing is wrong, the table knows of a finger soon."""
        it = self._evening
        daemon = it.sitting.daemon
        last = next((one for one in reversed(it.judge.felt) if one.sensor == sensor.id), None)
        if last is None or not (last.level and last.met) or now - last.at < FELT_NS:
            return  # it is tapped again
        troubled = it.faults.wrong or it.faults.cut or it.deaf
        if daemon is None or not daemon.begun or troubled or not it.linked:
            return
        hold(sensor.id in daemon.view.high, f"{sensor.id} is not felt")
