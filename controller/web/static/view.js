/** What the camera sees, as far as it is shown: a picture that is asked for again once it has come. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";

const [SOON, LATER] = [300, 3000]; // ms until the next picture; until the next try

export class View extends Component {
  state = { open: false, number: 0 };

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  again = (after) => () => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setState(({ number }) => ({ number: number + 1 })), after);
  };

  render(_, { open, number }) {
    return html`<details class="card view" open=${open} onToggle=${(event) => this.setState({ open: event.currentTarget.open })}>
      <summary>What the camera sees</summary>
      ${open && html`<img src="/camera?${number}" alt="The board from the camera" onLoad=${this.again(SOON)} onError=${this.again(LATER)} />`}
    </details>`;
  }
}
