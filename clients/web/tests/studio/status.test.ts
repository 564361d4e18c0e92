// The chip says the one state that matters most.
import {describe, expect, it} from 'vitest';

import {partsOf} from '../../src/studio/ui/panels/convergence.js';
import {statusOf, type Facts} from '../../src/studio/ui/status/status.js';

const WELL: Facts = {
  connection: 'open',
  joined: true,
  retryInMs: null,
  playing: true,
  failed: null,
  past: false,
  watching: false,
  fixed: '',
  framesPerSecond: null,
  inPage: false,
  rate: 1,
  reached: 1,
  restarts: false,
  lateMs: 0,
  differences: 0,
  warnings: [],
};
const STRETCHED = 'body 3 (flag) is stretched: its worst edge is 49 % too long; more substeps would help';

const said = (facts: Partial<Facts>) => {
  const status = statusOf({...WELL, ...facts});
  return status && [status.text, status.note].filter((words) => words !== '').join(', ');
};

describe('the state that is shown', () => {
  it('is live or paused if all is well, and nothing without a world', () => {
    expect(said({})).toBe('Live');
    expect(said({playing: false})).toBe('Paused');
    expect(said({joined: false})).toBeNull();
    expect(said({connection: 'connecting'})).toBeNull();
  });

  it('is the most serious one', () => {
    // Each of these outweighs those after it.
    const inOrder: readonly (readonly [Partial<Facts>, string])[] = [
      [{connection: 'lost', retryInMs: 2400}, 'Reconnecting, again in 3 s'],
      [{failed: 'a particle is too fast'}, 'Stopped, a particle is too fast'],
      [{past: true}, 'The past'],
      [{fixed: 'the disk is full'}, 'No edits now, The disk is full'],
      [{framesPerSecond: 9}, 'Slow connection, 9 frames a second'],
      [{lateMs: 1300}, 'Catching up, 1.3 s behind'],
      [{differences: 2}, 'Differed from the server, 2 times'],
      [{reached: 0.31}, 'Slow, 0.31× of 1×'],
      [{warnings: [STRETCHED, STRETCHED]}, 'flag is stretched, and 1 more'],
      [{watching: true}, 'You look on'],
    ];
    inOrder.forEach(([, words], i) => {
      const rest = inOrder.slice(i).reverse();
      expect(said(Object.assign({}, ...rest.map(([facts]) => facts)))).toBe(words);
    });
  });

  it('blames no connection where worlds are in the page, and no speed where time stands', () => {
    expect(said({framesPerSecond: 9, inPage: true})).toBe('Slow machine, 9 frames a second');
    expect(said({playing: false, framesPerSecond: 9, lateMs: 1300, reached: 0.1})).toBe('Paused');
    expect(said({lateMs: 300, reached: 0.95})).toBe('Live');
    expect(said({rate: 0, reached: 0.2})).toBe('Live');
  });
});

describe('a warning', () => {
  it('is told in two sentences: what is wrong, and what would help', () => {
    expect(partsOf(STRETCHED)).toEqual({
      wrong: 'Body 3 (flag) is stretched: its worst edge is 49 % too long',
      help: 'More substeps would help',
    });
    expect(partsOf('all is well')).toEqual({wrong: 'All is well', help: ''});
  });
});
