// In the rings page: reads the drawn picture as a plain SVG that needs no style sheet of the page. picture.py calls it.

const OF_TEXT = ["fill", "font-size", "font-weight"];
/** Properties of shapes, with the value that SVG gives them if nothing else does. */
const OF_SHAPES = {
  fill: "",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linejoin": "miter",
  "stroke-linecap": "butt",
};
/** What a phone has no room for: everything but the rings, the trains and the names of elements. */
const WIDE_ONLY = ".numbers, .label, .thread, .state, .queues, .waiting, .memory, text:not(.name)";
const ON_PHONES = ".name";
const PAINTED = "path, rect, circle, line, text";
const KEPT = /^(d|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|width|height|points|transform|text-anchor)$/;
/** The style of each class, in light and in dark colours; the first is the background's. */
const styles = [];

function looks(elements, theme) {
  document.documentElement.dataset.theme = theme;
  return elements.map((element) => {
    const style = getComputedStyle(element);
    if (element === document.body) {
      return `background:${style.backgroundColor}`;
    }
    const names = element.tagName === "text" ? OF_TEXT : Object.keys(OF_SHAPES);
    const given = names.map((name) => [name, style.getPropertyValue(name)]);
    return given.filter(([name, value]) => value !== OF_SHAPES[name]).map(([name, value]) => `${name}:${value}`).join(";");
  });
}

/** Gives each painted element a class for its computed style. */
function restyle(root) {
  const painted = [document.body, ...root.querySelectorAll(PAINTED)];
  const theme = document.documentElement.dataset.theme;
  const [light, dark] = [looks(painted, "light"), looks(painted, "dark")];
  document.documentElement.dataset.theme = theme;
  painted.forEach((element, nth) => {
    const known = styles.findIndex((style) => style.light === light[nth] && style.dark === dark[nth]);
    element.dataset.look = known < 0 ? styles.push({ light: light[nth], dark: dark[nth] }) - 1 : known;
  });
}

/** What a picture of the rings alone leaves out: the ways of commands and words, and what counts without an end. */
const LEFT_OUT = "title, .touch, .commands, .letters, .cells, .accesses, .since, .state-words:not(.state *)";

function isShown(element) {
  const { display, opacity } = getComputedStyle(element);
  return display !== "none" && opacity !== "0" && !element.matches(LEFT_OUT);
}

/** An element with its children as data, so that moments can be compared. */
function plain(element) {
  const attributes = [...element.attributes].filter(({ name }) => KEPT.test(name)).map(({ name, value }) => [name, value]);
  const look = element.dataset.look === undefined ? "" : `s${element.dataset.look}`;
  const size = element.matches(WIDE_ONLY) ? "w" : element.matches(ON_PHONES) ? "n" : "";
  if (look || size) {
    attributes.push(["class", `${look} ${size}`.trim()]);
  }
  const children = [...element.children].filter(isShown);
  return {
    tag: element.tagName,
    attributes,
    text: children.length === 0 ? element.textContent : "",
    children: children.map(plain),
  };
}

/** The arrowhead at the first beat of a band, around the point that it marks. */
function arrowhead(beats) {
  const marker = document.querySelector(beats.getAttribute("marker-end").match(/#[^)]+/)[0]);
  const of = (name) => marker[name].baseVal;
  const { width } = of("viewBox");
  const scale = of("markerWidth").value / width;
  const [x, y] = [-of("refX").value, -of("refY").value];
  return { ...plain(marker.querySelector("path")), place: `scale(${scale}) translate(${x} ${y})` };
}

/** The picture at a bus cycle: what stands still, and the lines on the rings. */
async function moment(at) {
  cellstats.go(at);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const svg = document.querySelector("#picture svg");
  restyle(svg);
  const bands = [...svg.querySelectorAll(".band[data-line]")].map((band) => {
    const [body, beats] = band.querySelectorAll("path");
    const { line, thread, tail, head } = band.dataset;
    const label = band.querySelector(".label");
    return {
      line: Number(line),
      thread,
      tail: Number(tail),
      head: Number(head),
      d: body.getAttribute("d"),
      looks: [body, beats].map(({ dataset }) => dataset.look),
      arrowhead: arrowhead(beats),
      label: [...label.children].map(plain),
      position: label.getAttribute("transform").match(/[\d.]+/g).map(Number),
    };
  });
  const children = [...svg.children].filter((child) => child.tagName !== "defs" && isShown(child));
  const bandsAt = children.findIndex((child) => child.matches(".bands"));
  const still = children.filter((_, nth) => nth !== bandsAt).map((child, nth) => ({ ...plain(child), below: nth < bandsAt }));
  return { viewBox: svg.getAttribute("viewBox"), still, bands };
}
