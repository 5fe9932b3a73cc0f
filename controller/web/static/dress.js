/** What a game looks like: its style sheet beside ours. */
import { at } from "./home.js";
import { phrase } from "./words.js";

/** Puts a game's style sheet in place of the one before. */
export function dress(href) {
  document.getElementById("own-style")?.remove();
  if (!href) return null;
  const link = Object.assign(document.createElement("link"), { id: "own-style", rel: "stylesheet", href: at(href) });
  const loaded = new Promise((done, failed) => {
    link.onload = done;
    link.onerror = () => failed(new Error(phrase("page.no_style", { file: href })));
  });
  document.head.append(link);
  return loaded;
}
