// A part of a world that can stand in another one: bodies as they are now, colliders, and the constraints among these
// bodies. It has the form of a scene's document, so that its text is a scene.
//
//     selection ──readFragment──▶ fragment ──addFragment──▶ edits of one gesture, one step of undo
//                                   ▲ │
//                     text of a scene ┘ └ text of a scene (ui/clip)
//
// Ids within a fragment count from 1 and have no meaning outside.
import {KINDS, METHODS, type ConstraintListResult} from '../../lib/index.js';
import {paramsOf, softPinCalls, softPinsOf, type Whole} from './bodies.js';
import type {App} from './app.js';
import {jointRows, type Standing} from './jointcopy.js';
import type {Outcome} from './outcome.js';
import type {Selected, Thing} from './selection.js';
import {
  CONSTRAINT_KINDS,
  f64sOf,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  shapeOf,
  stringOf,
  u32sOf,
  type Body,
  type ConstraintKind,
  type Fields,
  type Vec3,
} from './values.js';

export interface Fragment {
  readonly bodies: readonly Fields[];
  readonly colliders: readonly Fields[];
  readonly constraints: readonly Fields[];
}

// ---------------------------------------------------------------------------------------------------------
// Reading

// The selected bodies and colliders.
export async function readFragment(app: App, {bodies: chosen, colliders: obstacles}: Selected): Promise<Outcome<Fragment>> {
  const colliders = [...obstacles].flatMap((id) => app.document.colliders.peek().get(id) ?? []);
  const places = new Map(colliders.map(({collider}, i) => [collider, i + 1]));
  const ids = [...chosen].filter((id) => app.document.bodies.peek().has(id));
  const numbers = new Map(ids.map((id, i) => [id, i + 1]));
  const bodies: Fields[] = [];
  const standing = new Map<number, Standing>();
  for (const id of ids) {
    const whole = await app.bodies.read(id);
    if (!whole.ok) return whole;
    const turned = whole.result.body.kind === 'rigid' ? await app.bodies.turnedOf(id) : null;
    if (turned && !turned.ok) return turned;
    standing.set(id, {positions: whole.result.positions, rotations: f64sOf(turned?.result.rotations)});
    bodies.push(bodyValues(whole.result, numbers.get(id)!, places, turned?.result ?? null));
  }
  const constraints = await readConstraints(app, numbers, standing);
  const fragment = {
    bodies,
    colliders: colliders.map((collider, i) => ({collider: i + 1, name: collider.name, ...shapeOf(collider)})),
    constraints,
  };
  return {ok: true, result: fragment};
}

// A rigid body begins where it is now. Other bodies keep their rest shape, and have a state besides.
function bodyValues(
  {body, topology, look, positions, velocities, softPins}: Whole,
  number: number,
  places: ReadonlyMap<number, number>,
  turned: Fields | null,
): Fields {
  const named = {body: number, ...(body.name === '' ? {} : {name: body.name})};
  if (turned) return {...named, ...paramsOf(body, topology, look, positions), velocities, ...turned};
  return {
    ...named,
    ...paramsOf(body, topology, look),
    state: {
      positions,
      velocities,
      inverse_masses: Float32Array.from(topology.masses, (mass) => (mass > 0 ? 1 / mass : 0)),
      ...followedIn(body, places),
      ...softnessIn(body, softPins, positions),
    },
  };
}

// A pin that follows a collider which stays behind holds where it is.
function followedIn({followed}: Body, places: ReadonlyMap<number, number>): Fields {
  const there = Uint32Array.from(followed, (collider) => places.get(collider) ?? 0);
  return there.some((collider) => collider > 0) ? {pin_colliders: there} : {};
}

function softnessIn({pins}: Body, soft: Whole['softPins'], positions: Float64Array): Fields {
  if (soft.particles.length === 0) return {};
  const at = new Map(Array.from(soft.particles, (particle, i) => [particle, i]));
  const each = (from: Float64Array) => Float64Array.from(pins, (pin) => (at.has(pin) ? from[at.get(pin)!]! : 0));
  const targets = Array.from(pins, (pin) => {
    const place = at.get(pin);
    return place === undefined ? positions.subarray(3 * pin, 3 * pin + 3) : soft.targets.subarray(3 * place, 3 * place + 3);
  });
  return {
    pin_compliances: each(soft.compliances),
    pin_distances: each(soft.distances),
    targets: Float64Array.from(targets.flatMap((target) => [...target])),
  };
}

async function readConstraints(
  app: App,
  numbers: ReadonlyMap<number, number>,
  standing: ReadonlyMap<number, Standing>,
): Promise<Fields[]> {
  const constraints: Fields[] = [];
  for (const kind of CONSTRAINT_KINDS) {
    const table = app.document.constraints.loose(kind).peek();
    const inside = Array.from(table?.ids ?? []).filter((_, row) => {
      const {stride, bodies} = table!;
      return bodies.subarray(row * stride, (row + 1) * stride).every((body) => numbers.has(body));
    });
    if (inside.length === 0) continue;
    for (const page of await app.document.constraints.pages(kind, inside)) {
      const wanted = new Set(inside);
      const rows = kind === 'joint' ? jointRows(page, wanted, numbers, standing) : rowsOf(kind, page, wanted, numbers);
      constraints.push(...rows);
    }
  }
  return constraints;
}

