// How the threads of a cloth run, as far as its material tells. What stretches easily is knit, what is heavy is a twill as
// denim is, and the finest threads are not seen at all.
import type {Body, Topology} from '../model/values.js';
import type {Weave} from '../model/viewstate.js';

// N/m along the warp.
const KNIT_BELOW = 200;
// kg/m².
const SMOOTH_BELOW = 0.08;
const TWILL_FROM = 0.21;
const RUBBER_FROM = 0.6;

export function weaveOf({stretch}: Pick<Body, 'stretch'>, density: number): Weave {
  if (stretch.model === 'orthotropic' && (stretch.warp ?? Infinity) < KNIT_BELOW) {
    return 'knit';
  }
  if (density < SMOOTH_BELOW || density >= RUBBER_FROM) {
    return 'smooth';
  }
  return density >= TWILL_FROM ? 'twill' : 'plain';
}

// The density of a cloth, in kg/m².
export function densityOf({masses, triangles, rest}: Pick<Topology, 'masses' | 'triangles' | 'rest'>): number {
  let area = 0;
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => rest[b + k] - rest[a + k]);
    const v = [0, 1, 2].map((k) => rest[c + k] - rest[a + k]);
    area += 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  }
  const mass = masses.reduce((sum, one) => sum + one, 0);
  return area > 0 ? mass / area : 0;
}
