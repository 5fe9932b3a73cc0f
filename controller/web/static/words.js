/** The page's sentences, in the language of who reads it: the tables `locale/*.toml`, [page] and a game's own. */
const table = JSON.parse(document.getElementById("words").textContent);

/** The sentences of a game are known from now on. */
export const learn = (sentences) => Object.assign(table, sentences);

/** A form of a number: "{count:card|cards}". */
const form = (value, forms) => forms.split("|")[value === 1 ? 0 : 1];

/** The sentence of a key with its values; the key where there is none. */
export function phrase(key, values = {}) {
  return (table[key] ?? key).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, forms) => (forms ? form(values[name], forms) : values[name]));
}

/** Names in a row: "Red, Blue and Green". */
export function joined(names) {
  if (names.length < 2) return names.join("");
  return phrase("page.and", { some: names.slice(0, -1).join(", "), last: names.at(-1) });
}
