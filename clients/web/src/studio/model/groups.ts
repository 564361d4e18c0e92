// Groups of bodies and colliders. The group of a thing is a part of its name, up to the last '/': what is called
// 'Stage/Curtains/left' is in the group 'Stage/Curtains', which is in the group 'Stage'. So a group is kept with the world,
// other people see it, scenes have it, and undo takes it back. It needs no place of its own, and ends with its last thing.
import type {Thing} from './selection.js';
import type {Body, Collider} from './values.js';

export interface Group {
  // 'Stage/Curtains'
  readonly path: string;
  // 'Curtains'
  readonly name: string;
  readonly groups: readonly Group[];
  readonly bodies: readonly Body[];
  readonly colliders: readonly Collider[];
}

// A thing and the name that it is to have.
export interface Renaming {
  readonly thing: Extract<Thing, {kind: 'body' | 'collider'}>;
  readonly name: string;
}

// A thing with the name that it has, or the one that the page gives it if it has none.
export interface Named {
  readonly thing: Renaming['thing'];
  readonly name: string;
}

// Empty if the name has no group: a '/' at an end, or two of them together, makes none.
export function groupOf(name: string): string {
  const parts = name.split('/');
  return parts.length > 1 && parts.every((part) => part.trim() !== '') ? parts.slice(0, -1).join('/') : '';
}

export function leafOf(name: string): string {
  const group = groupOf(name);
  return group === '' ? name : name.slice(group.length + 1);
}

const isIn = (group: string, path: string) => group === path || group.startsWith(`${path}/`);

// All groups as a tree, in the order in which their first things come.
export function groupsOf(bodies: Iterable<Body>, colliders: Iterable<Collider>): readonly Group[] {
  interface Making extends Group {
    readonly groups: Making[];
    readonly bodies: Body[];
    readonly colliders: Collider[];
  }
  const known = new Map<string, Making>();
  const roots: Making[] = [];
  const at = (path: string): Making => {
    const made = known.get(path);
    if (made) return made;
    const above = groupOf(path);
    const group: Making = {path, name: leafOf(path), groups: [], bodies: [], colliders: []};
    known.set(path, group);
    (above === '' ? roots : at(above).groups).push(group);
    return group;
  };
  for (const body of bodies) {
    const path = groupOf(body.name);
    if (path !== '') at(path).bodies.push(body);
  }
  for (const collider of colliders) {
    const path = groupOf(collider.name);
    if (path !== '') at(path).colliders.push(collider);
  }
  return roots;
}

// All things of a group, those of the groups in it too.
export function thingsOf({bodies, colliders, groups}: Group): Renaming['thing'][] {
  return [
    ...bodies.map(({body}) => ({kind: 'body', body}) as const),
    ...colliders.map(({collider}) => ({kind: 'collider', collider}) as const),
    ...groups.flatMap(thingsOf),
  ];
}

// The names of `things` once each is called what `to` says of it. Names that others have keep theirs: what would have the
// same gets a number. Bodies and colliders do not take names from one another.
export function renamed(things: readonly Named[], all: readonly Named[], to: (name: string) => string): Renaming[] {
  const key = ({kind, ...id}: Renaming['thing']) => `${kind} ${Object.values(id).join()}`;
  const moving = new Set(things.map(({thing}) => key(thing)));
  const taken = {body: new Set<string>(), collider: new Set<string>()};
  for (const {thing, name} of all) {
    if (!moving.has(key(thing))) taken[thing.kind].add(name);
  }
  return things.flatMap(({thing, name}) => {
    const wanted = to(name);
    let free = wanted;
    for (let i = 2; taken[thing.kind].has(free); i++) free = `${wanted} ${i}`;
    taken[thing.kind].add(free);
    return free === name ? [] : [{thing, name: free}];
  });
}

// Into the group `path`, whatever group a thing is in now.
export const into = (path: string) => (name: string) => `${path}/${leafOf(name)}`;

// Out of its group, into the one above.
export function outOf(name: string): string {
  const group = groupOf(name);
  const above = groupOf(group);
  return group === '' ? name : above === '' ? leafOf(name) : `${above}/${leafOf(name)}`;
}

// With the group `from` called `to`, of things in it.
export const moved = (from: string, to: string) => (name: string) =>
  isIn(groupOf(name), from) ? `${to}${name.slice(from.length)}` : name;

// 'Group', 'Group 2', …: the first that there is not.
export function freeGroup(names: Iterable<string>): string {
  const taken = new Set([...names].map((name) => groupOf(name).split('/')[0]));
  let name = 'Group';
  for (let i = 2; taken.has(name); i++) name = `Group ${i}`;
  return name;
}

// Why a group cannot be called that; empty if it can.
export function nameFlaw(name: string): string {
  if (name.trim() === '') return 'a group needs a name';
  return name.includes('/') ? `"${name}": the name of a group has no /` : '';
}
