// Constraints of one kind as columns, by ascending id. A table is replaced, never changed; columns that stay are
// shared with the table before it.
import {KINDS, type ConstraintListResult} from '../../lib/index.js';
import {f64sOf, rubs, slides, u32sOf, type Constraint, type ConstraintKind} from './values.js';

export interface ConstraintTable {
  readonly kind: ConstraintKind;
  // Particles of each: 2, 3, 4 or 6.
  readonly stride: number;
  readonly ids: Uint32Array;
  // stride entries each.
  readonly bodies: Uint32Array;
  readonly particles: Uint32Array;
  readonly rest: Float64Array;
  readonly compliance: Float64Array;
  readonly damping: Float64Array;
  // -1 where compliance holds.
  readonly stiffness: Float64Array;
  // Joins have `stride` entries each. It is empty for other kinds.
  readonly weights: Float64Array;
  // These two are empty for kinds that have none.
  readonly ratio: Float64Array;
  readonly friction: Float64Array;
  // Orthotropic ones have four entries each (model/geometry.ts, yarnStrainOf). It is empty for other kinds.
  readonly gradients: Float64Array;
}

// Entries of `gradients` of each constraint.
export const GRADIENTS = 4;

export const VALUE_COLUMNS = ['rest', 'compliance', 'damping', 'stiffness', 'ratio', 'friction'] as const;
export type ValueColumn = (typeof VALUE_COLUMNS)[number];

export function strideOf(kind: ConstraintKind): number {
  return KINDS[kind].particles;
}

export function emptyTable(kind: ConstraintKind): ConstraintTable {
  const none = new Float64Array(0);
  const zero = new Uint32Array(0);
  return {
    kind,
    stride: strideOf(kind),
    ids: zero,
    bodies: zero,
    particles: zero,
    rest: none,
    compliance: none,
    damping: none,
    stiffness: none,
    weights: none,
    ratio: none,
    friction: none,
    gradients: none,
  };
}

export function tableOf(kind: ConstraintKind, page: ConstraintListResult): ConstraintTable {
  return {
    kind,
    stride: strideOf(kind),
    ids: u32sOf(page.constraints),
    bodies: u32sOf(page.bodies),
    particles: u32sOf(page.particles),
    rest: f64sOf(page.rest),
    compliance: f64sOf(page.compliance),
    damping: f64sOf(page.damping),
    stiffness: f64sOf(page.stiffness),
    weights: page.weights ? f64sOf(page.weights) : new Float64Array(0),
    ratio: page.ratio ? f64sOf(page.ratio) : new Float64Array(0),
    friction: page.friction ? f64sOf(page.friction) : new Float64Array(0),
    gradients: page.gradients ? f64sOf(page.gradients) : new Float64Array(0),
  };
}

// Row of an id, or -1.
export function rowOf(table: ConstraintTable, id: number): number {
  const {ids} = table;
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < ids.length && ids[low] === id ? low : -1;
}

export function constraintAt(table: ConstraintTable, row: number): Constraint {
  const {stride} = table;
  return {
    constraint: table.ids[row],
    type: table.kind,
    bodies: Array.from(table.bodies.subarray(row * stride, (row + 1) * stride)),
    particles: Array.from(table.particles.subarray(row * stride, (row + 1) * stride)),
    rest: table.rest[row],
    compliance: table.compliance[row],
    damping: table.damping[row],
    stiffness: table.stiffness[row],
    weights: Array.from(table.weights.subarray(row * stride, (row + 1) * stride)),
    ratio: table.ratio[row] ?? 1,
    friction: table.friction[row] ?? 0,
    gradients: Array.from(table.gradients.subarray(row * GRADIENTS, (row + 1) * GRADIENTS)),
  };
}

// Points that the weights make of x, y, z of so many particles on each of two sides, in the place of these. Without weights
// the particles themselves stay.
export function blend(p: Float64Array | number[], weights: ArrayLike<number>): void {
  const half = weights.length / 2;
  for (let side = 0; side < 2 && half > 0; side++) {
    const sum = [0, 0, 0];
    for (let k = side * half; k < (side + 1) * half; k++) {
      for (let axis = 0; axis < 3; axis++) sum[axis] += weights[k] * p[3 * k + axis];
    }
    for (let axis = 0; axis < 3; axis++) p[3 * side + axis] = sum[axis];
  }
}

