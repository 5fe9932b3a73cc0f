/** `html` writes elements; whatever stands in `${}` only ever becomes text or attributes. */
import htm from "./vendor/htm.mjs";
import { h } from "./vendor/preact.mjs";

export const html = htm.bind(h);

/** The names that are on: `names("cell", open && "open")`. */
export const names = (...list) => list.filter(Boolean).join(" ");
