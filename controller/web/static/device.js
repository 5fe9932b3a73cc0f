/** What a device does for who uses it: it keeps its screen on, and where a person asked for it, buzzes and rings. */
import { phrase } from "./words.js";

/** Keeps the screen on while the page is seen, where the browser lets us: only over https, and on the board's own computer.
 * Returns how to let it sleep again. */
export function awake() {
  let lock = null;
  let over = false;
  const hold = async () => {
    if (over || document.visibilityState !== "visible" || !navigator.wakeLock) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null); // a battery that is low says no
    if (over) lock?.release();
  };
  document.addEventListener("visibilitychange", hold);
  hold();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", hold);
    lock?.release();
  };
}

/** A language by its own name; a person's own table may have any. */
function ownName(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code);
  } catch {
    return code;
  }
}

/** The languages that pages have, with their names. */
export const LANGUAGES = (document.documentElement.dataset.languages ?? "").split(" ").filter(Boolean).map((code) => [code, ownName(code)]);

/** This device's pages speak another language from now on, of all boards at this address. */
export function speak(code) {
  document.cookie = `hexboard-language=${code}; path=/; max-age=${400 * 86400}; samesite=lax`;
  location.reload();
}

let audio;

/** A browser makes no sound before a person has touched the page: this is called from that touch. */
export function listen() {
  audio ??= new (window.AudioContext ?? window.webkitAudioContext)();
  audio.resume();
}

/** It is somebody's turn here, or something is asked: a buzz and two short tones. */
export function call({ buzz, sound }) {
  if (buzz) navigator.vibrate?.([120, 60, 120]);
  if (!sound || audio?.state !== "running") return;
  for (const [after, pitch] of [[0, 660], [0.16, 880]]) {
    const at = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const loud = new GainNode(audio, { gain: 0.12 });
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.15);
  }
}

/** The one sentence that matters now, beside an open question; the to-do of hands comes before anything else. */
export function demand({ phase, outcome, resume, todo, paused, prompt }) {
  if (phase === "over" && outcome) return outcome;
  if (phase === "wrong" && (resume || todo.length)) return resume ? phrase("page.look_board") : todo[0].text;
  return paused ? phrase("page.in_pause") : prompt;
}

/** What is new in a state, for who listens: what was ruled, and what is asked next. */
export function told(table, before) {
  const known = before.log[0]?.n ?? 0;
  const ruled = table.log.filter(({ n, aside }) => n > known && !aside).map(({ text }) => text).reverse();
  const next = table.question?.text || demand(table);
  const was = before.question?.text || demand(before);
  return [...ruled, ...(next && next !== was ? [next] : [])];
}

let voiced = false;

/** iOS reads nothing aloud before a page has in a person's touch: this is called from that touch. */
export function lendVoice() {
  if (voiced || !window.speechSynthesis) return;
  voiced = true;
  speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

/** Reads sentences aloud by the browser's own voice, in the page's language. */
export function read(sentences) {
  for (const sentence of sentences) {
    const spoken = new SpeechSynthesisUtterance(sentence);
    spoken.lang = document.documentElement.lang;
    speechSynthesis.speak(spoken);
  }
}
