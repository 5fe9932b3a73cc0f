/** A bench: the board's sensors while somebody visits them, and buttons for what they would type. */
import { html, names } from "./html.js";
import { at } from "./home.js";
import { Live } from "./live.js";
import { render } from "./vendor/preact.mjs";
import { onScreen } from "./hex.js";

const BACK = ["back", "The answer before was wrong"];
const WORDS = {
  hands_off: [["ok", "My hands are off"]],
  visit: [["w", "Another place lit up"], ["n", "Nothing happens here"]],
  exactly: [["n", "Nothing happens here"]],
  count: [["ok", "Touched, all of them"], ["n", "Nothing happens here"]],
  colour: [["r", "Red"], ["g", "Green"], ["b", "Blue"], ["n", "It stays dark"], BACK],
  same: [["y", "Yes, all of them"], ["n", "No"]],
  spot: [["n", "It stays dark"], BACK],
  trigger: [["n", "Nothing happens here"], BACK],
  yes_no: [["y", "Yes"], ["n", "No"]],
};
const MAIN = ["hands_off", "count", "same", "yes_no"];
const STATES = { done: "done", unsure: "not sure", open: "not yet visited", bad: "look at it" };
const DOT = 4, BAR = 1.3, HIGH = 6; // mm

document.title = "hexboard: calibrate";
const root = document.createElement("div");
const light = matchMedia("(prefers-color-scheme: light)");
let board, told, ended, link = "down", chosen = "", follows = true, near = "";

const say = (word) => live.send({ type: "ask", body: { say: word } });
const touch = (sensor) => live.send({ type: "ask", body: { touch: sensor } });

function choose(sensor) {
  follows = sensor === chosen && !follows;
  chosen = sensor;
  draw();
}

/** A cell is tapped: its light is meant where it has one, else it is shown large. */
function pick(cell) {
  if (board.pixels.some(({ spot }) => spot === cell)) say(cell);
  else near = cell;
  draw();
}

/** How a sensor is shown: its state, or "bad" where something is found. */
const look = ({ state, why }) => why || state === "gone" ? "bad" : state;

/** What is known of a sensor: by its contacts, or only how far its wiring is. */
const known = (id) => told.sensors[id] ?? (told.states[id] && { state: told.states[id], felt: 0, touched: 0, spread: [] });

/** How many touches a sensor felt, as so much of a ring; and how long its contacts were, a bar a class beside it. */
function Rate({ felt, touched, spread }) {
  const round = 2 * Math.PI * (DOT + 1.6);
  return html`${touched > 0 && html`<circle class="ring all" r=${DOT + 1.6} />
    <circle class="ring" r=${DOT + 1.6} transform="rotate(-90)" stroke-dasharray="${(round * felt) / touched} ${round}" />`}
    <${Bars} spread=${spread} left=${DOT + 4} low=${HIGH / 2} wide=${BAR} high=${HIGH} />`;
}

function Bars({ spread, left, low, wide, high }) {
  const most = Math.max(...spread);
  return html`${spread.length > 0 && html`<line class="axis" x1=${left} x2=${left + wide * spread.length} y1=${low} y2=${low} />`}
    ${spread.map((count, k) => count > 0 && html`<rect class="bar" x=${left + k * wide} width=${wide * 0.9}
      y=${low - (high * count) / most} height=${(high * count) / most} />`)}`;
}

/** A light: found, dark, or still to be; on a simulated board with what it shows. In the large cell it is a button. */
function Light({ spot, x, y, colour = [] }) {
  const shines = !ended && Math.max(0, ...colour) > 5 && `rgb(${colour.slice(0, 3).map((part) => Math.min(255, part * 4)).join(" ")})`;
  return html`<g class=${names("light", told.states[spot], shines && "shines")} data-spot=${spot} transform="translate(${x} ${y})">
    <circle r="2.2" style=${shines ? { fill: shines } : undefined} />
    ${told.states[spot] === "dark" && html`<path d="M-3-3 3 3M-3 3 3-3" />`}
    ${near && html`<g role="button" aria-label="Light ${spot}" onClick=${() => say(spot)}>
      <circle class="key" r="6.5" /><text>${spot.split("/")[1]}</text></g>`}
    <title>${spot}</title></g>`;
}

/** What of the board is to be seen: a cell, or all. */
function frame() {
  const cells = board.cells.filter(({ id }) => !near || id === near);
  const points = [...cells.flatMap(({ corners }) => corners), ...(near ? [] : board.sensors.map(({ x, y }) => [x, y]))];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const margin = 10;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top].join(" ");
}

function Picture() {
  const picks = !ended && told.wants === "spot" && !near;
  const inside = (spot) => !near || spot.split("/")[0] === near;
  return html`<svg class="bench" viewBox=${frame()} role="img" aria-label="The board">
    ${board.cells.map(({ id, x, y, corners }) => {
      const [share, tint] = ended?.cells[id] ?? [];
      return html`<g key=${id} class=${names("place", picks && "picks", tint)} data-cell=${id} onClick=${picks ? () => pick(id) : undefined}>
        <polygon points=${corners.map((corner) => corner.join(",")).join(" ")} /><text x=${x} y=${near ? y : y + 10}>${id}</text>
        ${share && html`<text class="share" x=${x} y=${y - 2}>${share}</text>`}</g>`;
    })}
    ${board.pixels.map((pixel, k) => told.states[pixel.spot] && inside(pixel.spot)
      && html`<${Light} key=${pixel.spot} ...${pixel} colour=${told.strip[k]} />`)}
    ${board.sensors.map(({ id, x, y }) => {
      const it = known(id);
      if (!it) return null;
      return html`<g key=${id} data-sensor=${id} class=${names("spot", look(it), told.fired === id && "fired", chosen === id && "chosen")}
          transform="translate(${x} ${y})" onClick=${() => choose(id)}>
        ${!ended && told.place === id && html`<circle class="asked" r="8" />`}
        <circle class="dot" r=${DOT} /><${Rate} ...${it} /><circle class="reach" r="7" /><title>${id}</title></g>`;
    })}
  </svg>`;
}

