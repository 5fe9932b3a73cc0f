/** Games with hidden cards: one page serves all sides, one at a time, behind a curtain. */
import { html, names } from "./html.js";
import { Card, hue } from "./parts.js";
import { holder } from "./seats.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

/** A state without what only one side may see: all that may be left on the page of it. */
export const covered = (table) => ({ ...table, side: -1, hand: [], moves: [], words: {}, position: "", own: table.private ? {} : table.own });

/** The whole page while the curtain is closed: who may open it. Each side's button is its own, so that none changes
 * its meaning under a finger. */
export function Curtain({ state, app }) {
  const { held } = app.widgets.says;
  const next = state.active;
  const newest = state.log.find(({ aside }) => !aside);
  const { host, seats } = app.state.you;
  const open = (seat) => host || seats.includes(seat);
  const apart = (seat) => !seats.includes(seat) && !!holder(app.state.you, seat);
  const others = state.seats.map((name, seat) => [name, seat]).filter(([, seat]) => open(seat) && (seat !== next || apart(seat)));
  return html`<main class=${names("curtain", hue(next))} aria-label=${phrase("page.curtain_closed")}>
    ${next >= 0 && (!open(next) || apart(next))
      ? html`<h2>${state.seats[next]}</h2><p class="hint">${phrase("page.own_phone")}</p>`
      : next >= 0
      ? html`<p class="hint">${phrase("page.hand_to")}</p>
        <h2>${state.seats[next]}</h2>
        <button key="next ${next}" class="main" data-look=${next} onClick=${() => app.look(next)}>${phrase("page.i_am", { seat: state.seats[next], held })}</button>`
      : html`<h2>${phrase("page.dealing")}</h2>`}
    <p class="prompt">${state.prompt}</p>
    ${state.question?.of.length > 0 ? app.question() : newest && html`<p class="newest">${newest.text}</p>`}
    <div class="row">${others.map(([name, seat]) => html`<button key=${seat} data-look=${seat} onClick=${() => app.look(seat)}>${phrase("page.show_of", { seat: name, held })}</button>`)}
      ${host && html`<button data-uncovered onClick=${() => app.setState({ uncovered: true })}>${phrase("page.board_alone")}</button>`}</div>
  </main>`;
}

/** Cards in words; on a phone a line each, the whole of it where a finger asks for it. */
class Words extends Component {
  state = { whole: false };

  turn = () => this.setState(({ whole }) => ({ whole: !whole }));

  render({ cards }, { whole }) {
    return html`<ul class=${names("standing", whole && "whole")} onClick=${this.turn}>${cards.map((card, i) => html`<li key=${i}>${card}</li>`)}</ul>`;
  }
}

/** What the side that looks holds, and the curtain's cord. */
export function Hand({ state, board, app, mine }) {
  const { says: { held, pictured }, Face, Held } = app.widgets;
  const faces = state.hand.filter(pictured);
  const words = state.hand.filter((card) => !pictured(card));
  const reasons = new Map((state.withheld ?? []).filter(([text]) => faces.includes(text)).map(([text, , why]) => [text, why]));
  return html`<${Card} title=${phrase("page.hand_of", { seat: state.seats[state.side] })} kind="held">
    ${state.unsaved && html`<em class="pending">${phrase("page.not_final")}</em>`}
    ${!state.hand.length && html`<p class="hint">${phrase("page.holds_no", { held })}</p>`}
    ${faces.length > 0 && html`<div class="faces row">${faces.map((face, i) => html`<span key=${i} class=${reasons.has(face) ? "cannot" : undefined}><${Face} text=${face} /></span>`)}</div>`}
    ${[...new Set(reasons.values())].map((why) => html`<p key=${why} class="hint"><span class="cannot-sign" aria-hidden="true">◌</span> ${why}</p>`)}
    <${Words} cards=${words} />
    <${Held} state=${state} board=${board} app=${app} />
    ${app.shared && html`<div class="row">
      <button class="grow" data-look="-1" onClick=${() => app.look(-1)}>${phrase("page.close_curtain")}</button>
      <button class="switch" role="switch" aria-checked=${mine} onClick=${app.keepOpen}><i></i>${phrase("page.only_i")}</button>
    </div>`}
  <//>`;
}
