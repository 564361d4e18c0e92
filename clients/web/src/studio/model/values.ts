// The shapes of things as the studio keeps them: as on the wire, with the wire's names, so that a form made from
// api.json reads and writes them by the names of its fields. All of them are replaced as a whole, never changed.
//
// What comes from the server is unknown until it was looked at: an array may be typed or plain, a field absent.

import {KINDS, type ConstraintKind, type Rod} from '../../lib/index.js';

export type Vec3 = readonly [number, number, number];
export type Vec4 = readonly [number, number, number, number];

export type {ConstraintKind};
export const CONSTRAINT_KINDS = Object.keys(KINDS) as ConstraintKind[];

/** A value for each kind of constraint. */
export function byKind<T>(of: (kind: ConstraintKind) => T): Record<ConstraintKind, T> {
  return Object.fromEntries(CONSTRAINT_KINDS.map((kind) => [kind, of(kind)])) as Record<ConstraintKind, T>;
}

export type BodyKind = 'cloth' | 'rope' | 'points' | 'soft' | 'rigid';
export type ColliderKind = 'plane' | 'sphere' | 'capsule' | 'box' | 'cylinder' | 'convex' | 'height_field';

export interface Material {
  readonly compliance: number;
  readonly damping: number;
  // Absent: compliance holds.
  readonly stiffness?: number;
}

export interface StretchMaterial extends Material {
  // The greatest strain in worlds with long edges. If it is absent there is no limit.
  readonly limit?: number;
  // Only a cloth with warp and weft has these. It has all of them, and no compliance.
  readonly model?: 'orthotropic';
  readonly warp?: number;
  readonly weft?: number;
  readonly shear?: number;
  readonly poisson?: number;
  readonly direction?: Vec3;
  readonly angle?: number;
}

// Those of these fields that a map has.
export function fabricOf(fields: Fields): Partial<StretchMaterial> {
  const numbers = ['warp', 'weft', 'shear', 'poisson', 'angle'] as const;
  return {
    ...(fields.model === 'orthotropic' ? {model: 'orthotropic' as const} : {}),
    ...Object.fromEntries(numbers.filter((name) => typeof fields[name] === 'number').map((name) => [name, fields[name]])),
    ...(isNumbers(fields.direction) ? {direction: vec3Of(fields.direction, [1, 0, 0])} : {}),
  };
}

export interface BendMaterial extends Material {
  readonly model: 'none' | 'dihedral' | 'isometric' | 'quadratic';
  // N m. Absent: the compliance or the stiffness holds.
  readonly rigidity?: number;
  readonly warp?: number; // N m: rigidities along the yarns of a fabric, instead of one
  readonly weft?: number;
  readonly bias?: number;
  // Absent: bending is elastic.
  readonly plastic?: Plastic;
}

// Creases: rad, 1/s, rad.
export interface Plastic {
  readonly yield_angle: number;
  readonly rate: number;
  readonly greatest: number;
}

// Dents of solids: a strain, 1/s, a strain.
export interface SolidPlastic {
  readonly yield_strain: number;
  readonly rate: number;
  readonly greatest: number;
}

// The material of a soft body that has no edges and volumes as constraints.
export interface SolidMaterial {
  readonly model: 'neo_hookean';
  readonly young: number;
  readonly poisson: number;
  readonly damping: number;
  // Absent: it is elastic.
  readonly plastic?: SolidPlastic;
}

export interface Wind {
  readonly velocity: Vec3;
  readonly drag: number;
  readonly lift: number;
  readonly density: number;
  readonly gusts?: number; // absent: none
  readonly gust_length?: number;
  readonly gust_seed?: number;
}

export interface Settings {
  readonly world: number;
  readonly name: string;
  readonly gravity: Vec3;
  readonly tick_rate: number;
  readonly substeps: number;
  readonly iterations: number;
  readonly damping: number;
  readonly wind: Wind;
  readonly resolution: number;
  readonly extent: number;
  // Whether it is promised that nothing crosses.
  readonly contact_quality: ContactQuality;
  // Whether what crosses is pushed apart.
  readonly untangle: boolean;
  // Whether cloths and ropes are held to their length across many edges.
  readonly long_edges: boolean;
  // How the bending of cloths is solved.
  readonly bending: Bending;
  // How cloths and ropes bear loads.
  readonly loads: Bending;
  // Whether bodies that rest are left as they are.
  readonly sleep: boolean;
  // Whether edges of bodies that go slowly are swept there and back.
  readonly calm: boolean;
  // Friction and restitution where two surfaces meet.
  readonly surfaces: readonly SurfacePair[];
}

