/** Everything beside the board: what is asked, what can be done, what was ruled, how the board is. */
import { html, names } from "./html.js";
import { described } from "./board.js";
import { Card, cellOf, hue, slotOf, Sure } from "./parts.js";
import { Misfit } from "./say.js";
import { TilePicture, tileOf } from "./tile.js";

const PHASES = { idle: "", rolling: "Rolling", asking: "A question", over: "Game over", wrong: "By hand" };

/** Whose turn it is and the one sentence that matters now. */
export function Ruling({ state, refused, app }) {
  const newest = state.log[0];
  const over = state.phase === "over";
  const first = state.phase === "wrong" && (state.resume ? "First look the board over." : state.todo[0]?.text); // before anything else
  return html`<section class=${names("ruling", hue(state.active), state.phase)}>
    <div class="seats">
      ${state.seats.map((name, seat) => html`<span
          class=${names("seat", hue(seat), seat === state.active && !over && "active", state.out?.includes(seat) && "out")}
          aria-current=${seat === state.active && !over ? "true" : undefined}>
        <span class="seat-name">${name}</span>${state.out?.includes(seat) && html`<span class="unseen">is out</span>`}
        ${state.scores && html`<b class="score">${state.scores[seat]}</b>`}
        ${!state.scores && state.hands && html`<span class="hand" role="img" aria-label="${state.hands[seat]} tiles in hand">
          ${Array.from({ length: state.hands[seat] ?? 0 }, () => html`<i></i>`)}</span>`}
      </span>`)}
      <span class="turn">${PHASES[state.phase] || (state.vote && "A vote") || html`${state.turn && `Turn ${state.turn}`}<span class="only-narrow">${state.simulated && (state.turn ? ", simulated" : "simulated")}</span>`}</span>
    </div>
    <div aria-live="polite">
      <p class="prompt">${(over && state.outcome) || first || state.prompt}</p>
      ${refused && html`<p class="refused">
        <span>${refused.text}</span> ${refused.rule && html`<code>${refused.rule}</code>`}
      </p>`}
      ${!refused && newest && html`<p class="newest">${newest.text}
        ${newest.final === false && html` <em class="pending">not final yet</em>`}</p>`}
    </div>
    ${over && html`<div class="row"><button class="main" onClick=${() => app.send({ do: "new" })}>New game</button></div>`}
  </section>`;
}

/** A question; where the answers' cells are marked on the board with numbers, the answers have them too. */
export function Question({ question, numbered, app }) {
  const answer = (choice) => app.send({ do: "answer", question: question.id, choice: choice.name });
  return html`<${Card} title=${question.text} kind="question">
    <div class="choices">
      ${question.choices.map((choice, i) => html`<button class=${i ? "" : "main"}
        data-choice=${choice.name} onClick=${() => answer(choice)}>${i < numbered && html`<b class="which">${i + 1}</b> `}${choice.text}</button>`)}
    </div>
  <//>`;
}

/** What people still have to change on the board by hand: with pieces a movement each, the first one lit. */
export function ToDo({ todo, state, board, app, resume }) {
  const tiles = Object.fromEntries(board.tiles.map((tile) => [tile.id, tile]));
  const byHand = (item) => {
    if (!item.tile) return { do: "hand", what: "unseat", at: item.cell };
    return { do: "hand", what: "seat", at: item.cell, tile: item.tile, rotation: item.rotation };
  };
  const right = () => app.send({ do: "rule", ruling: "right" });
  const { wrong } = state;
  const title = resume ? "Welcome back" : wrong ? "No move leads to this board" : "Now with your hands";
  return html`<${Card} title=${title} kind="todo">
    ${resume && html`<p>${resume.text}</p>`}
    ${wrong && html`<p class="refused"><span>${wrong.text}</span> ${wrong.rule && html`<code>${wrong.rule}</code>`}</p>`}
    ${state.pieces ? html`<ol class="list steps">${todo.map((item) => html`<li>${item.text}</li>`)}</ol>` : html`<ul class="list">
      ${todo.map((item) => html`<li>
        ${tiles[item.tile] ? html`<${TilePicture} tile=${tiles[item.tile]} rotation=${item.rotation} />` : html`<span class="no-tile"></span>`}
        <span>${item.text}</span>
      </li>`)}
    </ul>`}
    ${state.fresh && todo.some((item) => item.cell === state.fresh) && html`<${Misfit} cell=${state.fresh} state=${state} board=${board} app=${app} />`}
    <div class="row">
      ${state.simulated && state.slots && todo.length > 0 && html`<button class="main" onClick=${() => todo.forEach((item) => app.send(byHand(item)))}>
        Do it by hand</button>`}
      ${wrong && state.simulated && html`<button onClick=${() => app.send({ do: "hand", what: "mend" })}>Do it by hand</button>`}
      <button class=${state.simulated && state.slots && todo.length ? "" : "main"} onClick=${right}>It is right</button>
    </div>
  <//>`;
}

