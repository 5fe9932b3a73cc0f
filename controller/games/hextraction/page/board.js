/** The board: slots, tiles, ramps, end zones, lights, sensors and balls, all in one SVG. */
import { outline, through } from "../../static/hex.js";
import { html, names } from "../../static/html.js";
import { LitBoard } from "../../static/lit.js";
import { onEnter } from "../../static/parts.js";
import { Sensors } from "../../static/sensors.js";
import { createRef } from "../../static/vendor/preact.mjs";
import { phrase } from "../../static/words.js";
import { Balls } from "./balls.js";
import { Definitions, found, named, Tile, turnedBy } from "./tile.js";

const PLATE = outline(50, 0);
const RIM = outline(48.6, 3);
const HOLE = outline(42, 4);
const RING = outline(45.4, 3.2);

/** Where a ball lies that is said to be `at` "C3", "C3-C4", "ramp:B1-6" or "zone:ZB". */
export function place(board, at) {
  const [kind, id] = at.includes(":") ? at.split(":") : ["cell", at];
  if (kind === "ramp") return lanes(board).find((ramp) => ramp.id === id);
  if (kind === "zone") return mouth(board, board.zones.find((zone) => zone.id === id));
  const [a, b] = id.split("-").map((name) => board.cell[name]);
  return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : a;
}

/** The same in words: "C3", "C3-C4", "lane B1-6", "end zone ZB". */
export function whereabouts(at) {
  const [kind, id] = at.split(":");
  if (!id) return at;
  return phrase(kind === "zone" ? "hextraction.page.in_zone" : "hextraction.page.in_lane", { id });
}

/** A zone's middle, wherever the board file puts its point. */
const mouth = (board, zone) => zone && { x: board.cell[zone.cell].x, y: board.cell[zone.cell].y + 40 };

/** A slot in words, for those who do not see it. */
export function described(board, id, slot, balls, note) {
  const tile = slot?.tile ? turnedBy(named(board, slot.tile), [slot.rotation]) : phrase("hextraction.page.empty");
  const touched = slot?.touches ? phrase(slot.touches === 1 ? "hextraction.page.touched_once" : "hextraction.page.touched", { count: slot.touches }) : "";
  const resting = balls.map((ball) => phrase(ball.at === id ? "hextraction.page.ball_here" : "hextraction.page.ball_edge", { ball: ball.id }));
  return `${id}: ${tile}${touched}${resting.join("")}${note ? `, ${note}` : ""}`;
}

export class Board extends LitBoard {
  ballsGroup = createRef();

  componentDidMount() {
    this.balls = new Balls(this.ballsGroup.current);
    super.componentDidMount();
  }

  render({ board, state, showSensors, app, ...own }) {
    const { play } = app;
    const props = {
      ...own, hints: play.hints(), inspected: own.inspected?.cell, inspectedBall: own.inspected?.ball,
      onCell: play.tapCell, onFocus: play.focus, onBall: play.tapBall,
      onRamp: app.hands && app.state.link === "up" && play.dropInto,
    };
    const ramps = lanes(board);
    const xs = board.cells.map((cell) => cell.x);
    const left = Math.min(...xs) - 32;
    const width = Math.max(...xs) - left + 32;
    const top = Math.min(...ramps.map((ramp) => ramp.y), ...board.cells.map((c) => c.y)) - 13;
    const bottom = Math.max(...board.cells.map((cell) => cell.y)) + (board.zones.length ? 60 : 32);
    return html`<${Definitions} /><svg class="board" viewBox="${left} ${top} ${width} ${bottom - top}"
        role="group" aria-label=${phrase("page.board")} onKeyDown=${this.walk}>
      <g class="plate-shadow" aria-hidden="true" transform="translate(0 3)">
        ${board.cells.map((cell) => html`<path d=${PLATE} transform=${to(cell)} />`)}
      </g>
      <g class="plate" aria-hidden="true">
        ${board.zones.map((zone) => html`<${Zone} zone=${zone} board=${board} />`)}
        ${board.cells.map((cell) => html`<path class="plate-edge" d=${PLATE} transform=${to(cell)} />`)}
        ${board.cells.map((cell) => html`<path class="plate-body" d=${PLATE} transform=${to(cell)} />`)}
      </g>
      ${ramps.map((ramp) => html`<${Lane} ramp=${ramp} state=${state} ...${props} />`)}
      ${board.cells.map((cell) => html`<${Slot} cell=${cell} board=${board} state=${state} ...${props} />`)}
      <g class="lights" ref=${this.lightsGroup} aria-hidden="true"></g>
      <${Sensors} board=${board} state=${state} all=${showSensors} />
      <g class="world" ref=${this.ballsGroup} aria-hidden="true"></g>
      <${Believed} board=${board} state=${state} ...${props} />
    </svg>`;
  }
}

const to = ({ x, y }) => `translate(${x} ${y})`;

/** The ramps, each with where its lane ends (`foot`) and, above, where a ball waits in it (`x`, `y`). */
const lanes = (board) => board.ramps.map((ramp) => lane(ramp, board.cell[ramp.cell]));

function lane(ramp, cell) {
  const [fx, fy] = through(ramp.edge, 25);
  const foot = [cell.x + fx, cell.y + fy];
  const near = Math.hypot(ramp.x - foot[0], ramp.y - foot[1]) < 12;
  // A board file that names only the edge gets lanes as the laser-cut board has them: side by side.
  if (!near) return { ...ramp, foot };
  return { ...ramp, foot, x: cell.x + Math.sign(Math.round(fx)) * 28.87, y: cell.y - 50 };
}

