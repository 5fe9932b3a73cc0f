/** Takes an invitation. Its secret stands behind the # of a link, so no server is told it, and nothing is taken, until a person presses. */
import { computer } from "./home.js";
import { COLOURS, phrase } from "./words.js";

const NAME = "hexboard-name";
const FORM = `<form class="card" aria-label="${phrase("page.take_seat")}">
<h1>${phrase("page.take_seat")}</h1>
<p class="hint">${phrase("page.board_of")} <b class="computer"></b></p>
<label class="field figures">${phrase("page.six_figures")}
<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8" required></label>
<label class="field">${phrase("page.your_name")}
<input name="name" maxlength="40" autocomplete="nickname"></label>
<fieldset class="colours"><legend>${phrase("page.your_colour")}</legend>
${COLOURS.map((name, n) => `<label class="own-${n}"><input type="radio" name="colour" value="${n}"><span>${name}</span></label>`).join("")}</fieldset>
<label class="row afar"><input name="far" type="checkbox"> ${phrase("page.afar")}</label>
<p class="refused" role="alert" hidden></p>
<button class="main">${phrase("page.sit_down")}</button>
</form>`;

const main = document.createElement("main");
main.className = "join";
main.innerHTML = FORM;
document.getElementById("app").replaceChildren(main);
main.querySelector(".computer").textContent = computer;
document.title = `${phrase("page.take_seat")} · ${computer}`;
const form = document.querySelector("form");
const refused = form.querySelector(".refused");
const secret = location.hash.slice(1);
let asking = false; // an invitation is taken once: a second tap would find it gone

/** Private windows may keep nothing. */
function kept(name) {
  try {
    if (name !== undefined) localStorage.setItem(NAME, name);
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

function refuse(text) {
  refused.textContent = text;
  refused.hidden = !text;
}

form.elements.name.value = kept();
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
if (secret) {
  form.querySelector(".figures").hidden = true;
  form.elements.code.required = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (asking) return;
  asking = true;
  refuse("");
  const name = form.elements.name.value;
  kept(name);
  const { code, far, colour } = form.elements;
  const body = JSON.stringify({ code: secret || code.value, name, far: far.checked, colour: colour.value ? +colour.value : -1 });
  const answer = await fetch("join", { method: "POST", body, headers: { "Content-Type": "application/json" } }).catch(() => null);
  if (answer?.ok) return location.replace(".");
  const told = await answer?.json().catch(() => null);
  asking = false;
  refuse(told?.error ?? phrase("page.unheard_network"));
});
