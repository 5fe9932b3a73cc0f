/** The theatre: a recording that plays, drawn as its page drew it. Its file asks nobody for anything. */
import { Film, films } from "./film.js";
import { onScreen } from "./hex.js";
import { html, names } from "./html.js";
import { Ruling } from "./panel.js";
import { Card } from "./parts.js";
import { give, pictureOf } from "./picture.js";
import { clock, Timeline } from "./timeline.js";
import { Reel } from "./reel.js";
import { colours } from "./shine.js";
import { Rule, Rules } from "./rules.js";
import { Signs } from "./signs.js";
import { Settings } from "./settings.js";
import { Eye } from "./eye.js";
import { Component, render } from "./vendor/preact.mjs";
import { Changes, Pair } from "./whatif.js";
import { COMMON, complaint, merged } from "./widgets.js";
import { decimal, learn, phrase } from "./words.js";

const SPEEDS = [0.25, 1, 4, 16, 60];
const PAUSE = 3000; // ms in which nothing was shown that count as a pause
const LEAD = 700; // ms before the next thing at which a pause that is skipped ends
const SHINE = 50; // ms between two looks of the lights
const BEFORE = 30; // lines of the log before the one that is told
const AFTER = 20;
const WEIGHED = { ruled: phrase("page.ruled"), lost: phrase("page.lost"), asked: phrase("page.asked") };
const KINDS = ["ruling", "refused", "question", "corrected", "back", "pause", "on"];
const JUMPS = [["question", phrase("page.to_question")], ["corrected", phrase("page.to_correction")], ["back", phrase("page.to_take_back")]];
const KEYS = [
  [phrase("page.key_space"), phrase("page.key_play")], ["← →", phrase("page.key_rulings")], ["Shift ← →", phrase("page.key_moments")],
  [phrase("page.key_ends"), phrase("page.key_to_ends")], ["+ −", phrase("page.key_speed")], ["S", phrase("page.key_sensors")], ["C", phrase("page.key_calm")],
  ["L", phrase("page.key_light")],
];

const Sign = ({ path }) => html`<svg class="sign" viewBox="-9 -9 18 18" aria-hidden="true"><path d=${path} /></svg>`;

/** A mark as pages have it, of "C3 touched 2". */
function marked(text) {
  const [place, meaning, count] = text.split(" ");
  return [place, meaning, Number(count)];
}

/** A clock as pages have it: what is left at a time, ms. */
const timed = ({ left, running }, ms) => ({ running, left: left.map((it, seat) => (seat === running ? it - ms : it)) });

class Theatre extends Component {
  play = new this.props.shown.widgets.Play(this);
  reel = new Reel(this.props.evening);
  other = this.props.evening.other && new Reel(this.props.evening.other);
  live = { up: false, send: () => false };
  hands = false;
  shared = false;
  wide = window.matchMedia("(min-width: 45em)").matches;
  state = { link: "up", form: "", own: this.play.state, you: { host: false, seats: [], people: [] }, i: 0, speed: 4, playing: false, skip: true, missing: "" };

  componentDidMount() {
    this.settings = new Settings(() => this.forceUpdate());
    document.addEventListener("keydown", this.key);
    window.addEventListener("hashchange", this.follow);
    this.shining = setInterval(this.shine, SHINE);
    this.go(0);
    this.follow();
    for (const reel of [this.reel, this.other]) reel && setTimeout(() => reel.finish());
  }

  componentWillUnmount() {
    document.removeEventListener("keydown", this.key);
    window.removeEventListener("hashchange", this.follow);
    clearInterval(this.shining);
    cancelAnimationFrame(this.frame);
  }

  /** What widgets ask of the page that they are on; nothing can be done in what is over. */
  get widgets() { return this.props.shown.widgets; }
  send() {}
  act() {}
  ask() {}
  toggle = () => () => {};

  /** Opens the rules, at the paragraph of one. */
  lookUp = (rule) => this.setState({ rule });

