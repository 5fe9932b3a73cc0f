/** A bench: the board's sensors while somebody visits them, and buttons for what they would type. */
import { html, names } from "./html.js";
import { at } from "./home.js";
import { Live } from "./live.js";
import { render } from "./vendor/preact.mjs";
import { onScreen } from "./hex.js";

const WORDS = {
  hands_off: [["ok", "My hands are off"]],
  visit: [["w", "Another place lit up"], ["n", "Nothing happens here"]],
  exactly: [["n", "Nothing happens here"]],
  count: [["ok", "Touched, all of them"], ["n", "Nothing happens here"]],
  yes_no: [["y", "Yes"], ["n", "No"]],
};
const STATES = { done: "done", unsure: "not sure", open: "not yet visited" };
const BARS = 8;

const root = document.createElement("div");
const light = matchMedia("(prefers-color-scheme: light)");
let board, told, link = "down", chosen = "", follows = true;

const say = (word) => live.send({ type: "ask", body: { say: word } });
const touch = (sensor) => live.send({ type: "ask", body: { touch: sensor } });

function choose(sensor) {
  follows = sensor === chosen && !follows;
  chosen = sensor;
  draw();
}

/** How a sensor is shown: its state, or "weak" where that is because it missed touches. */
function look({ state, felt, touched }) {
  return state === "unsure" && felt * 8 < touched * 7 ? "weak" : state;
}

function Picture() {
  const xs = [...board.cells.flatMap((cell) => cell.corners.map(([x]) => x)), ...board.sensors.map(({ x }) => x)];
  const ys = [...board.cells.flatMap((cell) => cell.corners.map(([, y]) => y)), ...board.sensors.map(({ y }) => y)];
  const margin = 10;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const box = [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
  return html`<svg class="bench" viewBox=${box.join(" ")} role="img" aria-label="The board's sensors">
    ${board.cells.map(({ id, x, y, corners }) => html`<g key=${id} class="place">
      <polygon points=${corners.map((corner) => corner.join(",")).join(" ")} /><text x=${x} y=${y + 10}>${id}</text></g>`)}
    ${board.sensors.map(({ id, x, y }) => {
      const it = told.sensors[id];
      if (!it) return null;
      return html`<g key=${id} data-sensor=${id} class=${names("spot", look(it), told.fired === id && "fired", chosen === id && "chosen")}
          transform="translate(${x} ${y})" onClick=${() => choose(id)}>
        ${told.place === id && html`<circle class="asked" r="8" />`}
        <circle class="dot" r="4" /><circle class="reach" r="7" /><title>${id}</title></g>`;
    })}
  </svg>`;
}

/** How long contacts were, as bars from the shortest to the longest. */
function Histogram({ lengths }) {
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const bars = new Array(BARS).fill(0);
  for (const it of lengths) bars[Math.min(BARS - 1, Math.floor(((it - least) / (most - least || 1)) * BARS))] += 1;
  const high = Math.max(...bars);
  return html`<svg class="histogram" viewBox="0 0 ${BARS * 10} 30" preserveAspectRatio="none" role="img"
      aria-label="Contacts from ${least} to ${most} ms">
    ${bars.map((count, k) => html`<rect x=${k * 10 + 1} width="8" y=${30 - (28 * count) / high} height=${(28 * count) / high || 0.5} />`)}
  </svg>`;
}

function Sensor({ id }) {
  const it = told.sensors[id];
  if (!it) return null;
  const lengths = [...it.lengths_ms].sort((a, b) => a - b);
  const middle = lengths[lengths.length >> 1];
  const spread = lengths.length > 1 ? `${lengths.length} contacts of ${lengths[0]} to ${lengths.at(-1)} ms, usually ${middle} ms.`
    : lengths.length ? `One contact of ${middle} ms.` : "No contact yet.";
  return html`<section class="card sensor-card" aria-label="Sensor ${id}">
    <header><h2>${id}</h2><span class="chip ${look(it)}">${look(it) === "weak" ? "weak" : STATES[it.state]}</span></header>
    <p class="rate">${it.touched > 0 && `Felt ${it.felt} of ${it.touched} touches. `}${spread}</p>
    ${lengths.length > 1 && html`<${Histogram} lengths=${lengths} />`}
  </section>`;
}

function Bench() {
  const { wants, place } = told;
  const shown = (!follows && chosen) || told.fired || place;
  const [done, all] = told.rows.reduce(([some, every], row) => [some + row[1], every + row[3]], [0, 0]);
  const hand = told.simulated && ["visit", "exactly", "count"].includes(wants) && place;
  return html`<main class="bench">
    ${link !== "up" && html`<p class="banner" role="alert">The board's program is not answering. Is this phone in the same network?</p>`}
    <div class="todo-now" aria-live="polite">
      ${all > 0 && html`<progress max=${all} value=${done} aria-label="Places done" /> <span class="count">${done} of ${all}</span>`}
      <p class="ask">${told.ask}</p><p class="heard">${told.heard}</p>
    </div>
    <${Picture} />
    <div class="words">
      ${hand && html`<button class="main" onClick=${() => touch(place)}>Touch it</button>`}
      ${(WORDS[wants] ?? []).map(([word, text], k) => html`<button key=${word} class=${names(!k && !hand && wants !== "visit" && "main")}
        onClick=${() => say(word)}>${text}</button>`)}
    </div>
    ${shown && html`<${Sensor} id=${shown} />`}
    <button class="stop" onClick=${() => say("q")}>Stop, and go on later</button>
  </main>`;
}

function Ended() {
  return html`<main class="bench"><section class="card ended"><h2>That was all.</h2>
    <ul>${told.told.map((line) => html`<li>${line}</li>`)}</ul></section></main>`;
}

function draw() {
  document.documentElement.dataset.theme = light.matches ? "light" : "dark";
  if (!root.isConnected && (link === "barred" || (board && told))) document.getElementById("bench").replaceChildren(root);
  if (link === "barred") return render(html`<p class="boot">This link no longer opens the page. Open the one that hexboard shows now.</p>`, root);
  if (!board || !told) return undefined;
  return render(told.type === "ended" ? html`<${Ended} />` : html`<${Bench} />`, root);
}

async function read() {
  const answer = await fetch(at("/board")).catch(() => null);
  if (answer?.ok) board = onScreen(await answer.json());
  draw();
}

light.addEventListener("change", draw);
const live = new Live(
  (message) => {
    if (message.type === "ended" || (message.type === "bench" && told?.type !== "ended")) told = message;
    draw();
  },
  (now) => {
    link = now;
    if (now === "up") {
      if (told?.type === "ended") told = undefined; // begun anew
      read();
    }
    draw();
  },
);
