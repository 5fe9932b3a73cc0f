/** The page's sentences, in the language of who reads it: the tables `locale/*.toml`, [page] and a game's own. */
const table = JSON.parse(document.getElementById("words").textContent);

/** Sentences taken apart once, by key: text, name, forms, text, name, forms, … text. */
let parts = {};

/** The sentences of a game are known from now on. */
export function learn(sentences) {
  Object.assign(table, sentences);
  parts = {};
}

/** A form of a number: "{count:card|cards}"; of three the first is that of 0, and # is the number. */
function form(value, forms) {
  const every = forms.split("|");
  if (every.length === 2) return every[value === 1 ? 0 : 1];
  return every[Math.min(value, 2)].replace("#", value);
}

/** The sentence of a key with its values; the key where there is none. */
export function phrase(key, values = {}) {
  const it = (parts[key] ??= (table[key] ?? key).split(/\{(\w+)(?::([^}]*))?\}/));
  let said = it[0];
  for (let k = 1; k < it.length; k += 3) {
    said += `${it[k + 1] ? form(values[it[k]], it[k + 1]) : values[it[k]]}${it[k + 2]}`;
  }
  return said;
}

/** A number with so many digits behind the language's own decimal sign. */
export function decimal(amount, digits) {
  const [whole, rest] = amount.toFixed(digits).split(".");
  return phrase("page.decimal", { whole, rest });
}

/** Names in a row: "Red, Blue and Green". */
export function joined(names) {
  if (names.length < 2) return names.join("");
  return phrase("page.and", { some: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** The colours that people may have beside their name. */
export const COLOURS = [phrase("page.red"), phrase("page.blue"), phrase("page.green"), phrase("page.yellow"), phrase("page.violet"), phrase("page.grey")];
