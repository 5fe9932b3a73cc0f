/** Games of counters and cards: a board that is touched, and the moves that a touch can mean. */
import { html, names } from "./html.js";
import { LitBoard } from "./lit.js";
import { Card } from "./parts.js";
import { Component } from "./vendor/preact.mjs";

const FEW = 24; // moves without a place that get a button each

const CARD = /\b[RBY]{6}$/; // a move that ends in the face of a card: its symbols from the east, anticlockwise
const SYMBOLS = { // red circle, blue diamond, yellow triangle
  R: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", B: "M0-5L4.4 0L0 5L-4.4 0z", Y: "M0-5L4.8 3.6L-4.8 3.6z",
};

const begins = (places, touched) => touched.every((place, i) => places[i] === place);

/** What may follow after touching these places: moves, and the places that may be touched next. */
export function offers(moves, touched) {
  const left = moves.filter(([, places]) => begins(places, touched));
  const next = new Set(left.map(([, places]) => places[touched.length]).filter(Boolean));
  const done = left.filter(([, places]) => places.length === touched.length);
  return { left, next, done };
}

/** How many answers of the open question have cells on the board that are theirs alone. */
export const numbered = ({ marks = [] }) => Math.max(0, ...marks.map(([, meaning, count]) => (meaning === "ask" ? count : 0)));

/** The touches after one more: it goes on, or begins anew where it cannot. */
export function touch(moves, touched, cell) {
  for (const tried of [[...touched, cell], [cell]]) {
    if (offers(moves, tried).left.length) return tried;
  }
  return [];
}

/** The name of the move that these touches would be, so that the rules can say why it is none; null where
 * moves are not named by their places. */
export function meant(moves, touched) {
  const named = ([name, places]) => places.length === touched.length && name === places.join("-");
  return moves.some(named) ? touched.join("-") : null;
}

export class PieceBoard extends LitBoard {
  render({ board, state, touched, onCell, onCorner }) {
    const [xs, ys] = [board.cells.map((c) => c.x), board.cells.map((c) => c.y)];
    const [left, top] = [Math.min(...xs) - 34, Math.min(...ys) - 34];
    const box = [left, top, Math.max(...xs) - left + 34, Math.max(...ys) - top + 34].join(" ");
    const pieces = {};
    for (const [place, kind, seat, count, text] of state.pieces) pieces[place] = { kind, seat, count, text };
    const corners = touched.length ? [] : state.moves.filter(([, places]) => places.length === 3);
    const { next } = offers(state.moves.filter((move) => !corners.includes(move)), touched);
    const marks = {};
    const which = {};
    const rim = [];
    for (const [place, meaning, count] of state.marks) {
      const [cell, edge] = place.split("/");
      if (edge) rim.push({ cell: board.cell[cell], edge: Number(edge), seat: count - 1 });
      else (marks[place] ??= []).push(meaning, count && `${meaning}-${count}`);
      if (meaning === "ask" && count) which[place] = count;
    }
    const marker = state.marks.filter(([, meaning]) => meaning === "marker");
    return html`<svg class="board pieces" viewBox=${box} role="group" aria-label="The board" onKeyDown=${this.walk}>
      ${board.cells.map((cell) => html`<${Cell} key=${cell.id} cell=${cell} piece=${pieces[cell.id]} marks=${marks[cell.id]}
        open=${next.has(cell.id)} picked=${touched.includes(cell.id)} state=${state} onCell=${onCell} />`)}
      <g class="sides" aria-hidden="true">${rim.map((side) => html`<${Side} ...${side} />`)}</g>
      <g class="lights" ref=${this.lightsGroup} aria-hidden="true"></g>
      <g class="things" aria-hidden="true">
        ${board.cells.map((cell) => pieces[cell.id] && html`<${Thing} key=${cell.id} at=${cell} ...${pieces[cell.id]} />`)}
        ${board.cells.map((cell) => which[cell.id] && html`<text class="which" x=${cell.x} y=${cell.y + 6}>${which[cell.id]}</text>`)}
        ${marker.length > 0 && html`<${Marker} at=${middle(board, marker.map(([place]) => place))} side=${marker[0][2]} />`}
      </g>
      ${corners.map(([name, places]) => html`<${Corner}
        key=${name} name=${name} at=${middle(board, places)} act=${onCorner} />`)}
    </svg>`;
  }
}

/** One hexagon; a real button for those who do not point. */
function Cell({ cell, piece, marks = [], open, picked, state, onCell }) {
  const points = cell.corners.map((corner) => corner.join(",")).join(" ");
  const hole = piece?.kind === "hole";
  const what = hole ? "not in play" : piece ? `${state.seats[piece.seat] ?? ""} ${piece.text || piece.kind} ${piece.count > 1 ? piece.count : ""}` : "empty";
  const act = () => onCell(cell.id);
  const key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return html`<g class=${names("hex", hole && "hole", open && "open", picked && "picked", ...marks)} data-cell=${cell.id}
      role="button" tabindex="0" aria-label="${cell.id}: ${what.trim()}${open ? ", can be touched" : ""}" onClick=${act} onKeyDown=${key}>
    <polygon points=${points} />
    ${!piece && html`<text class="cell-name" x=${cell.x} y=${cell.y + 15}>${cell.id}</text>`}
  </g>`;
}

