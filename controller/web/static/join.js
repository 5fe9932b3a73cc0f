/** Takes an invitation. Its secret stands behind the # of a link, so no server is told it, and nothing is taken, until a person presses. */
const NAME = "hexboard-name";
const form = document.querySelector("form");
const refused = form.querySelector(".refused");
const secret = location.hash.slice(1);

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
  form.querySelector(".scanned").hidden = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  refuse("");
  const name = form.elements.name.value;
  kept(name);
  const body = JSON.stringify({ code: secret || form.elements.code.value, name, far: form.elements.far.checked });
  const answer = await fetch("join", { method: "POST", body, headers: { "Content-Type": "application/json" } }).catch(() => null);
  if (answer?.ok) return location.replace(".");
  const told = await answer?.json().catch(() => null);
  refuse(told?.error ?? "The board's program is not answering. Is this phone in the same network?");
});
