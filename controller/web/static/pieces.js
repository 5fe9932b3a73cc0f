/** Games of counters and cards: a board that is touched, and the moves that a touch can mean. */
import { Proposed } from "./agreed.js";
import { Areas, edgeOf } from "./areas.js";
import { Ground } from "./ground.js";
import { html, names } from "./html.js";
import { ARROWS, beside, LitBoard } from "./lit.js";
import { Card, Kept, once, onEnter, Sure } from "./parts.js";
import { Play } from "./play.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

export const FEW = 24; // moves without a place that get a button each
const FOLDED = 6; // so many under one heading stand open beside others
const KINDS = {
  disc: phrase("page.kind_disc"), counter: phrase("page.kind_counter"), card: phrase("page.kind_card"), unit: phrase("page.kind_unit"),
  ground: phrase("page.kind_ground"),
};

/** Whether a move is made at the point between three cells, which are touched in any order. */
const point = ([, places]) => places.length === 3;

/** Which of a move's places may be touched next; null where it does not begin with these touches. */
function rest(move, touched) {
  const [, places] = move;
  const within = touched.every((place, i) => places.includes(place) && !touched.includes(place, i + 1));
  if (point(move) && within) return places.filter((place) => !touched.includes(place));
  return touched.every((place, i) => places[i] === place) ? places.slice(touched.length, touched.length + 1) : null;
}

