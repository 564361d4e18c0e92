// Colours on the surfaces themselves. With strain, each vertex has the mean strain of the edges at its particle, or what of it
// is beyond their limits, and the triangles between are filled. With shares, each body has one colour.
import {KINDS} from '../../lib/index.js';
import {excessOf, FULL_EXCESS} from '../model/limits.js';
import type {ConstraintTable} from '../model/table.js';
import {FULL_STRAIN} from '../model/viewstate.js';
import type {BodyView} from './body.js';
import type {Ramp} from './strain.js';

interface Sums {
  readonly strains: Float32Array;
  readonly edges: Uint16Array;
}

export class Tint {
  private readonly sums = new Map<number, Sums>();

  // `tables`: the edges of the world, by kind. With none, surfaces have the colours of their bodies. `limits` of a table:
  // what is beyond them is shown.
  write(
    tables: readonly ConstraintTable[],
    bodies: ReadonlyMap<number, BodyView>,
    ramp: Ramp,
    limits: (table: ConstraintTable) => Float32Array | null = () => null,
  ): void {
    if (tables.length === 0) {
      this.sums.clear();
      bodies.forEach(({sheet}) => sheet?.tint(null));
      return;
    }
    for (const [id, {body, sheet}] of bodies) {
      const known = this.sums.get(id);
      if (sheet && known?.strains.length !== body.particles) {
        this.sums.set(id, {strains: new Float32Array(body.particles), edges: new Uint16Array(body.particles)});
      } else {
        known?.strains.fill(0);
        known?.edges.fill(0);
      }
    }
    tables.forEach((table) => this.add(table, bodies, limits(table)));
    for (const [id, {strains, edges}] of this.sums) {
      const sheet = bodies.get(id)?.sheet;
      if (!sheet) {
        this.sums.delete(id);
        continue;
      }
      sheet.tint((particle) => ramp.at(edges[particle] > 0 ? strains[particle] / edges[particle] : 0));
    }
  }

  // One colour for each body, by a share from 0 to 1. A body that has none is calm.
  writeBodies(shares: ReadonlyMap<number, number>, bodies: ReadonlyMap<number, BodyView>, ramp: Ramp): void {
    this.sums.clear();
    bodies.forEach(({sheet}, id) => {
      const color = ramp.at(shares.get(id) ?? 0);
      sheet?.tint(() => color);
    });
  }

  private add(
    table: ConstraintTable,
    bodies: ReadonlyMap<number, BodyView>,
    limits: Float32Array | null,
  ): void {
    const {kind, ids, bodies: ends, particles, rest} = table;
    const relative = KINDS[kind].told.as === 'relative';
    let id = -1;
    let of: Float32Array | undefined;
    let sum: Sums | undefined;
    for (let row = 0; row < ids.length; row++) {
      if (ends[2 * row] !== id) {
        id = ends[2 * row];
        of = bodies.get(id)?.positions;
        sum = this.sums.get(id);
      }
      // Between two bodies it is no strain of either.
      const whole = relative ? rest[row] : 1;
      if (!of || !sum || ends[2 * row + 1] !== id || whole <= 0) {
        continue;
      }
      const one = particles[2 * row];
      const other = particles[2 * row + 1];
      const [a, b] = [3 * one, 3 * other];
      const [x, y, z] = [of[a] - of[b], of[a + 1] - of[b + 1], of[a + 2] - of[b + 2]];
      const length = Math.sqrt(x * x + y * y + z * z);
      const strain = limits
        ? excessOf(length, rest[row], limits[row]) / FULL_EXCESS
        : (length - rest[row]) / (whole * FULL_STRAIN[kind]);
      sum.strains[one] += strain;
      sum.strains[other] += strain;
      sum.edges[one]++;
      sum.edges[other]++;
    }
  }
}
