/** Everything beside the board: what is asked, what can be done, what was ruled, how the board is. */
import { SeatClock } from "./clock.js";
import { demand } from "./device.js";
import { html, names } from "./html.js";
import { InOrder, InTurn } from "./order.js";
import { Card, foremost, hue, Kept, once } from "./parts.js";
import { paragraph, Rule } from "./rules.js";
import { holder } from "./seats.js";
import { explained } from "./terms.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { joined, phrase } from "./words.js";

const PHASES = { asking: phrase("page.question"), over: phrase("page.over"), wrong: phrase("page.by_hand") };

/** Whose turn it is and the one sentence that matters now; `live` where the page has no `Heard`. */
export function Ruling({ state, you, refused, live, app }) {
  const { Seat, says } = app.widgets;
  const newest = state.log.find(({ aside }) => !aside);
  const over = state.phase === "over";
  const asks = demand(state);
  const turn = says.turn(state);
  return html`<section class=${names("ruling", hue(foremost(state)), state.phase)}>
    <div class="who">
      <${Line} state=${state}>${state.seats.map((_, seat) => html`<${Seat} seat=${seat} state=${state} />`)}<//>
      ${(!you.host || you.seats.length > 0) && html`<span class=${names("chip", you.seats.length > 0 && you.seats.every((seat) => state.people[seat]?.[0]) && "named")}>${you.seats.length ? phrase("page.you_are", { seats: joined(you.seats.map((seat) => state.people[seat]?.[0] || state.seats[seat])) }) : phrase("page.you_watch")}</span>`}
      <span class="turn">${PHASES[state.phase] || says.busy(state) || html`${turn}<span class="only-narrow">${state.simulated && (turn ? phrase("page.turn_simulated", { turn: "" }) : phrase("page.simulated"))}</span>`}</span>
    </div>
    <div class="says" aria-live=${live}>
      <p class="prompt">${asks}</p>
      ${app.settings.explain && asks === state.prompt && !over && html`<${Explained} rule=${state.prompt_rule} app=${app} />`}
      ${refused && html`<p class="refused">
        <span>${refused.reason}</span> ${refused.rule && html`<${Rule} id=${refused.rule} app=${app} />`}
      </p>`}
      ${app.state.told && html`<p class="newest told">${app.state.told}</p>`}
      ${!refused && newest && newest.text !== state.prompt && html`<p class="newest">${newest.text}
        ${newest.final === false && html` <em class="pending">${phrase("page.not_final")}</em>`}</p>`}
    </div>
    ${over && state.next.length > 0 && html`<p class="hint next">${phrase("page.next_begins")} ${state.next.join(" ")}</p>`}
    ${over && you.host && html`<div class="row">
      ${state.next.length > 0 && html`<button class="main" data-action="next" onClick=${() => app.send({ type: "new", how: "next", match: state.match })}>${phrase("page.next_game")}</button>`}
      <button class=${names(!state.next.length && "main")} data-action="new" onClick=${() => app.send({ type: "new", match: state.match })}>${state.next.length ? phrase("page.afresh") : phrase("page.new_game")}</button>
      <button onClick=${app.showGames(true)}>${phrase("page.another_game")}</button></div>`}
  </section>`;
}

/** The seats; on a phone in one line that a finger pushes sideways, with the foremost in sight. */
class Line extends Component {
  line = createRef();

  componentDidMount() {
    this.show();
  }

  componentDidUpdate({ state }) {
    if (foremost(state) !== foremost(this.props.state)) this.show();
  }

  show() {
    const line = this.line.current;
    const seat = line.children[foremost(this.props.state)];
    if (seat) line.scrollLeft += seat.getBoundingClientRect().left - line.getBoundingClientRect().left - 4; // px, its mark's
  }

  render({ children }) {
    return html`<div class="seats" ref=${this.line} role="group" tabindex="0" aria-label=${phrase("page.seats")}>${children}</div>`;
  }
}

/** The rule by which something is asked, for who plays a first time. */
function Explained({ rule, app }) {
  const text = rule && paragraph(app.props.board.rules, rule);
  return text && html`<p class="explained">${explained(text, app.props.board.rules)} <${Rule} id=${rule} app=${app} /></p>`;
}

/** Who sits at a seat; `kind` is a class of its own, the children are what else there is to say. */
export function Seat({ seat, state, kind, children }) {
  const over = state.phase === "over";
  const active = seat === state.active && !over;
  return html`<span class=${names("seat", hue(seat), active && "active", over && seat === foremost(state) && "won", kind)} aria-current=${active ? "true" : undefined}>
    ${state.people[seat]?.[0]
      ? html`<b class=${names("seat-name", state.people[seat][1] >= 0 && `own-${state.people[seat][1]}`)}>${state.seats[seat]}</b> <small>${state.people[seat][0]}</small>`
      : html`<span class="seat-name">${state.seats[seat]}</span>`}${children}
    ${state.clock && html`<${SeatClock} seat=${seat} state=${state} />`}
    ${state.scores && html`<b class="score">${state.scores[seat]}</b>`}
  </span>`;
}

/** For which of the seats that a question is asked of this page answers: -1 is the host, who speaks for the seats without
 * a phone, and in time for those that say nothing. */
const answering = ({ of }, late, you) => of.filter((seat) => (seat < 0 ? you.host : you.seats.includes(seat) || (you.host && (late || !holder(you, seat)))));

/** A question; where the answers' cells are marked on the board with numbers, the answers have them too. What only some
 * are asked has answers on their pages alone; of whom else a page answers for, the button has the name. */