function Slot({ cell, board, state, focus, hints, inspected, onCell, onFocus }) {
  const { id } = cell;
  const slot = state.own.slots[id];
  const tile = slot?.tile && found(board, slot.tile);
  const hint = hints[id];
  const balls = state.own.balls.filter((ball) => ball.at.split("-").includes(id));
  const ghost = hint?.tile && found(board, hint.tile);
  return html`<g class=${names("slot", tile && "full", hint?.kind, inspected === id && "inspected")}
      transform=${to(cell)} data-cell=${id} role="button" tabindex=${focus === id ? 0 : -1}
      aria-label=${described(board, id, slot, balls, hint?.text)} aria-pressed=${inspected === id}
      onClick=${() => onCell(id)} onKeyDown=${onEnter(() => onCell(id))} onFocus=${() => onFocus(id)}>
    <path class="well" d=${RIM} />
    <path class="hole" d=${HOLE} />
    <rect class="key" x="-5.9" y="17.2" width="11.7" height="4.8" rx="1" />
    ${!tile && html`<text class="slot-name" y="2.6">${id}</text>`}
    ${tile && html`<${Tile} tile=${tile} rotation=${slot.rotation} />`}
    ${tile && html`<text class="tile-name" x="-22" y="1.9">${id}</text>`}
    ${tile && html`<${Touches} count=${slot.touches} />`}
    ${ghost && html`<${Tile} tile=${ghost} rotation=${hint.rotation} kind="ghost" />`}
    <path class="ring" d=${RING} />
  </g>`;
}

/** One, two or three pips: at three the tile is to be destroyed. */
function Touches({ count }) {
  if (!count) return null;
  const pips = Array.from({ length: Math.min(count, 3) }, (_, i) => i);
  return html`<g class=${names("touches", count >= 3 && "doomed")} transform="translate(22.6 0)">
    ${pips.map((i) => html`<circle r="1.75" cy=${(i - (pips.length - 1) / 2) * 4.6} />`)}
  </g>`;
}

function Lane({ ramp, state, onRamp }) {
  const { x, y, foot } = ramp;
  const open = !["asking", "wrong"].includes(state.phase) && state.own.legal.ramps.includes(ramp.id);
  const inward = [foot[0] + (x - foot[0]) * 0.75, foot[1] - 12];
  const path = `M${x} ${y - 6}V${y + 12}Q${x} ${inward[1]} ${foot}`;
  const taps = onRamp && {
    role: "button", tabindex: 0, onClick: () => onRamp(ramp.id), onKeyDown: onEnter(() => onRamp(ramp.id)),
    "aria-label": phrase(open ? "hextraction.page.drop" : "hextraction.page.drop_unasked", { ramp: ramp.id }),
  };
  return html`<g class=${names("lane", open && "open", onRamp && "tappable")} data-ramp=${ramp.id} ...${taps}>
    <rect class="touch" x=${x - 14.4} y=${y - 13} width="28.8" height="40" />
    <path class="rail" d=${path} />
    <path class="gutter" d=${path} />
    ${open && html`<path class="arrow" d="M${x - 2.6} ${y + 9}l2.6 2.8 2.6-2.8M${x - 2.6} ${y + 14}l2.6 2.8 2.6-2.8" />`}
    <circle class="cup" cx=${x} cy=${y} r="5" />
  </g>`;
}

function Zone({ zone, board }) {
  const { x, y } = board.cell[zone.cell];
  const cup = `M${x - 28.9} ${y}V${y + 42}q0 10 10 10h37.8q10 0 10-10V${y}z`;
  return html`<g class="zone" data-zone=${zone.id}>
    <path class="cup-body" d=${cup} />
    <text class="zone-name" x=${x} y=${y + 49}>${zone.id}</text>
  </g>`;
}

/** Where the referee believes the balls are. */
function Believed({ board, state, onBall, inspectedBall }) {
  const crowd = {};
  return html`<g class=${names("believed", !state.simulated && "solid")}>
    ${state.own.balls.map((ball) => {
      const spot = place(board, ball.at);
      if (!spot) return null;
      const nth = (crowd[ball.at] = (crowd[ball.at] ?? -1) + 1);
      // Several at one place stand beside each other: middle, right, left, ...
      const aside = Math.ceil(nth / 2) * 12.5 * (nth % 2 ? 1 : -1);
      return html`<g key=${ball.id} class=${names("ball", !ball.felt && "unfelt", inspectedBall === ball.id && "inspected")}
          transform="translate(${spot.x + aside} ${spot.y})" data-ball=${ball.id} role="button" tabindex="0"
          aria-label=${phrase(ball.felt ? "hextraction.page.ball_at" : "hextraction.page.ball_unfelt", { ball: ball.id, place: whereabouts(ball.at) })}
          onClick=${() => onBall(ball.id)} onKeyDown=${onEnter(() => onBall(ball.id))}>
        <circle class="touch" r="9" />
        <circle class="belief" r="6.6" />
        <g transform="translate(6.3 -6.3)"><circle class="badge" r="3.6" /><text class="badge-text" y="1.7">${ball.id}</text></g>
      </g>`;
    })}
  </g>`;
}
