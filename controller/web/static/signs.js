/** What sensors said around a moment, beside where that was taken to have rolled: raw edges as bars, what was believed filled. */
import { html } from "./html.js";
import { Card } from "./parts.js";
import { last } from "./reel.js";
import { decimal, phrase } from "./words.js";

const [BACK, AHEAD] = [6000, 2000]; // ms
const ROWS = 14;
const [LEFT, WIDTH, HIGH] = [96, 264, 17];

/** Spans [from, to, what] of what holds in a window: `changes` are [ms, what], the first one from before it. */
function spans(changes, begin, end) {
  return changes.map(([at, what], k) => [Math.max(begin, at), Math.min(end, changes[k + 1]?.[0] ?? end), what]).filter(([from, to]) => to > from);
}

/** The raw levels of each sensor that changed in the window. */
function levels(reel, begin, end) {
  const rows = new Map();
  for (let k = last(reel.signs, begin, ([at]) => at) + 1; k < reel.signs.length && reel.signs[k][0] <= end; k++) {
    const [at, sensor, level] = reel.signs[k];
    if (!rows.has(sensor)) rows.set(sensor, [[begin, 1 - level]]);
    rows.get(sensor).push([at, level]);
  }
  return rows;
}

/** What was believed in the window: of each sensor whether it was active, of what rolls where it was. */
function beliefs(reel, begin, end) {
  const [active, rolling] = [new Map(), new Map()];
  const note = (rows, name, at, what) => {
    if (!rows.has(name)) rows.set(name, []);
    if (rows.get(name).at(-1)?.[1] !== what) rows.get(name).push([at, what]);
  };
  reel.until(reel.during(begin), end, (i, { active_sensors, tracks }) => {
    const at = Math.max(begin, reel.at(i));
    for (const sensor of new Set([...active.keys(), ...Object.keys(active_sensors)])) note(active, sensor, at, sensor in active_sensors ? 1 : 0);
    for (const name of new Set([...rolling.keys(), ...Object.keys(tracks)])) note(rolling, name, at, tracks[name] ?? "");
  });
  return { active, rolling };
}

export function Signs({ reel, i }) {
  const now = reel.at(i);
  const [begin, end] = [now - BACK, now + AHEAD];
  const raw = levels(reel, begin, end);
  const { active, rolling } = beliefs(reel, begin, end);
  const sensors = [...raw].slice(-ROWS);
  const moved = [...rolling].filter(([, places]) => places.length > 1 || sensors.length);
  const x = (at) => LEFT + (WIDTH * (at - begin)) / (BACK + AHEAD);
  const told = sensors.map(([sensor, changes]) => `${sensor} ${changes.slice(1).map(([at, level]) => `${level ? phrase("page.up") : phrase("page.off")} ${decimal((at - now) / 1000, 2)} s`).join(", ")}`).join("; ");
  const high = HIGH * (sensors.length + moved.length) + 14;
  return html`<${Card} title=${phrase("page.sensors")} kind="signs">
    ${!sensors.length && html`<p class="hint">${phrase("page.no_signs")}</p>`}
    ${sensors.length > 0 && html`<svg viewBox="0 0 ${LEFT + WIDTH} ${high}" role="img" aria-label=${phrase("page.around", { what: told })}>
      ${sensors.map(([sensor, changes], row) => html`<g key=${sensor} transform="translate(0 ${row * HIGH})">
        <text x=${LEFT - 6} y="12" class="who">${sensor}</text>
        <line class="low" x1=${LEFT} x2=${LEFT + WIDTH} y1="14.5" y2="14.5" />
        ${spans(active.get(sensor) ?? [], begin, end).map(([from, to, on]) => on === 1 && html`<rect class="believed" x=${x(from)} width=${x(to) - x(from)} y="2" height="12" />`)}
        ${spans(changes, begin, end).map(([from, to, level]) => level === 1 && html`<rect class="raw" x=${x(from)} width=${Math.max(1.6, x(to) - x(from))} y="8" height="6" />`)}</g>`)}
      ${moved.map(([name, places], row) => html`<g key=${name} transform="translate(0 ${(sensors.length + row) * HIGH})">
        <text x=${LEFT - 6} y="12" class="who">${name}</text>
        ${spans(places, begin, end).map(([from, to, place]) => html`<rect class="track" x=${x(from)} width=${Math.max(0.5, x(to) - x(from) - 0.5)} y="2" height="12" rx="2" />
          ${x(to) - x(from) > 5 * place.length && html`<text class="place" x=${(x(from) + x(to)) / 2} y="11.5">${place}</text>`}`)}</g>`)}
      <line class="now" x1=${x(now)} x2=${x(now)} y1="0" y2=${high - 12} />
      ${[-6, -4, -2, 0, 1].map((second) => html`<text class="second" x=${x(now + 1000 * second)} y=${high - 2}>${second ? `${second > 0 ? "+" : "−"}${Math.abs(second)} s` : phrase("page.now")}</text>`)}
    </svg>
    <p class="hint">${phrase("page.signs_mean")}</p>`}
  <//>`;
}
