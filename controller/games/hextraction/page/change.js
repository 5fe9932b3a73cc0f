/** How the position is set by hand: a ball that lies elsewhere, a slot that holds another tile. */
import { html } from "../../static/html.js";
import { Component } from "../../static/vendor/preact.mjs";
import { phrase } from "../../static/words.js";
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
    return html`<fieldset><legend>${phrase("hextraction.page.move_ball")}</legend>
        <label>${phrase("hextraction.page.ball_field")} <select value=${ball} onChange=${this.set("ball")}>
          <option value="">${phrase("hextraction.page.which")}</option>
          ${own.balls.map((each) => html`<option value=${each.id}>${each.id} (${each.at.replace(":", " ")})</option>`)}
          <option value=${own.next_ball}>${phrase("hextraction.page.unshown")}</option>
        </select></label>
        <label>${phrase("hextraction.page.to")} <select value=${rest} onChange=${this.set("rest")}>
          <option value="">${phrase("hextraction.page.where")}</option><option value="-">${phrase("hextraction.page.off_board")}</option>${slots}
        </select></label>
        <button disabled=${!ball || !rest} onClick=${() => rule(`ball ${ball} ${rest}`)}>${phrase("hextraction.page.move_it")}</button>
      </fieldset>
      <fieldset><legend>${phrase("hextraction.page.change_tile")}</legend>
        <label>${phrase("hextraction.page.slot")} <select value=${cell} onChange=${this.set("cell")}><option value="">${phrase("hextraction.page.which_slot")}</option>${slots}</select></label>
        <label>${phrase("hextraction.page.holds")} <select value=${tile} onChange=${(event) => this.setState({ tile: event.currentTarget.value, rotation: 0 })}>
          <option value="-">${phrase("hextraction.page.nothing_there")}</option>
          ${tilesOf(board).map((each) => html`<option value=${each.id}>${each.name}</option>`)}
        </select></label>
        ${chosen && html`<label>${phrase("hextraction.page.turned_field")} <select value=${rotation} onChange=${this.set("rotation")}>
          ${chosen.rotations.map((each) => html`<option value=${each}>${each}</option>`)}
        </select></label>
        <${TilePicture} tile=${chosen} rotation=${+rotation} />`}
        <button disabled=${!cell} onClick=${() => rule(change)}>${phrase("hextraction.page.change_it")}</button>
      </fieldset>`;
  }
}
