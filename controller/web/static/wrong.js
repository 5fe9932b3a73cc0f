/** "The board is wrong": a person's word that replaces what the referee thinks. */
import { html } from "./html.js";
import { Card, Sure } from "./parts.js";
import { TilePicture } from "./tile.js";
import { Component } from "./vendor/preact.mjs";

const PLAIN = [
  ["right", "It is right", "The board shows the position as it lies."],
  ["undo", "Undo the last ruling", "Goes back to before it."],
  ["void", "Void the roll", "The roll counts for nothing."],
  ["play on", "Play on", "Goes on with what the board shows."],
];

export class Wrong extends Component {
  state = { why: "", ball: "", rest: "", cell: "", tile: "-", rotation: 0 };

  componentDidMount() {
    this.props.mounted(this);
  }

  set = (name) => (event) => this.setState({ [name]: event.currentTarget.value });

  rule = (ruling) => {
    const { why } = this.state;
    this.props.app.send({ do: "rule", ruling, ...(why && { why }) });
    this.props.close();
  };

  /** A slot tapped on the board fills the field that waits for one. */
  pick(cell) {
    this.setState((state) => (state.ball ? { rest: cell } : { cell }));
  }

  render({ board, state: table, app, close }, { why, cell, tile, rotation, position = table.position }) {
    const chosen = board.tiles.find((each) => each.id === tile);
    const slots = board.cells.map((each) => html`<option value=${each.id}>${each.id}</option>`);
    const change = chosen ? `tile ${cell} ${tile} ${rotation}` : `tile ${cell} -`;
    return html`<${Card} title="The board is wrong" kind="wrong" close=${close}>
      <p class="hint">The people are right. What you say here replaces the position.</p>
      <label class="field">Why, if you like
        <input value=${why} maxlength="200" onInput=${this.set("why")} placeholder="the ball was knocked" /></label>
      <div class="choices">
        ${PLAIN.filter(([ruling]) => !table.pieces || ruling !== "void").map(([ruling, text, title]) => html`<button title=${title} data-ruling=${ruling}
          onClick=${() => this.rule(ruling)}>${text}</button>`)}
      </div>
      ${table.pieces ? html`<fieldset><legend>Set the position</legend>
        <textarea rows="3" aria-label="The position as text" value=${position} onInput=${this.set("position")}></textarea>
        <button disabled=${position === table.position} onClick=${() => this.rule(`position ${position.trim()}`)}>Set it</button>
      </fieldset>` : this.tilesAndBalls(slots, chosen, change)}
      <div class="row last">
        <${Sure} act=${() => { app.send({ do: "new" }); close(); }} really="Really start anew?">New game<//>
      </div>
    <//>`;
  }

  tilesAndBalls(slots, chosen, change) {
    const { board, state: table } = this.props;
    const { ball, rest, cell, tile, rotation } = this.state;
    return html`<fieldset><legend>Move a ball</legend>
        <label>Ball <select value=${ball} onChange=${this.set("ball")}>
          <option value="">which?</option>
          ${table.balls.map((each) => html`<option value=${each.id}>${each.id} (${each.at.replace(":", " ")})</option>`)}
          <option value=${table.next_ball}>one that is not shown</option>
        </select></label>
        <label>to <select value=${rest} onChange=${this.set("rest")}>
          <option value="">where?</option><option value="-">off the board</option>${slots}
        </select></label>
        <button disabled=${!ball || !rest} onClick=${() => this.rule(`ball ${ball} ${rest}`)}>Move it</button>
      </fieldset>
      <fieldset><legend>Change a tile</legend>
        <label>Slot <select value=${cell} onChange=${this.set("cell")}><option value="">which?</option>${slots}</select></label>
        <label>holds <select value=${tile} onChange=${(event) => this.setState({ tile: event.currentTarget.value, rotation: 0 })}>
          <option value="-">nothing</option>
          ${board.tiles.map((each) => html`<option value=${each.id}>${each.name}</option>`)}
        </select></label>
        ${chosen && html`<label>turned <select value=${rotation} onChange=${this.set("rotation")}>
          ${chosen.rotations.map((each) => html`<option value=${each}>${each}</option>`)}
        </select></label>
        <${TilePicture} tile=${chosen} rotation=${+rotation} />`}
        <button disabled=${!cell} onClick=${() => this.rule(change)}>Change it</button>
      </fieldset>`;
  }
}
