// Says what other people change while one watches: who, and what. Many edits of one kind by one person are one notice.
import type {App} from '../../model/app.js';
import type {Edit} from '../../model/document.js';
import {bodyName, colliderName, deed, personName} from '../names.js';

const AGAIN_MS = 5000;

export function watchOthers(app: App): () => void {
  const told = new Map<string, number>();
  return app.document.onEdit((edit) => {
    if (edit.mine || edit.motion) return;
    const key = `${edit.session} ${edit.method} ${edit.things.length === 1 ? edit.things[0] : ''}`;
    const last = told.get(key);
    told.set(key, edit.at);
    if (told.size > 100) told.clear();
    if (last !== undefined && edit.at - last < AGAIN_MS) return;
    app.notices.info(wordsOf(app, edit));
  });
}

function wordsOf(app: App, edit: Edit): string {
  const nameOf = (key: string): string => {
    const [kind, id] = key.split(':');
    const body = kind === 'body' ? app.document.bodies.peek().get(Number(id)) : undefined;
    const collider = kind === 'collider' ? app.document.colliders.peek().get(Number(id)) : undefined;
    return body ? bodyName(body) : collider ? colliderName(collider) : '';
  };
  return `${personName(edit)} ${deed(edit, nameOf).trim()}.`;
}
