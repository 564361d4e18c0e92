// Taking edits back, and making them anew. Where somebody has changed the same since, the words of the server say so where it
// was asked for, with a way to do it all the same.
import type {UndoEdit, UndoLeftOut} from '../../lib/index.js';
import type {App} from '../model/app.js';
import type {Outcome} from '../model/outcome.js';
import {whyFixed} from './context.js';
import {actName} from './names.js';

export interface Asked {
  // Which edit; absent: the last of one's own.
  readonly revision?: number;
  readonly force?: boolean;
  // Makes it anew.
  readonly redo?: boolean;
  // Said of what was done; absent: what edit it was.
  readonly words?: string;
  // Once it is done, and the page has heard of it.
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
    const anyway = asked.redo ? 'Redo anyway' : 'Take back anyway';
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
  const what = asked.words ?? `${asked.redo ? 'Redid' : 'Took back'}: ${actName(edit.method ?? '')}.`;
  app.notices.info(`${what}${but}`); // not over what it was asked with
  await app.document.reached(revision);
  asked.then?.();
  return true;
}
