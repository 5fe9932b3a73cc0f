/** The simulated world's own steel balls, told apart from what the referee believes. */
import { draw } from "../../static/lights.js";

export class Balls {
  constructor(group) {
    this.group = group;
    this.nodes = new Map();
  }

  /** `balls` is a list of [id, x, y] in the board's millimetres, y upwards. */
  show(balls) {
    const seen = new Set();
    for (const [id, x, y] of balls) {
      seen.add(id);
      if (!this.nodes.has(id)) this.nodes.set(id, this.ball(id));
      this.nodes.get(id).setAttribute("transform", `translate(${x} ${-y})`);
    }
    for (const [id, node] of this.nodes) {
      if (seen.has(id)) continue;
      node.remove();
      this.nodes.delete(id);
    }
  }

  ball(id) {
    const node = draw(this.group, "g", { class: "steel", "data-steel": id });
    draw(node, "ellipse", { cx: 0.6, cy: 1.6, rx: 7.4, ry: 7, fill: "url(#ball-shade)" });
    draw(node, "circle", { r: 5, fill: "url(#steel)" });
    draw(node, "ellipse", { cx: -1.6, cy: -2.1, rx: 1.5, ry: 1, fill: "#fff", opacity: 0.85 });
    return node;
  }
}
