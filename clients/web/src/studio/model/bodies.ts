// Whole bodies moved, turned and made larger, by the edits that there are.
//
// Moved or turned, a body stays what it is: its particles are placed (particle.set) and come to rest. Its rest shape does
// not change by that, so that a reset puts it back to where it was added.
//
// Another size is another rest shape, and a rest shape is given with body.add: so a scaled body is made again and
// the old one removed. Density, materials, thickness, contact, pins, skin and look stay; masses follow area, length or
// volume. What single edits left of constraints, constraints and motions that others tied to it, and grabs end with the
// old one, and its id is new.
import type {Client} from '../../lib/index.js';
import type {Commands} from './commands.js';
import type {WorldDocument} from './document.js';
import {outcome, type Outcome} from './outcome.js';
import {
  NO_KINETIC,
  bodyOf,
  fabricOf,
  fieldsOf,
  f64sOf,
  isFields,
  numberOf,
  topologyOf,
  u32sOf,
  yarnsOf,
  type BendMaterial,
  type Body,
  type Fields,
  type Material,
  type StretchMaterial,
  type Topology,
} from './values.js';

// Column-major, 4 × 4, as three.js has it.
export type Matrix = ArrayLike<number>;

export interface Shape {
  // x, y, z of each particle, exact.
  readonly positions: Float64Array;
  readonly velocities: Float32Array;
}

export function transformed(positions: ArrayLike<number>, m: Matrix): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    out[i] = m[0] * x + m[4] * y + m[8] * z + m[12];
    out[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    out[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
  return out;
}

function minus(p: ArrayLike<number>, a: number, b: number): [number, number, number] {
  return [p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]];
}

function cross([a, b, c]: readonly number[], [d, e, f]: readonly number[]): [number, number, number] {
  return [b * f - c * e, c * d - a * f, a * e - b * d];
}

// What each particle has of the body's area, length or volume.
function sharesOf(kind: Body['kind'], {triangles, edges, tets}: Topology, p: ArrayLike<number>): Float64Array {
  const shares = new Float64Array(p.length / 3);
  const elements = kind === 'cloth' ? triangles : kind === 'rope' ? edges : tets;
  const stride = kind === 'cloth' ? 3 : kind === 'rope' ? 2 : 4;
  for (let e = 0; kind !== 'points' && kind !== 'rigid' && e + stride <= elements.length; e += stride) {
    const [u, v, w] = [1, 2, 3].map((k) => (k < stride ? minus(p, elements[e + k], elements[e]) : [0, 0, 0]));
    const size =
      kind === 'rope'
        ? Math.hypot(u[0], u[1], u[2])
        : kind === 'cloth'
          ? Math.hypot(...cross(u, v))
          : Math.abs(cross(u, v).reduce((sum, x, axis) => sum + x * w[axis], 0));
    for (let k = 0; k < stride; k++) {
      shares[elements[e + k]] += size;
    }
  }
  return shares;
}

// Masses of another rest shape, of the same density.
export function massesOf(body: Body, topology: Topology, rest: ArrayLike<number>): Float64Array {
  const before = sharesOf(body.kind, topology, topology.rest);
  const after = sharesOf(body.kind, topology, rest);
  return topology.masses.map((mass, i) => (before[i] > 0 ? (mass * after[i]) / before[i] : mass));
}

function materialFor({compliance, damping, stiffness}: Material): Material | {stiffness: number} {
  return stiffness === undefined ? {compliance, damping} : {stiffness};
}

function bendFor({rigidity, warp, weft, bias, model, plastic, ...bend}: BendMaterial) {
  const creases = plastic ? {plastic} : {};
  const yarns = yarnsOf({warp, weft, bias});
  const rigid = rigidity === undefined ? yarns : {rigidity};
  const stiff = Object.keys(rigid).length > 0 ? {...rigid, damping: bend.damping} : materialFor(bend);
  return {...stiff, model, ...creases};
}

// A fabric has neither compliance nor stiffness.
function stretchFor(stretch: StretchMaterial) {
  const fabric = fabricOf(stretch as unknown as Fields);
  return stretch.model
    ? {...fabric, damping: stretch.damping, ...limitOf(stretch)}
    : {...materialFor(stretch), ...limitOf(stretch)};
}

function limitOf({limit}: StretchMaterial): {limit?: number} {
  return limit === undefined ? {} : {limit};
}

