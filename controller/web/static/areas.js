/** What a game draws on the ground of a board of pieces: areas with their names, and sides that have to be reached. */
import { html } from "./html.js";

/** The two corners of a cell's edge, 1 the first. */
export const edgeOf = ({ corners }, edge) => [corners[(edge + 4) % 6], corners[edge - 1]];

const spot = ([[ax, ay], [bx, by]]) => `${Math.round(ax + bx)},${Math.round(ay + by)}`;

/** The edges at which an area ends, as one path. `of` says of which area a cell is. */
export function borders(cells, of) {
  const behind = new Map(); // both cells of an edge, by where its middle is
  for (const cell of cells) for (let edge = 1; edge <= 6; edge++) {
    const ends = edgeOf(cell, edge);
    const key = spot(ends);
    behind.set(key, [...(behind.get(key) ?? [ends]), of[cell.id]]);
  }
  const ends = [...behind.values()].filter(([, one, other]) => one !== other);
  return ends.map(([[from, to]]) => `M${from.map((x) => x.toFixed(1))}L${to.map((x) => x.toFixed(1))}`).join("");
}

/** The middle of each area, where its name stands. */
export function middles(cells, of) {
  const areas = new Map();
  for (const cell of cells) if (of[cell.id]) areas.set(of[cell.id], [...(areas.get(of[cell.id]) ?? []), cell]);
  const mean = (list, key) => list.reduce((sum, cell) => sum + cell[key], 0) / list.length;
  return [...areas].map(([name, list]) => ({ name, x: mean(list, "x"), y: mean(list, "y") }));
}

/** Drawn once a board, over the ground and under the lights. */
export const Areas = ({ board: { cells, own } }) => html`<g class="areas" aria-hidden="true">
  ${own.areas && html`<path d=${borders(cells, own.areas)} />`}
  ${own.areas && middles(cells, own.areas).map(({ name, x, y }) => html`<text key=${name} x=${x} y=${y - 13}>${name}</text>`)}
</g>`;
