/** What the computer is called on which the board's program runs. */
export const computer = document.title;

/** Where the board's program is: under another path behind a proxy, such as Home Assistant's ingress. */
export const at = (path) => new URL(`..${path}`, import.meta.url).href;

document.documentElement.style.setProperty("--board", document.querySelector('meta[name="theme-color"]').content);
