/** An evening from left to right: where it is, and what was ruled, asked, corrected and taken back. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const WIDE = 1000;
const MARKS = { ruling: [16, 8], refused: [16, 8], question: [8, 16], corrected: [2, 22], back: [2, 22] }; // from the top, high

/** A time of the evening: 1:02:03 or 02:03. */
export function clock(ms) {
  const [hours, minutes, seconds] = [ms / 3600000, (ms / 60000) % 60, (ms / 1000) % 60].map((part) => Math.floor(part));
  const two = (part) => String(part).padStart(2, "0");
  return `${hours ? `${hours}:` : ""}${two(minutes)}:${two(seconds)}`;
}

export class Timeline extends Component {
  /** Where the evening is, written past the vDOM: it moves with every picture. */
  show(now) {
    if (!this.slider) return;
    this.slider.value = now;
    this.clock.textContent = clock(now);
  }

  componentDidMount() {
    this.show(this.props.now);
  }

  componentDidUpdate() {
    this.show(this.props.now);
  }

  /** The marks of each kind as one path: what falls together is drawn once. */
  marks() {
    const { told, end } = this.props.reel;
    this.paths ??= Object.entries(MARKS).map(([kind, [top, high]]) => {
      const places = new Set(told.filter((line) => line[1] === kind).map(([moment]) => Math.round((WIDE * this.props.reel.at(moment)) / Math.max(1, end))));
      return [kind, [...places].map((x) => `M${x} ${top}v${high}`).join("")];
    });
    return this.paths;
  }

  /** The pauses of the game, each from where it began to where it went on, as one path. */
  pauses() {
    const { told, end, length } = this.props.reel;
    const x = (moment) => Math.round((WIDE * this.props.reel.at(moment)) / Math.max(1, end));
    const ends = (k) => told.slice(k).find((line) => line[1] === "on")?.[0] ?? length - 1;
    this.paused ??= told.map(([moment, kind], k) => kind === "pause" && `M${x(moment)} 12H${Math.max(x(moment) + 1, x(ends(k)))}`).filter(Boolean).join("");
    return this.paused;
  }

  render({ reel, seek, now }) {
    const newest = reel.told[reel.telling(reel.during(now))];
    return html`<div class="timeline">
      <svg viewBox="0 0 ${WIDE} 24" preserveAspectRatio="none" aria-hidden="true">
        ${this.pauses() && html`<path class="pause" d=${this.pauses()} />`}
        ${this.marks().map(([kind, path]) => path && html`<path key=${kind} class=${kind} d=${path} />`)}
      </svg>
      <input type="range" min="0" max=${reel.end} step="any" aria-label=${phrase("page.where_evening")} ref=${(slider) => (this.slider = slider)}
        aria-valuetext=${`${clock(now)}${newest ? `: ${newest[2]}` : ""}`} onInput=${(event) => seek(Number(event.currentTarget.value))} />
      <p class="when"><span ref=${(text) => (this.clock = text)}></span><span>${clock(reel.end)}</span></p>
    </div>`;
  }
}
