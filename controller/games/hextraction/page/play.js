/** What a person has picked up: a tile and how it is turned, a slot or ball that is looked at. */
import { Play } from "../../static/play.js";
import { cellOf } from "../../static/parts.js";
import { phrase } from "../../static/words.js";
import { copyName, found, named, tileOf, tilesOf } from "./tile.js";

/** Rotations in words: "1/6, 4/6". */
const sixths = (rotations) => rotations.map((each) => `${each}/6`).join(", ");

/** The slot that an action is about; one that is activated has a number behind it: "activate C3 0". */
export const slotOf = (name, board) => (name.startsWith("activate ") ? name.split(" ")[1] : cellOf(name, board));

/** What people are asked or have to do before anything else. */
const pressing = ({ question, todo }) => question?.id ?? todo[0]?.text;

/** On a phone the dock lies over the board: the slots for the tile in hand are pushed out from under it. */
function showOpen() {
  const slots = [...document.querySelectorAll(".slot.open")].map((slot) => slot.getBoundingClientRect());
  const dock = document.querySelector(".dock");
  if (!slots.length || getComputedStyle(dock).position !== "sticky") return;
  const hidden = Math.max(...slots.map((slot) => slot.bottom)) - dock.getBoundingClientRect().top;
  const above = Math.min(...slots.map((slot) => slot.top));
  if (hidden > 0) scrollBy({ top: Math.min(hidden + 8, above) });
}

/** What can be done with the tile that is in hand. */
export function inHand(board, state, copy, rotation) {
  const { play } = state.own.legal;
  const tile = copyName(copy, state, board);
  if (!play[copy]) return phrase("hextraction.page.cannot_play", { tile });
  const fits = Object.values(play[copy]).some((rotations) => rotations.includes(rotation));
  return phrase(fits ? "hextraction.page.in_hand_fits" : "hextraction.page.in_hand_unfit", { tile, rotation });
}

export class TilePlay extends Play {
  state = { focus: "C1", tile: null, rotation: 0, inspected: null, registering: false, lies: null };
  drawn = null; // the tile that somebody wants to register
  pick = () => {}; // what the form of a ruling does with a slot that is tapped

  seen(table, before) {
    const said = before?.notices ?? [];
    const registered = (notice) => !said.includes(notice) && notice.includes(this.drawn?.name.trim());
    if (table.notices.some(registered)) this.drawn = null;
    if (before && pressing(table) && pressing(table) !== pressing(before)) this.set({ inspected: null }); // a phone shows one card
  }

  told() {
    const { board, own: { tile, rotation }, app: { state: { table } } } = this;
    return tile ? inHand(board, table, tile, rotation) : "";
  }

  hear(message) {
    if (message.type === "balls") this.app.board?.balls.show(message.balls);
  }

  /** A tile that was refused is shown as it was drawn. */
  refused() {
    if (this.drawn) this.set({ registering: true });
  }

  aside() {
    this.set({ tile: null, inspected: null });
  }

  covered() {
    this.aside();
  }

  escape() {
    this.set({ tile: null, inspected: null, registering: false });
  }

  key({ key }) {
    const tile = tilesOf(this.board)[Number(key) - 1];
    if (tile) this.chooseTile(tile.id);
    else if (key === "r") this.turn(1);
    else if (key === "R") this.turn(-1);
  }

  focus = (focus) => this.set({ focus });

  inspect = (inspected) => {
    // Who closes a slot's card goes on from that slot.
    const { cell } = this.own.inspected ?? {};
    if (!inspected && cell) document.querySelector(`[data-cell="${cell}"]`).focus();
    this.set({ inspected });
  };

  /** Takes a tile of the tray in hand, or puts it down: by its id, with the owner where one is named. */
  chooseTile = (copy) => {
    const tile = found(this.board, copy);
    if (!tile) return;
    if (this.own.tile === copy) return this.set({ tile: null });
    this.set({ tile: copy, rotation: tile.rotations[0], inspected: null });
    requestAnimationFrame(showOpen);
  };

  /** The ways in which a tile can lie; a camera tells apart what balls meet alike. */
  waysOf = (tile) => (this.app.state.table.watched ? tile.rotations.map((each) => [each]) : tile.ways);

  /** This tile lies in a slot; if it can lie there in one way only, that is all there is to say. */
  lies = (cell, copy) => {
    const [way, ...others] = this.waysOf(found(this.board, copy));
    if (others.length) this.set({ lies: { cell, copy } });
    else this.name(cell, copy, way[0]);
  };

  name = (cell, copy, rotation) => {
    this.app.act(`play ${copy} ${cell} ${rotation}`);
    this.set({ lies: null, tile: null, inspected: null });
  };

  turn = (step) => {
    const tile = found(this.board, this.own.tile);
    if (!tile) return;
    const all = tile.rotations;
    const next = all.indexOf(this.own.rotation) + step;
    this.set({ rotation: all[(next + all.length) % all.length] });
  };

  /** A slot was tapped: an answer, a play, a field of a ruling, or a closer look. */
  tapCell = (cell) => {
    const { app, board, own: { tile, rotation, inspected } } = this;
    const { table, form } = app.state;
    if (form === "wrong") return this.pick(cell);
    const answers = (table.question?.choices ?? []).filter((each) => cellOf(each.name, board) === cell);
    if (answers.length === 1) {
      return app.send({ type: "decide", question: table.question.id, choice: answers[0].name });
    }
    const rotations = table.own.legal.play[tile]?.[cell];
    if (rotations?.includes(rotation)) {
      app.act(`play ${tile} ${cell} ${rotation}`);
      return this.set({ tile: null, inspected: null });
    }
    if (rotations) return app.refuse({ reason: phrase("hextraction.page.fits_turned", { tile: named(board, tile), cell, rotation, ways: sixths(rotations) }) });
    this.inspect(inspected?.cell === cell ? null : { cell });
  };

  /** A ball hides its slot, so while a slot is asked for, the ball stands for it. */
  tapBall = (ball) => {
    const { table, form } = this.app.state;
    const { at } = table.own.balls.find((each) => each.id === ball);
    const asked = form === "wrong" || this.hints()[at]?.kind === "choice";
    if (asked && this.board.cell[at]) this.tapCell(at);
    else this.inspect({ ball });
  };

  dropInto = (at) => this.app.send({ type: "hand", what: "drop", at });

  toggleRegister = () => this.set({ registering: !this.own.registering });

  /** What to show in each slot: the to-do, open answers, where the tile in hand may go. */
  hints() {
    const { board, own: { tile, rotation }, app: { state: { table } } } = this;
    const [id, name] = [tileOf(tile), named(board, tile)];
    const hints = {};
    for (const action of table.own.legal.other) {
      const cell = slotOf(action.name, board);
      if (cell) hints[cell] = { kind: /^(roll|activate) /.test(action.name) ? "turn" : "target", text: action.text };
    }
    for (const [cell, rotations] of Object.entries(table.own.legal.play[tile] ?? {})) {
      hints[cell] = rotations.includes(rotation)
        ? { kind: "open", tile: id, rotation, text: phrase("hextraction.page.can_play", { tile: name }) }
        : { kind: "turn", text: phrase("hextraction.page.fits_when", { tile: name, ways: sixths(rotations) }) };
    }
    for (const choice of table.question?.choices ?? []) {
      const cell = cellOf(choice.name, board);
      if (cell) hints[cell] = { kind: "choice", text: choice.text };
    }
    for (const { cell, text } of table.todo) hints[cell] = { kind: "todo", ...table.own.puts[cell], text };
    return hints;
  }
}