const RARE = /^(ignore|reveal|discard)\b/; // what few turns have; people judge whether it may be

/** A copy's name, with its owner where one is named: "J (Blue's)". */
function copyName(copy, state, board) {
  const [id, owner] = copy.split("~");
  return board.named(id) + (owner ? ` (${state.seats[owner]}'s)` : "");
}

/** The tiles to choose from, and the actions that need none. */
export function Tray({ state, board, app, tile, rotation }) {
  const playable = state.legal?.play ?? {};
  const actions = state.legal?.other ?? [];
  const others = actions.filter((action) => !cellOf(action.name, board)); // the rest are rings on the board
  const some = Object.keys(playable).length > 0;
  const name = tile && copyName(tile, state, board);
  const copies = (id) => Object.keys(playable).filter((copy) => tileOf(copy) === id);
  const shown = board.tiles.flatMap((each) => (copies(each.id).length ? copies(each.id) : [each.id]).map((copy) => [copy, each]));
  const lit = Object.values(playable[tile] ?? {}).some((rotations) => rotations.includes(rotation));
  const hint = some && (!tile ? "Choose a tile, then a slot."
    : !playable[tile] ? `${name} cannot be played now. Choose another tile.`
    : `${name} in hand, turned ${rotation}/6. ${lit ? "Tap a ringed slot to play it." : "It fits no slot so: turn it."}`)
    || (actions.some((action) => action.name.startsWith("clear ")) && "The board is full. Tap a ringed slot to destroy its tile.");
  return html`<${Card} title=${state.vote ? "A vote" : some ? "Play a tile" : "Tiles"} kind=${names("tray", !some && "spent", !tile && "bare")}>
    ${!state.vote && html`<div class="tiles" role="group" aria-label="Tiles">
      ${shown.map(([copy, each]) => html`<button key=${copy}
          class=${names("tile-button", !Object.keys(playable[copy] ?? {}).length && "idle")}
          aria-pressed=${tile === copy} data-tile=${copy} title="${each.name} (${board.tiles.indexOf(each) + 1})"
          onClick=${() => app.chooseTile(copy)}>
        <${TilePicture} tile=${each} rotation=${tile === copy ? rotation : each.rotations[0]} />
        <span>${copyName(copy, state, board)}</span>
      </button>`)}
    </div>`}
    <div class="row actions">
      ${!state.vote && html`<button class="rotate" disabled=${!tile} aria-label="Turn the tile anticlockwise" onClick=${() => app.turn(-1)}>↺</button>
      <button class="rotate" disabled=${!tile} aria-label="Turn the tile clockwise" onClick=${() => app.turn(1)}>↻</button>`}
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
  const here = state.balls.filter((each) => (cell ? each.at.split("-").includes(cell) : each.id === ball));
  const slot = state.slots[cell];
  const title = cell ? described(board, cell, slot, []) : `Ball ${ball}`;
  const offers = (state.legal?.other ?? []).filter((action) => cell && slotOf(action.name, board) === cell);
  const parts = state.acts.filter(({ name }) => name.startsWith(`part ${cell} `));
  const unshown = cell && state.acts.find(({ name }) => name.startsWith("nocard ") && cellOf(name, board) === cell);
  const hand = (command) => () => {
    app.send({ do: "hand", ...command });
    app.inspect(null);
  };
  const take = (name) => () => { // the simulated board's hand lets a ball go, which says it all
    if (state.simulated && name.startsWith("roll ")) app.dropInto(cell);
    else app.act(name);
    app.inspect(null);
  };
  const votable = slot?.tile && !state.vote && state.phase !== "over";
  const gone = (id) => () => {
    app.send({ do: "rule", ruling: `ball ${id} -`, why: "the ball is gone" });
    app.inspect(null);
  };
  const none = !offers.length && !parts.length && !unshown && !votable && !here.length && !(state.simulated && (slot?.tile || tile));
  return html`<${Card} title=${title} kind="inspector" close=${() => app.inspect(null)}>
    ${!cell && here[0] && html`<p class="hint">The referee believes it is at ${here[0].at.replace(":", " ")}${here[0].felt ? "" : ", where no sensor feels it"}.</p>`}
    <div class="choices">
      ${offers.map((action) => html`<button class="main" data-action=${action.name} onClick=${take(action.name)}>${action.text}</button>`)}
      ${votable && state.seats.map((name, seat) => !state.out.includes(seat) && (!state.private || seat === state.side) && html`<button data-vote=${seat}
          onClick=${() => { app.act(`vote destroy ${cell} ${seat}`); app.inspect(null); }}>${name} calls a vote on it</button>`)}
      ${parts.map((act) => html`<button data-action=${act.name} onClick=${take(act.name)}>${act.text}</button>`)}
      ${unshown && html`<${Sure} act=${take(unshown.name)} really="Really destroy it?">${unshown.text}<//>`}
      ${here.map((each) => html`<button data-gone=${each.id} onClick=${gone(each.id)}>Ball ${each.id} is not there</button>`)}
      ${state.simulated && here.map((each) => html`<button onClick=${hand({ what: "lift", ball: each.id, at: each.at })}>Lift ball ${each.id}</button>`)}
      ${state.simulated && slot?.tile && html`<button onClick=${hand({ what: "unseat", at: cell })}>Take ${board.named(slot.tile)} out by hand</button>`}
      ${state.simulated && cell && tile && html`<button onClick=${hand({ what: "seat", at: cell, tile: tileOf(tile), rotation })}>
        Put ${board.named(tileOf(tile))} in by hand</button>`}
    </div>
    ${cell && html`<${Misfit} cell=${cell} state=${state} board=${board} app=${app} />`}
    ${none && html`<p class="hint">Nothing to do here now.</p>`}
  <//>`;
}

