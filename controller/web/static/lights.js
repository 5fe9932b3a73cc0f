/**
 * The board's pixels as people see them: light that leaks out of the seam around each cell.
 *
 * Frames come many a second, so this writes attributes itself and the vDOM never sees them.
 */
import { through } from "./hex.js";

const SEAM = 23.9; // mm from the cell's centre to where the light comes out
const HUE_STEP = 15; // of 255: finer than an eye tells two lights apart
const REDRAW = 100; // ms from one drawing to the next, at least: each draws the whole board, and no flash is as short (docs/lights.md)
const HOLD = 1600; // ms: longer than any blink, so that in calm mode a blinking light stays lit

const SVG = "http://www.w3.org/2000/svg";

/** A new SVG element in `parent`. */
export function draw(parent, tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return parent.appendChild(node);
}

export class Lights {
  constructor(group, board) {
    this.calm = false;
    this.held = new Map();
    this.glows = new Set();
    this.painted = -REDRAW;
    this.group = group;
    this.pixels = board.pixels.map((pixel, i) => this.pixel(group, board, pixel, i));
  }

  pixel(group, board, pixel, i) {
    const cell = nearest(board.cells, pixel);
    const middle = Math.hypot(pixel.x - cell.x, pixel.y - cell.y) < 1;
    const angle = Math.atan2(pixel.x - cell.x, cell.y - pixel.y);
    const edge = ((Math.round((angle * 3) / Math.PI) + 6) % 6) + 1;
    const [dx, dy] = through(edge, SEAM);
    const place = middle
      ? `translate(${cell.x} ${cell.y}) scale(1.7)`
      : `translate(${cell.x + dx} ${cell.y + dy}) rotate(${(edge - 1) * 60})`;
    if (!middle) draw(group, "rect", { class: "lens", x: -5, y: -0.7, width: 10, height: 1.4, rx: 0.7, transform: place });
    const light = draw(group, "g", { opacity: 0, transform: place, "data-pixel": i });
    const halo = draw(light, "ellipse", { rx: 15, ry: 12 });
    const core = middle ? draw(light, "circle", { r: 2.2 }) : draw(light, "rect", { x: -5.5, y: -1, width: 11, height: 2, rx: 1 });
    return { light, halo, core, was: "", hue: "" };
  }

  /** The name of the gradient of a halo in a hue. Boards show few hues; lights that have the same share it. */
  glow(hue) {
    const name = `glow-${hue.map((part) => part.toString(16)).join("-")}`;
    if (this.glows.has(name)) return name;
    this.glows.add(name);
    const glow = draw(this.group, "radialGradient", { id: name });
    for (const [offset, opacity] of [[0, 0.95], [0.22, 0.6], [0.55, 0.2], [1, 0]]) {
      draw(glow, "stop", { offset, "stop-color": `rgb(${hue})`, "stop-opacity": opacity });
    }
    return name;
  }

  /** Shows one frame: base64 of three bytes a pixel, in wire order. */
  show(rgb) {
    this.frame = Uint8Array.from(atob(rgb), (letter) => letter.charCodeAt(0));
    const wait = this.painted + REDRAW - performance.now();
    if (wait <= 0) return this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.paint(), wait);
  }

  paint() {
    clearTimeout(this.timer);
    if (!this.frame) return;
    const now = this.painted = performance.now();
    this.pixels.forEach((pixel, i) => {
      let colour = this.frame.subarray(3 * i, 3 * i + 3);
      if (this.calm) colour = this.steady(i, colour, now);
      this.light(pixel, colour);
    });
    if (this.calm && this.held.size) this.timer = setTimeout(() => this.paint(), HOLD / 4);
  }

  light(pixel, [r, g, b]) {
    const key = `${r},${g},${b}`;
    if (pixel.was === key) return;
    pixel.was = key;
    const top = Math.max(r, g, b);
    // The firmware's numbers are amounts of light; the eye, and this screen, see roughly their root.
    const seen = top ? Math.min(1, 0.25 + 0.95 * (top / 255) ** 0.5) : 0;
    pixel.light.setAttribute("opacity", seen.toFixed(2));
    if (top) this.tint(pixel, [r, g, b].map((part) => HUE_STEP * Math.round((255 * (part / top) ** 0.6) / HUE_STEP)));
  }

  /** A light that only breathes keeps its hue. */
  tint(pixel, hue) {
    const name = this.glow(hue);
    if (pixel.hue === name) return;
    pixel.hue = name;
    pixel.halo.setAttribute("fill", `url(#${name})`);
    pixel.core.setAttribute("fill", `rgb(${hue.map((part) => Math.round(part + (255 - part) * 0.5))})`);
  }

  /** The brightest colour this pixel has shown lately. */
  steady(i, colour, now) {
    const held = this.held.get(i);
    const brightest = (rgb) => Math.max(...rgb);
    if (held && brightest(held.colour) > brightest(colour) && now - held.at < HOLD) {
      return held.colour;
    }
    if (brightest(colour)) this.held.set(i, { colour: colour.slice(), at: now });
    else this.held.delete(i);
    return colour;
  }
}

function nearest(cells, { x, y }) {
  const far = (cell) => Math.hypot(cell.x - x, cell.y - y);
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best));
}
