// What an edit makes of the document: world.edited in, a new document out. Nothing here asks the server; what an
// edit does not tell (arrays that were left out for their size, what the server worked out) is named as stale.
//
// Invariant: a thing that an edit did not change keeps its object, so that `===` tells what changed.
import {TYPES} from '../../lib/index.js';
import {forceOf, mergeForce, type ForceField} from './forcefields.js';
import {normalized, rotated, turnedTo} from './rotation.js';
import {
  bendOf,
  bendingOf,
  colliderOf,
  f64sOf,
  contactOf,
  fabricOf,
  fieldsOf,
  gustsOf,
  isFields,
  listOf,
  materialOf,
  numberOf,
  ownWindOf,
  numbersOf,
  pressureOf,
  pullsOf,
  rigidOf,
  rodOf,
  matchingOf,
  rangesOf,
  solidOf,
  stretchOf,
  stringOf,
  surfacesOf,
  u32sOf,
  vec3Of,
  vec4Of,
  withLimit,
  withPlastic,
  withRigidity,
  yarnsOf,
  type BendMaterial,
  type Body,
  type Collider,
  type Fields,
  type Material,
  type Settings,
  type StretchMaterial,
  type Wind,
  qualityOf,
} from './values.js';

export interface Contents {
  readonly settings: Settings;
  readonly bodies: ReadonlyMap<number, Body>;
  readonly colliders: ReadonlyMap<number, Collider>;
  readonly forces: ReadonlyMap<number, ForceField>;
}

// Names a thing of a world: 'world', 'body:3', 'collider:1', 'constraint:17'.
export type ThingKey = 'world' | `${'body' | 'collider' | 'constraint' | 'force'}:${number}`;

// world.edited with its maps looked at.
export interface RawEdit {
  readonly revision: number;
  readonly method: string;
  readonly params: Fields;
  readonly result: Fields;
  // Names of arrays that were too large to tell.
  readonly omitted?: readonly unknown[];
}

export interface Applied {
  readonly contents: Contents;
  readonly things: readonly ThingKey[];
  // Bodies that body.get must tell about.
  readonly stale: readonly number[];
  // Nothing but a pose changed: a pin or a collider is being led along. Those come every tick.
  readonly motion: boolean;
  // Positions jumped: nothing lies between the frames before and after.
  readonly cut: boolean;
  readonly grabsEnded: boolean;
  // The method is not known here, or the edit leaves out the collider's vertices: the document must be read again.
  readonly unknown: boolean;
}

const NAMED_AT_MOST = 16;

function replaced<V>(map: ReadonlyMap<number, V>, id: number, value: V): ReadonlyMap<number, V> {
  return map.get(id) === value ? map : new Map(map).set(id, value);
}

function without<V>(map: ReadonlyMap<number, V>, id: number): ReadonlyMap<number, V> {
  if (!map.has(id)) {
    return map;
  }
  const copy = new Map(map);
  copy.delete(id);
  return copy;
}

// Compliance and stiffness exclude each other; what is absent stays.
export function mergeMaterial(material: Material, given: Fields): Material {
  const damping = numberOf(given.damping, material.damping);
  if (typeof given.stiffness === 'number') {
    return {compliance: 0, damping, stiffness: given.stiffness};
  }
  if (typeof given.compliance === 'number') {
    return {compliance: given.compliance, damping};
  }
  return {...material, damping};
}

// Compliance, stiffness, rigidity and rigidities along the yarns end one another: what is given stays.
export function mergeBend(bend: BendMaterial, given: Fields): BendMaterial {
  const {model, rigidity, plastic, warp, weft, bias, ...material} = bend;
  const yarns = yarnsOf(given);
  const merged = {...mergeMaterial(material, given), model};
  const ends = typeof given.compliance === 'number' || typeof given.stiffness === 'number';
  const kept = ends || typeof given.rigidity === 'number' ? {} : yarnsOf({warp, weft, bias});
  const stiff =
    Object.keys(yarns).length > 0
      ? {compliance: 0, damping: merged.damping, model, ...kept, ...yarns}
      : typeof given.rigidity === 'number'
      ? withRigidity({compliance: 0, damping: merged.damping, model}, given.rigidity)
      : {...withRigidity(merged, ends ? 0 : (rigidity ?? 0)), ...kept};
  return withPlastic(plastic ? {...stiff, plastic} : stiff, given.plastic);
}

