/** What time a seat has left, where a clock was agreed on, and the pause. */
import { html, names } from "./html.js";
import { Card } from "./parts.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const TICK = 200; // ms
const SHORT = 30_000; // ms: so little is shown as little

/** Minutes and seconds of so many ms; a second that has begun counts. */
export function spelt(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class SeatClock extends Component {
  componentDidMount() {
    this.timer = setInterval(() => this.props.state.clock?.running === this.props.seat && this.forceUpdate(), TICK);
  }

  componentWillUnmount() {
    clearInterval(this.timer);
  }

  render({ seat, state: { clock, heard, passed = () => performance.now() - heard } }) {
    const runs = clock.running === seat;
    const left = clock.left[seat] - (runs ? passed() : 0);
    return html`<time class=${names("clock", runs && "runs", left <= SHORT && "short")} role="timer" aria-label=${phrase("page.time_left")}>${spelt(left)}</time>`;
  }
}

/** In place of what can be done, while the game has a pause. */
export const Pause = ({ app }) => html`<${Card} title=${phrase("page.in_pause")} kind="pause" back="[data-ruling=pause]">
  <p>${phrase("page.pause_means")}</p>
  <div class="row"><button class="main" onClick=${() => app.rule("go on")}>${phrase("page.go_on")}</button></div>
<//>`;
