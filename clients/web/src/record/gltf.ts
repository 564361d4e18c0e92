// glTF 2.0 as one file (.glb), laid out as clients/record/gltf.c does: each frame after the first is a morph target of
// the bodies, and one animation turns them on one after the other, with linear weights between. Colliders are nodes.
//
//     points of the first frame | normals | uvs | indices | targets | times | weights | poses
import {isSurface, PLAIN, type TakenObject} from './objects.js';
import type {Job} from './job.js';
import type {Out} from './sink.js';
import {POSE, type Material} from './take.js';

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const [POINTS, LINES, TRIANGLES] = [0, 1, 4];
const TARGETS_MOST = 65_535;
const BYTES_MOST = 2 ** 32 - 2 ** 28;

const VIEWS = ['points', 'normals', 'uvs', 'indices', 'targets', 'times', 'weights', 'poses'] as const;
type View = (typeof VIEWS)[number];

interface Box {
  readonly low: number[];
  readonly high: number[];
}

// The layout of the buffer, which is known before it is written.
interface Layout {
  readonly begin: Record<View, number>;
  readonly size: Record<View, number>;
  readonly bytes: number;
  readonly targets: number;
  // Numbers of all bodies in one target.
  readonly targetPoints: number;
  readonly targetNormals: number;
  readonly first: readonly {readonly points: Float32Array; readonly normals: Float32Array; readonly box: Box}[];
  // Target by target, body by body.
  readonly boxes: Box[][];
  readonly firstFrame: Float32Array;
}

function boxOf(x: Float32Array, from: Float32Array | null): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    const value = from ? Math.fround(x[i] - from[i]) : x[i];
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  }
  return {low, high};
}

const normalNumbers = (object: TakenObject) => (isSurface(object) ? 3 * object.vertexPoint.length : 0);

// The vertices of an object in a frame, and their normals; those of a collider in its own frame.
function verticesOf(job: Job, object: TakenObject, frame: Float32Array) {
  const {vertexPoint, vertexNormal, shape} = object;
  if (!object.isCollider) {
    job.place(object, frame);
  }
  const places = object.isCollider ? shape!.points : job.points;
  const directions = object.isCollider ? shape!.normals : job.normals;
  const points = new Float32Array(3 * vertexPoint.length);
  const normals = new Float32Array(normalNumbers(object));
  for (let v = 0; v < vertexPoint.length; v++) {
    for (let axis = 0; axis < 3; axis++) {
      points[3 * v + axis] = places[3 * vertexPoint[v] + axis];
      if (normals.length > 0) {
        normals[3 * v + axis] = directions[3 * vertexNormal[v] + axis];
      }
    }
  }
  return {points, normals};
}

async function layOut(job: Job): Promise<Layout> {
  const {objects, take} = job;
  const targets = take.count - 1;
  const sum = (of: (object: TakenObject) => number) => objects.reduce((all, object) => all + of(object), 0);
  const ofBody = (of: (object: TakenObject) => number) => sum((object) => (object.isCollider ? 0 : of(object)));
  const targetPoints = ofBody(({vertexPoint}) => 3 * vertexPoint.length);
  const targetNormals = ofBody(normalNumbers);
  const size: Record<View, number> = {
    points: sum(({vertexPoint}) => 12 * vertexPoint.length),
    normals: 4 * sum(normalNumbers),
    uvs: sum(({uvs}) => (uvs ? uvs.byteLength : 0)),
    indices: sum((object) => 4 * (isSurface(object) ? object.triangles.length : object.edges.length)),
    targets: 4 * (targetPoints + targetNormals) * targets,
    times: targets > 0 ? 4 * take.count : 0,
    weights: 4 * take.count * targets,
    poses: targets > 0 ? 4 * POSE * take.count * take.moves.filter(Boolean).length : 0,
  };
  let bytes = 0;
  const begin = {} as Record<View, number>;
  for (const view of VIEWS) {
    begin[view] = bytes;
    bytes += size[view];
  }
  if (targets > TARGETS_MOST || bytes > BYTES_MOST) {
    throw new Error('That is more than a glTF holds (65,535 frames, 4 GiB): export fewer frames.');
  }
  const firstFrame = await job.read(0);
  const first = objects.map((object) => {
    const made = verticesOf(job, object, firstFrame);
    return {...made, box: boxOf(made.points, null)};
  });
  const boxes: Box[][] = [];
  for (let i = 1; i < take.count; i++) {
    const frame = await job.read(i);
    const bodies = objects.filter(({isCollider}) => !isCollider);
    boxes.push(bodies.map((object, b) => boxOf(verticesOf(job, object, frame).points, first[b].points)));
  }
  return {begin, size, bytes, targets, targetPoints, targetNormals, first, boxes, firstFrame};
}

