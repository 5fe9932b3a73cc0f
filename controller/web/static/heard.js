/** What who does not see the page hears of it: all that is ruled, then what is asked next, each sentence once and in order. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";

const KEPT = 12; // sentences that stay, for readers that come late

export class Heard extends Component {
  state = { lines: [] };
  n = 0;

  componentDidMount() {
    this.props.mounted(this);
  }

  say(sentences) {
    const fresh = sentences.map((text) => [this.n++, text]);
    if (fresh.length) this.setState(({ lines }) => ({ lines: [...lines, ...fresh].slice(-Math.max(KEPT, fresh.length)) }));
  }

  /** Nothing that was said stays on the page. */
  hush() {
    this.setState({ lines: [] });
  }

  render(_, { lines }) {
    return html`<div class="unseen" data-heard aria-live="polite">${lines.map(([n, text]) => html`<p key=${n}>${text}</p>`)}</div>`;
  }
}
