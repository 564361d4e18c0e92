// Playing the past: where the head goes, and what is asked for as time passes.
import {signal} from '@preact/signals';
import {describe, expect, it} from 'vitest';
import {moved, Replay} from '../../src/studio/model/past/replay.js';
import type {Past} from '../../src/studio/model/past/past.js';
import type {WorldDocument} from '../../src/studio/model/index.js';

const RANGE = {first: 100, last: 200};

describe('the head', () => {
  it('goes on by ticks and their fractions, both ways', () => {
    expect(moved(150, 0.5, RANGE, null)).toEqual({at: 150.5, ended: false});
    expect(moved(150, -3, RANGE, null)).toEqual({at: 147, ended: false});
  });
  it('ends at the ends, if nothing is repeated', () => {
    expect(moved(199, 4, RANGE, null)).toEqual({at: 200, ended: true});
    expect(moved(101, -4, RANGE, null)).toEqual({at: 100, ended: true});
  });
  it('goes round in a loop, and into it from outside', () => {
    const loop = {first: 120, last: 130};
    expect(moved(129, 4, RANGE, loop)).toEqual({at: 122, ended: false});
    expect(moved(129, 26, RANGE, loop)).toEqual({at: 122, ended: false});
    expect(moved(121, -4, RANGE, loop)).toEqual({at: 128, ended: false});
    expect(moved(105, 4, RANGE, loop)).toEqual({at: 109, ended: false});
    expect(moved(150, -4, RANGE, loop)).toEqual({at: 146, ended: false});
  });
});

// A past that answers at once, or when it is told to.
function played() {
  const at = signal<number | null>(null);
  const busy = signal(false);
  const range = signal(RANGE);
  const asked: number[] = [];
  const past = {
    at,
    busy,
    range,
    seek: (tick: number) => {
      asked.push(tick);
      at.value = tick;
    },
    back: () => {
      at.value = null;
      return Promise.resolve();
    },
  };
  const document = {home: signal(1), settings: signal({tick_rate: 60})};
  let next: ((now: number) => void) | null = null;
  const replay = new Replay(past as unknown as Past, document as unknown as WorldDocument, (tick) => (next = tick));
  let now = 0;
  const pass = (seconds: number) => {
    now += 1000 * seconds;
    next?.(now);
  };
  return {at, busy, asked, replay, pass, document};
}

describe('playing', () => {
  it('begins with the first tick, goes at the speed, and ends at now', () => {
    const {at, replay, pass, asked} = played();
    replay.speed.value = 2;
    replay.toggle();
    pass(0);
    expect(at.value).toBe(100);
    pass(0.1);
    expect(at.value).toBe(112);
    replay.speed.value = 8;
    for (let i = 0; i < 10; i++) pass(0.2);
    expect(at.value).toBe(null);
    expect(replay.playing.value).toBe(false);
    expect(Math.max(...asked)).toBe(200);
  });
  it('asks for nothing before the last tick came, and does not make up for long pauses', () => {
    const {at, busy, replay, pass} = played();
    replay.toggle();
    pass(0);
    busy.value = true;
    pass(0.1);
    pass(5);
    expect(at.value).toBe(100);
    busy.value = false;
    pass(5);
    expect(at.value).toBe(115);
  });
  it('goes on from where somebody went, and stops when the past is left', () => {
    const {at, replay, pass} = played();
    replay.toggle(true);
    pass(0);
    at.value = 160;
    pass(0.1);
    expect(at.value).toBe(154);
    at.value = null;
    pass(0.1);
    expect(replay.playing.value).toBe(false);
  });
  it('a loop has its ends in order, and goes with its world', () => {
    const {at, replay, document} = played();
    at.value = 150;
    replay.mark('first');
    at.value = 170;
    replay.mark('last');
    expect(replay.loop.value).toEqual({first: 150, last: 170});
    at.value = 120;
    replay.mark('last');
    expect(replay.loop.value).toEqual({first: 100, last: 120});
    document.home.value = 2;
    expect(replay.loop.value).toBe(null);
  });
});
