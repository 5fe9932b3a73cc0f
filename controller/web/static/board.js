/** The board page: for a television or a tablet at the table. It shows what everybody may know and has no controls. */
import { onScreen } from "./hex.js";
import { asked, singly } from "./home.js";
import { html, names } from "./html.js";
import { Live } from "./live.js";
import { foremost, hue } from "./parts.js";
import { holder, Named } from "./seats.js";
import { awake } from "./device.js";
import { Component, render } from "./vendor/preact.mjs";
import { COMMON, load } from "./widgets.js";
import { phrase } from "./words.js";

const WATCHING = -1;
const AWAY = { barred: phrase("page.link_barred"), crowded: phrase("page.crowded"), down: phrase("page.down") };
const LATELY = 4; // lines of the log
const LONG = 60; // letters from which on a headline is smaller
const WAIT = 1000; // ms until the board is asked for again

/** How people come in: by the code, or by an address and figures, which stay in one piece each. */
function Welcome({ code, text, link }) {
  const [address, there, path] = /^([^#]*)(\/[^#]*)/.exec(link);
  const [before, after] = text.split(address);
  return html`<aside class="welcome"><img src=${code} alt="" />
    <p>${before}<b>${there}<wbr />${path}</b>${after.replace(/(\d) (\d)/, "$1\u00a0$2")}</p></aside>`;
}

class Screen extends Component {
  play = new this.props.widgets.Play(this);
  state = { link: "up", own: this.play.state, you: { host: false, seats: [], people: [] } };

  componentDidMount() {
    this.live = new Live(this.hear, (link) => this.setState({ link }));
    this.sleepless = awake();
  }

  componentWillUnmount() {
    this.live.close();
    this.sleepless();
  }

  /** What widgets ask of the page that they are on. */
  get widgets() { return this.props.widgets; }
  get shared() { return false; }
  send() {}

  hear = (message) => {
    if (message.type === "pixels") this.board?.lights.show(message.rgb);
    else if (message.type === "state") this.see(message);
    else if (message.type === "invitation") this.setState({ invitation: message });
    else if (message.type === "you") this.meet(message);
    else if (message.type !== "refused") this.play.hear(message);
  };

  see(table) {
    const before = this.state.table;
    if (table.game !== this.props.board.page.game) return this.props.again();
    if (before && before.match !== table.match) this.props.again();
    this.setState({ table });
    this.play.seen(table, before);
  }

  /** Somebody came or went: who came has used up the code, so there is another one. */
  meet(you) {
    this.setState({ you });
    this.live.send({ type: "invite", seat: WATCHING });
  }

  render({ board }, { table, link, own, you, invitation }) {
    if (!table) return html`<p class="boot">${AWAY[link] ?? board.game}</p>`;
    const { Board, Seat } = this.widgets;
    const over = table.phase === "over";
    const first = table.phase === "wrong" && (table.resume?.text ?? table.todo[0]?.text);
    const said = AWAY[link] || (over && table.outcome) || table.question?.text || first || (table.paused && phrase("page.in_pause")) || table.prompt;
    return html`<div role="main" class=${names("screen", link !== "up" && "unheard", table.duo && "duo", table.game)}>
      <div class="stage" inert><${Board} mounted=${(it) => (this.board = it)} board=${board} state=${{ ...table, moves: [], touches: [] }}
        calm=${false} showSensors=${false} app=${this} ...${own} /></div>
      <section class=${names("beside", hue(foremost(table)))} aria-live="polite">
        <h1>${board.game}</h1>
        <ul class="seats">${table.seats.map((_, n) => html`<li key=${n}><${Seat} seat=${n} state=${table} />
          <span class="hint">${!table.people[n]?.[0] && holder(you, n)?.name && html`<${Named} ...${holder(you, n)} />`}</span></li>`)}</ul>
        <p class=${names("prompt", said.length > LONG && "long")}>${said}</p>
        <ol class="lately">${table.log.filter(({ aside }) => !aside).slice(0, LATELY).map((line) => html`<li key=${line.n}>${line.text}</li>`)}</ol>
      </section>
      ${invitation && !invitation.near && html`<${Welcome} ...${invitation} />`}
    </div>`;
  }
}

/** Ask what the board is like, then show it. */
const start = singly(async () => {
  const { told } = await asked("/board");
  if (!told) {
    setTimeout(start, WAIT);
    return;
  }
  const board = onScreen(told);
  document.title = board.game;
  document.documentElement.dataset.theme = "dark";
  const { widgets = COMMON } = await load(board.page);
  const root = document.getElementById("app");
  if (!root.querySelector(".screen")) root.replaceChildren();
  render(html`<${Screen} key=${board.page.game} board=${board} again=${start} widgets=${widgets} />`, root);
});

start();
