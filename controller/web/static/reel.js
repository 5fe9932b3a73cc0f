/**
 * The moments of a recording, any of them at once.
 *
 * A moment is kept as what differs from the one before (`differences.py`); every 32nd is put together once, soon after
 * the page has opened or when a later one is asked for, so that none is far from one that is whole.
 */
import { merged } from "./differences.js";

const EVERY = 32;
const SLICE = 8; // ms of putting together, between which the page does something else

/** The index of the last of `list` that is at most `wanted`, -1 for none; `of` gives what is compared. */
export function last(list, wanted, of) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(list[middle]) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Reel {
  constructor({ moments, told, signs }) {
    this.moments = moments; // [ms, the fact's number, what differs]
    this.told = told; // [moment, kind, text, rule, why]
    this.signs = signs; // [ms, sensor, level]
    this.whole = [merged({}, moments[0][2])];
  }

  /** Puts moments together until there is a whole one of this place. */
  reach(place) {
    for (let k = this.whole.length; k <= place; k++) {
      let state = this.whole[k - 1];
      for (let i = (k - 1) * EVERY + 1; i <= k * EVERY; i++) state = merged(state, this.moments[i][2]);
      this.whole.push(state);
    }
    return this.whole[place];
  }

  /** Puts all of them together, while nothing else is to be done. */
  finish() {
    const last = Math.floor((this.length - 1) / EVERY);
    for (const end = performance.now() + SLICE; this.whole.length <= last && performance.now() < end; ) this.reach(this.whole.length);
    if (this.whole.length <= last) setTimeout(() => this.finish());
  }

  get length() {
    return this.moments.length;
  }

  get end() {
    return this.at(this.length - 1);
  }

  /** When a moment was, ms. */
  at(i) {
    return this.moments[i][0];
  }

  /** The fact that brought a moment. */
  fact(i) {
    return this.moments[i][1];
  }

  /** What was shown then. */
  state(i) {
    const from = Math.floor(i / EVERY);
    let state = this.reach(from);
    for (let k = from * EVERY + 1; k <= i; k++) state = merged(state, this.moments[k][2]);
    return state;
  }

  /** Calls `each(i, state)` for a moment and those after it, until a time, ms. */
  until(i, ms, each) {
    for (let state = this.state(i); ; state = merged(state, this.moments[i][2])) {
      each(i, state);
      i += 1;
      if (i >= this.length || this.at(i) > ms) return;
    }
  }

  /** The moment that was shown at a time, ms. */
  during(ms) {
    return Math.max(0, last(this.moments, ms, ([at]) => at));
  }

  /** The moment that a fact left behind; -1 for a fact that is not in the recording. */
  after(n) {
    const inside = Number.isInteger(n) && n >= this.fact(0) && n <= this.fact(this.length - 1);
    return inside ? last(this.moments, n, ([, fact]) => fact) : -1;
  }

  /** What had been told last, by its place in `told`; -1 before anything was. */
  telling(i) {
    return last(this.told, i, ([moment]) => moment);
  }

  /** The next moment after `i` (`step` 1), or the last before it (-1), of which one of these kinds was told; -1 for none. */
  next(i, step, kinds) {
    const from = step > 0 ? this.telling(i) + 1 : this.telling(i - 1);
    for (let k = from; k >= 0 && k < this.told.length; k += step) if (kinds.includes(this.told[k][1])) return this.told[k][0];
    return -1;
  }
}
