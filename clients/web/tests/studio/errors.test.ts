// No text with which the server refuses something reaches people with its jargon. The texts are those of its source.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {METHODS, WeftError} from '../../src/lib/index.js';
import {Notices} from '../../src/studio/model/notices.js';
import {plainly, plainWords} from '../../src/studio/ui/errors.js';
import {personName} from '../../src/studio/ui/names.js';
import {friendlyName} from '../../src/studio/ui/session/friendly.js';

const SERVER = new URL('../../../../server/', import.meta.url).pathname;
const REFUSES =
  /(?:world_refuse|document_refuse|document_reader_refuse|protocol_error_set|fault_code_set|fault_set|refuse_revision)\(/g;

function sources(folder: string): string[] {
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : entry.name.endsWith('.c') ? [path] : [];
  });
}

// The end of the call that begins there.
function callAt(source: string, from: number): string {
  let depth = 1;
  let quoted = false;
  let at = from;
  for (; at < source.length && depth > 0; at++) {
    const letter = source[at];
    if (letter === '"' && source[at - 1] !== '\\') quoted = !quoted;
    else if (!quoted && letter === '(') depth += 1;
    else if (!quoted && letter === ')') depth -= 1;
  }
  return source.slice(from, at);
}

// The literals of a call, of which the long ones are texts, with numbers and words in the places of arguments.
function textsOf(call: string): string[] {
  const joined = call.replace(/"\s*(?:PRI\w+)?\s*"/g, (all) => (all.includes('PRI') ? 'd' : ''));
  return [...joined.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = '']) => text.replace(/\\"/g, '"'))
    .filter((text) => text.includes(' '))
    .map((text) =>
      text.replace(/%(?:\.?\*?[\d.]*)(?:ll|z)?([a-zA-Z])/g, (_, kind: string) => (kind === 's' ? 'thing' : '17')),
    );
}

const TEXTS = sources(SERVER).flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(REFUSES)].flatMap(({index, 0: name}) => textsOf(callAt(source, index + name.length)));
});

const METHOD = new RegExp(`(?<![\\w.])(${Object.keys(METHODS).join('|')})(?![\\w])`);
const JARGON = /\bsessions? \d|\brevision \d|[{}]|weftd? --|\(limit|\bRPC\b/;

describe('words for people', () => {
  it('are made of every text with which the server refuses something', () => {
    expect(TEXTS.length).toBeGreaterThan(400);
    const bad = TEXTS.map((text) => [text, plainWords(null, text)] as const).filter(
      ([, words]) => METHOD.test(words) || JARGON.test(words) || words === '.',
    );
    expect(bad).toEqual([]);
  });

  it('keep what is wrong and what would be right, and leave out what only programs can do', () => {
    const said = (text: string) => plainWords(null, text);
    expect(said('thickness: 0.000001 m; must be at least 0.0000076 m')).toBe(
      'Thickness: 0.000001 m; must be at least 0.0000076 m.',
    );
    expect(said('world "flag" (3) failed: it broke; edit.undo or world.reset mends it')).toBe('World “flag” failed: it broke.');
    expect(said('stretch.limit: 7; must be in [0, 1] (limit stretch = 1)')).toBe('Stretch limit: 7; must be in [0, 1].');
    expect(said('you have taken nothing back')).toBe('You have taken nothing back.');
    expect(plainly(null, '3 m; must be in (0, 1]')).toBe('3 m; must be in (0, 1]');
  });

  it('do not name people by the number of their session', () => {
    expect(['', 'session-12', 'Ann', 'session-x'].map((user) => personName({user}))).toEqual([
      'Someone',
      'Someone',
      'Ann',
      'session-x',
    ]);
  });
});

describe('a friendly name', () => {
  it('is one that nobody there has, and never empty while there is another', () => {
    const first = friendlyName(new Set(), () => 0);
    expect(first).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    const second = friendlyName(new Set([first]), () => 0);
    expect([first === second, second.length > 0]).toEqual([false, true]);
    const many = new Set(Array.from({length: 500}, (_, i) => friendlyName(new Set(), () => i / 500)));
    expect(many.size).toBe(500);
    expect([...many].every((name) => new TextEncoder().encode(name).length <= 64)).toBe(true);
  });
});

describe('a notice with a button', () => {
  const action = (name: string) => ({name, run: () => undefined});
  const refusal = () => new WeftError({kind: 1, code: 'CONFLICT', text: 'no', revision: 7}, 'edit.undo');

  it('gives way to a later one of the same kind alone, and goes when it is settled or the world is another', () => {
    const notices = new Notices();
    const texts = () => notices.list.value.map(({text}) => text);
    notices.offer('Removed sail.', action('Restore'), 3);
    notices.info('Ann changed ball.');
    notices.refusal(refusal(), 'Bob changed it since. Undo anyway?', null, action('Undo anyway'));
    notices.offer('Removed ball.', action('Restore'), 4);
    expect(texts()).toEqual(['Ann changed ball.', 'Bob changed it since. Undo anyway?', 'Removed ball.']);
    notices.settle(4);
    expect(texts()).toEqual(['Ann changed ball.', 'Bob changed it since. Undo anyway?']);
    notices.forget();
    expect(texts()).toEqual(['Ann changed ball.']);
  });
});
