// The past in words: times, edits with their people, and the result of a branch.
import type {Results} from '../../../lib/index.js';
import type {App} from '../../model/app.js';
import type {ThingKey} from '../../model/edits.js';
import type {Act, PastEdit} from '../../model/past/edits.js';
import type {Mark, Stop} from '../../model/past/strip.js';
import {formatCount} from '../forms/numbers.js';
import {plainWords} from '../errors.js';
import {actName, bodyName, colliderName, deed, personName} from '../names.js';

// Of the world: 0:05.0.
export function secondsText(tick: number, tickRate: number): string {
  const seconds = tickRate > 0 ? tick / tickRate : 0;
  const minutes = Math.floor(seconds / 60);
  // Downwards, as clocks do: 59.97 s are not a minute yet.
  const rest = Math.floor(10 * (seconds - 60 * minutes) + 1e-6) / 10;
  return `${minutes}:${rest.toFixed(1).padStart(4, '0')}`;
}

export function tickText(tick: number, tickRate: number): string {
  return `${secondsText(tick, tickRate)}, tick ${formatCount(tick)}`;
}

// How long it lasted, roughly.
export function lastingText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

// When it was, by the clock on the wall of whoever reads; with the day where that is another.
export function clockText(at: number, now = Date.now()): string {
  const when = new Date(1000 * at);
  const time = when.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', second: '2-digit'});
  const today = new Date(now).toDateString() === when.toDateString();
  return today ? time : `${when.toLocaleDateString([], {day: 'numeric', month: 'short'})} ${time}`;
}

export type NameOf = (key: string) => string;

// What a thing is called now, or was when it was there last.
export function nameIn(app: App): NameOf {
  return (key) => {
    const [kind, number] = key.split(':');
    const id = Number(number);
    const known = app.past.log.peek().names.peek().get(key as ThingKey);
    if (kind === 'body') {
      const body = app.document.bodies.peek().get(id);
      return bodyName(body ?? {body: id, name: known?.name ?? '', kind: (known?.kind || 'body') as 'cloth'});
    }
    if (kind === 'collider') {
      const collider = app.document.colliders.peek().get(id);
      return colliderName(
        collider ?? {collider: id, name: known?.name ?? '', kind: (known?.kind || 'collider') as 'box'},
      );
    }
    return '';
  };
}

export function whoText(edit: Pick<PastEdit, 'user'>): string {
  return personName(edit);
}

// 'pinned particles of flag (12 times)': the rest of a sentence that begins with the person.
export function actText({first, revisions}: Act, nameOf: NameOf): string {
  const words = deed(first, nameOf).replace(/\s+/g, ' ').trim();
  return revisions.length > 1 ? `${words} (${formatCount(revisions.length)} edits)` : words;
}

export function markText({acts}: Mark, nameOf: NameOf, tickRate: number): string {
  const [act] = acts;
  if (!act) return '';
  const more = acts.length > 1 ? `, and ${formatCount(acts.length - 1)} more nearby` : '';
  return `${whoText(act.first)} ${actText(act, nameOf)}${more}; ${tickText(act.first.tick, tickRate)}`;
}

export function stopText({tick, seconds}: Stop, tickRate: number): string {
  return `Paused for ${lastingText(seconds)} or more at ${tickText(tick, tickRate)}`;
}

const TOLD = 3;

// What did not apply any more in a branch; empty where all did.
export function refusedText(refused: Results['world.branch']['refused']): string {
  if (refused.length === 0) return '';
  const some = refused.slice(0, TOLD).map(({method, text}) => `${actName(method)} (${plainWords(null, text).replace(/\.$/, '')})`);
  const more = refused.length > TOLD ? `; and ${formatCount(refused.length - TOLD)} more` : '';
  const many = refused.length === 1 ? 'An edit does' : `${formatCount(refused.length)} edits do`;
  return `${many} not apply in this branch and ${refused.length === 1 ? 'was' : 'were'} left out: ${some.join('; ')}${more}.`;
}

// A name for a branch that says where it comes from, within the bytes that a name may have.
export function branchName(world: string, tick: number | null, tickRate: number): string {
  const from = tick === null ? 'without' : `at ${secondsText(tick, tickRate)}`;
  // Branches of branches would grow for ever.
  return `${world.replace(/ (at \d+:\d\d\.\d|without)( \d+)?$/, '')} ${from}`;
}
