/** "The board is wrong": a person's word that replaces what the referee thinks. */
import { html } from "./html.js";
import { Card, Sure } from "./parts.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const PLAIN = [
  ["right", phrase("page.it_is_right"), phrase("page.right_means")],
  ["undo", phrase("page.undo"), phrase("page.undo_means")],
];
const ON = ["play on", phrase("page.play_on"), phrase("page.play_on_means")];

export class Wrong extends Component {
  state = { why: "" };

  rule = (ruling) => {
    const { why } = this.state;
    this.props.app.send({ type: "ruling", do: ruling, ...(why && { why }) });
    this.props.close();
  };

  render({ board, state: table, app, close }, { why }) {
    const { Change, says } = app.widgets;
    return html`<${Card} title=${phrase("page.wrong_title")} kind="wrong" close=${close}>
      <p class="hint">${phrase("page.people_right")}</p>
      <label class="field">${phrase("page.why_like")}
        <input value=${why} maxlength="200" onInput=${(event) => this.setState({ why: event.currentTarget.value })} placeholder=${says.slip} /></label>
      <div class="choices">
        ${[...PLAIN, ...says.rulings, ON].map(([ruling, text, title]) => html`<button title=${title} data-ruling=${ruling}
          onClick=${() => this.rule(ruling)}>${text}</button>`)}
      </div>
      <${Change} board=${board} state=${table} app=${app} rule=${this.rule} />
      ${app.state.you.host && html`<div class="row last">
        <${Sure} act=${() => { app.send({ type: "new" }); close(); }} really=${phrase("page.really_anew")}>${phrase("page.new_game")}<//>
      </div>`}
    <//>`;
  }
}

/** The position as text, to be written anew. */
export class Position extends Component {
  render({ state: table, rule }, { position = table.position }) {
    return html`<fieldset><legend>${phrase("page.set_position")}</legend>
      <textarea rows="3" aria-label=${phrase("page.position_text")} value=${position} onInput=${(event) => this.setState({ position: event.currentTarget.value })}></textarea>
      <button disabled=${position === table.position} onClick=${() => rule(`position ${position.trim()}`)}>${phrase("page.set_it")}</button>
    </fieldset>`;
  }
}
