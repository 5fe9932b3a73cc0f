/** The page: joins the wire and the widgets, and holds which form is open and whose cards are shown. */
import { Agreed } from "./agreed.js";
import { allowed } from "./allowed.js";
import { Pause } from "./clock.js";
import { covered, Curtain, Hand } from "./curtain.js";
import { awake, call, demand, lendVoice, listen, read, told } from "./device.js";
import { Foothold } from "./foothold.js";
import { Front } from "./front.js";
import { Heard } from "./heard.js";
import { onScreen } from "./hex.js";
import { asked, computer, singly } from "./home.js";
import { html, names } from "./html.js";
import { Legend } from "./legend.js";
import { Live } from "./live.js";
import { Near } from "./near.js";
import { Log, Question, Ruling } from "./panel.js";
import { Card, NextFrame } from "./parts.js";
import { MoveList, Past, Steps } from "./past.js";
import { Order } from "./order.js";
import { numbered } from "./pieces.js";
import { Rules } from "./rules.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Component, render } from "./vendor/preact.mjs";
import { explained } from "./terms.js";
import { View } from "./view.js";
import { phrase } from "./words.js";
import { COMMON, complaint, load } from "./widgets.js";
import { Wrong } from "./wrong.js";

const BANNERS = {
  down: phrase("page.down"),
  crowded: phrase("page.crowded"),
  barred: phrase("page.barred"),
};
const REFUSAL_SHOWN = 9000; // ms
const EARLY = "table.not_your_turn"; // a refusal that the turn itself ends
const SAID = ["declare", "touch", "decide", "ruling"]; // in a match, and in no other

const KEYS = [
  [phrase("page.key_arrows"), phrase("page.key_walk")], ["Enter", phrase("page.key_enter")], [", .", phrase("page.key_history")],
  ["W", phrase("page.key_wrong")], ["S", phrase("page.key_sensors")], ["C", phrase("page.key_calm")], ["L", phrase("page.key_light")], ["Esc", phrase("page.key_escape")],
];

/** Closes the dialog that a button stands in, so that whoever opened it has the focus again. */
const shut = (event) => event.currentTarget.closest("dialog").close();

class App extends Component {
  play = new this.props.widgets.Play(this);
  state = { link: "up", form: "", mine: false, own: this.play.state, you: { host: true, seats: [], people: [] } };
  past = new Past(() => this.forceUpdate());
  order = new Order((command) => this.send(command), () => this.forceUpdate());
  side = -1; // whose hidden cards this page shows
  asked = -1; // the side that was asked last while it was shown
  read = new Set(); // the notices that were put away

  componentDidMount() {
    this.settings = new Settings(() => this.forceUpdate(), () => this.props.board.agreed.first);
    this.live = new Live(this.hear, this.linked);
    this.foothold = new Foothold();
    document.addEventListener("keydown", this.key);
    document.addEventListener("pointerup", this.touched); // a finger's pointerdown lets no page make a sound
    this.wake();
  }

  /** What is picked up is told once. */
  componentDidUpdate() {
    const picked = this.state.table ? this.play.told() : "";
    if (picked && picked !== this.picked) this.say([picked]);
    this.picked = picked;
  }

  componentWillUnmount() {
    this.live.close();
    this.settings.stop();
    this.foothold.stop();
    document.removeEventListener("keydown", this.key);
    document.removeEventListener("pointerup", this.touched);
    this.sleepless?.();
  }

  get widgets() {
    return this.props.widgets;
  }

  hear = (message) => {
    if (message.type === "pixels") this.board?.lights.show(message.rgb);
    else if (message.type === "refused") this.refuse(message);
    else if (message.type === "state") this.see(message);
    else if (message.type === "you") this.sit(message);
    else if (message.type === "invitation") this.setState({ invitation: message });
    else if (message.type === "renewed") location.replace(message.to); // with the host's new key
    else this.play.hear(message);
  };

  /** Who uses this page, and who is here. A phone with one seat shows that seat's cards and no other's; who takes an
   * invitation makes it vanish. */
  sit(you) {
    if (!you.host && you.side !== this.side) this.side = you.side;
    const came = you.people.length !== this.state.you.people.length;
    this.setState(({ invitation }) => ({ you, invitation: came ? null : invitation, table: this.allowed(you) }));
  }

