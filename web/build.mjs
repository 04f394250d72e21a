// Makes the page: one HTML file with everything in it.
//
//     node web/build.mjs SIMULATOR.wasm PAGE.html [--readable]
//
// Comments in page.html say where the parts go, and what becomes of them:
//
//     <!-- style -->      page.css, in effect
//     <!-- worker -->     src/worker.ts as text, in <script type="text/plain" id="worker">
//     <!-- simulator -->  SIMULATOR.wasm, gzipped, in base64, in <script type="application/gzip" id="simulator">
//     <!-- script -->     src/main.ts, which runs: it hands the bytes of #simulator to a Worker made of #worker's text
//
// --readable is for working on it: not minified, and the browser shows the files as they were written.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
// Whoever writes a page for one run replaces the null.
const SCENE = '<script type="application/json" id="scene">null</script>';
// Pages are kept in repositories and sent by mail.
const LIMIT_BYTES = 1_200_000;

class Refusal extends Error {}

/** One file with all that it imports, as a browser of the year 2022 runs or draws it. */
async function bundle(name, readable) {
  const made = await build({
    entryPoints: [join(HERE, name)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: !readable,
    sourcemap: readable && "inline",
    charset: "utf8",
  });
  return made.outputFiles[0].text;
}

/** An element around text that a browser takes as it stands, so nothing in it may look like its end. */
function element(opening, text) {
  const name = opening.match(/\w+/)[0];
  const end = text.match(new RegExp(`</${name}|<!--`, "i"));
  if (end) {
    throw new Refusal(`${opening} would contain ${end[0]}, which ends or hides it: write it in two parts`);
  }
  return `${opening}${text}</${name}>`;
}

/** The template with each part in place of its comment. */
function assemble(template, parts) {
  return Object.entries(parts).reduce((page, [name, part]) => {
    const pieces = page.split(`<!-- ${name} -->`);
    if (pieces.length !== 2) {
      throw new Refusal(`page.html has <!-- ${name} --> ${pieces.length - 1} times, and needs it once`);
    }
    return pieces.join(part);
  }, template);
}

function check(page, readable) {
  const scenes = page.split(SCENE).length - 1;
  if (scenes !== 1) {
    throw new Refusal(`the page has ${SCENE} ${scenes} times, and needs it once`);
  }
  const size = Buffer.byteLength(page);
  if (size > LIMIT_BYTES && !readable) {
    throw new Refusal(`the page has ${size} bytes, ${LIMIT_BYTES} are the limit`);
  }
}

async function main([simulator, out, option]) {
  const readable = option === "--readable";
  if (!out || (option && !readable)) {
    throw new Refusal("usage: node web/build.mjs SIMULATOR.wasm PAGE.html [--readable]");
  }
  const packed = gzipSync(readFileSync(simulator), { level: 9 }).toString("base64");
  const page = assemble(readFileSync(join(HERE, "page.html"), "utf8"), {
    style: element("<style>", await bundle("page.css", readable)),
    worker: element('<script type="text/plain" id="worker">', await bundle("src/worker.ts", readable)),
    simulator: element('<script type="application/gzip" id="simulator">', packed),
    script: element("<script>", await bundle("src/main.ts", readable)),
  });
  check(page, readable);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, page);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // What is wrong in the sources, esbuild has shown already.
  if (!error.errors) {
    console.error(`web/build.mjs: ${error instanceof Refusal || error.code ? error.message : error.stack}`);
  }
  process.exitCode = 1;
}
