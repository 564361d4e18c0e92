// Undoes edits and makes them again. If somebody has changed the same things since, the page says who and what at the
// button, and asks whether to do it anyway.
import type {UndoEdit, UndoLeftOut, UndoOverwritten} from '../../lib/index.js';
import type {App} from '../model/app.js';
import type {Outcome} from '../model/outcome.js';
import {whyFixed} from './context.js';
import {canForce, errorWords, overwrittenWords, plainWords} from './errors.js';
import {actName} from './names.js';

export interface Asked {
  // The edit to undo or redo; absent: the person's last one.
  readonly revision?: number;
  readonly force?: boolean;
  // Makes the edit again.
  readonly redo?: boolean;
  // The message when it is done; absent: it names the edit.
  readonly words?: string;
  // Called once it is done, and the page has heard of it.
  then?(): void;
}

interface Done {
  readonly revision: number;
  readonly edit: UndoEdit;
  readonly leftOut: readonly UndoLeftOut[];
  // Only if it was forced.
  readonly overwritten: readonly UndoOverwritten[];
}

async function ask({commands}: App, {revision, force, redo}: Asked): Promise<Outcome<Done>> {
  const fields = {...(revision === undefined ? {} : {revision}), ...(force ? {force} : {})};
  if (redo) {
    const done = await commands.call('edit.redo', fields);
    if (!done.ok) return done;
    const {revision: now, redone, left_out, overwritten} = done.result;
    return {ok: true, result: {revision: now, edit: redone, leftOut: left_out, overwritten}};
  }
  const done = await commands.call('edit.undo', fields);
  if (!done.ok) return done;
  const {revision: now, undone, left_out, overwritten} = done.result;
  return {ok: true, result: {revision: now, edit: undone, leftOut: left_out, overwritten}};
}

const ANYWAY = ['Undo anyway', 'Redo anyway'] as const;

// Says whether it was done.
export async function takeBack(app: App, asked: Asked = {}, near?: Element | null): Promise<boolean> {
  if (app.document.readOnly.peek() !== '') {
    app.notices.info(whyFixed(app));
    return false;
  }
  // What is near may be gone when the answer comes.
  const box = near?.isConnected ? near.getBoundingClientRect() : undefined;
  const where = box ? {x: box.left + box.width / 2, y: box.top} : null;
  const done = await ask(app, asked);
  if (!done.ok) {
    const anyway = ANYWAY[asked.redo ? 1 : 0];
    const forced = {...asked, force: true};
    const words = errorWords(app, done.error);
    if (canForce(done.error, app.client.hello?.user ?? '') && !asked.force)
      app.notices.refusal(done.error, `${words} ${anyway}?`, where, {name: anyway, run: () => void takeBack(app, forced)});
    else app.notices.error(done.error, where);
    return false;
  }
  const {edit, leftOut, overwritten, revision} = done.result;
  const what = asked.words ?? `${asked.redo ? 'Redone' : 'Undone'}: ${actName(edit.method ?? '')}.`;
  app.notices.settle(edit.revision ?? 0);
  ANYWAY.forEach((name) => app.notices.answered(name));
  app.notices.info(`${what}${leftOutWords(app, leftOut)}${overwrittenWords(app, overwritten)}`); // not over what it was asked with
  await app.document.reached(revision);
  asked.then?.();
  return true;
}

// Tells what could not come back, and why not.
function leftOutWords(app: App, [first, ...more]: readonly UndoLeftOut[]): string {
  if (!first) return '';
  const others = more.length > 0 ? ` So it is with ${more.length} more.` : '';
  return ` A ${first.thing} could not come back: ${plainWords(app, first.why ?? '')}${others}`;
}