// Rotations must be of unit length, and take the shorter way from one to the next.
function poseOf(frame: Float32Array, at: number, before: Float32Array | null): Float32Array {
  const pose = frame.slice(at, at + POSE);
  let square = 0;
  let along = 0;
  for (let k = 3; k < POSE; k++) {
    square += pose[k] * pose[k];
    along += before ? pose[k] * before[k] : 0;
  }
  const scale = square > 0 ? (along < 0 ? -1 : 1) / Math.sqrt(square) : 0;
  for (let k = 3; k < POSE; k++) {
    pose[k] = square > 0 ? pose[k] * scale : k === POSE - 1 ? 1 : 0;
  }
  return pose;
}

// -- the head

class Head {
  readonly accessors: object[] = [];
  readonly materials: object[] = [];
  private readonly known = new Map<string, number>();
  private readonly numbers = new Map<View, number>();
  readonly views: object[] = [];

  constructor({begin, size}: Layout) {
    const kinds: Partial<Record<View, [target: number, stride: number]>> = {
      points: [ARRAY_BUFFER, 12],
      normals: [ARRAY_BUFFER, 12],
      uvs: [ARRAY_BUFFER, 8],
      indices: [ELEMENT_ARRAY_BUFFER, 0],
      targets: [ARRAY_BUFFER, 12],
    };
    for (const view of VIEWS) {
      this.numbers.set(view, this.views.length);
      const [target, stride] = kinds[view] ?? [0, 0];
      if (size[view] > 0) {
        this.views.push({
          buffer: 0,
          byteOffset: begin[view],
          byteLength: size[view],
          ...(target > 0 && {target}),
          ...(stride > 0 && {byteStride: stride}),
        });
      }
    }
  }

  accessor(view: View, byteOffset: number, componentType: number, count: number, type: string, box?: {min: number[]; max: number[]}): number {
    return this.accessors.push({bufferView: this.numbers.get(view), byteOffset, componentType, count, type, ...box}) - 1;
  }

  points(view: View, offset: number, count: number, {low, high}: Box): number {
    return this.accessor(view, offset, FLOAT, count, 'VEC3', {min: low, max: high});
  }

  material({name, color, metallic, roughness}: Material): number {
    const item = {
      name,
      doubleSided: true,
      pbrMetallicRoughness: {baseColorFactor: color, metallicFactor: metallic, roughnessFactor: roughness},
      ...(color[3] < 1 && {alphaMode: 'BLEND'}),
    };
    const key = JSON.stringify(item);
    const known = this.known.get(key) ?? this.materials.push(item) - 1;
    this.known.set(key, known);
    return known;
  }
}

// Items in the buffer before an object.
interface Cursor {
  vertex: number;
  normal: number;
  uv: number;
  index: number;
  targetPoint: number;
  targetNormal: number;
  moving: number;
}

