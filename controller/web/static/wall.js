/** The wall of a hall: every board, and what games came to. It shows what boards tell everybody, and has no controls. */
import { awake } from "./device.js";
import { dress } from "./dress.js";
import { html, names } from "./html.js";
import { Live } from "./live.js";
import { hue } from "./parts.js";
import { Component, render } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const language = document.documentElement.lang;
const DAY = 86_400_000; // ms
const HOUR = 3600; // s
const SOON = 50; // ms until what came is drawn

/** A moment (Unix s): the time of day, with its date where it is long ago. */
function moment(at) {
  const long = Math.abs(Date.now() - 1000 * at) > DAY / 2;
  return new Date(1000 * at).toLocaleString(language, { ...(long && { month: "short", day: "numeric" }), hour: "2-digit", minute: "2-digit" });
}

/** Seconds in words. */
const span = (s) => s < HOUR ? phrase("page.wall_minutes", { count: Math.round(s / 60) }) : phrase("page.wall_hours", { count: Math.round(s / HOUR) });

/** What should be looked at, at a board. */
function ills({ silent, since, torn, waiting, drift, wrong = [] }) {
  return [
    silent && phrase("page.wall_silent", { since: since ? moment(since) : "–" }),
    torn && phrase("page.wall_torn"),
    waiting > 100 && phrase("page.wall_waiting", { count: waiting }),
    drift > 0 && phrase("page.wall_ahead", { span: span(drift) }),
    drift < 0 && phrase("page.wall_behind", { span: span(-drift) }),
    ...wrong,
  ].filter(Boolean);
}

class Board extends Component {
  shouldComponentUpdate({ board }) {
    return board !== this.props.board;
  }

  render({ board }) {
    const { name, title, game, own, seats = [], active, duo, scores, outcome, phase, prompt, paused, standing = [], newest, final, link, silent } = board;
    const over = phase === "over";
    const said = (over && outcome) || (paused && phrase("page.in_pause")) || prompt;
    const ill = ills(board);
    return html`<li><article class=${names("card", duo && "duo", own, silent && "silent", ill.length > 0 && "ill")} data-board=${name} aria-label=${name}>
      <header><h2>${name}</h2>${game && html`<span class="chip">${game}</span>`}</header>
      ${title && html`<p class="hint">${title}</p>`}
      <ul class="seats">${seats.map((seat, n) => html`<li key=${n} class=${names("seat", hue(n), !over && n === active && "active")}
        aria-current=${!over && n === active ? "true" : undefined}><bdi>${seat}</bdi>${scores && html` <b class="score">${scores[n]}</b>`}</li>`)}</ul>
      ${said && html`<p class="prompt">${said}</p>`}
      ${standing.map((line, n) => html`<p key=${n} class="hint">${line}</p>`)}
      ${newest && newest !== said && html`<p class="newest">${newest}${!final && html` <em class="pending">${phrase("page.not_final")}</em>`}</p>`}
      ${ill.length > 0 && html`<ul class="ills">${ill.map((it) => html`<li key=${it}>${it}</li>`)}</ul>`}
      ${link && html`<a href=${link} target="_blank" rel="noreferrer" aria-label=${phrase("page.wall_watch_board", { board: name })}>${phrase("page.wall_watch")}</a>`}
    </article></li>`;
  }
}

function Results({ results, most }) {
  return html`<section class="card results"><h2>${phrase("page.wall_results")}</h2>
    <table><thead><tr><th scope="col">${phrase("page.wall_when")}</th><th scope="col">${phrase("page.wall_board")}</th><th scope="col">${phrase("page.wall_game")}</th><th scope="col">${phrase("page.wall_result")}</th></tr></thead>
      <tbody>${results.map(({ match, at, board, game, seats, scores }) => html`<tr key=${board + match}>
        <td>${moment(at)}</td><td>${board}</td><td>${game}</td>
        <td>${seats.map((seat, n) => `${seat} ${scores[n]}`).join(" · ")}</td></tr>`)}</tbody></table>
    ${most > 0 && html`<p class="hint">${phrase("page.wall_most", { count: most })}</p>`}</section>`;
}

/** Points with their half: 2½. */
const halves = (points) => points % 1 === 0.5 ? `${Math.floor(points) || ""}½` : points.toLocaleString(language);

