/** The page: joins the wire, the board and the panel, and holds what the person has picked up. */
import { Agreed, wanting } from "./agreed.js";
import { Board } from "./board.js";
import { covered, Curtain, Hand } from "./curtain.js";
import { onScreen } from "./hex.js";
import { html, names } from "./html.js";
import { Live } from "./live.js";
import { Health, Inspector, Log, Question, Ruling, ToDo, Tray } from "./panel.js";
import { Card, cellOf, slotOf } from "./parts.js";
import { meant, Moves, numbered, offers, PieceBoard, touch } from "./pieces.js";
import { Register } from "./register.js";
import { Say } from "./say.js";
import { Settings } from "./settings.js";
import { Definitions, tileOf } from "./tile.js";
import { Component, createRef, render } from "./vendor/preact.mjs";
import { View } from "./view.js";
import { Wrong } from "./wrong.js";

const BANNERS = {
  down: "The board's program is not answering. Trying again…",
  barred: "Open the new link that hexboard printed.",
};
const REFUSAL_SHOWN = 9000; // ms

const sixths = (rotations) => rotations.map((each) => `${each}/6`).join(", ");

const KEYS = [
  ["1 – 8", "take a tile from the tray"], ["R, Shift R", "turn it clockwise, anticlockwise"],
  ["arrows", "walk over the cells"], ["Enter", "play, answer or look at the cell"],
  ["W", "the board is wrong"], ["S", "sensors"], ["C", "calm"], ["L", "light or dark"], ["Esc", "put down, close"],
];

class App extends Component {
  help = createRef();
  state = {
    link: "up", focus: "C1", tile: null, rotation: 0, inspected: null, ruling: false, saying: false, registering: false, touched: [], mine: false,
  };
  side = -1; // whose hidden cards this page shows
  asked = -1; // the side that was asked last while it was shown
  drawn = null; // the tile that somebody wants to register
  read = new Set(); // the notices that were put away

  componentDidMount() {
    this.settings = new Settings(() => this.forceUpdate());
    this.live = new Live(this.hear, this.linked);
    document.addEventListener("keydown", this.key);
  }

  hear = (message) => {
    if (message.type === "pixels") this.board?.lights.show(message.rgb);
    else if (message.type === "balls") this.board?.balls.show(message.balls);
    else if (message.type === "refused") this.refuse(message);
    else if (message.type === "state") this.see(message);
  };

  /** A new state, unless it is for another side than the one that looks. */
  see(table) {
    if (table.private && table.side >= 0 && table.side !== this.side) return;
    if (this.state.table && this.state.table.match !== table.match) this.props.again(); // with other tiles, perhaps
    const said = this.state.table?.notices ?? [];
    const registered = (notice) => !said.includes(notice) && notice.includes(this.drawn?.name.trim());
    if (table.notices.some(registered)) this.drawn = null;
    this.setState({ table, touched: table.touches ?? [] });
    if (table.active < 0) return; // the dealer's turn
    const passed = table.private && this.side >= 0 && this.asked === this.side && table.active !== this.side;
    this.asked = table.active;
    if (passed && !this.state.mine) this.look(-1);
  }

  /** Shows a side's cards; none at -1, and nothing of them stays on the page. */
  look = (side) => {
    this.side = side;
    if (this.live.up) this.live.send({ do: "look", side });
    this.setState(({ table }) => ({ table: table && covered(table), refused: null, touched: [], ruling: false, saying: false }));
  };

  own = () => this.setState(({ mine }) => ({ mine: !mine }));

  /** A new wire begins with the curtain closed. */
  linked = (link) => {
    this.setState({ link });
    if (this.side >= 0) this.look(link === "up" && this.state.mine ? this.side : -1);
  };

