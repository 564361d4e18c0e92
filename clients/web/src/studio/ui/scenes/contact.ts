// Contact of bodies that say nothing of it: one written by hand meets itself and all others; one that was saved has a
// state, and met whom it says. In the order of protocol/scene/contact.c, to the last bit.
import {TYPES} from '../../../lib/index.js';
import type {SceneMesh} from './generate.js';
import {isObject, type Json, type Spec} from './spec.js';

const OF_EDGE = 0.15;
const POINT_RADIUS = 0.01; // m
const QUANTA_MIN = 1024;
const THICKNESS_MAX = 1; // m

function between(positions: Float64Array, a: number, b: number): number {
  const d = [0, 1, 2].map((axis) => positions[3 * a + axis]! - positions[3 * b + axis]!);
  return Math.sqrt(d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]!);
}

function meanSide({positions, elements, corners}: SceneMesh): number {
  const count = positions.length / 3;
  let [sum, sides] = [0, 0];
  for (let e = 0; corners > 0 && e + corners <= elements.length; e += corners)
    for (let i = 0; i < corners; i++)
      for (let j = 0; j < i; j++) {
        const [a, b] = [elements[e + i]!, elements[e + j]!];
        if (a >= count || b >= count) continue;
        sum += between(positions, a, b);
        sides++;
      }
  return sides > 0 ? sum / sides : 0;
}

function meanStep({positions}: SceneMesh): number {
  const count = positions.length / 3;
  let sum = 0;
  for (let i = 1; i < count; i++) sum += between(positions, i, i - 1);
  return count > 1 ? sum / (count - 1) : 0;
}

function meanGap({positions}: SceneMesh): number {
  const count = positions.length / 3;
  if (count < 2) return 0;
  const corners = new Float64Array(6).fill(Infinity).fill(-Infinity, 3);
  positions.forEach((x, i) => {
    const axis = i % 3;
    corners[axis] = Math.min(corners[axis]!, x);
    corners[3 + axis] = Math.max(corners[3 + axis]!, x);
  });
  let side = 1;
  while (side * side * side < count) side++;
  return between(corners, 0, 1) / side;
}

function defaultThickness(mesh: SceneMesh, isRope: boolean): number {
  let edge = meanSide(mesh);
  if (edge === 0 && isRope) edge = meanStep(mesh);
  if (edge > 0) return Math.min(OF_EDGE * edge, THICKNESS_MAX);
  const gap = OF_EDGE * meanGap(mesh);
  return gap > 0 && gap < POINT_RADIUS ? gap : POINT_RADIUS;
}

/** Of the world; what is no number is refused by the server. */
export function resolutionOf(settings: Json | undefined): number {
  const said = isObject(settings) ? settings['resolution'] : undefined;
  if (said !== undefined) return typeof said === 'number' ? said : 0;
  const field = TYPES.world_settings.fields.find(({name}) => name === 'resolution');
  return Number(field && 'default' in field ? field.default : 0);
}

export function contactOf(
  spec: Spec,
  mesh: SceneMesh,
  isRope: boolean,
  resolution: number,
): Record<string, unknown> {
  if (['self_contact', 'contact_group', 'contact_mask', 'state'].some((word) => spec.has(word))) return {};
  const given = spec.get('thickness');
  const said = typeof given === 'number' ? given : 0;
  const thickness = given === undefined ? defaultThickness(mesh, isRope) : said;
  if (!(thickness >= QUANTA_MIN * resolution)) return {};
  return {thickness, self_contact: true, contact_group: 1, contact_mask: 1};
}
