/** What a person has picked up on this page, and what a touch of the board means. */

/** A game's own extends it. Its `state` is shown anew whenever it is `set`; every widget gets it. */
export class Play {
  state = {};

  constructor(app) {
    this.app = app;
  }

  get board() {
    return this.app.props.board;
  }

  /** Its state now. */
  get own() {
    return this.app.state.own;
  }

  set(changed) {
    this.app.setState(({ own }) => ({ own: { ...own, ...changed } }));
  }

  /** What is picked up, in a sentence for who does not see the page, and what can follow; "" for nothing. */
  told() {
    return "";
  }

  /** A new state of the table has come. */
  seen(table, before) {}

  /** A message of another kind has come. */
  hear(message) {}

  /** What was asked for is refused. */
  refused() {}

  /** A form opens or closes: what would be in its way is put down. */
  aside() {}

  /** Somebody pressed Escape. */
  escape() {}

  /** Somebody pressed a key that means nothing to all games. */
  key(event) {}

  /** The curtain closes. */
  covered() {}
}
