// In the rings page: reads the drawn picture as a plain SVG that needs no style sheet of the page. picture.py calls it.

const OF_TEXT = ["fill", "font-size", "font-weight"];
const OF_SHAPES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin"];
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
    const names = element.tagName === "text" ? OF_TEXT : OF_SHAPES;
    return names.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
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

const isShown = (element) => getComputedStyle(element).display !== "none" && !element.matches("title, .touch");

/** An element with its children as data, so that moments can be compared. */
function plain(element) {
  const attributes = [...element.attributes].filter(({ name }) => KEPT.test(name)).map(({ name, value }) => [name, value]);
  if (element.dataset.look !== undefined) {
    attributes.push(["class", `s${element.dataset.look}`]);
  }
  const children = [...element.children].filter(isShown);
  return {
    tag: element.tagName,
    attributes,
    text: children.length === 0 ? element.textContent : "",
    children: children.map(plain),
  };
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
      looks: [body, beats, label.querySelector("circle"), label.querySelector("text")].map(({ dataset }) => dataset.look),
      radius: label.querySelector("circle").getAttribute("r"),
      position: label.getAttribute("transform").match(/[\d.]+/g).map(Number),
    };
  });
  const children = [...svg.children].filter((child) => child.tagName !== "defs");
  const bandsAt = children.findIndex((child) => child.matches(".bands"));
  const still = children.filter((_, nth) => nth !== bandsAt).map((child, nth) => ({ ...plain(child), below: nth < bandsAt }));
  return { viewBox: svg.getAttribute("viewBox"), still, bands };
}