// Parameters of body.add that make the same again; `rest` and `masses` may be others.
export function paramsOf(
  body: Body,
  topology: Topology,
  look?: object,
  rest = topology.rest,
  masses = topology.masses,
) {
  const {kind, thickness, stretch, bend, volume, solid, rod, rigid, tear, pins, pressure, gravity, wind, shape} = body;
  const {clamps = new Uint32Array(0)} = body;
  const {self_contact, contact_group, contact_mask, friction, friction_kinetic, restitution, surface} = body;
  const meets = self_contact || (contact_group !== 0 && contact_mask !== 0);
  return {
    kind,
    positions: rest,
    masses,
    thickness,
    friction,
    ...(friction_kinetic < NO_KINETIC ? {friction_kinetic} : {}),
    ...(restitution > 0 ? {restitution} : {}),
    ...(surface ? {surface} : {}),
    ...(meets ? {self_contact, contact_group, contact_mask} : {}),
    ...(kind === 'cloth' ? {triangles: topology.triangles} : {}),
    ...(kind === 'rope' ? {edges: topology.edges} : {}),
    ...(kind === 'soft' ? {tets: topology.tets, ...(solid ? {solid} : {volume: materialFor(volume)})} : {}),
    ...(kind === 'points' || kind === 'rigid' || solid || rod ? {} : {stretch: stretchFor(stretch)}),
    ...(rod ? {rod} : {}),
    ...(rigid ? {rigid} : {}),
    ...(kind === 'cloth' && bend.model !== 'none' ? {bend: bendFor(bend)} : {}),
    ...(pressure ? {pressure} : {}),
    ...(shape ? {shape} : {}),
    ...(tear ? {tear} : {}),
    ...(gravity ? {gravity} : {}),
    ...(wind ? {wind} : {}),
    ...(topology.yarnUvs ? {yarn_uvs: topology.yarnUvs} : {}),
    ...(pins.length > 0 ? {pins} : {}),
    ...(clamps.length > 0 ? {clamps} : {}),
    ...(topology.skin ? {skin: topology.skin} : {}),
    ...(look ? {look} : {}),
  };
}

// The same without particles that are spare: body.add makes others.
export function withoutSpares(topology: Topology): Topology {
  const {rest, masses, used = masses.length} = topology;
  return {...topology, rest: rest.subarray(0, 3 * used), masses: masses.subarray(0, used)};
}

// All of a body: what it is, and where it is.
export interface Whole extends Shape {
  readonly body: Body;
  readonly topology: Topology;
  // It goes on as it came, with its images.
  readonly look?: object;
  readonly softPins: SoftPins;
}

// The soft pins that body.get tells: particles, compliances in m/N (-1: no spring), greatest distances in m (-1: no limit), and
// x, y, z of their targets.
export interface SoftPins {
  readonly particles: Uint32Array;
  readonly compliances: Float64Array;
  readonly distances: Float64Array;
  readonly targets: Float64Array;
}

export function softPinsOf(fields: Fields): SoftPins {
  const pins = u32sOf(fields.pins);
  const compliances = f64sOf(fields.pin_compliances);
  const distances = f64sOf(fields.pin_distances);
  const targets = f64sOf(fields.pin_targets);
  const soft = [...pins.keys()].filter((at) => (compliances[at] ?? 0) !== 0);
  return {
    particles: Uint32Array.from(soft, (at) => pins[at]),
    compliances: Float64Array.from(soft, (at) => compliances[at]),
    distances: Float64Array.from(soft, (at) => distances[at]),
    targets: Float64Array.from(soft.flatMap((at) => [...targets.subarray(3 * at, 3 * at + 3)])),
  };
}

// The calls of particle.pin that make such pins: one for those that have a spring and a limit, and one for those that have either.
export function softPinCalls({particles, compliances, distances, targets}: SoftPins) {
  const groups = [
    [true, true],
    [true, false],
    [false, true],
  ] as const;
  return groups.flatMap(([springs, limits]) => {
    const some = [...particles.keys()].filter(
      (at) => compliances[at] > 0 === springs && distances[at] > 0 === limits,
    );
    const pick = (from: Float64Array) => Float64Array.from(some, (at) => from[at]);
    return some.length === 0
      ? []
      : [
          {
            particles: Uint32Array.from(some, (at) => particles[at]),
            positions: Float64Array.from(some.flatMap((at) => [...targets.subarray(3 * at, 3 * at + 3)])),
            ...(springs ? {compliance: pick(compliances)} : {}),
            ...(limits ? {distance: pick(distances)} : {}),
          },
        ];
  });
}

