// A recorded world: its bodies and colliders as a take has them, and each frame of a stream as numbers.
import {
  boxShape,
  facetedShape,
  fieldMesh,
  floatsOf,
  joinedShape,
  POSE,
  roundShape,
  type Look,
  type Shape,
  type TakenBody,
  type TakenCollider,
  type TakenScene,
  type Torn,
} from '../../../record/index.js';
import {WeftError, type Client, type Frame, type Results} from '../../../lib/index.js';
import {
  colliderOf,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  numbersOf,
  rigidOf,
  stringOf,
  topologyOf,
  u32sOf,
  vec4Of,
  type Collider,
  type Fields,
  type Rigid,
  type RigidPart,
  type RigidShape,
  type Topology,
  type Vec4,
} from '../../model/values.js';
import {normalized, rotated} from '../../model/rotation.js';
import {surfaceOf} from './surface.js';

type Joined = Results['world.join'];

// From so many pieces on each has fewer triangles.
const MANY = 200;
// Sides of a round piece.
const [FINE, COARSE] = [24, 12];

async function pieceOf({rigid}: {rigid?: Rigid}, count: number): Promise<Shape | undefined> {
  if (!rigid) {
    return undefined;
  }
  return rigid.form === 'compound'
    ? joinedShape(await Promise.all(rigid.parts.map(async (part) => placed(await shapeOf(part, count), part))))
    : shapeOf(rigid, count);
}

// A part where it stands in its piece.
function placed(shape: Shape, {position, rotation}: RigidPart): Shape {
  const turn = normalized(rotation as unknown as Vec4);
  const moved = (values: Float32Array, by: readonly number[]) => {
    const out = new Float32Array(values.length);
    for (let i = 0; i < values.length; i += 3) {
      out.set(rotated(turn, [values[i], values[i + 1], values[i + 2]]).map((x, axis) => x + by[axis]), i);
    }
    return out;
  };
  return {...shape, points: moved(shape.points, position), normals: moved(shape.normals, [0, 0, 0])};
}

async function shapeOf(rigid: RigidShape, count: number): Promise<Shape> {
  const {form, radius = 0, half_height: half = 0, half_extents: extents = [0, 0, 0], points} = rigid;
  if (form === 'box') {
    return boxShape(extents);
  }
  if (form === 'hull') {
    const {ConvexHull} = await import('three/examples/jsm/math/ConvexHull.js');
    const {Vector3} = await import('three');
    const corners: InstanceType<typeof Vector3>[] = [];
    for (let i = 0; points && i + 2 < points.length; i += 3) {
      corners.push(new Vector3(points[i], points[i + 1], points[i + 2]));
    }
    const vertices: number[] = [];
    for (const {edge} of new ConvexHull().setFromPoints(corners).faces) {
      for (let side = edge, k = 0; k < 3; k++, side = side.next) {
        vertices.push(...side.head().point.toArray());
      }
    }
    return facetedShape(vertices, Uint32Array.from({length: vertices.length / 3}, (_, i) => i));
  }
  return roundShape(radius, form === 'capsule' ? 2 * half : 0, count < MANY ? FINE : COARSE);
}

function lookOf(look: unknown, triangles: number): Look | undefined {
  if (!isFields(look)) {
    return undefined;
  }
  const floats = (value: unknown, count: number) => {
    const numbers = numbersOf(value);
    return numbers?.length === count ? Float32Array.from(numbers) : undefined;
  };
  const materials = listOf(look.materials).map((item) => {
    const {name, color, metallic, roughness} = fieldsOf(item);
    return {
      name: stringOf(name) || 'material',
      color: vec4Of(color, [1, 1, 1, 1]).map(Math.fround),
      metallic: Math.fround(numberOf(metallic, 0)),
      roughness: Math.fround(numberOf(roughness, 1)),
    };
  });
  const ofTriangles = u32sOf(look.triangle_materials);
  const uvs = floats(look.uvs, 6 * triangles);
  const normals = floats(look.normals, 9 * triangles);
  if (!uvs && !normals && materials.length === 0) {
    return undefined;
  }
  return {
    materials,
    ...(uvs && {uvs}),
    ...(normals && {normals}),
    ...(materials.length > 0 && ofTriangles.length === triangles && {triangleMaterials: ofTriangles}),
  };
}

