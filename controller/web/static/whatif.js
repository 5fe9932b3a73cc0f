/** What would have been: the same evening ruled otherwise, beside what was. */
import { html } from "./html.js";
import { Card } from "./parts.js";
import { clock } from "./timeline.js";
import { phrase } from "./words.js";

/** Two boards, each with what it is and what was told last there. */
export const Pair = ({ was, other, boards }) => html`<div class="stage pair" inert>
  ${[was, other].map(({ name, told }, n) => html`<figure key=${n}><figcaption><b>${name}</b> ${told}</figcaption>${boards[n]}</figure>`)}
</div>`;

const Side = ({ name, texts }) => html`<div><b>${name}</b>${texts.length ? texts.map((text, n) => html`<p key=${n}>${text}</p>`) : html`<p class="hint">${phrase("page.nothing_ruled")}</p>`}</div>`;

/** Each place at which the two part; `seek(ms)` shows it. */
export const Changes = ({ label, changes, seek }) => html`<${Card} title=${phrase("page.what_if", { label })} kind="whatif">
  ${!changes.length && html`<p>${phrase("page.same_rulings")}</p>`}
  ${changes.length > 1 && html`<p class="hint">${phrase("page.may_follow")}</p>`}
  <ol>${changes.map(([at, was, other], n) => html`<li key=${n}><button onClick=${() => seek(at)}>${clock(at)}</button>
    <${Side} name=${phrase("page.as_ruled")} texts=${was} /><${Side} name=${label} texts=${other} /></li>`)}</ol>
<//>`;
