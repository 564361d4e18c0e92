// The visible objects of a take, bodies and colliders, as meshes that are ready to be written. They are those of
// clients/record/objects.c: the same points, vertices and normals in the same order.
//
//     triangle ─ corners ─▶ vertices ─┬─▶ points ─▶ particles of the take
//                                     └─▶ normals: sums over the triangles that share them
//
// Without uvs and sharp edges all three are the same. Triangles stand in the order of their materials.
import {colliderShape, type Reach} from './shapes.js';
import {floatsOf, POSE, type Material, type Shape, type Take, type TakenBody} from './take.js';

const BODY: Material = {name: 'weft', color: [0.35, 0.55, 0.8, 1].map(Math.fround), metallic: 0, roughness: Math.fround(0.9)};
const COLLIDER: Material = {
  name: 'weft-collider',
  color: [0.5, 0.5, 0.5, 1],
  metallic: 0,
  roughness: Math.fround(0.8),
};

export interface Part {
  readonly material: Material;
  // Triangles.
  readonly first: number;
  readonly count: number;
}

/** An object without its place. */
export interface TakenObject {
  readonly name: string;
  readonly isCollider: boolean;
  /** Among the bodies, or among the colliders. */
  readonly index: number;
  /** Whether this is a collider that has another pose in some frame. */
  readonly moves: boolean;
  /** The index in a frame at which its numbers begin. */
  readonly at: number;
  readonly pointCount: number;
  /** Particle of each point; null of shapes and pieces. */
  readonly particles: Uint32Array | null;
  /** Only for a collider, or for each piece of a rigid body. */
  readonly shape: Shape | null;
  readonly triangles: Uint32Array;
  readonly edges: Uint32Array;
  readonly vertexPoint: Uint32Array;
  readonly vertexNormal: Uint32Array;
  readonly normalCount: number;
  readonly corners: Uint32Array;
  readonly uvs: Float32Array | null;
  readonly parts: readonly Part[];
  /** Whether materials came with it. */
  readonly looks: boolean;
}

export const isSurface = ({triangles}: TakenObject): boolean => triangles.length > 0;

// -- where it is

// v + 2 w (q x v) + 2 q x (q x v), for a quaternion of unit length that begins at `q` of `pose`.
function turn(pose: Float32Array, q: number, v: Float32Array, at: number, out: Float64Array): void {
  const [qx, qy, qz, qw] = [pose[q], pose[q + 1], pose[q + 2], pose[q + 3]];
  const square = qx * qx + qy * qy + qz * qz + qw * qw;
  const [x, y, z] = [v[at], v[at + 1], v[at + 2]];
  const s = square > 0 ? 2 / square : 0;
  const c0 = qy * z - qz * y;
  const c1 = qz * x - qx * z;
  const c2 = qx * y - qy * x;
  out[0] = x + s * (qw * c0 + qy * c2 - qz * c1);
  out[1] = y + s * (qw * c1 + qz * c0 - qx * c2);
  out[2] = z + s * (qw * c2 + qx * c1 - qy * c0);
}

// Upwards if triangles give no direction, because formats need unit vectors.
function makeUnit(normals: Float32Array, at: number): void {
  const [x, y, z] = [normals[at], normals[at + 1], normals[at + 2]];
  const length = Math.sqrt(x * x + y * y + z * z);
  normals[at] = length > 0 ? x / length : 0;
  normals[at + 1] = length > 0 ? y / length : 1;
  normals[at + 2] = length > 0 ? z / length : 0;
}

const turned = new Float64Array(3);

// Each instance of the shape: one of a collider, one for each piece of a body. Calls back with the place and the
// quaternion, as offsets into the frame.
function instances(object: TakenObject, count: number, each: (place: number, quaternion: number, first: number) => void): void {
  const size = object.shape!.points.length;
  for (let i = 0; i < count; i++) {
    const [place, quaternion] = object.isCollider
      ? [object.at, object.at + 3]
      : [object.at + 3 * i, object.at + 3 * count + 4 * i];
    each(place, quaternion, size * i);
  }
}

function pieceCount({shape, pointCount}: TakenObject): number {
  return (3 * pointCount) / shape!.points.length;
}

/** x, y, z of each point. */
export function pointsOf(object: TakenObject, frame: Float32Array, out: Float32Array): void {
  const {particles, shape, at} = object;
  if (!shape) {
    for (let i = 0; i < particles!.length; i++) {
      const from = at + 3 * particles![i];
      out[3 * i] = frame[from];
      out[3 * i + 1] = frame[from + 1];
      out[3 * i + 2] = frame[from + 2];
    }
    return;
  }
  instances(object, pieceCount(object), (place, quaternion, first) => {
    for (let k = 0; k < shape.points.length; k += 3) {
      turn(frame, quaternion, shape.points, k, turned);
      for (let axis = 0; axis < 3; axis++) {
        out[first + k + axis] = frame[place + axis] + turned[axis];
      }
    }
  });
}

