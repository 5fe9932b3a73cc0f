/** The cards of tiles and balls: the tray, a closer look, what hands still have to do. */
import { html, names } from "../../static/html.js";
import { ToDo } from "../../static/panel.js";
import { Card, cellOf, Sure } from "../../static/parts.js";
import { phrase } from "../../static/words.js";
import { described, whereabouts } from "./board.js";
import { inHand, slotOf } from "./play.js";
import { Misfit } from "./say.js";
import { copyName, found, named, TilePicture, tileOf, tilesOf, turnedBy } from "./tile.js";

/** The copies of which one may lie in `cell`, where a hand has put a tile. */
const mayLie = (cell, state) => Object.keys(state.own.legal.play).filter((copy) => state.own.legal.play[copy][cell]);

/** Which tile lies in `cell`, then how it lies: a touch each. */
function Which({ cell, state, board, app, lies }) {
  const copies = mayLie(cell, state);
  const tile = lies?.cell === cell && copies.includes(lies.copy) && found(board, lies.copy);
  const name = tile && copyName(lies.copy, state, board);
  if (!copies.length) return null;
  return html`<p class="hint">${tile ? phrase("hextraction.page.how_lies", { tile: name, cell }) : phrase("hextraction.page.which_lies", { cell })}</p>
    <div class="tiles which" role="group" aria-label=${phrase("hextraction.page.what_lies", { cell })}>
      ${!tile && copies.map((copy) => html`<button key=${copy} class="tile-button" data-lies=${copy} onClick=${() => app.play.lies(cell, copy)}>
        <${TilePicture} tile=${found(board, copy)} rotation=${found(board, copy).rotations[0]} />
        <span>${copyName(copy, state, board)}</span></button>`)}
      ${tile && app.play.waysOf(tile).map((way) => html`<button key=${way[0]} class="tile-button" data-way=${way.join(" ")}
          aria-label=${turnedBy(name, way)} onClick=${() => app.play.name(cell, lies.copy, way[0])}>
        <${TilePicture} tile=${tile} rotation=${way[0]} /></button>`)}
      ${tile && html`<button class="quiet" onClick=${() => app.play.set({ lies: null })}>${phrase("hextraction.page.another_tile")}</button>`}
    </div>`;
}

/** The tiles that are to be put in or taken out. */
export function TileToDo({ state, board, app, lies }) {
  const { todo, resume, own: { fresh, puts, unnamed } } = state;
  const which = unnamed.slice(0, 1).map((cell) => html`<${Which} key=${cell} cell=${cell} state=${state} board=${board} app=${app} lies=${lies} />`);
  if (!resume && todo.every(({ cell }) => unnamed.includes(cell) && mayLie(cell, state).length)) {
    return html`<${Card} title=${phrase("hextraction.page.put_in")} kind="todo">${which}
      <div class="row"><button class="quiet" onClick=${() => app.rule("right")}>${phrase("hextraction.page.no_tile")}</button></div>
    <//>`;
  }
  const byHand = () => todo.forEach(({ cell }) => app.send({ type: "hand", ...(puts[cell]
    ? { what: "seat", at: cell, thing: puts[cell].tile, turn: puts[cell].rotation } : { what: "unseat", at: cell }) }));
  const list = html`<ul class="list">
      ${todo.map(({ cell, text }) => html`<li>
        ${found(board, puts[cell]?.tile) ? html`<${TilePicture} tile=${found(board, puts[cell].tile)} rotation=${puts[cell].rotation} />` : html`<span class="no-tile"></span>`}
        <span>${text}</span>
      </li>`)}
    </ul>`;
  return html`<${ToDo} state=${state} app=${app} list=${list} byHand=${app.hands && todo.length > 0 && byHand}>
    ${which}
    ${fresh && todo.some((item) => item.cell === fresh) && html`<${Misfit} cell=${fresh} state=${state} board=${board} app=${app} />`}
  <//>`;
}

/** Where a ball is believed to be, in words. */
const believed = ({ at, felt }) => phrase(felt ? "hextraction.page.believed" : "hextraction.page.believed_unfelt", { place: whereabouts(at) });

const RARE = /^(ignore|reveal|discard)\b/; // what few turns have; people judge whether it may be

