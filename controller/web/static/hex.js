/**
 * One flat-top hexagon, in millimetres, with y downwards as on a screen.
 *
 * Edge 1 is the top one, then clockwise. The board's files have y upwards; `onScreen` turns a whole
 * board over once, so that nothing else needs to think of it.
 */
export const EDGES = [1, 2, 3, 4, 5, 6];

/** The slot edge where a tile's printed `edge` lies after `rotation` steps clockwise. */
export const turned = (edge, rotation) => ((edge - 1 + rotation) % 6) + 1;

/** The point at `distance` from the centre, straight out through `edge`. */
export function through(edge, distance) {
  const angle = ((edge - 1) * Math.PI) / 3;
  return [Math.sin(angle) * distance, -Math.cos(angle) * distance];
}

/** The SVG path of a hexagon `flat` mm from side to side, its corners rounded off. */
export function outline(flat, round = 0) {
  const corners = EDGES.map((edge) => {
    const angle = ((edge - 0.5) * Math.PI) / 3;
    const reach = flat / Math.sqrt(3);
    return [Math.sin(angle) * reach, -Math.cos(angle) * reach];
  });
  const steps = corners.map((corner, i) => {
    const toward = (other) => {
      const length = Math.hypot(other[0] - corner[0], other[1] - corner[1]);
      return corner.map((c, k) => (c + ((other[k] - c) * round) / length).toFixed(2)).join(" ");
    };
    const [before, after] = [corners[(i + 5) % 6], corners[(i + 1) % 6]];
    const bend = corner.map((c) => c.toFixed(2)).join(" ");
    return `${i ? "L" : "M"}${toward(before)}Q${bend} ${toward(after)}`;
  });
  return `${steps.join("")}Z`;
}

// How far from the centre a channel's handles lie, by how many edges apart it leaves: arcs that
// meet both edges at a right angle, as they are milled in the real tiles.
const BEND = { 1: 0.556, 2: 0.38, 3: 0.3 };

/** The SVG path of a ball's way from edge `a` to edge `b`, or from `a` to the centre. */
export function channel(a, b = null, reach = 25) {
  const start = through(a, reach);
  if (b === null) return `M${start}L0 0`;
  const apart = Math.min((a - b + 6) % 6, (b - a + 6) % 6);
  const bend = BEND[apart] * reach;
  return `M${start}C${through(a, bend)} ${through(b, bend)} ${through(b, reach)}`;
}

/** The server's board with every y turned over, and 50 mm from cell to cell. */
export function onScreen(board) {
  const scale = 50 / board.pitch; // pictures are drawn for 50 mm between cells
  const point = ([x, y]) => [x * scale, -y * scale];
  const flip = (thing) => ({
    ...thing, x: thing.x * scale, y: -thing.y * scale, ...(thing.corners && { corners: thing.corners.map(point) }),
  });
  const turnedOver = { ...board };
  for (const part of ["cells", "ramps", "zones", "sensors", "pixels"]) {
    turnedOver[part] = (board[part] ?? []).map(flip);
  }
  turnedOver.tiles = board.tiles ?? [];
  turnedOver.named = (id) => turnedOver.tiles.find((tile) => tile.id === id)?.name ?? id;
  turnedOver.cell = Object.fromEntries(turnedOver.cells.map((cell) => [cell.id, cell]));
  turnedOver.ramps = turnedOver.ramps.map((ramp) => lane(ramp, turnedOver.cell[ramp.cell]));
  return turnedOver;
}

/** A ramp with where its lane ends (`foot`) and, above, where a ball waits in it (`x`, `y`). */
function lane(ramp, cell) {
  const [fx, fy] = through(ramp.edge, 25);
  const foot = [cell.x + fx, cell.y + fy];
  const near = Math.hypot(ramp.x - foot[0], ramp.y - foot[1]) < 12;
  // A board file that names only the edge gets lanes as the laser-cut board has them: side by side.
  if (!near) return { ...ramp, foot };
  return { ...ramp, foot, x: cell.x + Math.sign(Math.round(fx)) * 28.87, y: cell.y - 50 };
}
