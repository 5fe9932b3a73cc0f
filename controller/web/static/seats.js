/** Who sits where, and the host's invitations. */
import { LANGUAGES, speak } from "./device.js";
import { html, names } from "./html.js";
import { Card, hue, Sure } from "./parts.js";
import { phrase } from "./words.js";

const WATCHING = -1;
const DEVICE = [ // what a device can do for who uses it, and whether this one can
  ["buzz", phrase("page.buzzes"), () => "vibrate" in navigator],
  ["sound", phrase("page.rings"), () => "AudioContext" in window || "webkitAudioContext" in window],
  ["explain", phrase("page.explains"), () => true],
  ["voice", phrase("page.speaks"), () => "speechSynthesis" in window],
  ["awake", phrase("page.awake"), () => "wakeLock" in navigator],
];

/** Whoever holds a seat, as people call them: the host's page speaks for what nobody took. */
export const holder = (you, seat) => you.people.find(({ seats }) => seats.includes(seat));

/** `seats` are called by their own names here, whoever sits there. An invitation comes where it was asked for. */
export function Seats({ seats, you, invitation, app, close }) {
  const invite = (seat) => app.send({ type: "invite", seat });
  const invited = (seat, goal) => html`<div role="status">
    ${invitation?.seat === seat && html`<${Invitation} key=${invitation.link} ...${invitation} goal=${goal} />`}</div>`;
  return html`<${Card} title=${phrase("page.seats")} kind="people" close=${close}>
    <ul class="list">${seats.map((seat, n) => {
      const person = holder(you, n);
      return html`<li key=${n}><div class="row"><span class=${names("seat", hue(n))}>${seat}</span>
        <span class="grow">${person ? html`<${Person} ...${person} />` : phrase("page.spoken_for")}</span>
        ${you.host && person && html`<${Keys} person=${person} app=${app} />`}
        ${you.host && html`<button data-invite=${n} onClick=${() => invite(n)}>${phrase("page.invite")}</button>`}</div>
        ${you.host && invited(n, phrase("page.to_sit", { seat }))}</li>`;
    })}</ul>
    ${you.host
      ? html`<div class="row last"><button data-invite=${WATCHING} onClick=${() => invite(WATCHING)}>${phrase("page.invite_watch")}</button>
        <${Sure} name="renew" act=${() => app.send({ type: "renew" })} really=${phrase("page.really_all")}>${phrase("page.all_off")}<//></div>
        ${invited(WATCHING, phrase("page.to_watch"))}
        <p class="hint">${phrase("page.television")} <a href="board" target="_blank">${phrase("page.large")}</a>, ${phrase("page.or_there")} <b>${you.board}</b></p>`
      : html`<p class="hint">${phrase("page.host_invites")}</p>`}
    <fieldset class="device"><legend>${phrase("page.device")}</legend>
      ${LANGUAGES.length > 1 && html`<label class="row">${phrase("page.language")}
        <select data-language onChange=${(event) => speak(event.currentTarget.value)}>
          ${LANGUAGES.map(([code, name]) => html`<option key=${code} value=${code} lang=${code} selected=${code === document.documentElement.dataset.spoken}>${name}</option>`)}</select></label>`}
      ${DEVICE.map(([name, text, can]) => can() && html`<button key=${name} class="switch" role="switch" data-device=${name}
        aria-checked=${app.settings[name]} onClick=${() => app.serve(name)}><i></i>${text}</button>`)}
    </fieldset>
    <${Watching} seats=${seats} you=${you} app=${app} />
  <//>`;
}

/** Who watches, a line each, for there may be many; who has left is folded away. */
function Watching({ you, ...given }) {
  const watching = you.people.filter((person) => !person.seats.length);
  const [here, away] = [true, false].map((it) => watching.filter((person) => person.here === it));
  const list = (people) => html`<ul class="list watching">${people.map((person) => html`<li key=${person.id}><${Watcher} person=${person} you=${you} ...${given} /></li>`)}</ul>`;
  return html`
    ${here.length > 0 && html`<fieldset><legend>${phrase("page.watching", { count: here.length })}</legend>${list(here)}</fieldset>`}
    ${away.length > 0 && html`<details class="rarely"><summary>${phrase("page.watched", { count: away.length })}</summary>${list(away)}</details>`}`;
}

/** Somebody who watches; unfolded, what may be done for them. */
function Watcher({ person, seats, you, app }) {
  if (!you.host && !you.seats.length) return html`<${Person} ...${person} />`;
  return html`<details><summary><${Person} ...${person} /></summary><div class="row">
    ${seats.map((seat, n) => (you.host || you.seats.includes(n)) && html`<button data-give=${n} onClick=${() => app.send({ type: "give", key: person.id, seat: n })}>${phrase("page.sit_as", { seat })}</button>`)}
    ${you.host && html`<${Keys} person=${person} app=${app} />`}</div></details>`;
}

/** Somebody's name, in their colour. */
export const Named = ({ name, colour }) => html`<b class=${names("own", colour >= 0 && `own-${colour}`)}>${name || phrase("page.a_phone")}</b>`;

const Person = ({ host, here, far, ...own }) =>
  html`<${Named} ...${own} />${host && phrase("page.is_host")}${far && phrase("page.is_far")}${!here && phrase("page.is_away")}`;

/** What a host may do about somebody's key. */
const Keys = ({ person: { id, host }, app }) => html`
  ${!host && html`<${Sure} name="appoint" act=${() => app.send({ type: "appoint", key: id })} really=${phrase("page.really_host")}>${phrase("page.make_host")}<//>`}
  <${Sure} name="dismiss" act=${() => app.send({ type: "dismiss", key: id })} really=${phrase("page.really")}>${phrase("page.throw_off")}<//>`;

const inSight = (it) => it?.scrollIntoView({ block: "nearest" });

/** What somebody points a phone at, once. */
function Invitation({ goal, link, code, figures, near }) {
  if (near) return html`<p class="refused" ref=${inSight}>${phrase("page.unreachable")}</p>`;
  return html`<div class="invitation" ref=${inSight}>
    <img src=${code} alt=${phrase("page.code_of")} />
    <p>${goal}${phrase("page.point_phone")} <b>${link.replace(/#.*/, "")}</b> ${phrase("page.and_give")} <b class="figures">${figures.replace(/(...)/, "$1 ")}</b>. ${phrase("page.counts_once")}</p>
  </div>`;
}
