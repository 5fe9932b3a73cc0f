/** What the camera sees, as far as it is shown: a picture that is asked for again once it has come. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";

const [SOON, LATER] = [300, 3000]; // ms until the next picture; until the next try

export class View extends Component {
  state = { open: false, number: 0, left: "", onto: "" };

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  set = (name) => (event) => this.setState({ [name]: event.currentTarget.value });

  again = (after) => () => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setState(({ number }) => ({ number: number + 1 })), after);
  };

  carry = (event) => {
    event.preventDefault();
    const { left, onto } = this.state;
    this.props.app.send({ type: "hand", what: "carry", at: left.trim(), to: onto.trim() });
  };

  render({ byHand }, { open, number, left, onto }) {
    return html`<details class="card view" open=${open} onToggle=${(event) => this.setState({ open: event.currentTarget.open })}>
      <summary>What the camera sees</summary>
      ${open && html`<img src="camera?${number}" alt="The board from the camera" onLoad=${this.again(SOON)} onError=${this.again(LATER)} />`}
      ${open && byHand && html`<form class="row" onSubmit=${this.carry}>
        <input value=${left} onInput=${this.set("left")} maxlength="8" placeholder="from" aria-label="From this cell" />
        <input value=${onto} onInput=${this.set("onto")} maxlength="8" placeholder="to" aria-label="To this cell" />
        <button disabled=${!left.trim() || !onto.trim()}>Move it by hand</button>
      </form>
      <p class="hint">The hand asks no rules: try a move that is none.</p>`}
    </details>`;
  }
}