  rulebook() {
    const close = () => this.setState({ rule: null });
    return html`<dialog ref=${(dialog) => dialog?.open === false && dialog.showModal()} aria-label=${phrase("page.rules")} onClose=${close}
      onClick=${(event) => event.target === event.currentTarget && close()}><${Rules} board=${this.props.board} id=${this.state.rule} close=${close} /></dialog>`;
  }

  /** Shows a moment. */
  go(i, also = {}) {
    const before = this.state.table;
    const table = this.shownOf(this.reel, i);
    this.now = Math.max(this.reel.at(i), Math.min(this.now ?? 0, this.until(i)));
    this.setState({ table, i, ...also });
    if (before) this.play.seen(table, before);
  }

  /** What a reel shows at a moment, as pages have it. */
  shownOf(reel, i) {
    const state = reel.state(i);
    const newest = reel.told[reel.telling(i)];
    return {
      notices: [], ...state, clock: state.clock && timed(state.clock, reel.at(i)), passed: () => this.now - reel.at(i), match: this.props.evening.name, simulated: false, moves: [], touches: [], words: {}, acts: [],
      active_sensors: Object.keys(state.active_sensors), marks: Object.keys(state.marks).map(marked), log: newest ? [{ n: 1, text: newest[2], rule: newest[3], final: true }] : [],
    };
  }

  /** Until when a moment lasted, ms. */
  until(i) {
    return i + 1 < this.reel.length ? this.reel.at(i + 1) - 1 : this.reel.end;
  }

  /** Somebody chose a moment: it stands still, and the address leads to it. */
  seek(i) {
    if (i < 0) return;
    cancelAnimationFrame(this.frame);
    this.filming?.stop();
    this.filming = null;
    this.now = this.reel.at(i);
    this.go(i, { playing: false, missing: "" });
    history.replaceState(null, "", `#n=${this.reel.fact(i)}`);
  }

  /** Opens at the moment that the address names. */
  follow = () => {
    const wanted = location.hash.slice(1);
    if (!wanted) return;
    const n = /^n=\d+$/.test(wanted) ? Number(wanted.slice(2)) : NaN;
    const i = this.reel.after(n);
    const [first, last] = [this.reel.fact(0), this.reel.fact(this.reel.length - 1)];
    if (i >= 0) this.seek(i);
    else this.setState({ missing: phrase("page.no_moment", { wanted: wanted.slice(0, 40), first, last }) });
  };

  step = (by, kinds = KINDS) => {
    const to = this.reel.next(this.state.i, by, kinds);
    if (to >= 0) this.seek(to);
    else if (by < 0) this.seek(0);
  };

  nudge = (by) => this.seek(Math.max(0, Math.min(this.reel.length - 1, this.state.i + by)));

  toggling = () => (this.state.playing ? this.pause() : this.start());

  pause() {
    cancelAnimationFrame(this.frame);
    this.filming?.stop();
    this.filming = null;
    this.setState({ playing: false });
    history.replaceState(null, "", `#n=${this.reel.fact(this.state.i)}`);
  }

  start() {
    if (this.state.i === this.reel.length - 1) this.seek(0);
    this.setState({ playing: true, missing: "" });
    let before = performance.now();
    const turn = (now) => {
      if (this.pass((now - before) * this.state.speed)) this.frame = requestAnimationFrame(turn);
      else this.pause();
      before = now;
    };
    this.frame = requestAnimationFrame(turn);
  }

  /** So many ms of the evening go by; false at its end. */
  pass(ms) {
    this.now += ms;
    const next = this.state.i + 1;
    if (this.state.skip && next < this.reel.length && this.reel.at(next) - this.now > PAUSE) this.now = this.reel.at(next) - LEAD * Math.min(1, this.state.speed);
    const i = this.reel.during(this.now);
    if (i !== this.state.i) this.go(i);
    else this.timeline?.show(this.now);
    return i < this.reel.length - 1;
  }

  faster = (by) => {
    const at = SPEEDS.indexOf(this.state.speed) + by;
    if (SPEEDS[at]) this.setState({ speed: SPEEDS[at] });
  };

