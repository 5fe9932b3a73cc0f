/** What the board's lights mean in this game, and how bright they are. */
import { html } from "./html.js";
import { Card } from "./parts.js";
import { phrase } from "./words.js";

const LEVELS = [[phrase("page.night"), 5], [phrase("page.evening"), 30], [phrase("page.day"), 100]]; // per cent
const HEX = "M13 0 6.5 11.3h-13L-13 0l6.5-11.3h13z";
const CALM_BLINK = "M0 0 13 0 6.5 11.3zM0 0-6.5 11.3-13 0zM0 0-6.5-11.3 6.5-11.3z"; // every other light of a ring

/** When a light shows its second colour: SVG's key times and values, seconds; null for a steady one. */
function rhythm({ rhythm, a, b, flashes }) {
  if (rhythm === "blink") return { values: [a, b], keyTimes: [0, 0.5], seconds: 1, calcMode: "discrete" };
  if (rhythm === "pulse") return { values: [a, b, a], keyTimes: [0, 0.5, 1], seconds: 2, calcMode: "linear" };
  if (rhythm !== "count") return null;
  const seconds = flashes / 2 + 1;
  const halves = Array.from({ length: 2 * flashes + 1 }, (_, i) => i);
  const keyTimes = halves.map((i) => (i / 4 / seconds).toFixed(4));
  return { values: halves.map((i) => (i % 2 ? b : a)).map((colour, i) => (i === 2 * flashes ? b : colour)), keyTimes, seconds, calcMode: "discrete" };
}

function Swatch({ light, calm }) {
  const moving = !calm && rhythm(light);
  return html`<svg class="swatch" viewBox="-14 -12 28 24" aria-hidden="true">
    <path d=${HEX} fill=${calm ? light.calm.a : light.a}>
      ${moving && html`<animate attributeName="fill" dur=${`${moving.seconds}s`} repeatCount="indefinite"
        calcMode=${moving.calcMode} values=${moving.values.join(";")} keyTimes=${moving.keyTimes.join(";")} />`}
    </path>
    ${calm && light.calm.b !== light.calm.a && html`<path d=${CALM_BLINK} fill=${light.calm.b} />`}
  </svg>`;
}

/** `still`: this page shows nothing that moves. Only the `host` sets how bright the board is. */
export function Legend({ legend, lights, host, still, app, close }) {
  const set = (change) => app.send({ type: "lights", brightness: lights.brightness, calm: lights.calm, ...change });
  return html`<${Card} title=${phrase("page.lights")} kind="legend" close=${close}>
    ${host && html`<label class="row"><span>${phrase("page.brightness")}</span>
      <input class="grow" type="range" min="0" max="100" value=${lights.brightness} onChange=${(event) => set({ brightness: Number(event.target.value) })} />
      <output>${lights.brightness} %</output></label>
    <div class="row">
      ${LEVELS.map(([name, level]) => html`<button key=${name} class="grow" aria-pressed=${lights.brightness === level}
        onClick=${() => set({ brightness: level })}>${name}</button>`)}
    </div>
    <button class="switch" role="switch" aria-checked=${lights.calm} onClick=${() => set({ calm: !lights.calm })}><i></i>${phrase("page.nothing_blinks")}</button>
    <p class="hint">${phrase("page.brightness_holds")}</p>`}
    <ul>
      ${legend.map((light) => html`<li key=${light.name}><${Swatch} light=${light} calm=${lights.calm || still} />
        <span>${light.text} <span class="hint">${lights.calm || still ? light.calm.look : light.look}</span></span></li>`)}
    </ul>
    <p class="hint">${phrase("page.upper_seen")}</p>
  <//>`;
}
