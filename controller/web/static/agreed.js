/** What is agreed on for this game: its numbers, with how sure they are, and its options. */
import { html, names } from "./html.js";
import { Card } from "./parts.js";
import { phrase } from "./words.js";

const WANTING = ["proposed", "unknown"]; // to be looked up in people's own box
const SURE = {
  box: phrase("page.box"), stated: phrase("page.stated"), derived: phrase("page.derived"), probable: phrase("page.probable"),
  proposed: phrase("page.proposed_one"), unknown: phrase("page.unknown"),
};

/** The numbers that are not the game's own. */
const wanting = (agreed) => agreed.figures.filter(([, , sure]) => WANTING.includes(sure));

/** How many they are, until somebody has looked at them. */
export function Proposed({ app }) {
  const count = wanting(app.props.board.agreed).length;
  return !app.state.agreed && count > 0 && html`<p class="hint row proposed">${phrase("page.proposed", { count })}
    <button onClick=${app.open("agreed")}>${phrase("page.look_at_them")}</button></p>`;
}

export function Agreed({ agreed, close }) {
  const first = wanting(agreed);
  const rulings = agreed.options.filter(({ group }) => group === "rulings");
  const options = agreed.options.filter(({ group }) => group !== "rulings");
  const figures = [...first, ...agreed.figures.filter((figure) => !first.includes(figure))];
  return html`<${Card} title=${phrase("page.agreed")} kind="agreed" close=${close}>
    ${first.length > 0 && html`<p class="hint">${phrase("page.compare_box")}</p>`}
    ${figures.length > 0 && html`<table><tbody>
      ${figures.map(([name, value, sure]) => html`<tr key=${name} class=${names("figure", WANTING.includes(sure) && "wanting")}>
        <th scope="row">${name}</th><td>${value}</td><td>${SURE[sure] ?? sure}</td></tr>`)}
    </tbody></table>`}
    ${options.length > 0 && html`<h2>${phrase("page.options")}</h2>${listed(options)}`}
    ${rulings.length > 0 && html`<details open=${rulings.some(({ given }) => given)}>
      <summary>${phrase("page.many_ways")}</summary>${listed(rulings)}</details>`}
  <//>`;
}

/** Options with their values; those that are not the default are marked. */
const listed = (options) => html`<table><tbody>
  ${options.map(({ name, value, called, given, text, rule }) => html`<tr key=${name} class=${names(given && "given")}>
    <th scope="row">${name}</th><td>${called || String(value)}</td><td class="hint">${text} <code>${rule}</code></td></tr>`)}
</tbody></table>`;
