/** A board's first start: its steps, which is next and why, and how each stands. */
import { html, names } from "./html.js";
import { phrase } from "./words.js";

const MARKS = { done: "✓", left: "○", skipped: "–", none: "·" };
const STATES = { done: phrase("page.setup_done"), left: phrase("page.setup_left"), skipped: phrase("page.setup_skipped"), none: phrase("page.setup_none") };

export function Setup({ setup, picture, say, link }) {
  const { steps, next } = setup;
  const wanted = steps.filter(({ state }) => state !== "none");
  const passed = wanted.filter(({ state }) => state !== "left").length;
  const now = steps.find(({ name }) => name === next);
  return html`<main class="bench">
    ${link !== "up" && html`<p class="banner" role="alert">${phrase(link === "crowded" ? "page.crowded" : "page.unheard_network")}</p>`}
    <div class="todo-now"><progress max=${wanted.length} value=${passed} aria-label=${phrase("page.setup_steps")} />
      <span class="count">${phrase("page.of", { some: passed, all: wanted.length })}</span>
      <h1>${setup.title}</h1></div>
    ${picture}
    ${now ? html`<${Next} step=${now} boards=${setup.boards} board=${setup.called} say=${say} />`
      : html`<section class="card ended"><h2>${phrase("page.setup_ready")}</h2><p>${setup.ready}</p></section>`}
    <ol class="stages">${steps.map((step) => html`<${Step} key=${step.name} step=${step} now=${step === now} say=${say} />`)}</ol>
    <button class="stop" onClick=${() => say("q")}>${now ? phrase("page.stop") : phrase("page.finished")}</button>
  </main>`;
}

/** What is next and why, to be begun or passed over. */
const Next = ({ step, boards, board, say }) => html`<section class="card next"><h2>${phrase("page.setup_next", { step: step.title })}</h2>
  <p>${step.why}</p>${step.said && html`<p class="heard">${step.said}</p>`}
  <div class="words"><button class="main" onClick=${() => say(step.name === "which" ? `which ${board}` : step.name)}>${step.name === "which" ? phrase("page.setup_this") : phrase("page.setup_start")}</button>
    <button onClick=${() => say("s")}>${phrase("page.setup_skip")}</button></div>
  ${boards.length > 1 && html`<details class="rarely"><summary>${phrase("page.setup_other")}</summary>
    ${boards.map(([name, title]) => name !== board && html`<p key=${name}><button data-board=${name} onClick=${() => say(`which ${name}`)}>${title}</button></p>`)}</details>`}
</section>`;

const Step = ({ step: { name, title, state, said, date }, now, say }) => html`<li class=${names(state, now && "now")} data-step=${name}>
  <span class="mark" aria-hidden="true">${MARKS[state]}</span>
  <span><b>${title}</b><small>${[STATES[state], date].filter(Boolean).join(" · ")}</small></span>
  ${state !== "none" && !now && html`<button onClick=${() => say(name)}>${state === "done" ? phrase("page.setup_again") : phrase("page.setup_start")}<span class="unseen"> ${title}</span></button>`}
  ${said && html`<small class="said">${said}</small>`}
</li>`;
