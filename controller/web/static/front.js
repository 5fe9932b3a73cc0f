/** The front door: the games that there are as pictures, how each can be played, and what goes on from last time. */
import { asked } from "./home.js";
import { html, names } from "./html.js";
import { Card, Sure } from "./parts.js";
import { Component } from "./vendor/preact.mjs";
import { COLOURS, phrase } from "./words.js";

const AGAIN = 1000; // ms
const MINUTES = 600; // of a side, at most
const SECONDS = 999; // that a turn adds, at most
const NOBODY = { name: "", colour: -1 };

export class Front extends Component {
  state = { told: null, chosen: "", how: "book", options: {}, people: [], clock: "" };

  componentDidMount() {
    this.ask();
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.closed = true;
  }

  /** Until it is told. */
  ask = async () => {
    const { told } = await asked("/front");
    if (this.closed) return;
    if (told) this.open(told);
    else this.timer = setTimeout(this.ask, AGAIN);
  };

  /** What there is; who played last, or has taken a seat, is here still, where they began. */
  open(told) {
    const people = this.props.app.state.table.seats.map((_, seat) => ({ name: told.names[seat] ?? "", colour: told.colours[seat] ?? -1 }));
    this.setState({ told, people, clock: told.clock });
  }

  /** Somebody's name or colour. */
  call = (seat, what) => this.setState(({ people }) => {
    const named = Array.from({ length: Math.max(people.length, seat + 1) }, (_, n) => people[n] ?? NOBODY);
    named[seat] = { ...named[seat], ...what };
    return { people: named };
  });

  /** Who plays where, by lot. */
  lots = (count) => this.setState(({ people }) => {
    const drawn = Array.from({ length: count }, (_, n) => people[n] ?? NOBODY);
    for (let k = count - 1; k > 0; k--) {
      const other = Math.floor(Math.random() * (k + 1));
      [drawn[k], drawn[other]] = [drawn[other], drawn[k]];
    }
    return { people: [...drawn, ...people.slice(count)] };
  });

  choose = (game) => {
    const how = game.presets.first && !game.presets.house ? "first" : game.presets.house ? "house" : "book";
    this.setState(({ chosen }) => ({ chosen: chosen === game.name ? "" : game.name, how, options: {} }));
  };

  begin = (game, how) => () => {
    const { told, options, people, clock } = this.state;
    const seats = playing(game, how, options).map((_, seat) => people[seat] ?? NOBODY);
    const fresh = { options, clock, names: seats.map(({ name }) => name), colours: seats.map(({ colour }) => colour) };
    this.props.app.send({ type: "new", game: game.name, how, match: told.match, ...(how === "on" ? {} : fresh) });
  };

  render({ app, close, first }, { told, chosen, how, options, people, clock }) {
    if (!told) return html`<${Card} title=${phrase("page.front_title")} kind="front" close=${close}><p class="hint">${phrase("page.waiting")}</p><//>`;
    const { refused } = app.state;
    const now = told.games.find((game) => game.name === told.game);
    const left = told.games.filter((game) => game.left && !game.why);
    return html`<${Card} title=${phrase("page.front_title")} kind="front" close=${close}>
      ${first && html`<p class="hint">${phrase("page.front_welcome", { game: now?.title ?? told.game })}</p>`}
      ${refused && html`<p class="refused" role="alert">${refused.reason}</p>`}
      ${left.length > 0 && html`<div class="row">${left.map((game) => html`<button key=${game.name} class="main" data-on=${game.name}
        onClick=${this.begin(game, "on")}>${phrase("page.front_on")}: ${game.title} <small>(${game.left})</small></button>`)}</div>`}
      <ul class="games">${told.games.map((game) => html`<${Game} key=${game.name} game=${game} open=${chosen === game.name}
        now=${!first && game.name === told.game} fresh=${first} how=${how} options=${options} people=${people} call=${this.call} lots=${this.lots} choose=${this.choose} begin=${this.begin}
        timed=${{ about: told.timed, clock, set: (it) => this.setState({ clock: it }) }}
        play=${(name) => this.setState({ how: name, options: {} })}
        set=${(name, value) => this.setState({ options: { ...options, [name]: value } })} />`)}</ul>
      ${told.again.length > 0 && html`<details class="rarely again"><summary>${phrase("page.front_again")}</summary><ul class="list">${told.again.map((it) => html`<li key=${it.name}>
        <a href=${`again/${it.name}`} target="_blank" data-again=${it.name}>${it.title}</a><span class="hint">${[it.date, it.lasted, it.outcome].filter(Boolean).join(" · ")}</span></li>`)}</ul></details>`}
    <//>`;
  }
}

