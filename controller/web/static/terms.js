/** The words of a game's rules that are explained: each opens its explanation where it stands. */
import { html } from "./html.js";
import { Component } from "./vendor/preact.mjs";

const MEANING = /^\*\*([^*]+)\*\*: (.+)$/; // a line of the rules: "**chain, chains**: discs that touch."

let known = {}; // of the rules that were asked for last

/** What the rules explain: the explanations by word, and what finds such a word. */
function terms(rules) {
  if (known.rules === rules) return known;
  const meanings = new Map();
  for (const [, texts] of rules) {
    for (const text of texts) {
      const [, forms, meaning] = text.match(MEANING) ?? [];
      for (const form of forms?.split(", ") ?? []) meanings.set(form, meaning);
    }
  }
  const longest = [...meanings.keys()].sort((one, other) => other.length - one.length);
  const found = longest.map((form) => form.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&")).join("|");
  known = { rules, meanings, found: found && new RegExp(`(^|[^\\p{L}\\d-])(${found})(?![\\p{L}\\d])`, "u") };
  return known;
}

/** A word that opens its explanation behind it, and closes it again. */
class Term extends Component {
  toggle = () => this.setState(({ open }) => ({ open: !open }));

  render({ word, meaning }, { open }) {
    return html`<button class="term" aria-expanded=${!!open} onClick=${this.toggle}>${word}</button>${open && html`<span class="meaning" role="note"> (${meaning})</span>`}`;
  }
}

/** A text in which the words that the rules explain can be touched, each where it stands first; `but` are those that were. */
export function explained(text, rules, but = new Set()) {
  const { meanings, found } = terms(rules);
  const parts = [];
  for (let rest = text; rest; ) {
    const at = found && rest.match(found);
    const [, before, word] = at ?? [];
    const start = at ? at.index + before.length : rest.length;
    const end = at ? start + word.length : rest.length;
    const meaning = at && meanings.get(word);
    const again = !at || but.has(meaning);
    parts.push(rest.slice(0, again ? end : start));
    if (!again) parts.push(html`<${Term} key=${text.length - rest.length} word=${word} meaning=${meaning} />`);
    but.add(meaning);
    rest = rest.slice(end);
  }
  return parts;
}

/** Whether a paragraph of the rules explains a word. */
export const explains = (text) => MEANING.test(text);