/** The tiles to choose from, and the actions that need none. */
export function Tray({ state, board, app, tile, rotation }) {
  const playable = state.own.legal.play;
  const actions = state.own.legal.other;
  const others = actions.filter((action) => !cellOf(action.name, board)); // the rest are rings on the board
  const some = Object.keys(playable).length > 0;
  const copies = (id) => Object.keys(playable).filter((copy) => tileOf(copy) === id);
  const shown = tilesOf(board).flatMap((each) => (copies(each.id).length ? copies(each.id) : [each.id]).map((copy) => [copy, each]));
  const hint = state.waits ? phrase("page.waits_for", { seat: state.seats[state.active] }) : some && (tile ? inHand(board, state, tile, rotation) : phrase("hextraction.page.put_or_choose"))
    || (actions.some((action) => action.name.startsWith("clear ")) && phrase("hextraction.page.full"));
  return html`<${Card} title=${state.own.vote ? phrase("hextraction.page.a_vote") : some ? phrase("hextraction.page.play_tile") : phrase("hextraction.page.tiles")} kind=${names("tray", !some && "spent", !tile && "bare")}>
    ${!state.own.vote && html`<div class="tiles" role="group" aria-label=${phrase("hextraction.page.tiles")}>
      ${shown.map(([copy, each]) => html`<button key=${copy}
          class=${names("tile-button", !Object.keys(playable[copy] ?? {}).length && "idle")}
          aria-pressed=${tile === copy} data-tile=${copy} title="${each.name} (${tilesOf(board).indexOf(each) + 1})"
          onClick=${() => app.play.chooseTile(copy)}>
        <${TilePicture} tile=${each} rotation=${tile === copy ? rotation : each.rotations[0]} />
        <span>${copyName(copy, state, board)}</span>
      </button>`)}
    </div>`}
    <div class="row actions">
      ${!state.own.vote && html`<button class="rotate" disabled=${!tile} aria-label=${phrase("hextraction.page.turn_left")} onClick=${() => app.play.turn(-1)}>↺</button>
      <button class="rotate" disabled=${!tile} aria-label=${phrase("hextraction.page.turn_right")} onClick=${() => app.play.turn(1)}>↻</button>`}
      ${others.map((action) => html`<button data-action=${action.name}
        class=${names("grow", action.name === "end" && "main", action.name === "break" && "danger", RARE.test(action.name) && "quiet")}
        onClick=${() => app.act(action.name)}>${action.text}</button>`)}
    </div>
    ${hint && html`<p class="hint">${hint}</p>`}
  <//>`;
}

/** One slot or ball under the magnifying glass. */
export function Inspector({ state, board, app, inspected, tile, rotation }) {
  const { cell, ball } = inspected;
  const here = state.own.balls.filter((each) => (cell ? each.at.split("-").includes(cell) : each.id === ball));
  const slot = state.own.slots[cell];
  const title = cell ? described(board, cell, slot, []) : phrase("hextraction.page.ball", { ball });
  const offers = state.own.legal.other.filter((action) => cell && slotOf(action.name, board) === cell);
  const parts = state.own.acts.filter(({ name }) => name.startsWith(`part ${cell} `));
  const unshown = cell && state.own.acts.find(({ name }) => name.startsWith("nocard ") && cellOf(name, board) === cell);
  const hand = (command) => () => {
    app.send({ type: "hand", ...command });
    app.play.inspect(null);
  };
  const take = (name) => () => { // the simulated board's hand lets a ball go, which says it all
    if (app.hands && name.startsWith("roll ")) app.play.dropInto(cell);
    else app.act(name);
    app.play.inspect(null);
  };
  const votable = slot?.tile && !state.own.vote && state.phase !== "over";
  const { you } = app.state;
  const voters = state.seats.map((_, seat) => seat).filter((seat) => votable && !state.own.out.includes(seat)
    && (!state.private || seat === state.side) && (you.host || you.seats.includes(seat)));
  const gone = (id) => () => {
    app.rule(`ball ${id} -`, "the ball is gone");
    app.play.inspect(null);
  };
  const none = !offers.length && !parts.length && !unshown && !voters.length && !here.length && !(app.hands && (slot?.tile || tile));
  return html`<${Card} title=${title} kind="inspector" close=${() => app.play.inspect(null)}>
    ${!cell && here[0] && html`<p class="hint">${believed(here[0])}</p>`}
    <div class="choices">
      ${offers.map((action) => html`<button class="main" data-action=${action.name} onClick=${take(action.name)}>${action.text}</button>`)}
      ${voters.map((seat) => html`<button data-vote=${seat}
          onClick=${() => { app.act(`vote destroy ${cell} ${seat}`); app.play.inspect(null); }}>${phrase("hextraction.page.calls_vote", { seat: state.seats[seat] })}</button>`)}
      ${parts.map((act) => html`<button data-action=${act.name} onClick=${take(act.name)}>${act.text}</button>`)}
      ${unshown && html`<${Sure} act=${take(unshown.name)} really=${phrase("hextraction.page.really_destroy")}>${unshown.text}<//>`}
      ${here.map((each) => html`<button data-gone=${each.id} onClick=${gone(each.id)}>${phrase("hextraction.page.ball_gone", { ball: each.id })}</button>`)}
      ${app.hands && here.map((each) => html`<button onClick=${hand({ what: "lift", thing: String(each.id), at: each.at })}>${phrase("hextraction.page.lift_ball", { ball: each.id })}</button>`)}
      ${app.hands && slot?.tile && html`<button onClick=${hand({ what: "unseat", at: cell })}>${phrase("hextraction.page.take_out", { tile: named(board, slot.tile) })}</button>`}
      ${app.hands && cell && tile && html`<button onClick=${hand({ what: "seat", at: cell, thing: tileOf(tile), turn: rotation })}>${phrase("hextraction.page.put_by_hand", { tile: named(board, tile) })}</button>`}
    </div>
    ${cell && html`<${Misfit} cell=${cell} state=${state} board=${board} app=${app} />`}
    ${none && html`<p class="hint">${phrase("hextraction.page.nothing")}</p>`}
  <//>`;
}
