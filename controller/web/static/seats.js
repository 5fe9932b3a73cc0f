/** Who sits where, and the host's invitations. */
import { html, names } from "./html.js";
import { Card, hue, Sure } from "./parts.js";

const WATCHING = -1;
const DEVICE = [ // what a device can do for who uses it, and whether this one can
  ["buzz", "Buzzes when it is my turn", () => "vibrate" in navigator],
  ["sound", "Makes a sound then", () => "AudioContext" in window || "webkitAudioContext" in window],
  ["awake", "Stays on while the page is seen", () => "wakeLock" in navigator],
];

/** Whoever holds a seat, as people call them: the host's page speaks for what nobody took. */
export const holder = (you, seat) => you.people.find(({ seats }) => seats.includes(seat));

export function Seats({ seats, you, invitation, app, close }) {
  const invite = (seat) => app.send({ type: "invite", seat });
  const watching = you.people.filter((person) => !person.seats.length);
  return html`<${Card} title="Seats" kind="people" close=${close}>
    <ul class="list">${seats.map((seat, n) => {
      const person = holder(you, n);
      return html`<li key=${n}><span class=${names("seat", hue(n))}>${seat}</span>
        <span class="grow">${person ? html`<${Person} ...${person} />` : "spoken for on the host's page"}</span>
        ${you.host && person && html`<${Keys} person=${person} app=${app} />`}
        ${you.host && html`<button data-invite=${n} onClick=${() => invite(n)}>Invite</button>`}</li>`;
    })}
    ${watching.map((person) => html`<li key=${person.id}><span class="seat">${person.host ? "Host" : "Watches"}</span><span class="grow"><${Person} ...${person} /></span>
      ${seats.map((seat, n) => (you.host || you.seats.includes(n)) && html`<button data-give=${n} onClick=${() => app.send({ type: "give", id: person.id, seat: n })}>Sit as ${seat}</button>`)}
      ${you.host && html`<${Keys} person=${person} app=${app} />`}</li>`)}</ul>
    ${invitation && html`<${Invitation} ...${invitation} seat=${seats[invitation.seat] ?? "watch"} />`}
    ${you.host
      ? html`<p class="hint">For a television at the table: <a href="board" target="_blank">this board, large</a>, or there <b>${you.board}</b></p>
        <div class="row last"><button onClick=${() => invite(WATCHING)}>Invite somebody to watch</button>
        <${Sure} name="renew" act=${() => app.send({ type: "renew" })} really="Really? Every phone, television and link">Throw everybody off<//></div>`
      : html`<p class="hint">The host invites, and can throw off.</p>`}
    <fieldset class="device"><legend>This device</legend>
      ${DEVICE.map(([name, text, can]) => can() && html`<button key=${name} class="switch" role="switch" data-device=${name}
        aria-checked=${app.settings[name]} onClick=${() => app.serve(name)}><i></i>${text}</button>`)}
    </fieldset>
  <//>`;
}

/** Somebody's name, in their colour. */
export const Named = ({ name, colour }) => html`<b class=${names("own", colour >= 0 && `own-${colour}`)}>${name || "a phone"}</b>`;

const Person = ({ host, here, far, ...own }) =>
  html`<${Named} ...${own} />${host && ", host"}${far && ", somewhere else"}${!here && " (away)"}`;

/** What a host may do about somebody's key. */
const Keys = ({ person: { id, host }, app }) => html`
  ${!host && html`<${Sure} name="appoint" act=${() => app.send({ type: "appoint", id })} really="Really? They may do all that you may">Make host<//>`}
  <${Sure} name="dismiss" act=${() => app.send({ type: "dismiss", id })} really="Really?">Throw off<//>`;

/** What somebody points a phone at, once. */
function Invitation({ seat, link, code, figures, near }) {
  const goal = seat === "watch" ? "To watch" : `To sit as ${seat}`;
  if (near) return html`<p class="refused" role="status">Phones cannot reach this page: start hexboard with --lan, then invite again.</p>`;
  return html`<div class="invitation" role="status">
    <img src=${code} alt="Code of the invitation" />
    <p>${goal}, point a phone's camera here, or open <b>${link.replace(/#.*/, "")}</b> and give <b class="figures">${figures.replace(/(...)/, "$1 ")}</b>.
      It counts once.</p>
  </div>`;
}