export function mergeStretch({limit, ...material}: StretchMaterial, given: Fields): StretchMaterial {
  const fabric = material.model ? {...fabricOf(material as Fields), ...fabricOf(given)} : {};
  return {...withLimit(mergeMaterial(material, given), numberOf(given.limit, limit ?? 0)), ...fabric};
}

// Who speaks of the wind wants some: where there was none, a density that is not said is air's.
export function mergeWind(wind: Wind, given: Fields): Wind {
  const air = numberOf(TYPES.wind.fields.find((field) => field.name === 'density')?.default, 0);
  return {
    velocity: vec3Of(given.velocity, wind.velocity),
    drag: numberOf(given.drag, wind.drag),
    lift: numberOf(given.lift, wind.lift),
    density: numberOf(given.density, wind.density === 0 ? air : wind.density),
    ...gustsOf(given, wind),
  };
}

function mergeSettings(settings: Settings, given: Fields): Settings {
  return {
    ...settings,
    name: stringOf(given.name, settings.name),
    gravity: vec3Of(given.gravity, settings.gravity),
    substeps: numberOf(given.substeps, settings.substeps),
    iterations: numberOf(given.iterations, settings.iterations),
    damping: numberOf(given.damping, settings.damping),
    extent: numberOf(given.extent, settings.extent),
    contact_quality: qualityOf(given.contact_quality, settings.contact_quality),
    untangle: typeof given.untangle === 'boolean' ? given.untangle : settings.untangle,
    long_edges: typeof given.long_edges === 'boolean' ? given.long_edges : settings.long_edges,
    bending: bendingOf(given.bending, settings.bending),
    loads: bendingOf(given.loads, settings.loads),
    sleep: typeof given.sleep === 'boolean' ? given.sleep : settings.sleep,
    calm: typeof given.calm === 'boolean' ? given.calm : settings.calm,
    surfaces: Array.isArray(given.surfaces) ? surfacesOf(given.surfaces) : settings.surfaces,
    wind:
      given.wind === undefined || given.wind === null
        ? settings.wind
        : mergeWind(settings.wind, fieldsOf(given.wind)),
  };
}

export function mergeCollider(collider: Collider, given: Fields): Collider {
  let {normal, rotation} = collider;
  if (given.rotation !== undefined && given.rotation !== null) {
    rotation = normalized(vec4Of(given.rotation, rotation));
    normal = rotated(rotation, [0, 1, 0]);
  } else if (given.normal !== undefined && given.normal !== null && collider.kind === 'plane') {
    normal = normalized(vec3Of(given.normal, normal));
    rotation = turnedTo(rotation, normal);
  }
  return {
    ...collider,
    name: stringOf(given.name, collider.name),
    position: vec3Of(given.position, collider.position),
    normal,
    rotation,
    radius: numberOf(given.radius, collider.radius),
    length: numberOf(given.length, collider.length),
    half_extents: vec3Of(given.half_extents, collider.half_extents),
    friction: numberOf(given.friction, collider.friction),
    friction_kinetic: numberOf(given.friction_kinetic, collider.friction_kinetic),
    restitution: numberOf(given.restitution, collider.restitution),
    surface: stringOf(given.surface, collider.surface),
    surface_velocity: vec3Of(given.surface_velocity, collider.surface_velocity),
    surface_spin: vec3Of(given.surface_spin, collider.surface_spin),
    points: given.points === undefined || given.points === null ? collider.points : f64sOf(given.points),
    heights: given.heights === undefined || given.heights === null ? collider.heights : f64sOf(given.heights),
    columns: numberOf(given.columns, collider.columns),
    spacing: numberOf(given.spacing, collider.spacing),
  };
}

const POSE: ReadonlySet<string> = new Set([
  'world',
  'collider',
  'position',
  'rotation',
  'normal',
  'teleport',
]);

function onlyPose(given: Fields): boolean {
  return Object.keys(given).every(
    (name) => POSE.has(name) || given[name] === undefined || given[name] === null,
  );
}

// Another model begins with nothing of the one before.
function mergePressure(before: Body['pressure'], given: Fields): Body['pressure'] {
  const model = stringOf(given.model) || stringOf(before?.model) || 'gas';
  const timeless = given.overpressure === undefined && given.ratio === undefined ? {} : {seconds: undefined, now: undefined};
  return pressureOf({...(before?.model === model ? before : {}), ...timeless, ...given, model});
}