  /** This page goes round: it shows one side's cards after another's, behind a curtain. */
  get shared() {
    const { host, seats } = this.state.you;
    return host || seats.length > 1;
  }

  /** Nobody's cards are shown here, and who may open the curtain is asked first; a host may see the board without any. */
  get curtained() {
    const { table, uncovered } = this.state;
    return table.private && table.side < 0 && this.shared && !uncovered;
  }

  /** It is this page that moves the simulated board's hands. */
  get hands() {
    return this.state.table.simulated && this.state.you.host;
  }

  /** A new state, unless it is for another side than the one that looks. */
  see(table) {
    if (table.private && table.side >= 0 && table.side !== this.side) return;
    if (table.game !== this.props.board.page.game) return this.props.again(); // another game is played now
    const before = this.state.table;
    if (before && before.match !== table.match) {
      this.props.again(); // with other things, perhaps
      this.setState({ games: false });
      if (before.seats.length !== table.seats.length) this.live.renew(); // to be told who sits where
    }
    this.heard = table;
    for (const notice of this.read) if (!table.notices.includes(notice)) this.read.delete(notice); // it may come again
    this.setState({ table: this.allowed(this.state.you) });
    this.past.seen(table);
    this.order.seen(table);
    this.play.seen(table, before);
    if (before) this.summon(table, before);
    if (table.active < 0) return; // the dealer's turn
    const passed = this.shared && table.private && this.side >= 0 && this.asked === this.side && table.active !== this.side;
    this.asked = table.active;
    if (passed && !this.state.mine) this.look(-1);
  }

  /** The table as it was heard, with what this page's people can do. */
  allowed = (you) => this.heard && allowed(this.heard, you, this.widgets.says);

  /** A browser lets a page make sounds, and speak, only once it was touched. */
  touched = () => {
    if (this.settings.sound) listen();
    if (this.settings.voice) lendVoice();
  };

  /** Keeps this screen on, or lets it sleep, as is set. */
  wake() {
    this.sleepless?.();
    this.sleepless = this.settings.awake ? awake() : null;
  }

  /** What this device is to do for who uses it. */
  serve = (name) => {
    this.settings.toggle(name);
    this.touched();
    this.wake();
  };

  /** Calls who uses this page, where they wish it: it is their turn now, or they are asked. What is ruled is said aloud. */
  summon(table, before) {
    const news = told(table, before);
    this.say(news);
    if (this.settings.voice) read(news);
    const { host, seats } = this.state.you;
    const ours = (seat) => seats.includes(seat) || (seat < 0 && host);
    const turn = table.active >= 0 && table.active !== before.active && ours(table.active);
    const asked = table.question?.id !== before.question?.id && table.question?.of.some(ours);
    if (turn || asked) call(this.settings);
    if (turn && this.state.refused?.key === EARLY) this.setState({ refused: null });
  }

  /** Shows a side's cards; none at -1, and nothing of them stays on the page. */
  look = (side) => {
    this.side = side;
    if (this.live.up) this.live.send({ type: "curtain", side });
    this.heard &&= covered(this.heard);
    this.setState(({ you }) => ({ table: this.allowed(you), refused: null, form: "", uncovered: false }));
    this.play.covered();
    this.listener?.hush();
    if (side < 0 && this.heard) this.say([demand(this.heard)]);
  };

  keepOpen = () => this.setState(({ mine }) => ({ mine: !mine }));

  /** A new wire begins with the curtain closed. */
  linked = (link) => {
    if (link === "up" && this.state.link !== "up" && this.props.trouble) this.props.again(); // a file that did not come may come now
    this.setState({ link });
    if (this.side >= 0 && this.shared) this.look(link === "up" && this.state.mine ? this.side : -1);
  };

  /** Says it to who does not see the page. */
  say(sentences) {
    this.listener?.say(sentences);
  }

