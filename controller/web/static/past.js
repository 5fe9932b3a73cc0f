/** The board as it was after each ruling since this page was opened: stepped through while the game goes on. */
import { covered } from "./curtain.js";
import { html } from "./html.js";
import { phrase } from "./words.js";

const KEPT = 500;

const newest = ({ log }) => log.find(({ device }) => !device)?.n ?? 0;

/** What a board shows of a state, with nothing that can be done and no hidden card. */
const still = (table) => ({ ...covered(table), log: [], words: {}, withheld: [], acts: [], touches: [], todo: [], resume: null, question: null });

export class Past {
  states = []; // [ruling, state], the oldest first
  at = -1; // which of them is shown; -1 for what is so now

  /** `changed()` is called when another moment is to be shown. */
  constructor(changed) {
    this.changed = changed;
  }

  seen(table) {
    if (this.match !== table.match) Object.assign(this, { match: table.match, states: [], at: -1 });
    const n = newest(table);
    if (table.private && !table.pieces) return; // what hands hold is in all that such a game shows
    if (table.touches?.length && this.states.length) return; // half a move is no moment of the game
    if (this.states.at(-1)?.[0] === n) this.states.pop();
    this.states.push([n, still(table)]);
    if (this.states.length <= KEPT) return;
    this.states.shift();
    if (this.at >= 0) this.at = Math.max(0, this.at - 1);
  }

  /** The state to show, and after which ruling it was; null for now. */
  get shown() {
    return this.states[this.at] ?? null;
  }

  /** Shows the board after a ruling; false where this page has not seen it. */
  go = (n) => this.to(this.states.findIndex(([each]) => each >= n));

  step = (by) => this.to((this.at < 0 ? this.states.length - 1 : this.at) + by);

  now = () => this.to(this.states.length);

  to(index) {
    if (index < 0) return;
    this.at = index >= this.states.length - 1 ? -1 : index;
    this.changed();
  }

  knows(n) {
    return this.states.length > 1 && n >= this.states[0][0];
  }
}

/** Steps back and on again, under the board. */
export function Steps({ past }) {
  const { shown, states } = past;
  return html`<div class="steps-back" role="group" aria-label=${phrase("page.history")}>
    <button aria-label=${phrase("page.step_back")} disabled=${(shown ? past.at : states.length - 1) <= 0} onClick=${() => past.step(-1)}>◀</button>
    <button aria-label=${phrase("page.step_on")} disabled=${!shown} onClick=${() => past.step(1)}>▶</button>
    ${shown && html`<button class="main" onClick=${past.now}>${phrase("page.to_now")}</button>`}
  </div>`;
}
