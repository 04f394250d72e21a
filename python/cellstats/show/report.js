// Search within the page. Without scripts the page shows everything.
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const form = by("find"), words = by("words"), paper = by("paper"), side = form.closest("details");
  const outcomes = all("[name=outcome]", form);
  const claims = all("[data-outcome]");
  // Lower-case texts, computed once: each key press searches hundreds of rows.
  const texts = new Map(claims.map((each) => [each, each.textContent.toLowerCase()]));

  const show = (element, wanted) => element.toggleAttribute("data-hidden", !wanted);
  const anyShown = (element) => element.querySelector("[data-outcome]:not([data-hidden])") !== null;

  function find() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(outcomes.filter((each) => each.checked).map((each) => each.value));
    const narrowed = wanted.length > 0 || shown.size < outcomes.length;
    for (const each of claims) {
      const text = texts.get(each);
      show(each, shown.has(each.dataset.outcome) && wanted.every((word) => text.includes(word)));
    }
    for (const section of all(".paper")) {
      for (const figure of all(".figure", section)) {
        const title = figure.querySelector("h3").textContent.toLowerCase();
        const named = wanted.length > 0 && wanted.every((word) => title.includes(word));
        show(figure, !narrowed || named || anyShown(figure));
      }
      for (const table of all(".all-claims table", section)) {
        const folded = table.closest("details");
        show(folded ?? table, anyShown(table));
        if (folded === null) show(table.previousElementSibling, anyShown(table));
        else if (narrowed) folded.open = true;
      }
      const chosen = paper.value === "" || paper.value === section.dataset.paper;
      show(section, chosen && (!narrowed || section.querySelector(".figure:not([data-hidden])") !== null
        || anyShown(section)));
    }
    for (const link of all("nav a")) {
      const target = by(link.hash.slice(1));
      show(link.parentElement, target === null || target.closest("[data-hidden]") === null);
    }
    const rows = all(".all-claims tr[data-outcome]");
    const left = rows.filter((each) => each.closest("[data-hidden]") === null).length;
    by("count").textContent = `${left} of ${rows.length} claims`;
    by("nothing").hidden = all(".paper:not([data-hidden])").length > 0;
  }

  // A link to a hidden or folded element shows it.
  function reveal() {
    const target = by(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    if (target.closest("[data-hidden]")) form.reset();
    const folded = target.closest("details:not(.side)");
    if (folded) folded.open = true;
    target.scrollIntoView();
  }

  function theme() {
    const { dataset } = document.documentElement;
    const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = dark ? "light" : "dark";
  }

  form.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(find));
  by("theme").addEventListener("click", theme);
  addEventListener("hashchange", reveal);
  narrow.addEventListener("change", () => { side.open = !narrow.matches; });
  side.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("nav a")) side.open = false; });
  find();
  if (location.hash) reveal();
})();
