/** A board that can be looked at from near: its cells are as large as a finger then, and it is moved under it. */
import { html, names } from "./html.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const FINGER = 44; // px
const LARGER = 1.6; // at least so many times as large
const CELL = 50; // from cell to cell, in the board's own units

export class Near extends Component {
  pane = createRef();
  state = { by: 1 };

  /** Larger, around the middle of what is seen; or whole again. */
  toggle = () => {
    const { clientWidth, firstElementChild } = this.pane.current;
    const board = this.pane.current.querySelector("svg.board") ?? firstElementChild;
    const cell = CELL * board.getScreenCTM().a;
    const needed = (FINGER / cell) * (board.getBoundingClientRect().width / clientWidth);
    this.setState(({ by }) => ({ by: by > 1 ? 1 : Math.max(LARGER, needed) }), this.middle);
  };

  middle = () => {
    const pane = this.pane.current;
    pane.scrollTo((pane.scrollWidth - pane.clientWidth) / 2, (pane.scrollHeight - pane.clientHeight) / 2);
  };

  render({ children, beside, still }, { by }) {
    return html`<div class=${names("pane", by > 1 && "near", still && "still")} ref=${this.pane} inert=${still} style=${`--near: ${Math.round(100 * by)}%`}>${children}</div>
      <div class="under">${beside}
        <button class="larger" aria-pressed=${by > 1} onClick=${this.toggle}>${by > 1 ? phrase("page.whole_board") : phrase("page.nearer")}</button></div>`;
  }
}