/** The seats that a game is played with as it is chosen; an option `seats` is how many. */
const playing = ({ seats, presets }, how, options) => seats.slice(0, options.seats ?? presets[how]?.seats ?? seats.length);

/** For how many a game is: "2–6". */
function many({ seats, options }) {
  const least = options.find(({ name }) => name === "seats")?.least ?? seats.length;
  return least < seats.length ? `${least}–${seats.length}` : seats.length;
}

function Game({ game, open, now, fresh, how, options, people, call, lots, choose, begin, play, set, timed }) {
  const { name, title, aim, why, picture } = game;
  return html`<li class=${names("game", open && "open", why && "cannot")} data-game=${name}>
    <button class="choose" aria-expanded=${why ? undefined : String(open)} disabled=${!!why} onClick=${() => choose(game)}>
      ${picture && html`<${Picture} ...${picture} />`}
      <span><b>${title}</b>${game.seats && html` <i class="chip">${phrase("page.front_many", { many: many(game) })}</i>`}${now && html` <i class="chip">${phrase("page.front_playing")}</i>`}<span class="aim">${aim}</span></span>
    </button>
    ${why && html`<p class="hint">${phrase("page.front_cannot")}: ${why}</p>`}
    ${open && html`<div class="how">
      <${Presets} game=${game} how=${how} play=${play} />
      <${People} seats=${playing(game, how, options)} people=${people} call=${call} lots=${lots} />
      <${More} game=${game} how=${how} options=${options} set=${set} timed=${timed} />
      <div class="row">${now
        ? html`<${Sure} name="begin" act=${begin(game, how)} really=${phrase("page.front_really")}>${phrase("page.front_begin")}<//>`
        : html`<button class="main" data-action="begin" onClick=${begin(game, how)}>${phrase("page.front_begin")}</button>`}
        ${!fresh && html`<span class="hint">${now ? phrase("page.front_same") : phrase("page.front_kept")}</span>`}</div>
    </div>`}
  </li>`;
}

/** A position as its game shows itself, drawn in this page's colours. */
const Picture = ({ box, shapes }) => html`<svg class="picture" viewBox=${box} aria-hidden="true">
  ${shapes.map(([kind, path], n) => html`<path key=${n} class=${kind} d=${path} />`)}
</svg>`;

const KINDS = { first: "page.front_first", book: "page.front_book", house: "page.front_house" };

/** By the book, a first game, as last time: with what is otherwise than by the book. */
function Presets({ game, how, play }) {
  const { book, ...others } = game.presets;
  const about = Object.fromEntries(game.options.map((option) => [option.name, option]));
  const told = (values) => Object.keys(values).filter((name) => about[name] && values[name] !== book[name])
    .map((name) => `${about[name].text}: ${shown(values[name], about[name])}`).join(" · ");
  const kinds = Object.keys(KINDS).filter((kind) => kind === "book" || others[kind]);
  if (kinds.length === 1) return null;
  return html`<fieldset><legend>${phrase("page.front_how")}</legend>
    ${kinds.map((kind) => html`<label key=${kind} class="preset"><input type="radio" name=${`how-${game.name}`} value=${kind} checked=${how === kind}
      onChange=${() => play(kind)} /><span><b>${phrase(KINDS[kind])}</b>${kind !== "book" && html`<span class="aim">${kind === "first" ? phrase("page.front_first_means") : told(others[kind])}</span>`}</span></label>`)}
  </fieldset>`;
}