/** What may follow after touching these places: moves, and the places that may be touched next. */
export function offers(moves, touched) {
  const left = moves.filter((move) => rest(move, touched));
  const next = new Set(left.flatMap((move) => rest(move, touched)));
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

/** What was touched so far, and whether something may follow (`next`). */
const begun = (touched, next) => `${phrase("page.touched", { cells: touched.join(", ") })} ${next.size ? phrase("page.ringed") : ""}`;

export class PieceBoard extends LitBoard {
  groundGroup = createRef();
  kept = new Kept();

  componentDidMount() {
    this.ground = new Ground(this.groundGroup.current, this.props.board, (cell) => this.props.app.play.touch(cell));
    this.ground.show(this.look);
    super.componentDidMount();
  }

  componentDidUpdate() {
    this.ground.show(this.look);
    super.componentDidUpdate();
  }

  /** Arrows lead from cell to cell, and from corner to corner. */
  step = (event) => {
    const from = this.corners.find(({ name }) => name === event.target.dataset.action);
    const to = from && ARROWS[event.key] && beside(this.corners, from, ARROWS[event.key]);
    if (!to) return this.walk(event);
    event.preventDefault();
    this.corner = to.name;
    this.forceUpdate(() => event.target.ownerSVGElement.querySelector(`[data-action="${to.name}"]`).focus());
  };

  render({ board, state, touched, laid = {}, held, app }) {
    const { under, layers, things } = app.widgets;
    const [xs, ys] = [board.cells.map((c) => c.x), board.cells.map((c) => c.y)];
    const [left, top] = [Math.min(...xs) - 34, Math.min(...ys) - 34];
    const [wide, high] = [Math.max(...xs) - left + 34, Math.max(...ys) - top + 34];
    const box = [left, top, wide, high].join(" ");
    const pieces = {};
    for (const [place, kind, seat, count, text] of state.pieces ?? []) pieces[place] = { kind, seat, count, text };
    for (const [place, thing] of Object.entries(laid)) pieces[place] = named(board, thing);
    const arranged = app.state.form === "wrong" && board.palette.length > 0;
    const corners = touched.length || arranged ? [] : (state.moves ?? []).filter(point);
    this.corners = corners.map(([name, places]) => ({ name, ...middle(board, places) }));
    const around = reach(this.corners);
    const first = this.corners.find(({ name }) => name === this.corner) ?? this.corners[0];
    const { next } = offers((state.moves ?? []).filter((move) => !corners.includes(move)), touched);
    const told = touched.length ? {} : Object.fromEntries(does(state).flatMap(([text, places]) => places.map(([place]) => [place, text])));
    const marks = {};
    const which = [];
    const rim = (board.own?.sides ?? []).map(([place, tone]) => sideOf(board, place, `goal-${tone}`));
    for (const [place, meaning, count] of state.marks) {
      const [cell, edge] = place.split("/");
      if (edge) rim.push(sideOf(board, place, `side-${count - 1}`));
      else (marks[place] ??= []).push(meaning, count && `${meaning}-${count}`);
      if (meaning === "ask" && count) which.push([board.cell[place], count]);
    }
    this.look = (id) => {
      const [piece, open] = [pieces[id], next.has(id)];
      const look = names("hex", piece?.kind === "hole" && "hole", open && "open", (touched.includes(id) || held === id) && "picked", id in laid && "fresh", ...(marks[id] ?? []));
      const what = lying(piece, state);
      const said = touched.includes(id) || held === id ? phrase("page.picked", { what }) : open ? phrase("page.can_touch", { what: told[id] ? `${what}, ${told[id]}` : what }) : what;
      return { look, told: said, bare: !piece };
    };
    return html`<svg class=${names("board pieces", wide > high && "broad")} viewBox=${box} role="group" aria-label=${phrase("page.board")} onKeyDown=${this.step}>
      <g ref=${this.groundGroup}></g>
      ${this.kept.of("areas", board, () => html`<${Areas} key="areas" board=${board} />`)}
      <g class="sides" aria-hidden="true">${rim.map((side) => html`<${Side} ...${side} />`)}</g>
      <g class="lights" ref=${this.lightsGroup} aria-hidden="true"></g>
      ${under.map((Layer) => html`<${Layer} board=${board} state=${state} />`)}
      <g class="things" aria-hidden="true">
        ${board.cells.filter(({ id }) => pieces[id]).map((cell) => {
          const piece = pieces[cell.id];
          return this.kept.of(cell.id, Object.values(piece).join(" "), () => html`<${things[piece.kind] ?? Thing} key=${cell.id} at=${cell} ...${piece} />`);
        })}
        ${which.map(([{ x, y }, number]) => html`<text class="which" x=${x} y=${y + 6}>${number}</text>`)}
      </g>
      ${layers.map((Layer) => html`<${Layer} board=${board} state=${state} />`)}
      ${this.corners.map((at) => this.kept.of(at.name, at === first, () => html`<${Corner} key=${at.name} name=${at.name} told=${state.words?.[at.name]?.[0] ?? at.name}
        at=${at} reach=${around} stop=${at === first} act=${app.act} />`))}
    </svg>`;
  }
}

/** A thing that can be laid into a cell, as it is drawn; nothing for "". */
function named({ palette }, thing) {
  const [, kind, seat, count, text] = palette.find(([name]) => name === thing) ?? [];
  return kind && { kind, seat, count, text };
}

/** What lies in a cell, as it is called there where the position is put right. */
function called({ palette }, [, kind, seat, count, text]) {
  const alike = palette.filter((it) => it[1] === kind && it[3] === count && it[4] === text);
  return (alike.find((it) => it[2] === seat) ?? alike[0])?.[0] ?? "";
}

/** What lies in a cell, in words. */
export function lying(piece, { seats }) {
  if (!piece) return phrase("page.empty");
  if (piece.kind === "hole") return phrase("page.not_in_play");
  return `${seats[piece.seat] ?? ""} ${piece.text || (KINDS[piece.kind] ?? piece.kind)} ${piece.count > 1 ? piece.count : ""}`.trim();
}

/** The point between cells. */
export function middle(board, places) {
  const cells = places.map((place) => board.cell[place]);
  const mean = (key) => cells.reduce((sum, cell) => sum + cell[key], 0) / cells.length;
  return { x: mean("x"), y: mean("y") };
}

/** A point between three cells that can be chosen, `told` in words; a finger may miss it by `reach`. */
function Corner({ name, told, at, reach, stop, act }) {
  return html`<g class="corner" transform="translate(${at.x} ${at.y})" role="button" tabindex=${stop ? 0 : -1} aria-label=${told}
      data-action=${name} onClick=${() => act(name)} onKeyDown=${onEnter(() => act(name))}>
    <title>${told}</title><circle class="around" r=${reach} /><circle class="point" r="9" /></g>`;
}

/** How far from a point a finger still means it: not over the middle of a cell, nor nearer to another point. */
function reach(points) {
  const away = points.flatMap((one, i) => points.slice(i + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  return Math.min(22, ...away.map((far) => far / 2));
}

/** The outer edge "b1/2" of a cell, in a tone. */
function sideOf(board, place, tone) {
  const [cell, edge] = place.split("/");
  return { ends: edgeOf(board.cell[cell], Number(edge)), tone };
}

function Side({ ends: [from, to], tone }) {
  return html`<line class=${tone} x1=${from[0]} y1=${from[1]} x2=${to[0]} y2=${to[1]} />`;
}

/** A disc, a stack of discs or a counter; so is drawn whatever the game does not draw itself. */
export function Thing({ at, kind, seat, count, text }) {
  if (kind === "hole") return null;
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

/** What one touch does, where it does one thing alone that has words: the words, with the places and moves that they are of. */
export function does({ moves = [], words = {} }) {
  if (!moves.some(([name, places]) => places.length === 1 && words[name])) return [];
  const at = new Map();
  for (const [name, [place, ...more]] of moves) if (place) at.set(place, at.has(place) || more.length ? null : name);
  const told = new Map();
  for (const [place, name] of at) {
    const [text, title] = words[name] ?? [];
    const said = title ? `${title}: ${text}` : text;
    if (text) told.set(said, [...(told.get(said) ?? []), [place, name]]);
  }
  return [...told];
}

/** That list, before anything is touched; what is done in one place alone can be done here as well. */
function Does({ state, act }) {
  const told = does(state);
  if (!told.length || told.length > FOLDED) return null;
  return html`<div class="group does" role="group" aria-label=${phrase("page.touch_does")}><h3>${phrase("page.touch_does")}</h3>
    <div class="choices">${told.map(([text, places]) => places.length === 1
      ? html`<button key=${text} data-does=${places[0][0]} onClick=${() => act(places[0][1])}><b class="at">${places[0][0]}</b> ${text}</button>`
      : html`<p key=${text} class="hint"><b>${places.map(([place]) => place).join(", ")}</b> ${text}</p>`)}</div>
  </div>`;
}

/** Whether people are asked once more before they do what decides much. */
const asksOnce = ({ words = {} }, name) => !!words[name]?.[3];

/** That question, with the focus on the answer that changes nothing. */
function Asked({ name, state, play }) {
  const [text] = state.words[name] ?? [name];
  return html`<div class="sure" role="alertdialog" aria-label=${text}><p><b>${text}.</b></p>
    <div class="row"><button class="danger" data-sure=${name} onClick=${() => play.sure(name)}>${phrase("page.sure_yes")}</button>
      <button class="main" ref=${(button) => button?.focus()} onClick=${play.untouch}>${phrase("page.sure_no")}</button></div></div>`;
}

/** Moves by the headings that they stand under, in the order in which they are listed: each with its words and number,
 * then what cannot be done now, with the reason (`why`). */
function grouped(moves, said = {}, withheld = []) {
  const groups = new Map();
  const put = (title, move) => groups.set(title, [...(groups.get(title) ?? []), move]);
  for (const [name] of moves) {
    const [text, title, number, sure] = said[name] ?? [name, "", null, false];
    put(title, { name, text, number, sure });
  }
  for (const [text, title, why] of withheld) put(title, { text, why });
  return [...groups];
}

/** Moves under one heading: a button each, or one number among many. A long list beside others is folded up, and so is what
 * cannot be done now where nothing else stands there. */
function Group({ title, moves: all, act, alone }) {
  const moves = all.filter(({ why }) => !why);
  const withheld = all.filter(({ why }) => why);
  if (moves.length > 1 && moves[0].number !== null) return html`<${Stepper} title=${title} moves=${moves} act=${act} />`;
  const buttons = html`<div class="choices">
      ${moves.slice(0, FEW).map(({ name, text, sure }) => sure
        ? html`<${Sure} key=${name} name=${name} act=${() => act(name)} really=${phrase("page.really")}>${text}<//>`
        : html`<button key=${name} data-action=${name} onClick=${once(() => act(name))}>${text}</button>`)}
    </div>
    ${withheld.length > 0 && html`<ul class="withheld">${withheld.map(({ text, why }) => html`<li key=${text}><b>${text}</b> ${why}</li>`)}</ul>`}
    ${moves.length > FEW && html`<p class="hint">${phrase("page.more_moves", { count: moves.length - FEW, last: moves.at(-1).text })}</p>`}`;
  if (!title) return buttons;
  if (!moves.length) return html`<details class="group rarely"><summary>${phrase("page.not_now", { title, count: all.length })}</summary>${buttons}</details>`;
  if (alone || all.length <= FOLDED) return html`<div class="group" role="group" aria-label=${title}><h3>${title}</h3>${buttons}</div>`;
  return html`<details class="group rarely"><summary>${title} (${moves.length})</summary>${buttons}</details>`;
}

/** A number among those that are allowed: less, more, a slider for far ones. */
class Stepper extends Component {
  state = { at: 0 };

  render({ title, moves, act }, { at }) {
    const last = moves.length - 1;
    const here = Math.min(at, last); // other numbers are allowed now
    const { name, text, number } = moves[here];
    const go = (to) => this.setState({ at: Math.max(0, Math.min(last, to)) });
    return html`<div class="group stepper" role="group" aria-label=${title}>
      <h3>${title}</h3>
      <div class="row">
        <button aria-label=${phrase("page.less")} disabled=${!here} onClick=${() => go(here - 1)}>−</button>
        <output aria-live="polite">${number}</output>
        <button aria-label=${phrase("page.more")} disabled=${here === last} onClick=${() => go(here + 1)}>+</button>
        <input type="range" min="0" max=${last} value=${here} aria-label=${title} aria-valuetext=${String(number)} onInput=${(event) => go(Number(event.currentTarget.value))} />
      </div>
      <button class="main" data-action=${name} onClick=${once(() => act(name))}>${text}: ${number}</button>
    </div>`;
  }
}

/** What can be said now: the moves that need no place, those that a touch left open, and any by name. */
export class Moves extends Component {
  state = { typed: "", typing: false };
  wide = window.matchMedia("(min-width: 45em), (min-width: 35em) and (max-height: 29.9375em)").matches;

  unfold = (event) => this.setState({ typing: event.currentTarget.open });

  type = (event) => this.setState({ typed: event.currentTarget.value });

  say = (event) => {
    event.preventDefault();
    if (this.state.typed.trim()) this.props.app.act(this.state.typed.trim());
    this.setState({ typed: "" });
  };

  render({ state, touched: picked, asks, app }, { typed, typing }) {
    const { says: { pictured }, Picks } = app.widgets;
    const { acts = [], waits } = state;
    const touched = waits ? [] : picked; // by whoever has the turn
    const { left, next, done } = offers(state.moves ?? [], touched);
    const spoken = touched.length ? done : left.filter(([, places]) => !places.length);
    const pictures = spoken.filter(([name]) => pictured(name));
    const words = spoken.filter(([name]) => !pictured(name));
    const held = (state.withheld ?? []).filter(([text, title]) => !pictured(text) && (!touched.length || words.some(([name]) => title && state.words[name]?.[1] === title)));
    const groups = grouped(words, state.words, held);
    const way = left.some(([, places]) => places.length > 1);
    const points = left.length > 0 && left.every((move) => point(move) || !move[1].length);
    const hint = waits ? phrase("page.waits_for", { seat: state.seats[state.active] }) : touched.length ? begun(touched, next)
      : !next.size ? ""
      : points ? (app.state.you.far ? phrase("page.far_point") : state.watched ? phrase("page.camera_sees") : state.simulated ? phrase("page.touch_point") : phrase("page.put_point"))
      : app.state.you.far ? (way ? phrase("page.far_way") : phrase("page.far_put"))
      : state.watched ? phrase("page.camera_sees")
      : state.simulated ? (way ? phrase("page.touch_way") : phrase("page.touch_cell"))
      : way ? phrase("page.move_touch")
      : phrase("page.put_touch");
    return html`<${Card} title=${touched.length ? phrase("page.and_then") : phrase("page.moves")} kind="moves" close=${touched.length ? app.play.untouch : null}>
      ${asks && !waits && html`<${Asked} name=${asks} state=${state} play=${app.play} />`}
      ${hint && html`<p class="hint">${hint}</p>`}
      ${!touched.length && !asks && !waits && html`<${Does} state=${state} act=${app.play.mean} />`}
      ${state.watched && !waits && !touched.length && html`<button class="main" data-done onClick=${() => app.rule("done")}>${phrase("page.made")}</button>`}
      ${state.standing?.length > 0 && html`<details class="rarely standings" open=${this.wide}><summary>${phrase("page.standing")}</summary>
        <ul class="standing">${state.standing.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`}
      ${pictures.length > 0 && html`<${Picks} key=${touched.join()} moves=${pictures} touched=${touched} hand=${state.hand.filter((card) => !(state.withheld ?? []).some(([text]) => text === card))} act=${app.act} />`}
      ${state.keeps && html`<a class="keeps" download=${state.keeps[0]} href=${`data:text/plain;charset=utf-8,${encodeURIComponent(state.keeps[1])}`}>${phrase("page.save_as", { file: state.keeps[0] })}</a>`}
      ${groups.map(([title, group]) => html`<${Group} key=${title} title=${title} moves=${group} alone=${groups.length === 1} act=${app.act} />`)}
      ${(!waits || acts.length > 0) && html`<details class="rarely" open=${typing} onToggle=${this.unfold}><summary>${waits ? phrase("page.beside_turn") : acts.length ? phrase("page.resign_or_type") : phrase("page.type_move")}</summary>
        ${acts.length > 0 && html`<div class="choices">${acts.map(([name, , text]) => html`<${Sure} key=${name} name=${name} act=${() => app.act(name)} really=${phrase("page.really")}>${text}<//>`)}</div>`}
        ${!waits && html`<form class="row" onSubmit=${this.say}>
          <input value=${typed} onInput=${this.type} maxlength="80" list="move-names" aria-label=${phrase("page.by_name")} />
          <datalist id="move-names">${typing && left.slice(0, 400).map(([name]) => html`<option value=${name}></option>`)}</datalist>
          <button class="main" disabled=${!typed.trim()}>${phrase("page.say_it")}</button>
        </form>`}
        <${Proposed} app=${app} />
      </details>`}
    <//>`;
  }
}

const without = (laid, cell) => Object.fromEntries(Object.entries(laid).filter(([it]) => it !== cell));

/** What a person has touched so far to make a move. */
export class Touches extends Play {
  state = { touched: [], laid: {}, brush: "move", held: null, asks: "" };

  told() {
    const { own: { touched, held, laid }, app: { state: { table } } } = this;
    if (held) return phrase("page.picked_up", { cell: held });
    const last = Object.entries(laid).at(-1);
    if (last) return phrase("page.laid", { cell: last[0], what: last[1] ? lying(named(this.board, last[1]), table) : phrase("page.empty"), count: Object.keys(laid).length });
    return touched.length && !table.waits ? begun(touched, offers(table.moves ?? [], touched).next) : "";
  }

  /** The position is put right by hand: a touch lays what was chosen, or moves what lies there. */
  take = (brush) => this.set({ brush, held: null });

  aside() {
    this.set({ laid: {}, brush: "move", held: null });
  }

  lay(cell) {
    const { brush, held, laid } = this.own;
    const there = (place) => this.there(place);
    const put = (thing) => this.set({ laid: { ...without(laid, cell), [cell]: thing } }); // the newest is the last
    if (brush === "turn") return there(cell) && put(this.app.widgets.says.turned(there(cell)));
    if (brush !== "move") return put(brush);
    if (held === null || held === cell) return this.set({ held: held === null && there(cell) ? cell : null });
    return this.carry(held, cell);
  }

  /** What lies in a cell lies in another instead; nowhere any more without one. */
  carry(from, onto) {
    const { laid } = this.own;
    if (from === onto) return;
    this.set({ laid: { ...without(without(laid, from), onto), [from]: "", ...(onto && { [onto]: this.there(from) }) }, held: null });
  }

  there(place) {
    return this.own.laid[place] ?? called(this.board, this.app.state.table.pieces.find(([id]) => id === place) ?? []);
  }

  seen(table) {
    this.set({ touched: table.touches ?? [], ...(table.moves?.some(([name]) => name === this.own.asks) ? {} : { asks: "" }) });
  }

  /** The table still holds what was touched before. */
  refused() {
    this.set({ touched: this.app.state.table?.touches ?? [] });
  }

  covered() {
    this.set({ touched: [], asks: "" });
    this.aside();
  }

  escape() {
    this.aside();
    if (this.own.touched.length || this.own.asks) this.untouch();
  }

  /** A cell was touched: that is a move once only one is meant; where none is, the table says why. */
  touch = (cell) => {
    const { app, own } = this;
    if (app.state.form === "wrong" && this.board.palette.length) return this.lay(cell);
    const { moves = [] } = app.state.table;
    const touched = touch(moves, own.touched, cell);
    const { left, done } = offers(moves, touched);
    if (left.length === 1 && done.length === 1) return this.mean(done[0][0]);
    this.set({ touched, asks: "" });
    app.send({ type: "touch", cells: touched.length ? touched : [...own.touched, cell] });
  };

  /** A move was meant; one that decides much is asked about first. */
  mean = (name) => {
    if (asksOnce(this.app.state.table, name)) return this.set({ touched: [], asks: name });
    this.sure(name);
  };

  sure = (name) => {
    this.app.act(name);
    this.untouch();
  };

  untouch = () => {
    this.set({ touched: [], asks: "" });
    this.app.live.send({ type: "touch", cells: [] });
  };
}
