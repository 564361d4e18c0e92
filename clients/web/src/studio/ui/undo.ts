// Undoes edits and makes them again. If somebody has changed the same things since, the server's words are shown at the
// button, with a way to do it anyway.
import type {UndoEdit, UndoLeftOut} from '../../lib/index.js';
import type {App} from '../model/app.js';
import type {Outcome} from '../model/outcome.js';
import {whyFixed} from './context.js';
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
}

async function ask({commands}: App, {revision, force, redo}: Asked): Promise<Outcome<Done>> {
  const fields = {...(revision === undefined ? {} : {revision}), ...(force ? {force} : {})};
  if (redo) {
    const done = await commands.call('edit.redo', fields);
    if (!done.ok) return done;
    const {revision: now, redone, left_out} = done.result;
    return {ok: true, result: {revision: now, edit: redone, leftOut: left_out}};
  }
  const done = await commands.call('edit.undo', fields);
  if (!done.ok) return done;
  const {revision: now, undone, left_out} = done.result;
  return {ok: true, result: {revision: now, edit: undone, leftOut: left_out}};
}

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
    const {code} = done.error;
    const anyway = asked.redo ? 'Redo anyway' : 'Undo anyway';
    const forced = {...asked, force: true};
    if ((code === 'CONFLICT' || code === 'DENIED') && !asked.force)
      app.notices.refusal(done.error, where, {name: anyway, run: () => void takeBack(app, forced)});
    else app.notices.error(done.error, where);
    return false;
  }
  const {edit, leftOut, revision} = done.result;
  const [left] = leftOut;
  const more = leftOut.length > 1 ? `, and ${leftOut.length - 1} more` : '';
  const but = left ? ` Left out: ${left.thing} ${left.id}, ${left.why}${more}.` : '';
  const what = asked.words ?? `${asked.redo ? 'Redone' : 'Undone'}: ${actName(edit.method ?? '')}.`;
  app.notices.info(`${what}${but}`); // not over what it was asked with
  await app.document.reached(revision);
  asked.then?.();
  return true;
}