/** The point between cells. */
function middle(board, places) {
  const cells = places.map((place) => board.cell[place]);
  const mean = (key) => cells.reduce((sum, cell) => sum + cell[key], 0) / cells.length;
  return { x: mean("x"), y: mean("y") };
}

/** A marker that stands where three cells meet. */
const Marker = ({ at, side }) => html`<g class=${`marker side-of-${side}`} transform="translate(${at.x} ${at.y})" data-marker>
  <path d="M0 -15L4 -4L15 0L4 4L0 15L-4 4L-15 0L-4 -4z" /><circle r="4" /></g>`;

/** A point between three cells that can be chosen. */
function Corner({ name, at, act }) {
  const key = (event) => {
    if (event.key === "Enter") act(name);
  };
  return html`<circle class="corner" r="6.5" cx=${at.x} cy=${at.y} role="button" tabindex="0" aria-label=${name}
    data-action=${name} onClick=${() => act(name)} onKeyDown=${key} />`;
}

/** The outer edge of a cell, in the colour of the seat whose side of the board it is. */
function Side({ cell, edge, seat }) {
  const [from, to] = [cell.corners[(edge + 4) % 6], cell.corners[edge - 1]];
  return html`<line class="side-${seat}" x1=${from[0]} y1=${from[1]} x2=${to[0]} y2=${to[1]} />`;
}

/** What lies on a field for the whole game. */
const GROUND = {
  Mtn: "M-15 10L-5 -9L1 2L5 -4L15 10z",
  Mat: "M-10 -3L0 -9L10 -3L10 7L0 12L-10 7z",
  Nrg: "M3 -13L-9 2L-1 2L-3 13L9 -3L1 -3z",
  HQ: "M-13 11L-13 -7L-8 -7L-8 -2L-3 -2L-3 -11L3 -11L3 -2L8 -2L8 -7L13 -7L13 11z",
};

/** The outline of a unit of war; a vehicle is round or long, a structure stands on a square. */
const UNITS = {
  ACV: "M-11 5L-11 -2L-4 -7L7 -7L12 0L12 5z",
  Tank: "M-13 7L-13 0L-6 0L-6 -6L4 -6L4 -4L14 -4L14 -1L5 -1L13 2L13 7z",
  Pal: "M-14 8L-14 -3L-8 -3L-8 -10L8 -10L8 -3L14 -3L14 8L8 8L8 4L-8 4L-8 8z",
  Ext: "M-11 10L-3 -12L3 -12L11 10L6 10L3 2L-3 2L-6 10z",
  Tur: "M-10 10L-6 -2L-6 -9L12 -9L12 -5L6 -5L6 -2L10 10z",
  Fac: "M-13 10L-13 -4L-5 1L-5 -4L3 1L3 -11L8 -11L8 1L13 1L13 10z",
};
const STANDING = ["Ext", "Tur", "Fac"]; // structures

/** A unit of war: its side by colour and by its base's shape, its kind by outline and letter. */
function Unit({ at, seat, name }) {
  const base = seat ? "M0 -17L14.7 -8.5L14.7 8.5L0 17L-14.7 8.5L-14.7 -8.5z" : "M-15 -15L15 -15L15 15L-15 15z";
  return html`<g class=${names("thing unit", `side-of-${seat + 1}`, STANDING.includes(name) && "standing-unit")}
      transform="translate(${at.x} ${at.y})" data-piece=${at.id}>
    <path class="base" d=${base} /><path class="shape" d=${UNITS[name]} /><text x="0" y="15">${name}</text>
  </g>`;
}

/** A disc, a stack of discs, a counter or a card. */
function Thing({ at, kind, seat, count, text }) {
  if (kind === "hole") return null;
  if (kind === "ground") return html`<g class=${`thing ground ${text}`} transform="translate(${at.x} ${at.y})" data-piece=${at.id}><path d=${GROUND[text]} /></g>`;
  if (kind === "unit") return html`<${Unit} at=${at} seat=${seat} name=${text} />`;
  if (kind === "card") return html`<g class="thing card" transform="translate(${at.x} ${at.y})" data-piece=${at.id}><${Face} symbols=${text} /></g>`;
  const disc = kind === "disc"; // its text names the colours of a stack, from the bottom up
  const layers = disc ? Array.from({ length: count }, (_, i) => (text[i] ?? "").toLowerCase()) : [""];
  const label = disc ? "" : text || (seat < 0 || count > 1 ? count : "");
  return html`<g class=${names("thing", kind, text && !disc && "named", seat >= 0 ? `of-${seat}` : `nobody number-${count}`)}
      transform="translate(${at.x} ${at.y})" data-piece=${at.id}>
    ${layers.map((colour, i) => html`<circle class=${colour && `disc-${colour}`} r="15" cy=${-4 * i} />`)}
    ${disc && count > 1 && html`<text class="height" y=${-4 * (count - 1) + 4.5}>${count}</text>`}
    ${label && html`<text y="4.5" textLength=${String(label).length > 4 ? 30 : undefined}>${label}</text>`}
  </g>`;
}

