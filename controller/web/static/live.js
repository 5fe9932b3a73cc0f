/**
 * The wire to the board's program: a WebSocket that comes back by itself.
 *
 * `onMessage(message)` gets every message but stale states, states whole; `onLink(link)` gets "up", "down" or
 * "crowded" (too many pages are open; of both we keep trying) or "barred" (the link that opened this page no longer counts).
 */
import { merged } from "./differences.js";
import { at } from "./home.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;
const BARRED = 4403;
const SILENT = 12000; // ms without a word of a program that beats every 5 s: the wire is dead, and no browser says so for minutes
const ASKED = 4000; // ms that an ordinary question may take
const PATH = window === window.top ? new URL(at("/")).pathname : ""; // a proxy's, by which others come too; a frame's leads them nowhere
const DOZED = 3000; // ms out of sight after which a wire may be dead without knowing

export class Live {
  constructor(onMessage, onLink) {
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.wait = FIRST_WAIT;
    this.state = null; // the last one, as it came
    // A phone that slept has lost its socket without being told.
    document.addEventListener("visibilitychange", this.woken);
    window.addEventListener("online", this.renew);
    this.open();
  }

  woken = () => {
    if (document.visibilityState !== "visible") this.since = Date.now();
    else if (!this.up || Math.abs(Date.now() - this.since) > DOZED) this.renew();
  };

  /** Another wire at once, in place of one that may be dead. */
  renew = () => {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.open();
  };

  /** Something was heard. */
  beat() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.onLink("down");
      this.renew();
    }, SILENT);
  }

  /** Nobody listens any more. */
  close() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    document.removeEventListener("visibilitychange", this.woken);
    window.removeEventListener("online", this.renew);
    const { socket } = this;
    this.socket = null;
    socket.close();
  }

  get up() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    const socket = new WebSocket(at(`/live?differences&at=${encodeURIComponent(PATH)}`).replace(/^http/, "ws"));
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.wait = FIRST_WAIT;
      this.state = null; // a restarted program counts from the start again
      this.onLink("up");
    };
    socket.onmessage = ({ data }) => socket === this.socket && this.read(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  read(message) {
    this.beats ||= message.type === "beat";
    if (this.beats) this.beat();
    if (message.type === "beat") return;
    if (message.type === "changed") {
      if (message.of !== this.state?.rev) return this.renew(); // and is sent a whole one
      message = merged(this.state, message.state);
    }
    if (message.type === "state") {
      if (message.rev < this.state?.rev) return;
      this.state = message;
      message = { ...message, heard: performance.now() };
    }
    this.onMessage(message);
  }

  async lost(code) {
    const { socket } = this;
    clearTimeout(this.silence);
    // A refused handshake hides its 403 from scripts, so ask for something ordinary as well.
    const asking = new AbortController();
    const late = setTimeout(() => asking.abort(), ASKED);
    const asked = { signal: asking.signal, headers: { Accept: "application/json" } };
    const answer = code === BARRED ? { status: 403 } : await fetch(at("/board?live"), asked).catch(() => null);
    const crowded = answer?.status === 403 && (await answer.json?.().catch(() => null))?.key === "web.too_many";
    clearTimeout(late);
    if (socket !== this.socket) return; // another wire has come meanwhile
    if (answer?.status === 403 && !crowded) return this.onLink("barred");
    this.onLink(crowded ? "crowded" : "down");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Sends one command; false when nobody is there to hear it. */
  send(command) {
    if (!this.up) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }
}
