// Groups of the outline, as edits of names (model/groups.ts): one edit for all things, so that one undo takes it back.
import {signal} from '@preact/signals';

import {freeGroup, groupOf, into, moved, nameFlaw, outOf, renamed, thingsOf, type Group, type Named, type Renaming} from '../../model/groups.js';
import {NOTHING_SELECTED, select, type Selected, type Thing} from '../../model/selection.js';
import {said, whyFixed, type Studio} from '../context.js';
import {bodyName, colliderName} from '../names.js';
import {remove} from '../removal.js';

type App = Studio['app'];

// A batch has no more edits.
const MOST = 1000;

// The group whose name is being typed; null: none.
export const typedGroup = signal<string | null>(null);

function allNamed({document}: App): Named[] {
  return [
    ...[...document.bodies.peek().values()].map((one) => ({
      thing: {kind: 'body', body: one.body} as const,
      name: bodyName(one),
    })),
    ...[...document.colliders.peek().values()].map((one) => ({
      thing: {kind: 'collider', collider: one.collider} as const,
      name: colliderName(one),
    })),
  ];
}

function chosen(all: readonly Named[], {bodies, colliders}: Selected): Named[] {
  return all.filter(({thing}) => (thing.kind === 'body' ? bodies.has(thing.body) : colliders.has(thing.collider)));
}

async function rename(app: App, all: readonly Renaming[], near?: Element | null): Promise<boolean> {
  for (let from = 0; from < all.length; from += MOST) {
    const edits = all.slice(from, from + MOST).map(({thing, name}) =>
      thing.kind === 'body'
        ? (['body.set', {body: thing.body, name}] as const)
        : (['collider.set', {collider: thing.collider, name}] as const),
    );
    if (!(await said(app, app.commands.batch(edits), near))) return false;
  }
  return true;
}

// Puts what is selected into a new group, whose name can be typed then.
export async function groupSelected({app, ui}: Studio, near?: Element | null): Promise<void> {
  if (app.document.readOnly.peek() !== '') {
    app.notices.info(whyFixed(app));
    return;
  }
  const all = allNamed(app);
  const things = chosen(all, app.selection.selected.peek());
  if (things.length === 0) {
    app.notices.info('Select bodies or colliders first, then group them.');
    return;
  }
  // Things of one group make a group inside it.
  const above = groupOf(things[0]!.name);
  const inside = above !== '' && things.every(({name}) => groupOf(name) === above);
  const names = all.map(({name}) => name);
  const free = freeGroup(inside ? names.map((name) => name.slice(above.length + 1)) : names);
  const path = inside ? `${above}/${free}` : free;
  if (!(await rename(app, renamed(things, all, into(path)), near))) return;
  if (ui.narrow.peek()) ui.sheet.value = 'outline';
  else ui.outline.value = true;
  typedGroup.value = path;
}

// Lets what is selected out of its groups, each thing into the group above its own.
export async function ungroupSelected({app}: Studio, near?: Element | null): Promise<void> {
  const all = allNamed(app);
  const things = chosen(all, app.selection.selected.peek()).filter(({name}) => groupOf(name) !== '');
  if (things.length === 0) app.notices.info('Nothing that is selected is in a group.');
  else await rename(app, renamed(things, all, outOf), near);
}

// Calls a group something else. False: it keeps its name, and the page says why.
export async function renameGroup({app}: Studio, group: Group, name: string, near?: Element | null): Promise<boolean> {
  const flaw = nameFlaw(name);
  if (flaw !== '') {
    app.notices.info(`${flaw.charAt(0).toUpperCase()}${flaw.slice(1)}.`);
    return false;
  }
  const above = groupOf(group.path);
  const to = above === '' ? name.trim() : `${above}/${name.trim()}`;
  if (to === group.path) return true;
  const all = allNamed(app);
  const inIt = new Set(thingsOf(group).map((thing) => JSON.stringify(thing)));
  const things = all.filter(({thing}) => inIt.has(JSON.stringify(thing)));
  return rename(app, renamed(things, all, moved(group.path, to)), near);
}

export async function removeGroup({app}: Studio, group: Group): Promise<void> {
  await remove(app, select(NOTHING_SELECTED, thingsOf(group), 'replace'));
}

export function selectGroup({app}: Studio, group: Group, mode: 'replace' | 'toggle' | 'add'): void {
  const things: Thing[] = thingsOf(group);
  const {bodies, colliders} = app.selection.selected.peek();
  const all = things.every((thing) =>
    thing.kind === 'body' ? bodies.has(thing.body) : thing.kind === 'collider' && colliders.has(thing.collider),
  );
  app.selection.select(things, mode === 'replace' ? 'replace' : all ? 'remove' : 'add');
}