  /** The lights as they were, blinking as the board does it. */
  shine = () => {
    const { lights } = this.board ?? {};
    if (!lights || !this.state.table) return;
    const { evening } = this.props;
    lights.frame = colours(this.state.table.pixels, evening.looks, performance.now());
    lights.paint();
    if (!this.beside?.lights || !this.otherwise) return;
    this.beside.lights.frame = colours(this.otherwise.pixels, evening.other.looks, performance.now());
    this.beside.lights.paint();
  };

  /** The board; beside it what it would have been. */
  stage() {
    const { board, evening } = this.props;
    const { Board } = this.widgets;
    const { table, own } = this.state;
    const drawn = (state, mounted) => html`<${Board} mounted=${mounted} board=${board} state=${state} calm=${this.settings.calm} showSensors=${this.settings.sensors} app=${this} ...${own} />`;
    const first = drawn(table, (it) => (this.board = it));
    if (!this.other) return html`<div class="stage" inert>${first}</div>`;
    this.otherwise = this.shownOf(this.other, this.other.during(this.now));
    const told = (state) => state.log[0]?.text ?? "";
    return html`<${Pair} was=${{ name: phrase("page.as_ruled"), told: told(table) }} other=${{ name: evening.other.label, told: told(this.otherwise) }}
      boards=${[first, drawn(this.otherwise, (it) => (this.beside = it))]} />`;
  }

  /** The board as a file of its own. */
  keep = () => give(`${this.props.evening.name}-${this.reel.fact(this.state.i)}.svg`, new Blob([pictureOf(document.querySelector(".stage"))], { type: "image/svg+xml" }));

  /** Films what is played from here, until that stops or somebody says so. */
  film = () => {
    if (this.filming) return this.pause();
    if (this.state.i === this.reel.length - 1) this.seek(0);
    const { name } = this.props.evening;
    const from = this.reel.fact(this.state.i);
    this.filming = new Film(document.querySelector(".stage"), (film) => give(`${name}-${from}.webm`, film));
    this.filming.ready.then(() => this.start());
  };