/** A card: a hexagon with a symbol at each edge, from the east anticlockwise. */
export function Face({ symbols }) {
  const at = (angle, ray) => [ray * Math.cos(angle), -ray * Math.sin(angle)].map((x) => x.toFixed(2));
  const corners = Array.from({ length: 6 }, (_, i) => at(Math.PI / 6 + (i * Math.PI) / 3, 25).join(",")).join(" ");
  return html`<polygon class="paper" points=${corners} />
    ${[...symbols].map((symbol, i) => {
      const [x, y] = at((i * Math.PI) / 3, 13.8);
      return html`<path class="symbol-${symbol}" d=${SYMBOLS[symbol]} transform="translate(${x} ${y})" />`;
    })}`;
}

/** The card that a face belongs to: the first of its turns. */
const cardOf = (face) => [...face].map((_, i) => face.slice(i) + face.slice(0, i)).sort()[0];

/** Moves that end in a card's face: where they are many, the card is chosen first, then how it lies. */
class Cards extends Component {
  state = { card: null };

  render({ moves, act }, { card }) {
    const cards = new Map();
    for (const move of moves) {
      const first = cardOf(move[0].slice(-6));
      cards.set(first, [...(cards.get(first) ?? []), move]);
    }
    const chosen = cards.size > 1 && moves.length > FEW / 2 ? cards.get(card) : moves;
    const button = (name, face, onClick) => html`<button key=${name} class="face" data-action=${name} title=${name} aria-label=${name} onClick=${onClick}>
      <svg viewBox="-25 -25 50 50" aria-hidden="true"><g class="card"><${Face} symbols=${face} /></g></svg></button>`;
    return html`<p class="hint">${chosen ? "How does the card lie?" : "Which card is it?"}
        ${chosen && chosen !== moves && html` <button onClick=${() => this.setState({ card: null })}>Another card</button>`}</p>
      <div class="choices faces">
        ${chosen ? chosen.map(([name]) => button(name, name.slice(-6), () => act(name)))
          : [...cards].map(([first, turns]) => button(`card ${first}`, first,
            () => (turns.length === 1 ? act(turns[0][0]) : this.setState({ card: first }))))}
      </div>`;
  }
}

/** What can be said now: the moves that need no place, those that a touch left open, and any by name. */
export class Moves extends Component {
  state = { typed: "" };

  type = (event) => this.setState({ typed: event.currentTarget.value });

  say = (event) => {
    event.preventDefault();
    if (this.state.typed.trim()) this.props.app.act(this.state.typed.trim());
    this.setState({ typed: "" });
  };

  render({ state, touched, app }, { typed }) {
    const { left, next, done } = offers(state.moves, touched);
    const spoken = touched.length ? done : left.filter(([, places]) => !places.length);
    const faces = spoken.filter(([name]) => CARD.test(name));
    const words = spoken.filter(([name]) => !CARD.test(name));
    const way = left.some(([, places]) => places.length > 1);
    const hint = touched.length ? `Touched: ${touched.join(", ")}. ${next.size ? "Now one of the ringed cells." : ""}`
      : !next.size ? ""
      : state.watched ? "Move the piece on the board: the camera sees it."
      : state.simulated ? (way ? "Touch a piece, then the cell it goes to." : "Touch its cell.")
      : way ? "Move the piece on the board, then touch here where it was and where it is."
      : "Put it on the board, then touch its cell here.";
    return html`<${Card} title=${touched.length ? "And then?" : "Moves"} kind="moves" close=${touched.length ? app.untouch : null}>
      ${hint && html`<p class="hint">${hint}</p>`}
      ${state.watched && !touched.length && html`<button class="main" data-done onClick=${() => app.send({ do: "rule", ruling: "done" })}>My move is made</button>`}
      ${state.standing.length > 0 && html`<ul class="standing">${state.standing.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
      ${faces.length > 0 && html`<${Cards} key=${touched.join()} moves=${faces} act=${app.act} />`}
      ${state.keeps && html`<a class="keeps" download=${state.keeps[0]} href=${`data:text/plain;charset=utf-8,${encodeURIComponent(state.keeps[1])}`}>Save as ${state.keeps[0]}</a>`}
      <div class="choices">
        ${words.slice(0, FEW).map(([name]) => html`<button key=${name} data-action=${name} onClick=${() => app.act(name)}>${name}</button>`)}
      </div>
      ${words.length > FEW && html`<p class="hint">${words.length - FEW} more, up to “${words.at(-1)[0]}”: type the one you mean.</p>`}
      <form class="row" onSubmit=${this.say}>
        <input value=${typed} onInput=${this.type} maxlength="80" list="move-names" placeholder="or type a move" aria-label="A move by its name" />
        <datalist id="move-names">${left.slice(0, 400).map(([name]) => html`<option value=${name}></option>`)}</datalist>
        <button class="main" disabled=${!typed.trim()}>Say it</button>
      </form>
    <//>`;
  }
}

