// Quaternions x, y, z, w, and what a collider's normal and rotation have to do with each other.
import type {Vec3, Vec4} from './values.js';

export function normalized<V extends Vec3 | Vec4>(v: V): V {
  const length = Math.hypot(...v);
  return (length > 0 ? v.map((x) => x / length) : v) as unknown as V;
}

// q v q*
export function rotated(q: Vec4, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + (y * tz - z * ty),
    v[1] + w * ty + (z * tx - x * tz),
    v[2] + w * tz + (x * ty - y * tx),
  ];
}

// a b: first b, then a.
export function product(a: Vec4, b: Vec4): Vec4 {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

// From `from` the shortest way to a rotation that turns +y into the normal, as the server goes.
export function turnedTo(from: Vec4, normal: Vec3): Vec4 {
  const n = normalized(normal);
  const now = rotated(from, [0, 1, 0]);
  // The half-way quaternion: (now × n, 1 + now · n). Opposite directions turn about any axis across.
  let turn: Vec4 = [
    now[1] * n[2] - now[2] * n[1],
    now[2] * n[0] - now[0] * n[2],
    now[0] * n[1] - now[1] * n[0],
    1 + now[0] * n[0] + now[1] * n[1] + now[2] * n[2],
  ];
  if (turn[3] < 1e-9) {
    const alongX = Math.abs(now[0]) > 0.5;
    turn = [alongX ? -now[1] : 0, alongX ? now[0] : -now[2], alongX ? 0 : now[1], 0];
  }
  return normalized(product(normalized(turn), from));
}
