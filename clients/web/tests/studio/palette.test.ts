// How the palette finds things, and that no two verbs have one key.
import {describe, expect, it} from 'vitest';
import {shownKey, VERBS} from '../../src/studio/ui/keys/verbs.js';
import {fits, found} from '../../src/studio/ui/palette/fuzzy.js';

const same = (text: string) => text;

describe('what is typed', () => {
  it('fits by letters in order, and by each word of it', () => {
    expect(fits('xyz', 'Remove')).toBeNull();
    expect(fits('evomer', 'Remove')).toBeNull();
    expect(fits('rmv', 'Remove')).not.toBeNull();
    expect(fits('com str', 'Stretch: compliance')).not.toBeNull();
    expect(fits('com zzz', 'Stretch: compliance')).toBeNull();
    expect(fits('', 'anything')).toBe(0);
  });

  it('finds first what begins with it, then starts of words, then what contains it, then single letters', () => {
    const names = ['Particles in view', 'Unpin', 'Pin', 'Spinning ball', 'Pin softly', 'Plot in numbers'];
    expect(found('pin', names, same)).toEqual([
      'Pin',
      'Pin softly',
      'Plot in numbers',
      'Unpin',
      'Spinning ball',
    ]);
    expect(found('sc', ['Disc', 'Save the collider', 'Slow'], same)).toEqual(['Save the collider', 'Disc']);
    expect(found('sheet', ['Show the substeps of a tick', 'sheet'], same)).toEqual(['sheet']);
    expect(found('', names, same)).toEqual(names);
  });
});

describe('verbs', () => {
  it('have a key each that no other has, and a name that is unlike others', () => {
    const keys = VERBS.flatMap(({keys: own}) => own);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    const camera = ['w', 'a', 's', 'd', 'q', 'e', 'f'];
    expect(keys.filter((key) => camera.includes(key.replace('shift+', '')) && !key.startsWith('mod+'))).toEqual([]);
    const names = VERBS.map(({name}) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(VERBS.filter((verb) => shownKey(verb) === '')).toEqual([]);
  });
});
