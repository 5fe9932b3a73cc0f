/** Hextraction's part of the page: a board of tiles and balls, and what is said of them. */
import { html, names } from "../../static/html.js";
import { Health, Seat } from "../../static/panel.js";
import { Board } from "./board.js";
import { Change } from "./change.js";
import { TilePlay } from "./play.js";
import { Register } from "./register.js";
import { Say } from "./say.js";
import { TilePicture, tilesOf } from "./tile.js";
import { Inspector, TileToDo, Tray } from "./tray.js";

/** A seat with how many tiles it holds, while the game goes on, or that it is out. */
function TileSeat(props) {
  const { seat, state } = props;
  const { out, hands } = state.own;
  const gone = out.includes(seat);
  return html`<${Seat} ...${props} kind=${gone && "out"}>
    ${gone && html`<span class="unseen">is out</span>`}
    ${!state.scores && html`<span class="hand" role="img" aria-label="${hands[seat]} tiles in hand">
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
  && html`<button class="wrong-button grow" onClick=${app.toggle("say")}>Concede, leave and more…</button>`;

/** Where tiles are read as they are drawn: which one a tile not yet read is. */
function Drawn({ state, board, app }) {
  if (!state.own.unread) return null;
  return html`<details class="drawn">
    <summary>Say what you drew</summary>
    <div class="tiles" role="group" aria-label="The tile that you drew">
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
            onClick=${() => app.send({ type: "hand", what: "rail", on: !flags.power })}><i></i>Power</button>`
    : html`<span class=${names("chip", flags.power ? "good" : "bad")}>Power ${flags.power ? "on" : "off"}</span>`;
  const beside = html`
      ${flags.offline && html`<span class="chip bad">Offline</span>`}
      ${flags.overdrive && html`<span class="chip hot">Overdrive</span>`}`;
  return html`<${Health} ...${props} first=${power} beside=${beside} last=${html`<span class="chip">${pool} tiles in the pool</span>`}
    below=${html`<button class="quiet" onClick=${app.play.toggleRegister}>Register a tile of your own…</button>`} />`;
}

export const widgets = {
  Play: TilePlay,
  Board,
  Seat: TileSeat,
  Pressing,
  ToDo: TileToDo,
  Moves,
  Rare,
  Held: Drawn,
  Change,
  Health: TileHealth,
  says: {
    busy: ({ phase, own }) => (phase === "rolling" ? "Rolling" : own.vote && "A vote"),
    turn: ({ own }) => own.turn && `Turn ${own.turn}`,
    begins: "The first ball or tile begins it.",
    slip: "the ball was knocked",
    held: "tiles",
    rulings: [["void", "Void the roll", "The roll counts for nothing."]],
    keys: [["1 – 8", "take a tile from the tray"], ["R, Shift R", "turn it clockwise, anticlockwise"]],
    help: ({ simulated }) => [
      `A thin ring with a number is where the referee believes a ball is${simulated ? "; the steel balls are the simulated world" : ""}.`,
      "The small dot on a tile marks its own edge 1. One, two or three pips count how often it was touched in this roll.",
    ],
  },
};
