// Where a world is simulated: what is not tried, what is shown, and that it does not go to and fro.
import {describe, expect, it} from 'vitest';
import {beyond, Keeping, PARTICLES_MOST} from '../../src/studio/model/keeping.js';

const size = {particles: 10_000, substeps: 20, iterations: 1, ticksPerSecond: 60};

describe('what is not even tried', () => {
  it('is what has no room in a page, and what no machine keeps up with', () => {
    expect(beyond(size)).toBe(null);
    expect(beyond({...size, particles: PARTICLES_MOST + 1})).toContain('too large');
    expect(beyond({...size, substeps: 300})).toContain('too much');
    expect(beyond({...size, iterations: 15})).toContain('too much');
    // As fast as it can, or at rest: nobody asks for a pace.
    expect(beyond({...size, substeps: 300, ticksPerSecond: 0})).toBe(null);
  });
});

describe('a machine', () => {
  // What it says from a time on, each 250 ms for so many seconds, of a load.
  function run(keeping: Keeping, from: number, seconds: number, share: number | null, behindMs = 0): string[] {
    const verdicts: string[] = [];
    for (let now = from; now < from + 1000 * seconds; now += 250) {
      verdicts.push(keeping.weigh({share, behindMs}, now));
    }
    return verdicts;
  }

  it('that keeps up for a while shows the world, and one that has reserves no more goes on', () => {
    const keeping = new Keeping();
    const verdicts = run(keeping, 0, 4, 0.3);
    expect(verdicts.indexOf('here')).toBe(6);
    expect(verdicts).not.toContain('sent');
    // Between what is enough to begin and too much to go on.
    expect(new Set(run(keeping, 4000, 60, 0.75))).toEqual(new Set(['here']));
    expect(new Set(run(new Keeping(), 0, 60, 0.75))).toEqual(new Set(['wait']));
  });

  it('that does not keep up is given up after a while, however it is late', () => {
    for (const [share, behind] of [
      [1.5, 0],
      [0.1, 800],
    ] as const) {
      const verdicts = run(new Keeping(), 0, 4, share, behind);
      expect(verdicts.indexOf('sent')).toBe(12);
    }
    const keeping = new Keeping();
    run(keeping, 0, 4, 0.3);
    expect(run(keeping, 4000, 2.5, 1.5)).not.toContain('sent');
    expect(run(keeping, 6500, 60, 0.5)).not.toContain('sent');
  });

  it('shows a world that rests at once', () => {
    expect(run(new Keeping(), 0, 0.2, null)).toEqual(['here']);
  });

  it('rests longer after each failure, and less again after it was steady', () => {
    const keeping = new Keeping();
    const rests: number[] = [];
    for (let round = 0; round < 7; round++) {
      keeping.fail(0);
      let until = 0;
      while (!keeping.ready(until)) {
        until += 1000;
      }
      rests.push(until / 1000);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600]);
    keeping.begin();
    run(keeping, 1e6, 70, 0.3);
    keeping.fail(2e6);
    expect([keeping.ready(2e6 + 29_000), keeping.ready(2e6 + 30_000)]).toEqual([false, true]);
    keeping.fail(0);
    keeping.forget();
    expect(keeping.ready(0)).toBe(true);
  });
});