const COLUMNS = ['rest', 'compliance', 'damping', 'stiffness', 'rest_end', 'seconds', 'force_limit', 'ratio', 'friction'] as const;

// Each one by itself, with the values that constraint.add takes. What has parted holds nothing and stays behind.
function rowsOf(
  kind: ConstraintKind,
  page: ConstraintListResult,
  wanted: ReadonlySet<number>,
  numbers: ReadonlyMap<number, number>,
): Fields[] {
  const stride = KINDS[kind].particles;
  const parted = new Set(u32sOf(page.parted));
  const all = page as unknown as Fields;
  return Array.from(u32sOf(page.constraints)).flatMap((id, row) => {
    if (!wanted.has(id) || parted.has(id)) return [];
    const part = (from: Uint32Array) => from.slice(row * stride, (row + 1) * stride);
    const bodies = part(u32sOf(page.bodies)).map((body) => numbers.get(body) ?? 0);
    const particles = part(u32sOf(page.particles));
    const values = Object.fromEntries(
      COLUMNS.flatMap((name) => (all[name] === undefined ? [] : [[name, f64sOf(all[name])[row] ?? 0]])),
    );
    return [{type: kind, ...sidesOf(kind, bodies, particles, all.weights, row), ...valuesFor(kind, values)}];
  });
}

// Either compliance and damping or a stiffness, and what is not at its default.
function valuesFor(kind: ConstraintKind, values: Readonly<Record<string, number>>): Fields {
  const {rest = 0, compliance = 0, damping = 0, stiffness = -1, rest_end = 0, seconds = 0} = values;
  const {force_limit = 0, ratio = 1, friction = 0} = values;
  return {
    ...(KINDS[kind].rest === null ? {} : {rest: [rest]}),
    ...(stiffness >= 0 ? {stiffness: [stiffness]} : {compliance: [compliance], damping: [damping]}),
    ...(seconds > 0 ? {rest_end: [rest_end], seconds: [seconds]} : {}),
    ...(force_limit > 0 ? {force_limit: [force_limit]} : {}),
    ...(ratio !== 1 ? {ratio: [ratio]} : {}),
    ...(friction > 0 ? {friction: [friction]} : {}),
  };
}

// Joins are told with three particles on each side, of which those that are not used repeat the first and weigh nothing.
function sidesOf(kind: ConstraintKind, bodies: Uint32Array, particles: Uint32Array, weights: unknown, row: number): Fields {
  if (KINDS[kind].c !== 'gap') return {bodies, particles};
  const half = particles.length / 2;
  const own = f64sOf(weights).slice(row * particles.length, (row + 1) * particles.length);
  const used = [...own.keys()].filter((k) => k % half === 0 || particles[k] !== particles[k - (k % half)] || own[k]! > 0);
  const first = used.filter((k) => k < half).length;
  return {
    bodies: Uint32Array.from(used, (k) => bodies[k]!),
    particles: Uint32Array.from(used, (k) => particles[k]!),
    sides: Uint32Array.from([first, used.length - first]),
    weights: Float64Array.from(used, (k) => own[k]!),
  };
}

// ---------------------------------------------------------------------------------------------------------
// Adding

export interface Names {
  body(name: string): string;
  collider(name: string): string;
}

let pastes = 0;

// Adds it, moved by so much, as one step of undo. If something is refused, all of it is taken back.
export async function addFragment(app: App, fragment: Fragment, by: Vec3, names: Names): Promise<Outcome<readonly Thing[]>> {
  const adding = new Adding(app, `paste ${++pastes}`, by, names);
  const done = await adding.all(fragment);
  if (!done.ok && adding.revision > 0) await app.commands.call('edit.undo', {revision: adding.revision});
  return done.ok ? {ok: true, result: adding.made} : done;
}

class Adding {
  readonly made: Thing[] = [];
  // The revision of the first edit; 0 if none was made.
  revision = 0;
  // New ids by those of the fragment.
  private readonly bodies = new Map<number, number>();
  private readonly colliders = new Map<number, number>();

  constructor(
    private readonly app: App,
    private readonly gesture: string,
    private readonly by: Vec3,
    private readonly names: Names,
  ) {}

  async all({bodies, colliders, constraints}: Fragment): Promise<Outcome<unknown>> {
    let done: Outcome<unknown> = {ok: true, result: null};
    const run = async (list: readonly Fields[], add: (fields: Fields, number: number) => Promise<Outcome<unknown>>) => {
      for (let i = 0; i < list.length && done.ok; i++) done = await add(list[i]!, i + 1);
    };
    await run(colliders, (fields, number) => this.collider(fields, number));
    await run(bodies, (fields, number) => this.body(fields, number));
    await run(constraints, (fields) => this.constraint(fields));
    return done;
  }

