// Where a mesh from a file goes: its size, which way is up, how it is turned, and where its lowest point stands.
import {boundsOf, sizeOf} from './bounds.js';

export interface Placement {
  // Metres a unit of the file.
  readonly scale: number;
  readonly up: 'y' | 'z';
  // Degrees about the vertical.
  readonly turn: number;
  // Position of the middle of its underside.
  readonly position: readonly [number, number, number];
}

const AT_LEAST_M = 0.2;
const AT_MOST_M = 6;
const FITTED_M = 1.5;

// A scale that makes sense: 1 if the mesh is about as large as people are, else one of the usual units, else what fits.
export function scaleFor(positions: ArrayLike<number>): number {
  const size = sizeOf(positions);
  if (!(size > 0)) return 1;
  const fits = [1, 0.01, 0.001, 0.0254].find((unit) => size * unit >= AT_LEAST_M && size * unit <= AT_MOST_M);
  return fits ?? Number((FITTED_M / size).toPrecision(3));
}

// `like`: what the placement is of, if that is something else than what is placed: the surface that a lattice carries.
export function placed(positions: Float64Array, placement: Placement, like = positions): Float64Array {
  const {position} = placement;
  const out = turned(positions, placement);
  const {low, high} = boundsOf(like === positions ? out : turned(like, placement));
  const shift = [
    position[0] - (low[0] + high[0]) / 2,
    position[1] - low[1],
    position[2] - (low[2] + high[2]) / 2,
  ];
  for (let i = 0; i < out.length; ++i) out[i] = (out[i] ?? 0) + (shift[i % 3] ?? 0);
  return out;
}

function turned(positions: Float64Array, {scale, up, turn}: Placement): Float64Array {
  const [cosine, sine] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const out = new Float64Array(positions.length);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i] ?? 0;
    // z up becomes y up by a quarter turn about x.
    const y = (up === 'y' ? positions[i + 1] : positions[i + 2]) ?? 0;
    const z = up === 'y' ? (positions[i + 2] ?? 0) : -(positions[i + 1] ?? 0);
    out[i] = scale * (cosine * x + sine * z);
    out[i + 1] = scale * y;
    out[i + 2] = scale * (cosine * z - sine * x);
  }
  return out;
}
