// An edit of the past as the page keeps it: who did what to which things, without the arrays that it came with. And
// edits that are one act of a person, such as the hundred that lead a collider along, taken together.
import type {LogEntry} from '../../../lib/index.js';
import type {ThingKey} from '../edits.js';
import {fieldsOf, numberOf, stringOf, u32sOf, type Fields} from '../values.js';

export interface PastEdit {
  // Of its record: grows by one with each edit and each input.
  readonly sequence: number;
  // The boundary at which it applied.
  readonly tick: number;
  // Of the world after it; by it world.branch knows it.
  readonly revision: number;
  // Since 1970, in seconds, by the server's clock.
  readonly at: number;
  readonly user: string;
  readonly session: number;
  readonly method: string;
  readonly things: readonly ThingKey[];
  // What it called the thing that it made or changed; empty where it said nothing of it.
  readonly name: string;
  // 'cloth', 'sphere', … of what it made; else empty.
  readonly kind: string;
  // Revision of the edit that it undid or redid; 0: none.
  readonly undoes: number;
  readonly redoes: number;
  // Revision of the first edit of its gesture, which is taken back whole; 0: it belongs to none.
  readonly gesture: number;
}

// One act: a gesture, or edits of one kind by one person on the same things, one right after the other. `first` says most
// of it.
export interface Act {
  readonly first: PastEdit;
  readonly last: PastEdit;
  // Of all of them, ascending.
  readonly revisions: readonly number[];
}

const NAMED_AT_MOST = 16;
// Between two edits of one act.
const ACT_GAP_S = 1;

function thing(kind: 'body' | 'collider', id: unknown): readonly ThingKey[] {
  const number = numberOf(id, 0);
  return number > 0 ? [`${kind}:${number}`] : [];
}

function constraints(ids: unknown): readonly ThingKey[] {
  return Array.from(u32sOf(ids).subarray(0, NAMED_AT_MOST), (id): ThingKey => `constraint:${id}`);
}

// What an edit was about, without the world that it was made in.
export function thingsOf(method: string, params: Fields, result: Fields): readonly ThingKey[] {
  switch (method) {
    case 'world.set':
    case 'world.reset':
      return ['world'];
    case 'body.add':
      return thing('body', result.body);
    case 'collider.add':
      return thing('collider', result.collider);
    case 'constraint.add':
      return constraints(result.constraints);
    case 'constraint.set':
    case 'constraint.remove':
      return constraints(params.constraints);
    default: {
      const body = thing('body', params.body);
      return body.length > 0 ? body : thing('collider', params.collider);
    }
  }
}

export function pastEditOf(entry: LogEntry): PastEdit {
  const {sequence, tick, revision, at, user, session, method, undoes, redoes, gesture} = entry;
  const params = fieldsOf(entry.params);
  const makes = method === 'body.add' || method === 'collider.add';
  return {
    sequence,
    tick,
    revision,
    at,
    user,
    session,
    method,
    things: thingsOf(method, params, fieldsOf(entry.result)),
    name: stringOf(params.name),
    kind: makes ? stringOf(params.kind) : '',
    undoes,
    redoes,
    gesture: numberOf(gesture, 0),
  };
}

function goesOn(last: PastEdit, next: PastEdit): boolean {
  return (
    last.gesture + next.gesture === 0 &&
    last.session === next.session &&
    last.user === next.user &&
    last.method === next.method &&
    !next.method.endsWith('.add') &&
    !next.method.endsWith('.remove') &&
    next.method !== 'world.reset' &&
    next.at - last.at <= ACT_GAP_S &&
    last.things.length > 0 &&
    last.things.join() === next.things.join()
  );
}

// Revisions of edits that are taken back, as far as these tell: those that do not stand.
export function takenBack(acts: readonly Act[]): ReadonlySet<number> {
  const revisions = new Set<number>();
  for (const {first} of acts) {
    if (first.undoes > 0) revisions.add(first.undoes);
    if (first.redoes > 0) revisions.delete(first.redoes);
  }
  return revisions;
}

// The revisions that edit.undo needs, in this order, to take an act back.
export function stepsOf({first, revisions}: Act): readonly number[] {
  return first.gesture > 0 ? [first.gesture] : [...revisions].reverse();
}

// Edits by sequence, ascending, as acts in the order in which these began.
export function actsOf(edits: readonly PastEdit[]): Act[] {
  const acts: {first: PastEdit; last: PastEdit; revisions: number[]}[] = [];
  const gestures = new Map<number, (typeof acts)[number]>();
  for (const edit of edits) {
    const before = acts[acts.length - 1];
    const act = gestures.get(edit.gesture) ?? (before && goesOn(before.last, edit) ? before : undefined);
    if (act) {
      act.last = edit;
      act.revisions.push(edit.revision);
    } else {
      const begun = {first: edit, last: edit, revisions: [edit.revision]};
      acts.push(begun);
      if (edit.gesture > 0) gestures.set(edit.gesture, begun);
    }
  }
  return acts;
}

// What things were called last, and of which kind they are, as far as edits tell: things that are gone too.
export function namesOf(edits: readonly PastEdit[]): ReadonlyMap<ThingKey, {readonly name: string; readonly kind: string}> {
  const names = new Map<ThingKey, {name: string; kind: string}>();
  for (const {things, name, kind} of edits) {
    const [key] = things;
    if (key === undefined || things.length > 1 || (name === '' && kind === '')) {
      continue;
    }
    names.set(key, {name: name || (names.get(key)?.name ?? ''), kind: kind || (names.get(key)?.kind ?? '')});
  }
  return names;
}
