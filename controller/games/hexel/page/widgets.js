/** Hex'el's part of the page: cards with a symbol at each edge, chosen by their pictures. */
import { html } from "../../static/html.js";
import { FEW } from "../../static/pieces.js";
import { Component } from "../../static/vendor/preact.mjs";
import { phrase } from "../../static/words.js";

const PICTURED = /\b[RBY]{6}$/; // what ends in the face of a card: its symbols from the east, anticlockwise
const SYMBOLS = { // red circle, blue diamond, yellow triangle
  R: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", B: "M0-5L4.4 0L0 5L-4.4 0z", Y: "M0-5L4.8 3.6L-4.8 3.6z",
};

/** A card: a hexagon with a symbol at each edge, from the east anticlockwise. */
function Face({ symbols }) {
  const at = (angle, ray) => [ray * Math.cos(angle), -ray * Math.sin(angle)].map((x) => x.toFixed(2));
  const corners = Array.from({ length: 6 }, (_, i) => at(Math.PI / 6 + (i * Math.PI) / 3, 25).join(",")).join(" ");
  return html`<polygon class="paper" points=${corners} />
    ${[...symbols].map((symbol, i) => {
      const [x, y] = at((i * Math.PI) / 3, 13.8);
      return html`<path class="symbol-${symbol}" d=${SYMBOLS[symbol]} transform="translate(${x} ${y})" />`;
    })}`;
}

/** The card that a face belongs to: the first of its turns. */
const cardOf = (face) => [...face].map((_, i) => face.slice(i) + face.slice(0, i)).sort()[0];

/** Moves that end in a card's face: where they are many, the card is chosen first, then how it lies. */
class Cards extends Component {
  state = { card: null };

  render({ moves, touched, hand, act }, { card }) {
    const cards = new Map();
    for (const move of moves) {
      const first = cardOf(move[0].slice(-6));
      cards.set(first, [...(cards.get(first) ?? []), move]);
    }
    const chosen = cards.size > 1 && moves.length > FEW / 2 ? cards.get(card) : moves;
    const button = (name, face, onClick) => html`<button key=${name} class="face" data-action=${name} title=${name} aria-label=${name} onClick=${onClick}>
      <svg viewBox="-25 -25 50 50" aria-hidden="true"><g class="card"><${Face} symbols=${face} /></g></svg></button>`;
    const others = touched.length ? hand.filter((face) => PICTURED.test(face) && !cards.has(cardOf(face))) : [];
    return html`<p class="hint">${chosen ? phrase("hexel.page.how_lies") : phrase("hexel.page.which")}
        ${chosen && chosen !== moves && html` <button onClick=${() => this.setState({ card: null })}>${phrase("hexel.page.another")}</button>`}</p>
      <div class="choices faces">
        ${chosen ? chosen.map(([name]) => button(name, name.slice(-6), () => act(name)))
          : [...cards].map(([first, turns]) => button(`card ${first}`, first,
            () => (turns.length === 1 ? act(turns[0][0]) : this.setState({ card: first }))))}
      </div>
      ${others.length > 0 && html`<p class="hint">${phrase("hexel.page.not_here", { count: others.length, cell: touched.at(-1) })}</p>
        <div class="faces row">${others.map((face, i) => html`<span key=${i} class="cannot"><${Picture} text=${face} /></span>`)}</div>`}`;
  }
}

/** A card that lies on the board. */
const Laid = ({ at, text }) => html`<g class="thing card" transform="translate(${at.x} ${at.y})" data-piece=${at.id}><${Face} symbols=${text} /></g>`;

/** A card in hand. */
const Picture = ({ text }) => html`<svg viewBox="-25 -25 50 50" role="img"
      aria-label=${text}><g class="card"><${Face} symbols=${text} /></g></svg>`;

export const widgets = { things: { card: Laid }, Face: Picture, Picks: Cards, says: { pictured: (text) => PICTURED.test(text), turned: (face) => face.slice(1) + face[0] } };
