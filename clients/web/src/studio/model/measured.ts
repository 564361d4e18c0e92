// Measures of constraints, which they compare with their rest values (`c` of a kind in api.json), and how far constraints
// are from rest. A new measure is a formula in geometry.ts and a row here.
//
//     length     its edge              l
//     angle      edge and wings        θ
//     fold       edge and wings        θ, and it rests flat
//     volume     six edges             V
//     gap        from point to point   l, of the points on both sides that the weights make
//     path       both its parts        a + R b
//     off        from the ring to the  how far the ring is from that segment. Whoever gathers the points puts the ends of
//                ends of the nearest   the segment in the place of those of the rail (geometry.ts, nearestOnRail), since
//                segment of its rail   the constraint names only the latter.
//     strain     three edges           strain along warp or weft, whichever is farther from 0
//     segment    its edge              0: how far a rod's segment is from rest is a matter of orientations, which are not here
//     joint      the first of both     0, for the same reason
import {KINDS, type KindInfo} from '../../lib/index.js';
import {bendAngleOf, lengthOf, offOf, pathOf, tetVolumeOf, yarnStrainOf} from './geometry.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from './values.js';

export type Lines = readonly (readonly [number, number])[];

export interface Measured {
  readonly name: string;
  readonly unit: string;
  // Pairs of a constraint's particles that are drawn.
  readonly lines: Lines;
  // Values that are so far apart are the same.
  readonly period?: number;
  // Computes the measure from x, y, z of each particle; of a join, from its two points; of a path, also from its ratio;
  // of strains, also from their gradients.
  of(p: ArrayLike<number>, ratio?: number, gradients?: ArrayLike<number>): number;
}

export const EDGE: Lines = [[0, 1]];
const HINGE: Lines = [
  [2, 0],
  [0, 3],
  [3, 1],
  [1, 2],
];
// A join is drawn as a line between its two points, which need not be particles (table.ts, blend).
const GAP: Lines = [[0, 1]];
const PATH: Lines = [
  [0, 1],
  [1, 2],
];
// A ring is drawn as a line between the ends of the segment of its rail, through the ring.
const RAIL: Lines = [
  [1, 0],
  [0, 2],
];
const SEGMENT: Lines = [[0, 1]];
const TRIANGLE: Lines = [
  [0, 1],
  [1, 2],
  [2, 0],
];
export const TET: Lines = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

const TURN: Measured = {name: 'angle', unit: 'rad', lines: HINGE, period: 2 * Math.PI, of: bendAngleOf};

const MEASURED: Readonly<Record<KindInfo['c'], Measured>> = {
  length: {name: 'length', unit: 'm', lines: EDGE, of: lengthOf},
  angle: TURN,
  fold: TURN,
  volume: {name: 'volume', unit: 'm^3', lines: TET, of: tetVolumeOf},
  gap: {name: 'distance', unit: 'm', lines: GAP, of: lengthOf},
  path: {name: 'length', unit: 'm', lines: PATH, of: (p, ratio = 1) => pathOf(p, ratio)},
  off: {name: 'distance', unit: 'm', lines: RAIL, of: offOf},
  strain: {name: 'strain', unit: '', lines: TRIANGLE, of: (p, _ratio, gradients) => (gradients ? yarnStrainOf(p, gradients) : 0)},
  segment: {name: 'distance', unit: 'm', lines: SEGMENT, of: () => 0},
  joint: {name: 'angle', unit: 'rad', lines: SEGMENT, of: () => 0},
};

export function measuredOf(kind: ConstraintKind): Measured {
  return MEASURED[KINDS[kind].c];
}

// Kinds of which surfaces can show the strain: their constraints are edges.
export const EDGE_KINDS: readonly ConstraintKind[] = CONSTRAINT_KINDS.filter((kind) => measuredOf(kind).lines === EDGE);

// How far a measured value is from rest, as people are told of this kind: in proportion to the rest value, or in the unit
// of `told`. NaN if it is told in proportion and the rest value is 0.
export function apartOf(kind: ConstraintKind, rest: number, value: number): number {
  const {period} = measuredOf(kind);
  const apart = value - rest;
  if (KINDS[kind].told.as === 'relative') {
    return rest !== 0 ? apart / Math.abs(rest) : NaN;
  }
  return period ? apart - period * Math.round(apart / period) : apart;
}

// The same of x, y, z of each of its particles; 0 if it cannot be told.
export function strainOf(
  kind: ConstraintKind,
  rest: number,
  p: ArrayLike<number>,
  ratio = 1,
  gradients?: ArrayLike<number>,
): number {
  return apartOf(kind, rest, measuredOf(kind).of(p, ratio, gradients)) || 0;
}