function targetsOf(head: Head, layout: Layout, object: TakenObject, at: Cursor): object[] {
  const {targetPoints, targetNormals, boxes} = layout;
  const count = object.vertexPoint.length;
  return boxes.map((ofBodies, t) => {
    const begin = 4 * (targetPoints + targetNormals) * t;
    const POSITION = head.points('targets', begin + 4 * at.targetPoint, count, ofBodies[object.index]);
    const normals = begin + 4 * (targetPoints + at.targetNormal);
    return isSurface(object)
      ? {POSITION, NORMAL: head.accessor('targets', normals, FLOAT, count, 'VEC3')}
      : {POSITION};
  });
}

function meshOf(head: Head, layout: Layout, object: TakenObject, box: Box, at: Cursor): object {
  const count = object.vertexPoint.length;
  const surface = isSurface(object);
  const attributes = {
    POSITION: head.points('points', 4 * at.vertex, count, box),
    ...(surface && {NORMAL: head.accessor('normals', 4 * at.normal, FLOAT, count, 'VEC3')}),
    ...(object.uvs && {TEXCOORD_0: head.accessor('uvs', 4 * at.uv, FLOAT, count, 'VEC2')}),
  };
  const morphs = !object.isCollider && layout.targets > 0;
  const targets = morphs ? targetsOf(head, layout, object, at) : null;
  const parts = surface ? object.parts : [{material: PLAIN, first: 0, count: 0}];
  const primitives = parts.map(({material, first, count: triangles}) => {
    const [from, indices] = surface ? [3 * first, 3 * triangles] : [0, object.edges.length];
    return {
      attributes,
      mode: surface ? TRIANGLES : object.edges.length > 0 ? LINES : POINTS,
      material: head.material(material),
      ...(indices > 0 && {indices: head.accessor('indices', 4 * (at.index + from), UNSIGNED_INT, indices, 'SCALAR')}),
      ...(targets && {targets}),
    };
  });
  return {name: object.name, primitives, ...(morphs && {weights: new Array(layout.targets).fill(0)})};
}

function moveOn(at: Cursor, object: TakenObject): void {
  const points = 3 * object.vertexPoint.length;
  at.vertex += points;
  at.normal += normalNumbers(object);
  at.uv += object.uvs?.length ?? 0;
  at.index += isSurface(object) ? object.triangles.length : object.edges.length;
  at.targetPoint += object.isCollider ? 0 : points;
  at.targetNormal += object.isCollider ? 0 : normalNumbers(object);
}

function animationOf(head: Head, job: Job, targets: number): object {
  const {take} = job;
  const samplers: object[] = [];
  const channels: object[] = [];
  const max = [job.time(take.count - 1)];
  const input = head.accessor('times', 0, FLOAT, take.count, 'SCALAR', {min: [0], max});
  const sampler = (output: number) => samplers.push({input, output, interpolation: 'LINEAR'}) - 1;
  const channel = (number: number, node: number, path: string) => channels.push({sampler: number, target: {node, path}});
  const weights = sampler(head.accessor('weights', 0, FLOAT, take.count * targets, 'SCALAR'));
  let moving = 0;
  job.objects.forEach(({isCollider, moves}, node) => {
    if (!isCollider) {
      channel(weights, node, 'weights');
    }
    if (moves) {
      const begin = 4 * POSE * take.count * moving++;
      channel(sampler(head.accessor('poses', begin, FLOAT, take.count, 'VEC3')), node, 'translation');
      channel(sampler(head.accessor('poses', begin + 12 * take.count, FLOAT, take.count, 'VEC4')), node, 'rotation');
    }
  });
  return {name: 'weft', channels, samplers};
}

