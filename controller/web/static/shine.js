/** What a strip shows at a time: the patterns that the board animates by its own clock (`firmware/pixels.py`). */

const [BLINK, PULSE, COUNT] = [1, 2, 3];

/** How much of its second colour a look shows, 0 to 256. */
export function share(pattern, phase, ms) {
  const kind = pattern & 15;
  const lit = 500 * (pattern >> 4);
  const period = { [BLINK]: 1000, [PULSE]: 2000, [COUNT]: lit + 1000 }[kind] ?? 2000;
  const t = Math.floor(ms + ((period * phase) >> 8)) % period;
  if (kind === BLINK) return t >= 500 ? 256 : 0;
  if (kind === PULSE) return Math.floor(((t >= 1000 ? 2000 - t : t) * 256) / 1000);
  if (kind === COUNT) return t >= lit || t % 500 >= 250 ? 256 : 0;
  return 0;
}

/** Three bytes a pixel: `pixels` says which of the `looks` (8 bytes: two colours, pattern, phase) each has. */
export function colours(pixels, looks, ms) {
  const now = looks.map((look) => {
    const part = share(look[6], look[7], ms);
    return [0, 1, 2].map((k) => look[k] + (((look[k + 3] - look[k]) * part) >> 8));
  });
  return Uint8Array.from(pixels.flatMap((look) => now[look]));
}