  /** Says no in the ruling line for a while. */
  refuse(refused) {
    // A tile that was refused is shown as it was drawn.
    this.setState(({ registering }) => ({ refused, registering: registering || Boolean(this.drawn) }));
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => this.setState({ refused: null }), REFUSAL_SHOWN);
  }

  send = (command) => {
    this.setState({ refused: null });
    if (!this.live.send(command)) this.refuse({ text: "Nobody heard that: the board's program is not answering." });
  };

  act = (action) => this.send({ do: "act", action });

  inspect = (inspected) => {
    // Who closes a slot's card goes on from that slot.
    const { cell } = this.state.inspected ?? {};
    if (!inspected && cell) document.querySelector(`[data-cell="${cell}"]`).focus();
    this.setState({ inspected });
  };

  /** Takes a tile of the tray in hand, or puts it down: by its id, with the owner where one is named. */
  chooseTile = (copy) => {
    const tile = this.props.board.tiles.find((each) => each.id === tileOf(copy));
    if (!tile) return;
    this.setState((was) => (was.tile === copy ? { tile: null } : { tile: copy, rotation: tile.rotations[0], inspected: null }));
  };

  turn = (step) => {
    const tile = this.props.board.tiles.find((each) => each.id === tileOf(this.state.tile));
    if (!tile) return;
    const all = tile.rotations;
    const next = all.indexOf(this.state.rotation) + step;
    this.setState({ rotation: all[(next + all.length) % all.length] });
  };

  /** A slot was tapped: an answer, a play, a field of a ruling, or a closer look. */
  tapCell = (cell) => {
    const { table, tile, rotation, ruling } = this.state;
    if (ruling) return this.wrong.pick(cell);
    const answers = (table.question?.choices ?? []).filter((each) => cellOf(each.name, this.props.board) === cell);
    if (answers.length === 1) {
      return this.send({ do: "answer", question: table.question.id, choice: answers[0].name });
    }
    const rotations = table.legal?.play?.[tile]?.[cell];
    if (rotations?.includes(rotation)) {
      this.act(`play ${tile} ${cell} ${rotation}`);
      return this.setState({ tile: null, inspected: null });
    }
    if (rotations) return this.refuse({ text: `${this.props.board.named(tileOf(tile))} does not fit ${cell} turned ${rotation}/6. Turn it to ${sixths(rotations)}.` });
    this.inspect(this.state.inspected?.cell === cell ? null : { cell });
  };

  /** A cell of a game with pieces was touched: that is a move once only one is meant. */
  touchCell = (cell) => {
    const { moves } = this.state.table;
    const touched = touch(moves, this.state.touched, cell);
    const tried = touched.length ? null : meant(moves, [...this.state.touched, cell]);
    if (tried) this.act(tried);
    const { left, done } = offers(moves, touched);
    if (left.length === 1 && done.length === 1) {
      this.act(done[0][0]);
      return this.untouch();
    }
    this.setState({ touched });
    this.live.send({ do: "touch", cells: touched });
  };

  untouch = () => {
    this.setState({ touched: [] });
    this.live.send({ do: "touch", cells: [] });
  };

  /** A ball hides its slot, so while a slot is asked for, the ball stands for it. */
  tapBall = (ball) => {
    const { at } = this.state.table.balls.find((each) => each.id === ball);
    const asked = this.state.ruling || this.hints()[at]?.kind === "choice";
    if (asked && this.props.board.cell[at]) this.tapCell(at);
    else this.inspect({ ball });
  };

  dropInto = (at) => this.send({ do: "hand", what: "drop", at });

  /** What to show in each slot: the to-do, open answers, where the tile in hand may go. */
  hints() {
    const { table, tile, rotation } = this.state;
    const { board } = this.props;
    const [id, name] = [tileOf(tile), board.named(tileOf(tile))];
    const hints = {};
    for (const action of table.legal?.other ?? []) {
      const cell = slotOf(action.name, board);
      if (cell) hints[cell] = { kind: /^(roll|activate) /.test(action.name) ? "turn" : "target", text: action.text };
    }
    for (const [cell, rotations] of Object.entries(table.legal?.play?.[tile] ?? {})) {
      hints[cell] = rotations.includes(rotation)
        ? { kind: "open", tile: id, rotation, text: `${name} can be played here` }
        : { kind: "turn", text: `${name} fits here when turned to ${sixths(rotations)}` };
    }
    for (const choice of table.question?.choices ?? []) {
      const cell = cellOf(choice.name, board);
      if (cell) hints[cell] = { kind: "choice", text: choice.text };
    }
    for (const item of table.todo) {
      hints[item.cell] = { kind: "todo", tile: item.tile, rotation: item.rotation, text: item.text };
    }
    return hints;
  }

  key = (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (event.key === "Escape") {
      if (this.state.touched.length) this.untouch();
      return this.setState({ tile: null, inspected: null, ruling: false, saying: false, registering: false });
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !this.state.table) return;
    const tile = this.props.board.tiles[Number(event.key) - 1];
    const keys = {
      r: () => this.turn(1), R: () => this.turn(-1), w: this.toggleRuling, "?": () => this.help.current.showModal(),
      s: () => this.settings.toggle("sensors"), c: () => this.settings.toggle("calm"), l: () => this.settings.toggle("light"),
    };
    if (tile) this.chooseTile(tile.id);
    else keys[event.key]?.();
  };

  showAgreed = () => {
    this.help.current.close();
    this.setState({ agreed: true, reading: true });
  };

  toggleRuling = () => this.setState(({ ruling }) => ({ ruling: !ruling, saying: false, inspected: null, tile: null }));

  toggleSaying = () => this.setState(({ saying }) => ({ saying: !saying, ruling: false, inspected: null, tile: null }));

  putAway(notice) {
    this.read.add(notice);
    this.forceUpdate();
  }

  toggleRegister = () => this.setState(({ registering }) => ({ registering: !registering }));

  switches() {
    const buttons = [["sensors", "Sensors", "◉"], ["calm", "Calm", "≈"], ["light", "Light", "◐"]];
    return html`<nav class="switches" aria-label="This page">
      ${buttons.map(([name, text, sign]) => html`<button class="tool" aria-pressed=${this.settings?.[name]} aria-label=${text}
        onClick=${() => this.settings.toggle(name)}><span aria-hidden="true">${sign}</span><b>${text}</b></button>`)}
      <button class="tool" aria-label="Help" onClick=${() => this.help.current.showModal()}>?</button>
    </nav>`;
  }

  /** The cards that ask for something, the most pressing first: a phone shows only that one. */
  cards() {
    const { table, tile, rotation, inspected, ruling, saying, registering } = this.state;
    const { board } = this.props;
    const common = { state: table, board, app: this, tile, rotation };
    const busy = ruling || saying || table.vote || table.question || table.todo.length || table.resume || table.phase === "over";
    return html`
      ${ruling && html`<${Wrong} mounted=${(form) => (this.wrong = form)} ...${common} close=${this.toggleRuling} />`}
      ${saying && table.acts?.length > 0 && html`<${Say} ...${common} close=${this.toggleSaying} />`}
      ${registering && html`<${Register} app=${this} drawn=${this.drawn} close=${this.toggleRegister} />`}
      ${table.vote && html`<${Tray} ...${common} />`}
      ${inspected && html`<${Inspector} inspected=${inspected} ...${common} />`}
      ${table.question && html`<${Question} question=${table.question} numbered=${numbered(table)} app=${this} />`}
      ${(table.resume || table.todo.length > 0) && html`<${ToDo} todo=${table.todo} resume=${table.resume} ...${common} />`}
      ${table.side >= 0 && html`<${Hand} state=${table} board=${board} app=${this} mine=${this.state.mine} />`}
      ${!busy && (table.pieces
        ? html`<${Moves} state=${table} touched=${this.state.touched} app=${this} />`
        : html`<${Tray} ...${common} />`)}
      ${table.watched && html`<${View} simulated=${table.simulated && table.pieces} app=${this} />`}
      ${!this.state.agreed && wanting(board.agreed).length > 0 && html`<p class="hint">
        ${wanting(board.agreed).length} numbers are proposed and not from the game.
        <button onClick=${this.showAgreed}>Look at them</button></p>`}
      ${!ruling && !saying && html`<div class="row rare">
        <button class="wrong-button grow" onClick=${this.toggleRuling}>The board is wrong…</button>
        ${table.acts?.length > 0 && html`<button class="wrong-button grow" onClick=${this.toggleSaying}>Concede, leave and more…</button>`}
      </div>`}`;
  }

  tileBoard(board) {
    const { table, link, focus, inspected } = this.state;
    const act = link === "up";
    return html`<${Board} mounted=${(board) => (this.board = board)} board=${board} state=${table} calm=${this.settings.calm}
        showSensors=${this.settings.sensors} focus=${focus} hints=${this.hints()}
        inspected=${inspected?.cell} inspectedBall=${inspected?.ball} onCell=${this.tapCell}
        onFocus=${(cell) => this.setState({ focus: cell })} onBall=${this.tapBall}
        onRamp=${table.simulated && act && this.dropInto} />`;
  }

  render({ board }, { table, link, refused }) {
    if (!table || !this.settings) return html`<p class="boot">${BANNERS[link] ?? "Waiting for the board…"}</p>`;
    return html`<div class=${names("page", link !== "up" && "unheard", table.pieces && table.seats.length === 2 && "duo", table.game)}>
      <${Definitions} />
      <header class="top">
        <h1><svg viewBox="-32 -28 64 56" aria-hidden="true"><path d="M29 0 14.5 25.1h-29L-29 0l14.5-25.1h29z" /></svg>hexboard</h1>
        <span class="title">${board.title}</span>
        ${table.simulated && html`<span class="chip">simulated</span>`}
        ${this.switches()}
      </header>
      ${link !== "up" && html`<p class="banner" role="alert">${BANNERS[link]}</p>`}
      ${table.notices.filter((notice) => !this.read.has(notice)).map((notice) => html`<p key=${notice} class="banner notice" role="status">
        <span>${notice}</span><button class="icon" aria-label="Put this notice away" onClick=${() => this.putAway(notice)}>✕</button></p>`)}
      ${table.private && table.side < 0 ? html`<${Curtain} state=${table} app=${this} />` : html`<main>
        <${Ruling} state=${table} refused=${refused} app=${this} />
        <div class="stage">
          ${table.pieces
            ? html`<${PieceBoard} mounted=${(board) => (this.board = board)} board=${board} state=${table} calm=${this.settings.calm}
                touched=${this.state.touched} onCell=${this.touchCell} onCorner=${this.act} />`
            : this.tileBoard(board)}
        </div>
        <div class="dock">${this.cards()}</div>
        <${Log} log=${table.log} />
        <${Health} state=${table} app=${this} />
      </main>`}
      ${this.state.reading && html`<dialog ref=${(dialog) => dialog?.open === false && dialog.showModal()} aria-label="What is agreed"
          onClose=${() => this.setState({ reading: false })} onClick=${(event) => event.target === event.currentTarget && event.target.close()}>
        <${Agreed} agreed=${board.agreed} close=${() => this.setState({ reading: false })} />
      </dialog>`}
      <dialog ref=${this.help} aria-label="Help" onClick=${(event) => event.target === this.help.current && this.help.current.close()}>
        <${Card} title="How this page works" close=${() => this.help.current.close()}>
          <p>The board shows the position as the referee knows it and the light that really left the board. ${table.pieces
            ? "Ringed cells can be touched: move the piece on the board, then touch where it was and where it is."
            : `A thin ring with a number is where the referee believes a ball is${table.simulated ? "; the steel balls are the simulated world" : ""}.`}</p>
          ${!table.pieces && html`<p>The small dot on a tile marks its own edge 1. One, two or three pips count how often
            it was touched in this roll.</p>`}
          <button onClick=${this.showAgreed}>What is agreed for this game</button>
          <dl>${(table.pieces ? KEYS.slice(2) : KEYS).map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
        <//>
      </dialog>
    </div>`;
  }
}

/** Ask what the board is like, then show it. */
async function start() {
  const root = document.getElementById("app");
  const answer = await fetch("/board").catch(() => null);
  if (!answer?.ok) {
    const boot = root.querySelector(".boot");
    if (boot) boot.textContent = answer?.status === 403 ? BANNERS.barred : BANNERS.down;
    if (answer?.status !== 403) setTimeout(start, 1000);
    return;
  }
  const board = onScreen(await answer.json());
  if (!root.querySelector(".page")) root.replaceChildren();
  render(html`<${App} board=${board} again=${start} />`, root);
}

start();
