/** While the board is put right, what lies on it follows a pointer: into another cell, or off the board. */
import { Component } from "./vendor/preact.mjs";

const STILL = 8; // px: less is a touch

export class Drag extends Component {
  componentDidMount() {
    this.board = document.querySelector(".stage svg.board");
    this.board.toggleAttribute("data-arranged", true);
    for (const [name, act] of this.heard) this.board.addEventListener(name, act);
  }

  componentWillUnmount() {
    this.board.toggleAttribute("data-arranged", false);
    for (const [name, act] of this.heard) this.board.removeEventListener(name, act);
  }

  lift = ({ target, button, clientX, clientY }) => {
    const cell = target.closest("[data-cell]")?.dataset.cell;
    const thing = [...this.board.querySelectorAll("[data-piece]")].find((it) => it.dataset.piece === cell);
    this.held = thing && !button ? { cell, thing, from: [clientX, clientY], far: false } : null;
  };

  move = ({ clientX, clientY, pointerId }) => {
    if (!this.held) return;
    const { thing, from: [x, y] } = this.held;
    const by = [clientX - x, clientY - y];
    if (!this.held.far && Math.hypot(...by) < STILL) return;
    this.held.far = true;
    this.board.setPointerCapture(pointerId);
    thing.style.translate = by.map((px) => `${px / this.board.getScreenCTM().a}px`).join(" ");
  };

  drop = ({ clientX, clientY }) => {
    if (!this.held) return;
    const { cell, far } = this.held;
    this.aside();
    if (!far) return;
    const over = document.elementsFromPoint(clientX, clientY).map((it) => it.closest("[data-cell]"));
    this.props.app.play.carry(cell, over.find(Boolean)?.dataset.cell);
  };

  aside = () => {
    if (this.held) this.held.thing.style.translate = "";
    this.held = null;
  };

  heard = [["pointerdown", this.lift], ["pointermove", this.move], ["pointerup", this.drop], ["pointercancel", this.aside]];

  render() {
    return null;
  }
}