function tornOf(fields: Fields): Torn | null {
  if (!isFields(fields.torn)) {
    return null;
  }
  return {own: numberOf(fields.torn.own, 0), origins: u32sOf(fields.torn.origins), ticks: []};
}

// later: it may tear yet, so that all spare particles of the cloth have room.
async function bodyOf(name: string, fields: Fields, later: boolean): Promise<TakenBody> {
  const topology: Topology = topologyOf(fields);
  const {skin, tets, edges, rest} = topology;
  const torn = tornOf(fields);
  const rigid = rigidOf(fields.rigid);
  const count = skin ? skin.weights.length / 4 : torn && !later ? torn.own + torn.origins.length : rest.length / 3;
  const own = topology.triangles.length > 0 || tets.length === 0 ? topology.triangles : surfaceOf(tets, rest);
  const triangles = skin ? skin.triangles : own;
  const piece = await pieceOf(rigid, count);
  const look = lookOf(fields.look, triangles.length / 3);
  return {
    name,
    count,
    triangles: piece ? new Uint32Array() : triangles,
    edges: piece || triangles.length > 0 ? new Uint32Array() : edges,
    ...(look && {look}),
    ...(piece && {piece}),
    ...(torn && count > torn.own && {torn}),
  };
}

function colliderShapeOf(collider: Collider, fields: Fields): TakenCollider {
  const {kind, collider: id, radius, length, half_extents, points, heights, columns, spacing} = collider;
  const field = kind === 'height_field' ? fieldMesh(heights, columns, spacing) : null;
  return {
    name: collider.name || `${kind}${id}`,
    kind,
    radius: Math.fround(radius),
    length: Math.fround(length),
    half_extents: half_extents.map(Math.fround),
    vertices: field?.vertices ?? Float32Array.from(points),
    triangles: field?.triangles ?? u32sOf(fields.triangles),
  };
}

// null: it was removed meanwhile.
async function bodyFields(client: Client, world: number, body: number): Promise<Fields | null> {
  try {
    return {...(await client.call('body.get', {world, body, images: true}))};
  } catch (error) {
    if (error instanceof WeftError && error.code === 'NOT_FOUND') {
      return null;
    }
    throw error;
  }
}

interface Recorded {
  readonly id: number;
  readonly skin: boolean;
}

export class Things {
  private constructor(
    readonly scene: TakenScene,
    private readonly bodies: readonly Recorded[],
    private readonly colliders: readonly number[],
    private readonly poses: Map<number, Float32Array>,
    // The last that is known of each body.
    private readonly last: Float32Array,
  ) {}

  // The ticks at which spare particles of each cloth split off.
  private readonly ticks = new Map<number, number[]>();

  // Bodies by id, and colliders, as a world or a view has them now.
  static async read(
    client: Client,
    world: number,
    joined: Joined,
    ids: readonly number[],
    later: boolean,
  ): Promise<Things> {
    const bodies: TakenBody[] = [];
    const recorded: Recorded[] = [];
    for (const id of ids) {
      const fields = await bodyFields(client, world, id);
      if (!fields) {
        continue;
      }
      bodies.push(await bodyOf(stringOf(fields.name) || `body${id}`, fields, later));
      recorded.push({id, skin: isFields(fields.skin)});
    }
    const told = listOf(joined.colliders).map(fieldsOf);
    const shapes = told.map((fields) => colliderShapeOf(colliderOf(fields), fields));
    const scene = {tickRate: joined.tick_rate, bodies, colliders: shapes};
    const numbers = bodies.reduce((sum, body) => sum + floatsOf(body), 0);
    const colliders = told.map(({collider}) => numberOf(collider, 0));
    const things = new Things(scene, recorded, colliders, new Map(), new Float32Array(numbers));
    things.moved(joined.colliders);
    return things;
  }