  key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("select")) return;
    const go = event.shiftKey ? this.nudge : this.step;
    const keys = {
      ArrowLeft: () => go(-1), ArrowRight: () => go(1), Home: () => this.seek(0), End: () => this.seek(this.reel.length - 1),
      "+": () => this.faster(1), "-": () => this.faster(-1),
      s: () => this.settings.toggle("sensors"), c: () => this.settings.toggle("calm"), l: () => this.settings.toggle("light"),
    };
    if (event.key === " " && !event.target.closest?.("button, summary, a")) keys[" "] = this.toggling;
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };

  switches() {
    const buttons = [["sensors", phrase("page.sensors"), "◉"], ["calm", phrase("page.calm"), "≈"], ["light", phrase("page.light"), "◐"]];
    return html`<nav class="switches" aria-label=${phrase("page.this_page")}>
      ${buttons.map(([name, text, sign]) => html`<button class="tool" aria-pressed=${this.settings[name]} aria-label=${text}
        onClick=${() => this.settings.toggle(name)}><span aria-hidden="true">${sign}</span><b>${text}</b></button>`)}
    </nav>`;
  }

  player() {
    const { i, playing, speed, skip } = this.state;
    const counts = JUMPS.map(([kind, text]) => [kind, text, this.reel.told.filter((line) => line[1] === kind).length]);
    return html`<section class="card player" aria-label=${phrase("page.play")}>
      <${Timeline} ref=${(timeline) => (this.timeline = timeline)} reel=${this.reel} now=${this.now} seek=${(ms) => this.seek(this.reel.during(ms))} />
      <div class="row buttons">
        <button aria-label=${phrase("page.ruling_before")} onClick=${() => this.step(-1)}><${Sign} path="M-6-6v12M6-6-3 0 6 6z" /></button>
        <button class="main" data-play aria-label=${playing ? phrase("page.pause") : phrase("page.play")} onClick=${this.toggling}><${Sign} path=${playing ? "M-4-6v12M4-6v12" : "M-4-7 6 0-4 7z"} /></button>
        <button aria-label=${phrase("page.ruling_next")} onClick=${() => this.step(1)}><${Sign} path="M6-6v12M-6-6 3 0-6 6z" /></button>
        <label>${phrase("page.speed")} <select value=${speed} onChange=${(event) => this.setState({ speed: Number(event.currentTarget.value) })}>
          ${SPEEDS.map((each) => html`<option value=${each} selected=${each === speed}>${each} ×</option>`)}</select></label>
      </div>
      <details class="rarely" open=${this.wide}><summary>${phrase("page.more")}</summary>
        <div class="row buttons">
          <button class="switch" role="switch" aria-checked=${skip} onClick=${() => this.setState({ skip: !skip })}><i></i>${phrase("page.skip")}</button>
          <a href=${`#n=${this.reel.fact(i)}`} data-link>${phrase("page.link_here")}</a>
          ${films() && html`<button data-film aria-pressed=${!!this.filming} onClick=${this.film}>${this.filming ? phrase("page.stop_film") : phrase("page.film")}</button>`}
          <button data-picture onClick=${this.keep}>${phrase("page.as_picture")}</button>
        </div>
        ${counts.some(([, , count]) => count) && html`<div class="row jumps">
          ${counts.map(([kind, text, count]) => count > 0 && html`<button key=${kind} class=${`jump told-${kind}`} onClick=${() => this.jump(kind)}>${text} <span class="hint">(${count})</span></button>`)}
        </div>`}
      </details>
    </section>`;
  }

  /** To the next of a kind; after the last to the first. */
  jump(kind) {
    const to = this.reel.next(this.state.i, 1, [kind]);
    this.seek(to >= 0 ? to : this.reel.told.find((line) => line[1] === kind)[0]);
  }

  /** What was asked then, with its answers, and what hands had to do. */
  asked() {
    const { question, todo } = this.state.table;
    return html`
      ${question && html`<${Card} title=${question.text} kind="question">
        <ul class="list answers">${question.choices.map((choice) => html`<li key=${choice.name}>${choice.text}</li>`)}</ul><//>`}
      ${todo?.length > 0 && html`<${Card} title=${phrase("page.by_hand")} kind="todo">
        <ol class="list steps">${todo.map((item) => html`<li>${item.text}</li>`)}</ol><//>`}`;
  }

  /** The readings of a roll that were weighed for what is told, with their odds. */
  why() {
    const { i } = this.state;
    const line = this.reel.told[this.reel.telling(i)];
    const weighed = line && this.reel.told.find((it) => it[0] === line[0] && it[4].length);
    return weighed && html`<${Card} title=${phrase("page.why")} kind="why">
      <ol class="odds">${weighed[4].map(([who, ppm, text]) => html`<li class=${who}><b>${decimal(ppm / 1e4, ppm < 1e4 ? 3 : 1)} %</b>
        <span>${text}</span><span class="chip">${WEIGHED[who]}</span></li>`)}</ol><//>`;
  }

  /** Hands whose seal was opened. */
  shownHands() {
    const { hands = {}, seats } = this.state.table;
    const some = Object.entries(hands);
    return some.length > 0 && html`<${Card} title=${phrase("page.opened_hands")} kind="hands">
      <dl>${some.map(([seat, cards]) => html`<dt>${seats[seat]}</dt><dd>${cards.join(", ")}</dd>`)}</dl><//>`;
  }

  log() {
    const told = this.reel.telling(this.state.i);
    const { i } = this.state;
    const from = Math.max(0, told - BEFORE);
    const lines = this.reel.told.slice(from, told + AFTER);
    return html`<section class="card log" aria-label=${phrase("page.rulings")}>
      <header><h2>${phrase("page.rulings")}</h2><span class="hint">${phrase("page.of", { some: told + 1, all: this.reel.told.length })}</span></header>
      <ol class="entries" tabindex="0" aria-label=${phrase("page.oldest_first")} ref=${this.scrolled}>
        ${lines.map(([moment, kind, text, rule], k) => html`<li key=${k} class=${names(`told-${kind}`, moment === i && "now", moment > i && "later")}
            aria-current=${from + k === told ? "true" : undefined}>
          <span class="number">${clock(this.reel.at(moment))}</span>
          <button class="what" tabindex="-1" onClick=${() => this.seek(moment)}>${text}</button>
          ${rule && html`<${Rule} id=${rule} app=${this} />`}</li>`)}
      </ol>
    </section>`;
  }

  /** What is told now is in sight. */
  scrolled = (list) => {
    this.list = list;
  };

  componentDidUpdate() {
    const line = this.list?.querySelector("[aria-current]");
    if (!line || this.told === line.textContent + this.state.i) return;
    this.told = line.textContent + this.state.i;
    this.list.scrollTop = line.offsetTop - this.list.clientHeight / 2;
  }

  render({ evening, board, shown }, { table, i, you, missing }) {
    if (!table || !this.settings) return null;
    const notices = [...evening.notices, ...(shown.trouble ? [shown.trouble] : []), ...(missing ? [missing] : [])];
    return html`<div class=${names("page theatre", table.duo && "duo", table.game)}>
      <header class="top">
        <h1><svg viewBox="-32 -28 64 56" aria-hidden="true"><path d="M29 0 14.5 25.1h-29L-29 0l14.5-25.1h29z" /></svg>${board.game}</h1>
        <span class="title">${evening.name}</span>
        ${this.switches()}
      </header>
      ${notices.map((notice) => html`<p key=${notice} class="banner notice" role="status"><span>${notice}</span></p>`)}
      <main>
        <${Ruling} state=${table} you=${you} live="polite" app=${this} />
        ${this.stage()}
        <div class="dock">${this.player()}</div>
        ${this.log()}
        <div class="health beside">
          ${this.other && html`<${Changes} ...${evening.other} seek=${(ms) => this.seek(this.reel.during(ms))} />`}
          ${this.asked()}${this.why()}${this.shownHands()}
          <${Eye} seen=${evening.seen} ms=${this.reel.at(i)} />
          ${this.reel.signs.length > 0 && html`<${Signs} reel=${this.reel} i=${i} />`}
          <details class="card keys"><summary>${phrase("page.keys")}</summary>
            <dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl></details>
        </div>
      </main>
      ${this.state.rule && this.rulebook()}
    </div>`;
  }
}