  /** Says no in the ruling line for a while. */
  refuse(refused) {
    this.setState({ refused });
    this.say([refused.reason]);
    this.order.drop();
    this.play.refused();
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => this.setState({ refused: null }), REFUSAL_SHOWN);
  }

  /** Says something in the ruling line for as long. */
  tell(text) {
    this.setState({ told: text });
    this.say([text]);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.setState({ told: "" }), REFUSAL_SHOWN);
  }

  send = (command) => {
    this.setState({ refused: null, told: "" });
    const meant = SAID.includes(command.type) && { match: this.state.table?.match };
    if (!this.live.send({ ...command, ...meant })) this.refuse({ reason: phrase("page.unheard") });
  };

  /** The newest entry here: where two press at once, the second neither moves nor takes back what nobody here has seen. */
  newest = () => this.state.table.line.last.slice(-1).map(([entry]) => entry);

  act = (action) => this.send({ type: "declare", seat: -1, action, after: this.newest()[0] ?? -1 });

  /** A person's word. */
  rule = (ruling, why = "") => {
    const named = ruling === "undo" ? [ruling, ...this.newest()].join(" ") : ruling;
    this.send({ type: "ruling", do: named, ...(why && { why }) });
  };

  /** What only a game's own widgets ask for. */
  ask = (body) => this.send({ type: "ask", body });

  key = (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (event.key === "Escape") {
      this.play.escape();
      if (this.past.shown) this.past.now();
      return this.setState({ form: "" });
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.state.table) return;
    const keys = {
      w: this.toggle("wrong"), "?": this.open("help"), ",": () => this.past.step(-1), ".": () => this.past.step(1),
      s: () => this.settings.toggle("sensors"), c: () => this.settings.toggle("calm"), l: () => this.settings.toggle("light"),
    };
    (keys[event.key] ?? (() => this.play.key(event)))();
  };

  /** Opens a dialog: `help`, `seats`, `agreed` or `lights`. It is drawn while it is open, and only then. */
  open = (reading) => () => this.setState(({ agreed }) => ({ reading, agreed: agreed || reading === "agreed" }));

  /** Opens the rules, at the paragraph of one. */
  lookUp = (rule = "") => this.setState({ reading: "rules", rule });

  /** Opens a form, and closes it again. */
  toggle = (form) => () => {
    this.setState((was) => ({ form: was.form === form ? "" : form }));
    this.play.aside();
  };

  /** The games that there are. */
  showGames = (games) => () => this.setState({ games, refused: null });

  /** The board, now or as it was. */
  stage() {
    const { board } = this.props;
    const { Board } = this.widgets;
    const { table, own } = this.state;
    const { shown } = this.past;
    return html`<div class="stage"><${Near} still=${!!shown} asks=${table.prompt} beside=${html`<${Steps} past=${this.past} />`}>
      <${Board} mounted=${(board) => (this.board = board)} board=${board} state=${shown ? { ...shown[1], seats: table.seats } : table} calm=${this.settings.calm}
        showSensors=${this.settings.sensors && !shown} app=${this} ...${shown ? this.play.state : own} /><//></div>`;
  }

  /** What the page is called: the game, where a host can choose another. */
  title() {
    const { board } = this.props;
    const mark = html`<svg viewBox="-32 -28 64 56" aria-hidden="true"><path d="M29 0 14.5 25.1h-29L-29 0l14.5-25.1h29z" /></svg>`;
    return html`<h1>${mark}${this.state.you.host ? html`<button class="which" onClick=${this.showGames(true)}>${board.game}</button>` : board.game}</h1>`;
  }

  putAway(notice) {
    this.read.add(notice);
    this.forceUpdate();
  }

  switches() {
    const buttons = [["sensors", phrase("page.sensors"), "◉"], ["calm", phrase("page.calm"), "≈"], ["light", phrase("page.light"), "◐"]];
    return html`<nav class="switches" aria-label=${phrase("page.this_page")}>
      ${buttons.map(([name, text, sign]) => html`<button class="tool" aria-pressed=${this.settings?.[name]} aria-label=${text}
        onClick=${() => this.settings.toggle(name)}><span aria-hidden="true">${sign}</span><b>${text}</b></button>`)}
      <button class="tool" aria-label=${phrase("page.seats")} onClick=${this.open("seats")}><span aria-hidden="true">⚇</span><b>${phrase("page.seats")}</b></button>
      <button class="tool" aria-label=${phrase("page.help")} onClick=${this.open("help")}>?</button>
    </nav>`;
  }

  question() {
    const { table, you } = this.state;
    return table.question && html`<${Question} question=${table.question} board=${this.props.board} state=${table} you=${you} numbered=${numbered(table)} app=${this} />`;
  }

  /** What is read beside the game, in a dialog. */
  dialog(reading) {
    const { board } = this.props;
    const { table, you, invitation } = this.state;
    const shown = {
      help: () => [phrase("page.help"), this.help()],
      seats: () => [phrase("page.seats"), html`<${Seats} seats=${table.seats.map((seat, n) => table.people[n]?.[0] || seat)} you=${you} invitation=${invitation} app=${this} close=${shut} />`],
      rules: () => [phrase("page.rules"), html`<${Rules} board=${board} id=${this.state.rule} close=${shut} />`],
      agreed: () => [phrase("page.agreed"), html`<${Agreed} agreed=${board.agreed} close=${shut} />`],
      lights: () => [phrase("page.lights"), html`<${Legend} legend=${board.legend} lights=${table.lights} host=${you.host} still=${this.settings.calm}
        app=${this} close=${shut} />`],
    };
    const [label, content] = shown[reading]();
    return html`<dialog key=${reading} ref=${(dialog) => dialog?.open === false && dialog.showModal()} aria-label=${label}
      onClose=${() => this.setState(({ reading: now }) => (now === reading ? { reading: "", invitation: null } : {}))}
      onClick=${(event) => event.target === event.currentTarget && event.target.close()}>${content}</dialog>`;
  }

  help() {
    const { board } = this.props;
    const { says } = this.widgets;
    const [sentence, ...paragraphs] = says.help(this.state.table);
    return html`<${Card} title=${phrase("page.how")} close=${shut}>
      ${board.aim && html`<p><b>${board.game}.</b> ${explained(board.aim, board.rules)}</p>`}
      <p>${phrase("page.shows")} ${sentence}</p>
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      <p class="hint">${phrase("page.board_is", { board: board.title.replace(`${board.game}, `, "") })}</p>
      ${this.state.you.host && html`<p><a href="doctor" target="_blank">${phrase("page.doctor")}</a></p>`}
      <div class="row">${board.rules.length > 0 && html`<button class="main" onClick=${() => this.lookUp()}>${phrase("page.rules")}</button>`}
        <button onClick=${this.open("agreed")}>${phrase("page.agreed_game")}</button>
        <button onClick=${this.open("lights")}>${phrase("page.lights_mean")}</button></div>
      <dl class="keys">${[...says.keys, ...KEYS].map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
    <//>`;
  }

  /** The cards that ask for something, the most pressing first: a phone shows only that one. */
  cards() {
    const { table, form, own, you } = this.state;
    const { board } = this.props;
    const { Moves, Pressing, Rare, ToDo } = this.widgets;
    const camera = table.watched && html`<${View} byHand=${this.hands && table.pieces} app=${this} />`;
    if (!you.host && !you.seats.length) return html`<p class="hint">${phrase("page.watcher")}</p>${camera}`;
    const common = { state: table, board, app: this, ...own };
    const bare = table.private && table.side < 0 && this.shared; // cards are declared by who sees them
    const paused = table.paused && table.phase !== "over";
    const pause = paused && html`<${Pause} app=${this} />`;
    const busy = form || paused || table.question || table.todo.length || table.resume || table.phase === "over";
    return html`
      ${form === "wrong" && html`<${Wrong} ...${common} close=${this.toggle("wrong")} />`}
      ${!form && pause}
      <${Pressing} ...${common} />
      ${this.question()}
      ${(table.resume || table.todo.length > 0) && html`<${ToDo} ...${common} />`}
      ${table.side >= 0 && html`<${Hand} state=${table} board=${board} app=${this} mine=${this.state.mine} />`}
      ${form && pause}
      ${bare && html`<button data-covered onClick=${() => this.look(-1)}>${phrase("page.close_curtain")}</button>`}
      ${!busy && !bare && html`<${Moves} ...${common} />`}
      ${camera}
      ${!form && html`<div class="row rare">
        <button class="wrong-button grow" data-form="wrong" onClick=${this.toggle("wrong")}>${phrase("page.wrong")}</button>
        <button class="wrong-button" data-ruling="undo" onClick=${() => this.rule("undo")}>${phrase("page.take_back")}</button>
        ${!table.paused && table.phase !== "over" && html`<button class="wrong-button" data-ruling="pause" onClick=${() => this.rule("pause")}>${phrase("page.pause_game")}</button>`}
        <${Rare} ...${common} />
      </div>`}`;
  }

  render({ board, trouble }, { table, link, refused, you }) {
    if (!table || !this.settings) return html`<p class="boot">${BANNERS[link] ?? phrase("page.waiting")}</p>`;
    const { Health } = this.widgets;
    const notices = table.notices.filter((notice) => !this.read.has(notice));
    return html`<div class=${names("page", link !== "up" && "unheard", table.duo && "duo", table.game)}>
      <header class="top">
        ${this.title()}
        ${table.simulated && html`<span class="chip">${phrase("page.simulated")}</span>`}
        ${this.switches()}
      </header>
      ${link !== "up" && html`<p class="banner" role="alert">${BANNERS[link]}</p>`}
      ${trouble && html`<p class="banner notice" role="status"><span>${trouble}</span><${Reload} /></p>`}
      ${notices.map((notice) => html`<p key=${notice} class="banner notice" role="status">
        <span>${notice}</span><button class="icon" aria-label=${phrase("page.put_away")} onClick=${() => this.putAway(notice)}>✕</button></p>`)}
      ${table.front && you.host && !this.state.inside ? html`<main class="door"><${Front} app=${this} first close=${() => this.setState({ inside: true })} /></main>`
      : this.curtained ? html`<${Curtain} state=${table} app=${this} />` : html`<main>
        <${Ruling} state=${table} you=${you} refused=${notices.includes(refused?.reason) ? null : refused} app=${this} />
        ${this.past.shown && html`<p class="banner notice past" role="status"><span>${phrase("page.as_it_was", { n: this.past.shown[0] })}</span></p>`}
        ${this.stage()}
        <${NextFrame} key=${this.side} of=${table}>${() => html`
          <div class="dock">${this.cards()}</div>
          <${NextFrame} of=${table}>${() => html`<div class="lists">
            <${NextFrame} of=${table}>${() => html`<${MoveList} past=${this.past} seats=${table.seats} />`}<//>
            <${Log} log=${table.log} aim=${board.aim} past=${this.past} app=${this} /></div><${Health} state=${table} app=${this} />`}<//>`}<//>
      </main>`}
      <${Heard} mounted=${(heard) => (this.listener = heard)} />
      ${this.state.games && html`<dialog class="games" ref=${(dialog) => dialog?.open === false && dialog.showModal()} aria-label=${board.game}
          onClose=${this.showGames(false)} onClick=${(event) => event.target === event.currentTarget && event.target.close()}>
        <${Front} app=${this} close=${this.showGames(false)} />
      </dialog>`}
      ${this.state.reading && this.dialog(this.state.reading)}
    </div>`;
  }
}

