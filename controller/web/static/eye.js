/** What a camera saw: its picture of a moment, and what it thought of the cells that were not certain. */
import { html } from "./html.js";
import { Card } from "./parts.js";
import { clock } from "./timeline.js";
import { decimal, phrase } from "./words.js";

const Odds = ({ cell, odds }) => html`<li><b>${cell}</b> <span>${odds.length
  ? odds.map(([what, ppm]) => `${what || phrase("page.empty")} ${decimal(ppm / 1e4, 1)} %`).join(", ")
  : phrase("page.eye_silent")}</span></li>`;

/** The last look until then; nothing where no camera had looked. */
export function Eye({ seen, ms }) {
  const look = seen.findLast(([at]) => ms >= at);
  if (!look) return null;
  const [at, doubts, cells, picture] = look;
  return html`<${Card} title=${phrase("page.eye")} kind="eye">
    <p class="hint">${clock(at)}: ${!cells ? phrase("page.eye_hand") : doubts.length ? phrase("page.eye_doubts", { count: doubts.length, cells }) : phrase("page.eye_certain", { cells })}</p>
    ${picture && html`<img src=${`data:image/jpeg;base64,${picture}`} alt=${phrase("page.eye_picture")} />`}
    ${doubts.length > 0 && html`<ul class="odds">${doubts.map(([cell, odds]) => html`<${Odds} key=${cell} cell=${cell} odds=${odds} />`)}</ul>`}
  <//>`;
}
