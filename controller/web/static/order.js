/** Where several things come one after another (`ordered`), people put them in order once, by dragging or by buttons. The page
 * then answers one question after another, as it comes, for as long as all is as they saw it. */
import { html, names } from "./html.js";
import { Component } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

/** What a choice is: its name may be given anew to something else, its words are not. */
const what = ({ name, text }) => `${name} ${text}`;
const same = (some, others) => some.length === others.length && some.map(what).sort().join("\n") === others.map(what).sort().join("\n");

/** An order that people have said, as far as it was not answered yet. */
export class Order {
  left = [];
  answered = 0; // the last question that was answered, by its number
  broken = false; // something came between

  constructor(send, changed) {
    Object.assign(this, { send, changed });
  }

  /** Put into words: these choices of a question, in this order. */
  say = (question, choices) => {
    this.left = choices;
    this.broken = false;
    this.next(question);
  };

  /** The first one of those that are left is the answer. */
  next(question) {
    const [first, ...rest] = this.left;
    this.left = rest;
    this.answered = question.id;
    this.send({ type: "decide", question: question.id, choice: first.name });
  }

  /** Nothing is answered any more but by people. */
  drop = () => {
    this.left = [];
    this.changed();
  };

  /** A state has come; what else is asked meanwhile people answer. */
  seen({ question, phase }) {
    if (question?.id === this.answered) return;
    if (phase === "idle" || phase === "over") this.left = []; // nothing is left that waits
    if (!question?.ordered) return;
    this.broken = this.left.length > 0 && !same(this.left, question.choices);
    if (this.broken) this.left = [];
    else if (this.left.length) this.next(question);
  }
}

/** What comes next by the order that was said, or that it no longer holds. */
export function InTurn({ order, question }) {
  if (order.broken && question.ordered) return html`<p class="hint">${phrase("page.order_changed")}</p>`;
  if (question.ordered || !order.left.length) return null;
  return html`<p class="hint">${phrase("page.order_then", { order: order.left.map(({ text }) => text).join(", ") })}
    <button class="link" onClick=${order.drop}>${phrase("page.order_anew")}</button></p>`;
}

/** The choices of a question as a list: what is grasped follows the pointer, and each row has buttons. */
export class InOrder extends Component {
  state = { rows: this.props.question.choices, held: -1, told: "" };

  /** A row takes another place. */
  put(from, to) {
    const { rows } = this.state;
    if (from === to || to < 0 || to >= rows.length) return;
    const others = rows.filter((_, n) => n !== from);
    const told = phrase("page.order_now", { what: rows[from].text, n: to + 1, count: rows.length });
    this.setState({ rows: [...others.slice(0, to), rows[from], ...others.slice(to)], told });
  }

  /** By a button, which keeps the focus for the next press. */
  step = (from, by) => (event) => {
    const row = event.currentTarget.closest("li");
    this.put(from, from + by);
    requestAnimationFrame(() => (row.querySelector(by < 0 ? ".up:enabled" : ".down:enabled") ?? row.querySelector("button:enabled"))?.focus());
  };

  grasp = (event) => {
    const row = event.target.closest("li");
    if (!row || event.button || event.target.closest("button")) return;
    event.preventDefault(); // no text is marked
    event.currentTarget.setPointerCapture(event.pointerId);
    this.setState({ held: [...event.currentTarget.children].indexOf(row) });
  };

  carry = ({ currentTarget, clientY }) => {
    const { held } = this.state;
    if (held < 0) return;
    const below = [...currentTarget.children].findIndex((row) => row.getBoundingClientRect().bottom > clientY);
    const to = below < 0 ? currentTarget.children.length - 1 : below;
    this.put(held, to);
    this.setState({ held: to });
  };

  drop = () => this.setState({ held: -1 });

  render({ question, board, app }, { rows, held, told }) {
    const { Answer } = app.widgets;
    return html`<p class="hint">${phrase("page.order_hint")}</p>
      <ol class="in-order" onPointerDown=${this.grasp} onPointerMove=${this.carry} onPointerUp=${this.drop} onPointerCancel=${this.drop}>
        ${rows.map((choice, n) => html`<li key=${choice.name} data-choice=${choice.name} class=${names(n === held && "held")}>
          <span class="grip"><i aria-hidden="true">⠿</i> <b>${n + 1}</b> <${Answer} name=${choice.name} board=${board} />${choice.text}</span>
          <button class="icon up" disabled=${!n} aria-label=${phrase("page.order_up", { what: choice.text })} onClick=${this.step(n, -1)}>▲</button>
          <button class="icon down" disabled=${n === rows.length - 1} aria-label=${phrase("page.order_down", { what: choice.text })} onClick=${this.step(n, 1)}>▼</button>
        </li>`)}
      </ol>
      <p class="unseen" aria-live="polite">${told}</p>
      <div class="choices">
        <button class="main" onClick=${() => app.order.say(question, rows)}>${phrase("page.order_this")}</button>
        <button onClick=${() => app.order.say(question, rows.slice(0, 1))}>${phrase("page.order_first")}</button>
      </div>`;
  }
}
