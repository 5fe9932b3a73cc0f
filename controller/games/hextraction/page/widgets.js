/** Hextraction's part of the page: a board of tiles and balls, and what is said of them. */
import { html, names } from "../../static/html.js";
import { Health, Seat } from "../../static/panel.js";
import { phrase } from "../../static/words.js";
import { Board } from "./board.js";
import { Change } from "./change.js";
import { TilePlay } from "./play.js";
import { Register } from "./register.js";
import { Say } from "./say.js";
import { found, TilePicture, tilesOf } from "./tile.js";
import { Inspector, TileToDo, Tray } from "./tray.js";

/** What can be done while somebody else has the turn. */
const REST = { play: {}, other: [], ramps: [] };

/** A seat with how many tiles it holds, while the game goes on, or that it is out. */
function TileSeat(props) {
  const { seat, state } = props;
  const { out, hands } = state.own;
  const gone = out.includes(seat);
  return html`<${Seat} ...${props} kind=${gone && "out"}>
    ${gone && html`<span class="unseen">${phrase("hextraction.page.is_out")}</span>`}
    ${!state.scores && html`<span class="hand" role="img" aria-label=${phrase("hextraction.page.in_hand", { count: hands[seat] })}>
      ${Array.from({ length: hands[seat] ?? 0 }, () => html`<i></i>`)}</span>`}
  <//>`;
}

/** The cards that come before a question. */
function Pressing(props) {
  const { state, app, registering, inspected } = props;
  const { acts, vote } = state.own;
  return html`
    ${app.state.form === "say" && acts.length > 0 && html`<${Say} ...${props} close=${app.toggle("say")} />`}
    ${registering && html`<${Register} app=${app} close=${app.play.toggleRegister} />`}
    ${vote && html`<${Tray} ...${props} />`}
    ${inspected && html`<${Inspector} ...${props} />`}`;
}

/** What can be played; while there is a vote, that stands above. */
const Moves = (props) => !props.state.own.vote && html`<${Tray} ...${props} />`;

const Rare = ({ state, app }) => state.own.acts.length > 0
  && html`<button class="wrong-button grow" data-form="say" onClick=${app.toggle("say")}>${phrase("hextraction.page.concede_more")}</button>`;

/** How a tile would lie, in the answer that says so. */
function Lying({ name, board }) {
  const [what, , copy, rotation] = name.split(" ");
  const tile = what === "lies" && found(board, copy);
  return tile && copy !== "?" && html`<${TilePicture} tile=${tile} rotation=${Number(rotation)} />`;
}

/** Where tiles are read as they are drawn: which one a tile not yet read is. */
function Drawn({ state, board, app }) {
  if (!state.own.unread) return null;
  return html`<details class="drawn">
    <summary>${phrase("hextraction.page.say_drew")}</summary>
    <div class="tiles" role="group" aria-label=${phrase("hextraction.page.you_drew")}>
      ${tilesOf(board).map((tile) => html`<button key=${tile.id} class="tile-button" data-drew=${tile.id}
          onClick=${() => app.act(`drew ${state.side} ${tile.id}`)}>
        <${TilePicture} tile=${tile} rotation=${tile.rotations[0]} /><span>${tile.name}</span></button>`)}
    </div>
  </details>`;
}

/** The rail's power, the keywords that are on, the pool. */
function TileHealth(props) {
  const { state, app } = props;
  const { flags, pool } = state.own;
  const power = state.simulated
    ? html`<button class="switch" role="switch" aria-checked=${flags.power}
            onClick=${() => app.send({ type: "hand", what: "rail", on: !flags.power })}><i></i>${phrase("hextraction.page.power")}</button>`
    : html`<span class=${names("chip", flags.power ? "good" : "bad")}>${flags.power ? phrase("hextraction.page.power_on") : phrase("hextraction.page.power_off")}</span>`;
  const beside = html`
      ${flags.offline && html`<span class="chip bad">${phrase("hextraction.page.offline")}</span>`}
      ${flags.overdrive && html`<span class="chip hot">${phrase("hextraction.page.overdrive")}</span>`}`;
  return html`<${Health} ...${props} first=${power} beside=${beside} last=${html`<span class="chip">${phrase("hextraction.page.pool", { count: pool })}</span>`}
    below=${html`<button class="quiet" onClick=${app.play.toggleRegister}>${phrase("hextraction.page.register_own")}</button>`} />`;
}

export const widgets = {
  Play: TilePlay,
  Board,
  Seat: TileSeat,
  Pressing,
  Answer: Lying,
  ToDo: TileToDo,
  Moves,
  Rare,
  Held: Drawn,
  Change,
  Health: TileHealth,
  says: {
    busy: ({ phase, own }) => (phase === "rolling" ? phrase("hextraction.page.rolling") : own.vote && phrase("hextraction.page.a_vote")),
    allowed: (own, seats, turn) => ({ ...own, acts: own.acts?.filter(({ seat }) => seats.includes(seat)), ...(turn || own.vote ? {} : { legal: REST }) }),
    turn: ({ own }) => own.turn && phrase("hextraction.page.turn", { turn: own.turn }),
    begins: phrase("hextraction.page.begins"),
    slip: phrase("hextraction.page.slip"),
    held: phrase("hextraction.page.held"),
    rulings: [["void", phrase("hextraction.page.void"), phrase("hextraction.page.void_means")]],
    keys: [["1 – 8", phrase("hextraction.page.key_take")], ["R, Shift R", phrase("hextraction.page.key_turn")]],
    help: ({ simulated }) => [
      simulated ? phrase("hextraction.page.help_ring_simulated") : phrase("hextraction.page.help_ring"),
      phrase("hextraction.page.help_dot"),
    ],
  },
};
