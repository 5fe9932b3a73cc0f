/** A bench: the board's sensors while somebody visits them, and buttons for what they would type. */
import { html, names } from "./html.js";
import { asked, at } from "./home.js";
import { Live } from "./live.js";
import { render } from "./vendor/preact.mjs";
import { onScreen } from "./hex.js";
import { Setup } from "./setup.js";
import { phrase } from "./words.js";

const BACK = ["back", phrase("page.answer_wrong")];
const WORDS = {
  hands_off: [["ok", phrase("page.hands_off")]],
  visit: [["w", phrase("page.another_lit")], ["n", phrase("page.nothing_here")]],
  exactly: [["n", phrase("page.nothing_here")]],
  count: [["ok", phrase("page.touched_all")], ["n", phrase("page.nothing_here")]],
  colour: [["r", phrase("page.red")], ["g", phrase("page.green")], ["b", phrase("page.blue")], ["n", phrase("page.stays_dark")], BACK],
  same: [["y", phrase("page.yes_all")], ["n", phrase("page.no")]],
  ready: [["ok", phrase("page.take_picture")]],
  lit: [["y", phrase("page.as_told")], ["n", phrase("page.not_as_told")]],
  spot: [["n", phrase("page.stays_dark")], BACK],
  trigger: [["n", phrase("page.nothing_here")], BACK],
  yes_no: [["y", phrase("page.yes")], ["n", phrase("page.no")]],
};
const MAIN = ["hands_off", "count", "ready", "same", "yes_no"];
const STATES = { done: phrase("page.done"), unsure: phrase("page.unsure"), open: phrase("page.open"), bad: phrase("page.bad") };
const AGAIN = 1000; // ms
const DOT = 4, BAR = 1.3, HIGH = 6; // mm

document.title = phrase("page.calibrate");
const root = document.createElement("div");
const light = matchMedia("(prefers-color-scheme: light)");
let board, told, ended, setup, link = "down", chosen = "", follows = true, near = "";

const say = (word) => live.send({ type: "ask", body: { say: word, to: (setup ?? ended ?? told).question } });
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
    ${near && html`<g role="button" aria-label=${phrase("page.light_at", { spot })} onClick=${() => say(spot)}>
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
  return html`<svg class="bench" viewBox=${frame()} role="img" aria-label=${phrase("page.board")}>
    ${board.cells.map(({ id, x, y, corners }) => {
      const [share, tint] = (ended ?? told).cells[id] ?? [];
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
  const classes = [...told.up_to_ms, phrase("page.longer")];
  return html`<svg class="histogram" viewBox="0 0 ${classes.length * 20} 44" role="img" aria-label=${phrase("page.contacts_long")}>
    <${Bars} spread=${spread} left=${0} low=${32} wide=${20} high=${28} />
    ${classes.map((most, k) => html`<text x=${k * 20 + 10} y="41">${most}</text>`)}
  </svg>`;
}

function Sensor({ id }) {
  const it = told.sensors[id];
  if (!it) return null;
  const lengths = [...it.lengths_ms].sort((a, b) => a - b);
  const middle = lengths[lengths.length >> 1];
  const spread = lengths.length > 1 ? phrase("page.contacts", { count: lengths.length, least: lengths[0], most: lengths.at(-1), usual: middle })
    : lengths.length ? phrase("page.one_contact", { usual: middle }) : phrase("page.no_contact");
  const rate = it.touched > 0 ? phrase("page.felt", it) : "";
  return html`<section class="card sensor-card" aria-label=${phrase("page.sensor", { id })}>
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
    ${link !== "up" && html`<p class="banner" role="alert">${phrase(link === "crowded" ? "page.crowded" : "page.unheard_network")}</p>`}
    <div class="todo-now" aria-live="polite">
      ${all > 0 && html`<progress max=${all} value=${done} aria-label=${phrase("page.places_done")} /> <span class="count">${phrase("page.of", { some: done, all })}</span>`}
      <h1 class="ask">${told.ask}</h1><p class="heard">${told.heard}</p>
    </div>
    <${Picture} />
    ${wants === "spot" && html`<p class="hint">${near ? phrase("page.tap_light") : phrase("page.tap_cell")}</p>`}
    ${wants === "visit" && html`<p class="hint">${phrase("page.hold_twice")}</p>`}
    <div class="words">
      ${near && html`<button class="main" onClick=${() => pick("")}>${phrase("page.whole_board")}</button>`}
      ${hand && html`<button class="main" onClick=${() => touch(place)}>${phrase("page.touch_it")}</button>`}
      ${(WORDS[wants] ?? []).map(([word, text], k) => html`<button key=${word} class=${names(!k && MAIN.includes(wants) && "main")}
        onClick=${() => say(word)}>${text}</button>`)}
    </div>
    ${shown && html`<${Sensor} id=${shown} />`}
    ${wants !== "nothing" && html`<button class="stop" onClick=${() => say("q")}>${phrase("page.stop")}</button>`}
  </main>`;
}

function Ended() {
  const map = Object.keys(ended.cells).length > 0;
  return html`<main class="bench"><section class="card ended"><h1>${ended.wrong ? phrase("page.setup_wrong") : ended.goes_on ? phrase("page.finished") : map ? phrase("page.map") : phrase("page.all")}</h1>
    <ul>${ended.told.map((line) => html`<li>${line}</li>`)}</ul></section>
    ${told && html`<${Picture} />${chosen && html`<${Sensor} id=${chosen} />`}`}
    ${ended.offers.includes("install") && html`<div class="words"><button onClick=${() => say("install")}>${phrase("page.setup_install")}</button></div>`}
    ${ended.goes_on ? html`<button class="main stop" disabled=${link !== "up"} onClick=${() => say("ok")}>${phrase("page.setup_on")}</button>`
      : map && html`<button class="stop" disabled=${link !== "up"} onClick=${() => say("q")}>${phrase("page.finished")}</button>`}</main>`;
}

function draw() {
  document.documentElement.dataset.theme = light.matches ? "light" : "dark";
  if (!root.isConnected && (link === "barred" || (board && (told || ended)))) document.getElementById("app").replaceChildren(root);
  if (link === "barred") return render(html`<p class="boot">${phrase("page.bench_barred")}</p>`, root);
  if (!board || !(told || ended)) return undefined;
  return render(setup ? html`<${First} />` : ended ? html`<${Ended} />` : html`<${Bench} />`, root);
}

/** What a camera brought in the step before, or else the board with what is known of it. */
function First() {
  const picture = setup.picture ? html`<img class="seen" src=${at(`/camera?${setup.picture}`)} alt=${phrase("page.setup_seen")} />` : html`<${Picture} />`;
  return html`<${Setup} setup=${setup} picture=${picture} say=${say} link=${link} />`;
}

async function read() {
  const { told: known } = await asked("/board");
  if (known) board = onScreen(known);
  else if (link === "up") setTimeout(read, AGAIN);
  draw();
}

light.addEventListener("change", draw);
const live = new Live(
  (message) => {
    if (message.type === "ended") {
      setup = undefined;
      ended = message;
      told = message.last;
    } else if (["bench", "setup"].includes(message.type)) {
      if (message.question !== told?.question) near = "";
      ended = undefined;
      setup = message.type === "setup" ? message : undefined;
      told = message;
      if (setup && board && setup.board !== board.name) return read();
    }
    draw();
  },
  (now) => {
    link = now;
    if (now === "up") read();
    draw();
  },
);
