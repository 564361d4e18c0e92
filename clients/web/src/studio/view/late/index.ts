// The part of the picture that later.ts fetches.
import {Group} from 'three';
import type {Late, LateParts} from '../lateparts.js';
import {Arrows} from './arrows.js';
import {Colours} from './colours.js';
import {ForceMarks} from './forces.js';
import {Links} from './links.js';
import {Pictures} from './pictures.js';
import {Streaks} from './streaks.js';

export function makeLate(parts: LateParts): Late {
  const object = new Group();
  const forces = new ForceMarks(parts);
  const links = new Links(parts);
  const all: readonly Omit<Late, 'thingAt'>[] = [new Colours(parts), forces, links, new Arrows(parts), new Streaks(parts), new Pictures(parts)];
  all.forEach((part) => object.add(part.object));
  return {
    object,
    paint: (theme) => all.forEach((part) => part.paint(theme)),
    resize: (...size) => all.forEach((part) => part.resize(...size)),
    update: (moved, frame, now) => all.forEach((part) => part.update(moved, frame, now)),
    thingAt: (x, y, reach) => forces.thingAt(x, y, reach) ?? links.thingAt(x, y),
    dispose: () => {
      all.forEach((part) => part.dispose());
      object.removeFromParent();
    },
  };
}