function mergeBody(body: Body, given: Fields, revision: number): Body {
  const some = (name: string) => given[name] !== undefined && given[name] !== null;
  const {gravity, wind, ...others} = body;
  return {
    ...others,
    ...(some('gravity') ? pullsOf({gravity: given.gravity}) : gravity ? {gravity} : {}),
    ...ownWindOf(some('wind') ? given.wind : wind),
    name: stringOf(given.name, body.name),
    stretch: some('stretch') ? mergeStretch(body.stretch, fieldsOf(given.stretch)) : body.stretch,
    bend: some('bend') ? mergeBend(body.bend, fieldsOf(given.bend)) : body.bend,
    volume: some('volume') ? mergeMaterial(body.volume, fieldsOf(given.volume)) : body.volume,
    ...(body.solid && some('solid') ? {solid: solidOf(given.solid, body.solid)} : {}),
    ...(body.tear && some('tear') ? {tear: {...body.tear, ...fieldsOf(given.tear)}} : {}),
    thickness: numberOf(given.thickness, body.thickness),
    ...contactOf(given, body),
    pressure: some('pressure') ? mergePressure(body.pressure, fieldsOf(given.pressure)) : body.pressure,
    shape: some('shape') ? matchingOf({...body.shape, model: 'rigid', ...fieldsOf(given.shape)}) : body.shape,
    revision,
  };
}

// What is told of a new body; the rest comes by body.get.
function newBody(params: Fields, result: Fields, revision: number): Body {
  return {
    body: numberOf(result.body, 0),
    name: stringOf(params.name),
    kind: (stringOf(params.kind) || 'points') as Body['kind'],
    particles: numberOf(result.particles, 0),
    constraints: rangesOf(result.constraints),
    stretch: stretchOf(params.stretch),
    bend: bendOf(params.bend),
    volume: materialOf(params.volume),
    ...(isFields(params.solid) ? {solid: solidOf(params.solid)} : {}),
    ...rodOf(params.rod),
    ...rigidOf(params.rigid),
    ...(isFields(params.tear) ? {tear: params.tear} : {}),
    thickness: numberOf(params.thickness, 0),
    ...contactOf(params),
    pressure: pressureOf(params.pressure),
    ...pullsOf(params),
    shape: matchingOf(params.shape),
    pins: new Uint32Array(0),
    followed: new Uint32Array(0),
    softness: new Float64Array(0),
    topology: null,
    revision,
  };
}

// The collider of each pin after an edit of some particles. These follow `collider`, and the others follow what they did. It is
// the same array if nothing changes.
export function followedBy(
  body: Pick<Body, 'pins' | 'followed'>,
  pins: Uint32Array,
  particles: ArrayLike<number>,
  collider: number,
): Uint32Array {
  const before = new Map<number, number>();
  body.pins.forEach((pin, at) => before.set(pin, body.followed[at]));
  for (let i = 0; i < particles.length; i++) {
    before.set(particles[i], collider);
  }
  const after = pins.map((pin) => before.get(pin) ?? 0);
  const same = after.length === body.followed.length && after.every((id, at) => id === body.followed[at]);
  return same ? body.followed : after;
}