/** x, y, z of each normal, of unit length. `points` are those of the same frame. */
export function normalsOf(object: TakenObject, frame: Float32Array, points: Float32Array, out: Float32Array): void {
  const {shape, triangles, corners, vertexNormal} = object;
  if (shape) {
    instances(object, pieceCount(object), (_, quaternion, first) => {
      for (let k = 0; k < shape.normals.length; k += 3) {
        turn(frame, quaternion, shape.normals, k, turned);
        out.set(turned, first + k);
        makeUnit(out, first + k);
      }
    });
    return;
  }
  out.fill(0, 0, 3 * object.normalCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      // Its length is twice the area: large triangles weigh more.
      const n = Math.fround(
        (points[b + u] - points[a + u]) * (points[c + v] - points[a + v]) -
          (points[b + v] - points[a + v]) * (points[c + u] - points[a + u]),
      );
      for (let k = t; k < t + 3; k++) {
        out[3 * vertexNormal[corners[k]] + axis] += n;
      }
    }
  }
  for (let i = 0; i < 3 * object.normalCount; i += 3) {
    makeUnit(out, i);
  }
}

// -- what it is

type Topology = Pick<
  TakenObject,
  'pointCount' | 'particles' | 'shape' | 'triangles' | 'edges' | 'vertexPoint' | 'vertexNormal' | 'normalCount' | 'corners' | 'uvs'
> & {readonly order: Uint32Array | null};

const count = (n: number): Uint32Array => Uint32Array.from({length: n}, (_, i) => i);
const NONE = new Uint32Array();

function shapeTopology(shape: Shape, pieces: number): Topology {
  const each = shape.points.length / 3;
  const corners = shape.triangles.length;
  const triangles = new Uint32Array(pieces * corners);
  for (let i = 0; i < triangles.length; i++) {
    triangles[i] = shape.triangles[i % corners] + each * Math.floor(i / corners);
  }
  const all = count(pieces * each);
  return {
    pointCount: all.length,
    particles: null,
    shape,
    triangles,
    edges: NONE,
    vertexPoint: all,
    vertexNormal: all,
    normalCount: all.length,
    corners: triangles,
    uvs: null,
    order: null,
  };
}

// Points are the particles that triangles use, in their order; without triangles all of them.
function bodyTopology(body: TakenBody): Topology {
  const surface = body.triangles.length > 0;
  const elements = surface ? body.triangles : body.edges;
  const pointOf = new Uint32Array(body.count);
  elements.forEach((particle) => (pointOf[particle] = 1));
  const particles = count(body.count).filter((i) => !surface || pointOf[i] === 1);
  particles.forEach((particle, point) => (pointOf[particle] = point));
  const own = elements.map((particle) => pointOf[particle]);
  const all = count(particles.length);
  const plain: Topology = {
    pointCount: particles.length,
    particles,
    shape: null,
    triangles: surface ? own : NONE,
    edges: surface ? NONE : own,
    vertexPoint: all,
    vertexNormal: all,
    normalCount: surface ? all.length : 0,
    corners: surface ? own : NONE,
    uvs: null,
    order: null,
  };
  return surface && body.look ? split(body, plain) : plain;
}

// Triangles in the order of their materials.
function byMaterial({look, triangles}: TakenBody): Uint32Array {
  const materials = look!.triangleMaterials;
  const order = count(triangles.length / 3);
  return materials ? order.sort((a, b) => materials[a] - materials[b] || a - b) : order;
}

// Normals are rounded, so that directions written with six digits stay equal.
function roundedNormals(normals: Float32Array | undefined): Float64Array | null {
  if (!normals) {
    return null;
  }
  const out = new Float64Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
    for (let k = i; length > 0 && k < i + 3; k++) {
      out[k] = Math.round((1024 * normals[k]) / length) + 0;
    }
  }
  return out;
}

