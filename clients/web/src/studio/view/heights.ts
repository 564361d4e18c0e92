// Height fields as geometry: the surface, smooth from triangle to triangle, and walls down from its rims. It is solid below
// without end; the walls go a little deeper than its lowest place, all round alike.
import {BufferAttribute, BufferGeometry} from 'three';
import type {Collider} from '../model/values.js';

const DEEPER = 0.05; // of its longer side

type Field = Pick<Collider, 'heights' | 'columns' | 'spacing'>;

class Corners {
  readonly places: number[] = [];
  readonly normals: number[] = [];

  put(place: readonly number[], normal: readonly number[]): void {
    this.places.push(...place);
    this.normals.push(...normal);
  }
}

export function fieldGeometry({heights, columns, spacing}: Field): BufferGeometry {
  const rows = columns > 1 ? Math.floor(heights.length / columns) : 0;
  const geometry = new BufferGeometry();
  if (rows < 2) {
    return geometry.setAttribute('position', new BufferAttribute(new Float32Array(0), 3));
  }
  const corners = new Corners();
  const height = (x: number, z: number) =>
    heights[Math.min(Math.max(z, 0), rows - 1) * columns + Math.min(Math.max(x, 0), columns - 1)] ?? 0;
  const place = (x: number, z: number) => [
    (x - (columns - 1) / 2) * spacing,
    height(x, z),
    (z - (rows - 1) / 2) * spacing,
  ];
  const normal = (x: number, z: number) => {
    const along = (height(x + 1, z) - height(x - 1, z)) / (spacing * (x > 0 && x < columns - 1 ? 2 : 1));
    const across = (height(x, z + 1) - height(x, z - 1)) / (spacing * (z > 0 && z < rows - 1 ? 2 : 1));
    const length = Math.hypot(along, 1, across);
    return [-along / length, 1 / length, -across / length];
  };
  for (let z = 0; z + 1 < rows; ++z) {
    for (let x = 0; x + 1 < columns; ++x) {
      const four = [x, z, x, z + 1, x + 1, z + 1, x, z, x + 1, z + 1, x + 1, z];
      for (let i = 0; i < four.length; i += 2) {
        corners.put(place(four[i]!, four[i + 1]!), normal(four[i]!, four[i + 1]!));
      }
    }
  }
  const least = heights.reduce((low, one) => Math.min(low, one), Infinity);
  const bottom = least - DEEPER * spacing * Math.max(columns - 1, rows - 1);
  const wall = (from: readonly number[], to: readonly number[], out: readonly number[]) => {
    const down = ([x = 0, , z = 0]: readonly number[]) => [x, bottom, z];
    for (const corner of [from, down(from), down(to), from, down(to), to]) {
      corners.put(corner, out);
    }
  };
  for (let x = 0; x + 1 < columns; ++x) {
    wall(place(x, rows - 1), place(x + 1, rows - 1), [0, 0, 1]);
    wall(place(x + 1, 0), place(x, 0), [0, 0, -1]);
  }
  for (let z = 0; z + 1 < rows; ++z) {
    wall(place(0, z), place(0, z + 1), [-1, 0, 0]);
    wall(place(columns - 1, z + 1), place(columns - 1, z), [1, 0, 0]);
  }
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners.places), 3));
  return geometry.setAttribute('normal', new BufferAttribute(new Float32Array(corners.normals), 3));
}
