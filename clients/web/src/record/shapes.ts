// Meshes of colliders and of pieces, in their own frame: y along a capsule or cylinder, or along a plane's normal. They
// are those of clients/record/shape.c.
//
// Balls and the ends of capsules are rings of latitude from pole to pole, each with `sides` vertices and one more, so
// that it closes. A capsule is a ball cut at its equator, which stands there twice. Boxes and planes have corners of
// their own on each side, and so have the triangles of hulls and height fields.
import type {Shape, TakenCollider} from './take.js';

export const SIDES = 32;

class Maker {
  readonly points: number[] = [];
  readonly normals: number[] = [];
  readonly triangles: number[] = [];

  put(place: readonly number[], normal: readonly number[]): number {
    this.points.push(...place);
    this.normals.push(...normal);
    return this.points.length / 3 - 1;
  }

  made(): Shape {
    return {
      points: Float32Array.from(this.points),
      normals: Float32Array.from(this.normals),
      triangles: Uint32Array.from(this.triangles),
    };
  }
}

/** A ball, or with a length a capsule. `sides` is a multiple of 4. */
export function roundShape(radius: number, length: number, sides = SIDES): Shape {
  const maker = new Maker();
  const rings = sides / 2;
  const rows = rings + 1 + (length > 0 ? 1 : 0);
  for (let row = 0; row < rows; row++) {
    const lower = length > 0 && row > rings / 2;
    const down = (Math.PI * (row - (lower ? 1 : 0))) / rings;
    const shift = length > 0 ? (lower ? -length / 2 : length / 2) : 0;
    for (let side = 0; side <= sides; side++) {
      const around = (2 * Math.PI * (side % sides)) / sides;
      const normal = [Math.sin(down) * Math.cos(around), Math.cos(down), -Math.sin(down) * Math.sin(around)];
      maker.put([radius * normal[0], radius * normal[1] + shift, radius * normal[2]], normal);
    }
  }
  for (let row = 0; row + 1 < rows; row++) {
    for (let side = 0; side < sides; side++) {
      const a = row * (sides + 1) + side;
      const b = a + sides + 1;
      if (row > 0) {
        maker.triangles.push(a, b, a + 1);
      }
      if (row + 2 < rows) {
        maker.triangles.push(a + 1, b, b + 1);
      }
    }
  }
  return maker.made();
}

function cylinderShape(radius: number, length: number): Shape {
  const maker = new Maker();
  const places: {place: number[]; up: number[]}[] = [];
  for (const end of [1, -1]) {
    for (let side = 0; side <= SIDES; side++) {
      const around = (2 * Math.PI * (side % SIDES)) / SIDES;
      const normal = [Math.cos(around), 0, -Math.sin(around)];
      const place = [radius * normal[0], (end * length) / 2, radius * normal[2]];
      maker.put(place, normal);
      places.push({place, up: [0, end, 0]});
    }
  }
  places.forEach(({place, up}) => maker.put(place, up));
  const middles = [1, -1].map((end) => maker.put([0, (end * length) / 2, 0], [0, end, 0]));
  for (let side = 0; side < SIDES; side++) {
    const a = side;
    const b = a + SIDES + 1;
    const upper = a + 2 * (SIDES + 1);
    const lower = upper + SIDES + 1;
    maker.triangles.push(a, b, a + 1, a + 1, b, b + 1);
    maker.triangles.push(middles[0], upper, upper + 1, middles[1], lower + 1, lower);
  }
  return maker.made();
}

// The side to which an axis points: two of the axes, whose product is the third.
function addSide(maker: Maker, axis: number, sign: number, half: readonly number[]): void {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const first = maker.points.length / 3;
  for (let corner = 0; corner < 4; corner++) {
    const place = [0, 0, 0];
    const normal = [0, 0, 0];
    place[axis] = sign * half[axis];
    place[u] = (corner === 1 || corner === 2 ? 1 : -1) * sign * half[u];
    place[v] = (corner >= 2 ? 1 : -1) * half[v];
    normal[axis] = sign;
    maker.put(place, normal);
  }
  maker.triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
}

export function boxShape(half: readonly number[]): Shape {
  const maker = new Maker();
  for (let axis = 0; axis < 3; axis++) {
    addSide(maker, axis, 1, half);
    addSide(maker, axis, -1, half);
  }
  return maker.made();
}

/** Each triangle has corners of its own, with its normal. */
export function facetedShape(vertices: ArrayLike<number>, triangles: ArrayLike<number>): Shape {
  const maker = new Maker();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => vertices[3 * triangles[t + k] + axis]));
    const u = b.map((x, axis) => x - a[axis]);
    const v = c.map((x, axis) => x - a[axis]);
    const normal = [0, 1, 2].map(
      (axis) => u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3],
    );
    const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    const unit = normal.map((x, axis) => (length > 0 ? x / length : axis === 1 ? 1 : 0));
    const first = maker.points.length / 3;
    [a, b, c].forEach((corner) => maker.put(corner, unit));
    maker.triangles.push(first, first + 1, first + 2);
  }
  return maker.made();
}

/** Several meshes as one. */
export function joinedShape(shapes: readonly Shape[]): Shape {
  const maker = new Maker();
  for (const {points, normals, triangles} of shapes) {
    const first = maker.points.length / 3;
    points.forEach((x) => maker.points.push(x));
    normals.forEach((x) => maker.normals.push(x));
    triangles.forEach((corner) => maker.triangles.push(first + corner));
  }
  return maker.made();
}

/** How far a plane is drawn: a square about a middle in its own frame. */
export interface Reach {
  readonly middle: readonly number[];
  readonly half: number;
}

export function colliderShape(collider: TakenCollider, reach: Reach): Shape {
  switch (collider.kind) {
    case 'plane': {
      const maker = new Maker();
      addSide(maker, 1, 1, [reach.half, 0, reach.half]);
      const made = maker.made();
      for (let i = 0; i < 12; i += 3) {
        made.points[i] += Math.fround(reach.middle[0]);
        made.points[i + 2] += Math.fround(reach.middle[2]);
      }
      return made;
    }
    case 'sphere':
      return roundShape(collider.radius, 0);
    case 'capsule':
      return roundShape(collider.radius, collider.length);
    case 'cylinder':
      return cylinderShape(collider.radius, collider.length);
    case 'convex':
    case 'height_field':
      return facetedShape(collider.vertices, collider.triangles);
    case 'box':
      return boxShape(collider.half_extents);
  }
}

/** Vertices and triangles of a height field, as clients/record/field.c lays them out. */
export function fieldMesh(heights: ArrayLike<number>, columns: number, spacing: number) {
  const rows = columns > 0 ? Math.floor(heights.length / columns) : 0;
  const vertices = new Float32Array(3 * rows * columns);
  const triangles: number[] = [];
  for (let at = 0; at < rows * columns; at++) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    vertices.set([(column - 0.5 * (columns - 1)) * spacing, heights[at], (row - 0.5 * (rows - 1)) * spacing], 3 * at);
    if (row + 1 < rows && column + 1 < columns) {
      const [b, c, d] = [at + 1, at + columns, at + columns + 1];
      triangles.push(at, c, d, at, d, b);
    }
  }
  return {vertices, triangles: Uint32Array.from(triangles)};
}
