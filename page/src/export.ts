/** The picture to take along: as SVG, as PNG, and as a film of a stretch. Nothing leaves the browser. */

import { svg as draw } from "./dom.ts";

/** What the picture's style sheets decide; a picture on its own has no style sheets. */
const STROKES = ["stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap"];
const SHAPE = ["fill", "fill-opacity", "opacity", ...STROKES];
const TEXT = ["fill", "opacity", "font-family", "font-size", "font-weight"];
const CAPTION_HEIGHT = 34;
/** Pixels for each unit of the picture, for screens and paper with small pixels. */
const SCALE = 2;
/** Pixels for each unit of a film. */
const FILM_SCALE = 1;
const FILMS = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];

/** A copy of the picture with its colours and fonts, its background and a caption. */
export function alone(picture: SVGSVGElement, caption: string): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll("*");
  const hidden: Element[] = [];
  picture.querySelectorAll("*").forEach((element, nth) => {
    const [style, to] = [getComputedStyle(element), copies[nth] as Element];
    if (style.display === "none" || style.opacity === "0" || element.classList.contains("touch")) {
      hidden.push(to);
    }
    const kept = element.tagName === "g" ? ["opacity"] : element.tagName === "text" ? TEXT : SHAPE;
    to.setAttribute("style", kept.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    to.removeAttribute("tabindex");
  });
  for (const element of hidden) {
    element.remove();
  }
  const { width, height } = picture.viewBox.baseVal;
  const page = getComputedStyle(document.body);
  const back = draw("rect", { width, height: height + CAPTION_HEIGHT, style: `fill:${page.backgroundColor}` });
  const style = `fill:${page.color};font:14px ${page.fontFamily.replaceAll('"', "'")}`;
  copy.prepend(draw("title", {}, caption), back);
  copy.append(draw("text", { x: width / 2, y: height + 18, "text-anchor": "middle", style }, caption));
  copy.setAttribute("viewBox", `0 0 ${width} ${height + CAPTION_HEIGHT}`);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height + CAPTION_HEIGHT));
  return copy;
}

export function svgFile(picture: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

export async function pngFile(picture: SVGSVGElement): Promise<Blob> {
  const canvas = canvasFor(picture, SCALE);
  await paint(picture, canvas);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no PNG"))), "image/png");
  });
}

/** The kind of film that this browser can record; null if it can record none. */
export function filmKind(): string | null {
  return typeof MediaRecorder === "undefined"
    ? null
    : (FILMS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null);
}

/** Films the picture until `ended` says so. A film lasts as long as what it shows. */
export async function film(now: () => SVGSVGElement, kind: string, ended: () => boolean): Promise<Blob> {
  const canvas = canvasFor(now(), FILM_SCALE);
  await paint(now(), canvas);
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: kind });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start();
  while (!ended()) {
    await paint(now(), canvas);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: kind.split(";")[0] ?? kind });
}

function canvasFor(picture: SVGSVGElement, scale: number): HTMLCanvasElement {
  const { width, height } = picture.viewBox.baseVal;
  const canvas = document.createElement("canvas");
  // Films need even numbers of pixels.
  [canvas.width, canvas.height] = [2 * Math.round((width * scale) / 2), 2 * Math.round((height * scale) / 2)];
  return canvas;
}

async function paint(picture: SVGSVGElement, canvas: HTMLCanvasElement): Promise<void> {
  // A data URL, because a canvas that shows a blob's SVG cannot be read in all browsers.
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
}
