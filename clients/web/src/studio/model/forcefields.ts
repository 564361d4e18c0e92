// Fields of force as the studio keeps them: all fields of the wire, with the values that the server takes for absent ones
// (docs/concepts/forces.md), so that forms and the picture need not know which were given.
import {
  fieldsOf,
  listOf,
  numberOf,
  stringOf,
  u32sOf,
  vec3Of,
  type Fields,
  type Vec3,
} from './values.js';

export const FORCE_KINDS = ['point', 'vortex', 'drag', 'wind', 'fan'] as const;
export type ForceKind = (typeof FORCE_KINDS)[number];
export type Falloff = 'none' | 'inverse' | 'inverse_square';

export interface ForceField {
  readonly force: number;
  readonly kind: ForceKind;
  readonly position: Vec3;
  readonly axis: Vec3;
  readonly strength: number;
  readonly distance: number;
  readonly falloff: Falloff;
  readonly core: number;
  readonly velocity: Vec3;
  readonly width: number;
  // 0: it has no such end.
  readonly radius: number;
  readonly half_extents: Vec3;
  readonly margin: number;
  // Ids of the bodies that it acts on; none: all of them.
  readonly bodies: readonly number[];
}

const ABSENT: Omit<ForceField, 'force'> = {
  kind: 'point',
  position: [0, 0, 0],
  axis: [0, 1, 0],
  strength: 1,
  distance: 1,
  falloff: 'none',
  core: 0.01,
  velocity: [0, 0, 0],
  width: 1,
  radius: 0,
  half_extents: [0, 0, 0],
  margin: 0,
  bodies: [],
};

// Absent fields are as in `before`.
export function mergeForce(before: ForceField, given: Fields): ForceField {
  const falloff = stringOf(given.falloff);
  return {
    force: before.force,
    kind: before.kind,
    position: vec3Of(given.position, before.position),
    axis: vec3Of(given.axis, before.axis),
    strength: numberOf(given.strength, before.strength),
    distance: numberOf(given.distance, before.distance),
    falloff: falloff === '' ? before.falloff : (falloff as Falloff),
    core: numberOf(given.core, before.core),
    velocity: vec3Of(given.velocity, before.velocity),
    width: numberOf(given.width, before.width),
    radius: numberOf(given.radius, before.radius),
    half_extents: vec3Of(given.half_extents, before.half_extents),
    margin: numberOf(given.margin, before.margin),
    bodies: given.bodies === undefined || given.bodies === null ? before.bodies : Array.from(u32sOf(given.bodies)),
  };
}

export function forceOf(fields: Fields, id = numberOf(fields.force, 0)): ForceField {
  const kind = FORCE_KINDS.find((one) => one === fields.kind) ?? 'point';
  return mergeForce({...ABSENT, force: id, kind}, fields);
}

// Those that world.join tells, by ascending id.
export function forcesOf(told: unknown): ReadonlyMap<number, ForceField> {
  const fields = listOf(told).map((one) => forceOf(fieldsOf(one)));
  return new Map(fields.map((field) => [field.force, field]));
}

const SHAPE = ['radius', 'half_extents', 'margin', 'bodies'] as const;

// Fields of the wire that each kind reads. A form shows no others.
export const FORCE_READS: Readonly<Record<ForceKind, readonly (keyof ForceField)[]>> = {
  point: ['position', 'strength', 'distance', 'falloff', 'core', ...SHAPE],
  vortex: ['position', 'axis', 'strength', 'distance', 'falloff', 'core', ...SHAPE],
  drag: ['position', 'strength', 'velocity', ...SHAPE],
  wind: ['position', 'velocity', ...SHAPE],
  fan: ['position', 'axis', 'strength', 'width', ...SHAPE],
};

// Whether it ends anywhere; without that it fills the world.
export function hasEnd({radius, half_extents: half}: ForceField): boolean {
  return radius > 0 || half.some((edge) => edge > 0);
}

// The ways in which a handle can change it.
export function handlesOf(field: ForceField): readonly ('move' | 'turn' | 'size')[] {
  const turns = FORCE_READS[field.kind].includes('axis');
  return ['move', ...(turns ? (['turn'] as const) : []), ...(hasEnd(field) ? (['size'] as const) : [])];
}
