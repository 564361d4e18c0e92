// What things are called on the page.
import type {Edit, Run} from '../model/document.js';
import type {ForceField} from '../model/forcefields.js';
import {calledPerson} from '../model/people.js';
import type {Body, Collider, Person} from '../model/values.js';
import type {IconName} from './controls/icons.js';
import {formatNumber} from './forms/numbers.js';

export function bodyName(body: Pick<Body, 'body' | 'name' | 'kind'>): string {
  return body.name || `${KINDS[body.kind] ?? body.kind} ${body.body}`;
}

export function colliderName(collider: Pick<Collider, 'collider' | 'name' | 'kind'>): string {
  return collider.name || `${KINDS[collider.kind] ?? collider.kind} ${collider.collider}`;
}

// A field of force has no name of its own.
export function forceName({force, kind}: Pick<ForceField, 'force' | 'kind'>): string {
  return `${FORCES[kind]} ${force}`;
}

export const FORCES: Readonly<Record<ForceField['kind'], string>> = {
  point: 'Point force',
  vortex: 'Vortex',
  drag: 'Drag',
  wind: 'Wind field',
  fan: 'Fan',
};

export const FORCE_ICONS: Readonly<Record<ForceField['kind'], IconName>> = {
  point: 'attract',
  vortex: 'vortex',
  drag: 'drop',
  wind: 'wind',
  fan: 'fan',
};

const KINDS: Record<string, string> = {
  cloth: 'Cloth',
  rope: 'Rope',
  soft: 'Soft body',
  points: 'Points',
  rigid: 'Rigid body',
  plane: 'Plane',
  sphere: 'Sphere',
  capsule: 'Capsule',
  box: 'Box',
  cylinder: 'Cylinder',
  convex: 'Convex hull',
  height_field: 'Hills',
};

export const COLLIDER_ICONS: Record<Collider['kind'], IconName> = {
  plane: 'plane',
  sphere: 'sphere',
  capsule: 'capsule',
  box: 'cube',
  cylinder: 'cylinder',
  convex: 'cube',
  height_field: 'hills',
};

export function personName(person: Pick<Person, 'user'>): string {
  return calledPerson(person.user);
}

// Of what is selected, or was.
export interface Counts {
  particles: number;
  constraints: number;
  bodies: number;
  colliders: number;
  forces: number;
  wind: boolean;
}

export function wordsFor(counts: Counts): string {
  const many = (count: number, one: string, more: string) =>
    count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${more}`];
  const parts = [
    ...many(counts.bodies, 'body', 'bodies'),
    ...many(counts.particles, 'particle', 'particles'),
    ...many(counts.constraints, 'constraint', 'constraints'),
    ...many(counts.colliders, 'collider', 'colliders'),
    ...many(counts.forces, 'field of force', 'fields of force'),
    ...(counts.wind ? ['Wind'] : []),
  ];
  return parts.join(', ');
}

// A name that nothing has yet: 'flag', 'flag 2', …
export function freeName(wanted: string, taken: Iterable<string>): string {
  const all = new Set(taken);
  let name = wanted;
  for (let i = 2; all.has(name); ++i) name = `${wanted} ${i}`;
  return name;
}

// As much of a name as fits in so many bytes of UTF-8.
export function withinBytes(name: string, bytes: number): string {
  const all = new TextEncoder().encode(name);
  return new TextDecoder().decode(all.subarray(0, bytes)).replace(/\uFFFD+$/, '');
}

// One of the curves' colours, the same for a session on every page.
export function personColor(session: number): number {
  return (session * 5) % 7;
}

// What somebody did to the world's time, as the rest of a sentence that begins with their name.
export function timeDeed(before: Pick<Run, 'state'>, run: Run): string {
  if (run.state === 'paused') return 'paused the world';
  const rate = run.rate === 0 ? 'as fast as it can' : `at ${formatNumber(run.rate)}×`;
  if (before.state === 'playing') return `is playing it ${rate}`;
  return run.rate === 1 ? 'started the world' : `started the world ${rate}`;
}

// What an edit was, of which only the method is known.
export function actName(method: string): string {
  const names: Record<string, string> = {
    'world.set': 'a change of the world',
    'world.reset': 'a reset of the world',
    'body.add': 'adding a body',
    'body.set': 'a change of a body',
    'body.remove': 'removing a body',
    'body.force': 'a force',
    'force.add': 'adding a field of force',
    'force.set': 'a change of a field of force',
    'force.remove': 'removing a field of force',
    'collider.add': 'adding a collider',
    'collider.set': 'a change of a collider',
    'collider.remove': 'removing a collider',
    'constraint.add': 'adding constraints',
    'constraint.set': 'a change of constraints',
    'constraint.remove': 'removing constraints',
    'particle.set': 'moving particles',
    'particle.pin': 'pinning particles',
    'particle.unpin': 'unpinning particles',
    'motion.add': 'adding a motion',
    'motion.remove': 'ending a motion',
    'edit.batch': 'a group of edits',
  };
  return names[method] ?? `another edit`;
}

// What somebody did, as the rest of a sentence that begins with their name.
export function deed(edit: Pick<Edit, 'method' | 'things'>, nameOf: (key: string) => string): string {
  const things = edit.things.filter((key) => key !== 'world');
  const named =
    things.length === 1 ? nameOf(things[0] ?? '') : things.length > 1 ? `${things.length} things` : '';
  const constraints = things.length === 1 ? 'a constraint' : 'constraints';
  const deeds: Record<string, string> = {
    'world.set': 'changed the world',
    'world.reset': 'reset the world',
    'body.add': `added ${named}`,
    'body.set': `changed ${named}`,
    'body.remove': `removed ${named || 'a body'}`,
    'body.force': `pushed ${named || 'a body'}`,
    'force.add': 'added a field of force',
    'force.set': 'changed a field of force',
    'force.remove': 'removed a field of force',
    'collider.add': `added ${named}`,
    'collider.set': `changed ${named}`,
    'collider.remove': `removed ${named || 'a collider'}`,
    'constraint.add': `added ${constraints}`,
    'constraint.set': `changed ${constraints}`,
    'constraint.remove': `removed ${constraints}`,
    'particle.set': `moved particles of ${named}`,
    'particle.pin': `pinned particles of ${named}`,
    'particle.unpin': `unpinned particles of ${named}`,
    'motion.add': `gave ${named || 'something'} a motion`,
    'motion.remove': `ended a motion`,
    'edit.batch': `made a group of edits${named && `: ${named}`}`,
    'edit.restore': `put ${named || 'something'} back`,
    'edit.undo': 'undid an edit',
    'edit.redo': 'redid an edit',
  };
  return deeds[edit.method] ?? `made an edit`;
}
