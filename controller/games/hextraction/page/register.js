/** A tile of somebody's own, drawn: touch two edges to join them, say who owns it, keep it. */
import { EDGES, outline, through } from "../../static/hex.js";
import { html, names } from "../../static/html.js";
import { Card } from "../../static/parts.js";
import { phrase } from "../../static/words.js";
import { Tile } from "./tile.js";
import { Component } from "../../static/vendor/preact.mjs";

const SLOT = outline(49);

/** The nets with edges `a` and `b` in one, whatever they were in before. */
export function joined(nets, a, b) {
  const meant = nets.filter((net) => net.includes(a) || net.includes(b));
  const rest = nets.filter((net) => !meant.includes(net));
  return [...rest, [...new Set([...meant.flat(), a, b])].sort()];
}

export class Register extends Component {
  state = this.props.app.play.drawn ?? { name: "", owner: "", nets: [], sockets: EDGES, first: null };

  set = (name) => (event) => this.setState({ [name]: event.currentTarget.value });

  /** The first touch of an edge picks it up; the second joins both, or puts it down again. */
  touch = (edge) => () => this.setState(({ nets, first }) => {
    if (first === null) return { first: edge };
    return { first: null, nets: first === edge ? nets : joined(nets, first, edge) };
  });

  notch = (edge) => () => this.setState(({ sockets }) => ({
    sockets: sockets.includes(edge) ? sockets.filter((each) => each !== edge) : [...sockets, edge].sort(),
  }));

  keep = () => {
    const { name, owner, nets, sockets } = this.state;
    this.props.app.play.drawn = this.state;
    this.props.app.ask({ name: name.trim(), owner: owner.trim(), nets, sockets });
    this.props.close();
  };

  render({ close }, { name, owner, nets, sockets, first }) {
    return html`<${Card} title=${phrase("hextraction.page.register")} kind="register" close=${close}>
      <p class="hint">${phrase("hextraction.page.register_how")}</p>
      <svg class="drawing" viewBox="-36 -34 72 68" role="group" aria-label=${phrase("hextraction.page.channels")}>
        <path class="drawing-slot" d=${SLOT} />
        <${Tile} tile=${{ nets, routes: [] }} />
        ${EDGES.map((edge) => {
          const [x, y] = through(edge, 27);
          return html`<g class=${names("drawing-edge", first === edge && "picked", nets.some((net) => net.includes(edge)) && "open")}
              role="button" tabindex="0" data-edge=${edge} aria-label=${phrase("hextraction.page.edge", { edge })} aria-pressed=${first === edge}
              transform="translate(${x} ${y})" onClick=${this.touch(edge)}
              onKeyDown=${(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), this.touch(edge)())}>
            <circle r="5.6" /><text y="2.2">${edge}</text>
          </g>`;
        })}
      </svg>
      <fieldset class="notches"><legend>${phrase("hextraction.page.notches")}</legend>
        ${EDGES.map((edge) => html`<label><input type="checkbox" checked=${sockets.includes(edge)} onChange=${this.notch(edge)} /> ${edge}</label>`)}
      </fieldset>
      <label class="field">${phrase("hextraction.page.its_name")} <input value=${name} maxlength="40" onInput=${this.set("name")} /></label>
      <label class="field">${phrase("hextraction.page.its_owner")} <input value=${owner} maxlength="40" onInput=${this.set("owner")} /></label>
      <div class="row">
        <button disabled=${!nets.length} onClick=${() => this.setState({ nets: [], first: null })}>${phrase("hextraction.page.draw_anew")}</button>
        <button class="main grow" disabled=${!name.trim() || !nets.length || !sockets.length} onClick=${this.keep}>${phrase("hextraction.page.keep")}</button>
      </div>
      <p class="hint">${phrase("hextraction.page.besides")}</p>
    <//>`;
  }
}
