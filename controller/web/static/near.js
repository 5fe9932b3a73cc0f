/** A board that can be looked at from near: its cells are as large as a finger then, and it is moved under it. When something
 * else is asked (`asks`) and nothing that can be touched is in sight, it moves there by itself. */
import { html, names } from "./html.js";
import { Component, createRef } from "./vendor/preact.mjs";
import { phrase } from "./words.js";

const FINGER = 44; // px
const SMALL = 30; // px: no finger finds a cell that is smaller, and nobody reads its name
const LARGER = 1.6; // at least so many times as large
const CELL = 50; // from cell to cell, in the board's own units
const TOUCHABLE = ".open, .corner";

const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

export class Near extends Component {
  pane = createRef();
  state = { by: 1, small: false };
  fingers = matchMedia("(pointer: coarse)").matches;
  sized = new ResizeObserver(() => this.setState({ small: this.cell < SMALL }));

  componentDidMount() {
    this.sized.observe(this.board);
    if (this.fingers && this.cell < SMALL) this.enlarge();
  }

  componentDidUpdate({ asks }) {
    if (asks !== this.props.asks) this.meet();
  }

  componentWillUnmount() {
    this.sized.disconnect();
  }

  get board() {
    const pane = this.pane.current;
    return pane.querySelector("svg.board") ?? pane.firstElementChild;
  }

  /** From cell to cell on the screen, px. */
  get cell() {
    return CELL * (this.board.getScreenCTM?.()?.a ?? 1);
  }

  /** Larger, with this point of the board (shares of its width and height) in the middle; without one where something can
   * be touched. */
  enlarge(touched = null) {
    const [right, down] = touched ?? [0.5, 0.5];
    const needed = (FINGER / this.cell) * (this.board.getBoundingClientRect().width / this.pane.current.clientWidth);
    this.setState({ by: Math.max(LARGER, needed) }, () => {
      const pane = this.pane.current;
      pane.scrollTo(pane.scrollWidth * right - pane.clientWidth / 2, pane.scrollHeight * down - pane.clientHeight / 2);
      if (!touched) this.meet();
    });
  }

  /** Moves the board where nothing that can be touched is in sight: to the middle of all that can. */
  meet() {
    const pane = this.pane.current;
    const { left, right, top, bottom } = pane.getBoundingClientRect();
    const points = [...pane.querySelectorAll(TOUCHABLE)].map((it) => middle(it.getBoundingClientRect()));
    if (!points.length || points.some(([x, y]) => x > left && x < right && y > top && y < bottom)) return;
    const mean = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const away = ([x, y]) => Math.hypot(x - mean[0], y - mean[1]);
    const [x, y] = points.reduce((nearest, point) => (away(point) < away(nearest) ? point : nearest));
    pane.scrollBy(x - (left + right) / 2, y - (top + bottom) / 2);
  }

  toggle = () => (this.state.by > 1 ? this.setState({ by: 1 }) : this.enlarge());

  /** A finger on small cells means this part of the board, not one of them. */
  touch = (event) => {
    if (!this.fingers || this.state.by > 1 || this.cell >= SMALL) return;
    event.stopPropagation();
    const { left, top, width, height } = this.board.getBoundingClientRect();
    this.enlarge([(event.clientX - left) / width, (event.clientY - top) / height]);
  };

  render({ children, beside, still }, { by, small }) {
    return html`<div class=${names("pane", by > 1 && "near", small && "small", still && "still")} ref=${this.pane} inert=${still} style=${`--near: ${Math.round(100 * by)}%`}
        onClickCapture=${this.touch}>${children}</div>
      <div class="under">${beside}
        <button class="larger" aria-pressed=${by > 1} onClick=${this.toggle}>${by > 1 ? phrase("page.whole_board") : phrase("page.nearer")}</button></div>`;
  }
}
