// The velocity of the air at a place: the world's wind with its gusts, and winds and fans among the fields of force. The
// formulas are the server's (docs/concepts/wind.md, forces.md), in double and without its rounding, so that streaks show
// the gusts that cloth feels.
import {hasEnd, type ForceField} from './forcefields.js';
import type {Vec3, Wind} from './values.js';

// Each octave drifts beside the wind by sixteenths of the gusts, and has a share of the strength.
const DRIFTS = [
  [9, 5, -3],
  [-6, 4, 8],
  [-8, -7, 4],
  [5, -2, -9],
  [7, -4, 6],
  [-5, -7, -8],
] as const;
const WEIGHTS = [1.5208, 1.2288, 1.3121, 1.0415, 0.8266, 0.6561] as const;
// Widths of the first octave, in lengths of gusts.
const CELLS = 4;
// A jet keeps its speed for so many widths; its half width grows by so much of its way.
const CORE = 6;
const SPREAD = 0.094;
const FALL = 0.414;

function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

interface Octave {
  readonly width: number;
  readonly seed: number;
  readonly weight: number;
  readonly drift: Vec3;
}

// How far the pattern has come: a way in metres, and the gusts' own.
export type GustWay = readonly [number, number, number, number];

// The way after some seconds.
export function wayOn(way: GustWay, {velocity, gusts = 0}: Wind, seconds: number): GustWay {
  return [
    way[0] + velocity[0] * seconds,
    way[1] + velocity[1] * seconds,
    way[2] + velocity[2] * seconds,
    way[3] + gusts * seconds,
  ];
}

// A power of two quanta, the nearest to four lengths by ratio.
function widestCell(gustLength: number, resolution: number): number {
  let width = 64;
  while (width * Math.SQRT2 < (CELLS * gustLength) / resolution) width *= 2;
  return width * resolution;
}

export class Air {
  private readonly octaves: readonly Octave[];
  private readonly blowing: readonly ForceField[];
  private readonly mean: Vec3;

  constructor(wind: Wind, fields: Iterable<ForceField>, way: GustWay, resolution: number) {
    const {gusts = 0, gust_length: length = 10, gust_seed: seed = 0} = wind;
    const there = wind.density > 0;
    this.mean = there ? wind.velocity : [0, 0, 0];
    const widest = widestCell(length, resolution > 0 ? resolution : 2 ** -27);
    this.octaves = there && gusts > 0
      ? WEIGHTS.map((weight, o) => ({
          width: widest / 2 ** o,
          seed: mix((seed + Math.imul(0x9e3779b9, o + 1)) >>> 0),
          weight: gusts * weight,
          drift: [0, 1, 2].map((axis) => (way[axis] ?? 0) + (way[3] / 16) * (DRIFTS[o]?.[axis] ?? 0)) as unknown as Vec3,
        }))
      : [];
    this.blowing = [...fields].filter(({kind}) => kind === 'wind' || kind === 'fan');
  }

  // Writes the velocity at (x, y, z) into `to`.
  at(x: number, y: number, z: number, to: [number, number, number]): void {
    to[0] = this.mean[0];
    to[1] = this.mean[1];
    to[2] = this.mean[2];
    for (const octave of this.octaves) addCurl(octave, x, y, z, to);
    for (const field of this.blowing) addDraft(field, x, y, z, to);
  }
}

function fade(f: number): number {
  return f * f * f * (f * (6 * f - 15) + 10);
}

function slope(f: number): number {
  return 30 * f * f * (f * (f - 2) + 1);
}

// Without arrays: it runs for hundreds of places a frame.
function addCurl({width, seed, weight, drift}: Octave, x: number, y: number, z: number, to: [number, number, number]): void {
  const [px, py, pz] = [(x - drift[0]) / width, (y - drift[1]) / width, (z - drift[2]) / width];
  const [ix, iy, iz] = [Math.floor(px), Math.floor(py), Math.floor(pz)];
  const [fx, fy, fz] = [px - ix, py - iy, pz - iz];
  const [sx, sy, sz] = [fade(fx), fade(fy), fade(fz)];
  const [dx, dy, dz] = [slope(fx), slope(fy), slope(fz)];
  for (let cz = 0; cz < 2; cz++) {
    const ofZ = mix((iz + seed + cz) | 0);
    const [wz, ez, rz] = [cz ? sz : 1 - sz, cz ? dz : -dz, fz - cz];
    for (let cy = 0; cy < 2; cy++) {
      const ofY = mix((ofZ + iy + cy) | 0);
      const [wy, ey, ry] = [cy ? sy : 1 - sy, cy ? dy : -dy, fy - cy];
      for (let cx = 0; cx < 2; cx++) {
        const hash = mix((ofY + ix + cx) | 0);
        const ax = (2 * (hash & 1023) - 1023) / 1024;
        const ay = (2 * ((hash >>> 10) & 1023) - 1023) / 1024;
        const az = (2 * ((hash >>> 20) & 1023) - 1023) / 1024;
        const wx = cx ? sx : 1 - sx;
        const rx = fx - cx;
        const gx = (cx ? dx : -dx) * wy * wz;
        const gy = wx * ey * wz;
        const gz = wx * wy * ez;
        const along = weight * (wx * wy * wz + 0.5 * (gx * rx + gy * ry + gz * rz));
        const back = 0.5 * weight * (gx * ax + gy * ay + gz * az);
        to[0] += along * ax - back * rx;
        to[1] += along * ay - back * ry;
        to[2] += along * az - back * rz;
      }
    }
  }
}

// The share of a field's region at a place: 1 within, 0 outside, and between them in its margin.
export function shareAt(field: ForceField, x: number, y: number, z: number): number {
  if (!hasEnd(field)) return 1;
  const {position, radius, half_extents: half, margin} = field;
  const off = [x - position[0], y - position[1], z - position[2]];
  const sphere = radius > 0 ? radius - Math.hypot(...off) : Infinity;
  const boxed = half.some((edge) => edge > 0);
  const box = boxed ? Math.min(...off.map((one, axis) => (half[axis] ?? 0) - Math.abs(one))) : Infinity;
  const inside = Math.min(sphere, box);
  if (inside <= 0) return 0;
  return margin > 0 && inside < margin ? fade(inside / margin) : 1;
}

function addDraft(field: ForceField, x: number, y: number, z: number, to: [number, number, number]): void {
  const share = shareAt(field, x, y, z);
  if (share === 0) return;
  if (field.kind === 'wind') {
    field.velocity.forEach((u, axis) => (to[axis as 0 | 1 | 2] += share * u));
    return;
  }
  const {position, axis, width, strength} = field;
  const size = Math.hypot(...axis) || 1;
  const n = axis.map((one) => one / size);
  const off = [x - position[0], y - position[1], z - position[2]];
  const s = off.reduce((sum, one, k) => sum + one * (n[k] ?? 0), 0);
  const q2 = Math.max(0, off.reduce((sum, one) => sum + one * one, 0) - s * s);
  const before = s >= 0 ? Math.min(1, (CORE * width) / Math.max(s, 1e-9)) : Math.max(0, 1 + s / (width / 2));
  const l = Math.max(width / 2, SPREAD * s);
  const speed = (share * strength * before) / (1 + FALL * (q2 / (l * l))) ** 2;
  n.forEach((one, k) => (to[k as 0 | 1 | 2] += speed * one));
}
