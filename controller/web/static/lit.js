/** A board with its lights, walked over with the arrow keys: what the two kinds of boards have in common. */
import { Lights } from "./lights.js";
import { Component, createRef } from "./vendor/preact.mjs";

export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The nearest of some places in a direction; `from` where there is none. */
export function beside(places, from, step) {
  const cost = (to) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = dx * step[0] + dy * step[1];
    return along > 5 ? along + 1.5 * Math.abs(dx * step[1] + dy * step[0]) + dy / 1000 : Infinity;
  };
  return places.reduce((best, each) => (cost(each) < cost(best) ? each : best), from);
}

export class LitBoard extends Component {
  lightsGroup = createRef();

  componentDidMount() {
    this.lights = new Lights(this.lightsGroup.current, this.props.board);
    this.lights.calm = this.props.calm;
    this.props.mounted(this);
  }

  componentDidUpdate() {
    if (this.lights.calm === this.props.calm) return;
    this.lights.calm = this.props.calm;
    this.lights.paint();
  }

  /** Moves the focus to the nearest cell in an arrow's direction. */
  walk = (event) => {
    const { board, focus = event.target.dataset?.cell, onFocus } = this.props;
    const [step, from] = [ARROWS[event.key], board.cell[focus]];
    if (!step || !from) return;
    event.preventDefault();
    const best = beside(board.cells, from, step);
    if (best === from) return;
    onFocus?.(best.id);
    document.querySelector(`[data-cell="${best.id}"]`).focus();
  };
}
