/** A tile seen from above: a hexagonal body with the channels a ball runs in. */
import { outline, through } from "../../static/hex.js";
import { html, names } from "../../static/html.js";
import { phrase } from "../../static/words.js";

const BODY = outline(46.6, 3.4);

/** The tile that a copy is of: "J" of "J~1", which is the second seat's. */
export const tileOf = (copy) => copy?.split("~")[0];

/** The tiles that are played with. */
export const tilesOf = (board) => board.own.tiles;

/** The tile that a copy is of, with its channels; undefined where there is none. */
export const found = (board, copy) => tilesOf(board).find((tile) => tile.id === tileOf(copy));

/** A tile's name. */
export const named = (board, copy) => found(board, copy)?.name ?? tileOf(copy);

/** A copy's name, with its owner where one is named: "J (Blue's)". */
export function copyName(copy, { seats }, board) {
  const [, owner] = copy.split("~");
  const tile = named(board, copy);
  return owner ? phrase("hextraction.page.owned", { tile, seat: seats[owner] }) : tile;
}

/** A tile and by how many sixths it is turned, one of several. */
export const turnedBy = (tile, ways) => `${ways}` === "0" ? phrase("hextraction.page.unturned", { tile })
  : phrase("hextraction.page.turned", { tile, ways: ways.join(phrase("hextraction.page.or")) });

/** The slot edge where a tile's printed `edge` lies after `rotation` steps clockwise. */
export const turned = (edge, rotation) => ((edge - 1 + rotation) % 6) + 1;

// How far from the centre a channel's handles lie, by how many edges apart it leaves: arcs that
// meet both edges at a right angle, as they are milled in the real tiles.
const BEND = { 1: 0.556, 2: 0.38, 3: 0.3 };

/** The SVG path of a ball's way from edge `a` to edge `b`, or from `a` to the centre. */
export function channel(a, b = null, reach = 25) {
  const start = through(a, reach);
  if (b === null) return `M${start}L0 0`;
  const apart = Math.min((a - b + 6) % 6, (b - a + 6) % 6);
  const bend = BEND[apart] * reach;
  return `M${start}C${through(a, bend)} ${through(b, bend)} ${through(b, reach)}`;
}

/** Where a net's balls run, as SVG paths at this rotation. */
function ways(tile, net, rotation) {
  const at = (edge) => turned(edge, rotation);
  const routes = (tile.routes ?? []).filter(([a, b]) => net.includes(a) && net.includes(b));
  const told = new Set(routes.flat());
  const curves = routes.map(([a, b]) => channel(at(a), at(b)));
  // A port that no route names still opens into the net's space.
  const loose = net.filter((port) => !told.has(port));
  if (!routes.length && net.length === 2) return [channel(at(net[0]), at(net[1]))];
  return [...curves, ...loose.map((port) => channel(at(port)))];
}

/** `kind` is "ghost" for a tile that is not there yet. */
export function Tile({ tile, rotation = 0, kind = "" }) {
  return html`<g class=${names("tile", kind)}>
    <path class="tile-drop" d=${BODY} transform="translate(0 1.2)" />
    <path class="tile-body" d=${BODY} />
    <g clip-path="url(#tile-clip)">
      ${tile.nets.map((net) => {
        const paths = ways(tile, net, rotation);
        return html`<g>
          ${paths.map((d) => html`<path class="channel lip" d=${d} transform="translate(0 .7)" />`)}
          ${paths.map((d) => html`<path class="channel wall" d=${d} />`)}
          ${paths.map((d) => html`<path class="channel floor" d=${d} transform="translate(0 .5)" />`)}
          ${paths.map((d) => html`<path class="channel shine" d=${d} transform="translate(0 1.4)" />`)}
        </g>`;
      })}
    </g>
    <path class="tile-rim" d=${BODY} />
    <circle class="tile-mark" cx="-7.3" cy="-21.4" r="0.9" transform="rotate(${rotation * 60})" />
  </g>`;
}

/** A tile alone, as a picture. */
export function TilePicture({ tile, rotation }) {
  return html`<svg class="picture" viewBox="-28 -25 56 51" aria-hidden="true">
    <${Tile} tile=${tile} rotation=${rotation} />
  </svg>`;
}

/** What all the pictures share: gradients and the hexagon that cuts off the channels' ends. */
export function Definitions() {
  return html`<svg class="definitions" aria-hidden="true" width="0" height="0">
    <defs>
      <clipPath id="tile-clip"><path d=${BODY} /></clipPath>
      <linearGradient id="tile-face" x1="0" y1="0" x2="0.25" y2="1">
        <stop class="face-high" offset="0" /><stop class="face-low" offset="1" />
      </linearGradient>
      <radialGradient id="well-face" cx="0.5" cy="0.42" r="0.62">
        <stop class="well-deep" offset="0.35" /><stop class="well-edge" offset="1" />
      </radialGradient>
      <radialGradient id="ball-shade">
        <stop offset="0.55" stop-color="#000" stop-opacity="0.5" /><stop offset="1" stop-color="#000" stop-opacity="0" />
      </radialGradient>
      <radialGradient id="steel" cx="0.36" cy="0.3" r="0.75">
        <stop offset="0" stop-color="#ffffff" /><stop offset="0.28" stop-color="#dfe4ea" />
        <stop offset="0.62" stop-color="#9aa4b1" /><stop offset="0.9" stop-color="#4d5664" />
        <stop offset="1" stop-color="#7d8795" />
      </radialGradient>
    </defs>
  </svg>`;
}
