// Stress at particles, from the forces of constraints that the server tells (constraint.list with forces). It is what the
// page calls stress (docs/guides/studio.md):
//
//     cloth   T = Σ f l / (4 A)        N/m   mean tension; over the edges at the particle: f their pull, l their length, and
//                                            A a third of the area at rest of the triangles there. Half of each edge's
//                                            f l belongs to each of its ends, and the mean of two directions is half of that
//     fabric  T = (warp + weft)/2      N/m   mean over the triangles at the particle
//     rope    f                        N     mean pull of the segments at the particle
//     solid   σ = −p                   Pa    mean over the tetrahedra at the particle; below 0 where it is squeezed
import type {Client, ConstraintListResult} from '../../lib/index.js';
import {KINDS} from '../../lib/index.js';
import {tableOf, type ConstraintTable} from './table.js';
import {CONSTRAINT_KINDS, f64sOf, type Body, type ConstraintKind} from './values.js';

// Kinds of which the stress is made.
export const STRESS_KINDS: readonly ConstraintKind[] = CONSTRAINT_KINDS.filter((kind) =>
  ['length', 'strain', 'segment', 'volume'].includes(KINDS[kind].c),
);

export type StressUnit = 'N/m' | 'N' | 'Pa';

export interface Forces {
  readonly table: ConstraintTable;
  // Above 0 where it pulls; in the unit of the kind. With what long edges carry.
  readonly pulls: Float64Array;
}

const PAGE = 100_000;
const MORE_MS = 2000;

function pullsOf(kind: ConstraintKind, page: ConstraintListResult): Float64Array {
  const forces = f64sOf(page.forces);
  if (KINDS[kind].c === 'strain') {
    const tensions = f64sOf(page.tensions);
    return Float64Array.from({length: tensions.length / 3}, (_, i) => ((tensions[3 * i] ?? 0) + (tensions[3 * i + 1] ?? 0)) / 2);
  }
  const long = f64sOf(page.long_forces);
  return forces.map((force, i) => -(force + (long[i] ?? 0)));
}

// All constraints of a kind with what they pull; empty if there are more than a page of them.
export async function readForces(
  client: Client,
  world: number,
  kind: ConstraintKind,
): Promise<{readonly forces: Forces | null; readonly waitMs: number}> {
  const page = await client.call('constraint.list', {world, type: kind, limit: PAGE, forces: true});
  const waitMs = Math.min(MORE_MS, Number(page.wait_ms ?? 0));
  return {waitMs, forces: page.next === 0 ? {table: tableOf(kind, page), pulls: pullsOf(kind, page)} : null};
}

export function unitOf({kind}: Pick<Body, 'kind'>): StressUnit {
  return kind === 'cloth' ? 'N/m' : kind === 'soft' ? 'Pa' : 'N';
}

// A third of the area at rest of the triangles at each particle.
export function areasOf({topology, particles}: Body): Float64Array {
  const areas = new Float64Array(particles);
  const {rest, triangles} = topology ?? {rest: new Float64Array(), triangles: new Uint32Array()};
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!];
    const [ux, uy, uz] = [rest[b]! - rest[a]!, rest[b + 1]! - rest[a + 1]!, rest[b + 2]! - rest[a + 2]!];
    const [vx, vy, vz] = [rest[c]! - rest[a]!, rest[c + 1]! - rest[a + 1]!, rest[c + 2]! - rest[a + 2]!];
    const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 6;
    for (let k = 0; k < 3; k++) areas[triangles[i + k]!]! += area;
  }
  return areas;
}

// Stress at each particle of each body that has any. `areas` of cloths, `positions` as they are.
export function stressOf(
  all: readonly Forces[],
  bodies: ReadonlyMap<number, Body>,
  areas: ReadonlyMap<number, Float64Array>,
  positions: (body: number) => ArrayLike<number> | null,
): ReadonlyMap<number, Float32Array> {
  const sums = new Map<number, {sum: Float64Array; count: Uint16Array; area: boolean}>();
  for (const {table, pulls} of all) {
    const edges = KINDS[table.kind].c === 'length' || KINDS[table.kind].c === 'segment';
    for (let row = 0; row < table.ids.length; row++) {
      const id = table.bodies[row * table.stride]!;
      const body = bodies.get(id);
      const at = positions(id);
      const pull = pulls[row] ?? 0;
      // Only what a body has of its own: what joins two bodies is no stress of either.
      const range = body?.constraints[table.kind];
      const own = range && table.ids[row]! >= range.first && table.ids[row]! < range.first + range.count;
      // The edges of a solid of volumes pull in N, which is not its stress.
      if (!body || !own || !at || (edges && body.kind === 'soft')) continue;
      let one = sums.get(id);
      if (!one) {
        one = {sum: new Float64Array(body.particles), count: new Uint16Array(body.particles), area: false};
        sums.set(id, one);
      }
      const first = table.particles[row * table.stride]!;
      let value = pull;
      if (edges && body.kind === 'cloth') {
        const second = table.particles[row * table.stride + 1]!;
        one.area = true;
        value = (pull * Math.hypot(...[0, 1, 2].map((axis) => at[3 * first + axis]! - at[3 * second + axis]!))) / 4;
      }
      for (let k = 0; k < table.stride; k++) {
        const particle = table.particles[row * table.stride + k]!;
        one.sum[particle]! += value;
        one.count[particle]!++;
      }
    }
  }
  const stress = new Map<number, Float32Array>();
  for (const [id, {sum, count, area}] of sums) {
    const own = areas.get(id);
    stress.set(
      id,
      Float32Array.from(sum, (one, i) => {
        const over = area ? (own?.[i] ?? 0) : count[i]!;
        return over > 0 ? one / over : 0;
      }),
    );
  }
  return stress;
}