// Absent values are as without the row.
export interface SurfacePair {
  readonly one: string;
  readonly other: string;
  readonly friction?: number;
  readonly friction_kinetic?: number;
  readonly restitution?: number;
}

const PAIR_VALUES = ['friction', 'friction_kinetic', 'restitution'] as const;

export function surfacesOf(value: unknown): readonly SurfacePair[] {
  return (Array.isArray(value) ? value : []).map((row) => {
    const fields = fieldsOf(row);
    const given = PAIR_VALUES.filter((name) => typeof fields[name] === 'number').map((name) => [name, fields[name]]);
    return {one: stringOf(fields.one), other: stringOf(fields.other), ...Object.fromEntries(given)} as SurfacePair;
  });
}

export type ContactQuality = 'guaranteed' | 'fast';
export type Bending = 'swept' | 'solved';

export interface IdRange {
  readonly first: number;
  readonly count: number;
}

export type ConstraintRanges = Readonly<Record<ConstraintKind, IdRange>>;

// A surface that goes along with a body, finer than what is solved: each vertex is the weighted sum of four particles.
export interface Skin {
  // Four for each vertex, as are their weights, with a sum of 1.
  readonly particles: Uint32Array;
  readonly weights: Float32Array;
  // Corners, as vertices of the skin.
  readonly triangles: Uint32Array;
}

export interface Topology {
  // Rest shape, x, y, z of each particle.
  readonly rest: Float64Array;
  readonly triangles: Uint32Array;
  readonly edges: Uint32Array;
  readonly tets: Uint32Array;
  // kg; 0 for static particles.
  readonly masses: Float64Array;
  // null where the body carries none.
  readonly skin: Skin | null;
  // Another one where vertices or elements are others.
  readonly elementsHash: number;
  // Particles in use, if a cloth can tear; spare ones follow them.
  readonly used?: number;
  // u and v of the corners of each triangle, if the yarns of a cloth go by them.
  readonly yarnUvs?: Float32Array;
  // Absent: the body has the studio's own colours.
  readonly look?: SurfaceColours;
}

// Colours of a mesh that was imported: of the triangles of a cloth, or of those of a skin.
export interface SurfaceColours {
  // u and v of each corner, v upwards; empty: it has no images.
  readonly uvs: Float32Array;
  readonly materials: readonly {
    // Linear red, green and blue.
    readonly color: readonly [number, number, number];
    // Number of the image that is multiplied with the colour; -1: none.
    readonly image: number;
  }[];
  // The material of each triangle; empty: the first.
  readonly ofTriangles: Uint32Array;
  // Bytes of each image. The images themselves are asked for when they are drawn.
  readonly images: readonly number[];
}

// m; lengths that a form does not have are absent.
export interface RigidShape {
  readonly form: 'sphere' | 'capsule' | 'box' | 'hull';
  readonly radius?: number;
  readonly half_height?: number;
  readonly half_extents?: readonly number[];
  // x, y, z of each vertex of a hull, from the centre of mass.
  readonly points?: Float64Array;
}