const Reload = () => html`<button onClick=${() => location.reload()}>${phrase("page.reload")}</button>`;

/** A game's page; where one of its own widgets breaks, a page without them; where that breaks too, a sentence. */
class Page extends Component {
  state = { broken: "", stuck: false };

  componentDidCatch(error) {
    const broken = complaint(this.props.board.page.game, error);
    this.setState({ broken, stuck: !!this.state.broken });
  }

  render({ board, again, shown }, { broken, stuck }) {
    if (stuck) return html`<div class="boot" role="alert"><p>${phrase("page.stuck")}</p><${Reload} /></div>`;
    const trouble = broken || shown.trouble;
    return html`<${App} key=${trouble} board=${board} again=${again} widgets=${trouble ? COMMON : shown.widgets} trouble=${trouble} />`;
  }
}

/** Ask what the board is like, then show it. */
const start = singly(async () => {
  const root = document.getElementById("app");
  const { status, told } = await asked("/board");
  if (!told) {
    const boot = root.querySelector(".boot");
    if (boot) boot.textContent = status === 403 ? BANNERS.barred : BANNERS.down;
    if (status !== 403) setTimeout(start, 1000);
    return;
  }
  const board = onScreen(told);
  document.title = `${board.game} · ${computer}`;
  const shown = await load(board.page);
  if (!root.querySelector(".page")) root.replaceChildren();
  render(html`<${Page} key=${board.page.game} board=${board} again=${start} shown=${shown} />`, root);
});

start();
