// Says what other people do while one watches: who, and what. Many edits of one kind by one person are one notice.
import {effect} from '@preact/signals';

import type {App} from '../../model/app.js';
import type {Edit, Run} from '../../model/document.js';
import type {Contents} from '../../model/edits.js';
import {bodyName, colliderName, deed, personName, timeDeed} from '../names.js';

const AGAIN_MS = 5000;

export function watchOthers(app: App): () => void {
  const told = new Map<string, number>();
  const offEdits = app.document.onEdit((edit, before) => {
    if (edit.mine || edit.motion) return;
    const key = `${edit.session} ${edit.method} ${edit.things.length === 1 ? edit.things[0] : ''}`;
    const last = told.get(key);
    told.set(key, edit.at);
    if (told.size > 100) told.clear();
    if (last !== undefined && edit.at - last < AGAIN_MS) return;
    app.notices.info(wordsOf(app, edit, before));
  });
  let before: Run = app.document.run.peek();
  const offRuns = effect(() => {
    const run = app.document.run.value;
    const last = before;
    before = run;
    if (
      run === last ||
      run.session === 0 ||
      run.session === app.client.hello?.session ||
      run.state === 'failed'
    )
      return;
    app.notices.info(`${personName(run)} ${timeDeed(last, run)}.`);
  });
  return () => {
    offEdits();
    offRuns();
  };
}

// What was removed is known only from before.
function wordsOf(app: App, edit: Edit, before: Contents): string {
  const nameOf = (key: string): string => {
    const [kind, id] = key.split(':');
    const {bodies, colliders} = app.document;
    const body =
      kind === 'body' ? (bodies.peek().get(Number(id)) ?? before.bodies.get(Number(id))) : undefined;
    const collider =
      kind === 'collider'
        ? (colliders.peek().get(Number(id)) ?? before.colliders.get(Number(id)))
        : undefined;
    return body ? bodyName(body) : collider ? colliderName(collider) : '';
  };
  return `${personName(edit)} ${deed(edit, nameOf).trim()}.`;
}
