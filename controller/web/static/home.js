/** Where the board's program is: under another path behind a proxy, such as Home Assistant's ingress. */
export const at = (path) => new URL(`..${path}`, import.meta.url).href;