export class Bodies {
  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    private readonly commands: Commands,
  ) {}

  // Where its particles are now.
  async shapeOf(body: number): Promise<Outcome<Shape>> {
    const world = this.document.world.peek();
    const asked = await outcome(
      this.client.call('body.state', {world, body, fields: ['positions64', 'velocities']}),
    );
    if (!asked.ok) {
      return asked;
    }
    const {positions64, velocities} = asked.result;
    const result = {
      positions: new Float64Array(positions64 ?? []),
      velocities: new Float32Array(velocities ?? []),
    };
    return {ok: true, result};
  }

  // How the pieces of a rigid body stand and turn.
  async turnedOf(body: number): Promise<Outcome<Fields>> {
    const world = this.document.world.peek();
    const asked = await outcome(
      this.client.call('body.state', {world, body, fields: ['rotations64', 'angular_velocities']}),
    );
    if (!asked.ok) {
      return asked;
    }
    const {rotations64, angular_velocities} = asked.result;
    return {
      ok: true,
      result: {
        rotations: new Float64Array(rotations64 ?? []),
        angular_velocities: new Float32Array(angular_velocities ?? []),
      },
    };
  }

  // Everything is asked before this waits, so that what is asked next comes after it.
  async read(id: number): Promise<Outcome<Whole>> {
    const world = this.document.world.peek();
    const pictured = (this.document.bodies.peek().get(id)?.topology?.look?.images.length ?? 0) > 0;
    const [shape, asked] = await Promise.all([
      this.shapeOf(id),
      outcome(this.client.call('body.get', {world, body: id, ...(pictured && {images: true})})),
    ]);
    if (!shape.ok) {
      return shape;
    }
    if (!asked.ok) {
      return asked;
    }
    const fields = fieldsOf(asked.result);
    const topology = withoutSpares(topologyOf(fields));
    const {positions, velocities} = shape.result;
    const size = topology.rest.length;
    const body = bodyOf(fields, numberOf(fields.revision, 0), topology);
    const look = isFields(fields.look) ? {look: fields.look} : {};
    const present = {positions: positions.subarray(0, size), velocities: velocities.subarray(0, size)};
    return {ok: true, result: {...present, body, topology, softPins: softPinsOf(fields), ...look}};
  }

  // The same once more, as the matrix has it if one is given. Its id.
  async add(whole: Whole, name: string, matrix?: Matrix): Promise<Outcome<number>> {
    const {body, topology, look, velocities} = whole;
    const moved = (from: Float64Array) => (matrix ? transformed(from, matrix) : from);
    const rest = moved(topology.rest);
    const masses = matrix ? massesOf(body, topology, rest) : topology.masses;
    const added = await this.commands.addBody({...paramsOf(body, topology, look, rest, masses), name});
    if (!added.ok) {
      return added;
    }
    const made = added.result.body;
    const positions = moved(whole.positions);
    const placed = await this.commands.setParticles(made, all(positions), {positions, velocities});
    const {softPins} = whole;
    const calls = softPinCalls({...softPins, targets: moved(softPins.targets)});
    let done: Outcome<unknown> = placed;
    for (const pins of calls) {
      done = done.ok ? await this.commands.call('particle.pin', {body: made, ...pins}) : done;
    }
    if (!done.ok) {
      await this.commands.removeBody(made);
      return done;
    }
    return {ok: true, result: made};
  }

  // Puts its particles to where the matrix has those of `from`, at rest.
  place(id: number, from: ArrayLike<number>, matrix: Matrix): Promise<Outcome<unknown>> {
    const {body, particles, ...fields} = placed(id, from, matrix);
    return this.commands.setParticles(body, particles, fields);
  }

  // Makes the scaled body and removes the old one. Returns its new id.
  async remake(id: number, matrix: Matrix): Promise<Outcome<{readonly body: number; readonly lost: number}>> {
    const whole = await this.read(id);
    if (!whole.ok) {
      return whole;
    }
    const made = await this.add(whole.result, '', matrix);
    if (!made.ok) {
      return made;
    }
    const removed = await this.commands.removeBody(id);
    if (!removed.ok) {
      return removed;
    }
    const body = made.result;
    const {name} = whole.result.body;
    if (name !== '') {
      const named = await this.commands.setBody(body, {name});
      if (!named.ok) {
        return named;
      }
    }
    return {ok: true, result: {body, lost: removed.result.constraints.length}};
  }
}

// Parameters of particle.set that put a body's particles to where the matrix has those of `from`, at rest.
export function placed(body: number, from: ArrayLike<number>, matrix: Matrix) {
  const positions = transformed(from, matrix);
  return {body, particles: all(positions), positions, velocities: new Float32Array(positions.length)};
}

function all(positions: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({length: positions.length / 3}, (_, i) => i);
}