// Corners that differ become different vertices. Corners are sorted by point, given normal and uv. Runs of equal ones
// are one vertex, and runs that differ only in the uv share a normal.
function split(body: TakenBody, plain: Topology): Topology {
  const look = body.look!;
  const order = byMaterial(body);
  const size = body.triangles.length;
  const from = (i: number) => 3 * order[Math.floor(i / 3)] + (i % 3);
  const triangles = Uint32Array.from({length: size}, (_, i) => plain.triangles[from(i)]);
  const given = roundedNormals(look.normals);
  const difference = (values: ArrayLike<number> | null | undefined, each: number, a: number, b: number) => {
    for (let k = 0; values && k < each; k++) {
      const by = values[each * from(a) + k] - values[each * from(b) + k];
      if (by !== 0) {
        return by;
      }
    }
    return 0;
  };
  const byNormal = (a: number, b: number) => triangles[a] - triangles[b] || difference(given, 3, a, b);
  const sorted = count(size).sort((a, b) => byNormal(a, b) || difference(look.uvs, 2, a, b) || a - b);
  const corners = new Uint32Array(size);
  const vertexPoint: number[] = [];
  const vertexNormal: number[] = [];
  const uvs: number[] = [];
  let normalCount = 0;
  sorted.forEach((corner, i) => {
    const otherNormal = i === 0 || byNormal(sorted[i - 1], corner) !== 0;
    normalCount += otherNormal ? 1 : 0;
    if (otherNormal || difference(look.uvs, 2, sorted[i - 1], corner) !== 0) {
      vertexPoint.push(triangles[corner]);
      vertexNormal.push(normalCount - 1);
      if (look.uvs) {
        uvs.push(look.uvs[2 * from(corner)], look.uvs[2 * from(corner) + 1]);
      }
    }
    corners[corner] = vertexPoint.length - 1;
  });
  return {
    ...plain,
    triangles,
    corners,
    vertexPoint: Uint32Array.from(vertexPoint),
    vertexNormal: Uint32Array.from(vertexNormal),
    normalCount,
    uvs: look.uvs ? Float32Array.from(uvs) : null,
    order,
  };
}

function partsOf({look}: TakenBody, {triangles, order}: Topology): Part[] {
  const all = triangles.length / 3;
  if (all === 0) {
    return [];
  }
  if (!look || look.materials.length === 0 || !order) {
    return [{material: BODY, first: 0, count: all}];
  }
  const parts: {material: Material; first: number; count: number}[] = [];
  const materialOf = (i: number) => look.triangleMaterials?.[order[i]] ?? 0;
  for (let i = 0; i < all; i++) {
    if (i === 0 || materialOf(i) !== materialOf(i - 1)) {
      parts.push({material: look.materials[materialOf(i)], first: i, count: 0});
    }
    parts[parts.length - 1].count++;
  }
  return parts;
}

// In the plane's own frame: around the middle of the first frame's contents, and well beyond them.
function reachOf(take: Take, frame: Float32Array, pose: number): Reach {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let at = 0;
  for (const body of take.scene.bodies) {
    for (let i = 0; i < 3 * body.count; i++) {
      low[i % 3] = Math.min(low[i % 3], frame[at + i]);
      high[i % 3] = Math.max(high[i % 3], frame[at + i]);
    }
    at += floatsOf(body);
  }
  if (at === 0) {
    return {middle: [0, 0, 0], half: 1};
  }
  const middle = Float32Array.from(low, (value, axis) => (value + high[axis]) / 2 - frame[pose + axis]);
  const back = Float32Array.from([-frame[pose + 3], -frame[pose + 4], -frame[pose + 5], frame[pose + 6]]);
  const own = new Float64Array(3);
  turn(back, 0, middle, 0, own);
  return {middle: [...own], half: Math.max(1, ...low.map((value, axis) => 2 * (high[axis] - value)))};
}

// If an object before has the same name, a collider gets its number.
function nameApart(names: readonly string[], bodies: number): string[] {
  const seen = new Map<string, number>();
  names.forEach((name) => seen.set(name, (seen.get(name) ?? 0) + 1));
  return names.map((name, i) => (i >= bodies && seen.get(name)! > 1 ? `${name}-collider-${i - bodies + 1}` : name));
}

/** Bodies first, then colliders. The take has at least one frame. */
export async function objectsOf(take: Take): Promise<TakenObject[]> {
  const {bodies, colliders} = take.scene;
  const frame = await take.read(0);
  const names = nameApart([...bodies, ...colliders].map(({name}) => name), bodies.length);
  let at = 0;
  const made: TakenObject[] = bodies.map((body, index) => {
    const topology = body.piece ? shapeTopology(body.piece, body.count) : bodyTopology(body);
    const object = {
      ...topology,
      name: names[index],
      isCollider: false,
      index,
      moves: false,
      at,
      parts: partsOf(body, topology),
      looks: (body.look?.materials.length ?? 0) > 0,
    };
    at += floatsOf(body);
    return object;
  });
  colliders.forEach((collider, index) => {
    const pose = take.bodyFloats + POSE * index;
    const topology = shapeTopology(colliderShape(collider, reachOf(take, frame, pose)), 1);
    const parts = [{material: COLLIDER, first: 0, count: topology.triangles.length / 3}];
    const name = names[bodies.length + index];
    made.push({...topology, name, isCollider: true, index, moves: take.moves[index], at: pose, parts, looks: false});
  });
  return made;
}

/** The material of what has no triangles. */
export const PLAIN = BODY;
