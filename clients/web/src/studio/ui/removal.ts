// Removing, with a way back for as long as the words about it are shown.
import type {App} from '../model/app.js';
import {refused} from '../model/outcome.js';
import type {Removed} from '../model/removals.js';
import {NOTHING_SELECTED, select, type Selected, type Thing} from '../model/selection.js';
import {said, whyFixed} from './context.js';
import {bodyName, colliderName, wordsFor} from './names.js';

export async function remove(app: App, selected: Selected, near?: Element | null): Promise<void> {
  if (selected.bodies.size + selected.colliders.size + selected.constraints.size === 0) return;
  if (app.document.readOnly.peek() !== '') {
    app.notices.info(whyFixed(app));
    return;
  }
  const removed = await app.removals.remove(selected);
  const {refusal} = removed;
  if (refusal) await said(app, Promise.resolve(refused(refusal)), near);
  if (removed.bodies.length + removed.colliders.length + removed.constraints.length === 0) return;
  app.notices.offer(`Removed ${wordsOf(removed)}.`, {
    name: 'Put back',
    run: () => void putBack(app, removed),
  });
}

export function removeThing(app: App, thing: Thing): Promise<void> {
  return remove(app, select(NOTHING_SELECTED, [thing], 'replace'));
}

async function putBack(app: App, removed: Removed): Promise<void> {
  const back = await removed.putBack();
  if (!back.ok) {
    app.notices.error(back.error);
    return;
  }
  const {bodies, colliders, constraints} = back.result;
  app.selection.select([
    ...[...bodies].map((body): Thing => ({kind: 'body', body})),
    ...[...colliders].map((collider): Thing => ({kind: 'collider', collider})),
    ...[...constraints].map(([constraint, type]): Thing => ({kind: 'constraint', constraint, type})),
  ]);
  app.notices.info(`Put back ${wordsOf(removed)}.`);
}

function wordsOf({bodies, colliders, constraints}: Removed): string {
  const [body] = bodies;
  const [collider] = colliders;
  if (bodies.length + colliders.length + constraints.length === 1) {
    if (body) return bodyName(body);
    if (collider) return colliderName(collider);
  }
  return wordsFor({
    bodies: bodies.length,
    colliders: colliders.length,
    constraints: constraints.length,
    particles: 0,
    wind: false,
  });
}