/** Who plays where: names and colours, for those who like. */
const People = ({ seats, people, call, lots }) => html`<details class="rarely people"><summary>${phrase("page.front_people")}</summary>
  ${seats.map((seat, n) => {
    const { name, colour } = people[n] ?? NOBODY;
    return html`<div key=${n} class="row"><label class="field grow">${seat}
        <input data-name=${n} value=${name} maxlength="40" autocomplete="off" onInput=${(event) => call(n, { name: event.currentTarget.value })} /></label>
      <label class="field">${phrase("page.front_colour")}
        <select data-colour=${n} onChange=${(event) => call(n, { colour: event.currentTarget.selectedIndex - 1 })}>
          ${["–", ...COLOURS].map((text, k) => html`<option key=${k} selected=${k - 1 === colour}>${text}</option>`)}</select></label></div>`;
  })}
  ${people.slice(0, seats.length).filter(({ name }) => name).length > 1 && html`<p><button data-lots onClick=${() => lots(seats.length)}>${phrase("page.front_lots")}</button></p>`}
</details>`;

/** A value of an option, in words where its game has any. */
const shown = (value, { choices, called }) => (value === true ? phrase("page.front_yes") : value === false ? phrase("page.front_no")
  : called[choices.indexOf(value)] || String(value));

/** Every option in plain words. */
function More({ game, how, options, set, timed }) {
  const values = { ...game.presets[how], ...options };
  const plain = game.options.filter(({ group }) => group !== "rulings");
  const rulings = game.options.filter(({ group }) => group === "rulings");
  const field = (option) => html`<${Field} key=${option.name} ...${option} value=${values[option.name]} set=${set} />`;
  return html`<details class="rarely"><summary>${phrase("page.front_more")}</summary>
    ${plain.length > 0 && html`<div class="fields">${plain.map(field)}</div>`}
    <${Clock} ...${timed} />
    ${rulings.length > 0 && html`<details class="rarely"><summary>${phrase("page.front_rulings")}</summary><div class="fields">${rulings.map(field)}</div></details>`}
  </details>`;
}

/** The time of each side, as "10+5": minutes, and the seconds that a turn adds; no minutes, no clock. */
function Clock({ about, clock, set }) {
  const [minutes = "", seconds = "0"] = clock ? clock.split("+") : [];
  const say = (min, sec) => set(min > 0 ? `${Math.trunc(min)}${sec > 0 ? `+${Math.trunc(sec)}` : ""}` : "");
  const number = (name, value, most, told, heard) => html`<label class="field">${told}
    <input data-clock=${name} type="number" inputmode="numeric" min="0" max=${most} value=${value} disabled=${name === "seconds" && !clock}
      onInput=${(event) => heard(Number(event.currentTarget.value))} /></label>`;
  return html`<fieldset class="timed"><legend>${phrase("page.front_clock")}</legend>
    <p class="hint">${about}</p>
    <div class="fields">${number("minutes", minutes, MINUTES, phrase("page.front_minutes"), (it) => say(Math.min(it, MINUTES), Number(seconds)))}
      ${number("seconds", clock ? seconds : "", SECONDS, phrase("page.front_seconds"), (it) => say(Number(minutes), Math.min(it, SECONDS)))}</div>
  </fieldset>`;
}

function Field({ name, text, rule, choices, called, least, most, value, set }) {
  const kind = typeof value;
  const every = kind === "boolean" ? [true, false] : choices;
  return html`<label class="field">${text} ${rule && html`<code>${rule}</code>`}
    ${every.length > 0
      ? html`<select data-option=${name} onChange=${(event) => set(name, every[event.currentTarget.selectedIndex])}>
          ${every.map((choice) => html`<option key=${choice} selected=${choice === value}>${shown(choice, { choices, called })}</option>`)}</select>`
      : html`<input data-option=${name} type=${kind === "number" ? "number" : "text"} min=${least} max=${most} maxlength="400" value=${value}
          onChange=${(event) => set(name, kind === "number" ? Number(event.currentTarget.value) : event.currentTarget.value)} />`}
  </label>`;
}