  private async edit(method: string, fields: Fields): Promise<Outcome<Fields>> {
    const done = await this.app.commands.call(method as 'body.add', {...fields, gesture: this.gesture} as never);
    if (!done.ok) return done;
    const result = fieldsOf(done.result);
    this.revision ||= numberOf(result.revision, 0);
    return {ok: true, result};
  }

  private async collider(fields: Fields, number: number): Promise<Outcome<unknown>> {
    const {name, ...values} = taken('collider.add', fields);
    const position = moved(f64sOf(fields.position ?? [0, 0, 0]), this.by);
    const added = await this.edit('collider.add', {...values, position, ...named(this.names.collider, name)});
    if (!added.ok) return added;
    const collider = numberOf(added.result.collider, 0);
    this.colliders.set(numberOf(fields.collider, number), collider);
    this.made.push({kind: 'collider', collider});
    return added;
  }

  private async body(fields: Fields, number: number): Promise<Outcome<unknown>> {
    const {name, ...values} = taken('body.add', fields);
    const positions = moved(f64sOf(fields.positions), this.by);
    const added = await this.edit('body.add', {...values, positions, ...named(this.names.body, name)});
    if (!added.ok) return added;
    const body = numberOf(added.result.body, 0);
    this.bodies.set(numberOf(fields.body, number), body);
    this.made.push({kind: 'body', body});
    const state = fieldsOf(fields.state);
    return Object.keys(state).length > 0 ? this.state(body, fields, state) : added;
  }

  private async state(body: number, fields: Fields, state: Fields): Promise<Outcome<unknown>> {
    const positions = moved(f64sOf(state.positions), this.by);
    const particles = Uint32Array.from({length: positions.length / 3}, (_, i) => i);
    const velocities = f64sOf(state.velocities);
    let done: Outcome<unknown> = await this.edit('particle.set', {
      body,
      particles,
      positions,
      ...(velocities.length === positions.length ? {velocities} : {}),
    });
    const pins = u32sOf(fields.pins);
    const targets = state.targets ? f64sOf(state.targets) : Float64Array.from([...pins].flatMap((pin) => [...f64sOf(state.positions).subarray(3 * pin, 3 * pin + 3)]));
    const soft = softPinsOf({
      pins,
      pin_compliances: state.pin_compliances,
      pin_distances: state.pin_distances,
      pin_targets: moved(targets, this.by),
    });
    for (const call of softPinCalls(soft)) done = done.ok ? await this.edit('particle.pin', {body, ...call}) : done;
    const followed = u32sOf(state.pin_colliders);
    for (const [number, collider] of this.colliders) {
      const some = pins.filter((_, i) => followed[i] === number);
      if (some.length > 0 && done.ok) done = await this.edit('particle.pin', {body, particles: some, collider});
    }
    return done;
  }

  private constraint(fields: Fields): Promise<Outcome<unknown>> {
    const given = taken('constraint.add', fields);
    const one = fields.body === undefined ? [] : [numberOf(fields.body, 0)];
    const of = u32sOf(fields.bodies);
    const numbers = of.length > 0 ? of : Uint32Array.from(u32sOf(fields.particles), () => one[0] ?? 0);
    const {body: _, stiffness, ...values} = given;
    const anchors = fields.anchors === undefined ? {} : {anchors: moved(f64sOf(fields.anchors), this.by)};
    const plain = f64sOf(stiffness).every((k) => k < 0) ? {} : {stiffness};
    return this.edit('constraint.add', {...values, ...plain, ...anchors, bodies: numbers.map((number) => this.bodies.get(number) ?? 0)});
  }
}

// The fields that a method takes.
function taken(method: 'body.add' | 'collider.add' | 'constraint.add', fields: Fields): Record<string, unknown> {
  const known = new Set<string>(METHODS[method].params.map(({name}) => name));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => known.has(name) && value !== undefined && value !== null),
  );
}

function named(free: (name: string) => string, name: unknown): Fields {
  return stringOf(name) === '' ? {} : {name: free(stringOf(name))};
}

function moved(positions: Float64Array, by: Vec3): Float64Array {
  return positions.map((x, i) => x + by[i % 3]!);
}

// The parts of a scene's document that a fragment has.
export function fragmentOf(document: Fields): Fragment {
  const list = (value: unknown) => listOf(value).map(fieldsOf);
  const bodies = list(document.bodies);
  // Anchors are where the pieces are now. A body with a state begins elsewhere, and does not come here turned as it is now.
  const away = new Set(bodies.flatMap(({body, state, kind}, i) => (kind === 'rigid' && isFields(state) ? [numberOf(body, i + 1)] : [])));
  const stands = ({type, body, bodies: of}: Fields) =>
    type !== 'joint' || ![numberOf(body, 0), ...u32sOf(of)].some((number) => away.has(number));
  return {
    bodies,
    colliders: list(document.colliders),
    constraints: list(document.constraints).filter(stands),
  };
}
