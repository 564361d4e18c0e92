// Errors of the server as sentences for people.
//
//     {code, field, value, user, changes, …} ──▶ a sentence of its own, if these say all that it needs
//     {text}                                 ──▶ the server's text in plain words, for all others
//
// Neither names a method, a session or a revision. Programs read these from the error itself.
import {METHODS, type UndoOverwritten, type WeftError} from '../../lib/index.js';
import type {App} from '../model/app.js';
import type {Body, Collider} from '../model/values.js';
import {prettyName} from './forms/units.js';
import {actName, bodyName, colliderName, deed, personName} from './names.js';

type Change = Required<UndoOverwritten>;

const UNDOES: readonly string[] = ['edit.undo', 'edit.redo'];

export function errorWords(app: App, error: WeftError): string {
  return own(app, error) ?? plainWords(app, error.text);
}

// A conflict that force overrides: the later changes are overwritten then. Without them it is another person's edit.
export function canForce({method = '', code, field, changes, user}: WeftError, own: string): boolean {
  if (!UNDOES.includes(method) || field !== 'revision') return false;
  return code === 'CONFLICT' ? changes.length > 0 : code === 'DENIED' && (user ?? '') !== own;
}

// ---------------------------------------------------------------------------------------------------------
// Sentences of what an error says for programs

function own(app: App, error: WeftError): string | null {
  const {code, method = '', field, value, user} = error;
  const person = personName({user: user ?? ''});
  if (UNDOES.includes(method)) return ofUndo(app, error);
  switch (code) {
    case 'INTERNAL':
      return 'Something went wrong in the server. Its log says more.';
    case 'MEMORY':
      return 'The server has no memory left for this. Nothing changed.';
    case 'SHUTDOWN':
      return 'The server is going down and takes no more changes.';
    case 'BUSY':
      return 'Too much waits in this world. Try again in a moment.';
    case 'CONFLICT':
      if (method === 'grab.begin' && field === 'particle' && value !== undefined) return `${person} holds this point.`;
      if (method === 'world.step' || method === 'world.play') return steps(error.text, person);
      return null;
    case 'DENIED':
      if (field === 'grab') return `${person} holds this now.`;
      return field === 'world' ? ofRole(app, error) : null;
    default:
      return null;
  }
}

// A world that plays is in the way of a step too, and nobody in particular made it play.
function steps(text: string, person: string): string | null {
  return text.includes('is stepping') ? `${person} is stepping this world. Pause it first.` : null;
}

// The caller's role does not suffice, or another person has control of the world's time.
function ofRole(app: App, {method = '', user}: WeftError): string {
  const needed: string = METHODS[method as keyof typeof METHODS]?.role ?? 'editor';
  const {role} = app.access;
  if (role.peek() !== 'viewer' && user !== app.client.hello?.user && needed !== 'owner')
    return `${personName({user: user ?? ''})} controls the time of this world now.`;
  return needed === 'owner'
    ? 'Only owners of this world can do that.'
    : 'You can look at this world, but not change it. An owner can make you an editor.';
}

function ofUndo(app: App, error: WeftError): string | null {
  const {code, method, field, value, user, changes} = error;
  const redo = method === 'edit.redo';
  const named = field === 'revision' && value !== undefined;
  const undone = redo ? 'redone' : 'undone';
  if (code === 'CONFLICT' && changes.length > 0) {
    if (field === 'revision') return `${changedWords(app, changes)} since.`;
    const {thing, id} = whole(changes[0]!);
    const back = fieldWords(app, {thing, id, field: field ?? ''});
    return `${changedWords(app, changes)} since, and ${back} does not go together with that.`;
  }
  if (code === 'CONFLICT' && named) return redo ? 'This edit was not undone.' : 'This edit is undone already.';
  if (code === 'NOT_FOUND')
    return named
      ? `This edit can no longer be ${undone}.`
      : redo
        ? 'There is nothing of yours to redo.'
        : 'There is nothing more of yours to undo.';
  if (code === 'DENIED' && named)
    return canForce(error, app.client.hello?.user ?? '')
      ? `This is an edit of ${personName({user: user ?? ''}).replace(/^S/, (letter) => (user ? letter : 's'))}.`
      : `Only people who may reset this world can have its reset ${undone}.`;
  return null;
}

// ---------------------------------------------------------------------------------------------------------
// Changes of other people

const NAMED_AT_MOST = 3;

// 'Ann changed the wind’s drag and the friction of sail, and Bob removed ball': by person, without an end.
export function changedWords(app: App, changes: readonly UndoOverwritten[]): string {
  const people = new Map<string, Change[]>();
  for (const change of changes.map(whole)) people.set(change.user, [...(people.get(change.user) ?? []), change]);
  const clauses = [...people].map(([user, all]) => {
    const fields = all.filter(({field}) => field !== '');
    const deeds = new Set(all.filter(({field}) => field === '').map((change) => wholeWords(app, change)));
    const objects = listed([...new Set(fields.map((change) => fieldWords(app, change)))]);
    return `${personName({user})} ${listed([...(objects === '' ? [] : [`changed ${objects}`]), ...deeds])}`;
  });
  return clauses.join(', and ');
}

