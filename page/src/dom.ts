/** Makes an HTML or SVG element in one call. */

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null;

const SVG = "http://www.w3.org/2000/svg";

function dress<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return dress(document.createElement(name), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return dress(document.createElementNS(SVG, name), attributes, children);
}

/** Sets an attribute if it differs: most of a picture stays the same in the next frame. */
export function set(element: Element, name: string, value: string | number): void {
  const text = String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}

/** Sets a text if it differs. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function show(element: HTMLElement | SVGElement, visible: boolean): void {
  const display = visible ? "" : "none";
  if (element.style.display !== display) {
    element.style.display = display;
  }
}

/** The page's element with this id; throws if it is missing or of another type. */
export function own<E extends Element>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`the page has no ${kind.name} #${id}`);
  }
  return element;
}
