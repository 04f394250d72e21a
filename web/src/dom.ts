/** Elements of HTML and SVG in one call each. */

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

/** Sets an attribute that is not so already: most of a picture is the same in the next frame. */
export function set(element: Element, name: string, value: string | number): void {
  const text = String(value);
  if (element.getAttribute(name) !== text) {
    element.setAttribute(name, text);
  }
}

/** Sets a text that is not so already. */
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

/** The page's own element of this id, of this kind. */
export function own<E extends Element>(id: string, kind: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) {
    throw new Error(`the page has no ${kind.name} #${id}`);
  }
  return element;
}
