// Materials by name: the table of docs/concepts/materials.md, for meshes of any size.
//
//   sheets   stretch alpha = 1.15 / Y for all edges; quadratic bending alpha = 3 / B for all hinges
//   fabrics  stiffnesses and rigidities along warp and weft, which need no mesh (protocol/materials.json)
//   solids   edges  alpha = sum L^2 / (15 G V), V the body's volume;  tetrahedra alpha = V / (n K), n of them, K = 50 G
import {tetVolume} from '../../model/geometry.js';
import {TET} from '../../model/measured.js';
import type {Vec3} from '../../model/values.js';
import type {Values} from './binding.js';
import {FABRICS} from './fabrics.generated.js';

interface Sheet {
  readonly density: number; // kg/m^2
  readonly membrane: number; // Y, N/m
  readonly bending: number; // B, N m
  readonly limit: number; // strain limit; 0: none
}

interface Solid {
  readonly density: number; // kg/m^3
  readonly shear: number; // G, Pa
}

export const SHEETS: Readonly<Record<string, Sheet>> = {
  cotton: {density: 0.12, membrane: 5000, bending: 6e-6, limit: 0.061},
  silk: {density: 0.06, membrane: 3000, bending: 1e-6, limit: 0},
  denim: {density: 0.324, membrane: 8000, bending: 20e-6, limit: 0.052},
  rubber: {density: 0.95, membrane: 1500, bending: 167e-6, limit: 0},
};

export const SOLIDS: Readonly<Record<string, Solid>> = {
  jelly: {density: 1050, shear: 2000},
  rubber: {density: 950, shear: 500000},
};

const BULK_OVER_SHEAR = 50;

export interface TetMesh {
  readonly positions: ArrayLike<number>;
  readonly tets: ArrayLike<number>;
}

// woven: with those that make a cloth with warp and weft, which a cloth that is there cannot become.
export function materialNames(kind: string, woven = true): readonly string[] {
  const cloths = [...Object.keys(SHEETS), ...(woven ? Object.keys(FABRICS) : [])];
  return kind === 'cloth' ? cloths : kind === 'soft' ? Object.keys(SOLIDS) : [];
}

// As fields of body.add; null where there is none of that name for this kind of body, or no volume to fill.
export function materialOf(kind: string, name: string, mesh?: TetMesh): Values | null {
  const sheet = kind === 'cloth' ? SHEETS[name] : undefined;
  if (sheet) {
    return {
      density: sheet.density,
      // A limit of 0 ends the one of the material before.
      stretch: {compliance: 1.15 / sheet.membrane, limit: sheet.limit},
      bend: {model: 'quadratic', compliance: 3 / sheet.bending},
    };
  }
  const fabric = kind === 'cloth' ? FABRICS[name] : undefined;
  if (fabric) return fabric;
  const solid = kind === 'soft' ? SOLIDS[name] : undefined;
  if (!solid || !mesh) return null;
  const {volume, squares} = sizesOf(mesh);
  if (!(volume > 0) || !Number.isFinite(squares)) return null;
  return {
    density: solid.density,
    stretch: {compliance: squares / (15 * solid.shear * volume)},
    volume: {compliance: volume / (mesh.tets.length / 4) / (BULK_OVER_SHEAR * solid.shear)},
  };
}

// The name of the material that a body is of, if it is of one.
export function nameOfMaterial(kind: string, values: Values, mesh?: TetMesh): string | undefined {
  return materialNames(kind).find((name) => {
    const material = materialOf(kind, name, mesh);
    return material !== null && isOf(values, material);
  });
}

const CLOSE = 1e-4;

// Compares only the values that the body has: it does not tell its density once it is there. A missing limit counts as 0.
function isOf(values: Values, material: Values): boolean {
  return Object.entries(material).every(([key, wanted]) => {
    const own = values[key] ?? (key === 'limit' ? 0 : undefined);
    if (typeof wanted === 'number')
      return own === undefined || (typeof own === 'number' && Math.abs(own - wanted) <= CLOSE * wanted);
    if (typeof wanted === 'object' && wanted !== null) {
      const given = (own ?? {}) as Values;
      const stiff = 'warp' in wanted ? 'warp' : 'compliance';
      return typeof given['stiffness'] !== 'number' && stiff in given && isOf(given, wanted as Values);
    }
    return own === undefined || own === wanted;
  });
}

// As bytes compare, which is how the scenes' reader sorts the edges before it sums: the last bit goes by the order.
function swapped(x: number): number {
  return (((x & 0xff) << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24)) >>> 0;
}

// Volume, and the sum of the squared lengths of the edges, each once.
interface Sizes {
  readonly volume: number;
  readonly squares: number;
}

// Of places that never change: a form asks at each letter.
const known = new WeakMap<object, Sizes & Pick<TetMesh, 'tets'>>();

function sizesOf(mesh: TetMesh): Sizes {
  const before = known.get(mesh.positions);
  if (before?.tets === mesh.tets) return before;
  const sizes = {...measured(mesh), tets: mesh.tets};
  known.set(mesh.positions, sizes);
  return sizes;
}

function measured({positions, tets}: TetMesh): Sizes {
  const count = positions.length / 3;
  const at = (i: number): Vec3 => [
    positions[3 * i] ?? NaN,
    positions[3 * i + 1] ?? NaN,
    positions[3 * i + 2] ?? NaN,
  ];
  const edges = new Map<number, readonly [number, number]>();
  let volume = 0;
  for (let t = 0; t + 3 < tets.length; t += 4) {
    const corners = [tets[t], tets[t + 1], tets[t + 2], tets[t + 3]].map((i) => i ?? 0);
    const [a = [0, 0, 0], b = a, c = a, d = a] = corners.map(at);
    volume += Math.abs(tetVolume(a, b, c, d));
    for (const [i, j] of TET) {
      const [low, high] = [Math.min(corners[i]!, corners[j]!), Math.max(corners[i]!, corners[j]!)];
      edges.set(low * count + high, [low, high]);
    }
  }
  const order = [...edges.values()].map(([low, high]) => ({
    low,
    high,
    by: [swapped(low), swapped(high)] as const,
  }));
  order.sort((one, two) => one.by[0] - two.by[0] || one.by[1] - two.by[1]);
  let squares = 0;
  for (const {low, high} of order) {
    for (let axis = 0; axis < 3; axis++) {
      const d = (positions[3 * low + axis] ?? NaN) - (positions[3 * high + axis] ?? NaN);
      squares += d * d;
    }
  }
  return {volume, squares};
}
