/** Finds the lessons of the page and the scenes of their steps. */

import { fromHash, type Scene } from "../scene.ts";
import type { Lesson, View } from "./format.ts";

/** All lessons: first the one that was written into the page, if any, then the page's own. */
export function lessonsOf(base: Scene): Lesson[] {
  const own = JSON.parse(document.getElementById("lessons-data")?.textContent ?? "[]") as Lesson[];
  const { lesson } = base;
  return lesson ? [lesson, ...own.filter(({ key }) => key !== lesson.key)] : own;
}

/** The scene of a view. A view without a scene of its own shows the scene of the lesson. */
export function sceneOf(lesson: Lesson, view: View, base: Scene): Scene {
  const nothing: Scene = { ...base, skip: 0, at: null, line: null, key: null, title: lesson.title };
  const first = fromHash(textOf(lesson.scene), nothing);
  const scene = view.scene === undefined ? first : fromHash(textOf(view.scene), first);
  return { ...scene, title: lesson.title };
}

/** The text after `#` of a link. */
function textOf(link: string): string {
  return link.includes("#") ? link.slice(link.indexOf("#") + 1) : link;
}
