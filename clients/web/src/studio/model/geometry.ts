// Lengths, volumes and angles of constraints, as the server measures them.
import type {Vec3} from './values.js';

export function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function subtract(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// V = ((b − a) × (c − a)) · (d − a) / 6, signed.
export function tetVolume(a: Vec3, b: Vec3, c: Vec3, d: Vec3): number {
  return dot(cross(subtract(b, a), subtract(c, a)), subtract(d, a)) / 6;
}

// Signed angle between the normals of the triangles (a, b, c) and (b, a, d) about their edge ab; 0 where flat.
export function bendAngle(a: Vec3, b: Vec3, c: Vec3, d: Vec3): number {
  const edge = subtract(b, a);
  const n1 = cross(edge, subtract(c, a));
  const n2 = cross(subtract(d, a), edge);
  const length = Math.hypot(...edge);
  return length === 0 ? 0 : Math.atan2(dot(cross(n1, n2), edge) / length, dot(n1, n2));
}
