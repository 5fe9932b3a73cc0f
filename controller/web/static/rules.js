/** The rules of the game that is played, in our words: every rule's id opens its paragraph. */
import { html, names } from "./html.js";
import { Card } from "./parts.js";
import { explained, explains } from "./terms.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const CODE = "    "; // what is written letter by letter
const MARKED = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;

const escaped = (id) => id.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&");

/** Whether a text names a rule, and not one under it: 2.1 is not named by 2.1.4. */
const tells = (text, id) => new RegExp(`(^|[^\\w.-])${escaped(id)}(?!\\w|\\.\\d)`).test(text);

/** The rule that a rule is a part of: 2.1.4 of 2.1.4.3; "" for none: a 2 may be any number, a T any letter. */
const above = (id) => id.slice(0, Math.max(0, id.lastIndexOf("."))).match(/.*[-.].*/)?.[0] ?? "";

/** The paragraphs that a rule's id opens, `[chapter, paragraph]` each; of a rule that nobody has written down those of the
 * rule above it. */
export function places(rules, id) {
  for (let wanted = id; wanted; wanted = above(wanted)) {
    const found = rules.flatMap(([, texts], chapter) => texts.flatMap((text, n) => (tells(text, wanted) ? [[chapter, n]] : [])));
    const own = found.filter(([chapter, n]) => rules[chapter][1][n].startsWith(wanted));
    if (found.length) return own.length ? own : found;
  }
  return [];
}

/** What a rule says, without ids; "" where nobody has written it down. */
export function paragraph(rules, id) {
  const [place] = places(rules, id);
  if (!place) return "";
  const text = rules[place[0]][1][place[1]];
  const from = Math.max(0, text.search(new RegExp(`${escaped(id)}(?!\\w|\\.\\d)`))); // one paragraph may have several
  const before = text.slice(0, from).match(/^(.*) \([^()]*$/); // "Counters that lie never move (BSH-1.4)."
  if (before) return `${plain(before[1].split(/\)\. /).at(-1))}.`;
  return plain(text.slice(from).split(/\s(?=(?:(?:[A-Z]+-)?[A-Z]?\d+(?:\.\d+)+|T\.\w+(?:\.\d+)?) [\p{Lu}„"])/u)[0].replace(/^[\w.-]+ /, ""));
}

/** A text without marks, and without the ids of other rules. */
const plain = (text) => text.replace(/[`*]/g, "").replace(/\b[A-Z]+-[A-Z]?\d+(\.\d+)* /g, "");

/** A rule's id, which opens its paragraph. */
export const Rule = ({ id, app }) => html`<button class="rule" aria-label=${phrase("page.rule", { id })} onClick=${() => app.lookUp(id)}><code>${id}</code></button>`;

/** A board's rules, and what its options say of rulings that are theirs alone. */
function written({ rules, agreed }) {
  const options = agreed.options.filter(({ rule }) => rule).map(({ rule, name, value, text }) => `${rule} ${text} \`${name} = ${value}\``);
  return options.length ? [...rules, [phrase("page.options"), options]] : rules;
}

/** The paragraphs of a board's rules and rulings that a rule's id opens. */
export const opened = (board, id) => places(written(board), id);

/** A paragraph with what is marked in it; words that the rules explain can be touched, but not where they are explained. */
const inline = (text, rules, but = new Set()) => text.split(MARKED).map((part) =>
  part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>`
  : part.startsWith("**") ? html`<b>${part.slice(2, -2)}</b>`
  : part.startsWith("[") && part.endsWith(")") ? part.slice(1, part.indexOf("]"))
  : explains(text) ? part
  : explained(part, rules, but));

export class Rules extends Component {
  first = createRef(); // paragraph that was asked for

  componentDidMount() {
    requestAnimationFrame(() => this.first.current?.scrollIntoView({ block: "center" }));
  }

  render({ board, id, close }) {
    const rules = written(board);
    const found = id ? places(rules, id) : [];
    const asked = (chapter, n) => found.findIndex(([one, other]) => one === chapter && other === n);
    return html`<${Card} title=${phrase("page.rules")} kind="rulebook" close=${close}>
      ${id && !found.length && html`<p class="hint">${phrase("page.rule_unwritten", { id })}</p>`}
      ${rules.map(([title, texts], chapter) => html`<section key=${chapter}><h3>${title}</h3>
        ${texts.map((text, n) => (text.startsWith(CODE)
          ? html`<pre key=${n}>${text}</pre>`
          : html`<p key=${n} ref=${asked(chapter, n) === 0 ? this.first : null} class=${names(asked(chapter, n) >= 0 && "asked")}>${inline(text, board.rules)}</p>`))}</section>`)}
    <//>`;
  }
}