  get ids(): number[] {
    return this.bodies.map(({id}) => id);
  }

  // The fields that frames of a stream hold.
  get fields(): ('positions' | 'skin' | 'rotations' | 'colliders')[] {
    const {bodies, scene} = this;
    return [
      ...(bodies.length === 0 || bodies.some(({skin}) => !skin) ? (['positions'] as const) : []),
      ...(bodies.some(({skin}) => skin) ? (['skin'] as const) : []),
      ...(scene.bodies.some(({piece}) => piece) ? (['rotations'] as const) : []),
      ...(scene.colliders.length > 0 ? (['colliders'] as const) : []),
    ];
  }

  // Takes the places of colliders from a document, or from a frame, which tells those that motions move.
  moved(colliders: unknown): void {
    for (const item of listOf(colliders)) {
      const fields = fieldsOf(item);
      const {position, rotation} = colliderOf(fields);
      this.poses.set(numberOf(fields.collider, 0), Float32Array.of(...position, ...rotation));
    }
  }

  // The numbers of a frame. A body that it lacks stays where it was.
  take(frame: Frame): Float32Array {
    const {scene, bodies, last} = this;
    this.moved(frame.colliders);
    const out = new Float32Array(last.length + POSE * this.colliders.length);
    let at = 0;
    scene.bodies.forEach((body, b) => {
      const {id, skin} = bodies[b];
      const chunks = frame.bodies.filter((chunk) => chunk.body === id && (chunk.skin !== undefined) === skin);
      for (const {first, positions, skin: vertices, rotations} of chunks) {
        const values = (skin ? vertices : positions)?.subarray(0, 3 * Math.max(0, body.count - first));
        last.set(values ?? [], at + 3 * first);
        if (body.piece && rotations) {
          last.set(rotations, at + 3 * body.count + 4 * first);
        }
      }
      at += floatsOf(body);
    });
    out.set(last);
    this.colliders.forEach((id, c) => out.set(this.poses.get(id)!, last.length + POSE * c));
    return out;
  }

  // Cloths that may tear yet, by their ids.
  get tearing(): number[] {
    return this.bodies.flatMap(({id}, b) => {
      const torn = this.scene.bodies[b].torn;
      return torn && this.splits(id).length < torn.origins.length ? [id] : [];
    });
  }

  // At that tick so many of the spare particles of a cloth are in use.
  split(id: number, used: number, tick: number): void {
    const ticks = this.splits(id);
    while (ticks.length < used) {
      ticks.push(tick);
    }
  }

  // Particles of a cloth before it tears.
  own(id: number): number {
    return this.scene.bodies[this.bodies.findIndex((body) => body.id === id)]?.torn?.own ?? Infinity;
  }

  // Asks how many are, of the cloths that may tear yet.
  async look(client: Client, world: number, tick: number): Promise<void> {
    for (const id of this.tearing) {
      const fields = await bodyFields(client, world, id);
      this.split(id, (fields && tornOf(fields)?.origins.length) ?? 0, tick);
    }
  }

  // The scene with all that is known of tears; `world`: with the triangles that cloths have there now.
  async finished(client: Client, world: number | null): Promise<TakenScene> {
    const bodies: TakenBody[] = [];
    for (const [b, body] of this.scene.bodies.entries()) {
      const {id} = this.bodies[b];
      const fields = body.torn && world !== null ? await bodyFields(client, world, id) : null;
      const torn = (fields && tornOf(fields)) ?? body.torn;
      const triangles = fields ? topologyOf(fields).triangles : body.triangles;
      bodies.push(torn ? {...body, triangles, torn: {...torn, ticks: this.splits(id)}} : body);
    }
    return {...this.scene, bodies};
  }

  private splits(id: number): number[] {
    const ticks = this.ticks.get(id) ?? [];
    this.ticks.set(id, ticks);
    return ticks;
  }
}
