/** The overlay: lies over the picture of somebody who streams (a browser source of OBS). All it tells is the public stream's. */
import { SeatClock } from "./clock.js";
import { dress } from "./dress.js";
import { asked, at, singly } from "./home.js";
import { html, names } from "./html.js";
import { hue } from "./parts.js";
import { Component, render } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const WAIT = 2000; // ms until who is not connected asks again
const LINES = 4; // of how the game stands

class Overlay extends Component {
  componentDidMount() {
    this.listen();
  }

  /** What is not so any more is not shown: no state without a wire. Of WebSockets a browser has as many as a stream has scenes. */
  listen = () => {
    const wire = new WebSocket(at("/api/events").replace(/^http/, "ws"));
    wire.onmessage = ({ data }) => this.hear(JSON.parse(data));
    wire.onclose = () => {
      this.setState({ table: null });
      setTimeout(this.listen, WAIT);
    };
  };

  hear(table) {
    this.setState({ table: { ...table, heard: performance.now() } });
    if (table.game !== this.dressed) this.dress();
  }

  /** Seats have the game's own colours. */
  dress = singly(async () => {
    const { told } = await asked("/board");
    this.dressed = told?.page.game;
    await dress(told?.page.style)?.catch(console.warn);
  });

  render(_, { table }) {
    if (!table) return null;
    const over = table.phase === "over";
    const said = (over && table.outcome) || table.question?.text || (table.paused && phrase("page.in_pause")) || table.prompt;
    const newest = table.log.find(({ aside }) => !aside);
    return html`<div class=${names("overlay", table.duo && "duo", table.game)} role="main">
      <ul class="seats">${table.seats.map((seat, n) => html`<li key=${n} class=${names(hue(n), !over && n === table.active && "active")}><bdi>${seat}</bdi>
        ${table.clock && html`<${SeatClock} seat=${n} state=${table} />`}
        ${table.scores && html`<b class="score">${table.scores[n]}</b>`}</li>`)}</ul>
      ${table.standing.slice(0, LINES).map((line, n) => html`<p key=${n} class="standing">${line}</p>`)}
      ${said && html`<p class="prompt">${said}</p>`}
      ${newest && newest.text !== said && html`<p class="newest">${newest.text}${newest.final === false && html` <em class="pending">${phrase("page.not_final")}</em>`}</p>`}
    </div>`;
  }
}

const root = document.getElementById("app");
root.replaceChildren();
render(html`<${Overlay} />`, root);