function whole({thing = 'world', id = 0, field = '', user = '', ...rest}: UndoOverwritten): Change {
  return {what: '', revision: 0, method: '', ...rest, thing, id, field, user};
}

// Tells what a forced undo overwrote, as a sentence; empty if it overwrote nothing.
export function overwrittenWords(app: App, changes: readonly UndoOverwritten[]): string {
  return changes.length === 0 ? '' : ` It overwrote what others did: ${changedWords(app, changes)}.`;
}

// Tells of one thing as a whole: 'removed sail', 'pinned particles of sail'.
function wholeWords(app: App, {thing, id, method}: Change): string {
  return deed({method, things: [thing === 'world' ? thing : `${thing as 'body'}:${id}`]}, () => thingWords(app, thing, id));
}

// 'the wind’s drag', 'the stretch compliance of sail'.
export function fieldWords(app: App, {thing, id, field}: Pick<Change, 'thing' | 'id' | 'field'>): string {
  const words = (path: string) => prettyName(path.replaceAll('.', ' ')).toLowerCase();
  const names = field.split(', ');
  if (thing !== 'world') return `the ${listed(names.map(words))} of ${thingWords(app, thing, id)}`;
  const named = names.map((path) => {
    const [first = '', ...rest] = path.split('.');
    return rest.length > 0 ? `the ${words(first)}’s ${words(rest.join('.'))}` : `the world’s ${words(first)}`;
  });
  return listed(named);
}

function thingWords(app: App, thing: string, id: number): string {
  const {bodies, colliders} = app.document;
  const body = thing === 'body' ? bodies.peek().get(id) : undefined;
  const collider = thing === 'collider' ? colliders.peek().get(id) : undefined;
  if (body) return bodyName(body);
  if (collider) return colliderName(collider);
  return thing === 'force' ? 'a field of force' : thing === 'world' ? 'the world' : `a ${thing}`;
}

function listed(words: readonly string[]): string {
  const more = words.length - NAMED_AT_MOST;
  const shown = more > 0 ? [...words.slice(0, NAMED_AT_MOST), `${more} more`] : words;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}

// ---------------------------------------------------------------------------------------------------------
// The server's text without its jargon

// A method, a map of parameters or an option of a program: what only programs can do.
const METHOD = new RegExp(`(?<![\\w.])(${Object.keys(METHODS).join('|').replaceAll('.', '\\.')})(?![\\w.]*\\w)`, 'g');
const FOR_PROGRAMS = new RegExp(`${METHOD.source}|\\{|--\\w|\\bforce (takes|redoes)`);
// Matches what stands in parentheses for programs: ids, names of limits, methods.
const ASIDE = /\s*\((?:\d+|(?:session|grab|revision|limits?|gen)\b[^()]*|[a-z]+\.[a-z]+[^()]*)\)/g;

// A sentence of what the server says: things by their names, and nothing that only programs can use.
export function plainWords(app: App | null, text: string): string {
  const words = plainly(app, text);
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return sentence === '' || /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

// The same as a part of a sentence.
export function plainly(app: App | null, text: string): string {
  const bare = text.replace(ASIDE, '');
  const clauses = bare.split('; ');
  const kept = clauses.filter((clause) => !FOR_PROGRAMS.test(clause));
  return (kept.length > 0 ? kept : clauses.slice(0, 1))
    .join('; ')
    .replace(METHOD, (method) => actName(method))
    .replace(/\{[^}]*\}?/g, '')
    .replace(/\bweftd? --[\w-]+( [A-Z:/@]+)*/g, 'an option of the server')
    .replace(/,? ?(?:of|at|since|after|is that of)? ?\brevisions? \d+\b/g, '')
    .replace(/\bthis session('s)?\b/g, (_, owns?: string) => (owns ? 'this page’s' : 'this page'))
    .replace(/\b(?:another|a) session\b/g, 'another page')
    .replace(/\bsession \d+\b/g, 'somebody')
    .replace(/\b(body|collider) (\d+)( "[^"]*")?/g, (all, kind: string, id: string) => named(app, kind, Number(id)) ?? all)
    .replace(/"([^"]*)"/g, '“$1”')
    .replace(/^([a-z][\w.[\]]*): /, (_, path: string) => `${prettyName(path.replace(/\[\d+\]/g, '').replaceAll('.', ' '))}: `)
    .replace(/\s+/g, ' ')
    .trim();
}

function named(app: App | null, kind: string, id: number): string | null {
  const thing: Body | Collider | undefined =
    kind === 'body' ? app?.document.bodies.peek().get(id) : app?.document.colliders.peek().get(id);
  if (!thing) return null;
  return 'body' in thing ? bodyName(thing) : colliderName(thing);
}
