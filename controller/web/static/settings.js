/** The switches a person has set on this page, kept where the browser lets us. */
const KEY = "hexboard";
const wants = (query) => matchMedia(query);
const LIGHT = wants("(prefers-color-scheme: light)");
const STILL = wants("(prefers-reduced-motion: reduce)");

export class Settings {
  /** `onChange()` is called when a switch or the device's own preference changes; `first()` is whether a game is played as a
   * first one, which is explained where nobody has said otherwise. */
  constructor(onChange, first = () => false) {
    this.onChange = onChange;
    this.first = first;
    this.kept = {};
    try {
      this.kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      // A private window may refuse storage: then the switches last as long as the page.
    }
    for (const query of [LIGHT, STILL]) query.addEventListener("change", this.apply);
    this.apply();
  }

  /** Nobody uses this page any more: another game's has come. */
  stop() {
    for (const query of [LIGHT, STILL]) query.removeEventListener("change", this.apply);
  }

  get sensors() { return this.kept.sensors ?? false; }
  get light() { return this.kept.light ?? LIGHT.matches; }
  get calm() { return this.kept.calm ?? STILL.matches; }
  get buzz() { return this.kept.buzz ?? false; }
  get sound() { return this.kept.sound ?? false; }
  get voice() { return this.kept.voice ?? false; }
  get explain() { return this.kept.explain ?? this.first(); }
  get awake() { return this.kept.awake ?? false; }

  toggle(name) {
    this.kept[name] = !this[name];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // as above
    }
    this.apply();
  }

  apply = () => {
    document.documentElement.dataset.theme = this.light ? "light" : "dark";
    document.documentElement.dataset.calm = this.calm ? "yes" : "no";
    this.onChange();
  };
}
