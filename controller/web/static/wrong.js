/** "The board is wrong": a person's word that replaces what the referee thinks. */
import { html } from "./html.js";
import { Card, Sure } from "./parts.js";
import { Drag } from "./drag.js";
import { lying, Thing } from "./pieces.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const PLAIN = [
  ["right", phrase("page.it_is_right"), phrase("page.right_means")],
  ["undo", phrase("page.undo"), phrase("page.undo_means")],
];
const ON = ["play on", phrase("page.play_on"), phrase("page.play_on_means")];
const SEEN = new Set(["right", "play on"]); // what only who is at the board can say

const SETS = /^(position|arrange|problem) /; // rulings that set the position
const PROBLEM = "problem"; // before one that sets it, though it could not come about

export class Wrong extends Component {
  state = { why: "", asked: "", refused: null };

  rule = (ruling) => {
    const { why } = this.state;
    this.props.app.rule(ruling, why);
    if (SETS.test(ruling)) this.setState({ asked: ruling, refused: null });
    else this.props.close();
  };

  /** A position that was asked for is set, or people are asked about it, or it is refused: then what was written stays. */
  componentDidUpdate({ state: before }) {
    const { state: table, app, close } = this.props;
    const { asked, refused } = this.state;
    if (!asked) return;
    const no = app.state.refused;
    if (table.position !== before.position || table.question?.id !== before.question?.id) {
      if (!table.question && !asked.startsWith(PROBLEM)) app.tell(phrase("page.set_reachable"));
      close();
    } else if (no && no !== refused) this.setState({ refused: no });
  }

  render({ board, state: table, app, close }, { why, asked, refused }) {
    const { Change: Set, says } = app.widgets;
    return html`<${Card} title=${phrase("page.wrong_title")} kind="wrong" close=${close} back="[data-form=wrong]">
      <p class="hint">${phrase("page.people_right")}</p>
      <label class="field">${phrase("page.why_like")}
        <input value=${why} maxlength="200" onInput=${(event) => this.setState({ why: event.currentTarget.value })} placeholder=${says.slip} /></label>
      <div class="choices">
        ${[...PLAIN, ...says.rulings, ON].filter(([ruling]) => !app.state.you.far || !SEEN.has(ruling)).map(([ruling, text, title]) => html`<button title=${title} data-ruling=${ruling}
          onClick=${() => this.rule(ruling)}>${text}</button>`)}
      </div>
      <${Set} board=${board} state=${table} app=${app} rule=${this.rule} />
      ${refused && html`<p class="refused" role="alert"><span>${refused.reason}</span></p>`}
      ${refused?.key === "game.problem" && html`<button class="main" data-problem onClick=${() => this.rule(`${PROBLEM} ${asked}`)}>${phrase("page.set_problem")}</button>`}
      ${app.state.you.host && html`<div class="row last">
        <${Sure} act=${() => { app.send({ type: "new", match: table.match }); close(); }} really=${phrase("page.really_anew")}>${phrase("page.new_game")}<//>
      </div>`}
    <//>`;
  }
}

/** The position as a picture to be put right: what lies wrong is moved, taken away, or something is laid there. Where a game has
 * nothing to lay, and for who wants to, it is written as text. */
export function Change({ board, state, app, rule }) {
  if (!board.palette.length) return html`<${Position} state=${state} rule=${rule} />`;
  const { brush, laid } = app.state.own;
  const { things, says: { turned } } = app.widgets;
  const kind = (name, label, picture) => html`<button key=${name} class=${picture && "thing-button"} data-brush=${name} aria-pressed=${brush === name} aria-label=${picture && label}
    onClick=${() => app.play.take(name)}>${picture || label}</button>`;
  const changed = Object.entries(laid);
  const hint = { move: phrase("page.arrange_move"), "": phrase("page.arrange_take"), turn: phrase("page.arrange_turn") }[brush];
  return html`<fieldset class="arrange"><legend>${phrase("page.arrange")}</legend>
      <${Drag} app=${app} />
      <p class="hint">${hint ?? phrase("page.arrange_lay")}</p>
      <div class="choices">${kind("move", phrase("page.move_it"))}${turned && kind("turn", phrase("page.turn_it"))}${kind("", phrase("page.take_away"))}
        ${board.palette.filter(([name]) => !turned || first(name, turned)).map(([name, what, seat, count, text]) => kind(name, lying({ kind: what, seat, count, text }, state),
          html`<svg viewBox="-25 -29 50 50" aria-hidden="true"><${things[what] ?? Thing} at=${{ x: 0, y: 0 }} kind=${what} seat=${seat} count=${count} text=${text} /></svg>`))}</div>
      <div class="row"><button class="main" data-arrange disabled=${!changed.length}
          onClick=${() => rule(`arrange ${changed.map(([cell, thing]) => `${cell}=${thing}`).join(" ")}`)}>${phrase("page.set_it")}</button>
        <button disabled=${!changed.length} onClick=${() => app.play.aside()}>${phrase("page.as_it_is")}</button></div>
    </fieldset>
    <details class="rarely"><summary>${phrase("page.set_position")}</summary><${Position} state=${state} rule=${rule} /></details>`;
}

/** Whether a thing is the first of its turns. */
function first(name, turned) {
  let it = turned(name);
  while (it > name) it = turned(it);
  return it === name;
}

/** The position as text, to be written anew. */
export class Position extends Component {
  render({ state: table, rule }, { position = table.position }) {
    return html`<fieldset><legend>${phrase("page.set_position")}</legend>
      <textarea rows="3" aria-label=${phrase("page.position_text")} value=${position} onInput=${(event) => this.setState({ position: event.currentTarget.value })}></textarea>
      <p class="hint">${phrase("page.set_policy")}</p>
      <button disabled=${position === table.position} onClick=${() => rule(`position ${position.trim()}`)}>${phrase("page.set_it")}</button>
    </fieldset>`;
  }
}
