/** Where the keyboard goes on when what it was on is taken away: to what has come into its place. */

const BUTTON = "button:enabled, a[href], summary";

/** Whether the keyboard can be on something. */
const usable = (it) => it.isConnected && !it.disabled && !it.closest("[inert]") && (it.checkVisibility?.() ?? true);

/** Whom the keyboard goes to in what is left around; of a card that is gone, its `data-back` first. */
function heir(around) {
  const back = around.map(({ dataset }) => dataset?.back).find(Boolean);
  const named = back && document.querySelector(back);
  if (named && usable(named)) return named;
  const near = around.find((it) => usable(it) && it.matches("[role=group], .stage, .dock, section, dialog, main, .page"));
  if (near?.matches(".dock, .page")) return [...near.querySelectorAll(".card")].find(usable) ?? document.querySelector(".ruling, main");
  return (near?.matches("[role=group], .stage") && [...near.querySelectorAll(BUTTON)].find(usable)) || near;
}

export class Foothold {
  way = []; // what the keyboard is on, and what stands around it

  constructor() {
    document.addEventListener("focusin", this.come);
    this.watch = new MutationObserver(this.changed);
    this.watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "inert", "open"] });
  }

  stop() {
    document.removeEventListener("focusin", this.come);
    this.watch.disconnect();
  }

  come = ({ target }) => {
    this.way = [];
    for (let it = target; it && it !== document.body; it = it.parentElement) this.way.push(it);
  };

  /** Looked at when the page is drawn: only then a browser takes the keyboard from what cannot be seen. */
  changed = () => {
    if (this.way.length) this.frame ??= requestAnimationFrame(() => setTimeout(this.look));
  };

  look = () => {
    this.frame = undefined;
    if (document.activeElement && document.activeElement !== document.body) return;
    const [on, ...around] = this.way;
    this.way = [];
    if (!on || usable(on)) return; // who touched the page beside it has left it
    const to = heir(around);
    if (!to) return;
    if (to.tabIndex < 0) to.tabIndex = -1;
    to.focus({ preventScroll: true });
    if (to.matches(":focus-visible")) to.scrollIntoView({ block: "nearest" });
  };
}
