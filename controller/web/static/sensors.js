/** A board's sensors, drawn over it. */
import { html, names } from "./html.js";
import { phrase } from "./words.js";

/** Small dots; the faulty ones show even when the layer is off. */
export function Sensors({ board, state, all }) {
  const bad = new Map(state.bad_sensors.map((sensor) => [sensor.id, sensor]));
  const active = new Set(state.active_sensors);
  const shown = board.sensors.filter((sensor) => all || bad.has(sensor.id));
  return html`<g class="sensors" aria-hidden="true">
    ${shown.map((sensor) => {
      const fault = bad.get(sensor.id);
      const on = active.has(sensor.id);
      return html`<g key=${sensor.id} class=${names("sensor", sensor.kind, on && "on", fault && "bad")}
          transform="translate(${sensor.x} ${sensor.y})" data-sensor=${sensor.id}>
        <title>${sensor.id}${fault ? `: ${fault.text}` : on ? `: ${phrase("page.active")}` : ""}</title>
        ${on && html`<circle class="halo" r="4" />`}
        <circle class="dot" r=${sensor.kind === "fall" ? 7.6 : 1.4} />
        ${fault && html`<path class="cross" d="M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8" />`}
      </g>`;
    })}
  </g>`;
}