/** Rows of columns, in which numbers that only grow are kept as what they grew by: `growing` of the first ones. */
function rows(columns, growing) {
  const sums = columns.slice(0, growing).map(() => 0);
  return columns[0].map((_, i) => columns.map((column, k) => (k < growing ? (sums[k] += column[i]) : column[i])));
}

/** An evening's moments and signs as they are read. */
const inRows = (evening) => evening && { ...evening, moments: rows(evening.moments, 2), signs: rows(evening.signs, 1), other: inRows(evening.other) };

/** What the file carries, unpacked. */
async function unpacked() {
  const letters = atob(document.getElementById("evening").textContent);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) packed[i] = letters.charCodeAt(i);
  return inRows(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json());
}

/** The game's own widgets, where it brings some. */
async function dressed(bring, game) {
  try {
    return { widgets: bring ? merged((await bring()).widgets) : COMMON, trouble: "" };
  } catch (error) {
    return { widgets: COMMON, trouble: complaint(game, error) };
  }
}

/** Shows the evening in this file; `bring` imports the script of its game. */
export async function open(bring) {
  const evening = await unpacked();
  const board = onScreen(evening.board);
  learn(evening.board.page.words);
  const shown = await dressed(bring, evening.board.game);
  const root = document.getElementById("app");
  root.replaceChildren();
  render(html`<${Theatre} evening=${evening} board=${board} shown=${shown} />`, root);
}
