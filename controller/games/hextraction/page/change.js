/** How the position is set by hand: a ball that lies elsewhere, a slot that holds another tile. */
import { html } from "../../static/html.js";
import { Component } from "../../static/vendor/preact.mjs";
import { found, TilePicture, tilesOf } from "./tile.js";

export class Change extends Component {
  state = { ball: "", rest: "", cell: "", tile: "-", rotation: 0 };

  /** A slot tapped on the board fills the field that waits for one. */
  componentDidMount() {
    this.props.app.play.pick = (cell) => this.setState((state) => (state.ball ? { rest: cell } : { cell }));
  }

  set = (name) => (event) => this.setState({ [name]: event.currentTarget.value });

  render({ board, state: { own }, rule }, { ball, rest, cell, tile, rotation }) {
    const chosen = found(board, tile);
    const slots = board.cells.map((each) => html`<option value=${each.id}>${each.id}</option>`);
    const change = chosen ? `tile ${cell} ${tile} ${rotation}` : `tile ${cell} -`;
    return html`<fieldset><legend>Move a ball</legend>
        <label>Ball <select value=${ball} onChange=${this.set("ball")}>
          <option value="">which?</option>
          ${own.balls.map((each) => html`<option value=${each.id}>${each.id} (${each.at.replace(":", " ")})</option>`)}
          <option value=${own.next_ball}>one that is not shown</option>
        </select></label>
        <label>to <select value=${rest} onChange=${this.set("rest")}>
          <option value="">where?</option><option value="-">off the board</option>${slots}
        </select></label>
        <button disabled=${!ball || !rest} onClick=${() => rule(`ball ${ball} ${rest}`)}>Move it</button>
      </fieldset>
      <fieldset><legend>Change a tile</legend>
        <label>Slot <select value=${cell} onChange=${this.set("cell")}><option value="">which?</option>${slots}</select></label>
        <label>holds <select value=${tile} onChange=${(event) => this.setState({ tile: event.currentTarget.value, rotation: 0 })}>
          <option value="-">nothing</option>
          ${tilesOf(board).map((each) => html`<option value=${each.id}>${each.name}</option>`)}
        </select></label>
        ${chosen && html`<label>turned <select value=${rotation} onChange=${this.set("rotation")}>
          ${chosen.rotations.map((each) => html`<option value=${each}>${each}</option>`)}
        </select></label>
        <${TilePicture} tile=${chosen} rotation=${+rotation} />`}
        <button disabled=${!cell} onClick=${() => rule(change)}>Change it</button>
      </fieldset>`;
  }
}
