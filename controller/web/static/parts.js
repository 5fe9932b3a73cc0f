/** What cards beside the board are made of. */
import { html, names } from "./html.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

/** The name of a seat's colour in the style sheet. */
export const hue = (seat) => `seat-${seat % 6}`;

/** Who has won: the one seat with the most points, where it has any; -1 for nobody. */
function winner({ scores }) {
  const best = Math.max(0, ...(scores ?? []));
  return best > 0 && scores.indexOf(best) === scores.lastIndexOf(best) ? scores.indexOf(best) : -1;
}

/** The seat that a page looks at: who has the turn, and in the end who has won; -1 for nobody. */
export const foremost = (state) => (state.phase === "over" ? winner(state) : state.active);

/** The cell that the name of an action or choice ends with: "destroy C3", "rest C3". */
export function cellOf(name, board) {
  const last = name.split(" ").pop();
  return board.cell[last] ? last : null;
}

/** What Enter and Space do on something that is not a real button. */
export const onEnter = (act) => (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
};

const TWICE = { ms: 350, px: 40 }; // a second tap of the same finger
let before = null; // the last tap, wherever it was
let twice = false;
document.addEventListener("click", (event) => {
  twice = before !== null && event.timeStamp - before.timeStamp < TWICE.ms && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < TWICE.px;
  before = event;
}, true);

/** What a button decides: not by the second tap of two, which may meet what has only just come into another's place. */
export const once = (act) => () => {
  if (!twice) act();
};

/** What was made for each key, for as long as `is` says that it is the same: Preact passes over what it knows already. Most
 * of a board's cells, and of the log's lines, are what they were. */
export class Kept {
  made = new Map();

  of(key, is, make) {
    const was = this.made.get(key);
    if (was?.is === is) return was.node;
    const node = make();
    this.made.set(key, { is, node });
    return node;
  }
}

/** What a slow phone draws a frame after the rest of a new state (`of`): its children, a function. One in another comes a frame
 * after that. What changes on the page itself is drawn at once. */
export class NextFrame extends Component {
  drawn = this.props.of;

  shouldComponentUpdate({ of }) {
    if (of === this.drawn) return true;
    this.frame ??= requestAnimationFrame(() => (this.soon = setTimeout(this.follow)));
    return false;
  }

  componentWillUnmount() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.soon);
  }

  follow = () => {
    this.frame = undefined;
    this.drawn = this.props.of;
    this.forceUpdate();
  };

  render({ children }) {
    return children();
  }
}

/** A card with a heading and, where it can be put away, a cross; when it is gone, the keyboard goes `back` to what this selects. */
export function Card({ title, kind, close, back, children }) {
  return html`<section class=${names("card", kind)} aria-label=${title} data-back=${back}>
    <header><h2>${title}</h2>
      ${close && html`<button class="icon" aria-label=${phrase("page.close")} onClick=${close}>✕</button>`}
    </header>
    ${children}
  </section>`;
}

/** A button that asks once more before it does something that cannot be taken back. */
export class Sure extends Component {
  press = ({ currentTarget }) => {
    if (this.state.asked) return this.sure();
    this.high = currentTarget.getBoundingClientRect().height; // px: what stands below stays where it is
    this.ask(true);
  };

  sure = once(() => {
    this.props.act();
    this.ask(false);
  });

  ask(asked) {
    clearTimeout(this.timer);
    this.setState({ asked });
    if (asked) this.timer = setTimeout(() => this.ask(false), 8000);
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  render({ children, really, name }, { asked }) {
    return html`<button data-action=${name} class=${asked ? "danger" : ""} style=${asked ? `min-height: ${this.high}px` : ""} onClick=${this.press}>${asked ? really : children}</button>`;
  }
}
