/**
 * Widgets: what the page of any game is made of, by name. A game's own script says in `export const
 * widgets = {…}` which of them it brings in place of these; docs/write-a-game.md, "A widget".
 */
import { dress } from "./dress.js";
import { at } from "./home.js";
import { Health, Seat, ToDo } from "./panel.js";
import { Moves, PieceBoard, Touches } from "./pieces.js";
import { learn, phrase } from "./words.js";
import { Change } from "./wrong.js";

const nothing = () => null;

export const COMMON = {
  /** What a person has picked up and what a touch means: a class (`play.js`), whose state every widget gets. */
  Play: Touches,
  /** The board, whole. */
  Board: PieceBoard,
  /** On the board of pieces: how a kind of piece is drawn (`at`, `seat`, `count`, `text`), by kind. */
  things: {},
  /** On the board of pieces: what is drawn under them. */
  under: [],
  /** On the board of pieces: what is drawn over them. */
  layers: [],
  /** A seat in the ruling line. */
  Seat,
  /** The cards that come before questions and the to-do. */
  Pressing: nothing,
  /** The picture of an answer to a question, in its button, by its `name`. */
  Answer: nothing,
  /** What hands have to do. */
  ToDo,
  /** The card of what can be done. */
  Moves,
  /** In that card: the moves that are chosen by pictures (`says.pictured`). */
  Picks: nothing,
  /** Buttons beside "The board is wrong…". */
  Rare: nothing,
  /** In the hand of who looks: a card that is shown as a picture, and what else there is to say. */
  Face: nothing,
  Held: nothing,
  /** How the position is set by hand. */
  Change,
  /** The board's health. */
  Health,
  says: {
    /** What goes on, while that is more than a turn. */
    busy: () => "",
    /** Which turn it is. */
    turn: () => "",
    /** What of the game's own state the holder of `seats` can use, with the `turn` or without it. */
    allowed: (own) => own,
    /** What begins a game. */
    begins: phrase("page.begins"),
    /** Why a board may be wrong. */
    slip: phrase("page.slip"),
    /** What hands hold. */
    held: phrase("page.held"),
    /** Whether a move, or a card in hand, is a picture. */
    pictured: () => false,
    /** What a thing of the palette is after a sixth of a turn clockwise, where things have a direction. */
    turned: null,
    /** Rulings that people may make beside those of all games: the ruling, its button, what it means. */
    rulings: [],
    /** Keys that do something, in words. */
    keys: [],
    /** How the page works: a sentence, and paragraphs. */
    help: () => [phrase("page.touch_help")],
  },
};

/** The widgets with a game's own among them. Raises what is wrong with those. */
export function merged(own) {
  if (!own) throw new Error(phrase("page.no_widgets"));
  const unknown = Object.keys(own).filter((name) => !(name in COMMON));
  if (unknown.length) throw new Error(phrase("page.no_widget", { name: unknown.join(", ") }));
  return { ...COMMON, ...own, says: { ...COMMON.says, ...own.says } };
}

/** A sentence for people, and what is wrong for who wrote the script. */
export function complaint(game, error) {
  console.warn(error);
  return phrase("page.complaint", { game, why: error.message });
}

/** What a game is shown with: the widgets, and what is wrong with its own. */
async function tried({ game, script, style, words }) {
  learn(words);
  try {
    await dress(style);
    return { widgets: script ? merged((await import(at(script))).widgets) : COMMON, trouble: "" };
  } catch (error) {
    return { widgets: COMMON, trouble: complaint(game, error) };
  }
}

let last = {};

/** The same, once for each game that is played while the page is open; again where a file did not come. */
export async function load(page) {
  if (last.game !== page.game) last = { game: page.game, shown: tried(page) };
  const asked = last;
  const shown = await asked.shown;
  if (shown.trouble && last === asked) last = {};
  return shown;
}
