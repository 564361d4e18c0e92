// Constraints as lines, coloured by their kind or by how far they are from rest (model/measured.ts).
import {KINDS} from '../../lib/index.js';
import {excessOf, FULL_EXCESS} from '../model/limits.js';
import {nearestOnRail} from '../model/geometry.js';
import {EDGE, measuredOf, strainOf} from '../model/measured.js';
import {blend, GRADIENTS, type ConstraintTable} from '../model/table.js';
import {FULL_STRAIN} from '../model/viewstate.js';

export type Rgb = readonly [number, number, number];

// Colours of a ramp on each side of rest.
const STEPS = 1024;

// A colour as the card reads it: four bytes, of which the last is opaque.
const bytes = new Uint8Array(4);
const word = new Uint32Array(bytes.buffer);

export function packed([r, g, b]: Rgb): number {
  bytes.set([r, g, b, 1].map((share) => Math.round(255 * Math.min(1, Math.max(0, share)))));
  return word[0];
}

// Colours of strains: from `cold` (compressed) over `calm` (at rest) to `hot` (stretched). Small strains are shown more
// than in proportion, since most are.
export class Ramp {
  private readonly colors = new Uint32Array(2 * STEPS + 1);

  constructor(cold: Rgb, calm: Rgb, hot: Rgb) {
    this.colors.forEach((_, i) => {
      const end = i < STEPS ? cold : hot;
      const share = Math.sqrt(Math.abs(i - STEPS) / STEPS);
      const mixed = (axis: 0 | 1 | 2) => calm[axis] + share * (end[axis] - calm[axis]);
      this.colors[i] = packed([mixed(0), mixed(1), mixed(2)]);
    });
  }

  // 1 and −1 have the full colour.
  at(strain: number): number {
    const clamped = strain > 1 ? 1 : strain < -1 ? -1 : strain;
    return this.colors[Math.round(STEPS * (1 + clamped))];
  }
}

// Lines of a table's rows from where bodies are drawn. Edges have a way of their own: there are so many of them.
export class LineWriter {
  readonly positions: Float32Array;
  // One for each end.
  readonly colors: Uint32Array;
  private readonly lines;
  private readonly rails: boolean;
  private readonly joins: boolean;
  private readonly points: Float64Array;

  constructor(private readonly table: ConstraintTable) {
    this.lines = measuredOf(table.kind).lines;
    this.rails = KINDS[table.kind].c === 'off';
    this.joins = KINDS[table.kind].c === 'gap';
    this.points = new Float64Array(3 * table.stride);
    const ends = table.ids.length * this.lines.length * 2;
    this.positions = new Float32Array(3 * ends);
    this.colors = new Uint32Array(ends);
  }

  get lineCount(): number {
    return this.table.ids.length * this.lines.length;
  }

  paint(color: Rgb): void {
    this.colors.fill(packed(color));
  }

  // `ramp` null leaves the colours as they are. With limits (model/limits.ts) edges are coloured by what is beyond them.
  // Rows of bodies that are not drawn shrink to a point.
  write(
    positionsOf: (body: number) => Float32Array | null,
    ramp: Ramp | null,
    limits: Float32Array | null = null,
  ): void {
    if (this.lines === EDGE) {
      this.writeEdges(positionsOf, ramp, limits);
    } else {
      this.writeOthers(positionsOf, ramp);
    }
  }

  private writeEdges(
    positionsOf: (body: number) => Float32Array | null,
    ramp: Ramp | null,
    limits: Float32Array | null,
  ): void {
    const {bodies, particles, rest, ids} = this.table;
    const {positions: out, colors} = this;
    let id = -1;
    let of: Float32Array | null = null;
    const full = FULL_STRAIN[this.table.kind];
    const relative = KINDS[this.table.kind].told.as === 'relative';
    for (let row = 0, to = 0; row < ids.length; row++, to += 6) {
      if (bodies[2 * row] !== id) {
        id = bodies[2 * row];
        of = positionsOf(id);
      }
      const other = bodies[2 * row + 1] === id ? of : positionsOf(bodies[2 * row + 1]);
      if (!of || !other) {
        out.fill(0, to, to + 6);
        continue;
      }
      const a = 3 * particles[2 * row];
      const b = 3 * particles[2 * row + 1];
      const x = of[a];
      const y = of[a + 1];
      const z = of[a + 2];
      const u = other[b];
      const v = other[b + 1];
      const w = other[b + 2];
      out[to] = x;
      out[to + 1] = y;
      out[to + 2] = z;
      out[to + 3] = u;
      out[to + 4] = v;
      out[to + 5] = w;
      if (ramp) {
        const length = Math.sqrt((u - x) * (u - x) + (v - y) * (v - y) + (w - z) * (w - z));
        const whole = relative ? rest[row] * full : full;
        const strain = whole > 0 ? (length - rest[row]) / whole : 0;
        const share = limits ? excessOf(length, rest[row], limits[row]) / FULL_EXCESS : strain;
        colors[2 * row] = colors[2 * row + 1] = ramp.at(share);
      }
    }
  }

  private writeOthers(positionsOf: (body: number) => Float32Array | null, ramp: Ramp | null): void {
    const {kind, rest, ratio, gradients, ids} = this.table;
    const {positions: out, colors, lines, points} = this;
    let end = 0;
    for (let row = 0; row < ids.length; row++) {
      const whole = this.gather(row, positionsOf);
      const yarns = gradients.subarray(row * GRADIENTS, (row + 1) * GRADIENTS);
      const apart = ramp && whole ? strainOf(kind, rest[row], points, ratio[row], yarns) : 0;
      const color = ramp ? ramp.at(apart / FULL_STRAIN[kind]) : 0;
      for (const line of lines) {
        for (let side = 0; side < 2; side++, end++) {
          const from = 3 * line[side];
          out[3 * end] = points[from];
          out[3 * end + 1] = points[from + 1];
          out[3 * end + 2] = points[from + 2];
          if (ramp) {
            colors[end] = color;
          }
        }
      }
    }
  }

  // The particles of a row into `points`, or the two points of a join, or a ring and the nearest segment of its rail; zeros if not all of them are drawn.
  private gather(row: number, positionsOf: (body: number) => Float32Array | null): boolean {
    const {bodies, particles, weights, stride} = this.table;
    const {points} = this;
    for (let k = 0; k < stride; k++) {
      const of = positionsOf(bodies[stride * row + k]);
      if (!of) {
        points.fill(0);
        return false;
      }
      const from = 3 * particles[stride * row + k];
      points[3 * k] = of[from];
      points[3 * k + 1] = of[from + 1];
      points[3 * k + 2] = of[from + 2];
    }
    if (this.rails) {
      const rail = positionsOf(bodies[stride * row + 1]);
      if (rail) nearestOnRail(rail, particles[stride * row + 1], particles[stride * row + 2], points);
    }
    if (this.joins) blend(points, weights.subarray(stride * row, stride * (row + 1)));
    return true;
  }
}
