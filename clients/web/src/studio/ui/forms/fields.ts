// Which fields of api.json a form shows, which of them it folds away, and what it says of each.
import {METHODS, TYPES, type Field, type Method} from '../../../lib/index.js';

// Bulk arrays and the names of things are not typed into forms, nor is what consists of them.
const HIDDEN: ReadonlySet<string> = new Set(['ref', 'u32[]', 'any', 'list', 'calls', 'answers']);
const TERMS: ReadonlySet<string> = new Set(['if_revision', 'if_epoch', 'if_thing_revision', 'edit_id', 'gesture']);

export function isShown(field: Field): boolean {
  if (HIDDEN.has(field.type) || TERMS.has(field.name)) return false;
  if (field.type === 'map')
    return (TYPES[field.of as keyof typeof TYPES].fields as readonly Field[]).every(isShown);
  return field.type !== 'number[]' || field.scalar === true;
}

const ADVANCED: ReadonlySet<string> = new Set([
  'stiffness',
  'limit',
  'iterations',
  'resolution',
  'extent',
  'weld',
  'masses',
  'tick_rate',
]);

export function isAdvanced(name: string): boolean {
  return ADVANCED.has(name);
}

// api.json says of some fields that they are as in another method: people are told what that one says.
export function fieldDoc(field: Field, method?: Method): string {
  let doc = field.doc;
  for (let from: Method | undefined = method; /^As (in|remainder)/.test(doc);) {
    const named = /^As in ([a-z]+\.[a-z]+)/.exec(doc)?.[1] as Method | undefined;
    if (!named || named === from || !(named in METHODS)) return '';
    const found = (METHODS[named].params as readonly Field[]).find(({name}) => name === field.name);
    if (!found) return '';
    doc = found.doc;
    from = named;
  }
  return doc;
}
