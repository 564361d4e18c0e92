// Saved views, by world, kept with the browser. Where it keeps nothing (a private window), they last as long as the
// page.
import type {SavedView} from '../model/viewstate.js';
import {vec3Of, fieldsOf, listOf, stringOf} from '../model/values.js';

const KEY = 'weft views ';

export function readViews(world: string): SavedView[] {
  try {
    return listOf(JSON.parse(localStorage.getItem(KEY + world) ?? '[]')).map((entry) => {
      const view = fieldsOf(entry);
      const pose = fieldsOf(view.pose);
      return {
        name: stringOf(view.name),
        pose: {position: vec3Of(pose.position, [3, 2, 5]), target: vec3Of(pose.target, [0, 0, 0])},
      };
    });
  } catch {
    return [];
  }
}

export function keepViews(world: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(KEY + world, JSON.stringify(views));
  } catch {
    // Nothing is kept then.
  }
}
