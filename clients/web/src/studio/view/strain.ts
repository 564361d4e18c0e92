// Constraints as lines, coloured by their kind or by how far they are from rest.
//
//     distance                    its edge,          (l − L) / L          negative pulls together
//     dihedral                    edge and wings,    (θ − θ₀) / π
//     isometric, quadratic        edge and wings,    θ / π                they rest flat
//     volume                      six edges,         (V − V₀) / |V₀|
import {bendAngle, distance, tetVolume} from '../model/geometry.js';
import type {ConstraintTable} from '../model/table.js';
import type {ConstraintKind, Vec3} from '../model/values.js';

export type Rgb = readonly [number, number, number];

// Pairs of a constraint's particles that are drawn.
const EDGE: readonly (readonly [number, number])[] = [[0, 1]];
const HINGE: readonly (readonly [number, number])[] = [
  [2, 0],
  [0, 3],
  [3, 1],
  [1, 2],
];
const TET: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

export function linesOf(kind: ConstraintKind): readonly (readonly [number, number])[] {
  return kind === 'distance' ? EDGE : kind === 'volume' ? TET : HINGE;
}

export function strainOf(kind: ConstraintKind, rest: number, points: readonly Vec3[]): number {
  const [a, b, c, d] = points;
  switch (kind) {
    case 'distance':
      return rest > 0 ? (distance(a, b) - rest) / rest : 0;
    case 'volume':
      return rest !== 0 ? (tetVolume(a, b, c, d) - rest) / Math.abs(rest) : 0;
    case 'dihedral': {
      const turned = bendAngle(a, b, c, d) - rest;
      return (turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI))) / Math.PI;
    }
    default:
      return bendAngle(a, b, c, d) / Math.PI;
  }
}

// Strain that has the full colour.
export const FULL_STRAIN: Readonly<Record<ConstraintKind, number>> = {
  distance: 0.05,
  dihedral: 0.25,
  isometric: 0.25,
  quadratic: 0.25,
  volume: 0.2,
};

// From `cold` (compressed) over `calm` (at rest) to `hot` (stretched); `strain` is 1 at the full colour. Small strains
// are shown more than in proportion, since most are.
export function strainColor(
  strain: number,
  cold: Rgb,
  calm: Rgb,
  hot: Rgb,
  out: Float32Array,
  at: number,
): void {
  const end = strain < 0 ? cold : hot;
  const share = Math.sqrt(Math.min(1, Math.abs(strain)));
  for (let i = 0; i < 3; i++) {
    out[at + i] = calm[i] + share * (end[i] - calm[i]);
  }
}

function pointAt(positions: Float32Array, particle: number): Vec3 {
  return [positions[3 * particle], positions[3 * particle + 1], positions[3 * particle + 2]];
}

// Lines of a table's rows from where bodies are drawn. Distances have a way of their own: there are so many of them.
export class LineWriter {
  readonly positions: Float32Array;
  readonly colors: Float32Array;
  private readonly lines;

  constructor(private readonly table: ConstraintTable) {
    this.lines = linesOf(table.kind);
    const size = table.ids.length * this.lines.length * 6;
    this.positions = new Float32Array(size);
    this.colors = new Float32Array(size);
  }

  get lineCount(): number {
    return this.table.ids.length * this.lines.length;
  }

  paint(color: Rgb): void {
    for (let i = 0; i < this.colors.length; i += 3) {
      this.colors[i] = color[0];
      this.colors[i + 1] = color[1];
      this.colors[i + 2] = color[2];
    }
  }

  // `palette` null leaves the colours as they are. Rows of bodies that are not drawn shrink to a point.
  write(positionsOf: (body: number) => Float32Array | null, palette: readonly [Rgb, Rgb, Rgb] | null): void {
    if (this.table.kind === 'distance') {
      this.writeDistances(positionsOf, palette);
    } else {
      this.writeOthers(positionsOf, palette);
    }
  }

  private writeDistances(
    positionsOf: (body: number) => Float32Array | null,
    palette: readonly [Rgb, Rgb, Rgb] | null,
  ): void {
    const {bodies, particles, rest, ids} = this.table;
    const {positions: out, colors} = this;
    let id = -1;
    let of: Float32Array | null = null;
    const full = FULL_STRAIN.distance;
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
      if (palette) {
        const length = Math.sqrt((u - x) * (u - x) + (v - y) * (v - y) + (w - z) * (w - z));
        const strain = rest[row] > 0 ? (length - rest[row]) / rest[row] / full : 0;
        strainColor(strain, palette[0], palette[1], palette[2], colors, to);
        colors.copyWithin(to + 3, to, to + 3);
      }
    }
  }

  private writeOthers(
    positionsOf: (body: number) => Float32Array | null,
    palette: readonly [Rgb, Rgb, Rgb] | null,
  ): void {
    const {kind, bodies, particles, rest, ids} = this.table;
    const {positions: out, colors, lines} = this;
    let to = 0;
    for (let row = 0; row < ids.length; row++) {
      const points: Vec3[] = [];
      for (let i = 4 * row; i < 4 * row + 4; i++) {
        const of = positionsOf(bodies[i]);
        if (of) {
          points.push(pointAt(of, particles[i]));
        }
      }
      const whole = points.length === 4;
      const strain = whole && palette ? strainOf(kind, rest[row], points) / FULL_STRAIN[kind] : 0;
      for (const [i, j] of lines) {
        out.set(whole ? points[i] : [0, 0, 0], to);
        out.set(whole ? points[j] : [0, 0, 0], to + 3);
        if (palette) {
          strainColor(strain, palette[0], palette[1], palette[2], colors, to);
          colors.copyWithin(to + 3, to, to + 3);
        }
        to += 6;
      }
    }
  }
}
