/**
 * The hexagons of a board of pieces, each a real button for those who do not point.
 *
 * They are many, and with a state few of them change, so this writes attributes itself and the vDOM never sees them.
 */
import { draw } from "./lights.js";
import { onEnter } from "./parts.js";

export class Ground {
  /** `onCell(id)` is called when a cell is touched. */
  constructor(group, board, onCell) {
    this.cells = board.cells.map((cell) => new Hexagon(group, cell, () => onCell(cell.id)));
    this.stop = group.firstElementChild;
    this.stop?.setAttribute("tabindex", 0);
    group.addEventListener("focusin", ({ target }) => this.rest(target));
  }

  /** The tabulator comes to one cell of a board: where one was last. From there arrows lead on. */
  rest(cell) {
    this.stop.setAttribute("tabindex", -1);
    this.stop = cell;
    this.stop.setAttribute("tabindex", 0);
  }

  /** Shows what each cell looks like, `look(id)`: its classes, what is told of it in words, whether nothing lies in it. */
  show(look) {
    for (const cell of this.cells) cell.show(look(cell.id));
  }
}

class Hexagon {
  constructor(group, { id, x, y, corners }, act) {
    this.id = id;
    this.node = draw(group, "g", { "data-cell": id, role: "button", tabindex: -1 });
    this.node.addEventListener("click", act);
    this.node.addEventListener("keydown", onEnter(act));
    draw(this.node, "polygon", { points: corners.map((corner) => corner.join(",")).join(" ") });
    this.name = draw(this.node, "text", { class: "cell-name", x, y: y + 15 });
    this.name.textContent = id;
    this.was = {};
  }

  show({ look, told, bare }) {
    const { was, node } = this;
    if (was.look !== look) node.setAttribute("class", look);
    if (was.told !== told) node.setAttribute("aria-label", `${this.id}: ${told}`);
    if (was.bare !== bare) bare ? node.append(this.name) : this.name.remove();
    this.was = { look, told, bare };
  }
}
