/** For pages without switches of their own: light or dark, as people have set it on the board's page. */
import { Settings } from "./settings.js";

new Settings(() => {});
