// Skins: surfaces that tetrahedra carry along. Their vertices are worked out here from the particles as they are drawn,
// so that they need not be sent: a skin is finer than what carries it.
//
//     x(vertex) = x₃ + w₀ (x₀ − x₃) + w₁ (x₁ − x₃) + w₂ (x₂ − x₃)
//
// as the server writes it, so that rounding does not grow with the distance from the origin.
import type {Skin} from '../model/values.js';
import {CREASE, creased, type Carrier, type Surface} from './surface.js';

export function carry(
  {particles, weights}: Carrier,
  positions: ArrayLike<number>,
  to: Float32Array | Float64Array,
): void {
  for (let i = 0, w = 0, at = 0; i < particles.length; i += 4, w += 3, at += 3) {
    const a = 3 * particles[i];
    const b = 3 * particles[i + 1];
    const c = 3 * particles[i + 2];
    const d = 3 * particles[i + 3];
    const u = weights[w];
    const v = weights[w + 1];
    const t = weights[w + 2];
    const x = positions[d];
    const y = positions[d + 1];
    const z = positions[d + 2];
    to[at] = x + u * (positions[a] - x) + v * (positions[b] - x) + t * (positions[c] - x);
    to[at + 1] = y + u * (positions[a + 1] - y) + v * (positions[b + 1] - y) + t * (positions[c + 1] - y);
    to[at + 2] = z + u * (positions[a + 2] - z) + v * (positions[b + 2] - z) + t * (positions[c + 2] - z);
  }
}

// A skin as it is drawn: with a vertex for each side of a crease. Nothing that is out of place comes from a server, but
// what is would have the page draw nonsense, so that such a skin counts as none.
export function skinSurface(skin: Skin, rest: ArrayLike<number>): Surface | null {
  const {particles, weights, triangles} = skin;
  const vertices = particles.length / 4;
  const within = (list: Uint32Array, count: number) => list.every((index) => index < count);
  const whole = vertices > 0 && Number.isInteger(vertices) && weights.length === particles.length;
  if (!whole || !within(particles, rest.length / 3) || !within(triangles, vertices)) {
    return null;
  }
  const at = new Float64Array(3 * vertices);
  carry(carrierOf(skin, vertices, (i) => i), rest, at);
  const {triangles: corners, particleOf, vertexCount} = creased(triangles, at, CREASE);
  const carrier = carrierOf(skin, vertexCount, (i) => particleOf![i]);
  return {triangles: corners, particleOf: null, vertexCount, carrier};
}

function carrierOf({particles, weights}: Skin, count: number, vertexOf: (i: number) => number): Carrier {
  const carrier = {particles: new Uint32Array(4 * count), weights: new Float32Array(3 * count)};
  for (let i = 0; i < count; i++) {
    const from = 4 * vertexOf(i);
    carrier.particles.set(particles.subarray(from, from + 4), 4 * i);
    carrier.weights.set(weights.subarray(from, from + 3), 3 * i);
  }
  return carrier;
}

// Of the particles that carry a vertex, the one nearest to a point.
export function nearestCarrier(
  {particles}: Carrier,
  vertex: number,
  positions: Float32Array,
  point: ArrayLike<number>,
): number {
  let best = particles[4 * vertex];
  let least = Infinity;
  for (const particle of particles.subarray(4 * vertex, 4 * vertex + 4)) {
    const i = 3 * particle;
    const off = Math.hypot(
      positions[i] - point[0],
      positions[i + 1] - point[1],
      positions[i + 2] - point[2],
    );
    if (off < least) {
      least = off;
      best = particle;
    }
  }
  return best;
}
