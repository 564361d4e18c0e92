// By how much edges may be longer than at rest, and by how much they are beyond that, as the server measures it.
import type {ConstraintTable} from './table.js';

// Excess that has the full colour; the server warns from here on.
export const FULL_EXCESS = 0.05;

// The greatest length of each edge over its rest length: 1 if it has no compliance, plus the limit of its body. Infinite
// where there is no limit, and between bodies.
export function limitsOf({ids, bodies, compliance, stiffness}: ConstraintTable, limitOf: (body: number) => number): Float32Array {
  const limits = new Float32Array(ids.length);
  let id = -1;
  let limit = 0;
  for (let row = 0; row < ids.length; row++) {
    if (bodies[2 * row] !== id) {
      id = bodies[2 * row];
      limit = limitOf(id);
    }
    const own = bodies[2 * row + 1] === id;
    const rigid = compliance[row] === 0 && stiffness[row] < 0;
    limits[row] = own && (rigid || limit > 0) ? 1 + limit : Infinity;
  }
  return limits;
}

export function excessOf(length: number, rest: number, limit: number): number {
  return rest > 0 ? Math.max(0, length / rest - limit) : 0;
}
