// Obstacles: bodies that others lie on, and of which nothing moves by itself.
import type {Body} from './values.js';

type Held = Pick<Body, 'particles' | 'pins' | 'followed' | 'softness' | 'topology'>;

// Whether nothing of a body moves by itself, because all of it is pinned where it is or has no mass. Nothing of its material counts:
// other bodies only lie on it.
export function isObstacle({particles, pins, followed, softness, topology}: Held): boolean {
  const free = (value: number) => value !== 0;
  const pinned = pins.length === particles && !followed.some(free) && !softness.some(free);
  return particles > 0 && (pinned || (topology !== null && topology.masses.length > 0 && !topology.masses.some(free)));
}