function Pairings({ pairings, byes, half_byes, full_byes, rests, absent }) {
  const alone = [...byes.map((name) => phrase("page.wall_bye", { name })), ...half_byes.map((name) => phrase("page.wall_half_bye", { name })),
    ...full_byes.map((name) => phrase("page.wall_full_bye", { name })), ...rests.map((name) => phrase("page.wall_rest", { name })),
    ...absent.map((name) => phrase("page.wall_absent", { name }))];
  return html`<table><thead><tr><th scope="col">${phrase("page.wall_table")}</th><th scope="col">${phrase("page.wall_first")}</th><th scope="col">${phrase("page.wall_second")}</th>
      <th scope="col">${phrase("page.wall_came")}</th><th scope="col">${phrase("page.wall_board")}</th></tr></thead>
    <tbody>${pairings.map(({ table, seats, board, result, why }) => html`<tr key=${table}>
      <td>${table}</td><td>${seats[0]}</td><td>${seats[1]}</td><td><b>${result}</b></td><td>${board}${why && html`<p class="hint">${why}</p>`}</td></tr>`)}</tbody></table>
    ${alone.map((said) => html`<p key=${said} class="hint">${said}</p>`)}`;
}

function Places({ after, places }) {
  return html`<h2>${phrase("page.wall_after", { count: after })}</h2>
    <table><thead><tr><th scope="col">${phrase("page.wall_place")}</th><th scope="col">${phrase("page.wall_who")}</th><th scope="col">${phrase("page.wall_result")}</th><th scope="col">${phrase("page.wall_buchholz")}</th><th scope="col">${phrase("page.wall_sonneborn")}</th></tr></thead>
      <tbody>${places.map(({ rank, name, points, buchholz, sonneborn, away }) => html`<tr key=${name}>
        <td>${rank}</td><td>${away ? phrase("page.wall_left", { name }) : name}</td><td><b>${halves(points)}</b></td><td>${halves(buchholz)}</td><td>${halves(sonneborn)}</td></tr>`)}</tbody></table>`;
}

function Tournament({ tournament }) {
  const { name, round, rounds, why, places } = tournament;
  const counted = rounds ? "page.wall_tournament" : "page.wall_uncounted";
  const heading = round ? counted : "page.wall_unpaired";
  return html`<section class="card tournament">
    ${why && html`<p class="banner" role="alert">${why}</p>`}
    ${places && html`<div><h2>${phrase(heading, { name, round, rounds })}</h2>
      ${round > 0 && html`<${Pairings} ...${tournament} />`}</div>
      <div><${Places} ...${tournament} /></div>`}
  </section>`;
}

class Wall extends Component {
  state = { boards: {}, results: [], most: 0, tournament: null, why: "", link: "up" };

  componentDidMount() {
    this.live = new Live(this.hear, (link) => this.setState({ link }));
    this.sleepless = awake();
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
    this.live.close();
    this.sleepless();
  }

  /** What comes together is drawn together. */
  heard = new Map();

  draw = () => {
    this.timer = undefined;
    this.setState(({ boards }) => ({ boards: { ...boards, ...Object.fromEntries(this.heard) } }));
    this.heard.clear();
  };

  /** Seats have their game's own colours. */
  dressed = new Set();

  dress({ own, style }) {
    if (!style || this.dressed.has(own)) return;
    this.dressed.add(own);
    dress(style, `style-of-${own}`).catch(console.warn);
  }

  hear = (message) => {
    if (message.type === "board") {
      this.dress(message);
      this.heard.set(message.name, message);
      this.timer ??= setTimeout(this.draw, SOON);
    } else if (message.type === "results") this.setState({ results: message.results, most: message.most });
    else if (message.type === "tournament") this.setState({ tournament: message });
    else if (message.type === "hall") this.setState({ why: message.why });
  };

  render(_, { boards, results, most, tournament, why, link }) {
    const known = Object.values(boards).sort((a, b) => a.name.localeCompare(b.name, language, { numeric: true }));
    const away = link === "barred" ? phrase("page.wall_barred") : link === "crowded" ? phrase("page.crowded") : link !== "up" ? phrase("page.wall_unheard") : why;
    const silent = known.filter((board) => board.silent).length;
    return html`<div role="main" class=${names("wall", link !== "up" && "unheard")}>
      <h1>${phrase("page.wall_title", { count: known.length })}${silent > 0 && html` <span class="chip bad">${phrase("page.wall_silent_count", { count: silent })}</span>`}</h1>
      <p class=${names(away && "banner")} role="alert">${away}</p>
      ${known.length === 0 && !away && html`<p class="hint">${phrase("page.wall_nobody")}</p>`}
      ${tournament && html`<${Tournament} tournament=${tournament} />`}
      <ul class="boards">${known.map((board) => html`<${Board} key=${board.name} board=${board} />`)}</ul>
      ${results.length > 0 && html`<${Results} results=${results} most=${most} />`}
    </div>`;
  }
}

document.title = phrase("page.wall_name");
const light = matchMedia("(prefers-color-scheme: light)");
const themed = () => (document.documentElement.dataset.theme = light.matches ? "light" : "dark");
light.addEventListener("change", themed);
themed();
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${Wall} />`, root);
