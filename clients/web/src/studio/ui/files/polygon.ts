// Polygons become triangles here as in protocol/polygon/polygon.c, corner for corner: by ears (G. H. Meisters, "Polygons have ears",
// 1975), with exact signs of areas (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates", 1997).
import type {Growing} from './growing.js';

type Place = readonly [number, number];

// A polygon of more than three corners whose fan begins at triangle `first` of a list.
export interface Polygon {
  readonly first: number;
  readonly corners: number;
}

const CORNERS_MAX = 4096;

// Pushes a polygon as a fan, and remembers it for `cutFans`: its vertices may come later in the file.
export function pushFan(corners: readonly number[], triangles: Growing<Uint32Array>, polygons: Polygon[]): void {
  if (corners.length > 3) polygons.push({first: triangles.count / 3, corners: corners.length});
  for (let i = 2; i < corners.length; ++i)
    for (const one of [corners[0]!, corners[i - 1]!, corners[i]!]) triangles.push(one);
}

// Cuts the polygons whose fans are in `triangles`. Returns how many stayed fans, whose triangles may overlap.
export function cutFans(positions: Float64Array, triangles: Uint32Array, polygons: readonly Polygon[]): number {
  let uncut = 0;
  for (const {first, corners: count} of polygons) {
    const at = 3 * first;
    const vertices = Array.from({length: count}, (_, i) => triangles[i < 2 ? at + i : at + 3 * (i - 2) + 2]!);
    const corners = vertices.map((vertex) => positions.subarray(3 * vertex, 3 * vertex + 3));
    const cut = cutPolygon(corners);
    if (cut) triangles.set(cut.map((corner) => vertices[corner]!), at);
    else uncut += 1;
  }
  return uncut;
}

// Three corners for each triangle, or null if no cut without overlap exists.
export function cutPolygon(corners: readonly ArrayLike<number>[]): number[] | null {
  const count = corners.length;
  const fan = Array.from({length: count - 2}, (_, i) => [0, i + 1, i + 2]).flat();
  if (count <= 3) return fan;
  if (count > CORNERS_MAX) return null;
  const places = seen(corners);
  const turn = (a: number, b: number, c: number) => areaSign(places[a]!, places[b]!, places[c]!);
  const isFan = places.every((_, i) => i < 2 || (turn(0, 1, i) > 0 && turn(0, i - 1, i) > 0));
  return isFan ? fan : cutEars(places, turn);
}

// The corners as they are seen along the axis nearest to the polygon's normal (Newell's), so that it turns left.
function seen(corners: readonly ArrayLike<number>[]): Place[] {
  const normal = [0, 0, 0];
  const p = corners[0]!;
  for (let i = 1; i + 1 < corners.length; ++i) {
    const [a, b] = [corners[i]!, corners[i + 1]!];
    for (let k = 0; k < 3; ++k) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      normal[k]! += (a[u]! - p[u]!) * (b[v]! - p[v]!) - (a[v]! - p[v]!) * (b[u]! - p[u]!);
    }
  }
  let axis = 0;
  for (let k = 1; k < 3; ++k) if (Math.abs(normal[k]!) > Math.abs(normal[axis]!)) axis = k;
  const turn = normal[axis]! < 0 ? -1 : 1;
  return corners.map((one) => [one[(axis + 1) % 3]!, one[(axis + 2) % 3]! * turn] as const);
}

function cutEars(places: readonly Place[], turn: (a: number, b: number, c: number) => number): number[] | null {
  const count = places.length;
  const next = places.map((_, i) => (i + 1) % count);
  const previous = places.map((_, i) => (i + count - 1) % count);
  const same = (a: number, b: number) => places[a]![0] === places[b]![0] && places[a]![1] === places[b]![1];
  const isEar = (corner: number): boolean => {
    const [before, after] = [previous[corner]!, next[corner]!];
    if (turn(before, corner, after) <= 0) return false;
    for (let other = next[after]!; other !== before; other = next[other]!) {
      const holds =
        turn(before, corner, other) >= 0 && turn(corner, after, other) >= 0 && turn(after, before, other) >= 0;
      if (holds && !same(other, before) && !same(other, corner) && !same(other, after)) return false;
    }
    return true;
  };
  const isFlat = (corner: number) => turn(previous[corner]!, corner, next[corner]!) === 0;
  const find = (test: (corner: number) => boolean, first: number): number | null => {
    let corner = first;
    do {
      if (test(corner)) return corner;
      corner = next[corner]!;
    } while (corner !== first);
    return null;
  };
  const triangles: number[] = [];
  let ears = 0;
  let corner = 0;
  for (let left = count; left >= 3; --left) {
    let ear = find(isEar, corner);
    if (ear !== null) ears += 1;
    else ear = find(isFlat, corner);
    if (ear === null) return null;
    const [before, after] = [previous[ear]!, next[ear]!];
    triangles.push(before, ear, after);
    next[before] = after;
    previous[after] = before;
    // The search goes on behind the ear, so that one corner does not get all the triangles.
    corner = next[after]!;
  }
  return ears > 0 ? triangles : null;
}

// The sign of the area of a, b, c: 1 if they turn left.
function areaSign(a: Place, b: Place, c: Place): number {
  const left = (b[0] - a[0]) * (c[1] - a[1]);
  const right = (b[1] - a[1]) * (c[0] - a[0]);
  const area = left - right;
  // (3 + 16 e) e with e = 2^-53 bounds the error of the line above.
  if (Math.abs(area) > 3.3306690738754716e-16 * (Math.abs(left) + Math.abs(right))) return Math.sign(area);
  const terms: number[] = [];
  growProduct(terms, a[0], b[1]);
  growProduct(terms, -a[1], b[0]);
  growProduct(terms, b[0], c[1]);
  growProduct(terms, -b[1], c[0]);
  growProduct(terms, c[0], a[1]);
  growProduct(terms, -c[1], a[0]);
  // The last term that is not 0 is larger than all before it together.
  return terms.reduce((sign, term) => Math.sign(term) || sign, 0);
}

// Adds a number to a sum whose terms do not overlap and grow in size (Shewchuk's theorem 10).
function grow(terms: number[], number: number): void {
  let sum = number;
  terms.forEach((term, i) => {
    const wider = sum + term;
    const termPart = wider - sum;
    terms[i] = sum - (wider - termPart) + (term - termPart);
    sum = wider;
  });
  terms.push(sum);
}

// high + low = a, each with at most 26 bits (theorem 17).
function split(a: number): Place {
  const c = 134217729 * a;
  const high = c - (c - a);
  return [high, a - high];
}

function growProduct(terms: number[], a: number, b: number): void {
  const product = a * b;
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  grow(terms, aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow));
  grow(terms, product);
}
