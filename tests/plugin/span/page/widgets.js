/** Span's part of the page: a line from disc to disc, so that chains are seen. */
import { html } from "../../static/html.js";

const NEAR = 60; // a page draws 50 from the middle of a cell to the next one's

function Chains({ board, state }) {
  const discs = state.pieces.map(([cell, , seat]) => ({ ...board.cell[cell], seat }));
  const linked = (a, b) => a.seat === b.seat && Math.hypot(a.x - b.x, a.y - b.y) < NEAR;
  const links = discs.flatMap((a, i) => discs.slice(i + 1).filter((b) => linked(a, b)).map((b) => [a, b]));
  return html`<g class="chains">${links.map(([a, b]) => html`
    <line class="chain-${a.seat}" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} />`)}</g>`;
}

export const widgets = { under: [Chains] };