export function Question({ question, board, state, you, numbered, app }) {
  const { Answer } = app.widgets;
  const answer = (choice) => app.send({ type: "decide", question: question.id, choice: choice.name });
  const ours = answering(question, state.late, you);
  const spoken = you.host ? ours.filter((seat) => seat >= 0).map((seat) => state.seats[seat]).join(", ") : "";
  const asked = !question.of.length || ours.length > 0;
  const buttons = () => html`<div class="choices">
      ${question.choices.map((choice, i) => html`<button class=${i ? "" : "main"}
        data-choice=${choice.name} onClick=${once(() => answer(choice))}><${Answer} name=${choice.name} board=${board} />${i < numbered && html`<b class="which">${i + 1}</b> `}${choice.text}${spoken && ` · ${spoken}`}</button>`)}
    </div>`;
  return html`<${Card} title=${question.text} kind="question">
    ${question.waits && html`<p class="hint">${state.late || question.waits}</p>`}
    <${InTurn} order=${app.order} question=${question} />
    ${asked && (question.ordered && question.choices.length > 2
      ? html`<${InOrder} key=${question.id} question=${question} board=${board} app=${app} />` : buttons())}
  <//>`;
}

/** What people still have to change on the board by hand: a movement each, the first one lit. A game may `list` them in
 * its own way, say more below, and let a simulated hand do them (`byHand`). */
export function ToDo({ state, app, list, byHand, children }) {
  const { todo, resume, wrong } = state;
  const right = () => app.rule("right");
  const title = resume ? phrase(resume.begun ? "page.welcome_back" : "page.look_board") : wrong ? phrase("page.no_move") : phrase("page.your_hands");
  return html`<${Card} title=${title} kind="todo">
    ${resume && html`<p>${resume.text}</p>`}
    ${wrong && html`<p class="refused"><span>${wrong.text}</span> ${wrong.rule && html`<${Rule} id=${wrong.rule} app=${app} />`}</p>`}
    ${list ?? html`<ol class="list steps">${todo.map((item) => html`<li>${item.text}</li>`)}</ol>`}
    ${children}
    <div class="row">
      ${byHand && html`<button class="main" onClick=${byHand}>${phrase("page.do_by_hand")}</button>`}
      ${wrong && app.hands && html`<button onClick=${() => app.send({ type: "hand", what: "mend" })}>${phrase("page.do_by_hand")}</button>`}
      <button class=${byHand ? "" : "main"} onClick=${right}>${phrase("page.it_is_right")}</button>
    </div>
  <//>`;
}

/** What was ruled, newest first. */
export class Log extends Component {
  kept = new Kept();

  render({ app, log: all, aim, past }) {
    const log = all.slice(0, 1 + all.findLastIndex(({ aside }) => !aside)); // devices that came before the game are no news
    return html`<section class="card log" aria-label=${phrase("page.rulings")}>
      <header><h2>${phrase("page.rulings")}</h2></header>
      <ol class="entries" tabindex="0" aria-label=${phrase("page.newest_first")}>
        ${log.map((entry) => this.kept.of(entry.n, `${entry.final} ${entry.rule} ${past.after(entry.entry)} ${past.shown?.[0] === past.after(entry.entry)} ${entry.text}`, () => html`<${Entry} key=${entry.n} ...${entry} past=${past} app=${app} />`))}
        ${(aim || !log.length) && html`<li class="aim"><p>${!log.length && `${phrase("page.none_yet")} ${app.widgets.says.begins} `}${aim && html`<b>${phrase("page.aim")}</b> ${aim}`}</p></li>`}
      </ol>
    </section>`;
  }
}

function Entry({ n, entry, text, rule, final, past, app }) {
  const count = past.after(entry);
  return html`<li class=${names(final === false && "provisional", past.shown?.[0] === count && "then")}>
    <span class="number">${n}</span>
    <span class="what">${count < 0 ? text : html`<button class="then" tabindex="-1" onClick=${() => past.to(count)}>${text}</button>`}
      ${final === false && html` <em class="pending">${phrase("page.not_final")}</em>`}</span>
    ${rule && html`<${Rule} id=${rule} app=${app} />`}
  </li>`;
}

/** The board's health: power, light, devices, sensors. A game may have chips of its own, `first` and `last` and beside
 * the switches, and something `below` them. */
export function Health({ state, app, first, beside, last, below }) {
  const { lights } = state;
  const share = Math.min(1, lights.milliamps / Math.max(1, lights.limit));
  return html`<section class="card health" aria-label=${phrase("page.health")}>
    <div class="chips">
      ${first}
      ${app.hands && html`<button class="switch" role="switch" aria-checked=${state.watching} data-watch
          onClick=${() => app.send({ type: "watch", on: !state.watching })}><i></i>${phrase("page.plays_itself")}</button>`}
      ${beside}
      ${state.links.map((link) => html`<span class=${names("chip", !link.up ? "bad" : link.why ? "hot" : "good")}>
        ${link.source}${link.up && !link.why ? "" : `: ${link.why || phrase("page.not_there")}`}</span>`)}
      ${last}
    </div>
    ${below}
    ${lights.limit > 0 && html`<div class=${names("meter", lights.limited && "limited")}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-back" width="100" height="4" rx="2" />
        <rect class="meter-fill" width=${100 * share} height="4" rx="2" />
      </svg>
      <button class="link" onClick=${app.open("lights")}>${lights.limited ? phrase("page.limited", { percent: lights.percent }) : phrase("page.lights_short")}</button>
      <span class="amount">${phrase("page.amount", { now: lights.milliamps, limit: lights.limit })}</span>
    </div>`}
    ${state.bad_sensors.length > 0 && html`<ul class="faults">
      ${state.bad_sensors.map((sensor) => html`<li><span class="cross" aria-hidden="true">✕</span>
        <span><b>${sensor.id}</b> ${sensor.text || sensor.health}</span></li>`)}
    </ul>`}
  </section>`;
}
