/**
 * One flat-top hexagon, in millimetres, with y downwards as on a screen.
 *
 * Edge 1 is the top one, then clockwise. The board's files have y upwards; `onScreen` turns a whole
 * board over once, so that nothing else needs to think of it.
 */
export const EDGES = [1, 2, 3, 4, 5, 6];

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
  turnedOver.cell = Object.fromEntries(turnedOver.cells.map((cell) => [cell.id, cell]));
  return turnedOver;
}
