/** A board as a picture of its own: an SVG that looks the same wherever it is opened. */

const WORN = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "filter",
  "font-family", "font-size", "font-weight", "letter-spacing", "mix-blend-mode", "paint-order", "text-anchor", "visibility", "display", "transform", "transform-origin",
];
const STOPS = ["stop-color", "stop-opacity"]; // of a gradient
const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12; // in the board's units

/** The text of a picture of the board in `stage`, as it is drawn now. */
export function pictureOf(stage) {
  const board = stage.querySelector("svg.board");
  const copy = board.cloneNode(true);
  wear(board, copy);
  const defs = stage.querySelector(".definitions")?.querySelectorAll("defs") ?? [];
  for (const each of [...defs].reverse()) {
    const own = each.cloneNode(true);
    wear(each, own);
    copy.prepend(own);
  }
  const [x, y, width, height] = board.getAttribute("viewBox").split(" ").map(Number);
  const box = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
  const ground = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x: box[0], y: box[1], width: box[2], height: box[3], fill: getComputedStyle(document.documentElement).backgroundColor })) ground.setAttribute(name, value);
  copy.prepend(ground);
  for (const [name, value] of Object.entries({ xmlns: SVG, viewBox: box.join(" "), width: 2 * box[2], height: 2 * box[3] })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

/** Gives a copy what style sheets give the original, and takes away what only a page needs. */
function wear(from, to) {
  const worn = getComputedStyle(from);
  const plain = from.parentElement && getComputedStyle(from.parentElement);
  const own = (from.tagName === "stop" ? STOPS : WORN).filter((name) => !inherited(name, worn, plain)).map((name) => `${name}:${worn.getPropertyValue(name)}`);
  to.setAttribute("style", own.join(";"));
  for (const name of ["class", "tabindex", "role"]) to.removeAttribute(name);
  [...from.children].forEach((child, n) => wear(child, to.children[n]));
}

const HANDED_DOWN = ["fill", "stroke", "stroke-width", "font-family", "font-size", "font-weight", "text-anchor", "letter-spacing", "paint-order", "visibility", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "fill-opacity", "stroke-opacity"];
const NONE = ["none", "normal", "auto", "inline", "0px 0px", "1"];

/** Whether a property needs not be said: an element has it of what it stands in, or it is nothing. */
function inherited(name, worn, above) {
  const value = worn.getPropertyValue(name);
  return HANDED_DOWN.includes(name) ? above?.getPropertyValue(name) === value : NONE.includes(value);
}

/** Gives somebody a file. */
export function give(name, blob) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { download: name, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