// A part of a compound, in the axes of the piece and from its centre of mass.
export interface RigidPart extends RigidShape {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

export type Rigid = RigidShape | {readonly form: 'compound'; readonly parts: readonly RigidPart[]};

export interface Body {
  readonly body: number;
  readonly name: string;
  readonly kind: BodyKind;
  readonly particles: number;
  readonly constraints: ConstraintRanges;
  readonly stretch: StretchMaterial;
  readonly bend: BendMaterial;
  readonly volume: Material;
  // Absent: edges and volumes.
  readonly solid?: SolidMaterial;
  // The rod as it was given, which stays; absent: no rod.
  readonly rod?: Rod;
  // Pinned particles whose pins clamp, of a body that body.get told; absent: none, or it is not known.
  readonly clamps?: Uint32Array;
  // The shape of each piece of a rigid body; absent of others.
  readonly rigid?: Rigid;
  // Thresholds, and how many particles may split off; absent: it does not tear. Only body.get tells them.
  readonly tear?: Fields;
  readonly thickness: number;
  readonly self_contact: boolean;
  readonly contact_group: number;
  readonly contact_mask: number;
  readonly friction: number;
  readonly friction_kinetic: number;
  readonly restitution: number;
  // Name of its surface; empty: it has none.
  readonly surface: string;
  // Inside its surface; null: none.
  readonly pressure: Fields | null;
  // m/s^2 in place of the world's, and N on it as a whole; absent: none.
  readonly gravity?: readonly number[];
  readonly force?: readonly number[];
  // Coefficients of its own in the air, drag and lift; absent: those of the world.
  readonly wind?: Fields;
  // Shape matching, without positions; null: none.
  readonly shape: Fields | null;
  // Ascending.
  readonly pins: Uint32Array;
  // Collider that each of these pins follows, 0: none.
  readonly followed: Uint32Array;
  // Compliance of each of these pins in m/N; 0: it is hard; -1: it has no spring, and leaves its particle free within a distance.
  readonly softness: Float64Array;
  // null until body.get has answered.
  readonly topology: Topology | null;
  // Edits up to this one are contained.
  readonly revision: number;
}

export interface Collider {
  readonly collider: number;
  readonly name: string;
  readonly kind: ColliderKind;
  readonly position: Vec3;
  readonly normal: Vec3;
  readonly rotation: Vec4;
  readonly radius: number;
  readonly length: number;
  readonly half_extents: Vec3;
  readonly friction: number;
  readonly friction_kinetic: number;
  readonly restitution: number;
  // Name of its surface; empty: it has none.
  readonly surface: string;
  readonly surface_velocity: Vec3;
  readonly surface_spin: Vec3;
  // x, y, z of what a convex one is the hull of; none of others.
  readonly points: Float64Array;
  // Of a height field, row after row; none of others.
  readonly heights: Float64Array;
  readonly columns: number;
  readonly spacing: number;
}

export interface Grab {
  readonly grab: number;
  readonly body: number;
  readonly particle: number;
  readonly target: Vec3;
  readonly compliance: number;
  readonly force: Vec3;
  readonly session: number;
  readonly user: string;
}

export interface Person {
  readonly session: number;
  readonly user: string;
  readonly client: string;
}

// Whether constraints of the kind have a ratio and a friction.
export function slides(kind: ConstraintKind): boolean {
  return KINDS[kind].c === 'path';
}

// Whether constraints of the kind have a friction.
export function rubs(kind: ConstraintKind): boolean {
  return slides(kind) || KINDS[kind].c === 'off';
}

// Further fields of joints.
const JOINT_FIELDS = ['turn_compliance', 'motor', 'motor_target', 'motor_most', 'motor_compliance', 'force_limit'];

// The values that a constraint of this kind has, as constraint.add and constraint.set name them.
export function constraintFields(kind: ConstraintKind): string[] {
  const {rest, c} = KINDS[kind];
  return [
    ...(rest === null ? [] : ['rest']),
    'compliance',
    'damping',
    ...(c === 'gap' ? ['rest_end', 'seconds', 'force_limit'] : []),
    ...(kind === 'joint' ? JOINT_FIELDS : []),
    ...(slides(kind) ? ['ratio'] : []),
    ...(rubs(kind) ? ['friction'] : []),
    ...(kind === 'neo_hookean' || kind === 'joint' ? [] : ['stiffness']),
  ];
}

// Leaves out the values that this kind of constraint does not have. A form keeps what was typed for another kind, and the
// server would refuse it.
export function constraintValues(kind: ConstraintKind, values: Fields): Fields {
  const fields = constraintFields(kind);
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
}

export interface Constraint {
  readonly constraint: number;
  readonly type: ConstraintKind;
  readonly bodies: readonly number[];
  readonly particles: readonly number[];
  readonly rest: number;
  readonly compliance: number;
  readonly damping: number;
  // -1 where compliance holds.
  readonly stiffness: number;
  // A join has one for each particle. It is empty for other kinds.
  readonly weights: readonly number[];
  // Slides have these two. For other kinds they are 1 and 0.
  readonly ratio: number;
  readonly friction: number;
  // Orthotropic constraints have four; other kinds have none.
  readonly gradients: readonly number[];
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

// A map field, empty where there is none.
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

// Reads the pressure of a body from a map of the wire; null if the body has none.
export function pressureOf(value: unknown): Fields | null {
  return isFields(value) && value.model !== 'none' ? value : null;
}

// Reads the shape matching of a body; null if it has none.
export function matchingOf(value: unknown): Fields | null {
  if (!isFields(value) || value.model === 'none') return null;
  const {positions: _, ...told} = value;
  return {compliance: 0, ...told, model: 'rigid'};
}

export type Contact = Pick<
  Body,
  'self_contact' | 'contact_group' | 'contact_mask' | 'friction' | 'friction_kinetic' | 'restitution' | 'surface'
>;
// The kinetic friction of what has none of its own: the greatest there is, which counts as its friction.
export const NO_KINETIC = 1000;

const NO_CONTACT: Contact = {
  self_contact: false,
  contact_group: 0,
  contact_mask: 0,
  friction: 0.3,
  friction_kinetic: NO_KINETIC,
  restitution: 0,
  surface: '',
};

// How it meets itself and others, where it is said; else as it was.
export function contactOf(fields: Fields, otherwise = NO_CONTACT): Contact {
  return {
    self_contact:
      typeof fields.self_contact === 'boolean' ? fields.self_contact : otherwise.self_contact,
    contact_group: numberOf(fields.contact_group, otherwise.contact_group),
    contact_mask: numberOf(fields.contact_mask, otherwise.contact_mask),
    friction: numberOf(fields.friction, otherwise.friction),
    friction_kinetic: numberOf(fields.friction_kinetic, otherwise.friction_kinetic),
    restitution: numberOf(fields.restitution, otherwise.restitution),
    surface: stringOf(fields.surface, otherwise.surface),
  };
}

export function stringOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

type Numbers = ArrayLike<number>;

function isNumbers(value: unknown): value is Numbers {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// A number for all, or an array of them; null where there is none.
export function numbersOf(value: unknown): Numbers | null {
  if (typeof value === 'number') {
    return [value];
  }
  return isNumbers(value) ? value : null;
}

// Copies, so that what is kept does not hold the message it came in. Made by `new`: `from` goes through an iterator, and
// there may be millions.
export function u32sOf(value: unknown): Uint32Array {
  return isNumbers(value) ? new Uint32Array(value) : new Uint32Array(0);
}

export function f64sOf(value: unknown): Float64Array {
  return isNumbers(value) ? new Float64Array(value) : new Float64Array(0);
}

export function vec3Of(value: unknown, otherwise: Vec3): Vec3 {
  return isNumbers(value) && value.length === 3 ? [value[0]!, value[1]!, value[2]!] : otherwise;
}

export function vec4Of(value: unknown, otherwise: Vec4): Vec4 {
  return isNumbers(value) && value.length === 4 ? [value[0]!, value[1]!, value[2]!, value[3]!] : otherwise;
}

export function materialOf(value: unknown): Material {
  const fields = fieldsOf(value);
  const material = {compliance: numberOf(fields.compliance, 0), damping: numberOf(fields.damping, 0)};
  return typeof fields.stiffness === 'number' ? {...material, stiffness: fields.stiffness} : material;
}

// As the server does, a limit of 0 is none.
export function withLimit(material: Material, limit: number): StretchMaterial {
  return limit > 0 ? {...material, limit} : material;
}

export function stretchOf(value: unknown): StretchMaterial {
  return {...withLimit(materialOf(value), numberOf(fieldsOf(value).limit, 0)), ...fabricOf(fieldsOf(value))};
}

export function bendOf(value: unknown): BendMaterial {
  const model = fieldsOf(value).model;
  const known = model === 'dihedral' || model === 'isometric' || model === 'quadratic' ? model : 'none';
  const bend = withRigidity({...materialOf(value), model: known}, numberOf(fieldsOf(value).rigidity, 0));
  return withPlastic({...bend, ...yarnsOf(fieldsOf(value))}, fieldsOf(value).plastic);
}

// Rigidities along the yarns, those that are given.
export function yarnsOf(given: Fields): Pick<BendMaterial, 'warp' | 'weft' | 'bias'> {
  return Object.fromEntries(
    ['warp', 'weft', 'bias'].filter((name) => typeof given[name] === 'number').map((name) => [name, given[name]]),
  );
}

// A field that is absent keeps its value, or takes the default if bending was elastic. A rate of 0 ends plasticity.
export function withPlastic({plastic, ...bend}: BendMaterial, given: unknown): BendMaterial {
  if (given === undefined) {
    return plastic ? {...bend, plastic} : bend;
  }
  const fields = fieldsOf(given);
  const before = plastic ?? {yield_angle: 0.1, rate: 1000, greatest: 2.967};
  const after = {
    yield_angle: numberOf(fields.yield_angle, before.yield_angle),
    rate: numberOf(fields.rate, before.rate),
    greatest: numberOf(fields.greatest, before.greatest),
  };
  return after.rate > 0 ? {...bend, plastic: after} : bend;
}

// The server tells a compliance of 0 beside a rigidity.
export function withRigidity(bend: BendMaterial, rigidity: number): BendMaterial {
  return rigidity > 0 ? {...bend, rigidity} : bend;
}

// Absent fields are as in `present`, or as the server has them.
export function solidOf(
  value: unknown,
  {poisson, young, damping, plastic}: Omit<SolidMaterial, 'model'> = {poisson: 0.3, young: 0, damping: 0},
): SolidMaterial {
  const fields = fieldsOf(value);
  const dents = fields.plastic === undefined ? plastic : solidPlasticOf(fieldsOf(fields.plastic), plastic);
  return {
    model: 'neo_hookean',
    young: numberOf(fields.young, young),
    poisson: numberOf(fields.poisson, poisson),
    damping: numberOf(fields.damping, damping),
    ...(dents ? {plastic: dents} : {}),
  };
}

// A rate of 0 ends plasticity.
function solidPlasticOf(
  fields: Fields,
  before: SolidPlastic = {yield_strain: 0.05, rate: 1000, greatest: 1},
): SolidPlastic | undefined {
  const after = {
    yield_strain: numberOf(fields.yield_strain, before.yield_strain),
    rate: numberOf(fields.rate, before.rate),
    greatest: numberOf(fields.greatest, before.greatest),
  };
  return after.rate > 0 ? after : undefined;
}

export function windOf(value: unknown): Wind {
  const fields = fieldsOf(value);
  return {
    velocity: vec3Of(fields.velocity, [0, 0, 0]),
    drag: numberOf(fields.drag, 1),
    lift: numberOf(fields.lift, 0),
    density: numberOf(fields.density, 0),
    ...gustsOf(fields, {}),
  };
}

// Wind without gusts has no fields of gusts. Forms do not show how far gusts have drifted.
export function gustsOf(fields: Fields, before: Partial<Wind>): Partial<Wind> {
  const gusts = numberOf(fields.gusts, before.gusts ?? 0);
  return gusts > 0
    ? {
        gusts,
        gust_length: numberOf(fields.gust_length, before.gust_length ?? 10),
        gust_seed: numberOf(fields.gust_seed, before.gust_seed ?? 0),
      }
    : {};
}

export function rangesOf(value: unknown): ConstraintRanges {
  const fields = fieldsOf(value);
  const range = (kind: ConstraintKind): IdRange => {
    const given = fieldsOf(fields[kind]);
    return {first: numberOf(given.first, 0), count: numberOf(given.count, 0)};
  };
  return byKind(range);
}

export function qualityOf(value: unknown, otherwise: ContactQuality): ContactQuality {
  return value === 'fast' || value === 'guaranteed' ? value : otherwise;
}

export function bendingOf(value: unknown, otherwise: Bending): Bending {
  return value === 'swept' || value === 'solved' ? value : otherwise;
}

export function settingsOf(fields: Fields): Settings {
  return {
    world: numberOf(fields.world, 0),
    name: stringOf(fields.name),
    gravity: vec3Of(fields.gravity, [0, 0, 0]),
    tick_rate: numberOf(fields.tick_rate, 60),
    substeps: numberOf(fields.substeps, 1),
    iterations: numberOf(fields.iterations, 1),
    damping: numberOf(fields.damping, 0),
    wind: windOf(fields.wind),
    resolution: numberOf(fields.resolution, 0),
    extent: numberOf(fields.extent, 0),
    contact_quality: qualityOf(fields.contact_quality, 'guaranteed'),
    untangle: fields.untangle === true,
    long_edges: fields.long_edges === true,
    bending: bendingOf(fields.bending, 'swept'),
    loads: bendingOf(fields.loads, 'swept'),
    sleep: fields.sleep === true,
    calm: fields.calm === true,
    surfaces: surfacesOf(fields.surfaces),
  };
}

const BODY_KINDS: readonly string[] = ['cloth', 'rope', 'points', 'soft', 'rigid'];
const COLLIDER_KINDS: readonly string[] = ['plane', 'sphere', 'capsule', 'box', 'cylinder', 'convex', 'height_field'];

// Pins in ascending order, with the colliders that they follow and their compliances.
export function pinsOf(
  pins: Uint32Array,
  colliders: Uint32Array,
  compliances: Float64Array,
): Pick<Body, 'pins' | 'followed' | 'softness'> {
  const order = Array.from(pins.keys()).sort((a, b) => pins[a] - pins[b]);
  return {
    pins: Uint32Array.from(order, (at) => pins[at]),
    followed: Uint32Array.from(order, (at) => colliders[at] ?? 0),
    softness: Float64Array.from(order, (at) => compliances[at] ?? 0),
  };
}

export function bodyOf(fields: Fields, revision: number, topology: Topology | null): Body {
  const kind = stringOf(fields.kind);
  return {
    body: numberOf(fields.body, 0),
    name: stringOf(fields.name),
    kind: (BODY_KINDS.includes(kind) ? kind : 'points') as BodyKind,
    particles: numberOf(fields.particles, 0),
    constraints: rangesOf(fields.constraints),
    stretch: stretchOf(fields.stretch),
    bend: bendOf(fields.bend),
    volume: materialOf(fields.volume),
    ...(isFields(fields.solid) ? {solid: solidOf(fields.solid)} : {}),
    ...rodOf(fields.rod),
    ...clampsOf(fields.clamps),
    ...rigidOf(fields.rigid),
    ...(isFields(fields.tear) ? {tear: fields.tear} : {}),
    thickness: numberOf(fields.thickness, 0),
    ...contactOf(fields),
    pressure: pressureOf(fields.pressure),
    ...pullsOf(fields),
    ...ownWindOf(fields.wind),
    shape: matchingOf(fields.shape),
    ...pinsOf(u32sOf(fields.pins), u32sOf(fields.pin_colliders), f64sOf(fields.pin_compliances)),
    topology,
    revision,
  };
}

function rigidShapeOf(value: Fields): RigidShape {
  const half_extents = Array.from(f64sOf(value.half_extents));
  return {
    form: stringOf(value.form) as RigidShape['form'],
    ...(value.radius === undefined ? {} : {radius: numberOf(value.radius, 0)}),
    ...(value.half_height === undefined ? {} : {half_height: numberOf(value.half_height, 0)}),
    ...(half_extents.length === 3 ? {half_extents} : {}),
    ...(value.points === undefined ? {} : {points: f64sOf(value.points)}),
  };
}

function rigidPartOf(value: unknown): RigidPart {
  const fields = fieldsOf(value);
  const position = Array.from(f64sOf(fields.position));
  const rotation = Array.from(f64sOf(fields.rotation));
  return {
    ...rigidShapeOf(fields),
    position: position.length === 3 ? position : [0, 0, 0],
    rotation: rotation.length === 4 ? rotation : [0, 0, 0, 1],
  };
}

export function rigidOf(value: unknown): Pick<Body, 'rigid'> {
  if (!isFields(value)) {
    return {};
  }
  const parts = Array.isArray(value.parts) ? value.parts.map(rigidPartOf) : [];
  return {rigid: value.form === 'compound' ? {form: 'compound', parts} : rigidShapeOf(value)};
}

function clampsOf(value: unknown): Pick<Body, 'clamps'> {
  const clamps = u32sOf(value);
  return clamps.length > 0 ? {clamps} : {};
}

export function rodOf(value: unknown): Pick<Body, 'rod'> {
  return isFields(value) ? {rod: value as unknown as Rod} : {};
}

// An empty map is none.
export function ownWindOf(value: unknown): Pick<Body, 'wind'> {
  const {drag, lift} = fieldsOf(value);
  const wind = {...(typeof drag === 'number' ? {drag} : {}), ...(typeof lift === 'number' ? {lift} : {})};
  return Object.keys(wind).length > 0 ? {wind} : {};
}

// Vectors of a body that it may be without: three numbers, not all 0 if they are a force.
export function pullsOf(fields: Fields): Pick<Body, 'gravity' | 'force'> {
  const gravity = Array.from(f64sOf(fields.gravity));
  const force = Array.from(f64sOf(fields.force));
  return {
    ...(gravity.length === 3 ? {gravity} : {}),
    ...(force.some((x) => x !== 0) ? {force} : {}),
  };
}

export function topologyOf(fields: Fields): Topology {
  const torn = fieldsOf(fields.torn);
  return {
    rest: f64sOf(fields.positions),
    triangles: u32sOf(fields.triangles),
    edges: u32sOf(fields.edges),
    tets: u32sOf(fields.tets),
    masses: f64sOf(fields.masses),
    skin: isFields(fields.skin) ? skinOf(fields.skin) : null,
    elementsHash: numberOf(fields.elements_hash, 0),
    ...(isFields(fields.torn) ? {used: numberOf(torn.own, 0) + u32sOf(torn.origins).length} : {}),
    ...(isNumbers(fields.yarn_uvs) ? {yarnUvs: new Float32Array(fields.yarn_uvs)} : {}),
    ...coloursOf(fieldsOf(fields.look)),
  };
}

// Materials that are all plain white say nothing.
function coloursOf(fields: Fields): Pick<Topology, 'look'> {
  const materials = listOf(fields.materials).map((item) => {
    const {color, image} = fieldsOf(item);
    const [red, green, blue] = vec4Of(color, [1, 1, 1, 1]);
    return {color: [red, green, blue] as const, image: numberOf(image, -1)};
  });
  if (materials.every(({color, image}) => image < 0 && color.every((part) => part === 1))) {
    return {};
  }
  const look = {
    uvs: isNumbers(fields.uvs) ? new Float32Array(fields.uvs) : new Float32Array(0),
    materials,
    ofTriangles: u32sOf(fields.triangle_materials),
    images: listOf(fields.images).map((item) => numberOf(fieldsOf(item).bytes, 0)),
  };
  return {look};
}

function skinOf(fields: Fields): Skin {
  return {
    particles: u32sOf(fields.particles),
    weights: isNumbers(fields.weights) ? new Float32Array(fields.weights) : new Float32Array(0),
    triangles: u32sOf(fields.triangles),
  };
}

export function colliderOf(fields: Fields): Collider {
  const kind = stringOf(fields.kind);
  return {
    collider: numberOf(fields.collider, 0),
    name: stringOf(fields.name),
    kind: (COLLIDER_KINDS.includes(kind) ? kind : 'sphere') as ColliderKind,
    position: vec3Of(fields.position, [0, 0, 0]),
    normal: vec3Of(fields.normal, [0, 1, 0]),
    rotation: vec4Of(fields.rotation, [0, 0, 0, 1]),
    radius: numberOf(fields.radius, 1),
    length: numberOf(fields.length, 1),
    half_extents: vec3Of(fields.half_extents, [0.5, 0.5, 0.5]),
    friction: numberOf(fields.friction, 0.5),
    friction_kinetic: numberOf(fields.friction_kinetic, NO_KINETIC),
    restitution: numberOf(fields.restitution, 0),
    surface: stringOf(fields.surface),
    surface_velocity: vec3Of(fields.surface_velocity, [0, 0, 0]),
    surface_spin: vec3Of(fields.surface_spin, [0, 0, 0]),
    points: f64sOf(fields.points),
    heights: f64sOf(fields.heights),
    columns: numberOf(fields.columns, 0),
    spacing: numberOf(fields.spacing, 1),
  };
}

// What another one like it is made of, but for its name.
export function shapeOf({collider: _, name: __, normal, heights, columns, spacing, ...shape}: Collider) {
  return {...shape, ...(shape.kind === 'height_field' ? {heights, columns, spacing} : {})};
}

export function grabOf(value: unknown): Grab {
  const fields = fieldsOf(value);
  return {
    grab: numberOf(fields.grab, 0),
    body: numberOf(fields.body, 0),
    particle: numberOf(fields.particle, 0),
    target: vec3Of(fields.target, [0, 0, 0]),
    compliance: numberOf(fields.compliance, 0),
    force: vec3Of(fields.force, [0, 0, 0]),
    session: numberOf(fields.session, 0),
    user: stringOf(fields.user),
  };
}

export function personOf(value: unknown): Person {
  const fields = fieldsOf(value);
  return {
    session: numberOf(fields.session, 0),
    user: stringOf(fields.user),
    client: stringOf(fields.client),
  };
}
