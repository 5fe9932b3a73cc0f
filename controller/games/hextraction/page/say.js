/** What seats say beside their moves: who gives up or goes, whose tiles go along, what does not sit flat. */
import { html } from "../../static/html.js";
import { Card, cellOf, Sure } from "../../static/parts.js";
import { phrase } from "../../static/words.js";
import { found, TilePicture } from "./tile.js";
import { Component } from "../../static/vendor/preact.mjs";

const GIVE_BACK = phrase("hextraction.page.give_back");
const NO_RULES = phrase("hextraction.page.no_rules");

export class Say extends Component {
  state = {};

  act = (name) => {
    this.props.app.act(name);
    this.props.close();
  };

  render({ board, state: table, close }) {
    const seats = table.seats.map((_, seat) => seat).filter((seat) => table.own.acts.some((act) => act.seat === seat));
    const first = seats.includes(table.active) ? table.active : seats[0];
    const who = seats.includes(this.state.who) ? this.state.who : first;
    const own = (kind) => table.own.acts.filter((act) => act.seat === who && act.name.startsWith(`${kind} `) && !cellOf(act.name, board));
    const buttons = (kind, really) => own(kind).map((act) => html`<${Sure} key=${act.name} really=${really} act=${() => this.act(act.name)}>${act.text}<//>`);
    return html`<${Card} title=${phrase("hextraction.page.say_for")} kind="wrong say" close=${close} back="[data-form=say]">
      <div class="row">
        <select aria-label=${phrase("hextraction.page.who_says")} value=${who} onChange=${(event) => this.setState({ who: Number(event.currentTarget.value) })}>
          ${seats.map((seat) => html`<option value=${seat}>${table.seats[seat]}</option>`)}
        </select>
        ${buttons("concede", phrase("hextraction.page.really_concede"))}
        ${buttons("leave", phrase("hextraction.page.really_leave"))}
        ${own("endless").map((act) => html`<button onClick=${() => this.act(act.name)}>${act.text}</button>`)}
        ${buttons("draw", phrase("hextraction.page.really_end"))}
      </div>
      <${Pick} key="return ${who}" title=${GIVE_BACK} word=${phrase("hextraction.page.give_it_back")} acts=${own("return")} act=${this.act} />
      ${own("reclaim").map((act) => html`<${Reclaim} key=${act.name} own=${act} act=${this.act} />`)}
      <${Pick} key="nocard ${who}" title=${NO_RULES} word=${phrase("hextraction.page.destroy_it")} acts=${own("nocard")} act=${this.act} />
    <//>`;
  }
}

/** One of several: which, then the button that says so. */
class Pick extends Component {
  render({ title, word, acts, act }, { name = "" }) {
    if (!acts.length) return null;
    return html`<fieldset><legend>${title}</legend>
      <select aria-label=${title} value=${name} onChange=${(event) => this.setState({ name: event.currentTarget.value })}>
        <option value="">${phrase("hextraction.page.which_slot")}</option>
        ${acts.map((each) => html`<option value=${each.name}>${each.text}</option>`)}
      </select>
      <button disabled=${!name} onClick=${() => act(name)}>${word}</button>
    </fieldset>`;
  }
}

/** Who is out takes tiles and balls back; people have looked into the bag. */
class Reclaim extends Component {
  render({ own, act }, { bag = own.least }) {
    const can = Number.isInteger(bag) && bag >= own.least && bag <= own.most;
    return html`<fieldset><legend>${own.text}</legend>
      <label>${phrase("hextraction.page.in_bag")} <input type="number" min=${own.least} max=${own.most} value=${bag}
        onInput=${(event) => this.setState({ bag: event.currentTarget.valueAsNumber })} /></label>
      <button disabled=${!can} onClick=${() => act(`${own.name} ${bag}`)}>${phrase("hextraction.page.take_back")}</button>
    </fieldset>`;
  }
}

/** The tile just played does not seat as it lies: it is turned in its slot, or sits in no way. */
export function Misfit({ cell, state, board, app }) {
  const own = state.own.acts.filter(({ name }) => name === "unfit" || name.startsWith(`turn ${cell} `));
  if (cell !== state.own.fresh || !own.length) return null;
  const tile = found(board, state.own.slots[cell].tile);
  const say = (name) => () => {
    app.act(name);
    app.play.inspect(null);
  };
  return html`<details class="misfit">
    <summary>${phrase("hextraction.page.not_flat")}</summary>
    <div class="choices">
      ${own.map(({ name, text }) => name === "unfit"
        ? html`<${Sure} act=${say(name)} really=${phrase("hextraction.page.really_destroy")}>${text}<//>`
        : html`<button data-action=${name} onClick=${say(name)}>
            <${TilePicture} tile=${tile} rotation=${Number(name.split(" ").pop())} /><span>${text}</span></button>`)}
    </div>
  </details>`;
}
