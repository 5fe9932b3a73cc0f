/** A film of what is played: the browser's own recorder writes it, a picture of the board after the other. */
import { pictureOf } from "./picture.js";

const EVERY = 160; // ms between two pictures
const HIGHEST = 1080; // px
const TYPE = "video/webm";

/** Whether this browser can. */
export const films = () => "MediaRecorder" in window && MediaRecorder.isTypeSupported(TYPE) && "captureStream" in HTMLCanvasElement.prototype;

export class Film {
  parts = [];

  /** Films the board in `stage` from now on; `done(blob)` gets the film once it is stopped. */
  constructor(stage, done) {
    this.stage = stage;
    this.canvas = document.createElement("canvas");
    this.ready = this.draw().then(() => {
      this.recorder = new MediaRecorder(this.canvas.captureStream(), { mimeType: TYPE });
      this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
      this.recorder.onstop = () => done(new Blob(this.parts, { type: TYPE }));
      this.recorder.start();
      this.next();
    });
  }

  next = () => {
    this.timer = setTimeout(() => this.draw().then(() => this.recorder.state === "recording" && this.next()), EVERY);
  };

  /** One picture more, with room around it where the board is not as high as before. */
  async draw() {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(this.stage))}`;
    await image.decode();
    const { canvas } = this;
    if (canvas.height === 150) { // as a canvas begins
      const scale = Math.min(1, HIGHEST / image.height);
      [canvas.width, canvas.height] = [image.width, image.height].map((side) => 2 * Math.round((side * scale) / 2));
    }
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  }

  /** The last picture is what stands there now. */
  async stop() {
    await this.ready;
    clearTimeout(this.timer);
    await this.draw();
    this.recorder.stop();
  }
}