export function Log({ log }) {
  return html`<section class="card log" aria-label="Rulings">
    <header><h2>Rulings</h2></header>
    ${!log.length && html`<p class="hint">None yet. The first ball or tile begins it.</p>`}
    <ol class="entries" tabindex="0" aria-label="Rulings, newest first">
      ${log.map((entry) => html`<li key=${entry.n} class=${entry.final === false ? "provisional" : ""}>
        <span class="number">${entry.n}</span>
        <span class="what">${entry.text}
          ${entry.final === false && html` <em class="pending">not final yet</em>`}</span>
        ${entry.rule && html`<code>${entry.rule}</code>`}
      </li>`)}
    </ol>
  </section>`;
}

/** The board's health: power, light, devices, sensors. */
export function Health({ state, app }) {
  const { flags, lights } = state;
  const share = Math.min(1, lights.milliamps / Math.max(1, lights.limit));
  return html`<section class="card health" aria-label="The board's health">
    <div class="chips">
      ${flags && (state.simulated
        ? html`<button class="switch" role="switch" aria-checked=${flags.power}
            onClick=${() => app.send({ do: "hand", what: "rail", on: !flags.power })}><i></i>Power</button>`
        : html`<span class=${names("chip", flags.power ? "good" : "bad")}>Power ${flags.power ? "on" : "off"}</span>`)}
      ${state.simulated && html`<button class="switch" role="switch" aria-checked=${state.watching} data-watch
          onClick=${() => app.send({ do: "watch", on: !state.watching })}><i></i>Plays by itself</button>`}
      ${flags?.offline && html`<span class="chip bad">Offline</span>`}
      ${flags?.overdrive && html`<span class="chip hot">Overdrive</span>`}
      ${state.links.map((link) => html`<span class=${names("chip", !link.up ? "bad" : link.why ? "hot" : "good")}>
        ${link.source}${link.up && !link.why ? "" : `: ${link.why || "not there"}`}</span>`)}
      ${state.pool !== undefined && html`<span class="chip">${state.pool} tiles in the pool</span>`}
    </div>
    ${flags && html`<button class="quiet" onClick=${app.toggleRegister}>Register a tile of your own…</button>`}
    <div class=${names("meter", lights.limited && "limited")}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-back" width="100" height="4" rx="2" />
        <rect class="meter-fill" width=${100 * share} height="4" rx="2" />
      </svg>
      <span>${lights.limited ? `Lights limited to ${lights.percent} %` : "Lights"}</span>
      <span class="amount">${lights.milliamps} of ${lights.limit} mA</span>
    </div>
    ${state.bad_sensors.length > 0 && html`<ul class="faults">
      ${state.bad_sensors.map((sensor) => html`<li><span class="cross" aria-hidden="true">✕</span>
        <span><b>${sensor.id}</b> ${sensor.text || sensor.health}</span></li>`)}
    </ul>`}
  </section>`;
}