function headOf(job: Job, layout: Layout): string {
  const head = new Head(layout);
  const at: Cursor = {vertex: 0, normal: 0, uv: 0, index: 0, targetPoint: 0, targetNormal: 0, moving: 0};
  const meshes = job.objects.map((object, o) => {
    const mesh = meshOf(head, layout, object, layout.first[o].box, at);
    moveOn(at, object);
    return mesh;
  });
  const nodes = job.objects.map((object, mesh) => {
    const pose = object.isCollider ? [...poseOf(layout.firstFrame, object.at, null)] : null;
    return {name: object.name, mesh, ...(pose && {translation: pose.slice(0, 3), rotation: pose.slice(3)})};
  });
  const animations = layout.targets > 0 ? [animationOf(head, job, layout.targets)] : null;
  return JSON.stringify({
    asset: {version: '2.0', generator: 'weft'},
    scene: 0,
    scenes: [{nodes: nodes.map((_, node) => node)}],
    nodes,
    meshes,
    materials: head.materials,
    accessors: head.accessors,
    buffers: [{byteLength: layout.bytes}],
    bufferViews: head.views,
    ...(animations && {animations}),
  });
}

// -- data

async function writeFirst(job: Job, {first}: Layout, out: Out): Promise<void> {
  for (const {points} of first) {
    await out.put(points);
  }
  for (const {normals} of first) {
    await out.put(normals);
  }
  for (const {uvs} of job.objects) {
    // Here the texture coordinate v points down.
    await out.put(uvs ? uvs.map((value, i) => (i % 2 === 0 ? value : 1 - value)) : new Float32Array());
  }
  for (const object of job.objects) {
    await out.put(isSurface(object) ? object.corners : object.edges);
  }
}

// Gives the poses of colliders by frame.
async function writeTargets(job: Job, layout: Layout, out: Out): Promise<Float32Array[][]> {
  const poses: Float32Array[][] = [];
  const colliders = job.objects.filter(({isCollider}) => isCollider);
  for (let i = 0; i < job.take.count; i++) {
    const frame = await job.read(i);
    const before = poses[i - 1];
    poses.push(colliders.map(({at}, c) => poseOf(frame, at, before?.[c] ?? null)));
    if (i === 0) {
      continue;
    }
    const all: Float32Array[][] = [[], []];
    job.objects.forEach((object, o) => {
      if (!object.isCollider) {
        const {points, normals} = verticesOf(job, object, frame);
        all[0].push(points.map((value, k) => value - layout.first[o].points[k]));
        all[1].push(normals.map((value, k) => value - layout.first[o].normals[k]));
      }
    });
    for (const numbers of all.flat()) {
      await out.put(numbers);
    }
  }
  return poses;
}

async function writeData(job: Job, layout: Layout, out: Out): Promise<void> {
  const {count, moves} = job.take;
  await writeFirst(job, layout, out);
  const poses = await writeTargets(job, layout, out);
  if (layout.targets === 0) {
    return;
  }
  await out.put(Float32Array.from({length: count}, (_, i) => job.time(i)));
  // Row i turns on target i alone; the first frame has none.
  for (let i = 0; i < count; i++) {
    const row = new Float32Array(layout.targets);
    if (i > 0) {
      row[i - 1] = 1;
    }
    await out.put(row);
  }
  for (let c = 0; c < moves.length; c++) {
    for (const [from, to] of moves[c] ? [[0, 3], [3, POSE]] : []) {
      for (const ofFrame of poses) {
        await out.put(ofFrame[c].subarray(from, to));
      }
    }
  }
}

const words = (...values: number[]) => Uint32Array.from(values);

// | "glTF" 2 bytes in all | bytes "JSON" head, spaces up to a multiple of 4 | bytes "BIN\0" data
export async function writeGlb(job: Job, out: Out): Promise<void> {
  const layout = await layOut(job);
  const head = new TextEncoder().encode(headOf(job, layout));
  const padded = 4 * Math.ceil(head.length / 4);
  await out.put(words(0x46546c67, 2, 28 + padded + layout.bytes, padded, 0x4e4f534a));
  await out.put(head);
  await out.put(new Uint8Array(padded - head.length).fill(32));
  await out.put(words(layout.bytes, 0x004e4942));
  await writeData(job, layout, out);
}
