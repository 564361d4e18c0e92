// Removing, with a way back for as long as the words about it are shown; and after that as any edit is taken back.
import type {App} from '../model/app.js';
import {refused} from '../model/outcome.js';
import type {Removed} from '../model/removals.js';
import {NOTHING_SELECTED, select, type Selected, type Thing} from '../model/selection.js';
import {said, whyFixed} from './context.js';
import {bodyName, colliderName, forceName, wordsFor} from './names.js';
import {isLocked} from './panels/look.js';
import {takeBack} from './undo.js';

export async function remove(app: App, selected: Selected, near?: Element | null): Promise<void> {
  if (selected.bodies.size + selected.colliders.size + selected.constraints.size + selected.forces.size === 0) return;
  if (app.document.readOnly.peek() !== '') {
    app.notices.info(whyFixed(app));
    return;
  }
  if (isLocked(app, selected)) {
    app.notices.info('This is locked on this page. Unlock it first.');
    return;
  }
  const removed = await app.removals.remove(selected);
  if (removed.refusal) {
    await said(app, Promise.resolve(refused(removed.refusal)), near);
    return;
  }
  app.notices.offer(
    `Removed ${wordsOf(removed)}.`,
    {name: 'Restore', run: () => putBack(app, removed)},
    removed.revision,
  );
}

export function removeThing(app: App, thing: Thing): Promise<void> {
  return remove(app, select(NOTHING_SELECTED, [thing], 'replace'));
}

function putBack(app: App, removed: Removed): void {
  const {bodies, colliders, constraints, forces, revision} = removed;
  void takeBack(app, {
    revision,
    words: `Restored ${wordsOf(removed)}.`,
    then: () =>
      app.selection.select([
        ...bodies.map(({body}): Thing => ({kind: 'body', body})),
        ...colliders.map(({collider}): Thing => ({kind: 'collider', collider})),
        ...forces.map(({force}): Thing => ({kind: 'force', force})),
        ...(bodies.length > 0
          ? []
          : [...constraints].map(([constraint, type]): Thing => ({kind: 'constraint', constraint, type}))),
      ]),
  });
}

function wordsOf({bodies, colliders, constraints, forces}: Removed): string {
  const [body] = bodies;
  const [collider] = colliders;
  if (bodies.length + colliders.length + constraints.size + forces.length === 1) {
    if (forces[0]) return forceName(forces[0]);
    if (body) return bodyName(body);
    if (collider) return colliderName(collider);
  }
  return wordsFor({
    bodies: bodies.length,
    colliders: colliders.length,
    constraints: constraints.size,
    forces: forces.length,
    particles: 0,
    wind: false,
  });
}