// The compliance of each pin after particle.pin (given: its parameters) or particle.unpin (given: null). It is the same array if
// nothing changes.
export function softnessBy(
  body: Pick<Body, 'pins' | 'softness'>,
  pins: Uint32Array,
  particles: ArrayLike<number>,
  given: Fields | null,
): Float64Array {
  const before = new Map<number, number>();
  body.pins.forEach((pin, at) => before.set(pin, body.softness[at]));
  const at = (value: unknown, i: number): number => {
    const list = numbersOf(value);
    return list ? (list[list.length > 1 ? i : 0] ?? -1) : numberOf(value, -1);
  };
  const said = given && (isSaid(given.compliance) || isSaid(given.distance));
  for (let i = 0; i < particles.length && said; i++) {
    const hard = at(given.compliance, i) === 0 || at(given.distance, i) === 0;
    before.set(particles[i], hard ? 0 : Math.fround(at(given.compliance, i)));
  }
  const after = Float64Array.from(pins, (pin) => before.get(pin) ?? 0);
  const same = after.length === body.softness.length && after.every((one, i) => one === body.softness[i]);
  return same ? body.softness : after;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

// Bodies without pins that follow a collider that is gone.
function letGo(bodies: Contents['bodies'], collider: number): Contents['bodies'] {
  const follow = [...bodies.values()].filter((body) => body.followed.includes(collider));
  if (follow.length === 0) {
    return bodies;
  }
  const changed = new Map(bodies);
  for (const body of follow) {
    changed.set(body.body, {...body, followed: body.followed.map((id) => (id === collider ? 0 : id))});
  }
  return changed;
}

// Ascending; the same array where nothing changes.
export function withPins(pins: Uint32Array, particles: ArrayLike<number>): Uint32Array {
  const all = new Set(pins);
  for (let i = 0; i < particles.length; i++) {
    all.add(particles[i]);
  }
  return all.size === pins.length ? pins : Uint32Array.from(all).sort();
}

export function withoutPins(pins: Uint32Array, particles: ArrayLike<number>): Uint32Array {
  const gone = new Set<number>();
  for (let i = 0; i < particles.length; i++) {
    gone.add(particles[i]);
  }
  const left = pins.filter((pin) => !gone.has(pin));
  return left.length === pins.length ? pins : left;
}

function constraintKeys(ids: unknown): ThingKey[] {
  return Array.from(u32sOf(ids).subarray(0, NAMED_AT_MOST), (id): ThingKey => `constraint:${id}`);
}

const NOTHING = {
  things: [],
  stale: [],
  motion: false,
  cut: false,
  grabsEnded: false,
  unknown: false,
} as const;

export function applyEdit(contents: Contents, edit: RawEdit): Applied {
  const {params, result, revision, method} = edit;
  const same: Applied = {contents, ...NOTHING};
  const id = numberOf(params.body, 0);
  const body = contents.bodies.get(id);
  // A thing that was read after the edit was made contains it already.
  const fresh = body && body.revision < revision ? body : null;
  const bodyThings: ThingKey[] = id > 0 ? [`body:${id}`] : [];
  const withBody = (changed: Body): Contents => ({
    ...contents,
    bodies: replaced(contents.bodies, changed.body, changed),
  });

  switch (method) {
    case 'world.set':
      return {
        ...same,
        things: ['world'],
        contents: {...contents, settings: mergeSettings(contents.settings, params)},
      };
    case 'world.reset':
      return {...same, things: ['world'], cut: true, grabsEnded: true};
    case 'body.add': {
      const added = newBody(params, result, revision);
      const things: ThingKey[] = [`body:${added.body}`];
      const known = contents.bodies.get(added.body);
      return known && known.revision >= revision
        ? {...same, things}
        : {...same, things, contents: withBody(added), stale: [added.body]};
    }
    case 'body.set':
      return {
        ...same,
        things: bodyThings,
        contents: fresh ? withBody(mergeBody(fresh, params, revision)) : contents,
      };
    case 'body.remove':
      return {...same, things: bodyThings, contents: {...contents, bodies: without(contents.bodies, id)}};
    case 'body.force':
      return {...same, things: bodyThings, stale: [id]}; // when it ends the server knows
    case 'particle.pin':
    case 'particle.unpin': {
      if (!fresh) {
        return {...same, things: bodyThings};
      }
      const particles = numbersOf(params.particles);
      // Without the list of compliances or distances nobody here knows how soft the pins are.
      const untold = (edit.omitted ?? []).some((name) => /(^|\.)(compliance|distance)$/.test(String(name)));
      if (!particles || untold) {
        return {...same, things: bodyThings, stale: [id]};
      }
      const pinning = method === 'particle.pin';
      const pins = (pinning ? withPins : withoutPins)(fresh.pins, particles);
      const followed = followedBy(fresh, pins, particles, pinning ? numberOf(params.collider, 0) : 0);
      const softness = softnessBy(fresh, pins, particles, pinning ? params : null);
      const motion = pins === fresh.pins && followed === fresh.followed && softness === fresh.softness;
      return {
        ...same,
        things: bodyThings,
        motion,
        contents: motion ? contents : withBody({...fresh, pins, followed, softness, revision}),
      };
    }
    case 'particle.set': {
      // Masses are the document's, positions and velocities are not.
      const moves = params.inverse_masses === undefined || params.inverse_masses === null;
      return {
        ...same,
        things: bodyThings,
        stale: moves ? [] : [id],
        motion: moves,
        cut: params.positions !== undefined,
      };
    }
    case 'constraint.add':
      return {...same, things: constraintKeys(result.constraints)};
    case 'constraint.set':
    case 'constraint.remove':
      return {...same, things: constraintKeys(params.constraints)};
    case 'collider.add': {
      const plain = colliderOf({...params, collider: result.collider});
      const given =
        params.rotation === undefined || params.rotation === null
          ? {normal: params.normal}
          : {rotation: params.rotation};
      const added = mergeCollider({...plain, rotation: [0, 0, 0, 1]}, given);
      const normal = added.kind === 'plane' ? added.normal : rotated(added.rotation, [0, 1, 0]);
      return {
        ...same,
        unknown: (edit.omitted ?? []).length > 0,
        things: [`collider:${added.collider}`],
        contents: {...contents, colliders: replaced(contents.colliders, added.collider, {...added, normal})},
      };
    }
    case 'collider.set': {
      const collider = contents.colliders.get(numberOf(params.collider, 0));
      if (!collider) {
        return same;
      }
      const merged = mergeCollider(collider, params);
      return {
        ...same,
        unknown: (edit.omitted ?? []).length > 0,
        things: [`collider:${collider.collider}`],
        motion: onlyPose(params),
        contents: {...contents, colliders: replaced(contents.colliders, collider.collider, merged)},
      };
    }
    case 'collider.remove': {
      const gone = numberOf(params.collider, 0);
      return {
        ...same,
        things: [`collider:${gone}`],
        contents: {
          ...contents,
          bodies: letGo(contents.bodies, gone),
          colliders: without(contents.colliders, gone),
        },
      };
    }
    case 'force.add':
    case 'force.set':
    case 'force.remove':
      return {...same, ...editForce(contents, edit)};
    default:
      return {...same, unknown: true};
  }
}

function editForce(contents: Contents, {method, params, result}: RawEdit): Partial<Applied> {
  const {forces} = contents;
  const force = numberOf(method === 'force.add' ? result.force : params.force, 0);
  const before = forces.get(force);
  const given = fieldsOf(params.field);
  const things: ThingKey[] = [`force:${force}`];
  if (method === 'force.remove') {
    return {things, contents: {...contents, forces: without(forces, force)}};
  }
  if (method === 'force.add') {
    return {things, contents: {...contents, forces: replaced(forces, force, forceOf(given, force))}};
  }
  return before ? {things, contents: {...contents, forces: replaced(forces, force, mergeForce(before, given))}} : {};
}

// The edits of a batch, each as if it had come by itself; any other edit is its own only one. They share a revision, so those
// before the last have a little less: each is newer than what the one before it changed.
export function partsOf(edit: RawEdit): readonly RawEdit[] {
  if (edit.method !== 'edit.batch') {
    return [edit];
  }
  const calls = listOf(edit.params.edits);
  const results = listOf(edit.result.results);
  const omitted = (edit.omitted ?? []).map(String);
  return calls.map((call, index) => {
    const [method, params] = listOf(call);
    const heads = [`edits.${index}.`, `results.${index}.`];
    return {
      revision: edit.revision - (calls.length - 1 - index) / calls.length,
      method: stringOf(method),
      params: fieldsOf(params),
      result: fieldsOf(results[index]),
      omitted: heads.flatMap((head) =>
        omitted.filter((name) => name.startsWith(head)).map((name) => name.slice(head.length)),
      ),
    };
  });
}

// All of them, one after another. after is told of each with the document that it left.
export function applyParts(
  contents: Contents,
  parts: readonly RawEdit[],
  after: (part: RawEdit, contents: Contents) => void,
): Applied {
  let all: Applied = {contents, ...NOTHING, motion: parts.length > 0};
  for (const part of parts) {
    const one = applyEdit(all.contents, part);
    after(part, one.contents);
    all = {
      contents: one.contents,
      things: [...new Set([...all.things, ...one.things])],
      stale: [...new Set([...all.stale, ...one.stale])],
      motion: all.motion && one.motion,
      cut: all.cut || one.cut,
      grabsEnded: all.grabsEnded || one.grabsEnded,
      unknown: all.unknown || one.unknown,
    };
  }
  return {...all, stale: all.stale.filter((body) => all.contents.bodies.has(body))};
}
