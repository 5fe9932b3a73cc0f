/** What a page offers to who uses it: while somebody else has the turn, nothing of theirs can be touched. */

/** A table with what a page's people (`you`) can do alone; the host speaks for every seat, and anybody names a throw that no seat is asked for. */
export function allowed(table, { host, seats }, says) {
  if (host) return table;
  const turn = table.active < 0 || seats.includes(table.active);
  const acts = table.acts?.filter(([, seat]) => seats.includes(seat));
  return { ...table, ...(turn ? {} : { moves: [], withheld: [] }), acts, waits: !turn, own: says.allowed(table.own, seats, turn) };
}
