/** What the camera sees, as far as it is shown: a picture that is asked for again once it has come. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

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
      <summary>${phrase("page.camera_view")}</summary>
      ${open && html`<img src="camera?${number}" alt=${phrase("page.camera_picture")} onLoad=${this.again(SOON)} onError=${this.again(LATER)} />`}
      ${open && byHand && html`<form class="row" onSubmit=${this.carry}>
        <input value=${left} onInput=${this.set("left")} maxlength="8" placeholder=${phrase("page.from")} aria-label=${phrase("page.from_cell")} />
        <input value=${onto} onInput=${this.set("onto")} maxlength="8" placeholder=${phrase("page.to")} aria-label=${phrase("page.to_cell")} />
        <button disabled=${!left.trim() || !onto.trim()}>${phrase("page.move_by_hand")}</button>
      </form>
      <p class="hint">${phrase("page.hand_asks_no")}</p>`}
    </details>`;
  }
}
