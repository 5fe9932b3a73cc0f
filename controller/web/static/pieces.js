/** Games of counters and cards: a board that is touched, and the moves that a touch can mean. */
import { html, names } from "./html.js";
import { Lights } from "./lights.js";
import { Card } from "./panel.js";
import { Component, createRef } from "./vendor/preact.mjs";

const FEW = 24; // moves without a place that get a button each
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const begins = (places, touched) => touched.every((place, i) => places[i] === place);

/** What may follow after touching these places: moves, and the places that may be touched next. */
export function offers(moves, touched) {
  const left = moves.filter(([, places]) => begins(places, touched));
  const next = new Set(left.map(([, places]) => places[touched.length]).filter(Boolean));
  const done = left.filter(([, places]) => places.length === touched.length);
  return { left, next, done };
}

/** The touches after one more: it goes on, or begins anew where it cannot. */
export function touch(moves, touched, cell) {
  for (const tried of [[...touched, cell], [cell]]) {
    if (offers(moves, tried).left.length) return tried;
  }
  return [];
}

export class PieceBoard extends Component {
  lightsGroup = createRef();

  componentDidMount() {
    this.lights = new Lights(this.lightsGroup.current, this.props.board);
    this.lights.calm = this.props.calm;
    this.props.mounted(this);
  }

  componentDidUpdate() {
    if (this.lights.calm === this.props.calm) return;
    this.lights.calm = this.props.calm;
    this.lights.paint();
  }

  /** Moves the focus to the nearest cell in an arrow's direction. */
  walk = (event) => {
    const step = ARROWS[event.key];
    const from = this.props.board.cell[event.target.dataset?.cell];
    if (!step || !from) return;
    event.preventDefault();
    const cost = (to) => {
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const along = dx * step[0] + dy * step[1];
      return along > 5 ? along + 1.5 * Math.abs(dx * step[1] + dy * step[0]) + dy / 1000 : Infinity;
    };
    const best = this.props.board.cells.reduce((a, b) => (cost(b) < cost(a) ? b : a), from);
    document.querySelector(`[data-cell="${best.id}"]`).focus();
  };

  render({ board, state, touched, onCell }) {
    const [xs, ys] = [board.cells.map((c) => c.x), board.cells.map((c) => c.y)];
    const [left, top] = [Math.min(...xs) - 34, Math.min(...ys) - 34];
    const box = [left, top, Math.max(...xs) - left + 34, Math.max(...ys) - top + 34].join(" ");
    const pieces = {};
    for (const [place, kind, seat, count, text] of state.pieces) pieces[place] = { kind, seat, count, text };
    const { next } = offers(state.moves, touched);
    const marks = {};
    for (const [place, meaning] of state.marks) (marks[place] ??= []).push(meaning);
    const todo = new Set(state.todo.map((item) => item.cell));
    return html`<svg class="board pieces" viewBox=${box} role="group" aria-label="The board" onKeyDown=${this.walk}>
      ${board.cells.map((cell) => html`<${Cell} key=${cell.id} cell=${cell} piece=${pieces[cell.id]} marks=${marks[cell.id]}
        open=${next.has(cell.id)} picked=${touched.includes(cell.id)} todo=${todo.has(cell.id)} state=${state} onCell=${onCell} />`)}
      <g class="lights" ref=${this.lightsGroup} aria-hidden="true"></g>
      <g class="things" aria-hidden="true">
        ${board.cells.map((cell) => pieces[cell.id] && html`<${Thing} key=${cell.id} at=${cell} ...${pieces[cell.id]} />`)}
      </g>
    </svg>`;
  }
}

/** One hexagon; a real button for those who do not point. */
function Cell({ cell, piece, marks = [], open, picked, todo, state, onCell }) {
  const points = cell.corners.map((corner) => corner.join(",")).join(" ");
  const what = piece ? `${state.seats[piece.seat] ?? ""} ${piece.text || piece.kind} ${piece.count > 1 ? piece.count : ""}` : "empty";
  const act = () => onCell(cell.id);
  const key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return html`<g class=${names("hex", open && "open", picked && "picked", todo && "todo", ...marks)} data-cell=${cell.id}
      role="button" tabindex="0" aria-label="${cell.id}: ${what.trim()}${open ? ", can be touched" : ""}" onClick=${act} onKeyDown=${key}>
    <polygon points=${points} />
    ${!piece && html`<text class="cell-name" x=${cell.x} y=${cell.y + 3}>${cell.id}</text>`}
  </g>`;
}

/** A disc, a stack of discs, a numbered counter or a card. */
function Thing({ at, kind, seat, count, text }) {
  const disc = kind === "disc"; // its text names the colours of a stack, from the bottom up
  const layers = disc ? Array.from({ length: count }, (_, i) => (text[i] ?? "").toLowerCase()) : [""];
  const label = disc ? "" : text || (kind === "counter" || count > 1 ? count : "");
  return html`<g class=${names("thing", kind, seat >= 0 ? `of-${seat}` : `nobody number-${count}`)}
      transform="translate(${at.x} ${at.y})" data-piece=${at.id}>
    ${kind === "card"
      ? html`<rect x="-17" y="-14" width="34" height="28" rx="4" />`
      : layers.map((colour, i) => html`<circle class=${colour && `disc-${colour}`} r="15" cy=${-4 * i} />`)}
    ${disc && count > 1 && html`<text class="height" y=${-4 * (count - 1) + 4.5}>${count}</text>`}
    ${label && html`<text y="4.5" textLength=${String(label).length > 4 ? 30 : undefined}>${label}</text>`}
  </g>`;
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
    const hint = touched.length ? `Touched: ${touched.join(", ")}. ${next.size ? "Now one of the ringed cells." : ""}`
      : next.size ? "Move the piece on the board, then touch here where it was and where it is." : "";
    return html`<${Card} title=${touched.length ? "And then?" : "Moves"} kind="moves" close=${touched.length ? app.untouch : null}>
      ${hint && html`<p class="hint">${hint}</p>`}
      <div class="choices">
        ${spoken.slice(0, FEW).map(([name]) => html`<button key=${name} data-action=${name} onClick=${() => app.act(name)}>${name}</button>`)}
      </div>
      <form class="row" onSubmit=${this.say}>
        <input value=${typed} onInput=${this.type} maxlength="80" list="move-names" placeholder="or type a move" aria-label="A move by its name" />
        <datalist id="move-names">${left.slice(0, 400).map(([name]) => html`<option value=${name}></option>`)}</datalist>
        <button class="main" disabled=${!typed.trim()}>Say it</button>
      </form>
    <//>`;
  }
}

