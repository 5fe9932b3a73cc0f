/** "The board is wrong": a person's word that replaces what the referee thinks. */
import { html } from "./html.js";
import { Card, Sure } from "./parts.js";
import { Component } from "./vendor/preact.mjs";

const PLAIN = [
  ["right", "It is right", "The board shows the position as it lies."],
  ["undo", "Take back the last ruling", "Goes back to before it."],
];
const ON = ["play on", "Play on", "Goes on with what the board shows."];

export class Wrong extends Component {
  state = { why: "" };

  rule = (ruling) => {
    const { why } = this.state;
    this.props.app.send({ type: "ruling", do: ruling, ...(why && { why }) });
    this.props.close();
  };

  render({ board, state: table, app, close }, { why }) {
    const { Change, says } = app.widgets;
    return html`<${Card} title="The board is wrong" kind="wrong" close=${close}>
      <p class="hint">The people are right. What you say here replaces the position.</p>
      <label class="field">Why, if you like
        <input value=${why} maxlength="200" onInput=${(event) => this.setState({ why: event.currentTarget.value })} placeholder=${says.slip} /></label>
      <div class="choices">
        ${[...PLAIN, ...says.rulings, ON].map(([ruling, text, title]) => html`<button title=${title} data-ruling=${ruling}
          onClick=${() => this.rule(ruling)}>${text}</button>`)}
      </div>
      <${Change} board=${board} state=${table} app=${app} rule=${this.rule} />
      ${app.state.you.host && html`<div class="row last">
        <${Sure} act=${() => { app.send({ type: "new" }); close(); }} really="Really start anew?">New game<//>
      </div>`}
    <//>`;
  }
}

/** The position as text, to be written anew. */
export class Position extends Component {
  render({ state: table, rule }, { position = table.position }) {
    return html`<fieldset><legend>Set the position</legend>
      <textarea rows="3" aria-label="The position as text" value=${position} onInput=${(event) => this.setState({ position: event.currentTarget.value })}></textarea>
      <button disabled=${position === table.position} onClick=${() => rule(`position ${position.trim()}`)}>Set it</button>
    </fieldset>`;
  }
}
