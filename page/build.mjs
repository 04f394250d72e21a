// Builds the page: one self-contained HTML file.
//
//     node page/build.mjs SIMULATOR.wasm PAGE.html [--readable]
//
// Comments in page.html mark where each part goes:
//
//     <!-- style -->      page.css with its imports
//     <!-- lessons -->    the lessons, in their order, as JSON in <script type="application/json" id="lessons-data">
//     <!-- worker -->     src/worker.ts as text, in <script type="text/plain" id="worker">
//     <!-- simulator -->  SIMULATOR.wasm, gzipped, in base64, in <script type="application/gzip" id="simulator">
//     <!-- script -->     src/main.ts; it hands the bytes of #simulator to a Worker made from the text of #worker
//
// The script's tables of parameters and of published numbers are built in: SIMULATOR_PARAMETERS is what the simulator
// answers to `about`; PUBLISHED and TABLE_1 are published.toml with the numbers of the papers' claims.
//
// --readable is for development: the output is not minified, and the browser shows the original files.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { parse } from "smol-toml";

const HERE = dirname(fileURLToPath(import.meta.url));
const LESSONS = join(HERE, "..", "python", "cellstats", "lessons");
const PAPERS = join(LESSONS, "..", "papers");
// The Python package replaces the null when it writes a page for one run.
const SCENE = '<script type="application/json" id="scene">null</script>';
// Limit of a page's size, because people keep pages in repositories and send them by mail.
const LIMIT_BYTES = 1_200_000;

class Refusal extends Error {}

function read(toml) {
  return parse(readFileSync(toml, "utf8"));
}

/** Bundles a file and its imports for browsers of 2022 and later. */
async function bundle(name, readable, options = {}) {
  const made = await build({
    entryPoints: [join(HERE, name)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: !readable,
    sourcemap: readable && "inline",
    charset: "utf8",
    ...options,
  });
  return made.outputFiles[0].text;
}

/** The parameters of measurements, as the simulator describes them. */
async function parameters(simulator) {
  const engine = await bundle("src/engine.ts", false, { format: "esm" });
  const { start } = await import(`data:text/javascript,${encodeURIComponent(engine)}`);
  const ask = await start(await WebAssembly.compile(simulator));
  return JSON.parse(ask('{"ask": "about"}')).parameters;
}

/** The tables of published.toml, with the numbers of the claims that it names. */
function published() {
  const files = readdirSync(PAPERS).map((name) => join(PAPERS, name, "claims.toml"));
  const papers = files.filter((file) => existsSync(file)).map(read);
  const claims = new Map(papers.flatMap(({ paper, claim }) => claim.map((each) => [each.id, { ...each, paper }])));
  const numbered = (id) => {
    if (claims.get(id)?.published === undefined) {
      throw new Refusal(`published.toml: no claim ${id} has a published number`);
    }
    return claims.get(id);
  };
  const { table_1, experiments } = read(join(HERE, "published.toml"));
  return {
    TABLE_1: Object.fromEntries(Object.entries(table_1).map(([name, id]) => [name, numbered(id).published])),
    PUBLISHED: Object.entries(experiments).map(([id, where]) => {
      const { paper, metric, published: value, statement: says, place } = numbered(id);
      const [first] = paper.authors.split(",");
      const source = `${first.split(" ").at(-1)} et al., ${paper.published}, ${place}`;
      return { where: { machine: paper.machines[0], ...where }, quantity: metric.of, value, says, source };
    }),
  };
}

/** The lessons as JSON; the tests of the Python package check them. */
function lessons() {
  const files = readdirSync(LESSONS).filter((name) => name.endsWith(".toml"));
  const lesson = (name) => ({ key: basename(name, ".toml"), ...read(join(LESSONS, name)) });
  return JSON.stringify(files.sort().map(lesson)).replaceAll("<", "\\u003c");
}

/** Wraps raw text in an element. The text must not contain anything that looks like the end of the element. */
function element(opening, text) {
  const name = opening.match(/\w+/)[0];
  const end = text.match(new RegExp(`</${name}|<!--`, "i"));
  if (end) {
    throw new Refusal(`${opening} would contain ${end[0]}, which ends or hides the element: split that text in two`);
  }
  return `${opening}${text}</${name}>`;
}

/** Replaces each comment of the template with its part. */
function assemble(template, parts) {
  return Object.entries(parts).reduce((page, [name, part]) => {
    const pieces = page.split(`<!-- ${name} -->`);
    if (pieces.length !== 2) {
      throw new Refusal(`page.html must have <!-- ${name} --> once, but has it ${pieces.length - 1} times`);
    }
    return pieces.join(part);
  }, template);
}

function check(page, readable) {
  const scenes = page.split(SCENE).length - 1;
  if (scenes !== 1) {
    throw new Refusal(`the page must have ${SCENE} once, but has it ${scenes} times`);
  }
  const size = Buffer.byteLength(page);
  if (size > LIMIT_BYTES && !readable) {
    throw new Refusal(`the page has ${size} bytes; the limit is ${LIMIT_BYTES}`);
  }
}

async function main([simulator, out, option]) {
  const readable = option === "--readable";
  if (!out || (option && !readable)) {
    throw new Refusal("usage: node page/build.mjs SIMULATOR.wasm PAGE.html [--readable]");
  }
  const bytes = readFileSync(simulator);
  const packed = gzipSync(bytes, { level: 9 }).toString("base64");
  const tables = { SIMULATOR_PARAMETERS: await parameters(bytes), ...published() };
  const define = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, JSON.stringify(table)]));
  const page = assemble(readFileSync(join(HERE, "page.html"), "utf8"), {
    style: element("<style>", await bundle("page.css", readable)),
    lessons: element('<script type="application/json" id="lessons-data">', lessons()),
    worker: element('<script type="text/plain" id="worker">', await bundle("src/worker.ts", readable)),
    simulator: element('<script type="application/gzip" id="simulator">', packed),
    script: element("<script>", await bundle("src/main.ts", readable, { define })),
  });
  check(page, readable);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, page);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // esbuild has already printed errors in the sources.
  if (!error.errors) {
    console.error(`page/build.mjs: ${error instanceof Refusal || error.code ? error.message : error.stack}`);
  }
  process.exitCode = 1;
}
