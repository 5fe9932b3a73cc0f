/** Knee Deep in Hexes' part of the page: units of war, what lies on a field, the war zone's marker. */
import { html, names } from "../../static/html.js";
import { middle } from "../../static/pieces.js";

/** What lies on a field for the whole game. */
const GROUND = {
  Mtn: "M-15 10L-5 -9L1 2L5 -4L15 10z",
  Mat: "M-10 -3L0 -9L10 -3L10 7L0 12L-10 7z",
  Nrg: "M3 -13L-9 2L-1 2L-3 13L9 -3L1 -3z",
  HQ: "M-13 11L-13 -7L-8 -7L-8 -2L-3 -2L-3 -11L3 -11L3 -2L8 -2L8 -7L13 -7L13 11z",
};

/** The outline of a unit of war; a vehicle is round or long, a structure stands on a square. */
const UNITS = {
  ACV: "M-11 5L-11 -2L-4 -7L7 -7L12 0L12 5z",
  Tank: "M-13 7L-13 0L-6 0L-6 -6L4 -6L4 -4L14 -4L14 -1L5 -1L13 2L13 7z",
  Pal: "M-14 8L-14 -3L-8 -3L-8 -10L8 -10L8 -3L14 -3L14 8L8 8L8 4L-8 4L-8 8z",
  Ext: "M-11 10L-3 -12L3 -12L11 10L6 10L3 2L-3 2L-6 10z",
  Tur: "M-10 10L-6 -2L-6 -9L12 -9L12 -5L6 -5L6 -2L10 10z",
  Fac: "M-13 10L-13 -4L-5 1L-5 -4L3 1L3 -11L8 -11L8 1L13 1L13 10z",
};
const STANDING = ["Ext", "Tur", "Fac"]; // structures

/** A unit of war: its side by colour and by its base's shape, its kind by outline and letter. */
function Unit({ at, seat, text: name }) {
  const base = seat ? "M0 -17L14.7 -8.5L14.7 8.5L0 17L-14.7 8.5L-14.7 -8.5z" : "M-15 -15L15 -15L15 15L-15 15z";
  return html`<g class=${names("thing unit", `side-of-${seat + 1}`, STANDING.includes(name) && "standing-unit")}
      transform="translate(${at.x} ${at.y})" data-piece=${at.id}>
    <path class="base" d=${base} /><path class="shape" d=${UNITS[name]} /><text x="0" y="15">${name}</text>
  </g>`;
}

/** What a field brings. */
const Ground = ({ at, text }) => html`<g class=${`thing ground ${text}`} transform="translate(${at.x} ${at.y})" data-piece=${at.id}><path d=${GROUND[text]} /></g>`;

/** The marker that stands where the three cells of the war zone meet. */
function Marker({ board, state }) {
  const cells = state.marks.filter(([, meaning]) => meaning === "marker");
  if (!cells.length) return null;
  const at = middle(board, cells.map(([cell]) => cell));
  return html`<g class=${`marker side-of-${cells[0][2]}`} transform="translate(${at.x} ${at.y})" data-marker>
    <path d="M0 -15L4 -4L15 0L4 4L0 15L-4 4L-15 0L-4 -4z" /><circle r="4" /></g>`;
}

export const widgets = { things: { unit: Unit, ground: Ground }, layers: [Marker] };
