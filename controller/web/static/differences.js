/**
 * A state put together from the one before and what differs: the inverse of `differences.py`, which says what a
 * difference is.
 */
const WHOLE = "=";
const OF_ALL = ["gone", "front", "length"];

/** The state after a difference; nothing that it shares with the state before is copied or changed. */
export function merged(before, changed) {
  if (changed === null || typeof changed !== "object" || Array.isArray(changed)) return changed;
  if (WHOLE in changed) return changed[WHOLE];
  if (Array.isArray(before)) {
    const { gone = 0, front = [] } = changed;
    const moved = [...front, ...before.slice(gone)];
    const after = moved.slice(0, changed.length ?? moved.length);
    for (const key of Object.keys(changed)) if (!OF_ALL.includes(key)) after[key] = merged(after[key], changed[key]);
    return after;
  }
  const after = { ...before };
  for (const key of Object.keys(changed)) {
    if (changed[key] === null) delete after[key];
    else after[key] = merged(before?.[key], changed[key]);
  }
  return after;
}
