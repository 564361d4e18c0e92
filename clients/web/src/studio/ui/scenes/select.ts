// Which particles of a body a scene names: numbers, words, boxes and spheres, or a list of such. Words go by where the
// particles are when the body has been placed.
import type {SceneMesh} from './generate.js';
import {refuse, Spec, vectorOf, wholeOf, type Json} from './spec.js';

const EDGES: Readonly<Record<string, readonly [axis: number, sign: number]>> = {
  'top edge': [1, 1],
  'bottom edge': [1, -1],
  'left edge': [0, -1],
  'right edge': [0, 1],
  'front edge': [2, 1],
  'back edge': [2, -1],
};

function chooseEdge(
  {positions}: SceneMesh,
  [axis, sign]: readonly [number, number],
  take: (i: number) => void,
): void {
  let [most, least] = [-Infinity, Infinity];
  for (let i = axis; i < positions.length; i += 3) {
    const x = sign * positions[i]!;
    most = Math.max(most, x);
    least = Math.min(least, x);
  }
  for (let i = axis; i < positions.length; i += 3)
    if (sign * positions[i]! >= most - 0.01 * (most - least)) take((i - axis) / 3);
}

function chooseRim(
  {elements, corners, positions}: SceneMesh,
  place: string,
  take: (i: number) => void,
): void {
  if (corners !== 3) refuse(place, '"rim" is of bodies that consist of triangles');
  const count = positions.length / 3;
  const seen = new Map<number, number>();
  for (let e = 0; e < elements.length; e++) {
    const a = elements[e]!;
    const b = elements[e % 3 === 2 ? e - 2 : e + 1]!;
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const [key, times] of seen) {
    const [low, high] = [Math.floor(key / 2 ** 26), key % 2 ** 26];
    if (times !== 1 || high >= count) continue;
    take(low);
    take(high);
  }
}

function chooseWord(mesh: SceneMesh, word: string, place: string, take: (i: number) => void): void {
  const last = mesh.positions.length / 3 - 1;
  const edge = EDGES[word];
  if (edge) return chooseEdge(mesh, edge, take);
  switch (word) {
    case 'rim':
      return chooseRim(mesh, place, take);
    case 'all':
      for (let i = 0; i <= last; i++) take(i);
      return;
    case 'corners':
      if (mesh.columns === 0) refuse(place, '"corners" is of grids');
      [0, mesh.columns - 1, last, last + 1 - mesh.columns].forEach(take);
      return;
    case 'ends':
      [0, last].forEach(take);
      return;
    case 'first':
      return take(0);
    case 'last':
      return take(last);
    default:
      refuse(
        place,
        `"${word.slice(0, 60)}" is wrong: there are ${Object.keys(EDGES).join(', ')}, corners, ends, first, last, rim and all`,
      );
  }
}

function chooseWithin(mesh: SceneMesh, spec: Spec, take: (i: number) => void): void {
  spec.check(['box', 'sphere']);
  if (spec.has('box') === spec.has('sphere')) refuse(spec.place, 'must have a box or a sphere, one of them');
  let inside: (x: readonly number[]) => boolean;
  if (spec.has('box')) {
    const box = spec.list('box');
    if (box.length !== 2) refuse(spec.at('box'), 'must be two corners: [[x, y, z], [x, y, z]]');
    const [a, b] = box.map((corner) => vectorOf(corner, spec.at('box'), 3)) as [
      readonly number[],
      readonly number[],
    ];
    inside = (x) => x.every((at, k) => at >= Math.min(a[k]!, b[k]!) && at <= Math.max(a[k]!, b[k]!));
  } else {
    const sphere = spec.inner('sphere', ['center', 'radius']);
    const center = sphere.vector('center', 3, [0, 0, 0]);
    const radius = sphere.number('radius', 0, 1e9, 1);
    inside = (x) => {
      let far = 0;
      x.forEach((at, k) => (far += (at - center[k]!) * (at - center[k]!)));
      return far <= radius * radius;
    };
  }
  const {positions} = mesh;
  for (let i = 0; 3 * i < positions.length; i++)
    if (inside([positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!])) take(i);
}

// Ascending, each once.
export function selectParticles(mesh: SceneMesh, selector: Json | undefined, place: string): Uint32Array {
  const count = mesh.positions.length / 3;
  if (count === 0) refuse(place, 'the body has no particles');
  const chosen = new Uint8Array(count);
  const take = (i: number) => void (chosen[i] = 1);
  const all = Array.isArray(selector) ? (selector as readonly Json[]) : [selector ?? null];
  all.forEach((one, i) => {
    const here = Array.isArray(selector) ? `${place}[${i}]` : place;
    if (typeof one === 'number') take(wholeOf(one, here, 0, count - 1));
    else if (typeof one === 'string') chooseWord(mesh, one, here, take);
    else if (one && typeof one === 'object') chooseWithin(mesh, new Spec(one, here), take);
    else refuse(here, 'must be a particle\'s number, a word such as "top edge", a box or a sphere');
  });
  const found: number[] = [];
  chosen.forEach((is, i) => is && found.push(i));
  return Uint32Array.from(found);
}

// Lists of numbers keep their order; what is named in words comes by number.
export function selectInOrder(mesh: SceneMesh, selector: Json | undefined, place: string): Uint32Array {
  const numbers = Array.isArray(selector) && selector.every((one) => typeof one === 'number');
  if (!numbers) return selectParticles(mesh, selector, place);
  const most = mesh.positions.length / 3 - 1;
  return Uint32Array.from(
    (selector as readonly Json[]).map((one, i) => wholeOf(one, `${place}[${i}]`, 0, most)),
  );
}
