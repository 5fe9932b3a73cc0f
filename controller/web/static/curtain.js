/** Games with hidden cards: one page serves all sides, one at a time, behind a curtain. */
import { html, names } from "./html.js";
import { Card, hue } from "./parts.js";
import { Face } from "./pieces.js";
import { TilePicture } from "./tile.js";

const FACE = /^[RBY]{6}$/;

/** A state without what only one side may see: all that may be left on the page of it. */
export const covered = (table) => ({ ...table, side: -1, hand: [], moves: [], position: "" });

const held = (state) => (state.slots ? "tiles" : "cards");

/** The whole page while the curtain is closed: who may open it. Each side's button is its own, so that none changes
 * its meaning under a finger. */
export function Curtain({ state, app }) {
  const next = state.active;
  const newest = state.log[0];
  const others = state.seats.map((name, seat) => [name, seat]).filter(([, seat]) => seat !== next);
  return html`<main class=${names("curtain", hue(Math.max(0, next)))} aria-label="The curtain is closed">
    ${next >= 0
      ? html`<p class="hint">Hand the device to</p>
        <h2>${state.seats[next]}</h2>
        <button key="next ${next}" class="main" data-look=${next} onClick=${() => app.look(next)}>I am ${state.seats[next]}: show my ${held(state)}</button>`
      : html`<h2>The cards are being dealt</h2>`}
    <p class="prompt">${state.prompt}</p>
    ${newest && html`<p class="newest">${newest.text}</p>`}
    <div class="row">${others.map(([name, seat]) => html`<button key=${seat} data-look=${seat} onClick=${() => app.look(seat)}>Show ${name}'s ${held(state)}</button>`)}</div>
  </main>`;
}

/** The cards or tiles of the side that looks, and the curtain's cord. */
export function Hand({ state, board, app, mine }) {
  const faces = state.hand.filter((card) => FACE.test(card));
  const words = state.hand.filter((card) => !FACE.test(card));
  return html`<${Card} title="${state.seats[state.side]}'s hand" kind="held">
    ${!state.hand.length && html`<p class="hint">No ${held(state)}.</p>`}
    ${faces.length > 0 && html`<div class="faces row">${faces.map((face, i) => html`<svg key=${i} viewBox="-25 -25 50 50" role="img"
      aria-label=${face}><g class="card"><${Face} symbols=${face} /></g></svg>`)}</div>`}
    <ul class="standing">${words.map((card, i) => html`<li key=${i}>${card}</li>`)}</ul>
    ${state.unread > 0 && html`<${Drawn} state=${state} board=${board} app=${app} />`}
    <div class="row">
      <button class="grow" data-look="-1" onClick=${() => app.look(-1)}>Close the curtain</button>
      <button class="switch" role="switch" aria-checked=${mine} onClick=${app.own}><i></i>Only I use this page</button>
    </div>
  <//>`;
}

/** Where tiles are read as they are drawn: which one a tile not yet read is. */
function Drawn({ state, board, app }) {
  return html`<details class="drawn">
    <summary>Say what you drew</summary>
    <div class="tiles" role="group" aria-label="The tile that you drew">
      ${board.tiles.map((tile) => html`<button key=${tile.id} class="tile-button" data-drew=${tile.id}
          onClick=${() => app.act(`drew ${state.side} ${tile.id}`)}>
        <${TilePicture} tile=${tile} rotation=${tile.rotations[0]} /><span>${tile.name}</span></button>`)}
    </div>
  </details>`;
}
