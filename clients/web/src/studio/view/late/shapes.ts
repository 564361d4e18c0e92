// Lines of simple shapes, for what has no surface: regions, axes, arcs and arrows.
import {Quaternion, Vector3, type Color} from 'three';
import type {Vec3} from '../../model/values.js';
import type {WideLines} from '../widelines.js';

const AROUND = 48;
const UP = new Vector3(0, 1, 0);

// Two unit vectors across an axis, so that (u, v, axis) is right-handed.
export function across(axis: Vec3): {readonly u: Vector3; readonly v: Vector3; readonly n: Vector3} {
  const n = new Vector3(...axis);
  if (n.lengthSq() === 0) n.copy(UP);
  n.normalize();
  const u = new Vector3(Math.abs(n.x) < 0.9 ? 1 : 0, Math.abs(n.x) < 0.9 ? 0 : 1, 0).cross(n).normalize();
  return {u, v: n.clone().cross(u), n};
}

export const at = (from: Vec3, ...parts: readonly (readonly [Vector3, number])[]): Vec3 => {
  const p = new Vector3(...from);
  parts.forEach(([way, by]) => p.addScaledVector(way, by));
  return [p.x, p.y, p.z];
};

export class Shapes {
  constructor(private readonly to: WideLines) {}

  line(from: Vec3, end: Vec3, color: Color): void {
    this.to.add(from, end, color);
  }

  // A part of a circle in the plane of u and v, from one angle to another.
  arc(middle: Vec3, u: Vector3, v: Vector3, radius: number, from: number, end: number, color: Color): void {
    const steps = Math.max(2, Math.ceil((AROUND * Math.abs(end - from)) / (2 * Math.PI)));
    let last: Vec3 | null = null;
    for (let i = 0; i <= steps; i++) {
      const angle = from + ((end - from) * i) / steps;
      const point = at(middle, [u, radius * Math.cos(angle)], [v, radius * Math.sin(angle)]);
      if (last) this.to.add(last, point, color);
      last = point;
    }
  }

  circle(middle: Vec3, axis: Vec3, radius: number, color: Color): void {
    const {u, v} = across(axis);
    this.arc(middle, u, v, radius, 0, 2 * Math.PI, color);
  }

  sphere(middle: Vec3, radius: number, color: Color): void {
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).forEach((axis) => this.circle(middle, axis, radius, color));
  }

  box(middle: Vec3, half: Vec3, color: Color): void {
    const corner = (i: number): Vec3 => [
      middle[0] + (i & 1 ? half[0] : -half[0]),
      middle[1] + (i & 2 ? half[1] : -half[1]),
      middle[2] + (i & 4 ? half[2] : -half[2]),
    ];
    for (let i = 0; i < 8; i++) {
      for (const bit of [1, 2, 4]) if (!(i & bit)) this.to.add(corner(i), corner(i | bit), color);
    }
  }

  // A line with a head of two strokes, which lie across `across` of it.
  arrow(from: Vec3, end: Vec3, color: Color, head = 0.25): void {
    this.to.add(from, end, color);
    const way = new Vector3(end[0] - from[0], end[1] - from[1], end[2] - from[2]);
    const length = way.length();
    if (length < 1e-9) return;
    const {u, v, n} = across([way.x, way.y, way.z]);
    for (const side of [u, v]) {
      for (const sign of [-0.4, 0.4]) {
        this.to.add(end, at(end, [n, -head * length], [side, sign * head * length]), color);
      }
    }
  }
}

// A vector turned by a quaternion x, y, z, w that stands at `i` of an array.
export function turnedBy(turns: ArrayLike<number>, i: number, [x, y, z]: Vec3): Vec3 {
  const q = new Quaternion(turns[i], turns[i + 1], turns[i + 2], turns[i + 3]);
  const p = new Vector3(x, y, z).applyQuaternion(q);
  return [p.x, p.y, p.z];
}