// The rows of both tables; where an id is in both, that of `newer`. Pages come in order, so most often `newer` is
// simply put behind.
export function merged(older: ConstraintTable, newer: ConstraintTable): ConstraintTable {
  if (older.ids.length === 0 || newer.ids.length === 0) {
    return newer.ids.length === 0 ? older : newer;
  }
  if (older.ids[older.ids.length - 1] < newer.ids[0]) {
    return joined(older, newer);
  }
  const kept = rowsWhere(older, (row) => rowOf(newer, older.ids[row]) < 0);
  const order: [ConstraintTable, number][] = [];
  let at = 0;
  for (let row = 0; row < newer.ids.length; row++) {
    while (at < kept.length && older.ids[kept[at]] < newer.ids[row]) {
      order.push([older, kept[at++]]);
    }
    order.push([newer, row]);
  }
  while (at < kept.length) {
    order.push([older, kept[at++]]);
  }
  return picked(older, order);
}

function joined(a: ConstraintTable, b: ConstraintTable): ConstraintTable {
  const behind = <A extends Uint32Array | Float64Array>(to: A, first: A, second: A): A => {
    to.set(first);
    to.set(second, first.length);
    return to;
  };
  const u32 = (first: Uint32Array, second: Uint32Array) =>
    behind(new Uint32Array(first.length + second.length), first, second);
  const f64 = (first: Float64Array, second: Float64Array) =>
    behind(new Float64Array(first.length + second.length), first, second);
  return {
    kind: a.kind,
    stride: a.stride,
    ids: u32(a.ids, b.ids),
    bodies: u32(a.bodies, b.bodies),
    particles: u32(a.particles, b.particles),
    rest: f64(a.rest, b.rest),
    compliance: f64(a.compliance, b.compliance),
    damping: f64(a.damping, b.damping),
    stiffness: f64(a.stiffness, b.stiffness),
    weights: f64(a.weights, b.weights),
    ratio: f64(a.ratio, b.ratio),
    friction: f64(a.friction, b.friction),
    gradients: f64(a.gradients, b.gradients),
  };
}

function rowsWhere(table: ConstraintTable, wanted: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < table.ids.length; row++) {
    if (wanted(row)) {
      rows.push(row);
    }
  }
  return rows;
}

function picked(
  shape: ConstraintTable,
  order: readonly (readonly [ConstraintTable, number])[],
): ConstraintTable {
  const {kind, stride} = shape;
  const count = order.length;
  const table = {
    kind,
    stride,
    ids: new Uint32Array(count),
    bodies: new Uint32Array(count * stride),
    particles: new Uint32Array(count * stride),
    rest: new Float64Array(count),
    compliance: new Float64Array(count),
    damping: new Float64Array(count),
    stiffness: new Float64Array(count),
    weights: new Float64Array(KINDS[kind].c === 'gap' ? count * stride : 0),
    ratio: new Float64Array(slides(kind) ? count : 0),
    friction: new Float64Array(rubs(kind) ? count : 0),
    gradients: new Float64Array(KINDS[kind].c === 'strain' ? count * GRADIENTS : 0),
  };
  order.forEach(([from, row], to) => {
    table.ids[to] = from.ids[row];
    for (let i = 0; i < stride; i++) {
      table.bodies[to * stride + i] = from.bodies[row * stride + i];
      table.particles[to * stride + i] = from.particles[row * stride + i];
      if (table.weights.length > 0) table.weights[to * stride + i] = from.weights[row * stride + i];
    }
    for (let i = 0; i < GRADIENTS && table.gradients.length > 0; i++) {
      table.gradients[to * GRADIENTS + i] = from.gradients[row * GRADIENTS + i];
    }
    for (const column of VALUE_COLUMNS) {
      if (to < table[column].length) {
        table[column][to] = from[column][row];
      }
    }
  });
  return table;
}

// Only the rows wanted; the same table if that is all of them.
export function filtered(table: ConstraintTable, wanted: (row: number) => boolean): ConstraintTable {
  const rows = rowsWhere(table, wanted);
  return rows.length === table.ids.length
    ? table
    : picked(
        table,
        rows.map((row) => [table, row] as const),
      );
}

// With values set by row; `rows` and the values run side by side, one value may stand for all.
export function withValues(
  table: ConstraintTable,
  rows: readonly number[],
  values: Readonly<Partial<Record<ValueColumn, (index: number) => number>>>,
): ConstraintTable {
  const columns: Partial<Record<ValueColumn, Float64Array>> = {};
  for (const column of VALUE_COLUMNS) {
    const value = values[column];
    if (value && table[column].length > 0) {
      const copy = table[column].slice();
      rows.forEach((row, index) => {
        copy[row] = value(index);
      });
      columns[column] = copy;
    }
  }
  return {...table, ...columns};
}
