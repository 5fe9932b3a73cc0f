/** What a game looks like: its style sheet beside ours; on a wall those of several. */
import { at } from "./home.js";
import { phrase } from "./words.js";

/** Puts a game's style sheet in place of the one before that has this id. */
export function dress(href, id = "own-style") {
  document.getElementById(id)?.remove();
  if (!href) return null;
  const link = Object.assign(document.createElement("link"), { id, rel: "stylesheet", href: at(href) });
  const loaded = new Promise((done, failed) => {
    link.onload = done;
    link.onerror = () => failed(new Error(phrase("page.no_style", { file: href })));
  });
  document.head.append(link);
  return loaded;
}
