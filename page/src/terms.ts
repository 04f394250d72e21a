/** Terms in texts and in the picture: a click, a touch or Enter on a term shows its definition beside it. */

import { html, own } from "./dom.ts";
import { splitTerms, TERMS, type Term, termOf } from "./glossary.ts";

/** A button that shows a definition. */
export function termButton(text: string, word = text): HTMLButtonElement {
  return html("button", { type: "button", class: "term", "data-term": word }, text);
}

/** A text whose terms are buttons. */
export function withTerms(text: string): Node[] {
  return splitTerms(text).map((part) =>
    part.term ? termButton(part.text, part.term.name) : document.createTextNode(part.text),
  );
}

export function startTerms(): void {
  const box = own("term", HTMLElement);
  for (const element of document.querySelectorAll("[data-terms]")) {
    element.replaceChildren(...withTerms(element.textContent ?? ""));
  }
  const list = own("terms", HTMLElement);
  list.replaceChildren(...TERMS.flatMap(({ name, means }) => [html("dt", {}, name), html("dd", {}, means)]));
  const hide = () => {
    box.hidden = true;
  };
  addEventListener("click", ({ target }) => {
    const asked = target instanceof Element ? target.closest("[data-term]") : null;
    const term = asked && termOf(asked.getAttribute("data-term") ?? "");
    if (asked && term) {
      showBeside(asked, term, box);
    } else {
      hide();
    }
  });
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("scroll", hide, { capture: true, passive: true });
}

function showBeside(asked: Element, { name, means }: Term, box: HTMLElement): void {
  box.replaceChildren(html("b", {}, name), ` ${means}`);
  box.hidden = false;
  const [at, own] = [asked.getBoundingClientRect(), box.getBoundingClientRect()];
  const left = Math.max(4, Math.min(at.left, innerWidth - own.width - 4));
  const below = at.bottom + 6;
  box.style.left = `${left}px`;
  box.style.top = `${below + own.height > innerHeight ? Math.max(4, at.top - own.height - 6) : below}px`;
}
