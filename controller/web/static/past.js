/** The moves of the match from its first one, each in its game's notation, and the board after any of them, while the game goes on. */
import { covered } from "./curtain.js";
import { asked } from "./home.js";
import { html, names } from "./html.js";
import { Card, hue, Kept } from "./parts.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const START = -1; // the entry before the first: the board as the match began

/** What a board shows of a state, with nothing that can be done and no hidden card. */
const still = (table) => ({ ...covered(table), log: [], words: {}, withheld: [], acts: [], touches: [], todo: [], resume: null, question: null });

export class Past {
  moves = []; // [entry, seat, text], the oldest first
  counts = new Map(); // how many moves are played after an entry
  boards = new Map(); // the state after an entry, once somebody wanted to see it
  at = -1; // so many moves are played on the board that is shown; -1 for now

  /** `changed()` is called when another moment is to be shown, or there are other moves. */
  constructor(changed) {
    this.changed = changed;
  }

  /** A state has the last moves; the rest is asked for where this page does not have it. */
  seen({ match, line: { n, last } }) {
    if (this.match !== match) Object.assign(this, { match, moves: [], counts: new Map(), at: -1, boards: new Map() });
    const from = n - last.length;
    if (from > 0 && this.moves[from]?.[0] !== last[0][0]) return this.ask();
    if (n === this.moves.length && last.every((move, k) => move.join() === this.moves[from + k].join())) return;
    this.keep([...this.moves.slice(0, from), ...last], from);
  }

  /** These are the moves; what was known of boards after `from` of them may have been another game. */
  keep(moves, from) {
    const gone = new Set(moves.slice(from).map(([entry]) => entry));
    for (const entry of gone) this.boards.delete(entry);
    this.moves = moves;
    this.counts = new Map(moves.map(([entry], k) => [entry, k + 1]));
    if (this.at >= moves.length) this.at = -1;
  }

  async ask() {
    const { match } = this;
    const { told: moves } = await asked("/moves");
    if (match !== this.match || !moves?.length) return;
    this.keep(moves, 0);
    this.changed();
  }

  /** The state to show, and after how many moves it was; null for now. */
  get shown() {
    const board = this.at < 0 ? null : this.boards.get(this.entry(this.at));
    return board ? [this.at, board] : null;
  }

  entry(count) {
    return count ? this.moves[count - 1][0] : START;
  }

  /** How many moves are played once an entry is; -1 where it does not count. */
  after(entry) {
    return this.counts.get(entry) ?? -1;
  }

  /** A move before or later; what nobody would list is passed over. */
  step(by) {
    const { moves } = this;
    let count = (this.at < 0 ? moves.length : this.at) + by;
    while (count > 0 && count < moves.length && !moves[count - 1][2]) count += by;
    return this.to(count);
  }

  now = () => this.to(this.moves.length);

  /** Shows the board after so many moves. */
  async to(count) {
    if (count < 0) return;
    this.at = count < this.moves.length ? count : -1;
    if (this.at >= 0) await this.fetch(this.entry(count));
    this.changed();
  }

  async fetch(entry) {
    if (this.boards.has(entry)) return;
    const { match } = this;
    const { told } = await asked(`/moves/${entry}`);
    if (match !== this.match) return; // of another one, maybe
    if (told) this.boards.set(entry, still(told));
    else this.at = -1;
  }
}

/** Steps back and on again, under the board. */
export function Steps({ past }) {
  const { shown, moves } = past;
  return html`<div class="steps-back" role="group" aria-label=${phrase("page.history")}>
    <button aria-label=${phrase("page.step_back")} disabled=${(shown ? past.at : moves.length) <= 0} onClick=${() => past.step(-1)}>◀</button>
    <button aria-label=${phrase("page.step_on")} disabled=${!shown} onClick=${() => past.step(1)}>▶</button>
    ${shown && html`<button class="main" onClick=${past.now}>${phrase("page.to_now")}</button>`}
  </div>`;
}

/** Moves that follow one another by one seat, `[seat, count of moves before, moves]`; chance belongs to who had it decide. */
function turns(moves) {
  const found = [];
  moves.forEach((move, k) => {
    if (!move[2]) return;
    const last = found.at(-1);
    if (last && (move[1] === last[0] || move[1] < 0)) last[2].push([k + 1, move[2]]);
    else found.push([move[1], k + 1, [[k + 1, move[2]]]]);
  });
  return found;
}

/** The list of moves, by turns: one that is touched shows the board after it. */
export class MoveList extends Component {
  kept = new Kept();
  list = createRef();

  componentDidUpdate() {
    this.follow();
  }

  /** Keeps the move that is shown, or the newest, in sight, and the page where it is; a list that is out of sight waits. */
  follow = () => {
    const { past } = this.props;
    const list = this.list.current;
    const sign = `${past.at} ${past.moves.length}`;
    if (!list || sign === this.sign || list.lastChild.checkVisibility?.({ contentVisibilityAuto: true }) === false) return;
    this.sign = sign;
    const shown = list.querySelector(".shown");
    list.scrollTop = shown ? shown.offsetTop - list.clientHeight / 2 : list.scrollHeight;
  };

  key = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.props.past.step(by);
  };

  render({ past, seats }) {
    const all = turns(past.moves);
    if (!all.length) return null;
    return html`<${Card} title=${phrase("page.move_list")} kind="moves-list">
      <ol ref=${this.list} tabindex="0" aria-label=${phrase("page.move_keys")} onKeyDown=${this.key} onContentVisibilityAutoStateChange=${this.follow}>${all.map(([seat, first, moves], n) => {
        const then = moves.some(([count]) => count === past.at) ? past.at : "";
        return this.kept.of(n, `${seat} ${first} ${then} ${seats[seat]} ${moves.join()}`, () => html`<li key=${n} class=${names(seat >= 0 && hue(seat))}>
          <span class="number">${n + 1}.</span> ${seat >= 0 && html`<b class="seat-name">${seats[seat]}</b>`}
          ${moves.map(([count, text]) => html` <button tabindex="-1" class=${count === then ? "shown" : ""} aria-pressed=${count === then} onClick=${() => past.to(count)}>${text}</button>`)}</li>`);
      })}</ol>
    <//>`;
  }
}