/** How long contacts were, with the scale. */
function Histogram({ spread }) {
  const classes = [...told.up_to_ms, "more"];
  return html`<svg class="histogram" viewBox="0 0 ${classes.length * 20} 44" role="img" aria-label="How long its contacts were, ms">
    <${Bars} spread=${spread} left=${0} low=${32} wide=${20} high=${28} />
    ${classes.map((most, k) => html`<text x=${k * 20 + 10} y="41">${most}</text>`)}
  </svg>`;
}

function Sensor({ id }) {
  const it = told.sensors[id];
  if (!it) return null;
  const lengths = [...it.lengths_ms].sort((a, b) => a - b);
  const middle = lengths[lengths.length >> 1];
  const spread = lengths.length > 1 ? `${lengths.length} contacts of ${lengths[0]} to ${lengths.at(-1)} ms, usually ${middle} ms.`
    : lengths.length ? `One contact of ${middle} ms.` : "No contact yet.";
  const rate = it.touched > 0 ? `Felt ${it.felt} of ${it.touched} touches. ` : "";
  return html`<section class="card sensor-card" aria-label="Sensor ${id}">
    <header><h2>${id}</h2><span class="chip ${look(it)}">${STATES[look(it)]}</span></header>
    ${it.why && html`<p class="why">${it.why}</p>`}
    <p class="rate">${rate}${spread}</p>
    ${lengths.length > 1 && html`<${Histogram} spread=${it.spread} />`}
  </section>`;
}

function Bench() {
  const { wants, place } = told;
  const shown = (!follows && chosen) || told.fired || place;
  const [done, all] = told.rows.reduce(([some, every], row) => [some + row[1], every + row[3]], [0, 0]);
  const hand = told.simulated && ["visit", "exactly", "count", "trigger"].includes(wants) && place;
  return html`<main class="bench">
    ${link !== "up" && html`<p class="banner" role="alert">The board's program is not answering. Is this phone in the same network?</p>`}
    <div class="todo-now" aria-live="polite">
      ${all > 0 && html`<progress max=${all} value=${done} aria-label="Places done" /> <span class="count">${done} of ${all}</span>`}
      <p class="ask">${told.ask}</p><p class="heard">${told.heard}</p>
    </div>
    <${Picture} />
    ${wants === "spot" && html`<p class="hint">${near ? "Tap the light that is on." : "Tap the cell that it is in."}</p>`}
    ${wants === "visit" && html`<p class="hint">Another place lit up? Hold for two seconds, twice, where you are; or press the button.</p>`}
    <div class="words">
      ${near && html`<button class="main" onClick=${() => pick("")}>Show the whole board</button>`}
      ${hand && html`<button class="main" onClick=${() => touch(place)}>Touch it</button>`}
      ${(WORDS[wants] ?? []).map(([word, text], k) => html`<button key=${word} class=${names(!k && MAIN.includes(wants) && "main")}
        onClick=${() => say(word)}>${text}</button>`)}
    </div>
    ${shown && html`<${Sensor} id=${shown} />`}
    ${wants !== "nothing" && html`<button class="stop" onClick=${() => say("q")}>Stop, and go on later</button>`}
  </main>`;
}

function Ended() {
  const map = Object.keys(ended.cells).length > 0;
  return html`<main class="bench"><section class="card ended"><h2>${map ? "How well each cell tells its pieces" : "That was all."}</h2>
    <ul>${ended.told.map((line) => html`<li>${line}</li>`)}</ul></section>
    ${told && html`<${Picture} />${chosen && html`<${Sensor} id=${chosen} />`}`}
    ${map && html`<button class="stop" disabled=${link !== "up"} onClick=${() => say("q")}>Done</button>`}</main>`;
}

function draw() {
  document.documentElement.dataset.theme = light.matches ? "light" : "dark";
  if (!root.isConnected && (link === "barred" || (board && (told || ended)))) document.getElementById("app").replaceChildren(root);
  if (link === "barred") return render(html`<p class="boot">This link no longer opens the page. Open the one that hexboard shows now.</p>`, root);
  if (!board || !(told || ended)) return undefined;
  return render(ended ? html`<${Ended} />` : html`<${Bench} />`, root);
}

async function read() {
  const answer = await fetch(at("/board")).catch(() => null);
  if (answer?.ok) board = onScreen(await answer.json());
  draw();
}

light.addEventListener("change", draw);
const live = new Live(
  (message) => {
    if (message.type === "ended") ended = message;
    else if (message.type === "bench") {
      if (message.ask !== told?.ask) near = "";
      told = message;
    }
    draw();
  },
  (now) => {
    link = now;
    if (now === "up") {
      ended = undefined; // begun anew
      read();
    }
    draw();
  },
);
